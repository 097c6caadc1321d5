// Calls that may need memory, each in small scenarios, again and again, with the first request for
// memory refused, the second, the third… until none is refused any more: that one alone, and in
// another round that one and all after it. Each time the call either says NO_MEMORY, once, and
// nothing that can be asked has changed; then it is made again, with memory, and does all that it
// should. Or it gets by without, and has done all that it should.
//
// The calls that never fail for want of memory are in test_needs_none.c;
// tools/check_no_memory.sh sees to it that no public function is left out.
#include "stage_support.h"

static void prepare_nothing(stage* s) {
    (void)s;
}

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

static void prepare_drawing(stage* s) {
    make_first(s, "draw");
}

// Acts with the request `fail_at` refused, counted from here; 0: none.
static ilk_result act_with(stage* s, act_fn* act, uint64_t fail_at, bool is_forever) {
    s->told.count = 0;
    s->plan.refused = 0;
    s->plan.fail_at = fail_at ? s->plan.asked + fail_at : 0;
    s->plan.is_forever = is_forever;
    ilk_result result = act(s);
    s->plan.fail_at = 0;
    return result;
}

typedef enum trait {
    WHOLE,  // it is done, or nothing is
    BY_PART // it does what it can; what is left is done by the next one
} trait;

typedef struct needy {
    const char* name;
    const char* scenario;
    prepare_fn* prepare;
    act_fn* act;
    trait trait;
    const char* told_as; // the calls that may say so; NULL: the call itself
} needy;

// What the world is to be like once all is done.
static void summarize_success(summary* t, const needy* n) {
    stage* s = open_stage(n->prepare);
    for (int i = 0; i < (n->trait == BY_PART ? 2 : 1); i++) {
        assert_int_equal(act_with(s, n->act, 0, false), ILK_OK);
        assert_int_equal(s->told.count, 0);
    }
    summarize(t, s);
    close_stage(s);
}

// A failure is told: once, as what it is, and of which call.
static void assert_failed(const stage* s, const needy* n, ilk_result result) {
    assert_int_equal(result, ILK_NO_MEMORY);
    assert_int_equal(s->told.last.result, ILK_NO_MEMORY);
    if (n->trait == WHOLE) assert_int_equal(s->told.count, 1);
    assert_non_null(strstr(n->told_as ? n->told_as : n->name, s->told.call));
    assert_memory_equal(s->told.text, s->told.call, strlen(s->told.call));
}

// One attempt. Whether something was refused, and whether that made the call fail.
static bool attempt(const needy* n, uint64_t fail_at, bool is_forever, const summary* wanted,
                    uint32_t* failures) {
    static summary before, after;
    stage* s = open_stage(n->prepare);
    summarize(&before, s);
    ilk_result result = act_with(s, n->act, fail_at, is_forever);
    bool was_refused = s->plan.refused > 0;
    assert_valid(s->world);
    summarize(&after, s);
    if (result != ILK_OK) {
        ++*failures;
        assert_true(was_refused);
        assert_failed(s, n, result);
        if (n->trait == WHOLE) assert_string_equal(after.text, before.text);
    }
    if (result != ILK_OK || n->trait == BY_PART) {
        assert_int_equal(act_with(s, n->act, 0, false), ILK_OK);
        assert_int_equal(s->told.count, 0);
        summarize(&after, s);
    }
    if (!s->has_lost) assert_string_equal(after.text, wanted->text);
    close_stage(s);
    return was_refused;
}

static void check_needy(const needy* n, bool is_forever) {
    static summary wanted;
    uint32_t failures = 0;
    uint64_t fail_at = 1;
    summarize_success(&wanted, n);
    while (attempt(n, fail_at, is_forever, &wanted, &failures)) {
        assert_true(fail_at++ < 1000);
    }
    assert_true(failures > 0 || !is_forever); // otherwise it belongs into the other table
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

// Commands

static ilk_result take_buffer(stage* s) {
    ilk_cmd* cmd = ilk_cmd_take(s->world);
    assert_int_equal(cmd == NULL, s->told.count > 0);
    return outcome(s);
}

static ilk_result record_create(stage* s) {
    ilk_entity e = ilk_cmd_create(s->cmd);
    assert_int_equal(ilk_is_null(e), s->told.count > 0);
    return outcome(s);
}

static ilk_result record_spawn(stage* s) {
    Owned owned = {text_copy("new")};
    ilk_entity e =
        ilk_cmd_spawn(s->cmd, ILK_VALUES(ILK_VALUE(Anchor, 3), ILK_VALUE_AT(Owned, &owned)));
    if (ilk_is_null(e)) free(owned.text);
    return outcome(s);
}

static ilk_result record_create_inactive(stage* s) {
    ilk_entity e = ilk_cmd_create_inactive(s->cmd);
    assert_int_equal(ilk_is_null(e), s->told.count > 0);
    return outcome(s);
}

static ilk_result record_deactivate(stage* s) {
    return ilk_cmd_deactivate(s->cmd, s->e[0]);
}

static ilk_result record_activate(stage* s) {
    return ilk_cmd_activate(s->cmd, s->e[0]);
}

// To be put to rest, and to die.
static void prepare_endings(stage* s) {
    prepare_leases(s);
    s->cmd = ilk_cmd_take(s->world);
    assert_ok(ilk_cmd_deactivate(s->cmd, s->e[1]));
    assert_ok(ilk_cmd_destroy(s->cmd, s->e[0]));
}

static ilk_result record_destroy(stage* s) {
    return ilk_cmd_destroy(s->cmd, s->e[1]);
}

static ilk_result record_value(stage* s, ilk_result (*give)(ilk_cmd*, ilk_entity, ilk_value)) {
    Owned owned = {text_copy("given")};
    ilk_result result = give(s->cmd, s->e[0], ILK_VALUE_AT(Owned, &owned));
    if (result != ILK_OK) free(owned.text);
    return result;
}

static ilk_result record_add(stage* s) {
    return record_value(s, (ilk_cmd_add));
}

static ilk_result record_set(stage* s) {
    return record_value(s, (ilk_cmd_set));
}

static ilk_result record_replace(stage* s) {
    return record_value(s, (ilk_cmd_replace));
}

static ilk_result record_ensure(stage* s) {
    void* value = ilk_cmd_ensure(s->cmd, s->e[1], &Owned_type);
    assert_int_equal(value == NULL, s->told.count > 0);
    return outcome(s);
}

static ilk_result record_remove(stage* s) {
    return ilk_cmd_remove(s->cmd, s->e[0], &Owned_type);
}

static ilk_result record_remove_all(stage* s) {
    return ilk_cmd_remove_all(s->cmd, s->e[0]);
}

static ilk_result record_enable(stage* s) {
    return ilk_cmd_enable(s->cmd, s->e[0], &Position_type);
}

static ilk_result record_disable(stage* s) {
    return ilk_cmd_disable(s->cmd, s->e[0], &Position_type);
}

static ilk_result record_mark(stage* s) {
    return ilk_cmd_mark(s->cmd, s->e[0], &Position_type);
}

static void do_nothing(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)world, (void)cmd, (void)user;
}

static ilk_result record_call(stage* s) {
    return ilk_cmd_call(s->cmd, do_nothing, NULL);
}

static ilk_result record_emit(stage* s) {
    return ILK_EMIT(s->cmd, Anchor, 3);
}

static ilk_result record_emit_to(stage* s) {
    return ilk_cmd_emit_to(s->cmd, s->e[0], ILK_VALUE(Anchor, 3));
}

static void prepare_sending(stage* s) {
    prepare_reader(s);
    assert_ok(record_emit(s));
    assert_ok(record_emit_to(s));
    assert_ok(ilk_cmd_emit(s->cmd, ILK_VALUE(Health, 3)));
}

static ilk_result apply_all(stage* s) {
    ilk_applied applied = ilk_cmd_apply(s->cmd);
    assert_int_equal(applied.failed + applied.skipped, 0);
    assert_int_equal(applied.left, ilk_cmd_count(s->cmd));
    assert_int_equal(applied.result, applied.left ? ILK_NO_MEMORY : ILK_OK);
    return applied.result;
}

// Events

static void prepare_full_segment(stage* s) {
    prepare_events(s, 128);
}

static void prepare_full_ring(stage* s) {
    prepare_events(s, 4 * 128);
}

static ilk_result emit(stage* s) {
    return ILK_EMIT(s->world, Anchor, 3);
}

static ilk_result emit_to(stage* s) {
    return ilk_emit_to(s->world, s->e[0], ILK_VALUE(Anchor, 3));
}

// The value is the caller's if it is not sent.
static ilk_result emit_owned(stage* s) {
    Owned owned = {text_copy("sent")};
    ilk_result result = ilk_emit(s->world, ILK_VALUE_AT(Owned, &owned));
    if (result != ILK_OK) free(owned.text);
    return result;
}

static ilk_result make_reader(stage* s) {
    return ilk_reader_create(s->world, &(ilk_reader_desc){.type = &Owned_type}) ? ILK_OK
                                                                                : outcome(s);
}

static ilk_result set_limit(stage* s) {
    return ilk_event_limit(s->world, &Owned_type, 3);
}

static ilk_result subscribe(stage* s) {
    ilk_subscription_desc desc = {.name = "one", .type = &Owned_type, .call = hear_nothing};
    return ilk_subscribe(s->world, &desc) ? ILK_OK : outcome(s);
}

static ilk_result subscribe_to_all(stage* s) {
    return ilk_subscribe(s->world, &(ilk_subscription_desc){.call = hear_nothing}) ? ILK_OK
                                                                                   : outcome(s);
}

// Systems

static ilk_result add_phase(stage* s) {
    return ilk_phase_add(s->world, "late", "update");
}

static ilk_result make_system(stage* s) {
    ilk_term terms[MANY + 1];
    ilk_system_desc desc = {.name = "second", .run = run_once, .user = s, .order = 4};
    desc.query = broad_desc(terms);
    desc.query.where = "Position | Velocity";
    ilk_system* system = ilk_system_create(s->world, &desc);
    assert_int_equal(system == NULL, s->told.count > 0);
    return outcome(s);
}

static ilk_result replace_system(stage* s) {
    ilk_system_desc desc = system_desc(s, "update");
    desc.order = 5;
    desc.query.where = "Position | Velocity";
    ilk_system* system = ilk_system_replace(s->world, &desc);
    assert_int_equal(system == NULL, s->told.count > 0);
    return outcome(s);
}

static ilk_result set_fixed_step(stage* s) {
    return ilk_set_fixed_step(s->world, 0.1, 2);
}

static ilk_result pause(stage* s) {
    ilk_pause(s->world, true);
    return outcome(s);
}

static ilk_result set_longest_frame(stage* s) {
    return ilk_set_longest_frame(s->world, 0.1);
}

static ilk_result set_time_scale(stage* s) {
    ilk_set_time_scale(s->world, 2);
    return outcome(s);
}

static ilk_result set_settling(stage* s) {
    ilk_set_settling(s->world, 2);
    return outcome(s);
}

static ilk_result update(stage* s) {
    return ilk_update(s->world, 0.1);
}

static ilk_result reset(stage* s) {
    return ilk_reset(s->world);
}

static ilk_result update_only(stage* s) {
    return ilk_update_only(s->world, 0.1, (const char* const[]){"first", NULL});
}

static ilk_result draw(stage* s) {
    return ilk_draw(s->world, NULL);
}

static ilk_result draw_only(stage* s) {
    return ilk_draw_only(s->world, NULL, (const char* const[]){"first", NULL});
}

// Scenes

static ilk_result add_scene(stage* s) {
    const char* const systems[] = {"first", "second", NULL};
    ilk_scene_desc desc = {.name = "score", .systems = systems, .owns = &Enemy_type};
    return ilk_scene_add(s->world, &desc);
}

static ilk_result record_push(stage* s) {
    return ilk_cmd_scene_push(s->cmd, "game");
}

static ilk_result record_pop(stage* s) {
    return ilk_cmd_scene_pop(s->cmd);
}

static ilk_result record_switch(stage* s) {
    return ilk_cmd_scene_switch(s->cmd, "game");
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

static void prepare_observed_commands(stage* s) {
    prepare_commands(s);
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

static ilk_result start_trace(stage* s) {
    return ilk_trace_start(s->world, 3);
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

#define MAY_FAIL(function, ...) {#function, __VA_ARGS__}

// Some that never fail otherwise do where somebody observes what they do.
#define OBSERVED(function, ...) {#function, "observed", __VA_ARGS__}

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
    MAY_FAIL(ilk_set_name, "the first", prepare_entities, name_one, WHOLE, NULL),
    MAY_FAIL(ilk_set_name, "one that is empty", prepare_names, name_empty, WHOLE, NULL),
    MAY_FAIL(ilk_set_name, "another name", prepare_names, rename_one, WHOLE, NULL),
    MAY_FAIL(ilk_copy, "a name", prepare_names, copy_named, WHOLE, NULL),
    MAY_FAIL(ilk_set_id, "the first", prepare_entities, give_id, WHOLE, NULL),
    MAY_FAIL(ilk_set_id, "one more than there is room for", prepare_names, change_id, WHOLE, NULL),
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
    MAY_FAIL(ilk_cmd_take, "the first", prepare_nothing, take_buffer, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_create, "the first command", prepare_buffer, record_create, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_spawn, "the first command", prepare_buffer, record_spawn, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_create_inactive, "the first command", prepare_buffer, record_create_inactive,
             WHOLE, NULL),
    MAY_FAIL(ilk_cmd_deactivate, "the first command", prepare_buffer, record_deactivate, WHOLE,
             NULL),
    MAY_FAIL(ilk_cmd_activate, "the first command", prepare_buffer, record_activate, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_apply, "who is put to rest, and who dies", prepare_endings, apply_all, BY_PART,
             "ilk_deactivate"),
    MAY_FAIL(ilk_cmd_destroy, "the first command", prepare_buffer, record_destroy, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_add, "the first command", prepare_buffer, record_add, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_set, "the first command", prepare_buffer, record_set, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_replace, "the first command", prepare_buffer, record_replace, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_ensure, "the first command", prepare_buffer, record_ensure, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_remove, "the first command", prepare_buffer, record_remove, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_remove_all, "the first command", prepare_buffer, record_remove_all, WHOLE,
             NULL),
    MAY_FAIL(ilk_cmd_enable, "the first command", prepare_buffer, record_enable, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_disable, "the first command", prepare_buffer, record_disable, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_mark, "the first command", prepare_buffer, record_mark, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_set_name, "the first command", prepare_buffer, record_name, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_set_id, "the first command", prepare_buffer, record_id, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_apply, "a name and an id", prepare_namings, apply_all, BY_PART,
             "ilk_cmd_apply ilk_set_name ilk_set_id"),
    MAY_FAIL(ilk_cmd_call, "the first command", prepare_buffer, record_call, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_apply, "three commands", prepare_commands, apply_all, BY_PART,
             "ilk_cmd_apply ilk_set ilk_spawn"),
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
    MAY_FAIL(ilk_cmd_emit, "the first command", prepare_buffer, record_emit, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_emit_to, "the first command", prepare_buffer, record_emit_to, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_apply, "three events", prepare_sending, apply_all, BY_PART,
             "ilk_emit ilk_emit_to"),
    MAY_FAIL(ilk_emit, "nobody waits for it", prepare_nothing, emit, WHOLE, NULL),
    MAY_FAIL(ilk_emit, "the first for a reader", prepare_reader, emit, WHOLE, NULL),
    MAY_FAIL(ilk_emit, "the first of its type for a subscriber", prepare_subscription, emit_owned,
             WHOLE, NULL),
    MAY_FAIL(ilk_emit, "beyond a segment", prepare_full_segment, emit, WHOLE, NULL),
    MAY_FAIL(ilk_emit, "beyond the ring", prepare_full_ring, emit, WHOLE, NULL),
    MAY_FAIL(ilk_emit_to, "the first for a reader", prepare_reader, emit_to, WHOLE, NULL),
    MAY_FAIL(ilk_reader_create, "the first", prepare_nothing, make_reader, WHOLE, NULL),
    MAY_FAIL(ilk_reader_create, "of a second type", prepare_reader, make_reader, WHOLE, NULL),
    MAY_FAIL(ilk_event_limit, "the first", prepare_nothing, set_limit, WHOLE, NULL),
    MAY_FAIL(ilk_subscribe, "the first", prepare_nothing, subscribe, WHOLE, NULL),
    MAY_FAIL(ilk_subscribe, "to every event", prepare_reader, subscribe_to_all, WHOLE, NULL),
    MAY_FAIL(ilk_phase_add, "the first", prepare_nothing, add_phase, WHOLE, NULL),
    MAY_FAIL(ilk_system_create, "the first", prepare_entities, make_system, WHOLE, NULL),
    MAY_FAIL(ilk_system_create, "the second", prepare_system, make_system, WHOLE, NULL),
    MAY_FAIL(ilk_system_replace, "one that is there", prepare_system, replace_system, WHOLE, NULL),
    MAY_FAIL(ilk_set_fixed_step, "no system yet", prepare_nothing, set_fixed_step, WHOLE, NULL),
    MAY_FAIL(ilk_set_longest_frame, "no system yet", prepare_nothing, set_longest_frame, WHOLE,
             NULL),
    MAY_FAIL(ilk_pause, "no system yet", prepare_nothing, pause, WHOLE, NULL),
    MAY_FAIL(ilk_set_time_scale, "no system yet", prepare_nothing, set_time_scale, WHOLE, NULL),
    MAY_FAIL(ilk_set_settling, "no system yet", prepare_nothing, set_settling, WHOLE, NULL),
    MAY_FAIL(ilk_update, "no system yet", prepare_nothing, update, WHOLE, NULL),
    MAY_FAIL(ilk_update, "a system with commands", prepare_system, update, BY_PART, NULL),
    MAY_FAIL(ilk_update_only, "a system with commands", prepare_system, update_only, BY_PART, NULL),
    MAY_FAIL(ilk_reset, "no system yet", prepare_nothing, reset, WHOLE, NULL),
    MAY_FAIL(ilk_draw, "no system yet", prepare_nothing, draw, WHOLE, NULL),
    MAY_FAIL(ilk_draw, "a system with commands", prepare_drawing, draw, BY_PART, NULL),
    MAY_FAIL(ilk_draw_only, "a system with commands", prepare_drawing, draw_only, BY_PART, NULL),
    MAY_FAIL(ilk_scene_add, "the first", prepare_nothing, add_scene, WHOLE, NULL),
    MAY_FAIL(ilk_scene_add, "a third", prepare_scenes, add_scene, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_scene_push, "the first command", prepare_scenes, record_push, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_scene_pop, "the first command", prepare_scenes, record_pop, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_scene_switch, "the first command", prepare_scenes, record_switch, WHOLE, NULL),
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
    OBSERVED(ilk_set_name, prepare_observed_names, name_one, WHOLE, NULL),
    OBSERVED(ilk_set_name, prepare_observed_names, rename_one, WHOLE, NULL),
    OBSERVED(ilk_set_id, prepare_observed_names, change_id, WHOLE, NULL),
    OBSERVED(ilk_cmd_apply, prepare_observed_commands, apply_all, BY_PART,
             "ilk_cmd_apply ilk_set ilk_spawn"),
    MAY_FAIL(ilk_relate, "the first", prepare_entities, relate, WHOLE, NULL),
    MAY_FAIL(ilk_relate, "to somebody far", prepare_far_target, relate_far, WHOLE, NULL),
    MAY_FAIL(ilk_relate_value, "the first", prepare_entities, relate_value, WHOLE, NULL),
    MAY_FAIL(ilk_set_parent, "the first", prepare_entities, set_parent, WHOLE, NULL),
    MAY_FAIL(ilk_set_parent, "another one", prepare_far_target, turn_parent, WHOLE, NULL),
    MAY_FAIL(ilk_spawn, "a child", prepare_entities, spawn_child, WHOLE, NULL),
    MAY_FAIL(ilk_spawn, "a child of somebody far", prepare_far_target, spawn_child, WHOLE, NULL),
    MAY_FAIL(ilk_copy, "a source", prepare_relations, copy_related, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_relate, "the first command", prepare_buffer, record_relate, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_relate_value, "the first command", prepare_buffer, record_relate_value, WHOLE,
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
    MAY_FAIL(ilk_blueprint_take, "a root", prepare_relations, take_blueprint, WHOLE, NULL),
    MAY_FAIL(ilk_copy_tree, "a root", prepare_relations, copy_tree, WHOLE, NULL),
    MAY_FAIL(ilk_copy_to, "into an empty world", prepare_journey, copy_to_other, WHOLE, NULL),
    MAY_FAIL(ilk_transfer, "into an empty world", prepare_journey, transfer_some, WHOLE, NULL),
    OBSERVED(ilk_blueprint_spawn, prepare_observed_blueprint, spawn_blueprint, WHOLE, NULL),
    OBSERVED(ilk_blueprint_spawn_many, prepare_observed_blueprint, spawn_blueprints, WHOLE, NULL),
    OBSERVED(ilk_copy_to, prepare_observed_journey, copy_to_other, WHOLE, NULL),
    OBSERVED(ilk_transfer, prepare_observed_journey, transfer_some, WHOLE, NULL),
    MAY_FAIL(ilk_trace_start, "the first", prepare_nothing, start_trace, WHOLE, NULL),
    MAY_FAIL(ilk_trace_start, "a system", prepare_system, start_trace, WHOLE, NULL),
};

static void once(void** state) {
    check_needy(*state, false);
}

static void for_ever(void** state) {
    check_needy(*state, true);
}

enum {
    TESTS = COUNT_OF(needies) * 2
};

// Two tests for each row of the table.
int main(void) {
    static struct CMUnitTest tests[TESTS];
    static char names[TESTS][120];
    for (uint32_t i = 0; i < TESTS; i++) {
        const needy* n = &needies[i / 2];
        snprintf(names[i], sizeof(names[i]), "%s, %s, %s", n->name, n->scenario,
                 i % 2 ? "for ever" : "once");
        tests[i] = (struct CMUnitTest){.name = names[i],
                                       .test_func = i % 2 ? for_ever : once,
                                       .initial_state = (void*)(uintptr_t)n};
    }
    return _cmocka_run_group_tests("no_memory", tests, TESTS, NULL, NULL);
}
