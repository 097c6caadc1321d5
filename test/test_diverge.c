// The first difference of two worlds: none after the same history, and then the one that was
// planted.
#include "history/hashes.h"

#include "relation_support.h"

typedef struct Detailed {
    uint8_t kind;
    float at[3];
    char text[8];
    ilk_entity friend;
    const void* pointer;
} Detailed;
ILK_COMPONENT_WITH(Detailed,
                   .fields = ILK_FIELDS(ILK_FIELD(Detailed, kind), ILK_FIELD(Detailed, at),
                                        ILK_FIELD(Detailed, text), ILK_FIELD(Detailed, friend),
                                        ILK_FIELD(Detailed, pointer)));

static uint64_t hash_of_owned(const void* value, void* context) {
    (void)context;
    return strlen(((const Owned*)value)->text);
}
ilk_type Hooked_type = {.name = "Hooked",
                        .size = sizeof(Owned),
                        .align = _Alignof(Owned),
                        .hooks = {.hash = hash_of_owned}};

enum {
    CAST = 200
};

typedef struct twins {
    fixture* f;
    ilk_world *a, *b;
    ilk_entity cast[CAST]; // the same in both
} twins;

// A history that leaves something of everything.
static void live(ilk_world* world, ilk_entity* cast) {
    for (uint32_t i = 0; i < CAST; i++) {
        Detailed detailed = {.kind = (uint8_t)i, .at = {1, 2, (float)i}, .text = "text"};
        cast[i] =
            ILK_SPAWN(world, ILK_VALUE(Position, .x = (float)i), ILK_VALUE_AT(Detailed, &detailed));
    }
    for (uint32_t i = 0; i < CAST; i++) {
        if (i % 3 == 0) ilk_add(world, cast[i], ILK_VALUE(Anchor, i));
        if (i % 5 == 0) ilk_disable(world, cast[i], &Position_type);
        if (i % 7 == 1) ilk_set_parent(world, cast[i], cast[2]);
        if (i % 9 == 1) ilk_relate_value(world, cast[i], &Owes_type, cast[i / 2], &(Health){3});
        if (i % 9 == 1) ilk_relate(world, cast[i], &Owes_type, cast[3]);
        if (i % 11 == 1) ilk_set_name(world, cast[i], "twin");
    }
    ilk_resource_set(world, ILK_VALUE(Health, 5));
    ilk_reader_create(world, &(ilk_reader_desc){.type = &Health_type});
    ilk_emit(world, ILK_VALUE(Health, 5));
    ilk_settle(world, 20);
}

static twins begin_twins(fixture* f) {
    twins t = {.f = f};
    ilk_world_desc desc = fixture_desc(f);
    desc.name = "a";
    t.a = ilk_world_create(&desc);
    desc.name = "b";
    t.b = ilk_world_create(&desc);
    assert_true(t.a && t.b);
    live(t.a, t.cast);
    live(t.b, t.cast);
    return t;
}

static void end_twins(twins* t) {
    ilk_world_destroy(t->a);
    ilk_world_destroy(t->b);
}

static ilk_divergence difference(const twins* t) {
    ilk_divergence first, back;
    assert_ok(ilk_diverge(t->a, t->b, &first));
    assert_ok(ilk_diverge(t->b, t->a, &back));
    assert_int_equal(first.what, back.what);
    assert_int_equal(first.entity.index, back.entity.index);
    bool is_same = ilk_hash_layout(t->a) == ilk_hash_layout(t->b);
    assert_int_equal(first.what == ILK_DIFFERENCE_NONE, is_same);
    return first;
}

// Something was done to the second world: this is the first difference, and this its sentence.
static void expect(twins* t, ilk_difference what, const char* sentence) {
    ilk_divergence first = difference(t);
    assert_string_equal(first.text, sentence);
    assert_int_equal(first.what, what);
}

static void the_same_history_leaves_no_difference(void** state) {
    twins t = begin_twins(*state);
    expect(&t, ILK_DIFFERENCE_NONE, "world \"a\" and world \"b\" do not differ");
    end_twins(&t);
}

#define EXPECT_OF(done, what, sentence)                                                            \
    do {                                                                                           \
        twins t = begin_twins(*state);                                                             \
        ilk_world* world = t.b;                                                                    \
        ilk_entity* cast = t.cast;                                                                 \
        (void)cast, (void)world;                                                                   \
        done;                                                                                      \
        expect(&t, what, sentence);                                                                \
        end_twins(&t);                                                                             \
    } while (0)

static void a_field_is_named_with_both_values(void** state) {
    EXPECT_OF(ILK_EDIT(world, cast[150], Detailed)->kind = 7, ILK_DIFFERENCE_VALUE,
              "entity 150:1 Detailed.kind is 150 in world \"a\", and 7 in world \"b\"");
    EXPECT_OF(ILK_EDIT(world, cast[17], Detailed)->at[2] = 0.5f, ILK_DIFFERENCE_VALUE,
              "entity 17:1 Detailed.at[2] is 17 in world \"a\", and 0.5 in world \"b\"");
    EXPECT_OF(ILK_EDIT(world, cast[17], Detailed)->friend = cast[4], ILK_DIFFERENCE_VALUE,
              "entity 17:1 Detailed.friend is null in world \"a\", and 4:1 in world \"b\"");
    EXPECT_OF(ILK_EDIT(world, cast[17], Detailed)->text[1] = 'a', ILK_DIFFERENCE_VALUE,
              "entity 17:1 Detailed.text[1] is \"e\" in world \"a\", and \"a\" in world \"b\"");
    EXPECT_OF(ILK_EDIT(world, cast[17], Detailed)->pointer = world, ILK_DIFFERENCE_NONE,
              "world \"a\" and world \"b\" do not differ");
}

// Where the texts are the same, their bytes tell.
static void what_looks_the_same_is_told_by_its_bytes(void** state) {
    twins t = begin_twins(*state);
    ILK_EDIT(t.b, t.cast[17], Detailed)->at[0] = 1.0000001f;
    ilk_divergence first = difference(&t);
    assert_string_equal(first.field, "at");
    assert_string_not_equal(first.a, first.b);
    assert_non_null(strstr(first.a, "1 (bytes "));
    end_twins(&t);
}

static void bytes_are_shown_where_nothing_is_described(void** state) {
    twins t = begin_twins(*state);
    ILK_EDIT(t.b, t.cast[30], Anchor)->depth ^= (uint64_t)0xff << 24;
    ilk_divergence first = difference(&t);
    assert_int_equal(first.what, ILK_DIFFERENCE_VALUE);
    assert_ptr_equal(first.field, NULL);
    assert_true(ilk_same_type(first.type, &Anchor_type));
    assert_non_null(strstr(first.a, "bytes 00"));
    assert_non_null(strstr(first.b, "bytes ff"));
    end_twins(&t);
}

static void a_hook_is_shown_by_its_hash(void** state) {
    EXPECT_OF((ilk_add(t.a, cast[1], (ilk_value){&Hooked_type, &(Owned){"one"}}),
               ilk_add(t.b, cast[1], (ilk_value){&Hooked_type, &(Owned){"three"}})),
              ILK_DIFFERENCE_VALUE,
              "entity 1:1 \"twin\" Hooked is hash 0000000000000003 in world \"a\", and hash "
              "0000000000000005 in world \"b\"");
}

static void who_is_alive_and_what_they_have(void** state) {
    EXPECT_OF(ilk_destroy(world, cast[180]), ILK_DIFFERENCE_ALIVE,
              "entity 180:1 is alive in world \"a\", and not alive in world \"b\"");
    EXPECT_OF((ilk_destroy(world, cast[180]), ilk_create(world)), ILK_DIFFERENCE_ALIVE,
              "entity 180:1 is 180:1 in world \"a\", and 180:2 in world \"b\"");
    EXPECT_OF(ilk_create(world), ILK_DIFFERENCE_ALIVE,
              "entity 200:1 is not alive in world \"a\", and alive in world \"b\"");
    EXPECT_OF(ilk_add(world, cast[5], ILK_WITH(Enemy)), ILK_DIFFERENCE_COMPONENT,
              "entity 5:1 Enemy is not there in world \"a\", and there in world \"b\"");
    EXPECT_OF(ilk_remove(world, cast[6], &Anchor_type), ILK_DIFFERENCE_COMPONENT,
              "entity 6:1 Anchor is there in world \"a\", and not there in world \"b\"");
    EXPECT_OF(ilk_enable(world, cast[5], &Position_type), ILK_DIFFERENCE_ENABLED,
              "entity 5:1 Position is switched off in world \"a\", and switched on in world \"b\"");
    EXPECT_OF(ilk_deactivate(world, cast[5]), ILK_DIFFERENCE_COMPONENT,
              "entity 5:1 ilk_inactive is not there in world \"a\", and there in world \"b\"");
}

static void relations_differ_by_targets_values_and_order(void** state) {
    EXPECT_OF(ilk_relate(world, cast[10], &Owes_type, cast[7]), ILK_DIFFERENCE_TARGETS,
              "entity 10:1 Owes[2] is nobody in world \"a\", and 7:1 in world \"b\"");
    EXPECT_OF(((Health*)ilk_relation_edit(world, cast[10], &Owes_type, cast[3]))->points = 99,
              ILK_DIFFERENCE_VALUE,
              "entity 10:1 Owes is bytes 64 00 00 00 in world \"a\", and bytes 63 00 00 00 in "
              "world \"b\"");
    EXPECT_OF(ilk_child_move(world, cast[29], cast[1]), ILK_DIFFERENCE_SOURCES,
              "entity 2:1 ChildOf from others is 1:1 in world \"a\", and 29:1 in world \"b\"");
}

static void names_differ_by_text_and_order(void** state) {
    EXPECT_OF(ilk_set_name(world, cast[12], "other"), ILK_DIFFERENCE_VALUE,
              "entity 12:1 \"twin\" ilk_name is \"twin\" in world \"a\", and \"other\" in world "
              "\"b\"");
    EXPECT_OF((ilk_set_name(world, cast[12], NULL), ilk_set_name(world, cast[12], "twin")),
              ILK_DIFFERENCE_VALUE,
              "entity 12:1 \"twin\" ilk_name is \"twin\" after nobody in world \"a\", and \"twin\" "
              "after 199:1 in world \"b\"");
}

static void resources_differ(void** state) {
    EXPECT_OF(ilk_resource_set(world, ILK_WITH(Enemy)), ILK_DIFFERENCE_RESOURCE,
              "resource Enemy is not there in world \"a\", and there in world \"b\"");
    EXPECT_OF(ilk_resource_set(world, ILK_VALUE(Health, 6)), ILK_DIFFERENCE_RESOURCE,
              "resource Health is bytes 05 00 00 00 in world \"a\", and bytes 06 00 00 00 in world "
              "\"b\"");
}

static void values_of_types_that_were_taken_out_differ(void** state) {
    EXPECT_OF((ILK_EDIT(world, cast[3], Anchor)->depth = 1, ilk_unregister(t.a, &Anchor_type),
               ilk_unregister(t.b, &Anchor_type)),
              ILK_DIFFERENCE_KEPT,
              "entity 3:1 Anchor, kept aside, is bytes 03 00 00 00 00 00 00 00 in world \"a\", and "
              "bytes 01 00 00 00 00 00 00 00 in world \"b\"");
    EXPECT_OF((ilk_disable(world, cast[3], &Anchor_type), ilk_unregister(t.a, &Anchor_type),
               ilk_unregister(t.b, &Anchor_type)),
              ILK_DIFFERENCE_KEPT,
              "entity 3:1 Anchor, kept aside, is on in world \"a\", and off in world \"b\"");
}

static void the_dead_have_nothing_aside(void** state) {
    (void)state;
    ilk_world* worlds[2];
    ilk_divergence first;
    for (uint32_t i = 0; i < 2; i++) {
        ilk_world* world = worlds[i] =
            ilk_world_create(&(ilk_world_desc){.name = i == 0 ? "a" : "b"});
        ilk_entity dies = ILK_SPAWN(world, ILK_WITH(Anchor));
        ilk_entity stays = ILK_SPAWN(world, ILK_WITH(Anchor));
        if (i == 0) assert_int_equal(ilk_remove(world, stays, &Anchor_type), ILK_OK);
        assert_int_equal(ilk_unregister(world, &Anchor_type), ILK_OK);
        assert_int_equal(ilk_destroy(world, dies), ILK_OK);
    }
    assert_int_equal(ilk_diverge(worlds[0], worlds[1], &first), ILK_OK);
    assert_string_equal(first.text, "entity 1:1 Anchor, kept aside, is not there in world \"a\", "
                                    "and there in world \"b\"");
    ilk_world_destroy(worlds[0]);
    ilk_world_destroy(worlds[1]);
}

static void what_will_be_differs_last(void** state) {
    EXPECT_OF(ilk_destroy(world, ilk_create(world)), ILK_DIFFERENCE_LAYOUT,
              "the number of indices that were handed out is 200 in world \"a\", and 201 in world "
              "\"b\"");
    EXPECT_OF(ilk_emit(world, ILK_VALUE(Health, 1)), ILK_DIFFERENCE_LAYOUT,
              "the number of events that were sent is 1 in world \"a\", and 2 in world \"b\"");
    EXPECT_OF(ilk_update(world, 0), ILK_DIFFERENCE_LAYOUT, difference(&t).text);
    twins t = begin_twins(*state);
    settle_fully(t.b);
    assert_int_equal(difference(&t).what, ILK_DIFFERENCE_LAYOUT);
    end_twins(&t);
}

static void a_row_is_named(void** state) {
    fixture* f = *state;
    ilk_world* worlds[2] = {second_world(f, 0), second_world(f, 0)};
    for (uint32_t i = 0; i < 2; i++) {
        ilk_entity e[2];
        create_some(worlds[i], e, 2);
        assert_ok(ilk_add(worlds[i], e[i], ILK_WITH(Enemy)));
        assert_ok(ilk_add(worlds[i], e[1 - i], ILK_WITH(Enemy)));
    }
    ilk_divergence first;
    assert_ok(ilk_diverge(worlds[0], worlds[1], &first));
    assert_int_equal(first.what, ILK_DIFFERENCE_LAYOUT);
    assert_int_equal(strncmp(first.text, "row 0 of chunk 0 is 0:1 in world ", 33), 0);
    for (uint32_t i = 0; i < 2; i++) ilk_world_destroy(worlds[i]);
}

// One thing at random is planted, and that one is found, wherever the entity lies by now.
static void whatever_is_planted_is_found(void** state) {
    uint64_t seed = 9;
    twins t = begin_twins(*state);
    for (uint32_t round = 0; round < 60; round++) {
        ilk_entity e = t.cast[next_random(&seed) % CAST];
        if (round % 20 == 10) settle_fully(t.b);
        float old = ILK_GET(t.a, e, Position)->x;
        ILK_EDIT(t.b, e, Position)->x = old + 1;
        if (round % 2) ilk_tick(t.b);
        ilk_divergence first = difference(&t);
        assert_int_equal(first.what, ILK_DIFFERENCE_VALUE);
        assert_entity(first.entity, e);
        assert_true(ilk_same_type(first.type, &Position_type));
        ILK_EDIT(t.b, e, Position)->x = old;
        ilk_tick(t.a);
        assert_true(ilk_hash(t.a) == ilk_hash(t.b));
    }
    end_twins(&t);
}

static void the_text_has_both_entities(void** state) {
    twins t = begin_twins(*state);
    ILK_EDIT(t.b, t.cast[17], Detailed)->kind = 7;
    char text[1024];
    size_t length = ilk_diverge_text(t.a, t.b, text, sizeof(text));
    assert_int_equal(strlen(text), length);
    assert_non_null(
        strstr(text, "\n    in world \"a\": entity 17:1 Position, Detailed {kind 17, "));
    assert_non_null(strstr(text, "\n    in world \"b\": entity 17:1 Position, Detailed {kind 7, "));
    char few[20];
    assert_int_equal(ilk_diverge_text(t.a, t.b, few, sizeof(few)), length);
    assert_int_equal(strncmp(few, text, 19), 0);
    assert_int_equal(ilk_diverge_text(t.a, t.b, NULL, 0), length);
    assert_int_equal(ilk_diverge_text(NULL, t.b, text, sizeof(text)), 0);
    assert_string_equal(text, "");
    end_twins(&t);
}

static void nothing_is_compared_with_nothing(void** state) {
    fixture* f = *state;
    ilk_divergence first;
    assert_int_equal(ilk_diverge(NULL, f->world, &first), ILK_INVALID);
    assert_int_equal(ilk_diverge(f->world, NULL, &first), ILK_INVALID);
    assert_int_equal(ilk_diverge(f->world, f->world, NULL), ILK_INVALID);
    assert_ok(ilk_diverge(f->world, f->world, &first));
    assert_int_equal(first.what, ILK_DIFFERENCE_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(the_same_history_leaves_no_difference),
        WORLD_TEST(a_field_is_named_with_both_values),
        WORLD_TEST(what_looks_the_same_is_told_by_its_bytes),
        WORLD_TEST(bytes_are_shown_where_nothing_is_described),
        WORLD_TEST(a_hook_is_shown_by_its_hash),
        WORLD_TEST(who_is_alive_and_what_they_have),
        WORLD_TEST(relations_differ_by_targets_values_and_order),
        WORLD_TEST(names_differ_by_text_and_order),
        WORLD_TEST(resources_differ),
        WORLD_TEST(values_of_types_that_were_taken_out_differ),
        WORLD_TEST(the_dead_have_nothing_aside),
        WORLD_TEST(what_will_be_differs_last),
        WORLD_TEST(a_row_is_named),
        WORLD_TEST(whatever_is_planted_is_found),
        WORLD_TEST(the_text_has_both_entities),
        WORLD_TEST(nothing_is_compared_with_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
