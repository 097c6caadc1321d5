#include "bits.h"

// Looks for a set bit in the words, each flipped by `flip`.
static uint32_t next(const uint64_t* words, uint32_t bits, uint32_t from, uint64_t flip) {
    if (from >= bits) return ILKI_NONE;
    uint32_t at = from / 64;
    uint64_t word = (words[at] ^ flip) & (~(uint64_t)0 << (from % 64));
    while (word == 0) {
        if (++at == ilki_words(bits)) return ILKI_NONE;
        word = words[at] ^ flip;
    }
    uint32_t found = at * 64 + ilki_lowest(word);
    return found < bits ? found : ILKI_NONE;
}

uint32_t ilki_bits_next_set(const uint64_t* words, uint32_t bits, uint32_t from) {
    return next(words, bits, from, 0);
}

uint32_t ilki_bits_next_clear(const uint64_t* words, uint32_t bits, uint32_t from) {
    return next(words, bits, from, ~(uint64_t)0);
}

uint32_t ilki_bits_clear_run(const uint64_t* words, uint32_t bits, uint32_t length) {
    uint32_t start = ilki_bits_next_clear(words, bits, 0);
    while (start != ILKI_NONE && length <= bits - start) {
        uint32_t end = ilki_bits_next_set(words, start + length, start);
        if (end == ILKI_NONE) return start;
        start = ilki_bits_next_clear(words, bits, end);
    }
    return ILKI_NONE;
}

void ilki_bits_fill(uint64_t* words, uint32_t from, uint32_t length, bool value) {
    for (uint32_t end = from + length; from < end;) {
        uint32_t shift = from % 64;
        uint32_t here = 64 - shift < end - from ? 64 - shift : end - from;
        uint64_t mask = ~(uint64_t)0 >> (64 - here) << shift;
        if (value)
            words[from / 64] |= mask;
        else
            words[from / 64] &= ~mask;
        from += here;
    }
}
