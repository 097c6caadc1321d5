#include "iter.h"

#include <string.h>

#define FETCH_ROWS 64u
#define FOUND_MAX (sizeof(((ilk_iter*)0)->found) / sizeof(ilk_entity))
#define TESTS_MAX (sizeof(((ilk_iter*)0)->tests) / sizeof(*((ilk_iter*)0)->tests))
#define ASKING_SLOT 31u // no entity without a place has a mark of it

// Walks that are not to be counted count here.
static ilk_query_stats* uncounted(void) {
    static _Thread_local ilk_query_stats stats;
    return &stats;
}

// A walk that need not be open, because nothing comes, goes or moves meanwhile.
static void begin(ilk_iter* it, ilk_world* world, ilk_query* query) {
    memset(&it->serial, 0, offsetof(ilk_iter, found) - offsetof(ilk_iter, serial));
    it->world = world;
    it->query = query;
    it->query_serial = query->serial;
    it->count = 0;
    it->entities = NULL;
    it->result = ILK_OK;
    it->cmd = NULL;
    it->dt = 0;
    it->user = it->surface = NULL;
    it->system = NULL;
    it->is_asking = true;
    it->slot = ASKING_SLOT;
    it->serial = UINT64_MAX;
    it->wave = query->storage->wave;
    it->stats = uncounted();
    it->since = ilki_query_seen(query);
    it->lead = ilki_query_lead(query);
    if (query->relates_count) it->leader = ilki_query_leader(query);
    it->page = ILKI_NO_PAGE;
    it->to = ILKI_NO_BOUND;
    it->end = query->storage->view.index.slots;
}

void ilki_iter_nothing(ilk_iter* it, ilk_world* world) {
    it->world = world;
    it->query = NULL;
    it->count = 0;
    it->entities = NULL;
    it->surface = NULL;
    it->result = ILK_OK;
    it->wave = ilki_iter_storage(it)->wave;
    it->stage = ILKI_OVER;
    it->is_asking = true;
    it->is_part = it->is_split = it->is_begun = it->is_pass = it->is_done = false;
}

// Sorts. Where several systems are in, the first who asks sorts for all of them.
static bool sort(ilk_query* query) {
    ilki_storage* storage = query->storage;
    if (!storage->is_shared) return ilki_query_sort(query);
    ilki_lock_take(&storage->sort_lock);
    bool is_sorted = query->sorted_wave == storage->wave || ilki_query_sort(query);
    if (is_sorted) query->sorted_wave = storage->wave;
    ilki_lock_give(&storage->sort_lock);
    return is_sorted;
}

static void begin_order(ilk_iter* it, ilk_query* query) {
    bool is_sorted = sort(query);
    it->stage = is_sorted ? ILKI_ORDERED : ILKI_OVER;
    it->result = is_sorted ? ILK_OK : ILK_NO_MEMORY;
    it->end = is_sorted ? query->order->count : 0;
}

void ilki_iter_ask(ilk_iter* it, ilk_world* world, ilk_query* query, bool is_in_order) {
    begin(it, world, query);
    if (is_in_order && query->is_ordered) begin_order(it, query);
}

static ilk_type* leading_type(const ilk_iter* it) {
    if (it->leader) return it->query->relates[it->leader - 1].relation;
    return it->lead == ILKI_NONE ? NULL : it->query->terms[it->lead].type;
}

void ilki_iter_begin(ilk_iter* it, ilk_world* world, ilk_query* query) {
    ilki_storage* storage = query->storage;
    begin(it, world, query);
    it->is_pass = true;
    if (!storage->is_shared) it->stats = &query->stats;
    it->stats->passes++;
    it->stats->rarest = leading_type(it);
    if (query->is_ordered) begin_order(it, query);
    if (it->stage == ILKI_OVER || ilki_is_locked(storage)) return;
    it->is_asking = false;
    it->slot = ilki_look(storage, query, query->is_wide);
    it->serial = storage->looking.last;
    if (it->stage != ILKI_ORDERED) return;
    storage->looking.open[it->slot].order = query->order;
    query->order->users++;
}

void ilki_iter_among(ilk_iter* it, ilk_world* world, ilk_query* query, const ilk_entity* entities,
                     uint32_t count) {
    ilki_storage* storage = query->storage;
    begin(it, world, query);
    it->stage = ILKI_ORDERED;
    it->among = entities;
    it->end = count;
    if (ilki_is_locked(storage)) return;
    it->is_asking = false;
    it->slot = ilki_look(storage, query, false);
    it->serial = storage->looking.last;
}

ilk_result ilki_iter_why(const ilk_iter* it) {
    const ilki_looking* looking = &ilki_iter_storage(it)->looking;
    bool is_stale =
        it->is_asking || it->serial <= looking->stale || it->query->serial != it->query_serial;
    return is_stale ? ILK_STALE : ILK_FULL;
}

// Grows with everything that decides what matches.
static uint64_t version_of(const ilk_iter* it) {
    const ilki_storage* storage = ilki_iter_storage(it);
    bool is_touchy = it->query->changed || it->query->added;
    return ilki_version(storage) + (is_touchy ? storage->marks : 0);
}

static void stop(ilk_iter* it, ilk_result result) {
    it->result = result;
    it->stage = ILKI_OVER;
    it->count = 0;
    it->entities = NULL;
}

bool ilki_iter_is_open(const ilk_iter* it) {
    const ilki_storage* storage = ilki_iter_storage(it);
    if (it->is_asking) return it->wave == storage->wave;
    return ilki_is_open(&storage->looking, it->slot, it->serial);
}

uint64_t ilki_query_seen(const ilk_query* query) {
    ilki_storage* storage = query->storage;
    bool asks = query->changed || query->added;
    if (!storage->is_shared || !asks) return query->seen;
    ilki_lock_take(&storage->pass_lock);
    uint64_t seen = query->seen_wave == storage->wave ? query->seen_before : query->seen;
    ilki_lock_give(&storage->pass_lock);
    return seen;
}

void ilki_query_see(ilk_query* query, uint64_t tick) {
    ilki_storage* storage = query->storage;
    ilki_lock_take(&storage->pass_lock);
    if (storage->is_shared && query->seen_wave != storage->wave) {
        query->seen_before = query->seen;
        query->seen_wave = storage->wave;
    }
    query->seen = tick;
    ilki_lock_give(&storage->pass_lock);
}

// What changed up to now counts as seen; where several systems are in, what changed before them.
static void note_pass(ilki_storage* storage, ilk_query* query) {
    if (!query->changed && !query->added) return;
    ilki_query_see(query, storage->is_shared ? storage->view.tick - 1 : ilki_next_tick(storage));
}

void ilki_iter_end(ilk_iter* it, bool is_whole) {
    ilki_storage* storage = ilki_iter_storage(it);
    if (!ilki_iter_is_open(it)) {
        if (it->stage != ILKI_OVER) stop(it, ilki_iter_why(it));
        return;
    }
    stop(it, it->result);
    it->is_done |= is_whole;
    if (it->is_part) return;
    if (!it->is_asking) ilki_look_away(storage, it->slot);
    if (is_whole && it->is_pass) note_pass(storage, it->query);
}

static ilki_tests tests_of(const ilk_iter* it) {
    return (ilki_tests){it->terms, it->any,     it->changed, it->added,
                        it->where, it->relates, it->rests};
}

// Notes where the columns of a chunk begin, and whether one has its values elsewhere.
static void note_columns(ilk_iter* it, const ilki_chunk* chunk) {
    const ilk_query* query = it->query;
    it->has_small = false;
    for (uint32_t i = 0; i < query->column_count; i++) {
        const ilki_block* block = ilki_term_block(query, &query->terms[i], chunk->number);
        bool is_small = block->kind == ILKI_SMALL;
        it->has_small |= is_small;
        bool is_there = query->terms[i].access != ILK_ACCESS_MAYBE && !is_small;
        if (i < ILK_LIST) it->bases[i] = is_there ? block->base : NULL;
    }
}

// The quick way: every row has every type of a simple query, at home, as in most chunks. (That
// there are blocks is known.) Notes the columns too.
static bool is_plain_chunk(ilk_iter* it, uint32_t chunk) {
    const ilk_query* query = it->query;
    const ilki_view* view = &query->storage->view;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ilki_block* block = &view->by_id[query->terms[i].id]->blocks[chunk];
        if (!ilki_block_is_plain(block) || block->off) return false;
        if (i < ILK_LIST) it->bases[i] = block->base;
    }
    it->has_small = false;
    it->terms = 0;
    it->test_count = 0;
    it->any = it->changed = it->added = it->where = it->relates = it->rests = false;
    return true;
}

// Notes the bits of a block that decide which rows of a chunk match.
static void note_test(ilk_iter* it, const ilki_block* block, bool is_barred) {
    uint32_t i = it->test_count++;
    it->tests[i].bits = ilki_presence(block, 0);
    it->tests[i].flip = block->kind == ILKI_HOME ? ~(uint64_t)0 : 0;
    it->tests[i].invert = is_barred ? ~(uint64_t)0 : 0;
    it->tests[i].has_off = block->off > 0;
}

// The same for entities that are skipped.
static void note_resting(ilk_iter* it, const ilki_directory* directory, const ilki_chunk* chunk) {
    if (!directory || !ilki_block_at(directory, chunk->number)->base) return;
    note_test(it, ilki_block_at(directory, chunk->number), true);
}

// Notes the bits that decide which rows of a chunk match, if that is a matter of few types that
// must, or must not, be there.
static void note_tests(ilk_iter* it, const ilki_chunk* chunk) {
    const ilk_query* query = it->query;
    bool is_hard = it->where || it->relates || (it->rests && query->rest == ILKI_REST_MASKED);
    it->test_count = is_hard ? ILKI_NONE : 0;
    if (it->rests && !is_hard) {
        note_resting(it, query->storage->inactive, chunk);
        note_resting(it, query->storage->dying, chunk);
    }
    for (uint64_t terms = is_hard ? 0 : it->terms; terms; terms &= terms - 1) {
        uint32_t at = ilki_lowest(terms);
        const ilki_term* term = &query->terms[at];
        bool is_easy = term->access <= ILK_ACCESS_WITHOUT && at < ILKI_LAST_TERM;
        if (!is_easy || it->test_count == TESTS_MAX) {
            it->test_count = ILKI_NONE;
            return;
        }
        note_test(it, ilki_term_block(query, term, chunk->number),
                  term->access == ILK_ACCESS_WITHOUT);
    }
}

// Whether a row of a chunk is inactive, and that matters. Most worlds have no such rows.
static bool rests_somewhere(const ilk_iter* it, const ilki_chunk* chunk) {
    if (ILKI_LIKELY(!ilki_iter_storage(it)->has_resting)) return false;
    return ilki_share_resting(it->query, chunk) != ILKI_NO_ROW;
}

// Looks at the blocks of the chunk, whose rows may have changed.
static ilki_share look_at_chunk(ilk_iter* it, const ilki_chunk* chunk) {
    ilki_tests tests;
    it->version = version_of(it);
    bool is_plain =
        it->query->is_simple && !rests_somewhere(it, chunk) && is_plain_chunk(it, chunk->number);
    if (ILKI_LIKELY(is_plain)) return ILKI_ALL_ROWS;
    ilki_share share = ilki_match_chunk(it->query, chunk, it->since, &tests);
    it->terms = tests.terms;
    it->any = tests.any;
    it->changed = tests.changed;
    it->added = tests.added;
    it->where = tests.where;
    it->relates = tests.relates;
    it->rests = tests.rests;
    if (share == ILKI_NO_ROW) return share;
    note_columns(it, chunk);
    note_tests(it, chunk);
    return share;
}

// Rows of a word that are there for this iterator and match.
static uint64_t rows_in_word(ilk_iter* it, const ilki_chunk* chunk, uint32_t word) {
    uint64_t rows = chunk->live[word];
    if (it->limit < word * 64 + 64) rows &= ((uint64_t)1 << (it->limit % 64)) - 1;
    it->stats->words++;
    if (ILKI_UNLIKELY(it->leader)) rows &= ilki_iter_sources_word(it, word);
    if (ILKI_UNLIKELY(it->test_count == ILKI_NONE)) {
        ilki_tests tests = tests_of(it);
        return rows ? ilki_match_word(it->query, chunk, it->since, &tests, word, rows) : 0;
    }
    for (uint32_t i = 0; i < it->test_count; i++) {
        const uint64_t* bits = it->tests[i].bits - 2 * (size_t)word;
        uint64_t there = *bits ^ it->tests[i].flip;
        if (it->tests[i].has_off) there &= ~bits[-1];
        rows &= there ^ it->tests[i].invert;
    }
    return rows;
}

// Begins with a chunk. False if there is nothing for this iterator.
static bool enter_chunk(ilk_iter* it, uint32_t number) {
    ilk_query* query = it->query;
    const ilki_chunk* chunk = query->storage->chunks[number];
    it->stats->chunks++;
    it->chunk = number;
    it->limit = ilki_rows_seen(chunk, it->serial);
    it->word = number == it->from >> 32 ? (uint32_t)it->from : 0;
    it->end_word = ilki_words(it->limit);
    if (number == it->to >> 32 && (uint32_t)it->to < it->end_word) it->end_word = (uint32_t)it->to;
    it->next_row = it->word * 64;
    it->bits = 0;
    it->length = 0;
    bool is_nothing = chunk->alive == 0 || it->word >= it->end_word;
    ilki_share share = is_nothing ? ILKI_NO_ROW : look_at_chunk(it, chunk);
    if (share == ILKI_NO_ROW) {
        it->stats->skipped++;
        return false;
    }
    if (share == ILKI_ALL_ROWS && chunk->alive == chunk->used) {
        uint32_t end = it->end_word * 64;
        it->run = it->next_row;
        it->length = (end < it->limit ? end : it->limit) - it->run;
        it->word = it->end_word;
        it->stats->whole++;
    }
    return true;
}

// Begins to fetch the columns of the chunk after the one that is about to be walked, unless that
// one is too short for it to help.
static void fetch_ahead(const ilk_iter* it) {
    if (!it->present || it->length < FETCH_ROWS) return;
    const ilk_query* query = it->query;
    uint32_t number = it->page * 64 + ilki_lowest(it->present);
    for (uint32_t i = 0; i < query->column_count; i++) {
        uintptr_t base = (uintptr_t)ilki_term_block(query, &query->terms[i], number)->base;
        for (uint32_t line = 0; line < 8; line++) __builtin_prefetch((void*)(base + line * 64));
    }
}

// The chunks of a page that may match, from the beginning of this part on.
static uint64_t chunks_of_page(ilk_iter* it) {
    uint64_t chunks = ilki_match_chunks(it->query, it->page, it->lead);
    uint64_t first = it->from >> 32;
    it->page_version = ilki_iter_storage(it)->stirs;
    if (first >= ((uint64_t)it->page + 1) * 64) return 0;
    return first > (uint64_t)it->page * 64 ? chunks & ~(uint64_t)0 << (first % 64) : chunks;
}

// The next 64 chunks of which some may match. False if there are none.
static bool next_page(ilk_iter* it) {
    uint32_t pages = ilki_chunk_words(it->query, it->lead);
    while (++it->page < pages) {
        it->present = chunks_of_page(it);
        if (it->present) return true;
    }
    it->page--;
    return false;
}

// Looks again at the page, where a chunk ahead may have come to match.
static void refresh_page(ilk_iter* it) {
    if (it->page == ILKI_NO_PAGE || it->page_version == ilki_iter_storage(it)->stirs) return;
    uint64_t ahead = ~(uint64_t)0 << (it->chunk % 64) << 1;
    it->present = chunks_of_page(it) & ahead;
}

// Whether nothing that must have changed did, in a chunk: known without looking into it.
static bool is_unchanged(const ilk_iter* it, uint32_t number) {
    ilk_query* query = it->query;
    if (!query->changed && !query->added) return false;
    bool has_changed = !query->changed, has_added = !query->added;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ilki_term* term = &query->terms[i];
        if (term->access < ILK_ACCESS_CHANGED) continue;
        bool is_newer = ilki_changed_at(ilki_term_block(query, term, number)) > it->since;
        *(term->access == ILK_ACCESS_ADDED ? &has_added : &has_changed) |= is_newer;
    }
    if (has_changed && has_added) return false;
    it->stats->chunks++;
    it->stats->skipped++;
    return true;
}

// The same for a walk through sources.
static uint32_t next_chunk_of_sources(ilk_iter* it) {
    uint32_t number;
    while ((number = ilki_iter_sources_chunk(it)) != ILKI_NONE) {
        it->page = number / 64;
        if (number > it->to >> 32) return ILKI_NONE;
        if (!is_unchanged(it, number)) return number;
    }
    return ILKI_NONE;
}

uint32_t ilki_iter_next_chunk(ilk_iter* it) {
    if (ILKI_UNLIKELY(it->leader)) return next_chunk_of_sources(it);
    refresh_page(it);
    while (it->present || next_page(it)) {
        uint32_t number = it->page * 64 + ilki_lowest(it->present);
        it->present &= it->present - 1;
        bool is_beyond = number > it->to >> 32;
        if (is_beyond) return ILKI_NONE;
        if (!is_unchanged(it, number)) return number;
    }
    return ILKI_NONE;
}

static bool next_chunk(ilk_iter* it) {
    uint32_t number;
    while ((number = ilki_iter_next_chunk(it)) != ILKI_NONE) {
        if (!enter_chunk(it, number)) continue;
        fetch_ahead(it);
        return true;
    }
    return false;
}

// Looks again at what is left of the chunk, if anything in the world came, went or was switched; or
// was changed, if that matters.
static void refresh(ilk_iter* it) {
    if (it->version == version_of(it)) return;
    const ilki_chunk* chunk = ilki_iter_chunk(it);
    it->length = 0;
    it->bits = 0;
    it->word = it->next_row / 64;
    if (look_at_chunk(it, chunk) == ILKI_NO_ROW) it->word = it->end_word;
    if (it->word >= it->end_word) return;
    it->bits = rows_in_word(it, chunk, it->word++) & ~(uint64_t)0 << (it->next_row % 64);
}

// Passes over words without a source.
static void skip_to_source(ilk_iter* it) {
    uint32_t place = ilki_iter_next_source(it, ilki_place(it->chunk, it->word * 64));
    bool is_here = place != ILKI_NONE && ilki_chunk_of(place) == it->chunk;
    it->word = is_here ? ilki_row_of(place) / 64 : it->end_word;
}

// Finds the next word with rows. False if there is none in the chunk.
static bool find_bits(ilk_iter* it) {
    while (!it->bits) {
        if (ILKI_UNLIKELY(it->leader) && it->word < it->end_word) skip_to_source(it);
        if (it->word >= it->end_word) return false;
        it->bits = rows_in_word(it, ilki_iter_chunk(it), it->word++);
    }
    return true;
}

// The rows of a word that have, and lack, the same optional components as a row.
static uint64_t alike_in(const ilk_iter* it, uint32_t row, uint32_t word) {
    const ilk_query* query = it->query;
    const ilki_chunk* chunk = ilki_iter_chunk(it);
    uint64_t rows = ~(uint64_t)0;
    for (uint32_t i = 0; i < query->column_count; i++) {
        const ilki_term* term = &query->terms[i];
        if (term->access != ILK_ACCESS_MAYBE) continue;
        uint64_t own = ilki_enabled_word(query, chunk, term->type, row / 64);
        uint64_t there = word == row / 64 ? own : ilki_enabled_word(query, chunk, term->type, word);
        rows &= own >> (row % 64) & 1 ? there : ~there;
    }
    return rows;
}

// The same in the row's own word.
static uint64_t alike(const ilk_iter* it, uint32_t row) {
    return alike_in(it, row, row / 64);
}

// A run that reaches the end of its word goes on in the next ones.
static void extend_run(ilk_iter* it) {
    while (it->word < it->end_word) {
        it->bits = rows_in_word(it, ilki_iter_chunk(it), it->word++);
        uint64_t rows = it->bits;
        if (it->query->maybe) rows &= alike_in(it, it->run, it->word - 1);
        uint32_t more = ~rows ? ilki_lowest(~rows) : 64;
        it->length += more;
        it->bits &= more == 64 ? 0 : ~(uint64_t)0 << more;
        if (more < 64) return;
    }
}

// Finds the next rows side by side in the chunk.
static bool find_run(ilk_iter* it) {
    if (!find_bits(it)) return false;
    uint32_t first = ilki_lowest(it->bits);
    it->run = (it->word - 1) * 64 + first;
    uint64_t rows = it->bits;
    if (it->query->maybe) rows &= alike(it, it->run);
    uint64_t after = ~(rows >> first);
    uint32_t length = after ? ilki_lowest(after) : 64;
    it->length = length;
    bool is_to_end = first + length == 64;
    it->bits &= is_to_end ? 0 : ~(uint64_t)0 << (first + length);
    if (is_to_end) extend_run(it);
    return true;
}

// Notes which optional columns the rows of a run have, all of which are alike, as far as there are
// bits.
static void note_optional(ilk_iter* it, uint32_t row) {
    const ilk_query* query = it->query;
    it->there = 0;
    for (uint32_t i = 0; i < query->column_count && i < 64; i++) {
        if (query->terms[i].access != ILK_ACCESS_MAYBE) continue;
        it->there |= (uint64_t)ilki_row_has(it, &query->terms[i], row) << i;
    }
}

// How many rows of the run that was found have their values side by side.
static uint32_t values_in_line(const ilk_iter* it) {
    const ilk_query* query = it->query;
    uint32_t count = it->length;
    for (uint32_t i = 0; it->has_small && i < query->column_count; i++) {
        const ilki_block* block = ilki_term_block(query, &query->terms[i], it->chunk);
        bool is_cut = block->kind == ILKI_SMALL && ilki_block_has(block, it->run);
        if (is_cut) count = ilki_small_run(block, it->run, count);
    }
    return count;
}

static void list_all(ilk_iter* it) {
    for (uint32_t i = 0; i < it->count; i++) it->rows[i] = (uint16_t)i;
}

// Hands out what was found, or the first part of it.
static void hand_out(ilk_iter* it, bool is_listed) {
    it->count = values_in_line(it);
    if (is_listed && it->count > ILK_ROWS) it->count = ILK_ROWS;
    it->is_listed = false;
    it->row = it->run;
    it->run += it->count;
    it->length -= it->count;
    it->next_row = it->run;
    it->entities = ilki_iter_chunk(it)->entities + it->row;
    if (it->query->maybe) note_optional(it, it->row);
    it->stats->rows += it->count;
    if (is_listed) list_all(it);
}

// Lists the rows of one word from `count` on. Returns how many there are then. Four bits at a time,
// by a table: taking one bit after the other made iter_churn a fifth slower.
static uint32_t list_word(ilk_iter* it, uint32_t count, uint64_t bits) {
    static const uint16_t rows[16][4] = {
        {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
        {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
    };
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    uint64_t first = (it->word - 1) * 64;
    for (; bits; bits >>= 4, first += 4) {
        uint64_t four;
        memcpy(&four, rows[bits % 16], sizeof four);
        four += first * 0x0001000100010001u; // to each of the four
        memcpy(&it->rows[count], &four, sizeof four);
        count += counts[bits % 16];
    }
    return count;
}

// Hands out a list of rows of the chunk. False if none is left.
static bool hand_out_list(ilk_iter* it) {
    uint32_t count = 0;
    while (count <= ILK_ROWS - 64 && find_bits(it)) {
        uint64_t rows = it->bits;
        if (it->query->maybe) {
            // Up to the first that differs.
            uint64_t others = rows & ~alike(it, (it->word - 1) * 64 + ilki_lowest(rows));
            if (others) rows &= (others & -others) - 1;
        }
        it->bits &= ~rows;
        count = list_word(it, count, rows);
        if (it->query->maybe) break;
    }
    if (!count) return false;
    it->count = count;
    it->is_listed = true;
    it->row = 0;
    it->next_row = it->rows[count - 1] + 1u;
    it->entities = ilki_iter_chunk(it)->entities;
    if (it->query->maybe) note_optional(it, it->rows[0]);
    it->stats->rows += count;
    return true;
}

// The next rows of the chunk that the iterator is in.
static bool next_in_chunk(ilk_iter* it, bool is_listed) {
    refresh(it);
    if (is_listed && !it->has_small && !it->length) return hand_out_list(it);
    if (!it->length && !find_run(it)) return false;
    hand_out(it, is_listed);
    return true;
}

static bool next_in_chunks(ilk_iter* it, bool is_listed) {
    if (it->is_begun && next_in_chunk(it, is_listed)) return true;
    while (next_chunk(it)) {
        it->is_begun = true;
        if (next_in_chunk(it, is_listed)) return true;
    }
    it->is_begun = false;
    return false;
}

// The next entities without a place.
static bool next_placeless(ilk_iter* it) {
    const ilki_index* index = &ilki_iter_storage(it)->view.index;
    it->count = 0;
    uint32_t end = it->end < (uint32_t)it->to ? it->end : (uint32_t)it->to;
    for (; it->next < end && it->count < FOUND_MAX; it->next++) {
        const ilki_record* record = ilki_record_at(index, it->next);
        if (record->generation & ILKI_DEAD_BIT || !ilki_is_nowhere(record->place)) continue;
        if (!ilki_was_there(record->place, it->slot)) continue;
        it->found[it->count++] = (ilk_entity){it->next, record->generation};
    }
    it->entities = it->found;
    it->chunk = ILKI_NONE;
    it->is_listed = false;
    it->version = version_of(it);
    it->stats->rows += it->count;
    list_all(it);
    return it->count > 0;
}

// Whether nothing has happened since the order was made, so that all match and are where they were.
// There is no order for a list that is gone through.
static bool is_as_sorted(const ilk_iter* it, const ilki_order* order) {
    bool is_touchy = it->query->changed || it->query->added;
    return order && !is_touchy && order->version == ilki_version(ilki_iter_storage(it));
}

static ilk_entity entity_in_order(const ilk_iter* it, const ilki_order* order, uint32_t at) {
    return order ? order->entities[at] : it->among[at];
}

// The place of an entity of the order that is alive and still matches; or false.
static bool place_in_order(const ilk_iter* it, const ilki_order* order, uint32_t at,
                           uint32_t* place) {
    if (ILKI_LIKELY(is_as_sorted(it, order))) {
        *place = ilki_order_places(order)[at];
        return true;
    }
    const ilki_record* record =
        ilki_record_of(&ilki_iter_storage(it)->view.index, entity_in_order(it, order, at));
    if (!record || !ilki_match_place(it->query, record->place, it->since)) return false;
    *place = record->place;
    return true;
}

// Hands out one that has no place.
static void hand_out_placeless(ilk_iter* it, ilk_entity e) {
    it->chunk = ILKI_NONE;
    it->is_begun = it->is_listed = false;
    it->found[0] = e;
    it->entities = it->found;
    it->count = 1;
    it->next++;
    it->stats->rows++;
    list_all(it);
}

// How many of so many rows from one on have and lack the same optional components.
static uint32_t count_alike(const ilk_iter* it, uint32_t row, uint32_t most) {
    uint32_t count = 0, same, left; // of a word
    do {
        uint32_t at = row + count;
        uint64_t others = ~(alike_in(it, row, at / 64) >> (at % 64));
        same = others ? ilki_lowest(others) : 64;
        left = 64 - at % 64;
        count += same;
    } while (same == left && count < most);
    return count < most ? count : most;
}

// How many could be handed out together, from a row on, as far as is worth a look: where the world
// has changed, each must be matched again, perhaps in vain.
static uint32_t count_at_most(const ilk_iter* it, const ilki_order* order, uint32_t row) {
    uint32_t most = is_as_sorted(it, order) ? ILKI_ROWS_MAX - row : 16;
    if (it->has_small && most > 64) most = 64;
    return most < it->end - it->next ? most : it->end - it->next;
}

// How many of the order, from the next one on, which is at a place, lie side by side.
static uint32_t count_beside(const ilk_iter* it, const ilki_order* order, uint32_t place,
                             uint32_t most) {
    uint32_t count = 1, other;
    if (is_as_sorted(it, order)) {
        uint32_t run = ilki_order_runs(order)[it->next];
        return run < most ? run : most;
    }
    while (count < most && place_in_order(it, order, it->next + count, &other) &&
           other == place + count && ilki_chunk_of(other) == it->chunk) {
        count++;
    }
    return count;
}

// Hands out those of the order that come next and lie side by side.
static void hand_out_beside(ilk_iter* it, const ilki_order* order, uint32_t place, bool is_listed) {
    it->run = ilki_row_of(place);
    uint32_t most = count_at_most(it, order, it->run);
    it->length = count_beside(it, order, place, is_listed && most > ILK_ROWS ? ILK_ROWS : most);
    if (it->query->maybe) it->length = count_alike(it, it->run, it->length);
    hand_out(it, is_listed);
    it->length = 0;
    it->next += it->count;
}

// Hands out a list of those that come next and are in one chunk.
static void hand_out_together(ilk_iter* it, const ilki_order* order) {
    uint32_t count = 0, place;
    while (count < ILK_ROWS && it->next < it->end && place_in_order(it, order, it->next, &place) &&
           ilki_chunk_of(place) == it->chunk) {
        it->rows[count++] = (uint16_t)ilki_row_of(place);
        it->next++;
    }
    it->count = count;
    it->is_listed = true;
    it->row = 0;
    it->entities = ilki_iter_chunk(it)->entities;
    it->stats->rows += count;
}

static void hand_out_in_order(ilk_iter* it, const ilki_order* order, uint32_t place,
                              bool is_listed) {
    uint64_t version = version_of(it);
    bool is_same = it->is_begun && it->chunk == ilki_chunk_of(place) && it->version == version;
    it->version = version;
    if (ilki_is_nowhere(place)) {
        hand_out_placeless(it, entity_in_order(it, order, it->next));
        return;
    }
    it->chunk = ilki_chunk_of(place);
    it->is_begun = true;
    if (!is_same) note_columns(it, ilki_iter_chunk(it));
    if (is_listed && !it->has_small && !it->query->maybe)
        hand_out_together(it, order);
    else
        hand_out_beside(it, order, place, is_listed);
}

static bool next_in_order(ilk_iter* it, bool is_listed) {
    const ilki_looking* looking = &ilki_iter_storage(it)->looking;
    const ilki_order* order = it->among       ? NULL
                              : it->is_asking ? it->query->order
                                              : looking->open[it->slot].order;
    for (; it->next < it->end; it->next++) {
        uint32_t place;
        if (!place_in_order(it, order, it->next, &place)) continue;
        hand_out_in_order(it, order, place, is_listed);
        return true;
    }
    return false;
}

bool ilki_iter_next(ilk_iter* it, bool is_listed) {
    if (it->stage == ILKI_OVER) {
        it->count = 0;
        return false;
    }
    if (!ilki_iter_is_open(it)) {
        stop(it, ilki_iter_why(it));
        return false;
    }
    if (it->stage == ILKI_ORDERED && next_in_order(it, is_listed)) return true;
    if (it->stage == ILKI_CHUNKS) {
        if (next_in_chunks(it, is_listed)) return true;
        if (it->query->is_wide && it->to >> 32 == ILKI_NO_CHUNK) it->stage = ILKI_PLACELESS;
    }
    if (it->stage == ILKI_PLACELESS && next_placeless(it)) return true;
    ilki_iter_end(it, true);
    return false;
}

bool ilki_iter_is_current(const ilk_iter* it) {
    return ilki_iter_is_open(it) && it->version == version_of(it);
}

void ilki_iter_take_back(ilk_iter* it, uint32_t kept) {
    if (!ilki_iter_is_open(it)) return;
    it->stats->rows -= it->count - kept;
    it->version = UINT64_MAX; // of none: what is left is looked at again
    if (it->stage == ILKI_CHUNKS) it->next_row = it->row + kept;
    if (it->stage == ILKI_PLACELESS) it->next = it->found[kept - 1].index + 1;
    if (it->stage == ILKI_ORDERED) it->next -= it->count - kept;
}
