// The naive model. There is nothing to explain: each function does what its name says, slowly.
#include "model_bp.h"
#include "model_rel.h"

#include <stdlib.h>
#include <string.h>

#define MODEL_LEAP (1u << 20) // slots that the library may leave unused at a time

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
    m->outs = must(calloc(type_total, sizeof *m->outs));
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

void model_take_value(model_world* m, const model_component* c) {
    uint32_t first = 0;
    if (m->types[c->type].owner) memcpy(&first, c->bytes, sizeof first);
    m->owned -= first != 0;
    free(c->bytes);
}

static void take_all(model_world* m, uint32_t index) {
    model_entity* slot = &m->slots[index];
    for (uint32_t i = 0; i < slot->count; i++) {
        uint32_t type = slot->components[i].type;
        model_take_value(m, &slot->components[i]);
        slot->components[i].bytes = NULL;
        slot->components[i].type = MODEL_NO_TYPE;
        if (model_relates(m, type)) model_cut(m, model_handle(m, index), type);
    }
    slot->count = 0;
    memset(slot->has, 0, sizeof slot->has);
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
    model_drop_kept(m);
    free(m->kept);
    free(m->is_out);
    free(m->outs);
    model_resources_free(m);
    free(m->slots);
    free(m->freed);
    free(m->allowed);
    free(m->numbers);
    free(m->known);
    free(m);
}

// Entities

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

ilk_entity model_make(model_world* m) {
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

model_faults model_present(model_world* m, ilk_entity e, ilk_entity* made) {
    model_tell_new(m, &e, 1);
    m->is_undone = !model_alive(m, e);
    if (!m->is_undone) *made = e;
    return m->is_undone ? MODEL_FAULT(DEAD) : MODEL_FINE;
}

model_faults model_create(model_world* m, ilk_entity* made) {
    model_faults faults = model_no_room(m, 1);
    m->is_undone = false;
    return faults ? faults : model_present(m, model_make(m), made);
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
    model_drop_kept(m);
    m->freed_count = 0;
    for (uint32_t i = m->slot_count; i-- > 0;)
        if (!m->slots[i].retired && !m->is_loose) m->freed[m->freed_count++] = i;
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
}

uint32_t model_wear(model_world* m, uint32_t uses) {
    if (m->no_recycling || m->is_loose || model_no_room(m, 1) || uses >= MODEL_LAST_USE) return 0;
    uint32_t made = m->freed_count == 0;
    if (made) free_slot(m, model_make(m).index);
    model_entity* slot = &m->slots[m->freed[m->freed_count - 1]];
    if (slot->uses >= uses) return made;
    made += uses - slot->uses;
    m->ever += uses - slot->uses;
    slot->uses = uses;
    return made;
}

// Components

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
    slot->has[value.type / 64 % 2] |= (uint64_t)1 << value.type % 64;
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
    model_take_value(m, c);
    fill(m, c, bytes);
    c->changed = ++m->now;
    if (c->off) m->slots[index].shifted = m->now;
    c->off = false;
}

void model_take(model_world* m, uint32_t index, model_component* c) {
    model_entity* slot = &m->slots[index];
    uint32_t type = c->type;
    model_take_value(m, c);
    model_forget_type(slot, type);
    *c = slot->components[--slot->count];
    slot->shifted = ++m->now;
    if (model_relates(m, type)) model_cut(m, model_handle(m, index), type);
}

model_component* model_give_quietly(model_world* m, uint32_t index, model_value value) {
    return give(m, index, value);
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
    model_take(m, e.index, model_find(m, e, type));
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
model_faults model_gone(const model_world* m, ilk_entity e) {
    return model_is_dying(m, e) ? MODEL_FAULT(DEAD) : dead(m, e);
}

void model_go_if_dying(model_world* m, ilk_entity e) {
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
        if (!m->types[slot->components[i].type].outlives)
            model_take(m, e.index, &slot->components[i]);
    give(m, e.index, (model_value){m->dying, NULL});
    f.type = m->dying;
    f.announced = ILK_ON_ADD;
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
}

model_faults model_deactivate(model_world* m, ilk_entity e) {
    model_faults faults = model_gone(m, e);
    if (faults) return faults;
    if (model_is_inactive(m, e)) return MODEL_FAULT(EXISTS);
    if (model_find(m, e, m->inactive)) return model_toggle(m, e, m->inactive, true);
    give_told(m, e, (model_value){m->inactive, NULL});
    return MODEL_FINE;
}

model_faults model_activate(model_world* m, ilk_entity e) {
    model_faults faults = model_gone(m, e);
    if (!faults && !model_is_inactive(m, e)) faults = MODEL_FAULT(MISSING);
    if (!faults) model_take_told(m, e, m->inactive);
    return faults;
}

model_faults model_create_inactive(model_world* m, ilk_entity* made) {
    return model_spawn(m, &(model_value){m->inactive, NULL}, 1, made);
}

// Giving and taking

static model_faults giving_faults(const model_world* m, ilk_entity e, uint32_t type) {
    return model_gone(m, e) | model_withheld(m, type);
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
    return model_gone(m, e) | model_type_faults(m, value.type) | MODEL_FAULT(INVALID);
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
    if (m->types[type].outlives) model_go_if_dying(m, e);
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
        if (type != m->inactive && type != m->dying) model_take(m, e.index, &slot->components[i]);
    }
    slot->shifted = ++m->now;
    model_tell_gone(m, &f);
    model_frame_end(m, &f);
    model_go_if_dying(m, e);
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
