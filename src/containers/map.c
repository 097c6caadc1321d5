#include "map.h"

#include <string.h>

static uint32_t hash_of(const uint32_t* key, uint32_t length) {
    uint64_t hash = length + 1;
    for (uint32_t i = 0; i < length; i++) {
        hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 16);
}

void ilki_map_fini(ilki_map* map, ilki_memory* memory) {
    ilki_free(memory, ILKI_OTHER, map->slots, map->capacity * sizeof *map->slots,
              _Alignof(ilki_map_slot));
    *map = (ilki_map){0};
}

static bool is_key(const ilki_map_slot* slot, uint32_t hash, const uint32_t* key, uint32_t length) {
    return slot->hash == hash && slot->length == length &&
           memcmp(slot->key, key, length * sizeof *key) == 0;
}

void* ilki_map_find(const ilki_map* map, const uint32_t* key, uint32_t length) {
    if (map->count == 0) return NULL;
    uint32_t hash = hash_of(key, length);
    for (uint32_t at = hash;; at++) {
        const ilki_map_slot* slot = &map->slots[at & (map->capacity - 1)];
        if (!slot->key) return NULL;
        if (is_key(slot, hash, key, length)) return slot->value;
    }
}

static void place(ilki_map* map, ilki_map_slot entry) {
    uint32_t at = entry.hash & (map->capacity - 1);
    while (map->slots[at].key) at = (at + 1) & (map->capacity - 1);
    map->slots[at] = entry;
    map->count++;
}

bool ilki_map_ready(ilki_map* map, ilki_memory* memory) {
    if (map->count < map->capacity / 2) return true;
    ilki_map larger = {.capacity = map->capacity ? map->capacity * 2 : 16};
    larger.slots = ilki_alloc_zero(memory, ILKI_OTHER, larger.capacity * sizeof *larger.slots,
                                   _Alignof(ilki_map_slot));
    if (!larger.slots) return false;
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].key) place(&larger, map->slots[i]);
    }
    ilki_map_fini(map, memory);
    *map = larger;
    return true;
}

void ilki_map_put(ilki_map* map, const uint32_t* key, uint32_t length, void* value) {
    place(map, (ilki_map_slot){key, length, hash_of(key, length), value});
}
