// Small guests: a block for few of many rows.
//
// A type that would need much memory for every row of a chunk, and that only some rows have, keeps
// its values in *slots*. The block holds two bytes per row, which name the row's slot; slots come
// in segments of 8, 16, 32… that never move. So a rare component does not pay for those who lack
// it. Settling gives the block its natural form, a value per row, once a quarter of the rows have
// it.
#ifndef ILKI_SMALL_H
#define ILKI_SMALL_H

#include "directory.h"

#define ILKI_SEGMENTS 9u      // enough for ILKI_ROWS_MAX slots
#define ILKI_SEGMENT_SLOTS 8u // of the first segment

typedef struct ilki_small {
    unsigned char* segments[ILKI_SEGMENTS];
    uint16_t fresh;    // slots handed out at least once
    uint16_t free;     // the slot given back last, plus one; its first bytes name the one before
    uint16_t reserved; // slots promised to a call that gives many
    uint16_t slots[];  // by row; of rows that have the value
} ilki_small;

ILKI_INLINE ilki_small* ilki_small_of(const ilki_block* block) {
    return (ilki_small*)(void*)block->base;
}

size_t ilki_small_bytes(uint32_t rows);

// Whether so many rows have the value that the natural form is worth its memory.
ILKI_INLINE bool ilki_small_is_dense(const ilki_block* block, uint32_t rows) {
    return block->count >= rows / 4;
}

// Makes sure that `count` more rows can be given the value. False without memory.
bool ilki_small_ready(ilki_directory* directory, ilki_block* block, ilki_pool* pool, uint32_t rows,
                      uint32_t count);

// Gives a row a slot, which must be ready; or takes it back.
void ilki_small_take(const ilki_directory* directory, const ilki_block* block, uint32_t row);
void ilki_small_give_back(const ilki_directory* directory, const ilki_block* block, uint32_t row);

// How many of `count` rows from `row` on, all of which have the value, have theirs side by side.
uint32_t ilki_small_run(const ilki_block* block, uint32_t row, uint32_t count);

// How many slots are in the list of free ones; more than there are if it goes round in a circle.
uint32_t ilki_small_count_free(const ilki_directory* directory, const ilki_block* block);

// The bytes of all segments.
size_t ilki_small_segment_bytes(const ilki_directory* directory, const ilki_block* block,
                                uint32_t rows);

void ilki_small_free_segments(const ilki_directory* directory, ilki_block* block, ilki_pool* pool,
                              uint32_t rows);

#endif
