// The clock, the repeats, and what is thrown away.
//
// Repeats of raw and of ilk take turns, so that a slow moment of the machine hits both. A
// repeat during which the thread was preempted is not counted; if the machine never leaves ten
// repeats alone, all of them count and the row is called noisy.
#define _GNU_SOURCE
#include "measure.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_STATES 16
#define MOST_REPEATS 100
#define MOST_FRESH 4000000 // entities set up for one repeat, about
#define LONG_RUN 50e6      // ns; such a run fills the caches by itself
#define MUCH_LONGER 10     // times
#define PATIENCE 10e9      // ns; after that, noisy repeats are taken for what they are

typedef struct samples {
    double all[MOST_REPEATS];
    double calm[MOST_REPEATS];
    uint32_t all_count, calm_count;
} samples;

// What one timed stretch took.
typedef struct stretch {
    double ns;
    uint64_t operations;
    bool preempted;
} stretch;

enum {
    RAW,
    ILK,
    FULL,
    RAW_FULL,
    SIDES
};

// A side on its way through the repeats of one row.
typedef struct runner {
    const bench_side* side;
    const void* about;
    uint32_t n;
    uint32_t state_count;
    void* states[MOST_STATES];
    samples samples;
    uint64_t checksum;
} runner;

double bench_now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Of all threads, those that have ended too.
static long preemptions(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

#define HEAP ((size_t)1 << 30)
#define LARGE_PAGE ((uintptr_t)2 << 20)

// Nothing is mapped apart and nothing goes back to the system, for raw and for ilk: after the first
// run a fresh world lives in memory that an earlier one had, and no row measures the kernel. The
// heap asks for large pages, which a world of its own does too: so both sides have them.
void bench_keep_memory(void) {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    mallopt(M_TOP_PAD, 64 << 20);
    unsigned char* heap = malloc(HEAP);
    if (!heap) return;
    uintptr_t skip = LARGE_PAGE - (uintptr_t)heap % LARGE_PAGE;
    madvise(heap + skip, HEAP - LARGE_PAGE, MADV_HUGEPAGE);
    free(heap);
}

size_t bench_resident(void) {
    FILE* file = fopen("/proc/self/statm", "r");
    unsigned long size = 0, resident = 0, of_files = 0;
    if (!file || fscanf(file, "%lu %lu %lu", &size, &resident, &of_files) != 3) {
        perror("/proc/self/statm");
        exit(EXIT_FAILURE);
    }
    fclose(file);
    return (resident - of_files) * (size_t)sysconf(_SC_PAGESIZE);
}

static void states_setup(runner* r) {
    for (uint32_t i = 0; i < r->state_count; i++) r->states[i] = r->side->setup(r->about, r->n);
}

static void states_teardown(runner* r) {
    for (uint32_t i = 0; i < r->state_count; i++) r->side->teardown(r->states[i]);
}

// Prepare a state, if there is anything to prepare. Returns how long that took.
static double prepared(const bench_side* side, void* state) {
    if (!side->prepare) return 0;
    const double start = bench_now_ns();
    side->prepare(state);
    return bench_now_ns() - start;
}

// Run every state `rounds` times on the clock.
static stretch timed(const runner* r, uint64_t rounds) {
    stretch s = {0};
    if (!r->side->run) return s;
    const long before = preemptions();
    const double start = bench_now_ns();
    double apart = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < r->state_count; i++) {
            apart += prepared(r->side, r->states[i]);
            s.operations += r->side->run(r->states[i]);
            bench_barrier();
        }
    }
    s.ns = bench_now_ns() - start - apart;
    s.preempted = preemptions() != before;
    return s;
}

static void samples_add(samples* to, const stretch* s) {
    if (to->all_count == MOST_REPEATS || s->operations == 0) return;
    const double each = s->ns / (double)s->operations;
    to->all[to->all_count++] = each;
    if (!s->preempted) to->calm[to->calm_count++] = each;
}

// One repeat of a work that changes its states: fresh ones until enough time was measured.
static void repeat_fresh(runner* r, double enough_ns) {
    stretch sum = {0};
    if (!r->side->run) return;
    const uint32_t most = 1 + MOST_FRESH / (r->n * r->state_count);
    for (uint32_t i = 0; i < most && sum.ns < enough_ns; i++) {
        states_setup(r);
        const stretch s = timed(r, 1);
        states_teardown(r);
        sum.ns += s.ns;
        sum.operations += s.operations;
        sum.preempted |= s.preempted;
    }
    samples_add(&r->samples, &sum);
}

// One repeat on the same states, after a round that brings back to the cache what the other side
// drove out.
static void repeat_same(runner* r, uint64_t rounds, bool is_long) {
    if (!is_long) timed(r, 1);
    const stretch s = timed(r, rounds);
    samples_add(&r->samples, &s);
}

static int compare(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static bench_times times_of(double* values, uint32_t count) {
    if (count == 0) return (bench_times){0};
    qsort(values, count, sizeof *values, compare);
    const double upper = values[count / 2], lower = values[(count - 1) / 2];
    return (bench_times){.min = values[0], .median = (upper + lower) / 2};
}

static bool is_noisy(const samples* s, const bench_effort* effort) {
    return s->all_count > 0 && s->calm_count < effort->repeats;
}

static bench_times samples_times(samples* s, bool noisy) {
    return noisy ? times_of(s->all, s->all_count) : times_of(s->calm, s->calm_count);
}

// Set up, run once off the record, and sum up. Warms caches and the allocator, too.
static stretch rehearse(runner* r) {
    states_setup(r);
    const stretch s = timed(r, 1);
    r->checksum = r->side->checksum(r->states[0]);
    return s;
}

static bool is_enough(const runner* r, const bench_effort* effort, double started) {
    const samples* s = &r->samples;
    if (s->all_count == MOST_REPEATS) return true;
    if (s->all_count >= 5 * effort->repeats) return true;
    const double taken = bench_now_ns() - started;
    if (s->all_count >= effort->repeats && taken >= PATIENCE) return true;
    return s->calm_count >= effort->repeats && taken >= effort->total_ns;
}

static bool all_enough(const runner* sides, const bench_effort* effort, double started) {
    for (uint32_t i = 0; i < SIDES; i++) {
        if (sides[i].side->run && !is_enough(&sides[i], effort, started)) return false;
    }
    return true;
}

static bool all_agree(const runner* sides) {
    bool equal = true;
    for (uint32_t i = 0; i < SIDES; i++) {
        if (sides[i].side->setup) equal &= sides[i].checksum == sides[ILK].checksum;
    }
    return equal;
}

// Run each side once on fresh states; true if they leave the same behind.
static bool rehearse_all(runner* sides) {
    for (uint32_t i = 0; i < SIDES; i++) {
        if (!sides[i].side->setup) continue;
        rehearse(&sides[i]);
        states_teardown(&sides[i]);
    }
    return all_agree(sides);
}

// Repeats on fresh states, summed up before the first and after the last.
static bool measure_fresh(runner* sides, const bench_effort* effort) {
    const bool equal = rehearse_all(sides);
    const double started = bench_now_ns();
    do {
        for (uint32_t i = 0; i < SIDES; i++) repeat_fresh(&sides[i], effort->repeat_ns);
    } while (!all_enough(sides, effort, started));
    return rehearse_all(sides) && equal;
}

// Set up and rehearse all sides. Returns so many rounds that the quickest runs for long enough, but
// the slowest not much longer: on a busy machine it would never be left alone.
static uint64_t begin_same(runner* sides, const bench_effort* effort, bool* is_long) {
    double quickest = INFINITY, slowest = 0;
    for (uint32_t i = 0; i < SIDES; i++) {
        if (!sides[i].side->setup) continue;
        const stretch s = rehearse(&sides[i]);
        if (s.operations && s.ns < quickest) quickest = s.ns;
        if (s.operations && s.ns > slowest) slowest = s.ns;
    }
    *is_long = quickest >= LONG_RUN;
    if (quickest < slowest / MUCH_LONGER) quickest = slowest / MUCH_LONGER;
    return 1 + (uint64_t)(effort->repeat_ns / (quickest < 20 ? 20 : quickest));
}

// Sum up what all sides left behind, and take it down.
static void end_same(runner* sides) {
    for (uint32_t i = 0; i < SIDES; i++) {
        if (!sides[i].side->setup) continue;
        sides[i].checksum = sides[i].side->checksum(sides[i].states[0]);
        states_teardown(&sides[i]);
    }
}

// Repeats on one state for each side, as many runs on the one as on the others.
static bool measure_same(runner* sides, const bench_effort* effort) {
    bool is_long;
    const uint64_t rounds = begin_same(sides, effort, &is_long);
    const bool equal = all_agree(sides);
    const double started = bench_now_ns();
    do {
        for (uint32_t i = 0; i < SIDES; i++) repeat_same(&sides[i], rounds, is_long);
    } while (!all_enough(sides, effort, started));
    end_same(sides);
    return all_agree(sides) && equal;
}

static uint32_t states_for(const bench_work* work, uint32_t n) {
    if (!work->changes || n >= 16384) return 1;
    const uint32_t count = 16384 / (n ? n : 1);
    return count < MOST_STATES ? count : MOST_STATES;
}

static bench_outcome measure_times(const bench_work* work, uint32_t n, const bench_effort* effort) {
    runner sides[SIDES] = {
        [RAW] = {.side = &work->raw},
        [ILK] = {.side = &work->ilk},
        [FULL] = {.side = &work->full},
        [RAW_FULL] = {.side = &work->raw_full},
    };
    for (uint32_t i = 0; i < SIDES; i++) {
        sides[i].about = work->about;
        sides[i].n = n;
        sides[i].state_count = states_for(work, n);
    }
    bench_outcome outcome = {0};
    outcome.equal = work->changes ? measure_fresh(sides, effort) : measure_same(sides, effort);
    for (uint32_t i = 0; i < SIDES; i++) outcome.noisy |= is_noisy(&sides[i].samples, effort);
    outcome.raw = samples_times(&sides[RAW].samples, outcome.noisy);
    outcome.ilk = samples_times(&sides[ILK].samples, outcome.noisy);
    outcome.full = samples_times(&sides[FULL].samples, outcome.noisy);
    outcome.raw_full = samples_times(&sides[RAW_FULL].samples, outcome.noisy);
    return outcome;
}

// Bytes are measured in a child, so that neither side finds memory that the other left.
static bench_times bytes_in_child(bench_bytes_fn* measure, uint32_t n) {
    if (!measure) return (bench_times){0};
    int ends[2];
    if (pipe(ends) != 0) exit(EXIT_FAILURE);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        bench_resident(); // so that what reading it takes is there before
        const double bytes = measure(n);
        _exit(write(ends[1], &bytes, sizeof bytes) == (ssize_t)sizeof bytes ? 0 : 1);
    }
    close(ends[1]);
    double bytes = 0;
    int status = 1;
    const bool is_read = read(ends[0], &bytes, sizeof bytes) == (ssize_t)sizeof bytes;
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0 || !is_read) {
        fprintf(stderr, "a measurement of memory failed\n");
        exit(EXIT_FAILURE);
    }
    return (bench_times){.min = bytes, .median = bytes};
}

bench_outcome bench_measure(const bench_work* work, uint32_t n, const bench_effort* effort) {
    if (!work->ilk_bytes) return measure_times(work, n, effort);
    return (bench_outcome){
        .raw = bytes_in_child(work->raw_bytes, n),
        .ilk = bytes_in_child(work->ilk_bytes, n),
        .equal = true,
    };
}
