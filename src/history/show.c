// What a world that shows a snapshot fetches when it is asked, and its end.
#include <string.h>

#include "../component/values.h"
#include "shown.h"

static ilki_storage* storage_of_shown(const ilki_shown* shown) {
    return &shown->world->storage;
}

static uint64_t* copied_of(const ilki_shown* shown, uint32_t type) {
    return shown->copied + (size_t)type * shown->words;
}

// A copy of a block that the world still has, or of one whose values no snapshot has.
static ilk_result copy_block(const ilki_shown* shown, const ilki_directory* directory,
                             uint32_t chunk, ilki_block* block) {
    ilki_storage* storage = storage_of_shown(shown);
    const ilki_chunk* of = storage->chunks[chunk];
    if (!ilki_block_clone(directory, &storage->pool, block, of->rows, of->live, block)) {
        return ILK_NO_MEMORY;
    }
    if (directory->type->unrecorded) ilki_block_fill(directory, block, of->rows, of->live);
    ilki_bit_set(copied_of(shown, directory->number), chunk);
    return ILK_OK;
}

static ilk_result fetch_block(const ilki_shown* shown, ilki_directory* directory, uint32_t chunk) {
    ilk_snapshot* snapshot = shown->snapshot;
    const ilki_block_image* image = ilki_block_image_at(snapshot, chunk, directory->number);
    if (!image) return ILK_OK;
    ilk_result result = ILK_OK;
    ilki_lock_take(&snapshot->history->lock);
    ilki_block block = image->entry;
    ilk_snapshot* owner = ilki_owner_of_block(snapshot, chunk, directory->number);
    if (owner) block.base = ilki_block_image_at(owner, chunk, directory->number)->entry.base;
    if (!owner && snapshot->is_lost)
        result = ILK_STALE;
    else if (!owner || directory->type->unrecorded)
        result = copy_block(shown, directory, chunk, &block);
    ilki_lock_give(&snapshot->history->lock);
    block.is_awkward =
        ilki_is_awkward(directory, &block, storage_of_shown(shown)->chunks[chunk]->has_dying);
    if (result == ILK_OK) ilki_directory_enter(directory, chunk, &block);
    return result;
}

static void free_copy(const ilki_shown* shown, const ilki_directory* directory, uint32_t chunk) {
    ilki_storage* storage = storage_of_shown(shown);
    const ilki_chunk* of = storage->chunks[chunk];
    const ilki_block* block = &directory->blocks[chunk];
    ilki_block_drop_values(directory, block, of->rows, of->live);
    ilki_block_free(directory, &storage->pool, block, of->rows);
}

// A directory is again as if nothing had been fetched.
static void give_blocks_back(const ilki_shown* shown, ilki_directory* directory) {
    ilki_storage* storage = storage_of_shown(shown);
    uint64_t* copied = copied_of(shown, directory->number);
    for (uint32_t i = 0; i < directory->bound; i++) {
        if (directory->blocks[i].base && ilki_bit(copied, i)) free_copy(shown, directory, i);
    }
    memset(copied, 0, shown->words * sizeof *copied);
    ilki_directory_fini(directory, &storage->memory);
    directory->blocks = NULL;
    directory->present = NULL;
    directory->bound = directory->block_count = 0;
}

ilk_result ilki_shown_fetch(ilki_shown* shown, ilki_directory* directory) {
    ilki_storage* storage = storage_of_shown(shown);
    uint32_t chunks = storage->chunk_count;
    if (shown->is_there[directory->number]) return ILK_OK;
    bool is_ready = !chunks || ilki_directory_ready(directory, &storage->memory, chunks - 1);
    ilk_result result = is_ready ? ILK_OK : ILK_NO_MEMORY;
    for (uint32_t i = 0; i < chunks && result == ILK_OK; i++) {
        if (storage->chunks[i]) result = fetch_block(shown, directory, i);
    }
    if (result != ILK_OK) give_blocks_back(shown, directory);
    shown->is_there[directory->number] = result == ILK_OK;
    return result;
}

static ilk_result fail_to_show(const ilk_world* world, ilk_result result, const ilk_type* type,
                               const char* call) {
    ilk_world* shows = (ilk_world*)(uintptr_t)world; // what it shows stays the same
    shows->shown->failed = result;
    if (result == ILK_NO_MEMORY) return ilki_fail(shows, result, call, ILKI_NULL, type);
    return ilki_fail_lost(shows, type, call);
}

static ilk_result show_blocks(const ilk_world* world, ilki_directory* directory, const char* call) {
    ilk_result result = ilki_shown_fetch(world->shown, directory);
    return result == ILK_OK ? ILK_OK : fail_to_show(world, result, directory->type, call);
}

ilk_result ilki_show_slow(const ilk_world* world, const ilk_type* type, const char* call) {
    ilki_directory* directory = ilki_directory_of(&world->storage.view, type);
    return directory == &ilki_no_directory ? ILK_OK : show_blocks(world, directory, call);
}

ilk_result ilki_why_not_shown(const ilk_world* world, const ilk_type* type) {
    const ilki_directory* directory = ilki_directory_of(&world->storage.view, type);
    bool is_there = directory == &ilki_no_directory || world->shown->is_there[directory->number];
    return is_there ? ILK_OK : world->shown->failed;
}

// A value that the world still has is copied.
static ilk_result fetch_resource(ilki_shown* shown, ilki_resource* resource) {
    ilk_snapshot* snapshot = shown->snapshot;
    ilki_shown_resource* at = &shown->resources[resource - shown->world->resources.list];
    ilk_result result = ILK_OK;
    ilki_lock_take(&snapshot->history->lock);
    ilk_snapshot* owner = ilki_owner_of_resource(snapshot, resource->type);
    if (resource->type->unrecorded) {
        resource->value =
            ilki_resource_make(&storage_of_shown(shown)->memory, ILKI_OTHER, resource->type);
        at->is_copied = resource->value != NULL;
        result = at->is_copied ? ILK_OK : ILK_NO_MEMORY;
    } else if (owner) {
        resource->value = ilki_resource_image_of(owner, resource->type)->own;
    } else if (snapshot->is_lost) {
        result = ILK_STALE;
    } else {
        resource->value = ilki_resource_clone(&storage_of_shown(shown)->memory, ILKI_OTHER,
                                              resource->type, at->shared);
        at->is_copied = resource->value != NULL;
        result = at->is_copied ? ILK_OK : ILK_NO_MEMORY;
    }
    ilki_lock_give(&snapshot->history->lock);
    return result;
}

ilk_result ilki_show_resource(const ilk_world* world, ilki_resource* resource, const char* call) {
    ilk_result result = resource->value ? ILK_OK : fetch_resource(world->shown, resource);
    return result == ILK_OK ? ILK_OK : fail_to_show(world, result, resource->type, call);
}

ilk_result ilki_show_all_slow(const ilk_world* world, const char* call) {
    ilk_result result = ILK_OK;
    for (uint32_t i = 0; i < world->storage.type_count && result == ILK_OK; i++) {
        result = show_blocks(world, world->storage.types[i], call);
    }
    for (uint32_t i = 0; i < world->resources.count && result == ILK_OK; i++) {
        result = ilki_show_resource(world, &world->resources.list[i], call);
    }
    return result;
}

static void give_resources_back(const ilki_shown* shown) {
    ilki_resources* resources = &shown->world->resources;
    for (uint32_t i = 0; i < resources->count; i++) {
        if (!shown->resources[i].is_copied) continue;
        ilki_resource_unmake(&storage_of_shown(shown)->memory, ILKI_OTHER, resources->list[i].type,
                             resources->list[i].value);
    }
    resources->count = 0;
}

static void give_chunks_back(ilki_storage* storage) {
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i]) ilki_chunk_head_give_back(storage, storage->chunks[i]);
        storage->chunks[i] = NULL;
    }
    storage->chunk_count = storage->chunks_alive = 0;
}

static void give_relation_back(ilki_relation* relation) {
    relation->edges.page_count = relation->edges.used = 0;
    ilki_heads* heads = &relation->heads;
    if (heads->pages) memset(heads->pages, 0, heads->page_capacity * sizeof *heads->pages);
}

// All pages and values that are not its own are gone; the rest ends as that of any world does.
static void give_all_back(const ilki_shown* shown) {
    ilk_world* world = shown->world;
    ilki_storage* storage = &world->storage;
    for (uint32_t i = 0; i < storage->type_count; i++) give_blocks_back(shown, storage->types[i]);
    give_resources_back(shown);
    give_chunks_back(storage);
    for (uint32_t i = 0; i < world->relations.count; i++) {
        give_relation_back(world->relations.list[i]);
    }
    storage->view.index.page_count = storage->view.index.slots = 0;
    storage->names = NULL;
}

static void unlink_shown(ilki_history* history, const ilki_shown* shown) {
    ilki_shown** link = &history->opened;
    while (*link != shown) link = &(*link)->next;
    *link = shown->next;
    history->world->storage.memory.is_lent = history->opened != NULL;
}

void ilki_shown_close(ilki_shown* shown) {
    ilk_world* world = shown->world;
    ilk_snapshot* snapshot = shown->snapshot;
    give_all_back(shown);
    world->running = NULL;
    world->shown = NULL;
    unlink_shown(snapshot->history, shown);
    ilki_free(&world->storage.memory, ILKI_HISTORY, shown, shown->bytes, _Alignof(max_align_t));
    snapshot->opens--;
    if (snapshot->is_given_back) ilki_snapshot_give_back(snapshot);
}

bool ilki_shown_end(ilk_world* world, const char* call) {
    ilki_shown* shown = world->shown;
    if (ilki_enter(shown->snapshot->history->world, call) != ILK_OK) return false;
    ilki_shown_close(shown);
    return true;
}

// The last one to be closed may end the history.
void ilki_shown_end_all(ilk_world* live) {
    while (live->storage.history && live->storage.history->opened) {
        ilki_shown* shown = live->storage.history->opened;
        ilk_world* world = shown->world;
        ilki_shown_close(shown);
        ilk_world_destroy(world);
    }
}
