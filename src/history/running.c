#include "running.h"

#include <string.h>

static void cut_system_image(const ilk_system* system, ilki_system_image* image,
                             ilki_cutter* cutter) {
    size_t count = system->want_count;
    uint32_t* wants = ilki_cut(cutter, count, sizeof *wants);
    if (!wants) return;
    *image = (ilki_system_image){.serial = system->serial,
                                 .order = system->desc.order,
                                 .is_disabled = system->desc.is_disabled,
                                 .is_strict = system->cmd->is_strict,
                                 .waited = system->waited,
                                 .wants = wants,
                                 .want_count = system->want_count};
    if (count) memcpy(wants, system->wants, count * sizeof *wants);
}

static void cut_systems(const ilki_schedule* schedule, ilki_running_image* image,
                        ilki_cutter* cutter) {
    image->system_count = schedule->count;
    image->systems = ilki_cut(cutter, schedule->count, sizeof *image->systems);
    for (uint32_t i = 0; i < schedule->count; i++) {
        cut_system_image(schedule->systems[i], image->systems ? &image->systems[i] : NULL, cutter);
    }
}

static void cut_stack(const ilki_scenes* scenes, ilki_running_image* image, ilki_cutter* cutter) {
    uint32_t at = image->depth = scenes->depth;
    image->stack = ilki_cut(cutter, scenes->depth, sizeof *image->stack);
    for (const ilki_scene* scene = scenes->top; scene; scene = scene->below) {
        size_t bytes = strlen(scene->desc.name) + 1;
        char* name = ilki_cut(cutter, bytes, 1);
        if (name) image->stack[--at] = memcpy(name, scene->desc.name, bytes);
    }
}

void ilki_running_cut(const ilki_schedule* schedule, ilki_running_image* image,
                      ilki_cutter* cutter) {
    *image = (ilki_running_image){.is_there = schedule != NULL};
    if (!schedule) return;
    image->is_started = schedule->is_started;
    image->is_paused = schedule->is_paused;
    image->scale = schedule->scale;
    image->longest = schedule->longest;
    image->step = schedule->step;
    image->lag = schedule->lag;
    image->most = schedule->most;
    image->settles = schedule->settles;
    image->settled = schedule->settled;
    image->time = schedule->time;
    cut_systems(schedule, image, cutter);
    cut_stack(&schedule->scenes, image, cutter);
}

const char* ilki_running_lacks(const ilk_world* world, const ilki_running_image* image) {
    for (uint32_t i = 0; i < image->depth; i++) {
        if (!ilk_scene_desc_of(world, image->stack[i])) return image->stack[i];
    }
    return NULL;
}

void ilki_schedule_restore(ilki_schedule* schedule, const ilki_running_image* image) {
    ilki_schedule_set_defaults(schedule);
    if (!image->is_there) return;
    schedule->is_started = image->is_started;
    schedule->is_paused = image->is_paused;
    schedule->scale = image->scale;
    schedule->longest = image->longest;
    schedule->step = image->step;
    schedule->lag = image->lag;
    schedule->most = image->most;
    schedule->settles = image->settles;
    schedule->settled = image->settled;
    schedule->time = image->time;
}

// There is room: the memory for them is kept as long as the system.
static void restore_wants(ilk_system* system, const uint32_t* wants, uint32_t count) {
    if (count) memcpy(system->wants, wants, count * sizeof *wants);
    for (uint32_t i = count; i < system->want_count; i++) system->wants[i] = 0;
    system->want_count = count;
}

// Whether it is to run at another place now.
static bool restore_system(ilk_system* system, const ilki_system_image* image) {
    bool is_moved = system->desc.order != image->order;
    system->desc.order = image->order;
    system->desc.is_disabled = image->is_disabled;
    system->cmd->is_strict = image->is_strict;
    system->waited = image->waited;
    restore_wants(system, image->wants, image->want_count);
    return is_moved;
}

// Systems and their images are both in order of making.
static bool restore_systems(ilki_schedule* schedule, const ilki_running_image* image) {
    bool is_moved = false;
    uint32_t at = 0;
    for (uint32_t i = 0; i < schedule->count; i++) {
        ilk_system* system = schedule->systems[i];
        while (at < image->system_count && image->systems[at].serial < system->serial) at++;
        bool was_there = at < image->system_count && image->systems[at].serial == system->serial;
        system->waited = 0;
        if (was_there)
            is_moved |= restore_system(system, &image->systems[at]);
        else
            restore_wants(system, NULL, 0);
    }
    return is_moved;
}

void ilki_running_restore(ilk_world* world, const ilki_running_image* image) {
    ilki_schedule* schedule = world->schedule;
    if (!schedule) return;
    ilki_schedule_restore(schedule, image);
    if (restore_systems(schedule, image)) {
        char cycle[ILKI_CYCLE_TEXT];
        ilki_schedule_sort(schedule, cycle, sizeof cycle); // an order number closes no cycle
        ilki_schedule_adopt(schedule);
    }
    ilki_scenes_become(world, image->stack, image->depth);
}
