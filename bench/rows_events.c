// Events: n are sent, then all are read, by ilk through a queue and a reader, by raw in an array.
//
// Both sides have used their queue before, as in every frame but the first: its memory is there.
#include "rows.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

typedef struct Hit {
    uint32_t who, points;
    float x, y;
} Hit;

static ilk_type hit_type = {.name = "Hit", .size = sizeof(Hit), .align = _Alignof(Hit)};

typedef struct hit_state {
    uint32_t n, passes;
    uint64_t sum;
    Hit* queue; // raw's
    uint32_t count, capacity;
    ilk_world* world;
    ilk_reader* reader;
} hit_state;

static ALWAYS_INLINE Hit hit_of(uint32_t i, uint32_t pass) {
    return (Hit){i, i ^ pass, (float)i, (float)pass};
}

static ALWAYS_INLINE void hear(hit_state* s, const Hit* hit) {
    s->sum += hit->who + 3 * (uint64_t)hit->points + (hit->x > hit->y);
}

static void* raw_events_setup(const void* about, uint32_t n) {
    (void)about;
    hit_state* s = stage_alloc(1, sizeof *s);
    *s = (hit_state){.n = n, .capacity = n};
    s->queue = stage_alloc(n, sizeof *s->queue);
    memset(s->queue, 0, n * sizeof *s->queue);
    return s;
}

static void raw_events_teardown(void* state) {
    hit_state* s = state;
    free(s->queue);
    free(s);
}

static uint64_t events_checksum(const void* state) {
    return ((const hit_state*)state)->sum;
}

static ALWAYS_INLINE void raw_append(hit_state* s, Hit hit) {
    if (s->count == s->capacity) {
        s->capacity *= 2;
        s->queue = realloc(s->queue, s->capacity * sizeof *s->queue);
        if (!s->queue) abort();
    }
    s->queue[s->count++] = hit;
}

static uint64_t raw_emit_read(void* state) {
    hit_state* s = state;
    s->passes++;
    for (uint32_t i = 0; i < s->n; i++) raw_append(s, hit_of(i, s->passes));
    bench_barrier();
    for (uint32_t i = 0; i < s->count; i++) hear(s, &s->queue[i]);
    s->count = 0;
    return s->n;
}

static uint64_t ilk_emit_read(void* state) {
    hit_state* s = state;
    s->passes++;
    for (uint32_t i = 0; i < s->n; i++) {
        const Hit hit = hit_of(i, s->passes);
        ilk_emit(s->world, (ilk_value){&hit_type, &hit});
    }
    for (const Hit* hit; (hit = ilk_read(s->reader, NULL));) hear(s, hit);
    ilk_dispatch(s->world, 0);
    return s->n;
}

static void* ilk_events_setup(const void* about, uint32_t n) {
    (void)about;
    hit_state* s = stage_alloc(1, sizeof *s);
    *s = (hit_state){.n = n, .world = ilk_world_create(NULL)};
    s->reader = ilk_reader_create(s->world, &(ilk_reader_desc){.type = &hit_type});
    ilk_emit_read(s);
    s->passes = 0;
    s->sum = 0;
    return s;
}

static void ilk_events_teardown(void* state) {
    hit_state* s = state;
    ilk_world_destroy(s->world);
    free(s);
}

const bench_work work_event_emit_read = {
    .raw = {raw_events_setup, raw_emit_read, events_checksum, raw_events_teardown, NULL},
    .ilk = {ilk_events_setup, ilk_emit_read, events_checksum, ilk_events_teardown, NULL},
};
