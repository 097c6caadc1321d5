// Change: what a query with .changed or .added sees, by row where a type tracks, by block where it
// does not.
#include "change_support.h"

static void the_first_pass_sees_everything_and_the_next_nothing(void** state) {
    fixture* f = *state;
    ilk_type* const types[] = {&Mood_type, &Health_type};
    for (uint32_t t = 0; t < 2; t++) {
        spawn_people(f->world, types[t]);
        ilk_query* changed = QUERY(f->world, .changed = {types[t]});
        ilk_query* added = QUERY(f->world, .added = {types[t]});
        for (int i = 0; i < 2; i++) assert_int_equal(ilk_query_count(f->world, changed), PEOPLE);
        sees_all(f->world, changed, people, PEOPLE);
        sees_all(f->world, added, people, PEOPLE);
        for (int i = 0; i < 2; i++) sees_nothing(f->world, changed);
        for (int i = 0; i < 2; i++) sees_nothing(f->world, added);
    }
}

static void check_exact(fixture* f, origin where) {
    ilk_entity e[30];
    for (uint32_t t = 0; t < COUNT_OF(tracking); t++) {
        put_some(f, where, tracking[t], e, COUNT_OF(e));
        ilk_query* changed = QUERY(f->world, .changed = {tracking[t]});
        ilk_query* added = QUERY(f->world, .added = {tracking[t]});
        sees_all(f->world, changed, e, COUNT_OF(e));
        sees_all(f->world, added, e, COUNT_OF(e));
        for (uint32_t i = 0; i < COUNT_OF(changes); i++) {
            changes[i](f->world, e[5 + i], tracking[t]);
            sees(f->world, changed, e[5 + i]);
            sees_nothing(f->world, added);
        }
        for (uint32_t i = 0; i < COUNT_OF(gifts); i++) {
            gifts[i](f->world, e[20 + i], tracking[t]);
            sees(f->world, changed, e[20 + i]);
            sees(f->world, added, e[20 + i]);
        }
    }
}

// R004.8
static void a_type_that_tracks_is_seen_by_row(void** state) {
    (void)state;
    at_each_place(check_exact);
}

// The chunk that a number in the crowd falls into: its first and the one after its last.
static void bounds_of(uint32_t at, uint32_t* first, uint32_t* end) {
    const uint32_t bounds[] = {0, SECOND, THIRD, FOURTH, PEOPLE};
    uint32_t i = 0;
    while (at >= bounds[i + 1]) i++;
    *first = bounds[i];
    *end = bounds[i + 1];
}

static void sees_chunk_of(fixture* f, ilk_query* query, uint32_t at) {
    uint32_t first, end;
    bounds_of(at, &first, &end);
    sees_all(f->world, query, people + first, end - first);
}

static void other_types_are_seen_by_block(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Health_type);
    ilk_query* changed = QUERY(f->world, .changed = {&Health_type});
    sees_all(f->world, changed, people, PEOPLE);
    const uint32_t targets[] = {2, SECOND, THIRD + 30, PEOPLE - 1};
    for (uint32_t t = 0; t < COUNT_OF(targets); t++) {
        for (uint32_t i = 0; i < COUNT_OF(changes); i++) {
            changes[i](f->world, people[targets[t]], &Health_type);
            sees_chunk_of(f, changed, targets[t]);
            sees_nothing(f->world, changed);
        }
    }
}

// Of a type that does not track, those that were added are seen; others of the block may be.
static void other_types_are_added_by_block(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Position_type);
    assert_ok(ilk_add_many(f->world, people, PEOPLE, &Health_type, NULL));
    ilk_query* added = QUERY(f->world, .added = {&Health_type});
    sees_all(f->world, added, people, PEOPLE);
    for (uint32_t i = 0; i < COUNT_OF(gifts); i++) {
        if (gifts[i] == give_again_by_set) continue;
        gifts[i](f->world, people[THIRD + 7], &Health_type);
        sight s = pass(f->world, added);
        assert_int_equal(s.times[people[THIRD + 7].index], 1);
        for (uint32_t k = 0; k < PEOPLE; k++) {
            if (k < THIRD || k >= FOURTH) assert_int_equal(s.times[people[k].index], 0);
        }
    }
}

static void a_change_of_another_type_is_not_seen(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    assert_ok(ilk_add_many(f->world, people, PEOPLE, &Health_type, NULL));
    assert_ok(ilk_add_many(f->world, people, PEOPLE, &Position_type, NULL));
    ilk_query* mood = QUERY(f->world, .read = {&Position_type}, .changed = {&Mood_type});
    ilk_query* health = QUERY(f->world, .read = {&Position_type}, .changed = {&Health_type});
    pass(f->world, mood);
    pass(f->world, health);
    for (uint32_t i = 0; i < PEOPLE; i++) change_by_set(f->world, people[i], &Position_type);
    assert_ok(ilk_add(f->world, people[5], ILK_WITH(Frozen)));
    sees_nothing(f->world, mood);
    sees_nothing(f->world, health);
}

static void read_everything(fixture* f, ilk_type* type) {
    ilk_query* reading = QUERY(f->world, .read = {type});
    ilk_query* maybe = QUERY(f->world, .maybe = {type});
    ilk_query* writing = QUERY(f->world, .write = {type});
    for (ilk_iter it = ilk_query_iter(f->world, reading); ilk_next(&it);)
        ilk_column_read(&it, type);
    for (ilk_iter it = ilk_query_iter(f->world, maybe); ilk_next_rows(&it);) {
        ilk_column_maybe(&it, type);
    }
    for (ilk_iter it = ilk_query_iter(f->world, writing); ilk_next(&it);)
        ilk_column_read(&it, type);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        assert_true(ilk_has(f->world, people[i], type));
        assert_non_null(ilk_get(f->world, people[i], type, NULL));
        assert_true(ilk_enabled(f->world, people[i], type));
        assert_int_equal(ilk_add(f->world, people[i], (ilk_value){type, NULL}), ILK_EXISTS);
    }
    f->told.count = 0;
    ilk_stats(f->world);
    ilk_trim(f->world);
}

static void reading_marks_nothing(void** state) {
    fixture* f = *state;
    ilk_type* const types[] = {&Mood_type, &Health_type};
    for (uint32_t t = 0; t < 2; t++) {
        spawn_people(f->world, types[t]);
        ilk_query* changed = QUERY(f->world, .changed = {types[t]});
        ilk_query* added = QUERY(f->world, .added = {types[t]});
        pass(f->world, changed);
        pass(f->world, added);
        read_everything(f, types[t]);
        sees_nothing(f->world, changed);
        sees_nothing(f->world, added);
    }
}

static void a_column_for_writing_marks_its_rows(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    ilk_entity enemies[PEOPLE];
    uint32_t count = 0;
    for (uint32_t i = 0; i < PEOPLE; i += 3) enemies[count++] = people[i];
    assert_ok(ilk_add_many(f->world, enemies, count, &Enemy_type, NULL));
    ilk_query* changed = QUERY(f->world, .changed = {&Mood_type});
    ilk_query* writing = QUERY(f->world, .write = {&Mood_type}, .with = {&Enemy_type});
    pass(f->world, changed);
    for (ilk_iter it = ilk_query_iter(f->world, writing); ilk_next(&it);) ILK_WRITE(&it, Mood);
    sees_all(f->world, changed, enemies, count);
    for (ilk_iter it = ilk_query_iter(f->world, writing); ilk_next_rows(&it);) ILK_WRITE(&it, Mood);
    sees_all(f->world, changed, enemies, count);
    sees_nothing(f->world, changed);
}

static void each_column_is_marked_for_itself(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    assert_ok(ilk_add_many(f->world, people, PEOPLE, &Health_type, NULL));
    assert_ok(ilk_add_many(f->world, people, PEOPLE, &Cargo_type, NULL));
    ilk_type* const types[] = {&Mood_type, &Health_type, &Cargo_type};
    ilk_query *writing = QUERY(f->world, .write = {types[0], types[1], types[2]}), *changed[3];
    for (uint32_t t = 0; t < 3; t++) changed[t] = QUERY(f->world, .changed = {types[t]});
    for (uint32_t asked = 0; asked < 8; asked++) {
        for (uint32_t t = 0; t < 3; t++) pass(f->world, changed[t]);
        for (ilk_iter it = ilk_query_iter(f->world, writing); ilk_next(&it);) {
            for (uint32_t t = 0; t < 3; t++) {
                if (asked >> t & 1) assert_non_null(ilk_column_write(&it, types[t]));
            }
        }
        for (uint32_t t = 0; t < 3; t++) {
            sees_all(f->world, changed[t], people, asked >> t & 1 ? PEOPLE : 0);
        }
    }
}

// Somebody looks between two times that the column of one run is asked for.
static void a_column_asked_for_again_is_marked_again(void** state) {
    fixture* f = *state;
    ilk_type* const types[] = {&Mood_type, &Health_type};
    for (uint32_t t = 0; t < 2; t++) {
        spawn_people(f->world, types[t]);
        ilk_query* changed = QUERY(f->world, .changed = {types[t]});
        ilk_iter it = ilk_query_iter(f->world, QUERY(f->world, .write = {types[t]}));
        assert_true(ilk_next(&it));
        pass(f->world, changed);
        for (int i = 0; i < 3; i++) {
            ilk_column_write(&it, types[t]);
            sees_all(f->world, changed, people, SECOND);
            sees_nothing(f->world, changed);
        }
        ilk_iter_end(&it);
    }
}

static void write_one(void* user, ilk_entity e, void* const* values) {
    (void)user;
    (void)e;
    ((Mood*)values[0])->value++;
}

static void a_function_for_each_marks_what_it_may_write(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    ilk_query* changed = QUERY(f->world, .changed = {&Mood_type});
    ilk_query* all = QUERY(f->world, .write = {&Mood_type});
    pass(f->world, changed);
    assert_ok(ilk_each(f->world, all, write_one, NULL));
    sees_all(f->world, changed, people, PEOPLE);
}

// Each way to write in a pass over what changed.
static void write_columns(ilk_iter* it, ilk_type* type) {
    ilk_column_write(it, type);
}

static void write_by_verbs(ilk_iter* it, ilk_type* type) {
    for (uint32_t i = 0; i < it->count; i++) change_by_set(it->world, it->entities[i], type);
}

static void write_behind(ilk_iter* it, ilk_type* type) {
    change_by_write(it->world, people[0], type);
    give_again(it->world, people[1], type);
}

static void check_own_changes(fixture* f, ilk_type* type, void (*write)(ilk_iter*, ilk_type*)) {
    spawn_people(f->world, type);
    ilk_query* query = QUERY(f->world, .write = {type}, .changed = {type});
    ilk_query* other = QUERY(f->world, .changed = {type});
    for (int round = 0; round < 3; round++) {
        pass(f->world, other);
        uint32_t rows = 0;
        change_by_set(f->world, people[THIRD + 1], type);
        for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
            rows += it.count;
            write(&it, type);
        }
        assert_true(rows > 0);
        sees_nothing(f->world, query);
        assert_true(pass(f->world, other).times[people[THIRD + 1].index]);
    }
    ilk_clear(f->world);
}

// C19
static void own_changes_are_not_seen_again(void** state) {
    fixture* f = *state;
    ilk_type* const types[] = {&Mood_type, &Health_type};
    for (uint32_t t = 0; t < 2; t++) {
        check_own_changes(f, types[t], write_columns);
        check_own_changes(f, types[t], write_by_verbs);
        check_own_changes(f, types[t], write_behind);
    }
}

// Visits what changed, and at the first visit changes one behind and three ahead: in another chunk,
// in this one, and next but one.
static void check_ahead(fixture* f, ilk_type* type, change_fn* change) {
    spawn_people(f->world, type);
    const ilk_entity ahead[] = {people[SECOND + 2], people[SECOND + 9], people[FOURTH + 100]};
    ilk_query* changed = QUERY(f->world, .changed = {type});
    pass(f->world, changed);
    change(f->world, people[SECOND], type);
    sight s = {0};
    for (ilk_iter it = ilk_query_iter(f->world, changed); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++, s.count++) s.times[it.entities[i].index]++;
        if (s.count != 1) continue;
        change(f->world, people[1], type);
        for (uint32_t i = 0; i < 3; i++) change(f->world, ahead[i], type);
    }
    assert_int_equal(s.count, 4);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(s.times[ahead[i].index], 1);
    sees_nothing(f->world, changed);
    ilk_clear(f->world);
}

// A run that is all of a chunk is marked at once, also where the block was changed in this tick
// before.
static void a_chunk_written_ahead_is_seen_in_the_same_pass(void** state) {
    fixture* f = *state;
    ilk_entity e[84]; // chunks of 4, 16 and 64 rows
    for (uint32_t i = 0; i < 84; i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Mood));
    ilk_query* changed = QUERY(f->world, .changed = {&Mood_type});
    ilk_query* writer = QUERY(f->world, .write = {&Mood_type});
    pass(f->world, changed);
    const uint32_t firsts[] = {0, 4, 20};
    for (uint32_t i = 0; i < 3; i++) assert_non_null(ilk_edit(f->world, e[firsts[i]], &Mood_type));
    uint32_t seen = 0;
    for (ilk_iter it = ilk_query_iter(f->world, changed); ilk_next(&it);) {
        seen += it.count;
        if (!ilk_same(it.entities[0], e[20])) continue;
        for (ilk_iter all = ilk_query_iter(f->world, writer); ilk_next(&all);) {
            assert_non_null(ILK_WRITE(&all, Mood));
        }
    }
    assert_int_equal(seen, 3 + 63);
}

// C19: the rest of the pass sees it.
static void what_changes_ahead_is_seen_in_the_same_pass(void** state) {
    fixture* f = *state;
    for (uint32_t i = 0; i < COUNT_OF(changes); i++) check_ahead(f, &Mood_type, changes[i]);
    for (uint32_t i = 0; i < COUNT_OF(gifts); i++) check_ahead(f, &Mood_type, gifts[i]);
}

static void marking_says_what_is_wrong(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Mood));
    assert_ok(ilk_mark(f->world, e, &Mood_type));
    assert_quiet(f);
    assert_int_equal(ilk_mark(f->world, e, &Health_type), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_mark");
    assert_int_equal(ilk_mark(f->world, e, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_mark");
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(ilk_mark(f->world, e, &Mood_type), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_mark");
    assert_int_equal(ilk_mark(f->world, ilk_create(f->world), &Mood_type), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_mark");
    assert_int_equal(ilk_mark(NULL, e, &Mood_type), ILK_INVALID);
}

// A value that is switched off is not there; what happened to it is seen once it is on again.
static void what_is_off_is_not_seen(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    ilk_query* changed = QUERY(f->world, .changed = {&Mood_type});
    pass(f->world, changed);
    assert_ok(ilk_disable(f->world, people[8], &Mood_type));
    change_by_set(f->world, people[9], &Mood_type);
    change_by_write(f->world, people[8], &Mood_type);
    sees(f->world, changed, people[9]);
    assert_ok(ilk_enable(f->world, people[8], &Mood_type));
    sees(f->world, changed, people[8]);
}

static void what_is_removed_is_not_seen(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    ilk_query* changed = QUERY(f->world, .changed = {&Mood_type});
    pass(f->world, changed);
    change_by_set(f->world, people[7], &Mood_type);
    change_by_set(f->world, people[8], &Mood_type);
    change_by_set(f->world, people[9], &Mood_type);
    assert_ok(ilk_remove(f->world, people[7], &Mood_type));
    assert_ok(ilk_destroy(f->world, people[8]));
    sees(f->world, changed, people[9]);
}

// R004.8
static void whoever_is_new_is_added(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    ilk_query* added = QUERY(f->world, .added = {&Mood_type});
    pass(f->world, added);
    ilk_entity e = ilk_copy(f->world, people[20]);
    sees(f->world, added, e);
    assert_ok(ilk_destroy(f->world, people[30]));
    e = ILK_SPAWN(f->world, ILK_WITH(Mood));
    sees(f->world, added, e);
    e = ilk_create(f->world);
    sees_nothing(f->world, added);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Mood)));
    sees(f->world, added, e);
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 100, ILK_TYPES(&Mood_type, &Position_type)));
    assert_int_equal(pass(f->world, added).count, 100);
    e = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Mood)));
    sees(f->world, added, e);
    sees_nothing(f->world, added);
}

// A hole keeps nothing of the one who left it.
static void who_fills_a_hole_inherits_no_marks(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Position_type);
    assert_ok(ilk_add_many(f->world, people, PEOPLE, &Mood_type, NULL));
    ilk_query* changed = QUERY(f->world, .changed = {&Mood_type});
    pass(f->world, changed);
    change_by_set(f->world, people[40], &Mood_type);
    assert_ok(ilk_destroy(f->world, people[40]));
    ILK_SPAWN(f->world, ILK_WITH(Position));
    sees_nothing(f->world, changed);
}

// R004.8
static void one_of_several_is_enough(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    assert_ok(ilk_add_many(f->world, people, 50, &Cargo_type, NULL));
    ilk_query* any = QUERY(f->world, .changed = {&Mood_type, &Cargo_type});
    ilk_query* both = QUERY(f->world, .changed = {&Mood_type}, .added = {&Cargo_type});
    pass(f->world, any);
    pass(f->world, both);
    change_by_set(f->world, people[70], &Mood_type);
    change_by_set(f->world, people[20], &Cargo_type);
    give_again(f->world, people[30], &Cargo_type);
    const ilk_entity expected[] = {people[70], people[20], people[30]};
    sees_all(f->world, any, expected, 3);
    sees_nothing(f->world, both);
    give_again(f->world, people[30], &Cargo_type);
    change_by_set(f->world, people[30], &Mood_type);
    change_by_set(f->world, people[31], &Mood_type);
    sees(f->world, both, people[30]);
}

// The other terms hold too.
static void what_changed_must_match_as_well(void** state) {
    fixture* f = *state;
    spawn_people(f->world, &Mood_type);
    assert_ok(ilk_add_many(f->world, people + 10, 10, &Enemy_type, NULL));
    ilk_query* query =
        QUERY(f->world, .read = {&Mood_type}, .without = {&Enemy_type}, .changed = {&Mood_type});
    pass(f->world, query);
    change_by_set(f->world, people[9], &Mood_type);
    change_by_set(f->world, people[10], &Mood_type);
    sees(f->world, query, people[9]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(the_first_pass_sees_everything_and_the_next_nothing),
        cmocka_unit_test(a_type_that_tracks_is_seen_by_row),
        WORLD_TEST(other_types_are_seen_by_block),
        WORLD_TEST(other_types_are_added_by_block),
        WORLD_TEST(a_change_of_another_type_is_not_seen),
        WORLD_TEST(reading_marks_nothing),
        WORLD_TEST(a_column_for_writing_marks_its_rows),
        WORLD_TEST(each_column_is_marked_for_itself),
        WORLD_TEST(a_column_asked_for_again_is_marked_again),
        WORLD_TEST(a_function_for_each_marks_what_it_may_write),
        WORLD_TEST(own_changes_are_not_seen_again),
        WORLD_TEST(what_changes_ahead_is_seen_in_the_same_pass),
        WORLD_TEST(a_chunk_written_ahead_is_seen_in_the_same_pass),
        WORLD_TEST(marking_says_what_is_wrong),
        WORLD_TEST(what_is_off_is_not_seen),
        WORLD_TEST(what_is_removed_is_not_seen),
        WORLD_TEST(whoever_is_new_is_added),
        WORLD_TEST(who_fills_a_hole_inherits_no_marks),
        WORLD_TEST(one_of_several_is_enough),
        WORLD_TEST(what_changed_must_match_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
