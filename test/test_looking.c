// Changing while looking: whom a loop visits when entities come, go and change inside it.
#include "storage/looking.h"

#include "line_support.h"

// R003.16 R004.14 C11
static void an_entity_may_destroy_itself(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    walk(l, destroy_self);
    assert_even_visited(l);
    assert_int_equal(ilk_query_count(f->world, l->query), 0);
    assert_int_equal(ilk_stats(f->world).alive, LINE / 2);
    walk(l, NULL);
    assert_int_equal(l->visits[0], 0);
}

// R003.16 R004.14
static void an_entity_may_destroy_itself_among_rows(void** state) {
    line* l = draw_line(*state);
    walk_rows(l, destroy_self);
    assert_even_visited(l);
}

static void change_self(line* l, uint32_t at) {
    ilk_entity e = l->e[at];
    switch (at / 2 % 5) {
    case 0:
        assert_ok(ilk_remove(l->world, e, &Velocity_type));
        break;
    case 1:
        assert_ok(ilk_add(l->world, e, ILK_WITH(Frozen)));
        break;
    case 2:
        assert_ok(ilk_add(l->world, e, ILK_VALUE(Cargo, .number = 1)));
        break;
    case 3:
        assert_ok(ilk_disable(l->world, e, &Position_type));
        break;
    default:
        assert_ok(ilk_remove_all(l->world, e));
        break;
    }
}

static bool is_changed(const line* l, uint32_t at) {
    ilk_entity e = l->e[at];
    switch (at / 2 % 5) {
    case 0:
        return !ilk_has(l->world, e, &Velocity_type);
    case 1:
        return ilk_has(l->world, e, &Frozen_type);
    case 2:
        return ILK_GET(l->world, e, Cargo)->number == 1;
    case 3:
        return !ilk_enabled(l->world, e, &Position_type);
    default:
        return ilk_types_of(l->world, e, NULL, 0) == 0;
    }
}

// R003.16 R004.14 C11
static void an_entity_may_change_itself(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    walk(l, change_self);
    assert_even_visited(l);
    for (uint32_t i = 0; i < LINE; i += 2) assert_true(is_changed(l, i));
    assert_int_equal(ilk_query_count(f->world, l->query), LINE / 2 / 5);
}

// R004.14
static void an_entity_may_change_itself_among_rows(void** state) {
    line* l = draw_line(*state);
    walk_rows(l, change_self);
    assert_even_visited(l);
    for (uint32_t i = 0; i < LINE; i += 2) assert_true(is_changed(l, i));
}

// R003.16 R004.15
static void what_is_destroyed_ahead_is_not_visited(void** state) {
    line* l = draw_line(*state);
    walk(l, destroy_next);
    for (uint32_t i = 0; i < LINE; i++) assert_int_equal(l->visits[i], i % 4 == 0);
}

// R003.16 R004.15
static void what_is_destroyed_behind_disturbs_nothing(void** state) {
    line* l = draw_line(*state);
    walk(l, destroy_previous);
    assert_even_visited(l);
}

static void spoil_next(line* l, uint32_t at) {
    if (at + 2 >= LINE) return;
    ilk_entity e = l->e[at + 2];
    switch (at / 4 % 3) {
    case 0:
        assert_ok(ilk_remove(l->world, e, &Velocity_type));
        break;
    case 1:
        assert_ok(ilk_disable(l->world, e, &Velocity_type));
        break;
    default:
        assert_ok(ilk_add(l->world, e, ILK_WITH(Frozen)));
        break;
    }
}

// R004.15
static void what_ceases_to_match_ahead_is_not_visited(void** state) {
    line* l = draw_line(*state);
    walk(l, spoil_next);
    for (uint32_t i = 0; i < LINE; i++) assert_int_equal(l->visits[i], i % 4 == 0);
}

static void give_next(line* l, uint32_t at) {
    if (at + 1 < LINE && at % 2 == 0)
        assert_ok(ilk_add(l->world, l->e[at + 1], ILK_WITH(Velocity)));
}

// C11
static void what_comes_to_match_ahead_is_visited(void** state) {
    line* l = draw_line(*state);
    walk(l, give_next);
    for (uint32_t i = 0; i < LINE; i++) assert_int_equal(l->visits[i], 1);
}

static void enable_next(line* l, uint32_t at) {
    if (at + 1 < LINE && at % 2 == 0) assert_ok(ilk_enable(l->world, l->e[at + 1], &Velocity_type));
}

static void what_is_switched_on_ahead_is_visited(void** state) {
    line* l = draw_line(*state);
    for (uint32_t i = 1; i < LINE; i += 2) {
        assert_ok(ilk_add(l->world, l->e[i], ILK_WITH(Velocity)));
        assert_ok(ilk_disable(l->world, l->e[i], &Velocity_type));
    }
    walk(l, enable_next);
    for (uint32_t i = 0; i < LINE; i++) assert_int_equal(l->visits[i], 1);
}

static void give_next_chunk(line* l, uint32_t at) {
    if (at == 0) assert_ok(ilk_add_many(l->world, l->e + FULL + 1, 1, &Velocity_type, NULL));
    if (at == FULL) assert_ok(ilk_destroy(l->world, l->e[0]));
}

static void what_comes_to_match_ahead_is_visited_among_rows(void** state) {
    line* l = draw_line(*state);
    walk_rows(l, give_next_chunk);
    for (uint32_t i = 0; i < LINE; i++) {
        assert_int_equal(l->visits[i], i % 2 == 0 || i == FULL + 1);
    }
}

static void give_previous(line* l, uint32_t at) {
    if (at > 0) assert_ok(ilk_add(l->world, l->e[at - 1], ILK_WITH(Velocity)));
}

// C11 R004.15
static void what_comes_to_match_behind_is_not_visited(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    walk(l, give_previous);
    assert_even_visited(l);
    assert_int_equal(ilk_query_count(f->world, l->query), LINE - 1);
}

static void leave_and_come_back(line* l, uint32_t at) {
    assert_ok(ilk_remove(l->world, l->e[at], &Velocity_type));
    assert_ok(ilk_add(l->world, l->e[at], ILK_WITH(Velocity)));
    if (at >= 2) assert_ok(ilk_remove(l->world, l->e[at - 2], &Position_type));
    if (at >= 2) assert_ok(ilk_add(l->world, l->e[at - 2], ILK_WITH(Position)));
}

// R004.15
static void who_leaves_and_comes_back_is_visited_once(void** state) {
    line* l = draw_line(*state);
    walk(l, leave_and_come_back);
    assert_even_visited(l);
    walk_rows(l, leave_and_come_back);
    assert_even_visited(l);
}

// R003.14 R004.13
static void what_is_created_inside_is_not_visited(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    make_holes(l);
    walk(l, spawn_alike);
    assert_even_visited(l);
    assert_int_equal(ilk_query_count(f->world, l->query), LINE / 2 + LINE);
}

// R003.14 R004.13
static void what_is_created_inside_is_not_visited_among_rows(void** state) {
    line* l = draw_line(*state);
    make_holes(l);
    walk_rows(l, spawn_alike);
    assert_even_visited(l);
}

static void be_born_again(line* l, uint32_t at) {
    ilk_entity e = l->e[at];
    assert_ok(ilk_destroy(l->world, e));
    ilk_entity heir = ILK_SPAWN(l->world, ILK_WITH(Position), ILK_WITH(Velocity));
    assert_int_equal(heir.index, e.index);
    if (at + 20 >= LINE) return;
    assert_ok(ilk_destroy(l->world, l->e[at + 1]));
    heir = ILK_SPAWN(l->world, ILK_WITH(Velocity), ILK_WITH(Position));
    assert_int_equal(heir.index, l->e[at + 1].index);
}

// R004.13
static void a_recycled_index_is_not_visited(void** state) {
    line* l = draw_line(*state);
    walk(l, be_born_again);
    assert_even_visited(l);
}

static void replace_the_last(line* l, uint32_t at) {
    if (at != 0) return;
    for (uint32_t i = FULL; i < LINE; i++) assert_ok(ilk_destroy(l->world, l->e[i]));
    for (uint32_t i = FULL; i < LINE; i++) spawn_alike(l, at);
}

// Also where a whole chunk was emptied meanwhile.
static void who_comes_where_others_left_is_not_visited(void** state) {
    line* l = draw_line(*state);
    walk(l, replace_the_last);
    for (uint32_t i = 0; i < LINE; i++) assert_int_equal(l->visits[i], i < FULL && i % 2 == 0);
    ilk_clear(l->world);
    l = draw_line(*state);
    walk_rows(l, replace_the_last);
    for (uint32_t i = 0; i < LINE; i++) assert_int_equal(l->visits[i], i < FULL && i % 2 == 0);
}

static void copy_and_spawn_many(line* l, uint32_t at) {
    ilk_batch batch;
    assert_false(ilk_is_null(ilk_copy(l->world, l->e[at])));
    if (at % 32) return;
    assert_ok(ilk_spawn_many(l->world, &batch, 100, ILK_TYPES(&Position_type, &Velocity_type)));
    while (ilk_batch_next(&batch)) {
        for (uint32_t i = 0; i < batch.count; i++) ILK_FILL(&batch, Position)[i].x = 7;
    }
}

// R003.14 R004.13
static void copies_and_batches_are_not_visited(void** state) {
    line* l = draw_line(*state);
    make_holes(l);
    walk(l, copy_and_spawn_many);
    assert_even_visited(l);
}

static ilk_entity empty[300];

static void root_one(line* l, uint32_t at) {
    ilk_entity e = empty[at / 2];
    assert_ok(ilk_add(l->world, e, ILK_WITH(Velocity)));
    assert_ok(ilk_add(l->world, e, ILK_WITH(Position)));
    assert_true(ilk_query_matches(l->world, l->query, e));
}

static void who_gets_a_first_component_inside_is_not_visited(void** state) {
    fixture* f = *state;
    assert_ok(ilk_create_many(f->world, empty, COUNT_OF(empty)));
    line* l = draw_line(f);
    walk(l, root_one);
    assert_even_visited(l);
    assert_int_equal(ilk_query_count(f->world, l->query), LINE);
}

static void count_among_empty(ilk_entity e, uint32_t* visits) {
    for (uint32_t i = 0; i < COUNT_OF(empty); i++) {
        if (ilk_same(e, empty[i])) {
            visits[i]++;
            return;
        }
    }
    fail_msg("entity %u:%u was not there before", (unsigned)e.index, (unsigned)e.generation);
}

// Empty entities at the first run; of those ahead some go, some are replaced, some get a component.
static void stir_the_empty(fixture* f) {
    for (uint32_t i = 100; i < 200; i++) assert_ok(ilk_destroy(f->world, empty[i]));
    for (uint32_t i = 0; i < 50; i++) ilk_create(f->world);
    for (uint32_t i = 200; i < 250; i++) assert_ok(ilk_add(f->world, empty[i], ILK_WITH(Position)));
    for (uint32_t i = 0; i < 200; i++) ilk_create(f->world);
}

static void check_empty_ones(fixture* f, bool (*next)(ilk_iter* it), bool by_rows) {
    uint32_t visits[COUNT_OF(empty)] = {0}, runs = 0;
    assert_ok(ilk_create_many(f->world, empty, COUNT_OF(empty)));
    ilk_query* all = QUERY(f->world, .without = {&Frozen_type});
    for (ilk_iter it = ilk_query_iter(f->world, all); next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            count_among_empty(it.entities[by_rows ? it.rows[i] : i], visits);
        }
        if (runs++ == 0) stir_the_empty(f);
    }
    for (uint32_t i = 0; i < COUNT_OF(empty); i++) {
        assert_int_equal(visits[i], i < 100 || i >= 250);
    }
    assert_int_equal(ilk_query_count(f->world, all), ilk_stats(f->world).alive);
    ilk_clear(f->world);
}

// R004.13
static void empty_ones_created_inside_are_not_visited(void** state) {
    fixture* f = *state;
    check_empty_ones(f, ilk_next, false);
    check_empty_ones(f, ilk_next_rows, true);
}

// The first entity of the world is created by the loop that looks for it.
static void a_loop_over_nothing_does_not_see_what_came_after_it_began(void** state) {
    fixture* f = *state;
    ilk_query* all = QUERY(f->world, 0);
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    ilk_iter it = ilk_query_iter(f->world, query), everyone = ilk_query_iter(f->world, all);
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_create(f->world);
    assert_false(ilk_next(&it));
    assert_false(ilk_next(&everyone));
    assert_int_equal(ilk_query_count(f->world, query), 1);
    assert_int_equal(ilk_query_count(f->world, all), 2);
}

static void spawn_ten(line* l, uint32_t at) {
    (void)at;
    for (int i = 0; i < 10; i++) ILK_SPAWN(l->world, ILK_WITH(Position), ILK_WITH(Velocity));
}

// R003.14
static void a_loop_that_spawns_comes_to_its_end(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    walk(l, spawn_ten);
    assert_even_visited(l);
    assert_int_equal(ilk_query_count(f->world, l->query), LINE / 2 * 11);
}

static void what_was_never_opened_is_not_open(void** state) {
    (void)state;
    const ilki_looking looking = {.open = {[3] = {.serial = 7}}};
    assert_true(ilki_is_open(&looking, 3, 7));
    assert_false(ilki_is_open(&looking, 3, 6));
    assert_false(ilki_is_open(&looking, 2, 7));
    assert_false(ilki_is_open(&looking, 2, 0));
    assert_false(ilki_is_open(&looking, ILKI_OPEN_MAX, 7));
}

static void an_iterator_that_nobody_began_gives_nothing(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    ilk_iter parts[2], it = {.world = f->world, .query = l->query};
    assert_int_equal(ilk_iter_split(&it, parts, 2), ILK_INVALID);
    assert_false(ilk_next(&it));
    assert_int_equal(it.result, ILK_STALE);
    assert_null(ILK_WRITE(&it, Position));
    ilk_iter_end(&it);
    walk(l, NULL);
    assert_even_visited(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(an_entity_may_destroy_itself),
        WORLD_TEST(an_entity_may_destroy_itself_among_rows),
        WORLD_TEST(an_entity_may_change_itself),
        WORLD_TEST(an_entity_may_change_itself_among_rows),
        WORLD_TEST(what_is_destroyed_ahead_is_not_visited),
        WORLD_TEST(what_is_destroyed_behind_disturbs_nothing),
        WORLD_TEST(what_ceases_to_match_ahead_is_not_visited),
        WORLD_TEST(what_comes_to_match_ahead_is_visited),
        WORLD_TEST(what_is_switched_on_ahead_is_visited),
        WORLD_TEST(what_comes_to_match_ahead_is_visited_among_rows),
        WORLD_TEST(what_comes_to_match_behind_is_not_visited),
        WORLD_TEST(who_leaves_and_comes_back_is_visited_once),
        WORLD_TEST(what_is_created_inside_is_not_visited),
        WORLD_TEST(what_is_created_inside_is_not_visited_among_rows),
        WORLD_TEST(a_recycled_index_is_not_visited),
        WORLD_TEST(who_comes_where_others_left_is_not_visited),
        WORLD_TEST(copies_and_batches_are_not_visited),
        WORLD_TEST(who_gets_a_first_component_inside_is_not_visited),
        WORLD_TEST(empty_ones_created_inside_are_not_visited),
        WORLD_TEST(a_loop_over_nothing_does_not_see_what_came_after_it_began),
        WORLD_TEST(a_loop_that_spawns_comes_to_its_end),
        cmocka_unit_test(what_was_never_opened_is_not_open),
        WORLD_TEST(an_iterator_that_nobody_began_gives_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
