// Commands: queued in a loop and then applied, by ilk in a command buffer, by raw in an array.
//
// Both sides have used their queue before, as in every frame but the first: its memory is there.
#include "rows.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

#define TENTH 10u

static ilk_type* const types[] = {&Position_type};
static const population people = {types, 1, .all = 1};

// A command of raw. In defer_spawn, a position is for a new one, and no position for one that is
// to go.
typedef struct raw_command {
    uint32_t slot;
    Position position;
} raw_command;

#define NEW_SLOT UINT32_MAX

typedef struct raw_state {
    raw_stage* stage;
    uint32_t passes;
    raw_command* queue;
} raw_state;

typedef struct ilk_state {
    ilk_stage* stage;
    uint32_t passes;
    ilk_cmd* cmd;
    ilk_query* query;
} ilk_state;

static void* raw_setup(const void* about, uint32_t n) {
    raw_state* s = stage_alloc(1, sizeof *s);
    *s = (raw_state){.stage = raw_stage_full(about, n)};
    s->queue = stage_alloc(n, sizeof *s->queue);
    memset(s->queue, 0, n * sizeof *s->queue);
    return s;
}

static void raw_teardown(void* state) {
    raw_state* s = state;
    raw_stage_free(s->stage);
    free(s->queue);
    free(s);
}

static uint64_t raw_checksum(const void* state) {
    return raw_stage_checksum(((const raw_state*)state)->stage);
}

static void* ilk_setup(const void* about, uint32_t n) {
    ilk_state* s = stage_alloc(1, sizeof *s);
    *s = (ilk_state){.stage = ilk_stage_full(about, n)};
    s->cmd = ilk_cmd_take(s->stage->world);
    s->query = ilk_query_create(s->stage->world, &(ilk_query_desc){.write = {&Position_type}});
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

static ALWAYS_INLINE void step(Position* restrict p, uint32_t count) {
    UNROLLED
    for (uint32_t i = 0; i < count; i++) p[i].x += 1;
}

// Fills the buffer with commands that change nothing, once, and drops them.
static void* ilk_spawn_setup(const void* about, uint32_t n) {
    ilk_state* s = ilk_setup(about, n);
    for (uint32_t i = 0; i < n / TENTH + 1; i++) {
        ilk_cmd_destroy(s->cmd, s->stage->entities[i]);
        ilk_cmd_set(s->cmd, s->stage->entities[i], ILK_VALUE(Position, .x = 1));
    }
    ilk_cmd_clear(s->cmd);
    return s;
}

static void raw_apply(raw_world* world, const raw_command* queue, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (queue[i].slot != NEW_SLOT) {
            raw_destroy(world, queue[i].slot);
        } else {
            const uint32_t slot = raw_create(world, 1);
            ((Position*)world->columns[0])[slot] = queue[i].position;
        }
    }
}

// Nobody is missing when this begins, so that every slot is of somebody.
static uint64_t raw_spawn(void* state) {
    const raw_state* s = state;
    raw_world* world = &s->stage->groups[0];
    const Position* p = world->columns[0];
    const uint32_t n = s->stage->n;
    uint32_t count = 0;
    step(world->columns[0], n);
    for (uint32_t i = 0; i < n; i += TENTH) {
        s->queue[count++] = (raw_command){i, {0, 0}};
        s->queue[count++] = (raw_command){NEW_SLOT, {p[i].y, p[i].x}};
    }
    bench_barrier();
    raw_apply(world, s->queue, count);
    return count;
}

static uint64_t ilk_spawn_deferred(void* state) {
    const ilk_state* s = state;
    uint32_t next = 0; // row of the run that is the next tenth
    for (ilk_iter it = ilk_query_iter(s->stage->world, s->query); ilk_next(&it);) {
        Position* p = ILK_WRITE(&it, Position);
        step(p, it.count);
        for (; next < it.count; next += TENTH) {
            ilk_cmd_destroy(s->cmd, it.entities[next]);
            const Position position = {p[next].y, p[next].x};
            ilk_cmd_spawn(s->cmd, ILK_VALUES(ILK_VALUE_AT(Position, &position)));
        }
        next -= it.count;
    }
    return ilk_cmd_apply(s->cmd).done;
}

const bench_work work_defer_spawn = {
    .about = &people,
    .raw = {raw_setup, raw_spawn, raw_checksum, raw_teardown, NULL},
    .ilk = {ilk_spawn_setup, ilk_spawn_deferred, ilk_checksum, ilk_teardown, NULL},
    .changes = true,
};

static ALWAYS_INLINE Position goal_of(uint32_t i, uint32_t pass) {
    return (Position){(float)(i ^ pass), (float)i};
}

static uint64_t raw_set(void* state) {
    raw_state* s = state;
    Position* p = s->stage->groups[0].columns[0];
    const uint32_t n = s->stage->n;
    s->passes++;
    for (uint32_t i = 0; i < n; i++) {
        s->queue[i] = (raw_command){s->stage->slots[i], goal_of(i, s->passes)};
    }
    bench_barrier();
    for (uint32_t i = 0; i < n; i++) p[s->queue[i].slot] = s->queue[i].position;
    return n;
}

static uint64_t ilk_set_deferred(void* state) {
    ilk_state* s = state;
    s->passes++;
    for (uint32_t i = 0; i < s->stage->n; i++) {
        const Position position = goal_of(i, s->passes);
        ilk_cmd_set(s->cmd, s->stage->entities[i], ILK_VALUE_AT(Position, &position));
    }
    return ilk_cmd_apply(s->cmd).done;
}

const bench_work work_cmd_set = {
    .about = &people,
    .raw = {raw_setup, raw_set, raw_checksum, raw_teardown, NULL},
    .ilk = {ilk_setup, ilk_set_deferred, ilk_checksum, ilk_teardown, NULL},
};
