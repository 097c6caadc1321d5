// Operations on command buffers: taking, recording, giving back.
#include "naming.h"
#include "model_rel.h"
#include "run.h"

#define RECORDED_MAX 60u // commands in a buffer
#define LEVELS_MAX 5u    // of functions that queue functions

// Buffers

static uint32_t place_of(const run_side* s, const run_buffer* b) {
    return (uint32_t)(b - s->commands.buffers);
}

run_buffer* run_pick_buffer(run_side* s, uint32_t pick) {
    for (uint32_t i = 0; i < RUN_CMDS; i++) {
        run_buffer* b = &s->commands.buffers[(pick + i) % RUN_CMDS];
        if (b->cmd) return b;
    }
    return NULL;
}

run_call run_about_buffer(const run_side* s, const char* name, const run_buffer* b) {
    return (run_call){.name = name, .count = 1 + place_of(s, b)};
}

// A system has a buffer for each time that it runs, and another one to apply from.
void run_check_count(run* r, const run_side* s, const run_buffer* b) {
    if (place_of(s, b) >= RUN_CMDS) return;
    uint32_t count = ilk_cmd_count(b->cmd), wanted = model_cmd_count(&b->model);
    RUN_CHECK(r, count == wanted, "%s: %u commands are recorded, not %u", s->name, count, wanted);
}

// Handles

ilk_entity run_pick_given(const run_side* s, uint32_t pick) {
    const run_cmds* c = &s->commands;
    uint32_t count = c->given_count < RUN_GIVEN ? c->given_count : RUN_GIVEN;
    return count ? c->given[pick % count] : (ilk_entity){0};
}

// What is promised is not alive yet, what was dropped never is.
static void check_handle(run* r, const run_side* s, ilk_entity e) {
    bool is_alive = model_alive(s->model, e);
    RUN_CHECK(r, ilk_alive(s->world, e) == is_alive, "%s: {%u, %u} of a command is %s", s->name,
              e.index, e.generation, is_alive ? "dead" : "alive");
    ilk_entity at = ilk_entity_at(s->world, e.index), wanted = model_entity_at(s->model, e.index);
    RUN_CHECK(r, at.generation == wanted.generation, "%s: entity_at differs", s->name);
}

void run_check_handles(run* r, const run_side* s) {
    for (uint32_t i = 0; i < RUN_GIVEN && i < s->commands.given_count; i++)
        check_handle(r, s, s->commands.given[i]);
}

void run_remember_handle(run_side* s, ilk_entity e) {
    s->commands.given[s->commands.given_count++ % RUN_GIVEN] = e;
}

// An entity for a command: one of the world, or one that is to be.
static ilk_entity pick_entity(const run* r, const run_side* s, const script_op* op, uint32_t type,
                              bool has) {
    ilk_entity given = run_pick_given(s, op->pick);
    if (op->mode >= 70 && op->mode < 140 && !ilk_is_null(given)) return given;
    return run_pick_fit(r, s, op, type, has);
}

// Taking and giving back

static run_buffer* take_buffer(run* r, run_side* s) {
    run_buffer* b = s->commands.buffers;
    while (b->cmd)
        if (++b == s->commands.buffers + RUN_CMDS) return NULL;
    run_begin(r, s, run_about_buffer(s, "ilk_cmd_take", b));
    if (s->commands.spare) run_forbid(s);
    ilk_cmd* cmd = ilk_cmd_take(s->world);
    run_permit(s);
    ilk_result result = run_yielded(s, cmd != NULL);
    if (run_excused(r, s, result)) return NULL;
    run_expect(r, s, result, MODEL_FINE);
    if (!cmd) return NULL;
    for (uint32_t i = 0; i < RUN_CMDS; i++)
        RUN_CHECK(r, s->commands.buffers[i].cmd != cmd, "%s: a buffer is taken twice", s->name);
    s->commands.spare -= s->commands.spare > 0;
    s->commands.stale = NULL;
    *b = (run_buffer){.cmd = cmd};
    run_check_count(r, s, b);
    return b;
}

void run_cmd_take(run* r, run_side* s, const script_op* op) {
    (void)op;
    take_buffer(r, s);
}

void run_forget_errands(run_side* s, const run_buffer* b) {
    for (uint32_t i = 0; i < RUN_ERRANDS; i++)
        if (s->commands.errands[i].place == place_of(s, b))
            s->commands.errands[i].is_queued = false;
}

void run_cmd_clear(run* r, run_side* s, const script_op* op) {
    run_buffer* b = run_pick_buffer(s, op->count);
    if (!b || op->seed % 3 == 0) return;
    run_begin(r, s, run_about_buffer(s, "ilk_cmd_clear", b));
    run_forbid(s);
    ilk_cmd_clear(b->cmd);
    run_permit(s);
    if (!b->model.is_applying) {
        model_cmd_clear(s->model, &b->model);
        run_forget_errands(s, b);
    }
    run_check_count(r, s, b);
    run_check_handles(r, s);
}

void run_cmd_give_back(run* r, run_side* s, const script_op* op) {
    run_buffer* b = run_pick_buffer(s, op->count);
    if (!b || op->seed % 3 == 0) return;
    run_begin(r, s, run_about_buffer(s, "ilk_cmd_give_back", b));
    run_forbid(s);
    ilk_cmd_give_back(b->cmd);
    run_permit(s);
    if (b->model.is_applying) {
        run_check_count(r, s, b);
        return;
    }
    model_cmd_forget(s->model, &b->model);
    run_forget_errands(s, b);
    s->commands.stale = b->cmd;
    s->commands.spare++;
    *b = (run_buffer){0};
    run_check_handles(r, s);
}

void run_cmd_be_strict(run* r, run_side* s, const script_op* op) {
    run_buffer* b = run_pick_buffer(s, op->count);
    if (!b) return;
    run_begin(r, s, run_about_buffer(s, "ilk_cmd_be_strict", b));
    b->model.is_strict = op->flags & 1;
    ilk_cmd_be_strict(b->cmd, b->model.is_strict);
}

void run_trim_cmds(run_side* s) {
    s->commands.spare = 0;
    s->commands.stale = NULL;
}

void run_forget_cmds(run_side* s) {
    for (uint32_t i = 0; i < RUN_SYSTEM_BUFFER(MODEL_SYSTEMS); i++)
        model_cmd_forget(s->model, &s->commands.buffers[i].model);
    s->commands = (run_cmds){0};
}

// A handle that lies in a component, or bytes that look like one.
static void ask_stored(run* r, run_side* s, const script_op* op) {
    uint32_t type = run_type(s, op);
    if (type >= catalog_sound() || catalog_models()[type].size != sizeof(ilk_entity)) return;
    ilk_entity e = run_pick_fit(r, s, op, type, true), stored;
    const void* value = ilk_get(s->world, e, catalog_variable(type, false), NULL);
    RUN_CHECK(r, (value != NULL) == (model_find(s->model, e, type) != NULL),
              "%s: a stored handle is missing", s->name);
    if (!value || catalog_models()[type].owner) return;
    memcpy(&stored, value, sizeof stored);
    check_handle(r, s, stored);
}

void run_cmd_ask(run* r, run_side* s, const script_op* op) {
    run_begin(r, s, (run_call){.name = "ilk_cmd_count"});
    RUN_CHECK(r, ilk_cmd_count(NULL) == 0, "%s: NULL has commands", s->name);
    if (s->commands.stale)
        RUN_CHECK(r, ilk_cmd_count(s->commands.stale) == 0, "%s: it was given back", s->name);
    for (uint32_t i = 0; i < RUN_CMDS; i++)
        if (s->commands.buffers[i].cmd) run_check_count(r, s, &s->commands.buffers[i]);
    run_check_handles(r, s);
    if (!s->schedule.is_running) ask_stored(r, s, op);
}

// Recording

// The buffer that an operation is about. One that is NULL or was given back has no place; one that
// is full enough is not recorded into.
typedef struct target {
    ilk_cmd* cmd;
    run_buffer* buffer; // NULL: it must be refused
    bool is_none;       // nothing is to be done
} target;

static target choose_target(run* r, run_side* s, const script_op* op) {
    if (op->mode >= 244) return (target){op->mode % 2 ? s->commands.stale : NULL, NULL, false};
    run_buffer* b = s->commands.own ? s->commands.own : run_pick_buffer(s, op->count);
    if (!b) b = take_buffer(r, s);
    bool is_none = !b || r->outcome->failed || model_cmd_count(&b->model) >= RECORDED_MAX;
    return (target){b ? b->cmd : NULL, b, is_none};
}

// Say what is recorded next. Now and then there is no memory for more.
static void begin_recording(run* r, run_side* s, const script_op* op, run_call call) {
    run_begin(r, s, call);
    bool is_short = r->header.is_scarce && op->seed % 8 == 7 && !r->plan.fail_at;
    if (is_short && !r->plan.paused) s->memory.limit = s->memory.bytes + 1;
}

// A buffer that was given back tells so; of one that is NULL no world knows.
static void expect_refusal(run* r, run_side* s, target t) {
    if (t.cmd) s->expected++;
    RUN_CHECK(r, s->messages == s->expected, "%s: a buffer that is none, and another message",
              s->name);
    RUN_CHECK(r, !t.cmd || (s->told == ILK_INVALID && strcmp(s->told_call, r->call.name) == 0),
              "%s: a buffer that was given back told %s", s->name, s->told_text);
}

// What came of a recording. True if the command is recorded.
static bool judge_record(run* r, run_side* s, target t, ilk_result result, model_command command,
                         ilk_entity* wanted) {
    s->memory.limit = 0;
    if (!t.buffer) {
        RUN_CHECK(r, result == ILK_INVALID, "%s: a buffer that is none gave %s", s->name,
                  ilk_result_name(result));
        expect_refusal(r, s, t);
        return false;
    }
    if (run_excused(r, s, result)) {
        run_check_count(r, s, t.buffer);
        return false;
    }
    model_faults faults = model_cmd_record(s->model, &t.buffer->model, command, wanted);
    run_expect(r, s, result, faults);
    run_check_count(r, s, t.buffer);
    return !faults;
}

static void judge_made(run* r, run_side* s, ilk_entity e, ilk_entity wanted) {
    run_note(r, (uint64_t)e.index << 32 | e.generation);
    RUN_CHECK(r, ilk_same(e, wanted), "%s: %s gave {%u, %u}, not {%u, %u}", s->name, r->call.name,
              e.index, e.generation, wanted.index, wanted.generation);
    if (ilk_is_null(wanted)) return;
    RUN_CHECK(r, !ilk_alive(s->world, e), "%s: a recorded entity is alive", s->name);
    run_remember_handle(s, e);
}

// Of a buffer that is none, no world knows why.
static ilk_result made_result(run_side* s, target t, ilk_entity e) {
    return t.buffer || !ilk_is_null(e) ? run_yielded(s, !ilk_is_null(e)) : ILK_INVALID;
}

void run_cmd_create(run* r, run_side* s, const script_op* op) {
    ilk_entity wanted = {0};
    target t = choose_target(r, s, op);
    if (t.is_none || run_crowded(r, s)) return;
    bool is_inactive = op->kind == OP_CMD_CREATE_INACTIVE;
    model_value tag = {s->model->inactive, NULL};
    begin_recording(r, s, op,
                    (run_call){.name = is_inactive ? "ilk_cmd_create_inactive" : "ilk_cmd_create"});
    ilk_entity e = is_inactive ? ilk_cmd_create_inactive(t.cmd) : ilk_cmd_create(t.cmd);
    model_take_over(s->model, &e, 1);
    model_command command = {.verb = MODEL_CMD_CREATE, .values = &tag, .count = is_inactive};
    judge_record(r, s, t, made_result(s, t, e), command, &wanted);
    judge_made(r, s, e, wanted);
}

// A list that is said to have values, and is none.
static void spawn_nothing(run* r, run_side* s, target t) {
    run_begin(r, s, (run_call){.name = "ilk_cmd_spawn"});
    ilk_entity e = ilk_cmd_spawn(t.cmd, NULL, 2);
    RUN_CHECK(r, ilk_is_null(e), "%s: an entity of no list", s->name);
    if (t.buffer)
        run_expect(r, s, run_yielded(s, false), MODEL_FAULT(INVALID));
    else
        expect_refusal(r, s, t);
}

void run_cmd_spawn(run* r, run_side* s, const script_op* op) {
    ilk_value ours[RUN_SET_MAX];
    model_value theirs[RUN_SET_MAX];
    ilk_entity wanted = {0};
    target t = choose_target(r, s, op);
    if (t.is_none || run_crowded(r, s)) return;
    if (op->mode >= 236) {
        spawn_nothing(r, s, t);
        return;
    }
    run_set set = run_choose_set(r, s, op);
    run_make_values(r, s, &set, op, ours, theirs);
    begin_recording(r, s, op, (run_call){.name = "ilk_cmd_spawn", .set = &set});
    ilk_entity e = ilk_cmd_spawn(t.cmd, set.count ? ours : NULL, set.count);
    model_command command = {.verb = MODEL_CMD_SPAWN, .values = theirs, .count = set.count};
    model_take_over(s->model, &e, 1);
    bool is_recorded = judge_record(r, s, t, made_result(s, t, e), command, &wanted);
    if (!is_recorded) run_discard_values(&set, ours);
    judge_made(r, s, e, wanted);
}

// One that is registered there, or is not.
void run_cmd_blueprint(run* r, run_side* s, const script_op* op) {
    ilk_entity wanted = {0};
    target t = choose_target(r, s, op);
    const run_blueprint* b = &r->blueprints.list[op->pick % RUN_BLUEPRINTS];
    if (t.is_none || run_crowded(r, s)) return;
    bool is_tree = b->ours && model_bp_size(b->model) > 1;
    if (r->header.is_loose && (is_tree || !run_has_no_trees(r))) return;
    begin_recording(r, s, op, (run_call){.name = "ilk_cmd_blueprint_spawn"});
    ilk_entity e = ilk_cmd_blueprint_spawn(t.cmd, b->ours);
    model_take_over(s->model, &e, 1);
    if (t.buffer && (!b->ours || b->model->world != s->model)) {
        s->memory.limit = 0;
        run_expect(r, s, run_yielded(s, false), MODEL_FAULT(INVALID));
    } else {
        model_command command = {.verb = MODEL_CMD_BLUEPRINT,
                                 .blueprint = b->ours ? b->model->stand_in.index : 0};
        judge_record(r, s, t, made_result(s, t, e), command, &wanted);
    }
    judge_made(r, s, e, wanted);
}

static run_call about_command(const char* name, uint32_t type) {
    return (run_call){.name = name, .about_type = true, .type = type};
}

// The bytes of a value, in both forms; sometimes it is a handle that was recorded.
static void make_value(run* r, const run_side* s, uint32_t type, uint32_t seed) {
    ilk_entity given = run_pick_given(s, seed >> 8);
    const model_type* its = &catalog_models()[type];
    catalog_make(type, seed, r->ours, r->theirs);
    run_aim(r, s, type, seed >> 4, r->ours, r->theirs);
    if (its->relation && !ilk_is_null(given) && seed % 3 == 0) {
        memcpy(r->ours, &given, sizeof given);
        memcpy(r->theirs, &given, sizeof given);
    }
    if (its->size != sizeof given || its->owner || seed % 3) return;
    memcpy(r->ours, &given, sizeof given);
    memcpy(r->theirs, &given, sizeof given);
}

typedef struct giving {
    script_kind kind;
    const char* name;
    model_verb verb;
    ilk_result (*give)(ilk_cmd* cmd, ilk_entity e, ilk_value value);
} giving;

static ilk_result emit_to_nobody(ilk_cmd* cmd, ilk_entity e, ilk_value value) {
    (void)e;
    return ilk_cmd_emit(cmd, value);
}

static ilk_result set_resource(ilk_cmd* cmd, ilk_entity e, ilk_value value) {
    (void)e;
    return ilk_cmd_resource_set(cmd, value);
}

static ilk_result remove_resource(ilk_cmd* cmd, ilk_entity e, ilk_type* type) {
    (void)e;
    return ilk_cmd_resource_remove(cmd, type);
}

void run_cmd_give(run* r, run_side* s, const script_op* op) {
    static const giving ways[] = {
        {OP_CMD_ADD, "ilk_cmd_add", MODEL_CMD_ADD, ilk_cmd_add},
        {OP_CMD_SET, "ilk_cmd_set", MODEL_CMD_SET, ilk_cmd_set},
        {OP_CMD_REPLACE, "ilk_cmd_replace", MODEL_CMD_REPLACE, ilk_cmd_replace},
        {OP_CMD_EMIT, "ilk_cmd_emit", MODEL_CMD_EMIT, emit_to_nobody},
        {OP_CMD_EMIT_TO, "ilk_cmd_emit_to", MODEL_CMD_EMIT_TO, ilk_cmd_emit_to},
        {OP_CMD_RES_SET, "ilk_cmd_resource_set", MODEL_CMD_RES_SET, set_resource}};
    const giving* way = ways;
    while (way->kind != op->kind) way++;
    target t = choose_target(r, s, op);
    if (t.is_none) return;
    uint32_t type = run_type(s, op);
    bool has = op->kind == OP_CMD_REPLACE || (op->kind == OP_CMD_SET && op->seed % 2);
    ilk_entity e = pick_entity(r, s, op, type, has), none;
    if (op->kind == OP_CMD_EMIT || op->kind == OP_CMD_RES_SET) e = (ilk_entity){0};
    bool is_plain = type >= catalog_sound() || op->seed % 5 == 0;
    if (!is_plain) make_value(r, s, type, op->seed);
    begin_recording(r, s, op, about_command(way->name, type));
    ilk_value ours = {run_variable(r, s, type, op->flags), is_plain ? NULL : r->ours};
    model_value theirs = {type, is_plain ? NULL : r->theirs};
    ilk_result result = way->give(t.cmd, e, ours);
    model_command command = {.verb = way->verb, .entity = e, .values = &theirs, .count = 1};
    bool is_recorded = judge_record(r, s, t, result, command, &none);
    if (is_plain) return;
    if (!is_recorded) catalog_discard(type, r->ours);
    memset(r->ours, 0xdd, catalog_models()[type].size);
}

// What is recorded is the default, and then what is written to it.
void run_cmd_ensure(run* r, run_side* s, const script_op* op) {
    ilk_entity none;
    target t = choose_target(r, s, op);
    if (t.is_none) return;
    uint32_t type = run_type(s, op);
    ilk_entity e = pick_entity(r, s, op, type, op->seed % 2);
    model_value theirs = {type, NULL};
    begin_recording(r, s, op, about_command("ilk_cmd_ensure", type));
    void* value = ilk_cmd_ensure(t.cmd, e, run_variable(r, s, type, op->flags));
    if (value && type < catalog_sound()) {
        const model_type* its = &catalog_models()[type];
        memset(r->theirs, 0, its->size);
        if (its->fresh) memcpy(r->theirs, its->fresh, its->size);
        tokens_begin();
        RUN_CHECK(r, catalog_same(type, value, r->theirs), "%s: what is ensured is no default",
                  s->name);
        bool is_aligned = !its->size || (uintptr_t)value % catalog_align(type) == 0;
        RUN_CHECK(r, is_aligned, "%s: it is not aligned", s->name);
        catalog_rewrite(type, op->seed, value, r->theirs);
        theirs.bytes = r->theirs;
    }
    ilk_result result = t.buffer || value ? run_yielded(s, value != NULL) : ILK_INVALID;
    model_command command = {.verb = MODEL_CMD_ENSURE, .entity = e, .values = &theirs, .count = 1};
    judge_record(r, s, t, result, command, &none);
}

typedef struct naming {
    script_kind kind;
    const char* name;
    model_verb verb;
    ilk_result (*say)(ilk_cmd* cmd, ilk_entity e, ilk_type* type);
} naming;

void run_cmd_name(run* r, run_side* s, const script_op* op) {
    static const naming ways[5] = {
        {OP_CMD_REMOVE, "ilk_cmd_remove", MODEL_CMD_REMOVE, ilk_cmd_remove},
        {OP_CMD_ENABLE, "ilk_cmd_enable", MODEL_CMD_ENABLE, ilk_cmd_enable},
        {OP_CMD_DISABLE, "ilk_cmd_disable", MODEL_CMD_DISABLE, ilk_cmd_disable},
        {OP_CMD_MARK, "ilk_cmd_mark", MODEL_CMD_MARK, ilk_cmd_mark},
        {OP_CMD_RES_REMOVE, "ilk_cmd_resource_remove", MODEL_CMD_RES_REMOVE, remove_resource}};
    const naming* way = ways;
    while (way->kind != op->kind) way++;
    target t = choose_target(r, s, op);
    if (t.is_none) return;
    uint32_t type = run_type(s, op);
    ilk_entity e = pick_entity(r, s, op, type, true), none;
    if (op->kind == OP_CMD_RES_REMOVE) e = (ilk_entity){0};
    begin_recording(r, s, op, about_command(way->name, type));
    ilk_result result = way->say(t.cmd, e, run_variable(r, s, type, op->flags));
    model_value theirs = {type, NULL};
    judge_record(r, s, t, result,
                 (model_command){.verb = way->verb, .entity = e, .values = &theirs, .count = 1},
                 &none);
}

typedef struct bare {
    script_kind kind;
    const char* name;
    model_verb verb;
    ilk_result (*say)(ilk_cmd* cmd, ilk_entity e);
} bare;

void run_cmd_bare(run* r, run_side* s, const script_op* op) {
    static const bare ways[4] = {
        {OP_CMD_DESTROY, "ilk_cmd_destroy", MODEL_CMD_DESTROY, ilk_cmd_destroy},
        {OP_CMD_REMOVE_ALL, "ilk_cmd_remove_all", MODEL_CMD_REMOVE_ALL, ilk_cmd_remove_all},
        {OP_CMD_DEACTIVATE, "ilk_cmd_deactivate", MODEL_CMD_DEACTIVATE, ilk_cmd_deactivate},
        {OP_CMD_ACTIVATE, "ilk_cmd_activate", MODEL_CMD_ACTIVATE, ilk_cmd_activate}};
    const bare* way = ways;
    while (way->kind != op->kind) way++;
    target t = choose_target(r, s, op);
    if (t.is_none) return;
    ilk_entity e = pick_entity(r, s, op, catalog_choose(op->type), true), none;
    begin_recording(r, s, op, (run_call){.name = way->name, .about_entity = true, .entity = e});
    ilk_result result = way->say(t.cmd, e);
    judge_record(r, s, t, result, (model_command){.verb = way->verb, .entity = e}, &none);
}

void run_cmd_own(run* r, run_side* s, const script_op* op) {
    bool is_name = op->kind == OP_CMD_SET_NAME;
    uint32_t type = is_name ? s->model->name_type : s->model->id_type;
    target t = choose_target(r, s, op);
    if (t.is_none) return;
    ilk_entity e = pick_entity(r, s, op, type, op->seed >> 30 == 0), none;
    model_command command = {.verb = is_name ? MODEL_CMD_SET_NAME : MODEL_CMD_SET_ID,
                             .entity = e,
                             .name = is_name ? naming_choose(op->seed) : 0,
                             .id = naming_id(op->seed)};
    begin_recording(r, s, op, about_command(is_name ? "ilk_cmd_set_name" : "ilk_cmd_set_id", type));
    ilk_result result = is_name ? ilk_cmd_set_name(t.cmd, e, naming_text(command.name))
                                : ilk_cmd_set_id(t.cmd, e, command.id);
    judge_record(r, s, t, result, command, &none);
}

run_errand* run_free_errand(run_side* s) {
    for (uint32_t i = 0; i < RUN_ERRANDS; i++)
        if (!s->commands.errands[i].is_queued) return &s->commands.errands[i];
    return NULL;
}

static void call_nothing(run* r, run_side* s, target t) {
    run_begin(r, s, (run_call){.name = "ilk_cmd_call"});
    run_expect(r, s, ilk_cmd_call(t.cmd, NULL, NULL), MODEL_FAULT(INVALID));
}

void run_cmd_call(run* r, run_side* s, const script_op* op) {
    ilk_entity none;
    target t = choose_target(r, s, op);
    run_errand* a = run_free_errand(s);
    if (t.is_none || !a || s->commands.level >= LEVELS_MAX) return;
    if (op->mode >= 230 && t.buffer) {
        call_nothing(r, s, t);
        return;
    }
    begin_recording(r, s, op, (run_call){.name = "ilk_cmd_call"});
    ilk_result result = ilk_cmd_call(t.cmd, run_cmd_errand, a);
    model_command command = {.verb = MODEL_CMD_CALL, .user = a};
    bool is_recorded = judge_record(r, s, t, result, command, &none);
    if (is_recorded) *a = (run_errand){r, s, true, place_of(s, t.buffer), s->commands.level, *op};
}

void run_cmd_scene(run* r, run_side* s, const script_op* op) {
    ilk_entity none;
    target t = choose_target(r, s, op);
    if (t.is_none) return;
    uint32_t change = run_scene_choice(op);
    static const char* const names[] = {"ilk_cmd_scene_push", "ilk_cmd_scene_pop",
                                        "ilk_cmd_scene_switch"};
    begin_recording(r, s, op, (run_call){.name = names[change % 3]});
    ilk_result result = run_record_change(t.cmd, change);
    model_command command = {.verb = MODEL_CMD_SCENE, .change = change};
    judge_record(r, s, t, result, command, &none);
}

// Relations

typedef struct relating {
    const char* name;
    model_verb verb;
} relating;

static ilk_result record_relating(ilk_cmd* cmd, const relating* way, ilk_entity e, ilk_type* type,
                                  ilk_entity other, const void* carried) {
    switch (way->verb) {
    case MODEL_CMD_UNRELATE:
        return ilk_cmd_unrelate(cmd, e, type, other);
    case MODEL_CMD_SET_PARENT:
        return ilk_cmd_set_parent(cmd, e, other);
    case MODEL_CMD_CHILD_MOVE:
        return ilk_cmd_child_move(cmd, e, other);
    case MODEL_CMD_RELATION_SET:
        return ilk_cmd_relation_set(cmd, e, type, other, carried);
    default:
        return carried ? ilk_cmd_relate_value(cmd, e, type, other, carried)
                       : ilk_cmd_relate(cmd, e, type, other);
    }
}

void run_cmd_relate(run* r, run_side* s, const script_op* op) {
    static const relating ways[8] = {{"ilk_cmd_relate", MODEL_CMD_RELATE},
                                     {"ilk_cmd_relate", MODEL_CMD_RELATE},
                                     {"ilk_cmd_relation_set", MODEL_CMD_RELATION_SET},
                                     {"ilk_cmd_relate_value", MODEL_CMD_RELATE},
                                     {"ilk_cmd_unrelate", MODEL_CMD_UNRELATE},
                                     {"ilk_cmd_set_parent", MODEL_CMD_SET_PARENT},
                                     {"ilk_cmd_set_parent", MODEL_CMD_SET_PARENT},
                                     {"ilk_cmd_child_move", MODEL_CMD_CHILD_MOVE}};
    const relating* way = &ways[op->seed >> 20 & 7];
    bool is_of_tree = way->verb == MODEL_CMD_SET_PARENT || way->verb == MODEL_CMD_CHILD_MOVE;
    uint32_t type = is_of_tree ? s->model->child_of : catalog_relation(op->type);
    if (op->mode >= 230 && !is_of_tree) type = catalog_choose(op->type);
    uint32_t carried = type < catalog_sound() ? catalog_models()[type].value : MODEL_NO_TYPE;
    if (way == &ways[3] && carried == MODEL_NO_TYPE) way = &ways[0];
    bool is_put = way->verb == MODEL_CMD_RELATION_SET;
    target t = choose_target(r, s, op);
    if (t.is_none || s->model->edge_count > 400) return;
    ilk_entity e = pick_entity(r, s, op, type, op->seed & 1), none;
    ilk_entity other = run_pick_target(r, s, op->seed >> 3), given = run_pick_given(s, op->seed);
    if (op->seed % 4 == 0 && !ilk_is_null(given)) other = given;
    if (is_of_tree && op->seed % 8 == 1) other = (ilk_entity){0};
    ilk_link link = {.target = other};
    bool has_value = way == &ways[3] || (is_put && carried != MODEL_NO_TYPE && op->seed & 64);
    uint32_t count = model_count_from(s->model, e, type);
    if (is_put && count && op->seed & 128)
        other = model_edge_from(s->model, e, type, (op->seed >> 8) % count)->target;
    link.target = other;
    if (has_value) catalog_make(carried, op->seed, r->ours, r->theirs);
    model_value theirs[2] = {{type, &link}, {carried, r->theirs}};
    begin_recording(r, s, op, about_command(way->name, type));
    ilk_result result = record_relating(t.cmd, way, e, run_variable(r, s, type, op->flags), other,
                                        has_value ? r->ours : NULL);
    model_command command = {
        .verb = way->verb, .entity = e, .values = theirs, .count = has_value ? 2 : 1};
    bool is_recorded = judge_record(r, s, t, result, command, &none);
    if (has_value && !is_recorded) catalog_discard(carried, r->ours);
}
