// Bits in words of 64.
#ifndef ILKI_BITS_H
#define ILKI_BITS_H

#include "platform.h"

#define ILKI_NONE UINT32_MAX

ILKI_INLINE uint32_t ilki_lowest(uint64_t word) {
    return (uint32_t)__builtin_ctzll(word);
}

ILKI_INLINE uint32_t ilki_ones(uint64_t word) {
    return (uint32_t)__builtin_popcountll(word);
}

ILKI_INLINE uint32_t ilki_words(uint32_t bits) {
    return (bits + 63) / 64;
}

ILKI_INLINE bool ilki_bit(const uint64_t* words, uint32_t at) {
    return words[at / 64] >> (at % 64) & 1;
}

ILKI_INLINE void ilki_bit_set(uint64_t* words, uint32_t at) {
    words[at / 64] |= (uint64_t)1 << (at % 64);
}

ILKI_INLINE void ilki_bit_clear(uint64_t* words, uint32_t at) {
    words[at / 64] &= ~((uint64_t)1 << (at % 64));
}

// The first of `bits` bits at or after `from` that is set; ILKI_NONE if there is none.
uint32_t ilki_bits_next_set(const uint64_t* words, uint32_t bits, uint32_t from);

// The same for a bit that is clear.
uint32_t ilki_bits_next_clear(const uint64_t* words, uint32_t bits, uint32_t from);

// Where the first `length` clear bits in a row start; ILKI_NONE if there are not so many.
uint32_t ilki_bits_clear_run(const uint64_t* words, uint32_t bits, uint32_t length);

// Set or clear `length` bits from `from` on.
void ilki_bits_fill(uint64_t* words, uint32_t from, uint32_t length, bool value);

#endif
