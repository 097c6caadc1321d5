// Filters: a pass over what changed, when that is one block in a hundred.
//
// Before each pass a few positions, each in another block, are set to the number of the pass, below
// zero. The pass counts those: whatever else lies in the blocks that it looks at, it finds as many.
// The same query without the filter looks at everything, and is what the goal is a share of. raw
// notes by hand which stretches of its array were written to.
#include "rows.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

#define STRETCH 8192u // rows of ilk's largest chunks

static ilk_type* const types[] = {&Position_type, &Velocity_type};
static const population people = {types, 2, .all = 3};

static const ilk_query_desc all = {.read = {&Position_type}};
static const ilk_query_desc changed = {.read = {&Position_type}, .changed = {&Position_type}};

typedef struct raw_state {
    raw_stage* stage;
    uint32_t passes;
    uint32_t stretches;
    bool* is_changed; // for each stretch
} raw_state;

typedef struct ilk_state {
    ilk_stage* stage;
    uint32_t passes;
} ilk_state;

static ALWAYS_INLINE uint32_t count_at(const Position* p, uint32_t count, float x) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) found += p[i].x == x;
    return found;
}

// Where those are put that are written to before a pass.
static float mark_of(uint32_t pass) {
    return -(float)pass;
}

// One in each of a hundredth of the blocks, and at least one.
static uint32_t writes_of(uint32_t n) {
    return n < 200 * STRETCH ? 1 : n / (100 * STRETCH);
}

// Who is written to in turn i.
static uint32_t written(const uint32_t* picks, uint32_t n, uint32_t pass, uint32_t i) {
    return picks[((uint64_t)pass * writes_of(n) + i) % n];
}

static void* raw_setup(const void* about, uint32_t n) {
    raw_state* s = stage_alloc(1, sizeof *s);
    *s = (raw_state){.stage = raw_stage_full(about, n), .stretches = n / STRETCH + 1};
    s->is_changed = stage_alloc(s->stretches, sizeof *s->is_changed);
    memset(s->is_changed, 0, s->stretches * sizeof *s->is_changed);
    return s;
}

static void raw_teardown(void* state) {
    raw_state* s = state;
    raw_stage_free(s->stage);
    free(s->is_changed);
    free(s);
}

static uint64_t raw_checksum(const void* state) {
    return raw_stage_checksum(((const raw_state*)state)->stage);
}

static void raw_prepare(void* state) {
    raw_state* s = state;
    Position* p = s->stage->groups[0].columns[0];
    const uint32_t n = s->stage->n, pass = ++s->passes;
    for (uint32_t i = 0; i < writes_of(n); i++) {
        const uint32_t slot = s->stage->slots[written(s->stage->picks, n, pass, i)];
        p[slot].x = mark_of(pass);
        s->is_changed[slot / STRETCH] = true;
    }
}

static uint64_t raw_count_changed(void* state) {
    raw_state* s = state;
    const Position* p = s->stage->groups[0].columns[0];
    const float x = mark_of(s->passes);
    for (uint32_t i = 0; i < s->stretches; i++) {
        if (!s->is_changed[i]) continue;
        const uint32_t first = i * STRETCH, rest = s->stage->n - first;
        s->stage->sum += count_at(p + first, rest < STRETCH ? rest : STRETCH, x);
        s->is_changed[i] = false;
    }
    return s->stage->n;
}

static void* ilk_setup(const void* about, uint32_t n) {
    ilk_state* s = stage_alloc(1, sizeof *s);
    *s = (ilk_state){.stage = ilk_stage_full(about, n)};
    return s;
}

static void ilk_teardown(void* state) {
    ilk_state* s = state;
    ilk_stage_free(s->stage);
    free(s);
}

static uint64_t ilk_checksum(const void* state) {
    return ilk_stage_checksum(((const ilk_state*)state)->stage);
}

static void ilk_prepare(void* state) {
    ilk_state* s = state;
    const uint32_t n = s->stage->n, pass = ++s->passes;
    for (uint32_t i = 0; i < writes_of(n); i++) {
        const ilk_entity e = s->stage->entities[written(s->stage->picks, n, pass, i)];
        ILK_EDIT(s->stage->world, e, Position)->x = mark_of(pass);
    }
}

static ALWAYS_INLINE uint64_t count_in(ilk_state* s, const ilk_query_desc* desc) {
    ilk_stage* stage = s->stage;
    if (!stage->query) stage->query = ilk_query_create(stage->world, desc);
    for (ilk_iter it = ilk_query_iter(stage->world, stage->query); ilk_next(&it);) {
        stage->sum += count_at(ILK_READ(&it, Position), it.count, mark_of(s->passes));
    }
    return stage->n;
}

static uint64_t ilk_count_changed(void* state) {
    return count_in(state, &changed);
}

static uint64_t ilk_count_all(void* state) {
    return count_in(state, &all);
}

const bench_work work_change_1pct = {
    .about = &people,
    .raw = {raw_setup, raw_count_changed, raw_checksum, raw_teardown, raw_prepare},
    .ilk = {ilk_setup, ilk_count_changed, ilk_checksum, ilk_teardown, ilk_prepare},
    .full = {ilk_setup, ilk_count_all, ilk_checksum, ilk_teardown, ilk_prepare},
};
