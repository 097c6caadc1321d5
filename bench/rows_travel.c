// Blueprints, copies, moving between worlds.
//
// spawn_blueprint makes n entities of one blueprint with five components; clone_1 makes n - 1
// copies of one entity with five, one by one; transfer_100k moves n entities with three to another
// world.
#include "rows.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

#define FIVE 31u
#define THREE 7u

static ilk_type* const five_types[] = {&Position_type, &Velocity_type, &Comflab_type, &Health_type,
                                       &Tagdata_type};
static const population five_people = {five_types, 5, .all = FIVE};
static const population three_people = {five_types, 3, .all = THREE, .groups = 2};

static uint64_t raw_spawn_blueprint(void* state) {
    raw_stage* s = state;
    raw_world* world = &s->groups[0];
    const uint32_t n = s->n, first = world->used;
    Comflab comflab;
    Position position;
    Tagdata tag;
    component_fill(&comflab, sizeof comflab, 1);
    component_fill(&position, sizeof position, 1);
    component_fill(&tag, sizeof tag, 1);
    world->used += n;
    for (uint32_t i = 0; i < n; i++) {
        s->slots[i] = first + i;
        world->mask[first + i] = FIVE | RAW_ALIVE;
    }
    for (uint32_t i = 0; i < n; i++) ((Position*)world->columns[0])[first + i] = position;
    for (uint32_t i = 0; i < n; i++) ((Position*)world->columns[1])[first + i] = position;
    for (uint32_t i = 0; i < n; i++) ((Comflab*)world->columns[2])[first + i] = comflab;
    for (uint32_t i = 0; i < n; i++) ((Position*)world->columns[3])[first + i] = position;
    for (uint32_t i = 0; i < n; i++) ((Tagdata*)world->columns[4])[first + i] = tag;
    return n;
}

static ilk_blueprint* five_blueprint(void) {
    static ilk_blueprint* made;
    if (made) return made;
    made = ilk_blueprint_create(NULL);
    for (uint32_t k = 0; k < 5; k++) {
        component_fill(ilk_blueprint_ensure(made, five_types[k]), five_types[k]->size, 1);
    }
    return made;
}

static void* ilk_stage_with_blueprint(const void* about, uint32_t n) {
    five_blueprint();
    return ilk_stage_empty(about, n);
}

static uint64_t ilk_spawn_blueprint(void* state) {
    const ilk_stage* s = state;
    ilk_blueprint_spawn_many(s->world, five_blueprint(), s->n, s->entities);
    return s->n;
}

static uint64_t raw_clone(void* state) {
    raw_stage* s = state;
    raw_world world = s->groups[0];
    const uint32_t n = s->n, first = raw_create(&world, FIVE);
    for (uint32_t k = 0; k < 5; k++) {
        component_fill((char*)world.columns[k] + first * five_types[k]->size, five_types[k]->size,
                       1);
    }
    s->slots[0] = first;
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t slot = s->slots[i] = raw_create(&world, world.mask[first]);
        ((Position*)world.columns[0])[slot] = ((Position*)world.columns[0])[first];
        ((Velocity*)world.columns[1])[slot] = ((Velocity*)world.columns[1])[first];
        ((Comflab*)world.columns[2])[slot] = ((Comflab*)world.columns[2])[first];
        ((Health*)world.columns[3])[slot] = ((Health*)world.columns[3])[first];
        ((Tagdata*)world.columns[4])[slot] = ((Tagdata*)world.columns[4])[first];
        bench_barrier(); // one by one
    }
    s->groups[0].used = world.used;
    return n;
}

static uint64_t ilk_clone(void* state) {
    const ilk_stage* s = state;
    s->entities[0] = ilk_blueprint_spawn(s->world, five_blueprint());
    for (uint32_t i = 1; i < s->n; i++) s->entities[i] = ilk_copy(s->world, s->entities[0]);
    return s->n;
}

// The second group is where they go.
static void* raw_stage_to_leave(const void* about, uint32_t n) {
    raw_stage* s = raw_stage_full(about, n);
    raw_fini(&s->groups[1]);
    raw_init(&s->groups[1], five_types, THREE, n);
    raw_warm(&s->groups[1], five_types);
    return s;
}

static uint64_t raw_transfer(void* state) {
    raw_stage* s = state;
    raw_world *from = &s->groups[0], *to = &s->groups[1];
    const uint32_t n = s->n;
    to->used = n;
    for (uint32_t k = 0; k < 3; k++) {
        memcpy(to->columns[k], from->columns[k], n * five_types[k]->size);
    }
    for (uint32_t i = 0; i < n; i++) {
        to->mask[i] = from->mask[i];
        raw_destroy(from, s->slots[i]);
        s->slots[i] = i;
    }
    return n;
}

typedef struct leaving {
    ilk_stage* stage;
    ilk_world* other;
} leaving;

static void* ilk_stage_to_leave(const void* about, uint32_t n) {
    leaving* s = stage_alloc(1, sizeof *s);
    s->stage = ilk_stage_full(about, n);
    s->other = ilk_world_create(NULL);
    return s;
}

static uint64_t ilk_transfer_all(void* state) {
    leaving* s = state;
    ilk_stage* stage = s->stage;
    ilk_result result =
        ilk_transfer(stage->world, stage->entities, stage->n, s->other, stage->entities);
    stage->sum += result != ILK_OK;
    return stage->n;
}

// Nobody is left where they were.
static uint64_t left_checksum(const void* state) {
    const leaving* s = state;
    ilk_stage there = *s->stage;
    there.world = s->other;
    return ilk_stage_checksum(&there) + ilk_stats(s->stage->world).alive;
}

static void free_left(void* state) {
    leaving* s = state;
    ilk_world_destroy(s->other);
    ilk_stage_free(s->stage);
    free(s);
}

const bench_work work_spawn_blueprint = {
    .about = &five_people,
    .raw = RAW_SIDE(empty, raw_spawn_blueprint),
    .ilk = ILK_SIDE(with_blueprint, ilk_spawn_blueprint),
    .changes = true,
};

const bench_work work_clone_1 = {
    .about = &five_people,
    .raw = RAW_SIDE(empty, raw_clone),
    .ilk = ILK_SIDE(with_blueprint, ilk_clone),
    .changes = true,
};

const bench_work work_transfer_100k = {
    .about = &three_people,
    .raw = RAW_SIDE(to_leave, raw_transfer),
    .ilk = {ilk_stage_to_leave, ilk_transfer_all, left_checksum, free_left, NULL},
    .changes = true,
};
