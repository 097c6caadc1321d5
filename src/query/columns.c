// Columns: where the values of a run are, and that they change.
#include "iter.h"

bool ilki_row_has(const ilk_iter* it, const ilki_term* term, uint32_t row) {
    const ilki_chunk* chunk = ilki_iter_chunk(it);
    return ilki_enabled_word(it->query, chunk, term->type, row / 64) >> (row % 64) & 1;
}

const ilki_term* ilki_iter_column(const ilk_iter* it, const ilk_type* type) {
    uint32_t id = type ? ILKI_ID(type) : 0;
    for (uint32_t i = 0; i < it->query->column_count; i++) {
        if (it->query->terms[i].id == id) return &it->query->terms[i];
    }
    return NULL;
}

void* ilki_iter_values(const ilk_iter* it, const ilki_term* term) {
    if (it->chunk == ILKI_NONE) return NULL;
    size_t at = (size_t)(term - it->query->terms);
    if (ILKI_LIKELY(it->stage != ILKI_PLACELESS && at < ILK_LIST && it->bases[at])) {
        return (unsigned char*)it->bases[at] + it->row * term->type->size;
    }
    const ilki_directory* directory = ilki_directory_of(&it->query->storage->view, term->type);
    const ilki_block* block = ilki_block_at(directory, it->chunk);
    if (term->access == ILK_ACCESS_MAYBE) {
        bool is_there = at < 64 ? it->there >> at & 1
                                : ilki_row_has(it, term, it->is_listed ? it->rows[0] : it->row);
        if (!is_there) return NULL;
    }
    return ilki_value_at(directory, block, it->row);
}

// Marks rows one by one, or the chunk as a whole where the run is all of it.
static void mark_tracked(const ilk_iter* it, const ilki_directory* directory, ilki_block* block) {
    ilki_storage* storage = ilki_iter_storage(it);
    const ilki_chunk* chunk = ilki_iter_chunk(it);
    uint32_t place = ilki_place(it->chunk, it->row);
    ilki_change(storage, block);
    if (it->count == chunk->used) {
        ilki_ticks_of(directory, block, chunk->rows)->changed = storage->view.tick;
        ilki_note_mark(storage);
    } else if (it->is_listed) {
        for (uint32_t i = 0; i < it->count; i++) {
            ilki_mark_row(storage, directory, block, place + it->rows[i], false);
        }
    } else {
        ilki_mark_rows(storage, directory, block, place, it->count, false);
    }
}

void ilki_iter_mark(const ilk_iter* it, const ilki_term* term) {
    ilki_storage* storage = ilki_iter_storage(it);
    const ilki_directory* directory = ilki_directory_of(&storage->view, term->type);
    ilki_block* block = ilki_block_at(directory, it->chunk);
    if (directory->is_tracked)
        mark_tracked(it, directory, block);
    else
        ilki_change(storage, block);
}

// The quick column of a type, by its index; ILKI_NONE if there is none.
static uint32_t quick_column(const ilk_iter* it, uint32_t id) {
    uint32_t columns = it->query->column_count;
    for (uint32_t i = 0; i < columns && i < ILK_LIST; i++) {
        if (it->query->terms[i].id == id) return it->bases[i] ? i : ILKI_NONE;
    }
    return ILKI_NONE;
}

const void* ilki_iter_quick_read(const ilk_iter* it, const ilk_type* type) {
    uint32_t at = quick_column(it, ILKI_ID(type));
    if (at == ILKI_NONE) return NULL;
    return (unsigned char*)it->bases[at] + it->row * it->query->terms[at].size;
}

void* ilki_iter_quick_write(ilk_iter* it, const ilk_type* type) {
    ilki_storage* storage = ilki_iter_storage(it);
    uint32_t id = ILKI_ID(type), at = quick_column(it, id);
    if (at == ILKI_NONE || it->query->terms[at].access != ILK_ACCESS_WRITE) return NULL;
    ilki_block* block = &storage->view.by_id[id]->blocks[it->chunk];
    if (block->is_tracked) return NULL;
    ilki_change(storage, block);
    return (unsigned char*)it->bases[at] + it->row * it->query->terms[at].size;
}
