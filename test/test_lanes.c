// Lanes: handles for many who create at the same time.
#include <pthread.h>

#include "lanes_support.h"

static void without_a_stash_lanes_have_pages_in_turn(void** state) {
    bench* b = *state;
    plain(b);
    open_lanes(b, 3, NULL);
    // Page 0 has a slot in use; lane i begins with page 1 + i, and goes on three pages later.
    for (uint32_t k = 0; k < 2 * PAGE + 1; k++) {
        assert_fresh(take(b, 1), (2 + 3 * (k / PAGE)) * PAGE + k % PAGE);
    }
    assert_fresh(take(b, 0), PAGE);
    assert_fresh(take(b, 2), 3 * PAGE);
    assert_fresh(take(b, 2), 3 * PAGE + 1);
    assert_true(ilki_lanes_close(&b->lanes));
    assert_int_equal(b->index.reserved, 2 * PAGE + 4);
    assert_sound(&b->index);
}

static void the_first_handles_come_from_the_free_list(void** state) {
    bench* b = *state;
    ilk_entity e[6];
    for (uint32_t i = 0; i < 6; i++) e[i] = plain(b);
    for (uint32_t i = 0; i < 4; i++) ilki_index_destroy(&b->index, e[i].index);
    open_lanes(b, 3, (const uint32_t[]){2, 0, 3});
    // What was freed last is reserved first: 3 and 2 for lane 0, then 1, 0 and a slot that was
    // never used for lane 2.
    ilk_entity last[] = {take(b, 2), take(b, 2), take(b, 2)};
    ilk_entity first[] = {take(b, 0), take(b, 0)};
    assert_entity(first[0], ((ilk_entity){3, e[3].generation + 1}));
    assert_entity(first[1], ((ilk_entity){2, e[2].generation + 1}));
    assert_entity(last[0], ((ilk_entity){1, e[1].generation + 1}));
    assert_entity(last[1], ((ilk_entity){0, e[0].generation + 1}));
    assert_fresh(last[2], 6);
    assert_fresh(take(b, 0), PAGE);
    assert_fresh(take(b, 1), 2 * PAGE);
    assert_true(ilki_lanes_close(&b->lanes));
    assert_sound(&b->index);
}

// Beyond its stash, a lane has every third of the slots that are left in the list.
static void lanes_have_the_free_list_in_turn(void** state) {
    bench* b = *state;
    ilk_entity e[12];
    for (uint32_t i = 0; i < 12; i++) e[i] = plain(b);
    for (uint32_t i = 12; i-- > 0;) ilki_index_destroy(&b->index, i);
    open_lanes(b, 3, (const uint32_t[]){0, 2, 0});
    // Slots 0 and 1 are the stash of lane 1; of 2 to 11, lane 0 has 2, 5, 8, 11.
    for (uint32_t slot = 2; slot <= 11; slot += 3) {
        ilk_entity taken = take(b, 0);
        assert_entity(taken, ((ilk_entity){slot, e[slot].generation + 1}));
    }
    assert_fresh(take(b, 0), PAGE);
    assert_int_equal(take(b, 2).index, 4);
    for (uint32_t slot = 0; slot < 2; slot++) assert_int_equal(take(b, 1).index, slot);
    assert_int_equal(take(b, 1).index, 3);
    assert_true(ilki_lanes_close(&b->lanes));
    assert_int_equal(b->index.reserved, 9);
    assert_sound(&b->index);
    // What is left comes in the order in which it would have come, after what is new.
    static const uint32_t left[] = {6, 7, 9, 10};
    for (uint32_t slot = 12; slot < PAGE; slot++) assert_fresh(plain(b), slot);
    for (uint32_t slot = PAGE + 1; slot < 2 * PAGE; slot++) assert_fresh(plain(b), slot);
    for (uint32_t i = 0; i < COUNT_OF(left); i++) assert_int_equal(plain(b).index, left[i]);
    assert_fresh(plain(b), 2 * PAGE);
}

// Those of pages are too many first, then those of the list that come last in it.
static void too_many_of_the_free_list_never_come_alive(void** state) {
    (void)state;
    bench b;
    ilk_entity e[2][6];
    bench_init(&b, 8, true);
    for (uint32_t i = 0; i < 8; i++) plain(&b);
    for (uint32_t i = 8; i-- > 0;) ilki_index_destroy(&b.index, i);
    open_lanes(&b, 2, NULL);
    for (uint32_t k = 0; k < 6; k++) {
        for (uint32_t lane = 0; lane < 2; lane++) e[lane][k] = take(&b, lane);
    }
    assert_false(ilki_lanes_close(&b.lanes));
    assert_int_equal(b.index.reserved, 8);
    for (uint32_t k = 0; k < 6; k++) {
        for (uint32_t lane = 0; lane < 2; lane++) {
            assert_int_equal(ilki_index_is_reserved(&b.index, e[lane][k]), k < 4);
        }
    }
    assert_sound(&b.index);
    bench_fini(&b);
    bench_init(&b, 4, true);
    for (uint32_t i = 0; i < 4; i++) plain(&b);
    for (uint32_t i = 3; i-- > 0;) ilki_index_destroy(&b.index, i);
    b.index.max = 3; // the list is longer than there is room, as it is after pages came to it
    open_lanes(&b, 2, NULL);
    ilk_entity kept[] = {take(&b, 0), take(&b, 1)}, lost = take(&b, 0);
    assert_false(ilki_lanes_close(&b.lanes));
    assert_true(ilki_index_is_reserved(&b.index, kept[0]));
    assert_true(ilki_index_is_reserved(&b.index, kept[1]));
    assert_false(ilki_index_is_reserved(&b.index, lost));
    assert_sound(&b.index);
    assert_int_equal(b.index.free_count, 1);
    assert_int_equal(b.index.free[0], lost.index);
    bench_fini(&b);
}

static void while_lanes_are_open_nothing_given_out_is_alive(void** state) {
    bench* b = *state;
    ilk_entity old = plain(b);
    open_lanes(b, 2, (const uint32_t[]){1, 0});
    uint32_t slots = b->index.slots, pages = b->index.page_count;
    ilk_entity e[] = {take(b, 0), take(b, 1), take(b, 0)};
    for (uint32_t i = 0; i < 3; i++) assert_null(ilki_record_of(&b->index, e[i]));
    assert_non_null(ilki_record_of(&b->index, old));
    assert_int_equal(b->index.slots, slots);
    assert_int_equal(b->index.page_count, pages);
    assert_true(ilki_lanes_close(&b->lanes));
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(ilki_index_is_reserved(&b->index, e[i]));
        assert_null(ilki_record_of(&b->index, e[i]));
        ilki_index_fulfil(&b->index, e[i], 7);
        assert_int_equal(ilki_record_of(&b->index, e[i])->place, 7);
    }
    assert_int_equal(b->index.alive, 4);
    assert_sound(&b->index);
}

// What is taken next is what would have been taken, had there been no lanes.
static void lanes_that_nobody_used_leave_no_trace(void** state) {
    bench *b = *state, other;
    bench_init(&other, 0, true);
    bench* both[] = {b, &other};
    for (uint32_t side = 0; side < 2; side++) {
        ilk_entity e[40];
        for (uint32_t i = 0; i < 40; i++) e[i] = plain(both[side]);
        for (uint32_t i = 0; i < 40; i += 3) ilki_index_destroy(&both[side]->index, e[i].index);
    }
    open_lanes(b, 4, (const uint32_t[]){5, 0, 9, 11});
    assert_true(ilki_lanes_close(&b->lanes));
    assert_sound(&b->index);
    for (uint32_t i = 0; i < 3 * PAGE; i++) {
        ilk_entity e = plain(b), same = plain(&other);
        assert_entity(e, same);
    }
    bench_fini(&other);
}

static void what_is_left_of_a_page_is_taken_next_the_lowest_first(void** state) {
    bench* b = *state;
    plain(b);
    open_lanes(b, 2, NULL);
    take(b, 1);
    take(b, 0);
    take(b, 0);
    assert_true(ilki_lanes_close(&b->lanes));
    for (uint32_t slot = 1; slot < PAGE; slot++) assert_fresh(plain(b), slot);
    for (uint32_t slot = PAGE + 2; slot < 2 * PAGE; slot++) assert_fresh(plain(b), slot);
    for (uint32_t slot = 2 * PAGE + 1; slot < 3 * PAGE; slot++) assert_fresh(plain(b), slot);
    assert_fresh(plain(b), 3 * PAGE);
    assert_sound(&b->index);
}

// Lane 7 of 10 takes one page: the seven before it are left out.
static void leave_pages_out(bench* b) {
    open_lanes(b, 10, NULL);
    assert_fresh(take(b, 7), 7 * PAGE);
    assert_true(ilki_lanes_close(&b->lanes));
    assert_int_equal(b->index.absent_count, 7);
    assert_int_equal(b->index.slots, 8 * PAGE);
    assert_int_equal(b->index.retired, 7 * PAGE);
    assert_sound(&b->index);
}

static void pages_that_nobody_came_to_are_not_there(void** state) {
    bench* b = *state;
    leave_pages_out(b);
    assert_true(b->memory.bytes[ILKI_RECORDS] < 2 * PAGE * sizeof(ilki_record));
    for (uint32_t slot = 0; slot < 7 * PAGE; slot++) {
        assert_null(ilki_record_of(&b->index, (ilk_entity){slot, 1}));
        assert_null(ilki_record_of(&b->index, (ilk_entity){slot, ILKI_RETIRED}));
        assert_false(ilki_index_is_reserved(&b->index, (ilk_entity){slot, 0}));
    }
}

static void later_lanes_use_them_first(void** state) {
    bench* b = *state;
    leave_pages_out(b);
    for (uint32_t i = 1; i < PAGE; i++) plain(b); // what is free comes first of all
    open_lanes(b, 5, NULL);
    // Of the pages 0 to 6, 8, 9… the fifth belongs to lane 4, and the next five are 5, 6, 8, 9, 10.
    assert_fresh(take(b, 4), 4 * PAGE);
    for (uint32_t i = 0; i < PAGE; i++) take(b, 2);
    assert_fresh(take(b, 2), 8 * PAGE);
    assert_true(ilki_lanes_close(&b->lanes));
    static const uint32_t absent[] = {0, 1, 3, 5, 6};
    assert_int_equal(b->index.absent_count, COUNT_OF(absent));
    for (uint32_t i = 0; i < 5; i++) assert_int_equal(b->index.absent[i], absent[i]);
    assert_int_equal(b->index.slots, 9 * PAGE);
    assert_sound(&b->index);
}

static void plain_creation_uses_them_before_it_goes_further(void** state) {
    bench* b = *state;
    leave_pages_out(b);
    for (uint32_t i = 1; i < PAGE; i++) assert_fresh(plain(b), 7 * PAGE + i);
    for (uint32_t slot = 0; slot < 7 * PAGE; slot++) assert_fresh(plain(b), slot);
    assert_int_equal(b->index.absent_count, 0);
    assert_int_equal(b->index.retired, 0);
    assert_fresh(plain(b), 8 * PAGE);
    assert_sound(&b->index);
}

static void many_at_once_use_them_too(void** state) {
    bench* b = *state;
    static ilk_entity e[4 * PAGE];
    leave_pages_out(b);
    assert_int_equal(ilki_index_ready_slow(&b->index, &b->memory, COUNT_OF(e)), ILK_OK);
    ilki_index_create_many(&b->index, e, COUNT_OF(e), 0, 1);
    assert_int_equal(b->index.slots, 8 * PAGE);
    assert_int_equal(b->index.alive, COUNT_OF(e));
    for (uint32_t i = 0; i < COUNT_OF(e); i++) assert_non_null(ilki_record_of(&b->index, e[i]));
    assert_sound(&b->index);
}

static void clearing_and_trimming_leave_them_out(void** state) {
    bench* b = *state;
    leave_pages_out(b);
    size_t bytes = b->m.bytes;
    ilki_index_clear(&b->index);
    assert_sound(&b->index);
    assert_int_equal(b->index.reserved, 0);
    ilki_index_trim(&b->index, &b->memory);
    assert_int_equal(b->index.absent_count, 7);
    assert_true(b->m.bytes <= bytes);
    assert_sound(&b->index);
    ilk_entity e = plain(b);
    assert_int_equal(e.index, 7 * PAGE);
    assert_int_equal(e.generation, 3u << ILKI_TAG_SHIFT | 2); // its first was given out
}

static void pages_beyond_the_last_slot_are_not_made_again(void** state) {
    bench* b = *state;
    assert_int_equal(ilki_index_ready_slow(&b->index, &b->memory, 3 * PAGE), ILK_OK);
    uint64_t calls = b->m.calls;
    open_lanes(b, 3, NULL);
    uint64_t for_lanes = b->m.calls - calls;
    ilki_record* page = b->index.pages[2];
    assert_fresh(take(b, 2), 2 * PAGE);
    assert_true(ilki_lanes_close(&b->lanes));
    assert_ptr_equal(b->index.pages[2], page);
    assert_true(b->m.calls - calls - for_lanes <= 2); // the list of the lane's pages, and of absent
    assert_int_equal(b->index.absent_count, 0);
    for (uint32_t slot = 0; slot < 2 * PAGE; slot++) assert_fresh(plain(b), slot);
    assert_sound(&b->index);
}

// Each lane may take more than the index holds: the last of them never come alive.
static void those_beyond_the_maximum_never_come_alive(void** state) {
    (void)state;
    bench b;
    ilk_entity e[3][10];
    bench_init(&b, 20, true);
    ilk_entity old = plain(&b);
    open_lanes(&b, 3, (const uint32_t[]){4, 0, 0});
    for (uint32_t k = 0; k < 10; k++) {
        for (uint32_t lane = 3; lane-- > 0;) e[lane][k] = take(&b, lane);
    }
    assert_false(ilki_lanes_close(&b.lanes));
    assert_int_equal(b.index.alive + b.index.reserved, 20);
    for (uint32_t k = 0; k < 10; k++) {
        assert_true(ilki_index_is_reserved(&b.index, e[0][k]));
        assert_int_equal(ilki_index_is_reserved(&b.index, e[1][k]), k < 9);
        assert_false(ilki_index_is_reserved(&b.index, e[2][k]));
    }
    assert_sound(&b.index);
    assert_int_equal(ilki_index_ready(&b.index, &b.memory), ILK_FULL);
    ilki_index_destroy(&b.index, old.index);
    assert_int_equal(ilki_index_ready(&b.index, &b.memory), ILK_OK);
    assert_int_equal(plain(&b).generation & ILKI_USES_MAX, 2);
    bench_fini(&b);
}

static void a_stash_is_no_larger_than_there_is_room(void** state) {
    (void)state;
    bench b;
    bench_init(&b, 5, true);
    plain(&b);
    open_lanes(&b, 3, (const uint32_t[]){3, 100, 100});
    assert_int_equal(b.lanes.lanes[0].stashed, 3);
    assert_int_equal(b.lanes.lanes[1].stashed, 1);
    assert_int_equal(b.lanes.lanes[2].stashed, 0);
    for (uint32_t i = 0; i < 4; i++) take(&b, 2); // they are there if others do not use theirs
    ilk_entity e = {0};
    assert_int_equal(ilki_lane_take(&b.lanes, &b.lanes.lanes[2], &e), ILK_FULL);
    assert_true(ilki_lanes_close(&b.lanes));
    assert_int_equal(b.index.reserved, 4);
    assert_sound(&b.index);
    open_lanes(&b, 3, NULL);
    uint32_t pages = b.index.page_count;
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(ilki_lane_take(&b.lanes, &b.lanes.lanes[i], &e), ILK_FULL);
    }
    assert_true(ilki_lanes_close(&b.lanes));
    assert_int_equal(b.index.page_count, pages); // a world that is full does not grow
    assert_sound(&b.index);
    bench_fini(&b);
}

static void without_recycling_what_is_too_much_is_retired(void** state) {
    (void)state;
    bench b;
    bench_init(&b, 3, false);
    open_lanes(&b, 2, NULL);
    for (uint32_t i = 0; i < 4; i++) take(&b, i % 2);
    assert_false(ilki_lanes_close(&b.lanes));
    assert_int_equal(b.index.reserved, 3);
    assert_int_equal(b.index.retired, 1);
    assert_sound(&b.index);
    bench_fini(&b);
}

static void the_last_index_is_the_end(void** state) {
    bench* b = *state;
    open_lanes(b, 2, NULL);
    b->lanes.fresh = UINT32_MAX / PAGE - 1; // as if all pages but two were in use
    ilk_entity e = {0};
    assert_int_equal(ilki_lane_take(&b->lanes, &b->lanes.lanes[0], &e), ILK_FULL);
    assert_int_equal(ilki_lane_take(&b->lanes, &b->lanes.lanes[1], &e), ILK_FULL);
    b->lanes.fresh = 0;
    assert_fresh(take(b, 1), PAGE);
    assert_true(ilki_lanes_close(&b->lanes));
    assert_sound(&b->index);
}

// Two indices with one history, whose lanes take in different orders.
enum {
    LANES = 7,
    MOST = 3000
};

typedef struct round {
    uint32_t wants[LANES], takes[LANES];
    ilk_entity given[LANES][MOST];
} round;

static void take_in_order(bench* b, round* r, uint64_t seed) {
    uint32_t left[LANES], lanes_left = 0;
    memcpy(left, r->takes, sizeof(left));
    for (uint32_t i = 0; i < LANES; i++) lanes_left += left[i] > 0;
    while (lanes_left) {
        uint32_t lane = next_random(&seed) % LANES, burst = 1 + next_random(&seed) % 300;
        for (; burst && left[lane]; burst--) {
            r->given[lane][r->takes[lane] - left[lane]--] = take(b, lane);
            lanes_left -= left[lane] == 0;
        }
    }
}

// Some are brought to life, the others never are.
static void use_handles(bench* b, const round* r, uint64_t seed) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        for (uint32_t k = 0; k < r->takes[lane]; k++) {
            assert_true(ilki_index_is_reserved(&b->index, r->given[lane][k]));
            if (next_random(&seed) % 8)
                ilki_index_fulfil(&b->index, r->given[lane][k], 1);
            else
                ilki_index_release(&b->index, r->given[lane][k].index);
        }
    }
}

static void end_some(bench* b, uint64_t seed) {
    uint32_t every = 1 + next_random(&seed) % 3;
    for (uint32_t slot = 0; slot < b->index.slots; slot++) {
        bool is_alive = !(ilki_record_at(&b->index, slot)->generation & ILKI_DEAD_BIT);
        if (is_alive && next_random(&seed) % every == 0) ilki_index_destroy(&b->index, slot);
    }
}

static void live_a_round(bench* b, round* r, uint64_t what, uint64_t order) {
    uint64_t seed = what;
    for (uint32_t i = 0; i < LANES; i++) {
        r->wants[i] = next_random(&seed) % 3 ? 0 : next_random(&seed) % 500;
        r->takes[i] = next_random(&seed) % 3 ? next_random(&seed) % 50 : next_random(&seed) % MOST;
    }
    open_lanes(b, LANES, r->wants);
    take_in_order(b, r, order);
    assert_true(ilki_lanes_close(&b->lanes));
    assert_sound(&b->index);
    use_handles(b, r, what);
    end_some(b, what);
    for (uint32_t i = next_random(&seed) % 2000; i > 0; i--) plain(b);
}

// R001.55
static void handles_depend_on_the_state_the_lane_and_how_many_went_before(void** state) {
    bench *b = *state, other;
    static round one, two;
    bench_init(&other, 0, true);
    for (uint64_t what = 1; what <= 40; what++) {
        live_a_round(b, &one, what, what * 77);
        live_a_round(&other, &two, what, what * 99 + 5);
        for (uint32_t i = 0; i < LANES; i++) {
            assert_memory_equal(one.given[i], two.given[i], one.takes[i] * sizeof(ilk_entity));
        }
        assert_alike(&b->index, &other.index);
    }
    bench_fini(&other);
}

typedef struct taker {
    bench* b;
    uint32_t lane, count;
    ilk_entity given[3 * PAGE];
    ilk_result result;
} taker;

static void* take_all(void* argument) {
    taker* t = argument;
    ilki_lane* lane = &t->b->lanes.lanes[t->lane];
    for (uint32_t i = 0; i < t->count && t->result == ILK_OK; i++) {
        t->result = ilki_lane_take(&t->b->lanes, lane, &t->given[i]);
    }
    return NULL;
}

static void several_threads_take_at_once(void** state) {
    bench* b = *state;
    static taker takers[4];
    pthread_t threads[4];
    open_lanes(b, 4, (const uint32_t[]){100, 0, 2000, 3 * PAGE});
    b->memory.is_shared = true;
    for (uint32_t i = 0; i < 4; i++) {
        takers[i] = (taker){.b = b, .lane = i, .count = 3 * PAGE};
        assert_int_equal(pthread_create(&threads[i], NULL, take_all, &takers[i]), 0);
    }
    for (uint32_t i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    b->memory.is_shared = false;
    assert_true(ilki_lanes_close(&b->lanes));
    assert_int_equal(b->index.reserved, 4 * 3 * PAGE);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(takers[i].result, ILK_OK);
        for (uint32_t k = 0; k < 3 * PAGE; k++) {
            assert_true(ilki_index_is_reserved(&b->index, takers[i].given[k]));
        }
    }
    assert_sound(&b->index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BENCH_TEST(without_a_stash_lanes_have_pages_in_turn),
        BENCH_TEST(the_first_handles_come_from_the_free_list),
        BENCH_TEST(lanes_have_the_free_list_in_turn),
        cmocka_unit_test(too_many_of_the_free_list_never_come_alive),
        BENCH_TEST(while_lanes_are_open_nothing_given_out_is_alive),
        BENCH_TEST(lanes_that_nobody_used_leave_no_trace),
        BENCH_TEST(what_is_left_of_a_page_is_taken_next_the_lowest_first),
        BENCH_TEST(pages_that_nobody_came_to_are_not_there),
        BENCH_TEST(later_lanes_use_them_first),
        BENCH_TEST(plain_creation_uses_them_before_it_goes_further),
        BENCH_TEST(many_at_once_use_them_too),
        BENCH_TEST(clearing_and_trimming_leave_them_out),
        BENCH_TEST(pages_beyond_the_last_slot_are_not_made_again),
        cmocka_unit_test(those_beyond_the_maximum_never_come_alive),
        cmocka_unit_test(a_stash_is_no_larger_than_there_is_room),
        cmocka_unit_test(without_recycling_what_is_too_much_is_retired),
        BENCH_TEST(the_last_index_is_the_end),
        BENCH_TEST(handles_depend_on_the_state_the_lane_and_how_many_went_before),
        BENCH_TEST(several_threads_take_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
