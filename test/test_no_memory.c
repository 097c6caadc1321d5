// Calls on worlds, types, entities, queries, observers and resources that may need memory, with
// each request for it refused.
#include "needy_support.h"

// There is no chunk yet for the others of its kind.
static void prepare_guest(stage* s) {
    prepare_entities(s);
    assert_ok(ilk_add(s->world, s->e[0], ILK_WITH(Hoard)));
}

// Few are left in two chunks, with guests, so that settling moves them to others of their kind.
static void prepare_to_settle(stage* s) {
    prepare_entities(s);
    assert_ok(ilk_destroy_many(s->world, s->crowd + 2, CROWDED - 4));
    assert_ok(ilk_add(s->world, s->crowd[CROWDED - 2], ILK_WITH(Enemy)));
    assert_ok(ilk_add(s->world, s->crowd[CROWDED - 1], ILK_VALUE(Health, 7)));
}

static ilk_result make_world(stage* s) {
    ilk_world_desc desc = stage_desc(s);
    ilk_world* world = ilk_world_create(&desc);
    ilk_world_destroy(world);
    return world ? ILK_OK : outcome(s);
}

static ilk_result make_plain_world(stage* s) {
    ilk_world_desc desc = stage_desc(s);
    ilk_world* world = ilk_world_make(&desc);
    ilk_world_destroy(world);
    return world ? ILK_OK : outcome(s);
}

// Resources and plugins

static ilk_result set_resource(stage* s) {
    return ilk_resource_set(s->world, ILK_VALUE(Health, 7));
}

static ilk_result ensure_resource(stage* s) {
    return ilk_resource_ensure(s->world, &Owned_type) ? ILK_OK : ilk_error(s->world).result;
}

static void prepare_resources(stage* s) {
    prepare_entities(s);
    for (uint32_t i = 0; i < 8; i++) assert_non_null(ilk_resource_ensure(s->world, &many[i]));
}

static ilk_result record_resource(stage* s) {
    return ilk_cmd_resource_set(s->cmd, ILK_VALUE(Health, 7));
}

static ilk_result record_resource_removal(stage* s) {
    return ilk_cmd_resource_remove(s->cmd, &Health_type);
}

static void prepare_resource_commands(stage* s) {
    prepare_resources(s);
    prepare_buffer(s);
    Owned owned = {text_copy("recorded")};
    assert_ok(ilk_cmd_resource_set(s->cmd, ILK_VALUE_AT(Owned, &owned)));
    assert_ok(record_resource(s));
    assert_ok(ilk_cmd_resource_set(s->cmd, (ilk_value){&many[9], NULL}));
    assert_ok(ilk_cmd_resource_remove(s->cmd, &many[0]));
}

static ilk_result install_nothing(ilk_world* world, void* user) {
    (void)world, (void)user;
    return ILK_OK;
}

static const ilk_plugin below = {.name = "below", .install = install_nothing};
static const ilk_plugin above = {.name = "above",
                                 .install = install_nothing,
                                 .needs = (const ilk_plugin* const[]){&below, NULL}};

static ilk_result install_plugin(stage* s) {
    return ilk_plugin_install(s->world, &above);
}

// Types and entities

static ilk_result register_type(stage* s) {
    return ilk_register(s->world, &Anchor_type);
}

static ilk_result unregister_type(stage* s) {
    return ilk_unregister(s->world, &Position_type);
}

static void prepare_without(stage* s) {
    prepare_entities(s);
    assert_ok(ilk_unregister(s->world, &Position_type));
    ilk_settle(s->world, 0);
}

static ilk_result register_again(stage* s) {
    return ilk_register(s->world, &Position_type);
}

static ilk_result settle_all(stage* s) {
    ilk_settled settled = ilk_settle(s->world, 0);
    assert_int_equal(settled.done, settled.result == ILK_OK);
    if (settled.result == ILK_NO_MEMORY) {
        // Settling tells by its result alone: nothing failed, it is only put off.
        assert_int_equal(s->told.count, 0);
        s->told.count = 1;
        s->told.last.result = ILK_NO_MEMORY;
        keep_text(s->told.call, sizeof(s->told.call), "ilk_settle");
        keep_text(s->told.text, sizeof(s->told.text), "ilk_settle");
    }
    return settled.result;
}

static ilk_result create_one(stage* s) {
    ilk_entity e = ilk_create(s->world);
    assert_int_equal(ilk_is_null(e), s->told.count > 0);
    return outcome(s);
}

static ilk_result spawn_one(stage* s) {
    Owned owned = {text_copy("new")};
    ilk_entity e = ILK_SPAWN(s->world, ILK_VALUE(Anchor, 3), ILK_VALUE_AT(Owned, &owned),
                             ILK_WITH(Enemy), ILK_VALUE(Health, 4));
    if (ilk_is_null(e)) free(owned.text);
    return outcome(s);
}

static ilk_result create_inactive(stage* s) {
    ilk_entity e = ilk_create_inactive(s->world);
    assert_int_equal(ilk_is_null(e), s->told.count > 0);
    return outcome(s);
}

static ilk_result deactivate_one(stage* s) {
    return ilk_deactivate(s->world, s->e[0]);
}

static ilk_result deactivate_empty(stage* s) {
    return ilk_deactivate(s->world, s->e[2]);
}

static ilk_result register_lease(stage* s) {
    return ilk_register(s->world, &Lease_type);
}

static ilk_result spawn_lease(stage* s) {
    ilk_entity e = ILK_SPAWN(s->world, ILK_VALUE(Lease, 8));
    assert_int_equal(ilk_is_null(e), s->told.count > 0);
    return outcome(s);
}

static ilk_result add_lease(stage* s) {
    return ilk_add(s->world, s->e[0], ILK_VALUE(Lease, 8));
}

static ilk_result copy_one(stage* s) {
    ilk_entity e = ilk_copy(s->world, s->e[0]);
    assert_int_equal(ilk_is_null(e), s->told.count > 0);
    return outcome(s);
}

static ilk_result give_hoard(stage* s, ilk_result (*give)(ilk_world*, ilk_entity, ilk_value),
                             uint32_t at) {
    Hoard hoard = {.owned = {text_copy("given")}};
    ilk_result result = give(s->world, s->e[at], ILK_VALUE_AT(Hoard, &hoard));
    if (result != ILK_OK) free(hoard.owned.text);
    return result;
}

static ilk_result add_guest(stage* s) {
    return give_hoard(s, (ilk_add), 1);
}

static ilk_result add_first(stage* s) {
    return give_hoard(s, (ilk_add), 2);
}

static ilk_result add_new_type(stage* s) {
    return ilk_add(s->world, s->e[1], ILK_VALUE(Anchor, 9));
}

static ilk_result set_guest(stage* s) {
    return give_hoard(s, (ilk_set), 1);
}

static ilk_result ensure_health(stage* s) {
    void* value = ilk_ensure(s->world, s->e[1], &Health_type);
    assert_int_equal(value == NULL, s->told.count > 0);
    return outcome(s);
}

static ilk_result create_many(stage* s) {
    ilk_entity made[3000];
    return ilk_create_many(s->world, made, COUNT_OF(made));
}

static ilk_result add_many(stage* s) {
    return ilk_add_many(s->world, s->crowd, CROWDED, &Health_type, NULL);
}

static ilk_result spawn_many(stage* s) {
    ilk_batch batch;
    ilk_result result =
        ilk_spawn_many(s->world, &batch, 300, ILK_TYPES(&Anchor_type, &Position_type, &Owned_type));
    assert_int_equal(ilk_batch_next(&batch), result == ILK_OK);
    return result;
}

static ilk_result reserve_room(stage* s) {
    ilk_result result = ilk_reserve(s->world, 500, ILK_TYPES(&Anchor_type, &Enemy_type));
    return result;
}

// Queries

static ilk_result make_query(stage* s) {
    ilk_query* query = ilk_query_create(s->world, &(ilk_query_desc){.read = {&Position_type}});
    assert_int_equal(query == NULL, s->told.count > 0);
    return outcome(s);
}

static ilk_result make_broad_query(stage* s) {
    ilk_term terms[MANY + 1];
    ilk_query_desc desc = broad_desc(terms);
    desc.where = "Position | Velocity, !(Owned & Position)";
    ilk_query* query = ilk_query_create(s->world, &desc);
    assert_int_equal(query == NULL, s->told.count > 0);
    return outcome(s);
}

static ilk_result walk_order(stage* s) {
    ilk_iter it = ilk_query_iter(s->world, s->ordered);
    uint32_t rows = 0;
    while (ilk_next(&it)) rows += it.count;
    assert_int_equal(rows, it.result == ILK_OK ? CROWDED + 2 : 0);
    return it.result;
}

static ilk_result call_in_order(stage* s) {
    uint32_t calls = 0;
    ilk_result result = ilk_each(s->world, s->ordered, count_call, &calls);
    assert_int_equal(calls, result == ILK_OK ? CROWDED + 2 : 0);
    return result;
}

static ilk_result call_broadly(stage* s) {
    uint32_t calls = 0;
    return ilk_each(s->world, s->broad, count_call, &calls);
}

static ilk_result first_in_order(stage* s) {
    ilk_entity first = ilk_query_first(s->world, s->ordered);
    assert_int_equal(ilk_is_null(first), s->told.count > 0);
    return outcome(s);
}

static ilk_result collect_in_order(stage* s) {
    uint32_t count = ilk_query_collect(s->world, s->ordered, NULL, 0);
    assert_int_equal(count, s->told.count ? 0 : CROWDED + 2);
    return outcome(s);
}

// Observers

static ilk_result make_observer(stage* s) {
    ilk_observer_desc desc = {.name = "second",
                              .on = ILK_ON_ADD | ILK_ON_MATCH,
                              .query = {.where = "Position | Velocity"},
                              .run = note_told,
                              .user = s};
    ilk_observer* observer = ilk_observer_create(s->world, &desc);
    assert_int_equal(observer == NULL, s->told.count > 0);
    return outcome(s);
}

static ilk_result make_single_observer(stage* s) {
    ilk_observer_desc desc = {
        .on = ILK_ON_ADD, .entity = s->e[0], .type = &Anchor_type, .run = note_told, .user = s};
    ilk_observer* observer = ilk_observer_create(s->world, &desc);
    assert_int_equal(observer == NULL, s->told.count > 0);
    return outcome(s);
}

static void prepare_observed_guest(stage* s) {
    prepare_guest(s);
    observe_all(s);
}

static void prepare_observed_hoard(stage* s) {
    prepare_observed_guest(s);
    s->noted[0] = 0;
}

static ilk_result replace_hoard(stage* s) {
    return give_hoard(s, (ilk_replace), 0);
}

static ilk_result destroy_crowd(stage* s) {
    return ilk_destroy_many(s->world, s->crowd, CROWDED);
}

static ilk_result remove_many(stage* s) {
    return ilk_remove_many(s->world, s->crowd, CROWDED, &Position_type);
}

static const needy needies[] = {
    MAY_FAIL(ilk_world_create, "a second one", prepare_nothing, make_world, WHOLE, NULL),
    MAY_FAIL(ilk_register, "the first type", prepare_nothing, register_type, WHOLE, NULL),
    MAY_FAIL(ilk_register, "a type that was taken out", prepare_without, register_again, WHOLE,
             NULL),
    MAY_FAIL(ilk_unregister, "a type that many have", prepare_entities, unregister_type, WHOLE,
             NULL),
    MAY_FAIL(ilk_register, "a type that outlives", prepare_nothing, register_lease, WHOLE, NULL),
    MAY_FAIL(ilk_settle, "few in two chunks", prepare_to_settle, settle_all, WHOLE, NULL),
    MAY_FAIL(ilk_create, "the first", prepare_nothing, create_one, WHOLE, NULL),
    MAY_FAIL(ilk_spawn, "the first", prepare_nothing, spawn_one, WHOLE, NULL),
    MAY_FAIL(ilk_spawn, "one of a new kind", prepare_entities, spawn_one, WHOLE, NULL),
    MAY_FAIL(ilk_spawn, "one that something outlives", prepare_nothing, spawn_lease, WHOLE, NULL),
    MAY_FAIL(ilk_create_inactive, "the first", prepare_nothing, create_inactive, WHOLE, NULL),
    MAY_FAIL(ilk_create_inactive, "one of a new kind", prepare_entities, create_inactive, WHOLE,
             NULL),
    MAY_FAIL(ilk_deactivate, "the first", prepare_entities, deactivate_one, WHOLE, NULL),
    MAY_FAIL(ilk_deactivate, "one that is empty", prepare_entities, deactivate_empty, WHOLE, NULL),
    MAY_FAIL(ilk_copy, "a new kind", prepare_guest, copy_one, WHOLE, NULL),
    MAY_FAIL(ilk_add, "a guest", prepare_entities, add_guest, WHOLE, NULL),
    MAY_FAIL(ilk_add, "the first component", prepare_entities, add_first, WHOLE, NULL),
    MAY_FAIL(ilk_add, "what outlives", prepare_entities, add_lease, WHOLE, NULL),
    MAY_FAIL(ilk_add, "a new type", prepare_entities, add_new_type, WHOLE, NULL),
    MAY_FAIL(ilk_set, "a guest", prepare_entities, set_guest, WHOLE, NULL),
    MAY_FAIL(ilk_ensure, "a new type", prepare_entities, ensure_health, WHOLE, NULL),
    MAY_FAIL(ilk_create_many, "the first", prepare_nothing, create_many, WHOLE, NULL),
    MAY_FAIL(ilk_create_many, "more", prepare_entities, create_many, WHOLE, NULL),
    MAY_FAIL(ilk_add_many, "guests of two chunks", prepare_entities, add_many, WHOLE, NULL),
    MAY_FAIL(ilk_spawn_many, "the first", prepare_nothing, spawn_many, WHOLE, NULL),
    MAY_FAIL(ilk_spawn_many, "a new kind", prepare_entities, spawn_many, WHOLE, NULL),
    MAY_FAIL(ilk_reserve, "the first", prepare_nothing, reserve_room, WHOLE, NULL),
    MAY_FAIL(ilk_reserve, "a new kind", prepare_entities, reserve_room, WHOLE, NULL),
    MAY_FAIL(ilk_query_create, "the first", prepare_nothing, make_query, WHOLE, NULL),
    MAY_FAIL(ilk_query_create, "terms and a condition", prepare_entities, make_broad_query, WHOLE,
             NULL),
    MAY_FAIL(ilk_query_iter, "in order", prepare_queries, walk_order, WHOLE, NULL),
    MAY_FAIL(ilk_each, "in order", prepare_queries, call_in_order, WHOLE, NULL),
    MAY_FAIL(ilk_each, "many columns", prepare_queries, call_broadly, WHOLE, NULL),
    MAY_FAIL(ilk_query_first, "in order", prepare_queries, first_in_order, WHOLE, NULL),
    MAY_FAIL(ilk_query_collect, "in order", prepare_queries, collect_in_order, WHOLE, NULL),
    MAY_FAIL(ilk_world_make, "a second one", prepare_nothing, make_plain_world, WHOLE, NULL),
    MAY_FAIL(ilk_resource_set, "the first", prepare_nothing, set_resource, WHOLE, NULL),
    MAY_FAIL(ilk_resource_set, "beyond the list", prepare_resources, set_resource, WHOLE, NULL),
    MAY_FAIL(ilk_resource_ensure, "the first", prepare_nothing, ensure_resource, WHOLE, NULL),
    MAY_FAIL(ilk_resource_ensure, "beyond the list", prepare_resources, ensure_resource, WHOLE,
             NULL),
    MAY_FAIL(ilk_cmd_resource_set, "the first command", prepare_buffer, record_resource, WHOLE,
             NULL),
    MAY_FAIL(ilk_cmd_resource_remove, "the first command", prepare_buffer, record_resource_removal,
             WHOLE, NULL),
    MAY_FAIL(ilk_cmd_apply, "four resources", prepare_resource_commands, apply_all, BY_PART,
             "ilk_resource_set"),
    MAY_FAIL(ilk_plugin_install, "two of them", prepare_nothing, install_plugin, WHOLE, NULL),
    MAY_FAIL(ilk_observer_create, "the first", prepare_entities, make_observer, WHOLE, NULL),
    MAY_FAIL(ilk_observer_create, "a third", prepare_observed, make_observer, WHOLE, NULL),
    MAY_FAIL(ilk_observer_create, "of one entity", prepare_observed, make_single_observer, WHOLE,
             NULL),
    OBSERVED(ilk_unregister, prepare_observed, unregister_type, WHOLE, NULL),
    OBSERVED(ilk_register, prepare_observed, register_type, WHOLE, NULL),
    OBSERVED(ilk_create_many, prepare_observed, create_many, WHOLE, NULL),
    OBSERVED(ilk_spawn, prepare_observed, spawn_one, WHOLE, NULL),
    OBSERVED(ilk_copy, prepare_observed_guest, copy_one, WHOLE, NULL),
    OBSERVED(ilk_add, prepare_observed, add_guest, WHOLE, NULL),
    OBSERVED(ilk_add, prepare_observed, add_first, WHOLE, NULL),
    OBSERVED(ilk_set, prepare_observed, set_guest, WHOLE, NULL),
    OBSERVED(ilk_replace, prepare_observed_hoard, replace_hoard, WHOLE, NULL),
    OBSERVED(ilk_ensure, prepare_observed, ensure_health, WHOLE, NULL),
    OBSERVED(ilk_add_many, prepare_observed, add_many, WHOLE, NULL),
    OBSERVED(ilk_spawn_many, prepare_observed, spawn_many, WHOLE, NULL),
    OBSERVED(ilk_destroy_many, prepare_observed, destroy_crowd, WHOLE, NULL),
    OBSERVED(ilk_remove_many, prepare_observed, remove_many, WHOLE, NULL),
};

int main(void) {
    return run_needies("no_memory", needies, COUNT_OF(needies));
}
