// Opened snapshots: a world that shows what was, whatever happens meanwhile.
#include "turmoil_support.h"

// All that a world is, of one that shows a snapshot too.
static picture paint_all(const ilk_world* world) {
    assert_int_not_equal(ilk_stats(world).types, UINT32_MAX); // fetches everything
    return paint_world(world);
}

typedef struct viewing {
    film film;
    ilk_world* views[KEPT][2];
    bool is_released[KEPT];
} viewing;

static void close_views(viewing* v, uint32_t at) {
    for (uint32_t i = 0; i < 2; i++) {
        ilk_world_destroy(v->views[at][i]);
        v->views[at][i] = NULL;
    }
}

// Those who look at a snapshot keep it.
static void forget(viewing* v, uint32_t at) {
    if (chance(2)) close_views(v, at);
    ilk_snapshot_release(v->film.snapshots[at]);
    v->is_released[at] = true;
}

static void end_frame(viewing* v, uint32_t at) {
    close_views(v, at);
    if (!v->is_released[at]) ilk_snapshot_release(v->film.snapshots[at]);
    free(v->film.pictures[at].text);
    v->film.snapshots[at] = NULL;
    v->is_released[at] = false;
}

static void look_at(viewing* v, uint32_t at, uint32_t which) {
    const ilk_world* view = v->views[at][which];
    if (!view) return;
    assert_same_picture(copy_of(v->film.pictures[at]), paint_all(view));
    assert_valid(view);
}

static void open_or_close(viewing* v, uint32_t at) {
    ilk_world** view = &v->views[at][chance(2)];
    if (*view) {
        ilk_world_destroy(*view);
        *view = NULL;
    } else if (!v->is_released[at]) {
        *view = ilk_snapshot_open(v->film.snapshots[at]);
        assert_non_null(*view);
    }
}

static void take_frame(viewing* v, ilk_world* world, uint32_t at) {
    v->film.snapshots[at] = ilk_snapshot_take(world);
    assert_non_null(v->film.snapshots[at]);
    v->film.pictures[at] = paint_world(world);
}

static void travel(viewing* v, ilk_world* world) {
    uint32_t at = chance(KEPT);
    if (!v->film.snapshots[at]) {
        take_frame(v, world, at);
        return;
    }
    switch (chance(8)) {
    case 0:
        end_frame(v, at);
        break;
    case 1:
        if (!v->is_released[at]) forget(v, at);
        break;
    case 2:
        if (v->is_released[at]) break;
        assert_ok(ilk_snapshot_restore(v->film.snapshots[at]));
        assert_same_picture(copy_of(v->film.pictures[at]), paint_world(world));
        break;
    case 3:
    case 4:
    case 5:
        open_or_close(v, at);
        break;
    default:
        look_at(v, at, chance(2));
    }
    assert_valid(world);
}

// Random changes, with snapshots that are taken, opened, looked at, restored, released and closed
// in any order.
static void view_film(ilk_world* world, uint32_t seed, uint32_t count) {
    viewing v = {0};
    random_state = seed;
    for (uint32_t i = 0; i < count; i++) {
        change_something(world);
        if (chance(6) == 0) travel(&v, world);
    }
    for (uint32_t i = 0; i < KEPT; i++) {
        look_at(&v, i, 0);
        look_at(&v, i, 1);
    }
    for (uint32_t i = 0; i < KEPT; i++) {
        if (v.film.snapshots[i]) end_frame(&v, i);
    }
    assert_int_equal(ilk_snapshot_count(world), 0);
    assert_valid(world);
}

static void what_was_is_shown(void** state) {
    for (uint32_t seed = 1; seed <= 30; seed++) {
        open_world(state);
        view_film(((fixture*)*state)->world, seed, 1500);
        close_world(state);
    }
}

// Opening lacks memory after 0, 1, 2… requests: then nothing has changed.
static ilk_world* open_with_little(fixture* f, ilk_snapshot* snapshot) {
    ilk_world* view = NULL;
    for (uint64_t most = 0; !view; most++) {
        assert_true(most < 10000);
        picture before = paint_world(f->world);
        f->memory.left = most;
        view = ilk_snapshot_open(snapshot);
        f->memory.left = UINT64_MAX;
        if (!view) assert_int_equal(ilk_error(f->world).result, ILK_NO_MEMORY);
        assert_valid(f->world);
        assert_same_picture(before, paint_world(f->world));
    }
    return view;
}

static ilk_result get_of(const ilk_world* view, ilk_entity e) {
    ilk_result result;
    const Position* p = ilk_get(view, e, &Position_type, &result);
    assert_int_equal(result == ILK_OK, p != NULL);
    return result;
}

static ilk_result stats_of(const ilk_world* view, ilk_entity e) {
    (void)e;
    bool is_there = ilk_stats(view).types > 0;
    return is_there ? ILK_OK : ilk_error((ilk_world*)(uintptr_t)view).result;
}

static ilk_result resource_of(const ilk_world* view, ilk_entity e) {
    (void)e;
    bool is_there = ilk_resource_get(view, &Owned_type) != NULL;
    return is_there ? ILK_OK : ilk_error((ilk_world*)(uintptr_t)view).result;
}

static ilk_result query_of(const ilk_world* view, ilk_entity e) {
    ilk_world* world = (ilk_world*)(uintptr_t)view;
    (void)e;
    ilk_query* query = ilk_query_create(
        world, &(ilk_query_desc){.read = {&Owned_type}, .maybe = {&Large_type}, .where = "Health"});
    if (!query) return ilk_error(world).result;
    ilk_query_destroy(query);
    return ILK_OK;
}

typedef ilk_result ask_fn(const ilk_world* view, ilk_entity e);

// A question lacks memory: it says so, and can be asked again.
static void ask_with_little(fixture* f, const ilk_world* view, ilk_entity e, ask_fn* ask) {
    ilk_result result = ILK_NO_MEMORY;
    for (uint64_t most = 0; result != ILK_OK; most++) {
        assert_true(most < 10000);
        f->memory.left = most;
        result = ask(view, e);
        f->memory.left = UINT64_MAX;
        assert_true(result == ILK_OK || result == ILK_NO_MEMORY);
    }
}

static ilk_entity fill(ilk_world* world) {
    random_state = 5;
    for (uint32_t i = 0; i < 600; i++) change_something(world);
    assert_ok(ilk_resource_set(world, ILK_WITH(Owned)));
    return ILK_SPAWN(world, ILK_VALUE(Position, 1, 2), ILK_WITH(Owned), ILK_WITH(Health),
                     ILK_WITH(Large));
}

// Each question as the first one, in a world that has not changed since, and in one that has.
static void reading_may_lack_memory(void** state) {
    ask_fn* const questions[] = {get_of, stats_of, resource_of, query_of};
    fixture* f = *state;
    ilk_entity e = fill(f->world);
    for (uint32_t i = 0; i < 2 * COUNT_OF(questions); i++) {
        ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
        picture then = paint_world(f->world);
        ilk_world* view = open_with_little(f, snapshot);
        for (uint32_t n = 0; i % 2 && n < 50; n++) change_something(f->world);
        ask_with_little(f, view, e, questions[i / 2]);
        assert_same_picture(then, paint_all(view));
        assert_valid(view);
        assert_ok(ilk_snapshot_restore(snapshot));
        ilk_world_destroy(view);
        ilk_snapshot_release(snapshot);
    }
}

// What was fetched before a snapshot was lost stays; nothing else can be fetched.
static void a_lost_snapshot_is_stale(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_VALUE(Health, 3));
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Anchor, 4)));
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    ilk_world* view = ilk_snapshot_open(snapshot);
    ilk_result result;
    assert_true(same_position(ILK_GET(view, e, Position), 1, 2));
    f->memory.left = 0;
    ILK_RESOURCE_EDIT(f->world, Anchor)->depth = 5;
    f->memory.left = UINT64_MAX;
    assert_true(ilk_snapshot_stats_of(snapshot).is_lost);
    assert_true(same_position(ILK_GET(view, e, Position), 1, 2));
    assert_null(ilk_get(view, e, &Health_type, &result));
    assert_int_equal(result, ILK_STALE);
    assert_non_null(strstr(ilk_error(view).text, "the snapshot was lost"));
    assert_false(ilk_has(view, e, &Health_type));
    assert_null(ilk_resource_get(view, &Anchor_type));
    assert_int_equal(ilk_hash(view), 0);
    assert_null(ilk_snapshot_open(snapshot));
    assert_int_equal(ilk_error(f->world).result, ILK_STALE);
    ilk_world_destroy(view);
    ilk_snapshot_release(snapshot);
}

// Values with hooks are copied if the world still has them, and read where the snapshot has them.
static void owning_values_are_copied_by_their_hooks(void** state) {
    fixture* f = *state;
    ilk_entity a = ILK_SPAWN(f->world, ILK_WITH(Owned), ILK_WITH(Position));
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    ilk_world *one = ilk_snapshot_open(snapshot), *two = ilk_snapshot_open(snapshot);
    hooks_taken();
    assert_string_equal(ILK_GET(one, a, Owned)->text, "fresh");
    assert_string_equal(ILK_GET(one, a, Owned)->text, "fresh");
    assert_hooks(0, 1, 0);
    ILK_EDIT(f->world, a, Owned)->text[0] = 'F';
    assert_hooks(0, 1, 0); // saved
    assert_string_equal(ILK_GET(two, a, Owned)->text, "fresh");
    assert_hooks(0, 0, 0);
    ilk_world_destroy(one);
    assert_hooks(0, 0, 1);
    ilk_world_destroy(two);
    assert_hooks(0, 0, 0);
    ilk_snapshot_release(snapshot);
    assert_hooks(0, 0, 1);
}

static void released_snapshots_go_when_they_are_closed(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    ilk_world *one = ilk_snapshot_open(snapshot), *two = ilk_snapshot_open(snapshot);
    ilk_snapshot_release(snapshot);
    assert_int_equal(ilk_snapshot_count(f->world), 1);
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Position, 3, 4)));
    ilk_world_destroy(one);
    assert_true(same_position(ILK_GET(two, e, Position), 1, 2));
    assert_int_equal(ilk_snapshot_count(f->world), 1);
    ilk_world_destroy(two);
    assert_int_equal(ilk_snapshot_count(f->world), 0);
}

static void all_are_closed_with_the_world(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 3);
    ilk_entity e = ILK_SPAWN(world, ILK_WITH(Owned), ILK_WITH(Position));
    ilk_ring* ring = ilk_ring_create(world, &(ilk_ring_desc){.frames = 2});
    ilk_world* view = ilk_snapshot_open(ilk_ring_at(ring, 0, NULL));
    assert_non_null(ILK_GET(view, e, Owned));
    for (uint32_t i = 0; i < 5; i++) {
        assert_ok(ilk_set(world, e, ILK_VALUE(Position, .x = (float)i)));
        assert_ok(ilk_ring_push(ring));
    }
    assert_true(same_position(ILK_GET(view, e, Position), 0, 0));
    assert_int_equal(ilk_snapshot_count(world), 3); // that of frame 0 is kept open
    ilk_snapshot* again = ilk_snapshot_take(world);
    assert_non_null(ilk_snapshot_open(again));
    assert_non_null(ilk_snapshot_open(again));
    ilk_world_destroy(world);
}

// The last snapshot goes with the last one that shows it.
static void released_ones_are_closed_with_the_world(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 3);
    ILK_SPAWN(world, ILK_WITH(Owned), ILK_WITH(Position));
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    assert_true(ilk_snapshot_open(snapshot) && ilk_snapshot_open(snapshot));
    ilk_snapshot_release(snapshot);
    ilk_world_destroy(world);
}

// Going back to the newest snapshot gives the world another block, which an older one shares too;
// where the first one was, something else is.
static void blocks_that_came_back_are_found(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    ilk_snapshot *older = ilk_snapshot_take(f->world), *newer = ilk_snapshot_take(f->world);
    ILK_EDIT(f->world, e, Position)->x = 5;
    assert_ok(ilk_snapshot_restore(newer));
    for (uint32_t i = 0; i < 8; i++) ILK_SPAWN(f->world, ILK_VALUE(Velocity, 9, 9));
    ilk_world* view = ilk_snapshot_open(older);
    assert_true(same_position(ILK_GET(view, e, Position), 1, 2));
    ilk_world_destroy(view);
    ilk_snapshot_release(older);
    ilk_snapshot_release(newer);
}

// A type that is observed, or out, is not quick in the world, but is in one that shows a snapshot.
static ilk_result note_nothing(ilk_notice* notice) {
    (void)notice;
    return ILK_OK;
}

static void others_may_be_quick_there(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_WITH(Velocity));
    assert_non_null(ilk_observer_create(
        f->world,
        &(ilk_observer_desc){.on = ILK_ON_ADD, .type = &Position_type, .run = note_nothing}));
    assert_ok(ilk_unregister(f->world, &Velocity_type));
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    ilk_world* view = ilk_snapshot_open(snapshot);
    assert_int_not_equal(ilk_stats(view).types, UINT32_MAX); // fetches everything
    assert_valid(view);
    ilk_world_destroy(view);
    ilk_snapshot_release(snapshot);
}

// Opening is for the world's thread, between systems.
static void open_in_system(ilk_iter* it) {
    ilk_snapshot* snapshot = it->user;
    assert_null(ilk_snapshot_open(snapshot));
    assert_int_equal(ilk_error(it->world).result, ILK_LOCKED);
}

static void systems_cannot_open(void** state) {
    fixture* f = *state;
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    assert_null(ilk_snapshot_open(NULL));
    ilk_system_desc desc = {.name = "opener", .run = open_in_system, .user = snapshot};
    assert_non_null(ilk_system_create(f->world, &desc));
    assert_ok(ilk_update(f->world, 1));
    ilk_snapshot_release(snapshot);
}

// What a query of an opened snapshot finds, as handles and values of Position.
static picture paint_matches(ilk_world* world, const ilk_query_desc* desc) {
    picture p = {0};
    ilk_query* query = ilk_query_create(world, desc);
    assert_non_null(query);
    ilk_iter it = ilk_query_iter(world, query);
    while (ilk_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Position* at = ILK_GET(world, it.entities[i], Position);
            paint(&p, "%u:%u %a\n", it.entities[i].index, it.entities[i].generation,
                  at ? (double)at->x : 0.0);
        }
    }
    assert_ok(it.result);
    paint(&p, "%u\n", ilk_query_count(world, query));
    ilk_query_destroy(query);
    return p;
}

static int by_x(const void* a, const void* b) {
    float left = ((const Position*)a)->x, right = ((const Position*)b)->x;
    return (left > right) - (left < right);
}

static void queries_find_what_they_found(void** state) {
    fixture* f = *state;
    fill(f->world);
    ilk_entity parent = ILK_SPAWN(f->world, ILK_WITH(Position));
    for (uint32_t i = 0; i < 40; i++) {
        assert_ok(ilk_set_parent(f->world, ILK_SPAWN(f->world, ILK_WITH(Position)), parent));
    }
    const ilk_query_desc descs[] = {
        {.read = {&Position_type}},
        {.with = {&Health_type}, .without = {&Large_type}},
        {.any = {&Enemy_type, &Tracked_type}, .maybe = {&Owned_type}},
        {.changed = {&Tracked_type}},
        {.added = {&Tracked_type}},
        {.where = "Position, !(Health | Owned)"},
        {.relates = {{.relation = &ilk_child_of_type, .target = parent}}},
        {.relates = {{.relation = &Under_type, .having = &Health_type}}},
        {.read = {&Position_type}, .order_by = &Position_type, .compare = by_x},
        {.order_by_index = true},
    };
    picture then[COUNT_OF(descs)];
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    for (uint32_t i = 0; i < COUNT_OF(descs); i++) then[i] = paint_matches(f->world, &descs[i]);
    for (uint32_t i = 0; i < 400; i++) change_something(f->world);
    for (uint32_t i = 0; i < COUNT_OF(descs); i++) {
        ilk_world* view = ilk_snapshot_open(snapshot); // which has fetched nothing yet
        assert_same_picture(then[i], paint_matches(view, &descs[i]));
        ilk_world_destroy(view);
    }
    ilk_snapshot_release(snapshot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_is_shown),
        WORLD_TEST(reading_may_lack_memory),
        WORLD_TEST(a_lost_snapshot_is_stale),
        WORLD_TEST(owning_values_are_copied_by_their_hooks),
        WORLD_TEST(released_snapshots_go_when_they_are_closed),
        WORLD_TEST(all_are_closed_with_the_world),
        WORLD_TEST(released_ones_are_closed_with_the_world),
        WORLD_TEST(blocks_that_came_back_are_found),
        WORLD_TEST(others_may_be_quick_there),
        WORLD_TEST(systems_cannot_open),
        WORLD_TEST(queries_find_what_they_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
