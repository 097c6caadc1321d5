// Values: made, moved, copied and dropped.
#include "component/values.h"

#include "support.h"

static void a_default_is_zero_or_the_bytes_given(void** state) {
    (void)state;
    int32_t values[3] = {1, 2, 3};
    ilk_type type = {.size = 4};
    ilki_values_default(&type, values, 2);
    assert_true(values[0] == 0 && values[1] == 0 && values[2] == 3);
    type.default_value = &(int32_t){9};
    ilki_values_default(&type, values, 2);
    assert_true(values[0] == 9 && values[1] == 9 && values[2] == 3);
}

static void count_up(void* value, void* context) {
    *(int32_t*)value += ++*(int32_t*)context;
}

static void init_comes_after_the_default_bytes(void** state) {
    (void)state;
    int32_t values[3] = {0}, inits = 0;
    ilk_type type = {.size = 4, .default_value = &(int32_t){10}, .hooks = {.init = count_up}};
    type.hooks.context = &inits;
    ilki_values_default(&type, values, 3);
    assert_true(values[0] == 11 && values[1] == 12 && values[2] == 13);
}

static void a_value_is_filled_from_bytes_or_the_default(void** state) {
    (void)state;
    int32_t value = 0, inits = 0;
    ilk_type type = {.size = 4, .hooks = {.init = count_up, .context = &inits}};
    ilki_value_fill(&type, &value, &(int32_t){5});
    assert_int_equal(value, 5);
    assert_int_equal(inits, 0);
    ilki_value_fill(&type, &value, NULL);
    assert_int_equal(value, 1);
}

static void values_of_every_size_are_moved(void** state) {
    (void)state;
    unsigned char from[40], to[41];
    for (uint32_t i = 0; i < sizeof from; i++) from[i] = (unsigned char)(i + 1);
    for (size_t size = 0; size <= sizeof from; size++) {
        memset(to, 0, sizeof to);
        ilki_value_move(to, from, size);
        assert_memory_equal(to, from, size);
        assert_int_equal(to[size], 0);
    }
}

static void quick_sizes_are_moved_also_onto_themselves(void** state) {
    (void)state;
    unsigned char from[32], to[32];
    for (uint32_t i = 0; i < sizeof from; i++) from[i] = (unsigned char)(i + 1);
    for (size_t size = 0; size <= 16; size += 4) {
        memset(to, 0, sizeof to);
        ilki_value_move_quick(to, from, size);
        assert_memory_equal(to, from, size);
        assert_int_equal(to[size], 0);
        ilki_value_move_quick(to, to, size);
        assert_memory_equal(to, from, size);
    }
}

static void forget(void* value, void* context) {
    *(int32_t*)context += *(int32_t*)value;
}

static void only_small_values_without_a_drop_hook_are_quick(void** state) {
    (void)state;
#ifdef ILK_CHECKED
    assert_false(ilki_type_is_quick(&(ilk_type){.size = 8}));
#else
    assert_true(ilki_type_is_quick(&(ilk_type){.size = 0}));
    assert_true(ilki_type_is_quick(&(ilk_type){.size = 16}));
    assert_false(ilki_type_is_quick(&(ilk_type){.size = 20}));
    assert_false(ilki_type_is_quick(&(ilk_type){.size = 6}));
    assert_false(ilki_type_is_quick(&(ilk_type){.size = 8, .hooks = {.drop = forget}}));
#endif
}

static void twice(void* to, const void* from, void* context) {
    (void)context;
    *(int32_t*)to = 2 * *(const int32_t*)from;
}

static void a_copy_is_made_by_the_hook_or_by_bytes(void** state) {
    (void)state;
    int32_t to = 0;
    ilk_type type = {.size = 4};
    ilki_value_copy(&type, &to, &(int32_t){6});
    assert_int_equal(to, 6);
    type.hooks.copy = twice;
    ilki_value_copy(&type, &to, &(int32_t){6});
    assert_int_equal(to, 12);
}

static void a_drop_hook_is_called_where_there_is_one(void** state) {
    (void)state;
    int32_t value = 3, dropped = 0;
    ilk_type type = {.size = 4, .hooks = {.context = &dropped}};
    ilki_value_drop(&type, &value);
    assert_int_equal(dropped, 0);
    type.hooks.drop = forget;
    ilki_value_drop(&type, &value);
    assert_int_equal(dropped, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_default_is_zero_or_the_bytes_given),
        cmocka_unit_test(init_comes_after_the_default_bytes),
        cmocka_unit_test(a_value_is_filled_from_bytes_or_the_default),
        cmocka_unit_test(values_of_every_size_are_moved),
        cmocka_unit_test(quick_sizes_are_moved_also_onto_themselves),
        cmocka_unit_test(only_small_values_without_a_drop_hook_are_quick),
        cmocka_unit_test(a_copy_is_made_by_the_hook_or_by_bytes),
        cmocka_unit_test(a_drop_hook_is_called_where_there_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
