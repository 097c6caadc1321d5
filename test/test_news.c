// Observers of events, and what happens to entities and components as events.
#include "observer_support.h"

typedef struct Damage {
    int32_t points;
} Damage;
ILK_EVENT_WITH(Damage, .default_value = &(const Damage){7});
typedef struct Noise {
    int32_t loudness;
} Noise;
ILK_EVENT(Noise);

static ilk_result hear(ilk_notice* n) {
    assert_int_equal(n->on, ILK_ON_EVENT);
    write_down("%s hears %s %d", ilk_observer_name(n->observer), n->type->name,
               *(const int32_t*)n->value);
    if (!ilk_is_null(n->entity)) write_down(" for %u", n->entity.index);
    write_down("; ");
    n->cancel = n->user != NULL;
    return ILK_OK;
}

static ilk_observer* listen_as(ilk_world* world, ilk_observer_desc desc) {
    desc.on = ILK_ON_EVENT;
    if (!desc.run) desc.run = hear;
    ilk_observer* observer = ilk_observer_create(world, &desc);
    assert_non_null(observer);
    return observer;
}

// R001.57: at once, in order; nobody there is fine; with a query, for entities that match.
static void observers_hear_events_at_once(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Enemy)), other = ilk_create(f->world);
    assert_ok(ILK_EMIT(f->world, Damage, 1)); // nobody
    listen_as(f->world, (ilk_observer_desc){.name = "late", .type = &Damage_type, .order = 1});
    listen_as(f->world, (ilk_observer_desc){.name = "all"});
    listen_as(f->world, (ilk_observer_desc){.name = "enemies",
                                            .type = &Damage_type,
                                            .query = {.with = {&Enemy_type}}});
    listen_as(f->world, (ilk_observer_desc){.name = "own", .type = &Damage_type, .entity = e});
    assert_ok(ILK_EMIT(f->world, Damage, 2));
    assert_notices("all hears Damage 2; late hears Damage 2; ");
    assert_ok(ilk_emit_to(f->world, e, ILK_VALUE(Damage, 3)));
    assert_notices("all hears Damage 3 for 0; enemies hears Damage 3 for 0; "
                   "late hears Damage 3 for 0; own hears Damage 3 for 0; ");
    assert_ok(ilk_emit_to(f->world, other, ILK_WITH(Damage)));
    assert_notices("all hears Damage 7 for 1; late hears Damage 7 for 1; ");
    assert_ok(ILK_EMIT(f->world, Noise, 4));
    assert_notices("all hears Noise 4; ");
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(ilk_observer_count(f->world), 3);
    assert_valid(f->world);
}

static ilk_result kill_target(ilk_notice* n) {
    hear(n);
    return ilk_cmd_destroy(n->cmd, n->entity);
}

// R001.57: whoever cancels, or destroys the one it is addressed to, ends the rest.
static void events_can_be_cancelled(void** state) {
    fixture* f = *state;
    ilk_reader* reader = ilk_reader_create(f->world, &(ilk_reader_desc){.type = &Damage_type});
    listen_as(f->world, (ilk_observer_desc){.name = "last", .type = &Damage_type, .order = 9});
    ilk_observer* veto =
        listen_as(f->world, (ilk_observer_desc){.name = "veto", .type = &Damage_type, .user = f});
    assert_int_equal(ILK_EMIT(f->world, Damage, 2), ILK_CANCELLED);
    assert_quiet(f);
    assert_notices("veto hears Damage 2; ");
    assert_null(ilk_read(reader, NULL));
    assert_int_equal(ilk_event_stats_of(f->world, &Damage_type).cancelled, 1);
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    assert_ok(ilk_cmd_emit(cmd, ILK_VALUE(Damage, 3)));
    assert_int_equal(ilk_cmd_apply(cmd).done, 1);
    notices[0] = 0;
    ilk_observer_destroy(veto);
    listen_as(f->world,
              (ilk_observer_desc){.name = "killer", .type = &Damage_type, .run = kill_target});
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_emit_to(f->world, e, ILK_VALUE(Damage, 4)));
    assert_notices("killer hears Damage 4 for 0; ");
    assert_false(ilk_alive(f->world, e));
    const Damage* read = ilk_read(reader, NULL);
    assert_int_equal(read->points, 4); // it was sent all the same
}

static ilk_result answer(ilk_notice* n) {
    hear(n);
    return ILK_EMIT(n->cmd, Noise, 9);
}

// C14: observers at once, readers next; what an observer sends comes before what it was told of.
static void observers_come_before_readers(void** state) {
    fixture* f = *state;
    ilk_reader* damage = ilk_reader_create(f->world, &(ilk_reader_desc){.type = &Damage_type});
    ilk_reader* noise = ilk_reader_create(f->world, &(ilk_reader_desc){.type = &Noise_type});
    listen_as(f->world, (ilk_observer_desc){.name = "echo", .type = &Damage_type, .run = answer});
    assert_ok(ilk_emit(f->world, ILK_WITH(Damage)));
    assert_notices("echo hears Damage 7; ");
    ilk_event first, second;
    assert_non_null(ilk_read(damage, &second));
    assert_non_null(ilk_read(noise, &first));
    assert_true(first.number < second.number);
    assert_int_equal(((const Damage*)second.value)->points, 7);
}

static ilk_result print_event(ilk_world* world, const ilk_event* event, void* user) {
    (void)world, (void)user;
    const char* name = event->type->name;
    const ilk_component_added* news = event->value; // all begin with the entity
    write_down("%s %u", name, news->entity.index);
    if (!strncmp(name, "ilk_component", 13)) write_down(" %s", news->type->name);
    write_down("; ");
    return ILK_OK;
}

// R003.19, R003.20: one event for each, in order; when it goes, one for each component that it has.
static void the_bus_tells_what_happens_to_entities(void** state) {
    fixture* f = *state;
    ilk_type* types[] = {&ilk_entity_spawned_type, &ilk_entity_destroyed_type,
                         &ilk_component_added_type, &ilk_component_removed_type};
    ilk_subscription* s[4];
    assert_ok(ilk_register(f->world, &Velocity_type)); // which nobody has
    for (int i = 0; i < 4; i++) {
        s[i] = ilk_subscribe(f->world,
                             &(ilk_subscription_desc){.type = types[i], .call = print_event});
        assert_non_null(s[i]);
    }
    assert_int_equal(ilk_observer_count(f->world), 0); // those are ilk's own
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1), ILK_WITH(Enemy));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 1, 2)));
    assert_ok(ilk_remove(f->world, e, &Enemy_type));
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("");
    assert_ok(ilk_dispatch(f->world, 0));
    assert_notices("ilk_entity_spawned 0; ilk_component_added 0 Health; "
                   "ilk_component_added 0 Enemy; ilk_component_added 0 Position; "
                   "ilk_component_removed 0 Enemy; ilk_component_removed 0 Health; "
                   "ilk_component_removed 0 Position; ilk_entity_destroyed 0; ");
    for (int i = 0; i < 4; i++) assert_ok(ilk_unsubscribe(s[i]));
    uint64_t emitted = ilk_event_stats_of(f->world, types[0]).emitted;
    ilk_create(f->world);
    assert_int_equal(ilk_event_stats_of(f->world, types[0]).emitted, emitted); // nobody listens
    assert_valid(f->world);
}

static void subscribe_to_all_news(ilk_world* world) {
    ilk_type* types[] = {&ilk_entity_spawned_type, &ilk_entity_destroyed_type,
                         &ilk_component_added_type, &ilk_component_removed_type};
    for (int i = 0; i < 4; i++) {
        assert_non_null(
            ilk_subscribe(world, &(ilk_subscription_desc){.type = types[i], .call = print_event}));
    }
}

static void assert_news(ilk_world* world, const char* expected) {
    notices[0] = 0;
    assert_ok(ilk_dispatch(world, 0));
    assert_notices(expected);
}

static ilk_result take_enemy(ilk_notice* n) {
    return ilk_cmd_remove(n->cmd, n->entity, &Enemy_type);
}

static ilk_result give_enemy(ilk_notice* n) {
    return ilk_cmd_add(n->cmd, n->entity, ILK_WITH(Enemy));
}

static ilk_result kill(ilk_notice* n) {
    return ilk_cmd_destroy(n->cmd, n->entity);
}

static ilk_observer* observe(ilk_world* world, ilk_observer_desc desc) {
    ilk_observer* observer = ilk_observer_create(world, &desc);
    assert_non_null(observer);
    return observer;
}

// R003.19: what an observer takes away before it is told, nobody hears of.
static void what_never_came_does_not_go(void** state) {
    fixture* f = *state;
    assert_ok(ilk_register(f->world, &Health_type));
    assert_ok(ilk_register(f->world, &Enemy_type));
    subscribe_to_all_news(f->world);
    observe(f->world,
            (ilk_observer_desc){.on = ILK_ON_ADD, .type = &Health_type, .run = take_enemy});
    ILK_SPAWN(f->world, ILK_VALUE(Health, 1), ILK_WITH(Enemy));
    assert_news(f->world, "ilk_entity_spawned 0; ilk_component_added 0 Health; ");
    observe(f->world, (ilk_observer_desc){.on = ILK_ON_ADD, .type = &Health_type, .run = kill});
    ILK_SPAWN(f->world, ILK_VALUE(Health, 1), ILK_WITH(Enemy));
    assert_news(f->world, "ilk_entity_spawned 1; ilk_component_added 1 Health; "
                          "ilk_component_removed 1 Health; ilk_entity_destroyed 1; ");
}

// R003.19 R003.20: nobody who observes comes before them, and bulk verbs are no different.
static void observers_that_undo_come_after_the_news(void** state) {
    fixture* f = *state;
    observe(f->world, (ilk_observer_desc){.on = ILK_ON_CREATE, .order = INT32_MIN, .run = kill});
    subscribe_to_all_news(f->world);
    assert_true(ilk_is_null(ILK_SPAWN(f->world, ILK_VALUE(Health, 1))));
    assert_news(f->world, "ilk_entity_spawned 0; ilk_entity_destroyed 0; ");
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 2, ILK_TYPES(&Health_type, &Enemy_type)));
    assert_news(f->world, "ilk_entity_spawned 0; ilk_entity_spawned 1; "
                          "ilk_entity_destroyed 0; ilk_entity_destroyed 1; ");
}

// What goes is sent before anything that is done because it went.
static void what_an_observer_gives_back_comes_after_what_went(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health), ILK_WITH(Enemy), ILK_WITH(Frozen));
    observe(f->world,
            (ilk_observer_desc){
                .on = ILK_ON_REMOVE, .type = &Health_type, .order = INT32_MIN, .run = give_enemy});
    subscribe_to_all_news(f->world);
    assert_ok(ilk_remove_all(f->world, e));
    assert_news(f->world, "ilk_component_removed 0 Health; ilk_component_removed 0 Enemy; "
                          "ilk_component_removed 0 Frozen; ilk_component_added 0 Enemy; ");
    assert_true(ilk_has(f->world, e, &Enemy_type));
}

static ilk_result kill_who_is_in_the_news(ilk_notice* n) {
    const ilk_entity_spawned* news = n->value;
    return ilk_cmd_destroy(n->cmd, news->entity);
}

// Who observes the news may undo them: that is news for later.
static void observers_of_the_news_come_after_them_too(void** state) {
    fixture* f = *state;
    subscribe_to_all_news(f->world);
    observe(f->world, (ilk_observer_desc){.on = ILK_ON_EVENT,
                                          .type = &ilk_entity_spawned_type,
                                          .run = kill_who_is_in_the_news});
    ilk_entity e[2];
    assert_ok(ilk_create_many(f->world, e, 2));
    assert_news(f->world, "ilk_entity_spawned 0; ilk_entity_destroyed 0; "
                          "ilk_entity_spawned 1; ilk_entity_destroyed 1; ");
}

static ilk_result spawn_another(ilk_notice* n) {
    ilk_cmd_create(n->cmd);
    return ILK_OK;
}

static void circles_of_news_end(void** state) {
    fixture* f = *state;
    observe(f->world, (ilk_observer_desc){.name = "echo",
                                          .on = ILK_ON_EVENT,
                                          .type = &ilk_entity_spawned_type,
                                          .run = spawn_another});
    assert_false(ilk_is_null(ilk_create(f->world)));
    assert_told(f, ILK_FULL, "ilk_cmd_apply");
    assert_true(ilk_stats(f->world).alive > 5 && ilk_stats(f->world).alive <= 32);
    assert_valid(f->world);
}

// Of a pair, those are sent that somebody wants, and go together nevertheless.
static void one_of_a_pair_is_as_good_as_both(void** state) {
    fixture* f = *state;
    assert_ok(ilk_register(f->world, &Health_type));
    ilk_reader* reader =
        ilk_reader_create(f->world, &(ilk_reader_desc){.type = &ilk_component_removed_type});
    observe(f->world,
            (ilk_observer_desc){.on = ILK_ON_ADD, .type = &Health_type, .run = take_enemy});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1), ILK_WITH(Enemy));
    assert_null(ilk_read(reader, NULL));
    assert_ok(ilk_remove(f->world, e, &Health_type));
    const ilk_component_removed* news = ilk_read(reader, NULL);
    assert_true(ilk_same_type(news->type, &Health_type));
    assert_null(ilk_read(reader, NULL));
    ilk_reader_destroy(reader);
    assert_int_equal(ilk_event_stats_of(f->world, &ilk_component_added_type).emitted, 0);
    assert_valid(f->world);
}

// An event for which there is no memory is lost, and that is told.
static void news_may_be_lost_for_want_of_memory(void** state) {
    fixture* f = *state;
    ilk_reader* reader =
        ilk_reader_create(f->world, &(ilk_reader_desc){.type = &ilk_entity_spawned_type});
    ilk_destroy(f->world, ilk_create(f->world)); // so that there is room for an entity
    while (ilk_read(reader, NULL)) continue;
    ilk_trim(f->world);
    f->memory.left = 0;
    ilk_entity e = ilk_create(f->world);
    f->memory.left = UINT64_MAX;
    if (!ilk_is_null(e)) assert_null(ilk_read(reader, NULL));
    assert_told(f, ILK_NO_MEMORY, "ilk_create");
    assert_false(ilk_is_null(e));
    assert_valid(f->world);
}

static void who_wants_every_event_gets_these_if_somebody_does(void** state) {
    fixture* f = *state;
    ilk_subscription* all = ilk_subscribe(f->world, &(ilk_subscription_desc){.call = print_event});
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Enemy));
    assert_ok(ilk_dispatch(f->world, 0));
    assert_notices("");
    ilk_reader* other =
        ilk_reader_create(f->world, &(ilk_reader_desc){.type = &ilk_entity_destroyed_type});
    assert_ok(ilk_destroy(f->world, e));
    assert_ok(ilk_dispatch(f->world, 0));
    assert_notices("ilk_entity_destroyed 0; ");
    ilk_reader_destroy(other);
    assert_ok(ilk_destroy(f->world, ilk_create(f->world)));
    assert_ok(ilk_dispatch(f->world, 0));
    assert_notices("");
    assert_ok(ilk_unsubscribe(all));
    ilk_reader* reader =
        ilk_reader_create(f->world, &(ilk_reader_desc){.type = &ilk_entity_spawned_type});
    ilk_entity_spawned expected = {ilk_create(f->world), ILK_REASON_SPAWN};
    const ilk_entity_spawned* news = ilk_read(reader, NULL);
    assert_entity(news->entity, expected.entity);
    assert_int_equal(news->reason, expected.reason);
    ilk_reader_destroy(reader);
    ilk_observer* watcher =
        listen_as(f->world, (ilk_observer_desc){.type = &ilk_entity_spawned_type});
    notices[0] = 0;
    ilk_create(f->world);
    assert_true(strstr(notices, "hears ilk_entity_spawned") != NULL);
    ilk_observer_destroy(watcher);
    assert_int_equal(ilk_observer_count(f->world), 0);
    assert_valid(f->world);
}

static void events_are_observed_by_themselves(void** state) {
    fixture* f = *state;
    assert_null(ilk_observer_create(
        f->world, &(ilk_observer_desc){.on = ILK_ON_EVENT | ILK_ON_ADD, .run = hear}));
    assert_told(f, ILK_INVALID, "ilk_observer_create");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        NOTED_TEST(observers_hear_events_at_once),
        NOTED_TEST(events_can_be_cancelled),
        NOTED_TEST(observers_come_before_readers),
        NOTED_TEST(the_bus_tells_what_happens_to_entities),
        NOTED_TEST(what_never_came_does_not_go),
        NOTED_TEST(observers_that_undo_come_after_the_news),
        NOTED_TEST(what_an_observer_gives_back_comes_after_what_went),
        NOTED_TEST(observers_of_the_news_come_after_them_too),
        NOTED_TEST(circles_of_news_end),
        NOTED_TEST(one_of_a_pair_is_as_good_as_both),
        NOTED_TEST(news_may_be_lost_for_want_of_memory),
        NOTED_TEST(who_wants_every_event_gets_these_if_somebody_does),
        NOTED_TEST(events_are_observed_by_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
