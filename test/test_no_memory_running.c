// Commands, events, systems, scenes and traces that may need memory, with each request for it
// refused.
#include "needy_support.h"

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

static void prepare_observed_commands(stage* s) {
    prepare_commands(s);
    observe_all(s);
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

static void prepare_drawing(stage* s) {
    make_first(s, "draw");
}

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

// Traces

static ilk_result start_trace(stage* s) {
    return ilk_trace_start(s->world, 3);
}

// Snapshots

static ilk_result take_snapshot(stage* s) {
    ilk_snapshot* snapshot = ilk_snapshot_take(s->world);
    return snapshot ? ILK_OK : outcome(s);
}

static ilk_result restore_snapshot(stage* s) {
    return ilk_snapshot_restore(s->snapshot);
}

// What it opens is closed at once: the stage knows its own world alone.
static ilk_result open_snapshot(stage* s) {
    ilk_world* view = ilk_snapshot_open(s->snapshot);
    if (!view) return outcome(s);
    ilk_world_destroy(view);
    return ILK_OK;
}

static ilk_result make_ring(stage* s) {
    return ilk_ring_create(s->world, NULL) ? ILK_OK : outcome(s);
}

static ilk_result push_frame(stage* s) {
    return ilk_ring_push(s->ring);
}

static ilk_result look_at_frame(stage* s) {
    return ilk_ring_look(s->ring, 1);
}

static ilk_result rewind_to_frame(stage* s) {
    return ilk_ring_rewind(s->ring, 1);
}

// Deltas: to a world in which a value was written and somebody has come.

static unsigned char delta[8192];
static size_t delta_size;

static void prepare_delta(stage* s) {
    prepare_entities(s);
    ilk_trim(s->world);
    s->snapshot = ilk_snapshot_take(s->world);
    assert_ok(ilk_set(s->world, s->e[0], ILK_VALUE(Position, 8, 8)));
    assert_false(ilk_is_null(ILK_SPAWN(s->world, ILK_WITH(Position))));
    ilk_snapshot* after = ilk_snapshot_take(s->world);
    const void* bytes = ilk_delta_make(s->snapshot, after, &delta_size);
    assert_true(bytes && delta_size <= sizeof delta);
    memcpy(delta, bytes, delta_size);
    ilk_snapshot_release(after);
}

static void prepare_to_apply(stage* s) {
    prepare_delta(s);
    assert_ok(ilk_snapshot_restore(s->snapshot));
}

static void prepare_to_make(stage* s) {
    prepare_delta(s);
    ilk_snapshot_release(s->snapshot);
    s->snapshot = ilk_snapshot_take(s->world);
    assert_ok(ilk_set(s->world, s->e[0], ILK_VALUE(Position, 9, 9)));
    ilk_trim(s->world);
}

static ilk_result make_delta_back(stage* s) {
    size_t size;
    ilk_snapshot* now = ilk_snapshot_take(s->world);
    if (!now) return outcome(s);
    const void* bytes = ilk_delta_make(now, s->snapshot, &size);
    ilk_snapshot_release(now);
    return bytes ? ILK_OK : outcome(s);
}

static ilk_result apply_delta(stage* s) {
    return ilk_delta_apply(s->world, delta, delta_size);
}

static const needy needies[] = {
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
    MAY_FAIL(ilk_cmd_call, "the first command", prepare_buffer, record_call, WHOLE, NULL),
    MAY_FAIL(ilk_cmd_apply, "three commands", prepare_commands, apply_all, BY_PART,
             "ilk_cmd_apply ilk_set ilk_spawn"),
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
    OBSERVED(ilk_cmd_apply, prepare_observed_commands, apply_all, BY_PART,
             "ilk_cmd_apply ilk_set ilk_spawn"),
    MAY_FAIL(ilk_snapshot_take, "of nothing", prepare_nothing, take_snapshot, WHOLE, NULL),
    MAY_FAIL(ilk_snapshot_take, "another one", prepare_snapshot, take_snapshot, WHOLE, NULL),
    MAY_FAIL(ilk_snapshot_restore, "the newest", prepare_snapshot, restore_snapshot, WHOLE, NULL),
    MAY_FAIL(ilk_snapshot_restore, "an older one", prepare_snapshots, restore_snapshot, WHOLE,
             NULL),
    MAY_FAIL(ilk_snapshot_open, "the newest", prepare_snapshot, open_snapshot, WHOLE, NULL),
    MAY_FAIL(ilk_snapshot_open, "an older one", prepare_snapshots, open_snapshot, WHOLE, NULL),
    MAY_FAIL(ilk_ring_create, "the first", prepare_entities, make_ring, WHOLE, NULL),
    MAY_FAIL(ilk_ring_push, "a third", prepare_ring, push_frame, BY_PART, NULL),
    MAY_FAIL(ilk_ring_look, "an older frame", prepare_ring, look_at_frame, WHOLE, NULL),
    MAY_FAIL(ilk_ring_rewind, "an older frame", prepare_ring, rewind_to_frame, WHOLE, NULL),
    MAY_FAIL(ilk_delta_make, "backwards", prepare_to_make, make_delta_back, WHOLE,
             "ilk_snapshot_take ilk_delta_make"),
    MAY_FAIL(ilk_delta_apply, "forwards", prepare_to_apply, apply_delta, WHOLE, NULL),
    MAY_FAIL(ilk_trace_start, "the first", prepare_nothing, start_trace, WHOLE, NULL),
    MAY_FAIL(ilk_trace_start, "a system", prepare_system, start_trace, WHOLE, NULL),
};

int main(void) {
    return run_needies("no_memory_running", needies, COUNT_OF(needies));
}
