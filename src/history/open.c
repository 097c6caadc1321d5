// Opening a snapshot: the making of a world that shows it.
#include <string.h>

#include "../component/registry.h"
#include "shown.h"

static ilki_storage* live_storage(const ilk_snapshot* snapshot) {
    return &snapshot->history->world->storage;
}

// Whether the blocks of a type are there as soon as a snapshot is open: they say who relates to
// whom, who is called how, and who rests.
static bool is_basic(const ilki_directory* directory) {
    return directory->relation || ilki_own_type(directory->type->name);
}

// What the world still has of the chunk of a snapshot is saved: its rows, and its basic blocks.
// What it has of others is noted.
static bool own_chunk(ilk_snapshot* snapshot, uint32_t number) {
    ilki_storage* storage = live_storage(snapshot);
    ilki_chunk_image* image = ilki_chunk_image_at(snapshot, number);
    if (!image) return true;
    if (!ilki_owner_of_rows(snapshot, number) &&
        !ilki_rows_save(storage, storage->chunks[number])) {
        return false;
    }
    for (uint32_t i = 0; i < image->block_count; i++) {
        ilki_block_image* block = &image->blocks[i];
        const ilki_directory* directory = storage->types[block->type];
        if (ilki_owner_of_block(snapshot, number, block->type)) continue;
        if (is_basic(directory) && !ilki_block_save(storage, directory, number)) return false;
        if (!block->is_own) block->entry.base = directory->blocks[number].base;
    }
    return true;
}

// All that the world still has and that must not change any more.
static bool own_basics(ilk_snapshot* snapshot) {
    bool is_done = true;
    ilki_history_hold(snapshot->history);
    for (uint32_t i = 0; i < snapshot->storage.chunk_count && is_done; i++) {
        is_done = own_chunk(snapshot, i);
    }
    is_done = is_done && ilki_sheets_save(snapshot->history, snapshot);
    ilki_history_let_go(snapshot->history);
    return is_done;
}

static void cut_shown(const ilk_snapshot* snapshot, ilki_shown* shown, ilki_cutter* cutter) {
    uint32_t types = snapshot->storage.type_count;
    shown->words = ilki_words(snapshot->storage.chunk_count);
    shown->is_there = ilki_cut(cutter, types, sizeof *shown->is_there);
    shown->copied = ilki_cut(cutter, (size_t)types * shown->words, sizeof *shown->copied);
    shown->resources = ilki_cut(cutter, snapshot->resources.count, sizeof *shown->resources);
}

// What a world that shows a snapshot knows of it. NULL without memory.
static ilki_shown* make_shown(ilk_snapshot* snapshot, ilk_world* world) {
    ilki_shown measured = {0};
    ilki_cutter cutter = {0};
    cut_shown(snapshot, &measured, &cutter);
    size_t bytes = sizeof measured + cutter.used;
    ilki_shown* shown =
        ilki_alloc_zero(&world->storage.memory, ILKI_HISTORY, bytes, _Alignof(max_align_t));
    if (!shown) return NULL;
    *shown = (ilki_shown){.snapshot = snapshot, .world = world, .bytes = bytes};
    cutter = (ilki_cutter){.memory = (unsigned char*)(shown + 1)};
    cut_shown(snapshot, shown, &cutter);
    return shown;
}

static void link_shown(ilki_history* history, ilki_shown* shown) {
    shown->world->shown = shown;
    shown->next = history->opened;
    history->opened = shown;
    shown->snapshot->opens++;
    history->world->storage.memory.is_lent = true;
}

// A world without anything. NULL without memory.
static ilk_world* make_empty(ilk_snapshot* snapshot, const char* call) {
    ilk_world* live = snapshot->history->world;
    ilk_world* world = ilki_world_make_unlisted(
        &(ilk_world_desc){.name = live->name,
                          .allocator = ilki_memory_lend(&live->storage.memory),
                          .names = live->names},
        call);
    ilki_shown* shown = world ? make_shown(snapshot, world) : NULL;
    if (shown) {
        link_shown(snapshot->history, shown);
        return world;
    }
    ilk_world_destroy(world);
    return NULL;
}

// Types get the numbers that they have in the world, where they came in the same order.
static bool show_types(ilk_world* world, const ilk_snapshot* snapshot, const char* call) {
    const ilki_storage_image* image = &snapshot->storage;
    for (uint32_t i = 0; i < image->type_count; i++) {
        ilki_directory* directory =
            ilki_directory_for(world, live_storage(snapshot)->types[i]->type, call);
        if (!directory) return false;
        directory->outs = image->outs[i];
        directory->is_out = image->outs[i] != 0;
    }
    return true;
}

static ilki_ilk* ilk_like(ilki_storage* storage, const ilki_ilk* ilk) {
    return ilki_ilk_of(storage, ilk->types, ilk->type_count);
}

static bool show_ilks(ilki_storage* storage, const ilki_storage_image* image) {
    for (uint32_t i = 0; i < image->ilk_count; i++) {
        if (!ilk_like(storage, image->ilks[i].ilk)) return false;
    }
    for (uint32_t i = 0; i < image->ilk_count; i++) {
        const ilki_ilk_image* was = &image->ilks[i];
        storage->ilks[i]->host = was->host ? ilk_like(storage, was->host) : NULL;
        storage->ilks[i]->lodgers = was->lodgers;
        storage->ilks[i]->waiting = was->waiting;
    }
    return true;
}

// Makes a chunk what it was, with rows that a snapshot has.
static void fill_chunk(ilki_chunk* chunk, const ilki_chunk_image* image, ilki_ilk* ilk,
                       ilk_entity* entities) {
    uint32_t* guests = chunk->guests;
    uint32_t capacity = chunk->guest_capacity, homes = image->block_count - image->head.guest_count;
    *chunk = image->head;
    chunk->ilk = ilk;
    chunk->guests = guests;
    chunk->guest_capacity = capacity;
    chunk->note_count = 0;
    chunk->born = 0;
    ilki_chunk_set_rows(chunk, entities);
    for (uint32_t i = 0; i < chunk->guest_count; i++) guests[i] = image->blocks[homes + i].type;
}

static bool show_chunk(ilki_storage* storage, ilk_snapshot* snapshot, uint32_t number) {
    const ilki_chunk_image* image = ilki_chunk_image_at(snapshot, number);
    if (!image) return true;
    ilki_ilk* ilk = ilk_like(storage, image->head.ilk);
    if (!ilk || !ilki_ilk_ready_for(storage, ilk, image->head.position + 1)) return false;
    ilki_chunk* chunk = ilki_chunk_head(storage, image->head.guest_count);
    if (!chunk) return false;
    const ilk_snapshot* owner = ilki_owner_of_rows(snapshot, number);
    fill_chunk(chunk, image, ilk, owner->storage.chunks[number].head.entities);
    storage->chunks[number] = chunk;
    return true;
}

static bool show_chunks(ilki_storage* storage, ilk_snapshot* snapshot) {
    uint32_t count = snapshot->storage.chunk_count;
    if (!ilki_grow(&storage->memory, ILKI_OTHER, &storage->chunks, &storage->chunk_capacity, count,
                   sizeof *storage->chunks)) {
        return false;
    }
    storage->chunk_count = count;
    for (uint32_t i = 0; i < count; i++) {
        if (!show_chunk(storage, snapshot, i)) return false;
    }
    ilki_numbers_come(storage, &snapshot->storage);
    for (uint32_t i = 0; i < count; i++) {
        if (storage->chunks[i]) ilki_chunk_join(storage->chunks[i]);
    }
    return true;
}

// Pages of a sheet side by side, in room for at least so many bytes.
static void join_pages(ilk_snapshot* snapshot, uint32_t sheet, void* to) {
    size_t left = snapshot->leaves[sheet].bytes, most = snapshot->history->sheets[sheet].page_bytes;
    unsigned char* at = to;
    for (uint32_t page = 0; left; page++) {
        size_t bytes = left < most ? left : most;
        const void* from = ilki_page_in(snapshot, sheet, page);
        if (from != ILKI_ABSENT_PAGE) memcpy(at, from, bytes);
        at += bytes;
        left -= bytes;
    }
}

// The free list has room for every slot; what is not used of it is not touched.
static bool show_free(ilki_index* index, ilki_memory* memory, ilk_snapshot* snapshot) {
    uint32_t there = snapshot->storage.index.page_count - snapshot->storage.index.absent_count;
    size_t bytes = (size_t)there * ILKI_PAGE_RECORDS * sizeof *index->free;
    if (!bytes) return true;
    index->free = ilki_alloc(memory, ILKI_RECORDS, bytes, _Alignof(max_align_t));
    if (!index->free) return false;
    index->free_capacity = there * ILKI_PAGE_RECORDS;
    join_pages(snapshot, ILKI_SHEET_FREE, index->free);
    return true;
}

static bool show_absent(ilki_index* index, ilki_memory* memory, const ilki_storage_image* image) {
    uint32_t count = image->index.absent_count;
    if (!ilki_grow(memory, ILKI_RECORDS, &index->absent, &index->absent_capacity, count,
                   sizeof *index->absent)) {
        return false;
    }
    if (count) memcpy(index->absent, image->absent, count * sizeof *index->absent);
    return true;
}

static void count_slots(ilki_index* index, const ilki_index* was) {
    index->page_count = was->page_count;
    index->slots = was->slots;
    index->free_count = was->free_count;
    index->alive = was->alive;
    index->retired = was->retired;
    index->reserved = was->reserved;
    index->absent_count = was->absent_count;
    index->ever = was->ever;
    index->max = was->max;
    index->tag = was->tag;
    index->recycles = was->recycles;
}

static bool show_index(ilki_storage* storage, ilk_snapshot* snapshot) {
    ilki_index* index = &storage->view.index;
    ilki_memory* memory = &storage->memory;
    const ilki_index* was = &snapshot->storage.index;
    if (!show_free(index, memory, snapshot) || !show_absent(index, memory, &snapshot->storage) ||
        !ilki_grow(memory, ILKI_RECORDS, &index->pages, &index->page_capacity, was->page_count,
                   sizeof *index->pages)) {
        return false;
    }
    for (uint32_t i = 0; i < was->page_count; i++) {
        index->pages[i] = ilki_page_in(snapshot, ILKI_SHEET_RECORDS, i);
    }
    count_slots(index, was);
    return true;
}

static bool show_targets(ilki_storage* storage, ilk_snapshot* snapshot) {
    size_t words = snapshot->leaves[ILKI_SHEET_TARGETS].bytes / sizeof *storage->targets;
    if (!ilki_grow(&storage->memory, ILKI_OTHER, &storage->targets, &storage->target_words,
                   (uint32_t)words, sizeof *storage->targets)) {
        return false;
    }
    join_pages(snapshot, ILKI_SHEET_TARGETS, storage->targets);
    return true;
}

static bool show_edges(ilki_edges* edges, ilki_pool* pool, ilk_snapshot* snapshot, uint32_t at) {
    uint32_t sheet = ilki_sheet_of_edges(at), pages = ilki_pages_in(snapshot, sheet);
    if (!ilki_grow(pool->memory, ILKI_EDGES, &edges->pages, &edges->page_capacity, pages,
                   sizeof *edges->pages) ||
        !ilki_edges_ready_to_be(edges, pool, 0, snapshot->edges[at].entered)) {
        return false;
    }
    for (uint32_t i = 0; i < pages; i++) edges->pages[i] = ilki_page_in(snapshot, sheet, i);
    edges->page_count = pages;
    ilki_edges_become(edges, &snapshot->edges[at]);
    return true;
}

static bool show_heads(ilki_heads* heads, ilki_memory* memory, ilk_snapshot* snapshot,
                       uint32_t sheet) {
    uint32_t pages = ilki_pages_in(snapshot, sheet);
    if (!ilki_grow(memory, ILKI_EDGES, &heads->pages, &heads->page_capacity, pages,
                   sizeof *heads->pages)) {
        return false;
    }
    for (uint32_t i = 0; i < pages; i++) {
        void* page = ilki_page_in(snapshot, sheet, i);
        heads->pages[i] = page == ILKI_ABSENT_PAGE ? NULL : page;
    }
    return true;
}

static bool show_relations(ilk_world* world, ilk_snapshot* snapshot) {
    ilki_storage* storage = &world->storage;
    for (uint32_t i = 0; i < snapshot->relation_count; i++) {
        ilki_relation* relation = world->relations.list[i];
        if (!show_edges(&relation->edges, &storage->pool, snapshot, i) ||
            !show_heads(&relation->heads, &storage->memory, snapshot, ilki_sheet_of_heads(i))) {
            return false;
        }
    }
    return true;
}

static bool show_basics(ilk_world* world) {
    for (uint32_t i = 0; i < world->storage.type_count; i++) {
        ilki_directory* directory = world->storage.types[i];
        if (is_basic(directory) && ilki_shown_fetch(world->shown, directory) != ILK_OK) {
            return false;
        }
    }
    return true;
}

// Resources are listed; their values are fetched when they are asked for.
static bool show_resources(ilk_world* world, ilk_snapshot* snapshot) {
    ilki_resources* resources = &world->resources;
    const ilki_resources* live = &snapshot->history->world->resources;
    const ilki_resource_images* images = &snapshot->resources;
    ilki_memory* memory = &world->storage.memory;
    if (!ilki_grow(memory, ILKI_OTHER, &resources->list, &resources->capacity, images->count,
                   sizeof *resources->list) ||
        !ilki_grow(memory, ILKI_OTHER, &resources->places, &resources->place_capacity,
                   images->count ? live->place_capacity : 0, sizeof *resources->places)) {
        return false;
    }
    for (uint32_t i = 0; i < images->count; i++) {
        ilk_type* type = images->list[i].type;
        resources->list[i] = (ilki_resource){.type = type, .changed = images->list[i].changed};
        resources->places[type->id] = i + 1;
        if (type->unrecorded || ilki_owner_of_resource(snapshot, type)) continue;
        world->shown->resources[i].shared = live->list[live->places[type->id] - 1].value;
    }
    resources->count = images->count;
    return true;
}

static bool show_time(ilk_world* world, const ilk_snapshot* snapshot, const char* call) {
    if (!snapshot->running.is_there) return true;
    ilki_schedule* schedule = ilki_schedule_of(world, call);
    if (schedule) ilki_schedule_restore(schedule, &snapshot->running);
    return schedule != NULL;
}

static bool show(ilk_world* world, ilk_snapshot* snapshot, const char* call) {
    ilki_storage* storage = &world->storage;
    storage->names = snapshot->names ? &snapshot->names->names : NULL;
    return show_types(world, snapshot, call) && show_ilks(storage, &snapshot->storage) &&
           show_chunks(storage, snapshot) && show_index(storage, snapshot) &&
           show_targets(storage, snapshot) && show_relations(world, snapshot) &&
           show_basics(world) && show_resources(world, snapshot) &&
           show_time(world, snapshot, call);
}

// From now on nothing can be changed.
static void lock_shown(ilk_world* world, const ilk_snapshot* snapshot) {
    world->user = snapshot->history->world->user;
    world->running = "a snapshot";
    world->storage.view.fresh = ILKI_LOCKED;
}

ilk_world* ilki_snapshot_open(ilk_snapshot* snapshot, const char* call) {
    ilk_world* world = own_basics(snapshot) ? make_empty(snapshot, call) : NULL;
    if (!world) return NULL;
    bool is_shown = show(world, snapshot, call);
    lock_shown(world, snapshot);
    if (is_shown) return world;
    ilk_world_destroy(world);
    return NULL;
}

ilk_world* ilk_snapshot_open(ilk_snapshot* snapshot) {
    const char* call = "ilk_snapshot_open";
    if (!snapshot) return NULL;
    ilk_world* live = snapshot->history->world;
    if (ilki_enter(live, call) != ILK_OK) return NULL;
    if (snapshot->is_lost) {
        ilki_fail_lost(live, NULL, call);
        return NULL;
    }
    ilk_world* world = ilki_snapshot_open(snapshot, call);
    if (!world) ilki_fail(live, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    if (world) ilki_catalogue_enter_opened(world);
    return world;
}
