// Events in snapshots: what waited waits again, and readers are where they were.
#include "film_support.h"

typedef struct Landed {
    ilk_entity who;
    float speed;
} Landed;
ILK_EVENT(Landed);

typedef struct Broad {
    _Alignas(64) uint64_t words[8];
} Broad;
ILK_EVENT(Broad);

typedef struct Socket {
    int number;
} Socket;
static void socket_drop(void* value, void* context) {
    (void)value;
    (void)context;
}
ILK_EVENT_WITH(Socket, .hooks = {.drop = socket_drop});

static ilk_type* const types[] = {&Landed_type, &Owned_type, &Broad_type, &Enemy_type};
static ilk_reader* readers[8];

static ilk_result count_event(ilk_world* world, const ilk_event* event, void* user) {
    (void)world;
    *(uint64_t*)user += event->number;
    return ILK_OK;
}

static uint64_t delivered;

static void make_listeners(ilk_world* world) {
    ilk_entity one = ilk_create(world);
    for (uint32_t i = 0; i < COUNT_OF(readers); i++) {
        readers[i] = ilk_reader_create(
            world, &(ilk_reader_desc){types[i % 4], i == 4 ? one : (ilk_entity){0, 0}});
        assert_non_null(readers[i]);
    }
    assert_non_null(ilk_subscribe(
        world,
        &(ilk_subscription_desc){.type = &Landed_type, .call = count_event, .user = &delivered}));
    assert_non_null(
        ilk_subscribe(world, &(ilk_subscription_desc){.call = count_event, .user = &delivered}));
}

static void send(ilk_world* world) {
    Landed landed = {.speed = (float)chance(100)};
    Broad broad = {{chance(100)}};
    ilk_type* type = types[chance(4)];
    ilk_value value = {type, type == &Landed_type ? (void*)&landed : &broad};
    if (type == &Owned_type || type == &Enemy_type) value.bytes = NULL;
    ilk_entity one = ilk_entity_at(world, 0);
    if (chance(3) || ilk_is_null(one))
        assert_ok(ilk_emit(world, value));
    else
        assert_ok(ilk_emit_to(world, one, value));
}

static void change_events(ilk_world* world) {
    uint32_t count = 1 + chance(20);
    ilk_reader* reader = readers[chance(COUNT_OF(readers))];
    switch (chance(12)) {
    case 0:
        ilk_event_clear(world);
        break;
    case 1:
        assert_ok(ilk_event_limit(world, types[chance(4)], chance(3) ? 0 : 1 + chance(200)));
        break;
    case 2:
        ilk_trim(world);
        break;
    case 3:
        assert_ok(ilk_dispatch(world, 0));
        break;
    case 4:
    case 5:
    case 6:
        for (uint32_t i = 0; i < count * 8 && ilk_read(reader, NULL); i++) continue;
        break;
    default:
        for (uint32_t i = 0; i < count; i++) send(world);
    }
}

static void what_waited_waits_again(void** state) {
    for (uint32_t seed = 1; seed <= 25; seed++) {
        open_world(state);
        ilk_world* world = ((fixture*)*state)->world;
        make_listeners(world);
        shoot_film(world, change_events, seed, 1200);
        close_world(state);
    }
}

static void two_runs_are_the_same(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    make_listeners(world);
    random_state = 9;
    for (uint32_t i = 0; i < 40; i++) shoot_twice(world, change_events, 1 + chance(60));
}

// Those who subscribe are told the same twice.
static void what_was_delivered_is_delivered_again(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    make_listeners(world);
    ILK_EMIT(world, Landed, .speed = 1);
    ILK_EMIT(world, Landed, .speed = 2);
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    ILK_EMIT(world, Landed, .speed = 3);
    delivered = 0;
    assert_ok(ilk_dispatch(world, 0));
    assert_int_equal(delivered, 12);
    assert_ok(ilk_snapshot_restore(snapshot));
    delivered = 0;
    assert_ok(ilk_dispatch(world, 0));
    assert_int_equal(delivered, 6);
    ILK_EMIT(world, Landed, .speed = 4);
    ilk_event event;
    for (uint32_t i = 0; i < 3; i++) assert_non_null(ilk_read(readers[0], &event));
    assert_int_equal(event.number, 3);
    assert_true(((const Landed*)event.value)->speed == 4);
}

static ilk_reader* reader_of(ilk_world* world) {
    ilk_reader* reader = ilk_reader_create(world, &(ilk_reader_desc){.type = &Owned_type});
    assert_non_null(reader);
    return reader;
}

// A reader in the memory of one that is gone is another one.
static void readers_that_were_made_since_begin_at_the_end(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_reader* stays = reader_of(world);
    ilk_reader* goes = reader_of(world);
    for (uint32_t i = 0; i < 3; i++) assert_ok(ilk_emit(world, ILK_WITH(Owned)));
    assert_non_null(ilk_read(stays, NULL));
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    ilk_reader_destroy(goes);
    ilk_reader* comes = reader_of(world);
    assert_ptr_equal(comes, goes);
    assert_ok(ilk_emit(world, ILK_WITH(Owned)));
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_valid(world);
    assert_null(ilk_read(comes, NULL));
    assert_int_equal(ilk_event_stats_of(world, &Owned_type).kept, 2); // the first is nobody's
    assert_non_null(ilk_read(stays, NULL));
    assert_non_null(ilk_read(stays, NULL));
    assert_null(ilk_read(stays, NULL));
    assert_ok(ilk_emit(world, ILK_WITH(Owned)));
    assert_non_null(ilk_read(comes, NULL));
}

// Whoever subscribes later is not told of what was sent before, also if that is yet to come.
static void subscriptions_that_were_made_since_begin_at_the_end(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    uint64_t early = 0, late = 0;
    ilk_subscription_desc desc = {.type = &Landed_type, .call = count_event, .user = &early};
    assert_non_null(ilk_subscribe(world, &desc));
    ILK_EMIT(world, Landed, .speed = 1);
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    for (uint32_t i = 0; i < 5; i++) ILK_EMIT(world, Landed, .speed = 1);
    desc.user = &late;
    assert_non_null(ilk_subscribe(world, &desc));
    assert_ok(ilk_snapshot_restore(snapshot));
    ILK_EMIT(world, Landed, .speed = 1);
    assert_ok(ilk_dispatch(world, 0));
    assert_int_equal(early, 3);
    assert_int_equal(late, 2);
}

// Without events in the snapshot, all that came since is forgotten.
static void what_was_not_there_is_not_there_again(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    make_listeners(world);
    for (uint32_t i = 0; i < 300; i++) send(world);
    assert_ok(ilk_event_limit(world, &Owned_type, 3));
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_valid(world);
    for (uint32_t i = 0; i < COUNT_OF(types); i++) {
        ilk_event_stats stats = ilk_event_stats_of(world, types[i]);
        assert_int_equal(stats.emitted + stats.kept + stats.limit + stats.dropped, 0);
    }
    ilk_event event;
    ILK_EMIT(world, Landed, .speed = 1);
    assert_non_null(ilk_read(readers[0], &event));
    assert_int_equal(event.number, 1);
}

static void want_of_memory_changes_nothing(void** state) {
    fixture* f = *state;
    make_listeners(f->world);
    random_state = 1;
    for (uint32_t i = 0; i < 400; i++) send(f->world);
    ilk_snapshot* snapshot = take_with_little(f);
    picture then = paint_world(f->world);
    ilk_event_clear(f->world);
    ilk_trim(f->world);
    restore_with_little(f, snapshot, then);
}

static void a_type_without_a_copy_hook_is_refused(void** state) {
    fixture* f = *state;
    ilk_reader* reader = ilk_reader_create(f->world, &(ilk_reader_desc){.type = &Socket_type});
    assert_ok(ilk_emit(f->world, ILK_VALUE(Socket, 3)));
    assert_null(ilk_snapshot_take(f->world));
    assert_told(f, ILK_INVALID, "ilk_snapshot_take");
    assert_non_null(strstr(f->told.text, "Socket"));
    ilk_read(reader, NULL);
    assert_non_null(ilk_snapshot_take(f->world));
}

static ilk_result take_now(ilk_world* world, const ilk_event* event, void* user) {
    (void)event;
    assert_null(ilk_snapshot_take(world));
    assert_int_equal(ilk_error(world).result, ILK_LOCKED);
    return ilk_snapshot_restore(user) == ILK_LOCKED ? ILK_OK : ILK_INVALID;
}

static void dispatching_is_no_moment(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    ilk_subscribe(
        world, &(ilk_subscription_desc){.type = &Landed_type, .call = take_now, .user = snapshot});
    ILK_EMIT(world, Landed, .speed = 1);
    assert_ok(ilk_dispatch(world, 0));
    assert_int_equal(ilk_snapshot_count(world), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waited_waits_again),
        WORLD_TEST(two_runs_are_the_same),
        WORLD_TEST(what_was_delivered_is_delivered_again),
        WORLD_TEST(readers_that_were_made_since_begin_at_the_end),
        WORLD_TEST(subscriptions_that_were_made_since_begin_at_the_end),
        WORLD_TEST(what_was_not_there_is_not_there_again),
        WORLD_TEST(want_of_memory_changes_nothing),
        WORLD_TEST(a_type_without_a_copy_hook_is_refused),
        WORLD_TEST(dispatching_is_no_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
