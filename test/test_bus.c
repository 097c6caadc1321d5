// The bus: subscribers, and in which order they are handed what.
#include "schedule_support.h"

typedef struct Hit {
    int32_t points;
} Hit;
typedef struct Fall {
    char name[4];
} Fall;
ILK_EVENT(Hit);
ILK_EVENT(Fall);
ILK_TAG(Chime);

static ilk_subscription* subscription_of(ilk_world* world, ilk_subscription_desc desc) {
    ilk_subscription* made = ilk_subscribe(world, &desc);
    if (!made) print_error("%s\n", ilk_error(world).text);
    assert_non_null(made);
    return made;
}
#define SUBSCRIBE(world, ...) subscription_of((world), (ilk_subscription_desc){.name = __VA_ARGS__})

// Notes the user's word, and what the event says.
static void note_event(const char* word, const ilk_event* event) {
    char text[64];
    if (strcmp(event->type->name, "Hit") == 0)
        snprintf(text, sizeof(text), "%s:%d", word, (int)((const Hit*)event->value)->points);
    else if (strcmp(event->type->name, "Fall") == 0)
        snprintf(text, sizeof(text), "%s:%s", word, ((const Fall*)event->value)->name);
    else
        snprintf(text, sizeof(text), "%s:%s", word, event->type->name);
    note(text);
}

static ilk_result hear(ilk_world* world, const ilk_event* event, void* user) {
    (void)world;
    note_event(user, event);
    return ILK_OK;
}

static ilk_result hear_badly(ilk_world* world, const ilk_event* event, void* user) {
    (void)world;
    note_event(user, event);
    return ILK_MISSING;
}

static void hit(ilk_world* world, int32_t points) {
    assert_ok(ILK_EMIT(world, Hit, points));
}

static void fall(ilk_world* world, const char* name) {
    Fall value = {{0}};
    snprintf(value.name, sizeof(value.name), "%s", name);
    assert_ok(ilk_emit(world, ILK_VALUE_AT(Fall, &value)));
}

static void dispatch(ilk_world* world) {
    assert_ok(ilk_dispatch(world, 0));
}

// R002.24 R003.21 C14
static void events_wait_until_they_are_dispatched(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = hear, .user = (void*)"a");
    hit(f->world, 1);
    hit(f->world, 2);
    noted("");
    dispatch(f->world);
    noted("a:1 a:2");
    dispatch(f->world);
    noted("");
    ilk_event_stats stats = ilk_event_stats_of(f->world, &Hit_type);
    assert_int_equal(stats.emitted, 2);
    assert_int_equal(stats.kept, 0);
    assert_int_equal(stats.subscribers, 1);
    assert_int_equal(stats.readers, 0);
}

static ilk_result answer(ilk_world* world, const ilk_event* event, void* user) {
    note_event(user, event);
    int32_t points = ((const Hit*)event->value)->points;
    if (points > 0) hit(world, points - 1);
    return ILK_OK;
}

// R002.24 C14
static void what_is_sent_meanwhile_waits_for_the_next_time(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = answer, .user = (void*)"a");
    hit(f->world, 2);
    hit(f->world, 7);
    dispatch(f->world);
    noted("a:2 a:7");
    dispatch(f->world);
    noted("a:1 a:6");
    dispatch(f->world);
    noted("a:0 a:5");
    dispatch(f->world);
    noted("a:4");
}

// R003.22 C14
static void a_flag_delivers_what_is_sent_meanwhile(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = answer, .user = (void*)"a");
    SUBSCRIBE(f->world, "b", .type = &Fall_type, .call = hear, .user = (void*)"b");
    hit(f->world, 2);
    fall(f->world, "x");
    hit(f->world, 1);
    assert_ok(ilk_dispatch(f->world, ILK_DISPATCH_NESTED));
    noted("a:2 b:x a:1 a:1 a:0 a:0");
    dispatch(f->world);
    noted("");
}

static ilk_result answer_for_ever(ilk_world* world, const ilk_event* event, void* user) {
    (void)event;
    ++*(uint32_t*)user;
    hit(world, 0);
    return ILK_OK;
}

static void nested_events_come_to_an_end(void** state) {
    fixture* f = *state;
    uint32_t calls = 0;
    SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = answer_for_ever, .user = &calls);
    hit(f->world, 0);
    assert_int_equal(ilk_dispatch(f->world, ILK_DISPATCH_NESTED), ILK_FULL);
    assert_told(f, ILK_FULL, "ilk_dispatch");
    assert_int_equal(calls, ILK_DISPATCH_ROUNDS + 1);
    dispatch(f->world);
    assert_int_equal(calls, ILK_DISPATCH_ROUNDS + 2);
}

// R002.24
static void subscribers_are_called_in_their_order(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = hear, .user = (void*)"a");
    SUBSCRIBE(f->world, "b", .type = &Hit_type, .call = hear, .user = (void*)"b");
    SUBSCRIBE(f->world, "c", .type = &Hit_type, .call = hear, .user = (void*)"c", .order = -1);
    SUBSCRIBE(f->world, "d", .type = &Hit_type, .call = hear, .user = (void*)"d");
    SUBSCRIBE(f->world, "e", .type = &Hit_type, .call = hear, .user = (void*)"e", .order = 1);
    SUBSCRIBE(f->world, "f", .type = &Hit_type, .call = hear, .user = (void*)"f", .order = -1);
    hit(f->world, 1);
    dispatch(f->world);
    noted("c:1 f:1 a:1 b:1 d:1 e:1");
    assert_int_equal(ilk_event_stats_of(f->world, &Hit_type).subscribers, 6);
}

// R003.22: those of every event come after those of its type.
static void subscribers_of_every_event_come_last(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "z", .call = hear, .user = (void*)"z", .order = -5);
    SUBSCRIBE(f->world, "y", .call = hear, .user = (void*)"y", .order = -6);
    SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = hear, .user = (void*)"a", .order = 9);
    hit(f->world, 1);
    fall(f->world, "x");
    assert_ok(ilk_emit(f->world, ILK_WITH(Chime)));
    dispatch(f->world);
    noted("a:1 y:1 z:1 y:x z:x y:Chime z:Chime");
}

// R003.22
static void events_of_all_types_come_in_the_order_in_which_they_were_sent(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "h", .type = &Hit_type, .call = hear, .user = (void*)"h");
    SUBSCRIBE(f->world, "f", .type = &Fall_type, .call = hear, .user = (void*)"f");
    SUBSCRIBE(f->world, "c", .type = &Chime_type, .call = hear, .user = (void*)"c");
    fall(f->world, "x");
    hit(f->world, 1);
    assert_ok(ilk_emit(f->world, ILK_WITH(Chime)));
    hit(f->world, 2);
    fall(f->world, "y");
    fall(f->world, "z");
    hit(f->world, 3);
    dispatch(f->world);
    noted("f:x h:1 c:Chime h:2 f:y f:z h:3");
}

// R002.24: the channels of that project.
static void a_flag_takes_types_one_after_the_other(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "f", .type = &Fall_type, .call = hear, .user = (void*)"f");
    SUBSCRIBE(f->world, "h", .type = &Hit_type, .call = answer, .user = (void*)"h");
    hit(f->world, 1);
    fall(f->world, "x");
    hit(f->world, 0);
    fall(f->world, "y");
    assert_ok(ilk_dispatch(f->world, ILK_DISPATCH_BY_TYPE));
    noted("f:x f:y h:1 h:0");
    hit(f->world, 1);
    fall(f->world, "z");
    assert_ok(ilk_dispatch(f->world, ILK_DISPATCH_BY_TYPE | ILK_DISPATCH_NESTED));
    noted("f:z h:0 h:1 h:0");
}

// R002.24 R003.22 C15
static void a_failing_subscriber_is_told_and_stops_nobody(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "armour", .type = &Hit_type, .call = hear_badly, .user = (void*)"a");
    SUBSCRIBE(f->world, "b", .type = &Hit_type, .call = hear, .user = (void*)"b");
    SUBSCRIBE(f->world, "z", .call = hear, .user = (void*)"z");
    hit(f->world, 1);
    assert_int_equal(ilk_dispatch(f->world, 0), ILK_MISSING);
    noted("a:1 b:1 z:1");
    assert_told(f, ILK_MISSING, "ilk_dispatch");
    assert_string_equal(f->told.text, "ilk_dispatch: subscription \"armour\" failed on Hit, number "
                                      "1: it is not there");
    assert_string_equal(f->told.last.type, "Hit");
    dispatch(f->world);
    assert_quiet(f);
}

// C15
static void a_flag_stops_those_after_a_failure(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = hear_badly, .user = (void*)"a");
    SUBSCRIBE(f->world, "b", .type = &Hit_type, .call = hear_badly, .user = (void*)"b",
              .stops = true);
    SUBSCRIBE(f->world, "c", .type = &Hit_type, .call = hear, .user = (void*)"c");
    SUBSCRIBE(f->world, "z", .call = hear, .user = (void*)"z");
    hit(f->world, 1);
    fall(f->world, "x");
    hit(f->world, 2);
    assert_int_equal(ilk_dispatch(f->world, 0), ILK_MISSING);
    noted("a:1 b:1 z:x a:2 b:2");
    assert_int_equal(f->told.count, 4);
}

// Coming and going

typedef struct troupe {
    ilk_subscription *first, *second, *third;
    ilk_result result;
} troupe;

static ilk_result leave(ilk_world* world, const ilk_event* event, void* user) {
    (void)world;
    troupe* t = user;
    note_event("leaver", event);
    t->result = ilk_unsubscribe(t->second);
    return ILK_OK;
}

// R003.22
static void who_ended_is_not_called_any_more(void** state) {
    fixture* f = *state;
    troupe t = {0};
    t.first = SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = hear, .user = (void*)"a");
    SUBSCRIBE(f->world, "l", .type = &Hit_type, .call = leave, .user = &t);
    t.second = SUBSCRIBE(f->world, "b", .type = &Hit_type, .call = hear, .user = (void*)"b");
    t.third = SUBSCRIBE(f->world, "c", .type = &Hit_type, .call = hear, .user = (void*)"c");
    assert_ok(ilk_unsubscribe(t.first));
    hit(f->world, 1);
    hit(f->world, 2);
    dispatch(f->world); // also not for the event that is being dispatched; and only once
    noted("leaver:1 c:1 leaver:2 c:2");
    assert_int_equal(t.result, ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_unsubscribe");
    assert_int_equal(ilk_event_stats_of(f->world, &Hit_type).subscribers, 2);
    assert_int_equal(ilk_unsubscribe(NULL), ILK_INVALID);
}

static ilk_result leave_oneself(ilk_world* world, const ilk_event* event, void* user) {
    troupe* t = user;
    assert_ok(ilk_unsubscribe(t->first));
    hit(world, 50); // the event stays where it is
    ilk_trim(world);
    note_event("self", event);
    return ILK_OK;
}

static void one_may_end_oneself(void** state) {
    fixture* f = *state;
    troupe t = {0};
    t.first = SUBSCRIBE(f->world, "s", .type = &Hit_type, .call = leave_oneself, .user = &t);
    hit(f->world, 1);
    hit(f->world, 2);
    dispatch(f->world);
    noted("self:1");
    hit(f->world, 3); // nobody waits for it
    assert_int_equal(ilk_event_stats_of(f->world, &Hit_type).kept, 0);
    SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = hear, .user = (void*)"a");
    dispatch(f->world);
    noted("");
}

static ilk_result bring(ilk_world* world, const ilk_event* event, void* user) {
    note_event("bringer", event);
    if (((const Hit*)event->value)->points != 1) return ILK_OK;
    SUBSCRIBE(world, "early", .type = &Hit_type, .call = hear, .user = user, .order = -1);
    SUBSCRIBE(world, "late", .type = &Hit_type, .call = hear, .user = user, .order = 1);
    SUBSCRIBE(world, "all", .call = hear, .user = user);
    return ILK_OK;
}

// R003.22: the list that an event is handed to is that of those who were there when it was sent.
static void who_subscribes_hears_what_is_sent_from_then_on(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "b", .type = &Hit_type, .call = bring, .user = (void*)"new");
    hit(f->world, 1);
    hit(f->world, 2);
    dispatch(f->world);
    noted("bringer:1 bringer:2");
    hit(f->world, 3);
    dispatch(f->world);
    noted("new:3 bringer:3 new:3 new:3");
}

static void who_comes_later_hears_no_more_than_who_comes_first(void** state) {
    fixture* f = *state;
    hit(f->world, 1);
    ilk_subscription* a =
        SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = hear, .user = (void*)"a");
    hit(f->world, 2);
    SUBSCRIBE(f->world, "b", .type = &Hit_type, .call = hear, .user = (void*)"b");
    ilk_subscription* c = SUBSCRIBE(f->world, "c", .call = hear, .user = (void*)"c");
    fall(f->world, "x");
    hit(f->world, 4);
    dispatch(f->world);
    noted("a:2 c:x a:4 b:4 c:4");
    hit(f->world, 3);
    assert_ok(ilk_unsubscribe(a));
    dispatch(f->world);
    noted("b:3 c:3");
    assert_ok(ilk_unsubscribe(c));
    ilk_subscription* all = SUBSCRIBE(f->world, "z", .call = hear, .user = (void*)"z");
    fall(f->world, "y");
    assert_ok(ilk_emit(f->world, ILK_WITH(Chime)));
    dispatch(f->world);
    noted("z:y z:Chime");
    fall(f->world, "z");
    assert_ok(ilk_unsubscribe(all));
    assert_int_equal(ilk_event_stats_of(f->world, &Fall_type).kept, 0);
    SUBSCRIBE(f->world, "f", .type = &Fall_type, .call = hear, .user = (void*)"f");
    dispatch(f->world);
    noted("");
}

static void subscribers_and_readers_do_not_disturb_each_other(void** state) {
    fixture* f = *state;
    ilk_reader* reader = ilk_reader_create(f->world, &(ilk_reader_desc){.type = &Hit_type});
    SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = hear, .user = (void*)"a");
    hit(f->world, 1);
    hit(f->world, 2);
    assert_int_equal(((const Hit*)ilk_read(reader, NULL))->points, 1);
    dispatch(f->world);
    noted("a:1 a:2");
    assert_int_equal(((const Hit*)ilk_read(reader, NULL))->points, 2);
    assert_null(ilk_read(reader, NULL));
}

static ilk_result drop_others(ilk_world* world, const ilk_event* event, void* user) {
    for (int32_t i = 0; i < 4; i++) fall(world, "new");
    return hear(world, event, user);
}

static void a_limit_holds_for_subscribers_too(void** state) {
    fixture* f = *state;
    assert_ok(ilk_event_limit(f->world, &Fall_type, 3));
    SUBSCRIBE(f->world, "h", .type = &Hit_type, .call = drop_others, .user = (void*)"h");
    SUBSCRIBE(f->world, "f", .type = &Fall_type, .call = hear, .user = (void*)"f");
    hit(f->world, 1);
    fall(f->world, "old"); // is dropped before its turn comes
    hit(f->world, 2);
    dispatch(f->world);
    noted("h:1 h:2");
    assert_int_equal(ilk_event_stats_of(f->world, &Fall_type).dropped, 6);
    dispatch(f->world);
    noted("f:new f:new f:new");
}

static ilk_result clear_all(ilk_world* world, const ilk_event* event, void* user) {
    ilk_event_clear(world);
    return hear(world, event, user);
}

// R002.24
static void clearing_forgets_what_was_to_be_dispatched(void** state) {
    fixture* f = *state;
    ilk_subscription* a =
        SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = hear, .user = (void*)"a");
    SUBSCRIBE(f->world, "f", .type = &Fall_type, .call = hear, .user = (void*)"f");
    hit(f->world, 1);
    fall(f->world, "x");
    ilk_event_clear(f->world);
    dispatch(f->world);
    noted("");
    assert_ok(ilk_unsubscribe(a));
    SUBSCRIBE(f->world, "c", .type = &Hit_type, .call = clear_all, .user = (void*)"c");
    hit(f->world, 1);
    fall(f->world, "x");
    hit(f->world, 2);
    dispatch(f->world);
    noted("c:1");
    hit(f->world, 3);
    dispatch(f->world);
    noted("c:3");
}

// What subscribers may do

typedef struct Spent {
    Owned owned;
} Spent;
ILK_EVENT_WITH(Spent, .hooks = OWNED_HOOKS);

static void values_are_dropped_after_the_last_subscriber(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "a", .type = &Spent_type, .call = hear, .user = (void*)"a");
    Spent spent = {{text_copy("once")}};
    assert_ok(ilk_emit(f->world, ILK_VALUE_AT(Spent, &spent)));
    assert_hooks(0, 0, 0);
    dispatch(f->world);
    assert_hooks(0, 0, 1);
    noted("a:Spent");
}

static ilk_result kill(ilk_world* world, const ilk_event* event, void* user) {
    (void)user;
    ilk_entity made = ILK_SPAWN(world, ILK_VALUE(Position, 1, 2));
    assert_true(ilk_alive(world, made));
    ilk_result result = ilk_destroy(world, event->entity);
    // It is not there for the next one.
    assert_int_equal(ilk_emit_to(world, event->entity, ILK_VALUE(Hit, 1)), ILK_DEAD);
    return result;
}

static void subscribers_may_change_the_world(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    SUBSCRIBE(f->world, "k", .type = &Hit_type, .call = kill);
    assert_ok(ilk_emit_to(f->world, e, ILK_VALUE(Hit, 1)));
    dispatch(f->world);
    assert_told(f, ILK_DEAD, "ilk_emit_to");
    assert_false(ilk_alive(f->world, e));
    assert_int_equal(ilk_stats(f->world).alive, 1);
}

static ilk_result do_what_is_refused(ilk_world* world, const ilk_event* event, void* user) {
    uint32_t* refused = user;
    *refused += ilk_dispatch(world, 0) == ILK_INVALID;
    ilk_world_destroy(world);
    *refused += ilk_error(world).result == ILK_LOCKED;
    note_event("still", event);
    return ILK_OK;
}

static void a_dispatch_in_a_dispatch_is_refused(void** state) {
    fixture* f = *state;
    uint32_t refused = 0;
    SUBSCRIBE(f->world, "a", .type = &Hit_type, .call = do_what_is_refused, .user = &refused);
    hit(f->world, 1);
    dispatch(f->world);
    assert_int_equal(refused, 2);
    assert_int_equal(f->told.count, 2);
    f->told.count = 0;
    noted("still:1");
    assert_int_equal(ilk_dispatch(f->world, 4), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_dispatch");
    assert_int_equal(ilk_dispatch(NULL, 0), ILK_INVALID);
}

static void unsound_subscriptions_are_refused(void** state) {
    fixture* f = *state;
    ilk_type nameless = {.size = 4}, other = {.name = "Hit", .size = 8};
    SUBSCRIBE(f->world, NULL, .type = &Hit_type, .call = hear, .user = (void*)"a");
    assert_null(ilk_subscribe(f->world, NULL));
    assert_told(f, ILK_INVALID, "ilk_subscribe");
    assert_null(ilk_subscribe(f->world, &(ilk_subscription_desc){.type = &Hit_type}));
    assert_told(f, ILK_INVALID, "ilk_subscribe");
    assert_null(ilk_subscribe(f->world, &(ilk_subscription_desc){.type = &nameless, .call = hear}));
    assert_told(f, ILK_INVALID, "ilk_subscribe");
    assert_null(ilk_subscribe(f->world, &(ilk_subscription_desc){.type = &other, .call = hear}));
    assert_told(f, ILK_CLASH, "ilk_subscribe");
    assert_null(ilk_subscribe(NULL, &(ilk_subscription_desc){.call = hear}));
    hit(f->world, 1);
    dispatch(f->world);
    noted("a:1");
}

// Frames

static void draw_name(ilk_iter* it) {
    note(it->surface);
}

static void send_fall(ilk_iter* it) {
    note("play");
    ILK_EMIT(it->cmd, Fall, "f");
}

static void enter_scene(ilk_world* world, void* user) {
    (void)world;
    note(user);
}

// R003.24: what came in is handed out first, then the systems run, then they draw.
static void a_frame_begins_with_what_waits(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "input", .type = &Hit_type, .call = hear, .user = (void*)"input");
    SUBSCRIBE(f->world, "fallen", .type = &Fall_type, .call = hear, .user = (void*)"fallen");
    SYSTEM(f->world, "play", .run = send_fall);
    SYSTEM(f->world, "step", .phase = "fixed");
    SYSTEM(f->world, "late", .phase = "post");
    SYSTEM(f->world, "draw", .phase = "draw", .run = draw_name);
    assert_ok(ilk_scene_add(
        f->world,
        &(ilk_scene_desc){.name = "level", .enter = enter_scene, .user = (void*)"scene"}));
    assert_ok(ilk_scene_push(f->world, "level"));
    noted("scene");
    for (int32_t frame = 0; frame < 2; frame++) {
        hit(f->world, frame);
        assert_ok(ilk_update(f->world, 1.0 / 60));
        assert_ok(ilk_draw(f->world, (void*)"drawn"));
        noted(frame ? "fallen:f input:1 step play late drawn" : "input:0 step play late drawn");
    }
}

static ilk_result update_inside(ilk_world* world, const ilk_event* event, void* user) {
    note_event(user, event);
    return ilk_update(world, 0);
}

static void an_update_inside_a_dispatch_does_not_dispatch(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "u", .type = &Hit_type, .call = update_inside, .user = (void*)"u");
    SYSTEM(f->world, "run");
    hit(f->world, 1);
    hit(f->world, 2);
    dispatch(f->world);
    noted("u:1 run u:2 run");
    hit(f->world, 3);
    assert_ok(ilk_update(f->world, 0)); // and the other way round it is refused
    noted("u:3 run");
    assert_int_equal(f->told.count, 2); // by the update, and for the subscriber
    assert_int_equal(f->told.last.result, ILK_LOCKED);
    hit(f->world, 4);
    assert_int_equal(ilk_update(f->world, -1), ILK_INVALID); // and nothing is dispatched
    noted("");
}

static void dispatching_needs_no_memory(void** state) {
    fixture* f = *state;
    SUBSCRIBE(f->world, "h", .type = &Hit_type, .call = hear, .user = (void*)"h");
    SUBSCRIBE(f->world, "f", .type = &Fall_type, .call = hear, .user = (void*)"f");
    hit(f->world, 1);
    fall(f->world, "x");
    f->memory.left = 0;
    dispatch(f->world);
    f->memory.left = UINT64_MAX;
    noted("h:1 f:x");
}

// Many types in turn, so that the order among them is put to the test.
static ilk_result hear_number(ilk_world* world, const ilk_event* event, void* user) {
    (void)world;
    uint64_t* last = user;
    if (event->number <= *last) return ILK_BROKEN;
    *last = event->number;
    return ILK_OK;
}

static void many_types_keep_the_order(void** state) {
    fixture* f = *state;
    enum {
        TYPES = 40,
        EVENTS = 5000
    };
    static char names[TYPES][8];
    ilk_type types[TYPES];
    uint64_t seed = 5, last = 0;
    for (uint32_t i = 0; i < TYPES; i++) {
        snprintf(names[i], sizeof(names[i]), "ev%u", i);
        types[i] = (ilk_type){.name = names[i], .size = 8};
        SUBSCRIBE(f->world, names[i], .type = &types[i], .call = hear_number, .user = &last);
    }
    for (uint32_t i = 0; i < EVENTS; i++) {
        ilk_type* type = &types[next_random(&seed) % (1 + next_random(&seed) % TYPES)];
        assert_ok(ilk_emit(f->world, (ilk_value){type, NULL}));
    }
    dispatch(f->world);
    assert_int_equal(last, EVENTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(events_wait_until_they_are_dispatched),
        SCHEDULE_TEST(what_is_sent_meanwhile_waits_for_the_next_time),
        SCHEDULE_TEST(a_flag_delivers_what_is_sent_meanwhile),
        SCHEDULE_TEST(nested_events_come_to_an_end),
        SCHEDULE_TEST(subscribers_are_called_in_their_order),
        SCHEDULE_TEST(subscribers_of_every_event_come_last),
        SCHEDULE_TEST(events_of_all_types_come_in_the_order_in_which_they_were_sent),
        SCHEDULE_TEST(a_flag_takes_types_one_after_the_other),
        SCHEDULE_TEST(a_failing_subscriber_is_told_and_stops_nobody),
        SCHEDULE_TEST(a_flag_stops_those_after_a_failure),
        SCHEDULE_TEST(who_ended_is_not_called_any_more),
        SCHEDULE_TEST(one_may_end_oneself),
        SCHEDULE_TEST(who_subscribes_hears_what_is_sent_from_then_on),
        SCHEDULE_TEST(who_comes_later_hears_no_more_than_who_comes_first),
        SCHEDULE_TEST(subscribers_and_readers_do_not_disturb_each_other),
        SCHEDULE_TEST(a_limit_holds_for_subscribers_too),
        SCHEDULE_TEST(clearing_forgets_what_was_to_be_dispatched),
        SCHEDULE_TEST(values_are_dropped_after_the_last_subscriber),
        SCHEDULE_TEST(subscribers_may_change_the_world),
        SCHEDULE_TEST(a_dispatch_in_a_dispatch_is_refused),
        SCHEDULE_TEST(unsound_subscriptions_are_refused),
        SCHEDULE_TEST(a_frame_begins_with_what_waits),
        SCHEDULE_TEST(an_update_inside_a_dispatch_does_not_dispatch),
        SCHEDULE_TEST(dispatching_needs_no_memory),
        SCHEDULE_TEST(many_types_keep_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
