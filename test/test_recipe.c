// Recipes: a list of types is understood once.
#include "world/world.h"

#include "support.h"

static ilki_recipe* recipe_for(fixture* f, ilk_type* const* types, uint32_t count) {
    return ilki_recipe_make(f->world, types, sizeof *types, count, "test");
}
#define RECIPE(f, ...) recipe_for((f), ILK_TYPES(__VA_ARGS__))

static void a_list_is_understood_once(void** state) {
    fixture* f = *state;
    ilki_recipe* recipe = RECIPE(f, &Velocity_type, NULL, &Position_type);
    assert_int_equal(recipe->count, 3);
    assert_int_equal(recipe->ilk->type_count, 2);
    assert_int_equal(recipe->ids[0], Velocity_type.id);
    assert_int_equal(recipe->ids[1], ILKI_NONE);
    assert_null(recipe->directories[1]);
    assert_ptr_equal(f->world->recipe, recipe);
    assert_ptr_equal(RECIPE(f, &Velocity_type, NULL, &Position_type), recipe);
    assert_int_equal(f->world->recipes.count, 1);
}

static void another_order_is_another_recipe_for_one_ilk(void** state) {
    fixture* f = *state;
    ilki_recipe* one = RECIPE(f, &Velocity_type, &Position_type);
    ilki_recipe* two = RECIPE(f, &Position_type, &Velocity_type);
    assert_ptr_not_equal(one, two);
    assert_ptr_equal(one->ilk, two->ilk);
    assert_int_equal(one->ilk->types[0], 0);
    assert_int_equal(one->ilk->types[1], 1);
}

static void a_list_without_types_has_no_ilk(void** state) {
    fixture* f = *state;
    assert_null(recipe_for(f, NULL, 0)->ilk);
    assert_null(RECIPE(f, NULL, NULL)->ilk);
    assert_null(recipe_for(f, NULL, 1));
    assert_told(f, ILK_INVALID, "test");
}

static void a_type_that_is_there_twice_has_no_recipe(void** state) {
    fixture* f = *state;
    assert_null(RECIPE(f, &Position_type, &Velocity_type, &Position_type));
    assert_told(f, ILK_EXISTS, "test");
    assert_string_equal(f->told.text, "test: Position is there twice in one list");
    assert_int_equal(f->world->recipes.count, 0);
}

static void without_memory_there_is_no_recipe(void** state) {
    fixture* f = *state;
    ilk_register(f->world, &Position_type);
    uint64_t left = 0;
    for (;; left++) {
        f->memory.left = left;
        ilki_recipe* recipe = RECIPE(f, &Position_type);
        f->memory.left = UINT64_MAX;
        if (recipe) break;
        assert_told(f, ILK_NO_MEMORY, "test");
        assert_int_equal(f->world->recipes.count, 0);
    }
    assert_true(left > 0);
}

// A place for one recipe is reserved, and there is no memory to keep another.
static ilki_recipe* make_loose(fixture* f) {
    RECIPE(f, &Position_type, &Velocity_type); // so that its ilk is there
    assert_true(ilki_recipe_reserve(f->world, 2));
    f->memory.left = 0;
    ilki_recipe* recipe = RECIPE(f, &Velocity_type, &Position_type);
    f->memory.left = UINT64_MAX;
    assert_ptr_equal(recipe, f->world->loose);
    assert_ptr_equal(recipe, f->world->recipe);
    return recipe;
}

static void what_is_reserved_serves_without_memory(void** state) {
    fixture* f = *state;
    const ilki_recipe* recipe = make_loose(f);
    assert_int_equal(recipe->count, 2);
    assert_int_equal(recipe->ids[0], Velocity_type.id);
    assert_int_equal(recipe->ilk->type_count, 2);
    assert_int_equal(f->world->recipes.count, 1);
}

static void the_reserve_grows_when_it_must(void** state) {
    fixture* f = *state;
    ilki_recipe* loose = make_loose(f);
    assert_true(ilki_recipe_reserve(f->world, 2));
    assert_ptr_equal(f->world->loose, loose);
    f->memory.left = 0;
    assert_false(ilki_recipe_reserve(f->world, 9));
    f->memory.left = UINT64_MAX;
    assert_ptr_equal(f->world->loose, loose);
    assert_ptr_equal(f->world->recipe, loose);
    assert_true(ilki_recipe_reserve(f->world, 9));
    assert_null(f->world->recipe); // it was the old one
    assert_int_equal(f->world->loose_capacity, 10);
    ilki_recipe* kept = RECIPE(f, &Velocity_type, &Position_type);
    assert_true(ilki_recipe_reserve(f->world, 20));
    assert_ptr_equal(f->world->recipe, kept);
}

static void recipes_go_with_the_ilks(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_true(ilki_recipe_reserve(f->world, 2));
    ilki_recipes_free(f->world);
    assert_null(f->world->recipe);
    assert_null(f->world->loose);
    assert_int_equal(f->world->recipes.count, 0);
    assert_false(ilk_is_null(ILK_SPAWN(f->world, ILK_WITH(Position))));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_list_is_understood_once),
        WORLD_TEST(another_order_is_another_recipe_for_one_ilk),
        WORLD_TEST(a_list_without_types_has_no_ilk),
        WORLD_TEST(a_type_that_is_there_twice_has_no_recipe),
        WORLD_TEST(without_memory_there_is_no_recipe),
        WORLD_TEST(what_is_reserved_serves_without_memory),
        WORLD_TEST(the_reserve_grows_when_it_must),
        WORLD_TEST(recipes_go_with_the_ilks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
