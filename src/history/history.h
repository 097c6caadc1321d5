// History: snapshots of a world, and what they share with it.
//
// A snapshot leaves the world where it is. It knows of each *piece* of state (a page of an array, a
// block, the rows of a chunk) that it was there, and shares its bytes with the world; before a
// piece is written to or freed, its bytes are saved, into the newest snapshot alone. So what an
// older one knows of a piece is in the first snapshot from it on, towards the newest, that has
// bytes of its own; if none has, in the world. When a snapshot is released, those of its bytes that
// the one before it shares go there.
//
// What is small is copied when a snapshot is taken.
//
// While a snapshot is open (shown.h), another thread may look for the blocks and resources that it
// has. So each of these is saved, handed over and freed under the lock; the bytes of a snapshot
// stay what and where they are until it is released, and none is released before it is closed.
#ifndef ILKI_HISTORY_H
#define ILKI_HISTORY_H

#include <ilk/snapshot.h>

#include "../relation/names.h"
#include "event_images.h"
#include "resource_images.h"
#include "running.h"

typedef struct ilki_history ilki_history;

// An array whose pages are guarded (base/guard.h).
typedef struct ilki_sheet {
    ilki_guard* guard;
    void* owner;
    size_t page_bytes, align;
    size_t (*bytes)(const void* owner);      // that are state
    size_t (*room)(const void* owner);       // that there is memory for
    void* (*at)(void* owner, uint32_t page); // a page; NULL if it is absent
    // Where they are NULL, there is nothing to do.
    bool (*ready)(ilk_world* world, void* owner, uint32_t page); // a page that may be absent
    void (*vacate)(void* owner, uint32_t page);                  // one that was absent
    void (*copy)(const void* owner, void* to, const void* from); // what values own
    void (*drop)(const void* owner, void* page);
    uint64_t* bits;    // of the guard, kept while there is no snapshot
    uint32_t capacity; // words
} ilki_sheet;

// The pages of a sheet in a snapshot.
typedef struct ilki_leaf {
    uint32_t pages;
    size_t bytes;
    void** own; // by page; NULL: it is shared; ILKI_ABSENT_PAGE: there was none
} ilki_leaf;

// A block in a snapshot.
typedef struct ilki_block_image {
    ilki_block entry; // its base is that of the world's block while it is shared
    uint32_t type;    // ILKI_NONE: it was lost
    bool is_own;
} ilki_block_image;

// A chunk in a snapshot. Its blocks are those of its ilk, in order, and those of its guests.
typedef struct ilki_chunk_image {
    ilki_chunk head; // rows is 0 where there is no chunk; what concerns iterators means nothing
    bool is_own;     // the entity column, with the bits behind it
    uint32_t block_count;
    ilki_block_image* blocks;
} ilki_chunk_image;

typedef struct ilki_ilk_image {
    ilki_ilk* ilk;
    ilki_ilk* host;
    uint32_t lodgers, waiting;
} ilki_ilk_image;

// The storage in a snapshot.
typedef struct ilki_storage_image {
    ilki_index index; // its arrays are the world's, but for `absent`
    uint32_t* absent;
    uint64_t tick;
    uint32_t type_count;
    uint32_t* outs; // by number of a type: of those that were taken out, the how many-th time; or 0
    ilki_chunk_image* chunks;
    uint32_t chunk_count, chunks_alive;
    ilki_ilk_image* ilks;
    uint32_t ilk_count, set_count;
    uint32_t settle_next, settle_row;
    uint64_t stirs, joins, partings, marks, moves, known_stirs;
    bool is_short, is_waiting, is_settled;
} ilki_storage_image;

// What a query has seen.
typedef struct ilki_query_image {
    uint64_t number;
    uint64_t seen;
} ilki_query_image;

// Of what is in a snapshot: of the storage, and of time, systems and events.
typedef struct ilki_snapshot_hash {
    uint64_t storage, rest;
} ilki_snapshot_hash;

struct ilk_snapshot {
    ilki_history* history;
    ilk_snapshot *older, *newer;
    bool is_lost;            // there was no memory for bytes that it shared
    bool is_given_back;      // it is to be released when it is closed
    uint32_t opens;          // worlds that show it
    bool is_past;            // the world has come from there, and has not gone back to before since
    bool is_of_delta;        // it is what a delta says, and in no list
    bool is_of_ring;         // which releases it
    ilki_snapshot_hash hash; // for deltas; all zero if it was not made yet
    ilki_leaf* leaves;
    uint32_t leaf_count;
    ilki_storage_image storage;
    struct ilki_names_image* names; // or NULL
    bool keeps_names;               // those of the world stay
    ilki_edges* edges;              // of each relation; only their numbers mean something
    uint32_t relation_count;
    ilki_query_image* queries; // the youngest first, as the world's
    uint32_t query_count;
    ilki_running_image running;
    ilki_resource_images resources;
    ilki_events_image events;
    size_t bytes; // of all that is copied when it is taken
};

struct ilki_history {
    ilk_world* world;
    ilk_snapshot* newest;
    uint32_t count;
    ilki_sheet* sheets;
    uint32_t sheet_count, sheet_capacity;
    uint64_t names_changes;    // of the names that the newest snapshot has; or UINT64_MAX
    ilki_names coming_names;   // while the world is being restored
    bool has_followed;         // a delta was applied, and there are snapshots from before it
    struct ilki_shown* opened; // snapshots that are open
    ilki_lock lock;            // while several systems are in, or one is open
};

// Whoever changes what snapshots have of blocks and resources begins and ends here.
ILKI_INLINE void ilki_history_hold(ilki_history* history) {
    bool is_shared = history->world->storage.is_shared || history->opened;
    if (is_shared) ilki_lock_take(&history->lock);
}
ILKI_INLINE void ilki_history_let_go(ilki_history* history) {
    bool is_shared = history->world->storage.is_shared || history->opened;
    if (is_shared) ilki_lock_give(&history->lock);
}

// Whether the world, when it goes back to a snapshot, takes the bytes of that: others get a copy.
ILKI_INLINE bool ilki_is_taken_from(const ilki_history* history, const ilk_snapshot* snapshot) {
    return snapshot == history->newest && !history->opened;
}

// Releases a snapshot, or notes that it is to be when it is closed; ends the history with the last.
void ilki_snapshot_give_back(ilk_snapshot* snapshot);

// Takes a snapshot of a world of which one can be taken; NULL without memory.
ilk_snapshot* ilki_take_snapshot(ilk_world* world);

// Moves bytes that are held from one use to another.
ILKI_INLINE void ilki_account_for(ilki_memory* memory, ilki_use from, ilki_use to, size_t bytes) {
    memory->bytes[from] -= bytes;
    memory->bytes[to] += bytes;
}

// OK if a snapshot may be taken, or restored, at this moment; and if the world is one that it can
// be taken of, or that can become what it was in one. Otherwise the failure is noted.
ilk_result ilki_moment_for_history(ilk_world* world, const char* call);
ilk_result ilki_fit_to_take(ilk_world* world, const char* call);
ilk_result ilki_fit_to_restore(ilk_world* world, const ilk_snapshot* snapshot, const char* call);

// Notes that a snapshot was lost, of which somebody asked; for a type, or NULL. Always STALE.
ilk_result ilki_fail_lost(ilk_world* world, const ilk_type* type, const char* call);

// Taking, releasing and restoring in the name of a call. That of one that is restored must be the
// moment, and the world one that can become so; it need not be of the world's list.
ilk_snapshot* ilki_snapshot_take(ilk_world* world, const char* call);
ilk_result ilki_snapshot_restore(ilk_snapshot* snapshot, const char* call);

#define ILKI_ABSENT_PAGE ((void*)(uintptr_t)ilki_absent_page)

// Sheets. Enters one, or those that are not known yet; false without memory.
bool ilki_sheet_meet(ilki_history* history, ilki_sheet sheet);
bool ilki_sheets_meet(ilki_history* history);
void ilki_sheets_fini(ilki_history* history);
bool ilki_sheets_ready(ilki_history* history);
void ilki_sheets_cut(const ilki_history* history, ilk_snapshot* snapshot, ilki_cutter* cutter);
void ilki_sheets_share(ilki_history* history);
void ilki_sheets_release(ilki_history* history, ilk_snapshot* snapshot);
bool ilki_sheets_ready_to_restore(ilki_history* history, ilk_snapshot* snapshot);
void ilki_sheets_restore(ilki_history* history, ilk_snapshot* snapshot);

// Saves every page that a snapshot shares with the world. False without memory.
bool ilki_sheets_save(ilki_history* history, ilk_snapshot* snapshot);

// A page of a snapshot that does not share it with the world; how many there are.
void* ilki_page_in(ilk_snapshot* snapshot, uint32_t sheet, uint32_t page);
uint32_t ilki_pages_in(const ilk_snapshot* snapshot, uint32_t sheet);

// The sheets of the storage, and those of a relation.
enum {
    ILKI_SHEET_RECORDS,
    ILKI_SHEET_FREE,
    ILKI_SHEET_TARGETS,
    ILKI_SHEETS_BEFORE
};
ILKI_INLINE uint32_t ilki_sheet_of_edges(uint32_t relation) {
    return ILKI_SHEETS_BEFORE + 2 * relation;
}
ILKI_INLINE uint32_t ilki_sheet_of_heads(uint32_t relation) {
    return ILKI_SHEETS_BEFORE + 2 * relation + 1;
}

// Whether a snapshot still shares with what comes after it.
ILKI_INLINE bool ilki_leaf_shares(const ilk_snapshot* snapshot, uint32_t sheet, uint32_t page) {
    if (!snapshot || sheet >= snapshot->leaf_count) return false;
    const ilki_leaf* leaf = &snapshot->leaves[sheet];
    return page < leaf->pages && !leaf->own[page];
}

// The first snapshot from one on that has a page of its own; NULL: the world has it.
ilk_snapshot* ilki_owner_of_page(ilk_snapshot* snapshot, uint32_t sheet, uint32_t page);

// Of a type that was taken out of the world, the how many-th time; 0 for others.
ILKI_INLINE uint32_t ilki_outs_of(const ilki_directory* directory) {
    return directory->is_out ? directory->outs : 0;
}

// The storage.
void ilki_image_cut(const ilki_storage* storage, ilki_storage_image* image, ilki_cutter* cutter);
void ilki_image_release(ilki_history* history, ilk_snapshot* snapshot);
void ilki_save_block(ilki_storage* storage, const ilki_block* block);
void ilki_save_chunk(ilki_storage* storage, const ilki_chunk* chunk);

// The same for the rows of a chunk, and its block of a type, if the newest snapshot shares them;
// but no snapshot is lost. False without memory.
bool ilki_rows_save(ilki_storage* storage, const ilki_chunk* chunk);
bool ilki_block_save(ilki_storage* storage, const ilki_directory* directory, uint32_t chunk);

// The image of a chunk, or of the block of a type in a chunk; NULL if there is none.
ilki_chunk_image* ilki_chunk_image_at(const ilk_snapshot* snapshot, uint32_t chunk);
ilki_block_image* ilki_block_image_at(const ilk_snapshot* snapshot, uint32_t chunk, uint32_t type);

// The first snapshot from one on that has bytes of its own; NULL: the world has them.
ilk_snapshot* ilki_owner_of_rows(ilk_snapshot* snapshot, uint32_t chunk);
ilk_snapshot* ilki_owner_of_block(ilk_snapshot* snapshot, uint32_t chunk, uint32_t type);

// The live bits of a chunk in a snapshot.
const uint64_t* ilki_live_in(const ilki_storage* storage, ilk_snapshot* snapshot, uint32_t chunk);

// A piece comes to be a snapshot's own, or ceases to be.
void ilki_own_block(ilki_storage* storage, const ilki_chunk_image* chunk, ilki_block_image* image,
                    const ilki_block* block);
void ilki_disown_block(ilki_storage* storage, const ilki_chunk_image* chunk,
                       ilki_block_image* image);
void ilki_own_rows(ilki_storage* storage, ilki_chunk_image* image, ilk_entity* entities);
void ilki_disown_rows(ilki_storage* storage, ilki_chunk_image* image);
ilk_entity* ilki_clone_rows(ilki_storage* storage, const ilki_chunk_image* image);

// Drops the values of a block that is a snapshot's, if it has any.
void ilki_drop_saved(const ilki_directory* directory, const ilki_block* block, uint32_t rows,
                     const uint64_t* live);

// Ends a ring; by whichever thread, since the world may end.
void ilki_ring_end(ilk_ring* ring);

// Rings, for who counts frames by itself. Keeps the world as it is now, as a frame, if that is one
// to be kept and after all that are. Lets those after a frame go.
ilk_result ilki_ring_keep(ilk_ring* ring, uint64_t frame, const char* call);
void ilki_ring_forget(ilk_ring* ring, uint64_t frame);

// Names. Those of a snapshot are a copy, which snapshots share between which none has changed.
typedef struct ilki_names_image {
    uint32_t users;
    ilki_names names;
} ilki_names_image;

// What a snapshot taken now has; false without memory. Gives it to a snapshot; or back, without
// one.
bool ilki_names_take(ilki_history* history, ilki_names_image** image);
void ilki_names_keep(ilki_history* history, ilk_snapshot* snapshot, ilki_names_image* image);
void ilki_names_release(ilki_history* history, ilk_snapshot* snapshot);

// The names that the world is to have, made before anything is changed. False without memory.
bool ilki_names_ready_to_restore(ilki_history* history, const ilk_snapshot* snapshot);
void ilki_names_give_up(ilki_history* history);
void ilki_names_restore(ilki_history* history, const ilk_snapshot* snapshot);

// Relations.
bool ilki_relations_meet(ilki_history* history);
void ilki_relations_cut(const ilk_world* world, ilk_snapshot* snapshot, ilki_cutter* cutter);
bool ilki_relations_ready_to_restore(ilk_world* world, const ilk_snapshot* snapshot);
void ilki_relations_restore(ilk_world* world, const ilk_snapshot* snapshot);

// Queries.
void ilki_queries_cut(const ilk_world* world, ilk_snapshot* snapshot, ilki_cutter* cutter);
void ilki_queries_restore(ilk_world* world, const ilk_snapshot* snapshot);

// The way back of the storage: all that may lack memory is done before anything is changed.
typedef struct ilki_comer {
    ilki_block block; // its base is NULL if the world's block stays
    bool is_taken;    // from the snapshot, which shares it with the world from then on
    ilk_entity* entities;
} ilki_comer;

typedef struct ilki_return {
    ilki_history* history;
    ilk_snapshot* snapshot;
    ilki_chunk** heads; // by chunk: for those that the world does not have
    ilki_comer* comers; // the rows of each chunk, then its blocks, of all chunks in order
    uint32_t head_count, comer_count;
    ilki_index_way index;
} ilki_return;

// The values of types that are unrecorded go to where their entities will be; entities that come
// back without one get the default. What is left behind are values, too, which are to be dropped.
void ilki_unrecorded_move(const ilki_return* coming);

// A chunk enters its ilk, at the position that it has. The storage has the numbers of an image.
void ilki_chunk_join(ilki_chunk* chunk);
void ilki_numbers_come(ilki_storage* storage, const ilki_storage_image* image);

// False without memory: then ilki_return_give_up.
bool ilki_return_ready(ilki_return* coming);
void ilki_return_give_up(ilki_return* coming);
void ilki_return_do(ilki_return* coming);

#endif
