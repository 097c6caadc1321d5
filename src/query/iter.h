// Iterators: a walk over the rows that match a query.
#ifndef ILKI_ITER_H
#define ILKI_ITER_H

#include "query.h"

// What an iterator goes through.
typedef enum ilki_stage {
    ILKI_CHUNKS,
    ILKI_PLACELESS,
    ILKI_ORDERED,
    ILKI_OVER
} ilki_stage;

#define ILKI_NO_PAGE UINT32_MAX  // the first is yet to come
#define ILKI_NO_BOUND UINT64_MAX // of a part: it goes to the end
#define ILKI_NO_CHUNK UINT32_MAX // in a bound: among entities without a place

ILKI_INLINE ilki_storage* ilki_iter_storage(const ilk_iter* it) {
    return (ilki_storage*)(void*)it->world; // a world begins with its storage
}

ILKI_INLINE const ilki_chunk* ilki_iter_chunk(const ilk_iter* it) {
    return ilki_iter_storage(it)->chunks[it->chunk];
}

// Begins to walk. The result in the iterator is NO_MEMORY if an order could not be made.
void ilki_iter_begin(ilk_iter* it, ilk_world* world, ilk_query* query);

// The same through a list.
void ilki_iter_among(ilk_iter* it, ilk_world* world, ilk_query* query, const ilk_entity* entities,
                     uint32_t count);

// A walk over nothing: the iterator of a system without a query.
void ilki_iter_nothing(ilk_iter* it, ilk_world* world);

// The same for a question: while it is answered the world does not change, so it need not be open.
void ilki_iter_ask(ilk_iter* it, ilk_world* world, ilk_query* query, bool is_in_order);

// The next chunk in which rows may match, ILKI_NONE after the last; for who wants to know no more.
uint32_t ilki_iter_next_chunk(ilk_iter* it);

// 1 above the number of the relation whose sources a walk over a query is to go through; or 0.
uint32_t ilki_query_leader(const ilk_query* query);

// Of a walk through the sources of a target: the next one from a place on, the rows of a word of
// its chunk, the next chunk of its part. ILKI_NONE after the last.
uint32_t ilki_iter_next_source(ilk_iter* it, uint32_t from);
uint64_t ilki_iter_sources_word(ilk_iter* it, uint32_t word);
uint32_t ilki_iter_sources_chunk(ilk_iter* it);

// The next run, as rows side by side or as a list of rows. False at the end.
bool ilki_iter_next(ilk_iter* it, bool is_listed);

// Whether an iterator is open.
bool ilki_iter_is_open(const ilk_iter* it);

// Whether an iterator is open, and nothing came, went or was switched since it handed out its run.
bool ilki_iter_is_current(const ilk_iter* it);

// Takes back all but the first `kept` rows of a run, to look at them again. It must be open, and
// the run one of rows side by side.
void ilki_iter_take_back(ilk_iter* it, uint32_t kept);

// Ends an iterator. Whether everything was visited decides whether what changed counts as seen.
void ilki_iter_end(ilk_iter* it, bool is_whole);

// Why an iterator that is not open any more is not.
ilk_result ilki_iter_why(const ilk_iter* it);

// The term that gives the column of a type, or NULL.
const ilki_term* ilki_iter_column(const ilk_iter* it, const ilk_type* type);

// Whether a row of the chunk has a column that need not be there.
bool ilki_row_has(const ilk_iter* it, const ilki_term* term, uint32_t row);

// The values of a column in the run; NULL if the rows do not have it.
void* ilki_iter_values(const ilk_iter* it, const ilki_term* term);

// Notes that the values of a column change in all rows of the run.
void ilki_iter_mark(const ilk_iter* it, const ilki_term* term);

// The same for a column of a chunk in the usual form, at once. NULL: look closer.
const void* ilki_iter_quick_read(const ilk_iter* it, const ilk_type* type);
void* ilki_iter_quick_write(ilk_iter* it, const ilk_type* type);

// Whether a walk is open and has not begun to give rows.
bool ilki_iter_is_fresh(const ilk_iter* it);

// Cuts a walk that has not begun to give rows.
void ilki_iter_split(ilk_iter* it, ilk_iter* parts, uint32_t count);

// Cuts what a query may match, which has no order, into pieces of about so many rows (0: a number
// that suits). Writes where each piece but the last ends, as far as there is room, and returns how
// many pieces there are. It depends on the world alone.
uint32_t ilki_query_cut(ilk_query* query, uint32_t rows, uint64_t* ends, uint32_t capacity);

// Confines a walk that has not begun to one piece.
void ilki_iter_confine(ilk_iter* it, uint64_t from, uint64_t to);

#endif
