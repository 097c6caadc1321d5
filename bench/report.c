#include "report.h"

#include <stdio.h>

double result_ratio(const bench_result* result) {
    const bench_outcome* o = &result->outcome;
    return o->raw.min > 0 ? o->ilk.min / o->raw.min : 0;
}

double result_share(const bench_result* result) {
    const bench_outcome* o = &result->outcome;
    return o->full.min > 0 ? o->ilk.min / o->full.min : 0;
}

double result_speedup(const bench_result* result) {
    const bench_outcome* o = &result->outcome;
    return o->ilk.min > 0 ? o->full.min / o->ilk.min : 0;
}

double result_raw_speedup(const bench_result* result) {
    const bench_outcome* o = &result->outcome;
    return o->raw.min > 0 ? o->raw_full.min / o->raw.min : 0;
}

static bench_verdict verdict(double reached, double goal) {
    return reached > 0 && reached <= goal ? VERDICT_REACHED : VERDICT_MISSED;
}

bench_verdict result_verdict(const bench_result* result) {
    const bench_row* row = result->row;
    const uint32_t goal_n = row->goal_n ? row->goal_n : 100000;
    if (!row->once && result->n != goal_n) return VERDICT_NONE;
    if (row->limit > 0) return verdict(result->outcome.ilk.min, row->limit);
    if (row->share > 0) return verdict(result_share(result), row->share);
    if (row->speedup > 0) {
        return result_speedup(result) >= row->speedup ? VERDICT_REACHED : VERDICT_MISSED;
    }
    return row->goal > 0 ? verdict(result_ratio(result), row->goal) : VERDICT_NONE;
}

double result_peer(const bench_result* result) {
    if (result->row->once || result->n == 100000) return result->row->peer[0];
    return result->n == 1000000 ? result->row->peer[1] : 0;
}

const char* row_unit(const bench_row* row) {
    return row->work->ilk_bytes ? "B" : "ns";
}

void report_progress(const bench_result* result, uint32_t done, uint32_t count) {
    const bench_outcome* o = &result->outcome;
    fprintf(stderr, "[%3u/%u] %-22s %8u  raw %8.2f  ilk %8.2f%s%s\n", done, count,
            result->row->name, result->n, o->raw.min, o->ilk.min, o->noisy ? "  noisy" : "",
            o->equal ? "" : "  CHECKSUMS DIFFER");
}

// A number in a column, or a dash where there is none.
static void print_number(double value) {
    if (value > 0) {
        printf(" %9.*f", value >= 1000 ? 0 : value < 0.05 ? 4 : 2, value);
    } else {
        printf(" %9s", "-");
    }
}

static void print_goal(const bench_row* row) {
    char text[32] = "-";
    if (row->limit > 0) {
        snprintf(text, sizeof text, "%.0f %s", row->limit, row_unit(row));
    } else if (row->share > 0) {
        snprintf(text, sizeof text, "%.0f %%", row->share * 100);
    } else if (row->speedup > 0) {
        snprintf(text, sizeof text, ">= %.2f", row->speedup);
    } else if (row->goal > 0) {
        snprintf(text, sizeof text, "%.2f", row->goal);
    }
    printf(" %9s", text);
}

static void print_marks(const bench_result* result) {
    static const char* const marks[] = {
        [VERDICT_NONE] = " ", [VERDICT_REACHED] = "✓", [VERDICT_MISSED] = "✗"};
    const double peer = result_peer(result);
    printf(" %s", marks[result_verdict(result)]);
    print_number(peer);
    if (peer > 0) printf(result->outcome.ilk.min > peer ? " slower" : " ahead");
    if (result->row->speedup > 0) {
        printf(" times as quick as %.2f by one thread (raw: %.2f times)", result->outcome.full.min,
               result_raw_speedup(result));
    } else if (result_share(result) > 0) {
        printf(" %.1f %% of %.2f in full", result_share(result) * 100, result->outcome.full.min);
    }
    if (result->outcome.noisy) printf(" noisy");
    if (!result->outcome.equal) printf(" CHECKSUMS DIFFER");
}

static void print_result(const bench_result* result) {
    const bench_outcome* o = &result->outcome;
    printf("%-22s %8u", result->row->name, result->n);
    print_number(o->raw.min);
    print_number(o->ilk.min);
    print_number(o->ilk.median);
    print_number(result->row->speedup > 0 ? result_speedup(result) : result_ratio(result));
    print_goal(result->row);
    print_marks(result);
    printf("\n");
}

static void print_summary(const bench_result* results, uint32_t count) {
    uint32_t reached = 0, missed = 0, slower = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double peer = result_peer(&results[i]);
        reached += result_verdict(&results[i]) == VERDICT_REACHED;
        missed += result_verdict(&results[i]) == VERDICT_MISSED;
        slower += peer > 0 && results[i].outcome.ilk.min > peer;
    }
    printf("\n%u of %u goals are reached; %u figures are behind the best peer that checks its "
           "handles.\n",
           reached, reached + missed, slower);
    if (missed) printf("Not reached:");
    for (uint32_t i = 0; i < count; i++) {
        if (result_verdict(&results[i]) == VERDICT_MISSED) printf(" %s", results[i].row->name);
    }
    if (missed) printf("\n");
}

void report_table(const bench_result* results, uint32_t count) {
    printf("%-22s %8s %9s %9s %9s %9s %9s   %9s\n", "ns per operation", "n", "raw", "ilk", "median",
           "ratio", "goal", "best peer");
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && results[i].row != results[i - 1].row) printf("\n");
        print_result(&results[i]);
    }
    print_summary(results, count);
}

static void csv_line(FILE* file, const bench_result* result, const char* side, bench_times times) {
    if (times.min <= 0) return;
    fprintf(file, "%s,%u,%s,%s,%.5f,%.5f,%d\n", result->row->name, result->n, side,
            row_unit(result->row), times.min, times.median, result->outcome.noisy);
}

bool report_csv(const bench_result* results, uint32_t count, const char* path) {
    FILE* file = fopen(path, "w");
    if (!file) {
        perror(path);
        return false;
    }
    fprintf(file, "workload,n,impl,unit,min,median,noisy\n");
    for (uint32_t i = 0; i < count; i++) {
        csv_line(file, &results[i], "raw", results[i].outcome.raw);
        csv_line(file, &results[i], "ilk", results[i].outcome.ilk);
        csv_line(file, &results[i], "ilk in full", results[i].outcome.full);
        csv_line(file, &results[i], "raw in full", results[i].outcome.raw_full);
    }
    return fclose(file) == 0;
}
