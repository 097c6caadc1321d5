// What ilk_world_validate finds if names and ids are not as they should be.
#include "relation/names.h"
#include "world/world.h"

#include "support.h"

// A name to be broken.
static ilk_name* name_of(const fixture* f, ilk_entity e) {
    return (ilk_name*)(uintptr_t)ilki_name_at(&f->world->storage, e.index);
}

static void assert_broken_at(const fixture* f, const char* what, int line) {
    char text[200] = "";
    ilk_result result = ilk_world_validate(f->world, text, sizeof text);
    _assert_int_equal(result, ILK_BROKEN, __FILE__, line);
    _assert_true(strstr(text, what) != NULL, text, __FILE__, line);
    _assert_int_equal(ilk_world_validate(f->world, NULL, 0), ILK_BROKEN, __FILE__, line);
}
#define assert_broken(f, what) assert_broken_at((f), (what), __LINE__)

// Breaks a number for a moment.
#define BREAK(f, number, wrong, what)                                                              \
    do {                                                                                           \
        uint32_t kept_ = (number);                                                                 \
        (number) = (wrong);                                                                        \
        assert_broken((f), (what));                                                                \
        (number) = kept_;                                                                          \
        assert_valid((f)->world);                                                                  \
    } while (0)

static void make_three(const fixture* f, ilk_entity e[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        e[i] = ilk_create(f->world);
        assert_ok(ilk_set_name(f->world, e[i], "door"));
        assert_ok(ilk_set_id(f->world, e[i], (ilk_id){0, i + 1}));
    }
}

static void a_name_is_what_the_lists_say(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    make_three(f, e);
    BREAK(f, name_of(f, e[0])->text, 99, "slot 0: its name has no text");
    BREAK(f, name_of(f, e[0])->under, 0, "slot 0: its name is under another parent");
    BREAK(f, name_of(f, e[1])->under, 0, "slot 0: the one after it leads elsewhere");
    BREAK(f, name_of(f, e[1])->next, e[1].index, "it leads elsewhere");
    BREAK(f, name_of(f, e[1])->previous, e[2].index, "it leads elsewhere");
    BREAK(f, name_of(f, e[0])->previous, e[1].index, "it leads elsewhere");
    BREAK(f, name_of(f, e[2])->next, e[0].index, "it leads elsewhere");
    BREAK(f, name_of(f, e[1])->next, 77, "it leads elsewhere");
    BREAK(f, name_of(f, e[1])->previous, 77, "it leads elsewhere");
}

static void the_tables_hold_whoever_has_one_and_nobody_else(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    make_three(f, e);
    ilki_names* names = f->world->storage.names;
    assert_ok(ilk_set_parent(f->world, e[2], e[0]));
    BREAK(f, names->by_name.count, 0, "nobody of its name is found");
    BREAK(f, names->by_name.count, 2, "names: the table has others");
    BREAK(f, names->by_id.count, 0, "its id is not found");
    BREAK(f, names->by_id.count, 4, "ids: the table has others");
    BREAK(f, names->glossary.alive, 2, "texts are miscounted");
    uint32_t door = ilk_text_number(f->world, "door");
    BREAK(f, names->glossary.list[door].first, ILKI_NOT_FOUND, "nobody of its name is found");
    BREAK(f, names->glossary.list[door].first, e[1].index, "it leads elsewhere");
    BREAK(f, names->glossary.list[door].first, e[2].index, "nobody of its name is found");
    BREAK(f, names->glossary.list[door].first, 77, "nobody of its name is found");
    BREAK(f, names->glossary.list[door].uses, 2, "another number of users");
    BREAK(f, names->glossary.list[door].length, 3, "a text is not found");
}

static void a_text_leads_to_those_who_are_called_so(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    make_three(f, e);
    for (uint32_t i = 1; i < 3; i++) assert_ok(ilk_set_parent(f->world, e[i], e[0]));
    assert_ok(ilk_set_name(f->world, e[0], NULL));
    ilki_word* door = &f->world->storage.names->glossary.list[ilk_text_number(f->world, "door")];
    assert_int_equal(door->first, ILKI_NOT_FOUND);
    assert_valid(f->world);
    BREAK(f, door->first, e[0].index, "names: the lists have others");
    BREAK(f, door->first, e[1].index, "names: the lists have others");
    BREAK(f, door->first, 77, "names: the lists have others");
}

static void ids_are_what_the_table_says(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    make_three(f, e);
    ilk_id* id = (ilk_id*)(uintptr_t)ilki_id_at(&f->world->storage, e[1].index);
    *id = (ilk_id){0, 1};
    assert_broken(f, "slot 1: its id is not found");
    *id = (ilk_id){0, 0};
    assert_broken(f, "slot 1: its id is none");
    *id = (ilk_id){0, 2};
}

static void names_that_should_be_unique_are(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    make_three(f, e);
    f->world->names = ILK_NAMES_UNIQUE;
    assert_broken(f, "its name is not unique");
    f->world->names = ILK_NAMES_FREE;
}

static void names_are_not_lost_with_their_table(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    make_three(f, e);
    ilki_names* names = f->world->storage.names;
    f->world->storage.names = NULL;
    assert_broken(f, "its name has no text");
    f->world->storage.names = names;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_name_is_what_the_lists_say),
        WORLD_TEST(the_tables_hold_whoever_has_one_and_nobody_else),
        WORLD_TEST(a_text_leads_to_those_who_are_called_so),
        WORLD_TEST(ids_are_what_the_table_says),
        WORLD_TEST(names_that_should_be_unique_are),
        WORLD_TEST(names_are_not_lost_with_their_table),
    };
    return cmocka_run_group_tests_name("names_check", tests, NULL, NULL);
}
