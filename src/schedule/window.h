// How long something took lately: over the last second, minute and five minutes.
//
// Each period is cut into ten buckets, used in turn, so memory is fixed. What is read covers
// between nine and ten tenths of the period: the bucket of the moment is not full yet.
#ifndef ILKI_WINDOW_H
#define ILKI_WINDOW_H

#include <ilk/inside.h>
#include <ilk/system.h>

#define ILKI_BUCKETS 10u

typedef enum ilki_period {
    ILKI_SECOND,
    ILKI_MINUTE,
    ILKI_FIVE_MINUTES,
    ILKI_PERIODS
} ilki_period;

typedef struct ilki_bucket {
    uint64_t number; // its beginning, in tenths of the period
    uint64_t calls, total, worst;
} ilki_bucket;

// All zero is valid, and nothing happened.
typedef struct ilki_window {
    ilki_bucket buckets[ILKI_PERIODS][ILKI_BUCKETS];
    uint64_t now_begins, now_ends; // the tenth of a second of the last call…
    ilki_bucket now;               // …whose calls are not yet among the others
} ilki_window;

// Another tenth of a second begins.
void ilki_window_turn(ilki_window* window, uint64_t now_ns);

// Notes that a call took so many nanoseconds. The time now never goes back.
ILKI_INLINE void ilki_window_add(ilki_window* window, uint64_t now_ns, uint64_t ns) {
    if (ILKI_UNLIKELY(now_ns >= window->now_ends)) ilki_window_turn(window, now_ns);
    window->now.calls++;
    window->now.total += ns;
    if (ns > window->now.worst) window->now.worst = ns;
}

// The calls of a period that ends now.
ilk_lately ilki_window_read(const ilki_window* window, ilki_period period, uint64_t now_ns);

#endif
