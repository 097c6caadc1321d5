// Edges: rings, the free list, the table by both ends.
#include "relation/edges.h"

#include "support.h"

typedef struct edge_fixture {
    meter m;
    ilki_memory memory;
    ilki_pool pool;
    ilki_edges edges;
} edge_fixture;

static int open_edges(void** state) {
    edge_fixture* f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->m.left = UINT64_MAX;
    ilki_memory_init(&f->memory, &(ilk_allocator){meter_alloc, meter_free, &f->m});
    ilki_pool_init(&f->pool, &f->memory);
    ilki_edges_init(&f->edges, NULL, true);
    *state = f;
    return 0;
}

static int close_edges(void** state) {
    edge_fixture* f = *state;
    ilki_edges_fini(&f->edges, &f->pool);
    ilki_pool_fini(&f->pool);
    assert_int_equal(f->m.bytes, 0);
    free(f);
    return 0;
}
#define EDGE_TEST(function) cmocka_unit_test_setup_teardown(function, open_edges, close_edges)

static uint32_t take(edge_fixture* f, uint32_t source, uint32_t target) {
    assert_true(ilki_edges_ready(&f->edges, &f->pool, 1));
    return ilki_edge_take(&f->edges, source, target, 7);
}

// Takes an edge, and enters it beside another one of its source.
static void take_beside(edge_fixture* f, uint32_t source, uint32_t target, uint32_t first) {
    uint32_t edge = take(f, source, target);
    if (edge != first) ilki_edge_join_source(&f->edges, edge, first, 7);
}

static void leave(edge_fixture* f, uint32_t edge) {
    ilki_edge_leave_source(&f->edges, edge, 8);
    ilki_edge_free(&f->edges, edge, 8);
}

static void edges_are_found_by_their_ends(void** state) {
    edge_fixture* f = *state;
    for (uint32_t i = 0; i < 3000; i++) take_beside(f, i % 50, i, i % 50);
    for (uint32_t i = 0; i < 3000; i += 2) leave(f, i);
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t found = ilki_edge_find(&f->edges, i % 50, i);
        assert_int_equal(found, i % 2 ? i : ILKI_NONE);
        assert_int_equal(ilki_edge_find(&f->edges, i % 50 + 1, i), ILKI_NONE);
    }
    assert_int_equal(f->edges.count, 1500);
    assert_int_equal(f->edges.entered, 1500);
}

static void the_table_has_no_edge_that_is_the_only_one(void** state) {
    edge_fixture* f = *state;
    for (uint32_t i = 0; i < 1000; i++) take(f, i, i);
    assert_int_equal(f->edges.table_capacity, 16);
    assert_int_equal(f->edges.entered, 0);
    take_beside(f, 5, 2000, 5);
    take_beside(f, 5, 2001, 5);
    assert_int_equal(f->edges.entered, 3);
    assert_int_equal(ilki_edge_find(&f->edges, 5, 5), 5);
    assert_int_equal(ilki_edge_find(&f->edges, 5, 2001), 1001);
    assert_int_equal(ilki_edge_find(&f->edges, 6, 6), ILKI_NONE);
    leave(f, 5);
    assert_int_equal(ilki_edge_find(&f->edges, 5, 2000), 1000);
    leave(f, 1001);
    assert_int_equal(f->edges.entered, 0);
    assert_true(ilki_edge_is_only(&f->edges, 1000));
}

static void the_last_freed_is_taken_first(void** state) {
    edge_fixture* f = *state;
    for (uint32_t i = 0; i < 5; i++) assert_int_equal(take(f, i, i), i);
    ilki_edge_free(&f->edges, 1, 8);
    ilki_edge_free(&f->edges, 3, 9);
    assert_int_equal(f->edges.pages[0]->touched, 9);
    assert_int_equal(take(f, 9, 9), 3);
    assert_int_equal(take(f, 9, 8), 1);
    assert_int_equal(take(f, 9, 7), 5);
}

static void rings_are_in_order(void** state) {
    edge_fixture* f = *state;
    for (uint32_t i = 0; i < 4; i++) {
        take_beside(f, 0, i, 0);
        if (i) ilki_edge_join_target(&f->edges, i, 0, 7);
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(ilki_edge_at(&f->edges, i)->next_target, (i + 1) % 4);
        assert_int_equal(ilki_edge_at(&f->edges, i)->previous_source, (i + 3) % 4);
    }
    ilki_edge_leave_source(&f->edges, 2, 8);
    ilki_edge_leave_target(&f->edges, 0, 8);
    assert_int_equal(ilki_edge_at(&f->edges, 1)->next_target, 3);
    assert_int_equal(ilki_edge_at(&f->edges, 2)->next_target, 2);
    assert_int_equal(ilki_edge_at(&f->edges, 3)->next_source, 1);
}

static void trimming_frees_pages_at_the_end(void** state) {
    edge_fixture* f = *state;
    for (uint32_t i = 0; i < 4 * ILKI_PAGE_EDGES; i++) take_beside(f, 6, i, 0);
    size_t bytes = ilki_edges_bytes(&f->edges);
    for (uint32_t i = 10; i < 4 * ILKI_PAGE_EDGES; i++) leave(f, i);
    leave(f, 3);
    ilki_edges_trim(&f->edges, &f->pool);
    assert_int_equal(f->edges.page_count, 1);
    assert_true(ilki_edges_bytes(&f->edges) < bytes / 3);
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(ilki_edge_find(&f->edges, 6, i), i == 3 ? ILKI_NONE : i);
    }
    assert_int_equal(take(f, 77, 77), 3);
    assert_int_equal(take(f, 78, 78), 10);
}

static void without_memory_nothing_is_lost(void** state) {
    edge_fixture* f = *state;
    for (uint32_t i = 0; i < ILKI_PAGE_EDGES; i++) take_beside(f, 6, i, 0);
    f->m.left = 0;
    ilki_memory before = f->memory;
    assert_false(ilki_edges_ready(&f->edges, &f->pool, 100000));
    assert_int_equal(before.bytes[ILKI_EDGES] > 0, true);
    for (uint32_t i = 0; i < ILKI_PAGE_EDGES; i++) {
        assert_int_equal(ilki_edge_find(&f->edges, 6, i), i);
    }
    f->m.left = UINT64_MAX;
    assert_true(ilki_edges_ready(&f->edges, &f->pool, 100000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        EDGE_TEST(edges_are_found_by_their_ends),
        EDGE_TEST(the_table_has_no_edge_that_is_the_only_one),
        EDGE_TEST(the_last_freed_is_taken_first),
        EDGE_TEST(rings_are_in_order),
        EDGE_TEST(trimming_frees_pages_at_the_end),
        EDGE_TEST(without_memory_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
