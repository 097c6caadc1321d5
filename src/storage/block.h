// Blocks: the values of one type for the rows of one chunk, and two bits per row.
//
// Every row of a chunk that is alive has the value of a *home* block, unless its presence bit is
// set (an exception); it has the value of a *guest* block only if the bit is set. So a fresh row
// needs no bit, whatever the kind. The second bit switches a value off. A *small* guest (small.h)
// has fewer values than rows.
//
// The bits lie in front of the values, growing downwards, in pairs of words, so that they are
// found without knowing how many rows there are:
//
//     … off 1 | bits 1 | off 0 | bits 0 | value 0 | value 1 | …
//                                       ^ base, aligned to 64 bytes
#ifndef ILKI_BLOCK_H
#define ILKI_BLOCK_H

#include "../base/bits.h"
#include "../base/pool.h"

#define ILKI_BLOCK_BYTES_MAX ((size_t)128 << 10) // of values, unless one value is larger

_Static_assert(sizeof(ilki_block) <= 32, "an entry is 32 bytes");

ILKI_INLINE uint64_t* ilki_off(const ilki_block* block, uint32_t word) {
    return ilki_presence(block, word) - 1;
}

// The rows of a word that have the value, among those that are alive.
ILKI_INLINE uint64_t ilki_block_word(const ilki_block* block, uint32_t word, uint64_t alive) {
    uint64_t bits = *ilki_presence(block, word);
    return alive & (block->kind == ILKI_HOME ? ~bits : bits);
}

// Counts bits that are set (1) or cleared (-1), as part of the whole state: those who read it soon
// after would otherwise wait until it has left for the cache.
ILKI_INLINE void ilki_block_count_by(ilki_block* block, int step) {
    uint32_t one = ilki_block_state(&(ilki_block){.count = 1});
    uint32_t state = ilki_block_state(block) + (uint32_t)step * one;
    memcpy((unsigned char*)block + offsetof(ilki_block, count), &state, sizeof state);
}

// Flips the presence bit of a row, and counts it.
ILKI_INLINE void ilki_block_flip(ilki_block* block, uint32_t row) {
    uint64_t bit = (uint64_t)1 << (row % 64);
    uint64_t* word = ilki_presence(block, row / 64);
    *word ^= bit;
    ilki_block_count_by(block, *word & bit ? 1 : -1);
}

ILKI_INLINE bool ilki_block_is_off(const ilki_block* block, uint32_t row) {
    return block->off && (*ilki_off(block, row / 64) >> (row % 64) & 1);
}

// How many rows have the value, in a chunk with so many alive.
ILKI_INLINE uint32_t ilki_block_values(const ilki_block* block, uint32_t alive) {
    return block->kind == ILKI_HOME ? alive - block->count : block->count;
}

// Room for the bits of so many rows in front of values so aligned.
size_t ilki_block_front(uint32_t rows, size_t align);

#ifdef ILK_CHECKED
// Values that are gone are overwritten; a value that comes must find that untouched.
void ilki_poison(void* memory, size_t size);
bool ilki_is_poisoned(const void* memory, size_t size);
#endif

#endif
