// Arenas: memory that is taken piece by piece and given back all at once. The blocks are kept and
// used again, so that an arena that has grown once needs no more memory.
#ifndef ILKI_ARENA_H
#define ILKI_ARENA_H

#include "memory.h"

typedef struct ilki_arena_block {
    struct ilki_arena_block* next;
    size_t size, used; // bytes behind this head
} ilki_arena_block;

// Blocks that arenas of several threads share.
typedef struct ilki_arena_pool {
    ilki_lock lock;
    ilki_arena_block* blocks;
    uint32_t count;
} ilki_arena_pool;

typedef struct ilki_arena {
    ilki_arena_block *first, *current; // blocks after the current one are empty
    ilki_arena_pool* pool;             // from which blocks come, and to which they go; or NULL
} ilki_arena;

// Memory of unknown content, aligned to a power of two; NULL if none can be had.
void* ilki_arena_take_slow(ilki_arena* arena, ilki_memory* memory, size_t size, size_t align);

ILKI_INLINE void* ilki_arena_take_from(ilki_arena_block* block, size_t size, size_t align) {
    uintptr_t begin = (uintptr_t)(block + 1) + block->used;
    size_t gap = (size_t)(-begin & (align - 1)), left = block->size - block->used;
    if (ILKI_UNLIKELY(gap > left || size > left - gap)) return NULL;
    block->used += gap + size;
    return (unsigned char*)(block + 1) + block->used - size;
}

ILKI_INLINE void* ilki_arena_take(ilki_arena* arena, ilki_memory* memory, size_t size,
                                  size_t align) {
    void* piece = arena->current ? ilki_arena_take_from(arena->current, size, align) : NULL;
    return ILKI_LIKELY(piece != NULL) ? piece : ilki_arena_take_slow(arena, memory, size, align);
}

// Gives all pieces back, and keeps the blocks, or gives them to the pool. How many bytes were
// taken.
size_t ilki_arena_reset(ilki_arena* arena);

// Has enough blocks in a pool, if there is memory, for so many arenas that take so many bytes in
// all, however they share them.
void ilki_arena_pool_fill(ilki_arena_pool* pool, ilki_memory* memory, size_t bytes,
                          uint32_t arenas);
void ilki_arena_pool_fini(ilki_arena_pool* pool, ilki_memory* memory);

// Gives all pieces and blocks back.
void ilki_arena_fini(ilki_arena* arena, ilki_memory* memory);

#endif
