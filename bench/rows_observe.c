// Observers: what they cost when nobody listens, and when somebody does.
//
// observer_none is add_remove_1 in a world that has observers of another type and had one of this,
// as a share of the same in a world that never had any. observer_add is add_remove_1 with a
// listener to what is added, which sums up the values; raw calls a function through a pointer.
#include "rows.h"
#include "stage.h"

#define FOUR 15u
#define ADDED 4

static ilk_type* const types[] = {&Position_type, &Velocity_type, &Comflab_type, &Health_type,
                                  &Tagdata_type};
static const population people = {types, 5, .all = FOUR, .spare = 1u << ADDED};

static uint64_t told; // the sum of what was added, which is the same for each run

static ilk_result listen(ilk_notice* notice) {
    told += (uint64_t)((const Tagdata*)notice->value)->v;
    return ILK_OK;
}

static ilk_observer* observe(ilk_world* world, ilk_type* type) {
    return ilk_observer_create(world,
                               &(ilk_observer_desc){.on = ILK_ON_ADD, .type = type, .run = listen});
}

static void* stage_unheard(const void* about, uint32_t n) {
    ilk_stage* s = ilk_stage_full(about, n);
    ilk_observer_destroy(observe(s->world, &Tagdata_type));
    if (!observe(s->world, &Data_type)) s->sum++; // the sums differ then
    return s;
}

static void* stage_heard(const void* about, uint32_t n) {
    ilk_stage* s = ilk_stage_full(about, n);
    if (!observe(s->world, &Tagdata_type)) s->sum++;
    return s;
}

static uint64_t ilk_add_and_remove(void* state) {
    ilk_stage* s = state;
    told = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const Tagdata value = {(int)i};
        s->sum += ilk_add(s->world, s->entities[i], ILK_VALUE_AT(Tagdata, &value)) != ILK_OK;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        s->sum += ilk_remove(s->world, s->entities[i], &Tagdata_type) != ILK_OK;
    }
    s->sum += told;
    return s->n;
}

static void raw_listen(const Tagdata* value) {
    told += (uint64_t)value->v;
}

static void (*volatile raw_listener)(const Tagdata*) = raw_listen;

static uint64_t raw_add_and_remove(void* state) {
    raw_stage* s = state;
    raw_world* world = &s->groups[0];
    Tagdata* column = world->columns[ADDED];
    told = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t slot = s->slots[i];
        column[slot].v = (int)i;
        world->mask[slot] |= 1u << ADDED;
        raw_listener(&column[slot]);
    }
    bench_barrier();
    for (uint32_t i = 0; i < s->n; i++) world->mask[s->slots[i]] &= ~(1u << ADDED);
    s->sum += told;
    return s->n;
}

const bench_work work_observer_none = {
    .about = &people,
    .ilk = {stage_unheard, ilk_add_and_remove, ilk_stage_checksum, ilk_stage_free, NULL},
    .full = ILK_SIDE(full, ilk_add_and_remove),
    .changes = true,
};

const bench_work work_observer_add = {
    .about = &people,
    .raw = RAW_SIDE(full, raw_add_and_remove),
    .ilk = {stage_heard, ilk_add_and_remove, ilk_stage_checksum, ilk_stage_free, NULL},
    .changes = true,
};
