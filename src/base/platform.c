#include "platform.h"

#include <time.h>
#if defined __unix__ || defined __APPLE__
#include <sched.h>
#endif

void ilki_let_others_run(void) {
#if defined __unix__ || defined __APPLE__
    sched_yield();
#endif
}

uintptr_t ilki_thread(void) {
    static _Thread_local char anchor;
    return (uintptr_t)&anchor;
}

uint64_t ilki_now(void) {
    struct timespec now;
#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
