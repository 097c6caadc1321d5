// Operations on snapshots: they are taken, held over any number of operations, gone back to and
// released in any order. The model keeps a copy of all that it was; after going back it is that
// again, everything is compared, and the script goes on.
//
// What a snapshot holds of values that own something depends on what was written since, block by
// block, which no model knows: it is at most what there was. Where there is no snapshot, all is
// counted.
#include "run.h"

#include <stdlib.h>

#define FEW_SLOTS 400u
#define FEW_EDGES 300u

bool run_is_small(const run_side* s) {
    return s->model->slot_count <= FEW_SLOTS && s->model->edge_count <= FEW_EDGES;
}

void run_may_lose(run_side* s) {
    for (uint32_t i = 0; i < RUN_HELD; i++)
        if (s->past.held[i]) s->past.held[i]->may_be_lost = true;
    for (uint32_t i = 0; i < s->past.ring.count; i++)
        s->past.ring.kept[i].memory->may_be_lost = true;
}

uint64_t run_past_owned(const run_side* s) {
    uint64_t owned = 0;
    for (uint32_t i = 0; i < RUN_HELD; i++)
        if (s->past.held[i]) owned += model_past_owned(s->past.held[i]->model);
    for (uint32_t i = 0; i < s->past.ring.count; i++)
        owned += model_past_owned(s->past.ring.kept[i].memory->model);
    return owned;
}

bool run_past_is_lost(const run_side* s) {
    for (uint32_t i = 0; i < RUN_HELD; i++)
        if (s->past.held[i] && ilk_snapshot_stats_of(s->past.held[i]->snapshot).is_lost)
            return true;
    for (uint32_t i = 0; i < s->past.ring.count; i++)
        if (ilk_snapshot_stats_of(s->past.ring.kept[i].memory->snapshot).is_lost) return true;
    return false;
}

// Taking

static uint32_t commands_waiting(const run_side* s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < RUN_SYSTEM_BUFFER(MODEL_SYSTEMS); i++)
        count += model_cmd_count(&s->commands.buffers[i].model);
    return count;
}

model_faults run_take_faults(const run_side* s) {
    model_faults faults = model_past_take_faults(s->model);
    return commands_waiting(s) ? faults | MODEL_FAULT(LOCKED) : faults;
}

static void remember_schedule(const run_side* s, run_memory* memory) {
    const run_schedule* c = &s->schedule;
    memory->has_schedule = c->is_ready;
    memory->time = c->model;
    memory->blocks = c->blocks;
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++) {
        const model_system* m = &c->model.systems[i];
        if (!m->exists) continue;
        memory->systems[i] =
            (run_system_past){c->systems[i].age, m->order, m->is_disabled, m->waited};
    }
}

run_memory* run_remember(run* r, run_side* s, ilk_snapshot* snapshot) {
    run_memory* memory = must(calloc(1, sizeof *memory));
    memory->snapshot = snapshot;
    memory->model = model_past_take(s->model);
    memory->hash = ilk_hash(s->world);
    memory->refused = r->plan.refused;
    remember_schedule(s, memory);
    for (uint32_t i = 0; i < RUN_SYSTEM_QUERY(MODEL_SYSTEMS); i++)
        memory->queries[i] =
            (run_query_past){s->looking.queries[i].number, s->looking.queries[i].model.since};
    memcpy(memory->stack, s->stage.model.stack, sizeof memory->stack);
    memory->depth = s->stage.model.depth;
    s->past.count++;
    return memory;
}

void run_forget(run_side* s, run_memory* memory) {
    model_past_free(memory->model);
    free(memory);
    s->past.count--;
}

static void check_count(run* r, const run_side* s) {
    uint32_t count = ilk_snapshot_count(s->world);
    RUN_CHECK(r, count == s->past.count, "%s: %u snapshots, not %u", s->name, count, s->past.count);
}

static void take(run* r, run_side* s, uint32_t place) {
    run_begin(r, s, (run_call){.name = "ilk_snapshot_take", .count = place + 1});
    ilk_snapshot* snapshot = ilk_snapshot_take(s->world);
    ilk_result result = run_yielded(s, snapshot != NULL);
    if (run_excused(r, s, result)) return;
    model_faults faults = run_take_faults(s);
    run_expect(r, s, result, faults);
    if (faults || r->outcome->failed) return;
    RUN_CHECK(r, ilk_snapshot_world(snapshot) == s->world, "%s: of another world", s->name);
    s->past.held[place] = run_remember(r, s, snapshot);
}

// While commands wait, none is taken: mostly they are cleared before.
void run_clear_for_past(run* r, run_side* s, const script_op* op) {
    for (uint32_t i = 0; i < RUN_CMDS && op->seed % 8 && commands_waiting(s); i++)
        run_cmd_clear(r, s, &(script_op){.count = (uint16_t)i, .seed = 1});
}

void run_snapshot_take(run* r, run_side* s, const script_op* op) {
    uint32_t place = op->pick % RUN_HELD;
    if (r->is_inside || !run_is_small(s)) return;
    run_clear_for_past(r, s, op);
    for (uint32_t i = 0; i < RUN_HELD && s->past.held[place]; i++) place = (place + 1) % RUN_HELD;
    if (s->past.held[place]) {
        run_snapshot_release(r, s, op);
        return;
    }
    take(r, s, place);
    check_count(r, s);
}

// Going back

static bool is_scene_gone(const run_side* s, const run_memory* memory) {
    for (uint32_t i = 0; i < memory->depth; i++)
        if (!s->stage.model.scenes[memory->stack[i]].exists) return true;
    return false;
}

// A snapshot is lost only where there was no memory.
static bool is_lost(run* r, const run_side* s, const run_memory* memory) {
    bool lost = ilk_snapshot_stats_of(memory->snapshot).is_lost;
    bool may_be = memory->may_be_lost || r->plan.refused != memory->refused;
    RUN_CHECK(r, !lost || may_be, "%s: a snapshot is lost, and there was memory", s->name);
    r->outcome->lacked |= lost;
    return lost;
}

model_faults run_restore_faults(run* r, const run_side* s, const run_memory* memory) {
    model_faults faults = model_past_faults(s->model, memory->model);
    if (is_scene_gone(s, memory)) faults |= MODEL_FAULT(MISSING);
    return is_lost(r, s, memory) ? faults | MODEL_FAULT(STALE) : faults;
}

static void drop_commands(run_side* s) {
    for (uint32_t i = 0; i < RUN_SYSTEM_BUFFER(MODEL_SYSTEMS); i++) {
        run_buffer* b = &s->commands.buffers[i];
        model_cmd_clear(s->model, &b->model);
        run_forget_errands(s, b);
    }
}

// A world that had no schedule has that of a fresh one. The fixed step is made the model's again.
static void begin_time(run* r, run_side* s) {
    model_schedule* m = &s->schedule.model;
    m->is_paused = m->is_started = false;
    m->scale = 1;
    m->longest = 0;
    m->lag = m->now = m->frames = m->fixed_steps = 0;
    s->schedule.blocks = 64;
    run_check_time(r, s);
    ilk_result result = ilk_set_fixed_step(s->world, (double)m->step / 1e9, m->most);
    RUN_CHECK(r, result == ILK_OK, "%s: no fixed step", s->name);
}

static void return_time(run_side* s, const run_memory* memory) {
    model_schedule* m = &s->schedule.model;
    const model_schedule* was = &memory->time;
    m->is_paused = was->is_paused;
    m->is_started = was->is_started;
    m->scale = was->scale;
    m->longest = was->longest;
    m->lag = was->lag;
    m->now = was->now;
    m->frames = was->frames;
    m->fixed_steps = was->fixed_steps;
    s->schedule.blocks = memory->blocks;
}

static void return_systems(run_side* s, const run_memory* memory) {
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++) {
        model_system* m = &s->schedule.model.systems[i];
        const run_system_past* was = &memory->systems[i];
        m->waited = 0;
        if (!m->exists || !was->age || was->age != s->schedule.systems[i].age) continue;
        m->order = was->order;
        m->is_disabled = was->is_disabled;
        m->waited = was->waited;
    }
}

static void return_schedule(run* r, run_side* s, const run_memory* memory) {
    if (!s->schedule.is_ready) return;
    return_systems(s, memory);
    if (memory->has_schedule)
        return_time(s, memory);
    else
        begin_time(r, s);
    run_check_time(r, s);
}

static void return_queries(run_side* s, const run_memory* memory) {
    for (uint32_t i = 0; i < RUN_SYSTEM_QUERY(MODEL_SYSTEMS); i++) {
        run_query* q = &s->looking.queries[i];
        bool is_same = q->number && q->number == memory->queries[i].number;
        q->model.since = is_same ? memory->queries[i].since : 0;
    }
    run_end_passes(s, RUN_QUERIES);
    s->looking.tick = s->looking.tick_time = 0;
}

void run_return(run* r, run_side* s, const run_memory* memory) {
    drop_commands(s);
    model_past_restore(s->model, memory->model);
    return_schedule(r, s, memory);
    return_queries(s, memory);
    memcpy(s->stage.model.stack, memory->stack, sizeof memory->stack);
    s->stage.model.depth = memory->depth;
    memset(s->listening.looked_at, 0, sizeof s->listening.looked_at);
    s->epoch++;
    r->since = UINT32_MAX; // everything is compared
    RUN_CHECK(r, ilk_hash(s->world) == memory->hash, "%s: another hash than it was", s->name);
    for (uint32_t i = 0; i < RUN_CMDS && !r->outcome->failed; i++)
        if (s->commands.buffers[i].cmd) run_check_count(r, s, &s->commands.buffers[i]);
}

static run_memory** pick_memory(run_side* s, uint32_t pick) {
    for (uint32_t i = 0; i < RUN_HELD; i++) {
        run_memory** place = &s->past.held[(pick + i) % RUN_HELD];
        if (*place) return place;
    }
    return NULL;
}

void run_snapshot_restore(run* r, run_side* s, const script_op* op) {
    run_memory** place = pick_memory(s, op->pick);
    if (r->is_inside || !place) return;
    run_begin(r, s, (run_call){.name = "ilk_snapshot_restore", .count = op->pick % RUN_HELD + 1});
    model_faults faults = run_restore_faults(r, s, *place);
    ilk_result result = ilk_snapshot_restore((*place)->snapshot);
    if (run_excused(r, s, result)) return;
    run_expect(r, s, result, faults);
    if (!faults && !r->outcome->failed) run_return(r, s, *place);
    check_count(r, s);
}

// Releasing

static void release(run* r, run_side* s, run_memory** place) {
    run_begin(r, s, (run_call){.name = "ilk_snapshot_release"});
    is_lost(r, s, *place);
    s->memory.forbidden = true;
    ilk_snapshot_release((*place)->snapshot);
    s->memory.forbidden = false;
    run_forget(s, *place);
    *place = NULL;
    check_count(r, s);
}

// One of them; now and then all, and then all values are counted.
void run_snapshot_release(run* r, run_side* s, const script_op* op) {
    uint32_t times = op->seed % 4 ? 1 : RUN_HELD;
    if (r->is_inside) return;
    for (uint32_t i = 0; i < times && !r->outcome->failed; i++) {
        run_memory** place = pick_memory(s, op->pick + i);
        if (place) release(r, s, place);
    }
}

void run_forget_past(run_side* s) {
    for (uint32_t i = 0; i < RUN_HELD; i++)
        if (s->past.held[i]) run_forget(s, s->past.held[i]);
    for (uint32_t i = 0; i < s->past.ring.count; i++) run_forget(s, s->past.ring.kept[i].memory);
    s->past = (run_past){0};
}
