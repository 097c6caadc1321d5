// The pool of threads: starting, helping, waiting, ending.
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "support.h"

typedef struct hall {
    meter m;
    ilki_memory memory;
    ilki_threads* threads;
    uint32_t calls, inside;
    uint32_t meet; // how many are to be inside at once
    bool is_late;  // somebody waited for the others too long
} hall;

static int open_hall(void** state) {
    hall* h = calloc(1, sizeof(*h));
    assert_non_null(h);
    h->m.left = UINT64_MAX;
    ilki_memory_init(&h->memory, &(ilk_allocator){meter_alloc, meter_free, &h->m});
    *state = h;
    return 0;
}

static int close_hall(void** state) {
    hall* h = *state;
    ilki_threads_stop(h->threads, &h->memory);
    assert_int_equal(h->m.bytes, 0);
    assert_false(h->m.mismatch);
    free(h);
    return 0;
}
#define HALL_TEST(function) cmocka_unit_test_setup_teardown(function, open_hall, close_hall)

static void start(hall* h, uint32_t count) {
    h->threads = ilki_threads_start(&h->memory, count);
    assert_non_null(h->threads);
    assert_int_equal(ilki_threads_count(h->threads), count);
}

static uint32_t look(const uint32_t* number) {
    return __atomic_load_n(number, __ATOMIC_ACQUIRE);
}

// Waits until a number is at least so large. False if that takes more than ten seconds.
static bool await(const uint32_t* number, uint32_t least) {
    time_t begun = time(NULL);
    while (look(number) < least) {
        if (time(NULL) - begun > 10) return false;
        sched_yield();
    }
    return true;
}

static void count_call_in(void* argument) {
    hall* h = argument;
    __atomic_fetch_add(&h->calls, 1, __ATOMIC_RELAXED);
}

// Everybody waits for as many as are to meet.
static void meet_others(void* argument) {
    hall* h = argument;
    __atomic_fetch_add(&h->inside, 1, __ATOMIC_RELEASE);
    if (!await(&h->inside, h->meet)) __atomic_store_n(&h->is_late, true, __ATOMIC_RELAXED);
    __atomic_fetch_add(&h->calls, 1, __ATOMIC_RELAXED);
}

static void threads_start_and_end_without_work(void** state) {
    hall* h = *state;
    for (uint32_t count = 0; count < 6; count++) {
        start(h, count);
        ilki_threads_stop(h->threads, &h->memory);
        assert_int_equal(h->m.bytes, 0);
        h->threads = NULL;
    }
}

static void no_pool_has_no_threads(void** state) {
    hall* h = *state;
    assert_int_equal(ilki_threads_count(NULL), 0);
    ilki_threads_stop(NULL, &h->memory);
    assert_int_equal(h->m.calls, 0);
}

static void without_memory_there_is_no_pool(void** state) {
    hall* h = *state;
    h->m.left = 0;
    assert_null(ilki_threads_start(&h->memory, 3));
    h->m.left = 1; // one piece of memory is all that it takes
    start(h, 3);
}

static void helpers_are_at_work_at_the_same_time(void** state) {
    hall* h = *state;
    start(h, 3);
    h->meet = 3;
    ilki_threads_help(h->threads, meet_others, h, 3);
    assert_true(await(&h->inside, 3));
    ilki_threads_wait(h->threads);
    assert_false(h->is_late);
    assert_int_equal(h->calls, 3);
}

// Also the one that asks for help works.
static void who_asks_for_help_can_meet_the_helper(void** state) {
    hall* h = *state;
    start(h, 2);
    h->meet = 2;
    ilki_threads_help(h->threads, meet_others, h, 1);
    meet_others(h);
    ilki_threads_wait(h->threads);
    assert_false(h->is_late);
    assert_int_equal(h->calls, 2);
}

static void waiting_returns_when_nobody_is_at_work(void** state) {
    hall* h = *state;
    start(h, 4);
    for (uint32_t round = 0; round < 500; round++) {
        ilki_threads_help(h->threads, count_call_in, h, 1 + round % 4);
        ilki_threads_wait(h->threads);
        // Nothing of this is called any more: what was written there can be read without a lock.
        uint32_t calls = h->calls;
        assert_true(calls <= 1 + round % 4);
        h->calls = 0;
    }
}

static void calls_that_have_not_begun_are_not_made_after_waiting(void** state) {
    hall* h = *state;
    start(h, 2);
    uint32_t skipped = 0;
    for (uint32_t round = 0; round < 200; round++) {
        hall* guest = calloc(1, sizeof(*guest));
        assert_non_null(guest);
        ilki_threads_help(h->threads, count_call_in, guest, 2);
        ilki_threads_wait(h->threads);
        skipped += guest->calls < 2;
        free(guest); // who came now would use memory that is gone
    }
    // Waiting at once after asking leaves most of them no time to begin.
    assert_true(skipped > 0);
}

static void waiting_without_work_returns_at_once(void** state) {
    hall* h = *state;
    start(h, 2);
    for (uint32_t i = 0; i < 3; i++) ilki_threads_wait(h->threads);
    ilki_threads_help(h->threads, count_call_in, h, 0);
    ilki_threads_wait(h->threads);
    assert_int_equal(h->calls, 0);
}

static void a_pool_of_none_asks_nobody(void** state) {
    hall* h = *state;
    start(h, 0);
    ilki_threads_help(h->threads, count_call_in, h, 5);
    ilki_threads_wait(h->threads);
    assert_int_equal(h->calls, 0);
}

// No more than were asked for come, and each once, however many threads there are.
static void no_more_come_than_were_asked_for(void** state) {
    hall* h = *state;
    start(h, 6);
    for (uint32_t round = 0; round < 100; round++) {
        h->calls = 0;
        ilki_threads_help(h->threads, count_call_in, h, 2);
        assert_true(await(&h->calls, 2));
        ilki_threads_wait(h->threads);
        assert_int_equal(h->calls, 2);
    }
}

static void pools_do_not_know_each_other(void** state) {
    hall* h = *state;
    start(h, 2);
    ilki_threads* other = ilki_threads_start(&h->memory, 2);
    assert_non_null(other);
    hall second = {.meet = 4};
    h->meet = 2;
    // Those of one pool wait for those of the other.
    ilki_threads_help(h->threads, meet_others, &second, 2);
    ilki_threads_help(other, meet_others, &second, 2);
    assert_true(await(&second.inside, 4));
    ilki_threads_wait(h->threads);
    ilki_threads_wait(other);
    assert_int_equal(second.calls, 4);
    assert_false(second.is_late);
    ilki_threads_stop(other, &h->memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        HALL_TEST(threads_start_and_end_without_work),
        HALL_TEST(no_pool_has_no_threads),
        HALL_TEST(without_memory_there_is_no_pool),
        HALL_TEST(helpers_are_at_work_at_the_same_time),
        HALL_TEST(who_asks_for_help_can_meet_the_helper),
        HALL_TEST(waiting_returns_when_nobody_is_at_work),
        HALL_TEST(calls_that_have_not_begun_are_not_made_after_waiting),
        HALL_TEST(waiting_without_work_returns_at_once),
        HALL_TEST(a_pool_of_none_asks_nobody),
        HALL_TEST(no_more_come_than_were_asked_for),
        HALL_TEST(pools_do_not_know_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
