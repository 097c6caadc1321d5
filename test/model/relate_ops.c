// Operations on relations and on the hierarchy.
#include "model_rel.h"
#include "run.h"

#include <stdlib.h>

#define EDGES_MAX 500u // of a world: the model looks through all of them

// Choosing

// Often one of the first few, so that there are hubs.
ilk_entity run_pick_target(const run* r, const run_side* s, uint32_t seed) {
    uint8_t mode = seed % 16 == 0 ? (uint8_t)(200 + seed / 16 % 56) : 0;
    uint32_t pick = (seed >> 5) * 2654435761u >> 7;
    return run_pick(r, s, mode, seed % 4 == 1 ? pick % 3 : pick);
}

static uint32_t choose_relation(const script_op* op) {
    uint32_t type = catalog_choose(op->type);
    bool is_wrong = op->mode >= 200 && op->seed % 4 == 0; // whatever it is
    bool is_one = type < catalog_sound() && catalog_models()[type].relation;
    return is_wrong || is_one ? type : catalog_relation(op->type);
}

// Somebody that a source relates to, or anybody.
static ilk_entity choose_related(const run* r, const run_side* s, const script_op* op,
                                 ilk_entity source, uint32_t type) {
    uint32_t count = model_count_from(s->model, source, type);
    if (!count || op->seed % 8 == 0) return run_pick_target(r, s, op->seed);
    return model_edge_from(s->model, source, type, op->seed / 8 % count)->target;
}

// Somebody in the hierarchy: a child, a parent, or the root of one; or anybody.
static ilk_entity pick_in_tree(const run* r, const run_side* s, const script_op* op) {
    const model_world* m = s->model;
    if (!m->edge_count || op->flags % 4 == 0) return run_pick(r, s, op->mode, op->pick);
    const model_edge* edge = &m->edges[op->pick % m->edge_count];
    for (uint32_t i = 0; i < m->edge_count && edge->type != m->child_of; i++)
        edge = &m->edges[(op->pick + i) % m->edge_count];
    ilk_entity e = op->flags % 4 == 1 ? edge->source : edge->target;
    const model_edge* up;
    while (op->flags % 4 == 3 && (up = model_edge_from(m, e, m->child_of, 0))) e = up->target;
    return e;
}

// Whoever a query asks for; if that one is gone, mostly who has its slot now.
static ilk_entity choose_asked(const run_side* s, const script_op* op, ilk_entity asked) {
    ilk_entity now = model_entity_at(s->model, asked.index);
    return op->flags & 16 || ilk_is_null(now) ? asked : now;
}

static run_call about_relation(const run_side* s, const char* name, ilk_entity source,
                               uint32_t type, ilk_entity target) {
    return (run_call){.name = name,
                      .about_entity = model_is_relatable(s->model, target), // or it may tell of it
                      .entity = source,
                      .about_type = true,
                      .type = type};
}

static bool is_full(const run_side* s) {
    return s->model->edge_count >= EDGES_MAX;
}

// Relating

// The type of what a relation carries, or the model's word for none.
static uint32_t carried_by(uint32_t type) {
    return type < catalog_sound() && catalog_models()[type].relation ? catalog_models()[type].value
                                                                     : MODEL_NO_TYPE;
}

// Mostly it names one of both ends, who may be copied alone, or together.
static void name_an_end(uint32_t carried, uint32_t seed, ilk_entity source, ilk_entity target,
                        void* ours, void* theirs) {
    uint32_t which = seed >> 7 & 3;
    if (which < 3) catalog_point(carried, 0, which ? source : target, ours, theirs);
}

void run_relate(run* r, run_side* s, const script_op* op) {
    uint32_t type = choose_relation(op);
    ilk_entity source = run_pick(r, s, op->mode, op->pick);
    ilk_entity target = run_pick_target(r, s, op->seed >> 3);
    const model_asked* asked = op->flags & 8 ? run_pick_asked(s, op->pick) : NULL;
    if (asked && asked->relation < catalog_sound()) { // what is looked for just now
        type = asked->relation;
        if (!ilk_is_null(asked->target)) target = choose_asked(s, op, asked->target);
        if (op->flags & 32) source = run_pick_passed(s, op->mode, op->pick);
    }
    uint32_t carried = carried_by(type);
    ilk_type* variable = run_variable(r, s, type, op->flags);
    if (is_full(s)) return;
    bool has_value = carried != MODEL_NO_TYPE && op->seed & 1, is_with = op->seed & 2;
    if (has_value) catalog_make(carried, op->seed, r->ours, r->theirs);
    bool is_wrong = carried == MODEL_NO_TYPE && is_with && op->seed % 16 == 2;
    const void* ours = has_value || is_wrong ? r->ours : NULL;
    const void* theirs = has_value || is_wrong ? r->theirs : NULL;
    bool by_value = ours || is_with, is_put = op->flags & 32;
    if (is_put && op->seed & 32) target = choose_related(r, s, op, source, type);
    if (has_value) name_an_end(carried, op->seed, source, target, r->ours, r->theirs);
    const char* name = is_put ? "ilk_relation_set" : by_value ? "ilk_relate_value" : "ilk_relate";
    run_begin(r, s, about_relation(s, name, source, type, target));
    ilk_result result = is_put     ? ilk_relation_set(s->world, source, variable, target, ours)
                        : by_value ? ilk_relate_value(s->world, source, variable, target, ours)
                                   : ilk_relate(s->world, source, variable, target);
    model_faults faults = MODEL_FAULT(NO_MEMORY);
    if (!run_excused(r, s, result)) {
        faults =
            model_relate(s->model, source, type, target, theirs, is_put ? MODEL_PUT : MODEL_RELATE);
        run_expect(r, s, result, faults);
    }
    if (faults && has_value) catalog_discard(carried, r->ours);
}

void run_unrelate(run* r, run_side* s, const script_op* op) {
    const model_asked* asked = op->flags & 8 ? run_pick_asked(s, op->pick) : NULL;
    uint32_t type = choose_relation(op);
    ilk_entity source = run_pick_fit(r, s, op, type, true);
    ilk_entity target = choose_related(r, s, op, source, type);
    uint32_t count = asked ? model_count_to(s->model, asked->target, asked->relation) : 0;
    if (count) { // one that is found just now
        type = asked->relation;
        target = asked->target;
        source = model_edge_to(s->model, target, type, op->seed % count)->source;
    }
    ilk_type* variable = run_variable(r, s, type, op->flags);
    run_begin(r, s, about_relation(s, "ilk_unrelate", source, type, source));
    run_forbid(s);
    ilk_result result = ilk_unrelate(s->world, source, variable, target);
    run_permit(s);
    run_expect(r, s, result, model_unrelate(s->model, source, type, target));
}

// Now and then a neighbour, so that there are long chains; or somebody below, or none.
static ilk_entity choose_parent(const run* r, const run_side* s, const script_op* op,
                                ilk_entity e) {
    const model_edge* below = model_edge_to(s->model, e, s->model->child_of, 0);
    switch (op->seed % 8) {
    case 0:
    case 1:
    case 2:
        return run_pick(r, s, 0, e.index + 1);
    case 3:
        return below && op->seed & 8 ? below->source : (ilk_entity){0};
    default:
        return run_pick_target(r, s, op->seed >> 3);
    }
}

void run_set_parent(run* r, run_side* s, const script_op* op) {
    ilk_entity e = run_pick(r, s, op->mode, op->pick), parent = choose_parent(r, s, op, e);
    uint32_t type = s->model->child_of;
    if (is_full(s)) return;
    bool is_null = ilk_is_null(parent);
    run_begin(r, s, about_relation(s, "ilk_set_parent", e, type, is_null ? e : parent));
    ilk_result result = ilk_set_parent(s->world, e, parent);
    if (run_excused(r, s, result)) return;
    run_expect(r, s, result, model_set_parent(s->model, e, parent));
}

// What relations carry

static void edit_value(run* r, run_side* s, const script_op* op, ilk_entity source, uint32_t type,
                       ilk_entity target) {
    uint32_t carried = carried_by(type);
    model_edge* edge = model_edge_between(s->model, source, type, target);
    model_faults faults = model_type_faults(s->model, type);
    if (!model_alive(s->model, source)) faults |= MODEL_FAULT(DEAD);
    if (carried == MODEL_NO_TYPE) faults |= MODEL_FAULT(INVALID);
    if (!edge) faults |= MODEL_FAULT(MISSING);
    run_begin(r, s, about_relation(s, "ilk_relation_edit", source, type, source));
    void* value = ilk_relation_edit(s->world, source, run_variable(r, s, type, op->flags), target);
    ilk_result result = run_yielded(s, value != NULL);
    if (run_excused(r, s, result)) return;
    run_expect(r, s, result, faults);
    if (!value || faults) return;
    catalog_rewrite(carried, op->seed, value, edge->bytes);
    name_an_end(carried, op->seed, source, target, value, edge->bytes);
    model_find(s->model, source, type)->changed = ++s->model->now;
}

void run_relation_value(run* r, run_side* s, const script_op* op) {
    uint32_t type = choose_relation(op), carried = carried_by(type);
    ilk_entity source = run_pick_fit(r, s, op, type, true);
    ilk_entity target = choose_related(r, s, op, source, type);
    if (op->flags & 16) {
        edit_value(r, s, op, source, type, target);
        return;
    }
    const model_edge* edge = model_edge_between(s->model, source, type, target);
    bool is_there = edge && carried != MODEL_NO_TYPE;
    run_begin(r, s, (run_call){.name = "ilk_relation_get"});
    run_forbid(s);
    const void* value =
        ilk_relation_get(s->world, source, run_variable(r, s, type, op->flags), target);
    run_permit(s);
    RUN_CHECK(r, (value != NULL) == is_there, "%s: a relation carries %s", s->name,
              value ? "something" : "nothing");
    tokens_begin();
    if (value && is_there)
        RUN_CHECK(r, catalog_same(carried, value, edge->bytes), "%s: what %s carries differs",
                  s->name, run_type_name(type));
}

// Asking

static void expect_one(run* r, const run_side* s, const char* what, ilk_entity given,
                       ilk_entity wanted) {
    RUN_CHECK(r, ilk_same(given, wanted), "%s: %s is {%u, %u}, not {%u, %u}", s->name, what,
              given.index, given.generation, wanted.index, wanted.generation);
}

static ilk_entity source_of(const model_edge* edge) {
    return edge ? edge->source : (ilk_entity){0};
}

static ilk_entity target_of(const model_edge* edge) {
    return edge ? edge->target : (ilk_entity){0};
}

// The targets of an entity, and its sources, each in order; also with too little room.
static void compare_ends(run* r, run_side* s, ilk_entity e, uint32_t type, uint32_t room) {
    ilk_type* variable = catalog_variable(type, false);
    const model_world* m = s->model;
    uint32_t targets = model_count_from(m, e, type), sources = model_count_to(m, e, type);
    uint32_t most = room < EDGES_MAX ? room : EDGES_MAX;
    ilk_entity* found = calloc(most + 1, sizeof *found);
    if (!found) abort();
    uint32_t count = ilk_targets(s->world, e, variable, most ? found : NULL, most);
    RUN_CHECK(r, count == targets, "%s: %u targets, not %u", s->name, count, targets);
    for (uint32_t i = 0; i < most; i++)
        expect_one(r, s, "a target", found[i], target_of(model_edge_from(m, e, type, i)));
    memset(found, 0, most * sizeof *found);
    count = ilk_sources(s->world, e, variable, most ? found : NULL, most);
    RUN_CHECK(r, count == sources, "%s: %u sources, not %u", s->name, count, sources);
    for (uint32_t i = 0; i < most; i++)
        expect_one(r, s, "a source", found[i], source_of(model_edge_to(m, e, type, i)));
    RUN_CHECK(r, ilk_target_count(s->world, e, variable) == targets, "%s: targets", s->name);
    RUN_CHECK(r, ilk_source_count(s->world, e, variable) == sources, "%s: sources", s->name);
    expect_one(r, s, "the first target", ilk_target(s->world, e, variable),
               target_of(model_edge_from(m, e, type, 0)));
    free(found);
}

static void compare_steps(run* r, run_side* s, ilk_entity target, uint32_t type) {
    ilk_type* variable = catalog_variable(type, true);
    ilk_entity at = ilk_first_source(s->world, target, variable);
    for (uint32_t i = 0; i <= EDGES_MAX && !r->outcome->failed; i++) {
        expect_one(r, s, "the next source", at,
                   source_of(model_edge_to(s->model, target, type, i)));
        if (ilk_is_null(at)) break;
        at = ilk_next_source(s->world, target, variable, at);
    }
}

void run_relation_ask(run* r, run_side* s, const script_op* op) {
    uint32_t type = choose_relation(op);
    ilk_entity e = run_pick(r, s, op->mode, op->pick), other = choose_related(r, s, op, e, type);
    ilk_type* variable = run_variable(r, s, type, op->flags);
    run_begin(r, s, (run_call){.name = "ilk_related"});
    bool is_so = model_edge_between(s->model, e, type, other) != NULL;
    run_forbid(s);
    RUN_CHECK(r, ilk_related(s->world, e, variable, other) == is_so, "%s: related differs",
              s->name);
    if (type < catalog_sound() && model_relates(s->model, type)) {
        compare_ends(r, s, e, type, op->seed % 9);
        compare_steps(r, s, op->seed & 64 ? other : e, type);
    } else {
        RUN_CHECK(r, ilk_sources(s->world, e, variable, NULL, 0) == 0, "%s: sources", s->name);
        RUN_CHECK(r, ilk_is_null(ilk_target(s->world, e, variable)), "%s: a target", s->name);
    }
    run_permit(s);
}

// Ordering

static ilk_entity choose_sibling(const run* r, const run_side* s, const script_op* op,
                                 ilk_entity e) {
    const model_edge* up = model_edge_from(s->model, e, s->model->child_of, 0);
    if (!up || op->seed % 8 == 0) return run_pick_target(r, s, op->seed);
    if (op->seed % 8 == 1) return (ilk_entity){0};
    if (op->seed % 8 < 4) return model_edge_to(s->model, up->target, s->model->child_of, 0)->source;
    uint32_t count = model_count_to(s->model, up->target, s->model->child_of);
    return model_edge_to(s->model, up->target, s->model->child_of, op->seed / 8 % count)->source;
}

void run_child_move(run* r, run_side* s, const script_op* op) {
    ilk_entity e = run_pick_fit(r, s, op, s->model->child_of, true);
    ilk_entity before = choose_sibling(r, s, op, e);
    run_begin(r, s, (run_call){.name = "ilk_child_move"});
    run_forbid(s);
    ilk_result result = ilk_child_move(s->world, e, before);
    run_permit(s);
    run_expect(r, s, result, model_child_move(s->model, e, before));
    const model_edge* up = model_edge_from(s->model, e, s->model->child_of, 0);
    if (up && !r->outcome->failed) compare_ends(r, s, up->target, up->type, EDGES_MAX);
}

// Walking

typedef struct visits {
    const ilk_entity* wanted;
    uint32_t count, most;
    bool is_wrong;
} visits;

static bool visit(const ilk_world* world, ilk_entity e, void* user) {
    visits* v = user;
    (void)world;
    v->is_wrong |= v->count >= v->most || !ilk_same(e, v->wanted[v->count]);
    v->count++;
    return v->count < v->most;
}

static void compare_walk(run* r, run_side* s, ilk_entity root, ilk_walk how, uint32_t seed) {
    uint32_t most = s->model->alive;
    ilk_entity* wanted = calloc(2 * ((size_t)most + 1), sizeof *wanted);
    if (!wanted) abort();
    ilk_entity* found = wanted + most + 1;
    uint32_t count = model_below(s->model, root, s->model->child_of, how, wanted);
    uint32_t room = seed % 3 ? count : count ? seed / 3 % count : 0;
    uint32_t given = ilk_below(s->world, root, how, found, room);
    RUN_CHECK(r, given == count, "%s: %u below, not %u", s->name, given, count);
    for (uint32_t i = 0; i < room; i++) expect_one(r, s, "one below", found[i], wanted[i]);
    visits v = {wanted, 0, seed % 5 && count ? count : count / 2, false};
    if (v.most) ilk_visit_below(s->world, root, how, visit, &v);
    RUN_CHECK(r, !v.is_wrong && v.count == v.most, "%s: a walk visits others", s->name);
    ilk_entity at = root;
    for (uint32_t i = 0; i < count && how == ILK_WALK_DEPTH; i++) {
        expect_one(r, s, "the next below", at, wanted[i]);
        at = ilk_next_below(s->world, at, root);
    }
    if (how == ILK_WALK_DEPTH && count) expect_one(r, s, "the end", at, (ilk_entity){0});
    free(wanted);
}

// Whether one is above another, by the model.
static bool is_above(const model_world* m, ilk_entity above, ilk_entity e) {
    const model_edge* up = model_edge_from(m, e, m->child_of, 0);
    return up && (ilk_same(up->target, above) || is_above(m, above, up->target));
}

static ilk_entity sibling_of(const model_world* m, ilk_entity e, bool is_after) {
    const model_edge* up = model_edge_from(m, e, m->child_of, 0);
    ilk_entity before = {0};
    for (uint32_t i = 0; up; i++) {
        ilk_entity at = model_edge_to(m, up->target, m->child_of, i)->source;
        if (ilk_same(at, e))
            return is_after ? source_of(model_edge_to(m, up->target, m->child_of, i + 1)) : before;
        before = at;
    }
    return before;
}

// The nearest above one, in any tree, that has a component; null in what is no tree.
static void ask_up(run* r, run_side* s, ilk_entity e, uint32_t seed) {
    const model_world* m = s->model;
    uint32_t tree = catalog_relation(seed % 8 ? 4 + seed / 8 % 2 : seed / 8);
    uint32_t having = seed & 64 ? catalog_common(seed >> 7) : catalog_relation(seed >> 7);
    ilk_entity found = {0};
    const model_edge* up = m->types[tree].is_tree ? model_edge_from(m, e, tree, 0) : NULL;
    for (; up && ilk_is_null(found); up = model_edge_from(m, up->target, tree, 0))
        if (model_find(m, up->target, having)) found = up->target;
    expect_one(r, s, "the nearest above",
               ilk_up(s->world, e, run_variable(r, s, tree, seed >> 12),
                      run_variable(r, s, having, seed >> 15)),
               found);
}

static void ask_above(run* r, run_side* s, ilk_entity e) {
    const model_world* m = s->model;
    ilk_entity above[8] = {{0}};
    uint32_t count = ilk_above(s->world, e, above, 8), depth = 0;
    for (const model_edge* up; (up = model_edge_from(m, e, m->child_of, 0)); depth++) {
        e = up->target;
        if (depth < 8) expect_one(r, s, "one above", above[depth], e);
    }
    RUN_CHECK(r, count == depth, "%s: %u are above, not %u", s->name, count, depth);
}

void run_tree_ask(run* r, run_side* s, const script_op* op) {
    const model_world* m = s->model;
    ilk_entity e = pick_in_tree(r, s, op), other = run_pick_target(r, s, op->seed);
    ilk_entity root = model_alive(m, e) ? e : (ilk_entity){0};
    uint32_t depth = 0;
    for (const model_edge* up; (up = model_edge_from(m, root, m->child_of, 0)); depth++)
        root = up->target;
    run_begin(r, s, (run_call){.name = "ilk_parent"});
    run_forbid(s);
    expect_one(r, s, "the parent", ilk_parent(s->world, e),
               target_of(model_edge_from(m, e, m->child_of, 0)));
    expect_one(r, s, "the root", ilk_root_of(s->world, e), root);
    ask_up(r, s, e, op->seed >> 4);
    ask_above(r, s, e);
    RUN_CHECK(r, ilk_depth(s->world, e) == depth, "%s: the depth is not %u", s->name, depth);
    RUN_CHECK(r, ilk_is_below(s->world, e, other) == is_above(m, other, e), "%s: below", s->name);
    RUN_CHECK(r, ilk_child_count(s->world, e) == model_count_to(m, e, m->child_of), "%s: children",
              s->name);
    expect_one(r, s, "the first child", ilk_first_child(s->world, e),
               source_of(model_edge_to(m, e, m->child_of, 0)));
    expect_one(r, s, "the next child", ilk_next_child(s->world, e), sibling_of(m, e, true));
    expect_one(r, s, "the child before", ilk_previous_child(s->world, e), sibling_of(m, e, false));
    ilk_entity two[2] = {{0}};
    ilk_children(s->world, e, two, 2);
    expect_one(r, s, "the second child", two[1], source_of(model_edge_to(m, e, m->child_of, 1)));
    compare_walk(r, s, op->seed & 32 ? root : e, op->seed & 1 ? ILK_WALK_DEPTH : ILK_WALK_BREADTH,
                 op->seed >> 8);
    run_permit(s);
}

// Everything

void run_compare_relations(run* r, run_side* s) {
    const model_world* m = s->model;
    for (uint32_t i = 0; i < m->edge_count && !r->outcome->failed; i++) {
        const model_edge* edge = &m->edges[i];
        ilk_type* variable = catalog_variable(edge->type, i & 1);
        RUN_CHECK(r, ilk_related(s->world, edge->source, variable, edge->target),
                  "%s: {%u, %u} is not related by %s", s->name, edge->source.index,
                  edge->source.generation, run_type_name(edge->type));
        uint32_t carried = carried_by(edge->type);
        const void* value = ilk_relation_get(s->world, edge->source, variable, edge->target);
        RUN_CHECK(r, (value != NULL) == (carried != MODEL_NO_TYPE), "%s: a carried value", s->name);
        if (value && carried != MODEL_NO_TYPE)
            RUN_CHECK(r, catalog_same(carried, value, edge->bytes), "%s: what %s carries differs",
                      s->name, run_type_name(edge->type));
        if (i % 8 == r->outcome->operations % 8) {
            compare_ends(r, s, edge->source, edge->type, 8);
            compare_ends(r, s, edge->target, edge->type, EDGES_MAX);
        }
    }
}
