// Failures: what is noted, what is told, and the sentences.
#include "world/world.h"

#include "support.h"

static const ilk_entity someone = {3, 4};

static void assert_text_at(fixture* f, ilk_result result, ilk_entity e, const ilk_type* type,
                           const char* text, const char* file, int line) {
    _assert_int_equal(ilki_fail(f->world, result, "call", e, type), result, file, line);
    _assert_string_equal(ilk_error(f->world).text, text, file, line);
    _assert_string_equal(f->told.text, text, file, line);
}
#define assert_text(f, result, e, type, text)                                                      \
    assert_text_at((f), (result), (e), (type), (text), __FILE__, __LINE__)

static void each_result_has_a_sentence(void** state) {
    fixture* f = *state;
    const ilk_entity null = {0};
    assert_text(f, ILK_EXISTS, someone, &Health_type, "call: entity 3:4 has Health already");
    assert_text(f, ILK_EXISTS, someone, NULL, "call: entity 3:4 has component already");
    assert_text(f, ILK_MISSING, someone, &Health_type, "call: entity 3:4 has no Health");
    assert_text(f, ILK_DEAD, null, NULL, "call: the null entity is not alive");
    assert_text(f, ILK_DEAD, someone, NULL, "call: entity 3:4 is not alive in world \"town\"");
    assert_text(f, ILK_DEAD, null, &Health_type, "call of Health: the null entity is not alive");
    assert_text(f, ILK_DEAD, someone, &Health_type,
                "call of Health: entity 3:4 is not alive in world \"town\"");
    assert_text(f, ILK_FULL, null, NULL, "call: world \"town\" has room for at most 9 entities");
    assert_text(f, ILK_NO_MEMORY, null, NULL, "call: no memory in world \"town\"");
    assert_text(f, ILK_NO_MEMORY, null, &Health_type,
                "call: no memory for Health in world \"town\"");
    assert_text(f, ILK_LOCKED, null, NULL, "call: the world cannot be changed here");
}

static void a_world_without_a_maximum_may_be_full(void** state) {
    fixture* f = *state;
    f->world->storage.view.index.max = UINT32_MAX;
    assert_text(f, ILK_FULL, ((ilk_entity){0}), NULL,
                "call: world \"town\" has no index or chunk left");
}

static void a_reason_takes_the_place_of_the_sentence(void** state) {
    fixture* f = *state;
    ilk_result result =
        ilki_fail_because(f->world, ILK_INVALID, "call", &Health_type, "%d is odd", 7);
    assert_int_equal(result, ILK_INVALID);
    assert_string_equal(ilk_error(f->world).text, "call: 7 is odd");
    assert_string_equal(f->told.type, "Health");
    assert_true(ilk_is_null(ilk_error(f->world).entity));
    ilki_fail(f->world, ILK_MISSING, "call", someone, &Health_type);
    assert_string_equal(ilk_error(f->world).text, "call: entity 3:4 has no Health");
}

static void names_are_kept_and_cut(void** state) {
    fixture* f = *state;
    char name[400];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    ilk_type type = {.name = name};
    ilki_fail(f->world, ILK_MISSING, "call", someone, &type);
    name[0] = '?';
    ilk_message message = ilk_error(f->world);
    assert_int_equal(strlen(message.type), sizeof f->world->failure.name - 1);
    assert_int_equal(message.type[0], 'n');
    assert_non_null(strstr(message.text, "entity 3:4 has no nnn"));
    ilki_fail(f->world, ILK_MISSING, "call", someone, &(ilk_type){.name = NULL});
    assert_null(ilk_error(f->world).type);
}

static void a_long_reason_is_cut(void** state) {
    fixture* f = *state;
    char reason[600];
    memset(reason, 'r', sizeof reason - 1);
    reason[sizeof reason - 1] = 0;
    ilki_fail_because(f->world, ILK_INVALID, "call", NULL, "%s", reason);
    size_t length = strlen("call: ") + sizeof f->world->failure.detail - 1;
    assert_int_equal(strlen(ilk_error(f->world).text), length);
}

static void a_sentence_with_a_long_name_is_cut(void** state) {
    (void)state;
    fixture f = {.memory = {.left = UINT64_MAX}};
    char name[600];
    memset(name, 'w', sizeof name - 1);
    name[sizeof name - 1] = 0;
    ilk_world_desc desc = fixture_desc(&f);
    desc.name = name;
    f.world = ilk_world_create(&desc);
    ilki_fail(f.world, ILK_DEAD, "call", someone, NULL);
    assert_int_equal(strlen(ilk_error(f.world).text), sizeof f.world->failure.text - 1);
    ilk_world_destroy(f.world);
}

static void what_is_muted_is_noted_but_not_told(void** state) {
    fixture* f = *state;
    f->world->is_muted = true;
    ilki_fail(f->world, ILK_MISSING, "call", someone, &Health_type);
    f->world->is_muted = false;
    assert_quiet(f);
    assert_int_equal(ilk_error(f->world).result, ILK_MISSING);
}

static void a_sentence_is_made_once(void** state) {
    fixture* f = *state;
    ilki_fail(f->world, ILK_FULL, "call", (ilk_entity){0}, NULL);
    const char* text = ilk_error(f->world).text;
    f->world->storage.view.index.max = 5;
    assert_string_equal(ilk_error(f->world).text, text);
    assert_non_null(strstr(text, "at most 9"));
}

static void without_a_failure_there_is_no_text(void** state) {
    fixture* f = *state;
    ilk_message message = ilk_error(f->world);
    assert_int_equal(message.result, ILK_OK);
    assert_string_equal(message.text, "");
    assert_string_equal(message.call, "");
    assert_string_equal(ilk_error(NULL).text, "");
}

static void nobody_needs_to_listen(void** state) {
    fixture* f = *state;
    f->world->message = NULL;
    ilki_fail(f->world, ILK_MISSING, "call", someone, &Health_type);
    assert_quiet(f);
    assert_string_equal(ilk_error(f->world).text, "call: entity 3:4 has no Health");
    f->world->message = record;
}

#ifdef ILK_CHECKED
static void what_is_stale_is_told_also_when_muted(void** state) {
    fixture* f = *state;
    f->world->storage.stale = &Health_type;
    f->world->is_muted = true;
    ilki_report_stale(f->world, "call");
    assert_true(f->world->is_muted);
    f->world->is_muted = false;
    assert_told(f, ILK_STALE, "call");
    assert_null(f->world->storage.stale);
    ilki_report_stale(f->world, "call");
    assert_quiet(f);
}
#endif

static int open_town(void** state) {
    fixture* f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->memory.left = UINT64_MAX;
    ilk_world_desc desc = fixture_desc(f);
    desc.name = "town";
    desc.max_entities = 9;
    f->world = ilk_world_create(&desc);
    assert_non_null(f->world);
    *state = f;
    return 0;
}
#define TOWN_TEST(function) cmocka_unit_test_setup_teardown(function, open_town, close_world)

int main(void) {
    const struct CMUnitTest tests[] = {
        TOWN_TEST(each_result_has_a_sentence),
        TOWN_TEST(a_world_without_a_maximum_may_be_full),
        TOWN_TEST(a_reason_takes_the_place_of_the_sentence),
        TOWN_TEST(names_are_kept_and_cut),
        TOWN_TEST(a_long_reason_is_cut),
        cmocka_unit_test(a_sentence_with_a_long_name_is_cut),
        TOWN_TEST(what_is_muted_is_noted_but_not_told),
        TOWN_TEST(a_sentence_is_made_once),
        TOWN_TEST(without_a_failure_there_is_no_text),
        TOWN_TEST(nobody_needs_to_listen),
#ifdef ILK_CHECKED
        TOWN_TEST(what_is_stale_is_told_also_when_muted),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
