// raw: the same work by hand. Flat arrays indexed by slot, a presence mask for each slot, a list
// of free slots; no generations, no checks. Where the work has groups there is one for each.
#ifndef BENCH_RAW_H
#define BENCH_RAW_H

#include "ilk/ilk.h"

#define RAW_COLUMNS 31
#define RAW_ALIVE (1u << 31)

// Bit k of a slot's mask says that it has a value in column k.
typedef struct raw_world {
    uint32_t capacity, used, free_count;
    uint32_t* mask;
    uint32_t* free_list;
    void* columns[RAW_COLUMNS]; // NULL where no slot ever has a value
} raw_world;

// Make room for all slots at once. Columns are made for the types whose bit is set in `mask`. No
// memory is touched yet.
void raw_init(raw_world* world, ilk_type* const* types, uint32_t mask, uint32_t capacity);
void raw_fini(raw_world* world);

// Touch all memory, so that the work meets no page fault.
void raw_warm(raw_world* world, ilk_type* const* types);

static inline uint32_t raw_create(raw_world* world, uint32_t mask) {
    const uint32_t slot = world->free_count ? world->free_list[--world->free_count] : world->used++;
    world->mask[slot] = mask | RAW_ALIVE;
    return slot;
}

static inline void raw_destroy(raw_world* world, uint32_t slot) {
    world->mask[slot] = 0;
    world->free_list[world->free_count++] = slot;
}

#endif
