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

static bool is_active(const run_side* s, uint32_t place) {
    const run_schedule* c = &s->schedule;
    return c->active >> place & 1 && model_scene_allows(&s->stage.model, &c->model, place);
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

// A system that runs in pieces says nothing: the model hears of it when its wave is over.
static bool is_quiet(const run_side* s, uint32_t place) {
    return s->schedule.systems[place].is_parallel || is_silent(s, place);
}

static void pass_by(run* r, run_side* s, uint32_t place, uint64_t ns) {
    run_schedule* c = &s->schedule;
    uint64_t dt;
    if (!model_runs(&c->model, place, is_active(s, place), ns, &dt)) return;
    RUN_CHECK(r, is_quiet(s, place), "%s: %s did not run", s->name, run_system_name(place));
    model_ran(&c->model, place);
    if (c->systems[place].is_parallel) {
        trace_step(r, "pieces of", place);
        run_judge_pieces(r, s, place, dt);
    } else {
        c->systems[place].calls++;
    }
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

static const model_step* next_step(const run_schedule* c) {
    return c->at < c->plan.count ? &c->plan.list[c->at] : NULL;
}

// The systems of a wave that said nothing: they run in pieces, or not at all.
static void finish_wave(run* r, run_side* s) {
    run_schedule* c = &s->schedule;
    for (const model_step* step; (step = next_step(c)) && step->part == MODEL_RUN; c->at++) {
        bool is_done = c->done >> step->place & 1;
        if (!is_done && !r->outcome->failed) pass_by(r, s, step->place, step->ns);
    }
    c->done = 0;
}

static void follow_step(run* r, run_side* s, const model_step* step) {
    if (step->part == MODEL_RUN) {
        finish_wave(r, s);
        return;
    }
    if (step->part == MODEL_APPLY) apply_rest(r, s, step->place);
    s->schedule.at++;
}

static void follow_rest(run* r, run_side* s) {
    finish_each(r, s);
    for (const model_step* step; (step = next_step(&s->schedule)) && !r->outcome->failed;)
        follow_step(r, s, step);
}

// The dispatch at the beginning is over once something runs.
static bool is_running(run* r, run_side* s) {
    run_dispatch_ends(r, s);
    RUN_CHECK(r, s->schedule.is_running, "%s: a system runs outside of an update", s->name);
    return !r->outcome->failed;
}

static void fail_to_reach(run* r, const run_side* s, uint32_t place) {
    if (!r->outcome->failed)
        run_fail(r, "%s: it is not the turn of %s", s->name, run_system_name(place));
}

// The step of a system in the wave that is next, whose systems run in any order; or NULL.
static const model_step* step_in_wave(const run_schedule* c, uint32_t place) {
    if (c->done >> place & 1) return NULL;
    for (uint32_t i = c->at; i < c->plan.count && c->plan.list[i].part == MODEL_RUN; i++)
        if (c->plan.list[i].place == place) return &c->plan.list[i];
    return NULL;
}

// The model goes on until it comes to a wave in which a system runs. With nanoseconds that went by
// for it.
static bool reach_run(run* r, run_side* s, uint32_t place, uint64_t* dt) {
    run_schedule* c = &s->schedule;
    if (!is_running(r, s)) return false;
    finish_each(r, s);
    for (const model_step* step; (step = next_step(c)) && !r->outcome->failed;) {
        const model_step* its = is_silent(s, place) ? NULL : step_in_wave(c, place);
        if (its) c->done |= 1u << place;
        if (its && model_runs(&c->model, place, is_active(s, place), its->ns, dt)) return true;
        if (!its) follow_step(r, s, step);
    }
    fail_to_reach(r, s, place);
    return false;
}

// The same until it comes to the commands of a system, with a call among them.
static bool reach_call(run* r, run_side* s, uint32_t place, const run_errand* a) {
    run_schedule* c = &s->schedule;
    if (!is_running(r, s)) return false;
    finish_each(r, s);
    for (const model_step* step; (step = next_step(c)) && !r->outcome->failed;) {
        bool is_turn = step->part == MODEL_APPLY && step->place == place;
        if (is_turn && model_cmd_calls(&buffer_of(s, place)->model, a)) return true;
        follow_step(r, s, step);
    }
    fail_to_reach(r, s, place);
    return false;
}

bool run_schedule_changes(run* r, run_side* s) {
    if (!is_running(r, s)) return false;
    finish_each(r, s);
    for (const model_step* step; (step = next_step(&s->schedule)) && !r->outcome->failed;) {
        if (step->part == MODEL_APPLY) {
            begin_applying(r, s, step->place);
            if (run_follow_to_change(r, s, buffer_of(s, step->place))) return true;
        }
        if (!r->outcome->failed) follow_step(r, s, step);
    }
    return false;
}

void run_schedule_applies(run* r, run_side* s, const run_errand* a, ilk_cmd* cmd) {
    uint32_t place = a->place - RUN_CMDS;
    if (!reach_call(r, s, place, a)) return;
    begin_applying(r, s, place);
    buffer_of(s, place)->cmd = cmd;
}

// What systems do

// The verbs of the world do nothing.
static void try_locked(run* r, run_side* s, uint32_t seed) {
    ilk_entity e = run_pick(r, s, 0, seed >> 8);
    ilk_type* word = catalog_variable(catalog_common(0), false);
    const char* names[14] = {"ilk_create",
                             "ilk_update",
                             "ilk_destroy",
                             "ilk_remove_all",
                             "ilk_cmd_apply",
                             "ilk_scene_pop",
                             "ilk_set",
                             "ilk_spawn",
                             "ilk_emit",
                             "ilk_resource_set",
                             "ilk_resource_remove",
                             "ilk_resource_ensure",
                             "ilk_plugin_install",
                             "ilk_snapshot_take"};
    uint32_t way = seed % 14;
    if (way != 4 && way != 5 && way < 8 && !model_alive(s->model, e)) way %= 2;
    run_begin(r, s, (run_call){.name = names[way]});
    ilk_result result = way == 0    ? run_yielded(s, !ilk_is_null(ilk_create(s->world)))
                        : way == 1  ? ilk_update(s->world, 1)
                        : way == 3  ? ilk_remove_all(s->world, e)
                        : way == 4  ? ilk_cmd_apply(s->commands.own->cmd).result
                        : way == 5  ? ilk_scene_pop(s->world)
                        : way == 8  ? ilk_emit(s->world, (ilk_value){word, NULL})
                        : way == 9  ? ilk_resource_set(s->world, (ilk_value){word, NULL})
                        : way == 10 ? ilk_resource_remove(s->world, word)
                        : way == 11 ? run_yielded(s, ilk_resource_ensure(s->world, word))
                        : way == 12 ? ilk_plugin_install(s->world, NULL)
                        : way == 13 ? run_yielded(s, ilk_snapshot_take(s->world) != NULL)
                        : way == 6  ? ilk_set(s->world, e, (ilk_value){word, NULL})
                        : way == 7  ? run_yielded(s, !ilk_is_null(ilk_spawn(s->world, NULL, 0)))
                                    : ilk_destroy(s->world, e);
    run_expect(r, s, result, MODEL_FAULT(LOCKED));
}

// Mostly a type that the system that runs declares to write.
static uint32_t type_to_write(const run_side* s, const script_op* op, uint64_t x) {
    const model_system* its = s->schedule.within;
    uint32_t type = its->writes[x % MODEL_DECLARED];
    if (x >> 8 & 1 && type != MODEL_NO_TYPE) return type;
    for (uint32_t i = 0; x >> 9 & 1 && its->query && i < its->query->count; i++)
        if (its->query->terms[i].access == ILK_ACCESS_WRITE) return its->query->terms[i].type;
    return x >> 10 & 3 ? run_type(s, op) : catalog_choose((uint8_t)(x >> 16));
}

// Beside others, handles are given out in another order, and room by other rules.
static bool is_allowed(const run* r, const run_side* s, script_kind kind) {
    bool makes = kind == OP_CMD_CREATE || kind == OP_CMD_SPAWN;
    bool may_make = r->header.are_alone || (s->model->is_loose && !s->model->max_entities);
    return kind >= OP_CMD_ASK && (!makes || may_make);
}

static void be_busy(run* r, run_side* s, const script_op* op, uint64_t* state) {
    static const uint8_t kinds[32] = {
        OP_CMD_SPAWN,   OP_CMD_SPAWN,   OP_CMD_SPAWN,   OP_CMD_CREATE,     OP_CMD_CREATE,
        OP_CMD_DESTROY, OP_CMD_DESTROY, OP_CMD_DESTROY, OP_RES_EDIT,       OP_CMD_ADD,
        OP_CMD_ADD,     OP_RES_EDIT,    OP_CMD_SET,     OP_CMD_SET,        OP_CMD_RES_SET,
        OP_CMD_REPLACE, OP_CMD_REMOVE,  OP_RES_GET,     OP_CMD_RES_REMOVE, OP_CMD_REMOVE_ALL,
        OP_CMD_DISABLE, OP_CMD_DISABLE, OP_CMD_ENABLE,  OP_CMD_MARK,       OP_CMD_CALL,
        OP_CMD_CALL,    OP_CMD_EMIT,    OP_CMD_EMIT_TO, OP_CMD_ENSURE,     OP_EVENT_READ,
        OP_CMD_SCENE,   OP_CMD_ASK};
    uint64_t x = script_random(state);
    if (s->schedule.busy >= BUSY_MAX) return;
    s->schedule.busy++;
    if (x % 8 == 0) {
        try_locked(r, s, (uint32_t)(x >> 32));
        return;
    }
    script_op step = run_aside(op, state, kinds);
    if (x % 8 < 3) {
        run_write_type(r, s, &step, type_to_write(s, &step, x >> 32));
        return;
    }
    if (!is_allowed(r, s, step.kind)) step.kind = OP_CMD_ASK;
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
    s->schedule.within = &s->schedule.model.systems[its->place];
    if (s->schedule.model.systems[its->place].query)
        walk(r, s, its, it, &op);
    else
        RUN_CHECK(r, !ilk_next(it), "%s: rows without a query", s->name);
    if (!r->outcome->failed) be_busy(r, s, &op, &state);
    s->commands.own = NULL;
    s->schedule.within = NULL;
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

void run_check_time(run* r, const run_side* s) {
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

// What was written inside of a system counts as changed since the update began.
static void check_written(run* r, run_side* s) {
    const run_schedule* c = &s->schedule;
    if (!model_is_on(s->model, c->written, c->written_type)) return;
    ilk_query_desc desc = {.changed = {catalog_variable(c->written_type, false)}, .inactive = true};
    ilk_query* changed = ilk_query_create(s->world, &desc);
    ilk_query_since(changed, c->tick);
    RUN_CHECK(r, ilk_query_matches(s->world, changed, c->written),
              "%s: a system wrote to the %s of {%u, %u}, which did not change", s->name,
              run_type_name(c->written_type), c->written.index, c->written.generation);
    ilk_query_destroy(changed);
}

static void begin_running(run* r, run_side* s, void* surface) {
    run_schedule* c = &s->schedule;
    end_loops(s);
    c->at = c->done = 0;
    c->busy = 0;
    c->heard = s->heard_count;
    c->surface = surface;
    c->tick = ilk_tick(s->world);
    c->written = (ilk_entity){0};
    c->is_running = true;
    r->plan.paused = true; // a failure in the middle of it would not be seen
}

// Names in a list that nobody has are told before anything runs, unless they are the same as in the
// last list.
static void expect_missed(run_side* s, uint32_t* last) {
    run_schedule* c = &s->schedule;
    uint32_t missed = 1u << MODEL_SYSTEMS; // the one that is never there
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++)
        if (c->active >> i & 1 && !c->model.systems[i].exists) missed |= 1u << i;
    for (uint32_t rest = missed != *last ? missed : 0; rest; rest &= rest - 1) {
        c->heard++;
        s->expected++;
    }
    *last = missed;
}

static void end_running(run* r, run_side* s, ilk_result result) {
    run_schedule* c = &s->schedule;
    if (r->outcome->failed) return;
    run_dispatch_ends(r, s);
    follow_rest(r, s);
    if (r->outcome->failed) return;
    check_written(r, s);
    r->plan.paused = false;
    RUN_CHECK(r, c->unjudged == 0, "%s: a parallel system was to run, and did not", s->name);
    run_expect(r, s, result, MODEL_FINE);
    c->is_running = false;
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++)
        if (c->model.systems[i].is_gone) run_system_remove(s, i);
}

static void settle_at_end(run* r, run_side* s) {
    model_sweep(s->model);
    if (!s->schedule.blocks || r->outcome->failed) return;
    s->epoch++;
    model_settle(s->model);
    run_end_passes(s, RUN_QUERIES);
}

static void update_wrong(run* r, run_side* s, double dt) {
    run_begin(r, s, (run_call){.name = "ilk_update"});
    run_expect(r, s, ilk_update(s->world, dt),
               s->schedule.is_running ? MODEL_FAULT(LOCKED) : MODEL_FAULT(INVALID));
    if (!s->schedule.is_running) run_check_time(r, s);
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
    if (is_list) expect_missed(s, &c->missed_by_update);
    model_plan_update(&c->model, dt, &c->plan);
    run_begin(
        r, s,
        (run_call){.name = is_list ? "ilk_update_only" : "ilk_update", .count = op->count % 12});
    run_dispatch_begins(s, 0);
    ilk_result result = is_list ? ilk_update_only(s->world, dt, list) : ilk_update(s->world, dt);
    end_running(r, s, result);
    if (!r->outcome->failed) run_check_time(r, s);
    settle_at_end(r, s);
}

void run_sys_draw(run* r, run_side* s, const script_op* op) {
    const char* list[MODEL_SYSTEMS + 2];
    run_schedule* c = &s->schedule;
    run_schedule_ready(r, s, op);
    if (r->is_inside) return;
    bool is_list = choose_active(s, op, list);
    begin_running(r, s, r);
    if (is_list) expect_missed(s, &c->missed_by_draw);
    model_plan_draw(&c->model, &c->plan);
    run_begin(r, s, (run_call){.name = is_list ? "ilk_draw_only" : "ilk_draw"});
    ilk_result result = is_list ? ilk_draw_only(s->world, r, list) : ilk_draw(s->world, r);
    end_running(r, s, result);
    if (!r->outcome->failed) run_check_time(r, s);
}

// Beginning anew

// Whoever is needed goes in a later round, or not at all.
static void destroy_all(run_side* s) {
    bool has_destroyed = true, is_needed = true;
    while (has_destroyed && is_needed) {
        has_destroyed = is_needed = false;
        for (uint32_t i = 0, slots = s->model->slot_count; i < slots; i++) {
            ilk_entity e = model_handle(s->model, i);
            if (!model_alive(s->model, e) || model_is_dying(s->model, e)) continue;
            model_faults faults = model_destroy(s->model, e);
            has_destroyed |= faults == MODEL_FINE;
            is_needed |= faults == MODEL_FAULT(NEEDED);
        }
    }
}

static void forget_counts(run* r, run_side* s) {
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++) {
        run_system* its = &s->schedule.systems[i];
        bool is_there = s->schedule.model.systems[i].exists;
        RUN_CHECK(r, !is_there || its->resets == 1, "%s: a system was reset %u times", s->name,
                  its->resets);
        its->resets = 0;
        its->calls = its->rows = its->commands = its->skipped = 0;
    }
}

// Where somebody observes, or scenes are on the stack, others look.
void run_sys_reset(run* r, run_side* s, const script_op* op) {
    run_schedule* c = &s->schedule;
    run_schedule_ready(r, s, op);
    bool is_locked = c->is_running || s->stage.model.at < s->stage.model.count;
    bool is_left_out = r->is_inside || r->header.is_observed || s->stage.model.depth;
    if (!is_locked && (is_left_out || op->seed % 4)) return;
    run_begin(r, s, (run_call){.name = "ilk_reset"});
    if (is_locked) {
        run_expect(r, s, ilk_reset(s->world), MODEL_FAULT(LOCKED));
        return;
    }
    model_schedule after = c->model;
    s->schedule.active = 255;
    begin_running(r, s, NULL);
    destroy_all(s);
    model_schedule_last(&c->model);
    model_plan_update(&c->model, (double)c->model.step / 1e9, &c->plan);
    run_dispatch_begins(s, 0);
    ilk_result result = ilk_reset(s->world);
    c->written = (ilk_entity){0}; // which is gone
    end_running(r, s, result);
    settle_at_end(r, s);
    if (r->outcome->failed) return;
    model_clear(s->model);
    model_forget_events(s->model);
    run_end_passes(s, RUN_QUERIES);
    model_schedule_renew(&c->model, &after);
    run_check_time(r, s);
    forget_counts(r, s);
}
