// Splitting: a walk that has just begun is cut into parts; and what a query may match, into pieces.
#include "iter.h"

#define PIECES 32u // that a system is cut into, as long as they are neither too small nor too large
#define PIECE_MIN 256u
#define PIECE_MAX 8192u

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
    ilk_query_stats stats = {0};
    walk.is_asking = true;
    walk.is_pass = false;
    walk.stats = &stats;
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
    ilk_query_stats stats = {0}; // counting is not visiting
    walk.is_asking = true;
    walk.is_pass = false;
    walk.stats = &stats;
    uint64_t rows = 0;
    while (ilki_iter_next(&walk, false)) rows += walk.count;
    return rows;
}

void ilki_iter_confine(ilk_iter* part, uint64_t from, uint64_t to) {
    part->is_part = true;
    part->from = from;
    part->to = to;
    if (from == ILKI_NO_BOUND) {
        part->stage = ILKI_OVER;
    } else if (from >> 32 == ILKI_NO_CHUNK) {
        part->stage = ILKI_PLACELESS;
        part->next = (uint32_t)from;
    }
}

void ilki_iter_split(ilk_iter* it, ilk_iter* parts, uint32_t count) {
    uint64_t total = count_rows(it);
    for (uint32_t i = 0; i < count; i++) parts[i] = *it;
    find_ends(it, parts, count, total);
    for (uint32_t i = 0; i < count; i++) {
        ilki_iter_confine(&parts[i], i ? parts[i - 1].to : 0, parts[i].to);
    }
    it->stage = ILKI_OVER;
    it->is_split = true;
}

// The rows of the chunks in which some may match.
static uint64_t count_in_chunks(const ilk_iter* fresh) {
    ilk_iter walk = *fresh;
    uint64_t rows = 0;
    for (uint32_t chunk; (chunk = ilki_iter_next_chunk(&walk)) != ILKI_NONE;) {
        rows += ilki_iter_storage(&walk)->chunks[chunk]->used;
    }
    return rows;
}

static uint32_t rows_of_piece(uint32_t wanted, uint64_t total) {
    uint64_t rows = wanted ? wanted : total / PIECES;
    uint64_t least = wanted ? 1 : PIECE_MIN, most = wanted ? UINT32_MAX - 63u : PIECE_MAX;
    if (rows < least) rows = least;
    if (rows > most) rows = most;
    return ((uint32_t)rows + 63) & ~63u;
}

uint32_t ilki_query_cut(ilk_query* query, uint32_t rows, uint64_t* ends, uint32_t capacity) {
    if (query->storage->view.index.alive <= (rows ? rows : PIECE_MIN)) return 1;
    ilk_iter walk;
    ilki_iter_ask(&walk, (ilk_world*)(void*)query->storage, query, false);
    uint32_t size = rows_of_piece(rows, count_in_chunks(&walk));
    uint32_t pieces = 1, gone = 0;
    for (uint32_t chunk; (chunk = ilki_iter_next_chunk(&walk)) != ILKI_NONE;) {
        uint32_t used = query->storage->chunks[chunk]->used;
        for (uint32_t row = 0; row < used;) {
            if (gone >= size) {
                if (pieces <= capacity) ends[pieces - 1] = (uint64_t)chunk << 32 | row / 64;
                pieces++;
                gone = 0;
            }
            uint32_t end = (row + (size - gone) + 63) & ~63u;
            if (end > used) end = used;
            gone += end - row;
            row = end;
        }
    }
    return pieces;
}
