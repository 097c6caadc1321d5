// A world's memory: what is counted for what, arrays that grow, and the C library behind it.
#include "base/platform.h"

#include "support.h"

#include "base/memory.h"

// More than there is. A build that looks after memory is told that NULL is an answer to that.
#define BEYOND ((size_t)1 << (sizeof(size_t) * 8 - 15))
const char* __asan_default_options(void);
const char* __asan_default_options(void) {
    return "allocator_may_return_null=1";
}
const char* __tsan_default_options(void);
const char* __tsan_default_options(void) {
    return "allocator_may_return_null=1";
}

static ilki_memory metered(meter* m) {
    ilki_memory memory;
    *m = (meter){.left = UINT64_MAX};
    ilki_memory_init(&memory, &(ilk_allocator){meter_alloc, meter_free, m});
    return memory;
}

static void each_use_is_counted(void** state) {
    (void)state;
    meter m;
    ilki_memory memory = metered(&m);
    void* values = ilki_alloc(&memory, ILKI_VALUES, 100, 8);
    unsigned char* other = ilki_alloc_zero(&memory, ILKI_OTHER, 30, 1);
    assert_int_equal(memory.bytes[ILKI_VALUES], 100);
    assert_int_equal(memory.bytes[ILKI_OTHER], 30);
    assert_int_equal(m.bytes, 130);
    for (int i = 0; i < 30; i++) assert_int_equal(other[i], 0);
    ilki_free(&memory, ILKI_VALUES, values, 100, 8);
    assert_int_equal(memory.bytes[ILKI_VALUES], 0);
    ilki_free(&memory, ILKI_OTHER, other, 30, 1);
    ilki_free(&memory, ILKI_OTHER, NULL, 30, 1);
    assert_int_equal(memory.bytes[ILKI_OTHER], 0);
    assert_int_equal(m.bytes, 0);
    assert_false(m.mismatch);
}

static void what_is_not_given_is_not_counted(void** state) {
    (void)state;
    meter m;
    ilki_memory memory = metered(&m);
    m.left = 0;
    assert_null(ilki_alloc(&memory, ILKI_VALUES, 100, 8));
    assert_null(ilki_alloc_zero(&memory, ILKI_VALUES, 100, 8));
    assert_int_equal(memory.bytes[ILKI_VALUES], 0);
}

static void what_no_size_can_say_is_not_given(void** state) {
    (void)state;
    meter m;
    ilki_memory memory = metered(&m);
    assert_int_equal(ilki_bytes_of(10, 3, 7), 31);
    assert_int_equal(ilki_bytes_of(10, 0, 7), 10);
    assert_int_equal(ilki_bytes_of(15, SIZE_MAX / 16, 16), SIZE_MAX);
    assert_int_equal(ilki_bytes_of(16, SIZE_MAX / 16, 16), SIZE_MAX);
    assert_int_equal(ilki_bytes_of(0, SIZE_MAX, 2), SIZE_MAX);
    assert_null(ilki_alloc(&memory, ILKI_OTHER, SIZE_MAX, 16));
    assert_null(ilki_alloc(&memory, ILKI_OTHER, SIZE_MAX / 2 + 1, 16));
    assert_int_equal(m.calls, 0);
    uint32_t *array = NULL, capacity = 0;
    assert_false(ilki_grow(&memory, ILKI_OTHER, &array, &capacity, 2, SIZE_MAX / 2));
    assert_int_equal(m.calls, 0);
}

static void arrays_grow_by_doubling(void** state) {
    (void)state;
    meter m;
    ilki_memory memory = metered(&m);
    uint32_t *array = NULL, capacity = 0;
    assert_true(ilki_grow(&memory, ILKI_OTHER, &array, &capacity, 1, sizeof *array));
    assert_int_equal(capacity, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(array[i], 0);
        array[i] = i + 10;
    }
    const uint32_t* before = array;
    assert_true(ilki_grow(&memory, ILKI_OTHER, &array, &capacity, 4, sizeof *array));
    assert_ptr_equal(array, before);
    assert_true(ilki_grow(&memory, ILKI_OTHER, &array, &capacity, 9, sizeof *array));
    assert_int_equal(capacity, 16);
    for (uint32_t i = 0; i < 16; i++) assert_int_equal(array[i], i < 4 ? i + 10 : 0);
    assert_int_equal(memory.bytes[ILKI_OTHER], 16 * sizeof *array);
    ilki_free(&memory, ILKI_OTHER, array, capacity * sizeof *array, _Alignof(max_align_t));
    assert_int_equal(m.bytes, 0);
    assert_false(m.mismatch);
}

static void an_array_that_cannot_grow_stays(void** state) {
    (void)state;
    meter m;
    ilki_memory memory = metered(&m);
    m.left = 1;
    uint32_t *array = NULL, capacity = 0;
    assert_true(ilki_grow(&memory, ILKI_OTHER, &array, &capacity, 3, sizeof *array));
    array[3] = 33;
    uint32_t* before = array;
    assert_false(ilki_grow(&memory, ILKI_OTHER, &array, &capacity, 5, sizeof *array));
    assert_ptr_equal(array, before);
    assert_int_equal(array[3], 33);
    assert_int_equal(capacity, 4);
    ilki_free(&memory, ILKI_OTHER, array, capacity * sizeof *array, _Alignof(max_align_t));
}

static void* note_size(void* context, size_t size, size_t align) {
    (void)align;
    *(size_t*)context = size;
    return NULL;
}

static void an_array_grows_to_the_last_number(void** state) {
    (void)state;
    size_t asked = 0;
    ilki_memory memory;
    ilki_memory_init(&memory, &(ilk_allocator){note_size, meter_free, &asked});
    char* array = NULL;
    uint32_t capacity = 0;
    assert_false(ilki_grow(&memory, ILKI_OTHER, &array, &capacity, UINT32_MAX / 2 + 1, 1));
    assert_true(asked == UINT32_MAX / 2 + 1u);
    assert_false(ilki_grow(&memory, ILKI_OTHER, &array, &capacity, UINT32_MAX / 2 + 2, 1));
    assert_true(asked == UINT32_MAX);
    assert_null(array);
}

static bool is_aligned(const void* memory, size_t align) {
    return (uintptr_t)memory % align == 0;
}

static void no_allocator_means_the_c_library(void** state) {
    (void)state;
    const size_t aligns[] = {1, 16, 64, 4096, (size_t)2 << 20};
    ilki_memory memory;
    ilki_memory_init(&memory, &(ilk_allocator){0});
    for (uint32_t i = 0; i < COUNT_OF(aligns); i++) {
        size_t size = aligns[i] + 1;
        unsigned char* block = ilki_alloc(&memory, ILKI_VALUES, size, aligns[i]);
        assert_non_null(block);
        assert_true(is_aligned(block, aligns[i]));
        memset(block, 1, size);
        assert_int_equal(memory.bytes[ILKI_VALUES], size);
        ilki_free(&memory, ILKI_VALUES, block, size, aligns[i]);
    }
    assert_int_equal(memory.bytes[ILKI_VALUES], 0);
}

static void the_c_library_may_have_nothing(void** state) {
    (void)state;
    ilki_memory memory;
    ilki_memory_init(&memory, &(ilk_allocator){0});
    assert_null(ilki_alloc(&memory, ILKI_VALUES, BEYOND, 1));
    assert_null(ilki_alloc(&memory, ILKI_VALUES, BEYOND, (size_t)2 << 20));
    assert_int_equal(memory.bytes[ILKI_VALUES], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_use_is_counted),
        cmocka_unit_test(what_is_not_given_is_not_counted),
        cmocka_unit_test(what_no_size_can_say_is_not_given),
        cmocka_unit_test(arrays_grow_by_doubling),
        cmocka_unit_test(an_array_that_cannot_grow_stays),
        cmocka_unit_test(an_array_grows_to_the_last_number),
        cmocka_unit_test(no_allocator_means_the_c_library),
        cmocka_unit_test(the_c_library_may_have_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
