// Snapshots and a ring of a run: what the library holds, and what the model was then.
#ifndef PASTS_H
#define PASTS_H

#include "model_past.h"
#include "passes.h"
#include "script.h"

#define RUN_HELD 6u      // snapshots of a world at a time, beside those of a ring
#define RUN_STARVING 64u // of calls that could do without memory, one in so many has to
#define RUN_FRAMES 4u    // that a ring keeps at most

// What a system was.
typedef struct run_system_past {
    uint32_t age; // 0: it was not there
    int order;
    bool is_disabled;
    uint64_t waited;
} run_system_past;

typedef struct run_query_past {
    uint64_t number; // of the query; 0: it was not there
    uint64_t since;
} run_query_past;

// A snapshot and what the model was.
typedef struct run_memory {
    ilk_snapshot* snapshot;
    model_past* model;
    uint64_t hash;
    uint64_t refused; // requests for memory, before it was taken
    bool may_be_lost; // there was a call that had to do without memory
    bool has_schedule;
    model_schedule time; // of which its systems do not count
    uint32_t blocks;
    run_system_past systems[MODEL_SYSTEMS];
    run_query_past queries[RUN_SYSTEM_QUERY(MODEL_SYSTEMS)];
    uint32_t stack[MODEL_SCENES + 1], depth;
} run_memory;

typedef struct run_frame {
    uint64_t number;
    run_memory* memory;
} run_frame;

typedef struct run_ring {
    ilk_ring* ring; // NULL: there is none
    uint32_t frames, every;
    bool is_bound; // by bytes: then the library says how many it keeps
    uint64_t now;
    run_frame kept[RUN_FRAMES]; // in order
    uint32_t count;
} run_ring;

typedef struct run_past {
    run_memory* held[RUN_HELD]; // in any order; NULL: this place is free
    run_ring ring;
    uint32_t count; // all of these
    uint32_t calls; // that could have done without memory
} run_past;

typedef struct run run;
typedef struct run_side run_side;

// Whether a copy of everything takes no time to speak of.
bool run_is_small(const run_side* s);
// What is wrong with taking a snapshot now, or restoring one.
model_faults run_take_faults(const run_side* s);
model_faults run_restore_faults(run* r, const run_side* s, const run_memory* memory);
void run_clear_for_past(run* r, run_side* s, const script_op* op);
// The library took one. It makes the model what it was. It is gone.
run_memory* run_remember(run* r, run_side* s, ilk_snapshot* snapshot);
void run_return(run* r, run_side* s, const run_memory* memory);
void run_forget(run_side* s, run_memory* memory);
// There is no memory to put aside what changes.
void run_may_lose(run_side* s);
// Values that own something and that snapshots may hold copies of, at most; whether one was lost,
// which may come to hold copies of later snapshots, for those before it.
uint64_t run_past_owned(const run_side* s);
bool run_past_is_lost(const run_side* s);
// The world is gone, and its snapshots with it.
void run_forget_past(run_side* s);

#endif
