// Types that are left out of history: who has a value is part of it, what it is is not.
#include <ilk/delta.h>

#include "film_support.h"

typedef struct Glow {
    uint32_t light;
} Glow;
static const Glow faint = {5};
ILK_COMPONENT_WITH(Glow, .unrecorded = true, .default_value = &faint);

// It owns a text as Owned does, and cannot be copied.
typedef struct Label {
    char* text;
} Label;
ILK_COMPONENT_WITH(Label, .unrecorded = true,
                   .hooks = {.init = owned_init, .drop = owned_drop, .context = &hooks_called});

static uint32_t light_of(const ilk_world* world, ilk_entity e) {
    const Glow* glow = ILK_GET(world, e, Glow);
    return glow ? glow->light : 0;
}

static void values_stay_with_their_entities(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity stays = ILK_SPAWN(world, ILK_VALUE(Position, .x = 1), ILK_VALUE(Glow, 10));
    ilk_entity goes = ILK_SPAWN(world, ILK_VALUE(Position, .x = 2), ILK_VALUE(Glow, 20));
    ilk_entity loses = ILK_SPAWN(world, ILK_VALUE(Position, .x = 3), ILK_VALUE(Glow, 30));
    ilk_entity moves = ILK_SPAWN(world, ILK_VALUE(Position, .x = 4), ILK_VALUE(Glow, 40));
    ilk_entity gains = ILK_SPAWN(world, ILK_VALUE(Position, .x = 5));
    ilk_snapshot* before = ilk_snapshot_take(world);
    ILK_EDIT(world, stays, Glow)->light = 11;
    ILK_EDIT(world, stays, Position)->x = 9;
    assert_ok(ilk_destroy(world, goes));
    assert_ok(ilk_remove(world, loses, &Glow_type));
    assert_ok(ilk_set(world, moves, ILK_VALUE(Health, 3)));
    ILK_EDIT(world, moves, Glow)->light = 41;
    assert_ok(ilk_set(world, gains, ILK_VALUE(Glow, 50)));
    ilk_entity comes = ILK_SPAWN(world, ILK_VALUE(Position, .x = 6), ILK_VALUE(Glow, 60));
    assert_ok(ilk_snapshot_restore(before));
    assert_valid(world);
    assert_true(ILK_GET(world, stays, Position)->x == 1);
    assert_int_equal(light_of(world, stays), 11);
    assert_int_equal(light_of(world, goes), faint.light);
    assert_int_equal(light_of(world, loses), faint.light);
    assert_int_equal(light_of(world, moves), 41);
    assert_false(ilk_has(world, gains, &Glow_type));
    assert_false(ilk_alive(world, comes));
}

// The slot of one that went is not that one.
static void another_of_the_same_index_leaves_nothing(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity first = ILK_SPAWN(world, ILK_VALUE(Glow, 10));
    ilk_snapshot* before = ilk_snapshot_take(world);
    assert_ok(ilk_destroy(world, first));
    ilk_entity second = ILK_SPAWN(world, ILK_VALUE(Glow, 20));
    assert_int_equal(first.index, second.index);
    assert_ok(ilk_snapshot_restore(before));
    assert_int_equal(light_of(world, first), faint.light);
}

static void resources_stay_or_come_as_the_default(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_snapshot* without = ilk_snapshot_take(world);
    assert_ok(ilk_resource_set(world, ILK_VALUE(Glow, 10)));
    ilk_snapshot* with = ilk_snapshot_take(world);
    ILK_RESOURCE_EDIT(world, Glow)->light = 20;
    assert_ok(ilk_snapshot_restore(with));
    assert_int_equal(ILK_RESOURCE_GET(world, Glow)->light, 20);
    assert_ok(ilk_snapshot_restore(without));
    assert_false(ilk_resource_has(world, &Glow_type));
    assert_ok(ilk_snapshot_restore(with));
    assert_int_equal(ILK_RESOURCE_GET(world, Glow)->light, faint.light);
    assert_valid(world);
}

static void opened_they_are_the_default(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e =
        ILK_SPAWN(world, ILK_VALUE(Position, .x = 1), ILK_VALUE(Glow, 10), ILK_WITH(Label));
    ilk_entity without = ILK_SPAWN(world, ILK_VALUE(Position, .x = 2));
    assert_ok(ilk_resource_set(world, ILK_VALUE(Glow, 10)));
    ilk_world* past = ilk_snapshot_open(ilk_snapshot_take(world));
    ILK_EDIT(world, e, Label)->text[0] = 'F';
    assert_int_equal(light_of(past, e), faint.light);
    assert_string_equal(ILK_GET(past, e, Label)->text, "fresh");
    assert_false(ilk_has(past, without, &Glow_type));
    assert_int_equal(ILK_RESOURCE_GET(past, Glow)->light, faint.light);
    assert_valid(past);
    ilk_world_destroy(past);
    assert_string_equal(ILK_GET(world, e, Label)->text, "Fresh");
}

static void no_hash_counts_them(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, .x = 1), ILK_VALUE(Glow, 10));
    assert_ok(ilk_resource_set(world, ILK_VALUE(Glow, 10)));
    uint64_t hash = ilk_hash(world), layout = ilk_hash_layout(world);
    ilk_tick(world);
    ILK_EDIT(world, e, Glow)->light = 11;
    ILK_RESOURCE_EDIT(world, Glow)->light = 11;
    assert_int_equal(ilk_hash(world), hash);
    assert_int_equal(ilk_hash_layout(world), layout);
    assert_ok(ilk_disable(world, e, &Glow_type));
    assert_int_not_equal(ilk_hash(world), hash);
}

// A delta says who has one; what it is stays with each world.
static void no_delta_sends_them(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 0);
    ilk_entity e =
        ILK_SPAWN(f->world, ILK_VALUE(Position, .x = 1), ILK_VALUE(Glow, 10), ILK_WITH(Label));
    ilk_entity gains = ILK_SPAWN(f->world, ILK_VALUE(Position, .x = 2));
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Glow, 10)));
    ilk_snapshot* first = ilk_snapshot_take(f->world);
    size_t size;
    const void* bytes = ilk_delta_make(NULL, first, &size);
    assert_non_null(bytes);
    assert_ok(ilk_delta_apply(other, bytes, size));
    assert_int_equal(light_of(other, e), faint.light);
    assert_string_equal(ILK_GET(other, e, Label)->text, "fresh");
    assert_int_equal(ILK_RESOURCE_GET(other, Glow)->light, faint.light);
    ILK_EDIT(other, e, Glow)->light = 70;
    ILK_EDIT(f->world, e, Glow)->light = 11;
    ILK_EDIT(f->world, e, Position)->x = 4;
    assert_ok(ilk_set(f->world, gains, ILK_VALUE(Glow, 50)));
    bytes = ilk_delta_make(first, ilk_snapshot_take(f->world), &size);
    assert_non_null(bytes);
    assert_ok(ilk_delta_apply(other, bytes, size));
    assert_true(ILK_GET(other, e, Position)->x == 4);
    assert_int_equal(light_of(other, e), 70);
    assert_int_equal(light_of(other, gains), faint.light);
    assert_valid(other);
    ilk_divergence divergence;
    assert_ok(ilk_diverge(f->world, other, &divergence));
    assert_int_equal(divergence.what, 0);
    ilk_world_destroy(other);
    assert_quiet(f);
}

static const ilk_relation plain = {0};
static ilk_type Near_type = {.name = "Near",
                             .size = sizeof(ilk_link),
                             .align = _Alignof(ilk_link),
                             .unrecorded = true,
                             .relation = &plain};
ILK_RELATION_WITH(Lights, .value = &Glow_type);

static void relations_and_events_are_recorded(void** state) {
    fixture* f = *state;
    ilk_entity a = ilk_create(f->world), b = ilk_create(f->world);
    assert_int_equal(ilk_relate(f->world, a, &Near_type, b), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_relate");
    assert_non_null(strstr(f->told.text, "always recorded"));
    assert_int_equal(ilk_relate(f->world, a, &Lights_type, b), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_relate");
    assert_int_equal(ilk_emit(f->world, ILK_VALUE(Glow, 1)), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_emit");
    assert_non_null(strstr(f->told.text, "Glow is unrecorded"));
}

// What each entity has.
enum {
    MOST = 64
};
typedef struct lights {
    ilk_entity entities[MOST];
    bool has[MOST];
    uint32_t light[MOST];
} lights;

static lights look(const ilk_world* world) {
    lights all = {0};
    for (uint32_t i = 0; i < MOST; i++) {
        all.entities[i] = ilk_entity_at(world, i);
        all.has[i] = ilk_has(world, all.entities[i], &Glow_type);
        all.light[i] = light_of(world, all.entities[i]);
    }
    return all;
}

static void assert_gone_back(const ilk_world* world, const lights* was, const lights* now) {
    for (uint32_t i = 0; i < MOST; i++) {
        ilk_entity e = was->entities[i];
        assert_true(ilk_same(e, ilk_entity_at(world, i)));
        assert_int_equal(ilk_has(world, e, &Glow_type), was->has[i]);
        bool is_kept = ilk_same(e, now->entities[i]) && now->has[i];
        if (was->has[i]) {
            assert_int_equal(light_of(world, e), is_kept ? now->light[i] : faint.light);
        }
    }
}

static void change_some_light(ilk_world* world) {
    ilk_entity e = ilk_entity_at(world, chance(MOST));
    if (!ilk_alive(world, e)) {
        if (ilk_stats(world).alive < MOST) ILK_SPAWN(world, ILK_VALUE(Glow, 100 + chance(100)));
        return;
    }
    switch (chance(9)) {
    case 0:
        assert_ok(ilk_destroy(world, e));
        break;
    case 1:
        assert_ok(ilk_set(world, e, ILK_VALUE(Position, .x = 1)));
        break;
    case 2:
        assert_ok(ilk_set(world, e, ILK_VALUE(Health, 2)));
        break;
    case 3:
        if (ilk_has(world, e, &Position_type)) assert_ok(ilk_remove(world, e, &Position_type));
        break;
    case 4:
        if (ilk_has(world, e, &Glow_type)) assert_ok(ilk_remove(world, e, &Glow_type));
        break;
    case 5:
        ilk_ensure(world, e, &Label_type);
        break;
    case 6:
        if (ilk_has(world, e, &Label_type)) assert_ok(ilk_remove(world, e, &Label_type));
        break;
    case 7:
        assert_ok(ilk_set(world, e, ILK_VALUE(Glow, 100 + chance(100))));
        break;
    default:
        ilk_settle(world, 1000);
    }
}

static void travel(ilk_world* world, ilk_snapshot** snapshots, lights* was) {
    uint32_t at = chance(KEPT);
    if (!snapshots[at]) {
        snapshots[at] = ilk_snapshot_take(world);
        assert_non_null(snapshots[at]);
        was[at] = look(world);
    } else if (chance(3) == 0) {
        ilk_snapshot_release(snapshots[at]);
        snapshots[at] = NULL;
    } else {
        lights now = look(world);
        assert_ok(ilk_snapshot_restore(snapshots[at]));
        assert_gone_back(world, &was[at], &now);
    }
    assert_valid(world);
}

// Labels count what was made and dropped; the fixture's end finds what is left.
static void they_stay_wherever_one_goes(void** state) {
    for (uint32_t seed = 1; seed <= 40; seed++) {
        open_world(state);
        ilk_world* world = ((fixture*)*state)->world;
        ilk_snapshot* snapshots[KEPT] = {0};
        lights was[KEPT];
        random_state = seed;
        for (uint32_t i = 0; i < 1500; i++) {
            change_some_light(world);
            if (chance(12) == 0) travel(world, snapshots, was);
        }
        hook_log hooks = hooks_taken();
        assert_int_equal(hooks.copies, 0);
        int labels = 0;
        for (uint32_t i = 0; i < MOST; i++) {
            labels += ilk_has(world, ilk_entity_at(world, i), &Label_type);
        }
        assert_int_equal(hooks.inits - hooks.drops, labels);
        close_world(state);
    }
}

static void want_of_memory_changes_nothing(void** state) {
    fixture* f = *state;
    random_state = 7;
    for (uint32_t i = 0; i < 300; i++) change_some_light(f->world);
    ilk_resource_ensure(f->world, &Label_type);
    ilk_snapshot* before = take_with_little(f);
    for (uint32_t i = 0; i < 300; i++) change_some_light(f->world);
    assert_ok(ilk_resource_remove(f->world, &Label_type));
    ilk_snapshot* between = ilk_snapshot_take(f->world);
    assert_ok(ilk_snapshot_restore(before));
    picture then = paint_world(f->world); // with what stayed
    assert_ok(ilk_snapshot_restore(between));
    restore_with_little(f, before, then);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(values_stay_with_their_entities),
        WORLD_TEST(another_of_the_same_index_leaves_nothing),
        WORLD_TEST(resources_stay_or_come_as_the_default),
        WORLD_TEST(opened_they_are_the_default),
        WORLD_TEST(no_hash_counts_them),
        WORLD_TEST(no_delta_sends_them),
        WORLD_TEST(relations_and_events_are_recorded),
        cmocka_unit_test(they_stay_wherever_one_goes),
        WORLD_TEST(want_of_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
