// Order: what matches a query, sorted by the values of a type or by index.
//
// The list is made when a pass begins and something that it depends on has changed since it was
// last made. Iterators that are open keep the list they began with: whoever uses it last frees it.
#include <string.h>

#include "query.h"

// An entity and the value it is sorted by.
typedef struct sortable {
    ilk_entity entity;
    const void* value;
} sortable;

static bool block_is_newer(const ilk_query* query, const ilki_chunk* chunk,
                           const ilki_directory* directory) {
    return ilki_block_at(directory, chunk->number)->touched > query->sorted;
}

static bool is_newer(const ilk_query* query, const ilki_chunk* chunk, const ilk_type* type) {
    return block_is_newer(query, chunk, ilki_directory_of(&query->storage->view, type));
}

static bool chunk_is_newer(const ilk_query* query, const ilki_chunk* chunk) {
    const ilki_storage* storage = query->storage;
    if (chunk->touched > query->sorted) return true;
    if (storage->inactive && block_is_newer(query, chunk, storage->inactive)) return true;
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (is_newer(query, chunk, query->terms[i].type)) return true;
    }
    for (uint32_t i = 0; i < query->where.count; i++) {
        const ilk_type* type = query->where.steps[i].type;
        if (type && is_newer(query, chunk, type)) return true;
    }
    return false;
}

// Whether the list may differ from what it was.
static bool is_outdated(const ilk_query* query) {
    const ilki_storage* storage = query->storage;
    const ilki_index* index = &storage->view.index;
    bool is_same = query->order && query->sorted_moves == storage->moves &&
                   query->sorted_ever == index->ever && query->sorted_alive == index->alive;
    if (!is_same) return true;
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i] && chunk_is_newer(query, storage->chunks[i])) return true;
    }
    return false;
}

static void note(sortable* items, uint32_t* count, ilk_entity e, const void* value) {
    if (items) items[*count] = (sortable){e, value};
    ++*count;
}

static void gather_chunk(const ilk_query* query, const ilki_chunk* chunk, sortable* items,
                         uint32_t* count) {
    ilki_tests tests;
    if (ilki_match_chunk(query, chunk, 0, &tests) == ILKI_NO_ROW) return;
    const ilki_directory* by = ilki_directory_of(&query->storage->view, query->order_by);
    const ilki_block* block = ilki_block_at(by, chunk->number);
    for (uint32_t word = 0; word < ilki_words(chunk->used); word++) {
        uint64_t rows = ilki_match_word(query, chunk, 0, &tests, word, chunk->live[word]);
        for (; rows; rows &= rows - 1) {
            uint32_t row = word * 64 + ilki_lowest(rows);
            const void* value = query->order_by ? ilki_value_at(by, block, row) : NULL;
            note(items, count, chunk->entities[row], value);
        }
    }
}

// Counts what matches, or notes it where there is room.
static uint32_t gather_all(const ilk_query* query, sortable* items) {
    const ilki_storage* storage = query->storage;
    uint32_t count = 0;
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i]) gather_chunk(query, storage->chunks[i], items, &count);
    }
    const ilki_index* index = &storage->view.index;
    for (uint32_t i = 0; query->is_wide && i < index->slots; i++) {
        const ilki_record* record = ilki_record_at(index, i);
        if (record->generation & ILKI_DEAD_BIT || !ilki_is_nowhere(record->place)) continue;
        note(items, &count, (ilk_entity){i, record->generation}, NULL);
    }
    return count;
}

static bool comes_after(const ilk_query* query, const sortable* a, const sortable* b) {
    int order = query->order_by ? query->compare(a->value, b->value) : 0;
    return order ? order > 0 : a->entity.index > b->entity.index;
}

static void merge(const ilk_query* query, const sortable* from, sortable* to, uint32_t begin,
                  uint32_t middle, uint32_t end) {
    uint32_t left = begin, right = middle;
    for (uint32_t i = begin; i < end; i++) {
        bool takes_right =
            left == middle || (right < end && comes_after(query, &from[left], &from[right]));
        to[i] = from[takes_right ? right++ : left++];
    }
}

// Sorts by merging ever longer parts, to and fro between two arrays. Returns the sorted one.
static sortable* merge_sort(const ilk_query* query, sortable* items, sortable* spare,
                            uint32_t count) {
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t begin = 0; begin < count; begin += 2 * width) {
            uint64_t middle = begin + width < count ? begin + width : count;
            uint64_t end = middle + width < count ? middle + width : count;
            merge(query, items, spare, (uint32_t)begin, (uint32_t)middle, (uint32_t)end);
        }
        sortable* sorted = spare;
        spare = items;
        items = sorted;
    }
    return items;
}

static void keep_order(ilk_query* query, ilki_order* order) {
    ilki_storage* storage = query->storage;
    ilki_order_release(storage, query->order);
    query->order = order;
    // What changes from here on is newer; where several systems are in, what they change is.
    query->sorted = storage->is_shared ? storage->view.tick - 1 : ilki_next_tick(storage);
    query->sorted_moves = storage->moves;
    query->sorted_ever = storage->view.index.ever;
    query->sorted_alive = storage->view.index.alive;
    query->stats.sorts++;
}

bool ilki_query_sort(ilk_query* query) {
    if (!is_outdated(query)) return true;
    ilki_memory* memory = &query->storage->memory;
    uint32_t count = gather_all(query, NULL);
    size_t bytes = 2 * (size_t)count * sizeof(sortable);
    sortable* items = ilki_alloc(memory, ILKI_OTHER, bytes + 1, _Alignof(sortable));
    ilki_order* order =
        ilki_alloc(memory, ILKI_OTHER, ilki_order_bytes(count), _Alignof(ilki_order));
    if (items && order) {
        gather_all(query, items);
        const sortable* sorted = merge_sort(query, items, items + count, count);
        *order = (ilki_order){.users = 1, .count = count};
        for (uint32_t i = 0; i < count; i++) order->entities[i] = sorted[i].entity;
        keep_order(query, order);
    } else {
        ilki_free(memory, ILKI_OTHER, order, ilki_order_bytes(count), _Alignof(ilki_order));
    }
    bool is_sorted = items && order;
    ilki_free(memory, ILKI_OTHER, items, bytes + 1, _Alignof(sortable));
    return is_sorted;
}
