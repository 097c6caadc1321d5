// A world's memory: the allocator hook, and how many bytes are held for what.
#ifndef ILKI_MEMORY_H
#define ILKI_MEMORY_H

#include "platform.h"

typedef enum ilki_use {
    ILKI_VALUES,
    ILKI_ENTITIES,
    ILKI_RECORDS,
    ILKI_DIRECTORIES,
    ILKI_EDGES,   // relations
    ILKI_HISTORY, // what snapshots hold
    ILKI_OTHER,
    ILKI_SPARE, // of the pool, and free
    ILKI_USES
} ilki_use;

typedef struct ilki_memory {
    ilk_allocator allocator;
    size_t bytes[ILKI_USES];
    bool is_shared; // several threads may want some at the same time
    bool is_lent;   // so may those who have memory of their own from the same allocator
    ilki_lock lock; // then the allocator is called by one of them at a time
} ilki_memory;

// An allocator that is all zero stands for the C library.
void ilki_memory_init(ilki_memory* memory, const ilk_allocator* allocator);

// An allocator that asks another one, while that is lent: one thread at a time.
ilk_allocator ilki_memory_lend(ilki_memory* memory);

// How many bytes so many elements take behind so many bytes; if there are more than a size can say,
// SIZE_MAX, which no memory has.
ILKI_INLINE size_t ilki_bytes_of(size_t before, size_t count, size_t element) {
    return count > (SIZE_MAX - before) / element ? SIZE_MAX : before + count * element;
}

// Memory of unknown content, or all zero; NULL if there is none, as of more than half of all that a
// size can say.
void* ilki_alloc(ilki_memory* memory, ilki_use use, size_t size, size_t align);
void* ilki_alloc_zero(ilki_memory* memory, ilki_use use, size_t size, size_t align);

// How many allocations this thread has made so far.
uint64_t ilki_allocations(void);

// Takes back what was given with the same use, size and alignment. NULL is allowed.
void ilki_free(ilki_memory* memory, ilki_use use, void* block, size_t size, size_t align);

// Makes the array that the pointer at `array` points to, of `*capacity` elements, hold at least
// `needed`, by doubling; what is added is zero. The array may move. False, and nothing changed,
// without memory.
bool ilki_grow(ilki_memory* memory, ilki_use use, void* array, uint32_t* capacity, uint32_t needed,
               size_t element);

#endif
