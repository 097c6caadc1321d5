// Doom: who goes with whom, found before anybody goes.
#include "world/world.h"

#include "relation_support.h"

static void all_that_depend_are_found_in_order(void** state) {
    fixture* f = *state;
    ilki_relations* relations = &f->world->relations;
    ilk_entity e[5];
    ilki_need need;
    create_some(f->world, e, 5);
    assert_ok(ilk_relate(f->world, e[2], &PartOf_type, e[0]));
    assert_ok(ilk_relate(f->world, e[1], &PartOf_type, e[0]));
    assert_ok(ilk_relate(f->world, e[3], &PartOf_type, e[1]));
    assert_ok(ilk_relate(f->world, e[4], &Likes_type, e[0]));
    assert_ok(ilki_doom(relations, &f->world->storage, e[0], &need));
    const uint32_t wanted[] = {0, 2, 1, 3};
    assert_int_equal(relations->doomed_count, COUNT_OF(wanted));
    for (uint32_t i = 0; i < COUNT_OF(wanted); i++) {
        assert_int_equal(relations->doomed[i].index, wanted[i]);
        assert_true(ilki_is_doomed(relations, wanted[i]));
    }
    assert_false(ilki_is_doomed(relations, 4));
    assert_int_equal(ilk_relate(f->world, e[4], &Likes_type, e[3]), ILK_DEAD);
    while (relations->doomed_count) ilki_doom_is_done(relations);
    assert_false(ilki_is_doomed(relations, 0));
}

static void who_is_needed_dooms_nobody(void** state) {
    fixture* f = *state;
    ilki_relations* relations = &f->world->relations;
    ilk_entity e[3];
    ilki_need need;
    create_some(f->world, e, 3);
    assert_ok(ilk_relate(f->world, e[1], &PartOf_type, e[0]));
    assert_ok(ilk_relate(f->world, e[2], &Needs_type, e[1]));
    assert_int_equal(ilki_doom(relations, &f->world->storage, e[0], &need), ILK_NEEDED);
    assert_int_equal(need.source, 2);
    assert_int_equal(need.target, 1);
    assert_int_equal(relations->doomed_count, 0);
    assert_true(ilki_is_needed(f->world, e[0]));
    assert_false(ilki_is_needed(f->world, e[2]));
    assert_true(ilki_has_sources(relations, 1));
    assert_false(ilki_has_sources(relations, 2));
}

static void room_is_made_when_relations_are(void** state) {
    fixture* f = *state;
    ilk_entity e[200];
    create_some(f->world, e, 200);
    for (uint32_t i = 1; i < 200; i++) assert_ok(ilk_set_parent(f->world, e[i], e[i / 2]));
    assert_true(f->world->relations.doomed_capacity >= 200);
    f->memory.left = 0;
    assert_ok(ilk_destroy(f->world, e[0]));
    f->memory.left = UINT64_MAX;
    assert_int_equal(ilk_stats(f->world).alive, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(all_that_depend_are_found_in_order),
        WORLD_TEST(who_is_needed_dooms_nobody),
        WORLD_TEST(room_is_made_when_relations_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
