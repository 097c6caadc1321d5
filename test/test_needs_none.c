// Calls that never fail for want of memory: each is made with no memory at all to be had, asks for
// none, and does what it should. The others are in test_no_memory*.c.
#include "stage_support.h"

static void prepare_other(stage* s) {
    ilk_world_desc desc = stage_desc(s);
    s->other = ilk_world_create(&desc);
    assert_non_null(s->other);
    ILK_SPAWN(s->other, ILK_WITH(Position));
}

typedef bool do_fn(stage* s);

typedef struct frugal {
    const char* name;
    prepare_fn* prepare;
    do_fn* act;   // true if it did what it should
    bool may_ask; // for memory to do better, and do without
} frugal;

static bool clears(stage* s) {
    ilk_clear(s->world);
    return ilk_stats(s->world).alive == 0;
}

static bool trims(stage* s) {
    ilk_trim(s->world);
    return ilk_stats(s->world).alive == CROWDED + 3;
}

static void prepare_rest(stage* s) {
    prepare_entities(s);
    assert_ok(ilk_add(s->world, s->e[1], ILK_WITH(Lease)));
    assert_ok(ilk_deactivate(s->world, s->e[0]));
    assert_ok(ilk_destroy(s->world, s->e[1]));
}

static bool wakes(stage* s) {
    return !ilk_active(s->world, s->e[0]) && ilk_activate(s->world, s->e[0]) == ILK_OK &&
           ilk_active(s->world, s->e[0]) && ilk_dying(s->world, s->e[1]);
}

static bool removes_the_last(stage* s) {
    return ilk_remove(s->world, s->e[1], &Lease_type) == ILK_OK && !ilk_alive(s->world, s->e[1]);
}

static bool removes_all_of_the_dying(stage* s) {
    return ilk_remove_all(s->world, s->e[1]) == ILK_OK && !ilk_alive(s->world, s->e[1]);
}

static bool destroys(stage* s) {
    return ilk_destroy(s->world, s->e[0]) == ILK_OK && !ilk_alive(s->world, s->e[0]);
}

static bool lets_die(stage* s) {
    return ilk_destroy(s->world, s->e[0]) == ILK_OK && ilk_dying(s->world, s->e[0]);
}

static bool lets_many_die(stage* s) {
    ilk_entity list[] = {s->crowd[0], s->e[0], s->crowd[CROWDED - 1], s->e[1]};
    return ilk_destroy_many(s->world, list, COUNT_OF(list)) == ILK_OK &&
           ilk_dying(s->world, list[1]) && ilk_dying(s->world, list[2]) &&
           !ilk_alive(s->world, list[0]) && !ilk_alive(s->world, list[3]);
}

static void prepare_owned_leases(stage* s) {
    prepare_leases(s);
    assert_ok(ilk_scene_add(s->world, &(ilk_scene_desc){.name = "leased", .owns = &Lease_type}));
    assert_ok(ilk_scene_push(s->world, "leased"));
}

static bool leaves_a_scene(stage* s) {
    return ilk_scene_pop(s->world) == ILK_OK && ilk_dying(s->world, s->e[0]) &&
           ilk_dying(s->world, s->crowd[CROWDED - 1]);
}

static bool replaces(stage* s) {
    return ilk_replace(s->world, s->e[0], ILK_VALUE(Position, 8, 9)) == ILK_OK &&
           same_position(ILK_GET(s->world, s->e[0], Position), 8, 9);
}

static bool removes(stage* s) {
    return ilk_remove(s->world, s->e[0], &Owned_type) == ILK_OK &&
           !ilk_has(s->world, s->e[0], &Owned_type);
}

static bool removes_all(stage* s) {
    return ilk_remove_all(s->world, s->e[0]) == ILK_OK &&
           ilk_types_of(s->world, s->e[0], NULL, 0) == 0;
}

static bool removes_many(stage* s) {
    return ilk_remove_many(s->world, s->crowd, CROWDED, &Position_type) == ILK_OK &&
           !ilk_has(s->world, s->crowd[7], &Position_type);
}

static bool switches(stage* s) {
    return ilk_disable(s->world, s->e[0], &Position_type) == ILK_OK &&
           !ilk_enabled(s->world, s->e[0], &Position_type) &&
           ilk_enable(s->world, s->e[0], &Position_type) == ILK_OK &&
           ilk_enabled(s->world, s->e[0], &Position_type);
}

static bool marks(stage* s) {
    return ilk_mark(s->world, s->e[0], &Position_type) == ILK_OK && ilk_tick(s->world) > 0;
}

static bool reads(stage* s) {
    ilk_type* types[4];
    char text[8];
    Position* p = ILK_EDIT(s->world, s->e[0], Position);
    return p && p == ilk_get(s->world, s->e[0], &Position_type, NULL) &&
           ilk_has(s->world, s->e[0], &Position_type) && ilk_alive(s->world, s->e[0]) &&
           ilk_same(ilk_entity_at(s->world, s->e[0].index), s->e[0]) &&
           ilk_types_of(s->world, s->e[0], types, 4) == 3 &&
           ilk_signature(s->world, s->e[0], text, sizeof(text)) == 3;
}

static bool tells_of_types(stage* s) {
    return ilk_type_count(s->world) == 3 && ilk_type_number(s->world, &Position_type) == 0 &&
           ilk_type_at(s->world, 0) == ilk_type_named(s->world, "Position") &&
           ilk_stats_of(s->world, &Position_type).count == CROWDED + 2 &&
           ilk_stats(s->world).bytes > 0 &&
           ilk_field_length(&(ilk_field){"x", ILK_KIND_F32, 0, 12}) == 3;
}

static bool tells_of_worlds(stage* s) {
    ilk_world_own(s->world);
    return strcmp(ilk_world_name(s->world), "stage") == 0 && ilk_world_id(s->world) > 0 &&
           ilk_world_max_entities(s->world) == 0 && ilk_error(s->world).result == ILK_OK &&
           !ilk_is_locked(s->world) && ilk_world_validate(s->world, NULL, 0) == ILK_OK &&
           ilk_result_name(ILK_OK) && ilk_result_text(ILK_OK);
}

static bool reports(stage* s) {
    bool is_told = ilk_fail(s->world, ILK_FULL, "here", "it is") == ILK_FULL &&
                   s->told.count == 1 && ilk_error(s->world).result == ILK_FULL;
    s->told.count = 0;
    return is_told;
}

static bool finds_worlds(stage* s) {
    ilk_world* found[4];
    ilk_world_set_user(s->world, s);
    return ilk_world_user(s->world) == s && ilk_world_named("stage") == s->world &&
           ilk_world_by_id(ilk_world_id(s->world)) == s->world && ilk_world_count() == 1 &&
           ilk_worlds(found, 4) == 1 && found[0] == s->world && ilk_world_of(s->e[0]) == s->world;
}

static ilk_world* make_nothing(void* context, const ilk_world_desc* desc) {
    (void)context, (void)desc;
    return NULL;
}

static bool changes_factories(stage* s) {
    (void)s;
    return ilk_factory_install(&(ilk_world_factory){make_nothing, NULL}) == ILK_OK &&
           ilk_factory_remove() == ILK_OK;
}

static ilk_result install_nothing(ilk_world* world, void* user) {
    (void)world, (void)user;
    return ILK_OK;
}

static void prepare_resource(stage* s) {
    static const ilk_plugin plugin = {.name = "plugin", .install = install_nothing};
    assert_ok(ilk_plugin_install(s->world, &plugin));
    assert_ok(ilk_resource_set(s->world, ILK_VALUE(Health, 7)));
    assert_non_null(ILK_RESOURCE_ENSURE(s->world, Owned));
}

static bool uses_resources(stage* s) {
    ILK_RESOURCE_EDIT(s->world, Health)->points++;
    return ILK_RESOURCE_GET(s->world, Health)->points == 8 &&
           ilk_resource_changed(s->world, &Health_type) > 0 &&
           ilk_resource_remove(s->world, &Owned_type) == ILK_OK &&
           !ilk_resource_has(s->world, &Owned_type);
}

static bool removes_a_plugin(stage* s) {
    return ilk_plugin_remove(s->world, "plugin") == ILK_OK && ilk_plugin_count(s->world) == 0;
}

static bool tells_of_plugins(stage* s) {
    return ilk_plugin_has(s->world, "plugin") && ilk_plugin_count(s->world) == 1 &&
           strcmp(ilk_plugin_at(s->world, 0), "plugin") == 0;
}

static bool ends_a_world(stage* s) {
    ilk_world_destroy(s->other);
    s->other = NULL;
    return true;
}

// The batch is made when the scene is set.
static void prepare_batch(stage* s) {
    prepare_entities(s);
    assert_ok(ilk_spawn_many(s->world, &s->batch, 5, ILK_TYPES(&Position_type)));
}

static bool fills_a_batch(stage* s) {
    return ilk_batch_next(&s->batch) && s->batch.count == 5 &&
           ilk_batch_fill(&s->batch, &Position_type) && !ilk_batch_next(&s->batch);
}

static bool walks(stage* s) {
    uint32_t rows[2] = {0, 0};
    ilk_iter it = ilk_query_iter(s->world, s->moving);
    for (; ilk_next(&it); rows[0] += it.count) {
        if (!ilk_column_read(&it, &Position_type)) return false;
        ilk_column_maybe(&it, &Velocity_type);
    }
    for (it = ilk_query_iter(s->world, s->moving); ilk_next_rows(&it);) rows[1] += it.count;
    ilk_iter_end(&it);
    return rows[0] == CROWDED + 2 && rows[1] == rows[0];
}

static bool walks_through_a_list(stage* s) {
    ilk_entity list[8];
    uint32_t rows = 0, count = ilk_query_collect(s->world, s->moving, list, 8);
    for (ilk_iter it = ilk_query_among(s->world, s->moving, list, 8); ilk_next(&it);) {
        rows += it.count;
    }
    return count > 8 && rows == 8;
}

static bool writes_columns(stage* s) {
    ilk_iter it = ilk_query_iter(s->world, s->writing), parts[2];
    if (ilk_iter_split(&it, parts, 2) != ILK_OK || !ilk_next(&parts[0])) return false;
    bool is_there = ilk_column_write(&parts[0], &Position_type) != NULL;
    ilk_iter_end(&it);
    return is_there;
}

static bool asks(stage* s) {
    char text[200];
    ilk_query_since(s->moving, 0);
    return ilk_query_count(s->world, s->moving) == CROWDED + 2 &&
           ilk_query_count(s->world, s->ordered) == CROWDED + 2 &&
           !ilk_query_is_empty(s->world, s->ordered) &&
           ilk_query_matches(s->world, s->moving, s->e[0]) &&
           ilk_query_explain(s->world, s->moving, s->e[0], text, sizeof(text)) > 0 &&
           ilk_query_text(s->moving, text, sizeof(text)) > 0 &&
           ilk_query_stats_of(s->moving).passes == 0;
}

static bool ends_queries(stage* s) {
    ilk_query_destroy(s->broad);
    ilk_query_destroy(s->moving);
    s->broad = s->moving = NULL;
    return true;
}

static bool empties_a_buffer(stage* s) {
    bool was_full = ilk_cmd_count(s->cmd) == 3;
    ilk_cmd_be_strict(s->cmd, true);
    ilk_cmd_clear(s->cmd);
    bool is_empty = ilk_cmd_count(s->cmd) == 0;
    ilk_cmd_give_back(s->cmd);
    s->cmd = NULL;
    return was_full && is_empty;
}

static bool tells_of_systems(stage* s) {
    ilk_system_enable(s->system, false);
    ilk_system_stats_reset(s->system);
    return ilk_system_named(s->world, "first") == s->system && ilk_system_count(s->world) == 1 &&
           ilk_system_at(s->world, 0) == s->system && ilk_system_desc_of(s->system)->user == s &&
           ilk_system_query(s->system) && ilk_system_wave(s->system) == 0 &&
           ilk_system_stats_of(s->system).calls == 0 && ilk_time_of(s->world).frames == 0 &&
           ilk_last_settling(s->world).blocks == 0 && ilk_threads(s->world) == 1;
}

static bool reorders_a_system(stage* s) {
    return ilk_system_set_order(s->system, 3) == ILK_OK &&
           ilk_system_desc_of(s->system)->order == 3;
}

static bool ends_a_system(stage* s) {
    return ilk_system_destroy(s->system) == ILK_OK && ilk_system_count(s->world) == 0;
}

static bool changes_scenes(stage* s) {
    return strcmp(ilk_scene_top(s->world), "menu") == 0 && ilk_scene_depth(s->world) == 1 &&
           strcmp(ilk_scene_at(s->world, 0), "menu") == 0 &&
           ilk_scene_push(s->world, "game") == ILK_OK && ilk_scene_pop(s->world) == ILK_OK &&
           ilk_scene_switch(s->world, "game") == ILK_OK && ilk_scene_pop(s->world) == ILK_OK &&
           ilk_scene_desc_of(s->world, "game") && ilk_scene_remove(s->world, "game") == ILK_OK;
}

static void prepare_trace(stage* s) {
    prepare_system(s);
    assert_ok(ilk_trace_start(s->world, 3));
    assert_ok(ilk_update(s->world, 0.1));
}

static bool shows(stage* s) {
    char text[100];
    return ilk_world_dump(s->world, text, sizeof(text)) > 100 &&
           ilk_entity_text(s->world, s->e[0], text, sizeof(text)) > 10 &&
           ilk_matches_text(s->world, text, sizeof(text)) > 0 &&
           ilk_schedule_text(s->world, text, sizeof(text)) > 0 &&
           ilk_schedule_dot(s->world, text, sizeof(text)) > 0 &&
           ilk_trace_json(s->world, text, sizeof(text)) > 100;
}

static bool keeps_a_trace(stage* s) {
    return ilk_trace_write(s->world, "/dev/null") == ILK_OK && ilk_trace_stop(s->world) == ILK_OK &&
           ilk_trace_json(s->world, NULL, 0) == 0;
}

static void prepare_few_events(stage* s) {
    prepare_subscription(s);
    for (uint32_t i = 0; i < 3; i++) assert_ok(ILK_EMIT(s->world, Anchor, i));
}

static bool reads_events(stage* s) {
    ilk_event event;
    const Anchor* anchor = ilk_read(s->reader, &event);
    bool is_first = anchor && anchor->depth == 0 && event.number == 1;
    ilk_event_clear(s->world);
    bool is_read =
        !ilk_read(s->reader, NULL) && ilk_event_stats_of(s->world, &Anchor_type).emitted == 3;
    uint64_t lost = ilk_reader_lost(s->reader);
    ilk_reader_destroy(s->reader);
    s->reader = NULL;
    return is_first && is_read && lost == 0;
}

static bool dispatches(stage* s) {
    return ilk_dispatch(s->world, ILK_DISPATCH_NESTED) == ILK_OK &&
           ilk_unsubscribe(s->subscription) == ILK_OK;
}

// While nothing is being told, a verb about one entity needs no memory to be observed.
static void prepare_observed_alone(stage* s) {
    prepare_observed(s);
    ilk_observer_desc desc = {.on = ILK_ON_REMOVE | ILK_ON_CEASE,
                              .entity = s->e[0],
                              .query = {.with = {&Position_type}},
                              .run = note_told,
                              .user = s};
    assert_non_null(ilk_observer_create(s->world, &desc));
    ilk_trim(s->world);
}

static bool tells_of_observers(stage* s) {
    bool is_right = strcmp(ilk_observer_name(s->observer), "all") == 0 &&
                    ilk_observer_count(s->world) == 3 &&
                    ilk_set_reason(s->world, ILK_REASON_LOAD) == 0;
    ilk_observer_destroy(s->observer);
    return is_right && ilk_observer_count(s->world) == 2;
}

static bool asks_of_relations(stage* s) {
    ilk_type* type = &Owes_type;
    ilk_entity two[2];
    return ilk_related(s->world, s->crowd[0], type, s->e[1]) &&
           ilk_same(ilk_target(s->world, s->crowd[0], type), s->e[2]) &&
           ilk_target_count(s->world, s->crowd[0], type) == 2 &&
           ilk_targets(s->world, s->crowd[0], type, two, 2) == 2 && ilk_same(two[1], s->e[1]) &&
           ilk_source_count(s->world, s->e[2], type) == 3 &&
           ilk_sources(s->world, s->e[2], type, two, 2) == 3 && ilk_same(two[1], s->crowd[1]) &&
           ilk_same(ilk_first_source(s->world, s->e[2], type), s->crowd[0]) &&
           ilk_same(ilk_next_source(s->world, s->e[2], type, s->crowd[0]), s->crowd[1]) &&
           ilk_relation_get(s->world, s->crowd[0], type, s->e[1]) &&
           ilk_relation_edit(s->world, s->crowd[0], type, s->e[1]);
}

static bool count_visit(const ilk_world* world, ilk_entity e, void* user) {
    (void)world, (void)e;
    ++*(uint32_t*)user;
    return true;
}

static bool asks_of_a_tree(stage* s) {
    ilk_entity root = s->e[0], four[4];
    uint32_t visits = 0;
    ilk_visit_below(s->world, root, ILK_WALK_BREADTH, count_visit, &visits);
    return visits == 4 && ilk_same(ilk_parent(s->world, s->crowd[2]), s->crowd[1]) &&
           ilk_same(ilk_root_of(s->world, s->crowd[2]), root) &&
           ilk_is_below(s->world, s->crowd[2], root) && ilk_depth(s->world, s->crowd[2]) == 2 &&
           ilk_same(ilk_up(s->world, s->crowd[2], &ilk_child_of_type, &Position_type),
                    s->crowd[1]) &&
           ilk_above(s->world, s->crowd[2], four, 4) == 2 && ilk_same(four[1], root) &&
           ilk_child_count(s->world, root) == 2 && ilk_children(s->world, root, four, 4) == 2 &&
           ilk_same(ilk_first_child(s->world, root), s->crowd[0]) &&
           ilk_same(ilk_next_child(s->world, s->crowd[0]), s->crowd[1]) &&
           ilk_same(ilk_previous_child(s->world, s->crowd[1]), s->crowd[0]) &&
           ilk_same(ilk_next_below(s->world, root, root), s->crowd[0]) &&
           ilk_below(s->world, root, ILK_WALK_BREADTH, four, 4) == 4;
}

static bool ends_relations(stage* s) {
    return ilk_child_move(s->world, s->crowd[1], s->crowd[0]) == ILK_OK &&
           ilk_unrelate(s->world, s->crowd[0], &Owes_type, s->e[2]) == ILK_OK &&
           ilk_unrelate(s->world, s->crowd[0], &Owes_type, s->e[1]) == ILK_OK &&
           ilk_set_parent(s->world, s->crowd[2], (ilk_entity){0, 0}) == ILK_OK &&
           !ilk_has(s->world, s->crowd[0], &Owes_type);
}

static bool destroys_a_tree(stage* s) {
    return ilk_destroy(s->world, s->e[2]) == ILK_OK && ilk_destroy(s->world, s->e[0]) == ILK_OK &&
           !ilk_alive(s->world, s->crowd[2]) && ilk_stats(s->world).relations == 0;
}

static bool clears_relations(stage* s) {
    ilk_clear(s->world);
    return ilk_stats(s->world).relations == 0;
}

static void prepare_observed_relations(stage* s) {
    prepare_relations(s);
    observe_all(s);
    ilk_trim(s->world);
}

static bool asks_a_blueprint(stage* s) {
    const ilk_blueprint* child = ilk_blueprint_first_child(s->blueprint);
    return ilk_blueprint_has(s->blueprint, &Owned_type) &&
           ilk_blueprint_get(s->blueprint, &Position_type) &&
           ilk_blueprint_types(s->blueprint, NULL, 0) == 2 &&
           ilk_blueprint_parent(child) == s->blueprint && !ilk_blueprint_next_child(child) &&
           !ilk_is_null(ilk_blueprint_entity(child)) && ilk_blueprint_named(s->world, "known");
}

static bool changes_a_blueprint(stage* s) {
    ilk_blueprint* known = ilk_blueprint_named(s->world, "known");
    return ilk_blueprint_replace(s->blueprint, ILK_VALUE(Position, 1, 1)) == ILK_OK &&
           ilk_blueprint_remove(s->blueprint, &Position_type) == ILK_OK &&
           ilk_blueprint_extend(s->blueprint, known) == ILK_OK &&
           ilk_blueprint_add_child(s->blueprint, s->base) == ILK_OK;
}

static bool ends_a_blueprint(stage* s) {
    bool is_changed = changes_a_blueprint(s);
    ilk_blueprint_destroy(s->blueprint);
    ilk_blueprint_destroy(ilk_blueprint_named(s->world, "known"));
    s->blueprint = s->base = NULL;
    return is_changed;
}

static void prepare_lonely_base(stage* s) {
    prepare_blueprint(s);
    assert_int_equal(ilk_blueprint_extend(s->blueprint, NULL), ILK_OK);
}

static bool is_told(const stage* s, const char* text) {
    return strstr(s->noted, text) != NULL;
}

static bool is_observed_alone(stage* s) {
    return ilk_set(s->world, s->e[0], ILK_VALUE(Position, 8, 9)) == ILK_OK && switches(s) &&
           removes(s) && removes_all(s) && destroys(s) && is_told(s, "8 0+1 Position") &&
           is_told(s, "64 0+1 Position") && is_told(s, "32 0+1 Position") &&
           is_told(s, "16 0+1 Owned") && is_told(s, "256 0+1 ") && is_told(s, "2 0+1 ");
}

static bool clears_observed(stage* s) {
    return clears(s) && is_told(s, "256 0+1 ; ") && is_told(s, "2 22+1 ; ");
}

static bool finds_names(stage* s) {
    ilk_entity all[3], none = {0, 0};
    char text[8];
    ilk_result result;
    uint32_t a = ilk_text_number(s->world, "a");
    return ilk_same(ilk_named(s->world, "b"), s->crowd[1]) &&
           ilk_same(ilk_child_named(s->world, none, "c"), s->crowd[2]) &&
           ilk_same(ilk_by_path(s->world, none, "a", &result), s->crowd[0]) && result == ILK_OK &&
           ilk_all_named(s->world, none, "a", all, 3) == 9 &&
           strcmp(ilk_name_of(s->world, s->crowd[8]), "a") == 0 &&
           strcmp(ilk_text_at(s->world, a), "a") == 0 &&
           ilk_path_of(s->world, s->crowd[2], text, sizeof text) == 1;
}

static bool finds_ids(stage* s) {
    ilk_id id;
    char text[33];
    return ilk_same(ilk_entity_by_id(s->world, (ilk_id){0, 3}), s->crowd[2]) &&
           ilk_id_of(s->world, s->crowd[2]).low == 3 &&
           ilk_id_text(ilk_make_id("a", 1), text, sizeof text) == 32 &&
           ilk_id_parse(text, &id) == ILK_OK && ilk_same_id(id, ilk_make_id("a", 1));
}

static bool destroys_named(stage* s) {
    return ilk_destroy_many(s->world, s->crowd, 5) == ILK_OK &&
           ilk_destroy(s->world, s->crowd[9]) == ILK_OK &&
           ilk_same(ilk_named(s->world, "a"), s->crowd[8]) &&
           ilk_set_name(s->world, s->crowd[8], NULL) == ILK_OK &&
           ilk_set_id(s->world, s->crowd[7], (ilk_id){0, 0}) == ILK_OK &&
           ilk_remove_all(s->world, s->crowd[6]) == ILK_OK && !ilk_text_number(s->world, "g");
}

static bool clears_named(stage* s) {
    return clears(s) && !ilk_text_number(s->world, "a");
}

// Hashes that are kept need memory, and those that are not, none.
static bool hashes(stage* s) {
    uint64_t hash = ilk_hash(s->world), layout = ilk_hash_layout(s->world);
    return hash && hash == ilk_hash(s->world) && layout == ilk_hash_layout(s->world) &&
           ilk_hash_of(s->world, &Position_type) != ilk_hash_of(s->world, &Velocity_type);
}

static bool differs_from_nothing(stage* s) {
    ilk_divergence first;
    char text[200];
    return ilk_diverge(s->world, s->world, &first) == ILK_OK && first.what == ILK_DIFFERENCE_NONE &&
           ilk_diverge_text(s->world, s->world, text, sizeof text) == strlen(first.text);
}

static bool ends_a_ring(stage* s) {
    uint64_t kept = 0;
    bool is_known =
        ilk_ring_stats_of(s->ring).frame == 2 && ilk_ring_at(s->ring, 1, &kept) && kept == 1;
    ilk_ring_destroy(s->ring);
    return is_known && ilk_snapshot_count(s->world) == 0;
}

static bool ends_a_replay(stage* s) {
    static unsigned char bytes[400];
    size_t size = 0, length = ilk_replay_save(s->replay, bytes, sizeof bytes);
    bool is_known = ilk_replay_stats_of(s->replay).frame == 3 && ilk_replay_hash(s->replay, 3) &&
                    ilk_replay_input(s->replay, 3, &size) && size == sizeof(uint32_t) &&
                    length < sizeof bytes && memcmp(bytes, "ilkR", 4) == 0;
    ilk_replay_destroy(s->replay);
    return is_known && ilk_snapshot_count(s->world) == 0;
}

static bool looks_at_a_delta(stage* s) {
    ilk_delta_info info;
    (void)s;
    return !ilk_delta_look("ilkd", 4, &info);
}

static bool releases_a_snapshot(stage* s) {
    bool is_known = ilk_snapshot_world(s->snapshot) == s->world &&
                    ilk_snapshot_stats_of(s->snapshot).owned > 0 &&
                    ilk_snapshot_count(s->world) == 2;
    ilk_snapshot_release(s->snapshot);
    return is_known && ilk_snapshot_count(s->world) == 1 && !ilk_restore_count(s->world);
}

#define NEEDS_NONE(function, prepare, act) {#function, prepare, act, false}
#define DOES_WITHOUT(function, prepare, act) {#function, prepare, act, true}

static const frugal frugals[] = {
    NEEDS_NONE(ilk_clear, prepare_entities, clears),
    DOES_WITHOUT(ilk_trim, prepare_entities, trims),
    DOES_WITHOUT(ilk_hash, prepare_entities, hashes),
    DOES_WITHOUT(ilk_hash_layout, prepare_entities, hashes),
    DOES_WITHOUT(ilk_hash_of, prepare_entities, hashes),
    DOES_WITHOUT(ilk_diverge, prepare_entities, differs_from_nothing),
    DOES_WITHOUT(ilk_diverge_text, prepare_entities, differs_from_nothing),
    NEEDS_NONE(ilk_activate, prepare_rest, wakes),
    NEEDS_NONE(ilk_active, prepare_rest, wakes),
    NEEDS_NONE(ilk_dying, prepare_rest, wakes),
    NEEDS_NONE(ilk_destroy, prepare_leases, lets_die),
    NEEDS_NONE(ilk_destroy_many, prepare_leases, lets_many_die),
    NEEDS_NONE(ilk_scene_pop, prepare_owned_leases, leaves_a_scene),
    NEEDS_NONE(ilk_remove, prepare_rest, removes_the_last),
    NEEDS_NONE(ilk_remove_all, prepare_rest, removes_all_of_the_dying),
    NEEDS_NONE(ilk_replace, prepare_entities, replaces),
    NEEDS_NONE(ilk_remove, prepare_entities, removes),
    NEEDS_NONE(ilk_remove_all, prepare_entities, removes_all),
    NEEDS_NONE(ilk_remove_many, prepare_entities, removes_many),
    NEEDS_NONE(ilk_disable, prepare_entities, switches),
    NEEDS_NONE(ilk_enable, prepare_entities, switches),
    NEEDS_NONE(ilk_enabled, prepare_entities, switches),
    NEEDS_NONE(ilk_mark, prepare_entities, marks),
    NEEDS_NONE(ilk_tick, prepare_entities, marks),
    NEEDS_NONE(ilk_alive, prepare_entities, reads),
    NEEDS_NONE(ilk_entity_at, prepare_entities, reads),
    NEEDS_NONE(ilk_get, prepare_entities, reads),
    NEEDS_NONE(ilk_has, prepare_entities, reads),
    NEEDS_NONE(ilk_edit, prepare_entities, reads),
    NEEDS_NONE(ilk_types_of, prepare_entities, reads),
    NEEDS_NONE(ilk_signature, prepare_entities, reads),
    NEEDS_NONE(ilk_type_count, prepare_entities, tells_of_types),
    NEEDS_NONE(ilk_type_number, prepare_entities, tells_of_types),
    NEEDS_NONE(ilk_type_at, prepare_entities, tells_of_types),
    NEEDS_NONE(ilk_name_of, prepare_names, finds_names),
    NEEDS_NONE(ilk_named, prepare_names, finds_names),
    NEEDS_NONE(ilk_child_named, prepare_names, finds_names),
    NEEDS_NONE(ilk_all_named, prepare_names, finds_names),
    NEEDS_NONE(ilk_by_path, prepare_names, finds_names),
    NEEDS_NONE(ilk_path_of, prepare_names, finds_names),
    NEEDS_NONE(ilk_text_at, prepare_names, finds_names),
    NEEDS_NONE(ilk_text_number, prepare_names, finds_names),
    NEEDS_NONE(ilk_id_of, prepare_names, finds_ids),
    NEEDS_NONE(ilk_entity_by_id, prepare_names, finds_ids),
    NEEDS_NONE(ilk_make_id, prepare_names, finds_ids),
    NEEDS_NONE(ilk_id_text, prepare_names, finds_ids),
    NEEDS_NONE(ilk_id_parse, prepare_names, finds_ids),
    NEEDS_NONE(ilk_destroy, prepare_names, destroys_named),
    NEEDS_NONE(ilk_clear, prepare_names, clears_named),
    NEEDS_NONE(ilk_type_named, prepare_entities, tells_of_types),
    NEEDS_NONE(ilk_stats, prepare_entities, tells_of_types),
    NEEDS_NONE(ilk_stats_of, prepare_entities, tells_of_types),
    NEEDS_NONE(ilk_field_length, prepare_entities, tells_of_types),
    NEEDS_NONE(ilk_world_own, prepare_entities, tells_of_worlds),
    NEEDS_NONE(ilk_world_name, prepare_entities, tells_of_worlds),
    NEEDS_NONE(ilk_world_id, prepare_entities, tells_of_worlds),
    NEEDS_NONE(ilk_world_max_entities, prepare_entities, tells_of_worlds),
    NEEDS_NONE(ilk_world_validate, prepare_entities, tells_of_worlds),
    NEEDS_NONE(ilk_fail, prepare_entities, reports),
    NEEDS_NONE(ilk_is_locked, prepare_entities, tells_of_worlds),
    NEEDS_NONE(ilk_error, prepare_entities, tells_of_worlds),
    NEEDS_NONE(ilk_result_name, prepare_entities, tells_of_worlds),
    NEEDS_NONE(ilk_result_text, prepare_entities, tells_of_worlds),
    NEEDS_NONE(ilk_world_destroy, prepare_other, ends_a_world),
    NEEDS_NONE(ilk_world_set_user, prepare_entities, finds_worlds),
    NEEDS_NONE(ilk_world_user, prepare_entities, finds_worlds),
    NEEDS_NONE(ilk_world_named, prepare_entities, finds_worlds),
    NEEDS_NONE(ilk_world_by_id, prepare_entities, finds_worlds),
    NEEDS_NONE(ilk_world_count, prepare_entities, finds_worlds),
    NEEDS_NONE(ilk_worlds, prepare_entities, finds_worlds),
    NEEDS_NONE(ilk_world_of, prepare_entities, finds_worlds),
    NEEDS_NONE(ilk_factory_install, prepare_entities, changes_factories),
    NEEDS_NONE(ilk_factory_remove, prepare_entities, changes_factories),
    NEEDS_NONE(ilk_resource_get, prepare_resource, uses_resources),
    NEEDS_NONE(ilk_resource_edit, prepare_resource, uses_resources),
    NEEDS_NONE(ilk_resource_has, prepare_resource, uses_resources),
    NEEDS_NONE(ilk_resource_remove, prepare_resource, uses_resources),
    NEEDS_NONE(ilk_resource_changed, prepare_resource, uses_resources),
    NEEDS_NONE(ilk_plugin_remove, prepare_resource, removes_a_plugin),
    NEEDS_NONE(ilk_plugin_has, prepare_resource, tells_of_plugins),
    NEEDS_NONE(ilk_plugin_count, prepare_resource, tells_of_plugins),
    NEEDS_NONE(ilk_plugin_at, prepare_resource, tells_of_plugins),
    NEEDS_NONE(ilk_batch_next, prepare_batch, fills_a_batch),
    NEEDS_NONE(ilk_batch_fill, prepare_batch, fills_a_batch),
    NEEDS_NONE(ilk_next, prepare_queries, walks),
    NEEDS_NONE(ilk_next_rows, prepare_queries, walks),
    NEEDS_NONE(ilk_column_read, prepare_queries, walks),
    NEEDS_NONE(ilk_column_maybe, prepare_queries, walks),
    NEEDS_NONE(ilk_iter_end, prepare_queries, walks),
    NEEDS_NONE(ilk_iter_split, prepare_queries, writes_columns),
    NEEDS_NONE(ilk_column_write, prepare_queries, writes_columns),
    NEEDS_NONE(ilk_query_among, prepare_queries, walks_through_a_list),
    NEEDS_NONE(ilk_query_count, prepare_queries, asks),
    NEEDS_NONE(ilk_query_is_empty, prepare_queries, asks),
    NEEDS_NONE(ilk_query_matches, prepare_queries, asks),
    NEEDS_NONE(ilk_query_explain, prepare_queries, asks),
    NEEDS_NONE(ilk_query_text, prepare_queries, asks),
    NEEDS_NONE(ilk_query_since, prepare_queries, asks),
    NEEDS_NONE(ilk_query_stats_of, prepare_queries, asks),
    NEEDS_NONE(ilk_query_destroy, prepare_queries, ends_queries),
    NEEDS_NONE(ilk_cmd_be_strict, prepare_commands, empties_a_buffer),
    NEEDS_NONE(ilk_cmd_clear, prepare_commands, empties_a_buffer),
    NEEDS_NONE(ilk_cmd_count, prepare_commands, empties_a_buffer),
    NEEDS_NONE(ilk_cmd_give_back, prepare_commands, empties_a_buffer),
    NEEDS_NONE(ilk_system_named, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_system_count, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_system_at, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_system_desc_of, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_system_query, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_system_wave, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_system_enable, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_system_stats_of, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_system_stats_reset, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_threads, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_time_of, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_last_settling, prepare_system, tells_of_systems),
    NEEDS_NONE(ilk_system_set_order, prepare_system, reorders_a_system),
    NEEDS_NONE(ilk_system_destroy, prepare_system, ends_a_system),
    NEEDS_NONE(ilk_scene_top, prepare_scenes, changes_scenes),
    NEEDS_NONE(ilk_scene_at, prepare_scenes, changes_scenes),
    NEEDS_NONE(ilk_scene_depth, prepare_scenes, changes_scenes),
    NEEDS_NONE(ilk_scene_desc_of, prepare_scenes, changes_scenes),
    NEEDS_NONE(ilk_scene_switch, prepare_scenes, changes_scenes),
    NEEDS_NONE(ilk_scene_push, prepare_scenes, changes_scenes),
    NEEDS_NONE(ilk_scene_pop, prepare_scenes, changes_scenes),
    NEEDS_NONE(ilk_scene_remove, prepare_scenes, changes_scenes),
    NEEDS_NONE(ilk_read, prepare_few_events, reads_events),
    NEEDS_NONE(ilk_reader_lost, prepare_few_events, reads_events),
    NEEDS_NONE(ilk_reader_destroy, prepare_few_events, reads_events),
    NEEDS_NONE(ilk_event_clear, prepare_few_events, reads_events),
    NEEDS_NONE(ilk_event_stats_of, prepare_few_events, reads_events),
    NEEDS_NONE(ilk_dispatch, prepare_few_events, dispatches),
    NEEDS_NONE(ilk_unsubscribe, prepare_few_events, dispatches),
    NEEDS_NONE(ilk_observer_name, prepare_observed_alone, tells_of_observers),
    NEEDS_NONE(ilk_observer_count, prepare_observed_alone, tells_of_observers),
    NEEDS_NONE(ilk_observer_destroy, prepare_observed_alone, tells_of_observers),
    NEEDS_NONE(ilk_set_reason, prepare_observed_alone, tells_of_observers),
    NEEDS_NONE(ilk_clear, prepare_observed_alone, clears_observed),
    NEEDS_NONE(ilk_destroy, prepare_observed_alone, is_observed_alone),
    NEEDS_NONE(ilk_remove, prepare_observed_alone, is_observed_alone),
    NEEDS_NONE(ilk_remove_all, prepare_observed_alone, is_observed_alone),
    NEEDS_NONE(ilk_enable, prepare_observed_alone, is_observed_alone),
    NEEDS_NONE(ilk_blueprint_has, prepare_blueprint, asks_a_blueprint),
    NEEDS_NONE(ilk_blueprint_get, prepare_blueprint, asks_a_blueprint),
    NEEDS_NONE(ilk_blueprint_types, prepare_blueprint, asks_a_blueprint),
    NEEDS_NONE(ilk_blueprint_parent, prepare_blueprint, asks_a_blueprint),
    NEEDS_NONE(ilk_blueprint_first_child, prepare_blueprint, asks_a_blueprint),
    NEEDS_NONE(ilk_blueprint_next_child, prepare_blueprint, asks_a_blueprint),
    NEEDS_NONE(ilk_blueprint_entity, prepare_blueprint, asks_a_blueprint),
    NEEDS_NONE(ilk_blueprint_named, prepare_blueprint, asks_a_blueprint),
    NEEDS_NONE(ilk_blueprint_replace, prepare_lonely_base, ends_a_blueprint),
    NEEDS_NONE(ilk_blueprint_remove, prepare_lonely_base, ends_a_blueprint),
    NEEDS_NONE(ilk_blueprint_extend, prepare_lonely_base, ends_a_blueprint),
    NEEDS_NONE(ilk_blueprint_add_child, prepare_lonely_base, ends_a_blueprint),
    NEEDS_NONE(ilk_blueprint_destroy, prepare_lonely_base, ends_a_blueprint),
    NEEDS_NONE(ilk_related, prepare_relations, asks_of_relations),
    NEEDS_NONE(ilk_target, prepare_relations, asks_of_relations),
    NEEDS_NONE(ilk_target_count, prepare_relations, asks_of_relations),
    NEEDS_NONE(ilk_targets, prepare_relations, asks_of_relations),
    NEEDS_NONE(ilk_source_count, prepare_relations, asks_of_relations),
    NEEDS_NONE(ilk_sources, prepare_relations, asks_of_relations),
    NEEDS_NONE(ilk_first_source, prepare_relations, asks_of_relations),
    NEEDS_NONE(ilk_next_source, prepare_relations, asks_of_relations),
    NEEDS_NONE(ilk_relation_get, prepare_relations, asks_of_relations),
    NEEDS_NONE(ilk_relation_edit, prepare_relations, asks_of_relations),
    NEEDS_NONE(ilk_parent, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_root_of, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_is_below, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_depth, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_up, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_above, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_child_count, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_children, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_first_child, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_next_child, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_previous_child, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_next_below, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_below, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_visit_below, prepare_relations, asks_of_a_tree),
    NEEDS_NONE(ilk_child_move, prepare_relations, ends_relations),
    NEEDS_NONE(ilk_unrelate, prepare_relations, ends_relations),
    NEEDS_NONE(ilk_unrelate, prepare_observed_relations, ends_relations),
    NEEDS_NONE(ilk_destroy, prepare_relations, destroys_a_tree),
    NEEDS_NONE(ilk_destroy, prepare_observed_relations, destroys_a_tree),
    NEEDS_NONE(ilk_clear, prepare_relations, clears_relations),
    NEEDS_NONE(ilk_world_dump, prepare_trace, shows),
    NEEDS_NONE(ilk_entity_text, prepare_trace, shows),
    NEEDS_NONE(ilk_matches_text, prepare_trace, shows),
    NEEDS_NONE(ilk_schedule_text, prepare_trace, shows),
    NEEDS_NONE(ilk_schedule_dot, prepare_trace, shows),
    NEEDS_NONE(ilk_trace_json, prepare_trace, shows),
    NEEDS_NONE(ilk_trace_write, prepare_trace, keeps_a_trace),
    NEEDS_NONE(ilk_trace_stop, prepare_trace, keeps_a_trace),
    NEEDS_NONE(ilk_snapshot_release, prepare_snapshots, releases_a_snapshot),
    NEEDS_NONE(ilk_delta_look, prepare_entities, looks_at_a_delta),
    NEEDS_NONE(ilk_snapshot_stats_of, prepare_snapshots, releases_a_snapshot),
    NEEDS_NONE(ilk_snapshot_world, prepare_snapshots, releases_a_snapshot),
    NEEDS_NONE(ilk_restore_count, prepare_snapshots, releases_a_snapshot),
    NEEDS_NONE(ilk_snapshot_count, prepare_snapshots, releases_a_snapshot),
    NEEDS_NONE(ilk_ring_stats_of, prepare_ring, ends_a_ring),
    NEEDS_NONE(ilk_ring_at, prepare_ring, ends_a_ring),
    NEEDS_NONE(ilk_ring_destroy, prepare_ring, ends_a_ring),
    NEEDS_NONE(ilk_replay_stats_of, prepare_replay, ends_a_replay),
    NEEDS_NONE(ilk_replay_hash, prepare_replay, ends_a_replay),
    NEEDS_NONE(ilk_replay_input, prepare_replay, ends_a_replay),
    NEEDS_NONE(ilk_replay_save, prepare_replay, ends_a_replay),
    NEEDS_NONE(ilk_replay_destroy, prepare_replay, ends_a_replay),
};

// The checked build may ask for memory to know more, but does without.
static void frugally(void** state) {
    const frugal* f = *state;
    stage* s = open_stage(f->prepare);
    s->plan.fail_at = s->plan.asked + 1;
    s->plan.is_forever = true;
    bool is_done = f->act(s);
    s->plan.fail_at = 0;
    assert_true(is_done);
    assert_int_equal(s->told.count, 0);
#ifndef ILK_CHECKED
    if (!f->may_ask) assert_int_equal(s->plan.refused, 0);
#endif
    close_stage(s);
}

// A test for each row of the table.
int main(void) {
    static struct CMUnitTest tests[COUNT_OF(frugals)];
    for (uint32_t i = 0; i < COUNT_OF(frugals); i++) {
        tests[i] = (struct CMUnitTest){.name = frugals[i].name,
                                       .test_func = frugally,
                                       .initial_state = (void*)(uintptr_t)&frugals[i]};
    }
    return _cmocka_run_group_tests("needs_none", tests, COUNT_OF(frugals), NULL, NULL);
}
