// Operations on blueprints, and on entities that are copied or moved in numbers.
#include "run.h"

#include <stdio.h>

#define LARGEST 40u // entities that one blueprint makes

static const model_type* types_of(void) {
    return catalog_models();
}

// A blueprint of the list, or one below it.
typedef struct pick {
    ilk_blueprint* ours; // NULL: there is none
    model_bp* model;
    uint32_t place;
} pick;

static ilk_blueprint* after(const ilk_blueprint* root, ilk_blueprint* b) {
    if (ilk_blueprint_first_child(b)) return ilk_blueprint_first_child(b);
    while (b != root && !ilk_blueprint_next_child(b)) b = ilk_blueprint_parent(b);
    return b == root ? NULL : ilk_blueprint_next_child(b);
}

static pick pick_root(const run* r, uint32_t which) {
    for (uint32_t i = 0; i < RUN_BLUEPRINTS; i++) {
        uint32_t place = (which + i) % RUN_BLUEPRINTS;
        const run_blueprint* b = &r->blueprints.list[place];
        if (b->ours) return (pick){b->ours, b->model, place};
    }
    return (pick){0};
}

static pick pick_any(const run* r, uint32_t which) {
    pick p = pick_root(r, which), root = p;
    for (uint32_t steps = (which >> 8) % 6; p.ours && steps; steps--) {
        ilk_blueprint* next = after(root.ours, p.ours);
        if (!next) break;
        p = (pick){next, model_bp_after(root.model, p.model), root.place};
    }
    return p;
}

static run_blueprint* free_place(run* r) {
    for (uint32_t i = 0; i < RUN_BLUEPRINTS; i++)
        if (!r->blueprints.list[i].ours) return &r->blueprints.list[i];
    return NULL;
}

// A call that has nobody to tell.
static void begin_silent(run* r, run_side* s, const char* name, uint32_t type) {
    run_begin(r, s, (run_call){.name = name, .about_type = true, .type = type});
}

static bool was_refused(const run* r) {
    return r->plan.refused != r->refused_before;
}

// What came of it. True if it is done.
static bool judge_silent(run* r, ilk_result result, model_faults faults) {
    run_note(r, result);
    bool is_right = faults ? result != ILK_OK && (faults >> result & 1) : result == ILK_OK;
    RUN_CHECK(r, is_right, "%s gave %s", r->call.name, ilk_result_name(result));
    return !faults;
}

static bool is_excused(const run* r, ilk_result result) {
    return result == ILK_NO_MEMORY && was_refused(r);
}

// Making and ending

static void add_made(run* r, ilk_blueprint* ours, model_bp* model) {
    *free_place(r) = (run_blueprint){ours, model};
}

static void make_one(run* r, run_side* s) {
    ilk_allocator allocator = supply_allocator(&r->blueprints.memory);
    begin_silent(r, s, "ilk_blueprint_create", MODEL_NO_TYPE);
    ilk_blueprint* b = ilk_blueprint_create(&allocator);
    if (!b) {
        RUN_CHECK(r, was_refused(r), "no blueprint");
        return;
    }
    ilk_entity stand_in = ilk_blueprint_entity(b);
    RUN_CHECK(r, stand_in.generation == UINT32_MAX, "a blueprint is taken for an entity");
    add_made(r, b, model_bp_create(stand_in));
}

static void end_one(run* r, run_side* s, pick p) {
    begin_silent(r, s, "ilk_blueprint_destroy", MODEL_NO_TYPE);
    ilk_blueprint_destroy(p.ours);
    if (p.model == r->blueprints.list[p.place].model) {
        r->blueprints.list[p.place] = (run_blueprint){0};
    }
    model_bp_destroy(types_of(), p.model);
}

void run_bp_make(run* r, run_side* s, const script_op* op) {
    if (free_place(r) && op->seed % 4) {
        make_one(r, s);
    } else if (op->seed % 3 == 0) {
        pick p = pick_any(r, op->pick);
        if (p.ours) end_one(r, s, p);
    }
}

// Values

// Mostly a type that a blueprint has, itself or from a base.
static uint32_t choose_type(const run_side* s, const script_op* op, const model_bp* b) {
    uint32_t types[128], count = b ? model_bp_types(b, types) : 0;
    return count && op->seed >> 20 & 1 ? types[(op->seed >> 21) % count] : run_type(s, op);
}

typedef struct way_to_give {
    const char* name;
    ilk_result (*ours)(ilk_blueprint* b, ilk_value value);
    model_faults (*model)(const model_type* types, model_bp* b, model_value value);
} way_to_give;

void run_bp_give(run* r, run_side* s, const script_op* op) {
    static const way_to_give ways[4] = {
        {"ilk_blueprint_add", ilk_blueprint_add, model_bp_add},
        {"ilk_blueprint_add", ilk_blueprint_add, model_bp_add},
        {"ilk_blueprint_set", ilk_blueprint_set, model_bp_set},
        {"ilk_blueprint_replace", ilk_blueprint_replace, model_bp_replace}};
    const way_to_give* way = &ways[op->flags % 4];
    pick p = pick_any(r, op->pick);
    uint32_t type = op->flags % 4 < 2 ? run_type(s, op) : choose_type(s, op, p.model);
    if (!p.ours || catalog_is_huge(type)) return;
    bool is_plain = type == MODEL_NO_TYPE || type >= catalog_sound() || op->seed % 5 == 0;
    if (!is_plain) catalog_make(type, op->seed, r->ours, r->theirs);
    begin_silent(r, s, way->name, type);
    ilk_value value = {run_variable(r, s, type, op->flags >> 2), is_plain ? NULL : r->ours};
    ilk_result result = way->ours(p.ours, value);
    bool is_done = !is_excused(r, result) &&
                   judge_silent(r, result,
                                way->model(types_of(), p.model,
                                           (model_value){type, is_plain ? NULL : r->theirs}));
    if (!is_done && !is_plain) catalog_discard(type, r->ours);
}

// A blueprint for a value to name: one of its tree, a base, from which several may come, or any.
static ilk_entity choose_stand_in(const run* r, const script_op* op, pick p) {
    const pick near = pick_any(r, op->pick + (op->seed >> 10) % 4 * 256);
    switch ((op->seed >> 8) % 4) {
    case 0:
        return (p.model->base ? p.model->base : p.model)->stand_in;
    case 1:
        return (near.model->base ? near.model->base : near.model)->stand_in;
    case 2:
        return pick_any(r, op->seed >> 10).model->stand_in;
    default:
        return near.model->stand_in;
    }
}

static void edit_one(run* r, run_side* s, const script_op* op, pick p, uint32_t type) {
    bool ensures = op->flags & 1;
    begin_silent(r, s, ensures ? "ilk_blueprint_ensure" : "ilk_blueprint_edit", type);
    ilk_type* variable = run_variable(r, s, type, op->flags >> 2);
    void* value =
        ensures ? ilk_blueprint_ensure(p.ours, variable) : ilk_blueprint_edit(p.ours, variable);
    if (!value && was_refused(r)) return;
    bool is_there = type < catalog_sound() && model_bp_find(p.model, type);
    if (ensures && !is_there && type < catalog_sound())
        model_bp_add(types_of(), p.model, (model_value){type, NULL});
    model_bp_part* part = model_bp_edit(types_of(), p.model, type);
    RUN_CHECK(r, (value != NULL) == (part != NULL), "%s gave %s", r->call.name,
              value ? "a value" : "none");
    if (!value || !part || types_of()[type].size == 0) return;
    tokens_begin();
    RUN_CHECK(r, catalog_same(type, value, part->bytes), "a %s of a blueprint differs",
              run_type_name(type));
    if (op->seed % 3) catalog_rewrite(type, op->seed, value, part->bytes);
    ilk_entity named =
        op->seed % 3 == 1 ? choose_stand_in(r, op, p) : run_pick_target(r, s, op->seed >> 8);
    if (op->seed % 3) catalog_point(type, 0, named, value, part->bytes);
}

void run_bp_edit(run* r, run_side* s, const script_op* op) {
    pick p = pick_any(r, op->pick);
    uint32_t type = choose_type(s, op, p.model);
    if (!p.ours || catalog_is_huge(type)) return;
    if (op->flags % 4 != 3) {
        edit_one(r, s, op, p, type);
        return;
    }
    begin_silent(r, s, "ilk_blueprint_remove", type);
    r->blueprints.memory.forbidden = true;
    ilk_result result = ilk_blueprint_remove(p.ours, run_variable(r, s, type, op->flags >> 2));
    r->blueprints.memory.forbidden = false;
    judge_silent(r, result, model_bp_remove(types_of(), p.model, type));
}

void run_bp_look(run* r, run_side* s, const script_op* op) {
    pick p = pick_any(r, op->pick);
    if (!p.ours) return;
    ilk_type* listed[128];
    uint32_t wanted[128], count = model_bp_types(p.model, wanted);
    begin_silent(r, s, "ilk_blueprint_types", MODEL_NO_TYPE);
    RUN_CHECK(r, ilk_blueprint_types(p.ours, listed, 128) == count, "a blueprint has other types");
    tokens_begin();
    for (uint32_t i = 0; i < count && !r->outcome->failed; i++) {
        ilk_type* variable = catalog_variable(wanted[i], i % 2);
        const void* value = ilk_blueprint_get(p.ours, variable);
        RUN_CHECK(r, ilk_same_type(listed[i], variable), "the types of a blueprint differ");
        RUN_CHECK(r, value && ilk_blueprint_has(p.ours, variable), "a blueprint lacks %s",
                  run_type_name(wanted[i]));
        const model_bp_part* part = model_bp_find(p.model, wanted[i]);
        if (value && types_of()[wanted[i]].size)
            RUN_CHECK(r, catalog_same(wanted[i], value, part->bytes), "a %s differs",
                      run_type_name(wanted[i]));
    }
    uint32_t type = run_type(s, op);
    bool has = type < catalog_sound() && model_bp_find(p.model, type);
    RUN_CHECK(r, ilk_blueprint_has(p.ours, run_variable(r, s, type, op->flags)) == has,
              "whether a blueprint has %s", run_type_name(type));
}

// Trees, bases, clones, names

// The model's stand-ins of a tree are those of the library's.
static void take_over_stand_ins(run* r, ilk_blueprint* ours, model_bp* model) {
    ilk_blueprint* b = ours;
    for (model_bp* m = model; m; m = model_bp_after(model, m), b = b ? after(ours, b) : NULL) {
        RUN_CHECK(r, b != NULL, "a tree of blueprints is too small");
        if (b) m->stand_in = ilk_blueprint_entity(b);
    }
    RUN_CHECK(r, !b, "a tree of blueprints is too large");
}

static void clone_one(run* r, run_side* s, pick p) {
    if (!free_place(r)) return;
    begin_silent(r, s, "ilk_blueprint_clone", MODEL_NO_TYPE);
    ilk_blueprint* clone = ilk_blueprint_clone(p.ours);
    if (!clone && was_refused(r)) return;
    model_bp* model = model_bp_clone(types_of(), p.model);
    RUN_CHECK(r, (clone != NULL) == (model != NULL), "a clone is %s", clone ? "there" : "missing");
    if (!clone || !model) return;
    take_over_stand_ins(r, clone, model);
    model_bp_rename_clone(types_of(), p.model, model);
    add_made(r, clone, model);
}

// Where handles are not foretold, what a command spawns later must not come to have children: there
// are either commands or children.
bool run_has_no_trees(const run* r) {
    return r->header.is_loose && !r->header.are_alone;
}

static void extend_one(run* r, run_side* s, pick p, pick base) {
    if (run_has_no_trees(r) && model_bp_size(base.model) > 1) return;
    begin_silent(r, s, "ilk_blueprint_extend", MODEL_NO_TYPE);
    model_bp* old = p.model->base;
    model_faults faults = model_bp_is_made_of(base.model, p.model) ? MODEL_FAULT(INVALID) : 0;
    if (!faults) { // how much it would be
        p.model->base = base.model;
        bool is_large = model_bp_size(r->blueprints.list[p.place].model) > LARGEST;
        p.model->base = old;
        if (is_large) return;
    }
    ilk_result result = ilk_blueprint_extend(p.ours, base.ours);
    judge_silent(r, result, model_bp_extend(types_of(), p.model, base.model));
}

// How much all of them would make.
static uint32_t size_of_all(const run* r) {
    uint32_t size = 0;
    for (uint32_t i = 0; i < RUN_BLUEPRINTS && size < 4 * LARGEST; i++)
        if (r->blueprints.list[i].ours) size += model_bp_size(r->blueprints.list[i].model);
    return size;
}

static void add_child(run* r, run_side* s, pick p, pick child) {
    if (size_of_all(r) > 3 * LARGEST || !child.ours || run_has_no_trees(r)) return;
    begin_silent(r, s, "ilk_blueprint_add_child", MODEL_NO_TYPE);
    ilk_result result = ilk_blueprint_add_child(p.ours, child.ours);
    bool is_done = judge_silent(r, result, model_bp_add_child(p.model, child.model));
    if (is_done) r->blueprints.list[child.place] = (run_blueprint){0};
}

static void name_one(run* r, run_side* s, const script_op* op, pick p) {
    static const char* const names[4] = {"a", "b", "c", ""};
    const char* name = names[(op->seed >> 4) % 4];
    run_begin(r, s, (run_call){.name = "ilk_blueprint_register"});
    ilk_result result = ilk_blueprint_register(s->world, name, p.ours);
    if (run_excused(r, s, result)) return;
    run_expect(r, s, result, model_bp_register(s->model, name, p.model));
}

static void find_one(run* r, run_side* s, const script_op* op) {
    static const char* const names[4] = {"a", "b", "c", "d"};
    const char* name = names[(op->seed >> 4) % 4];
    run_begin(r, s, (run_call){.name = "ilk_blueprint_named"});
    const ilk_blueprint* b = ilk_blueprint_named(s->world, name);
    const model_bp* wanted = model_bp_named(s->model, name);
    run_expect(r, s, run_yielded(s, b != NULL), wanted ? MODEL_FINE : MODEL_FAULT(MISSING));
    if (b && wanted)
        RUN_CHECK(r, ilk_same(ilk_blueprint_entity(b), wanted->stand_in), "%s: %s is another",
                  s->name, name);
}

void run_bp_tree(run* r, run_side* s, const script_op* op) {
    pick p = pick_any(r, op->pick), other = pick_any(r, op->seed >> 8);
    if (!p.ours) return;
    switch (op->seed % 8) {
    case 0:
    case 1:
        clone_one(r, s, p);
        return;
    case 2: // often the first of all, so that several extend the same
        extend_one(r, s, p, op->flags & 3 ? pick_root(r, 0) : other);
        return;
    case 3:
        begin_silent(r, s, "ilk_blueprint_extend", MODEL_NO_TYPE);
        judge_silent(r, ilk_blueprint_extend(p.ours, NULL),
                     model_bp_extend(types_of(), p.model, NULL));
        return;
    case 4:
        name_one(r, s, op, p);
        return;
    case 5:
    case 6:
        add_child(r, s, p, pick_root(r, op->seed >> 8));
        return;
    default:
        find_one(r, s, op);
    }
}

// Spawning and taking

// Types of a call that failed may have become known, in any order.
void run_follow_all_types(run_side* s, uint32_t known) {
    for (uint32_t before = UINT32_MAX; before != s->model->known_count;) {
        before = s->model->known_count;
        for (uint32_t i = 0; i < catalog_sound(); i++) run_follow_type(s, i, known);
    }
}

// Relations of the model are looked through for each that comes or goes.
static bool is_slow(const model_world* m) {
    return (uint64_t)m->edge_count * m->slot_count > 20000;
}

// All that were made from a blueprint are taken over: the roots, then all of the second node…
static void take_over_made(run* r, run_side* s, const ilk_entity* roots, uint32_t times,
                           uint32_t size) {
    for (uint32_t i = 0; i < times && s->model->is_loose; i++) {
        uint32_t count = ilk_below(s->world, roots[i], ILK_WALK_BREADTH, r->found_there, size);
        RUN_CHECK(r, count == size, "%s: %u were made, not %u", s->name, count, size);
        for (uint32_t k = 0; k < size; k++) r->hints[k * times + i] = r->found_there[k];
    }
    model_take_over(s->model, r->hints, s->model->is_loose ? times * size : 0);
}

static void spawn_many(run* r, run_side* s, pick p, uint32_t count) {
    if (count == 0) return;
    run_begin(r, s, (run_call){.name = "ilk_blueprint_spawn_many", .count = count});
    ilk_result result = ilk_blueprint_spawn_many(s->world, p.ours, count, r->list);
    if (run_excused(r, s, result)) {
        run_follow_all_types(s, UINT32_MAX);
        return;
    }
    take_over_made(r, s, r->list, result == ILK_OK ? count : 0, model_bp_size(p.model));
    model_faults faults = model_bp_spawn(s->model, p.model, count, false, NULL, r->made);
    run_expect(r, s, result, faults);
    if (faults) run_follow_all_types(s, UINT32_MAX);
    for (uint32_t i = 0; i < count && !faults && result == ILK_OK; i++)
        RUN_CHECK(r, ilk_same(r->list[i], r->made[i]), "%s: the %u-th is {%u, %u}", s->name, i,
                  r->list[i].index, r->list[i].generation);
}

static void spawn_one(run* r, run_side* s, pick p, bool moves) {
    ilk_entity wanted = {0};
    bool is_refused = moves && (p.model->parent || p.model->world);
    run_begin(r, s, (run_call){.name = moves ? "ilk_blueprint_put" : "ilk_blueprint_spawn"});
    ilk_entity e =
        moves ? ilk_blueprint_put(s->world, p.ours) : ilk_blueprint_spawn(s->world, p.ours);
    ilk_result result = run_yielded(s, !ilk_is_null(e));
    if (run_excused(r, s, result)) {
        run_follow_all_types(s, UINT32_MAX);
        return;
    }
    take_over_made(r, s, &e, !ilk_is_null(e), model_bp_size(p.model));
    model_faults faults = is_refused ? MODEL_FAULT(INVALID)
                                     : model_bp_spawn(s->model, p.model, 1, moves, NULL, &wanted);
    if (!faults && moves) r->blueprints.list[p.place] = (run_blueprint){0};
    bool is_undone = !faults && !model_alive(s->model, wanted);
    run_expect(r, s, result, is_undone ? MODEL_FAULT(DEAD) : faults);
    if (faults) run_follow_all_types(s, UINT32_MAX);
    if (faults || is_undone) wanted = (ilk_entity){0};
    RUN_CHECK(r, ilk_same(e, wanted), "%s: a blueprint gave {%u, %u}, not {%u, %u}", s->name,
              e.index, e.generation, wanted.index, wanted.generation);
}

void run_bp_spawn(run* r, run_side* s, const script_op* op) {
    pick p = op->seed % 4 ? pick_root(r, op->pick) : pick_any(r, op->pick);
    if (!p.ours || run_crowded(r, s)) return;
    if (model_bp_size(p.model) > LARGEST || is_slow(s->model)) return;
    uint32_t count = op->count % (r->header.bulk + 1) / model_bp_size(p.model);
    if (count > 400) count = 400;
    bool may_be_undone = s->model->is_loose && model_observer_count(s->model);
    if (op->seed % 3 == 0)
        spawn_many(r, s, p, count);
    else if (!may_be_undone)
        spawn_one(r, s, p, op->seed % 3 == 1);
}

static bool has_huge(const model_world* m, uint32_t type) {
    for (uint32_t i = 0; i < m->slot_count; i++)
        if (m->slots[i].alive && model_find(m, model_handle(m, i), type)) return true;
    return false;
}

void run_bp_take(run* r, run_side* s, const script_op* op) {
    bool moves = op->flags & 1, saves = !moves && op->flags & 2;
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    if (!free_place(r) || is_slow(s->model)) return;
    for (uint32_t i = 0; i < catalog_sound(); i++)
        if (catalog_is_huge(i) && has_huge(s->model, i)) return;
    ilk_allocator allocator = supply_allocator(&r->blueprints.memory);
    run_begin(r, s,
              (run_call){.name = moves   ? "ilk_blueprint_take"
                                 : saves ? "ilk_blueprint_to_save"
                                         : "ilk_blueprint_of",
                         .about_entity = true,
                         .entity = e});
    ilk_blueprint* b = moves   ? ilk_blueprint_take(s->world, e, &allocator)
                       : saves ? ilk_blueprint_to_save(s->world, e, &allocator)
                               : ilk_blueprint_of(s->world, e, &allocator);
    ilk_result result = run_yielded(s, b != NULL);
    if (run_excused(r, s, result)) return;
    model_bp* model = NULL;
    run_expect(r, s, result,
               saves ? model_bp_save(s->model, e, &model)
                     : model_bp_take(s->model, e, moves, &model));
    if (!b || !model) return;
    take_over_stand_ins(r, b, model);
    model_bp_rename_taken(types_of(), model);
    add_made(r, b, model);
}

// Travelling

// The ends of relations, one after the other.
static ilk_entity end_of_edge(const model_world* m, uint32_t at) {
    const model_edge* edge = &m->edges[at / 2 % m->edge_count];
    return at & 1 ? edge->target : edge->source;
}

// Often those who relate to each other.
static void choose_travellers(run* r, const run_side* s, const script_op* op, uint32_t count) {
    uint32_t step = op->flags & 8 ? 1 + (op->seed >> 8) % 97 : 1;
    bool are_related = op->flags & 4 && s->model->edge_count;
    for (uint32_t i = 0; i < count; i++) {
        bool is_wrong = op->mode >= 200 && (i + op->seed) % 7 == 0;
        uint32_t at = op->pick + i * step;
        r->list[i] = are_related && !is_wrong ? end_of_edge(s->model, at)
                                              : run_pick(r, s, is_wrong ? op->mode : 0, at);
    }
}

// The world that has something to tell.
static run_side* teller(run_side* from, run_side* to) {
    return to->messages != to->expected ? to : from;
}

static bool brings_huge(const run_side* s) {
    for (uint32_t i = 0; i < catalog_sound(); i++)
        if (catalog_is_huge(i) && has_huge(s->model, i)) return true;
    return false;
}

// Handles of those that came along, breadth first behind the others, so that they can be taken
// over.
static uint32_t list_below(const run_side* s, ilk_entity* list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        ilk_entity at = ilk_first_child(s->world, list[i]);
        for (; !ilk_is_null(at) && count < RUN_BULK_MAX; at = ilk_next_child(s->world, at)) {
            bool is_new = true;
            for (uint32_t k = 0; k < count && is_new; k++) is_new = !ilk_same(list[k], at);
            if (is_new) list[count++] = at;
        }
    }
    return count;
}

static void copy_tree(run* r, run_side* s, ilk_entity e) {
    ilk_entity wanted = {0};
    run_begin(r, s, (run_call){.name = "ilk_copy_tree"});
    ilk_entity copy = r->made[0] = ilk_copy_tree(s->world, e);
    ilk_result result = run_yielded(s, !ilk_is_null(copy));
    if (run_excused(r, s, result)) {
        run_follow_all_types(s, UINT32_MAX);
        return;
    }
    bool is_taken_over = s->model->is_loose && !ilk_is_null(copy);
    model_take_over(s->model, r->made, is_taken_over ? list_below(s, r->made, 1) : 0);
    model_faults faults = model_travel(s->model, &e, 1, s->model, false, &wanted);
    bool is_undone = !faults && !model_alive(s->model, wanted);
    run_expect(r, s, result, is_undone ? MODEL_FAULT(DEAD) : faults);
    if (faults) run_follow_all_types(s, UINT32_MAX);
    if (faults || is_undone) wanted = (ilk_entity){0};
    RUN_CHECK(r, ilk_same(copy, wanted), "%s: a copy is {%u, %u}, not {%u, %u}", s->name,
              copy.index, copy.generation, wanted.index, wanted.generation);
}

void run_travel(run* r, run_side* s, const script_op* op) {
    bool moves = op->flags & 1;
    run_side* other = &r->sides[s == &r->sides[0]];
    run_side* to = op->flags & 2 && (!moves || op->seed % 16 == 0) ? s : other;
    uint32_t count = op->count % (r->header.bulk + 1);
    if (count > 600) count = 600;
    if (count == 0) count = 1;
    if (is_slow(s->model) || is_slow(to->model)) return;
    if (!to->world || run_crowded(r, to) || r->is_inside) return;
    if (to->model->is_loose && model_observer_count(to->model)) return;
    choose_travellers(r, s, op, count);
    if (brings_huge(s)) return;
    if (to == s && !moves && op->flags & 16) {
        copy_tree(r, s, r->list[0]);
        return;
    }
    run_begin(r, s, (run_call){.name = moves ? "ilk_transfer" : "ilk_copy_to", .count = count});
    ilk_result result = moves ? ilk_transfer(s->world, r->list, count, to->world, r->found_there)
                              : ilk_copy_to(s->world, r->list, count, to->world, r->found_there);
    run_side* told = teller(s, to);
    if (run_excused(r, told, result)) {
        run_follow_all_types(to, UINT32_MAX);
        return;
    }
    bool is_done = result == ILK_OK || result == ILK_DEAD;
    uint32_t hints = 0;
    for (uint32_t i = 0; i < count && is_done; i++) {
        bool is_new = !ilk_is_null(r->found_there[i]);
        for (uint32_t k = 0; k < i && is_new && to->model->is_loose; k++)
            is_new = !ilk_same(r->found_there[i], r->found_there[k]);
        if (is_new) r->made[hints++] = r->found_there[i];
    }
    if (to->model->is_loose) hints = list_below(to, r->made, hints);
    model_take_over(to->model, r->made, hints);
    static ilk_entity wanted[600];
    model_faults faults = model_travel(s->model, r->list, count, to->model, moves, wanted);
    s->expected += model_take_messages(s->model);
    to->expected += model_take_messages(to->model);
    told = teller(s, to);
    run_expect(r, told, result, faults);
    bool is_nothing = faults && faults != MODEL_FAULT(DEAD);
    if (is_nothing) run_follow_all_types(to, UINT32_MAX);
    for (uint32_t i = 0; i < count && !is_nothing && is_done; i++)
        RUN_CHECK(r, ilk_same(r->found_there[i], wanted[i]), "%s: the %u-th is {%u, %u} there",
                  to->name, i, r->found_there[i].index, r->found_there[i].generation);
    if (to != s && !r->outcome->failed) run_follow_passes(to);
}

// A value names an entity that there is, near or far.
void run_point(run* r, run_side* s, const script_op* op) {
    static const char* const names[3] = {"Speed", "Matrix", "Bag"};
    uint32_t type = 0;
    while (strcmp(types_of()[type].name, names[op->seed % 3]) != 0) type++;
    ilk_entity e = run_pick_fit(r, s, op, type, true);
    ilk_entity named = op->flags & 1 ? e : run_pick(r, s, 0, e.index + op->count % 5);
    run_begin(r, s,
              (run_call){.name = "ilk_edit",
                         .about_entity = true,
                         .entity = e,
                         .about_type = true,
                         .type = type});
    unsigned char* value = ilk_edit(s->world, e, catalog_variable(type, false));
    model_faults faults = model_mark(s->model, e, type);
    run_expect(r, s, run_yielded(s, value != NULL), faults);
    if (!value || faults) return;
    catalog_point(type, op->seed >> 4, named, value, model_find(s->model, e, type)->bytes);
}

// Together

static void compare_one(run* r, const ilk_blueprint* ours, const model_bp* model) {
    for (uint32_t i = 0; i < model->count && !r->outcome->failed; i++) {
        const model_bp_part* part = &model->parts[i];
        const void* value = ilk_blueprint_get(ours, catalog_variable(part->type, false));
        RUN_CHECK(r, value, "a blueprint has no %s", run_type_name(part->type));
        if (!value || !types_of()[part->type].size) continue;
        RUN_CHECK(r, (uintptr_t)value % catalog_align(part->type) == 0, "it is not aligned");
        RUN_CHECK(r, catalog_same(part->type, value, part->bytes), "the %s of a blueprint differs",
                  run_type_name(part->type));
    }
    RUN_CHECK(r, ilk_same(ilk_blueprint_entity(ours), model->stand_in), "another stands for it");
}

void run_compare_blueprints(run* r) {
    for (uint32_t i = 0; i < RUN_BLUEPRINTS; i++) {
        const run_blueprint* root = &r->blueprints.list[i];
        ilk_blueprint* b = root->ours;
        for (model_bp* m = root->model; root->ours && m && b && !r->outcome->failed;
             m = model_bp_after(root->model, m), b = after(root->ours, b))
            compare_one(r, b, m);
    }
}

void run_forget_named(run* r, const run_side* s) {
    for (uint32_t i = 0; i < RUN_BLUEPRINTS; i++) {
        run_blueprint* b = &r->blueprints.list[i];
        if (b->ours && b->model->world == s->model) *b = (run_blueprint){0};
    }
}

void run_end_blueprints(run* r) {
    for (uint32_t i = 0; i < RUN_BLUEPRINTS; i++) {
        run_blueprint* b = &r->blueprints.list[i];
        if (!b->ours) continue;
        ilk_blueprint_destroy(b->ours);
        model_bp_destroy(types_of(), b->model);
        *b = (run_blueprint){0};
    }
    RUN_CHECK(r, r->blueprints.memory.blocks == 0, "blueprints kept memory");
    RUN_CHECK(r, !r->blueprints.memory.complaint, "blueprints: %s", r->blueprints.memory.complaint);
}
