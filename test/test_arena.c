// Arenas: pieces keep apart, blocks are kept and used again, failure leaves everything as it was.
#include "base/arena.h"

#include "support.h"

#define KB ((size_t)1 << 10)

typedef struct arena_fixture {
    meter m;
    ilki_memory memory;
    ilki_arena arena;
} arena_fixture;

static int open_arena(void** state) {
    arena_fixture* f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->m.left = UINT64_MAX;
    ilki_memory_init(&f->memory, &(ilk_allocator){meter_alloc, meter_free, &f->m});
    *state = f;
    return 0;
}

static int close_arena(void** state) {
    arena_fixture* f = *state;
    ilki_arena_fini(&f->arena, &f->memory);
    assert_int_equal(f->m.bytes, 0);
    assert_false(f->m.mismatch);
    for (int use = 0; use < ILKI_USES; use++) assert_int_equal(f->memory.bytes[use], 0);
    free(f);
    return 0;
}
#define ARENA_TEST(function) cmocka_unit_test_setup_teardown(function, open_arena, close_arena)

static unsigned char* take(arena_fixture* f, size_t size, size_t align) {
    return ilki_arena_take(&f->arena, &f->memory, size, align);
}

static uint32_t blocks_of(const arena_fixture* f) {
    uint32_t count = 0;
    for (const struct ilki_arena_block* b = f->arena.first; b; b = b->next) count++;
    return count;
}

static void an_arena_of_nothing_holds_nothing(void** state) {
    arena_fixture* f = *state;
    ilki_arena_reset(&f->arena);
    ilki_arena_fini(&f->arena, &f->memory);
    assert_int_equal(f->m.calls, 0);
}

static void pieces_follow_each_other(void** state) {
    arena_fixture* f = *state;
    unsigned char* a = take(f, 24, 8);
    unsigned char* b = take(f, 3, 1);
    unsigned char* c = take(f, 8, 8);
    assert_int_equal((uintptr_t)a % 8, 0);
    assert_ptr_equal(b, a + 24);
    assert_ptr_equal(c, a + 32);
    assert_int_equal(f->m.calls, 1);
    assert_true(f->memory.bytes[ILKI_OTHER] >= 16 * KB);
}

// Sizes and alignments at random, each piece full of its own number.
static void pieces_keep_apart(void** state) {
    arena_fixture* f = *state;
    enum {
        PIECES = 400
    };
    unsigned char* piece[PIECES];
    size_t size[PIECES];
    uint64_t seed = 7;
    for (uint32_t i = 0; i < PIECES; i++) {
        size_t align = (size_t)1 << next_random(&seed) % 13;
        size[i] = next_random(&seed) % 3000;
        piece[i] = take(f, size[i], align);
        assert_non_null(piece[i]);
        assert_int_equal((uintptr_t)piece[i] % align, 0);
        memset(piece[i], (int)(i % 251), size[i]);
    }
    for (uint32_t i = 0; i < PIECES; i++) {
        for (size_t k = 0; k < size[i]; k++) assert_int_equal(piece[i][k], i % 251);
    }
}

static void any_alignment_can_be_had(void** state) {
    arena_fixture* f = *state;
    for (size_t align = 1; align <= 64 * KB; align *= 2) {
        unsigned char* piece = take(f, 10, align);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % align, 0);
        memset(piece, 1, 10);
    }
}

static void a_piece_of_no_bytes_is_a_piece(void** state) {
    arena_fixture* f = *state;
    unsigned char* a = take(f, 0, 1);
    assert_non_null(a);
    assert_ptr_equal(take(f, 4, 1), a);
}

static void a_large_piece_gets_a_block_of_its_size(void** state) {
    arena_fixture* f = *state;
    take(f, 8, 8);
    unsigned char* large = take(f, 1000 * KB, 64);
    assert_non_null(large);
    memset(large, 5, 1000 * KB);
    assert_int_equal(blocks_of(f), 2);
    assert_true(f->m.bytes < 1020 * KB);
}

// Pieces of one kind, many blocks of them; large ones in between.
static void take_a_load(arena_fixture* f) {
    for (uint32_t i = 0; i < 3000; i++) {
        assert_non_null(take(f, 40, 8));
        if (i % 500 == 250) assert_non_null(take(f, 50 * KB, 4096));
    }
}

static void what_is_reset_is_used_again(void** state) {
    arena_fixture* f = *state;
    unsigned char* first = take(f, 40, 8);
    take_a_load(f);
    ilki_arena_reset(&f->arena);
    assert_ptr_equal(take(f, 40, 8), first);
    ilki_arena_reset(&f->arena);
    take(f, 40, 8);
    uint64_t calls = f->m.calls;
    for (int round = 0; round < 5; round++) {
        take_a_load(f);
        ilki_arena_reset(&f->arena);
        take(f, 40, 8);
    }
    assert_int_equal(f->m.calls, calls);
}

// After a reset, a piece that no kept block can hold gets one more; the others are still used.
static void kept_blocks_are_used_around_a_larger_one(void** state) {
    arena_fixture* f = *state;
    for (int i = 0; i < 4; i++) take(f, 15 * KB, 8);
    assert_int_equal(blocks_of(f), 4);
    ilki_arena_reset(&f->arena);
    assert_non_null(take(f, 100 * KB, 8));
    assert_int_equal(blocks_of(f), 5);
    uint64_t calls = f->m.calls;
    for (int i = 0; i < 4; i++) assert_non_null(take(f, 15 * KB, 8));
    assert_int_equal(f->m.calls, calls);
}

static void a_piece_beyond_all_memory_is_refused(void** state) {
    arena_fixture* f = *state;
    assert_null(take(f, SIZE_MAX, 1));
    assert_null(take(f, SIZE_MAX - 100, 64));
    assert_int_equal(f->m.calls, 0);
    assert_null(take(f, SIZE_MAX / 2, 4096));
    assert_non_null(take(f, 8, 8));
}

static void without_memory_nothing_is_lost(void** state) {
    arena_fixture* f = *state;
    f->m.left = 0;
    assert_null(take(f, 8, 8));
    f->m.left = 1;
    unsigned char* first = take(f, 10 * KB, 8);
    memset(first, 9, 10 * KB);
    assert_null(take(f, 10 * KB, 8));
    assert_non_null(take(f, 5 * KB, 8)); // what is left of the block still serves
    f->m.left = UINT64_MAX;
    unsigned char* second = take(f, 10 * KB, 8);
    memset(second, 8, 10 * KB);
    assert_int_equal(first[10 * KB - 1], 9);
    assert_int_equal(blocks_of(f), 2);
}

static void an_arena_that_ended_can_begin_anew(void** state) {
    arena_fixture* f = *state;
    take_a_load(f);
    ilki_arena_fini(&f->arena, &f->memory);
    assert_int_equal(f->m.bytes, 0);
    assert_non_null(take(f, 8, 8));
}

static void arenas_share_the_blocks_of_a_pool(void** state) {
    arena_fixture* f = *state;
    ilki_arena_pool pool = {0};
    ilki_arena other = {.pool = &pool};
    f->arena.pool = &pool;
    for (uint32_t i = 0; i < 5; i++) assert_non_null(take(f, 12 * KB, 8));
    uint32_t blocks = blocks_of(f);
    assert_int_equal(blocks, 5);
    assert_int_equal(ilki_arena_reset(&f->arena), 5 * 12 * KB);
    assert_null(f->arena.first);
    assert_int_equal(pool.count, blocks);
    uint64_t calls = f->m.calls;
    for (uint32_t i = 0; i < blocks; i++) {
        assert_non_null(ilki_arena_take(&other, &f->memory, 12 * KB, 8));
    }
    assert_int_equal(f->m.calls, calls);
    assert_int_equal(pool.count, 0);
    assert_non_null(take(f, 8, 8));
    assert_int_equal(f->m.calls, calls + 1);
    ilki_arena_fini(&other, &f->memory);
    ilki_arena_pool_fini(&pool, &f->memory);
}

// However arenas share so many bytes, no block is missing.
static void a_pool_has_enough_for_all_ways_to_share(void** state) {
    arena_fixture* f = *state;
    enum {
        ARENAS = 4,
        PIECES = 2000,
        SIZE = 104
    };
    ilki_arena_pool pool = {0};
    ilki_arena arenas[ARENAS];
    uint64_t seed = 3, calls = 0;
    for (uint32_t i = 0; i < ARENAS; i++) arenas[i] = (ilki_arena){.pool = &pool};
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t share = 1 + next_random(&seed) % ARENAS;
        for (uint32_t i = 0; i < PIECES; i++) {
            ilki_arena* arena = &arenas[next_random(&seed) % share];
            assert_non_null(ilki_arena_take(arena, &f->memory, SIZE, 8));
        }
        size_t bytes = 0;
        for (uint32_t i = 0; i < ARENAS; i++) bytes += ilki_arena_reset(&arenas[i]);
        assert_int_equal(bytes, PIECES * SIZE);
        ilki_arena_pool_fill(&pool, &f->memory, bytes, ARENAS);
        if (round == 0) calls = f->m.calls;
        assert_int_equal(f->m.calls, calls);
    }
    f->m.left = 0; // without memory it has what it has
    ilki_arena_pool_fill(&pool, &f->memory, 1 << 30, ARENAS);
    ilki_arena_pool_fini(&pool, &f->memory);
    assert_int_equal(pool.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ARENA_TEST(an_arena_of_nothing_holds_nothing),
        ARENA_TEST(pieces_follow_each_other),
        ARENA_TEST(pieces_keep_apart),
        ARENA_TEST(any_alignment_can_be_had),
        ARENA_TEST(a_piece_of_no_bytes_is_a_piece),
        ARENA_TEST(a_large_piece_gets_a_block_of_its_size),
        ARENA_TEST(what_is_reset_is_used_again),
        ARENA_TEST(kept_blocks_are_used_around_a_larger_one),
        ARENA_TEST(a_piece_beyond_all_memory_is_refused),
        ARENA_TEST(without_memory_nothing_is_lost),
        ARENA_TEST(an_arena_that_ended_can_begin_anew),
        ARENA_TEST(arenas_share_the_blocks_of_a_pool),
        ARENA_TEST(a_pool_has_enough_for_all_ways_to_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
