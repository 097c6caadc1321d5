// What the tests of workers share: how much of a test a build can bear, and worlds that wake their
// workers for the least work.
#ifndef ILK_TEST_WORKERS_SUPPORT_H
#define ILK_TEST_WORKERS_SUPPORT_H

#include "schedule/schedule.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "support.h"

#if defined(__SANITIZE_THREAD__)
#define IS_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_TSAN 1
#endif
#endif
#ifndef IS_TSAN
#define IS_TSAN 0
#endif

// Whether everything takes ten times as long: in a build that is not optimised, or under valgrind,
// which test/suite says by a variable.
static inline bool is_slow(void) {
#ifdef NDEBUG
    return getenv("ILK_SLOWLY") != NULL;
#else
    return true;
#endif
}

// One number for where tests are quick, one for where they are slow.
#define QUICK_OR_SLOW(quick, slow) (is_slow() ? (slow) : (quick))

// A world of the fixture with so many workers, which are woken for the least work.
static inline void hire_workers(fixture* f, uint32_t workers) {
    f->world->workers = workers;
    assert_non_null(ilki_schedule_of(f->world, "test"));
    f->world->schedule->wave.worth = 0;
}

static inline int open_crew(void** state) {
    open_world(state);
    hire_workers(*state, 3);
    return 0;
}
#define CREW_TEST(function) cmocka_unit_test_setup_teardown(function, open_crew, close_world)

static inline ilk_system* crew_system(ilk_world* world, ilk_system_desc desc) {
    if (desc.is_parallel && !desc.piece_rows) desc.piece_rows = 64;
    ilk_system* system = ilk_system_create(world, &desc);
    if (!system) print_error("%s\n", ilk_error(world).text);
    assert_non_null(system);
    return system;
}
#define SYSTEM(world, ...) crew_system((world), (ilk_system_desc){.name = __VA_ARGS__})

static inline void update(ilk_world* world) {
    assert_ok(ilk_update(world, 1.0 / 60));
}

static inline uint32_t look(const uint32_t* number) {
    return __atomic_load_n(number, __ATOMIC_ACQUIRE);
}

static inline void add_to(uint32_t* number, uint32_t more) {
    __atomic_fetch_add(number, more, __ATOMIC_ACQ_REL);
}

// Waits until a number is at least so large. False if that takes more than ten seconds.
static inline bool await(const uint32_t* number, uint32_t least) {
    time_t begun = time(NULL);
    while (look(number) < least) {
        if (time(NULL) - begun > 10) return false;
        sched_yield();
    }
    return true;
}

typedef struct Number {
    uint32_t value;
} Number;
ILK_COMPONENT(Number);

// Entities numbered from 0, settled so that neighbours lie side by side.
static inline void spawn_numbers(ilk_world* world, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) ILK_SPAWN(world, ILK_VALUE(Number, i));
    settle_fully(world);
}

#endif
