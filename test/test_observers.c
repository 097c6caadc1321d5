// Observers: who is told of what, in which order, and with what.
#include "observer_support.h"

// R001.39, C18
static void an_observer_is_told_of_everything_in_order(void** state) {
    fixture* f = *state;
    watch(f->world, "a", EVERYTHING, NULL);
    ilk_entity e = ilk_create(f->world);
    assert_notices("a created 0 spawn; ");
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 5)));
    assert_notices("a added 0 Health=5 change; ");
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 6)));
    assert_notices("a set 0 Health=6<5 change; ");
    assert_ok(ilk_replace(f->world, e, ILK_VALUE(Health, 7)));
    assert_notices("a set 0 Health=7<6 change; ");
    assert_ok(ilk_disable(f->world, e, &Health_type));
    assert_ok(ilk_disable(f->world, e, &Health_type));
    assert_notices("a disabled 0 Health=7 change; ");
    assert_ok(ilk_enable(f->world, e, &Health_type));
    assert_notices("a enabled 0 Health=7 change; ");
    assert_ok(ilk_disable(f->world, e, &Health_type));
    notices[0] = 0;
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 8)));
    assert_notices("a set 0 Health=8<7 change; a enabled 0 Health=8 change; ");
    assert_ok(ilk_set(f->world, e, ILK_WITH(Enemy)));
    assert_notices("a added 0 Enemy change; ");
    assert_non_null(ilk_ensure(f->world, e, &Anchor_type));
    assert_notices("a added 0 Anchor change; ");
    assert_non_null(ilk_ensure(f->world, e, &Anchor_type));
    assert_notices("");
    assert_ok(ilk_remove(f->world, e, &Anchor_type));
    assert_notices("a removed 0 Anchor change; ");
    assert_ok(ilk_destroy(f->world, e));
    assert_notices(
        "a removed 0 Health=8 destroy; a removed 0 Enemy destroy; a destroyed 0 destroy; ");
    ilk_entity s = ILK_SPAWN(f->world, ILK_WITH(Enemy), ILK_VALUE(Health, 3));
    assert_notices("a created 0 spawn; a added 0 Health=3 spawn; a added 0 Enemy spawn; ");
    ilk_entity c = ilk_copy(f->world, s);
    assert_false(ilk_is_null(c));
    assert_notices("a created 1 spawn; a added 1 Health=3 spawn; a added 1 Enemy spawn; ");
    assert_ok(ilk_remove_all(f->world, c));
    assert_notices("a removed 1 Health=3 change; a removed 1 Enemy change; ");
    assert_valid(f->world);
}

// R001.12, C18
static void the_reason_can_be_said_and_asked_for(void** state) {
    fixture* f = *state;
    watch(f->world, "a", EVERYTHING, NULL);
    ilk_observer_create(
        f->world, &(ilk_observer_desc){
                      .name = "loads", .on = EVERYTHING, .reasons = ILK_REASON_LOAD, .run = note});
    assert_int_equal(ilk_set_reason(f->world, ILK_REASON_LOAD), 0);
    ilk_entity e = ilk_create(f->world);
    assert_notices("a created 0 load; loads created 0 load; ");
    assert_int_equal(ilk_set_reason(f->world, ILK_REASON_UNLOAD), ILK_REASON_LOAD);
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("a destroyed 0 unload; ");
    ilk_set_reason(f->world, (ilk_reason)0);
    ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    notices[0] = 0;
    ilk_clear(f->world);
    assert_notices("a removed 0 Health=1 unload; a destroyed 0 unload; ");
    assert_int_equal(ilk_stats(f->world).alive, 0);
}

static void the_end_of_a_world_is_told(void** state) {
    (void)state;
    ilk_world* world = ilk_world_create(NULL); // beside the fixture's
    watch(world, "a", ILK_ON_REMOVE | ILK_ON_DESTROY, NULL);
    ILK_SPAWN(world, ILK_VALUE(Health, 9));
    ilk_world_destroy(world);
    assert_notices("a removed 0 Health=9 unload; a destroyed 0 unload; ");
}

static ilk_result look_around(ilk_notice* n) {
    const Health* here = ILK_GET(n->world, n->entity, Health);
    write_down("%s sees %d, %s; ", on_text(n->on), here ? here->points : -1,
               ilk_alive(n->world, n->entity) ? "alive" : "dead");
    return ILK_OK;
}

// R001.14, R001.39, R001.40: what comes is there, what goes still is.
static void what_goes_can_still_be_read(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = EVERYTHING, .run = look_around});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_notices("created sees 1, alive; added sees 1, alive; ");
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 2)));
    assert_notices("set sees 2, alive; ");
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_notices("removed sees 2, alive; ");
    assert_false(ilk_has(f->world, e, &Health_type));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 3)));
    notices[0] = 0;
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("removed sees 3, alive; destroyed sees 3, alive; ");
    assert_false(ilk_alive(f->world, e));
}

// R001.40: by reason, an observer of a component can leave out entities that come and go.
static void changes_alone_can_be_asked_for(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world,
                        &(ilk_observer_desc){.name = "a",
                                             .on = ILK_ON_ADD | ILK_ON_SET | ILK_ON_REMOVE,
                                             .type = &Health_type,
                                             .query = {.with = {&Position_type}},
                                             .reasons = ILK_REASON_CHANGE,
                                             .run = note});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1), ILK_VALUE(Position, 0, 0));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 2)));
    assert_ok(ilk_set(f->world, e, ILK_WITH(Enemy)));
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_notices("a set 0 Health=2<1 change; a removed 0 Health=2 change; ");
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 3)));
    assert_notices("");
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 0, 0)));
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("");
}

// The order is that of the numbers, then of making; and those of one entity come last.
static void observers_are_called_in_order(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world), other = ilk_create(f->world);
    ilk_observer_desc desc = {.on = ILK_ON_ADD, .run = note};
    const struct {
        const char* name;
        int32_t order;
        bool is_single;
    } made[] = {{"late", 10, false},   {"single", -20, true}, {"first", -5, false},
                {"second", -5, false}, {"plain", 0, false},   {"single 2", -30, true}};
    for (uint32_t i = 0; i < COUNT_OF(made); i++) {
        desc.name = made[i].name;
        desc.order = made[i].order;
        desc.type = i % 2 ? &Enemy_type : NULL;
        desc.entity = made[i].is_single ? e : (ilk_entity){0, 0};
        assert_non_null(ilk_observer_create(f->world, &desc));
    }
    assert_int_equal(ilk_observer_count(f->world), 6);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_notices("first added 0 Enemy change; second added 0 Enemy change; "
                   "plain added 0 Enemy change; late added 0 Enemy change; "
                   "single 2 added 0 Enemy change; single added 0 Enemy change; ");
    assert_ok(ilk_add(f->world, other, ILK_WITH(Frozen)));
    assert_notices("first added 1 Frozen change; plain added 1 Frozen change; "
                   "late added 1 Frozen change; ");
    assert_valid(f->world);
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(ilk_observer_count(f->world), 4); // those of the entity went with it
    assert_valid(f->world);
}

static void matching_begins_and_ends(void** state) {
    fixture* f = *state;
    ilk_observer_create(
        f->world, &(ilk_observer_desc){.name = "q",
                                       .on = ILK_ON_MATCH | ILK_ON_CEASE,
                                       .query = {.with = {&Health_type}, .without = {&Frozen_type}},
                                       .run = note});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_notices("q matches 0 spawn; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_notices("");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_notices("q ceases 0 change; ");
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 2)));
    assert_ok(ilk_disable(f->world, e, &Health_type));
    assert_notices("");
    assert_ok(ilk_remove(f->world, e, &Frozen_type));
    assert_notices("");
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 2))); // which switches it on
    assert_notices("q matches 0 change; ");
    assert_ok(ilk_disable(f->world, e, &Health_type));
    assert_notices("q ceases 0 change; ");
    assert_ok(ilk_enable(f->world, e, &Health_type));
    assert_notices("q matches 0 change; ");
    assert_ok(ilk_remove_all(f->world, e));
    assert_notices("q ceases 0 change; ");
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 2)));
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("q matches 0 change; q ceases 0 destroy; ");
    assert_valid(f->world);
}

static void whoever_lacks_something_can_begin_to_match(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.name = "q",
                                                       .on = ILK_ON_MATCH | ILK_ON_CEASE,
                                                       .query = {.where = "!Frozen"},
                                                       .run = look_around});
    ilk_entity e = ilk_create(f->world);
    assert_notices("matches sees -1, alive; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 4)));
    assert_ok(ilk_remove(f->world, e, &Frozen_type));
    assert_notices("ceases sees -1, alive; matches sees 4, alive; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_ok(ilk_remove_all(f->world, e)); // told when all is gone
    assert_notices("ceases sees 4, alive; matches sees -1, alive; ");
}

// What is read when it ceases to match because something goes.
static void a_match_ends_while_all_is_there(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_CEASE,
                                                       .query = {.with = {&Health_type}},
                                                       .run = look_around});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 4));
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_notices("ceases sees 4, alive; ");
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 5)));
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("ceases sees 5, alive; ");
}

static ilk_result look_from_inside(ilk_notice* n) {
    char text[16];
    ilk_query* frozen = n->user;
    ilk_signature(n->world, n->entity, text, sizeof(text));
    write_down("%s, %u alive, %u found, first %u; ", text, ilk_stats(n->world).alive,
               ilk_query_count(n->world, frozen), ilk_query_first(n->world, frozen).index);
    return ILK_OK;
}

// R001.14
static void a_new_entity_is_complete_when_it_is_told(void** state) {
    fixture* f = *state;
    ilk_query* frozen = ilk_query_create(f->world, &(ilk_query_desc){.with = {&Frozen_type}});
    ilk_observer_desc desc = {.on = ILK_ON_CREATE, .run = look_from_inside, .user = frozen};
    assert_non_null(ilk_observer_create(f->world, &desc));
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1), ILK_WITH(Frozen));
    assert_int_equal(e.index, 0);
    assert_notices("11, 1 alive, 1 found, first 0; ");
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 2, ILK_TYPES(&Frozen_type)));
    assert_notices("01, 3 alive, 3 found, first 0; 01, 3 alive, 3 found, first 0; ");
}

// R001.39
static void adding_and_removing_is_no_coming_or_going(void** state) {
    fixture* f = *state;
    watch(f->world, "a", ILK_ON_CREATE | ILK_ON_DESTROY, NULL);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_notices("a created 0 spawn; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 2)));
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_ok(ilk_remove_all(f->world, e));
    ilk_settle(f->world, 0);
    assert_notices("");
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("a destroyed 0 destroy; ");
}

// R001.40: when it comes the query is asked with it, when it goes still with it.
static void the_query_is_asked_while_the_component_is_there(void** state) {
    fixture* f = *state;
    ilk_observer_desc desc = {.name = "a",
                              .on = ILK_ON_ADD | ILK_ON_SET | ILK_ON_REMOVE,
                              .type = &Health_type,
                              .query = {.with = {&Health_type}, .without = {&Frozen_type}},
                              .reasons = ILK_REASON_CHANGE,
                              .run = note};
    assert_non_null(ilk_observer_create(f->world, &desc));
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 1)));
    assert_ok(ilk_replace(f->world, e, ILK_VALUE(Health, 2)));
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_notices("a added 0 Health=1 change; a set 0 Health=2<1 change; "
                   "a removed 0 Health=2 change; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 3)));
    assert_ok(ilk_destroy(f->world, e));
    ILK_SPAWN(f->world, ILK_VALUE(Health, 4));
    assert_notices("");
}

// Whoever observes one entity goes while the world is cleared; the others are told of the next end.
static void others_stay_when_single_observers_go(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    ilk_observer_create(
        f->world,
        &(ilk_observer_desc){.name = "own", .on = ILK_ON_DESTROY, .entity = e, .run = note});
    watch(f->world, "all", ILK_ON_CREATE | ILK_ON_DESTROY, NULL);
    ilk_clear(f->world);
    assert_notices("all destroyed 0 unload; own destroyed 0 unload; ");
    e = ilk_create(f->world);
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("all created 0 spawn; all destroyed 0 destroy; ");
}

static void types_are_the_same_by_name(void** state) {
    fixture* f = *state;
    ilk_type other = {.name = "Health", .size = sizeof(Health)};
    assert_true(ilk_same_type(&Health_type, &other));
    assert_true(ilk_same_type(&Health_type, &Health_type));
    assert_false(ilk_same_type(&Health_type, &Position_type));
    assert_false(ilk_same_type(&Health_type, NULL));
    assert_false(ilk_same_type(NULL, NULL));
    (void)f;
}

static void what_makes_no_sense_is_refused(void** state) {
    fixture* f = *state;
    const ilk_entity dead = {7, 7};
    const struct {
        ilk_observer_desc desc;
        ilk_result result;
    } wrong[] = {
        {{.on = ILK_ON_ADD}, ILK_INVALID},
        {{.run = note}, ILK_INVALID},
        {{.on = 1u << 30, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_MATCH, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_CREATE, .type = &Health_type, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_CREATE, .reasons = 1024, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_ADD, .query = {.changed = {&Health_type}}, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_ADD, .query = {.where = "Nobody"}, .run = note}, ILK_MISSING},
        {{.on = ILK_ON_ADD, .type = &(ilk_type){.size = 4}, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_ADD, .entity = dead, .run = note}, ILK_DEAD},
    };
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_null(ilk_observer_create(f->world, &wrong[i].desc));
        assert_told(f, wrong[i].result, "ilk_observer_create");
    }
    assert_null(ilk_observer_create(f->world, NULL));
    assert_null(ilk_observer_create(NULL, &wrong[0].desc));
    ilk_observer_destroy(NULL);
    assert_string_equal(ilk_observer_name(NULL), "");
    assert_int_equal(ilk_observer_count(NULL), 0);
    assert_int_equal(ilk_observer_count(f->world), 0);
    assert_int_equal(ilk_set_reason(NULL, ILK_REASON_LOAD), 0);
    assert_valid(f->world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        NOTED_TEST(an_observer_is_told_of_everything_in_order),
        NOTED_TEST(the_reason_can_be_said_and_asked_for),
        NOTED_TEST(the_end_of_a_world_is_told),
        NOTED_TEST(what_goes_can_still_be_read),
        NOTED_TEST(changes_alone_can_be_asked_for),
        NOTED_TEST(observers_are_called_in_order),
        NOTED_TEST(matching_begins_and_ends),
        NOTED_TEST(whoever_lacks_something_can_begin_to_match),
        NOTED_TEST(a_match_ends_while_all_is_there),
        NOTED_TEST(a_new_entity_is_complete_when_it_is_told),
        NOTED_TEST(adding_and_removing_is_no_coming_or_going),
        NOTED_TEST(the_query_is_asked_while_the_component_is_there),
        NOTED_TEST(others_stay_when_single_observers_go),
        NOTED_TEST(types_are_the_same_by_name),
        NOTED_TEST(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
