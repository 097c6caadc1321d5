// Hooks in unusual company: on tags, and where one of them is missing.
#include "support.h"

static int inits;

static void count_init(void* value, void* context) {
    (void)value, (void)context;
    inits++;
}

static void drop_nothing(void* value, void* context) {
    (void)value, (void)context;
}

ilk_type Greeted_type = {.name = "Greeted", .hooks = {.init = count_init}};
ilk_type Hoard_type = {.name = "Hoard", .size = 8, .hooks = {.drop = drop_nothing}};

static void a_tag_is_initialised_each_time(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    inits = 0;
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Position));
        assert_int_equal(ilk_add(f->world, e[i], ILK_WITH(Greeted)), ILK_OK);
    }
    assert_int_equal(inits, COUNT_OF(e));
}

static void what_cannot_be_copied_is_refused(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Hoard));
    uint32_t alive = ilk_stats(f->world).alive;
    assert_true(ilk_is_null(ilk_copy(f->world, e)));
    assert_int_equal(ilk_error(f->world).result, ILK_INVALID);
    assert_string_equal(ilk_error(f->world).text,
                        "ilk_copy: Hoard has a drop hook, but none to copy it");
    assert_int_equal(ilk_stats(f->world).alive, alive);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_tag_is_initialised_each_time),
        WORLD_TEST(what_cannot_be_copied_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
