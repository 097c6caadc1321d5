// Systems: functions that a world runs, in phases and in order.
//
//     static void fall(ilk_iter* it) {
//         while (ilk_next(it)) {
//             Position* p = ILK_WRITE(it, Position);
//             for (uint32_t i = 0; i < it->count; i++) {
//                 p[i].y -= 9.8f * (float)it->dt;
//                 if (p[i].y < 0) ilk_cmd_destroy(it->cmd, it->entities[i]);
//             }
//         }
//     }
//
//     ilk_system_create(world, &(ilk_system_desc){
//         .name = "fall", .run = fall, .query = {.write = {&Position_type}}});
//     ilk_update(world, 1.0 / 60);
//
// Inside a system the world is locked: verbs that change it return LOCKED, and name the system, the
// entity and the component; what is to change goes through the columns that the query declares, and
// through it->cmd. (Values of types that it declares to write may also be written by ilk_edit and
// by loops over other queries, and resources by ilk_resource_edit, unless it is parallel. A system
// may switch itself off.) Systems are cut into waves: neighbours in the order whose declarations do
// not conflict (none writes what another reads or writes, none is declared to come after another)
// are of one wave. The systems of a wave run at the same time if the world has workers
// (ilk_world_desc), and one after the other if not. The commands of a wave are applied at its end,
// in the order of its systems and pieces, so that everything, handles and order included, is the
// same for any number of workers.
//
// What a system may read beside its columns: ilk_get, ilk_has and questions, and loops over other
// queries, of types that it declares; but a parallel system not those that it writes, since other
// pieces write them at the same time. The checked build reports what it may not use, and refuses
// it. Everything else here is for the world's thread.
#ifndef ILK_SYSTEM_H
#define ILK_SYSTEM_H

#include "cmd.h"

#ifdef __cplusplus
extern "C" {
#endif

// A function that a world runs, with what is known of it.
typedef struct ilk_system ilk_system;

// Called with an iterator over what matches, or once if the system has no query (then ilk_next is
// false). it->cmd, it->dt and it->user are set; in the draw phase it->surface.
typedef void ilk_system_fn(ilk_iter* it);

// Called when a system is made and when it goes; the world may be changed. At the end of the world
// the youngest system goes first.
typedef void ilk_system_hook(ilk_world* world, void* user);

// Whether a system is to run now. Asked on the world's thread when its wave begins. The world is
// locked.
typedef bool ilk_system_condition(ilk_world* world, void* user);

// When the commands of a system are applied.
typedef enum ilk_apply {
    ILK_APPLY_WAVE,  // at the end of its wave
    ILK_APPLY_PHASE, // at the end of its phase
    ILK_APPLY_FRAME  // at the end of the update, or of the drawing
} ilk_apply;

// All zero but for a name and a function is valid.
typedef struct ilk_system_desc {
    const char* name; // unique in the world; copied
    ilk_system_fn* run;
    ilk_each_fn* each; // or this, for each entity that matches; once, for null, without a query
    void* user;
    const char* phase; // NULL means "update"
    int order;         // within the phase; lower ones first, then in order of making
    ilk_apply apply;
    // Seconds: runs once that much time has gone by, but for a millionth of it, with all that has
    // as dt. Time counts while `when` says no; it does not while the system is switched off, not on
    // the list of active ones, rests in a scene, or is held by a pause.
    double interval;
    ilk_system_condition* when; // NULL: always
    bool is_disabled;
    bool runs_paused;
    bool stays_on_main; // runs on the world's thread
    // The function may run at the same time for different pieces of what matches. It is called once
    // for each piece, with an iterator over that; with no workers too.
    bool is_parallel;
    uint32_t piece_rows; // about so many rows each; 0: 256 to 8,192, as it suits
    ilk_system_hook *init, *exit;
    ilk_system_hook* reset; // called by ilk_reset
    ilk_query_desc query;   // all zero: no query
    bool is_for_all;        // the query matches every entity
    // Types that it uses beside those of the query, of components and of resources (resource.h). A
    // system without a query that declares none of these may use all, and runs alone. A parallel
    // one writes in the rows of its query only.
    ilk_type* reads[ILK_LIST];
    ilk_type* writes[ILK_LIST];
    ilk_type* reads_resources[ILK_LIST];
    ilk_type* writes_resources[ILK_LIST];
    const char* before[ILK_LIST]; // names of systems or phases
    const char* after[ILK_LIST];
} ilk_system_desc;

// Make a system of a world, which owns it. NULL, and the result in ilk_error: EXISTS for a name
// that another system has, MISSING for a phase or a name in before and after that there is not,
// INVALID (no name, no function, a cycle, whose members are listed, with whom each waits for and
// why), LOCKED, NO_MEMORY. What is wrong with the query or a type is told as ilk_query_create
// would, in a sentence that also names the system: INVALID, MISSING, CLASH.
ILK_API ilk_system* ilk_system_create(ilk_world* world, const ilk_system_desc* desc);

// The same, in place of the system of that name, if there is one, whose exit hook is called before
// the init hook of the new one. On failure the old one stays.
ILK_API ilk_system* ilk_system_replace(ilk_world* world, const ilk_system_desc* desc);

// Calls the exit hook. LOCKED inside a system; then destroy it by a command, with ilk_cmd_call. It
// does not run any more, but what it has recorded in this update is applied when it would have
// been. INVALID for NULL, and for one that is going already.
ILK_API ilk_result ilk_system_destroy(ilk_system* system);

// The system of a name, or NULL; how many there are; the system at a place in the order.
ILK_API ilk_system* ilk_system_named(ilk_world* world, const char* name);
ILK_API uint32_t ilk_system_count(const ilk_world* world);
ILK_API ilk_system* ilk_system_at(ilk_world* world, uint32_t at);

// What a system was made with, but for query.terms, which is NULL. It lives as long as the system.
ILK_API const ilk_system_desc* ilk_system_desc_of(const ilk_system* system);
// NULL: it has none. It goes with the system: destroying it does nothing.
ILK_API ilk_query* ilk_system_query(const ilk_system* system);
ILK_API uint32_t ilk_system_wave(const ilk_system* system);

// How many threads run systems, the world's own included. (Others are started when first needed,
// and may be fewer than asked for if there are no more to be had.)
ILK_API uint32_t ilk_threads(const ilk_world* world);

// Inside a system only itself, unless it is parallel; otherwise LOCKED is told, and nothing done.
ILK_API void ilk_system_enable(ilk_system* system, bool is_enabled);
ILK_API ilk_result ilk_system_set_order(ilk_system* system, int order);

// Phases run in this order: "start" (once, in the first update that is not paused), "fixed",
// "update", "post"; and by ilk_draw "draw", and what was added after it. Add a phase of a name
// after another one. EXISTS, MISSING, INVALID, NO_MEMORY; LOCKED while the world is running.
ILK_API ilk_result ilk_phase_add(ilk_world* world, const char* name, const char* after);

// The fixed phase runs as often as whole steps fit into the time that has gone by, at most
// `most` times a frame; what is beyond that is dropped. At first 1/60 s, at most 8. INVALID for a
// step or a number that makes no sense, LOCKED, NO_MEMORY.
ILK_API ilk_result ilk_set_fixed_step(ilk_world* world, double seconds, uint32_t most);

// A frame takes at most so many seconds: of a longer dt the rest is dropped before anything runs,
// so that no system sees it and no clock counts it. The scale of time comes after that. 0, as at
// first: there is no such bound. INVALID for a number that makes no sense, LOCKED, NO_MEMORY.
ILK_API ilk_result ilk_set_longest_frame(ilk_world* world, double seconds);

// Run the logic phases, with so many seconds gone by (at most 1e9). Systems that are made or
// destroyed meanwhile, by commands, count from the next one on. `active` is a list of names, of
// systems or phases, that ends with NULL: only those systems run; NULL: all. (Names that nobody has
// are passed over, and told to the callback as MISSING, once, until they are others.) LOCKED inside
// a system, INVALID for a dt that is negative or no number, NO_MEMORY if commands were left for
// want of memory: they are tried again at the next one.
ILK_API ilk_result ilk_update(ilk_world* world, double dt);
ILK_API ilk_result ilk_update_only(ilk_world* world, double dt, const char* const* active);

// Run the draw phase. No time goes by in it: dt is 0, and an interval is never over. `surface` is
// what it->surface is to be.
ILK_API ilk_result ilk_draw(ilk_world* world, void* surface);
ILK_API ilk_result ilk_draw_only(ilk_world* world, void* surface, const char* const* active);

// While paused, only systems with runs_paused run, and no time goes by, so that nothing in the
// fixed phase does; frames are counted. Time goes by `scale` times as fast; 1 at first; a scale
// that is negative or no number is told as INVALID, and passed over. Like all that is set here, it
// may need memory before the first system is made: nothing is set then, and NO_MEMORY told. Nor is
// anything set inside a system, where LOCKED is told: ilk_cmd_call does it later.
ILK_API void ilk_pause(ilk_world* world, bool is_paused);
ILK_API void ilk_set_time_scale(ilk_world* world, double scale);

// Time in the world: frames, seconds since the first, and how far the fixed phase lags behind, as a
// share of its step (0 to 1), for drawing in between.
typedef struct ilk_time {
    uint64_t frames;
    uint64_t fixed_steps;
    uint64_t nanoseconds;
    double fraction;
    bool is_paused;
} ilk_time;
ILK_API ilk_time ilk_time_of(const ilk_world* world);

// Begin anew. All scenes exit, from the top down. Every entity is destroyed, in order of index, and
// one update of one fixed step, in which nothing is paused, lets systems see to what outlives its
// entity; then the world is cleared (ilk_clear), all events are forgotten, and so are commands that
// were left for want of memory. Time is 0, "start" is to run again, systems have waited for nothing
// and have no statistics, and their reset hooks are called in the order in which they run; there
// the world may be changed. Types, queries, systems, scenes, observers, readers, subscribers,
// resources and what was set here stay. LOCKED while the world is running or scenes change;
// NO_MEMORY if something could not be done in that update, but all the rest was.
ILK_API ilk_result ilk_reset(ilk_world* world);

// Settling happens at the end of each update, as ilk_settle does it, up to so many blocks; 0 turns
// it off. (NO_MEMORY and LOCKED as for ilk_pause.) 1,024 at first: less than a millisecond even
// where much is to be moved.
ILK_API void ilk_set_settling(ilk_world* world, uint32_t blocks);
ILK_API ilk_settled ilk_last_settling(const ilk_world* world);

// How long the calls of a system took in a period of real time that ends now.
typedef struct ilk_lately {
    uint64_t calls;
    uint64_t mean_ns, worst_ns;
} ilk_lately;

// What a system did since it was made, or since its statistics were reset.
typedef struct ilk_system_stats {
    uint64_t calls;
    uint64_t rows;           // handed out
    uint64_t chunks;         // looked at
    uint64_t chunks_skipped; // of them: without a row to visit, known from their blocks alone
    uint64_t commands;       // applied
    uint64_t skipped;        // commands whose entity was dead
    uint64_t failed;      // commands that failed otherwise, which the message callback was told of
    uint64_t allocations; // that the world made while it ran or its commands were applied
    uint64_t last_ns, total_ns, worst_ns;
    ilk_lately second, minute, five_minutes;
} ilk_system_stats;

// All zero for NULL.
ILK_API ilk_system_stats ilk_system_stats_of(const ilk_system* system);

// From here on they count anew.
ILK_API void ilk_system_stats_reset(ilk_system* system);

#ifdef __cplusplus
}
#endif
#endif
