// Snapshots: what was is there again, bit for bit; any number, in any order; nothing moves
// meanwhile.
#include "turmoil_support.h"

static void what_was_is_there_again(void** state) {
    for (uint32_t seed = 1; seed <= 30; seed++) {
        open_world(state);
        shoot_film(((fixture*)*state)->world, change_something, seed, 1500);
        close_world(state);
    }
}

static void two_runs_are_the_same(void** state) {
    random_state = 77;
    for (uint32_t round = 0; round < 60; round++) {
        shoot_twice(((fixture*)*state)->world, change_something, 1 + chance(300));
    }
}

typedef struct Broad {
    _Alignas(64) uint32_t number;
} Broad;
ILK_COMPONENT(Broad);
ILK_RELATION_WITH(Weighs, .value = &Broad_type);

static void assert_broad(const ilk_world* world, ilk_entity a, ilk_entity b, uint32_t number) {
    const Broad* broad = ilk_relation_get(world, a, &Weighs_type, b);
    assert_non_null(broad);
    assert_int_equal((uintptr_t)broad % _Alignof(Broad), 0);
    assert_int_equal(broad->number, number);
}

// Values that relations carry are aligned as they ask for, also those that were put aside.
static void broad_values_of_relations_come_back(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e[40];
    for (uint32_t i = 0; i < 40; i++) e[i] = ilk_create(world);
    for (uint32_t i = 1; i < 40; i++) {
        assert_ok(ilk_relation_set(world, e[0], &Weighs_type, e[i], &(Broad){i}));
    }
    ilk_snapshot* first = ilk_snapshot_take(world);
    for (uint32_t i = 1; i < 40; i++) {
        assert_ok(ilk_relation_set(world, e[0], &Weighs_type, e[i], &(Broad){100 + i}));
    }
    ilk_snapshot* second = ilk_snapshot_take(world);
    assert_ok(ilk_remove(world, e[0], &Weighs_type));
    assert_ok(ilk_snapshot_restore(first));
    for (uint32_t i = 1; i < 40; i++) assert_broad(world, e[0], e[i], i);
    assert_ok(ilk_snapshot_restore(second));
    for (uint32_t i = 1; i < 40; i++) assert_broad(world, e[0], e[i], 100 + i);
    assert_valid(world);
}

typedef struct Ghost {
    uint32_t nights;
} Ghost;
ILK_COMPONENT_WITH(Ghost, .outlives = true);

// Values beside those of somebody who is dying are reached in another way, as long as that is so.
static void the_dying_are_dying_again(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity other = ILK_SPAWN(world, ILK_VALUE(Position, 1, 2), ILK_VALUE(Ghost, 1));
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, 3, 4), ILK_VALUE(Ghost, 2));
    assert_ok(ilk_set(world, other, ILK_VALUE(Health, 7))); // which nobody writes to
    ilk_snapshot* before = ilk_snapshot_take(world);
    assert_ok(ilk_destroy(world, e));
    ilk_snapshot* dying = ilk_snapshot_take(world);
    assert_ok(ilk_remove(world, e, &Ghost_type));
    assert_valid(world);
    assert_ok(ilk_snapshot_restore(dying));
    assert_valid(world);
    assert_true(ilk_dying(world, e));
    assert_int_equal(ilk_add(world, e, ILK_VALUE(Position, 5, 6)), ILK_DEAD);
    assert_ok(ilk_snapshot_restore(before));
    assert_valid(world);
    assert_ok(ilk_set(world, e, ILK_VALUE(Position, 5, 6)));
    assert_int_equal((int)ILK_GET(world, other, Position)->x, 1);
}

// A query whose memory another one had is another query.
static void queries_are_not_told_apart_by_memory(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_query_desc changed = {.changed = {&Position_type}};
    ilk_query* old = ilk_query_create(world, &changed);
    ilk_query* gone = ilk_query_create(world, NULL);
    ILK_SPAWN(world, ILK_VALUE(Position, 1, 2));
    ilk_iter it = ilk_query_iter(world, old);
    while (ilk_next(&it)) continue;
    assert_int_equal(ilk_query_count(world, old), 0);
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    ilk_query_destroy(gone);
    ilk_trim(world);
    for (uint32_t i = 0; i < 8; i++) assert_non_null(ilk_query_create(world, &changed));
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_int_equal(ilk_query_count(world, old), 0);
}

static void walk(ilk_world* world, ilk_query* query) {
    ilk_iter it = ilk_query_iter(world, query);
    while (ilk_next(&it)) continue;
    assert_int_equal(ilk_query_count(world, query), 0);
}

// What a query saw in a time that is not to have been it has yet to see.
static void queries_have_seen_what_they_had(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_query* query = ilk_query_create(world, &(ilk_query_desc){.changed = {&Position_type}});
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, 1, 2));
    ilk_snapshot* unseen = ilk_snapshot_take(world);
    walk(world, query);
    ilk_snapshot* seen = ilk_snapshot_take(world);
    for (uint32_t i = 0; i < 5; i++) {
        assert_ok(ilk_set(world, e, ILK_VALUE(Position, 3, 4)));
        walk(world, query);
    }
    assert_ok(ilk_snapshot_restore(seen));
    assert_int_equal(ilk_query_count(world, query), 0);
    assert_ok(ilk_set(world, e, ILK_VALUE(Position, 5, 6)));
    assert_int_equal(ilk_query_count(world, query), 1);
    assert_ok(ilk_snapshot_restore(unseen));
    assert_int_equal(ilk_query_count(world, query), 1);
}

// Snapshots are lost, one piece after the other, and give back what they had.
static void what_is_lost_is_given_back(void** state) {
    fixture* f = *state;
    for (uint32_t round = 0; round < 200; round++) {
        ilk_snapshot* snapshots[4] = {0};
        random_state = round;
        for (uint32_t i = 0; i < 200; i++) {
            if (i % 50 == 40) snapshots[i / 50] = ilk_snapshot_take(f->world);
            f->memory.left = chance(4) ? UINT64_MAX : 0;
            change_something(f->world);
            f->memory.left = UINT64_MAX;
        }
        assert_valid(f->world);
        for (uint32_t i = 0; i < 4; i++) {
            ilk_snapshot* one = snapshots[(i + round) % 4];
            bool is_lost = ilk_snapshot_stats_of(one).is_lost;
            assert_int_equal(ilk_snapshot_restore(one), is_lost ? ILK_STALE : ILK_OK);
            ilk_snapshot_release(one);
            assert_valid(f->world);
        }
        assert_int_equal(ilk_stats(f->world).bytes_history, 0);
    }
}

static void going_back_is_counted(void** state) {
    fixture* f = *state;
    ilk_snapshot* a = ilk_snapshot_take(f->world);
    assert_int_equal(ilk_restore_count(f->world), 0);
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_ring* ring = ilk_ring_create(f->world, NULL);
    ilk_clear(f->world);
    assert_int_equal(ilk_restore_count(f->world), 0);
    f->memory.left = 0;
    assert_int_equal(ilk_snapshot_restore(a), ILK_NO_MEMORY);
    f->memory.left = UINT64_MAX;
    assert_told(f, ILK_NO_MEMORY, "ilk_snapshot_restore");
    assert_int_equal(ilk_restore_count(f->world), 0);
    assert_ok(ilk_snapshot_restore(a));
    assert_int_equal(ilk_restore_count(f->world), 1);
    assert_ok(ilk_ring_look(ring, 0));
    assert_int_equal(ilk_restore_count(f->world), 2);
    assert_int_equal(ilk_restore_count(NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_is_there_again),
        cmocka_unit_test_setup_teardown(two_runs_are_the_same, open_world, close_world),
        cmocka_unit_test_setup_teardown(broad_values_of_relations_come_back, open_world,
                                        close_world),
        cmocka_unit_test_setup_teardown(the_dying_are_dying_again, open_world, close_world),
        cmocka_unit_test_setup_teardown(queries_are_not_told_apart_by_memory, open_world,
                                        close_world),
        cmocka_unit_test_setup_teardown(queries_have_seen_what_they_had, open_world, close_world),
        cmocka_unit_test_setup_teardown(what_is_lost_is_given_back, open_world, close_world),
        WORLD_TEST(going_back_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
