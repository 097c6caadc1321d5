// What observers are told of ends: of entities that go while others are being told, of the last
// value that keeps one, and of the world.
#include "observer_support.h"

typedef struct Mesh {
    int32_t number;
} Mesh;
ILK_COMPONENT_WITH(Mesh, .outlives = true);
typedef struct Beep {
    int32_t pitch;
} Beep;
ILK_EVENT(Beep);

// An entity that is destroyed, and kept by its mesh.
static ilk_entity make_dying(fixture* f) {
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_VALUE(Mesh, 1));
    assert_ok(ilk_destroy(f->world, e));
    assert_true(ilk_dying(f->world, e));
    return e;
}

// Ceasing

static ilk_result replace_it(ilk_notice* n) {
    note(n);
    ilk_cmd_destroy(n->cmd, n->entity);
    ilk_cmd_spawn(n->cmd, ILK_VALUES(ILK_VALUE(Health, 2)));
    return ILK_OK;
}

static ilk_result note_the_living(ilk_notice* n) {
    assert_true(ilk_alive(n->world, n->entity));
    assert_non_null(ILK_GET(n->world, n->entity, Health));
    return note(n);
}

static void make_observers_of_the_free(fixture* f, int32_t order) {
    const ilk_query_desc healthy = {.with = {&Health_type}, .without = {&Frozen_type}};
    ilk_observer_desc replacer = {.name = "replacer",
                                  .on = ILK_ON_CEASE,
                                  .query = healthy,
                                  .reasons = ILK_REASON_CHANGE,
                                  .run = replace_it};
    ilk_observer_desc other = {.name = "other",
                               .on = ILK_ON_MATCH | ILK_ON_CEASE,
                               .query = healthy,
                               .order = order,
                               .run = note_the_living};
    assert_non_null(ilk_observer_create(f->world, &replacer));
    assert_non_null(ilk_observer_create(f->world, &other));
}

// R001.41: whoever is still to be told that an entity ceases to match is told while it is there,
// once.
static void who_is_destroyed_ceases_before_it_is_gone(void** state) {
    fixture* f = *state;
    make_observers_of_the_free(f, 1);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_notices("other matches 0 spawn; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_notices("replacer ceases 0 change; other ceases 0 destroy; other matches 1 spawn; ");
    assert_false(ilk_alive(f->world, e));
    assert_valid(f->world);
}

static void who_was_told_before_is_not_told_again(void** state) {
    fixture* f = *state;
    make_observers_of_the_free(f, -1);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_notices("other matches 0 spawn; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_notices("other ceases 0 change; replacer ceases 0 change; other matches 1 spawn; ");
}

// What keeps

static ilk_entity doomed;

static ilk_result go_deeper(ilk_notice* n) {
    const Health* health = n->value;
    if (health->points == 0) return ilk_cmd_remove(n->cmd, doomed, &Mesh_type);
    return ilk_cmd_set(n->cmd, n->entity, ILK_VALUE(Health, health->points - 1));
}

// Nobody goes of whom nobody can be told: where observers are nested too deep, nothing is removed.
static void the_last_value_stays_where_the_end_cannot_be_told(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    watch(f->world, "end", ILK_ON_DESTROY, NULL);
    ilk_observer_desc desc = {.on = ILK_ON_SET, .type = &Health_type, .run = go_deeper};
    ilk_observer_create(f->world, &desc);
    for (int32_t depth = 30; depth <= 31; depth++) {
        doomed = make_dying(f);
        assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, depth)));
        bool is_told = depth == 30;
        assert_int_equal(ilk_alive(f->world, doomed), !is_told);
        assert_int_equal(strstr(notices, "end destroyed") != NULL, is_told);
        if (!is_told) assert_told(f, ILK_FULL, "ilk_remove");
        notices[0] = 0;
    }
    const Mesh* mesh = ILK_GET(f->world, doomed, Mesh);
    assert_int_equal(mesh->number, 1);
    assert_ok(ilk_remove(f->world, doomed, &Mesh_type));
    assert_notices("end destroyed 1 destroy; ");
    assert_valid(f->world);
}

static void settle_and_look(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    char why[200];
    const ilk_entity* e = user;
    assert_true(ilk_dying(world, *e)); // it goes when this is over
    assert_int_equal(ilk_world_validate(world, why, sizeof why), ILK_OK);
    assert_true(ilk_settle(world, 0).done);
    assert_int_equal(ilk_world_validate(world, why, sizeof why), ILK_OK);
}

static ilk_result settle_then(ilk_notice* n) {
    return ilk_cmd_call(n->cmd, settle_and_look, &doomed);
}

static void the_world_settles_while_somebody_is_about_to_go(void** state) {
    fixture* f = *state;
    for (int i = 0; i < 3; i++) ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    ilk_observer_desc desc = {.on = ILK_ON_REMOVE, .type = &Mesh_type, .run = settle_then};
    ilk_observer_create(f->world, &desc);
    doomed = make_dying(f);
    assert_ok(ilk_remove(f->world, doomed, &Mesh_type));
    assert_false(ilk_alive(f->world, doomed));
    assert_valid(f->world);
    ilk_settle(f->world, 0);
    assert_valid(f->world);
    assert_int_equal(ilk_stats(f->world).guests, 0);
    assert_quiet(f);
}

// The end of the world

static ilk_result read_all(ilk_notice* n) {
    ilk_reader* reader = n->user;
    for (const Beep* beep; (beep = ilk_read(reader, NULL)) != NULL;) {
        write_down("beep %d; ", beep->pitch);
    }
    return note(n);
}

static void events_are_read_while_the_world_ends(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 0);
    ilk_reader* reader = ilk_reader_create(world, &(ilk_reader_desc){.type = &Beep_type});
    ILK_SPAWN(world, ILK_VALUE(Health, 1));
    ILK_SPAWN(world, ILK_VALUE(Health, 1));
    ilk_observer_desc desc = {
        .name = "last", .on = ILK_ON_DESTROY, .run = read_all, .user = reader};
    ilk_observer_create(world, &desc);
    assert_ok(ilk_emit(world, ILK_VALUE(Beep, 5)));
    ilk_world_destroy(world);
    assert_notices("beep 5; last destroyed 0 unload; last destroyed 1 unload; ");
}

static ilk_result listen(ilk_notice* n) {
    ilk_observer_desc desc = {.on = ILK_ON_EVENT, .type = &Beep_type, .run = note};
    assert_non_null(ilk_observer_create(n->world, &desc));
    return ILK_OK;
}

// All that they make goes with the world (as the sanitizers see).
static void observers_of_events_come_while_the_world_ends(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 0);
    ILK_SPAWN(world, ILK_VALUE(Health, 1));
    ilk_observer_create(world, &(ilk_observer_desc){.on = ILK_ON_DESTROY, .run = listen});
    assert_int_equal(ilk_observer_count(world), 1);
    ilk_world_destroy(world);
}

// Readers alone are no reason to tell of the end: nobody could read that.
static void a_world_with_readers_ends_without_memory(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 0);
    ilk_type* const types[] = {&ilk_entity_destroyed_type, &ilk_component_removed_type};
    for (int i = 0; i < 2; i++) {
        assert_non_null(ilk_reader_create(world, &(ilk_reader_desc){.type = types[i]}));
    }
    for (int i = 0; i < 300; i++) ILK_SPAWN(world, ILK_VALUE(Health, i));
    uint64_t calls = f->memory.calls;
    f->memory.left = 0;
    ilk_world_destroy(world);
    assert_int_equal(f->memory.calls, calls);
    assert_quiet(f);
    f->memory.left = UINT64_MAX;
}

// Reasons

static void what_is_no_reason_is_refused(void** state) {
    fixture* f = *state;
    watch(f->world, "a", ILK_ON_CREATE, NULL);
    assert_int_equal(ilk_set_reason(f->world, ILK_REASON_LOAD), 0);
    assert_int_equal(ilk_set_reason(f->world, (ilk_reason)32), ILK_REASON_LOAD);
    assert_told(f, ILK_INVALID, "ilk_set_reason");
    assert_int_equal(ilk_set_reason(f->world, (ilk_reason)3), ILK_REASON_LOAD);
    assert_told(f, ILK_INVALID, "ilk_set_reason");
    ilk_create(f->world);
    assert_notices("a created 0 load; ");
    assert_int_equal(ilk_set_reason(f->world, (ilk_reason)0), ILK_REASON_LOAD);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        NOTED_TEST(who_is_destroyed_ceases_before_it_is_gone),
        NOTED_TEST(who_was_told_before_is_not_told_again),
        NOTED_TEST(the_last_value_stays_where_the_end_cannot_be_told),
        NOTED_TEST(the_world_settles_while_somebody_is_about_to_go),
        NOTED_TEST(events_are_read_while_the_world_ends),
        NOTED_TEST(observers_of_events_come_while_the_world_ends),
        NOTED_TEST(a_world_with_readers_ends_without_memory),
        NOTED_TEST(what_is_no_reason_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
