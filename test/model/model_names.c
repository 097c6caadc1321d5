// Names and ids of the naive model: values of components, which are looked for one by one.
#include <string.h>

#include "model_rel.h"
#include "naming.h"

// The model's form of a name.
typedef struct model_name {
    uint32_t number; // of its text
    uint32_t unused;
    uint64_t since; // when it came to be called so, where it is
} model_name;

_Static_assert(sizeof(model_name) == sizeof(ilk_name), "both forms have the same size");

static model_name name_in(const model_component* c) {
    model_name name = {0};
    if (c) memcpy(&name, c->bytes, sizeof name);
    return name;
}

bool model_is_indexed(const model_world* m, uint32_t type) {
    return type == m->name_type || type == m->id_type;
}

uint32_t model_name_of(const model_world* m, ilk_entity e) {
    return name_in(model_find(m, e, m->name_type)).number;
}

ilk_id model_id_of(const model_world* m, ilk_entity e) {
    const model_component* c = model_find(m, e, m->id_type);
    ilk_id id = {0};
    if (c) memcpy(&id, c->bytes, sizeof id);
    return id;
}

// Whether an entity has a parent; null, whatever its index, stands for none.
static bool is_below(const model_world* m, ilk_entity e, ilk_entity parent) {
    ilk_entity its = model_parent(m, e);
    return ilk_is_null(parent) ? ilk_is_null(its) : ilk_same(its, parent);
}

uint32_t model_all_named(const model_world* m, ilk_entity parent, uint32_t name, ilk_entity* list) {
    uint64_t last = 0;
    for (uint32_t count = 0;; count++) {
        uint64_t next = UINT64_MAX;
        for (uint32_t i = 0; i < m->slot_count; i++) {
            ilk_entity e = model_entity_at(m, i);
            model_name its = name_in(model_find(m, e, m->name_type));
            bool is_it = name && its.number == name && its.since > last && its.since < next;
            if (!is_it || !is_below(m, e, parent)) continue;
            next = its.since;
            if (list) list[count] = e;
        }
        if (next == UINT64_MAX) return count;
        last = next;
    }
}

// Any entity of a name.
static ilk_entity find_anywhere(const model_world* m, uint32_t name) {
    for (uint32_t i = 0; i < m->slot_count && name; i++) {
        ilk_entity e = model_entity_at(m, i);
        if (model_name_of(m, e) == name) return e;
    }
    return (ilk_entity){0};
}

static ilk_entity find_first(const model_world* m, ilk_entity parent, uint32_t name) {
    ilk_entity first = {0};
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < m->slot_count && name; i++) {
        ilk_entity e = model_entity_at(m, i);
        model_name its = name_in(model_find(m, e, m->name_type));
        bool is_it = its.number == name && its.since < least;
        if (!is_it || !is_below(m, e, parent)) continue;
        first = e;
        least = its.since;
    }
    return first;
}

ilk_entity model_child_named(const model_world* m, ilk_entity parent, uint32_t name) {
    bool is_sound = ilk_is_null(parent) || model_alive(m, parent);
    return is_sound ? find_first(m, parent, name) : (ilk_entity){0};
}

ilk_entity model_named(const model_world* m, uint32_t name) {
    if (m->names == ILK_NAMES_UNIQUE) return find_anywhere(m, name);
    return find_first(m, (ilk_entity){0}, name);
}

ilk_entity model_by_id(const model_world* m, ilk_id id) {
    for (uint32_t i = 0; i < m->slot_count && (id.high || id.low); i++) {
        ilk_entity e = model_entity_at(m, i);
        if (ilk_same_id(model_id_of(m, e), id)) return e;
    }
    return (ilk_entity){0};
}

model_faults model_name_clash(const model_world* m, ilk_entity e, ilk_entity parent,
                              uint32_t name) {
    if (m->names == ILK_NAMES_FREE || !name) return MODEL_FINE;
    ilk_entity holder =
        m->names == ILK_NAMES_UNIQUE ? find_anywhere(m, name) : find_first(m, parent, name);
    return ilk_is_null(holder) || ilk_same(holder, e) ? MODEL_FINE : MODEL_FAULT(EXISTS);
}

static model_faults gone(const model_world* m, ilk_entity e) {
    return model_alive(m, e) && !model_is_dying(m, e) ? MODEL_FINE : MODEL_FAULT(DEAD);
}

// Takes one of the two away, if it is there.
static model_faults take_away(model_world* m, ilk_entity e, uint32_t type) {
    return model_find(m, e, type) ? model_remove(m, e, type) : MODEL_FINE;
}

model_faults model_set_name(model_world* m, ilk_entity e, uint32_t name) {
    model_faults faults = gone(m, e);
    if (name == NAMING_COUNT) faults |= MODEL_FAULT(INVALID);
    if (faults) return faults;
    if (!name) return take_away(m, e, m->name_type);
    if (model_name_of(m, e) == name) return MODEL_FINE;
    faults = model_name_clash(m, e, model_parent(m, e), name);
    if (faults) return faults;
    model_name value = {.number = name, .since = ++m->now};
    model_put(m, e, (model_value){m->name_type, &value});
    return MODEL_FINE;
}

void model_rename_here(model_world* m, ilk_entity e) {
    model_component* c = model_find(m, e, m->name_type);
    model_name name = name_in(c);
    name.since = ++m->now;
    if (c) memcpy(c->bytes, &name, sizeof name);
}

model_faults model_set_id(model_world* m, ilk_entity e, ilk_id id) {
    model_faults faults = gone(m, e);
    if (faults) return faults;
    if (!id.high && !id.low) return take_away(m, e, m->id_type);
    ilk_entity holder = model_by_id(m, id);
    if (ilk_same(holder, e)) return MODEL_FINE;
    if (!ilk_is_null(holder)) return MODEL_FAULT(EXISTS);
    model_put(m, e, (model_value){m->id_type, &id});
    return MODEL_FINE;
}

model_faults model_parent_clash(const model_world* m, ilk_entity e, ilk_entity parent) {
    if (m->names != ILK_NAMES_UNIQUE_AMONG_SIBLINGS) return MODEL_FINE;
    return model_name_clash(m, e, parent, model_name_of(m, e));
}

ilk_entity model_parent(const model_world* m, ilk_entity e) {
    const model_component* c = model_find(m, e, m->child_of);
    return c ? model_aim(c->bytes) : (ilk_entity){0};
}
