// Ids as values.
#include "support.h"

static void assert_text(ilk_id id, const char* wanted) {
    char text[33];
    assert_int_equal(ilk_id_text(id, text, sizeof text), 32);
    assert_string_equal(text, wanted);
}

static void the_same_bytes_give_the_same_id_for_ever(void** state) {
    (void)state;
    assert_text(ilk_make_id(NULL, 0), "47dc71d69df09b070d5260cb68bdd07a");
    assert_text(ilk_make_id("", 0), "47dc71d69df09b070d5260cb68bdd07a");
    assert_text(ilk_make_id("castle/hall/door", 16), "9274aad59d74866c19ad087e917dc31d");
    assert_text(ilk_make_id("castle/hall/doo", 15), "b1b85ae5c2e8c211641abfea74ae34d7");
    assert_text(ilk_make_id(NULL, 16), "47dc71d69df09b070d5260cb68bdd07a");
}

static int compare_ids(const void* a, const void* b) {
    const ilk_id *x = a, *y = b;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->low > y->low) - (x->low < y->low);
}

// Each half by itself differs, too.
static void different_bytes_give_different_ids(void** state) {
    (void)state;
    enum {
        IDS = 100000
    };
    static ilk_id ids[IDS], halves[IDS];
    for (uint32_t i = 0; i < IDS; i++) {
        ids[i] = ilk_make_id(&i, i % 2 ? sizeof i : 3);
        halves[i] = (ilk_id){ids[i].low, 0};
        assert_true(ids[i].high || ids[i].low);
    }
    qsort(ids, IDS, sizeof *ids, compare_ids);
    qsort(halves, IDS, sizeof *halves, compare_ids);
    for (uint32_t i = 1; i < IDS; i++) {
        assert_true(ids[i - 1].high != ids[i].high);
        assert_true(halves[i - 1].high != halves[i].high);
    }
}

static void zeros_count(void** state) {
    (void)state;
    const unsigned char zeros[32] = {0};
    for (size_t size = 1; size < sizeof zeros; size++) {
        assert_false(ilk_same_id(ilk_make_id(zeros, size), ilk_make_id(zeros, size - 1)));
    }
}

static void an_id_is_written_as_far_as_it_fits(void** state) {
    (void)state;
    ilk_id id = {0x0123456789abcdef, 0xfedcba9876543210};
    char text[40] = "untouched";
    assert_int_equal(ilk_id_text(id, text, 0), 32);
    assert_string_equal(text, "untouched");
    assert_int_equal(ilk_id_text(id, NULL, 10), 32);
    assert_int_equal(ilk_id_text(id, text, 1), 32);
    assert_string_equal(text, "");
    ilk_id_text(id, text, 6);
    assert_string_equal(text, "01234");
    ilk_id_text(id, text, 32);
    assert_string_equal(text, "0123456789abcdeffedcba987654321");
    ilk_id_text(id, text, sizeof text);
    assert_string_equal(text, "0123456789abcdeffedcba9876543210");
}

static void what_is_written_is_read(void** state) {
    (void)state;
    char text[33];
    for (uint32_t i = 0; i < 1000; i++) {
        ilk_id id = ilk_make_id(&i, sizeof i), read;
        ilk_id_text(id, text, sizeof text);
        assert_ok(ilk_id_parse(text, &read));
        assert_true(ilk_same_id(id, read));
    }
    ilk_id read;
    assert_ok(ilk_id_parse("0123456789ABCDEFabcdef0000000000", &read));
    assert_true(ilk_same_id(read, (ilk_id){0x0123456789abcdef, 0xabcdef0000000000}));
}

static void anything_else_is_no_id(void** state) {
    (void)state;
    const char* const wrong[] = {NULL,
                                 "",
                                 "0123456789abcdef0123456789abcde",
                                 "0123456789abcdef0123456789abcdef0",
                                 "0123456789abcdef0123456789abcdeg",
                                 "/123456789abcdef0123456789abcdef",
                                 ":123456789abcdef0123456789abcdef",
                                 "@123456789abcdef0123456789abcdef",
                                 "`123456789abcdef0123456789abcdef",
                                 "0x23456789abcdef0123456789abcdef",
                                 " 123456789abcdef0123456789abcdef"};
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        ilk_id id = {1, 2};
        assert_int_equal(ilk_id_parse(wrong[i], &id), ILK_INVALID);
        assert_true(ilk_same_id(id, (ilk_id){0, 0}));
    }
    assert_int_equal(ilk_id_parse("0123456789abcdef0123456789abcdef", NULL), ILK_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bytes_give_the_same_id_for_ever),
        cmocka_unit_test(different_bytes_give_different_ids),
        cmocka_unit_test(zeros_count),
        cmocka_unit_test(an_id_is_written_as_far_as_it_fits),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(anything_else_is_no_id),
    };
    return cmocka_run_group_tests_name("id", tests, NULL, NULL);
}
