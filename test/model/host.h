// What the model test asks of the machine beside the C library: processes of its own, so that a
// crash or a hang is an outcome like any other, and memory that they share. Where there are none
// (Windows, WebAssembly) the work is done in this process: a crash ends the test, and nothing is
// watched or made quiet.
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stddef.h>

#if defined __unix__ || defined __APPLE__
#define HOST_HAS_PROCESSES true
#else
#define HOST_HAS_PROCESSES false
#endif

typedef struct host_work {
    bool (*run)(void* context);   // false: it failed
    bool (*watch)(void* context); // called now and then meanwhile; false ends it. Or NULL
    void* context;
    unsigned seconds; // after which it is ended; 0: never
    bool is_quiet;    // what it prints goes nowhere
} host_work;

typedef struct host_end {
    bool has_passed;
    bool has_hung; // it was ended after its time
    int signal;    // that ended it, or 0
} host_end;

host_end host_run(const host_work* work);

// Memory, all zero, that is shared with what is run; NULL if there is none. It is kept to the end.
void* host_share(size_t size);

// Makes a folder, if it is not there.
void host_make_folder(const char* path);

#endif
