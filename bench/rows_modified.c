// Modified: a pass over the rows that changed, one in a hundred, of a type that notes changes by
// row.
//
// Before each pass a hundredth of the values, at random, is set to the number of the pass. The pass
// counts those that it visits, and adds up their values. raw notes by hand, for each row, in which
// pass it was last written to, and looks at all of these notes. The time is for each entity that
// there is.
#include "rows.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

static ilk_type* const types[] = {&Tracked_type};
static const population people = {types, 1, .all = 1};
static const ilk_query_desc changed = {.read = {&Tracked_type}, .changed = {&Tracked_type}};

typedef struct raw_modified {
    raw_stage* stage;
    uint32_t pass;
    uint32_t* notes; // the pass in which each row was last written to
} raw_modified;

typedef struct ilk_modified {
    ilk_stage* stage;
    uint32_t pass;
} ilk_modified;

static uint32_t written(const uint32_t* picks, uint32_t n, uint32_t pass, uint32_t i) {
    return picks[((uint64_t)pass * (n / 100) + i) % n];
}

static void* raw_setup_modified(const void* about, uint32_t n) {
    raw_modified* s = stage_alloc(1, sizeof *s);
    *s = (raw_modified){.stage = raw_stage_full(about, n)};
    s->notes = stage_alloc(n, sizeof *s->notes);
    memset(s->notes, 0, n * sizeof *s->notes);
    return s;
}

static void raw_teardown_modified(void* state) {
    raw_modified* s = state;
    raw_stage_free(s->stage);
    free(s->notes);
    free(s);
}

static uint64_t raw_checksum_modified(const void* state) {
    return raw_stage_checksum(((const raw_modified*)state)->stage);
}

static void raw_prepare_modified(void* state) {
    raw_modified* s = state;
    Tracked* column = s->stage->groups[0].columns[0];
    s->pass++;
    for (uint32_t i = 0; i < s->stage->n / 100; i++) {
        const uint32_t slot = s->stage->slots[written(s->stage->picks, s->stage->n, s->pass, i)];
        column[slot].x = (float)(s->pass % 1000);
        s->notes[slot] = s->pass;
    }
}

static uint64_t raw_visit_modified(void* state) {
    raw_modified* s = state;
    const Tracked* column = s->stage->groups[0].columns[0];
    float sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->stage->n; i++) {
        if (s->notes[i] != s->pass) continue;
        sum += column[i].x;
        count++;
    }
    s->stage->sum += count + (uint64_t)sum;
    return s->stage->n;
}

static void* ilk_setup_modified(const void* about, uint32_t n) {
    ilk_modified* s = stage_alloc(1, sizeof *s);
    *s = (ilk_modified){.stage = ilk_stage_full(about, n)};
    s->stage->query = ilk_query_create(s->stage->world, &changed);
    ilk_query_since(s->stage->query, ilk_tick(s->stage->world));
    return s;
}

static void ilk_teardown_modified(void* state) {
    ilk_modified* s = state;
    ilk_stage_free(s->stage);
    free(s);
}

static uint64_t ilk_checksum_modified(const void* state) {
    return ilk_stage_checksum(((const ilk_modified*)state)->stage);
}

static void ilk_prepare_modified(void* state) {
    ilk_modified* s = state;
    const uint32_t n = s->stage->n;
    s->pass++;
    for (uint32_t i = 0; i < n / 100; i++) {
        const ilk_entity e = s->stage->entities[written(s->stage->picks, n, s->pass, i)];
        ILK_EDIT(s->stage->world, e, Tracked)->x = (float)(s->pass % 1000);
    }
}

static uint64_t ilk_visit_modified(void* state) {
    const ilk_modified* s = state;
    ilk_stage* stage = s->stage;
    float sum = 0;
    uint32_t count = 0;
    for (ilk_iter it = ilk_query_iter(stage->world, stage->query); ilk_next_rows(&it);) {
        const Tracked* column = ILK_READ(&it, Tracked);
        for (uint32_t i = 0; i < it.count; i++) sum += column[it.rows[i]].x;
        count += it.count;
    }
    stage->sum += count + (uint64_t)sum;
    return stage->n;
}

const bench_work work_modified_1pct = {
    .about = &people,
    .raw = {raw_setup_modified, raw_visit_modified, raw_checksum_modified, raw_teardown_modified,
            raw_prepare_modified},
    .ilk = {ilk_setup_modified, ilk_visit_modified, ilk_checksum_modified, ilk_teardown_modified,
            ilk_prepare_modified},
};
