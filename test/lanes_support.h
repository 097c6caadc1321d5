// What the tests of lanes share: a bare index, what it looks like from outside, and rounds of
// taking.
#ifndef ILK_TEST_LANES_SUPPORT_H
#define ILK_TEST_LANES_SUPPORT_H

#include "entity/lanes.h"
#include "support.h"

#define PAGE ILKI_PAGE_RECORDS

typedef struct bench {
    meter m;
    ilki_memory memory;
    ilki_index index;
    ilki_lanes lanes;
} bench;

static inline void bench_init(bench* b, uint32_t max, bool recycles) {
    *b = (bench){.m.left = UINT64_MAX};
    ilki_memory_init(&b->memory, &(ilk_allocator){meter_alloc, meter_free, &b->m});
    ilki_index_init(&b->index, max, 3, recycles);
}

static inline void bench_fini(bench* b) {
    ilki_lanes_fini(&b->lanes, &b->memory);
    ilki_index_fini(&b->index, &b->memory);
    assert_int_equal(b->m.bytes, 0);
    assert_false(b->m.mismatch);
}

static inline int open_bench(void** state) {
    bench* b = malloc(sizeof(*b));
    assert_non_null(b);
    bench_init(b, 0, true);
    *state = b;
    return 0;
}

static inline int close_bench(void** state) {
    bench_fini(*state);
    free(*state);
    return 0;
}
#define BENCH_TEST(function) cmocka_unit_test_setup_teardown(function, open_bench, close_bench)

static inline ilk_entity plain(bench* b) {
    assert_int_equal(ilki_index_ready(&b->index, &b->memory), ILK_OK);
    return ilki_index_create(&b->index, 0);
}

static inline void open_lanes(bench* b, uint32_t count, const uint32_t* wants) {
    static const uint32_t none[1024];
    assert_true(count <= COUNT_OF(none));
    assert_true(ilki_lanes_open(&b->lanes, &b->index, &b->memory, count, wants ? wants : none));
}

static inline ilk_entity take(bench* b, uint32_t lane) {
    ilk_entity e = {0};
    assert_int_equal(ilki_lane_take(&b->lanes, &b->lanes.lanes[lane], &e), ILK_OK);
    return e;
}

// A handle that was never used before, of the bench's tag.
static inline void assert_fresh_at(ilk_entity e, uint32_t slot, const char* file, int line) {
    _assert_int_equal(e.index, slot, file, line);
    _assert_int_equal(e.generation, 3u << ILKI_TAG_SHIFT | 1, file, line);
}
#define assert_fresh(e, slot) assert_fresh_at((e), (slot), __FILE__, __LINE__)

static inline bool is_absent(const ilki_index* index, uint32_t slot) {
    return index->pages[slot / PAGE] == ilki_absent_page;
}

// Every slot is one of alive, reserved, retired and free, as often as the index says; the list of
// absent pages names those that are not there, and only those.
static inline void assert_sound(const ilki_index* index) {
    uint32_t alive = 0, reserved = 0, retired = 0, free_slots = 0, absent = 0;
    for (uint32_t slot = 0; slot < index->slots; slot++) {
        const ilki_record* record = ilki_record_at(index, slot);
        bool is_dead = (record->generation & ILKI_DEAD_BIT) != 0;
        alive += !is_dead;
        retired += record->generation == ILKI_RETIRED;
        bool is_waiting = is_dead && record->generation != ILKI_RETIRED;
        reserved += is_waiting && record->place == ILKI_RESERVED;
        free_slots += is_waiting && record->place != ILKI_RESERVED;
        if (slot % PAGE || !is_absent(index, slot)) continue;
        assert_true(absent < index->absent_count);
        assert_int_equal(index->absent[absent++], slot / PAGE);
    }
    for (uint32_t i = 0; i < index->free_count; i++) {
        assert_true(index->free[i] < index->slots);
        const ilki_record* record = ilki_record_at(index, index->free[i]);
        assert_true(record->generation & ILKI_DEAD_BIT);
        assert_int_equal(record->place, ILKI_NONE);
    }
    assert_int_equal(alive, index->alive);
    assert_int_equal(reserved, index->reserved);
    assert_int_equal(retired, index->retired);
    assert_int_equal(free_slots, index->free_count);
    uint32_t there = index->page_count - index->absent_count;
    assert_true(index->free_capacity >= there * PAGE);
    assert_int_equal(absent, index->absent_count);
    assert_true((uint64_t)alive + reserved <= index->max);
}

// Two indices that nothing can tell apart from now on.
static inline void assert_alike(const ilki_index* a, const ilki_index* b) {
    assert_int_equal(a->slots, b->slots);
    assert_int_equal(a->free_count, b->free_count);
    for (uint32_t i = 0; i < a->free_count; i++) assert_int_equal(a->free[i], b->free[i]);
    assert_int_equal(a->alive, b->alive);
    assert_int_equal(a->reserved, b->reserved);
    assert_int_equal(a->retired, b->retired);
    assert_int_equal(a->absent_count, b->absent_count);
    for (uint32_t i = 0; i < a->absent_count; i++) assert_int_equal(a->absent[i], b->absent[i]);
    for (uint32_t slot = 0; slot < a->slots; slot++) {
        assert_memory_equal(ilki_record_at(a, slot), ilki_record_at(b, slot), sizeof(ilki_record));
    }
}

#endif
