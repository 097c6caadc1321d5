#include "clock.h"

// Beats that are counted for so long tell how long one is to a millionth.
#define LONG_ENOUGH 20000000u

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

void ilki_clock_set(ilki_clock* clock) {
    clock->ns = ilki_now();
    clock->beat = beats();
    if (!clock->first_ns) {
        clock->first_ns = clock->ns;
        clock->first_beat = clock->beat;
    }
    uint64_t ns = clock->ns - clock->first_ns, counted = clock->beat - clock->first_beat;
    bool is_even = clock->beat > clock->first_beat; // else the processor began anew
    clock->ns_per_beat = is_even && ns >= LONG_ENOUGH ? (double)ns / (double)counted : 0;
    if (!is_even) clock->first_ns = 0;
}

uint64_t ilki_clock_now(const ilki_clock* clock) {
    if (!(clock->ns_per_beat > 0)) return ilki_now();
    uint64_t beat = beats();
    uint64_t counted = beat > clock->beat ? beat - clock->beat : 0;
    return clock->ns + (uint64_t)((double)counted * clock->ns_per_beat);
}
