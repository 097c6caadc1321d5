// A function for each entity. The function does things to the world, too.
#include "run.h"

#define STEPS_MAX 40u

typedef struct errand {
    run* run;
    run_side* side;
    run_pass* pass;
    const script_op* op;
    uint64_t state; // of random numbers
    bool is_opened; // the library has begun
    uint32_t steps; // aside
} errand;

static void note_opened(errand* a) {
    if (!a->is_opened) run_pass_opened(a->side, a->pass);
    a->is_opened = true;
}

// Values

static void check_value(const errand* a, ilk_entity e, model_term term, void* value) {
    run_side* s = a->side;
    const model_query* q = &s->looking.queries[a->pass->query].model;
    model_component* c = model_find(s->model, e, term.type);
    if (term.access == ILK_ACCESS_MAYBE && !model_sees(s->model, q, e, term.type)) {
        RUN_CHECK(a->run, !value, "%s: a value of a %s that is not there", s->name,
                  run_type_name(term.type));
        return;
    }
    size_t size = catalog_models()[term.type].size;
    bool is_in_place =
        !size || ilk_get(s->world, e, catalog_variable(term.type, false), NULL) == value;
    RUN_CHECK(a->run, value && is_in_place, "%s: the %s of {%u, %u} is elsewhere", s->name,
              run_type_name(term.type), e.index, e.generation);
    if (!a->run->outcome->failed) run_compare_value(a->run, s, e, c, value);
}

static void write_value(const errand* a, ilk_entity e, uint32_t type, void* value) {
    model_mark(a->side->model, e, type);
    if (catalog_models()[type].size && (a->op->seed + e.index) % 3)
        catalog_rewrite(type, a->op->seed + e.index, value,
                        model_find(a->side->model, e, type)->bytes);
}

// In the order in which the query declares them.
static void use_values(const errand* a, ilk_entity e, void* const* values) {
    const model_query* q = &a->side->looking.queries[a->pass->query].model;
    tokens_begin();
    for (uint32_t i = 0; i < q->count && !a->run->outcome->failed; i++) {
        ilk_access access = q->terms[i].access;
        bool has_column =
            access == ILK_ACCESS_WRITE || access == ILK_ACCESS_READ || access == ILK_ACCESS_MAYBE;
        if (!has_column) continue;
        check_value(a, e, q->terms[i], *values);
        if (access == ILK_ACCESS_WRITE && !a->run->outcome->failed)
            write_value(a, e, q->terms[i].type, *values);
        values++;
    }
}

// Something else

script_op run_aside(const script_op* op, uint64_t* state, const uint8_t kinds[32]) {
    static const uint8_t ends[4] = {OP_SETTLE, OP_TRIM, OP_QUERY_DROP, OP_CLEAR};
    uint64_t x = script_random(state), y = script_random(state);
    bool is_end = x >> 58 == 0;
    return (script_op){
        .kind = is_end ? ends[y % 4] : kinds[x % 32],
        .side = op->side,
        .flags = (uint8_t)(x >> 8 & 127),
        .mode = (uint8_t)(140 + (x >> 16) % 60),
        .type = (uint8_t)(y >> 60 ? op->type % 240 : (x >> 24) % 240),
        .pick = (uint32_t)(x >> 32),
        .seed = (uint32_t)y,
        .count = (uint16_t)((y >> 32) % 40),
        .set = op->set & 0x3fff,
    };
}

static script_op side_step(errand* a) {
    static const uint8_t kinds[32] = {
        OP_CREATE,  OP_SPAWN,     OP_DESTROY,      OP_DESTROY,    OP_CMD_DESTROY, OP_ADD,
        OP_ADD,     OP_REMOVE,    OP_REMOVE,       OP_SET,        OP_CMD_ADD,     OP_DISABLE,
        OP_DISABLE, OP_ENABLE,    OP_REMOVE_ALL,   OP_COPY,       OP_ADD_MANY,    OP_REMOVE_MANY,
        OP_ENSURE,  OP_QUERY_ASK, OP_DESTROY_MANY, OP_WRITE,      OP_SPAWN_MANY,  OP_MARK,
        OP_RELATE,  OP_UNRELATE,  OP_ITER_NEXT,    OP_PASS_WHOLE, OP_ITER_BEGIN,  OP_CMD_SPAWN,
        OP_RELATE,  OP_CMD_APPLY};
    return run_aside(a->op, &a->state, kinds);
}

// All values of a run that may be written to count as changed when it begins, and the run may hold
// any that match.
static void doubt_rest(const errand* a) {
    model_world* m = a->side->model;
    const model_query* q = &a->side->looking.queries[a->pass->query].model;
    for (uint32_t i = 0; i < q->count; i++) {
        if (q->terms[i].access != ILK_ACCESS_WRITE) continue;
        for (uint32_t k = 0; k < a->pass->slots; k++) {
            ilk_entity e = model_handle(m, k);
            bool may_come = model_match(m, q, e, a->pass->since) != MODEL_DIFFERS;
            if (may_come) model_doubt(m, e, q->terms[i].type);
        }
    }
}

static void do_for_each(void* user, ilk_entity e, void* const* values) {
    errand* a = user;
    run* r = a->run;
    if (r->outcome->failed) return;
    note_opened(a);
    RUN_CHECK(r, a->pass->is_open, "%s: ilk_each goes on after its end", a->side->name);
    if (r->outcome->failed || !run_pass_see(r, a->side, a->pass, e)) return;
    a->pass->run_count = 1;
    use_values(a, e, values);
    bool is_busy = a->op->flags % 4 == 1 && a->steps < STEPS_MAX;
    if (!is_busy || r->is_inside || r->outcome->failed) return;
    if (script_random(&a->state) % 4) return;
    a->steps++;
    doubt_rest(a);
    run_inside(r, a->side, side_step(a));
}

// Where it was ended in the middle of a run, the rest was handed out and not called for.
static void follow_rows(run_query* q) {
    uint64_t rows = ilk_query_stats_of(q->query).rows;
    if (rows > q->rows) q->rows = rows;
}

// Without memory it does not begin.
static void judge_end(errand* a, ilk_result result) {
    run* r = a->run;
    run_side* s = a->side;
    run_pass* p = a->pass;
    if (!a->is_opened && run_excused(r, s, result)) {
        run_query* q = &s->looking.queries[p->query];
        q->passes = ilk_query_stats_of(q->query).passes;
        return;
    }
    note_opened(a);
    run_expect(r, s, result, p->is_open ? MODEL_FINE : 1u << p->end);
    if (p->is_open && !r->outcome->failed) run_pass_finish(r, s, p);
    if (p->end != ILK_OK && p->query != RUN_QUERIES) follow_rows(&s->looking.queries[p->query]);
}

void run_pass_each(run* r, run_side* s, const script_op* op) {
    uint32_t query = run_pick_query(s, op->pick);
    if (query == RUN_QUERIES) return;
    run_pass* p = run_pass_start(r, s, query, op->seed);
    errand a = {r, s, p, op, op->seed, false, 0};
    p->is_pinned = true;
    run_pass_survey(s, p);
    run_begin(r, s, (run_call){.name = "ilk_each", .count = query});
    ilk_result result = ilk_each(s->world, s->looking.queries[query].query, do_for_each, &a);
    if (!r->outcome->failed) judge_end(&a, result);
    if (!r->outcome->failed) run_pass_forget(p);
}
