// Space: an index of positions, built, kept up to date and asked; for a crowd that is evenly
// spread, and for one in clusters.
//
// Raw has positions in an array. Its index is a grid made anew each time, by counting: what a
// program would write by hand. Its answers come from looking at everybody.
#include <ilk/space.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "stage.h"

typedef struct Where {
    float at[3];
} Where;
ILK_COMPONENT_WITH(Where, .fields = ILK_FIELDS(ILK_FIELD(Where, at)));

enum {
    QUESTIONS = 64,
    FEW = 8,
    FOUND = 10
};

static const bool even = false, clustered = true;

typedef struct crowd {
    uint32_t n;
    Where* places; // raw: of all; ilk: of those who are asked about
    float side;    // of the cube in which they are
    // Raw: the grid.
    uint32_t cells; // along a side
    uint32_t *begins, *members;
    ilk_world* world; // ilk
    ilk_space* space;
    ilk_entity* entities;
    uint32_t round;
    float radii[QUESTIONS];
    uint64_t sum;
} crowd;

static float part_of(uint32_t number) {
    return (float)(stage_hash(number) >> 8) / 16777216.0f;
}

static Where place_of(bool is_clustered, float side, uint32_t i) {
    Where where;
    for (uint32_t k = 0; k < 3; k++) {
        float at = part_of(3 * i + k);
        uint32_t cluster = stage_hash(i) % 24;
        if (is_clustered) at = part_of(1000003 + 3 * cluster + k) * 0.95f + at * at * at * 0.05f;
        where.at[k] = at * side;
    }
    return where;
}

static crowd* make_crowd(const void* about, uint32_t n) {
    crowd* c = calloc(1, sizeof *c);
    if (!c) abort();
    c->n = n;
    c->side = (float)cbrt(n);
    c->places = stage_alloc(n, sizeof *c->places);
    for (uint32_t i = 0; i < n; i++) c->places[i] = place_of(*(const bool*)about, c->side, i);
    return c;
}

// Raw: a grid by counting

static uint32_t cell_at(const crowd* c, const Where* where) {
    uint32_t cell = 0;
    for (uint32_t k = 0; k < 3; k++) {
        float at = where->at[k] / c->side * (float)c->cells;
        uint32_t part = at > 0 ? (uint32_t)at : 0;
        cell = cell * c->cells + (part < c->cells ? part : c->cells - 1);
    }
    return cell;
}

static uint64_t raw_build(void* state) {
    crowd* c = state;
    uint32_t all = c->cells * c->cells * c->cells;
    memset(c->begins, 0, (all + 2) * sizeof *c->begins);
    for (uint32_t i = 0; i < c->n; i++) c->begins[cell_at(c, &c->places[i]) + 2]++;
    for (uint32_t i = 0; i < all; i++) c->begins[i + 2] += c->begins[i + 1];
    for (uint32_t i = 0; i < c->n; i++) {
        c->members[c->begins[cell_at(c, &c->places[i]) + 1]++] = i;
    }
    return c->n;
}

static void* raw_setup(const void* about, uint32_t n) {
    crowd* c = make_crowd(about, n);
    c->cells = (uint32_t)cbrt(n / 5.0) + 1;
    c->begins = stage_alloc(c->cells * c->cells * c->cells + 2, sizeof *c->begins);
    c->members = stage_alloc(n, sizeof *c->members);
    raw_build(c);
    return c;
}

static void raw_teardown(void* state) {
    crowd* c = state;
    free(c->begins);
    free(c->members);
    free(c->places);
    free(c);
}

static uint64_t checksum(const void* state) {
    return ((const crowd*)state)->sum;
}

// Ilk

static void* ilk_setup(const void* about, uint32_t n) {
    crowd* c = make_crowd(about, n);
    c->world = ilk_world_create(NULL);
    c->entities = stage_alloc(n, sizeof *c->entities);
    for (uint32_t i = 0; i < n; i++) {
        c->entities[i] = ILK_SPAWN(c->world, ILK_VALUE_AT(Where, &c->places[i]));
    }
    c->space =
        ilk_space_create(c->world, &(ilk_space_desc){.type = &Where_type, .is_manual = true});
    if (!c->space) abort();
    ilk_space_refresh(c->space);
    return c;
}

static void ilk_teardown(void* state) {
    crowd* c = state;
    ilk_space_destroy(c->space);
    ilk_world_destroy(c->world);
    free(c->entities);
    free(c->places);
    free(c);
}

static uint64_t ilk_build(void* state) {
    crowd* c = state;
    ilk_space_destroy(c->space);
    c->space =
        ilk_space_create(c->world, &(ilk_space_desc){.type = &Where_type, .is_manual = true});
    if (ilk_space_stats_of(c->space).count != c->n) abort();
    return c->n;
}

static uint64_t ilk_refresh(void* state) {
    crowd* c = state;
    ilk_space_refresh(c->space);
    return c->n;
}

// Moving: a little to and fro.

static float step_of(crowd* c) {
    return c->round++ % 2 ? -0.1f : 0.1f;
}

static void raw_move(crowd* c, uint32_t every) {
    const uint32_t* order = stage_order(c->n);
    float step = step_of(c);
    for (uint32_t i = 0; i < c->n; i += every) c->places[order[i]].at[0] += step;
}

static void ilk_move(crowd* c, uint32_t every) {
    const uint32_t* order = stage_order(c->n);
    float step = step_of(c);
    for (uint32_t i = 0; i < c->n; i += every) {
        ILK_EDIT(c->world, c->entities[order[i]], Where)->at[0] += step;
    }
}

static void raw_move_some(void* state) {
    raw_move(state, 100);
}
static void raw_move_all(void* state) {
    raw_move(state, 1);
}
static void ilk_move_some(void* state) {
    ilk_move(state, 100);
}
static void ilk_move_all(void* state) {
    ilk_move(state, 1);
}

// Asking

static uint32_t asked(const crowd* c, uint32_t question) {
    return stage_picks(c->n)[question];
}

// Where a tenth one is found.
static void find_radii(crowd* c, ilk_space* space) {
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        const float* at = c->places[asked(c, i)].at;
        ilk_hit hits[FOUND];
        ilk_ask ask = {.at = {at[0], at[1], at[2]}};
        uint32_t count = ilk_space_nearest(space, &ask, hits, FOUND);
        c->radii[i] = (float)hits[count - 1].distance * 1.0001f;
    }
}

static void* ilk_setup_to_ask(const void* about, uint32_t n) {
    crowd* c = ilk_setup(about, n);
    find_radii(c, c->space);
    return c;
}

static void* raw_setup_to_ask(const void* about, uint32_t n) {
    crowd *c = raw_setup(about, n), *other = ilk_setup_to_ask(about, n);
    memcpy(c->radii, other->radii, sizeof c->radii);
    ilk_teardown(other);
    return c;
}

static uint64_t ilk_radius(void* state) {
    crowd* c = state;
    ilk_hit hits[64];
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        const float* at = c->places[asked(c, i)].at;
        ilk_ask ask = {
            .shape = ILK_SHAPE_SPHERE, .at = {at[0], at[1], at[2]}, .radius = c->radii[i]};
        uint32_t count = ilk_space_find(c->space, &ask, hits, 64);
        for (uint32_t k = 0; k < count && k < 64; k++) c->sum += hits[k].entity.index;
    }
    return QUESTIONS;
}

static uint64_t ilk_nearest(void* state) {
    crowd* c = state;
    ilk_hit hits[FEW];
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        const float* at = c->places[asked(c, i)].at;
        uint32_t count =
            ilk_space_nearest(c->space, &(ilk_ask){.at = {at[0], at[1], at[2]}}, hits, FEW);
        for (uint32_t k = 0; k < count; k++) c->sum += hits[k].entity.index;
    }
    return QUESTIONS;
}

static double square_to(const crowd* c, uint32_t i, const float* at) {
    double sum = 0;
    for (uint32_t k = 0; k < 3; k++) {
        double away = (double)at[k] - (double)c->places[i].at[k];
        sum += away * away;
    }
    return sum;
}

static uint64_t raw_radius(void* state) {
    crowd* c = state;
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        const float* at = c->places[asked(c, i)].at;
        double limit = (double)c->radii[i] * (double)c->radii[i];
        for (uint32_t k = 0; k < c->n; k++) {
            if (square_to(c, k, at) < limit) c->sum += k;
        }
    }
    return QUESTIONS;
}

static uint64_t raw_nearest(void* state) {
    crowd* c = state;
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        const float* at = c->places[asked(c, i)].at;
        struct {
            double square;
            uint32_t index;
        } best[FEW];
        uint32_t count = 0;
        for (uint32_t k = 0; k < c->n; k++) {
            double square = square_to(c, k, at);
            if (count == FEW && square >= best[FEW - 1].square) continue;
            if (count < FEW) count++;
            uint32_t place = count - 1;
            for (; place && best[place - 1].square > square; place--) best[place] = best[place - 1];
            best[place].square = square;
            best[place].index = k;
        }
        for (uint32_t k = 0; k < count; k++) c->sum += best[k].index;
    }
    return QUESTIONS;
}

#define BUILD(crowd_)                                                                              \
    {                                                                                              \
        .about = &crowd_, .raw = {raw_setup, raw_build, checksum, raw_teardown, NULL}, .ilk = {    \
            ilk_setup,                                                                             \
            ilk_build,                                                                             \
            checksum,                                                                              \
            ilk_teardown,                                                                          \
            NULL                                                                                   \
        }                                                                                          \
    }
#define REFRESH(crowd_, moves)                                                                     \
    {                                                                                              \
        .about = &crowd_, .raw = {raw_setup, raw_build, checksum, raw_teardown, raw_##moves},      \
        .ilk = {ilk_setup, ilk_refresh, checksum, ilk_teardown, ilk_##moves}, .full = {            \
            ilk_setup,                                                                             \
            ilk_build,                                                                             \
            checksum,                                                                              \
            ilk_teardown,                                                                          \
            ilk_##moves                                                                            \
        }                                                                                          \
    }
#define QUESTION(crowd_, question)                                                                 \
    {                                                                                              \
        .about = &crowd_, .raw = {raw_setup_to_ask, raw_##question, checksum, raw_teardown, NULL}, \
        .ilk = {                                                                                   \
            ilk_setup_to_ask,                                                                      \
            ilk_##question,                                                                        \
            checksum,                                                                              \
            ilk_teardown,                                                                          \
            NULL                                                                                   \
        }                                                                                          \
    }

const bench_work work_space_build = BUILD(even);
const bench_work work_space_refresh_1pct = REFRESH(even, move_some);
const bench_work work_space_refresh_all = REFRESH(even, move_all);
const bench_work work_space_radius = QUESTION(even, radius);
const bench_work work_space_nearest_8 = QUESTION(even, nearest);
const bench_work work_space_build_clustered = BUILD(clustered);
const bench_work work_space_refresh_1pct_clustered = REFRESH(clustered, move_some);
const bench_work work_space_refresh_all_clustered = REFRESH(clustered, move_all);
const bench_work work_space_radius_clustered = QUESTION(clustered, radius);
const bench_work work_space_nearest_8_clustered = QUESTION(clustered, nearest);
