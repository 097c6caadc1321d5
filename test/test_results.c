// Results: their numbers, names and sentences.
#include "support.h"

// R002.14 R002.19
static void result_numbers_are_pinned(void** state) {
    (void)state;
    const ilk_result in_order[] = {
        ILK_OK,    ILK_DEAD,    ILK_EXISTS, ILK_MISSING,      ILK_FULL,  ILK_NO_MEMORY, ILK_INVALID,
        ILK_CLASH, ILK_FOREIGN, ILK_LOCKED, ILK_WRONG_THREAD, ILK_STALE, ILK_BROKEN,
    };
    for (uint32_t i = 0; i < COUNT_OF(in_order); i++) {
        assert_int_equal(in_order[i], i);
    }
}

// R002.19
static void results_have_names(void** state) {
    (void)state;
#define CHECK_NAME(name, number, sentence)                                                         \
    assert_string_equal(ilk_result_name(ILK_##name), "ILK_" #name);                                \
    assert_string_equal(ilk_result_text(ILK_##name), sentence);
    ILK_RESULTS(CHECK_NAME)
#undef CHECK_NAME
}

// R002.19
static void unknown_results_have_names_too(void** state) {
    (void)state;
    const int none[] = {13, 1000, -1, INT32_MAX, INT32_MIN};
    for (uint32_t i = 0; i < COUNT_OF(none); i++) {
        const char* name = ilk_result_name((ilk_result)none[i]);
        const char* text = ilk_result_text((ilk_result)none[i]);
        assert_non_null(name);
        assert_non_null(text);
        assert_true(strlen(name) > 0 && strlen(text) > 0);
    }
}

// R002.14 R002.15
static void dead_and_missing_read_differently(void** state) {
    (void)state;
    assert_int_not_equal(ILK_DEAD, ILK_MISSING);
    assert_string_not_equal(ilk_result_text(ILK_DEAD), ilk_result_text(ILK_MISSING));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(result_numbers_are_pinned),
        cmocka_unit_test(results_have_names),
        cmocka_unit_test(unknown_results_have_names_too),
        cmocka_unit_test(dead_and_missing_read_differently),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
