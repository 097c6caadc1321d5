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

static bool doom_one(ilki_relations* relations, ilki_storage* storage, uint32_t slot) {
    if (ilki_is_doomed(relations, slot)) return true;
    if (!ready_to_doom(relations, storage, (uint64_t)relations->doomed_count + 1, slot))
        return false;
    relations->doomed[relations->doomed_count++] = ilki_entity_in(storage, slot);
    ilki_bit_set(relations->marks, slot);
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

void ilki_doom_is_done(ilki_relations* relations) {
    uint32_t slot = relations->doomed[--relations->doomed_count].index;
    ilki_bit_clear(relations->marks, slot);
}

ilk_result ilki_doom(ilki_relations* relations, ilki_storage* storage, ilk_entity e,
                     ilki_need* need) {
    uint32_t first = relations->doomed_count;
    bool is_ready = doom_one(relations, storage, e.index), needed = false;
    for (uint32_t i = first; is_ready && i < relations->doomed_count; i++) {
        is_ready = doom_sources(relations, storage, relations->doomed[i].index);
    }
    for (uint32_t i = first; is_ready && !needed && i < relations->doomed_count; i++) {
        needed = is_needed_by_others(relations, relations->doomed[i].index, need);
    }
    if (is_ready && !needed) return ILK_OK;
    while (relations->doomed_count > first) ilki_doom_is_done(relations);
    return needed ? ILK_NEEDED : ILK_NO_MEMORY;
}
