// The walk over chunks, compared with asking every entity.
#include "storage/walk.h"

#include "world/world.h"

#include "support.h"

typedef struct Large {
    uint64_t number;
    char bytes[4088];
} Large;
ILK_COMPONENT(Large);

enum {
    MOST = 6000
};

// The entities of a world, each of which has its number in every value.
typedef struct crowd {
    ilk_entity e[MOST];
    bool seen[MOST];
    uint32_t count;
} crowd;

static crowd* crowd_of(void) {
    crowd* c = calloc(1, sizeof(*c));
    assert_non_null(c);
    return c;
}

static uint32_t number_of(const crowd* c, ilk_entity e) {
    for (uint32_t i = 0; i < c->count; i++) {
        if (ilk_same(c->e[i], e)) return i;
    }
    fail_msg("entity %u:%u is not of the crowd", (unsigned)e.index, (unsigned)e.generation);
    return 0;
}

// An entity with its number as Anchor.
static ilk_entity join(fixture* f, crowd* c) {
    assert_true(c->count < MOST);
    c->e[c->count] = ILK_SPAWN(f->world, ILK_VALUE(Anchor, c->count));
    return c->e[c->count++];
}

// Every run has rows side by side, and every row the values of its entity.
static uint32_t check_run(const fixture* f, crowd* c, const ilki_walk* walk, ilk_type* const* types,
                          uint32_t count) {
    assert_true(walk->count > 0);
    for (uint32_t row = 0; row < walk->count; row++) {
        ilk_entity e = walk->entities[row];
        uint32_t number = number_of(c, e);
        assert_false(c->seen[number]);
        c->seen[number] = true;
        for (uint32_t i = 0; i < count; i++) {
            const char* value = (const char*)walk->columns[i] + row * types[i]->size;
            assert_ptr_equal(value, ilk_get(f->world, e, types[i], NULL));
        }
    }
    return walk->count;
}

// Returns the number of runs.
static uint32_t check_walk(fixture* f, crowd* c, ilk_type* const* types, uint32_t count) {
    ilki_walk walk;
    uint32_t found = 0, expected = 0, runs = 0;
    memset(c->seen, 0, sizeof c->seen);
    ilki_walk_init(&walk, f->world, types, count, 0);
    for (; ilki_walk_next(&walk); runs++) found += check_run(f, c, &walk, types, count);
    assert_false(ilki_walk_next(&walk));
    for (uint32_t i = 0; i < c->count; i++) {
        bool has_all = ilk_alive(f->world, c->e[i]);
        for (uint32_t j = 0; j < count; j++) has_all &= ilk_has(f->world, c->e[i], types[j]);
        expected += has_all;
    }
    assert_int_equal(found, expected);
    return runs;
}
#define CHECK_WALK(f, c, ...) check_walk((f), (c), ILK_TYPES(__VA_ARGS__))

static void a_type_that_is_unknown_has_no_rows(void** state) {
    fixture* f = *state;
    crowd* c = crowd_of();
    join(f, c);
    assert_int_equal(CHECK_WALK(f, c, &Position_type), 0);
    assert_int_equal(CHECK_WALK(f, c, &Anchor_type, &Position_type), 0);
    free(c);
}

static void a_full_chunk_is_one_run(void** state) {
    fixture* f = *state;
    crowd* c = crowd_of();
    for (int i = 0; i < 4 + 16 + 64 + 256; i++) join(f, c);
    assert_int_equal(CHECK_WALK(f, c, &Anchor_type), 4);
    join(f, c);
    assert_int_equal(CHECK_WALK(f, c, &Anchor_type), 5);
    free(c);
}

static void a_chunk_that_is_empty_has_no_run(void** state) {
    fixture* f = *state;
    crowd* c = crowd_of();
    for (int i = 0; i < 10; i++) join(f, c);
    for (int i = 0; i < 4; i++) assert_ok(ilk_destroy(f->world, c->e[i]));
    assert_int_equal(CHECK_WALK(f, c, &Anchor_type), 1);
    free(c);
}

// Chunk 3 has rows 84 and up, four words of them.
static void leave_only(fixture* f, crowd* c, uint32_t from, uint32_t to) {
    for (uint32_t i = 84; i < c->count; i++) {
        if (i - 84 < from || i - 84 >= to) assert_ok(ilk_destroy(f->world, c->e[i]));
    }
}

static void a_run_crosses_words(void** state) {
    fixture* f = *state;
    const uint32_t ends[][2] = {{0, 64},  {0, 65},    {3, 64},    {63, 64},  {63, 65},  {60, 200},
                                {0, 255}, {192, 256}, {250, 256}, {64, 128}, {70, 250}, {1, 256}};
    for (uint32_t i = 0; i < COUNT_OF(ends); i++) {
        crowd* c = crowd_of();
        ilk_clear(f->world);
        for (int n = 0; n < 340; n++) join(f, c);
        leave_only(f, c, ends[i][0], ends[i][1]);
        assert_int_equal(CHECK_WALK(f, c, &Anchor_type), 4);
        free(c);
    }
}

static void exceptions_and_guests_end_a_run(void** state) {
    fixture* f = *state;
    crowd* c = crowd_of();
    for (int i = 0; i < 340; i++) join(f, c);
    for (int i = 0; i < 340; i += 3) assert_ok(ilk_add(f->world, c->e[i], ILK_WITH(Health)));
    for (int i = 0; i < 340; i += 5) assert_ok(ilk_remove(f->world, c->e[i], &Anchor_type));
    CHECK_WALK(f, c, &Anchor_type);
    CHECK_WALK(f, c, &Health_type);
    CHECK_WALK(f, c, &Anchor_type, &Health_type);
    CHECK_WALK(f, c, &Health_type, &Anchor_type);
    free(c);
}

static void what_is_switched_off_is_walked(void** state) {
    fixture* f = *state;
    crowd* c = crowd_of();
    for (int i = 0; i < 20; i++) assert_ok(ilk_disable(f->world, join(f, c), &Anchor_type));
    assert_int_equal(CHECK_WALK(f, c, &Anchor_type), 2);
    free(c);
}

static void a_small_guest_is_walked_in_pieces(void** state) {
    fixture* f = *state;
    crowd* c = crowd_of();
    for (int i = 0; i < 84; i++) join(f, c);
    for (int i = 20; i < 60; i++) assert_ok(ilk_add(f->world, c->e[i], ILK_WITH(Large)));
    const ilki_block* block =
        ilki_block_at(ilki_directory_of(&f->world->storage.view, &Large_type), 2);
    assert_int_equal(block->kind, ILKI_SMALL);
    assert_int_equal(CHECK_WALK(f, c, &Large_type), 6); // 1, 2, 4, 8, 16 and 9 of 32 slots
    assert_ok(ilk_remove(f->world, c->e[30], &Large_type));
    assert_ok(ilk_remove(f->world, c->e[40], &Large_type));
    assert_ok(ilk_add(f->world, c->e[40], ILK_WITH(Large)));
    assert_ok(ilk_add(f->world, c->e[30], ILK_WITH(Large)));
    assert_int_equal(CHECK_WALK(f, c, &Anchor_type, &Large_type), 10); // two have changed places
    free(c);
}

// A chunk for each large value, so that a page of 64 entries is soon full.
static void many_pages_are_walked(void** state) {
    fixture* f = *state;
    crowd* c = crowd_of();
    ilk_type vast = {.name = "vast", .size = 65536};
    for (int i = 0; i < 70; i++) {
        c->e[c->count++] = ilk_spawn(f->world, &(ilk_value){&vast, NULL}, 1);
    }
    for (int i = 0; i < 100; i++) join(f, c);
    for (int i = 0; i < 70; i++) {
        c->e[c->count++] = ilk_spawn(f->world, &(ilk_value){&vast, NULL}, 1);
    }
    assert_true(f->world->storage.chunk_count > 128);
    assert_ok(ilk_add(f->world, c->e[200], ILK_WITH(Health)));
    CHECK_WALK(f, c, &vast);
    CHECK_WALK(f, c, &Anchor_type);
    assert_int_equal(CHECK_WALK(f, c, &vast, &Health_type), 1);
    assert_int_equal(CHECK_WALK(f, c, &Health_type, &vast), 1);
    assert_int_equal(CHECK_WALK(f, c, &Anchor_type, &vast), 0);
    free(c);
}

static void the_first_types_are_marked_as_changed(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    ilki_storage* storage = &f->world->storage;
    const ilki_block* moved = ilki_block_at(ilki_directory_of(&storage->view, &Position_type), 0);
    const ilki_block* read = ilki_block_at(ilki_directory_of(&storage->view, &Velocity_type), 0);
    uint64_t before = storage->view.tick++;
    ilki_walk walk;
    ilki_walk_init(&walk, f->world, ILK_TYPES(&Position_type, &Velocity_type), 1);
    assert_true(ilki_walk_next(&walk));
    assert_int_equal(moved->changed, before + 1);
    assert_int_equal(read->changed, before);
}

static void change_at_random(fixture* f, crowd* c, uint64_t* seed) {
    ilk_entity e = c->e[next_random(seed) % c->count];
    ilk_type* types[] = {&Anchor_type, &Health_type, &Large_type, &Enemy_type};
    ilk_type* type = types[next_random(seed) % 4];
    switch (next_random(seed) % 8) {
    case 0:
        ilk_destroy(f->world, e);
        break;
    case 1:
    case 2:
        ilk_remove(f->world, e, type);
        break;
    case 3:
        ilk_disable(f->world, e, type);
        break;
    default:
        ilk_set(f->world, e, (ilk_value){type, NULL});
    }
}

static void whatever_happened_every_row_is_walked_once(void** state) {
    fixture* f = *state;
    crowd* c = crowd_of();
    uint64_t seed = 5;
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < 100; i++) join(f, c);
        for (int i = 0; i < 300; i++) change_at_random(f, c, &seed);
        if (round % 4 == 3) ilk_settle(f->world, 0);
        CHECK_WALK(f, c, &Anchor_type);
        CHECK_WALK(f, c, &Large_type);
        CHECK_WALK(f, c, &Health_type, &Large_type);
        CHECK_WALK(f, c, &Enemy_type, &Anchor_type, &Large_type, &Health_type);
    }
    free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_type_that_is_unknown_has_no_rows),
        WORLD_TEST(a_full_chunk_is_one_run),
        WORLD_TEST(a_chunk_that_is_empty_has_no_run),
        WORLD_TEST(a_run_crosses_words),
        WORLD_TEST(exceptions_and_guests_end_a_run),
        WORLD_TEST(what_is_switched_off_is_walked),
        WORLD_TEST(a_small_guest_is_walked_in_pieces),
        WORLD_TEST(many_pages_are_walked),
        WORLD_TEST(the_first_types_are_marked_as_changed),
        WORLD_TEST(whatever_happened_every_row_is_walked_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
