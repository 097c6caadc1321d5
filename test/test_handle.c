// Handles as text: index, uses, and the tag where it is another one; wherever a handle is told.
#include "entity/handle.h"

#include "support.h"

static void assert_put_at(uint8_t tag, ilk_entity e, const char* wanted, const char* file,
                          int line) {
    ilki_index index;
    ilki_index_init(&index, 0, tag, true);
    char text[64];
    ilki_text to = ilki_text_begin(text, sizeof text);
    ilki_put_handle(&to, &index, e);
    _assert_string_equal(text, wanted, file, line);
    _assert_int_equal(to.length, strlen(wanted), file, line);
}
#define assert_put(tag, e, wanted) assert_put_at((tag), (e), (wanted), __FILE__, __LINE__)

static ilk_entity tagged(uint32_t index, uint32_t tag, uint32_t uses) {
    return (ilk_entity){index, tag << ILKI_TAG_SHIFT | uses};
}

static void a_handle_is_shown_with_its_index_and_uses(void** state) {
    (void)state;
    assert_put(0, ((ilk_entity){12, 3}), "12:3");
    assert_put(0, ((ilk_entity){UINT32_MAX, ILKI_USES_MAX}), "4294967295:8388607");
    assert_put(0, ((ilk_entity){0}), "null");
    assert_put(7, ((ilk_entity){0}), "null");
}

static void a_tag_is_shown_where_it_is_another_one(void** state) {
    (void)state;
    assert_put(5, tagged(12, 5, 3), "12:3");
    assert_put(255, tagged(12, 255, 3), "12:3");
    assert_put(0, tagged(12, 5, 3), "12:3 (tag 5)");
    assert_put(6, tagged(12, 255, 3), "12:3 (tag 255)");
    assert_put(5, tagged(12, 0, 3), "12:3 (tag 0)");
}

static void a_handle_that_nobody_gave_out_is_shown_whole(void** state) {
    (void)state;
    assert_put(0, ((ilk_entity){12, ILKI_DEAD_BIT | 3}), "12:2147483651");
    assert_put(5, ((ilk_entity){12, ILKI_DEAD_BIT}), "12:2147483648");
}

static void a_tagged_world_tells_of_handles_without_the_tag(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 200);
    ilk_entity e = ILK_SPAWN(world, ILK_WITH(Position));
    char text[128];
    assert_int_equal(ilk_add(world, e, ILK_WITH(Position)), ILK_EXISTS);
    assert_string_equal(f->told.text, "ilk_add: entity 0:1 has Position already");
    assert_int_equal(ilk_remove(world, e, &Health_type), ILK_MISSING);
    assert_string_equal(f->told.text, "ilk_remove: entity 0:1 has no Health");
    assert_entity(f->told.last.entity, e);
    ilk_entity_text(world, e, text, sizeof text);
    assert_string_equal(text, "entity 0:1 Position");
    ilk_query* query = ilk_query_create(world, &(ilk_query_desc){.with = {&Position_type}});
    ilk_query_explain(world, query, e, text, sizeof text);
    assert_string_equal(text, "entity 0:1 matches");
    ilk_world_destroy(world);
}

static void a_handle_of_another_tag_is_told_with_both(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.tag = 200;
    desc.name = "there";
    ilk_world* there = ilk_world_create(&desc);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_int_equal(ilk_destroy(there, e), ILK_DEAD);
    assert_string_equal(f->told.text, "ilk_destroy: entity 0:1 (tag 0) is not alive in world "
                                      "\"there\", whose tag is 200");
    ilk_entity other = ILK_SPAWN(there, ILK_WITH(Position));
    char text[128];
    ilk_entity_text(f->world, other, text, sizeof text);
    assert_non_null(strstr(text, "entity 0:1 (tag 200) is not alive in world "));
    ilk_world_destroy(there);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_is_shown_with_its_index_and_uses),
        cmocka_unit_test(a_tag_is_shown_where_it_is_another_one),
        cmocka_unit_test(a_handle_that_nobody_gave_out_is_shown_whole),
        WORLD_TEST(a_tagged_world_tells_of_handles_without_the_tag),
        WORLD_TEST(a_handle_of_another_tag_is_told_with_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
