// Values on their way in and out: hooks, copies, and what happens without memory.
#include "support.h"

static ilk_value owned(const char* text, Owned* storage) {
    storage->text = text_copy(text);
    return ILK_VALUE_AT(Owned, storage);
}

static void check_hooks_of_values(fixture* f, origin where) {
    Owned o;
    ilk_entity e = put(f->world, where, owned("one", &o));
    hooks_taken();
    assert_string_equal(ILK_GET(f->world, e, Owned)->text, "one");
    assert_ok(ilk_set(f->world, e, owned("two", &o)));
    assert_hooks(0, 0, 1);
    assert_ok(ilk_replace(f->world, e, owned("three", &o)));
    assert_hooks(0, 0, 1);
    assert_string_equal(ILK_GET(f->world, e, Owned)->text, "three");
    ILK_ENSURE(f->world, e, Owned);
    ILK_EDIT(f->world, e, Owned);
    settle_fully(f->world);
    assert_hooks(0, 0, 0);
    assert_string_equal(ILK_GET(f->world, e, Owned)->text, "three");
    assert_ok(ilk_remove(f->world, e, &Owned_type));
    assert_hooks(0, 0, 1);
    assert_ok(ilk_add(f->world, e, owned("four", &o)));
    assert_hooks(0, 0, 0);
    assert_ok(ilk_destroy(f->world, e));
    assert_hooks(0, 0, 1);
}

// A value belongs to the world from the verb on, until its one drop.
static void values_are_moved_in_and_dropped_once(void** state) {
    (void)state;
    at_each_place(check_hooks_of_values);
}

static void check_hooks_of_defaults(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_WITH(Owned));
    hooks_taken();
    assert_string_equal(ILK_GET(f->world, e, Owned)->text, "fresh");
    assert_ok(ilk_set(f->world, e, ILK_WITH(Owned)));
    assert_hooks(1, 0, 1);
    assert_ok(ilk_replace(f->world, e, ILK_WITH(Owned)));
    assert_hooks(1, 0, 1);
    assert_ok(ilk_remove(f->world, e, &Owned_type));
    assert_hooks(0, 0, 1);
    ILK_ENSURE(f->world, e, Owned);
    assert_hooks(1, 0, 0);
    assert_ok(ilk_remove_all(f->world, e));
    assert_hooks(0, 0, 1);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Owned)));
    assert_hooks(1, 0, 0);
    assert_ok(ilk_disable(f->world, e, &Owned_type));
    assert_ok(ilk_destroy(f->world, e));
    assert_hooks(0, 0, 1);
}

// R001.13
static void defaults_are_initialised_once(void** state) {
    (void)state;
    at_each_place(check_hooks_of_defaults);
}

// What a failed call did not take is not dropped.
static void a_failed_call_leaves_the_value_with_the_caller(void** state) {
    fixture* f = *state;
    Owned o;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Owned));
    ilk_entity without = ILK_SPAWN(f->world, ILK_WITH(Position));
    hooks_taken();
    ilk_value value = owned("mine", &o);
    assert_int_equal(ilk_add(f->world, e, value), ILK_EXISTS);
    assert_int_equal(ilk_replace(f->world, without, value), ILK_MISSING);
    assert_int_equal(ilk_set(f->world, (ilk_entity){0}, value), ILK_DEAD);
    assert_int_equal(ilk_add(f->world, (ilk_entity){0}, value), ILK_DEAD);
    assert_hooks(0, 0, 0);
    assert_string_equal(o.text, "mine");
    free(o.text);
}

static void check_itself(fixture* f, origin where) {
    Owned o;
    ilk_entity e = put(f->world, where, owned("same", &o));
    hooks_taken();
    assert_ok(ilk_set(f->world, e, ILK_VALUE_AT(Owned, ILK_GET(f->world, e, Owned))));
    assert_ok(ilk_replace(f->world, e, ILK_VALUE_AT(Owned, ILK_GET(f->world, e, Owned))));
    assert_hooks(0, 0, 0);
    assert_string_equal(ILK_GET(f->world, e, Owned)->text, "same");
}

// A value that is given to itself is neither dropped nor lost.
static void a_value_may_be_given_to_itself(void** state) {
    (void)state;
    at_each_place(check_itself);
}

static void check_copy(fixture* f, origin where) {
    Owned o;
    ilk_entity e = put(f->world, where, owned("whole", &o));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Position, 1, 2)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_ok(ilk_disable(f->world, e, &Position_type));
    hooks_taken();
    ilk_entity twin = ilk_copy(f->world, e);
    assert_hooks(0, 1, 0);
    assert_true(ilk_alive(f->world, twin));
    assert_false(ilk_same(twin, e));
    assert_int_equal(ilk_types_of(f->world, twin, NULL, 0), ilk_types_of(f->world, e, NULL, 0));
    assert_string_equal(ILK_GET(f->world, twin, Owned)->text, "whole");
    assert_ptr_not_equal(ILK_GET(f->world, twin, Owned)->text, ILK_GET(f->world, e, Owned)->text);
    assert_true(same_position(ILK_GET(f->world, twin, Position), 1, 2));
    assert_false(ilk_enabled(f->world, twin, &Position_type));
    assert_true(ilk_enabled(f->world, twin, &Enemy_type));
    assert_ok(ilk_destroy(f->world, e));
    assert_string_equal(ILK_GET(f->world, twin, Owned)->text, "whole");
}

// R001.1
static void a_copy_has_the_same_components(void** state) {
    (void)state;
    at_each_place(check_copy);
}

// R001.1
static void what_was_removed_is_not_copied(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Owned), ILK_VALUE(Health, 4));
    assert_ok(ilk_remove(f->world, e, &Owned_type));
    hooks_taken();
    ilk_entity twin = ilk_copy(f->world, e);
    assert_hooks(0, 0, 0);
    assert_false(ilk_has(f->world, twin, &Owned_type));
    assert_int_equal(ILK_GET(f->world, twin, Health)->points, 4);
    ilk_entity empty = ilk_create(f->world);
    twin = ilk_copy(f->world, empty);
    assert_true(ilk_alive(f->world, twin));
    assert_int_equal(ilk_types_of(f->world, twin, NULL, 0), 0);
}

// R001.7
static void readers_need_no_memory(void** state) {
    fixture* f = *state;
    char text[16];
    ilk_type* types[4];
    ilk_entity e[PLACES];
    for (int where = 0; where < PLACES; where++) {
        e[where] = put(f->world, (origin)where, ILK_VALUE(Position, 1, 2));
    }
    uint64_t calls = f->memory.calls;
    for (int where = 0; where < PLACES; where++) {
        assert_non_null(ILK_GET(f->world, e[where], Position));
        assert_true(ilk_has(f->world, e[where], &Position_type));
        assert_true(ilk_enabled(f->world, e[where], &Position_type));
        assert_true(ilk_types_of(f->world, e[where], types, 4) > 0);
        assert_true(ilk_signature(f->world, e[where], text, sizeof(text)) > 0);
        assert_entity(ilk_entity_at(f->world, e[where].index), e[where]);
        ilk_stats(f->world);
        ilk_stats_of(f->world, &Position_type);
    }
    assert_int_equal(f->memory.calls, calls);
}

// Removing, switching, destroying and clearing never need memory.
static void taking_away_needs_no_memory(void** state) {
    fixture* f = *state;
    ilk_entity e[4 * PLACES];
    for (int i = 0; i < 4 * PLACES; i++) {
        e[i] = put(f->world, (origin)(i % PLACES), ILK_VALUE(Position, 1, 2));
    }
    f->memory.left = 0;
    for (int i = 0; i < PLACES; i++) {
        assert_ok(ilk_remove(f->world, e[i], &Position_type));
        assert_ok(ilk_remove_all(f->world, e[PLACES + i]));
        assert_ok(ilk_disable(f->world, e[2 * PLACES + i], &Position_type));
        assert_ok(ilk_enable(f->world, e[2 * PLACES + i], &Position_type));
    }
    assert_ok(ilk_remove_many(f->world, e + 2 * PLACES, PLACES, &Position_type));
    assert_ok(ilk_destroy(f->world, e[0]));
    assert_ok(ilk_destroy_many(f->world, e + 1, 4 * PLACES - 1));
    ilk_clear(f->world);
    f->memory.left = UINT64_MAX;
}

static ilk_result or_error(ilk_world* world, ilk_entity made) {
    return ilk_is_null(made) ? ilk_error(world).result : ILK_OK;
}

static ilk_result try_add(ilk_world* world, ilk_entity e) {
    return ilk_add(world, e, ILK_VALUE(Position, 1, 2));
}

static ilk_result try_ensure(ilk_world* world, ilk_entity e) {
    return ilk_ensure(world, e, &Owned_type) ? ILK_OK : ilk_error(world).result;
}

static ilk_result try_first(ilk_world* world, ilk_entity e) {
    (void)e;
    return ilk_set(world, ilk_entity_at(world, 0), ILK_VALUE(Velocity, 1, 2));
}

static ilk_result try_spawn(ilk_world* world, ilk_entity e) {
    (void)e;
    return or_error(world, ILK_SPAWN(world, ILK_VALUE(Position, 1, 2), ILK_WITH(Enemy)));
}

static ilk_result try_copy(ilk_world* world, ilk_entity e) {
    return or_error(world, ilk_copy(world, e));
}

static ilk_result try_add_many(ilk_world* world, ilk_entity e) {
    const ilk_entity list[] = {ilk_entity_at(world, 0), e, ilk_entity_at(world, 1)};
    return ilk_add_many(world, list, 3, &Position_type, NULL);
}

static ilk_result try_spawn_many(ilk_world* world, ilk_entity e) {
    (void)e;
    ilk_batch batch;
    return ilk_spawn_many(world, &batch, 3000, ILK_TYPES(&Velocity_type, &Frozen_type));
}

static ilk_result try_create_many(ilk_world* world, ilk_entity e) {
    (void)e;
    static ilk_entity many[5000];
    return ilk_create_many(world, many, COUNT_OF(many));
}

static ilk_result try_register(ilk_world* world, ilk_entity e) {
    (void)e;
    return ilk_register(world, &Velocity_type);
}

typedef ilk_result try_fn(ilk_world* world, ilk_entity e);

// One attempt that finds memory `left` times. False if it failed.
static bool attempt(try_fn* try, uint64_t left) {
    void* state = NULL;
    open_world(&state);
    fixture* f = state;
    ilk_entity e = ilk_create(f->world);
    for (int i = 0; i < 100; i++) {
        e = ILK_SPAWN(f->world, ILK_WITH(Health), ILK_WITH(Anchor));
    }
    assert_ok(ilk_remove(f->world, e, &Anchor_type));
    f->memory.left = left;
    ilk_result result = try(f->world, e);
    f->memory.left = UINT64_MAX;
    if (result != ILK_OK) {
        assert_int_equal(result, ILK_NO_MEMORY);
        assert_int_equal(ilk_stats(f->world).alive, 101);
        assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 1);
        assert_int_equal(ilk_types_of(f->world, ilk_entity_at(f->world, 0), NULL, 0), 0);
        assert_valid(f->world);
        assert_ok(try(f->world, e));
    }
    close_world(&state);
    return result == ILK_OK;
}

// Whichever allocation fails, the world is as it was, and the same call does well later.
static void without_memory_nothing_changes(void** state) {
    (void)state;
    try_fn* const tries[] = {
        try_add,      try_ensure,     try_first,       try_spawn,    try_copy,
        try_add_many, try_spawn_many, try_create_many, try_register,
    };
    for (uint32_t i = 0; i < COUNT_OF(tries); i++) {
        uint64_t left = 0;
        while (!attempt(tries[i], left)) {
            left++;
        }
        assert_true(left > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_moved_in_and_dropped_once),
        cmocka_unit_test(defaults_are_initialised_once),
        WORLD_TEST(a_failed_call_leaves_the_value_with_the_caller),
        cmocka_unit_test(a_value_may_be_given_to_itself),
        cmocka_unit_test(a_copy_has_the_same_components),
        WORLD_TEST(what_was_removed_is_not_copied),
        WORLD_TEST(readers_need_no_memory),
        WORLD_TEST(taking_away_needs_no_memory),
        cmocka_unit_test(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
