// Blocks: where the bits of a row are, and what they say at home and as a guest.
#include "storage/block.h"

#include "support.h"

// A block of 128 rows of 4 bytes, on its own.
typedef struct alone {
    _Alignas(64) unsigned char memory[64 + 128 * 4];
    ilki_block block;
} alone;

static void make(alone* a, ilki_block_kind kind) {
    memset(a, 0, sizeof(*a));
    a->block.base = a->memory + ilki_block_front(128, 4);
    a->block.kind = (uint8_t)kind;
}

static void set_bit(alone* a, uint32_t row) {
    *ilki_presence(&a->block, row / 64) |= (uint64_t)1 << (row % 64);
    a->block.count++;
}

static void bits_lie_in_front_of_the_values(void** state) {
    (void)state;
    alone a;
    make(&a, ILKI_HOME);
    assert_int_equal(ilki_block_front(128, 4), 64);
    assert_ptr_equal(ilki_presence(&a.block, 0), a.block.base - 8);
    assert_ptr_equal(ilki_off(&a.block, 0), a.block.base - 16);
    assert_ptr_equal(ilki_presence(&a.block, 1), a.block.base - 24);
    assert_ptr_equal(ilki_off(&a.block, 1), a.block.base - 32);
}

static void the_front_has_room_for_all_bits(void** state) {
    (void)state;
    for (uint32_t rows = 1; rows <= 2048; rows *= 2) {
        size_t front = ilki_block_front(rows, 1);
        assert_true(front >= 16 * (size_t)ilki_words(rows));
        assert_int_equal(front % 64, 0);
        assert_int_equal(ilki_block_front(rows, 4096), 4096);
    }
    assert_int_equal(ilki_block_front(2048, 8), 512);
}

static void at_home_a_bit_is_an_exception(void** state) {
    (void)state;
    alone a;
    make(&a, ILKI_HOME);
    assert_true(ilki_block_is_plain(&a.block));
    assert_true(ilki_block_is_all_or_none(&a.block));
    assert_true(ilki_block_has(&a.block, 70));
    set_bit(&a, 70);
    assert_false(ilki_block_is_plain(&a.block));
    assert_false(ilki_block_is_all_or_none(&a.block));
    assert_false(ilki_block_has(&a.block, 70));
    assert_false(ilki_block_has_natural(&a.block, 70));
    assert_true(ilki_block_has(&a.block, 71));
    assert_true(ilki_block_has_natural(&a.block, 6));
    assert_true(ilki_block_word(&a.block, 1, 0xff) == (0xff & ~(1u << 6)));
    assert_int_equal(ilki_block_values(&a.block, 100), 99);
}

static void a_guest_has_the_rows_of_its_bits(void** state) {
    (void)state;
    alone a;
    make(&a, ILKI_GUEST);
    assert_false(ilki_block_has(&a.block, 70));
    assert_false(ilki_block_is_all_or_none(&a.block));
    set_bit(&a, 70);
    assert_true(ilki_block_has(&a.block, 70));
    assert_true(ilki_block_has_natural(&a.block, 70));
    assert_false(ilki_block_has(&a.block, 6));
    assert_true(ilki_block_word(&a.block, 1, 0xff) == 1u << 6);
    assert_int_equal(ilki_block_values(&a.block, 100), 1);
}

static void a_small_guest_has_no_natural_places(void** state) {
    (void)state;
    alone a;
    make(&a, ILKI_SMALL);
    set_bit(&a, 5);
    assert_true(ilki_block_has(&a.block, 5));
    assert_false(ilki_block_has_natural(&a.block, 5));
    assert_false(ilki_block_has(&a.block, 6));
}

static void an_absent_block_has_nothing(void** state) {
    (void)state;
    ilki_block block = {0};
    assert_false(ilki_block_has(&block, 0));
    assert_false(ilki_block_has_natural(&block, 0));
    assert_false(ilki_block_is_plain(&block));
    assert_true(ilki_block_is_all_or_none(&block));
    assert_false(ilki_block_is_off(&block, 0));
    assert_int_equal(ilki_block_values(&block, 10), 0);
}

static void the_second_bit_switches_off(void** state) {
    (void)state;
    alone a;
    make(&a, ILKI_HOME);
    assert_false(ilki_block_is_off(&a.block, 70));
    *ilki_off(&a.block, 1) |= (uint64_t)1 << 6;
    a.block.off = 1;
    assert_true(ilki_block_is_off(&a.block, 70));
    assert_false(ilki_block_is_off(&a.block, 6));
    assert_true(ilki_block_has(&a.block, 70));
}

#ifdef ILK_CHECKED
static void what_is_gone_is_known_by_its_bytes(void** state) {
    (void)state;
    unsigned char memory[10] = {0};
    ilki_poison(memory, 9);
    assert_true(ilki_is_poisoned(memory, 9));
    assert_false(ilki_is_poisoned(memory, 10));
    assert_true(ilki_is_poisoned(memory, 0));
    memory[4]++;
    assert_false(ilki_is_poisoned(memory, 9));
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_lie_in_front_of_the_values),
        cmocka_unit_test(the_front_has_room_for_all_bits),
        cmocka_unit_test(at_home_a_bit_is_an_exception),
        cmocka_unit_test(a_guest_has_the_rows_of_its_bits),
        cmocka_unit_test(a_small_guest_has_no_natural_places),
        cmocka_unit_test(an_absent_block_has_nothing),
        cmocka_unit_test(the_second_bit_switches_off),
#ifdef ILK_CHECKED
        cmocka_unit_test(what_is_gone_is_known_by_its_bytes),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
