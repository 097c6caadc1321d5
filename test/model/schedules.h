// Systems of a run: what was made, what an update should do, and how far it has come.
//
// The library goes ahead here, too. When it calls a system or a queued function, and when it is
// done, the model does what must have been done up to there, step by step.
#ifndef SCHEDULES_H
#define SCHEDULES_H

#include "cmds.h"
#include "model.h"
#include "pieces.h"

typedef struct run_pass run_pass;

struct run_system {
    run* run;
    run_side* side;
    uint32_t place;
    ilk_system* system;    // NULL: this place is free
    bool is_each;          // it is called for each entity
    script_op op;          // what it was made by
    uint32_t begun, ended; // how often its hooks were called
    uint32_t resets;       // the same of that for beginning anew
    uint64_t calls, rows, commands, skipped;
    uint32_t age; // the larger, the younger
    bool is_parallel;
    uint64_t occasions;   // times that it ran in pieces
    run_occasion* latest; // of them
    run_occasion* first;  // of those that are not judged yet
};

typedef struct run_schedule {
    model_schedule model;
    run_system systems[MODEL_SYSTEMS];
    bool is_ready;      // the library's fixed step is the model's
    bool stays_on_main; // all that is not parallel runs on the world's thread
    uint32_t blocks;    // for settling
    uint32_t made;      // systems, ever
    uint32_t youngest;  // of those that went with the world, the last one's age
    bool is_ending;

    bool is_running;
    model_plan plan;
    uint32_t at;       // the next step
    uint32_t done;     // of the systems of its wave, those that ran: bits of places
    uint32_t unjudged; // times that systems ran in pieces of which the model does not know yet
    uint32_t active;   // bits of systems that may run
    uint32_t heard;    // messages that are accounted for
    uint32_t missed_by_update, missed_by_draw; // names that the last lists had in vain
    const model_system* within; // the system that runs, and has locked the world; or NULL
    uint64_t tick;              // before all began
    ilk_entity written;         // by ilk_write, inside of a system, the last one; or null
    uint32_t written_type;
    void* surface;
    uint32_t busy;  // things that systems did
    run_pass* each; // of the system that is being called for each entity; or NULL
    uint32_t each_place;
} run_schedule;

// The library calls a function that a system queued, with a buffer that need not be the one into
// which it was recorded: the model applies up to there.
void run_schedule_applies(run* r, run_side* s, const run_errand* a, ilk_cmd* cmd);
// The library calls a hook of a scene for a command of a system: the model applies up to there.
// False if there is no such command.
bool run_schedule_changes(run* r, run_side* s);
// Get ready for systems: the first operation on them decides on the fixed step.
void run_schedule_ready(run* r, run_side* s, const script_op* op);
const char* run_system_name(uint32_t place);
const char* run_phase_name(uint32_t phase);
// The functions of all systems.
ilk_system_fn run_system_run;
ilk_each_fn run_system_each;
// A system is gone.
void run_system_remove(run_side* s, uint32_t place);
void run_forget_plan(run_side* s);
// The time of the world is the model's.
void run_check_time(run* r, const run_side* s);
// The world is about to go.
void run_schedule_ends(run_side* s);
// The world is gone, and its systems with it.
void run_forget_schedule(run* r, run_side* s);

#endif
