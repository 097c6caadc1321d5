// What an entity has: the list of its types and its signature as text.
#include "support.h"

static void assert_signature_at(const ilk_world* world, ilk_entity e, const char* expected,
                                const char* file, int line) {
    char text[300] = "?";
    size_t length = ilk_signature(world, e, text, sizeof(text));
    _assert_string_equal(text, expected, file, line);
    _assert_int_equal(length, strlen(expected), file, line);
}
#define assert_signature(world, e, expected)                                                       \
    assert_signature_at((world), (e), (expected), __FILE__, __LINE__)

static void register_four(ilk_world* world) {
    assert_ok(ilk_register(world, &Position_type));
    assert_ok(ilk_register(world, &Velocity_type));
    assert_ok(ilk_register(world, &Health_type));
    assert_ok(ilk_register(world, &Enemy_type));
}

// R004.2
static void a_signature_has_a_digit_for_each_type(void** state) {
    fixture* f = *state;
    register_four(f->world);
    ilk_entity e = ilk_create(f->world);
    assert_signature(f->world, e, "0000");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Position)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Health)));
    assert_signature(f->world, e, "1010");
    e = ILK_SPAWN(f->world, ILK_WITH(Enemy), ILK_WITH(Velocity));
    assert_signature(f->world, e, "0101");
}

// R004.2
static void a_type_may_come_late(void** state) {
    fixture* f = *state;
    register_four(f->world);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health));
    assert_ok(ilk_register(f->world, &Anchor_type));
    assert_signature(f->world, e, "10100");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Anchor)));
    assert_signature(f->world, e, "10101");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_signature(f->world, e, "101011");
}

static uint32_t differences(const char* a, const char* b) {
    uint32_t count = 0;
    assert_int_equal(strlen(a), strlen(b));
    for (; *a; a++, b++) {
        count += *a != *b;
    }
    return count;
}

static void check_one_digit(fixture* f, origin where) {
    register_four(f->world);
    ilk_entity e = put(f->world, where, ILK_WITH(Position));
    ilk_register(f->world, &Anchor_type);
    char before[16], after[16];
    ilk_signature(f->world, e, before, sizeof(before));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Health)));
    ilk_signature(f->world, e, after, sizeof(after));
    assert_int_equal(differences(before, after), 1);
    assert_true(before[2] == '0' && after[2] == '1');
    assert_ok(ilk_remove(f->world, e, &Health_type));
    ilk_signature(f->world, e, after, sizeof(after));
    assert_string_equal(before, after);
    assert_ok(ilk_remove(f->world, e, &Position_type));
    ilk_signature(f->world, e, after, sizeof(after));
    assert_int_equal(differences(before, after), 1);
    assert_true(after[0] == '0');
}

// R004.3 R002.10
static void a_change_flips_one_digit(void** state) {
    (void)state;
    at_each_place(check_one_digit);
}

// R002.9
static void a_reused_index_starts_without_components(void** state) {
    fixture* f = *state;
    register_four(f->world);
    ilk_entity e = ilk_create(f->world);
    assert_signature(f->world, e, "0000");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Position)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_ok(ilk_destroy(f->world, e));
    ilk_entity next = ilk_create(f->world);
    assert_int_equal(next.index, e.index);
    assert_signature(f->world, next, "0000");
    assert_int_equal(ilk_types_of(f->world, next, NULL, 0), 0);
}

// R002.9 R004.2
static void a_dead_entity_has_no_signature(void** state) {
    fixture* f = *state;
    register_four(f->world);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_ok(ilk_destroy(f->world, e));
    assert_signature(f->world, e, "");
    assert_signature(f->world, (ilk_entity){0}, "");
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 0);
    assert_quiet(f);
}

// R004.2
static void a_signature_is_cut_to_the_room(void** state) {
    fixture* f = *state;
    register_four(f->world);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    char text[8] = "xxxxxxx";
    assert_int_equal(ilk_signature(f->world, e, NULL, 0), 4);
    assert_int_equal(ilk_signature(f->world, e, text, 3), 4);
    assert_string_equal(text, "11");
    assert_int_equal(text[3], 'x');
    assert_int_equal(ilk_signature(f->world, e, text, 1), 4);
    assert_string_equal(text, "");
    assert_int_equal(ilk_signature(f->world, e, text, 0), 4);
    assert_int_equal(ilk_signature(f->world, e, text, 5), 4);
    assert_string_equal(text, "1100");
}

// R002.8 R002.10 R004.2 R004.4 C23
static void a_signature_grows_with_two_hundred_types(void** state) {
    fixture* f = *state;
    enum {
        MANY = 200
    };
    static ilk_type types[MANY];
    static char names[MANY][16];
    char expected[MANY + 1] = "";
    ilk_entity e = ilk_create(f->world);
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof(names[i]), "signed%u", (unsigned)i);
        types[i] = (ilk_type){.name = names[i], .size = i % 3 * 4};
        assert_ok(ilk_register(f->world, &types[i]));
        expected[i] = i % 3 ? '1' : '0';
        if (i % 3) {
            assert_ok(ilk_add(f->world, e, (ilk_value){&types[i], NULL}));
        }
        assert_signature(f->world, e, expected);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(ilk_has(f->world, e, &types[i]), i % 3 != 0);
    }
    assert_false(ilk_has(f->world, e, &Position_type));
}

// R002.10
static void a_type_beyond_the_world_is_not_had(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_type beyond = {.name = "beyond", .size = 4};
    assert_false(ilk_has(f->world, e, &beyond));
    ilk_world* other = second_world(f, 0);
    assert_ok(ilk_register(other, &beyond));
    assert_false(ilk_has(f->world, e, &beyond));
    assert_signature(f->world, e, "1");
    ilk_world_destroy(other);
}

static void check_types_of(fixture* f, origin where) {
    register_four(f->world);
    ilk_entity e = put(f->world, where, ILK_WITH(Health));
    ilk_remove(f->world, e, &Anchor_type);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Position)));
    assert_ok(ilk_disable(f->world, e, &Enemy_type));
    ilk_type* types[4] = {NULL, NULL, NULL, &Anchor_type};
    assert_int_equal(ilk_types_of(f->world, e, types, 3), 3);
    assert_string_equal(types[0]->name, "Position");
    assert_string_equal(types[1]->name, "Health");
    assert_string_equal(types[2]->name, "Enemy");
    assert_ptr_equal(types[3], &Anchor_type);
    types[1] = NULL;
    assert_int_equal(ilk_types_of(f->world, e, types, 1), 3);
    assert_null(types[1]);
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 3);
}

// R000.24
static void types_are_listed_by_number(void** state) {
    (void)state;
    at_each_place(check_types_of);
}

// R000.24
static void listed_types_may_be_used(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_VALUE(Health, 3));
    ilk_type* types[2];
    assert_int_equal(ilk_types_of(f->world, e, types, 2), 2);
    assert_true(same_position(ilk_get(f->world, e, types[0], NULL), 1, 2));
    assert_ok(ilk_remove(f->world, e, types[1]));
    assert_false(ilk_has(f->world, e, &Health_type));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_signature_has_a_digit_for_each_type),
        WORLD_TEST(a_type_may_come_late),
        cmocka_unit_test(a_change_flips_one_digit),
        WORLD_TEST(a_reused_index_starts_without_components),
        WORLD_TEST(a_dead_entity_has_no_signature),
        WORLD_TEST(a_signature_is_cut_to_the_room),
        WORLD_TEST(a_signature_grows_with_two_hundred_types),
        WORLD_TEST(a_type_beyond_the_world_is_not_had),
        cmocka_unit_test(types_are_listed_by_number),
        WORLD_TEST(listed_types_may_be_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
