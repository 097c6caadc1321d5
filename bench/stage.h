// Stages: what a work runs on, set up alike for raw and for ilk from one description.
#ifndef BENCH_STAGE_H
#define BENCH_STAGE_H

#include "components.h"
#include "raw.h"

#define MOST_GROUPS 256

// Something about entity i of n.
typedef uint32_t population_fn(uint32_t i, uint32_t n);

// The value of a type that entity i starts with.
typedef void population_fill_fn(const ilk_type* type, void* value, uint32_t i);

// Which entities there are. Masks have bit k for types[k].
typedef struct population {
    ilk_type* const* types;
    uint32_t type_count;
    uint32_t all;             // types that all are spawned with
    population_fn* born;      // types that entity i is spawned with beside them; may be NULL
    population_fn* later;     // types it is given when all are there; may be NULL
    bool at_random;           // what is given later is given in shuffled order
    population_fn* off;       // types that are then switched off; may be NULL
    bool reserves;            // ilk is told of each set beforehand; those of a set come in a row
    population_fn* group;     // which of raw's groups it is in; NULL: the only one
    uint32_t groups;          // how many there are; 0 means 1
    uint32_t spare;           // types that raw needs columns for, though nobody has them at first
    population_fill_fn* fill; // NULL: as component_fill does it
} population;

typedef struct raw_stage {
    const population* people;
    uint32_t n;
    uint32_t* slots;       // of entity i in its group
    const uint32_t* picks; // n random numbers below n
    uint64_t sum;          // what the work has summed up
    uint32_t group_count;
    raw_world* groups;
} raw_stage;

typedef struct ilk_stage {
    const population* people;
    uint32_t n;
    ilk_world* world;
    ilk_query* query; // made by the first pass, if there is one
    ilk_entity* entities;
    const uint32_t* picks;
    uint64_t sum;
} ilk_stage;

// Ways to set up a stage for a population: with room, but nobody there; with everybody there, by
// creation; the same with slots and handles in an order that is random but the same for both; and
// the same, settled.
void* raw_stage_empty(const void* people, uint32_t n);
void* ilk_stage_empty(const void* people, uint32_t n);
void* raw_stage_full(const void* people, uint32_t n);
void* ilk_stage_full(const void* people, uint32_t n);
void* raw_stage_shuffled(const void* people, uint32_t n);
void* ilk_stage_shuffled(const void* people, uint32_t n);
void* ilk_stage_settled(const void* people, uint32_t n);

// With everybody there, in a world of a description.
ilk_stage* ilk_stage_full_in(const ilk_world_desc* desc, const population* people, uint32_t n);

// A sum over the values of all who are alive; equal if both stages hold the same entities.
uint64_t raw_stage_checksum(const void* stage);
uint64_t ilk_stage_checksum(const void* stage);

void raw_stage_free(void* stage);
void ilk_stage_free(void* stage);

// The two sides of a work, on stages set up in one of these ways.
#define RAW_SIDE(way, run) {raw_stage_##way, run, raw_stage_checksum, raw_stage_free, NULL}
#define ILK_SIDE(way, run) {ilk_stage_##way, run, ilk_stage_checksum, ilk_stage_free, NULL}

// A permutation of 0…n-1, and n random numbers below n. Good until asked for another n.
const uint32_t* stage_order(uint32_t n);
const uint32_t* stage_picks(uint32_t n);

// Half of the numbers below n, exactly, at random.
bool stage_half(uint32_t i, uint32_t n);

uint32_t stage_hash(uint32_t i);

// Memory for an array, aligned to cache lines. Ends the program if there is none.
void* stage_alloc(size_t count, size_t size);

#endif
