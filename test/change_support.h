// What the tests of change share: types that track and people who have them, ways to change a
// value, and what a pass sees.
#ifndef ILK_TEST_CHANGE_SUPPORT_H
#define ILK_TEST_CHANGE_SUPPORT_H

#include "support.h"

// Types that track: a plain one, one large enough to be kept in slots, one with hooks and a tag.
typedef struct Mood {
    int32_t value;
} Mood;
ILK_COMPONENT_WITH(Mood, .track = true);

typedef struct Cargo {
    int32_t number;
    char bytes[124];
} Cargo;
ILK_COMPONENT_WITH(Cargo, .track = true);

typedef struct Name {
    char* text;
} Name;

static inline void name_init(void* value, void* context) {
    (void)context;
    ((Name*)value)->text = text_copy("nobody");
}

static inline void name_copy(void* to, const void* from, void* context) {
    (void)context;
    ((Name*)to)->text = text_copy(((const Name*)from)->text);
}

static inline void name_drop(void* value, void* context) {
    (void)context;
    free(((Name*)value)->text);
}
ILK_COMPONENT_WITH(Name, .hooks = {.init = name_init, .copy = name_copy, .drop = name_drop},
                   .track = true);

static ilk_type Marked_type = {.name = "Marked", .size = 0, .align = 1, .track = true};

static ilk_type* const tracking[] = {&Mood_type, &Cargo_type, &Name_type, &Marked_type};

static inline ilk_query* query_of(ilk_world* world, ilk_query_desc desc) {
    ilk_query* query = ilk_query_create(world, &desc);
    assert_non_null(query);
    return query;
}
#define QUERY(world, ...) query_of((world), (ilk_query_desc){__VA_ARGS__})

enum {
    SECOND = 4, // the first rows of the second, third and fourth chunk
    THIRD = 4 + 16,
    FOURTH = 4 + 16 + 64,
    PEOPLE = FOURTH + 256,
    MOST = 4096
};

static ilk_entity people[PEOPLE];

// Entities side by side in four chunks, all born with a type.
static inline void spawn_people(ilk_world* world, ilk_type* type) {
    for (uint32_t i = 0; i < PEOPLE; i++) people[i] = ilk_spawn(world, &(ilk_value){type, NULL}, 1);
}

// How often a whole pass saw each entity, by index.
typedef struct sight {
    uint32_t count;
    uint32_t times[MOST];
} sight;

static inline sight pass(ilk_world* world, ilk_query* query) {
    sight s = {0};
    ilk_iter it = ilk_query_iter(world, query);
    while (ilk_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++, s.count++) s.times[it.entities[i].index]++;
    }
    assert_int_equal(it.result, ILK_OK);
    return s;
}

// A pass sees exactly these entities.
static inline void sees_at(ilk_world* world, ilk_query* query, const ilk_entity* e, uint32_t count,
                           const char* file, int line) {
    sight s = pass(world, query);
    _assert_int_equal(s.count, count, file, line);
    for (uint32_t i = 0; i < count; i++) _assert_int_equal(s.times[e[i].index], 1, file, line);
}
#define sees_all(world, query, e, count) sees_at((world), (query), (e), (count), __FILE__, __LINE__)
#define sees(world, query, e) sees_at((world), (query), &(e), 1, __FILE__, __LINE__)
#define sees_nothing(world, query) sees_at((world), (query), NULL, 0, __FILE__, __LINE__)

// Ways to change a value that is there.
typedef void change_fn(ilk_world* world, ilk_entity e, ilk_type* type);

static inline void change_by_set(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_set(world, e, (ilk_value){type, NULL}));
}

static inline void change_by_replace(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_replace(world, e, (ilk_value){type, NULL}));
}

static inline void change_by_write(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_non_null(ilk_edit(world, e, type));
}

static inline void change_by_ensure(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_non_null(ilk_ensure(world, e, type));
}

static inline void change_by_mark(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_mark(world, e, type));
}

static inline void change_by_toggle(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_disable(world, e, type));
    assert_ok(ilk_enable(world, e, type));
}

static change_fn* const changes[] = {change_by_set,    change_by_replace, change_by_write,
                                     change_by_ensure, change_by_mark,    change_by_toggle};

// Ways to be given it anew.
static inline void give_again(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_remove(world, e, type));
    assert_ok(ilk_add(world, e, (ilk_value){type, NULL}));
}

static inline void give_again_by_set(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_remove_all(world, e));
    assert_ok(ilk_set(world, e, (ilk_value){type, NULL}));
}

static inline void give_again_by_ensure(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_remove_many(world, &e, 1, type));
    assert_non_null(ilk_ensure(world, e, type));
}

static inline void give_again_to_many(ilk_world* world, ilk_entity e, ilk_type* type) {
    assert_ok(ilk_remove(world, e, type));
    assert_ok(ilk_add_many(world, &e, 1, type, NULL));
}

static change_fn* const gifts[] = {give_again, give_again_by_set, give_again_by_ensure,
                                   give_again_to_many};

// Entities of which each has the value in another way; few among many, so that a large guest has
// slots.
static inline void put_some(fixture* f, origin where, ilk_type* type, ilk_entity* e,
                            uint32_t count) {
    for (int i = 0; i < PEOPLE; i++) people[i] = ILK_SPAWN(f->world, ILK_WITH(Anchor));
    for (uint32_t i = 0; i < count; i++) {
        e[i] = where == BORN_WITH ? ilk_spawn(f->world, &(ilk_value){type, NULL}, 1)
                                  : people[FOURTH + 7 * i];
        if (where != BORN_WITH) assert_ok(ilk_add(f->world, e[i], (ilk_value){type, NULL}));
    }
    if (where == SETTLED) settle_fully(f->world);
}

#endif
