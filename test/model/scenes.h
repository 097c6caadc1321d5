// Scenes of a run: what was added, and the change of scenes that is being made.
//
// The library goes ahead here, too. When it calls a hook, the model does what must have been done
// up to there: the commands before the one that changes scenes, and the steps of the change.
#ifndef SCENES_H
#define SCENES_H

#include "cmds.h"
#include "model.h"

typedef struct run_scene {
    run* run;
    run_side* side;
    uint32_t place;
    script_op op; // what it was added by
    uint64_t calls;
} run_scene;

typedef struct run_stage {
    model_scenes model;
    run_scene scenes[MODEL_SCENES];
    run_buffer* by;    // whose command makes the change; NULL: a call does
    uint32_t level;    // of hooks within hooks
    uint32_t busy;     // things that hooks did in this operation
    ilk_entity* owned; // by the scene that exited last, in order
    uint32_t owned_count;
} run_stage;

const char* run_scene_name(uint32_t place);
// A change that an operation is about, and recording it as a command.
uint32_t run_scene_choice(const script_op* op);
ilk_result run_record_change(ilk_cmd* cmd, uint32_t change);
// Begin a change that a command makes; false, and nothing begins, if that calls no hook.
bool run_scene_begins(run_side* s, uint32_t change);
// Do all of a change that a command makes, and that calls no hook. What is wrong with it was told:
// `heard` is how many messages were accounted for.
void run_scene_follow(run* r, run_side* s, uint32_t change, uint32_t* heard);
// Do the rest of a change, all of whose hooks were called.
void run_scene_finish(run* r, run_side* s);
// The world is gone, and its scenes with it.
void run_forget_stage(run* r, run_side* s);

#endif
