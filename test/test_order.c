// Order: lists that are sorted, who holds them, and what there is without memory for them.
#include "storage/looking.h"

#include "query_support.h"

static int by_points(const void* a, const void* b) {
    int32_t x = ((const Health*)a)->points, y = ((const Health*)b)->points;
    return (x > y) - (x < y);
}

static ilk_query* sickest_first(ilk_world* world) {
    return QUERY(world, .read = {&Health_type}, .order_by = &Health_type, .compare = by_points);
}

// Entities with few different points.
static void spawn_patients(ilk_world* world, ilk_entity* e, uint32_t count) {
    uint64_t seed = count;
    for (uint32_t i = 0; i < count; i++) {
        e[i] = ILK_SPAWN(world, ILK_VALUE(Health, (int32_t)(next_random(&seed) % 9)));
    }
}

static int32_t points_of(ilk_world* world, ilk_entity e) {
    return ILK_GET(world, e, Health)->points;
}

// Whether one comes before another: fewer points, or as many and a lower index.
static bool is_before(ilk_world* world, ilk_entity a, ilk_entity b) {
    int32_t x = points_of(world, a), y = points_of(world, b);
    return x < y || (x == y && a.index < b.index);
}

static void any_number_of_entities_is_sorted(void** state) {
    fixture* f = *state;
    ilk_entity e[70], sorted[70];
    ilk_query* query = sickest_first(f->world);
    for (uint32_t count = 0; count <= COUNT_OF(e); count++) {
        ilk_clear(f->world);
        spawn_patients(f->world, e, count);
        assert_int_equal(ilk_query_collect(f->world, query, sorted, COUNT_OF(sorted)), count);
        for (uint32_t i = 1; i < count; i++) {
            assert_true(is_before(f->world, sorted[i - 1], sorted[i]));
        }
    }
}

// A list of pairs to sort, and the sorted one: without either there is no answer.
static void a_question_in_order_needs_memory(void** state) {
    fixture* f = *state;
    ilk_entity e[50], got[50];
    spawn_patients(f->world, e, COUNT_OF(e));
    ilk_query* query = sickest_first(f->world);
    size_t bytes = f->memory.bytes;
    for (uint64_t left = 0; left < 2; left++) {
        f->memory.left = left;
        assert_true(ilk_is_null(ilk_query_first(f->world, query)));
        assert_told(f, ILK_NO_MEMORY, "ilk_query_first");
        f->memory.left = left;
        assert_int_equal(ilk_query_collect(f->world, query, got, COUNT_OF(got)), 0);
        assert_told(f, ILK_NO_MEMORY, "ilk_query_collect");
        assert_int_equal(f->memory.bytes, bytes);
    }
    f->memory.left = 2;
    assert_int_equal(ilk_query_collect(f->world, query, got, COUNT_OF(got)), COUNT_OF(e));
    f->memory.left = UINT64_MAX;
    for (uint32_t i = 1; i < COUNT_OF(e); i++) {
        assert_true(is_before(f->world, got[i - 1], got[i]));
    }
}

// What does not depend on the order can be asked without memory.
static void other_questions_need_no_memory(void** state) {
    fixture* f = *state;
    ilk_entity e[50];
    spawn_patients(f->world, e, COUNT_OF(e));
    ilk_query* query = sickest_first(f->world);
    f->memory.left = 0;
    assert_int_equal(ilk_query_count(f->world, query), COUNT_OF(e));
    assert_false(ilk_query_is_empty(f->world, query));
    assert_true(ilk_query_matches(f->world, query, e[7]));
    assert_quiet(f);
    f->memory.left = UINT64_MAX;
}

// A walk in an order that has begun is refused as any other, and goes on.
static void a_walk_in_order_that_has_begun_is_not_cut(void** state) {
    fixture* f = *state;
    ilk_entity e[10];
    ilk_iter parts[2];
    spawn_patients(f->world, e, COUNT_OF(e));
    ilk_iter it = ilk_query_iter(f->world, sickest_first(f->world));
    assert_int_equal(ilk_iter_split(&it, parts, 2), ILK_INVALID);
    said(f, "ilk_iter_split: what is in an order cannot be split");
    assert_true(ilk_next(&it));
    assert_int_equal(ilk_iter_split(&it, parts, 2), ILK_INVALID);
    said(f, "ilk_iter_split: the walk has begun, or is over");
    uint32_t rows = it.count;
    while (ilk_next(&it)) rows += it.count;
    assert_int_equal(rows, COUNT_OF(e));
    assert_int_equal(it.result, ILK_OK);
}

// Two walks with lists of their own; each list goes with the last who holds it.
static void a_list_goes_with_its_last_holder(void** state) {
    fixture* f = *state;
    ilk_entity e[20];
    spawn_patients(f->world, e, COUNT_OF(e));
    ilk_query* query = sickest_first(f->world);
    size_t bytes = f->memory.bytes;
    ilk_iter first = ilk_query_iter(f->world, query);
    assert_int_equal(f->memory.bytes, bytes + ilki_order_bytes(20));
    assert_ok(ilk_disable(f->world, e[3], &Health_type));
    ilk_iter second = ilk_query_iter(f->world, query), third = ilk_query_iter(f->world, query);
    assert_int_equal(f->memory.bytes, bytes + ilki_order_bytes(20) + ilki_order_bytes(19));
    ilk_iter_end(&first);
    assert_int_equal(f->memory.bytes, bytes + ilki_order_bytes(19));
    ilk_iter_end(&second);
    assert_true(ilk_next(&third));
    ilk_query_destroy(query);
    assert_int_equal(f->memory.bytes, bytes);
    assert_false(ilk_next(&third));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(any_number_of_entities_is_sorted),
        WORLD_TEST(a_question_in_order_needs_memory),
        WORLD_TEST(other_questions_need_no_memory),
        WORLD_TEST(a_walk_in_order_that_has_begun_is_not_cut),
        WORLD_TEST(a_list_goes_with_its_last_holder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
