// Resources of the naive model: a list.
#include "model.h"

#include <stdlib.h>
#include <string.h>

model_resource* model_resource_find(const model_world* m, uint32_t type) {
    for (uint32_t i = 0; i < m->resource_count; i++)
        if (m->resources[i].type == type) return &m->resources[i];
    return NULL;
}

static bool owns(const model_world* m, const model_resource* resource) {
    uint32_t first = 0;
    if (m->types[resource->type].owner) memcpy(&first, resource->bytes, sizeof first);
    return first != 0;
}

static void fill(model_world* m, model_resource* resource, const void* bytes) {
    const model_type* type = &m->types[resource->type];
    if (!bytes) bytes = type->fresh;
    memset(resource->bytes, 0, type->size);
    if (bytes) memcpy(resource->bytes, bytes, type->size);
    m->owned += owns(m, resource);
    resource->is_recent = true;
}

static model_resource* make(model_world* m, uint32_t type) {
    m->resources = realloc(m->resources, (m->resource_count + 1) * sizeof *m->resources);
    if (!m->resources) abort();
    model_resource* made = &m->resources[m->resource_count++];
    *made = (model_resource){.type = type, .bytes = malloc(m->types[type].size + 1)};
    if (!made->bytes) abort();
    return made;
}

// What says something of entities is none.
static model_faults resource_faults(const model_world* m, uint32_t type) {
    model_faults faults = model_value_faults(m, type);
    if (faults) return faults;
    const model_type* its = &m->types[type];
    bool is_of_entities =
        its->relation || its->is_name || its->is_id || its->is_inactive || its->is_dying;
    return is_of_entities ? MODEL_FAULT(INVALID) : MODEL_FINE;
}

model_faults model_resource_set(model_world* m, model_value value) {
    model_faults faults = resource_faults(m, value.type);
    if (faults) return faults;
    model_resource* resource = model_resource_find(m, value.type);
    if (resource) m->owned -= owns(m, resource);
    fill(m, resource ? resource : make(m, value.type), value.bytes);
    return MODEL_FINE;
}

model_faults model_resource_ensure(model_world* m, uint32_t type) {
    model_faults faults = resource_faults(m, type);
    if (faults) return faults;
    model_resource* resource = model_resource_find(m, type);
    if (resource)
        resource->is_recent = true;
    else
        fill(m, make(m, type), NULL);
    return MODEL_FINE;
}

model_faults model_resource_mark(model_world* m, uint32_t type) {
    model_faults faults = model_value_faults(m, type);
    if (faults) return faults;
    model_resource* resource = model_resource_find(m, type);
    if (resource) resource->is_recent = true;
    return resource ? MODEL_FINE : MODEL_FAULT(MISSING);
}

model_faults model_resource_remove(model_world* m, uint32_t type) {
    model_faults faults = model_resource_mark(m, type);
    if (faults) return faults;
    model_resource* resource = model_resource_find(m, type);
    m->owned -= owns(m, resource);
    free(resource->bytes);
    *resource = m->resources[--m->resource_count];
    return MODEL_FINE;
}

void model_resources_free(model_world* m) {
    while (m->resource_count) model_resource_remove(m, m->resources[0].type);
    free(m->resources);
}
