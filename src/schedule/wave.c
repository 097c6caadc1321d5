// Waves: systems that do not conflict run at the same time.
//
// The systems of a wave are cut into jobs, in a way that depends on the world alone. Whoever is
// free takes the next one: the world's own thread and, where the work is worth waking them, its
// workers. Nothing of what they do can be seen by another job; their commands, handles and
// statistics are put together in the order of the jobs when all are done.
#include <string.h>

#include "schedule.h"

// Waking a sleeping thread takes about this many nanoseconds until it is at work.
#define WORTH_WAKING 30000u

// Handles that are ready for each piece of a system that creates, at least.
#define FEW_HANDLES 4u

// The desk of one who works for a wave.
static ilki_desk make_desk(ilki_wave* wave, uint32_t number) {
    ilki_desk desk = {.world = wave->world,
                      .number = number,
                      .may = ilki_system_may,
                      .may_resource = ilki_system_may_resource};
    desk.arena.pool = &wave->blocks;
    return desk;
}

void ilki_wave_init(ilki_wave* wave, ilk_world* world) {
    wave->world = world;
    wave->worth = WORTH_WAKING;
    wave->desk = make_desk(wave, 0);
}

static void free_jobs(ilki_wave* wave, ilki_memory* memory) {
    size_t align = _Alignof(max_align_t);
    ilki_free(memory, ILKI_OTHER, wave->jobs, wave->capacity * sizeof *wave->jobs, align);
    ilki_free(memory, ILKI_OTHER, wave->order, wave->order_capacity * sizeof *wave->order, align);
    ilki_free(memory, ILKI_OTHER, wave->wants, wave->want_capacity * sizeof *wave->wants, align);
}

// Frees what a wave makes again when it needs it. No lanes are open, and no block of the pool is in
// use.
static void free_rooms(ilki_wave* wave, ilki_memory* memory) {
    ilki_arena_pool_fini(&wave->blocks, memory);
    ilki_lanes_fini(&wave->lanes, memory);
    ilki_free(memory, ILKI_OTHER, wave->ends, wave->end_capacity * sizeof *wave->ends,
              _Alignof(max_align_t));
    wave->lanes = (ilki_lanes){0};
    wave->ends = NULL;
    wave->end_capacity = 0;
}

void ilki_wave_fini(ilki_wave* wave) {
    ilki_memory* memory = &wave->world->storage.memory;
    ilki_threads_stop(wave->threads, memory);
    ilki_arena_fini(&wave->desk.arena, memory);
    for (uint32_t i = 0; i < wave->desk_count; i++) ilki_arena_fini(&wave->desks[i].arena, memory);
    ilki_free(memory, ILKI_OTHER, wave->desks, wave->desk_count * sizeof *wave->desks,
              _Alignof(max_align_t));
    free_rooms(wave, memory);
    free_jobs(wave, memory);
}

bool ilki_wave_ready(ilki_wave* wave, uint32_t systems) {
    ilki_memory* memory = &wave->world->storage.memory;
    return ilki_grow(memory, ILKI_OTHER, &wave->jobs, &wave->capacity, systems,
                     sizeof *wave->jobs) &&
           ilki_grow(memory, ILKI_OTHER, &wave->order, &wave->order_capacity, systems,
                     sizeof *wave->order) &&
           ilki_grow(memory, ILKI_OTHER, &wave->wants, &wave->want_capacity, systems,
                     sizeof *wave->wants);
}

// Makes do with a job for each of so many systems, if there is memory for the smaller arrays.
static void shrink_jobs(ilki_wave* wave, uint32_t systems) {
    ilki_memory* memory = &wave->world->storage.memory;
    ilki_wave smaller = {.world = wave->world};
    bool is_had = ilki_wave_ready(&smaller, systems);
    free_jobs(is_had ? wave : &smaller, memory);
    if (!is_had) return;
    wave->jobs = smaller.jobs;
    wave->order = smaller.order;
    wave->wants = smaller.wants;
    wave->capacity = smaller.capacity;
    wave->order_capacity = smaller.order_capacity;
    wave->want_capacity = smaller.want_capacity;
}

// What systems have learned about the handles that they need is kept: it saves more than it takes.
void ilki_schedule_trim(ilk_world* world) {
    ilki_schedule* schedule = world->schedule;
    if (!schedule || schedule->is_running) return;
    free_rooms(&schedule->wave, &world->storage.memory);
    shrink_jobs(&schedule->wave, schedule->count);
}

void ilki_lock_world(ilk_world* world, const ilk_system* system) {
    world->running = system->desc.name;
    world->storage.view.fresh = ILKI_LOCKED;
    world->storage.wave++;
}

void ilki_unlock_world(ilk_world* world) {
    world->running = NULL;
    world->storage.view.fresh = world->storage.view.tick;
    world->storage.wave++;
}

// Cuts what a parallel system matches. How many pieces there are; one if there is no memory to note
// where more would end, beside a job for each of the systems that are still to come.
static uint32_t cut_system(ilki_wave* wave, const ilk_system* system, uint32_t to_come) {
    ilki_memory* memory = &wave->world->storage.memory;
    if (!system->desc.is_parallel || !system->query || system->query->is_ordered) return 1;
    uint32_t rows = system->desc.piece_rows;
    uint32_t pieces = ilki_query_cut(system->query, rows, wave->ends, wave->end_capacity);
    if (pieces - 1 > wave->end_capacity) {
        if (!ilki_grow(memory, ILKI_OTHER, &wave->ends, &wave->end_capacity, pieces - 1,
                       sizeof *wave->ends)) {
            return 1;
        }
        ilki_query_cut(system->query, rows, wave->ends, wave->end_capacity);
    }
    return ilki_wave_ready(wave, wave->count + pieces + to_come) ? pieces : 1;
}

// How many handles a piece is expected to give out.
static uint32_t expected_of(const ilk_system* system, uint32_t piece) {
    if (!system->want_count) return 0; // no piece of it ever created
    uint32_t want = piece < system->want_count ? system->wants[piece] : 0;
    return want > FEW_HANDLES ? want : FEW_HANDLES;
}

static void add_jobs(ilki_wave* wave, ilk_system* system, uint32_t to_come) {
    system->job_count = cut_system(wave, system, to_come);
    for (uint32_t i = 0; i < system->job_count; i++) {
        ilki_job* job = &wave->jobs[wave->count];
        job->system = system;
        job->piece = i;
        job->from = i ? wave->ends[i - 1] : 0;
        job->to = i + 1 < system->job_count ? wave->ends[i] : ILKI_NO_BOUND;
        wave->wants[wave->count] = expected_of(system, i);
        wave->count++;
    }
}

// The jobs of all systems that are to run. How much work they are expected to be.
static uint64_t make_jobs(ilki_schedule* schedule, uint32_t from, uint32_t to) {
    ilki_wave* wave = &schedule->wave;
    uint64_t cost = 0;
    wave->count = 0;
    for (uint32_t i = from; i < to; i++) {
        ilk_system* system = schedule->sorted[i];
        if (!system->runs_now) continue;
        add_jobs(wave, system, to - i - 1);
        cost += system->cost;
    }
    return cost;
}

// A number that follows from another, for tests.
static uint64_t scramble(uint64_t* seed) {
    *seed += 0x9e3779b97f4a7c15u;
    uint64_t mixed = (*seed ^ *seed >> 30) * 0xbf58476d1ce4e5b9u;
    return mixed ^ mixed >> 31;
}

static void order_jobs(ilki_wave* wave) {
    for (uint32_t i = 0; i < wave->count; i++) {
        uint32_t at = wave->seed ? (uint32_t)(scramble(&wave->seed) % (i + 1)) : i;
        wave->order[i] = wave->order[at];
        wave->order[at] = i;
    }
}

// Gives each job a buffer and a lane of handles. Without the memory for that they run one after the
// other, and their handles come from the index, as those of a single one do.
static void open_lanes(ilki_wave* wave) {
    ilki_storage* storage = &wave->world->storage;
    ilki_lanes* lanes = &wave->lanes;
    wave->is_direct =
        !ilki_lanes_open(lanes, &storage->view.index, &storage->memory, wave->count, wave->wants);
    if (wave->is_direct) return;
    order_jobs(wave);
    for (uint32_t i = 0; i < wave->count; i++) {
        ilki_job* job = &wave->jobs[i];
        ilki_buffer_init(&job->cmd, wave->world, lanes, &lanes->lanes[i]);
        job->cmd.is_strict = job->system->cmd->is_strict;
    }
}

static void begin_walk(ilki_job* job, ilk_iter* it) {
    ilk_system* system = job->system;
    if (!system->query) {
        ilki_iter_nothing(it, system->world);
        return;
    }
    job->walked = (ilk_query_stats){0};
    ilki_iter_begin(it, system->world, system->query);
    it->is_pass = false; // whether all pieces were visited is known later
    it->stats = &job->walked;
    if (system->job_count > 1) ilki_iter_confine(it, job->from, job->to);
}

ILKI_INLINE void do_job(ilki_wave* wave, ilki_job* job, ilki_desk* desk) {
    ilk_system* system = job->system;
    ilk_iter it;
    desk->running = system->desc.name;
    desk->system = system;
    desk->is_piece = system->desc.is_parallel;
    begin_walk(job, &it);
    job->cmd.arena = &desk->arena;
    job->worker = desk->number;
    it.cmd = wave->is_direct ? system->cmd : &job->cmd;
    it.dt = system->dt;
    it.user = system->desc.user;
    it.surface = wave->surface;
    it.system = system;
    if (system->desc.run)
        system->desc.run(&it);
    else
        ilki_call_for_each(&it, system->desc.each, system->desc.user);
    desk->system = NULL;
    if (system->query) ilki_iter_end(&it, false);
    job->is_done = it.is_done;
}

// Does a job. `now` is the time, and is the time afterwards.
static ILKI_NOINLINE void do_timed(ilki_wave* wave, ilki_job* job, ilki_desk* desk, uint64_t* now) {
    uint64_t allocations = ilki_allocations();
    job->begun = *now;
    do_job(wave, job, desk);
    uint64_t ended = ilki_clock_now(&wave->clock);
    if (ended > *now) *now = ended; // else processors do not agree
    job->ended = *now;
    job->allocations = ilki_allocations() - allocations;
}

// Takes jobs until none is left.
static void work_through(ilki_wave* wave, ilki_desk* desk, uint64_t* now) {
    for (;;) {
        uint32_t next = __atomic_fetch_add(&wave->next, 1, __ATOMIC_RELAXED);
        if (next >= wave->count) return;
        ilki_job* job = &wave->jobs[wave->order[next]];
        if (!job->system->desc.stays_on_main) do_timed(wave, job, desk, now);
    }
}

static void help(void* argument) {
    ilki_wave* wave = argument;
    uint32_t taken = __atomic_fetch_add(&wave->desks_taken, 1, __ATOMIC_RELAXED);
    if (taken >= wave->desk_count) return;
    uint64_t now = ilki_clock_now(&wave->clock);
    ilki_desk* before = ilki_sit_down(&wave->desks[taken]);
    work_through(wave, &wave->desks[taken], &now);
    ilki_sit_down(before);
}

static void work_in_turn(ilki_wave* wave) {
    for (uint32_t i = 0; i < wave->count; i++) {
        do_timed(wave, &wave->jobs[i], &wave->desk, &wave->now);
    }
}

static void work_on_main(ilki_wave* wave) {
    for (uint32_t i = 0; i < wave->count; i++) {
        ilki_job* job = &wave->jobs[wave->order[i]];
        if (job->system->desc.stays_on_main) do_timed(wave, job, &wave->desk, &wave->now);
    }
    work_through(wave, &wave->desk, &wave->now);
}

// Starts the workers, once. Without memory, or threads, there are fewer.
static void hire(ilki_wave* wave) {
    ilk_world* world = wave->world;
    ilki_memory* memory = &world->storage.memory;
    if (wave->has_tried_threads || !world->workers) return;
    wave->has_tried_threads = true;
    bool is_ours = !world->jobs.start;
    if (is_ours) wave->threads = ilki_threads_start(memory, world->workers);
    wave->crew =
        is_ours ? (ilk_jobs){ilki_threads_help, ilki_threads_wait, wave->threads} : world->jobs;
    uint32_t count = is_ours ? ilki_threads_count(wave->threads) : world->workers;
    if (!count) return;
    wave->desks =
        ilki_alloc_zero(memory, ILKI_OTHER, count * sizeof *wave->desks, _Alignof(max_align_t));
    if (!wave->desks) return;
    wave->desk_count = count;
    for (uint32_t i = 0; i < count; i++) wave->desks[i] = make_desk(wave, i + 1);
}

static void share_work(ilki_wave* wave) {
    const ilk_jobs* crew = &wave->crew;
    uint32_t times = wave->count - 1 < wave->desk_count ? wave->count - 1 : wave->desk_count;
    crew->start(crew->context, help, wave, times);
    work_on_main(wave);
    crew->wait(crew->context);
}

// Has all jobs done.
static void do_jobs(ilki_wave* wave, uint64_t cost) {
    ilki_storage* storage = &wave->world->storage;
    bool is_shared = !wave->is_direct, is_worth = is_shared && cost >= wave->worth;
    if (is_worth) hire(wave);
    wave->next = wave->desks_taken = 0;
    ilki_lock_world(wave->world, wave->jobs[0].system);
    storage->is_shared = storage->memory.is_shared = is_shared;
    if (!is_shared)
        work_in_turn(wave);
    else if (is_worth && wave->desk_count)
        share_work(wave);
    else
        work_on_main(wave);
    storage->is_shared = storage->memory.is_shared = false;
    ilki_unlock_world(wave->world);
}

static void add_walk(ilk_query_stats* stats, const ilk_query_stats* walked) {
    stats->chunks += walked->chunks;
    stats->skipped += walked->skipped;
    stats->whole += walked->whole;
    stats->words += walked->words;
    stats->rows += walked->rows;
    stats->sorts += walked->sorts;
}

// Notes how many handles a piece gave out, so that the next time as many are ready; fewer, if it is
// fewer for a while.
static void note_want(ilki_memory* memory, ilk_system* system, uint32_t piece, uint32_t used) {
    if (piece >= system->want_count) {
        if (!used || !ilki_grow(memory, ILKI_OTHER, &system->wants, &system->want_capacity,
                                piece + 1, sizeof *system->wants)) {
            return;
        }
        system->want_count = piece + 1;
    }
    uint32_t want = system->wants[piece] - (system->wants[piece] + 7) / 8;
    system->wants[piece] = used > want ? used : want;
}

// Notes what a job saw and needed.
static void note_job(const ilki_job* job) {
    ilk_system* system = job->system;
    system->stats.allocations += job->allocations;
    if (!system->query) return;
    system->stats.rows += job->walked.rows;
    system->stats.chunks += job->walked.chunks;
    system->stats.chunks_skipped += job->walked.skipped;
    add_walk(&system->query->stats, &job->walked);
}

// Takes the commands that a job recorded beside others.
static void gather_commands(ilki_wave* wave, ilki_job* job, const ilki_lane* lane) {
    ilk_system* system = job->system;
    ilki_buffer_release(&job->cmd);
    system->cmd->is_strict = job->cmd.is_strict;
    ilki_buffer_append(system->cmd, &job->cmd);
    job->cmd.is_taken = false; // whoever kept it->cmd is to be told
    note_want(&wave->world->storage.memory, system, job->piece, lane->used);
}

static void trace_job(const ilki_wave* wave, const ilki_job* job) {
    ilki_trace* trace = wave->world->schedule->trace;
    if (ILKI_LIKELY(!trace)) return;
    const ilk_system* system = job->system;
    ilki_trace_kind kind = system->job_count > 1 ? ILKI_TRACE_PIECE : ILKI_TRACE_SYSTEM;
    const ilk_cmd* cmd = wave->is_direct ? system->cmd : &job->cmd;
    ilki_trace_add(trace, kind, system->desc.name, job->worker, job->begun, job->ended,
                   system->query ? job->walked.rows : 0, ilk_cmd_count(cmd));
}

// Takes what a job has left: its commands and what it saw.
static void gather_job(ilki_wave* wave, uint32_t at) {
    ilki_job* job = &wave->jobs[at];
    trace_job(wave, job);
    note_job(job);
    if (!wave->is_direct) gather_commands(wave, job, &wave->lanes.lanes[at]);
}

static void note_run(ilk_system* system, uint64_t ns, uint64_t now) {
    ilk_system_stats* stats = &system->stats;
    stats->calls++;
    stats->last_ns = ns;
    stats->total_ns += ns;
    if (ns > stats->worst_ns) stats->worst_ns = ns;
    ilki_window_add(&system->window, now, ns);
    system->cost = system->cost ? system->cost - system->cost / 4 + ns / 4 : ns;
}

// Whether anybody recorded anything, also if it was dropped or failed in the end.
static bool has_recorded(const ilki_wave* wave) {
    bool has = wave->desk.arena.current != NULL;
    for (uint32_t i = 0; i < wave->desk_count; i++) has |= wave->desks[i].arena.current != NULL;
    return has;
}

// What the query of a system has to know of a run. `tick` is now over.
static void end_query(const ilki_wave* wave, ilk_query* query, bool is_whole, uint64_t tick) {
    if (!wave->is_direct) query->stats.passes++;
    bool asks = query->changed || query->added;
    if (is_whole && asks) ilki_query_see(query, tick);
}

// Puts together what the jobs of one system have left, which begin at `at`.
static void gather_system(ilki_wave* wave, uint32_t at, uint64_t tick) {
    ilk_system* system = wave->jobs[at].system;
    bool is_whole = true;
    uint64_t ns = 0, now = 0;
    for (uint32_t i = at; i < at + system->job_count; i++) {
        gather_job(wave, i);
        is_whole &= wave->jobs[i].is_done;
        ns += wave->jobs[i].ended - wave->jobs[i].begun;
        if (wave->jobs[i].ended > now) now = wave->jobs[i].ended;
    }
    note_run(system, ns, now);
    if (system->query) end_query(wave, system->query, is_whole, tick);
}

void ilki_system_run(ilki_schedule* schedule, ilk_system* system) {
    ilki_wave* wave = &schedule->wave;
    ilki_storage* storage = &wave->world->storage;
    ilki_job* job = &wave->jobs[0];
    job->system = system;
    system->job_count = wave->count = 1;
    wave->is_direct = true;
    ilki_next_tick(storage);
    ilki_lock_world(wave->world, system);
    do_timed(wave, job, &wave->desk, &wave->now);
    uint64_t tick = ilki_next_tick(storage);
    ilki_unlock_world(wave->world);
    trace_job(wave, job);
    note_job(job);
    note_run(system, job->ended - job->begun, job->ended);
    if (system->query) end_query(wave, system->query, job->is_done, tick);
}

void ilki_wave_run(ilki_schedule* schedule, uint32_t from, uint32_t to) {
    ilki_wave* wave = &schedule->wave;
    ilki_storage* storage = &wave->world->storage;
    uint64_t cost = make_jobs(schedule, from, to);
    if (wave->count == 1) ilki_system_run(schedule, wave->jobs[0].system);
    if (wave->count <= 1) return;
    ilki_next_tick(storage);
    open_lanes(wave);
    do_jobs(wave, cost);
    bool is_room = wave->is_direct || ilki_lanes_close(&wave->lanes);
    uint64_t tick = ilki_next_tick(storage);
    wave->is_lent |= has_recorded(wave);
    for (uint32_t at = 0; at < wave->count; at += wave->jobs[at].system->job_count) {
        gather_system(wave, at, tick);
    }
    if (!is_room) ilki_fail(wave->world, ILK_FULL, "ilk_cmd_create", ILKI_NULL, NULL);
}

void ilki_wave_tidy(ilki_schedule* schedule) {
    ilki_wave* wave = &schedule->wave;
    if (!wave->is_lent) return;
    for (uint32_t i = 0; i < schedule->count; i++) {
        if (ilk_cmd_count(schedule->systems[i]->cmd)) return;
    }
    size_t bytes = ilki_arena_reset(&wave->desk.arena);
    for (uint32_t i = 0; i < wave->desk_count; i++)
        bytes += ilki_arena_reset(&wave->desks[i].arena);
    // Who records how much differs from time to time.
    ilki_arena_pool_fill(&wave->blocks, &wave->world->storage.memory, bytes, 1 + wave->desk_count);
    wave->is_lent = false;
}

uint32_t ilk_threads(const ilk_world* world) {
    return 1 + (world && world->schedule ? world->schedule->wave.desk_count : 0);
}
