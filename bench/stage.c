#include "stage.h"

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64

void* stage_alloc(size_t count, size_t size) {
    const size_t bytes = (count * size + LINE) / LINE * LINE;
    void* memory = aligned_alloc(LINE, bytes);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(EXIT_FAILURE);
    }
    return memory;
}

uint32_t stage_hash(uint32_t i) {
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

static uint32_t below(uint32_t i, uint32_t limit) {
    return (uint32_t)((uint64_t)stage_hash(i) * limit >> 32);
}

static uint32_t* order_make(uint32_t n) {
    uint32_t* order = stage_alloc(n, sizeof *order);
    for (uint32_t i = 0; i < n; i++) order[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t other = below(i, i), last = order[i - 1];
        order[i - 1] = order[other];
        order[other] = last;
    }
    return order;
}

static uint32_t* picks_make(uint32_t n) {
    uint32_t* picks = stage_alloc(n, sizeof *picks);
    for (uint32_t i = 0; i < n; i++) picks[i] = below(i + 0x9e3779b9u, n);
    return picks;
}

// Numbers of the size asked for last.
typedef struct numbers {
    uint32_t n;
    uint32_t* list;
} numbers;

static const uint32_t* kept(numbers* kept, uint32_t n, uint32_t* (*make)(uint32_t)) {
    if (kept->n != n) {
        free(kept->list);
        kept->list = make(n);
        kept->n = n;
    }
    return kept->list;
}

const uint32_t* stage_order(uint32_t n) {
    static numbers order;
    return kept(&order, n, order_make);
}

const uint32_t* stage_picks(uint32_t n) {
    static numbers picks;
    return kept(&picks, n, picks_make);
}

bool stage_half(uint32_t i, uint32_t n) {
    return stage_order(n)[i] < n / 2;
}

static uint32_t group_of(const population* people, uint32_t i, uint32_t n) {
    return people->group ? people->group(i, n) : 0;
}

static uint32_t born_of(const population* people, uint32_t i, uint32_t n) {
    return people->all | (people->born ? people->born(i, n) : 0);
}

static uint32_t later_of(const population* people, uint32_t i, uint32_t n) {
    return people->later ? people->later(i, n) : 0;
}

// How many entities each group has, and which types any of them ever has.
static void groups_count(const population* people, uint32_t n, uint32_t* sizes, uint32_t* masks) {
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t g = group_of(people, i, n);
        sizes[g]++;
        masks[g] |= born_of(people, i, n) | later_of(people, i, n);
    }
}

void* raw_stage_empty(const void* about, uint32_t n) {
    const population* people = about;
    raw_stage* stage = stage_alloc(1, sizeof *stage);
    *stage = (raw_stage){.people = people, .n = n, .picks = stage_picks(n)};
    stage->group_count = people->groups ? people->groups : 1;
    stage->groups = stage_alloc(stage->group_count, sizeof *stage->groups);
    stage->slots = stage_alloc(n, sizeof *stage->slots);
    memset(stage->slots, 0, n * sizeof *stage->slots);
    uint32_t sizes[MOST_GROUPS] = {0}, masks[MOST_GROUPS] = {0};
    groups_count(people, n, sizes, masks);
    for (uint32_t g = 0; g < stage->group_count; g++) {
        raw_init(&stage->groups[g], people->types, masks[g] | people->spare, sizes[g]);
        raw_warm(&stage->groups[g], people->types);
    }
    return stage;
}

static void fill_value(const population* people, uint32_t k, void* value, uint32_t i) {
    const ilk_type* type = people->types[k];
    if (people->fill)
        people->fill(type, value, i);
    else
        component_fill(value, type->size, i);
}

static uint32_t raw_populate(raw_stage* stage, uint32_t i) {
    const population* people = stage->people;
    raw_world* world = &stage->groups[group_of(people, i, stage->n)];
    const uint32_t mask = born_of(people, i, stage->n) | later_of(people, i, stage->n);
    const uint32_t slot = raw_create(world, mask);
    for (uint32_t k = 0; mask >> k; k++) {
        const size_t size = people->types[k]->size;
        if (mask >> k & 1) fill_value(people, k, (char*)world->columns[k] + slot * size, i);
    }
    return slot;
}

void* raw_stage_full(const void* people, uint32_t n) {
    raw_stage* stage = raw_stage_empty(people, n);
    for (uint32_t i = 0; i < n; i++) stage->slots[i] = raw_populate(stage, i);
    return stage;
}

static ilk_stage* stage_empty_in(const ilk_world_desc* desc, const population* people, uint32_t n) {
    ilk_stage* stage = stage_alloc(1, sizeof *stage);
    *stage = (ilk_stage){.people = people, .n = n, .picks = stage_picks(n)};
    stage->entities = stage_alloc(n, sizeof *stage->entities);
    memset(stage->entities, 0, n * sizeof *stage->entities);
    stage->world = ilk_world_create(desc);
    if (!stage->world) {
        fprintf(stderr, "no world\n");
        exit(EXIT_FAILURE);
    }
    return stage;
}

void* ilk_stage_empty(const void* people, uint32_t n) {
    return stage_empty_in(NULL, people, n);
}

// The values of the types of a mask, as entity i starts with them.
typedef struct values {
    ilk_value list[RAW_COLUMNS];
    uint32_t count;
    Mat bytes[RAW_COLUMNS];
} values;

static void values_of(values* v, const population* people, uint32_t mask, uint32_t i) {
    v->count = 0;
    for (uint32_t k = 0; mask >> k; k++) {
        if (!(mask >> k & 1)) continue;
        fill_value(people, k, &v->bytes[v->count], i);
        v->list[v->count] = (ilk_value){people->types[k], &v->bytes[v->count]};
        v->count++;
    }
}

static void give_later(ilk_stage* stage, uint32_t i) {
    values v;
    values_of(&v, stage->people, stage->people->later(i, stage->n), i);
    for (uint32_t k = 0; k < v.count; k++) ilk_add(stage->world, stage->entities[i], v.list[k]);
}

static void switch_off(ilk_stage* stage, uint32_t i) {
    const uint32_t mask = stage->people->off(i, stage->n);
    for (uint32_t k = 0; mask >> k; k++) {
        if (mask >> k & 1) ilk_disable(stage->world, stage->entities[i], stage->people->types[k]);
    }
}

// How many entities from i on are born with the same types as i.
static uint32_t alike_from(const population* people, uint32_t i, uint32_t n) {
    uint32_t count = 1;
    while (i + count < n && born_of(people, i + count, n) == born_of(people, i, n)) count++;
    return count;
}

// Without this, the few of each of very many sets would live together.
static void reserve_sets(const ilk_stage* stage) {
    const population* people = stage->people;
    for (uint32_t i = 0, count; i < stage->n; i += count) {
        const uint32_t mask = born_of(people, i, stage->n);
        ilk_type* types[RAW_COLUMNS];
        uint32_t type_count = 0;
        for (uint32_t k = 0; mask >> k; k++) {
            if (mask >> k & 1) types[type_count++] = people->types[k];
        }
        count = alike_from(people, i, stage->n);
        ilk_reserve(stage->world, count, types, type_count);
    }
}

ilk_stage* ilk_stage_full_in(const ilk_world_desc* desc, const population* people, uint32_t n) {
    ilk_stage* stage = stage_empty_in(desc, people, n);
    if (people->reserves) reserve_sets(stage);
    for (uint32_t i = 0; i < n; i++) {
        values v;
        values_of(&v, people, born_of(people, i, n), i);
        stage->entities[i] = ilk_spawn(stage->world, v.list, v.count);
    }
    for (uint32_t i = 0; people->later && i < n; i++) {
        give_later(stage, people->at_random ? stage_order(n)[i] : i);
    }
    for (uint32_t i = 0; people->off && i < n; i++) switch_off(stage, i);
    return stage;
}

void* ilk_stage_full(const void* people, uint32_t n) {
    return ilk_stage_full_in(NULL, people, n);
}

void* raw_stage_shuffled(const void* people, uint32_t n) {
    raw_stage* stage = raw_stage_full(people, n);
    uint32_t* shuffled = stage_alloc(n, sizeof *shuffled);
    for (uint32_t i = 0; i < n; i++) shuffled[i] = stage->slots[stage_order(n)[i]];
    free(stage->slots);
    stage->slots = shuffled;
    return stage;
}

void* ilk_stage_shuffled(const void* people, uint32_t n) {
    ilk_stage* stage = ilk_stage_full(people, n);
    ilk_entity* shuffled = stage_alloc(n, sizeof *shuffled);
    for (uint32_t i = 0; i < n; i++) shuffled[i] = stage->entities[stage_order(n)[i]];
    free(stage->entities);
    stage->entities = shuffled;
    return stage;
}

void* ilk_stage_settled(const void* people, uint32_t n) {
    ilk_stage* stage = ilk_stage_full(people, n);
    ilk_settle(stage->world, 0);
    return stage;
}

static uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

static uint64_t mix_value(uint64_t h, uint32_t k, const void* value, size_t size) {
    h = mix(h, k + 1);
    for (size_t at = 0; at < size; at += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, (const char*)value + at, sizeof word);
        h = mix(h, word);
    }
    return h;
}

static uint64_t raw_row_checksum(const raw_world* world, const population* people, uint32_t slot) {
    uint64_t h = 1;
    for (uint32_t k = 0; k < people->type_count; k++) {
        const size_t size = people->types[k]->size;
        if (!(world->mask[slot] >> k & 1)) continue;
        h = mix_value(h, k, (const char*)world->columns[k] + slot * size, size);
    }
    return h;
}

uint64_t raw_stage_checksum(const void* state) {
    const raw_stage* stage = state;
    uint64_t sum = stage->sum;
    for (uint32_t g = 0; g < stage->group_count; g++) {
        const raw_world* world = &stage->groups[g];
        for (uint32_t slot = 0; slot < world->used; slot++) {
            if (!(world->mask[slot] & RAW_ALIVE)) continue;
            sum += raw_row_checksum(world, stage->people, slot);
        }
    }
    return sum;
}

static uint64_t ilk_row_checksum(const ilk_world* world, const population* people, ilk_entity e) {
    uint64_t h = 1;
    for (uint32_t k = 0; k < people->type_count; k++) {
        ilk_type* type = people->types[k];
        if (ilk_has(world, e, type)) h = mix_value(h, k, ilk_get(world, e, type, NULL), type->size);
    }
    return h;
}

uint64_t ilk_stage_checksum(const void* state) {
    const ilk_stage* stage = state;
    const uint32_t slots = ilk_stats(stage->world).slots;
    uint64_t sum = stage->sum;
    for (uint32_t i = 0; i < slots; i++) {
        const ilk_entity e = ilk_entity_at(stage->world, i);
        if (!ilk_is_null(e)) sum += ilk_row_checksum(stage->world, stage->people, e);
    }
    return sum;
}

void raw_stage_free(void* state) {
    raw_stage* stage = state;
    for (uint32_t g = 0; g < stage->group_count; g++) raw_fini(&stage->groups[g]);
    free(stage->groups);
    free(stage->slots);
    free(stage);
}

void ilk_stage_free(void* state) {
    ilk_stage* stage = state;
    ilk_world_destroy(stage->world);
    free(stage->entities);
    free(stage);
}
