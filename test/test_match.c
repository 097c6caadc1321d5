// Matching where there are more terms than a word has bits: the last bit stands for the rest.
#include "query_support.h"

enum {
    KINDS = 80,
    PEOPLE = 4 + 16 + 64 + 256 // all rows of four chunks
};

static ilk_type kinds[KINDS];
static ilk_entity people[PEOPLE];

// Tags, small values, and some that are kept in slots; each is asked for as one that may be there.
static void name_kinds(ilk_term* terms) {
    static char names[KINDS][12];
    for (uint32_t i = 0; i < KINDS; i++) {
        snprintf(names[i], sizeof(names[i]), "kind%u", (unsigned)i);
        kinds[i] = (ilk_type){.name = names[i], .size = i % 10 == 7 ? 128 : i % 3 * 4};
        terms[i] = (ilk_term){ILK_ACCESS_MAYBE, &kinds[i]};
    }
}

// Eight neighbours have the same types; one in sixteen has some of them switched off.
static void give_kinds(ilk_world* world, uint32_t at) {
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        if ((at / 8 + kind * 7) % 5 > 1) continue;
        assert_ok(ilk_add(world, people[at], (ilk_value){&kinds[kind], NULL}));
        if (at % 16 == 5 && kind % 3 == 0) assert_ok(ilk_disable(world, people[at], &kinds[kind]));
    }
}

static void populate(ilk_world* world) {
    spawn_positions(world, people, PEOPLE);
    for (uint32_t i = 0; i < PEOPLE; i++) give_kinds(world, i);
}

// Every row of the run has each kind where ilk_get finds it, or the run does not have it.
static void check_run(const ilk_iter* it, const uint32_t* rows) {
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        const char* column = ilk_column_maybe(it, &kinds[kind]);
        for (uint32_t i = 0; i < it->count; i++) {
            ilk_entity e = it->entities[rows[i]];
            assert_int_equal(column != NULL, ilk_enabled(it->world, e, &kinds[kind]));
            if (!column || !kinds[kind].size) continue;
            assert_ptr_equal(column + rows[i] * kinds[kind].size,
                             ilk_get(it->world, e, &kinds[kind], NULL));
        }
    }
}

// Walks in either form. Returns the number of runs.
static uint32_t check_walk(ilk_world* world, ilk_query* query, bool by_rows) {
    uint32_t rows[PEOPLE], runs = 0, count = 0;
    for (ilk_iter it = ilk_query_iter(world, query);
         by_rows ? ilk_next_rows(&it) : ilk_next(&it);) {
        assert_true(it.count <= PEOPLE);
        for (uint32_t i = 0; i < it.count; i++) rows[i] = by_rows ? it.rows[i] : i;
        check_run(&it, rows);
        count += it.count;
        runs++;
    }
    assert_int_equal(count, PEOPLE);
    return runs;
}

static void columns_beyond_64_may_be_optional(void** state) {
    fixture* f = *state;
    ilk_term terms[KINDS + 1] = {0};
    name_kinds(terms);
    populate(f->world);
    ilk_query* query = QUERY(f->world, .terms = terms, .with = {&Position_type});
    ilk_query* ordered = QUERY(f->world, .terms = terms, .order_by_index = true);
    assert_true(check_walk(f->world, query, false) < PEOPLE);
    assert_true(check_walk(f->world, query, true) < PEOPLE);
    assert_true(check_walk(f->world, ordered, false) < PEOPLE);
    assert_true(check_walk(f->world, ordered, true) < PEOPLE);
    assert_quiet(f);
}

// A world, and how often a function was called in it.
typedef struct calls {
    ilk_world* world;
    uint32_t count;
} calls;

static void check_values(void* user, ilk_entity e, void* const* values) {
    calls* c = user;
    c->count++;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        bool is_on = ilk_enabled(c->world, e, &kinds[kind]);
        assert_int_equal(values[kind] != NULL, is_on);
        if (!is_on || !kinds[kind].size) continue;
        assert_ptr_equal(values[kind], ilk_get(c->world, e, &kinds[kind], NULL));
    }
}

static void each_hands_over_values_beyond_64(void** state) {
    fixture* f = *state;
    ilk_term terms[KINDS + 1] = {0};
    name_kinds(terms);
    populate(f->world);
    calls c = {f->world, 0};
    assert_ok(ilk_each(f->world, QUERY(f->world, .terms = terms), check_values, &c));
    assert_int_equal(c.count, PEOPLE);
}

// Asks for every kind and one thing more.
static ilk_query* ask_for_more(ilk_world* world, ilk_term* terms, ilk_access access,
                               ilk_type* type) {
    terms[KINDS] = (ilk_term){access, type};
    return QUERY(world, .terms = terms);
}

static void what_changed_is_seen_beyond_64_terms(void** state) {
    fixture* f = *state;
    ilk_type mood = {.name = "tracked mood", .size = 4, .track = true};
    ilk_term terms[KINDS + 2] = {0};
    name_kinds(terms);
    populate(f->world);
    for (uint32_t i = 0; i < PEOPLE; i += 2) {
        assert_ok(ilk_add(f->world, people[i], (ilk_value){&mood, NULL}));
    }
    ilk_query* changed = ask_for_more(f->world, terms, ILK_ACCESS_CHANGED, &mood);
    ilk_query* added = ask_for_more(f->world, terms, ILK_ACCESS_ADDED, &mood);
    assert_int_equal(rows_walked(f->world, changed, ilk_next), PEOPLE / 2);
    assert_int_equal(rows_walked(f->world, added, ilk_next_rows), PEOPLE / 2);
    assert_ok(ilk_mark(f->world, people[100], &mood));
    assert_ok(ilk_add(f->world, people[101], (ilk_value){&mood, NULL}));
    assert_true(ilk_query_matches(f->world, changed, people[100]));
    assert_false(ilk_query_matches(f->world, added, people[100]));
    assert_entity(ilk_query_first(f->world, added), people[101]);
    assert_int_equal(rows_walked(f->world, changed, ilk_next_rows), 2);
    assert_int_equal(rows_walked(f->world, added, ilk_next), 1);
}

static void what_must_not_be_there_counts_beyond_64_terms(void** state) {
    fixture* f = *state;
    ilk_term terms[KINDS + 2] = {0};
    name_kinds(terms);
    populate(f->world);
    ilk_query* peaceful = ask_for_more(f->world, terms, ILK_ACCESS_WITHOUT, &Enemy_type);
    assert_result_count(f->world, peaceful, PEOPLE);
    assert_ok(ilk_add_many(f->world, people + 90, 100, &Enemy_type, NULL));
    assert_result_count(f->world, peaceful, PEOPLE - 100);
    assert_true(ilk_query_matches(f->world, peaceful, people[89]));
    assert_false(ilk_query_matches(f->world, peaceful, people[90]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(columns_beyond_64_may_be_optional),
        WORLD_TEST(each_hands_over_values_beyond_64),
        WORLD_TEST(what_changed_is_seen_beyond_64_terms),
        WORLD_TEST(what_must_not_be_there_counts_beyond_64_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
