#include "links.h"

#include <string.h>

#include "tree.h"

ilki_relation* ilki_relation_make(ilki_relations* relations, ilki_storage* storage,
                                  const ilk_type* type) {
    if (!ilki_grow(&storage->memory, ILKI_EDGES, &relations->list, &relations->capacity,
                   relations->count + 1, sizeof *relations->list)) {
        return NULL;
    }
    ilki_relation* relation =
        ilki_alloc_zero(&storage->memory, ILKI_EDGES, sizeof *relation, _Alignof(ilki_relation));
    if (!relation) return NULL;
    relation->rule = type->relation;
    ilki_edges_init(&relation->edges, type->relation->value, !type->relation->is_exclusive);
    return relation;
}

void ilki_relation_enter(ilki_relations* relations, ilki_relation* relation,
                         ilki_directory* directory) {
    relation->directory = directory;
    directory->relation = relation;
    relations->list[relations->count++] = relation;
}

void ilki_relation_free(ilki_storage* storage, ilki_relation* relation) {
    if (!relation) return;
    ilki_edges_fini(&relation->edges, &storage->pool);
    ilki_heads_fini(&relation->heads, &storage->pool);
    ilki_free(&storage->memory, ILKI_EDGES, relation, sizeof *relation, _Alignof(ilki_relation));
}

void ilki_relations_clear(ilki_relations* relations, ilki_storage* storage) {
    for (uint32_t i = 0; i < relations->count; i++) {
        ilki_edges_fini(&relations->list[i]->edges, &storage->pool);
        ilki_heads_fini(&relations->list[i]->heads, &storage->pool);
    }
    relations->doomed_count = relations->marked = 0;
    if (relations->marks) memset(relations->marks, 0, relations->mark_words * sizeof(uint64_t));
}

static void free_doomed(ilki_relations* relations, ilki_memory* memory) {
    ilki_free(memory, ILKI_EDGES, relations->doomed,
              relations->doomed_capacity * sizeof *relations->doomed, _Alignof(max_align_t));
    ilki_free(memory, ILKI_EDGES, relations->marks, relations->mark_words * sizeof(uint64_t),
              _Alignof(max_align_t));
    relations->doomed = NULL;
    relations->marks = NULL;
    relations->doomed_capacity = relations->mark_words = 0;
}

void ilki_relations_trim(ilki_relations* relations, ilki_storage* storage) {
    uint32_t edges = 0;
    for (uint32_t i = 0; i < relations->count; i++) {
        ilki_edges_trim(&relations->list[i]->edges, &storage->pool);
        ilki_heads_trim(&relations->list[i]->heads, &storage->pool);
        edges += relations->list[i]->edges.count;
    }
    if (!edges && !relations->marked) free_doomed(relations, &storage->memory);
}

void ilki_relations_fini(ilki_relations* relations, ilki_storage* storage) {
    for (uint32_t i = 0; i < relations->count; i++) {
        relations->list[i]->directory->relation = NULL;
        ilki_relation_free(storage, relations->list[i]);
    }
    free_doomed(relations, &storage->memory);
    ilki_free(&storage->memory, ILKI_EDGES, relations->list,
              relations->capacity * sizeof *relations->list, _Alignof(max_align_t));
    *relations = (ilki_relations){0};
}

ilk_link* ilki_link_at(const ilki_storage* storage, const ilki_relation* relation, uint32_t slot) {
    uint32_t place = ilki_record_at(&storage->view.index, slot)->place;
    const ilki_block* block = ilki_block_at(relation->directory, ilki_chunk_of(place));
    if (!ilki_block_has(block, ilki_row_of(place))) return NULL;
    return ilki_value_at(relation->directory, block, ilki_row_of(place));
}

uint32_t ilki_link_find(const ilki_relation* relation, uint32_t source, const ilk_link* link,
                        uint32_t target) {
    if (link->target.index == target) return link->first;
    return link->count == 1 ? ILKI_NONE : ilki_edge_find(&relation->edges, source, target);
}

bool ilki_ready_to_link(ilki_storage* storage, ilki_relation* relation, uint32_t target,
                        uint32_t count) {
    return ilki_edges_ready(&relation->edges, &storage->pool, count) &&
           ilki_heads_ready(&relation->heads, &storage->pool, target) &&
           ilki_ready_for_target(storage, target);
}

// Enters an edge at the end of its target's ring.
static void join_target(ilki_storage* storage, ilki_relation* relation, uint32_t edge) {
    uint64_t tick = storage->view.tick;
    uint32_t target = ilki_edge_at(&relation->edges, edge)->target;
    ilki_head head = ilki_head_of(&relation->heads, target);
    if (head.count++)
        ilki_edge_join_target(&relation->edges, edge, head.first, tick);
    else
        head.first = edge;
    ilki_head_set(&relation->heads, target, head, tick);
    ilki_note_target(storage, target);
    storage->joins++;
    relation->changes++;
}

static void leave_target(ilki_storage* storage, ilki_relation* relation, uint32_t edge) {
    uint64_t tick = storage->view.tick;
    const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
    ilki_head head = ilki_head_of(&relation->heads, at->target);
    if (head.first == edge) head.first = at->next_source;
    head.count--;
    ilki_head_set(&relation->heads, at->target, head, tick);
    ilki_edge_leave_target(&relation->edges, edge, tick);
    storage->partings++;
    relation->changes++;
}

uint32_t ilki_link_add(ilki_storage* storage, ilki_relation* relation, uint32_t source,
                       ilk_link* link, uint32_t target, const void* bytes, bool fills) {
    uint64_t tick = storage->view.tick;
    uint32_t edge = ilki_edge_take(&relation->edges, source, target, tick);
    if (link->count++) {
        ilki_edge_join_source(&relation->edges, edge, link->first, tick);
    } else {
        link->first = edge;
        link->target = ilki_entity_in(storage, target);
    }
    join_target(storage, relation, edge);
    if (relation->edges.value && fills) {
        ilki_value_fill(relation->edges.value, ilki_edge_value(&relation->edges, edge), bytes);
    }
    if (relation->rule->is_tree) ilki_tree_place(storage, relation, source, link);
    return edge;
}

void* ilki_link_add_copy(ilki_storage* storage, ilki_relation* relation, uint32_t source,
                         ilk_link* link, uint32_t target, const void* value) {
    uint32_t edge = ilki_link_add(storage, relation, source, link, target, NULL, !value);
    if (!value) return NULL;
    void* copy = ilki_edge_value(&relation->edges, edge);
    ilki_value_copy(relation->edges.value, copy, value);
    return copy;
}

void ilki_link_turn(ilki_storage* storage, ilki_relation* relation, uint32_t source, ilk_link* link,
                    uint32_t target) {
    leave_target(storage, relation, link->first);
    ilki_edge_edit(&relation->edges, link->first, storage->view.tick)->target = target;
    join_target(storage, relation, link->first);
    link->target = ilki_entity_in(storage, target);
    if (relation->rule->is_tree) ilki_tree_place(storage, relation, source, link);
}

void ilki_link_drop(ilki_storage* storage, ilki_relation* relation, ilk_link* link, uint32_t edge) {
    uint64_t tick = storage->view.tick;
    uint32_t next = ilki_edge_at(&relation->edges, edge)->next_target;
    leave_target(storage, relation, edge);
    ilki_edge_leave_source(&relation->edges, edge, tick);
    ilki_edge_free(&relation->edges, edge, tick);
    link->count--;
    if (link->first != edge) return;
    link->first = next;
    link->target = ilki_entity_in(storage, ilki_edge_at(&relation->edges, next)->target);
}

void ilki_link_leave(ilki_storage* storage, ilki_relation* relation, const ilk_link* link) {
    for (uint32_t i = 0, edge = link->first, next; i < link->count; i++, edge = next) {
        next = ilki_edge_at(&relation->edges, edge)->next_target;
        leave_target(storage, relation, edge);
        ilki_edge_leave_source(&relation->edges, edge, storage->view.tick);
        ilki_edge_free(&relation->edges, edge, storage->view.tick);
    }
}

void ilki_link_cut(ilki_storage* storage, const ilki_directory* directory, uint32_t place) {
    ilki_relation* relation = directory->relation;
    const ilki_block* block = ilki_block_at(directory, ilki_chunk_of(place));
    ilk_link* link = ilki_value_at(directory, block, ilki_row_of(place));
    if (!relation->edges.count) return; // the world is being cleared
    uint32_t source = ilki_edge_at(&relation->edges, link->first)->source;
    ilki_link_leave(storage, relation, link);
    if (relation->rule->is_tree) ilki_tree_uproot(storage, relation, source, link);
}

void ilki_link_move(ilki_storage* storage, ilki_relation* relation, uint32_t edge,
                    uint32_t before) {
    uint64_t tick = storage->view.tick;
    uint32_t target = ilki_edge_at(&relation->edges, edge)->target;
    if (edge == before) return;
    leave_target(storage, relation, edge);
    ilki_head head = ilki_head_of(&relation->heads, target);
    uint32_t next = before == ILKI_NONE ? head.first : before;
    if (head.count) ilki_edge_join_target(&relation->edges, edge, next, tick);
    if (!head.count++ || before == head.first) head.first = edge;
    ilki_head_set(&relation->heads, target, head, tick);
}
