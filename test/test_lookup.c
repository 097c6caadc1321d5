// Tables from numbers to numbers that are made for one use.
#include "containers/lookup.h"

#include "support.h"

enum {
    SLOTS_MAX = 1 << 16
};

static ilki_lookup_slot slots[SLOTS_MAX];

// An empty lookup for so many keys below a bound.
static ilki_lookup lookup_for(uint32_t count, uint32_t bound) {
    ilki_lookup lookup;
    size_t needed = ilki_lookup_slots(count, bound);
    assert_true(needed <= SLOTS_MAX);
    memset(slots, 0, needed * sizeof *slots);
    ilki_lookup_init(&lookup, slots, needed, bound);
    return lookup;
}

// Keys that are far from each other, all of them below a bound.
static uint32_t key_at(uint32_t i, uint32_t bound) {
    return (uint32_t)((uint64_t)(i * 2654435761u) * bound >> 32);
}

static void an_empty_one_finds_nothing(void** state) {
    (void)state;
    static const uint32_t bounds[] = {1, 8, 1000, UINT32_MAX};
    for (uint32_t i = 0; i < COUNT_OF(bounds); i++) {
        ilki_lookup lookup = lookup_for(1, bounds[i]);
        assert_int_equal(ilki_lookup_find(&lookup, 0), ILKI_NONE);
        assert_int_equal(ilki_lookup_find(&lookup, bounds[i] - 1), ILKI_NONE);
    }
}

static void what_was_put_is_found(void** state) {
    (void)state;
    static const uint32_t counts[] = {1, 2, 3, 7, 64, 1000, 5000};
    for (uint32_t i = 0; i < COUNT_OF(counts); i++) {
        ilki_lookup lookup = lookup_for(counts[i], UINT32_MAX);
        for (uint32_t k = 0; k < counts[i]; k++) {
            assert_true(ilki_lookup_put(&lookup, key_at(k, UINT32_MAX), k));
        }
        for (uint32_t k = 0; k < counts[i]; k++) {
            assert_int_equal(ilki_lookup_find(&lookup, key_at(k, UINT32_MAX)), k);
        }
        for (uint32_t k = counts[i]; k < counts[i] + 100; k++) {
            assert_int_equal(ilki_lookup_find(&lookup, key_at(k, UINT32_MAX)), ILKI_NONE);
        }
    }
}

static void the_first_value_of_a_key_stays(void** state) {
    (void)state;
    static const uint32_t bounds[] = {16, UINT32_MAX};
    for (uint32_t i = 0; i < COUNT_OF(bounds); i++) {
        ilki_lookup lookup = lookup_for(4, bounds[i]);
        assert_true(ilki_lookup_put(&lookup, 5, 50));
        assert_false(ilki_lookup_put(&lookup, 5, 51));
        assert_int_equal(ilki_lookup_find(&lookup, 5), 50);
        ilki_lookup_slot_of(&lookup, 5)->value = 52; // which is the one way to change it
        assert_int_equal(ilki_lookup_find(&lookup, 5), 52);
    }
}

// Keys from 0 on hit the same slots again and again once a table wraps around.
static void neighbours_do_not_take_each_others_place(void** state) {
    (void)state;
    static const uint32_t firsts[] = {0, 1, 255, UINT32_MAX / 2, UINT32_MAX - 300};
    for (uint32_t i = 0; i < COUNT_OF(firsts); i++) {
        ilki_lookup lookup = lookup_for(300, UINT32_MAX);
        for (uint32_t k = 0; k < 300; k++) {
            assert_true(ilki_lookup_put(&lookup, firsts[i] + k, k));
        }
        for (uint32_t k = 0; k < 300; k++) {
            assert_int_equal(ilki_lookup_find(&lookup, firsts[i] + k), k);
        }
        assert_int_equal(ilki_lookup_find(&lookup, firsts[i] + 300), ILKI_NONE);
    }
}

static void dense_keys_have_a_slot_each(void** state) {
    (void)state;
    for (uint32_t bound = 1; bound < 300; bound++) {
        ilki_lookup lookup = lookup_for(bound, bound);
        assert_int_equal(lookup.shift, 32);
        for (uint32_t k = 0; k < bound; k++) assert_true(ilki_lookup_put(&lookup, k, bound - k));
        for (uint32_t k = 0; k < bound; k++) {
            assert_int_equal(ilki_lookup_find(&lookup, k), bound - k);
            assert_true(ilki_lookup_slot_of(&lookup, k) == &slots[k]);
        }
        assert_int_equal(ilki_lookup_find(&lookup, bound), ILKI_NONE);
        assert_int_equal(ilki_lookup_find(&lookup, UINT32_MAX), ILKI_NONE);
    }
}

// A key above the bound is asked for, and is not taken for one that is equal but for its high bits.
static void foreign_keys_are_not_found(void** state) {
    (void)state;
    ilki_lookup lookup = lookup_for(64, 64);
    for (uint32_t k = 0; k < 64; k++) assert_true(ilki_lookup_put(&lookup, k, k));
    for (uint32_t k = 64; k < 1000; k++) {
        assert_int_equal(ilki_lookup_find(&lookup, k), ILKI_NONE);
    }
}

static void tables_are_small_and_never_full(void** state) {
    (void)state;
    for (uint32_t count = 1; count < 5000; count += 1 + count / 8) {
        size_t sparse = ilki_lookup_slots(count, UINT32_MAX),
               dense = ilki_lookup_slots(count, count);
        assert_true(sparse >= 2 * (size_t)count && sparse <= 4 * (size_t)count + 2);
        assert_true(dense > count && dense <= 2 * (size_t)count + 2);
        assert_true((sparse & (sparse - 1)) == 0 && (dense & (dense - 1)) == 0);
    }
}

// Asking must end, also in a table that is as full as can be, where every key would be another's.
static void a_full_share_of_keys_leaves_free_slots(void** state) {
    (void)state;
    for (uint32_t count = 1; count < 600; count++) {
        ilki_lookup lookup = lookup_for(count, UINT32_MAX);
        uint32_t used = 0;
        for (uint32_t k = 0; k < count; k++) ilki_lookup_put(&lookup, k * 65536, k);
        for (uint32_t i = 0; i <= lookup.mask; i++) used += slots[i].value != ILKI_NONE;
        assert_int_equal(used, count);
        assert_true(used <= (lookup.mask + 1) / 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_one_finds_nothing),
        cmocka_unit_test(what_was_put_is_found),
        cmocka_unit_test(the_first_value_of_a_key_stays),
        cmocka_unit_test(neighbours_do_not_take_each_others_place),
        cmocka_unit_test(dense_keys_have_a_slot_each),
        cmocka_unit_test(foreign_keys_are_not_found),
        cmocka_unit_test(tables_are_small_and_never_full),
        cmocka_unit_test(a_full_share_of_keys_leaves_free_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
