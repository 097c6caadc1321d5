// The suites of Flux on worlds, entities, stores and registries, mirrored by what its document says
// of each class. (The suite on queries is in test_queries.c.)
#include "query_support.h"

#define assert_has_component(world, e, T)                                                          \
    do {                                                                                           \
        assert_true(ilk_has((world), (e), &T##_type));                                             \
        assert_non_null(ILK_GET((world), (e), T));                                                 \
    } while (0)

// R000.35: SimpleWorld: ids count up and come back, an entity is found by its id until it is
// deleted, and deleting takes its components along.
static void mirrored_world(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 0));
        assert_int_equal(e[i].index, i);
        assert_entity(ilk_entity_at(f->world, i), e[i]);
    }
    assert_true(ilk_is_null(ilk_entity_at(f->world, 4)));
    assert_ok(ilk_destroy(f->world, e[1]));
    assert_ok(ilk_destroy(f->world, e[3]));
    assert_int_equal(ilk_destroy(f->world, e[3]), ILK_DEAD);
    assert_true(ilk_is_null(ilk_entity_at(f->world, 3)));
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 2);
    ilk_entity again[3];
    for (uint32_t i = 0; i < 3; i++) again[i] = ilk_create(f->world);
    assert_int_equal(again[0].index, 3);
    assert_int_equal(again[1].index, 1);
    assert_int_equal(again[2].index, 4);
    assert_false(ilk_has(f->world, again[0], &Position_type));
    assert_entity(ilk_entity_at(f->world, 3), again[0]);
    assert_int_equal(ilk_stats(f->world).alive, 5);
    ilk_query* positions = QUERY(f->world, .read = {&Position_type});
    assert_result_count(f->world, positions, 2);
}

// R000.35: SimpleEntity: components are added, got, asked for and removed by their type; what is
// not there is absent and no error; the entity deletes itself.
static void mirrored_entity(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world), other = ilk_create(f->world);
    assert_null(ILK_GET(f->world, e, Position));
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 1, 2)));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 3)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_has_component(f->world, e, Position);
    assert_has_component(f->world, e, Health);
    assert_true(same_position(ILK_GET(f->world, e, Position), 1, 2));
    assert_int_equal(ilk_add(f->world, e, ILK_VALUE(Position, 3, 4)), ILK_EXISTS);
    assert_true(same_position(ILK_GET(f->world, e, Position), 1, 2));
    ILK_EDIT(f->world, e, Health)->points = 9;
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 9);
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_int_equal(ilk_remove(f->world, e, &Position_type), ILK_MISSING);
    assert_int_equal(ilk_remove(f->world, e, &Velocity_type), ILK_MISSING);
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 2);
    assert_false(ilk_has(f->world, other, &Health_type));
    assert_false(ilk_same(e, other));
    assert_ok(ilk_destroy(f->world, e));
    assert_false(ilk_alive(f->world, e));
    assert_true(ilk_alive(f->world, other));
}

// R000.35: ComponentStore: one component of the type for each entity, found by the entity and
// walked as an array; removing leaves the others as they are; room grows from little to much.
static void mirrored_store(void** state) {
    fixture* f = *state;
    enum {
        MANY_OF_THEM = 1000
    };
    ilk_entity e[MANY_OF_THEM];
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    for (uint32_t i = 0; i < MANY_OF_THEM; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 1));
        if (i == 9) assert_true(ilk_stats(f->world).rows < 64);
    }
    assert_true(ilk_stats(f->world).rows >= MANY_OF_THEM);
    assert_ok(ilk_remove(f->world, e[0], &Position_type));
    assert_ok(ilk_remove(f->world, e[MANY_OF_THEM - 1], &Position_type));
    assert_ok(ilk_remove(f->world, e[500], &Position_type));
    assert_null(ILK_GET(f->world, e[500], Position));
    assert_result_count(f->world, query, MANY_OF_THEM - 3);
    ilk_entity found[MANY_OF_THEM];
    assert_int_equal(ilk_query_collect(f->world, query, found, MANY_OF_THEM), MANY_OF_THEM - 3);
    assert_entity(found[0], e[1]);
    assert_entity(found[499], e[501]);
    settle_fully(f->world);
    for (uint32_t i = 1; i < 499; i++) {
        assert_true(same_position(ILK_GET(f->world, e[i], Position), (float)i, 1));
    }
    assert_ok(ilk_add(f->world, e[500], ILK_VALUE(Position, 7, 7)));
    assert_true(same_position(ILK_GET(f->world, e[500], Position), 7, 7));
    assert_result_count(f->world, query, MANY_OF_THEM - 2);
}

// R000.35: ComponentRegistry: a type is known from its first component on and not before; all
// components of an entity are listed, and removed at once.
static void mirrored_registry(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world), other = ilk_create(f->world);
    assert_null(ilk_type_named(f->world, "Position"));
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_int_equal(ilk_type_count(f->world), 0);
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 1, 2)));
    assert_int_equal(ilk_type_count(f->world), 1);
    assert_non_null(ilk_type_named(f->world, "Position"));
    assert_int_equal(ilk_register(f->world, &Position_type), ILK_EXISTS);
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Velocity, 3, 4)));
    assert_ok(ilk_add(f->world, other, ILK_VALUE(Velocity, 5, 6)));
    ilk_type* types[4];
    assert_int_equal(ilk_types_of(f->world, e, types, 4), 2);
    assert_string_equal(types[0]->name, "Position");
    assert_string_equal(types[1]->name, "Velocity");
    assert_ok(ilk_remove_all(f->world, e));
    assert_ok(ilk_remove_all(f->world, e));
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 0);
    assert_true(ilk_alive(f->world, e));
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 0);
    assert_int_equal(ilk_stats_of(f->world, &Velocity_type).count, 1);
    assert_true(ILK_GET(f->world, other, Velocity)->x == 5);
    assert_int_equal(ilk_type_count(f->world), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(mirrored_world),
        WORLD_TEST(mirrored_entity),
        WORLD_TEST(mirrored_store),
        WORLD_TEST(mirrored_registry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
