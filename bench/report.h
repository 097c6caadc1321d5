// What was measured, as a table for people, as CSV for programs, and as a picture.
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "rows.h"

typedef struct bench_result {
    const bench_row* row;
    uint32_t n;
    bench_outcome outcome;
} bench_result;

typedef enum bench_verdict {
    VERDICT_NONE, // there is no goal, or it is for another n
    VERDICT_REACHED,
    VERDICT_MISSED,
} bench_verdict;

// ilk divided by raw, or 0 if there is no raw.
double result_ratio(const bench_result* result);

// The full work divided by ilk, or 0 if there is none; and by raw.
double result_speedup(const bench_result* result);
double result_raw_speedup(const bench_result* result);

// ilk divided by the full work, or 0 if there is none.
double result_share(const bench_result* result);
bench_verdict result_verdict(const bench_result* result);

// The best peer at this n, or 0.
double result_peer(const bench_result* result);

// What its figures are measured in.
const char* row_unit(const bench_row* row);

// One line while the benchmark runs.
void report_progress(const bench_result* result, uint32_t done, uint32_t count);

// The table and, under it, how many goals are reached and which are not.
void report_table(const bench_result* results, uint32_t count);

// False, with a message, if the file cannot be written.
bool report_csv(const bench_result* results, uint32_t count, const char* path);
bool report_svg(const bench_result* results, uint32_t count, const char* path);

#endif
