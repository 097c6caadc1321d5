// The suites of the R-Type project that its document names: on the registry, on a component for
// movement, on views, on the scheduler and on the event bus.
#include "schedule_support.h"

// R002.26: the registry: ids come back, and nothing is left of the components of the dead.
static void mirrored_recycling_and_cleanup(void** state) {
    fixture* f = *state;
    ilk_entity first = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_VALUE(Health, 3));
    ilk_entity second = ILK_SPAWN(f->world, ILK_VALUE(Position, 4, 5));
    assert_ok(ilk_destroy(f->world, first));
    assert_int_equal(ilk_destroy(f->world, first), ILK_DEAD); // and nothing is freed twice
    ilk_entity third = ilk_create(f->world), fourth = ilk_create(f->world);
    assert_int_equal(third.index, first.index);
    assert_int_equal(fourth.index, 2);
    assert_false(ilk_alive(f->world, first));
    assert_int_equal(ilk_types_of(f->world, third, NULL, 0), 0);
    assert_int_equal(ilk_stats_of(f->world, &Health_type).count, 0);
    assert_true(same_position(ILK_GET(f->world, second, Position), 4, 5));
    ilk_clear(f->world);
    assert_int_equal(ilk_create(f->world).index, 0);
    assert_false(ilk_alive(f->world, second));
}

// R002.26: a component is put, replaced, got, changed, and removed.
static void mirrored_emplace_get_and_remove(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Position, 10, 20)));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 100)));
    assert_true(ilk_has(f->world, e, &Position_type));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Position, 11, 21)));
    assert_true(same_position(ILK_GET(f->world, e, Position), 11, 21));
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 1);
    ILK_EDIT(f->world, e, Position)->x = 12;
    assert_true(same_position(ILK_GET(f->world, e, Position), 12, 21));
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_false(ilk_has(f->world, e, &Health_type));
    assert_true(ilk_has(f->world, e, &Position_type));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 7)));
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 7);
}

// R002.26: a dead entity and a missing component are two errors; asking and removing are none.
static void mirrored_errors(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world), dead = ilk_create(f->world);
    ilk_result result = ILK_OK;
    assert_ok(ilk_destroy(f->world, dead));
    assert_null(ilk_get(f->world, e, &Position_type, &result));
    assert_int_equal(result, ILK_MISSING);
    assert_null(ilk_get(f->world, dead, &Position_type, &result));
    assert_int_equal(result, ILK_DEAD);
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_false(ilk_has(f->world, dead, &Position_type));
    assert_false(ilk_has(f->world, (ilk_entity){1000000, 1}, &Position_type));
    assert_quiet(f);
    assert_int_equal(ilk_set(f->world, dead, ILK_VALUE(Position, 1, 2)), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_set");
    assert_null(ILK_EDIT(f->world, e, Position));
    assert_told(f, ILK_MISSING, "ilk_edit");
    assert_int_equal(ilk_remove(f->world, e, &Position_type), ILK_MISSING);
    assert_int_equal(ilk_remove(f->world, dead, &Position_type), ILK_DEAD);
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 0);
}

// Puts a position and a velocity that tell of a number.
static ilk_entity put_mover(ilk_world* world, uint32_t number) {
    ilk_entity e = ilk_create(world);
    assert_ok(ilk_set(world, e, ILK_VALUE(Position, (float)number, 0)));
    assert_ok(ilk_set(world, e, ILK_VALUE(Velocity, 1, (float)number)));
    return e;
}

// R002.26: what was put by a helper is found with its values, whoever was removed in between.
static void mirrored_storage_through_helpers(void** state) {
    fixture* f = *state;
    ilk_entity e[100];
    for (uint32_t i = 0; i < 100; i++) e[i] = put_mover(f->world, i);
    for (uint32_t i = 0; i < 100; i += 3) assert_ok(ilk_remove(f->world, e[i], &Position_type));
    for (uint32_t i = 1; i < 100; i += 3) assert_ok(ilk_destroy(f->world, e[i]));
    for (uint32_t i = 0; i < 100; i++) {
        const Position* p = ILK_GET(f->world, e[i], Position);
        const Velocity* v = ILK_GET(f->world, e[i], Velocity);
        assert_int_equal(p != NULL, i % 3 == 2);
        assert_int_equal(v != NULL, i % 3 != 1);
        if (p) assert_true(same_position(p, (float)i, 0));
        if (v) assert_true(v->x == 1 && v->y == (float)i);
    }
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 33);
    assert_int_equal(ilk_stats_of(f->world, &Velocity_type).count, 67);
}

static void move(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        const Velocity* v = ILK_READ(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            p[i].x += v[i].x * (float)it->dt;
            p[i].y += v[i].y * (float)it->dt;
        }
    }
}

// R002.26: a component for movement is plain data; a system moves who has it, and nobody else.
static void mirrored_movement(void** state) {
    fixture* f = *state;
    ilk_entity mover = put_mover(f->world, 4);
    ilk_entity still = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 1));
    SYSTEM(f->world, "move", .run = move,
           .query = {.write = {&Position_type}, .read = {&Velocity_type}});
    assert_ok(ilk_update(f->world, 0.5));
    assert_true(same_position(ILK_GET(f->world, mover, Position), 4.5f, 2));
    assert_true(same_position(ILK_GET(f->world, still, Position), 1, 1));
    assert_ok(ilk_remove(f->world, mover, &Velocity_type));
    assert_ok(ilk_update(f->world, 0.5));
    assert_true(same_position(ILK_GET(f->world, mover, Position), 4.5f, 2));
}

// R002.26: views: those that have all of the types, in ascending order of id if that is asked for;
// none of the dead; several at once.
static void mirrored_views(void** state) {
    fixture* f = *state;
    ilk_entity e[20], found[20];
    ilk_query* movers =
        QUERY(f->world, .read = {&Position_type, &Velocity_type}, .order_by_index = true);
    ilk_query* all = QUERY(f->world, .read = {&Position_type});
    assert_result_count(f->world, movers, 0);
    spawn_positions(f->world, e, 20);
    for (uint32_t i = 20; i-- > 0;) {
        if (i % 4 == 0) assert_ok(ilk_set(f->world, e[i], ILK_WITH(Velocity)));
    }
    assert_ok(ilk_destroy(f->world, e[8]));
    assert_int_equal(ilk_query_collect(f->world, movers, found, 20), 4);
    assert_entity(found[0], e[0]);
    assert_entity(found[1], e[4]);
    assert_entity(found[2], e[12]);
    assert_entity(found[3], e[16]);
    uint32_t pairs = 0;
    for (ilk_iter it = ilk_query_iter(f->world, movers); ilk_next(&it);) {
        pairs += it.count * rows_walked(f->world, all, ilk_next);
    }
    assert_int_equal(pairs, 4 * 19);
}

static void note_user(ilk_world* world, void* user) {
    (void)world;
    note(user);
}

// R002.26: the scheduler: systems start, run and stop in order, those that are switched off do not
// run, and steps are fixed.
static void mirrored_scheduler(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 1);
    SYSTEM(world, "input", .init = note_user, .exit = note_user, .user = (void*)"input's");
    SYSTEM(world, "step", .phase = "fixed");
    ilk_system* render = SYSTEM(world, "render", .exit = note_user, .user = (void*)"render's");
    noted("input's");
    assert_ok(ilk_update(world, 0.05));
    noted("step step step input render");
    ilk_system_enable(render, false);
    assert_ok(ilk_update(world, 1.0 / 60));
    noted("step input");
    ilk_world_destroy(world);
    noted("render's input's");
}

typedef struct Collision {
    ilk_entity a, b;
} Collision;
typedef struct Scored {
    int32_t points;
} Scored;
ILK_EVENT(Collision);
ILK_EVENT(Scored);

static ilk_result collide(ilk_world* world, const ilk_event* event, void* user) {
    const Collision* collision = event->value;
    note(user);
    return ILK_EMIT(world, Scored, (int32_t)collision->b.index);
}

static ilk_result fail_to_hear(ilk_world* world, const ilk_event* event, void* user) {
    (void)world, (void)event;
    note(user);
    return ILK_BROKEN;
}

static ilk_result score(ilk_world* world, const ilk_event* event, void* user) {
    (void)world;
    *(int32_t*)user += ((const Scored*)event->value)->points;
    note("score");
    return ILK_OK;
}

// R002.26 R002.24: what is sent is delivered when the bus is told to, what that sends the next
// time; in the order of subscribing, though one fails; type by type as first used; and it can be
// cleared.
static void mirrored_event_bus(void** state) {
    fixture* f = *state;
    int32_t points = 0;
    const ilk_subscription_desc subscriptions[] = {
        {.name = "score", .type = &Scored_type, .call = score, .user = &points},
        {.name = "first", .type = &Collision_type, .call = collide, .user = (void*)"first"},
        {.name = "fails", .type = &Collision_type, .call = fail_to_hear, .user = (void*)"fails"},
        {.name = "second", .type = &Collision_type, .call = collide, .user = (void*)"second"},
    };
    for (uint32_t i = 0; i < COUNT_OF(subscriptions); i++) {
        assert_non_null(ilk_subscribe(f->world, &subscriptions[i]));
    }
    assert_ok(ILK_EMIT(f->world, Collision, .b = {7, 1}));
    assert_ok(ILK_EMIT(f->world, Scored, 1));
    noted("");
    assert_int_equal(ilk_dispatch(f->world, ILK_DISPATCH_BY_TYPE), ILK_BROKEN);
    noted("score first fails second"); // the channel that was used first
    assert_told(f, ILK_BROKEN, "ilk_dispatch");
    assert_int_equal(points, 1);
    assert_ok(ilk_dispatch(f->world, ILK_DISPATCH_BY_TYPE));
    noted("score score");
    assert_int_equal(points, 15);
    assert_ok(ILK_EMIT(f->world, Collision, .b = {7, 1}));
    ilk_event_clear(f->world);
    assert_ok(ilk_dispatch(f->world, ILK_DISPATCH_BY_TYPE));
    noted("");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(mirrored_recycling_and_cleanup),
        SCHEDULE_TEST(mirrored_emplace_get_and_remove),
        SCHEDULE_TEST(mirrored_errors),
        SCHEDULE_TEST(mirrored_storage_through_helpers),
        SCHEDULE_TEST(mirrored_movement),
        SCHEDULE_TEST(mirrored_views),
        SCHEDULE_TEST(mirrored_scheduler),
        SCHEDULE_TEST(mirrored_event_bus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
