// What queries cost: what a pass looks at, and what they cost those who do not ask.
#include "query_support.h"

// R000.30
static void making_a_query_looks_at_nothing(void** state) {
    fixture* f = *state;
    uint64_t before = f->memory.calls;
    QUERY(f->world, .read = {&Position_type});
    uint64_t without_entities = f->memory.calls - before;
    static ilk_entity e[5000];
    spawn_positions(f->world, e, COUNT_OF(e));
    before = f->memory.calls;
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    assert_true(f->memory.calls - before <= without_entities);
    ilk_query_stats stats = ilk_query_stats_of(query);
    assert_int_equal(stats.passes + stats.chunks + stats.words + stats.rows + stats.sorts, 0);
    assert_null(stats.rarest);
}

// Walks once; what that pass did.
static ilk_query_stats pass_of(ilk_world* world, ilk_query* query) {
    ilk_query_stats before = ilk_query_stats_of(query);
    rows_walked(world, query, ilk_next);
    ilk_query_stats after = ilk_query_stats_of(query);
    return (ilk_query_stats){after.passes - before.passes,   after.chunks - before.chunks,
                             after.skipped - before.skipped, after.whole - before.whole,
                             after.words - before.words,     after.rows - before.rows,
                             after.sorts - before.sorts,     after.rarest};
}

static void assert_pass_at(ilk_world* world, ilk_query* query, ilk_query_stats expected,
                           const char* file, int line) {
    ilk_query_stats pass = pass_of(world, query);
    _assert_int_equal(pass.passes, 1, file, line);
    _assert_int_equal(pass.chunks, expected.chunks, file, line);
    _assert_int_equal(pass.skipped, expected.skipped, file, line);
    _assert_int_equal(pass.whole, expected.whole, file, line);
    _assert_int_equal(pass.words, expected.words, file, line);
    _assert_int_equal(pass.rows, expected.rows, file, line);
    _assert_int_equal(pass.sorts, 0, file, line);
}
#define assert_pass(world, query, ...)                                                             \
    assert_pass_at((world), (query), (ilk_query_stats){__VA_ARGS__}, __FILE__, __LINE__)

// Three chunks, of 4, 16 and 64 rows; these are the first rows of each.
enum {
    FULL = 4 + 16 + 64,
    SECOND = 4,
    THIRD = 4 + 16
};

// R001.27
static void full_chunks_are_one_run_each(void** state) {
    fixture* f = *state;
    ilk_entity e[FULL];
    spawn_positions(f->world, e, FULL);
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    ilk_query* all = QUERY(f->world, 0);
    ilk_query* none = QUERY(f->world, .read = {&Position_type, &Velocity_type});
    assert_pass(f->world, query, .chunks = 3, .whole = 3, .rows = FULL);
    assert_pass(f->world, all, .chunks = 3, .whole = 3, .rows = FULL);
    assert_pass(f->world, none, .chunks = 0);
    assert_ptr_equal(ilk_query_stats_of(query).rarest, ilk_type_named(f->world, "Position"));
    assert_null(ilk_query_stats_of(all).rarest);
    assert_int_equal(ilk_query_stats_of(query).passes, 1);
}

static void holes_are_looked_at_by_64(void** state) {
    fixture* f = *state;
    ilk_entity e[FULL];
    spawn_positions(f->world, e, FULL);
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    assert_ok(ilk_destroy(f->world, e[THIRD + 30]));
    assert_pass(f->world, query, .chunks = 3, .whole = 2, .words = 1, .rows = FULL - 1);
    assert_ok(ilk_destroy(f->world, e[SECOND + 8]));
    assert_ok(ilk_destroy(f->world, e[1]));
    assert_pass(f->world, query, .chunks = 3, .words = 3, .rows = FULL - 3);
}

static void what_blocks_say_is_not_looked_at(void** state) {
    fixture* f = *state;
    ilk_entity e[FULL];
    spawn_positions(f->world, e, FULL);
    assert_ok(ilk_add(f->world, e[1], ILK_WITH(Velocity)));
    assert_ok(ilk_add(f->world, e[SECOND + 8], ILK_WITH(Velocity)));
    ilk_query* both = QUERY(f->world, .read = {&Position_type, &Velocity_type});
    assert_pass(f->world, both, .chunks = 2, .words = 2, .rows = 2);
    assert_ok(ilk_remove(f->world, e[1], &Velocity_type));
    assert_pass(f->world, both, .chunks = 2, .skipped = 1, .words = 1, .rows = 1);
    assert_ok(ilk_add_many(f->world, e, 4, &Enemy_type, NULL));
    assert_ok(ilk_add(f->world, e[THIRD + 30], ILK_WITH(Enemy)));
    ilk_query* peaceful = QUERY(f->world, .read = {&Position_type}, .without = {&Enemy_type});
    assert_pass(f->world, peaceful, .chunks = 3, .skipped = 1, .whole = 1, .words = 1,
                .rows = 16 + 63);
}

// R003.8 C9
static void the_rarest_type_leads(void** state) {
    fixture* f = *state;
    static ilk_entity e[FULL + 256];
    spawn_positions(f->world, e, COUNT_OF(e));
    assert_ok(ilk_add_many(f->world, e + SECOND, 17, &Velocity_type, NULL));
    assert_ok(ilk_add(f->world, e[FULL], ILK_WITH(Frozen)));
    ilk_query* two = QUERY(f->world, .write = {&Position_type}, .read = {&Velocity_type});
    assert_pass(f->world, two, .chunks = 2, .whole = 1, .words = 1, .rows = 17);
    assert_ptr_equal(ilk_query_stats_of(two).rarest, ilk_type_named(f->world, "Velocity"));
    assert_ok(ilk_add(f->world, e[SECOND], ILK_WITH(Frozen)));
    assert_ok(ilk_remove(f->world, e[FULL], &Frozen_type));
    settle_fully(f->world);
    ilk_query* three =
        QUERY(f->world, .read = {&Velocity_type, &Position_type}, .with = {&Frozen_type});
    assert_result_count(f->world, three, 1);
    assert_ptr_equal(ilk_query_stats_of(three).rarest, ilk_type_named(f->world, "Frozen"));
    assert_entity(ilk_query_first(f->world, three), e[SECOND]);
}

// R001.26 R001.27
static void terms_are_tested_by_chunk_and_never_by_entity(void** state) {
    fixture* f = *state;
    enum {
        MANY = FULL + 256 + 1024
    };
    static ilk_entity e[MANY];
    spawn_positions(f->world, e, MANY);
    ilk_register(f->world, &Enemy_type);
    ilk_query* queries[] = {
        QUERY(f->world, .with = {&Position_type}),
        QUERY(f->world, .write = {&Position_type}, .without = {&Enemy_type}),
        QUERY(f->world, .any = {&Position_type, &Enemy_type}),
        QUERY(f->world, .where = "Position & !Enemy"),
    };
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        assert_pass(f->world, queries[i], .chunks = 5, .whole = 5, .rows = MANY);
        assert_int_equal(ilk_query_count(f->world, queries[i]), MANY);
    }
    assert_ok(ilk_add(f->world, e[FULL + 100], ILK_WITH(Enemy)));
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        ilk_query_stats pass = pass_of(f->world, queries[i]);
        assert_int_equal(pass.chunks, 5);
        assert_true(pass.words <= 256 / 64);
    }
}

enum {
    LIVE_QUERIES = 10000
};

static void make_many_queries(ilk_world* world, ilk_query** queries) {
    for (uint32_t i = 0; i < LIVE_QUERIES; i++) {
        ilk_query_desc desc = {.read = {i % 2 ? &Position_type : &Health_type},
                               .without = {i % 3 ? &Frozen_type : NULL},
                               .any = {i % 5 ? &Velocity_type : NULL, &Enemy_type},
                               .changed = {i % 7 ? NULL : &Position_type},
                               .order_by_index = i % 11 == 0};
        queries[i] = query_of(world, desc);
    }
}

// One thing after another that changes a world, each with what the one before left.
static ilk_entity staff[300];

static void errand_create(ilk_world* world) {
    assert_ok(ilk_create_many(world, staff + 200, 100));
    ilk_create(world);
}

static void errand_spawn(ilk_world* world) {
    for (int i = 0; i < 200; i++)
        staff[i] = ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(Velocity));
}

static void errand_add(ilk_world* world) {
    assert_ok(ilk_add(world, staff[250], ILK_WITH(Health)));
    assert_ok(ilk_add_many(world, staff, 100, &Enemy_type, NULL));
    assert_non_null(ILK_ENSURE(world, staff[1], Health));
}

static void errand_change(ilk_world* world) {
    assert_ok(ilk_set(world, staff[0], ILK_VALUE(Position, 1, 1)));
    assert_ok(ilk_replace(world, staff[0], ILK_VALUE(Position, 1, 1)));
    assert_non_null(ILK_EDIT(world, staff[0], Position));
    assert_ok(ilk_mark(world, staff[0], &Position_type));
}

static void errand_toggle(ilk_world* world) {
    assert_ok(ilk_disable(world, staff[0], &Position_type));
    assert_ok(ilk_enable(world, staff[0], &Position_type));
}

static void errand_remove(ilk_world* world) {
    assert_ok(ilk_remove(world, staff[2], &Velocity_type));
    assert_ok(ilk_remove_many(world, staff, 50, &Enemy_type));
    assert_ok(ilk_remove_all(world, staff[3]));
}

static void errand_copy(ilk_world* world) {
    assert_false(ilk_is_null(ilk_copy(world, staff[0])));
}

static void errand_batch(ilk_world* world) {
    ilk_batch batch;
    assert_ok(ilk_spawn_many(world, &batch, 500, ILK_TYPES(&Position_type, &Health_type)));
}

static void errand_destroy(ilk_world* world) {
    assert_ok(ilk_destroy(world, staff[4]));
    assert_ok(ilk_destroy_many(world, staff + 5, 100));
}

static void errand_settle(ilk_world* world) {
    settle_fully(world);
}

typedef void errand_fn(ilk_world* world);
static errand_fn* const errands[] = {errand_create,  errand_spawn,  errand_add,  errand_change,
                                     errand_toggle,  errand_remove, errand_copy, errand_batch,
                                     errand_destroy, errand_settle, ilk_trim,    ilk_clear};

// The memory that each errand asks for.
typedef struct bill {
    uint64_t calls[COUNT_OF(errands)];
    size_t grown[COUNT_OF(errands)];
} bill;

static bill run_errands(fixture* f, ilk_world* world) {
    bill b;
    for (uint32_t i = 0; i < COUNT_OF(errands); i++) {
        uint64_t calls = f->memory.calls;
        size_t bytes = ilk_stats(world).bytes;
        errands[i](world);
        b.calls[i] = f->memory.calls - calls;
        b.grown[i] = ilk_stats(world).bytes - bytes;
    }
    return b;
}

// R004.5 R004.6 R004.7
static void ten_thousand_queries_cost_a_change_nothing(void** state) {
    fixture* f = *state;
    static ilk_query* queries[LIVE_QUERIES];
    ilk_world *alone = second_world(f, 0), *crowded = second_world(f, 0);
    make_many_queries(crowded, queries);
    bill without = run_errands(f, alone), with = run_errands(f, crowded);
    for (uint32_t i = 0; i < COUNT_OF(errands); i++) {
        assert_true(with.calls[i] <= without.calls[i]);
        assert_int_equal(with.grown[i], without.grown[i]);
    }
    for (uint32_t i = 0; i < LIVE_QUERIES; i++) {
        ilk_query_stats stats = ilk_query_stats_of(queries[i]);
        assert_int_equal(stats.passes + stats.chunks + stats.words + stats.rows, 0);
    }
    ilk_world_destroy(alone);
    ilk_world_destroy(crowded);
}

// R004.7
static void a_query_is_small(void** state) {
    fixture* f = *state;
    static ilk_query* queries[LIVE_QUERIES];
    ilk_world* world = second_world(f, 0);
    size_t others = f->memory.bytes - ilk_stats(world).bytes;
    size_t before = f->memory.bytes;
    make_many_queries(world, queries);
    assert_true((f->memory.bytes - before) / LIVE_QUERIES < 1024);
    assert_int_equal(ilk_stats(world).bytes, f->memory.bytes - others);
    for (uint32_t i = 0; i < LIVE_QUERIES; i++) ilk_query_destroy(queries[i]);
    ilk_trim(world);
    assert_true(f->memory.bytes - before < LIVE_QUERIES);
    ilk_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(making_a_query_looks_at_nothing),
        WORLD_TEST(full_chunks_are_one_run_each),
        WORLD_TEST(holes_are_looked_at_by_64),
        WORLD_TEST(what_blocks_say_is_not_looked_at),
        WORLD_TEST(the_rarest_type_leads),
        WORLD_TEST(terms_are_tested_by_chunk_and_never_by_entity),
        WORLD_TEST(ten_thousand_queries_cost_a_change_nothing),
        WORLD_TEST(a_query_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
