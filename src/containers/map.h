// A map from lists of numbers to pointers: open addressing, at most half full. Keys are not
// copied: they live in what the pointer points to.
#ifndef ILKI_MAP_H
#define ILKI_MAP_H

#include "../base/memory.h"

typedef struct ilki_map_slot {
    const uint32_t* key; // NULL: the slot is free
    uint32_t length;
    uint32_t hash;
    void* value;
} ilki_map_slot;

typedef struct ilki_map {
    ilki_map_slot* slots;
    uint32_t capacity; // a power of two, or 0
    uint32_t count;
} ilki_map;

void ilki_map_fini(ilki_map* map, ilki_memory* memory);

// The pointer for a key, or NULL.
void* ilki_map_find(const ilki_map* map, const uint32_t* key, uint32_t length);

// Makes room for one more. False without memory.
bool ilki_map_ready(ilki_map* map, ilki_memory* memory);

// Enters a key that is not there yet. The map must be ready.
void ilki_map_put(ilki_map* map, const uint32_t* key, uint32_t length, void* value);

#endif
