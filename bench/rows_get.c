// Reading by handle. What is read is summed up as whole words, so that the sum does not cost more
// than the reading.
#include "rows.h"
#include "stage.h"

#include <string.h>

static uint32_t every_second(uint32_t i, uint32_t n) {
    (void)n;
    return i % 2 ? 0 : 2;
}

static ilk_type* const types[] = {&Position_type, &Velocity_type};
static const population moving_people = {types, 2, .all = 3};
static const population half_people = {types, 2, .all = 1, .born = every_second};

static inline uint64_t word_of(const void* value) {
    uint64_t word;
    memcpy(&word, value, sizeof word);
    return word;
}

static uint64_t raw_get_1(void* state) {
    raw_stage* s = state;
    const Position* position = s->groups[0].columns[0];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n; i++) sum += word_of(&position[s->slots[i]]);
    s->sum = sum;
    return s->n;
}

static uint64_t ilk_get_1(void* state) {
    ilk_stage* s = state;
    const ilk_world* world = s->world;
    const ilk_entity* entities = s->entities;
    const uint32_t n = s->n;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += word_of(ILK_GET(world, entities[i], Position));
    s->sum = sum;
    return s->n;
}

static uint64_t raw_get_2(void* state) {
    raw_stage* s = state;
    const Position* position = s->groups[0].columns[0];
    const Velocity* velocity = s->groups[0].columns[1];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t slot = s->slots[i];
        sum += word_of(&position[slot]) ^ word_of(&velocity[slot]) << 1;
    }
    s->sum = sum;
    return s->n;
}

static uint64_t ilk_get_2(void* state) {
    ilk_stage* s = state;
    const ilk_world* world = s->world;
    const ilk_entity* entities = s->entities;
    const uint32_t n = s->n;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const ilk_entity e = entities[i];
        const Position* position = ILK_GET(world, e, Position);
        const Velocity* velocity = ILK_GET(world, e, Velocity);
        sum += word_of(position) ^ word_of(velocity) << 1;
    }
    s->sum = sum;
    return s->n;
}

static uint64_t raw_has(void* state) {
    raw_stage* s = state;
    const uint32_t* mask = s->groups[0].mask;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->n; i++) sum += mask[s->slots[i]] >> 1 & 1;
    s->sum = sum;
    return s->n;
}

static uint64_t ilk_has_velocity(void* state) {
    ilk_stage* s = state;
    const ilk_world* world = s->world;
    const ilk_entity* entities = s->entities;
    const uint32_t n = s->n;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += ilk_has(world, entities[i], &Velocity_type);
    s->sum = sum;
    return s->n;
}

const bench_work work_get_random = {
    .about = &moving_people,
    .raw = RAW_SIDE(shuffled, raw_get_1),
    .ilk = ILK_SIDE(shuffled, ilk_get_1),
};

const bench_work work_get_2_seq = {
    .about = &moving_people,
    .raw = RAW_SIDE(full, raw_get_2),
    .ilk = ILK_SIDE(full, ilk_get_2),
};

const bench_work work_has_random = {
    .about = &half_people,
    .raw = RAW_SIDE(shuffled, raw_has),
    .ilk = ILK_SIDE(shuffled, ilk_has_velocity),
};
