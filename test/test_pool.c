// The page pool: blocks keep apart, what is freed is used again, spans come and go.
#include "base/pool.h"

#include "support.h"

#define KB ((size_t)1 << 10)
#define MB ((size_t)1 << 20)

typedef struct pool_fixture {
    meter m;
    ilki_memory memory;
    ilki_pool pool;
} pool_fixture;

static int open_pool(void** state) {
    pool_fixture* f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->m.left = UINT64_MAX;
    ilki_memory_init(&f->memory, &(ilk_allocator){meter_alloc, meter_free, &f->m});
    ilki_pool_init(&f->pool, &f->memory);
    *state = f;
    return 0;
}

static int close_pool(void** state) {
    pool_fixture* f = *state;
    ilki_pool_fini(&f->pool);
    assert_int_equal(f->m.bytes, 0);
    assert_false(f->m.mismatch);
    for (int use = 0; use < ILKI_USES; use++) assert_int_equal(f->memory.bytes[use], 0);
    free(f);
    return 0;
}
#define POOL_TEST(function) cmocka_unit_test_setup_teardown(function, open_pool, close_pool)

static void* take(pool_fixture* f, size_t size) {
    return ilki_pool_alloc(&f->pool, ILKI_VALUES, size, 1);
}

static void give(pool_fixture* f, void* block, size_t size) {
    ilki_pool_free(&f->pool, ILKI_VALUES, block, size, 1);
}

static void blocks_are_aligned_and_counted_in_units(void** state) {
    pool_fixture* f = *state;
    void* a = take(f, 1);
    void* b = take(f, 129);
    assert_int_equal((uintptr_t)a % ILKI_LINE, 0);
    assert_ptr_equal(b, (char*)a + 128);
    assert_int_equal(f->memory.bytes[ILKI_VALUES], 128 + 256);
    assert_int_equal(f->memory.bytes[ILKI_SPARE], 16 * KB - 384);
    give(f, a, 1);
    give(f, b, 129);
    assert_int_equal(f->memory.bytes[ILKI_VALUES], 0);
}

static void the_lowest_hole_that_is_large_enough_is_used(void** state) {
    pool_fixture* f = *state;
    void* a = take(f, 128);
    void* b = take(f, 256);
    void* c = take(f, 128);
    give(f, a, 128);
    give(f, b, 256);
    void* d = take(f, 384); // both holes have joined
    assert_ptr_equal(d, a);
    give(f, d, 384);
    void* e = take(f, 512); // does not fit there
    assert_ptr_equal(e, (char*)c + 128);
    give(f, e, 512);
    give(f, c, 128);
    ilki_pool_free(&f->pool, ILKI_VALUES, NULL, 128, 1);
}

static void a_vain_search_is_remembered(void** state) {
    pool_fixture* f = *state;
    char* blocks[128];
    for (int i = 0; i < 128; i++) blocks[i] = take(f, 128);
    assert_int_equal(f->pool.count, 1);
    assert_int_equal(f->pool.spans[0].longest, 0);
    for (int i = 0; i < 128; i += 2) give(f, blocks[i], 128);
    assert_int_equal(f->pool.spans[0].longest, 64);
    ilki_span* first = &f->pool.spans[0];
    unsigned char* memory = first->memory;
    void* pair = take(f, 256);
    assert_int_equal(f->pool.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        if (f->pool.spans[i].memory == memory) assert_int_equal(f->pool.spans[i].longest, 1);
    }
    give(f, pair, 256);
    assert_ptr_equal(take(f, 128), blocks[0]);
    give(f, blocks[0], 128);
    for (int i = 1; i < 128; i += 2) give(f, blocks[i], 128);
}

static void spans_grow_up_to_two_megabytes(void** state) {
    pool_fixture* f = *state;
    enum {
        BLOCKS = 80
    };
    void* blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = take(f, 256 * KB);
        assert_non_null(blocks[i]);
    }
    size_t largest = 0, sum = 0;
    for (uint32_t i = 0; i < f->pool.count; i++) {
        const ilki_span* span = &f->pool.spans[i];
        size_t bytes = span->units * ILKI_UNIT;
        if (bytes > largest) largest = bytes;
        if (bytes == 2 * MB) assert_int_equal((uintptr_t)span->memory % (2 * MB), 0);
        sum += bytes;
    }
    assert_int_equal(largest, 2 * MB);
    assert_int_equal(f->pool.held, sum);
    assert_true(sum < BLOCKS * 256 * KB * 3 / 2);
    for (int i = 0; i < BLOCKS; i++) give(f, blocks[i], 256 * KB);
}

static void spans_are_kept_in_order_of_address(void** state) {
    pool_fixture* f = *state;
    void* blocks[64];
    for (int i = 0; i < 64; i++) blocks[i] = take(f, 16 * KB);
    assert_true(f->pool.count > 3);
    for (uint32_t i = 1; i < f->pool.count; i++) {
        assert_true(f->pool.spans[i - 1].memory < f->pool.spans[i].memory);
    }
    for (int i = 0; i < 64; i++) give(f, blocks[i], 16 * KB);
}

static void large_and_odd_blocks_pass_by_the_pool(void** state) {
    pool_fixture* f = *state;
    void* large = take(f, 256 * KB + 1);
    assert_int_equal(f->m.bytes, 256 * KB + 1);
    assert_int_equal((uintptr_t)large % ILKI_LINE, 0);
    void* odd = ilki_pool_alloc(&f->pool, ILKI_VALUES, 100, 128);
    assert_int_equal((uintptr_t)odd % 128, 0);
    assert_int_equal(f->memory.bytes[ILKI_VALUES], 256 * KB + 101);
    assert_int_equal(f->pool.count, 0);
    ilki_pool_free(&f->pool, ILKI_VALUES, odd, 100, 128);
    give(f, large, 256 * KB + 1);
}

static void an_empty_span_goes_when_half_is_free(void** state) {
    pool_fixture* f = *state;
    void* block[12];
    for (uint32_t i = 0; i < 12; i++) block[i] = take(f, 64 * KB);
    size_t held = f->pool.held;
    uint32_t given = 0;
    while (f->pool.held == held) {
        assert_in_range(given, 0, 11);
        give(f, block[given++], 64 * KB);
    }
    assert_true(given * 64 * KB > held / 2 - 256 * KB); // and not before
    while (given < 12) give(f, block[given++], 64 * KB);
    ilki_pool_trim(&f->pool);
    assert_int_equal(f->pool.count, 0);
    assert_int_equal(f->m.bytes, f->pool.capacity * sizeof *f->pool.spans);
}

// Spans that were emptied while more than half was in use go with those that come after.
static void what_was_emptied_before_goes_too(void** state) {
    pool_fixture* f = *state;
    void* block[100];
    for (uint32_t i = 0; i < 100; i++) block[i] = take(f, 256 * KB);
    assert_true(f->pool.held >= 25 * MB);
    for (uint32_t i = 1; i < 100; i++) give(f, block[i], 256 * KB);
    assert_true(f->pool.held <= 4 * MB);
    give(f, block[0], 256 * KB);
}

// What is given and taken again and again does not go back to the allocator each time.
static void a_little_is_kept(void** state) {
    pool_fixture* f = *state;
    void* a = take(f, 16 * KB);
    void* b = take(f, 16 * KB);
    give(f, a, 16 * KB);
    give(f, b, 16 * KB);
    assert_int_equal(f->pool.held, 32 * KB);
    ilki_pool_trim(&f->pool);
    assert_int_equal(f->pool.held, 0);
}

static void without_memory_nothing_is_lost(void** state) {
    pool_fixture* f = *state;
    for (uint64_t left = 0; left < 3; left++) { // the list of spans, the bits, the span
        f->m.left = left;
        assert_null(take(f, 1000));
        assert_int_equal(f->pool.count, 0);
        assert_int_equal(f->pool.held, 0);
        assert_int_equal(f->memory.bytes[ILKI_SPARE], 0);
        ilki_pool_fini(&f->pool);
        ilki_pool_init(&f->pool, &f->memory);
    }
    assert_int_equal(f->m.bytes, 0);
    f->m.left = 3;
    void* block = take(f, 1000);
    assert_non_null(block);
    give(f, block, 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        POOL_TEST(blocks_are_aligned_and_counted_in_units),
        POOL_TEST(the_lowest_hole_that_is_large_enough_is_used),
        POOL_TEST(a_vain_search_is_remembered),
        POOL_TEST(spans_grow_up_to_two_megabytes),
        POOL_TEST(spans_are_kept_in_order_of_address),
        POOL_TEST(large_and_odd_blocks_pass_by_the_pool),
        POOL_TEST(an_empty_span_goes_when_half_is_free),
        POOL_TEST(what_was_emptied_before_goes_too),
        POOL_TEST(a_little_is_kept),
        POOL_TEST(without_memory_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
