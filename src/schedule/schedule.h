// The schedule of a world: its systems, in the order in which they run, and its time.
#ifndef ILKI_SCHEDULE_H
#define ILKI_SCHEDULE_H

#include <ilk/system.h>

#include "../deferred/buffer.h"

struct ilk_system {
    ilk_world* world;
    ilk_system_desc desc; // its texts are the system's own
    char* texts;
    size_t text_bytes;
    uint32_t made;  // the how many-th that was made
    uint32_t phase; // by number
    uint32_t wave;  // in its phase
    ilk_query* query;
    ilk_cmd* cmd;
    uint64_t waited; // nanoseconds since it last ran, for one with an interval
    uint32_t waits;  // while they are sorted: how many must be placed before it
    bool is_placed;
    bool is_gone; // destroyed while systems run
    ilk_system_stats stats;
};

typedef struct ilki_schedule {
    ilk_system** systems; // in order of making
    ilk_system** sorted;  // in order of running
    uint32_t count, capacity;
    ilk_system** trial; // an order that is being tried
    uint32_t sorted_count, trial_count;
    uint32_t sorted_capacity, trial_capacity;
    uint32_t made;
    char** phases;
    uint32_t phase_count, phase_capacity;
    bool is_started, is_running, is_outdated, is_ending;
    uint32_t leaving; // exit hooks that are being called
    bool is_paused;
    double scale;
    uint64_t step, lag; // of the fixed phase, in nanoseconds
    uint32_t most;
    uint32_t settles; // blocks at the end of an update
    ilk_settled settled;
    ilk_time time;
} ilki_schedule;

// The schedule of a world, made when it is first needed. NULL without memory, and the failure is
// noted.
ilki_schedule* ilki_schedule_of(ilk_world* world, const char* call);

// The number of a phase; ILKI_NONE if there is none of that name.
uint32_t ilki_phase_find(const ilki_schedule* schedule, const char* name);

// Tries to put the systems that are there in order. OK; INVALID if there is a cycle, whose members
// are then in `text`. There is room for all of them.
ilk_result ilki_schedule_sort(ilki_schedule* schedule, char* text, size_t size);

// Makes the order that was tried the one in which systems run, and cuts it into waves.
void ilki_schedule_adopt(ilki_schedule* schedule);

// Takes out the systems that were destroyed while others ran, and sorts the rest.
void ilki_schedule_tidy(ilk_world* world);

// Whether a name is one of a system's list.
bool ilki_is_named(const char* const* list, const char* name);

#endif
