#include "place.h"

ilki_block* ilki_ready_to_give(ilki_storage* storage, ilki_chunk* chunk, ilki_directory* directory,
                               uint32_t count) {
    ilki_block* block = ilki_block_at(directory, chunk->number);
    if (block->kind == ILKI_ABSENT) block = ilki_chunk_invite(storage, chunk, directory);
    if (!block || block->kind != ILKI_SMALL) return block;
    bool is_ready = ilki_small_ready(directory, block, &storage->pool, count);
    return is_ready ? block : NULL;
}

// Clears the bits of a row in one block.
ILKI_INLINE void forget(ilki_storage* storage, const ilki_directory* directory, ilki_block* block,
                        uint32_t row) {
    uint64_t* presence = ilki_presence(block, row / 64);
    uint64_t* off = ilki_off(block, row / 64);
    ilki_touch(storage, block);
    if (ilki_block_has(block, row)) ilki_value_wipe(directory, block, row);
    block->count = (uint16_t)(block->count - (*presence >> (row % 64) & 1));
    *presence &= ~((uint64_t)1 << (row % 64));
    if (ILKI_LIKELY(block->off == 0)) return;
    block->off = (uint16_t)(block->off - (*off >> (row % 64) & 1));
    *off &= ~((uint64_t)1 << (row % 64));
}

void ilki_row_forget(ilki_storage* storage, ilki_chunk* chunk, uint32_t row) {
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        forget(storage, directory, ilki_block_at(directory, chunk->number), row);
    }
}

void ilki_rows_leave(ilki_storage* storage, ilki_chunk* chunk, uint32_t row, uint32_t count) {
    ilki_chunk_touch(storage, chunk);
    ilki_bits_fill(chunk->live, row, count, false);
    for (uint32_t i = row - row % 128; i < row + count; i += 128) chunk->gaps |= ilki_gap(i);
    storage->stirs += count;
    if (chunk->alive == chunk->rows) ilki_ilk_opens(chunk->ilk, chunk);
    chunk->alive -= count;
    if (chunk->alive == 0 && !storage->looking.count) chunk->used = 0;
}

// Whether the end of an entity leaves a block as it is: no row has bits.
ILKI_INLINE bool is_clear(const ilki_block* block) {
#ifdef ILK_CHECKED
    (void)block;
    return false; // every value that goes is overwritten
#else
    return block->count == 0 && block->off == 0;
#endif
}

// An index is told of a value that it knows (src/relation) before the value goes.
static void leave_index(ilki_storage* storage, const ilki_directory* directory, uint32_t place) {
    const ilki_chunk* chunk = storage->chunks[ilki_chunk_of(place)];
    ilki_own_drop(storage, directory, chunk->entities[ilki_row_of(place)].index);
}

// Drops the value of a place, or ends the relations that it stands for.
static void drop(ilki_storage* storage, const ilki_directory* directory, const ilki_block* block,
                 uint32_t place) {
    if (directory->relation) {
        storage->cut(storage, directory, place);
        return;
    }
    if (ILKI_UNLIKELY(ilki_is_indexed(storage, directory))) leave_index(storage, directory, place);
    ilki_value_drop(directory->type, ilki_value_at(directory, block, ilki_row_of(place)));
}

static void drop_row(ilki_storage* storage, const ilki_chunk* chunk, uint32_t row) {
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        ilki_block* block = ilki_block_at(directory, chunk->number);
        if (!ilki_block_has(block, row)) continue;
        ilki_touch(storage, block);
        drop(storage, directory, block, ilki_place(chunk->number, row));
    }
}

void ilki_row_strip(ilki_storage* storage, ilki_chunk* chunk, uint32_t row) {
    if (chunk->drops) drop_row(storage, chunk, row);
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        ilki_block* block = &directory->blocks[chunk->number];
        if (!is_clear(block)) forget(storage, directory, block, row);
    }
}

void ilki_mark_row(ilki_storage* storage, const ilki_directory* directory, const ilki_block* block,
                   uint32_t place, bool is_added) {
    uint32_t rows = storage->chunks[ilki_chunk_of(place)]->rows;
    ilki_row_ticks* ticks = ilki_ticks_of(directory, block, rows) + 1 + ilki_row_of(place);
    ticks->changed = storage->view.tick;
    ilki_note_mark(storage);
    if (is_added) ticks->added = storage->view.tick;
}

void ilki_mark_rows(ilki_storage* storage, const ilki_directory* directory, ilki_block* block,
                    uint32_t place, uint32_t count, bool is_added) {
    ilki_change(storage, block);
    for (uint32_t i = 0; directory->is_tracked && i < count; i++) {
        ilki_mark_row(storage, directory, block, place + i, is_added);
    }
}

void ilki_value_switch(ilki_storage* storage, const ilki_directory* directory, ilki_block* block,
                       uint32_t place, bool is_on) {
    uint32_t row = ilki_row_of(place);
    if (ilki_block_is_off(block, row) != is_on) return;
    ilki_mark(storage, directory, block, place, false);
    *ilki_off(block, row / 64) ^= (uint64_t)1 << (row % 64);
    block->off = (uint16_t)(is_on ? block->off - 1 : block->off + 1);
    storage->chunks[ilki_chunk_of(place)]->is_odd = true;
    storage->stirs++;
}

void ilki_value_take(ilki_storage* storage, const ilki_directory* directory, uint32_t place) {
    ilki_block* block = ilki_block_at(directory, ilki_chunk_of(place));
    if (!ilki_block_has(block, ilki_row_of(place))) return;
    ilki_change(storage, block);
    if (!directory->is_out) drop(storage, directory, block, place); // otherwise it is kept aside
    ilki_value_lose(storage, directory, block, place);
}

uint32_t ilki_row_set(const ilki_storage* storage, const ilki_chunk* chunk, uint32_t row,
                      uint32_t* types) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        if (ilki_block_has(ilki_block_at(directory, chunk->number), row)) {
            ilki_set_insert(types, &count, directory->number);
        }
    }
    return count;
}

#ifdef ILK_CHECKED
void ilki_expect_untouched(ilki_storage* storage, const ilki_directory* directory, void* value) {
    if (!ilki_is_poisoned(value, directory->size)) storage->stale = directory->type;
}
#endif
