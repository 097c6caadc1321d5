// The state of the naive model as a number: everything that ilk_hash is said to look at, read in
// the plainest way. Two states have the same digest exactly if they are the same, but for chance.
#include "model_digest.h"

#include <stdlib.h>
#include <string.h>

#include "model_rel.h"

static uint64_t stir(uint64_t digest, uint64_t number) {
    digest = (digest ^ number) + 0x9e3779b97f4a7c15u;
    digest = (digest ^ digest >> 30) * 0xbf58476d1ce4e5b9u;
    digest = (digest ^ digest >> 27) * 0x94d049bb133111ebu;
    return digest ^ digest >> 31;
}

static uint64_t stir_entity(uint64_t digest, ilk_entity e) {
    return stir(digest, (uint64_t)e.generation << 32 | e.index);
}

static uint64_t stir_bytes(uint64_t digest, const unsigned char* bytes, size_t size) {
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        size_t left = size - i;
        uint64_t word = 0;
        memcpy(&word, bytes + i, left < sizeof word ? left : sizeof word);
        digest = stir(digest, word);
    }
    return digest;
}

// What counts of a value that is neither a link nor a name. (A resource may be of the type of
// names, which has hooks and describes nothing.)
static uint64_t stir_value(const model_type* type, uint64_t digest, const unsigned char* bytes) {
    if (type->fields) {
        for (const ilk_field* f = type->fields; f->name; f++)
            digest = stir_bytes(digest, bytes + f->offset, f->size);
        return digest;
    }
    bool is_hidden = type->owner || type->is_name || type->unrecorded;
    return is_hidden ? digest : stir_bytes(digest, bytes, type->size);
}

static uint64_t stir_links(const model_world* m, uint64_t digest, ilk_entity e, uint32_t type) {
    uint32_t value = m->types[type].value, count = model_count_from(m, e, type);
    for (uint32_t i = 0; i < count; i++) {
        const model_edge* edge = model_edge_from(m, e, type, i);
        digest = stir_entity(digest, edge->target);
        if (value != MODEL_NO_TYPE) digest = stir_value(&m->types[value], digest, edge->bytes);
    }
    return digest;
}

// The name, and who is found by it before.
static uint64_t stir_name(const model_world* m, uint64_t digest, ilk_entity e) {
    uint32_t name = model_name_of(m, e);
    ilk_entity parent = model_parent(m, e), before = {0, 0};
    uint32_t count = model_all_named(m, parent, name, NULL);
    ilk_entity* list = calloc(count + 1, sizeof *list);
    if (!list) abort();
    model_all_named(m, parent, name, list);
    for (uint32_t i = 1; i < count; i++)
        if (ilk_same(list[i], e)) before = list[i - 1];
    free(list);
    return stir_entity(stir(digest, name), before);
}

static uint64_t digest_component(const model_world* m, ilk_entity e, const model_component* c) {
    const model_type* type = &m->types[c->type];
    uint64_t digest = stir_entity(stir(stir(1, c->type), c->off), e);
    if (type->relation) return stir_links(m, digest, e, c->type);
    if (type->is_name) return stir_name(m, digest, e);
    return stir_value(type, digest, c->bytes);
}

uint64_t model_digest_entity(const model_world* m, uint32_t slot) {
    ilk_entity e = model_entity_at(m, slot);
    if (ilk_is_null(e)) return 0;
    uint64_t sum = stir_entity(2, e);
    const model_entity* at = &m->slots[slot];
    for (uint32_t i = 0; i < at->count; i++) sum += digest_component(m, e, &at->components[i]);
    return sum;
}

// The order of those who relate to an entity.
static uint64_t digest_sources(const model_world* m, ilk_entity e, uint32_t type) {
    uint64_t digest = stir_entity(stir(3, type), e);
    uint32_t count = model_count_to(m, e, type);
    for (uint32_t i = 0; i < count; i++)
        digest = stir_entity(digest, model_edge_to(m, e, type, i)->source);
    return count ? digest : 0;
}

static uint64_t digest_all_sources(const model_world* m) {
    uint64_t sum = 0;
    for (uint32_t type = 0; type < m->type_total; type++)
        for (uint32_t i = 0; m->types[type].relation && i < m->slot_count; i++)
            sum += digest_sources(m, model_entity_at(m, i), type);
    return sum;
}

static uint64_t digest_kept(const model_world* m, const model_aside* kept) {
    const model_component* c = &kept->component;
    uint64_t digest = stir_entity(stir(stir(4, c->type), c->off), kept->entity);
    return model_alive(m, kept->entity) ? stir_value(&m->types[c->type], digest, c->bytes) : 0;
}

uint64_t model_digest(const model_world* m) {
    uint64_t sum = m->edge_count ? digest_all_sources(m) : 0;
    for (uint32_t i = 0; i < m->slot_count; i++) sum += model_digest_entity(m, i);
    for (uint32_t i = 0; i < m->kept_count; i++) sum += digest_kept(m, &m->kept[i]);
    for (uint32_t i = 0; i < m->resource_count; i++) {
        const model_resource* resource = &m->resources[i];
        uint64_t digest = stir(5, resource->type);
        sum += stir_value(&m->types[resource->type], digest, resource->bytes);
    }
    return sum;
}
