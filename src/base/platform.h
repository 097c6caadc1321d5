// What differs between compilers and systems: hints, atomics on plain integers, threads, the clock,
// aligned memory.
#ifndef ILKI_PLATFORM_H
#define ILKI_PLATFORM_H

// For madvise. It must come before the first standard header, so this header comes first.
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

// For %zu and the like, which printf does not know in an older C library of Windows.
#if defined __MINGW32__ && !defined __USE_MINGW_ANSI_STDIO
#define __USE_MINGW_ANSI_STDIO 1
#endif

#include <ilk/inside.h>

#define ILKI_NOINLINE __attribute__((noinline))

// A function that takes a format as printf does, and where that and what it is for stand.
#ifdef __MINGW32__
#define ILKI_FORMAT(format_at, first) __attribute__((format(gnu_printf, format_at, first)))
#else
#define ILKI_FORMAT(format_at, first) __attribute__((format(printf, format_at, first)))
#endif

// A lock for work that is rare and short. Who waits lets others run from time to time: one of them
// may have it.
typedef struct ilki_lock {
    bool held;
} ilki_lock;

void ilki_let_others_run(void);

static inline void ilki_lock_take(ilki_lock* lock) {
    for (uint32_t tries = 1; __atomic_test_and_set(&lock->held, __ATOMIC_ACQUIRE); tries++) {
        if (tries % 256 == 0) ilki_let_others_run();
    }
}

static inline void ilki_lock_give(ilki_lock* lock) {
    __atomic_clear(&lock->held, __ATOMIC_RELEASE);
}

static inline uint32_t ilki_atomic_load(const uint32_t* from) {
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

static inline void ilki_atomic_store(uint32_t* to, uint32_t value) {
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
}

// Adds one and returns the value after it.
static inline uint32_t ilki_atomic_next(uint32_t* counter) {
    return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

// A number that differs between threads that are alive at the same time.
uintptr_t ilki_thread(void);

// Nanoseconds since some moment, never going back.
uint64_t ilki_now(void);

// Memory of the C library, aligned to more than malloc aligns to; NULL if there is none. It is
// given back by the second of these, not by `free`.
void* ilki_aligned_alloc(size_t size, size_t align);
void ilki_aligned_free(void* block);

#endif
