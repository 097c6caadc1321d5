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

static void edges_are_found_by_their_ends(void** state) {
    edge_fixture* f = *state;
    for (uint32_t i = 0; i < 3000; i++) take(f, i % 50, i);
    for (uint32_t i = 0; i < 3000; i += 2) {
        ilki_edge_free(&f->edges, ilki_edge_find(&f->edges, i % 50, i), 8);
    }
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t found = ilki_edge_find(&f->edges, i % 50, i);
        assert_int_equal(found, i % 2 ? i : ILKI_NONE);
        assert_int_equal(ilki_edge_find(&f->edges, i % 50 + 1, i), ILKI_NONE);
    }
    assert_int_equal(f->edges.count, 1500);
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
        ilki_edge_join_source(&f->edges, take(f, 0, i), i ? 0 : ILKI_NONE, 7);
        ilki_edge_join_target(&f->edges, i, i ? 0 : ILKI_NONE, 7);
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
    for (uint32_t i = 0; i < 4 * ILKI_PAGE_EDGES; i++) take(f, i, i);
    size_t bytes = ilki_edges_bytes(&f->edges);
    for (uint32_t i = 10; i < 4 * ILKI_PAGE_EDGES; i++) ilki_edge_free(&f->edges, i, 8);
    ilki_edge_free(&f->edges, 3, 8);
    ilki_edges_trim(&f->edges, &f->pool);
    assert_int_equal(f->edges.page_count, 1);
    assert_true(ilki_edges_bytes(&f->edges) < bytes / 3);
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(ilki_edge_find(&f->edges, i, i), i == 3 ? ILKI_NONE : i);
    }
    assert_int_equal(take(f, 77, 77), 3);
    assert_int_equal(take(f, 78, 78), 10);
}

static void without_memory_nothing_is_lost(void** state) {
    edge_fixture* f = *state;
    for (uint32_t i = 0; i < ILKI_PAGE_EDGES; i++) take(f, i, i);
    f->m.left = 0;
    ilki_memory before = f->memory;
    assert_false(ilki_edges_ready(&f->edges, &f->pool, 100000));
    assert_int_equal(before.bytes[ILKI_EDGES] > 0, true);
    for (uint32_t i = 0; i < ILKI_PAGE_EDGES; i++) {
        assert_int_equal(ilki_edge_find(&f->edges, i, i), i);
    }
    f->m.left = UINT64_MAX;
    assert_true(ilki_edges_ready(&f->edges, &f->pool, 100000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        EDGE_TEST(edges_are_found_by_their_ends),
        EDGE_TEST(the_last_freed_is_taken_first),
        EDGE_TEST(rings_are_in_order),
        EDGE_TEST(trimming_frees_pages_at_the_end),
        EDGE_TEST(without_memory_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
