// Snapshots of a world of three components, of which one is written in every tick: taking one,
// going back to it, and what a tick costs while one is held. Raw copies the array that was written,
// there and back.
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "stage.h"

static ilk_type* const types[] = {&Position_type, &Velocity_type, &Comflab_type};
static const population people = {types, 3, .all = 7};

typedef struct raw_past {
    raw_stage* stage;
    Position* saved;
    uint64_t sum; // of what was read in the past
} raw_past;

static void* raw_setup(const void* about, uint32_t n) {
    raw_past* past = stage_alloc(1, sizeof *past);
    past->stage = raw_stage_full(about, n);
    past->saved = stage_alloc(n, sizeof *past->saved);
    memcpy(past->saved, past->stage->groups[0].columns[0], n * sizeof *past->saved);
    return past;
}

static void raw_teardown(void* state) {
    raw_past* past = state;
    raw_stage_free(past->stage);
    free(past->saved);
    free(past);
}

static uint64_t raw_checksum(const void* state) {
    return raw_stage_checksum(((const raw_past*)state)->stage);
}

static ALWAYS_INLINE void move(Position* p, const Velocity* v, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x;
        p[i].y += v[i].y;
    }
}

static void raw_move(void* state) {
    raw_stage* s = ((raw_past*)state)->stage;
    move(s->groups[0].columns[0], s->groups[0].columns[1], s->n);
}

static uint64_t raw_save(void* state) {
    raw_past* past = state;
    memcpy(past->saved, past->stage->groups[0].columns[0], past->stage->n * sizeof *past->saved);
    return 1;
}

static uint64_t raw_load(void* state) {
    raw_past* past = state;
    memcpy(past->stage->groups[0].columns[0], past->saved, past->stage->n * sizeof *past->saved);
    return 1;
}

static uint64_t raw_tick(void* state) {
    raw_move(state);
    return ((raw_past*)state)->stage->n;
}

typedef struct ilk_past {
    ilk_stage* stage;
    ilk_snapshot* snapshot;
    uint64_t sum;
} ilk_past;

static void* ilk_setup(const void* about, uint32_t n) {
    ilk_past* past = stage_alloc(1, sizeof *past);
    past->stage = ilk_stage_full(about, n);
    past->stage->query = ilk_query_create(
        past->stage->world, &(ilk_query_desc){.write = {&Position_type}, .read = {&Velocity_type}});
    past->snapshot = ilk_snapshot_take(past->stage->world);
    return past;
}

static void ilk_teardown(void* state) {
    ilk_past* past = state;
    ilk_stage_free(past->stage);
    free(past);
}

static uint64_t ilk_checksum(const void* state) {
    return ilk_stage_checksum(((const ilk_past*)state)->stage);
}

static void ilk_move(void* state) {
    ilk_stage* s = ((ilk_past*)state)->stage;
    for (ilk_iter it = ilk_query_iter(s->world, s->query); ilk_next(&it);) {
        move(ILK_WRITE(&it, Position), ILK_READ(&it, Velocity), it.count);
    }
}

static void ilk_move_and_release(void* state) {
    ilk_past* past = state;
    ilk_move(state);
    ilk_snapshot_release(past->snapshot);
    past->snapshot = NULL;
}

static uint64_t ilk_take(void* state) {
    ilk_past* past = state;
    past->snapshot = ilk_snapshot_take(past->stage->world);
    return 1;
}

static uint64_t ilk_restore(void* state) {
    ilk_snapshot_restore(((ilk_past*)state)->snapshot);
    return 1;
}

// The snapshot is always of the tick before.
static void ilk_take_another(void* state) {
    ilk_past* past = state;
    ilk_snapshot_release(past->snapshot);
    past->snapshot = ilk_snapshot_take(past->stage->world);
}

static void ilk_hold_none(void* state) {
    ilk_past* past = state;
    ilk_snapshot_release(past->snapshot);
    past->snapshot = NULL;
}

static uint64_t ilk_tick_of(void* state) {
    ilk_move(state);
    return ((ilk_past*)state)->stage->n;
}

const bench_work work_snapshot_take = {
    .about = &people,
    .raw = {raw_setup, raw_save, raw_checksum, raw_teardown, raw_move},
    .ilk = {ilk_setup, ilk_take, ilk_checksum, ilk_teardown, ilk_move_and_release},
};

const bench_work work_snapshot_restore = {
    .about = &people,
    .raw = {raw_setup, raw_load, raw_checksum, raw_teardown, raw_move},
    .ilk = {ilk_setup, ilk_restore, ilk_checksum, ilk_teardown, ilk_move},
};

const bench_work work_snapshot_tax = {
    .about = &people,
    .raw = {raw_setup, raw_tick, raw_checksum, raw_teardown, NULL},
    .ilk = {ilk_setup, ilk_tick_of, ilk_checksum, ilk_teardown, ilk_take_another},
    .full = {ilk_setup, ilk_tick_of, ilk_checksum, ilk_teardown, ilk_hold_none},
};

// A snapshot is opened, one component of it read, and closed; raw copies that array, and reads the
// copy. (Bits are added up, so that the order does not matter.)
static ALWAYS_INLINE uint64_t sum_of(const Position* p, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &p[i].x, sizeof bits);
        sum += bits;
    }
    return sum;
}

static uint64_t raw_open(void* state) {
    raw_past* past = state;
    raw_save(state);
    past->sum = sum_of(past->saved, past->stage->n);
    return 1;
}

static uint64_t raw_sum(const void* state) {
    return ((const raw_past*)state)->sum;
}

static uint64_t ilk_open(void* state) {
    ilk_past* past = state;
    ilk_world* view = ilk_snapshot_open(past->snapshot);
    ilk_query* query = ilk_query_create(view, &(ilk_query_desc){.read = {&Position_type}});
    past->sum = 0;
    for (ilk_iter it = ilk_query_iter(view, query); ilk_next(&it);) {
        past->sum += sum_of(ILK_READ(&it, Position), it.count);
    }
    ilk_world_destroy(view);
    return 1;
}

static uint64_t ilk_sum(const void* state) {
    return ((const ilk_past*)state)->sum;
}

const bench_work work_snapshot_open = {
    .about = &people,
    .raw = {raw_setup, raw_open, raw_sum, raw_teardown, NULL},
    .ilk = {ilk_setup, ilk_open, ilk_sum, ilk_teardown, ilk_take_another},
};

// A game in which something went wrong eight ticks ago: going back, and playing them again.
enum {
    TICKS = 8
};

typedef struct ilk_game {
    ilk_past past;
    ilk_ring* ring;
} ilk_game;

static void ilk_game_tick(ilk_game* game) {
    ilk_move(&game->past);
    ilk_ring_push(game->ring);
}

static void* ilk_game_setup(const void* about, uint32_t n) {
    ilk_game* game = stage_alloc(1, sizeof *game);
    ilk_past* past = ilk_setup(about, n);
    game->past = *past;
    free(past);
    ilk_hold_none(game);
    game->ring = ilk_ring_create(game->past.stage->world, &(ilk_ring_desc){.frames = TICKS + 1});
    for (uint32_t i = 0; i < TICKS; i++) ilk_game_tick(game);
    return game;
}

static uint64_t ilk_rollback(void* state) {
    ilk_game* game = state;
    ilk_ring_rewind(game->ring, ilk_ring_stats_of(game->ring).frame - TICKS);
    for (uint32_t i = 0; i < TICKS; i++) ilk_game_tick(game);
    return 1;
}

static void* raw_game_setup(const void* about, uint32_t n) {
    raw_past* past = raw_setup(about, n);
    for (uint32_t i = 0; i < TICKS; i++) raw_move(past);
    return past;
}

static uint64_t raw_rollback(void* state) {
    raw_load(state);
    for (uint32_t i = 0; i < TICKS; i++) raw_move(state);
    return 1;
}

const bench_work work_rollback_8 = {
    .about = &people,
    .raw = {raw_game_setup, raw_rollback, raw_checksum, raw_teardown, NULL},
    .ilk = {ilk_game_setup, ilk_rollback, ilk_checksum, ilk_teardown, NULL},
};

// What it costs that a loop says what it writes: the same walk, with the column asked for writing,
// and (in full) with the same column asked for reading and written all the same, which nobody but a
// benchmark may do. Raw is a plain loop over the same memory: the world's own blocks, run by run.
typedef struct plain_run {
    Position* positions;
    const Velocity* velocities;
    uint32_t count;
} plain_run;

typedef struct plain_stage {
    ilk_stage* stage;
    plain_run* runs;
    uint32_t count;
} plain_stage;

static ALWAYS_INLINE void drift(Position* restrict p, const Velocity* restrict v, uint32_t count) {
    UNROLLED
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x;
        p[i].y += v[i].y;
    }
}

static const ilk_query_desc moves = {.write = {&Position_type}, .read = {&Velocity_type}};

static void* walk_setup(const void* about, uint32_t n) {
    ilk_stage* s = ilk_stage_full(about, n);
    s->query = ilk_query_create(s->world, &moves);
    return s;
}

static Position* write_unsaid(const ilk_iter* it) {
    return (Position*)(uintptr_t)ILK_READ(it, Position);
}

static uint64_t walk_saying(void* state) {
    const ilk_stage* s = state;
    for (ilk_iter it = ilk_query_iter(s->world, s->query); ilk_next(&it);) {
        drift(ILK_WRITE(&it, Position), ILK_READ(&it, Velocity), it.count);
    }
    return s->n;
}

static uint64_t walk_unsaid(void* state) {
    const ilk_stage* s = state;
    for (ilk_iter it = ilk_query_iter(s->world, s->query); ilk_next(&it);) {
        drift(write_unsaid(&it), ILK_READ(&it, Velocity), it.count);
    }
    return s->n;
}

static void* plain_setup(const void* about, uint32_t n) {
    plain_stage* plain = stage_alloc(1, sizeof *plain);
    *plain = (plain_stage){walk_setup(about, n), stage_alloc(n, sizeof *plain->runs), 0};
    const ilk_stage* s = plain->stage;
    for (ilk_iter it = ilk_query_iter(s->world, s->query); ilk_next(&it);) {
        plain_run run = {ILK_WRITE(&it, Position), ILK_READ(&it, Velocity), it.count};
        plain->runs[plain->count++] = run;
    }
    return plain;
}

static uint64_t plain_walk(void* state) {
    const plain_stage* plain = state;
    for (uint32_t i = 0; i < plain->count; i++) {
        drift(plain->runs[i].positions, plain->runs[i].velocities, plain->runs[i].count);
    }
    return plain->stage->n;
}

static uint64_t plain_checksum(const void* state) {
    return ilk_stage_checksum(((const plain_stage*)state)->stage);
}

static void plain_teardown(void* state) {
    plain_stage* plain = state;
    ilk_stage_free(plain->stage);
    free(plain->runs);
    free(plain);
}

const bench_work work_write_barrier = {
    .about = &people,
    .raw = {plain_setup, plain_walk, plain_checksum, plain_teardown, NULL},
    .ilk = {walk_setup, walk_saying, ilk_stage_checksum, ilk_stage_free, NULL},
    .full = {walk_setup, walk_unsaid, ilk_stage_checksum, ilk_stage_free, NULL},
};
