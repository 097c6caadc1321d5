// The naive model. There is nothing to explain: each function does what its name says, slowly.
#include "model_bp.h"
#include "model_rel.h"

#include <stdlib.h>
#include <string.h>

#define MODEL_LEAP (1u << 20) // slots that the library may leave unused at a time

static void* must(void* memory) {
    if (!memory) abort();
    return memory;
}

// Worlds

model_world* model_world_create(const model_type* types, uint32_t type_total, uint32_t max_entities,
                                bool no_recycling, uint8_t tag) {
    model_world* m = must(calloc(1, sizeof *m));
    m->types = types;
    m->type_total = type_total;
    m->max_entities = max_entities;
    m->no_recycling = no_recycling;
    static uint64_t worlds;
    m->tag = tag;
    m->serial = ++worlds;
    m->numbers = must(malloc(type_total * sizeof *m->numbers));
    m->known = must(malloc(type_total * sizeof *m->known));
    m->is_out = must(calloc(type_total, sizeof *m->is_out));
    for (uint32_t i = 0; i < type_total; i++) {
        m->numbers[i] = UINT32_MAX;
        if (types[i].is_inactive) m->inactive = i;
        if (types[i].is_dying) m->dying = i;
        if (types[i].is_child_of) m->child_of = i;
        if (types[i].is_name) m->name_type = i;
        if (types[i].is_id) m->id_type = i;
    }
    model_events_init(m);
    return m;
}

static void take_value(model_world* m, const model_component* c) {
    uint32_t first = 0;
    if (m->types[c->type].owner) memcpy(&first, c->bytes, sizeof first);
    m->owned -= first != 0;
    free(c->bytes);
}

static void take_all(model_world* m, uint32_t index) {
    model_entity* slot = &m->slots[index];
    for (uint32_t i = 0; i < slot->count; i++) {
        uint32_t type = slot->components[i].type;
        take_value(m, &slot->components[i]);
        slot->components[i].bytes = NULL;
        slot->components[i].type = MODEL_NO_TYPE;
        if (model_relates(m, type)) model_cut(m, model_handle(m, index), type);
    }
    slot->count = 0;
}

static void drop_kept(model_world* m) {
    for (uint32_t i = 0; i < m->kept_count; i++) take_value(m, &m->kept[i].component);
    m->kept_count = 0;
}

void model_world_destroy(model_world* m) {
    if (!m) return;
    model_bps_free(m);
    for (uint32_t i = 0; i < m->slot_count; i++) {
        take_all(m, i);
        free(m->slots[i].components);
    }
    model_relations_free(m);
    model_events_free(m);
    drop_kept(m);
    free(m->kept);
    free(m->is_out);
    model_resources_free(m);
    free(m->slots);
    free(m->freed);
    free(m->allowed);
    free(m->numbers);
    free(m->known);
    free(m);
}

// Types

static model_faults bring_back(model_world* m, uint32_t type);

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

// What nobody can be given.
static model_faults withheld(const model_world* m, uint32_t type) {
    if (type == MODEL_NO_TYPE) return MODEL_FINE;
    model_faults faults = m->is_out[type] ? MODEL_FAULT(FOREIGN) : MODEL_FINE;
    bool is_own = type == m->dying || model_is_indexed(m, type);
    return is_own ? faults | MODEL_FAULT(INVALID) : faults;
}

model_faults model_register(model_world* m, uint32_t type) {
    model_faults faults = model_type_faults(m, type);
    if (faults) return faults;
    if (m->is_out[type]) return bring_back(m, type);
    if (m->numbers[type] != UINT32_MAX) return MODEL_FAULT(EXISTS);
    model_introduce(m, type);
    return MODEL_FINE;
}

// Entities

ilk_entity model_handle(const model_world* m, uint32_t index) {
    uint32_t generation = m->slots[index].uses | (uint32_t)m->tag << 23;
    return (ilk_entity){index, generation};
}

bool model_alive(const model_world* m, ilk_entity e) {
    return e.index < m->slot_count && m->slots[e.index].alive &&
           model_handle(m, e.index).generation == e.generation;
}

ilk_entity model_entity_at(const model_world* m, uint32_t index) {
    if (index >= m->slot_count || !m->slots[index].alive) return (ilk_entity){0};
    return model_handle(m, index);
}

static model_faults dead(const model_world* m, ilk_entity e) {
    return model_alive(m, e) ? MODEL_FINE : MODEL_FAULT(DEAD);
}

model_faults model_no_room(const model_world* m, uint32_t count) {
    uint32_t most = m->max_entities ? m->max_entities : UINT32_MAX - MODEL_NOT_QUITE;
    return (uint64_t)m->alive + m->promised + count > most ? MODEL_FAULT(FULL) : MODEL_FINE;
}

static void more_slots(model_world* m) {
    m->slot_capacity = m->slot_capacity ? 2 * m->slot_capacity : 16;
    m->slots = must(realloc(m->slots, m->slot_capacity * sizeof *m->slots));
    m->freed = must(realloc(m->freed, m->slot_capacity * sizeof *m->freed));
}

static uint32_t fresh_slot(model_world* m) {
    if (m->slot_count == m->slot_capacity) more_slots(m);
    m->slots[m->slot_count] = (model_entity){0};
    return m->slot_count++;
}

void model_take_over(model_world* m, const ilk_entity* made, uint32_t count) {
    m->hints = made;
    m->hint_count = count;
}

// The slot that the library chose, if it could; otherwise a fresh one, which is another.
static uint32_t slot_of_hint(model_world* m) {
    if (!m->hint_count) return fresh_slot(m);
    uint32_t index = m->hints->index;
    m->hints++;
    m->hint_count--;
    if (index > m->slot_count + MODEL_LEAP) return fresh_slot(m);
    while (index >= m->slot_count) fresh_slot(m);
    const model_entity* slot = &m->slots[index];
    return slot->alive || slot->promised || slot->retired ? fresh_slot(m) : index;
}

// A slot for the next handle.
static uint32_t next_slot(model_world* m) {
    uint32_t index = m->is_loose      ? slot_of_hint(m)
                     : m->freed_count ? m->freed[--m->freed_count]
                                      : fresh_slot(m);
    m->slots[index].uses++;
    return index;
}

static void enliven(model_world* m, uint32_t index) {
    model_entity* slot = &m->slots[index];
    slot->alive = true;
    slot->born = slot->shifted = ++m->now;
    slot->placed = slot->moored = 0;
    slot->loose = false;
    m->alive++;
    m->ever++;
}

static ilk_entity use_slot(model_world* m) {
    uint32_t index = next_slot(m);
    enliven(m, index);
    return model_handle(m, index);
}

static void give_up_slot(model_world* m, uint32_t index) {
    model_entity* slot = &m->slots[index];
    if (m->no_recycling || slot->uses == MODEL_LAST_USE) {
        slot->retired = true;
        m->retired++;
    } else if (!m->is_loose) {
        m->freed[m->freed_count++] = index;
    }
}

static void free_slot(model_world* m, uint32_t index) {
    model_entity* slot = &m->slots[index];
    take_all(m, index);
    slot->alive = false;
    slot->shifted = ++m->now;
    m->alive--;
    give_up_slot(m, index);
}

// Somebody is told of an entity that a verb made; and may destroy it.
static model_faults present(model_world* m, ilk_entity e, ilk_entity* made) {
    model_tell_new(m, &e, 1);
    m->is_undone = !model_alive(m, e);
    if (!m->is_undone) *made = e;
    return m->is_undone ? MODEL_FAULT(DEAD) : MODEL_FINE;
}

model_faults model_create(model_world* m, ilk_entity* made) {
    model_faults faults = model_no_room(m, 1);
    m->is_undone = false;
    return faults ? faults : present(m, use_slot(m), made);
}

bool model_is_promised(const model_world* m, ilk_entity e) {
    return e.index < m->slot_count && m->slots[e.index].promised &&
           model_handle(m, e.index).generation == e.generation;
}

model_faults model_promise(model_world* m, ilk_entity* made) {
    model_faults faults = model_no_room(m, 1);
    if (faults) return faults;
    uint32_t index = next_slot(m);
    m->slots[index].promised = true;
    m->promised++;
    *made = model_handle(m, index);
    return MODEL_FINE;
}

void model_break_promise(model_world* m, ilk_entity e) {
    if (!model_is_promised(m, e)) return;
    m->slots[e.index].promised = false;
    m->promised--;
    give_up_slot(m, e.index);
}

void model_settle(model_world* m) {
    for (uint32_t i = 0; i < m->slot_count; i++)
        if (m->slots[i].alive && m->slots[i].count == 0 && m->slots[i].placed)
            m->slots[i].loose = true;
}

void model_clear(model_world* m) {
    model_frame f;
    model_tell_unload(m, &f);
    m->doomed_count = 0;
    for (uint32_t i = 0; i < m->slot_count; i++) {
        model_observers_leave(m, model_handle(m, i));
        if (m->slots[i].alive) free_slot(m, i);
        model_break_promise(m, model_handle(m, i));
    }
    drop_kept(m);
    m->freed_count = 0;
    for (uint32_t i = m->slot_count; i-- > 0;)
        if (!m->slots[i].retired && !m->is_loose) m->freed[m->freed_count++] = i;
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
}

uint32_t model_wear(model_world* m, uint32_t uses) {
    if (m->no_recycling || m->is_loose || model_no_room(m, 1) || uses >= MODEL_LAST_USE) return 0;
    uint32_t made = m->freed_count == 0;
    if (made) free_slot(m, use_slot(m).index);
    model_entity* slot = &m->slots[m->freed[m->freed_count - 1]];
    if (slot->uses >= uses) return made;
    made += uses - slot->uses;
    m->ever += uses - slot->uses;
    slot->uses = uses;
    return made;
}

// Components

static model_component* component_of(const model_entity* slot, uint32_t type) {
    for (uint32_t i = 0; i < slot->count; i++)
        if (slot->components[i].type == type) return &slot->components[i];
    return NULL;
}

model_component* model_find(const model_world* m, ilk_entity e, uint32_t type) {
    return model_alive(m, e) ? component_of(&m->slots[e.index], type) : NULL;
}

static void fill(model_world* m, model_component* c, const void* bytes) {
    const model_type* type = &m->types[c->type];
    if (!bytes) bytes = type->fresh;
    c->bytes = must(malloc(type->size ? type->size : 1));
    if (bytes)
        memcpy(c->bytes, bytes, type->size);
    else
        memset(c->bytes, 0, type->size);
    uint32_t first = 0;
    if (type->owner) memcpy(&first, c->bytes, sizeof first);
    m->owned += first != 0;
}

static model_component* give(model_world* m, uint32_t index, model_value value) {
    model_entity* slot = &m->slots[index];
    if (slot->count == slot->capacity) {
        slot->capacity = slot->capacity ? 2 * slot->capacity : 4;
        slot->components =
            must(realloc(slot->components, slot->capacity * sizeof *slot->components));
    }
    model_introduce(m, value.type);
    model_component* c = &slot->components[slot->count++];
    m->now++;
    *c = (model_component){.type = value.type, .added = m->now, .changed = m->now};
    fill(m, c, value.bytes);
    slot->shifted = m->now;
    if (!slot->placed) slot->placed = m->now;
    if (slot->loose) slot->moored = m->now;
    slot->loose = false;
    return c;
}

static void refill(model_world* m, uint32_t index, model_component* c, const void* bytes) {
    take_value(m, c);
    fill(m, c, bytes);
    c->changed = ++m->now;
    if (c->off) m->slots[index].shifted = m->now;
    c->off = false;
}

static void take(model_world* m, uint32_t index, model_component* c) {
    model_entity* slot = &m->slots[index];
    uint32_t type = c->type;
    take_value(m, c);
    *c = slot->components[--slot->count];
    slot->shifted = ++m->now;
    if (model_relates(m, type)) model_cut(m, model_handle(m, index), type);
}

model_component* model_give_quietly(model_world* m, uint32_t index, model_value value) {
    return give(m, index, value);
}

// A component that a new entity has, related if it is a relation.
static model_component* give_new(model_world* m, uint32_t index, model_value value) {
    if (!model_relates(m, value.type)) return give(m, index, value);
    give(m, index, (model_value){value.type, NULL});
    model_edge_add(m, model_handle(m, index), value.type, model_aim(value.bytes), NULL);
    return component_of(&m->slots[index], value.type);
}

ilk_entity model_make(model_world* m) {
    return use_slot(m);
}

void model_enliven(model_world* m, ilk_entity e) {
    m->slots[e.index].promised = false;
    m->promised--;
    enliven(m, e.index);
}

model_component* model_place(model_world* m, ilk_entity e, model_value value) {
    return give(m, e.index, value);
}

void model_end(model_world* m, ilk_entity e) {
    free_slot(m, e.index);
    model_observers_leave(m, e);
}

model_faults model_withheld(const model_world* m, uint32_t type) {
    return model_type_faults(m, type) | withheld(m, type);
}

// The same for verbs, with all who are told of it.

static void give_told(model_world* m, ilk_entity e, model_value value) {
    model_frame f;
    model_frame_begin(m, &f, &e, 1, value.type, ILK_REASON_CHANGE);
    give(m, e.index, value);
    model_tell_changed(m, &f, ILK_ON_ADD, NULL);
    model_frame_end(m, &f);
}

static void refill_told(model_world* m, ilk_entity e, model_component* c, const void* bytes) {
    model_frame f;
    uint32_t announced = c->off ? ILK_ON_SET | ILK_ON_ENABLE : ILK_ON_SET;
    size_t size = m->types[c->type].size;
    unsigned char* old = must(malloc(size ? size : 1));
    memcpy(old, c->bytes, size);
    model_frame_begin(m, &f, &e, 1, c->type, ILK_REASON_CHANGE);
    refill(m, e.index, c, bytes);
    model_tell_changed(m, &f, announced, old);
    model_frame_end(m, &f);
    free(old);
}

void model_take_told(model_world* m, ilk_entity e, uint32_t type) {
    model_frame f;
    model_frame_begin(m, &f, &e, 1, type, ILK_REASON_CHANGE);
    model_tell_going(m, &f, MODEL_VEIL_TYPE);
    take(m, e.index, model_find(m, e, type));
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
}

static void end_told(model_world* m, ilk_entity e) {
    model_frame f;
    model_frame_begin(m, &f, &e, 1, MODEL_NO_TYPE, ILK_REASON_DESTROY);
    model_tell_going(m, &f, MODEL_VEIL_ENTITY);
    free_slot(m, e.index);
    model_observers_leave(m, e);
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
}

// Life and death

bool model_is_inactive(const model_world* m, ilk_entity e) {
    return model_is_on(m, e, m->inactive);
}

bool model_is_dying(const model_world* m, ilk_entity e) {
    return m->veil == MODEL_VEIL_DEATH || model_find(m, e, m->dying) != NULL;
}

bool model_is_kept(const model_world* m, ilk_entity e) {
    if (!model_alive(m, e)) return false;
    const model_entity* slot = &m->slots[e.index];
    for (uint32_t i = 0; i < slot->count; i++)
        if (m->types[slot->components[i].type].outlives && slot->components[i].type != m->dying)
            return true;
    return false;
}

// Somebody who is dying can be given nothing, and is not there to be destroyed.
static model_faults gone(const model_world* m, ilk_entity e) {
    return model_is_dying(m, e) ? MODEL_FAULT(DEAD) : dead(m, e);
}

model_faults model_gone(const model_world* m, ilk_entity e) {
    return gone(m, e);
}

static void go_if_dying(model_world* m, ilk_entity e) {
    if (model_is_dying(m, e) && !model_is_kept(m, e)) end_told(m, e);
}

void model_destroy_alone(model_world* m, ilk_entity e) {
    if (!model_is_kept(m, e)) {
        end_told(m, e);
        return;
    }
    model_frame f;
    model_frame_begin(m, &f, &e, 1, MODEL_NO_TYPE, ILK_REASON_DESTROY);
    model_tell_going(m, &f, MODEL_VEIL_DEATH);
    model_entity* slot = &m->slots[e.index];
    for (uint32_t i = slot->count; i-- > 0;)
        if (!m->types[slot->components[i].type].outlives) take(m, e.index, &slot->components[i]);
    give(m, e.index, (model_value){m->dying, NULL});
    f.type = m->dying;
    f.announced = ILK_ON_ADD;
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
}

model_faults model_deactivate(model_world* m, ilk_entity e) {
    model_faults faults = gone(m, e);
    if (faults) return faults;
    if (model_is_inactive(m, e)) return MODEL_FAULT(EXISTS);
    if (model_find(m, e, m->inactive)) return model_toggle(m, e, m->inactive, true);
    give_told(m, e, (model_value){m->inactive, NULL});
    return MODEL_FINE;
}

model_faults model_activate(model_world* m, ilk_entity e) {
    model_faults faults = gone(m, e);
    if (!faults && !model_is_inactive(m, e)) faults = MODEL_FAULT(MISSING);
    if (!faults) model_take_told(m, e, m->inactive);
    return faults;
}

model_faults model_create_inactive(model_world* m, ilk_entity* made) {
    return model_spawn(m, &(model_value){m->inactive, NULL}, 1, made);
}

// Giving and taking

static model_faults giving_faults(const model_world* m, ilk_entity e, uint32_t type) {
    return gone(m, e) | model_type_faults(m, type) | withheld(m, type);
}

void model_put(model_world* m, ilk_entity e, model_value value) {
    model_component* c = model_find(m, e, value.type);
    if (c)
        refill_told(m, e, c, value.bytes);
    else
        give_told(m, e, value);
}

// A value of a relation, as ilk_add and its like take it.
static model_faults aim_at(model_world* m, ilk_entity e, model_value value, model_policy how) {
    if (value.bytes) return model_relate(m, e, value.type, model_aim(value.bytes), NULL, how);
    return gone(m, e) | model_type_faults(m, value.type) | MODEL_FAULT(INVALID);
}

model_faults model_add(model_world* m, ilk_entity e, model_value value) {
    if (model_relates(m, value.type)) return aim_at(m, e, value, MODEL_ADD);
    bool is_indexed = model_is_indexed(m, value.type);
    if (model_find(m, e, value.type))
        return MODEL_FAULT(EXISTS) | (is_indexed ? MODEL_FAULT(INVALID) : 0);
    model_faults faults = giving_faults(m, e, value.type);
    if (!faults) give_told(m, e, value);
    return faults;
}

model_faults model_set(model_world* m, ilk_entity e, model_value value) {
    if (model_relates(m, value.type)) return aim_at(m, e, value, MODEL_SET);
    model_component* c = model_find(m, e, value.type);
    bool is_indexed = model_is_indexed(m, value.type);
    model_faults faults = c && !is_indexed ? MODEL_FINE : giving_faults(m, e, value.type);
    if (!faults) model_put(m, e, value);
    return faults;
}

// A world that cannot take a type does not have it either: both answers are true.
model_faults model_reach(const model_world* m, ilk_entity e, uint32_t type) {
    model_faults faults = dead(m, e) | model_type_faults(m, type);
    if (!model_find(m, e, type)) faults |= MODEL_FAULT(MISSING);
    return model_alive(m, e) ? faults : faults & ~MODEL_FAULT(MISSING);
}

model_faults model_replace(model_world* m, ilk_entity e, model_value value) {
    if (model_relates(m, value.type)) return aim_at(m, e, value, MODEL_REPLACE);
    model_faults faults = model_reach(m, e, value.type);
    if (model_is_indexed(m, value.type)) faults |= MODEL_FAULT(INVALID);
    if (!faults) refill_told(m, e, model_find(m, e, value.type), value.bytes);
    return faults;
}

model_faults model_ensure(model_world* m, ilk_entity e, uint32_t type) {
    bool has = model_find(m, e, type) != NULL && !model_is_indexed(m, type);
    model_faults faults = has ? MODEL_FINE : giving_faults(m, e, type);
    if (model_relates(m, type)) return faults | MODEL_FAULT(INVALID);
    if (!faults && !has) give_told(m, e, (model_value){type, NULL});
    if (!faults && !model_alive(m, e)) return MODEL_FAULT(DEAD);         // an observer ended it
    if (!faults && !model_find(m, e, type)) return MODEL_FAULT(MISSING); // or took that away
    if (!faults) model_find(m, e, type)->changed = ++m->now;
    return faults;
}

model_faults model_edit(model_world* m, ilk_entity e, uint32_t type) {
    if (model_relates(m, type)) return model_reach(m, e, type) | MODEL_FAULT(INVALID);
    model_faults faults = model_reach(m, e, type);
    if (!faults && model_is_indexed(m, type)) return MODEL_FAULT(INVALID);
    return model_mark(m, e, type);
}

model_faults model_mark(model_world* m, ilk_entity e, uint32_t type) {
    model_faults faults = model_reach(m, e, type);
    if (!faults) model_find(m, e, type)->changed = ++m->now;
    return faults;
}

model_faults model_remove(model_world* m, ilk_entity e, uint32_t type) {
    model_faults faults = model_reach(m, e, type);
    if (!faults && type == m->dying) faults = MODEL_FAULT(INVALID);
    if (!faults && type == m->child_of) faults = model_parent_clash(m, e, (ilk_entity){0});
    if (faults) return faults;
    model_take_told(m, e, type);
    if (m->types[type].outlives) go_if_dying(m, e);
    return MODEL_FINE;
}

// Whether it is active, and dying, stays as it is.
model_faults model_remove_all(model_world* m, ilk_entity e) {
    model_faults faults = dead(m, e);
    model_frame f;
    if (faults) return faults;
    model_frame_begin(m, &f, &e, 1, MODEL_NO_TYPE, ILK_REASON_CHANGE);
    model_tell_going(m, &f, MODEL_VEIL_ALL);
    model_entity* slot = &m->slots[e.index];
    for (uint32_t i = slot->count; i-- > 0;) {
        uint32_t type = slot->components[i].type;
        if (type != m->inactive && type != m->dying) take(m, e.index, &slot->components[i]);
    }
    slot->shifted = ++m->now;
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
    go_if_dying(m, e);
    return MODEL_FINE;
}

model_faults model_toggle(model_world* m, ilk_entity e, uint32_t type, bool on) {
    model_faults faults = model_reach(m, e, type);
    if (!faults && type == m->dying) faults = MODEL_FAULT(INVALID);
    model_component* c = model_find(m, e, type);
    model_frame f;
    if (faults || c->off == !on) return faults;
    model_frame_begin(m, &f, &e, 1, type, ILK_REASON_CHANGE);
    c->off = !on;
    c->changed = m->slots[e.index].shifted = ++m->now;
    model_tell_changed(m, &f, on ? ILK_ON_ENABLE : ILK_ON_DISABLE, NULL);
    model_frame_end(m, &f);
    return MODEL_FINE;
}

uint32_t model_types_of(const model_world* m, ilk_entity e, uint32_t* types) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->known_count; i++)
        if (model_find(m, e, m->known[i])) types[count++] = m->known[i];
    return count;
}

uint32_t model_signature(const model_world* m, ilk_entity e, char* text) {
    uint32_t count = model_alive(m, e) ? m->known_count : 0;
    for (uint32_t i = 0; i < count; i++) text[i] = model_find(m, e, m->known[i]) ? '1' : '0';
    text[count] = 0;
    return count;
}

// Whole entities

static model_faults list_faults(const model_world* m, const uint32_t* types, uint32_t count) {
    model_faults faults = MODEL_FINE;
    for (uint32_t i = 0; i < count; i++) {
        if (types[i] == MODEL_NO_TYPE) continue;
        faults |= model_type_faults(m, types[i]) | withheld(m, types[i]);
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

static void give_all(model_world* m, uint32_t index, const model_value* values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (values[i].type != MODEL_NO_TYPE) give_new(m, index, values[i]);
}

model_faults model_spawn(model_world* m, const model_value* values, uint32_t count,
                         ilk_entity* made) {
    model_faults faults = model_no_room(m, 1) | values_faults(m, values, count);
    m->is_undone = false;
    if (faults) return faults;
    ilk_entity e = use_slot(m);
    give_all(m, e.index, values, count);
    return present(m, e, made);
}

model_faults model_fulfil(model_world* m, ilk_entity e, const model_value* values, uint32_t count) {
    if (!model_is_promised(m, e)) return MODEL_FAULT(DEAD);
    model_faults faults = values_faults(m, values, count);
    if (faults) return faults;
    model_enliven(m, e);
    give_all(m, e.index, values, count);
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
    model_faults faults = gone(m, e) | model_no_room(m, 1) | cannot_copy(m, e);
    m->is_undone = false;
    if (faults) return faults;
    ilk_entity copy = use_slot(m);
    for (uint32_t i = 0; i < m->slots[e.index].count; i++) {
        const model_component* from = &m->slots[e.index].components[i];
        bool off = from->off, is_related = model_relates(m, from->type);
        uint32_t type = from->type;
        bool is_unique = type == m->name_type && m->names != ILK_NAMES_FREE;
        if (is_unique || type == m->id_type) continue;
        model_component* to =
            give(m, copy.index, (model_value){type, is_related ? NULL : from->bytes});
        to->off = off;
        if (is_related) model_copy_edges(m, e, copy, type);
        if (!is_related) model_rename(&m->types[type], to->bytes, e, copy);
    }
    model_rename_here(m, copy);
    return present(m, copy, made);
}

// Many at once

model_faults model_create_many(model_world* m, ilk_entity* made, uint32_t count) {
    model_faults faults = model_no_room(m, count);
    for (uint32_t i = 0; i < count && !faults; i++) made[i] = use_slot(m);
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

static model_faults destroy_each(model_world* m, const ilk_entity* list, uint32_t count) {
    model_faults first = MODEL_FINE;
    for (uint32_t i = 0; i < count; i++) {
        model_faults faults = model_destroy(m, list[i]);
        if (!first) first = faults;
    }
    return first;
}

// Those whom nothing outlives go together, and then the others one by one; if somebody relates to
// one of them, all one by one.
model_faults model_destroy_many(model_world* m, const ilk_entity* list, uint32_t count) {
    model_frame f;
    model_faults first = MODEL_FINE;
    if (has_targets(m, list, count)) return destroy_each(m, list, count);
    choice those = choose(m, list, count, MODEL_NO_TYPE, true);
    model_frame_begin(m, &f, those.list, those.count, MODEL_NO_TYPE, ILK_REASON_DESTROY);
    bool is_together = f.changes != NULL;
    model_tell_going(m, &f, MODEL_VEIL_ENTITY);
    for (uint32_t i = 0; i < those.count && is_together; i++) {
        free_slot(m, those.list[i].index);
        model_observers_leave(m, those.list[i]);
    }
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
    model_faults first = model_type_faults(m, type) | withheld(m, type);
    if (model_relates(m, type)) first |= MODEL_FAULT(INVALID);
    model_frame f;
    if (first) return first;
    choice those = choose(m, list, count, type, false);
    model_frame_begin(m, &f, those.list, those.count, type, ILK_REASON_CHANGE);
    for (uint32_t i = 0; i < count; i++) {
        const void* bytes = values ? values + i * m->types[type].size : NULL;
        model_faults faults = model_find(m, list[i], type) ? MODEL_FAULT(EXISTS) : gone(m, list[i]);
        if (!faults) give(m, list[i].index, (model_value){type, bytes});
        taken[i] = !faults;
        if (!first) first = faults;
    }
    model_tell_changed(m, &f, ILK_ON_ADD, NULL);
    model_frame_end(m, &f);
    free(those.list);
    return first;
}

// Moves a component aside.
static void keep(model_world* m, ilk_entity e, uint32_t type) {
    model_entity* slot = &m->slots[e.index];
    model_component* c = component_of(slot, type);
    if (m->kept_count == m->kept_capacity) {
        m->kept_capacity = m->kept_capacity ? 2 * m->kept_capacity : 16;
        m->kept = must(realloc(m->kept, m->kept_capacity * sizeof *m->kept));
    }
    m->kept[m->kept_count++] = (model_aside){e, *c};
    *c = slot->components[--slot->count];
    slot->shifted = ++m->now;
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
        if (!faults && m->is_out[type]) keep(m, list[i], type);
        if (!faults && !m->is_out[type]) take(m, list[i].index, model_find(m, list[i], type));
        if (!faults && !is_together) go_if_dying(m, list[i]);
    }
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
    for (uint32_t i = 0; i < those.count && m->types[type].outlives; i++)
        go_if_dying(m, those.list[i]);
    free(those.list);
    return model_type_faults(m, type) | first;
}

model_faults model_unregister(model_world* m, const ilk_entity* list, uint32_t count,
                              uint32_t type) {
    if (type == MODEL_NO_TYPE) return MODEL_FAULT(INVALID);
    if (m->types[type].fault != ILK_OK) return 1u << m->types[type].fault;
    if (m->numbers[type] == UINT32_MAX || m->is_out[type]) return MODEL_FAULT(MISSING);
    bool is_own = type == m->inactive || type == m->dying || model_is_indexed(m, type);
    if (is_own || model_relates(m, type)) return MODEL_FAULT(INVALID);
    m->is_out[type] = true;
    model_remove_many(m, list, count, type);
    return MODEL_FINE;
}

void model_forget_kept(model_world* m, uint32_t type) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < m->kept_count; i++) {
        bool is_lost = m->kept[i].component.type == type && gone(m, m->kept[i].entity);
        if (is_lost) take_value(m, &m->kept[i].component);
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
        take_value(m, &k->component);
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

model_faults model_spawn_many(model_world* m, ilk_entity* made, uint32_t count,
                              const uint32_t* types, uint32_t type_count) {
    model_faults faults = model_no_room(m, count) | list_faults(m, types, type_count);
    for (uint32_t i = 0; i < type_count; i++)
        if (model_relates(m, types[i])) faults |= MODEL_FAULT(INVALID);
    if (faults) return faults;
    for (uint32_t i = 0; i < count; i++) {
        made[i] = use_slot(m);
        for (uint32_t k = 0; k < type_count; k++)
            if (types[k] != MODEL_NO_TYPE) give(m, made[i].index, (model_value){types[k], NULL});
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
