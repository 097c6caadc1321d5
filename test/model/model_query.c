// Queries of the naive model: every term is asked about every entity.
#include "model_rel.h"

#include <stdlib.h>

bool model_is_on(const model_world* m, ilk_entity e, uint32_t type) {
    const model_component* c = model_find(m, e, type);
    if (m->veil == MODEL_VEIL_NONE) return c && !c->off;
    bool is_own = type == m->inactive || type == m->dying;
    if (m->veil == MODEL_VEIL_DEATH && type == m->dying) return model_alive(m, e); // not nobody
    if (m->veil == MODEL_VEIL_TYPE && type == m->veiled) return false;
    if (m->veil == MODEL_VEIL_ALL && !is_own) return false;
    if (m->veil == MODEL_VEIL_DEATH && !m->types[type].outlives) return false;
    return c && !c->off;
}

void model_doubt(model_world* m, ilk_entity e, uint32_t type) {
    model_find(m, e, type)->doubted = ++m->now;
}

// What a query is

static bool has_column(ilk_access access) {
    return access == ILK_ACCESS_WRITE || access == ILK_ACCESS_READ || access == ILK_ACCESS_MAYBE;
}

// A type has one column: the second wish for one is wrong.
static model_faults column_faults(const model_query* q, uint32_t term) {
    if (!has_column(q->terms[term].access)) return MODEL_FINE;
    for (uint32_t i = 0; i < term; i++)
        if (has_column(q->terms[i].access) && q->terms[i].type == q->terms[term].type)
            return MODEL_FAULT(INVALID);
    return MODEL_FINE;
}

// Relations, names and ids are not written to.
static model_faults write_faults(const model_world* m, const model_query* q, uint32_t term) {
    uint32_t type = q->terms[term].type;
    bool is_guarded = m->types[type].relation || model_is_indexed(m, type);
    bool is_wrong = q->terms[term].access == ILK_ACCESS_WRITE && is_guarded;
    return is_wrong ? MODEL_FAULT(INVALID) : MODEL_FINE;
}

// Whether nothing can match, because a type must be there and must not.
static bool is_torn(const model_query* q, ilk_access access) {
    bool any = false, all = true;
    for (uint32_t i = 0; i < q->count; i++) {
        if (q->terms[i].access != access) continue;
        bool is_unwanted = model_query_asks(q, ILK_ACCESS_WITHOUT, q->terms[i].type);
        any |= is_unwanted;
        all &= is_unwanted;
    }
    return access <= ILK_ACCESS_WITH ? any : any && all;
}

static model_faults torn_faults(const model_query* q) {
    static const ilk_access needs[] = {ILK_ACCESS_WRITE, ILK_ACCESS_READ,    ILK_ACCESS_WITH,
                                       ILK_ACCESS_ANY,   ILK_ACCESS_CHANGED, ILK_ACCESS_ADDED};
    bool is_wrong = model_query_asks(q, ILK_ACCESS_WITHOUT, q->order_by);
    for (uint32_t i = 0; i < q->relates_count; i++)
        is_wrong |= model_query_asks(q, ILK_ACCESS_WITHOUT, q->relates[i].relation);
    for (uint32_t i = 0; i < sizeof needs / sizeof *needs; i++) is_wrong |= is_torn(q, needs[i]);
    return is_wrong ? MODEL_FAULT(INVALID) : MODEL_FINE;
}

// A type that the world does not take is none that it has: one may ask for it.
static model_faults asked_faults(const model_world* m, uint32_t type) {
    return model_type_faults(m, type) & ~MODEL_FAULT(FOREIGN);
}

static bool is_tree(const model_world* m, uint32_t type) {
    return type != MODEL_NO_TYPE && m->types[type].fault == ILK_OK && m->types[type].is_tree;
}

static model_faults relates_faults(const model_world* m, const model_asked* asked) {
    if (asked->relation == MODEL_NO_TYPE) return MODEL_FAULT(INVALID);
    model_faults faults = asked_faults(m, asked->relation);
    bool asks_nothing = ilk_is_null(asked->target) && asked->having == MODEL_NO_TYPE;
    bool is_none = m->types[asked->relation].fault == ILK_OK && !m->types[asked->relation].relation;
    if (asks_nothing || is_none || (asked->up && !is_tree(m, asked->relation)))
        faults |= MODEL_FAULT(INVALID);
    return asked->having == MODEL_NO_TYPE ? faults : faults | asked_faults(m, asked->having);
}

// A query has one order at most.
static model_faults order_faults(const model_world* m, const model_query* q) {
    bool is_by_depth = q->order_by_depth != MODEL_NO_TYPE;
    int orders = (q->order_by != MODEL_NO_TYPE) + q->order_by_index + is_by_depth;
    model_faults faults = orders > 1 ? MODEL_FAULT(INVALID) : MODEL_FINE;
    if (!is_by_depth) return faults;
    if (!is_tree(m, q->order_by_depth)) faults |= MODEL_FAULT(INVALID);
    return faults | asked_faults(m, q->order_by_depth);
}

model_faults model_query_faults(const model_world* m, const model_query* q) {
    model_faults faults = torn_faults(q) | order_faults(m, q);
    for (uint32_t i = 0; i < q->relates_count; i++) faults |= relates_faults(m, &q->relates[i]);
    for (uint32_t i = 0; i < q->count; i++)
        faults |= asked_faults(m, q->terms[i].type) | column_faults(q, i) | write_faults(m, q, i);
    if (q->order_by == MODEL_NO_TYPE) return faults;
    if (!q->compare) faults |= MODEL_FAULT(INVALID);
    return faults | asked_faults(m, q->order_by);
}

bool model_query_is_ordered(const model_query* q) {
    return q->order_by != MODEL_NO_TYPE || q->order_by_index || q->order_by_depth != MODEL_NO_TYPE;
}

bool model_query_looks_at(const model_query* q, uint32_t type) {
    if (type == MODEL_NO_TYPE) return false;
    for (uint32_t i = 0; i < q->relates_count; i++)
        if (q->relates[i].relation == type || q->relates[i].having == type) return true;
    return q->order_by_depth == type;
}

static bool asks_at_all(const model_query* q, ilk_access access) {
    for (uint32_t i = 0; i < q->count; i++)
        if (q->terms[i].access == access) return true;
    return false;
}

bool model_query_is_lately(const model_query* q) {
    return asks_at_all(q, ILK_ACCESS_CHANGED) || asks_at_all(q, ILK_ACCESS_ADDED);
}

bool model_query_asks(const model_query* q, ilk_access access, uint32_t type) {
    for (uint32_t i = 0; i < q->count; i++)
        if (q->terms[i].access == access && q->terms[i].type == type) return true;
    return false;
}

// Who rests

static bool mentions(const model_condition* c, uint32_t type) {
    if (!c) return false;
    if (c->word == MODEL_IS) return c->type == type;
    return mentions(c->left, type) || mentions(c->right, type);
}

bool model_query_asks_inactive(const model_world* m, const model_query* q) {
    bool asks = q->inactive || q->order_by == m->inactive || mentions(q->where, m->inactive);
    for (uint32_t i = 0; i < q->count; i++) asks |= q->terms[i].type == m->inactive;
    for (uint32_t i = 0; i < q->relates_count; i++) asks |= q->relates[i].having == m->inactive;
    return asks;
}

bool model_sees(const model_world* m, const model_query* q, ilk_entity e, uint32_t type) {
    if (!model_is_on(m, e, type)) return false;
    if (m->types[type].outlives || !model_is_inactive(m, e)) return true;
    return model_query_asks_inactive(m, q);
}

// Matching

static bool holds(const model_world* m, const model_query* q, const model_condition* c,
                  ilk_entity e) {
    switch (c->word) {
    case MODEL_IS:
        return model_sees(m, q, e, c->type);
    case MODEL_NOT:
        return !holds(m, q, c->left, e);
    case MODEL_BOTH:
        return holds(m, q, c->left, e) && holds(m, q, c->right, e);
    default:
        return holds(m, q, c->left, e) || holds(m, q, c->right, e);
    }
}

bool model_query_is_wide(const model_world* m, const model_query* q) {
    const ilk_entity nobody = {0, 0};
    if (q->order_by != MODEL_NO_TYPE || q->relates_count) return false;
    for (uint32_t i = 0; i < q->count; i++) {
        ilk_access access = q->terms[i].access;
        if (access != ILK_ACCESS_WITHOUT && access != ILK_ACCESS_MAYBE) return false;
    }
    return !q->where || holds(m, q, q->where, nobody);
}

// A query that needs nothing passes over those who rest.
static bool passes_over(const model_world* m, const model_query* q, ilk_entity e) {
    bool rests = model_is_inactive(m, e) || model_is_dying(m, e);
    return rests && model_query_is_wide(m, q) && !model_query_asks_inactive(m, q);
}

static model_verdict lately(const model_world* m, const model_query* q, model_term term,
                            ilk_entity e, uint64_t since) {
    const model_component* c = model_find(m, e, term.type);
    if (!model_sees(m, q, e, term.type)) return MODEL_DIFFERS;
    bool is_added = term.access == ILK_ACCESS_ADDED;
    if ((is_added ? c->added : c->changed) > since) return MODEL_MATCHES;
    bool is_doubtful = !m->types[term.type].track || (!is_added && c->doubted > since);
    return is_doubtful ? MODEL_MAY_MATCH : MODEL_DIFFERS;
}

static model_verdict match_term(const model_world* m, const model_query* q, model_term term,
                                ilk_entity e, uint64_t since) {
    switch (term.access) {
    case ILK_ACCESS_CHANGED:
    case ILK_ACCESS_ADDED:
        return lately(m, q, term, e, since);
    case ILK_ACCESS_MAYBE:
        return MODEL_MATCHES;
    case ILK_ACCESS_WITHOUT:
        return model_sees(m, q, e, term.type) ? MODEL_DIFFERS : MODEL_MATCHES;
    default:
        return model_sees(m, q, e, term.type) ? MODEL_MATCHES : MODEL_DIFFERS;
    }
}

static bool one_is_enough(ilk_access access) {
    return access == ILK_ACCESS_ANY || access == ILK_ACCESS_CHANGED || access == ILK_ACCESS_ADDED;
}

// The best of all terms of a kind of which one is enough.
static model_verdict match_one(const model_world* m, const model_query* q, ilk_access access,
                               ilk_entity e, uint64_t since) {
    model_verdict best = asks_at_all(q, access) ? MODEL_DIFFERS : MODEL_MATCHES;
    for (uint32_t i = 0; i < q->count; i++) {
        if (q->terms[i].access != access) continue;
        model_verdict verdict = match_term(m, q, q->terms[i], e, since);
        if (verdict > best) best = verdict;
    }
    return best;
}

static bool match_all(const model_world* m, const model_query* q, ilk_entity e) {
    for (uint32_t i = 0; i < q->count; i++) {
        if (one_is_enough(q->terms[i].access)) continue;
        if (match_term(m, q, q->terms[i], e, 0) == MODEL_DIFFERS) return false;
    }
    return true;
}

// Relations

// Whether a target, or somebody above, is one that is asked for.
static bool is_meant(const model_world* m, const model_query* q, const model_asked* asked,
                     ilk_entity target) {
    if (!ilk_is_null(asked->target) && !ilk_same(asked->target, target)) return false;
    if (asked->having == MODEL_NO_TYPE) return true;
    const model_component* c = model_find(m, target, asked->having);
    if (!c || c->off) return false;
    bool rests = model_is_inactive(m, target) && !m->types[asked->having].outlives;
    return !rests || model_query_asks_inactive(m, q);
}

bool model_asked_holds(const model_world* m, const model_query* q, const model_asked* asked,
                       ilk_entity e) {
    for (uint32_t i = 0; i < m->edge_count; i++) {
        const model_edge* edge = &m->edges[i];
        if (edge->type != asked->relation || !ilk_same(edge->source, e)) continue;
        if (is_meant(m, q, asked, edge->target)) return true;
        if (asked->up) return model_asked_holds(m, q, asked, edge->target);
    }
    return false;
}

static bool match_relations(const model_world* m, const model_query* q, ilk_entity e) {
    for (uint32_t i = 0; i < q->relates_count; i++) {
        const model_asked* asked = &q->relates[i];
        if (!model_sees(m, q, e, asked->relation)) return false;
        if (!model_asked_holds(m, q, asked, e)) return false;
    }
    return true;
}

model_verdict model_match(const model_world* m, const model_query* q, ilk_entity e,
                          uint64_t since) {
    if (!model_alive(m, e) || !match_all(m, q, e)) return MODEL_DIFFERS;
    if (!match_relations(m, q, e)) return MODEL_DIFFERS;
    if (q->where && !holds(m, q, q->where, e)) return MODEL_DIFFERS;
    if (q->order_by != MODEL_NO_TYPE && !model_sees(m, q, e, q->order_by)) return MODEL_DIFFERS;
    if (passes_over(m, q, e)) return MODEL_DIFFERS;
    model_verdict worst = match_one(m, q, ILK_ACCESS_ANY, e, since);
    if (worst == MODEL_DIFFERS) return worst;
    model_verdict changed = match_one(m, q, ILK_ACCESS_CHANGED, e, since);
    model_verdict added = match_one(m, q, ILK_ACCESS_ADDED, e, since);
    if (changed < worst) worst = changed;
    return added < worst ? added : worst;
}

// Order

static struct {
    const model_world* world;
    const model_query* query;
} sorting; // what is being sorted, for want of a context

static int by_value(const void* left, const void* right) {
    ilk_entity a = *(const ilk_entity*)left, b = *(const ilk_entity*)right;
    uint32_t type = sorting.query->order_by;
    int order = 0;
    if (type != MODEL_NO_TYPE)
        order = sorting.query->compare(model_find(sorting.world, a, type)->bytes,
                                       model_find(sorting.world, b, type)->bytes);
    return order ? order : (a.index > b.index) - (a.index < b.index);
}

void model_sort(const model_world* m, const model_query* q, ilk_entity* list, uint32_t count) {
    sorting.world = m;
    sorting.query = q;
    if (count) qsort(list, count, sizeof *list, by_value);
}
