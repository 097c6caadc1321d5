// What the tests of loops share: a line of entities that know how often they were visited.
#ifndef ILK_TEST_LINE_SUPPORT_H
#define ILK_TEST_LINE_SUPPORT_H

#include "query_support.h"

enum {
    FULL = 4 + 16 + 64, // all rows of three chunks
    LINE = FULL + 256
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

static inline line* draw_line(fixture* f) {
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

static inline uint32_t number_in_line(const line* l, ilk_entity e) {
    for (uint32_t i = 0; i < LINE; i++) {
        if (ilk_same(l->e[i], e)) return i;
    }
    return LINE;
}

typedef void act_fn(line* l, uint32_t at);

static inline void visit(line* l, ilk_entity e, act_fn* act) {
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
static inline void walk(line* l, act_fn* act) {
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

static inline void walk_rows(line* l, act_fn* act) {
    memset(l->visits, 0, sizeof(l->visits));
    l->strangers = 0;
    for (ilk_iter it = ilk_query_iter(l->world, l->query); ilk_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) visit(l, it.entities[it.rows[i]], act);
    }
    assert_int_equal(l->strangers, 0);
    assert_valid(l->world);
}

// Everyone with an even number was visited once, and nobody else.
static inline void assert_even_visited_at(const line* l, const char* file, int number) {
    for (uint32_t i = 0; i < LINE; i++) {
        _assert_int_equal(l->visits[i], i % 2 == 0, file, number);
    }
}
#define assert_even_visited(l) assert_even_visited_at((l), __FILE__, __LINE__)

static inline void destroy_self(line* l, uint32_t at) {
    assert_ok(ilk_destroy(l->world, l->e[at]));
    assert_false(ilk_alive(l->world, l->e[at]));
}

static inline void destroy_next(line* l, uint32_t at) {
    if (at + 2 < LINE) assert_ok(ilk_destroy(l->world, l->e[at + 2]));
}

static inline void destroy_previous(line* l, uint32_t at) {
    if (at >= 2) assert_ok(ilk_destroy(l->world, l->e[at - 2]));
}

// The room there is when the loop begins: holes in every chunk, the last one not full.
static inline void make_holes(line* l) {
    for (uint32_t i = 1; i < LINE; i += 6) assert_ok(ilk_destroy(l->world, l->e[i]));
}

static inline void spawn_alike(line* l, uint32_t at) {
    ilk_entity e = ILK_SPAWN(l->world, ILK_VALUE(Position, (float)at, 0), ILK_WITH(Velocity));
    assert_true(ilk_query_matches(l->world, l->query, e));
    e = ILK_SPAWN(l->world, ILK_WITH(Position));
    assert_ok(ilk_add(l->world, e, ILK_WITH(Velocity)));
}

#endif
