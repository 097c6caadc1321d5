// Operations on scenes, and the hooks that they call.
#include "model_rel.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

#define LEVELS_MAX 3u
#define BUSY_MAX 12u // things that hooks do in one operation

static const char* const scene_names[MODEL_SCENES] = {"c0", "c1", "c2", "c3", "c4"};
static const char* const hook_names[] = {"pause", "exit", "leave", "enter", "resume"};
static const char* const change_names[] = {"ilk_scene_push", "ilk_scene_pop", "ilk_scene_switch"};

const char* run_scene_name(uint32_t place) {
    return scene_names[place];
}

static void trace_step(const run* r, const char* word, uint32_t scene) {
    if (r->options.trace) printf("%15s%s %s\n", "", word, scene_names[scene]);
}

// What a scene owns

// Whoever is dying is left alone.
static bool is_owned(const run_side* s, ilk_entity e, uint32_t owns) {
    return model_is_on(s->model, e, owns) && !model_is_dying(s->model, e);
}

// Which of them goes first decides which slot is used next: that is asked for at the end of the
// exit hook, and which they are is compared.
static void list_owned(run_side* s, uint32_t owns) {
    run_stage* g = &s->stage;
    uint32_t most = s->model->alive, kept = 0;
    free(g->owned);
    g->owned = malloc((most + 1) * sizeof *g->owned);
    if (!g->owned) abort();
    uint32_t count = ilk_query_collect(s->world, s->looking.all, g->owned, most);
    for (uint32_t i = 0; i < count && i < most; i++)
        if (is_owned(s, g->owned[i], owns)) g->owned[kept++] = g->owned[i];
    g->owned_count = kept;
}

// Destroys those of a list, or of all slots, that a scene owns and nobody needs, until none is
// left: who was needed may not be any more. How many went.
static uint32_t destroy_all_owned(run_side* s, uint32_t owns, const ilk_entity* list,
                                  uint32_t count) {
    uint32_t gone = 0, before;
    do {
        before = gone;
        for (uint32_t i = 0; i < count; i++) {
            ilk_entity e = list ? list[i] : model_handle(s->model, i);
            if (!is_owned(s, e, owns) || model_is_needed(s->model, e)) continue;
            gone += model_destroy(s->model, e) == MODEL_FINE;
        }
    } while (gone > before);
    return gone;
}

static void destroy_owned(run* r, run_side* s, uint32_t scene) {
    run_stage* g = &s->stage;
    uint32_t owns = g->model.scenes[scene].owns;
    if (owns == MODEL_NO_TYPE) return;
    run_pass_in_passing(s);
    bool has_list = g->model.scenes[scene].hooks >> MODEL_EXIT & 1;
    if (has_list) destroy_all_owned(s, owns, g->owned, g->owned_count);
    uint32_t more = destroy_all_owned(s, owns, NULL, s->model->slot_count);
    RUN_CHECK(r, !has_list || !more, "%s: %u were not to be found", s->name, more);
    run_follow_passes(s);
}

// Following

static void step_on(run* r, run_side* s) {
    model_scene_step step = s->stage.model.steps[s->stage.model.at];
    trace_step(r, hook_names[step.hook], step.scene);
    if (step.hook == MODEL_LEAVE) destroy_owned(r, s, step.scene);
    model_scene_step_on(&s->stage.model);
}

// The model goes on until it comes to a hook, or to the end.
static const model_scene_step* reach_hook(run* r, run_side* s) {
    model_scenes* m = &s->stage.model;
    while (m->at < m->count && !r->outcome->failed) {
        if (model_scene_calls(m, m->steps[m->at])) return &m->steps[m->at];
        step_on(r, s);
    }
    return NULL;
}

void run_scene_finish(run* r, run_side* s) {
    const model_scene_step* left = reach_hook(r, s);
    RUN_CHECK(r, !left, "%s: the %s hook of %s was not called", s->name, hook_names[left->hook],
              scene_names[left->scene]);
}

bool run_scene_begins(run_side* s, uint32_t change) {
    model_scenes* m = &s->stage.model;
    if (!model_scene_is_loud(m, (model_change)(change % 3), change / 3)) return false;
    model_scene_change(m, (model_change)(change % 3), change / 3);
    return true;
}

void run_scene_follow(run* r, run_side* s, uint32_t change, uint32_t* heard) {
    model_faults faults =
        model_scene_change(&s->stage.model, (model_change)(change % 3), change / 3);
    if (!faults) {
        run_scene_finish(r, s);
        return;
    }
    if (*heard == s->heard_count) {
        run_fail(r, "%s: nobody was told that a change of scenes failed", s->name);
        return;
    }
    const run_message* told = &s->heard[(*heard)++];
    s->expected++;
    bool is_right = faults >> told->result & 1 && strcmp(told->call, change_names[change % 3]) == 0;
    RUN_CHECK(r, is_right, "%s: a change of scenes told %s of %s", s->name,
              ilk_result_name(told->result), told->call);
}

// Hooks

static void check_stack(run* r, const run_side* s) {
    const model_scenes* m = &s->stage.model;
    RUN_CHECK(r, ilk_scene_depth(s->world) == m->depth, "%s: %u scenes are on the stack, not %u",
              s->name, ilk_scene_depth(s->world), m->depth);
    for (uint32_t i = 0; i <= m->depth && !r->outcome->failed; i++) {
        const char* name = ilk_scene_at(s->world, i);
        bool is_right =
            i < m->depth ? name && strcmp(name, scene_names[m->stack[i]]) == 0 : name == NULL;
        RUN_CHECK(r, is_right, "%s: at %u of the stack is %s", s->name, i, name ? name : "nobody");
    }
    const char* top = ilk_scene_top(s->world);
    RUN_CHECK(r, top == (m->depth ? ilk_scene_at(s->world, m->depth - 1) : NULL),
              "%s: another scene is on top", s->name);
}

// At the end of the world, from the top down; nothing else is done.
static void exit_at_end(run* r, run_side* s, uint32_t scene, model_hook hook) {
    model_scenes* m = &s->stage.model;
    while (m->depth && !(m->scenes[m->stack[m->depth - 1]].hooks >> MODEL_EXIT & 1)) m->depth--;
    bool is_right = hook == MODEL_EXIT && m->depth && m->stack[m->depth - 1] == scene;
    RUN_CHECK(r, is_right, "%s: the %s hook of %s is called at the end of the world", s->name,
              hook_names[hook], scene_names[scene]);
    if (is_right) check_stack(r, s);
    if (is_right) m->depth--;
}

static void do_steps(run* r, run_side* s, run_scene* its) {
    static const uint8_t kinds[32] = {
        OP_CREATE,       OP_SPAWN,        OP_SPAWN,      OP_SPAWN,     OP_DESTROY,  OP_DESTROY,
        OP_ADD,          OP_ADD,          OP_REMOVE,     OP_SET,       OP_SET,      OP_DISABLE,
        OP_COPY,         OP_ADD_MANY,     OP_SPAWN_MANY, OP_SCENE_ASK, OP_GET,      OP_PASS_WHOLE,
        OP_SYS_UPDATE,   OP_CMD_SPAWN,    OP_CMD_SET,    OP_CMD_SCENE, OP_CMD_CALL, OP_CMD_APPLY,
        OP_CMD_APPLY,    OP_SCENE_CHANGE, OP_SCENE_ADD,  OP_SYS_MAKE,  OP_SYS_DROP, OP_SYS_TURN,
        OP_SCENE_CHANGE, OP_SCENE_CHANGE};
    run_stage* g = &s->stage;
    uint64_t state = its->op.seed + its->calls++ * 0x10001u;
    uint32_t steps = (uint32_t)(script_random(&state) % 3);
    for (uint32_t i = 0; i < steps && g->busy < BUSY_MAX && !r->outcome->failed; i++) {
        script_op op = run_aside(&its->op, &state, kinds);
        g->busy++;
        if (g->level < LEVELS_MAX) run_inside(r, s, op);
    }
}

// The change to which a hook belongs: the one that goes on, or that of a command whose turn it is.
static void reach_change(run* r, run_side* s) {
    if (reach_hook(r, s)) return;
    bool is_there = s->commands.applied      ? run_follow_to_change(r, s, s->commands.applied)
                    : s->schedule.is_running ? run_schedule_changes(r, s)
                                             : false;
    RUN_CHECK(r, is_there, "%s: a hook is called for nothing", s->name);
}

static void reach(run* r, run_side* s, uint32_t scene, model_hook hook) {
    reach_change(r, s);
    if (r->outcome->failed) return;
    const model_scene_step* step = reach_hook(r, s);
    if (r->outcome->failed) return;
    bool is_right = step && step->hook == hook && step->scene == scene;
    RUN_CHECK(r, is_right, "%s: the %s hook of %s is called, not %s of %s", s->name,
              hook_names[hook], scene_names[scene], step ? hook_names[step->hook] : "any",
              step ? scene_names[step->scene] : "any");
    if (is_right) step_on(r, s);
}

static void within_hook(run* r, run_side* s, run_scene* its, model_hook hook) {
    run_stage* g = &s->stage;
    run_buffer *by = g->by, *own = s->commands.own;
    size_t limit = s->memory.limit;
    g->by = NULL;
    s->commands.own = NULL;
    s->memory.limit = 0;
    g->level++;
    do_steps(r, s, its);
    g->level--;
    s->memory.limit = limit;
    s->commands.own = own;
    g->by = by;
    if (r->outcome->failed) return;
    uint32_t owns = g->model.scenes[its->place].owns;
    if (hook == MODEL_EXIT && owns != MODEL_NO_TYPE) list_owned(s, owns);
    if (!by) return;
    by->tally.heard = s->heard_count;
    by->tally.refused = r->plan.refused;
}

static void on_hook(run_scene* its, ilk_world* world, model_hook hook) {
    run* r = its->run;
    run_side* s = its->side;
    if (r->outcome->failed) return;
    RUN_CHECK(r, world == s->world, "%s: a hook for another world", s->name);
    if (s->schedule.is_ending) {
        exit_at_end(r, s, its->place, hook);
        return;
    }
    reach(r, s, its->place, hook);
    run_note(r, its->place * 8u + (uint32_t)hook);
    if (!r->outcome->failed) check_stack(r, s);
    if (!r->outcome->failed) within_hook(r, s, its, hook);
}

static void on_pause(ilk_world* world, void* user) {
    on_hook(user, world, MODEL_PAUSE);
}

static void on_exit_hook(ilk_world* world, void* user) {
    on_hook(user, world, MODEL_EXIT);
}

static void on_enter(ilk_world* world, void* user) {
    on_hook(user, world, MODEL_ENTER);
}

static void on_resume(ilk_world* world, void* user) {
    on_hook(user, world, MODEL_RESUME);
}

void run_forget_stage(run* r, run_side* s) {
    model_scenes* m = &s->stage.model;
    for (uint32_t i = 0; i < m->depth; i++)
        RUN_CHECK(r, !(m->scenes[m->stack[i]].hooks >> MODEL_EXIT & 1),
                  "%s: a scene did not exit with its world", s->name);
    free(s->stage.owned);
    s->stage = (run_stage){0};
}

// Adding and removing

// Names of systems and phases that there are, or may be, and of nobody.
static void list_names(uint32_t names, const char** list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MODEL_SYSTEMS; i++)
        if (names & MODEL_SYSTEM_BIT(i)) list[count++] = run_system_name(i);
    list[count++] = "nobody";
    for (uint32_t i = 0; i < MODEL_PHASES; i++)
        if (names & MODEL_PHASE_BIT(i)) list[count++] = run_phase_name(i);
    list[count] = NULL;
}

// Where somebody observes, scenes own nothing: that goes in the order in which it lies.
static model_scene choose_scene(const run* r, const run_side* s, const script_op* op) {
    uint64_t state = op->seed, x = script_random(&state), y = script_random(&state);
    uint32_t all = (1u << (MODEL_SYSTEMS + MODEL_PHASES)) - 1;
    model_scene scene = {.exists = true,
                         .is_overlay = x % 2,
                         .has_all = (x >> 8) % 4 == 0,
                         .names = (uint32_t)(y & (y >> 20)) & all,
                         .owns = (x >> 16) % 8 < 3 ? run_type(s, op) : MODEL_NO_TYPE,
                         .hooks = (uint32_t)(y >> 40) & 31u & ~(1u << MODEL_LEAVE)};
    if (r->header.is_observed) scene.owns = MODEL_NO_TYPE;
    bool is_sound = scene.owns < catalog_sound();
    if (is_sound && (x >> 20) % 2) scene.owns = catalog_common((uint32_t)(x >> 24));
    // Of those who relate to each other, who goes first decides who has the relation still.
    bool is_related = is_sound && catalog_models()[scene.owns].relation;
    bool is_listed = is_related || !s->model->is_loose;
    if (scene.owns != MODEL_NO_TYPE && is_listed) scene.hooks |= 1u << MODEL_EXIT;
    return scene;
}

static model_faults adding_faults(const run_side* s, const model_scene* scene, uint32_t place) {
    static model_query owned; // large
    const model_scenes* m = &s->stage.model;
    if (m->at < m->count) return MODEL_FAULT(LOCKED);
    if (m->scenes[place].exists) return MODEL_FAULT(EXISTS);
    if (scene->owns == MODEL_NO_TYPE) return MODEL_FINE;
    if (scene->owns == s->model->dying) return MODEL_FAULT(INVALID); // nobody owns the dying
    owned.terms[0] = (model_term){ILK_ACCESS_WITH, scene->owns};
    owned.count = 1;
    owned.order_by = owned.order_by_depth = MODEL_NO_TYPE;
    return model_query_faults(s->model, &owned);
}

static void add_scene(run* r, run_side* s, const script_op* op, uint32_t place) {
    model_scene scene = choose_scene(r, s, op);
    run_scene* its = &s->stage.scenes[place];
    const char* names[MODEL_SYSTEMS + MODEL_PHASES + 2];
    char name[4];
    run_set set = {.count = scene.owns != MODEL_NO_TYPE, .types = {scene.owns}};
    model_faults faults = adding_faults(s, &scene, place);
    list_names(scene.names, names);
    snprintf(name, sizeof name, "%s", scene_names[place]);
    ilk_scene_desc desc = {.name = name,
                           .systems = scene.has_all ? NULL : names,
                           .owns = run_variable(r, s, scene.owns, op->flags),
                           .is_overlay = scene.is_overlay,
                           .user = its,
                           .enter = scene.hooks >> MODEL_ENTER & 1 ? on_enter : NULL,
                           .exit = scene.hooks >> MODEL_EXIT & 1 ? on_exit_hook : NULL,
                           .pause = scene.hooks >> MODEL_PAUSE & 1 ? on_pause : NULL,
                           .resume = scene.hooks >> MODEL_RESUME & 1 ? on_resume : NULL};
    run_begin(r, s, (run_call){.name = "ilk_scene_add", .count = place, .set = &set});
    ilk_result result = ilk_scene_add(s->world, &desc);
    memset(names, 0, sizeof names);
    memset(name, 'x', sizeof name - 1);
    if (run_excused(r, s, result)) return;
    run_expect(r, s, result, faults);
    if (faults) return;
    s->stage.model.scenes[place] = scene;
    *its = (run_scene){r, s, place, *op, 0};
}

static void remove_scene(run* r, run_side* s, uint32_t place) {
    model_faults faults = model_scene_removal(&s->stage.model, place);
    run_begin(r, s, (run_call){.name = "ilk_scene_remove", .count = place});
    run_expect(r, s, ilk_scene_remove(s->world, scene_names[place]), faults);
    if (!faults) s->stage.model.scenes[place].exists = false;
}

void run_scene_add(run* r, run_side* s, const script_op* op) {
    uint32_t place = op->pick % MODEL_SCENES;
    run_schedule_ready(r, s, op);
    if (op->flags % 4 == 0)
        remove_scene(r, s, place);
    else
        add_scene(r, s, op, place);
}

// Changing

// By three times the scene: mostly pushing.
uint32_t run_scene_choice(const script_op* op) {
    static const uint8_t changes[8] = {MODEL_PUSH, MODEL_PUSH, MODEL_PUSH, MODEL_PUSH,
                                       MODEL_POP,  MODEL_POP,  MODEL_POP,  MODEL_SWITCH};
    return changes[op->seed % 8] + 3 * (op->pick % MODEL_SCENES);
}

void run_scene_change(run* r, run_side* s, const script_op* op) {
    uint32_t choice = run_scene_choice(op), scene = choice / 3;
    model_change change = (model_change)(choice % 3);
    run_schedule_ready(r, s, op);
    run_buffer* by = s->stage.by;
    bool is_silent = !model_scene_is_loud(&s->stage.model, change, scene);
    model_faults faults = model_scene_change(&s->stage.model, change, scene);
    s->stage.by = NULL;
    run_begin(r, s, (run_call){.name = change_names[change], .count = scene});
    if (is_silent) run_forbid(s);
    ilk_result result = change == MODEL_PUSH  ? ilk_scene_push(s->world, scene_names[scene])
                        : change == MODEL_POP ? ilk_scene_pop(s->world)
                                              : ilk_scene_switch(s->world, scene_names[scene]);
    run_permit(s);
    s->stage.by = by;
    if (r->outcome->failed) return;
    if (!faults) run_scene_finish(r, s);
    run_expect(r, s, result, faults);
    if (!r->outcome->failed) check_stack(r, s);
}

ilk_result run_record_change(ilk_cmd* cmd, uint32_t change) {
    char name[4];
    snprintf(name, sizeof name, "%s", scene_names[change / 3]); // which goes
    return change % 3 == MODEL_PUSH  ? ilk_cmd_scene_push(cmd, name)
           : change % 3 == MODEL_POP ? ilk_cmd_scene_pop(cmd)
                                     : ilk_cmd_scene_switch(cmd, name);
}

// Asking

static void check_desc(run* r, run_side* s, uint32_t place) {
    const model_scene* m = &s->stage.model.scenes[place];
    const ilk_scene_desc* desc = ilk_scene_desc_of(s->world, scene_names[place]);
    RUN_CHECK(r, (desc != NULL) == m->exists, "%s: there is a scene %s, or none", s->name,
              scene_names[place]);
    if (!desc || !m->exists) return;
    const char* names[MODEL_SYSTEMS + MODEL_PHASES + 2];
    bool is_right = strcmp(desc->name, scene_names[place]) == 0 &&
                    desc->is_overlay == m->is_overlay && desc->user == &s->stage.scenes[place] &&
                    !desc->systems == m->has_all;
    list_names(m->names, names);
    for (uint32_t i = 0; is_right && !m->has_all; i++) {
        is_right = !names[i] == !desc->systems[i];
        if (!names[i] || !is_right) break;
        is_right = strcmp(names[i], desc->systems[i]) == 0;
    }
    RUN_CHECK(r, is_right, "%s: %s is described otherwise", s->name, scene_names[place]);
}

void run_scene_ask(run* r, run_side* s, const script_op* op) {
    (void)op;
    run_begin(r, s, (run_call){.name = "ilk_scene_at"});
    check_stack(r, s);
    for (uint32_t i = 0; i < MODEL_SCENES && !r->outcome->failed; i++) check_desc(r, s, i);
}
