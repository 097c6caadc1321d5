// Change: what a query with .changed or .added sees, and when; by row where a type tracks, by block
// where it does not.
#include "support.h"

// Types that track: a plain one, one large enough to be kept in slots, one with hooks and a tag.
typedef struct Mood {
    int32_t value;
} Mood;
ILK_COMPONENT_WITH(Mood, .track = true);

typedef struct Cargo {
    int32_t number;
    char bytes[124];
} Cargo;
ILK_COMPONENT_WITH(Cargo, .track = true);

typedef struct Name {
    char* text;
} Name;

static void name_init(void* value, void* context) {
    (void)context;
    ((Name*)value)->text = text_copy("nobody");
}

static void name_copy(void* to, const void* from, void* context) {
    (void)context;
    ((Name*)to)->text = text_copy(((const Name*)from)->text);
}

static void name_drop(void* value, void* context) {
    (void)context;
    free(((Name*)value)->text);
}
ILK_COMPONENT_WITH(Name, .hooks = {name_init, name_copy, name_drop, NULL}, .track = true);

static ilk_type Marked_type = {.name = "Marked", .size = 0, .align = 1, .track = true};

static ilk_type* const tracking[] = {&Mood_type, &Cargo_type, &Name_type, &Marked_type};

static ilk_query* query_of(ilk_world* world, ilk_query_desc desc) {
    ilk_query* query = ilk_query_create(world, &desc);
    assert_non_null(query);
    return query;
}
#define QUERY(world, ...) query_of((world), (ilk_query_desc){__VA_ARGS__})

enum {
    SECOND = 4, // the first rows of the second, third and fourth chunk
    THIRD = 4 + 16,
    FOURTH = 4 + 16 + 64,
    PEOPLE = FOURTH + 256,
    MOST = 4096
};

static ilk_entity people[PEOPLE];

// Entities side by side in four chunks, all born with a type.
static void spawn_people(ilk_world* world, ilk_type* type) {
    for (uint32_t i = 0; i < PEOPLE; i++) people[i] = ilk_spawn(world, &(ilk_value){type, NULL}, 1);
}

// How often a whole pass saw each entity, by index.
typedef struct sight {
    uint32_t count;
    uint32_t times[MOST];
} sight;

static sight pass(ilk_world* world, ilk_query* query) {
    sight s = {0};
    ilk_iter it = ilk_query_iter(world, query);
    while (ilk_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++, s.count++) s.times[it.entities[i].index]++;
    }
    assert_int_equal(it.result, ILK_OK);
    return s;
}

// A pass sees exactly these entities.
static void sees_at(ilk_world* world, ilk_query* query, const ilk_entity* e, uint32_t count,
                    const char* file, int line) {
    sight s = pass(world, query);
    _assert_int_equal(s.count, count, file, line);
    for (uint32_t i = 0; i < count; i++) _assert_int_equal(s.times[e[i].index], 1, file, line);
}
#define sees_all(world, query, e, count) sees_at((world), (query), (e), (count), __FILE__, __LINE__)
#define sees(world, query, e) sees_at((world), (query), &(e), 1, __FILE__, __LINE__)
#define sees_nothing(world, query) sees_at((world), (query), NULL, 0, __FILE__, __LINE__)

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

// Ways to change a value that is there.
typedef void change_fn(ilk_world* world, ilk_entity e, ilk_type* type);

static void change_by_set(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_set(world, e, (ilk_value){type, NULL}));
}

static void change_by_replace(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_replace(world, e, (ilk_value){type, NULL}));
}

static void change_by_write(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_non_null(ilk_edit(world, e, type));
}

static void change_by_ensure(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_non_null(ilk_ensure(world, e, type));
}

static void change_by_mark(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_mark(world, e, type));
}

static void change_by_toggle(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_disable(world, e, type));
    assert_ok(ilk_enable(world, e, type));
}

static change_fn* const changes[] = {change_by_set,    change_by_replace, change_by_write,
                                     change_by_ensure, change_by_mark,    change_by_toggle};

// Ways to be given it anew.
static void give_again(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_remove(world, e, type));
    assert_ok(ilk_add(world, e, (ilk_value){type, NULL}));
}

static void give_again_by_set(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_remove_all(world, e));
    assert_ok(ilk_set(world, e, (ilk_value){type, NULL}));
}

static void give_again_by_ensure(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_remove_many(world, &e, 1, type));
    assert_non_null(ilk_ensure(world, e, type));
}

static void give_again_to_many(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_remove(world, e, type));
    assert_ok(ilk_add_many(world, &e, 1, type, NULL));
}

static change_fn* const gifts[] = {give_again, give_again_by_set, give_again_by_ensure,
                                   give_again_to_many};

// Entities of which each has the value in another way; few among many, so that a large guest has
// slots.
static void put_some(fixture* f, place where, ilk_type* type, ilk_entity* e, uint32_t count) {
    for (int i = 0; i < PEOPLE; i++) people[i] = ILK_SPAWN(f->world, ILK_WITH(Anchor));
    for (uint32_t i = 0; i < count; i++) {
        e[i] = where == BORN_WITH ? ilk_spawn(f->world, &(ilk_value){type, NULL}, 1)
                                  : people[FOURTH + 7 * i];
        if (where != BORN_WITH) assert_ok(ilk_add(f->world, e[i], (ilk_value){type, NULL}));
    }
    if (where == SETTLED) settle_fully(f->world);
}

static void check_exact(fixture* f, place where) {
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

// A run that is all of a chunk is marked at once, also where the block was changed in this tick before.
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

// A whole run was written to, which may be noted once for all of it; somebody who was not among them
// then moves in.
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

// A value that follows another: made when that is there, renewed when it changed, taken when it went.
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
        cmocka_unit_test(a_loop_left_early_is_no_whole_pass),
        WORLD_TEST(changes_made_in_a_loop_left_early_are_seen),
        WORLD_TEST(every_form_of_a_whole_pass_counts),
        WORLD_TEST(a_pass_in_parts_counts),
        WORLD_TEST(questions_are_no_passes),
        WORLD_TEST(ticks_go_up),
        WORLD_TEST(a_pass_can_begin_anywhere),
        WORLD_TEST(a_change_right_after_a_pass_is_seen),
        WORLD_TEST(marking_says_what_is_wrong),
        WORLD_TEST(what_is_off_is_not_seen),
        WORLD_TEST(what_is_removed_is_not_seen),
        WORLD_TEST(whoever_is_new_is_added),
        WORLD_TEST(who_fills_a_hole_inherits_no_marks),
        WORLD_TEST(one_of_several_is_enough),
        WORLD_TEST(what_changed_must_match_as_well),
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
