// Going through what pieces logged, in their order: the model does the same, and must have seen the
// same.
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool run_is_scrawled(const run_occasion* o, ilk_entity e) {
    return o->is_writing && (o->seed + e.index) % 3;
}

uint32_t run_scrawl_seed(const run_occasion* o, ilk_entity e) {
    return (uint32_t)o->seed + e.index;
}

void run_look(uint64_t* look, uint32_t type, const void* value) {
    size_t size = catalog_models()[type].size;
    uint64_t its = !size ? 3 : value ? catalog_look(type, value) : 5;
    *look = (*look ^ its) * 0x9e3779b97f4a7c15u;
}

// Order

// Where each slot comes in the list of all that matches, from 1.
static uint32_t* places_of(const run_side* s, const run_occasion* o) {
    uint32_t* places = calloc(s->model->slot_count + 1, sizeof *places);
    if (!places) abort();
    for (uint32_t i = 0; i < o->count; i++)
        if (model_alive(s->model, o->all[i])) places[o->all[i].index] = i + 1;
    return places;
}

static uint32_t place_of(const run_side* s, const uint32_t* places, const run_piece* p) {
    bool is_known = p->count && model_alive(s->model, p->rows[0]);
    return is_known ? places[p->rows[0].index] : 0;
}

static run_piece* sort_pieces(const run_side* s, const uint32_t* places, run_piece* pieces) {
    run_piece* sorted = NULL;
    while (pieces) {
        run_piece *p = pieces, **at = &sorted;
        pieces = p->next;
        while (*at && place_of(s, places, *at) < place_of(s, places, p)) at = &(*at)->next;
        p->next = *at;
        *at = p;
    }
    return sorted;
}

// Of a function for each entity, the rows come in any order.
static void sort_rows(run_side* s, const uint32_t* places, const run_occasion* o, run_piece* p) {
    uint64_t* looks = calloc(o->count + 1, sizeof *looks);
    bool* is_there = calloc(o->count + 1, sizeof *is_there);
    uint32_t count = 0;
    if (!looks || !is_there) abort();
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t place = model_alive(s->model, p->rows[i]) ? places[p->rows[i].index] : 0;
        looks[place] = p->looks[i];
        is_there[place] = true;
        count += place && ilk_same(o->all[place - 1], p->rows[i]);
    }
    for (uint32_t i = 1, to = 0; i <= o->count && count == p->count; i++) {
        if (!is_there[i] || to == count) continue;
        p->looks[to] = looks[i];
        p->rows[to++] = o->all[i - 1];
    }
    free(looks);
    free(is_there);
}

// Rows

static void judge_values(run* r, run_side* s, const run_occasion* o, ilk_entity e, uint64_t look,
                         bool is_each) {
    const model_query* q = o->query;
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        ilk_access access = q->terms[i].access;
        uint32_t type = q->terms[i].type;
        bool is_written = access == ILK_ACCESS_WRITE;
        if (!is_written && access != ILK_ACCESS_READ && access != ILK_ACCESS_MAYBE) continue;
        model_component* c = model_find(s->model, e, type);
        run_look(&wanted, type, model_sees(s->model, q, e, type) ? c->bytes : NULL);
        if (!is_written || !c) continue;
        if (o->is_writing || is_each) model_mark(s->model, e, type);
        if (run_is_scrawled(o, e) && catalog_models()[type].size)
            catalog_scrawl(type, run_scrawl_seed(o, e), c->bytes);
    }
    RUN_CHECK(r, look == wanted, "%s: a piece saw other values of {%u, %u}", s->name, e.index,
              e.generation);
}

// The rows of a piece lie side by side in the list; `next` is the first that no piece has had.
static void judge_rows(run* r, run_side* s, run_pass* pass, const run_piece* p,
                       const uint32_t* places, uint32_t* next) {
    const run_occasion* o = p->of;
    uint32_t first = place_of(s, places, p);
    RUN_CHECK(r, first, "%s: a piece has {%u, %u}, which does not match", s->name, p->rows[0].index,
              p->rows[0].generation);
    RUN_CHECK(r, first > *next, "%s: two pieces have the same row", s->name);
    for (uint32_t i = 0; i < p->count && !r->outcome->failed; i++) {
        ilk_entity e = p->rows[i];
        bool is_next = first - 1 + i < o->count && ilk_same(o->all[first - 1 + i], e);
        RUN_CHECK(r, is_next, "%s: a piece has {%u, %u} out of order", s->name, e.index,
                  e.generation);
        if (r->outcome->failed || !run_pass_see(r, s, pass, e)) return;
        judge_values(r, s, o, e, p->looks[i], o->system->is_each);
    }
    *next = first - 1 + p->count;
}

// Commands

static void judge_deed(run* r, run_side* s, run_buffer* b, run_deed* d) {
    ilk_entity wanted = {0};
    model_command command = {.verb = d->verb,
                             .entity = d->entity,
                             .values = d->values,
                             .count = d->count,
                             .user = d->user,
                             .change = d->change};
    model_take_over(s->model, &d->made, 1);
    model_faults faults = model_cmd_record(s->model, &b->model, command, &wanted);
    bool is_right = faults ? d->result != ILK_OK && (faults >> d->result & 1) : d->result == ILK_OK;
    RUN_CHECK(r, is_right, "%s: a piece recorded %s with %s", s->name, run_verb_name(d->verb),
              ilk_result_name(d->result));
    RUN_CHECK(r, ilk_same(d->made, wanted), "%s: a piece was given {%u, %u}, not {%u, %u}", s->name,
              d->made.index, d->made.generation, wanted.index, wanted.generation);
    run_note(r, (uint64_t)d->made.index << 32 | d->made.generation);
    run_note(r, (uint64_t)d->verb << 32 | d->result);
    if (!ilk_is_null(wanted)) run_remember_handle(s, wanted);
}

static void judge_deeds(run* r, run_side* s, run_piece* p) {
    run_buffer* b = &s->commands.buffers[RUN_SYSTEM_BUFFER(p->of->system->place)];
    for (uint32_t i = 0; i < p->deed_count && !r->outcome->failed; i++)
        judge_deed(r, s, b, &p->deeds[i]);
}

static void judge_piece(run* r, run_side* s, run_piece* p, double seconds) {
    RUN_CHECK(r, !p->complaint, "%s: %s", s->name, p->complaint);
    RUN_CHECK(r, p->messages == p->expected, "%s: a piece heard %u messages, not %u", s->name,
              p->messages, p->expected);
    RUN_CHECK(r, p->of->system->is_each || fabs(p->dt - seconds) < 1e-9,
              "%s: dt of a piece is %g, not %g", s->name, p->dt, seconds);
    if (p->messages) s->is_error_open = true; // the thread that ran it knows, which may be ours
    judge_deeds(r, s, p);
}

// Forgetting

static void free_piece(run_piece* p) {
    for (uint32_t i = 0; i < p->deed_count; i++)
        for (uint32_t k = 0; k < p->deeds[i].count; k++)
            free((void*)(uintptr_t)p->deeds[i].values[k].bytes);
    free(p->rows);
    free(p->looks);
    free(p);
}

static bool is_queued_by(const run_piece* p, const run_errand* a) {
    for (uint32_t i = 0; i < p->deed_count; i++)
        if (p->deeds[i].user == a && p->deeds[i].result == ILK_OK) return true;
    return false;
}

static void free_errands(const run_occasion* o) {
    for (uint32_t i = 0; i < PIECE_ERRANDS; i++) {
        bool is_queued = false;
        for (const run_piece* p = o->pieces; p; p = p->next)
            is_queued |= is_queued_by(p, o->errands[i]);
        if (o->errands[i] && !is_queued) o->errands[i]->is_queued = false;
    }
}

static void forget_first(run_system* its) {
    run_occasion* o = its->first;
    its->first = o->next;
    free_errands(o);
    while (o->pieces) {
        run_piece* p = o->pieces;
        o->pieces = p->next;
        free_piece(p);
    }
    free(o->all);
    free(o);
    its->side->schedule.unjudged--;
}

void run_forget_pieces(run_system* its) {
    while (its->first) forget_first(its);
}

// Together

static void walk_pieces(run* r, run_side* s, const run_occasion* o, run_pass* pass,
                        const uint32_t* places) {
    bool is_left = false;
    uint32_t next = 0;
    for (run_piece* p = o->pieces; p && !r->outcome->failed; p = p->next) {
        if (p->count) judge_rows(r, s, pass, p, places, &next);
        is_left |= p->is_left;
    }
    if (r->outcome->failed) return;
    o->system->rows += pass->seen_count;
    if (is_left)
        run_pass_closed(s, pass);
    else
        run_pass_finish(r, s, pass);
}

void run_judge_pieces(run* r, run_side* s, uint32_t place, uint64_t ns) {
    run_system* its = &s->schedule.systems[place];
    run_occasion* o = its->first;
    RUN_CHECK(r, o && o->pieces, "%s: %s did not run", s->name, run_system_name(place));
    if (r->outcome->failed) return;
    uint32_t* places = places_of(s, o);
    o->pieces = sort_pieces(s, places, o->pieces);
    if (its->is_each) sort_rows(s, places, o, o->pieces);
    run_pass* pass = run_pass_start(r, s, RUN_SYSTEM_QUERY(place), 0);
    pass->is_pinned = true;
    run_pass_opened(s, pass);
    walk_pieces(r, s, o, pass, places);
    free(places);
    for (run_piece* p = o->pieces; p && !r->outcome->failed; p = p->next)
        judge_piece(r, s, p, (double)ns / 1e9);
    if (r->outcome->failed) return;
    run_pass_forget(pass);
    its->calls++;
    forget_first(its);
}
