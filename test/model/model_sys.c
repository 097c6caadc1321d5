// Systems of the naive model: an update is a list of steps, made before it begins.
#include "model.h"

#include <stdlib.h>

#define NANOSECONDS 1e9

void model_schedule_init(model_schedule* m) {
    *m = (model_schedule){.phase_count = MODEL_ADDED, .scale = 1};
    for (uint32_t i = 0; i < MODEL_ADDED; i++) m->phases[i] = i;
}

// Phases

// Where a phase comes; phase_count if it is not there.
static uint32_t rank_of(const model_schedule* m, uint32_t phase) {
    uint32_t rank = 0;
    while (rank < m->phase_count && m->phases[rank] != phase) rank++;
    return rank;
}

bool model_has_phase(const model_schedule* m, uint32_t phase) {
    return rank_of(m, phase) < m->phase_count;
}

void model_phase_add(model_schedule* m, uint32_t phase, uint32_t after) {
    uint32_t at = m->phase_count++;
    for (; m->phases[at - 1] != after; at--) m->phases[at] = m->phases[at - 1];
    m->phases[at] = phase;
}

// Order

static bool is_named(const model_schedule* m, uint32_t names, uint32_t place) {
    return names & (MODEL_SYSTEM_BIT(place) | MODEL_PHASE_BIT(m->systems[place].phase));
}

static bool is_declared_before(const model_schedule* m, uint32_t a, uint32_t b) {
    return is_named(m, m->systems[a].before, b) || is_named(m, m->systems[b].after, a);
}

static bool must_precede(const model_schedule* m, uint32_t a, uint32_t b) {
    bool is_earlier = rank_of(m, m->systems[a].phase) < rank_of(m, m->systems[b].phase);
    return is_earlier || is_declared_before(m, a, b);
}

static bool comes_first(const model_schedule* m, uint32_t a, uint32_t b) {
    const model_system *left = &m->systems[a], *right = &m->systems[b];
    if (left->phase != right->phase) return rank_of(m, left->phase) < rank_of(m, right->phase);
    return left->order != right->order ? left->order < right->order : left->made < right->made;
}

static bool waits(const model_schedule* m, uint32_t place, const bool* is_left) {
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++)
        if (i != place && is_left[i] && must_precede(m, i, place)) return true;
    return false;
}

uint32_t model_order(const model_schedule* m, uint32_t order[MODEL_SYSTEMS]) {
    bool is_left[MODEL_SYSTEMS];
    uint32_t left = 0, count = 0;
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++) {
        is_left[i] = m->systems[i].exists && !m->systems[i].is_gone;
        left += is_left[i];
    }
    while (count < left) {
        uint32_t next = MODEL_SYSTEMS;
        for (uint32_t i = 0; i < MODEL_SYSTEMS; i++) {
            if (!is_left[i] || waits(m, i, is_left)) continue;
            if (next == MODEL_SYSTEMS || comes_first(m, i, next)) next = i;
        }
        if (next == MODEL_SYSTEMS) return UINT32_MAX;
        is_left[next] = false;
        order[count++] = next;
    }
    return count;
}

// Waves

static bool lists(const uint32_t* list, uint32_t type) {
    for (uint32_t i = 0; i < MODEL_DECLARED; i++)
        if (list[i] == type) return true;
    return false;
}

static bool asks_about(const model_query* q, uint32_t type) {
    return q->order_by == type || model_query_looks_at(q, type) ||
           model_query_asks(q, ILK_ACCESS_WRITE, type) ||
           model_query_asks(q, ILK_ACCESS_READ, type) ||
           model_query_asks(q, ILK_ACCESS_MAYBE, type) ||
           model_query_asks(q, ILK_ACCESS_CHANGED, type) ||
           model_query_asks(q, ILK_ACCESS_ADDED, type);
}

static bool uses(const model_system* its, uint32_t type) {
    if (type == MODEL_NO_TYPE) return false;
    return lists(its->reads, type) || lists(its->writes, type) ||
           (its->query && asks_about(its->query, type));
}

static bool uses_resource(const model_system* its, uint32_t type) {
    if (type == MODEL_NO_TYPE) return false;
    return lists(its->reads_resources, type) || lists(its->writes_resources, type);
}

static bool writes_for(const model_system* writer, const model_system* user) {
    const model_query* q = writer->query;
    for (uint32_t i = 0; q && i < q->count; i++)
        if (q->terms[i].access == ILK_ACCESS_WRITE && uses(user, q->terms[i].type)) return true;
    for (uint32_t i = 0; i < MODEL_DECLARED; i++)
        if (uses(user, writer->writes[i]) || uses_resource(user, writer->writes_resources[i]))
            return true;
    return false;
}

// Nobody knows what it uses.
static bool is_unbound(const model_system* its) {
    for (uint32_t i = 0; i < MODEL_DECLARED; i++)
        if (its->reads[i] != MODEL_NO_TYPE || its->writes[i] != MODEL_NO_TYPE ||
            its->reads_resources[i] != MODEL_NO_TYPE || its->writes_resources[i] != MODEL_NO_TYPE)
            return false;
    return !its->query;
}

bool model_may_write(const model_system* its, uint32_t type) {
    if (its->is_parallel || type == MODEL_NO_TYPE) return false;
    return is_unbound(its) || lists(its->writes, type) ||
           (its->query && model_query_asks(its->query, ILK_ACCESS_WRITE, type));
}

bool model_may_read_resource(const model_system* its, uint32_t type) {
    return is_unbound(its) || uses_resource(its, type);
}

bool model_may_edit_resource(const model_system* its, uint32_t type) {
    if (type == MODEL_NO_TYPE) return false;
    return is_unbound(its) || lists(its->writes_resources, type);
}

static bool conflict(const model_schedule* m, uint32_t a, uint32_t b) {
    const model_system *left = &m->systems[a], *right = &m->systems[b];
    if (is_unbound(left) || is_unbound(right)) return true;
    return writes_for(left, right) || writes_for(right, left) || is_declared_before(m, a, b) ||
           is_declared_before(m, b, a);
}

static bool conflicts_with_any(const model_schedule* m, const uint32_t* order, uint32_t first,
                               uint32_t at) {
    for (uint32_t i = first; i < at; i++)
        if (conflict(m, order[i], order[at])) return true;
    return false;
}

uint32_t model_wave(const model_schedule* m, const uint32_t* order, uint32_t at) {
    uint32_t wave = 0, first = at;
    while (first > 0 && m->systems[order[first - 1]].phase == m->systems[order[at]].phase) first--;
    for (uint32_t i = first; i <= at; i++) {
        if (!conflicts_with_any(m, order, first, i)) continue;
        wave++;
        first = i;
    }
    return wave;
}

// Plans

static void plan_step(model_plan* plan, model_part part, uint32_t place, uint64_t ns) {
    if (plan->count == plan->capacity) {
        plan->capacity = plan->capacity ? 2 * plan->capacity : 64;
        plan->list = realloc(plan->list, plan->capacity * sizeof *plan->list);
        if (!plan->list) abort();
    }
    plan->list[plan->count++] = (model_step){part, place, ns};
}

typedef struct sorted {
    uint32_t places[MODEL_SYSTEMS];
    uint32_t count;
} sorted;

static void plan_applying(const model_schedule* m, const sorted* order, uint32_t from, uint32_t to,
                          ilk_apply when, model_plan* plan) {
    for (uint32_t i = from; i < to; i++)
        if (m->systems[order->places[i]].apply == when)
            plan_step(plan, MODEL_APPLY, order->places[i], 0);
}

static void plan_wave_end(const model_schedule* m, const sorted* order, uint32_t from, uint32_t to,
                          model_plan* plan) {
    if (from < to) plan_step(plan, MODEL_JOIN, order->places[from], 0);
    plan_applying(m, order, from, to, ILK_APPLY_WAVE, plan);
}

static void plan_phase(const model_schedule* m, const sorted* order, uint32_t phase, uint64_t ns,
                       model_plan* plan) {
    uint32_t from = 0, to;
    while (from < order->count && m->systems[order->places[from]].phase != phase) from++;
    uint32_t first = from;
    for (to = from; to < order->count && m->systems[order->places[to]].phase == phase; to++) {
        bool is_next_wave =
            to > from && model_wave(m, order->places, to) != model_wave(m, order->places, from);
        if (is_next_wave) plan_wave_end(m, order, from, to, plan);
        if (is_next_wave) from = to;
        plan_step(plan, MODEL_RUN, order->places[to], ns);
    }
    plan_wave_end(m, order, from, to, plan);
    plan_applying(m, order, first, to, ILK_APPLY_PHASE, plan);
}

static void plan_fixed(model_schedule* m, const sorted* order, uint64_t ns, model_plan* plan) {
    m->lag += ns;
    for (uint32_t i = 0; i < m->most && m->lag >= m->step; i++) {
        m->lag -= m->step;
        m->fixed_steps++;
        plan_phase(m, order, MODEL_FIXED, m->step, plan);
    }
    m->lag %= m->step;
}

static void plan_frame_end(const model_schedule* m, const sorted* order, bool is_drawing,
                           model_plan* plan) {
    for (uint32_t i = 0; i < order->count; i++) {
        const model_system* its = &m->systems[order->places[i]];
        bool is_drawn = rank_of(m, its->phase) >= rank_of(m, MODEL_DRAW);
        if (its->apply == ILK_APPLY_FRAME && is_drawn == is_drawing)
            plan_step(plan, MODEL_APPLY, order->places[i], 0);
    }
}

void model_plan_update(model_schedule* m, double dt, model_plan* plan) {
    sorted order;
    if (m->longest > 0 && dt > m->longest) dt = m->longest;
    uint64_t ns = m->is_paused ? 0 : (uint64_t)(dt * m->scale * NANOSECONDS);
    order.count = model_order(m, order.places);
    plan->count = 0;
    m->frames++;
    m->now += ns;
    for (uint32_t i = 0; m->phases[i] != MODEL_DRAW; i++) {
        if (m->phases[i] == MODEL_FIXED)
            plan_fixed(m, &order, ns, plan);
        else if (m->phases[i] != MODEL_START || (!m->is_started && !m->is_paused))
            plan_phase(m, &order, m->phases[i], ns, plan);
    }
    plan_frame_end(m, &order, false, plan);
    m->is_started |= !m->is_paused;
}

void model_plan_draw(const model_schedule* m, model_plan* plan) {
    sorted order;
    order.count = model_order(m, order.places);
    plan->count = 0;
    for (uint32_t i = rank_of(m, MODEL_DRAW); i < m->phase_count; i++)
        plan_phase(m, &order, m->phases[i], 0, plan);
    plan_frame_end(m, &order, true, plan);
}

// Running

bool model_runs(model_schedule* m, uint32_t place, bool is_active, uint64_t ns, uint64_t* dt) {
    model_system* its = &m->systems[place];
    if (its->is_gone || (m->is_paused && !its->runs_paused)) return false;
    if (its->is_disabled || !is_active) return false;
    if (its->interval) its->waited += ns;
    *dt = its->interval ? its->waited : ns;
    return !its->is_held && *dt * 1000000 >= its->interval * 999999;
}

void model_ran(model_schedule* m, uint32_t place) {
    m->systems[place].waited = 0;
}

void model_update_ends(model_schedule* m) {
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++)
        if (m->systems[i].is_gone) m->systems[i] = (model_system){0};
}

void model_schedule_last(model_schedule* m) {
    m->is_paused = false;
    m->is_started = true;
    m->scale = 1;
    m->longest = 0;
}

void model_schedule_renew(model_schedule* m, const model_schedule* before) {
    m->is_paused = before->is_paused;
    m->scale = before->scale;
    m->longest = before->longest;
    m->is_started = false;
    m->lag = m->now = m->frames = m->fixed_steps = 0;
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++) m->systems[i].waited = 0;
}
