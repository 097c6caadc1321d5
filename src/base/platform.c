#include "platform.h"

#include <stdlib.h>
#include <time.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef _WIN32
#include <malloc.h>
#elif defined __unix__ || defined __APPLE__
#include <sched.h>
#endif

#include "windows_words.h"

#define NS_PER_SECOND 1000000000u

uintptr_t ilki_thread(void) {
    static _Thread_local char anchor;
    return (uintptr_t)&anchor;
}

#ifdef _WIN32

void ilki_let_others_run(void) {
    SwitchToThread();
}

uint64_t ilki_now(void) {
    LARGE_INTEGER count, per_second;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&per_second);
    uint64_t beats = (uint64_t)count.QuadPart, rate = (uint64_t)per_second.QuadPart;
    return beats / rate * NS_PER_SECOND + beats % rate * NS_PER_SECOND / rate;
}

void* ilki_aligned_alloc(size_t size, size_t align) {
    return _aligned_malloc(size, align);
}

void ilki_aligned_free(void* block) {
    _aligned_free(block);
}

#else

void ilki_let_others_run(void) {
#if defined __unix__ || defined __APPLE__
    sched_yield();
#endif
}

uint64_t ilki_now(void) {
    struct timespec now;
#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

// Large blocks ask for large pages: the first touch of memory costs a third that way.
#define HUGE_PAGE ((size_t)2 << 20)

void* ilki_aligned_alloc(size_t size, size_t align) {
    void* block = aligned_alloc(align, (size + align - 1) & ~(align - 1));
#ifdef MADV_HUGEPAGE
    if (block && align >= HUGE_PAGE) madvise(block, size, MADV_HUGEPAGE);
#endif
    return block;
}

void ilki_aligned_free(void* block) {
    free(block);
}

#endif
