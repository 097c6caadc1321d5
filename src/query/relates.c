// Relations in queries: what is asked of those that an entity relates to, and walks that go through
// the sources of a target.
//
// Asking is a matter of one row: at once for a target that is named, otherwise a look at each of
// the row's targets, or at all above it. It comes last, for the rows that are left.
//
// A walk through sources looks for them in order of place, without memory and without regard to
// what the loop does meanwhile: it goes through all of them, keeps the places of the next few, and
// does so again when those are used up or somebody was related anew. So much for n sources: n / 32
// times n steps, which is less than asking everybody else as long as they are few.
#include "iter.h"

#define SOURCES_KEPT (sizeof(((ilk_iter*)0)->sources) / sizeof(uint32_t))
#define SOURCES_MAX 1024u // sources that a walk may go through, at most

static const ilki_relation* relation_of(const ilk_query* query, const ilki_relates* asked) {
    return ilki_directory_of(&query->storage->view, asked->relation)->relation;
}

// Whether somebody at a place has a type, as a query sees it.
static bool is_seen_at(const ilk_query* query, const ilk_type* type, uint32_t place) {
    const ilki_storage* storage = query->storage;
    const ilki_block* block =
        ilki_block_at(ilki_directory_of(&storage->view, type), ilki_chunk_of(place));
    uint32_t row = ilki_row_of(place);
    if (!ilki_block_has(block, row) || ilki_block_is_off(block, row)) return false;
    return query->is_asking || type->outlives || !ilki_is_inactive(storage, place);
}

// Whether the entity in a slot is one that is asked for.
static bool is_meant(const ilk_query* query, const ilki_relates* asked, uint32_t slot) {
    const ilki_record* record = ilki_record_at(&query->storage->view.index, slot);
    bool is_other = !ilk_is_null(asked->target) &&
                    !ilk_same(asked->target, (ilk_entity){slot, record->generation});
    return !is_other && (!asked->having || is_seen_at(query, asked->having, record->place));
}

static bool is_one_above(const ilk_query* query, const ilki_relates* asked,
                         const ilki_relation* relation, const ilk_link* link) {
    uint32_t slot = link->target.index;
    while (slot != ILKI_NONE && !is_meant(query, asked, slot)) {
        slot = ilki_tree_parent(query->storage, relation, slot);
    }
    return slot != ILKI_NONE;
}

static bool is_one_target(const ilk_query* query, const ilki_relates* asked,
                          const ilki_relation* relation, const ilk_link* link) {
    uint32_t edge = link->first;
    for (uint32_t i = 0; i < link->count; i++) {
        const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
        if (is_meant(query, asked, at->target)) return true;
        edge = at->next_target;
    }
    return false;
}

// The same for a target that is named.
static bool is_this_target(const ilk_query* query, const ilki_relates* asked,
                           const ilki_relation* relation, const ilk_link* link) {
    uint32_t slot = asked->target.index;
    if (!ilk_same(link->target, asked->target)) {
        if (link->count == 1 || !ilki_record_of(&query->storage->view.index, asked->target)) {
            return false;
        }
        uint32_t source = ilki_edge_at(&relation->edges, link->first)->source;
        if (ilki_edge_find(&relation->edges, source, slot) == ILKI_NONE) return false;
    }
    return !asked->having || is_meant(query, asked, slot);
}

bool ilki_relates_holds(const ilk_query* query, const ilki_relates* asked, uint32_t place) {
    const ilki_relation* relation = relation_of(query, asked);
    if (!relation) return false;
    const ilki_block* block = ilki_block_at(relation->directory, ilki_chunk_of(place));
    if (!ilki_block_has(block, ilki_row_of(place))) return false;
    const ilk_link* link = ilki_value_at(relation->directory, block, ilki_row_of(place));
    if (asked->up) return is_one_above(query, asked, relation, link);
    if (ilk_is_null(asked->target)) return is_one_target(query, asked, relation, link);
    return is_this_target(query, asked, relation, link);
}

uint64_t ilki_relates_word(const ilk_query* query, const ilki_chunk* chunk, uint32_t word,
                           uint64_t rows) {
    for (uint64_t left = rows; left; left &= left - 1) {
        uint32_t place = ilki_place(chunk->number, word * 64 + ilki_lowest(left));
        for (uint32_t i = 0; i < query->relates_count; i++) {
            if (ilki_relates_holds(query, &query->relates[i], place)) continue;
            rows &= ~(left & -left);
            break;
        }
    }
    return rows;
}

// The sources of a target; none if it is not alive.
static ilki_head sources_of(const ilk_query* query, const ilki_relates* asked) {
    const ilki_relation* relation = relation_of(query, asked);
    bool is_there = relation && ilki_record_of(&query->storage->view.index, asked->target);
    return is_there ? ilki_head_of(&relation->heads, asked->target.index) : (ilki_head){0, 0};
}

// Whether it is less to go through so many sources than to ask whoever has the relation.
static bool are_few(const ilk_query* query, const ilki_relates* asked, uint32_t sources) {
    if (sources <= SOURCES_KEPT) return true;
    const ilki_relation* relation = relation_of(query, asked);
    return sources <= SOURCES_MAX &&
           sources / (uint32_t)SOURCES_KEPT * sources <= relation->edges.count;
}

uint32_t ilki_query_leader(const ilk_query* query) {
    uint32_t leader = 0, fewest = UINT32_MAX;
    for (uint32_t i = 0; i < query->relates_count; i++) {
        const ilki_relates* asked = &query->relates[i];
        if (asked->up || ilk_is_null(asked->target)) continue;
        uint32_t sources = sources_of(query, asked).count;
        if (sources >= fewest || !are_few(query, asked, sources)) continue;
        leader = i + 1;
        fewest = sources;
    }
    return leader;
}

// Keeps a place, if it is among the first.
static void keep_source(ilk_iter* it, uint32_t place) {
    bool is_full = it->source_count == SOURCES_KEPT;
    if (is_full && place > it->sources[SOURCES_KEPT - 1]) return;
    if (is_full) it->source_count--;
    uint32_t at = it->source_count++;
    for (; at && it->sources[at - 1] > place; at--) it->sources[at] = it->sources[at - 1];
    it->sources[at] = place;
}

// Keeps the first sources from a place on.
static void find_sources(ilk_iter* it, uint32_t from) {
    const ilk_query* query = it->query;
    const ilki_relates* asked = &query->relates[it->leader - 1];
    const ilki_relation* relation = relation_of(query, asked);
    ilki_head head = sources_of(query, asked);
    uint32_t ahead = 0;
    it->source_count = 0;
    for (uint32_t n = 0, edge = head.first; n < head.count; n++) {
        const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
        uint32_t place = ilki_record_at(&query->storage->view.index, at->source)->place;
        if (place >= from) {
            keep_source(it, place);
            ahead++;
        }
        edge = at->next_source;
    }
    it->source_from = from;
    it->source_to = ahead > SOURCES_KEPT ? it->sources[SOURCES_KEPT - 1] + 1 : UINT32_MAX;
    it->source_joins = query->storage->joins;
}

uint32_t ilki_iter_next_source(ilk_iter* it, uint32_t from) {
    bool is_known = from >= it->source_from && from < it->source_to &&
                    it->source_joins == ilki_iter_storage(it)->joins;
    if (!is_known) find_sources(it, from);
    for (uint32_t i = 0; i < it->source_count; i++) {
        if (it->sources[i] >= from) return it->sources[i];
    }
    return ILKI_NONE;
}

uint64_t ilki_iter_sources_word(ilk_iter* it, uint32_t word) {
    uint64_t rows = 0;
    uint32_t place = ilki_place(it->chunk, word * 64);
    while ((place = ilki_iter_next_source(it, place)) != ILKI_NONE) {
        uint32_t row = ilki_row_of(place);
        if (ilki_chunk_of(place) != it->chunk || row / 64 != word) break;
        rows |= (uint64_t)1 << (row % 64);
        place++;
    }
    return rows;
}

uint32_t ilki_iter_sources_chunk(ilk_iter* it) {
    uint32_t first = (uint32_t)(it->from >> 32);
    if (it->next_chunk < first) it->next_chunk = first;
    uint32_t place = ilki_iter_next_source(it, ilki_place(it->next_chunk, 0));
    if (place == ILKI_NONE) return ILKI_NONE;
    it->next_chunk = ilki_chunk_of(place) + 1;
    return it->next_chunk - 1;
}
