// Queries: how they are made and refused, and how they go; conditions as callers write them.
#include "query_support.h"

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
    said(f, "ilk_query_create: at 11 in \"Position, Nobody\": no type in use is called 'Nobody'");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_query_without_terms_matches_every_entity),
        WORLD_TEST(a_description_is_not_needed_any_more),
        WORLD_TEST(a_type_may_go_once_it_was_used),
        WORLD_TEST(a_query_introduces_no_type),
        WORLD_TEST(a_type_that_nobody_has_gives_an_empty_result),
        WORLD_TEST(a_query_made_before_a_type_is_used_sees_later_entities),
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
