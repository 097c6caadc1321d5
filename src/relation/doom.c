#include "doom.h"

static bool ready_to_doom(ilki_relations* relations, ilki_storage* storage, uint64_t count,
                          uint32_t slot) {
    if (count <= relations->doomed_capacity && slot / 64 < relations->mark_words) return true;
    if (count > UINT32_MAX) return false;
    return ilki_grow(&storage->memory, ILKI_EDGES, &relations->doomed, &relations->doomed_capacity,
                     (uint32_t)count, sizeof *relations->doomed) &&
           ilki_grow(&storage->memory, ILKI_EDGES, &relations->marks, &relations->mark_words,
                     slot / 64 + 1, sizeof *relations->marks);
}

// Whoever goes with another one has at least one relation of its own that cascades.
bool ilki_ready_for_dooms(ilki_relations* relations, ilki_storage* storage, uint32_t more,
                          uint32_t slot) {
    uint64_t count = (uint64_t)more + 1;
    for (uint32_t i = 0; i < relations->count; i++) {
        const ilki_relation* relation = relations->list[i];
        if (relation->rule->at_end == ILK_END_SOURCE) count += relation->edges.count;
    }
    return ready_to_doom(relations, storage, count, slot);
}

bool ilki_ready_for_doom(ilki_relations* relations, ilki_storage* storage, uint32_t source,
                         uint32_t target) {
    return ilki_ready_for_dooms(relations, storage, 1, source > target ? source : target);
}

bool ilki_has_sources(const ilki_relations* relations, uint32_t slot) {
    for (uint32_t i = 0; i < relations->count; i++) {
        if (ilki_head_of(&relations->list[i]->heads, slot).count) return true;
    }
    return false;
}

static void mark_doomed(ilki_relations* relations, uint32_t slot) {
    ilki_bit_set(relations->marks, slot);
    relations->marked++;
}

static bool doom_one(ilki_relations* relations, ilki_storage* storage, uint32_t slot) {
    if (ilki_is_doomed(relations, slot)) return true;
    if (!ready_to_doom(relations, storage, (uint64_t)relations->doomed_count + 1, slot))
        return false;
    relations->doomed[relations->doomed_count++] = ilki_entity_in(storage, slot);
    mark_doomed(relations, slot);
    return true;
}

// Dooms the sources of one who is.
static bool doom_sources(ilki_relations* relations, ilki_storage* storage, uint32_t target) {
    for (uint32_t i = 0; i < relations->count; i++) {
        const ilki_relation* relation = relations->list[i];
        if (relation->rule->at_end != ILK_END_SOURCE) continue;
        ilki_head head = ilki_head_of(&relation->heads, target);
        for (uint32_t n = 0, edge = head.first; n < head.count; n++) {
            const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
            if (!doom_one(relations, storage, at->source)) return false;
            edge = at->next_source;
        }
    }
    return true;
}

// Whether somebody who stays needs one who is doomed.
static bool is_needed_by_others(const ilki_relations* relations, uint32_t target, ilki_need* need) {
    for (uint32_t i = 0; i < relations->count; i++) {
        const ilki_relation* relation = relations->list[i];
        if (relation->rule->at_end != ILK_END_REFUSED) continue;
        ilki_head head = ilki_head_of(&relation->heads, target);
        for (uint32_t n = 0, edge = head.first; n < head.count; n++) {
            const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
            *need = (ilki_need){relation, at->source, target};
            if (!ilki_is_doomed(relations, at->source)) return true;
            edge = at->next_source;
        }
    }
    return false;
}

void ilki_doom_unlist(ilki_relations* relations, uint32_t slot) {
    ilki_bit_clear(relations->marks, slot);
    relations->marked--;
}

void ilki_doom_is_done(ilki_relations* relations) {
    ilki_doom_unlist(relations, relations->doomed[--relations->doomed_count].index);
}

static void let_live(ilki_relations* relations, uint32_t first) {
    while (relations->doomed_count > first) ilki_doom_is_done(relations);
}

// Dooms all that go with those who were doomed from one on.
static bool doom_all_with(ilki_relations* relations, ilki_storage* storage, uint32_t first) {
    for (uint32_t i = first; i < relations->doomed_count; i++) {
        if (!doom_sources(relations, storage, relations->doomed[i].index)) return false;
    }
    return true;
}

static bool are_needed(const ilki_relations* relations, uint32_t first, ilki_need* need) {
    for (uint32_t i = first; i < relations->doomed_count; i++) {
        if (is_needed_by_others(relations, relations->doomed[i].index, need)) return true;
    }
    return false;
}

ilk_result ilki_doom(ilki_relations* relations, ilki_storage* storage, ilk_entity e,
                     ilki_need* need) {
    uint32_t first = relations->doomed_count;
    bool is_ready =
        doom_one(relations, storage, e.index) && doom_all_with(relations, storage, first);
    bool is_needed = is_ready && are_needed(relations, first, need);
    if (is_ready && !is_needed) return ILK_OK;
    let_live(relations, first);
    return is_needed ? ILK_NEEDED : ILK_NO_MEMORY;
}

// Lists

// Whether an entity has relations, or others to it.
static bool is_related(const ilki_relations* relations, const ilki_storage* storage,
                       uint32_t slot) {
    for (uint32_t i = 0; i < relations->count; i++) {
        if (ilki_link_at(storage, relations->list[i], slot)) return true;
    }
    return ilki_has_sources(relations, slot);
}

static bool can_be_doomed(const ilki_relations* relations, const ilki_storage* storage,
                          ilk_entity e) {
    const ilki_record* record = ilki_record_of(&storage->view.index, e);
    return record && !ilki_is_dying(storage, record->place) && !ilki_is_doomed(relations, e.index);
}

static void pass_over_listed(ilki_doomed_list* list, ilk_entity e) {
    list->has_passed = true;
    list->passed = e;
}

// Dooms those of a list; the last one first, so that they go in order. False without memory.
static bool doom_listed(ilki_relations* relations, ilki_storage* storage, ilki_doomed_list* list) {
    for (uint32_t i = list->count; i-- > 0;) {
        ilk_entity e = list->entities[i];
        if (!can_be_doomed(relations, storage, e))
            pass_over_listed(list, e);
        else if (list->is_nested && !doom_one(relations, storage, e.index))
            return false;
        else if (!list->is_nested && is_related(relations, storage, e.index))
            mark_doomed(relations, e.index);
    }
    list->others = relations->doomed_count;
    return true;
}

// Whether one of a list was only marked.
static bool is_marked(const ilki_relations* relations, const ilki_storage* storage,
                      const ilki_doomed_list* list, uint32_t at) {
    ilk_entity e = list->entities[at];
    return !list->is_nested && ilki_record_of(&storage->view.index, e) &&
           ilki_is_doomed(relations, e.index);
}

static bool doom_with_listed(ilki_relations* relations, ilki_storage* storage,
                             const ilki_doomed_list* list) {
    for (uint32_t i = list->count; i-- > 0;) {
        if (!is_marked(relations, storage, list, i)) continue;
        if (!doom_sources(relations, storage, list->entities[i].index)) return false;
    }
    return doom_all_with(relations, storage, list->first);
}

static bool is_list_needed(const ilki_relations* relations, const ilki_storage* storage,
                           const ilki_doomed_list* list, ilki_need* need) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (!is_marked(relations, storage, list, i)) continue;
        if (is_needed_by_others(relations, list->entities[i].index, need)) return true;
    }
    return are_needed(relations, list->first, need);
}

void ilki_doom_list_is_done(ilki_relations* relations, const ilki_storage* storage,
                            const ilki_doomed_list* list) {
    let_live(relations, list->first);
    for (uint32_t i = 0; i < list->count; i++) {
        if (!is_marked(relations, storage, list, i)) continue;
        ilki_doom_unlist(relations, list->entities[i].index);
    }
}

ilk_result ilki_doom_list(ilki_relations* relations, ilki_storage* storage, ilki_doomed_list* list,
                          ilki_need* need) {
    list->first = relations->doomed_count;
    list->is_nested = relations->marked > 0;
    bool is_ready =
        doom_listed(relations, storage, list) && doom_with_listed(relations, storage, list);
    bool is_needed = is_ready && is_list_needed(relations, storage, list, need);
    if (is_ready && !is_needed) return ILK_OK;
    ilki_doom_list_is_done(relations, storage, list);
    return is_needed ? ILK_NEEDED : ILK_NO_MEMORY;
}
