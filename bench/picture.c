// A picture of the ratios: a bar for each row and n, on a logarithmic scale that starts at raw.
#include "report.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 1000.0
#define LEFT 190.0
#define RIGHT 60.0
#define TOP 92.0
#define BAR 9.0
#define GAP 8.0
#define TOLD 16.0 // height of a row in words
#define LEAST 0.5 // ratio at the left edge

// A picture under way: where it goes and what its scale ends with.
typedef struct picture {
    FILE* file;
    double most;
    double y;
} picture;

static double clamped(double ratio, const picture* p) {
    if (ratio < LEAST) return LEAST;
    return ratio > p->most ? p->most : ratio;
}

static double x_of(const picture* p, double ratio) {
    const double share = log2(clamped(ratio, p) / LEAST) / log2(p->most / LEAST);
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static void text(const picture* p, double x, double y, const char* look, const char* words) {
    fprintf(p->file, "<text x='%.1f' y='%.1f' %s>%s</text>\n", x, y, look, words);
}

static void rectangle(const picture* p, double x, double y, double width, double height,
                      const char* colour) {
    fprintf(p->file, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'/>\n", x, y,
            width, height, colour);
}

static void upright(const picture* p, double x, double y, double height, const char* look) {
    fprintf(p->file, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' %s/>\n", x, y, x, y + height,
            look);
}

static const char* colour_of(const bench_result* result) {
    switch (result_verdict(result)) {
    case VERDICT_REACHED:
        return "#2e8b57";
    case VERDICT_MISSED:
        return "#cc4b37";
    case VERDICT_NONE:
        break;
    }
    return result->n < 100000 ? "#c3cfd9" : "#8fa3b5";
}

static void draw_bar(picture* p, const bench_result* result) {
    const double ratio = result_ratio(result);
    const double one = x_of(p, 1), end = x_of(p, ratio);
    const double left = one < end ? one : end;
    const double right = one < end ? end : one;
    char words[32];
    rectangle(p, left, p->y, right - left < 1 ? 1 : right - left, BAR - 1, colour_of(result));
    snprintf(words, sizeof words, "%.2f", ratio);
    text(p, right + 4, p->y + BAR - 1.5, "font-size='9' fill='#555'", words);
    p->y += BAR;
}

static void draw_label(const picture* p, const bench_result* result, double height) {
    const double middle = p->y + height / 2 + 4;
    text(p, LEFT - 10, middle, "font-size='12' text-anchor='end' fill='#222'", result->row->name);
}

// How many results from the first one on are of its row.
static uint32_t row_length(const bench_result* results, uint32_t count) {
    uint32_t length = 1;
    while (length < count && results[length].row == results[0].row) length++;
    return length;
}

static void draw_row(picture* p, const bench_result* results, uint32_t count) {
    const double top = p->y, height = BAR * count;
    draw_label(p, results, height);
    for (uint32_t i = 0; i < count; i++) draw_bar(p, &results[i]);
    if (results->row->goal > 0) {
        upright(p, x_of(p, results->row->goal), top - 2, height + 3,
                "stroke='#111' stroke-width='2'");
    }
    p->y += GAP;
}

static bool is_drawn(const bench_result* result) {
    const bench_row* row = result->row;
    const bool is_ratio = row->limit <= 0 && row->share <= 0 && row->speedup <= 0;
    return is_ratio && result_ratio(result) > 0;
}

// What a row reached and was to reach, where that is no ratio to raw.
static void tell_reached(const bench_result* result, char* words, size_t size) {
    const bench_row* row = result->row;
    if (row->speedup > 0) {
        snprintf(words, size, "%.2f times as quick by two threads (raw %.2f), goal at least %.2f",
                 result_speedup(result), result_raw_speedup(result), row->speedup);
    } else if (row->share > 0) {
        snprintf(words, size, "%.1f %% of the full work, goal at most %.0f",
                 result_share(result) * 100, row->share * 100);
    } else {
        snprintf(words, size, "%.1f %s, goal at most %.0f", result->outcome.ilk.min, row_unit(row),
                 row->limit);
    }
}

// Rows whose goal is no ratio to raw are told in words.
static void tell_row(picture* p, const bench_result* result) {
    char reached[100], words[200];
    const char* mark[] = {"", ": reached", ": not reached"};
    tell_reached(result, reached, sizeof reached);
    snprintf(words, sizeof words, "%s, n = %u: %s%s", result->row->name, result->n, reached,
             mark[result_verdict(result)]);
    text(p, 20, p->y + 10, "font-size='11' fill='#444'", words);
    p->y += TOLD;
}

static void draw_scale(const picture* p, double bottom) {
    for (double ratio = LEAST; ratio <= p->most; ratio *= 2) {
        char words[16];
        const char* look = ratio == 1 ? "stroke='#666'" : "stroke='#e2e2dc'";
        snprintf(words, sizeof words, "%g", ratio);
        upright(p, x_of(p, ratio), TOP - 6, bottom - TOP + 6, look);
        text(p, x_of(p, ratio), TOP - 12, "font-size='11' text-anchor='middle' fill='#444'", words);
    }
}

static void draw_legend(const picture* p) {
    static const struct {
        const char *colour, *words;
    } entries[] = {
        {"#2e8b57", "100,000, goal reached"},
        {"#cc4b37", "100,000, not reached"},
        {"#c3cfd9", "1,000"},
        {"#8fa3b5", "1,000,000"},
        {"#111", "goal"},
    };
    double x = 20;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        rectangle(p, x, 48, entries[i].colour[4] ? 12 : 2, 10, entries[i].colour);
        text(p, x + 17, 57, "font-size='11' fill='#333'", entries[i].words);
        x += 165;
    }
}

static double scale_end(const bench_result* results, uint32_t count) {
    double most = 8;
    for (uint32_t i = 0; i < count; i++) {
        while (is_drawn(&results[i]) && result_ratio(&results[i]) > most) most *= 2;
    }
    return most;
}

static double bars_height(const bench_result* results, uint32_t count) {
    double height = 0;
    for (uint32_t i = 0, length; i < count; i += length) {
        length = row_length(results + i, count - i);
        if (is_drawn(&results[i])) height += BAR * length + GAP;
    }
    return height;
}

static double words_height(const bench_result* results, uint32_t count) {
    double height = 24;
    for (uint32_t i = 0; i < count; i++) height += is_drawn(&results[i]) ? 0 : TOLD;
    return height;
}

static void draw(picture* p, const bench_result* results, uint32_t count) {
    const double bottom = TOP + bars_height(results, count);
    fprintf(p->file,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' "
            "font-family='sans-serif'>\n",
            WIDTH, bottom + words_height(results, count));
    fprintf(p->file, "<rect width='100%%' height='100%%' fill='#fbfbf8'/>\n");
    text(p, 20, 30, "font-size='18' fill='#111'",
         "ilk ÷ hand-written arrays, time per operation (memory rows: bytes); less is better");
    draw_legend(p);
    draw_scale(p, bottom);
    p->y = TOP;
    for (uint32_t i = 0, length; i < count; i += length) {
        length = row_length(results + i, count - i);
        if (is_drawn(&results[i])) draw_row(p, results + i, length);
    }
    p->y += 8;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_drawn(&results[i])) tell_row(p, &results[i]);
    }
    fprintf(p->file, "</svg>\n");
}

bool report_svg(const bench_result* results, uint32_t count, const char* path) {
    picture p = {.file = fopen(path, "w"), .most = scale_end(results, count)};
    if (!p.file) {
        perror(path);
        return false;
    }
    draw(&p, results, count);
    return fclose(p.file) == 0;
}
