// Terms: the lists of a description, how many there may be, and what is refused.
#include "component/registry.h"

#include "query_support.h"

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
    query = QUERY(f->world, .maybe = {&Position_type}, .without = {&Position_type});
    assert_result_count(f->world, query, 0);
    ilk_entity without = ilk_create(f->world);
    assert_entity(ilk_query_first(f->world, query), without);
}

static int by_depth(const void* a, const void* b) {
    uint64_t x = ((const Anchor*)a)->depth, y = ((const Anchor*)b)->depth;
    return (x > y) - (x < y);
}

// What is asked for and must not be there is a mistake, and not an empty result. R001.24
static void what_can_never_match_is_refused(void** state) {
    fixture* f = *state;
    const ilk_term terms[] = {{ILK_ACCESS_WITHOUT, &Enemy_type}, {0}};
    size_t bytes = f->memory.bytes;
    refused(f, ILK_INVALID, .with = {&Position_type}, .without = {&Frozen_type, &Position_type});
    assert_string_equal(f->told.type, "Position");
    said(f, "ilk_query_create: Position: it is under .with and under .without: nothing can match");
    refused(f, ILK_INVALID, .write = {&Position_type}, .without = {&Position_type});
    said(f, "ilk_query_create: Position: it is under .write and under .without: nothing can match");
    refused(f, ILK_INVALID, .read = {&Position_type, &Enemy_type}, .terms = terms);
    said(f, "ilk_query_create: Enemy: it is under .read and under .without: nothing can match");
    refused(f, ILK_INVALID, .without = {&Anchor_type}, .order_by = &Anchor_type,
            .compare = by_depth);
    said(f,
         "ilk_query_create: Anchor: it is under .order_by and under .without: nothing can match");
    refused(f, ILK_INVALID, .any = {&Enemy_type}, .terms = terms);
    said(f, "ilk_query_create: Enemy: it is under .any and under .without: nothing can match");
    refused(f, ILK_INVALID, .changed = {&Enemy_type}, .terms = terms);
    said(f, "ilk_query_create: Enemy: it is under .changed and under .without: nothing can match");
    refused(f, ILK_INVALID, .added = {&Enemy_type}, .without = {&Enemy_type});
    said(f, "ilk_query_create: Enemy: it is under .added and under .without: nothing can match");
    refused(f, ILK_INVALID, .any = {&Enemy_type, &Frozen_type}, .without = {&Frozen_type},
            .terms = terms);
    said(f, "ilk_query_create: Enemy: it and all others under .any are under .without too: nothing "
            "can match");
    ilk_trim(f->world);
    assert_int_equal(f->memory.bytes, bytes);
}

// Of those of which one is enough, another may be there; and a condition is taken at its word.
static void what_can_match_is_made(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Frozen));
    ILK_SPAWN(f->world, ILK_WITH(Frozen), ILK_WITH(Enemy));
    ilk_query* queries[] = {
        QUERY(f->world, .any = {&Enemy_type, &Frozen_type}, .without = {&Enemy_type}),
        QUERY(f->world, .any = {&Frozen_type, &Enemy_type}, .without = {&Enemy_type}),
        QUERY(f->world, .changed = {&Enemy_type, &Frozen_type}, .without = {&Enemy_type}),
        QUERY(f->world, .added = {&Enemy_type, &Frozen_type}, .without = {&Enemy_type}),
    };
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        assert_int_equal(ilk_query_count(f->world, queries[i]), 1);
        assert_entity(ilk_query_first(f->world, queries[i]), e);
    }
    assert_result_count(f->world, QUERY(f->world, .without = {&Enemy_type}, .where = "Enemy"), 0);
    assert_result_count(f->world, QUERY(f->world, .where = "Frozen & !Frozen"), 0);
    assert_quiet(f);
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

static int by_points(const void* a, const void* b) {
    int32_t x = ((const Health*)a)->points, y = ((const Health*)b)->points;
    return (x > y) - (x < y);
}

static void no_query_is_ordered_in_two_ways(void** state) {
    fixture* f = *state;
    refused(f, ILK_INVALID, .order_by = &Health_type, .compare = by_points, .order_by_index = true);
    said(f, "ilk_query_create: it is to be ordered in two ways");
    refused(f, ILK_INVALID, .read = {&Health_type}, .compare = by_points);
    said(f, "ilk_query_create: order_by and compare go together");
    QUERY(f->world, .order_by = &Health_type, .compare = by_points);
    QUERY(f->world, .read = {&Health_type}, .order_by_index = true);
    assert_quiet(f);
}

// Asks for the first `count` of twenty types, with memory for so many allocations.
static ilk_query* try_terms(fixture* f, uint32_t count, uint64_t left) {
    ilk_term terms[21] = {0};
    for (uint32_t i = 0; i < count; i++) terms[i] = (ilk_term){ILK_ACCESS_WITH, &twenty[i]};
    f->memory.left = left;
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){.terms = terms});
    f->memory.left = UINT64_MAX;
    return query;
}

static void more_than_sixteen_terms_need_memory(void** state) {
    fixture* f = *state;
    name_twenty();
    ilk_query_destroy(QUERY(f->world, 0)); // its memory serves the next
    size_t bytes = f->memory.bytes;
    ilk_query* query = try_terms(f, 16, 0);
    assert_non_null(query);
    ilk_query_destroy(query);
    assert_null(try_terms(f, 17, 0));
    assert_told(f, ILK_NO_MEMORY, "ilk_query_create");
    assert_int_equal(f->memory.bytes, bytes);
    query = try_terms(f, 17, 1);
    assert_non_null(query);
    assert_true(f->memory.bytes > bytes);
    ilk_query_destroy(query);
    assert_int_equal(f->memory.bytes, bytes);
}

static void* no_memory(size_t size) {
    (void)size;
    return NULL;
}

static void a_type_that_there_is_no_memory_for_is_named(void** state) {
    fixture* f = *state;
    ilk_type type = {.name = "asked in vain", .size = 4};
    void* (*before)(size_t) = ilki_type_alloc;
    ilki_type_alloc = no_memory;
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){.with = {&type}});
    ilki_type_alloc = before;
    assert_null(query);
    assert_told(f, ILK_NO_MEMORY, "ilk_query_create");
    assert_string_equal(f->told.type, "asked in vain");
    assert_result_count(f->world, QUERY(f->world, .with = {&type}), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(null_types_are_passed_over),
        WORLD_TEST(a_list_has_room_for_eight),
        WORLD_TEST(a_query_has_any_number_of_types),
        WORLD_TEST(terms_beyond_64_count_too),
        WORLD_TEST(a_type_asked_for_in_two_ways_is_refused),
        WORLD_TEST(a_type_may_be_in_several_lists),
        WORLD_TEST(what_can_never_match_is_refused),
        WORLD_TEST(what_can_match_is_made),
        WORLD_TEST(unsound_types_are_refused),
        WORLD_TEST(a_clashing_type_is_refused),
        WORLD_TEST(a_foreign_type_matches_nothing),
        WORLD_TEST(an_access_that_is_none_is_refused),
        WORLD_TEST(an_order_needs_a_comparison),
        WORLD_TEST(no_query_is_ordered_in_two_ways),
        WORLD_TEST(more_than_sixteen_terms_need_memory),
        WORLD_TEST(a_type_that_there_is_no_memory_for_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
