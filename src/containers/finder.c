#include "finder.h"

#include <string.h>

#define LEAST 16u       // slots
#define MOST (1u << 29) // numbers

uint32_t ilki_hash_bytes(const void* bytes, size_t size) {
    const unsigned char* at = bytes;
    uint64_t hash = size;
    for (; size >= 8; size -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = ilki_hash_stir(hash, word);
    }
    uint64_t rest = 0;
    memcpy(&rest, at, size);
    return (uint32_t)ilki_hash_stir(ilki_hash_stir(hash, rest), 0);
}

uint32_t ilki_hash_pair(uint64_t a, uint64_t b) {
    return (uint32_t)ilki_hash_stir(ilki_hash_stir(ilki_hash_stir(0, a), b), 0);
}

void ilki_finder_fini(ilki_finder* finder, ilki_memory* memory) {
    ilki_free(memory, ILKI_OTHER, finder->slots, finder->capacity * sizeof *finder->slots,
              _Alignof(ilki_finder_slot));
    *finder = (ilki_finder){.changes = finder->changes + 1};
}

bool ilki_finder_clone(const ilki_finder* finder, ilki_memory* memory, ilki_finder* clone) {
    size_t bytes = finder->capacity * sizeof *finder->slots;
    *clone = *finder;
    if (!bytes) return true;
    clone->slots = ilki_alloc(memory, ILKI_OTHER, bytes, _Alignof(ilki_finder_slot));
    if (clone->slots)
        memcpy(clone->slots, finder->slots, bytes);
    else
        *clone = (ilki_finder){0};
    return clone->slots != NULL;
}

void ilki_finder_clear(ilki_finder* finder) {
    if (finder->count) memset(finder->slots, 0, finder->capacity * sizeof *finder->slots);
    finder->count = 0;
}

static void place_slot(ilki_finder* finder, ilki_finder_slot entry) {
    uint32_t mask = finder->capacity - 1, at = entry.hash & mask;
    while (finder->slots[at].after) at = (at + 1) & mask;
    finder->slots[at] = entry;
    finder->count++;
}

// Moves all to a table of another capacity. False, and nothing is done, without memory.
static bool rehash(ilki_finder* finder, ilki_memory* memory, uint32_t capacity) {
    ilki_finder other = {.capacity = capacity, .changes = finder->changes};
    other.slots = ilki_alloc_zero(memory, ILKI_OTHER, capacity * sizeof *other.slots,
                                  _Alignof(ilki_finder_slot));
    if (!other.slots) return false;
    for (uint32_t i = 0; other.count < finder->count; i++) {
        if (finder->slots[i].after) place_slot(&other, finder->slots[i]);
    }
    ilki_finder_fini(finder, memory);
    *finder = other;
    return true;
}

// The least capacity for so many, at most half full.
static uint32_t capacity_for(uint32_t count) {
    uint32_t capacity = LEAST;
    while (capacity / 2 < count) capacity *= 2;
    return capacity;
}

bool ilki_finder_ready(ilki_finder* finder, ilki_memory* memory, uint32_t count) {
    if (ILKI_LIKELY(count <= finder->capacity / 2)) return true;
    return count <= MOST && rehash(finder, memory, capacity_for(count));
}

void ilki_finder_put(ilki_finder* finder, uint32_t hash, uint32_t number) {
    place_slot(finder, (ilki_finder_slot){hash, number + 1});
    finder->changes++;
}

static uint32_t slot_of(const ilki_finder* finder, uint32_t hash, uint32_t number) {
    uint32_t mask = finder->capacity - 1, at = hash & mask;
    while (finder->slots[at].after != number + 1) at = (at + 1) & mask;
    return at;
}

// Moves up those behind a slot that is free now, and would not be found across it.
static void close_gap(ilki_finder* finder, uint32_t gap) {
    ilki_finder_slot* slots = finder->slots;
    uint32_t mask = finder->capacity - 1;
    for (uint32_t at = (gap + 1) & mask; slots[at].after; at = (at + 1) & mask) {
        uint32_t way = (at - slots[at].hash) & mask; // from where it would be best
        if (way < ((at - gap) & mask)) continue;
        slots[gap] = slots[at];
        gap = at;
    }
    slots[gap] = (ilki_finder_slot){0, 0};
}

void ilki_finder_take(ilki_finder* finder, uint32_t hash, uint32_t number) {
    close_gap(finder, slot_of(finder, hash, number));
    finder->count--;
    finder->changes++;
}

void ilki_finder_swap(ilki_finder* finder, uint32_t hash, uint32_t number, uint32_t other) {
    finder->slots[slot_of(finder, hash, number)].after = other + 1;
    finder->changes++;
}

void ilki_finder_trim(ilki_finder* finder, ilki_memory* memory, uint32_t count) {
    uint32_t capacity = capacity_for(count);
    if (count == 0)
        ilki_finder_fini(finder, memory);
    else if (capacity < finder->capacity)
        rehash(finder, memory, capacity);
}
