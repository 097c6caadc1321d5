// The page pool: blocks of any size out of large spans, given back to the span and used again.
//
// A span is cut into units of 128 bytes, a bit for each. A block is a run of units, found first
// fit; freeing clears its bits, so neighbours join by themselves. Spans grow with the world, from
// 16 KB to 2 MB, where they ask for large pages. Blocks above an eighth of the largest span, or of
// unusual alignment, come straight from the allocator. An empty span goes back to the allocator
// when more than half of the pool is free, and in any case by ilki_pool_trim.
#ifndef ILKI_POOL_H
#define ILKI_POOL_H

#include "bits.h"
#include "memory.h"

#define ILKI_LINE 64            // every block is aligned to it
#define ILKI_UNIT ((size_t)128) // and its size rounded up to it

typedef struct ilki_span {
    unsigned char* memory;
    uint64_t* used; // a bit per unit
    uint32_t units;
    uint32_t free;    // units
    uint32_t longest; // no run of free units is longer; the longest may be shorter
} ilki_span;

typedef struct ilki_pool {
    ilki_memory* memory;
    ilki_span* spans; // in order of address
    uint32_t count, capacity;
    size_t held; // bytes in all spans
} ilki_pool;

void ilki_pool_init(ilki_pool* pool, ilki_memory* memory);

// All blocks must be freed before.
void ilki_pool_fini(ilki_pool* pool);

// A block of unknown content, or NULL. It is aligned to 64 bytes, or to `align` if that is more.
void* ilki_pool_alloc(ilki_pool* pool, ilki_use use, size_t size, size_t align);

// Use, size and alignment are those that the block was asked for with. NULL is allowed.
void ilki_pool_free(ilki_pool* pool, ilki_use use, void* block, size_t size, size_t align);

// The bytes that a block of a size takes.
size_t ilki_pool_bytes(size_t size, size_t align);

// Gives every empty span back.
void ilki_pool_trim(ilki_pool* pool);

#endif
