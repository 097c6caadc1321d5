// Lookups: tables from numbers to numbers that are made for one use, and thrown away: open
// addressing, at most half full. Where the keys are dense, each has a slot of its own, so that
// neighbours are found side by side.
#ifndef ILKI_LOOKUP_H
#define ILKI_LOOKUP_H

#include "../base/bits.h"

typedef struct ilki_lookup_slot {
    uint32_t key;
    uint32_t value; // ILKI_NONE: the slot is free
} ilki_lookup_slot;

typedef struct ilki_lookup {
    ilki_lookup_slot* slots;
    uint32_t mask;  // slots, less one
    uint32_t shift; // 32: each key has its own slot
} ilki_lookup;

// The slots that so many keys need, none of which is at or above a bound.
size_t ilki_lookup_slots(uint32_t count, uint32_t bound);

// A lookup in the caller's memory, of as many slots, all free.
void ilki_lookup_init(ilki_lookup* lookup, ilki_lookup_slot* slots, size_t count, uint32_t bound);

// The slot of a key: free, if the key is not there, to be filled with both.
ILKI_INLINE ilki_lookup_slot* ilki_lookup_slot_of(const ilki_lookup* lookup, uint32_t key) {
    uint32_t at = lookup->shift == 32 ? key : key * 2654435769u >> lookup->shift;
    for (;; at++) {
        ilki_lookup_slot* slot = &lookup->slots[at & lookup->mask];
        if (slot->value == ILKI_NONE || slot->key == key) return slot;
    }
}

// The number of a key, or ILKI_NONE.
ILKI_INLINE uint32_t ilki_lookup_find(const ilki_lookup* lookup, uint32_t key) {
    if (lookup->shift == 32 && key > lookup->mask) return ILKI_NONE;
    return ilki_lookup_slot_of(lookup, key)->value;
}

// Enters a key if it is not there yet. Whether it was not.
ILKI_INLINE bool ilki_lookup_put(ilki_lookup* lookup, uint32_t key, uint32_t value) {
    ilki_lookup_slot* slot = ilki_lookup_slot_of(lookup, key);
    if (slot->value != ILKI_NONE) return false;
    *slot = (ilki_lookup_slot){key, value};
    return true;
}

#endif
