// Queries as users have them: making, walking, asking.
#include <string.h>

#include "../component/registry.h"
#include "../entity/handle.h"
#include "world.h"

static ilk_query* query_take(ilk_world* world) {
    ilk_query* query = world->spare_queries;
    if (!query) {
        return ilki_alloc_zero(&world->storage.memory, ILKI_OTHER, sizeof *query,
                               _Alignof(ilk_query));
    }
    world->spare_queries = query->next;
    return query;
}

// Kept for the next query: an iterator may still look whether this one is there.
static void query_give_back(ilk_world* world, ilk_query* query) {
    query->storage = NULL;
    query->next = world->spare_queries;
    world->spare_queries = query;
}

static void fail_to_make(ilk_world* world, ilk_result result, const ilki_fault* fault,
                         const char* call) {
    if (fault->type && result == ILK_INVALID && fault->known) {
        ilki_fail_because(world, result, call, fault->type, "%s: %s", fault->type->name,
                          fault->why);
    } else if (fault->type && result != ILK_NO_MEMORY) {
        ilki_refuse_because(world, result, fault->type, fault->known, fault->why, call);
    } else if (fault->why && result != ILK_NO_MEMORY) {
        ilki_fail_because(world, result, call, NULL, "%s", fault->why);
    } else {
        ilki_fail(world, result, call, ILKI_NULL, fault->type);
    }
}

ilk_query* ilki_query_make(ilk_world* world, const ilk_query_desc* desc, const char* call) {
    ilki_fault fault = {0};
    ilk_query* query = query_take(world);
    ilk_result result =
        query ? ilki_query_init(query, &world->storage, desc, &fault) : ILK_NO_MEMORY;
    if (result != ILK_OK) {
        if (query) query_give_back(world, query);
        fail_to_make(world, result, &fault, call);
        return NULL;
    }
    query->number = ++world->last_query;
    query->next = world->queries;
    if (query->next) query->next->previous = query;
    world->queries = query;
    return query;
}

// Queries are not what a world holds: those of one that shows a snapshot come and go as any.
static ilk_result enter_with_query(ilk_world* world, const char* call) {
    return world && world->shown ? ilki_enter_to_look(world, call) : ilki_enter(world, call);
}

// Has a world that shows a snapshot fetch all that a query reads.
static ilk_result show_types_of(ilk_world* world, const ilk_query* query, const char* call) {
    ilk_result result = ILK_OK;
    for (uint32_t i = 0; i < query->term_count && result == ILK_OK; i++) {
        const ilki_term* term = &query->terms[i];
        bool writes = term->access == ILK_ACCESS_WRITE;
        result = writes ? ilki_fail_locked(world, ILKI_NULL, term->type, call)
                        : ilki_show(world, term->type, call);
    }
    for (uint32_t i = 0; i < query->where.count && result == ILK_OK; i++) {
        result = ilki_show(world, query->where.steps[i].type, call);
    }
    for (uint32_t i = 0; i < ILKI_FURTHER_TYPES && result == ILK_OK; i++) {
        result = ilki_show(world, ilki_further_type(query, i), call);
    }
    return result;
}

ilk_query* ilk_query_create(ilk_world* world, const ilk_query_desc* desc) {
    static const ilk_query_desc all;
    const char* call = "ilk_query_create";
    if (enter_with_query(world, call) != ILK_OK) return NULL;
    ilk_query* query = ilki_query_make(world, desc ? desc : &all, call);
    if (!query || !world->shown || show_types_of(world, query, call) == ILK_OK) return query;
    ilki_query_unmake(world, query);
    return NULL;
}

// Whether a query is one of a world's. (One that was destroyed is none's.)
static bool is_of(const ilk_world* world, const ilk_query* query) {
    return world && query && query->storage == &world->storage;
}

void ilki_query_unmake(ilk_world* world, ilk_query* query) {
    *(query->previous ? &query->previous->next : &world->queries) = query->next;
    if (query->next) query->next->previous = query->previous;
    ilki_query_fini(query);
    query_give_back(world, query);
}

void ilk_query_destroy(ilk_query* query) {
    if (!query) return;
    ilk_world* world = (ilk_world*)(void*)query->storage; // a world begins with its storage
    if (enter_with_query(world, "ilk_query_destroy") != ILK_OK) return;
    if (query->is_owned)
        ilki_fail_because(world, ILK_INVALID, "ilk_query_destroy", NULL,
                          "the query is a system's or an observer's, and goes with that");
    else
        ilki_query_unmake(world, query);
}

static void free_list(ilk_world* world, ilk_query* query) {
    while (query) {
        ilk_query* next = query->next;
        ilki_free(&world->storage.memory, ILKI_OTHER, query, sizeof *query, _Alignof(ilk_query));
        query = next;
    }
}

void ilki_queries_trim(ilk_world* world) {
    // So that no iterator asks after them.
    ilki_look_no_more(&world->storage, "the world was trimmed");
    free_list(world, world->spare_queries);
    world->spare_queries = NULL;
}

void ilki_queries_free(ilk_world* world) {
    ilki_queries_trim(world);
    for (ilk_query* query = world->queries; query; query = query->next) ilki_query_fini(query);
    free_list(world, world->queries);
    world->queries = NULL;
}

static ilk_result refuse_query(ilk_world* world, const char* call) {
    return ilki_fail_because(world, ILK_INVALID, call, NULL,
                             "the query is NULL, destroyed, or of another world");
}

// Whether a walk may begin; otherwise the iterator says why not.
static bool may_begin(ilk_world* world, const ilk_query* query, ilk_iter* it, const char* call) {
    ilk_result result = ilki_enter_to_look(world, call);
    if (result == ILK_OK && !is_of(world, query)) result = refuse_query(world, call);
    if (result == ILK_OK && !ilki_may_walk(world, query, true, call)) result = ILK_INVALID;
    if (result == ILK_OK) return true;
    memset(it, 0, sizeof *it);
    it->result = result;
    return false;
}

ilk_iter ilk_query_iter(ilk_world* world, ilk_query* query) {
    const char* call = "ilk_query_iter";
    ilk_iter it;
    if (!may_begin(world, query, &it, call)) return it;
    ilki_iter_begin(&it, world, query);
    if (it.result != ILK_OK) ilki_fail(world, it.result, call, ILKI_NULL, NULL);
    return it;
}

ilk_iter ilk_query_among(ilk_world* world, ilk_query* query, const ilk_entity* entities,
                         uint32_t count) {
    const char* call = "ilk_query_among";
    ilk_iter it;
    if (!may_begin(world, query, &it, call)) return it;
    if (entities || !count) {
        ilki_iter_among(&it, world, query, entities, count);
        return it;
    }
    memset(&it, 0, sizeof it);
    it.result =
        ilki_fail_because(world, ILK_INVALID, call, NULL, "there is no list of %u entities", count);
    return it;
}

// Tells that a loop was ended from outside, and by what.
static ilk_result fail_to_go_on(const ilk_iter* it, const char* call) {
    const char* why = ilki_why_closed(&it->world->storage.looking, it->slot, it->serial);
    if (it->result == ILK_FULL)
        why = "it was the first of 12, and another was begun";
    else if (it->is_asking)
        why = "the system in which it was begun has run";
    else if (!why)
        why = "the world was settled, cleared or trimmed, or its query destroyed";
    return ilki_fail_because(it->world, it->result, call, NULL, "the loop was ended: %s", why);
}

static bool next_rows(ilk_iter* it, bool are_listed, const char* call) {
    if (!it || ilki_enter_to_look(it->world, call) != ILK_OK) return false;
    bool was_over = it->stage == ILKI_OVER;
    if (ilki_iter_next(it, are_listed)) return true;
    if (!was_over && it->result != ILK_OK) fail_to_go_on(it, call);
    return false;
}

bool ilk_next(ilk_iter* it) {
    return next_rows(it, false, "ilk_next");
}

bool ilk_next_rows(ilk_iter* it) {
    return next_rows(it, true, "ilk_next_rows");
}

void ilk_iter_end(ilk_iter* it) {
    // One that was split has nothing left to give: its parts have it.
    if (it && it->world) ilki_iter_end(it, it->is_split);
}

ilk_result ilk_iter_split(ilk_iter* it, ilk_iter* parts, uint32_t count) {
    if (!it || !it->world) return ILK_INVALID;
    bool is_fresh = ilki_iter_is_fresh(it);
    if (!parts || !count || !is_fresh || it->query->is_ordered) {
        return ilki_fail_because(it->world, ILK_INVALID, "ilk_iter_split", NULL,
                                 !parts || !count ? "there are no parts"
                                 : is_fresh       ? "what is in an order cannot be split"
                                                  : "the walk has begun, or is over");
    }
    ilki_iter_split(it, parts, count);
    return ILK_OK;
}

// The column of a type that the query declares in one of two ways; or NULL, and the failure is
// noted.
static const ilki_term* declared_column(const ilk_iter* it, ilk_type* type, ilk_access one,
                                        ilk_access other, const char* call) {
    if (!it || !it->world || !it->count || !ilki_iter_is_open(it)) return NULL;
    if (type && !ILKI_ID(type)) ilki_type_recall(type);
    const ilki_term* term = ilki_iter_column(it, type);
    if (term && (term->access == one || term->access == other)) return term;
    const char* how = one == ILK_ACCESS_WRITE ? "write" : one == ILK_ACCESS_READ ? "read" : "maybe";
    if (!type)
        ilki_fail_because(it->world, ILK_INVALID, call, NULL, "the type is NULL");
    else
        ilki_fail_because(
            it->world, ILK_INVALID, call, type, "%s%s%s query does not declare %s under .%s",
            it->system ? "system \"" : "the", it->system ? ilki_desk_in(it->world)->running : "",
            it->system ? "\", whose" : "", type->name, how);
    return NULL;
}

// Whether an iterator has a run, in a chunk.
ILKI_INLINE bool is_in_chunk(const ilk_iter* it, const ilk_type* type) {
    return it && type && it->world && it->count && it->is_begun && ilki_iter_is_open(it);
}

void* ilk_column_write(ilk_iter* it, ilk_type* type) {
    if (ILKI_UNLIKELY(it && it->world && it->world->told)) {
        ilki_fail_locked(it->world, ILKI_NULL, type, "ilk_column_write");
        return NULL;
    }
    void* quick = is_in_chunk(it, type) ? ilki_iter_quick_write(it, type) : NULL;
    if (quick) return quick;
    const ilki_term* term =
        declared_column(it, type, ILK_ACCESS_WRITE, ILK_ACCESS_WRITE, "ilk_column_write");
    if (!term) return NULL;
    ilki_iter_mark(it, term);
    return ilki_iter_values(it, term);
}

const void* ilk_column_read(const ilk_iter* it, ilk_type* type) {
    const void* quick = is_in_chunk(it, type) ? ilki_iter_quick_read(it, type) : NULL;
    if (quick) return quick;
    const ilki_term* term =
        declared_column(it, type, ILK_ACCESS_READ, ILK_ACCESS_WRITE, "ilk_column_read");
    return term ? ilki_iter_values(it, term) : NULL;
}

const void* ilk_column_maybe(const ilk_iter* it, ilk_type* type) {
    const ilki_term* term =
        declared_column(it, type, ILK_ACCESS_MAYBE, ILK_ACCESS_MAYBE, "ilk_column_maybe");
    return term ? ilki_iter_values(it, term) : NULL;
}

// Calls the function for each row of a run. Where a call changes what matches, or ends the tick at
// which the values were marked, the rest of the run is looked at again.
static void call_for_run(ilk_iter* it, ilk_each_fn* fn, void* user, void** values) {
    const ilk_query* query = it->query;
    uint32_t columns = query->column_count;
    uint64_t tick = it->world->storage.view.tick;
    for (uint32_t i = 0; i < columns; i++) {
        if (query->terms[i].access == ILK_ACCESS_WRITE) ilki_iter_mark(it, &query->terms[i]);
        values[i] = ilki_iter_values(it, &query->terms[i]);
    }
    for (uint32_t row = 0; row < it->count; row++) {
        fn(user, it->entities[row], values);
        if (!ilki_iter_is_current(it) || it->world->storage.view.tick != tick) {
            ilki_iter_take_back(it, row + 1);
            return;
        }
        for (uint32_t i = 0; i < columns; i++) {
            if (values[i]) values[i] = (unsigned char*)values[i] + query->terms[i].type->size;
        }
    }
}

// Room for a pointer to each column's value: the caller's, if there are few. NULL without memory.
static void** room_for_values(ilk_world* world, const ilk_query* query, void** few) {
    if (query->column_count <= ILKI_TERMS) return few;
    return ilki_alloc(&world->storage.memory, ILKI_OTHER, query->column_count * sizeof *few,
                      sizeof *few);
}

// Calls the function for each entity, and gives the room back.
static void call_for_all(ilk_iter* it, ilk_each_fn* fn, void* user, void** values, void** few) {
    ilki_memory* memory = &it->world->storage.memory;
    size_t bytes = it->query->column_count * sizeof *values;
    bool was_over = it->stage == ILKI_OVER;
    while (ilki_iter_next(it, false)) call_for_run(it, fn, user, values);
    if (values != few) ilki_free(memory, ILKI_OTHER, values, bytes, sizeof *values);
    if (!was_over && it->result != ILK_OK) fail_to_go_on(it, "ilk_each");
}

void ilki_call_for_each(ilk_iter* it, ilk_each_fn* fn, void* user) {
    void* few[ILKI_TERMS];
    if (!it->query) {
        fn(user, ILKI_NULL, NULL);
        return;
    }
    void** values = room_for_values(it->world, it->query, few);
    if (values)
        call_for_all(it, fn, user, values, few);
    else
        ilki_fail(it->world, ILK_NO_MEMORY, "ilk_each", ILKI_NULL, NULL);
}

ilk_result ilk_each(ilk_world* world, ilk_query* query, ilk_each_fn* fn, void* user) {
    ilk_result result = ilki_enter_to_look(world, "ilk_each");
    if (result != ILK_OK) return result;
    if (!is_of(world, query)) return refuse_query(world, "ilk_each");
    if (!fn) return ilki_fail_because(world, ILK_INVALID, "ilk_each", NULL, "there is no function");
    if (!ilki_may_walk(world, query, true, "ilk_each")) return ILK_INVALID;
    void* few[ILKI_TERMS];
    void** values = room_for_values(world, query, few);
    if (!values) return ilki_fail(world, ILK_NO_MEMORY, "ilk_each", ILKI_NULL, NULL);
    ilk_iter it;
    ilki_iter_begin(&it, world, query);
    if (it.result != ILK_OK) ilki_fail(world, it.result, "ilk_each", ILKI_NULL, NULL);
    call_for_all(&it, fn, user, values, few);
    return it.result;
}

// Begins to answer a question. Answering changes the statistics of no query.
static bool ask(ilk_iter* it, ilk_world* world, ilk_query* query, bool is_in_order,
                const char* call) {
    if (ilki_enter_to_look(world, call) != ILK_OK) return false;
    if (!is_of(world, query)) {
        refuse_query(world, call);
        return false;
    }
    if (!ilki_may_walk(world, query, false, call)) return false;
    ilki_iter_ask(it, world, query, is_in_order);
    if (it->result == ILK_OK) return true;
    ilki_fail(world, it->result, call, ILKI_NULL, NULL);
    return false;
}

// Counts what matches; the first `capacity` of them go to `entities`.
static uint32_t collect_matches(ilk_world* world, ilk_query* query, bool is_in_order,
                                ilk_entity* entities, uint32_t capacity, const char* call) {
    ilk_iter it;
    uint32_t count = 0;
    if (!ask(&it, world, query, is_in_order, call)) return 0;
    while (ilki_iter_next(&it, false)) {
        for (uint32_t i = 0; entities && i < it.count && count + i < capacity; i++) {
            entities[count + i] = it.entities[i];
        }
        count += it.count;
    }
    return count;
}

uint32_t ilk_query_collect(ilk_world* world, ilk_query* query, ilk_entity* entities,
                           uint32_t capacity) {
    return collect_matches(world, query, true, entities, capacity, "ilk_query_collect");
}

uint32_t ilk_query_count(ilk_world* world, ilk_query* query) {
    return collect_matches(world, query, false, NULL, 0, "ilk_query_count");
}

static ilk_entity first_match(ilk_world* world, ilk_query* query, bool is_in_order,
                              const char* call) {
    ilk_iter it;
    if (!ask(&it, world, query, is_in_order, call)) return ILKI_NULL;
    return ilki_iter_next(&it, false) ? it.entities[0] : ILKI_NULL;
}

ilk_entity ilk_query_first(ilk_world* world, ilk_query* query) {
    return first_match(world, query, true, "ilk_query_first");
}

bool ilk_query_is_empty(ilk_world* world, ilk_query* query) {
    return ilk_is_null(first_match(world, query, false, "ilk_query_is_empty"));
}

bool ilk_query_matches(ilk_world* world, ilk_query* query, ilk_entity e) {
    if (!is_of(world, query)) return false;
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    return record && ilki_match_place(query, record->place, ilki_query_seen(query));
}

static const char* const access_names[] = {
    "", "write", "read", "with", "without", "any of", "maybe", "changed", "added",
};

// The types of one kind: "Position, Velocity".
static void say_types(ilki_text* w, const ilk_query* query, ilk_access access) {
    uint32_t said = 0;
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (query->terms[i].access != access) continue;
        ilki_text_put(w, said++ ? ", " : "");
        ilki_text_put(w, query->terms[i].type->name);
    }
}

static bool has_kind(const ilk_query* query, ilk_access access) {
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (query->terms[i].access == access) return true;
    }
    return false;
}

static void say_where(ilki_text* w, const ilk_query* query) {
    size_t room;
    char* rest = ilki_text_rest(w, &room);
    w->length += ilki_expression_text(&query->where, rest, room);
}

// "3:1 with Planet by DockedTo".
static void say_asked(ilki_text* w, const ilk_query* query, const ilki_relates* asked) {
    bool is_named = !ilk_is_null(asked->target);
    if (is_named) ilki_put_handle(w, &query->storage->view.index, asked->target);
    if (asked->having) {
        ilki_text_put(w, is_named ? " with " : "one with ");
        ilki_text_put(w, asked->having->name);
    }
    ilki_text_put(w, " by ");
    ilki_text_put(w, asked->relation->name);
}

static void say_relates(ilki_text* w, const ilk_query* query) {
    for (uint32_t i = 0; i < query->relates_count; i++) {
        const ilki_relates* asked = &query->relates[i];
        ilki_text_put(w, w->length ? "; " : "");
        ilki_text_put(w, asked->up ? "below " : "related to ");
        say_asked(w, query, asked);
    }
}

static void say_order(ilki_text* w, const ilk_query* query) {
    if (!query->is_ordered) return;
    ilki_text_put(w, w->length ? "; in order of " : "in order of ");
    ilki_text_put(w, query->order_by_depth ? "depth by " : "");
    const ilk_type* by = query->order_by ? query->order_by : query->order_by_depth;
    ilki_text_put(w, by ? by->name : "index");
}

static void say_condition(ilki_text* w, const ilk_query* query) {
    if (!query->where.count) return;
    ilki_text_put(w, w->length ? "; where " : "where ");
    say_where(w, query);
}

size_t ilk_query_text(const ilk_query* query, char* text, size_t size) {
    ilki_text w = ilki_text_begin(text, size);
    if (!query || !query->storage) return 0;
    for (uint32_t i = ILK_ACCESS_WRITE; i <= ILK_ACCESS_ADDED; i++) {
        if (!has_kind(query, (ilk_access)i)) continue;
        ilki_text_put(&w, w.length ? "; " : "");
        ilki_text_put(&w, access_names[i]);
        ilki_text_put(&w, " ");
        say_types(&w, query, (ilk_access)i);
    }
    say_relates(&w, query);
    say_condition(&w, query);
    say_order(&w, query);
    if (!w.length) ilki_text_put(&w, "every entity");
    if (query->is_asking) ilki_text_put(&w, "; inactive ones too");
    return w.length;
}

// What is wrong with one component of an entity, as a query sees it.
static void say_fault(ilki_text* w, uint32_t* faults, const char* name, const char* fault) {
    ilki_text_put(w, (*faults)++ ? ", " : "does not match: ");
    ilki_text_put(w, name);
    ilki_text_put(w, fault);
}

static void explain_terms(ilki_text* w, const ilk_query* query, uint32_t place, uint32_t* faults) {
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ilki_term* term = &query->terms[i];
        bool is_alone = term->access <= ILK_ACCESS_WITHOUT;
        if (!is_alone || ilki_term_holds(query, term, place)) continue;
        ilki_state state = ilki_state_at(query, term->type, place);
        say_fault(w, faults, term->type->name, ilki_state_texts[state]);
    }
}

// One of a kind of terms must hold.
static void explain_choice(ilki_text* w, const ilk_query* query, uint32_t place, ilk_access access,
                           uint32_t* faults) {
    uint32_t terms = 0;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ilki_term* term = &query->terms[i];
        if (term->access != access) continue;
        bool is_new = access == ILK_ACCESS_ANY ||
                      ilki_term_is_new(query, term, place, ilki_query_seen(query));
        if (is_new && ilki_term_holds(query, term, place)) return;
        terms++;
    }
    if (!terms) return;
    say_fault(w, faults, "none of ", "");
    say_types(w, query, access);
    ilki_text_put(w, access == ILK_ACCESS_ANY     ? " is there"
                     : access == ILK_ACCESS_ADDED ? " was added lately"
                                                  : " changed lately");
}

// An entity that a query is asked about.
typedef struct asked {
    const ilk_query* query;
    uint32_t place;
} asked;

static ilki_state state_of_asked(const void* context, const ilk_type* type) {
    const asked* a = context;
    return ilki_state_at(a->query, type, a->place);
}

static void explain_where(ilki_text* w, const ilk_query* query, uint32_t place, uint32_t* faults) {
    if (ilki_where_holds(query, place)) return;
    size_t room;
    say_fault(w, faults, "", "");
    char* rest = ilki_text_rest(w, &room);
    w->length +=
        ilki_expression_reasons(&query->where, state_of_asked, &(asked){query, place}, rest, room);
}

static void explain_relates(ilki_text* w, const ilk_query* query, uint32_t place,
                            uint32_t* faults) {
    for (uint32_t i = 0; i < query->relates_count; i++) {
        const ilki_relates* relates = &query->relates[i];
        if (ilki_relates_holds(query, relates, place)) continue;
        say_fault(w, faults, "it", relates->up ? " is not below " : " does not relate to ");
        say_asked(w, query, relates);
    }
}

// An entity that is skipped, whatever it has.
static void explain_rest(ilki_text* w, const ilk_query* query, uint32_t place, uint32_t* faults) {
    if (query->rest != ILKI_REST_SKIPPED) return;
    if (ilki_is_inactive(query->storage, place)) say_fault(w, faults, "it", " is inactive");
    if (query->is_wide && ilki_is_dying(query->storage, place)) {
        say_fault(w, faults, "it", " is dying");
    }
}

static void explain_place(ilki_text* w, const ilk_query* query, uint32_t place) {
    uint32_t faults = 0;
    explain_rest(w, query, place, &faults);
    explain_terms(w, query, place, &faults);
    explain_choice(w, query, place, ILK_ACCESS_ANY, &faults);
    explain_choice(w, query, place, ILK_ACCESS_CHANGED, &faults);
    explain_choice(w, query, place, ILK_ACCESS_ADDED, &faults);
    explain_relates(w, query, place, &faults);
    explain_where(w, query, place, &faults);
    if (!faults) ilki_text_put(w, "matches");
}

size_t ilk_query_explain(ilk_world* world, ilk_query* query, ilk_entity e, char* text,
                         size_t size) {
    ilki_text w = ilki_text_begin(text, size);
    if (!is_of(world, query)) return 0;
    ilki_text_put(&w, "entity ");
    ilki_put_entity(&w, world, e);
    ilki_text_put(&w, " ");
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    if (record)
        explain_place(&w, query, record->place);
    else
        ilki_text_put(&w, "does not match: it is not alive");
    return w.length;
}

uint64_t ilk_tick(ilk_world* world) {
    return ilki_enter(world, "ilk_tick") == ILK_OK ? ilki_next_tick(&world->storage) : 0;
}

void ilk_query_since(ilk_query* query, uint64_t tick) {
    if (query && query->storage) ilki_query_see(query, tick);
}

ilk_query_stats ilk_query_stats_of(const ilk_query* query) {
    bool is_there = query && query->storage;
    return is_there ? query->stats : (ilk_query_stats){0};
}
