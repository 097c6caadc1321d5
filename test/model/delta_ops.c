// Deltas: the world of the library goes its own way and is brought back by what makes it what it
// was; then it is restored, for ticks are its own. Where something has changed that cannot be sent,
// only the latter; what owns something may lie elsewhere.
#include <ilk/delta.h>

#include "excursions.h"

static bool owns(const ilk_type* type) {
    return type->hooks.drop || type->hooks.copy;
}

// What relations carry and owns something, or did, does not come along with sources that move.
static bool is_anything_in_the_way(const ilk_world* world) {
    for (uint32_t i = 0; i < ilk_stats(world).types; i++) {
        ilk_type* type = ilk_type_at(world, i);
        const ilk_type* carried = type->relation ? type->relation->value : NULL;
        if (carried && owns(carried)) return true;
    }
    return false;
}

// The same relations in another order: some are ended and made again, and come last.
static void change_orders(ilk_world* world, uint32_t seed) {
    ilk_world_stats stats = ilk_stats(world);
    for (uint32_t i = 0; i < stats.types; i++) {
        ilk_type* type = ilk_type_at(world, i);
        for (uint32_t slot = 0; type->relation && slot < stats.slots; slot++) {
            seed = seed * 1664525 + 1013904223;
            ilk_entity e = ilk_entity_at(world, slot), target = ilk_target(world, e, type);
            if (seed >> 29 || ilk_unrelate(world, e, type, target) != ILK_OK) continue;
            ilk_relate(world, e, type, target);
        }
    }
}

// Changes that can be sent.
static void change_a_little(ilk_world* world, uint32_t seed) {
    ilk_world_stats stats = ilk_stats(world);
    bool has_trees = ilk_type_number(world, &ilk_child_of_type) != UINT32_MAX; // none is to be new
    for (uint32_t i = 0; i < 6 && stats.slots && stats.types; i++) {
        seed = seed * 1664525 + 1013904223;
        ilk_entity e = ilk_entity_at(world, (seed >> 8) % stats.slots);
        ilk_type* type = ilk_type_at(world, (seed >> 12) % stats.types);
        if (owns(type) || type->relation) continue;
        if (seed >> 31)
            ilk_add(world, e, (ilk_value){type, NULL});
        else
            ilk_spawn(world, (ilk_value[]){{type, NULL}}, 1);
        if (seed >> 28 == 5) ilk_remove(world, e, type);
        if (!has_trees || seed >> 28 != 6) continue;
        ilk_set_parent(world, e, ilk_entity_at(world, seed % stats.slots));
    }
}

// The way from one snapshot, which the world holds, to another one. Whether it was gone.
static bool go(run* r, run_side* s, ilk_snapshot* from, ilk_snapshot* to, uint64_t hash,
               bool is_sent) {
    size_t size = 0;
    const void* bytes = ilk_delta_make(from, to, &size);
    ilk_result made = ilk_error(s->world).result;
    RUN_CHECK(r, bytes || (made == ILK_INVALID && !is_sent), "%s: a delta is not made: %s", s->name,
              ilk_error(s->world).text);
    if (!bytes) return false;
    ilk_result result = ilk_delta_apply(s->world, bytes, size);
    RUN_CHECK(r, result == ILK_OK, "%s: a delta is not applied: %s", s->name,
              ilk_error(s->world).text);
    char why[200] = "";
    RUN_CHECK(r, ilk_world_validate(s->world, why, sizeof why) == ILK_OK, "%s: %s", s->name, why);
    RUN_CHECK(r, ilk_hash_layout(s->world) == hash, "%s: a delta makes another world", s->name);
    return result == ILK_OK;
}

static void change(run_side* s, const script_op* op) {
    if (op->flags & 1)
        run_upset(s->world, op->seed);
    else
        change_a_little(s->world, op->seed);
    if (op->flags & 4) change_orders(s->world, op->seed);
    if (op->flags & 2) ilk_settle(s->world, 0);
}

void run_delta(run* r, run_side* s, const script_op* op) {
    if (r->is_inside || !run_is_private(s)) return;
    run_begin(r, s, (run_call){.name = "ilk_delta_apply"});
    run_quiet q = run_be_quiet(r, s);
    ilk_snapshot* before = ilk_snapshot_take(s->world);
    if (before) {
        uint64_t hash = ilk_hash_layout(s->world);
        bool is_sent = !(op->flags & 1) && !is_anything_in_the_way(s->world);
        change(s, op);
        uint64_t changed = ilk_hash_layout(s->world);
        ilk_snapshot* now = ilk_snapshot_take(s->world);
        // (What owns something is not known to be the same in a past that the world came back to.)
        if (now && go(r, s, now, before, hash, is_sent)) go(r, s, before, now, changed, false);
        ilk_snapshot_release(now);
        ilk_result result = ilk_snapshot_restore(before);
        RUN_CHECK(r, result == ILK_OK && ilk_hash_layout(s->world) == hash,
                  "%s: a snapshot is not restored after a delta: %s", s->name,
                  ilk_error(s->world).text);
        ilk_snapshot_release(before);
        s->epoch++;
        run_end_passes(s, RUN_QUERIES);
    }
    run_speak_again(r, s, &q);
}
