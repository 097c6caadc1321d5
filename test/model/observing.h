// Observers of a run: what they were told by the library, and what they did.
//
// The library goes ahead: each observer writes down what it is told, and what it does, which it
// chooses as it likes. The model then says what must be told, and is given what the observers did.
#ifndef OBSERVING_H
#define OBSERVING_H

#include "model_obs.h"
#include "passes.h"

#define RUN_ACTS 3u // of an observer each time that it is called

typedef enum run_act_kind {
    RUN_ACT_COMMAND,
    RUN_ACT_MAKE, // an observer
    RUN_ACT_DROP
} run_act_kind;

typedef struct run_act {
    run_act_kind kind;
    model_verb verb; // of a command
    ilk_entity entity;
    uint32_t type, seed; // of its value; seed 0: the default
    ilk_entity target;   // of its value, if it is of a relation
    uint32_t place;      // of an observer
} run_act;

// What an observer was told.
typedef struct run_told {
    uint32_t observer;
    ilk_on on;
    ilk_reason reason;
    uint32_t type;
    ilk_entity entity; // the first
    uint32_t count;
    uint64_t entities, values, old, state, carried; // digests
    ilk_entity target;
    bool is_failed;
    uint32_t messages;
    run_act acts[RUN_ACTS];
    uint32_t act_count;
} run_told;

typedef struct run_observer {
    run* run;
    run_side* side;
    bool is_used;           // this place is not free
    ilk_observer* observer; // NULL: it is gone
    model_observer model;
    run_query query;
    uint64_t state; // of random numbers
    bool is_quiet;  // it only looks
    bool has_condition;
} run_observer;

typedef struct run_observing {
    run* run;
    run_observer observers[MODEL_OBSERVERS];
    model_observing model;
    run_told* told; // in this operation
    uint32_t told_count, told_capacity;
    uint32_t heard;     // of these, by the model
    uint64_t operation; // in which acts are counted
    uint32_t acts;      // so far
    uint64_t all;       // notices
} run_observing;

void run_observers_open(run* r, run_side* s);
// All that was told had to be, and nothing else.
void run_observers_check(run* r, run_side* s);
// The world is gone, of which they were told.
void run_observers_close(run* r, run_side* s);

#endif
