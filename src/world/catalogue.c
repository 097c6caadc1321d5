// The catalogue: every world of the process while it lives, and who makes them.
//
// A list in order of ids, under a lock that is held for a few steps, and a second one of snapshots
// that are open, which are found by their ids alone. Entering and leaving take the same time
// whatever there is: a world is younger than the others, but for some that other threads are
// making. Finding is a walk. Nothing is allocated, so nothing is left when the last world goes.
#include <ilk/worlds.h>

#include "world.h"

struct ilki_world_list {
    ilk_world *oldest, *youngest;
    uint32_t count;
};

static struct {
    ilki_lock lock;
    ilki_world_list worlds, opened;
    ilk_world_factory factory; // without a function: there is none
} catalogue;

static _Thread_local bool is_in_factory;

static void enter_list(ilki_world_list* list, ilk_world* world) {
    ilki_lock_take(&catalogue.lock);
    ilk_world* older = list->youngest;
    while (older && older->id > world->id) older = older->older;
    ilk_world** before = older ? &older->younger : &list->oldest;
    ilk_world** after = *before ? &(*before)->older : &list->youngest;
    world->older = older;
    world->younger = *before;
    *before = *after = world;
    world->list = list;
    list->count++;
    ilki_lock_give(&catalogue.lock);
}

void ilki_catalogue_enter(ilk_world* world) {
    enter_list(&catalogue.worlds, world);
}

void ilki_catalogue_enter_opened(ilk_world* world) {
    enter_list(&catalogue.opened, world);
}

void ilki_catalogue_leave(ilk_world* world) {
    ilki_world_list* list = world->list;
    if (!list) return;
    ilki_lock_take(&catalogue.lock);
    *(world->older ? &world->older->younger : &list->oldest) = world->younger;
    *(world->younger ? &world->younger->older : &list->youngest) = world->older;
    world->list = NULL;
    list->count--;
    ilki_lock_give(&catalogue.lock);
}

// Whether a world is the one that is looked for.
typedef bool wanted_fn(const ilk_world* world, const void* wanted);

static bool has_id(const ilk_world* world, const void* wanted) {
    return world->id == *(const uint32_t*)wanted;
}

static bool has_name(const ilk_world* world, const void* wanted) {
    return strcmp(world->name, wanted) == 0;
}

static bool has_entity(const ilk_world* world, const void* wanted) {
    return ilki_record_of(&world->storage.view.index, *(const ilk_entity*)wanted) != NULL;
}

static ilk_world* find_world(const ilki_world_list* list, wanted_fn* is_wanted,
                             const void* wanted) {
    ilki_lock_take(&catalogue.lock);
    ilk_world* world = list->oldest;
    while (world && !is_wanted(world, wanted)) world = world->younger;
    ilki_lock_give(&catalogue.lock);
    return world;
}

ilk_world* ilk_world_by_id(uint32_t id) {
    ilk_world* world = find_world(&catalogue.worlds, has_id, &id);
    return world ? world : find_world(&catalogue.opened, has_id, &id);
}

ilk_world* ilk_world_named(const char* name) {
    return name ? find_world(&catalogue.worlds, has_name, name) : NULL;
}

ilk_world* ilk_world_of(ilk_entity e) {
    return find_world(&catalogue.worlds, has_entity, &e);
}

uint32_t ilk_worlds(ilk_world** worlds, uint32_t capacity) {
    ilki_lock_take(&catalogue.lock);
    uint32_t count = catalogue.worlds.count, given = 0;
    for (ilk_world* world = worlds ? catalogue.worlds.oldest : NULL; world && given < capacity;) {
        worlds[given++] = world;
        world = world->younger;
    }
    ilki_lock_give(&catalogue.lock);
    return count;
}

uint32_t ilk_world_count(void) {
    return ilk_worlds(NULL, 0);
}

ilk_result ilk_factory_install(const ilk_world_factory* factory) {
    if (!factory || !factory->create) return ILK_INVALID;
    ilki_lock_take(&catalogue.lock);
    bool is_free = !catalogue.factory.create;
    if (is_free) catalogue.factory = *factory;
    ilki_lock_give(&catalogue.lock);
    return is_free ? ILK_OK : ILK_EXISTS;
}

ilk_result ilk_factory_remove(void) {
    ilki_lock_take(&catalogue.lock);
    bool is_there = catalogue.factory.create != NULL;
    catalogue.factory = (ilk_world_factory){0};
    ilki_lock_give(&catalogue.lock);
    return is_there ? ILK_OK : ILK_MISSING;
}

static ilk_world_factory present_factory(void) {
    ilki_lock_take(&catalogue.lock);
    ilk_world_factory factory = catalogue.factory;
    ilki_lock_give(&catalogue.lock);
    return factory;
}

static ilk_world* make_by_factory(ilk_world_factory factory, const ilk_world_desc* desc,
                                  const char* call) {
    if (is_in_factory) {
        ilki_tell_maker(desc, ILK_INVALID, call, "the factory itself is to call ilk_world_make");
        return NULL;
    }
    ilki_here place = ilki_place_of_call();
    is_in_factory = true;
    ilk_world* world = factory.create(factory.context, desc);
    is_in_factory = false;
    ilki_set_place_of_call(place);
    if (!world) ilki_tell_maker(desc, ILK_MISSING, call, "the factory made no world");
    return world;
}

static const ilk_world_desc plain_desc;

ilk_world* ilk_world_create(const ilk_world_desc* desc) {
    const char* call = "ilk_world_create";
    ilk_world_factory factory = present_factory();
    if (!desc) desc = &plain_desc;
    return factory.create ? make_by_factory(factory, desc, call) : ilki_world_make(desc, call);
}

ilk_world* ilk_world_make(const ilk_world_desc* desc) {
    return ilki_world_make(desc ? desc : &plain_desc, "ilk_world_make");
}
