// Whole entities of the naive model: with all that they have, one at a time or many at once.
#include "model_rel.h"

#include <stdlib.h>
#include <string.h>

static model_faults list_faults(const model_world* m, const uint32_t* types, uint32_t count) {
    model_faults faults = MODEL_FINE;
    for (uint32_t i = 0; i < count; i++) {
        if (types[i] == MODEL_NO_TYPE) continue;
        faults |= model_withheld(m, types[i]);
        for (uint32_t k = 0; k < i; k++)
            if (types[k] == types[i]) faults |= MODEL_FAULT(EXISTS);
    }
    return faults;
}

static model_faults values_faults(const model_world* m, const model_value* values, uint32_t count) {
    uint32_t* types = must(calloc(count + 1, sizeof *types));
    for (uint32_t i = 0; i < count; i++) types[i] = values[i].type;
    model_faults faults = list_faults(m, types, count);
    for (uint32_t i = 0; i < count; i++)
        if (types[i] != MODEL_NO_TYPE) faults |= model_aim_faults(m, values[i]);
    free(types);
    return faults;
}

// A component that a new entity has, related if it is a relation.
static void give_new(model_world* m, ilk_entity e, model_value value) {
    bool is_related = model_relates(m, value.type);
    model_place(m, e, is_related ? (model_value){value.type, NULL} : value);
    if (is_related) model_edge_add(m, e, value.type, model_aim(value.bytes), NULL);
}

static void give_all(model_world* m, ilk_entity e, const model_value* values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (values[i].type != MODEL_NO_TYPE) give_new(m, e, values[i]);
}

model_faults model_spawn(model_world* m, const model_value* values, uint32_t count,
                         ilk_entity* made) {
    model_faults faults = model_no_room(m, 1) | values_faults(m, values, count);
    m->is_undone = false;
    if (faults) return faults;
    ilk_entity e = model_make(m);
    give_all(m, e, values, count);
    return model_present(m, e, made);
}

model_faults model_fulfil(model_world* m, ilk_entity e, const model_value* values, uint32_t count) {
    if (!model_is_promised(m, e)) return MODEL_FAULT(DEAD);
    model_faults faults = values_faults(m, values, count);
    if (faults) return faults;
    model_enliven(m, e);
    give_all(m, e, values, count);
    model_tell_new(m, &e, 1);
    return MODEL_FINE;
}

static model_faults cannot_copy(const model_world* m, ilk_entity e) {
    model_faults faults = MODEL_FINE;
    if (!model_alive(m, e)) return MODEL_FINE;
    for (uint32_t i = 0; i < m->slots[e.index].count; i++) {
        uint32_t type = m->slots[e.index].components[i].type;
        if (m->types[type].single) faults |= MODEL_FAULT(INVALID);
        if (model_relates(m, type)) faults |= model_copy_faults(m, e, type);
    }
    return faults;
}

void model_rename(const model_type* type, unsigned char* value, ilk_entity from, ilk_entity to) {
    for (uint32_t i = 0; i < type->names; i++) {
        ilk_entity e;
        unsigned char* at = value + type->names_at + i * sizeof e;
        memcpy(&e, at, sizeof e);
        if (ilk_same(e, from)) memcpy(at, &to, sizeof to);
    }
}

model_faults model_copy(model_world* m, ilk_entity e, ilk_entity* made) {
    model_faults faults = model_gone(m, e) | model_no_room(m, 1) | cannot_copy(m, e);
    m->is_undone = false;
    if (faults) return faults;
    ilk_entity copy = model_make(m);
    for (uint32_t i = 0; i < m->slots[e.index].count; i++) {
        const model_component* from = &m->slots[e.index].components[i];
        bool off = from->off, is_related = model_relates(m, from->type);
        uint32_t type = from->type;
        bool is_unique = type == m->name_type && m->names != ILK_NAMES_FREE;
        if (is_unique || type == m->id_type) continue;
        model_component* to =
            model_place(m, copy, (model_value){type, is_related ? NULL : from->bytes});
        to->off = off;
        if (is_related) model_copy_edges(m, e, copy, type);
        if (!is_related) model_rename(&m->types[type], to->bytes, e, copy);
    }
    model_rename_here(m, copy);
    return model_present(m, copy, made);
}

// Many at once

model_faults model_create_many(model_world* m, ilk_entity* made, uint32_t count) {
    model_faults faults = model_no_room(m, count);
    for (uint32_t i = 0; i < count && !faults; i++) made[i] = model_make(m);
    if (!faults) model_tell_new(m, made, count);
    return faults;
}

// Those of a list that are alive and have a type, or lack it; each once.
typedef struct choice {
    ilk_entity* list;
    uint32_t count;
} choice;

static choice choose(const model_world* m, const ilk_entity* list, uint32_t count, uint32_t type,
                     bool has) {
    choice chosen = {must(calloc(count + 1, sizeof *list)), 0};
    bool* is_taken = must(calloc(m->slot_count + 1, sizeof *is_taken));
    for (uint32_t i = 0; i < count; i++) {
        bool is_right = model_alive(m, list[i]) &&
                        (type == MODEL_NO_TYPE ? !model_is_kept(m, list[i])
                                               : (model_find(m, list[i], type) != NULL) == has);
        if (!is_right || is_taken[list[i].index]) continue;
        is_taken[list[i].index] = true;
        chosen.list[chosen.count++] = list[i];
    }
    free(is_taken);
    return chosen;
}

static bool has_targets(const model_world* m, const ilk_entity* list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < m->edge_count; k++)
            if (ilk_same(m->edges[k].target, list[i])) return true;
    return false;
}

// Those whom nothing outlives go together, and then the others one by one; if somebody relates to
// one of them, one by one all who go.
model_faults model_destroy_many(model_world* m, const ilk_entity* list, uint32_t count) {
    model_frame f;
    model_faults first = MODEL_FINE;
    if (has_targets(m, list, count)) return model_destroy_list(m, list, count);
    choice those = choose(m, list, count, MODEL_NO_TYPE, true);
    model_frame_begin(m, &f, those.list, those.count, MODEL_NO_TYPE, ILK_REASON_DESTROY);
    bool is_together = f.changes != NULL;
    model_tell_going(m, &f, MODEL_VEIL_ENTITY);
    for (uint32_t i = 0; i < those.count && is_together; i++) model_end(m, those.list[i]);
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
    for (uint32_t i = 0, at = 0; i < count; i++) {
        if (is_together && at < those.count && ilk_same(those.list[at], list[i])) {
            at++;
            continue;
        }
        model_faults faults = model_destroy(m, list[i]);
        if (!first) first = faults;
    }
    free(those.list);
    return first;
}

model_faults model_add_many(model_world* m, const ilk_entity* list, uint32_t count, uint32_t type,
                            const unsigned char* values, bool* taken) {
    memset(taken, 0, count * sizeof *taken);
    model_faults first = model_withheld(m, type);
    if (model_relates(m, type)) first |= MODEL_FAULT(INVALID);
    model_frame f;
    if (first) return first;
    choice those = choose(m, list, count, type, false);
    model_frame_begin(m, &f, those.list, those.count, type, ILK_REASON_CHANGE);
    for (uint32_t i = 0; i < count; i++) {
        const void* bytes = values ? values + i * m->types[type].size : NULL;
        model_faults faults =
            model_find(m, list[i], type) ? MODEL_FAULT(EXISTS) : model_gone(m, list[i]);
        if (!faults) model_place(m, list[i], (model_value){type, bytes});
        taken[i] = !faults;
        if (!first) first = faults;
    }
    model_tell_changed(m, &f, ILK_ON_ADD, NULL);
    model_frame_end(m, &f);
    free(those.list);
    return first;
}

// One by one: some may be refused.
static model_faults remove_each(model_world* m, const ilk_entity* list, uint32_t count,
                                uint32_t type) {
    model_faults first = MODEL_FINE;
    for (uint32_t i = 0; i < count; i++) {
        model_faults faults = model_remove(m, list[i], type);
        if (!first) first = faults;
    }
    return first;
}

model_faults model_remove_many(model_world* m, const ilk_entity* list, uint32_t count,
                               uint32_t type) {
    model_frame f;
    model_faults first = MODEL_FINE;
    if (type == MODEL_NO_TYPE) return model_type_faults(m, type);
    for (uint32_t i = 0; i < count && type == m->dying; i++)
        first |= model_remove(m, list[i], type);
    if (type == m->dying) return model_type_faults(m, type) | first | MODEL_FAULT(INVALID);
    if (type == m->child_of && m->names == ILK_NAMES_UNIQUE_AMONG_SIBLINGS)
        return remove_each(m, list, count, type);
    choice those = choose(m, list, count, type, true);
    model_frame_begin(m, &f, those.list, those.count, type, ILK_REASON_CHANGE);
    bool is_together = f.changes != NULL; // or each goes at once if it is dying
    model_tell_going(m, &f, MODEL_VEIL_TYPE);
    for (uint32_t i = 0; i < count; i++) {
        model_faults faults = model_reach(m, list[i], type);
        if (!first) first = faults;
        if (!faults && m->is_out[type]) model_keep(m, list[i], type);
        if (!faults && !m->is_out[type]) model_take(m, list[i].index, model_find(m, list[i], type));
        if (!faults && !is_together) model_go_if_dying(m, list[i]);
    }
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
    for (uint32_t i = 0; i < those.count && m->types[type].outlives; i++)
        model_go_if_dying(m, those.list[i]);
    free(those.list);
    return model_type_faults(m, type) | first;
}

model_faults model_spawn_many(model_world* m, ilk_entity* made, uint32_t count,
                              const uint32_t* types, uint32_t type_count) {
    model_faults faults = model_no_room(m, count) | list_faults(m, types, type_count);
    for (uint32_t i = 0; i < type_count; i++)
        if (model_relates(m, types[i])) faults |= MODEL_FAULT(INVALID);
    if (faults) return faults;
    for (uint32_t i = 0; i < count; i++) {
        made[i] = model_make(m);
        for (uint32_t k = 0; k < type_count; k++)
            if (types[k] != MODEL_NO_TYPE) model_place(m, made[i], (model_value){types[k], NULL});
    }
    model_tell_new(m, made, count);
    return MODEL_FINE;
}

model_faults model_reserve(model_world* m, uint32_t count, const uint32_t* types,
                           uint32_t type_count) {
    model_faults faults = model_no_room(m, count) | list_faults(m, types, type_count);
    for (uint32_t i = 0; i < type_count && count && !faults; i++)
        if (types[i] != MODEL_NO_TYPE) model_introduce(m, types[i]);
    return faults;
}
