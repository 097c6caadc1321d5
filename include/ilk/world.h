// Worlds: where entities and their components live.
//
// A program may have any number of worlds; they share nothing but the identities of types and a
// catalogue (worlds.h). A world is used by one thread at a time. Calls that take a const world
// change nothing, and several threads may make them at once while no other call runs.
#ifndef ILK_WORLD_H
#define ILK_WORLD_H

#include "type.h"

#ifdef __cplusplus
extern "C" {
#endif

// Somebody else's threads, to run systems with. `start` has `work(argument)` called up to `times`
// times, on as many threads, and returns at once; `wait` returns when no such call is under way and
// none will begin any more. The world's own thread works too, so `start` need not do anything.
typedef struct ilk_jobs {
    void (*start)(void* context, void (*work)(void* argument), void* argument, uint32_t times);
    void (*wait)(void* context);
    void* context;
} ilk_jobs;

// Which entities may have the same name (name.h).
typedef enum ilk_names {
    ILK_NAMES_FREE,                  // any
    ILK_NAMES_UNIQUE_AMONG_SIBLINGS, // no two children of one parent; nor two without a parent
    ILK_NAMES_UNIQUE                 // no two of the world
} ilk_names;

// All zero is valid and means the defaults.
typedef struct ilk_world_desc {
    const char* name;        // copied; NULL or "" becomes "world-<id>"
    uint32_t max_entities;   // alive at once; 0: as many as there is memory for
    bool no_recycling;       // indices of destroyed entities are not used again
    uint8_t tag;             // handles of worlds with different tags are dead in each other
    ilk_type* const* types;  // ends with NULL: the world takes these types and no others
    ilk_allocator allocator; // called by one thread at a time
    ilk_message_fn* message; // told of each failure; by one thread at a time
    void* message_context;
    uint32_t workers; // threads that run systems, beside the world's own, started when first
                      // needed; at most 1,024
    ilk_jobs jobs;    // if given, `workers` of these in place of threads of the world's
    ilk_names names;  // who may have the same one
} ilk_world_desc;

// Make a world that belongs to the calling thread. NULL for defaults. Returns NULL if there is no
// memory or the description is unsound; the description's message callback is told which. Where a
// factory is installed (worlds.h), it makes the world; MISSING is told if it returns none.
ILK_API ilk_world* ilk_world_create(const ilk_world_desc* desc);

// Drop every value and give all memory back: plugins and then systems go first, the youngest of
// each before the others, then entities, and then resources. NULL is allowed. LOCKED is told and
// nothing done while a call of the world has not returned: when the world runs, calls a plugin,
// tells observers or applies commands, or when entities of it are being copied or moved and
// observers of the other world are told. Afterwards nothing may be done with the pointer;
// ilk_world_by_id knows which worlds are there.
ILK_API void ilk_world_destroy(ilk_world* world);

// Hand the world to the calling thread. Only the checked build notices the difference.
ILK_API void ilk_world_own(ilk_world* world);

ILK_API const char* ilk_world_name(const ilk_world* world); // lives as long as the world
ILK_API uint32_t ilk_world_id(const ilk_world* world);      // 1, 2, 3… through the program's life
ILK_API uint32_t ilk_world_max_entities(const ilk_world* world); // 0: no limit was given

// A pointer of the program's own that the world carries, NULL at first: whatever its systems and
// hooks should reach. The world does nothing with it. Setting it is LOCKED inside a system.
ILK_API void ilk_world_set_user(ilk_world* world, void* user);
ILK_API void* ilk_world_user(const ilk_world* world);

// The last failure of a call that changed, or would have changed, this world, or of a loop that was
// ended before its end. `result` is ILK_OK if there was none, and the texts are empty. They live
// until the next failure. The world's thread.
ILK_API ilk_message ilk_error(ilk_world* world);

// Report a failure as the calls of a world do, in ilk_error and to the callback: for what is built
// on top of ilk. `call` must live as long as the program. Returns the result. The world's thread,
// or one that runs a system.
ILK_API ilk_result ilk_fail(ilk_world* world, ilk_result result, const char* call, const char* why);

// Whether the world is locked, because a system runs, an observer is told, or it is a snapshot that
// was opened: for what is built on top of ilk. False for NULL. Any thread that may look at the
// world.
ILK_API bool ilk_is_locked(const ilk_world* world);

// Destroy every entity and forget every block. The next index is 0 again, but every handle from
// before stays dead. (A world that does not recycle goes on where it was.) Types keep their
// numbers, and resources stay. Never fails; but if a command of an observer calls it, and the
// others cannot be told, that is reported as FULL or NO_MEMORY and nothing is done.
ILK_API void ilk_clear(ilk_world* world);

// Give back memory that is held for later use, reserved room too, as far as no value lies in
// between; what systems keep from frame to frame too, but not while the world is running. Moves
// nothing. Never fails.
ILK_API void ilk_trim(ilk_world* world);

// What one settling did.
typedef struct ilk_settled {
    uint32_t blocks;   // looked at, and one for every 64 values moved: what the bound is about
    uint32_t moved;    // entities that now live elsewhere
    uint32_t adopted;  // chunks whose entities all became of one other ilk, without moving
    uint32_t chunks;   // freed because they were empty
    uint32_t guests;   // blocks freed because nothing was left in them
    bool done;         // nothing is left to do, until something changes
    ilk_result result; // NO_MEMORY if something stayed where it is for want of memory; INVALID
                       // without a world
} ilk_settled;

// Bring entities whose components changed to where they belong, close holes where it pays, free
// what is empty. The only call that moves values: every pointer to one is stale afterwards. With 0,
// stops when nothing more can be done. Otherwise stops once `blocks` blocks were looked at, 64
// values that were moved counting as one, or when it has been round once, and goes on from there at
// the next call; and leaves those whose components changed where they are until a later call has
// seen that the change lasts. The same history gives the same result. Without memory to move
// something, it stays where it is, the result is NO_MEMORY, and a later call tries again; so a loop
// ends with `while (!settled.done && settled.result == ILK_OK)`.
ILK_API ilk_settled ilk_settle(ilk_world* world, uint32_t blocks);

// What a world holds, in numbers.
typedef struct ilk_world_stats {
    uint32_t alive; // entities now
    uint64_t ever;  // entities created since the world was
    // Indices handed out so far: the most that were alive or reserved by commands at once. Where
    // systems of a wave, or pieces, create at the same time, each has indices of its own: then up
    // to what one of them needs, in whole pages of 1,024, times their number.
    uint32_t slots;
    uint32_t retired; // slots that will not be used again
    uint32_t empty;   // entities alive that have no place, for never having had a component
    uint32_t types;   // types with a directory
    uint32_t ilks;
    uint32_t chunks;
    uint32_t rows;         // places in all chunks
    uint32_t holes;        // places left by entities that were destroyed or moved, not filled yet
    uint32_t blocks;       // of values, home and guest
    uint32_t guests;       // guest blocks among them
    uint32_t exceptions;   // values absent from home blocks
    uint32_t relations;    // single ones: a source and a target
    size_t bytes;          // all memory that the world holds; the sum of the next eight
    size_t bytes_values;   // blocks
    size_t bytes_entities; // entity columns and live bits
    size_t bytes_records;
    size_t bytes_directories;
    size_t bytes_relations; // but for the component of each source, which is a value
    size_t bytes_other;     // world, types, ilks, chunk table, queries, commands, events, systems,
                            // resources
    size_t bytes_history;   // what snapshots hold
    size_t bytes_spare;     // in the pool, free
} ilk_world_stats;

// All zero without a world.
ILK_API ilk_world_stats ilk_stats(const ilk_world* world);

// What a world holds of one type.
typedef struct ilk_type_stats {
    uint32_t count; // entities that have it
    uint32_t blocks;
    uint32_t guests; // guest blocks among them
    size_t bytes;    // of its blocks and its directory; of a relation, of all that belongs to it
} ilk_type_stats;

// All zero if the world does not know the type.
ILK_API ilk_type_stats ilk_stats_of(const ilk_world* world, ilk_type* type);

// Check every invariant of every layer. OK, or BROKEN and a sentence in `text` (at most `size`
// bytes with the final zero; NULL and 0 are allowed) that says which and where; in the checked
// build also STALE. Slow: for tests.
ILK_API ilk_result ilk_world_validate(const ilk_world* world, char* text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
