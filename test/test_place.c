// Placing: rows that come and go, values that rows are given and lose.
#include "storage/place.h"

#include "world/world.h"

#include "support.h"

typedef struct Large {
    char bytes[8192];
} Large;
ILK_COMPONENT(Large);

static ilki_storage* storage_of(fixture* f) {
    return &f->world->storage;
}

static ilki_directory* directory_of(fixture* f, ilk_type* type) {
    ilk_register(f->world, type);
    f->told.count = 0;
    return ilki_directory_of(&storage_of(f)->view, type);
}

static ilki_block* block_of(fixture* f, ilk_type* type) {
    return ilki_block_at(directory_of(f, type), 0);
}

// An ilk with a chunk of 256 rows, none of them taken.
static ilki_chunk* empty_chunk(fixture* f) {
    uint32_t number = directory_of(f, &Position_type)->number;
    ilki_ilk* ilk = ilki_ilk_of(storage_of(f), &number, 1);
    assert_ok(ilki_ilk_ready_slow(storage_of(f), ilk, 256));
    return ilk->chunks[0];
}

static void rows_are_taken_from_below(void** state) {
    fixture* f = *state;
    ilki_storage* storage = storage_of(f);
    ilki_chunk* chunk = empty_chunk(f);
    for (uint32_t row = 0; row < 256; row++) assert_int_equal(ilki_row_take(storage, chunk), row);
    assert_null(chunk->ilk->door);
    const uint32_t holes[] = {200, 3, 130, 67};
    for (uint32_t i = 0; i < 4; i++) ilki_row_leave(storage, chunk, holes[i]);
    assert_ptr_equal(chunk->ilk->door, chunk);
    assert_int_equal(chunk->gaps, 3);
    const uint32_t filled[] = {3, 67, 130, 200};
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(ilki_row_take(storage, chunk), filled[i]);
    for (uint32_t row = 0; row < 256; row++) ilki_row_leave(storage, chunk, row);
}

static void rows_side_by_side_are_left_together(void** state) {
    fixture* f = *state;
    ilki_storage* storage = storage_of(f);
    ilki_chunk* chunk = empty_chunk(f);
    for (uint32_t row = 0; row < 256; row++) ilki_row_take(storage, chunk);
    uint64_t stirs = storage->stirs;
    ilki_rows_leave(storage, chunk, 100, 40);
    assert_int_equal(storage->stirs, stirs + 40);
    assert_int_equal(chunk->alive, 216);
    assert_int_equal(chunk->gaps, 3);
    assert_ptr_equal(chunk->ilk->door, chunk);
    assert_int_equal(ilki_row_take(storage, chunk), 100);
    ilki_rows_leave(storage, chunk, 0, 101);
    assert_int_equal(chunk->used, 256);
    ilki_rows_leave(storage, chunk, 140, 116);
    assert_int_equal(chunk->alive, 0);
    assert_int_equal(chunk->used, 0);
    assert_int_equal(ilki_bits_next_set(chunk->live, 256, 0), ILKI_NONE);
}

// As a batch does it, whose rows may be holes.
static void a_gap_that_others_closed_is_forgotten(void** state) {
    fixture* f = *state;
    ilki_storage* storage = storage_of(f);
    ilki_chunk* chunk = empty_chunk(f);
    for (uint32_t row = 0; row < 250; row++) ilki_row_take(storage, chunk);
    ilki_row_leave(storage, chunk, 100);
    ilki_row_leave(storage, chunk, 200);
    ilki_bits_fill(chunk->live, 100, 1, true);
    chunk->alive++;
    assert_int_equal(chunk->gaps, 3);
    assert_int_equal(ilki_row_take(storage, chunk), 200);
    assert_int_equal(chunk->gaps & 1, 0);
    assert_int_equal(ilki_row_take(storage, chunk), 250);
    for (uint32_t row = 0; row <= 250; row++) ilki_row_leave(storage, chunk, row);
}

static void a_chunk_that_is_left_by_all_is_as_new(void** state) {
    fixture* f = *state;
    ilki_storage* storage = storage_of(f);
    ilki_chunk* chunk = empty_chunk(f);
    for (uint32_t row = 0; row < 100; row++) ilki_row_take(storage, chunk);
    ilki_next_tick(storage);
    uint64_t stirs = storage->stirs;
    for (uint32_t row = 100; row-- > 0;) ilki_row_leave(storage, chunk, row);
    assert_int_equal(chunk->used, 0);
    assert_int_equal(chunk->alive, 0);
    assert_int_equal(chunk->touched, storage->view.tick);
    assert_true(storage->stirs > stirs);
    assert_int_equal(ilki_row_take(storage, chunk), 0);
    ilki_row_leave(storage, chunk, 0);
}

static void a_switch_is_turned_once(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    const ilki_directory* directory = directory_of(f, &Position_type);
    ilki_block* block = block_of(f, &Position_type);
    ilki_next_tick(storage_of(f));
    ilki_value_switch(storage_of(f), directory, block, ilki_place(0, 0), true);
    assert_int_not_equal(block->changed, storage_of(f)->view.tick);
    ilki_value_switch(storage_of(f), directory, block, ilki_place(0, 0), false);
    ilki_value_switch(storage_of(f), directory, block, ilki_place(0, 0), false);
    assert_int_equal(block->off, 1);
    assert_int_equal(block->changed, storage_of(f)->view.tick);
    assert_true(storage_of(f)->chunks[0]->is_odd);
    ilki_value_switch(storage_of(f), directory, block, ilki_place(0, 0), true);
    assert_int_equal(block->off, 0);
}

static void a_row_that_is_stripped_leaves_no_bits(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    ilk_entity other = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Owned)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Large)));
    assert_ok(ilk_disable(f->world, e, &Owned_type));
    assert_ok(ilk_disable(f->world, e, &Position_type));
    assert_ok(ilk_remove(f->world, e, &Velocity_type));
    hooks_taken();
    assert_ok(ilk_destroy(f->world, e));
    assert_hooks(0, 0, 1);
    ilk_type* types[] = {&Position_type, &Velocity_type, &Owned_type, &Large_type};
    for (uint32_t i = 0; i < 4; i++) {
        const ilki_block* block = block_of(f, types[i]);
        assert_int_equal(block->count, 0);
        assert_int_equal(block->off, 0);
        assert_true(*ilki_presence(block, 0) == 0 && *ilki_off(block, 0) == 0);
    }
    assert_int_equal(ilki_small_of(block_of(f, &Large_type))->taken[0], 0);
    assert_true(ilk_has(f->world, other, &Velocity_type));
}

static void a_value_is_given_and_lost(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilki_storage* storage = storage_of(f);
    ilki_directory* directory = directory_of(f, &Health_type);
    ilki_block* block = ilki_ready_to_give(storage, storage->chunks[0], directory, 1);
    assert_ptr_equal(block, ilki_ready_to_give(storage, storage->chunks[0], directory, 1));
    ilki_next_tick(storage);
    Health* value = ilki_value_give(storage, directory, block, ilki_place(0, 0));
    value->points = 7;
    assert_int_equal(block->count, 1);
    assert_int_equal(block->changed, storage->view.tick);
    ilki_value_switch(storage, directory, block, ilki_place(0, 0), false);
    ilki_value_lose(storage, directory, block, ilki_place(0, 0));
    assert_int_equal(block->count, 0);
    assert_int_equal(block->off, 0);
}

static void the_set_of_a_row_is_in_order(void** state) {
    fixture* f = *state;
    ilk_type* order[] = {&Health_type, &Enemy_type, &Position_type, &Anchor_type, &Velocity_type};
    for (uint32_t i = 0; i < 5; i++) directory_of(f, order[i]);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Anchor)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Health)));
    uint32_t set[5];
    const ilki_chunk* chunk = storage_of(f)->chunks[0];
    assert_int_equal(ilki_row_set(storage_of(f), chunk, 0, set), 4);
    const uint32_t expected[] = {0, 2, 3, 4};
    assert_memory_equal(set, expected, sizeof expected);
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_int_equal(ilki_row_set(storage_of(f), chunk, 0, set), 3);
    assert_int_equal(set[1], 3);
    assert_int_equal(ilki_block_count(chunk), 4);
}

// First no block can be had, then no segment of a small one.
static void without_memory_nothing_is_given(void** state) {
    fixture* f = *state;
    ilk_type vast = {.name = "vast", .size = 300000};
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    directory_of(f, &vast);
    bool was_invited = false;
    for (uint64_t left = 0;; left = 1) { // one piece at a time, each of which is kept
        f->memory.left = left;
        ilk_result result = ilk_add(f->world, e, (ilk_value){&vast, NULL});
        f->memory.left = UINT64_MAX;
        if (result == ILK_OK) break;
        assert_int_equal(result, ILK_NO_MEMORY);
        was_invited = was_invited || block_of(f, &vast)->kind == ILKI_SMALL;
        assert_false(ilk_has(f->world, e, &vast));
        assert_valid(f->world);
    }
    assert_true(was_invited);
    assert_true(ilk_has(f->world, e, &vast));
}

#ifdef ILK_CHECKED
static void a_place_that_was_written_to_is_noticed(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilki_directory* directory = directory_of(f, &Health_type);
    ilki_block* block = ilki_ready_to_give(storage_of(f), storage_of(f)->chunks[0], directory, 1);
    ilki_expect_untouched(storage_of(f), directory, block->base);
    assert_null(storage_of(f)->stale);
    block->base[0] ^= 1;
    ilki_expect_untouched(storage_of(f), directory, block->base);
    assert_ptr_equal(storage_of(f)->stale, directory->type);
    storage_of(f)->stale = NULL;
    block->base[0] ^= 1;
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(rows_are_taken_from_below),
        WORLD_TEST(rows_side_by_side_are_left_together),
        WORLD_TEST(a_gap_that_others_closed_is_forgotten),
        WORLD_TEST(a_chunk_that_is_left_by_all_is_as_new),
        WORLD_TEST(a_switch_is_turned_once),
        WORLD_TEST(a_row_that_is_stripped_leaves_no_bits),
        WORLD_TEST(a_value_is_given_and_lost),
        WORLD_TEST(the_set_of_a_row_is_in_order),
        WORLD_TEST(without_memory_nothing_is_given),
#ifdef ILK_CHECKED
        WORLD_TEST(a_place_that_was_written_to_is_noticed),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
