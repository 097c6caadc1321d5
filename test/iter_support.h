// What the tests of walks share: ways to walk, scenes to walk in, and questions to ask there.
#ifndef ILK_TEST_ITER_SUPPORT_H
#define ILK_TEST_ITER_SUPPORT_H

#include "ask_support.h"

enum {
    PEOPLE = 4 + 16 + 64 + 256 + 1024, // all rows of five chunks
    MOST = 2 * PEOPLE
};

// Entities in the order in which they were visited.
typedef struct visits {
    uint32_t count;
    ilk_entity e[MOST];
} visits;

static inline void visit(visits* v, ilk_entity e) {
    assert_true(v->count < MOST);
    v->e[v->count++] = e;
}

static inline void visit_run(visits* v, const ilk_iter* it) {
    assert_true(it->count > 0);
    for (uint32_t i = 0; i < it->count; i++) visit(v, it->entities[i]);
}

static inline void visit_rows(visits* v, const ilk_iter* it) {
    assert_true(it->count > 0 && it->count <= ILK_ROWS);
    for (uint32_t i = 0; i < it->count; i++) {
        assert_true(i == 0 || it->rows[i - 1] < it->rows[i]);
        visit(v, it->entities[it->rows[i]]);
    }
}

static inline void walk_runs(ilk_iter* it, visits* v) {
    while (ilk_next(it)) visit_run(v, it);
}

static inline void walk_rows(ilk_iter* it, visits* v) {
    while (ilk_next_rows(it)) visit_rows(v, it);
}

static inline void walk_mixed(ilk_iter* it, visits* v) {
    for (uint32_t step = 0;; step++) {
        bool by_rows = step % 3 == 1;
        if (!(by_rows ? ilk_next_rows(it) : ilk_next(it))) return;
        if (by_rows) {
            visit_rows(v, it);
        } else {
            visit_run(v, it);
        }
    }
}

typedef void walk_fn(ilk_iter* it, visits* v);

static inline void walk(ilk_world* world, ilk_query* query, walk_fn* by, visits* v) {
    v->count = 0;
    ilk_iter it = ilk_query_iter(world, query);
    by(&it, v);
    assert_int_equal(it.result, ILK_OK);
}

static inline void visit_one(void* user, ilk_entity e, void* const* values) {
    (void)values;
    visit(user, e);
}

static inline void assert_same_visits_at(const visits* a, const visits* b, const char* file,
                                         int line) {
    _assert_int_equal(a->count, b->count, file, line);
    if (a->count) _assert_memory_equal(a->e, b->e, a->count * sizeof(*a->e), file, line);
}
#define assert_same_visits(a, b) assert_same_visits_at((a), (b), __FILE__, __LINE__)

// Worlds of different shapes. Each is built by a function that has the same entities to start from.
typedef struct scene {
    ilk_world* world;
    ilk_entity e[PEOPLE];
    uint64_t seed;
} scene;
typedef void build_fn(scene* s);

static inline void build_full(scene* s) {
    for (int i = 0; i < PEOPLE; i++) {
        s->e[i] = ILK_SPAWN(s->world, ILK_VALUE(Position, (float)i, 0), ILK_WITH(Velocity));
    }
}

static inline void build_holes(scene* s) {
    build_full(s);
    for (int i = 0; i < PEOPLE; i += 3) assert_ok(ilk_destroy(s->world, s->e[i]));
}

static inline void build_scattered(scene* s) {
    for (int i = 0; i < PEOPLE; i++)
        s->e[i] = ILK_SPAWN(s->world, ILK_VALUE(Position, (float)i, 0));
    for (int i = 0; i < PEOPLE; i++) {
        if (next_random(&s->seed) % 2) assert_ok(ilk_add(s->world, s->e[i], ILK_WITH(Velocity)));
    }
}

// Given out of order, so that neighbours have slots that do not lie side by side.
static inline void build_small_guests(scene* s) {
    build_full(s);
    for (int k = 0; k < PEOPLE; k++) {
        int i = k * 577 % PEOPLE;
        bool is_given = i % 10 == 0 || (i > 700 && i < 740) || (i > 900 && i < 904);
        if (is_given) assert_ok(ilk_add(s->world, s->e[i], ILK_VALUE(Cargo, .number = i)));
    }
    for (int i = 1000; i < 1100; i++) {
        assert_ok(ilk_set(s->world, s->e[i], ILK_VALUE(Cargo, .number = i)));
    }
}

static inline void build_switched_off(scene* s) {
    build_small_guests(s);
    for (int i = 0; i < PEOPLE; i++) {
        if (next_random(&s->seed) % 4) continue;
        assert_ok(ilk_disable(s->world, s->e[i], &Velocity_type));
        if (i % 5 == 0) assert_ok(ilk_set(s->world, s->e[i], ILK_WITH(Cargo)));
        if (i % 5 == 0) assert_ok(ilk_disable(s->world, s->e[i], &Cargo_type));
    }
}

static inline void build_lodgers(scene* s) {
    ilk_type* const types[] = {&Position_type, &Velocity_type, &Cargo_type, &Enemy_type,
                               &Owned_type};
    for (int i = 0; i < PEOPLE; i++) {
        ilk_value values[COUNT_OF(types)];
        for (uint32_t t = 0; t < COUNT_OF(types); t++) {
            values[t] = (ilk_value){next_random(&s->seed) % 3 ? types[t] : NULL, NULL};
        }
        s->e[i] = ilk_spawn(s->world, values, COUNT_OF(values));
    }
}

static inline void build_settled(scene* s) {
    build_small_guests(s);
    for (int i = 1; i < PEOPLE; i += 4) assert_ok(ilk_remove(s->world, s->e[i], &Velocity_type));
    for (int i = 2; i < PEOPLE; i += 4) assert_ok(ilk_destroy(s->world, s->e[i]));
    settle_fully(s->world);
}

static inline void build_empty(scene* s) {
    assert_ok(ilk_create_many(s->world, s->e, PEOPLE));
    for (int i = 0; i < PEOPLE; i++) {
        if (i % 7 == 0) assert_ok(ilk_add(s->world, s->e[i], ILK_WITH(Position)));
        if (i % 14 == 0) assert_ok(ilk_remove(s->world, s->e[i], &Position_type));
        if (i % 5 == 0) assert_ok(ilk_destroy(s->world, s->e[i]));
    }
}

static build_fn* const builders[] = {build_full,         build_holes,   build_scattered,
                                     build_small_guests, build_lodgers, build_switched_off,
                                     build_settled,      build_empty};

// What is asked of each scene.
static const ilk_query_desc questions[] = {
    {.where = NULL},
    {.write = {&Position_type}},
    {.write = {&Position_type}, .read = {&Velocity_type}},
    {.read = {&Cargo_type}},
    {.write = {&Cargo_type}, .read = {&Position_type, &Velocity_type}},
    {.read = {&Position_type}, .maybe = {&Velocity_type}},
    {.read = {&Position_type}, .maybe = {&Cargo_type, &Velocity_type}},
    {.maybe = {&Cargo_type}, .without = {&Enemy_type}},
    {.without = {&Velocity_type}},
    {.any = {&Cargo_type, &Enemy_type}, .read = {&Velocity_type}},
    {.read = {&Enemy_type}, .maybe = {&Owned_type}},
};

// Runs a check on every question in every scene, each scene in a world of its own.
typedef void question_check(fixture* f, ilk_query* query, const ilk_query_desc* desc);

static inline void in_each_scene(question_check* check) {
    static scene s;
    for (uint32_t b = 0; b < COUNT_OF(builders); b++) {
        void* state = NULL;
        open_world(&state);
        fixture* f = state;
        s = (scene){.world = f->world, .seed = 3};
        builders[b](&s);
        for (uint32_t q = 0; q < COUNT_OF(questions); q++) {
            ilk_query* query = query_of(f->world, questions[q]);
            check(f, query, &questions[q]);
            ilk_query_destroy(query);
        }
        close_world(&state);
    }
}

static inline void check_forms(fixture* f, ilk_query* query, const ilk_query_desc* desc) {
    static visits runs, other;
    (void)desc;
    walk(f->world, query, walk_runs, &runs);
    walk(f->world, query, walk_rows, &other);
    assert_same_visits(&runs, &other);
    walk(f->world, query, walk_mixed, &other);
    assert_same_visits(&runs, &other);
    other.count = 0;
    assert_ok(ilk_each(f->world, query, visit_one, &other));
    assert_same_visits(&runs, &other);
    other.count = ilk_query_collect(f->world, query, other.e, MOST);
    assert_same_visits(&runs, &other);
    walk(f->world, query, walk_runs, &other);
    assert_same_visits(&runs, &other);
}

// Where the i-th row of a run lies in its columns.
static inline uint32_t row_at(const ilk_iter* it, uint32_t i, bool by_rows) {
    return by_rows ? it->rows[i] : i;
}

// The column has the value of each row where ilk_get finds it; NULL if the rows have none.
static inline void check_column(const ilk_iter* it, const void* column, ilk_type* type,
                                bool by_rows) {
    for (uint32_t i = 0; i < it->count; i++) {
        uint32_t row = row_at(it, i, by_rows);
        ilk_entity e = it->entities[row];
        assert_int_equal(column != NULL, ilk_enabled(it->world, e, type));
        if (!column || !type->size) continue;
        assert_ptr_equal((const char*)column + row * type->size, ilk_get(it->world, e, type, NULL));
    }
}

static inline void check_all_columns(ilk_iter* it, const ilk_query_desc* desc, bool by_rows) {
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        ilk_type *write = desc->write[i], *read = desc->read[i], *maybe = desc->maybe[i];
        if (write) check_column(it, ilk_column_write(it, write), write, by_rows);
        if (write) check_column(it, ilk_column_read(it, write), write, by_rows);
        if (read) check_column(it, ilk_column_read(it, read), read, by_rows);
        if (maybe) check_column(it, ilk_column_maybe(it, maybe), maybe, by_rows);
    }
}

static inline void check_columns(fixture* f, ilk_query* query, const ilk_query_desc* desc) {
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        check_all_columns(&it, desc, false);
    }
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next_rows(&it);) {
        check_all_columns(&it, desc, true);
    }
    assert_quiet(f);
}

static inline int by_points(const void* a, const void* b) {
    int32_t x = ((const Health*)a)->points, y = ((const Health*)b)->points;
    return (x > y) - (x < y);
}

// Entities with few different points, some of them given later, some switched off, some without.
static inline void spawn_patients(ilk_world* world, ilk_entity* e, uint32_t count) {
    uint64_t seed = 8;
    for (uint32_t i = 0; i < count; i++) {
        ilk_value points = ILK_VALUE(Health, (int32_t)(next_random(&seed) % 20));
        e[i] = i % 3 == 0 ? ILK_SPAWN(world, ILK_WITH(Position))
                          : ILK_SPAWN(world, points, ILK_WITH(Position));
        if (i % 6 == 3) assert_ok(ilk_add(world, e[i], points));
        if (i % 18 == 1) assert_ok(ilk_disable(world, e[i], &Health_type));
    }
}

#endif
