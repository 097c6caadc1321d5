// Bits in words, compared with a look at each bit.
#include "base/bits.h"

#include "support.h"

enum {
    WORDS = 4,
    BITS = WORDS * 64
};

// Words with long runs of equal bits.
static void fill_runs(uint64_t* words, uint64_t* seed) {
    memset(words, 0, WORDS * sizeof *words);
    for (uint32_t at = 0; at < BITS;) {
        uint32_t run = 1 + next_random(seed) % (next_random(seed) % 4 ? 8 : 100);
        bool value = next_random(seed) % 2;
        for (; run > 0 && at < BITS; run--, at++) {
            if (value) ilki_bit_set(words, at);
        }
    }
}

static uint32_t naive_next(const uint64_t* words, uint32_t bits, uint32_t from, bool value) {
    for (uint32_t at = from; at < bits; at++) {
        if (ilki_bit(words, at) == value) return at;
    }
    return ILKI_NONE;
}

static uint32_t naive_clear_run(const uint64_t* words, uint32_t bits, uint32_t length) {
    for (uint32_t start = 0; start < bits && length <= bits - start; start++) {
        uint32_t end = naive_next(words, bits, start, true);
        if (!ilki_bit(words, start) && (end == ILKI_NONE || end - start >= length)) return start;
    }
    return ILKI_NONE;
}

static void the_next_bit_is_found(void** state) {
    (void)state;
    uint64_t seed = 1, words[WORDS];
    for (int round = 0; round < 200; round++) {
        fill_runs(words, &seed);
        uint32_t bits = 1 + next_random(&seed) % BITS;
        for (uint32_t from = 0; from <= bits; from++) {
            assert_int_equal(ilki_bits_next_set(words, bits, from),
                             naive_next(words, bits, from, true));
            assert_int_equal(ilki_bits_next_clear(words, bits, from),
                             naive_next(words, bits, from, false));
        }
    }
}

static void bits_beyond_the_end_are_not_seen(void** state) {
    (void)state;
    uint64_t words[2] = {(uint64_t)1 << 40, ~(uint64_t)0};
    assert_int_equal(ilki_bits_next_set(words, 40, 0), ILKI_NONE);
    assert_int_equal(ilki_bits_next_set(words, 41, 0), 40);
    assert_int_equal(ilki_bits_next_set(words, 64, 41), ILKI_NONE);
    assert_int_equal(ilki_bits_next_set(words, 65, 41), 64);
    assert_int_equal(ilki_bits_next_set(words, 0, 0), ILKI_NONE);
    assert_int_equal(ilki_bits_next_clear(words, 128, 64), ILKI_NONE);
}

static void the_first_run_that_is_long_enough_is_found(void** state) {
    (void)state;
    uint64_t seed = 2, words[WORDS];
    for (int round = 0; round < 200; round++) {
        fill_runs(words, &seed);
        uint32_t bits = 1 + next_random(&seed) % BITS;
        for (uint32_t length = 1; length <= bits + 1; length++) {
            assert_int_equal(ilki_bits_clear_run(words, bits, length),
                             naive_clear_run(words, bits, length));
        }
    }
}

static void filling_sets_just_those_bits(void** state) {
    (void)state;
    uint64_t seed = 3, words[WORDS], before[WORDS];
    for (int round = 0; round < 2000; round++) {
        fill_runs(words, &seed);
        memcpy(before, words, sizeof words);
        uint32_t from = next_random(&seed) % BITS;
        uint32_t length = next_random(&seed) % (BITS - from + 1);
        bool value = next_random(&seed) % 2;
        ilki_bits_fill(words, from, length, value);
        for (uint32_t at = 0; at < BITS; at++) {
            bool is_inside = at >= from && at < from + length;
            assert_int_equal(ilki_bit(words, at), is_inside ? value : ilki_bit(before, at));
        }
    }
}

static void single_bits(void** state) {
    (void)state;
    uint64_t words[2] = {0, 0};
    ilki_bit_set(words, 63);
    ilki_bit_set(words, 64);
    assert_true(words[0] == (uint64_t)1 << 63 && words[1] == 1);
    ilki_bit_clear(words, 63);
    assert_false(ilki_bit(words, 63));
    assert_true(ilki_bit(words, 64));
    assert_int_equal(ilki_lowest(words[1]), 0);
    assert_int_equal(ilki_lowest((uint64_t)1 << 63), 63);
    assert_int_equal(ilki_ones(~(uint64_t)0), 64);
    assert_int_equal(ilki_words(0), 0);
    assert_int_equal(ilki_words(64), 1);
    assert_int_equal(ilki_words(65), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_bit_is_found),
        cmocka_unit_test(bits_beyond_the_end_are_not_seen),
        cmocka_unit_test(the_first_run_that_is_long_enough_is_found),
        cmocka_unit_test(filling_sets_just_those_bits),
        cmocka_unit_test(single_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
