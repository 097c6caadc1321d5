// Order: what matches a query, sorted by the values of a type, by index, or by depth in a tree.
//
// The list is made when a pass begins and something that it depends on has changed since it was
// last made. Iterators that are open keep the list they began with: whoever uses it last frees it.
//
// By depth it is a counting sort, of what lies in order of chunk and row already: a level that lies
// together is visited as it lies.
#include <string.h>

#include "query.h"

// An entity and what it is sorted by.
typedef struct sortable {
    ilk_entity entity;
    uint32_t place;
    uint32_t depth;
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
    if (storage->dying && block_is_newer(query, chunk, storage->dying)) return true;
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (is_newer(query, chunk, query->terms[i].type)) return true;
    }
    for (uint32_t i = 0; i < query->where.count; i++) {
        const ilk_type* type = query->where.steps[i].type;
        if (type && is_newer(query, chunk, type)) return true;
    }
    for (uint32_t i = 0; i < ILKI_FURTHER_TYPES; i++) {
        const ilk_type* type = ilki_further_type(query, i);
        if (type && is_newer(query, chunk, type)) return true;
    }
    return false;
}

// Whether one of the values that decide the order may differ.
static bool value_is_newer(const ilk_query* query, const ilki_chunk* chunk) {
    return query->order_by && is_newer(query, chunk, query->order_by);
}

// Whether the list may differ from what it was. While nothing comes, goes or is switched, only the
// values that decide the order matter: what else is written inside of a pass does not.
static bool is_outdated(const ilk_query* query) {
    const ilki_storage* storage = query->storage;
    const ilki_index* index = &storage->view.index;
    bool is_same = query->order && query->sorted_moves == storage->moves &&
                   query->sorted_ever == index->ever && query->sorted_alive == index->alive;
    if (!is_same) return true;
    bool is_still = query->sorted_version == ilki_version(storage);
    if (is_still && !query->order_by) return false;
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        const ilki_chunk* chunk = storage->chunks[i];
        if (chunk && (is_still ? value_is_newer : chunk_is_newer)(query, chunk)) return true;
    }
    return false;
}

// What matches, as far as there is room.
typedef struct gathering {
    sortable* items; // NULL: it is only counted
    uint32_t count;
    uint32_t deepest;
} gathering;

static void note(gathering* all, sortable item) {
    if (all->items) all->items[all->count] = item;
    all->count++;
    if (item.depth > all->deepest) all->deepest = item.depth;
}

// What a row is sorted by.
static sortable sortable_at(const ilk_query* query, const ilki_chunk* chunk, uint32_t row) {
    sortable item = {.entity = chunk->entities[row], .place = ilki_place(chunk->number, row)};
    ilk_type* by = query->order_by ? query->order_by : query->order_by_depth;
    if (!by) return item;
    const ilki_directory* directory = ilki_directory_of(&query->storage->view, by);
    const ilki_block* block = ilki_block_at(directory, chunk->number);
    if (!ilki_block_has(block, row)) return item;
    item.value = ilki_value_at(directory, block, row);
    if (query->order_by_depth) item.depth = ((const ilk_link*)item.value)->depth;
    return item;
}

static void gather_chunk(const ilk_query* query, const ilki_chunk* chunk, gathering* all) {
    ilki_tests tests;
    if (ilki_match_chunk(query, chunk, 0, &tests) == ILKI_NO_ROW) return;
    for (uint32_t word = 0; word < ilki_words(chunk->used); word++) {
        uint64_t rows = ilki_match_word(query, chunk, 0, &tests, word, chunk->live[word]);
        for (; rows; rows &= rows - 1) {
            note(all, sortable_at(query, chunk, word * 64 + ilki_lowest(rows)));
        }
    }
}

// Counts what matches, or notes it where there is room: in order of chunk and row, then of index.
static gathering gather_all(const ilk_query* query, sortable* items) {
    const ilki_storage* storage = query->storage;
    gathering all = {.items = items};
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i]) gather_chunk(query, storage->chunks[i], &all);
    }
    const ilki_index* index = &storage->view.index;
    for (uint32_t i = 0; query->is_wide && i < index->slots; i++) {
        const ilki_record* record = ilki_record_at(index, i);
        if (record->generation & ILKI_DEAD_BIT || !ilki_is_nowhere(record->place)) continue;
        note(&all, (sortable){.entity = {i, record->generation}, .place = record->place});
    }
    return all;
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

// Sorts by depth, by counting how many there are of each. NULL without memory.
static sortable* sort_by_depth(ilki_memory* memory, const gathering* all, sortable* spare) {
    size_t bytes = ((size_t)all->deepest + 2) * sizeof(uint32_t);
    uint32_t* ends = ilki_alloc_zero(memory, ILKI_OTHER, bytes, _Alignof(uint32_t));
    if (!ends) return NULL;
    for (uint32_t i = 0; i < all->count; i++) ends[all->items[i].depth + 1]++;
    for (uint32_t i = 0; i <= all->deepest; i++) ends[i + 1] += ends[i];
    for (uint32_t i = 0; i < all->count; i++) spare[ends[all->items[i].depth]++] = all->items[i];
    ilki_free(memory, ILKI_OTHER, ends, bytes, _Alignof(uint32_t));
    return spare;
}

// Sorts in one of two halves of an array, of which the first is filled. NULL without memory.
static const sortable* sort_items(const ilk_query* query, const gathering* all) {
    sortable* spare = all->items + all->count;
    if (!query->order_by_depth) return merge_sort(query, all->items, spare, all->count);
    return sort_by_depth(&query->storage->memory, all, spare);
}

static void keep_order(ilk_query* query, ilki_order* order) {
    ilki_storage* storage = query->storage;
    ilki_order_release(storage, query->order);
    query->order = order;
    // What changes from here on is newer; where several systems are in, what they change is.
    query->sorted = storage->is_shared ? storage->view.tick - 1 : ilki_next_tick(storage);
    query->sorted_version = order->version = ilki_version(storage);
    query->sorted_moves = storage->moves;
    query->sorted_ever = storage->view.index.ever;
    query->sorted_alive = storage->view.index.alive;
    query->stats.sorts++;
}

// Counts what lies side by side, the last first.
static void count_runs(ilki_order* order) {
    const uint32_t* places = ilki_order_places(order);
    uint32_t* runs = ilki_order_runs(order);
    for (uint32_t i = order->count; i-- > 0;) {
        bool is_beside = i + 1 < order->count && places[i + 1] == places[i] + 1;
        bool is_same_chunk = is_beside && ilki_row_of(places[i + 1]) != 0;
        runs[i] = is_same_chunk ? runs[i + 1] + 1 : 1;
    }
}

// Makes an order of what is sorted. False without memory.
static bool make_order(ilk_query* query, const sortable* sorted, uint32_t count) {
    ilki_order* order = ilki_alloc(&query->storage->memory, ILKI_OTHER, ilki_order_bytes(count),
                                   _Alignof(ilki_order));
    if (!order) return false;
    *order = (ilki_order){.users = 1, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        order->entities[i] = sorted[i].entity;
        ilki_order_places(order)[i] = sorted[i].place;
    }
    count_runs(order);
    keep_order(query, order);
    return true;
}

bool ilki_query_sort(ilk_query* query) {
    ilki_storage* storage = query->storage;
    if (!is_outdated(query)) {
        // Whatever happened was no concern of the list: all match, and are where they were.
        if (query->order->version != ilki_version(storage)) {
            query->sorted_version = query->order->version = ilki_version(storage);
        }
        return true;
    }
    uint32_t count = gather_all(query, NULL).count;
    size_t bytes = ilki_bytes_of(1, count, 2 * sizeof(sortable));
    sortable* items = ilki_alloc(&storage->memory, ILKI_OTHER, bytes, _Alignof(sortable));
    if (!items) return false;
    gathering all = gather_all(query, items);
    const sortable* sorted = sort_items(query, &all);
    bool is_sorted = sorted && make_order(query, sorted, count);
    ilki_free(&storage->memory, ILKI_OTHER, items, bytes, _Alignof(sortable));
    return is_sorted;
}
