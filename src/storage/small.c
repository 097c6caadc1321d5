#include "small.h"

#include <string.h>

size_t ilki_small_bytes(uint32_t rows) {
    return sizeof(ilki_small) + ilki_words(rows) * sizeof(uint64_t) + rows;
}

bool ilki_small_is_dense(const ilki_directory* directory, const ilki_block* block) {
    uint32_t rows = ilki_small_of(block)->rows;
    return block->count >= rows / 4 && directory->size <= ILKI_BLOCK_BYTES_MAX / rows;
}

// The low bytes of slots, by row.
static uint8_t* low_of(const ilki_small* small) {
    return (uint8_t*)(uintptr_t)(small->taken + ilki_words(small->rows));
}

static uint32_t first_slot(uint32_t segment) {
    return (1u << segment) - 1;
}

// Slots of a segment. The last one need not be whole: there are no more slots than rows.
static uint32_t slots_in(uint32_t segment, uint32_t rows) {
    uint32_t first = first_slot(segment), after = first_slot(segment + 1);
    return (after < rows ? after : rows) - first;
}

static uint32_t segment_of(uint32_t slot) {
    return 31 - (uint32_t)__builtin_clz(slot + 1);
}

static size_t segment_bytes(const ilki_directory* directory, uint32_t segment, uint32_t rows) {
    return slots_in(segment, rows) * directory->size;
}

void* ilki_small_slot_at(const ilki_directory* directory, const ilki_block* block, uint32_t slot) {
    uint32_t segment = segment_of(slot);
    unsigned char* memory = ilki_small_of(block)->segments[segment];
    return memory ? memory + (slot - first_slot(segment)) * directory->size : NULL;
}

uint32_t ilki_small_slot(const ilki_block* block, uint32_t row) {
    const ilki_small* small = ilki_small_of(block);
    uint32_t high = small->high ? small->high[row] : 0u;
    return low_of(small)[row] | high << 8;
}

ILKI_NOINLINE void* ilki_small_value(const ilki_directory* directory, const ilki_block* block,
                                     uint32_t row) {
    return ilki_small_slot_at(directory, block, ilki_small_slot(block, row));
}

static bool add_segment(const ilki_directory* directory, ilki_small* small, ilki_pool* pool,
                        uint32_t segment) {
    if (directory->size > SIZE_MAX / 2 / slots_in(segment, small->rows)) return false;
    size_t bytes = segment_bytes(directory, segment, small->rows);
    small->segments[segment] = ilki_pool_alloc(pool, ILKI_VALUES, bytes, directory->type->align);
#ifdef ILK_CHECKED
    if (small->segments[segment]) ilki_poison(small->segments[segment], bytes);
#endif
    return small->segments[segment] != NULL;
}

bool ilki_small_ready(const ilki_directory* directory, const ilki_block* block, ilki_pool* pool,
                      uint32_t count) {
    ilki_small* small = ilki_small_of(block);
    uint32_t needed = block->count + count;
    bool has_slots = !needed || small->segments[segment_of(needed - 1)]; // they are made in order
    if (ILKI_LIKELY(has_slots && (needed <= 256 || small->high))) return true;
    if (needed > 256 && !small->high) {
        small->high = ilki_pool_alloc(pool, ILKI_VALUES, small->rows, 1);
        if (!small->high) return false;
        memset(small->high, 0, small->rows);
    }
    for (uint32_t i = 0; first_slot(i) < needed; i++) {
        if (!small->segments[i] && !add_segment(directory, small, pool, i)) return false;
    }
    return true;
}

void ilki_small_take(const ilki_block* block, uint32_t row) {
    ilki_small* small = ilki_small_of(block);
    uint32_t slot = ilki_bits_next_clear(small->taken, small->rows, small->lowest);
    ilki_bit_set(small->taken, slot);
    small->lowest = slot + 1;
    low_of(small)[row] = (uint8_t)slot;
    if (small->high) small->high[row] = (uint8_t)(slot >> 8);
}

bool ilki_small_give_slots(const ilki_block* block, const uint64_t* rows, const uint32_t* slots) {
    ilki_small* small = ilki_small_of(block);
    memset(small->taken, 0, ilki_words(small->rows) * sizeof *small->taken);
    small->lowest = small->reserved = 0;
    for (uint32_t row = 0; row < small->rows; row++) {
        if (!ilki_bit(rows, row)) continue;
        if (ilki_bit(small->taken, slots[row])) return false;
        ilki_bit_set(small->taken, slots[row]);
        low_of(small)[row] = (uint8_t)slots[row];
        if (small->high) small->high[row] = (uint8_t)(slots[row] >> 8);
    }
    return true;
}

void ilki_small_give_back(const ilki_block* block, uint32_t row) {
    ilki_small* small = ilki_small_of(block);
    uint32_t slot = ilki_small_slot(block, row);
    ilki_bit_clear(small->taken, slot);
    if (slot < small->lowest) small->lowest = slot;
}

uint32_t ilki_small_run(const ilki_block* block, uint32_t row, uint32_t count) {
    uint32_t first = ilki_small_slot(block, row);
    uint32_t last_of_segment = first_slot(segment_of(first) + 1) - 1;
    uint32_t run = 1;
    if (count > last_of_segment - first + 1) count = last_of_segment - first + 1;
    while (run < count && ilki_small_slot(block, row + run) == first + run) run++;
    return run;
}

size_t ilki_small_segment_bytes(const ilki_directory* directory, const ilki_block* block) {
    size_t bytes = ilki_small_of(block)->high ? ilki_small_of(block)->rows : 0;
    for (uint32_t i = 0; i < ILKI_SEGMENTS; i++) {
        const ilki_small* small = ilki_small_of(block);
        if (small->segments[i]) bytes += segment_bytes(directory, i, small->rows);
    }
    return bytes;
}

size_t ilki_small_segments_held(const ilki_directory* directory, const ilki_block* block) {
    const ilki_small* small = ilki_small_of(block);
    size_t bytes = small->high ? ilki_pool_bytes(small->rows, 1) : 0;
    for (uint32_t i = 0; i < ILKI_SEGMENTS; i++) {
        if (!small->segments[i]) continue;
        bytes += ilki_pool_bytes(segment_bytes(directory, i, small->rows), directory->type->align);
    }
    return bytes;
}

void ilki_small_free_segments(const ilki_directory* directory, const ilki_block* block,
                              ilki_pool* pool) {
    const ilki_small* small = ilki_small_of(block);
    ilki_pool_free(pool, ILKI_VALUES, small->high, small->rows, 1);
    for (uint32_t i = 0; i < ILKI_SEGMENTS; i++) {
        if (!small->segments[i]) continue; // it may be one that cannot be, and has no size
        ilki_pool_free(pool, ILKI_VALUES, small->segments[i],
                       segment_bytes(directory, i, small->rows), directory->type->align);
    }
}

static void* clone_memory(const void* bytes, size_t size, size_t align, ilki_pool* pool) {
    void* clone = ilki_pool_alloc(pool, ILKI_VALUES, size, align);
    if (clone) memcpy(clone, bytes, size);
    return clone;
}

bool ilki_small_clone_segments(const ilki_directory* directory, const ilki_block* block,
                               const ilki_block* clone, ilki_pool* pool) {
    const ilki_small* from = ilki_small_of(block);
    ilki_small* to = ilki_small_of(clone);
    memset(to->segments, 0, sizeof to->segments);
    to->high = NULL;
    if (from->high) to->high = clone_memory(from->high, from->rows, 1, pool);
    bool is_whole = !from->high || to->high;
    for (uint32_t i = 0; i < ILKI_SEGMENTS && is_whole; i++) {
        if (!from->segments[i]) continue;
        to->segments[i] = clone_memory(from->segments[i], segment_bytes(directory, i, from->rows),
                                       directory->type->align, pool);
        is_whole = to->segments[i] != NULL;
    }
    return is_whole;
}
