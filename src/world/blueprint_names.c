// Names of blueprints in a world: a short list, looked through.
#include "blueprint.h"

static ilk_blueprint* find_blueprint(const ilk_world* world, const char* name) {
    for (uint32_t i = 0; i < world->blueprint_count; i++) {
        if (strcmp(world->blueprints[i]->name, name) == 0) return world->blueprints[i];
    }
    return NULL;
}

const ilk_blueprint* ilki_blueprint_of_id(const ilk_world* world, uint32_t id) {
    for (uint32_t i = 0; i < world->blueprint_count; i++) {
        if (world->blueprints[i]->id == id) return world->blueprints[i];
    }
    return NULL;
}

static ilk_result refuse_name(ilk_world* world, const char* name, const ilk_blueprint* blueprint,
                              const char* call) {
    const char* why = !name || !name[0]   ? "there is no name"
                      : !blueprint        ? "the blueprint is NULL"
                      : blueprint->parent ? "the blueprint is a child"
                      : blueprint->world  ? "the blueprint is registered already"
                                          : NULL;
    if (why) return ilki_fail_because(world, ILK_INVALID, call, NULL, "%s", why);
    if (!find_blueprint(world, name)) return ILK_OK;
    return ilki_fail_because(world, ILK_EXISTS, call, NULL,
                             "there is a blueprint \"%s\" in world \"%s\" already", name,
                             world->name);
}

ilk_result ilk_blueprint_register(ilk_world* world, const char* name, ilk_blueprint* blueprint) {
    const char* call = "ilk_blueprint_register";
    ilk_result result = ilki_enter(world, call);
    if (result == ILK_OK) result = refuse_name(world, name, blueprint, call);
    if (result != ILK_OK) return result;
    ilki_memory* memory = &world->storage.memory;
    char* copy = ilki_grow(memory, ILKI_OTHER, &world->blueprints, &world->blueprint_capacity,
                           world->blueprint_count + 1, sizeof(ilk_blueprint*))
                     ? ilki_alloc(memory, ILKI_OTHER, strlen(name) + 1, 1)
                     : NULL;
    if (!copy) return ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    blueprint->name = strcpy(copy, name);
    blueprint->world = world;
    world->blueprints[world->blueprint_count++] = blueprint;
    return ILK_OK;
}

ilk_blueprint* ilk_blueprint_named(ilk_world* world, const char* name) {
    const char* call = "ilk_blueprint_named";
    if (ilki_enter_to_look(world, call) != ILK_OK) return NULL;
    ilk_blueprint* found = name ? find_blueprint(world, name) : NULL;
    if (!found) {
        ilki_fail_because(world, ILK_MISSING, call, NULL, "world \"%s\" has no blueprint \"%s\"",
                          world->name, name ? name : "");
    }
    return found;
}

void ilki_blueprint_unregister(ilk_blueprint* blueprint) {
    ilk_world* world = blueprint->world;
    uint32_t at = 0;
    while (world->blueprints[at] != blueprint) at++;
    for (world->blueprint_count--; at < world->blueprint_count; at++) {
        world->blueprints[at] = world->blueprints[at + 1];
    }
    ilki_free(&world->storage.memory, ILKI_OTHER, blueprint->name, strlen(blueprint->name) + 1, 1);
    blueprint->name = NULL;
    blueprint->world = NULL;
}

void ilki_blueprints_free(ilk_world* world) {
    while (world->blueprint_count) {
        ilk_blueprint_destroy(world->blueprints[world->blueprint_count - 1]);
    }
    ilki_free(&world->storage.memory, ILKI_OTHER, world->blueprints,
              world->blueprint_capacity * sizeof *world->blueprints, _Alignof(max_align_t));
}
