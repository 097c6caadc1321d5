// Recipes: lists of types, as callers write them, understood once.
#include <string.h>

#include "world.h"

static ilk_type* type_at(ilk_type* const* types, size_t stride, uint32_t at) {
    return *(ilk_type* const*)(const void*)((const unsigned char*)(const void*)types + at * stride);
}

// The key of a list: the id of each type. False if one of them cannot be used.
static bool make_key(ilk_world* world, ilk_type* const* types, size_t stride, uint32_t count,
                     const char* call) {
    if (!ilki_grow(&world->storage.memory, ILKI_OTHER, &world->key, &world->key_capacity, count + 1,
                   sizeof *world->key)) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        ilk_type* type = type_at(types, stride, i);
        const ilki_directory* directory = type ? ilki_directory_for(world, type, call) : NULL;
        if (type && !directory) return false;
        if (directory && !ilki_may_give(world, directory, call)) return false;
        if (directory && ilki_refuse_indexed(world, type, call)) return false;
        world->key[i] = type ? ilki_atomic_load(&type->id) : ILKI_NONE;
    }
    return true;
}

// Puts the numbers of a list's types in order into the storage's set. Returns how many, or
// ILKI_NONE if a type is there twice.
static uint32_t sort_types(ilk_world* world, uint32_t count, const char* call) {
    ilki_storage* storage = &world->storage;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (world->key[i] == ILKI_NONE) continue;
        const ilki_directory* directory = storage->view.by_id[world->key[i]];
        if (ilki_set_insert(storage->set, &found, directory->number)) continue;
        ilki_fail_because(world, ILK_EXISTS, call, directory->type, "%s is there twice in one list",
                          directory->type->name);
        return ILKI_NONE;
    }
    return found;
}

static size_t recipe_bytes(uint32_t count) {
    return sizeof(ilki_recipe) + count * (sizeof(ilki_directory*) + sizeof(uint32_t));
}

// Whether a type of a recipe is quick, or a relation. The checked build is never quick.
static bool is_quick_or_related(const ilki_directory* directory) {
#ifdef ILK_CHECKED
    (void)directory;
    return false;
#else
    return directory && (directory->is_quick || directory->relation);
#endif
}

static void refresh_recipe(const ilk_world* world, ilki_recipe* recipe) {
    bool is_quick = recipe->ilk != NULL && !world->tells_new;
    for (uint32_t i = 0; i < recipe->count; i++) {
        is_quick = is_quick && is_quick_or_related(recipe->directories[i]);
    }
    recipe->is_quick = is_quick && !recipe->relates;
    recipe->is_quickly_related = is_quick && recipe->relates && !world->observers;
}

static void fill(const ilk_world* world, ilki_recipe* recipe, uint32_t count, ilki_ilk* ilk) {
    recipe->ilk = ilk;
    recipe->count = count;
    recipe->ids = (uint32_t*)(void*)(recipe->directories + count);
    recipe->relates = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = world->key[i];
        ilki_directory* directory = id == ILKI_NONE ? NULL : world->storage.view.by_id[id];
        recipe->ids[i] = id;
        recipe->directories[i] = directory;
        if (directory && directory->relation) recipe->relates = true;
    }
    refresh_recipe(world, recipe);
}

void ilki_recipes_refresh(ilk_world* world) {
    for (uint32_t i = 0; i < world->recipes.capacity; i++) {
        if (world->recipes.slots[i].value) refresh_recipe(world, world->recipes.slots[i].value);
    }
    if (world->recipe == world->loose) world->recipe = NULL;
}

// Memory for a recipe that is to be kept; or NULL.
static ilki_recipe* recipe_alloc(ilk_world* world, uint32_t count) {
    ilki_memory* memory = &world->storage.memory;
    if (!ilki_map_ready(&world->recipes, memory)) return NULL;
    return ilki_alloc(memory, ILKI_OTHER, recipe_bytes(count), _Alignof(ilki_recipe));
}

static ilki_recipe* make(ilk_world* world, uint32_t count, const char* call) {
    ilki_storage* storage = &world->storage;
    uint32_t found = sort_types(world, count, call);
    if (found == ILKI_NONE) return NULL;
    ilki_ilk* ilk = found ? ilki_ilk_of(storage, storage->set, found) : NULL;
    bool is_known = ilk || !found;
    ilki_recipe* recipe = is_known ? recipe_alloc(world, count) : NULL;
    bool is_kept = recipe != NULL;
    if (!is_kept && is_known && world->loose_capacity > count) recipe = world->loose;
    if (!recipe) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        return NULL;
    }
    fill(world, recipe, count, ilk);
    if (is_kept) ilki_map_put(&world->recipes, recipe->ids, count, recipe);
    return recipe;
}

bool ilki_recipe_reserve(ilk_world* world, uint32_t count) {
    ilki_memory* memory = &world->storage.memory;
    if (world->loose_capacity > count) return true;
    ilki_recipe* loose =
        ilki_alloc(memory, ILKI_OTHER, recipe_bytes(count + 1), _Alignof(ilki_recipe));
    if (!loose) return false;
    if (world->recipe == world->loose) world->recipe = NULL;
    ilki_free(memory, ILKI_OTHER, world->loose, recipe_bytes(world->loose_capacity),
              _Alignof(ilki_recipe));
    world->loose = loose;
    world->loose_capacity = count + 1;
    return true;
}

ILKI_NOINLINE ilki_recipe* ilki_recipe_make(ilk_world* world, ilk_type* const* types, size_t stride,
                                            uint32_t count, const char* call) {
    if (count && !types) {
        ilki_fail_because(world, ILK_INVALID, call, NULL, "the list is NULL");
        return NULL;
    }
    if (!make_key(world, types, stride, count, call)) return NULL;
    ilki_recipe* recipe = ilki_map_find(&world->recipes, world->key, count);
    if (!recipe) recipe = make(world, count, call);
    if (recipe) world->recipe = recipe;
    return recipe;
}

void ilki_recipes_free(ilk_world* world) {
    ilki_memory* memory = &world->storage.memory;
    for (uint32_t i = 0; i < world->recipes.capacity; i++) {
        ilki_recipe* recipe = world->recipes.slots[i].value;
        if (!recipe) continue;
        ilki_free(memory, ILKI_OTHER, recipe, recipe_bytes(recipe->count), _Alignof(ilki_recipe));
    }
    ilki_map_fini(&world->recipes, memory);
    ilki_free(memory, ILKI_OTHER, world->loose, recipe_bytes(world->loose_capacity),
              _Alignof(ilki_recipe));
    world->loose = NULL;
    world->loose_capacity = 0;
    world->recipe = NULL;
    memset(world->recent, 0, sizeof world->recent);
    world->run_count = 0;
}
