// Cutting what a query may match into pieces, which together visit what the query visits.
#include "query/iter.h"
#include "world/world.h"

#include "support.h"

enum {
    CUTS_MAX = 4096,
    SEEN_MAX = 20000
};

static uint64_t ends[CUTS_MAX];
static ilk_entity whole[SEEN_MAX], parts[SEEN_MAX];
static uint32_t rows_of[CUTS_MAX];

typedef struct Depth {
    uint32_t metres;
} Depth;
ILK_COMPONENT_WITH(Depth, .track = true);

static uint32_t walk_whole(ilk_world* world, ilk_query* query) {
    uint32_t count = 0;
    ilk_iter it;
    ilki_iter_ask(&it, world, query, false);
    while (ilki_iter_next(&it, false)) {
        assert_true(count + it.count <= SEEN_MAX);
        memcpy(whole + count, it.entities, it.count * sizeof(ilk_entity));
        count += it.count;
    }
    return count;
}

static uint32_t walk_piece(ilk_world* world, ilk_query* query, uint64_t from, uint64_t to,
                           ilk_entity* seen, bool is_listed) {
    uint32_t count = 0;
    ilk_iter it;
    ilki_iter_ask(&it, world, query, false);
    ilki_iter_confine(&it, from, to);
    while (ilki_iter_next(&it, is_listed)) {
        for (uint32_t i = 0; i < it.count; i++) {
            seen[count + i] = it.entities[is_listed ? it.rows[i] : i];
        }
        count += it.count;
    }
    return count;
}

// The pieces of a cut visit, one after the other, what one walk visits, in its order. How many
// pieces there are.
static uint32_t check_cut(ilk_world* world, ilk_query* query, uint32_t rows, bool is_listed) {
    uint32_t all = walk_whole(world, query), gone = 0;
    memset(ends, 0xee, sizeof(ends));
    uint32_t pieces = ilki_query_cut(query, rows, ends, CUTS_MAX);
    assert_in_range(pieces, 1, CUTS_MAX);
    for (uint32_t i = 0; i < pieces; i++) {
        uint64_t from = i ? ends[i - 1] : 0, to = i + 1 < pieces ? ends[i] : ILKI_NO_BOUND;
        if (i + 1 < pieces) assert_true(to > from && to >> 32 != ILKI_NO_CHUNK);
        rows_of[i] = walk_piece(world, query, from, to, parts + gone, is_listed);
        gone += rows_of[i];
        assert_true(gone <= all);
    }
    assert_int_equal(gone, all);
    assert_memory_equal(parts, whole, all * sizeof(ilk_entity));
    return pieces;
}

static const uint32_t sizes[] = {0, 1, 63, 64, 65, 100, 1000, 5000, UINT32_MAX - 1, UINT32_MAX};

static void check_cuts(ilk_world* world, ilk_query* query) {
    for (uint32_t i = 0; i < COUNT_OF(sizes); i++) {
        check_cut(world, query, sizes[i], false);
        check_cut(world, query, sizes[i], true);
    }
}

static ilk_query* query_for(ilk_world* world, ilk_query_desc desc) {
    ilk_query* query = ilk_query_create(world, &desc);
    assert_non_null(query);
    return query;
}

static void an_empty_world_is_one_piece(void** state) {
    fixture* f = *state;
    ilk_query* positions = query_for(f->world, (ilk_query_desc){.read = {&Position_type}});
    ilk_query* all = query_for(f->world, (ilk_query_desc){0});
    check_cuts(f->world, positions);
    check_cuts(f->world, all);
    assert_int_equal(ilki_query_cut(positions, 1, NULL, 0), 1);
}

// As many as were wanted, rounded up to whole words: a piece shares no word with another.
static void pieces_have_about_so_many_rows(void** state) {
    fixture* f = *state;
    ilk_query* query = query_for(f->world, (ilk_query_desc){.read = {&Position_type}});
    for (uint32_t i = 0; i < 3000; i++) ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 0));
    static const uint32_t wanted[] = {1, 64, 65, 128, 700, 2999, 3000, UINT32_MAX};
    static const uint32_t least[] = {64, 64, 128, 128, 704, 3000, 3000, 3000};
    for (uint32_t i = 0; i < COUNT_OF(wanted); i++) {
        uint32_t pieces = check_cut(f->world, query, wanted[i], false);
        for (uint32_t k = 0; k + 1 < pieces; k++) {
            assert_in_range(rows_of[k], least[i], least[i] + 63);
        }
        assert_in_range(rows_of[pieces - 1], 1, least[i] + 63);
    }
}

static void left_to_itself_it_makes_at_most_some_thirty_pieces(void** state) {
    fixture* f = *state;
    ilk_query* query = query_for(f->world, (ilk_query_desc){.read = {&Position_type}});
    for (uint32_t i = 0; i < 255; i++) ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_int_equal(check_cut(f->world, query, 0, false), 1);
    for (uint32_t i = 0; i < 257; i++) ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_int_equal(check_cut(f->world, query, 0, false), 2);
    for (uint32_t i = 512; i < SEEN_MAX; i++) ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_in_range(check_cut(f->world, query, 0, false), 30, 33);
}

static void where_a_piece_ends_is_written_as_far_as_there_is_room(void** state) {
    fixture* f = *state;
    ilk_query* query = query_for(f->world, (ilk_query_desc){.read = {&Position_type}});
    for (uint32_t i = 0; i < 640; i++) ILK_SPAWN(f->world, ILK_WITH(Position));
    memset(ends, 0xee, sizeof(ends));
    uint32_t pieces = ilki_query_cut(query, 64, ends, 3);
    assert_in_range(pieces, 6, 10);
    for (uint32_t i = 0; i < 3; i++) assert_true(ends[i] != 0xeeeeeeeeeeeeeeeeu);
    assert_true(ends[3] == 0xeeeeeeeeeeeeeeeeu);
    assert_int_equal(ilki_query_cut(query, 64, NULL, 0), pieces);
}

static void entities_without_a_place_are_of_the_last_piece(void** state) {
    fixture* f = *state;
    ilk_query* all = query_for(f->world, (ilk_query_desc){0});
    for (uint32_t i = 0; i < 100; i++) ilk_create(f->world);
    assert_int_equal(check_cut(f->world, all, 1, false), 1);
    for (uint32_t i = 0; i < 300; i++) {
        ILK_SPAWN(f->world, ILK_WITH(Position));
        if (i % 7 == 0) ilk_create(f->world);
    }
    uint32_t pieces = check_cut(f->world, all, 64, false);
    assert_in_range(pieces, 3, 5);
    assert_true(rows_of[pieces - 1] > 143);
    check_cuts(f->world, all);
}

// A world in which kinds, holes, guests and switched-off components are mixed.
static void stir(ilk_world* world, uint32_t count, uint64_t* seed) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = next_random(seed) % 8;
        ilk_entity e = kind == 7 ? ilk_create(world) : ILK_SPAWN(world, ILK_VALUE(Depth, i));
        if (kind & 1) ilk_set(world, e, ILK_VALUE(Position, 1, 2));
        if (kind & 2) ilk_set(world, e, ILK_VALUE(Velocity, 1, 2));
        if (kind == 3) ilk_disable(world, e, &Velocity_type);
        if (kind == 5) ilk_set(world, e, ILK_WITH(Frozen));
        if (next_random(seed) % 5 == 0) ilk_destroy(world, e);
        if (next_random(seed) % 500 == 0) ilk_settle(world, 8);
    }
}

static void any_world_is_cut_without_loss(void** state) {
    fixture* f = *state;
    uint64_t seed = 11;
    ilk_query* queries[] = {
        query_for(f->world, (ilk_query_desc){0}),
        query_for(f->world, (ilk_query_desc){.read = {&Depth_type}}),
        query_for(f->world, (ilk_query_desc){.write = {&Position_type}, .read = {&Depth_type}}),
        query_for(f->world, (ilk_query_desc){.read = {&Velocity_type}, .without = {&Frozen_type}}),
        query_for(f->world, (ilk_query_desc){.maybe = {&Velocity_type}, .with = {&Depth_type}}),
        query_for(f->world, (ilk_query_desc){.any = {&Frozen_type, &Velocity_type}}),
        query_for(f->world, (ilk_query_desc){.without = {&Depth_type}}),
        query_for(f->world, (ilk_query_desc){.where = "Depth, Position | !Velocity"}),
    };
    for (uint32_t round = 0; round < 6; round++) {
        stir(f->world, 900, &seed);
        for (uint32_t i = 0; i < COUNT_OF(queries); i++) check_cuts(f->world, queries[i]);
    }
    settle_fully(f->world);
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) check_cuts(f->world, queries[i]);
}

static void what_changed_is_cut_without_loss(void** state) {
    fixture* f = *state;
    uint64_t seed = 5;
    ilk_query* changed = query_for(f->world, (ilk_query_desc){.changed = {&Depth_type}});
    ilk_query* added =
        query_for(f->world, (ilk_query_desc){.added = {&Position_type}, .read = {&Depth_type}});
    stir(f->world, 3000, &seed);
    check_cuts(f->world, changed);
    check_cuts(f->world, added);
    uint64_t tick = ilk_tick(f->world);
    ilk_query_since(changed, tick);
    ilk_query_since(added, tick);
    check_cuts(f->world, changed);
    assert_int_equal(ilk_query_count(f->world, changed), 0);
    ilk_query* all = query_for(f->world, (ilk_query_desc){.with = {&Depth_type}});
    uint32_t count = walk_whole(f->world, all), marked = 0;
    for (uint32_t i = 0; i < count; i += 37)
        marked += ilk_mark(f->world, whole[i], &Depth_type) == 0;
    assert_int_equal(ilk_query_count(f->world, changed), marked);
    check_cuts(f->world, changed);
    check_cuts(f->world, added);
}

// Cutting is asking: it counts as no pass, and changes no statistics.
static void cutting_is_no_pass(void** state) {
    fixture* f = *state;
    ilk_query* changed = query_for(f->world, (ilk_query_desc){.changed = {&Depth_type}});
    for (uint32_t i = 0; i < 200; i++) ILK_SPAWN(f->world, ILK_VALUE(Depth, i));
    ilk_query_stats before = ilk_query_stats_of(changed);
    ilki_query_cut(changed, 64, ends, CUTS_MAX);
    ilk_query_stats after = ilk_query_stats_of(changed);
    assert_memory_equal(&before, &after, sizeof(before));
    assert_int_equal(ilk_query_count(f->world, changed), 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(an_empty_world_is_one_piece),
        WORLD_TEST(pieces_have_about_so_many_rows),
        WORLD_TEST(left_to_itself_it_makes_at_most_some_thirty_pieces),
        WORLD_TEST(where_a_piece_ends_is_written_as_far_as_there_is_room),
        WORLD_TEST(entities_without_a_place_are_of_the_last_piece),
        WORLD_TEST(any_world_is_cut_without_loss),
        WORLD_TEST(what_changed_is_cut_without_loss),
        WORLD_TEST(cutting_is_no_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
