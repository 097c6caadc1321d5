// Heads: pages that are there where somebody is a target.
#include "relation/heads.h"

#include "support.h"

typedef struct head_fixture {
    meter m;
    ilki_memory memory;
    ilki_pool pool;
    ilki_heads heads;
} head_fixture;

static int open_heads(void** state) {
    head_fixture* f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->m.left = UINT64_MAX;
    ilki_memory_init(&f->memory, &(ilk_allocator){meter_alloc, meter_free, &f->m});
    ilki_pool_init(&f->pool, &f->memory);
    *state = f;
    return 0;
}

static int close_heads(void** state) {
    head_fixture* f = *state;
    ilki_heads_fini(&f->heads, &f->pool);
    ilki_pool_fini(&f->pool);
    assert_int_equal(f->m.bytes, 0);
    free(f);
    return 0;
}
#define HEAD_TEST(function) cmocka_unit_test_setup_teardown(function, open_heads, close_heads)

static void a_slot_without_a_page_has_no_edges(void** state) {
    head_fixture* f = *state;
    assert_int_equal(ilki_head_of(&f->heads, 5).count, 0);
    assert_true(ilki_heads_ready(&f->heads, &f->pool, 5 * ILKI_PAGE_HEADS));
    assert_int_equal(ilki_head_of(&f->heads, 5).count, 0);
    assert_null(f->heads.pages[0]);
    ilki_head_set(&f->heads, 5 * ILKI_PAGE_HEADS, (ilki_head){3, 2}, 9);
    assert_int_equal(ilki_head_of(&f->heads, 5 * ILKI_PAGE_HEADS).first, 3);
    assert_int_equal(f->heads.pages[5]->touched, 9);
    assert_int_equal(f->heads.pages[5]->used, 1);
}

static void trimming_frees_pages_without_edges(void** state) {
    head_fixture* f = *state;
    for (uint32_t page = 0; page < 3; page++) {
        assert_true(ilki_heads_ready(&f->heads, &f->pool, page * ILKI_PAGE_HEADS));
        ilki_head_set(&f->heads, page * ILKI_PAGE_HEADS, (ilki_head){page, 1}, 1);
    }
    ilki_head_set(&f->heads, ILKI_PAGE_HEADS, (ilki_head){1, 0}, 2);
    size_t bytes = ilki_heads_bytes(&f->heads);
    ilki_heads_trim(&f->heads, &f->pool);
    assert_null(f->heads.pages[1]);
    assert_int_equal(bytes - ilki_heads_bytes(&f->heads), sizeof(ilki_head_page));
    assert_int_equal(ilki_head_of(&f->heads, 2 * ILKI_PAGE_HEADS).count, 1);
    ilki_head_set(&f->heads, 0, (ilki_head){0, 0}, 3);
    ilki_head_set(&f->heads, 2 * ILKI_PAGE_HEADS, (ilki_head){0, 0}, 3);
    ilki_heads_trim(&f->heads, &f->pool);
    assert_int_equal(ilki_heads_bytes(&f->heads), 0);
}

static void without_memory_there_is_no_page(void** state) {
    head_fixture* f = *state;
    f->m.left = 0;
    assert_false(ilki_heads_ready(&f->heads, &f->pool, 9));
    assert_int_equal(ilki_head_of(&f->heads, 9).count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        HEAD_TEST(a_slot_without_a_page_has_no_edges),
        HEAD_TEST(trimming_frees_pages_without_edges),
        HEAD_TEST(without_memory_there_is_no_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
