// Iterators: runs and rows, columns by type, order, and a function for each.
#include "iter_support.h"

// R000.30 R000.34
static void every_form_gives_the_same_entities_in_the_same_order(void** state) {
    (void)state;
    in_each_scene(check_forms);
}

// R000.29
static void columns_are_where_get_finds_the_values(void** state) {
    (void)state;
    in_each_scene(check_columns);
}

static void check_no_memory_is_needed(fixture* f, ilk_query* query, const ilk_query_desc* desc) {
    static visits v;
    uint64_t calls = f->memory.calls;
    walk(f->world, query, walk_mixed, &v);
    v.count = 0;
    assert_ok(ilk_each(f->world, query, visit_one, &v));
    check_columns(f, query, desc);
    ilk_iter parts[3], it = ilk_query_iter(f->world, query);
    assert_ok(ilk_iter_split(&it, parts, 3));
    for (uint32_t i = 0; i < 3; i++) walk_rows(&parts[i], &v);
    ilk_iter_end(&it);
    assert_int_equal(f->memory.calls, calls);
}

// R000.28 R003.8
static void walking_needs_no_memory(void** state) {
    (void)state;
    in_each_scene(check_no_memory_is_needed);
}

// C9 R000.28
static void entities_come_by_chunk_and_row(void** state) {
    fixture* f = *state;
    static scene s;
    static visits v;
    s = (scene){.world = f->world, .seed = 1};
    build_scattered(&s);
    walk(f->world, QUERY(f->world, .read = {&Position_type}), walk_runs, &v);
    assert_int_equal(v.count, PEOPLE);
    assert_memory_equal(v.e, s.e, sizeof(s.e));
    for (uint32_t i = 5; i < PEOPLE; i += 9) assert_ok(ilk_destroy(f->world, s.e[i]));
    ilk_query* queries[] = {QUERY(f->world, .read = {&Velocity_type, &Position_type}),
                            QUERY(f->world, .read = {&Position_type, &Velocity_type})};
    for (uint32_t q = 0; q < 2; q++) {
        walk(f->world, queries[q], walk_runs, &v);
        uint32_t next = 0;
        for (uint32_t i = 0; i < PEOPLE; i++) {
            if (!ilk_has(f->world, s.e[i], &Velocity_type)) continue;
            assert_entity(v.e[next], s.e[i]);
            next++;
        }
        assert_int_equal(v.count, next);
    }
}

static void assert_comes_as(fixture* f, const ilk_entity* e, const int* order, uint32_t count) {
    static visits v;
    walk(f->world, QUERY(f->world, 0), walk_runs, &v);
    assert_int_equal(v.count, count);
    for (uint32_t i = 0; i < count; i++) assert_entity(v.e[i], e[order[i]]);
}

// C9
static void those_without_a_place_come_last_by_index(void** state) {
    fixture* f = *state;
    ilk_entity e[6] = {
        ilk_create(f->world), ILK_SPAWN(f->world, ILK_WITH(Position)), ilk_create(f->world),
        ilk_create(f->world), ILK_SPAWN(f->world, ILK_WITH(Position)), ilk_create(f->world)};
    assert_ok(ilk_destroy(f->world, e[2]));
    e[2] = ilk_create(f->world);
    assert_comes_as(f, e, (const int[]){1, 4, 0, 2, 3, 5}, 6);
    assert_ok(ilk_remove_all(f->world, e[1])); // it keeps its place…
    assert_comes_as(f, e, (const int[]){1, 4, 0, 2, 3, 5}, 6);
    settle_fully(f->world); // …until now
    assert_comes_as(f, e, (const int[]){4, 0, 1, 2, 3, 5}, 6);
}

static void live(ilk_world* world, ilk_entity* e, uint64_t* seed) {
    static ilk_type* const types[] = {&Position_type, &Velocity_type, &Cargo_type, &Enemy_type};
    ilk_entity* one = &e[next_random(seed) % 400];
    ilk_type* type = types[next_random(seed) % COUNT_OF(types)];
    if (!ilk_alive(world, *one)) {
        *one = ilk_spawn(world, &(ilk_value){type, NULL}, next_random(seed) % 4 ? 1 : 0);
    } else if (next_random(seed) % 5 == 0) {
        ilk_destroy(world, *one);
    } else if (next_random(seed) % 2) {
        ilk_set(world, *one, (ilk_value){type, NULL});
    } else {
        ilk_disable(world, *one, type);
    }
}

// C9
static void the_same_history_gives_the_same_order(void** state) {
    fixture* f = *state;
    ilk_world* twin = second_world(f, 0);
    static ilk_entity e[2][400];
    static visits a, b;
    memset(e, 0, sizeof(e));
    uint64_t seeds[2] = {9, 9};
    ilk_query* query = QUERY(f->world, .without = {&Enemy_type}, .maybe = {&Cargo_type});
    ilk_query* same = QUERY(twin, .without = {&Enemy_type}, .maybe = {&Cargo_type});
    for (uint32_t step = 0; step < 20; step++) {
        for (int i = 0; i < 500; i++) live(f->world, e[0], &seeds[0]);
        for (int i = 0; i < 500; i++) live(twin, e[1], &seeds[1]);
        if (step % 4 == 0) settle_fully(f->world);
        if (step % 4 == 0) settle_fully(twin);
        walk(f->world, query, walk_mixed, &a);
        walk(twin, same, walk_runs, &b);
        assert_same_visits(&a, &b);
    }
    ilk_world_destroy(twin);
}

static void rows_come_in_portions(void** state) {
    fixture* f = *state;
    static scene s;
    s = (scene){.world = f->world};
    build_full(&s);
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    uint32_t portions = 0, runs = 0;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next_rows(&it);) portions++;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) runs++;
    assert_int_equal(runs, 5);
    assert_int_equal(portions, 3 + (256 + 1024) / ILK_ROWS);
}

// One row, so that every column has one value.
static ilk_query* mixed_query(fixture* f) {
    ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_VALUE(Velocity, 3, 4), ILK_WITH(Enemy),
              ILK_VALUE(Anchor, 5));
    ilk_register(f->world, &Health_type);
    ilk_register(f->world, &Cargo_type);
    return QUERY(f->world, .write = {&Position_type}, .read = {&Velocity_type, &Enemy_type},
                 .with = {&Anchor_type}, .maybe = {&Health_type});
}

// The column is NULL, and the message says which call and which type.
static void wrong_at(fixture* f, const void* column, const char* call, const ilk_type* type,
                     const char* file, int line) {
    _assert_true(!column, "there is no column", file, line);
    _assert_int_equal(ilk_error(f->world).result, ILK_INVALID, file, line);
    assert_told_at(f, ILK_INVALID, call, file, line);
    _assert_string_equal(f->told.type, type->name, file, line);
    _assert_true(strstr(f->told.text, type->name) != NULL, "the type is named", file, line);
#ifdef ILK_CHECKED
    _assert_true(f->told.last.file && strstr(f->told.last.file, "test_iter.c"),
                 "the message has the file", file, line);
#endif
}
#define wrong(f, call, it, T)                                                                      \
    wrong_at((f), call((it), &T##_type), #call, &T##_type, __FILE__, __LINE__)

// R000.29
static void a_column_is_had_only_as_it_is_declared(void** state) {
    fixture* f = *state;
    ilk_iter it = ilk_query_iter(f->world, mixed_query(f));
    assert_true(ilk_next(&it));
    assert_true(same_position(ILK_WRITE(&it, Position), 1, 2));
    assert_true(same_position(ILK_READ(&it, Position), 1, 2));
    assert_int_equal(ILK_READ(&it, Velocity)->y, 4);
    assert_non_null(ilk_column_read(&it, &Enemy_type));
    assert_null(ILK_MAYBE(&it, Health));
    assert_quiet(f);
    wrong(f, ilk_column_write, &it, Velocity);
    wrong(f, ilk_column_write, &it, Health);
    wrong(f, ilk_column_write, &it, Anchor);
    wrong(f, ilk_column_write, &it, Cargo);
    wrong(f, ilk_column_read, &it, Health);
    wrong(f, ilk_column_read, &it, Anchor);
    wrong(f, ilk_column_read, &it, Frozen);
    wrong(f, ilk_column_maybe, &it, Anchor);
    wrong(f, ilk_column_maybe, &it, Cargo);
    assert_false(ilk_next(&it));
    assert_int_equal(it.result, ILK_OK);
}

// A wrong column is no reason to stop.
static void a_loop_goes_on_after_a_wrong_column(void** state) {
    fixture* f = *state;
    ilk_query* query = mixed_query(f);
    ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity), ILK_WITH(Enemy), ILK_WITH(Anchor));
    uint32_t rows = 0;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        wrong(f, ilk_column_write, &it, Velocity);
        assert_non_null(ILK_READ(&it, Velocity));
        rows += it.count;
    }
    assert_int_equal(rows, 2);
}

static void columns_are_typed(void** state) {
    fixture* f = *state;
    ilk_iter it = ilk_query_iter(f->world, mixed_query(f));
    assert_true(ilk_next(&it));
    assert_true(_Generic(ILK_WRITE(&it, Position), Position *: true, default: false));
    assert_true(_Generic(ILK_READ(&it, Velocity), const Velocity*: true, default: false));
    assert_true(_Generic(ILK_MAYBE(&it, Health), const Health*: true, default: false));
    assert_true(_Generic(ilk_column_read(&it, &Velocity_type), const void*: true, default: false));
    ilk_iter_end(&it);
}

static void another_variable_of_the_type_is_as_good(void** state) {
    fixture* f = *state;
    ilk_type other = {.name = "Position", .size = sizeof(Position), .align = _Alignof(Position)};
    ilk_iter it = ilk_query_iter(f->world, mixed_query(f));
    assert_true(ilk_next(&it));
    assert_ptr_equal(ilk_column_write(&it, &other), ILK_WRITE(&it, Position));
    assert_ptr_equal(ilk_column_read(&it, &other), ILK_READ(&it, Position));
    ilk_iter_end(&it);
}

static void what_is_written_to_a_column_stays(void** state) {
    fixture* f = *state;
    static scene s;
    s = (scene){.world = f->world, .seed = 2};
    build_small_guests(&s);
    ilk_query* query = QUERY(f->world, .write = {&Cargo_type}, .read = {&Position_type});
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        Cargo* cargo = ILK_WRITE(&it, Cargo);
        for (uint32_t i = 0; i < it.count; i++) cargo[i].number += 1000;
    }
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next_rows(&it);) {
        Cargo* cargo = ILK_WRITE(&it, Cargo);
        for (uint32_t i = 0; i < it.count; i++) cargo[it.rows[i]].number += 1000;
    }
    for (int i = 0; i < PEOPLE; i += 10) {
        assert_int_equal(ILK_GET(f->world, s.e[i], Cargo)->number, 2000 + i);
    }
}

// R000.33
static void an_iterator_at_its_end_stays_there(void** state) {
    fixture* f = *state;
    ilk_query* query = mixed_query(f);
    for (int form = 0; form < 2; form++) {
        ilk_iter it = ilk_query_iter(f->world, query);
        while (form ? ilk_next_rows(&it) : ilk_next(&it)) {
        }
        ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity), ILK_WITH(Enemy),
                  ILK_WITH(Anchor));
        for (int i = 0; i < 3; i++) {
            assert_false(ilk_next(&it));
            assert_false(ilk_next_rows(&it));
            assert_int_equal(it.result, ILK_OK);
        }
        assert_null(ILK_WRITE(&it, Position));
        assert_null(ILK_READ(&it, Velocity));
        assert_null(ILK_MAYBE(&it, Health));
        ilk_iter_end(&it);
        assert_false(ilk_next(&it));
    }
}

static void a_loop_may_be_left(void** state) {
    fixture* f = *state;
    static scene s;
    static visits all, v;
    s = (scene){.world = f->world};
    build_holes(&s);
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    walk(f->world, query, walk_runs, &all);
    for (uint32_t i = 0; i < 40; i++) {
        ilk_iter it = ilk_query_iter(f->world, query);
        for (uint32_t step = 0; step < i; step++) assert_true(ilk_next(&it));
        if (i % 2) ilk_iter_end(&it);
        if (i % 2) assert_false(ilk_next(&it));
        if (i % 2) assert_null(ILK_READ(&it, Position));
        assert_int_equal(it.result, ILK_OK);
        ilk_iter_end(&it);
        walk(f->world, query, walk_runs, &v);
        assert_same_visits(&all, &v);
    }
}

// R002.21
static void loops_nest(void** state) {
    fixture* f = *state;
    static scene s;
    s = (scene){.world = f->world};
    build_settled(&s);
    ilk_query* query = QUERY(f->world, .read = {&Cargo_type});
    uint32_t count = ilk_query_count(f->world, query), pairs = 0;
    for (ilk_iter outer = ilk_query_iter(f->world, query); ilk_next(&outer);) {
        for (uint32_t i = 0; i < outer.count; i++) {
            for (ilk_iter inner = ilk_query_iter(f->world, query); ilk_next_rows(&inner);) {
                pairs += inner.count;
            }
        }
        assert_non_null(ILK_READ(&outer, Cargo));
    }
    assert_true(count > 50);
    assert_int_equal(pairs, count * count);
}

enum {
    OPEN = 12
};

// Twelve iterators, each at its first run.
static void open_twelve(ilk_world* world, ilk_query* query, ilk_iter* its) {
    for (int i = 0; i < OPEN; i++) {
        its[i] = ilk_query_iter(world, query);
        assert_true(ilk_next(&its[i]));
    }
}

static void a_thirteenth_iterator_ends_the_first(void** state) {
    fixture* f = *state;
    static ilk_iter its[OPEN];
    static scene s;
    s = (scene){.world = f->world};
    build_full(&s);
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    open_twelve(f->world, query, its);
    for (int i = 0; i < OPEN; i++) assert_true(ilk_next(&its[i]));
    for (int ended = 0; ended < 3; ended++) {
        ilk_iter another = ilk_query_iter(f->world, query);
        assert_true(ilk_next(&another));
        assert_false(ilk_next(&its[ended]));
        assert_false(ilk_next_rows(&its[ended]));
        assert_int_equal(its[ended].result, ILK_FULL);
        assert_null(ILK_READ(&its[ended], Position));
    }
    for (int i = 3; i < OPEN; i++) {
        while (ilk_next(&its[i])) assert_non_null(ILK_READ(&its[i], Position));
        assert_int_equal(its[i].result, ILK_OK);
    }
}

static void an_ended_iterator_makes_room(void** state) {
    fixture* f = *state;
    static ilk_iter its[OPEN];
    static visits v;
    static scene s;
    s = (scene){.world = f->world};
    build_full(&s);
    ilk_query* query = QUERY(f->world, .read = {&Position_type});
    open_twelve(f->world, query, its);
    for (int i = 0; i < 100; i++) {
        ilk_iter_end(&its[5]);
        walk(f->world, query, walk_runs, &v);
        its[5] = ilk_query_iter(f->world, query);
        assert_true(ilk_next(&its[5]));
    }
    for (int i = 0; i < OPEN; i++) assert_true(ilk_next(&its[i]));
    for (int i = 0; i < OPEN; i++) ilk_iter_end(&its[i]);
}

// R002.21 C9
static void entities_can_be_had_in_order_of_index(void** state) {
    fixture* f = *state;
    static scene s;
    static visits v, rows;
    s = (scene){.world = f->world, .seed = 4};
    build_lodgers(&s);
    for (int i = 0; i < PEOPLE; i += 3) assert_ok(ilk_destroy(f->world, s.e[i]));
    for (int i = 0; i < PEOPLE; i += 6) ILK_SPAWN(f->world, ILK_WITH(Velocity));
    for (int i = 0; i < 50; i++) ilk_create(f->world);
    ilk_query_desc descs[] = {{.order_by_index = true},
                              {.read = {&Velocity_type}, .order_by_index = true},
                              {.maybe = {&Cargo_type}, .order_by_index = true}};
    for (uint32_t q = 0; q < COUNT_OF(descs); q++) {
        ilk_query* query = query_of(f->world, descs[q]);
        walk(f->world, query, walk_runs, &v);
        assert_int_equal(v.count, ilk_query_count(f->world, query));
        for (uint32_t i = 1; i < v.count; i++) assert_true(v.e[i - 1].index < v.e[i].index);
        rows.count = 0;
        for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next_rows(&it);) {
            for (uint32_t i = 0; i < it.count; i++) visit(&rows, it.entities[it.rows[i]]);
        }
        assert_same_visits(&v, &rows);
        rows.count = ilk_query_collect(f->world, query, rows.e, MOST);
        assert_same_visits(&v, &rows);
        assert_entity(ilk_query_first(f->world, query), v.e[0]);
        check_columns(f, query, &descs[q]);
    }
}

static void assert_ordered(ilk_world* world, ilk_query* query, uint32_t count) {
    static visits v;
    walk(world, query, walk_runs, &v);
    assert_int_equal(v.count, count);
    for (uint32_t i = 1; i < v.count; i++) {
        int order = by_points(ILK_GET(world, v.e[i - 1], Health), ILK_GET(world, v.e[i], Health));
        assert_true(order < 0 || (order == 0 && v.e[i - 1].index < v.e[i].index));
    }
}

// C9
static void entities_can_be_had_in_order_of_a_value(void** state) {
    fixture* f = *state;
    ilk_entity e[500];
    spawn_patients(f->world, e, COUNT_OF(e));
    ilk_query_desc desc = {.read = {&Health_type},
                           .maybe = {&Position_type},
                           .order_by = &Health_type,
                           .compare = by_points};
    ilk_query* plain = QUERY(f->world, .with = {&Health_type});
    ilk_query* ordered = query_of(f->world, desc);
    uint32_t count = ilk_query_count(f->world, plain);
    assert_true(count > 300 && count < 450);
    assert_ordered(f->world, ordered, count);
    check_columns(f, ordered, &desc);
    settle_fully(f->world);
    assert_ordered(f->world, ordered, count);
    check_columns(f, ordered, &desc);
}

// What is ordered by must be there, also if nothing else asks for it.
static void an_order_implies_the_type(void** state) {
    fixture* f = *state;
    ilk_entity e[500];
    spawn_patients(f->world, e, COUNT_OF(e));
    ilk_query* plain = QUERY(f->world, .with = {&Health_type, &Position_type});
    ilk_query* ordered =
        QUERY(f->world, .with = {&Position_type}, .order_by = &Health_type, .compare = by_points);
    assert_ordered(f->world, ordered, ilk_query_count(f->world, plain));
    assert_int_equal(ilk_query_count(f->world, ordered), ilk_query_count(f->world, plain));
    ilk_entity healthless = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_false(ilk_query_matches(f->world, ordered, healthless));
}

// The sorts that one more pass needs.
static uint64_t sorts_of(ilk_world* world, ilk_query* query) {
    static visits v;
    uint64_t before = ilk_query_stats_of(query).sorts;
    walk(world, query, walk_runs, &v);
    return ilk_query_stats_of(query).sorts - before;
}

static void what_did_not_change_is_not_sorted_again(void** state) {
    fixture* f = *state;
    ilk_entity e[100];
    spawn_patients(f->world, e, COUNT_OF(e));
    ilk_query* query =
        QUERY(f->world, .read = {&Health_type}, .order_by = &Health_type, .compare = by_points);
    uint32_t count = ilk_query_count(f->world, query);
    assert_int_equal(sorts_of(f->world, query), 1);
    assert_int_equal(sorts_of(f->world, query), 0);
    assert_ok(ilk_set(f->world, e[4], ILK_VALUE(Position, 7, 7)));
    ilk_query_first(f->world, query);
    ilk_get(f->world, e[1], &Health_type, NULL);
    assert_int_equal(sorts_of(f->world, query), 0);
    assert_ok(ilk_set(f->world, e[4], ILK_VALUE(Health, 1000)));
    assert_int_equal(sorts_of(f->world, query), 1);
    assert_ordered(f->world, query, count);
    assert_int_equal(sorts_of(f->world, query), 0);
    ILK_SPAWN(f->world, ILK_VALUE(Health, -5));
    assert_ordered(f->world, query, count + 1);
    assert_ok(ilk_destroy(f->world, e[4]));
    assert_ordered(f->world, query, count);
    assert_ok(ilk_disable(f->world, e[2], &Health_type));
    assert_ordered(f->world, query, count - 1);
    assert_ok(ilk_enable(f->world, e[2], &Health_type));
    assert_ordered(f->world, query, count);
    assert_int_equal(sorts_of(f->world, query), 0);
}

static void an_order_without_memory_gives_no_rows(void** state) {
    fixture* f = *state;
    static ilk_entity e[2000];
    spawn_patients(f->world, e, COUNT_OF(e));
    ilk_query* query =
        QUERY(f->world, .read = {&Health_type}, .order_by = &Health_type, .compare = by_points);
    uint64_t left = 0;
    for (ilk_result result = ILK_NO_MEMORY; result != ILK_OK; left++) {
        f->memory.left = left;
        ilk_iter it = ilk_query_iter(f->world, query);
        f->memory.left = UINT64_MAX;
        result = it.result;
        if (result == ILK_OK) break;
        assert_told(f, ILK_NO_MEMORY, "ilk_query_iter");
        assert_int_equal(result, ILK_NO_MEMORY);
        assert_false(ilk_next(&it));
        assert_int_equal(it.result, ILK_NO_MEMORY);
    }
    assert_true(left > 0);
    assert_ordered(f->world, query, ilk_query_count(f->world, query));
}

// What ilk_each handed over for one entity.
typedef struct handed {
    ilk_world* world;
    ilk_type* types[8];
    uint32_t type_count, calls;
} handed;

static void check_handed(void* user, ilk_entity e, void* const* values) {
    handed* h = user;
    h->calls++;
    for (uint32_t i = 0; i < h->type_count; i++) {
        ilk_type* type = h->types[i];
        bool is_on = ilk_enabled(h->world, e, type);
        assert_int_equal(values[i] != NULL, is_on);
        if (is_on && type->size) assert_ptr_equal(values[i], ilk_get(h->world, e, type, NULL));
    }
}

// R000.29 R000.34
static void each_hands_over_values_in_the_order_of_declaration(void** state) {
    fixture* f = *state;
    static scene s;
    s = (scene){.world = f->world, .seed = 6};
    build_lodgers(&s);
    for (int i = 0; i < PEOPLE; i += 2) ilk_set(f->world, s.e[i], ILK_WITH(Health));
    for (int i = 0; i < PEOPLE; i += 3) ilk_set(f->world, s.e[i], ILK_WITH(Anchor));
    const ilk_term terms[] = {{ILK_ACCESS_WITH, &Position_type},
                              {ILK_ACCESS_MAYBE, &Cargo_type},
                              {ILK_ACCESS_WRITE, &Anchor_type},
                              {ILK_ACCESS_WITHOUT, &Frozen_type},
                              {0}};
    ilk_query* query = QUERY(f->world, .maybe = {&Owned_type, &Health_type},
                             .read = {&Enemy_type, NULL, &Position_type}, .write = {&Velocity_type},
                             .terms = terms);
    handed h = {f->world,
                {&Velocity_type, &Enemy_type, &Position_type, &Owned_type, &Health_type,
                 &Cargo_type, &Anchor_type},
                7,
                0};
    assert_ok(ilk_each(f->world, query, check_handed, &h));
    assert_true(h.calls > 50);
    assert_int_equal(h.calls, ilk_query_count(f->world, query));
}

// R000.29
static void swapped_declarations_swap_the_values(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_VALUE(Velocity, 3, 4));
    handed one = {f->world, {&Position_type, &Velocity_type}, 2, 0};
    handed two = {f->world, {&Velocity_type, &Position_type}, 2, 0};
    assert_ok(ilk_each(f->world, QUERY(f->world, .read = {&Position_type, &Velocity_type}),
                       check_handed, &one));
    assert_ok(ilk_each(f->world, QUERY(f->world, .read = {&Velocity_type, &Position_type}),
                       check_handed, &two));
    assert_int_equal(one.calls + two.calls, 2);
}

static void nothing_is_walked_without_a_world_or_a_query(void** state) {
    fixture* f = *state;
    ilk_query* query = mixed_query(f);
    ilk_iter its[] = {ilk_query_iter(NULL, NULL),
                      ilk_query_iter(NULL, query),
                      ilk_query_iter(f->world, NULL),
                      {0}};
    ilk_iter parts[2];
    for (uint32_t i = 0; i < COUNT_OF(its); i++) {
        assert_int_equal(its[i].result, i < 3 ? ILK_INVALID : ILK_OK);
        assert_false(ilk_next(&its[i]));
        assert_false(ilk_next_rows(&its[i]));
        assert_null(ILK_WRITE(&its[i], Position));
        assert_null(ILK_READ(&its[i], Position));
        assert_null(ILK_MAYBE(&its[i], Position));
        assert_int_equal(ilk_iter_split(&its[i], parts, 2), ILK_INVALID);
        ilk_iter_end(&its[i]);
    }
    assert_int_equal(ilk_each(NULL, query, visit_one, NULL), ILK_INVALID);
    assert_int_equal(ilk_each(f->world, NULL, visit_one, NULL), ILK_INVALID);
    assert_int_equal(ilk_each(f->world, query, NULL, NULL), ILK_INVALID);
}

static void nothing_is_done_with_null(void** state) {
    fixture* f = *state;
    ilk_query* query = mixed_query(f);
    ilk_iter parts[2], it = ilk_query_iter(f->world, query);
    assert_false(ilk_next(NULL));
    assert_false(ilk_next_rows(NULL));
    ilk_iter_end(NULL);
    assert_null(ilk_column_write(NULL, &Position_type));
    assert_null(ilk_column_read(NULL, &Position_type));
    assert_null(ilk_column_maybe(NULL, &Position_type));
    assert_int_equal(ilk_iter_split(NULL, parts, 2), ILK_INVALID);
    assert_int_equal(ilk_iter_split(&it, NULL, 2), ILK_INVALID);
    assert_int_equal(ilk_iter_split(&it, parts, 0), ILK_INVALID);
    assert_true(ilk_next(&it));
    assert_null(ilk_column_write(&it, NULL));
    assert_null(ilk_column_read(&it, NULL));
    assert_null(ilk_column_maybe(&it, NULL));
    ilk_iter_end(&it);
}

// Those of a list that match, in its order, with their columns.
static void a_list_narrows_a_query(void** state) {
    fixture* f = *state;
    ilk_entity e[300];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Health, (int32_t)i));
        if (i % 3 == 0) assert_ok(ilk_add(f->world, e[i], ILK_WITH(Enemy)));
    }
    assert_ok(ilk_destroy(f->world, e[30]));
    ilk_query* query = QUERY(f->world, .read = {&Health_type}, .with = {&Enemy_type});
    ilk_entity list[] = {e[9], e[10], e[30], e[297], {0, 0}, e[3], e[9], {5000, 1}};
    const int32_t expected[] = {9, 297, 3, 9};
    for (uint32_t form = 0; form < 2; form++) {
        uint32_t count = 0;
        ilk_iter it = ilk_query_among(f->world, query, list, COUNT_OF(list));
        while (form ? ilk_next_rows(&it) : ilk_next(&it)) {
            const Health* health = ILK_READ(&it, Health);
            for (uint32_t i = 0; i < it.count; i++) {
                uint32_t row = form ? it.rows[i] : i;
                assert_int_equal(health[row].points, expected[count++]);
                assert_int_equal(ILK_GET(f->world, it.entities[row], Health)->points,
                                 health[row].points);
            }
        }
        assert_int_equal(count, COUNT_OF(expected));
        assert_ok(it.result);
    }
    assert_quiet(f);
}

// What lies side by side in the list and in the world comes as one run, to the end of its chunk.
static void a_list_gives_runs(void** state) {
    fixture* f = *state;
    const uint32_t runs[] = {4, 6}; // the first chunk has four rows
    ilk_entity e[10];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) e[i] = ILK_SPAWN(f->world, ILK_VALUE(Health, 0));
    ilk_query* query = QUERY(f->world, .write = {&Health_type});
    ilk_iter it = ilk_query_among(f->world, query, e, COUNT_OF(e));
    for (uint32_t i = 0; i < COUNT_OF(runs); i++) {
        assert_true(ilk_next(&it));
        assert_int_equal(it.count, runs[i]);
        ILK_WRITE(&it, Health)[3].points = 5;
    }
    assert_false(ilk_next(&it));
    for (uint32_t i = 0; i < COUNT_OF(e); i++)
        assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i == 3 || i == 7 ? 5 : 0);
}

// Anything may be changed in the loop: who does not match any more when its turn comes is passed
// over.
static void a_list_is_matched_in_turn(void** state) {
    fixture* f = *state;
    ilk_entity e[40];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        e[COUNT_OF(e) - 1 - i] = ILK_SPAWN(f->world, ILK_WITH(Health)); // against their order
    }
    ilk_query* query = QUERY(f->world, .read = {&Health_type});
    uint32_t count = 0;
    for (ilk_iter it = ilk_query_among(f->world, query, e, COUNT_OF(e)); ilk_next(&it); count++) {
        assert_int_equal(it.count, 1);
        assert_true(ilk_same(it.entities[0], e[2 * count]));
        assert_ok(count % 2 ? ilk_destroy(f->world, e[2 * count + 1])
                            : ilk_disable(f->world, e[2 * count + 1], &Health_type));
    }
    assert_int_equal(count, COUNT_OF(e) / 2);
}

// It is no pass over what changed, and has nothing to do with the order of the query.
static void a_list_is_no_pass(void** state) {
    fixture* f = *state;
    ilk_entity a = ILK_SPAWN(f->world, ILK_WITH(Health)), b = ILK_SPAWN(f->world, ILK_WITH(Health));
    ilk_query* query =
        QUERY(f->world, .with = {&Health_type}, .changed = {&Health_type}, .order_by_index = true);
    ilk_entity list[] = {b, a};
    ilk_iter it = ilk_query_among(f->world, query, list, 2), parts[2];
    assert_int_equal(ilk_iter_split(&it, parts, 2), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_iter_split");
    assert_true(ilk_next(&it) && ilk_same(it.entities[0], b));
    assert_true(ilk_next(&it) && ilk_same(it.entities[0], a));
    assert_false(ilk_next(&it));
    assert_int_equal(ilk_query_count(f->world, query), 2);
    assert_int_equal(ilk_query_stats_of(query).passes, 0);
}

typedef struct list_walk {
    ilk_query* query;
    ilk_entity list[6];
    ilk_entity found[6];
    uint32_t count;
    bool is_wrong;
} list_walk;

static void walk_in_system(ilk_iter* of) {
    list_walk* walk = of->user;
    for (uint32_t i = 0; i < 20; i++) {
        ilk_iter left = ilk_query_among(of->world, walk->query, walk->list, COUNT_OF(walk->list));
        walk->is_wrong |= !ilk_next(&left);
    }
    for (uint32_t form = 0; form < 2; form++) {
        ilk_iter it = ilk_query_among(of->world, walk->query, walk->list, COUNT_OF(walk->list));
        walk->count = 0;
        while (form ? ilk_next_rows(&it) : ilk_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) {
                walk->found[walk->count++] = it.entities[form ? it.rows[i] : i];
            }
        }
    }
}

// In a system too it is the list that is gone through, whatever the order of the query.
static void a_list_is_gone_through_in_a_system(void** state) {
    fixture* f = *state;
    list_walk walk = {.query = QUERY(f->world, .read = {&Health_type}, .order_by_index = true)};
    for (uint32_t i = 0; i < COUNT_OF(walk.list); i++) {
        walk.list[COUNT_OF(walk.list) - 1 - i] = ILK_SPAWN(f->world, ILK_WITH(Health));
    }
    ILK_SPAWN(f->world, ILK_WITH(Health)); // is not in the list
    assert_ok(ilk_disable(f->world, walk.list[2], &Health_type));
    ilk_system_create(f->world, &(ilk_system_desc){.name = "walk",
                                                   .run = walk_in_system,
                                                   .user = &walk,
                                                   .reads = {&Health_type}});
    assert_true(ilk_same(ilk_query_first(f->world, walk.query), walk.list[5])); // it is sorted
    ilk_set_settling(f->world, 0);
    ilk_iter open = ilk_query_iter(f->world, QUERY(f->world, .read = {&Health_type}));
    assert_ok(ilk_update(f->world, 0.1));
    assert_false(walk.is_wrong);
    assert_true(ilk_next(&open)); // it was not disturbed
    assert_int_equal(walk.count, COUNT_OF(walk.list) - 1);
    for (uint32_t i = 0; i < walk.count; i++) {
        assert_true(ilk_same(walk.found[i], walk.list[i + (i >= 2)]));
    }
    ilk_iter_end(&open);
}

// Each has the optional column where it has the component, in both forms.
static void a_list_has_optional_columns(void** state) {
    fixture* f = *state;
    ilk_entity e[12];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Health, (int32_t)i), ILK_WITH(Anchor));
    }
    for (uint32_t i = 0; i < COUNT_OF(e); i += 3)
        assert_ok(ilk_remove(f->world, e[i], &Anchor_type));
    ilk_query* query = QUERY(f->world, .read = {&Health_type}, .maybe = {&Anchor_type});
    for (uint32_t form = 0; form < 2; form++) {
        uint32_t count = 0;
        ilk_iter it = ilk_query_among(f->world, query, e, COUNT_OF(e));
        while (form ? ilk_next_rows(&it) : ilk_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++, count++) {
                ilk_entity one = it.entities[form ? it.rows[i] : i];
                assert_true(ilk_same(one, e[count]));
                assert_int_equal(ILK_MAYBE(&it, Anchor) != NULL, count % 3 != 0);
            }
        }
        assert_int_equal(count, COUNT_OF(e));
    }
}

// Large values of few among many lie in slots of their own, each elsewhere.
typedef struct Chest {
    uint32_t coins;
    char rest[1020];
} Chest;
ILK_COMPONENT(Chest);

static void a_list_knows_where_values_lie(void** state) {
    fixture* f = *state;
    ilk_entity e[300], few[6];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Health), ILK_WITH(Velocity));
    }
    for (uint32_t i = 0; i < COUNT_OF(few); i++) {
        few[i] = e[250 - i * 3];
        assert_ok(ilk_add(f->world, few[i], ILK_VALUE(Chest, .coins = i)));
    }
    ilk_query* query = QUERY(f->world, .read = {&Health_type, &Chest_type});
    for (uint32_t form = 0; form < 2; form++) {
        uint32_t count = 0;
        ilk_iter it = ilk_query_among(f->world, query, few, COUNT_OF(few));
        while (form ? ilk_next_rows(&it) : ilk_next(&it)) {
            const Chest* chests = ILK_READ(&it, Chest);
            for (uint32_t i = 0; i < it.count; i++, count++) {
                uint32_t row = form ? it.rows[i] : i;
                assert_true(ilk_same(it.entities[row], few[count]));
                assert_int_equal(chests[row].coins, count);
            }
        }
        assert_int_equal(count, COUNT_OF(few));
    }
}

// What comes in the loop, the first of its type there, is seen when its entity's turn comes.
static void a_list_sees_what_comes(void** state) {
    fixture* f = *state;
    for (uint32_t form = 0; form < 2; form++) {
        ilk_clear(f->world);
        ilk_entity e[40], list[4];
        for (uint32_t i = 0; i < COUNT_OF(e); i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Health));
        for (uint32_t i = 0; i < COUNT_OF(list); i++) list[i] = e[39 - 2 * i];
        ilk_query* query = QUERY(f->world, .read = {&Health_type}, .maybe = {&Anchor_type});
        uint32_t count = 0;
        ilk_iter it = ilk_query_among(f->world, query, list, COUNT_OF(list));
        for (; form ? ilk_next_rows(&it) : ilk_next(&it); count++) {
            assert_int_equal(it.count, 1);
            const Anchor* anchor = ILK_MAYBE(&it, Anchor);
            assert_true(!anchor == !count);
            uint32_t row = form ? it.rows[0] : 0;
            if (anchor) assert_int_equal(anchor[row].depth, count);
            if (count + 1 == COUNT_OF(list)) continue;
            assert_ok(ilk_add(f->world, list[count + 1], ILK_VALUE(Anchor, count + 1)));
        }
        assert_int_equal(count, COUNT_OF(list));
        ilk_query_destroy(query);
    }
}

// Of what changed lately only that is visited, as long as no pass is made.
static void a_list_of_what_changed(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Health));
    e[1] = ILK_SPAWN(f->world, ILK_WITH(Health), ILK_WITH(Position));
    ilk_query* query = QUERY(f->world, .with = {&Health_type}, .changed = {&Health_type});
    ilk_query_since(query, ilk_tick(f->world));
    for (uint32_t i = 0; i < 2; i++) {
        ilk_iter none = ilk_query_among(f->world, query, e, COUNT_OF(e));
        assert_false(ilk_next(&none));
    }
    ILK_EDIT(f->world, e[1], Health)->points = 3;
    for (uint32_t i = 0; i < 2; i++) { // it is no pass: the next one sees the same
        bool is_there = false;
        for (ilk_iter it = ilk_query_among(f->world, query, e, COUNT_OF(e)); ilk_next(&it);) {
            is_there |= ilk_same(it.entities[0], e[1]);
        }
        assert_true(is_there);
    }
}

static void a_list_can_be_wrong(void** state) {
    fixture* f = *state;
    ilk_query* query = QUERY(f->world, .with = {&Health_type});
    ilk_iter it = ilk_query_among(f->world, query, NULL, 1);
    assert_int_equal(it.result, ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_query_among");
    assert_false(ilk_next(&it));
    it = ilk_query_among(f->world, query, NULL, 0);
    assert_ok(it.result);
    assert_false(ilk_next(&it));
    ilk_world* elsewhere = ilk_world_create(NULL);
    ilk_query* others[] = {NULL, QUERY(elsewhere, .with = {&Health_type})};
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health));
    for (uint32_t i = 0; i < COUNT_OF(others); i++) {
        it = ilk_query_among(f->world, others[i], &e, 1);
        assert_int_equal(it.result, ILK_INVALID);
        assert_told(f, ILK_INVALID, "ilk_query_among");
    }
    ilk_world_destroy(elsewhere);
    it = ilk_query_among(NULL, query, &e, 1);
    assert_int_equal(it.result, ILK_INVALID);
    it = ilk_query_among(f->world, query, &e, 1);
    ilk_settle(f->world, 0);
    assert_false(ilk_next(&it));
    assert_int_equal(it.result, ILK_STALE);
    assert_told(f, ILK_STALE, "ilk_next");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_gives_the_same_entities_in_the_same_order),
        cmocka_unit_test(columns_are_where_get_finds_the_values),
        cmocka_unit_test(walking_needs_no_memory),
        WORLD_TEST(entities_come_by_chunk_and_row),
        WORLD_TEST(those_without_a_place_come_last_by_index),
        WORLD_TEST(the_same_history_gives_the_same_order),
        WORLD_TEST(rows_come_in_portions),
        WORLD_TEST(a_column_is_had_only_as_it_is_declared),
        WORLD_TEST(a_loop_goes_on_after_a_wrong_column),
        WORLD_TEST(columns_are_typed),
        WORLD_TEST(another_variable_of_the_type_is_as_good),
        WORLD_TEST(what_is_written_to_a_column_stays),
        WORLD_TEST(an_iterator_at_its_end_stays_there),
        WORLD_TEST(a_loop_may_be_left),
        WORLD_TEST(loops_nest),
        WORLD_TEST(a_thirteenth_iterator_ends_the_first),
        WORLD_TEST(an_ended_iterator_makes_room),
        WORLD_TEST(entities_can_be_had_in_order_of_index),
        WORLD_TEST(entities_can_be_had_in_order_of_a_value),
        WORLD_TEST(an_order_implies_the_type),
        WORLD_TEST(what_did_not_change_is_not_sorted_again),
        WORLD_TEST(an_order_without_memory_gives_no_rows),
        WORLD_TEST(each_hands_over_values_in_the_order_of_declaration),
        WORLD_TEST(swapped_declarations_swap_the_values),
        WORLD_TEST(nothing_is_walked_without_a_world_or_a_query),
        WORLD_TEST(nothing_is_done_with_null),
        WORLD_TEST(a_list_narrows_a_query),
        WORLD_TEST(a_list_gives_runs),
        WORLD_TEST(a_list_is_matched_in_turn),
        WORLD_TEST(a_list_is_no_pass),
        WORLD_TEST(a_list_is_gone_through_in_a_system),
        WORLD_TEST(a_list_has_optional_columns),
        WORLD_TEST(a_list_knows_where_values_lie),
        WORLD_TEST(a_list_sees_what_comes),
        WORLD_TEST(a_list_of_what_changed),
        WORLD_TEST(a_list_can_be_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
