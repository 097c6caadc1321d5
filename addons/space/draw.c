// What a space is, as numbers, as text and as a picture.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "space.h"

static void parts(const ilk_space* space, ilks_part_fn* fn, void* context) {
    (space->is_tree ? ilks_tree_parts : ilks_grid_parts)(space, fn, context);
}

static void count_part(void* context, const double box[6], uint32_t count) {
    ilk_space_stats* stats = context;
    (void)box;
    stats->parts++;
    if (count > stats->fullest) stats->fullest = count;
}

ilk_space_stats ilk_space_stats_of(const ilk_space* space) {
    if (!space) return (ilk_space_stats){0};
    ilk_space_stats stats = space->stats;
    stats.count = space->count;
    stats.kind = space->is_tree ? ILK_SPACE_TREE : ILK_SPACE_GRID;
    stats.cell = space->is_tree ? 0 : space->grid.side;
    stats.bytes = space->memory.bytes;
    parts(space, count_part, &stats);
    return stats;
}

// Text, of which as much is written as there is room for.
typedef struct writer {
    char* text;
    size_t size, length;
} writer;

static void put(writer* out, const char* format, ...) __attribute__((format(printf, 2, 3)));
static void put(writer* out, const char* format, ...) {
    bool is_room = out->text && out->length < out->size;
    va_list list;
    va_start(list, format);
    int length = vsnprintf(is_room ? out->text + out->length : NULL,
                           is_room ? out->size - out->length : 0, format, list);
    va_end(list);
    if (length > 0) out->length += (size_t)length;
}

static writer begin(char* text, size_t size) {
    if (text && size) text[0] = 0;
    return (writer){text, text ? size : 0, 0};
}

#define SHOWN 20u

static void put_entity(writer* out, const ilk_space* space, uint32_t index, const ilks_slot* slot) {
    const ilks_store* store = &space->store;
    double numbers[6];
    ilks_slot_read(space, slot, numbers);
    put(out, "  %u:%u at", index, slot->generation);
    for (uint32_t i = 0; i < store->numbers; i++) {
        put(out, "%s %g", i == store->dims ? " to" : "", numbers[i]);
    }
    put(out, "\n");
}

size_t ilk_space_dump(const ilk_space* space, char* text, size_t size) {
    writer out = begin(text, size);
    if (!space) return 0;
    ilk_space_stats stats = ilk_space_stats_of(space);
    put(&out, "%s(size=%u) \"%s\", %u dimensions, %s %u, at most %u in one, ",
        space->is_tree ? "Tree" : "Grid", stats.count, space->name, space->store.dims,
        space->is_tree ? "leaves" : "cells", stats.parts, stats.fullest);
    if (!space->is_tree) put(&out, "side %g, ", stats.cell);
    put(&out, "%zu bytes; refreshed %llu times, built %llu, %llu positions compared, %llu moved\n",
        stats.bytes, (unsigned long long)stats.refreshes, (unsigned long long)stats.builds,
        (unsigned long long)stats.looked_at, (unsigned long long)stats.moved);
    uint32_t shown = 0;
    const ilks_slot* slot;
    for (uint32_t i = 0; shown < SHOWN && (slot = ilks_next_in(space, &i)); i++, shown++) {
        put_entity(&out, space, i, slot);
    }
    if (stats.count > shown) put(&out, "  … and %u more\n", stats.count - shown);
    return out.length;
}

// Pictures

#define WIDTH 800.0

typedef struct picture {
    writer out;
    const double* bounds;
    double scale, height;
} picture;

static double across(const picture* p, double x) {
    return 10 + (x - p->bounds[0]) * p->scale;
}

static double down(const picture* p, double y) {
    return 10 + p->height - (y - p->bounds[1]) * p->scale;
}

static void put_rectangle(picture* p, const char* look, double left, double low, double right,
                          double high) {
    put(&p->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
        look, across(p, left), down(p, high), (right - left) * p->scale, (high - low) * p->scale);
}

static void put_part(void* context, const double box[6], uint32_t count) {
    (void)count;
    put_rectangle(context, "part", box[0], box[1], box[3], box[4]);
}

static void put_dots(picture* p, const ilk_space* space) {
    uint32_t dims = space->store.dims;
    const ilks_slot* slot;
    for (uint32_t i = 0; (slot = ilks_next_in(space, &i)); i++) {
        double at[6];
        ilks_slot_read(space, slot, at);
        const double* high = at + (space->store.numbers - dims);
        if (high[0] > at[0] || high[1] > at[1])
            put_rectangle(p, "box", at[0], at[1], high[0], high[1]);
        else
            put(&p->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.5\"/>\n", across(p, at[0]),
                down(p, at[1]));
    }
}

size_t ilk_space_draw(const ilk_space* space, char* text, size_t size) {
    static const double nothing[6] = {0, 0, 0, 1, 1, 1};
    writer out = begin(text, size);
    if (!space) return 0;
    picture p = {.out = out, .bounds = space->count ? space->bounds : nothing};
    double wide = p.bounds[3] - p.bounds[0], high = p.bounds[4] - p.bounds[1];
    double most = wide > high ? wide : high;
    p.scale = most > 0 && most < 1e300 ? WIDTH / most : 1;
    p.height = high * p.scale;
    put(&p.out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\">\n"
        "<style>rect{fill:none;stroke-width:.6}.part{stroke:#b9c4cf}.box{stroke:#c4472b}"
        "circle{fill:#c4472b}</style>\n<rect width=\"100%%\" height=\"100%%\" "
        "style=\"fill:#fff\"/>\n",
        wide * p.scale + 20, p.height + 20);
    parts(space, put_part, &p);
    put_dots(&p, space);
    put(&p.out, "</svg>\n");
    return p.out.length;
}
