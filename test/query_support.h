// What the tests of queries share: making one, being refused one, counting what it matches.
#ifndef ILK_TEST_QUERY_SUPPORT_H
#define ILK_TEST_QUERY_SUPPORT_H

#include "ask_support.h"

// The description is refused, with this result and one message, and nothing else happened.
static inline void refused_at(fixture* f, ilk_query_desc desc, ilk_result result, const char* file,
                              int line) {
    _assert_true(!ilk_query_create(f->world, &desc), "the query is refused", file, line);
    _assert_int_equal((LargestIntegralType)ilk_error(f->world).result, (LargestIntegralType)result,
                      file, line);
    assert_told_at(f, result, "ilk_query_create", file, line);
}
#define refused(f, result, ...)                                                                    \
    refused_at((f), (ilk_query_desc){__VA_ARGS__}, (result), __FILE__, __LINE__)

// What the last message said, word for word.
static inline void said_at(const fixture* f, const char* text, const char* file, int line) {
    _assert_string_equal(f->told.text, text, file, line);
}
#define said(f, text) said_at((f), (text), __FILE__, __LINE__)

// The number of rows of a walk, in either form; the walk comes to its end.
static inline uint32_t rows_walked(ilk_world* world, ilk_query* query, bool (*next)(ilk_iter* it)) {
    uint32_t rows = 0;
    ilk_iter it = ilk_query_iter(world, query);
    while (next(&it)) rows += it.count;
    assert_int_equal(it.result, ILK_OK);
    return rows;
}

// All ways to count agree.
static inline void assert_result_count_at(ilk_world* world, ilk_query* query, uint32_t count,
                                          const char* file, int line) {
    _assert_int_equal(ilk_query_count(world, query), count, file, line);
    _assert_int_equal(rows_walked(world, query, ilk_next), count, file, line);
    _assert_int_equal(rows_walked(world, query, ilk_next_rows), count, file, line);
    _assert_int_equal(ilk_query_collect(world, query, NULL, 0), count, file, line);
    _assert_int_equal(ilk_query_is_empty(world, query), count == 0, file, line);
    _assert_int_equal(ilk_is_null(ilk_query_first(world, query)), count == 0, file, line);
}
#define assert_result_count(world, query, count)                                                   \
    assert_result_count_at((world), (query), (count), __FILE__, __LINE__)

static inline void spawn_positions(ilk_world* world, ilk_entity* e, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        e[i] = ILK_SPAWN(world, ILK_VALUE(Position, (float)i, 1));
    }
}

static inline void count_call(void* user, ilk_entity e, void* const* values) {
    (void)e;
    (void)values;
    ++*(uint32_t*)user;
}

#endif
