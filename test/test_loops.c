// Loops: what holds inside one, in inner ones, in a function for each, in an order and in parts.
#include "line_support.h"

// Changes are there at once, for every question.
// C11
static void changes_are_immediate(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    uint32_t count = ilk_query_count(f->world, l->query);
    ilk_iter it = ilk_query_iter(f->world, l->query);
    assert_true(ilk_next(&it));
    assert_ok(ilk_remove(f->world, l->e[0], &Velocity_type));
    assert_false(ilk_has(f->world, l->e[0], &Velocity_type));
    assert_int_equal(ilk_query_count(f->world, l->query), count - 1);
    assert_ok(ilk_destroy(f->world, l->e[2]));
    assert_int_equal(ilk_query_count(f->world, l->query), count - 2);
    ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    assert_int_equal(ilk_query_count(f->world, l->query), count - 1);
    assert_valid(f->world);
    ilk_iter_end(&it);
}

// Values of hooks are dropped at the call, not when the loop ends.
static void what_goes_inside_is_dropped_at_once(void** state) {
    fixture* f = *state;
    for (int i = 0; i < 100; i++) ILK_SPAWN(f->world, ILK_WITH(Owned));
    hooks_taken();
    ilk_query* query = QUERY(f->world, .write = {&Owned_type});
    uint32_t rows = 0;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++, rows++) {
            assert_ok(rows % 2 ? ilk_destroy(f->world, it.entities[i])
                               : ilk_remove(f->world, it.entities[i], &Owned_type));
            assert_hooks(0, 0, 1);
        }
    }
    assert_int_equal(rows, 100);
}

// Everything that moves nothing, while somebody holds the columns of a run.
static void stir(ilk_world* world, const ilk_entity* others, uint32_t count) {
    ilk_entity fresh[40];
    ilk_batch batch;
    for (uint32_t i = 0; i < count; i++) {
        assert_ok(ilk_set(world, others[i], ILK_VALUE(Cargo, .number = 9)));
        assert_ok(ilk_set(world, others[i], ILK_WITH(Frozen)));
    }
    for (uint32_t i = 0; i < 40; i++)
        fresh[i] = ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(Velocity));
    assert_ok(ilk_destroy_many(world, fresh, 20));
    assert_ok(ilk_add_many(world, fresh + 20, 20, &Health_type, NULL));
    assert_ok(ilk_spawn_many(world, &batch, 3000, ILK_TYPES(&Position_type, &Velocity_type)));
    assert_ok(ilk_reserve(world, 1000, ILK_TYPES(&Position_type)));
    assert_ok(ilk_remove_many(world, others, count, &Cargo_type));
}

// C11
static void pointers_stay_good_whatever_happens(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    ilk_query* query = QUERY(f->world, .write = {&Position_type}, .maybe = {&Velocity_type});
    uint32_t rows = 0;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        Position* p = ILK_WRITE(&it, Position);
        const Velocity* v = ILK_MAYBE(&it, Velocity);
        const ilk_entity* e = it.entities;
        if (rows == 0) stir(f->world, l->e + 10, 20);
        for (uint32_t i = 0; i < it.count; i++, rows++) {
            assert_entity(e[i], l->e[rows]);
            assert_ptr_equal(&p[i], ILK_GET(f->world, e[i], Position));
            assert_true(!v || &v[i] == ILK_GET(f->world, e[i], Velocity));
            assert_true(!v || v[i].x == (float)rows);
            p[i].y = (float)rows + 0.5f;
        }
        assert_ptr_equal(ILK_WRITE(&it, Position), p);
        assert_ptr_equal(it.entities, e);
    }
    assert_int_equal(rows, LINE);
    for (uint32_t i = 0; i < LINE; i++) {
        assert_true(same_position(ILK_GET(f->world, l->e[i], Position), (float)i, (float)i + 0.5f));
    }
}

// The columns of a run.
typedef struct columns {
    void* write;
    const void *read, *maybe, *guest;
} columns;

static columns columns_of(ilk_iter* it) {
    return (columns){ILK_WRITE(it, Position), ILK_READ(it, Cargo), ILK_MAYBE(it, Velocity),
                     ILK_MAYBE(it, Health)};
}

static void change_row(ilk_world* world, ilk_entity e, uint32_t at) {
    switch (at % 4) {
    case 0:
        ilk_set(world, e, ILK_WITH(Velocity));
        ilk_set(world, e, ILK_WITH(Health));
        break;
    case 1:
        ilk_remove(world, e, &Velocity_type);
        ilk_remove(world, e, &Health_type);
        break;
    case 2:
        assert_ok(ilk_remove(world, e, &Cargo_type));
        break;
    default:
        assert_ok(ilk_destroy(world, e));
        break;
    }
}

// Whatever is done to the rows of a run, its columns are what they were when it was handed out.
static void check_columns_stay(ilk_world* world, ilk_query* query, bool by_rows) {
    ilk_iter it = ilk_query_iter(world, query);
    for (uint32_t first = 0; by_rows ? ilk_next_rows(&it) : ilk_next(&it); first++) {
        columns before = columns_of(&it);
        assert_non_null(before.read);
        for (uint32_t i = 0; i < it.count; i++) {
            change_row(world, it.entities[by_rows ? it.rows[i] : i], first + i);
            columns now = columns_of(&it);
            assert_ptr_equal(now.write, before.write);
            assert_ptr_equal(now.read, before.read);
            assert_ptr_equal(now.maybe, before.maybe);
            assert_ptr_equal(now.guest, before.guest);
        }
    }
}

static void columns_stay_what_they_were(void** state) {
    (void)state;
    for (int form = 0; form < 4; form++) {
        void* opened = NULL;
        open_world(&opened);
        fixture* f = opened;
        line* l = draw_line(f);
        ilk_query* query = QUERY(f->world, .write = {&Position_type}, .read = {&Cargo_type},
                                 .maybe = {&Velocity_type, &Health_type});
        bool is_small = form / 2;
        for (uint32_t i = 0; i < LINE; i++) {
            bool is_given = !is_small || i % 16 < 5;
            if (is_given) assert_ok(ilk_add(f->world, l->e[i], ILK_WITH(Cargo)));
        }
        if (!is_small) settle_fully(f->world);
        check_columns_stay(f->world, query, form % 2);
        close_world(&opened);
    }
}

static void spawn_and_look(line* l, uint32_t at) {
    if (at > 40) return;
    ILK_SPAWN(l->world, ILK_WITH(Position), ILK_WITH(Velocity));
    uint32_t inner = 0, expected = LINE / 2 + at / 2 + 1;
    for (ilk_iter it = ilk_query_iter(l->world, l->query); ilk_next(&it);) {
        inner += it.count;
        ILK_SPAWN(l->world, ILK_WITH(Position), ILK_WITH(Frozen), ILK_WITH(Velocity));
    }
    assert_int_equal(inner, expected);
}

static void an_inner_loop_sees_what_the_outer_created_before_it(void** state) {
    line* l = draw_line(*state);
    walk(l, spawn_and_look);
    assert_even_visited(l);
}

// An inner loop destroys what the outer one has still to visit.
static void destroy_far_ahead(line* l, uint32_t at) {
    if (at != 0) return;
    for (ilk_iter it = ilk_query_iter(l->world, l->query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (number_in_line(l, it.entities[i]) >= 50) ilk_destroy(l->world, it.entities[i]);
        }
    }
}

// R004.15
static void an_inner_loop_may_destroy_what_the_outer_has_ahead(void** state) {
    line* l = draw_line(*state);
    walk(l, destroy_far_ahead);
    for (uint32_t i = 0; i < LINE; i++) assert_int_equal(l->visits[i], i < 50 && i % 2 == 0);
}

static void act_on_line(void* user, ilk_entity e, void* const* values) {
    line* l = user;
    uint32_t at = number_in_line(l, e);
    assert_true(at < LINE);
    assert_ptr_equal(values[0], ILK_GET(l->world, e, Position));
    l->visits[at]++;
    spawn_alike(l, at);
    destroy_next(l, at);
    if (at % 8 == 0) destroy_self(l, at);
}

// R004.15
static void a_function_for_each_may_change_everything(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    make_holes(l);
    assert_ok(ilk_each(f->world, l->query, act_on_line, l));
    for (uint32_t i = 0; i < LINE; i++) assert_int_equal(l->visits[i], i % 4 == 0);
}

static void destroy_neighbour(void* user, ilk_entity e, void* const* values) {
    line* l = user;
    uint32_t at = number_in_line(l, e);
    assert_ptr_equal(values[0], ILK_GET(l->world, e, Position));
    l->visits[at]++;
    if (at % 3 == 0 && at + 1 < LINE) assert_ok(ilk_destroy(l->world, l->e[at + 1]));
    if (at % 3 == 2 && at >= 2) assert_ok(ilk_destroy(l->world, l->e[at - 2]));
}

// The rows of one run are looked at again where a call changed one of them.
static void a_function_is_not_called_for_the_dead(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    ilk_query* query = QUERY(f->world, .write = {&Position_type});
    assert_ok(ilk_each(f->world, query, destroy_neighbour, l));
    for (uint32_t i = 0; i < LINE; i++) assert_int_equal(l->visits[i], i % 3 != 1);
}

static ilk_entity empty[300];

static void destroy_next_empty(void* user, ilk_entity e, void* const* values) {
    line* l = user;
    uint32_t at = e.index;
    (void)values;
    assert_entity(e, empty[at]);
    l->visits[at]++;
    if (at % 5 == 0) assert_ok(ilk_destroy(l->world, empty[at + 1]));
    if (at % 5 == 2) ilk_create(l->world);
    if (at % 5 == 3) assert_ok(ilk_add(l->world, empty[at + 1], ILK_WITH(Position)));
}

// The same for those without a place.
static void a_function_is_not_called_for_empty_ones_that_left(void** state) {
    fixture* f = *state;
    line* l = &the_line;
    *l = (line){.world = f->world};
    assert_ok(ilk_create_many(f->world, empty, COUNT_OF(empty)));
    assert_ok(ilk_each(f->world, QUERY(f->world, 0), destroy_next_empty, l));
    for (uint32_t i = 0; i < COUNT_OF(empty); i++) {
        assert_int_equal(l->visits[i], i % 5 != 1 && i % 5 != 4);
    }
}

// What a function did that ends the loop, and how often it was called.
typedef struct ending {
    fixture* f;
    ilk_query* query;
    uint32_t way, calls;
} ending;

static void end_at_the_third(void* user, ilk_entity e, void* const* values) {
    ending* n = user;
    (void)e;
    (void)values;
    if (++n->calls != 3) return;
    if (n->way == 0) ilk_settle(n->f->world, 0);
    if (n->way == 1) ilk_clear(n->f->world);
    if (n->way == 2) ilk_trim(n->f->world);
    if (n->way == 3) ilk_query_destroy(n->query);
}

static void what_ends_a_loop_ends_the_calls(void** state) {
    fixture* f = *state;
    for (uint32_t way = 0; way < 4; way++) {
        draw_line(f);
        ending n = {f, QUERY(f->world, .write = {&Position_type}), way, 0};
        assert_int_equal(ilk_each(f->world, n.query, end_at_the_third, &n), ILK_STALE);
        assert_int_equal(n.calls, 3);
        ilk_clear(f->world);
    }
}

static int by_depth(const void* a, const void* b) {
    const Position *p = a, *q = b;
    return (p->x < q->x) - (p->x > q->x);
}

// The same promises where the order is another one.
static void a_loop_in_order_may_change_everything(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    l->query = QUERY(f->world, .write = {&Position_type}, .read = {&Velocity_type},
                     .order_by = &Position_type, .compare = by_depth);
    walk(l, destroy_previous); // ahead, in this order
    for (uint32_t i = 0; i < LINE; i++) assert_int_equal(l->visits[i], i % 4 == (LINE - 2) % 4);
    uint32_t count = ilk_query_count(f->world, l->query), rows = 0;
    for (ilk_iter it = ilk_query_iter(f->world, l->query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++, rows++) {
            ILK_SPAWN(f->world, ILK_WITH(Velocity), ILK_VALUE(Position, -1, 0));
            ILK_WRITE(&it, Position)[i].x = -5;
        }
    }
    assert_int_equal(rows, count);
}

// In an order, those are visited that matched when the pass began, if they still do.
static void a_pass_in_an_order_knows_whom_it_will_visit(void** state) {
    fixture* f = *state;
    ilk_entity e[100];
    assert_ok(ilk_create_many(f->world, e, 100));
    for (int i = 0; i < 50; i++) assert_ok(ilk_add(f->world, e[i], ILK_WITH(Position)));
    ilk_query* query = QUERY(f->world, .without = {&Frozen_type}, .order_by_index = true);
    assert_ok(ilk_add(f->world, e[40], ILK_WITH(Frozen)));
    assert_ok(ilk_destroy(f->world, e[1])); // so that the first is a run alone
    uint32_t rows = 0;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++, rows++) {
            assert_true(it.entities[i].index != 40 && it.entities[i].index % 30 != 20);
        }
        if (rows != 1) continue;
        assert_ok(ilk_remove(f->world, e[40], &Frozen_type));
        assert_ok(ilk_add(f->world, e[20], ILK_WITH(Frozen)));
        assert_ok(ilk_add(f->world, e[50], ILK_WITH(Frozen)));
        assert_ok(ilk_destroy(f->world, e[80]));
        assert_ok(ilk_add(f->world, e[60], ILK_WITH(Position)));
    }
    assert_int_equal(rows, 95);
}

// The parts of a walk make the same promises.
static void parts_of_a_walk_may_change_everything(void** state) {
    fixture* f = *state;
    line* l = draw_line(f);
    make_holes(l);
    ilk_iter parts[5], it = ilk_query_iter(f->world, l->query);
    assert_ok(ilk_iter_split(&it, parts, 5));
    for (uint32_t part = 5; part-- > 0;) {
        while (ilk_next(&parts[part])) {
            for (uint32_t i = 0; i < parts[part].count; i++) {
                visit(l, parts[part].entities[i], spawn_alike);
            }
        }
    }
    ilk_iter_end(&it);
    assert_even_visited(l);
    assert_int_equal(l->strangers, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(changes_are_immediate),
        WORLD_TEST(what_goes_inside_is_dropped_at_once),
        WORLD_TEST(pointers_stay_good_whatever_happens),
        cmocka_unit_test(columns_stay_what_they_were),
        WORLD_TEST(an_inner_loop_sees_what_the_outer_created_before_it),
        WORLD_TEST(an_inner_loop_may_destroy_what_the_outer_has_ahead),
        WORLD_TEST(a_function_for_each_may_change_everything),
        WORLD_TEST(a_function_is_not_called_for_the_dead),
        WORLD_TEST(a_function_is_not_called_for_empty_ones_that_left),
        WORLD_TEST(what_ends_a_loop_ends_the_calls),
        WORLD_TEST(a_loop_in_order_may_change_everything),
        WORLD_TEST(a_pass_in_an_order_knows_whom_it_will_visit),
        WORLD_TEST(parts_of_a_walk_may_change_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
