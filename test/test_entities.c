// Entities: indices, generations, stale and forged handles, tags, recycling, bulk forms.
#include "support.h"

enum {
    COUNT_BITS = 23
};

static uint32_t uses_of(ilk_entity e) {
    return e.generation & ((1u << COUNT_BITS) - 1);
}

static uint32_t tag_of(ilk_entity e) {
    return e.generation >> COUNT_BITS & 0xFF;
}

// R002.1
static void an_index_has_32_bits(void** state) {
    (void)state;
    assert_int_equal(sizeof(((ilk_entity*)0)->index), 4);
    assert_int_equal(sizeof(((ilk_entity*)0)->generation), 4);
    assert_int_equal(sizeof(ilk_entity), 8);
}

// R000.8 R002.2 C5
static void indices_count_from_zero(void** state) {
    fixture* f = *state;
    for (uint32_t i = 0; i < 3; i++) {
        ilk_entity e = ilk_create(f->world);
        assert_int_equal(e.index, i);
        assert_int_equal(uses_of(e), 1);
        assert_true(ilk_alive(f->world, e));
    }
    assert_int_equal(ILK_SPAWN(f->world, ILK_WITH(Position)).index, 3);
}

// R000.9 R002.2 C5
static void the_last_freed_is_used_first(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    assert_ok(ilk_create_many(f->world, e, 4));
    assert_ok(ilk_destroy(f->world, e[1]));
    assert_ok(ilk_destroy(f->world, e[0]));
    assert_int_equal(ilk_create(f->world).index, 0);
    assert_int_equal(ILK_SPAWN(f->world, ILK_WITH(Health)).index, 1);
    assert_int_equal(ilk_create(f->world).index, 4);
}

// R002.2
static void a_used_index_comes_back_with_the_next_generation(void** state) {
    fixture* f = *state;
    ilk_entity old = ilk_create(f->world);
    for (uint32_t n = 2; n < 100; n++) {
        assert_ok(ilk_destroy(f->world, old));
        ilk_entity e = ilk_create(f->world);
        assert_int_equal(e.index, 0);
        assert_int_equal(uses_of(e), n);
        assert_false(ilk_alive(f->world, old));
        old = e;
    }
}

// R000.10 C5
static void indices_stay_below_the_peak(void** state) {
    fixture* f = *state;
    enum {
        PEAK = 100,
        PAIRS = 1000000
    };
    ilk_entity live[PEAK] = {{0}};
    uint64_t seed = 1;
    uint32_t highest = 0;
    for (int i = 0; i < PAIRS; i++) {
        ilk_entity* e = &live[next_random(&seed) % PEAK];
        if (!ilk_is_null(*e)) {
            assert_ok(ilk_destroy(f->world, *e));
        }
        *e = ilk_create(f->world);
        highest = e->index > highest ? e->index : highest;
    }
    assert_true(highest < PEAK);
    assert_true(ilk_stats(f->world).slots <= PEAK);
    assert_int_equal(ilk_stats(f->world).ever, PAIRS);
}

// R000.11
static void an_entity_is_found_by_index(void** state) {
    fixture* f = *state;
    assert_true(ilk_is_null(ilk_entity_at(f->world, 0)));
    ilk_entity a = ilk_create(f->world);
    ilk_entity b = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_entity(ilk_entity_at(f->world, 0), a);
    assert_entity(ilk_entity_at(f->world, 1), b);
    assert_entity(ilk_entity_at(f->world, 1), b);
    assert_true(ilk_is_null(ilk_entity_at(f->world, 2)));
    assert_true(ilk_is_null(ilk_entity_at(f->world, UINT32_MAX)));
    assert_ok(ilk_destroy(f->world, b));
    assert_true(ilk_is_null(ilk_entity_at(f->world, 1)));
    assert_entity(ilk_entity_at(f->world, 0), a);
    assert_quiet(f);
}

static void check_destroy(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    uint32_t count = ilk_stats_of(f->world, &Position_type).count;
    assert_ok(ilk_destroy(f->world, e));
    assert_quiet(f);
    assert_false(ilk_alive(f->world, e));
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_false(ilk_has(f->world, e, &Enemy_type));
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, count - 1);
    assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, 0);
    assert_int_equal(ilk_destroy(f->world, e), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_destroy");
    ilk_entity next = ilk_create(f->world);
    assert_int_equal(next.index, e.index);
    assert_int_equal(ilk_types_of(f->world, next, NULL, 0), 0);
    assert_false(ilk_has(f->world, next, &Position_type));
}

// R000.12 R000.14 R002.4 C4
static void destroying_removes_everything(void** state) {
    (void)state;
    at_each_place(check_destroy);
}

// R002.3 C4
static void destroying_twice_frees_once(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(ilk_destroy(f->world, e), ILK_DEAD);
    assert_int_equal(ilk_destroy(f->world, (ilk_entity){77, 1}), ILK_DEAD);
    ilk_entity a = ilk_create(f->world);
    ilk_entity b = ilk_create(f->world);
    assert_int_equal(a.index, 0);
    assert_int_equal(b.index, 1);
    assert_int_equal(ilk_stats(f->world).alive, 2);
}

static void assert_dead(fixture* f, ilk_entity e) {
    ilk_result result = ILK_OK;
    char text[8];
    assert_false(ilk_alive(f->world, e));
    assert_null(ilk_get(f->world, e, &Position_type, &result));
    assert_int_equal(result, ILK_DEAD);
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_false(ilk_enabled(f->world, e, &Position_type));
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 0);
    assert_int_equal(ilk_signature(f->world, e, text, sizeof(text)), 0);
    assert_string_equal(text, "");
    assert_quiet(f);
    assert_int_equal(ilk_destroy(f->world, e), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_destroy");
    assert_int_equal(ilk_set(f->world, e, ILK_VALUE(Position, 9, 9)), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_set");
    assert_int_equal(ilk_remove_all(f->world, e), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_remove_all");
    assert_true(ilk_is_null(ilk_copy(f->world, e)));
    assert_told(f, ILK_DEAD, "ilk_copy");
    assert_entity(f->told.last.entity, e);
}

// R001.3 R002.5
static void forged_handles_are_dead(void** state) {
    fixture* f = *state;
    ilk_entity live = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    ilk_entity gone = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_ok(ilk_destroy(f->world, gone));
    uint32_t g = live.generation;
    const ilk_entity forged[] = {
        gone,
        {0, 0},
        {0, g + 1},
        {0, g - 1},
        {0, g | 1u << 31},
        {0, 0x7FFFFFFF},
        {0, UINT32_MAX},
        {0, g | 1u << 23},
        {1, g},
        {1, g + 1},
        {2, g},
        {4096, g},
        {UINT32_MAX, g},
        {UINT32_MAX, 0},
        {UINT32_MAX, UINT32_MAX},
        {1, g | 1u << 31},
        {1, (g + 1) | 1u << 31},
        {1, 0},
    };
    for (uint32_t i = 0; i < COUNT_OF(forged); i++) {
        assert_dead(f, forged[i]);
    }
    assert_int_equal(ilk_stats(f->world).alive, 1);
    assert_true(same_position(ILK_GET(f->world, live, Position), 1, 2));
}

// R001.3
static void null_is_never_alive(void** state) {
    fixture* f = *state;
    ilk_entity null = {0};
    assert_true(ilk_is_null(null));
    assert_false(ilk_alive(f->world, null));
    ilk_entity e = ilk_create(f->world);
    assert_false(ilk_is_null(e));
    assert_false(ilk_alive(f->world, null));
    assert_int_equal(e.index, null.index);
    assert_false(ilk_same(e, null));
}

// R000.16
static void handles_compare_by_index_and_generation(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 9);
    ilk_entity a = ilk_create(f->world);
    ilk_entity b = ilk_create(f->world);
    ilk_entity c = ilk_create(other);
    ilk_entity copy = a;
    assert_true(ilk_same(a, copy));
    assert_false(ilk_same(a, b));
    assert_int_equal(a.index, c.index);
    assert_false(ilk_same(a, c));
    assert_int_not_equal(ilk_world_id(f->world), ilk_world_id(other));
    assert_true(ilk_same(ilk_entity_at(f->world, 0), a));
    ilk_world_destroy(other);
}

// R000.13 R000.16 C31
static void the_wrong_world_changes_nothing(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 7);
    ilk_entity here = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 1));
    ilk_entity there = ILK_SPAWN(other, ILK_VALUE(Position, 2, 2));
    assert_int_equal(here.index, there.index);
    assert_int_equal(tag_of(here), 0);
    assert_int_equal(tag_of(there), 7);
    assert_dead(f, there);
    assert_int_equal(ilk_destroy(other, here), ILK_DEAD);
    assert_int_equal(ilk_set(other, here, ILK_VALUE(Position, 3, 3)), ILK_DEAD);
    f->told.count = 0;
    assert_true(same_position(ILK_GET(f->world, here, Position), 1, 1));
    assert_true(same_position(ILK_GET(other, there, Position), 2, 2));
    assert_int_equal(ilk_stats(f->world).alive, 1);
    assert_int_equal(ilk_stats(other).alive, 1);
    ilk_world_destroy(other);
}

// C31
static void worlds_of_one_tag_share_handles(void** state) {
    fixture* f = *state;
    ilk_world* a = second_world(f, 255);
    ilk_world* b = second_world(f, 255);
    ilk_entity e = ILK_SPAWN(a, ILK_VALUE(Health, 1));
    assert_false(ilk_alive(b, e));
    assert_true(ilk_same(ILK_SPAWN(b, ILK_VALUE(Health, 2)), e));
    assert_int_equal(ILK_GET(a, e, Health)->points, 1);
    assert_int_equal(ILK_GET(b, e, Health)->points, 2);
    assert_ok(ilk_destroy(b, e));
    assert_true(ilk_alive(a, e));
    ilk_world_destroy(a);
    ilk_world_destroy(b);
}

// C5
static void a_world_may_be_told_not_to_recycle(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.no_recycling = true;
    ilk_world* world = ilk_world_create(&desc);
    for (uint32_t i = 0; i < 1000; i++) {
        ilk_entity e = ILK_SPAWN(world, ILK_WITH(Position));
        assert_int_equal(e.index, i);
        assert_ok(ilk_destroy(world, e));
        assert_false(ilk_alive(world, e));
    }
    assert_int_equal(ilk_stats(world).alive, 0);
    assert_int_equal(ilk_stats(world).slots, 1000);
    assert_valid(world);
    ilk_world_destroy(world);
}

// C5
static void without_recycling_the_maximum_counts_the_living(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.no_recycling = true;
    desc.max_entities = 2;
    ilk_world* world = ilk_world_create(&desc);
    ilk_entity a = ilk_create(world);
    ilk_create(world);
    assert_true(ilk_is_null(ilk_create(world)));
    assert_int_equal(ilk_error(world).result, ILK_FULL);
    assert_ok(ilk_destroy(world, a));
    assert_int_equal(ilk_create(world).index, 2);
    ilk_world_destroy(world);
}

// C5 R001.3
static void a_used_up_index_is_retired(void** state) {
    fixture* f = *state;
    const uint32_t last = (1u << COUNT_BITS) - 1;
    ilk_entity first = ilk_create(f->world);
    ilk_entity e = first;
    for (uint32_t n = 1; n < last; n++) {
        ilk_destroy(f->world, e);
        e = ilk_create(f->world);
    }
    assert_int_equal(e.index, 0);
    assert_int_equal(uses_of(e), last);
    assert_int_equal(ilk_stats(f->world).retired, 0);
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(ilk_stats(f->world).retired, 1);
    assert_int_equal(ilk_create(f->world).index, 1);
    assert_false(ilk_alive(f->world, first));
    assert_false(ilk_alive(f->world, e));
    assert_true(ilk_is_null(ilk_entity_at(f->world, 0)));
}

// R000.8 C5
static void creating_many_is_creating_one_by_one(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 0);
    ilk_entity one[300], many[300];
    for (int round = 0; round < 3; round++) {
        assert_ok(ilk_create_many(f->world, many, 300));
        for (int i = 0; i < 300; i++) {
            one[i] = ilk_create(other);
            assert_entity(many[i], one[i]);
            assert_true(ilk_alive(f->world, many[i]));
        }
        assert_ok(ilk_destroy_many(f->world, many + 50, 200));
        for (int i = 50; i < 250; i++) {
            assert_ok(ilk_destroy(other, one[i]));
        }
        assert_valid(f->world);
    }
    assert_int_equal(ilk_stats(f->world).alive, ilk_stats(other).alive);
    ilk_world_destroy(other);
}

// R002.3 C4
static void destroying_many_passes_over_the_dead(void** state) {
    fixture* f = *state;
    ilk_entity e[5];
    assert_ok(ilk_create_many(f->world, e, 5));
    assert_ok(ilk_destroy(f->world, e[1]));
    const ilk_entity list[] = {e[0], e[1], e[2], e[2], {0, 0}, e[4]};
    assert_int_equal(ilk_destroy_many(f->world, list, COUNT_OF(list)), ILK_DEAD);
    assert_true(f->told.count >= 1);
    assert_int_equal(ilk_stats(f->world).alive, 1);
    assert_true(ilk_alive(f->world, e[3]));
    ilk_entity again[4];
    assert_ok(ilk_create_many(f->world, again, 4));
    assert_int_equal(again[0].index, 4);
    assert_int_equal(again[1].index, 2);
    assert_int_equal(again[2].index, 0);
    assert_int_equal(again[3].index, 1);
}

// An empty list is nothing to do; a missing one is INVALID.
static void bulk_forms_of_none_do_nothing(void** state) {
    fixture* f = *state;
    assert_ok(ilk_create_many(f->world, NULL, 0));
    assert_ok(ilk_destroy_many(f->world, NULL, 0));
    assert_ok(ilk_add_many(f->world, NULL, 0, &Position_type, NULL));
    assert_ok(ilk_remove_many(f->world, NULL, 0, &Position_type));
    assert_int_equal(ilk_stats(f->world).alive, 0);
    assert_quiet(f);
    assert_int_equal(ilk_create_many(f->world, NULL, 2), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_create_many");
    assert_int_equal(ilk_destroy_many(f->world, NULL, 2), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_destroy_many");
    assert_int_equal(ilk_stats(f->world).alive, 0);
}

// R002.22
static void living_and_high_water_are_both_known(void** state) {
    fixture* f = *state;
    ilk_entity e[10];
    assert_ok(ilk_create_many(f->world, e, 10));
    assert_ok(ilk_destroy_many(f->world, e, 7));
    assert_int_equal(ilk_stats(f->world).alive, 3);
    assert_int_equal(ilk_stats(f->world).slots, 10);
    assert_int_equal(ilk_stats(f->world).ever, 10);
    ilk_create(f->world);
    assert_int_equal(ilk_stats(f->world).alive, 4);
    assert_int_equal(ilk_stats(f->world).slots, 10);
    assert_int_equal(ilk_stats(f->world).ever, 11);
}

// R001.4 R001.8
static void a_kept_handle_reaches_its_entity(void** state) {
    fixture* f = *state;
    enum {
        COUNT = 1000
    };
    ilk_entity e[COUNT];
    for (int i = 0; i < COUNT; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Health, i), ILK_WITH(Position));
    }
    for (int i = 0; i < COUNT; i++) {
        if (i % 3) {
            assert_ok(ilk_destroy(f->world, e[i]));
        }
    }
    for (int settled = 0; settled < 2; settled++) {
        for (int i = 0; i < COUNT; i += 3) {
            assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i);
            assert_entity(ilk_entity_at(f->world, e[i].index), e[i]);
        }
        settle_fully(f->world);
    }
}

// R002.6 C5
static void generations_go_on_after_clearing(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 3);
    ilk_entity e[3];
    assert_ok(ilk_create_many(world, e, 3));
    assert_ok(ilk_destroy(world, e[1]));
    ilk_clear(world);
    for (uint32_t i = 0; i < 3; i++) {
        ilk_entity fresh = ilk_create(world);
        assert_int_equal(fresh.index, i);
        assert_int_equal(uses_of(fresh), 2);
        assert_int_equal(tag_of(fresh), 3);
        assert_false(ilk_alive(world, e[i]));
    }
    ilk_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_has_32_bits),
        WORLD_TEST(indices_count_from_zero),
        WORLD_TEST(the_last_freed_is_used_first),
        WORLD_TEST(a_used_index_comes_back_with_the_next_generation),
        WORLD_TEST(indices_stay_below_the_peak),
        WORLD_TEST(an_entity_is_found_by_index),
        cmocka_unit_test(destroying_removes_everything),
        WORLD_TEST(destroying_twice_frees_once),
        WORLD_TEST(forged_handles_are_dead),
        WORLD_TEST(null_is_never_alive),
        WORLD_TEST(handles_compare_by_index_and_generation),
        WORLD_TEST(the_wrong_world_changes_nothing),
        WORLD_TEST(worlds_of_one_tag_share_handles),
        WORLD_TEST(a_world_may_be_told_not_to_recycle),
        WORLD_TEST(without_recycling_the_maximum_counts_the_living),
        WORLD_TEST(a_used_up_index_is_retired),
        WORLD_TEST(creating_many_is_creating_one_by_one),
        WORLD_TEST(destroying_many_passes_over_the_dead),
        WORLD_TEST(bulk_forms_of_none_do_nothing),
        WORLD_TEST(living_and_high_water_are_both_known),
        WORLD_TEST(a_kept_handle_reaches_its_entity),
        WORLD_TEST(generations_go_on_after_clearing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
