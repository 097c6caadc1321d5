// Command buffers of a run: what was recorded, as the library and as the model have it, and what
// applying has done so far.
#ifndef CMDS_H
#define CMDS_H

#include "model.h"
#include "script.h"

#define RUN_CMDS 4u                                   // buffers that a world has out at a time
#define RUN_SYSTEM_BUFFER(place) (RUN_CMDS + (place)) // of a system: others leave it alone
#define RUN_ERRANDS 64u                               // functions that are queued in a world
#define RUN_GIVEN 64u                                 // handles that are remembered

typedef struct run run;
typedef struct run_side run_side;

// What a queued function is to do.
typedef struct run_errand {
    run* run;
    run_side* side;
    bool is_queued;
    uint32_t place; // of its buffer
    uint32_t level; // 0, or one more than the function that queued it
    script_op op;
} run_errand;

// What applying should tell.
typedef struct run_tally {
    uint32_t done, skipped, failed;
    ilk_result result;
    uint32_t heard;   // messages that are accounted for
    uint64_t refused; // requests for memory, up to here
} run_tally;

typedef struct run_buffer {
    ilk_cmd* cmd; // NULL: this place is free
    model_cmd model;
    run_tally tally;  // while it is applied
    bool is_changing; // its first command changes scenes, and has called a hook
} run_buffer;

typedef struct run_cmds {
    run_buffer buffers[RUN_SYSTEM_BUFFER(MODEL_SYSTEMS)];
    run_buffer* applied; // by ilk_cmd_apply, the innermost; or NULL
    run_buffer* own;     // that of the system that runs, where all is recorded; or NULL
    uint32_t spare;      // buffers that were given back, and serve again
    ilk_cmd* stale;      // one of them, or NULL
    run_errand errands[RUN_ERRANDS];
    uint32_t level;              // of the functions that are queued now
    ilk_entity given[RUN_GIVEN]; // the last handles that were recorded
    uint32_t given_count;        // in all
} run_cmds;

// A buffer that there is, or NULL.
run_buffer* run_pick_buffer(run_side* s, uint32_t pick);
void run_check_count(run* r, const run_side* s, const run_buffer* b);
// What is promised is not alive yet, what was dropped never is.
void run_check_handles(run* r, const run_side* s);
// The function that is queued. Its user is an errand.
ilk_cmd_fn run_cmd_errand;

// A handle that a buffer gave out: alive, to be alive, or never; null if there is none.
ilk_entity run_pick_given(const run_side* s, uint32_t pick);
void run_remember_handle(run_side* s, ilk_entity e);
// An errand that nobody has queued, or NULL.
run_errand* run_free_errand(run_side* s);
const char* run_verb_name(model_verb verb);
// The model does what the library has done of a buffer: one command, or all that is left.
void run_follow_command(run* r, run_side* s, run_buffer* b);
// The same up to a change of scenes that calls hooks, which has begun. False if there is none.
bool run_follow_to_change(run* r, run_side* s, run_buffer* b);
// Functions that are queued in a buffer will not be called.
void run_forget_errands(run_side* s, const run_buffer* b);
// The world freed its spare buffers.
void run_trim_cmds(run_side* s);
// The world is gone, and its buffers with it.
void run_forget_cmds(run_side* s);

#endif
