// Delta debugging: cut out ever smaller parts of the script, and keep what still fails in the same
// way. Once the script is short enough to compare everything after each operation, the way in which
// it fails then is the one to keep.
#include "shrink.h"
#include "host.h"
#include "script.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHILD_SECONDS 20u
#define HANG_SECONDS 2u       // of a script that is known to hang
#define SHRINK_SECONDS 90     // then what there is must do
#define CLOSE_OPERATIONS 300u // a script so short is compared after each operation

trial* trial_create(void) {
    return host_share(sizeof(trial));
}

static unsigned patience = CHILD_SECONDS;

// What is tried: a script, once or with each request for memory failing in turn.
typedef struct attempt {
    trial* trial;
    uint8_t* bytes;
    size_t size;
    run_options options;
} attempt;

static bool run_attempt(void* context) {
    attempt* a = context;
    return run_script(a->bytes, a->size, a->options, &a->trial->outcome);
}

// A request for memory that fails is found again by trying each: the script asks for less now.
static bool sweep_attempt(void* context) {
    attempt* a = context;
    bool forever = script_read_header(a->bytes).forever;
    for (a->trial->fail_at = 1;; a->trial->fail_at++) {
        script_write_failure(a->bytes, a->trial->fail_at, forever);
        if (!run_attempt(a)) return false;
        if (a->trial->outcome.refused == 0) return true;
    }
}

static void try_in_child(attempt* a, bool (*run)(void* context), bool quiet) {
    trial* t = a->trial;
    *t = (trial){0};
    host_end end =
        host_run(&(host_work){.run = run, .context = a, .seconds = patience, .is_quiet = quiet});
    t->signal = end.signal;
    t->hung = end.has_hung;
    t->failed = !end.has_passed;
    t->crashed = t->failed && !t->outcome.failed;
}

void trial_run(trial* t, uint8_t* bytes, size_t size, run_options options, bool quiet) {
    try_in_child(&(attempt){t, bytes, size, options}, run_attempt, quiet);
}

static void trial_sweep(trial* t, uint8_t* bytes, size_t size, run_options options) {
    try_in_child(&(attempt){t, bytes, size, options}, sweep_attempt, true);
    if (t->failed) script_write_failure(bytes, t->fail_at, script_read_header(bytes).forever);
}

typedef struct shrinker {
    trial* trial;
    uint8_t* bytes; // the shortest script that fails, so far
    size_t count;   // of its operations
    uint8_t* other; // room for a candidate
    bool hangs;     // what is looked for is a hang
    bool closely;   // everything is compared after each operation
    bool any;       // any other failure will do, but only once
    const char* kind;
    time_t end;
} shrinker;

// Try the candidate, and keep it if it fails. What comes after the failure is cut off.
static bool keep_if_failing(shrinker* s, size_t count) {
    if (time(NULL) > s->end) return false;
    run_options options = {.closely = s->closely};
    size_t size = (count + 1) * SCRIPT_STEP;
    if (script_read_header(s->other).fail_at)
        trial_sweep(s->trial, s->other, size, options);
    else
        trial_run(s->trial, s->other, size, options, true);
    if (!s->trial->failed || s->trial->hung != s->hangs) return false;
    if (!s->any && s->trial->outcome.kind != s->kind) return false;
    s->kind = s->trial->outcome.kind;
    s->any = false;
    size_t needed = (size_t)s->trial->outcome.at + 1;
    s->count = needed < count ? needed : count;
    memcpy(s->bytes, s->other, (s->count + 1) * SCRIPT_STEP);
    return true;
}

static bool try_without(shrinker* s, size_t from, size_t count) {
    size_t head = (from + 1) * SCRIPT_STEP;
    size_t tail = (s->count - from - count) * SCRIPT_STEP;
    memcpy(s->other, s->bytes, head);
    memcpy(s->other + head, s->bytes + head + count * SCRIPT_STEP, tail);
    return keep_if_failing(s, s->count - count);
}

// From the end, since what comes late rests on what came early.
static bool cut_parts(shrinker* s, size_t part) {
    bool any = false;
    for (size_t end = s->count; end > 0;) {
        size_t from = end > part ? end - part : 0;
        if (end > s->count) {
            end = s->count;
            continue;
        }
        any |= try_without(s, from, end - from);
        end = from;
    }
    return any;
}

// Try the script as it is, and take the failure that comes for the one to keep.
static bool look_again(shrinker* s) {
    memcpy(s->other, s->bytes, (s->count + 1) * SCRIPT_STEP);
    s->any = true;
    return keep_if_failing(s, s->count);
}

static void cut(shrinker* s) {
    for (size_t part = (s->count + 1) / 2; part > 0;) {
        bool any = cut_parts(s, part);
        if (part == 1 && !any) break;
        if (part > 1) part /= 2;
        if (part > s->count) part = s->count;
    }
}

static void cut_once(shrinker* s) {
    for (size_t part = s->count / 2; part > 0; part /= 2) cut_parts(s, part);
}

static void try_byte(shrinker* s, size_t at, uint8_t byte) {
    if (at >= (s->count + 1) * SCRIPT_STEP || s->bytes[at] == byte) return;
    memcpy(s->other, s->bytes, (s->count + 1) * SCRIPT_STEP);
    s->other[at] = byte;
    keep_if_failing(s, s->count);
}

// Make bytes zero, or at least small. The planned failure of memory stays.
static void make_plain(shrinker* s) {
    for (size_t at = 0; at < 12; at++) try_byte(s, at, 0);
    for (size_t at = SCRIPT_STEP; at < (s->count + 1) * SCRIPT_STEP; at++) {
        if (at % SCRIPT_STEP == 0) continue;
        uint8_t byte = s->bytes[at];
        try_byte(s, at, 0);
        if (s->bytes[at] == byte) try_byte(s, at, byte & 7);
        if (s->bytes[at] == byte) try_byte(s, at, byte / 2);
    }
}

size_t shrink_script(trial* t, uint8_t* bytes, size_t size) {
    shrinker s = {
        .trial = t, .bytes = bytes, .count = size / SCRIPT_STEP - 1, .other = malloc(size)};
    if (!s.other) return size;
    s.hangs = t->hung;
    if (s.hangs) patience = HANG_SECONDS;
    s.end = time(NULL) + SHRINK_SECONDS;
    if (look_again(&s)) {
        if (s.count > CLOSE_OPERATIONS) cut_once(&s);
        s.closely = s.count <= CLOSE_OPERATIONS;
        if (!look_again(&s)) s.closely = false; // what is looked at so often does not fail
        cut(&s);
        if (s.count <= 64) {
            make_plain(&s);
            cut(&s);
        }
    }
    free(s.other);
    return (s.count + 1) * SCRIPT_STEP;
}
