// The lock and the numbers of threads.
#include "base/platform.h"

#include <pthread.h>
#include <time.h>

#include "support.h"

typedef struct waiter {
    ilki_lock lock;
    uint32_t came;  // it is about to take the lock
    uint32_t has;   // it has taken it
    uintptr_t name; // its thread
} waiter;

static void* wait_for_lock(void* arg) {
    waiter* w = arg;
    w->name = ilki_thread();
    ilki_atomic_store(&w->came, 1);
    ilki_lock_take(&w->lock);
    ilki_atomic_store(&w->has, 1);
    ilki_lock_give(&w->lock);
    return NULL;
}

static void a_lock_that_is_held_is_waited_for(void** state) {
    (void)state;
    waiter w = {{false}, 0, 0, 0};
    pthread_t thread;
    ilki_lock_take(&w.lock);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_lock, &w), 0);
    while (!ilki_atomic_load(&w.came)) {
    }
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    assert_int_equal(ilki_atomic_load(&w.has), 0);
    ilki_lock_give(&w.lock);
    pthread_join(thread, NULL);
    assert_int_equal(ilki_atomic_load(&w.has), 1);
    assert_false(w.lock.held);
}

static void threads_have_different_numbers(void** state) {
    (void)state;
    waiter w = {{false}, 0, 0, 0};
    pthread_t thread;
    uintptr_t mine = ilki_thread();
    assert_int_equal(pthread_create(&thread, NULL, wait_for_lock, &w), 0);
    pthread_join(thread, NULL);
    assert_true(mine == ilki_thread());
    assert_true(w.name != mine);
}

static void the_counter_gives_the_value_after(void** state) {
    (void)state;
    uint32_t counter = 6;
    assert_int_equal(ilki_atomic_next(&counter), 7);
    assert_int_equal(ilki_atomic_load(&counter), 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lock_that_is_held_is_waited_for),
        cmocka_unit_test(threads_have_different_numbers),
        cmocka_unit_test(the_counter_gives_the_value_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
