// Small guests: slots in segments, and which of them are taken.
#include "storage/small.h"
#include "world/world.h"

#include "support.h"

enum {
    SIZE = 32,
    ROWS = 2048
};

typedef struct drawer {
    meter m;
    ilki_memory memory;
    ilki_pool pool;
    ilk_type type;
    ilki_directory directory;
    ilki_block* block;
} drawer;

static int open_drawer(void** state) {
    drawer* d = calloc(1, sizeof(*d));
    assert_non_null(d);
    d->m.left = UINT64_MAX;
    ilki_memory_init(&d->memory, &(ilk_allocator){meter_alloc, meter_free, &d->m});
    ilki_pool_init(&d->pool, &d->memory);
    d->type = (ilk_type){.name = "small", .size = SIZE, .align = 8};
    d->directory = (ilki_directory){.size = SIZE, .type = &d->type};
    d->block = ilki_directory_add(&d->directory, &d->pool, 0, ROWS, ILKI_SMALL);
    assert_non_null(d->block);
    *state = d;
    return 0;
}

static int close_drawer(void** state) {
    drawer* d = *state;
    ilki_directory_drop(&d->directory, &d->pool, 0, ROWS);
    assert_int_equal(d->memory.bytes[ILKI_VALUES], 0);
    ilki_directory_fini(&d->directory, &d->memory);
    ilki_pool_fini(&d->pool);
    assert_int_equal(d->m.bytes, 0);
    free(d);
    return 0;
}
#define DRAWER_TEST(function) cmocka_unit_test_setup_teardown(function, open_drawer, close_drawer)

static bool ready(drawer* d, uint32_t count) {
    return ilki_small_ready(&d->directory, d->block, &d->pool, count);
}

static uint64_t* value_of(const drawer* d, uint32_t row) {
    return ilki_value_at(&d->directory, d->block, row);
}

static void give(drawer* d, uint32_t row) {
    assert_true(ready(d, 1));
    *ilki_presence(d->block, row / 64) |= (uint64_t)1 << (row % 64);
    d->block->count++;
    ilki_small_take(d->block, row);
    *value_of(d, row) = row;
}

static void take_back(drawer* d, uint32_t row) {
    *ilki_presence(d->block, row / 64) &= ~((uint64_t)1 << (row % 64));
    d->block->count--;
    ilki_small_give_back(d->block, row);
}

static void every_row_can_have_a_slot(void** state) {
    drawer* d = *state;
    for (uint32_t row = 0; row < ROWS; row++) give(d, ROWS - 1 - row);
    for (uint32_t row = 0; row < ROWS; row++) assert_int_equal(*value_of(d, row), row);
    const ilki_small* small = ilki_small_of(d->block);
    for (uint32_t i = 0; i < ILKI_SEGMENTS; i++) {
        assert_int_equal(small->segments[i] != NULL, (1u << i) - 1 < ROWS);
    }
    assert_int_equal(ilki_small_segment_bytes(&d->directory, d->block), ROWS * SIZE + ROWS);
}

static void a_second_byte_comes_with_the_257th_slot(void** state) {
    drawer* d = *state;
    const ilki_small* small = ilki_small_of(d->block);
    for (uint32_t row = 0; row < 256; row++) give(d, row);
    assert_null(small->high);
    give(d, 256);
    assert_non_null(small->high);
    for (uint32_t row = 0; row <= 256; row++) {
        assert_int_equal(ilki_small_slot(d->block, row), row);
        assert_int_equal(*value_of(d, row), row);
    }
}

static void segments_double_and_never_move(void** state) {
    drawer* d = *state;
    const ilki_small* small = ilki_small_of(d->block);
    assert_null(ilki_small_slot_at(&d->directory, d->block, 0));
    give(d, 0);
    assert_int_equal(ilki_small_segment_bytes(&d->directory, d->block), SIZE);
    const uint64_t* first = value_of(d, 0);
    for (uint32_t row = 1; row < 4; row++) give(d, row);
    assert_ptr_equal(value_of(d, 0), first);
    assert_int_equal(ilki_small_segment_bytes(&d->directory, d->block), (1 + 2 + 4) * SIZE);
    assert_ptr_equal(value_of(d, 3), small->segments[2]);
    assert_ptr_equal(ilki_small_slot_at(&d->directory, d->block, 6), small->segments[2] + 3 * SIZE);
    assert_null(ilki_small_slot_at(&d->directory, d->block, 7));
    assert_int_equal(ilki_block_bytes(&d->directory, d->block, ROWS),
                     ilki_block_front(ROWS, 8) + ilki_block_body(&d->directory, ROWS, ILKI_SMALL) +
                         (1 + 2 + 4) * SIZE);
}

static void the_last_segment_ends_with_the_rows(void** state) {
    drawer* d = *state;
    ilki_block* few = ilki_directory_add(&d->directory, &d->pool, 1, 16, ILKI_SMALL);
    assert_true(ilki_small_ready(&d->directory, few, &d->pool, 16));
    assert_int_equal(ilki_small_segment_bytes(&d->directory, few), 16 * SIZE);
    ilki_directory_drop(&d->directory, &d->pool, 1, 16);
}

static void the_lowest_free_slot_is_used_first(void** state) {
    drawer* d = *state;
    for (uint32_t row = 0; row < 4; row++) give(d, row);
    take_back(d, 2);
    take_back(d, 1);
    assert_int_equal(ilki_small_of(d->block)->taken[0], 9);
    for (uint32_t row = 100; row < 103; row++) give(d, row);
    assert_int_equal(ilki_small_slot(d->block, 100), 1);
    assert_int_equal(ilki_small_slot(d->block, 101), 2);
    assert_int_equal(ilki_small_slot(d->block, 102), 4);
    assert_int_equal(*value_of(d, 0), 0);
    assert_int_equal(*value_of(d, 3), 3);
}

static void a_run_ends_with_its_segment_and_its_order(void** state) {
    drawer* d = *state;
    for (uint32_t row = 0; row < 12; row++) give(d, row);
    assert_int_equal(ilki_small_run(d->block, 3, 3), 3);
    assert_int_equal(ilki_small_run(d->block, 3, 9), 4);
    assert_int_equal(ilki_small_run(d->block, 7, 5), 5);
    take_back(d, 9);
    give(d, 20);
    give(d, 9);
    assert_int_equal(ilki_small_run(d->block, 7, 5), 2);
    assert_int_equal(ilki_small_run(d->block, 9, 1), 1);
}

// Take all that the pool has left, one unit at a time.
static uint32_t waste(drawer* d, void* wasted[2048]) {
    uint32_t count = 0;
    while (d->memory.bytes[ILKI_SPARE]) {
        assert_true(count < 2048);
        wasted[count++] = ilki_pool_alloc(&d->pool, ILKI_OTHER, 1, 1);
    }
    d->m.left = 0;
    return count;
}

static void without_memory_there_is_no_segment(void** state) {
    drawer* d = *state;
    void* wasted[2048];
    uint32_t count = waste(d, wasted);
    assert_false(ready(d, 1));
    assert_int_equal(ilki_small_segment_bytes(&d->directory, d->block), 0);
    while (count) ilki_pool_free(&d->pool, ILKI_OTHER, wasted[--count], 1, 1);
    assert_true(ready(d, 1));
}

static void without_memory_there_is_no_second_byte(void** state) {
    drawer* d = *state;
    void* wasted[2048];
    assert_true(ready(d, 256));
    uint32_t count = waste(d, wasted);
    assert_true(ready(d, 256));
    assert_false(ready(d, 257));
    assert_null(ilki_small_of(d->block)->high);
    while (count) ilki_pool_free(&d->pool, ILKI_OTHER, wasted[--count], 1, 1);
}

static void a_segment_beyond_all_memory_is_refused(void** state) {
    drawer* d = *state;
    assert_true(ready(d, 3));
    uint64_t calls = d->m.calls;
    d->directory.size = SIZE_MAX / 4;
    assert_false(ready(d, 4)); // the third segment has four slots
    d->directory.size = SIZE;
    assert_int_equal(d->m.calls, calls);
}

static void a_quarter_of_the_rows_is_dense(void** state) {
    drawer* d = *state;
    d->block->count = ROWS / 4 - 1;
    assert_false(ilki_small_is_dense(&d->directory, d->block));
    d->block->count++;
    assert_true(ilki_small_is_dense(&d->directory, d->block));
    d->directory.size = 65; // too much for a natural block
    assert_false(ilki_small_is_dense(&d->directory, d->block));
    d->directory.size = SIZE;
    d->block->count = 0;
}

// What moves quickly in a natural block does not in a small one, where its place must be looked up.
static void a_small_block_is_awkward_also_for_plain_values(void** state) {
    drawer* d = *state;
    d->directory.is_quick = true;
    ilki_block* block = ilki_directory_add(&d->directory, &d->pool, 1, 16, ILKI_SMALL);
    assert_true(block->is_awkward);
    assert_true(ilki_directory_expand(&d->directory, &d->pool, 1, 16));
    assert_false(block->is_awkward);
    block = ilki_directory_add(&d->directory, &d->pool, 2, 16, ILKI_GUEST);
    assert_false(block->is_awkward);
    ilki_directory_drop(&d->directory, &d->pool, 1, 16);
    ilki_directory_drop(&d->directory, &d->pool, 2, 16);
}

// Plain, and large enough to be kept in slots in a chunk of more than 1024 rows.
typedef struct Span {
    uint64_t from, to;
} Span;
ILK_COMPONENT(Span);

enum {
    BEFORE = 4 + 16 + 64 + 256 + 1024, // rows of the chunks before one of 4096
    FEW = 100
};

static bool is_span(ilk_world* world, ilk_entity e, uint64_t from, uint64_t to) {
    const Span* span = ILK_GET(world, e, Span);
    return span && span->from == from && span->to == to;
}

static void change_spans(ilk_world* world, const ilk_entity* e) {
    for (uint32_t i = 0; i < FEW; i++) {
        assert_ok(ilk_add(world, e[i], ILK_VALUE(Span, i, 1)));
        if (i % 4 == 0) assert_ok(ilk_set(world, e[i], ILK_VALUE(Span, i, 2)));
        if (i % 4 == 1) assert_ok(ilk_replace(world, e[i], ILK_VALUE(Span, i, 2)));
        if (i % 4 == 2) ILK_EDIT(world, e[i], Span)->to = 2;
        if (i % 4 == 3) assert_ok(ilk_remove(world, e[i], &Span_type));
    }
}

static void every_verb_finds_a_plain_value_in_its_slot(void** state) {
    fixture* f = *state;
    static ilk_entity e[BEFORE + FEW];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Position));
    change_spans(f->world, e + BEFORE);
    const ilki_view* view = &f->world->storage.view;
    assert_int_equal(ilki_block_at(ilki_directory_of(view, &Span_type), 5)->kind, ILKI_SMALL);
    for (uint32_t i = 0; i < FEW; i++) {
        if (i % 4 == 3) assert_null(ILK_GET(f->world, e[BEFORE + i], Span));
        if (i % 4 != 3) assert_true(is_span(f->world, e[BEFORE + i], i, 2));
    }
    ilk_entity copy = ilk_copy(f->world, e[BEFORE + 8]);
    assert_true(is_span(f->world, copy, 8, 2));
    assert_true(same_position(ILK_GET(f->world, e[BEFORE + 9], Position), 0, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DRAWER_TEST(every_row_can_have_a_slot),
        DRAWER_TEST(a_second_byte_comes_with_the_257th_slot),
        DRAWER_TEST(segments_double_and_never_move),
        DRAWER_TEST(the_last_segment_ends_with_the_rows),
        DRAWER_TEST(the_lowest_free_slot_is_used_first),
        DRAWER_TEST(a_run_ends_with_its_segment_and_its_order),
        DRAWER_TEST(without_memory_there_is_no_segment),
        DRAWER_TEST(without_memory_there_is_no_second_byte),
        DRAWER_TEST(a_segment_beyond_all_memory_is_refused),
        DRAWER_TEST(a_quarter_of_the_rows_is_dense),
        DRAWER_TEST(a_small_block_is_awkward_also_for_plain_values),
        WORLD_TEST(every_verb_finds_a_plain_value_in_its_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
