// The way back of the storage to what it was in a snapshot.
#include <string.h>

#include "past.h"

static ilki_storage* home_of(const ilki_return* coming) {
    return &coming->history->world->storage;
}

static bool takes_bytes(const ilki_return* coming) {
    return ilki_is_taken_from(coming->history, coming->snapshot);
}

static void* alloc_all_of(const ilki_return* coming, size_t count, size_t size) {
    return ilki_alloc_zero(&home_of(coming)->memory, ILKI_HISTORY, (count + 1) * size,
                           _Alignof(max_align_t));
}

static void free_all_of(const ilki_return* coming, void* array, size_t count, size_t size) {
    ilki_free(&home_of(coming)->memory, ILKI_HISTORY, array, (count + 1) * size,
              _Alignof(max_align_t));
}

static ilki_chunk* live_chunk(const ilki_storage* storage, uint32_t number) {
    return number < storage->chunk_count ? storage->chunks[number] : NULL;
}

// Makes sure that a chunk has a head with room for its guests.
static bool ready_head(ilki_return* coming, const ilki_chunk_image* image, uint32_t number) {
    ilki_storage* storage = home_of(coming);
    ilki_chunk* chunk = live_chunk(storage, number);
    if (!chunk) {
        coming->heads[number] = ilki_chunk_head(storage, image->head.guest_count);
        return coming->heads[number] != NULL;
    }
    return ilki_grow(&storage->memory, ILKI_OTHER, &chunk->guests, &chunk->guest_capacity,
                     image->head.guest_count, sizeof *chunk->guests);
}

// Whether a piece is in the snapshot as the world has it.
static bool rows_stay(const ilki_return* coming, uint32_t chunk) {
    return ilki_chunk_image_at(coming->snapshot, chunk) &&
           !ilki_owner_of_rows(coming->snapshot, chunk);
}

// (Values that are unrecorded may have gone with their entities, and their bytes be as they were.)
static bool block_stays(const ilki_return* coming, uint32_t chunk, uint32_t type) {
    bool is_same = ilki_block_image_at(coming->snapshot, chunk, type) &&
                   !ilki_owner_of_block(coming->snapshot, chunk, type);
    bool is_unrecorded = home_of(coming)->types[type]->type->unrecorded;
    return is_same && (!is_unrecorded || rows_stay(coming, chunk));
}

// Gets the bytes of a piece that the world does not have any more: those of the newest snapshot are
// taken, if none is open, those of others copied.
static bool ready_rows(const ilki_return* coming, uint32_t number, ilki_comer* comer) {
    ilk_snapshot* owner = ilki_owner_of_rows(coming->snapshot, number);
    if (!owner) return true;
    const ilki_chunk_image* image = &owner->storage.chunks[number];
    comer->entities =
        takes_bytes(coming) ? image->head.entities : ilki_clone_rows(home_of(coming), image);
    return comer->entities != NULL;
}

static bool ready_block(const ilki_return* coming, uint32_t number, uint32_t type,
                        ilki_comer* comer) {
    ilki_storage* storage = home_of(coming);
    const ilki_directory* directory = storage->types[type];
    if (!ilki_directory_ready(storage->types[type], &storage->memory, number)) return false;
    if (block_stays(coming, number, type)) return true;
    ilk_snapshot* owner = ilki_owner_of_block(coming->snapshot, number, type);
    comer->block = *ilki_past_block(coming->snapshot, number, type);
    comer->is_taken = owner && takes_bytes(coming);
    if (comer->is_taken) return true;
    bool is_copied = ilki_block_clone(
        directory, &storage->pool, &comer->block,
        coming->snapshot->storage.chunks[number].head.rows,
        ilki_live_in(storage, owner ? owner : coming->snapshot, number), &comer->block);
    if (!is_copied) comer->block.base = NULL;
    return is_copied;
}

static bool ready_chunk(ilki_return* coming, uint32_t number, ilki_comer* comers) {
    const ilki_chunk_image* image = &coming->snapshot->storage.chunks[number];
    if (!image->head.rows) return true;
    if (!ready_head(coming, image, number) || !ready_rows(coming, number, comers)) return false;
    for (uint32_t i = 0; i < image->block_count; i++) {
        if (!ready_block(coming, number, image->blocks[i].type, &comers[1 + i])) return false;
    }
    return true;
}

// Makes sure that each ilk has room for the chunks that it had.
static bool ready_ilks(const ilki_return* coming) {
    const ilki_storage_image* image = &coming->snapshot->storage;
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        const ilki_chunk* head = &image->chunks[i].head;
        if (!head->rows) continue;
        if (!ilki_ilk_ready_for(home_of(coming), head->ilk, head->position + 1)) return false;
    }
    return true;
}

static uint32_t comers_of(const ilki_storage_image* image) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < image->chunk_count; i++) count += 1 + image->chunks[i].block_count;
    return count;
}

bool ilki_return_ready(ilki_return* coming) {
    const ilki_storage_image* image = &coming->snapshot->storage;
    ilki_storage* storage = home_of(coming);
    coming->index = (ilki_index_way){.index = &storage->view.index,
                                     .memory = &storage->memory,
                                     .was = &image->index,
                                     .absent = image->absent};
    coming->head_count = image->chunk_count;
    coming->comer_count = comers_of(image);
    coming->heads = alloc_all_of(coming, coming->head_count, sizeof *coming->heads);
    coming->comers = alloc_all_of(coming, coming->comer_count, sizeof *coming->comers);
    if (!coming->heads || !coming->comers || !ilki_index_ready_to_be(&coming->index) ||
        !ilki_grow(&storage->memory, ILKI_OTHER, &storage->chunks, &storage->chunk_capacity,
                   image->chunk_count, sizeof *storage->chunks) ||
        !ready_ilks(coming)) {
        return false;
    }
    ilki_comer* comers = coming->comers;
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        if (!ready_chunk(coming, i, comers)) return false;
        comers += 1 + image->chunks[i].block_count;
    }
    return ilki_sheets_ready_to_restore(coming->history, coming->snapshot);
}

// Frees what was copied and is not used.
static void free_comers(const ilki_return* coming) {
    ilki_storage* storage = home_of(coming);
    const ilki_comer* comer = coming->comers;
    for (uint32_t i = 0; i < coming->snapshot->storage.chunk_count; i++) {
        const ilki_chunk_image* image = &coming->snapshot->storage.chunks[i];
        uint32_t rows = image->head.rows;
        const uint64_t* live = rows ? ilki_live_in(storage, coming->snapshot, i) : NULL;
        ilk_entity* entities = comer++->entities;
        if (!takes_bytes(coming)) {
            ilki_pool_free(&storage->pool, ILKI_ENTITIES, entities, ilki_rows_bytes(rows), 1);
        }
        for (uint32_t k = 0; k < image->block_count; k++, comer++) {
            const ilki_directory* directory = storage->types[image->blocks[k].type];
            if (!comer->block.base || comer->is_taken) continue;
            ilki_drop_saved(directory, &comer->block, rows, live);
            ilki_block_free(directory, &storage->pool, &comer->block, rows);
        }
    }
}

static void end(ilki_return* coming) {
    ilki_index_give_back(&coming->index);
    free_all_of(coming, coming->heads, coming->head_count, sizeof *coming->heads);
    free_all_of(coming, coming->comers, coming->comer_count, sizeof *coming->comers);
}

void ilki_return_give_up(ilki_return* coming) {
    if (coming->comers) free_comers(coming);
    for (uint32_t i = 0; coming->heads && i < coming->head_count; i++) {
        if (coming->heads[i]) ilki_chunk_head_give_back(home_of(coming), coming->heads[i]);
    }
    end(coming);
}

// A block of the world goes: to the newest snapshot, if that shares it.
static void block_goes(const ilki_return* coming, const ilki_chunk* chunk,
                       ilki_directory* directory) {
    ilki_storage* storage = home_of(coming);
    ilk_snapshot* newest = coming->history->newest;
    const ilki_block* block = ilki_block_at(directory, chunk->number);
    ilki_block_image* image = ilki_block_image_at(newest, chunk->number, directory->number);
    bool is_kept = image && !image->is_own;
    if (!is_kept || directory->type->unrecorded) {
        ilki_block_drop_values(directory, block, chunk->rows, chunk->live);
    }
    if (is_kept) {
        ilki_own_block(storage, ilki_chunk_image_at(newest, chunk->number), image, block);
    } else {
        ilki_block_free(directory, &storage->pool, block, chunk->rows);
    }
    ilki_directory_leave(directory, chunk->number);
}

static void rows_go(const ilki_return* coming, const ilki_chunk* chunk) {
    ilki_storage* storage = home_of(coming);
    ilki_chunk_image* image = ilki_chunk_image_at(coming->history->newest, chunk->number);
    if (image && !image->is_own)
        ilki_own_rows(storage, image, chunk->entities);
    else
        ilki_pool_free(&storage->pool, ILKI_ENTITIES, chunk->entities, ilki_rows_bytes(chunk->rows),
                       1);
}

// What the world has and the snapshot has not, or not so, goes.
static void chunk_goes(const ilki_return* coming, ilki_chunk* chunk) {
    ilki_storage* storage = home_of(coming);
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        if (!block_stays(coming, chunk->number, directory->number)) {
            block_goes(coming, chunk, directory);
        }
    }
    if (!rows_stay(coming, chunk->number)) rows_go(coming, chunk);
    if (ilki_chunk_image_at(coming->snapshot, chunk->number)) return;
    storage->chunks[chunk->number] = NULL;
    ilki_chunk_head_give_back(storage, chunk);
}

// The head of a chunk is again what it was, but for its rows and its list of guests.
static void head_comes(const ilki_return* coming, ilki_chunk* chunk,
                       const ilki_chunk_image* image) {
    ilki_chunk now = *chunk;
    *chunk = image->head;
    chunk->guests = now.guests;
    chunk->guest_capacity = now.guest_capacity;
    if (now.entities) ilki_chunk_set_rows(chunk, now.entities);
    chunk->born = home_of(coming)->looking.last;
    chunk->note_count = 0;
    uint32_t homes = image->block_count - image->head.guest_count;
    for (uint32_t i = 0; i < image->head.guest_count; i++) {
        chunk->guests[i] = image->blocks[homes + i].type;
    }
}

static void rows_come(const ilki_return* coming, ilki_chunk* chunk, const ilki_comer* comer) {
    if (!comer->entities) return;
    ilki_chunk_image* image = &coming->snapshot->storage.chunks[chunk->number];
    ilki_chunk_set_rows(chunk, comer->entities);
    if (takes_bytes(coming)) ilki_disown_rows(home_of(coming), image);
}

static void block_comes(const ilki_return* coming, const ilki_chunk* chunk, ilki_block_image* image,
                        const ilki_comer* comer) {
    ilki_storage* storage = home_of(coming);
    ilki_directory* directory = storage->types[image->type];
    if (comer->block.base) {
        ilki_directory_enter(directory, chunk->number, &comer->block);
        if (comer->is_taken) {
            ilki_disown_block(storage, &coming->snapshot->storage.chunks[chunk->number], image);
        }
    }
    ilki_block* block = &directory->blocks[chunk->number];
    block->is_awkward = ilki_is_awkward(directory, block, chunk->has_dying);
}

static void chunk_comes(const ilki_return* coming, uint32_t number, const ilki_comer* comers) {
    ilki_storage* storage = home_of(coming);
    ilki_chunk_image* image = &coming->snapshot->storage.chunks[number];
    if (!image->head.rows) {
        storage->chunks[number] = NULL;
        return;
    }
    ilki_chunk* chunk = live_chunk(storage, number);
    if (!chunk) chunk = coming->heads[number];
    storage->chunks[number] = chunk;
    head_comes(coming, chunk, image);
    rows_come(coming, chunk, comers);
    for (uint32_t i = 0; i < image->block_count; i++) {
        block_comes(coming, chunk, &image->blocks[i], &comers[1 + i]);
    }
}

static void ilks_go(ilki_storage* storage) {
    for (uint32_t i = 0; i < storage->ilk_total; i++) {
        ilki_ilk* ilk = storage->ilks[i];
        ilk->rows = ilk->chunk_count = 0;
        ilk->door = NULL;
        if (ilk->room) memset(ilk->room, 0, ilk->room_capacity * sizeof *ilk->room);
    }
    ilki_ilks_cut(storage, 0);
}

// The ilks that were there are in their order again, in front of all others.
static void ilks_come(ilki_storage* storage, const ilki_storage_image* image) {
    for (uint32_t i = 0; i < image->ilk_count; i++) {
        const ilki_ilk_image* was = &image->ilks[i];
        ilki_ilk_list(storage, was->ilk);
        was->ilk->host = was->host;
        was->ilk->lodgers = was->lodgers;
        was->ilk->waiting = was->waiting;
    }
}

void ilki_chunk_join(ilki_chunk* chunk) {
    ilki_ilk* ilk = chunk->ilk;
    ilk->chunks[chunk->position] = chunk;
    if (ilk->chunk_count <= chunk->position) ilk->chunk_count = chunk->position + 1;
    ilk->rows += chunk->rows;
    if (chunk->alive < chunk->rows) ilki_ilk_opens(ilk, chunk);
}

void ilki_numbers_come(ilki_storage* storage, const ilki_storage_image* image) {
    storage->view.tick = storage->view.fresh = image->tick;
    storage->chunk_count = image->chunk_count;
    storage->chunks_alive = image->chunks_alive;
    storage->set_count = image->set_count;
    storage->settle_next = image->settle_next;
    storage->settle_row = image->settle_row;
    storage->stirs = image->stirs;
    storage->joins = image->joins;
    storage->partings = image->partings;
    storage->marks = image->marks;
    storage->moves = image->moves;
    storage->known_stirs = image->known_stirs;
    storage->is_short = image->is_short;
    storage->is_waiting = image->is_waiting;
    storage->is_settled = image->is_settled;
}

// The words of targets that came since; the newest snapshot does without them.
static size_t late_targets(ilki_storage* storage, const ilk_snapshot* snapshot) {
    size_t had = snapshot->leaves[storage->target_guard.number].bytes / sizeof(uint64_t);
    size_t late = storage->target_words - had;
    if (!late) return 0;
    ilki_guard_pass_from(&storage->target_guard, (uint32_t)(had * 64 / ILKI_PAGE_TARGETS));
    return late;
}

void ilki_return_do(ilki_return* coming) {
    ilki_storage* storage = home_of(coming);
    const ilki_storage_image* image = &coming->snapshot->storage;
    ilki_look_no_more(storage, "the world was restored");
    storage->looking.marked = UINT32_MAX;
    ilki_unrecorded_move(coming);
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i]) chunk_goes(coming, storage->chunks[i]);
    }
    const ilki_comer* comers = coming->comers;
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        chunk_comes(coming, i, comers);
        comers += 1 + image->chunks[i].block_count;
    }
    ilks_go(storage);
    ilks_come(storage, image);
    ilki_numbers_come(storage, image);
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i]) ilki_chunk_join(storage->chunks[i]);
    }
    size_t late = late_targets(storage, coming->snapshot);
    ilki_index_become(&coming->index);
    ilki_sheets_restore(coming->history, coming->snapshot);
    if (late) memset(storage->targets + storage->target_words - late, 0, late * sizeof(uint64_t));
    end(coming);
}
