// Names of blueprints in a world.
#include "names_support.h"

static void a_registered_blueprint_is_found_by_name(void** state) {
    fixture* f = *state;
    ilk_blueprint *orc = ilk_blueprint_create(NULL), *elf = ilk_blueprint_create(NULL);
    char name[] = "orc";
    assert_ok(ilk_blueprint_register(f->world, name, orc));
    name[0] = 'X'; // it was copied
    assert_ok(ilk_blueprint_register(f->world, "elf", elf));
    assert_ptr_equal(ilk_blueprint_named(f->world, "orc"), orc);
    assert_ptr_equal(ilk_blueprint_named(f->world, "elf"), elf);
    assert_quiet(f);
}

// R003.31: a name that is not known is told.
static void an_unknown_name_is_missing(void** state) {
    fixture* f = *state;
    assert_null(ilk_blueprint_named(f->world, "orc"));
    assert_told(f, ILK_MISSING, "ilk_blueprint_named");
    assert_non_null(strstr(f->told.text, "orc"));
    assert_null(ilk_blueprint_named(f->world, NULL));
    assert_told(f, ILK_MISSING, "ilk_blueprint_named");
    assert_null(ilk_blueprint_named(NULL, "orc"));
    assert_quiet(f);
}

static void what_cannot_be_named_is_refused(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_blueprint *orc = ilk_blueprint_create(NULL), *child = ilk_blueprint_create(NULL);
    assert_ok(ilk_blueprint_add_child(orc, child));
    assert_int_equal(ilk_blueprint_register(f->world, "child", child), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_blueprint_register");
    assert_int_equal(ilk_blueprint_register(f->world, NULL, orc), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_blueprint_register");
    assert_int_equal(ilk_blueprint_register(f->world, "", orc), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_blueprint_register");
    assert_int_equal(ilk_blueprint_register(f->world, "orc", NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_blueprint_register");
    assert_int_equal(ilk_blueprint_register(NULL, "orc", orc), ILK_INVALID);
    assert_ok(ilk_blueprint_register(f->world, "orc", orc));
    assert_int_equal(ilk_blueprint_register(other, "orc", orc), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_blueprint_register");
    ilk_blueprint* second = ilk_blueprint_create(NULL);
    assert_int_equal(ilk_blueprint_register(f->world, "orc", second), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_blueprint_register");
    assert_int_equal(ilk_blueprint_add_child(second, orc), ILK_INVALID);
    ilk_blueprint_destroy(second);
    ilk_world_destroy(other);
}

static void the_world_owns_what_it_names(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_blueprint *base = ilk_blueprint_create(NULL), *heir = ilk_blueprint_create(NULL);
    assert_non_null(ilk_blueprint_ensure(base, &Owned_type));
    assert_ok(ilk_blueprint_extend(heir, base));
    assert_ok(ilk_blueprint_register(other, "base", base));
    hooks_taken();
    ilk_world_destroy(other);
    assert_hooks(0, 0, 0); // an heir has it still
    ilk_entity e = ilk_blueprint_spawn(f->world, heir);
    assert_string_equal(ILK_GET(f->world, e, Owned)->text, "fresh");
    ilk_blueprint_destroy(heir);
    assert_hooks(0, 1, 1);
}

static void destroying_it_takes_its_name_away(void** state) {
    fixture* f = *state;
    const char* const names[] = {"a", "b", "c"};
    for (uint32_t i = 0; i < 3; i++) {
        assert_ok(ilk_blueprint_register(f->world, names[i], ilk_blueprint_create(NULL)));
    }
    ilk_blueprint_destroy(ilk_blueprint_named(f->world, "b"));
    assert_null(ilk_blueprint_named(f->world, "b"));
    assert_told(f, ILK_MISSING, "ilk_blueprint_named");
    assert_non_null(ilk_blueprint_named(f->world, "a"));
    assert_non_null(ilk_blueprint_named(f->world, "c"));
    assert_ok(ilk_blueprint_register(f->world, "b", ilk_blueprint_create(NULL)));
}

enum {
    MANY = 2000
};

static ilk_blueprint* named_by_number(fixture* f, uint32_t number) {
    char name[16];
    snprintf(name, sizeof name, "b%u", (unsigned)number);
    return ilk_blueprint_named(f->world, name);
}

static void register_by_number(fixture* f, uint32_t number) {
    char name[16];
    ilk_blueprint* b = ilk_blueprint_create(NULL);
    snprintf(name, sizeof name, "b%u", (unsigned)number);
    assert_ok(ilk_blueprint_add(b, ILK_VALUE(Health, (int32_t)number)));
    assert_ok(ilk_blueprint_register(f->world, name, b));
}

// Each is found by its name, and by commands that were recorded before others went.
static void many_are_found_while_others_come_and_go(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    static ilk_entity e[MANY];
    for (uint32_t i = 0; i < MANY; i++) register_by_number(f, i);
    for (uint32_t i = 0; i < MANY; i++) e[i] = ilk_cmd_blueprint_spawn(cmd, named_by_number(f, i));
    for (uint32_t i = 0; i < MANY; i += 3) ilk_blueprint_destroy(named_by_number(f, i));
    for (uint32_t i = 0; i < MANY; i += 6) register_by_number(f, i);
    for (uint32_t i = 0; i < MANY; i++) assert_int_equal(!named_by_number(f, i), i % 6 == 3);
    ilk_cmd_apply(cmd);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(ilk_alive(f->world, e[i]), i % 3 != 0);
        if (i % 3) assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i);
    }
    ilk_cmd_give_back(cmd);
}

static void register_one(ilk_iter* it) {
    ilk_blueprint* b = ilk_blueprint_create(NULL);
    assert_int_equal(ilk_blueprint_register(it->world, "orc", b), ILK_LOCKED);
    ilk_blueprint_destroy(b);
}

static void a_system_registers_none(void** state) {
    fixture* f = *state;
    ilk_system_create(f->world, &(ilk_system_desc){.name = "one", .run = register_one});
    assert_ok(ilk_update(f->world, 0.1));
    assert_told(f, ILK_LOCKED, "ilk_blueprint_register");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_registered_blueprint_is_found_by_name),
        WORLD_TEST(an_unknown_name_is_missing),
        WORLD_TEST(what_cannot_be_named_is_refused),
        WORLD_TEST(the_world_owns_what_it_names),
        WORLD_TEST(destroying_it_takes_its_name_away),
        WORLD_TEST(many_are_found_while_others_come_and_go),
        WORLD_TEST(a_system_registers_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
