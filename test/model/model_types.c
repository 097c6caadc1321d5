// Types of the naive model: known to a world, taken out of it with their values, brought back.
#include "model_rel.h"

#include <stdlib.h>
#include <string.h>

void model_world_allow(model_world* m, uint32_t type) {
    if (!m->allowed) m->allowed = must(calloc(m->type_total, sizeof *m->allowed));
    m->allowed[type] = true;
}

model_faults model_type_faults(const model_world* m, uint32_t type) {
    if (type == MODEL_NO_TYPE) return MODEL_FAULT(INVALID);
    if (m->types[type].fault != ILK_OK) {
        model_faults faults = 1u << m->types[type].fault;
        return m->allowed ? faults | MODEL_FAULT(FOREIGN) : faults;
    }
    bool is_own = type == m->inactive || type == m->dying || type == m->child_of;
    if (is_own || model_is_indexed(m, type)) return MODEL_FINE;
    return m->allowed && !m->allowed[type] ? MODEL_FAULT(FOREIGN) : MODEL_FINE;
}

// The tag of the dying comes with the first type that makes some.
void model_introduce(model_world* m, uint32_t type) {
    if (m->numbers[type] != UINT32_MAX) return;
    m->numbers[type] = m->known_count;
    m->known[m->known_count++] = type;
    if (m->types[type].outlives) model_introduce(m, m->dying);
}

model_faults model_withheld(const model_world* m, uint32_t type) {
    if (type == MODEL_NO_TYPE) return MODEL_FAULT(INVALID);
    model_faults faults = model_type_faults(m, type);
    if (m->is_out[type]) faults |= MODEL_FAULT(FOREIGN);
    bool is_own = type == m->dying || model_is_indexed(m, type);
    return is_own ? faults | MODEL_FAULT(INVALID) : faults;
}

void model_drop_kept(model_world* m) {
    for (uint32_t i = 0; i < m->kept_count; i++) {
        m->outs[m->kept[i].component.type]++;
        model_take_value(m, &m->kept[i].component);
    }
    m->kept_count = 0;
}

void model_keep(model_world* m, ilk_entity e, uint32_t type) {
    model_entity* slot = &m->slots[e.index];
    model_component* c = model_find(m, e, type);
    if (m->kept_count == m->kept_capacity) {
        m->kept_capacity = m->kept_capacity ? 2 * m->kept_capacity : 16;
        m->kept = must(realloc(m->kept, m->kept_capacity * sizeof *m->kept));
    }
    m->kept[m->kept_count++] = (model_aside){e, *c};
    model_forget_type(slot, type);
    *c = slot->components[--slot->count];
    slot->shifted = ++m->now;
}

model_faults model_unregister(model_world* m, const ilk_entity* list, uint32_t count,
                              uint32_t type) {
    if (type == MODEL_NO_TYPE) return MODEL_FAULT(INVALID);
    if (m->types[type].fault != ILK_OK) return 1u << m->types[type].fault;
    if (m->numbers[type] == UINT32_MAX || m->is_out[type]) return MODEL_FAULT(MISSING);
    bool is_own = type == m->inactive || type == m->dying || model_is_indexed(m, type);
    if (is_own || model_relates(m, type)) return MODEL_FAULT(INVALID);
    m->is_out[type] = true;
    m->outs[type]++;
    model_remove_many(m, list, count, type);
    return MODEL_FINE;
}

void model_forget_kept(model_world* m, uint32_t type) {
    uint32_t left = 0;
    m->outs[type]++;
    for (uint32_t i = 0; i < m->kept_count; i++) {
        bool is_lost = m->kept[i].component.type == type && model_gone(m, m->kept[i].entity);
        if (is_lost) model_take_value(m, &m->kept[i].component);
        if (!is_lost) m->kept[left++] = m->kept[i];
    }
    m->kept_count = left;
}

static void switch_off_again(model_world* m, const ilk_entity* list, const bool* off,
                             uint32_t count, uint32_t type) {
    for (uint32_t i = 0; i < count; i++)
        if (off[i] && model_find(m, list[i], type)) model_toggle(m, list[i], type, false);
}

// Those that are left get their values again.
static model_faults bring_back(model_world* m, uint32_t type) {
    model_forget_kept(m, type);
    size_t size = m->types[type].size;
    ilk_entity* list = must(calloc(m->kept_count + 1, sizeof *list));
    bool* off = must(calloc(2 * (m->kept_count + 1), sizeof *off));
    unsigned char* values = must(calloc(m->kept_count * size + 1, 1));
    uint32_t count = 0, left = 0;
    for (uint32_t i = 0; i < m->kept_count; i++) {
        const model_aside* k = &m->kept[i];
        if (k->component.type != type) {
            m->kept[left++] = *k;
            continue;
        }
        memcpy(values + count * size, k->component.bytes, size);
        list[count] = k->entity;
        off[count++] = k->component.off;
        model_take_value(m, &k->component);
    }
    bool* taken = off + m->kept_count + 1;
    m->kept_count = left;
    m->is_out[type] = false;
    model_add_many(m, list, count, type, values, taken);
    switch_off_again(m, list, off, count, type);
    free(list);
    free(off);
    free(values);
    return MODEL_FINE;
}

model_faults model_register(model_world* m, uint32_t type) {
    model_faults faults = model_type_faults(m, type);
    if (faults) return faults;
    if (m->is_out[type]) return bring_back(m, type);
    if (m->numbers[type] != UINT32_MAX) return MODEL_FAULT(EXISTS);
    model_introduce(m, type);
    return MODEL_FINE;
}
