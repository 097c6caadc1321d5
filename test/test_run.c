// Running: what a system is called with, the lock, and when commands are applied.
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
    assert_string_equal(f->told.text, "ilk_update: the list of those to run has \"cc\", which is "
                                      "no system or phase");
    f->told.count = 0;
    assert_ok(ilk_update_only(f->world, 1, typo));
    assert_ok(ilk_update(f->world, 1));
    assert_ok(ilk_update_only(f->world, 1, typo));
    assert_quiet(f);
    assert_ok(ilk_draw_only(f->world, NULL, other));
    assert_told(f, ILK_MISSING, "ilk_draw");
    assert_ok(ilk_draw_only(f->world, NULL, other));
    assert_quiet(f);
    assert_ok(ilk_update_only(f->world, 1, other));
    assert_told(f, ILK_MISSING, "ilk_update");
    SYSTEM(f->world, "ab");
    assert_ok(ilk_update_only(f->world, 1, other));
    assert_quiet(f);
    ilk_system_destroy(ilk_system_named(f->world, "ab"));
    assert_ok(ilk_update_only(f->world, 1, other));
    assert_told(f, ILK_MISSING, "ilk_update");
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

// Every way to change a world, tried from inside a system.
typedef struct intrusion {
    fixture* f;
    ilk_entity whole, part, stranger; // with Position and Health; without the latter; with Velocity
    ilk_query* query;
    ilk_cmd* cmd;
    ilk_system* system;
} intrusion;

// The call was refused, told once as LOCKED, and the sentence names the system.
static void locked_at(const intrusion* n, const char* call, bool is_refused, int line) {
    _assert_true(is_refused, call, __FILE__, line);
    assert_told_at(n->f, ILK_LOCKED, call, __FILE__, line);
    bool is_named = strstr(n->f->told.text, "\"intruder\"") != NULL;
    _assert_true(is_named, "the system is named", __FILE__, line);
}
#define locked(n, call, is_refused) locked_at((n), (call), (is_refused), __LINE__)

static void try_entities(const intrusion* n) {
    ilk_world* w = n->f->world;
    ilk_entity e[2] = {n->whole, n->part};
    ilk_batch batch;
    locked(n, "ilk_create", ilk_is_null(ilk_create(w)));
    locked(n, "ilk_spawn", ilk_is_null(ILK_SPAWN(w, ILK_WITH(Position))));
    locked(n, "ilk_copy", ilk_is_null(ilk_copy(w, n->whole)));
    locked(n, "ilk_destroy", ilk_destroy(w, n->whole) == ILK_LOCKED);
    locked(n, "ilk_create_many", ilk_create_many(w, e, 2) == ILK_LOCKED);
    locked(n, "ilk_destroy_many", ilk_destroy_many(w, e, 2) == ILK_LOCKED);
    locked(n, "ilk_add_many", ilk_add_many(w, e, 2, &Enemy_type, NULL) == ILK_LOCKED);
    locked(n, "ilk_remove_many", ilk_remove_many(w, e, 2, &Position_type) == ILK_LOCKED);
    locked(n, "ilk_spawn_many",
           ilk_spawn_many(w, &batch, 3, ILK_TYPES(&Position_type)) == ILK_LOCKED);
    assert_false(ilk_batch_next(&batch));
    locked(n, "ilk_reserve", ilk_reserve(w, 99, ILK_TYPES(&Position_type)) == ILK_LOCKED);
}

// The blocks of Position and Health were written to in this tick, so that quick ways are open.
static void try_components(const intrusion* n) {
    ilk_world* w = n->f->world;
    ilk_entity e = n->whole, p = n->part;
    ilk_result (*add)(ilk_world*, ilk_entity, ilk_value) = ilk_add;
    void* (*write)(ilk_world*, ilk_entity, ilk_type*) = ilk_edit;
    locked(n, "ilk_add", ilk_add(w, e, ILK_WITH(Velocity)) == ILK_LOCKED);
    locked(n, "ilk_add", ilk_add(w, p, ILK_VALUE(Health, 9)) == ILK_LOCKED);
    locked(n, "ilk_add", add(w, p, ILK_VALUE(Health, 9)) == ILK_LOCKED);
    locked(n, "ilk_add", add(w, n->stranger, ILK_VALUE(Position, .x = 9)) == ILK_LOCKED);
    locked(n, "ilk_set", ilk_set(w, e, ILK_VALUE(Position, .x = 9)) == ILK_LOCKED);
    locked(n, "ilk_set", ilk_set(w, e, ILK_VALUE(Velocity, .x = 9)) == ILK_LOCKED);
    locked(n, "ilk_replace", ilk_replace(w, e, ILK_VALUE(Health, 9)) == ILK_LOCKED);
    locked(n, "ilk_ensure", !ilk_ensure(w, p, &Health_type));
    locked(n, "ilk_edit", !ilk_edit(w, n->stranger, &Velocity_type)); // which is not declared
    locked(n, "ilk_edit", !(ilk_edit)(w, n->stranger, &Velocity_type));
    locked(n, "ilk_edit", !write(w, n->stranger, &Velocity_type));
    locked(n, "ilk_remove", ilk_remove(w, e, &Health_type) == ILK_LOCKED);
    locked(n, "ilk_remove_all", ilk_remove_all(w, e) == ILK_LOCKED);
    locked(n, "ilk_disable", ilk_disable(w, e, &Position_type) == ILK_LOCKED);
    locked(n, "ilk_enable", ilk_enable(w, e, &Position_type) == ILK_LOCKED);
    locked(n, "ilk_mark", ilk_mark(w, e, &Position_type) == ILK_LOCKED);
}

static void try_world(const intrusion* n) {
    ilk_world* w = n->f->world;
    locked(n, "ilk_register", ilk_register(w, &Owned_type) == ILK_LOCKED);
    locked(n, "ilk_settle", ilk_settle(w, 0).result == ILK_LOCKED);
    locked(n, "ilk_clear", (ilk_clear(w), true));
    locked(n, "ilk_trim", (ilk_trim(w), true));
    locked(n, "ilk_tick", ilk_tick(w) == 0);
    locked(n, "ilk_query_create", !ilk_query_create(w, &(ilk_query_desc){.where = NULL}));
    locked(n, "ilk_query_destroy", (ilk_query_destroy(n->query), true));
    locked(n, "ilk_cmd_take", !ilk_cmd_take(w));
    locked(n, "ilk_cmd_apply", ilk_cmd_apply(n->cmd).result == ILK_LOCKED);
}

static void try_systems(const intrusion* n) {
    static const ilk_system_desc desc = {.name = "new", .run = note_name};
    ilk_world* w = n->f->world;
    locked(n, "ilk_system_create", !ilk_system_create(w, &desc));
    locked(n, "ilk_system_replace", !ilk_system_replace(w, &desc));
    locked(n, "ilk_system_destroy", ilk_system_destroy(n->system) == ILK_LOCKED);
    locked(n, "ilk_system_set_order", ilk_system_set_order(n->system, 9) == ILK_LOCKED);
    locked(n, "ilk_phase_add", ilk_phase_add(w, "new", "update") == ILK_LOCKED);
    locked(n, "ilk_set_fixed_step", ilk_set_fixed_step(w, 1, 1) == ILK_LOCKED);
    locked(n, "ilk_set_longest_frame", ilk_set_longest_frame(w, 1) == ILK_LOCKED);
    locked(n, "ilk_update", ilk_update(w, 1) == ILK_LOCKED);
    locked(n, "ilk_update", ilk_update_only(w, 1, NULL) == ILK_LOCKED);
    locked(n, "ilk_draw", ilk_draw(w, NULL) == ILK_LOCKED);
    locked(n, "ilk_draw", ilk_draw_only(w, NULL, NULL) == ILK_LOCKED);
    ilk_world_destroy(w);
    assert_told(n->f, ILK_LOCKED, "ilk_world_destroy");
}

static void assert_untouched(const intrusion* n) {
    ilk_world* w = n->f->world;
    ilk_world_stats stats = ilk_stats(w);
    assert_true(stats.alive == 5 && stats.ever == 5 && stats.types == 3 && stats.holes == 0);
    assert_true(same_position(ILK_GET(w, n->whole, Position), 1, 2));
    assert_int_equal(ILK_GET(w, n->whole, Health)->points, 3);
    assert_int_equal(ilk_types_of(w, n->whole, NULL, 0), 2);
    assert_int_equal(ilk_types_of(w, n->part, NULL, 0), 1);
    assert_int_equal(ilk_types_of(w, n->stranger, NULL, 0), 1);
    assert_true(ilk_enabled(w, n->whole, &Position_type));
    assert_int_equal(ilk_query_count(w, n->query), 4);
    assert_int_equal(ilk_cmd_count(n->cmd), 1);
    assert_int_equal(ilk_system_count(w), 1);
    assert_valid(w);
}

static void intrude(ilk_iter* it) {
    const intrusion* n = it->user;
    size_t bytes = n->f->memory.bytes;
    while (ilk_next(it)) assert_true(ILK_WRITE(it, Position) && ILK_WRITE(it, Health));
    try_entities(n);
    try_components(n);
    try_world(n);
    try_systems(n);
    assert_untouched(n);
    assert_int_equal(n->f->memory.bytes, bytes);
}

static bool intrude_by_condition(ilk_world* world, void* user) {
    const intrusion* n = user;
    locked(n, "ilk_destroy", ilk_destroy(world, n->whole) == ILK_LOCKED);
    return true;
}

static void set_up_intrusion(intrusion* n) {
    ilk_world* w = n->f->world;
    ilk_value values[] = {ILK_VALUE(Position, 1, 2), ILK_VALUE(Health, 3)};
    n->whole = ilk_spawn(w, values, 2);
    n->part = ilk_spawn(w, values, 2);
    ilk_spawn(w, values, 2);
    ilk_spawn(w, values, 2);
    assert_ok(ilk_remove(w, n->part, &Health_type));
    n->stranger = ILK_SPAWN(w, ILK_WITH(Velocity));
    n->query = QUERY(w, .with = {&Position_type});
    n->cmd = ilk_cmd_take(w);
    assert_ok(ilk_cmd_destroy(n->cmd, n->part));
    n->system = SYSTEM(w, "intruder", .run = intrude, .when = intrude_by_condition, .user = n,
                       .query = {.write = {&Position_type, &Health_type}});
}

typedef struct culprit {
    fixture* f;
    ilk_entity e;
} culprit;

// The failure names the entity, the type if there is one, and the system.
static void named_at(const culprit* c, const char* head, const char* type, int line) {
    char wanted[256];
    snprintf(wanted, sizeof wanted,
             "%s: system \"thief\" is running: changes go through it->cmd, other calls through "
             "ilk_cmd_call",
             head);
    _assert_string_equal(c->f->told.text, wanted, __FILE__, line);
    _assert_true(ilk_same(c->f->told.last.entity, c->e), "the entity is told", __FILE__, line);
    _assert_string_equal(c->f->told.type, type, __FILE__, line);
}
#define named(c, call, head, type) ((void)(call), named_at((c), (head), (type), __LINE__))

static void steal(ilk_iter* it) {
    const culprit* c = it->user;
    ilk_world* w = it->world;
    ilk_entity e = c->e;
    named(c, ilk_add(w, e, ILK_WITH(Enemy)), "ilk_add of Enemy for entity 1:1", "Enemy");
    named(c, ilk_set(w, e, ILK_WITH(Enemy)), "ilk_set of Enemy for entity 1:1", "Enemy");
    named(c, ilk_replace(w, e, ILK_WITH(Health)), "ilk_replace of Health for entity 1:1", "Health");
    named(c, ilk_ensure(w, e, &Enemy_type), "ilk_ensure of Enemy for entity 1:1", "Enemy");
    named(c, ilk_edit(w, e, &Health_type), "ilk_edit of Health for entity 1:1", "Health");
    named(c, ilk_remove(w, e, &Health_type), "ilk_remove of Health for entity 1:1", "Health");
    named(c, ilk_enable(w, e, &Health_type), "ilk_enable of Health for entity 1:1", "Health");
    named(c, ilk_disable(w, e, &Health_type), "ilk_disable of Health for entity 1:1", "Health");
    named(c, ilk_mark(w, e, &Health_type), "ilk_mark of Health for entity 1:1", "Health");
    named(c, ilk_remove_all(w, e), "ilk_remove_all for entity 1:1", "");
    named(c, ilk_destroy(w, e), "ilk_destroy for entity 1:1", "");
    named(c, ilk_copy(w, e), "ilk_copy for entity 1:1", "");
    const culprit none = {c->f, {0}};
    named(&none, ilk_add(w, none.e, ILK_WITH(Enemy)), "ilk_add of Enemy", "Enemy");
    named(&none, ilk_add(w, none.e, (ilk_value){NULL, NULL}), "ilk_add", "");
    named(&none, ilk_register(w, &Frozen_type), "ilk_register of Frozen", "Frozen");
    named(&none, ilk_add_many(w, &e, 1, &Enemy_type, NULL), "ilk_add_many of Enemy", "Enemy");
    named(&none, ilk_remove_many(w, &e, 1, &Health_type), "ilk_remove_many of Health", "Health");
    named(&none, ilk_create(w), "ilk_create", "");
}

// R001.53
static void what_is_refused_inside_a_system_is_named(void** state) {
    culprit c = {.f = *state};
    ilk_create(c.f->world);
    c.e = ILK_SPAWN(c.f->world, ILK_WITH(Health));
    SYSTEM(c.f->world, "thief", .run = steal, .user = &c, .reads = {&Position_type});
    assert_ok(ilk_update(c.f->world, 1));
    assert_int_equal(c.f->told.count, 18);
}

// R001.53 C11
static void every_verb_is_locked_inside_a_system(void** state) {
    intrusion n = {.f = *state};
    ilk_world* w = n.f->world;
    set_up_intrusion(&n);
    assert_ok(ilk_update(w, 1));
    assert_int_equal(ilk_system_stats_of(n.system).calls, 1);
    assert_untouched(&n);
    assert_ok(ilk_add(w, n.whole, ILK_WITH(Velocity)));
    assert_ok(ilk_set(w, n.whole, ILK_VALUE(Position, 5, 5)));
    assert_non_null(ilk_edit(w, n.whole, &Position_type));
    assert_ok(ilk_remove(w, n.whole, &Health_type));
    assert_int_equal(ilk_cmd_apply(n.cmd).done, 1);
    assert_false(ilk_alive(w, n.part) || ilk_is_null(ilk_create(w)));
    assert_quiet(n.f);
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

typedef struct shot {
    ilk_entity target;
    bool is_refused;
    uint32_t seen;
} shot;

static void hit_target(ilk_iter* it) {
    shot* s = it->user;
    while (ilk_next(it)) {
        Health* health = ILK_EDIT(it->world, s->target, Health);
        s->is_refused = !health;
        if (health) health->points -= (int32_t)it->count;
    }
}

static void count_changed(ilk_iter* it) {
    shot* s = it->user;
    while (ilk_next(it)) s->seen += it->count;
}

// Two systems of one wave may each write what only it declares; those after them see it as changed.
static void a_system_writes_what_it_declares(void** state) {
    fixture* f = *state;
    shot s = {.target = ILK_SPAWN(f->world, ILK_VALUE(Health, 100))};
    for (uint32_t i = 0; i < 3; i++) ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 1));
    ilk_query_desc reads = {.read = {&Position_type}};
    SYSTEM(f->world, "a", .run = hit_target, .user = &s, .query = reads, .writes = {&Health_type});
    SYSTEM(f->world, "b", .run = count_changed, .user = &s, .query = {.changed = {&Health_type}});
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(s.seen, 1);
    assert_ok(ilk_update(f->world, 1));
    assert_false(s.is_refused);
    assert_int_equal(s.seen, 2);
    assert_int_equal(ILK_GET(f->world, s.target, Health)->points, 94);
    assert_quiet(f);
    ilk_system_desc desc = {.name = "a", .run = hit_target, .user = &s, .query = reads};
    assert_non_null(ilk_system_replace(f->world, &desc));
    assert_ok(ilk_update(f->world, 1));
    assert_true(s.is_refused);
    assert_told(f, ILK_LOCKED, "ilk_edit");
}

static void update_again(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    assert_int_equal(ilk_update(world, 1), ILK_LOCKED);
    assert_told(user, ILK_LOCKED, "ilk_update");
    assert_int_equal(ilk_draw(world, NULL), ILK_LOCKED);
    assert_told(user, ILK_LOCKED, "ilk_draw");
    assert_int_equal(ilk_phase_add(world, "new", "update"), ILK_LOCKED);
    assert_told(user, ILK_LOCKED, "ilk_phase_add");
    ilk_world_destroy(world);
    assert_told(user, ILK_LOCKED, "ilk_world_destroy");
    assert_false(ilk_is_null(ILK_SPAWN(world, ILK_WITH(Position))));
    settle_fully(world);
}

static void call_update(ilk_iter* it) {
    note_name(it);
    assert_ok(ilk_cmd_call(it->cmd, update_again, it->user));
}

static void an_update_is_not_begun_inside_another(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .run = call_update, .user = f);
    SYSTEM(f->world, "b");
    assert_ok(ilk_update(f->world, 1));
    noted("a b");
    assert_int_equal(ilk_time_of(f->world).frames, 1);
    assert_int_equal(ilk_stats(f->world).alive, 1);
}

static void read_around(ilk_iter* it) {
    ilk_query* other = it->user;
    uint32_t rows = 0, each = 0;
    while (ilk_next(it)) {
        rows += it->count;
        assert_int_equal(rows_walked(it->world, other, ilk_next), 4);
        assert_int_equal(rows_walked(it->world, it->query, ilk_next_rows), 10);
        assert_ok(ilk_each(it->world, other, count_call, &each));
        assert_true(ilk_query_matches(it->world, it->query, it->entities[0]));
        assert_non_null(ILK_GET(it->world, it->entities[0], Position));
        assert_true(ilk_has(it->world, it->entities[0], &Position_type));
        assert_true(ilk_alive(it->world, it->entities[0]));
    }
    assert_true(rows == 10 && each > 0);
    assert_int_equal(ilk_query_count(it->world, other), 4);
    assert_int_equal(ilk_query_collect(it->world, other, NULL, 0), 4);
    note_name(it);
}

// R001.53
static void reading_is_not_locked(void** state) {
    fixture* f = *state;
    ilk_entity e[10];
    spawn_positions(f->world, e, 10);
    for (uint32_t i = 0; i < 4; i++) assert_ok(ilk_add(f->world, e[2 * i], ILK_WITH(Enemy)));
    ilk_query* other = QUERY(f->world, .with = {&Enemy_type});
    SYSTEM(f->world, "a", .run = read_around, .user = other, .query = {.read = {&Position_type}});
    assert_ok(ilk_update(f->world, 1));
    noted("a");
    assert_quiet(f);
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

// A system that keeps an anchor for each position. Beside its own query, of those that have both, it
// has one for those that came and one for those that went.
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
        SCHEDULE_TEST(what_is_refused_inside_a_system_is_named),
        SCHEDULE_TEST(every_verb_is_locked_inside_a_system),
        WORLD_TEST(a_system_writes_what_it_declares),
        WORLD_TEST(a_command_that_fails_is_told_with_its_system),
        SCHEDULE_TEST(a_list_of_active_systems_may_name_phases),
        SCHEDULE_TEST(an_update_is_not_begun_inside_another),
        SCHEDULE_TEST(reading_is_not_locked),
        SCHEDULE_TEST(a_loop_left_early_is_ended),
        SCHEDULE_TEST(a_walk_goes_chunk_by_chunk_and_may_be_left),
        SCHEDULE_TEST(a_system_that_leaves_its_walk_has_its_commands_done),
        SCHEDULE_TEST(a_world_that_ends_runs_nothing_any_more),
        SCHEDULE_TEST(a_system_may_have_several_queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
