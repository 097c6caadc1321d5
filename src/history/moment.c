// When, and of which worlds, snapshots can be taken and restored; and when a world may end.
#include <ilk/relation.h>

#include "../event/observers.h"
#include "history.h"
#include "shown.h"

// Whether entities of a world that shows a snapshot of this one are being copied.
static bool is_shown_busy(const ilk_world* world) {
    const ilki_history* history = world->storage.history;
    const ilki_shown* shown = history ? history->opened : NULL;
    while (shown && !shown->world->scratch_users) shown = shown->next;
    return shown != NULL;
}

const char* ilki_under_way(const ilk_world* world) {
    const ilki_schedule* schedule = world->schedule;
    if (ilki_is_running(world))
        return "the world is running, or scenes change: call it between updates";
    if (schedule && schedule->leaving) return "systems are going, or being reset";
    if (ilki_is_dispatching(world)) return "events are being dispatched";
    if (ilki_is_telling(world)) return "observers are being told of a change";
    if (world->plugins.busy) return "a plugin is being called";
    if (world->relations.doomed_count) return "entities are being destroyed with others";
    if (world->scratch_users) return "a call that does much at once is under way";
    if (is_shown_busy(world)) return "what a snapshot of it holds is being copied";
    return ilki_is_applying(world) ? "commands are being applied" : NULL;
}

ilk_result ilki_moment_for_history(ilk_world* world, const char* call) {
    ilk_result result = ilki_enter(world, call);
    const char* what = result == ILK_OK ? ilki_under_way(world) : NULL;
    return what ? ilki_fail_because(world, ILK_LOCKED, call, NULL, "%s", what) : result;
}

static bool is_copied(const ilk_type* type) {
    return type->hooks.copy || !type->hooks.drop || type->unrecorded;
}

// A type, or that of what its relations carry, unless both are copied; then NULL.
static const ilk_type* uncopied_of(const ilk_type* type) {
    if (!is_copied(type)) return type;
    const ilk_type* carried = type->relation ? type->relation->value : NULL;
    return carried && !is_copied(carried) ? carried : NULL;
}

static const ilk_type* uncopied_component(const ilk_world* world) {
    for (uint32_t i = 0; i < world->storage.type_count; i++) {
        ilk_type* type = world->storage.types[i]->type;
        const ilk_type* uncopied = uncopied_of(type);
        if (uncopied && ilk_stats_of(world, type).count) return uncopied;
    }
    return NULL;
}

static const ilk_type* uncopied_resource(const ilk_world* world) {
    for (uint32_t i = 0; i < world->resources.count; i++) {
        if (!is_copied(world->resources.list[i].type)) return world->resources.list[i].type;
    }
    return NULL;
}

static const ilk_type* uncopied_event(const ilki_events* events) {
    for (uint32_t i = 0; events && i < events->count; i++) {
        const ilki_queue* queue = events->channels[i];
        if (!is_copied(queue->type) && ilki_queue_kept(queue)) return queue->type;
    }
    return NULL;
}

ilk_result ilki_fit_to_take(ilk_world* world, const char* call) {
    uint64_t waiting = ilki_cmds_waiting(world);
    if (waiting) {
        return ilki_fail_because(world, ILK_LOCKED, call, NULL,
                                 "%llu command%s wait%s in buffers: apply or clear them before",
                                 (unsigned long long)waiting, waiting == 1 ? "" : "s",
                                 waiting == 1 ? "s" : "");
    }
    const ilk_type* type = uncopied_component(world);
    if (!type) type = uncopied_resource(world);
    if (!type) type = uncopied_event(world->events);
    if (!type) return ILK_OK;
    return ilki_fail_because(world, ILK_INVALID, call, type,
                             "values of %s cannot be in a snapshot: it has a drop hook and no copy "
                             "hook, so give it one, or leave it out (.unrecorded)",
                             type->name);
}

// A type that was taken out or brought back since, or whose values that were put aside are others.
static const ilk_type* type_gone_or_back(const ilki_storage* storage,
                                         const ilki_storage_image* image) {
    for (uint32_t i = 0; i < storage->type_count; i++) {
        uint32_t outs = i < image->type_count ? image->outs[i] : 0;
        if (ilki_outs_of(storage->types[i]) != outs) return storage->types[i]->type;
    }
    return NULL;
}

ilk_result ilki_fail_lost(ilk_world* world, const ilk_type* type, const char* call) {
    return ilki_fail_because(world, ILK_STALE, call, type,
                             "the snapshot was lost: there was no memory to save what changed");
}

ilk_result ilki_fit_to_restore(ilk_world* world, const ilk_snapshot* snapshot, const char* call) {
    if (snapshot->is_lost) return ilki_fail_lost(world, NULL, call);
    const ilk_type* type = type_gone_or_back(&world->storage, &snapshot->storage);
    if (type) {
        return ilki_fail_because(
            world, ILK_CLASH, call, type,
            "since the snapshot was taken, %s was taken out of world \"%s\" or "
            "brought back, or its values that were put aside were dropped",
            type->name, world->name);
    }
    const char* scene = ilki_running_lacks(world, &snapshot->running);
    if (!scene) return ILK_OK;
    return ilki_fail_because(world, ILK_MISSING, call, NULL,
                             "scene \"%s\" was on the stack, and is not there any more", scene);
}
