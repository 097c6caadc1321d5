// Measuring: the same work by two sides or more, in turns, many times over.
//
// A side sets up a state, runs the work on it, sums up what it left behind, and takes the state
// down. Only the run is timed. A work that changes its state gets a fresh one for each run; for
// small n a handful of states is set up and run in one go, so that the clock is read seldom and
// the states still fit in the cache. Any other work runs many times over one state, all sides
// equally often, so that they end in the same state.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bench_side {
    void* (*setup)(const void* about, uint32_t n);
    uint64_t (*run)(void* state); // returns how many operations it did; NULL: not timed
    uint64_t (*checksum)(const void* state);
    void (*teardown)(void* state);
    void (*prepare)(void* state); // comes before each run, off the clock; may be NULL
} bench_side;

// A measurement in bytes. It runs once, in a process of its own.
typedef double bench_bytes_fn(uint32_t n);

typedef struct bench_work {
    const void* about;   // passed to set-up
    bench_side raw, ilk; // raw may be all zero
    bench_side full;     // what ilk is to take a share of, or to be quicker than; may be all zero
    bench_side raw_full; // the same for raw
    bool changes;        // each run needs a fresh state
    bench_bytes_fn* raw_bytes;
    bench_bytes_fn* ilk_bytes; // set: the work is measured in bytes
} bench_work;

typedef struct bench_times {
    double min, median; // ns per operation, or bytes; 0: not measured
} bench_times;

typedef struct bench_outcome {
    bench_times raw, ilk, full, raw_full;
    bool noisy; // too few repeats without preemption; all were used
    bool equal; // checksums of all sides
} bench_outcome;

// How long to measure. A repeat is timed for at least `repeat_ns`; repeats go on until there are
// `repeats` of them and `total_ns` have passed.
typedef struct bench_effort {
    uint32_t repeats;
    double repeat_ns, total_ns;
} bench_effort;

bench_outcome bench_measure(const bench_work* work, uint32_t n, const bench_effort* effort);

// The time since some moment.
double bench_now_ns(void);

// Let freed memory be reused without page faults from here on. Memory rows are measured before.
void bench_keep_memory(void);

// Memory that the process has resident, in bytes, without what is mapped from files (code).
size_t bench_resident(void);

// A kernel is compiled into both sides, so that they run the same machine code.
#define ALWAYS_INLINE inline __attribute__((always_inline))

// gcc does not unroll what it vectorises. A loop of five instructions then takes one or two cycles
// by where it happens to lie, and the luckier of raw and ilk wins. (clang unrolls by itself.)
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 4")
#else
#define UNROLLED
#endif

// Make the compiler believe that all memory is read and written here.
static inline void bench_barrier(void) {
    __asm__ volatile("" ::: "memory");
}

#endif
