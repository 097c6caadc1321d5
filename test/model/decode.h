// Running a script: each operation is done to a world of the library and to a world of the model,
// and the two must agree.
#ifndef DECODE_H
#define DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct run_options {
    bool trace;            // print each call before it is made, and its result after
    bool closely;          // compare everything after each operation
    bool hasty;            // leave out what takes a second at a time
    uint32_t more_workers; // worlds with workers have so many more of them, or fewer
} run_options;

typedef struct run_outcome {
    bool failed;
    char text[1000];     // what disagreed
    const char* kind;    // the same for failures of one kind
    uint32_t at;         // the operation at which it did, from 0
    uint64_t operations; // done
    uint64_t refused;    // requests for memory that failed as planned
    uint64_t digest;     // of all that depends on the history; the same for the same script
    bool lacked;         // unless a snapshot was lost, which depends on where memory lies
} run_outcome;

// Run the operations of a script. The last outcome is always filled in, `at` also while it runs.
// True if library and model agreed. The catalog must have been started.
bool run_script(const uint8_t* bytes, size_t size, run_options options, run_outcome* outcome);

#endif
