// How loops end, what an open one keeps back, and what happens inside one without memory.
#include "line_support.h"

// One entity more of the first kind in the line.
static ilk_entity spawn_one(fixture* f) {
    return ILK_SPAWN(f->world, ILK_WITH(Position));
}

static void a_hole_is_filled_again_after_the_loop(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    assert_ok(ilk_destroy(f->world, l->e[30]));
    uint32_t holes = ilk_stats(f->world).holes;
    ilk_iter it = ilk_query_iter(f->world, l->query);
    assert_true(ilk_next(&it));
    spawn_one(f);
    assert_int_equal(ilk_stats(f->world).holes, holes);
    while (ilk_next(&it)) {
    }
    spawn_one(f);
    assert_int_equal(ilk_stats(f->world).holes, holes - 1);
}

typedef void end_fn(fixture* f, line* l, ilk_iter* it);

static void end_it(fixture* f, line* l, ilk_iter* it) {
    (void)f;
    (void)l;
    ilk_iter_end(it);
}

static void end_by_settling(fixture* f, line* l, ilk_iter* it) {
    (void)l;
    (void)it;
    settle_fully(f->world);
}

static void end_by_twelve(fixture* f, line* l, ilk_iter* it) {
    ilk_iter others[12];
    (void)it;
    for (int i = 0; i < 12; i++) others[i] = ilk_query_iter(f->world, l->query);
    for (int i = 0; i < 12; i++) ilk_iter_end(&others[i]);
}

static void end_by_destroying_the_query(fixture* f, line* l, ilk_iter* it) {
    (void)f;
    (void)it;
    ilk_query_destroy(l->query);
}

static void check_abandoned(end_fn* end) {
    void* state = NULL;
    open_world(&state);
    fixture* f = state;
    line* l = draw_line(f);
    ilk_iter it = ilk_query_iter(f->world, l->query);
    for (int i = 0; i < 3; i++) assert_true(ilk_next(&it));
    assert_ok(ilk_destroy(f->world, l->e[30]));
    uint32_t holes = ilk_stats(f->world).holes;
    for (int i = 0; i < 5; i++) spawn_one(f);
    assert_int_equal(ilk_stats(f->world).holes, holes);
    end(f, l, &it);
    assert_ok(ilk_destroy(f->world, l->e[41]));
    holes = ilk_stats(f->world).holes;
    while (ilk_stats(f->world).holes == holes) { // the first chunks that have room first
        assert_true(ilk_stats(f->world).alive < 20000);
        spawn_one(f);
    }
    assert_int_equal(ilk_stats(f->world).holes, holes - 1);
    assert_false(ilk_next(&it));
    close_world(&state);
}

static void an_abandoned_loop_keeps_holes_open_until_it_is_ended(void** state) {
    (void)state;
    check_abandoned(end_it);
    check_abandoned(end_by_settling);
    check_abandoned(end_by_twelve);
    check_abandoned(end_by_destroying_the_query);
}

static void assert_stale_at(ilk_iter* it, const char* file, int number) {
    _assert_true(!ilk_column_write(it, &Position_type), "no column", file, number);
    _assert_true(!ilk_column_read(it, &Velocity_type), "no column", file, number);
    for (int i = 0; i < 2; i++) {
        _assert_true(!ilk_next(it), "no more runs", file, number);
        _assert_true(!ilk_next_rows(it), "no more rows", file, number);
        _assert_int_equal(it->result, ILK_STALE, file, number);
    }
    ilk_iter_end(it);
}
#define assert_stale(it) assert_stale_at((it), __FILE__, __LINE__)

typedef void disturb_fn(ilk_world* world);

static void settle_all(ilk_world* world) {
    ilk_settle(world, 0);
}

static void settle_a_little(ilk_world* world) {
    ilk_settle(world, 1);
}

static void check_disturbance(disturb_fn* disturb, uint32_t runs) {
    void* state = NULL;
    open_world(&state);
    fixture* f = state;
    line* l = draw_line(f);
    ilk_query* all = QUERY(f->world, .write = {&Position_type}, .maybe = {&Velocity_type});
    ilk_iter it = ilk_query_iter(f->world, l->query), other = ilk_query_iter(f->world, all);
    for (uint32_t i = 0; i < runs; i++) assert_true(ilk_next(&it) && ilk_next_rows(&other));
    disturb(f->world);
    assert_stale(&it);
    assert_false(ilk_next(&other));
    assert_int_equal(other.result, ILK_STALE);
    uint32_t rows = 0;
    for (ilk_iter again = ilk_query_iter(f->world, l->query); ilk_next(&again);)
        rows += again.count;
    assert_int_equal(rows, ilk_query_count(f->world, l->query));
    close_world(&state);
}

static void settling_clearing_and_trimming_end_a_loop(void** state) {
    (void)state;
    disturb_fn* const disturbances[] = {settle_all, settle_a_little, ilk_clear, ilk_trim};
    for (uint32_t i = 0; i < COUNT_OF(disturbances); i++) {
        for (uint32_t runs = 0; runs < 3; runs++) check_disturbance(disturbances[i], runs);
    }
}

// Also where settling finds nothing to do, so that it does not depend on what happened before.
static void settling_a_settled_world_ends_a_loop(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    settle_fully(f->world);
    ilk_iter it = ilk_query_iter(f->world, l->query);
    assert_true(ilk_next(&it));
    settle_fully(f->world);
    assert_stale(&it);
}

static void a_query_that_is_destroyed_ends_its_loops(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    ilk_query* other = QUERY(f->world, .read = {&Position_type});
    ilk_iter it = ilk_query_iter(f->world, l->query), kept = ilk_query_iter(f->world, other);
    assert_true(ilk_next(&it));
    assert_true(ilk_next(&kept));
    ilk_query_destroy(l->query);
    assert_stale(&it);
    assert_true(ilk_next(&kept));
    while (ilk_next(&kept)) {
    }
    assert_int_equal(kept.result, ILK_OK);
}

// What is made in the place of a destroyed query is not taken for it.
static void a_new_query_does_not_revive_an_old_loop(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    ilk_iter it = ilk_query_iter(f->world, l->query);
    assert_true(ilk_next(&it));
    for (int i = 0; i < 20; i++) {
        ilk_query_destroy(l->query);
        l->query = QUERY(f->world, .write = {&Position_type}, .read = {&Velocity_type});
        ilk_iter another = ilk_query_iter(f->world, l->query);
        assert_true(ilk_next(&another));
    }
    assert_false(ilk_next(&it));
    assert_null(ILK_WRITE(&it, Position));
    ilk_iter_end(&it);
}

static void clear_world(fixture* f, line* l, ilk_iter* it) {
    (void)l, (void)it;
    ilk_clear(f->world);
}

static void trim_world(fixture* f, line* l, ilk_iter* it) {
    (void)l, (void)it;
    ilk_trim(f->world);
}

// The end is told by the call that notices, and by no other.
static void assert_end_told(fixture* f, ilk_iter* it, ilk_result result, const char* why) {
    char text[200];
    assert_quiet(f);
    assert_false(ilk_next_rows(it));
    assert_int_equal(it->result, result);
    snprintf(text, sizeof text, "ilk_next_rows: the loop was ended: %s", why);
    said(f, text);
    assert_told(f, result, "ilk_next_rows");
    assert_int_equal(ilk_error(f->world).result, result);
    assert_string_equal(ilk_error(f->world).text, text);
    assert_false(ilk_next(it));
    assert_false(ilk_next_rows(it));
    ilk_iter_end(it);
    assert_quiet(f);
}

static void check_told(end_fn* end, ilk_result result, const char* why, uint32_t runs) {
    void* state = NULL;
    open_world(&state);
    fixture* f = state;
    line* l = draw_line(f);
    ilk_iter it = ilk_query_iter(f->world, l->query);
    for (uint32_t i = 0; i < runs; i++) assert_true(ilk_next(&it));
    end(f, l, &it);
    assert_end_told(f, &it, result, why);
    close_world(&state);
}

static void what_ended_a_loop_is_told_once(void** state) {
    (void)state;
    for (uint32_t runs = 0; runs < 3; runs++) {
        check_told(end_by_settling, ILK_STALE, "the world was settled", runs);
        check_told(clear_world, ILK_STALE, "the world was cleared", runs);
        check_told(trim_world, ILK_STALE, "the world was trimmed", runs);
        check_told(end_by_destroying_the_query, ILK_STALE, "its query was destroyed", runs);
        check_told(end_by_twelve, ILK_FULL, "it was the first of 12, and another was begun", runs);
    }
}

// Of several things that could have ended it, the first is told, as long as it is known.
static void the_first_of_several_ends_is_told(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    ilk_iter it = ilk_query_iter(f->world, l->query);
    ilk_clear(f->world);
    settle_fully(f->world);
    ilk_query_destroy(l->query);
    assert_end_told(f, &it, ILK_STALE, "the world was cleared");
    l = draw_line(f);
    it = ilk_query_iter(f->world, l->query);
    end_by_twelve(f, l, NULL);
    settle_fully(f->world);
    assert_end_told(f, &it, ILK_STALE,
                    "the world was settled, cleared or trimmed, or its query destroyed");
}

static void a_loop_that_comes_to_its_end_tells_nothing(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    ilk_iter it = ilk_query_iter(f->world, l->query), left = ilk_query_iter(f->world, l->query);
    while (ilk_next(&it)) {
    }
    settle_fully(f->world);
    assert_false(ilk_next(&it));
    assert_int_equal(it.result, ILK_OK);
    ilk_iter_end(&left); // it is given up, and nobody misses what it would have given
    assert_false(ilk_next(&left));
    assert_int_equal(left.result, ILK_STALE);
    assert_quiet(f);
}

static void each_part_of_a_loop_tells_its_end(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    ilk_iter it = ilk_query_iter(f->world, l->query), parts[2];
    assert_ok(ilk_iter_split(&it, parts, 2));
    assert_true(ilk_next(&parts[0]));
    settle_fully(f->world);
    for (int i = 0; i < 2; i++) assert_end_told(f, &parts[i], ILK_STALE, "the world was settled");
}

static void settle_at_first(void* user, ilk_entity e, void* const* values) {
    (void)e, (void)values;
    settle_fully(user);
}

static void open_twelve(void* user, ilk_entity e, void* const* values) {
    (void)e, (void)values;
    line* l = user;
    for (int i = 0; i < 12; i++) ilk_query_iter(l->world, l->query);
}

static void keep_walk(ilk_iter* it) {
    assert_true(ilk_next(it));
    *(ilk_iter*)it->user = *it;
}

static void what_ends_ilk_each_is_told(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    assert_int_equal(ilk_each(f->world, l->query, settle_at_first, f->world), ILK_STALE);
    said(f, "ilk_each: the loop was ended: the world was settled");
    assert_told(f, ILK_STALE, "ilk_each");
    assert_int_equal(ilk_each(f->world, l->query, open_twelve, l), ILK_FULL);
    said(f, "ilk_each: the loop was ended: it was the first of 12, and another was begun");
    assert_told(f, ILK_FULL, "ilk_each");
}

// Inside a system nothing comes or goes, so that any number of loops may be begun.
static void the_loops_of_a_system_end_with_it(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    ilk_iter kept = {0};
    ilk_system_desc desc = {.name = "hoard", .run = keep_walk, .user = &kept};
    desc.query.read[0] = &Velocity_type;
    assert_non_null(ilk_system_create(f->world, &desc));
    desc = (ilk_system_desc){.name = "crowd", .each = open_twelve, .user = l};
    desc.query = (ilk_query_desc){
        .write = {&Position_type}, .read = {&Velocity_type}, .without = {&Frozen_type}};
    assert_non_null(ilk_system_create(f->world, &desc));
    ilk_update(f->world, 0.1);
    assert_end_told(f, &kept, ILK_STALE, "the system in which it was begun has run");
}

static void fail_to_spawn(line* l, uint32_t at) {
    (void)at;
    for (int i = 0; i < 100000; i++) {
        if (ilk_is_null(ILK_SPAWN(l->world, ILK_WITH(Position), ILK_WITH(Velocity)))) break;
    }
    assert_int_equal(ilk_error(l->world).result, ILK_NO_MEMORY);
}

static void without_memory_a_loop_goes_on(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    for (uint64_t left = 0; left < 6; left++) {
        f->memory.left = left;
        walk(l, fail_to_spawn);
        f->memory.left = UINT64_MAX;
        assert_even_visited(l);
        uint32_t count = ilk_query_count(f->world, l->query);
        ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
        assert_int_equal(ilk_query_count(f->world, l->query), count + 1);
        ilk_clear(f->world);
        l = draw_line(f);
    }
}

static void spawn_reserved(fixture* f, uint32_t count) {
    f->memory.left = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert_false(ilk_is_null(ILK_SPAWN(f->world, ILK_WITH(Position))));
    }
    f->memory.left = UINT64_MAX;
}

static void what_was_reserved_inside_a_loop_needs_no_memory(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    make_holes(l);
    ilk_iter it = ilk_query_iter(f->world, l->query);
    assert_true(ilk_next(&it));
    assert_ok(ilk_reserve(f->world, 1000, ILK_TYPES(&Position_type)));
    spawn_reserved(f, 1000);
    while (ilk_next(&it)) assert_true(number_in_line(l, it.entities[0]) < LINE);
}

// Holes are room when nobody looks, and none while somebody does.
static void holes_that_were_reserved_are_room_outside_loops(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    make_holes(l);
    assert_ok(ilk_reserve(f->world, 50, ILK_TYPES(&Position_type)));
    ilk_iter it = ilk_query_iter(f->world, l->query);
    assert_true(ilk_next(&it));
    f->memory.left = 0;
    assert_true(ilk_is_null(ILK_SPAWN(f->world, ILK_WITH(Position))));
    assert_told(f, ILK_NO_MEMORY, "ilk_spawn");
    ilk_iter_end(&it);
    spawn_reserved(f, 50);
}

// Each verb that may need memory, inside a loop, with memory for so many allocations.
static void try_all(line* l, uint32_t at) {
    ilk_batch batch;
    ilk_entity made[3];
    ilk_create(l->world);
    ilk_create_many(l->world, made, 3);
    ILK_SPAWN(l->world, ILK_WITH(Position), ILK_WITH(Cargo));
    ilk_copy(l->world, l->e[at]);
    ilk_add(l->world, l->e[at], ILK_WITH(Cargo));
    ilk_add_many(l->world, l->e, 40, &Anchor_type, NULL);
    ilk_spawn_many(l->world, &batch, 50, ILK_TYPES(&Position_type, &Velocity_type));
}

static void every_verb_may_fail_inside_a_loop(void** state) {
    (void)state;
    for (uint64_t left = 0; left < 60; left += 3) {
        void* opened = NULL;
        open_world(&opened);
        fixture* f = opened;
        line* l = draw_line(f);
        make_holes(l);
        f->memory.left = left;
        walk(l, try_all);
        f->memory.left = UINT64_MAX;
        assert_even_visited(l);
        close_world(&opened);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_hole_is_filled_again_after_the_loop),
        cmocka_unit_test(an_abandoned_loop_keeps_holes_open_until_it_is_ended),
        cmocka_unit_test(settling_clearing_and_trimming_end_a_loop),
        WORLD_TEST(settling_a_settled_world_ends_a_loop),
        WORLD_TEST(a_query_that_is_destroyed_ends_its_loops),
        WORLD_TEST(a_new_query_does_not_revive_an_old_loop),
        cmocka_unit_test(what_ended_a_loop_is_told_once),
        WORLD_TEST(the_first_of_several_ends_is_told),
        WORLD_TEST(a_loop_that_comes_to_its_end_tells_nothing),
        WORLD_TEST(each_part_of_a_loop_tells_its_end),
        WORLD_TEST(what_ends_ilk_each_is_told),
        WORLD_TEST(the_loops_of_a_system_end_with_it),
        WORLD_TEST(without_memory_a_loop_goes_on),
        WORLD_TEST(what_was_reserved_inside_a_loop_needs_no_memory),
        WORLD_TEST(holes_that_were_reserved_are_room_outside_loops),
        cmocka_unit_test(every_verb_may_fail_inside_a_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
