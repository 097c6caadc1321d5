// Words come to hashes: each bit reaches all of them, on every machine in the same way.
#include "support.h"

#include "history/mix.h"

static uint64_t random_word(uint64_t* seed) {
    uint64_t high = next_random(seed), low = next_random(seed);
    return high << 33 ^ low << 11 ^ next_random(seed);
}

static void the_two_ways_to_fold_agree(void** state) {
    (void)state;
    uint64_t seed = 1, edges[] = {0, 1, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX};
    for (uint32_t i = 0; i < COUNT_OF(edges); i++) {
        for (uint32_t k = 0; k < COUNT_OF(edges); k++) {
            assert_true(ilki_fold(edges[i], edges[k]) == ilki_fold_by_halves(edges[i], edges[k]));
        }
    }
    for (uint32_t i = 0; i < 10000; i++) {
        uint64_t a = random_word(&seed), b = random_word(&seed);
        assert_true(ilki_fold(a, b) == ilki_fold_by_halves(a, b));
    }
    assert_true(ilki_fold(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
}

// The hash of two words of a value of an entity, of which one bit is flipped: of the key, of the
// handle, of the first word or of the second.
static uint64_t hash_flipped(const uint64_t* words, uint32_t bit) {
    uint64_t flipped[4];
    memcpy(flipped, words, sizeof(flipped));
    if (bit < 256) flipped[bit / 64] ^= (uint64_t)1 << bit % 64;
    ilk_entity e = {(uint32_t)flipped[1], (uint32_t)(flipped[1] >> 32)};
    uint64_t hash = ilki_mix_begin(flipped[0], e);
    return ilki_mix_end(ilki_mix(ilki_mix(hash, flipped[2]), flipped[3]));
}

enum {
    TRIES = 2000
};

// Each bit that goes in flips each bit that comes out in about half of all cases: of 2,000, within
// six times the deviation that chance has (22).
static void each_bit_flips_half_of_all(void** state) {
    (void)state;
    static uint32_t flips[256][64];
    uint64_t seed = 7;
    for (uint32_t i = 0; i < TRIES; i++) {
        uint64_t words[4] = {random_word(&seed), random_word(&seed), random_word(&seed),
                             random_word(&seed)};
        uint64_t hash = hash_flipped(words, 256);
        for (uint32_t bit = 0; bit < 256; bit++) {
            uint64_t changed = hash ^ hash_flipped(words, bit);
            for (uint32_t out = 0; out < 64; out++)
                flips[bit][out] += (uint32_t)(changed >> out & 1);
        }
    }
    for (uint32_t bit = 0; bit < 256; bit++) {
        for (uint32_t out = 0; out < 64; out++) {
            assert_in_range(flips[bit][out], TRIES / 2 - 6 * 22, TRIES / 2 + 6 * 22);
        }
    }
}

// The same for words that are mostly zero, as small numbers are.
static void small_numbers_are_mixed_too(void** state) {
    (void)state;
    static uint32_t flips[32][64];
    for (uint32_t i = 0; i < TRIES; i++) {
        uint64_t words[4] = {ILKI_ROOT_7, (uint64_t)1 << 32 | i, i % 10, i % 3};
        uint64_t hash = hash_flipped(words, 256);
        for (uint32_t bit = 0; bit < 32; bit++) {
            uint64_t changed = hash ^ hash_flipped(words, 128 + bit);
            for (uint32_t out = 0; out < 64; out++)
                flips[bit][out] += (uint32_t)(changed >> out & 1);
        }
    }
    for (uint32_t bit = 0; bit < 32; bit++) {
        for (uint32_t out = 0; out < 64; out++) {
            assert_in_range(flips[bit][out], TRIES / 2 - 6 * 22, TRIES / 2 + 6 * 22);
        }
    }
}

// Signs that change in several words do not make up for each other.
static void changed_signs_are_seen(void** state) {
    (void)state;
    uint64_t seed = 3;
    const uint64_t signs[] = {0x8000000000000000u, 0x80000000u, 0x8000000080000000u};
    for (uint32_t i = 0; i < TRIES; i++) {
        uint64_t a = random_word(&seed), b = random_word(&seed), key = random_word(&seed);
        uint64_t hash = ilki_mix(ilki_mix(key, a), b);
        for (uint32_t k = 0; k < 9; k++) {
            uint64_t other = ilki_mix(ilki_mix(key, a ^ signs[k / 3]), b ^ signs[k % 3]);
            assert_true(hash != other);
        }
    }
}

static void bytes_are_words_with_the_lowest_first(void** state) {
    (void)state;
    const unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    uint64_t hash = ilki_mix(ilki_mix(5, 0x0807060504030201u), 0x0b0a09u);
    assert_true(ilki_mix_bytes(5, bytes, sizeof(bytes)) == hash);
    assert_true(ilki_mix_bytes(5, bytes, 0) == 5);
    assert_true(ilki_mix_bytes(5, bytes, 8) == ilki_mix(5, 0x0807060504030201u));
}

// However they are cut into numbers, the same bytes give the same.
static void numbers_are_put_side_by_side(void** state) {
    (void)state;
    unsigned char bytes[64];
    uint64_t seed = 11;
    for (uint32_t round = 0; round < 1000; round++) {
        ilki_mixer mixer = {.hash = 9};
        uint32_t size = 0;
        while (size < 40) {
            uint32_t width = 1u << next_random(&seed) % 4;
            uint64_t number =
                random_word(&seed) & (width == 8 ? UINT64_MAX : (1ull << 8 * width) - 1);
            for (uint32_t i = 0; i < width; i++) bytes[size++] = (unsigned char)(number >> 8 * i);
            ilki_mixer_put(&mixer, number, width);
        }
        assert_true(ilki_mixer_end(&mixer) == ilki_mix_bytes(9, bytes, size));
        ilki_mixer other = {.hash = 9};
        uint32_t cut = next_random(&seed) % size;
        ilki_mixer_put_bytes(&other, bytes, cut);
        ilki_mixer_put_bytes(&other, bytes + cut, size - cut);
        assert_true(ilki_mixer_end(&other) == ilki_mixer_end(&mixer));
    }
}

static void texts_differ_by_their_length_too(void** state) {
    (void)state;
    assert_true(ilki_mix_text(1, "door") == ilki_mix_text(1, "door"));
    assert_true(ilki_mix_text(1, "door") != ilki_mix_text(1, "doors"));
    assert_true(ilki_mix_text(1, "") != 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_two_ways_to_fold_agree),
        cmocka_unit_test(each_bit_flips_half_of_all),
        cmocka_unit_test(small_numbers_are_mixed_too),
        cmocka_unit_test(changed_signs_are_seen),
        cmocka_unit_test(bytes_are_words_with_the_lowest_first),
        cmocka_unit_test(numbers_are_put_side_by_side),
        cmocka_unit_test(texts_differ_by_their_length_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
