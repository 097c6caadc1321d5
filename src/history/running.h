// The schedule in a snapshot: what is set, time, what systems have waited for and learned, and the
// scenes on the stack. All of it is copied.
#ifndef ILKI_RUNNING_H
#define ILKI_RUNNING_H

#include "../schedule/schedule.h"
#include "cutter.h"

typedef struct ilki_system_image {
    uint32_t serial;
    int order;
    bool is_disabled;
    bool is_strict; // its commands
    uint64_t waited;
    uint32_t* wants;
    uint32_t want_count;
} ilki_system_image;

typedef struct ilki_running_image {
    bool is_there; // otherwise the world had no schedule
    bool is_started, is_paused;
    double scale, longest;
    uint64_t step, lag;
    uint32_t most, settles;
    ilk_settled settled;
    ilk_time time;
    ilki_system_image* systems; // in order of making
    uint32_t system_count;
    const char** stack; // names of scenes, from the bottom up
    uint32_t depth;
} ilki_running_image;

// The schedule may be NULL.
void ilki_running_cut(const ilki_schedule* schedule, ilki_running_image* image,
                      ilki_cutter* cutter);

// The name of a scene that was on the stack and is not there any more; or NULL.
const char* ilki_running_lacks(const ilk_world* world, const ilki_running_image* image);

// Time, and what is set: without systems and scenes.
void ilki_schedule_restore(ilki_schedule* schedule, const ilki_running_image* image);

// Systems that were made since have waited for nothing and learned nothing.
void ilki_running_restore(ilk_world* world, const ilki_running_image* image);

#endif
