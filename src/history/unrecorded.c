// Values that are left out of history, when a world goes back: they stay with their entities.
#include "past.h"

unsigned char* ilki_value_now(const ilki_storage* storage, const ilki_directory* directory,
                              ilk_entity e) {
    const ilki_index* index = &storage->view.index;
    if (e.index >= index->slots) return NULL;
    ilki_record record = *ilki_record_at(index, e.index);
    if (record.generation != e.generation || ilki_is_nowhere(record.place)) return NULL;
    const ilki_block* block = ilki_block_at(directory, ilki_chunk_of(record.place));
    uint32_t row = ilki_row_of(record.place);
    return block->base && ilki_block_has(block, row) ? ilki_value_at(directory, block, row) : NULL;
}

static void swap_values(unsigned char* a, unsigned char* b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

static void fill_comer(const ilki_return* coming, uint32_t number, const ilki_directory* directory,
                       const ilki_block* block) {
    ilki_chunk was;
    ilki_past_chunk(coming->snapshot, number, &was);
    ilki_block_fill(directory, block, was.rows, was.live);
    for (uint32_t row = 0; row < was.used; row++) {
        if (!ilki_bit(was.live, row) || !ilki_block_has(block, row)) continue;
        unsigned char* now =
            ilki_value_now(&coming->history->world->storage, directory, was.entities[row]);
        if (now) swap_values(ilki_value_at(directory, block, row), now, directory->size);
    }
}

void ilki_unrecorded_move(const ilki_return* coming) {
    const ilki_storage_image* image = &coming->snapshot->storage;
    const ilki_comer* comer = coming->comers;
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        comer++; // its rows
        for (uint32_t k = 0; k < image->chunks[i].block_count; k++, comer++) {
            const ilki_directory* directory =
                coming->history->world->storage.types[image->chunks[i].blocks[k].type];
            if (!comer->block.base || !directory->type->unrecorded) continue;
            fill_comer(coming, i, directory, &comer->block);
        }
    }
}
