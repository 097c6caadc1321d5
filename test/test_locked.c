// The lock: what a system may not do, and how that is told; what it may read and write all the
// same.
#include "schedule_support.h"

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

static void try_names(const intrusion* n) {
    ilk_world* w = n->f->world;
    locked(n, "ilk_set_name", ilk_set_name(w, n->whole, "whole") == ILK_LOCKED);
    locked(n, "ilk_set_name", ilk_set_name(w, n->whole, NULL) == ILK_LOCKED);
    locked(n, "ilk_set_id", ilk_set_id(w, n->whole, (ilk_id){1, 2}) == ILK_LOCKED);
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
    locked(n, "ilk_update_only", ilk_update_only(w, 1, NULL) == ILK_LOCKED);
    locked(n, "ilk_draw", ilk_draw(w, NULL) == ILK_LOCKED);
    locked(n, "ilk_draw_only", ilk_draw_only(w, NULL, NULL) == ILK_LOCKED);
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
    try_names(n);
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
             "ilk_cmd_call or after the update",
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
    assert_null(ilk_edit(w, e, &Health_type));
    assert_string_equal(c->f->told.text,
                        "ilk_edit of Health for entity 1:1: system \"thief\" does not declare that "
                        "it writes it, under .writes or in its query");
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

static void end_world(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    ilk_world_destroy(world);
    assert_told(user, ILK_LOCKED, "ilk_world_destroy");
    ilk_world_set_user(world, user);
}

static ilk_result ask_for_the_end(ilk_notice* n) {
    return ilk_cmd_call(n->cmd, end_world, n->user);
}

// Whoever made the change or applied the commands would not find the world any more.
static void a_world_does_not_end_by_what_is_asked_for(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    assert_ok(ilk_cmd_call(cmd, end_world, f));
    assert_ok(ilk_cmd_apply(cmd).result);
    ilk_cmd_give_back(cmd);
    assert_ptr_equal(ilk_world_user(f->world), f);
    ilk_world_set_user(f->world, NULL);
    ilk_observer_create(
        f->world, &(ilk_observer_desc){.on = ILK_ON_CREATE, .run = ask_for_the_end, .user = f});
    assert_false(ilk_is_null(ilk_create(f->world)));
    assert_ptr_equal(ilk_world_user(f->world), f);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(what_is_refused_inside_a_system_is_named),
        SCHEDULE_TEST(every_verb_is_locked_inside_a_system),
        WORLD_TEST(a_world_does_not_end_by_what_is_asked_for),
        WORLD_TEST(a_system_writes_what_it_declares),
        SCHEDULE_TEST(an_update_is_not_begun_inside_another),
        SCHEDULE_TEST(reading_is_not_locked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
