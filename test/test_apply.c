// Applying: recorded verbs do what the verbs of the world do, in order; the dead are passed over,
// failures are counted, and what memory does not suffice for stays in the buffer.
#include <pthread.h>

#include "query_support.h"

static ilk_cmd* take(const fixture* f) {
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    assert_non_null(cmd);
    return cmd;
}

static void assert_applied_at(ilk_cmd* cmd, ilk_applied wanted, const char* file, int line) {
    ilk_applied applied = ilk_cmd_apply(cmd);
    _assert_int_equal(applied.done, wanted.done, file, line);
    _assert_int_equal(applied.skipped, wanted.skipped, file, line);
    _assert_int_equal(applied.failed, wanted.failed, file, line);
    _assert_int_equal(applied.left, wanted.left, file, line);
    _assert_int_equal((LargestIntegralType)applied.result, (LargestIntegralType)wanted.result, file,
                      line);
    _assert_int_equal(ilk_cmd_count(cmd), wanted.left, file, line);
}
#define assert_applied(cmd, ...)                                                                   \
    assert_applied_at((cmd), (ilk_applied){__VA_ARGS__}, __FILE__, __LINE__)

static Owned owned(const char* text) {
    return (Owned){text_copy(text)};
}

// Every verb on an entity, on the world or through a buffer; the first three take a value.
enum {
    ADD,
    SET,
    REPLACE,
    REMOVE,
    REMOVE_ALL,
    ENABLE,
    DISABLE,
    MARK,
    DESTROY,
    VERBS,
    TAKE_A_VALUE = REMOVE
};

static ilk_result do_verb(ilk_world* world, uint32_t verb, ilk_entity e, ilk_value value) {
    if (verb == ADD) return ilk_add(world, e, value);
    if (verb == SET) return ilk_set(world, e, value);
    if (verb == REPLACE) return ilk_replace(world, e, value);
    if (verb == REMOVE) return ilk_remove(world, e, value.type);
    if (verb == REMOVE_ALL) return ilk_remove_all(world, e);
    if (verb == ENABLE) return ilk_enable(world, e, value.type);
    if (verb == DISABLE) return ilk_disable(world, e, value.type);
    if (verb == MARK) return ilk_mark(world, e, value.type);
    return ilk_destroy(world, e);
}

static void record_verb(ilk_cmd* cmd, uint32_t verb, ilk_entity e, ilk_value value) {
    ilk_result result = verb == ADD          ? ilk_cmd_add(cmd, e, value)
                        : verb == SET        ? ilk_cmd_set(cmd, e, value)
                        : verb == REPLACE    ? ilk_cmd_replace(cmd, e, value)
                        : verb == REMOVE     ? ilk_cmd_remove(cmd, e, value.type)
                        : verb == REMOVE_ALL ? ilk_cmd_remove_all(cmd, e)
                        : verb == ENABLE     ? ilk_cmd_enable(cmd, e, value.type)
                        : verb == DISABLE    ? ilk_cmd_disable(cmd, e, value.type)
                        : verb == MARK       ? ilk_cmd_mark(cmd, e, value.type)
                                             : ilk_cmd_destroy(cmd, e);
    assert_ok(result);
}

// The same entity of two worlds.
static void assert_twins(const fixture* f, ilk_entity e, const fixture* g, ilk_entity other) {
    char text[2][64];
    ilk_signature(f->world, e, text[0], sizeof(text[0]));
    ilk_signature(g->world, other, text[1], sizeof(text[1]));
    assert_string_equal(text[0], text[1]);
    assert_int_equal(ilk_alive(f->world, e), ilk_alive(g->world, other));
    assert_int_equal(ilk_enabled(f->world, e, &Position_type),
                     ilk_enabled(g->world, other, &Position_type));
    const Position* p = ILK_GET(f->world, e, Position);
    if (p) assert_true(same_position(ILK_GET(g->world, other, Position), p->x, p->y));
}

// An entity that has a position or has none; what is to be switched on is off.
static ilk_entity put_one(ilk_world* world, uint32_t verb, origin where, bool is_there) {
    if (!is_there) return put_without(world, where, &Position_type);
    ilk_entity e = put(world, where, ILK_VALUE(Position, 1, 2));
    if (verb == ENABLE) assert_ok(ilk_disable(world, e, &Position_type));
    return e;
}

static void check_verb(fixture* f, fixture* g, uint32_t verb, origin where, bool is_there) {
    ilk_entity e = put_one(f->world, verb, where, is_there);
    ilk_entity twin = put_one(g->world, verb, where, is_there);
    ilk_query* changed = QUERY(f->world, .changed = {&Position_type});
    rows_walked(f->world, changed, ilk_next);
    ilk_cmd* cmd = take(f);
    record_verb(cmd, verb, e, ILK_VALUE(Position, 3, 4));
    ilk_result result = do_verb(g->world, verb, twin, ILK_VALUE(Position, 3, 4));
    assert_applied(cmd, .done = result == ILK_OK, .failed = result != ILK_OK, .result = result);
    assert_twins(f, e, g, twin);
    assert_int_equal(f->told.count, g->told.count);
    assert_string_equal(f->told.text, g->told.text);
    assert_string_equal(f->told.call, g->told.call);
    if (verb == MARK) assert_int_equal(ilk_query_is_empty(f->world, changed), !is_there);
}

// R001.48
static void each_verb_does_what_it_does_on_the_world(void** state) {
    (void)state;
    for (uint32_t i = 0; i < VERBS * PLACES * 2; i++) {
        void *here = NULL, *there = NULL;
        open_world(&here);
        open_world(&there);
        check_verb(here, there, i % VERBS, (origin)(i / VERBS % PLACES), i / (VERBS * PLACES));
        close_world(&here);
        close_world(&there);
    }
}

// Two worlds with the same history: in one everything happens at once, in the other by a buffer.
enum {
    ROUNDS = 60,
    OPERATIONS = 100
};
typedef struct history {
    fixture *now, *later;
    ilk_cmd* cmd;
    ilk_entity e[ROUNDS * OPERATIONS], twin[ROUNDS * OPERATIONS];
    uint32_t count;
    uint64_t seed;
    ilk_applied wanted;
} history;

static ilk_value any_value(history* h, Position* p) {
    *p = (Position){(float)(next_random(&h->seed) % 100), 1};
    ilk_value values[] = {ILK_VALUE_AT(Position, p), ILK_WITH(Owned), ILK_WITH(Enemy)};
    return values[next_random(&h->seed) % 3];
}

static void be_born(history* h) {
    Position p;
    const ilk_value values[] = {ILK_WITH(Health), any_value(h, &p)};
    h->e[h->count] = ilk_spawn(h->now->world, values, 2);
    h->twin[h->count] = ilk_cmd_spawn(h->cmd, values, 2);
    h->count++;
    h->wanted.done++;
}

static void change(history* h) {
    Position p;
    ilk_value value = any_value(h, &p);
    uint32_t verb = next_random(&h->seed) % VERBS, which = next_random(&h->seed) % h->count;
    ilk_result result = do_verb(h->now->world, verb, h->e[which], value);
    record_verb(h->cmd, verb, h->twin[which], value);
    h->wanted.done += result == ILK_OK;
    h->wanted.skipped += result == ILK_DEAD;
    h->wanted.failed += result != ILK_OK && result != ILK_DEAD;
    if (result != ILK_DEAD && h->wanted.result == ILK_OK) h->wanted.result = result;
}

// R001.48 R001.49
static void a_history_is_the_same_at_once_and_later(void** state) {
    void* other = NULL;
    open_world(&other);
    static history h;
    h = (history){.now = other, .later = *state, .cmd = take(*state), .seed = 3};
    for (int round = 0; round < ROUNDS; round++) {
        h.wanted = (ilk_applied){0};
        for (int i = 0; i < OPERATIONS; i++) {
            if (h.count == 0 || next_random(&h.seed) % 4 == 0)
                be_born(&h);
            else
                change(&h);
        }
        assert_valid(h.later->world);
        assert_applied_at(h.cmd, h.wanted, __FILE__, __LINE__);
        for (uint32_t i = 0; i < h.count; i++) assert_twins(h.now, h.e[i], h.later, h.twin[i]);
        assert_valid(h.later->world);
        if (round % 8 == 0) settle_fully(h.later->world);
    }
    close_world(&other);
}

// A log of what was called, in order.
static char called[64];
static void log_call(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)world, (void)cmd;
    strncat(called, user, sizeof(called) - strlen(called) - 1);
}

// R001.48
static void commands_are_applied_in_order(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e = ilk_cmd_create(cmd);
    called[0] = 0;
    assert_ok(ilk_cmd_call(cmd, log_call, "a"));
    assert_ok(ilk_cmd_add(cmd, e, ILK_VALUE(Health, 1)));
    assert_ok(ilk_cmd_remove(cmd, e, &Health_type));
    assert_ok(ilk_cmd_call(cmd, log_call, "b"));
    assert_ok(ilk_cmd_add(cmd, e, ILK_VALUE(Health, 2)));
    assert_ok(ilk_cmd_replace(cmd, e, ILK_VALUE(Health, 3)));
    assert_ok(ilk_cmd_set(cmd, e, ILK_VALUE(Health, 4)));
    assert_ok(ilk_cmd_call(cmd, log_call, "c"));
    assert_applied(cmd, .done = 9);
    assert_string_equal(called, "abc");
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 4);
    assert_applied(cmd, .done = 0);
}

typedef struct Follows {
    ilk_entity whom;
} Follows;
ILK_COMPONENT(Follows);

static void a_handle_may_be_stored_before_it_is_alive(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity leader = ilk_cmd_create(cmd);
    ilk_entity e = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Follows, leader)));
    ilk_entity direct = ILK_SPAWN(f->world, ILK_VALUE(Follows, e));
    assert_ok(ilk_cmd_set(cmd, leader, ILK_VALUE(Follows, direct)));
    assert_applied(cmd, .done = 3);
    for (int i = 0; i < 3; i++) {
        e = ILK_GET(f->world, e, Follows)->whom;
        assert_true(ilk_alive(f->world, e));
    }
}

// R001.49 C13
static void commands_on_the_dead_are_skipped_and_counted(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position)), early = e;
    for (uint32_t verb = 0; verb < VERBS; verb++) {
        record_verb(cmd, verb, e, ILK_VALUE(Position, 1, 2));
        record_verb(cmd, verb, (ilk_entity){0}, ILK_VALUE(Position, 1, 2));
    }
    assert_ok(ilk_destroy(f->world, e));
    e = ilk_create(f->world); // in the same slot
    assert_int_equal(e.index, early.index);
    assert_applied(cmd, .skipped = 2 * VERBS);
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 0);
    assert_quiet(f);
}

// R001.49 C13
static void destroying_and_changing_may_come_in_either_order(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity a = ILK_SPAWN(f->world, ILK_WITH(Position)), b = ilk_create(f->world);
    ilk_entity c = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_destroy(cmd, a));
    assert_ok(ilk_cmd_set(cmd, a, ILK_WITH(Health)));
    assert_ok(ilk_cmd_destroy(cmd, a));
    assert_ok(ilk_cmd_set(cmd, b, ILK_WITH(Health)));
    assert_ok(ilk_cmd_destroy(cmd, b));
    assert_ok(ilk_cmd_destroy(cmd, c));
    assert_ok(ilk_cmd_add(cmd, c, ILK_WITH(Health)));
    assert_applied(cmd, .done = 5, .skipped = 3);
    assert_int_equal(ilk_stats(f->world).alive, 0);
    assert_int_equal(ilk_stats_of(f->world, &Health_type).count, 0);
}

// R001.49 C13
static void a_strict_buffer_takes_the_dead_for_failures(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e = ilk_create(f->world), dead = ilk_create(f->world);
    assert_ok(ilk_destroy(f->world, dead));
    ilk_cmd_be_strict(cmd, true);
    for (uint32_t verb = 0; verb < VERBS; verb++) {
        record_verb(cmd, verb, dead, ILK_WITH(Position));
        assert_applied(cmd, .failed = 1, .result = ILK_DEAD);
        assert_int_equal(f->told.count, 1);
        assert_int_equal(f->told.last.result, ILK_DEAD);
        assert_entity(f->told.last.entity, dead);
        f->told.count = 0;
    }
    assert_ok(ilk_cmd_destroy(cmd, dead));
    assert_ok(ilk_cmd_add(cmd, e, ILK_WITH(Health)));
    assert_applied(cmd, .done = 1, .failed = 1, .result = ILK_DEAD);
    ilk_cmd_be_strict(cmd, false);
    assert_ok(ilk_cmd_destroy(cmd, dead));
    assert_applied(cmd, .skipped = 1);
    assert_int_equal(f->told.count, 1);
}

static void failures_are_told_and_the_others_are_done(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_ok(ilk_cmd_replace(cmd, e, ILK_WITH(Health)));
    assert_ok(ilk_cmd_add(cmd, e, ILK_WITH(Enemy)));
    assert_ok(ilk_cmd_destroy(cmd, (ilk_entity){0}));
    assert_ok(ilk_cmd_add(cmd, e, ILK_WITH(Position)));
    assert_applied(cmd, .done = 1, .skipped = 1, .failed = 2, .result = ILK_MISSING);
    assert_int_equal(f->told.count, 2);
    assert_int_equal(ilk_error(f->world).result, ILK_EXISTS);
    assert_string_equal(f->told.call, "ilk_add");
    assert_entity(f->told.last.entity, e);
    assert_true(ilk_has(f->world, e, &Enemy_type));
}

// The verb is applied with a value; then the entity's value goes, if it has one.
static void assert_drops(ilk_cmd* cmd, uint32_t verb, ilk_entity e, int applied, int removed) {
    Owned o = owned("x");
    record_verb(cmd, verb, e, ILK_VALUE_AT(Owned, &o));
    assert_hooks(0, 0, 0);
    ilk_cmd_apply(cmd);
    assert_hooks(0, 0, applied);
    assert_ok(ilk_cmd_remove(cmd, e, &Owned_type));
    ilk_cmd_apply(cmd);
    assert_hooks(0, 0, removed);
}

static void values_are_dropped_once_whatever_becomes_of_them(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity lacks = ilk_create(f->world);
    for (uint32_t verb = 0; verb < TAKE_A_VALUE; verb++) {
        ilk_entity has = ILK_SPAWN(f->world, ILK_WITH(Owned));
        hooks_taken();
        assert_drops(cmd, verb, (ilk_entity){0}, 1, 0); // skipped
        assert_drops(cmd, verb, has, 1, 1);             // the new one or the old one
        assert_drops(cmd, verb, lacks, verb == REPLACE, verb != REPLACE);
    }
}

static void a_spawn_that_fails_gives_its_handle_back(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type*[]){&Health_type, NULL};
    desc.max_entities = 2;
    ilk_world* world = ilk_world_create(&desc);
    ilk_cmd* cmd = ilk_cmd_take(world);
    ilk_entity e[5];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        Owned o = owned("foreign");
        e[i] = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Health), ILK_VALUE_AT(Owned, &o)));
        assert_ok(ilk_cmd_set(cmd, e[i], ILK_WITH(Health)));
        assert_applied(cmd, .failed = 1, .skipped = 1, .result = ILK_FOREIGN);
        assert_hooks(0, 0, 1);
        assert_valid(world);
    }
    assert_int_equal(f->told.count, COUNT_OF(e));
    ilk_cmd_create(cmd);
    ilk_cmd_spawn(cmd, &ILK_WITH(Health), 1);
    assert_applied(cmd, .done = 2);
    for (uint32_t i = 0; i < COUNT_OF(e); i++) assert_false(ilk_alive(world, e[i]));
    ilk_world_destroy(world);
}

static struct {
    ilk_world* world;
    ilk_cmd* cmd;
    void* user;
} seen;
static void note_call(ilk_world* world, ilk_cmd* cmd, void* user) {
    seen.world = world;
    seen.cmd = cmd;
    seen.user = user;
    assert_int_equal(ilk_cmd_count(cmd), 2); // its own command and the next
    assert_int_equal(ilk_stats(world).alive, 1);
    ILK_SPAWN(world, ILK_WITH(Enemy));
    settle_fully(world);
}

// R001.51
static void a_function_gets_what_it_was_queued_with(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_call(cmd, note_call, f));
    ilk_cmd_create(cmd);
    assert_applied(cmd, .done = 3);
    assert_ptr_equal(seen.world, f->world);
    assert_ptr_equal(seen.cmd, cmd);
    assert_ptr_equal(seen.user, f);
    assert_int_equal(ilk_stats(f->world).alive, 3);
}

// Each text names itself and what it queues: "a(bc)" logs a, and queues b and c.
static void log_tree(ilk_world* world, ilk_cmd* cmd, void* user) {
    const char* text = user;
    log_call(world, cmd, (char[]){text[0], 0});
    static char* const trees[] = {"a(bc)", "b(de)", "c(f)", "d", "e(g)", "f", "g", "h(d)"};
    if (text[1] != '(') return;
    for (const char* name = text + 2; *name != ')'; name++) {
        assert_ok(ilk_cmd_call(cmd, log_tree, trees[*name - 'a']));
    }
}

// R001.50
static void what_a_command_causes_comes_right_after_it(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    called[0] = 0;
    assert_ok(ilk_cmd_call(cmd, log_tree, "a(bc)"));
    assert_ok(ilk_cmd_call(cmd, log_call, "-"));
    assert_ok(ilk_cmd_call(cmd, log_tree, "h(d)"));
    assert_applied(cmd, .done = 10);
    assert_string_equal(called, "abdegcf-hd");
    assert_ok(ilk_cmd_call(cmd, log_call, "."));
    assert_applied(cmd, .done = 1);
    assert_string_equal(called, "abdegcf-hd.");
}

static void spawn_more(ilk_world* world, ilk_cmd* cmd, void* user) {
    int* left = user;
    ilk_entity e = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Health, *left)));
    assert_false(ilk_alive(world, e));
    assert_ok(ilk_cmd_set(cmd, e, ILK_WITH(Enemy)));
    if (--*left > 0) assert_ok(ilk_cmd_call(cmd, spawn_more, left));
}

// R001.50
static void a_function_may_queue_itself(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    int left = 5000;
    assert_ok(ilk_cmd_call(cmd, spawn_more, &left));
    assert_ok(ilk_cmd_call(cmd, log_call, ""));
    assert_applied(cmd, .done = 3 * 5000 + 1);
    assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, 5000);
}

static void misuse(ilk_world* world, ilk_cmd* cmd, void* user) {
    fixture* f = user;
    assert_int_equal(ilk_cmd_apply(cmd).result, ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_apply");
    ilk_cmd_clear(cmd);
    ilk_cmd_give_back(cmd);
    assert_quiet(f);
    ilk_cmd* other = ilk_cmd_take(world);
    assert_ptr_not_equal(other, cmd);
    ilk_entity e = ilk_cmd_create(other);
    assert_applied(other, .done = 1);
    assert_true(ilk_alive(world, e));
    ilk_cmd_give_back(other);
    ilk_trim(world);
}

static void a_buffer_that_is_applied_is_not_to_be_had(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    assert_ok(ilk_cmd_call(cmd, misuse, f));
    ilk_entity e = ilk_cmd_create(cmd);
    assert_applied(cmd, .done = 2);
    assert_true(ilk_alive(f->world, e));
    ilk_cmd_give_back(cmd);
    assert_ptr_equal(take(f), cmd);
}

// Clearing the world between recording and applying.
static void check_broken_promises(ilk_world* world, bool is_strict) {
    ilk_cmd* cmd = ilk_cmd_take(world);
    Owned o = owned("never");
    ilk_entity e[3] = {ilk_create(world), ilk_cmd_create(cmd),
                       ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE_AT(Owned, &o)))};
    assert_ok(ilk_cmd_add(cmd, e[1], ILK_WITH(Health)));
    ilk_cmd_be_strict(cmd, is_strict);
    ilk_clear(world);
    assert_valid(world);
    ilk_entity made[4] = {ilk_create(world), ilk_cmd_create(cmd)};
    if (is_strict)
        assert_applied(cmd, .done = 1, .failed = 3, .result = ILK_DEAD);
    else
        assert_applied(cmd, .done = 1, .skipped = 3);
    made[2] = ilk_create(world);
    made[3] = ilk_create(world);
    for (uint32_t i = 0; i < 4; i++) assert_true(ilk_alive(world, made[i]));
    for (uint32_t i = 0; i < 3; i++) assert_false(ilk_alive(world, e[i]));
    assert_hooks(0, 0, 1);
    assert_valid(world);
}

static void after_clearing_no_handle_from_before_comes_alive(void** state) {
    fixture* f = *state;
    for (int i = 0; i < 4; i++) {
        ilk_world_desc desc = fixture_desc(f);
        desc.no_recycling = i % 2;
        ilk_world* world = ilk_world_create(&desc);
        check_broken_promises(world, i / 2);
        ilk_world_destroy(world);
    }
}

static void clear_world(ilk_world* world, ilk_cmd* cmd, void* user) {
    ilk_clear(world);
    *(ilk_entity*)user = ilk_cmd_create(cmd);
}

static void a_function_may_clear_the_world(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity after, before = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_call(cmd, clear_world, &after));
    ilk_entity lost = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_destroy(cmd, before));
    assert_applied(cmd, .done = 3, .skipped = 2);
    assert_true(ilk_alive(f->world, after));
    assert_false(ilk_alive(f->world, lost) || ilk_alive(f->world, before));
}

static void settling_and_trimming_leave_a_buffer_alone(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e[2000];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        e[i] = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Health, (int32_t)i)));
        if (i % 100 == 0) ILK_SPAWN(f->world, ILK_WITH(Health));
    }
    settle_fully(f->world);
    ilk_trim(f->world);
    assert_valid(f->world);
    assert_applied(cmd, .done = COUNT_OF(e));
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i);
    }
}

// R001.51: what is recorded can be reached before it is applied.
static void what_is_ensured_can_be_filled_in_before_it_is_applied(void** state) {
    fixture* f = *state;
    ilk_entity without = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_entity with = ILK_SPAWN(f->world, ILK_VALUE(Health, 5));
    ilk_cmd* cmd = take(f);
    ilk_entity pending = ilk_cmd_create(cmd);
    ilk_entity e[] = {without, with, pending};
    for (int32_t i = 0; i < 3; i++) {
        Health* health = ILK_CMD_ENSURE(cmd, e[i], Health);
        assert_int_equal(health->points, 100); // the default
        health->points = 7 + i;
    }
    ILK_CMD_ENSURE(cmd, without, Health)->points = 99; // by then it has one
    assert_false(ilk_has(f->world, without, &Health_type));
    assert_non_null(ilk_cmd_ensure(cmd, without, &Enemy_type));
    assert_applied(cmd, .done = 6);
    assert_int_equal(ILK_GET(f->world, without, Health)->points, 7);
    assert_int_equal(ILK_GET(f->world, with, Health)->points, 5);
    assert_int_equal(ILK_GET(f->world, pending, Health)->points, 9);
    assert_true(ilk_has(f->world, without, &Enemy_type));
    assert_quiet(f);
}

static void what_is_ensured_is_made_once_and_dropped_once(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world), dead = ilk_create(f->world);
    ilk_cmd* cmd = take(f);
    ILK_CMD_ENSURE(cmd, e, Owned);
    assert_hooks(1, 0, 0);
    ILK_CMD_ENSURE(cmd, e, Owned);
    ILK_CMD_ENSURE(cmd, dead, Owned);
    assert_hooks(2, 0, 0);
    assert_ok(ilk_destroy(f->world, dead));
    assert_applied(cmd, .done = 2, .skipped = 1);
    assert_hooks(0, 0, 2);
    assert_string_equal(ILK_GET(f->world, e, Owned)->text, "fresh");
    ILK_CMD_ENSURE(cmd, e, Owned);
    ilk_cmd_clear(cmd);
    assert_hooks(1, 0, 1);
}

static void what_is_there_is_not_changed_by_ensuring(void** state) {
    fixture* f = *state;
    ilk_entity on = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    ilk_entity off = ILK_SPAWN(f->world, ILK_VALUE(Position, 3, 4));
    assert_ok(ilk_disable(f->world, off, &Position_type));
    ilk_query* changed = QUERY(f->world, .changed = {&Position_type});
    assert_int_equal(rows_walked(f->world, changed, ilk_next), 1);
    ilk_cmd* cmd = take(f);
    ILK_CMD_ENSURE(cmd, on, Position)->x = 5;
    ILK_CMD_ENSURE(cmd, off, Position)->x = 5;
    assert_applied(cmd, .done = 2);
    assert_true(ilk_query_is_empty(f->world, changed));
    assert_false(ilk_enabled(f->world, off, &Position_type));
    assert_true(same_position(ILK_GET(f->world, on, Position), 1, 2));
    assert_true(same_position(ILK_GET(f->world, off, Position), 3, 4));
}

static void what_cannot_be_ensured_is_told(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type*[]){&Position_type, NULL};
    ilk_world* narrow = ilk_world_create(&desc);
    ilk_entity e = ilk_create(narrow);
    ilk_cmd* cmd = ilk_cmd_take(narrow);
    assert_null(ilk_cmd_ensure(NULL, e, &Position_type));
    assert_quiet(f);
    assert_null(ilk_cmd_ensure(cmd, e, NULL));
    assert_told(f, ILK_INVALID, "ilk_cmd_ensure");
    assert_null(ilk_cmd_ensure(cmd, e, &(ilk_type){.name = "Odd", .size = 3, .align = 2}));
    assert_told(f, ILK_INVALID, "ilk_cmd_ensure");
    assert_int_equal(ilk_cmd_count(cmd), 0);
    assert_non_null(ilk_cmd_ensure(cmd, e, &Owned_type));
    assert_hooks(1, 0, 0);
    assert_applied(cmd, .failed = 1, .result = ILK_FOREIGN);
    assert_told(f, ILK_FOREIGN, "ilk_ensure");
    assert_hooks(0, 0, 1);
    ilk_world_destroy(narrow);
}

// R001.51
static void a_loop_may_record_and_apply_afterwards(void** state) {
    fixture* f = *state;
    ilk_entity e[500];
    spawn_positions(f->world, e, COUNT_OF(e));
    ilk_query* query = QUERY(f->world, .read = {&Position_type}, .without = {&Enemy_type});
    ilk_cmd* cmd = take(f);
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (it.entities[i].index % 2)
                assert_ok(ilk_cmd_destroy(cmd, it.entities[i]));
            else
                assert_ok(ilk_cmd_add(cmd, it.entities[i], ILK_WITH(Enemy)));
            ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Position)));
        }
    }
    assert_result_count(f->world, query, 500);
    assert_applied(cmd, .done = 1000);
    assert_result_count(f->world, query, 500);
    assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, 250);
}

// Handles that were given out before the loop began are new to it as well.
static void what_is_applied_inside_a_loop_is_not_visited(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_cmd_create(cmd);
    ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Position)));
    ilk_entity e[100];
    spawn_positions(f->world, e, COUNT_OF(e));
    ilk_entity bare = ilk_create(f->world);
    ilk_query* query = QUERY(f->world, .without = {&Frozen_type});
    uint32_t rows = 0;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it); rows += it.count) {
        for (uint32_t i = 0; i < it.count; i++) {
            assert_ok(ilk_cmd_set(cmd, it.entities[i], ILK_WITH(Health)));
            ilk_cmd_create(cmd);
        }
        assert_int_equal(ilk_cmd_apply(cmd).failed, 0);
    }
    assert_int_equal(rows, 101);
    assert_true(ilk_has(f->world, bare, &Health_type));
    assert_result_count(f->world, query, 204);
}

// A buffer for every need of memory, on an entity and one without a place.
static uint32_t fill(fixture* f, ilk_cmd* cmd, ilk_entity made[2]) {
    ilk_entity bare = ilk_create(f->world), e = {0};
    for (int i = 0; i < 100; i++) e = ILK_SPAWN(f->world, ILK_WITH(Health), ILK_WITH(Anchor));
    Owned o = owned("kept"), p = owned("kept");
    static char* const log = "!";
    assert_ok(ilk_cmd_call(cmd, log_call, log));
    assert_ok(ilk_cmd_set(cmd, e, ILK_VALUE_AT(Owned, &o)));
    assert_ok(ilk_cmd_add(cmd, bare, ILK_VALUE(Velocity, 1, 2)));
    assert_ok(ilk_cmd_call(cmd, log_call, log));
    made[0] = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE_AT(Owned, &p), ILK_WITH(Enemy)));
    made[1] = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_add(cmd, made[1], ILK_VALUE(Position, 1, 2)));
    assert_ok(ilk_cmd_remove(cmd, e, &Anchor_type));
    assert_ok(ilk_cmd_call(cmd, log_call, log));
    return ilk_cmd_count(cmd);
}

// One attempt that finds memory `left` times, and one that finds enough. True if the first did.
static bool apply_with(fixture* f, uint64_t left) {
    ilk_cmd* cmd = take(f);
    ilk_entity made[2];
    uint32_t count = fill(f, cmd, made);
    called[0] = 0;
    f->memory.left = left;
    ilk_applied first = ilk_cmd_apply(cmd);
    f->memory.left = UINT64_MAX;
    assert_valid(f->world);
    assert_int_equal(first.done + first.left, count);
    assert_int_equal(first.result, first.left ? ILK_NO_MEMORY : ILK_OK);
    assert_int_equal(ilk_cmd_count(cmd), first.left);
    assert_int_equal(f->told.count, first.left ? 1 : 0);
    assert_int_equal(ilk_alive(f->world, made[0]), first.done > 4);
    assert_int_equal(strlen(called), first.done > 8 ? 3 : first.done > 3 ? 2 : 1);
    if (first.left && left % 2) assert_ok(ilk_cmd_call(cmd, log_call, "?"));
    assert_applied(cmd, .done = first.left + (first.left && left % 2));
    assert_string_equal(called, first.left && left % 2 ? "!!!?" : "!!!");
    assert_string_equal(ILK_GET(f->world, made[0], Owned)->text, "kept");
    assert_true(same_position(ILK_GET(f->world, made[1], Position), 1, 2));
    assert_int_equal(ilk_stats_of(f->world, &Anchor_type).count, 99);
    assert_hooks(0, 0, 0);
    return first.left == 0;
}

static void without_memory_the_rest_is_left_and_done_later(void** state) {
    (void)state;
    uint64_t left = 0;
    for (bool is_enough = false; !is_enough; left++) {
        void* fresh = NULL;
        open_world(&fresh);
        is_enough = apply_with(fresh, left);
        close_world(&fresh);
        assert_hooks(0, 0, 2);
    }
    assert_true(left > 5);
}

static void what_is_left_may_be_dropped(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity made[2];
    uint32_t count = fill(f, cmd, made);
    f->memory.left = 0;
    assert_int_equal(ilk_cmd_apply(cmd).left, count - 1);
    f->memory.left = UINT64_MAX;
    ilk_cmd_clear(cmd);
    assert_hooks(0, 0, 2);
    assert_applied(cmd, .done = 0);
    assert_false(ilk_alive(f->world, made[0]));
}

static void add_position(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)world;
    assert_ok(ilk_cmd_add(cmd, *(ilk_entity*)user, ILK_VALUE(Position, 1, 2)));
}

static void what_a_function_recorded_is_left_too(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_cmd_call(cmd, add_position, &e));
    f->memory.left = 0;
    assert_applied(cmd, .done = 1, .left = 1, .result = ILK_NO_MEMORY);
    f->memory.left = UINT64_MAX;
    assert_ok(ilk_cmd_replace(cmd, e, ILK_VALUE(Position, 3, 4)));
    assert_applied(cmd, .done = 2);
    assert_true(same_position(ILK_GET(f->world, e, Position), 3, 4));
}

static void apply_inside(ilk_iter* it) {
    assert_int_equal(ilk_cmd_apply(it->user).result, ILK_LOCKED);
}

static void inside_a_system_no_buffer_is_applied(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_cmd_create(cmd);
    ilk_system_desc desc = {.name = "eager", .run = apply_inside, .user = cmd};
    assert_non_null(ilk_system_create(f->world, &desc));
    assert_ok(ilk_update(f->world, 0));
    assert_told(f, ILK_LOCKED, "ilk_cmd_apply");
    assert_applied(cmd, .done = 1);
}

#ifdef ILK_CHECKED
static void a_message_has_the_place_of_applying(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    int line = __LINE__ + 1;
    assert_int_equal(ilk_cmd_remove(cmd, (ilk_entity){0}, NULL), ILK_INVALID);
    assert_int_equal(f->told.last.line, line);
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_cmd_replace(cmd, e, ILK_WITH(Health)));
    line = __LINE__ + 1;
    ilk_cmd_apply(cmd);
    assert_int_equal(f->told.last.line, line);
    int left = 1;
    assert_ok(ilk_cmd_call(cmd, spawn_more, &left));
    assert_ok(ilk_cmd_replace(cmd, e, ILK_WITH(Health)));
    line = __LINE__ + 1;
    ilk_cmd_apply(cmd);
    assert_int_equal(f->told.last.line, line);
}

static void a_dead_handle_tells_where_it_was_destroyed_by_a_buffer(void** state) {
    fixture* f = *state;
    char site[64];
    ilk_cmd* cmd = take(f);
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_cmd_destroy(cmd, e));
    snprintf(site, sizeof(site), "test_apply.c:%d", __LINE__ + 1);
    ilk_cmd_apply(cmd);
    assert_int_equal(ilk_destroy(f->world, e), ILK_DEAD);
    assert_non_null(strstr(f->told.text, site));
}

static ilk_result elsewhere[2];
static void* use_elsewhere(void* cmd) {
    elsewhere[0] = ilk_cmd_destroy(cmd, (ilk_entity){0});
    elsewhere[1] = ilk_cmd_apply(cmd).result;
    return NULL;
}

static void another_thread_neither_records_nor_applies(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_cmd_create(cmd);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, use_elsewhere, cmd), 0);
    pthread_join(thread, NULL);
    for (int i = 0; i < 2; i++) assert_int_equal(elsewhere[i], ILK_WRONG_THREAD);
    assert_string_equal(f->told.call, "ilk_cmd_apply");
    assert_applied(cmd, .done = 1);
}
#endif

// It lives beside those who were spawned so, and settling has nothing to move.
static void who_is_created_and_given_components_is_placed_by_all_of_them(void** state) {
    fixture* f = *state;
    ilk_entity born = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_VALUE(Health, 3));
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity made = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_set(cmd, made, ILK_VALUE(Position, 4, 5)));
    assert_ok(ilk_cmd_add(cmd, made, ILK_VALUE(Health, 6)));
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 3);
    assert_int_equal(ilk_cmd_count(cmd), 0);
    const Health* beside = ILK_GET(f->world, born, Health) + 1;
    assert_ptr_equal(ILK_GET(f->world, made, Health), beside);
    assert_int_equal(beside->points, 6);
    assert_int_equal(ilk_stats(f->world).guests, 0);
    assert_int_equal(ilk_settle(f->world, 0).moved, 0);
    ilk_cmd_give_back(cmd);
}

// What cannot be part of a spawn is done for itself.
static void what_comes_after_a_creation_does_what_it_says(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity e = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_set(cmd, e, ILK_VALUE(Position, 1, 0)));
    assert_ok(ilk_cmd_set(cmd, e, ILK_VALUE(Position, 2, 0))); // again
    assert_ok(ilk_cmd_add(cmd, e, ILK_VALUE(Position, 3, 0))); // it is there already
    assert_ok(ilk_cmd_set(cmd, e, ILK_WITH(Health)));          // by its default
    assert_ok(ilk_cmd_replace(cmd, e, ILK_VALUE(Velocity, 1, 1)));
    assert_ok(ilk_cmd_set(cmd, e, ILK_WITH(Enemy)));
    assert_ok(ilk_cmd_remove(cmd, e, &Health_type));
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 6);
    assert_int_equal(applied.failed, 2);
    assert_int_equal(applied.result, ILK_EXISTS);
    f->told.count = 0;
    assert_true(same_position(ILK_GET(f->world, e, Position), 2, 0));
    assert_true(ilk_has(f->world, e, &Enemy_type));
    assert_false(ilk_has(f->world, e, &Health_type));
    assert_false(ilk_has(f->world, e, &Velocity_type));
    ilk_cmd_give_back(cmd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(who_is_created_and_given_components_is_placed_by_all_of_them),
        WORLD_TEST(what_comes_after_a_creation_does_what_it_says),
        cmocka_unit_test(each_verb_does_what_it_does_on_the_world),
        WORLD_TEST(a_history_is_the_same_at_once_and_later),
        WORLD_TEST(commands_are_applied_in_order),
        WORLD_TEST(a_handle_may_be_stored_before_it_is_alive),
        WORLD_TEST(commands_on_the_dead_are_skipped_and_counted),
        WORLD_TEST(destroying_and_changing_may_come_in_either_order),
        WORLD_TEST(a_strict_buffer_takes_the_dead_for_failures),
        WORLD_TEST(failures_are_told_and_the_others_are_done),
        WORLD_TEST(values_are_dropped_once_whatever_becomes_of_them),
        WORLD_TEST(a_spawn_that_fails_gives_its_handle_back),
        WORLD_TEST(a_function_gets_what_it_was_queued_with),
        WORLD_TEST(what_a_command_causes_comes_right_after_it),
        WORLD_TEST(a_function_may_queue_itself),
        WORLD_TEST(a_buffer_that_is_applied_is_not_to_be_had),
        WORLD_TEST(after_clearing_no_handle_from_before_comes_alive),
        WORLD_TEST(a_function_may_clear_the_world),
        WORLD_TEST(settling_and_trimming_leave_a_buffer_alone),
        WORLD_TEST(what_is_ensured_can_be_filled_in_before_it_is_applied),
        WORLD_TEST(what_is_ensured_is_made_once_and_dropped_once),
        WORLD_TEST(what_is_there_is_not_changed_by_ensuring),
        WORLD_TEST(what_cannot_be_ensured_is_told),
        WORLD_TEST(a_loop_may_record_and_apply_afterwards),
        WORLD_TEST(what_is_applied_inside_a_loop_is_not_visited),
        cmocka_unit_test(without_memory_the_rest_is_left_and_done_later),
        WORLD_TEST(what_is_left_may_be_dropped),
        WORLD_TEST(what_a_function_recorded_is_left_too),
        WORLD_TEST(inside_a_system_no_buffer_is_applied),
#ifdef ILK_CHECKED
        WORLD_TEST(a_message_has_the_place_of_applying),
        WORLD_TEST(a_dead_handle_tells_where_it_was_destroyed_by_a_buffer),
        WORLD_TEST(another_thread_neither_records_nor_applies),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
