// Creating and destroying. raw's loops work on a local copy of the world, so that its counters
// stay in registers.
#include "rows.h"
#include "stage.h"

#define MOVING 3u // the mask of Position and Velocity

static uint32_t kind_of(uint32_t i, uint32_t n) {
    (void)n;
    return i % KINDS;
}

static uint32_t kind_mask(uint32_t i, uint32_t n) {
    return 2u << kind_of(i, n);
}

static ilk_type* const moving_types[] = {&Position_type, &Velocity_type};

static ilk_type* const kinds_types[] = {
    &Position_type, &kind_types[0], &kind_types[1], &kind_types[2], &kind_types[3], &kind_types[4],
    &kind_types[5], &kind_types[6], &kind_types[7], &kind_types[8], &kind_types[9],
};

static const population empty_people = {moving_types, 2, .all = 0};
static const population moving_people = {moving_types, 2, .all = MOVING};
static const population kinds_people = {
    kinds_types, 1 + KINDS, .all = 1, .born = kind_mask, .group = kind_of, .groups = KINDS,
};

static Position position_of(uint32_t i) {
    return (Position){(float)i, 1};
}

static Velocity velocity_of(uint32_t i) {
    return (Velocity){2, (float)i};
}

static Kind kind_value_of(uint32_t i) {
    return (Kind){3, (float)i};
}

static void keep_counts(raw_world* to, const raw_world* from) {
    to->used = from->used;
    to->free_count = from->free_count;
}

static uint64_t raw_create_empty(void* state) {
    raw_stage* s = state;
    raw_world world = s->groups[0];
    const uint32_t n = s->n;
    for (uint32_t i = 0; i < n; i++) s->slots[i] = raw_create(&world, 0);
    keep_counts(&s->groups[0], &world);
    return n;
}

static uint64_t ilk_create_empty(void* state) {
    const ilk_stage* s = state;
    for (uint32_t i = 0; i < s->n; i++) s->entities[i] = ilk_create(s->world);
    return s->n;
}

static inline uint32_t raw_spawn_moving(raw_world* world, uint32_t i) {
    const uint32_t slot = raw_create(world, MOVING);
    ((Position*)world->columns[0])[slot] = position_of(i);
    ((Velocity*)world->columns[1])[slot] = velocity_of(i);
    return slot;
}

static inline ilk_entity ilk_spawn_moving(ilk_world* world, uint32_t i) {
    const Position position = position_of(i);
    const Velocity velocity = velocity_of(i);
    return ILK_SPAWN(world, ILK_VALUE_AT(Position, &position), ILK_VALUE_AT(Velocity, &velocity));
}

static uint64_t raw_create_2(void* state) {
    raw_stage* s = state;
    raw_world world = s->groups[0];
    const uint32_t n = s->n;
    for (uint32_t i = 0; i < n; i++) s->slots[i] = raw_spawn_moving(&world, i);
    keep_counts(&s->groups[0], &world);
    return n;
}

static uint64_t ilk_create_2(void* state) {
    const ilk_stage* s = state;
    for (uint32_t i = 0; i < s->n; i++) s->entities[i] = ilk_spawn_moving(s->world, i);
    return s->n;
}

static inline ilk_entity ilk_create_set(ilk_world* world, ilk_value first, ilk_value second) {
    const ilk_entity e = ilk_create(world);
    ilk_set(world, e, first);
    ilk_set(world, e, second);
    return e;
}

static uint64_t ilk_create_2_set(void* state) {
    const ilk_stage* s = state;
    for (uint32_t i = 0; i < s->n; i++) {
        const Position position = position_of(i);
        const Velocity velocity = velocity_of(i);
        s->entities[i] = ilk_create_set(s->world, ILK_VALUE_AT(Position, &position),
                                        ILK_VALUE_AT(Velocity, &velocity));
    }
    return s->n;
}

static uint64_t raw_create_2_set_10(void* state) {
    raw_stage* s = state;
    for (uint32_t i = 0, kind = 0; i < s->n; i++, kind = kind + 1 < KINDS ? kind + 1 : 0) {
        raw_world* world = &s->groups[kind];
        const uint32_t slot = raw_create(world, 1u | 2u << kind);
        ((Position*)world->columns[0])[slot] = position_of(i);
        ((Kind*)world->columns[1 + kind])[slot] = kind_value_of(i);
        s->slots[i] = slot;
    }
    return s->n;
}

static uint64_t ilk_create_2_set_10(void* state) {
    const ilk_stage* s = state;
    for (uint32_t i = 0, kind = 0; i < s->n; i++, kind = kind + 1 < KINDS ? kind + 1 : 0) {
        const Position position = position_of(i);
        const Kind value = kind_value_of(i);
        s->entities[i] = ilk_create_set(s->world, ILK_VALUE_AT(Position, &position),
                                        (ilk_value){&kind_types[kind], &value});
    }
    return s->n;
}

// Values of a run whose first is number `first`, in place.
static inline void fill(Position* restrict p, Velocity* restrict v, uint32_t first,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        p[i] = position_of(first + i);
        v[i] = velocity_of(first + i);
    }
}

static inline void take_slots(uint32_t* restrict slots, uint32_t* restrict mask, uint32_t first,
                              uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        slots[i] = first + i;
        mask[first + i] = MOVING | RAW_ALIVE;
    }
}

// In bulk, raw takes the fresh slots in one run. (No slot is free here.)
static uint64_t raw_create_2_bulk(void* state) {
    raw_stage* s = state;
    raw_world* world = &s->groups[0];
    const uint32_t first = world->used;
    world->used += s->n;
    take_slots(s->slots, world->mask, first, s->n);
    fill((Position*)world->columns[0] + first, (Velocity*)world->columns[1] + first, 0, s->n);
    return s->n;
}

static uint64_t ilk_create_2_bulk(void* state) {
    const ilk_stage* s = state;
    ilk_batch batch;
    ilk_spawn_many(s->world, &batch, s->n, ILK_TYPES(&Position_type, &Velocity_type));
    uint32_t done = 0;
    while (ilk_batch_next(&batch)) {
        for (uint32_t i = 0; i < batch.count; i++) s->entities[done + i] = batch.entities[i];
        fill(ILK_FILL(&batch, Position), ILK_FILL(&batch, Velocity), done, batch.count);
        done += batch.count;
    }
    return s->n;
}

static uint64_t raw_destroy_all(void* state) {
    raw_stage* s = state;
    raw_world world = s->groups[0];
    const uint32_t n = s->n;
    for (uint32_t i = 0; i < n; i++) raw_destroy(&world, s->slots[i]);
    keep_counts(&s->groups[0], &world);
    return n;
}

static uint64_t ilk_destroy_all(void* state) {
    const ilk_stage* s = state;
    for (uint32_t i = 0; i < s->n; i++) ilk_destroy(s->world, s->entities[i]);
    return s->n;
}

static uint64_t raw_replace_random(void* state) {
    raw_stage* s = state;
    raw_world world = s->groups[0];
    const uint32_t n = s->n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t pick = s->picks[i];
        raw_destroy(&world, s->slots[pick]);
        s->slots[pick] = raw_spawn_moving(&world, i);
    }
    keep_counts(&s->groups[0], &world);
    return n;
}

static uint64_t ilk_replace_random(void* state) {
    const ilk_stage* s = state;
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t pick = s->picks[i];
        ilk_destroy(s->world, s->entities[pick]);
        s->entities[pick] = ilk_spawn_moving(s->world, i);
    }
    return s->n;
}

const bench_work work_create_empty = {
    .about = &empty_people,
    .raw = RAW_SIDE(empty, raw_create_empty),
    .ilk = ILK_SIDE(empty, ilk_create_empty),
    .changes = true,
};

const bench_work work_create_2 = {
    .about = &moving_people,
    .raw = RAW_SIDE(empty, raw_create_2),
    .ilk = ILK_SIDE(empty, ilk_create_2),
    .changes = true,
};

// By hand, setting one after the other is no other work than setting both.
const bench_work work_create_2_set = {
    .about = &moving_people,
    .raw = RAW_SIDE(empty, raw_create_2),
    .ilk = ILK_SIDE(empty, ilk_create_2_set),
    .changes = true,
};

const bench_work work_create_2_set_10 = {
    .about = &kinds_people,
    .raw = RAW_SIDE(empty, raw_create_2_set_10),
    .ilk = ILK_SIDE(empty, ilk_create_2_set_10),
    .changes = true,
};

const bench_work work_create_2_bulk = {
    .about = &moving_people,
    .raw = RAW_SIDE(empty, raw_create_2_bulk),
    .ilk = ILK_SIDE(empty, ilk_create_2_bulk),
    .changes = true,
};

const bench_work work_destroy_2 = {
    .about = &moving_people,
    .raw = RAW_SIDE(full, raw_destroy_all),
    .ilk = ILK_SIDE(full, ilk_destroy_all),
    .changes = true,
};

const bench_work work_destroy_2_random = {
    .about = &moving_people,
    .raw = RAW_SIDE(shuffled, raw_destroy_all),
    .ilk = ILK_SIDE(shuffled, ilk_destroy_all),
    .changes = true,
};

const bench_work work_random_despawn_respawn = {
    .about = &moving_people,
    .raw = RAW_SIDE(full, raw_replace_random),
    .ilk = ILK_SIDE(full, ilk_replace_random),
    .changes = true,
};
