// Worlds from the inside: what their making leaves behind when it fails, and types without memory.
#include "world/world.h"

#include "support.h"

#include "component/registry.h"

static void nobody_needs_to_hear_that_there_is_no_world(void** state) {
    (void)state;
    ilk_world_desc half = {.allocator = {meter_alloc, NULL, NULL}};
    assert_null(ilk_world_create(&half));
    meter nothing = {0};
    ilk_world_desc poor = {.allocator = {meter_alloc, meter_free, &nothing}};
    assert_null(ilk_world_create(&poor));
    assert_int_equal(nothing.bytes, 0);
}

// A world with a name and types, with memory for so many allocations.
static ilk_world* try_to_create(fixture* f, uint64_t left) {
    ilk_type* const types[] = {&Position_type, &Health_type, NULL};
    ilk_world_desc desc = fixture_desc(f);
    desc.name = "large";
    desc.types = types;
    f->memory = (meter){.left = left};
    return ilk_world_create(&desc);
}

static void without_memory_there_is_no_world(void** state) {
    (void)state;
    fixture f = {0};
    uint64_t left = 0;
    ilk_world* world = NULL;
    for (; !(world = try_to_create(&f, left)); left++) {
        assert_told(&f, ILK_NO_MEMORY, "ilk_world_create");
        assert_int_equal(f.memory.bytes, 0);
    }
    assert_true(left > 0);
    assert_int_equal(ilk_type_count(world), 2);
    assert_true(world->is_restricted);
    ilk_world_destroy(world);
    assert_int_equal(f.memory.bytes, 0);
}

static void* no_memory(size_t size) {
    (void)size;
    return NULL;
}

static void a_type_without_memory_for_its_name(void** state) {
    fixture* f = *state;
    ilk_type type = {.name = "forgotten", .size = 4};
    ilk_entity e = ilk_create(f->world);
    void* (*before)(size_t) = ilki_type_alloc;
    ilki_type_alloc = no_memory;
    assert_int_equal(ilk_register(f->world, &type), ILK_NO_MEMORY);
    assert_told(f, ILK_NO_MEMORY, "ilk_register");
    assert_int_equal(ilk_set(f->world, e, (ilk_value){&type, NULL}), ILK_NO_MEMORY);
    assert_told(f, ILK_NO_MEMORY, "ilk_set");
    ilki_type_alloc = before;
    assert_string_equal(f->told.text, "ilk_set: no memory for forgotten in world \"world-1\"");
    assert_int_equal(ilk_type_count(f->world), 0);
    assert_ok(ilk_register(f->world, &type));
}

static void a_restricted_world_forgets_a_foreign_name(void** state) {
    fixture* f = *state;
    ilk_type type = {.name = "unheard of", .size = 4};
    f->world->is_restricted = true;
    assert_int_equal(ilk_register(f->world, &type), ILK_FOREIGN);
    assert_told(f, ILK_FOREIGN, "ilk_register");
    assert_null(ilki_type_find("unheard of"));
    f->world->is_restricted = false;
    assert_ok(ilk_register(f->world, &type));
}

static void without_memory_a_type_has_no_directory(void** state) {
    fixture* f = *state;
    uint64_t left = 0;
    for (;; left++) {
        f->memory.left = left;
        ilk_result result = ilk_register(f->world, &Velocity_type);
        f->memory.left = UINT64_MAX;
        if (result == ILK_OK) break;
        assert_told(f, ILK_NO_MEMORY, "ilk_register");
        assert_int_equal(ilk_type_number(f->world, &Velocity_type), UINT32_MAX);
        assert_valid(f->world);
    }
    assert_true(left > 0);
    assert_int_equal(ilk_type_number(f->world, &Velocity_type), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_type_without_memory_for_its_name),
        WORLD_TEST(a_restricted_world_forgets_a_foreign_name),
        WORLD_TEST(without_memory_a_type_has_no_directory),
        cmocka_unit_test(nobody_needs_to_hear_that_there_is_no_world),
        cmocka_unit_test(without_memory_there_is_no_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
