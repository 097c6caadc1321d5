// Judging passes: which entities came, which should have.
#include "run.h"

#include <stdlib.h>

enum {
    MUST_COME = 1, // it matched when the pass began
    HAS_COME = 2,
    MAY_MISS = 4 // it ceased to match for a while
};

// Choosing

uint32_t run_pick_query(const run_side* s, uint32_t pick) {
    for (uint32_t i = 0; i < RUN_QUERIES; i++) {
        uint32_t query = (pick + i) % RUN_QUERIES;
        if (s->looking.queries[query].query) return query;
    }
    return RUN_QUERIES;
}

run_pass* run_pick_pass(run_side* s, uint32_t pick) {
    for (uint32_t i = 0; i < RUN_PASSES; i++) {
        run_pass* p = &s->looking.passes[(pick + i) % RUN_PASSES];
        if (p->exists && !p->is_pinned) return p;
    }
    return NULL;
}

static ilk_entity pick_ahead(const run_side* s, const run_pass* p, uint32_t pick) {
    for (uint32_t i = 0; i < p->slots && i < 24; i++) {
        uint32_t slot = (pick + i) % p->slots;
        if (!(p->marks[slot] & HAS_COME)) return model_entity_at(s->model, slot);
    }
    return (ilk_entity){0};
}

static const model_asked* asked_by(const run_side* s, uint32_t query, uint32_t pick) {
    const run_query* q = &s->looking.queries[query];
    uint32_t count = q->query ? q->model.relates_count : 0;
    return count ? &q->model.relates[pick % count] : NULL;
}

const model_asked* run_pick_asked(const run_side* s, uint32_t pick) {
    const model_asked* asked = NULL;
    for (uint32_t i = 0; i < RUN_PASSES && !asked; i++) {
        const run_pass* p = &s->looking.passes[(pick + i) % RUN_PASSES];
        if (p->exists && p->is_open) asked = asked_by(s, p->query, pick >> 8);
    }
    for (uint32_t i = 0; i < RUN_QUERIES && !asked; i++)
        asked = asked_by(s, (pick + i) % RUN_QUERIES, pick >> 8);
    return asked;
}

ilk_entity run_pick_passed(const run_side* s, uint32_t mode, uint32_t pick) {
    for (uint32_t i = 0; i < RUN_PASSES; i++) {
        const run_pass* p = &s->looking.passes[(mode + i) % RUN_PASSES];
        if (!p->exists || !p->is_open) continue;
        if (mode % 3 == 0 || p->seen_count == 0) return pick_ahead(s, p, pick);
        uint32_t from = mode % 3 == 1 && p->run_count ? p->seen_count - p->run_count : 0;
        return p->seen[from + pick % (p->seen_count - from)];
    }
    return (ilk_entity){0};
}

// Beginning and ending

static void* room(size_t count, size_t size) {
    void* memory = calloc(count + 1, size);
    if (!memory) abort();
    return memory;
}

void run_pass_forget(run_pass* p) {
    free(p->marks);
    free(p->ranks);
    free(p->places);
    free(p->seen);
    p->marks = NULL;
    p->ranks = NULL;
    p->places = NULL;
    p->seen = NULL;
    p->exists = false;
}

static run_pass* free_place(run_side* s, uint32_t seed) {
    for (uint32_t i = 0; i < RUN_PASSES; i++)
        if (!s->looking.passes[i].exists) return &s->looking.passes[i];
    run_pass* left = run_pick_pass(s, seed);
    run_pass_forget(left);
    return left;
}

// An order is that of those who match when the pass begins, whether or not they changed lately.
static void rank(const run_side* s, run_pass* p, const model_query* q) {
    uint32_t count = 0;
    ilk_entity* list = room(p->slots, sizeof *list);
    for (uint32_t i = 0; i < p->slots; i++) {
        ilk_entity e = model_handle(s->model, i);
        if (model_match(s->model, q, e, 0) != MODEL_DIFFERS) list[count++] = e;
    }
    bool is_by_depth = q->order_by_depth != MODEL_NO_TYPE;
    if (!is_by_depth) model_sort(s->model, q, list, count);
    p->ranks = room(p->slots, sizeof *p->ranks);
    for (uint32_t i = 0; i < count; i++)
        p->ranks[list[i].index] =
            1 + (is_by_depth ? model_depth(s->model, list[i], q->order_by_depth) : i);
    free(list);
}

run_pass* run_pass_start(run* r, run_side* s, uint32_t query, uint32_t seed) {
    const model_world* m = s->model;
    const model_query* q = &s->looking.queries[query].model;
    run_pass* p = free_place(s, seed);
    *p = (run_pass){.exists = true,
                    .query = query,
                    .begun = m->now,
                    .since = q->since,
                    .refused = r->plan.refused,
                    .slots = m->slot_count};
    p->marks = room(p->slots, sizeof *p->marks);
    p->seen = room(p->slots, sizeof *p->seen);
    for (uint32_t i = 0; i < p->slots; i++)
        if (model_match(m, q, model_handle(m, i), p->since) == MODEL_MATCHES)
            p->marks[i] = MUST_COME;
    if (model_query_is_ordered(q)) rank(s, p, q);
    return p;
}

void run_pass_survey(run_side* s, run_pass* p) {
    uint32_t most = s->model->alive;
    ilk_entity* list = room(most, sizeof *list);
    uint32_t count = ilk_query_collect(s->world, s->looking.all, list, most);
    p->places = room(p->slots, sizeof *p->places);
    for (uint32_t i = 0; i < count && i < most; i++)
        if (model_alive(s->model, list[i])) p->places[list[i].index] = i + 1;
    free(list);
}

static void forget_oldest(run_side* s) {
    run_passes* l = &s->looking;
    for (uint32_t i = 0; i < RUN_PASSES; i++) {
        run_pass* p = &l->passes[i];
        if (!p->exists || !p->is_open || p->serial != l->open[0].serial) continue;
        p->is_open = false;
        p->end = ILK_FULL;
    }
    l->open_count--;
    memmove(l->open, l->open + 1, l->open_count * sizeof l->open[0]);
}

void run_pass_opened(run_side* s, run_pass* p) {
    run_passes* l = &s->looking;
    if (l->open_count == RUN_OPEN) forget_oldest(s);
    p->is_open = true;
    p->serial = l->serial++;
    l->open[l->open_count++] = (run_open_iter){p->serial, p->query};
    l->queries[p->query].passes++;
}

void run_pass_in_passing(run_side* s) {
    if (s->looking.open_count == RUN_OPEN) forget_oldest(s);
    s->looking.serial++;
}

// The one with a serial number, or those of a query.
static void close_iters(run_side* s, uint32_t serial, uint32_t query) {
    run_passes* l = &s->looking;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->open_count; i++)
        if (l->open[i].serial != serial && l->open[i].query != query) l->open[kept++] = l->open[i];
    l->open_count = kept;
}

void run_pass_closed(run_side* s, run_pass* p) {
    if (p->is_open) close_iters(s, p->serial, RUN_QUERIES);
    p->is_open = false;
}

void run_end_passes(run_side* s, uint32_t query) {
    run_passes* l = &s->looking;
    for (uint32_t i = 0; i < RUN_PASSES; i++) {
        run_pass* p = &l->passes[i];
        if (!p->exists || (query != RUN_QUERIES && p->query != query)) continue;
        if (query != RUN_QUERIES) p->query = RUN_QUERIES;
        p->is_doubtful |= p->end == ILK_FULL; // now there are two reasons
        if (p->is_open) p->end = ILK_STALE;
        p->is_open = false;
    }
    if (query == RUN_QUERIES) l->open_count = 0;
    close_iters(s, UINT32_MAX, query);
}

void run_open_passes(run* r, run_side* s) {
    r->plan.paused = true;
    s->looking.all = ilk_query_create(s->world, &(ilk_query_desc){.inactive = true});
    r->plan.paused = false;
    RUN_CHECK(r, s->looking.all, "%s: no query, with memory", s->name);
}

void run_forget_passes(run_side* s) {
    for (uint32_t i = 0; i < RUN_PASSES; i++)
        if (s->looking.passes[i].exists) run_pass_forget(&s->looking.passes[i]);
    s->looking = (run_passes){0};
}

// What came

static bool may_come(run* r, const run_side* s, const run_pass* p, ilk_entity e) {
    const model_world* m = s->model;
    const model_query* q = &s->looking.queries[p->query].model;
    const char* fault = NULL;
    if (!model_alive(m, e))
        fault = "which is not alive";
    else if (m->slots[e.index].born > p->begun)
        fault = "which was created inside of it";
    else if (p->ranks && !p->ranks[e.index])
        fault = "which did not match when it began";
    else if (!p->ranks && m->slots[e.index].placed > p->begun)
        fault = "which got its first component inside of it";
    else if (p->marks[e.index] & HAS_COME)
        fault = "for the second time";
    else if (model_match(m, q, e, p->since) == MODEL_DIFFERS)
        fault = "which does not match";
    RUN_CHECK(r, !fault, "%s: a pass gave {%u, %u}, %s", s->name, e.index, e.generation, fault);
    return !fault;
}

// Those that never had a component come last, in order of index.
static void check_place(run* r, const run_side* s, run_pass* p, ilk_entity e) {
    if (s->model->slots[e.index].loose) return;
    bool is_bare = s->model->slots[e.index].placed == 0;
    bool is_late = is_bare ? e.index + 1 > p->bare : p->bare == 0;
    RUN_CHECK(r, is_late, "%s: a pass gave {%u, %u} too late", s->name, e.index, e.generation);
    if (is_bare) p->bare = e.index + 1;
}

// Those of one depth come as they lay when the pass began, as far as that is known.
static void check_rank(run* r, const run_side* s, run_pass* p, ilk_entity e) {
    const model_query* q = &s->looking.queries[p->query].model;
    uint32_t its = p->ranks[e.index], place = p->places ? p->places[e.index] : 0;
    bool is_by_depth = q->order_by_depth != MODEL_NO_TYPE;
    bool is_abreast = is_by_depth && its == p->rank && (!place || place > p->abreast);
    RUN_CHECK(r, its > p->rank || is_abreast, "%s: a pass gave {%u, %u} out of order", s->name,
              e.index, e.generation);
    p->rank = its;
    p->abreast = place;
}

bool run_pass_see(run* r, run_side* s, run_pass* p, ilk_entity e) {
    run_query* q = &s->looking.queries[p->query];
    run_note(r, (uint64_t)e.index << 32 | e.generation);
    if (!may_come(r, s, p, e)) return false;
    if (p->ranks)
        check_rank(r, s, p, e);
    else if (!p->is_cut)
        check_place(r, s, p, e);
    if (p->places) p->front = p->places[e.index];
    p->marks[e.index] |= HAS_COME;
    p->seen[p->seen_count++] = e;
    q->rows++;
    return true;
}

// One that matched all the time came, unless it got its place inside of the pass. An order does not
// go by places.
static bool is_owed(const run_side* s, const run_pass* p, uint32_t slot) {
    if (p->marks[slot] != MUST_COME) return false;
    const model_entity* its = &s->model->slots[slot];
    return p->ranks || (its->placed <= p->begun && its->moored <= p->begun);
}

void run_pass_finish(run* r, run_side* s, run_pass* p) {
    for (uint32_t i = 0; i < p->slots; i++)
        RUN_CHECK(r, !is_owed(s, p, i), "%s: a pass did not give {%u, %u}", s->name, i,
                  model_handle(s->model, i).generation);
    s->looking.queries[p->query].model.since = s->model->now;
    run_pass_closed(s, p);
    p->run_count = 0;
}

// What changed

// Whether one that was there, with a place, when the pass began has not been passed by.
static bool lies_ahead(const run_pass* p, const model_entity* its, uint32_t slot) {
    bool has_place = its->placed && its->placed <= p->begun && its->moored <= p->begun;
    return p->places && p->places[slot] > p->front && has_place && !its->loose;
}

static void follow_in_pass(const run_side* s, run_pass* p, uint32_t slot) {
    const model_query* q = &s->looking.queries[p->query].model;
    const model_entity* its = &s->model->slots[slot];
    ilk_entity e = model_handle(s->model, slot);
    bool matches = model_match(s->model, q, e, p->since) == MODEL_MATCHES;
    if (its->born > p->begun || !matches)
        p->marks[slot] |= MAY_MISS;
    else if (lies_ahead(p, its, slot) && !p->ranks && !model_query_is_lately(q))
        p->marks[slot] = MUST_COME;
}

static bool is_related_pass(const run_side* s, const run_pass* p) {
    return p->exists && p->is_open && s->looking.queries[p->query].model.relates_count > 0;
}

static bool has_related_pass(const run_side* s) {
    for (uint32_t i = 0; i < RUN_PASSES; i++)
        if (is_related_pass(s, &s->looking.passes[i])) return true;
    return false;
}

// Whether somebody who is as before may come to match, or cease to, because of those that it is
// related to.
static bool depends_on_others(const run_side* s, const run_pass* p, uint32_t slot) {
    const model_asked* asked = s->looking.queries[p->query].model.relates;
    return is_related_pass(s, p) && model_component_of(&s->model->slots[slot], asked[0].relation);
}

static void follow_slot(run_side* s, uint32_t slot, bool is_shifted) {
    for (uint32_t i = 0; i < RUN_PASSES; i++) {
        run_pass* p = &s->looking.passes[i];
        bool is_concerned = p->exists && p->is_open && slot < p->slots;
        if (is_concerned && !is_shifted) is_concerned = depends_on_others(s, p, slot);
        if (is_concerned && !(p->marks[slot] & HAS_COME)) follow_in_pass(s, p, slot);
    }
}

void run_follow_passes(run_side* s) {
    const model_world* m = s->model;
    bool is_due = s->looking.open_count && m->now != s->looking.followed;
    bool is_related = is_due && has_related_pass(s);
    for (uint32_t i = 0; is_due && i < m->slot_count; i++) {
        bool is_shifted = m->slots[i].shifted > s->looking.followed;
        if (is_shifted || is_related) follow_slot(s, i, is_shifted);
    }
    s->looking.followed = m->now;
}
