// The clock that is quick to read.
#include "base/clock.h"

#include "support.h"

static const uint64_t ms = 1000000u;

// By the clock of the system.
static void wait_for(uint64_t ns) {
    uint64_t begun = ilki_now();
    while (ilki_now() - begun < ns) ilki_let_others_run();
}

static ilki_clock quick_clock(void) {
    ilki_clock clock = {0};
    ilki_clock_set(&clock);
    wait_for(30 * ms);
    ilki_clock_set(&clock);
    return clock;
}

// Both are read in turn; how far the clock may be beside the other is a hundredth of what it
// counted.
static void assert_goes_right(const ilki_clock* clock) {
    uint64_t before = ilki_now(), now = ilki_clock_now(clock), after = ilki_now();
    uint64_t slack = (after - clock->ns) / 100 + ms;
    assert_in_range(now, before - slack, after + slack);
}

static void a_clock_that_was_never_set_tells_the_time(void** state) {
    (void)state;
    ilki_clock clock = {0};
    uint64_t before = ilki_now(), now = ilki_clock_now(&clock);
    assert_in_range(now, before, ilki_now());
}

#if defined __x86_64__ || defined __i386__ || defined __aarch64__
static void a_clock_that_was_set_twice_goes_by_beats(void** state) {
    (void)state;
    ilki_clock clock = quick_clock();
    assert_true(clock.ns_per_beat > 0);
}

static void a_clock_whose_beats_began_anew_is_not_believed(void** state) {
    (void)state;
    ilki_clock clock = quick_clock();
    clock.first_beat = UINT64_MAX;
    ilki_clock_set(&clock);
    assert_true(clock.ns_per_beat == 0);
    assert_true(clock.first_ns == clock.ns && clock.first_beat == clock.beat);
    assert_goes_right(&clock);
}

// As if the machine had slept, and only the beats went on.
static void beats_of_long_ago_are_forgotten(void** state) {
    (void)state;
    ilki_clock clock = quick_clock();
    clock.first_ns -= 2000 * ms;
    clock.first_beat = 1;
    ilki_clock_set(&clock);
    assert_true(clock.ns_per_beat > 0);
    assert_true(clock.first_ns == clock.ns && clock.first_beat == clock.beat);
    wait_for(30 * ms);
    ilki_clock_set(&clock);
    wait_for(30 * ms);
    assert_goes_right(&clock);
}
#endif

static void it_goes_as_the_clock_of_the_system_does(void** state) {
    (void)state;
    ilki_clock clock = quick_clock();
    assert_goes_right(&clock);
    wait_for(50 * ms);
    assert_goes_right(&clock);
}

static void it_does_not_go_back(void** state) {
    (void)state;
    ilki_clock clock = quick_clock();
    uint64_t last = clock.ns;
    for (uint32_t i = 0; i < 100000; i++) {
        uint64_t now = ilki_clock_now(&clock);
        assert_true(now >= last);
        last = now;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_that_was_never_set_tells_the_time),
#if defined __x86_64__ || defined __i386__ || defined __aarch64__
        cmocka_unit_test(a_clock_that_was_set_twice_goes_by_beats),
        cmocka_unit_test(a_clock_whose_beats_began_anew_is_not_believed),
        cmocka_unit_test(beats_of_long_ago_are_forgotten),
#endif
        cmocka_unit_test(it_goes_as_the_clock_of_the_system_does),
        cmocka_unit_test(it_does_not_go_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
