// Splitting: a walk that has just begun is cut into parts.
#include "iter.h"

bool ilki_iter_is_fresh(const ilk_iter* it) {
    bool is_begun = it->page != ILKI_NO_PAGE || it->next;
    return it->stage != ILKI_OVER && !is_begun && !it->is_part && ilki_iter_is_open(it);
}

// Where a walk is after so many rows of its run, rounded up to a whole word.
static uint64_t place_in_run(const ilk_iter* it, uint32_t rows) {
    if (it->chunk == ILKI_NONE) return (uint64_t)ILKI_NO_CHUNK << 32 | it->found[rows].index;
    return (uint64_t)it->chunk << 32 | (it->row + rows + 63) / 64;
}

// The ends of parts, so that each has about `total / count` rows.
static void find_ends(const ilk_iter* it, ilk_iter* parts, uint32_t count, uint64_t total) {
    ilk_iter walk = *it;
    walk.is_asking = true;
    uint64_t gone = 0;
    uint32_t part = 0;
    while (part + 1 < count && ilki_iter_next(&walk, false)) {
        uint64_t end = total * (part + 1) / count;
        for (; part + 1 < count && end < gone + walk.count; end = total * (part + 1) / count) {
            parts[part++].to = place_in_run(&walk, (uint32_t)(end - gone));
        }
        gone += walk.count;
    }
    for (; part < count; part++) parts[part].to = ILKI_NO_BOUND;
}

static uint64_t count_rows(const ilk_iter* it) {
    ilk_iter walk = *it;
    walk.is_asking = true;
    uint64_t rows = 0;
    while (ilki_iter_next(&walk, false)) rows += walk.count;
    return rows;
}

static void begin_part(ilk_iter* part, uint64_t from) {
    part->is_part = true;
    part->from = from;
    if (from == ILKI_NO_BOUND) {
        part->stage = ILKI_OVER;
    } else if (from >> 32 == ILKI_NO_CHUNK) {
        part->stage = ILKI_PLACELESS;
        part->next = (uint32_t)from;
    }
}

void ilki_iter_split(ilk_iter* it, ilk_iter* parts, uint32_t count) {
    ilk_query_stats stats = it->query->stats; // counting is not visiting
    uint64_t total = count_rows(it);
    for (uint32_t i = 0; i < count; i++) parts[i] = *it;
    find_ends(it, parts, count, total);
    for (uint32_t i = 0; i < count; i++) begin_part(&parts[i], i ? parts[i - 1].to : 0);
    it->query->stats = stats;
    it->stage = ILKI_OVER;
    it->is_split = true;
}
