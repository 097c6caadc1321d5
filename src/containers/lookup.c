#include "lookup.h"

#include <string.h>

#define DENSE 8u // slots for each key are not too many

static uint32_t power_above(uint64_t count) {
    uint32_t power = 2;
    while (power < count) power *= 2;
    return power;
}

size_t ilki_lookup_slots(uint32_t count, uint32_t bound) {
    if (bound <= (uint64_t)count * DENSE) return power_above((uint64_t)bound + 1);
    return power_above(2 * (uint64_t)count);
}

void ilki_lookup_init(ilki_lookup* lookup, ilki_lookup_slot* slots, size_t count, uint32_t bound) {
    uint32_t shift = 32;
    for (size_t i = count; count < bound && i > 1; i /= 2) shift--;
    *lookup = (ilki_lookup){slots, (uint32_t)(count - 1), shift};
    memset(slots, 0xff, count * sizeof *slots); // each value is ILKI_NONE
}
