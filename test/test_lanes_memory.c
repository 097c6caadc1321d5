// Lanes: what they cost, and what happens without memory.
#include "world/world.h"

#include "lanes_support.h"

static uint32_t pages_there(const ilki_index* index) {
    uint32_t there = 0;
    for (uint32_t i = 0; i < index->page_count; i++) there += index->pages[i] != ilki_absent_page;
    return there;
}

// One lane of five hundred gives out everything: a record of eight bytes a handle, less than that
// again for the numbers of the pages that are left out, and a place in the free list.
static void memory_is_in_proportion_when_one_lane_takes_all(void** state) {
    bench* b = *state;
    enum {
        HANDLES = 100000
    };
    size_t before = b->m.bytes;
    open_lanes(b, 500, NULL);
    for (uint32_t i = 0; i < HANDLES; i++) take(b, 250);
    assert_true(ilki_lanes_close(&b->lanes));
    assert_int_equal(pages_there(&b->index), (HANDLES + PAGE - 1) / PAGE);
    size_t each = (b->m.bytes - before) / HANDLES;
    assert_int_equal(each, 21);
    assert_sound(&b->index);
}

// What is known beforehand needs no page of its own.
static void a_lane_that_is_expected_to_take_uses_what_is_free(void** state) {
    bench* b = *state;
    enum {
        HANDLES = 5000
    };
    uint32_t wants[100] = {0};
    uint32_t slots = 0;
    for (uint32_t frame = 0; frame < 100; frame++) {
        open_lanes(b, 100, wants);
        ilk_entity e[HANDLES];
        for (uint32_t i = 0; i < HANDLES; i++) e[i] = take(b, 42);
        assert_true(ilki_lanes_close(&b->lanes));
        for (uint32_t i = 0; i < HANDLES; i++) {
            ilki_index_fulfil(&b->index, e[i], 0);
            ilki_index_destroy(&b->index, e[i].index);
        }
        wants[42] = HANDLES;
        if (frame == 0) slots = b->index.slots;
        assert_int_equal(b->index.slots, slots);
    }
    assert_int_equal(pages_there(&b->index), (HANDLES + PAGE - 1) / PAGE);
    assert_sound(&b->index);
}

// Nobody knows which lane will take: what was freed serves them all, and the index stops growing.
static void lanes_that_take_by_chance_use_what_is_free(void** state) {
    bench* b = *state;
    enum {
        LANES = 100,
        HANDLES = 200,
        LIVES = 10
    };
    static ilk_entity e[LIVES][HANDLES];
    uint64_t seed = 9;
    uint32_t pages = 0;
    for (uint32_t frame = 0; frame < 3000; frame++) {
        ilk_entity* now = e[frame % LIVES];
        uint32_t lane = next_random(&seed) % LANES;
        open_lanes(b, LANES, NULL);
        ilk_entity taken[HANDLES];
        for (uint32_t i = 0; i < HANDLES; i++) taken[i] = take(b, lane);
        assert_true(ilki_lanes_close(&b->lanes));
        for (uint32_t i = 0; i < HANDLES; i++) {
            ilki_index_fulfil(&b->index, taken[i], 0);
            if (frame >= LIVES) ilki_index_destroy(&b->index, now[i].index);
            now[i] = taken[i];
        }
        if (frame == 1000) pages = pages_there(&b->index);
    }
    assert_int_equal(pages_there(&b->index), pages);
    assert_true(pages * PAGE <= 2 * LANES * HANDLES);
    assert_sound(&b->index);
}

// A round of lanes in which the n-th allocation fails, and all after it. What was given out stays
// given out; nothing is lost. How many were given out.
static uint32_t take_with(bench* b, uint64_t allocations) {
    uint32_t given = 0;
    ilk_entity e[6 * PAGE];
    b->m.left = allocations;
    if (!ilki_lanes_open(&b->lanes, &b->index, &b->memory, 3, (const uint32_t[]){700, 0, 900})) {
        return 0;
    }
    for (uint32_t lane = 0; lane < 3; lane++) {
        for (uint32_t k = 0; k < 2 * PAGE; k++) {
            ilk_result result = ilki_lane_take(&b->lanes, &b->lanes.lanes[lane], &e[given]);
            if (result == ILK_OK) {
                given++;
                continue;
            }
            assert_int_equal(result, ILK_NO_MEMORY);
            result = ilki_lane_take(&b->lanes, &b->lanes.lanes[lane], &e[given]);
            assert_int_equal(result, ILK_NO_MEMORY);
            break;
        }
    }
    assert_true(ilki_lanes_close(&b->lanes));
    assert_int_equal(b->index.reserved, given);
    for (uint32_t i = 0; i < given; i++) {
        assert_true(ilki_index_is_reserved(&b->index, e[i]));
        ilki_index_fulfil(&b->index, e[i], 0);
    }
    return given;
}

static void without_memory_nothing_is_lost(void** state) {
    (void)state;
    bool is_whole = false;
    for (uint64_t allocations = 0; !is_whole; allocations++) {
        bench b;
        bench_init(&b, 0, true);
        for (uint32_t i = 0; i < 30; i++) plain(&b);
        for (uint32_t i = 0; i < 30; i += 2) ilki_index_destroy(&b.index, i);
        uint32_t given = take_with(&b, allocations);
        is_whole = given == 6 * PAGE;
        assert_sound(&b.index);
        b.m.left = UINT64_MAX;
        assert_int_equal(take_with(&b, UINT64_MAX), 6 * PAGE); // memory is back
        assert_int_equal(b.index.alive, 15 + given + 6 * PAGE);
        assert_sound(&b.index);
        bench_fini(&b);
        assert_true(allocations < 1000);
    }
}

// A lane that could not have a page has the same one when there is memory.
static void a_handle_is_final_also_after_a_failure(void** state) {
    bench* b = *state;
    ilk_entity e = {0};
    open_lanes(b, 4, NULL);
    b->m.left = 0;
    assert_int_equal(ilki_lane_take(&b->lanes, &b->lanes.lanes[3], &e), ILK_NO_MEMORY);
    assert_int_equal(ilki_lane_take(&b->lanes, &b->lanes.lanes[1], &e), ILK_NO_MEMORY);
    b->m.left = UINT64_MAX;
    assert_fresh(take(b, 1), PAGE);
    assert_fresh(take(b, 3), 3 * PAGE);
    assert_true(ilki_lanes_close(&b->lanes));
    assert_sound(&b->index);
}

static void an_absent_page_that_cannot_be_made_stays_absent(void** state) {
    bench* b = *state;
    open_lanes(b, 3, NULL);
    take(b, 2);
    assert_true(ilki_lanes_close(&b->lanes));
    for (uint32_t i = 1; i < PAGE; i++) plain(b);
    b->m.left = 0;
    assert_int_equal(ilki_index_ready(&b->index, &b->memory), ILK_NO_MEMORY);
    assert_int_equal(b->index.absent_count, 2);
    assert_sound(&b->index);
    b->m.left = UINT64_MAX;
    assert_fresh(plain(b), 0);
    assert_int_equal(b->index.absent_count, 1);
    assert_sound(&b->index);
}

// Lanes on the index of a world, which then has pages that are not there.
static ilk_entity leave_out_in(fixture* f) {
    ilki_storage* storage = &f->world->storage;
    ilki_lanes lanes = {0};
    ilk_entity e = {0};
    const uint32_t wants[20] = {0};
    assert_true(ilki_lanes_open(&lanes, &storage->view.index, &storage->memory, 20, wants));
    assert_int_equal(ilki_lane_take(&lanes, &lanes.lanes[19], &e), ILK_OK);
    assert_true(ilki_lanes_close(&lanes));
    ilki_lanes_fini(&lanes, &storage->memory);
    ilki_index_release(&storage->view.index, e.index);
    return e;
}

static void a_world_lives_with_pages_that_are_not_there(void** state) {
    fixture* f = *state;
    ilk_entity before = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    ilk_entity gone = leave_out_in(f);
    assert_valid(f->world);
    assert_false(ilk_alive(f->world, gone));
    assert_false(ilk_alive(f->world, (ilk_entity){2 * PAGE, 1}));
    ilk_query* all = ilk_query_create(f->world, &(ilk_query_desc){0});
    assert_int_equal(ilk_query_count(f->world, all), 1);
    ilk_entity empty = ilk_create(f->world);
    assert_int_equal(ilk_query_count(f->world, all), 2);
    ilk_trim(f->world);
    assert_valid(f->world);
    static ilk_entity many[5 * PAGE];
    assert_ok(ilk_create_many(f->world, many, COUNT_OF(many)));
    assert_valid(f->world);
    assert_true(ilk_alive(f->world, before) && ilk_alive(f->world, empty));
    ilk_clear(f->world);
    assert_valid(f->world);
    assert_false(ilk_alive(f->world, before) || ilk_alive(f->world, many[0]));
    assert_int_equal(ilk_create(f->world).index, 0);
    assert_quiet(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BENCH_TEST(memory_is_in_proportion_when_one_lane_takes_all),
        BENCH_TEST(a_lane_that_is_expected_to_take_uses_what_is_free),
        BENCH_TEST(lanes_that_take_by_chance_use_what_is_free),
        cmocka_unit_test(without_memory_nothing_is_lost),
        BENCH_TEST(a_handle_is_final_also_after_a_failure),
        BENCH_TEST(an_absent_page_that_cannot_be_made_stays_absent),
        WORLD_TEST(a_world_lives_with_pages_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
