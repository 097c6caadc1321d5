// The schedule of a world: its systems, in the order in which they run, and its time.
#ifndef ILKI_SCHEDULE_H
#define ILKI_SCHEDULE_H

#include <ilk/system.h>

#include "../base/clock.h"
#include "../base/threads.h"
#include "../deferred/buffer.h"
#include "scenes.h"
#include "trace.h"
#include "window.h"

#define ILKI_SECONDS_MOST 1e9 // of a frame or a step, and of a scale; more is a mistake
#define ILKI_STEP_MOST 1000000000000000000u // the same in nanoseconds

// What is needed in every update lies together: from the end of the window to the beginning of the
// description.
struct ilk_system {
    ilki_window window;
    ilk_world* world;
    ilk_query* query;
    ilk_cmd* cmd;
    const char* plugin;     // whose function made it, or NULL
    uint64_t waited;        // nanoseconds since it last ran, for one with an interval
    double dt;              // seconds that have gone by for it, if it runs now
    uint32_t after;         // the place of the first that is of another wave
    uint32_t job_count;     // jobs that it makes in the present wave
    bool runs_now;          // in the present wave
    bool is_gone;           // destroyed while systems run
    bool is_resting;        // no scene lets it run
    uint64_t cost;          // nanoseconds that it takes, of late
    ilk_system_stats stats; // but for what was lately, which is in the window
    ilk_system_desc desc;   // its texts are the system's own
    char* texts;
    size_t text_bytes;
    uint32_t made;   // the how many-th that was made
    uint32_t phase;  // by number
    uint32_t wave;   // in its phase
    uint32_t serial; // no two have the same, also if one was replaced by the other
    int first_order; // that it was made with; and whether it was switched off
    bool is_first_disabled;
    uint32_t* wants; // handles that each of its pieces gave out, of late; beyond the last it is 0
    uint32_t want_count, want_capacity;
    bool names_later, names_earlier; // it says before, or after, whom it runs
    uint32_t waits;                  // while they are sorted: how many must be placed before it
    bool is_placed;
};

// A call of a system's function: for all that matches, or for one piece of it.
typedef struct ilki_job {
    ilk_system* system;
    uint32_t piece;
    uint64_t from, to;
    ilk_cmd cmd;
    ilk_query_stats walked;
    uint64_t begun, ended;
    uint64_t allocations;
    uint32_t worker;
    bool is_done; // everything was visited
} ilki_job;

// The jobs of the present wave, and those who do them.
typedef struct ilki_wave {
    ilk_world* world;
    void* surface;
    ilki_job* jobs;
    uint32_t count, capacity;
    uint32_t* order; // in which they are begun
    uint32_t order_capacity;
    uint32_t next;        // of the order; read and written by all at once
    uint32_t desks_taken; // the same
    bool is_direct;       // handles come from the index, for there is one job at a time
    bool is_lent;         // memory of desks is in use, for commands that may be yet to be applied
    ilki_lanes lanes;
    uint32_t* wants;
    uint32_t want_capacity;
    uint64_t* ends; // of the pieces of one system
    uint32_t end_capacity;
    ilki_desk desk;    // of the world's own thread
    ilki_desk* before; // where that sat before
    ilki_desk* desks;  // of the others
    uint32_t desk_count;
    ilki_arena_pool blocks;
    ilki_threads* threads; // the world's own, or NULL
    ilk_jobs crew;         // who the others are
    bool has_tried_threads;
    ilki_here place; // of the call that updates the world
    ilki_clock clock;
    uint64_t now;   // by the clock, when something last ended
    uint64_t worth; // nanoseconds of work for which others are woken up
    uint64_t seed;  // for tests: jobs are begun in an order made up from it; 0: in theirs
} ilki_wave;

typedef struct ilki_schedule {
    ilk_system** systems; // in order of making
    ilk_system** sorted;  // in order of running
    uint32_t count, capacity;
    ilk_system** trial; // an order that is being tried
    uint32_t sorted_count, trial_count;
    uint32_t applies[ILK_APPLY_FRAME + 1]; // how many of them apply their commands then
    uint32_t sorted_capacity, trial_capacity;
    uint32_t made, last_serial;
    char** phases;
    uint32_t phase_count, phase_capacity;
    bool has_leftovers; // commands that there was no memory for
    bool is_started, is_running, is_outdated, is_ending;
    uint32_t leaving; // exit hooks that are being called
    bool is_paused;
    double scale;
    double longest;     // seconds that a frame may take; 0: as long as it likes
    uint64_t step, lag; // of the fixed phase, in nanoseconds
    uint32_t most;
    uint32_t settles; // blocks at the end of an update
    ilk_settled settled;
    ilk_time time;
    ilki_wave wave;
    ilki_scenes scenes;
    uint64_t unknown_to_update, unknown_to_draw; // names that the last lists had in vain, as a hash
    ilki_trace* trace;                           // or NULL
} ilki_schedule;

// Runs those of the systems from one to before another that are to run now, which are of one wave.
void ilki_wave_run(ilki_schedule* schedule, uint32_t from, uint32_t to);

// Runs a system that is the only one of its wave to run, and is not cut.
void ilki_system_run(ilki_schedule* schedule, ilk_system* system);

// Called after commands were applied: memory that nobody needs any more serves the next ones.
void ilki_wave_tidy(ilki_schedule* schedule);

void ilki_wave_init(ilki_wave* wave, ilk_world* world);
void ilki_wave_fini(ilki_wave* wave);

// Makes sure that each of so many systems can have a job. False without memory.
bool ilki_wave_ready(ilki_wave* wave, uint32_t systems);

// While systems, or their conditions, are called, the world is locked.
void ilki_lock_world(ilk_world* world, const ilk_system* system);
void ilki_unlock_world(ilk_world* world);

// Something that a system declares to use: components of a type, or the resource of that type.
typedef struct ilki_good {
    const ilk_type* type; // NULL: nothing
    bool is_resource;
} ilki_good;

// Whether a system declared that it reads, or writes, something; whether it may do so with a type
// elsewhere than in the columns of its run, or with a resource; and whether it declares nothing,
// and so may use everything.
bool ilki_system_uses(const ilk_system* system, ilki_good good, bool writes);
bool ilki_system_may(const ilk_system* system, const ilk_type* type, bool writes);
bool ilki_system_may_resource(const ilk_system* system, const ilk_type* type, bool writes);
bool ilki_is_unbound(const ilk_system* system);

// The next thing, from a place in its declarations on, that a system writes and another one reads
// or writes; or nothing. `*at` is then the place after it.
ilki_good ilki_next_shared(const ilk_system* a, const ilk_system* b, uint32_t* at);

// Whether one system is declared to run before another.
bool ilki_is_before(const ilki_schedule* schedule, const ilk_system* a, const ilk_system* b);

// The schedule of a world, made when it is first needed. NULL without memory, and the failure is
// noted.
ilki_schedule* ilki_schedule_of(ilk_world* world, const char* call);

// What is set, and what has come to be by running, is again as in a schedule that was just made.
void ilki_schedule_set_defaults(ilki_schedule* schedule);

// The number of a phase; ILKI_NONE if there is none of that name.
uint32_t ilki_phase_find(const ilki_schedule* schedule, const char* name);

// The next name of a list that ends with NULL that no system and no phase has, or NULL. The list
// then begins after it.
const char* ilki_next_unknown(ilk_world* world, const char* const** list);

// Tries to put the systems that are there in order. OK; INVALID if there is a cycle, whose members
// are then in `text`, with what each waits for and why. There is room for all of them.
#define ILKI_CYCLE_TEXT 360u // enough for it
ilk_result ilki_schedule_sort(ilki_schedule* schedule, char* text, size_t size);

// Makes the order that was tried the one in which systems run, and cuts it into waves.
void ilki_schedule_adopt(ilki_schedule* schedule);

// Takes out the systems that were destroyed while others ran, and sorts the rest.
void ilki_schedule_tidy(ilk_world* world);

// Whether a name is one of a system's list.
bool ilki_is_named(const char* const* list, const char* name);

#endif
