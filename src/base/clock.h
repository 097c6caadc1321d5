// A clock that is quick to read: the processor's own count of beats, set by the system's clock from
// time to time.
#ifndef ILKI_CLOCK_H
#define ILKI_CLOCK_H

#include "platform.h"

typedef struct ilki_clock {
    uint64_t first_ns, first_beat; // when it was first set
    uint64_t ns, beat;             // when it was last set
    double ns_per_beat;            // 0: not known yet
} ilki_clock;

// Sets the clock. It is quick once it was set twice with some time in between.
void ilki_clock_set(ilki_clock* clock);

// Nanoseconds, as ilki_now counts them, or nearly so.
uint64_t ilki_clock_now(const ilki_clock* clock);

#endif
