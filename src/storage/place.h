// Placing: rows that come and go, and values that rows are given and lose.
#ifndef ILKI_PLACE_H
#define ILKI_PLACE_H

#include "../component/values.h"
#include "looking.h"
#include "small.h"
#include "storage.h"

// The bit of a row in `gaps`.
ILKI_INLINE uint64_t ilki_gap(uint32_t row) {
    return (uint64_t)1 << row / 128;
}

// The lowest hole of a chunk that has one. Gaps that others closed are forgotten.
ILKI_INLINE uint32_t ilki_lowest_hole(ilki_chunk* chunk) {
    for (;; chunk->gaps &= chunk->gaps - 1) {
        uint32_t word = ilki_lowest(chunk->gaps) * 2;
        word += ~chunk->live[word] == 0;
        uint64_t room = ~chunk->live[word];
        if (ILKI_LIKELY(room != 0)) return word * 64 + ilki_lowest(room);
    }
}

// Forgets the gap of a row that filled its last hole. (Without a jump: which one it is, is random.)
ILKI_INLINE void ilki_gap_close(ilki_chunk* chunk, uint32_t row) {
    const uint64_t* pair = chunk->live + row / 128 * 2;
    uint64_t is_full = (pair[0] & pair[1]) == UINT64_MAX;
    chunk->gaps &= ~(is_full << row / 128);
}

// The lowest free row of a chunk that has room and that nobody looks at.
ILKI_INLINE uint32_t ilki_row_free(ilki_chunk* chunk) {
    return ILKI_LIKELY(chunk->alive == chunk->used) ? chunk->used : ilki_lowest_hole(chunk);
}

// Makes a free row, a hole or the next one, that of an entity, in a chunk that is touched. The
// caller enters the entity.
ILKI_INLINE void ilki_row_enter(ilki_storage* storage, ilki_chunk* chunk, uint32_t row) {
    ilki_bit_set(chunk->live, row);
    if (ILKI_LIKELY(row == chunk->used))
        chunk->used++;
    else
        ilki_gap_close(chunk, row);
    storage->stirs++;
    if (ILKI_UNLIKELY(++chunk->alive == chunk->rows)) ilki_ilk_closes(chunk->ilk, chunk);
}

// Takes the lowest free row of a chunk that has room; while somebody looks, the lowest that was
// never used. The caller enters the entity.
ILKI_INLINE uint32_t ilki_row_take(ilki_storage* storage, ilki_chunk* chunk) {
    bool is_looked_at = storage->looking.count > 0;
    if (ILKI_UNLIKELY(is_looked_at)) ilki_note_append(storage, chunk);
    uint32_t row = ILKI_UNLIKELY(is_looked_at) ? chunk->used : ilki_row_free(chunk);
    ilki_chunk_touch(storage, chunk);
    ilki_row_enter(storage, chunk, row);
    return row;
}

// Clears all bits of a row whose values were moved away.
void ilki_row_forget(ilki_storage* storage, ilki_chunk* chunk, uint32_t row);

// Drops all values of a row and clears all its bits.
void ilki_row_strip(ilki_storage* storage, ilki_chunk* chunk, uint32_t row);

// Makes a hole of a row that has no bits, in a chunk that is touched.
ILKI_INLINE void ilki_row_vacate(ilki_storage* storage, ilki_chunk* chunk, uint32_t row) {
    ilki_bit_clear(chunk->live, row);
    chunk->gaps |= ilki_gap(row);
    storage->stirs++;
    if (ILKI_UNLIKELY(chunk->alive-- == chunk->rows)) ilki_ilk_opens(chunk->ilk, chunk);
    bool is_empty = chunk->alive == 0 && !storage->looking.count;
    if (ILKI_UNLIKELY(is_empty)) chunk->used = 0;
}

ILKI_INLINE void ilki_row_leave(ilki_storage* storage, ilki_chunk* chunk, uint32_t row) {
    ilki_chunk_touch(storage, chunk);
    ilki_row_vacate(storage, chunk, row);
}

// The same for rows side by side.
void ilki_rows_leave(ilki_storage* storage, ilki_chunk* chunk, uint32_t row, uint32_t count);

// Whether the rows of a chunk may be left without a look at its blocks.
ILKI_INLINE bool ilki_chunk_is_plain(const ilki_chunk* chunk) {
#ifdef ILK_CHECKED
    (void)chunk;
    return false; // every value that goes is overwritten
#else
    return !chunk->is_odd;
#endif
}

// The checked build looks whether somebody wrote to a place that had no value.
#ifdef ILK_CHECKED
void ilki_expect_untouched(ilki_storage* storage, const ilki_directory* directory, void* value);
#else
#define ilki_expect_untouched(storage, directory, value) ((void)0)
#endif

void ilki_mark_row(ilki_storage* storage, const ilki_directory* directory, const ilki_block* block,
                   uint32_t place, bool is_added);

// Notes that the value of a row changes, or is given.
ILKI_INLINE void ilki_mark(ilki_storage* storage, const ilki_directory* directory,
                           ilki_block* block, uint32_t place, bool is_added) {
    ilki_change(storage, block);
    if (ILKI_UNLIKELY(directory->is_tracked)) {
        ilki_mark_row(storage, directory, block, place, is_added);
    }
}

// Notes that the values of rows side by side change, or are given.
void ilki_mark_rows(ilki_storage* storage, const ilki_directory* directory, ilki_block* block,
                    uint32_t place, uint32_t count, bool is_added);

// Switches a value on or off.
void ilki_value_switch(ilki_storage* storage, const ilki_directory* directory, ilki_block* block,
                       uint32_t place, bool is_on);

// Makes sure that `count` rows of a chunk can be given a value. The block, or NULL without memory.
ilki_block* ilki_ready_to_give(ilki_storage* storage, ilki_chunk* chunk, ilki_directory* directory,
                               uint32_t count);

// Flips the presence bit of a row of a chunk that may not have been odd.
ILKI_INLINE void ilki_row_flip(ilki_storage* storage, ilki_block* block, uint32_t place) {
    ilki_block_flip(block, ilki_row_of(place));
    storage->chunks[ilki_chunk_of(place)]->is_odd = true;
    storage->stirs++;
}

// The same for a moment, to find out what would be. It is flipped back before anybody is called;
// but another thread may be copying the block, which a snapshot that it shows shares.
ILKI_INLINE void ilki_row_flip_briefly(ilki_storage* storage, ilki_block* block, uint32_t place) {
    ilki_touch(storage, block);
    ilki_block_flip(block, ilki_row_of(place));
}

// What is left of a value that is gone.
ILKI_INLINE void ilki_value_wipe(const ilki_directory* directory, const ilki_block* block,
                                 uint32_t row) {
#ifdef ILK_CHECKED
    ilki_poison(ilki_value_at(directory, block, row), directory->size);
#else
    (void)directory;
#endif
    if (ILKI_UNLIKELY(block->kind == ILKI_SMALL)) ilki_small_give_back(block, row);
}

// Sets the bit of a row that comes to have a value. There must be a block, and a slot if it is a
// small one (ilki_ready_to_give).
ILKI_INLINE void ilki_row_gains(ilki_storage* storage, ilki_block* block, uint32_t place) {
    ilki_row_flip(storage, block, place);
    if (block->kind == ILKI_SMALL) ilki_small_take(block, ilki_row_of(place));
}

// The same, as a change; the value is the caller's to fill.
ILKI_INLINE void* ilki_value_give(ilki_storage* storage, const ilki_directory* directory,
                                  ilki_block* block, uint32_t place) {
    ilki_mark(storage, directory, block, place, true);
    ilki_row_gains(storage, block, place);
    void* value = ilki_value_at(directory, block, ilki_row_of(place));
    ilki_expect_untouched(storage, directory, value);
    return value;
}

// Clears the bits of a row that has a value, and loses it; the value is not dropped.
ILKI_INLINE void ilki_value_lose(ilki_storage* storage, const ilki_directory* directory,
                                 ilki_block* block, uint32_t place) {
    ilki_change(storage, block);
    ilki_value_switch(storage, directory, block, place, true);
    ilki_value_wipe(directory, block, ilki_row_of(place));
    ilki_row_flip(storage, block, place);
}

// Whether the values of a type are ilk's own, and found by an index (src/relation).
ILKI_INLINE bool ilki_is_indexed(const ilki_storage* storage, const ilki_directory* directory) {
    return directory == storage->name || directory == storage->id;
}

// Such a value is about to be dropped: it is taken out of the index.
void ilki_own_drop(ilki_storage* storage, const ilki_directory* directory, uint32_t slot);

// Drops the value of a place that may have one, and takes it away, as a change.
void ilki_value_take(ilki_storage* storage, const ilki_directory* directory, uint32_t place);

// The set of types that a row has, in ascending order, into `types`, which holds all types of the
// world. Returns how many.
uint32_t ilki_row_set(const ilki_storage* storage, const ilki_chunk* chunk, uint32_t row,
                      uint32_t* types);

// Whether the entity at a place is inactive, or dying; nowhere is neither.
ILKI_INLINE bool ilki_is_inactive(const ilki_storage* storage, uint32_t place) {
    if (!storage->inactive) return false;
    const ilki_block* block = ilki_block_at(storage->inactive, ilki_chunk_of(place));
    return ilki_block_has(block, ilki_row_of(place)) &&
           !ilki_block_is_off(block, ilki_row_of(place));
}

ILKI_INLINE bool ilki_is_dying(const ilki_storage* storage, uint32_t place) {
    return storage->dying &&
           ilki_block_has(ilki_block_at(storage->dying, ilki_chunk_of(place)), ilki_row_of(place));
}

// How many blocks a chunk has.
ILKI_INLINE uint32_t ilki_block_count(const ilki_chunk* chunk) {
    return chunk->ilk->type_count + chunk->guest_count;
}

// The directory of the n-th block of a chunk: its ilk's types first, then its guests.
ILKI_INLINE ilki_directory* ilki_directory_in(const ilki_storage* storage, const ilki_chunk* chunk,
                                              uint32_t at) {
    const ilki_ilk* ilk = chunk->ilk;
    return storage
        ->types[at < ilk->type_count ? ilk->types[at] : chunk->guests[at - ilk->type_count]];
}

#endif
