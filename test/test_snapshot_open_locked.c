// A world that shows a snapshot cannot be changed. Every public function whose first argument is a
// world is here, either among those that are LOCKED or among those that answer (see
// tools/check_locked.sh).
#include "schedule_support.h"

ILK_RELATION_WITH(Holds, .value = &Health_type);
typedef struct Sent {
    int what;
} Sent;
ILK_EVENT(Sent);

typedef struct show {
    ilk_world *live, *past;
    ilk_entity e, child; // with Position, Health, a name and an id; below it, and holding it
    ilk_snapshot* snapshot;
    ilk_query* query;
} show;

static bool says_so(ilk_world* past) {
    ilk_message message = ilk_error(past);
    const char* why = "the world \"stage\" is what a snapshot holds, and cannot be changed";
    return message.result == ILK_LOCKED && strstr(message.text, why);
}

// The call is refused, and the sentence says why.
static void locked_at(const show* s, const char* call, bool is_refused, int line) {
    _assert_true(is_refused, call, __FILE__, line);
    _assert_true(says_so(s->past), ilk_error(s->past).text, __FILE__, line);
    _assert_string_equal(ilk_error(s->past).call, call, __FILE__, line);
    ilk_resource_set(s->past, (ilk_value){NULL, NULL}); // so that the next call must say it again
    _assert_string_equal(ilk_error(s->past).call, "ilk_resource_set", __FILE__, line);
}
#define LOCKED(name, expression) locked_at(s, #name, (expression), __LINE__)
#define LOCKED_TOO(name, call, expression) locked_at(s, #call, (expression), __LINE__)

// Closed and opened again, it has fetched nothing yet.
static ilk_world* reopen(show* s) {
    ilk_world_destroy(s->past);
    s->past = ilk_snapshot_open(s->snapshot);
    assert_non_null(s->past);
    return s->past;
}

// The call answers, also as the first question; or where that makes no difference.
#define ANSWERS(name, expression) (w = reopen(s), ANSWERS_TOO(name, expression))
#define ANSWERS_TOO(name, expression) _assert_true((expression), #name, __FILE__, __LINE__)

static ilk_result observe_nothing(ilk_notice* notice) {
    (void)notice;
    return ILK_OK;
}

static ilk_result install_nothing(ilk_world* world, void* user) {
    (void)world, (void)user;
    return ILK_OK;
}

static ilk_result hear_nothing(ilk_world* world, const ilk_event* event, void* user) {
    (void)world, (void)user, (void)event;
    return ILK_OK;
}

static void play_nothing(ilk_world* world, const void* input, size_t size, void* context) {
    (void)world, (void)input, (void)size, (void)context;
}

static void entities_are_locked(const show* s) {
    ilk_world* w = s->past;
    ilk_entity list[2] = {s->e, s->child};
    ilk_batch batch;
    LOCKED(ilk_create, ilk_is_null(ilk_create(w)));
    LOCKED(ilk_create_inactive, ilk_is_null(ilk_create_inactive(w)));
    LOCKED(ilk_spawn, ilk_is_null(ILK_SPAWN(w, ILK_WITH(Position))));
    LOCKED(ilk_copy, ilk_is_null(ilk_copy(w, s->e)));
    LOCKED(ilk_copy_tree, ilk_is_null(ilk_copy_tree(w, s->e)));
    LOCKED(ilk_destroy, ilk_destroy(w, s->e) == ILK_LOCKED);
    LOCKED(ilk_deactivate, ilk_deactivate(w, s->e) == ILK_LOCKED);
    LOCKED(ilk_activate, ilk_activate(w, s->e) == ILK_LOCKED);
    LOCKED(ilk_create_many, ilk_create_many(w, list, 2) == ILK_LOCKED);
    LOCKED(ilk_destroy_many, ilk_destroy_many(w, list, 2) == ILK_LOCKED);
    LOCKED(ilk_add_many, ilk_add_many(w, list, 2, &Enemy_type, NULL) == ILK_LOCKED);
    LOCKED(ilk_remove_many, ilk_remove_many(w, list, 2, &Position_type) == ILK_LOCKED);
    LOCKED(ilk_spawn_many, ilk_spawn_many(w, &batch, 3, ILK_TYPES(&Position_type)) == ILK_LOCKED);
    LOCKED(ilk_reserve, ilk_reserve(w, 99, ILK_TYPES(&Position_type)) == ILK_LOCKED);
    LOCKED(ilk_transfer, ilk_transfer(w, &s->e, 1, s->live, NULL) == ILK_LOCKED);
    LOCKED_TOO(ilk_transfer, ilk_transfer, ilk_transfer(s->live, &s->e, 1, w, NULL) == ILK_LOCKED);
    LOCKED_TOO(ilk_copy_to, ilk_copy_to, ilk_copy_to(s->live, &s->e, 1, w, NULL) == ILK_LOCKED);
}

static void components_are_locked(const show* s) {
    ilk_world* w = s->past;
    ilk_entity e = s->e;
    LOCKED(ilk_add, ilk_add(w, e, ILK_WITH(Velocity)) == ILK_LOCKED);
    LOCKED(ilk_set, ilk_set(w, e, ILK_VALUE(Position, .x = 9)) == ILK_LOCKED);
    LOCKED(ilk_replace, ilk_replace(w, e, ILK_VALUE(Health, 9)) == ILK_LOCKED);
    LOCKED(ilk_ensure, !ilk_ensure(w, e, &Velocity_type));
    LOCKED(ilk_edit, !ilk_edit(w, e, &Position_type));
    LOCKED_TOO(ilk_edit, ilk_edit, !(ilk_edit)(w, e, &Position_type));
    LOCKED(ilk_remove, ilk_remove(w, e, &Health_type) == ILK_LOCKED);
    LOCKED(ilk_remove_all, ilk_remove_all(w, e) == ILK_LOCKED);
    LOCKED(ilk_disable, ilk_disable(w, e, &Position_type) == ILK_LOCKED);
    LOCKED(ilk_enable, ilk_enable(w, e, &Position_type) == ILK_LOCKED);
    LOCKED(ilk_mark, ilk_mark(w, e, &Position_type) == ILK_LOCKED);
}

static void relations_are_locked(const show* s) {
    ilk_world* w = s->past;
    ilk_entity e = s->e, child = s->child;
    Health five = {5};
    LOCKED(ilk_relate, ilk_relate(w, e, &Holds_type, child) == ILK_LOCKED);
    LOCKED(ilk_relate_value, ilk_relate_value(w, e, &Holds_type, child, &five) == ILK_LOCKED);
    LOCKED(ilk_relation_set, ilk_relation_set(w, child, &Holds_type, e, &five) == ILK_LOCKED);
    LOCKED(ilk_relation_edit, !ilk_relation_edit(w, child, &Holds_type, e));
    LOCKED(ilk_unrelate, ilk_unrelate(w, child, &Holds_type, e) == ILK_LOCKED);
    LOCKED(ilk_set_parent, ilk_set_parent(w, e, child) == ILK_LOCKED);
    LOCKED(ilk_child_move, ilk_child_move(w, child, (ilk_entity){0, 0}) == ILK_LOCKED);
    LOCKED(ilk_set_name, ilk_set_name(w, e, "other") == ILK_LOCKED);
    LOCKED(ilk_set_id, ilk_set_id(w, e, (ilk_id){8, 8}) == ILK_LOCKED);
}

static void the_rest_is_locked(const show* s) {
    ilk_world* w = s->past;
    LOCKED(ilk_register, ilk_register(w, &Owned_type) == ILK_LOCKED);
    LOCKED(ilk_unregister, ilk_unregister(w, &Position_type) == ILK_LOCKED);
    LOCKED(ilk_world_set_user, (ilk_world_set_user(w, NULL), true));
    LOCKED(ilk_clear, (ilk_clear(w), true));
    LOCKED(ilk_trim, (ilk_trim(w), true));
    LOCKED(ilk_settle, ilk_settle(w, 0).result == ILK_LOCKED);
    LOCKED(ilk_tick, ilk_tick(w) == 0);
    LOCKED(ilk_reset, ilk_reset(w) == ILK_LOCKED);
    LOCKED(ilk_resource_set, ilk_resource_set(w, ILK_WITH(Anchor)) == ILK_LOCKED);
    LOCKED(ilk_resource_edit, !ilk_resource_edit(w, &Anchor_type));
    LOCKED(ilk_resource_ensure, !ilk_resource_ensure(w, &Velocity_type));
    LOCKED(ilk_resource_remove, ilk_resource_remove(w, &Anchor_type) == ILK_LOCKED);
    LOCKED(ilk_snapshot_take, !ilk_snapshot_take(w));
    LOCKED(ilk_delta_apply, ilk_delta_apply(w, "", 0) == ILK_LOCKED);
    LOCKED(ilk_ring_create, !ilk_ring_create(w, NULL));
    LOCKED(ilk_replay_create, !ilk_replay_create(w, &(ilk_replay_desc){.play = play_nothing}));
    LOCKED(ilk_cmd_take, !ilk_cmd_take(w));
    LOCKED_TOO(ilk_query_create, ilk_query_create,
               !ilk_query_create(w, &(ilk_query_desc){.write = {&Position_type}}));
    LOCKED(ilk_observer_create,
           !ilk_observer_create(
               w, &(ilk_observer_desc){.name = "o", .on = ILK_ON_CREATE, .run = observe_nothing}));
    LOCKED(ilk_set_reason, (ilk_set_reason(w, ILK_REASON_LOAD), true));
    LOCKED(ilk_plugin_install,
           ilk_plugin_install(w, &(ilk_plugin){.name = "p", .install = install_nothing}) ==
               ILK_LOCKED);
    LOCKED(ilk_plugin_remove, ilk_plugin_remove(w, "p") == ILK_LOCKED);
}

static void events_are_locked(const show* s) {
    ilk_world* w = s->past;
    LOCKED(ilk_emit, ilk_emit(w, ILK_WITH(Sent)) == ILK_LOCKED);
    LOCKED(ilk_emit_to, ilk_emit_to(w, s->e, ILK_WITH(Sent)) == ILK_LOCKED);
    LOCKED(ilk_reader_create, !ilk_reader_create(w, &(ilk_reader_desc){.type = &Sent_type}));
    LOCKED(ilk_event_limit, ilk_event_limit(w, &Sent_type, 5) == ILK_LOCKED);
    LOCKED(ilk_event_clear, (ilk_event_clear(w), true));
    LOCKED(ilk_subscribe, !ilk_subscribe(w, &(ilk_subscription_desc){.call = hear_nothing}));
    LOCKED(ilk_dispatch, ilk_dispatch(w, 0) == ILK_LOCKED);
}

static void running_is_locked(const show* s) {
    static const ilk_system_desc desc = {.name = "new", .run = note_name};
    ilk_world* w = s->past;
    LOCKED(ilk_system_create, !ilk_system_create(w, &desc));
    LOCKED(ilk_system_replace, !ilk_system_replace(w, &desc));
    LOCKED(ilk_phase_add, ilk_phase_add(w, "new", "update") == ILK_LOCKED);
    LOCKED(ilk_set_fixed_step, ilk_set_fixed_step(w, 1, 1) == ILK_LOCKED);
    LOCKED(ilk_set_longest_frame, ilk_set_longest_frame(w, 1) == ILK_LOCKED);
    LOCKED(ilk_set_time_scale, (ilk_set_time_scale(w, 2), true));
    LOCKED(ilk_set_settling, (ilk_set_settling(w, 2), true));
    LOCKED(ilk_pause, (ilk_pause(w, true), true));
    LOCKED(ilk_update, ilk_update(w, 1) == ILK_LOCKED);
    LOCKED(ilk_update_only, ilk_update_only(w, 1, NULL) == ILK_LOCKED);
    LOCKED(ilk_draw, ilk_draw(w, NULL) == ILK_LOCKED);
    LOCKED(ilk_draw_only, ilk_draw_only(w, NULL, NULL) == ILK_LOCKED);
    LOCKED(ilk_scene_add, ilk_scene_add(w, &(ilk_scene_desc){.name = "s"}) == ILK_LOCKED);
    LOCKED(ilk_scene_remove, ilk_scene_remove(w, "s") == ILK_LOCKED);
    LOCKED(ilk_scene_push, ilk_scene_push(w, "s") == ILK_LOCKED);
    LOCKED(ilk_scene_pop, ilk_scene_pop(w) == ILK_LOCKED);
    LOCKED(ilk_scene_switch, ilk_scene_switch(w, "s") == ILK_LOCKED);
    LOCKED(ilk_trace_start, ilk_trace_start(w, 2) == ILK_LOCKED);
    LOCKED(ilk_trace_stop, ilk_trace_stop(w) == ILK_LOCKED);
}

static void blueprints_are_locked(const show* s) {
    ilk_world* w = s->past;
    ilk_blueprint* b = ilk_blueprint_create(NULL);
    ilk_entity there[2];
    assert_ok(ilk_blueprint_add(b, ILK_WITH(Position)));
    LOCKED(ilk_blueprint_register, ilk_blueprint_register(w, "b", b) == ILK_LOCKED);
    LOCKED(ilk_blueprint_spawn, ilk_is_null(ilk_blueprint_spawn(w, b)));
    LOCKED(ilk_blueprint_spawn_many, ilk_blueprint_spawn_many(w, b, 2, there) == ILK_LOCKED);
    LOCKED(ilk_blueprint_put, ilk_is_null(ilk_blueprint_put(w, b)));
    LOCKED(ilk_blueprint_take, !ilk_blueprint_take(w, s->e, NULL));
    ilk_blueprint_destroy(b);
}

static void entities_answer(show* s) {
    ilk_world* w;
    ilk_type* types[8];
    char text[512];
    ilk_result result;
    ANSWERS(ilk_alive, ilk_alive(w, s->e) && (ilk_alive)(w, s->child));
    ANSWERS(ilk_dying, !ilk_dying(w, s->e));
    ANSWERS(ilk_active, ilk_active(w, s->e));
    ANSWERS(ilk_entity_at, ilk_same(ilk_entity_at(w, s->e.index), s->e));
    ANSWERS(ilk_get, same_position(ILK_GET(w, s->e, Position), 1, 2));
    ANSWERS(ilk_get, !ilk_get(w, s->e, &Velocity_type, &result) && result == ILK_MISSING);
    ANSWERS(ilk_has, ilk_has(w, s->e, &Health_type) && !ilk_has(w, s->child, &Health_type));
    ANSWERS(ilk_enabled, ilk_enabled(w, s->e, &Health_type));
    ANSWERS(ilk_types_of, ilk_types_of(w, s->e, types, 8) == 4);
    ANSWERS(ilk_signature, ilk_signature(w, s->e, text, sizeof text) == ilk_type_count(w));
    ANSWERS(ilk_entity_text,
            ilk_entity_text(w, s->e, text, sizeof text) && strstr(text, "Position"));
    ANSWERS(ilk_type_count, ilk_type_count(w) >= 6);
    ANSWERS(ilk_type_number, ilk_type_number(w, &Health_type) < ilk_type_count(w));
    ANSWERS(ilk_type_at, ilk_type_at(w, ilk_type_number(w, &Health_type)) != NULL);
    ANSWERS(ilk_type_named, ilk_type_named(w, "Health") != NULL);
}

static bool count_visit(const ilk_world* world, ilk_entity e, void* user) {
    (void)world, (void)e;
    ++*(int*)user;
    return true;
}

static void relations_answer(show* s) {
    ilk_world* w;
    ilk_entity list[4], e = s->e, child = s->child;
    int visits = 0;
    ANSWERS(ilk_related, ilk_related(w, child, &Holds_type, e));
    ANSWERS(ilk_target, ilk_same(ilk_target(w, child, &Holds_type), e));
    ANSWERS(ilk_target_count, ilk_target_count(w, child, &Holds_type) == 1);
    ANSWERS(ilk_targets, ilk_targets(w, child, &Holds_type, list, 4) == 1);
    ANSWERS(ilk_source_count, ilk_source_count(w, e, &Holds_type) == 1);
    ANSWERS(ilk_sources, ilk_sources(w, e, &Holds_type, list, 4) == 1);
    ANSWERS(ilk_first_source, ilk_same(ilk_first_source(w, e, &Holds_type), child));
    ANSWERS(ilk_next_source, ilk_is_null(ilk_next_source(w, e, &Holds_type, child)));
    ANSWERS(ilk_relation_get,
            ((const Health*)ilk_relation_get(w, child, &Holds_type, e))->points == 4);
    ANSWERS(ilk_parent, ilk_same(ilk_parent(w, child), e));
    ANSWERS(ilk_first_child, ilk_same(ilk_first_child(w, e), child));
    ANSWERS(ilk_next_child, ilk_is_null(ilk_next_child(w, child)));
    ANSWERS(ilk_previous_child, ilk_is_null(ilk_previous_child(w, child)));
    ANSWERS(ilk_child_count, ilk_child_count(w, e) == 1);
    ANSWERS(ilk_children, ilk_children(w, e, list, 4) == 1);
    ANSWERS(ilk_root_of, ilk_same(ilk_root_of(w, child), e));
    ANSWERS(ilk_is_below, ilk_is_below(w, child, e));
    ANSWERS(ilk_up, ilk_same(ilk_up(w, child, &ilk_child_of_type, &Position_type), e));
    ANSWERS(ilk_above, ilk_above(w, child, list, 4) == 1 && ilk_same(list[0], e));
    ANSWERS(ilk_depth, ilk_depth(w, child) == 1);
    ANSWERS(ilk_next_below, ilk_same(ilk_next_below(w, e, e), child));
    ANSWERS(ilk_below, ilk_below(w, e, ILK_WALK_DEPTH, list, 4) == 2);
    ANSWERS(ilk_visit_below,
            (ilk_visit_below(w, e, ILK_WALK_DEPTH, count_visit, &visits), visits == 2));
}

static void names_answer(show* s) {
    ilk_world* w;
    ilk_entity list[4], e = s->e;
    char text[64];
    ANSWERS(ilk_name_of, strcmp(ilk_name_of(w, e), "hero") == 0);
    ANSWERS(ilk_named, ilk_same(ilk_named(w, "hero"), e));
    ANSWERS(ilk_child_named, ilk_same(ilk_child_named(w, e, "sword"), s->child));
    ANSWERS(ilk_all_named, ilk_all_named(w, e, "sword", list, 4) == 1);
    ANSWERS(ilk_by_path, ilk_same(ilk_by_path(w, e, "sword", NULL), s->child));
    ANSWERS(ilk_path_of, ilk_path_of(w, s->child, text, sizeof text) && strstr(text, "hero"));
    ANSWERS(ilk_text_number, ilk_text_number(w, "hero") != 0);
    ANSWERS(ilk_text_at, strcmp(ilk_text_at(w, ilk_text_number(w, "hero")), "hero") == 0);
    ANSWERS(ilk_id_of, ilk_same_id(ilk_id_of(w, e), (ilk_id){7, 7}));
    ANSWERS(ilk_entity_by_id, ilk_same(ilk_entity_by_id(w, (ilk_id){7, 7}), e));
}

static void count_each(void* user, ilk_entity e, void* const* values) {
    (void)e, (void)values;
    ++*(int*)user;
}

static void queries_answer(show* s) {
    ilk_world* w;
    ilk_entity list[4];
    char text[256];
    int visits = 0;
    w = reopen(s);
    ilk_query* query = ilk_query_create(w, &(ilk_query_desc){.read = {&Position_type}});
    ANSWERS_TOO(ilk_query_create, query != NULL);
    ilk_iter it = ilk_query_iter(w, query);
    ANSWERS_TOO(ilk_query_iter, ilk_next(&it) && ILK_READ(&it, Position)->x == 1);
    ilk_iter_end(&it);
    it = ilk_query_among(w, query, &s->e, 1);
    ANSWERS_TOO(ilk_query_among, ilk_next(&it) && ILK_READ(&it, Position)->x == 1);
    assert_null(ilk_column_write(&it, &Position_type));
    ilk_iter_end(&it);
    ANSWERS_TOO(ilk_each, ilk_each(w, query, count_each, &visits) == ILK_OK && visits == 1);
    ANSWERS_TOO(ilk_query_count, ilk_query_count(w, query) == 1);
    ANSWERS_TOO(ilk_query_is_empty, !ilk_query_is_empty(w, query));
    ANSWERS_TOO(ilk_query_matches, ilk_query_matches(w, query, s->e));
    ANSWERS_TOO(ilk_query_first, ilk_same(ilk_query_first(w, query), s->e));
    ANSWERS_TOO(ilk_query_collect, ilk_query_collect(w, query, list, 4) == 1);
    ANSWERS_TOO(ilk_query_explain, ilk_query_explain(w, query, s->e, text, sizeof text) > 0);
    ilk_query_destroy(query);
}

static void the_rest_answers(show* s) {
    ilk_world* w;
    ilk_divergence first;
    char text[4096];
    ilk_entity there;
    ANSWERS(ilk_world_name, strcmp(ilk_world_name(w), "stage") == 0);
    ANSWERS(ilk_world_id, ilk_world_id(w) != ilk_world_id(s->live));
    ANSWERS(ilk_world_user, ilk_world_user(w) == s->live);
    ANSWERS(ilk_world_max_entities, ilk_world_max_entities(w) == ilk_world_max_entities(s->live));
    ANSWERS(ilk_world_own, (ilk_world_own(w), true));
    ANSWERS(ilk_error, ilk_error(w).result == ILK_OK);
    ANSWERS(ilk_stats, ilk_stats(w).alive == 2);
    ANSWERS(ilk_stats_of, ilk_stats_of(w, &Position_type).count == 1);
    ANSWERS(ilk_world_validate, ilk_world_validate(w, text, sizeof text) == ILK_OK);
    ANSWERS(ilk_world_dump, ilk_world_dump(w, text, sizeof text) && strstr(text, "Position"));
    ANSWERS(ilk_matches_text, ilk_matches_text(w, text, sizeof text) > 0);
    ANSWERS(ilk_hash, ilk_hash(w) == ilk_hash(s->live));
    ANSWERS(ilk_hash_of, ilk_hash_of(w, &Position_type) == ilk_hash_of(s->live, &Position_type));
    ANSWERS(ilk_hash_layout, ilk_hash_layout(w) == ilk_hash_layout(s->live));
    ANSWERS(ilk_diverge, ilk_diverge(w, s->live, &first) == ILK_OK && !first.what);
    ANSWERS(ilk_diverge_text, ilk_diverge_text(w, s->live, text, sizeof text) > 0);
    ANSWERS(ilk_resource_has, ilk_resource_has(w, &Anchor_type));
    ANSWERS(ilk_resource_get, ((const Anchor*)ilk_resource_get(w, &Anchor_type))->depth == 3);
    ANSWERS(ilk_resource_changed, ilk_resource_changed(w, &Anchor_type) > 0);
    ANSWERS(ilk_time_of, ilk_time_of(w).frames == 1);
    ANSWERS(ilk_last_settling, ilk_last_settling(w).result == ILK_OK);
    ANSWERS(ilk_threads, ilk_threads(w) == 1);
    ilk_blueprint* b;
    ANSWERS(ilk_blueprint_of, (b = ilk_blueprint_of(w, s->e, NULL)) != NULL);
    assert_true(ilk_blueprint_has(b, &Position_type));
    ilk_blueprint_destroy(b);
    ANSWERS(ilk_blueprint_to_save, (b = ilk_blueprint_to_save(w, s->e, NULL)) != NULL);
    assert_true(ilk_blueprint_has(b, &Position_type));
    ilk_blueprint_destroy(b);
    ANSWERS(ilk_copy_to, ilk_copy_to(w, &s->e, 1, s->live, &there) == ILK_OK);
    assert_true(same_position(ILK_GET(s->live, there, Position), 1, 2));
    assert_ok(ilk_destroy(s->live, there));
}

// It has none of these, and says so.
static void nothing_else_is_there(show* s) {
    ilk_world* w;
    char text[4096];
    ANSWERS(ilk_restore_count, ilk_restore_count(w) == 0);
    ANSWERS(ilk_is_locked, ilk_is_locked(w));
    ANSWERS(ilk_fail, ilk_fail(w, ILK_FULL, "ilk_fail", "it is") == ILK_FULL);
    ANSWERS(ilk_snapshot_count, ilk_snapshot_count(w) == 0);
    ANSWERS(ilk_observer_count, ilk_observer_count(w) == 0);
    ANSWERS(ilk_plugin_count, ilk_plugin_count(w) == 0);
    ANSWERS(ilk_plugin_has, !ilk_plugin_has(w, "p"));
    ANSWERS(ilk_plugin_at, !ilk_plugin_at(w, 0));
    ANSWERS(ilk_system_count, ilk_system_count(w) == 0);
    ANSWERS(ilk_system_named, !ilk_system_named(w, "new"));
    ANSWERS(ilk_system_at, !ilk_system_at(w, 0));
    ANSWERS(ilk_scene_depth, ilk_scene_depth(w) == 0);
    ANSWERS(ilk_scene_at, !ilk_scene_at(w, 0));
    ANSWERS(ilk_scene_top, !ilk_scene_top(w));
    ANSWERS(ilk_scene_desc_of, !ilk_scene_desc_of(w, "s"));
    ANSWERS(ilk_event_stats_of, ilk_event_stats_of(w, &Sent_type).emitted == 0);
    ANSWERS(ilk_blueprint_named, !ilk_blueprint_named(w, "b"));
    ANSWERS(ilk_schedule_text, ilk_schedule_text(w, text, sizeof text) < sizeof text);
    ANSWERS(ilk_schedule_dot, ilk_schedule_dot(w, text, sizeof text) < sizeof text);
    ANSWERS(ilk_trace_json, ilk_trace_json(w, text, sizeof text) < sizeof text);
    ANSWERS(ilk_trace_write, ilk_trace_write(w, NULL) != ILK_OK);
}

static void open_show(show* s, fixture* f) {
    ilk_world_desc desc = fixture_desc(f);
    desc.name = "stage";
    ilk_world* w = s->live = ilk_world_create(&desc);
    ilk_world_set_user(w, w);
    s->e = ILK_SPAWN(w, ILK_VALUE(Position, 1, 2), ILK_VALUE(Health, 3));
    s->child = ilk_create(w);
    assert_ok(ilk_set_name(w, s->e, "hero"));
    assert_ok(ilk_set_id(w, s->e, (ilk_id){7, 7}));
    assert_ok(ilk_set_parent(w, s->child, s->e));
    assert_ok(ilk_set_name(w, s->child, "sword"));
    assert_ok(ilk_relate_value(w, s->child, &Holds_type, s->e, &(Health){4}));
    assert_ok(ilk_resource_set(w, ILK_VALUE(Anchor, 3)));
    assert_ok(ilk_update(w, 1.0 / 60));
    s->snapshot = ilk_snapshot_take(w);
    s->past = ilk_snapshot_open(s->snapshot);
    assert_non_null(s->past);
}

static void a_snapshot_is_read_only(void** state) {
    fixture* f = *state;
    show opened;
    show* s = &opened;
    open_show(s, f);
    uint32_t worlds = ilk_world_count();
    entities_are_locked(s);
    components_are_locked(s);
    relations_are_locked(s);
    the_rest_is_locked(s);
    events_are_locked(s);
    running_is_locked(s);
    blueprints_are_locked(s);
    entities_answer(s);
    relations_answer(s);
    names_answer(s);
    queries_answer(s);
    the_rest_answers(s);
    nothing_else_is_there(s);
    assert_valid(s->past);
    assert_valid(s->live);
    uint32_t id = ilk_world_id(s->past);
    assert_ptr_equal(ilk_world_by_id(id), s->past);
    assert_ptr_equal(ilk_world_named(ilk_world_name(s->past)), s->live); // of the same name
    assert_int_equal(ilk_world_count(), worlds);                         // it is in no list
    ANSWERS_TOO(ilk_world_destroy, (ilk_world_destroy(s->past), true));
    assert_int_equal(ilk_world_count(), worlds);
    assert_null(ilk_world_by_id(id));
    assert_quiet(f);
    ilk_world_destroy(s->live);
}

int main(void) {
    const struct CMUnitTest tests[] = {WORLD_TEST(a_snapshot_is_read_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
