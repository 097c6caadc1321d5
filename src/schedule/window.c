#include "window.h"

// The length of a bucket in nanoseconds.
static const uint64_t bucket_lengths[ILKI_PERIODS] = {100000000u, 6000000000u, 30000000000u};

void ilki_window_add(ilki_window* window, uint64_t now_ns, uint64_t ns) {
    for (uint32_t period = 0; period < ILKI_PERIODS; period++) {
        uint64_t number = now_ns / bucket_lengths[period];
        ilki_bucket* bucket = &window->buckets[period][number % ILKI_BUCKETS];
        if (bucket->number != number) *bucket = (ilki_bucket){.number = number};
        bucket->calls++;
        bucket->total += ns;
        if (ns > bucket->worst) bucket->worst = ns;
    }
}

ilk_lately ilki_window_read(const ilki_window* window, ilki_period period, uint64_t now_ns) {
    ilk_lately lately = {0};
    uint64_t now = now_ns / bucket_lengths[period], total = 0;
    for (uint32_t i = 0; i < ILKI_BUCKETS; i++) {
        const ilki_bucket* bucket = &window->buckets[period][i];
        if (bucket->number > now || now - bucket->number >= ILKI_BUCKETS) continue;
        lately.calls += bucket->calls;
        total += bucket->total;
        if (bucket->worst > lately.worst_ns) lately.worst_ns = bucket->worst;
    }
    lately.mean_ns = lately.calls ? total / lately.calls : 0;
    return lately;
}
