// What trees cost that are copied, moved or taken: each of those below the same, however deep it
// is.
#include "base/platform.h"

#include "observer_support.h"

enum {
    SHALLOW = 250,
    DEEP = 32 * SHALLOW,
    MOST = 256, // times as long
    ROUNDS = 10
};

// A chain in one world, and where it goes.
typedef struct move {
    ilk_world *world, *other;
    ilk_entity *list, *there;
    uint32_t depth;
    ilk_blueprint* blueprint;
} move;

typedef void move_fn(move* m);

static void begin_move(move* m, uint32_t depth) {
    m->world = ilk_world_create(NULL);
    m->other = ilk_world_create(&(ilk_world_desc){.tag = 1});
    m->list = calloc(2 * (size_t)depth, sizeof *m->list);
    assert_non_null(m->list);
    m->there = m->list + depth;
    m->depth = depth;
    assert_ok(ilk_create_many(m->world, m->list, depth));
    for (uint32_t i = 1; i < depth; i++) {
        assert_ok(ilk_set_parent(m->world, m->list[i], m->list[i - 1]));
    }
}

static void end_move(move* m) {
    ilk_blueprint_destroy(m->blueprint);
    ilk_world_destroy(m->world);
    ilk_world_destroy(m->other);
    free(m->list);
}

static void nothing_before(move* m) {
    (void)m;
}

static void turn_list(move* m) {
    for (uint32_t i = 0; i < m->depth / 2; i++) {
        ilk_entity e = m->list[i];
        m->list[i] = m->list[m->depth - 1 - i];
        m->list[m->depth - 1 - i] = e;
    }
}

static void take_root(move* m) {
    m->blueprint = ilk_blueprint_take(m->world, m->list[0], NULL);
    assert_non_null(m->blueprint);
}

static void put_root(move* m) {
    ilk_entity e = ilk_blueprint_put(m->other, m->blueprint);
    m->blueprint = NULL;
    assert_true(ilk_alive(m->other, e));
}

static void transfer_root(move* m) {
    assert_ok(ilk_transfer(m->world, m->list, 1, m->other, m->there));
}

static void transfer_all(move* m) {
    assert_ok(ilk_transfer(m->world, m->list, m->depth, m->other, m->there));
}

static void copy_all(move* m) {
    assert_ok(ilk_copy_to(m->world, m->list, m->depth, m->world, m->there));
}

static void copy_root(move* m) {
    assert_true(ilk_alive(m->world, ilk_copy_tree(m->world, m->list[0])));
}

static uint64_t time_of(move_fn* before, move_fn* act, uint32_t depth) {
    move m = {0};
    begin_move(&m, depth);
    before(&m);
    uint64_t start = ilki_now();
    act(&m);
    uint64_t time = ilki_now() - start;
    end_move(&m);
    return time;
}

// 32 times as deep takes about 32 times as long, and not 1024 times. What counts is the least time
// of several, as many as it takes: others use the machine too.
static void assert_linear(move_fn* before, move_fn* act) {
    uint64_t shallow = UINT64_MAX, deep = UINT64_MAX;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint64_t time = time_of(before, act, SHALLOW), deep_time = time_of(before, act, DEEP);
        if (time < shallow) shallow = time;
        if (deep_time < deep) deep = deep_time;
        if (deep < MOST * shallow) return;
    }
    fail_msg("%u deep: %llu ns, %u deep: %llu ns", (unsigned)SHALLOW, (unsigned long long)shallow,
             (unsigned)DEEP, (unsigned long long)deep);
}

static void a_root_moves(void** state) {
    (void)state;
    assert_linear(nothing_before, transfer_root);
}

static void a_root_is_copied(void** state) {
    (void)state;
    assert_linear(nothing_before, copy_root);
}

static void a_root_becomes_a_blueprint(void** state) {
    (void)state;
    assert_linear(nothing_before, take_root);
}

static void a_blueprint_becomes_a_tree(void** state) {
    (void)state;
    assert_linear(take_root, put_root);
}

static void all_move_that_are_listed_from_above(void** state) {
    (void)state;
    assert_linear(nothing_before, transfer_all);
}

static void all_move_that_are_listed_from_below(void** state) {
    (void)state;
    assert_linear(turn_list, transfer_all);
}

static void all_are_copied_that_are_listed_from_above(void** state) {
    (void)state;
    assert_linear(nothing_before, copy_all);
}

static void all_are_copied_that_are_listed_from_below(void** state) {
    (void)state;
    assert_linear(turn_list, copy_all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_root_moves),
        cmocka_unit_test(a_root_is_copied),
        cmocka_unit_test(a_root_becomes_a_blueprint),
        cmocka_unit_test(a_blueprint_becomes_a_tree),
        cmocka_unit_test(all_move_that_are_listed_from_above),
        cmocka_unit_test(all_move_that_are_listed_from_below),
        cmocka_unit_test(all_are_copied_that_are_listed_from_above),
        cmocka_unit_test(all_are_copied_that_are_listed_from_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
