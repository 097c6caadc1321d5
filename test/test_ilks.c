// Ilks and their chunks: founding, growing, room, guests, adoption.
#include "storage/settle.h"

#include "world/world.h"

#include "support.h"

typedef struct Large {
    char bytes[8192];
} Large;
ILK_COMPONENT(Large);

static ilki_storage* storage_of(fixture* f) {
    return &f->world->storage;
}

static uint32_t number_of(fixture* f, ilk_type* type) {
    ilk_register(f->world, type);
    f->told.count = 0;
    return ilk_type_number(f->world, type);
}

static ilki_ilk* ilk_of(fixture* f, ilk_type* type) {
    uint32_t number = number_of(f, type);
    return ilki_ilk_of(storage_of(f), &number, 1);
}

static void a_set_is_ascending_and_has_each_type_once(void** state) {
    (void)state;
    uint32_t set[4], count = 0;
    assert_true(ilki_set_insert(set, &count, 5));
    assert_true(ilki_set_insert(set, &count, 9));
    assert_true(ilki_set_insert(set, &count, 2));
    assert_true(ilki_set_insert(set, &count, 7));
    assert_false(ilki_set_insert(set, &count, 7));
    assert_false(ilki_set_insert(set, &count, 2));
    const uint32_t expected[] = {2, 5, 7, 9};
    assert_int_equal(count, 4);
    assert_memory_equal(set, expected, sizeof expected);
}

static void the_ilk_of_a_type_alone_is_remembered(void** state) {
    fixture* f = *state;
    const ilki_ilk* ilk = ilk_of(f, &Position_type);
    ilki_directory* directory = ilki_directory_of(&storage_of(f)->view, &Position_type);
    assert_null(directory->alone);
    assert_ptr_equal(ilki_ilk_alone(storage_of(f), directory), ilk);
    assert_ptr_equal(directory->alone, ilk);
    assert_ptr_equal(ilki_ilk_alone(storage_of(f), directory), ilk);
}

static void a_set_has_one_ilk(void** state) {
    fixture* f = *state;
    uint32_t set[2] = {number_of(f, &Position_type), number_of(f, &Velocity_type)};
    ilki_ilk* one = ilki_ilk_of(storage_of(f), set, 1);
    ilki_ilk* two = ilki_ilk_of(storage_of(f), set, 2);
    assert_ptr_not_equal(one, two);
    assert_ptr_equal(ilki_ilk_of(storage_of(f), set, 2), two);
    assert_true(ilki_ilk_has(two, set[1]));
    assert_false(ilki_ilk_has(one, set[1]));
    assert_int_equal(storage_of(f)->ilk_count, 2);
    assert_int_equal(ilki_ilk_of(storage_of(f), NULL, 0)->type_count, 0);
}

static void large_values_mean_few_rows(void** state) {
    fixture* f = *state;
    const size_t rows[][2] = {{0, 8192},  {16, 8192},   {17, 4096},
                              {64, 2048}, {1 << 17, 1}, {1 << 20, 1}};
    static char names[COUNT_OF(rows)][16];
    for (uint32_t i = 0; i < COUNT_OF(rows); i++) {
        snprintf(names[i], sizeof names[i], "rows%u", (unsigned)i);
        ilk_type type = {.name = names[i], .size = rows[i][0]};
        assert_int_equal(ilk_of(f, &type)->rows_max, rows[i][1]);
    }
}

static void without_memory_there_is_no_ilk(void** state) {
    fixture* f = *state;
    uint32_t number = number_of(f, &Position_type);
    for (uint64_t left = 0;; left++) {
        f->memory.left = left;
        ilki_ilk* ilk = ilki_ilk_of(storage_of(f), &number, 1);
        f->memory.left = UINT64_MAX;
        if (ilk) break;
        assert_int_equal(storage_of(f)->ilk_count, 0);
        assert_valid(f->world);
    }
    assert_int_equal(storage_of(f)->ilk_count, 1);
}

static void an_ilk_is_founded_once(void** state) {
    fixture* f = *state;
    ilki_ilk* ilk = ilk_of(f, &Position_type);
    assert_null(ilk->host);
    uint64_t stirs = storage_of(f)->stirs;
    ilki_ilk_found(storage_of(f), ilk);
    assert_ptr_equal(ilk->host, ilk);
    assert_true(storage_of(f)->stirs > stirs);
    stirs = storage_of(f)->stirs;
    ilki_ilk_found(storage_of(f), ilk);
    assert_int_equal(storage_of(f)->stirs, stirs);
}

static void room_is_made_in_as_few_chunks_as_it_takes(void** state) {
    fixture* f = *state;
    ilki_ilk* ilk = ilk_of(f, &Position_type);
    assert_ok(ilki_ilk_ready_slow(storage_of(f), ilk, 0));
    assert_int_equal(ilk->chunk_count, 0);
    assert_ok(ilki_ilk_ready_slow(storage_of(f), ilk, 3));
    assert_ok(ilki_ilk_ready_slow(storage_of(f), ilk, 4));
    assert_int_equal(ilk->chunk_count, 1);
    assert_ok(ilki_ilk_ready_slow(storage_of(f), ilk, 100));
    assert_int_equal(ilk->chunk_count, 2);
    assert_int_equal(ilk->rows, 4 + 256);
    assert_ok(ilki_ilk_ready_slow(storage_of(f), ilk, 5000));
    assert_int_equal(ilk->rows, 4 + 256 + 8192);
    assert_ptr_equal(ilk->door, ilk->chunks[0]);
}

static void without_memory_there_is_no_chunk(void** state) {
    fixture* f = *state;
    ilki_ilk* ilk = ilk_of(f, &Position_type);
    for (uint64_t left = 0;; left++) {
        f->memory.left = left;
        ilk_result result = ilki_ilk_ready(storage_of(f), ilk);
        f->memory.left = UINT64_MAX;
        if (result == ILK_OK) break;
        assert_int_equal(result, ILK_NO_MEMORY);
        assert_int_equal(storage_of(f)->chunk_count, 0);
        assert_null(ilk->door);
        assert_valid(f->world);
    }
    assert_ptr_equal(ilk->door, ilk->chunks[0]);
}

static void without_memory_for_all_no_chunk_stays(void** state) {
    fixture* f = *state;
    ilki_ilk* ilk = ilk_of(f, &Position_type);
    assert_ok(ilki_ilk_ready(storage_of(f), ilk));
    f->memory.left = 12;
    assert_int_equal(ilki_ilk_ready_slow(storage_of(f), ilk, 100000), ILK_NO_MEMORY);
    f->memory.left = UINT64_MAX;
    assert_int_equal(ilk->chunk_count, 1);
    assert_int_equal(ilk->rows, 4);
}

static void there_are_only_so_many_chunks(void** state) {
    fixture* f = *state;
    ilki_storage* storage = storage_of(f);
    ilki_ilk* ilk = ilk_of(f, &Position_type);
    storage->chunk_count = storage->chunks_alive = ILKI_CHUNKS_MAX;
    assert_int_equal(ilki_ilk_ready(storage, ilk), ILK_FULL);
    storage->chunk_count = storage->chunks_alive = 0;
    assert_ok(ilki_ilk_ready(storage, ilk));
}

static void the_lowest_number_is_used_again(void** state) {
    fixture* f = *state;
    ilki_ilk* ilk = ilk_of(f, &Position_type);
    assert_ok(ilki_ilk_ready_slow(storage_of(f), ilk, 4));
    assert_ok(ilki_ilk_ready_slow(storage_of(f), ilk, 4 + 16));
    assert_ok(ilki_ilk_ready_slow(storage_of(f), ilk, 4 + 16 + 64));
    assert_int_equal(storage_of(f)->chunk_count, 3);
    ilki_chunk_free(storage_of(f), storage_of(f)->chunks[1]);
    assert_null(storage_of(f)->chunks[1]);
    assert_valid(f->world);
    assert_ok(ilki_ilk_ready_slow(storage_of(f), ilk, 2000));
    assert_int_equal(storage_of(f)->chunks[1]->position, 2);
    ilki_chunk_free(storage_of(f), storage_of(f)->chunks[1]);
    ilki_chunk_free(storage_of(f), storage_of(f)->chunks[2]);
    assert_int_equal(storage_of(f)->chunk_count, 1);
}

static void a_chunk_that_is_not_the_open_one_may_fill_up(void** state) {
    fixture* f = *state;
    ilki_storage* storage = storage_of(f);
    ilki_ilk* ilk = ilk_of(f, &Position_type);
    assert_ok(ilki_ilk_ready_slow(storage, ilk, 4));
    assert_ok(ilki_ilk_ready_slow(storage, ilk, 4 + 16));
    ilki_chunk* second = ilk->chunks[1];
    for (uint32_t i = 0; i < second->rows; i++) assert_int_equal(ilki_row_take(storage, second), i);
    assert_ptr_equal(ilk->door, ilk->chunks[0]);
    assert_true(ilk->room[0] == 1);
    for (uint32_t i = 0; i < second->rows; i++) ilki_row_leave(storage, second, i);
    assert_true(ilk->room[0] == 3);
}

static void leaving_keeps_the_others_and_their_room(void** state) {
    fixture* f = *state;
    ilk_entity e[4 + 16 + 64 + 3];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Position));
    for (uint32_t i = 4; i < 20; i++) assert_ok(ilk_destroy(f->world, e[i]));
    const ilki_ilk* ilk = storage_of(f)->chunks[0]->ilk;
    assert_ptr_equal(ilk->door, ilk->chunks[1]);
    ilki_chunk_free(storage_of(f), storage_of(f)->chunks[1]);
    assert_int_equal(ilk->chunk_count, 3);
    assert_ptr_equal(ilk->door, ilk->chunks[2]);
    assert_int_equal(storage_of(f)->chunks[3]->position, 2);
    assert_valid(f->world);
}

static void a_guest_is_small_where_it_would_be_large(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilki_chunk* chunk = storage_of(f)->chunks[0];
    number_of(f, &Large_type);
    number_of(f, &Owned_type);
    ilki_directory* large = ilki_directory_of(&storage_of(f)->view, &Large_type);
    ilki_directory* owned = ilki_directory_of(&storage_of(f)->view, &Owned_type);
    chunk->is_odd = false;
    assert_int_equal(ilki_chunk_invite(storage_of(f), chunk, large)->kind, ILKI_SMALL);
    assert_true(chunk->is_odd);
    assert_false(chunk->drops);
    assert_int_equal(ilki_chunk_invite(storage_of(f), chunk, owned)->kind, ILKI_GUEST);
    assert_true(chunk->drops);
    ilki_chunk_dismiss(storage_of(f), chunk, 0);
    assert_int_equal(chunk->guest_count, 1);
    assert_int_equal(chunk->guests[0], owned->number);
    assert_null(ilki_block_at(large, 0)->base);
}

static void without_memory_there_is_no_guest(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilki_chunk* chunk = storage_of(f)->chunks[0];
    number_of(f, &Velocity_type);
    ilki_directory* directory = ilki_directory_of(&storage_of(f)->view, &Velocity_type);
    for (uint64_t left = 0;; left++) {
        f->memory.left = left;
        const ilki_block* block = ilki_chunk_invite(storage_of(f), chunk, directory);
        f->memory.left = UINT64_MAX;
        if (block) break;
        assert_int_equal(chunk->guest_count, 0);
        assert_valid(f->world);
    }
    assert_int_equal(chunk->guest_count, 1);
}

static void a_chunk_knows_when_it_is_odd(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    const ilki_chunk* chunk = storage_of(f)->chunks[0];
    assert_false(ilki_chunk_is_odd(storage_of(f), chunk));
    assert_ok(ilk_disable(f->world, e, &Velocity_type));
    assert_true(ilki_chunk_is_odd(storage_of(f), chunk));
    assert_ok(ilk_enable(f->world, e, &Velocity_type));
    assert_false(ilki_chunk_is_odd(storage_of(f), chunk));
    assert_ok(ilk_remove(f->world, e, &Velocity_type));
    assert_true(ilki_chunk_is_odd(storage_of(f), chunk));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Velocity)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Health)));
    assert_true(ilki_chunk_is_odd(storage_of(f), chunk));
    ILK_SPAWN(f->world, ILK_WITH(Owned));
    assert_true(ilki_chunk_is_odd(storage_of(f), storage_of(f)->chunks[1]));
}

// Four entities that had Position, then got Large; and the ilk of that set.
static ilki_ilk* ready_to_adopt(fixture* f, ilk_entity e[4], uint32_t with_large) {
    for (uint32_t i = 0; i < 4; i++) e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 0));
    for (uint32_t i = 0; i < with_large; i++) {
        ((Large*)ilk_ensure(f->world, e[i], &Large_type))->bytes[7] = (char)i;
    }
    uint32_t set[2] = {number_of(f, &Position_type), number_of(f, &Large_type)};
    ilki_ilk* ilk = ilki_ilk_of(storage_of(f), set, 2);
    ilki_ilk_found(storage_of(f), ilk);
    return ilk;
}

static void a_chunk_is_adopted_with_its_values(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    ilki_ilk* ilk = ready_to_adopt(f, e, 4);
    ilki_chunk* chunk = storage_of(f)->chunks[0];
    const Position* kept = ILK_GET(f->world, e[3], Position);
    assert_true(ilki_chunk_adopt(storage_of(f), chunk, ilk));
    assert_ptr_equal(chunk->ilk, ilk);
    assert_int_equal(chunk->guest_count, 0);
    assert_false(chunk->is_odd);
    assert_ptr_equal(ILK_GET(f->world, e[3], Position), kept);
    for (int i = 0; i < 4; i++) assert_int_equal(ILK_GET(f->world, e[i], Large)->bytes[7], i);
    assert_valid(f->world);
}

static void what_the_new_ilk_lacks_is_dropped(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    ready_to_adopt(f, e, 4);
    for (int i = 0; i < 4; i++) {
        assert_ok(ilk_add(f->world, e[i], ILK_WITH(Health)));
        assert_ok(ilk_remove(f->world, e[i], &Position_type));
        assert_ok(ilk_remove(f->world, e[i], &Large_type));
    }
    ilki_chunk* chunk = storage_of(f)->chunks[0];
    assert_true(ilki_chunk_adopt(storage_of(f), chunk, ilk_of(f, &Health_type)));
    assert_int_equal(chunk->guest_count, 0);
    assert_int_equal(ilk_stats_of(f->world, &Position_type).blocks, 0);
    assert_int_equal(ilk_stats_of(f->world, &Large_type).blocks, 0);
    assert_int_equal(ILK_GET(f->world, e[2], Health)->points, 100);
}

static void a_small_guest_that_is_sparse_is_not_adopted(void** state) {
    fixture* f = *state;
    ilk_type middle = {.name = "middle", .size = 2048};
    ilk_entity e[20];
    for (uint32_t i = 0; i < 20; i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Position));
    for (uint32_t i = 5; i < 20; i++) assert_ok(ilk_destroy(f->world, e[i]));
    assert_ok(ilk_add(f->world, e[4], (ilk_value){&middle, NULL})); // alone in a chunk of 16 rows
    uint32_t set[2] = {number_of(f, &Position_type), number_of(f, &middle)};
    ilki_ilk* ilk = ilki_ilk_of(storage_of(f), set, 2);
    assert_true(ilk->rows_max >= 16);
    assert_false(ilki_chunk_adopt(storage_of(f), storage_of(f)->chunks[1], ilk));
    assert_int_equal(ilk->chunk_count, 0);
}

static void a_chunk_longer_than_an_ilk_makes_them_is_not_adopted(void** state) {
    fixture* f = *state;
    ilki_ilk* few = ilk_of(f, &Large_type); // sixteen rows at most
    ilki_ilk* many = ilk_of(f, &Position_type);
    assert_ok(ilki_ilk_ready_slow(storage_of(f), many, 64));
    assert_false(ilki_chunk_adopt(storage_of(f), many->chunks[0], few));
    assert_ptr_equal(storage_of(f)->chunks[0]->ilk, many);
}

static void without_memory_nothing_is_adopted(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    ilki_ilk* ilk = ready_to_adopt(f, e, 4);
    const ilki_ilk* old = storage_of(f)->chunks[0]->ilk;
    uint64_t left = 0;
    for (;; left++) {
        f->memory.left = left;
        bool is_adopted = ilki_chunk_adopt(storage_of(f), storage_of(f)->chunks[0], ilk);
        f->memory.left = UINT64_MAX;
        if (is_adopted) break;
        assert_ptr_equal(storage_of(f)->chunks[0]->ilk, old);
        for (int i = 0; i < 4; i++) assert_int_equal(ILK_GET(f->world, e[i], Large)->bytes[7], i);
        assert_valid(f->world);
    }
    assert_true(left > 1);
    assert_ptr_equal(storage_of(f)->chunks[0]->ilk, ilk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_ascending_and_has_each_type_once),
        WORLD_TEST(the_ilk_of_a_type_alone_is_remembered),
        WORLD_TEST(a_set_has_one_ilk),
        WORLD_TEST(large_values_mean_few_rows),
        WORLD_TEST(without_memory_there_is_no_ilk),
        WORLD_TEST(an_ilk_is_founded_once),
        WORLD_TEST(room_is_made_in_as_few_chunks_as_it_takes),
        WORLD_TEST(without_memory_there_is_no_chunk),
        WORLD_TEST(without_memory_for_all_no_chunk_stays),
        WORLD_TEST(there_are_only_so_many_chunks),
        WORLD_TEST(the_lowest_number_is_used_again),
        WORLD_TEST(a_chunk_that_is_not_the_open_one_may_fill_up),
        WORLD_TEST(leaving_keeps_the_others_and_their_room),
        WORLD_TEST(a_guest_is_small_where_it_would_be_large),
        WORLD_TEST(without_memory_there_is_no_guest),
        WORLD_TEST(a_chunk_knows_when_it_is_odd),
        WORLD_TEST(a_chunk_is_adopted_with_its_values),
        WORLD_TEST(what_the_new_ilk_lacks_is_dropped),
        WORLD_TEST(a_small_guest_that_is_sparse_is_not_adopted),
        WORLD_TEST(a_chunk_longer_than_an_ilk_makes_them_is_not_adopted),
        WORLD_TEST(without_memory_nothing_is_adopted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
