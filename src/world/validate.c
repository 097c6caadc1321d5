// Every invariant that the layers state, checked one by one, from the slots up. Slow and plain:
// nothing here is shared with the code that it checks, but for reading a bit or an entry.
#include <stdarg.h>
#include <stdio.h>

#include "../entity/handle.h"
#include "world.h"

typedef struct check {
    const ilki_storage* storage;
    char* text;
    size_t size;
    ilk_result result;
    bool is_amid; // observers are being told: who lost what kept it goes when they were
} check;

// Says what is broken. Always false, so that a check can end with it.
ILKI_FORMAT(2, 3) static bool broken(check* c, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (c->size) vsnprintf(c->text, c->size, format, arguments);
    va_end(arguments);
    c->result = ILK_BROKEN;
    return false;
}

// Whether a slot is to be on the free list, by its record.
static bool is_free_slot(const ilki_record* record) {
    if (!(record->generation & ILKI_DEAD_BIT) || record->generation == ILKI_RETIRED) return false;
    return record->place != ILKI_RESERVED;
}

static bool free_list_is_sound(check* c) {
    const ilki_index* index = &c->storage->view.index;
    uint32_t there = (index->page_count - index->absent_count) * ILKI_PAGE_RECORDS;
    uint32_t free = index->slots - index->alive - index->retired - index->reserved;
    uint64_t listed = 0, found = 0; // sums: each slot once
    if (index->free_count != free) {
        return broken(c, "free list: it has %u slots, %u are free", index->free_count, free);
    }
    if (index->free_capacity < there) return broken(c, "free list: it is too short");
    for (uint32_t i = 0; i < index->free_count; i++) {
        uint32_t slot = index->free[i];
        if (slot >= index->slots) return broken(c, "free list: slot %u was never used", slot);
        if (!is_free_slot(ilki_record_at(index, slot))) {
            return broken(c, "free list: slot %u is not free", slot);
        }
        listed += (uint64_t)slot * slot + 1;
    }
    for (uint32_t slot = 0; slot < index->slots; slot++) {
        if (is_free_slot(ilki_record_at(index, slot))) found += (uint64_t)slot * slot + 1;
    }
    return listed == found || broken(c, "free list: a slot is there twice");
}

static bool slot_is_sound(check* c, uint32_t slot, const ilki_record* record) {
    const ilki_index* index = &c->storage->view.index;
    uint32_t tag = record->generation & ~ILKI_DEAD_BIT & ~ILKI_USES_MAX;
    if (tag != index->tag) return broken(c, "slot %u: its generation has another tag", slot);
    if ((record->generation & ILKI_USES_MAX) == 0) {
        return broken(c, "slot %u: it was used no times", slot);
    }
    if (record->generation & ILKI_DEAD_BIT || ilki_is_nowhere(record->place)) return true;
    uint32_t number = ilki_chunk_of(record->place), row = ilki_row_of(record->place);
    const ilki_chunk* chunk = number < c->storage->chunk_count ? c->storage->chunks[number] : NULL;
    if (!chunk || row >= chunk->rows) {
        return broken(c, "slot %u: its place %u:%u does not exist", slot, number, row);
    }
    if (!ilki_bit(chunk->live, row)) {
        return broken(c, "slot %u: its place %u:%u is not alive", slot, number, row);
    }
    if (ilk_same(chunk->entities[row], (ilk_entity){slot, record->generation})) return true;
    return broken(c, "slot %u: its place %u:%u names another entity", slot, number, row);
}

static bool index_is_sound(check* c) {
    const ilki_index* index = &c->storage->view.index;
    uint32_t alive = 0, retired = 0, reserved = 0;
    for (uint32_t slot = 0; slot < index->slots; slot++) {
        const ilki_record* record = ilki_record_at(index, slot);
        if (record->generation == ILKI_RETIRED) {
            retired++;
            continue;
        }
        if (!slot_is_sound(c, slot, record)) return false;
        if (!(record->generation & ILKI_DEAD_BIT))
            alive++;
        else if (record->place == ILKI_RESERVED)
            reserved++;
    }
    if (alive != index->alive) return broken(c, "index: %u alive, %u counted", index->alive, alive);
    if (reserved != index->reserved) {
        return broken(c, "index: %u reserved, %u counted", index->reserved, reserved);
    }
    if (retired != index->retired) {
        return broken(c, "index: %u retired, %u counted", index->retired, retired);
    }
    if (alive > index->max) return broken(c, "index: more alive than the maximum");
    if ((uint64_t)alive + reserved > index->max) {
        return broken(c, "index: more alive and reserved than the maximum");
    }
    return free_list_is_sound(c);
}

static bool names_nobody(check* c, const ilki_chunk* chunk, uint32_t row) {
    char handle[48];
    ilki_text text = ilki_text_begin(handle, sizeof handle);
    ilki_put_handle(&text, &c->storage->view.index, chunk->entities[row]);
    return broken(c, "chunk %u: row %u names entity %s, which is not there", chunk->number, row,
                  handle);
}

// Entities of the column and slots of the index name each other: the other direction.
static bool rows_are_sound(check* c, const ilki_chunk* chunk) {
    uint32_t alive = 0;
    for (uint32_t row = 0; row < chunk->rows; row++) {
        if (!ilki_bit(chunk->live, row)) continue;
        alive++;
        ilk_entity e = chunk->entities[row];
        const ilki_record* record = ilki_record_of(&c->storage->view.index, e);
        if (!record || record->place != ilki_place(chunk->number, row)) {
            return names_nobody(c, chunk, row);
        }
        bool is_target = ilki_is_target(c->storage, e.index);
        if (is_target && !(chunk->has_targets && chunk->is_odd)) {
            return broken(c, "chunk %u: it forgot that row %u is a target", chunk->number, row);
        }
        if (row >= chunk->used) {
            return broken(c, "chunk %u: row %u is alive above %u used", chunk->number, row,
                          chunk->used);
        }
    }
    if (alive != chunk->alive) {
        return broken(c, "chunk %u: %u alive, %u counted", chunk->number, chunk->alive, alive);
    }
    for (uint32_t row = 0; row < chunk->used; row++) {
        if (ilki_bit(chunk->live, row) || chunk->gaps & ilki_gap(row)) continue;
        return broken(c, "chunk %u: the hole at row %u is forgotten", chunk->number, row);
    }
    return true;
}

static bool bits_are_sound(check* c, const ilki_chunk* chunk, const ilki_directory* directory,
                           const ilki_block* block) {
    const char* name = directory->type->name;
    uint32_t count = 0, off = 0;
    for (uint32_t word = 0; word < ilki_words(chunk->rows); word++) {
        uint64_t presence = *ilki_presence(block, word), switched = *ilki_off(block, word);
        if (presence & ~chunk->live[word]) {
            return broken(c, "%s in chunk %u: a bit of a row that is not alive", name,
                          chunk->number);
        }
        if (switched & ~ilki_block_word(block, word, chunk->live[word])) {
            return broken(c, "%s in chunk %u: off where there is no value", name, chunk->number);
        }
        count += ilki_ones(presence);
        off += ilki_ones(switched);
    }
    if (count != block->count) {
        return broken(c, "%s in chunk %u: %u bits, %u counted", name, chunk->number, block->count,
                      count);
    }
    if (off == block->off) return true;
    return broken(c, "%s in chunk %u: %u off, %u counted", name, chunk->number, block->off, off);
}

#ifdef ILK_CHECKED
// Values that are not there, in rows or in slots, still have the bytes that were left when they
// went.
static bool absences_are_sound(check* c, const ilki_chunk* chunk, const ilki_directory* directory,
                               const ilki_block* block) {
    bool is_small = block->kind == ILKI_SMALL;
    for (uint32_t row = 0; row < chunk->rows; row++) {
        bool is_there = is_small ? ilki_bit(ilki_small_of(block)->taken, row)
                                 : ilki_bit(chunk->live, row) && ilki_block_has(block, row);
        const void* value = is_small ? ilki_small_slot_at(directory, block, row)
                                     : ilki_natural_at(directory, block, row);
        if (is_there || !value || ilki_is_poisoned(value, directory->size)) continue;
        broken(c, "%s in chunk %u: row %u was written to after its value was gone",
               directory->type->name, chunk->number, row);
        c->result = ILK_STALE;
        return false;
    }
    return true;
}
#endif

// No slot of a small guest serves two rows, and none is taken that serves no row.
static bool slots_are_sound(check* c, const ilki_chunk* chunk, const ilki_directory* directory,
                            const ilki_block* block) {
    const char* name = directory->type->name;
    const ilki_small* small = ilki_small_of(block);
    uint64_t used[ILKI_ROWS_MAX / 64] = {0};
    for (uint32_t row = 0; row < chunk->rows; row++) {
        if (!ilki_block_has(block, row)) continue;
        uint32_t slot = ilki_small_slot(block, row);
        if (slot >= chunk->rows || ilki_bit(used, slot)) {
            return broken(c, "%s in chunk %u: slot %u is not row %u's", name, chunk->number, slot,
                          row);
        }
        ilki_bit_set(used, slot);
    }
    for (uint32_t word = 0; word < ilki_words(chunk->rows); word++) {
        if (small->taken[word] != used[word]) {
            return broken(c, "%s in chunk %u: a slot is lost", name, chunk->number);
        }
    }
    if (small->reserved) return broken(c, "%s in chunk %u: a promise is open", name, chunk->number);
    bool has_lower = ilki_bits_next_clear(small->taken, small->lowest, 0) != ILKI_NONE;
    return !has_lower || broken(c, "%s in chunk %u: a lower slot is free", name, chunk->number);
}

static bool block_is_sound(check* c, const ilki_chunk* chunk, const ilki_directory* directory) {
    const char* name = directory->type->name;
    const ilki_block* block = ilki_block_at(directory, chunk->number);
    uint64_t present = ilki_present_word(directory, chunk->number / 64);
    if ((present >> chunk->number % 64 & 1) != !!block->base) {
        return broken(c, "%s in chunk %u: the directory's bit is wrong", name, chunk->number);
    }
    uint32_t listed = 0;
    for (uint32_t i = 0; i < chunk->guest_count; i++) {
        listed += chunk->guests[i] == directory->number;
    }
    bool is_home = ilki_ilk_has(chunk->ilk, directory->number);
    ilki_block_kind guest = block->kind == ILKI_SMALL ? ILKI_SMALL : ILKI_GUEST;
    ilki_block_kind kind = is_home ? ILKI_HOME : listed ? guest : ILKI_ABSENT;
    if (block->kind != kind || listed > 1 || (listed && is_home)) {
        return broken(c, "%s in chunk %u: a block of the wrong kind", name, chunk->number);
    }
    if (!block->base != (kind == ILKI_ABSENT)) {
        return broken(c, "%s in chunk %u: a block without memory", name, chunk->number);
    }
    if (!block->base) return true;
    if (block->is_awkward != ilki_is_awkward(directory, block, chunk->has_dying)) {
        return broken(c, "%s in chunk %u: not moved as its kind is", name, chunk->number);
    }
    if (block->changed > c->storage->view.tick || block->touched > c->storage->view.tick ||
        block->changed > block->touched) {
        return broken(c, "%s in chunk %u: its ticks are ahead", name, chunk->number);
    }
#ifdef ILK_CHECKED
    if (!absences_are_sound(c, chunk, directory, block)) return false;
#endif
    if (kind == ILKI_SMALL && !slots_are_sound(c, chunk, directory, block)) return false;
    return bits_are_sound(c, chunk, directory, block);
}

// Whoever is dying is kept by a value, and has none but such.
static bool dying_are_sound(check* c, const ilki_chunk* chunk) {
    const ilki_directory* dying = c->storage->dying;
    const ilki_block* tags = dying ? ilki_block_at(dying, chunk->number) : &ilki_no_block;
    if (!tags->base && ilki_chunk_keeps(c->storage, chunk)) {
        return broken(c, "chunk %u: there is no room for who is to die", chunk->number);
    }
    for (uint32_t row = 0; tags->base && row < chunk->used; row++) {
        uint32_t place = ilki_place(chunk->number, row);
        if (!ilki_bit(chunk->live, row) || !ilki_is_dying(c->storage, place)) continue;
        if (!chunk->has_dying) {
            return broken(c, "chunk %u: it forgot who is dying", chunk->number);
        }
        uint32_t kept = 0;
        for (uint32_t i = 0; i < c->storage->type_count; i++) {
            const ilki_directory* directory = c->storage->types[i];
            if (!ilki_block_has(ilki_block_at(directory, chunk->number), row)) continue;
            if (!directory->type->outlives) {
                return broken(c, "chunk %u: row %u is dying, and has %s", chunk->number, row,
                              directory->type->name);
            }
            kept += directory != dying;
        }
        if (!kept && !c->is_amid)
            return broken(c, "chunk %u: row %u is dying for nothing", chunk->number, row);
    }
    return true;
}

static bool chunk_is_sound(check* c, const ilki_chunk* chunk) {
    for (uint32_t i = 0; i < c->storage->type_count; i++) {
        const ilki_directory* directory = c->storage->types[i];
        if (!block_is_sound(c, chunk, directory)) return false;
        const ilki_block* block = ilki_block_at(directory, chunk->number);
        if ((block->count || block->off) && !chunk->is_odd) {
            return broken(c, "chunk %u: it forgot that it is odd", chunk->number);
        }
        if (block->base && ilki_type_drops(directory->type) && !(chunk->drops && chunk->is_odd)) {
            return broken(c, "chunk %u: it forgot that values are to be dropped", chunk->number);
        }
        if (block->base && directory->type->outlives && !(chunk->keeps && chunk->is_odd)) {
            return broken(c, "chunk %u: it forgot that values are to be kept", chunk->number);
        }
        bool is_old = block->kind == ILKI_HOME && block->changed != c->storage->view.tick;
        if (is_old && chunk->fresh == c->storage->view.tick) {
            return broken(c, "chunk %u: it is fresh, but %s is not", chunk->number,
                          directory->type->name);
        }
    }
    if (chunk->fresh > chunk->touched) {
        return broken(c, "chunk %u: it is fresh, but was not touched", chunk->number);
    }
    return rows_are_sound(c, chunk) && dying_are_sound(c, chunk);
}

static bool ilk_is_sound(check* c, const ilki_ilk* ilk) {
    uint64_t rows = 0;
    for (uint32_t i = 0; i < ilk->chunk_count; i++) {
        const ilki_chunk* chunk = ilk->chunks[i];
        rows += chunk->rows;
        if (chunk->ilk != ilk || chunk->position != i) {
            return broken(c, "chunk %u: it is not where its ilk has it", chunk->number);
        }
        if (ilki_bit(ilk->room, i) != (chunk->alive < chunk->rows)) {
            return broken(c, "chunk %u: its ilk is wrong about its room", chunk->number);
        }
    }
    uint32_t open = ilki_bits_next_set(ilk->room, ilk->chunk_count, 0);
    const ilki_chunk* door = open == ILKI_NONE ? NULL : ilk->chunks[open];
    if (ilk->door != door) return broken(c, "ilk: the door is not the lowest chunk with room");
    if (ilk->chunk_count && ilk->host != ilk) return broken(c, "ilk: it has chunks, and lodges");
    if (rows != ilk->rows) return broken(c, "ilk: %zu rows", (size_t)ilk->rows);
    for (uint32_t i = 1; i < ilk->type_count; i++) {
        if (ilk->types[i - 1] >= ilk->types[i]) return broken(c, "ilk: its types are not in order");
    }
    if (ilki_map_find(&c->storage->ilks_by_set, ilk->types, ilk->type_count) == ilk) return true;
    return broken(c, "ilk: it is not found by its set");
}

static bool storage_is_sound(check* c) {
    const ilki_storage* storage = c->storage;
    uint32_t alive = 0, in_ilks = 0;
    for (uint32_t i = 0; i < storage->ilk_count; i++) {
        if (!ilk_is_sound(c, storage->ilks[i])) return false;
        in_ilks += storage->ilks[i]->chunk_count;
    }
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        const ilki_chunk* chunk = storage->chunks[i];
        if (!chunk) continue;
        alive++;
        if (chunk->number != i) return broken(c, "chunk %u: it is listed as %u", chunk->number, i);
        if (!chunk_is_sound(c, chunk)) return false;
    }
    if (alive != storage->chunks_alive || alive != in_ilks) {
        return broken(c, "storage: %u chunks, %u listed, %u in ilks", storage->chunks_alive, alive,
                      in_ilks);
    }
    return true;
}

// Entries of chunks that are not there are all zero, and so is the page that stands for absence.
static bool directories_are_sound(check* c) {
    for (uint32_t i = 0; i < c->storage->type_count; i++) {
        const ilki_directory* directory = c->storage->types[i];
        if (directory->number != i ||
            ilki_directory_of(&c->storage->view, directory->type) != directory) {
            return broken(c, "%s: it is not found by its number and id", directory->type->name);
        }
        for (uint32_t n = 0; n < directory->bound; n++) {
            bool is_there = n < c->storage->chunk_count && c->storage->chunks[n];
            if (!is_there && ilki_block_at(directory, n)->base) {
                return broken(c, "%s: it has a block in chunk %u, which is not there",
                              directory->type->name, n);
            }
        }
    }
    return true;
}

static bool pool_is_sound(check* c) {
    const ilki_pool* pool = &c->storage->pool;
    size_t held = 0, spare = 0;
    for (uint32_t i = 0; i < pool->count; i++) {
        const ilki_span* span = &pool->spans[i];
        uint32_t used = 0;
        for (uint32_t word = 0; word < ilki_words(span->units); word++) {
            used += ilki_ones(span->used[word]);
        }
        if (used + span->free != span->units) return broken(c, "pool: span %u miscounts", i);
        if (i && pool->spans[i - 1].memory >= span->memory) return broken(c, "pool: out of order");
        held += span->units * ILKI_UNIT;
        spare += span->free * ILKI_UNIT;
    }
    if (held != pool->held || spare != c->storage->memory.bytes[ILKI_SPARE]) {
        return broken(c, "pool: its bytes do not add up");
    }
    return true;
}

static bool is_alive_slot(const ilki_storage* storage, uint32_t slot) {
    const ilki_index* index = &storage->view.index;
    return slot < index->slots && !(ilki_record_at(index, slot)->generation & ILKI_DEAD_BIT);
}

// An edge is between two that are alive, the second of which is known as a target; the source's
// link and the table, if there is one, lead to it.
static bool edge_is_sound(check* c, const ilki_relation* relation, uint32_t edge) {
    const char* name = relation->directory->type->name;
    const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
    if (!is_alive_slot(c->storage, at->source) || !is_alive_slot(c->storage, at->target)) {
        return broken(c, "%s: edge %u has an end that is dead", name, edge);
    }
    const ilk_link* link = ilki_link_at(c->storage, relation, at->source);
    if (!link) return broken(c, "%s: edge %u has no component", name, edge);
    if (!ilki_is_target(c->storage, at->target)) {
        return broken(c, "%s: edge %u leads to nobody known as a target", name, edge);
    }
    const ilki_edge* next = ilki_edge_at(&relation->edges, at->next_target);
    if (next->previous_target != edge || next->source != at->source) {
        return broken(c, "%s: edge %u is lost for its source", name, edge);
    }
    next = ilki_edge_at(&relation->edges, at->next_source);
    if (next->previous_source != edge || next->target != at->target) {
        return broken(c, "%s: edge %u is lost for its target", name, edge);
    }
    bool is_found = ilki_edge_is_only(&relation->edges, edge) ||
                    ilki_edge_find(&relation->edges, at->source, at->target) == edge;
    return is_found || broken(c, "%s: edge %u is not found by its ends", name, edge);
}

static bool edges_are_sound(check* c, const ilki_relation* relation) {
    const ilki_edges* edges = &relation->edges;
    const char* name = relation->directory->type->name;
    uint32_t count = 0, free = 0, several = 0, entered = 0;
    for (uint32_t i = 0; i < edges->used; i++) {
        if (ilki_edge_at(edges, i)->source == ILKI_NONE) continue;
        count++;
        several += !ilki_edge_is_only(edges, i);
        if (!edge_is_sound(c, relation, i)) return false;
    }
    for (uint32_t i = edges->free; i != ILKI_NONE && free <= edges->used; free++) {
        if (i >= edges->used || ilki_edge_at(edges, i)->source != ILKI_NONE) {
            return broken(c, "%s: edge %u is not free", name, i);
        }
        i = ilki_edge_at(edges, i)->target;
    }
    for (uint32_t i = 0; i < edges->table_capacity; i++) entered += edges->table[i] != 0;
    if (count != edges->count || count + free != edges->used) {
        return broken(c, "%s: %u edges, %u counted, %u free", name, edges->count, count, free);
    }
    bool is_right = entered == several && entered == edges->entered;
    return is_right || broken(c, "%s: %u edges of several, %u in the table, %u counted", name,
                              several, entered, edges->entered);
}

// The edges of a source: as many as its link says, the first to where it says.
static bool link_is_sound(check* c, const ilki_relation* relation, uint32_t slot,
                          const ilk_link* link) {
    const char* name = relation->directory->type->name;
    uint32_t edge = link->first, count = 0;
    do {
        bool is_own =
            edge < relation->edges.used && ilki_edge_at(&relation->edges, edge)->source == slot;
        if (!is_own) return broken(c, "%s: slot %u has the edge %u of another", name, slot, edge);
        edge = ilki_edge_at(&relation->edges, edge)->next_target;
    } while (++count <= link->count && edge != link->first);
    if (count != link->count || (relation->rule->is_exclusive && count != 1)) {
        return broken(c, "%s: slot %u has %u targets, %u counted", name, slot, link->count, count);
    }
    uint32_t target = ilki_edge_at(&relation->edges, link->first)->target;
    if (!ilk_same(link->target, ilki_entity_in(c->storage, target))) {
        return broken(c, "%s: slot %u has another target than its first edge", name, slot);
    }
    uint32_t depth = 0;
    for (const ilk_link* up = link; relation->rule->is_tree && up; depth++) {
        up = ilki_link_at(c->storage, relation, up->target.index);
        if (depth > c->storage->view.index.alive) {
            return broken(c, "%s: slot %u is below itself", name, slot);
        }
    }
    if (depth == link->depth) return true;
    return broken(c, "%s: slot %u is at depth %u, and says %u", name, slot, depth, link->depth);
}

static bool head_is_sound(check* c, const ilki_relation* relation, uint32_t slot, ilki_head head) {
    const char* name = relation->directory->type->name;
    uint32_t edge = head.first, count = 0;
    while (count < head.count) {
        bool is_own = edge < relation->edges.used &&
                      ilki_edge_at(&relation->edges, edge)->source != ILKI_NONE &&
                      ilki_edge_at(&relation->edges, edge)->target == slot;
        if (!is_own) return broken(c, "%s: the head of slot %u is wrong", name, slot);
        edge = ilki_edge_at(&relation->edges, edge)->next_source;
        if (++count < head.count && edge == head.first) break;
    }
    bool is_round = !count || edge == head.first;
    return (count == head.count && is_round) ||
           broken(c, "%s: slot %u has %u sources, %u counted", name, slot, head.count, count);
}

// All heads together count every edge once.
static bool heads_are_sound(check* c, const ilki_relation* relation) {
    const char* name = relation->directory->type->name;
    uint32_t total = 0;
    for (uint32_t i = 0; i < relation->heads.page_capacity; i++) {
        const ilki_head_page* page = relation->heads.pages[i];
        uint32_t used = 0;
        for (uint32_t k = 0; page && k < ILKI_PAGE_HEADS; k++) {
            if (!head_is_sound(c, relation, i * ILKI_PAGE_HEADS + k, page->heads[k])) return false;
            total += page->heads[k].count;
            used += page->heads[k].count != 0;
        }
        if (page && page->used != used) return broken(c, "%s: page %u of heads", name, i);
        if (page && page->touched > c->storage->view.tick) {
            return broken(c, "%s: a page of heads is ahead", name);
        }
    }
    if (total == relation->edges.count) return true;
    return broken(c, "%s: %u edges, %u in heads", name, relation->edges.count, total);
}

static bool relation_is_sound(check* c, const ilki_relation* relation) {
    uint32_t total = 0;
    if (!edges_are_sound(c, relation) || !heads_are_sound(c, relation)) return false;
    for (uint32_t slot = 0; slot < c->storage->view.index.slots; slot++) {
        if (!is_alive_slot(c->storage, slot)) continue;
        const ilk_link* link = ilki_link_at(c->storage, relation, slot);
        if (link && !link_is_sound(c, relation, slot, link)) return false;
        total += link ? link->count : 0;
    }
    return total == relation->edges.count ||
           broken(c, "%s: %u edges, %u in components", relation->directory->type->name,
                  relation->edges.count, total);
}

static bool relations_are_sound(check* c, const ilk_world* world) {
    const ilki_relations* relations = &world->relations;
    for (uint32_t i = 0; i < relations->count; i++) {
        if (!relation_is_sound(c, relations->list[i])) return false;
    }
    for (uint32_t slot = 0; slot < c->storage->target_words * 64; slot++) {
        if (ilki_is_target(c->storage, slot) && !is_alive_slot(c->storage, slot)) {
            return broken(c, "slot %u: it is dead, and known as a target", slot);
        }
    }
    uint32_t marked = 0;
    for (uint32_t i = 0; i < relations->mark_words; i++) marked += ilki_ones(relations->marks[i]);
    return (marked == relations->marked && marked >= relations->doomed_count) ||
           broken(c, "%u doomed, %u marked", relations->doomed_count, marked);
}

ilk_result ilk_world_validate(const ilk_world* world, char* text, size_t size) {
    if (!text) size = 0;
    if (size) text[0] = 0;
    if (!world) return ILK_INVALID;
    ilk_result shown = ilki_show_all(world, "ilk_world_validate");
    if (shown != ILK_OK) return shown;
    check c = {&world->storage, text, size, ILK_OK, ilki_is_telling(world)};
    bool is_sound = index_is_sound(&c) && storage_is_sound(&c) && directories_are_sound(&c) &&
                    pool_is_sound(&c) && relations_are_sound(&c, world);
    const char* why = is_sound ? ilki_observers_validate(world) : NULL;
    if (is_sound && !why) why = ilki_resources_validate(world);
    if (why) broken(&c, "%s", why);
    if (c.result == ILK_OK && !ilki_names_are_sound(world, text, size)) c.result = ILK_BROKEN;
    if (c.result == ILK_OK && !ilki_events_are_sound(world, text, size)) c.result = ILK_BROKEN;
    return c.result;
}
