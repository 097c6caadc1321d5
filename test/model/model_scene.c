// Scenes of the naive model: a change of the stack is a list of steps, made before it begins.
#include "model.h"

static bool is_stacked(const model_scenes* m, uint32_t scene) {
    for (uint32_t i = 0; i < m->depth; i++)
        if (m->stack[i] == scene) return true;
    return false;
}

// The lowest place of the stack whose scene runs.
static uint32_t first_running(const model_scenes* m) {
    uint32_t at = m->depth - 1;
    while (at > 0 && m->scenes[m->stack[at]].is_overlay) at--;
    return at;
}

bool model_scene_allows(const model_scenes* m, const model_schedule* schedule, uint32_t place) {
    const model_system* its = &schedule->systems[place];
    if (m->depth == 0 || its->phase == MODEL_START) return true;
    for (uint32_t i = first_running(m); i < m->depth; i++) {
        const model_scene* scene = &m->scenes[m->stack[i]];
        bool is_listed = scene->names & (MODEL_SYSTEM_BIT(place) | MODEL_PHASE_BIT(its->phase));
        if (scene->has_all || is_listed) return true;
    }
    return false;
}

// Changing

static void put(model_scenes* m, model_hook hook, uint32_t scene) {
    m->steps[m->count++] = (model_scene_step){hook, scene};
}

static void plan_leaving(model_scenes* m, uint32_t scene) {
    put(m, MODEL_EXIT, scene);
    put(m, MODEL_LEAVE, scene);
}

static void plan_push(model_scenes* m, uint32_t scene) {
    bool pauses = m->depth && !m->scenes[scene].is_overlay;
    for (uint32_t i = m->depth; pauses && i-- > first_running(m);) put(m, MODEL_PAUSE, m->stack[i]);
    put(m, MODEL_ENTER, scene);
}

static void plan_pop(model_scenes* m) {
    model_scenes after = *m;
    uint32_t scene = m->stack[m->depth - 1];
    plan_leaving(m, scene);
    after.depth--;
    bool resumes = after.depth && !m->scenes[scene].is_overlay;
    for (uint32_t i = resumes ? first_running(&after) : after.depth; i < after.depth; i++)
        put(m, MODEL_RESUME, m->stack[i]);
}

static void plan_switch(model_scenes* m, uint32_t scene) {
    for (uint32_t i = m->depth; i-- > 0;) plan_leaving(m, m->stack[i]);
    put(m, MODEL_ENTER, scene);
}

static model_faults change_faults(const model_scenes* m, model_change change, uint32_t scene) {
    if (m->at < m->count) return MODEL_FAULT(LOCKED);
    if (change == MODEL_POP) return m->depth ? MODEL_FINE : MODEL_FAULT(MISSING);
    if (!m->scenes[scene].exists) return MODEL_FAULT(MISSING);
    return change == MODEL_PUSH && is_stacked(m, scene) ? MODEL_FAULT(EXISTS) : MODEL_FINE;
}

model_faults model_scene_change(model_scenes* m, model_change change, uint32_t scene) {
    model_faults faults = change_faults(m, change, scene);
    if (faults) return faults;
    m->count = m->at = 0;
    if (change == MODEL_PUSH)
        plan_push(m, scene);
    else if (change == MODEL_POP)
        plan_pop(m);
    else
        plan_switch(m, scene);
    return MODEL_FINE;
}

bool model_scene_is_loud(const model_scenes* m, model_change change, uint32_t scene) {
    model_scenes after = *m;
    if (model_scene_change(&after, change, scene)) return false;
    for (uint32_t i = 0; i < after.count; i++)
        if (model_scene_calls(m, after.steps[i])) return true;
    return false;
}

bool model_scene_calls(const model_scenes* m, model_scene_step step) {
    return m->scenes[step.scene].hooks >> step.hook & 1;
}

void model_scene_step_on(model_scenes* m) {
    model_scene_step step = m->steps[m->at++];
    if (step.hook == MODEL_ENTER) m->stack[m->depth++] = step.scene;
    if (step.hook == MODEL_LEAVE) m->depth--;
}

model_faults model_scene_removal(const model_scenes* m, uint32_t scene) {
    if (m->at < m->count) return MODEL_FAULT(LOCKED);
    if (!m->scenes[scene].exists) return MODEL_FAULT(MISSING);
    return is_stacked(m, scene) ? MODEL_FAULT(LOCKED) : MODEL_FINE;
}
