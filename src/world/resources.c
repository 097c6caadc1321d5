// Resources: a list in order of making, and for each type id where in the list its resource is.
//
// Each value has a piece of memory of its own, so that it stays where it is. Finding one takes two
// steps; removing one moves the list's later entries down by one.
#include <ilk/resource.h>

#include "../component/registry.h"
#include "world.h"

// Where a resource is in the list, from 1; 0 if it is not there.
static uint32_t place_of_resource(const ilki_resources* resources, const ilk_type* type) {
    uint32_t id = type ? ILKI_ID(type) : 0;
    return id < resources->place_capacity ? resources->places[id] : 0;
}

static ilki_resource* find_resource(const ilk_world* world, ilk_type* type) {
    if (!world || !type) return NULL;
    ilki_type_recall(type);
    uint32_t place = place_of_resource(&world->resources, type);
    return place ? &world->resources.list[place - 1] : NULL;
}

// Comes before every write.
static void mark_resource(ilk_world* world, ilki_resource* resource) {
    if (ILKI_UNLIKELY(resource->is_shared)) world->resources.save(world, resource);
    resource->changed = world->storage.view.tick;
}

static ilk_result fail_to_find_resource(ilk_world* world, ilk_type* type, const char* call) {
    if (ilki_refuse(world, type, call)) return ilki_last_result(world);
    return ilki_fail_because(world, ILK_MISSING, call, type, "world \"%s\" has no resource %s",
                             world->name, type->name);
}

// A value that has no bytes needs no memory, but an address.
size_t ilki_resource_room(const ilk_type* type) {
    return type->size ? type->size : 1;
}

bool ilki_resource_ready_to_be(ilk_world* world, const ilk_type* type, uint32_t count) {
    ilki_memory* memory = &world->storage.memory;
    ilki_resources* resources = &world->resources;
    return ilki_grow(memory, ILKI_OTHER, &resources->list, &resources->capacity, count,
                     sizeof *resources->list) &&
           ilki_grow(memory, ILKI_OTHER, &resources->places, &resources->place_capacity,
                     type->id + 1, sizeof *resources->places);
}

// Makes room for a resource of a type. The memory for its value; NULL if there is none.
static void* ready_for_resource(ilk_world* world, const ilk_type* type) {
    ilki_memory* memory = &world->storage.memory;
    bool is_ready = ilki_resource_ready_to_be(world, type, world->resources.count + 1);
    return is_ready ? ilki_alloc(memory, ILKI_OTHER, ilki_resource_room(type), type->align) : NULL;
}

// Whether a type is of entities alone: a relation, a name, an id, a tag of ilk's own. Then INVALID
// is noted.
static bool refuse_for_resource(ilk_world* world, const ilk_type* type, const char* call) {
    if (!type->relation && !ilki_own_type(type->name)) return false;
    ilki_fail_because(world, ILK_INVALID, call, type,
                      "%s says something of an entity, and a world is none", type->name);
    return true;
}

// Makes a resource that is not there. NULL, and the failure is noted.
static ilki_resource* add_resource(ilk_world* world, ilk_value given, const char* call) {
    ilki_resources* resources = &world->resources;
    ilk_type* type = ilki_type_for(world, given.type, call);
    if (!type || refuse_for_resource(world, type, call)) return NULL;
    void* value = ready_for_resource(world, type);
    if (!value) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, type);
        return NULL;
    }
    ilki_value_fill(type, value, given.bytes);
    ilki_resource* resource = &resources->list[resources->count++];
    *resource = (ilki_resource){.type = type, .value = value};
    resources->places[type->id] = resources->count;
    mark_resource(world, resource);
    return resource;
}

// Puts a new value in the place of an old one. A value may be given to itself.
static void overwrite_resource(ilk_world* world, ilki_resource* resource, const void* bytes) {
    mark_resource(world, resource);
    if (bytes == resource->value) return;
    ilki_value_drop(resource->type, resource->value);
    ilki_value_fill(resource->type, resource->value, bytes);
}

ilk_result ilk_resource_set(ilk_world* world, ilk_value value) {
    const char* call = "ilk_resource_set";
    ilk_result result = ilki_enter_for(world, ILKI_NULL, value.type, call);
    if (result != ILK_OK) return result;
    ilki_resource* resource = find_resource(world, value.type);
    if (!resource) return add_resource(world, value, call) ? ILK_OK : ilki_last_result(world);
    overwrite_resource(world, resource, value.bytes);
    return ILK_OK;
}

const void* ilk_resource_get(const ilk_world* world, ilk_type* type) {
    if (world && !ilki_may_use_resource(world, type, "ilk_resource_get")) return NULL;
    ilki_resource* resource = find_resource(world, type);
    if (!resource) return NULL;
    if (ILKI_UNLIKELY(!resource->value)) ilki_show_resource(world, resource, "ilk_resource_get");
    return resource->value;
}

void* ilk_resource_edit(ilk_world* world, ilk_type* type) {
    const char* call = "ilk_resource_edit";
    if (ilki_enter_to_edit_resource(world, type, call) != ILK_OK) return NULL;
    ilki_resource* resource = find_resource(world, type);
    if (!resource) {
        fail_to_find_resource(world, type, call);
        return NULL;
    }
    mark_resource(world, resource);
    return resource->value;
}

void* ilk_resource_ensure(ilk_world* world, ilk_type* type) {
    const char* call = "ilk_resource_ensure";
    if (ilki_enter_for(world, ILKI_NULL, type, call) != ILK_OK) return NULL;
    ilki_resource* resource = find_resource(world, type);
    if (!resource) resource = add_resource(world, (ilk_value){type, NULL}, call);
    if (!resource) return NULL;
    mark_resource(world, resource);
    return resource->value;
}

bool ilk_resource_has(const ilk_world* world, ilk_type* type) {
    return find_resource(world, type) != NULL;
}

uint64_t ilk_resource_changed(const ilk_world* world, ilk_type* type) {
    if (world && !ilki_may_use_resource(world, type, "ilk_resource_changed")) return 0;
    const ilki_resource* resource = find_resource(world, type);
    return resource ? resource->changed : 0;
}

static void drop_resource(ilk_world* world, const ilki_resource* resource) {
    ilki_value_drop(resource->type, resource->value);
    ilki_free(&world->storage.memory, ILKI_OTHER, resource->value,
              ilki_resource_room(resource->type), resource->type->align);
}

// Takes the resource at a place out of the list, and drops its value.
static void take_out_resource(ilk_world* world, uint32_t at) {
    ilki_resources* resources = &world->resources;
    ilki_resource gone = resources->list[at];
    resources->places[gone.type->id] = 0;
    resources->count--;
    for (uint32_t i = at; i < resources->count; i++) {
        resources->list[i] = resources->list[i + 1];
        resources->places[resources->list[i].type->id] = i + 1;
    }
    if (gone.is_shared)
        resources->yield(world, &gone);
    else
        drop_resource(world, &gone);
}

ilk_result ilk_resource_remove(ilk_world* world, ilk_type* type) {
    const char* call = "ilk_resource_remove";
    ilk_result result = ilki_enter_for(world, ILKI_NULL, type, call);
    if (result != ILK_OK) return result;
    const ilki_resource* resource = find_resource(world, type);
    if (!resource) return fail_to_find_resource(world, type, call);
    take_out_resource(world, (uint32_t)(resource - world->resources.list));
    return ILK_OK;
}

void ilki_resources_free(ilk_world* world) {
    ilki_memory* memory = &world->storage.memory;
    ilki_resources* resources = &world->resources;
    while (resources->count) take_out_resource(world, resources->count - 1);
    ilki_free(memory, ILKI_OTHER, resources->list, resources->capacity * sizeof *resources->list,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_OTHER, resources->places,
              resources->place_capacity * sizeof *resources->places, _Alignof(max_align_t));
}

const char* ilki_resources_validate(const ilk_world* world) {
    const ilki_resources* resources = &world->resources;
    uint32_t placed = 0;
    for (uint32_t i = 0; i < resources->place_capacity; i++) placed += resources->places[i] != 0;
    if (placed != resources->count) return "resources: not all are found by their ids";
    for (uint32_t i = 0; i < resources->count; i++) {
        const ilki_resource* resource = &resources->list[i];
        if (place_of_resource(resources, resource->type) != i + 1) {
            return "resources: one is not where its id says";
        }
        if ((uintptr_t)resource->value % resource->type->align) {
            return "resources: one is not aligned";
        }
        if (resource->changed > world->storage.view.tick) {
            return "resources: one has changed in a tick to come";
        }
    }
    return NULL;
}
