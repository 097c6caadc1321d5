#include "window.h"

// The length of a bucket in nanoseconds. The first divides the others.
static const uint64_t bucket_lengths[ILKI_PERIODS] = {100000000u, 6000000000u, 30000000000u};

static void add_calls(ilki_bucket* bucket, const ilki_bucket* calls) {
    bucket->calls += calls->calls;
    bucket->total += calls->total;
    if (calls->worst > bucket->worst) bucket->worst = calls->worst;
}

// Puts the calls of the last tenth of a second among the others.
static void put_away(ilki_window* window) {
    for (uint32_t period = 0; period < ILKI_PERIODS && window->now.calls; period++) {
        uint64_t number = window->now_begins / bucket_lengths[period];
        ilki_bucket* bucket = &window->buckets[period][number % ILKI_BUCKETS];
        if (bucket->number != number) *bucket = (ilki_bucket){.number = number};
        add_calls(bucket, &window->now);
    }
}

void ilki_window_turn(ilki_window* window, uint64_t now_ns) {
    put_away(window);
    uint64_t length = bucket_lengths[ILKI_SECOND];
    window->now = (ilki_bucket){0};
    window->now_begins = now_ns - now_ns % length;
    window->now_ends = window->now_begins + length;
}

ilk_lately ilki_window_read(const ilki_window* window, ilki_period period, uint64_t now_ns) {
    uint64_t now = now_ns / bucket_lengths[period];
    ilki_bucket all = {0};
    for (uint32_t i = 0; i < ILKI_BUCKETS; i++) {
        const ilki_bucket* bucket = &window->buckets[period][i];
        if (bucket->number <= now && now - bucket->number < ILKI_BUCKETS) add_calls(&all, bucket);
    }
    uint64_t last = window->now_begins / bucket_lengths[period];
    if (last <= now && now - last < ILKI_BUCKETS) add_calls(&all, &window->now);
    return (ilk_lately){all.calls, all.calls ? all.total / all.calls : 0, all.worst};
}
