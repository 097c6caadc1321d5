// The entity index: slots, generations, the free list, retirement, handles given out beforehand.
#include "entity/index.h"

#include "support.h"

typedef struct index_fixture {
    meter m;
    ilki_memory memory;
    ilki_index index;
} index_fixture;

static int open_index(void** state) {
    index_fixture* f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->m.left = UINT64_MAX;
    ilki_memory_init(&f->memory, &(ilk_allocator){meter_alloc, meter_free, &f->m});
    ilki_index_init(&f->index, 0, 0, true);
    *state = f;
    return 0;
}

static int close_index(void** state) {
    index_fixture* f = *state;
    ilki_index_fini(&f->index, &f->memory);
    assert_int_equal(f->m.bytes, 0);
    assert_false(f->m.mismatch);
    free(f);
    return 0;
}
#define INDEX_TEST(function) cmocka_unit_test_setup_teardown(function, open_index, close_index)

static ilk_entity create(index_fixture* f, uint32_t where) {
    assert_int_equal(ilki_index_ready(&f->index, &f->memory), ILK_OK);
    return ilki_index_create(&f->index, where);
}

static void a_place_is_chunk_and_row(void** state) {
    (void)state;
    uint32_t where = ilki_place(5, 2047);
    assert_int_equal(ilki_chunk_of(where), 5);
    assert_int_equal(ilki_row_of(where), 2047);
    assert_int_equal(ilki_row_of(ilki_place(6, 0)), 0);
}

static void a_record_is_found_by_the_whole_handle(void** state) {
    index_fixture* f = *state;
    ilk_entity e = create(f, 77);
    assert_int_equal(e.index, 0);
    assert_int_equal(e.generation, 1);
    assert_int_equal(ilki_record_of(&f->index, e)->place, 77);
    assert_null(ilki_record_of(&f->index, (ilk_entity){1, 1}));
    assert_null(ilki_record_of(&f->index, (ilk_entity){0, 2}));
    assert_null(ilki_record_of(&f->index, (ilk_entity){0, 0}));
}

static void the_generation_to_come_is_not_alive(void** state) {
    index_fixture* f = *state;
    ilk_entity e = create(f, 0);
    ilki_index_destroy(&f->index, e.index);
    const ilki_record* record = ilki_record_at(&f->index, e.index);
    assert_int_equal(record->generation, 2 | ILKI_DEAD_BIT);
    assert_null(ilki_record_of(&f->index, (ilk_entity){e.index, 1}));
    assert_null(ilki_record_of(&f->index, (ilk_entity){e.index, 2}));
    assert_null(ilki_record_of(&f->index, (ilk_entity){e.index, 2 | ILKI_DEAD_BIT}));
    assert_int_equal(create(f, 0).generation, 2);
}

static void the_free_list_is_last_in_first_out(void** state) {
    index_fixture* f = *state;
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(create(f, i).index, i);
    ilki_index_destroy(&f->index, 1);
    ilki_index_destroy(&f->index, 3);
    assert_int_equal(f->index.free[f->index.free_count - 1], 3);
    assert_int_equal(f->index.alive, 2);
    assert_int_equal(create(f, 9).index, 3);
    assert_int_equal(create(f, 9).index, 1);
    assert_int_equal(create(f, 9).index, 4);
    assert_int_equal(f->index.ever, 7);
    assert_int_equal(f->index.slots, 5);
}

static void a_tag_is_part_of_every_generation(void** state) {
    index_fixture* f = *state;
    ilki_index_init(&f->index, 0, 200, true);
    ilk_entity e = create(f, 0);
    assert_int_equal(e.generation, 200u << ILKI_TAG_SHIFT | 1);
    ilki_index_destroy(&f->index, e.index);
    assert_int_equal(create(f, 0).generation, 200u << ILKI_TAG_SHIFT | 2);
}

static void a_slot_that_is_used_up_is_retired(void** state) {
    index_fixture* f = *state;
    ilk_entity e = create(f, 0);
    ilki_record_at(&f->index, e.index)->generation = ILKI_USES_MAX - 1;
    ilki_index_destroy(&f->index, e.index);
    e = create(f, 0);
    assert_int_equal(e.index, 0);
    assert_int_equal(e.generation, ILKI_USES_MAX);
    ilki_index_destroy(&f->index, e.index);
    assert_int_equal(ilki_record_at(&f->index, 0)->generation, ILKI_RETIRED);
    assert_int_equal(f->index.retired, 1);
    assert_int_equal(f->index.free_count, 0);
    assert_int_equal(create(f, 0).index, 1);
}

static void clearing_starts_at_zero_and_keeps_the_retired(void** state) {
    index_fixture* f = *state;
    for (uint32_t i = 0; i < 4; i++) create(f, i);
    ilki_record_at(&f->index, 0)->generation = ILKI_USES_MAX;
    ilki_index_destroy(&f->index, 0);
    ilki_index_destroy(&f->index, 2);
    ilki_index_clear(&f->index);
    assert_int_equal(f->index.alive, 0);
    const ilk_entity next[] = {{1, 2}, {2, 2}, {3, 2}, {4, 1}};
    for (uint32_t i = 0; i < COUNT_OF(next); i++) {
        ilk_entity e = create(f, 0);
        assert_entity(e, next[i]);
    }
}

static void without_recycling_slots_are_used_once(void** state) {
    index_fixture* f = *state;
    ilki_index_init(&f->index, 2, 0, false);
    create(f, 0);
    ilki_index_destroy(&f->index, 0);
    assert_int_equal(f->index.retired, 1);
    assert_int_equal(create(f, 0).index, 1);
    assert_int_equal(create(f, 0).index, 2);
    assert_int_equal(ilki_index_ready(&f->index, &f->memory), ILK_FULL);
}

static void readiness_counts_what_is_free(void** state) {
    index_fixture* f = *state;
    ilki_index_init(&f->index, 3000, 0, true);
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, 3001), ILK_FULL);
    assert_int_equal(f->index.page_count, 0);
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, 1024), ILK_OK);
    assert_int_equal(f->index.page_count, 1);
    for (uint32_t i = 0; i < 1024; i++) ilki_index_create(&f->index, 0);
    for (uint32_t i = 0; i < 100; i++) ilki_index_destroy(&f->index, i);
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, 100), ILK_OK);
    assert_int_equal(f->index.page_count, 1);
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, 101), ILK_OK);
    assert_int_equal(f->index.page_count, 2);
}

static void without_memory_there_is_no_slot(void** state) {
    index_fixture* f = *state;
    static const uint64_t enough_for[] = {0, 1,
                                          1}; // nothing; the list of pages, which stays; a page
    for (uint32_t i = 0; i < COUNT_OF(enough_for); i++) {
        f->m.left = enough_for[i];
        assert_int_equal(ilki_index_ready(&f->index, &f->memory), ILK_NO_MEMORY);
        assert_int_equal(f->index.page_count, 0);
    }
    f->m.left = 2;
    assert_int_equal(ilki_index_ready(&f->index, &f->memory), ILK_OK);
}

static void without_memory_for_all_no_page_stays(void** state) {
    index_fixture* f = *state;
    f->m.left = 4;
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, 5000), ILK_NO_MEMORY);
    assert_int_equal(f->index.page_count, 0);
    f->m.left = UINT64_MAX;
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, 5000), ILK_OK);
    assert_int_equal(f->index.page_count, 5);
}

static void trimming_keeps_the_pages_of_slots(void** state) {
    index_fixture* f = *state;
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, 5000), ILK_OK);
    for (uint32_t i = 0; i < 1025; i++) ilki_index_create(&f->index, i);
    ilki_index_destroy(&f->index, 1024);
    ilki_index_trim(&f->index, &f->memory);
    assert_int_equal(f->index.page_count, 2);
    assert_int_equal(ilki_record_at(&f->index, 1023)->place, 1023);
    assert_int_equal(create(f, 0).index, 1024);
}

static void the_last_index_is_never_given(void** state) {
    index_fixture* f = *state;
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, UINT32_MAX), ILK_FULL);
    f->index.slots = f->index.retired = UINT32_MAX - 1;
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, 1), ILK_FULL);
    f->index.slots = f->index.retired = 0;
    assert_int_equal(f->m.calls, 0);
}

// The freed ones first, then new ones across the end of a page, each with its place.
static void many_come_to_life_as_one_by_one(void** state) {
    index_fixture* f = *state;
    enum {
        MANY = 2 * ILKI_PAGE_RECORDS + 10
    };
    static ilk_entity e[MANY];
    create(f, 0);
    create(f, 0);
    ilki_index_destroy(&f->index, 0);
    ilki_index_destroy(&f->index, 1);
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, MANY), ILK_OK);
    ilki_index_create_many(&f->index, e, MANY, 100, 3);
    assert_entity(e[0], ((ilk_entity){1, 2}));
    assert_entity(e[1], ((ilk_entity){0, 2}));
    for (uint32_t i = 0; i < MANY; i++) {
        if (i > 1) assert_entity(e[i], ((ilk_entity){i, 1}));
        assert_int_equal(ilki_record_of(&f->index, e[i])->place, 100 + 3 * i);
    }
    assert_int_equal(f->index.slots, MANY);
    assert_int_equal(f->index.alive, MANY);
    assert_int_equal(f->index.ever, MANY + 2);
    assert_int_equal(f->index.free_count, 0);
}

static ilk_entity reserve(index_fixture* f) {
    assert_int_equal(ilki_index_ready(&f->index, &f->memory), ILK_OK);
    return ilki_index_reserve(&f->index);
}

static void slots_are_known_before_they_are_taken(void** state) {
    index_fixture* f = *state;
    ilk_entity e[5];
    for (uint32_t i = 0; i < 5; i++) e[i] = create(f, i);
    ilki_index_destroy(&f->index, e[1].index);
    ilki_index_destroy(&f->index, e[3].index);
    static const uint32_t wanted[4] = {3, 1, 5, 6};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(ilki_index_slot_to_be(&f->index, i), wanted[i]);
    }
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(create(f, 9).index, wanted[i]);
}

// Freed slots first, the last freed before the others; then new ones.
static void a_reserved_handle_is_the_one_that_comes_next(void** state) {
    index_fixture* f = *state;
    for (uint32_t i = 0; i < 3; i++) create(f, i);
    ilki_index_destroy(&f->index, 0);
    ilki_index_destroy(&f->index, 2);
    const ilk_entity next[] = {{2, 2}, {0, 2}, {3, 1}};
    for (uint32_t i = 0; i < COUNT_OF(next); i++) {
        ilk_entity e = reserve(f);
        assert_entity(e, next[i]);
    }
    assert_int_equal(f->index.reserved, 3);
    assert_int_equal(f->index.alive, 1);
    assert_int_equal(create(f, 0).index, 4);
}

static void a_reserved_handle_is_dead_until_it_is_fulfilled(void** state) {
    index_fixture* f = *state;
    ilki_index_init(&f->index, 0, 9, true);
    ilk_entity e = reserve(f);
    assert_int_equal(e.generation, 9u << ILKI_TAG_SHIFT | 1);
    assert_null(ilki_record_of(&f->index, e));
    assert_true(ilki_index_is_reserved(&f->index, e));
    assert_int_equal(f->index.ever, 0);
    ilk_entity made = ilki_index_fulfil(&f->index, e, 77);
    assert_entity(made, e);
    assert_int_equal(ilki_record_of(&f->index, e)->place, 77);
    assert_false(ilki_index_is_reserved(&f->index, e));
    assert_int_equal(f->index.alive, 1);
    assert_int_equal(f->index.ever, 1);
    assert_int_equal(f->index.reserved, 0);
    ilki_index_destroy(&f->index, e.index);
    assert_int_equal(create(f, 0).generation, e.generation + 1);
}

static void only_the_whole_handle_is_reserved(void** state) {
    index_fixture* f = *state;
    ilk_entity e = reserve(f);
    ilk_entity alive = create(f, 0), dead = create(f, 0);
    ilki_index_destroy(&f->index, dead.index);
    const ilk_entity others[] = {
        {0, 0}, {e.index, 0},    {e.index, 2}, {e.index, 1 | ILKI_DEAD_BIT},
        {9, 1}, {5000, 1},       alive,        {UINT32_MAX, 1},
        dead,   {dead.index, 2},
    };
    for (uint32_t i = 0; i < COUNT_OF(others); i++) {
        assert_false(ilki_index_is_reserved(&f->index, others[i]));
    }
}

// Somebody may have kept the handle: the slot comes back with the next generation.
static void a_released_handle_never_comes_alive(void** state) {
    index_fixture* f = *state;
    ilk_entity e = reserve(f);
    ilki_index_release(&f->index, e.index);
    assert_false(ilki_index_is_reserved(&f->index, e));
    assert_int_equal(f->index.reserved, 0);
    ilk_entity next = create(f, 0);
    assert_int_equal(next.index, e.index);
    assert_int_equal(next.generation, e.generation + 1);
    assert_int_equal(f->index.ever, 1);
}

static void a_released_slot_that_is_used_up_is_retired(void** state) {
    index_fixture* f = *state;
    create(f, 0);
    ilki_index_destroy(&f->index, 0);
    ilki_record_at(&f->index, 0)->generation = ILKI_USES_MAX | ILKI_DEAD_BIT;
    ilk_entity e = reserve(f);
    assert_int_equal(e.generation, ILKI_USES_MAX);
    ilki_index_release(&f->index, e.index);
    assert_int_equal(ilki_record_at(&f->index, 0)->generation, ILKI_RETIRED);
    assert_int_equal(f->index.retired, 1);
    assert_int_equal(create(f, 0).index, 1);
}

static void without_recycling_a_released_slot_is_retired(void** state) {
    index_fixture* f = *state;
    ilki_index_init(&f->index, 2, 0, false);
    ilki_index_release(&f->index, reserve(f).index);
    assert_int_equal(f->index.retired, 1);
    assert_int_equal(create(f, 0).index, 1);
    assert_int_equal(reserve(f).index, 2);
}

static void readiness_counts_what_is_reserved(void** state) {
    index_fixture* f = *state;
    ilki_index_init(&f->index, 3, 0, true);
    create(f, 0);
    ilk_entity e = reserve(f);
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, 2), ILK_FULL);
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, 1), ILK_OK);
    reserve(f);
    assert_int_equal(ilki_index_ready(&f->index, &f->memory), ILK_FULL);
    ilki_index_fulfil(&f->index, e, 0);
    assert_int_equal(ilki_index_ready(&f->index, &f->memory), ILK_FULL);
    ilki_index_destroy(&f->index, e.index);
    assert_int_equal(ilki_index_ready(&f->index, &f->memory), ILK_OK);
}

// Slots that are reserved are not taken for free ones when pages are made ready.
static void reserved_slots_are_not_free(void** state) {
    index_fixture* f = *state;
    for (uint32_t i = 0; i < ILKI_PAGE_RECORDS; i++) reserve(f);
    assert_int_equal(f->index.page_count, 1);
    assert_int_equal(ilki_index_ready_slow(&f->index, &f->memory, 10), ILK_OK);
    assert_int_equal(f->index.page_count, 2);
    ilki_index_trim(&f->index, &f->memory);
    assert_int_equal(f->index.page_count, 1);
    assert_true(ilki_index_is_reserved(&f->index, (ilk_entity){ILKI_PAGE_RECORDS - 1, 1}));
}

static void clearing_breaks_every_promise(void** state) {
    index_fixture* f = *state;
    create(f, 0);
    ilk_entity e = reserve(f), last = reserve(f);
    ilki_record_at(&f->index, last.index)->generation = ILKI_USES_MAX | ILKI_DEAD_BIT;
    last.generation = ILKI_USES_MAX;
    assert_true(ilki_index_is_reserved(&f->index, last));
    ilki_index_clear(&f->index);
    assert_int_equal(f->index.reserved, 0);
    assert_false(ilki_index_is_reserved(&f->index, e));
    assert_int_equal(f->index.retired, 1);
    const ilk_entity next[] = {{0, 2}, {1, 2}, {3, 1}};
    for (uint32_t i = 0; i < COUNT_OF(next); i++) {
        ilk_entity made = create(f, 0);
        assert_entity(made, next[i]);
    }
}

static void without_recycling_clearing_retires_what_is_reserved(void** state) {
    index_fixture* f = *state;
    ilki_index_init(&f->index, 0, 0, false);
    create(f, 0);
    reserve(f);
    ilki_index_clear(&f->index);
    assert_int_equal(f->index.retired, 2);
    assert_int_equal(f->index.reserved, 0);
    assert_int_equal(create(f, 0).index, 2);
    ilki_index_clear(&f->index);
    assert_int_equal(f->index.retired, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_is_chunk_and_row),
        INDEX_TEST(many_come_to_life_as_one_by_one),
        INDEX_TEST(a_record_is_found_by_the_whole_handle),
        INDEX_TEST(the_generation_to_come_is_not_alive),
        INDEX_TEST(the_free_list_is_last_in_first_out),
        INDEX_TEST(a_tag_is_part_of_every_generation),
        INDEX_TEST(a_slot_that_is_used_up_is_retired),
        INDEX_TEST(clearing_starts_at_zero_and_keeps_the_retired),
        INDEX_TEST(without_recycling_slots_are_used_once),
        INDEX_TEST(readiness_counts_what_is_free),
        INDEX_TEST(without_memory_there_is_no_slot),
        INDEX_TEST(without_memory_for_all_no_page_stays),
        INDEX_TEST(trimming_keeps_the_pages_of_slots),
        INDEX_TEST(the_last_index_is_never_given),
        INDEX_TEST(slots_are_known_before_they_are_taken),
        INDEX_TEST(a_reserved_handle_is_the_one_that_comes_next),
        INDEX_TEST(a_reserved_handle_is_dead_until_it_is_fulfilled),
        INDEX_TEST(only_the_whole_handle_is_reserved),
        INDEX_TEST(a_released_handle_never_comes_alive),
        INDEX_TEST(a_released_slot_that_is_used_up_is_retired),
        INDEX_TEST(without_recycling_a_released_slot_is_retired),
        INDEX_TEST(readiness_counts_what_is_reserved),
        INDEX_TEST(reserved_slots_are_not_free),
        INDEX_TEST(clearing_breaks_every_promise),
        INDEX_TEST(without_recycling_clearing_retires_what_is_reserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
