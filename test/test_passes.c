// Passes over what changed: which of them count, from where on they see, what settling does to
// marks, and whatever else happens.
#include "change_support.h"

// Ways to leave a loop after its first run.
typedef void leave_fn(fixture* f, ilk_query* query, ilk_iter* it);

static void leave_by_end(fixture* f, ilk_query* query, ilk_iter* it) {
    (void)f;
    (void)query;
    ilk_iter_end(it);
}

static void leave_silently(fixture* f, ilk_query* query, ilk_iter* it) {
    (void)f;
    (void)query;
    (void)it;
}

static void leave_by_settling(fixture* f, ilk_query* query, ilk_iter* it) {
    (void)query;
    settle_fully(f->world);
    assert_false(ilk_next(it));
}

static void leave_for_twelve_others(fixture* f, ilk_query* query, ilk_iter* it) {
    ilk_iter others[12];
    for (int i = 0; i < 12; i++) others[i] = ilk_query_iter(f->world, query);
    for (int i = 0; i < 12; i++) ilk_iter_end(&others[i]);
    assert_false(ilk_next(it));
}

static void check_left(leave_fn* leave, ilk_type* type) {
    void* state = NULL;
    open_world(&state);
    fixture* f = state;
    spawn_people(f->world, type);
    ilk_query* changed = QUERY(f->world, .changed = {type});
    for (int i = 0; i < 3; i++) {
        ilk_iter it = ilk_query_iter(f->world, changed);
        for (int run = 0; run < i; run++) assert_true(ilk_next(&it));
        leave(f, changed, &it);
    }
    sees_all(f->world, changed, people, PEOPLE);
    sees_nothing(f->world, changed);
    close_world(&state);
}

static void a_loop_left_early_is_no_whole_pass(void** state) {
    (void)state;
    leave_fn* const ways[] = {leave_by_end, leave_silently, leave_by_settling,
                              leave_for_twelve_others};
    for (uint32_t i = 0; i < COUNT_OF(ways); i++) {
        check_left(ways[i], &Mood_type);
        check_left(ways[i], &Health_type);
    }
}

// What changed while a pass was left early is seen with the rest.
static void changes_made_in_a_loop_left_early_are_seen(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    ilk_query* changed = QUERY(f->world, .write = {&Mood_type}, .changed = {&Mood_type});
    pass(f->world, changed);
    change_by_set(f->world, people[3], &Mood_type);
    ilk_iter it = ilk_query_iter(f->world, changed);
    assert_true(ilk_next(&it));
    change_by_set(f->world, people[9], &Mood_type);
    ilk_iter_end(&it);
    const ilk_entity expected[] = {people[3], people[9]};
    sees_all(f->world, changed, expected, 2);
}

static void count_one(void* user, ilk_entity e, void* const* values) {
    (void)e;
    (void)values;
    ++*(uint32_t*)user;
}

static void every_form_of_a_whole_pass_counts(void** state) {
    fixture* f = *state;
    uint32_t rows = 0;
    spawn_people(f->world, &Mood_type);
    ilk_query* changed = QUERY(f->world, .changed = {&Mood_type});
    ilk_query* ordered = QUERY(f->world, .changed = {&Mood_type}, .order_by_index = true);
    for (ilk_iter it = ilk_query_iter(f->world, changed); ilk_next_rows(&it);) rows += it.count;
    assert_int_equal(rows, PEOPLE);
    sees_nothing(f->world, changed);
    sees_all(f->world, ordered, people, PEOPLE);
    sees_nothing(f->world, ordered);
    change_by_set(f->world, people[6], &Mood_type);
    rows = 0;
    assert_ok(ilk_each(f->world, changed, count_one, &rows));
    assert_int_equal(rows, 1);
    sees_nothing(f->world, changed);
    sees(f->world, ordered, people[6]);
    sees_nothing(f->world, ordered);
}

// The parts of a pass are a whole one together, once the walk that was cut is ended.
static void a_pass_in_parts_counts(void** state) {
    fixture* f = *state;
    uint32_t rows = 0;
    spawn_people(f->world, &Mood_type);
    ilk_query* changed = QUERY(f->world, .changed = {&Mood_type});
    ilk_iter parts[3], it = ilk_query_iter(f->world, changed);
    assert_ok(ilk_iter_split(&it, parts, 3));
    for (uint32_t i = 0; i < 3; i++) {
        while (ilk_next(&parts[i])) rows += parts[i].count;
    }
    ilk_iter_end(&it);
    assert_int_equal(rows, PEOPLE);
    sees_nothing(f->world, changed);
}

static void questions_are_no_passes(void** state) {
    fixture* f = *state;
    ilk_entity collected[2];
    char text[256];
    spawn_people(f->world, &Mood_type);
    ilk_query* changed = QUERY(f->world, .changed = {&Mood_type});
    pass(f->world, changed);
    change_by_set(f->world, people[77], &Mood_type);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ilk_query_count(f->world, changed), 1);
        assert_false(ilk_query_is_empty(f->world, changed));
        assert_entity(ilk_query_first(f->world, changed), people[77]);
        assert_true(ilk_query_matches(f->world, changed, people[77]));
        assert_false(ilk_query_matches(f->world, changed, people[78]));
        assert_int_equal(ilk_query_collect(f->world, changed, collected, 2), 1);
        ilk_query_explain(f->world, changed, people[78], text, sizeof(text));
        assert_non_null(strstr(text, "Mood"));
    }
    sees(f->world, changed, people[77]);
    assert_true(ilk_query_is_empty(f->world, changed));
}

static void ticks_go_up(void** state) {
    fixture* f = *state;
    uint64_t last = ilk_tick(f->world);
    assert_true(last > 0);
    for (int i = 0; i < 100; i++) {
        uint64_t tick = ilk_tick(f->world);
        assert_true(tick > last);
        last = tick;
    }
    assert_int_equal(ilk_tick(NULL), 0);
}

static void a_pass_can_begin_anywhere(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    ilk_query* changed = QUERY(f->world, .changed = {&Mood_type});
    uint64_t ticks[4];
    for (uint32_t i = 0; i < 4; i++) {
        ticks[i] = ilk_tick(f->world);
        change_by_set(f->world, people[50 + i], &Mood_type);
    }
    for (uint32_t i = 4; i-- > 0;) {
        ilk_query_since(changed, ticks[i]);
        sees_all(f->world, changed, people + 50 + i, 4 - i);
        sees_nothing(f->world, changed);
    }
    ilk_query_since(changed, 0);
    sees_all(f->world, changed, people, PEOPLE);
    ilk_query_since(changed, ilk_tick(f->world));
    sees_nothing(f->world, changed);
    change_by_set(f->world, people[0], &Mood_type);
    sees(f->world, changed, people[0]);
    ilk_query_since(NULL, 0);
}

// The tick goes on by itself: nobody has to call ilk_tick between a pass and a change.
static void a_change_right_after_a_pass_is_seen(void** state) {
    fixture* f = *state;
    ilk_type* const types[] = {&Mood_type, &Health_type};
    for (uint32_t t = 0; t < 2; t++) {
        ilk_entity e = ilk_spawn(f->world, &(ilk_value){types[t], NULL}, 1);
        ilk_query* a = QUERY(f->world, .changed = {types[t]});
        ilk_query* b = QUERY(f->world, .changed = {types[t]});
        for (int i = 0; i < 20; i++) {
            sees(f->world, a, e);
            sees(f->world, b, e);
            changes[(uint32_t)i % COUNT_OF(changes)](f->world, e, types[t]);
        }
    }
}

// Moves entities about: some lose and get components, and all is settled.
static void shuffle(ilk_world* world) {
    for (uint32_t i = 0; i < PEOPLE; i++) {
        if (i % 3 == 0) assert_ok(ilk_add(world, people[i], ILK_WITH(Position)));
        if (i % 5 == 0) assert_ok(ilk_add(world, people[i], ILK_WITH(Enemy)));
    }
    ilk_settled settled = ilk_settle(world, 0);
    assert_true(settled.moved > 0);
}

static void settling_marks_nothing(void** state) {
    (void)state;
    ilk_type* const types[] = {&Mood_type, &Health_type, &Cargo_type, &Name_type, &Marked_type};
    for (uint32_t t = 0; t < COUNT_OF(types); t++) {
        void* opened = NULL;
        open_world(&opened);
        fixture* f = opened;
        spawn_people(f->world, types[t]);
        ilk_query* changed = QUERY(f->world, .changed = {types[t]});
        ilk_query* added = QUERY(f->world, .added = {types[t]});
        pass(f->world, changed);
        pass(f->world, added);
        shuffle(f->world);
        sees_nothing(f->world, changed);
        sees_nothing(f->world, added);
        close_world(&opened);
    }
}

static void settling_loses_no_marks(void** state) {
    (void)state;
    for (uint32_t t = 0; t < COUNT_OF(tracking); t++) {
        void* opened = NULL;
        open_world(&opened);
        fixture* f = opened;
        spawn_people(f->world, tracking[t]);
        ilk_query* changed = QUERY(f->world, .changed = {tracking[t]});
        ilk_query* added = QUERY(f->world, .added = {tracking[t]});
        pass(f->world, changed);
        pass(f->world, added);
        change_by_set(f->world, people[3], tracking[t]);
        change_by_set(f->world, people[15], tracking[t]);
        give_again(f->world, people[301], tracking[t]);
        shuffle(f->world);
        const ilk_entity expected[] = {people[3], people[15], people[301]};
        sees_all(f->world, changed, expected, 3);
        sees(f->world, added, people[301]);
        close_world(&opened);
    }
}

// A whole run was written to, which may be noted once for all of it; somebody who was not among
// them then moves in.
static void who_moves_in_was_not_changed(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    ilk_query* changed = QUERY(f->world, .changed = {&Mood_type});
    ilk_query* writing = QUERY(f->world, .write = {&Mood_type});
    pass(f->world, changed);
    for (ilk_iter it = ilk_query_iter(f->world, writing); ilk_next(&it);) {
        if (ilk_same(it.entities[0], people[SECOND])) ILK_WRITE(&it, Mood);
    }
    assert_ok(ilk_destroy(f->world, people[SECOND]));
    assert_ok(ilk_destroy_many(f->world, people + THIRD, PEOPLE - THIRD - 1));
    assert_true(ilk_settle(f->world, 0).moved > 0);
    sees_all(f->world, changed, people + SECOND + 1, 15);
}

static void settling_loses_no_marks_of_blocks(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Health_type);
    ilk_query* changed = QUERY(f->world, .changed = {&Health_type});
    pass(f->world, changed);
    change_by_set(f->world, people[3], &Health_type);
    change_by_set(f->world, people[15], &Health_type);
    shuffle(f->world);
    sight s = pass(f->world, changed);
    assert_int_equal(s.times[people[3].index], 1);
    assert_int_equal(s.times[people[15].index], 1);
    sees_nothing(f->world, changed);
}

// A value that follows another: made when that is there, renewed when it changed, taken when it
// went.
typedef struct followers {
    ilk_query *fresh, *renewed, *left;
} followers;

static void assert_followers(fixture* f, followers q, uint32_t fresh, uint32_t renewed,
                             uint32_t left) {
    assert_int_equal(pass(f->world, q.fresh).count, fresh);
    assert_int_equal(pass(f->world, q.renewed).count, renewed);
    assert_int_equal(pass(f->world, q.left).count, left);
}

// R004.17
static void added_changed_and_removed_are_three_queries(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    followers q = {
        QUERY(f->world, .read = {&Mood_type}, .without = {&Position_type}),
        QUERY(f->world, .write = {&Position_type}, .read = {&Mood_type}, .changed = {&Mood_type}),
        QUERY(f->world, .read = {&Position_type}, .without = {&Mood_type})};
    for (int i = 0; i < 3; i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Mood));
    assert_followers(f, q, 3, 0, 0);
    assert_ok(ilk_add_many(f->world, e, 3, &Position_type, NULL));
    assert_followers(f, q, 0, 0, 0);
    change_by_set(f->world, e[1], &Mood_type);
    assert_followers(f, q, 0, 1, 0);
    assert_followers(f, q, 0, 0, 0);
    assert_ok(ilk_remove(f->world, e[2], &Mood_type));
    assert_followers(f, q, 0, 0, 1);
    assert_ok(ilk_remove(f->world, e[2], &Position_type));
    assert_followers(f, q, 0, 0, 0);
}

// Four queries stand for four systems that run in turn; one of them, or nobody, makes a change.
// C19
static void each_query_sees_a_change_exactly_once(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    ilk_query* turns[4];
    for (int i = 0; i < 4; i++)
        turns[i] = QUERY(f->world, .write = {&Mood_type}, .changed = {&Mood_type});
    for (int i = 0; i < 4; i++) pass(f->world, turns[i]);
    for (uint32_t maker = 0; maker <= 4; maker++) {
        ilk_entity e = people[maker * 60];
        uint32_t seen[4] = {0};
        for (uint32_t turn = 0; turn < 12; turn++) {
            ilk_iter it = ilk_query_iter(f->world, turns[turn % 4]);
            bool is_making = turn == maker && maker < 4;
            if (is_making) change_by_set(f->world, e, &Mood_type);
            while (ilk_next(&it)) seen[turn % 4] += is_making ? 0 : it.count;
            if (turn == 0 && maker == 4) change_by_set(f->world, e, &Mood_type);
        }
        for (uint32_t i = 0; i < 4; i++) assert_int_equal(seen[i], i != maker);
    }
}

// R004.12
static void where_nothing_changed_nothing_is_done(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    assert_ok(ilk_add_many(f->world, people, PEOPLE, &Health_type, NULL));
    ilk_query* queries[] = {QUERY(f->world, .read = {&Mood_type}, .changed = {&Mood_type}),
                            QUERY(f->world, .read = {&Mood_type}, .changed = {&Health_type}),
                            QUERY(f->world, .added = {&Mood_type, &Health_type})};
    for (uint32_t q = 0; q < COUNT_OF(queries); q++) {
        pass(f->world, queries[q]);
        ilk_query_stats before = ilk_query_stats_of(queries[q]);
        uint64_t calls = f->memory.calls;
        for (int i = 0; i < 10; i++) sees_nothing(f->world, queries[q]);
        ilk_query_stats after = ilk_query_stats_of(queries[q]);
        assert_int_equal(after.words, before.words);
        assert_int_equal(after.rows, before.rows);
        assert_int_equal(after.chunks - before.chunks, after.skipped - before.skipped);
        assert_int_equal(f->memory.calls, calls);
    }
}

// R004.12
static void only_the_chunk_that_changed_is_looked_into(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    ilk_query* query = QUERY(f->world, .read = {&Mood_type}, .changed = {&Mood_type});
    pass(f->world, query);
    change_by_set(f->world, people[THIRD + 30], &Mood_type);
    ilk_query_stats before = ilk_query_stats_of(query);
    sees(f->world, query, people[THIRD + 30]);
    ilk_query_stats after = ilk_query_stats_of(query);
    assert_int_equal(after.skipped - before.skipped, 3);
    assert_int_equal(after.words - before.words, 1);
    assert_int_equal(after.rows - before.rows, 1);
}

// What a change noted is there for a query that is made later, too.
static void a_query_made_later_sees_what_was_before(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    uint64_t tick = ilk_tick(f->world);
    change_by_set(f->world, people[100], &Mood_type);
    ilk_query* late = QUERY(f->world, .changed = {&Mood_type});
    ilk_query_since(late, tick);
    sees(f->world, late, people[100]);
}

// A world in which everything changes at random, with a note of what happened since the last pass.
typedef struct diary {
    ilk_world* world;
    uint64_t seed;
    ilk_entity e[MOST]; // by index
    uint32_t indices;
    bool is_changed[MOST], is_added[MOST];
} diary;

static diary the_diary;

static uint32_t chance(diary* d, uint32_t of) {
    return next_random(&d->seed) % of;
}

static void note(diary* d, ilk_entity e, bool is_added) {
    assert_true(!ilk_is_null(e) && e.index < MOST);
    d->e[e.index] = e;
    if (e.index >= d->indices) d->indices = e.index + 1;
    d->is_changed[e.index] = true;
    d->is_added[e.index] = d->is_added[e.index] || is_added;
}

static void forget(diary* d, ilk_entity e) {
    d->is_changed[e.index] = d->is_added[e.index] = false;
}

// Gives or takes the two types together; the first one tracks.
static void give_or_take(diary* d, ilk_entity e, bool has) {
    ilk_type* const both[] = {&Mood_type, &Health_type};
    for (int t = 0; t < 2; t++) {
        assert_ok(has ? ilk_remove(d->world, e, both[t])
                      : ilk_set(d->world, e, (ilk_value){both[t], NULL}));
    }
    if (has) {
        forget(d, e);
    } else {
        note(d, e, true);
    }
}

static void change_both(diary* d, ilk_entity e) {
    change_fn* change = changes[chance(d, COUNT_OF(changes))];
    if (!ilk_enabled(d->world, e, &Mood_type)) change = change_by_write;
    change(d->world, e, &Mood_type);
    change(d->world, e, &Health_type);
    note(d, e, false);
}

static void flip_both(diary* d, ilk_entity e) {
    bool is_on = ilk_enabled(d->world, e, &Mood_type);
    assert_ok(is_on ? ilk_disable(d->world, e, &Mood_type) : ilk_enable(d->world, e, &Mood_type));
    assert_ok(is_on ? ilk_disable(d->world, e, &Health_type)
                    : ilk_enable(d->world, e, &Health_type));
    note(d, e, false);
}

static void spawn_noted(diary* d) {
    const ilk_value values[] = {ILK_WITH(Mood),
                                ILK_WITH(Health),
                                {chance(d, 2) ? &Position_type : NULL, NULL},
                                {chance(d, 3) ? NULL : &Cargo_type, NULL}};
    note(d, ilk_spawn(d->world, values, COUNT_OF(values)), true);
}

static void happen(diary* d) {
    ilk_entity e = d->e[chance(d, d->indices)];
    if (!ilk_alive(d->world, e)) {
        spawn_noted(d);
        return;
    }
    bool has = ilk_has(d->world, e, &Mood_type);
    switch (chance(d, 8)) {
    case 0:
        give_or_take(d, e, has);
        break;
    case 1:
        if (has) flip_both(d, e);
        break;
    case 2:
        forget(d, e);
        assert_ok(ilk_destroy(d->world, e));
        break;
    case 3:
        if (has) note(d, ilk_copy(d->world, e), true);
        break;
    case 4:
        ilk_set(d->world, e, (ilk_value){&Position_type, NULL});
        break;
    default:
        if (has) change_both(d, e);
    }
}

// Exactly what happened, or at least that.
static void check_diary(diary* d, ilk_query* query, const bool* happened, bool is_exact) {
    static sight s;
    s = pass(d->world, query);
    for (uint32_t i = 0; i < d->indices; i++) {
        bool is_there = ilk_enabled(d->world, d->e[i], &Mood_type);
        bool is_expected = is_there && happened[i];
        if (is_expected || is_exact) assert_int_equal(s.times[i], is_expected);
        assert_true(s.times[i] <= is_there);
    }
}

static void whatever_happens_is_seen(void** state) {
    (void)state;
    diary* d = &the_diary;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        void* opened = NULL;
        open_world(&opened);
        fixture* f = opened;
        memset(d, 0, sizeof(*d));
        d->world = f->world;
        d->seed = seed;
        ilk_query* queries[] = {
            QUERY(f->world, .changed = {&Mood_type}), QUERY(f->world, .added = {&Mood_type}),
            QUERY(f->world, .changed = {&Health_type}), QUERY(f->world, .added = {&Health_type})};
        for (int i = 0; i < 500; i++) spawn_noted(d);
        for (uint32_t round = 0; round < 60; round++) {
            for (uint32_t i = chance(d, 40); i > 0; i--) happen(d);
            if (chance(d, 4) == 0) ilk_settle(f->world, chance(d, 2) ? 0 : 8);
            for (uint32_t q = 0; q < 4; q++) {
                check_diary(d, queries[q], q % 2 ? d->is_added : d->is_changed, q < 2);
            }
            memset(d->is_changed, 0, sizeof(d->is_changed));
            memset(d->is_added, 0, sizeof(d->is_added));
        }
        close_world(&opened);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_left_early_is_no_whole_pass),
        WORLD_TEST(changes_made_in_a_loop_left_early_are_seen),
        WORLD_TEST(every_form_of_a_whole_pass_counts),
        WORLD_TEST(a_pass_in_parts_counts),
        WORLD_TEST(questions_are_no_passes),
        WORLD_TEST(ticks_go_up),
        WORLD_TEST(a_pass_can_begin_anywhere),
        WORLD_TEST(a_change_right_after_a_pass_is_seen),
        cmocka_unit_test(settling_marks_nothing),
        cmocka_unit_test(settling_loses_no_marks),
        WORLD_TEST(who_moves_in_was_not_changed),
        WORLD_TEST(settling_loses_no_marks_of_blocks),
        WORLD_TEST(added_changed_and_removed_are_three_queries),
        WORLD_TEST(each_query_sees_a_change_exactly_once),
        WORLD_TEST(where_nothing_changed_nothing_is_done),
        WORLD_TEST(only_the_chunk_that_changed_is_looked_into),
        WORLD_TEST(a_query_made_later_sees_what_was_before),
        cmocka_unit_test(whatever_happens_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
