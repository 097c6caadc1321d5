// Queries: terms, the condition, and what is remembered from pass to pass.
//
// Nothing is kept of what matches. A pass asks the directories of the types that must be there for
// the chunks that have a block of each (64 at a time), then each chunk's blocks, by their counts
// alone, whether all, none or some of its rows match, and only where it is some, the bits of its
// rows (64 at a time).
#ifndef ILKI_QUERY_H
#define ILKI_QUERY_H

#include <ilk/query.h>

#include "../relation/tree.h"
#include "../storage/place.h"
#include "expression.h"

#define ILKI_TERMS 16u // terms that need no memory of their own

typedef struct ilki_term {
    ilk_type* type; // the process-wide descriptor
    uint32_t id;
    ilk_access access;
    size_t size;
} ilki_term;

// What is asked of those that an entity relates to. The relation is also a term, which must be
// there.
typedef struct ilki_relates {
    ilk_type* relation; // the process-wide descriptors
    ilk_type* having;   // or NULL
    ilk_entity target;  // or null
    bool up;
} ilki_relates;

// What a query that does not ask for inactive entities makes of them. They count as having nothing
// but what outlives them.
typedef enum ilki_rest {
    ILKI_REST_SEEN,    // it asks for them, or for nothing else than what outlives them
    ILKI_REST_SKIPPED, // it asks for nothing that must be there, or for something that they lack
    ILKI_REST_MASKED   // it depends
} ilki_rest;

struct ilk_query {
    ilki_storage* storage;
    ilk_query *previous, *next; // of the world's queries; next also of those that are free
    uint32_t serial;            // differs each time the memory is used for another query
    uint64_t number;            // the how many-th of its world
    ilki_term* terms;           // those with columns first, in the order of the description
    uint32_t term_count, term_capacity;
    uint32_t column_count;
    uint32_t required; // terms that must be there
    uint32_t any, maybe, changed, added;
    bool is_owned;  // by a system: it goes with that
    bool is_wide;   // entities without components match
    bool is_simple; // all that it asks is that some types are there
    bool is_asking; // for inactive entities too
    ilki_rest rest;
    ilki_term own[ILKI_TERMS];
    ilki_relates relates[ILK_RELATES];
    uint32_t relates_count;
    ilki_expression where;
    uint64_t seen;        // the tick at which the last whole pass ended
    uint64_t seen_before; // the same before the passes of a wave…
    uint64_t seen_wave;   // …which is this one
    ilk_type* order_by;
    ilk_compare_fn* compare;
    ilk_type* order_by_depth;
    bool is_ordered;
    ilki_order* order; // what matched when it was last sorted, or NULL
    uint64_t sorted;   // the tick at which that was
    uint64_t sorted_wave;
    uint64_t sorted_version;
    uint64_t sorted_moves;
    uint64_t sorted_ever; // entities ever created, and alive, at that time
    uint32_t sorted_alive;
    ilk_query_stats stats;
};

// The block of a term's type in a chunk; it may be absent.
ILKI_INLINE ilki_block* ilki_term_block(const ilk_query* query, const ilki_term* term,
                                        uint32_t chunk) {
    return ilki_block_at(ilki_directory_of(&query->storage->view, term->type), chunk);
}

// The tick at which the last whole pass ended. Of the passes of one wave in which several systems,
// or pieces of one, are in, none knows of another: which ended first would be chance.
uint64_t ilki_query_seen(const ilk_query* query);
void ilki_query_see(ilk_query* query, uint64_t tick);

// Why a query cannot be made.
typedef struct ilki_fault {
    ilk_type* type;  // the type concerned, or NULL
    ilk_type* known; // the one that it clashes with
    const char* why; // what is wrong, or NULL
    char text[ILKI_WHY_SIZE];
} ilki_fault;

// Makes a query in memory that is zero, or was one before. On failure it owns nothing.
ilk_result ilki_query_init(ilk_query* query, ilki_storage* storage, const ilk_query_desc* desc,
                           ilki_fault* fault);
void ilki_query_fini(ilk_query* query);

// Whether a description has no terms, no condition and no order.
bool ilki_query_asks_nothing(const ilk_query_desc* desc);

// The types that a query reads beside those of its terms: of its order, its relations, and what it
// asks of their targets; NULL where there is none.
#define ILKI_FURTHER_TYPES (2 + 2 * ILK_RELATES)
ilk_type* ilki_further_type(const ilk_query* query, uint32_t at);

// Whether all, none or some of a set of rows are meant.
typedef enum ilki_share {
    ILKI_NO_ROW,
    ILKI_SOME_ROWS,
    ILKI_ALL_ROWS
} ilki_share;

// What must be looked at row by row in a chunk: bits for terms (the last for all from there on)…
#define ILKI_LAST_TERM 63u
// …and for groups of terms.
typedef struct ilki_tests {
    uint64_t terms;
    bool any, changed, added, where, relates;
    bool rests; // some rows are inactive or dying, and that matters
} ilki_tests;

// Whether rows of a chunk are inactive or dying, if that matters to a query.
ilki_share ilki_share_resting(const ilk_query* query, const ilki_chunk* chunk);

// Decides from the counts and ticks of its blocks whether rows of a chunk can match.
ilki_share ilki_match_chunk(const ilk_query* query, const ilki_chunk* chunk, uint64_t since,
                            ilki_tests* tests);

// The rows of a word that match, among `rows`.
uint64_t ilki_match_word(const ilk_query* query, const ilki_chunk* chunk, uint64_t since,
                         const ilki_tests* tests, uint32_t word, uint64_t rows);

// The rows of a word that have a type, switched on, as a query sees it.
uint64_t ilki_enabled_word(const ilk_query* query, const ilki_chunk* chunk, const ilk_type* type,
                           uint32_t word);

// Whether a term that is not optional, or the condition, holds for an entity at a place; nowhere
// has nothing.
bool ilki_term_holds(const ilk_query* query, const ilki_term* term, uint32_t place);
bool ilki_where_holds(const ilk_query* query, uint32_t place);

// Whether what is asked of those that an entity relates to holds, for one at a place; and for which
// rows of a word, all of which have the relations.
bool ilki_relates_holds(const ilk_query* query, const ilki_relates* asked, uint32_t place);
uint64_t ilki_relates_word(const ilk_query* query, const ilki_chunk* chunk, uint32_t word,
                           uint64_t rows);

// Whether a place has a type, switched on or off, and how, as a query sees it; and a term's type
// changed, or was added, lately.
bool ilki_place_has(const ilki_storage* storage, const ilk_type* type, uint32_t place);
ilki_state ilki_state_at(const ilk_query* query, const ilk_type* type, uint32_t place);
bool ilki_term_is_new(const ilk_query* query, const ilki_term* term, uint32_t place,
                      uint64_t since);

// Whether an entity at a place matches.
bool ilki_match_place(const ilk_query* query, uint32_t place, uint64_t since);

// The chunks among 64 that have a block of each type that must be there. `*lead` is the index of
// the term with the fewest blocks (ilki_query_lead).
uint64_t ilki_match_chunks(const ilk_query* query, uint32_t word, uint32_t lead);
uint32_t ilki_query_lead(const ilk_query* query);

// How many words of chunks there are to ask for.
uint32_t ilki_chunk_words(const ilk_query* query, uint32_t lead);

// Sorts what matches anew, if anything that it depends on has changed. False without memory.
bool ilki_query_sort(ilk_query* query);

#endif
