// Workers: the same bytes for any number of them, and for any order in which they do what there is
// to do.
#include "colony.h"
#include "workers_support.h"

// What a colony looks like after so many frames. These numbers change only when what happens in a
// world does: then every program that replays its input sees something else than before.
enum {
    SHORT_RUN = 15,
    LONG_RUN = 250
};
#define GOLDEN_SHORT UINT64_C(0x1f7c92f609840913)
#define GOLDEN_LONG UINT64_C(0xc9622198ea617ef6)

static uint64_t sound_hash(colony* c) {
    assert_valid(c->world);
    assert_int_equal(ilk_stats(c->world).retired, 0); // pages that pieces left out will be used
    uint64_t hash = colony_hash(c);
    colony_free(c);
    return hash;
}

// A colony after so many frames.
static uint64_t lived(const ilk_world_desc* desc, uint32_t frames, uint64_t seed) {
    colony* c = colony_make(desc, 1500, seed);
    for (uint32_t i = 0; i < frames; i++) colony_step(c);
    return sound_hash(c);
}

static void assert_golden_at(uint64_t hash, uint64_t golden, uint32_t workers, const char* file,
                             int line) {
    if (hash != golden) {
        print_error("0x%llx with %u workers, not 0x%llx\n", (unsigned long long)hash, workers,
                    (unsigned long long)golden);
        _fail(file, line);
    }
}
#define assert_golden(hash, golden, workers)                                                       \
    assert_golden_at((hash), (golden), (workers), __FILE__, __LINE__)

// R001.55 R001.56 R003.17
static void any_number_of_workers_gives_the_same(void** state) {
    (void)state;
    static const uint32_t workers[] = {0, 1, 2, 3, 8, 32};
    for (uint32_t i = 0; i < COUNT_OF(workers); i++) {
        uint64_t hash = lived(&(ilk_world_desc){.workers = workers[i]}, SHORT_RUN, 0);
        assert_golden(hash, GOLDEN_SHORT, workers[i]);
    }
}

// R001.55 R001.56
static void a_long_run_gives_the_same_each_time(void** state) {
    (void)state;
    if (is_slow()) skip();
    static const uint32_t workers[] = {0, 1, 2, 3, 8, 32};
    for (uint32_t i = 0; i < 3 * COUNT_OF(workers); i++) {
        uint32_t count = workers[i % COUNT_OF(workers)];
        uint64_t hash = lived(&(ilk_world_desc){.workers = count}, LONG_RUN, 0);
        assert_golden(hash, GOLDEN_LONG, count);
    }
}

// R001.55
static void any_order_of_jobs_gives_the_same(void** state) {
    (void)state;
    uint64_t seeds = QUICK_OR_SLOW(10000, IS_TSAN ? 30 : 100), alone = 0;
    for (uint64_t seed = 0; seed <= seeds; seed++) {
        colony* c = colony_make(NULL, 320, seed);
        for (uint32_t i = 0; i < 4; i++) colony_step(c);
        uint64_t hash = colony_hash(c);
        if (seed == 0) {
            alone = hash; // in their own order
            assert_valid(c->world);
        }
        if (hash != alone) print_error("seed %llu\n", (unsigned long long)seed);
        assert_true(hash == alone);
        colony_free(c);
    }
}

static void work_that_is_too_little_wakes_nobody(void** state) {
    (void)state;
    colony* c = colony_make(&(ilk_world_desc){.workers = 3}, 300, 0);
    c->world->schedule->wave.worth = UINT64_MAX;
    for (uint32_t i = 0; i < 5; i++) colony_step(c);
    assert_int_equal(ilk_threads(c->world), 1);
    c->world->schedule->wave.worth = 0;
    colony_step(c);
    assert_int_equal(ilk_threads(c->world), 4);
    sound_hash(c);
}

// Job systems of somebody else.
typedef struct crowd {
    void (*work)(void* argument);
    void* argument;
    uint32_t times, running, rounds;
    pthread_t threads[8];
} crowd;

static void* come_to_work(void* context) {
    crowd* c = context;
    c->work(c->argument);
    return NULL;
}

static void* come_late(void* context) {
    for (uint32_t i = 0; i < 50; i++) sched_yield();
    return come_to_work(context);
}

static void send_for(crowd* c, void* (*come)(void*), void (*work)(void* argument), void* argument,
                     uint32_t times) {
    c->work = work;
    c->argument = argument;
    c->running = 0;
    c->rounds++;
    while (c->running < times && c->running < COUNT_OF(c->threads)) {
        if (pthread_create(&c->threads[c->running], NULL, come, c) != 0) break;
        c->running++;
    }
}

static void start_threads(void* context, void (*work)(void* argument), void* argument,
                          uint32_t times) {
    send_for(context, come_to_work, work, argument, times);
}

static void start_late(void* context, void (*work)(void* argument), void* argument,
                       uint32_t times) {
    send_for(context, come_late, work, argument, times);
}

static void join_threads(void* context) {
    crowd* c = context;
    while (c->running) pthread_join(c->threads[--c->running], NULL);
}

static void start_nothing(void* context, void (*work)(void* argument), void* argument,
                          uint32_t times) {
    (void)work, (void)argument, (void)times;
    ((crowd*)context)->rounds++;
}

static void start_at_once(void* context, void (*work)(void* argument), void* argument,
                          uint32_t times) {
    ((crowd*)context)->rounds++;
    for (uint32_t i = 0; i < times; i++) work(argument);
}

static void start_too_often(void* context, void (*work)(void* argument), void* argument,
                            uint32_t times) {
    start_at_once(context, work, argument, times + 20);
}

static void start_when_waiting(void* context, void (*work)(void* argument), void* argument,
                               uint32_t times) {
    crowd* c = context;
    c->rounds++;
    c->work = work;
    c->argument = argument;
    c->times = times;
}

static void do_now(void* context) {
    crowd* c = context;
    while (c->times) {
        c->times--;
        c->work(c->argument);
    }
}

static void wait_for_nobody(void* context) {
    (void)context;
}

// R001.55 R003.17
static void threads_of_somebody_else_give_the_same(void** state) {
    (void)state;
    static const ilk_jobs systems[] = {
        {.start = start_threads, .wait = join_threads},
        {.start = start_late, .wait = join_threads},
        {.start = start_nothing, .wait = wait_for_nobody},
        {.start = start_at_once, .wait = wait_for_nobody},
        {.start = start_too_often, .wait = wait_for_nobody},
        {.start = start_when_waiting, .wait = do_now},
    };
    for (uint32_t i = 0; i < COUNT_OF(systems); i++) {
        crowd c = {0};
        ilk_world_desc desc = {.workers = 3, .jobs = systems[i]};
        desc.jobs.context = &c;
        assert_golden(lived(&desc, SHORT_RUN, 0), GOLDEN_SHORT, i);
        assert_true(c.rounds >= SHORT_RUN);
    }
}

static void without_workers_a_job_system_is_not_asked(void** state) {
    (void)state;
    crowd c = {0};
    ilk_world_desc desc = {.jobs = {.start = start_nothing, .wait = wait_for_nobody, &c}};
    assert_golden(lived(&desc, SHORT_RUN, 0), GOLDEN_SHORT, 0);
    assert_int_equal(c.rounds, 0);
}

// However many are asked for, memory stays within bounds.
static void there_are_at_most_1024_workers(void** state) {
    (void)state;
    crowd idle = {0};
    ilk_world_desc desc = {.workers = UINT32_MAX, .jobs = {start_nothing, wait_for_nobody, &idle}};
    colony* c = colony_make(&desc, 1500, 0);
    for (uint32_t i = 0; i < 5; i++) colony_step(c);
    assert_int_equal(ilk_threads(c->world), 1025);
    colony_free(c);
}

static void half_a_job_system_is_refused(void** state) {
    (void)state;
    recorder told = {0};
    ilk_world_desc desc = {.workers = 2, .message = record, .message_context = &told};
    desc.jobs.start = start_nothing;
    assert_null(ilk_world_create(&desc));
    assert_int_equal(told.last.result, ILK_INVALID);
    assert_string_equal(told.text, "ilk_world_create: the job system is half there");
    desc.jobs = (ilk_jobs){.wait = wait_for_nobody};
    assert_null(ilk_world_create(&desc));
    assert_int_equal(told.count, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_gives_the_same),
        cmocka_unit_test(a_long_run_gives_the_same_each_time),
        cmocka_unit_test(any_order_of_jobs_gives_the_same),
        cmocka_unit_test(work_that_is_too_little_wakes_nobody),
        cmocka_unit_test(threads_of_somebody_else_give_the_same),
        cmocka_unit_test(without_workers_a_job_system_is_not_asked),
        cmocka_unit_test(half_a_job_system_is_refused),
        cmocka_unit_test(there_are_at_most_1024_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
