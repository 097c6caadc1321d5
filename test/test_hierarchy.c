// The hierarchy: parents, children in order, and walks.
#include "relation_support.h"

// 0 above 1, 2 and 3; 1 above 4 and 5; 4 above 6.
enum {
    FAMILY = 7
};

static void make_family(ilk_world* world, ilk_entity* e) {
    static const uint32_t parents[FAMILY] = {0, 0, 0, 0, 1, 1, 4};
    create_some(world, e, FAMILY);
    for (uint32_t i = 1; i < FAMILY; i++) assert_ok(ilk_set_parent(world, e[i], e[parents[i]]));
}

// R004.24
static void children_are_in_order(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[FAMILY];
    make_family(world, e);
    assert_sources(world, e[0], ilk_child_of, e[1], e[2], e[3]);
    assert_int_equal(ilk_child_count(world, e[0]), 3);
    ilk_entity two[2];
    assert_int_equal(ilk_children(world, e[0], two, 2), 3);
    assert_entity(two[1], e[2]);
    assert_entity(ilk_first_child(world, e[0]), e[1]);
    assert_entity(ilk_next_child(world, e[1]), e[2]);
    assert_entity(ilk_next_child(world, e[3]), NOBODY);
    assert_entity(ilk_previous_child(world, e[2]), e[1]);
    assert_entity(ilk_previous_child(world, e[1]), NOBODY);
    assert_entity(ilk_next_child(world, e[0]), NOBODY);
    assert_entity(ilk_parent(world, e[6]), e[4]);
    assert_entity(ilk_parent(world, e[0]), NOBODY);
}

static void a_child_is_moved_among_its_siblings(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[FAMILY];
    make_family(world, e);
    assert_ok(ilk_child_move(world, e[3], e[1]));
    assert_sources(world, e[0], ilk_child_of, e[3], e[1], e[2]);
    assert_ok(ilk_child_move(world, e[3], NOBODY));
    assert_sources(world, e[0], ilk_child_of, e[1], e[2], e[3]);
    assert_ok(ilk_child_move(world, e[1], e[3]));
    assert_sources(world, e[0], ilk_child_of, e[2], e[1], e[3]);
    assert_ok(ilk_child_move(world, e[1], e[1]));
    assert_ok(ilk_child_move(world, e[6], NOBODY));
    assert_sources(world, e[4], ilk_child_of, e[6]);
    assert_valid(world);
    assert_int_equal(ilk_child_move(world, e[1], e[5]), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_child_move");
    assert_int_equal(ilk_child_move(world, e[0], NOBODY), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_child_move");
    ilk_entity dead = ilk_create(world);
    assert_ok(ilk_destroy(world, dead));
    assert_int_equal(ilk_child_move(world, dead, NOBODY), ILK_DEAD);
    assert_int_equal(ilk_child_move(world, e[1], dead), ILK_DEAD);
    assert_int_equal(ilk_child_move(NULL, e[1], dead), ILK_INVALID);
}

// R004.24
static void a_parent_is_set_and_unset(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[FAMILY];
    make_family(world, e);
    assert_int_equal(ilk_set_parent(world, e[1], e[0]), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_set_parent");
    assert_int_equal(ilk_set_parent(world, e[1], e[6]), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_set_parent");
    assert_ok(ilk_set_parent(world, e[4], NOBODY));
    assert_int_equal(ilk_set_parent(world, e[4], NOBODY), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_set_parent");
    assert_int_equal(ilk_depth(world, e[6]), 1);
    assert_entity(ilk_root_of(world, e[6]), e[4]);
}

static void depth_follows_every_move(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[FAMILY];
    make_family(world, e);
    assert_int_equal(ilk_depth(world, e[0]), 0);
    assert_int_equal(ilk_depth(world, e[6]), 3);
    assert_ok(ilk_set_parent(world, e[1], e[3]));
    assert_int_equal(ilk_depth(world, e[6]), 4);
    assert_ok(ilk_remove(world, e[3], &ilk_child_of_type));
    assert_int_equal(ilk_depth(world, e[6]), 3);
    assert_ok(ilk_remove_all(world, e[1]));
    assert_int_equal(ilk_depth(world, e[6]), 2);
    assert_ok(ilk_set_parent(world, e[1], e[2]));
    assert_int_equal(ilk_depth(world, e[6]), 4);
    assert_valid(world);
}

// R004.24
static void who_is_below_whom(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[FAMILY], dead = ilk_create(world);
    assert_ok(ilk_destroy(world, dead));
    assert_entity(ilk_root_of(world, dead), NOBODY);
    make_family(world, e);
    assert_true(ilk_is_below(world, e[6], e[0]));
    assert_true(ilk_is_below(world, e[6], e[4]));
    assert_false(ilk_is_below(world, e[6], e[2]));
    assert_false(ilk_is_below(world, e[0], e[6]));
    assert_false(ilk_is_below(world, e[0], e[0]));
    assert_false(ilk_is_below(world, e[6], dead));
    assert_entity(ilk_root_of(world, e[6]), e[0]);
    assert_entity(ilk_root_of(world, e[0]), e[0]);
    assert_entity(ilk_root_of(NULL, e[0]), NOBODY);
    assert_int_equal(ilk_depth(world, dead), 0);
}

// R004.24
static void those_above_are_walked_the_nearest_first(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[FAMILY], above[3], dead = ilk_create(world);
    assert_ok(ilk_destroy(world, dead));
    make_family(world, e);
    assert_int_equal(ilk_above(world, e[6], above, 3), 3);
    assert_entity(above[0], e[4]);
    assert_entity(above[1], e[1]);
    assert_entity(above[2], e[0]);
    uint32_t count = 0;
    for (ilk_entity a = ilk_parent(world, e[6]); !ilk_is_null(a); a = ilk_parent(world, a)) {
        assert_entity(a, above[count]);
        count++;
    }
    assert_int_equal(count, 3);
    above[1] = NOBODY;
    assert_int_equal(ilk_above(world, e[6], above, 1), 3);
    assert_entity(above[1], NOBODY);
    assert_int_equal(ilk_above(world, e[6], NULL, 3), 3);
    assert_int_equal(ilk_above(world, e[0], above, 3), 0);
    assert_int_equal(ilk_above(world, dead, above, 3), 0);
    assert_int_equal(ilk_above(NULL, e[6], above, 3), 0);
}

// R004.20
static void all_below_are_destroyed_too(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[FAMILY];
    make_family(world, e);
    watch(world, "w", ILK_ON_DESTROY, NULL);
    assert_ok(ilk_destroy(world, e[1]));
    assert_notices("w destroyed 6 destroy; w destroyed 5 destroy; w destroyed 4 destroy; "
                   "w destroyed 1 destroy; ");
    assert_sources(world, e[0], ilk_child_of, e[2], e[3]);
    assert_ok(ilk_destroy(world, e[0]));
    assert_int_equal(ilk_stats(world).alive, 0);
}

static bool write_index(const ilk_world* world, ilk_entity e, void* user) {
    assert_true(ilk_alive(world, e));
    write_down("%u", e.index);
    return e.index != *(const uint32_t*)user;
}

// R004.24
static void walks_visit_all_from_a_root_down(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[FAMILY];
    uint32_t last = UINT32_MAX;
    make_family(world, e);
    ilk_visit_below(world, e[0], ILK_WALK_DEPTH, write_index, &last);
    assert_notices("0146523");
    ilk_visit_below(world, e[0], ILK_WALK_BREADTH, write_index, &last);
    assert_notices("0123456");
    ilk_visit_below(world, e[1], ILK_WALK_BREADTH, write_index, &last);
    assert_notices("1456");
    last = 6;
    ilk_visit_below(world, e[0], ILK_WALK_DEPTH, write_index, &last);
    assert_notices("0146");
    last = 2;
    ilk_visit_below(world, e[0], ILK_WALK_BREADTH, write_index, &last);
    assert_notices("012");
    for (ilk_entity at = e[1]; !ilk_is_null(at); at = ilk_next_below(world, at, e[1])) {
        write_down("%u", at.index);
    }
    assert_notices("1465");
    assert_entity(ilk_next_below(world, e[3], e[1]), NOBODY);
}

static void walks_are_collected(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[FAMILY], some[FAMILY];
    make_family(world, e);
    assert_related_to(ilk_below(world, e[0], ILK_WALK_DEPTH, found, LISTED), e[0], e[1], e[4], e[6],
                      e[5], e[2], e[3]);
    assert_related_to(ilk_below(world, e[0], ILK_WALK_BREADTH, found, LISTED), e[0], e[1], e[2],
                      e[3], e[4], e[5], e[6]);
    for (uint32_t room = 0; room < FAMILY; room++) {
        memset(some, 0, sizeof some);
        assert_int_equal(ilk_below(world, e[0], ILK_WALK_BREADTH, some, room), FAMILY);
        for (uint32_t i = 0; i < FAMILY; i++) {
            assert_entity(some[i], i < room ? e[i] : NOBODY);
        }
    }
    assert_int_equal(ilk_below(world, e[0], ILK_WALK_DEPTH, NULL, 9), FAMILY);
    assert_int_equal(ilk_below(world, NOBODY, ILK_WALK_DEPTH, some, 7), 0);
    assert_int_equal(ilk_below(NULL, e[0], ILK_WALK_DEPTH, some, 7), 0);
}

static void whoever_is_alone_is_a_tree(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world), found[2];
    uint32_t last = 0;
    assert_int_equal(ilk_below(f->world, e, ILK_WALK_BREADTH, found, 2), 1);
    assert_entity(found[0], e);
    ilk_visit_below(f->world, e, ILK_WALK_DEPTH, write_index, &last);
    assert_notices("0");
    assert_entity(ilk_next_below(f->world, e, e), NOBODY);
    assert_entity(ilk_root_of(f->world, e), e);
    assert_int_equal(ilk_child_move(f->world, e, NOBODY), ILK_MISSING);
}

static void a_restricted_world_knows_the_hierarchy(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type* const[]){&Position_type, NULL};
    ilk_world* world = ilk_world_create(&desc);
    ilk_entity a = ilk_create(world), b = ilk_create(world);
    assert_ok(ilk_set_parent(world, a, b));
    assert_int_equal(ilk_relate(world, a, &Likes_type, b), ILK_FOREIGN);
    ilk_world_destroy(world);
}

static void an_entity_is_shown_with_its_targets(void** state) {
    fixture* f = *state;
    char text[256];
    ilk_entity e[FAMILY];
    make_family(f->world, e);
    assert_ok(ilk_relate(f->world, e[6], &Likes_type, e[2]));
    assert_ok(ilk_relate(f->world, e[6], &Likes_type, e[3]));
    ilk_entity_text(f->world, e[6], text, sizeof text);
    assert_string_equal(text, "entity 6:1 ChildOf {to 4:1}, Likes {to 2:1, 3:1}");
}

// Who is below nobody's parent closes no ring, and who is above all of them would.
static void a_long_chain_is_built_from_the_root_down(void** state) {
    fixture* f = *state;
    ilk_entity root = ilk_create(f->world), last = root;
    for (uint32_t i = 0; i < 20000; i++) {
        ilk_entity e = ilk_create(f->world);
        assert_ok(ilk_set_parent(f->world, e, last));
        last = e;
    }
    assert_int_equal(ilk_depth(f->world, last), 20000);
    assert_int_equal(ilk_set_parent(f->world, root, last), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_set_parent");
    ilk_entity alone = ilk_create(f->world);
    assert_int_equal(ilk_set_parent(f->world, alone, alone), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_set_parent");
    assert_ok(ilk_destroy(f->world, root));
    assert_int_equal(ilk_stats(f->world).alive, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(children_are_in_order),
        WORLD_TEST(a_child_is_moved_among_its_siblings),
        WORLD_TEST(a_parent_is_set_and_unset),
        WORLD_TEST(depth_follows_every_move),
        WORLD_TEST(who_is_below_whom),
        WORLD_TEST(those_above_are_walked_the_nearest_first),
        NOTED_TEST(all_below_are_destroyed_too),
        NOTED_TEST(walks_visit_all_from_a_root_down),
        WORLD_TEST(walks_are_collected),
        NOTED_TEST(whoever_is_alone_is_a_tree),
        WORLD_TEST(a_restricted_world_knows_the_hierarchy),
        WORLD_TEST(an_entity_is_shown_with_its_targets),
        WORLD_TEST(a_long_chain_is_built_from_the_root_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
