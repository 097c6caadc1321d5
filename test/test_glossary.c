// Texts that are kept once each.
#include "containers/glossary.h"

#include "support.h"

typedef struct glossary_fixture {
    meter m;
    ilki_memory memory;
    ilki_glossary glossary;
} glossary_fixture;

static int open_glossary(void** state) {
    glossary_fixture* f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->m.left = UINT64_MAX;
    ilki_memory_init(&f->memory, &(ilk_allocator){meter_alloc, meter_free, &f->m});
    *state = f;
    return 0;
}

static int close_glossary(void** state) {
    glossary_fixture* f = *state;
    ilki_glossary_fini(&f->glossary, &f->memory);
    assert_int_equal(f->m.bytes, 0);
    assert_false(f->m.mismatch);
    free(f);
    return 0;
}
#define GLOSSARY_TEST(function)                                                                    \
    cmocka_unit_test_setup_teardown(function, open_glossary, close_glossary)

static uint32_t take(glossary_fixture* f, const char* text) {
    return ilki_word_take(&f->glossary, &f->memory, text, strlen(text));
}

static uint32_t number_of_text(const glossary_fixture* f, const char* text) {
    return ilki_word_find(&f->glossary, text, strlen(text));
}

static void a_text_is_kept_once(void** state) {
    glossary_fixture* f = *state;
    assert_int_equal(number_of_text(f, "door"), 0);
    uint32_t door = take(f, "door"), wall = take(f, "wall");
    assert_int_equal(door, 1);
    assert_int_equal(wall, 2);
    assert_int_equal(take(f, "door"), door);
    ilki_word_use(&f->glossary, wall);
    assert_int_equal(f->glossary.alive, 2);
    assert_string_equal(ilki_word_at(&f->glossary, door)->text, "door");
    assert_int_equal(number_of_text(f, "wall"), wall);
    assert_int_equal(number_of_text(f, "wal"), 0);
    assert_null(ilki_word_at(&f->glossary, 0));
    assert_null(ilki_word_at(&f->glossary, 3));
}

static void it_goes_with_its_last_user_and_its_number_serves_again(void** state) {
    glossary_fixture* f = *state;
    uint32_t door = take(f, "door"), wall = take(f, "wall"), roof = take(f, "roof");
    take(f, "door");
    ilki_word_drop(&f->glossary, &f->memory, door);
    assert_int_equal(number_of_text(f, "door"), door);
    ilki_word_drop(&f->glossary, &f->memory, door);
    ilki_word_drop(&f->glossary, &f->memory, wall);
    assert_int_equal(number_of_text(f, "door"), 0);
    assert_null(ilki_word_at(&f->glossary, door));
    assert_int_equal(take(f, "gate"), wall);
    assert_int_equal(take(f, "moat"), door);
    assert_int_equal(take(f, "keep"), roof + 1);
    assert_string_equal(ilki_word_at(&f->glossary, wall)->text, "gate");
}

static void without_memory_nothing_changes(void** state) {
    glossary_fixture* f = *state;
    char text[16];
    for (uint32_t i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "text %u", i);
        for (uint64_t left = 0; number_of_text(f, text) == 0; left++) {
            f->m.left = left;
            uint32_t number = take(f, text);
            f->m.left = UINT64_MAX;
            assert_int_equal(number, number_of_text(f, text));
            assert_int_equal(f->glossary.alive, i + (number != 0));
        }
    }
}

static void trimming_gives_all_back_when_nothing_is_left(void** state) {
    glossary_fixture* f = *state;
    uint32_t door = take(f, "door");
    for (uint32_t i = 0; i < 100; i++) {
        ilki_word_drop(&f->glossary, &f->memory, take(f, (char[]){(char)(i + 1), 0}));
    }
    ilki_glossary_trim(&f->glossary, &f->memory);
    assert_int_equal(number_of_text(f, "door"), door);
    ilki_word_drop(&f->glossary, &f->memory, door);
    ilki_glossary_trim(&f->glossary, &f->memory);
    assert_int_equal(f->m.bytes, 0);
    assert_int_equal(take(f, "door"), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GLOSSARY_TEST(a_text_is_kept_once),
        GLOSSARY_TEST(it_goes_with_its_last_user_and_its_number_serves_again),
        GLOSSARY_TEST(without_memory_nothing_changes),
        GLOSSARY_TEST(trimming_gives_all_back_when_nothing_is_left),
    };
    return cmocka_run_group_tests_name("glossary", tests, NULL, NULL);
}
