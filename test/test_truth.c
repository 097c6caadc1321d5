// What queries match: every kind of term and every condition, over all that entities can have.
#include "query_support.h"

// Four types of different make, and what an entity can have of each.
enum {
    KINDS = 4,
    ABSENT = 0,
    ON,
    OFF,
    STATES,
    COMBINATIONS = STATES * STATES * STATES * STATES,
    PADDING = 4 + 16 + 64, // so that the next of the kind share a chunk of 256 rows
    SUBJECTS = PADDING + 2 * COMBINATIONS,
    ACCESSES = ILK_ACCESS_MAYBE + 1,
    QUESTIONS = ACCESSES * ACCESSES * ACCESSES * ACCESSES
};
static ilk_type* const kinds[KINDS] = {&Position_type, &Enemy_type, &Cargo_type, &Owned_type};

typedef struct subject {
    ilk_entity e;
    uint8_t state[KINDS];
    uint32_t seen;
} subject;

static subject subjects[SUBJECTS];
static uint32_t subject_at[2 * SUBJECTS]; // by index of the entity

static void give(ilk_world* world, subject* s, origin where) {
    ilk_value values[KINDS];
    uint32_t count = 0;
    for (uint32_t k = 0; k < KINDS; k++) {
        if (s->state[k] != ABSENT) values[count++] = (ilk_value){kinds[k], NULL};
    }
    if (where == BORN_WITH) {
        s->e = ilk_spawn(world, values, count);
    } else {
        s->e = ILK_SPAWN(world, ILK_WITH(Anchor));
        for (uint32_t i = 0; i < count; i++) assert_ok(ilk_add(world, s->e, values[i]));
    }
    for (uint32_t k = 0; k < KINDS; k++) {
        if (s->state[k] == OFF) assert_ok(ilk_disable(world, s->e, kinds[k]));
    }
}

static void spell_state(subject* s, uint32_t combination) {
    for (uint32_t k = 0; k < KINDS; k++) {
        s->state[k] = (uint8_t)(combination % STATES);
        combination /= STATES;
    }
}

// Entities with all combinations of the four types, each absent, on or off.
static void populate(ilk_world* world, origin where) {
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        subjects[i] = (subject){0};
        spell_state(&subjects[i], i < PADDING ? 0 : (i - PADDING) % COMBINATIONS);
        give(world, &subjects[i], i < PADDING ? ADDED_LATER : where);
        assert_true(subjects[i].e.index < COUNT_OF(subject_at));
        subject_at[subjects[i].e.index] = i;
    }
    if (where == SETTLED) settle_fully(world);
}

// What the query asks of each of the four, as the number of a question says.
static void spell_question(ilk_access* access, uint32_t question) {
    for (uint32_t k = 0; k < KINDS; k++) {
        access[k] = (ilk_access)(question % ACCESSES);
        question /= ACCESSES;
    }
}

static ilk_query* ask_by_terms(ilk_world* world, const ilk_access* access) {
    ilk_term terms[KINDS + 1] = {0};
    uint32_t count = 0;
    for (uint32_t k = KINDS; k-- > 0;) {
        if (access[k]) terms[count++] = (ilk_term){access[k], kinds[k]};
    }
    return QUERY(world, .terms = terms);
}

static ilk_query* ask_by_lists(ilk_world* world, const ilk_access* access) {
    ilk_query_desc desc = {0};
    ilk_type** lists[ACCESSES] = {
        [ILK_ACCESS_WRITE] = desc.write, [ILK_ACCESS_READ] = desc.read,
        [ILK_ACCESS_WITH] = desc.with,   [ILK_ACCESS_WITHOUT] = desc.without,
        [ILK_ACCESS_ANY] = desc.any,     [ILK_ACCESS_MAYBE] = desc.maybe};
    for (uint32_t k = 0; k < KINDS; k++) {
        if (access[k]) lists[access[k]][k] = kinds[k];
    }
    return query_of(world, desc);
}

static bool naive_match(const ilk_access* access, const subject* s) {
    bool is_any_asked = false, is_any_met = false;
    for (uint32_t k = 0; k < KINDS; k++) {
        bool is_on = s->state[k] == ON,
             is_must = access[k] >= ILK_ACCESS_WRITE && access[k] <= ILK_ACCESS_WITH;
        if (is_must && !is_on) return false;
        if (access[k] == ILK_ACCESS_WITHOUT && is_on) return false;
        is_any_asked = is_any_asked || access[k] == ILK_ACCESS_ANY;
        is_any_met = is_any_met || (access[k] == ILK_ACCESS_ANY && is_on);
    }
    return !is_any_asked || is_any_met;
}

// The pointer to the value of one row, from the column that the access gives; NULL if there is
// none.
static const char* column_of(ilk_iter* it, ilk_access access, ilk_type* type) {
    return access == ILK_ACCESS_WRITE  ? ilk_column_write(it, type)
           : access == ILK_ACCESS_READ ? ilk_column_read(it, type)
                                       : ilk_column_maybe(it, type);
}

static bool has_column(ilk_access access) {
    return access == ILK_ACCESS_WRITE || access == ILK_ACCESS_READ || access == ILK_ACCESS_MAYBE;
}

// Every row of the run has its values where ilk_get finds them.
static void check_columns(ilk_iter* it, const ilk_access* access, const uint32_t* rows) {
    for (uint32_t k = 0; k < KINDS; k++) {
        if (!has_column(access[k])) continue;
        const char* column = column_of(it, access[k], kinds[k]);
        for (uint32_t i = 0; i < it->count; i++) {
            ilk_entity e = it->entities[rows[i]];
            bool is_on = ilk_enabled(it->world, e, kinds[k]);
            assert_int_equal(column != NULL, is_on);
            if (!is_on || !kinds[k]->size) continue;
            assert_ptr_equal(column + rows[i] * kinds[k]->size,
                             ilk_get(it->world, e, kinds[k], NULL));
        }
    }
}

static void note_rows(ilk_iter* it, const ilk_access* access, bool by_rows) {
    uint32_t rows[SUBJECTS];
    assert_true(it->count > 0 && it->count <= SUBJECTS);
    for (uint32_t i = 0; i < it->count; i++) {
        rows[i] = by_rows ? it->rows[i] : i;
        ilk_entity e = it->entities[rows[i]];
        assert_true(ilk_alive(it->world, e));
        subjects[subject_at[e.index]].seen++;
    }
    check_columns(it, access, rows);
}

// Walks the query; each subject that should match was seen once, and no other.
static void check_answers(fixture* f, ilk_query* query, const ilk_access* access, bool by_rows) {
    uint32_t matching = 0;
    ilk_iter it = ilk_query_iter(f->world, query);
    while (by_rows ? ilk_next_rows(&it) : ilk_next(&it)) note_rows(&it, access, by_rows);
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        bool is_match = naive_match(access, &subjects[i]);
        assert_int_equal(subjects[i].seen, is_match);
        assert_int_equal(ilk_query_matches(f->world, query, subjects[i].e), is_match);
        subjects[i].seen = 0;
        matching += is_match;
    }
    assert_int_equal(ilk_query_count(f->world, query), matching);
    assert_int_equal(ilk_query_is_empty(f->world, query), matching == 0);
}

static void check_all_questions(fixture* f, origin where) {
    populate(f->world, where);
    for (uint32_t question = 0; question < QUESTIONS; question++) {
        ilk_access access[KINDS];
        spell_question(access, question);
        ilk_query* query =
            question % 2 ? ask_by_terms(f->world, access) : ask_by_lists(f->world, access);
        check_answers(f, query, access, question / 2 % 2);
        ilk_query_destroy(query);
    }
    assert_quiet(f);
}

// R001.24 R004.17 C28
static void every_kind_of_term_is_true_where_it_should_be(void** state) {
    (void)state;
    at_each_place(check_all_questions);
}

// The sets of the four types in which one of them is, a bit for each set.
static const uint16_t sets_with[KINDS] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};

// Appends a condition; returns the sets for which it holds.
static uint16_t grow(char* text, uint64_t* seed, uint32_t depth) {
    uint32_t choice = depth ? next_random(seed) % 4 : 0;
    if (choice == 0) {
        uint32_t k = next_random(seed) % KINDS;
        strcat(text, kinds[k]->name);
        return sets_with[k];
    }
    strcat(text, choice == 1 ? "!(" : "(");
    uint16_t holds = grow(text, seed, depth - 1);
    if (choice > 1) {
        strcat(text, choice == 2 ? " & " : " |");
        uint16_t also = grow(text, seed, depth - 1);
        holds = (uint16_t)(choice == 2 ? holds & also : holds | also);
    }
    strcat(text, ")");
    return choice == 1 ? (uint16_t)~holds : holds;
}

static uint32_t set_of(const subject* s) {
    uint32_t set = 0;
    for (uint32_t k = 0; k < KINDS; k++) set |= (uint32_t)(s->state[k] == ON) << k;
    return set;
}

// The condition holds for exactly those sets of types.
static void check_condition(fixture* f, const char* text, uint16_t holds) {
    ilk_query* query = QUERY(f->world, .where = text);
    uint32_t matching = 0;
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        bool is_match = holds >> set_of(&subjects[i]) & 1;
        if (ilk_query_matches(f->world, query, subjects[i].e) != is_match) {
            fail_msg("%s: set %u", text, (unsigned)set_of(&subjects[i]));
        }
        matching += is_match;
    }
    assert_int_equal(rows_walked(f->world, query, ilk_next), matching);
    assert_int_equal(rows_walked(f->world, query, ilk_next_rows), matching);
    ilk_query_destroy(query);
}

static void check_conditions(fixture* f, origin where) {
    uint64_t seed = 11;
    populate(f->world, where);
    for (uint32_t i = 0; i < 300; i++) {
        char text[1024] = "";
        uint16_t holds = grow(text, &seed, 1 + i % 5);
        if (i % 3 == 0) {
            strcat(text, ", ");
            holds &= grow(text, &seed, 1 + i % 4);
        }
        check_condition(f, text, holds);
    }
}

// R001.24
static void conditions_nest(void** state) {
    (void)state;
    at_each_place(check_conditions);
}

// R001.24
static void conditions_bind_as_they_should(void** state) {
    fixture* f = *state;
    const uint16_t p = sets_with[0], e = sets_with[1], c = sets_with[2], o = sets_with[3];
    populate(f->world, ADDED_LATER);
    check_condition(f, "", UINT16_MAX);
    check_condition(f, " Position ", p);
    check_condition(f, "!Position", (uint16_t)~p);
    check_condition(f, "!!Position", p);
    check_condition(f, "! ! !Position", (uint16_t)~p);
    check_condition(f, "Position,Enemy", p & e);
    check_condition(f, "Position&Enemy", p & e);
    check_condition(f, "Position|Enemy", p | e);
    check_condition(f, "Position | Enemy & Cargo", (uint16_t)(p | (e & c)));
    check_condition(f, "Position & Enemy | Cargo", (uint16_t)((p & e) | c));
    check_condition(f, "Position | Enemy, Cargo", (uint16_t)((p | e) & c));
    check_condition(f, "Position, Enemy | Cargo", (uint16_t)(p & (e | c)));
    check_condition(f, "!Position & Enemy", (uint16_t)(~p & e));
    check_condition(f, "!Position | Enemy", (uint16_t)(~p | e));
    check_condition(f, "!(Position | Enemy), Cargo", (uint16_t)(~(p | e) & c));
    check_condition(f, "(Position, Enemy) | Cargo", (uint16_t)((p & e) | c));
    check_condition(f, "!(Position, Enemy | Cargo)", (uint16_t)~(p & (e | c)));
    check_condition(f, "Owned, !Enemy, !Cargo", (uint16_t)(o & ~e & ~c));
    check_condition(f, "\tPosition\n|\n(Enemy)", p | e);
    check_condition(f, "Position & !Position", 0);
}

// A condition and the lists all have to hold.
static void a_condition_narrows_the_lists(void** state) {
    fixture* f = *state;
    populate(f->world, BORN_WITH);
    ilk_query* query = QUERY(f->world, .with = {&Position_type}, .any = {&Enemy_type, &Cargo_type},
                             .where = "!Owned | Enemy & Cargo");
    uint32_t matching = 0;
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        const uint8_t* s = subjects[i].state;
        bool is_match =
            s[0] == ON && (s[1] == ON || s[2] == ON) && (s[3] != ON || (s[1] == ON && s[2] == ON));
        assert_int_equal(ilk_query_matches(f->world, query, subjects[i].e), is_match);
        matching += is_match;
    }
    assert_result_count(f->world, query, matching);
}

static void check_toggle(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    ilk_query* with = QUERY(f->world, .read = {&Position_type});
    ilk_query* without = QUERY(f->world, .without = {&Position_type});
    ilk_query* maybe = QUERY(f->world, .maybe = {&Position_type});
    for (int round = 0; round < 3; round++) {
        assert_ok(ilk_disable(f->world, e, &Position_type));
        assert_false(ilk_query_matches(f->world, with, e));
        assert_true(ilk_query_matches(f->world, without, e));
        assert_true(ilk_query_matches(f->world, maybe, e));
        assert_result_count(f->world, with, 0);
        assert_ok(ilk_enable(f->world, e, &Position_type));
        assert_true(ilk_query_matches(f->world, with, e));
        assert_false(ilk_query_matches(f->world, without, e));
        assert_result_count(f->world, with, 1);
    }
}

static void what_is_switched_off_counts_as_absent(void** state) {
    (void)state;
    at_each_place(check_toggle);
}

static void ask_everything(fixture* f, ilk_query* query, ilk_entity e) {
    char text[256];
    ilk_entity collected[10];
    rows_walked(f->world, query, ilk_next);
    rows_walked(f->world, query, ilk_next_rows);
    ilk_query_count(f->world, query);
    ilk_query_is_empty(f->world, query);
    ilk_query_first(f->world, query);
    ilk_query_matches(f->world, query, e);
    ilk_query_collect(f->world, query, collected, COUNT_OF(collected));
    ilk_query_explain(f->world, query, e, text, sizeof(text));
    ilk_query_text(query, text, sizeof(text));
    ilk_query_stats_of(query);
}

static void check_asking_is_free(fixture* f, origin where) {
    populate(f->world, where);
    for (uint32_t question = 0; question < QUESTIONS; question += 97) {
        ilk_access access[KINDS];
        spell_question(access, question);
        ilk_query* query = ask_by_lists(f->world, access);
        uint64_t calls = f->memory.calls;
        ask_everything(f, query, subjects[question % SUBJECTS].e);
        assert_int_equal(f->memory.calls, calls);
        ilk_query_destroy(query);
    }
}

// R000.28 R003.8
static void asking_and_walking_need_no_memory(void** state) {
    (void)state;
    at_each_place(check_asking_is_free);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_term_is_true_where_it_should_be),
        cmocka_unit_test(conditions_nest),
        WORLD_TEST(conditions_bind_as_they_should),
        WORLD_TEST(a_condition_narrows_the_lists),
        cmocka_unit_test(what_is_switched_off_counts_as_absent),
        cmocka_unit_test(asking_and_walking_need_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
