// ilk_bench: every row, raw and ilk in one run.
//
//     ilk_bench [--rows REGEX] [--n N,…] [--csv FILE] [--svg FILE] [--quick]
#define _POSIX_C_SOURCE 200809L
#include "measure.h"
#include "report.h"
#include "rows.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SIZES 8
#define MOST_RESULTS 512

typedef struct options {
    const char* rows;
    const char* csv;
    const char* svg;
    uint32_t sizes[MOST_SIZES];
    uint32_t size_count;
    bench_effort effort;
} options;

static const bench_effort thorough = {.repeats = 10, .repeat_ns = 1e6, .total_ns = 250e6};
static const bench_effort quick = {.repeats = 3, .repeat_ns = 2e5, .total_ns = 0};

static _Noreturn void fail(const char* what, const char* which) {
    fprintf(stderr,
            "%s%s\nusage: ilk_bench [--rows REGEX] [--n N,...] [--csv FILE] [--svg FILE] "
            "[--quick]\n",
            what, which);
    exit(EXIT_FAILURE);
}

static void read_sizes(options* o, const char* text) {
    o->size_count = 0;
    for (char* end; *text; text = *end ? end + 1 : end) {
        const unsigned long n = strtoul(text, &end, 10);
        const bool is_number = end != text && (*end == 0 || *end == ',');
        if (!is_number || n < 1000 || n > 100000000) fail("not a size from 1000 on: ", text);
        if (o->size_count == MOST_SIZES) fail("too many sizes: ", text);
        o->sizes[o->size_count++] = (uint32_t)n;
    }
}

static void read_option(options* o, const char* name, const char* value) {
    if (strcmp(name, "--rows") == 0) {
        o->rows = value;
    } else if (strcmp(name, "--n") == 0) {
        read_sizes(o, value);
    } else if (strcmp(name, "--csv") == 0) {
        o->csv = value;
    } else if (strcmp(name, "--svg") == 0) {
        o->svg = value;
    } else {
        fail("unknown option: ", name);
    }
}

static options read_options(int count, char** arguments) {
    options o = {.rows = ".*", .effort = thorough};
    read_sizes(&o, "1000,100000,1000000");
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--quick") == 0) {
            o.effort = quick;
        } else if (i + 1 == count) {
            fail("unknown option, or one without a value: ", arguments[i]);
        } else {
            read_option(&o, arguments[i], arguments[i + 1]);
            i++;
        }
    }
    return o;
}

// The expression must match a row's whole name.
static void read_pattern(regex_t* pattern, const char* rows) {
    char whole[256];
    const int length = snprintf(whole, sizeof whole, "^(%s)$", rows);
    const bool fits = length < (int)sizeof whole;
    if (!fits || regcomp(pattern, whole, REG_EXTENDED | REG_NOSUB) != 0) {
        fail("not a regular expression: ", rows);
    }
}

static uint32_t plan_row(const bench_row* row, const options* o, bench_result* results) {
    if (row->once) {
        results[0] = (bench_result){.row = row, .n = 1};
        return 1;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->size_count; i++) {
        if (o->sizes[i] < row->least_n) continue;
        results[count++] = (bench_result){.row = row, .n = o->sizes[i]};
    }
    return count;
}

static uint32_t plan(const options* o, bench_result* results) {
    regex_t pattern;
    read_pattern(&pattern, o->rows);
    uint32_t count = 0;
    for (uint32_t i = 0; i < bench_row_count && count + MOST_SIZES <= MOST_RESULTS; i++) {
        if (regexec(&pattern, bench_rows[i].name, 0, NULL, 0) != 0) continue;
        count += plan_row(&bench_rows[i], o, results + count);
    }
    regfree(&pattern);
    return count;
}

// Measure the rows in bytes, or those in time. Returns how many are done by then.
static uint32_t measure(bench_result* results, uint32_t count, const options* o, bool bytes,
                        uint32_t done) {
    for (uint32_t i = 0; i < count; i++) {
        bench_result* result = &results[i];
        if ((result->row->work->ilk_bytes != NULL) != bytes) continue;
        result->outcome = bench_measure(result->row->work, result->n, &o->effort);
        report_progress(result, ++done, count);
    }
    return done;
}

static bool all_equal(const bench_result* results, uint32_t count) {
    bool equal = true;
    for (uint32_t i = 0; i < count; i++) equal &= results[i].outcome.equal;
    if (!equal) fprintf(stderr, "raw and ilk do not agree on every row\n");
    return equal;
}

int main(int argument_count, char** arguments) {
    static bench_result results[MOST_RESULTS];
    const options o = read_options(argument_count, arguments);
    const uint32_t count = plan(&o, results);
    if (count == 0) fail("no row is called ", o.rows);

    // Memory first, while the allocator is as every program finds it.
    const uint32_t done = measure(results, count, &o, true, 0);
    bench_keep_memory();
    measure(results, count, &o, false, done);

    report_table(results, count);
    bool fine = all_equal(results, count);
    if (o.csv) fine &= report_csv(results, count, o.csv);
    if (o.svg) fine &= report_svg(results, count, o.svg);
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
