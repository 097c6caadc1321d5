// Queries: how they are made and refused, what they match, what can be asked of them and what they
// cost.
#include "support.h"

// Large enough to be kept in slots where few rows of a large chunk have it.
typedef struct Cargo {
    int32_t number;
    char bytes[124];
} Cargo;
ILK_COMPONENT(Cargo);

static ilk_query* query_of(ilk_world* world, ilk_query_desc desc) {
    ilk_query* query = ilk_query_create(world, &desc);
    assert_non_null(query);
    return query;
}
#define QUERY(world, ...) query_of((world), (ilk_query_desc){__VA_ARGS__})

// The description is refused, with this result and one message, and nothing else happened.
static void refused_at(fixture* f, ilk_query_desc desc, ilk_result result, const char* file,
                       int line) {
    _assert_true(!ilk_query_create(f->world, &desc), "the query is refused", file, line);
    _assert_int_equal((LargestIntegralType)ilk_error(f->world).result, (LargestIntegralType)result,
                      file, line);
    assert_told_at(f, result, "ilk_query_create", file, line);
}
#define refused(f, result, ...)                                                                    \
    refused_at((f), (ilk_query_desc){__VA_ARGS__}, (result), __FILE__, __LINE__)

// What the last message said, word for word.
static void said_at(const fixture* f, const char* text, const char* file, int line) {
    _assert_string_equal(f->told.text, text, file, line);
}
#define said(f, text) said_at((f), (text), __FILE__, __LINE__)

// The number of rows of a walk, in either form; the walk comes to its end.
static uint32_t walk(ilk_world* world, ilk_query* query, bool (*next)(ilk_iter* it)) {
    uint32_t rows = 0;
    ilk_iter it = ilk_query_iter(world, query);
    while (next(&it)) rows += it.count;
    assert_int_equal(it.result, ILK_OK);
    return rows;
}

// All ways to count agree.
static void assert_result_count_at(ilk_world* world, ilk_query* query, uint32_t count,
                                   const char* file, int line) {
    _assert_int_equal(ilk_query_count(world, query), count, file, line);
    _assert_int_equal(walk(world, query, ilk_next), count, file, line);
    _assert_int_equal(walk(world, query, ilk_next_rows), count, file, line);
    _assert_int_equal(ilk_query_collect(world, query, NULL, 0), count, file, line);
    _assert_int_equal(ilk_query_is_empty(world, query), count == 0, file, line);
    _assert_int_equal(ilk_is_null(ilk_query_first(world, query)), count == 0, file, line);
}
#define assert_result_count(world, query, count)                                                   \
    assert_result_count_at((world), (query), (count), __FILE__, __LINE__)

static void spawn_positions(ilk_world* world, ilk_entity* e, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        e[i] = ILK_SPAWN(world, ILK_VALUE(Position, (float)i, 1));
    }
}

// C28 R001.25 R003.9
static void a_query_without_terms_matches_every_entity(void** state) {
    fixture* f = *state;
    ilk_query* all = QUERY(f->world, 0);
    ilk_query* blank = QUERY(f->world, .where = "  ");
    assert_result_count(f->world, all, 0);
    ilk_entity e[3] = {ilk_create(f->world), ILK_SPAWN(f->world, ILK_WITH(Position)),
                       ILK_SPAWN(f->world, ILK_WITH(Enemy))};
    assert_result_count(f->world, all, 3);
    assert_result_count(f->world, blank, 3);
    assert_ok(ilk_remove_all(f->world, e[2]));
    assert_ok(ilk_disable(f->world, e[1], &Position_type));
    assert_result_count(f->world, all, 3);
    assert_ok(ilk_destroy_many(f->world, e, 2));
    assert_result_count(f->world, all, 1);
    assert_entity(ilk_query_first(f->world, all), e[2]);
}

// R001.25
static void null_types_are_passed_over(void** state) {
    fixture* f = *state;
    ilk_entity both = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    ILK_SPAWN(f->world, ILK_WITH(Position));
    const ilk_term terms[] = {
        {ILK_ACCESS_READ, NULL}, {ILK_ACCESS_WITH, &Velocity_type}, {ILK_ACCESS_ANY, NULL}, {0}};
    ilk_query* queries[] = {
        QUERY(f->world, .with = {NULL, &Position_type, NULL, &Velocity_type}),
        QUERY(f->world, .write = {NULL, NULL, &Position_type}, .terms = terms),
        QUERY(f->world, .terms = terms),
    };
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        assert_result_count(f->world, queries[i], 1);
        assert_entity(ilk_query_first(f->world, queries[i]), both);
    }
}

static void a_list_has_room_for_eight(void** state) {
    fixture* f = *state;
    ilk_type* eight[ILK_LIST] = {&Position_type, &Velocity_type, &Health_type, &Anchor_type,
                                 &Enemy_type,    &Frozen_type,   &Owned_type,  &Cargo_type};
    ilk_query_desc desc = {0};
    memcpy(desc.write, eight, sizeof(eight));
    ilk_query* query = query_of(f->world, desc);
    ilk_value values[ILK_LIST];
    for (uint32_t i = 0; i < ILK_LIST; i++) values[i] = (ilk_value){eight[i], NULL};
    for (uint32_t i = 0; i < ILK_LIST; i++) ilk_spawn(f->world, values, i);
    assert_result_count(f->world, query, 0);
    ilk_spawn(f->world, values, ILK_LIST);
    assert_result_count(f->world, query, 1);
}

static void a_description_is_not_needed_any_more(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity), ILK_WITH(Frozen));
    ilk_term* terms = calloc(2, sizeof(*terms));
    char* where = text_copy("Velocity & !Frozen");
    assert_true(terms && where);
    terms[0] = (ilk_term){ILK_ACCESS_READ, &Position_type};
    ilk_query* query = QUERY(f->world, .terms = terms, .where = where);
    memset(terms, 0x5a, sizeof(*terms));
    memset(where, '(', strlen(where));
    free(terms);
    free(where);
    assert_result_count(f->world, query, 1);
}

// A type known only at run time may go once a query was made with it; another variable of the same
// name is the same type.
static void a_type_may_go_once_it_was_used(void** state) {
    fixture* f = *state;
    char name[] = "passing";
    ilk_type type = {.name = name, .size = 8}, again = {.name = "passing", .size = 8};
    ilk_query* query = QUERY(f->world, .read = {&type});
    memset(name, 'x', sizeof(name) - 1);
    type = (ilk_type){0};
    ilk_spawn(f->world, &(ilk_value){&again, NULL}, 1);
    assert_result_count(f->world, query, 1);
}

// Asking is no use: the world takes no number for a type that is only asked for.
static void a_query_introduces_no_type(void** state) {
    fixture* f = *state;
    QUERY(f->world, .read = {&Position_type}, .without = {&Enemy_type}, .maybe = {&Health_type});
    assert_int_equal(ilk_type_count(f->world), 0);
}

static void count_call(void* user, ilk_entity e, void* const* values) {
    (void)e;
    (void)values;
    ++*(uint32_t*)user;
}

static ilk_type twenty[20];

static void name_twenty(void) {
    static char names[20][8];
    for (uint32_t i = 0; i < 20; i++) {
        snprintf(names[i], sizeof(names[i]), "t%u", (unsigned)i);
        twenty[i] = (ilk_type){.name = names[i], .size = i % 4 * 8};
    }
}

// R000.27
static void a_query_has_any_number_of_types(void** state) {
    fixture* f = *state;
    name_twenty();
    ilk_value values[20];
    ilk_term terms[21] = {0};
    for (uint32_t i = 0; i < 20; i++) values[i] = (ilk_value){&twenty[i], NULL};
    for (uint32_t i = 0; i <= 20; i++) ilk_spawn(f->world, values, i);
    for (uint32_t i = 0; i < 20; i++) {
        terms[i] = (ilk_term){(ilk_access)(ILK_ACCESS_WRITE + i % 3), &twenty[i]};
        ilk_query* query = QUERY(f->world, .terms = terms);
        assert_result_count(f->world, query, 20 - i);
        uint32_t calls = 0;
        assert_ok(ilk_each(f->world, query, count_call, &calls));
        assert_int_equal(calls, 20 - i);
    }
}

enum {
    HUNDRED = 100
};
static ilk_type hundred[HUNDRED];

static void name_hundred(ilk_value* values, ilk_term* terms) {
    static char names[HUNDRED][12];
    for (uint32_t i = 0; i < HUNDRED; i++) {
        snprintf(names[i], sizeof(names[i]), "many%u", (unsigned)i);
        hundred[i] = (ilk_type){.name = names[i], .size = i % 2 * 4};
        values[i] = (ilk_value){&hundred[i], NULL};
        terms[i] = (ilk_term){i < 90 ? ILK_ACCESS_READ : ILK_ACCESS_ANY, &hundred[i]};
    }
}

// R000.27
static void terms_beyond_64_count_too(void** state) {
    fixture* f = *state;
    ilk_value values[HUNDRED];
    ilk_term terms[HUNDRED + 1] = {0};
    name_hundred(values, terms);
    ilk_query* query = QUERY(f->world, .terms = terms, .without = {&Frozen_type});
    ilk_entity e[7];
    for (int i = 0; i < 7; i++) e[i] = ilk_spawn(f->world, values, HUNDRED);
    assert_result_count(f->world, query, 7);
    assert_ok(ilk_remove(f->world, e[0], &hundred[0]));
    assert_ok(ilk_disable(f->world, e[1], &hundred[70]));
    assert_ok(ilk_remove(f->world, e[2], &hundred[89]));
    assert_ok(ilk_remove(f->world, e[3], &hundred[99])); // it has others of the last ten
    assert_ok(ilk_add(f->world, e[4], ILK_WITH(Frozen)));
    for (int i = 90; i < HUNDRED; i++) assert_ok(ilk_remove(f->world, e[5], &hundred[i]));
    for (int i = 0; i < 7; i++) {
        assert_int_equal(ilk_query_matches(f->world, query, e[i]), i == 3 || i == 6);
    }
    assert_result_count(f->world, query, 2);
}

// R000.27
static void a_type_that_nobody_has_gives_an_empty_result(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_result_count(f->world, QUERY(f->world, .read = {&Velocity_type}), 0);
    assert_result_count(f->world, QUERY(f->world, .read = {&Position_type, &Velocity_type}), 0);
    assert_result_count(f->world, QUERY(f->world, .any = {&Velocity_type, &Health_type}), 0);
    assert_result_count(f->world, QUERY(f->world, .without = {&Velocity_type}), 1);
    assert_quiet(f);
}

// R000.32
static void a_query_made_before_a_type_is_used_sees_later_entities(void** state) {
    fixture* f = *state;
    ilk_query* with = QUERY(f->world, .read = {&Position_type});
    ilk_query* without = QUERY(f->world, .without = {&Position_type});
    ilk_query* any = QUERY(f->world, .any = {&Velocity_type, &Position_type});
    ilk_entity e = ilk_create(f->world);
    assert_result_count(f->world, with, 0);
    assert_result_count(f->world, without, 1);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Position)));
    assert_result_count(f->world, with, 1);
    assert_result_count(f->world, without, 0);
    assert_result_count(f->world, any, 1);
}

// R000.30
static void making_a_query_looks_at_nothing(void** state) {
    fixture* f = *state;
    uint64_t before = f->memory.calls;
    QUERY(f->world, .read = {&Position_type});
    uint64_t without_entities = f->memory.calls - before;
    static ilk_entity e[5000];
    spawn_positions(f->world, e, COUNT_OF(e));
    before = f->memory.calls;
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    assert_true(f->memory.calls - before <= without_entities);
    ilk_query_stats stats = ilk_query_stats_of(query);
    assert_int_equal(stats.passes + stats.chunks + stats.words + stats.rows + stats.sorts, 0);
    assert_null(stats.rarest);
}

// R001.24
static void a_type_asked_for_in_two_ways_is_refused(void** state) {
    fixture* f = *state;
    const ilk_term reads[] = {{ILK_ACCESS_READ, &Position_type}, {0}};
    const ilk_term maybe[] = {{ILK_ACCESS_MAYBE, &Position_type}, {0}};
    refused(f, ILK_INVALID, .write = {&Position_type}, .read = {&Position_type});
    assert_string_equal(f->told.type, "Position");
    said(f, "ilk_query_create: Position: it is asked for in two ways");
    refused(f, ILK_INVALID, .write = {&Position_type}, .maybe = {&Position_type});
    refused(f, ILK_INVALID, .read = {&Velocity_type, &Position_type}, .maybe = {&Position_type});
    refused(f, ILK_INVALID, .write = {&Position_type}, .terms = reads);
    refused(f, ILK_INVALID, .read = {&Position_type}, .terms = maybe);
}

static void a_type_may_be_in_several_lists(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_query* query = QUERY(f->world, .write = {&Position_type}, .with = {&Position_type},
                             .any = {&Position_type}, .changed = {&Position_type},
                             .added = {&Position_type}, .where = "Position");
    assert_entity(ilk_query_first(f->world, query), e);
    query = QUERY(f->world, .with = {&Position_type}, .without = {&Position_type});
    assert_result_count(f->world, query, 0);
    query = QUERY(f->world, .maybe = {&Position_type}, .without = {&Position_type});
    assert_result_count(f->world, query, 0);
}

// R001.25
static void unsound_types_are_refused(void** state) {
    fixture* f = *state;
    ilk_type nameless = {.size = 4};
    ilk_type odd = {.name = "Odd", .size = 12, .align = 3};
    const ilk_term terms[] = {{ILK_ACCESS_WITHOUT, &odd}, {0}};
    refused(f, ILK_INVALID, .read = {&nameless});
    refused(f, ILK_INVALID, .any = {&Position_type, &odd});
    assert_string_equal(f->told.type, "Odd");
    said(f, "ilk_query_create: type Odd is unsound: its alignment is not a power of two");
    refused(f, ILK_INVALID, .terms = terms);
    refused(f, ILK_INVALID, .order_by = &odd, .compare = (ilk_compare_fn*)strcmp);
}

static void a_clashing_type_is_refused(void** state) {
    fixture* f = *state;
    ilk_type known = {.name = "layout", .size = 24};
    ilk_type other = {.name = "layout", .size = 20};
    QUERY(f->world, .read = {&known});
    refused(f, ILK_CLASH, .maybe = {&other});
    assert_string_equal(f->told.type, "layout");
    said(f,
         "ilk_query_create: layout is 20 bytes aligned to 4 here, but 24 bytes aligned to 8 where "
         "it was first used");
}

// A world that does not take a type has no entity with it.
static void a_foreign_type_matches_nothing(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type* const[]){&Position_type, NULL};
    ilk_world* closed = ilk_world_create(&desc);
    assert_non_null(closed);
    ILK_SPAWN(closed, ILK_WITH(Position));
    assert_result_count(closed, QUERY(closed, .read = {&Velocity_type}), 0);
    assert_result_count(closed, QUERY(closed, .without = {&Velocity_type}), 1);
    assert_quiet(f);
    ilk_world_destroy(closed);
}

static void an_access_that_is_none_is_refused(void** state) {
    fixture* f = *state;
    const ilk_term terms[] = {{(ilk_access)99, &Position_type}, {0}};
    refused(f, ILK_INVALID, .terms = terms);
}

static void an_order_needs_a_comparison(void** state) {
    fixture* f = *state;
    refused(f, ILK_INVALID, .order_by = &Position_type);
    refused(f, ILK_INVALID, .read = {&Position_type}, .order_by = &Position_type);
}

// R001.25
static void a_malformed_condition_is_refused(void** state) {
    fixture* f = *state;
    static const char* const wrong[] = {"(",
                                        "()",
                                        ",Position",
                                        ",",
                                        "!",
                                        "|",
                                        "&",
                                        "Position |",
                                        "| Position",
                                        "Position &",
                                        "& Position",
                                        "!()",
                                        "((Position)",
                                        "!(Position",
                                        "Position!",
                                        "Position,, Velocity",
                                        "(Position, Velocity))"};
    ilk_register(f->world, &Position_type);
    ilk_register(f->world, &Velocity_type);
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) refused(f, ILK_INVALID, .where = wrong[i]);
    refused(f, ILK_INVALID, .with = {&Position_type}, .where = "Velocity &");
}

static void a_refusal_shows_the_place(void** state) {
    fixture* f = *state;
    ilk_register(f->world, &Position_type);
    ilk_register(f->world, &Velocity_type);
    refused(f, ILK_INVALID, .where = "Position Velocity");
    said(f, "ilk_query_create: at 10 in \"Position Velocity\": a ',', '&' or '|' is missing");
    refused(f, ILK_INVALID, .where = "Position | & Velocity");
    said(f, "ilk_query_create: at 12 in \"Position | & Velocity\": a name is missing");
    refused(f, ILK_INVALID, .where = "(Position");
    said(f, "ilk_query_create: at 10 in \"(Position\": a ')' is missing");
    refused(f, ILK_INVALID, .where = "Position)");
    said(f, "ilk_query_create: at 9 in \"Position)\": this ')' closes nothing");
    refused(f, ILK_MISSING, .where = "Position, Nobody");
    said(f, "ilk_query_create: at 11 in \"Position, Nobody\": no type is called 'Nobody'");
}

static ilk_query* try_parentheses(fixture* f, uint32_t depth) {
    static char where[512];
    memset(where, '(', depth);
    memcpy(where + depth, "Position", 8);
    memset(where + depth + 8, ')', depth);
    where[2 * depth + 8] = 0;
    return ilk_query_create(f->world, &(ilk_query_desc){.where = where});
}

static void parentheses_go_64_deep(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_result_count(f->world, try_parentheses(f, 1), 1);
    assert_result_count(f->world, try_parentheses(f, 64), 1);
    assert_null(try_parentheses(f, 65));
    assert_told(f, ILK_INVALID, "ilk_query_create");
    assert_null(try_parentheses(f, 200));
    assert_told(f, ILK_INVALID, "ilk_query_create");
}

static void nots_go_64_deep(void** state) {
    fixture* f = *state;
    char where[80];
    ILK_SPAWN(f->world, ILK_WITH(Position));
    snprintf(where, sizeof(where), "%064dPosition", 0);
    memset(where, '!', 64);
    assert_result_count(f->world, QUERY(f->world, .where = where), 1);
    assert_result_count(f->world, QUERY(f->world, .where = where + 1), 0);
    snprintf(where, sizeof(where), "%065dPosition", 0);
    memset(where, '!', 65);
    refused(f, ILK_INVALID, .where = where);
}

static void a_name_may_stand_in_quotes(void** state) {
    fixture* f = *state;
    ilk_type odd = {.name = "my type, !(really)", .size = 4};
    ilk_spawn(f->world, &(ilk_value){&odd, NULL}, 1);
    ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_result_count(f->world, QUERY(f->world, .where = "'my type, !(really)'"), 1);
    assert_result_count(f->world, QUERY(f->world, .where = "'my type, !(really)' | 'Position'"), 2);
    assert_result_count(f->world, QUERY(f->world, .where = "!'Position'"), 1);
    refused(f, ILK_INVALID, .where = "'Position");
    refused(f, ILK_MISSING, .where = "'my type'");
}

static void a_long_condition_is_read(void** state) {
    fixture* f = *state;
    static char where[20000];
    ILK_SPAWN(f->world, ILK_WITH(Position));
    for (uint32_t i = 0; i < 1000; i++) strcat(where, i ? " | Position" : "Position");
    assert_result_count(f->world, QUERY(f->world, .where = where), 1);
    where[0] = 0;
    for (uint32_t i = 0; i < 1001; i++) strcat(where, i ? ", Position" : "Position");
    assert_result_count(f->world, QUERY(f->world, .where = where), 1);
}

static void a_name_that_no_type_has_is_missing(void** state) {
    fixture* f = *state;
    ilk_register(f->world, &Position_type);
    refused(f, ILK_MISSING, .where = "Position, Nobody");
    assert_non_null(strstr(f->told.text, "Nobody"));
    refused(f, ILK_MISSING, .where = "Positio");
    refused(f, ILK_MISSING, .where = "Positions");
    QUERY(f->world, .where = "Position");
}

static void without_memory_no_query_is_made(void** state) {
    fixture* f = *state;
    static const ilk_term terms[] = {
        {ILK_ACCESS_ANY, &Frozen_type}, {ILK_ACCESS_ANY, &Enemy_type}, {0}};
    ilk_query_desc desc = {.write = {&Position_type},
                           .read = {&Velocity_type},
                           .without = {&Anchor_type},
                           .changed = {&Position_type},
                           .terms = terms,
                           .where = "Health | !Anchor & !(Position, Anchor)",
                           .order_by = &Health_type,
                           .compare = (ilk_compare_fn*)strcmp};
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity), ILK_WITH(Health),
                             ILK_WITH(Enemy));
    ilk_register(f->world, &Anchor_type);
    ilk_query* query = NULL;
    uint64_t left = 0;
    for (; !query; left++) {
        f->memory.left = left;
        query = ilk_query_create(f->world, &desc);
        f->memory.left = UINT64_MAX;
        if (!query) assert_told(f, ILK_NO_MEMORY, "ilk_query_create");
        assert_valid(f->world);
    }
    assert_true(left > 1);
    assert_entity(ilk_query_first(f->world, query), e);
}

static void make_and_destroy(ilk_world* world) {
    ilk_query* queries[100];
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        queries[i] = QUERY(world, .read = {&Position_type}, .where = "!Enemy | Frozen");
    }
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        ilk_query_destroy(queries[i * 37 % COUNT_OF(queries)]);
    }
}

static void a_destroyed_query_gives_its_memory_back(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Enemy), ILK_WITH(Frozen));
    ilk_query* kept = QUERY(f->world, .read = {&Position_type});
    make_and_destroy(f->world);
    size_t bytes = f->memory.bytes;
    for (int round = 0; round < 10; round++) make_and_destroy(f->world);
    assert_int_equal(f->memory.bytes, bytes);
    assert_int_equal(ilk_stats(f->world).bytes, bytes);
    assert_result_count(f->world, kept, 1);
    ilk_query_destroy(NULL);
}

// What is not destroyed here is given back when the fixture closes the world, which counts.
static void queries_go_with_their_world(void** state) {
    fixture* f = *state;
    for (int i = 0; i < 1000; i++) {
        QUERY(f->world, .write = {&Position_type}, .where = "Position", .order_by_index = true);
    }
    ilk_world* other = second_world(f, 1);
    ilk_query* walked = QUERY(other, .order_by_index = true);
    ilk_create(other);
    ilk_iter it = ilk_query_iter(other, walked);
    assert_true(ilk_next(&it));
    ilk_world_destroy(other);
}

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

static void give(ilk_world* world, subject* s, place where) {
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
static void populate(ilk_world* world, place where) {
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

// The pointer to the value of one row, from the column that the access gives; NULL if there is none.
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

static void check_all_questions(fixture* f, place where) {
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
    assert_int_equal(walk(f->world, query, ilk_next), matching);
    assert_int_equal(walk(f->world, query, ilk_next_rows), matching);
    ilk_query_destroy(query);
}

static void check_conditions(fixture* f, place where) {
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

static void check_toggle(fixture* f, place where) {
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
    explains(f, any, e, "does not match: none is there of Position, Enemy");
    explains(f, where, e, "does not match: the condition does not hold: Position | Enemy");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    explains(f, any, e, "matches");
    explains(f, where, e, "matches");
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

static void ask_everything(fixture* f, ilk_query* query, ilk_entity e) {
    char text[256];
    ilk_entity collected[10];
    walk(f->world, query, ilk_next);
    walk(f->world, query, ilk_next_rows);
    ilk_query_count(f->world, query);
    ilk_query_is_empty(f->world, query);
    ilk_query_first(f->world, query);
    ilk_query_matches(f->world, query, e);
    ilk_query_collect(f->world, query, collected, COUNT_OF(collected));
    ilk_query_explain(f->world, query, e, text, sizeof(text));
    ilk_query_text(query, text, sizeof(text));
    ilk_query_stats_of(query);
}

static void check_asking_is_free(fixture* f, place where) {
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

// Walks once; what that pass did.
static ilk_query_stats pass_of(ilk_world* world, ilk_query* query) {
    ilk_query_stats before = ilk_query_stats_of(query);
    walk(world, query, ilk_next);
    ilk_query_stats after = ilk_query_stats_of(query);
    return (ilk_query_stats){after.passes - before.passes,   after.chunks - before.chunks,
                             after.skipped - before.skipped, after.whole - before.whole,
                             after.words - before.words,     after.rows - before.rows,
                             after.sorts - before.sorts,     after.rarest};
}

static void assert_pass_at(ilk_world* world, ilk_query* query, ilk_query_stats expected,
                           const char* file, int line) {
    ilk_query_stats pass = pass_of(world, query);
    _assert_int_equal(pass.passes, 1, file, line);
    _assert_int_equal(pass.chunks, expected.chunks, file, line);
    _assert_int_equal(pass.skipped, expected.skipped, file, line);
    _assert_int_equal(pass.whole, expected.whole, file, line);
    _assert_int_equal(pass.words, expected.words, file, line);
    _assert_int_equal(pass.rows, expected.rows, file, line);
    _assert_int_equal(pass.sorts, 0, file, line);
}
#define assert_pass(world, query, ...)                                                             \
    assert_pass_at((world), (query), (ilk_query_stats){__VA_ARGS__}, __FILE__, __LINE__)

// Three chunks, of 4, 16 and 64 rows; these are the first rows of each.
enum {
    FULL = 4 + 16 + 64,
    SECOND = 4,
    THIRD = 4 + 16
};

// R001.27
static void full_chunks_are_one_run_each(void** state) {
    fixture* f = *state;
    ilk_entity e[FULL];
    spawn_positions(f->world, e, FULL);
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    ilk_query* all = QUERY(f->world, 0);
    ilk_query* none = QUERY(f->world, .read = {&Position_type, &Velocity_type});
    assert_pass(f->world, query, .chunks = 3, .whole = 3, .rows = FULL);
    assert_pass(f->world, all, .chunks = 3, .whole = 3, .rows = FULL);
    assert_pass(f->world, none, .chunks = 0);
    assert_ptr_equal(ilk_query_stats_of(query).rarest, ilk_type_named(f->world, "Position"));
    assert_null(ilk_query_stats_of(all).rarest);
    assert_int_equal(ilk_query_stats_of(query).passes, 1);
}

static void holes_are_looked_at_by_64(void** state) {
    fixture* f = *state;
    ilk_entity e[FULL];
    spawn_positions(f->world, e, FULL);
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    assert_ok(ilk_destroy(f->world, e[THIRD + 30]));
    assert_pass(f->world, query, .chunks = 3, .whole = 2, .words = 1, .rows = FULL - 1);
    assert_ok(ilk_destroy(f->world, e[SECOND + 8]));
    assert_ok(ilk_destroy(f->world, e[1]));
    assert_pass(f->world, query, .chunks = 3, .words = 3, .rows = FULL - 3);
}

static void what_blocks_say_is_not_looked_at(void** state) {
    fixture* f = *state;
    ilk_entity e[FULL];
    spawn_positions(f->world, e, FULL);
    assert_ok(ilk_add(f->world, e[1], ILK_WITH(Velocity)));
    assert_ok(ilk_add(f->world, e[SECOND + 8], ILK_WITH(Velocity)));
    ilk_query* both = QUERY(f->world, .read = {&Position_type, &Velocity_type});
    assert_pass(f->world, both, .chunks = 2, .words = 2, .rows = 2);
    assert_ok(ilk_remove(f->world, e[1], &Velocity_type));
    assert_pass(f->world, both, .chunks = 2, .skipped = 1, .words = 1, .rows = 1);
    assert_ok(ilk_add_many(f->world, e, 4, &Enemy_type, NULL));
    assert_ok(ilk_add(f->world, e[THIRD + 30], ILK_WITH(Enemy)));
    ilk_query* peaceful = QUERY(f->world, .read = {&Position_type}, .without = {&Enemy_type});
    assert_pass(f->world, peaceful, .chunks = 3, .skipped = 1, .whole = 1, .words = 1,
                .rows = 16 + 63);
}

// R003.8 C9
static void the_rarest_type_leads(void** state) {
    fixture* f = *state;
    static ilk_entity e[FULL + 256];
    spawn_positions(f->world, e, COUNT_OF(e));
    assert_ok(ilk_add_many(f->world, e + SECOND, 17, &Velocity_type, NULL));
    assert_ok(ilk_add(f->world, e[FULL], ILK_WITH(Frozen)));
    ilk_query* two = QUERY(f->world, .write = {&Position_type}, .read = {&Velocity_type});
    assert_pass(f->world, two, .chunks = 2, .whole = 1, .words = 1, .rows = 17);
    assert_ptr_equal(ilk_query_stats_of(two).rarest, ilk_type_named(f->world, "Velocity"));
    assert_ok(ilk_add(f->world, e[SECOND], ILK_WITH(Frozen)));
    assert_ok(ilk_remove(f->world, e[FULL], &Frozen_type));
    settle_fully(f->world);
    ilk_query* three =
        QUERY(f->world, .read = {&Velocity_type, &Position_type}, .with = {&Frozen_type});
    assert_result_count(f->world, three, 1);
    assert_ptr_equal(ilk_query_stats_of(three).rarest, ilk_type_named(f->world, "Frozen"));
    assert_entity(ilk_query_first(f->world, three), e[SECOND]);
}

// R001.26 R001.27
static void terms_are_tested_by_chunk_and_never_by_entity(void** state) {
    fixture* f = *state;
    enum {
        MANY = FULL + 256 + 1024
    };
    static ilk_entity e[MANY];
    spawn_positions(f->world, e, MANY);
    ilk_register(f->world, &Enemy_type);
    ilk_query* queries[] = {
        QUERY(f->world, .with = {&Position_type}),
        QUERY(f->world, .write = {&Position_type}, .without = {&Enemy_type}),
        QUERY(f->world, .any = {&Position_type, &Enemy_type}),
        QUERY(f->world, .where = "Position & !Enemy"),
    };
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        assert_pass(f->world, queries[i], .chunks = 5, .whole = 5, .rows = MANY);
        assert_int_equal(ilk_query_count(f->world, queries[i]), MANY);
    }
    assert_ok(ilk_add(f->world, e[FULL + 100], ILK_WITH(Enemy)));
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        ilk_query_stats pass = pass_of(f->world, queries[i]);
        assert_int_equal(pass.chunks, 5);
        assert_true(pass.words <= 256 / 64);
    }
}

enum {
    LIVE_QUERIES = 10000
};

static void make_many_queries(ilk_world* world, ilk_query** queries) {
    for (uint32_t i = 0; i < LIVE_QUERIES; i++) {
        ilk_query_desc desc = {.read = {i % 2 ? &Position_type : &Health_type},
                               .without = {i % 3 ? &Frozen_type : NULL},
                               .any = {i % 5 ? &Velocity_type : NULL, &Enemy_type},
                               .changed = {i % 7 ? NULL : &Position_type},
                               .order_by_index = i % 11 == 0};
        queries[i] = query_of(world, desc);
    }
}

// One thing after another that changes a world, each with what the one before left.
static ilk_entity staff[300];

static void errand_create(ilk_world* world) {
    assert_ok(ilk_create_many(world, staff + 200, 100));
    ilk_create(world);
}

static void errand_spawn(ilk_world* world) {
    for (int i = 0; i < 200; i++)
        staff[i] = ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(Velocity));
}

static void errand_add(ilk_world* world) {
    assert_ok(ilk_add(world, staff[250], ILK_WITH(Health)));
    assert_ok(ilk_add_many(world, staff, 100, &Enemy_type, NULL));
    assert_non_null(ILK_ENSURE(world, staff[1], Health));
}

static void errand_change(ilk_world* world) {
    assert_ok(ilk_set(world, staff[0], ILK_VALUE(Position, 1, 1)));
    assert_ok(ilk_replace(world, staff[0], ILK_VALUE(Position, 1, 1)));
    assert_non_null(ILK_EDIT(world, staff[0], Position));
    assert_ok(ilk_mark(world, staff[0], &Position_type));
}

static void errand_toggle(ilk_world* world) {
    assert_ok(ilk_disable(world, staff[0], &Position_type));
    assert_ok(ilk_enable(world, staff[0], &Position_type));
}

static void errand_remove(ilk_world* world) {
    assert_ok(ilk_remove(world, staff[2], &Velocity_type));
    assert_ok(ilk_remove_many(world, staff, 50, &Enemy_type));
    assert_ok(ilk_remove_all(world, staff[3]));
}

static void errand_copy(ilk_world* world) {
    assert_false(ilk_is_null(ilk_copy(world, staff[0])));
}

static void errand_batch(ilk_world* world) {
    ilk_batch batch;
    assert_ok(ilk_spawn_many(world, &batch, 500, ILK_TYPES(&Position_type, &Health_type)));
}

static void errand_destroy(ilk_world* world) {
    assert_ok(ilk_destroy(world, staff[4]));
    assert_ok(ilk_destroy_many(world, staff + 5, 100));
}

static void errand_settle(ilk_world* world) {
    settle_fully(world);
}

typedef void errand_fn(ilk_world* world);
static errand_fn* const errands[] = {errand_create,  errand_spawn,  errand_add,  errand_change,
                                     errand_toggle,  errand_remove, errand_copy, errand_batch,
                                     errand_destroy, errand_settle, ilk_trim,    ilk_clear};

// The memory that each errand asks for.
typedef struct bill {
    uint64_t calls[COUNT_OF(errands)];
    size_t grown[COUNT_OF(errands)];
} bill;

static bill run_errands(fixture* f, ilk_world* world) {
    bill b;
    for (uint32_t i = 0; i < COUNT_OF(errands); i++) {
        uint64_t calls = f->memory.calls;
        size_t bytes = ilk_stats(world).bytes;
        errands[i](world);
        b.calls[i] = f->memory.calls - calls;
        b.grown[i] = ilk_stats(world).bytes - bytes;
    }
    return b;
}

// R004.5 R004.6 R004.7
static void ten_thousand_queries_cost_a_change_nothing(void** state) {
    fixture* f = *state;
    static ilk_query* queries[LIVE_QUERIES];
    ilk_world *alone = second_world(f, 0), *crowded = second_world(f, 0);
    make_many_queries(crowded, queries);
    bill without = run_errands(f, alone), with = run_errands(f, crowded);
    for (uint32_t i = 0; i < COUNT_OF(errands); i++) {
        assert_true(with.calls[i] <= without.calls[i]);
        assert_int_equal(with.grown[i], without.grown[i]);
    }
    for (uint32_t i = 0; i < LIVE_QUERIES; i++) {
        ilk_query_stats stats = ilk_query_stats_of(queries[i]);
        assert_int_equal(stats.passes + stats.chunks + stats.words + stats.rows, 0);
    }
    ilk_world_destroy(alone);
    ilk_world_destroy(crowded);
}

// R004.7
static void a_query_is_small(void** state) {
    fixture* f = *state;
    static ilk_query* queries[LIVE_QUERIES];
    ilk_world* world = second_world(f, 0);
    size_t others = f->memory.bytes - ilk_stats(world).bytes;
    size_t before = f->memory.bytes;
    make_many_queries(world, queries);
    assert_true((f->memory.bytes - before) / LIVE_QUERIES < 1024);
    assert_int_equal(ilk_stats(world).bytes, f->memory.bytes - others);
    for (uint32_t i = 0; i < LIVE_QUERIES; i++) ilk_query_destroy(queries[i]);
    ilk_trim(world);
    assert_true(f->memory.bytes - before < LIVE_QUERIES);
    ilk_world_destroy(world);
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
        WORLD_TEST(a_query_without_terms_matches_every_entity),
        WORLD_TEST(null_types_are_passed_over),
        WORLD_TEST(a_list_has_room_for_eight),
        WORLD_TEST(a_description_is_not_needed_any_more),
        WORLD_TEST(a_type_may_go_once_it_was_used),
        WORLD_TEST(a_query_introduces_no_type),
        WORLD_TEST(a_query_has_any_number_of_types),
        WORLD_TEST(terms_beyond_64_count_too),
        WORLD_TEST(a_type_that_nobody_has_gives_an_empty_result),
        WORLD_TEST(a_query_made_before_a_type_is_used_sees_later_entities),
        WORLD_TEST(making_a_query_looks_at_nothing),
        WORLD_TEST(a_type_asked_for_in_two_ways_is_refused),
        WORLD_TEST(a_type_may_be_in_several_lists),
        WORLD_TEST(unsound_types_are_refused),
        WORLD_TEST(a_clashing_type_is_refused),
        WORLD_TEST(a_foreign_type_matches_nothing),
        WORLD_TEST(an_access_that_is_none_is_refused),
        WORLD_TEST(an_order_needs_a_comparison),
        WORLD_TEST(a_malformed_condition_is_refused),
        WORLD_TEST(a_refusal_shows_the_place),
        WORLD_TEST(parentheses_go_64_deep),
        WORLD_TEST(nots_go_64_deep),
        WORLD_TEST(a_name_may_stand_in_quotes),
        WORLD_TEST(a_long_condition_is_read),
        WORLD_TEST(a_name_that_no_type_has_is_missing),
        WORLD_TEST(without_memory_no_query_is_made),
        WORLD_TEST(a_destroyed_query_gives_its_memory_back),
        WORLD_TEST(queries_go_with_their_world),
        cmocka_unit_test(every_kind_of_term_is_true_where_it_should_be),
        cmocka_unit_test(conditions_nest),
        WORLD_TEST(conditions_bind_as_they_should),
        WORLD_TEST(a_condition_narrows_the_lists),
        cmocka_unit_test(what_is_switched_off_counts_as_absent),
        WORLD_TEST(empty_entities_have_nothing),
        WORLD_TEST(queries_are_live_and_collected_results_are_not),
        WORLD_TEST(a_result_is_collected_as_far_as_there_is_room),
        WORLD_TEST(the_number_that_match_is_the_number_visited),
        WORLD_TEST(the_dead_match_nothing),
        WORLD_TEST(each_term_that_fails_is_explained),
        WORLD_TEST(any_and_conditions_are_explained),
        WORLD_TEST(a_query_is_shown_as_text),
        WORLD_TEST(texts_are_cut_to_the_room),
        cmocka_unit_test(asking_and_walking_need_no_memory),
        WORLD_TEST(full_chunks_are_one_run_each),
        WORLD_TEST(holes_are_looked_at_by_64),
        WORLD_TEST(what_blocks_say_is_not_looked_at),
        WORLD_TEST(the_rarest_type_leads),
        WORLD_TEST(terms_are_tested_by_chunk_and_never_by_entity),
        WORLD_TEST(ten_thousand_queries_cost_a_change_nothing),
        WORLD_TEST(a_query_is_small),
        WORLD_TEST(a_query_of_another_world_is_invalid),
        WORLD_TEST(nothing_is_asked_of_nothing),
        cmocka_unit_test(mirrored_queries_of_one_to_four_types),
        WORLD_TEST(mirrored_streams),
        WORLD_TEST(mirrored_iterators),
        WORLD_TEST(mirrored_edge_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
