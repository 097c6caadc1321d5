// The checked build: what a system uses and did not declare is reported, with both names.
//
// In a plain build nobody looks: there is one test, that everything is found there.
#include "workers_support.h"

enum {
    ROWS = 200
};

// What a system does beside its own query, and what came of it.
typedef struct visit {
    ilk_entity target;
    ilk_query* query;
    uint32_t rows;
    const void* value;
    ilk_result result;
} visit;

static void get_health(ilk_iter* it) {
    visit* v = it->user;
    v->result = ILK_OK;
    v->value = ilk_get(it->world, v->target, &Health_type, &v->result);
}

static void walk_query(ilk_iter* it) {
    visit* v = it->user;
    v->rows = 0;
    ilk_iter other = ilk_query_iter(it->world, v->query);
    while (ilk_next(&other)) v->rows += other.count;
    v->result = other.result;
}

static void count_each(void* user, ilk_entity e, void* const* values) {
    (void)e, (void)values;
    ++*(uint32_t*)user;
}

static void call_for_each(ilk_iter* it) {
    visit* v = it->user;
    v->rows = 0;
    v->result = ilk_each(it->world, v->query, count_each, &v->rows);
}

static void count_query(ilk_iter* it) {
    visit* v = it->user;
    v->rows = ilk_query_count(it->world, v->query);
}

static int compare_points(const void* a, const void* b) {
    return ((const Health*)a)->points - ((const Health*)b)->points;
}

static visit visit_in(fixture* f, ilk_query_desc desc) {
    visit v = {.target = ILK_SPAWN(f->world, ILK_VALUE(Health, 7), ILK_VALUE(Number, 1))};
    v.query = ilk_query_create(f->world, &desc);
    assert_non_null(v.query);
    return v;
}

#ifndef ILK_CHECKED

static void a_plain_build_asks_for_no_declarations(void** state) {
    fixture* f = *state;
    visit v = visit_in(f, (ilk_query_desc){.write = {&Health_type}});
    SYSTEM(f->world, "get", .run = get_health, .user = &v, .reads = {&Number_type});
    update(f->world);
    assert_int_equal(((const Health*)v.value)->points, 7);
    SYSTEM(f->world, "walk", .run = walk_query, .user = &v, .reads = {&Number_type});
    SYSTEM(f->world, "each", .run = call_for_each, .user = &v, .reads = {&Number_type});
    SYSTEM(f->world, "count", .run = count_query, .user = &v, .reads = {&Number_type});
    update(f->world);
    assert_int_equal(v.rows, 1);
    assert_int_equal(compare_points(v.value, v.value), 0);
    assert_quiet(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_plain_build_asks_for_no_declarations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

// An update in which one thing is reported: this call, of this type, in a system named "guest".
static void reported_at(fixture* f, const char* call, const char* does, const char* type,
                        const char* file, int line) {
    char text[200];
    snprintf(text, sizeof(text), "%s: system \"guest\" does not declare that it %s %s", call, does,
             type);
    _assert_int_equal(ilk_update(f->world, 0), ILK_OK, file, line);
    _assert_int_equal(f->told.count, 1, file, line);
    _assert_string_equal(f->told.text, text, file, line);
    _assert_int_equal((LargestIntegralType)f->told.last.result, ILK_INVALID, file, line);
    _assert_string_equal(f->told.type, type, file, line);
    _assert_true(f->told.last.file && strstr(f->told.last.file, "test_declared.c"),
                 "the message has the place", file, line);
    f->told.count = 0;
}
#define reported(f, call, does, type) reported_at((f), (call), (does), (type), __FILE__, __LINE__)

static void guest(fixture* f, ilk_system_fn* run, visit* v, ilk_system_desc desc) {
    desc.name = "guest";
    desc.run = run;
    desc.user = v;
    assert_non_null(ilk_system_replace(f->world, &desc));
}

// Nothing is reported, and everything is seen.
static void quiet_with(fixture* f, ilk_system_fn* run, visit* v, ilk_system_desc desc) {
    guest(f, run, v, desc);
    update(f->world);
    assert_quiet(f);
}

static const ilk_system_desc reads_number = {.reads = {&Number_type}};
static const ilk_system_desc reads_health = {.reads = {&Number_type, &Health_type}};
static const ilk_system_desc writes_health = {.writes = {&Health_type}};

// C22
static void getting_what_is_not_declared_is_reported(void** state) {
    fixture* f = *state;
    visit v = visit_in(f, (ilk_query_desc){0});
    guest(f, get_health, &v, reads_number);
    reported(f, "ilk_get", "reads", "Health");
    assert_null(v.value);
    assert_int_equal(v.result, ILK_INVALID);
    quiet_with(f, get_health, &v, reads_health);
    assert_int_equal(((const Health*)v.value)->points, 7);
    quiet_with(f, get_health, &v, writes_health);
    quiet_with(f, get_health, &v, (ilk_system_desc){.query = {.read = {&Health_type}}});
    quiet_with(f, get_health, &v, (ilk_system_desc){.query = {.write = {&Health_type}}});
    quiet_with(f, get_health, &v, (ilk_system_desc){0}); // declares nothing: may use all
    assert_int_equal(((const Health*)v.value)->points, 7);
}

// What only decides which entities match gives no right to the values.
static void asking_whether_it_is_there_is_no_declaration(void** state) {
    fixture* f = *state;
    visit v = visit_in(f, (ilk_query_desc){0});
    guest(f, get_health, &v, (ilk_system_desc){.query = {.with = {&Health_type}}});
    reported(f, "ilk_get", "reads", "Health");
    guest(f, get_health, &v, (ilk_system_desc){.is_for_all = true});
    reported(f, "ilk_get", "reads", "Health");
}

static void walk_list(ilk_iter* it) {
    visit* v = it->user;
    v->rows = 0;
    ilk_iter other = ilk_query_among(it->world, v->query, &v->target, 1);
    while (ilk_next(&other)) v->rows += other.count;
    v->result = other.result;
}

// C22
static void walking_over_what_is_not_declared_is_reported(void** state) {
    fixture* f = *state;
    visit reads = visit_in(f, (ilk_query_desc){.read = {&Health_type}});
    visit writes = visit_in(f, (ilk_query_desc){.write = {&Health_type}});
    visit maybe = visit_in(f, (ilk_query_desc){.maybe = {&Health_type}});
    guest(f, walk_query, &reads, reads_number);
    reported(f, "ilk_query_iter", "reads", "Health");
    assert_int_equal(reads.rows, 0);
    assert_int_equal(reads.result, ILK_INVALID);
    guest(f, walk_query, &maybe, reads_number);
    reported(f, "ilk_query_iter", "reads", "Health");
    guest(f, walk_query, &writes, reads_health);
    reported(f, "ilk_query_iter", "writes", "Health");
    guest(f, walk_list, &reads, reads_number);
    reported(f, "ilk_query_among", "reads", "Health");
    assert_int_equal(reads.rows, 0);
    assert_int_equal(reads.result, ILK_INVALID);
    quiet_with(f, walk_list, &reads, reads_health);
    assert_int_equal(reads.rows, 1);
    quiet_with(f, walk_query, &reads, reads_health);
    assert_int_equal(reads.rows, 3);
    quiet_with(f, walk_query, &reads, writes_health);
    quiet_with(f, walk_query, &writes, writes_health);
    assert_int_equal(writes.rows, 3);
    quiet_with(f, walk_query, &writes, (ilk_system_desc){0});
}

static void calling_for_each_is_walking(void** state) {
    fixture* f = *state;
    visit v = visit_in(f, (ilk_query_desc){.write = {&Health_type}});
    guest(f, call_for_each, &v, reads_health);
    reported(f, "ilk_each", "writes", "Health");
    assert_int_equal(v.rows, 0);
    quiet_with(f, call_for_each, &v, writes_health);
    assert_int_equal(v.rows, 1);
}

// C22
static void what_changed_and_in_which_order_is_read_too(void** state) {
    fixture* f = *state;
    visit changed = visit_in(f, (ilk_query_desc){.changed = {&Health_type}});
    visit added = visit_in(f, (ilk_query_desc){.added = {&Health_type}});
    visit ordered =
        visit_in(f, (ilk_query_desc){.order_by = &Health_type, .compare = compare_points});
    visit* visits[] = {&changed, &added, &ordered};
    for (uint32_t i = 0; i < COUNT_OF(visits); i++) {
        guest(f, walk_query, visits[i], reads_number);
        reported(f, "ilk_query_iter", "reads", "Health");
        guest(f, count_query, visits[i], reads_number);
        reported(f, "ilk_query_count", "reads", "Health");
        quiet_with(f, walk_query, visits[i], reads_health);
        assert_int_equal(visits[i]->rows, 3);
    }
}

// Counting looks at no value.
static void counting_needs_no_declaration(void** state) {
    fixture* f = *state;
    visit v = visit_in(f, (ilk_query_desc){.write = {&Health_type}});
    visit with = visit_in(f, (ilk_query_desc){.with = {&Health_type}, .without = {&Frozen_type}});
    quiet_with(f, count_query, &v, reads_number);
    assert_int_equal(v.rows, 2);
    quiet_with(f, walk_query, &with, reads_number);
    assert_int_equal(with.rows, 2);
}

// Each piece is looked at, on whatever thread.
static void get_in_pieces(ilk_iter* it) {
    visit* v = it->user;
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) ilk_get(it->world, v->target, &Health_type, NULL);
    }
}

static void workers_are_looked_at_too(void** state) {
    fixture* f = *state;
    hire_workers(f, 3);
    visit v = visit_in(f, (ilk_query_desc){0});
    spawn_numbers(f->world, ROWS - 1);
    ilk_system_desc desc = {.is_parallel = true, .piece_rows = 1};
    desc.query.read[0] = &Number_type;
    guest(f, get_in_pieces, &v, desc);
    update(f->world);
    assert_int_equal(f->told.count, ROWS);
    assert_int_equal(f->told.last.result, ILK_INVALID);
    f->told.count = 0;
    desc.reads[0] = &Health_type;
    quiet_with(f, get_in_pieces, &v, desc);
}

// Outside of systems everything may be used.
static void the_world_itself_declares_nothing(void** state) {
    fixture* f = *state;
    visit v = visit_in(f, (ilk_query_desc){.write = {&Health_type}});
    quiet_with(f, count_query, &v, reads_number);
    assert_non_null(ilk_get(f->world, v.target, &Health_type, NULL));
    assert_int_equal(ilk_query_count(f->world, v.query), 1);
    assert_quiet(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(getting_what_is_not_declared_is_reported),
        WORLD_TEST(asking_whether_it_is_there_is_no_declaration),
        WORLD_TEST(walking_over_what_is_not_declared_is_reported),
        WORLD_TEST(calling_for_each_is_walking),
        WORLD_TEST(what_changed_and_in_which_order_is_read_too),
        WORLD_TEST(counting_needs_no_declaration),
        WORLD_TEST(workers_are_looked_at_too),
        WORLD_TEST(the_world_itself_declares_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
