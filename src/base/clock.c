#include "clock.h"

// Nanoseconds. Beats that are counted for so long tell how long one is to a millionth…
#define LONG_ENOUGH 20000000u
// …and from those of longer ago nothing is told: the machine may have slept, or moved.
#define LONG_AGO 1000000000u

// A look at both clocks takes fewer beats than this, unless something came between.
#define FEW_BEATS 1000u
#define MOST_LOOKS 4u

// A count that grows evenly on every processor of the machine; or 0 where there is none.
static uint64_t beats(void) {
#if defined __x86_64__ || defined __i386__
    return __builtin_ia32_rdtsc();
#elif defined __aarch64__
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return 0;
#endif
}

static void look_at_both(ilki_clock* clock) {
    for (uint32_t looks = 0; looks < MOST_LOOKS; looks++) {
        clock->beat = beats();
        clock->ns = ilki_now();
        if (beats() - clock->beat < FEW_BEATS) return;
    }
}

static void count_from_now(ilki_clock* clock) {
    clock->first_ns = clock->ns;
    clock->first_beat = clock->beat;
}

void ilki_clock_set(ilki_clock* clock) {
    look_at_both(clock);
    if (!clock->first_ns || clock->beat < clock->first_beat) { // new, or the processor began anew
        count_from_now(clock);
        clock->ns_per_beat = 0;
    }
    uint64_t ns = clock->ns - clock->first_ns, counted = clock->beat - clock->first_beat;
    if (ns < LONG_ENOUGH || !counted) return;
    clock->ns_per_beat = (double)ns / (double)counted;
    if (ns >= LONG_AGO) count_from_now(clock);
}

uint64_t ilki_clock_now(const ilki_clock* clock) {
    if (!(clock->ns_per_beat > 0)) return ilki_now();
    int64_t counted = (int64_t)(beats() - clock->beat); // converted quicker than without a sign
    return clock->ns +
           (counted > 0 ? (uint64_t)(int64_t)((double)counted * clock->ns_per_beat) : 0);
}
