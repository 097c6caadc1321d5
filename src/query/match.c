// Matching: whether chunks, words of rows, and single places match a query.
#include "query.h"

static const ilki_directory* directory_of(const ilki_storage* storage, const ilk_type* type) {
    return ilki_directory_of(&storage->view, type);
}

static ilki_block* block_in_chunk(const ilki_storage* storage, const ilki_chunk* chunk,
                                  const ilk_type* type) {
    return ilki_block_at(directory_of(storage, type), chunk->number);
}

// How many rows of a chunk have the value of a block, switched on.
static ilki_share share_of(const ilki_block* block, const ilki_chunk* chunk) {
    if (block->kind == ILKI_ABSENT) return ILKI_NO_ROW;
    uint32_t values = ilki_block_values(block, chunk->alive);
    if (values == block->off) return ILKI_NO_ROW;
    return values == chunk->alive && block->off == 0 ? ILKI_ALL_ROWS : ILKI_SOME_ROWS;
}

static uint64_t word_of(const ilki_block* block, uint32_t word, uint64_t live) {
    if (block->kind == ILKI_ABSENT) return 0;
    uint64_t rows = ilki_block_word(block, word, live);
    return block->off ? rows & ~*ilki_off(block, word) : rows;
}

// The entry of a chunk in the directory of a type of ilk's own, which may not be used.
static const ilki_block* own_block(const ilki_directory* directory, const ilki_chunk* chunk) {
    return directory ? ilki_block_at(directory, chunk->number) : &ilki_no_block;
}

// Nobody who is dying has what could be masked. But they are skipped.
ilki_share ilki_share_resting(const ilk_query* query, const ilki_chunk* chunk) {
    const ilki_storage* storage = query->storage;
    if (!storage->has_resting || query->rest == ILKI_REST_SEEN) return ILKI_NO_ROW;
    ilki_share inactive = share_of(own_block(storage->inactive, chunk), chunk);
    ilki_share dying = query->is_wide ? share_of(own_block(storage->dying, chunk), chunk) : 0;
    return inactive > dying ? inactive : dying;
}

static uint64_t inactive_word(const ilki_storage* storage, const ilki_chunk* chunk, uint32_t word) {
    return word_of(own_block(storage->inactive, chunk), word, chunk->live[word]);
}

// The rows of a word that a query skips.
static uint64_t skipped_word(const ilk_query* query, const ilki_chunk* chunk, uint32_t word) {
    const ilki_storage* storage = query->storage;
    if (query->rest != ILKI_REST_SKIPPED) return 0;
    uint64_t dying = word_of(own_block(storage->dying, chunk), word, chunk->live[word]);
    return inactive_word(storage, chunk, word) | dying;
}

// The rows of a word in which a type does not count, because they are inactive.
static uint64_t masked_word(const ilk_query* query, const ilki_chunk* chunk, const ilk_type* type,
                            uint32_t word) {
    if (ILKI_LIKELY(query->rest != ILKI_REST_MASKED || type->outlives)) return 0;
    return inactive_word(query->storage, chunk, word);
}

uint64_t ilki_enabled_word(const ilk_query* query, const ilki_chunk* chunk, const ilk_type* type,
                           uint32_t word) {
    uint64_t rows = word_of(block_in_chunk(query->storage, chunk, type), word, chunk->live[word]);
    return rows & ~masked_word(query, chunk, type, word);
}

// What is left of a share if some rows are inactive.
static ilki_share unmasked(const ilk_query* query, ilki_share share, ilki_share resting,
                           const ilk_type* type) {
    if (query->rest != ILKI_REST_MASKED || type->outlives || !resting) return share;
    if (resting == ILKI_ALL_ROWS) return ILKI_NO_ROW;
    return share == ILKI_ALL_ROWS ? ILKI_SOME_ROWS : share;
}

// Rows by when they changed: a block that did not change has none, and one that does not track is
// taken as a whole.
static ilki_share share_changed(const ilki_block* block, const ilki_chunk* chunk, uint64_t since) {
    ilki_share share = ilki_changed_at(block) > since ? share_of(block, chunk) : ILKI_NO_ROW;
    return share && block->is_tracked ? ILKI_SOME_ROWS : share;
}

static bool is_row_newer(const ilki_row_ticks* ticks, uint32_t row, bool is_added, uint64_t since) {
    if (is_added) return ticks[1 + row].added > since;
    return ticks->changed > since || ticks[1 + row].changed > since;
}

static uint64_t changed_word(const ilk_query* query, const ilki_chunk* chunk, const ilki_term* term,
                             uint64_t since, uint32_t word) {
    const ilki_directory* directory = directory_of(query->storage, term->type);
    const ilki_block* block = ilki_block_at(directory, chunk->number);
    if (ilki_changed_at(block) <= since) return 0;
    uint64_t rows = word_of(block, word, chunk->live[word]), newer = 0;
    rows &= ~masked_word(query, chunk, term->type, word);
    if (!block->is_tracked) return rows;
    const ilki_row_ticks* ticks = ilki_ticks_of(directory, block, chunk->rows);
    for (; rows; rows &= rows - 1) {
        uint32_t row = word * 64 + ilki_lowest(rows);
        bool is_newer = is_row_newer(ticks, row, term->access == ILK_ACCESS_ADDED, since);
        newer |= (uint64_t)is_newer << (row % 64);
    }
    return newer;
}

// The condition over the rows of a chunk, as far as counts tell.
static ilki_share share_where(const ilk_query* query, const ilki_chunk* chunk, ilki_share resting) {
    ilki_share stack[ILKI_DEPTH_MAX + 1] = {ILKI_ALL_ROWS};
    uint32_t top = 0;
    for (uint32_t i = 0; i < query->where.count; i++) {
        const ilki_step* step = &query->where.steps[i];
        ilki_share last = stack[top], before = top ? stack[top - 1] : last;
        if (step->op == ILKI_OP_TYPE)
            stack[++top] =
                unmasked(query, share_of(block_in_chunk(query->storage, chunk, step->type), chunk),
                         resting, step->type);
        else if (step->op == ILKI_OP_NOT)
            stack[top] = (ilki_share)(ILKI_ALL_ROWS - last);
        else if ((step->op == ILKI_OP_AND) == (last < before))
            stack[--top] = last;
        else
            top--;
    }
    return stack[top];
}

static uint64_t where_word(const ilk_query* query, const ilki_chunk* chunk, uint32_t word) {
    uint64_t stack[ILKI_DEPTH_MAX + 1] = {~(uint64_t)0};
    uint32_t top = 0;
    for (uint32_t i = 0; i < query->where.count; i++) {
        const ilki_step* step = &query->where.steps[i];
        if (step->op == ILKI_OP_TYPE) {
            stack[++top] = ilki_enabled_word(query, chunk, step->type, word);
            continue;
        }
        uint64_t last = stack[top];
        if (step->op == ILKI_OP_NOT)
            stack[top] = ~last;
        else if (step->op == ILKI_OP_AND)
            stack[--top] &= last;
        else
            stack[--top] |= last;
    }
    return stack[top];
}

static bool place_has_enabled(const ilk_query* query, const ilk_type* type, uint32_t place) {
    if (ilki_is_nowhere(place)) return false;
    uint32_t row = ilki_row_of(place);
    const ilki_chunk* chunk = query->storage->chunks[ilki_chunk_of(place)];
    return ilki_enabled_word(query, chunk, type, row / 64) >> (row % 64) & 1;
}

bool ilki_where_holds(const ilk_query* query, uint32_t place) {
    bool stack[ILKI_DEPTH_MAX + 1] = {true};
    uint32_t top = 0;
    for (uint32_t i = 0; i < query->where.count; i++) {
        const ilki_step* step = &query->where.steps[i];
        if (step->op == ILKI_OP_TYPE) {
            stack[++top] = place_has_enabled(query, step->type, place);
            continue;
        }
        bool last = stack[top];
        if (step->op == ILKI_OP_NOT)
            stack[top] = !last;
        else if (step->op == ILKI_OP_AND)
            top--, stack[top] = stack[top] && last;
        else
            top--, stack[top] = stack[top] || last;
    }
    return stack[top];
}

bool ilki_term_holds(const ilk_query* query, const ilki_term* term, uint32_t place) {
    bool is_there = place_has_enabled(query, term->type, place);
    return is_there != (term->access == ILK_ACCESS_WITHOUT);
}

ilki_state ilki_state_at(const ilk_query* query, const ilk_type* type, uint32_t place) {
    if (place_has_enabled(query, type, place)) return ILKI_THERE;
    if (!ilki_place_has(query->storage, type, place)) return ILKI_MISSING;
    const ilki_chunk* chunk = query->storage->chunks[ilki_chunk_of(place)];
    const ilki_block* block = block_in_chunk(query->storage, chunk, type);
    return ilki_block_is_off(block, ilki_row_of(place)) ? ILKI_OFF : ILKI_RESTS;
}

bool ilki_place_has(const ilki_storage* storage, const ilk_type* type, uint32_t place) {
    const ilki_directory* directory = directory_of(storage, type);
    return ilki_block_has(ilki_block_at(directory, ilki_chunk_of(place)), ilki_row_of(place));
}

bool ilki_term_is_new(const ilk_query* query, const ilki_term* term, uint32_t place,
                      uint64_t since) {
    if (ilki_is_nowhere(place)) return false;
    uint32_t row = ilki_row_of(place);
    const ilki_chunk* chunk = query->storage->chunks[ilki_chunk_of(place)];
    return changed_word(query, chunk, term, since, row / 64) >> (row % 64) & 1;
}

static uint64_t bit_of_term(uint32_t at) {
    return (uint64_t)1 << (at < ILKI_LAST_TERM ? at : ILKI_LAST_TERM);
}

// Terms one of which must hold, in a chunk.
typedef struct choice {
    ilki_share most;
    uint64_t terms;
} choice;

static void offer(choice* of, ilki_share share, uint32_t at) {
    if (share > of->most) of->most = share;
    if (share) of->terms |= bit_of_term(at);
}

// Whether a row can match, as far as a choice among so many terms tells; and what is to be tested.
static bool can_choose(const choice* of, uint32_t terms, ilki_tests* tests, bool* is_tested) {
    *is_tested = terms && of->most == ILKI_SOME_ROWS;
    if (*is_tested) tests->terms |= of->terms;
    return !terms || of->most != ILKI_NO_ROW;
}

ilki_share ilki_match_chunk(const ilk_query* query, const ilki_chunk* chunk, uint64_t since,
                            ilki_tests* tests) {
    *tests = (ilki_tests){0};
    choice any = {0}, changed = {0}, added = {0};
    ilki_share resting = ilki_share_resting(query, chunk);
    if (resting == ILKI_ALL_ROWS && query->rest == ILKI_REST_SKIPPED) return ILKI_NO_ROW;
    tests->rests = resting != ILKI_NO_ROW;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ilki_term* term = &query->terms[i];
        const ilki_block* block = block_in_chunk(query->storage, chunk, term->type);
        if (term->access >= ILK_ACCESS_CHANGED) {
            choice* of = term->access == ILK_ACCESS_ADDED ? &added : &changed;
            ilki_share newer = share_changed(block, chunk, since);
            offer(of, unmasked(query, newer, resting, term->type), i);
            continue;
        }
        ilki_share share = unmasked(query, share_of(block, chunk), resting, term->type);
        if (term->access == ILK_ACCESS_ANY) {
            offer(&any, share, i);
            continue;
        }
        if (term->access <= ILK_ACCESS_WITH && share == ILKI_NO_ROW) return ILKI_NO_ROW;
        if (term->access == ILK_ACCESS_WITHOUT && share == ILKI_ALL_ROWS) return ILKI_NO_ROW;
        if (share == ILKI_SOME_ROWS) tests->terms |= bit_of_term(i);
    }
    ilki_share where = query->where.count ? share_where(query, chunk, resting) : ILKI_ALL_ROWS;
    if (!can_choose(&any, query->any, tests, &tests->any) ||
        !can_choose(&changed, query->changed, tests, &tests->changed) ||
        !can_choose(&added, query->added, tests, &tests->added) || where == ILKI_NO_ROW) {
        return ILKI_NO_ROW;
    }
    tests->where = where == ILKI_SOME_ROWS;
    tests->relates = query->relates_count > 0;
    bool is_mixed = tests->terms || tests->where || tests->relates || tests->rests;
    return is_mixed ? ILKI_SOME_ROWS : ILKI_ALL_ROWS;
}

// The rows that one of each group's terms holds for.
typedef struct groups {
    uint64_t any, changed, added;
} groups;

static uint64_t match_term(const ilk_query* query, const ilki_chunk* chunk, uint64_t since,
                           const ilki_term* term, uint32_t word, uint64_t rows, groups* met) {
    if (term->access >= ILK_ACCESS_CHANGED) {
        uint64_t newer = changed_word(query, chunk, term, since, word);
        *(term->access == ILK_ACCESS_ADDED ? &met->added : &met->changed) |= newer;
        return rows;
    }
    uint64_t there = ilki_enabled_word(query, chunk, term->type, word);
    if (term->access == ILK_ACCESS_WITHOUT) return rows & ~there;
    if (term->access == ILK_ACCESS_ANY) met->any |= there;
    return term->access <= ILK_ACCESS_WITH ? rows & there : rows;
}

uint64_t ilki_match_word(const ilk_query* query, const ilki_chunk* chunk, uint64_t since,
                         const ilki_tests* tests, uint32_t word, uint64_t rows) {
    groups met = {0};
    if (tests->rests) rows &= ~skipped_word(query, chunk, word);
    for (uint64_t terms = tests->terms; terms && rows; terms &= terms - 1) {
        uint32_t at = ilki_lowest(terms);
        uint32_t end = at == ILKI_LAST_TERM ? query->term_count : at + 1;
        for (; at < end; at++) {
            rows = match_term(query, chunk, since, &query->terms[at], word, rows, &met);
        }
    }
    if (tests->any) rows &= met.any;
    if (tests->changed) rows &= met.changed;
    if (tests->added) rows &= met.added;
    if (tests->where && rows) rows &= where_word(query, chunk, word);
    if (tests->relates && rows) rows = ilki_relates_word(query, chunk, word, rows);
    return rows;
}

bool ilki_match_place(const ilk_query* query, uint32_t place, uint64_t since) {
    if (ilki_is_nowhere(place)) return query->is_wide;
    ilki_tests tests;
    const ilki_chunk* chunk = query->storage->chunks[ilki_chunk_of(place)];
    if (ilki_match_chunk(query, chunk, since, &tests) == ILKI_NO_ROW) return false;
    uint32_t row = ilki_row_of(place);
    uint64_t bit = (uint64_t)1 << (row % 64);
    return ilki_match_word(query, chunk, since, &tests, row / 64, bit) != 0;
}

uint32_t ilki_query_lead(const ilk_query* query) {
    uint32_t lead = ILKI_NONE, fewest = UINT32_MAX;
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (query->terms[i].access > ILK_ACCESS_WITH) continue;
        uint32_t blocks = directory_of(query->storage, query->terms[i].type)->block_count;
        if (blocks >= fewest) continue;
        lead = i;
        fewest = blocks;
    }
    return lead;
}

uint32_t ilki_chunk_words(const ilk_query* query, uint32_t lead) {
    if (lead == ILKI_NONE) return ilki_words(query->storage->chunk_count);
    return ilki_words(directory_of(query->storage, query->terms[lead].type)->bound);
}

static uint64_t chunks_there(const ilki_storage* storage, uint32_t word) {
    uint64_t there = 0;
    for (uint32_t i = word * 64; i < storage->chunk_count && i < word * 64 + 64; i++) {
        there |= (uint64_t)(storage->chunks[i] != NULL) << (i % 64);
    }
    return there;
}

uint64_t ilki_match_chunks(const ilk_query* query, uint32_t word, uint32_t lead) {
    const ilki_storage* storage = query->storage;
    if (lead == ILKI_NONE) return chunks_there(storage, word);
    uint64_t chunks = ilki_present_word(directory_of(storage, query->terms[lead].type), word);
    for (uint32_t i = 0; chunks && i < query->term_count; i++) {
        if (query->terms[i].access > ILK_ACCESS_WITH) continue;
        chunks &= ilki_present_word(directory_of(storage, query->terms[i].type), word);
    }
    return chunks;
}
