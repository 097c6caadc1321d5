// A world that is sent: one in a hundred positions is written, somewhere; what makes the world
// before the world now is made, and applied to another world. Raw looks for the positions that
// differ from those that it sent last, writes down where and what, and reads that into another
// array.
#include <ilk/delta.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "stage.h"

static ilk_type* const types[] = {&Position_type, &Velocity_type, &Comflab_type};
static const population people = {types, 3, .all = 7};

enum {
    ONE_IN = 100
};

typedef struct raw_note {
    uint32_t at;
    Position is;
} raw_note;

typedef struct raw_link {
    raw_stage* stage;
    Position *sent, *there;
    raw_note* notes;
    uint32_t seed;
} raw_link;

static uint32_t next_place(uint32_t* seed, uint32_t n) {
    *seed = *seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)*seed * n >> 32);
}

static void* raw_setup(const void* about, uint32_t n) {
    raw_link* link = stage_alloc(1, sizeof *link);
    link->stage = raw_stage_full(about, n);
    link->sent = stage_alloc(n, sizeof *link->sent);
    link->there = stage_alloc(n, sizeof *link->there);
    link->notes = stage_alloc(n, sizeof *link->notes);
    memcpy(link->sent, link->stage->groups[0].columns[0], n * sizeof *link->sent);
    memcpy(link->there, link->sent, n * sizeof *link->there);
    link->seed = 1;
    return link;
}

static void raw_teardown(void* state) {
    raw_link* link = state;
    raw_stage_free(link->stage);
    free(link->sent);
    free(link->there);
    free(link->notes);
    free(link);
}

static uint64_t raw_checksum(const void* state) {
    const raw_link* link = state;
    Position* here = link->stage->groups[0].columns[0];
    memcpy(here, link->there, link->stage->n * sizeof *here);
    return raw_stage_checksum(link->stage);
}

static void raw_change(void* state) {
    raw_link* link = state;
    Position* p = link->stage->groups[0].columns[0];
    for (uint32_t i = 0; i < link->stage->n / ONE_IN; i++) {
        p[next_place(&link->seed, link->stage->n)].x += 1;
    }
}

static uint64_t raw_send(void* state) {
    raw_link* link = state;
    const Position* p = link->stage->groups[0].columns[0];
    uint32_t count = 0;
    for (uint32_t i = 0; i < link->stage->n; i++) {
        if (memcmp(&p[i], &link->sent[i], sizeof *p) == 0) continue;
        link->notes[count++] = (raw_note){i, p[i]};
        link->sent[i] = p[i];
    }
    for (uint32_t i = 0; i < count; i++) link->there[link->notes[i].at] = link->notes[i].is;
    return link->stage->n / ONE_IN;
}

typedef struct ilk_link_between {
    ilk_stage *stage, *there;
    ilk_snapshot* sent;
    uint32_t seed;
} ilk_link_between;

static void* ilk_setup(const void* about, uint32_t n) {
    ilk_link_between* link = stage_alloc(1, sizeof *link);
    link->stage = ilk_stage_full(about, n);
    link->there = ilk_stage_full(about, n);
    link->sent = ilk_snapshot_take(link->stage->world);
    link->seed = 1;
    return link;
}

static void ilk_teardown(void* state) {
    ilk_link_between* link = state;
    ilk_stage_free(link->stage);
    ilk_stage_free(link->there);
    free(link);
}

static uint64_t ilk_checksum(const void* state) {
    return ilk_stage_checksum(((const ilk_link_between*)state)->there);
}

static void ilk_change(void* state) {
    ilk_link_between* link = state;
    const ilk_stage* s = link->stage;
    for (uint32_t i = 0; i < s->n / ONE_IN; i++) {
        ilk_entity e = s->entities[next_place(&link->seed, s->n)];
        ILK_EDIT(s->world, e, Position)->x += 1;
    }
}

static uint64_t ilk_send(void* state) {
    ilk_link_between* link = state;
    size_t size;
    ilk_snapshot* now = ilk_snapshot_take(link->stage->world);
    const void* bytes = ilk_delta_make(link->sent, now, &size);
    if (ilk_delta_apply(link->there->world, bytes, size) != ILK_OK) {
        fprintf(stderr, "%s\n", ilk_error(link->there->world).text);
        exit(1);
    }
    ilk_snapshot_release(link->sent);
    link->sent = now;
    return link->stage->n / ONE_IN;
}

const bench_work work_delta_1pct = {
    .about = &people,
    .raw = {raw_setup, raw_send, raw_checksum, raw_teardown, raw_change},
    .ilk = {ilk_setup, ilk_send, ilk_checksum, ilk_teardown, ilk_change},
};
