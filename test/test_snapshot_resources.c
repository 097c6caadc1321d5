// Resources in snapshots: shared until they are written or removed, and there again as they were.
#include "film_support.h"

typedef struct Wide {
    _Alignas(64) uint64_t words[8];
} Wide;
ILK_COMPONENT(Wide);

typedef struct Handle {
    int number;
} Handle;
static void handle_drop(void* value, void* context) {
    (void)value;
    (void)context;
}
ILK_COMPONENT_WITH(Handle, .hooks = {.drop = handle_drop});

static ilk_type* any_type(void) {
    static ilk_type* const types[] = {&Position_type, &Health_type, &Owned_type,
                                      &Enemy_type,    &Wide_type,   &Anchor_type};
    return types[chance(COUNT_OF(types))];
}

static void write_to(ilk_type* type, void* value) {
    if (!value) return;
    if (type == &Position_type) ((Position*)value)->x = (float)chance(100);
    if (type == &Health_type) ((Health*)value)->points = (int32_t)chance(100);
    if (type == &Wide_type) ((Wide*)value)->words[5]++;
    if (type == &Anchor_type) ((Anchor*)value)->depth++;
    if (type == &Owned_type) ((Owned*)value)->text[0] = (char)('a' + chance(26));
}

static void change_resource(ilk_world* world) {
    ilk_type* type = any_type();
    switch (chance(8)) {
    case 0:
    case 1:
        assert_ok(ilk_resource_set(world, (ilk_value){type, NULL}));
        break;
    case 2:
    case 3:
        write_to(type, ilk_resource_ensure(world, type));
        break;
    case 4:
    case 5:
        if (ilk_resource_has(world, type)) write_to(type, ilk_resource_edit(world, type));
        break;
    case 6:
        if (ilk_resource_has(world, type)) assert_ok(ilk_resource_remove(world, type));
        break;
    default:
        ilk_tick(world);
    }
}

static void what_was_is_there_again(void** state) {
    for (uint32_t seed = 1; seed <= 40; seed++) {
        open_world(state);
        shoot_film(((fixture*)*state)->world, change_resource, seed, 1500);
        close_world(state);
    }
}

static void two_runs_are_the_same(void** state) {
    random_state = 5;
    for (uint32_t i = 0; i < 50; i++) {
        shoot_twice(((fixture*)*state)->world, change_resource, 1 + chance(60));
    }
}

// Nothing is copied until something is written, and then once.
static void a_value_is_shared_until_it_is_written(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_resource_ensure(world, &Owned_type);
    hooks_taken();
    ilk_snapshot* first = ilk_snapshot_take(world);
    ilk_snapshot* second = ilk_snapshot_take(world);
    assert_hooks(0, 0, 0);
    size_t shared = ilk_snapshot_stats_of(second).shared;
    ILK_RESOURCE_EDIT(world, Owned)->text[0] = 'F';
    ILK_RESOURCE_EDIT(world, Owned)->text[0] = 'G';
    assert_hooks(0, 1, 0);
    assert_int_equal(ilk_snapshot_stats_of(second).shared, shared - sizeof(Owned));
    ilk_snapshot_release(second); // to the first, which shares it
    assert_hooks(0, 0, 0);
    assert_ok(ilk_snapshot_restore(first));
    assert_hooks(0, 0, 1);
    assert_string_equal(ILK_RESOURCE_GET(world, Owned)->text, "fresh");
    ilk_snapshot_release(first);
    assert_hooks(0, 0, 0);
}

// What is removed goes to the snapshot as it is: that needs no memory, and no copy.
static void what_is_removed_is_kept_without_memory(void** state) {
    fixture* f = *state;
    ilk_resource_ensure(f->world, &Owned_type);
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    picture then = paint_world(f->world);
    hooks_taken();
    f->memory.left = 0;
    assert_ok(ilk_resource_remove(f->world, &Owned_type));
    f->memory.left = UINT64_MAX;
    assert_hooks(0, 0, 0);
    assert_false(ilk_snapshot_stats_of(snapshot).is_lost);
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_same_picture(then, paint_world(f->world));
    assert_hooks(0, 0, 0);
}

// Without memory for what was, the write is made, and all snapshots that shared it are lost.
static void what_cannot_be_saved_is_lost(void** state) {
    fixture* f = *state;
    ilk_snapshot* none = ilk_snapshot_take(f->world);
    ilk_resource_ensure(f->world, &Owned_type);
    ilk_snapshot* first = ilk_snapshot_take(f->world);
    ilk_snapshot* second = ilk_snapshot_take(f->world);
    f->memory.left = 0;
    ILK_RESOURCE_EDIT(f->world, Owned)->text[0] = 'F';
    f->memory.left = UINT64_MAX;
    assert_true(ilk_snapshot_stats_of(first).is_lost);
    assert_true(ilk_snapshot_stats_of(second).is_lost);
    assert_false(ilk_snapshot_stats_of(none).is_lost);
    assert_quiet(f);
    picture now = paint_world(f->world);
    assert_int_equal(ilk_snapshot_restore(first), ILK_STALE);
    assert_told(f, ILK_STALE, "ilk_snapshot_restore");
    assert_same_picture(now, paint_world(f->world));
    assert_string_equal(ILK_RESOURCE_GET(f->world, Owned)->text, "Fresh");
    assert_ok(ilk_snapshot_restore(none));
    assert_false(ilk_resource_has(f->world, &Owned_type));
}

static void want_of_memory_changes_nothing(void** state) {
    fixture* f = *state;
    ilk_resource_ensure(f->world, &Owned_type);
    ilk_resource_ensure(f->world, &Wide_type);
    ilk_resource_ensure(f->world, &Health_type);
    ilk_snapshot* first = take_with_little(f);
    picture then = paint_world(f->world);
    random_state = 3;
    for (uint32_t i = 0; i < 50; i++) change_resource(f->world);
    ilk_snapshot* second = take_with_little(f);
    picture between = paint_world(f->world);
    for (uint32_t i = 0; i < 50; i++) change_resource(f->world);
    restore_with_little(f, first, then);
    restore_with_little(f, second, between);
}

static void a_type_without_a_copy_hook_is_refused(void** state) {
    fixture* f = *state;
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Handle, 3)));
    assert_null(ilk_snapshot_take(f->world));
    assert_told(f, ILK_INVALID, "ilk_snapshot_take");
    assert_non_null(strstr(f->told.text, "Handle"));
    assert_non_null(strstr(f->told.text, "copy hook"));
    assert_ok(ilk_resource_remove(f->world, &Handle_type));
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Handle, 3));
    assert_null(ilk_snapshot_take(f->world));
    assert_told(f, ILK_INVALID, "ilk_snapshot_take");
    assert_ok(ilk_destroy(f->world, e));
    ilk_snapshot_release(ilk_snapshot_take(f->world));
    assert_quiet(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_is_there_again),
        WORLD_TEST(two_runs_are_the_same),
        WORLD_TEST(a_value_is_shared_until_it_is_written),
        WORLD_TEST(what_is_removed_is_kept_without_memory),
        WORLD_TEST(what_cannot_be_saved_is_lost),
        WORLD_TEST(want_of_memory_changes_nothing),
        WORLD_TEST(a_type_without_a_copy_hook_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
