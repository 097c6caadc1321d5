// Names of blueprints in a world.
//
// The texts of their names have numbers, by which the blueprints are listed. They are found by the
// name or by the id, each by its hash, in the same time however many there are.
#include "blueprint.h"

#include "../containers/glossary.h"

typedef struct ilki_blueprints {
    ilki_glossary names;
    ilki_finder ids;
    ilk_blueprint** list; // by the numbers of their names; NULL: nobody's
    uint32_t capacity;
} ilki_blueprints;

static ilk_blueprint* find_blueprint(const ilk_world* world, const char* name) {
    const ilki_blueprints* all = world->blueprints;
    uint32_t number = all ? ilki_word_find(&all->names, name, strlen(name)) : 0;
    return number ? all->list[number] : NULL;
}

const ilk_blueprint* ilki_blueprint_of_id(const ilk_world* world, uint32_t id) {
    const ilki_blueprints* all = world->blueprints;
    uint32_t hash = ilki_hash_number(id), at = hash, number;
    while (all && (number = ilki_finder_next(&all->ids, hash, &at)) != ILKI_NOT_FOUND) {
        if (all->list[number]->id == id) return all->list[number];
    }
    return NULL;
}

static ilk_result refuse_name(ilk_world* world, const char* name, const ilk_blueprint* blueprint,
                              const char* call) {
    const char* why = !name || !name[0] ? "there is no name"
                      : !blueprint      ? "the blueprint is NULL"
                                        : NULL;
    if (why) return ilki_fail_because(world, ILK_INVALID, call, NULL, "%s", why);
    const char* owned = ilki_blueprint_owned(blueprint);
    if (owned) {
        return ilki_fail_because(world, ILK_INVALID, call, NULL, "the blueprint is %s", owned);
    }
    if (!find_blueprint(world, name)) return ILK_OK;
    return ilki_fail_because(world, ILK_EXISTS, call, NULL,
                             "there is a blueprint \"%s\" in world \"%s\" already", name,
                             world->name);
}

// The list, made when it is first needed; or NULL.
static ilki_blueprints* blueprints_of(ilk_world* world) {
    if (!world->blueprints) {
        world->blueprints = ilki_alloc_zero(&world->storage.memory, ILKI_OTHER,
                                            sizeof *world->blueprints, _Alignof(ilki_blueprints));
    }
    return world->blueprints;
}

// Makes room for one more, whichever number it is to have.
static bool ready_to_register(ilki_blueprints* all, ilki_memory* memory) {
    const ilki_glossary* names = &all->names;
    return ilki_finder_ready(&all->ids, memory, names->alive + 1) &&
           ilki_grow(memory, ILKI_OTHER, &all->list, &all->capacity, names->count + 2,
                     sizeof *all->list);
}

ilk_result ilk_blueprint_register(ilk_world* world, const char* name, ilk_blueprint* blueprint) {
    const char* call = "ilk_blueprint_register";
    ilk_result result = ilki_enter(world, call);
    if (result == ILK_OK) result = refuse_name(world, name, blueprint, call);
    if (result != ILK_OK) return result;
    ilki_memory* memory = &world->storage.memory;
    ilki_blueprints* all = blueprints_of(world);
    bool is_ready = all && ready_to_register(all, memory);
    uint32_t number = is_ready ? ilki_word_take(&all->names, memory, name, strlen(name)) : 0;
    if (!number) return ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    ilki_finder_put(&all->ids, ilki_hash_number(blueprint->id), number);
    all->list[number] = blueprint;
    blueprint->number = number;
    blueprint->world = world;
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
    ilki_blueprints* all = blueprint->world->blueprints;
    ilki_finder_take(&all->ids, ilki_hash_number(blueprint->id), blueprint->number);
    ilki_word_drop(&all->names, &blueprint->world->storage.memory, blueprint->number);
    all->list[blueprint->number] = NULL;
    blueprint->world = NULL;
}

void ilki_blueprints_free(ilk_world* world) {
    ilki_blueprints* all = world->blueprints;
    ilki_memory* memory = &world->storage.memory;
    if (!all) return;
    for (uint32_t i = all->names.count; i-- > 1;) ilk_blueprint_destroy(all->list[i]);
    ilki_glossary_fini(&all->names, memory);
    ilki_finder_fini(&all->ids, memory);
    ilki_free(memory, ILKI_OTHER, all->list, all->capacity * sizeof *all->list,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_OTHER, all, sizeof *all, _Alignof(ilki_blueprints));
    world->blueprints = NULL;
}
