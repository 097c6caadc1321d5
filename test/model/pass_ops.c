// Passes, step by step and whole: what comes is judged, the columns are compared and written to.
#include "run.h"

#include <stdlib.h>

#define PARTS_MAX 7u
#define LISTED 40u

static const model_query* query_of(const run_side* s, const run_pass* p) {
    return &s->looking.queries[p->query].model;
}

static run_call about_type(const char* name, uint32_t type) {
    return (run_call){.name = name, .about_type = true, .type = type};
}

// Walking an order may need memory; nothing else does.
static void forbid_unless_ordered(run_side* s, const run_pass* p) {
    bool is_ordered = p->query != RUN_QUERIES && model_query_is_ordered(query_of(s, p));
    if (!is_ordered) run_forbid(s);
}

// Columns

static ilk_entity entity_of_run(const run_pass* p, uint32_t i) {
    return p->seen[p->seen_count - p->run_count + i];
}

static unsigned char* value_of_run(const run_pass* p, const void* column, size_t size, uint32_t i) {
    return (unsigned char*)(uintptr_t)column + size * (p->is_by_rows ? p->it.rows[i] : i);
}

// A column is where the values are, of those that still have them.
static void check_column(run* r, run_side* s, const run_pass* p, uint32_t type,
                         const void* column) {
    size_t size = catalog_models()[type].size;
    ilk_type* variable = catalog_variable(type, false);
    RUN_CHECK(r, column, "%s: there is no column of %s", s->name, run_type_name(type));
    tokens_begin();
    for (uint32_t i = 0; i < p->run_count && size && !r->outcome->failed; i++) {
        ilk_entity e = entity_of_run(p, i);
        model_component* c = model_find(s->model, e, type);
        if (!c) continue;
        const void* value = value_of_run(p, column, size, i);
        RUN_CHECK(r, ilk_get(s->world, e, variable, NULL) == value,
                  "%s: the %s of {%u, %u} is not in the column", s->name, run_type_name(type),
                  e.index, e.generation);
        if (!r->outcome->failed) run_compare_value(r, s, e, c, value);
    }
}

// Write to some values of a column. All that are there count as changed.
static void write_column(run* r, run_side* s, run_pass* p, uint32_t type, uint32_t seed) {
    size_t size = catalog_models()[type].size;
    run_begin(r, s, about_type("ilk_column_write", type));
    run_forbid(s);
    void* column = ilk_column_write(&p->it, run_variable(r, s, type, seed));
    run_permit(s);
    check_column(r, s, p, type, column);
    for (uint32_t i = 0; i < p->run_count && !r->outcome->failed; i++) {
        ilk_entity e = entity_of_run(p, i);
        if (!model_find(s->model, e, type)) continue;
        model_mark(s->model, e, type);
        if (size && (seed + i) % 3)
            catalog_rewrite(type, seed + i, value_of_run(p, column, size, i),
                            model_find(s->model, e, type)->bytes);
    }
}

static void read_column(run* r, run_side* s, const run_pass* p, uint32_t type, uint32_t seed) {
    run_begin(r, s, about_type("ilk_column_read", type));
    run_forbid(s);
    const void* column = ilk_column_read(&p->it, run_variable(r, s, type, seed));
    run_permit(s);
    check_column(r, s, p, type, column);
}

// All rows of a run have it, or none has.
static void read_column_maybe(run* r, run_side* s, const run_pass* p, uint32_t type,
                              uint32_t seed) {
    run_begin(r, s, about_type("ilk_column_maybe", type));
    run_forbid(s);
    const void* column = ilk_column_maybe(&p->it, run_variable(r, s, type, seed));
    run_permit(s);
    const model_query* q = &s->looking.queries[p->query].model;
    for (uint32_t i = 0; i < p->run_count; i++) {
        ilk_entity e = entity_of_run(p, i);
        RUN_CHECK(r, model_sees(s->model, q, e, type) == (column != NULL),
                  "%s: the run with {%u, %u} has %s %s", s->name, e.index, e.generation,
                  column ? "a" : "no", run_type_name(type));
    }
    if (column) check_column(r, s, p, type, column);
}

// A way in which a query does not declare a type, or none.
static ilk_access undeclared_access(const model_query* q, uint32_t type, uint32_t seed) {
    bool is_written = model_query_asks(q, ILK_ACCESS_WRITE, type);
    bool is_read = is_written || model_query_asks(q, ILK_ACCESS_READ, type);
    if (seed % 3 == 0 && !is_written) return ILK_ACCESS_WRITE;
    if (seed % 3 == 1 && !is_read) return ILK_ACCESS_READ;
    bool is_declared = is_read || model_query_asks(q, ILK_ACCESS_MAYBE, type);
    return is_declared ? ILK_ACCESS_NONE : ILK_ACCESS_MAYBE;
}

static void misread_column(run* r, run_side* s, run_pass* p, uint32_t type, uint32_t seed) {
    ilk_access access = undeclared_access(query_of(s, p), type, seed);
    ilk_type* variable = run_variable(r, s, type, seed >> 8);
    if (access == ILK_ACCESS_NONE) return;
    run_begin(r, s,
              about_type(access == ILK_ACCESS_WRITE  ? "ilk_column_write"
                         : access == ILK_ACCESS_READ ? "ilk_column_read"
                                                     : "ilk_column_maybe",
                         type));
    const void* column = access == ILK_ACCESS_WRITE  ? ilk_column_write(&p->it, variable)
                         : access == ILK_ACCESS_READ ? ilk_column_read(&p->it, variable)
                                                     : ilk_column_maybe(&p->it, variable);
    run_expect(r, s, run_yielded(s, column != NULL), MODEL_FAULT(INVALID));
}

// Whether an operation writes to the columns that it may write to.
static bool is_writing(const script_op* op) {
    return op->flags & 16;
}

static void check_columns(run* r, run_side* s, run_pass* p, const script_op* op) {
    const model_query* q = query_of(s, p);
    for (uint32_t i = 0; i < q->count && !r->outcome->failed; i++) {
        uint32_t type = q->terms[i].type, seed = op->seed + i;
        if (q->terms[i].access == ILK_ACCESS_MAYBE) read_column_maybe(r, s, p, type, seed);
        if (q->terms[i].access == ILK_ACCESS_READ || q->terms[i].access == ILK_ACCESS_WRITE)
            read_column(r, s, p, type, seed);
        if (q->terms[i].access == ILK_ACCESS_WRITE && is_writing(op))
            write_column(r, s, p, type, seed);
    }
    if (op->mode >= 200 && !r->outcome->failed)
        misread_column(r, s, p, catalog_choose(op->type), op->seed);
}

// Steps

static void begin_pass(run* r, run_side* s, run_pass* p) {
    run_begin(r, s, (run_call){.name = "ilk_query_iter", .count = p->query});
    forbid_unless_ordered(s, p);
    p->it = ilk_query_iter(s->world, s->looking.queries[p->query].query);
    run_permit(s);
    if (p->it.result == ILK_NO_MEMORY && r->plan.refused != p->refused) {
        run_hush(s);
        p->end = ILK_NO_MEMORY;
        p->is_over = true;
        s->looking.queries[p->query].passes++;
        return;
    }
    RUN_CHECK(r, p->it.result == ILK_OK, "%s: a pass begins with %s", s->name,
              ilk_result_name(p->it.result));
    run_pass_opened(s, p);
}

static void judge_run(run* r, run_side* s, run_pass* p, const script_op* op) {
    const ilk_iter* it = &p->it;
    RUN_CHECK(r, it->count > 0 && (!p->is_by_rows || it->count <= ILK_ROWS), "%s: a run of %u",
              s->name, it->count);
    p->run_count = 0;
    for (uint32_t i = 0; i < it->count && !r->outcome->failed; i++) {
        ilk_entity e = it->entities[p->is_by_rows ? it->rows[i] : i];
        if (run_pass_see(r, s, p, e)) p->run_count++;
    }
    if (!r->outcome->failed) check_columns(r, s, p, op);
}

static void check_over(run* r, run_side* s, run_pass* p) {
    bool is_right = p->is_doubtful || p->it.result == p->end;
    RUN_CHECK(r, is_right, "%s: a pass ends with %s, not %s", s->name,
              ilk_result_name(p->it.result), ilk_result_name(p->end));
    RUN_CHECK(r, !ilk_next(&p->it) && !ilk_next_rows(&p->it), "%s: a pass goes on after its end",
              s->name);
    RUN_CHECK(r, !ilk_column_read(&p->it, catalog_variable(0, false)),
              "%s: there is a column after the end", s->name);
    RUN_CHECK(r, s->messages == s->expected, "%s: after the end a message came: %s", s->name,
              s->told_text);
}

// That a pass was ended from outside is told by the first call that notices, and by no other.
static void judge_end(run* r, run_side* s, run_pass* p) {
    bool is_news = !p->is_over && !p->is_open;
    model_faults two = MODEL_FAULT(STALE) | MODEL_FAULT(FULL);
    if (is_news) run_expect(r, s, p->it.result, p->is_doubtful ? two : 1u << p->end);
    if (p->is_open) run_pass_finish(r, s, p);
    p->is_over = true;
    if (!r->outcome->failed) check_over(r, s, p);
}

bool run_pass_step(run* r, run_side* s, run_pass* p, bool is_by_rows, const script_op* op) {
    p->is_by_rows = is_by_rows;
    run_begin(r, s,
              (run_call){.name = is_by_rows ? "ilk_next_rows" : "ilk_next", .count = p->serial});
    forbid_unless_ordered(s, p);
    bool more = is_by_rows ? ilk_next_rows(&p->it) : ilk_next(&p->it);
    run_permit(s);
    if (more && !p->is_open)
        run_fail(r, "%s: a pass that was ended gives %u rows", s->name, p->it.count);
    else if (more)
        judge_run(r, s, p, op);
    else
        judge_end(r, s, p);
    return more && !r->outcome->failed;
}

// Passes that stay open from one operation to the next

// Sometimes so many that the first ones are ended.
void run_iter_begin(run* r, run_side* s, const script_op* op) {
    uint32_t times = op->count % 32 ? 1 : 2 + op->seed % 14;
    for (uint32_t i = 0; i < times && !r->outcome->failed; i++) {
        uint32_t query = run_pick_query(s, op->pick + i);
        if (query == RUN_QUERIES) return;
        run_pass* p = run_pass_start(r, s, query, op->seed);
        run_pass_survey(s, p);
        begin_pass(r, s, p);
        bool is_tried = op->seed >> 16 & 1 && !r->outcome->failed;
        if (is_tried) run_pass_step(r, s, p, op->flags & 1, op);
    }
}

void run_iter_next(run* r, run_side* s, const script_op* op) {
    run_pass* p = run_pick_pass(s, op->pick);
    uint32_t most = op->count % 16 ? 1u + op->count % 2 : UINT32_MAX;
    if (!p) return;
    for (uint32_t i = 0; i < most && !r->outcome->failed; i++) {
        if (run_pass_step(r, s, p, op->flags >> i % 4 & 1, op)) continue;
        if (op->seed % 4) run_pass_forget(p);
        return;
    }
}

// The end comes with settling, or with the query, before the pass is told.
static void read_after_end(run* r, run_side* s, run_pass* p, const script_op* op) {
    const model_query* q = p->query == RUN_QUERIES ? NULL : query_of(s, p);
    uint32_t type = q && q->count ? q->terms[op->seed % q->count].type : catalog_choose(op->type);
    ilk_type* variable = run_variable(r, s, type, op->flags);
    run_begin(r, s, about_type("columns after the end", type));
    bool any = ilk_column_read(&p->it, variable) || ilk_column_maybe(&p->it, variable) ||
               ilk_column_write(&p->it, variable);
    RUN_CHECK(r, !any, "%s: there is a column after the end", s->name);
    run_hush(s);
}

// A column of a run that was handed out a while ago.
void run_iter_column(run* r, run_side* s, const script_op* op) {
    run_pass* p = run_pick_pass(s, op->pick);
    if (!p || !p->run_count) return;
    if (!p->is_open) {
        read_after_end(r, s, p, op);
        return;
    }
    const model_query* q = query_of(s, p);
    for (uint32_t i = 0; i < q->count && !r->outcome->failed; i++) {
        bool is_written = q->terms[i].access == ILK_ACCESS_WRITE;
        if ((!is_written && q->terms[i].access != ILK_ACCESS_READ) || op->seed >> i % 8 & 1)
            continue;
        if (is_written && is_writing(op))
            write_column(r, s, p, q->terms[i].type, op->seed + i);
        else
            read_column(r, s, p, q->terms[i].type, op->seed + i);
    }
    if (op->mode >= 180) misread_column(r, s, p, catalog_choose(op->type), op->seed);
}

// Some are left as they are. One that was ended already stays so, and may tell why, or not.
void run_iter_end(run* r, run_side* s, const script_op* op) {
    run_pass* p = run_pick_pass(s, op->pick);
    if (!p) return;
    bool is_left = op->flags & 2;
    if (is_left) {
        run_pass_forget(p);
        return;
    }
    run_begin(r, s, (run_call){.name = "ilk_iter_end", .count = p->serial});
    run_forbid(s);
    ilk_iter_end(&p->it);
    run_permit(s);
    p->is_doubtful |= !p->is_open;
    p->is_over = true;
    p->run_count = 0;
    if (p->is_open) run_pass_closed(s, p);
    if (op->flags & 1) check_over(r, s, p);
    if (op->seed % 4) run_pass_forget(p);
}

// Whole passes

static void compare_with(run* r, const run_side* s, const run_pass* p, const ilk_entity* found,
                         uint32_t count) {
    RUN_CHECK(r, p->seen_count == count, "%s: a pass gave %u, but %u were collected", s->name,
              p->seen_count, count);
    for (uint32_t i = 0; i < count && !r->outcome->failed; i++)
        RUN_CHECK(r, ilk_same(p->seen[i], found[i]), "%s: a pass gave {%u, %u}, not {%u, %u}",
                  s->name, p->seen[i].index, p->seen[i].generation, found[i].index,
                  found[i].generation);
}

// Whether writing inside of a pass can make more match than before.
static bool may_grow(const model_query* q, const script_op* op) {
    return model_query_is_lately(q) && is_writing(op);
}

// A pass without changes but its own gives what was collected before, in the same order.
static void pass_once(run* r, run_side* s, uint32_t query, const script_op* op, uint32_t forms) {
    uint32_t count = 0, at = 0;
    const ilk_entity* found = run_collect(r, s, query, &count);
    if (r->outcome->failed) return;
    run_pass* p = run_pass_start(r, s, query, op->seed);
    begin_pass(r, s, p);
    while (!r->outcome->failed && run_pass_step(r, s, p, forms >> at % 3 & 1, op)) at++;
    bool is_whole = found && p->end == ILK_OK && !may_grow(query_of(s, p), op);
    if (is_whole && !r->outcome->failed) compare_with(r, s, p, found, count);
    if (!r->outcome->failed) run_pass_forget(p);
}

// Lists

static bool is_among(const ilk_entity* found, uint32_t count, ilk_entity e) {
    for (uint32_t i = 0; i < count; i++)
        if (ilk_same(found[i], e)) return true;
    return false;
}

// Some that were found, whoever has an index, and nobody, in any order and as often as it comes.
static uint32_t make_list(const run_side* s, const ilk_entity* found, uint32_t count, uint32_t seed,
                          ilk_entity* list) {
    for (uint32_t i = 0; i < LISTED; i++) {
        seed = seed * 1664525 + 1013904223;
        uint32_t slots = s->model->slot_count;
        bool is_found = count && seed >> 31;
        list[i] = is_found ? found[(seed >> 8) % count]
                           : ilk_entity_at(s->world, slots ? (seed >> 8) % slots : 0);
        if (seed % 16 == 0) list[i].generation++;
    }
    return LISTED;
}

static void check_listed(run* r, const run_side* s, const ilk_iter* it, const model_query* q,
                         ilk_entity e, uint32_t row) {
    for (uint32_t i = 0; i < q->count && !r->outcome->failed; i++) {
        if (q->terms[i].access != ILK_ACCESS_READ) continue;
        ilk_type* type = catalog_variable(q->terms[i].type, false);
        const unsigned char* column = ilk_column_read(it, type);
        RUN_CHECK(r,
                  column && (!type->size ||
                             column + row * type->size == ilk_get(s->world, e, type, NULL)),
                  "%s: in a list, {%u, %u} has its values elsewhere", s->name, e.index,
                  e.generation);
    }
}

// A walk through a list gives those of it that were collected before, in its order.
static void walk_list(run* r, run_side* s, uint32_t query, const script_op* op) {
    uint32_t found_count = 0, at = 0;
    const ilk_entity* found = run_collect(r, s, query, &found_count);
    if (!found || r->outcome->failed || found_count > LISTED * 4) return;
    ilk_entity list[LISTED];
    uint32_t count = make_list(s, found, found_count, op->seed, list);
    run_begin(r, s, (run_call){.name = "ilk_query_among", .count = query});
    run_forbid(s);
    ilk_iter it = ilk_query_among(s->world, s->looking.queries[query].query, list, count);
    while (op->count & 1 ? ilk_next_rows(&it) : ilk_next(&it)) {
        for (uint32_t i = 0; i < it.count && !r->outcome->failed; i++) {
            uint32_t row = op->count & 1 ? it.rows[i] : i;
            ilk_entity e = it.entities[row];
            while (at < count && !is_among(found, found_count, list[at])) at++;
            bool is_next = at < count && ilk_same(list[at++], e);
            RUN_CHECK(r, is_next, "%s: a list gives {%u, %u}", s->name, e.index, e.generation);
            check_listed(r, s, &it, &s->looking.queries[query].model, e, row);
        }
    }
    run_permit(s);
    RUN_CHECK(r, it.result == ILK_OK, "%s: a list ends with %s", s->name,
              ilk_result_name(it.result));
    while (at < count && !is_among(found, found_count, list[at])) at++;
    RUN_CHECK(r, at == count, "%s: a list ends before its end", s->name);
}

// Two in a row: by rows side by side, by lists of rows, or by both in turn. And through a list.
void run_pass_whole(run* r, run_side* s, const script_op* op) {
    static const uint8_t forms[8] = {0, 7, 2, 5, 0, 7, 6, 1};
    uint32_t query = run_pick_query(s, op->pick);
    if (query == RUN_QUERIES) return;
    pass_once(r, s, query, op, forms[op->flags % 8]);
    if (op->flags & 8 && !r->outcome->failed) pass_once(r, s, query, op, forms[op->count % 8]);
    if (op->flags & 16 && !r->outcome->failed) walk_list(r, s, query, op);
}

// Parts

static bool is_whole_order(const run_pass* p, const ilk_entity* parts[], const uint32_t counts[],
                           uint32_t count, const ilk_entity* found) {
    for (uint32_t i = 0; i < count; i++) {
        if (counts[i] && memcmp(parts[i], found, counts[i] * sizeof *found) != 0) return false;
        found += counts[i];
    }
    return p->seen_count > 0;
}

// Walk the parts in turn, a run of each; what each gives is kept in order.
static void walk_parts(run* r, run_side* s, run_pass* p, ilk_iter* parts, uint32_t count,
                       const script_op* op, ilk_entity* given[], uint32_t counts[]) {
    uint32_t left = count;
    bool is_over[PARTS_MAX] = {0};
    for (uint32_t i = op->seed % count; left && !r->outcome->failed; i = (i + 1) % count) {
        if (is_over[i]) continue;
        p->is_by_rows = op->seed >> i & 1;
        run_forbid(s);
        bool more = p->is_by_rows ? ilk_next_rows(&parts[i]) : ilk_next(&parts[i]);
        run_permit(s);
        if (!more) {
            RUN_CHECK(r, parts[i].result == ILK_OK, "%s: a part ends badly", s->name);
            is_over[i] = true;
            left--;
            continue;
        }
        p->it = parts[i];
        if (parts[i].entities == parts[i].found) p->it.entities = p->it.found;
        judge_run(r, s, p, op);
        for (uint32_t k = 0; k < p->run_count && !r->outcome->failed; k++)
            given[i][counts[i]++] = entity_of_run(p, k);
    }
}

static void split_pass(run* r, run_side* s, run_pass* p, const script_op* op, uint32_t count,
                       const ilk_entity* found, uint32_t found_count) {
    ilk_iter whole = p->it, parts[PARTS_MAX];
    ilk_entity* given[PARTS_MAX];
    uint32_t counts[PARTS_MAX] = {0};
    run_begin(r, s, (run_call){.name = "ilk_iter_split", .count = count});
    ilk_result result = ilk_iter_split(&whole, parts, count);
    run_expect(r, s, result, MODEL_FINE);
    for (uint32_t i = 0; i < count; i++) {
        given[i] = malloc((p->slots + 1) * sizeof **given);
        if (!given[i]) abort();
    }
    p->is_cut = true;
    if (!r->outcome->failed) walk_parts(r, s, p, parts, count, op, given, counts);
    bool is_same = !found || may_grow(query_of(s, p), op) || !found_count ||
                   is_whole_order(p, (const ilk_entity**)given, counts, count, found);
    RUN_CHECK(r, is_same, "%s: the parts are not the whole in order", s->name);
    for (uint32_t i = 0; i < count; i++) free(given[i]);
    run_forbid(s);
    ilk_iter_end(&whole);
    run_permit(s);
    p->it = whole;
    if (!r->outcome->failed) run_pass_finish(r, s, p);
}

void run_pass_split(run* r, run_side* s, const script_op* op) {
    uint32_t query = run_pick_query(s, op->pick), found_count = 0;
    if (query == RUN_QUERIES) return;
    const ilk_entity* found = run_collect(r, s, query, &found_count);
    if (r->outcome->failed) return;
    run_pass* p = run_pass_start(r, s, query, op->seed);
    begin_pass(r, s, p);
    bool is_ordered = model_query_is_ordered(query_of(s, p));
    bool is_late = op->flags & 8 && !is_ordered && run_pass_step(r, s, p, op->flags & 1, op);
    if (p->end != ILK_OK || r->outcome->failed || (!is_ordered && !p->is_open)) return;
    if (is_ordered || is_late) {
        ilk_iter parts[2];
        run_begin(r, s, (run_call){.name = "ilk_iter_split"});
        run_expect(r, s, ilk_iter_split(&p->it, parts, 2), MODEL_FAULT(INVALID));
        return;
    }
    split_pass(r, s, p, op, 1 + op->count % PARTS_MAX, found, found_count);
    if (!r->outcome->failed) run_pass_forget(p);
}
