// Settling without memory: what cannot be moved stays where it is, and nothing is lost.
#include "world/world.h"

#include "support.h"

typedef struct Large {
    int32_t number;
    char bytes[4092];
} Large;
ILK_COMPONENT(Large);

enum {
    CROWDED = 20
};

static void spawn_crowd(fixture* f, ilk_entity* e) {
    for (int i = 0; i < CROWDED; i++) e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 0));
}

// Rows 0 and 1 of the first chunk and the last two of the second are left. These have guests, each
// its own, so that they can only move to where they lodge.
static void leave_few(fixture* f, ilk_entity* e) {
    spawn_crowd(f, e);
    assert_ok(ilk_destroy_many(f->world, e + 2, CROWDED - 4));
    assert_ok(ilk_add(f->world, e[CROWDED - 2], ILK_WITH(Enemy)));
    assert_ok(ilk_add(f->world, e[CROWDED - 1], ILK_VALUE(Health, 7)));
    assert_int_equal(ilk_stats(f->world).chunks, 2);
}

static void assert_few(fixture* f, const ilk_entity* e) {
    const int left[] = {0, 1, CROWDED - 2, CROWDED - 1};
    for (int i = 0; i < 4; i++) {
        assert_true(same_position(ILK_GET(f->world, e[left[i]], Position), (float)left[i], 0));
    }
    assert_int_equal(ILK_GET(f->world, e[CROWDED - 1], Health)->points, 7);
    assert_true(ilk_has(f->world, e[CROWDED - 2], &Enemy_type));
    assert_false(ilk_has(f->world, e[CROWDED - 2], &Health_type));
    assert_int_equal(ilk_stats(f->world).alive, 4);
    assert_valid(f->world);
}

// Settle with memory for so many allocations.
static ilk_settled settle_with(fixture* f, uint64_t left) {
    f->memory.left = left;
    ilk_settled settled = ilk_settle(f->world, 0);
    f->memory.left = UINT64_MAX;
    return settled;
}

static void assert_moves_once_there_is_memory(fixture* f, const ilk_entity* e) {
    ilk_settled settled = settle_with(f, 0);
    assert_int_equal(settled.moved + settled.adopted, 0);
    assert_false(settled.done);
    assert_int_equal(settled.result, ILK_NO_MEMORY);
    assert_few(f, e);
    settled = settle_with(f, UINT64_MAX);
    assert_int_equal(settled.moved, 2);
    assert_true(settled.done);
    assert_int_equal(settled.result, ILK_OK);
    assert_few(f, e);
}

static void without_memory_for_a_set_nobody_moves(void** state) {
    fixture* f = *state;
    ilk_entity e[CROWDED];
    leave_few(f, e);
    assert_moves_once_there_is_memory(f, e);
    assert_int_equal(ilk_stats(f->world).chunks, 1);
}

// The ilks of the sets are known already: only blocks for the lodgers are lacking.
static void without_memory_for_a_guest_nobody_moves(void** state) {
    fixture* f = *state;
    ilk_entity e[CROWDED];
    leave_few(f, e);
    ilk_type* guests[] = {&Enemy_type, &Health_type};
    for (int i = 0; i < 2; i++) {
        uint32_t set[2] = {ilk_type_number(f->world, &Position_type),
                           ilk_type_number(f->world, guests[i])};
        assert_non_null(ilki_ilk_of(&f->world->storage, set, 2));
    }
    assert_moves_once_there_is_memory(f, e);
}

// A call ends at its bound after it had no memory, at the end of the round: the next begins anew.
static void what_a_bounded_call_had_to_leave_is_done_by_the_next(void** state) {
    fixture* f = *state;
    ilki_storage* storage = &f->world->storage;
    ilk_entity e[CROWDED];
    leave_few(f, e);
    settle_with(f, 0);
    f->memory.left = 0;
    for (int i = 0; i < 100 && !storage->is_short; i++) {
        assert_int_equal(ilk_settle(f->world, 1).moved, 0);
    }
    while (storage->settle_next < storage->chunk_count) ilk_settle(f->world, 1);
    f->memory.left = UINT64_MAX;
    assert_true(storage->is_short);
    ilk_settled settled = ilk_settle(f->world, 0);
    assert_int_equal(settled.moved, 2);
    assert_true(settled.done);
    assert_int_equal(settled.result, ILK_OK);
    assert_few(f, e);
}

static void with_ever_more_memory_ever_more_is_done(void** state) {
    fixture* f = *state;
    ilk_entity e[CROWDED];
    leave_few(f, e);
    uint32_t done = 0;
    for (uint64_t left = 0; left < 30; left++) {
        ilk_settled settled = settle_with(f, left);
        done += settled.moved + settled.adopted;
        assert_few(f, e);
    }
    assert_true(done >= 2);
    assert_int_equal(settle_with(f, UINT64_MAX).moved, 0);
}

static void without_memory_misfits_stay(void** state) {
    fixture* f = *state;
    ilk_entity e[300];
    for (int i = 0; i < 300; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 0));
        if (i % 2) assert_ok(ilk_add(f->world, e[i], ILK_VALUE(Health, i)));
    }
    uint32_t moved = 0;
    for (uint64_t left = 0; moved < 100; left++) {
        moved += settle_with(f, left).moved;
        for (int i = 0; i < 300; i++) {
            assert_true(same_position(ILK_GET(f->world, e[i], Position), (float)i, 0));
            assert_int_equal(ilk_has(f->world, e[i], &Health_type), i % 2);
            if (i % 2) assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i);
        }
        assert_valid(f->world);
        assert_true(left < 100);
    }
}

static void without_memory_a_small_guest_stays_small(void** state) {
    fixture* f = *state;
    ilk_entity e[CROWDED];
    spawn_crowd(f, e);
    for (int i = 4; i < 12; i++) {
        Large* large = ilk_ensure(f->world, e[i], &Large_type);
        large->number = i;
    }
    size_t before = ilk_stats(f->world).bytes_values;
    for (uint64_t left = 0; ilk_stats(f->world).bytes_values == before; left++) {
        settle_with(f, left);
        for (int i = 4; i < 12; i++) {
            assert_int_equal(ILK_GET(f->world, e[i], Large)->number, i);
        }
        assert_valid(f->world);
        assert_true(left < 100);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(without_memory_for_a_set_nobody_moves),
        WORLD_TEST(without_memory_for_a_guest_nobody_moves),
        WORLD_TEST(what_a_bounded_call_had_to_leave_is_done_by_the_next),
        WORLD_TEST(with_ever_more_memory_ever_more_is_done),
        WORLD_TEST(without_memory_misfits_stay),
        WORLD_TEST(without_memory_a_small_guest_stays_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
