// Recording: what a buffer takes, what it refuses, whom values and handles belong to meanwhile.
#include "component/registry.h"

#include "support.h"

static ilk_cmd* take(const fixture* f) {
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    assert_non_null(cmd);
    assert_int_equal(ilk_cmd_count(cmd), 0);
    return cmd;
}

// Apply a buffer of which every command is done.
static void apply_all(ilk_cmd* cmd) {
    uint32_t count = ilk_cmd_count(cmd);
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_ok(applied.result);
    assert_int_equal(applied.done, count);
    assert_int_equal(applied.skipped + applied.failed + applied.left, 0);
    assert_int_equal(ilk_cmd_count(cmd), 0);
}

static Owned owned(const char* text) {
    return (Owned){text_copy(text)};
}

static void do_nothing(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)world, (void)cmd, (void)user;
}

// Every verb on an entity; the first take a value, the first and the next name a type.
enum {
    ADD,
    SET,
    REPLACE,
    REMOVE,
    ENABLE,
    DISABLE,
    MARK,
    DESTROY,
    REMOVE_ALL,
    CALL,
    VERBS,
    TAKE_A_VALUE = REMOVE,
    NAME_A_TYPE = DESTROY
};

static const char* const names[NAME_A_TYPE] = {
    "ilk_cmd_add",    "ilk_cmd_set",     "ilk_cmd_replace", "ilk_cmd_remove",
    "ilk_cmd_enable", "ilk_cmd_disable", "ilk_cmd_mark",
};

static ilk_result record_verb(ilk_cmd* cmd, int verb, ilk_entity e, ilk_value value) {
    if (verb == ADD) return ilk_cmd_add(cmd, e, value);
    if (verb == SET) return ilk_cmd_set(cmd, e, value);
    if (verb == REPLACE) return ilk_cmd_replace(cmd, e, value);
    if (verb == REMOVE) return ilk_cmd_remove(cmd, e, value.type);
    if (verb == ENABLE) return ilk_cmd_enable(cmd, e, value.type);
    if (verb == DISABLE) return ilk_cmd_disable(cmd, e, value.type);
    if (verb == MARK) return ilk_cmd_mark(cmd, e, value.type);
    if (verb == DESTROY) return ilk_cmd_destroy(cmd, e);
    if (verb == REMOVE_ALL) return ilk_cmd_remove_all(cmd, e);
    return ilk_cmd_call(cmd, do_nothing, NULL);
}

static void each_verb_is_recorded_and_counted(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_WITH(Anchor));
    for (int i = 0; i < VERBS; i++) {
        assert_ok(record_verb(cmd, i, e, ILK_VALUE(Position, 3, 4)));
        assert_int_equal(ilk_cmd_count(cmd), i + 1);
    }
    assert_false(ilk_is_null(ilk_cmd_create(cmd)));
    assert_false(ilk_is_null(ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Enemy), ILK_WITH(Health)))));
    assert_int_equal(ilk_cmd_count(cmd), VERBS + 2);
    ilk_cmd_clear(cmd);
    assert_int_equal(ilk_cmd_count(cmd), 0);
    assert_quiet(f);
}

// R001.51
static void recording_changes_nothing_that_can_be_read(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_WITH(Anchor));
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){0});
    for (int i = 0; i < VERBS; i++) {
        assert_ok(record_verb(cmd, i, e, ILK_VALUE(Position, 3, 4)));
        assert_ok(record_verb(cmd, i, e, ILK_VALUE(Health, 3)));
    }
    ilk_entity made = ilk_cmd_create(cmd);
    assert_true(same_position(ILK_GET(f->world, e, Position), 1, 2));
    assert_true(ilk_enabled(f->world, e, &Position_type));
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 2);
    assert_int_equal(ilk_type_count(f->world), 2);
    assert_int_equal(ilk_stats(f->world).alive, 1);
    assert_int_equal(ilk_stats(f->world).ever, 1);
    assert_int_equal(ilk_query_count(f->world, query), 1);
    assert_true(ilk_is_null(ilk_entity_at(f->world, made.index)));
}

static void check_no_buffer(ilk_cmd* cmd) {
    ilk_entity e = {0, 1};
    for (int i = 0; i < VERBS; i++) {
        assert_int_equal(record_verb(cmd, i, e, ILK_VALUE(Position, 1, 2)), ILK_INVALID);
    }
    assert_true(ilk_is_null(ilk_cmd_create(cmd)));
    assert_true(ilk_is_null(ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Position)))));
    assert_int_equal(ilk_cmd_apply(cmd).result, ILK_INVALID);
    assert_int_equal(ilk_cmd_count(cmd), 0);
    ilk_cmd_clear(cmd);
    ilk_cmd_give_back(cmd);
}

static void without_a_buffer_nothing_is_recorded(void** state) {
    fixture* f = *state;
    assert_null(ilk_cmd_take(NULL));
    check_no_buffer(NULL);
    ilk_cmd_be_strict(NULL, true);
    assert_quiet(f);
}

static void a_buffer_that_was_given_back_is_not_used_in_silence(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_cmd_give_back(cmd);
    assert_quiet(f);
    check_no_buffer(cmd);
    assert_int_equal(f->told.count, VERBS + 5);
    f->told.count = 0;
    ilk_cmd_give_back(cmd);
    assert_told(f, ILK_INVALID, "ilk_cmd_give_back");
    assert_string_equal(f->told.text, "ilk_cmd_give_back: the buffer was given back");
    ilk_cmd_clear(cmd);
    assert_told(f, ILK_INVALID, "ilk_cmd_clear");
    ilk_cmd_be_strict(cmd, true);
    assert_told(f, ILK_INVALID, "ilk_cmd_be_strict");
    assert_int_equal(ilk_cmd_apply(cmd).result, ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_apply");
    assert_null(ilk_cmd_ensure(cmd, (ilk_entity){0, 1}, &Health_type));
    assert_told(f, ILK_INVALID, "ilk_cmd_ensure");
    assert_int_equal(ilk_cmd_scene_push(cmd, "menu"), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_scene_push");
    ilk_cmd *again = take(f), *other = take(f);
    assert_ptr_not_equal(again, other); // giving it back twice made no two of it
    assert_int_equal(ilk_stats(f->world).alive, 0);
}

static void without_a_type_nothing_is_recorded(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    Position p = {1, 2};
    for (int i = 0; i < NAME_A_TYPE; i++) {
        assert_int_equal(record_verb(cmd, i, (ilk_entity){0}, (ilk_value){0, &p}), ILK_INVALID);
        assert_told(f, ILK_INVALID, names[i]);
    }
    assert_int_equal(ilk_cmd_count(cmd), 0);
}

static void without_a_list_or_a_function_nothing_is_recorded(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    assert_true(ilk_is_null(ilk_cmd_spawn(cmd, NULL, 2)));
    assert_told(f, ILK_INVALID, "ilk_cmd_spawn");
    assert_int_equal(ilk_cmd_call(cmd, NULL, cmd), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_call");
    assert_int_equal(ilk_cmd_count(cmd), 0);
}

// What no world can take is known at once.
static void an_unsound_type_is_refused_when_it_is_recorded(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_type unsound = {.name = "unsound", .size = 6, .align = 4};
    ilk_type clash = {.name = "Position", .size = 64};
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    for (int i = 0; i < NAME_A_TYPE; i++) {
        assert_int_equal(record_verb(cmd, i, e, (ilk_value){&unsound, NULL}), ILK_INVALID);
        assert_told(f, ILK_INVALID, names[i]);
        assert_int_equal(record_verb(cmd, i, e, (ilk_value){&clash, NULL}), ILK_CLASH);
        assert_told(f, ILK_CLASH, names[i]);
    }
    assert_true(ilk_is_null(ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Health), {&clash, NULL}))));
    assert_told(f, ILK_CLASH, "ilk_cmd_spawn");
    assert_int_equal(ilk_cmd_count(cmd), 0);
}

static void a_type_named_twice_in_a_list_is_refused(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_type again = {.name = "Position", .size = sizeof(Position), .align = 4};
    const ilk_value twice[] = {ILK_WITH(Position), ILK_WITH(Health), {&again, NULL}};
    assert_true(ilk_is_null(ilk_cmd_spawn(cmd, twice, 3)));
    assert_told(f, ILK_EXISTS, "ilk_cmd_spawn");
    assert_string_equal(f->told.type, "Position");
    assert_int_equal(ilk_cmd_count(cmd), 0);
    ilk_entity next = ilk_create(f->world);
    assert_entity(next, ((ilk_entity){0, 1}));
}

static void values_without_a_type_are_passed_over_in_a_list(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    const ilk_value values[] = {{NULL, f}, ILK_VALUE(Health, 7), {NULL, NULL}, ILK_WITH(Enemy)};
    ilk_entity some = ilk_cmd_spawn(cmd, values, 4);
    ilk_entity none = ilk_cmd_spawn(cmd, &(ilk_value){NULL, f}, 1);
    ilk_entity empty = ilk_cmd_spawn(cmd, NULL, 0);
    apply_all(cmd);
    assert_int_equal(ilk_types_of(f->world, some, NULL, 0), 2);
    assert_int_equal(ILK_GET(f->world, some, Health)->points, 7);
    assert_true(ilk_alive(f->world, none) && ilk_alive(f->world, empty));
    assert_int_equal(ilk_types_of(f->world, none, NULL, 0), 0);
}

static void values_are_copied(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e[3] = {ilk_create(f->world), ILK_SPAWN(f->world, ILK_WITH(Position))};
    Position p = {1, 2};
    ilk_value list[2] = {ILK_VALUE_AT(Position, &p), ILK_WITH(Health)};
    assert_ok(ilk_cmd_add(cmd, e[0], list[0]));
    p = (Position){3, 4};
    assert_ok(ilk_cmd_replace(cmd, e[1], list[0]));
    p = (Position){5, 6};
    e[2] = ilk_cmd_spawn(cmd, list, 2);
    p = (Position){7, 8};
    memset(list, 0, sizeof(list));
    apply_all(cmd);
    assert_true(same_position(ILK_GET(f->world, e[0], Position), 1, 2));
    assert_true(same_position(ILK_GET(f->world, e[1], Position), 3, 4));
    assert_true(same_position(ILK_GET(f->world, e[2], Position), 5, 6));
    assert_int_equal(ILK_GET(f->world, e[2], Health)->points, 100);
}

// The variable of a type, its name and its hooks' variable go before the command is applied.
static void a_type_may_go_after_recording(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e = ilk_create(f->world);
    char* name = text_copy("passing");
    ilk_type* type = malloc(sizeof(*type));
    *type = (ilk_type){.name = name, .size = 4, .default_value = &(int32_t){5}};
    int32_t six = 6;
    ilk_entity born = ilk_cmd_spawn(cmd, ILK_VALUES({type, NULL}));
    assert_ok(ilk_cmd_add(cmd, e, (ilk_value){type, &six}));
    assert_ok(ilk_cmd_disable(cmd, e, type));
    memset(name, 'x', strlen(name));
    free(name);
    free(type);
    apply_all(cmd);
    ilk_type* known = ilk_type_named(f->world, "passing");
    assert_int_equal(*(const int32_t*)ilk_get(f->world, e, known, NULL), 6);
    assert_int_equal(*(const int32_t*)ilk_get(f->world, born, known, NULL), 5);
    assert_false(ilk_enabled(f->world, e, known));
}

typedef struct Slab {
    _Alignas(1024) unsigned char bytes[3072];
} Slab;
typedef struct Heap {
    unsigned char bytes[300000];
} Heap;

static uint32_t slabs_dropped;
static void drop_slab(void* value, void* context) {
    (void)context;
    slabs_dropped += (uintptr_t)value % 1024 == 0 && ((Slab*)value)->bytes[3071] == 9;
}
ILK_COMPONENT_WITH(Slab, .hooks = {.drop = drop_slab});
ILK_COMPONENT(Heap);

static void values_may_be_over_aligned_and_large(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    static Slab slab;
    static Heap heap;
    ilk_entity e[20];
    memset(&slab, 9, sizeof(slab));
    slabs_dropped = 0;
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        memset(&heap, (int)i, sizeof(heap));
        e[i] = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE_AT(Heap, &heap), ILK_WITH(Enemy)));
        assert_ok(ilk_cmd_add(cmd, e[i], ILK_VALUE_AT(Slab, &slab)));
        assert_ok(ilk_cmd_add(cmd, e[i], ILK_VALUE_AT(Slab, &slab))); // dropped by the buffer
    }
    assert_int_equal(ilk_cmd_apply(cmd).failed, COUNT_OF(e));
    assert_int_equal(slabs_dropped, COUNT_OF(e));
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        assert_int_equal(ILK_GET(f->world, e[i], Heap)->bytes[299999], i);
        assert_int_equal(ILK_GET(f->world, e[i], Slab)->bytes[0], 9);
    }
}

// A buffer with an owned value in a spawn and one in each verb that takes a value, on nobody.
static void fill_with_owned(ilk_cmd* cmd) {
    Owned o = owned("spawned");
    ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Enemy), ILK_VALUE_AT(Owned, &o)));
    for (int i = 0; i < TAKE_A_VALUE; i++) {
        o = owned("given");
        assert_ok(record_verb(cmd, i, (ilk_entity){99, 1}, ILK_VALUE_AT(Owned, &o)));
    }
}

static void what_is_not_applied_is_dropped_once(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    fill_with_owned(cmd);
    assert_hooks(0, 0, 0);
    ilk_cmd_clear(cmd);
    assert_hooks(0, 0, 4);
    ilk_cmd_clear(cmd);
    fill_with_owned(cmd);
    ilk_cmd_give_back(cmd);
    assert_hooks(0, 0, 4);
    ilk_cmd* again = take(f);
    fill_with_owned(again);
    fill_with_owned(take(f));
    ilk_world_destroy(f->world);
    assert_hooks(0, 0, 8);
    assert_int_equal(f->memory.bytes, 0);
    ilk_world_desc desc = fixture_desc(f);
    f->world = ilk_world_create(&desc);
}

static void a_value_that_is_not_recorded_stays_the_callers(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e = ilk_create(f->world);
    Owned o = owned("mine");
    f->memory.left = 0;
    for (int i = 0; i < TAKE_A_VALUE; i++) {
        assert_int_equal(record_verb(cmd, i, e, ILK_VALUE_AT(Owned, &o)), ILK_NO_MEMORY);
    }
    assert_true(ilk_is_null(ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE_AT(Owned, &o)))));
    f->memory.left = UINT64_MAX;
    const ilk_value twice[] = {ILK_VALUE_AT(Owned, &o), ILK_WITH(Owned)};
    assert_true(ilk_is_null(ilk_cmd_spawn(cmd, twice, 2)));
    ilk_cmd_clear(cmd);
    assert_hooks(0, 0, 0);
    assert_string_equal(o.text, "mine");
    free(o.text);
}

// Without bytes there is no value until the command is applied.
static void a_default_is_made_when_it_is_applied(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_cmd_set(cmd, e, ILK_WITH(Owned)));
    ilk_cmd_clear(cmd);
    assert_hooks(0, 0, 0);
    assert_ok(ilk_cmd_set(cmd, e, ILK_WITH(Owned)));
    ilk_entity born = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Owned)));
    assert_ok(ilk_cmd_add(cmd, born, ILK_WITH(Health)));
    apply_all(cmd);
    assert_hooks(2, 0, 0);
    assert_string_equal(ILK_GET(f->world, born, Owned)->text, "fresh");
    assert_int_equal(ILK_GET(f->world, born, Health)->points, 100);
}

// R001.48
static void a_handle_is_the_one_that_create_would_give(void** state) {
    fixture* f = *state;
    ilk_world* twin = second_world(f, 0);
    ilk_world* both[] = {f->world, twin};
    for (uint32_t i = 0; i < 2; i++) {
        ilk_entity e[6];
        assert_ok(ilk_create_many(both[i], e, 6));
        assert_ok(ilk_destroy_many(both[i], (ilk_entity[]){e[4], e[1], e[2]}, 3));
    }
    ilk_cmd* cmd = take(f);
    for (uint32_t i = 0; i < 6; i++) {
        ilk_entity here = i % 2 ? ilk_cmd_create(cmd) : ilk_cmd_spawn(cmd, &ILK_WITH(Health), 1);
        ilk_entity there = ilk_create(twin);
        assert_entity(here, there);
    }
    ilk_world_destroy(twin);
}

// R001.48
static void a_handle_is_alive_once_it_is_applied(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_entity e = ilk_cmd_create(cmd);
    ilk_entity born = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Position, 1, 2)));
    assert_false(ilk_alive(f->world, e) || ilk_alive(f->world, born));
    assert_false(ilk_has(f->world, born, &Position_type));
    assert_int_equal(ilk_add(f->world, e, ILK_WITH(Health)), ILK_DEAD);
    assert_int_equal(ilk_destroy(f->world, born), ILK_DEAD);
    assert_ok(ilk_cmd_add(cmd, e, ILK_VALUE(Health, 3)));
    assert_valid(f->world);
    apply_all(cmd);
    assert_true(ilk_alive(f->world, e) && ilk_alive(f->world, born));
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 3);
    assert_true(same_position(ILK_GET(f->world, born, Position), 1, 2));
    assert_int_equal(ilk_stats(f->world).ever, 2);
}

static void no_handle_is_given_twice(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd[2] = {take(f), take(f)};
    ilk_entity e[400];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        e[i] = i % 4 == 0 ? ilk_create(f->world) : ilk_cmd_create(cmd[i % 2]);
        if (i % 40 == 36) assert_ok(ilk_destroy(f->world, e[i]));
    }
    assert_valid(f->world);
    apply_all(cmd[1]);
    apply_all(cmd[0]);
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        assert_int_equal(ilk_alive(f->world, e[i]), i % 40 != 36);
        for (uint32_t k = 0; k < i; k++) assert_false(ilk_same(e[i], e[k]));
    }
}

static void check_dropped_handles(ilk_world* world) {
    ilk_cmd* cmd = ilk_cmd_take(world);
    ilk_entity e[3] = {ilk_cmd_create(cmd), ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Health)))};
    ilk_cmd_clear(cmd);
    e[2] = ilk_cmd_create(cmd);
    ilk_cmd_give_back(cmd);
    assert_valid(world);
    for (int i = 0; i < 10; i++) {
        ilk_create(world);
        for (uint32_t k = 0; k < 3; k++) assert_false(ilk_alive(world, e[k]));
    }
}

static void a_handle_whose_command_was_dropped_never_comes_alive(void** state) {
    fixture* f = *state;
    check_dropped_handles(f->world);
    assert_int_equal(ilk_stats(f->world).retired, 0);
    ilk_world_desc desc = fixture_desc(f);
    desc.no_recycling = true;
    ilk_world* world = ilk_world_create(&desc);
    check_dropped_handles(world);
    ilk_world_destroy(world);
}

static void without_recycling_handles_count_up(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.no_recycling = true;
    ilk_world* world = ilk_world_create(&desc);
    ilk_cmd* cmd = ilk_cmd_take(world);
    for (uint32_t i = 0; i < 5; i++) {
        ilk_entity e = ilk_cmd_create(cmd);
        assert_entity(e, ((ilk_entity){i, 1}));
        assert_ok(ilk_cmd_destroy(cmd, e));
    }
    apply_all(cmd);
    assert_int_equal(ilk_cmd_create(cmd).index, 5);
    assert_int_equal(ilk_stats(world).retired, 5);
    assert_valid(world);
    ilk_world_destroy(world);
}

static void handles_count_towards_the_maximum(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.max_entities = 3;
    ilk_world* world = ilk_world_create(&desc);
    ilk_cmd* cmd = ilk_cmd_take(world);
    ilk_entity e = ilk_create(world);
    ilk_cmd_create(cmd);
    ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Health)));
    assert_true(ilk_is_null(ilk_cmd_create(cmd)));
    assert_told(f, ILK_FULL, "ilk_cmd_create");
    assert_true(ilk_is_null(ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Health)))));
    assert_told(f, ILK_FULL, "ilk_cmd_spawn");
    assert_true(ilk_is_null(ilk_create(world)));
    assert_told(f, ILK_FULL, "ilk_create");
    assert_int_equal(ilk_cmd_count(cmd), 2);
    ilk_cmd_clear(cmd);
    assert_false(ilk_is_null(ilk_cmd_create(cmd)));
    assert_ok(ilk_destroy(world, e));
    assert_false(ilk_is_null(ilk_cmd_create(cmd)));
    apply_all(cmd);
    assert_int_equal(ilk_stats(world).alive, 2);
    assert_false(ilk_is_null(ilk_create(world)));
    ilk_world_destroy(world);
}

// R001.52
static void a_buffer_that_is_given_back_serves_the_next(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_cmd_be_strict(cmd, true);
    fill_with_owned(cmd);
    ilk_cmd_give_back(cmd);
    uint64_t calls = f->memory.calls;
    ilk_cmd* again = take(f);
    assert_ptr_equal(again, cmd);
    assert_ok(ilk_cmd_destroy(again, (ilk_entity){99, 1}));
    ilk_applied applied = ilk_cmd_apply(again); // nobody is strict any more
    assert_int_equal(applied.skipped, 1);
    assert_int_equal(f->memory.calls, calls);
    assert_ptr_not_equal(take(f), again);
}

static void go_round(fixture* f, ilk_query* query) {
    ilk_cmd* cmd = take(f);
    static Slab slab;
    for (int i = 0; i < 1000; i++) {
        ilk_entity e = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Position, 1, 2), ILK_WITH(Enemy)));
        assert_ok(ilk_cmd_add(cmd, e, ILK_VALUE(Health, i)));
        if (i % 100 == 0) assert_ok(ilk_cmd_set(cmd, e, ILK_VALUE_AT(Slab, &slab)));
        ilk_cmd_create(cmd);
    }
    apply_all(cmd);
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) ilk_cmd_destroy(cmd, it.entities[i]);
    }
    apply_all(cmd);
    ilk_cmd_give_back(cmd);
    assert_int_equal(ilk_stats(f->world).alive, 0);
}

// R001.52
static void once_warm_buffers_need_no_memory(void** state) {
    fixture* f = *state;
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){0});
    for (int i = 0; i < 3; i++) go_round(f, query);
    uint64_t calls = f->memory.calls;
    for (int i = 0; i < 5; i++) go_round(f, query);
    assert_int_equal(f->memory.calls, calls);
}

static void trimming_gives_back_what_was_given_back(void** state) {
    fixture* f = *state;
    ilk_trim(f->world);
    size_t bytes = f->memory.bytes;
    ilk_cmd *cmd = take(f), *kept = take(f);
    for (int i = 0; i < 5000; i++) assert_ok(ilk_cmd_destroy(cmd, (ilk_entity){0, 1}));
    assert_true(f->memory.bytes > bytes + 5000 * sizeof(ilk_entity));
    ilk_entity e = ilk_cmd_create(kept);
    ilk_cmd_give_back(cmd);
    ilk_trim(f->world);
    assert_int_equal(ilk_cmd_count(kept), 1);
    apply_all(kept);
    assert_true(ilk_alive(f->world, e));
    ilk_cmd_give_back(kept);
    ilk_clear(f->world);
    ilk_trim(f->world);
    assert_true(f->memory.bytes < bytes + 5000 * sizeof(ilk_entity));
}

static void buffers_do_not_disturb_each_other(void** state) {
    fixture* f = *state;
    enum {
        BUFFERS = 50
    };
    ilk_cmd* cmd[BUFFERS];
    ilk_entity e[BUFFERS];
    for (uint32_t i = 0; i < BUFFERS; i++) {
        cmd[i] = take(f);
        e[i] = ilk_cmd_create(cmd[i]);
    }
    for (uint32_t i = 0; i < BUFFERS; i++) { // each speaks of the next one's entity
        assert_ok(ilk_cmd_add(cmd[i], e[(i + 1) % BUFFERS], ILK_VALUE(Health, (int32_t)i)));
    }
    for (uint32_t i = 0; i < BUFFERS; i += 2) ilk_cmd_give_back(cmd[i]);
    for (uint32_t i = BUFFERS; i-- > 0;) {
        if (i % 2 == 0) continue;
        ilk_applied applied = ilk_cmd_apply(cmd[i]);
        assert_int_equal(applied.done, 1);
        assert_int_equal(applied.skipped, 1); // the neighbour's command was dropped
        assert_true(ilk_alive(f->world, e[i]));
        ilk_cmd_give_back(cmd[i]);
    }
    assert_int_equal(ilk_stats(f->world).alive, BUFFERS / 2);
}

// Whichever allocation fails, nothing is recorded, and the same call does well later.
static void record_with(fixture* f, uint64_t left, bool is_spawn) {
    ilk_cmd* cmd = take(f);
    Owned o = owned("x");
    ilk_value values[] = {ILK_VALUE_AT(Owned, &o), ILK_WITH(Health)};
    f->memory.left = left;
    bool failed = is_spawn ? ilk_is_null(ilk_cmd_spawn(cmd, values, 2))
                           : ilk_cmd_add(cmd, (ilk_entity){0, 1}, values[0]) != ILK_OK;
    f->memory.left = UINT64_MAX;
    assert_int_equal(ilk_cmd_count(cmd), !failed);
    assert_valid(f->world);
    if (!failed) return;
    assert_told(f, ILK_NO_MEMORY, is_spawn ? "ilk_cmd_spawn" : "ilk_cmd_add");
    assert_int_equal(ilk_error(f->world).result, ILK_NO_MEMORY);
    assert_ok(ilk_cmd_set(cmd, (ilk_entity){0, 1}, values[0]));
    assert_int_equal(ilk_cmd_count(cmd), 1);
}

static void without_memory_nothing_is_recorded(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 10; i++) {
        void* fresh = NULL;
        open_world(&fresh);
        record_with(fresh, i / 2, i % 2);
        close_world(&fresh);
        assert_hooks(0, 0, 1);
    }
}

static void without_memory_there_is_no_buffer_and_no_command(void** state) {
    fixture* f = *state;
    f->memory.left = 0;
    assert_null(ilk_cmd_take(f->world));
    assert_told(f, ILK_NO_MEMORY, "ilk_cmd_take");
    assert_int_equal(ilk_error(f->world).result, ILK_NO_MEMORY);
    f->memory.left = UINT64_MAX;
    ilk_cmd* cmd = take(f);
    f->memory.left = 0;
    assert_true(ilk_is_null(ilk_cmd_create(cmd)));
    assert_told(f, ILK_NO_MEMORY, "ilk_cmd_create");
    assert_int_equal(ilk_cmd_call(cmd, do_nothing, NULL), ILK_NO_MEMORY);
    assert_told(f, ILK_NO_MEMORY, "ilk_cmd_call");
    static const Heap heap;
    assert_int_equal(ilk_cmd_set(cmd, (ilk_entity){0}, ILK_VALUE_AT(Heap, &heap)), ILK_NO_MEMORY);
    assert_told(f, ILK_NO_MEMORY, "ilk_cmd_set");
    f->memory.left = 1; // for the command, and not for its value
    assert_true(ilk_is_null(ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE_AT(Heap, &heap)))));
    assert_told(f, ILK_NO_MEMORY, "ilk_cmd_spawn");
    assert_int_equal(ilk_cmd_count(cmd), 0);
    f->memory.left = UINT64_MAX;
}

static void want_of_memory_is_told_with_the_type_that_was_to_be_recorded(void** state) {
    fixture* f = *state;
    f->memory.left = 0;
    assert_null(ilk_cmd_take(f->world));
    assert_non_null(strstr(ilk_error(f->world).text, "no memory for a buffer"));
    f->memory.left = UINT64_MAX;
    ilk_cmd* cmd = take(f);
    f->memory.left = 0;
    assert_int_equal(ilk_cmd_set(cmd, (ilk_entity){0, 1}, ILK_WITH(Health)), ILK_NO_MEMORY);
    assert_string_equal(ilk_error(f->world).type, "Health");
    assert_non_null(strstr(ilk_error(f->world).text, "no memory to record Health"));
    f->memory.left = 1; // for the command, and not for its value
    static const Heap heap;
    assert_true(ilk_is_null(ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE_AT(Heap, &heap)))));
    assert_string_equal(ilk_error(f->world).type, "Heap");
    f->memory.left = UINT64_MAX;
}

static void* no_descriptor(size_t size) {
    (void)size;
    return NULL;
}

static void without_memory_for_a_type_nothing_is_recorded(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = take(f);
    ilk_type late = {.name = "late", .size = 4};
    ilki_type_alloc = no_descriptor;
    ilk_result result = ilk_cmd_add(cmd, (ilk_entity){0, 1}, (ilk_value){&late, NULL});
    ilki_type_alloc = malloc;
    assert_int_equal(result, ILK_NO_MEMORY);
    assert_told(f, ILK_NO_MEMORY, "ilk_cmd_add");
    assert_int_equal(ilk_cmd_count(cmd), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(each_verb_is_recorded_and_counted),
        WORLD_TEST(recording_changes_nothing_that_can_be_read),
        WORLD_TEST(without_a_buffer_nothing_is_recorded),
        WORLD_TEST(a_buffer_that_was_given_back_is_not_used_in_silence),
        WORLD_TEST(without_a_type_nothing_is_recorded),
        WORLD_TEST(without_a_list_or_a_function_nothing_is_recorded),
        WORLD_TEST(an_unsound_type_is_refused_when_it_is_recorded),
        WORLD_TEST(a_type_named_twice_in_a_list_is_refused),
        WORLD_TEST(values_without_a_type_are_passed_over_in_a_list),
        WORLD_TEST(values_are_copied),
        WORLD_TEST(a_type_may_go_after_recording),
        WORLD_TEST(values_may_be_over_aligned_and_large),
        WORLD_TEST(what_is_not_applied_is_dropped_once),
        WORLD_TEST(a_value_that_is_not_recorded_stays_the_callers),
        WORLD_TEST(a_default_is_made_when_it_is_applied),
        WORLD_TEST(a_handle_is_the_one_that_create_would_give),
        WORLD_TEST(a_handle_is_alive_once_it_is_applied),
        WORLD_TEST(no_handle_is_given_twice),
        WORLD_TEST(a_handle_whose_command_was_dropped_never_comes_alive),
        WORLD_TEST(without_recycling_handles_count_up),
        WORLD_TEST(handles_count_towards_the_maximum),
        WORLD_TEST(a_buffer_that_is_given_back_serves_the_next),
        WORLD_TEST(once_warm_buffers_need_no_memory),
        WORLD_TEST(trimming_gives_back_what_was_given_back),
        WORLD_TEST(buffers_do_not_disturb_each_other),
        WORLD_TEST(without_memory_there_is_no_buffer_and_no_command),
        WORLD_TEST(want_of_memory_is_told_with_the_type_that_was_to_be_recorded),
        WORLD_TEST(without_memory_for_a_type_nothing_is_recorded),
        cmocka_unit_test(without_memory_nothing_is_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
