// The state of a run, shared between the files that do operations and those that compare.
#ifndef RUN_H
#define RUN_H

#include "blueprints.h"
#include "catalog.h"
#include "cmds.h"
#include "decode.h"
#include "hashing.h"
#include "listening.h"
#include "observing.h"
#include "passes.h"
#include "pasts.h"
#include "pieces.h"
#include "schedules.h"
#include "scenes.h"
#include "script.h"
#include "supply.h"

#include <string.h>

#define RUN_SET_MAX 17u
#define RUN_BULK_MAX 6000u
#define RUN_SCRATCH (1u << 20) // bytes of values for one operation
#define RUN_THROWAWAYS 24u

// A message that came during an operation.
typedef struct run_message {
    ilk_result result;
    ilk_entity entity;
    uint32_t known; // types, when it came
    char call[32], type[32];
} run_message;

#define RUN_PLUGINS 8u

typedef struct run_plugins {
    uint32_t is_there; // bits
    uint32_t order[RUN_PLUGINS], count;
    bool is_failing;   // one of them
    uint32_t removing; // one above the one that is to go, or 0
} run_plugins;

// A world and its model.
struct run_side {
    const char* name;
    ilk_world* world;
    model_world* model;
    supply memory;
    uint32_t epoch;    // of settling: places from another epoch are not compared
    uint32_t messages; // that came
    uint32_t expected; // that should have come
    ilk_result told;   // by the last message
    ilk_entity told_entity;
    char told_call[32], told_type[32], told_text[512];
    bool is_error_open; // pieces have failed since, on this thread or on others
    uint32_t workers;
    run_message* heard; // this operation
    uint32_t heard_count, heard_capacity;
    run_passes looking;
    run_cmds commands;
    run_schedule schedule;
    run_stage stage;
    run_listening listening;
    run_observing observing;
    run_hashes hashes;
    run_past past;
    void* user;         // the pointer that the world carries
    uint32_t id_before; // of the world that was here before, or 0
    run_plugins plugins;
};

// The call that is being made: what its message must name.
typedef struct run_call {
    const char* name;
    bool about_entity, about_type;
    ilk_entity entity;
    uint32_t type;
    uint32_t count;
    const struct run_set* set; // for the trace
} run_call;

// A list of types, as the library and as the model have it.
typedef struct run_set {
    uint32_t count;
    uint32_t types[RUN_SET_MAX];
    ilk_type* variables[RUN_SET_MAX];
} run_set;

struct run {
    script_header header;
    run_options options;
    run_outcome* outcome;
    run_side sides[2];
    run_call call;
    supply_plan plan;
    uint64_t refused_before; // this operation
    uint64_t since;          // operations since everything was compared
    ilk_type throwaways[RUN_THROWAWAYS];
    char throwaway_names[RUN_THROWAWAYS][16];
    uint32_t throwaway_count;
    unsigned char *ours, *theirs; // scratch for values: the library's form and the model's
    ilk_entity *list, *made;
    bool* taken;
    uint32_t* stamps; // by slot
    uint32_t stamp_capacity, stamp;
    ilk_entity* found; // by a query
    uint32_t found_capacity;
    bool is_inside; // an operation is being done by a callback of another
    run_blueprints blueprints;
    ilk_entity* found_there; // where others went
    ilk_entity* hints;       // handles to be taken over
};

// The first failure of a run is kept; the run ends after the operation.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void run_fail(run* r, const char* format, ...);
#define RUN_CHECK(r, condition, ...)                                                               \
    do {                                                                                           \
        if (!(condition)) run_fail((r), __VA_ARGS__);                                              \
    } while (0)

// Something that the same script must always give.
void run_note(run* r, uint64_t number);

// A call has to do without memory.
static inline void run_starve(run_side* s) {
    run_may_lose(s);
    s->memory.starved = true;
}

// Calls that promise to need no memory are made between these two. The checked build may ask for
// some, to know more, but must do without. What observers do may need some.
static inline void run_forbid(run_side* s) {
    if (model_observer_count(s->model)) return;
    if (s->past.count) { // what changes is put aside, if there is memory
        if (++s->past.calls % RUN_STARVING == 0) run_starve(s);
        return;
    }
#ifdef ILK_CHECKED
    s->memory.starved = true;
#else
    s->memory.forbidden = true;
#endif
}

static inline void run_permit(run_side* s) {
    s->memory.starved = s->memory.forbidden = false;
}

// Say which call comes next.
void run_begin(run* r, run_side* s, run_call call);
// True if the call rightly failed for lack of memory; then it was checked that nothing changed.
bool run_excused(run* r, run_side* s, ilk_result result);
// Check the call's result and its message against what the model allows.
void run_expect(run* r, run_side* s, ilk_result result, model_faults faults);
// The result of a call that yields a thing: OK, or what the world says of its last failure.
ilk_result run_yielded(run_side* s, bool something);
// The types of a call became known to the library where the headers leave it open: follow.
void run_follow_types(run* r, run_side* s, const run_set* set);
// The same of a type that the library may have introduced as one of the first so many, unless
// others came before it.
void run_follow_type(run_side* s, uint32_t type, uint32_t known);
// The same of any types that became known, one after the other.
void run_follow_all_types(run_side* s, uint32_t known);
// What the library has to say is left open.
void run_hush(run_side* s);

// A call about a command buffer.
run_call run_about_buffer(const run_side* s, const char* name, const run_buffer* b);

// For the trace.
const char* run_type_name(uint32_t type);

// Choosing what an operation is about.
ilk_entity run_pick(const run* r, const run_side* s, uint8_t mode, uint32_t pick);
// Mostly one that has a type, or lacks it, so that the call will do something.
ilk_entity run_pick_fit(const run* r, const run_side* s, const script_op* op, uint32_t type,
                        bool has);
uint32_t run_type(const run_side* s, const script_op* op);
ilk_type* run_variable(run* r, const run_side* s, uint32_t type, uint32_t variant);
run_set run_choose_set(run* r, const run_side* s, const script_op* op);
bool run_crowded(const run* r, const run_side* s);
uint32_t run_count(const run* r, const run_set* set, const script_op* op);

// The values of a set, in both forms, side by side in the scratch; some are left to be defaults.
void run_make_values(run* r, const run_side* s, const run_set* set, const script_op* op,
                     ilk_value* ours, model_value* theirs);
// A target of a relation: mostly alive, and often one of the first few. A value of a relation is
// made to name one.
ilk_entity run_pick_target(const run* r, const run_side* s, uint32_t seed);
void run_aim(const run* r, const run_side* s, uint32_t type, uint32_t seed, void* ours,
             void* theirs);
void run_discard_values(const run_set* set, const ilk_value* ours);

// One value against the model's, and where it lies.
void run_compare_value(run* r, run_side* s, ilk_entity e, model_component* c, const void* value);
// Its name and its id.
void run_compare_names(run* r, const run_side* s, ilk_entity e);
// Whether an entity is active, or dying.
void run_compare_life(run* r, const run_side* s, ilk_entity e);
// The resources of a world.
void run_compare_resources(run* r, run_side* s);
// All relations of a world.
void run_compare_relations(run* r, run_side* s);
// Everything, of both worlds.
void run_compare(run* r);
// What shows a side as the model has it.
void run_compare_view(run* r, run_side* s, ilk_world* view);
// Do an operation in the middle of another.
void run_inside(run* r, run_side* s, script_op op);

// Wish for a query of some sort, and have it made. The description is gone afterwards.
typedef struct run_wished {
    ilk_result result;
    model_faults faults; // that it may have
} run_wished;
typedef ilk_result run_wish_fn(void* user, run_side* s, const ilk_query_desc* desc);
run_wished run_wish_query(run* r, run_side* s, const script_op* op, run_query* query,
                          run_wish_fn* make, void* user);

// Write a value of a type by ilk_edit; inside of a system, if it may.
void run_write_type(run* r, run_side* s, const script_op* op, uint32_t type);

// Something to do in the middle of another operation, on the same world.
script_op run_aside(const script_op* op, uint64_t* state, const uint8_t kinds[32]);

// A factory that counts what it makes.
ilk_world_factory_fn run_build;

// Whether blueprints have no children.
bool run_has_no_trees(const run* r);

// Worlds of a run.
void run_open(run* r, run_side* s, script_world world);
void run_close(run* r, run_side* s);

// The operations, by kind.
typedef void run_op_fn(run* r, run_side* s, const script_op* op);
run_op_fn run_create, run_spawn, run_copy, run_turn, run_destroy, run_alive, run_add, run_set_value,
    run_replace, run_ensure, run_get, run_write, run_has, run_remove, run_remove_all, run_enable,
    run_disable, run_types_of, run_signature;
run_op_fn run_create_many, run_destroy_many, run_add_many, run_remove_many, run_spawn_many,
    run_reserve;
run_op_fn run_register, run_unregister, run_type_table, run_settle, run_trim, run_clear, run_renew,
    run_wear;
run_op_fn run_query_make, run_query_drop, run_query_ask, run_query_tell, run_query_since,
    run_query_stats, run_mark;
run_op_fn run_pass_whole, run_pass_each, run_pass_split, run_iter_begin, run_iter_next,
    run_iter_column, run_iter_end;
run_op_fn run_cmd_take, run_cmd_give_back, run_cmd_clear, run_cmd_be_strict, run_cmd_ask,
    run_cmd_create, run_cmd_spawn, run_cmd_blueprint, run_cmd_bare, run_cmd_give, run_cmd_ensure,
    run_cmd_name, run_cmd_call, run_cmd_scene, run_cmd_apply;
run_op_fn run_sys_make, run_sys_drop, run_sys_turn, run_sys_time, run_sys_ask, run_sys_update,
    run_sys_draw, run_sys_reset;
run_op_fn run_scene_add, run_scene_change, run_scene_ask;
run_op_fn run_event_read, run_event_ask, run_event_emit, run_event_limit, run_event_clear,
    run_reader_make, run_reader_drop, run_subscribe, run_unsubscribe, run_dispatch;
run_op_fn run_relate, run_unrelate, run_set_parent, run_child_move, run_relation_value,
    run_relation_ask, run_tree_ask, run_cmd_relate;
run_op_fn run_set_name, run_set_id, run_name_ask, run_cmd_own;
run_op_fn run_obs_make, run_obs_drop, run_obs_reason;
run_op_fn run_res_set, run_res_get, run_res_edit, run_res_ensure, run_res_remove, run_world_ask,
    run_plugin;
run_op_fn run_bp_make, run_bp_give, run_bp_edit, run_bp_look, run_bp_tree, run_bp_spawn,
    run_bp_take, run_travel, run_point;
run_op_fn run_hash;
run_op_fn run_excursion, run_replay, run_delta, run_snapshot_take, run_snapshot_restore,
    run_snapshot_release, run_turn_ring;

#endif
