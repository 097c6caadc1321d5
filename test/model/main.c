// The model test: random scripts, run on the library and on the model, until so many operations are
// done.
//
//     model_test --ops 10000000 --seed 7 --worlds small|large|mixed
//     model_test --ops 1000000 --fail-allocations
//     model_test --replay build/model-failure-7.bin
//
// The scripts run in a child, where there are processes (host.h). Its place is kept in shared
// memory, so that a failure or a crash is known by its script, which is then shrunk, printed and
// kept in a file to be run again. Where there are none, it is not shrunk.
#include "catalog.h"
#include "host.h"
#include "script.h"
#include "shrink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LONGEST_SCRIPT 8000u
#define FAILURE_FILE "build/model-failure-%llu.bin" // by the seed: several may run at once
#define STUCK_SECONDS 60
#define PROGRESS_SECONDS 5

typedef enum choice {
    WORLDS_SMALL,
    WORLDS_LARGE,
    WORLDS_MIXED
} choice;

typedef struct settings {
    uint64_t ops, seed;
    choice worlds;
    bool fail_allocations;
    const char* replay;
} settings;

// Where the child is.
typedef struct progress {
    uint64_t operations; // of all scripts that are done
    uint64_t scripts;    // done
    uint64_t runs;       // of scripts: several where memory fails, or digests are compared
    uint32_t fail_at;    // of the script that runs
    bool forever;
    bool differs; // a script gave another digest the second time
    bool stuck;   // a script did not get on
    run_outcome outcome;
} progress;

static progress* shared;
static uint8_t script[(LONGEST_SCRIPT + 1) * SCRIPT_STEP];

// Scripts

static size_t make_script(const settings* set, uint64_t number) {
    uint64_t state = set->seed * 0x9e3779b97f4a7c15u + number;
    uint64_t seed = script_random(&state), r = script_random(&state);
    bool large = set->worlds == WORLDS_LARGE || (set->worlds == WORLDS_MIXED && r % 64 == 0);
    script_size size = set->fail_allocations ? SCRIPT_BRIEF : large ? SCRIPT_LARGE : SCRIPT_SMALL;
    size_t operations = (size_t)(set->fail_allocations ? 20 + (r >> 8) % 100
                                 : large               ? 200 + (r >> 8) % 2000
                                                       : 500 + (r >> 8) % (LONGEST_SCRIPT - 500));
    script_generate(script, operations, seed, size);
    return (operations + 1) * SCRIPT_STEP;
}

static bool run_once(size_t size, uint32_t more_workers) {
    shared->runs++;
    run_options options = {.more_workers = more_workers};
    bool passed = run_script(script, size, options, &shared->outcome);
    shared->operations += shared->outcome.operations;
    return passed;
}

// Nothing depends on the number of workers. Which requests for memory there are depends on where
// memory lies: so where some are refused, the second run may go another way.
static bool run_again(size_t size) {
    if (script_read_header(script).is_scarce) return true;
    run_outcome first = shared->outcome;
    if (!run_once(size, (uint32_t)(1 + shared->scripts / 4 % 3))) return false;
    bool lacked = first.lacked || shared->outcome.lacked;
    shared->differs = !lacked && shared->outcome.digest != first.digest;
    return !shared->differs;
}

// Whether pieces create at the same time.
static bool uses_lanes(void) {
    script_header header = script_read_header(script);
    return header.is_loose && (header.worlds[0].flags | header.worlds[1].flags) >> 7;
}

// The first request for memory fails, then the second, until the script asks for no more.
static bool run_failing(size_t size, bool forever) {
    shared->forever = forever;
    for (shared->fail_at = 1;; shared->fail_at++) {
        script_write_failure(script, shared->fail_at, forever);
        if (!run_once(size, 0)) return false;
        if (shared->outcome.refused == 0) return true;
    }
}

static bool run_next(const settings* set) {
    size_t size = make_script(set, shared->scripts);
    if (set->fail_allocations) return run_failing(size, false) && run_failing(size, true);
    if (!run_once(size, 0)) return false;
    return shared->scripts % (uses_lanes() ? 4 : 16) != 0 || run_again(size);
}

// All scripts, and what was last seen of them by who watches.
typedef struct campaign {
    const settings* set;
    time_t shown, moved;
    uint64_t runs;
    uint32_t at;
} campaign;

static bool work(void* context) {
    const campaign* c = context;
    for (; shared->operations < c->set->ops; shared->scripts++) {
        if (!run_next(c->set)) return false;
    }
    return true;
}

// Watching

static void show_progress(const settings* set) {
    fprintf(stderr, "model: %llu of %llu operations, %llu scripts\n",
            (unsigned long long)shared->operations, (unsigned long long)set->ops,
            (unsigned long long)shared->scripts);
}

// False if it does not get on.
static bool watch(void* context) {
    campaign* c = context;
    time_t now = time(NULL);
    if (shared->runs != c->runs || shared->outcome.at != c->at) c->moved = now;
    c->runs = shared->runs;
    c->at = shared->outcome.at;
    shared->stuck = now - c->moved > STUCK_SECONDS;
    if (now - c->shown >= PROGRESS_SECONDS) {
        c->shown = now;
        show_progress(c->set);
    }
    return !shared->stuck;
}

// Failures

static void keep_script(uint64_t seed, size_t size) {
    char path[64];
    snprintf(path, sizeof path, FAILURE_FILE, (unsigned long long)seed);
    host_make_folder("build");
    FILE* file = fopen(path, "wb");
    if (!file) return;
    fwrite(script, 1, size, file);
    fclose(file);
    printf("model: kept in %s; run it with --replay\n", path);
}

static void describe(const trial* t) {
    if (!t->failed)
        printf("model: it passes\n");
    else if (t->hung)
        printf("model: operation %u: takes too long\n", t->outcome.at);
    else if (t->crashed)
        printf("model: operation %u: a crash, signal %d\n", t->outcome.at, t->signal);
    else
        printf("model: operation %u: %s\n", t->outcome.at, t->outcome.text);
}

// Comparing everything may mend what would have failed: then it is done without.
static bool replay_script(trial* t, size_t size) {
    bool closely = size / SCRIPT_STEP < LONGEST_SCRIPT / 4;
    if (closely && HOST_HAS_PROCESSES) {
        trial_run(t, script, size, (run_options){.closely = true}, true);
        closely = t->failed;
    }
    trial_run(t, script, size, (run_options){.trace = true, .closely = closely}, false);
    describe(t);
    return !t->failed;
}

static size_t shrink(trial* t, size_t size) {
    printf("model: shrinking %zu operations\n", size / SCRIPT_STEP - 1);
    trial_run(t, script, size, (run_options){.hasty = false}, true);
    if (t->failed)
        size = shrink_script(t, script, size);
    else
        printf("model: it does not fail alone\n");
    printf("model: %zu operations are left\n", size / SCRIPT_STEP - 1);
    return size;
}

static int report(const settings* set) {
    size_t size = make_script(set, shared->scripts);
    if (set->fail_allocations) script_write_failure(script, shared->fail_at, shared->forever);
    printf("model: seed %llu, script %llu, operation %u: %s\n", (unsigned long long)set->seed,
           (unsigned long long)shared->scripts, shared->outcome.at,
           shared->differs          ? "the second run differs from the first"
           : shared->stuck          ? "it takes too long"
           : shared->outcome.failed ? shared->outcome.text
                                    : "a crash");
    trial* t = HOST_HAS_PROCESSES && !shared->differs ? trial_create() : NULL;
    if (t) size = shrink(t, size);
    keep_script(set->seed, size);
    if (t) replay_script(t, size);
    return 1;
}

static int run_campaign(const settings* set) {
    shared = host_share(sizeof *shared);
    if (!shared) return 1;
    printf("model: seed %llu\n", (unsigned long long)set->seed);
    campaign c = {.set = set, .shown = time(NULL), .moved = time(NULL)};
    bool passed = host_run(&(host_work){.run = work, .watch = watch, .context = &c}).has_passed;
    int code = passed ? 0 : report(set);
    printf("model: %llu operations, seed %llu, %llu scripts, %llu runs\n",
           (unsigned long long)shared->operations, (unsigned long long)set->seed,
           (unsigned long long)shared->scripts, (unsigned long long)shared->runs);
    printf("%llu passed, %d failed\n", (unsigned long long)shared->scripts, code);
    return code;
}

static int run_replay(const char* path) {
    FILE* file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "model: cannot read %s\n", path);
        return 2;
    }
    size_t size = fread(script, 1, sizeof script, file);
    fclose(file);
    trial* t = trial_create();
    return t && replay_script(t, size) ? 0 : 1;
}

// Arguments

static int usage(void) {
    fprintf(stderr, "model_test [--ops N] [--seed S] [--worlds small|large|mixed] "
                    "[--fail-allocations] [--replay FILE]\n");
    return 2;
}

static bool read_worlds(const char* word, choice* worlds) {
    static const char* const words[] = {"small", "large", "mixed"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(word, words[i]) != 0) continue;
        *worlds = (choice)i;
        return true;
    }
    return false;
}

static bool read_setting(settings* set, const char* name, const char* word) {
    if (strcmp(name, "--ops") == 0)
        set->ops = strtoull(word, NULL, 0);
    else if (strcmp(name, "--seed") == 0)
        set->seed = strtoull(word, NULL, 0);
    else if (strcmp(name, "--replay") == 0)
        set->replay = word;
    else if (strcmp(name, "--worlds") == 0)
        return read_worlds(word, &set->worlds);
    else
        return false;
    return true;
}

int main(int argc, char** argv) {
    settings set = {.ops = 1000000, .seed = (uint64_t)time(NULL), .worlds = WORLDS_MIXED};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--fail-allocations") == 0)
            set.fail_allocations = true;
        else if (i + 1 == argc || !read_setting(&set, argv[i], argv[i + 1]))
            return usage();
        else
            i++;
    }
    catalog_start();
    return set.replay ? run_replay(set.replay) : run_campaign(&set);
}
