#include "small.h"

#include <string.h>

size_t ilki_small_bytes(uint32_t rows) {
    return sizeof(ilki_small) + rows * sizeof(uint16_t);
}

static uint32_t first_slot(uint32_t segment) {
    return ILKI_SEGMENT_SLOTS * ((1u << segment) - 1);
}

// Slots of a segment. The last one need not be whole: there are no more slots than rows.
static uint32_t slots_in(uint32_t segment, uint32_t rows) {
    uint32_t first = first_slot(segment), after = first_slot(segment + 1);
    return (after < rows ? after : rows) - first;
}

static uint32_t segment_of(uint32_t slot) {
    return 31 - (uint32_t)__builtin_clz(slot / ILKI_SEGMENT_SLOTS + 1);
}

static unsigned char* slot_at(const ilki_small* small, uint32_t slot, size_t size) {
    uint32_t segment = segment_of(slot);
    return small->segments[segment] + (slot - first_slot(segment)) * size;
}

static size_t segment_bytes(const ilki_directory* directory, uint32_t segment, uint32_t rows) {
    return slots_in(segment, rows) * directory->size;
}

ILKI_NOINLINE void* ilki_small_value(const ilki_directory* directory, const ilki_block* block,
                                     uint32_t row) {
    const ilki_small* small = ilki_small_of(block);
    return slot_at(small, small->slots[row], directory->size);
}

static bool add_segment(const ilki_directory* directory, ilki_small* small, ilki_pool* pool,
                        uint32_t segment, uint32_t rows) {
    size_t bytes = segment_bytes(directory, segment, rows);
    small->segments[segment] = ilki_pool_alloc(pool, ILKI_VALUES, bytes, directory->type->align);
#ifdef ILK_CHECKED
    if (small->segments[segment]) ilki_poison(small->segments[segment], bytes);
#endif
    return small->segments[segment] != NULL;
}

bool ilki_small_ready(ilki_directory* directory, ilki_block* block, ilki_pool* pool, uint32_t rows,
                      uint32_t count) {
    ilki_small* small = ilki_small_of(block);
    uint32_t needed = block->count + count;
    for (uint32_t i = 0; i < ILKI_SEGMENTS && first_slot(i) < needed; i++) {
        if (!small->segments[i] && !add_segment(directory, small, pool, i, rows)) return false;
    }
    return true;
}

void ilki_small_take(const ilki_directory* directory, const ilki_block* block, uint32_t row) {
    ilki_small* small = ilki_small_of(block);
    if (!small->free) {
        small->slots[row] = small->fresh++;
        return;
    }
    uint16_t slot = (uint16_t)(small->free - 1);
    unsigned char* value = slot_at(small, slot, directory->size);
    memcpy(&small->free, value, sizeof small->free);
    small->slots[row] = slot;
#ifdef ILK_CHECKED
    ilki_poison(value, sizeof small->free);
#endif
}

void ilki_small_give_back(const ilki_directory* directory, const ilki_block* block, uint32_t row) {
    ilki_small* small = ilki_small_of(block);
    uint16_t slot = small->slots[row];
    memcpy(slot_at(small, slot, directory->size), &small->free, sizeof small->free);
    small->free = (uint16_t)(slot + 1);
}

uint32_t ilki_small_run(const ilki_block* block, uint32_t row, uint32_t count) {
    const uint16_t* slots = ilki_small_of(block)->slots + row;
    uint32_t segment = segment_of(slots[0]);
    uint32_t run = 1;
    while (run < count && slots[run] == slots[0] + run && segment_of(slots[run]) == segment) run++;
    return run;
}

uint32_t ilki_small_count_free(const ilki_directory* directory, const ilki_block* block) {
    const ilki_small* small = ilki_small_of(block);
    uint32_t count = 0;
    for (uint16_t next = small->free; next && count <= small->fresh; count++) {
        memcpy(&next, slot_at(small, next - 1u, directory->size), sizeof next);
    }
    return count;
}

size_t ilki_small_segment_bytes(const ilki_directory* directory, const ilki_block* block,
                                uint32_t rows) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < ILKI_SEGMENTS; i++) {
        if (ilki_small_of(block)->segments[i]) bytes += segment_bytes(directory, i, rows);
    }
    return bytes;
}

void ilki_small_free_segments(const ilki_directory* directory, ilki_block* block, ilki_pool* pool,
                              uint32_t rows) {
    for (uint32_t i = 0; i < ILKI_SEGMENTS; i++) {
        unsigned char* segment = ilki_small_of(block)->segments[i];
        if (!segment) continue; // the size of one that cannot be is not to be asked for
        ilki_pool_free(pool, ILKI_VALUES, segment, segment_bytes(directory, i, rows),
                       directory->type->align);
    }
}
