// Making queries of all sorts: short lists and long ones, conditions, orders, and wrong ones.
#include "run.h"

#include <stdio.h>

#define TERMS_MAX 200u

// A query that is about to be made, as the library and as the model have it.
typedef struct wish {
    run* run;
    const run_side* side;
    const script_op* op;
    uint64_t state; // of random numbers
    bool is_wrong;  // something may be wrong on purpose
    ilk_query_desc desc;
    ilk_term terms[TERMS_MAX + 1];
    uint32_t term_count;
    uint32_t lengths[8]; // of the lists of the description
    run_query* query;
    model_faults faults, doubts;
    run_wording wording;
} wish;

static uint32_t dice(wish* w, uint32_t sides) {
    return (uint32_t)(script_random(&w->state) % sides);
}

// Types

static uint32_t type_of_set(const script_op* op, uint32_t pick) {
    for (uint32_t i = 0; i < 14; i++) {
        uint32_t bit = (pick + i) % 14;
        if (op->set >> bit & 1) return catalog_common(bit);
    }
    return catalog_common(pick);
}

// Mostly one that entities of these days have. Some queries are nearly all about one type.
static uint32_t sound_type(void* user, uint64_t random) {
    const wish* w = user;
    uint32_t pick = (uint32_t)(random >> 32), type = catalog_choose(w->op->type);
    if (w->op->flags & 64 && random >> 31 & 1 && type < catalog_sound()) return type;
    if (random % 8 < 5) return type_of_set(w->op, pick);
    if (random % 8 == 5 && type < catalog_sound()) return type;
    return random % 8 == 7 ? catalog_choose((uint8_t)(pick % 240)) : catalog_common(pick);
}

static uint32_t some_type(wish* w) {
    uint64_t random = script_random(&w->state);
    if (w->is_wrong && random >> 60 == 0) return catalog_choose((uint8_t)(240 + random % 16));
    return sound_type(w, random);
}

// Terms

static bool has_column(ilk_access access) {
    return access == ILK_ACCESS_WRITE || access == ILK_ACCESS_READ || access == ILK_ACCESS_MAYBE;
}

// Whether a query that asks so for a type, too, would be refused for it. (One that then asks for
// nothing but what it does not want is refused all the same, and rare.)
static bool is_taken(const wish* w, ilk_access access, uint32_t type) {
    const model_query* q = &w->query->model;
    bool is_column =
        model_query_asks(q, ILK_ACCESS_WRITE, type) || model_query_asks(q, ILK_ACCESS_READ, type);
    bool is_required = is_column || model_query_asks(q, ILK_ACCESS_WITH, type);
    if (access == ILK_ACCESS_WITHOUT) return is_required;
    if (access <= ILK_ACCESS_WITH && model_query_asks(q, ILK_ACCESS_WITHOUT, type)) return true;
    return has_column(access) && (is_column || model_query_asks(q, ILK_ACCESS_MAYBE, type));
}

static void model_term_of(wish* w, ilk_access access, uint32_t type) {
    model_query* q = &w->query->model;
    if (type != MODEL_NO_TYPE) q->terms[q->count++] = (model_term){access, type};
}

// Lists may have gaps.
static void put_in_list(wish* w, ilk_access access, uint32_t type) {
    ilk_type** const lists[8] = {w->desc.write, w->desc.read,  w->desc.with,    w->desc.without,
                                 w->desc.any,   w->desc.maybe, w->desc.changed, w->desc.added};
    uint32_t list = (uint32_t)access - ILK_ACCESS_WRITE, gap = w->op->flags & 4 ? dice(w, 3) : 0;
    uint32_t at = w->lengths[list] + gap;
    if (at >= ILK_LIST) return;
    lists[list][at] = run_variable(w->run, w->side, type, dice(w, 8));
    w->lengths[list] = at + 1;
    model_term_of(w, access, type);
}

static void put_in_terms(wish* w, ilk_access access, uint32_t type) {
    if (w->term_count == TERMS_MAX) return;
    ilk_type* variable = run_variable(w->run, w->side, type, dice(w, 8));
    w->terms[w->term_count++] = (ilk_term){access, variable};
    model_term_of(w, access, type);
}

static void put_term(wish* w, ilk_access access, uint32_t type, bool is_listed) {
    if (is_taken(w, access, type) && !(w->is_wrong && dice(w, 4) == 0)) return;
    if (is_listed)
        put_in_list(w, access, type);
    else
        put_in_terms(w, access, type);
}

static void put_terms(wish* w, bool are_listed) {
    static const uint8_t counts[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 3};
    for (uint32_t i = 0; i < 8; i++) {
        ilk_access access = ILK_ACCESS_WRITE + i;
        bool is_listed = !(w->op->flags & 32 && w->op->seed >> i & 1);
        uint32_t count = is_listed == are_listed ? counts[w->op->pick >> 4 * i & 15] : 0;
        bool is_rare = access >= ILK_ACCESS_CHANGED && w->op->seed >> 8 & 1;
        for (uint32_t k = 0; k < count && !is_rare; k++)
            put_term(w, access, some_type(w), is_listed);
    }
}

// So many that no number of bits will do.
static void put_long_list(wish* w) {
    static const ilk_access accesses[8] = {
        ILK_ACCESS_WITHOUT, ILK_ACCESS_WITHOUT, ILK_ACCESS_WITHOUT, ILK_ACCESS_MAYBE,
        ILK_ACCESS_MAYBE,   ILK_ACCESS_ANY,     ILK_ACCESS_CHANGED, ILK_ACCESS_ADDED};
    uint32_t count = dice(w, TERMS_MAX - 60), sorts = 5 + dice(w, 4);
    put_term(w, ILK_ACCESS_ANY, some_type(w), false);
    for (uint32_t i = 0; i < count; i++)
        put_term(w, accesses[dice(w, sorts)], catalog_choose((uint8_t)(180 + dice(w, 60))), false);
    for (uint32_t i = 0; i < 6; i++)
        put_term(w, accesses[3 + dice(w, sorts - 3)], some_type(w), false);
}

static void put_nonsense(wish* w) {
    put_in_terms(w, ILK_ACCESS_WITH, MODEL_NO_TYPE);
    if (dice(w, 4)) return;
    put_in_terms(w, (ilk_access)(ILK_ACCESS_ADDED + 1 + dice(w, 100)), catalog_common(0));
    w->query->model.count--;
    w->faults |= MODEL_FAULT(INVALID);
}

// Relations

// Mostly to somebody that others relate to; or above whom, or below, somebody has a component.
static model_asked some_relation(wish* w) {
    const model_world* m = w->side->model;
    model_asked asked = {.relation = catalog_relation(dice(w, 6)), .having = MODEL_NO_TYPE};
    uint32_t choice = dice(w, 8), seed = dice(w, 1u << 30);
    if (m->edge_count && choice < 6) asked.relation = m->edges[seed % m->edge_count].type;
    if (choice < 4) {
        asked.target = m->edge_count && choice ? m->edges[seed % m->edge_count].target
                                               : run_pick_target(w->run, w->side, seed);
        if (dice(w, 8) == 0) asked.having = some_type(w);
    } else {
        asked.having = some_type(w);
    }
    if (w->is_wrong && dice(w, 8) == 0) asked.relation = some_type(w);
    bool is_tree = asked.relation < catalog_sound() && catalog_models()[asked.relation].is_tree;
    asked.up = is_tree ? dice(w, 2) : w->is_wrong && dice(w, 8) == 0;
    return asked;
}

static void put_relation(wish* w, uint32_t at) {
    model_query* q = &w->query->model;
    model_asked asked = some_relation(w);
    bool is_barred = model_query_asks(q, ILK_ACCESS_WITHOUT, asked.relation);
    if (is_barred && !w->is_wrong) return;
    ilk_type* having = asked.having == MODEL_NO_TYPE
                           ? NULL
                           : run_variable(w->run, w->side, asked.having, dice(w, 8));
    w->desc.relates[at] = (ilk_relates){run_variable(w->run, w->side, asked.relation, dice(w, 8)),
                                        asked.target, having, asked.up};
    bool asks = !ilk_is_null(asked.target) || asked.having != MODEL_NO_TYPE || asked.up;
    if (asked.relation != MODEL_NO_TYPE || asks) q->relates[q->relates_count++] = asked;
}

// Whether a relation, a name or an id has changed lately, which no mood is about.
static void put_news(wish* w) {
    const model_world* m = w->side->model;
    uint32_t choice = dice(w, 8), seed = dice(w, 1u << 30);
    uint32_t type = choice == 0   ? m->name_type
                    : choice == 1 ? m->id_type
                                  : m->edges[seed % m->edge_count].type;
    put_term(w, dice(w, 3) ? ILK_ACCESS_CHANGED : ILK_ACCESS_ADDED, type, dice(w, 2));
}

static void put_relations(wish* w, bool must_be) {
    static const uint8_t counts[8] = {1, 1, 1, 1, 1, 2, 2, ILK_RELATES};
    uint32_t rarity = w->side->model->edge_count ? 2 : 8;
    uint32_t count = !must_be && dice(w, rarity) ? 0 : counts[dice(w, 8)];
    for (uint32_t i = 0; i < count; i++) put_relation(w, i);
}

// Condition and order

static void put_condition(wish* w) {
    if (w->op->count % 16 < 9) return;
    w->wording = (run_wording){.state = script_random(&w->state), .words = w->query->conditions};
    w->query->model.where = run_word_condition(&w->wording, w->side->model,
                                               w->is_wrong && dice(w, 4) == 0, sound_type, w);
    w->desc.where = w->wording.text;
    w->faults |= w->wording.faults;
    w->doubts |= w->wording.doubts;
}

// Trees are the last two of all relations.
static void put_depth(wish* w) {
    model_query* q = &w->query->model;
    bool is_any = w->is_wrong && dice(w, 8) == 0;
    q->order_by_depth = is_any ? some_type(w) : catalog_relation(4 + dice(w, 2));
    w->desc.order_by_depth = run_variable(w->run, w->side, q->order_by_depth, dice(w, 8));
}

static void put_order(wish* w) {
    model_query* q = &w->query->model;
    uint32_t choice = w->op->count >> 4 & 15;
    q->order_by = MODEL_NO_TYPE;
    q->order_by_depth = MODEL_NO_TYPE;
    if (choice == 15) w->desc.order_by_index = q->order_by_index = true;
    bool is_second = w->is_wrong && dice(w, 16) == 0;
    if (choice == 11 || choice == 10 || is_second) put_depth(w);
    if (choice < 12 || choice == 15) return;
    uint32_t type = some_type(w);
    if (model_query_asks(q, ILK_ACCESS_WITHOUT, type) && !w->is_wrong) return;
    q->order_by = type;
    w->desc.order_by = run_variable(w->run, w->side, q->order_by, dice(w, 8));
    if (q->order_by >= catalog_sound() || (w->is_wrong && dice(w, 8) == 0)) return;
    w->desc.compare = q->compare = catalog_compare(q->order_by, dice(w, 8));
}

static void make_wish(wish* w) {
    w->state = (uint64_t)w->op->seed << 32 | w->op->set;
    w->is_wrong = w->op->mode >= 200;
    *w->query = (run_query){0};
    bool is_of_others = w->side->model->edge_count && dice(w, 4) == 0; // and of little else
    if (!is_of_others) put_terms(w, true);
    if (!is_of_others) put_terms(w, false);
    if (w->op->flags & 8 && dice(w, 4) == 0) put_long_list(w);
    if (w->is_wrong && dice(w, 8) == 0) put_nonsense(w);
    bool is_rare = w->op->seed >> 8 & 1; // systems ask for no news
    if (is_of_others && !is_rare && dice(w, 2)) put_news(w);
    put_order(w);
    put_relations(w, is_of_others && w->query->model.count == 0);
    if (!is_of_others) put_condition(w);
    w->desc.inactive = w->query->model.inactive = dice(w, 6) == 0;
    if (w->term_count || dice(w, 2)) w->desc.terms = w->terms;
    w->faults |= model_query_faults(w->side->model, &w->query->model);
}

static void trace_wish(const wish* w) {
    static const char* const words[] = {"none", "write", "read",    "with", "without",
                                        "any",  "maybe", "changed", "added"};
    const model_query* q = &w->query->model;
    if (!w->run->options.trace) return;
    for (uint32_t i = 0; i < q->count; i++)
        printf("%15s%s %s\n", "", words[q->terms[i].access], run_type_name(q->terms[i].type));
    for (uint32_t i = 0; i < q->relates_count; i++)
        printf("%15s%s {%u, %u} with %s by %s\n", "", q->relates[i].up ? "below" : "related to",
               q->relates[i].target.index, q->relates[i].target.generation,
               run_type_name(q->relates[i].having), run_type_name(q->relates[i].relation));
    if (w->desc.order_by_depth)
        printf("%15sorder by depth of %s\n", "", run_type_name(q->order_by_depth));
    if (w->desc.where) printf("%15swhere \"%s\"\n", "", w->desc.where);
    if (w->desc.order_by) printf("%15sorder by %s\n", "", run_type_name(q->order_by));
    if (w->desc.inactive) printf("%15sinactive ones too\n", "");
    if (w->desc.order_by_index) printf("%15sorder by index\n", "");
}

// Making

static uint32_t free_query(const run_side* s) {
    for (uint32_t i = 0; i < RUN_QUERIES; i++)
        if (!s->looking.queries[i].query) return i;
    return RUN_QUERIES;
}

static ilk_result make_query(void* user, run_side* s, const ilk_query_desc* desc) {
    run_query* q = user;
    q->query = ilk_query_create(s->world, desc);
    return run_yielded(s, q->query != NULL);
}

run_wished run_wish_query(run* r, run_side* s, const script_op* op, run_query* query,
                          run_wish_fn* make, void* user) {
    wish w = {.run = r, .side = s, .op = op, .query = query};
    make_wish(&w);
    trace_wish(&w);
    ilk_result result = make(user, s, &w.desc);
    memset(w.terms, 0xdd, sizeof w.terms);
    memset(w.wording.text, 0xdd, sizeof w.wording.text);
    return (run_wished){result, result == ILK_OK ? w.faults : w.faults | w.doubts};
}

void run_query_make(run* r, run_side* s, const script_op* op) {
    uint32_t place = free_query(s);
    if (place == RUN_QUERIES) {
        run_query_drop(r, s, op);
        return;
    }
    run_query* query = &s->looking.queries[place];
    run_begin(r, s, (run_call){.name = "ilk_query_create", .count = place});
    run_wished wished = run_wish_query(r, s, op, query, make_query, query);
    if (!run_excused(r, s, wished.result)) run_expect(r, s, wished.result, wished.faults);
    query->number = ++s->looking.made;
}

void run_query_drop(run* r, run_side* s, const script_op* op) {
    uint32_t query = run_pick_query(s, op->pick);
    run_begin(r, s, (run_call){.name = "ilk_query_destroy", .count = query});
    run_forbid(s);
    ilk_query_destroy(query == RUN_QUERIES ? NULL : s->looking.queries[query].query);
    run_permit(s);
    if (query == RUN_QUERIES) return;
    run_end_passes(s, query);
    s->looking.queries[query].query = NULL;
}
