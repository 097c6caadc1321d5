// Lodging: where the entities of a set go while they are few.
#include "storage/lodge.h"

#include "world/world.h"

#include "support.h"

typedef struct Large {
    char bytes[8192];
} Large;
ILK_COMPONENT(Large);
static ilki_storage* storage_of(fixture* f) {
    return &f->world->storage;
}

static const ilki_chunk* chunk_of(fixture* f, ilk_entity e) {
    uint32_t where = ilki_record_of(&storage_of(f)->view.index, e)->place;
    return storage_of(f)->chunks[ilki_chunk_of(where)];
}

static bool is_lodger(fixture* f, ilk_entity e) {
    uint32_t set[16];
    uint32_t row = ilki_row_of(ilki_record_of(&storage_of(f)->view.index, e)->place);
    uint32_t count = ilki_row_set(storage_of(f), chunk_of(f, e), row, set);
    return chunk_of(f, e)->ilk != ilki_ilk_of(storage_of(f), set, count);
}

static void how_many_are_enough(void** state) {
    (void)state;
    ilki_storage storage = {0};
    assert_int_equal(ilki_enough(&storage), 64);
    storage.set_count = 32;
    assert_int_equal(ilki_enough(&storage), 64);
    storage.set_count = 33;
    assert_int_equal(ilki_enough(&storage), 66);
}

static void a_few_lodge_with_the_nearest(void** state) {
    fixture* f = *state;
    ilk_entity far = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_entity near = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    for (int i = 0; i < 70; i++) ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    ilk_entity e =
        ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_WITH(Velocity), ILK_VALUE(Health, 5));
    (void)far, (void)near;
    assert_true(is_lodger(f, e));
    assert_int_equal(chunk_of(f, e)->ilk->type_count, 2);
    assert_true(same_position(ILK_GET(f->world, e, Position), 1, 2));
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 5);
    ilk_entity other = ILK_SPAWN(f->world, ILK_WITH(Velocity)); // an exception at home there
    assert_true(is_lodger(f, other));
    assert_false(ilk_has(f->world, other, &Position_type));
}

static void enough_have_an_ilk_of_their_own(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    for (int i = 0; i < 64; i++) {
        assert_true(is_lodger(f, ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health))));
    }
    assert_false(is_lodger(f, ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health))));
}

static void who_differs_too_much_does_not_lodge(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_false(is_lodger(f, ILK_SPAWN(f->world, ILK_WITH(Health))));
    ilk_entity three = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity), ILK_WITH(Anchor),
                                 ILK_WITH(Enemy)); // three beside one in common
    assert_false(is_lodger(f, three));
}

static void an_ilk_without_chunks_is_no_host(void** state) {
    fixture* f = *state;
    ilk_entity only = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_ok(ilk_destroy(f->world, only));
    settle_fully(f->world);
    assert_int_equal(ilk_stats(f->world).chunks, 0);
    assert_false(is_lodger(f, ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health))));
}

static void what_is_large_does_not_come_as_a_guest(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_entity large = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Large));
    assert_false(is_lodger(f, large));
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Large), ILK_WITH(Health));
    assert_true(is_lodger(f, e)); // with those who have it at home
    assert_ptr_equal(chunk_of(f, e), chunk_of(f, large));
}

static void a_lodger_that_finds_no_memory_does_not_come(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_register(f->world, &Health_type);
    ilk_register(f->world, &Enemy_type);
    uint64_t left = 0;
    for (;; left++) {
        f->memory.left = left;
        ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health), ILK_WITH(Enemy));
        f->memory.left = UINT64_MAX;
        if (!ilk_is_null(e)) break;
        assert_told(f, ILK_NO_MEMORY, "ilk_spawn");
        assert_int_equal(ilk_stats(f->world).alive, 1);
        assert_valid(f->world);
    }
    assert_true(left > 2);
    assert_int_equal(ilk_stats(f->world).guests, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_many_are_enough),
        WORLD_TEST(a_few_lodge_with_the_nearest),
        WORLD_TEST(enough_have_an_ilk_of_their_own),
        WORLD_TEST(who_differs_too_much_does_not_lodge),
        WORLD_TEST(an_ilk_without_chunks_is_no_host),
        WORLD_TEST(what_is_large_does_not_come_as_a_guest),
        WORLD_TEST(a_lodger_that_finds_no_memory_does_not_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
