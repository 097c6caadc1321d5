// Questions in questions, in observers and in systems; and what happens between the two systems of
// a space.
#include "space_support.h"

typedef struct nest {
    ilk_space* space;
    ilk_world* world;
    uint32_t called;
    ilk_result refreshed;
} nest;

// Everybody is moved far away, and asked for: where they are does not change under the one who
// asks.
static bool scatter(const ilk_hit* hit, void* user) {
    nest* n = user;
    for (uint32_t i = 0; i < 20; i++) {
        ILK_EDIT(n->world, ilk_entity_at(n->world, (hit->entity.index + i * 13) % 400), Place)
            ->at[0] += 1000;
    }
    n->called++;
    n->refreshed = ilk_space_refresh(n->space);
    assert_int_equal(count_within(n->space, 50, 0, 0, 1000), 400);
    ilk_space_destroy(n->space); // is refused
    return true;
}

static bool is_asked_for(ilk_world* world, ilk_entity e, void* user) {
    nest* n = user;
    (void)world;
    ILK_EDIT(n->world, e, Place)->at[1] += 0.5f;
    return count_within(n->space, 50, 0, 0, 1e6) == 400;
}

static void questions_may_be_asked_in_questions(void** state) {
    fixture* f = *state;
    for (uint32_t kind = ILK_SPACE_GRID; kind <= ILK_SPACE_TREE; kind++) {
        ilk_clear(f->world);
        for (int i = 0; i < 400; i++) ILK_SPAWN(f->world, ILK_VALUE(Place, {(float)i / 4, 0, 0}));
        nest n = {.world = f->world};
        n.space =
            space_of(f->world, (ilk_space_desc){.type = &Place_type, .kind = (ilk_space_kind)kind});
        ilk_ask ask = {.shape = ILK_SHAPE_SPHERE, .at = {50}, .radius = 1000};
        assert_int_equal(ilk_space_each(n.space, &ask, scatter, &n), 400);
        assert_int_equal(n.called, 400);
        assert_int_equal(n.refreshed, ILK_LOCKED);
        assert_string_equal(f->told.call, "ilk_space_destroy");
        assert_int_equal(count_within(n.space, 50, 0, 0, 800), 0); // now they are elsewhere
        ilk_ask all = {.filter = is_asked_for, .user = &n};
        assert_int_equal(ilk_space_find(n.space, &all, NULL, 0), 400);
        f->told.count = 0;
        assert_ok(ilk_space_refresh(n.space));
        ilk_space_destroy(n.space);
    }
}

static nest asker;

static bool where_it_asks(ilk_world* world, ilk_entity e, void* user, ilk_box* box) {
    (void)user;
    if (asker.space) asker.refreshed = ilk_space_refresh(asker.space);
    asker.called += asker.space ? ilk_space_find(asker.space, &(ilk_ask){0}, NULL, 0) : 0;
    const Place* its = ILK_GET(world, e, Place);
    for (uint32_t i = 0; i < 3; i++) box->low[i] = box->high[i] = its->at[i];
    return true;
}

static void who_is_asked_where_finds_nobody(void** state) {
    fixture* f = *state;
    asker = (nest){.world = f->world};
    for (int i = 0; i < 40; i++) ILK_SPAWN(f->world, ILK_VALUE(Place, {(float)i, 0, 0}));
    asker.space = space_of(f->world, (ilk_space_desc){.type = &Place_type, .where = where_it_asks});
    ILK_EDIT(f->world, ilk_entity_at(f->world, 3), Place)->at[0] = 500;
    assert_int_equal(count_within(asker.space, 0, 0, 0, 100), 39);
    assert_int_equal(asker.called, 0);
    assert_int_equal(asker.refreshed, ILK_LOCKED);
    assert_string_equal(f->told.call, "ilk_space_refresh");
    f->told.count = 0;
    ilk_space_destroy(asker.space);
    asker.space = NULL;
}

// In an observer it is as it was before, and afterwards as it is.
static ilk_result ask_observer(ilk_notice* notice) {
    nest* n = notice->user;
    n->called = count_within(n->space, 0, 0, 0, 100);
    n->refreshed = ilk_space_refresh(n->space);
    return ILK_OK;
}

static void observers_may_ask(void** state) {
    fixture* f = *state;
    nest n = {.world = f->world};
    n.space = space_of(f->world, (ilk_space_desc){.type = &Place_type});
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_ADD | ILK_ON_REMOVE,
                                                       .type = &Place_type,
                                                       .run = ask_observer,
                                                       .user = &n});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Place, {1, 0, 0}));
    assert_int_equal(n.called, 0);
    assert_int_equal(n.refreshed, ILK_LOCKED);
    assert_int_equal(count_within(n.space, 0, 0, 0, 100), 1);
    assert_ok(ilk_remove(f->world, e, &Place_type));
    assert_int_equal(n.called, 1);
    assert_int_equal(count_within(n.space, 0, 0, 0, 100), 0);
    f->told.count = 0;
    ilk_space_destroy(n.space);
}

// Systems

static void walk(ilk_iter* it) {
    while (ilk_next(it)) {
        Place* places = ILK_WRITE(it, Place);
        for (uint32_t i = 0; i < it->count; i++) places[i].at[0] += 10;
    }
}

// What workers found out is of no use if the system that moves did not run, and others did.
static void what_was_gathered_and_not_moved_is_forgotten(void** state) {
    fixture* f = *state;
    ilk_space* space = space_of(f->world, (ilk_space_desc){.type = &Place_type, .phase = "update"});
    ilk_system_desc late = {
        .name = "walk", .run = walk, .order = 5, .query = {.write = {&Place_type}}};
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Place, {0, 0, 0}));
    assert_int_equal(count_within(space, 0, 0, 0, 1), 1);
    ILK_EDIT(f->world, e, Place)->at[0] = 100;
    assert_non_null(ilk_system_create(f->world, &late));
    ilk_system* mover = ilk_system_named(f->world, "space: moving it");
    assert_non_null(mover);
    ilk_system_enable(mover, false);
    assert_ok(ilk_update(f->world, 0.1));
    assert_ok(ilk_set(f->world, e, ILK_WITH(Ghost)));
    assert_ok(ilk_disable(f->world, e, &Place_type));
    assert_ok(ilk_enable(f->world, e, &Place_type));
    assert_int_equal(count_within(space, 110, 0, 0, 1), 1);
    assert_int_equal(count_within(space, 100, 0, 0, 1), 0);
    ilk_space_destroy(space);
}

// Somebody who is back where it was has not moved, whatever workers saw meanwhile.
static void what_was_gathered_and_is_back_stays(void** state) {
    fixture* f = *state;
    ilk_space* space = space_of(f->world, (ilk_space_desc){.type = &Place_type, .phase = "update"});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Place, {0, 0, 0}));
    assert_int_equal(count_within(space, 0, 0, 0, 1), 1);
    ILK_EDIT(f->world, e, Place)->at[0] = 100;
    ilk_system_enable(ilk_system_named(f->world, "space: moving it"), false);
    assert_ok(ilk_update(f->world, 0.1));
    ILK_EDIT(f->world, e, Place)->at[0] = 0;
    assert_int_equal(count_within(space, 0, 0, 0, 1), 1);
    ilk_space_destroy(space);
}

// Between the two systems of a space: who comes to match anew is where it is then.
static void send_away(ilk_iter* it) {
    ilk_entity e = *(ilk_entity*)it->user;
    ilk_cmd_disable(it->cmd, e, &Place_type);
    ilk_cmd_set(it->cmd, e, ILK_VALUE(Place, {500, 0, 0}));
    ilk_cmd_enable(it->cmd, e, &Place_type);
}

static void count_far_away(ilk_iter* it) {
    nest* n = it->user;
    n->called = count_within(n->space, 500, 0, 0, 1);
}

static void what_happens_in_between_is_newer(void** state) {
    fixture* f = *state;
    nest n = {.world = f->world};
    n.space = space_of(f->world, (ilk_space_desc){.type = &Place_type, .phase = "update"});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Place, {0, 0, 0}));
    assert_int_equal(count_within(n.space, 0, 0, 0, 1), 1);
    ILK_EDIT(f->world, e, Place)->at[0] = 100;
    const ilk_system_desc systems[] = {
        {.name = "send away",
         .run = send_away,
         .user = &e,
         .after = {"space: what has moved"},
         .before = {"space: moving it"}},
        {.name = "count", .run = count_far_away, .user = &n, .phase = "post"},
    };
    for (uint32_t i = 0; i < COUNT_OF(systems); i++) {
        assert_non_null(ilk_system_create(f->world, &systems[i]));
    }
    assert_ok(ilk_update(f->world, 0.1));
    assert_int_equal(n.called, 1);
    assert_int_equal(count_within(n.space, 500, 0, 0, 1), 1);
    ilk_space_destroy(n.space);
}

static bool where_enabled(ilk_world* world, ilk_entity e, void* user, ilk_box* box) {
    (void)user;
    const Place* its = ILK_GET(world, e, Place);
    for (uint32_t i = 0; i < 3; i++) box->low[i] = box->high[i] = its->at[i];
    return ilk_enabled(world, e, &Health_type);
}

static void what_a_function_looks_at_may_be_switched(void** state) {
    fixture* f = *state;
    ilk_space* space = space_of(
        f->world,
        (ilk_space_desc){.type = &Place_type, .where = where_enabled, .reads = {&Health_type}});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Place, {0, 0, 0}));
    assert_int_equal(count_within(space, 0, 0, 0, 1), 0);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Health)));
    assert_int_equal(count_within(space, 0, 0, 0, 1), 1);
    assert_ok(ilk_disable(f->world, e, &Health_type));
    assert_int_equal(count_within(space, 0, 0, 0, 1), 0);
    assert_ok(ilk_enable(f->world, e, &Health_type));
    assert_int_equal(count_within(space, 0, 0, 0, 1), 1);
    ilk_space_destroy(space);
}

static void destroy_space(ilk_iter* it) {
    ilk_space_destroy(it->user);
}

static void inside_a_system_it_is_not_destroyed(void** state) {
    fixture* f = *state;
    ilk_space* space = space_of(f->world, (ilk_space_desc){.type = &Place_type});
    ilk_system_create(f->world,
                      &(ilk_system_desc){.name = "destroy", .run = destroy_space, .user = space});
    assert_ok(ilk_update(f->world, 0.1));
    assert_told(f, ILK_LOCKED, "ilk_space_destroy");
    ILK_SPAWN(f->world, ILK_VALUE(Place, {0, 0, 0}));
    assert_int_equal(count_within(space, 0, 0, 0, 1), 1);
    ilk_space_destroy(space);
}

static void snapshots_that_are_read_have_no_space(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_VALUE(Place, {0, 0, 0}));
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    ilk_world* then = ilk_snapshot_open(snapshot);
    assert_non_null(then);
    assert_null(ilk_space_create(then, &(ilk_space_desc){.type = &Place_type}));
    assert_int_equal(ilk_error(then).result, ILK_LOCKED);
    ilk_world_destroy(then);
    ilk_snapshot_release(snapshot);
    f->told.count = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(questions_may_be_asked_in_questions),
        WORLD_TEST(who_is_asked_where_finds_nobody),
        WORLD_TEST(observers_may_ask),
        WORLD_TEST(what_was_gathered_and_not_moved_is_forgotten),
        WORLD_TEST(what_was_gathered_and_is_back_stays),
        WORLD_TEST(what_happens_in_between_is_newer),
        WORLD_TEST(what_a_function_looks_at_may_be_switched),
        WORLD_TEST(inside_a_system_it_is_not_destroyed),
        WORLD_TEST(snapshots_that_are_read_have_no_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
