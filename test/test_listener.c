// Observers, readers and subscriptions that are gone: whoever uses them is told.
#include "../src/event/listener.h"
#include "support.h"

static ilk_result be_told(ilk_notice* n) {
    ++*(int*)n->user;
    return ILK_OK;
}

static ilk_result hear(ilk_world* world, const ilk_event* event, void* user) {
    (void)world;
    (void)event;
    ++*(int*)user;
    return ILK_OK;
}

static ilk_observer* observe(ilk_world* world, ilk_entity e, int* told) {
    ilk_observer* observer =
        ilk_observer_create(world, &(ilk_observer_desc){.name = "watch",
                                                        .on = ILK_ON_ADD | ILK_ON_MATCH,
                                                        .entity = e,
                                                        .query = {.with = {&Enemy_type}},
                                                        .run = be_told,
                                                        .user = told});
    assert_non_null(observer);
    return observer;
}

static ilk_reader* listen(ilk_world* world) {
    ilk_reader* reader = ilk_reader_create(world, &(ilk_reader_desc){.type = &Health_type});
    assert_non_null(reader);
    return reader;
}

static ilk_subscription* subscribe(ilk_world* world, int* heard) {
    ilk_subscription* s = ilk_subscribe(
        world,
        &(ilk_subscription_desc){.name = "one", .type = &Health_type, .call = hear, .user = heard});
    assert_non_null(s);
    return s;
}

static void assert_gone(fixture* f, const char* call, const char* what) {
    assert_told(f, ILK_INVALID, call);
    assert_non_null(strstr(f->told.text, what));
    assert_valid(f->world);
}

static void an_observer_that_is_gone_is_told_of(void** state) {
    fixture* f = *state;
    int told = 0;
    ilk_observer* observer = observe(f->world, (ilk_entity){0, 0}, &told);
    ilk_observer_destroy(observer);
    assert_quiet(f);
    ilk_observer_destroy(observer);
    assert_gone(f, "ilk_observer_destroy", "the observer is gone");
    assert_string_equal(ilk_observer_name(observer), "");
    assert_gone(f, "ilk_observer_name", "the observer is gone");
    assert_int_equal(ilk_observer_count(f->world), 0);
    ILK_SPAWN(f->world, ILK_WITH(Enemy));
    assert_int_equal(told, 0);
}

static void so_is_one_that_went_with_its_entity(void** state) {
    fixture* f = *state;
    int told = 0;
    ilk_entity e = ilk_create(f->world), other = ilk_create(f->world);
    ilk_observer* observer = observe(f->world, e, &told);
    ilk_observer* cleared = observe(f->world, other, &told);
    assert_ok(ilk_destroy(f->world, e));
    ilk_observer_destroy(observer);
    assert_gone(f, "ilk_observer_destroy", "the observer is gone");
    ilk_clear(f->world);
    ilk_observer_destroy(cleared);
    assert_gone(f, "ilk_observer_destroy", "the observer is gone");
}

static ilk_result end_twice(ilk_notice* n) {
    ilk_observer_destroy(n->observer);
    ilk_observer_destroy(n->observer);
    return ILK_OK;
}

static void an_observer_can_end_itself_but_once(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_CREATE, .run = end_twice});
    ilk_create(f->world);
    assert_gone(f, "ilk_observer_destroy", "the observer is gone");
    assert_int_equal(ilk_observer_count(f->world), 0);
}

static void a_reader_that_is_gone_is_told_of(void** state) {
    fixture* f = *state;
    ilk_reader* reader = listen(f->world);
    ilk_event event;
    for (int i = 0; i < 3; i++) assert_ok(ilk_emit(f->world, ILK_VALUE(Health, i)));
    assert_non_null(ilk_read(reader, NULL));
    ilk_reader_destroy(reader);
    assert_quiet(f);
    ilk_reader_destroy(reader);
    assert_gone(f, "ilk_reader_destroy", "the reader is gone");
    assert_null(ilk_read(reader, NULL));
    assert_gone(f, "ilk_read", "the reader is gone");
    assert_null(ilk_read(reader, &event));
    assert_gone(f, "ilk_read", "the reader is gone");
    assert_int_equal(ilk_reader_lost(reader), 0);
    assert_gone(f, "ilk_reader_lost", "the reader is gone");
    assert_int_equal(ilk_event_stats_of(f->world, &Health_type).readers, 0);
}

static void a_subscription_that_is_gone_is_told_of(void** state) {
    fixture* f = *state;
    int heard = 0;
    ilk_subscription* s = subscribe(f->world, &heard);
    assert_ok(ilk_unsubscribe(s));
    assert_int_equal(ilk_unsubscribe(s), ILK_INVALID);
    assert_gone(f, "ilk_unsubscribe", "the subscription is gone");
    assert_ok(ilk_emit(f->world, ILK_VALUE(Health, 1)));
    assert_ok(ilk_dispatch(f->world, 0));
    assert_int_equal(heard, 0);
    assert_int_equal(ilk_event_stats_of(f->world, &Health_type).subscribers, 0);
}

// The next one has the memory of the last, and so a pointer to that is one to this.
static void the_next_one_has_the_memory_of_the_last(void** state) {
    fixture* f = *state;
    int count = 0;
    ilk_observer* observer = observe(f->world, (ilk_entity){0, 0}, &count);
    ilk_reader* reader = listen(f->world);
    ilk_subscription* subscription = subscribe(f->world, &count);
    ilk_observer_destroy(observer);
    ilk_reader_destroy(reader);
    assert_ok(ilk_unsubscribe(subscription));
    size_t bytes = f->memory.bytes;
    assert_ptr_equal(observe(f->world, (ilk_entity){0, 0}, &count), observer);
    assert_ptr_equal(listen(f->world), reader);
    assert_ptr_equal(subscribe(f->world, &count), subscription);
    assert_true(f->memory.bytes >= bytes);
    assert_ok(ilk_emit(f->world, ILK_VALUE(Health, 1)));
    assert_int_equal(((const Health*)ilk_read(reader, NULL))->points, 1);
    assert_null(ilk_read(reader, NULL));
    assert_ok(ilk_dispatch(f->world, 0));
    assert_int_equal(count, 1);
    ILK_SPAWN(f->world, ILK_WITH(Enemy));
    assert_int_equal(count, 3);
    assert_string_equal(ilk_observer_name(observer), "watch");
    assert_quiet(f);
    assert_valid(f->world);
}

static void trimming_frees_those_that_are_gone(void** state) {
    fixture* f = *state;
    int count = 0;
    ilk_observer* observers[8];
    ilk_reader* readers[8];
    ilk_subscription* subscriptions[8];
    observers[0] = observe(f->world, (ilk_entity){0, 0}, &count);
    readers[0] = listen(f->world);
    subscriptions[0] = subscribe(f->world, &count);
    for (int i = 1; i < 8; i++) {
        observers[i] = observe(f->world, (ilk_entity){0, 0}, &count);
        readers[i] = listen(f->world);
        subscriptions[i] = subscribe(f->world, &count);
    }
    for (int i = 0; i < 8; i++) {
        ilk_observer_destroy(observers[i]);
        ilk_reader_destroy(readers[i]);
        assert_ok(ilk_unsubscribe(subscriptions[i]));
    }
    size_t before = f->memory.bytes;
    ilk_trim(f->world);
    assert_true(before - f->memory.bytes >=
                8 * (3 * sizeof(ilki_listener) + sizeof(ilk_observer_desc)));
    observe(f->world, (ilk_entity){0, 0}, &count);
    listen(f->world);
    subscribe(f->world, &count);
    assert_quiet(f);
    assert_valid(f->world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(an_observer_that_is_gone_is_told_of),
        WORLD_TEST(so_is_one_that_went_with_its_entity),
        WORLD_TEST(an_observer_can_end_itself_but_once),
        WORLD_TEST(a_reader_that_is_gone_is_told_of),
        WORLD_TEST(a_subscription_that_is_gone_is_told_of),
        WORLD_TEST(the_next_one_has_the_memory_of_the_last),
        WORLD_TEST(trimming_frees_those_that_are_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
