// What the tests of systems share: making one, being refused one, and a journal of what ran.
#ifndef ILK_TEST_SCHEDULE_SUPPORT_H
#define ILK_TEST_SCHEDULE_SUPPORT_H

#include "query_support.h"

static char journal[4096];

static inline void note(const char* word) {
    size_t length = strlen(journal);
    assert_true(length + strlen(word) + 2 < sizeof(journal));
    snprintf(journal + length, sizeof(journal) - length, "%s%s", length ? " " : "", word);
}

// What was noted since the last look, with spaces in between.
static inline void noted_at(const char* words, const char* file, int line) {
    _assert_string_equal(journal, words, file, line);
    journal[0] = 0;
}
#define noted(words) noted_at((words), __FILE__, __LINE__)

static inline const char* name_of(const ilk_system* system) {
    return ilk_system_desc_of(system)->name;
}

static inline void note_name(ilk_iter* it) {
    note(name_of(it->system));
}

// A system that notes its name, unless the description says otherwise.
static inline ilk_system* system_of(ilk_world* world, ilk_system_desc desc) {
    if (!desc.run && !desc.each) desc.run = note_name;
    ilk_system* system = ilk_system_create(world, &desc);
    if (!system) print_error("%s\n", ilk_error(world).text);
    assert_non_null(system);
    return system;
}
#define SYSTEM(world, ...) system_of((world), (ilk_system_desc){.name = __VA_ARGS__})

// The description is refused, with this result and one message, and there are as many systems as
// before.
static inline void not_made_at(fixture* f, ilk_system_desc desc, ilk_result result,
                               const char* file, int line) {
    uint32_t count = ilk_system_count(f->world);
    _assert_true(!ilk_system_create(f->world, &desc), "the system is refused", file, line);
    _assert_int_equal((LargestIntegralType)ilk_error(f->world).result, (LargestIntegralType)result,
                      file, line);
    _assert_int_equal(f->told.count, 1, file, line);
    _assert_int_equal((LargestIntegralType)f->told.last.result, (LargestIntegralType)result, file,
                      line);
    _assert_int_equal(ilk_system_count(f->world), count, file, line);
    f->told.count = 0;
}
#define not_made(f, result, ...)                                                                   \
    not_made_at((f), (ilk_system_desc){.name = __VA_ARGS__}, (result), __FILE__, __LINE__)

static inline void assert_order_at(ilk_world* world, const char* words, const char* file,
                                   int line) {
    journal[0] = 0;
    for (uint32_t i = 0; i < ilk_system_count(world); i++) note(name_of(ilk_system_at(world, i)));
    noted_at(words, file, line);
}
#define assert_order(world, words) assert_order_at((world), (words), __FILE__, __LINE__)

static inline void count_run(ilk_iter* it) {
    ++*(uint32_t*)it->user;
}

static inline void walk_all(ilk_iter* it) {
    while (ilk_next(it)) *(uint32_t*)it->user += it->count;
}

static inline int open_schedule(void** state) {
    journal[0] = 0;
    return open_world(state);
}

#define SCHEDULE_TEST(function)                                                                    \
    cmocka_unit_test_setup_teardown(function, open_schedule, close_world)

#endif
