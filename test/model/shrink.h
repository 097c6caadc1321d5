// Trying a script in a process of its own, so that a crash is an outcome like any other; and making
// a script that fails as short as can be.
#ifndef SHRINK_H
#define SHRINK_H

#include "decode.h"

// What became of a script. It lies in memory that processes share, and is good also after a crash.
typedef struct trial {
    run_outcome outcome;
    bool failed;      // by disagreement or by crash
    bool crashed;     // the process ended in the middle
    bool hung;        // it was ended for taking too long
    int signal;       // that ended it, or 0
    uint32_t fail_at; // the request for memory that failed, where each was tried
} trial;

trial* trial_create(void);

// Run a script in a child. `quiet` keeps what it prints to itself.
void trial_run(trial* t, uint8_t* bytes, size_t size, run_options options, bool quiet);

// Take away operations from a script that fails, as long as it fails, and make those that stay
// plain. Returns the new size.
size_t shrink_script(trial* t, uint8_t* bytes, size_t size);

#endif
