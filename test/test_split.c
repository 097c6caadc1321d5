// Walks that are cut into parts.
#include "iter_support.h"

// The parts of a walk, one after the other, are the walk. Returns the rows of the largest.
static uint32_t check_parts(fixture* f, ilk_query* query, uint32_t count) {
    static visits whole, together;
    static ilk_iter parts[32];
    uint32_t largest = 0;
    walk(f->world, query, walk_runs, &whole);
    ilk_iter it = ilk_query_iter(f->world, query);
    assert_ok(ilk_iter_split(&it, parts, count));
    together.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before = together.count;
        (i % 2 ? walk_rows : walk_mixed)(&parts[i], &together);
        assert_int_equal(parts[i].result, ILK_OK);
        if (together.count - before > largest) largest = together.count - before;
    }
    assert_same_visits(&whole, &together);
    ilk_iter_end(&it);
    assert_false(ilk_next(&it));
    return largest;
}

static void check_split(fixture* f, ilk_query* query, const ilk_query_desc* desc) {
    (void)desc;
    for (uint32_t count = 1; count <= 32; count += count < 5 ? 1 : 9) check_parts(f, query, count);
}

static void parts_cover_a_walk_in_order(void** state) {
    (void)state;
    in_each_scene(check_split);
}

// No part has more than twice its share, give or take a word of rows.
static void assert_even_parts(fixture* f, ilk_query* query) {
    uint32_t rows = ilk_query_count(f->world, query);
    assert_true(rows > 300);
    for (uint32_t count = 2; count <= 8; count++) {
        assert_true(check_parts(f, query, count) <= 2 * rows / count + 64);
    }
}

static void parts_are_about_equal(void** state) {
    fixture* f = *state;
    static scene s;
    s = (scene){.world = f->world};
    build_full(&s);
    for (int i = 900; i < 1300; i++) assert_ok(ilk_add(f->world, s.e[i], ILK_WITH(Enemy)));
    assert_even_parts(f, QUERY(f->world, .read = {&Position_type}));
    assert_even_parts(f, QUERY(f->world, .read = {&Position_type}, .with = {&Enemy_type}));
    assert_even_parts(f, QUERY(f->world, .read = {&Position_type}, .without = {&Enemy_type}));
}

// The first chunks are full of rows that match, or have hardly any.
static void parts_are_about_equal_where_few_match(void** state) {
    fixture* f = *state;
    static scene s;
    s = (scene){.world = f->world};
    build_full(&s);
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 400, ILK_TYPES(&Position_type)));
    for (int i = 0; i < PEOPLE; i += 50) assert_ok(ilk_remove(f->world, s.e[i], &Velocity_type));
    assert_even_parts(f, QUERY(f->world, .without = {&Velocity_type}));
}

static void parts_are_about_equal_without_places(void** state) {
    fixture* f = *state;
    static scene s;
    s = (scene){.world = f->world};
    build_empty(&s);
    assert_even_parts(f, QUERY(f->world, 0));
}

static void there_may_be_more_parts_than_rows(void** state) {
    fixture* f = *state;
    ilk_query* all = QUERY(f->world, 0);
    check_parts(f, all, 8);
    ilk_create(f->world);
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ILK_SPAWN(f->world, ILK_WITH(Velocity));
    for (uint32_t count = 1; count <= 32; count++) check_parts(f, all, count);
}

static void parts_have_columns(void** state) {
    fixture* f = *state;
    static scene s;
    ilk_iter parts[4];
    s = (scene){.world = f->world};
    build_small_guests(&s);
    ilk_query_desc desc = {.write = {&Cargo_type}, .maybe = {&Velocity_type}};
    ilk_iter it = ilk_query_iter(f->world, query_of(f->world, desc));
    assert_ok(ilk_iter_split(&it, parts, 4));
    for (uint32_t i = 4; i-- > 0;) {
        while (ilk_next(&parts[i])) check_all_columns(&parts[i], &desc, false);
    }
    ilk_iter_end(&it);
}

// A walk that has given its first run is not cut, and goes on as if nobody had asked.
static void check_begun(fixture* f, ilk_query* query, uint32_t rows) {
    static visits v;
    ilk_iter parts[4], it = ilk_query_iter(f->world, query);
    v.count = 0;
    assert_true(ilk_next(&it));
    visit_run(&v, &it);
    assert_int_equal(ilk_iter_split(&it, parts, 4), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_iter_split");
    walk_runs(&it, &v);
    assert_int_equal(v.count, rows);
    assert_int_equal(ilk_iter_split(&it, parts, 4), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_iter_split");
}

static void what_has_begun_is_not_cut(void** state) {
    fixture* f = *state;
    static scene s;
    s = (scene){.world = f->world};
    ilk_query* all = QUERY(f->world, 0);
    for (int i = 0; i < 100; i++) ilk_create(f->world);
    check_begun(f, all, 100);
    build_full(&s);
    check_begun(f, all, 100 + PEOPLE);
    check_begun(f, QUERY(f->world, .read = {&Position_type}), PEOPLE);
}

static void what_has_an_order_is_not_cut(void** state) {
    fixture* f = *state;
    ilk_iter parts[2];
    ilk_entity e[100];
    spawn_patients(f->world, e, COUNT_OF(e));
    ilk_query* queries[] = {QUERY(f->world, .read = {&Health_type}, .order_by_index = true),
                            QUERY(f->world, .order_by = &Health_type, .compare = by_points)};
    for (int i = 0; i < 2; i++) {
        ilk_iter it = ilk_query_iter(f->world, queries[i]);
        assert_int_equal(ilk_iter_split(&it, parts, 2), ILK_INVALID);
        ilk_iter_end(&it);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_cover_a_walk_in_order),
        WORLD_TEST(parts_are_about_equal),
        WORLD_TEST(parts_are_about_equal_where_few_match),
        WORLD_TEST(parts_are_about_equal_without_places),
        WORLD_TEST(there_may_be_more_parts_than_rows),
        WORLD_TEST(parts_have_columns),
        WORLD_TEST(what_has_begun_is_not_cut),
        WORLD_TEST(what_has_an_order_is_not_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
