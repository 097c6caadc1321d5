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

#define ILKI_BLOCK_BYTES_MAX ((size_t)64 << 10) // of values, unless one value is larger

typedef enum ilki_block_kind {
    ILKI_ABSENT,
    ILKI_HOME,
    ILKI_GUEST,
    ILKI_SMALL
} ilki_block_kind;

// An entry of a directory. All zero: there is no block.
typedef struct ilki_block {
    uint64_t changed; // tick of the last change of a value, as a user means it
    uint64_t touched; // tick of the last change of any byte or bit
    unsigned char* base;
    union {
        struct {
            uint16_t count; // presence bits that are set: exceptions at home, values of a guest
            uint8_t kind;
            uint8_t zero;
        };
        uint32_t state; // all of these at once
    };
    uint16_t off; // values switched off
} ilki_block;

_Static_assert(sizeof(ilki_block) <= 32, "an entry is 32 bytes");

ILKI_INLINE uint64_t* ilki_presence(const ilki_block* block, uint32_t word) {
    return (uint64_t*)(void*)block->base - 1 - 2 * (size_t)word;
}

ILKI_INLINE uint64_t* ilki_off(const ilki_block* block, uint32_t word) {
    return ilki_presence(block, word) - 1;
}

// The rows of a word that have the value, among those that are alive.
ILKI_INLINE uint64_t ilki_block_word(const ilki_block* block, uint32_t word, uint64_t alive) {
    uint64_t bits = *ilki_presence(block, word);
    return alive & (block->kind == ILKI_HOME ? ~bits : bits);
}

// Whether the block is at home and has no exceptions.
ILKI_INLINE bool ilki_block_is_plain(const ilki_block* block) {
    return block->state == (ilki_block){.kind = ILKI_HOME}.state;
}

// Whether a row that is alive has the value, in a block that is there.
ILKI_INLINE bool ilki_natural_has(const ilki_block* block, uint32_t row) {
    bool bit = *ilki_presence(block, row / 64) >> (row % 64) & 1;
    return bit != (block->kind == ILKI_HOME);
}

// The same, in a block that may be absent.
ILKI_INLINE bool ilki_block_has(const ilki_block* block, uint32_t row) {
    if (ILKI_LIKELY(ilki_block_is_plain(block))) return true;
    return block->kind != ILKI_ABSENT && ilki_natural_has(block, row);
}

// Flips the presence bit of a row, and counts it.
ILKI_INLINE void ilki_block_flip(ilki_block* block, uint32_t row) {
    uint64_t bit = (uint64_t)1 << (row % 64);
    uint64_t* word = ilki_presence(block, row / 64);
    *word ^= bit;
    block->count = (uint16_t)(block->count + (*word & bit ? 1 : -1));
}

// Whether all rows that are alive have the value, or there is no block.
ILKI_INLINE bool ilki_block_is_all_or_none(const ilki_block* block) {
    return (block->state & ~(ilki_block){.kind = ILKI_HOME}.state) == 0;
}

// Whether a row that is alive has the value at its natural place. False also for a small guest.
ILKI_INLINE bool ilki_block_has_natural(const ilki_block* block, uint32_t row) {
    if (ILKI_LIKELY(ilki_block_is_plain(block))) return true;
    return block->kind != ILKI_SMALL && ilki_block_has(block, row);
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
