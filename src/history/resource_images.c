#include "resource_images.h"

#include "past.h"

void ilki_resources_cut(const ilk_world* world, ilki_resource_images* images, ilki_cutter* cutter) {
    const ilki_resources* resources = &world->resources;
    images->count = resources->count;
    images->list = ilki_cut(cutter, resources->count, sizeof *images->list);
    for (uint32_t i = 0; images->list && i < resources->count; i++) {
        const ilki_resource* resource = &resources->list[i];
        images->list[i] =
            (ilki_resource_image){.type = resource->type, .changed = resource->changed};
    }
}

ilki_resource_image* ilki_resource_image_of(const ilk_snapshot* snapshot, const ilk_type* type) {
    const ilki_resource_images* images = snapshot ? &snapshot->resources : NULL;
    for (uint32_t i = 0; images && i < images->count; i++) {
        if (images->list[i].type == type) return &images->list[i];
    }
    return NULL;
}

// The same if it is shared; otherwise NULL.
static ilki_resource_image* shared_resource(const ilk_snapshot* snapshot, const ilk_type* type) {
    ilki_resource_image* image = ilki_resource_image_of(snapshot, type);
    return image && !image->own ? image : NULL;
}

// The first snapshot from one on that has a value of its own; NULL: the world has it.
ilk_snapshot* ilki_owner_of_resource(ilk_snapshot* snapshot, const ilk_type* type) {
    while (shared_resource(snapshot, type)) snapshot = snapshot->newer;
    return snapshot;
}

static void* value_in_world(const ilki_resources* resources, const ilk_type* type) {
    uint32_t place = type->id < resources->place_capacity ? resources->places[type->id] : 0;
    return place ? resources->list[place - 1].value : NULL;
}

const void* ilki_past_resource(ilk_snapshot* snapshot, const ilk_type* type) {
    static const char unrecorded; // nobody looks at it
    if (!ilki_resource_image_of(snapshot, type)) return NULL;
    if (type->unrecorded) return &unrecorded;
    const ilk_snapshot* owner = ilki_owner_of_resource(snapshot, type);
    if (owner) return ilki_resource_image_of(owner, type)->own;
    return value_in_world(&snapshot->history->world->resources, type);
}

void* ilki_resource_make(ilki_memory* memory, ilki_use use, const ilk_type* type) {
    void* value = ilki_alloc(memory, use, ilki_resource_room(type), type->align);
    if (value) ilki_values_default(type, value, 1);
    return value;
}

void* ilki_resource_clone(ilki_memory* memory, ilki_use use, const ilk_type* type,
                          const void* value) {
    void* clone = ilki_alloc(memory, use, ilki_resource_room(type), type->align);
    if (clone) ilki_value_copy(type, clone, value);
    return clone;
}

void ilki_resource_unmake(ilki_memory* memory, ilki_use use, const ilk_type* type, void* value) {
    ilki_value_drop(type, value);
    ilki_free(memory, use, value, ilki_resource_room(type), type->align);
}

static void save_value(ilki_history* history, const ilki_resource* resource) {
    ilk_snapshot* newest = history->newest;
    const ilk_type* type = resource->type;
    void* clone =
        ilki_resource_clone(&history->world->storage.memory, ILKI_HISTORY, type, resource->value);
    if (clone) {
        shared_resource(newest, type)->own = clone;
        return;
    }
    for (ilk_snapshot* s = newest; shared_resource(s, type); s = s->older) s->is_lost = true;
}

// Systems that run beside each other write different resources.
static void save_resource(ilk_world* world, ilki_resource* resource) {
    ilki_history* history = world->storage.history;
    ilki_history_hold(history);
    save_value(history, resource);
    ilki_history_let_go(history);
    resource->is_shared = false;
}

// The newest snapshot has the value from now on, and not the world.
static void hand_over(ilki_history* history, const ilki_resource* resource) {
    shared_resource(history->newest, resource->type)->own = resource->value;
    ilki_account_for(&history->world->storage.memory, ILKI_OTHER, ILKI_HISTORY,
                     ilki_resource_room(resource->type));
}

static void yield_resource(ilk_world* world, const ilki_resource* resource) {
    ilki_history_hold(world->storage.history);
    hand_over(world->storage.history, resource);
    ilki_history_let_go(world->storage.history);
}

void ilki_resources_share(ilki_history* history) {
    ilki_resources* resources = &history->world->resources;
    const ilk_snapshot* newest = history->newest;
    resources->save = save_resource;
    resources->yield = yield_resource;
    for (uint32_t i = 0; i < resources->count; i++) resources->list[i].is_shared = false;
    for (uint32_t i = 0; newest && i < newest->resources.count; i++) {
        const ilki_resource_image* image = &newest->resources.list[i];
        uint32_t place = resources->places[image->type->id];
        bool is_shared = place && !image->own && !image->type->unrecorded;
        if (is_shared) resources->list[place - 1].is_shared = true;
    }
}

void ilki_resources_release(ilki_history* history, ilk_snapshot* snapshot) {
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        const ilki_resource_image* image = &snapshot->resources.list[i];
        if (!image->own) continue;
        ilki_resource_image* older = shared_resource(snapshot->older, image->type);
        if (older)
            older->own = image->own;
        else
            ilki_resource_unmake(&history->world->storage.memory, ILKI_HISTORY, image->type,
                                 image->own);
    }
}

// The value that the world is to have: its own, if it still has it; that of the newest snapshot; or
// a copy of that of another. One that is unrecorded stays, or comes as the default.
static void* value_to_come(ilki_history* history, ilk_snapshot* snapshot,
                           const ilki_resource_image* image) {
    const ilki_resources* resources = &history->world->resources;
    void* now = value_in_world(resources, image->type);
    if (image->type->unrecorded) {
        ilki_memory* memory = &history->world->storage.memory;
        return now ? now : ilki_resource_make(memory, ILKI_OTHER, image->type);
    }
    const ilk_snapshot* owner = ilki_owner_of_resource(snapshot, image->type);
    if (!owner) return now;
    if (ilki_is_taken_from(history, snapshot)) return image->own;
    return ilki_resource_clone(&history->world->storage.memory, ILKI_OTHER, image->type,
                               ilki_resource_image_of(owner, image->type)->own);
}

bool ilki_resources_ready(ilki_history* history, ilk_snapshot* snapshot) {
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        ilki_resource_image* image = &snapshot->resources.list[i];
        image->coming = value_to_come(history, snapshot, image);
        if (!image->coming) return false;
    }
    return true;
}

void ilki_resources_give_up(ilki_history* history, ilk_snapshot* snapshot) {
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        ilki_resource_image* image = &snapshot->resources.list[i];
        const void* now = value_in_world(&history->world->resources, image->type);
        bool is_taken = ilki_is_taken_from(history, snapshot) && !image->type->unrecorded;
        bool is_made = image->coming && image->coming != now && !is_taken;
        if (is_made) {
            ilki_resource_unmake(&history->world->storage.memory, ILKI_OTHER, image->type,
                                 image->coming);
        }
        image->coming = NULL;
    }
}

// A resource of the world goes, unless the snapshot has it as it is: to the newest snapshot, if
// that shares it.
static void resource_goes(ilki_history* history, const ilk_snapshot* snapshot,
                          const ilki_resource* resource) {
    const ilki_resource_image* image = ilki_resource_image_of(snapshot, resource->type);
    history->world->resources.places[resource->type->id] = 0;
    if (image && image->coming == resource->value) return;
    if (resource->is_shared)
        hand_over(history, resource);
    else
        ilki_resource_unmake(&history->world->storage.memory, ILKI_OTHER, resource->type,
                             resource->value);
}

static void resource_comes(ilki_history* history, ilki_resource_image* image, uint32_t at,
                           bool is_taken) {
    ilki_resources* resources = &history->world->resources;
    resources->list[at] =
        (ilki_resource){.type = image->type, .value = image->coming, .changed = image->changed};
    resources->places[image->type->id] = at + 1;
    image->coming = NULL;
    if (!is_taken || !image->own) return;
    image->own = NULL;
    ilki_account_for(&history->world->storage.memory, ILKI_HISTORY, ILKI_OTHER,
                     ilki_resource_room(image->type));
}

// There is room in the list: it never shrinks.
void ilki_resources_restore(ilki_history* history, ilk_snapshot* snapshot) {
    ilki_resources* resources = &history->world->resources;
    bool is_taken = ilki_is_taken_from(history, snapshot);
    for (uint32_t i = 0; i < resources->count; i++) {
        resource_goes(history, snapshot, &resources->list[i]);
    }
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        resource_comes(history, &snapshot->resources.list[i], i, is_taken);
    }
    resources->count = snapshot->resources.count;
    ilki_resources_share(history);
}
