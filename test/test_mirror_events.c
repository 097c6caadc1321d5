// A copy of who is in a world and what they have, kept by the events of that and by nothing else:
// by a subscriber, and by readers who put them in order by their numbers. R003.19 R003.20 R003.29
#include "mirror_support.h"

enum {
    NEWS = 4
};

static ilk_type* const news_types[NEWS] = {&ilk_entity_spawned_type, &ilk_entity_destroyed_type,
                                           &ilk_component_added_type, &ilk_component_removed_type};

// Who is there, and a bit for each kind that it has.
typedef struct mirror {
    ilk_entity entities[SLOTS];
    uint32_t kinds[SLOTS];
    uint64_t events;
} mirror;

static original the_world;
static mirror subscriber_mirror, reader_mirror;

static void follow(mirror* m, const ilk_event* event) {
    const ilk_component_added* news = event->value; // all begin with the entity
    ilk_entity e = news->entity, none = {0, 0};
    m->events++;
    assert_true(e.index < SLOTS);
    ilk_entity* here = &m->entities[e.index];
    bool comes = ilk_same_type(event->type, &ilk_entity_spawned_type);
    assert_true(ilk_same(*here, comes ? none : e));
    if (comes || ilk_same_type(event->type, &ilk_entity_destroyed_type)) {
        assert_int_equal(m->kinds[e.index], 0);
        *here = comes ? e : none;
        return;
    }
    uint32_t bit = 1u << kind_of(news->type);
    bool is_added = ilk_same_type(event->type, &ilk_component_added_type);
    assert_int_equal((m->kinds[e.index] & bit) != 0, !is_added); // each once
    m->kinds[e.index] ^= bit;
}

static ilk_result hand_on(ilk_world* world, const ilk_event* event, void* user) {
    (void)world;
    follow(user, event);
    return ILK_OK;
}

// Readers, each with the event that it has come to.
typedef struct reading {
    ilk_reader* readers[NEWS];
    ilk_event next[NEWS];
    bool has_next[NEWS];
} reading;

static uint32_t first_of(reading* r) {
    uint32_t first = NEWS;
    for (uint32_t i = 0; i < NEWS; i++) {
        if (!r->has_next[i]) r->has_next[i] = ilk_read(r->readers[i], &r->next[i]) != NULL;
        if (!r->has_next[i]) continue;
        if (first == NEWS || r->next[i].number < r->next[first].number) first = i;
    }
    return first;
}

static void read_all(reading* r, mirror* m) {
    for (uint32_t at = first_of(r); at < NEWS; at = first_of(r)) {
        follow(m, &r->next[at]);
        r->has_next[at] = false;
    }
}

static void compare(const ilk_world* world, const mirror* m) {
    uint32_t slots = ilk_stats(world).slots;
    for (uint32_t slot = 0; slot < slots; slot++) {
        ilk_entity e = ilk_entity_at(world, slot);
        assert_true(ilk_same(m->entities[slot], e));
        for (uint32_t i = 0; i < KINDS; i++) {
            bool has = !ilk_is_null(e) && ilk_has(world, e, kinds[i]);
            assert_int_equal((m->kinds[slot] & 1u << i) != 0, has);
        }
    }
}

static void listen(original* o, reading* r) {
    subscriber_mirror = reader_mirror = (mirror){0};
    *r = (reading){0};
    for (uint32_t i = 0; i < NEWS; i++) {
        ilk_subscription_desc desc = {
            .type = news_types[i], .call = hand_on, .user = &subscriber_mirror};
        assert_non_null(ilk_subscribe(o->world, &desc));
        r->readers[i] = ilk_reader_create(o->world, &(ilk_reader_desc){.type = news_types[i]});
        assert_non_null(r->readers[i]);
    }
}

// Observers of the events themselves, who change the world before the event is kept.
static void observe_the_news(original* o) {
    for (uint32_t i = 0; i < NEWS; i++) {
        ilk_observer_desc desc = {
            .on = ILK_ON_EVENT, .type = news_types[i], .run = meddle, .user = o};
        assert_non_null(ilk_observer_create(o->world, &desc));
    }
}

static void follow_for(original* o, uint32_t operations) {
    reading r;
    listen(o, &r);
    for (uint32_t i = 0; i < operations; i++) {
        if (i == operations / 4) make_hostile(o, 0);
        if (i == operations / 2) observe_the_news(o);
        if (i % 8 == 0) o->stats = ilk_stats(o->world);
        operate(o);
        if (chance(o, 5) == 0) assert_ok(ilk_dispatch(o->world, 0));
        if (chance(o, 20) == 0) read_all(&r, &reader_mirror);
        if (i % ROUND) continue;
        assert_ok(ilk_dispatch(o->world, 0));
        read_all(&r, &reader_mirror);
        compare(o->world, &subscriber_mirror);
        compare(o->world, &reader_mirror);
    }
    assert_valid(o->world);
    assert_true(subscriber_mirror.events > operations / 4);
    assert_true(o->hostile > operations / 100);
    ilk_clear(o->world);
    o->budget = 0;
    ilk_clear(o->world); // also who came meanwhile
    assert_ok(ilk_dispatch(o->world, 0));
    for (uint32_t i = 0; i < SLOTS; i++) assert_true(ilk_is_null(subscriber_mirror.entities[i]));
    close_original(o);
}

static void events_are_a_history(void** state) {
    original* o = &the_world;
    (void)state;
    open_original(o, 19);
    follow_for(o, OPERATIONS);
}

// Whoever is there first, and is called first, is called after the events are noted.
static void events_are_a_history_whoever_comes_first(void** state) {
    original* o = &the_world;
    (void)state;
    open_original(o, 20);
    make_hostile(o, INT32_MIN);
    follow_for(o, OPERATIONS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_a_history),
        cmocka_unit_test(events_are_a_history_whoever_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
