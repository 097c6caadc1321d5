// Deltas: what makes one snapshot another, as bytes.
//
// A delta has a head (delta.c), the types that it names, and then, section by section, what
// differs: chunks and ilks, the index, relations, names, resources, time, events. Each section is
// written and read in one file. What can be told from the rest is not sent: records of entities in
// rows, links and edges, lists of names, counts.
//
// Reading makes an image of what the world is to become, which shares with the world what the delta
// does not mention, and restores it. Nothing of the bytes is trusted: whatever image comes of them
// is that of a sound world, or there is none.
#ifndef ILKI_DELTA_H
#define ILKI_DELTA_H

#include "../base/arena.h"
#include "bytes.h"
#include "past.h"
#include "wire.h"

// Where things are in the head (delta.c).
enum {
    ILKI_DELTA_TAG = 6,
    ILKI_DELTA_FROM = 8,
    ILKI_DELTA_TO = 24,
    ILKI_DELTA_SIZE = 40,
    ILKI_DELTA_CHECK = 48,
    ILKI_DELTA_HEAD = 56
};

// A type that a delta names; of components, not only of resources or events.
typedef struct ilki_sent_type {
    ilk_type* type;
    bool is_component;
} ilki_sent_type;

// A delta that is being written.
typedef struct ilki_differ {
    ilk_world* world;
    ilk_snapshot *from, *to; // from NULL: from nothing
    ilki_writer* out;
    ilki_arena* arena;
    uint32_t* numbers; // by id of a type: that in the delta, from 1; 0: it has none yet
    uint32_t id_capacity;
    struct ilki_sent_type* types; // by that number less one
    uint32_t type_count, type_capacity;
    uint64_t* stirred;     // a bit for each type of which blocks came, went or were written to
    const ilk_type* unfit; // a type whose values changed and cannot be sent; or NULL
    bool is_short;         // there was no memory
    bool is_for_hash;      // it is not read, but must be the same in each world
} ilki_differ;

// A delta that is being read.
typedef struct ilki_patch {
    ilk_world* world;
    ilki_parser in;
    ilki_arena* arena;
    bool is_whole;       // it is one from nothing: no piece of the world stays
    ilk_snapshot* image; // what the world is to become: it is in no list of snapshots
    bool has_owned;      // it has the values that own something
    uint64_t* absent;    // pages of the index that are to be absent; NULL before it is read
    uint64_t tick;       // of what changes
    uint64_t left;       // bytes of memory that may still be asked for
    ilk_type** types;    // that it names
    ilki_directory** directories; // NULL where one is of no components
    uint32_t type_count;
    ilk_result result; // INVALID, CLASH, MISSING, FULL or NO_MEMORY
    char why[200];
} ilki_patch;

// Memory that goes with the delta; NULL without, which is noted.
void* ilki_differ_take(ilki_differ* d, size_t count, size_t size);
void* ilki_patch_take(ilki_patch* p, size_t count, size_t size);

// Notes that so many bytes of memory are about to be asked for. False, and that is noted, if the
// delta is too small to ask for that much.
bool ilki_patch_spend(ilki_patch* p, uint64_t bytes);

// Notes what is wrong, if nothing was before. Always false.
bool ilki_patch_refuse(ilki_patch* p, ilk_result result, const char* format, ...) ILKI_FORMAT(3, 4);

// Whether all was right so far, and there were enough bytes.
bool ilki_patch_is_well(ilki_patch* p);

// Types, by their numbers: of components, or any. NULL for 0, which ends a list, and for none.
void ilki_put_type(ilki_differ* d, uint32_t number);
void ilki_put_any_type(ilki_differ* d, ilk_type* type);
ilki_directory* ilki_take_type(ilki_patch* p);
ilk_type* ilki_take_any_type(ilki_patch* p);

// The set of an ilk; and the ilk of a set, which is not listed if it was not before, or NULL.
void ilki_put_set(ilki_differ* d, const ilki_ilk* ilk);
ilki_ilk* ilki_take_ilk(ilki_patch* p);

// A value, whose type can be sent.
void ilki_put_value_of(ilki_differ* d, const ilk_type* type, const void* value);
bool ilki_take_value_of(ilki_patch* p, const ilk_type* type, void* value);

// The storage of the world that is to change; one that is empty if no piece of it stays.
ILKI_INLINE const ilki_chunk* ilki_patch_base(const ilki_patch* p, uint32_t chunk) {
    const ilki_storage* storage = &p->world->storage;
    return p->is_whole || chunk >= storage->chunk_count ? NULL : storage->chunks[chunk];
}

// What the world is to have: the record of a slot; the image of the chunk, and of the block, of an
// entity that is to be alive, or NULL; its value of a type, or NULL.
ilki_record ilki_patch_record(const ilki_patch* p, uint32_t slot);
ILKI_INLINE bool ilki_patch_alive(const ilki_patch* p, uint32_t slot) {
    return slot < p->image->storage.index.slots &&
           !(ilki_patch_record(p, slot).generation & ILKI_DEAD_BIT);
}
ilki_chunk_image* ilki_patch_chunk_of(const ilki_patch* p, uint32_t slot);
const void* ilki_patch_value(const ilki_patch* p, const ilki_directory* directory, uint32_t slot);

// The same value, to be changed; NULL without memory.
void* ilki_patch_edit(ilki_patch* p, const ilki_directory* directory, uint32_t slot);

// The rows, and the block, of a chunk image.
const ilki_chunk* ilki_patch_rows(const ilki_patch* p, const ilki_chunk_image* image);
const ilki_block* ilki_patch_block(const ilki_patch* p, const ilki_chunk_image* image,
                                   const ilki_block_image* block);
ilki_block_image* ilki_patch_block_of(const ilki_chunk_image* image, uint32_t type);

// Gives back the pieces of an image.
void ilki_patch_free_chunks(ilki_patch* p);
void ilki_patch_free_leaves(ilki_patch* p);

// A page of a sheet in the image, of its own; NULL without memory.
void* ilki_patch_page(ilki_patch* p, uint32_t sheet, uint32_t page);

// Makes the pages of a sheet in the image, so many of which are state.
bool ilki_patch_leaf(ilki_patch* p, uint32_t sheet, uint32_t pages, size_t bytes);

// The check over all bytes of a delta but those of the check itself.
uint64_t ilki_delta_check(const unsigned char* bytes, size_t size);

// Whether values of a type are not sent, but may lie elsewhere: what they own stays in each world.
bool ilki_moves_only(const ilk_type* type);

// Whether all such values of a block were there before, and are what they were.
bool ilki_owned_stay(const ilki_differ* d, const ilki_directory* directory, const ilki_chunk* chunk,
                     const ilki_block* block);

// Fills those of the image with copies of what the world has.
bool ilki_take_owned(ilki_patch* p);

// Sections.
void ilki_put_chunks(ilki_differ* d);
void ilki_put_flags(ilki_differ* d); // of chunks
bool ilki_take_chunks(ilki_patch* p);
void ilki_put_ilks(ilki_differ* d);
bool ilki_take_ilks(ilki_patch* p);
void ilki_put_index(ilki_differ* d);
bool ilki_take_index(ilki_patch* p);
void ilki_put_marks(ilki_differ* d); // of targets
bool ilki_take_marks(ilki_patch* p);
bool ilki_patch_is_target(const ilki_patch* p, uint32_t slot);
void ilki_put_relations(ilki_differ* d);
bool ilki_take_relations(ilki_patch* p);
void ilki_put_names(ilki_differ* d);
bool ilki_take_names(ilki_patch* p);
void ilki_put_resources(ilki_differ* d);
bool ilki_take_resources(ilki_patch* p);
void ilki_put_running(ilki_differ* d);
bool ilki_take_running(ilki_patch* p);
void ilki_put_events(ilki_differ* d);
void ilki_put_rest(ilki_differ* d); // of time and events what decides what will be, for a hash
bool ilki_take_events(ilki_patch* p);

#endif
