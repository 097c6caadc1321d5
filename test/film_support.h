// What the tests of snapshots share: a film of snapshots, each with the picture of the world that
// it was taken of.
#ifndef ILK_TEST_FILM_SUPPORT_H
#define ILK_TEST_FILM_SUPPORT_H

#include "picture_support.h"

static uint32_t random_state;

static inline uint32_t chance(uint32_t bound) {
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % bound;
}

enum {
    KEPT = 6
};

typedef struct film {
    ilk_snapshot* snapshots[KEPT];
    picture pictures[KEPT];
} film;

static inline picture copy_of(picture p) {
    picture copy = {malloc(p.size + 1), p.size, p.size + 1};
    assert_non_null(copy.text);
    memcpy(copy.text, p.text, p.size);
    copy.text[p.size] = 0;
    return copy;
}

static inline void drop_frame(film* f, uint32_t at) {
    ilk_snapshot_release(f->snapshots[at]);
    free(f->pictures[at].text);
    f->snapshots[at] = NULL;
}

// Takes, restores or releases a snapshot.
static inline void go_through_time(ilk_world* world, film* f) {
    uint32_t at = chance(KEPT);
    if (!f->snapshots[at]) {
        f->snapshots[at] = ilk_snapshot_take(world);
        assert_non_null(f->snapshots[at]);
        f->pictures[at] = paint_world(world);
    } else if (chance(3) == 0) {
        drop_frame(f, at);
    } else {
        assert_ok(ilk_snapshot_restore(f->snapshots[at]));
        assert_same_picture(copy_of(f->pictures[at]), paint_world(world));
    }
    assert_valid(world);
}

typedef void change_fn(ilk_world* world);

// Random changes with travels in between; all snapshots are released in the end.
static inline void shoot_film(ilk_world* world, change_fn* change, uint32_t seed, uint32_t count) {
    film f = {0};
    random_state = seed;
    for (uint32_t i = 0; i < count; i++) {
        change(world);
        if (chance(12) == 0) go_through_time(world, &f);
    }
    for (uint32_t i = 0; i < KEPT; i++) {
        if (f.snapshots[i]) drop_frame(&f, i);
    }
    assert_int_equal(ilk_snapshot_count(world), 0);
    assert_valid(world);
}

// What is done twice from one snapshot gives the same twice.
static inline void shoot_twice(ilk_world* world, change_fn* change, uint32_t count) {
    ilk_snapshot* begin = ilk_snapshot_take(world);
    assert_non_null(begin);
    uint32_t seed = random_state;
    for (uint32_t i = 0; i < count; i++) change(world);
    picture first = paint_world(world);
    assert_ok(ilk_snapshot_restore(begin));
    random_state = seed;
    for (uint32_t i = 0; i < count; i++) change(world);
    assert_same_picture(first, paint_world(world));
    ilk_snapshot_release(begin);
}

// A snapshot is restored while memory runs out after 0, 1, 2… requests: as long as there is not
// enough, nothing changes.
static inline void restore_with_little(fixture* f, ilk_snapshot* snapshot, picture then) {
    uint64_t most = 0;
    for (ilk_result result = ILK_NO_MEMORY; result != ILK_OK; most++) {
        assert_true(most < 10000);
        picture before = paint_world(f->world);
        f->memory.left = most;
        result = ilk_snapshot_restore(snapshot);
        f->memory.left = UINT64_MAX;
        assert_true(result == ILK_OK || result == ILK_NO_MEMORY);
        assert_valid(f->world);
        assert_same_picture(result == ILK_OK ? then : copy_of(before), paint_world(f->world));
        free(before.text);
    }
}

// The same for taking one.
static inline ilk_snapshot* take_with_little(fixture* f) {
    ilk_snapshot* snapshot = NULL;
    for (uint64_t most = 0; !snapshot; most++) {
        assert_true(most < 10000);
        picture before = paint_world(f->world);
        f->memory.left = most;
        snapshot = ilk_snapshot_take(f->world);
        f->memory.left = UINT64_MAX;
        if (!snapshot) assert_int_equal(ilk_error(f->world).result, ILK_NO_MEMORY);
        if (!snapshot) assert_same_picture(copy_of(before), paint_world(f->world));
        free(before.text);
    }
    return snapshot;
}

#endif
