// Directories: one for each type of a world, with an entry for each chunk, up to the last that had
// a block; and a bit for each entry with a block, so that directories can be combined word by word.
//
// Entries move when a block is added to their directory: whoever keeps a chunk's number asks again.
#ifndef ILKI_DIRECTORY_H
#define ILKI_DIRECTORY_H

#include <ilk/type.h>

#include "block.h"

// Stand for what is absent: an entry, and the directory of a type that a world does not know.
// Neither is ever written to.
extern ilki_block ilki_no_block;
extern ilki_directory ilki_no_directory;

// The entry of a chunk; all zero where there is no block.
ILKI_INLINE ilki_block* ilki_block_at(const ilki_directory* directory, uint32_t chunk) {
    return ILKI_LIKELY(chunk < directory->bound) ? &directory->blocks[chunk] : &ilki_no_block;
}

// The bits of 64 chunks that have a block.
ILKI_INLINE uint64_t ilki_present_word(const ilki_directory* directory, uint32_t word) {
    return word < ilki_words(directory->bound) ? directory->present[word] : 0;
}

void* ilki_small_value(const ilki_directory* directory, const ilki_block* block, uint32_t row);

// The natural place of a row's value, in a block that is not small.
ILKI_INLINE void* ilki_natural_at(const ilki_directory* directory, const ilki_block* block,
                                  uint32_t row) {
    return block->base + row * directory->size;
}

// The value of a row, which has it or, unless the block is small, may be given it.
ILKI_INLINE void* ilki_value_at(const ilki_directory* directory, const ilki_block* block,
                                uint32_t row) {
    if (ILKI_UNLIKELY(block->kind == ILKI_SMALL)) return ilki_small_value(directory, block, row);
    return ilki_natural_at(directory, block, row);
}

// What is found by id where no type is known.
extern ilki_directory* ilki_no_directories[1];

// The bytes of its entries.
size_t ilki_directory_bytes(const ilki_directory* directory);

// When a row of a type that tracks changed, and when it was given the value. They lie behind the
// values of a block; in front of the first row's is one that stands for all rows.
typedef struct ilki_row_ticks {
    uint64_t changed, added;
} ilki_row_ticks;

// The ticks that stand for all rows of a chunk with so many; those of row n are n + 1 further on.
ILKI_INLINE ilki_row_ticks* ilki_ticks_of(const ilki_directory* directory, const ilki_block* block,
                                          uint32_t rows) {
    size_t values = (rows * directory->size + 7) & ~(size_t)7;
    return (ilki_row_ticks*)(void*)(block->base + values);
}

void ilki_directory_fini(ilki_directory* directory, ilki_memory* memory);

// Values are given and taken without a call from now on, or with one.
void ilki_directory_be_quick(ilki_directory* directory, bool is_quick);

// Whether verbs take the long way with a block.
ILKI_INLINE bool ilki_is_awkward(const ilki_directory* directory, const ilki_block* block,
                                 bool has_dying) {
    return has_dying || !directory->is_quick || block->kind == ILKI_SMALL;
}

// Makes sure that there is an entry for a chunk. False without memory.
bool ilki_directory_ready(ilki_directory* directory, ilki_memory* memory, uint32_t chunk);

// Enters a block in the entry of a chunk that has none; and takes it out, without freeing it.
void ilki_directory_enter(ilki_directory* directory, uint32_t chunk, const ilki_block* block);
void ilki_directory_leave(ilki_directory* directory, uint32_t chunk);

// Makes a block for a chunk that has none: bits clear, values of unknown content. NULL without
// memory, and nothing changed but that there may be more entries.
ilki_block* ilki_directory_add(ilki_directory* directory, ilki_pool* pool, uint32_t chunk,
                               uint32_t rows, ilki_block_kind kind);

// Frees the block of a chunk, if there is one. Values are not dropped.
void ilki_directory_drop(ilki_directory* directory, ilki_pool* pool, uint32_t chunk, uint32_t rows);

// The bytes that a block of a kind has from its base on, and those of a whole block as it is.
size_t ilki_block_body(const ilki_directory* directory, uint32_t rows, ilki_block_kind kind);
size_t ilki_block_bytes(const ilki_directory* directory, const ilki_block* block, uint32_t rows);

// What a block takes of a pool.
size_t ilki_block_held(const ilki_directory* directory, const ilki_block* block, uint32_t rows);

// A block of its own with the values of another one (but for those of a type that is unrecorded:
// their bytes mean nothing there), and all its bits, in a chunk where these rows are alive; and
// gives one that is nobody's back, whose values are gone. False without memory.
bool ilki_block_clone(const ilki_directory* directory, ilki_pool* pool, const ilki_block* block,
                      uint32_t rows, const uint64_t* live, ilki_block* clone);
void ilki_block_free(const ilki_directory* directory, ilki_pool* pool, const ilki_block* block,
                     uint32_t rows);

// A block of a kind that no row has the value of, in a chunk where these rows are alive. False
// without memory.
bool ilki_block_make_vacant(const ilki_directory* directory, ilki_pool* pool, uint32_t rows,
                            const uint64_t* live, ilki_block_kind kind, ilki_block* block);

// Makes the value of each row that has one the default.
void ilki_block_fill(const ilki_directory* directory, const ilki_block* block, uint32_t rows,
                     const uint64_t* live);

// Drops all values of a block, if that takes a call.
void ilki_block_drop_values(const ilki_directory* directory, const ilki_block* block, uint32_t rows,
                            const uint64_t* live);

// Gives a small guest its natural form. False without memory.
bool ilki_directory_expand(ilki_directory* directory, ilki_pool* pool, uint32_t chunk,
                           uint32_t rows);

// Frees the entries after the last block, if that much memory can be had for a moment.
void ilki_directory_trim(ilki_directory* directory, ilki_memory* memory);

#endif
