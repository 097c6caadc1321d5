// How long something took lately, with made-up times.
#include "schedule/window.h"
#include "support.h"

static const uint64_t ms = 1000000u, second = 1000000000u;
static const uint64_t periods[ILKI_PERIODS] = {1000000000u, 60000000000u, 300000000000u};

static void assert_lately_at(const ilki_window* window, ilki_period period, uint64_t now,
                             ilk_lately wanted, const char* file, int line) {
    ilk_lately lately = ilki_window_read(window, period, now);
    _assert_int_equal(lately.calls, wanted.calls, file, line);
    _assert_int_equal(lately.mean_ns, wanted.mean_ns, file, line);
    _assert_int_equal(lately.worst_ns, wanted.worst_ns, file, line);
}
#define assert_lately(window, period, now, ...)                                                    \
    assert_lately_at((window), (period), (now), (ilk_lately){__VA_ARGS__}, __FILE__, __LINE__)

static void at_first_nothing_happened(void** state) {
    (void)state;
    ilki_window window = {0};
    for (int period = 0; period < ILKI_PERIODS; period++) {
        assert_lately(&window, (ilki_period)period, 0, 0, 0, 0);
        assert_lately(&window, (ilki_period)period, 1000 * second, 0, 0, 0);
    }
}

static void a_call_counts_in_every_period(void** state) {
    (void)state;
    ilki_window window = {0};
    ilki_window_add(&window, 5 * second, 10);
    ilki_window_add(&window, 5 * second + 1, 20);
    ilki_window_add(&window, 5 * second + 350 * ms, 60);
    for (int period = 0; period < ILKI_PERIODS; period++) {
        assert_lately(&window, (ilki_period)period, 5 * second + 400 * ms, 3, 30, 60);
    }
}

// R001.60: a call is in a period for at least nine tenths of it, and never longer than that.
static void a_call_is_forgotten_when_its_period_is_over(void** state) {
    (void)state;
    for (int i = 0; i < ILKI_PERIODS; i++) {
        ilki_period period = (ilki_period)i;
        for (uint64_t begin = 0; begin < periods[period]; begin += periods[period] / 37) {
            uint64_t then = 1000 * second + begin;
            ilki_window window = {0};
            ilki_window_add(&window, then, 7);
            assert_lately(&window, period, then + periods[period] * 9 / 10, 1, 7, 7);
            assert_lately(&window, period, then + periods[period], 0, 0, 0);
            assert_lately(&window, period, then + 100 * periods[period], 0, 0, 0);
        }
    }
}

static void an_old_worst_gives_way(void** state) {
    (void)state;
    ilki_window window = {0};
    ilki_window_add(&window, 20 * second, 900);
    for (uint64_t t = 1; t <= 15; t++) ilki_window_add(&window, 20 * second + t * 100 * ms, t);
    uint64_t now = 20 * second + 1500 * ms;
    assert_lately(&window, ILKI_SECOND, now, 10, 10, 15); // 6 to 15, whose mean is 10.5
    assert_lately(&window, ILKI_MINUTE, now, 16, 63, 900);
    assert_lately(&window, ILKI_FIVE_MINUTES, now, 16, 63, 900);
}

static void ten_minutes_of_frames_are_counted_exactly(void** state) {
    (void)state;
    ilki_window window = {0};
    uint64_t now = 7 * second;
    for (int i = 0; i < 60000; i++) ilki_window_add(&window, now += 10 * ms, 1000);
    // The bucket of the moment has just begun.
    assert_int_equal(now % (300 * second), 7 * second);
    assert_lately(&window, ILKI_SECOND, now, 91, 1000, 1000);
    assert_lately(&window, ILKI_MINUTE, now, 5501, 1000, 1000);
    assert_lately(&window, ILKI_FIVE_MINUTES, now, 27701, 1000, 1000);
}

static void a_long_silence_leaves_nothing_behind(void** state) {
    (void)state;
    ilki_window window = {0};
    for (uint64_t t = 0; t < 10; t++) ilki_window_add(&window, t * 100 * ms, 50);
    ilki_window_add(&window, 3600 * second, 5);
    for (int period = 0; period < ILKI_PERIODS; period++) {
        assert_lately(&window, (ilki_period)period, 3600 * second, 1, 5, 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_first_nothing_happened),
        cmocka_unit_test(a_call_counts_in_every_period),
        cmocka_unit_test(a_call_is_forgotten_when_its_period_is_over),
        cmocka_unit_test(an_old_worst_gives_way),
        cmocka_unit_test(ten_minutes_of_frames_are_counted_exactly),
        cmocka_unit_test(a_long_silence_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
