// Updating and drawing: which systems run, in which order, with what, and what their commands do.
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BUSY_MAX 24u // things that systems do in one update

static run_buffer* buffer_of(run_side* s, uint32_t place) {
    return &s->commands.buffers[RUN_SYSTEM_BUFFER(place)];
}

static void trace_step(const run* r, const char* word, uint32_t place) {
    if (r->options.trace) printf("%15s%s %s\n", "", word, run_system_name(place));
}

void run_forget_plan(run_side* s) {
    free(s->schedule.plan.list);
    s->schedule.plan = (model_plan){0};
}

// Following

static void begin_applying(run* r, run_side* s, uint32_t place) {
    run_buffer* b = buffer_of(s, place);
    if (b->model.is_applying || model_cmd_count(&b->model) == 0) return;
    trace_step(r, "apply", place);
    b->tally = (run_tally){.heard = s->schedule.heard, .refused = r->plan.refused};
    b->model.is_applying = true;
}

static void apply_rest(run* r, run_side* s, uint32_t place) {
    run_buffer* b = buffer_of(s, place);
    run_system* its = &s->schedule.systems[place];
    begin_applying(r, s, place);
    if (!b->model.is_applying) return;
    while (model_cmd_count(&b->model) && !r->outcome->failed) run_follow_command(r, s, b);
    if (r->outcome->failed) return;
    b->model.is_applying = false;
    s->schedule.heard = b->tally.heard;
    its->commands += b->tally.done;
    its->skipped += b->tally.skipped;
}

static bool has_matches(const run_side* s, const model_query* q) {
    for (uint32_t i = 0; i < s->model->slot_count; i++)
        if (model_match(s->model, q, model_handle(s->model, i), 0) != MODEL_DIFFERS) return true;
    return false;
}

// A system that is called for each entity is not called if there is none.
static bool is_silent(const run_side* s, uint32_t place) {
    const model_query* q = s->schedule.model.systems[place].query;
    return s->schedule.systems[place].is_each && q && !has_matches(s, q);
}

static void pass_by(run* r, run_side* s, uint32_t place, uint64_t ns) {
    run_schedule* c = &s->schedule;
    uint64_t dt;
    if (!model_runs(&c->model, place, c->active >> place & 1, ns, &dt)) return;
    RUN_CHECK(r, is_silent(s, place), "%s: %s did not run", s->name, run_system_name(place));
    model_ran(&c->model, place);
    c->systems[place].calls++;
}

// The system that was called for each entity is done.
static void finish_each(run* r, run_side* s) {
    run_schedule* c = &s->schedule;
    if (!c->each) return;
    c->systems[c->each_place].rows += c->each->seen_count;
    run_pass_finish(r, s, c->each);
    run_pass_forget(c->each);
    c->each = NULL;
}

static void follow_step(run* r, run_side* s, const model_step* step) {
    if (step->part == MODEL_APPLY)
        apply_rest(r, s, step->place);
    else
        pass_by(r, s, step->place, step->ns);
}

// The model goes on until it comes to such a step that is not done in silence. NULL if there is
// none.
static const model_step* reach(run* r, run_side* s, model_part part, uint32_t place) {
    run_schedule* c = &s->schedule;
    run_dispatch_ends(r, s);
    RUN_CHECK(r, c->is_running, "%s: a system runs outside of an update", s->name);
    finish_each(r, s);
    for (; c->at < c->plan.count && !r->outcome->failed; c->at++) {
        const model_step* step = &c->plan.list[c->at];
        bool is_loud = part == MODEL_RUN ? !is_silent(s, place)
                                         : model_cmd_count(&buffer_of(s, place)->model) > 0;
        if (step->part == part && step->place == place && is_loud) return step;
        follow_step(r, s, step);
    }
    if (!r->outcome->failed)
        run_fail(r, "%s: it is not the turn of %s", s->name, run_system_name(place));
    return NULL;
}

// The same for a system that runs. With nanoseconds that went by for it.
static bool reach_run(run* r, run_side* s, uint32_t place, uint64_t* dt) {
    run_schedule* c = &s->schedule;
    for (const model_step* step; (step = reach(r, s, MODEL_RUN, place)) != NULL;) {
        c->at++;
        if (model_runs(&c->model, place, c->active >> place & 1, step->ns, dt)) return true;
    }
    return false;
}

void run_schedule_applies(run* r, run_side* s, uint32_t place, ilk_cmd* cmd) {
    if (!reach(r, s, MODEL_APPLY, place)) return;
    begin_applying(r, s, place);
    buffer_of(s, place)->cmd = cmd;
}

// What systems do

// The verbs of the world do nothing.
static void try_locked(run* r, run_side* s, uint32_t seed) {
    ilk_entity e = run_pick(r, s, 0, seed >> 8);
    ilk_type* word = catalog_variable(catalog_common(0), false);
    const char* names[8] = {"ilk_create",    "ilk_update", "ilk_destroy", "ilk_remove_all",
                            "ilk_cmd_apply", "ilk_emit",   "ilk_set",     "ilk_spawn"};
    uint32_t way = seed % 8;
    if (way != 4 && !model_alive(s->model, e)) way %= 2;
    run_begin(r, s, (run_call){.name = names[way]});
    ilk_result result = way == 0   ? run_yielded(s, !ilk_is_null(ilk_create(s->world)))
                        : way == 1 ? ilk_update(s->world, 1)
                        : way == 3 ? ilk_remove_all(s->world, e)
                        : way == 4 ? ilk_cmd_apply(s->commands.own->cmd).result
                        : way == 5 ? ilk_emit(s->world, (ilk_value){word, NULL})
                        : way == 6 ? ilk_set(s->world, e, (ilk_value){word, NULL})
                        : way == 7 ? run_yielded(s, !ilk_is_null(ilk_spawn(s->world, NULL, 0)))
                                   : ilk_destroy(s->world, e);
    run_expect(r, s, result, MODEL_FAULT(LOCKED));
}

// Beside others, handles are given out in another order.
static bool is_allowed(const run_side* s, script_kind kind) {
    bool makes = kind == OP_CMD_CREATE || kind == OP_CMD_SPAWN;
    return kind >= OP_CMD_ASK && (!makes || s->schedule.model.are_alone);
}

static void be_busy(run* r, run_side* s, const script_op* op, uint64_t* state) {
    static const uint8_t kinds[32] = {
        OP_CMD_SPAWN,   OP_CMD_SPAWN,   OP_CMD_SPAWN,   OP_CMD_CREATE,  OP_CMD_CREATE,
        OP_CMD_DESTROY, OP_CMD_DESTROY, OP_CMD_DESTROY, OP_CMD_DESTROY, OP_CMD_ADD,
        OP_CMD_ADD,     OP_CMD_ADD,     OP_CMD_SET,     OP_CMD_SET,     OP_CMD_SET,
        OP_CMD_REPLACE, OP_CMD_REMOVE,  OP_CMD_REMOVE,  OP_CMD_REMOVE,  OP_CMD_REMOVE_ALL,
        OP_CMD_DISABLE, OP_CMD_DISABLE, OP_CMD_ENABLE,  OP_CMD_MARK,    OP_CMD_CALL,
        OP_CMD_EMIT,    OP_CMD_EMIT,    OP_CMD_EMIT_TO, OP_CMD_ENSURE,  OP_CMD_SET,
        OP_EVENT_READ,  OP_CMD_ASK};
    uint64_t x = script_random(state);
    if (s->schedule.busy >= BUSY_MAX) return;
    s->schedule.busy++;
    if (x % 8 == 0) {
        try_locked(r, s, (uint32_t)(x >> 32));
        return;
    }
    script_op step = run_aside(op, state, kinds);
    if (!is_allowed(s, step.kind)) step.kind = OP_CMD_ASK;
    run_inside(r, s, step);
}

// Rows one after the other, some loops left early. The library ends what was left.
static void walk(run* r, run_side* s, run_system* its, ilk_iter* it, const script_op* op) {
    uint64_t state = op->seed;
    uint32_t most = op->seed % 8 ? UINT32_MAX : op->seed >> 8 & 1;
    run_pass* p = run_pass_start(r, s, RUN_SYSTEM_QUERY(its->place), op->seed);
    p->is_pinned = true;
    p->it = *it;
    run_pass_opened(s, p);
    for (uint32_t i = 0; i < most && !r->outcome->failed; i++) {
        if (!run_pass_step(r, s, p, op->flags >> i % 4 & 1, op)) break;
        if (script_random(&state) % 2) be_busy(r, s, op, &state);
    }
    *it = p->it;
    if (p->it.entities == p->it.found) it->entities = it->found;
    its->rows += p->seen_count;
    if (p->is_open) run_pass_closed(s, p);
    if (!r->outcome->failed) run_pass_forget(p);
}

static void check_iter(run* r, run_side* s, const run_system* its, const ilk_iter* it,
                       double seconds) {
    buffer_of(s, its->place)->cmd = it->cmd;
    bool is_right = it->world == s->world && it->system == its->system && it->cmd &&
                    it->surface == s->schedule.surface;
    RUN_CHECK(r, is_right, "%s: %s is called with something else", s->name,
              run_system_name(its->place));
    RUN_CHECK(r, fabs(it->dt - seconds) < 1e-9, "%s: dt of %s is %g, not %g", s->name,
              run_system_name(its->place), it->dt, seconds);
}

// The operation that a system does this time.
static script_op op_of_time(run_side* s, const run_system* its) {
    uint64_t state = its->op.seed + its->calls * 0x10001u;
    script_op op = its->op;
    op.seed = (uint32_t)script_random(&state);
    op.flags = (uint8_t)(script_random(&state) & 127);
    op.side = s == &its->run->sides[1];
    return op;
}

void run_system_run(ilk_iter* it) {
    run_system* its = it->user;
    run* r = its->run;
    run_side* s = its->side;
    uint64_t ns = 0;
    if (r->outcome->failed || !reach_run(r, s, its->place, &ns)) return;
    trace_step(r, "run", its->place);
    run_note(r, its->place);
    check_iter(r, s, its, it, (double)ns / 1e9);
    if (r->outcome->failed) return;
    script_op op = op_of_time(s, its);
    uint64_t state = op.seed;
    s->commands.own = buffer_of(s, its->place);
    if (s->schedule.model.systems[its->place].query)
        walk(r, s, its, it, &op);
    else
        RUN_CHECK(r, !ilk_next(it), "%s: rows without a query", s->name);
    if (!r->outcome->failed) be_busy(r, s, &op, &state);
    s->commands.own = NULL;
    s->schedule.heard = s->heard_count;
    model_ran(&s->schedule.model, its->place);
    its->calls++;
}

// Called for one that came before, or could not come before: it runs again.
static bool goes_on(const run_side* s, uint32_t place, ilk_entity e) {
    const run_schedule* c = &s->schedule;
    if (!c->each || c->each_place != place) return false;
    for (uint32_t i = 0; i < c->each->seen_count; i++)
        if (ilk_same(c->each->seen[i], e)) return false;
    return model_match(s->model, c->model.systems[place].query, e, 0) != MODEL_DIFFERS;
}

static void begin_each(run* r, run_side* s, run_system* its) {
    uint64_t ns;
    if (!reach_run(r, s, its->place, &ns)) return;
    trace_step(r, "run", its->place);
    run_note(r, its->place);
    model_ran(&s->schedule.model, its->place);
    its->calls++;
    if (!s->schedule.model.systems[its->place].query) return;
    s->schedule.each = run_pass_start(r, s, RUN_SYSTEM_QUERY(its->place), 0);
    s->schedule.each->is_pinned = true;
    s->schedule.each_place = its->place;
    run_pass_opened(s, s->schedule.each);
}

static void mark_written(run_side* s, const model_query* q, ilk_entity e) {
    for (uint32_t i = 0; i < q->count; i++)
        if (q->terms[i].access == ILK_ACCESS_WRITE) model_mark(s->model, e, q->terms[i].type);
}

void run_system_each(void* user, ilk_entity e, void* const* values) {
    run_system* its = user;
    run* r = its->run;
    run_side* s = its->side;
    (void)values;
    if (r->outcome->failed) return;
    if (!goes_on(s, its->place, e)) begin_each(r, s, its);
    if (r->outcome->failed) return;
    if (!s->schedule.each) {
        RUN_CHECK(r, ilk_is_null(e), "%s: an entity without a query", s->name);
        return;
    }
    if (run_pass_see(r, s, s->schedule.each, e))
        mark_written(s, s->schedule.model.systems[its->place].query, e);
}

// Updating

// The loops of systems would end others, if there were many: all are ended before.
static void end_loops(run_side* s) {
    if (!s->looking.open_count) return;
    ilk_settle(s->world, 1);
    s->epoch++;
    model_settle(s->model);
    run_end_passes(s, RUN_QUERIES);
}

static void check_time(run* r, const run_side* s) {
    const model_schedule* m = &s->schedule.model;
    ilk_time time = ilk_time_of(s->world);
    RUN_CHECK(r, time.frames == m->frames && time.fixed_steps == m->fixed_steps,
              "%s: %llu frames and %llu steps, not %llu and %llu", s->name,
              (unsigned long long)time.frames, (unsigned long long)time.fixed_steps,
              (unsigned long long)m->frames, (unsigned long long)m->fixed_steps);
    RUN_CHECK(r, time.nanoseconds == m->now && time.is_paused == m->is_paused,
              "%s: it is another time", s->name);
    double fraction = (double)m->lag / (double)m->step;
    RUN_CHECK(r, m->frames == 0 || fabs(time.fraction - fraction) < 1e-9,
              "%s: the fraction is %g, not %g", s->name, time.fraction, fraction);
}

// Names of those that may run, and of one that is not there. True if there is a list.
static bool choose_active(run_side* s, const script_op* op, const char** list) {
    uint32_t count = 0;
    bool is_list = op->flags % 8 == 3;
    s->schedule.active = is_list ? op->seed >> 8 & 255 : 255;
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++) {
        if (s->schedule.active >> i & 1) list[count++] = run_system_name(i);
        if (i == 3) list[count++] = "nobody";
    }
    list[count] = NULL;
    return is_list;
}

static void begin_running(run* r, run_side* s, void* surface) {
    run_schedule* c = &s->schedule;
    end_loops(s);
    c->at = 0;
    c->busy = 0;
    c->heard = s->heard_count;
    c->surface = surface;
    c->is_running = true;
    r->plan.paused = true; // a failure in the middle of it would not be seen
}

static void end_running(run* r, run_side* s, ilk_result result) {
    run_schedule* c = &s->schedule;
    r->plan.paused = false;
    if (r->outcome->failed) return;
    run_dispatch_ends(r, s);
    finish_each(r, s);
    for (; c->at < c->plan.count && !r->outcome->failed; c->at++)
        follow_step(r, s, &c->plan.list[c->at]);
    run_expect(r, s, result, MODEL_FINE);
    c->is_running = false;
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++)
        if (c->model.systems[i].is_gone) run_system_remove(s, i);
    if (!r->outcome->failed) check_time(r, s);
}

static void update_wrong(run* r, run_side* s, double dt) {
    run_begin(r, s, (run_call){.name = "ilk_update"});
    run_expect(r, s, ilk_update(s->world, dt),
               s->schedule.is_running ? MODEL_FAULT(LOCKED) : MODEL_FAULT(INVALID));
    if (!s->schedule.is_running) check_time(r, s);
}

void run_sys_update(run* r, run_side* s, const script_op* op) {
    static const double wrong[4] = {-1, NAN, 2e9, -INFINITY};
    const char* list[MODEL_SYSTEMS + 2];
    run_schedule* c = &s->schedule;
    run_schedule_ready(r, s, op);
    if (c->is_running || op->mode >= 240) {
        update_wrong(r, s, wrong[op->seed % 4]);
        return;
    }
    if (r->is_inside) return;
    double dt = op->count % 8 ? op->count % 12 / 64.0 : 0;
    bool is_list = choose_active(s, op, list);
    begin_running(r, s, NULL);
    model_plan_update(&c->model, dt, &c->plan);
    run_begin(r, s, (run_call){.name = "ilk_update", .count = op->count % 12});
    run_dispatch_begins(s, 0);
    ilk_result result = is_list ? ilk_update_only(s->world, dt, list) : ilk_update(s->world, dt);
    end_running(r, s, result);
    model_sweep(s->model);
    if (!c->blocks || r->outcome->failed) return;
    s->epoch++;
    model_settle(s->model);
    run_end_passes(s, RUN_QUERIES);
}

void run_sys_draw(run* r, run_side* s, const script_op* op) {
    const char* list[MODEL_SYSTEMS + 2];
    run_schedule* c = &s->schedule;
    run_schedule_ready(r, s, op);
    if (r->is_inside) return;
    bool is_list = choose_active(s, op, list);
    begin_running(r, s, r);
    model_plan_draw(&c->model, &c->plan);
    run_begin(r, s, (run_call){.name = "ilk_draw"});
    ilk_result result = is_list ? ilk_draw_only(s->world, r, list) : ilk_draw(s->world, r);
    end_running(r, s, result);
}
