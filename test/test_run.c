// Running: what a system is called with, who is to run, and when commands are applied.
#include "schedule_support.h"

// What a system saw when it was called.
typedef struct sight {
    uint32_t calls, runs, rows;
    ilk_world* world;
    ilk_query* query;
    ilk_system* system;
    void* surface;
    ilk_cmd* cmd;
    double dt;
    ilk_result result;
} sight;

static void look(ilk_iter* it) {
    sight* s = it->user;
    *s = (sight){.calls = s->calls + 1,
                 .world = it->world,
                 .query = it->query,
                 .system = it->system,
                 .surface = it->surface,
                 .cmd = it->cmd,
                 .dt = it->dt,
                 .result = it->result};
    for (; ilk_next(it); s->runs++) s->rows += it->count;
}

// R001.30 R001.32 R002.23
static void a_system_walks_what_matches(void** state) {
    fixture* f = *state;
    sight s = {0};
    ilk_entity e[10];
    spawn_positions(f->world, e, 10);
    ILK_SPAWN(f->world, ILK_WITH(Velocity));
    ilk_system* a =
        SYSTEM(f->world, "a", .run = look, .user = &s, .query = {.read = {&Position_type}});
    assert_ok(ilk_update(f->world, 0.25));
    assert_true(s.calls == 1 && s.rows == 10);
    assert_true(s.world == f->world && s.system == a && s.query == ilk_system_query(a));
    assert_true(s.cmd && !s.surface && s.dt == 0.25 && s.result == ILK_OK);
    assert_ok(ilk_destroy_many(f->world, e, 10));
    assert_ok(ilk_update(f->world, 0.5));
    assert_true(s.calls == 2 && s.runs == 0 && s.rows == 0 && s.dt == 0.5);
}

// R001.30
static void a_system_without_a_query_is_called_once(void** state) {
    fixture* f = *state;
    sight s = {0};
    ilk_create(f->world);
    ilk_system* a = SYSTEM(f->world, "a", .run = look, .user = &s);
    assert_ok(ilk_update(f->world, 1));
    assert_true(s.calls == 1 && s.rows == 0 && s.dt == 1 && s.cmd && s.system == a);
    assert_null(s.query);
    assert_ptr_equal(s.world, f->world);
}

static void a_system_may_be_for_every_entity(void** state) {
    fixture* f = *state;
    sight s = {0};
    ilk_create(f->world);
    ILK_SPAWN(f->world, ILK_WITH(Position));
    SYSTEM(f->world, "a", .run = look, .user = &s, .is_for_all = true);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(s.rows, 2);
}

static void push(void* user, ilk_entity e, void* const* values) {
    ++*(uint32_t*)user;
    assert_false(ilk_is_null(e));
    ((Position*)values[0])->x += ((const Velocity*)values[1])->x;
}

// R001.30
static void a_function_may_be_called_for_each_entity(void** state) {
    fixture* f = *state;
    uint32_t count = 0;
    ilk_entity e[3];
    for (uint32_t i = 0; i < 3; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 0), ILK_VALUE(Velocity, 10, 0));
    }
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_system* a = SYSTEM(f->world, "a", .each = push, .user = &count,
                           .query = {.write = {&Position_type}, .read = {&Velocity_type}});
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(count, 3);
    assert_int_equal(ilk_system_stats_of(a).rows, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(same_position(ILK_GET(f->world, e[i], Position), 10 + (float)i, 0));
    }
}

static bool is_wanted(ilk_world* world, void* user) {
    note("?");
    assert_non_null(world);
    return *(bool*)user;
}

static void a_system_runs_when_its_condition_holds(void** state) {
    fixture* f = *state;
    bool wanted = false;
    ilk_system* a = SYSTEM(f->world, "a", .when = is_wanted, .user = &wanted);
    assert_ok(ilk_update(f->world, 1));
    noted("?");
    wanted = true;
    assert_ok(ilk_update(f->world, 1));
    noted("? a");
    assert_int_equal(ilk_system_stats_of(a).calls, 1);
}

// R004.22
static void a_system_can_be_switched_off(void** state) {
    fixture* f = *state;
    ilk_system* a = SYSTEM(f->world, "a");
    ilk_system* b = SYSTEM(f->world, "b", .is_disabled = true);
    assert_ok(ilk_update(f->world, 1));
    noted("a");
    ilk_system_enable(a, false);
    ilk_system_enable(b, true);
    assert_ok(ilk_update(f->world, 1));
    noted("b");
    assert_true(ilk_system_desc_of(a)->is_disabled && !ilk_system_desc_of(b)->is_disabled);
}

// R003.12 C24
static void a_list_says_which_systems_are_active(void** state) {
    fixture* f = *state;
    static const char* const none[] = {NULL};
    static const char* const some[] = {"c", "a", "nobody", "picture", NULL};
    SYSTEM(f->world, "a");
    SYSTEM(f->world, "b");
    SYSTEM(f->world, "c");
    SYSTEM(f->world, "picture", .phase = "draw");
    SYSTEM(f->world, "frame", .phase = "draw");
    assert_ok(ilk_update_only(f->world, 1, NULL));
    noted("a b c");
    assert_ok(ilk_update_only(f->world, 1, none));
    noted("");
    assert_ok(ilk_update_only(f->world, 1, some));
    noted("a c");
    assert_ok(ilk_draw_only(f->world, NULL, NULL));
    noted("picture frame");
    assert_ok(ilk_draw_only(f->world, NULL, none));
    noted("");
    assert_ok(ilk_draw_only(f->world, NULL, some));
    noted("picture");
}

static void a_name_that_nobody_has_is_told_once(void** state) {
    fixture* f = *state;
    static const char* const typo[] = {"a", "bb", "update", "cc", NULL};
    static const char* const other[] = {"ab", "b", NULL};
    SYSTEM(f->world, "a");
    SYSTEM(f->world, "b");
    assert_ok(ilk_update_only(f->world, 1, typo));
    noted("a b");
    assert_int_equal(f->told.count, 2);
    assert_string_equal(f->told.text,
                        "ilk_update_only: the list of those to run has \"cc\", which is "
                        "no system or phase");
    f->told.count = 0;
    assert_ok(ilk_update_only(f->world, 1, typo));
    assert_ok(ilk_update(f->world, 1));
    assert_ok(ilk_update_only(f->world, 1, typo));
    assert_quiet(f);
    assert_ok(ilk_draw_only(f->world, NULL, other));
    assert_told(f, ILK_MISSING, "ilk_draw_only");
    assert_ok(ilk_draw_only(f->world, NULL, other));
    assert_quiet(f);
    assert_ok(ilk_update_only(f->world, 1, other));
    assert_told(f, ILK_MISSING, "ilk_update_only");
    SYSTEM(f->world, "ab");
    assert_ok(ilk_update_only(f->world, 1, other));
    assert_quiet(f);
    ilk_system_destroy(ilk_system_named(f->world, "ab"));
    assert_ok(ilk_update_only(f->world, 1, other));
    assert_told(f, ILK_MISSING, "ilk_update_only");
}

// R003.10 R003.11
static void drawing_and_updating_are_apart(void** state) {
    fixture* f = *state;
    int surface = 0;
    sight s = {0};
    SYSTEM(f->world, "logic");
    SYSTEM(f->world, "picture", .phase = "draw", .run = look, .user = &s);
    assert_ok(ilk_update(f->world, 1));
    noted("logic");
    assert_int_equal(s.calls, 0);
    assert_ok(ilk_draw(f->world, &surface));
    noted("");
    assert_true(s.calls == 1 && s.surface == &surface);
    assert_int_equal(ilk_time_of(f->world).frames, 1);
}

// R003.25
static void layers_are_drawn_in_order(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "ui", .phase = "draw", .order = 100);
    SYSTEM(f->world, "sprite", .phase = "draw", .order = 20);
    SYSTEM(f->world, "background", .phase = "draw");
    SYSTEM(f->world, "particle", .phase = "draw", .order = 30);
    SYSTEM(f->world, "shadow", .phase = "draw", .order = 10);
    assert_ok(ilk_draw(f->world, NULL));
    noted("background shadow sprite particle ui");
}

static void what_follows_the_draw_phase_is_drawn_too(void** state) {
    fixture* f = *state;
    assert_ok(ilk_phase_add(f->world, "flip", "draw"));
    SYSTEM(f->world, "flip", .phase = "flip");
    SYSTEM(f->world, "picture", .phase = "draw");
    assert_ok(ilk_update(f->world, 1));
    noted("");
    assert_ok(ilk_draw(f->world, NULL));
    noted("picture flip");
}

static void set_x(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) p[i].x = 7;
    }
}

static void sum_x(ilk_iter* it) {
    while (ilk_next(it)) {
        const Position* p = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count; i++) *(float*)it->user += p[i].x;
    }
}

// R003.13
static void a_system_sees_what_those_before_it_wrote(void** state) {
    fixture* f = *state;
    float early = 0, late = 0;
    ilk_entity e[4];
    spawn_positions(f->world, e, 4);
    ilk_query_desc reads = {.read = {&Position_type}};
    SYSTEM(f->world, "late", .run = sum_x, .user = &late, .query = reads, .order = 1);
    SYSTEM(f->world, "set", .run = set_x, .query = {.write = {&Position_type}});
    SYSTEM(f->world, "early", .run = sum_x, .user = &early, .query = reads, .order = -1);
    assert_ok(ilk_update(f->world, 1));
    assert_true(early == 0 + 1 + 2 + 3 && late == 4 * 7);
}

static void send_enemy(ilk_iter* it) {
    assert_false(ilk_is_null(ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_WITH(Enemy)))));
}

static void a_drawing_applies_its_commands_too(void** state) {
    fixture* f = *state;
    for (int apply = ILK_APPLY_WAVE; apply <= ILK_APPLY_FRAME; apply++) {
        ilk_system* a =
            SYSTEM(f->world, "a", .run = send_enemy, .phase = "draw", .apply = (ilk_apply)apply);
        assert_ok(ilk_draw(f->world, NULL));
        assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, apply + 1);
        assert_ok(ilk_system_destroy(a));
    }
    not_made(f, ILK_INVALID, "a", .run = send_enemy, .apply = (ilk_apply)3);
}

static void destroy_all(ilk_iter* it) {
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            assert_ok(ilk_cmd_destroy(it->cmd, it->entities[i]));
            assert_true(ilk_alive(it->world, it->entities[i]));
        }
    }
}

static void commands_on_who_died_meanwhile_are_counted(void** state) {
    fixture* f = *state;
    ilk_entity e[5];
    spawn_positions(f->world, e, 5);
    ilk_query_desc reads = {.read = {&Position_type}};
    ilk_system* a = SYSTEM(f->world, "a", .run = destroy_all, .query = reads);
    ilk_system* b = SYSTEM(f->world, "b", .run = destroy_all, .query = reads);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ilk_stats(f->world).alive, 0);
    ilk_system_stats first = ilk_system_stats_of(a), second = ilk_system_stats_of(b);
    assert_true(first.commands == 5 && first.skipped == 0);
    assert_true(second.commands == 0 && second.skipped == 5);
    assert_quiet(f);
}

// Memory runs out once commands are recorded, and before they are applied.
static void send_enemy_and_run_out(ilk_iter* it) {
    fixture* f = it->user;
    send_enemy(it);
    f->memory.left = 0;
    ilk_system_enable(it->system, false);
}

static ilk_result run_phase_of(ilk_world* world, const char* phase) {
    return strcmp(phase, "draw") == 0 ? ilk_draw(world, NULL) : ilk_update(world, 1);
}

static void run_out_in(fixture* f, const char* phase, ilk_apply apply) {
    ilk_system* a = SYSTEM(f->world, "a", .run = send_enemy_and_run_out, .user = f, .phase = phase,
                           .apply = apply);
    const char* call = strcmp(phase, "draw") == 0 ? "ilk_draw" : "ilk_update";
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(run_phase_of(f->world, phase), ILK_NO_MEMORY);
        assert_int_equal(ilk_error(f->world).result, ILK_NO_MEMORY);
        assert_string_equal(ilk_error(f->world).call, call);
        assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, 0);
        assert_int_equal(ilk_system_stats_of(a).commands, 0);
    }
    f->memory.left = UINT64_MAX;
    assert_valid(f->world);
    assert_ok(run_phase_of(f->world, phase));
    assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, 1);
    assert_int_equal(ilk_system_stats_of(a).commands, 1);
}

static void what_is_left_for_want_of_memory_is_tried_again(void** state) {
    static const char* const phases[] = {"start", "fixed", "update", "post", "draw"};
    (void)state;
    for (uint32_t i = 0; i < COUNT_OF(phases); i++) {
        for (int apply = ILK_APPLY_WAVE; apply <= ILK_APPLY_FRAME; apply++) {
            void* own = NULL;
            open_schedule(&own);
            run_out_in(own, phases[i], (ilk_apply)apply);
            close_world(&own);
        }
    }
}

static void add_again(ilk_iter* it) {
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            assert_ok(ilk_cmd_add(it->cmd, it->entities[i], ILK_WITH(Position)));
        }
    }
}

static void make_another(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd, (void)user;
    assert_non_null(ilk_system_replace(world, &(ilk_system_desc){.name = "b", .run = note_name}));
}

static void count_ten(ilk_iter* it) {
    *(int*)it->user += 10;
}

static void replace_it(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    ilk_system_desc desc = {.name = "a", .run = count_ten, .user = user};
    assert_non_null(ilk_system_replace(world, &desc));
}

static void count_one(ilk_iter* it) {
    *(int*)it->user += 1;
    assert_ok(ilk_cmd_call(it->cmd, replace_it, it->user));
}

// R003.29
static void a_system_is_replaced_while_the_world_runs(void** state) {
    fixture* f = *state;
    int count = 0;
    SYSTEM(f->world, "a", .run = count_one, .user = &count);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(count, 1);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(count, 11);
    assert_int_equal(ilk_system_count(f->world), 1);
}

static void make_another_and_add_again(ilk_iter* it) {
    assert_ok(ilk_cmd_call(it->cmd, make_another, NULL));
    add_again(it);
}

static void a_command_that_fails_is_told_with_its_system(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_query_desc reads = {.read = {&Position_type}};
    ilk_system* a = SYSTEM(f->world, "a", .run = add_again, .query = reads);
    assert_ok(ilk_update(f->world, 1));
    assert_told(f, ILK_EXISTS, "ilk_add");
    assert_string_equal(f->told.text, "ilk_add: system \"a\": entity 0:1 has Position already");
    assert_int_equal(ilk_system_stats_of(a).failed, 1);
    assert_int_equal(ilk_system_stats_of(a).commands, 0);
    ilk_system_desc desc = {.name = "a", .run = make_another_and_add_again, .query = reads};
    assert_non_null(ilk_system_replace(f->world, &desc));
    assert_ok(ilk_update(f->world, 1));
    assert_told(f, ILK_EXISTS, "ilk_add"); // after another system was made
    assert_string_equal(f->told.text, "ilk_add: system \"a\": entity 0:1 has Position already");
}

static void a_list_of_active_systems_may_name_phases(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a");
    SYSTEM(f->world, "b", .phase = "post");
    SYSTEM(f->world, "c", .phase = "draw");
    assert_ok(ilk_update_only(f->world, 1, (const char* const[]){"post", NULL}));
    noted("b");
    assert_ok(ilk_draw_only(f->world, NULL, (const char* const[]){"draw", NULL}));
    noted("c");
}

static void leave_early(ilk_iter* it) {
    *(uint32_t*)it->user += ilk_next(it);
}

// R001.28
static void a_loop_left_early_is_ended(void** state) {
    fixture* f = *state;
    uint32_t count = 0;
    ilk_entity e[8];
    spawn_positions(f->world, e, 8);
    ilk_set_settling(f->world, 0);
    SYSTEM(f->world, "a", .run = leave_early, .user = &count, .query = {.read = {&Position_type}});
    for (uint32_t i = 0; i < 20; i++) assert_ok(ilk_update(f->world, 1));
    assert_int_equal(count, 20);
    assert_ok(ilk_destroy(f->world, e[3]));
    assert_int_equal(ilk_stats(f->world).holes, 1);
    ILK_SPAWN(f->world, ILK_WITH(Position)); // nobody is looking: the hole is filled
    assert_int_equal(ilk_stats(f->world).holes, 0);
}

// Entities enough to fill three chunks, of 4, 16 and 64 rows.
enum {
    THREE_CHUNKS = 4 + 16 + 64
};

// Looks for the run in which an entity is, and records the end of all that came before. How many
// runs were handed out until then.
static uint32_t runs_until(ilk_world* world, ilk_query* query, ilk_entity sought, ilk_cmd* cmd) {
    uint32_t runs = 0;
    ilk_iter it = ilk_query_iter(world, query);
    for (bool is_found = false; !is_found && ilk_next(&it); runs++) {
        for (uint32_t i = 0; i < it.count; i++) is_found |= ilk_same(it.entities[i], sought);
        for (uint32_t i = 0; !is_found && i < it.count; i++) {
            assert_ok(ilk_cmd_destroy(cmd, it.entities[i]));
        }
    }
    ilk_iter_end(&it);
    assert_false(ilk_next(&it));
    assert_int_equal(it.result, ILK_OK);
    return runs;
}

// R001.28: of everything, of a query, of a system: a chunk is a run, and who has found what was
// looked for leaves. What was recorded is done at the end.
static void a_walk_goes_chunk_by_chunk_and_may_be_left(void** state) {
    fixture* f = *state;
    uint32_t rows = 0;
    ilk_entity e[THREE_CHUNKS];
    ilk_query_desc reads = {.read = {&Position_type}};
    ilk_system* system = SYSTEM(f->world, "a", .run = walk_all, .user = &rows, .query = reads);
    ilk_query* queries[] = {QUERY(f->world, 0), QUERY(f->world, .read = {&Position_type}),
                            ilk_system_query(system)};
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        ilk_clear(f->world);
        spawn_positions(f->world, e, THREE_CHUNKS);
        ilk_cmd* cmd = ilk_cmd_take(f->world);
        assert_int_equal(runs_until(f->world, queries[i], (ilk_entity){0}, cmd), 3);
        ilk_cmd_clear(cmd);
        assert_int_equal(runs_until(f->world, queries[i], e[0], cmd), 1);
        assert_int_equal(ilk_cmd_count(cmd), 0);
        assert_int_equal(runs_until(f->world, queries[i], e[10], cmd), 2);
        assert_result_count(f->world, queries[i], THREE_CHUNKS);
        assert_int_equal(ilk_cmd_apply(cmd).done, 4);
        assert_result_count(f->world, queries[i], THREE_CHUNKS - 4);
        ilk_cmd_give_back(cmd);
    }
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(rows, THREE_CHUNKS - 4);
}

static void destroy_first_run(ilk_iter* it) {
    assert_true(ilk_next(it));
    for (uint32_t i = 0; i < it->count; i++) assert_ok(ilk_cmd_destroy(it->cmd, it->entities[i]));
    ilk_iter_end(it);
    assert_false(ilk_next(it));
}

// R001.28
static void a_system_that_leaves_its_walk_has_its_commands_done(void** state) {
    fixture* f = *state;
    uint32_t rows = 0;
    ilk_entity e[THREE_CHUNKS];
    ilk_query_desc reads = {.read = {&Position_type}};
    spawn_positions(f->world, e, THREE_CHUNKS);
    SYSTEM(f->world, "first", .run = destroy_first_run, .query = reads);
    SYSTEM(f->world, "second", .run = walk_all, .user = &rows, .query = reads, .after = {"first"});
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(rows, THREE_CHUNKS - 4);
    assert_false(ilk_alive(f->world, e[3]));
    assert_true(ilk_alive(f->world, e[4]));
}

static void update_at_the_end(ilk_world* world, void* user) {
    const ilk_system_desc desc = {.name = "late", .run = note_name};
    assert_int_equal(ilk_update(world, 1), ILK_LOCKED);
    assert_told(user, ILK_LOCKED, "ilk_update");
    assert_int_equal(ilk_draw(world, NULL), ILK_LOCKED);
    assert_told(user, ILK_LOCKED, "ilk_draw");
    assert_null(ilk_system_create(world, &desc));
    assert_told(user, ILK_LOCKED, "ilk_system_create");
    note("refused");
}

// R001.28
static void a_world_that_ends_runs_nothing_any_more(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 1);
    SYSTEM(world, "a");
    SYSTEM(world, "b", .user = f, .exit = update_at_the_end);
    ilk_world_destroy(world);
    noted("refused");
}

// A system that keeps an anchor for each position. Beside its own query, of those that have both,
// it has one for those that came and one for those that went.
typedef struct follower {
    ilk_query *added, *removed;
    uint32_t came, stayed, went;
} follower;

static void follow(ilk_iter* it) {
    follower* w = it->user;
    for (ilk_iter added = ilk_query_iter(it->world, w->added); ilk_next(&added);) {
        const Position* positions = ILK_READ(&added, Position);
        for (uint32_t i = 0; i < added.count; i++, w->came++) {
            uint64_t depth = (uint64_t)positions[i].x;
            assert_ok(ilk_cmd_add(it->cmd, added.entities[i], ILK_VALUE(Anchor, depth)));
        }
    }
    while (ilk_next(it)) {
        Anchor* anchors = ILK_WRITE(it, Anchor);
        for (uint32_t i = 0; i < it->count; i++, w->stayed++) anchors[i].depth += 10;
    }
    for (ilk_iter removed = ilk_query_iter(it->world, w->removed); ilk_next(&removed);) {
        for (uint32_t i = 0; i < removed.count; i++, w->went++) {
            assert_ok(ilk_cmd_remove(it->cmd, removed.entities[i], &Anchor_type));
        }
    }
}

static void assert_followed_at(ilk_world* world, follower* w, uint32_t came, uint32_t stayed,
                               uint32_t went, int line) {
    w->came = w->stayed = w->went = 0;
    assert_ok(ilk_update(world, 1));
    _assert_int_equal(w->came, came, __FILE__, line);
    _assert_int_equal(w->stayed, stayed, __FILE__, line);
    _assert_int_equal(w->went, went, __FILE__, line);
}
#define assert_followed(world, w, came, stayed, went)                                              \
    assert_followed_at((world), (w), (came), (stayed), (went), __LINE__)

// R004.16
static void a_system_may_have_several_queries(void** state) {
    fixture* f = *state;
    ilk_entity e[10];
    follower w = {QUERY(f->world, .read = {&Position_type}, .without = {&Anchor_type}),
                  QUERY(f->world, .with = {&Anchor_type}, .without = {&Position_type}), 0, 0, 0};
    SYSTEM(f->world, "follow", .run = follow, .user = &w, .reads = {&Position_type},
           .query = {.write = {&Anchor_type}, .with = {&Position_type}});
    assert_followed(f->world, &w, 0, 0, 0);
    spawn_positions(f->world, e, 10);
    assert_followed(f->world, &w, 10, 0, 0);
    assert_followed(f->world, &w, 0, 10, 0);
    for (int i = 0; i < 4; i++) assert_ok(ilk_remove(f->world, e[i], &Position_type));
    assert_followed(f->world, &w, 0, 6, 4);
    assert_followed(f->world, &w, 0, 6, 0);
    assert_false(ilk_has(f->world, e[3], &Anchor_type));
    assert_int_equal(ILK_GET(f->world, e[9], Anchor)->depth, 39);
    assert_ok(ilk_destroy(f->world, e[9]));
    assert_ok(ilk_add(f->world, e[0], ILK_WITH(Position)));
    assert_followed(f->world, &w, 1, 5, 0);
    assert_quiet(f); // the checked build, too, finds all declared
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(a_system_walks_what_matches),
        SCHEDULE_TEST(a_system_without_a_query_is_called_once),
        SCHEDULE_TEST(a_system_may_be_for_every_entity),
        SCHEDULE_TEST(a_function_may_be_called_for_each_entity),
        SCHEDULE_TEST(a_system_runs_when_its_condition_holds),
        SCHEDULE_TEST(a_system_can_be_switched_off),
        SCHEDULE_TEST(a_list_says_which_systems_are_active),
        SCHEDULE_TEST(a_name_that_nobody_has_is_told_once),
        SCHEDULE_TEST(drawing_and_updating_are_apart),
        SCHEDULE_TEST(layers_are_drawn_in_order),
        SCHEDULE_TEST(what_follows_the_draw_phase_is_drawn_too),
        SCHEDULE_TEST(a_system_sees_what_those_before_it_wrote),
        SCHEDULE_TEST(a_drawing_applies_its_commands_too),
        SCHEDULE_TEST(commands_on_who_died_meanwhile_are_counted),
        cmocka_unit_test(what_is_left_for_want_of_memory_is_tried_again),
        WORLD_TEST(a_system_is_replaced_while_the_world_runs),
        WORLD_TEST(a_command_that_fails_is_told_with_its_system),
        SCHEDULE_TEST(a_list_of_active_systems_may_name_phases),
        SCHEDULE_TEST(a_loop_left_early_is_ended),
        SCHEDULE_TEST(a_walk_goes_chunk_by_chunk_and_may_be_left),
        SCHEDULE_TEST(a_system_that_leaves_its_walk_has_its_commands_done),
        SCHEDULE_TEST(a_world_that_ends_runs_nothing_any_more),
        SCHEDULE_TEST(a_system_may_have_several_queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
