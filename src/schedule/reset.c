// Beginning anew: what was is seen to, then forgotten.
#include <ilk/event.h>

#include "schedule.h"

static bool destroy_for_reset(ilk_world* world, ilk_entity e) {
    return ilki_destroy_as(world, e, ILK_REASON_UNLOAD, "ilk_reset") == ILK_OK;
}

// Destroys all but those that others need. Whether it destroyed some, and some were needed.
static bool destroy_most(ilk_world* world) {
    bool has_destroyed = false, is_needed = false;
    uint32_t slots = world->storage.view.index.slots;
    for (uint32_t i = 0; i < slots; i++) {
        ilk_entity e = ilk_entity_at(world, i);
        if (ilk_is_null(e) || ilk_dying(world, e)) continue;
        bool stays = ilki_is_needed(world, e);
        is_needed |= stays;
        if (!stays) has_destroyed |= destroy_for_reset(world, e);
    }
    return has_destroyed && is_needed;
}

// Those that were needed may go when those that needed them have gone.
static void destroy_all(ilk_world* world) {
    while (destroy_most(world)) continue;
}

// An update in which each system whose time does not depend on more can do its last.
static ilk_result update_last(ilk_world* world, ilki_schedule* schedule) {
    bool is_paused = schedule->is_paused;
    double scale = schedule->scale, longest = schedule->longest;
    schedule->is_paused = false;
    schedule->is_started = true;
    schedule->scale = 1;
    schedule->longest = 0;
    ilk_result result = ilk_update(world, (double)schedule->step / 1e9);
    schedule->is_paused = is_paused;
    schedule->scale = scale;
    schedule->longest = longest;
    return result;
}

static void forget_time(ilki_schedule* schedule) {
    schedule->time = (ilk_time){0};
    schedule->lag = 0;
    schedule->is_started = false;
    schedule->has_leftovers = false;
}

static void reset_system(ilk_system* system) {
    ilk_cmd_clear(system->cmd);
    system->waited = 0;
    ilk_system_stats_reset(system);
}

// The hooks may make and destroy systems: these come and go at the end.
static void reset_systems(ilk_world* world, ilki_schedule* schedule) {
    for (uint32_t i = 0; i < schedule->sorted_count; i++) reset_system(schedule->sorted[i]);
    schedule->leaving++;
    for (uint32_t i = 0; i < schedule->sorted_count; i++) {
        const ilk_system* system = schedule->sorted[i];
        if (system->desc.reset && !system->is_gone) system->desc.reset(world, system->desc.user);
    }
    if (!--schedule->leaving && schedule->is_outdated) ilki_schedule_tidy(world);
}

ilk_result ilk_reset(ilk_world* world) {
    const char* call = "ilk_reset";
    ilk_result result = ilki_enter(world, call);
    if (result != ILK_OK) return result;
    ilki_schedule* schedule = ilki_schedule_of(world, call);
    if (!schedule) return ILK_NO_MEMORY;
    if (schedule->is_running || schedule->is_ending || schedule->leaving) {
        return ilki_fail_because(world, ILK_LOCKED, call, NULL,
                                 "the world is running, or systems are going");
    }
    result = ilki_scenes_leave(world, call);
    if (result != ILK_OK) return result;
    destroy_all(world);
    result = update_last(world, schedule);
    ilk_clear(world);
    ilk_event_clear(world);
    forget_time(schedule);
    reset_systems(world, schedule);
    return result;
}
