// Asking: what matches now, why an entity does not, and a query as text.
#include "query/query.h"

#include "query_support.h"

static void empty_entities_have_nothing(void** state) {
    fixture* f = *state;
    ilk_entity e[3] = {ilk_create(f->world), ILK_SPAWN(f->world, ILK_WITH(Position)),
                       ilk_create(f->world)};
    assert_ok(ilk_remove(f->world, e[1], &Position_type));
    assert_result_count(f->world, QUERY(f->world, .without = {&Position_type}), 3);
    assert_result_count(f->world, QUERY(f->world, .maybe = {&Position_type}), 3);
    assert_result_count(f->world, QUERY(f->world, .where = "!Position"), 3);
    assert_result_count(f->world, QUERY(f->world, .with = {&Position_type}), 0);
    assert_result_count(f->world, QUERY(f->world, .any = {&Position_type}), 0);
    assert_result_count(f->world, QUERY(f->world, .where = "Position"), 0);
}

// R000.31 C10
static void queries_are_live_and_collected_results_are_not(void** state) {
    fixture* f = *state;
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    ilk_entity collected[4] = {{0}};
    ilk_entity first = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_int_equal(ilk_query_collect(f->world, query, collected, 4), 1);
    ilk_entity second = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_result_count(f->world, query, 2);
    assert_entity(collected[0], first);
    assert_true(ilk_is_null(collected[1]));
    assert_ok(ilk_destroy(f->world, first));
    assert_result_count(f->world, query, 1);
    assert_entity(collected[0], first);
    assert_entity(ilk_query_first(f->world, query), second);
}

static void a_result_is_collected_as_far_as_there_is_room(void** state) {
    fixture* f = *state;
    ilk_entity e[100], collected[101];
    spawn_positions(f->world, e, 100);
    ilk_query* query = QUERY(f->world, .with = {&Position_type});
    for (uint32_t capacity = 0; capacity <= 101; capacity++) {
        memset(collected, 0, sizeof(collected));
        assert_int_equal(ilk_query_collect(f->world, query, collected, capacity), 100);
        for (uint32_t i = 0; i < 101; i++) {
            ilk_entity expected = i < capacity && i < 100 ? e[i] : (ilk_entity){0};
            assert_entity(collected[i], expected);
        }
    }
    assert_int_equal(ilk_query_collect(f->world, query, NULL, 0), 100);
}

// R003.27 R000.34
static void the_number_that_match_is_the_number_visited(void** state) {
    fixture* f = *state;
    uint64_t seed = 5;
    ilk_query* query = QUERY(f->world, .read = {&Position_type}, .without = {&Enemy_type});
    static ilk_entity e[700];
    spawn_positions(f->world, e, COUNT_OF(e));
    for (uint32_t round = 0; round < 300; round++) {
        ilk_entity one = e[next_random(&seed) % COUNT_OF(e)];
        if (round % 3 == 0) {
            ilk_destroy(f->world, one);
        } else {
            ilk_set(f->world, one, ILK_WITH(Enemy));
        }
        assert_result_count(f->world, query, ilk_query_count(f->world, query));
    }
    assert_true(ilk_query_count(f->world, query) < 600);
}

static void the_dead_match_nothing(void** state) {
    fixture* f = *state;
    ilk_query* all = QUERY(f->world, 0);
    ilk_entity e = ilk_create(f->world);
    assert_true(ilk_query_matches(f->world, all, e));
    assert_ok(ilk_destroy(f->world, e));
    assert_false(ilk_query_matches(f->world, all, e));
    assert_false(ilk_query_matches(f->world, all, (ilk_entity){0}));
    assert_false(ilk_query_matches(f->world, all, (ilk_entity){UINT32_MAX, 1}));
    assert_quiet(f);
}

static void explains_at(fixture* f, ilk_query* query, ilk_entity e, const char* why,
                        const char* file, int line) {
    char text[512], expected[512];
    size_t length = ilk_query_explain(f->world, query, e, text, sizeof(text));
    snprintf(expected, sizeof(expected), "entity %u:%u %s", (unsigned)e.index,
             (unsigned)e.generation, why);
    _assert_string_equal(text, expected, file, line);
    _assert_int_equal(length, strlen(text), file, line);
}
#define explains(f, query, e, why) explains_at((f), (query), (e), (why), __FILE__, __LINE__)

static void each_term_that_fails_is_explained(void** state) {
    fixture* f = *state;
    ilk_query* query = QUERY(f->world, .write = {&Position_type}, .with = {&Enemy_type},
                             .without = {&Cargo_type}, .maybe = {&Owned_type});
    ilk_entity e = ilk_create(f->world);
    explains(f, query, e, "does not match: Position is missing, Enemy is missing");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Position)));
    explains(f, query, e, "does not match: Enemy is missing");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    explains(f, query, e, "matches");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Cargo)));
    explains(f, query, e, "does not match: Cargo is there");
    assert_ok(ilk_disable(f->world, e, &Position_type));
    explains(f, query, e, "does not match: Position is switched off, Cargo is there");
    assert_ok(ilk_destroy(f->world, e));
    explains(f, query, e, "does not match: it is not alive");
    assert_quiet(f);
}

static void any_and_conditions_are_explained(void** state) {
    fixture* f = *state;
    ilk_query* any = QUERY(f->world, .any = {&Position_type, &Enemy_type});
    ilk_register(f->world, &Position_type);
    ilk_register(f->world, &Enemy_type);
    ilk_query* where = QUERY(f->world, .where = "Position | Enemy");
    ilk_entity e = ilk_create(f->world);
    explains(f, any, e, "does not match: none of Position, Enemy is there");
    explains(f, where, e,
             "does not match: Position is missing and Enemy is missing, though the condition says "
             "Position | Enemy");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    explains(f, any, e, "matches");
    explains(f, where, e, "matches");
}

// What of a condition fails, and which types decide it.
static void the_part_of_a_condition_that_fails_is_explained(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity), ILK_WITH(Frozen));
    ilk_entity other = ILK_SPAWN(f->world, ILK_WITH(Enemy), ILK_WITH(Frozen), ILK_WITH(Cargo));
    ilk_query* where = QUERY(f->world, .where = "Position, Velocity, !(Enemy | Frozen)");
    explains(f, where, e,
             "does not match: Frozen is there, though the condition says !(Enemy | Frozen)");
    explains(f, where, other,
             "does not match: Position is missing, Velocity is missing, Enemy is there and Frozen "
             "is there, though the condition says !(Enemy | Frozen)");
    assert_ok(ilk_disable(f->world, e, &Velocity_type));
    assert_ok(ilk_disable(f->world, e, &Frozen_type));
    explains(f, where, e, "does not match: Velocity is switched off");
    explains(f, QUERY(f->world, .where = "!!Frozen, !Position"), e,
             "does not match: Frozen is switched off, Position is there");
    explains(f, QUERY(f->world, .where = "!(Enemy & Cargo), !!!Frozen"), other,
             "does not match: Enemy is there and Cargo is there, though the condition says "
             "!(Enemy, Cargo), Frozen is there");
    assert_quiet(f);
}

// Only what decides is named, however deep it lies.
static void what_decides_is_found_in_nested_conditions(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity), ILK_WITH(Frozen));
    ilk_register(f->world, &Enemy_type);
    ilk_register(f->world, &Cargo_type);
    explains(f, QUERY(f->world, .where = "Position & (Velocity, (Frozen & Cargo))"), e,
             "does not match: Cargo is missing");
    explains(f, QUERY(f->world, .where = "Enemy | Position & !Velocity & Frozen | Cargo"), e,
             "does not match: Enemy is missing and Velocity is there and Cargo is missing, though "
             "the condition says Enemy | Position & !Velocity & Frozen | Cargo");
    explains(f, QUERY(f->world, .where = "!(Cargo | !(Enemy | !Frozen) | Cargo & Frozen)"), e,
             "does not match: Enemy is missing and Frozen is there, though the condition says "
             "!(Cargo | !(Enemy | !Frozen) | Cargo & Frozen)");
}

// The stack and the time do not grow with the length of a chain.
static void a_long_condition_is_explained(void** state) {
    fixture* f = *state;
    enum {
        NAMES = 50000
    };
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_register(f->world, &Enemy_type);
    static const char* const signs[] = {",", "|", "&"};
    static const char* const whys[] = {"entity 0:1 does not match: Enemy is missing",
                                       "entity 0:1 matches",
                                       "entity 0:1 does not match: Enemy is missing"};
    char* text = calloc(NAMES, 10);
    assert_non_null(text);
    for (uint32_t i = 0; i < COUNT_OF(signs); i++) {
        char* end = text;
        for (uint32_t k = 0; k < NAMES; k++) {
            end += sprintf(end, "%s%s", k ? signs[i] : "", k == NAMES / 2 ? "Enemy" : "Position");
        }
        char why[100];
        ilk_query* query = QUERY(f->world, .where = text);
        assert_int_equal(ilk_query_explain(f->world, query, e, why, sizeof why), strlen(whys[i]));
        assert_string_equal(why, whys[i]);
        assert_int_equal(ilk_query_explain(f->world, query, e, why, 30), strlen(whys[i]));
        assert_int_equal(strlen(why), strlen(whys[i]) < 29 ? strlen(whys[i]) : 29);
        assert_memory_equal(why, whys[i], strlen(why));
        ilk_query_destroy(query);
    }
    free(text);
}

static void reads_at(const ilk_query* query, const char* expected, const char* file, int line) {
    char text[512];
    _assert_int_equal(ilk_query_text(query, text, sizeof(text)), strlen(expected), file, line);
    _assert_string_equal(text, expected, file, line);
}
#define reads(query, expected) reads_at((query), (expected), __FILE__, __LINE__)

static void a_query_is_shown_as_text(void** state) {
    fixture* f = *state;
    reads(QUERY(f->world, 0), "every entity");
    reads(QUERY(f->world, .read = {&Position_type, &Health_type}, .with = {&Enemy_type}),
          "read Position, Health; with Enemy");
    ilk_query* query = QUERY(f->world, .write = {&Position_type}, .without = {&Frozen_type},
                             .any = {&Anchor_type, &Cargo_type}, .maybe = {&Velocity_type},
                             .changed = {&Health_type}, .added = {&Enemy_type});
    reads(query, "write Position; without Frozen; any of Anchor, Cargo; maybe Velocity; "
                 "changed Health; added Enemy");
    ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Enemy), ILK_WITH(Frozen));
    reads(QUERY(f->world, .where = "Position|!( Enemy | Frozen )", .order_by_index = true),
          "where Position | !(Enemy | Frozen); in order of index");
}

typedef size_t tell_fn(fixture* f, ilk_query* query, ilk_entity e, char* text, size_t size);

static size_t tell_why(fixture* f, ilk_query* query, ilk_entity e, char* text, size_t size) {
    return ilk_query_explain(f->world, query, e, text, size);
}

static size_t tell_query(fixture* f, ilk_query* query, ilk_entity e, char* text, size_t size) {
    (void)f;
    (void)e;
    return ilk_query_text(query, text, size);
}

static void check_cut(fixture* f, ilk_query* query, tell_fn* tell) {
    char whole[512], cut[512];
    ilk_entity e = ilk_create(f->world);
    size_t length = tell(f, query, e, whole, sizeof(whole));
    assert_true(length > 0 && length < sizeof(whole));
    assert_int_equal(tell(f, query, e, NULL, 0), length);
    for (size_t size = 1; size < length + 2; size++) {
        memset(cut, 'x', sizeof(cut));
        assert_int_equal(tell(f, query, e, cut, size), length);
        assert_int_equal(strlen(cut), size - 1 < length ? size - 1 : length);
        assert_memory_equal(cut, whole, strlen(cut));
        assert_int_equal(cut[size], 'x');
    }
}

static void texts_are_cut_to_the_room(void** state) {
    fixture* f = *state;
    ilk_query* query = QUERY(f->world, .write = {&Position_type},
                             .any = {&Enemy_type, &Frozen_type}, .where = "Position | Enemy");
    check_cut(f, query, tell_why);
    check_cut(f, query, tell_query);
}

static void a_query_of_another_world_is_invalid(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 0);
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    ilk_entity mine = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_entity theirs = ILK_SPAWN(other, ILK_WITH(Position)), got[1];
    char text[64] = "x";
    uint32_t calls = 0;
    ilk_iter it = ilk_query_iter(other, query);
    assert_int_equal(it.result, ILK_INVALID);
    assert_false(ilk_next(&it));
    assert_false(ilk_next_rows(&it));
    assert_int_equal(it.result, ILK_INVALID);
    assert_null(ILK_READ(&it, Position));
    ilk_iter_end(&it);
    assert_int_equal(ilk_each(other, query, count_call, &calls), ILK_INVALID);
    assert_int_equal(calls, 0);
    assert_int_equal(ilk_query_count(other, query), 0);
    assert_true(ilk_query_is_empty(other, query));
    assert_true(ilk_is_null(ilk_query_first(other, query)));
    assert_false(ilk_query_matches(other, query, theirs));
    assert_int_equal(ilk_query_collect(other, query, got, 1), 0);
    ilk_query_explain(other, query, theirs, text, sizeof(text));
    assert_result_count(f->world, query, 1);
    assert_entity(ilk_query_first(f->world, query), mine);
    ilk_world_destroy(other);
}

static void nothing_is_asked_of_nothing(void** state) {
    fixture* f = *state;
    char text[8] = "x";
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_world* worlds[] = {f->world, NULL};
    for (int i = 0; i < 2; i++) {
        ilk_query* with = i ? query : NULL;
        assert_int_equal(ilk_query_count(worlds[i], with), 0);
        assert_true(ilk_query_is_empty(worlds[i], with));
        assert_true(ilk_is_null(ilk_query_first(worlds[i], with)));
        assert_false(ilk_query_matches(worlds[i], with, e));
        assert_int_equal(ilk_query_collect(worlds[i], with, NULL, 0), 0);
        ilk_query_explain(worlds[i], with, e, text, sizeof(text));
    }
    assert_int_equal(ilk_query_text(NULL, text, sizeof(text)), 0);
    assert_int_equal(ilk_query_stats_of(NULL).rows, 0);
    assert_null(ilk_query_create(NULL, &(ilk_query_desc){0}));
    ilk_query_create(f->world, NULL);
    assert_int_equal(ilk_query_collect(f->world, query, NULL, 5), 1);
}

typedef struct row {
    ilk_entity e;
    Position p;
    Velocity v;
    Health h;
    Anchor a;
} row;

// The first rows of a query that reads the first `types` of Position, Velocity, Health and Anchor.
static uint32_t rows_of(ilk_world* world, uint32_t types, row* rows, uint32_t capacity) {
    ilk_type* all[] = {&Position_type, &Velocity_type, &Health_type, &Anchor_type};
    ilk_query_desc desc = {0};
    memcpy(desc.read, all, types * sizeof(*all));
    ilk_query* query = query_of(world, desc);
    uint32_t count = 0;
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count && count < capacity; i++, count++) {
            rows[count] = (row){.e = it.entities[i], .p = ILK_READ(&it, Position)[i]};
            if (types > 1) rows[count].v = ILK_READ(&it, Velocity)[i];
            if (types > 2) rows[count].h = ILK_READ(&it, Health)[i];
            if (types > 3) rows[count].a = ILK_READ(&it, Anchor)[i];
        }
    }
    assert_result_count(world, query, count);
    ilk_query_destroy(query);
    return count;
}

static void assert_single_result(ilk_world* world, uint32_t types, row expected) {
    row rows[8];
    assert_int_equal(rows_of(world, types, rows, 8), 1);
    assert_entity(rows[0].e, expected.e);
    assert_true(same_position(&rows[0].p, expected.p.x, expected.p.y));
    assert_true(types < 2 || (rows[0].v.x == expected.v.x && rows[0].v.y == expected.v.y));
    assert_true(types < 3 || rows[0].h.points == expected.h.points);
    assert_true(types < 4 || rows[0].a.depth == expected.a.depth);
}

static ilk_entity spawn_row(ilk_world* world, uint32_t types, row r) {
    const ilk_value values[] = {ILK_VALUE_AT(Position, &r.p), ILK_VALUE_AT(Velocity, &r.v),
                                ILK_VALUE_AT(Health, &r.h), ILK_VALUE_AT(Anchor, &r.a)};
    return ilk_spawn(world, values, types);
}

// Walked once, and destroyed; the world keeps the memory for the next.
static ilk_query* destroyed_query(fixture* f) {
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_query* query =
        QUERY(f->world, .read = {&Position_type}, .changed = {&Position_type}, .where = "Position");
    assert_int_equal(rows_walked(f->world, query, ilk_next), 1);
    assert_int_equal(ilk_query_stats_of(query).rows, 1);
    ilk_query_destroy(query);
    return query;
}

static void a_destroyed_query_has_nothing_to_say(void** state) {
    fixture* f = *state;
    char text[64] = "x";
    ilk_query* query = destroyed_query(f);
    assert_int_equal(ilk_query_text(query, text, sizeof(text)), 0);
    assert_string_equal(text, "");
    ilk_query_stats stats = ilk_query_stats_of(query);
    assert_int_equal(stats.passes + stats.chunks + stats.whole + stats.rows, 0);
    assert_null(stats.rarest);
    assert_quiet(f);
    assert_int_equal(ilk_query_count(f->world, query), 0);
    assert_told(f, ILK_INVALID, "ilk_query_count");
    ilk_iter it = ilk_query_iter(f->world, query);
    assert_int_equal(it.result, ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_query_iter");
}

static void a_destroyed_query_forgets_what_it_is_told(void** state) {
    fixture* f = *state;
    ilk_query* query = destroyed_query(f);
    uint64_t seen = query->seen;
    ilk_query_since(query, seen + 5);
    assert_int_equal(query->seen, seen);
    ilk_query_since(NULL, 5);
    assert_quiet(f);
}

// Destroyed twice, its memory would serve two queries at once.
static void a_query_is_destroyed_once(void** state) {
    fixture* f = *state;
    ilk_query* query = destroyed_query(f);
    ilk_query_destroy(query);
    ilk_query* one = QUERY(f->world, .read = {&Position_type});
    ilk_query* other = QUERY(f->world, .without = {&Position_type});
    assert_ptr_not_equal(one, other);
    assert_result_count(f->world, one, 1);
    assert_result_count(f->world, other, 0);
    assert_quiet(f);
}

static void nothing_is_written_where_there_is_no_room(void** state) {
    fixture* f = *state;
    char text[8] = "kept";
    ilk_entity e = ilk_create(f->world);
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    assert_int_equal(ilk_query_text(query, text, 0), strlen("read Position"));
    assert_true(ilk_query_explain(f->world, query, e, text, 0) > strlen("Position is missing"));
    assert_int_equal(ilk_query_text(NULL, text, 0), 0);
    assert_string_equal(text, "kept");
}

enum {
    COLUMNS = 17
};
static ilk_type columns[COLUMNS];

static void name_columns(ilk_value* values, ilk_term* terms) {
    static char names[COLUMNS][12];
    for (uint32_t i = 0; i < COLUMNS; i++) {
        snprintf(names[i], sizeof(names[i]), "column%u", (unsigned)i);
        columns[i] = (ilk_type){.name = names[i], .size = 4};
        values[i] = (ilk_value){&columns[i], NULL};
        terms[i] = (ilk_term){ILK_ACCESS_READ, &columns[i]};
    }
}

static void a_function_needs_memory_for_more_than_sixteen_columns(void** state) {
    fixture* f = *state;
    ilk_value values[COLUMNS];
    ilk_term terms[COLUMNS + 1] = {0};
    name_columns(values, terms);
    for (int i = 0; i < 3; i++) ilk_spawn(f->world, values, COLUMNS);
    ilk_query* all = QUERY(f->world, .terms = terms);
    ilk_query* sixteen = QUERY(f->world, .terms = terms + 1);
    size_t bytes = f->memory.bytes;
    uint32_t calls = 0;
    f->memory.left = 0;
    assert_int_equal(ilk_each(f->world, all, count_call, &calls), ILK_NO_MEMORY);
    assert_told(f, ILK_NO_MEMORY, "ilk_each");
    assert_int_equal(calls, 0);
    assert_int_equal(ilk_query_stats_of(all).passes, 0);
    assert_ok(ilk_each(f->world, sixteen, count_call, &calls));
    f->memory.left = UINT64_MAX;
    assert_ok(ilk_each(f->world, all, count_call, &calls));
    assert_int_equal(calls, 6);
    assert_int_equal(f->memory.bytes, bytes);
}

// The walk is not cut, and says why.
static void not_cut_at(fixture* f, ilk_iter* it, const char* file, int line) {
    ilk_iter parts[2];
    _assert_int_equal(ilk_iter_split(it, parts, 2), ILK_INVALID, file, line);
    assert_told_at(f, ILK_INVALID, "ilk_iter_split", file, line);
    said_at(f, "ilk_iter_split: the walk has begun, or is over", file, line);
}
#define not_cut(f, it) not_cut_at((f), (it), __FILE__, __LINE__)

static void a_part_is_not_cut(void** state) {
    fixture* f = *state;
    static ilk_entity e[300];
    spawn_positions(f->world, e, COUNT_OF(e));
    ilk_iter parts[3], it = ilk_query_iter(f->world, QUERY(f->world, .read = {&Position_type}));
    assert_ok(ilk_iter_split(&it, parts, 3));
    uint32_t rows = 0;
    for (uint32_t i = 0; i < 3; i++) {
        not_cut(f, &parts[i]);
        while (ilk_next(&parts[i])) rows += parts[i].count;
    }
    assert_int_equal(rows, COUNT_OF(e));
    not_cut(f, &it);
    ilk_iter_end(&it);
}

// One that begins with the first of the entities without a place is no exception.
static void a_part_without_places_is_not_cut(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    assert_int_equal(e.index, 0);
    ilk_iter parts[2], it = ilk_query_iter(f->world, QUERY(f->world, 0));
    assert_ok(ilk_iter_split(&it, parts, 2));
    assert_false(ilk_next(&parts[0]));
    not_cut(f, &parts[1]);
    assert_true(ilk_next(&parts[1]));
    assert_int_equal(parts[1].count, 1);
    assert_entity(parts[1].entities[0], e);
    assert_false(ilk_next(&parts[1]));
    ilk_iter_end(&it);
}

static void a_walk_that_was_ended_is_not_cut(void** state) {
    fixture* f = *state;
    ilk_entity e[10];
    spawn_positions(f->world, e, COUNT_OF(e));
    ilk_iter it = ilk_query_iter(f->world, QUERY(f->world, .read = {&Position_type}));
    settle_fully(f->world);
    not_cut(f, &it);
    assert_false(ilk_next(&it));
    assert_int_equal(it.result, ILK_STALE);
}

// R000.35: one to four types: none, one with its values and entity, only those that have all.
static void mirrored_queries_of_one_to_four_types(void** state) {
    (void)state;
    for (uint32_t types = 1; types <= 4; types++) {
        void* opened = NULL;
        open_world(&opened);
        fixture* f = opened;
        row rows[8], one = {.p = {10, 20}, .v = {30, 40}, .h = {50}, .a = {60}},
                     two = {.p = {1, 2}};
        assert_int_equal(rows_of(f->world, types, rows, 8), 0);
        spawn_row(f->world, types - 1, two);
        ILK_SPAWN(f->world, ILK_WITH(Anchor), ILK_WITH(Velocity));
        assert_int_equal(rows_of(f->world, types, rows, 8), 0);
        one.e = spawn_row(f->world, types, one);
        assert_single_result(f->world, types, one);
        two.e = spawn_row(f->world, 4, two);
        assert_int_equal(rows_of(f->world, types, rows, 8), 2);
        assert_ok(ilk_destroy(f->world, one.e));
        assert_single_result(f->world, types, two);
        close_world(&opened);
    }
}

static void count_far(void* user, ilk_entity e, void* const* values) {
    (void)e;
    *(uint32_t*)user += ((const Position*)values[0])->x > 2;
}

static void increment(void* user, ilk_entity e, void* const* values) {
    (void)user;
    (void)e;
    ((Health*)values[0])->points++;
}

// R000.34 R000.35: stream-like use: filter and count, a function for each, with what it changes.
static void mirrored_streams(void** state) {
    fixture* f = *state;
    uint32_t far = 0;
    for (int i = 1; i <= 5; i++)
        ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 0), ILK_VALUE(Health, 0));
    ilk_query* reading = QUERY(f->world, .read = {&Position_type});
    ilk_query* writing = QUERY(f->world, .write = {&Health_type});
    assert_ok(ilk_each(f->world, reading, count_far, &far));
    assert_int_equal(far, 3);
    assert_ok(ilk_each(f->world, writing, increment, NULL));
    for (ilk_iter it = ilk_query_iter(f->world, writing); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++)
            assert_int_equal(ILK_READ(&it, Health)[i].points, 1);
    }
    assert_int_equal(ilk_query_count(f->world, reading), 5);
}

// R000.30 R000.35: a query is walked again and again, and what a walk changes stays.
static void mirrored_iterators(void** state) {
    fixture* f = *state;
    ilk_entity e[50], first[50], second[50];
    ilk_query* query = QUERY(f->world, .write = {&Position_type});
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) fail();
    spawn_positions(f->world, e, 50);
    assert_int_equal(ilk_query_collect(f->world, query, first, 50), 50);
    assert_int_equal(ilk_query_collect(f->world, query, second, 50), 50);
    assert_memory_equal(first, second, sizeof(first));
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) ILK_WRITE(&it, Position)[i].x *= 10;
    }
    for (int i = 0; i < 50; i++) {
        assert_true(same_position(ILK_GET(f->world, e[i], Position), (float)i * 10, 1));
    }
}

// R000.31 R000.35: after deleting, removing and adding, and for tags.
static void mirrored_edge_cases(void** state) {
    fixture* f = *state;
    ilk_query* query = QUERY(f->world, .read = {&Position_type, &Velocity_type});
    ilk_query* enemies = QUERY(f->world, .read = {&Position_type, &Enemy_type});
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_entity other = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Enemy));
    assert_result_count(f->world, query, 0);
    assert_result_count(f->world, enemies, 1);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Velocity)));
    assert_result_count(f->world, query, 1);
    assert_ok(ilk_remove(f->world, e, &Velocity_type));
    assert_result_count(f->world, query, 0);
    assert_ok(ilk_destroy(f->world, other));
    assert_result_count(f->world, enemies, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(empty_entities_have_nothing),
        WORLD_TEST(queries_are_live_and_collected_results_are_not),
        WORLD_TEST(a_result_is_collected_as_far_as_there_is_room),
        WORLD_TEST(the_number_that_match_is_the_number_visited),
        WORLD_TEST(the_dead_match_nothing),
        WORLD_TEST(each_term_that_fails_is_explained),
        WORLD_TEST(any_and_conditions_are_explained),
        WORLD_TEST(the_part_of_a_condition_that_fails_is_explained),
        WORLD_TEST(what_decides_is_found_in_nested_conditions),
        WORLD_TEST(a_long_condition_is_explained),
        WORLD_TEST(a_query_is_shown_as_text),
        WORLD_TEST(texts_are_cut_to_the_room),
        WORLD_TEST(a_query_of_another_world_is_invalid),
        WORLD_TEST(nothing_is_asked_of_nothing),
        WORLD_TEST(a_destroyed_query_has_nothing_to_say),
        WORLD_TEST(a_destroyed_query_forgets_what_it_is_told),
        WORLD_TEST(a_query_is_destroyed_once),
        WORLD_TEST(nothing_is_written_where_there_is_no_room),
        WORLD_TEST(a_function_needs_memory_for_more_than_sixteen_columns),
        WORLD_TEST(a_part_is_not_cut),
        WORLD_TEST(a_part_without_places_is_not_cut),
        WORLD_TEST(a_walk_that_was_ended_is_not_cut),
        cmocka_unit_test(mirrored_queries_of_one_to_four_types),
        WORLD_TEST(mirrored_streams),
        WORLD_TEST(mirrored_iterators),
        WORLD_TEST(mirrored_edge_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
