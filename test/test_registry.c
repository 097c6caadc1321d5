// Type identities: one descriptor for each name, a copy of the first variable that had it.
#include "component/registry.h"

#include "support.h"

typedef struct resolved {
    ilk_result result;
    ilk_type* known;
    const char* why;
} resolved;

static resolved resolve(ilk_type* type) {
    resolved r = {ILK_OK, NULL, NULL};
    r.result = ilki_type_resolve(type, true, &r.known, &r.why);
    return r;
}

static void assert_unsound(ilk_type type, const char* why) {
    resolved r = resolve(&type);
    assert_int_equal(r.result, ILK_INVALID);
    assert_string_equal(r.why, why);
    assert_int_equal(type.id, 0);
}

static void an_unsound_type_says_why(void** state) {
    (void)state;
    assert_unsound((ilk_type){.size = 4}, "it has no name");
    assert_unsound((ilk_type){.name = "", .size = 4}, "it has no name");
    assert_unsound((ilk_type){.name = "unsound", .size = 4, .unsound = "it is abstract"},
                   "it is abstract");
    assert_unsound((ilk_type){.name = "unsound", .size = 12, .align = 3},
                   "its alignment is not a power of two");
    assert_unsound((ilk_type){.name = "unsound", .size = 8192, .align = 8192},
                   "its alignment is above 4096");
    assert_unsound((ilk_type){.name = "unsound", .size = 6, .align = 4},
                   "its size is not a multiple of its alignment");
    assert_unsound((ilk_type){.name = "unsound", .size = ILKI_SIZE_MAX + 1},
                   "its size is beyond all memory");
    assert_null(ilki_type_find("unsound"));
}

static void two_variables_of_a_name_are_one_type(void** state) {
    (void)state;
    ilk_type first = {.name = "twin", .size = 8, .align = 4};
    ilk_type second = {.name = "twin", .size = 8, .align = 4};
    resolved a = resolve(&first);
    resolved b = resolve(&second);
    assert_int_equal(a.result, ILK_OK);
    assert_int_equal(b.result, ILK_OK);
    assert_ptr_equal(a.known, b.known);
    assert_ptr_not_equal(a.known, &first);
    assert_ptr_equal(ilki_type_find("twin"), a.known);
    assert_int_not_equal(first.id, 0);
    assert_int_equal(first.id, second.id);
    assert_int_equal(resolve(a.known).result, ILK_OK); // a descriptor is its own type
    assert_int_equal(a.known->id, first.id);
}

static void a_name_that_is_not_welcome_is_missing(void** state) {
    (void)state;
    ilk_type type = {.name = "not yet", .size = 4};
    resolved r = {ILK_OK, NULL, NULL};
    assert_int_equal(ilki_type_resolve(&type, false, &r.known, &r.why), ILK_MISSING);
    assert_null(r.known);
    assert_int_equal(type.id, 0);
    assert_null(ilki_type_find("not yet"));
    resolve(&type);
    type.id = 0;
    assert_int_equal(ilki_type_resolve(&type, false, &r.known, &r.why), ILK_OK);
    assert_int_not_equal(type.id, 0);
}

static void a_descriptor_keeps_a_copy(void** state) {
    (void)state;
    char name[] = "copied", field_name[] = "amount";
    int32_t value = 7;
    ilk_field fields[] = {{field_name, ILK_KIND_I32, 0, 4}, {0}};
    ilk_type type = {.name = name, .size = 4, .default_value = &value, .fields = fields};
    const ilk_type* known = resolve(&type).known;
    name[0] = field_name[0] = '?';
    value = 8;
    fields[0].offset = 99;
    assert_string_equal(known->name, "copied");
    assert_string_equal(known->fields[0].name, "amount");
    assert_int_equal(known->fields[0].offset, 0);
    assert_null(known->fields[1].name);
    assert_memory_equal(known->default_value, &(int32_t){7}, 4);
    assert_int_equal(known->align, 4);
}

static void an_alignment_is_guessed_from_the_size(void** state) {
    (void)state;
    const size_t sizes[][2] = {{0, 1}, {1, 1}, {12, 4}, {24, 8}, {48, 16}, {64, 16}};
    static char names[COUNT_OF(sizes)][16];
    for (uint32_t i = 0; i < COUNT_OF(sizes); i++) {
        snprintf(names[i], sizeof names[i], "guess%u", (unsigned)i);
        ilk_type type = {.name = names[i], .size = sizes[i][0]};
        assert_int_equal(resolve(&type).known->align, sizes[i][1]);
    }
}

static void a_value_of_no_bytes_is_no_default(void** state) {
    (void)state;
    ilk_type type = {.name = "nothing", .size = 0, .default_value = "x"};
    assert_null(resolve(&type).known->default_value);
}

// A described type, and variables of its name that differ from it in one thing.
static const ilk_field described[] = {
    {"x", ILK_KIND_F32, 0, 4},
    {"y", ILK_KIND_F32, 4, 4},
    {0},
};

static ilk_result meet(size_t size, size_t align, const ilk_field* fields) {
    ilk_type first = {.name = "met", .size = 8, .align = 4, .fields = described};
    ilk_type type = {.name = "met", .size = size, .align = align, .fields = fields};
    resolve(&first);
    resolved r = resolve(&type);
    assert_non_null(r.known);
    assert_int_equal(type.id, r.result == ILK_OK ? first.id : 0);
    return r.result;
}

static void another_layout_clashes(void** state) {
    (void)state;
    assert_int_equal(meet(8, 4, NULL), ILK_OK);
    assert_int_equal(meet(8, 4, described), ILK_OK);
    assert_int_equal(meet(12, 4, NULL), ILK_CLASH);
    assert_int_equal(meet(8, 8, NULL), ILK_CLASH);
}

static void other_fields_clash(void** state) {
    (void)state;
    const ilk_field y = {"y", ILK_KIND_F32, 4, 4};
    const ilk_field others[][3] = {
        {{"x", ILK_KIND_I32, 0, 4}, y, {0}}, {{"x", ILK_KIND_F32, 2, 4}, y, {0}},
        {{"x", ILK_KIND_F32, 0, 2}, y, {0}}, {{"z", ILK_KIND_F32, 0, 4}, y, {0}},
        {{"x", ILK_KIND_F32, 0, 4}, {0}},
    };
    for (uint32_t i = 0; i < COUNT_OF(others); i++) {
        assert_int_equal(meet(8, 4, others[i]), ILK_CLASH);
    }
}

static void fields_count_only_where_both_have_them(void** state) {
    (void)state;
    ilk_type plain = {.name = "plain", .size = 8, .align = 4};
    ilk_type full = {.name = "plain", .size = 8, .align = 4, .fields = described};
    assert_int_equal(resolve(&plain).result, ILK_OK);
    assert_int_equal(resolve(&full).result, ILK_OK);
}

static void* no_memory(size_t size) {
    (void)size;
    return NULL;
}

static void without_memory_a_type_stays_unknown(void** state) {
    (void)state;
    ilk_type type = {.name = "too much", .size = 4};
    void* (*before)(size_t) = ilki_type_alloc;
    ilki_type_alloc = no_memory;
    resolved r = resolve(&type);
    ilki_type_alloc = before;
    assert_int_equal(r.result, ILK_NO_MEMORY);
    assert_int_equal(type.id, 0);
    assert_null(ilki_type_find("too much"));
    assert_int_equal(resolve(&type).result, ILK_OK);
}

static void a_variable_recalls_its_type(void** state) {
    (void)state;
    ilk_type first = {.name = "recalled", .size = 4};
    ilk_type second = first, unsound = {.name = "recalled", .size = 4, .align = 3};
    assert_false(ilki_type_recall(NULL));
    assert_false(ilki_type_recall(&first)); // nobody used it yet
    resolve(&first);
    assert_false(ilki_type_recall(&first)); // it has its id
    assert_true(ilki_type_recall(&second));
    assert_int_equal(second.id, first.id);
    assert_false(ilki_type_recall(&unsound));
    assert_int_equal(unsound.id, 0);
}

static void thousands_of_types_are_told_apart(void** state) {
    (void)state;
    enum {
        MANY = 3000
    };
    static char names[MANY][16];
    static uint32_t ids[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "many%u", (unsigned)i);
        ilk_type type = {.name = names[i], .size = 4};
        assert_int_equal(resolve(&type).result, ILK_OK);
        ids[i] = type.id;
        assert_true(i == 0 || ids[i] == ids[i - 1] + 1);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        const ilk_type* known = ilki_type_find(names[i]);
        assert_non_null(known);
        assert_int_equal(known->id, ids[i]);
    }
}

static void fields_have_lengths(void** state) {
    (void)state;
    static const uint8_t sizes[] = {1, 1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, sizeof(void*)};
    for (uint32_t kind = ILK_KIND_BOOL; kind <= ILK_KIND_POINTER; kind++) {
        ilk_field field = {"f", (ilk_kind)kind, 0, 3u * sizes[kind]};
        assert_int_equal(ilk_field_length(&field), 3);
    }
    assert_int_equal(ilk_field_length(&(ilk_field){"f", ILK_KIND_BYTES, 0, 24}), 1);
    assert_int_equal(ilk_field_length(&(ilk_field){"f", (ilk_kind)15, 0, 24}), 1);
    assert_int_equal(ilk_field_length(NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unsound_type_says_why),
        cmocka_unit_test(two_variables_of_a_name_are_one_type),
        cmocka_unit_test(a_name_that_is_not_welcome_is_missing),
        cmocka_unit_test(a_descriptor_keeps_a_copy),
        cmocka_unit_test(an_alignment_is_guessed_from_the_size),
        cmocka_unit_test(a_value_of_no_bytes_is_no_default),
        cmocka_unit_test(another_layout_clashes),
        cmocka_unit_test(other_fields_clash),
        cmocka_unit_test(fields_count_only_where_both_have_them),
        cmocka_unit_test(without_memory_a_type_stays_unknown),
        cmocka_unit_test(a_variable_recalls_its_type),
        cmocka_unit_test(thousands_of_types_are_told_apart),
        cmocka_unit_test(fields_have_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
