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
        NOTED_TEST(who_wants_every_event_gets_these_if_somebody_does),
        NOTED_TEST(events_are_observed_by_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
