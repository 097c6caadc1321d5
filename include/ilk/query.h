// Queries: looking at every entity that has, or has not, some components.
//
//     ilk_query* moving = ilk_query_create(world, &(ilk_query_desc){
//         .write = {&Position_type}, .read = {&Velocity_type}, .without = {&Frozen_type}});
//     for (ilk_iter it = ilk_query_iter(world, moving); ilk_next(&it);) {
//         Position* p = ILK_WRITE(&it, Position);
//         const Velocity* v = ILK_READ(&it, Velocity);
//         for (uint32_t i = 0; i < it.count; i++) p[i].x += v[i].x;
//     }
//
// A query keeps no list of what it matches: making one is cheap, and the world pays nothing for the
// queries that exist. Entities come in order of chunk and row, the same for the same history; those
// without a place (they never had a component, or had none when the world last settled) come last,
// in order of index. A component that is switched off counts as absent, for every kind of term.
//
// An entity that is inactive (ilk_deactivate) counts as having nothing but what outlives it, and is
// passed over where nothing must be there, as is one that is dying; unless the query asks for the
// inactive: by .inactive, or by mentioning ilk_inactive_type in any list or in its condition.
//
// Inside a loop anything may be changed, at once, and nothing moves: create, destroy, add, remove
// and set on any entity. Each entity is visited at most once. One that is created inside the loop,
// or given its first component there, is not visited; one that comes to match is visited if it lies
// ahead (a pass in an order visits those that matched when it began, if they still do); a run is
// what matched when it was handed out. Only ilk_settle, ilk_clear, ilk_trim, going back to a
// snapshot, applying a delta and destroying its query end a loop: the iterator then gives no more
// rows, its result is STALE, and the call that notices (ilk_next, ilk_next_rows, ilk_each) tells it
// as a failure, once.
//
// Everything here is for the world's thread, the questions too; and for threads that run a system,
// but for making and destroying queries and setting since when they look.
#ifndef ILK_QUERY_H
#define ILK_QUERY_H

#include "entity.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ILK_LIST 8    // types in each short list of a description
#define ILK_ROWS 128  // rows that ilk_next_rows hands out at once, at most
#define ILK_RELATES 4 // relations that a description looks at

// What to look for in a world.
typedef struct ilk_query ilk_query;

// What a query asks of one type.
typedef enum ilk_access {
    ILK_ACCESS_NONE,    // ends a list of terms
    ILK_ACCESS_WRITE,   // there, with a column for writing
    ILK_ACCESS_READ,    // there, with a column for reading
    ILK_ACCESS_WITH,    // there
    ILK_ACCESS_WITHOUT, // not there
    ILK_ACCESS_ANY,     // at least one of all terms of this kind is there
    ILK_ACCESS_MAYBE,   // there or not, with a column for reading where it is
    ILK_ACCESS_CHANGED, // at least one of all terms of this kind is there and was changed lately
    ILK_ACCESS_ADDED    // the same, and was given to its entity lately
} ilk_access;

// A type, and what is asked of it.
typedef struct ilk_term {
    ilk_access access;
    ilk_type* type;
} ilk_term;

// What a query asks of those that an entity relates to (relation.h): that at least one of its
// targets, or with `up`, in a tree, of all that are above it, is this target and has this
// component, switched on. One of the two may be left out. A target that is dead is nobody's. What
// is inactive has, here too, no more than what outlives it, unless the query asks for the inactive;
// to relate to it is enough where only it is named. The entity itself must have the relation,
// switched on; above it, it does not matter whether it is. (ilk_up, which is no query, finds what
// is switched off too, and what is inactive, as ilk_has does.) A parent that is inactive does not
// make its children so: .without cannot ask for that, but {&ilk_child_of_type, .having =
// &ilk_inactive_type, .up = true} finds who is below one.
//
// Where the sources of a target are few, a walk goes from one to the next, in the same order, and
// does not look at anybody else.
typedef struct ilk_relates {
    ilk_type* relation; // NULL, if all else is zero: nothing is asked
    ilk_entity target;  // null: any
    ilk_type* having;   // NULL: anything
    bool up;            // somebody above it, not only its own target
} ilk_relates;

// Less than, equal to or more than 0, as a comes before, with or after b.
typedef int ilk_compare_fn(const void* a, const void* b);

// All zero matches every entity. Types that are NULL are passed over; a type may be in several
// lists, but only one of write, read and maybe, and not where nothing could match any more: in
// without, and also in write, read, with, relates or order_by, or the only one of any, changed or
// added. It has one order at most.
typedef struct ilk_query_desc {
    ilk_type* write[ILK_LIST];
    ilk_type* read[ILK_LIST];
    ilk_type* with[ILK_LIST];
    ilk_type* without[ILK_LIST];
    ilk_type* any[ILK_LIST];
    ilk_type* maybe[ILK_LIST];
    ilk_type* changed[ILK_LIST];
    ilk_type* added[ILK_LIST];
    ilk_relates relates[ILK_RELATES]; // all of which must hold
    const ilk_term* terms;            // further ones, any number; ends with one that is all zero
    const char* where;                // a condition: "Position, Velocity, !(Player | Frozen)"
    ilk_type* order_by;               // visit in order of this type's values, which must be there…
    ilk_compare_fn* compare;          // …as this says; of equal ones, the lower index first
    bool order_by_index;              // visit in order of index
    ilk_type*
        order_by_depth; // in order of depth in this tree, who is not in it first; need not be there
    bool inactive;      // inactive entities match like all others, and dying ones
} ilk_query_desc;

// Make a query of a world, which owns it: it goes with the world at the latest. The description is
// not needed any more. Types that the world does not know are not introduced to it: nobody has them
// yet. NULL, and the result in ilk_error: INVALID for a type that is unsound, asked for in two
// ways, or both asked for and unwanted, for order_by without compare, two orders, what is no
// relation or, for up and order_by_depth, no tree, a relation of which nothing is asked, a target
// without a relation, and for a condition that is not well-formed (the sentence shows the place);
// MISSING for a name in a condition that no type has; CLASH, NO_MEMORY. A condition that can never
// hold is none of these: it is made, and empty.
//
// Conditions: a name; `a, b` and `a & b` (both); `a | b` (at least one; binds less than &, more
// than a comma); `!a`; parentheses; any name in single quotes. At most 64 deep, with nots and
// with what waits on the left of a parenthesis. An empty condition holds for all.
ILK_API ilk_query* ilk_query_create(ilk_world* world, const ilk_query_desc* desc);

// Its iterators give no more rows. NULL is allowed. The memory serves the next query; ilk_trim
// gives it back.
ILK_API void ilk_query_destroy(ilk_query* query);

// What the passes of a query did, since it was made; but for loops inside of systems that others,
// or pieces of which, run beside.
typedef struct ilk_query_stats {
    uint64_t passes;  // begun
    uint64_t chunks;  // looked at: those that have a block of every type that must be there
    uint64_t skipped; // chunks among them without a row to visit, known from their blocks alone
    uint64_t whole;   // chunks among them that were one run
    uint64_t words;   // 64 rows whose bits were looked at
    uint64_t rows;    // handed out
    uint64_t sorts;
    ilk_type* rarest; // the type that led the last pass: the one with the fewest blocks, or the
                      // relation whose sources it went through; or NULL
} ilk_query_stats;

// A walk over what matches. The first fields are for reading, those below the line ilk's own.
typedef struct ilk_iter {
    ilk_world* world;
    ilk_query* query;
    uint32_t count;              // rows of this run
    const ilk_entity* entities;  // of this run; entities[rows[i]] after ilk_next_rows
    struct ilk_cmd* cmd;         // in a system: for what is to change
    double dt;                   // in a system: seconds since it last ran
    void* user;                  // the system's own
    void* surface;               // in the draw phase
    struct ilk_system* system;   // or NULL
    ilk_result result;           // why there are no more rows, if it is not the end of them
    uint16_t rows[ILK_ROWS + 4]; // after ilk_next_rows: which rows of the columns

    // ---
    uint64_t serial; // in the world's list of open iterators
    uint64_t wave;
    ilk_query_stats* stats;
    uint32_t slot, query_serial;
    uint64_t since;   // what has a newer tick has changed lately
    uint64_t version; // of the world, when the bits below were looked at
    uint64_t present; // chunks among 64 that are still to come
    uint64_t page_version;
    uint32_t page;       // which 64
    uint32_t lead;       // the term with the fewest blocks
    uint32_t chunk, row; // where the columns of this run begin
    uint32_t limit;      // rows of the chunk that are there for this iterator
    uint32_t next_row;   // the first that was not handed out or passed over
    uint32_t word, end_word;
    uint64_t bits; // rows of the word before `word` that are still to come
    struct {
        const uint64_t* bits; // of the first rows; those of the next ones lie before them
        uint64_t flip, invert;
        bool has_off;
    } tests[4];          // whose words decide alone which rows match
    uint32_t test_count; // UINT32_MAX: they do not
    uint64_t terms;      // that must be looked at by row in this chunk, then
    bool any, changed, added, where, relates, rests;
    uint32_t run, length; // found, and not yet handed out
    uint32_t leader;      // 1 above the number of the relation whose sources are gone through; or 0
    uint32_t next_chunk;  // then: the first that they were not asked for
    uint32_t source_count, source_from, source_to; // places below: all of those in between
    uint64_t source_joins;
    uint32_t next, end; // entities without a place: slots; in order, or of a list: places there
    const ilk_entity* among; // the list that is gone through; or NULL
    uint64_t from, to;       // of a part: chunk and word, or the last chunk and slot
    void* bases[ILK_LIST];   // of the first columns of the chunk, where values lie at their rows
    uint8_t stage;
    uint64_t there; // optional columns that the rows of this run have
    bool is_part, is_split, is_begun, is_listed, is_asking, has_small, is_pass, is_done;
    union {
        ilk_entity found[16]; // entities without a place
        uint32_t sources[32]; // places, in order
    };
} ilk_iter;

// Begin to walk. INVALID in `result`, and no rows, if the query is not of this world; NO_MEMORY if
// its order could not be made. At most 12 iterators are open in a world; beginning another ends the
// one begun first, whose result is then FULL, and told.
ILK_API ilk_iter ilk_query_iter(ilk_world* world, ilk_query* query);

// Begin to walk through a list of entities, in its order, and visit those that match when their
// turn comes; others, dead or alive, are passed over. The list must stay as it is until the loop is
// over. Costs in proportion to the list, whatever is in the world: an index that somebody keeps (of
// places, of values, of teams) narrows a query so. An order of the query does not matter, and it is
// no pass over what changed. As ilk_query_iter otherwise; INVALID also for a count without a list.
ILK_API ilk_iter ilk_query_among(ilk_world* world, ilk_query* query, const ilk_entity* entities,
                                 uint32_t count);

// The next run: rows side by side. False at the end, and ever after.
ILK_API bool ilk_next(ilk_iter* it);

// The same in another form, quicker where matching rows lie scattered: up to ILK_ROWS rows, which
// need not lie side by side; it.rows[i] is where the i-th is in each column, and in it.entities.
// The two forms may be mixed in one loop.
ILK_API bool ilk_next_rows(ilk_iter* it);

// End a loop before its end. A loop that is left without it is safe, but until it is ended (by
// this, by settling, or by twelve others) new entities fill no holes. Never fails.
ILK_API void ilk_iter_end(ilk_iter* it);

// The run's values of a type; for writing they are marked as changed. NULL, and INVALID in
// ilk_error, if the query does not declare the type so: for writing what it writes, for reading
// what it writes or reads. ilk_column_maybe is NULL also where the rows of the run do not have the
// component. NULL after the end. What is written counts as changed when the column was asked for:
// after a tick has passed (ilk_tick, or the end of a pass over what changed), ask again before
// writing. For a tag the pointer is not NULL, and there is nothing behind it.
ILK_API void* ilk_column_write(ilk_iter* it, ilk_type* type);
ILK_API const void* ilk_column_read(const ilk_iter* it, ilk_type* type);
ILK_API const void* ilk_column_maybe(const ilk_iter* it, ilk_type* type);

#ifndef __cplusplus
// The same with the type of the values: Position* p = ILK_WRITE(&it, Position).
#define ILK_WRITE(it, T) ((T*)ilk_column_write((it), &T##_type))
#define ILK_READ(it, T) ((const T*)ilk_column_read((it), &T##_type))
#define ILK_MAYBE(it, T) ((const T*)ilk_column_maybe((it), &T##_type))
#endif

// Cut a walk that has just begun into `count` parts with about the same number of rows, in order.
// Together they visit what `it` would. `it` itself gives no more rows, but stays open, and is to be
// ended when the parts are done with, which ends the pass. INVALID if it has begun to give rows,
// the query has an order, or it goes through a list.
ILK_API ilk_result ilk_iter_split(ilk_iter* it, ilk_iter* parts, uint32_t count);

// Called for each entity that matches, with pointers to its values in the order in which the query
// declares them: write, read, maybe (NULL where it is not there), then those of terms.
typedef void ilk_each_fn(void* user, ilk_entity e, void* const* values);
ILK_API ilk_result ilk_each(ilk_world* world, ilk_query* query, ilk_each_fn* fn, void* user);

// Questions. None of them counts as a pass over what changed. First and collect go by the order of
// the query: null and 0, and NO_MEMORY in ilk_error, if it could not be made.
ILK_API uint32_t ilk_query_count(ilk_world* world, ilk_query* query);
ILK_API bool ilk_query_is_empty(ilk_world* world, ilk_query* query);
ILK_API ilk_entity ilk_query_first(ilk_world* world, ilk_query* query); // null if none matches
ILK_API bool ilk_query_matches(ilk_world* world, ilk_query* query, ilk_entity e);

// How many match; the first `capacity` of them go to `entities`.
ILK_API uint32_t ilk_query_collect(ilk_world* world, ilk_query* query, ilk_entity* entities,
                                   uint32_t capacity);

// A sentence on whether an entity matches, and each term that it fails; of a condition, the parts
// that fail and the types that decide: "Frozen is there, though the condition says !(Player |
// Frozen)". And the query as text.
// At most `size` bytes are written, with the final zero. Both return the whole length without it.
ILK_API size_t ilk_query_explain(ilk_world* world, ilk_query* query, ilk_entity e, char* text,
                                 size_t size);
ILK_API size_t ilk_query_text(const ilk_query* query, char* text, size_t size);

// Change. Every change has a tick, which is noted for each block; where a type has `track` set, for
// each row. A query with .changed or .added sees what changed since its last whole pass, but not
// what changed inside of that; a loop left early is no whole pass. (Where several systems, or
// pieces of one, run at the same time, a pass that one of them makes counts for the next wave:
// until then all of them see the same.) For a type that does not track, a row counts as changed,
// and as added, if anything in its block was.
//
// The number of the tick that is now over: what changes from here on is newer. 0 without a world.
ILK_API uint64_t ilk_tick(ilk_world* world);

// The next pass sees what is newer than `tick`; 0: everything.
ILK_API void ilk_query_since(ilk_query* query, uint64_t tick);

// Mark a component as changed. DEAD, MISSING.
ILK_API ilk_result ilk_mark(ilk_world* world, ilk_entity e, ilk_type* type);

// All zero for NULL.
ILK_API ilk_query_stats ilk_query_stats_of(const ilk_query* query);

#ifdef __cplusplus
}
#endif
#endif
