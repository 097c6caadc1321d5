// An entity as text: its components, and the values of what is described.
#include "text_support.h"

typedef struct Described {
    float x;
    double y;
    int8_t small;
    uint8_t bytes[3];
    int16_t short_one;
    uint16_t port;
    int32_t whole;
    uint32_t count;
    int64_t large;
    uint64_t largest;
    bool is_on;
    char letter;
    char name[8];
    ilk_entity friends[2];
    const char* text;
    void* nothing;
    struct {
        int a, b;
    } other;
} Described;
ILK_COMPONENT_WITH(Described,
                   .fields = ILK_FIELDS(ILK_FIELD(Described, x), ILK_FIELD(Described, y),
                                        ILK_FIELD(Described, small), ILK_FIELD(Described, bytes),
                                        ILK_FIELD(Described, short_one), ILK_FIELD(Described, port),
                                        ILK_FIELD(Described, whole), ILK_FIELD(Described, count),
                                        ILK_FIELD(Described, large), ILK_FIELD(Described, largest),
                                        ILK_FIELD(Described, is_on), ILK_FIELD(Described, letter),
                                        ILK_FIELD(Described, name), ILK_FIELD(Described, friends),
                                        ILK_FIELD(Described, text), ILK_FIELD(Described, nothing),
                                        ILK_FIELD(Described, other)));

typedef struct Long {
    char text[100];
    uint32_t numbers[20];
} Long;
ILK_COMPONENT_WITH(Long, .fields = ILK_FIELDS(ILK_FIELD(Long, text), ILK_FIELD(Long, numbers)));

static ilk_entity shown; // by the function that has no other way to be told

static size_t text_of_shown(const ilk_world* world, char* text, size_t size) {
    return ilk_entity_text(world, shown, text, size);
}

static void assert_shown_at(const ilk_world* world, ilk_entity e, const char* wanted,
                            const char* file, int line) {
    shown = e;
    assert_text_at(text_of_shown, world, wanted, file, line);
}
#define assert_shown(world, e, wanted) assert_shown_at((world), (e), (wanted), __FILE__, __LINE__)

// R003.2: what is added, removed and switched off is in the list, in order of first use.
static void an_entity_is_shown_with_its_components(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    assert_shown(f->world, e, "entity 0:1 without a component");
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 1, 2)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Velocity)));
    ILK_SPAWN(f->world, ILK_WITH(Frozen));
    assert_shown(f->world, e, "entity 0:1 Position, Enemy, Velocity");
    assert_ok(ilk_disable(f->world, e, &Enemy_type));
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_shown(f->world, e, "entity 0:1 Enemy (off), Velocity");
    assert_any_size_will_do(text_of_shown, f->world);
    assert_quiet(f);
}

static void fields_are_shown_with_their_values(void** state) {
    fixture* f = *state;
    ilk_entity friend = ilk_create(f->world);
    ilk_entity e =
        ILK_SPAWN(f->world, ILK_WITH(Enemy),
                  ILK_VALUE(Described, .x = 1, .y = 2.5, .small = -3, .bytes = {4, 5, 255},
                            .short_one = -6, .port = 65535, .whole = INT32_MIN, .count = UINT32_MAX,
                            .large = INT64_MIN, .largest = UINT64_MAX, .is_on = true, .letter = 'q',
                            .name = "Ann", .friends = {friend}, .text = "far"));
    assert_shown(f->world, e,
                 "entity 1:1 Enemy, Described {x 1, y 2.5, small -3, bytes [4, 5, 255], short_one "
                 "-6, port 65535, whole -2147483648, count 4294967295, large -9223372036854775808, "
                 "largest 18446744073709551615, is_on true, letter \"q\", name \"Ann\", friends "
                 "[0:1, null], text a pointer, nothing NULL, other 8 bytes}");
    assert_ok(ilk_disable(f->world, e, &Described_type));
    shown = e;
    assert_shows(text_of_shown, f->world, "other 8 bytes} (off)");
    assert_any_size_will_do(text_of_shown, f->world);
}

static void a_value_is_found_wherever_it_lies(void** state) {
    fixture* f = *state;
    Described value = {.whole = 7, .name = {'1', '2', '3', '4', '5', '6', '7', '8'}};
    for (int where = 0; where < PLACES; where++) {
        shown = put(f->world, (origin)where, ILK_VALUE_AT(Described, &value));
        assert_shows(text_of_shown, f->world, "whole 7,");
        assert_shows(text_of_shown, f->world, "name \"12345678\","); // and not what is behind it
    }
}

static void what_is_long_is_cut(void** state) {
    fixture* f = *state;
    Long value = {.numbers = {1, 2, 3}};
    memset(value.text, 'a', sizeof(value.text));
    memcpy(value.text, "\"\n\xff", 3);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE_AT(Long, &value));
    shown = e;
    assert_shows(text_of_shown, f->world, "Long {text \"\\\"\\u000a\\ufffdaaa");
    assert_shows(text_of_shown, f->world,
                 "aaa\"…, numbers [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …]}");
    size_t length = ilk_entity_text(f->world, e, NULL, 0);
    assert_true(length < 300);
}

static void the_dead_are_shown_as_such(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_ok(ilk_destroy(f->world, e));
    char wanted[100];
    snprintf(wanted, sizeof(wanted), "entity 0:1 is not alive in world \"%s\"",
             ilk_world_name(f->world));
    assert_shown(f->world, e, wanted);
    snprintf(wanted, sizeof(wanted), "the null entity is not alive in world \"%s\"",
             ilk_world_name(f->world));
    assert_shown(f->world, (ilk_entity){0}, wanted);
    snprintf(wanted, sizeof(wanted), "entity 4294967295:9 is not alive in world \"%s\"",
             ilk_world_name(f->world));
    assert_shown(f->world, ((ilk_entity){UINT32_MAX, 9}), wanted);
    assert_no_world_is_no_text(text_of_shown);
    assert_quiet(f);
}

static void a_field_beyond_the_value_is_refused(void** state) {
    fixture* f = *state;
    const ilk_field beyond[][2] = {{{"x", ILK_KIND_F32, 8, 4}, {0}},
                                   {{"x", ILK_KIND_F32, 4, 8}, {0}},
                                   {{"x", ILK_KIND_F32, UINT32_MAX, 4}, {0}}};
    for (uint32_t i = 0; i < COUNT_OF(beyond); i++) {
        ilk_type type = {.name = "Beyond", .size = 8, .fields = beyond[i]};
        assert_int_equal(ilk_register(f->world, &type), ILK_INVALID);
        assert_told(f, ILK_INVALID, "ilk_register");
        assert_non_null(strstr(f->told.text, "a field of it lies beyond its size"));
    }
    const ilk_field within[] = {{"x", ILK_KIND_F32, 4, 4}, {0}};
    assert_ok(ilk_register(f->world, &(ilk_type){.name = "Within", .size = 8, .fields = within}));
}

static void show_yourself(ilk_iter* it) {
    while (ilk_next(it)) {
        char text[100];
        assert_int_equal(ilk_entity_text(it->world, it->entities[0], text, sizeof(text)), 29);
        assert_string_equal(text, "entity 0:1 Position, Velocity");
        ++*(uint32_t*)it->user;
    }
}

static void an_entity_is_shown_inside_a_system(void** state) {
    fixture* f = *state;
    uint32_t count = 0;
    ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    SYSTEM(f->world, "show", .run = show_yourself, .user = &count,
           .query = {.read = {&Position_type}});
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(count, 1);
    assert_quiet(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(an_entity_is_shown_with_its_components),
        SCHEDULE_TEST(fields_are_shown_with_their_values),
        SCHEDULE_TEST(a_value_is_found_wherever_it_lies),
        SCHEDULE_TEST(what_is_long_is_cut),
        SCHEDULE_TEST(the_dead_are_shown_as_such),
        SCHEDULE_TEST(a_field_beyond_the_value_is_refused),
        SCHEDULE_TEST(an_entity_is_shown_inside_a_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
