#include "walk.h"

#include "../component/registry.h"
#include "small.h"

void ilki_walk_init(ilki_walk* walk, ilk_world* world, ilk_type* const* types, uint32_t count,
                    uint32_t writes) {
    ilki_storage* storage = (ilki_storage*)(void*)world; // a world begins with its storage
    *walk = (ilki_walk){.storage = storage, .types = count, .writes = writes, .page = ILKI_NONE};
    for (uint32_t i = 0; i < count; i++) {
        ilki_type_recall(types[i]);
        walk->directories[i] = ilki_directory_of(&storage->view, types[i]);
    }
}

// The next page in which every type has a block for some chunk; false when there is none.
static bool next_page(ilki_walk* walk) {
    while (++walk->page < ilki_words(walk->directories[0]->bound)) {
        uint64_t present = ~(uint64_t)0;
        for (uint32_t i = 0; i < walk->types; i++) {
            present &= ilki_present_word(walk->directories[i], walk->page);
        }
        walk->present = present;
        if (present) return true;
    }
    walk->page--;
    return false;
}

static uint64_t rows_of_word(const ilki_walk* walk, uint32_t word) {
    uint64_t rows = walk->chunk->live[word];
    for (uint32_t i = 0; i < walk->types; i++) {
        rows = ilki_block_word(walk->blocks[i], word, rows);
    }
    return rows;
}

// Begins to fetch the columns of the chunk after the one that is about to be walked.
static void fetch_ahead(const ilki_walk* walk) {
    if (!walk->present) return;
    uint32_t number = walk->page * 64 + ilki_lowest(walk->present);
    for (uint32_t i = 0; i < walk->types; i++) {
        uintptr_t base = (uintptr_t)ilki_block_at(walk->directories[i], number)->base;
        for (uint32_t line = 0; line < 16; line++) __builtin_prefetch((void*)(base + line * 64));
    }
}

static bool next_chunk(ilki_walk* walk) {
    if (!walk->present && !next_page(walk)) return false;
    uint32_t number = walk->page * 64 + ilki_lowest(walk->present);
    walk->present &= walk->present - 1;
    fetch_ahead(walk);
    walk->chunk = walk->storage->chunks[number];
    for (uint32_t i = 0; i < walk->types; i++) {
        walk->blocks[i] = ilki_block_at(walk->directories[i], number);
        if (i < walk->writes) ilki_change(walk->storage, walk->blocks[i]);
    }
    return true;
}

static bool is_full(const ilki_walk* walk) {
    const ilki_chunk* chunk = walk->chunk;
    if (chunk->alive != chunk->used) return false;
    for (uint32_t i = 0; i < walk->types; i++) {
        if (ilki_block_values(walk->blocks[i], chunk->alive) != chunk->alive) return false;
    }
    return true;
}

// Hands out the next piece of the run that was found: all of it, unless a small guest has its
// values in several pieces.
static bool hand_out(ilki_walk* walk) {
    uint32_t row = walk->run_row, count = walk->run_count;
    for (uint32_t i = 0; i < walk->types; i++) {
        if (walk->blocks[i]->kind == ILKI_SMALL)
            count = ilki_small_run(walk->blocks[i], row, count);
    }
    walk->run_row += count;
    walk->run_count -= count;
    walk->count = count;
    walk->entities = walk->chunk->entities + row;
    for (uint32_t i = 0; i < walk->types; i++) {
        walk->columns[i] = ilki_value_at(walk->directories[i], walk->blocks[i], row);
    }
    return true;
}

static bool note_run(ilki_walk* walk, uint32_t row, uint32_t count) {
    walk->run_row = row;
    walk->run_count = count;
    return true;
}

// A run that reaches the end of its word goes on in the next ones.
static bool find_long_run(ilki_walk* walk, uint32_t row) {
    uint32_t words = ilki_words(walk->chunk->used);
    while (++walk->word < words) {
        walk->bits = rows_of_word(walk, walk->word);
        if (~walk->bits) {
            uint32_t more = ilki_lowest(~walk->bits);
            walk->bits &= walk->bits + 1;
            return note_run(walk, row, walk->word * 64 + more - row);
        }
    }
    walk->bits = 0;
    return note_run(walk, row, words * 64 - row);
}

// Finds the next run of rows in the chunk.
static bool find_run(ilki_walk* walk) {
    while (walk->bits == 0) {
        if (++walk->word >= ilki_words(walk->chunk->used)) return false;
        walk->bits = rows_of_word(walk, walk->word);
    }
    uint32_t first = ilki_lowest(walk->bits);
    uint32_t row = walk->word * 64 + first;
    uint64_t after = ~(walk->bits >> first);
    uint32_t length = after ? ilki_lowest(after) : 64;
    if (first + length == 64) return find_long_run(walk, row);
    walk->bits &= ~(uint64_t)0 << (first + length);
    return note_run(walk, row, length);
}

bool ilki_walk_next(ilki_walk* walk) {
    while (walk->run_count == 0) {
        if (walk->chunk && find_run(walk)) break;
        if (!next_chunk(walk)) return false;
        bool is_whole = is_full(walk);
        walk->bits = is_whole ? 0 : rows_of_word(walk, 0);
        walk->word = is_whole ? ilki_words(walk->chunk->used) : 0;
        if (is_whole) note_run(walk, 0, walk->chunk->used);
    }
    return hand_out(walk);
}
