#include "raw.h"

#include "stage.h"

#include <stdlib.h>
#include <string.h>

void raw_init(raw_world* world, ilk_type* const* types, uint32_t mask, uint32_t capacity) {
    *world = (raw_world){.capacity = capacity};
    world->mask = stage_alloc(capacity, sizeof(uint32_t));
    world->free_list = stage_alloc(capacity, sizeof(uint32_t));
    for (uint32_t k = 0; mask >> k; k++) {
        if (mask >> k & 1) world->columns[k] = stage_alloc(capacity, types[k]->size);
    }
}

void raw_fini(raw_world* world) {
    for (uint32_t k = 0; k < RAW_COLUMNS; k++) free(world->columns[k]);
    free(world->free_list);
    free(world->mask);
}

void raw_warm(raw_world* world, ilk_type* const* types) {
    memset(world->mask, 0, world->capacity * sizeof(uint32_t));
    memset(world->free_list, 0, world->capacity * sizeof(uint32_t));
    for (uint32_t k = 0; k < RAW_COLUMNS; k++) {
        if (world->columns[k]) memset(world->columns[k], 0, world->capacity * types[k]->size);
    }
}
