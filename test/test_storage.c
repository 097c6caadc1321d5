// Storage, as far as it shows from outside: where values lie, what stays, what is used again and
// what needs memory.
#include "support.h"

// R000.22 C6
static void room_grows_in_steps(void** state) {
    fixture* f = *state;
    ilk_entity e[50];
    for (int i = 0; i < 50; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Health, i));
        uint32_t rows = i < 4 ? 4 : i < 20 ? 4 + 16 : 4 + 16 + 64;
        assert_int_equal(ilk_stats(f->world).rows, rows);
    }
    assert_int_equal(ilk_stats(f->world).chunks, 3);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i);
    }
}

// R000.22
static void the_steps_go_up_to_8192(void** state) {
    fixture* f = *state;
    const uint32_t steps[] = {4, 16, 64, 256, 1024, 4096, 8192, 8192};
    uint32_t rows = 0;
    for (uint32_t i = 0; i < COUNT_OF(steps); i++) {
        while (ilk_stats(f->world).alive <= rows) {
            ILK_SPAWN(f->world, ILK_WITH(Position));
        }
        rows += steps[i];
        assert_int_equal(ilk_stats(f->world).rows, rows);
        assert_int_equal(ilk_stats(f->world).chunks, i + 1);
    }
}

// R000.22 C23
static void large_values_take_smaller_chunks(void** state) {
    fixture* f = *state;
    ilk_type large = {.name = "large", .size = 16384};
    for (int i = 0; i < 40; i++) {
        ilk_spawn(f->world, &(ilk_value){&large, NULL}, 1);
    }
    assert_true(ilk_stats(f->world).rows <= 44);
    assert_true(ilk_stats(f->world).bytes_values < 45 * (size_t)16384);
}

// C23
static void what_is_too_large_is_refused(void** state) {
    fixture* f = *state;
    if (sizeof(size_t) < 8) {
        skip(); // no such sizes there
    }
    ilk_entity e = {0};
    for (int i = 0; i < 4000; i++) {
        e = ILK_SPAWN(f->world, ILK_WITH(Position));
    }
    static char names[4][16];
    for (uint32_t i = 0; i < 4; i++) {
        snprintf(names[i], sizeof(names[i]), "vast%u", (unsigned)i);
        ilk_type vast = {.name = names[i], .size = (size_t)1 << (sizeof(size_t) * 8 - 14 + 3 * i)};
        assert_int_not_equal(ilk_add(f->world, e, (ilk_value){&vast, NULL}), ILK_OK);
        assert_null(ilk_ensure(f->world, ilk_create(f->world), &vast));
        assert_true(ilk_is_null(ilk_spawn(f->world, &(ilk_value){&vast, NULL}, 1)));
        ilk_batch batch;
        assert_int_not_equal(ilk_spawn_many(f->world, &batch, 5000, ILK_TYPES(&vast)), ILK_OK);
        assert_false(ilk_has(f->world, e, &vast));
        assert_valid(f->world);
    }
}

static void check_removal(fixture* f, origin where) {
    ilk_entity e[3];
    const Health* at[3];
    for (int i = 0; i < 3; i++) {
        e[i] = put(f->world, where, ILK_VALUE(Health, i));
    }
    for (int i = 0; i < 3; i++) {
        at[i] = ILK_GET(f->world, e[i], Health);
    }
    assert_ok(ilk_remove(f->world, e[0], &Health_type));
    for (int i = 1; i < 3; i++) {
        assert_ptr_equal(ILK_GET(f->world, e[i], Health), at[i]);
        assert_int_equal(at[i]->points, i);
    }
    assert_ok(ilk_remove(f->world, e[2], &Health_type));
    assert_ptr_equal(ILK_GET(f->world, e[1], Health), at[1]);
    assert_int_equal(at[1]->points, 1);
    assert_int_equal(ilk_stats_of(f->world, &Health_type).count, 1);
}

// R000.20 R001.8 R002.17 C6
static void removing_leaves_the_others_in_place(void** state) {
    (void)state;
    at_each_place(check_removal);
}

// R000.20 R001.6
static void order_is_not_disturbed_by_removals(void** state) {
    fixture* f = *state;
    enum {
        COUNT = 50
    };
    ilk_entity e[COUNT];
    for (int i = 0; i < COUNT; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Health, i));
    }
    for (int i = 0; i < COUNT; i += 3) {
        assert_ok(ilk_destroy(f->world, e[i]));
    }
    // Rows 20 to 49 share a chunk of 64.
    const Health* first = ILK_GET(f->world, e[20], Health);
    for (int i = 20; i < COUNT; i++) {
        const Health* h = ILK_GET(f->world, e[i], Health);
        assert_true(i % 3 == 0 ? h == NULL : h == first + (i - 20));
    }
}

// R001.8 C6
static void the_lowest_hole_is_filled_first(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    const Health* at[4];
    for (int i = 0; i < 4; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Health, i));
        at[i] = ILK_GET(f->world, e[i], Health);
    }
    assert_ok(ilk_destroy(f->world, e[1]));
    assert_ok(ilk_destroy(f->world, e[3]));
    assert_ok(ilk_destroy(f->world, e[0]));
    assert_int_equal(ilk_stats(f->world).holes, 3);
    const int expected[] = {0, 1, 3};
    for (int i = 0; i < 3; i++) {
        ilk_entity next = ILK_SPAWN(f->world, ILK_WITH(Health));
        assert_ptr_equal(ILK_GET(f->world, next, Health), at[expected[i]]);
    }
    assert_int_equal(ilk_stats(f->world).holes, 0);
    assert_int_equal(ilk_stats(f->world).rows, 4);
    assert_int_equal(at[2]->points, 2);
}

// R001.6 C6
static void born_together_lie_side_by_side(void** state) {
    fixture* f = *state;
    enum {
        COUNT = 64
    };
    const Position* p[COUNT];
    const Anchor* a[COUNT];
    for (int i = 0; i < 20; i++) {
        ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Anchor));
    }
    for (int i = 0; i < COUNT; i++) {
        ILK_SPAWN(f->world, ILK_WITH(Health));
        ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Anchor));
        p[i] = ILK_GET(f->world, e, Position);
        a[i] = ILK_GET(f->world, e, Anchor);
        assert_ptr_equal(p[i], p[0] + i);
        assert_ptr_equal(a[i], a[0] + i);
    }
    assert_int_equal((uintptr_t)p[0] % 64, 0);
    assert_int_equal((uintptr_t)a[0] % 64, 0);
}

// C6 R001.7
static void a_change_back_and_forth_needs_no_memory(void** state) {
    fixture* f = *state;
    enum {
        COUNT = 500
    };
    ilk_entity e[COUNT];
    for (int i = 0; i < COUNT; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 0));
        assert_ok(ilk_add(f->world, e[i], ILK_WITH(Health)));
    }
    f->memory.left = 0;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < COUNT; i++) {
            assert_ok(ilk_remove(f->world, e[i], &Health_type));
        }
        for (int i = 0; i < COUNT; i++) {
            assert_ok(ilk_add(f->world, e[i], ILK_VALUE(Health, i)));
        }
    }
    f->memory.left = UINT64_MAX;
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i);
        assert_true(same_position(ILK_GET(f->world, e[i], Position), (float)i, 0));
    }
}

// C6
static void places_are_used_again(void** state) {
    fixture* f = *state;
    enum {
        COUNT = 1000
    };
    ilk_entity e[COUNT];
    for (int i = 0; i < COUNT; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health));
    }
    uint32_t rows = ilk_stats(f->world).rows;
    f->memory.left = 0;
    uint64_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        uint32_t k = next_random(&seed) % COUNT;
        assert_ok(ilk_destroy(f->world, e[k]));
        e[k] = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health));
        assert_false(ilk_is_null(e[k]));
    }
    f->memory.left = UINT64_MAX;
    assert_int_equal(ilk_stats(f->world).rows, rows);
    assert_int_equal(ilk_stats(f->world).alive, COUNT);
}

// R000.25 C6
static void a_tag_holds_no_values(void** state) {
    fixture* f = *state;
    static ilk_entity e[4000];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Position));
    }
    size_t bytes = ilk_stats(f->world).bytes_values;
    assert_ok(ilk_add_many(f->world, e, COUNT_OF(e), &Enemy_type, NULL));
    assert_true(ilk_stats(f->world).bytes_values - bytes < COUNT_OF(e));
    assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, COUNT_OF(e));
}

static void spawn_combination(ilk_world* world, ilk_type* types, uint32_t set, ilk_entity* e) {
    ilk_value values[11] = {ILK_VALUE(Health, (int32_t)set)};
    for (uint32_t k = 0; k < 10; k++) {
        values[k + 1].type = set >> k & 1 ? &types[k] : NULL;
    }
    *e = ilk_spawn(world, values, 11);
}

// C6 C23
static void a_thousand_combinations(void** state) {
    fixture* f = *state;
    static ilk_entity e[1024];
    static ilk_type types[10];
    static char names[10][8];
    for (uint32_t k = 0; k < 10; k++) {
        snprintf(names[k], sizeof(names[k]), "mix%u", (unsigned)k);
        types[k] = (ilk_type){.name = names[k], .size = 8};
    }
    for (uint32_t set = 0; set < 1024; set++) {
        spawn_combination(f->world, types, set, &e[set]);
    }
    for (int settled = 0; settled < 2; settled++) {
        for (uint32_t set = 0; set < 1024; set++) {
            assert_int_equal(ILK_GET(f->world, e[set], Health)->points, set);
            for (uint32_t k = 0; k < 10; k++) {
                assert_int_equal(ilk_has(f->world, e[set], &types[k]), set >> k & 1);
            }
        }
        assert_valid(f->world);
        settle_fully(f->world);
    }
}

// R000.26
static void components_are_independent(void** state) {
    fixture* f = *state;
    ilk_entity a = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 1), ILK_VALUE(Velocity, 1, 1));
    ilk_entity b = ILK_SPAWN(f->world, ILK_VALUE(Position, 2, 2), ILK_VALUE(Velocity, 2, 2));
    *ILK_EDIT(f->world, a, Position) = (Position){9, 9};
    assert_true(ILK_GET(f->world, a, Velocity)->x == 1);
    assert_true(same_position(ILK_GET(f->world, b, Position), 2, 2));
    assert_ok(ilk_remove(f->world, a, &Velocity_type));
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 2);
    assert_int_equal(ilk_stats_of(f->world, &Velocity_type).count, 1);
    assert_true(same_position(ILK_GET(f->world, a, Position), 9, 9));
}

// R001.6
static void an_empty_entity_has_no_place_until_it_needs_one(void** state) {
    fixture* f = *state;
    ilk_entity e[100];
    assert_ok(ilk_create_many(f->world, e, 100));
    assert_int_equal(ilk_stats(f->world).empty, 100);
    assert_int_equal(ilk_stats(f->world).chunks, 0);
    assert_ok(ilk_add(f->world, e[0], ILK_WITH(Health)));
    assert_int_equal(ilk_stats(f->world).empty, 99);
    assert_int_equal(ilk_stats(f->world).chunks, 1);
    assert_ok(ilk_destroy(f->world, e[1]));
    assert_int_equal(ilk_stats(f->world).empty, 98);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(room_grows_in_steps),
        WORLD_TEST(the_steps_go_up_to_8192),
        WORLD_TEST(large_values_take_smaller_chunks),
        WORLD_TEST(what_is_too_large_is_refused),
        cmocka_unit_test(removing_leaves_the_others_in_place),
        WORLD_TEST(order_is_not_disturbed_by_removals),
        WORLD_TEST(the_lowest_hole_is_filled_first),
        WORLD_TEST(born_together_lie_side_by_side),
        WORLD_TEST(a_change_back_and_forth_needs_no_memory),
        WORLD_TEST(places_are_used_again),
        WORLD_TEST(a_tag_holds_no_values),
        WORLD_TEST(a_thousand_combinations),
        WORLD_TEST(components_are_independent),
        WORLD_TEST(an_empty_entity_has_no_place_until_it_needs_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
