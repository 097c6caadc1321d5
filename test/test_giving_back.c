// Memory that is no longer needed goes back, and a call that fails keeps none.
#include "support.h"

enum {
    MANY = 100000,
    FEW = 100
};

static ilk_entity crowd[MANY];

static void make_crowd(ilk_world* world) {
    for (uint32_t i = 0; i < MANY; i++) {
        crowd[i] = ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(Velocity));
    }
}

// Destroys all but FEW, spread over all chunks.
static void thin_out(ilk_world* world) {
    for (uint32_t i = 0; i < MANY; i++) {
        if (i % (MANY / FEW)) assert_int_equal(ilk_destroy(world, crowd[i]), ILK_OK);
    }
}

// C17
static void a_crowd_that_is_gone_gives_its_memory_back(void** state) {
    fixture* f = *state;
    make_crowd(f->world);
    size_t before = ilk_stats(f->world).bytes;
    thin_out(f->world);
    assert_true(ilk_settle(f->world, 0).done);
    ilk_trim(f->world);
    ilk_world_stats stats = ilk_stats(f->world);
    assert_int_equal(stats.alive, FEW);
    // Slots keep their generations and can be free, twelve bytes each; of the rest one large chunk
    // may be left.
    size_t left = stats.bytes_values + stats.bytes_entities + stats.bytes_directories;
    assert_true(left + stats.bytes_spare < before / 15);
    assert_true(f->memory.bytes < stats.bytes + stats.bytes / 10);
}

static void clearing_and_trimming_leaves_the_slots(void** state) {
    fixture* f = *state;
    make_crowd(f->world);
    ilk_clear(f->world);
    ilk_trim(f->world);
    ilk_world_stats stats = ilk_stats(f->world);
    assert_int_equal(stats.bytes_values + stats.bytes_entities + stats.bytes_spare, 0);
    assert_true(stats.bytes_records < (MANY + 2048) * 13);
}

static void a_bulk_call_that_fails_keeps_no_memory(void** state) {
    fixture* f = *state;
    ilk_batch batch;
    assert_false(ilk_is_null(ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity))));
    ilk_trim(f->world);
    size_t before = f->memory.bytes;
    for (uint64_t left = 0; left < 40; left++) {
        f->memory.left = left;
        ilk_result result =
            ilk_spawn_many(f->world, &batch, 1000000, ILK_TYPES(&Position_type, &Velocity_type));
        f->memory.left = UINT64_MAX;
        assert_int_equal(result, ILK_NO_MEMORY);
    }
    ilk_trim(f->world);
    assert_true(f->memory.bytes < before + 32768); // arrays that have grown
}

static void reserved_room_is_trimmed(void** state) {
    fixture* f = *state;
    ilk_trim(f->world);
    size_t before = f->memory.bytes;
    assert_int_equal(ilk_reserve(f->world, 50000, ILK_TYPES(&Position_type)), ILK_OK);
    assert_true(f->memory.bytes > before + 50000 * sizeof(Position));
    ilk_trim(f->world);
    assert_true(f->memory.bytes < before + 32768);
    assert_int_equal(ilk_stats(f->world).chunks, 0);
}

// Sets that had few entities, long ago, do not weigh on those of today.
static void sets_of_the_past_are_forgotten(void** state) {
    fixture* f = *state;
    static char names[12][8];
    static ilk_type tags[12];
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    for (uint32_t i = 0; i < COUNT_OF(tags); i++) {
        snprintf(names[i], sizeof names[i], "Past%u", i);
        tags[i] = (ilk_type){.name = names[i]};
    }
    for (uint32_t set = 1; set < 1u << COUNT_OF(tags); set++) {
        for (uint32_t i = 0; i < COUNT_OF(tags); i++) {
            if (set >> i & 1)
                ilk_set(f->world, e, (ilk_value){&tags[i], NULL});
            else
                ilk_remove(f->world, e, &tags[i]);
        }
        ilk_destroy(f->world, ilk_copy(f->world, e));
    }
    size_t swollen = ilk_stats(f->world).bytes_other;
    assert_int_equal(ilk_destroy(f->world, e), ILK_OK);
    assert_true(ilk_settle(f->world, 0).done);
    ilk_trim(f->world);
    assert_true(ilk_stats(f->world).bytes_other < swollen / 4);
    for (uint32_t i = 0; i < 4000; i++) {
        e = ILK_SPAWN(f->world, ILK_WITH(Position));
        if (i % 2) assert_int_equal(ilk_add(f->world, e, ILK_WITH(Enemy)), ILK_OK);
    }
    assert_true(ilk_settle(f->world, 0).done);
    assert_int_equal(ilk_stats(f->world).guests, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_crowd_that_is_gone_gives_its_memory_back),
        WORLD_TEST(clearing_and_trimming_leaves_the_slots),
        WORLD_TEST(a_bulk_call_that_fails_keeps_no_memory),
        WORLD_TEST(reserved_room_is_trimmed),
        WORLD_TEST(sets_of_the_past_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
