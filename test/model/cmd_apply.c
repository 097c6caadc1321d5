// Applying command buffers, and the functions that are queued in them.
//
// While a buffer is applied, the library goes ahead. When it calls a queued function, and when it
// is done, the model does what must have been done up to there, one command after the other; each
// failure must have been told.
#include "run.h"

#include <stdio.h>

#define STEPS_MAX 4u // of a queued function

static const char* const verb_names[] = {
    [MODEL_CMD_CREATE] = "create",
    [MODEL_CMD_SPAWN] = "spawn",
    [MODEL_CMD_DESTROY] = "destroy",
    [MODEL_CMD_ADD] = "add",
    [MODEL_CMD_SET] = "set",
    [MODEL_CMD_REPLACE] = "replace",
    [MODEL_CMD_REMOVE] = "remove",
    [MODEL_CMD_REMOVE_ALL] = "remove_all",
    [MODEL_CMD_ENABLE] = "enable",
    [MODEL_CMD_DISABLE] = "disable",
    [MODEL_CMD_ENSURE] = "ensure",
    [MODEL_CMD_MARK] = "mark",
    [MODEL_CMD_CALL] = "call",
    [MODEL_CMD_DEACTIVATE] = "deactivate",
    [MODEL_CMD_ACTIVATE] = "activate",
    [MODEL_CMD_SCENE] = "scene",
    [MODEL_CMD_RELATE] = "relate",
    [MODEL_CMD_RELATION_SET] = "relation_set",
    [MODEL_CMD_UNRELATE] = "unrelate",
    [MODEL_CMD_SET_PARENT] = "set_parent",
    [MODEL_CMD_CHILD_MOVE] = "child_move",
    [MODEL_CMD_EMIT] = "emit",
    [MODEL_CMD_EMIT_TO] = "emit_to",
    [MODEL_CMD_RES_SET] = "resource_set",
    [MODEL_CMD_RES_REMOVE] = "resource_remove",
    [MODEL_CMD_SET_NAME] = "set_name",
    [MODEL_CMD_SET_ID] = "set_id",
    [MODEL_CMD_BLUEPRINT] = "blueprint_spawn",
};

const char* run_verb_name(model_verb verb) {
    return verb_names[verb];
}

// Following

static void trace_command(const run* r, const model_command* c) {
    if (!r->options.trace) return;
    printf("%15s%s {%u, %u}", "", verb_names[c->verb], c->entity.index, c->entity.generation);
    for (uint32_t i = 0; i < c->count; i++) printf(" %s", run_type_name(c->values[i].type));
    printf("\n");
}

typedef struct shape {
    model_verb verb;
    ilk_entity entity;
    uint32_t count, types[RUN_SET_MAX];
} shape;

// A failed command may have introduced its types, in any order: those that were known when it was
// told.
static void follow_types(run_side* s, const shape* its, const run_message* told) {
    for (uint32_t i = 0; i < its->count; i++)
        for (uint32_t k = 0; k < its->count; k++) run_follow_type(s, its->types[k], told->known);
    if (its->verb == MODEL_CMD_BLUEPRINT) run_follow_all_types(s, told->known);
}

static bool names_one(const char* name, const uint32_t* types, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(name, run_type_name(types[i])) == 0) return true;
    return false;
}

// A failure was told as the verb tells it.
static ilk_result take_message(run* r, run_side* s, run_buffer* b, model_verb verb, ilk_entity e,
                               model_faults faults) {
    if (b->tally.heard == s->heard_count) {
        run_fail(r, "%s: nobody was told that the command %s failed", s->name, verb_names[verb]);
        return ILK_OK;
    }
    const run_message* told = &s->heard[b->tally.heard++];
    s->expected++;
    RUN_CHECK(r, faults >> told->result & 1, "%s: the command %s told %s", s->name,
              verb_names[verb], ilk_result_name(told->result));
    bool is_its_call =
        strcmp(told->call, "ilk_cmd_apply") == 0 ||
        (strncmp(told->call, "ilk_", 4) == 0 && strcmp(told->call + 4, verb_names[verb]) == 0);
    RUN_CHECK(r, is_its_call, "%s: the command %s told of %s", s->name, verb_names[verb],
              told->call);
    bool is_about_entity =
        told->result == ILK_DEAD || told->result == ILK_EXISTS || told->result == ILK_MISSING;
    RUN_CHECK(r, !is_about_entity || ilk_same(told->entity, e),
              "%s: the command %s told of another entity", s->name, verb_names[verb]);
    return told->result;
}

// The tags that a command gives are among its types.
static shape shape_of(const run_side* s, const model_command* c) {
    shape its = {.verb = c->verb, .entity = c->entity};
    for (; its.count < c->count; its.count++) its.types[its.count] = c->values[its.count].type;
    if (c->verb == MODEL_CMD_DEACTIVATE) its.types[its.count++] = s->model->inactive;
    if (c->verb == MODEL_CMD_SET_NAME) its.types[its.count++] = s->model->name_type;
    if (c->verb == MODEL_CMD_SET_ID) its.types[its.count++] = s->model->id_type;
    return its;
}

static void follow_failure(run* r, run_side* s, run_buffer* b, const shape* its,
                           model_faults faults) {
    ilk_result result = take_message(r, s, b, its->verb, its->entity, faults);
    const run_message* told = &s->heard[b->tally.heard - 1];
    bool is_of_state = its->verb == MODEL_CMD_DEACTIVATE || its->verb == MODEL_CMD_ACTIVATE ||
                       its->verb == MODEL_CMD_BLUEPRINT;
    if ((result == ILK_EXISTS || result == ILK_MISSING || result == ILK_FOREIGN) && !is_of_state)
        RUN_CHECK(r, names_one(told->type, its->types, its->count), "%s: the command %s told of %s",
                  s->name, verb_names[its->verb], told->type);
    follow_types(s, its, told);
    b->tally.failed++;
    if (b->tally.result == ILK_OK) b->tally.result = result;
}

// It is done in any case; what is wrong with it was told.
static void follow_change(run* r, run_side* s, run_buffer* b, uint32_t change) {
    if (b->is_changing)
        run_scene_finish(r, s);
    else
        run_scene_follow(r, s, change, &b->tally.heard);
    b->is_changing = false;
    model_cmd_do(s->model, &b->model);
    b->tally.done++;
}

bool run_follow_to_change(run* r, run_side* s, run_buffer* b) {
    while (model_cmd_count(&b->model) && !r->outcome->failed) {
        const model_command* c = model_cmd_first(&b->model);
        bool is_change = c->verb == MODEL_CMD_SCENE && !b->is_changing;
        if (is_change && run_scene_begins(s, c->change)) {
            b->is_changing = true;
            s->stage.by = b;
            return true;
        }
        run_follow_command(r, s, b);
    }
    return false;
}

void run_follow_command(run* r, run_side* s, run_buffer* b) {
    const model_command* c = model_cmd_first(&b->model);
    if (c && c->verb == MODEL_CMD_SCENE) {
        trace_command(r, c);
        follow_change(r, s, b, c->change);
        return;
    }
    if (!c || c->verb == MODEL_CMD_CALL) {
        run_fail(r, "%s: %s", s->name, c ? "a function was not called" : "too much was applied");
        return;
    }
    trace_command(r, c);
    shape its = shape_of(s, c);
    model_faults faults = model_cmd_do(s->model, &b->model);
    bool is_skipped = faults == MODEL_FAULT(DEAD) && !b->model.is_strict;
    uint32_t messages = model_take_messages(s->model);
    b->tally.heard += messages;
    s->expected += messages;
    b->tally.done += faults ? 0 : 1 + b->model.together;
    b->tally.skipped += is_skipped;
    if (faults && !is_skipped) follow_failure(r, s, b, &its, faults);
    if (!r->outcome->failed) run_follow_passes(s);
}

// Functions

static script_op errand_step(const run_errand* a, uint64_t* state) {
    static const uint8_t kinds[32] = {
        OP_CREATE,        OP_SPAWN,       OP_DESTROY,     OP_EVENT_EMIT,   OP_ADD,
        OP_REMOVE,        OP_SET,         OP_DISABLE,     OP_DESTROY_MANY, OP_ADD_MANY,
        OP_PASS_WHOLE,    OP_SYS_UPDATE,  OP_SYS_TIME,    OP_CMD_CREATE,   OP_CMD_SPAWN,
        OP_CMD_EMIT,      OP_CMD_DESTROY, OP_CMD_EMIT_TO, OP_CMD_ADD,      OP_RES_SET,
        OP_CMD_SET,       OP_CMD_RES_SET, OP_CMD_REMOVE,  OP_CMD_DISABLE,  OP_CMD_CALL,
        OP_DISPATCH,      OP_SYS_MAKE,    OP_SYS_DROP,    OP_CMD_APPLY,    OP_CMD_CLEAR,
        OP_CMD_GIVE_BACK, OP_SCENE_CHANGE};
    script_op op = run_aside(&a->op, state, kinds);
    uint64_t x = script_random(state);
    op.mode = (uint8_t)(x % 204);
    if (x >> 32 & 3) op.count = (uint16_t)a->place; // mostly its own buffer
    return op;
}

// What the function does to the world is done at once, with all the memory that there is.
static void do_steps(run* r, run_side* s, const run_errand* a) {
    uint64_t state = a->op.seed;
    uint32_t steps = (uint32_t)(script_random(&state) % (STEPS_MAX + 1));
    uint32_t level = s->commands.level;
    run_buffer* own = s->commands.own;
    size_t limit = s->memory.limit;
    s->memory.limit = 0;
    s->commands.level = a->level + 1;
    s->commands.own = a->place >= RUN_CMDS ? &s->commands.buffers[a->place] : NULL;
    for (uint32_t i = 0; i < steps && !r->outcome->failed; i++)
        run_inside(r, s, errand_step(a, &state));
    s->commands.level = level;
    s->commands.own = own;
    s->memory.limit = limit;
}

void run_cmd_errand(ilk_world* world, ilk_cmd* cmd, void* user) {
    run_errand* queued = user;
    run* r = queued->run;
    run_side* s = queued->side;
    run_errand a = *queued; // its place may serve another meanwhile
    run_buffer* b = &s->commands.buffers[a.place];
    if (r->outcome->failed) return;
    if (a.place >= RUN_CMDS) run_schedule_applies(r, s, queued, cmd);
    bool is_right = a.is_queued && world == s->world && cmd == b->cmd && b->model.is_applying;
    RUN_CHECK(r, is_right, "%s: a function is called that is not to be", s->name);
    for (const model_command* c = NULL; !r->outcome->failed;) {
        c = model_cmd_first(&b->model);
        if (c && c->verb == MODEL_CMD_CALL) break;
        run_follow_command(r, s, b);
    }
    if (r->outcome->failed) return;
    RUN_CHECK(r, model_cmd_first(&b->model)->user == user, "%s: another function's turn", s->name);
    trace_command(r, model_cmd_first(&b->model));
    run_check_count(r, s, b);
    queued->is_queued = false;
    if (!r->outcome->failed) do_steps(r, s, &a);
    if (r->outcome->failed) return;
    model_cmd_do(s->model, &b->model);
    b->tally.done++;
    b->tally.heard = s->heard_count;
    b->tally.refused = r->plan.refused;
}

// Applying

static bool may_need_memory(model_verb verb) {
    return verb == MODEL_CMD_CREATE || verb == MODEL_CMD_SPAWN || verb == MODEL_CMD_ADD ||
           verb == MODEL_CMD_SET || verb == MODEL_CMD_REPLACE || verb == MODEL_CMD_ENSURE ||
           verb == MODEL_CMD_BLUEPRINT || verb == MODEL_CMD_RELATE ||
           verb == MODEL_CMD_RELATION_SET || verb == MODEL_CMD_SET_PARENT ||
           verb == MODEL_CMD_SET_NAME || verb == MODEL_CMD_SET_ID || verb == MODEL_CMD_DEACTIVATE ||
           verb == MODEL_CMD_EMIT || verb == MODEL_CMD_EMIT_TO || verb == MODEL_CMD_RES_SET;
}

// The first of those that are left was tried, and there was no memory for it.
static void judge_left(run* r, run_side* s, run_buffer* b) {
    const model_command* c = model_cmd_first(&b->model);
    bool is_excused = may_need_memory(c->verb) && model_cmd_is_due(s->model, &b->model) &&
                      r->plan.refused != b->tally.refused;
    RUN_CHECK(r, is_excused, "%s: the command %s was not done for want of memory", s->name,
              verb_names[c->verb]);
    shape its = shape_of(s, c);
    take_message(r, s, b, c->verb, c->entity, MODEL_FAULT(NO_MEMORY));
    if (!r->outcome->failed) follow_types(s, &its, &s->heard[b->tally.heard - 1]);
    b->tally.result = ILK_NO_MEMORY;
}

static void judge_applied(run* r, run_side* s, run_buffer* b, ilk_applied applied) {
    while (model_cmd_count(&b->model) > applied.left && !r->outcome->failed)
        run_follow_command(r, s, b);
    if (r->outcome->failed) return;
    RUN_CHECK(r, applied.left == model_cmd_count(&b->model), "%s: %u commands are left, not %u",
              s->name, applied.left, model_cmd_count(&b->model));
    if (applied.left && !r->outcome->failed) judge_left(r, s, b);
    const run_tally* t = &b->tally;
    RUN_CHECK(
        r, applied.done == t->done && applied.skipped == t->skipped && applied.failed == t->failed,
        "%s: %u done, %u skipped, %u failed, not %u, %u, %u", s->name, applied.done,
        applied.skipped, applied.failed, t->done, t->skipped, t->failed);
    RUN_CHECK(r, applied.result == t->result, "%s: applying gave %s, not %s", s->name,
              ilk_result_name(applied.result), ilk_result_name(t->result));
    run_check_count(r, s, b);
    run_check_handles(r, s);
}

// With so many bytes; 0: with all that there are.
static void apply_with(run* r, run_side* s, run_buffer* b, size_t bytes) {
    run_begin(r, s, run_about_buffer(s, "ilk_cmd_apply", b));
    b->tally = (run_tally){.heard = s->heard_count, .refused = r->plan.refused};
    b->model.is_applying = true;
    s->memory.limit = bytes ? s->memory.bytes + bytes : 0;
    run_buffer* outer = s->commands.applied;
    s->commands.applied = b;
    ilk_applied applied = ilk_cmd_apply(b->cmd);
    s->commands.applied = outer;
    s->memory.limit = 0;
    if (r->outcome->failed) return;
    run_note(r, (uint64_t)applied.done << 32 | applied.failed);
    run_note(r, (uint64_t)applied.skipped << 32 | applied.left);
    judge_applied(r, s, b, applied);
    b->model.is_applying = false;
}

// A buffer that is none, or was given back, or whose turn it is already.
static void apply_wrong(run* r, run_side* s, ilk_cmd* cmd) {
    run_begin(r, s, (run_call){.name = "ilk_cmd_apply"});
    ilk_applied applied = ilk_cmd_apply(cmd);
    bool is_nothing = !applied.done && !applied.skipped && !applied.failed && !applied.left;
    RUN_CHECK(r, is_nothing, "%s: a buffer was applied that cannot be", s->name);
    RUN_CHECK(r, applied.result == ILK_INVALID, "%s: applying gave %s, not INVALID", s->name,
              ilk_result_name(applied.result));
    if (cmd)
        run_expect(r, s, applied.result, MODEL_FAULT(INVALID));
    else
        run_hush(s);
}

void run_cmd_apply(run* r, run_side* s, const script_op* op) {
    run_buffer* b = run_pick_buffer(s, op->count);
    if (op->mode >= 244 || !b) {
        apply_wrong(r, s, op->mode % 2 ? s->commands.stale : NULL);
        return;
    }
    if (b->model.is_applying) {
        apply_wrong(r, s, b->cmd);
        return;
    }
    bool is_short = r->header.is_scarce && op->flags & 1 && !r->plan.fail_at;
    apply_with(r, s, b, is_short ? (size_t)1 << op->seed % 18 : 0);
    bool is_left = model_cmd_count(&b->model) > 0 && !r->outcome->failed;
    if (is_left && op->flags & 4) apply_with(r, s, b, 0);
}
