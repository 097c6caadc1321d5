// The inside of a world, as far as it must be seen for ilk's quickest verbs to be compiled into the
// caller (quick.h). Nothing here is for use: it may differ in the next version, and a program is to
// be compiled with the headers of the library that it runs with.
#ifndef ILK_INSIDE_H
#define ILK_INSIDE_H

#include <string.h>

#include "type.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ILKI_LIKELY(x) __builtin_expect(!!(x), 1)
#define ILKI_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ILKI_PURE __attribute__((pure))
#define ILKI_INLINE static inline __attribute__((always_inline))

#define ILKI_PAGE_RECORDS 1024u
#define ILKI_DEAD_BIT 0x80000000u // of a generation

// A slot of the entity index: its generation, and where its entity lives.
typedef struct ilki_record {
    uint32_t generation;
    uint32_t place; // chunk number and row
} ilki_record;

// Which pages of an array the newest snapshot still shares with the world: each is saved before it
// is written to for the first time.
typedef struct ilki_guard {
    uint64_t* shared; // a bit for each; NULL: there is no snapshot
    uint32_t pages;   // that have bits
    uint32_t number;  // of what it guards, among all
    void (*save)(struct ilki_guard* guard, uint32_t page);
    void* context; // of its own
} ilki_guard;

typedef struct ilki_index {
    ilki_record** pages;
    uint32_t page_count, page_capacity;
    uint32_t slots; // indices handed out so far
    uint32_t free_count, free_capacity;
    uint32_t* free; // slots that can be used again, the one freed last at the end
    uint32_t alive, retired;
    uint32_t reserved; // handles that were given out before their entities are
    uint32_t max;      // alive at once
    uint32_t tag;      // shifted to its place
    uint32_t* absent;  // numbers of pages that are not there yet, rising; their slots count as
                       // retired meanwhile
    uint32_t absent_count, absent_capacity;
    bool recycles;
    uint64_t ever;
    ilki_guard record_guard, free_guard;
} ilki_index;

// The record of an entity, or NULL if it is not alive.
ILKI_INLINE ilki_record* ilki_record_of(const ilki_index* index, ilk_entity e) {
    ilki_record** pages = index->pages;
    if (ILKI_UNLIKELY(e.index >= index->slots)) return NULL;
    ilki_record* record = &pages[e.index / ILKI_PAGE_RECORDS][e.index % ILKI_PAGE_RECORDS];
    bool is_alive = record->generation == e.generation && !(e.generation & ILKI_DEAD_BIT);
    return ILKI_LIKELY(is_alive) ? record : NULL;
}

// Places: a chunk number and a row.
#define ILKI_ROW_BITS 13u
#define ILKI_ROWS_MAX (1u << ILKI_ROW_BITS)
#define ILKI_NOWHERE UINT32_MAX // the place of an entity that never had a component: the last chunk

ILKI_INLINE uint32_t ilki_chunk_of(uint32_t place) {
    return place >> ILKI_ROW_BITS;
}

ILKI_INLINE uint32_t ilki_row_of(uint32_t place) {
    return place & (ILKI_ROWS_MAX - 1);
}

// Whether an entity without components has this place. (Its row may be any.)
ILKI_INLINE bool ilki_is_nowhere(uint32_t place) {
    return ilki_chunk_of(place) == ilki_chunk_of(ILKI_NOWHERE);
}

typedef enum ilki_block_kind {
    ILKI_ABSENT,
    ILKI_HOME,
    ILKI_GUEST,
    ILKI_SMALL
} ilki_block_kind;

// The values of one type in one chunk: an entry of a directory. All zero: there is no block.
typedef struct ilki_block {
    uint64_t changed; // tick of the last change of a value, as a user means it
    uint64_t touched; // tick of the last change of any byte or bit
    unsigned char* base;
    uint16_t count; // presence bits that are set: exceptions at home, values of a guest
    uint8_t kind;
    uint8_t zero;
    uint16_t off;       // values switched off
    uint8_t is_awkward; // values lie elsewhere, or cannot be moved without a call
    uint8_t is_tracked; // changes are noted by row
} ilki_block;

// Count and kind at once.
ILKI_INLINE uint32_t ilki_block_state(const ilki_block* block) {
    uint32_t state;
    memcpy(&state, (const unsigned char*)block + offsetof(ilki_block, count), sizeof state);
    return state;
}

// The state of a block that is at home and has no exceptions.
ILKI_INLINE uint32_t ilki_plain_state(void) {
    ilki_block plain = {0, 0, NULL, 0, ILKI_HOME, 0, 0, 0, 0};
    return ilki_block_state(&plain);
}

ILKI_INLINE bool ilki_block_is_plain(const ilki_block* block) {
    return ilki_block_state(block) == ilki_plain_state();
}

// Whether values can be given and taken without a call: they are not awkward, and none is off.
ILKI_INLINE bool ilki_block_is_handy(const ilki_block* block) {
    uint32_t awkward;
    memcpy(&awkward, (const unsigned char*)block + offsetof(ilki_block, off), sizeof awkward);
    return awkward == 0;
}

// Whether all rows that are alive have the value, or there is no block.
ILKI_INLINE bool ilki_block_is_all_or_none(const ilki_block* block) {
    return (ilki_block_state(block) & ~ilki_plain_state()) == 0;
}

// The bits of 64 rows lie in front of the values, those of the first rows last.
ILKI_INLINE uint64_t* ilki_presence(const ilki_block* block, uint32_t word) {
    return (uint64_t*)(void*)block->base - 1 - 2 * (size_t)word;
}

// Whether a row that is alive has the value, in a block that is there.
ILKI_INLINE bool ilki_natural_has(const ilki_block* block, uint32_t row) {
    bool bit = *ilki_presence(block, row / 64) >> (row % 64) & 1;
    return bit != (block->kind == ILKI_HOME);
}

// The same, in a block that may be absent.
ILKI_INLINE bool ilki_block_has(const ilki_block* block, uint32_t row) {
    if (ILKI_LIKELY(ilki_block_is_plain(block))) return true;
    return block->kind != ILKI_ABSENT && ilki_natural_has(block, row);
}

// Whether a row that is alive has the value at its natural place. False also for a small guest.
ILKI_INLINE bool ilki_block_has_natural(const ilki_block* block, uint32_t row) {
    if (ILKI_LIKELY(ilki_block_is_plain(block))) return true;
    return block->kind != ILKI_SMALL && ilki_block_has(block, row);
}

// The blocks of one type, by chunk.
typedef struct ilki_directory {
    ilki_block* blocks;
    uint32_t bound;  // chunks from here on have no entry, and no block
    bool is_quick;   // values are moved without a call, and never dropped
    bool is_tracked; // changes are noted by row
    bool is_out;     // the type was taken out of the world: nobody has it, or can be given it
    bool is_guarded; // values are not written by callers
    uint32_t block_count;
    size_t size;            // of a value
    uint64_t* present;      // a bit for each entry with a block
    ilk_type* type;         // the process-wide descriptor
    const void* fallback;   // the bytes of a default that needs no call; or NULL
    uint32_t number;        // of the type, in this world
    uint32_t outs;          // how often its values were put aside, or what was aside dropped
    struct ilki_ilk* alone; // the ilk of this type alone, once it is founded
    struct ilki_relation* relation; // or NULL
} ilki_directory;

#define ILKI_LOCKED UINT64_MAX // no tick

// What a world begins with.
typedef struct ilki_view {
    ilki_index index;
    ilki_directory** by_id; // by process-wide id; ilki_no_directory for 0 and for unknown types
    uint32_t id_count;
    uint64_t tick;
    uint64_t fresh; // the tick, while the world may be changed; ILKI_LOCKED while it may not
} ilki_view;

// The id of a type, 0 if it is not in use. Another thread may be about to note it: whoever misses
// that goes the slow way, which looks again. So a plain read will do, which can leave a loop; only
// the thread sanitizer must be told.
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define ILKI_WATCHED // clang's way to say so
#endif
#endif
#if defined __SANITIZE_THREAD__ || defined ILKI_WATCHED
#define ILKI_ID(type) __atomic_load_n(&(type)->id, __ATOMIC_RELAXED)
#else
#define ILKI_ID(type) ((type)->id)
#endif

// The directory of a type; ilki_no_directory if the type is NULL, or the world does not know it, or
// this variable of the type was never used before.
ILKI_INLINE ilki_directory* ilki_directory_of(const ilki_view* view, const ilk_type* type) {
    uint32_t id = type ? ILKI_ID(type) : 0;
    return view->by_id[id < view->id_count ? id : 0];
}

// Where a component of an entity is, or would be.
typedef struct ilki_spot {
    ilki_directory* directory;
    ilki_block* block; // may be absent
    uint32_t place;
} ilki_spot;

// Stands for a world that is NULL: it knows nothing.
extern ILK_API const ilki_view ilki_no_view;

// The quick way to a component: each verb tries it first and leaves the rest to a function. False,
// and no spot, if the entity is not alive or has no entry for the type, or an argument is NULL.
// (What does not depend on the entity is read first, so that compilers take it out of loops.)
ILKI_INLINE bool ilki_find(const ilk_world* world, ilk_entity e, const ilk_type* type,
                           ilki_spot* at) {
    const ilki_view* view = world ? (const ilki_view*)(const void*)world : &ilki_no_view;
    ilki_directory* directory = ilki_directory_of(view, type);
    ilki_block* blocks = directory->blocks;
    uint32_t bound = directory->bound;
    const ilki_record* record = ilki_record_of(&view->index, e);
    if (ILKI_UNLIKELY(!record || ilki_chunk_of(record->place) >= bound)) return false;
    at->directory = directory;
    at->place = record->place;
    at->block = &blocks[ilki_chunk_of(at->place)];
    return true;
}

// The same for a component that is there, at its natural place.
ILKI_INLINE bool ilki_find_natural(const ilk_world* world, ilk_entity e, const ilk_type* type,
                                   ilki_spot* at) {
    return ilki_find(world, e, type, at) &&
           ilki_block_has_natural(at->block, ilki_row_of(at->place));
}

ILKI_INLINE void* ilki_natural_of(const ilki_spot* at, size_t size) {
    return at->block->base + ilki_row_of(at->place) * size;
}

// These change nothing that a caller could see, and say so, that the caller may keep what it read.
// (An entity goes in two words, which gcc would otherwise make one in every loop.)
ILK_API const void* ilki_get_otherwise(const ilk_world* world, uint32_t index, uint32_t generation,
                                       ilk_type* type) ILKI_PURE;
ILK_API ilk_result ilki_why_not(const ilk_world* world, uint32_t index, uint32_t generation,
                                const ilk_type* type) ILKI_PURE;
ILK_API void* ilki_edit_otherwise(ilk_world* world, uint32_t index, uint32_t generation,
                                  ilk_type* type);
ILK_API bool ilki_has_otherwise(const ilk_world* world, uint32_t index, uint32_t generation,
                                ilk_type* type) ILKI_PURE;

ILKI_INLINE const void* ilki_get(const ilk_world* world, ilk_entity e, ilk_type* type,
                                 ilk_result* result) {
    ilki_spot at;
    const void* value = ILKI_LIKELY(ilki_find_natural(world, e, type, &at))
                            ? ilki_natural_of(&at, at.directory->size)
                            : ilki_get_otherwise(world, e.index, e.generation, type);
    if (result) *result = value ? ILK_OK : ilki_why_not(world, e.index, e.generation, type);
    return value;
}

// Quick only if the block was changed in this tick already.
ILKI_INLINE void* ilki_edit(ilk_world* world, ilk_entity e, ilk_type* type) {
    ilki_spot at;
    bool is_natural = ilki_find_natural(world, e, type, &at);
    bool is_fresh = is_natural && at.block->changed == ((ilki_view*)(void*)world)->fresh;
    if (ILKI_UNLIKELY(!is_fresh || at.block->is_tracked || at.directory->is_guarded)) {
        return ilki_edit_otherwise(world, e.index, e.generation, type);
    }
    return ilki_natural_of(&at, at.directory->size);
}

ILKI_INLINE bool ilki_has(const ilk_world* world, ilk_entity e, ilk_type* type) {
    ilki_spot at;
    if (ILKI_UNLIKELY(!ilki_find(world, e, type, &at)))
        return ilki_has_otherwise(world, e.index, e.generation, type);
    if (ILKI_LIKELY(ilki_block_is_all_or_none(at.block))) return at.block->kind != ILKI_ABSENT;
    return ilki_natural_has(at.block, ilki_row_of(at.place));
}

ILKI_INLINE bool ilki_alive(const ilk_world* world, ilk_entity e) {
    return world && ilki_record_of(&((const ilki_view*)(const void*)world)->index, e) != NULL;
}

#ifdef __cplusplus
}
#endif
#endif
