// What of a value counts: what its type describes, and nothing in between.
#include "support.h"

#include "history/shape.h"

typedef struct Padded {
    uint8_t first;
    uint32_t second;
    uint16_t third[3];
    double fourth;
    ilk_entity fifth;
} Padded;
ILK_COMPONENT_WITH(Padded, .fields = ILK_FIELDS(ILK_FIELD(Padded, first), ILK_FIELD(Padded, second),
                                                ILK_FIELD(Padded, third), ILK_FIELD(Padded, fourth),
                                                ILK_FIELD(Padded, fifth)));

typedef struct Flat {
    float x, y;
    int32_t z;
    ilk_entity at;
    uint8_t four[4];
} Flat;
#define FLAT_FIELDS                                                                                \
    ILK_FIELDS(ILK_FIELD(Flat, x), ILK_FIELD(Flat, y), ILK_FIELD(Flat, z), ILK_FIELD(Flat, at),    \
               ILK_FIELD(Flat, four))
ILK_COMPONENT_WITH(Flat, .fields = FLAT_FIELDS);

typedef struct Inner {
    int32_t a, b;
} Inner;
typedef struct Outer {
    Inner inner;
    const char* text;
    int32_t c;
} Outer;
#define OUTER_FIELDS                                                                               \
    ILK_FIELDS(ILK_FIELD(Outer, inner), ILK_FIELD(Outer, text), ILK_FIELD(Outer, c))
ILK_COMPONENT_WITH(Outer, .fields = OUTER_FIELDS);

static void drop_nothing(void* value, void* context) {
    (void)value, (void)context;
}

static uint64_t mix_of(const ilk_type* type, const void* value) {
    ilki_shape shape = ilki_shape_of(type);
    return ilki_mix_value(&shape, 1, value);
}

static void what_lies_between_fields_does_not_count(void** state) {
    (void)state;
    Padded a, b;
    memset(&a, 0x00, sizeof(a));
    memset(&b, 0xff, sizeof(b));
    a.first = b.first = 1;
    a.second = b.second = 2;
    for (uint16_t i = 0; i < 3; i++) a.third[i] = b.third[i] = i;
    a.fourth = b.fourth = 0.5;
    a.fifth = b.fifth = (ilk_entity){3, 4};
    assert_int_equal(ilki_shape_of(&Padded_type).form, ILKI_FORM_FIELDS);
    assert_true(mix_of(&Padded_type, &a) == mix_of(&Padded_type, &b));
}

static void each_element_of_each_field_counts(void** state) {
    (void)state;
    Padded plain;
    memset(&plain, 0, sizeof(plain));
    uint64_t hash = mix_of(&Padded_type, &plain);
    for (const ilk_field* f = Padded_type.fields; f->name; f++) {
        for (uint32_t i = 0; i < f->size * 8; i++) {
            Padded other = plain;
            ((unsigned char*)&other)[f->offset + i / 8] ^= (unsigned char)(1u << i % 8);
            assert_true(mix_of(&Padded_type, &other) != hash);
        }
    }
}

// In one go where nothing is in between; with the same result.
static void flat_values_are_hashed_as_their_fields_are(void** state) {
    (void)state;
    ilki_shape quick = ilki_shape_of(&Flat_type), slow = quick;
    slow.form = ILKI_FORM_FIELDS;
    if (ILKI_IS_LITTLE) assert_int_equal(quick.form, ILKI_FORM_BYTES);
    Flat values[9];
    ilk_entity entities[9];
    uint64_t seed = 5;
    for (uint32_t i = 0; i < sizeof(values); i++) {
        ((unsigned char*)values)[i] = (unsigned char)next_random(&seed);
    }
    for (uint32_t i = 0; i < 9; i++) {
        entities[i] = (ilk_entity){i, 1};
        assert_true(ilki_mix_value(&quick, i, &values[i]) == ilki_mix_value(&slow, i, &values[i]));
    }
    assert_true(ilki_hash_rows(&quick, entities, (const unsigned char*)values, 9) ==
                ilki_hash_rows(&slow, entities, (const unsigned char*)values, 9));
}

// The sizes that have loops of their own give what the others would.
static void rows_of_each_size_are_hashed_alike(void** state) {
    (void)state;
    unsigned char bytes[20 * 5];
    ilk_entity entities[5];
    for (uint32_t i = 0; i < sizeof(bytes); i++) bytes[i] = (unsigned char)(i * 7);
    for (uint32_t i = 0; i < 5; i++) entities[i] = (ilk_entity){i * 3, 1 + i};
    for (uint32_t size = 1; size <= 20; size++) {
        ilk_type type = {.name = "Sized", .size = size};
        ilki_shape shape = ilki_shape_of(&type);
        uint64_t sum = 0;
        for (uint32_t i = 0; i < 5; i++) {
            uint64_t hash = ilki_mix_begin(shape.key, entities[i]);
            sum += ilki_mix_end(ilki_mix_bytes(hash, bytes + i * size, size));
        }
        assert_true(ilki_hash_rows(&shape, entities, bytes, 5) == sum);
    }
}

static void pointers_are_left_out(void** state) {
    (void)state;
    Outer a = {{1, 2}, "here", 3}, b = {{1, 2}, "there", 3};
    assert_true(mix_of(&Outer_type, &a) == mix_of(&Outer_type, &b));
    b.c = 4;
    assert_true(mix_of(&Outer_type, &a) != mix_of(&Outer_type, &b));
}

// Bytes that nobody describes count, but not if the type owns something.
static void bytes_count_unless_the_type_owns_something(void** state) {
    (void)state;
    Outer a = {{1, 2}, NULL, 3}, b = {{1, 5}, NULL, 3};
    assert_true(mix_of(&Outer_type, &a) != mix_of(&Outer_type, &b));
    ilk_type owning = Outer_type;
    owning.hooks.drop = drop_nothing;
    assert_true(mix_of(&owning, &a) == mix_of(&owning, &b));
    b.c = 4;
    assert_true(mix_of(&owning, &a) != mix_of(&owning, &b));
    owning.fields = NULL;
    assert_int_equal(ilki_shape_of(&owning).form, ILKI_FORM_NOTHING);
    assert_true(mix_of(&owning, &a) == mix_of(&owning, &b));
}

static uint64_t hash_of_text(const void* value, void* context) {
    ++*(int*)context;
    return strlen(((const Owned*)value)->text);
}

static void a_hook_says_what_counts(void** state) {
    (void)state;
    int calls = 0;
    ilk_type type = {.name = "Told", .size = sizeof(Owned)};
    type.hooks = (ilk_hooks){.drop = drop_nothing, .hash = hash_of_text, .context = &calls};
    Owned a = {(char*)(uintptr_t)"one"}, b = {(char*)(uintptr_t)"two"},
          c = {(char*)(uintptr_t)"three"};
    assert_true(mix_of(&type, &a) == mix_of(&type, &b));
    assert_true(mix_of(&type, &a) != mix_of(&type, &c));
    assert_int_equal(calls, 4);
}

// Numbers of floating point count by their bits.
static void minus_nought_is_another_number(void** state) {
    (void)state;
    Flat a = {.x = 0.0f}, b = {.x = -0.0f};
    assert_true(mix_of(&Flat_type, &a) != mix_of(&Flat_type, &b));
}

// Fields that say nonsense of themselves are read within their size.
static void odd_fields_are_read_within_their_size(void** state) {
    (void)state;
    const ilk_field odd[] = {{"cut", ILK_KIND_U64, 0, 4},
                             {"more", ILK_KIND_U32, 4, 6},
                             {"unknown", (ilk_kind)99, 10, 2},
                             {0}};
    ilk_type type = {.name = "OddFields", .size = 12, .align = 1, .fields = odd};
    unsigned char* value = calloc(1, 12); // so that a sanitizer sees what is beyond
    assert_non_null(value);
    uint64_t hash = mix_of(&type, value);
    value[0] = 1; // of a number that is not whole
    assert_true(mix_of(&type, value) == hash);
    value[4] = 1;
    uint64_t other = mix_of(&type, value);
    assert_true(other != hash);
    value[11] = 1;
    assert_true(mix_of(&type, value) != other);
    free(value);
}

static void keys_differ_by_name(void** state) {
    (void)state;
    assert_true(ilki_shape_of(&Position_type).key != ilki_shape_of(&Velocity_type).key);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_between_fields_does_not_count),
        cmocka_unit_test(each_element_of_each_field_counts),
        cmocka_unit_test(flat_values_are_hashed_as_their_fields_are),
        cmocka_unit_test(rows_of_each_size_are_hashed_alike),
        cmocka_unit_test(pointers_are_left_out),
        cmocka_unit_test(bytes_count_unless_the_type_owns_something),
        cmocka_unit_test(a_hook_says_what_counts),
        cmocka_unit_test(minus_nought_is_another_number),
        cmocka_unit_test(odd_fields_are_read_within_their_size),
        cmocka_unit_test(keys_differ_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
