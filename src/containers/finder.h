// A table that finds numbers by a hash: open addressing, at most half full. What the numbers stand
// for is the user's, who compares it. Taking a number out moves up those behind it, so that nothing
// is left in its place and no memory is needed.
#ifndef ILKI_FINDER_H
#define ILKI_FINDER_H

#include "../base/memory.h"

#define ILKI_NOT_FOUND UINT32_MAX // no number

typedef struct ilki_finder_slot {
    uint32_t hash;
    uint32_t after; // one more than the number; 0: the slot is free
} ilki_finder_slot;

typedef struct ilki_finder {
    ilki_finder_slot* slots;
    uint32_t capacity; // a power of two, or 0
    uint32_t count;
    uint64_t changes; // of what it finds, so far
} ilki_finder;

// Hashes of bytes, of a number and of two. They are the same on every machine of one byte order.
uint32_t ilki_hash_bytes(const void* bytes, size_t size);
uint32_t ilki_hash_pair(uint64_t a, uint64_t b);

ILKI_INLINE uint64_t ilki_hash_stir(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

ILKI_INLINE uint32_t ilki_hash_number(uint64_t number) {
    return (uint32_t)ilki_hash_stir(0, number);
}

// A table of its own that finds the same. False without memory.
bool ilki_finder_clone(const ilki_finder* finder, ilki_memory* memory, ilki_finder* clone);

void ilki_finder_fini(ilki_finder* finder, ilki_memory* memory);

// Takes all numbers out.
void ilki_finder_clear(ilki_finder* finder);

// The next number that was entered with a hash, or ILKI_NOT_FOUND. `*at` is the hash at first.
ILKI_INLINE uint32_t ilki_finder_next(const ilki_finder* finder, uint32_t hash, uint32_t* at) {
    if (ILKI_UNLIKELY(finder->count == 0)) return ILKI_NOT_FOUND;
    for (;;) {
        ilki_finder_slot slot = finder->slots[(*at)++ & (finder->capacity - 1)];
        if (slot.after == 0 || ILKI_LIKELY(slot.hash == hash)) return slot.after - 1;
    }
}

// Makes room for so many in all. False without memory.
bool ilki_finder_ready(ilki_finder* finder, ilki_memory* memory, uint32_t count);

// Enters a number below ILKI_NOT_FOUND. There must be room.
void ilki_finder_put(ilki_finder* finder, uint32_t hash, uint32_t number);

// Takes a number out that was entered with this hash; or puts another in its place.
void ilki_finder_take(ilki_finder* finder, uint32_t hash, uint32_t number);
void ilki_finder_swap(ilki_finder* finder, uint32_t hash, uint32_t number, uint32_t other);

// Makes it as small as can be for so many, if that much memory can be had for a moment.
void ilki_finder_trim(ilki_finder* finder, ilki_memory* memory, uint32_t count);

#endif
