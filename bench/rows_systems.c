// What systems cost beside their work: empty ones, and a hundred small ones.
#include "rows.h"
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>

#define NAME_BYTES 16
#define TIME_STEP 0.015625

// Empty systems ------------------------------------------------------------------------------

#define EMPTY_SYSTEMS 200 // making them takes the third power of their number

// In one run of raw, so that it is not over in a moment: both sides have the same number of runs.
#define RAW_PASSES 100

typedef void empty_fn(void* user);

// By hand, a system is a function that is called through a pointer.
typedef struct raw_empties {
    empty_fn* calls[EMPTY_SYSTEMS];
    uint64_t runs;
} raw_empties;

static void raw_empty(void* user) {
    (void)user;
}

static void* raw_empties_setup(const void* about, uint32_t n) {
    (void)about, (void)n;
    raw_empties* s = stage_alloc(1, sizeof *s);
    for (uint32_t i = 0; i < EMPTY_SYSTEMS; i++) s->calls[i] = raw_empty;
    s->runs = 0;
    return s;
}

static uint64_t raw_empties_run(void* state) {
    raw_empties* s = state;
    for (uint32_t pass = 0; pass < RAW_PASSES; pass++) {
        bench_barrier();
        for (uint32_t i = 0; i < EMPTY_SYSTEMS; i++) s->calls[i](s);
    }
    s->runs++;
    return (uint64_t)RAW_PASSES * EMPTY_SYSTEMS;
}

static uint64_t raw_empties_checksum(const void* state) {
    return ((const raw_empties*)state)->runs * EMPTY_SYSTEMS;
}

static void ilk_empty(ilk_iter* it) {
    (void)it;
}

static void* ilk_empties_setup(const void* about, uint32_t n) {
    (void)about, (void)n;
    ilk_world* world = ilk_world_create(NULL);
    for (uint32_t i = 0; i < EMPTY_SYSTEMS; i++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "empty %u", i);
        ilk_system_create(world, &(ilk_system_desc){.name = name, .run = ilk_empty});
    }
    return world;
}

static uint64_t ilk_empties_run(void* state) {
    ilk_update(state, TIME_STEP);
    return EMPTY_SYSTEMS;
}

static uint64_t ilk_empties_checksum(const void* state) {
    ilk_world* world = (ilk_world*)(uintptr_t)state;
    uint64_t calls = 0;
    for (uint32_t i = 0; i < ilk_system_count(world); i++) {
        calls += ilk_system_stats_of(ilk_system_at(world, i)).calls;
    }
    return calls;
}

static void ilk_empties_teardown(void* state) {
    ilk_world_destroy(state);
}

const bench_work work_empty_system = {
    .raw = {raw_empties_setup, raw_empties_run, raw_empties_checksum, free, NULL},
    .ilk = {ilk_empties_setup, ilk_empties_run, ilk_empties_checksum, ilk_empties_teardown, NULL},
};

// A hundred small systems --------------------------------------------------------------------
//
// There are a hundred sets of entities, told apart by one of the first ten letters and one of the
// next ten. Each system is for one of them.

#define CHOICES 10u // of each letter
#define SMALL_SYSTEMS (CHOICES * CHOICES)

static ilk_type* const types[] = {
    &Data_type,        &letter_types[0],  &letter_types[1],  &letter_types[2],  &letter_types[3],
    &letter_types[4],  &letter_types[5],  &letter_types[6],  &letter_types[7],  &letter_types[8],
    &letter_types[9],  &letter_types[10], &letter_types[11], &letter_types[12], &letter_types[13],
    &letter_types[14], &letter_types[15], &letter_types[16], &letter_types[17], &letter_types[18],
    &letter_types[19],
};

static uint32_t set_of(uint32_t i, uint32_t n) {
    return (uint32_t)((uint64_t)i * SMALL_SYSTEMS / n);
}

static uint32_t set_mask(uint32_t i, uint32_t n) {
    const uint32_t set = set_of(i, n);
    return 2u << set / CHOICES | 2u << CHOICES << set % CHOICES;
}

static const population sets_people = {
    types, 1 + 2 * CHOICES, .all = 1, .born = set_mask, .group = set_of, .groups = SMALL_SYSTEMS,
};

static ALWAYS_INLINE void count_up(Data* restrict d, uint32_t count) {
    UNROLLED
    for (uint32_t i = 0; i < count; i++) d[i].value += 1;
}

static uint64_t raw_hundred(void* state) {
    const raw_stage* s = state;
    for (uint32_t g = 0; g < SMALL_SYSTEMS; g++) {
        count_up(s->groups[g].columns[0], s->groups[g].used);
    }
    return SMALL_SYSTEMS;
}

static void ilk_count_up(ilk_iter* it) {
    while (ilk_next(it)) count_up(ILK_WRITE(it, Data), it->count);
}

static void* ilk_hundred_setup(const void* about, uint32_t n) {
    ilk_stage* s = ilk_stage_full(about, n);
    for (uint32_t i = 0; i < SMALL_SYSTEMS; i++) {
        ilk_type *first = &letter_types[i / CHOICES],
                 *second = &letter_types[CHOICES + i % CHOICES];
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "small %u", i);
        ilk_system_create(s->world, &(ilk_system_desc){
                                        .name = name,
                                        .run = ilk_count_up,
                                        .query = {.write = {&Data_type}, .with = {first, second}},
                                    });
    }
    return s;
}

static uint64_t ilk_hundred(void* state) {
    const ilk_stage* s = state;
    ilk_update(s->world, TIME_STEP);
    return SMALL_SYSTEMS;
}

const bench_work work_schedule_100 = {
    .about = &sets_people,
    .raw = RAW_SIDE(full, raw_hundred),
    .ilk = {ilk_hundred_setup, ilk_hundred, ilk_stage_checksum, ilk_stage_free, NULL},
};
