// Trees: depths, and walks by slots.
#include "relation/tree.h"

#include "relation_support.h"
#include "world/world.h"

static const ilki_relation* tree_of(const fixture* f) {
    return ilki_directory_of(&f->world->storage.view, &Under_type)->relation;
}

// A chain, each under the one before it.
static void make_chain(fixture* f, ilk_entity* e, uint32_t count) {
    create_some(f->world, e, count);
    for (uint32_t i = 1; i < count; i++) {
        assert_ok(ilk_relate(f->world, e[i], &Under_type, e[i - 1]));
    }
}

static void depths_are_kept_down_a_chain(void** state) {
    fixture* f = *state;
    ilk_entity e[20];
    make_chain(f, e, 20);
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(ilki_tree_depth(&f->world->storage, tree_of(f), i), i);
    }
    assert_ok(ilk_relate(f->world, e[10], &Under_type, e[2]));
    for (uint32_t i = 10; i < 20; i++) {
        assert_int_equal(ilki_tree_depth(&f->world->storage, tree_of(f), i), i - 7);
    }
    assert_ok(ilk_destroy(f->world, e[5])); // the one under it stays
    assert_int_equal(ilki_tree_depth(&f->world->storage, tree_of(f), 9), 3);
    assert_int_equal(ilki_tree_parent(&f->world->storage, tree_of(f), 6), ILKI_NONE);
}

static void who_is_within_whom(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    make_chain(f, e, 4);
    assert_true(ilki_tree_is_within(&f->world->storage, tree_of(f), 3, 0));
    assert_true(ilki_tree_is_within(&f->world->storage, tree_of(f), 3, 3));
    assert_false(ilki_tree_is_within(&f->world->storage, tree_of(f), 0, 3));
}

static void walks_can_be_bounded(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    make_chain(f, e, 4);
    const ilki_storage* storage = &f->world->storage;
    assert_int_equal(ilki_tree_next(storage, tree_of(f), 1, 0, ILKI_NONE), 2);
    assert_int_equal(ilki_tree_next(storage, tree_of(f), 1, 0, 1), ILKI_NONE);
    assert_int_equal(ilki_tree_next(storage, tree_of(f), 1, 0, 2), 2);
    assert_int_equal(ilki_tree_next(storage, tree_of(f), 3, 1, ILKI_NONE), ILKI_NONE);
    assert_int_equal(ilki_tree_next(storage, tree_of(f), 0, 2, ILKI_NONE), 1);
}

static void a_depth_that_changes_is_no_change_to_the_user(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    make_chain(f, e, 3);
    e[3] = ilk_create(f->world);
    ilk_query* changed = ilk_query_create(
        f->world, &(ilk_query_desc){.read = {&Under_type}, .changed = {&Under_type}});
    ilk_entity other = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_TO(Under, e[3]));
    settle_fully(f->world);
    for (ilk_iter it = ilk_query_iter(f->world, changed); ilk_next(&it);) {
    }
    assert_int_equal(ilk_query_count(f->world, changed), 0);
    assert_ok(ilk_relate(f->world, e[0], &Under_type, other));
    assert_int_equal(ILK_GET(f->world, e[2], Under)->depth, 4);
    assert_valid(f->world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(depths_are_kept_down_a_chain),
        WORLD_TEST(who_is_within_whom),
        WORLD_TEST(walks_can_be_bounded),
        WORLD_TEST(a_depth_that_changes_is_no_change_to_the_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
