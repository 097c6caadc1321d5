// Operations on systems: making them, turning them on and off, asking about them, and time.
#include "run.h"

#include "schedule/schedule.h"

#include <math.h>
#include <stdio.h>

static const char* const system_names[MODEL_SYSTEMS] = {"s0", "s1", "s2", "s3",
                                                        "s4", "s5", "s6", "s7"};
static const char* const phase_names[MODEL_PHASES] = {"start", "fixed", "update", "post",
                                                      "draw",  "early", "late",   "spare"};

const char* run_system_name(uint32_t place) {
    return system_names[place];
}

const char* run_phase_name(uint32_t phase) {
    return phase_names[phase];
}

// Workers are woken for the least work. Without any, jobs are begun in some other order than
// theirs.
static void ready_wave(run_side* s, const script_op* op) {
    ilki_wave* wave = &s->world->schedule->wave;
    wave->worth = 0;
    wave->seed = s->workers || op->count & 1 ? 0 : op->seed;
    s->schedule.stays_on_main = s->workers || op->count & 2;
}

// Steps and times are parts of a second that floating point has no trouble with.
void run_schedule_ready(run* r, run_side* s, const script_op* op) {
    run_schedule* c = &s->schedule;
    if (c->is_ready) return;
    uint32_t parts = 1 + op->seed % 4, most = 1 + op->pick % 4;
    model_schedule_init(&c->model);
    c->is_ready = true;
    c->blocks = 64;
    c->model.step = parts * 15625000u;
    c->model.most = most;
    bool was_paused = r->plan.paused;
    r->plan.paused = true;
    ilk_result result = ilk_set_fixed_step(s->world, parts / 64.0, most);
    r->plan.paused = was_paused;
    RUN_CHECK(r, result == ILK_OK, "%s: no fixed step", s->name);
    if (result == ILK_OK) ready_wave(s, op);
    if (r->options.trace) printf("%15sfixed step %u/64, at most %u\n", "", parts, most);
}

// Hooks

static void note_begin(ilk_world* world, void* user) {
    run_system* its = user;
    RUN_CHECK(its->run, world == its->side->world && its->begun == its->ended,
              "%s: a system begins before the one before it ended", its->side->name);
    its->begun++;
}

static void note_end(ilk_world* world, void* user) {
    run_system* its = user;
    run_schedule* c = &its->side->schedule;
    RUN_CHECK(its->run, world == its->side->world && its->begun == its->ended + 1,
              "%s: a system ends that has not begun, or twice", its->side->name);
    RUN_CHECK(its->run, !c->is_ending || its->age < c->youngest,
              "%s: the youngest system does not go first", its->side->name);
    if (c->is_ending) c->youngest = its->age;
    its->ended++;
}

// When all is gone.
static void note_reset(ilk_world* world, void* user) {
    run_system* its = user;
    bool is_right = world == its->side->world && its->begun == its->ended + 1;
    RUN_CHECK(its->run, is_right && ilk_stats(world).alive == 0 && ilk_time_of(world).frames == 0,
              "%s: a system is reset too early", its->side->name);
    its->resets++;
}

static bool is_wanted(ilk_world* world, void* user) {
    run_system* its = user;
    RUN_CHECK(its->run, world == its->side->world && its->side->schedule.is_running,
              "%s: a condition is asked for nothing", its->side->name);
    bool is_held = its->side->schedule.model.systems[its->place].is_held;
    if (its->is_parallel && !is_held) run_occasion_begin(its);
    return !is_held;
}

// Making

typedef struct making {
    run_system* its;
    model_system model;
    ilk_system_desc desc;
    bool is_replacing, has_query;
    uint64_t state; // of random numbers
    model_faults faults;
    const model_query* query;
    ilk_system* made;
} making;

static bool is_there(const run_side* s, uint32_t place) {
    const model_system* its = &s->schedule.model.systems[place];
    return its->exists && !its->is_gone;
}

// Names of systems and phases, mostly such as there are.
static uint32_t choose_names(making* w, const run_side* s, const char** list, bool is_wrong) {
    uint32_t names = 0, count = (uint32_t)(script_random(&w->state) % 8);
    for (uint32_t i = 0; i < 2 && i + 5 < count; i++) {
        uint64_t x = script_random(&w->state);
        uint32_t place = (uint32_t)(x >> 8) % MODEL_SYSTEMS, phase = (uint32_t)(x >> 16) % 6;
        bool is_phase = x % 8 == 0;
        if (!is_phase && place == w->its->place) continue;
        bool is_known = is_phase ? model_has_phase(&s->schedule.model, phase) : is_there(s, place);
        if (!is_known && !is_wrong) continue;
        if (!is_known) w->faults |= MODEL_FAULT(MISSING);
        names |= is_phase ? MODEL_PHASE_BIT(phase) : MODEL_SYSTEM_BIT(place);
        list[3 * i + (x >> 20) % 3] = is_phase ? phase_names[phase] : system_names[place];
    }
    return names;
}

static uint32_t choose_phase(making* w, const run_side* s, bool is_wrong) {
    static const uint8_t phases[16] = {MODEL_START,  MODEL_FIXED,  MODEL_FIXED,  MODEL_FIXED,
                                       MODEL_UPDATE, MODEL_UPDATE, MODEL_UPDATE, MODEL_UPDATE,
                                       MODEL_POST,   MODEL_POST,   MODEL_DRAW,   MODEL_DRAW,
                                       MODEL_ADDED,  MODEL_ADDED,  MODEL_ADDED,  MODEL_START};
    uint64_t x = script_random(&w->state);
    uint32_t phase = phases[x % 16];
    if (phase == MODEL_ADDED) phase += (uint32_t)(x >> 8) % 3;
    if (model_has_phase(&s->schedule.model, phase)) return phase;
    if (!is_wrong) return MODEL_UPDATE;
    w->faults |= MODEL_FAULT(MISSING);
    return phase;
}

// Types that a system uses beside those of its query; of those that are not parallel, one and the
// same if they are to be alone.
static void declare(making* w, const run* r, const script_op* op, bool is_wrong) {
    model_system* m = &w->model;
    uint64_t x = script_random(&w->state);
    for (uint32_t i = 0; i < MODEL_DECLARED; i++) {
        bool is_there = (x >> 8 * i) % 4 == 0, is_unsound = is_wrong && (x >> 8 * i) % 64 == 0;
        uint32_t type = catalog_common((uint32_t)(x >> (8 * i + 4)));
        if (is_there && (x >> 40) % 4 == 0) type = catalog_choose((uint8_t)(op->type % 240));
        if (is_unsound) type = catalog_choose((uint8_t)(240 + (x >> 32) % 16));
        m->reads[i] = is_there && x >> 36 & 1 ? type : MODEL_NO_TYPE;
        m->writes[i] = is_there && !(x >> 36 & 1) && !m->is_parallel ? type : MODEL_NO_TYPE;
    }
    if (r->header.are_alone) (m->is_parallel ? m->reads : m->writes)[0] = 0;
    for (uint32_t i = 0; i < MODEL_DECLARED; i++) {
        w->desc.reads[2 * i] = catalog_variable(m->reads[i], x >> 37 & 1);
        w->desc.writes[2 * i] = catalog_variable(m->writes[i], x >> 37 & 1);
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t type = k ? m->reads[i] : m->writes[i];
            if (type != MODEL_NO_TYPE && catalog_models()[type].fault != ILK_OK)
                w->faults |= 1u << catalog_models()[type].fault;
        }
    }
}

// The same for resources. What is parallel writes none.
static void declare_resources(making* w, bool is_wrong) {
    model_system* m = &w->model;
    uint64_t x = script_random(&w->state);
    for (uint32_t i = 0; i < MODEL_DECLARED; i++) {
        uint64_t its = x >> 16 * i;
        bool is_there = its % 4 == 0, writes = its >> 2 & 1;
        uint32_t type = its >> 3 & 3 ? catalog_common((uint32_t)(its >> 5) & 1)
                                     : catalog_choose((uint8_t)(its >> 5));
        bool is_unsound = type >= catalog_sound();
        if (is_unsound && !is_wrong) is_there = false;
        if (type == MODEL_NO_TYPE) is_there = false;
        if (m->is_parallel && writes && !is_wrong) is_there = false;
        m->reads_resources[i] = is_there && !writes ? type : MODEL_NO_TYPE;
        m->writes_resources[i] = is_there && writes ? type : MODEL_NO_TYPE;
        if (is_there && is_unsound) w->faults |= 1u << catalog_models()[type].fault;
        if (is_there && writes && m->is_parallel) w->faults |= MODEL_FAULT(INVALID);
        w->desc.reads_resources[2 * i] = catalog_variable(m->reads_resources[i], x >> 48 & 1);
        w->desc.writes_resources[2 * i] = catalog_variable(m->writes_resources[i], x >> 48 & 1);
    }
}

static void cut(making* w, const run_side* s, uint64_t x, bool is_wrong) {
    static const uint32_t rows[4] = {1, 0, 1, 70};
    w->model.is_parallel = x % 2 == 0 && (w->has_query || is_wrong);
    w->desc.is_parallel = w->its->is_parallel = w->model.is_parallel;
    w->desc.piece_rows = rows[x >> 8 & 3];
    w->desc.stays_on_main = w->model.is_parallel ? (x >> 12) % 16 == 0 : s->schedule.stays_on_main;
    if (w->model.is_parallel && !w->has_query) w->faults |= MODEL_FAULT(INVALID);
}

static void describe(making* w, const run* r, const run_side* s, const script_op* op) {
    bool is_wrong = op->mode >= 200;
    uint64_t x = script_random(&w->state), y = script_random(&w->state);
    model_system* m = &w->model;
    *m = (model_system){.exists = true,
                        .phase = choose_phase(w, s, is_wrong),
                        .order = (int)(x % 5) - 2,
                        .interval = x >> 8 & 3 ? 0 : (1 + (x >> 10) % 8) * 15625000u,
                        .is_disabled = (x >> 16) % 8 == 0,
                        .runs_paused = (x >> 20) % 4 == 0,
                        .apply = (ilk_apply)((x >> 24) % 5 % 3)};
    m->before = choose_names(w, s, w->desc.before, is_wrong);
    m->after = choose_names(w, s, w->desc.after, is_wrong);
    w->has_query = y % 8 != 0;
    w->its->is_each = (y >> 4) % 4 == 0;
    w->desc.name = system_names[w->its->place];
    w->desc.phase = m->phase == MODEL_UPDATE && y >> 8 & 1 ? NULL : phase_names[m->phase];
    w->desc.order = m->order;
    w->desc.interval = (double)m->interval / 1e9;
    w->desc.is_disabled = m->is_disabled;
    w->desc.runs_paused = m->runs_paused;
    w->desc.apply = m->apply;
    cut(w, s, script_random(&w->state), is_wrong);
    declare(w, r, op, is_wrong);
    declare_resources(w, is_wrong);
    w->desc.when = (y >> 12) % 4 == 0 || m->is_parallel ? is_wanted : NULL;
    w->desc.init = note_begin;
    w->desc.exit = note_end;
    w->desc.reset = note_reset;
    w->desc.user = w->its;
    if (w->its->is_each) w->desc.each = m->is_parallel ? run_parallel_each : run_system_each;
    if (!w->its->is_each) w->desc.run = m->is_parallel ? run_parallel_run : run_system_run;
    if (!is_wrong || y >> 60) return;
    w->desc.run = NULL;
    w->desc.each = NULL;
    w->faults |= MODEL_FAULT(INVALID);
}

static void trace_system(const run* r, const making* w) {
    const model_system* m = &w->model;
    if (!r->options.trace) return;
    printf("%15s%s in %s, order %d, interval %u/64, before %x, after %x, apply %d%s%s%s%s%s%s\n",
           "", w->desc.name, phase_names[m->phase], m->order, (unsigned)(m->interval / 15625000u),
           m->before, m->after, (int)m->apply, w->its->is_each ? ", each" : "",
           w->has_query ? ", query" : "", w->desc.when ? ", condition" : "",
           m->is_disabled ? ", off" : "", m->runs_paused ? ", while paused" : "",
           m->is_parallel ? ", parallel" : "");
}

static bool is_for_all(const model_query* q) {
    return q->count == 0 && !q->relates_count && !q->where && !model_query_is_ordered(q);
}

static ilk_result make_system(void* user, run_side* s, const ilk_query_desc* desc) {
    making* w = user;
    char name[4], phase[8] = "";
    if (w->has_query) {
        w->desc.query = *desc;
        w->desc.is_for_all = is_for_all(w->query);
    }
    snprintf(name, sizeof name, "%s", w->desc.name); // which may go, like all texts
    if (w->desc.phase) snprintf(phase, sizeof phase, "%s", w->desc.phase);
    w->desc.name = name;
    w->desc.phase = w->desc.phase ? phase : NULL;
    w->made = w->is_replacing ? ilk_system_replace(s->world, &w->desc)
                              : ilk_system_create(s->world, &w->desc);
    memset(name, 'x', sizeof name - 1);
    memset(phase, 'x', sizeof phase - 1);
    return run_yielded(s, w->made != NULL);
}

// Whether the systems could be put in order with this one.
static model_faults cycle_faults(const run_side* s, const making* w) {
    model_schedule with = s->schedule.model;
    uint32_t order[MODEL_SYSTEMS];
    with.systems[w->its->place] = w->model;
    return model_order(&with, order) == UINT32_MAX ? MODEL_FAULT(INVALID) : MODEL_FINE;
}

static void enter_system(run* r, run_side* s, making* w, const script_op* op) {
    run_schedule* c = &s->schedule;
    run_system* its = w->its;
    model_system* m = &c->model.systems[its->place];
    uint32_t lives = its->begun - its->ended;
    RUN_CHECK(r, lives == 1, "%s: the hooks of a system were not called", s->name);
    w->model.made = w->is_replacing && m->exists ? m->made : c->model.made++;
    w->model.query = w->has_query ? w->query : NULL;
    w->model.is_held = w->desc.when && op->flags & 1;
    *m = w->model;
    *its = (run_system){.run = r,
                        .side = s,
                        .place = its->place,
                        .system = w->made,
                        .is_each = w->desc.each != NULL,
                        .op = *op,
                        .begun = 1,
                        .age = ++c->made,
                        .is_parallel = w->model.is_parallel};
    s->looking.queries[RUN_SYSTEM_QUERY(its->place)].number = ++s->looking.made;
    model_cmd_forget(s->model, &s->commands.buffers[RUN_SYSTEM_BUFFER(its->place)].model);
    s->commands.buffers[RUN_SYSTEM_BUFFER(its->place)] = (run_buffer){0};
    RUN_CHECK(r, ilk_system_named(s->world, system_names[its->place]) == w->made,
              "%s: a system is not found by its name", s->name);
}

static script_op op_for_query(const script_op* op, bool is_parallel) {
    script_op its = *op;
    its.flags &= 0x77;   // no long lists
    its.seed |= 1u << 8; // and nothing about changes
    if (!is_parallel || op->seed & 1) return its;
    its.pick &= 0xff; // few terms, and neither condition nor order: more matches, and is cut
    its.count = 0;
    return its;
}

void run_sys_make(run* r, run_side* s, const script_op* op) {
    run_schedule_ready(r, s, op);
    run_schedule* c = &s->schedule;
    uint32_t place = op->pick % MODEL_SYSTEMS;
    run_system* its = &c->systems[place];
    making w = {.its = its, .is_replacing = op->flags & 2, .state = op->seed};
    if (c->is_running && (w.is_replacing || c->model.systems[place].is_gone)) return;
    bool was_each = its->is_each, was_parallel = its->is_parallel;
    its->run = r;
    its->side = s;
    its->place = place;
    run_query* query = &s->looking.queries[RUN_SYSTEM_QUERY(place)];
    static run_query before; // large; it points into itself, and is put back where it was
    before = *query;
    w.query = &query->model;
    describe(&w, r, s, op);
    script_op wish = op_for_query(op, w.model.is_parallel);
    run_begin(r, s,
              (run_call){.name = w.is_replacing ? "ilk_system_replace" : "ilk_system_create",
                         .count = place});
    trace_system(r, &w);
    s->commands.stale = NULL;
    s->commands.spare -= s->commands.spare > 0;
    run_wished wished = run_wish_query(r, s, &wish, query, make_system, &w);
    bool is_excused = run_excused(r, s, wished.result);
    if (w.has_query) w.faults |= wished.faults;
    if (!w.is_replacing && is_there(s, place)) w.faults |= MODEL_FAULT(EXISTS);
    w.faults |= cycle_faults(s, &w);
    if (!is_excused) run_expect(r, s, wished.result, w.faults);
    if (wished.result == ILK_OK && !r->outcome->failed) {
        enter_system(r, s, &w, op);
        return;
    }
    *query = before;
    its->is_each = was_each;
    its->is_parallel = was_parallel;
}

// Going

void run_system_remove(run_side* s, uint32_t place) {
    run_buffer* b = &s->commands.buffers[RUN_SYSTEM_BUFFER(place)];
    run_end_passes(s, RUN_SYSTEM_QUERY(place));
    run_forget_errands(s, b);
    model_cmd_forget(s->model, &b->model);
    *b = (run_buffer){0};
    run_forget_pieces(&s->schedule.systems[place]);
    s->schedule.systems[place].system = NULL;
    s->schedule.model.systems[place] = (model_system){0};
}

static uint32_t pick_system(const run_side* s, uint32_t pick) {
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++) {
        uint32_t place = (pick + i) % MODEL_SYSTEMS;
        if (is_there(s, place)) return place;
    }
    return MODEL_SYSTEMS;
}

void run_sys_drop(run* r, run_side* s, const script_op* op) {
    uint32_t place = pick_system(s, op->pick);
    if (place == MODEL_SYSTEMS) return;
    run_system* its = &s->schedule.systems[place];
    run_begin(r, s, (run_call){.name = "ilk_system_destroy", .count = place});
    run_expect(r, s, ilk_system_destroy(its->system), MODEL_FINE);
    RUN_CHECK(r, its->begun == its->ended, "%s: a system went without a word", s->name);
    RUN_CHECK(r, !ilk_system_named(s->world, system_names[place]), "%s: a system stays", s->name);
    s->schedule.model.systems[place].is_gone = true;
    if (!s->schedule.is_running) run_system_remove(s, place);
}

void run_schedule_ends(run_side* s) {
    s->schedule.is_ending = true;
    s->schedule.youngest = UINT32_MAX;
}

void run_forget_schedule(run* r, run_side* s) {
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++)
        RUN_CHECK(r, s->schedule.systems[i].begun == s->schedule.systems[i].ended,
                  "%s: a system did not go with its world", s->name);
    run_forget_plan(s);
    s->schedule = (run_schedule){0};
}

// Turning

void run_sys_turn(run* r, run_side* s, const script_op* op) {
    uint32_t place = pick_system(s, op->pick);
    if (place == MODEL_SYSTEMS || s->schedule.is_running) return;
    model_system* m = &s->schedule.model.systems[place];
    run_system* its = &s->schedule.systems[place];
    run_begin(r, s, (run_call){.name = "ilk_system_set_order", .count = place});
    switch (op->flags % 4) {
    case 0:
        m->order = (int)(op->seed % 7) - 3;
        run_expect(r, s, ilk_system_set_order(its->system, m->order), MODEL_FINE);
        return;
    case 1:
        m->is_held = ilk_system_desc_of(its->system)->when && op->seed & 1;
        return;
    case 2:
        ilk_system_stats_reset(its->system);
        its->calls = its->rows = its->commands = its->skipped = 0;
        return;
    default:
        m->is_disabled = op->seed % 4 == 0;
        ilk_system_enable(its->system, !m->is_disabled);
    }
}

static void add_phase(run* r, run_side* s, const script_op* op) {
    model_schedule* m = &s->schedule.model;
    uint32_t phase = (op->mode >= 200 ? 0 : MODEL_ADDED) + op->seed % 3;
    uint32_t after = op->pick % MODEL_PHASES;
    model_faults faults = MODEL_FINE;
    if (model_has_phase(m, phase)) faults |= MODEL_FAULT(EXISTS);
    if (!model_has_phase(m, after)) faults |= MODEL_FAULT(MISSING);
    if (s->schedule.is_running) faults = MODEL_FAULT(LOCKED);
    run_begin(r, s, (run_call){.name = "ilk_phase_add", .count = phase});
    ilk_result result = ilk_phase_add(s->world, phase_names[phase], phase_names[after]);
    if (run_excused(r, s, result)) return;
    run_expect(r, s, result, faults);
    if (!faults) model_phase_add(m, phase, after);
}

static void set_longest(run* r, run_side* s, const script_op* op) {
    static const double bounds[8] = {0, 0, 5 / 64.0, 2 / 64.0, 1, -1, NAN, INFINITY};
    double longest = bounds[op->pick % 8];
    bool makes_sense = longest >= 0 && longest <= 1;
    run_begin(r, s, (run_call){.name = "ilk_set_longest_frame"});
    ilk_result result = ilk_set_longest_frame(s->world, longest);
    run_expect(r, s, result, makes_sense ? MODEL_FINE : MODEL_FAULT(INVALID));
    if (makes_sense) s->schedule.model.longest = longest;
}

static void set_scale(run* r, run_side* s, double scale) {
    run_begin(r, s, (run_call){.name = "ilk_set_time_scale"});
    ilk_set_time_scale(s->world, scale);
    if (scale >= 0)
        s->schedule.model.scale = scale;
    else
        run_expect(r, s, ILK_INVALID, MODEL_FAULT(INVALID));
}

void run_sys_time(run* r, run_side* s, const script_op* op) {
    static const double scales[8] = {1, 1, 0.5, 2, 0, -1, NAN, 1};
    static const uint32_t blocks[4] = {64, 1, 0, 7};
    run_schedule_ready(r, s, op);
    model_schedule* m = &s->schedule.model;
    double scale = scales[op->seed % 8];
    if (op->flags % 4 == 3 || s->schedule.is_running) {
        add_phase(r, s, op);
        return;
    }
    run_begin(r, s, (run_call){.name = "ilk_pause"});
    if (op->flags % 4 == 0) {
        m->is_paused = op->seed % 4 == 0;
        ilk_pause(s->world, m->is_paused);
    } else if (op->flags % 4 == 1) {
        set_scale(r, s, scale);
    } else if (op->seed % 2) {
        set_longest(r, s, op);
    } else {
        s->schedule.blocks = blocks[op->seed % 4];
        ilk_set_settling(s->world, s->schedule.blocks);
    }
}

// Asking

static void check_stats(run* r, const run_side* s, const run_system* its) {
    ilk_system_stats stats = ilk_system_stats_of(its->system);
    bool is_right = stats.calls == its->calls && stats.rows == its->rows &&
                    stats.commands == its->commands && stats.skipped == its->skipped;
    RUN_CHECK(r, is_right,
              "%s: %s was called %llu times for %llu rows, %llu done and %llu skipped, not %llu, "
              "%llu, %llu, %llu",
              s->name, system_names[its->place], (unsigned long long)stats.calls,
              (unsigned long long)stats.rows, (unsigned long long)stats.commands,
              (unsigned long long)stats.skipped, (unsigned long long)its->calls,
              (unsigned long long)its->rows, (unsigned long long)its->commands,
              (unsigned long long)its->skipped);
}

static void check_desc(run* r, const run_side* s, const run_system* its) {
    const model_system* m = &s->schedule.model.systems[its->place];
    const ilk_system_desc* desc = ilk_system_desc_of(its->system);
    bool is_right =
        strcmp(desc->name, system_names[its->place]) == 0 && desc->user == its &&
        desc->order == m->order && desc->is_parallel == m->is_parallel &&
        desc->is_disabled == m->is_disabled && desc->apply == m->apply && !desc->query.terms &&
        (!desc->phase ? m->phase == MODEL_UPDATE : strcmp(desc->phase, phase_names[m->phase]) == 0);
    RUN_CHECK(r, is_right, "%s: %s is described otherwise", s->name, desc->name);
    RUN_CHECK(r, (ilk_system_query(its->system) != NULL) == (m->query != NULL),
              "%s: %s has a query, or none", s->name, desc->name);
}

void run_sys_ask(run* r, run_side* s, const script_op* op) {
    uint32_t order[MODEL_SYSTEMS];
    run_schedule_ready(r, s, op);
    if (s->schedule.is_running) return;
    run_begin(r, s, (run_call){.name = "ilk_system_at"});
    uint32_t count = model_order(&s->schedule.model, order);
    RUN_CHECK(r, ilk_system_count(s->world) == count, "%s: %u systems, not %u", s->name,
              ilk_system_count(s->world), count);
    RUN_CHECK(r, !ilk_system_at(s->world, count), "%s: a system too many", s->name);
    for (uint32_t i = 0; i < count && !r->outcome->failed; i++) {
        const run_system* its = &s->schedule.systems[order[i]];
        ilk_system* at = ilk_system_at(s->world, i);
        RUN_CHECK(r, at == its->system, "%s: at %u comes %s, not %s", s->name, i,
                  at ? ilk_system_desc_of(at)->name : "nobody", system_names[order[i]]);
        if (r->outcome->failed) return;
        uint32_t wave = model_wave(&s->schedule.model, order, i);
        RUN_CHECK(r, ilk_system_wave(at) == wave, "%s: %s is of wave %u, not %u", s->name,
                  system_names[order[i]], ilk_system_wave(at), wave);
        check_stats(r, s, its);
        check_desc(r, s, its);
    }
}
