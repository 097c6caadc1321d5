// Trimming: what is held for later use goes, what is in use stays where it is.
#include "world/world.h"

#include "support.h"

static ilki_storage* storage_of(fixture* f) {
    return &f->world->storage;
}

static void empty_chunks_and_ilks_go(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    ilk_entity gone = ILK_SPAWN(f->world, ILK_WITH(Health));
    assert_ok(ilk_destroy(f->world, gone));
    assert_ok(ilk_reserve(f->world, 3000, ILK_TYPES(&Velocity_type)));
    const Position* kept = ILK_GET(f->world, e, Position);
    ilk_trim(f->world);
    assert_int_equal(storage_of(f)->chunks_alive, 1);
    assert_int_equal(storage_of(f)->ilk_count, 1);
    assert_int_equal(storage_of(f)->ilks_by_set.count, 1);
    assert_null(ilki_directory_of(&storage_of(f)->view, &Health_type)->alone);
    assert_ptr_equal(ILK_GET(f->world, e, Position), kept);
    assert_int_equal(storage_of(f)->view.index.page_count, 1);
}

static void all_that_was_forgotten_is_made_again(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health));
    assert_ok(ilk_destroy(f->world, e));
    ilk_trim(f->world);
    assert_int_equal(storage_of(f)->ilk_count, 0);
    assert_int_equal(storage_of(f)->pool.count, 0);
    e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_VALUE(Health, 3));
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 3);
    ilk_entity placeless = ilk_create(f->world);
    assert_ok(ilk_add(f->world, placeless, ILK_VALUE(Health, 4)));
    assert_int_equal(ILK_GET(f->world, placeless, Health)->points, 4);
}

static void lodgers_stay_where_they_lodge(void** state) {
    fixture* f = *state;
    ilk_entity host = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    ilk_entity lodger = ILK_SPAWN(f->world, ILK_VALUE(Position, 3, 4), ILK_VALUE(Health, 5));
    assert_int_equal(storage_of(f)->ilk_count, 2);
    const Health* kept = ILK_GET(f->world, lodger, Health);
    ilk_trim(f->world);
    assert_int_equal(storage_of(f)->ilk_count, 1);
    assert_ptr_equal(ILK_GET(f->world, lodger, Health), kept);
    assert_true(same_position(ILK_GET(f->world, host, Position), 1, 2));
    ilk_entity copy = ilk_copy(f->world, lodger);
    assert_int_equal(ILK_GET(f->world, copy, Health)->points, 5);
    settle_fully(f->world);
    assert_int_equal(ILK_GET(f->world, lodger, Health)->points, 5);
}

static void a_batch_ends_with_the_trimming(void** state) {
    fixture* f = *state;
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 3, ILK_TYPES(&Position_type)));
    ilk_trim(f->world);
    assert_false(ilk_batch_next(&batch));
    assert_int_equal(ilk_stats(f->world).alive, 3);
}

enum {
    ALONE = 12
};

// Twelve types, each with an entity of its own.
static void spawn_each(fixture* f, ilk_type* types, ilk_entity* e) {
    static char names[ALONE][16];
    for (uint32_t i = 0; i < ALONE; i++) {
        snprintf(names[i], sizeof names[i], "alone%u", (unsigned)i);
        types[i] = (ilk_type){.name = names[i], .size = 4};
        e[i] = ilk_spawn(f->world, &(ilk_value){&types[i], &i}, 1);
    }
    assert_int_equal(storage_of(f)->ilk_count, ALONE);
}

// A smaller map of sets cannot be had, at once or after a while: then the old one serves.
static void trimming_needs_no_memory(void** state) {
    fixture* f = *state;
    ilk_type types[ALONE];
    ilk_entity e[ALONE];
    spawn_each(f, types, e);
    for (uint64_t left = 0; left < 3; left++) {
        ilk_entity gone = ILK_SPAWN(f->world, ILK_WITH(Position));
        assert_ok(ilk_destroy(f->world, gone));
        f->memory.left = left;
        ilk_trim(f->world);
        f->memory.left = UINT64_MAX;
        assert_int_equal(storage_of(f)->ilk_count, ALONE);
        assert_int_equal(storage_of(f)->ilks_by_set.count, ALONE);
        for (uint32_t i = 0; i < ALONE; i++) {
            assert_memory_equal(ilk_get(f->world, e[i], &types[i], NULL), &i, sizeof i);
        }
        assert_valid(f->world);
    }
}

static void an_empty_world_can_be_trimmed(void** state) {
    fixture* f = *state;
    size_t before = ilk_stats(f->world).bytes;
    ilk_trim(f->world);
    assert_int_equal(ilk_stats(f->world).bytes, before);
    assert_int_equal(storage_of(f)->chunk_count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(empty_chunks_and_ilks_go),      WORLD_TEST(all_that_was_forgotten_is_made_again),
        WORLD_TEST(lodgers_stay_where_they_lodge), WORLD_TEST(a_batch_ends_with_the_trimming),
        WORLD_TEST(trimming_needs_no_memory),      WORLD_TEST(an_empty_world_can_be_trimmed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
