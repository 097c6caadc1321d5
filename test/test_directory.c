// Directories: an entry for each chunk, up to the last that had a block.
#include "storage/directory.h"

#include "support.h"

#include "storage/small.h"

typedef struct shelf {
    meter m;
    ilki_memory memory;
    ilki_pool pool;
    ilk_type type;
    ilki_directory directory;
} shelf;

static int open_shelf(void** state) {
    shelf* s = calloc(1, sizeof(*s));
    assert_non_null(s);
    s->m.left = UINT64_MAX;
    ilki_memory_init(&s->memory, &(ilk_allocator){meter_alloc, meter_free, &s->m});
    ilki_pool_init(&s->pool, &s->memory);
    s->type = (ilk_type){.name = "shelved", .size = 24, .align = 8};
    s->directory = (ilki_directory){.size = 24, .type = &s->type};
    *state = s;
    return 0;
}

static int close_shelf(void** state) {
    shelf* s = *state;
    static const ilki_block empty;
    ilki_directory_fini(&s->directory, &s->memory);
    ilki_pool_fini(&s->pool);
    assert_int_equal(s->m.bytes, 0);
    assert_false(s->m.mismatch);
    assert_memory_equal(&ilki_no_block, &empty, sizeof empty);
    free(s);
    return 0;
}
#define SHELF_TEST(function) cmocka_unit_test_setup_teardown(function, open_shelf, close_shelf)

static ilki_block* add(shelf* s, uint32_t chunk, ilki_block_kind kind) {
    return ilki_directory_add(&s->directory, &s->pool, chunk, 64, kind);
}

static void drop(shelf* s, uint32_t chunk) {
    ilki_directory_drop(&s->directory, &s->pool, chunk, 64);
}

static void an_absent_entry_is_all_zero(void** state) {
    shelf* s = *state;
    assert_ptr_equal(ilki_block_at(&s->directory, 0), &ilki_no_block);
    assert_int_equal(ilki_present_word(&s->directory, 0), 0);
    assert_null(ilki_block_at(&s->directory, 12345)->base);
    assert_int_equal(ilki_block_at(&ilki_no_directory, 0)->kind, ILKI_ABSENT);
    drop(s, 5); // there is nothing to drop
}

static void there_are_entries_up_to_the_last_block(void** state) {
    shelf* s = *state;
    ilki_block* block = add(s, 130, ILKI_HOME);
    assert_ptr_equal(ilki_block_at(&s->directory, 130), block);
    assert_int_equal(block->kind, ILKI_HOME);
    assert_int_equal(block->count, 0);
    assert_int_equal((uintptr_t)block->base % 64, 0);
    assert_int_equal(*ilki_presence(block, 0), 0);
    assert_int_equal(*ilki_off(block, 0), 0);
    assert_in_range(s->directory.bound, 131, 260);
    assert_true(ilki_present_word(&s->directory, 0) == 0);
    assert_true(ilki_present_word(&s->directory, 2) == 1u << 2);
    assert_true(ilki_present_word(&s->directory, 1000) == 0);
    add(s, 1, ILKI_GUEST);
    assert_true(ilki_present_word(&s->directory, 0) == 1u << 1);
    drop(s, 130);
    assert_true(ilki_present_word(&s->directory, 2) == 0);
    assert_int_equal(ilki_block_at(&s->directory, 130)->kind, ILKI_ABSENT);
    drop(s, 1);
}

static void entries_keep_what_they_hold_when_they_move(void** state) {
    shelf* s = *state;
    const ilki_block first = *add(s, 2, ILKI_GUEST);
    const ilki_block second = *add(s, 200, ILKI_HOME);
    assert_memory_equal(ilki_block_at(&s->directory, 2), &first, sizeof first);
    assert_memory_equal(ilki_block_at(&s->directory, 200), &second, sizeof second);
    assert_true(ilki_present_word(&s->directory, 0) == 1u << 2);
    drop(s, 2);
    drop(s, 200);
}

static void trimming_frees_the_entries_after_the_last_block(void** state) {
    shelf* s = *state;
    add(s, 0, ILKI_HOME);
    add(s, 64, ILKI_HOME);
    drop(s, 64);
    const size_t before = s->memory.bytes[ILKI_DIRECTORIES];
    s->m.left = 0;
    ilki_directory_trim(&s->directory, &s->memory); // without memory, all stays
    assert_int_equal(s->memory.bytes[ILKI_DIRECTORIES], before);
    assert_non_null(ilki_block_at(&s->directory, 0)->base);
    s->m.left = UINT64_MAX;
    ilki_directory_trim(&s->directory, &s->memory);
    assert_int_equal(s->directory.bound, 1);
    assert_int_equal(s->memory.bytes[ILKI_DIRECTORIES], ilki_directory_bytes(&s->directory));
    assert_non_null(ilki_block_at(&s->directory, 0)->base);
    assert_true(ilki_present_word(&s->directory, 0) == 1);
    const ilki_block* again = add(s, 3, ILKI_HOME);
    assert_ptr_equal(ilki_block_at(&s->directory, 3), again);
    drop(s, 3);
    drop(s, 0);
    ilki_directory_trim(&s->directory, &s->memory);
    assert_int_equal(s->memory.bytes[ILKI_DIRECTORIES], 0);
}

static void values_lie_side_by_side(void** state) {
    shelf* s = *state;
    const ilki_block* block = add(s, 0, ILKI_HOME);
    assert_ptr_equal(ilki_value_at(&s->directory, block, 0), block->base);
    assert_ptr_equal(ilki_value_at(&s->directory, block, 63), block->base + (size_t)63 * 24);
    assert_int_equal(ilki_block_bytes(&s->directory, block, 64), 64 + 64 * 24);
    drop(s, 0);
}

static void without_memory_there_is_no_block(void** state) {
    shelf* s = *state;
    for (uint64_t left = 0; left < 4; left++) { // one for the entries, three for the pool
        s->m.left = left;
        assert_null(add(s, 7, ILKI_HOME));
        assert_null(ilki_block_at(&s->directory, 7)->base);
        assert_true(ilki_present_word(&s->directory, 0) == 0);
        s->m.left = 0;
        ilki_directory_fini(&s->directory, &s->memory);
        ilki_pool_fini(&s->pool);
        ilki_pool_init(&s->pool, &s->memory);
        s->directory = (ilki_directory){.size = 24, .type = &s->type};
    }
    s->m.left = 4;
    assert_non_null(add(s, 7, ILKI_HOME));
    drop(s, 7);
}

// A small guest with the values 100 + row on every third row.
static ilki_block* add_small(shelf* s, uint32_t chunk) {
    ilki_block* block = add(s, chunk, ILKI_SMALL);
    assert_true(ilki_small_ready(&s->directory, block, &s->pool, 22));
    for (uint32_t row = 0; row < 64; row += 3) {
        *ilki_presence(block, 0) |= (uint64_t)1 << row;
        block->count++;
        ilki_small_take(block, row);
        *(uint64_t*)ilki_value_at(&s->directory, block, row) = 100 + row;
    }
    return block;
}

static void a_small_guest_gets_its_natural_form(void** state) {
    shelf* s = *state;
    ilki_block* block = add_small(s, 2);
    *ilki_off(block, 0) = 1u << 3;
    block->off = 1;
    assert_true(ilki_directory_expand(&s->directory, &s->pool, 2, 64));
    assert_int_equal(block->kind, ILKI_GUEST);
    assert_int_equal(block->count, 22);
    assert_true(ilki_block_is_off(block, 3));
    for (uint32_t row = 0; row < 64; row++) {
        assert_int_equal(ilki_block_has(block, row), row % 3 == 0);
        if (row % 3) continue;
        assert_true(*(uint64_t*)(void*)(block->base + (size_t)row * 24) == 100 + row);
    }
    drop(s, 2);
}

static void without_memory_a_small_guest_stays_small(void** state) {
    shelf* s = *state;
    ilki_block* block = add_small(s, 2);
    void* wasted[256];
    uint32_t count = 0;
    while (s->memory.bytes[ILKI_SPARE]) {
        wasted[count++] = ilki_pool_alloc(&s->pool, ILKI_OTHER, 1, 1);
    }
    s->m.left = 0;
    assert_false(ilki_directory_expand(&s->directory, &s->pool, 2, 64));
    assert_int_equal(block->kind, ILKI_SMALL);
    assert_true(*(uint64_t*)ilki_value_at(&s->directory, block, 63) == 163);
    while (count) ilki_pool_free(&s->pool, ILKI_OTHER, wasted[--count], 1, 1);
    drop(s, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SHELF_TEST(an_absent_entry_is_all_zero),
        SHELF_TEST(there_are_entries_up_to_the_last_block),
        SHELF_TEST(entries_keep_what_they_hold_when_they_move),
        SHELF_TEST(trimming_frees_the_entries_after_the_last_block),
        SHELF_TEST(values_lie_side_by_side),
        SHELF_TEST(without_memory_there_is_no_block),
        SHELF_TEST(a_small_guest_gets_its_natural_form),
        SHELF_TEST(without_memory_a_small_guest_stays_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
