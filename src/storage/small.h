// Small guests: a block for few of many rows.
//
// A type that would need much memory for every row of a chunk, and that only some rows have, keeps
// its values in *slots*. The block holds a byte per row, which names the row's slot, and a second
// one once there are more slots than a byte can name; slots come in segments of 1, 2, 4… that never
// move. So a rare component does not pay for those who lack it. The lowest free slot is given
// first. Settling gives the block its natural form, a value per row, once a quarter of the rows
// have it, unless that would be larger than a block should be.
#ifndef ILKI_SMALL_H
#define ILKI_SMALL_H

#include "directory.h"

#define ILKI_SEGMENTS 14u // of 1, 2, 4… slots: enough for ILKI_ROWS_MAX

typedef struct ilki_small {
    unsigned char* segments[ILKI_SEGMENTS];
    uint32_t rows;     // of the chunk
    uint32_t reserved; // slots promised to a call that gives many
    uint32_t lowest;   // no slot below it is free
    uint8_t* high;     // the high bytes of slots by row; NULL: all are 0
    uint64_t taken[];  // a bit per slot; behind it, the low bytes of slots by row
} ilki_small;

ILKI_INLINE ilki_small* ilki_small_of(const ilki_block* block) {
    return (ilki_small*)(void*)block->base;
}

size_t ilki_small_bytes(uint32_t rows);

// Whether so many rows have the value that the natural form is worth its memory.
bool ilki_small_is_dense(const ilki_directory* directory, const ilki_block* block);

// Makes sure that `count` more rows can be given the value. False without memory.
bool ilki_small_ready(const ilki_directory* directory, const ilki_block* block, ilki_pool* pool,
                      uint32_t count);

// Gives a row a slot, which must be ready; or takes it back.
void ilki_small_take(const ilki_block* block, uint32_t row);
void ilki_small_give_back(const ilki_block* block, uint32_t row);

// Gives the rows of a set the slots of a list, and takes all others back. There must be memory for
// them (ilki_small_ready). False if two rows would have the same.
bool ilki_small_give_slots(const ilki_block* block, const uint64_t* rows, const uint32_t* slots);

// The slot of a row that has the value, and the memory of a slot; NULL if it has none yet.
uint32_t ilki_small_slot(const ilki_block* block, uint32_t row);
void* ilki_small_slot_at(const ilki_directory* directory, const ilki_block* block, uint32_t slot);

// How many of `count` rows from `row` on, all of which have the value, have theirs side by side.
uint32_t ilki_small_run(const ilki_block* block, uint32_t row, uint32_t count);

// The bytes that the block has elsewhere, and those that they take of a pool.
size_t ilki_small_segment_bytes(const ilki_directory* directory, const ilki_block* block);
size_t ilki_small_segments_held(const ilki_directory* directory, const ilki_block* block);

// Gives a block, whose bytes are those of another one, segments of its own. False without memory;
// then those that it has are its own.
bool ilki_small_clone_segments(const ilki_directory* directory, const ilki_block* block,
                               const ilki_block* clone, ilki_pool* pool);

void ilki_small_free_segments(const ilki_directory* directory, const ilki_block* block,
                              ilki_pool* pool);

#endif
