// Questions to queries, their texts, their statistics, and the ticks that they go by.
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

static run_query* query_at(run_side* s, uint32_t query) {
    return &s->looking.queries[query];
}

static void begin(run* r, run_side* s, const char* name, uint32_t query) {
    run_begin(r, s, (run_call){.name = name, .count = query});
}

// Queries with an order may need memory to find it.
static void forbid_unless_ordered(run_side* s, uint32_t query) {
    if (!model_query_is_ordered(&query_at(s, query)->model)) run_forbid(s);
}

static bool was_refused(const run* r) {
    return r->plan.refused != r->refused_before;
}

// What matches

typedef struct tally {
    uint32_t least, most;
} tally;

static tally count_matches(run_side* s, uint32_t query) {
    const model_query* q = &query_at(s, query)->model;
    tally t = {0, 0};
    for (uint32_t i = 0; i < s->model->slot_count; i++) {
        model_verdict verdict = model_match(s->model, q, model_handle(s->model, i), q->since);
        t.least += verdict == MODEL_MATCHES;
        t.most += verdict != MODEL_DIFFERS;
    }
    return t;
}

static void judge_found(run* r, run_side* s, uint32_t query, uint32_t count) {
    const model_world* m = s->model;
    const model_query* q = &query_at(s, query)->model;
    bool* is_found = calloc(m->slot_count + 1, sizeof *is_found);
    if (!is_found) abort();
    for (uint32_t i = 0; i < count; i++) {
        ilk_entity e = r->found[i];
        bool is_match = model_match(m, q, e, q->since) != MODEL_DIFFERS;
        bool is_twice = is_match && is_found[e.index];
        RUN_CHECK(r, is_match && !is_twice, "%s: query %u found {%u, %u}%s", s->name, query,
                  e.index, e.generation, is_twice ? " twice" : "");
        if (is_match) is_found[e.index] = true;
    }
    for (uint32_t i = 0; i < m->slot_count; i++) {
        bool must = model_match(m, q, model_handle(m, i), q->since) == MODEL_MATCHES;
        RUN_CHECK(r, !must || is_found[i], "%s: query %u did not find {%u, %u}", s->name, query, i,
                  model_handle(m, i).generation);
    }
    free(is_found);
}

static void make_room(run* r, uint32_t count) {
    if (r->found_capacity >= count) return;
    free(r->found);
    r->found_capacity = 2 * count;
    r->found = malloc(r->found_capacity * sizeof *r->found);
    if (!r->found) abort();
}

const ilk_entity* run_collect(run* r, run_side* s, uint32_t query, uint32_t* count) {
    uint32_t most = s->model->alive;
    make_room(r, most + 1);
    begin(r, s, "ilk_query_collect", query);
    forbid_unless_ordered(s, query);
    *count = ilk_query_collect(s->world, query_at(s, query)->query, r->found, most + 1);
    run_permit(s);
    if (was_refused(r)) {
        run_hush(s);
        return NULL;
    }
    RUN_CHECK(r, *count <= most, "%s: a query found %u of %u", s->name, *count, most);
    if (r->outcome->failed) return NULL;
    judge_found(r, s, query, *count);
    return r->found;
}

// Questions

static void ask_count(run* r, run_side* s, uint32_t query) {
    tally t = count_matches(s, query);
    begin(r, s, "ilk_query_count", query);
    run_forbid(s);
    uint32_t count = ilk_query_count(s->world, query_at(s, query)->query);
    bool is_empty = ilk_query_is_empty(s->world, query_at(s, query)->query);
    run_permit(s);
    RUN_CHECK(r, t.least <= count && count <= t.most, "%s: %u match, not %u to %u", s->name, count,
              t.least, t.most);
    RUN_CHECK(r, is_empty == (count == 0), "%s: a query is%s empty", s->name,
              is_empty ? "" : " not");
}

static void ask_first(run* r, run_side* s, uint32_t query) {
    uint32_t count = 0;
    const ilk_entity* found = run_collect(r, s, query, &count);
    begin(r, s, "ilk_query_first", query);
    ilk_entity e = ilk_query_first(s->world, query_at(s, query)->query);
    if (was_refused(r) || !found) {
        run_hush(s);
        return;
    }
    bool is_right = count ? ilk_same(e, found[0]) : ilk_is_null(e);
    RUN_CHECK(r, is_right, "%s: the first to match is {%u, %u}", s->name, e.index, e.generation);
}

static void ask_matches(run* r, run_side* s, uint32_t query, const script_op* op) {
    const model_query* q = &query_at(s, query)->model;
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    run_begin(r, s, (run_call){.name = "ilk_query_matches", .about_entity = true, .entity = e});
    run_forbid(s);
    bool matches = ilk_query_matches(s->world, query_at(s, query)->query, e);
    run_permit(s);
    model_verdict verdict = model_match(s->model, q, e, q->since);
    bool is_right = verdict == MODEL_MAY_MATCH || matches == (verdict == MODEL_MATCHES);
    RUN_CHECK(r, is_right, "%s: {%u, %u} matches: %d", s->name, e.index, e.generation, matches);
}

// The first few of those that there are, and no more.
static void ask_some(run* r, run_side* s, uint32_t query, const script_op* op) {
    ilk_entity some[9];
    uint32_t count = 0, capacity = op->seed % 8;
    const ilk_entity* found = run_collect(r, s, query, &count);
    memset(some, 0xdd, sizeof some);
    begin(r, s, "ilk_query_collect", query);
    uint32_t again =
        ilk_query_collect(s->world, query_at(s, query)->query, capacity ? some : NULL, capacity);
    if (was_refused(r) || !found) {
        run_hush(s);
        return;
    }
    uint32_t given = count < capacity ? count : capacity;
    RUN_CHECK(r, again == count, "%s: %u match, not %u", s->name, again, count);
    bool is_right = given == 0 || memcmp(some, found, given * sizeof *some) == 0;
    RUN_CHECK(r, is_right, "%s: the first to match differ", s->name);
    RUN_CHECK(r, some[given].index == 0xdddddddd, "%s: too many were collected", s->name);
}

// A query of another world, or none, finds nothing.
static void ask_strangers(run* r, run_side* s, uint32_t query, const script_op* op) {
    ilk_query* q = op->seed & 1 ? query_at(s, query)->query : NULL;
    run_side* other = q ? &r->sides[s == &r->sides[0]] : s;
    begin(r, s, "questions to another world", query);
    ilk_entity e = run_pick(r, other, 0, op->pick);
    bool any = ilk_query_count(other->world, q) || !ilk_query_is_empty(other->world, q) ||
               !ilk_is_null(ilk_query_first(other->world, q)) ||
               ilk_query_matches(other->world, q, e) || ilk_query_collect(other->world, q, &e, 1) ||
               ilk_query_count(NULL, q);
    RUN_CHECK(r, !any, "%s: a query of another world finds something", s->name);
    ilk_iter it = ilk_query_iter(other->world, q);
    bool is_right = it.result == ILK_INVALID && !ilk_next(&it) && it.result == ILK_INVALID;
    RUN_CHECK(r, is_right, "%s: a query of another world is walked: %s", s->name,
              ilk_result_name(it.result));
    RUN_CHECK(r, !ilk_next_rows(&it), "%s: a query of another world is walked", s->name);
    ilk_iter_end(&it);
    run_hush(s);
    run_hush(other);
}

void run_query_ask(run* r, run_side* s, const script_op* op) {
    uint32_t query = run_pick_query(s, op->count);
    if (query == RUN_QUERIES) return;
    switch (op->flags % 8) {
    case 0:
    case 1:
        ask_count(r, s, query);
        break;
    case 2:
        ask_first(r, s, query);
        break;
    case 3:
        ask_some(r, s, query, op);
        break;
    case 4:
        ask_strangers(r, s, query, op);
        break;
    default:
        ask_matches(r, s, query, op);
    }
}

// Texts

typedef size_t text_fn(run_side* s, uint32_t query, ilk_entity e, char* text, size_t size);

static size_t explain(run_side* s, uint32_t query, ilk_entity e, char* text, size_t size) {
    return ilk_query_explain(s->world, query_at(s, query)->query, e, text, size);
}

static size_t describe(run_side* s, uint32_t query, ilk_entity e, char* text, size_t size) {
    (void)e;
    return ilk_query_text(query_at(s, query)->query, text, size);
}

// The whole text, after it was asked for with too little room.
static void take_text(run* r, run_side* s, uint32_t query, ilk_entity e, text_fn* fn, char* text,
                      size_t size, size_t little) {
    char part[64];
    memset(part, '?', sizeof part);
    run_forbid(s);
    size_t length = fn(s, query, e, little ? part : NULL, little);
    size_t whole = fn(s, query, e, text, size);
    run_permit(s);
    RUN_CHECK(r, whole > 0 && whole < size && strlen(text) == whole, "%s: a text of %zu", s->name,
              whole);
    RUN_CHECK(r, length == whole, "%s: a text of %zu, and of %zu", s->name, length, whole);
    if (r->outcome->failed) return;
    size_t kept = little == 0 ? 0 : length < little ? length : little - 1;
    RUN_CHECK(r, memcmp(part, text, kept) == 0, "%s: a text differs", s->name);
    if (little) RUN_CHECK(r, part[kept] == 0, "%s: a text does not end", s->name);
    RUN_CHECK(r, part[little ? kept + 1 : 0] == '?', "%s: a text is too long", s->name);
}

// Whether an entity has the component as an explanation sees it: of one that is passed over, that
// is all that is said of its being inactive.
static bool is_told(const run_side* s, const model_query* q, ilk_entity e, uint32_t type) {
    const model_world* m = s->model;
    bool needs_mortal = q->order_by != MODEL_NO_TYPE && !m->types[q->order_by].outlives;
    for (uint32_t i = 0; i < q->count; i++)
        needs_mortal |=
            q->terms[i].access <= ILK_ACCESS_WITH && !m->types[q->terms[i].type].outlives;
    bool is_skipped = needs_mortal || q->relates_count || model_query_is_wide(m, q);
    return is_skipped ? model_is_on(m, e, type) : model_sees(m, q, e, type);
}

// A term that fails is named. Of those of which one is enough, none need be.
static void check_names(run* r, const run_side* s, const model_query* q, ilk_entity e,
                        const char* text) {
    for (uint32_t i = 0; i < q->count; i++) {
        ilk_access access = q->terms[i].access;
        bool is_on = is_told(s, q, e, q->terms[i].type);
        bool fails = access <= ILK_ACCESS_WITH      ? !is_on
                     : access == ILK_ACCESS_WITHOUT ? is_on
                                                    : false;
        const char* name = run_type_name(q->terms[i].type);
        RUN_CHECK(r, !fails || strstr(text, name), "%s: it does not say %s: %s", s->name, name,
                  text);
    }
}

// Of each relation that does not lead to what is asked for, both are named.
static void check_relations(run* r, const run_side* s, const model_query* q, ilk_entity e,
                            const char* text) {
    for (uint32_t i = 0; i < q->relates_count; i++) {
        const model_asked* asked = &q->relates[i];
        if (model_asked_holds(s->model, q, asked, e)) continue;
        const char* how = asked->up ? "it is not below" : "it does not relate to";
        bool is_said =
            strstr(text, how) && strstr(text, run_type_name(asked->relation)) &&
            (asked->having == MODEL_NO_TYPE || strstr(text, run_type_name(asked->having)));
        RUN_CHECK(r, is_said, "%s: it does not say %s by %s: %s", s->name, how,
                  run_type_name(asked->relation), text);
    }
}

static bool condition_holds(const run_side* s, const model_query* q, const model_condition* c,
                            ilk_entity e) {
    if (c->word == MODEL_IS) return is_told(s, q, e, c->type);
    if (c->word == MODEL_NOT) return !condition_holds(s, q, c->left, e);
    bool left = condition_holds(s, q, c->left, e), right = condition_holds(s, q, c->right, e);
    return c->word == MODEL_BOTH ? left && right : left || right;
}

// Of a condition that does not give what is wanted, each type that decides it is named, with what
// is the matter with it.
static void check_reasons(run* r, const run_side* s, const model_query* q, const model_condition* c,
                          bool is_wanted, ilk_entity e, const char* text) {
    if (condition_holds(s, q, c, e) == is_wanted) return;
    if (c->word == MODEL_IS) {
        char fact[400];
        const model_component* there = model_find(s->model, e, c->type);
        snprintf(fact, sizeof fact, "%s is %s", run_type_name(c->type),
                 !there                      ? "missing"
                 : there->off                ? "switched off"
                 : is_told(s, q, e, c->type) ? "there"
                                             : "inactive");
        RUN_CHECK(r, strstr(text, fact), "%s: it does not say that %s: %s", s->name, fact, text);
        return;
    }
    bool is_not = c->word == MODEL_NOT;
    check_reasons(r, s, q, c->left, is_wanted != is_not, e, text);
    if (!is_not) check_reasons(r, s, q, c->right, is_wanted, e, text);
}

static void tell_why(run* r, run_side* s, uint32_t query, const script_op* op) {
    char text[40000];
    const model_query* q = &query_at(s, query)->model;
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    run_begin(r, s, (run_call){.name = "ilk_query_explain", .about_entity = true, .entity = e});
    take_text(r, s, query, e, explain, text, sizeof text, op->seed % 60);
    bool matches = ilk_query_matches(s->world, query_at(s, query)->query, e);
    RUN_CHECK(r, (strstr(text, "does not match") == NULL) == matches, "%s: matches %d, but: %s",
              s->name, matches, text);
    if (r->outcome->failed || !model_alive(s->model, e)) return;
    check_names(r, s, q, e, text);
    check_relations(r, s, q, e, text);
    if (q->where) check_reasons(r, s, q, q->where, true, e, text);
    bool is_passed_over = model_is_inactive(s->model, e) && model_query_is_wide(s->model, q) &&
                          !model_query_asks_inactive(s->model, q);
    RUN_CHECK(r, !is_passed_over || strstr(text, "it is inactive"), "%s: it is inactive, but: %s",
              s->name, text);
}

void run_query_tell(run* r, run_side* s, const script_op* op) {
    char text[8000];
    uint32_t query = run_pick_query(s, op->count);
    if (query == RUN_QUERIES) return;
    if (op->flags & 1) {
        tell_why(r, s, query, op);
        return;
    }
    begin(r, s, "ilk_query_text", query);
    take_text(r, s, query, (ilk_entity){0}, describe, text, sizeof text, op->seed % 60);
    const model_query* q = &query_at(s, query)->model;
    for (uint32_t i = 0; i < q->count && !r->outcome->failed; i++)
        RUN_CHECK(r, strstr(text, run_type_name(q->terms[i].type)), "%s: a query does not say %s",
                  s->name, run_type_name(q->terms[i].type));
    for (uint32_t i = 0; i < q->relates_count && !r->outcome->failed; i++)
        RUN_CHECK(r, strstr(text, q->relates[i].up ? "below " : "related to "),
                  "%s: a query does not say to whom", s->name);
    if (q->order_by_depth != MODEL_NO_TYPE)
        RUN_CHECK(r, strstr(text, "in order of depth by "), "%s: a query has no depth", s->name);
}

// Ticks

static void take_tick(run* r, run_side* s) {
    run_passes* l = &s->looking;
    run_begin(r, s, (run_call){.name = "ilk_tick"});
    uint64_t tick = ilk_tick(s->world);
    bool is_later = l->tick_time == s->model->now ? tick >= l->tick : tick > l->tick;
    RUN_CHECK(r, is_later, "%s: tick %llu after tick %llu", s->name, (unsigned long long)tick,
              (unsigned long long)l->tick);
    l->tick = tick;
    l->tick_time = s->model->now;
}

void run_query_since(run* r, run_side* s, const script_op* op) {
    if (op->flags & 1) take_tick(r, s);
    uint32_t query = run_pick_query(s, op->count);
    if (query == RUN_QUERIES || !(op->flags & 6)) return;
    bool is_all = op->seed % 4 == 0;
    begin(r, s, is_all ? "ilk_query_since 0" : "ilk_query_since", query);
    ilk_query_since(query_at(s, query)->query, is_all ? 0 : s->looking.tick);
    query_at(s, query)->model.since = is_all ? 0 : s->looking.tick_time;
}

// Statistics

static bool is_required(const model_query* q, const ilk_type* type) {
    if (q->order_by != MODEL_NO_TYPE && strcmp(type->name, run_type_name(q->order_by)) == 0)
        return true;
    for (uint32_t i = 0; i < q->relates_count; i++)
        if (strcmp(type->name, run_type_name(q->relates[i].relation)) == 0) return true;
    for (uint32_t i = 0; i < q->count; i++)
        if (q->terms[i].access <= ILK_ACCESS_WITH &&
            strcmp(type->name, run_type_name(q->terms[i].type)) == 0)
            return true;
    return false;
}

void run_query_stats(run* r, run_side* s, const script_op* op) {
    uint32_t query = run_pick_query(s, op->count);
    if (query == RUN_QUERIES) return;
    begin(r, s, "ilk_query_stats_of", query);
    const run_query* q = query_at(s, query);
    ilk_query_stats stats = ilk_query_stats_of(q->query);
    RUN_CHECK(r, stats.passes == q->passes, "%s: %llu passes, not %llu", s->name,
              (unsigned long long)stats.passes, (unsigned long long)q->passes);
    RUN_CHECK(r, stats.rows == q->rows, "%s: %llu rows, not %llu", s->name,
              (unsigned long long)stats.rows, (unsigned long long)q->rows);
    RUN_CHECK(r, stats.skipped + stats.whole <= stats.chunks, "%s: more than all chunks", s->name);
    RUN_CHECK(r, stats.sorts == 0 || model_query_is_ordered(&q->model), "%s: sorted for nothing",
              s->name);
    RUN_CHECK(r, !stats.rarest || is_required(&q->model, stats.rarest),
              "%s: the rarest type is none of the query", s->name);
    run_note(r, stats.chunks << 32 | stats.words);
}
