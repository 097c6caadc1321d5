// Others in the slots and rows of those who were there before a delta: they begin anew, and whoever
// stays keeps what is not sent. And worlds that are not what deltas usually come to.
#include "parcel_support.h"
#include "schedule_support.h"

typedef struct Sight {
    const void* seen;
    uintptr_t distance; // no padding is between them, or behind
} Sight;
ILK_COMPONENT_WITH(Sight, .fields = ILK_FIELDS({"seen", ILK_KIND_POINTER, offsetof(Sight, seen),
                                                sizeof(void*)},
                                               ILK_FIELD(Sight, distance)));
ILK_RELATION_WITH(Sees, .value = &Sight_type);

typedef struct Picture {
    uint32_t card;
} Picture;
ILK_COMPONENT_WITH(Picture, .unrecorded = true);

typedef struct Film {
    unsigned char frames[1 << 18];
} Film;
ILK_COMPONENT_WITH(Film, .unrecorded = true);

static ilk_result count_told(ilk_notice* notice) {
    ++*(int*)notice->user;
    return ILK_OK;
}

// Of these little is sent.
typedef struct Scratch {
    uint32_t id;
    unsigned char room[60000];
} Scratch;
ILK_EVENT_WITH(Scratch, .fields = ILK_FIELDS(ILK_FIELD(Scratch, id)));
typedef struct Wide {
    uint32_t id;
    unsigned char room[8192];
} Wide;
ILK_COMPONENT_WITH(Wide, .fields = ILK_FIELDS(ILK_FIELD(Wide, id)));
ILK_RELATION_WITH(Tied, .value = &Wide_type);

// Two worlds that are alike.
typedef struct twins {
    ilk_world *here, *there;
    ilk_snapshot* before;
} twins;

static twins begin_twins(fixture* f, void (*fill)(ilk_world* world)) {
    twins t = {.here = second_world(f, 0), .there = second_world(f, 0)};
    fill(t.here);
    fill(t.there);
    ilk_settle(t.here, 0);
    ilk_settle(t.there, 0);
    assert_int_equal(ilk_hash_layout(t.here), ilk_hash_layout(t.there));
    t.before = taken_of(t.here);
    return t;
}

// What was done to the one since comes to the other.
static void follow(const twins* t) {
    ilk_snapshot* after = taken_of(t->here);
    parcel way = pack(t->here, t->before, after);
    deliver(t->there, way, ilk_hash_layout(t->here));
    assert_same_worlds(t->here, t->there);
    free(way.bytes);
}

static void end_twins(const twins* t) {
    ilk_world_destroy(t->here);
    ilk_world_destroy(t->there);
}

static ilk_entity who(const ilk_world* world, uint32_t slot) {
    return ilk_entity_at(world, slot);
}

// What values begin with.

static int thing;

static void two_see(ilk_world* world) {
    ILK_SPAWN(world, ILK_VALUE(Sight, &thing, 1));
    ILK_SPAWN(world, ILK_VALUE(Sight, &thing, 2));
    ilk_create(world);
}

static void who_comes_to_a_row_has_no_pointers(void** state) {
    twins t = begin_twins(*state, two_see);
    assert_ok(ilk_destroy(t.here, who(t.here, 0)));
    ilk_entity comer = ILK_SPAWN(t.here, ILK_VALUE(Sight, NULL, 2));
    follow(&t);
    assert_null(ILK_GET(t.there, comer, Sight)->seen);
    assert_ptr_equal(ILK_GET(t.there, who(t.there, 1), Sight)->seen, &thing);
    end_twins(&t);
}

static void many_see(ilk_world* world) {
    for (uint32_t i = 0; i < 300; i++) ILK_SPAWN(world, ILK_VALUE(Sight, &thing, i));
}

static void who_moves_keeps_pointers(void** state) {
    twins t = begin_twins(*state, many_see);
    const Sight* was = ILK_GET(t.here, who(t.here, 299), Sight);
    for (uint32_t i = 0; i < 290; i++) assert_ok(ilk_destroy(t.here, who(t.here, i)));
    ilk_settle(t.here, 0);
    assert_ptr_not_equal(ILK_GET(t.here, who(t.here, 299), Sight), was);
    follow(&t);
    assert_ptr_equal(ILK_GET(t.there, who(t.there, 299), Sight)->seen, &thing);
    end_twins(&t);
}

static void one_sees_three(ilk_world* world) {
    ilk_entity those[5];
    assert_ok(ilk_create_many(world, those, 5));
    for (uint32_t i = 1; i <= 3; i++) {
        ilk_relate_value(world, those[0], &Sees_type, those[i], &(Sight){&thing, i});
    }
}

static const Sight* sight_of(ilk_world* world, uint32_t target) {
    return ilk_relation_get(world, who(world, 0), &Sees_type, who(world, target));
}

static void relations_that_stay_keep_pointers(void** state) {
    twins t = begin_twins(*state, one_sees_three);
    assert_ok(ilk_unrelate(t.here, who(t.here, 0), &Sees_type, who(t.here, 1)));
    ilk_relate_value(t.here, who(t.here, 0), &Sees_type, who(t.here, 4), &(Sight){&thing, 9});
    assert_ok(ilk_destroy(t.here, who(t.here, 3)));
    ilk_create(t.here);
    ilk_relate_value(t.here, who(t.here, 0), &Sees_type, who(t.here, 3), &(Sight){&thing, 3});
    follow(&t);
    assert_ptr_equal(sight_of(t.there, 2)->seen, &thing);
    assert_null(sight_of(t.there, 4)->seen);
    assert_null(sight_of(t.there, 3)->seen); // another
    end_twins(&t);
}

// What is noticed.

static void one_of_each(ilk_world* world) {
    ILK_SPAWN(world, ILK_VALUE(Position, 1, 1), ILK_VALUE(Tracked, 1), ILK_WITH(Enemy));
}

static uint32_t seen_by(ilk_world* world, ilk_query* query) {
    uint32_t seen = 0;
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) seen += it.count;
    return seen;
}

static void who_comes_to_a_row_is_added(void** state) {
    twins t = begin_twins(*state, one_of_each);
    ilk_query* queries[] = {QUERY(t.there, .changed = {&Position_type}),
                            QUERY(t.there, .added = {&Tracked_type}),
                            QUERY(t.there, .added = {&Enemy_type})};
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        seen_by(t.there, queries[i]);
        assert_int_equal(seen_by(t.there, queries[i]), 0);
    }
    assert_ok(ilk_destroy(t.here, who(t.here, 0)));
    one_of_each(t.here);
    follow(&t);
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        assert_int_equal(seen_by(t.there, queries[i]), 1);
    }
    end_twins(&t);
}

// Row ticks of a type go with its values: tags and relations have them too.

ILK_TAG_WITH(Hot, .track = true);
static ilk_type Heeds_type = {.name = "Heeds",
                              .size = sizeof(ilk_link),
                              .align = _Alignof(ilk_link),
                              .relation = &(const ilk_relation){.at_end = ILK_END_RELATION},
                              .track = true};

static void few_are_hot(ilk_world* world) {
    for (uint32_t i = 0; i < 4; i++) {
        ILK_SPAWN(world, ILK_VALUE(Position, 1, 1), ILK_VALUE(Tracked, i), ILK_WITH(Hot));
    }
    for (uint32_t i = 1; i < 4; i++) {
        assert_ok(ilk_relate(world, who(world, 0), &Heeds_type, who(world, i)));
    }
    assert_ok(ilk_disable(world, who(world, 3), &Tracked_type));
}

static void expect_seen(ilk_world* world, ilk_query* query, uint32_t count) {
    assert_int_equal(seen_by(world, query), count);
    assert_int_equal(seen_by(world, query), 0);
}

static void what_is_tracked_is_noticed_by_row(void** state) {
    twins t = begin_twins(*state, few_are_hot);
    ilk_query* added = QUERY(t.there, .added = {&Hot_type});
    ilk_query* related = QUERY(t.there, .changed = {&Heeds_type});
    ilk_query* switched = QUERY(t.there, .changed = {&Tracked_type});
    ilk_query* queries[] = {added, related, switched};
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) seen_by(t.there, queries[i]);
    ILK_SPAWN(t.here, ILK_VALUE(Position, 1, 1), ILK_WITH(Hot));
    follow(&t);
    expect_seen(t.there, added, 1);
    expect_seen(t.there, related, 0);
    expect_seen(t.there, switched, 0);
    t.before = taken_of(t.here);
    assert_ok(ilk_unrelate(t.here, who(t.here, 0), &Heeds_type, who(t.here, 2)));
    assert_ok(ilk_enable(t.here, who(t.here, 3), &Tracked_type));
    follow(&t);
    expect_seen(t.there, added, 0);
    expect_seen(t.there, related, 1);
    expect_seen(t.there, switched, 1);
    end_twins(&t);
}

static void three_tracked(ilk_world* world) {
    for (uint32_t i = 0; i < 3; i++) ILK_SPAWN(world, ILK_VALUE(Tracked, i));
}

static void go_on(twins* t) {
    follow(t);
    t->before = taken_of(t->here);
}

static void when_it_was_added_goes_with_a_value(void** state) {
    twins t = begin_twins(*state, three_tracked);
    ilk_query* query = QUERY(t.there, .added = {&Tracked_type});
    seen_by(t.there, query);
    ILK_SPAWN(t.here, ILK_VALUE(Tracked, 77)); // comes, and then comes to lie in the first row
    go_on(&t);
    for (uint32_t i = 0; i < 3; i++) assert_ok(ilk_destroy(t.here, who(t.here, i)));
    ilk_settle(t.here, 0);
    go_on(&t);
    expect_seen(t.there, query, 1);
    end_twins(&t);
    t = begin_twins(*state, three_tracked);
    query = QUERY(t.there, .added = {&Tracked_type});
    seen_by(t.there, query);
    assert_ok(ilk_destroy(t.here, who(t.here, 0)));
    ilk_entity comer = ILK_SPAWN(t.here, ILK_VALUE(Tracked, 77)); // takes a row, and goes again
    go_on(&t);
    assert_ok(ilk_destroy(t.here, comer));
    assert_ok(ilk_destroy(t.here, who(t.here, 1)));
    ilk_settle(t.here, 0);
    go_on(&t);
    expect_seen(t.there, query, 0);
    end_twins(&t);
}

// The first target stays, the second is another one in the same slot. That is a change, and hashes
// of what was before are not taken for those of what is; nor, when the world goes back, the other
// way round.
static void another_target_is_noticed(void** state) {
    twins t = begin_twins(*state, one_sees_three);
    ilk_query* query = QUERY(t.there, .changed = {&Sees_type});
    seen_by(t.there, query);
    uint64_t hash = ilk_hash(t.there);
    ilk_snapshot* was = taken_of(t.there);
    assert_ok(ilk_destroy(t.here, who(t.here, 3)));
    ilk_create(t.here);
    ilk_relate_value(t.here, who(t.here, 0), &Sees_type, who(t.here, 3), &(Sight){&thing, 3});
    follow(&t);
    assert_int_equal(seen_by(t.there, query), 1);
    assert_ok(ilk_snapshot_restore(was));
    assert_int_equal(ilk_hash(t.there), hash);
    ilk_trim(t.there); // with what is kept of hashes
    assert_int_equal(ilk_hash(t.there), hash);
    end_twins(&t);
}

static void two_of_a_name(ilk_world* world) {
    for (uint32_t i = 0; i < 2; i++) assert_ok(ilk_set_name(world, ilk_create(world), "twin"));
}

static void another_namesake_is_noticed(void** state) {
    twins t = begin_twins(*state, two_of_a_name);
    uint64_t hash = ilk_hash(t.there);
    ilk_snapshot* was = taken_of(t.there);
    assert_ok(ilk_destroy(t.here, who(t.here, 0)));
    ilk_entity other = ilk_create(t.here);
    assert_ok(ilk_set_name(t.here, who(t.here, 1), NULL));
    assert_ok(ilk_set_name(t.here, other, "twin"));
    assert_ok(ilk_set_name(t.here, who(t.here, 1), "twin"));
    follow(&t);
    assert_ok(ilk_snapshot_restore(was));
    assert_int_equal(ilk_hash(t.there), hash);
    ilk_trim(t.there);
    assert_int_equal(ilk_hash(t.there), hash);
    end_twins(&t);
}

// Pages of the index.

static void none(ilk_iter* it) {
    while (ilk_next(it)) continue;
}

static void bear_ten(ilk_iter* it) {
    for (uint32_t i = 0; i < 10; i++) ilk_cmd_create(it->cmd);
    none(it);
}

// Two systems of one wave: the second takes its handles from a page of its own, and the first page
// is absent.
static void leave_a_page_out(ilk_world* world) {
    SYSTEM(world, "none", .run = none, .query = {.read = {&Position_type}});
    SYSTEM(world, "bear", .run = bear_ten, .query = {.read = {&Velocity_type}});
    assert_ok(ilk_update(world, 0));
}

static void pages_that_were_absent_come(void** state) {
    twins t = begin_twins(*state, leave_a_page_out);
    ilk_entity those[2000];
    assert_ok(ilk_create_many(t.here, those, 1015)); // those that are free, and one of the page
    follow(&t);
    end_twins(&t);
}

static void fill_the_page(ilk_world* world) {
    ilk_entity those[1100], first = {0, 0}, second = {0, 0};
    assert_ok(ilk_create_many(world, those, 1100));
    for (uint32_t i = 0; i < 1100; i++) {
        assert_ok(ilk_add(world, those[i], ILK_WITH(Position)));
        if (those[i].index >= ILKI_PAGE_RECORDS) continue;
        second = first;
        first = those[i];
    }
    assert_ok(ilk_relate(world, second, &Knows_type, first));
    ilk_settle(world, 0);
}

// Who is in a page that a forgery makes absent is alive no more, whatever else it says of them.
static void pages_that_go_take_everybody_along(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    leave_a_page_out(world);
    assert_ok(ilk_register(world, &Knows_type));
    ilk_snapshot* empty = taken_of(world);
    fill_the_page(world);
    ilk_snapshot* full = taken_of(world);
    parcel way = pack(world, full, empty);
    uint32_t sound = 0;
    for (size_t bit = ILKI_DELTA_HEAD * 8; bit < way.size * 8; bit++) {
        parcel forged = {malloc(way.size), way.size};
        memcpy(forged.bytes, way.bytes, way.size);
        forged.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        memset(forged.bytes + ILKI_DELTA_TO, 0, 16); // nothing is promised
        make_it_pass(&forged);
        if (ilk_delta_apply(world, forged.bytes, forged.size) == ILK_OK) {
            sound++;
            assert_valid(world);
            assert_ok(ilk_snapshot_restore(full));
        }
        free(forged.bytes);
    }
    assert_true(sound > 10);
    assert_valid(world);
    free(way.bytes);
}

// Systems.

static void a_system_that_waits(ilk_world* world) {
    SYSTEM(world, "first", .run = none, .interval = 1, .order = -2);
    SYSTEM(world, "second", .run = none);
}

static const char* first_system(ilk_world* world) {
    static char text[2000];
    ilk_schedule_text(world, text, sizeof text);
    return strstr(text, "second") < strstr(text, "first") ? "second" : "first";
}

static void deltas_know_what_systems_are(void** state) {
    twins t = begin_twins(*state, a_system_that_waits);
    assert_string_equal(first_system(t.there), "first");
    assert_ok(ilk_update(t.here, 0.25));
    assert_ok(ilk_system_set_order(ilk_system_named(t.here, "second"), -5));
    ilk_system_enable(ilk_system_named(t.here, "first"), false);
    follow(&t);
    assert_string_equal(first_system(t.there), "second");
    assert_true(ilk_system_desc_of(ilk_system_named(t.there, "first"))->is_disabled);
    end_twins(&t);
}

static void a_whole_world_says_all_of_systems(void** state) {
    twins t = begin_twins(*state, a_system_that_waits);
    assert_ok(ilk_update(t.there, 0.5));
    ilk_system_enable(ilk_system_named(t.there, "second"), false);
    assert_ok(ilk_system_set_order(ilk_system_named(t.there, "second"), -7));
    t.before = NULL;
    follow(&t);
    assert_false(ilk_system_desc_of(ilk_system_named(t.there, "second"))->is_disabled);
    assert_string_equal(first_system(t.there), "first");
    end_twins(&t);
}

static void systems_may_come_in_between(void** state) {
    twins t = begin_twins(*state, a_system_that_waits);
    ilk_world* const worlds[] = {t.here, t.there};
    for (uint32_t i = 0; i < 2; i++) {
        SYSTEM(worlds[i], "late", .run = none, .order = 5);
        SYSTEM(worlds[i], "off", .run = none, .is_disabled = true);
    }
    follow(&t);
    SYSTEM(t.there, "there alone", .run = none, .order = 7, .is_disabled = true);
    t.before = NULL;
    follow(&t);
    const ilk_system_desc* desc = ilk_system_desc_of(ilk_system_named(t.there, "there alone"));
    assert_true(desc->order == 7 && desc->is_disabled);
    end_twins(&t);
}

// Refused, and what no snapshot has is there.
static void what_is_refused_loses_nothing(void** state) {
    fixture* f = *state;
    ilk_world *here = second_world(f, 0), *there = second_world(f, 0);
    int told = 0;
    ilk_snapshot* is = taken_of(here);
    parcel whole = pack(here, NULL, is);
    ilk_entity e = ILK_SPAWN(there, ILK_VALUE(Position, 1, 1), ILK_VALUE(Picture, 42));
    assert_ok(ilk_resource_set(there, ILK_VALUE(Picture, 43)));
    ilk_observer_create(
        there,
        &(ilk_observer_desc){.on = ILK_ON_SET, .entity = e, .run = count_told, .user = &told});
    ilk_reader_create(there, &(ilk_reader_desc){.type = &Ping_type}); // so that it is another world
    uint64_t hash = ilk_hash_layout(there);
    assert_int_equal(ilk_delta_apply(there, whole.bytes, whole.size), ILK_CLASH);
    assert_int_equal(ilk_hash_layout(there), hash);
    assert_int_equal(ILK_GET(there, e, Picture)->card, 42);
    assert_int_equal(ILK_RESOURCE_GET(there, Picture)->card, 43);
    assert_ok(ilk_set(there, e, ILK_VALUE(Position, 2, 2)));
    assert_int_equal(told, 1);
    free(whole.bytes);
    ilk_world_destroy(here);
    ilk_world_destroy(there);
}

static void know_films(ilk_world* world) {
    assert_ok(ilk_register(world, &Film_type));
    assert_ok(ilk_register(world, &Tied_type));
    ilk_reader_create(world, &(ilk_reader_desc){.type = &Scratch_type});
}

static void what_is_not_sent_may_be_large(void** state) {
    twins t = begin_twins(*state, know_films);
    for (uint32_t i = 0; i < 8; i++) ILK_SPAWN(t.here, ILK_WITH(Film));
    go_on(&t);
    ilk_entity those[2];
    assert_ok(ilk_create_many(t.here, those, 2));
    assert_ok(ilk_relate(t.here, those[0], &Tied_type, those[1]));
    go_on(&t);
    for (uint32_t i = 0; i < 12; i++) assert_ok(ILK_EMIT(t.here, Scratch, .id = i));
    follow(&t);
    end_twins(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(who_comes_to_a_row_has_no_pointers),
        WORLD_TEST(who_moves_keeps_pointers),
        WORLD_TEST(relations_that_stay_keep_pointers),
        WORLD_TEST(who_comes_to_a_row_is_added),
        WORLD_TEST(what_is_tracked_is_noticed_by_row),
        WORLD_TEST(when_it_was_added_goes_with_a_value),
        WORLD_TEST(systems_may_come_in_between),
        WORLD_TEST(pages_that_go_take_everybody_along),
        WORLD_TEST(another_target_is_noticed),
        WORLD_TEST(another_namesake_is_noticed),
        WORLD_TEST(pages_that_were_absent_come),
        WORLD_TEST(deltas_know_what_systems_are),
        WORLD_TEST(a_whole_world_says_all_of_systems),
        WORLD_TEST(what_is_refused_loses_nothing),
        WORLD_TEST(what_is_not_sent_may_be_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
