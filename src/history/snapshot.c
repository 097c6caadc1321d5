// Taking, restoring and releasing snapshots.
#include "hashes.h"
#include "history.h"
#include "shown.h"

static ilki_history* begin_history(ilk_world* world) {
    ilki_storage* storage = &world->storage;
    if (storage->history) return storage->history;
    ilki_history* history =
        ilki_alloc_zero(&storage->memory, ILKI_HISTORY, sizeof *history, _Alignof(ilki_history));
    if (history) history->world = world;
    return history;
}

// Ends the history if there is no snapshot.
static void end_history(ilki_history* history) {
    ilki_storage* storage = &history->world->storage;
    if (history->count) return;
    storage->history = NULL;
    storage->epoch = 0;
    ilki_resources_share(history);
    ilki_sheets_fini(history);
    ilki_free(&storage->memory, ILKI_HISTORY, history, sizeof *history, _Alignof(ilki_history));
}

static void cut(const ilki_history* history, ilk_snapshot* snapshot, ilki_cutter* cutter) {
    ilki_sheets_cut(history, snapshot, cutter);
    ilki_image_cut(&history->world->storage, &snapshot->storage, cutter);
    ilki_relations_cut(history->world, snapshot, cutter);
    ilki_queries_cut(history->world, snapshot, cutter);
    ilki_running_cut(history->world->schedule, &snapshot->running, cutter);
    ilki_resources_cut(history->world, &snapshot->resources, cutter);
    ilki_events_cut(history->world->events, &snapshot->events, cutter);
}

// A snapshot with all that is copied, which shares everything else; NULL without memory.
static ilk_snapshot* make_snapshot(ilki_history* history) {
    ilki_memory* memory = &history->world->storage.memory;
    ilk_snapshot measured = {0};
    ilki_cutter cutter = {0};
    cut(history, &measured, &cutter);
    size_t bytes = sizeof(ilk_snapshot) + cutter.used;
    ilk_snapshot* snapshot = ilki_alloc(memory, ILKI_HISTORY, bytes, _Alignof(max_align_t));
    if (!snapshot) return NULL;
    *snapshot = (ilk_snapshot){.history = history, .bytes = bytes, .is_past = true};
    cutter = (ilki_cutter){.memory = (unsigned char*)(snapshot + 1)};
    cut(history, snapshot, &cutter);
    return snapshot;
}

static void append(ilki_history* history, ilk_snapshot* snapshot) {
    snapshot->older = history->newest;
    if (history->newest) history->newest->newer = snapshot;
    history->newest = snapshot;
    history->count++;
}

static void unlink_snapshot(ilki_history* history, const ilk_snapshot* snapshot) {
    if (snapshot->older) snapshot->older->newer = snapshot->newer;
    if (snapshot->newer)
        snapshot->newer->older = snapshot->older;
    else
        history->newest = snapshot->older;
    history->count--;
}

// From now on, what the newest snapshot shares is saved before it changes.
static void watch(ilki_history* history, uint64_t epoch) {
    ilki_storage* storage = &history->world->storage;
    storage->history = history;
    storage->save_block = ilki_save_block;
    storage->save_chunk = ilki_save_chunk;
    storage->epoch = epoch;
    ilki_sheets_share(history);
    ilki_resources_share(history);
}

ilk_snapshot* ilki_take_snapshot(ilk_world* world) {
    ilki_history* history = begin_history(world);
    if (!history) return NULL;
    ilki_names_image* names = NULL;
    bool is_ready =
        ilki_sheets_meet(history) && ilki_sheets_ready(history) && ilki_names_take(history, &names);
    ilk_snapshot* snapshot = is_ready ? make_snapshot(history) : NULL;
    ilki_names_keep(history, snapshot, names);
    if (!snapshot) {
        end_history(history);
        return NULL;
    }
    ilki_history_hold(history);
    append(history, snapshot);
    ilki_history_let_go(history);
    ilki_next_tick(&world->storage);
    snapshot->storage.tick = world->storage.view.tick;
    watch(history, world->storage.view.tick);
    return snapshot;
}

ilk_snapshot* ilki_snapshot_take(ilk_world* world, const char* call) {
    if (ilki_moment_for_history(world, call) != ILK_OK) return NULL;
    if (ilki_fit_to_take(world, call) != ILK_OK) return NULL;
    ilk_snapshot* snapshot = ilki_take_snapshot(world);
    if (!snapshot) ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    return snapshot;
}

ilk_snapshot* ilk_snapshot_take(ilk_world* world) {
    return ilki_snapshot_take(world, "ilk_snapshot_take");
}

static void release_snapshot(ilki_history* history, ilk_snapshot* snapshot) {
    bool is_newest = snapshot == history->newest;
    ilki_history_hold(history);
    ilki_sheets_release(history, snapshot);
    ilki_image_release(history, snapshot);
    ilki_resources_release(history, snapshot);
    ilki_events_release(history->world->events, &snapshot->events);
    ilki_names_release(history, snapshot);
    unlink_snapshot(history, snapshot);
    ilki_history_let_go(history);
    if (is_newest && history->count) watch(history, UINT64_MAX);
    ilki_free(&history->world->storage.memory, ILKI_HISTORY, snapshot, snapshot->bytes,
              _Alignof(max_align_t));
}

void ilki_snapshot_give_back(ilk_snapshot* snapshot) {
    ilki_history* history = snapshot->history;
    snapshot->is_given_back = true;
    if (snapshot->opens) return;
    release_snapshot(history, snapshot);
    end_history(history);
}

void ilk_snapshot_release(ilk_snapshot* snapshot) {
    if (!snapshot) return;
    ilk_world* world = snapshot->history->world;
    const char* call = "ilk_snapshot_release";
    if (ilki_enter(world, call) != ILK_OK) return;
    if (snapshot->is_of_ring)
        ilki_fail_because(world, ILK_INVALID, call, NULL,
                          "the snapshot is a ring's, which keeps it");
    else
        ilki_snapshot_give_back(snapshot);
}

void ilki_history_free(ilk_world* world) {
    ilki_shown_end_all(world);
    ilki_history* history = world->storage.history;
    if (!history) return;
    while (history->newest) release_snapshot(history, history->newest);
    end_history(history);
}

// All that may lack memory; false without.
static bool ready_to_restore(ilki_return* coming) {
    ilk_world* world = coming->history->world;
    return ilki_sheets_meet(coming->history) && ilki_sheets_ready(coming->history) &&
           ilki_return_ready(coming) &&
           ilki_names_ready_to_restore(coming->history, coming->snapshot) &&
           ilki_relations_ready_to_restore(world, coming->snapshot) &&
           ilki_resources_ready(coming->history, coming->snapshot) &&
           ilki_events_ready(world->events, &coming->snapshot->events);
}

static void give_up_restoring(ilki_return* coming) {
    ilki_names_give_up(coming->history);
    ilki_resources_give_up(coming->history, coming->snapshot);
    ilki_return_give_up(coming);
}

// The snapshots that the world comes from are others now. The tick from which on what is known of
// its changes is of a time that is not to have been: any, if it was never what the snapshot is.
// With a delta it goes on.
static uint64_t come_from(const ilki_history* history, ilk_snapshot* snapshot) {
    bool was_past = snapshot->is_past;
    if (snapshot->is_of_delta) return snapshot->storage.tick;
    for (ilk_snapshot* s = history->newest; s != snapshot; s = s->older) s->is_past = false;
    for (ilk_snapshot* s = snapshot->older; s; s = s->older) s->is_past &= was_past;
    snapshot->is_past = true;
    return was_past ? snapshot->storage.tick : 0;
}

// Commands that were recorded are of a time that is not to have been.
static void do_restore(ilki_return* coming) {
    ilki_history* history = coming->history;
    ilk_snapshot* snapshot = coming->snapshot;
    ilk_world* world = history->world;
    ilki_cmds_forget(world);
    ilki_history_hold(history);
    ilki_return_do(coming);
    ilki_names_restore(history, snapshot);
    ilki_relations_restore(world, snapshot);
    ilki_recipes_free(world);
    ilki_queries_restore(world, snapshot);
    ilki_running_restore(world, &snapshot->running);
    ilki_resources_restore(history, snapshot);
    ilki_history_let_go(history);
    ilki_events_restore(world->events, &snapshot->events);
    ilki_observers_leave_dead(world);
    ilki_hashes_forget_since(world, come_from(history, snapshot));
    history->has_followed |= snapshot->is_of_delta;
    if (history->has_followed) ilki_hashes_forget_naming(world); // of others in the slots of those
    world->storage.epoch = snapshot == history->newest ? world->storage.view.tick : UINT64_MAX;
}

ilk_result ilki_snapshot_restore(ilk_snapshot* snapshot, const char* call) {
    ilki_return coming = {.history = snapshot->history, .snapshot = snapshot};
    if (!ready_to_restore(&coming)) {
        give_up_restoring(&coming);
        return ilki_fail(snapshot->history->world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    }
    do_restore(&coming);
    coming.history->world->restores++;
    return ILK_OK;
}

uint64_t ilk_restore_count(const ilk_world* world) {
    return world ? world->restores : 0;
}

ilk_result ilk_snapshot_restore(ilk_snapshot* snapshot) {
    const char* call = "ilk_snapshot_restore";
    if (!snapshot) return ILK_INVALID;
    ilk_world* world = snapshot->history->world;
    ilk_result result = ilki_moment_for_history(world, call);
    if (result == ILK_OK) result = ilki_fit_to_restore(world, snapshot, call);
    return result == ILK_OK ? ilki_snapshot_restore(snapshot, call) : result;
}

ilk_world* ilk_snapshot_world(const ilk_snapshot* snapshot) {
    return snapshot ? snapshot->history->world : NULL;
}

uint32_t ilk_snapshot_count(const ilk_world* world) {
    return world && world->storage.history ? world->storage.history->count : 0;
}

static void count_leaves(const ilk_snapshot* snapshot, ilk_snapshot_stats* stats) {
    for (uint32_t i = 0; i < snapshot->leaf_count; i++) {
        size_t bytes = snapshot->history->sheets[i].page_bytes;
        for (uint32_t page = 0; page < snapshot->leaves[i].pages; page++) {
            *(snapshot->leaves[i].own[page] ? &stats->owned : &stats->shared) += bytes;
        }
    }
}

static void count_chunk_image(const ilk_snapshot* snapshot, const ilki_chunk_image* chunk,
                              ilk_snapshot_stats* stats) {
    uint32_t rows = chunk->head.rows;
    if (!rows) return;
    *(chunk->is_own ? &stats->owned : &stats->shared) += ilki_pool_bytes(ilki_rows_bytes(rows), 1);
    for (uint32_t i = 0; i < chunk->block_count; i++) {
        const ilki_block_image* block = &chunk->blocks[i];
        if (block->type == ILKI_NONE) continue;
        const ilki_directory* directory = snapshot->history->world->storage.types[block->type];
        *(block->is_own ? &stats->owned : &stats->shared) +=
            ilki_block_front(rows, directory->type->align) +
            ilki_block_body(directory, rows, (ilki_block_kind)block->entry.kind);
    }
}

static void count_resources(const ilki_resource_images* images, ilk_snapshot_stats* stats) {
    for (uint32_t i = 0; i < images->count; i++) {
        const ilki_resource_image* image = &images->list[i];
        *(image->own ? &stats->owned : &stats->shared) += ilki_resource_room(image->type);
    }
}

ilk_snapshot_stats ilk_snapshot_stats_of(const ilk_snapshot* snapshot) {
    ilk_snapshot_stats stats = {0};
    if (!snapshot) return stats;
    stats.is_lost = snapshot->is_lost;
    stats.owned = snapshot->bytes;
    count_leaves(snapshot, &stats);
    for (uint32_t i = 0; i < snapshot->storage.chunk_count; i++) {
        count_chunk_image(snapshot, &snapshot->storage.chunks[i], &stats);
    }
    count_resources(&snapshot->resources, &stats);
    return stats;
}
