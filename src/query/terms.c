// Making queries: the lists of a description become terms.
#include <stdio.h>
#include <string.h>

#include "../component/registry.h"
#include "query.h"

// Calls `visit` with each term of a description, in order: those with columns first.
typedef ilk_result visit_fn(void* context, ilk_type* type, ilk_access access);

static ilk_result visit_list(ilk_type* const* list, ilk_access access, visit_fn* visit,
                             void* context) {
    ilk_result result = ILK_OK;
    for (uint32_t i = 0; i < ILK_LIST && result == ILK_OK; i++) {
        if (list[i]) result = visit(context, list[i], access);
    }
    return result;
}

static bool has_column(ilk_access access) {
    return access == ILK_ACCESS_WRITE || access == ILK_ACCESS_READ || access == ILK_ACCESS_MAYBE;
}

static ilk_result visit_terms(const ilk_term* terms, bool are_columns, visit_fn* visit,
                              void* context) {
    ilk_result result = ILK_OK;
    for (const ilk_term* term = terms; term && term->access && result == ILK_OK; term++) {
        if (!term->type || has_column(term->access) != are_columns) continue;
        result = visit(context, term->type, term->access);
    }
    return result;
}

// The relations that a query looks at must be there.
static ilk_result visit_relations(const ilk_relates* relates, visit_fn* visit, void* context) {
    ilk_result result = ILK_OK;
    for (uint32_t i = 0; i < ILK_RELATES && result == ILK_OK; i++) {
        if (relates[i].relation) result = visit(context, relates[i].relation, ILK_ACCESS_WITH);
    }
    return result;
}

static ilk_result visit_all(const ilk_query_desc* desc, visit_fn* visit, void* context) {
    const struct {
        ilk_type* const* list;
        ilk_access access;
    } lists[] = {
        {desc->write, ILK_ACCESS_WRITE}, {desc->read, ILK_ACCESS_READ},
        {desc->maybe, ILK_ACCESS_MAYBE}, {NULL, ILK_ACCESS_NONE},
        {desc->with, ILK_ACCESS_WITH},   {desc->without, ILK_ACCESS_WITHOUT},
        {desc->any, ILK_ACCESS_ANY},     {desc->changed, ILK_ACCESS_CHANGED},
        {desc->added, ILK_ACCESS_ADDED},
    };
    ilk_result result = ILK_OK;
    for (uint32_t i = 0; i < sizeof lists / sizeof *lists && result == ILK_OK; i++) {
        result = lists[i].list ? visit_list(lists[i].list, lists[i].access, visit, context)
                               : visit_terms(desc->terms, true, visit, context);
    }
    if (result == ILK_OK) result = visit_terms(desc->terms, false, visit, context);
    if (result == ILK_OK) result = visit_relations(desc->relates, visit, context);
    if (result != ILK_OK || !desc->order_by) return result;
    return visit(context, desc->order_by, ILK_ACCESS_WITH);
}

static ilk_result count_term(void* context, ilk_type* type, ilk_access access) {
    (void)type, (void)access;
    ++*(uint32_t*)context;
    return ILK_OK;
}

// Whether something is asked of a target, be it by a relation or, in error, by none.
static bool asks_of_target(const ilk_relates* asked) {
    return !ilk_is_null(asked->target) || asked->having || asked->up;
}

bool ilki_query_asks_nothing(const ilk_query_desc* desc) {
    uint32_t terms = 0;
    visit_all(desc, count_term, &terms);
    for (uint32_t i = 0; i < ILK_RELATES; i++) terms += asks_of_target(&desc->relates[i]);
    bool has_order = desc->compare || desc->order_by_index || desc->order_by_depth;
    return !terms && !desc->where && !has_order && !desc->inactive;
}

ilk_type* ilki_further_type(const ilk_query* query, uint32_t at) {
    if (at == 0) return query->order_by;
    if (at == 1) return query->order_by_depth;
    const ilki_relates* asked = &query->relates[at / 2 - 1];
    return at % 2 ? asked->having : asked->relation;
}

static bool is_asked_twice(const ilk_query* query, const ilk_type* type) {
    for (uint32_t i = 0; i < query->column_count; i++) {
        if (query->terms[i].type == type) return true;
    }
    return false;
}

static bool is_required(const ilk_query* query, const ilk_type* type) {
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (query->terms[i].type == type && query->terms[i].access <= ILK_ACCESS_WITH) return true;
    }
    return false;
}

// A query that is being made, and what to say if it cannot be.
typedef struct making {
    ilk_query* query;
    ilki_fault* fault;
} making;

static ilk_result add_term(void* context, ilk_type* type, ilk_access access) {
    const making* m = context;
    ilk_query* query = m->query;
    ilk_type* known = NULL;
    m->fault->type = type;
    ilk_result result = ilki_type_resolve(type, true, &known, &m->fault->why);
    m->fault->known = known;
    if (result != ILK_OK) return result;
    if (access > ILK_ACCESS_ADDED) {
        m->fault->why = "a term asks for something that there is not";
        return ILK_INVALID;
    }
    if (access == ILK_ACCESS_WRITE && known->relation) {
        m->fault->why = "it is a relation, which changes by ilk_relate alone";
        return ILK_INVALID;
    }
    if (access == ILK_ACCESS_WRITE && ilki_type_is_indexed(known)) {
        m->fault->why = "its values are ilk's own: they are read, and not written";
        return ILK_INVALID;
    }
    if (access == ILK_ACCESS_WITH && is_required(query, known)) return ILK_OK;
    if (has_column(access)) {
        if (is_asked_twice(query, known)) {
            m->fault->why = "it is asked for in two ways";
            return ILK_INVALID;
        }
        query->column_count++;
    }
    query->required += access <= ILK_ACCESS_WITH;
    query->any += access == ILK_ACCESS_ANY;
    query->maybe += access == ILK_ACCESS_MAYBE;
    query->changed += access == ILK_ACCESS_CHANGED;
    query->added += access == ILK_ACCESS_ADDED;
    query->terms[query->term_count++] = (ilki_term){known, known->id, access, known->size};
    return ILK_OK;
}

static bool ready_for_terms(ilk_query* query, uint32_t count) {
    query->terms = query->own;
    query->term_capacity = count;
    if (count <= ILKI_TERMS) return true;
    query->terms = ilki_alloc(&query->storage->memory, ILKI_OTHER, count * sizeof(ilki_term),
                              _Alignof(ilki_term));
    return query->terms != NULL;
}

// The process-wide descriptor of a type that a query looks at, but has no term of.
static ilk_result resolve_further(ilk_type* type, ilk_type** known, ilki_fault* fault) {
    fault->type = type;
    fault->known = NULL;
    ilk_result result = ilki_type_resolve(type, true, known, &fault->why);
    fault->known = *known;
    return result;
}

static ilk_result blame(ilki_fault* fault, const char* why) {
    fault->why = why;
    return ILK_INVALID;
}

// What is asked of those that an entity relates to.
static ilk_result add_relates(ilk_query* query, const ilk_relates* asked, ilki_fault* fault) {
    ilki_relates* made = &query->relates[query->relates_count];
    *made = (ilki_relates){.target = asked->target, .up = asked->up};
    ilk_result result = resolve_further(asked->relation, &made->relation, fault);
    if (result != ILK_OK) return result;
    if (!made->relation->relation) return blame(fault, "it is no relation");
    if (made->up && !made->relation->relation->is_tree) {
        return blame(fault, "it is no tree, in which something is above");
    }
    if (ilk_is_null(made->target) && !asked->having) {
        return blame(fault, "a query names neither a target nor what a target has");
    }
    query->relates_count++;
    return asked->having ? resolve_further(asked->having, &made->having, fault) : ILK_OK;
}

static ilk_result set_relates(ilk_query* query, const ilk_query_desc* desc, ilki_fault* fault) {
    ilk_result result = ILK_OK;
    for (uint32_t i = 0; i < ILK_RELATES && result == ILK_OK; i++) {
        const ilk_relates* asked = &desc->relates[i];
        fault->type = NULL;
        if (asked->relation)
            result = add_relates(query, asked, fault);
        else if (asks_of_target(asked))
            result = blame(fault, "it asks for a target, and .relates names no relation");
    }
    return result;
}

static ilk_result set_depth(ilk_query* query, ilk_type* type, ilki_fault* fault) {
    ilk_result result = resolve_further(type, &query->order_by_depth, fault);
    if (result != ILK_OK) return result;
    const ilk_relation* relation = query->order_by_depth->relation;
    bool is_tree = relation && relation->is_tree;
    return is_tree ? ILK_OK : blame(fault, "it is no tree, in which there is a depth");
}

static ilk_result set_order(ilk_query* query, const ilk_query_desc* desc, ilki_fault* fault) {
    fault->type = NULL;
    bool by_value = desc->order_by, by_depth = desc->order_by_depth;
    int orders = by_value + by_depth + desc->order_by_index;
    if (orders > 1) return blame(fault, "it is to be ordered in two ways");
    if (!desc->order_by != !desc->compare) return blame(fault, "order_by and compare go together");
    if (desc->order_by) {
        ilki_type_resolve(desc->order_by, false, &query->order_by, &fault->why); // it is known
    }
    query->compare = desc->compare;
    query->is_ordered = orders > 0;
    return desc->order_by_depth ? set_depth(query, desc->order_by_depth, fault) : ILK_OK;
}

static bool is_barred(const ilk_query* query, const ilk_type* type) {
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ilki_term* term = &query->terms[i];
        if (term->type == type && term->access == ILK_ACCESS_WITHOUT) return true;
    }
    return false;
}

// A term because of which nothing can match, for its type must not be there; where one of a kind is
// enough, the first, if it is so for all of them. NULL if there is none.
static const ilki_term* hopeless_term(const ilk_query* query) {
    const ilki_term* barred[ILK_ACCESS_ADDED + 1] = {NULL}; // the first of each kind
    bool has_hope[ILK_ACCESS_ADDED + 1] = {false};
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ilki_term* term = &query->terms[i];
        bool is_free = !is_barred(query, term->type);
        if (!is_free && term->access <= ILK_ACCESS_WITH) return term;
        if (!is_free && !barred[term->access]) barred[term->access] = term;
        has_hope[term->access] |= is_free;
    }
    static const ilk_access choices[] = {ILK_ACCESS_ANY, ILK_ACCESS_CHANGED, ILK_ACCESS_ADDED};
    for (uint32_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (barred[choices[i]] && !has_hope[choices[i]]) return barred[choices[i]];
    }
    return NULL;
}

// The list of a description that a term which must be there stands for.
static const char* list_that_asks(const ilk_query* query, const ilki_term* term) {
    static const char* const lists[] = {"",    "write", "read",    "with", "without",
                                        "any", "maybe", "changed", "added"};
    if (term->access != ILK_ACCESS_WITH) return lists[term->access];
    if (term->type == query->order_by) return "order_by";
    for (uint32_t i = 0; i < query->relates_count; i++) {
        if (query->relates[i].relation == term->type) return "relates";
    }
    return lists[term->access];
}

// Whether a query asks for what it bars; then nothing could ever match it.
static ilk_result check_hope(const ilk_query* query, ilki_fault* fault) {
    const ilki_term* term = hopeless_term(query);
    if (!term) return ILK_OK;
    uint32_t alike = 0;
    for (uint32_t i = 0; i < query->term_count; i++)
        alike += query->terms[i].access == term->access;
    bool is_choice = term->access > ILK_ACCESS_WITH;
    snprintf(fault->text, sizeof fault->text,
             is_choice && alike > 1 ? "it and all others under .%s are under .without too: nothing "
                                      "can match"
                                    : "it is under .%s and under .without: nothing can match",
             list_that_asks(query, term));
    fault->type = fault->known = term->type;
    fault->why = fault->text;
    return ILK_INVALID;
}

static ilk_result set_where(ilk_query* query, const char* where, ilki_fault* fault) {
    fault->type = NULL;
    fault->why = fault->text;
    return ilki_expression_parse(&query->where, &query->storage->memory, where, fault->text,
                                 sizeof fault->text);
}

// Says something of a type.
typedef bool is_kind_fn(const ilk_type* type);

static bool is_inactive_tag(const ilk_type* type) {
    return ilki_own_type(type->name) == &ilk_inactive_type;
}

static bool does_not_outlive(const ilk_type* type) {
    return !type->outlives;
}

// Whether a query mentions a type of a kind, in a term or in its condition.
static bool mentions(const ilk_query* query, is_kind_fn* is_kind) {
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (is_kind(query->terms[i].type)) return true;
    }
    for (uint32_t i = 0; i < query->where.count; i++) {
        const ilk_type* type = query->where.steps[i].type;
        if (type && is_kind(type)) return true;
    }
    return false;
}

// Whether a query asks for targets, or others above, that are inactive.
static bool relates_to_inactive(const ilk_query* query) {
    for (uint32_t i = 0; i < query->relates_count; i++) {
        const ilk_type* having = query->relates[i].having;
        if (having && is_inactive_tag(having)) return true;
    }
    return false;
}

// Whether a query requires something that no inactive entity counts as having.
static bool requires_mortal(const ilk_query* query) {
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ilki_term* term = &query->terms[i];
        if (term->access <= ILK_ACCESS_WITH && !term->type->outlives) return true;
    }
    return false;
}

// A query that asks for nothing that must be there skips who is inactive; any other takes them for
// having no more than what outlives them.
static ilki_rest rest_of(const ilk_query* query) {
    if (query->is_asking) return ILKI_REST_SEEN;
    if (query->is_wide || requires_mortal(query)) return ILKI_REST_SKIPPED;
    return mentions(query, does_not_outlive) ? ILKI_REST_MASKED : ILKI_REST_SEEN;
}

ilk_result ilki_query_init(ilk_query* query, ilki_storage* storage, const ilk_query_desc* desc,
                           ilki_fault* fault) {
    uint32_t serial = query->serial + 1, count = 0;
    *query = (ilk_query){.storage = storage, .serial = serial};
    *fault = (ilki_fault){0};
    visit_all(desc, count_term, &count);
    making m = {query, fault};
    ilk_result result = ready_for_terms(query, count) ? ILK_OK : ILK_NO_MEMORY;
    if (result == ILK_OK) result = visit_all(desc, add_term, &m);
    if (result == ILK_OK) result = set_relates(query, desc, fault);
    if (result == ILK_OK) result = set_order(query, desc, fault);
    if (result == ILK_OK) result = check_hope(query, fault);
    if (result == ILK_OK) result = set_where(query, desc->where, fault);
    if (result != ILK_OK) {
        ilki_query_fini(query);
        return result;
    }
    bool must_have = query->required || query->any || query->changed || query->added;
    query->is_simple =
        query->required == query->term_count && !query->where.count && !query->relates_count;
    query->is_wide = !must_have && ilki_where_holds(query, ILKI_NOWHERE);
    query->is_asking =
        desc->inactive || mentions(query, is_inactive_tag) || relates_to_inactive(query);
    query->rest = rest_of(query);
    return ILK_OK;
}

void ilki_query_fini(ilk_query* query) {
    ilki_storage* storage = query->storage;
    ilki_look_away_from(storage, query);
    ilki_order_release(storage, query->order);
    ilki_expression_fini(&query->where, &storage->memory);
    if (query->terms != query->own) {
        ilki_free(&storage->memory, ILKI_OTHER, query->terms,
                  query->term_capacity * sizeof(ilki_term), _Alignof(ilki_term));
    }
    query->serial++;
    query->order = NULL;
    query->terms = query->own;
}
