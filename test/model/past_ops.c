// Excursions: a snapshot is taken, the world of the library is turned upside down without the model
// knowing, and restored. Nothing is left of it but loops that ended and values that lie elsewhere.
#include "excursions.h"

#include <ilk/snapshot.h>

#define FEW 40u

static bool has_unrecorded(const model_world* m) {
    bool is_any = false;
    for (uint32_t i = 0; i < m->slot_count; i++)
        for (uint32_t k = 0; k < m->slots[i].count; k++)
            is_any |= m->types[m->slots[i].components[k].type].unrecorded;
    for (uint32_t i = 0; i < m->resource_count; i++)
        is_any |= m->types[m->resources[i].type].unrecorded;
    return is_any;
}

bool run_is_private(const run_side* s) {
    return !has_unrecorded(s->model) && model_observer_count(s->model) == 0 &&
           s->model->kept_count == 0 && s->model->events.count == 0 &&
           !s->model->events.is_dispatching;
}

run_quiet run_be_quiet(run* r, run_side* s) {
    run_quiet q = {s->world->failure, r->plan.paused};
    s->world->is_muted = true;
    r->plan.paused = true;
    return q;
}

void run_speak_again(run* r, run_side* s, const run_quiet* q) {
    s->world->is_muted = false;
    s->world->failure = q->failure;
    r->plan.paused = q->paused;
}

void run_upset(ilk_world* world, uint32_t seed) {
    ilk_world_stats stats = ilk_stats(world);
    for (uint32_t i = 0; i < FEW && stats.slots && stats.types; i++) {
        seed = seed * 1664525 + 1013904223;
        ilk_entity e = ilk_entity_at(world, (seed >> 8) % stats.slots);
        ilk_entity other = ilk_entity_at(world, (seed >> 4) % stats.slots);
        ilk_type* type = ilk_type_at(world, (seed >> 12) % stats.types);
        switch (seed >> 29) {
        case 0:
            ilk_destroy(world, e);
            break;
        case 1:
        case 2:
            ilk_add(world, e, (ilk_value){type, NULL});
            break;
        case 3:
            ilk_remove(world, e, type);
            break;
        case 4:
            ilk_disable(world, e, type);
            break;
        case 5:
            ilk_spawn(world, (ilk_value[]){{type, NULL}}, 1);
            break;
        case 6:
            if (type->relation) ilk_relate(world, e, type, other);
            break;
        default:
            ilk_copy(world, e);
        }
    }
}

static void wander(run_side* s, const script_op* op) {
    ilk_world* world = s->world;
    if (op->flags & 1) run_upset(world, op->seed);
    if (op->flags & 2) ilk_settle(world, 0);
    if (op->flags & 4) ilk_clear(world);
    if (op->flags & 8) run_upset(world, ~op->seed);
    if (!(op->flags & 16)) return;
    ilk_trim(world);
    run_trim_cmds(s);
}

// A snapshot that is open shows what the model is, whatever became of the world; then it is closed.
static void look_back(run* r, run_side* s, ilk_world* view, uint64_t hash) {
    if (!view) return;
    bool trace = r->options.trace;
    r->options.trace = false;
    run_compare_view(r, s, view);
    r->options.trace = trace;
    RUN_CHECK(r, ilk_hash(view) == hash, "%s: the hash of an opened snapshot differs", s->name);
    RUN_CHECK(r, ilk_destroy(view, ilk_entity_at(view, 0)) == ILK_LOCKED,
              "%s: an opened snapshot can be changed", s->name);
    ilk_world_destroy(view);
}

void run_excursion(run* r, run_side* s, const script_op* op) {
    if (r->is_inside || !run_is_private(s)) return;
    run_begin(r, s, (run_call){.name = "ilk_snapshot_restore"});
    run_quiet q = run_be_quiet(r, s);
    uint32_t held = ilk_snapshot_count(s->world);
    ilk_snapshot* snapshot = ilk_snapshot_take(s->world);
    if (snapshot) {
        bool is_early = op->seed & 4, is_shut = op->seed & 8;
        uint64_t hash = op->seed & 3 ? 0 : ilk_hash(s->world);
        ilk_world* view = op->seed & 3 || is_early ? NULL : ilk_snapshot_open(snapshot);
        wander(s, op);
        ilk_snapshot* later = op->flags & 32 ? ilk_snapshot_take(s->world) : NULL;
        if (later) run_upset(s->world, op->seed ^ 0x5a5a5a5a);
        if (is_early && !(op->seed & 3)) view = ilk_snapshot_open(snapshot);
        if (is_shut) look_back(r, s, view, hash);
        ilk_result result = ilk_snapshot_restore(snapshot);
        RUN_CHECK(r, result == ILK_OK, "%s: a snapshot is not restored: %s", s->name,
                  ilk_error(s->world).text);
        ilk_snapshot_release(op->flags & 64 ? snapshot : later);
        ilk_snapshot_release(op->flags & 64 ? later : snapshot);
        if (!is_shut) look_back(r, s, view, hash);
        s->epoch++;
        run_end_passes(s, RUN_QUERIES);
    }
    RUN_CHECK(r, ilk_snapshot_count(s->world) == held, "%s: snapshots are left", s->name);
    run_speak_again(r, s, &q);
}
