// Operations on resources.
#include "run.h"

#include "world/world.h"

static run_call about(const char* name, uint32_t type) {
    return (run_call){.name = name, .about_type = true, .type = type};
}

// Mostly one that is there.
static uint32_t pick_resource(const run_side* s, const script_op* op) {
    const model_world* m = s->model;
    bool is_known = m->resource_count && op->mode < 120;
    return is_known ? m->resources[op->pick % m->resource_count].type : catalog_choose(op->type);
}

// A change that is known to have happened in this tick, or at some time since the last look.
static void compare_tick(run* r, const run_side* s, model_resource* resource, bool is_now) {
    uint64_t tick = s->world->storage.view.tick;
    ilk_type* variable = catalog_variable(resource->type, false);
    uint64_t changed = ilk_resource_changed(s->world, variable);
    bool is_right =
        resource->is_recent ? changed >= resource->changed : changed == resource->changed;
    RUN_CHECK(r, is_right && changed && changed <= tick && (!is_now || changed == tick),
              "%s: the resource %s changed in tick %llu of %llu, and before in %llu", s->name,
              run_type_name(resource->type), (unsigned long long)changed, (unsigned long long)tick,
              (unsigned long long)resource->changed);
    resource->changed = changed;
    resource->is_recent = false;
}

static void compare_value(run* r, const run_side* s, model_resource* resource, const void* value) {
    const model_type* type = &catalog_models()[resource->type];
    RUN_CHECK(r, value, "%s: there is no resource %s", s->name, type->name);
    RUN_CHECK(r, !resource->place || resource->place == value, "%s: the resource %s moved", s->name,
              type->name);
    RUN_CHECK(r, (uintptr_t)value % catalog_align(resource->type) == 0,
              "%s: the resource %s is not aligned", s->name, type->name);
    resource->place = value;
    if (!value || !type->size) return;
    RUN_CHECK(r, catalog_same(resource->type, value, resource->bytes),
              "%s: the resource %s differs", s->name, type->name);
}

// A resource that was asked for, for writing: it is what the model says, and may be changed.
static void use_value(run* r, run_side* s, uint32_t type, void* value, uint32_t seed) {
    model_resource* resource = model_resource_find(s->model, type);
    tokens_begin();
    compare_value(r, s, resource, value);
    if (value && seed % 4) catalog_rewrite(type, seed, value, resource->bytes);
}

void run_res_set(run* r, run_side* s, const script_op* op) {
    uint32_t type = op->seed % 4 ? pick_resource(s, op) : catalog_choose(op->type);
    bool is_plain = type >= catalog_sound() || op->seed % 5 == 0;
    if (!is_plain) catalog_make(type, op->seed, r->ours, r->theirs);
    ilk_value ours = {run_variable(r, s, type, op->flags), is_plain ? NULL : r->ours};
    run_begin(r, s, about("ilk_resource_set", type));
    ilk_result result = ilk_resource_set(s->world, ours);
    model_faults faults = MODEL_FAULT(NO_MEMORY);
    if (!run_excused(r, s, result)) {
        faults = model_resource_set(s->model, (model_value){type, is_plain ? NULL : r->theirs});
        run_expect(r, s, result, faults);
        if (!faults) compare_tick(r, s, model_resource_find(s->model, type), true);
    }
    if (is_plain) return;
    if (faults) catalog_discard(type, r->ours);
    memset(r->ours, 0xdd, catalog_models()[type].size);
}

// What a system did not declare is found too, but for the checked build.
static bool is_hidden(const run_side* s, uint32_t type) {
#ifdef ILK_CHECKED
    const model_system* within = s->schedule.within;
    return within && type != MODEL_NO_TYPE && !model_may_read_resource(within, type);
#else
    (void)s, (void)type;
    return false;
#endif
}

static void look_in_vain(run* r, run_side* s, ilk_type* variable) {
    const void* value = ilk_resource_get(s->world, variable);
    RUN_CHECK(r, !value, "%s: an undeclared resource is read", s->name);
    run_expect(r, s, ilk_error(s->world).result, MODEL_FAULT(INVALID));
}

void run_res_get(run* r, run_side* s, const script_op* op) {
    uint32_t type = pick_resource(s, op);
    ilk_type* variable = run_variable(r, s, type, op->flags);
    model_resource* resource = model_resource_find(s->model, type);
    run_begin(r, s, about("ilk_resource_get", type));
    RUN_CHECK(r, ilk_resource_has(s->world, variable) == (resource != NULL),
              "%s: it %s the resource %s", s->name, resource ? "lacks" : "has",
              run_type_name(type));
    if (is_hidden(s, type)) {
        look_in_vain(r, s, variable);
        return;
    }
    run_forbid(s);
    const void* value = ilk_resource_get(s->world, variable);
    run_permit(s);
    RUN_CHECK(r, (value != NULL) == (resource != NULL), "%s: get of a resource", s->name);
    tokens_begin();
    if (resource && !r->outcome->failed) compare_value(r, s, resource, value);
    if (resource) compare_tick(r, s, resource, false);
    if (!resource)
        RUN_CHECK(r, ilk_resource_changed(s->world, variable) == 0, "%s: no resource", s->name);
}

// Inside of a system mostly one that it declares to write.
static uint32_t resource_to_edit(const run_side* s, const script_op* op) {
    const model_system* within = s->schedule.within;
    uint32_t type = within ? within->writes_resources[op->seed % MODEL_DECLARED] : MODEL_NO_TYPE;
    return type != MODEL_NO_TYPE && op->flags & 1 ? type : pick_resource(s, op);
}

void run_res_edit(run* r, run_side* s, const script_op* op) {
    uint32_t type = resource_to_edit(s, op);
    const model_system* within = s->schedule.within;
    bool is_locked = within && !model_may_edit_resource(within, type);
    run_begin(r, s, about("ilk_resource_edit", type));
    run_forbid(s);
    void* value = ilk_resource_edit(s->world, run_variable(r, s, type, op->flags));
    run_permit(s);
    model_faults faults = is_locked ? MODEL_FAULT(LOCKED) : model_resource_mark(s->model, type);
    run_expect(r, s, run_yielded(s, value != NULL), faults);
    if (faults) return;
    use_value(r, s, type, value, op->seed);
    compare_tick(r, s, model_resource_find(s->model, type), true);
}

void run_res_ensure(run* r, run_side* s, const script_op* op) {
    uint32_t type = op->seed % 2 ? pick_resource(s, op) : catalog_choose(op->type);
    run_begin(r, s, about("ilk_resource_ensure", type));
    void* value = ilk_resource_ensure(s->world, run_variable(r, s, type, op->flags));
    ilk_result result = run_yielded(s, value != NULL);
    if (run_excused(r, s, result)) return;
    model_faults faults = model_resource_ensure(s->model, type);
    run_expect(r, s, result, faults);
    if (faults) return;
    use_value(r, s, type, value, op->seed);
    compare_tick(r, s, model_resource_find(s->model, type), true);
}

void run_res_remove(run* r, run_side* s, const script_op* op) {
    uint32_t type = pick_resource(s, op);
    run_begin(r, s, about("ilk_resource_remove", type));
    run_forbid(s);
    ilk_result result = ilk_resource_remove(s->world, run_variable(r, s, type, op->flags));
    run_permit(s);
    run_expect(r, s, result, model_resource_remove(s->model, type));
}

void run_compare_resources(run* r, run_side* s) {
    for (uint32_t i = 0; i < catalog_sound() && !r->outcome->failed; i++) {
        ilk_type* variable = catalog_variable(i, i % 2 == 0);
        model_resource* resource = model_resource_find(s->model, i);
        RUN_CHECK(r, ilk_resource_has(s->world, variable) == (resource != NULL),
                  "%s: it %s the resource %s", s->name, resource ? "lacks" : "has",
                  run_type_name(i));
        if (!resource) continue;
        compare_value(r, s, resource, ilk_resource_get(s->world, variable));
        compare_tick(r, s, resource, false);
    }
}
