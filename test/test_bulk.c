// The bulk forms: room is made for all before any is changed; batches end when they are over.
#include "world/world.h"

#include "support.h"

typedef struct Large {
    int32_t number;
    char bytes[8188];
} Large;
ILK_COMPONENT(Large);

static ilki_small* small_of(fixture* f) {
    const ilki_directory* directory = ilki_directory_of(&f->world->storage.view, &Large_type);
    const ilki_block* block = ilki_block_at(directory, 0);
    assert_int_equal(block->kind, ILKI_SMALL);
    return ilki_small_of(block);
}

// The list names four entities many times over; there are no more slots than rows.
static void no_more_is_promised_than_there_are_rows(void** state) {
    fixture* f = *state;
    ilk_entity e[4], list[12];
    for (int i = 0; i < 4; i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Position));
    for (int i = 0; i < 12; i++) list[i] = e[i % 4];
    assert_ok(ilk_add(f->world, e[3], ILK_WITH(Large)));
    assert_int_equal(ilk_add_many(f->world, list, 12, &Large_type, NULL), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_add_many");
    assert_entity(f->told.last.entity, e[3]);
    for (int i = 0; i < 4; i++) assert_true(ilk_has(f->world, e[i], &Large_type));
    assert_int_equal(small_of(f)->reserved, 0);
}

static void values_come_in_the_order_of_the_list(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    static Large values[3];
    for (int i = 0; i < 3; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Position));
        values[i].number = 10 + i;
    }
    assert_ok(ilk_add_many(f->world, e, 3, &Large_type, values));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ILK_GET(f->world, e[i], Large)->number, 10 + i);
    }
}

static void without_memory_no_value_is_added(void** state) {
    fixture* f = *state;
    ilk_entity e[12];
    for (int i = 0; i < 12; i++) {
        e[i] = i % 3 ? ILK_SPAWN(f->world, ILK_WITH(Position)) : ilk_create(f->world);
    }
    ilk_register(f->world, &Large_type);
    uint64_t left = 0;
    for (;; left++) {
        f->memory.left = left;
        ilk_result result = ilk_add_many(f->world, e, 12, &Large_type, NULL);
        f->memory.left = UINT64_MAX;
        if (result == ILK_OK) break;
        assert_int_equal(result, ILK_NO_MEMORY);
        assert_told(f, ILK_NO_MEMORY, "ilk_add_many");
        for (int i = 0; i < 12; i++) assert_false(ilk_has(f->world, e[i], &Large_type));
        assert_valid(f->world);
    }
    assert_true(left > 0);
    for (int i = 0; i < 12; i++) assert_true(ilk_has(f->world, e[i], &Large_type));
}

static void without_memory_no_batch_is_spawned(void** state) {
    fixture* f = *state;
    ilk_entity e[100];
    for (int i = 0; i < 100; i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Position));
    for (int i = 0; i < 100; i += 2) assert_ok(ilk_destroy(f->world, e[i]));
    uint64_t left = 0;
    ilk_batch batch;
    for (;; left++) { // also the list of runs has to grow
        f->memory.left = left;
        ilk_result result = ilk_spawn_many(f->world, &batch, 60, ILK_TYPES(&Position_type));
        f->memory.left = UINT64_MAX;
        if (result == ILK_OK) break;
        assert_told(f, ILK_NO_MEMORY, "ilk_spawn_many");
        assert_false(ilk_batch_next(&batch));
        assert_int_equal(ilk_stats(f->world).alive, 50);
        assert_valid(f->world);
    }
    uint32_t runs = 0, rows = 0;
    for (; ilk_batch_next(&batch); runs++) rows += batch.count;
    assert_int_equal(rows, 60);
    assert_true(runs > 40);
    assert_true(left > 0);
}

static ilk_batch batch_of_ten(fixture* f) {
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 10, ILK_TYPES(&Position_type)));
    assert_true(ilk_batch_next(&batch));
    assert_non_null(ILK_FILL(&batch, Position));
    return batch;
}

static void a_batch_is_over_when_another_begins(void** state) {
    fixture* f = *state;
    ilk_batch old = batch_of_ten(f);
    ilk_batch new = batch_of_ten(f);
    assert_null(ILK_FILL(&old, Position));
    assert_false(ilk_batch_next(&old));
    assert_non_null(ILK_FILL(&new, Position));
    settle_fully(f->world);
    assert_null(ILK_FILL(&new, Position));
    assert_false(ilk_batch_next(&new));
}

static void a_batch_that_was_tampered_with_has_no_column(void** state) {
    fixture* f = *state;
    ilk_batch batch = batch_of_ten(f);
    batch.next = 1000;
    assert_null(ILK_FILL(&batch, Position));
    assert_false(ilk_batch_next(&batch));
    assert_int_equal(batch.count, 0);
    assert_null(ILK_FILL(&batch, Position));
}

static void a_batch_of_nothing(void** state) {
    fixture* f = *state;
    ilk_batch batch = {0};
    assert_false(ilk_batch_next(NULL));
    assert_false(ilk_batch_next(&batch));
    assert_null(ilk_batch_fill(NULL, &Position_type));
    assert_null(ilk_batch_fill(&batch, &Position_type));
    assert_ok(ilk_spawn_many(f->world, &batch, 0, ILK_TYPES(&Position_type)));
    assert_false(ilk_batch_next(&batch));
}

static void a_failure_keeps_what_was_reserved(void** state) {
    fixture* f = *state;
    ilk_batch batch;
    ilk_register(f->world, &Large_type);
    assert_ok(ilk_reserve(f->world, 5000, ILK_TYPES(&Position_type)));
    f->memory.left = 3;
    assert_int_equal(ilk_spawn_many(f->world, &batch, 4000, ILK_TYPES(&Large_type)), ILK_NO_MEMORY);
    f->memory.left = 0;
    for (int i = 0; i < 5000; i++) {
        assert_false(ilk_is_null(ILK_SPAWN(f->world, ILK_WITH(Position))));
    }
    f->memory.left = UINT64_MAX;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_failure_keeps_what_was_reserved),
        WORLD_TEST(no_more_is_promised_than_there_are_rows),
        WORLD_TEST(values_come_in_the_order_of_the_list),
        WORLD_TEST(without_memory_no_value_is_added),
        WORLD_TEST(without_memory_no_batch_is_spawned),
        WORLD_TEST(a_batch_is_over_when_another_begins),
        WORLD_TEST(a_batch_that_was_tampered_with_has_no_column),
        WORLD_TEST(a_batch_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
