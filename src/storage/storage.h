// Storage: places that keep still.
//
// An entity with components has a *place*: a row of a chunk. A *chunk* belongs to an *ilk*, a set
// of types, and has an entity column, live bits, and for each type of its ilk a home block. Any
// other type that one of its rows has is there as a guest block. Adding and removing a component
// sets a bit and a value; destroying leaves a hole, which the next entity of the ilk fills, the
// lowest first. Only settling (settle.c) moves an entity to another place.
//
// Invariants, checked by ilk_world_validate:
//   – a record's place and the entity column of its chunk name each other; the rows of live bits
//     are exactly the places of live entities;
//   – `alive` counts the live bits of a chunk, none of which is at or above `used`; every hole, a
//     row below `used` that is not alive, has its bit in `gaps`;
//   – every type of the ilk has a home block in each of its chunks, and no other type has; every
//     guest block is in the chunk's list of guests, once;
//   – no bit is set for a row that is not alive, or off for a row without the value; `count` and
//     `off` of a block count its bits; a chunk whose blocks have bits is odd;
//   – a chunk with a row that is the target of a relation knows that, and is odd;
//   – a row that is dying has a value that outlives it, and none that does not; where one is, all
//     blocks of the chunk are awkward;
//   – a chunk with a block of values that outlive their entities has one of the dying too, so that
//     destroying needs no memory;
//   – `room` of an ilk has the bits of its chunks that are not full, `door` is the lowest; an ilk
//     with chunks is its own host;
//   – a chunk that is fresh in this tick was touched in it, and each of its home blocks changed.
#ifndef ILKI_STORAGE_H
#define ILKI_STORAGE_H

#include "../containers/map.h"
#include "../entity/index.h"
#include "directory.h"

#define ILKI_OPEN_MAX 12u // iterators at once, no more than ILKI_ROW_BITS
#define ILKI_CHUNKS_MAX (UINT32_MAX >> ILKI_ROW_BITS) // the last number stands for nowhere

// Where a chunk ended when it was first appended to, after the iterator with this serial number
// began and before the next one did (looking.h).
typedef struct ilki_note {
    uint64_t serial;
    uint32_t used;
} ilki_note;

typedef struct ilki_chunk {
    ilk_entity* entities;
    uint64_t* live;   // an even number of words
    uint64_t* waited; // as many: rows that were misfits when settling last looked
    struct ilki_ilk* ilk;
    uint64_t touched;  // tick of the last change of the entity column or the live bits
    uint64_t fresh;    // tick in which the rows and all home blocks changed; or an earlier one
    uint64_t gaps;     // a bit for each pair of words of live bits that may have a hole
    uint32_t number;   // in the world
    uint32_t position; // in its ilk
    uint32_t rows;
    uint32_t used; // no row at or above it is alive
    uint32_t alive;
    bool is_odd;      // a row may have bits, or values to drop; settling looks again
    bool drops;       // some block has values with a drop hook
    bool keeps;       // some block has values that outlive their entities
    bool has_dying;   // some row may be dying: nothing is given quickly to any
    bool has_targets; // some row may be the target of a relation
    uint32_t guest_count, guest_capacity;
    uint32_t* guests; // numbers of the types of its guest blocks
    struct ilki_chunk* next_spare;
    uint64_t born; // the last iterator that was opened before the chunk was made
    uint32_t note_count;
    ilki_note notes[ILKI_OPEN_MAX];
} ilki_chunk;

typedef struct ilki_ilk {
    uint32_t* types; // numbers, ascending
    uint32_t type_count;
    uint32_t rows_max; // of its chunks
    bool is_bare;      // values are copied byte by byte, name nobody, and are not tracked
    bool drops, keeps;
    bool is_listed;        // among those of the storage; false: it was forgotten
    bool is_tentative;     // founded for what may not come to be
    struct ilki_ilk* host; // where its entities go: itself, or the ilk that they lodge with
    uint32_t lodgers;      // how many entities came to lodge
    uint32_t waiting;      // entities of its set that settling found elsewhere in this round
    uint64_t rows;         // in all chunks
    ilki_chunk** chunks;
    uint32_t chunk_count, chunk_capacity;
    uint64_t* room;
    uint32_t room_capacity; // words
    ilki_chunk* door;       // the lowest chunk that has room; NULL: all are full
} ilki_ilk;

// Iterators that are open (looking.h). Serial numbers begin at 1.
typedef struct ilki_open {
    uint64_t serial; // 0: none
    const void* query;
    struct ilki_order* order; // that it goes through, or NULL
} ilki_open;

// Why the last iterator of a slot that was ended from outside was: "the world was settled".
typedef struct ilki_end {
    uint64_t serial;
    const char* why;
} ilki_end;

typedef struct ilki_looking {
    ilki_open open[ILKI_OPEN_MAX];
    ilki_end ends[ILKI_OPEN_MAX];
    uint32_t count;
    uint32_t wide;   // slots whose iterators may visit entities without a place
    uint32_t marked; // slots that such entities may have marks of
    uint64_t last;   // opened
    uint64_t stale;  // this one, and all before it, were ended because values moved
} ilki_looking;

typedef struct ilki_storage {
    ilki_view view; // first: what callers see of a world
    ilki_memory memory;
    ilki_pool pool;
    uint64_t epoch; // what was not touched since then may have to be saved before it changes
    struct ilki_history* history; // that saves it (src/history); NULL while there is no snapshot
    void (*save_block)(struct ilki_storage* storage, const ilki_block* block);
    void (*save_chunk)(struct ilki_storage* storage, const ilki_chunk* chunk);
    // Ends the relations of a source, whose component at a place is about to go.
    void (*cut)(struct ilki_storage* storage, const ilki_directory* directory, uint32_t place);
    ilki_looking looking;
    uint64_t wave;       // how often systems were let in, during which nothing comes, goes or moves
    bool is_shared;      // several systems, or pieces of one, are in at the same time
    ilki_lock sort_lock; // then one of them sorts at a time,
    ilki_lock pass_lock; // and notes a pass over what changed
    uint32_t id_capacity;   // of view.by_id
    ilki_directory** types; // by number
    uint32_t type_count, type_capacity;
    ilki_directory *inactive, *dying;     // of the types of that name; NULL until they are used
    bool has_resting;                     // one of them is used
    ilki_directory *child_of, *name, *id; // the same
    struct ilki_names* names;             // who has names and ids (src/relation); NULL until used
    bool has_outliving;                   // a type is known whose values outlive their entities
    uint64_t* targets;                    // by slot: entities that somebody related to
    uint32_t target_words;
    ilki_guard target_guard;
    uint32_t* set; // room for a set of all types
    uint32_t set_capacity;
    ilki_chunk** chunks; // by number; NULL where none is
    uint32_t chunk_count, chunk_capacity, chunks_alive;
    ilki_chunk* spare_chunks; // heads of chunks that are gone, for the next ones
    ilki_map ilks_by_set;
    ilki_ilk** ilks; // in order of founding; then those that only snapshots, or the future, know
    uint32_t ilk_count, ilk_total, ilk_capacity;
    uint32_t set_count;   // sets that have entities, as the last round of settling saw it
    uint32_t settle_next; // the chunk that settling looks at next
    uint32_t settle_row;  // and the row, where it stopped within the chunk
    uint64_t stirs;       // changes of what is where: moved, given, taken, switched
    uint64_t joins;       // relations that began, or came to lead elsewhere
    uint64_t partings;    // and those that ended, or did
    uint64_t marks;       // values that were marked as changed: blocks once in a tick, or rows
    uint64_t moves;       // chunks that were settled
    uint64_t known_stirs; // of them, those before this round of settling began
    bool is_short;        // something was left in this round for want of memory
    bool is_waiting;      // or to see whether it lasts
    bool is_settled;      // the last round found nothing to do
#ifdef ILK_CHECKED
    const ilk_type* stale; // a value of it was found overwritten after it was gone
#endif
} ilki_storage;

// The entity index is the caller's to initialise. `memory` is copied.
void ilki_storage_init(ilki_storage* storage, const ilki_memory* memory);

// Drops every value and frees everything.
void ilki_storage_fini(ilki_storage* storage);

// Drops every value and frees every chunk and ilk; types and slots stay.
void ilki_storage_clear(ilki_storage* storage);

// Whether a type is the first whose values outlive their entities: the tag of the dying comes with
// it, if that is not there yet.
bool ilki_brings_dying(const ilki_storage* storage, const ilk_type* type);

// Gives a type its directory and number, and the tag of the dying the next one if it comes with it;
// `type` is the process-wide descriptor.
ilk_result ilki_storage_introduce(ilki_storage* storage, ilk_type* type);

// The write barrier: every change of a block's bytes or bits passes here before it happens, and so
// does a block that is about to be freed, or to take another form.
// Once a block was changed in a tick, it is one comparison: `changed` is never ahead of `touched`,
// nor that of the tick, and a snapshot begins a new tick.
// Pieces of a system may share a block, and note the same tick in it at the same time.
ILKI_INLINE uint64_t ilki_changed_at(const ilki_block* block) {
    return __atomic_load_n(&block->changed, __ATOMIC_ACQUIRE);
}

ILKI_INLINE bool ilki_is_fresh(const ilki_storage* storage, const ilki_block* block) {
    return ILKI_LIKELY(ilki_changed_at(block) == storage->view.tick);
}

// Whether systems are in, so that nothing comes, goes or moves.
ILKI_INLINE bool ilki_is_locked(const ilki_storage* storage) {
    return storage->view.fresh == ILKI_LOCKED;
}

// Grows with everything that comes, goes, is switched, or relates to others.
ILKI_INLINE uint64_t ilki_version(const ilki_storage* storage) {
    return storage->stirs + storage->joins + storage->partings;
}

// Ends a tick, and returns its number: what changes from here on is newer.
ILKI_INLINE uint64_t ilki_next_tick(ilki_storage* storage) {
    uint64_t over = storage->view.tick++;
    if (!ilki_is_locked(storage)) storage->view.fresh = storage->view.tick;
    return over;
}

// Notes that bytes or bits change, or values as a user means it.
void ilki_touch_first(ilki_storage* storage, ilki_block* block);
void ilki_change_first(ilki_storage* storage, ilki_block* block);

// Counts a mark, so that loops notice. Where several systems are in, none sees what another marks.
void ilki_note_mark(ilki_storage* storage);

ILKI_INLINE void ilki_touch(ilki_storage* storage, ilki_block* block) {
    uint64_t touched = __atomic_load_n(&block->touched, __ATOMIC_ACQUIRE);
    if (touched != storage->view.tick) ilki_touch_first(storage, block);
}

ILKI_INLINE void ilki_change(ilki_storage* storage, ilki_block* block) {
    if (!ilki_is_fresh(storage, block)) ilki_change_first(storage, block);
}

// The same for the rows of a chunk: the entity column, the live bits, and who waited.
void ilki_chunk_touch_first(ilki_storage* storage, ilki_chunk* chunk);

ILKI_INLINE void ilki_chunk_touch(ilki_storage* storage, ilki_chunk* chunk) {
    if (chunk->touched != storage->view.tick) ilki_chunk_touch_first(storage, chunk);
}

// Gives back what is held for later use: empty chunks, ilks without any, pages, spans.
void ilki_storage_trim(ilki_storage* storage);

// Puts a type number into an ascending set. False if it is there already.
bool ilki_set_insert(uint32_t* set, uint32_t* count, uint32_t type);

// Enters an ilk, which may be among those that were forgotten, at the end of the list. There must
// be room.
void ilki_ilk_list(ilki_storage* storage, ilki_ilk* ilk);

// Forgets all ilks but the first so many. Their memory is kept while there are snapshots, which may
// know them.
void ilki_ilks_cut(ilki_storage* storage, uint32_t count);

// The ilk of a set of type numbers in ascending order, founded if it is new. NULL without memory.
ilki_ilk* ilki_ilk_of(ilki_storage* storage, const uint32_t* types, uint32_t count);

// The same for what may not come to be: it is not listed if it was not before. Frees those that
// were founded so and are not listed by now; no snapshot may know them.
ilki_ilk* ilki_ilk_perhaps(ilki_storage* storage, const uint32_t* types, uint32_t count);
void ilki_ilks_drop_tentative(ilki_storage* storage);

// The ilk of one type alone. NULL without memory.
ilki_ilk* ilki_ilk_alone(ilki_storage* storage, ilki_directory* directory);

bool ilki_ilk_has(const ilki_ilk* ilk, uint32_t type);

// Gives an ilk chunks of its own from now on.
void ilki_ilk_found(ilki_storage* storage, ilki_ilk* ilk);

// Makes sure that an ilk has `count` rows free: OK, FULL or NO_MEMORY.
ilk_result ilki_ilk_ready_slow(ilki_storage* storage, ilki_ilk* ilk, uint32_t count);

ILKI_INLINE ilk_result ilki_ilk_ready(ilki_storage* storage, ilki_ilk* ilk) {
    if (ILKI_LIKELY(ilk->door && !storage->looking.count)) return ILK_OK;
    return ilki_ilk_ready_slow(storage, ilk, 1);
}

// The chunk of an ilk where the next entity arrives. There must be room (ilki_ilk_ready).
ilki_chunk* ilki_ilk_tail(const ilki_ilk* ilk);

ILKI_INLINE ilki_chunk* ilki_ilk_door(const ilki_storage* storage, const ilki_ilk* ilk) {
    return ILKI_LIKELY(!storage->looking.count) ? ilk->door : ilki_ilk_tail(ilk);
}

// Notes that a chunk has room again, or that it has none.
void ilki_ilk_closes(ilki_ilk* ilk, const ilki_chunk* chunk);
ILKI_INLINE void ilki_ilk_opens(ilki_ilk* ilk, ilki_chunk* chunk) {
    ilki_bit_set(ilk->room, chunk->position);
    if (!ilk->door || chunk->position < ilk->door->position) ilk->door = chunk;
}

// Frees the heads of chunks that are gone.
void ilki_chunks_trim(ilki_storage* storage);

// The bytes of the rows of a chunk: the entity column, the live bits, and who waited; and where
// these begin.
size_t ilki_rows_bytes(uint32_t rows);
void ilki_chunk_set_rows(ilki_chunk* chunk, ilk_entity* entities);

// A head for a chunk, with a list of so many guests; NULL without memory. Gives one back, for the
// next chunk.
ilki_chunk* ilki_chunk_head(ilki_storage* storage, uint32_t guests);
void ilki_chunk_head_give_back(ilki_storage* storage, ilki_chunk* chunk);

// Makes room in an ilk for so many chunks. False without memory.
bool ilki_ilk_ready_for(ilki_storage* storage, ilki_ilk* ilk, uint32_t chunks);

// Takes a chunk out of its ilk and frees it with all blocks. It must be empty.
void ilki_chunk_free(ilki_storage* storage, ilki_chunk* chunk);

// Targets of relations are known by a bit, from the first relation until they are gone, so that the
// usual way to destroy need not ask who relates to whom. False without memory.
#define ILKI_PAGE_TARGETS 32768u // bits of a page
bool ilki_ready_for_target(ilki_storage* storage, uint32_t slot);
void ilki_note_new_target(ilki_storage* storage, uint32_t slot);

ILKI_INLINE bool ilki_is_target(const ilki_storage* storage, uint32_t slot) {
    return slot / 64 < storage->target_words && ilki_bit(storage->targets, slot);
}

ILKI_INLINE void ilki_note_target(ilki_storage* storage, uint32_t slot) {
    if (!ilki_bit(storage->targets, slot)) ilki_note_new_target(storage, slot);
}

void ilki_forget_target(ilki_storage* storage, uint32_t slot);

ILKI_INLINE void ilki_chunk_note_target(ilki_chunk* chunk) {
    chunk->has_targets = chunk->is_odd = true;
}

// Whether a chunk has guests, exceptions, values switched off, values to drop or to keep, or
// targets of relations.
bool ilki_chunk_is_odd(const ilki_storage* storage, const ilki_chunk* chunk);

// Makes a chunk, all of whose rows have exactly the types of another ilk, a chunk of that ilk.
// Nothing moves. False without memory.
bool ilki_chunk_adopt(ilki_storage* storage, ilki_chunk* chunk, ilki_ilk* ilk);

// Whether a guest with values of this size begins small in a chunk of so many rows: not if its
// values are no larger than 8 bytes, or the natural block than 16 KB.
ILKI_INLINE bool ilki_begins_small(size_t size, uint32_t rows) {
    return size > 8 && size > ((size_t)16 << 10) / rows;
}

// Makes a guest block for a type that the chunk has no block of, a small one where a natural one
// would be large; with values that outlive their entities, the tag of the dying comes too. NULL
// without memory.
ilki_block* ilki_chunk_invite(ilki_storage* storage, ilki_chunk* chunk, ilki_directory* directory);

// Notes whether somebody in a chunk is dying, after a row came to be, or a block came or went, or
// took another form.
void ilki_chunk_note_dying(ilki_storage* storage, ilki_chunk* chunk);

// Frees a guest block that holds nothing. Nobody must need it.
void ilki_chunk_dismiss(ilki_storage* storage, ilki_chunk* chunk, uint32_t at);

// Whether a chunk has a block of values that outlive their entities, but for the tag of the dying.
bool ilki_chunk_keeps(const ilki_storage* storage, const ilki_chunk* chunk);

#endif
