// Operations on many entities at once.
#include "run.h"

#include <stdlib.h>

// A list of entities: neighbours or far apart, some of them twice or wrong, if the operation says
// so.
static void choose_list(run* r, const run_side* s, const script_op* op, uint32_t count) {
    uint32_t step = op->flags & 8 ? 1 + (op->seed >> 8) % 97 : 1;
    bool twice = op->flags & 4 && op->seed % 3 == 0;
    for (uint32_t i = 0; i < count; i++) {
        bool wrong = op->mode >= 200 && (i + op->seed) % 7 == 0;
        r->list[i] = run_pick(r, s, wrong ? op->mode : 0, op->pick + i * step);
        if (twice && i % 5 == 4) r->list[i] = r->list[i - 1 - op->seed % 4];
    }
}

void run_create_many(run* r, run_side* s, const script_op* op) {
    uint32_t count = run_count(r, &(run_set){0}, op);
    if (run_crowded(r, s)) return;
    run_begin(r, s, (run_call){.name = "ilk_create_many", .count = count});
    ilk_result result = ilk_create_many(s->world, count ? r->list : NULL, count);
    if (run_excused(r, s, result)) return;
    model_take_over(s->model, r->list, count);
    model_faults faults = model_create_many(s->model, r->made, count);
    run_expect(r, s, result, faults);
    for (uint32_t i = 0; i < count && !faults && result == ILK_OK; i++)
        RUN_CHECK(r, ilk_same(r->list[i], r->made[i]), "%s: the %u-th entity is {%u, %u}", s->name,
                  i, r->list[i].index, r->list[i].generation);
}

void run_destroy_many(run* r, run_side* s, const script_op* op) {
    uint32_t count = run_count(r, &(run_set){0}, op);
    choose_list(r, s, op, count);
    run_begin(r, s, (run_call){.name = "ilk_destroy_many", .count = count});
    run_forbid(s);
    ilk_result result = ilk_destroy_many(s->world, count ? r->list : NULL, count);
    run_permit(s);
    run_expect(r, s, result, model_destroy_many(s->model, r->list, count));
}

// With no entities at all, a wrong type may be noticed or not.
static void expect_many(run* r, run_side* s, uint32_t count, ilk_result result,
                        model_faults faults) {
    run_expect(r, s, result, count == 0 && result == ILK_OK ? MODEL_FINE : faults);
}

static void discard_rest(const run* r, uint32_t count, uint32_t type, bool all) {
    for (uint32_t i = 0; i < count; i++)
        if (all || !r->taken[i]) catalog_discard(type, r->ours + i * catalog_models()[type].size);
}

void run_add_many(run* r, run_side* s, const script_op* op) {
    uint32_t type = run_type(s, op);
    run_set set = {1, {type}, {run_variable(r, s, type, op->flags)}};
    uint32_t count = run_count(r, &set, op);
    bool plain = type == MODEL_NO_TYPE || type >= catalog_sound() || op->seed % 4 == 0;
    choose_list(r, s, op, count);
    for (uint32_t i = 0; i < count && !plain; i++) {
        size_t at = i * catalog_models()[type].size;
        catalog_make(type, op->seed + i, r->ours + at, r->theirs + at);
    }
    run_begin(r, s, (run_call){"ilk_add_many", false, true, {0}, type, count, NULL});
    ilk_result result =
        ilk_add_many(s->world, r->list, count, set.variables[0], plain ? NULL : r->ours);
    bool excused = run_excused(r, s, result);
    if (!excused) {
        model_faults faults =
            model_add_many(s->model, r->list, count, type, plain ? NULL : r->theirs, r->taken);
        expect_many(r, s, count, result, faults);
        if (count == 0) run_follow_types(r, s, &set);
    }
    if (!plain) discard_rest(r, count, type, excused);
}

void run_remove_many(run* r, run_side* s, const script_op* op) {
    uint32_t type = run_type(s, op);
    uint32_t count = run_count(r, &(run_set){0}, op);
    ilk_type* variable = run_variable(r, s, type, op->flags);
    choose_list(r, s, op, count);
    run_begin(r, s, (run_call){"ilk_remove_many", false, true, {0}, type, count, NULL});
    run_forbid(s);
    ilk_result result = ilk_remove_many(s->world, r->list, count, variable);
    run_permit(s);
    expect_many(r, s, count, result, model_remove_many(s->model, r->list, count, type));
}

// Batches

static void stamp_made(run* r, const run_side* s, uint32_t count) {
    if (r->stamp_capacity < s->model->slot_capacity) {
        r->stamp_capacity = s->model->slot_capacity;
        free(r->stamps);
        r->stamps = calloc(r->stamp_capacity, sizeof *r->stamps);
        if (!r->stamps) abort();
    }
    r->stamp++;
    for (uint32_t i = 0; i < count; i++) r->stamps[r->made[i].index] = r->stamp;
}

// An entity of a batch is one that the model made, and has not been seen yet.
static bool is_new(run* r, const run_side* s, ilk_entity e) {
    bool right = model_alive(s->model, e) && r->stamps[e.index] == r->stamp;
    RUN_CHECK(r, right, "%s: {%u, %u} of the batch is none of its entities, or twice", s->name,
              e.index, e.generation);
    if (right) r->stamps[e.index] = r->stamp - 1;
    return right;
}

static void fill_column(run* r, run_side* s, const ilk_batch* batch, uint32_t type,
                        ilk_type* variable, uint32_t seed) {
    size_t size = catalog_models()[type].size;
    unsigned char* column = ilk_batch_fill(batch, variable);
    if (size == 0) return;
    if (!column) {
        run_fail(r, "%s: the batch has no %s", s->name, catalog_models()[type].name);
        return;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        ilk_entity e = batch->entities[i];
        model_component* c = model_find(s->model, e, type);
        run_compare_value(r, s, e, c, column + i * size);
        RUN_CHECK(r, ilk_get(s->world, e, variable, NULL) == column + i * size,
                  "%s: a column of the batch lies elsewhere", s->name);
        if (seed % 3) catalog_rewrite(type, seed + e.index, column + i * size, c->bytes);
    }
}

static void walk_batch(run* r, run_side* s, ilk_batch* batch, const run_set* set,
                       const script_op* op, uint32_t count) {
    uint32_t seen = 0;
    stamp_made(r, s, count);
    tokens_begin();
    while (!r->outcome->failed && ilk_batch_next(batch)) {
        RUN_CHECK(r, batch->count > 0 && batch->count <= count - seen, "%s: a run of %u", s->name,
                  batch->count);
        for (uint32_t i = 0; i < batch->count && !r->outcome->failed; i++)
            is_new(r, s, batch->entities[i]);
        seen += batch->count;
        for (uint32_t i = 0; i < set->count && !r->outcome->failed; i++)
            if (set->types[i] != MODEL_NO_TYPE)
                fill_column(r, s, batch, set->types[i], set->variables[i], op->seed);
        RUN_CHECK(r, !ilk_batch_fill(batch, NULL), "%s: a column of no type", s->name);
    }
    RUN_CHECK(r, seen == count, "%s: the batch has %u entities, not %u", s->name, seen, count);
}

static bool is_empty(const run_set* set) {
    for (uint32_t i = 0; i < set->count; i++)
        if (set->types[i] != MODEL_NO_TYPE) return false;
    return true;
}

// The handles of a batch, in the order of its runs.
static void take_over_batch(run* r, run_side* s, ilk_batch batch, uint32_t count) {
    uint32_t taken = 0;
    while (ilk_batch_next(&batch) && batch.count <= count - taken) {
        memcpy(r->list + taken, batch.entities, batch.count * sizeof *r->list);
        taken += batch.count;
    }
    model_take_over(s->model, r->list, taken);
}

// Of a batch that was observed, those are left that have all types still.
static void check_left(run* r, const run_side* s, const ilk_batch* batch, const run_set* set) {
    for (uint32_t i = 0; i < batch->count; i++) {
        for (uint32_t k = 0; k < set->count; k++) {
            bool is_there = set->types[k] == MODEL_NO_TYPE ||
                            model_find(s->model, batch->entities[i], set->types[k]);
            RUN_CHECK(r, is_there, "%s: the batch has somebody who lost a type", s->name);
        }
    }
}

// Where handles are taken over from a batch, it must have all of them.
static bool may_lack_some(const run_side* s) {
    return s->model->is_loose && model_observer_count(s->model);
}

// A batch without types may be made or refused.
static void spawn_batch(run* r, run_side* s, const run_set* set, const script_op* op,
                        uint32_t count) {
    ilk_batch batch;
    bool is_observed = model_observer_count(s->model) > 0;
    memset(&batch, 0x5a, sizeof batch);
    run_begin(r, s, (run_call){.name = "ilk_spawn_many", .count = count, .set = set});
    ilk_result result =
        ilk_spawn_many(s->world, &batch, count, set->count ? set->variables : NULL, set->count);
    run_permit(s);
    bool excused = run_excused(r, s, result);
    model_faults faults = MODEL_FINE;
    if (!excused) {
        bool is_open = result == ILK_INVALID && is_empty(set);
        if (result == ILK_OK && s->model->is_loose) take_over_batch(r, s, batch, count);
        faults = is_open ? MODEL_FAULT(INVALID)
                         : model_spawn_many(s->model, r->made, count, set->types, set->count);
        expect_many(r, s, count, result, faults);
        if (count == 0) run_follow_types(r, s, set);
    }
    if (is_observed) { // they may have destroyed some, and taken types away
        while (!r->outcome->failed && ilk_batch_next(&batch)) check_left(r, s, &batch, set);
        return;
    }
    if (!excused && !faults && result == ILK_OK) walk_batch(r, s, &batch, set, op, count);
    RUN_CHECK(r, r->outcome->failed || !ilk_batch_next(&batch), "%s: the batch goes on", s->name);
}

void run_spawn_many(run* r, run_side* s, const script_op* op) {
    if (run_crowded(r, s) || may_lack_some(s)) return;
    run_set set = run_choose_set(r, s, op);
    spawn_batch(r, s, &set, op, run_count(r, &set, op));
}

// Reserving

// What was reserved can be created without any memory.
static void use_reserved(run* r, run_side* s, const run_set* set, const script_op* op,
                         uint32_t count) {
    run_starve(s);
    if (op->flags & 32 && !is_empty(set) && !may_lack_some(s)) {
        spawn_batch(r, s, set, op, count);
        return;
    }
    for (uint32_t i = 0; i < count && !r->outcome->failed; i++) {
        ilk_value ours[RUN_SET_MAX];
        model_value theirs[RUN_SET_MAX];
        ilk_entity wanted = {0};
        for (uint32_t k = 0; k < set->count; k++) {
            ours[k] = (ilk_value){set->variables[k], NULL};
            theirs[k] = (model_value){set->types[k], NULL};
        }
        ilk_entity e = set->count ? ilk_spawn(s->world, ours, set->count) : ilk_create(s->world);
        model_take_over(s->model, &e, 1);
        model_spawn(s->model, theirs, set->count, &wanted);
        RUN_CHECK(r, ilk_same(e, wanted), "%s: what was reserved cannot be made", s->name);
    }
    run_permit(s);
}

// More than there can be: it must fail, and soon.
static void reserve_too_many(run* r, run_side* s, const run_set* set, uint32_t count) {
    s->memory.limit = s->memory.bytes + (1u << 20);
    run_begin(r, s, (run_call){.name = "ilk_reserve", .count = count, .set = set});
    ilk_result result =
        ilk_reserve(s->world, count, set->count ? set->variables : NULL, set->count);
    s->memory.limit = 0;
    if (run_excused(r, s, result)) return;
    model_faults faults = model_reserve(s->model, count, set->types, set->count);
    run_expect(r, s, result, faults | MODEL_FAULT(NO_MEMORY));
}

void run_reserve(run* r, run_side* s, const script_op* op) {
    if (run_crowded(r, s)) return;
    run_set set = run_choose_set(r, s, op);
    uint32_t count = run_count(r, &set, op);
    if (op->flags % 64 == 17) {
        reserve_too_many(r, s, &set, UINT32_MAX - op->seed % MODEL_NOT_QUITE);
        return;
    }
    run_begin(r, s, (run_call){.name = "ilk_reserve", .count = count, .set = &set});
    ilk_result result = ilk_reserve(s->world, count, set.count ? set.variables : NULL, set.count);
    if (run_excused(r, s, result)) return;
    model_faults faults = model_reserve(s->model, count, set.types, set.count);
    bool open = !(faults & ~(MODEL_FAULT(EXISTS) | MODEL_FAULT(FULL))) || count == 0;
    run_expect(r, s, result, open && result == ILK_OK ? MODEL_FINE : faults);
    if (result == ILK_OK) run_follow_types(r, s, &set);
    bool is_used = op->flags & 16 && !model_observer_count(s->model);
    for (uint32_t i = 0; i < set.count; i++)
        if (set.types[i] != MODEL_NO_TYPE && catalog_models()[set.types[i]].relation)
            is_used = false; // nobody can be made without a target
    if (result == ILK_OK && !faults && count && is_used) use_reserved(r, s, &set, op, count);
}
