// Rings: the last frames of a world, to go to any of them.
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
    assert_ok(ilk_ring_rewind(ring, stats.oldest));
    assert_int_equal(ILK_GET(world, e[4999], Anchor)->depth, stats.oldest);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(any_frame_is_gone_to, open_world, close_world),
        cmocka_unit_test_setup_teardown(one_in_so_many_is_kept, open_world, close_world),
        cmocka_unit_test_setup_teardown(memory_is_limited, open_world, close_world),
        cmocka_unit_test(nothing_is_asked_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
