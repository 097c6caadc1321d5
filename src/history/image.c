// The storage in a snapshot.
#include <string.h>

#include "history.h"

void* ilki_cut(ilki_cutter* cutter, size_t count, size_t size) {
    size_t begin = (cutter->used + 15) & ~(size_t)15;
    cutter->used = begin + count * size;
    return cutter->memory ? cutter->memory + begin : NULL;
}

static void copy_blocks(const ilki_storage* storage, const ilki_chunk* chunk,
                        ilki_block_image* blocks) {
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        blocks[i] =
            (ilki_block_image){*ilki_block_at(directory, chunk->number), directory->number, false};
    }
}

static void cut_chunk(const ilki_storage* storage, const ilki_chunk* chunk, ilki_chunk_image* image,
                      ilki_cutter* cutter) {
    uint32_t count = chunk ? ilki_block_count(chunk) : 0;
    ilki_block_image* blocks = ilki_cut(cutter, count, sizeof *blocks);
    if (!image) return;
    *image = (ilki_chunk_image){.block_count = count, .blocks = blocks};
    if (!chunk) return;
    image->head = *chunk;
    copy_blocks(storage, chunk, blocks);
}

static void copy_ilks(const ilki_storage* storage, ilki_ilk_image* images) {
    for (uint32_t i = 0; i < storage->ilk_count; i++) {
        ilki_ilk* ilk = storage->ilks[i];
        images[i] = (ilki_ilk_image){ilk, ilk->host, ilk->lodgers, ilk->waiting};
    }
}

static void copy_numbers(const ilki_storage* storage, ilki_storage_image* image) {
    image->index = storage->view.index;
    image->tick = storage->view.tick;
    image->type_count = storage->type_count;
    image->chunk_count = storage->chunk_count;
    image->chunks_alive = storage->chunks_alive;
    image->ilk_count = storage->ilk_count;
    image->set_count = storage->set_count;
    image->settle_next = storage->settle_next;
    image->settle_row = storage->settle_row;
    image->stirs = storage->stirs;
    image->joins = storage->joins;
    image->partings = storage->partings;
    image->marks = storage->marks;
    image->moves = storage->moves;
    image->known_stirs = storage->known_stirs;
    image->is_short = storage->is_short;
    image->is_waiting = storage->is_waiting;
    image->is_settled = storage->is_settled;
}

void ilki_image_cut(const ilki_storage* storage, ilki_storage_image* image, ilki_cutter* cutter) {
    const ilki_index* index = &storage->view.index;
    copy_numbers(storage, image);
    image->absent = ilki_cut(cutter, index->absent_count, sizeof *image->absent);
    image->outs = ilki_cut(cutter, storage->type_count, sizeof *image->outs);
    image->ilks = ilki_cut(cutter, storage->ilk_count, sizeof *image->ilks);
    image->chunks = ilki_cut(cutter, storage->chunk_count, sizeof *image->chunks);
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        cut_chunk(storage, storage->chunks[i], image->chunks ? &image->chunks[i] : NULL, cutter);
    }
    if (!cutter->memory) return;
    if (index->absent_count) {
        memcpy(image->absent, index->absent, index->absent_count * sizeof *image->absent);
    }
    for (uint32_t i = 0; i < storage->type_count; i++) {
        image->outs[i] = ilki_outs_of(storage->types[i]);
    }
    copy_ilks(storage, image->ilks);
}

ilki_chunk_image* ilki_chunk_image_at(const ilk_snapshot* snapshot, uint32_t chunk) {
    if (!snapshot || chunk >= snapshot->storage.chunk_count) return NULL;
    ilki_chunk_image* image = &snapshot->storage.chunks[chunk];
    return image->head.rows ? image : NULL;
}

ilki_block_image* ilki_block_image_at(const ilk_snapshot* snapshot, uint32_t chunk, uint32_t type) {
    const ilki_chunk_image* image = ilki_chunk_image_at(snapshot, chunk);
    for (uint32_t i = 0; image && i < image->block_count; i++) {
        if (image->blocks[i].type == type) return &image->blocks[i];
    }
    return NULL;
}

static bool shares_rows(const ilk_snapshot* snapshot, uint32_t chunk) {
    const ilki_chunk_image* image = ilki_chunk_image_at(snapshot, chunk);
    return image && !image->is_own;
}

static bool shares_block(const ilk_snapshot* snapshot, uint32_t chunk, uint32_t type) {
    const ilki_block_image* image = ilki_block_image_at(snapshot, chunk, type);
    return image && !image->is_own;
}

ilk_snapshot* ilki_owner_of_rows(ilk_snapshot* snapshot, uint32_t chunk) {
    while (shares_rows(snapshot, chunk)) snapshot = snapshot->newer;
    return snapshot;
}

ilk_snapshot* ilki_owner_of_block(ilk_snapshot* snapshot, uint32_t chunk, uint32_t type) {
    while (shares_block(snapshot, chunk, type)) snapshot = snapshot->newer;
    return snapshot;
}

const uint64_t* ilki_live_in(const ilki_storage* storage, ilk_snapshot* snapshot, uint32_t chunk) {
    const ilk_snapshot* owner = ilki_owner_of_rows(snapshot, chunk);
    return owner ? owner->storage.chunks[chunk].head.live : storage->chunks[chunk]->live;
}

void ilki_own_block(ilki_storage* storage, const ilki_chunk_image* chunk, ilki_block_image* image,
                    const ilki_block* block) {
    const ilki_directory* directory = storage->types[image->type];
    image->entry.base = block->base;
    image->is_own = true;
    ilki_account_for(&storage->memory, ILKI_VALUES, ILKI_HISTORY,
                     ilki_block_held(directory, block, chunk->head.rows));
}

void ilki_disown_block(ilki_storage* storage, const ilki_chunk_image* chunk,
                       ilki_block_image* image) {
    const ilki_directory* directory = storage->types[image->type];
    image->is_own = false;
    ilki_account_for(&storage->memory, ILKI_HISTORY, ILKI_VALUES,
                     ilki_block_held(directory, &image->entry, chunk->head.rows));
}

static size_t held_by_rows(const ilki_chunk_image* image) {
    return ilki_pool_bytes(ilki_rows_bytes(image->head.rows), 1);
}

void ilki_own_rows(ilki_storage* storage, ilki_chunk_image* image, ilk_entity* entities) {
    ilki_chunk_set_rows(&image->head, entities);
    image->is_own = true;
    ilki_account_for(&storage->memory, ILKI_ENTITIES, ILKI_HISTORY, held_by_rows(image));
}

void ilki_disown_rows(ilki_storage* storage, ilki_chunk_image* image) {
    image->is_own = false;
    ilki_account_for(&storage->memory, ILKI_HISTORY, ILKI_ENTITIES, held_by_rows(image));
}

static ilk_entity* clone_rows(ilki_storage* storage, const ilk_entity* entities, uint32_t rows) {
    ilk_entity* clone = ilki_pool_alloc(&storage->pool, ILKI_ENTITIES, ilki_rows_bytes(rows), 1);
    if (clone) memcpy(clone, entities, ilki_rows_bytes(rows));
    return clone;
}

ilk_entity* ilki_clone_rows(ilki_storage* storage, const ilki_chunk_image* image) {
    return clone_rows(storage, image->head.entities, image->head.rows);
}

void ilki_drop_saved(const ilki_directory* directory, const ilki_block* block, uint32_t rows,
                     const uint64_t* live) {
    if (!directory->type->unrecorded) ilki_block_drop_values(directory, block, rows, live);
}

static void release_block(ilki_history* history, ilk_snapshot* snapshot, uint32_t chunk,
                          ilki_block_image* image) {
    ilki_storage* storage = &history->world->storage;
    const ilki_directory* directory = storage->types[image->type];
    const ilki_chunk_image* of = &snapshot->storage.chunks[chunk];
    ilki_block_image* older = ilki_block_image_at(snapshot->older, chunk, image->type);
    if (older && !older->is_own) {
        older->entry.base = image->entry.base;
        older->is_own = true;
        return;
    }
    ilki_drop_saved(directory, &image->entry, of->head.rows,
                    ilki_live_in(storage, snapshot, chunk));
    ilki_disown_block(storage, of, image);
    ilki_block_free(directory, &storage->pool, &image->entry, of->head.rows);
}

static void release_rows(ilki_history* history, const ilk_snapshot* snapshot, uint32_t chunk) {
    ilki_storage* storage = &history->world->storage;
    ilki_chunk_image* image = &snapshot->storage.chunks[chunk];
    ilki_chunk_image* older = ilki_chunk_image_at(snapshot->older, chunk);
    if (older && !older->is_own) {
        ilki_chunk_set_rows(&older->head, image->head.entities);
        older->is_own = true;
        return;
    }
    ilki_disown_rows(storage, image);
    ilki_pool_free(&storage->pool, ILKI_ENTITIES, image->head.entities,
                   ilki_rows_bytes(image->head.rows), 1);
}

static void release_chunk(ilki_history* history, ilk_snapshot* snapshot, uint32_t chunk) {
    ilki_chunk_image* image = &snapshot->storage.chunks[chunk];
    for (uint32_t i = 0; i < image->block_count; i++) {
        if (image->blocks[i].is_own) release_block(history, snapshot, chunk, &image->blocks[i]);
    }
    if (image->is_own) release_rows(history, snapshot, chunk);
}

// It is as if the block had not been: another one may come to be in its place.
static void lose_block(ilk_snapshot* newest, uint32_t chunk, uint32_t type) {
    for (ilk_snapshot* s = newest; shares_block(s, chunk, type); s = s->older) {
        ilki_block_image_at(s, chunk, type)->type = ILKI_NONE;
        s->is_lost = true;
    }
}

// Without its rows nobody knows which values of a chunk there were. So what those snapshots have of
// it that share the rows is released while these are still there, that of the oldest first, and it
// is as if it had not been. Those before them lose the blocks that they share.
static void lose_chunk(ilki_history* history, uint32_t chunk) {
    ilk_snapshot* s = history->newest;
    while (shares_rows(s->older, chunk)) s = s->older;
    const ilki_chunk_image* before = ilki_chunk_image_at(s->older, chunk);
    ilk_snapshot* older = s->older;
    for (; s; s = s->newer) {
        release_chunk(history, s, chunk);
        s->storage.chunks[chunk] = (ilki_chunk_image){0};
        s->is_lost = true;
    }
    for (uint32_t i = 0; before && i < before->block_count; i++) {
        lose_block(older, chunk, before->blocks[i].type);
    }
}

bool ilki_rows_save(ilki_storage* storage, const ilki_chunk* chunk) {
    ilki_chunk_image* image = ilki_chunk_image_at(storage->history->newest, chunk->number);
    if (!image || image->is_own) return true;
    ilk_entity* clone = clone_rows(storage, chunk->entities, chunk->rows);
    if (clone) ilki_own_rows(storage, image, clone);
    return clone != NULL;
}

void ilki_save_chunk(ilki_storage* storage, const ilki_chunk* chunk) {
    if (!ilki_rows_save(storage, chunk)) lose_chunk(storage->history, chunk->number);
}

// The directory that has an entry.
static const ilki_directory* directory_with(const ilki_storage* storage, const ilki_block* block) {
    uint32_t i = 0;
    uintptr_t at = (uintptr_t)block;
    while (at - (uintptr_t)storage->types[i]->blocks >= storage->types[i]->bound * sizeof *block) {
        i++;
    }
    return storage->types[i];
}

bool ilki_block_save(ilki_storage* storage, const ilki_directory* directory, uint32_t chunk) {
    ilk_snapshot* newest = storage->history->newest;
    ilki_block_image* image = ilki_block_image_at(newest, chunk, directory->number);
    if (!image || image->is_own) return true;
    const ilki_chunk_image* of = ilki_chunk_image_at(newest, chunk);
    ilki_block clone;
    bool is_saved = ilki_block_clone(directory, &storage->pool, &directory->blocks[chunk],
                                     of->head.rows, ilki_live_in(storage, newest, chunk), &clone);
    if (is_saved) ilki_own_block(storage, of, image, &clone);
    return is_saved;
}

static void save_block(ilki_storage* storage, const ilki_block* block) {
    const ilki_directory* directory = directory_with(storage, block);
    uint32_t chunk = (uint32_t)(block - directory->blocks);
    if (ilki_block_save(storage, directory, chunk)) return;
    lose_block(storage->history->newest, chunk, directory->number);
}

// Systems that run beside each other may write to one block, each to its own rows.
void ilki_save_block(ilki_storage* storage, const ilki_block* block) {
    ilki_history_hold(storage->history);
    save_block(storage, block);
    ilki_history_let_go(storage->history);
}

void ilki_image_release(ilki_history* history, ilk_snapshot* snapshot) {
    for (uint32_t i = 0; i < snapshot->storage.chunk_count; i++) {
        release_chunk(history, snapshot, i);
    }
}
