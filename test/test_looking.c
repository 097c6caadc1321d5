// Changing while looking: what a loop promises when entities come, go and change inside it.
#include "support.h"

// Large enough to be kept in slots where few rows of a large chunk have it.
typedef struct Cargo {
    int32_t number;
    char bytes[124];
} Cargo;
ILK_COMPONENT(Cargo);

static ilk_query* query_of(ilk_world* world, ilk_query_desc desc) {
    ilk_query* query = ilk_query_create(world, &desc);
    assert_non_null(query);
    return query;
}
#define QUERY(world, ...) query_of((world), (ilk_query_desc){__VA_ARGS__})

enum {
    FULL = 4 + 16 + 64, // all rows of three chunks
    LINE = FULL + 256,
    MOST = 4096
};

// A line of entities with Position, side by side. Those with an even number also have Velocity, so
// that each is a run of its own for whoever asks for both.
typedef struct line {
    ilk_world* world;
    ilk_query* query; // Position and Velocity, without Frozen
    ilk_entity e[LINE];
    uint32_t visits[LINE]; // of each
    uint32_t strangers;    // visits of others
} line;

static line the_line;

static line* draw_line(fixture* f) {
    line* l = &the_line;
    *l = (line){.world = f->world};
    l->query = QUERY(f->world, .write = {&Position_type}, .read = {&Velocity_type},
                     .without = {&Frozen_type});
    for (uint32_t i = 0; i < LINE; i++) {
        l->e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 0));
        if (i % 2 == 0) assert_ok(ilk_add(f->world, l->e[i], ILK_VALUE(Velocity, (float)i, 0)));
    }
    return l;
}

static uint32_t number_in_line(const line* l, ilk_entity e) {
    for (uint32_t i = 0; i < LINE; i++) {
        if (ilk_same(l->e[i], e)) return i;
    }
    return LINE;
}

typedef void act_fn(line* l, uint32_t at);

static void visit(line* l, ilk_entity e, act_fn* act) {
    uint32_t at = number_in_line(l, e);
    if (at == LINE) {
        l->strangers++;
    } else {
        l->visits[at]++;
    }
    if (act) act(l, at);
}

// Walks the line, and acts at each visit. In rows, what one run hands out is visited whatever the
// acts do to it.
static void walk(line* l, act_fn* act) {
    memset(l->visits, 0, sizeof(l->visits));
    l->strangers = 0;
    ilk_iter it = ilk_query_iter(l->world, l->query);
    while (ilk_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) visit(l, it.entities[i], act);
    }
    assert_int_equal(it.result, ILK_OK);
    assert_int_equal(l->strangers, 0);
    assert_valid(l->world);
}

static void walk_rows(line* l, act_fn* act) {
    memset(l->visits, 0, sizeof(l->visits));
    l->strangers = 0;
    for (ilk_iter it = ilk_query_iter(l->world, l->query); ilk_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) visit(l, it.entities[it.rows[i]], act);
    }
    assert_int_equal(l->strangers, 0);
    assert_valid(l->world);
}

// Everyone with an even number was visited once, and nobody else.
static void assert_even_visited_at(const line* l, const char* file, int number) {
    for (uint32_t i = 0; i < LINE; i++) {
        _assert_int_equal(l->visits[i], i % 2 == 0, file, number);
    }
}
#define assert_even_visited(l) assert_even_visited_at((l), __FILE__, __LINE__)

static void destroy_self(line* l, uint32_t at) {
    assert_ok(ilk_destroy(l->world, l->e[at]));
    assert_false(ilk_alive(l->world, l->e[at]));
}

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

static void destroy_next(line* l, uint32_t at) {
    if (at + 2 < LINE) assert_ok(ilk_destroy(l->world, l->e[at + 2]));
}

// R003.16 R004.15
static void what_is_destroyed_ahead_is_not_visited(void** state) {
    line* l = draw_line(*state);
    walk(l, destroy_next);
    for (uint32_t i = 0; i < LINE; i++) assert_int_equal(l->visits[i], i % 4 == 0);
}

static void destroy_previous(line* l, uint32_t at) {
    if (at >= 2) assert_ok(ilk_destroy(l->world, l->e[at - 2]));
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

// The room there is when the loop begins: holes in every chunk, the last one not full.
static void make_holes(line* l) {
    for (uint32_t i = 1; i < LINE; i += 6) assert_ok(ilk_destroy(l->world, l->e[i]));
}

static void spawn_alike(line* l, uint32_t at) {
    ilk_entity e = ILK_SPAWN(l->world, ILK_VALUE(Position, (float)at, 0), ILK_WITH(Velocity));
    assert_true(ilk_query_matches(l->world, l->query, e));
    e = ILK_SPAWN(l->world, ILK_WITH(Position));
    assert_ok(ilk_add(l->world, e, ILK_WITH(Velocity)));
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
    assert_int_equal(rows, 96);
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
    assert_ok(ilk_destroy(f->world, l->e[40]));
    holes = ilk_stats(f->world).holes;
    spawn_one(f);
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

// What a loop knows of the entities that were there when it began, by index.
typedef struct known {
    uint32_t generation; // 0: none was there
    bool is_visited, is_touched, matched;
    bool is_rooted; // was given its first component inside
} known;

typedef struct looking {
    ilk_world* world;
    ilk_query* query;
    known by_index[MOST];
} looking;

// A world in which everything changes at random, and the loops that look at it.
enum {
    DEEPEST = 2
};
typedef struct bustle {
    ilk_world* world;
    uint64_t seed;
    ilk_entity at[MOST]; // the entity of each index; perhaps dead
    bool is_rootless[MOST];
    uint32_t indices;
    looking loops[DEEPEST];
    uint32_t depth;
} bustle;

static bustle the_bustle;

static uint32_t chance(bustle* b, uint32_t of) {
    return next_random(&b->seed) % of;
}

static void note_born(bustle* b, ilk_entity e, bool is_rootless) {
    if (ilk_is_null(e)) return;
    assert_true(e.index < MOST);
    b->at[e.index] = e;
    b->is_rootless[e.index] = is_rootless;
    if (e.index >= b->indices) b->indices = e.index + 1;
}

static void note_touched(bustle* b, ilk_entity e, bool is_given) {
    for (uint32_t i = 0; i < b->depth; i++) {
        known* k = &b->loops[i].by_index[e.index];
        if (k->generation != e.generation) continue;
        k->is_touched = true;
        k->is_rooted = k->is_rooted || (is_given && b->is_rootless[e.index]);
    }
    if (is_given) b->is_rootless[e.index] = false;
}

static ilk_type* const moods[] = {&Position_type, &Velocity_type, &Cargo_type, &Enemy_type,
                                  &Owned_type};

static ilk_type* any_mood(bustle* b) {
    return moods[chance(b, COUNT_OF(moods))];
}

static void bear(bustle* b) {
    ilk_batch batch;
    ilk_type *one = any_mood(b), *two = any_mood(b);
    const ilk_value values[] = {{one, NULL}, {one == two ? NULL : two, NULL}};
    ilk_entity old = b->at[chance(b, b->indices)];
    bool is_rootless = ilk_alive(b->world, old) && b->is_rootless[old.index];
    switch (chance(b, 8)) {
    case 0:
        note_born(b, ilk_copy(b->world, old), is_rootless);
        break;
    case 1:
        assert_ok(ilk_spawn_many(b->world, &batch, chance(b, 9), ILK_TYPES(one)));
        while (ilk_batch_next(&batch)) {
            for (uint32_t i = 0; i < batch.count; i++) note_born(b, batch.entities[i], false);
        }
        break;
    case 2:
        note_born(b, ilk_create(b->world), true);
        break;
    default:
        note_born(b, ilk_spawn(b->world, values, 2), false);
    }
}

static void change(bustle* b, ilk_entity e) {
    ilk_type* type = any_mood(b);
    if (!ilk_alive(b->world, e)) return;
    switch (chance(b, 8)) {
    case 0:
    case 1:
        note_touched(b, e, false);
        ilk_destroy(b->world, e);
        break;
    case 2:
        note_touched(b, e, false);
        ilk_remove(b->world, e, type);
        break;
    case 3:
        note_touched(b, e, false);
        ilk_disable(b->world, e, type);
        break;
    case 4:
        note_touched(b, e, false);
        ilk_enable(b->world, e, type);
        break;
    case 5:
        note_touched(b, e, true);
        ilk_add_many(b->world, &e, 1, type, NULL);
        break;
    default:
        note_touched(b, e, true);
        ilk_set(b->world, e, (ilk_value){type, NULL});
        break;
    }
}

static void bustle_about(bustle* b) {
    if (chance(b, 3) == 0 && ilk_stats(b->world).alive < MOST / 4) bear(b);
    for (uint32_t i = chance(b, 4); i > 0; i--) change(b, b->at[chance(b, b->indices)]);
}

static void begin_looking(bustle* b, looking* l, ilk_query* query) {
    l->world = b->world;
    l->query = query;
    memset(l->by_index, 0, sizeof(l->by_index));
    for (uint32_t i = 0; i < b->indices; i++) {
        if (!ilk_alive(b->world, b->at[i])) continue;
        l->by_index[i].generation = b->at[i].generation;
        l->by_index[i].matched = ilk_query_matches(b->world, query, b->at[i]);
    }
}

// What a run hands out was there before, matches now, and comes for the first time.
static void check_run(looking* l, const ilk_iter* it, bool by_rows) {
    for (uint32_t i = 0; i < it->count; i++) {
        ilk_entity e = it->entities[by_rows ? it->rows[i] : i];
        known* k = &l->by_index[e.index];
        assert_true(ilk_query_matches(l->world, l->query, e));
        assert_int_equal(k->generation, e.generation);
        assert_false(k->is_visited);
        assert_false(k->is_rooted);
        k->is_visited = true;
    }
}

// Nobody was missed who was there all the time and did not change.
static void check_all_seen(const bustle* b, const looking* l) {
    for (uint32_t i = 0; i < b->indices; i++) {
        const known* k = &l->by_index[i];
        if (k->generation && !k->is_touched) assert_int_equal(k->is_visited, k->matched);
    }
}

static void look(bustle* b, ilk_query** queries, uint32_t count) {
    looking* l = &b->loops[b->depth];
    begin_looking(b, l, queries[chance(b, count)]);
    b->depth++;
    ilk_iter it = ilk_query_iter(b->world, l->query);
    bool is_left = false, by_rows = chance(b, 2);
    while (!is_left && (by_rows ? ilk_next_rows(&it) : ilk_next(&it))) {
        check_run(l, &it, by_rows);
        for (uint32_t i = 0; i < it.count; i++) bustle_about(b);
        if (b->depth < DEEPEST && chance(b, 40) == 0) look(b, queries, count);
        is_left = chance(b, 300) == 0;
        by_rows = chance(b, 2);
    }
    if (is_left) ilk_iter_end(&it);
    if (!is_left) check_all_seen(b, l);
    b->depth--;
}

// R003.16 R004.15 C11
static void each_entity_is_visited_at_most_once_while_everything_changes(void** state) {
    (void)state;
    bustle* b = &the_bustle;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        void* opened = NULL;
        open_world(&opened);
        fixture* f = opened;
        memset(b, 0, sizeof(*b));
        *b = (bustle){.world = f->world, .seed = seed};
        ilk_query* queries[] = {
            QUERY(f->world, 0),
            QUERY(f->world, .write = {&Position_type}),
            QUERY(f->world, .write = {&Cargo_type}, .maybe = {&Owned_type}),
            QUERY(f->world, .read = {&Velocity_type}, .without = {&Enemy_type}),
            QUERY(f->world, .any = {&Enemy_type, &Owned_type}, .maybe = {&Cargo_type}),
            QUERY(f->world, .where = "Position | !Velocity"),
        };
        for (int i = 0; i < 600; i++) note_born(b, ilk_create(f->world), true);
        for (int i = 0; i < 600; i++) bear(b);
        for (int i = 0; i < 2000; i++) change(b, b->at[chance(b, b->indices)]);
        for (int round = 0; round < 6; round++) {
            look(b, queries, COUNT_OF(queries));
            assert_valid(f->world);
            if (round == 3) settle_fully(f->world);
        }
        close_world(&opened);
    }
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
        WORLD_TEST(a_hole_is_filled_again_after_the_loop),
        cmocka_unit_test(an_abandoned_loop_keeps_holes_open_until_it_is_ended),
        cmocka_unit_test(settling_clearing_and_trimming_end_a_loop),
        WORLD_TEST(settling_a_settled_world_ends_a_loop),
        WORLD_TEST(a_query_that_is_destroyed_ends_its_loops),
        WORLD_TEST(a_new_query_does_not_revive_an_old_loop),
        WORLD_TEST(without_memory_a_loop_goes_on),
        WORLD_TEST(what_was_reserved_inside_a_loop_needs_no_memory),
        WORLD_TEST(holes_that_were_reserved_are_room_outside_loops),
        cmocka_unit_test(every_verb_may_fail_inside_a_loop),
        cmocka_unit_test(each_entity_is_visited_at_most_once_while_everything_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
