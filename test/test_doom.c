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

static void a_list_is_destroyed_as_one(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[5];
    create_some(world, e, 5);
    assert_ok(ilk_relate(world, e[1], &PartOf_type, e[0]));
    assert_ok(ilk_relate(world, e[3], &Needs_type, e[2]));
    assert_ok(ilk_relate(world, e[4], &PartOf_type, e[2]));
    assert_int_equal(ilk_destroy_many(world, (ilk_entity[]){e[0], e[2]}, 2), ILK_NEEDED);
    assert_told(f, ILK_NEEDED, "ilk_destroy_many");
    assert_string_equal(f->told.text,
                        "ilk_destroy_many of Needs for entity 2:1: entity 3:1 needs it, by Needs");
    assert_int_equal(ilk_stats(world).alive, 5);
    assert_valid(world);
    assert_ok(ilk_destroy_many(world, (ilk_entity[]){e[0], e[1], e[2], e[3], e[4]}, 5));
    assert_int_equal(ilk_stats(world).alive, 0);
    assert_valid(world);
}

static void those_who_need_each_other_go_together(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[3];
    create_some(world, e, 3);
    assert_ok(ilk_relate(world, e[0], &Needs_type, e[1]));
    assert_ok(ilk_relate(world, e[1], &Needs_type, e[0]));
    assert_ok(ilk_relate(world, e[2], &PartOf_type, e[1]));
    assert_int_equal(ilk_destroy(world, e[0]), ILK_NEEDED);
    f->memory.left = 0;
    assert_ok(ilk_destroy_many(world, (ilk_entity[]){e[2], e[0], e[1]}, 3));
    f->memory.left = UINT64_MAX;
    assert_int_equal(ilk_stats(world).alive, 0);
    assert_valid(world);
}

static void who_is_dead_or_twice_in_a_list_is_passed_over(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[4];
    create_some(world, e, 4);
    assert_ok(ilk_relate(world, e[1], &PartOf_type, e[0]));
    assert_ok(ilk_destroy(world, e[3]));
    assert_int_equal(ilk_destroy_many(world, (ilk_entity[]){e[1], e[3], e[0]}, 3), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_destroy_many");
    assert_non_null(strstr(f->told.text, "entity 3:1"));
    assert_int_equal(ilk_stats(world).alive, 1);
    ilk_entity more = ilk_create(world);
    assert_ok(ilk_relate(world, more, &Likes_type, e[2]));
    assert_int_equal(ilk_destroy_many(world, (ilk_entity[]){more, e[2], more}, 3), ILK_DEAD);
    assert_int_equal(ilk_stats(world).alive, 0);
    assert_valid(world);
}

// What is caused by the end of one list ends another one, of which the first has some.
typedef struct nest {
    ilk_entity inner[4];
    ilk_result result;
} nest;

static void destroy_inner(ilk_world* world, ilk_cmd* cmd, void* user) {
    nest* n = user;
    (void)cmd;
    n->result = ilk_destroy_many(world, n->inner, 4);
}

static ilk_result when_liking_ends(ilk_notice* notice) {
    return ilk_cmd_call(notice->cmd, destroy_inner, notice->user);
}

static void a_list_may_go_while_another_does(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[7];
    create_some(world, e, 7);
    nest n = {{e[3], e[4], e[1], e[6]}, ILK_OK};
    assert_ok(ilk_relate(world, e[2], &Likes_type, e[0]));
    assert_ok(ilk_relate(world, e[1], &PartOf_type, e[0]));
    assert_ok(ilk_relate(world, e[3], &PartOf_type, e[4]));
    assert_ok(ilk_relate(world, e[5], &Needs_type, e[1]));
    ilk_observer_create(
        world, &(ilk_observer_desc){
                   .on = ILK_ON_REMOVE, .type = &Likes_type, .run = when_liking_ends, .user = &n});
    assert_ok(ilk_destroy_many(world, (ilk_entity[]){e[0], e[1], e[5]}, 3));
    assert_int_equal(n.result, ILK_DEAD); // of e[1], which is going
    assert_true(ilk_alive(world, e[2]));
    assert_int_equal(ilk_stats(world).alive, 1);
    assert_valid(world);
}

// Who is going with others, and to whom nobody relates by then, goes in its turn and not before.
static void a_list_may_have_somebody_who_is_going(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[6];
    create_some(world, e, 6);
    nest n = {{e[3], e[4], e[0], e[5]}, ILK_OK};
    assert_ok(ilk_relate(world, e[1], &Likes_type, e[0]));
    ilk_observer_create(
        world, &(ilk_observer_desc){
                   .on = ILK_ON_REMOVE, .type = &Likes_type, .run = when_liking_ends, .user = &n});
    assert_ok(ilk_destroy(world, e[0]));
    assert_int_equal(n.result, ILK_DEAD);
    assert_int_equal(ilk_stats(world).alive, 2);
    assert_valid(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(all_that_depend_are_found_in_order),
        WORLD_TEST(who_is_needed_dooms_nobody),
        WORLD_TEST(room_is_made_when_relations_are),
        WORLD_TEST(a_list_is_destroyed_as_one),
        WORLD_TEST(those_who_need_each_other_go_together),
        WORLD_TEST(who_is_dead_or_twice_in_a_list_is_passed_over),
        WORLD_TEST(a_list_may_go_while_another_does),
        WORLD_TEST(a_list_may_have_somebody_who_is_going),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
