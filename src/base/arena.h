// Arenas: memory that is taken piece by piece and given back all at once. The blocks are kept and
// used again, so that an arena that has grown once needs no more memory.
#ifndef ILKI_ARENA_H
#define ILKI_ARENA_H

#include "memory.h"

typedef struct ilki_arena {
    struct ilki_arena_block {
        struct ilki_arena_block* next;
        size_t size, used; // bytes behind this head
    } *first, *current;    // blocks after the current one are empty
} ilki_arena;

// Memory of unknown content, aligned to a power of two; NULL if none can be had.
void* ilki_arena_take(ilki_arena* arena, ilki_memory* memory, size_t size, size_t align);

// Gives all pieces back, and keeps the blocks.
void ilki_arena_reset(ilki_arena* arena);

// Gives all pieces and blocks back.
void ilki_arena_fini(ilki_arena* arena, ilki_memory* memory);

#endif
