// Excursions: a snapshot is taken, the world of the library is turned upside down without the model
// knowing, and restored. Nothing is left of it but loops that ended and values that lie elsewhere.
#include "run.h"

#include <ilk/snapshot.h>

#include "world/world.h"

#define FEW 40u

// Whether the model can do without being told: nobody is, and nothing is put aside or looked at.
static bool is_private(const run_side* s) {
    return model_observer_count(s->model) == 0 && s->model->kept_count == 0 &&
           s->model->events.count == 0 && !s->model->events.is_dispatching;
}

// What goes wrong here is nobody's concern.
typedef struct hush {
    ilki_failure failure;
    bool paused;
} hush;

static hush be_quiet(run* r, run_side* s) {
    hush h = {s->world->failure, r->plan.paused};
    s->world->is_muted = true;
    r->plan.paused = true;
    return h;
}

static void speak_again(run* r, run_side* s, const hush* h) {
    s->world->is_muted = false;
    s->world->failure = h->failure;
    r->plan.paused = h->paused;
}

// Destroys, gives and takes at random.
static void upset(ilk_world* world, uint32_t seed) {
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
    if (op->flags & 1) upset(world, op->seed);
    if (op->flags & 2) ilk_settle(world, 0);
    if (op->flags & 4) ilk_clear(world);
    if (op->flags & 8) upset(world, ~op->seed);
    if (!(op->flags & 16)) return;
    ilk_trim(world);
    run_trim_cmds(s);
}

void run_excursion(run* r, run_side* s, const script_op* op) {
    if (r->is_inside || !is_private(s)) return;
    run_begin(r, s, (run_call){.name = "ilk_snapshot_restore"});
    hush h = be_quiet(r, s);
    uint32_t held = ilk_snapshot_count(s->world);
    ilk_snapshot* snapshot = ilk_snapshot_take(s->world);
    if (snapshot) {
        wander(s, op);
        ilk_snapshot* later = op->flags & 32 ? ilk_snapshot_take(s->world) : NULL;
        if (later) upset(s->world, op->seed ^ 0x5a5a5a5a);
        ilk_result result = ilk_snapshot_restore(snapshot);
        RUN_CHECK(r, result == ILK_OK, "%s: a snapshot is not restored: %s", s->name,
                  ilk_error(s->world).text);
        ilk_snapshot_release(op->flags & 64 ? snapshot : later);
        ilk_snapshot_release(op->flags & 64 ? later : snapshot);
        s->epoch++;
        run_end_passes(s, RUN_QUERIES);
    }
    RUN_CHECK(r, ilk_snapshot_count(s->world) == held, "%s: snapshots are left", s->name);
    speak_again(r, s, &h);
}
