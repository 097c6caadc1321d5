// Memory for the worlds under test, from an allocator that watches and refuses.
//
// It checks that sizes and alignments come back as they went out, that nothing is left when a world
// is gone, and that calls which promise to need no memory ask for none. By a plan shared between
// the worlds of a run, the n-th request fails, once or from then on.
#ifndef SUPPLY_H
#define SUPPLY_H

#include "ilk/ilk.h"

typedef struct supply_plan {
    uint64_t asked;   // requests so far
    uint64_t fail_at; // the request that fails; 0: none
    bool forever;     // and all that follow it
    bool paused;      // no request fails, and none is counted
    uint64_t refused; // requests that failed
    uint64_t due;     // those among them that the plan meant
} supply_plan;

typedef struct supply {
    supply_plan* plan;
    bool forbidden;        // a call is running that must not ask for memory
    bool starved;          // a call is running that must do without
    size_t limit;          // no more bytes than these at a time; 0: any
    size_t bytes;          // in use
    uint64_t blocks;       // in use
    const char* complaint; // the first thing that was wrong, or NULL
} supply;

ilk_allocator supply_allocator(supply* s);

// This thread works beside the one whose calls are watched: what those must not ask for, it may.
void supply_work_beside(bool is_beside);

#endif
