// The hashes of a world and its parts.
//
// A hash of the state is a sum: of one number for each entity that is alive, one for each component
// of each, one for each relation that is not the first to its target, and so on. Each of them is
// mixed from a handle, the name of a type and a value, so that the order in which they are added,
// and where things lie, does not matter, and a part can be made again for itself.
//
// The sums of blocks, of the handles of chunks and of the pages of relations are kept, each with
// the tick of the last change before it. One is good as long as that tick is still the last: it is
// kept only if it was made in a later one, so that whatever is changed afterwards has another tick.
#ifndef ILKI_HASHES_H
#define ILKI_HASHES_H

#include "../relation/names.h"
#include "../world/world.h"
#include "shape.h"

// When what is hashed was last changed: a block and the rows of its chunk, or one thing alone.
// (Both count for themselves: a block that is made anew was touched before its chunk was.)
typedef struct ilki_hash_stamp {
    uint64_t touched, rows;
} ilki_hash_stamp;

typedef struct ilki_hash_entry {
    ilki_hash_stamp stamp;
    uint64_t hash;
    bool is_kept;
} ilki_hash_entry;

typedef struct ilki_hash_list {
    ilki_hash_entry* list;
    uint32_t capacity;
} ilki_hash_list;

typedef struct ilki_hashes {
    ilki_hash_list handles; // by chunk: the sum over those who are alive
    ilki_hash_list columns; // by chunk: who is in which row
    struct ilki_type_hashes {
        ilki_hash_list blocks; // by chunk
        ilki_hash_list pages;  // of a relation
    }* types;                  // by number
    uint32_t type_capacity;
} ilki_hashes;

// Forgets what is kept of a block and of its chunk's rows, or of all that was changed in a tick or
// after it: for whoever puts ticks back. What is kept of the pages of relations is forgotten too.
void ilki_hashes_forget(ilk_world* world, uint32_t type, uint32_t chunk);
void ilki_hashes_forget_since(ilk_world* world, uint64_t tick);

// Forgets what is kept of blocks whose hashes are mixed with the handles of others: relations, and
// names, which have an order. After a delta others may have come into the slots of those that they
// named, and the blocks be as they were.
void ilki_hashes_forget_naming(ilk_world* world);

// What the number of an entity that is alive begins with, and the last that the whole is mixed
// with.
#define ILKI_KEY_ALIVE 0x9b05688c2b3e6c1fu
#define ILKI_KEY_STATE 0x9159015a3070dd17u

// What hashing needs at hand.
typedef struct ilki_hashing {
    const ilk_world* world;
    ilki_hashes* kept; // or NULL
} ilki_hashing;

ilki_hashing ilki_hashing_begin(const ilk_world* world);

// The same, without looking at what is kept.
ilki_hashing ilki_hashing_anew(const ilk_world* world);

// The sum over one block; over the handles of a chunk and all of its blocks; over entities without
// a place; over the order of those who relate to each target, by one relation; over resources; over
// values that are kept aside.
uint64_t ilki_hash_block(const ilki_hashing* hashing, const ilki_directory* directory,
                         uint32_t chunk);
uint64_t ilki_hash_chunk(const ilki_hashing* hashing, const ilki_chunk* chunk);
uint64_t ilki_hash_placeless(const ilk_world* world);
uint64_t ilki_hash_orders(const ilki_hashing* hashing, const ilki_relation* relation);
uint64_t ilki_hash_resources(const ilk_world* world);
uint64_t ilki_hash_kept(const ilk_world* world);

// The sum over all of a type; the hash of the whole state; the same
// and that of the layout.
uint64_t ilki_hash_type(const ilki_hashing* hashing, const ilki_directory* directory);
uint64_t ilki_hash_state(const ilki_hashing* hashing);

// The same without values that are kept aside; and with what the layout adds, but for events and
// time.
uint64_t ilki_hash_in_use(const ilki_hashing* hashing);
uint64_t ilki_hash_storage(const ilk_world* world);
uint64_t ilki_hash_layout(const ilki_hashing* hashing);

// The hash of which entity is in which row of a chunk.
uint64_t ilki_hash_column(const ilki_hashing* hashing, const ilki_chunk* chunk);

// The next value that is kept aside, from a place on, and may come back: its entity is alive.
bool ilki_next_kept(const ilk_world* world, uint32_t* at, ilki_aside* aside);

// How many entities have no place.
uint32_t ilki_count_placeless(const ilki_storage* storage);

// The edge before another one of the same target, or ILKI_NONE; the entity before another one of
// the same name, or null.
uint32_t ilki_edge_before(const ilki_relation* relation, uint32_t edge);
ilk_entity ilki_named_before(const ilki_storage* storage, uint32_t slot);

// The key of a type's name.
uint64_t ilki_key_of(const ilk_type* type);

// The layout, told as a row of facts, of which the first in which two worlds differ says where they
// do. `what` names it, `name` whose it is (of a type or a system) and `at` the how many-th of its
// kind, where there is one; a digest says nothing to people.
typedef struct ilki_fact {
    const char *what, *name;
    uint64_t at; // or ILKI_NOT_ONE
    uint64_t value;
    bool is_digest;
} ilki_fact;

#define ILKI_NOT_ONE UINT64_MAX
#define ILKI_COLUMN_FACT "the rows of chunk" // of which each can be told

typedef void ilki_fact_fn(void* context, const ilki_fact* fact);
void ilki_layout_tell(const ilki_hashing* hashing, ilki_fact_fn* fn, void* context);

#endif
