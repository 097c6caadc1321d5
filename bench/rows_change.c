// Adding and removing, and the settling of what changed.
#include "rows.h"
#include "stage.h"

#define FOUR 15u // the mask of Position, Velocity, Comflab and Health, which all have
#define ADDED 4  // number of the first type that is added

#define FOUR_TYPES &Position_type, &Velocity_type, &Comflab_type, &Health_type

static ilk_type* const one_types[] = {FOUR_TYPES, &Tagdata_type};
static ilk_type* const tag_types[] = {FOUR_TYPES, &Marked_type};
static ilk_type* const five_types[] = {
    FOUR_TYPES, &bit_types[0], &bit_types[1], &bit_types[2], &bit_types[3], &bit_types[4],
};
static ilk_type* const settle_types[] = {&Position_type, &Comflab_type, &Velocity_type};

static uint32_t half_move(uint32_t i, uint32_t n) {
    return stage_half(i, n) ? 4 : 0;
}

static const population one_people = {one_types, 5, .all = FOUR, .spare = 1u << ADDED};
static const population tag_people = {tag_types, 5, .all = FOUR, .spare = 1u << ADDED};
static const population five_people = {five_types, 9, .all = FOUR, .spare = 31u << ADDED};
static const population settle_people = {
    settle_types, 3, .all = 3, .later = half_move, .at_random = true,
};

// Each of these is compiled for a fixed number of types, with or without values.
static inline uint64_t raw_add_remove(raw_stage* s, uint32_t types, bool has_values) {
    raw_world* world = &s->groups[0];
    const uint32_t n = s->n;
    const uint32_t added = ((1u << types) - 1) << ADDED;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t slot = s->slots[i];
        for (uint32_t k = 0; has_values && k < types; k++) {
            ((Tagdata*)world->columns[ADDED + k])[slot].v = (int)i;
        }
        world->mask[slot] |= added;
    }
    bench_barrier();
    for (uint32_t i = 0; i < n; i++) world->mask[s->slots[i]] &= ~added;
    return (uint64_t)n * types;
}

// The sum counts the calls that failed; raw has none.
static inline uint64_t ilk_add_remove(ilk_stage* s, uint32_t count, bool has_values) {
    ilk_type* const* types = s->people->types + ADDED;
    for (uint32_t i = 0; i < s->n; i++) {
        const Tagdata value = {(int)i};
        for (uint32_t k = 0; k < count; k++) {
            const ilk_value given = {types[k], has_values ? &value : NULL};
            s->sum += ilk_add(s->world, s->entities[i], given) != ILK_OK;
        }
    }
    for (uint32_t i = 0; i < s->n; i++) {
        for (uint32_t k = 0; k < count; k++) {
            s->sum += ilk_remove(s->world, s->entities[i], types[k]) != ILK_OK;
        }
    }
    return (uint64_t)s->n * count;
}

static uint64_t raw_add_remove_1(void* state) {
    return raw_add_remove(state, 1, true);
}

static uint64_t ilk_add_remove_1(void* state) {
    return ilk_add_remove(state, 1, true);
}

static uint64_t raw_add_remove_tag(void* state) {
    return raw_add_remove(state, 1, false);
}

static uint64_t ilk_add_remove_tag(void* state) {
    return ilk_add_remove(state, 1, false);
}

static uint64_t raw_add_remove_5(void* state) {
    return raw_add_remove(state, 5, true);
}

static uint64_t ilk_add_remove_5(void* state) {
    return ilk_add_remove(state, 5, true);
}

static uint64_t ilk_settle_all(void* state) {
    const ilk_stage* s = state;
    return ilk_settle(s->world, 0).moved;
}

const bench_work work_add_remove_1 = {
    .about = &one_people,
    .raw = RAW_SIDE(full, raw_add_remove_1),
    .ilk = ILK_SIDE(full, ilk_add_remove_1),
    .changes = true,
};

const bench_work work_add_remove_tag = {
    .about = &tag_people,
    .raw = RAW_SIDE(full, raw_add_remove_tag),
    .ilk = ILK_SIDE(full, ilk_add_remove_tag),
    .changes = true,
};

const bench_work work_add_remove_5 = {
    .about = &five_people,
    .raw = RAW_SIDE(full, raw_add_remove_5),
    .ilk = ILK_SIDE(full, ilk_add_remove_5),
    .changes = true,
};

// raw has nothing to settle; it only holds what ilk is to hold afterwards.
const bench_work work_settle = {
    .about = &settle_people,
    .raw = RAW_SIDE(full, NULL),
    .ilk = ILK_SIDE(full, ilk_settle_all),
    .changes = true,
};
