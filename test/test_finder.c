// The table that finds numbers by a hash.
#include "containers/finder.h"

#include "support.h"

enum {
    NUMBERS = 500
};

typedef struct finder_fixture {
    meter m;
    ilki_memory memory;
    ilki_finder finder;
} finder_fixture;

static int open_finder(void** state) {
    finder_fixture* f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->m.left = UINT64_MAX;
    ilki_memory_init(&f->memory, &(ilk_allocator){meter_alloc, meter_free, &f->m});
    *state = f;
    return 0;
}

static int close_finder(void** state) {
    finder_fixture* f = *state;
    ilki_finder_fini(&f->finder, &f->memory);
    assert_int_equal(f->m.bytes, 0);
    free(f);
    return 0;
}
#define FINDER_TEST(function) cmocka_unit_test_setup_teardown(function, open_finder, close_finder)

static bool finds(const finder_fixture* f, uint32_t hash, uint32_t number) {
    uint32_t at = hash, found;
    while ((found = ilki_finder_next(&f->finder, hash, &at)) != ILKI_NOT_FOUND) {
        if (found == number) return true;
    }
    return false;
}

static void put_number(finder_fixture* f, uint32_t hash, uint32_t number) {
    assert_true(ilki_finder_ready(&f->finder, &f->memory, f->finder.count + 1));
    ilki_finder_put(&f->finder, hash, number);
}

static void an_empty_one_finds_nothing(void** state) {
    finder_fixture* f = *state;
    assert_false(finds(f, 7, 0));
    ilki_finder_clear(&f->finder);
    ilki_finder_trim(&f->finder, &f->memory, f->finder.count);
    assert_int_equal(f->m.calls, 0);
}

static void numbers_of_one_hash_are_all_found(void** state) {
    finder_fixture* f = *state;
    for (uint32_t i = 0; i < 5; i++) put_number(f, 42, i);
    for (uint32_t i = 0; i < 5; i++) assert_true(finds(f, 42, i));
    assert_false(finds(f, 42, 5));
    assert_false(finds(f, 43, 0));
    ilki_finder_take(&f->finder, 42, 2);
    ilki_finder_swap(&f->finder, 42, 3, 9);
    assert_false(finds(f, 42, 2));
    assert_false(finds(f, 42, 3));
    assert_true(finds(f, 42, 4));
    assert_true(finds(f, 42, 9));
    assert_int_equal(f->finder.count, 4);
}

// Hashes lie close together, also across the end of the table, so that many are in each other's
// way.
static void what_is_taken_out_leaves_the_others_to_be_found(void** state) {
    finder_fixture* f = *state;
    uint32_t hashes[NUMBERS];
    bool is_in[NUMBERS] = {false};
    uint64_t seed = 3;
    for (uint32_t i = 0; i < NUMBERS; i++) hashes[i] = UINT32_MAX - 60 + next_random(&seed) % 120;
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t number = next_random(&seed) % NUMBERS;
        if (is_in[number])
            ilki_finder_take(&f->finder, hashes[number], number);
        else
            put_number(f, hashes[number], number);
        is_in[number] = !is_in[number];
        uint32_t other = next_random(&seed) % NUMBERS;
        assert_int_equal(finds(f, hashes[other], other), is_in[other]);
    }
    for (uint32_t i = 0; i < NUMBERS; i++) assert_int_equal(finds(f, hashes[i], i), is_in[i]);
}

static void it_grows_and_shrinks_only_with_memory(void** state) {
    finder_fixture* f = *state;
    for (uint32_t i = 0; i < NUMBERS; i++) put_number(f, ilki_hash_pair(i, 0), i);
    f->m.left = 0;
    while (f->finder.count < f->finder.capacity / 2) put_number(f, 1, f->finder.count);
    assert_false(ilki_finder_ready(&f->finder, &f->memory, f->finder.count + 1));
    for (uint32_t i = NUMBERS; i < f->finder.capacity / 2; i++) {
        ilki_finder_take(&f->finder, 1, i);
    }
    for (uint32_t i = 10; i < NUMBERS; i++) {
        ilki_finder_take(&f->finder, ilki_hash_pair(i, 0), i);
    }
    uint32_t capacity = f->finder.capacity;
    ilki_finder_trim(&f->finder, &f->memory, f->finder.count);
    assert_int_equal(f->finder.capacity, capacity);
    f->m.left = UINT64_MAX;
    ilki_finder_trim(&f->finder, &f->memory, f->finder.count);
    assert_int_equal(f->finder.capacity, 32);
    for (uint32_t i = 0; i < 10; i++) assert_true(finds(f, ilki_hash_pair(i, 0), i));
    ilki_finder_clear(&f->finder);
    assert_false(finds(f, ilki_hash_pair(3, 0), 3));
    ilki_finder_trim(&f->finder, &f->memory, f->finder.count);
    assert_int_equal(f->m.bytes, 0);
}

static void hashes_tell_bytes_and_pairs_apart(void** state) {
    (void)state;
    const char bytes[] = "door\0door\0door";
    assert_int_equal(ilki_hash_bytes(bytes, 4), ilki_hash_bytes(bytes + 5, 4));
    assert_int_not_equal(ilki_hash_bytes(bytes, 4), ilki_hash_bytes(bytes, 5));
    assert_int_not_equal(ilki_hash_bytes(bytes, 9), ilki_hash_bytes(bytes, 14));
    assert_int_not_equal(ilki_hash_pair(1, 2), ilki_hash_pair(2, 1));
    assert_int_not_equal(ilki_hash_pair(0, 0), ilki_hash_pair(0, 1));
    assert_int_not_equal(ilki_hash_number(1), ilki_hash_number((uint64_t)1 << 32));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FINDER_TEST(an_empty_one_finds_nothing),
        FINDER_TEST(numbers_of_one_hash_are_all_found),
        FINDER_TEST(what_is_taken_out_leaves_the_others_to_be_found),
        FINDER_TEST(it_grows_and_shrinks_only_with_memory),
        cmocka_unit_test(hashes_tell_bytes_and_pairs_apart),
    };
    return cmocka_run_group_tests_name("finder", tests, NULL, NULL);
}
