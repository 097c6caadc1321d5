// Two threads: the same system by the world's thread alone, and by it and one worker.
//
// By hand, the array is cut in two halves, and a thread waits to do one of them. What is reported
// is how many times as quick two threads are as one; raw's own speed-up says what the machine had
// to give at that moment. par_small is the opposite: too little work to be shared, which must not
// cost more than not sharing it.
#define _POSIX_C_SOURCE 200809L
#include "rows.h"
#include "stage.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_STEP 0.015625
#define ROUNDS 100
#define MANY_KINDS 20000u // of one entity each
#define FEW 100u          // entities of par_small

// Four floats that are computed with at once, by gcc and by clang alike.
typedef float quad __attribute__((vector_size(16)));

static ALWAYS_INLINE quad quad_at(const float* from) {
    return (quad){from[0], from[1], from[2], from[3]};
}

static ALWAYS_INLINE void quad_store(float* to, quad q) {
    memcpy(to, &q, sizeof q);
}

// A row of M + M·K·0.001.
static ALWAYS_INLINE quad turned(quad row, const quad* k) {
    const quad product = row[0] * k[0] + row[1] * k[1] + row[2] * k[2] + row[3] * k[3];
    return row + product * 0.001f;
}

static ALWAYS_INLINE void turn(Mat* restrict m, const Mat* restrict by, uint32_t count) {
    const quad k[4] = {quad_at(by->m), quad_at(by->m + 4), quad_at(by->m + 8), quad_at(by->m + 12)};
    for (uint32_t i = 0; i < count; i++) {
        float* at = m[i].m;
        quad a = quad_at(at), b = quad_at(at + 4), c = quad_at(at + 8), d = quad_at(at + 12);
        for (int round = 0; round < ROUNDS; round++) {
            a = turned(a, k);
            b = turned(b, k);
            c = turned(c, k);
            d = turned(d, k);
        }
        quad_store(at, a);
        quad_store(at + 4, b);
        quad_store(at + 8, c);
        quad_store(at + 12, d);
    }
}

// Nearly a rotation, so that values stay small however often it is done.
static Mat turning = {{0, 1, 2, 3, -1, 0, 4, 5, -2, -4, 0, 6, -3, -5, -6, 0}};

static ilk_type* const types[] = {
    &Mat_type,        &bit_types[0],    &bit_types[1],    &bit_types[2],
    &bit_types[3],    &bit_types[4],    &bit_types[5],    &bit_types[6],
    &bit_types[7],    &bit_types[8],    &bit_types[9],    &letter_types[0],
    &letter_types[1], &letter_types[2], &letter_types[3], &letter_types[4],
};

// Everybody has another set of the fifteen types.
static uint32_t own_kind(uint32_t i, uint32_t n) {
    (void)n;
    return (i + 1) << 1;
}

static const population people = {types, 1, .all = 1};
static const population all_kinds = {types, 16, .all = 1, .born = own_kind};

static uint64_t raw_turn_1(void* state) {
    const raw_stage* s = state;
    turn(s->groups[0].columns[0], &turning, s->groups[0].used);
    return s->n;
}

// A stage and a thread that does the second half when told to.
typedef struct raw_pair {
    raw_stage* stage;
    pthread_t thread;
    sem_t begin, end;
    bool is_over;
} raw_pair;

static void turn_half(const raw_stage* s, bool is_second) {
    Mat* values = s->groups[0].columns[0];
    const uint32_t half = s->n / 2;
    turn(values + (is_second ? half : 0), &turning, is_second ? s->n - half : half);
}

static void* raw_help(void* argument) {
    raw_pair* pair = argument;
    for (;;) {
        while (sem_wait(&pair->begin) != 0) continue;
        if (pair->is_over) return NULL;
        turn_half(pair->stage, true);
        sem_post(&pair->end);
    }
}

static void* raw_pair_setup(const void* about, uint32_t n) {
    raw_pair* pair = stage_alloc(1, sizeof *pair);
    pair->stage = raw_stage_full(about, n);
    pair->is_over = false;
    sem_init(&pair->begin, 0, 0);
    sem_init(&pair->end, 0, 0);
    if (pthread_create(&pair->thread, NULL, raw_help, pair) != 0) {
        perror("pthread_create");
        exit(EXIT_FAILURE);
    }
    return pair;
}

static void raw_pair_free(void* state) {
    raw_pair* pair = state;
    pair->is_over = true;
    sem_post(&pair->begin);
    pthread_join(pair->thread, NULL);
    sem_destroy(&pair->begin);
    sem_destroy(&pair->end);
    raw_stage_free(pair->stage);
    free(pair);
}

static uint64_t raw_pair_checksum(const void* state) {
    return raw_stage_checksum(((const raw_pair*)state)->stage);
}

static uint64_t raw_turn_2(void* state) {
    raw_pair* pair = state;
    sem_post(&pair->begin);
    turn_half(pair->stage, false);
    while (sem_wait(&pair->end) != 0) continue;
    return pair->stage->n;
}

static void* raw_kinds_pair(const void* about, uint32_t n) {
    (void)n;
    return raw_pair_setup(about, MANY_KINDS);
}

static void* raw_kinds(const void* about, uint32_t n) {
    (void)n;
    return raw_stage_full(about, MANY_KINDS);
}

static void* raw_few(const void* about, uint32_t n) {
    (void)n;
    return raw_stage_full(about, FEW);
}

static void ilk_turn(ilk_iter* it) {
    while (ilk_next(it)) turn(ILK_WRITE(it, Mat), it->user, it->count);
}

static ilk_stage* ilk_setup(const population* about, uint32_t n, uint32_t workers,
                            bool is_parallel) {
    ilk_stage* s = ilk_stage_full_in(&(ilk_world_desc){.workers = workers}, about, n);
    ilk_system_create(s->world, &(ilk_system_desc){
                                    .name = "turn",
                                    .run = ilk_turn,
                                    .query = {.write = {&Mat_type}},
                                    .is_parallel = is_parallel,
                                    .user = &turning,
                                });
    return s;
}

static void* ilk_setup_1(const void* about, uint32_t n) {
    return ilk_setup(about, n, 0, true);
}

static void* ilk_setup_2(const void* about, uint32_t n) {
    return ilk_setup(about, n, 1, true);
}

static void* ilk_kinds_1(const void* about, uint32_t n) {
    (void)n;
    return ilk_setup(about, MANY_KINDS, 0, true);
}

static void* ilk_kinds_2(const void* about, uint32_t n) {
    (void)n;
    return ilk_setup(about, MANY_KINDS, 1, true);
}

static uint64_t ilk_update_all(void* state) {
    const ilk_stage* s = state;
    ilk_update(s->world, TIME_STEP);
    return s->n;
}

const bench_work work_par_heavy = {
    .about = &people,
    .raw = {raw_pair_setup, raw_turn_2, raw_pair_checksum, raw_pair_free, NULL},
    .raw_full = RAW_SIDE(full, raw_turn_1),
    .ilk = {ilk_setup_2, ilk_update_all, ilk_stage_checksum, ilk_stage_free, NULL},
    .full = {ilk_setup_1, ilk_update_all, ilk_stage_checksum, ilk_stage_free, NULL},
};

const bench_work work_par_kinds = {
    .about = &all_kinds,
    .raw = {raw_kinds_pair, raw_turn_2, raw_pair_checksum, raw_pair_free, NULL},
    .raw_full = {raw_kinds, raw_turn_1, raw_stage_checksum, raw_stage_free, NULL},
    .ilk = {ilk_kinds_2, ilk_update_all, ilk_stage_checksum, ilk_stage_free, NULL},
    .full = {ilk_kinds_1, ilk_update_all, ilk_stage_checksum, ilk_stage_free, NULL},
};

// Too little to share -------------------------------------------------------------------------

static ALWAYS_INLINE void step(Mat* restrict m, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) m[i].m[0] += 1;
}

static uint64_t raw_step(void* state) {
    const raw_stage* s = state;
    step(s->groups[0].columns[0], s->groups[0].used);
    return 1;
}

static void ilk_step(ilk_iter* it) {
    while (ilk_next(it)) step(ILK_WRITE(it, Mat), it->count);
}

static ilk_stage* ilk_few(const population* about, bool is_parallel) {
    ilk_stage* s = ilk_stage_full_in(&(ilk_world_desc){.workers = 1}, about, FEW);
    ilk_system_create(s->world, &(ilk_system_desc){
                                    .name = "step",
                                    .run = ilk_step,
                                    .query = {.write = {&Mat_type}},
                                    .is_parallel = is_parallel,
                                });
    return s;
}

static void* ilk_few_parallel(const void* about, uint32_t n) {
    (void)n;
    return ilk_few(about, true);
}

static void* ilk_few_serial(const void* about, uint32_t n) {
    (void)n;
    return ilk_few(about, false);
}

static uint64_t ilk_update_once(void* state) {
    const ilk_stage* s = state;
    ilk_update(s->world, TIME_STEP);
    return 1;
}

const bench_work work_par_small = {
    .about = &people,
    .raw = {raw_few, raw_step, raw_stage_checksum, raw_stage_free, NULL},
    .ilk = {ilk_few_parallel, ilk_update_once, ilk_stage_checksum, ilk_stage_free, NULL},
    .full = {ilk_few_serial, ilk_update_once, ilk_stage_checksum, ilk_stage_free, NULL},
};
