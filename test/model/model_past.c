// The past of the naive model. A past is a world that has nothing but what comes back.
#include "model_past.h"

#include <stdlib.h>
#include <string.h>

#include "model_rel.h"

struct model_past {
    model_world was;
    bool* is_out; // by type
    uint32_t* outs;
};

static void* copy_of(const void* array, size_t count, size_t size) {
    void* copy = must(malloc(count * size + 1));
    if (count && size) memcpy(copy, array, count * size);
    return copy;
}

// Entities

static void copy_entity(const model_world* m, model_entity* to) {
    to->components = copy_of(to->components, to->count, sizeof *to->components);
    to->capacity = to->count;
    for (uint32_t i = 0; i < to->count; i++) {
        model_component* c = &to->components[i];
        c->bytes = copy_of(c->bytes, 1, m->types[c->type].size);
    }
}

static void copy_entities(model_world* to, const model_world* from) {
    to->slot_count = to->slot_capacity = from->slot_count;
    to->slots = copy_of(from->slots, from->slot_count, sizeof *to->slots);
    for (uint32_t i = 0; i < to->slot_count; i++) copy_entity(from, &to->slots[i]);
    to->freed = must(malloc(from->slot_count * sizeof *to->freed + 1));
    to->freed_count = from->freed_count;
    if (from->freed_count) memcpy(to->freed, from->freed, from->freed_count * sizeof *to->freed);
    to->alive = from->alive;
    to->retired = from->retired;
    to->promised = from->promised;
    to->ever = from->ever;
}

static void free_entities(model_world* m) {
    for (uint32_t i = 0; i < m->slot_count; i++) {
        for (uint32_t k = 0; k < m->slots[i].count; k++) free(m->slots[i].components[k].bytes);
        free(m->slots[i].components);
    }
    free(m->slots);
    free(m->freed);
}

// Relations

static void copy_edges(model_world* to, const model_world* from) {
    to->edge_count = to->edge_capacity = from->edge_count;
    to->edges = copy_of(from->edges, from->edge_count, sizeof *to->edges);
    for (uint32_t i = 0; i < to->edge_count; i++) {
        model_edge* e = &to->edges[i];
        uint32_t value = from->types[e->type].value;
        if (e->bytes) e->bytes = copy_of(e->bytes, 1, from->types[value].size + 1);
    }
}

static void free_edges(model_world* m) {
    for (uint32_t i = 0; i < m->edge_count; i++) free(m->edges[i].bytes);
    free(m->edges);
}

// Resources. Where they lie is another matter afterwards.

static void copy_resources(model_world* to, const model_world* from) {
    to->resource_count = from->resource_count;
    to->resources = copy_of(from->resources, from->resource_count, sizeof *to->resources);
    for (uint32_t i = 0; i < to->resource_count; i++) {
        model_resource* resource = &to->resources[i];
        resource->bytes = copy_of(resource->bytes, 1, from->types[resource->type].size);
        resource->place = NULL;
    }
}

static void free_resources(model_world* m) {
    for (uint32_t i = 0; i < m->resource_count; i++) free(m->resources[i].bytes);
    free(m->resources);
}

// Events

static void copy_events(model_world* to, const model_world* from) {
    to->events.count = to->events.capacity = from->events.count;
    to->events.list = copy_of(from->events.list, from->events.count, sizeof *to->events.list);
    for (uint32_t i = 0; i < to->events.count; i++) {
        model_event* event = &to->events.list[i];
        event->bytes = copy_of(event->bytes, 1, from->types[event->type].size + 1);
    }
}

static void free_events(model_world* m) {
    for (uint32_t i = 0; i < m->events.count; i++) free(m->events.list[i].bytes);
    free(m->events.list);
}

// Values that own something

static bool owns(const model_type* type, const unsigned char* bytes) {
    uint32_t first = 0;
    if (type->owner && bytes) memcpy(&first, bytes, sizeof first);
    return first != 0;
}

static uint64_t owned_by(const model_type* types, const model_entity* slot) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < slot->count; i++)
        count += owns(&types[slot->components[i].type], slot->components[i].bytes);
    return count;
}

static uint64_t count_owned(const model_world* m) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < m->slot_count; i++) count += owned_by(m->types, &m->slots[i]);
    for (uint32_t i = 0; i < m->edge_count; i++) {
        const model_edge* e = &m->edges[i];
        if (e->bytes) count += owns(&m->types[m->types[e->type].value], e->bytes);
    }
    for (uint32_t i = 0; i < m->resource_count; i++)
        count += owns(&m->types[m->resources[i].type], m->resources[i].bytes);
    for (uint32_t i = 0; i < m->events.count; i++)
        count += owns(&m->types[m->events.list[i].type], m->events.list[i].bytes);
    for (uint32_t i = 0; i < m->kept_count; i++)
        count += owns(&m->types[m->kept[i].component.type], m->kept[i].component.bytes);
    return count;
}

// Every value of a type that may own something, whether or not it did: what a value owns may change
// between the moment that is remembered and the one in which a snapshot comes to have it.
static uint64_t count_owners(const model_world* m) {
    uint64_t count = m->edge_count + m->resource_count + m->events.count + m->kept_count;
    for (uint32_t i = 0; i < m->slot_count; i++) {
        for (uint32_t k = 0; k < m->slots[i].count; k++) {
            count += m->types[m->slots[i].components[k].type].owner != 0;
        }
    }
    return count;
}

uint64_t model_past_owned(const model_past* past) {
    return past->was.owned;
}

// The whole

static void copy_state(model_world* to, const model_world* from) {
    copy_entities(to, from);
    copy_edges(to, from);
    copy_resources(to, from);
    copy_events(to, from);
}

static void free_state(model_world* m) {
    free_entities(m);
    free_edges(m);
    free_resources(m);
    free_events(m);
}

static bool is_single(const model_world* m, uint32_t type) {
    uint32_t value = m->types[type].relation ? m->types[type].value : MODEL_NO_TYPE;
    bool is_single = m->types[type].single && !m->types[type].unrecorded;
    return is_single || (value != MODEL_NO_TYPE && m->types[value].single);
}

static bool has_single(const model_world* m, const model_entity* slot) {
    for (uint32_t i = 0; i < slot->count; i++)
        if (is_single(m, slot->components[i].type)) return true;
    return false;
}

model_faults model_past_take_faults(const model_world* m) {
    bool is_any = false;
    for (uint32_t i = 0; i < m->slot_count; i++) is_any |= has_single(m, &m->slots[i]);
    for (uint32_t i = 0; i < m->resource_count; i++) is_any |= is_single(m, m->resources[i].type);
    for (uint32_t i = 0; i < m->type_total; i++) is_any |= is_single(m, i) && model_kept(m, i) > 0;
    return is_any ? MODEL_FAULT(INVALID) : MODEL_FINE;
}

model_faults model_past_faults(const model_world* m, const model_past* past) {
    for (uint32_t i = 0; i < m->type_total; i++) {
        if (m->is_out[i] != past->is_out[i]) return MODEL_FAULT(CLASH);
        if (m->is_out[i] && m->outs[i] != past->outs[i]) return MODEL_FAULT(CLASH);
    }
    return MODEL_FINE;
}

model_past* model_past_take(const model_world* m) {
    model_past* past = must(calloc(1, sizeof *past));
    past->was.types = m->types;
    past->was.type_total = m->type_total;
    copy_state(&past->was, m);
    past->was.events.sent = m->events.sent;
    memcpy(past->was.events.readers, m->events.readers, sizeof m->events.readers);
    past->was.events.channels =
        copy_of(m->events.channels, m->type_total, sizeof *m->events.channels);
    past->is_out = copy_of(m->is_out, m->type_total, sizeof *m->is_out);
    past->outs = copy_of(m->outs, m->type_total, sizeof *m->outs);
    past->was.owned = count_owners(&past->was);
    return past;
}

void model_past_free(model_past* past) {
    free_state(&past->was);
    free(past->was.events.channels);
    free(past->is_out);
    free(past->outs);
    free(past);
}

static void restore_observers(const model_world* m) {
    for (uint32_t i = 0; m->observing && i < MODEL_OBSERVERS; i++) {
        model_observer* o = &m->observing->list[i];
        if (!ilk_is_null(o->entity) && !model_alive(m, o->entity)) o->exists = false;
    }
}

// Values that are unrecorded stay as they are now, or come as the default.
static void take_now(const model_type* type, unsigned char* bytes, const unsigned char* now) {
    const void* from = now ? now : type->fresh;
    if (from)
        memcpy(bytes, from, type->size);
    else
        memset(bytes, 0, type->size);
}

static void take_unrecorded(model_world* m, const model_world* now) {
    for (uint32_t i = 0; i < m->slot_count; i++) {
        ilk_entity e = model_entity_at(m, i);
        for (uint32_t k = 0; k < m->slots[i].count; k++) {
            const model_component* c = &m->slots[i].components[k];
            const model_component* has = model_find(now, e, c->type);
            if (m->types[c->type].unrecorded)
                take_now(&m->types[c->type], c->bytes, has ? has->bytes : NULL);
        }
    }
    for (uint32_t i = 0; i < m->resource_count; i++) {
        const model_resource* resource = &m->resources[i];
        const model_resource* has = model_resource_find(now, resource->type);
        if (m->types[resource->type].unrecorded)
            take_now(&m->types[resource->type], resource->bytes, has ? has->bytes : NULL);
    }
}

void model_past_restore(model_world* m, const model_past* past) {
    model_world now = *m;
    copy_state(m, &past->was);
    take_unrecorded(m, &now);
    free_state(&now);
    model_events_restore(m, &past->was.events);
    m->now++;
    m->owned = count_owned(m);
    restore_observers(m);
}
