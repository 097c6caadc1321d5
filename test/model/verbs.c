// Operations on one entity, and on the types and the memory of a world.
#include "model_rel.h"
#include "run.h"

#include <stdlib.h>

#include <stdio.h>

static run_call about(const char* name, ilk_entity e) {
    return (run_call){.name = name, .about_entity = true, .entity = e};
}

static run_call about_both(const char* name, ilk_entity e, uint32_t type) {
    return (run_call){
        .name = name, .about_entity = true, .entity = e, .about_type = true, .type = type};
}

static void expect_entity(run* r, run_side* s, ilk_entity given, ilk_entity wanted) {
    run_note(r, (uint64_t)given.index << 32 | given.generation);
    RUN_CHECK(r, ilk_same(given, wanted), "%s: %s gave {%u, %u}, not {%u, %u}", s->name,
              r->call.name, given.index, given.generation, wanted.index, wanted.generation);
}

// Entities

void run_create(run* r, run_side* s, const script_op* op) {
    bool is_inactive = op->kind == OP_CREATE_INACTIVE;
    ilk_entity wanted = {0};
    if (run_crowded(r, s)) return;
    run_set set = {.count = is_inactive, .types = {s->model->inactive}};
    run_begin(r, s,
              (run_call){.name = is_inactive ? "ilk_create_inactive" : "ilk_create", .set = &set});
    ilk_entity e = is_inactive ? ilk_create_inactive(s->world) : ilk_create(s->world);
    ilk_result result = run_yielded(s, !ilk_is_null(e));
    if (run_excused(r, s, result)) return;
    model_take_over(s->model, &e, 1);
    run_expect(r, s, result,
               is_inactive ? model_create_inactive(s->model, &wanted)
                           : model_create(s->model, &wanted));
    expect_entity(r, s, e, wanted);
}

void run_aim(const run* r, const run_side* s, uint32_t type, uint32_t seed, void* ours,
             void* theirs) {
    if (type >= catalog_sound() || !catalog_models()[type].relation) return;
    ilk_entity target = run_pick_target(r, s, seed);
    memcpy(ours, &target, sizeof target);
    memcpy(theirs, &target, sizeof target);
}

void run_make_values(run* r, const run_side* s, const run_set* set, const script_op* op,
                     ilk_value* ours, model_value* theirs) {
    size_t at = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t type = set->types[i];
        bool plain = type == MODEL_NO_TYPE || type >= catalog_sound() || op->seed >> i % 32 & 1;
        if (type < catalog_sound() && catalog_models()[type].relation) plain = op->seed % 32 == 0;
        ours[i] = (ilk_value){set->variables[i], plain ? NULL : r->ours + at};
        theirs[i] = (model_value){type, plain ? NULL : r->theirs + at};
        if (plain) continue;
        catalog_make(type, op->seed + i, r->ours + at, r->theirs + at);
        run_aim(r, s, type, op->seed + i, r->ours + at, r->theirs + at);
        at += (catalog_models()[type].size + 127) / 128 * 128;
    }
}

void run_discard_values(const run_set* set, const ilk_value* ours) {
    for (uint32_t i = 0; i < set->count; i++)
        if (ours[i].bytes) catalog_discard(set->types[i], (void*)(uintptr_t)ours[i].bytes);
}

void run_spawn(run* r, run_side* s, const script_op* op) {
    ilk_value ours[RUN_SET_MAX];
    model_value theirs[RUN_SET_MAX];
    ilk_entity wanted = {0};
    if (run_crowded(r, s)) return;
    run_set set = run_choose_set(r, s, op);
    run_make_values(r, s, &set, op, ours, theirs);
    run_begin(r, s, (run_call){.name = "ilk_spawn", .set = &set});
    ilk_entity e = ilk_spawn(s->world, set.count ? ours : NULL, set.count);
    ilk_result result = run_yielded(s, !ilk_is_null(e));
    if (run_excused(r, s, result)) {
        run_discard_values(&set, ours);
        return;
    }
    model_take_over(s->model, &e, 1);
    model_faults faults = model_spawn(s->model, theirs, set.count, &wanted);
    if (faults && !s->model->is_undone) run_discard_values(&set, ours);
    run_expect(r, s, result, faults);
    expect_entity(r, s, e, wanted);
}

static bool has_huge(const run_side* s, ilk_entity e) {
    for (uint32_t i = 0; i < catalog_sound(); i++)
        if (catalog_is_huge(i) && model_find(s->model, e, i)) return true;
    return false;
}

void run_copy(run* r, run_side* s, const script_op* op) {
    uint32_t relation = catalog_relation(op->seed >> 4); // often a source of it is copied
    ilk_entity from =
        op->flags & 1 ? run_pick_fit(r, s, op, relation, true) : run_pick(r, s, op->mode, op->pick);
    ilk_entity wanted = {0};
    if (run_crowded(r, s) || (has_huge(s, from) && op->seed % 8)) return;
    run_begin(r, s, about("ilk_copy", from));
    ilk_entity e = ilk_copy(s->world, from);
    ilk_result result = run_yielded(s, !ilk_is_null(e));
    if (run_excused(r, s, result)) return;
    model_take_over(s->model, &e, 1);
    model_faults faults = model_copy(s->model, from, &wanted);
    if (s->model->is_undone) r->call.about_entity = false; // it tells of the copy
    run_expect(r, s, result, faults);
    expect_entity(r, s, e, wanted);
}

// An entity that is dying is mostly helped to its end, so that there is room for others.
void run_destroy(run* r, run_side* s, const script_op* op) {
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    if (model_is_dying(s->model, e) && op->seed % 4) {
        run_remove_all(r, s, op);
        return;
    }
    run_begin(r, s, about("ilk_destroy", e));
    run_forbid(s);
    ilk_result result = ilk_destroy(s->world, e);
    run_permit(s);
    run_expect(r, s, result, model_destroy(s->model, e));
}

void run_turn(run* r, run_side* s, const script_op* op) {
    bool is_on = op->kind == OP_ACTIVATE;
    ilk_entity e = run_pick_fit(r, s, op, s->model->inactive, is_on);
    run_set set = {.count = 1, .types = {s->model->inactive}};
    run_call call = about(is_on ? "ilk_activate" : "ilk_deactivate", e);
    call.set = &set;
    run_begin(r, s, call);
    if (is_on) run_forbid(s);
    ilk_result result = is_on ? ilk_activate(s->world, e) : ilk_deactivate(s->world, e);
    run_permit(s);
    if (run_excused(r, s, result)) return;
    run_expect(r, s, result, is_on ? model_activate(s->model, e) : model_deactivate(s->model, e));
}

void run_alive(run* r, run_side* s, const script_op* op) {
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    run_begin(r, s, about("ilk_alive", e));
    RUN_CHECK(r, ilk_alive(s->world, e) == model_alive(s->model, e), "%s: alive differs", s->name);
    run_compare_life(r, s, e);
    ilk_entity at = ilk_entity_at(s->world, e.index), wanted = model_entity_at(s->model, e.index);
    RUN_CHECK(r, at.generation == wanted.generation, "%s: entity_at differs", s->name);
}

// Giving values

typedef ilk_result give_fn(ilk_world* world, ilk_entity e, ilk_value value);
typedef model_faults model_give_fn(model_world* m, ilk_entity e, model_value value);

static void run_give(run* r, run_side* s, const script_op* op, const char* name, give_fn* give,
                     model_give_fn* model_give) {
    uint32_t type = run_type(s, op);
    ilk_entity e = run_pick_fit(r, s, op, type,
                                op->kind != OP_ADD && (op->kind == OP_REPLACE || op->seed % 2));
    ilk_type* variable = run_variable(r, s, type, op->flags);
    bool plain = type == MODEL_NO_TYPE || type >= catalog_sound() || op->seed % 5 == 0;
    if (!plain) catalog_make(type, op->seed, r->ours, r->theirs);
    if (!plain) run_aim(r, s, type, op->seed, r->ours, r->theirs);
    run_begin(r, s, about_both(name, e, type));
    if (!plain && model_relates(s->model, type) && !model_aims_well(s->model, r->theirs))
        r->call.about_entity = false; // it may tell of the other one
    ilk_result result = give(s->world, e, (ilk_value){variable, plain ? NULL : r->ours});
    bool excused = run_excused(r, s, result);
    model_faults faults = MODEL_FAULT(NO_MEMORY);
    if (!excused) {
        faults = model_give(s->model, e, (model_value){type, plain ? NULL : r->theirs});
        run_expect(r, s, result, faults);
    }
    if (faults && !plain) catalog_discard(type, r->ours);
}

void run_add(run* r, run_side* s, const script_op* op) {
    run_give(r, s, op, "ilk_add", ilk_add, model_add);
}

void run_set_value(run* r, run_side* s, const script_op* op) {
    run_give(r, s, op, "ilk_set", ilk_set, model_set);
}

void run_replace(run* r, run_side* s, const script_op* op) {
    run_give(r, s, op, "ilk_replace", ilk_replace, model_replace);
}

// Reaching values

// A value that was asked for, for writing: it is what the model says, and may be changed.
static void use_value(run* r, run_side* s, ilk_entity e, uint32_t type, void* value,
                      uint32_t seed) {
    model_component* c = model_find(s->model, e, type);
    tokens_begin();
    run_compare_value(r, s, e, c, value);
    if (value && seed % 4) catalog_rewrite(type, seed, value, c->bytes);
}

void run_ensure(run* r, run_side* s, const script_op* op) {
    uint32_t type = run_type(s, op);
    ilk_entity e = run_pick_fit(r, s, op, type, op->seed % 2);
    run_begin(r, s, about_both("ilk_ensure", e, type));
    void* value = ilk_ensure(s->world, e, run_variable(r, s, type, op->flags));
    ilk_result result = run_yielded(s, value != NULL);
    if (run_excused(r, s, result)) return;
    model_faults faults = model_ensure(s->model, e, type);
    run_expect(r, s, result, faults);
    if (!faults) use_value(r, s, e, type, value, op->seed);
}

void run_write_type(run* r, run_side* s, const script_op* op, uint32_t type) {
    const model_system* within = s->schedule.within;
    bool is_locked = within && !model_may_write(within, type);
    ilk_entity e = run_pick_fit(r, s, op, type, true);
    run_begin(r, s, about_both("ilk_edit", e, type));
    void* value = ilk_edit(s->world, e, run_variable(r, s, type, op->flags));
    ilk_result result = run_yielded(s, value != NULL);
    if (run_excused(r, s, result)) return;
    model_faults faults = is_locked ? MODEL_FAULT(LOCKED) : model_edit(s->model, e, type);
    run_expect(r, s, result, faults);
    if (faults) return;
    use_value(r, s, e, type, value, op->seed);
    if (!within) return;
    s->schedule.written = e;
    s->schedule.written_type = type;
}

void run_write(run* r, run_side* s, const script_op* op) {
    run_write_type(r, s, op, run_type(s, op));
}

void run_get(run* r, run_side* s, const script_op* op) {
    uint32_t type = run_type(s, op);
    ilk_entity e = run_pick_fit(r, s, op, type, true);
    ilk_type* variable = run_variable(r, s, type, op->flags);
    ilk_result result = ILK_BROKEN;
    run_begin(r, s, about_both("ilk_get", e, type));
    run_forbid(s);
    const void* value = ilk_get(s->world, e, variable, &result);
    const void* again = ilk_get(s->world, e, variable, NULL);
    run_permit(s);
    model_faults faults = model_reach(s->model, e, type);
    bool right = faults ? result != ILK_OK && (faults >> result & 1) : result == ILK_OK;
    RUN_CHECK(r, right, "%s: get gave %s", s->name, ilk_result_name(result));
    RUN_CHECK(r, value == again && (value == NULL) == (faults != 0), "%s: get is unsure", s->name);
    tokens_begin();
    if (!faults) run_compare_value(r, s, e, model_find(s->model, e, type), value);
}

void run_has(run* r, run_side* s, const script_op* op) {
    uint32_t type = run_type(s, op);
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    ilk_type* variable = run_variable(r, s, type, op->flags);
    run_begin(r, s, about_both("ilk_has", e, type));
    const model_component* c = model_find(s->model, e, type);
    run_forbid(s);
    RUN_CHECK(r, ilk_has(s->world, e, variable) == (c != NULL), "%s: has differs", s->name);
    RUN_CHECK(r, ilk_enabled(s->world, e, variable) == (c && !c->off), "%s: enabled differs",
              s->name);
    run_permit(s);
}

// Taking and switching

typedef ilk_result take_fn(ilk_world* world, ilk_entity e, ilk_type* type);

static void run_take(run* r, run_side* s, const script_op* op, const char* name, take_fn* take) {
    uint32_t type = run_type(s, op);
    ilk_entity e = run_pick_fit(r, s, op, type, true);
    ilk_type* variable = run_variable(r, s, type, op->flags);
    run_begin(r, s, about_both(name, e, type));
    run_forbid(s);
    ilk_result result = take(s->world, e, variable);
    run_permit(s);
    model_faults faults = op->kind == OP_REMOVE ? model_remove(s->model, e, type)
                          : op->kind == OP_MARK
                              ? model_mark(s->model, e, type)
                              : model_toggle(s->model, e, type, op->kind == OP_ENABLE);
    run_expect(r, s, result, faults);
}

void run_remove(run* r, run_side* s, const script_op* op) {
    run_take(r, s, op, "ilk_remove", ilk_remove);
}

void run_enable(run* r, run_side* s, const script_op* op) {
    run_take(r, s, op, "ilk_enable", ilk_enable);
}

void run_disable(run* r, run_side* s, const script_op* op) {
    run_take(r, s, op, "ilk_disable", ilk_disable);
}

void run_mark(run* r, run_side* s, const script_op* op) {
    run_take(r, s, op, "ilk_mark", ilk_mark);
}

void run_remove_all(run* r, run_side* s, const script_op* op) {
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    run_begin(r, s, about("ilk_remove_all", e));
    run_forbid(s);
    ilk_result result = ilk_remove_all(s->world, e);
    run_permit(s);
    run_expect(r, s, result, model_remove_all(s->model, e));
}

// Lists and texts, also with too little room

void run_types_of(run* r, run_side* s, const script_op* op) {
    uint32_t types[128], capacity = op->seed % 8;
    ilk_type* found[8] = {0};
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    run_begin(r, s, about("ilk_types_of", e));
    uint32_t count = ilk_types_of(s->world, e, capacity ? found : NULL, capacity);
    uint32_t wanted = model_types_of(s->model, e, types);
    RUN_CHECK(r, count == wanted, "%s: %u types, not %u", s->name, count, wanted);
    for (uint32_t i = 0; i < 8; i++) {
        bool filled = i < capacity && i < wanted;
        RUN_CHECK(r,
                  filled ? found[i] &&
                               ilk_type_number(s->world, found[i]) == s->model->numbers[types[i]]
                         : !found[i],
                  "%s: the list of types differs at %u", s->name, i);
    }
}

void run_signature(run* r, run_side* s, const script_op* op) {
    char text[128], wanted[128];
    size_t size = op->seed % 12;
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    memset(text, '?', sizeof text);
    run_begin(r, s, about("ilk_signature", e));
    size_t length = ilk_signature(s->world, e, size ? text : NULL, size);
    RUN_CHECK(r, length == model_signature(s->model, e, wanted), "%s: the signature is %zu long",
              s->name, length);
    size_t kept = size == 0 ? 0 : length < size ? length : size - 1;
    RUN_CHECK(r, memcmp(text, wanted, kept) == 0, "%s: the signature differs", s->name);
    if (size) RUN_CHECK(r, text[kept] == 0, "%s: the signature does not end", s->name);
    RUN_CHECK(r, text[size ? kept + 1 : 0] == '?', "%s: the signature is too long", s->name);
}

// Types

// Mostly one that is out, if there is one.
static uint32_t choose_to_register(const run_side* s, const script_op* op) {
    for (uint32_t i = 0; op->flags % 8 && i < catalog_sound(); i++)
        if (s->model->is_out[(i + op->pick) % catalog_sound()])
            return (i + op->pick) % catalog_sound();
    return catalog_choose(op->type);
}

void run_register(run* r, run_side* s, const script_op* op) {
    uint32_t type = choose_to_register(s, op);
    ilk_type* variable = run_variable(r, s, type, op->flags);
    run_begin(r, s, (run_call){.name = "ilk_register", .about_type = true, .type = type});
    ilk_result result = ilk_register(s->world, variable);
    bool is_out = type < catalog_sound() && s->model->is_out[type];
    if (is_out) model_forget_kept(s->model, type);
    if (run_excused(r, s, result)) return;
    run_expect(r, s, result, model_register(s->model, type));
}

// Those who have a type, in the order of a query.
static ilk_entity* list_owners(const run_side* s, uint32_t type, uint32_t* count) {
    uint32_t most = s->model->alive;
    ilk_entity* list = malloc((most + 1) * sizeof *list);
    if (!list) abort();
    uint32_t all = ilk_query_collect(s->world, s->looking.all, list, most);
    *count = 0;
    for (uint32_t i = 0; i < all && i < most; i++)
        if (model_find(s->model, list[i], type)) list[(*count)++] = list[i];
    return list;
}

void run_unregister(run* r, run_side* s, const script_op* op) {
    uint32_t type = catalog_choose(op->type), count;
    if (op->seed % 4) return;
    run_begin(r, s, (run_call){.name = "ilk_unregister", .about_type = true, .type = type});
    ilk_entity* list = list_owners(s, type, &count);
    ilk_result result = ilk_unregister(s->world, run_variable(r, s, type, op->flags));
    if (!run_excused(r, s, result))
        run_expect(r, s, result, model_unregister(s->model, list, count, type));
    free(list);
}

void run_type_table(run* r, run_side* s, const script_op* op) {
    const model_world* m = s->model;
    uint32_t type = catalog_choose(op->type), number = op->seed % (m->known_count + 2);
    ilk_type* variable = run_variable(r, s, type, op->flags);
    bool known = type < catalog_sound() && m->numbers[type] != UINT32_MAX;
    run_begin(r, s, (run_call){.name = "ilk_type_number", .about_type = true, .type = type});
    RUN_CHECK(r, ilk_type_count(s->world) == m->known_count, "%s: the count of types", s->name);
    RUN_CHECK(r, ilk_type_number(s->world, variable) == (known ? m->numbers[type] : UINT32_MAX),
              "%s: the number of a type", s->name);
    const ilk_type* at = ilk_type_at(s->world, number);
    RUN_CHECK(r, (at != NULL) == (number < m->known_count), "%s: the type of a number", s->name);
    if (type >= catalog_sound()) return;
    const ilk_type* named = ilk_type_named(s->world, m->types[type].name);
    RUN_CHECK(r, (named != NULL) == known, "%s: the type of a name", s->name);
    if (named) RUN_CHECK(r, named->size == m->types[type].size, "%s: another type", s->name);
}

// The world as a whole

static void note_settled(run* r, ilk_settled settled) {
    run_note(r, (uint64_t)settled.blocks << 32 | settled.moved);
    run_note(r, (uint64_t)settled.adopted << 32 | settled.chunks);
    run_note(r, (uint64_t)settled.guests << 1 | settled.done);
}

static bool did_something(ilk_settled settled) {
    return settled.moved || settled.adopted || settled.chunks || settled.guests;
}

// Where memory was refused, now or earlier in the round, settling need not come to an end.
void run_settle(run* r, run_side* s, const script_op* op) {
    static const char* const ways[4] = {"to the end", "a part", "in parts", "to the end"};
    uint32_t way = op->flags % 4, bound = way == 1 || way == 2 ? 1 + op->seed % 64 : 0;
    run_begin(r, s, (run_call){.name = "ilk_settle", .count = bound});
    ilk_settled settled = ilk_settle(s->world, bound);
    note_settled(r, settled);
    s->epoch++;
    model_settle(s->model);
    run_end_passes(s, RUN_QUERIES);
    uint32_t limit = 64 + 64 * (s->model->slot_count + s->model->known_count);
    for (uint32_t i = 0; way == 2 && !settled.done && i < limit && !r->plan.due; i++) {
        settled = ilk_settle(s->world, bound);
        note_settled(r, settled);
    }
    if (r->plan.due) return;
    RUN_CHECK(r, way == 1 || settled.done, "%s: settling %s is not done", s->name, ways[way]);
    if (way != 1 && op->seed % 4 == 0) {
        settled = ilk_settle(s->world, 0);
        bool again = (!settled.done || did_something(settled)) && !r->plan.due;
        RUN_CHECK(r, !again, "%s: settling goes on", s->name);
    }
}

void run_trim(run* r, run_side* s, const script_op* op) {
    (void)op;
    run_begin(r, s, (run_call){.name = "ilk_trim"});
    ilk_trim(s->world);
    run_trim_cmds(s);
    model_sweep(s->model);
    run_end_passes(s, RUN_QUERIES);
}

void run_clear(run* r, run_side* s, const script_op* op) {
    if (op->seed % 4) return;
    run_begin(r, s, (run_call){.name = "ilk_clear"});
    run_forbid(s);
    ilk_clear(s->world);
    run_permit(s);
    model_clear(s->model);
    run_end_passes(s, RUN_QUERIES);
}

void run_renew(run* r, run_side* s, const script_op* op) {
    if (op->seed % 4) return;
    run_begin(r, s, (run_call){.name = "ilk_world_create"});
    run_close(r, s);
    run_open(r, s, (script_world){(uint8_t)(op->seed >> 8), (uint8_t)(op->seed >> 16), op->count});
}

// Use one slot again and again; once in a while until it is nearly used up.
void run_wear(run* r, run_side* s, const script_op* op) {
    bool all = op->seed % 512 == 0 && !r->options.hasty;
    uint32_t uses = all ? MODEL_LAST_USE - 1 - op->count % 4 : op->count % 256;
    if (r->plan.fail_at || model_observer_count(s->model)) return;
    uint32_t times = model_wear(s->model, uses);
    run_begin(r, s, (run_call){.name = "ilk_create and ilk_destroy", .count = times});
    for (uint32_t i = 0; i < times; i++) {
        ilk_entity e = ilk_create(s->world);
        if (ilk_destroy(s->world, e) == ILK_OK) continue;
        run_fail(r, "%s: a slot could not be used again", s->name);
        return;
    }
}
