// Types that are taken out of a world, and brought back with their values.
#include "query_support.h"

static ilk_entity spawn_all(ilk_world* world, float x) {
    return ILK_SPAWN(world, ILK_VALUE(Position, x, x), ILK_VALUE(Velocity, x, 0), ILK_WITH(Enemy));
}

// R001.44: of a middle part of the rows, too, each gets its own value again.
static void values_come_back_to_their_entities(void** state) {
    fixture* f = *state;
    ilk_entity e[300];
    for (uint32_t i = 0; i < 300; i++) {
        e[i] = i % 3 ? spawn_all(f->world, (float)i)
                     : ILK_SPAWN(f->world, ILK_VALUE(Velocity, (float)i, 0));
    }
    for (uint32_t i = 100; i < 200; i += 7)
        if (i % 3) assert_ok(ilk_remove(f->world, e[i], &Position_type));
    assert_ok(ilk_unregister(f->world, &Position_type));
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 0);
    assert_valid(f->world);
    ilk_settle(f->world, 0);
    assert_ok(ilk_register(f->world, &Position_type));
    for (uint32_t i = 0; i < 300; i++) {
        bool has = i % 3 && !(i >= 100 && i < 200 && (i - 100) % 7 == 0);
        const Position* p = ILK_GET(f->world, e[i], Position);
        assert_int_equal(p != NULL, has);
        if (has) assert_true(p->x == (float)i);
        assert_true(ILK_GET(f->world, e[i], Velocity)->x == (float)i);
    }
    assert_valid(f->world);
    assert_quiet(f);
}

// R001.44
static void entities_are_of_a_smaller_set_meanwhile(void** state) {
    fixture* f = *state;
    for (uint32_t i = 0; i < 100; i++) spawn_all(f->world, 1);
    assert_ok(ilk_unregister(f->world, &Velocity_type));
    ilk_settle(f->world, 0);
    assert_int_equal(ilk_stats_of(f->world, &Velocity_type).blocks, 0);
    ilk_query* moving = QUERY(f->world, .with = {&Velocity_type});
    assert_result_count(f->world, moving, 0);
    assert_ok(ilk_register(f->world, &Velocity_type));
    assert_result_count(f->world, moving, 100);
}

static void assert_foreign(fixture* f, const char* call) {
    assert_told(f, ILK_FOREIGN, call);
    assert_non_null(strstr(f->told.text, "Position was taken out"));
    assert_string_equal(f->told.type, "Position");
}

static void a_type_that_is_out_cannot_be_given(void** state) {
    fixture* f = *state;
    ilk_entity e = spawn_all(f->world, 1), empty = ilk_create(f->world), many[2] = {e, empty};
    ilk_batch batch;
    uint32_t number = ilk_type_number(f->world, &Position_type);
    assert_ok(ilk_unregister(f->world, &Position_type));
    assert_int_equal(ilk_add(f->world, e, ILK_VALUE(Position, 1, 1)), ILK_FOREIGN);
    assert_foreign(f, "ilk_add");
    assert_int_equal(ilk_set(f->world, empty, ILK_VALUE(Position, 1, 1)), ILK_FOREIGN);
    assert_foreign(f, "ilk_set");
    assert_null(ILK_ENSURE(f->world, e, Position));
    assert_foreign(f, "ilk_ensure");
    assert_true(ilk_is_null(ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 1))));
    assert_foreign(f, "ilk_spawn");
    assert_int_equal(ilk_add_many(f->world, many, 2, &Position_type, NULL), ILK_FOREIGN);
    assert_foreign(f, "ilk_add_many");
    assert_int_equal(ilk_spawn_many(f->world, &batch, 3, ILK_TYPES(&Position_type)), ILK_FOREIGN);
    assert_foreign(f, "ilk_spawn_many");
    assert_int_equal(ilk_remove(f->world, e, &Position_type), ILK_MISSING);
    assert_int_equal(ilk_type_number(f->world, &Position_type), number);
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_null(ILK_GET(f->world, e, Position));
    f->told.count = 0;
}

static void values_of_the_dead_are_dropped(void** state) {
    fixture* f = *state;
    hooks_taken();
    ilk_entity a = ILK_SPAWN(f->world, ILK_WITH(Owned)), b = ILK_SPAWN(f->world, ILK_WITH(Owned));
    ilk_entity c = ILK_SPAWN(f->world, ILK_WITH(Owned));
    ILK_EDIT(f->world, c, Owned)->text[0] = 'c';
    assert_ok(ilk_unregister(f->world, &Owned_type));
    assert_int_equal(hooks_taken().drops, 0);
    ilk_destroy(f->world, b);
    ilk_destroy(f->world, a);
    assert_ok(ilk_register(f->world, &Owned_type));
    assert_int_equal(hooks_taken().drops, 2);
    assert_int_equal(ILK_GET(f->world, c, Owned)->text[0], 'c');
    assert_ok(ilk_unregister(f->world, &Owned_type));
    ilk_clear(f->world);
    assert_int_equal(hooks_taken().drops, 1);
    assert_ok(ilk_register(f->world, &Owned_type)); // with nothing left
    ILK_SPAWN(f->world, ILK_WITH(Owned));
    assert_ok(ilk_unregister(f->world, &Owned_type)); // what is left goes with the world
}

static void switches_and_tags_come_back(void** state) {
    fixture* f = *state;
    ilk_entity e = spawn_all(f->world, 5), other = spawn_all(f->world, 6);
    ilk_disable(f->world, e, &Enemy_type);
    ilk_disable(f->world, other, &Position_type);
    assert_ok(ilk_unregister(f->world, &Enemy_type));
    assert_ok(ilk_unregister(f->world, &Position_type));
    assert_ok(ilk_register(f->world, &Enemy_type));
    assert_ok(ilk_register(f->world, &Position_type));
    assert_true(ilk_has(f->world, e, &Enemy_type) && !ilk_enabled(f->world, e, &Enemy_type));
    assert_true(ilk_enabled(f->world, other, &Enemy_type));
    assert_true(ilk_enabled(f->world, e, &Position_type));
    assert_true(!ilk_enabled(f->world, other, &Position_type));
}

static void what_cannot_be_taken_out(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create_inactive(f->world);
    assert_int_equal(ilk_unregister(NULL, &Position_type), ILK_INVALID);
    assert_int_equal(ilk_unregister(f->world, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_unregister");
    assert_int_equal(ilk_unregister(f->world, &Position_type), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_unregister");
    assert_int_equal(ilk_unregister(f->world, &ilk_inactive_type), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_unregister");
    assert_false(ilk_active(f->world, e));
    assert_ok(ilk_register(f->world, &Position_type));
    assert_ok(ilk_unregister(f->world, &Position_type));
    assert_int_equal(ilk_unregister(f->world, &Position_type), ILK_MISSING);
    assert_non_null(strstr(f->told.text, "Position was taken out of world"));
    f->told.count = 0;
}

static uint32_t added, removed, fell_silent;

static ilk_result count_notice(ilk_notice* n) {
    const Position* p = n->value;
    if (n->on == ILK_ON_ADD) added += (uint32_t)p->x;
    if (n->on == ILK_ON_REMOVE) removed += (uint32_t)p->x;
    if (n->on == ILK_ON_CEASE) fell_silent++;
    return ILK_OK;
}

static void observers_are_told(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_ADD | ILK_ON_REMOVE,
                                                       .type = &Position_type,
                                                       .run = count_notice});
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_CEASE,
                                                       .query = {.with = {&Position_type}},
                                                       .run = count_notice});
    spawn_all(f->world, 10);
    ilk_destroy(f->world, spawn_all(f->world, 5));
    spawn_all(f->world, 20);
    added = removed = fell_silent = 0;
    assert_ok(ilk_unregister(f->world, &Position_type));
    assert_int_equal(removed, 30);
    assert_int_equal(fell_silent, 2);
    assert_ok(ilk_register(f->world, &Position_type));
    assert_int_equal(added, 30);
}

// Whoever gives it again while it goes is refused.
static ilk_result give_again(ilk_notice* n) {
    return ilk_cmd_set(n->cmd, n->entity, ILK_VALUE(Position, 3, 3));
}

static void nobody_brings_it_in_meanwhile(void** state) {
    fixture* f = *state;
    spawn_all(f->world, 10);
    ilk_observer_create(
        f->world,
        &(ilk_observer_desc){.on = ILK_ON_REMOVE, .type = &Position_type, .run = give_again});
    assert_ok(ilk_unregister(f->world, &Position_type));
    assert_foreign(f, "ilk_set");
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 0);
}

// A recorded creation comes without what it cannot have.
static void commands_leave_out_what_is_out(void** state) {
    fixture* f = *state;
    ilk_register(f->world, &Position_type);
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity e = ilk_cmd_create(cmd);
    ilk_cmd_set(cmd, e, ILK_VALUE(Velocity, 1, 2));
    ilk_cmd_set(cmd, e, ILK_VALUE(Position, 1, 2));
    assert_ok(ilk_unregister(f->world, &Position_type));
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.failed, 1);
    assert_foreign(f, "ilk_set");
    assert_true(ilk_has(f->world, e, &Velocity_type));
    ilk_cmd_give_back(cmd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(values_come_back_to_their_entities),
        WORLD_TEST(entities_are_of_a_smaller_set_meanwhile),
        WORLD_TEST(a_type_that_is_out_cannot_be_given),
        WORLD_TEST(values_of_the_dead_are_dropped),
        WORLD_TEST(switches_and_tags_come_back),
        WORLD_TEST(what_cannot_be_taken_out),
        WORLD_TEST(observers_are_told),
        WORLD_TEST(nobody_brings_it_in_meanwhile),
        WORLD_TEST(commands_leave_out_what_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
