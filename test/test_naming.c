// Names and ids: giving, changing, taking away.
#include "observer_support.h"

typedef struct Lease {
    uint32_t until;
} Lease;
ILK_COMPONENT_WITH(Lease, .outlives = true);

static const ilk_entity nobody = {0, 0};
static const ilk_id one = {1, 2}, two = {1, 3}, no_id = {0, 0};

// A world with another rule beside the fixture's.
static ilk_world* world_with(fixture* f, ilk_names names) {
    ilk_world_desc desc = fixture_desc(f);
    desc.names = names;
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    return world;
}

static ilk_entity create_named(ilk_world* world, const char* name) {
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, 1, 2));
    assert_ok(ilk_set_name(world, e, name));
    return e;
}

static ilk_entity create_with_id(ilk_world* world, ilk_id id) {
    ilk_entity e = ilk_create(world);
    assert_ok(ilk_set_id(world, e, id));
    return e;
}

static void a_name_is_given_changed_and_taken_away(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    assert_null(ilk_name_of(f->world, e));
    assert_ok(ilk_set_name(f->world, e, "door"));
    assert_string_equal(ilk_name_of(f->world, e), "door");
    assert_entity(ilk_named(f->world, "door"), e);
    assert_ok(ilk_set_name(f->world, e, "door"));
    assert_ok(ilk_set_name(f->world, e, "gate"));
    assert_entity(ilk_named(f->world, "gate"), e);
    assert_entity(ilk_named(f->world, "door"), nobody);
    assert_ok(ilk_set_name(f->world, e, NULL));
    assert_null(ilk_name_of(f->world, e));
    assert_ok(ilk_set_name(f->world, e, "gate"));
    assert_ok(ilk_set_name(f->world, e, ""));
    assert_ok(ilk_set_name(f->world, e, ""));
    assert_entity(ilk_named(f->world, "gate"), nobody);
    assert_false(ilk_has(f->world, e, &ilk_name_type));
    assert_quiet(f);
}

static void an_id_is_given_changed_and_taken_away(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Anchor));
    assert_true(ilk_same_id(ilk_id_of(f->world, e), no_id));
    assert_ok(ilk_set_id(f->world, e, one));
    assert_ok(ilk_set_id(f->world, e, one));
    assert_true(ilk_same_id(ilk_id_of(f->world, e), one));
    assert_entity(ilk_entity_by_id(f->world, one), e);
    assert_ok(ilk_set_id(f->world, e, two));
    assert_entity(ilk_entity_by_id(f->world, two), e);
    assert_entity(ilk_entity_by_id(f->world, one), nobody);
    assert_ok(ilk_set_id(f->world, e, no_id));
    assert_ok(ilk_set_id(f->world, e, no_id));
    assert_entity(ilk_entity_by_id(f->world, two), nobody);
    assert_entity(ilk_entity_by_id(f->world, no_id), nobody);
    assert_false(ilk_has(f->world, e, &ilk_id_type));
    assert_quiet(f);
}

static void names_may_be_long_but_not_longer(void** state) {
    fixture* f = *state;
    char name[ILK_NAME_MAX + 2];
    memset(name, 'x', sizeof name);
    name[ILK_NAME_MAX + 1] = 0;
    ilk_entity e = create_named(f->world, "door");
    assert_int_equal(ilk_set_name(f->world, e, name), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_set_name");
    assert_non_null(strstr(f->told.text, "at most 255 bytes, and this one 256"));
    assert_string_equal(ilk_name_of(f->world, e), "door");
    name[ILK_NAME_MAX] = 0;
    assert_ok(ilk_set_name(f->world, e, name));
    assert_string_equal(ilk_name_of(f->world, e), name);
    assert_entity(ilk_named(f->world, name), e);
}

static void who_is_not_there_has_none(void** state) {
    fixture* f = *state;
    ilk_entity dead = ilk_create(f->world);
    assert_ok(ilk_destroy(f->world, dead));
    assert_int_equal(ilk_set_name(f->world, dead, "door"), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_set_name");
    assert_int_equal(ilk_set_id(f->world, dead, one), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_set_id");
    assert_int_equal(ilk_set_name(f->world, nobody, NULL), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_set_name");
    assert_null(ilk_name_of(f->world, dead));
    assert_true(ilk_same_id(ilk_id_of(f->world, dead), no_id));
    assert_int_equal(ilk_type_count(f->world), 0);
}

static void without_a_world_there_is_nothing(void** state) {
    (void)state;
    assert_int_equal(ilk_set_name(NULL, nobody, "door"), ILK_INVALID);
    assert_int_equal(ilk_set_id(NULL, nobody, one), ILK_INVALID);
    assert_null(ilk_name_of(NULL, nobody));
    assert_true(ilk_same_id(ilk_id_of(NULL, nobody), no_id));
    assert_entity(ilk_entity_by_id(NULL, one), nobody);
    assert_null(ilk_text_at(NULL, 1));
    assert_int_equal(ilk_text_number(NULL, "door"), 0);
}

static void a_world_without_names_answers_too(void** state) {
    fixture* f = *state;
    assert_entity(ilk_entity_by_id(f->world, one), nobody);
    assert_null(ilk_text_at(f->world, 1));
    assert_int_equal(ilk_text_number(f->world, "door"), 0);
    assert_int_equal(ilk_text_number(f->world, NULL), 0);
}

static void an_id_is_unique_in_its_world(void** state) {
    fixture* f = *state;
    ilk_entity a = create_with_id(f->world, one), b = create_with_id(f->world, two);
    assert_int_equal(ilk_set_id(f->world, b, one), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_set_id");
    assert_string_equal(f->told.text, "ilk_set_id of ilk_id for entity 1:1: "
                                      "\"00000000000000010000000000000002\" is entity 0:1");
    assert_entity(ilk_entity_by_id(f->world, one), a);
    assert_entity(ilk_entity_by_id(f->world, two), b);
    assert_ok(ilk_destroy(f->world, a));
    assert_ok(ilk_set_id(f->world, b, one));
    assert_entity(ilk_entity_by_id(f->world, one), b);
}

static void names_may_be_unique_in_a_world(void** state) {
    fixture* f = *state;
    ilk_world* world = world_with(f, ILK_NAMES_UNIQUE);
    ilk_entity a = create_named(world, "door"), b = create_named(world, "wall");
    assert_int_equal(ilk_set_name(world, b, "door"), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_set_name");
    assert_string_equal(f->told.text, "ilk_set_name of ilk_name for entity 1:1 \"wall\": "
                                      "\"door\" is entity 0:1");
    assert_string_equal(ilk_name_of(world, b), "wall");
    assert_valid(world);
    assert_ok(ilk_set_name(world, a, NULL));
    assert_ok(ilk_set_name(world, b, "door"));
    assert_entity(ilk_named(world, "door"), b);
    assert_valid(world);
    ilk_world_destroy(world);
}

static void there_is_no_other_rule(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.names = (ilk_names)3;
    assert_null(ilk_world_create(&desc));
    assert_told(f, ILK_INVALID, "ilk_world_create");
}

static void of_several_the_first_is_found(void** state) {
    fixture* f = *state;
    ilk_entity e[4], all[8];
    for (uint32_t i = 0; i < 4; i++) e[i] = create_named(f->world, i == 1 ? "wall" : "door");
    assert_ok(ilk_set_name(f->world, e[1], "door"));
    assert_int_equal(ilk_all_named(f->world, nobody, "door", all, 8), 4);
    assert_entity(all[0], e[0]);
    assert_entity(all[1], e[2]);
    assert_entity(all[2], e[3]);
    assert_entity(all[3], e[1]);
    assert_valid(f->world);
    assert_ok(ilk_destroy(f->world, e[2])); // in the middle
    assert_valid(f->world);
    assert_ok(ilk_destroy(f->world, e[1])); // the last
    assert_valid(f->world);
    assert_ok(ilk_set_name(f->world, e[0], "wall")); // the first
    assert_valid(f->world);
    assert_entity(ilk_named(f->world, "door"), e[3]);
    assert_int_equal(ilk_all_named(f->world, nobody, "door", all, 0), 1);
}

static void they_go_with_their_entity(void** state) {
    fixture* f = *state;
    ilk_entity e[6];
    for (uint32_t i = 0; i < 6; i++) {
        e[i] = create_named(f->world, i < 3 ? "door" : "wall");
        assert_ok(ilk_set_id(f->world, e[i], (ilk_id){i + 1, 0}));
    }
    assert_ok(ilk_destroy(f->world, e[0]));
    assert_ok(ilk_destroy_many(f->world, &e[1], 2));
    assert_entity(ilk_named(f->world, "door"), nobody);
    assert_int_equal(ilk_text_number(f->world, "door"), 0);
    assert_valid(f->world);
    assert_ok(ilk_remove_all(f->world, e[3]));
    assert_entity(ilk_entity_by_id(f->world, (ilk_id){4, 0}), nobody);
    assert_ok(ilk_remove(f->world, e[4], &ilk_name_type));
    assert_ok(ilk_remove_many(f->world, &e[4], 2, &ilk_id_type));
    assert_entity(ilk_named(f->world, "wall"), e[5]);
    assert_valid(f->world);
    ilk_clear(f->world);
    assert_entity(ilk_named(f->world, "wall"), nobody);
    assert_valid(f->world);
    create_named(f->world, "wall");
    ilk_trim(f->world);
    assert_non_null(ilk_name_of(f->world, ilk_named(f->world, "wall")));
}

static void who_is_dying_has_none(void** state) {
    fixture* f = *state;
    ilk_entity e = create_named(f->world, "door");
    assert_ok(ilk_set_id(f->world, e, one));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Lease, 3)));
    assert_ok(ilk_destroy(f->world, e));
    assert_true(ilk_dying(f->world, e));
    assert_entity(ilk_named(f->world, "door"), nobody);
    assert_entity(ilk_entity_by_id(f->world, one), nobody);
    assert_int_equal(ilk_set_name(f->world, e, "gate"), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_set_name");
    assert_int_equal(ilk_set_id(f->world, e, no_id), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_set_id");
}

static void who_is_inactive_is_found(void** state) {
    fixture* f = *state;
    ilk_entity e = create_named(f->world, "door");
    assert_ok(ilk_deactivate(f->world, e));
    assert_ok(ilk_set_id(f->world, e, one));
    assert_entity(ilk_named(f->world, "door"), e);
    assert_entity(ilk_entity_by_id(f->world, one), e);
}

static void a_name_that_is_off_is_found_and_another_switches_it_on(void** state) {
    fixture* f = *state;
    ilk_entity e = create_named(f->world, "door");
    assert_ok(ilk_disable(f->world, e, &ilk_name_type));
    assert_entity(ilk_named(f->world, "door"), e);
    watch(f->world, "w", EVERYTHING, &ilk_name_type);
    notices[0] = 0;
    assert_ok(ilk_set_name(f->world, e, "gate"));
    assert_true(ilk_enabled(f->world, e, &ilk_name_type));
    assert_string_equal(notices, "w set 0 ilk_name change; w enabled 0 ilk_name change; ");
}

static void a_copy_has_no_id_and_a_name_where_that_may_be(void** state) {
    fixture* f = *state;
    for (int rule = ILK_NAMES_FREE; rule <= ILK_NAMES_UNIQUE; rule++) {
        ilk_world* world = world_with(f, (ilk_names)rule);
        ilk_entity e = create_named(world, "door");
        assert_ok(ilk_set_id(world, e, one));
        assert_ok(ilk_disable(world, e, &ilk_name_type));
        ilk_entity copy = ilk_copy(world, e), all[3];
        bool has_name = rule == ILK_NAMES_FREE;
        assert_true(same_position(ILK_GET(world, copy, Position), 1, 2));
        assert_false(ilk_has(world, copy, &ilk_id_type));
        assert_int_equal(ilk_has(world, copy, &ilk_name_type), has_name);
        assert_int_equal(ilk_all_named(world, nobody, "door", all, 3), has_name ? 2 : 1);
        assert_entity(all[0], e);
        if (has_name) assert_false(ilk_enabled(world, copy, &ilk_name_type));
        assert_valid(world);
        assert_ok(ilk_remove(world, e, &Position_type));
        assert_ok(ilk_set_name(world, e, NULL));
        copy = ilk_copy(world, e); // of nothing but an id
        assert_int_equal(ilk_types_of(world, copy, NULL, 0), 0);
        ilk_world_destroy(world);
    }
}

static void assert_refused_at(fixture* f, ilk_result result, const char* call, int line) {
    assert_int_equal(result, ILK_INVALID);
    assert_told_at(f, ILK_INVALID, call, __FILE__, line);
    assert_non_null(strstr(f->told.text, "alone"));
}
#define assert_refused(f, result, call) assert_refused_at((f), (result), (call), __LINE__)

static ilk_result last(const fixture* f) {
    return f->told.last.result;
}

static void no_other_verb_gives_one(void** state) {
    fixture* f = *state;
    ilk_value values[] = {ILK_VALUE(ilk_name, .text = 1), ILK_VALUE(ilk_id, .high = 1)};
    for (uint32_t i = 0; i < 4; i++) { // of types that the world does not know yet, and does
        ilk_value value = values[i % 2];
        ilk_entity e = ilk_create(f->world), other = ILK_SPAWN(f->world, ILK_WITH(Anchor));
        ilk_batch batch;
        assert_refused(f, ilk_add(f->world, e, value), "ilk_add");
        assert_refused(f, ilk_set(f->world, other, value), "ilk_set");
        assert_refused(f, ilk_replace(f->world, other, value), "ilk_replace");
        assert_null(ilk_ensure(f->world, e, value.type));
        assert_refused(f, last(f), "ilk_ensure");
        assert_true(ilk_is_null(ilk_spawn(f->world, &value, 1)));
        assert_refused(f, last(f), "ilk_spawn");
        assert_refused(f, ilk_spawn_many(f->world, &batch, 2, &value.type, 1), "ilk_spawn_many");
        assert_refused(f, ilk_add_many(f->world, &e, 1, value.type, NULL), "ilk_add_many");
        assert_null(ilk_query_create(f->world, &(ilk_query_desc){.write = {value.type}}));
        assert_told(f, ILK_INVALID, "ilk_query_create");
        assert_false(ilk_has(f->world, e, value.type));
    }
}

static void whoever_has_one_cannot_write_to_it(void** state) {
    fixture* f = *state;
    ilk_entity e = create_named(f->world, "door");
    assert_ok(ilk_set_id(f->world, e, one));
    ilk_type* types[] = {&ilk_name_type, &ilk_id_type};
    for (uint32_t i = 0; i < 2; i++) {
        assert_null(ilk_edit(f->world, e, types[i]));
        assert_refused(f, last(f), "ilk_edit");
        assert_null(ilk_ensure(f->world, e, types[i]));
        assert_refused(f, last(f), "ilk_ensure");
        ilk_value value = {types[i], NULL};
        assert_refused(f, ilk_set(f->world, e, value), "ilk_set");
        assert_refused(f, ilk_replace(f->world, e, value), "ilk_replace");
        assert_refused(f, ilk_add(f->world, e, value), "ilk_add");
        assert_ok(ilk_mark(f->world, e, types[i]));
    }
    assert_entity(ilk_named(f->world, "door"), e);
}

static void commands_that_would_are_refused_when_applied(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    create_named(f->world, "door");
    ilk_entity made = ilk_cmd_create(cmd);
    ilk_value value = ILK_VALUE(ilk_name, .text = 1);
    assert_ok(ilk_cmd_add(cmd, made, value));
    assert_ok(ilk_cmd_set(cmd, made, value));
    assert_non_null(ilk_cmd_ensure(cmd, made, &ilk_name_type));
    ilk_entity spawned = ilk_cmd_spawn(cmd, &value, 1);
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 1);
    assert_int_equal(applied.failed, 4);
    assert_int_equal(applied.result, ILK_INVALID);
    assert_true(ilk_alive(f->world, made));
    assert_false(ilk_alive(f->world, spawned));
    assert_null(ilk_name_of(f->world, made));
}

static void commands_name_entities(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    char name[] = "door", too_long[ILK_NAME_MAX + 2];
    memset(too_long, 'x', sizeof too_long);
    too_long[ILK_NAME_MAX + 1] = 0;
    ilk_entity made = ilk_cmd_create(cmd), other = create_named(f->world, "wall");
    ilk_entity dead = ilk_create(f->world), dying = ILK_SPAWN(f->world, ILK_WITH(Lease));
    assert_ok(ilk_cmd_set_name(cmd, made, name));
    assert_ok(ilk_cmd_set_id(cmd, made, one));
    assert_ok(ilk_cmd_set_name(cmd, other, NULL));
    assert_ok(ilk_cmd_set_id(cmd, other, one));
    assert_ok(ilk_cmd_set_name(cmd, dead, "dead"));
    assert_ok(ilk_cmd_set_id(cmd, dying, two));
    assert_int_equal(ilk_cmd_set_name(cmd, made, too_long), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_set_name");
    name[0] = 'x';
    assert_ok(ilk_destroy(f->world, dead));
    assert_ok(ilk_destroy(f->world, dying));
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 4);
    assert_int_equal(applied.failed, 1);
    assert_int_equal(applied.skipped, 2);
    assert_int_equal(applied.result, ILK_EXISTS);
    assert_entity(ilk_named(f->world, "door"), made);
    assert_entity(ilk_entity_by_id(f->world, one), made);
    assert_null(ilk_name_of(f->world, other));
    ilk_cmd_give_back(cmd);
    f->told.count = 0;
    assert_int_equal(ilk_cmd_set_name(cmd, made, "x"), ILK_INVALID);
    assert_int_equal(ilk_cmd_set_id(cmd, made, one), ILK_INVALID);
    assert_int_equal(ilk_cmd_set_name(NULL, made, "x"), ILK_INVALID);
}

static void look_and_record(ilk_iter* it) {
    ilk_world* world = it->user;
    ilk_entity e = ilk_named(world, "door");
    assert_entity(ilk_entity_by_id(world, one), e);
    assert_string_equal(ilk_name_of(world, e), "door");
    assert_int_equal(ilk_set_name(world, e, "gate"), ILK_LOCKED);
    assert_int_equal(ilk_set_id(world, e, two), ILK_LOCKED);
    assert_ok(ilk_cmd_set_name(it->cmd, e, "gate"));
}

static void a_system_looks_up_and_records(void** state) {
    fixture* f = *state;
    ilk_entity e = create_named(f->world, "door");
    assert_ok(ilk_set_id(f->world, e, one));
    assert_non_null(ilk_system_create(
        f->world, &(ilk_system_desc){.name = "s", .run = look_and_record, .user = f->world}));
    assert_ok(ilk_update(f->world, 1));
    assert_string_equal(ilk_name_of(f->world, e), "gate");
}

static void queries_read_names(void** state) {
    fixture* f = *state;
    create_named(f->world, "door");
    create_named(f->world, "wall");
    create_named(f->world, "door");
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_query* query =
        ilk_query_create(f->world, &(ilk_query_desc){.read = {&ilk_name_type, &Position_type}});
    uint32_t door = ilk_text_number(f->world, "door"), doors = 0, all = 0;
    ilk_iter it = ilk_query_iter(f->world, query);
    while (ilk_next(&it)) {
        const ilk_name* names = ILK_READ(&it, ilk_name);
        for (uint32_t i = 0; i < it.count; i++) doors += names[i].text == door;
        all += it.count;
    }
    assert_int_equal(doors, 2);
    assert_int_equal(all, 3);
    assert_string_equal(ilk_text_at(f->world, door), "door");
}

// What names are told as, with the old one.
static ilk_result note_names(ilk_notice* n) {
    const ilk_name *name = n->value, *old = n->old;
    write_down("%s %s", on_text(n->on), ilk_text_at(n->world, name->text));
    if (old) write_down(" for %s", ilk_text_at(n->world, old->text));
    ilk_entity found = ilk_named(n->world, ilk_text_at(n->world, name->text));
    write_down(ilk_same(found, n->entity) ? "; " : " not found; ");
    return ILK_OK;
}

static void observers_are_told_of_names(void** state) {
    fixture* f = *state;
    ilk_observer_desc desc = {
        .on = ILK_ON_ADD | ILK_ON_SET | ILK_ON_REMOVE, .type = &ilk_name_type, .run = note_names};
    assert_non_null(ilk_observer_create(f->world, &desc));
    notices[0] = 0;
    ilk_entity e = create_named(f->world, "door");
    assert_ok(ilk_set_name(f->world, e, "door"));
    assert_ok(ilk_set_name(f->world, e, "gate"));
    assert_ok(ilk_set_name(f->world, e, NULL));
    assert_ok(ilk_set_name(f->world, e, "wall"));
    assert_ok(ilk_destroy(f->world, e));
    assert_string_equal(notices, "added door; set gate for door; removed gate; added wall; "
                                 "removed wall; ");
    assert_int_equal(ilk_text_number(f->world, "wall"), 0);
}

static void observers_are_told_of_ids(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    watch(f->world, "w", EVERYTHING, &ilk_id_type);
    notices[0] = 0;
    assert_ok(ilk_set_id(f->world, e, one));
    assert_ok(ilk_set_id(f->world, e, two));
    assert_ok(ilk_set_id(f->world, e, no_id));
    assert_string_equal(notices, "w added 0 ilk_id change; w set 0 ilk_id change; "
                                 "w removed 0 ilk_id change; ");
}

static void clear_all(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd, (void)user;
    ilk_clear(world);
    ilk_trim(world);
}

static ilk_result ask_to_clear(ilk_notice* n) {
    return ilk_cmd_call(n->cmd, clear_all, NULL);
}

static void an_observer_may_clear_the_world_meanwhile(void** state) {
    fixture* f = *state;
    ilk_entity e = create_named(f->world, "door");
    ilk_observer_desc desc = {
        .on = ILK_ON_SET | ILK_ON_ADD, .type = &ilk_name_type, .run = ask_to_clear};
    assert_non_null(ilk_observer_create(f->world, &desc));
    assert_ok(ilk_set_name(f->world, e, "gate"));
    assert_false(ilk_alive(f->world, e));
    assert_valid(f->world);
    create_named(f->world, "gate");
}

static ilk_result ask_to_destroy(ilk_notice* n) {
    return ilk_cmd_destroy(n->cmd, n->entity);
}

static void or_destroy_whoever_is_named(void** state) {
    fixture* f = *state;
    ilk_observer_desc desc = {.on = ILK_ON_ADD, .type = &ilk_name_type, .run = ask_to_destroy};
    assert_non_null(ilk_observer_create(f->world, &desc));
    ilk_entity e = create_named(f->world, "door");
    assert_false(ilk_alive(f->world, e));
    assert_entity(ilk_named(f->world, "door"), nobody);
}

static void names_stay_when_values_move(void** state) {
    fixture* f = *state;
    ilk_entity e[300];
    char name[16];
    for (uint32_t i = 0; i < 300; i++) {
        e[i] = i % 3 ? ILK_SPAWN(f->world, ILK_WITH(Position)) : ilk_create(f->world);
        snprintf(name, sizeof name, "e%u", i / 2);
        assert_ok(ilk_set_name(f->world, e[i], name));
        if (i % 5) assert_ok(ilk_set_id(f->world, e[i], ilk_make_id(&i, sizeof i)));
        if (i % 7 == 0) assert_ok(ilk_set(f->world, e[i], ILK_VALUE(Velocity, 1, 2)));
    }
    for (uint32_t i = 0; i < 300; i += 4) assert_ok(ilk_destroy(f->world, e[i]));
    assert_true(ilk_settle(f->world, 0).moved > 0);
    assert_valid(f->world);
    for (uint32_t i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "e%u", i / 2);
        if (i % 4 == 1) assert_entity(ilk_named(f->world, name), e[i]);
        if (i % 4 && i % 5) {
            assert_entity(ilk_entity_by_id(f->world, ilk_make_id(&i, sizeof i)), e[i]);
        }
    }
}

static void a_restricted_world_takes_them(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type*[]){&Position_type, NULL};
    ilk_world* world = ilk_world_create(&desc);
    ilk_entity e = create_named(world, "door");
    assert_ok(ilk_set_id(world, e, one));
    assert_entity(ilk_named(world, "door"), e);
    assert_valid(world);
    ilk_world_destroy(world);
    assert_quiet(f);
}

static void texts_show_names(void** state) {
    fixture* f = *state;
    char text[200];
    ilk_entity e = create_named(f->world, "do\"or");
    assert_ok(ilk_set_id(f->world, e, one));
    ilk_entity_text(f->world, e, text, sizeof text);
    assert_string_equal(text, "entity 0:1 \"do\\\"or\" Position, ilk_name, ilk_id {high 1, low 2}");
    assert_int_equal(ilk_remove(f->world, e, &Health_type), ILK_MISSING);
    assert_string_equal(f->told.text, "ilk_remove: entity 0:1 \"do\\\"or\" has no Health");
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){.with = {&Enemy_type}});
    ilk_query_explain(f->world, query, e, text, sizeof text);
    assert_string_equal(text, "entity 0:1 \"do\\\"or\" does not match: Enemy is missing");
}

static void each_world_has_its_own(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity here = create_named(f->world, "door"), there = create_named(other, "door");
    assert_ok(ilk_set_id(f->world, here, one));
    assert_ok(ilk_set_id(other, there, one));
    assert_entity(ilk_named(other, "door"), there);
    assert_entity(ilk_entity_by_id(f->world, one), here);
    assert_int_equal(ilk_set_name(other, here, "gate"), ILK_DEAD);
    assert_valid(other);
    ilk_world_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_name_is_given_changed_and_taken_away),
        WORLD_TEST(an_id_is_given_changed_and_taken_away),
        WORLD_TEST(names_may_be_long_but_not_longer),
        WORLD_TEST(who_is_not_there_has_none),
        cmocka_unit_test(without_a_world_there_is_nothing),
        WORLD_TEST(a_world_without_names_answers_too),
        WORLD_TEST(an_id_is_unique_in_its_world),
        WORLD_TEST(names_may_be_unique_in_a_world),
        WORLD_TEST(there_is_no_other_rule),
        WORLD_TEST(of_several_the_first_is_found),
        WORLD_TEST(they_go_with_their_entity),
        WORLD_TEST(who_is_dying_has_none),
        WORLD_TEST(who_is_inactive_is_found),
        WORLD_TEST(a_name_that_is_off_is_found_and_another_switches_it_on),
        WORLD_TEST(a_copy_has_no_id_and_a_name_where_that_may_be),
        WORLD_TEST(no_other_verb_gives_one),
        WORLD_TEST(whoever_has_one_cannot_write_to_it),
        WORLD_TEST(commands_that_would_are_refused_when_applied),
        WORLD_TEST(commands_name_entities),
        WORLD_TEST(a_system_looks_up_and_records),
        WORLD_TEST(queries_read_names),
        WORLD_TEST(observers_are_told_of_names),
        WORLD_TEST(observers_are_told_of_ids),
        WORLD_TEST(an_observer_may_clear_the_world_meanwhile),
        WORLD_TEST(or_destroy_whoever_is_named),
        WORLD_TEST(names_stay_when_values_move),
        WORLD_TEST(a_restricted_world_takes_them),
        WORLD_TEST(texts_show_names),
        WORLD_TEST(each_world_has_its_own),
    };
    return cmocka_run_group_tests_name("naming", tests, NULL, NULL);
}
