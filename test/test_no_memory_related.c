// Relations, names, blueprints and journeys that may need memory, with each request for it refused.
#include "needy_support.h"

// Relations

static ilk_result relate(stage* s) {
    return ilk_relate(s->world, s->e[1], &Owes_type, s->crowd[3]);
}

static ilk_result relate_far(stage* s) {
    return ilk_relate(s->world, s->e[1], &Owes_type, s->e[2]);
}

static ilk_result relate_value(stage* s) {
    Owned owned = {text_copy("much")};
    ilk_result result =
        ilk_relate_value(s->world, s->crowd[CROWDED - 1], &Owes_type, s->e[2], &owned);
    if (result != ILK_OK) free(owned.text);
    return result;
}

static ilk_result put_value(stage* s) {
    Owned owned = {text_copy("much")};
    ilk_result result =
        ilk_relation_set(s->world, s->crowd[CROWDED - 1], &Owes_type, s->e[2], &owned);
    if (result != ILK_OK) free(owned.text);
    return result;
}

static ilk_result set_parent(stage* s) {
    return ilk_set_parent(s->world, s->e[0], s->e[2]);
}

static ilk_result turn_parent(stage* s) {
    return ilk_set_parent(s->world, s->crowd[2], s->e[2]);
}

static ilk_result spawn_child(stage* s) {
    ilk_entity e = ILK_SPAWN(s->world, ILK_VALUE(Anchor, 3), ILK_TO(ilk_child_of, s->e[2]),
                             ILK_TO(Owes, s->e[1]));
    assert_int_equal(ilk_is_null(e), s->told.count > 0);
    return outcome(s);
}

static ilk_result copy_related(stage* s) {
    ilk_entity e = ilk_copy(s->world, s->crowd[0]);
    assert_int_equal(ilk_is_null(e), s->told.count > 0);
    return outcome(s);
}

// The copy is the first target in the slots of its page.
static void prepare_far_copy(stage* s) {
    prepare_relations(s);
    assert_ok(ilk_relate(s->world, s->crowd[0], &Owes_type, s->crowd[0]));
    ilk_entity others[2000];
    assert_ok(ilk_create_many(s->world, others, COUNT_OF(others)));
}

// Nobody has a target in the slots of the first page.
static void prepare_far_target(stage* s) {
    prepare_relations(s);
    ilk_entity far[2000];
    assert_ok(ilk_create_many(s->world, far, COUNT_OF(far)));
    s->e[2] = far[1999];
    assert_ok(ilk_destroy_many(s->world, far, 1990));
}

static ilk_result record_relate(stage* s) {
    return ilk_cmd_relate(s->cmd, s->e[0], &Owes_type, s->e[1]);
}

static ilk_result record_relate_value(stage* s) {
    Owned owned = {text_copy("much")};
    ilk_result result = ilk_cmd_relate_value(s->cmd, s->e[0], &Owes_type, s->e[1], &owned);
    if (result != ILK_OK) free(owned.text);
    return result;
}

static ilk_result record_put_value(stage* s) {
    Owned owned = {text_copy("much")};
    ilk_result result = ilk_cmd_relation_set(s->cmd, s->e[0], &Owes_type, s->e[1], &owned);
    if (result != ILK_OK) free(owned.text);
    return result;
}

static ilk_result record_unrelate(stage* s) {
    return ilk_cmd_unrelate(s->cmd, s->e[0], &Owes_type, s->e[1]);
}

static ilk_result record_set_parent(stage* s) {
    return ilk_cmd_set_parent(s->cmd, s->e[0], s->e[1]);
}

static ilk_result record_child_move(stage* s) {
    return ilk_cmd_child_move(s->cmd, s->e[0], s->e[1]);
}

static void prepare_relating(stage* s) {
    prepare_buffer(s);
    ilk_entity e = ilk_cmd_create(s->cmd);
    assert_ok(ilk_cmd_add(s->cmd, e, ILK_TO(ilk_child_of, s->e[2])));
    assert_ok(ilk_cmd_relate(s->cmd, e, &Owes_type, s->e[1]));
    assert_ok(ilk_cmd_set_parent(s->cmd, s->e[1], e));
    assert_ok(ilk_cmd_destroy(s->cmd, s->e[2]));
}

// Names and ids

static ilk_result name_one(stage* s) {
    return ilk_set_name(s->world, s->e[0], "door");
}

static ilk_result name_empty(stage* s) {
    return ilk_set_name(s->world, s->e[2], "door");
}

static ilk_result rename_one(stage* s) {
    return ilk_set_name(s->world, s->crowd[8], "door");
}

static ilk_result copy_named(stage* s) {
    return ilk_is_null(ilk_copy(s->world, s->crowd[8])) ? outcome(s) : ILK_OK;
}

static ilk_result give_id(stage* s) {
    return ilk_set_id(s->world, s->e[0], (ilk_id){5, 6});
}

static ilk_result change_id(stage* s) {
    return ilk_set_id(s->world, s->crowd[8], (ilk_id){5, 6});
}

static void prepare_observed_names(stage* s) {
    prepare_names(s);
    observe_all(s);
}

static ilk_result record_name(stage* s) {
    return ilk_cmd_set_name(s->cmd, s->e[0], "door");
}

static ilk_result record_id(stage* s) {
    return ilk_cmd_set_id(s->cmd, s->e[0], (ilk_id){5, 6});
}

static void prepare_namings(stage* s) {
    prepare_buffer(s);
    assert_ok(record_name(s));
    assert_ok(record_id(s));
}

// Blueprints: those that belong to no world have nobody to tell, so that is done here.

static ilk_result tell_for(stage* s, ilk_result result, const char* call) {
    char text[64];
    snprintf(text, sizeof(text), "%s: no memory", call);
    if (result != ILK_OK)
        record(&s->told, &(ilk_message){.result = result, .text = text, .call = call});
    return result;
}

static ilk_result make_blueprint(stage* s) {
    ilk_allocator allocator = stage_allocator(s);
    ilk_blueprint* b = ilk_blueprint_create(&allocator);
    ilk_blueprint_destroy(b);
    return tell_for(s, b ? ILK_OK : ILK_NO_MEMORY, "ilk_blueprint_create");
}

static ilk_result clone_blueprint(stage* s) {
    ilk_blueprint* b = ilk_blueprint_clone(s->blueprint);
    ilk_blueprint_destroy(b);
    return tell_for(s, b ? ILK_OK : ILK_NO_MEMORY, "ilk_blueprint_clone");
}

static ilk_result give_blueprint(stage* s, ilk_result (*give)(ilk_blueprint*, ilk_value),
                                 const char* call) {
    Hoard hoard = {.owned = {text_copy("hoard")}};
    ilk_result result = give(s->blueprint, ILK_VALUE_AT(Hoard, &hoard));
    if (result != ILK_OK) free(hoard.owned.text);
    return tell_for(s, result, call);
}

static ilk_result add_to_blueprint(stage* s) {
    return give_blueprint(s, (ilk_blueprint_add), "ilk_blueprint_add");
}

static ilk_result set_in_blueprint(stage* s) {
    return give_blueprint(s, (ilk_blueprint_set), "ilk_blueprint_set");
}

static ilk_result edit_blueprint(stage* s) {
    const void* value = ilk_blueprint_edit(s->blueprint, &Owned_type);
    return tell_for(s, value ? ILK_OK : ILK_NO_MEMORY, "ilk_blueprint_edit");
}

static ilk_result ensure_in_blueprint(stage* s) {
    const void* value = ilk_blueprint_ensure(s->blueprint, &Hoard_type);
    return tell_for(s, value ? ILK_OK : ILK_NO_MEMORY, "ilk_blueprint_ensure");
}

static ilk_result register_blueprint(stage* s) {
    ilk_result result = ilk_blueprint_register(s->world, "mine", s->blueprint);
    if (result == ILK_OK) s->blueprint = NULL;
    return result;
}

static ilk_result spawn_blueprint(stage* s) {
    ilk_entity e = ilk_blueprint_spawn(s->world, s->blueprint);
    assert_int_equal(ilk_is_null(e), s->told.count > 0);
    return outcome(s);
}

static ilk_result spawn_blueprints(stage* s) {
    return ilk_blueprint_spawn_many(s->world, s->blueprint, 70, NULL);
}

static ilk_result put_blueprint(stage* s) {
    ilk_entity e = ilk_blueprint_put(s->world, s->blueprint);
    if (!ilk_is_null(e)) s->blueprint = NULL;
    return outcome(s);
}

static ilk_result record_blueprint(stage* s) {
    ilk_entity e = ilk_cmd_blueprint_spawn(s->cmd, ilk_blueprint_named(s->world, "known"));
    assert_int_equal(ilk_is_null(e), s->told.count > 0);
    return outcome(s);
}

static void prepare_recorded_blueprint(stage* s) {
    prepare_blueprint(s);
    assert_ok(record_blueprint(s));
}

static ilk_result make_blueprint_of(stage* s) {
    ilk_allocator allocator = stage_allocator(s);
    s->blueprint = ilk_blueprint_of(s->world, s->e[0], &allocator);
    return outcome(s);
}

static ilk_result make_blueprint_to_save(stage* s) {
    ilk_allocator allocator = stage_allocator(s);
    s->blueprint = ilk_blueprint_to_save(s->world, s->e[0], &allocator);
    return outcome(s);
}

static ilk_result take_blueprint(stage* s) {
    ilk_allocator allocator = stage_allocator(s);
    s->blueprint = ilk_blueprint_take(s->world, s->e[0], &allocator);
    return outcome(s);
}

static ilk_result copy_tree(stage* s) {
    ilk_entity e = ilk_copy_tree(s->world, s->e[0]);
    assert_int_equal(ilk_is_null(e), s->told.count > 0);
    return outcome(s);
}

static ilk_result copy_to_other(stage* s) {
    return ilk_copy_to(s->world, s->crowd, CROWDED, s->other, NULL);
}

// Of those, nobody is needed by others.
static ilk_result transfer_some(stage* s) {
    return ilk_transfer(s->world, s->crowd + 4, CROWDED - 4, s->other, NULL);
}

static void prepare_observed_blueprint(stage* s) {
    prepare_blueprint(s);
    observe_all(s);
}

static void prepare_observed_journey(stage* s) {
    prepare_journey(s);
    observe_all(s);
}

static const needy needies[] = {
    MAY_FAIL(ilk_set_name, "the first", prepare_entities, name_one, WHOLE, NULL),
    MAY_FAIL(ilk_set_name, "one that is empty", prepare_names, name_empty, WHOLE, NULL),
    MAY_FAIL(ilk_set_name, "another name", prepare_names, rename_one, WHOLE, NULL),
    MAY_FAIL(ilk_copy, "a name", prepare_names, copy_named, WHOLE, NULL),
    MAY_FAIL(ilk_set_id, "the first", prepare_entities, give_id, WHOLE, NULL),
    MAY_FAIL(ilk_set_id, "one more than there is room for", prepare_names, change_id, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_set_name, "the first command", prepare_buffer, record_name, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_set_id, "the first command", prepare_buffer, record_id, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_apply, "a name and an id", prepare_namings, apply_all, BY_PART,
             "ilk_cmd_apply ilk_set_name ilk_set_id"),
    OBSERVED(ilk_set_name, prepare_observed_names, name_one, WHOLE, NULL),
    OBSERVED(ilk_set_name, prepare_observed_names, rename_one, WHOLE, NULL),
    OBSERVED(ilk_set_id, prepare_observed_names, change_id, WHOLE, NULL),
    MAY_FAIL(ilk_relate, "the first", prepare_entities, relate, WHOLE, NULL),
    MAY_FAIL(ilk_relate, "to somebody far", prepare_far_target, relate_far, WHOLE, NULL),
    MAY_FAIL(ilk_relate_value, "the first", prepare_entities, relate_value, WHOLE, NULL),
    MAY_FAIL(ilk_relation_set, "the first", prepare_entities, put_value, WHOLE, NULL),
    MAY_FAIL(ilk_set_parent, "the first", prepare_entities, set_parent, WHOLE, NULL),
    MAY_FAIL(ilk_set_parent, "another one", prepare_far_target, turn_parent, WHOLE, NULL),
    MAY_FAIL(ilk_spawn, "a child", prepare_entities, spawn_child, WHOLE, NULL),
    MAY_FAIL(ilk_spawn, "a child of somebody far", prepare_far_target, spawn_child, WHOLE, NULL),
    MAY_FAIL(ilk_copy, "a source", prepare_relations, copy_related, WHOLE, NULL),
    MAY_FAIL(ilk_copy, "one that relates to itself", prepare_far_copy, copy_related, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_relate, "the first command", prepare_buffer, record_relate, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_relate_value, "the first command", prepare_buffer, record_relate_value, WHOLE,
             NULL),
    MAY_FAIL(ilk_cmd_relation_set, "the first command", prepare_buffer, record_put_value, WHOLE,
             NULL),
    MAY_FAIL(ilk_cmd_unrelate, "the first command", prepare_buffer, record_unrelate, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_set_parent, "the first command", prepare_buffer, record_set_parent, WHOLE,
             NULL),
    MAY_FAIL(ilk_cmd_child_move, "the first command", prepare_buffer, record_child_move, WHOLE,
             NULL),
    MAY_FAIL(ilk_cmd_apply, "relations", prepare_relating, apply_all, BY_PART,
             "ilk_cmd_apply ilk_add ilk_relate ilk_set_parent"),
    OBSERVED(ilk_relate, prepare_observed, relate, WHOLE, NULL),
    OBSERVED(ilk_set_parent, prepare_observed, set_parent, WHOLE, NULL),
    MAY_FAIL(ilk_blueprint_create, "the first", prepare_nothing, make_blueprint, WHOLE, NULL),
    MAY_FAIL(ilk_blueprint_clone, "with a child", prepare_blueprint, clone_blueprint, WHOLE, NULL),
    MAY_FAIL(ilk_blueprint_add, "a second value", prepare_blueprint, add_to_blueprint, WHOLE, NULL),
    MAY_FAIL(ilk_blueprint_set, "a second value", prepare_blueprint, set_in_blueprint, WHOLE, NULL),
    MAY_FAIL(ilk_blueprint_edit, "a value of its base", prepare_blueprint, edit_blueprint, WHOLE,
             NULL),
    MAY_FAIL(ilk_blueprint_ensure, "a new value", prepare_blueprint, ensure_in_blueprint, WHOLE,
             NULL),
    MAY_FAIL(ilk_blueprint_register, "a second one", prepare_blueprint, register_blueprint, WHOLE,
             NULL),
    MAY_FAIL(ilk_blueprint_spawn, "a new kind, with a child", prepare_blueprint, spawn_blueprint,
             WHOLE, NULL),
    MAY_FAIL(ilk_blueprint_spawn_many, "a new kind, with children", prepare_blueprint,
             spawn_blueprints, WHOLE, NULL),
    MAY_FAIL(ilk_blueprint_put, "a new kind, with a child", prepare_blueprint, put_blueprint, WHOLE,
             NULL),
    MAY_FAIL(ilk_cmd_blueprint_spawn, "the first command", prepare_blueprint, record_blueprint,
             WHOLE, NULL),
    MAY_FAIL(ilk_cmd_apply, "a blueprint", prepare_recorded_blueprint, apply_all, BY_PART, NULL),
    MAY_FAIL(ilk_blueprint_of, "a root", prepare_relations, make_blueprint_of, WHOLE, NULL),
    MAY_FAIL(ilk_blueprint_to_save, "a root", prepare_relations, make_blueprint_to_save, WHOLE,
             NULL),
    MAY_FAIL(ilk_blueprint_take, "a root", prepare_relations, take_blueprint, WHOLE, NULL),
    MAY_FAIL(ilk_copy_tree, "a root", prepare_relations, copy_tree, WHOLE, NULL),
    MAY_FAIL(ilk_copy_to, "into an empty world", prepare_journey, copy_to_other, WHOLE, NULL),
    MAY_FAIL(ilk_transfer, "into an empty world", prepare_journey, transfer_some, WHOLE, NULL),
    OBSERVED(ilk_blueprint_spawn, prepare_observed_blueprint, spawn_blueprint, WHOLE, NULL),
    OBSERVED(ilk_blueprint_spawn_many, prepare_observed_blueprint, spawn_blueprints, WHOLE, NULL),
    OBSERVED(ilk_copy_to, prepare_observed_journey, copy_to_other, WHOLE, NULL),
    OBSERVED(ilk_transfer, prepare_observed_journey, transfer_some, WHOLE, NULL),
};

int main(void) {
    return run_needies("no_memory_related", needies, COUNT_OF(needies));
}
