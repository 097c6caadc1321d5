// Rings: the last frames of a world, to go to any of them.
#include <ilk/delta.h>

#include "picture_support.h"

static void step(ilk_world* world, uint32_t frame) {
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, (float)frame, 0));
    if (frame % 3 == 0) assert_ok(ilk_destroy(world, e));
    if (frame % 5 == 0) assert_ok(ilk_set(world, ilk_entity_at(world, 0), ILK_WITH(Health)));
}

// Frames 1 to `last` of a ring, and their pictures.
static void play(ilk_world* world, ilk_ring* ring, picture* pictures, uint32_t from, uint32_t to) {
    for (uint32_t frame = from; frame <= to; frame++) {
        step(world, frame);
        assert_ok(ilk_ring_push(ring));
        pictures[frame] = paint_world(world);
    }
}

static void assert_at(ilk_world* world, const picture* pictures, uint32_t frame) {
    picture now = paint_world(world);
    assert_int_equal(now.size, pictures[frame].size);
    assert_memory_equal(now.text, pictures[frame].text, now.size);
    free(now.text);
}

static void any_frame_is_gone_to(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    picture pictures[41] = {0};
    ilk_ring* ring = ilk_ring_create(world, &(ilk_ring_desc){.frames = 10});
    play(world, ring, pictures, 1, 40);
    ilk_ring_stats stats = ilk_ring_stats_of(ring);
    assert_int_equal(stats.frame, 40);
    assert_int_equal(stats.oldest, 31);
    assert_int_equal(stats.newest, 40);
    assert_int_equal(stats.count, 10);
    for (uint32_t frame = 31; frame <= 40; frame++) {
        assert_ok(ilk_ring_look(ring, 71 - frame));
        assert_at(world, pictures, 71 - frame);
        assert_valid(world);
    }
    assert_int_equal(ilk_ring_look(ring, 30), ILK_MISSING);
    assert_int_equal(ilk_ring_look(ring, 41), ILK_MISSING);
    assert_ok(ilk_ring_rewind(ring, 35));
    assert_at(world, pictures, 35);
    assert_int_equal(ilk_ring_stats_of(ring).newest, 35);
    for (uint32_t frame = 36; frame <= 40; frame++) {
        step(world, frame);
        assert_ok(ilk_ring_push(ring));
        assert_at(world, pictures, frame);
    }
    assert_ok(ilk_ring_look(ring, 33));
    step(world, 34);
    assert_ok(ilk_ring_push(ring));
    assert_at(world, pictures, 34);
    assert_int_equal(ilk_ring_stats_of(ring).newest, 34);
    assert_int_equal(ilk_ring_stats_of(ring).count, 4); // those of the other future are gone
    ilk_ring_destroy(ring);
    assert_int_equal(ilk_snapshot_count(world), 0);
    for (uint32_t i = 0; i <= 40; i++) free(pictures[i].text);
}

static void one_in_so_many_is_kept(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_ring* ring = ilk_ring_create(world, &(ilk_ring_desc){.frames = 4, .every = 5});
    for (uint32_t frame = 1; frame <= 27; frame++) assert_ok(ilk_ring_push(ring));
    uint64_t kept = 0;
    assert_non_null(ilk_ring_at(ring, 27, &kept));
    assert_int_equal(kept, 25);
    assert_non_null(ilk_ring_at(ring, 14, &kept));
    assert_int_equal(kept, 10);
    assert_null(ilk_ring_at(ring, 9, &kept));
    assert_int_equal(ilk_ring_rewind(ring, 12), ILK_MISSING);
    assert_ok(ilk_ring_rewind(ring, 10));
    assert_int_equal(ilk_ring_stats_of(ring).frame, 10);
    assert_int_equal(ilk_snapshot_count(world), 1);
}

// A ring holds no more bytes than it may, but for one frame.
static void memory_is_limited(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e[5000];
    assert_ok(ilk_create_many(world, e, 5000));
    for (uint32_t i = 0; i < 5000; i++) assert_ok(ilk_add(world, e[i], ILK_WITH(Anchor)));
    size_t most = 400000;
    ilk_ring* ring = ilk_ring_create(world, &(ilk_ring_desc){.frames = 100, .most = most});
    for (uint32_t frame = 0; frame < 50; frame++) {
        for (uint32_t i = 0; i < 5000; i++) ILK_EDIT(world, e[i], Anchor)->depth++;
        assert_ok(ilk_ring_push(ring));
    }
    ilk_ring_stats stats = ilk_ring_stats_of(ring);
    assert_in_range(stats.count, 2, 20);
    assert_true(stats.owned <= most);
    // What is kept for deltas is none of what snapshots hold.
    size_t size;
    assert_non_null(ilk_delta_make(NULL, ilk_ring_at(ring, stats.newest, NULL), &size));
    assert_int_equal(ilk_ring_stats_of(ring).owned, stats.owned);
    for (uint32_t i = 0; i < 5000; i++) ILK_EDIT(world, e[i], Anchor)->depth++;
    assert_ok(ilk_ring_push(ring));
    assert_int_equal(ilk_ring_stats_of(ring).count, stats.count);
    stats = ilk_ring_stats_of(ring);
    assert_ok(ilk_ring_rewind(ring, stats.oldest));
    assert_int_equal(ILK_GET(world, e[4999], Anchor)->depth, stats.oldest);
}

// What the newest frame shares with the world is no longer shared once it was written.
static void what_is_shared_is_told(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e = ILK_SPAWN(world, ILK_WITH(Anchor));
    ilk_ring* ring = ilk_ring_create(world, NULL);
    ilk_ring_stats before = ilk_ring_stats_of(ring);
    assert_int_equal(before.shared, ilk_snapshot_stats_of(ilk_ring_at(ring, 0, NULL)).shared);
    assert_true(before.shared >= sizeof(Anchor));
    ILK_EDIT(world, e, Anchor)->depth = 1;
    ilk_ring_stats after = ilk_ring_stats_of(ring);
    assert_true(after.shared + sizeof(Anchor) <= before.shared);
    assert_true(after.owned > before.owned);
}

static void there_is_no_room_for_so_many_frames(void** state) {
    fixture* f = *state;
    assert_null(ilk_ring_create(f->world, &(ilk_ring_desc){.frames = UINT32_MAX}));
    assert_told(f, ILK_NO_MEMORY, "ilk_ring_create");
    assert_non_null(strstr(f->told.text, "ilk_ring_create: no memory in world"));
    // The least of which the bytes are more than 32 bits say.
    assert_null(ilk_ring_create(f->world, &(ilk_ring_desc){.frames = 0x10000000}));
    assert_told(f, ILK_NO_MEMORY, "ilk_ring_create");
    assert_int_equal(ilk_snapshot_count(f->world), 0);
}

// A frame that cannot be kept costs none of those that are.
static void the_oldest_stays_without_memory(void** state) {
    fixture* f = *state;
    ilk_ring* ring = ilk_ring_create(f->world, &(ilk_ring_desc){.frames = 2});
    assert_ok(ilk_ring_push(ring));
    f->memory.left = 0;
    assert_int_equal(ilk_ring_push(ring), ILK_NO_MEMORY);
    assert_string_equal(f->told.call, "ilk_ring_push");
    f->memory.left = UINT64_MAX;
    ilk_ring_stats stats = ilk_ring_stats_of(ring);
    assert_int_equal(stats.frame, 2);
    assert_int_equal(stats.oldest, 0);
    assert_int_equal(stats.newest, 1);
    assert_ok(ilk_ring_push(ring));
    assert_int_equal(ilk_ring_stats_of(ring).oldest, 1);
    assert_int_equal(ilk_ring_stats_of(ring).newest, 3);
    ilk_ring_destroy(ring);
}

// What is wrong with a frame is known before others are let go for it.
static void a_rewinding_that_cannot_be_lets_nothing_go(void** state) {
    fixture* f = *state;
    assert_ok(ilk_register(f->world, &Health_type));
    ilk_ring* ring = ilk_ring_create(f->world, NULL);
    assert_ok(ilk_unregister(f->world, &Health_type));
    assert_ok(ilk_ring_push(ring));
    assert_int_equal(ilk_ring_rewind(ring, 0), ILK_CLASH);
    assert_string_equal(f->told.call, "ilk_ring_rewind");
    assert_int_equal(ilk_ring_stats_of(ring).count, 2);
    assert_ok(ilk_ring_rewind(ring, 1));
    ilk_ring_destroy(ring);
}

typedef struct meddler {
    ilk_ring* ring;
    ilk_snapshot* snapshot;
} meddler;

// While commands are applied, nothing is kept or gone to; but what is there may be let go.
static void meddle(ilk_world* world, ilk_cmd* cmd, void* user) {
    const meddler* m = user;
    (void)cmd;
    assert_int_equal(ilk_ring_push(m->ring), ILK_LOCKED);
    assert_int_equal(ilk_ring_look(m->ring, 0), ILK_LOCKED);
    assert_int_equal(ilk_ring_rewind(m->ring, 0), ILK_LOCKED);
    assert_int_equal(ilk_ring_stats_of(m->ring).frame, 1);
    assert_int_equal(ilk_snapshot_count(world), 3);
    ilk_snapshot_release(m->snapshot);
    assert_int_equal(ilk_snapshot_count(world), 2);
    ilk_ring_destroy(m->ring);
    assert_int_equal(ilk_snapshot_count(world), 0);
}

static void what_is_held_may_go_at_any_time(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, 1, 2));
    meddler m = {.ring = ilk_ring_create(world, NULL)};
    assert_ok(ilk_ring_push(m.ring));
    m.snapshot = ilk_snapshot_take(world);
    assert_ok(ilk_set(world, e, ILK_VALUE(Position, 3, 4)));
    ilk_cmd* cmd = ilk_cmd_take(world);
    assert_ok(ilk_cmd_call(cmd, meddle, &m));
    assert_int_equal(ilk_cmd_apply(cmd).done, 1);
    assert_int_equal((int)ILK_GET(world, e, Position)->x, 3);
    assert_valid(world);
}

static void fail_to_let_go(ilk_world* world, const meddler* m) {
    ilk_snapshot_release(m->snapshot);
    assert_int_equal(ilk_error(world).result, ILK_LOCKED);
    ilk_ring_destroy(m->ring);
    assert_int_equal(ilk_error(world).result, ILK_LOCKED);
    assert_int_equal(ilk_snapshot_count(world), 2);
}

static void keep_inside(ilk_iter* it) {
    fail_to_let_go(it->world, it->user);
}

static ilk_result keep_while_told(ilk_notice* n) {
    fail_to_let_go(n->world, n->user);
    return ILK_OK;
}

static void nothing_goes_inside_systems_and_observers(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    meddler m = {ilk_ring_create(world, NULL), ilk_snapshot_take(world)};
    assert_non_null(ilk_system_create(
        world, &(ilk_system_desc){.name = "keeper", .run = keep_inside, .user = &m}));
    assert_ok(ilk_update(world, 0.1));
    assert_non_null(ilk_observer_create(
        world, &(ilk_observer_desc){.on = ILK_ON_CREATE, .run = keep_while_told, .user = &m}));
    ilk_create(world);
    assert_int_equal(ilk_snapshot_count(world), 2);
}

static void nothing_is_asked_of_nothing(void** state) {
    (void)state;
    assert_null(ilk_ring_create(NULL, NULL));
    assert_int_equal(ilk_ring_push(NULL), ILK_INVALID);
    assert_int_equal(ilk_ring_look(NULL, 0), ILK_INVALID);
    assert_int_equal(ilk_ring_rewind(NULL, 0), ILK_INVALID);
    assert_int_equal(ilk_ring_stats_of(NULL).count, 0);
    assert_null(ilk_ring_at(NULL, 0, NULL));
    ilk_ring_destroy(NULL);
}

static void its_snapshots_are_its_own(void** state) {
    fixture* f = *state;
    ilk_ring* ring = ilk_ring_create(f->world, NULL);
    ilk_entity e = ilk_create(f->world);
    ilk_snapshot_release(ilk_ring_at(ring, 0, NULL));
    assert_told(f, ILK_INVALID, "ilk_snapshot_release");
    assert_non_null(strstr(f->told.text, "ring"));
    assert_ok(ilk_ring_look(ring, 0));
    assert_false(ilk_alive(f->world, e));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(any_frame_is_gone_to, open_world, close_world),
        cmocka_unit_test_setup_teardown(one_in_so_many_is_kept, open_world, close_world),
        cmocka_unit_test_setup_teardown(memory_is_limited, open_world, close_world),
        cmocka_unit_test_setup_teardown(the_oldest_stays_without_memory, open_world, close_world),
        cmocka_unit_test_setup_teardown(a_rewinding_that_cannot_be_lets_nothing_go, open_world,
                                        close_world),
        cmocka_unit_test_setup_teardown(what_is_held_may_go_at_any_time, open_world, close_world),
        cmocka_unit_test_setup_teardown(nothing_goes_inside_systems_and_observers, open_world,
                                        close_world),
        cmocka_unit_test(nothing_is_asked_of_nothing),
        WORLD_TEST(its_snapshots_are_its_own),
        WORLD_TEST(what_is_shared_is_told),
        WORLD_TEST(there_is_no_room_for_so_many_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
