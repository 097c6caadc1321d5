// Memory: what N entities add to the resident memory of a process, and what an empty world costs.
#include "rows.h"
#include "stage.h"

#include <stdlib.h>

static ilk_type* const types[] = {&Position_type, &Velocity_type, &Comflab_type};
#define THREE 7u // the mask of all of them

static void raw_three(raw_world* world, uint32_t n) {
    raw_init(world, types, THREE, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t slot = raw_create(world, THREE);
        component_fill((Position*)world->columns[0] + slot, sizeof(Position), i);
        component_fill((Velocity*)world->columns[1] + slot, sizeof(Velocity), i);
        component_fill((Comflab*)world->columns[2] + slot, sizeof(Comflab), i);
    }
}

// The handles go to `entities`, or nowhere.
static void ilk_three(ilk_world* world, ilk_entity* entities, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        Position position;
        Velocity velocity;
        Comflab comflab;
        component_fill(&position, sizeof position, i);
        component_fill(&velocity, sizeof velocity, i);
        component_fill(&comflab, sizeof comflab, i);
        const ilk_entity e =
            ILK_SPAWN(world, ILK_VALUE_AT(Position, &position), ILK_VALUE_AT(Velocity, &velocity),
                      ILK_VALUE_AT(Comflab, &comflab));
        if (entities) entities[i] = e;
    }
}

static double growth(size_t before, uint32_t count) {
    return (double)(bench_resident() - before) / count;
}

static double raw_mem_3(uint32_t n) {
    const size_t before = bench_resident();
    raw_world world;
    raw_three(&world, n);
    return growth(before, n);
}

static double ilk_mem_3(uint32_t n) {
    const size_t before = bench_resident();
    ilk_world* world = ilk_world_create(NULL);
    ilk_three(world, NULL, n);
    return growth(before, n);
}

// By hand, the few who have it stand in an array of their own.
static double raw_mem_rare(uint32_t n) {
    const uint32_t count = n / 100;
    const size_t before = bench_resident();
    Mat* values = stage_alloc(count, sizeof *values);
    for (uint32_t i = 0; i < count; i++) component_fill(&values[i], sizeof *values, i);
    bench_barrier();
    return growth(before, count);
}

static double ilk_mem_rare(uint32_t n) {
    const uint32_t count = n / 100;
    const uint32_t* order = stage_order(n);
    ilk_entity* entities = stage_alloc(n, sizeof *entities);
    ilk_world* world = ilk_world_create(NULL);
    ilk_three(world, entities, n);
    const size_t before = bench_resident();
    for (uint32_t i = 0; i < count; i++) {
        Mat value;
        component_fill(&value, sizeof value, i);
        ilk_add(world, entities[order[i]], ILK_VALUE_AT(Mat, &value));
    }
    return growth(before, count);
}

// An allocator that counts what is held.
static void* count_alloc(void* context, size_t size, size_t align) {
    const size_t least = align < sizeof(void*) ? sizeof(void*) : align;
    *(size_t*)context += size;
    return aligned_alloc(least, (size + least - 1) / least * least);
}

static void count_free(void* context, void* memory, size_t size, size_t align) {
    (void)align;
    *(size_t*)context -= size;
    free(memory);
}

static double world_heap(uint32_t n) {
    (void)n;
    size_t held = 0;
    ilk_world* world = ilk_world_create(&(ilk_world_desc){
        .allocator = {count_alloc, count_free, &held},
    });
    const size_t bytes = held;
    ilk_world_destroy(world);
    return held == 0 ? (double)bytes : -1;
}

static void* no_stage(const void* about, uint32_t n) {
    (void)about, (void)n;
    return NULL;
}

static void no_stage_free(void* state) {
    (void)state;
}

static uint64_t no_checksum(const void* state) {
    (void)state;
    return 0;
}

static uint64_t world_create_destroy(void* state) {
    (void)state;
    ilk_world_destroy(ilk_world_create(NULL));
    return 1;
}

const bench_work work_mem_3 = {.raw_bytes = raw_mem_3, .ilk_bytes = ilk_mem_3};
const bench_work work_mem_rare_1pct = {.raw_bytes = raw_mem_rare, .ilk_bytes = ilk_mem_rare};
const bench_work work_world_empty_heap = {.ilk_bytes = world_heap};
const bench_work work_world_empty_time = {
    .ilk = {no_stage, world_create_destroy, no_checksum, no_stage_free, NULL},
};
