// Readers and subscribers of a run.
//
// When the library calls a subscriber, the model says who is to be called next, and with what.
#ifndef LISTENING_H
#define LISTENING_H

#include "model.h"
#include "script.h"

typedef struct run run;
typedef struct run_side run_side;

typedef struct run_subscription {
    run* run;
    run_side* side;
    uint32_t place;
    ilk_subscription* subscription; // NULL: this place is free
    script_op op;                   // what it was made by
    uint32_t calls;
} run_subscription;

typedef struct run_listening {
    ilk_reader* readers[MODEL_READERS];
    const void* looked_at[MODEL_READERS]; // what each read last, if it did
    run_subscription subscriptions[MODEL_SUBSCRIBERS];
    bool is_on;       // events are dispatched
    uint32_t busy;    // things that subscribers did meanwhile
    ilk_result first; // that a subscriber returned and that is not OK
} run_listening;

// The library is about to dispatch, or to update, which begins with it.
void run_dispatch_begins(run_side* s, uint32_t flags);
// It is done with that.
void run_dispatch_ends(run* r, run_side* s);
// What readers look at is still there.
void run_compare_events(run* r, run_side* s);

#endif
