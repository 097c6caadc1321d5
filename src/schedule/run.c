// Running: phases, waves, systems, time.
#include <string.h>

#include "../event/events.h"
#include "schedule.h"

#define SECOND 1e9
#define WAITED_ENOUGH (SECOND - 1e3) // for a second of an interval

// What systems of one phase are run with.
typedef struct occasion {
    uint64_t ns; // gone by
    double dt;   // the same in seconds: a division that is not made for each system
    void* surface;
    const char* const* active; // NULL: all
    ilk_result result;         // NO_MEMORY if commands are left
} occasion;

static void let_go_by(occasion* t, uint64_t ns) {
    t->ns = ns;
    t->dt = (double)ns / SECOND;
}

// What few systems are asked is kept apart: every system comes by, in every update.
static ILKI_NOINLINE bool is_active(const ilk_system* system, const char* const* active) {
    const char* phase = system->world->schedule->phases[system->phase];
    for (; *active; active++) {
        if (strcmp(*active, system->desc.name) == 0 || strcmp(*active, phase) == 0) return true;
    }
    return false;
}

static uint64_t hash_in(uint64_t hash, const char* name) {
    do hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    while (*name++);
    return hash;
}

// Tells of names in a list that nobody has. A list is given again and again, so the same names are
// told once: `*told` stands for those of the last list.
static void tell_unknown(ilk_world* world, const char* const* active, uint64_t* told,
                         const char* call) {
    if (!active) return;
    const char *name, *const *list = active;
    uint64_t hash = 1469598103934665603u;
    while ((name = ilki_next_unknown(world, &list))) hash = hash_in(hash, name);
    bool is_new = hash != *told;
    *told = hash;
    while (is_new && (name = ilki_next_unknown(world, &active))) {
        ilki_fail_because(world, ILK_MISSING, call, NULL,
                          "the list of those to run has \"%s\", which is no system or phase", name);
    }
}

// Three frames of a thirtieth are a nanosecond less than a tenth of a second, which is not to take
// a fourth one: an interval is over when it lacks a millionth of it.
static ILKI_NOINLINE bool is_due(ilk_system* system, uint64_t ns) {
    double waited = (double)(system->waited += ns);
    system->dt = waited / SECOND;
    return waited >= system->desc.interval * WAITED_ENOUGH;
}

static ILKI_NOINLINE bool is_wanted(const ilk_system* system) {
    ilki_lock_world(system->world, system);
    bool is_yes = system->desc.when(system->world, system->desc.user);
    ilki_unlock_world(system->world);
    return is_yes;
}

// Whether a system runs now; if so, for how much time is noted.
static bool is_to_run(ilk_system* system, const ilki_schedule* schedule, const occasion* t) {
    if (system->is_gone || system->is_resting || system->desc.is_disabled) return false;
    if (t->active && !is_active(system, t->active)) return false;
    if (schedule->is_paused && !system->desc.runs_paused) return false;
    system->dt = t->dt;
    if (system->desc.interval > 0 && !is_due(system, t->ns)) return false;
    return !system->desc.when || is_wanted(system);
}

static ILKI_NOINLINE void apply_commands(ilk_system* system, occasion* t) {
    ilki_schedule* schedule = system->world->schedule;
    ilki_trace* trace = schedule->trace;
    uint64_t begun = ilki_trace_now(trace), allocations = ilki_allocations();
    ilki_here place = ilki_place_of_call();
    ilki_set_place_of_call(schedule->wave.place); // of who updates: who recorded is not known
    system->world->concerned = system->desc.name;
    ilk_applied applied = ilk_cmd_apply(system->cmd);
    system->world->concerned = NULL;
    ilki_set_place_of_call(place);
    system->stats.commands += applied.done;
    system->stats.skipped += applied.skipped;
    system->stats.failed += applied.failed;
    system->stats.allocations += ilki_allocations() - allocations;
    ilki_trace_add(trace, ILKI_TRACE_APPLY, system->desc.name, 0, begun, ilki_trace_now(trace), 0,
                   applied.done);
    schedule->wave.now = ilki_clock_now(&schedule->wave.clock);
    if (!applied.left) return;
    t->result = ILK_NO_MEMORY;
    schedule->has_leftovers = true;
}

// Applies the commands of the systems from one to before another that are to be applied now.
static void apply_all(ilki_schedule* schedule, uint32_t from, uint32_t to, ilk_apply when,
                      occasion* t) {
    if (!schedule->applies[when]) return;
    for (uint32_t i = from; i < to; i++) {
        ilk_system* system = schedule->sorted[i];
        if (system->desc.apply == when && system->cmd->count) apply_commands(system, t);
    }
    ilki_wave_tidy(schedule);
}

// Runs a wave, and applies what is to be applied at its end.
static void run_wave(ilki_schedule* schedule, uint32_t from, uint32_t to, occasion* t) {
    for (uint32_t i = from; i < to; i++) {
        ilk_system* system = schedule->sorted[i];
        system->runs_now = is_to_run(system, schedule, t);
        if (system->runs_now) system->waited = 0;
    }
    ilki_wave_run(schedule, from, to);
    apply_all(schedule, from, to, ILK_APPLY_WAVE, t);
}

// The same for a system that is alone in its wave and not cut: the short way, which most go.
static void run_alone(ilki_schedule* schedule, ilk_system* system, occasion* t) {
    if (is_to_run(system, schedule, t)) {
        system->waited = 0;
        ilki_system_run(schedule, system);
    }
    if (system->desc.apply == ILK_APPLY_WAVE && system->cmd->count) {
        apply_commands(system, t);
        ilki_wave_tidy(schedule);
    }
}

static uint32_t first_of_phase(const ilki_schedule* schedule, uint32_t phase) {
    uint32_t at = 0, count = schedule->sorted_count;
    while (count) { // those before `at` are of earlier phases, those after the next `count` are not
        uint32_t half = count / 2;
        bool is_earlier = schedule->sorted[at + half]->phase < phase;
        if (is_earlier) at += half + 1;
        count = is_earlier ? count - half - 1 : half;
    }
    return at;
}

static void run_phase(ilki_schedule* schedule, uint32_t phase, occasion* t) {
    uint32_t first = first_of_phase(schedule, phase), end = first_of_phase(schedule, phase + 1);
    if (first == end) return;
    uint64_t begun = ilki_trace_now(schedule->trace);
    schedule->wave.surface = t->surface;
    for (uint32_t wave = first, after; wave < end; wave = after) {
        uint64_t wave_begun = ilki_trace_now(schedule->trace);
        if (schedule->trace) schedule->wave.now = wave_begun;
        after = schedule->sorted[wave]->after;
        if (after - wave == 1 && !schedule->sorted[wave]->desc.is_parallel)
            run_alone(schedule, schedule->sorted[wave], t);
        else
            run_wave(schedule, wave, after, t);
        ilki_trace_wave(schedule->trace, schedule->sorted[wave]->wave, wave_begun);
    }
    apply_all(schedule, first, end, ILK_APPLY_PHASE, t);
    ilki_trace_add(schedule->trace, ILKI_TRACE_PHASE, schedule->phases[phase], 0, begun,
                   ilki_trace_now(schedule->trace), 0, 0);
}

static void run_fixed(ilki_schedule* schedule, uint32_t phase, occasion* t) {
    uint64_t ns = t->ns, step = schedule->step; // which a command may change
    uint32_t most = schedule->most;
    let_go_by(t, step);
    schedule->lag += ns;
    for (uint32_t i = 0; i < most && schedule->lag >= step; i++) {
        schedule->lag -= step;
        schedule->time.fixed_steps++;
        run_phase(schedule, phase, t);
    }
    schedule->lag %= schedule->step;
    schedule->time.fraction = (double)schedule->lag / (double)schedule->step;
    let_go_by(t, ns);
}

// The schedule, for who changes or runs it; NULL, and why.
static ilki_schedule* enter_schedule(ilk_world* world, const char* call, ilk_result* result) {
    *result = ilki_enter(world, call);
    ilki_schedule* schedule = *result == ILK_OK ? ilki_schedule_of(world, call) : NULL;
    if (*result == ILK_OK && !schedule) *result = ILK_NO_MEMORY;
    return schedule;
}

// Begins to run: systems that come and go from here on do so at the end.
static ilki_schedule* begin_running(ilk_world* world, const char* call, ilk_result* result) {
    ilki_schedule* schedule = enter_schedule(world, call, result);
    if (!schedule) return NULL;
    if (schedule->is_running || schedule->is_ending) {
        *result = ilki_fail_because(world, ILK_LOCKED, call, NULL,
                                    "the world is running, or being destroyed, already");
        return NULL;
    }
    schedule->is_running = true;
    schedule->wave.place = ilki_place_of_call();
    ilki_clock_set(&schedule->wave.clock);
    schedule->wave.now = schedule->wave.clock.ns;
    schedule->wave.before = ilki_sit_down(&schedule->wave.desk);
    return schedule;
}

static void stop_running(ilki_schedule* schedule) {
    schedule->is_running = false;
    ilki_sit_down(schedule->wave.before);
}

static ilk_result end_running(ilk_world* world, occasion* t, uint32_t from, uint32_t to,
                              const char* call) {
    ilki_schedule* schedule = world->schedule;
    apply_all(schedule, from, to, ILK_APPLY_FRAME, t);
    stop_running(schedule);
    if (schedule->is_outdated) ilki_schedule_tidy(world);
    if (t->result == ILK_OK) return ILK_OK;
    return ilki_fail(world, t->result, call, ILKI_NULL, NULL);
}

// Commands that an earlier time left for want of memory.
static void apply_leftovers(ilki_schedule* schedule, occasion* t) {
    if (!schedule->has_leftovers) return;
    schedule->has_leftovers = false;
    for (uint32_t i = 0; i < schedule->sorted_count; i++) {
        if (schedule->sorted[i]->cmd->count) apply_commands(schedule->sorted[i], t);
    }
}

// The phases before "draw"; the first of them only once.
static void run_logic(ilki_schedule* schedule, uint32_t draw, occasion* t) {
    uint32_t fixed = ilki_phase_find(schedule, "fixed");
    apply_leftovers(schedule, t);
    bool starts = !schedule->is_started && !schedule->is_paused;
    for (uint32_t phase = starts ? 0 : 1; phase < draw; phase++) {
        if (phase == fixed)
            run_fixed(schedule, phase, t);
        else
            run_phase(schedule, phase, t);
    }
    schedule->is_started |= starts;
}

static void settle_at_end(ilk_world* world, ilki_schedule* schedule) {
    uint64_t begun = ilki_trace_now(schedule->trace);
    schedule->settled = ilk_settle(world, schedule->settles);
    ilki_trace_add(schedule->trace, ILKI_TRACE_SETTLE, "settle", 0, begun,
                   ilki_trace_now(schedule->trace), schedule->settled.moved, 0);
}

static ilk_result update(ilk_world* world, double dt, const char* const* active, const char* call) {
    ilk_result result;
    ilki_schedule* schedule = begin_running(world, call, &result);
    if (!schedule) return result;
    bool is_long = schedule->longest > 0 && dt > schedule->longest;
    double scaled = schedule->is_paused ? 0 : (is_long ? schedule->longest : dt) * schedule->scale;
    if (!(dt >= 0 && dt <= ILKI_SECONDS_MOST && scaled <= ILKI_SECONDS_MOST)) {
        stop_running(schedule);
        return ilki_fail_because(world, ILK_INVALID, call, NULL, "dt is %g", dt);
    }
    occasion t = {.active = active};
    let_go_by(&t, (uint64_t)(scaled * SECOND + 0.5));
    uint32_t drawing = ilki_phase_find(schedule, "draw");
    schedule->time.frames++;
    schedule->time.nanoseconds += t.ns;
    ilki_trace_frame(schedule->trace);
    uint64_t begun = ilki_trace_now(schedule->trace);
    tell_unknown(world, active, &schedule->unknown_to_update, call);
    ilki_bus_update(world);
    run_logic(schedule, drawing, &t);
    result = end_running(world, &t, 0, first_of_phase(schedule, drawing), call);
    ilki_events_sweep(world);
    if (schedule->settles) settle_at_end(world, schedule);
    ilki_trace_add(schedule->trace, ILKI_TRACE_FRAME, "frame", 0, begun,
                   ilki_trace_now(schedule->trace), 0, 0);
    return result;
}

ilk_result ilk_update(ilk_world* world, double dt) {
    return update(world, dt, NULL, "ilk_update");
}

ilk_result ilk_update_only(ilk_world* world, double dt, const char* const* active) {
    return update(world, dt, active, "ilk_update_only");
}

static ilk_result draw(ilk_world* world, void* surface, const char* const* active,
                       const char* call) {
    ilk_result result;
    ilki_schedule* schedule = begin_running(world, call, &result);
    if (!schedule) return result;
    occasion t = {.surface = surface, .active = active};
    uint32_t drawing = ilki_phase_find(schedule, "draw");
    tell_unknown(world, active, &schedule->unknown_to_draw, call);
    for (uint32_t phase = drawing; phase < schedule->phase_count; phase++) {
        run_phase(schedule, phase, &t);
    }
    uint32_t first = first_of_phase(schedule, drawing);
    return end_running(world, &t, first, schedule->sorted_count, call);
}

ilk_result ilk_draw(ilk_world* world, void* surface) {
    return draw(world, surface, NULL, "ilk_draw");
}

ilk_result ilk_draw_only(ilk_world* world, void* surface, const char* const* active) {
    return draw(world, surface, active, "ilk_draw_only");
}

ilk_result ilk_set_fixed_step(ilk_world* world, double seconds, uint32_t most) {
    const char* call = "ilk_set_fixed_step";
    ilk_result result;
    ilki_schedule* schedule = enter_schedule(world, call, &result);
    if (!schedule) return result;
    if (!(seconds * SECOND >= 1 && seconds <= ILKI_SECONDS_MOST) || !most) {
        return ilki_fail_because(world, ILK_INVALID, call, NULL, "a step of %g, at most %u",
                                 seconds, most);
    }
    schedule->step = (uint64_t)(seconds * SECOND); // so that three sixtieths fit into a twentieth
    schedule->most = most;
    schedule->lag %= schedule->step;
    return ILK_OK;
}

ilk_result ilk_set_longest_frame(ilk_world* world, double seconds) {
    const char* call = "ilk_set_longest_frame";
    ilk_result result;
    ilki_schedule* schedule = enter_schedule(world, call, &result);
    if (!schedule) return result;
    if (!(seconds >= 0 && seconds <= ILKI_SECONDS_MOST)) {
        return ilki_fail_because(world, ILK_INVALID, call, NULL, "a frame of %g", seconds);
    }
    schedule->longest = seconds;
    return ILK_OK;
}

void ilk_pause(ilk_world* world, bool is_paused) {
    ilki_schedule* schedule = enter_schedule(world, "ilk_pause", &(ilk_result){ILK_OK});
    if (schedule) schedule->is_paused = is_paused;
}

void ilk_set_time_scale(ilk_world* world, double scale) {
    const char* call = "ilk_set_time_scale";
    ilki_schedule* schedule = enter_schedule(world, call, &(ilk_result){ILK_OK});
    if (!schedule) return;
    if (scale >= 0 && scale <= ILKI_SECONDS_MOST)
        schedule->scale = scale;
    else
        ilki_fail_because(world, ILK_INVALID, call, NULL, "a scale of %g", scale);
}

ilk_time ilk_time_of(const ilk_world* world) {
    if (!world || !world->schedule) return (ilk_time){0};
    ilk_time time = world->schedule->time;
    time.is_paused = world->schedule->is_paused;
    return time;
}

void ilk_set_settling(ilk_world* world, uint32_t blocks) {
    ilki_schedule* schedule = enter_schedule(world, "ilk_set_settling", &(ilk_result){ILK_OK});
    if (schedule) schedule->settles = blocks;
}

ilk_settled ilk_last_settling(const ilk_world* world) {
    return world && world->schedule ? world->schedule->settled : (ilk_settled){0};
}
