// Components: every verb on what is there, what is not, the dead and the unsound, for values born
// with their entity, added later and settled; toggles and tags.
#include "support.h"

// The verbs under one shape: what each says of an entity and a type.
typedef ilk_result verb_fn(ilk_world* world, ilk_entity e, ilk_type* type);

static ilk_result say_add(ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilk_add(world, e, (ilk_value){type, NULL});
}

static ilk_result say_set(ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilk_set(world, e, (ilk_value){type, NULL});
}

static ilk_result say_replace(ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilk_replace(world, e, (ilk_value){type, NULL});
}

static ilk_result say_ensure(ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilk_ensure(world, e, type) ? ILK_OK : ilk_error(world).result;
}

static ilk_result say_write(ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilk_edit(world, e, type) ? ILK_OK : ilk_error(world).result;
}

static ilk_result say_remove(ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilk_remove(world, e, type);
}

static ilk_result say_disable(ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilk_disable(world, e, type);
}

static ilk_result say_enable(ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilk_enable(world, e, type);
}

static ilk_result say_add_many(ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilk_add_many(world, &e, 1, type, NULL);
}

static ilk_result say_remove_many(ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilk_remove_many(world, &e, 1, type);
}

typedef struct verb {
    const char* name;
    verb_fn* say;
    ilk_result present, absent;
} verb;

static const verb verbs[] = {
    {"ilk_add", say_add, ILK_EXISTS, ILK_OK},
    {"ilk_set", say_set, ILK_OK, ILK_OK},
    {"ilk_replace", say_replace, ILK_OK, ILK_MISSING},
    {"ilk_ensure", say_ensure, ILK_OK, ILK_OK},
    {"ilk_edit", say_write, ILK_OK, ILK_MISSING},
    {"ilk_remove", say_remove, ILK_OK, ILK_MISSING},
    {"ilk_disable", say_disable, ILK_OK, ILK_MISSING},
    {"ilk_enable", say_enable, ILK_OK, ILK_MISSING},
    {"ilk_add_many", say_add_many, ILK_EXISTS, ILK_OK},
    {"ilk_remove_many", say_remove_many, ILK_OK, ILK_MISSING},
};

static void expect(fixture* f, const verb* v, ilk_entity e, ilk_type* type, ilk_result result) {
    assert_int_equal(v->say(f->world, e, type), result);
    if (result == ILK_OK) {
        assert_quiet(f);
    } else {
        assert_told(f, result, v->name);
    }
}

static void check_present(fixture* f, origin where) {
    for (uint32_t i = 0; i < COUNT_OF(verbs); i++) {
        ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
        expect(f, &verbs[i], e, &Position_type, verbs[i].present);
        assert_valid(f->world);
    }
}

// R001.21 C1 C2
static void each_verb_on_what_is_there(void** state) {
    (void)state;
    at_each_place(check_present);
}

static void check_absent(fixture* f, origin where) {
    for (uint32_t i = 0; i < COUNT_OF(verbs); i++) {
        ilk_entity e = put_without(f->world, where, &Position_type);
        expect(f, &verbs[i], e, &Position_type, verbs[i].absent);
        assert_valid(f->world);
        e = ilk_create(f->world);
        expect(f, &verbs[i], e, &Position_type, verbs[i].absent);
    }
}

// R000.21 R001.21 C1 C2
static void each_verb_on_what_is_not_there(void** state) {
    (void)state;
    at_each_place(check_absent);
}

// R001.3 R001.21 R002.14 C2
static void each_verb_on_the_dead(void** state) {
    fixture* f = *state;
    for (uint32_t i = 0; i < COUNT_OF(verbs); i++) {
        ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
        assert_ok(ilk_destroy(f->world, e));
        ilk_entity heir = ILK_SPAWN(f->world, ILK_VALUE(Position, 5, 6));
        assert_int_equal(heir.index, e.index);
        expect(f, &verbs[i], e, &Position_type, ILK_DEAD);
        assert_entity(f->told.last.entity, e);
        expect(f, &verbs[i], (ilk_entity){0}, &Position_type, ILK_DEAD);
        expect(f, &verbs[i], (ilk_entity){UINT32_MAX, 1}, &Position_type, ILK_DEAD);
        assert_true(same_position(ILK_GET(f->world, heir, Position), 5, 6));
        assert_true(ilk_enabled(f->world, heir, &Position_type));
        assert_ok(ilk_destroy(f->world, heir));
    }
}

// R000.13 R001.21 C31
static void each_verb_on_an_entity_of_another_world(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity mine = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    ilk_entity foreign = ILK_SPAWN(other, ILK_VALUE(Position, 3, 4));
    assert_int_equal(mine.index, foreign.index);
    for (uint32_t i = 0; i < COUNT_OF(verbs); i++) {
        expect(f, &verbs[i], foreign, &Position_type, ILK_DEAD);
        expect(f, &verbs[i], foreign, &Health_type, ILK_DEAD);
    }
    assert_int_equal(ilk_types_of(f->world, mine, NULL, 0), 1);
    assert_true(same_position(ILK_GET(f->world, mine, Position), 1, 2));
    ilk_world_destroy(other);
}

// R000.14 R001.21
static void each_verb_without_a_type(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    for (uint32_t i = 0; i < COUNT_OF(verbs); i++) {
        expect(f, &verbs[i], e, NULL, ILK_INVALID);
        expect(f, &verbs[i], e, &(ilk_type){0}, ILK_INVALID);
    }
    ilk_result result = ILK_OK;
    assert_null(ilk_get(f->world, e, NULL, &result));
    assert_int_equal(result, ILK_INVALID);
    assert_false(ilk_has(f->world, e, NULL));
    assert_false(ilk_enabled(f->world, e, NULL));
    assert_quiet(f);
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 1);
    assert_true(same_position(ILK_GET(f->world, e, Position), 1, 2));
}

static void check_add(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    assert_int_equal(ilk_add(f->world, e, ILK_VALUE(Position, 8, 9)), ILK_EXISTS);
    assert_true(same_position(ILK_GET(f->world, e, Position), 1, 2));
    e = put_without(f->world, where, &Position_type);
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 3, 4)));
    assert_true(same_position(ILK_GET(f->world, e, Position), 3, 4));
}

// R000.19 R001.20 R001.21 C1
static void add_keeps_the_old_value(void** state) {
    (void)state;
    at_each_place(check_add);
}

static void check_set(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    uint32_t count = ilk_stats_of(f->world, &Position_type).count;
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Position, 8, 9)));
    assert_true(same_position(ILK_GET(f->world, e, Position), 8, 9));
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, count);
    e = put_without(f->world, where, &Position_type);
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Position, 3, 4)));
    assert_true(same_position(ILK_GET(f->world, e, Position), 3, 4));
}

// R001.21 R002.13 R004.21 C1
static void set_adds_or_overwrites(void** state) {
    (void)state;
    at_each_place(check_set);
}

static void check_replace(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    assert_ok(ilk_replace(f->world, e, ILK_VALUE(Position, 8, 9)));
    assert_true(same_position(ILK_GET(f->world, e, Position), 8, 9));
    e = put_without(f->world, where, &Position_type);
    assert_int_equal(ilk_replace(f->world, e, ILK_VALUE(Position, 3, 4)), ILK_MISSING);
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_null(ILK_GET(f->world, e, Position));
}

// R001.21 C1
static void replace_never_adds(void** state) {
    (void)state;
    at_each_place(check_replace);
}

static void check_ensure(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Health, 7));
    Health* there = ILK_ENSURE(f->world, e, Health);
    assert_int_equal(there->points, 7);
    assert_ptr_equal(there, ILK_GET(f->world, e, Health));
    e = put_without(f->world, where, &Health_type);
    Health* fresh = ILK_ENSURE(f->world, e, Health);
    assert_int_equal(fresh->points, 100);
    assert_ptr_equal(fresh, ILK_GET(f->world, e, Health));
    fresh->points = 3;
    assert_int_equal(ILK_ENSURE(f->world, e, Health)->points, 3);
}

// R001.13 R001.21 R002.13 C1
static void ensure_gives_what_is_there_or_the_default(void** state) {
    (void)state;
    at_each_place(check_ensure);
}

static void check_get(fixture* f, origin where) {
    ilk_result result = ILK_BROKEN;
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    assert_true(same_position(ilk_get(f->world, e, &Position_type, &result), 1, 2));
    assert_int_equal(result, ILK_OK);
    ilk_entity without = put_without(f->world, where, &Position_type);
    assert_null(ilk_get(f->world, without, &Position_type, &result));
    assert_int_equal(result, ILK_MISSING);
    assert_null(ilk_get(f->world, without, &Position_type, NULL));
    assert_ok(ilk_destroy(f->world, e));
    assert_null(ilk_get(f->world, e, &Position_type, &result));
    assert_int_equal(result, ILK_DEAD);
    assert_null(ilk_get(f->world, e, &Position_type, NULL));
    assert_quiet(f);
}

// R001.18 R002.15 R002.18 C3
static void get_tells_dead_from_missing(void** state) {
    (void)state;
    at_each_place(check_get);
}

static void check_write(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    Position* p = ILK_EDIT(f->world, e, Position);
    p->x = 10;
    assert_true(same_position(ILK_GET(f->world, e, Position), 10, 2));
    assert_ptr_equal(ILK_EDIT(f->world, e, Position), p);
    settle_fully(f->world);
    assert_true(same_position(ILK_GET(f->world, e, Position), 10, 2));
}

// R000.26 R001.19
static void what_is_written_stays(void** state) {
    (void)state;
    at_each_place(check_write);
}

// R001.9 R002.15
static void write_of_what_is_missing_is_refused(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health));
    assert_null(ILK_EDIT(f->world, e, Position));
    assert_told(f, ILK_MISSING, "ilk_edit");
    assert_string_equal(f->told.type, "Position");
    assert_ok(ilk_destroy(f->world, e));
    assert_null(ILK_EDIT(f->world, e, Health));
    assert_told(f, ILK_DEAD, "ilk_edit");
}

static void check_remove(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 5)));
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_quiet(f);
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_null(ILK_GET(f->world, e, Position));
    assert_int_equal(ilk_remove(f->world, e, &Position_type), ILK_MISSING);
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 5);
    assert_true(ilk_alive(f->world, e));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 3, 4)));
    assert_true(same_position(ILK_GET(f->world, e, Position), 3, 4));
}

// R000.21 R001.21 R002.17 R004.21 C2
static void remove_takes_one_away(void** state) {
    (void)state;
    at_each_place(check_remove);
}

// R000.21 R002.17 C2
static void remove_says_whether_there_was_one(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_entity other = ILK_SPAWN(f->world, ILK_WITH(Health));
    assert_int_equal(ilk_remove(f->world, e, &Health_type), ILK_MISSING);
    assert_int_equal(ilk_remove(f->world, e, &Velocity_type), ILK_MISSING);
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(ilk_remove(f->world, e, &Position_type), ILK_DEAD);
    assert_true(ilk_has(f->world, other, &Health_type));
}

static void check_remove_all(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    ilk_entity other = put(f->world, where, ILK_VALUE(Position, 3, 4));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_ok(ilk_add(f->world, other, ILK_WITH(Health)));
    uint32_t kept = ilk_types_of(f->world, other, NULL, 0);
    assert_ok(ilk_remove_all(f->world, e));
    assert_true(ilk_alive(f->world, e));
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 0);
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_int_equal(ilk_types_of(f->world, other, NULL, 0), kept);
    assert_true(same_position(ILK_GET(f->world, other, Position), 3, 4));
    assert_ok(ilk_remove_all(f->world, e));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 5, 6)));
    assert_true(same_position(ILK_GET(f->world, e, Position), 5, 6));
    assert_quiet(f);
}

// R000.24
static void remove_all_touches_no_other(void** state) {
    (void)state;
    at_each_place(check_remove_all);
}

// R000.24
static void remove_all_of_nothing_is_fine(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_remove_all(f->world, e));
    assert_true(ilk_alive(f->world, e));
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(ilk_remove_all(f->world, e), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_remove_all");
}

static void check_others(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Anchor, 9)));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 3)));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Velocity, 4, 5)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_ok(ilk_remove(f->world, e, &Health_type));
    for (int settled = 0; settled < 2; settled++) {
        assert_true(same_position(ILK_GET(f->world, e, Position), 1, 2));
        assert_int_equal(ILK_GET(f->world, e, Anchor)->depth, 9);
        assert_true(ILK_GET(f->world, e, Velocity)->y == 5);
        assert_true(ilk_has(f->world, e, &Enemy_type));
        assert_false(ilk_has(f->world, e, &Health_type));
        settle_fully(f->world);
    }
}

// R000.26 R001.20
static void a_change_leaves_other_components_alone(void** state) {
    (void)state;
    at_each_place(check_others);
}

// R001.5 R001.20
static void a_second_add_and_a_second_remove_fail(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Position)));
    assert_int_equal(ilk_add(f->world, e, ILK_WITH(Position)), ILK_EXISTS);
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_int_equal(ilk_remove(f->world, e, &Position_type), ILK_MISSING);
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 0);
}

// R002.16
static void has_never_fails(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_true(ilk_has(f->world, e, &Position_type));
    assert_false(ilk_has(f->world, e, &Velocity_type));
    assert_false(ilk_has(f->world, (ilk_entity){0}, &Position_type));
    assert_false(ilk_has(f->world, (ilk_entity){UINT32_MAX, UINT32_MAX}, &Position_type));
    assert_ok(ilk_destroy(f->world, e));
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_quiet(f);
    assert_int_equal(ilk_error(f->world).result, ILK_OK);
}

static void check_toggle(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    assert_true(ilk_enabled(f->world, e, &Position_type));
    assert_ok(ilk_enable(f->world, e, &Position_type));
    assert_ok(ilk_disable(f->world, e, &Position_type));
    assert_ok(ilk_disable(f->world, e, &Position_type));
    assert_false(ilk_enabled(f->world, e, &Position_type));
    assert_true(ilk_has(f->world, e, &Position_type));
    assert_true(same_position(ILK_GET(f->world, e, Position), 1, 2));
    ILK_EDIT(f->world, e, Position)->x = 3;
    assert_int_equal(ilk_add(f->world, e, ILK_WITH(Position)), ILK_EXISTS);
    assert_false(ilk_enabled(f->world, e, &Position_type));
    settle_fully(f->world);
    assert_false(ilk_enabled(f->world, e, &Position_type));
    assert_ok(ilk_enable(f->world, e, &Position_type));
    assert_true(ilk_enabled(f->world, e, &Position_type));
    assert_true(same_position(ILK_GET(f->world, e, Position), 3, 2));
}

// Off, a component keeps its value and is still reached.
static void a_component_is_switched_off_and_on(void** state) {
    (void)state;
    at_each_place(check_toggle);
}

static void check_toggle_reset(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    ilk_entity beside = put(f->world, where, ILK_VALUE(Position, 3, 4));
    assert_ok(ilk_disable(f->world, e, &Position_type));
    assert_true(ilk_enabled(f->world, beside, &Position_type));
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_false(ilk_enabled(f->world, e, &Position_type));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Position)));
    assert_true(ilk_enabled(f->world, e, &Position_type));
    assert_ok(ilk_disable(f->world, e, &Position_type));
    assert_ok(ilk_set(f->world, e, ILK_WITH(Position)));
    assert_true(ilk_enabled(f->world, e, &Position_type));
    assert_ok(ilk_disable(f->world, e, &Position_type));
    assert_ok(ilk_destroy(f->world, e));
    assert_false(ilk_enabled(f->world, e, &Position_type));
    ilk_entity heir = put(f->world, where, ILK_VALUE(Position, 5, 6));
    assert_true(ilk_enabled(f->world, heir, &Position_type));
}

// What is removed or given anew is switched on again.
static void giving_anew_switches_on(void** state) {
    (void)state;
    at_each_place(check_toggle_reset);
}

static void check_tag(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_WITH(Enemy));
    uint32_t count = ilk_stats_of(f->world, &Enemy_type).count;
    ilk_result result = ILK_BROKEN;
    ilk_get(f->world, e, &Enemy_type, &result);
    assert_int_equal(result, ILK_OK);
    assert_true(ilk_has(f->world, e, &Enemy_type));
    assert_false(ilk_has(f->world, e, &Frozen_type));
    assert_int_equal(ilk_add(f->world, e, ILK_WITH(Enemy)), ILK_EXISTS);
    assert_ok(ilk_set(f->world, e, ILK_WITH(Enemy)));
    assert_ok(ilk_disable(f->world, e, &Enemy_type));
    assert_false(ilk_enabled(f->world, e, &Enemy_type));
    assert_ok(ilk_remove(f->world, e, &Enemy_type));
    assert_int_equal(ilk_remove(f->world, e, &Enemy_type), ILK_MISSING);
    assert_false(ilk_has(f->world, e, &Enemy_type));
    assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, count - 1);
}

// R000.25
static void tags_are_components(void** state) {
    (void)state;
    at_each_place(check_tag);
}

// R000.25
static void a_tag_is_reached_like_a_value(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Enemy));
    ilk_entity other = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_non_null(ilk_get(f->world, e, &Enemy_type, NULL));
    assert_non_null(ilk_edit(f->world, e, &Enemy_type));
    assert_non_null(ilk_ensure(f->world, other, &Frozen_type));
    assert_true(ilk_has(f->world, other, &Frozen_type));
    assert_null(ilk_get(f->world, other, &Enemy_type, NULL));
    assert_int_equal(ilk_types_of(f->world, other, NULL, 0), 2);
}

// A naive picture of one entity, to compare with after random changes.
enum {
    TRACKED = 300,
    KINDS = 4
};
typedef struct picture {
    ilk_entity e;
    bool has[KINDS];
    uint32_t value[KINDS];
} picture;

static ilk_type tracked_types[KINDS] = {
    {.name = "tracked0", .size = 4},
    {.name = "tracked1", .size = 4},
    {.name = "tracked2", .size = 4},
    {.name = "tracked3", .size = 4},
};

static void change_at_random(ilk_world* world, picture* p, uint64_t* seed) {
    uint32_t kind = next_random(seed) % KINDS;
    uint32_t value = next_random(seed);
    if (ilk_is_null(p->e)) {
        *p = (picture){.e = ilk_spawn(world, &(ilk_value){&tracked_types[kind], &value}, 1)};
        p->has[kind] = true;
        p->value[kind] = value;
    } else if (next_random(seed) % 16 == 0) {
        assert_ok(ilk_destroy(world, p->e));
        p->e = (ilk_entity){0};
    } else if (p->has[kind] && next_random(seed) % 2) {
        assert_ok(ilk_remove(world, p->e, &tracked_types[kind]));
        p->has[kind] = false;
    } else {
        assert_ok(ilk_set(world, p->e, (ilk_value){&tracked_types[kind], &value}));
        p->has[kind] = true;
        p->value[kind] = value;
    }
}

static void assert_picture(const ilk_world* world, const picture* p) {
    if (ilk_is_null(p->e)) {
        return;
    }
    assert_entity(ilk_entity_at(world, p->e.index), p->e);
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        const uint32_t* value = ilk_get(world, p->e, &tracked_types[kind], NULL);
        assert_int_equal(value != NULL, p->has[kind]);
        assert_true(!value || *value == p->value[kind]);
    }
}

// R002.11 R003.1
static void random_changes_keep_the_world_sound(void** state) {
    fixture* f = *state;
    static picture pictures[TRACKED];
    memset(pictures, 0, sizeof(pictures));
    uint64_t seed = 42;
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < 500; i++) {
            change_at_random(f->world, &pictures[next_random(&seed) % TRACKED], &seed);
        }
        if (round % 3 == 0) {
            ilk_settle(f->world, 1 + next_random(&seed) % 8);
        }
        for (int i = 0; i < TRACKED; i++) {
            assert_picture(f->world, &pictures[i]);
        }
        assert_valid(f->world);
    }
}

// The readers are compiled into the caller; the functions are there for pointers and other
// languages.
static void functions_say_what_their_inline_forms_say(void** state) {
    fixture* f = *state;
    const void* (*get)(const ilk_world*, ilk_entity, ilk_type*, ilk_result*) = ilk_get;
    void* (*write)(ilk_world*, ilk_entity, ilk_type*) = ilk_edit;
    bool (*has)(const ilk_world*, ilk_entity, ilk_type*) = ilk_has;
    bool (*alive)(const ilk_world*, ilk_entity) = ilk_alive;
    ilk_type unused = {.name = "unused", .size = 4};
    ilk_type* types[] = {&Position_type, &Velocity_type, &Enemy_type, &unused, NULL};
    ilk_entity e[3] = {ILK_SPAWN(f->world, ILK_WITH(Position)), ilk_create(f->world)};
    e[2] = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Enemy));
    assert_ok(ilk_add(f->world, e[0], ILK_WITH(Velocity)));
    assert_ok(ilk_destroy(f->world, e[2]));
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(alive(f->world, e[i]), ilk_alive(f->world, e[i]));
        for (uint32_t k = 0; k < 5; k++) {
            ilk_result one = ILK_BROKEN, other = ILK_BROKEN;
            assert_ptr_equal(get(f->world, e[i], types[k], &one),
                             ilk_get(f->world, e[i], types[k], &other));
            assert_int_equal(one, other);
            assert_int_equal(has(f->world, e[i], types[k]), ilk_has(f->world, e[i], types[k]));
            assert_ptr_equal(write(f->world, e[i], types[k]), ilk_edit(f->world, e[i], types[k]));
            assert_null(get(NULL, e[i], types[k], NULL));
            assert_null(ilk_get(NULL, e[i], types[k], NULL));
            assert_false(ilk_has(NULL, e[i], types[k]));
        }
        assert_false(ilk_alive(NULL, e[i]));
        assert_null(ilk_edit(NULL, e[i], &Position_type));
    }
    assert_non_null(ilk_get(f->world, e[0], &Velocity_type, NULL));
    assert_null(ilk_get(f->world, e[1], &Velocity_type, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_verb_on_what_is_there),
        cmocka_unit_test(each_verb_on_what_is_not_there),
        WORLD_TEST(each_verb_on_the_dead),
        WORLD_TEST(each_verb_on_an_entity_of_another_world),
        WORLD_TEST(each_verb_without_a_type),
        cmocka_unit_test(add_keeps_the_old_value),
        cmocka_unit_test(set_adds_or_overwrites),
        cmocka_unit_test(replace_never_adds),
        cmocka_unit_test(ensure_gives_what_is_there_or_the_default),
        cmocka_unit_test(get_tells_dead_from_missing),
        cmocka_unit_test(what_is_written_stays),
        WORLD_TEST(write_of_what_is_missing_is_refused),
        cmocka_unit_test(remove_takes_one_away),
        WORLD_TEST(remove_says_whether_there_was_one),
        cmocka_unit_test(remove_all_touches_no_other),
        WORLD_TEST(remove_all_of_nothing_is_fine),
        cmocka_unit_test(a_change_leaves_other_components_alone),
        WORLD_TEST(a_second_add_and_a_second_remove_fail),
        WORLD_TEST(has_never_fails),
        WORLD_TEST(functions_say_what_their_inline_forms_say),
        cmocka_unit_test(a_component_is_switched_off_and_on),
        cmocka_unit_test(giving_anew_switches_on),
        cmocka_unit_test(tags_are_components),
        WORLD_TEST(a_tag_is_reached_like_a_value),
        WORLD_TEST(random_changes_keep_the_world_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
