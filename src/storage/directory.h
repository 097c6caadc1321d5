// Directories: one for each type of a world, with an entry for each chunk.
//
// Entries lie in pages of 64, which never move; a page that would hold no block is not there, and
// one page of zeros, shared by all, stands for it. A page also has a bit for each entry with a
// block, so that whole pages can be combined word by word.
#ifndef ILKI_DIRECTORY_H
#define ILKI_DIRECTORY_H

#include <ilk/type.h>

#include "block.h"

#define ILKI_PAGE_BLOCKS 64u

typedef struct ilki_page {
    ilki_block blocks[ILKI_PAGE_BLOCKS];
    uint64_t present;
} ilki_page;

typedef struct ilki_directory {
    ilki_page** pages;
    uint32_t page_count; // every page below it is one of ours or ilki_no_page
    uint32_t page_capacity;
    size_t size;            // of a value
    bool is_quick;          // values are moved without a call, and never dropped
    ilk_type* type;         // the process-wide descriptor
    uint32_t number;        // of the type, in this world
    struct ilki_ilk* alone; // the ilk of this type alone, once it is founded
} ilki_directory;

// Zeros, for absent pages, and a directory without pages, for types that a world does not know.
// Neither is ever written to.
extern ilki_page ilki_no_page;
extern ilki_directory ilki_no_directory;

ILKI_INLINE ilki_page* ilki_page_at(const ilki_directory* directory, uint32_t page) {
    return ILKI_LIKELY(page < directory->page_count) ? directory->pages[page] : &ilki_no_page;
}

// The entry of a chunk; all zero where there is no block.
ILKI_INLINE ilki_block* ilki_block_at(const ilki_directory* directory, uint32_t chunk) {
    ilki_page* page = ilki_page_at(directory, chunk / ILKI_PAGE_BLOCKS);
    ilki_block* block = &page->blocks[chunk % ILKI_PAGE_BLOCKS];
    ILKI_KEEP(block);
    return block;
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

void ilki_directory_fini(ilki_directory* directory, ilki_memory* memory);

// Makes a block for a chunk that has none: bits clear, values of unknown content. NULL without
// memory, and nothing changed but that a page may be there.
ilki_block* ilki_directory_add(ilki_directory* directory, ilki_pool* pool, uint32_t chunk,
                               uint32_t rows, ilki_block_kind kind);

// Frees the block of a chunk, if there is one. Values are not dropped.
void ilki_directory_drop(ilki_directory* directory, ilki_pool* pool, uint32_t chunk, uint32_t rows);

// The bytes that a block of a kind has from its base on, and those of a whole block as it is.
size_t ilki_block_body(const ilki_directory* directory, uint32_t rows, ilki_block_kind kind);
size_t ilki_block_bytes(const ilki_directory* directory, const ilki_block* block, uint32_t rows);

// Gives a small guest its natural form. False without memory.
bool ilki_directory_expand(ilki_directory* directory, ilki_pool* pool, uint32_t chunk,
                           uint32_t rows);

// Frees pages without blocks.
void ilki_directory_trim(ilki_directory* directory, ilki_memory* memory);

#endif
