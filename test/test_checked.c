// The checked build: misuse that C cannot return is reported, with the caller's place.
//
// Without ILK_CHECKED there is one test: that nothing of this is there.
#include <pthread.h>

#include "support.h"

#ifndef ILK_CHECKED

#if defined(ilk_create) || defined(ILK_HERE_)
#error "The verbs are plain functions unless the build is checked."
#endif

// R001.3
static void a_plain_build_notes_no_places(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_destroy(f->world, (ilk_entity){0}), ILK_DEAD);
    assert_null(f->told.last.file);
    assert_int_equal(f->told.last.line, 0);
    assert_null(ilk_error(f->world).file);
    assert_int_equal(ilk_error(f->world).line, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_plain_build_notes_no_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void assert_place_at(const fixture* f, int expected, const char* file, int line) {
    _assert_true(f->told.last.file && strstr(f->told.last.file, "test_checked.c"),
                 "the message has the file", file, line);
    _assert_int_equal((LargestIntegralType)f->told.last.line, (LargestIntegralType)expected, file,
                      line);
}
#define assert_place(f, expected) assert_place_at((f), (expected), __FILE__, __LINE__)

// R001.3
static void a_message_has_the_place_of_the_call(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    int line = __LINE__ + 1;
    assert_int_equal(ilk_add(f->world, e, ILK_WITH(Position)), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_add");
    assert_place(f, line);
    line = __LINE__ + 1;
    assert_null(ILK_EDIT(f->world, e, Health));
    assert_told(f, ILK_MISSING, "ilk_edit");
    assert_place(f, line);
    assert_int_equal(ilk_error(f->world).line, line);
}

// R001.3
static void a_dead_handle_tells_where_it_was_destroyed(void** state) {
    fixture* f = *state;
    char site[64];
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    snprintf(site, sizeof(site), "test_checked.c:%d", __LINE__ + 1);
    assert_ok(ilk_destroy(f->world, e));
    int line = __LINE__ + 1;
    assert_int_equal(ilk_add(f->world, e, ILK_WITH(Health)), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_add");
    assert_place(f, line);
    assert_non_null(strstr(f->told.text, site));
    line = __LINE__ + 1;
    assert_int_equal(ILK_EMIT_TO(f->world, e, Health, 1), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_emit_to");
    assert_place(f, line);
}

// R001.3
static void each_way_to_destroy_is_remembered(void** state) {
    fixture* f = *state;
    char site[64];
    ilk_entity e[3];
    assert_ok(ilk_create_many(f->world, e, 3));
    snprintf(site, sizeof(site), "test_checked.c:%d", __LINE__ + 1);
    assert_ok(ilk_destroy_many(f->world, e, 2));
    assert_int_equal(ilk_destroy(f->world, e[1]), ILK_DEAD);
    assert_non_null(strstr(f->told.text, site));
    snprintf(site, sizeof(site), "test_checked.c:%d", __LINE__ + 1);
    ilk_clear(f->world);
    assert_int_equal(ilk_destroy(f->world, e[2]), ILK_DEAD);
    assert_non_null(strstr(f->told.text, site));
}

static void call_elsewhere(ilk_world* world, void* user) {
    (void)user;
    assert_false(ilk_is_null(ilk_create(world)));
}

// The place is that of the call, not of what a hook called last.
static void what_a_scene_owned_tells_where_the_scene_was_left(void** state) {
    fixture* f = *state;
    char site[64];
    ilk_scene_desc desc = {.name = "game", .exit = call_elsewhere, .owns = &Enemy_type};
    assert_ok(ilk_scene_add(f->world, &desc));
    assert_ok(ilk_scene_push(f->world, "game"));
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Enemy));
    snprintf(site, sizeof(site), "test_checked.c:%d", __LINE__ + 1);
    assert_ok(ilk_scene_pop(f->world));
    assert_int_equal(ilk_destroy(f->world, e), ILK_DEAD);
    assert_non_null(strstr(f->told.text, site));
    int line = __LINE__ + 1;
    assert_int_equal(ilk_scene_pop(f->world), ILK_MISSING);
    assert_place(f, line);
}

// R000.13 R001.3 R001.61
static void a_handle_of_another_world_is_reported(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 5);
    ilk_create(f->world);
    ilk_entity foreign = ilk_create(other);
    int line = __LINE__ + 1;
    assert_int_equal(ilk_destroy(f->world, foreign), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_destroy");
    assert_place(f, line);
    assert_true(ilk_alive(other, foreign));
    ilk_world_destroy(other);
}

// R001.61
static void a_type_of_the_wrong_size_is_reported(void** state) {
    fixture* f = *state;
    ilk_type good = {.name = "sized", .size = 8};
    ilk_type wrong = {.name = "sized", .size = 16};
    ilk_entity e = ilk_spawn(f->world, &(ilk_value){&good, NULL}, 1);
    int line = __LINE__ + 1;
    assert_int_equal(ilk_set(f->world, e, (ilk_value){&wrong, NULL}), ILK_CLASH);
    assert_told(f, ILK_CLASH, "ilk_set");
    assert_place(f, line);
}

typedef struct errand {
    ilk_world* world;
    ilk_entity e, made;
    ilk_result added, destroyed, registered;
    const void* written;
} errand;

static void* run_errand(void* arg) {
    errand* job = arg;
    job->made = ilk_create(job->world);
    job->added = ilk_add(job->world, job->e, ILK_WITH(Health));
    job->registered = ilk_register(job->world, &Anchor_type);
    job->written = ilk_edit(job->world, job->e, &Position_type);
    job->destroyed = ilk_destroy(job->world, job->e);
    return NULL;
}

static void* run_errand_as_owner(void* arg) {
    ilk_world_own(((errand*)arg)->world);
    return run_errand(arg);
}

static void send(void* (*run)(void*), errand* job) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run, job), 0);
    pthread_join(thread, NULL);
}

// R001.54 R002.20 C22
static void another_thread_is_refused(void** state) {
    fixture* f = *state;
    errand job = {.world = f->world, .e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2))};
    send(run_errand, &job);
    assert_true(ilk_is_null(job.made));
    assert_int_equal(job.added, ILK_WRONG_THREAD);
    assert_int_equal(job.registered, ILK_WRONG_THREAD);
    assert_null(job.written);
    assert_int_equal(job.destroyed, ILK_WRONG_THREAD);
    assert_int_equal(f->told.count, 5);
    assert_int_equal(f->told.last.result, ILK_WRONG_THREAD);
    assert_non_null(strstr(f->told.last.file, "test_checked.c"));
    assert_true(ilk_alive(f->world, job.e));
    assert_false(ilk_has(f->world, job.e, &Health_type));
    assert_int_equal(ilk_stats(f->world).alive, 1);
}

// R001.54 R002.20 C22
static void a_world_is_handed_over(void** state) {
    fixture* f = *state;
    errand job = {.world = f->world, .e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2))};
    send(run_errand_as_owner, &job);
    assert_false(ilk_is_null(job.made));
    assert_ok(job.added);
    assert_non_null(job.written);
    assert_ok(job.destroyed);
    assert_quiet(f);
    assert_true(ilk_is_null(ilk_create(f->world)));
    assert_told(f, ILK_WRONG_THREAD, "ilk_create");
    ilk_world_own(f->world);
    assert_false(ilk_is_null(ilk_create(f->world)));
}

static void* destroy_query(void* query) {
    ilk_query_destroy(query);
    return NULL;
}

// R001.54 R002.20 C22
static void a_query_is_not_destroyed_by_another_thread(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){.read = {&Position_type}});
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, destroy_query, query), 0);
    pthread_join(thread, NULL);
    assert_told(f, ILK_WRONG_THREAD, "ilk_query_destroy");
    assert_int_equal(ilk_query_count(f->world, query), 1);
    ilk_query_destroy(query);
    assert_quiet(f);
}

static void check_stale_write(fixture* f, origin where) {
    char text[256] = "";
    ilk_entity e = put(f->world, where, ILK_VALUE(Position, 1, 2));
    Position* kept = ILK_EDIT(f->world, e, Position);
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_valid(f->world);
    kept->x = 99;
    assert_int_not_equal(ilk_world_validate(f->world, text, sizeof(text)), ILK_OK);
    assert_non_null(strstr(text, "Position"));
    assert_quiet(f);
    ilk_set(f->world, e, ILK_VALUE(Position, 3, 4));
    assert_told(f, ILK_STALE, "ilk_set");
    assert_string_equal(f->told.type, "Position");
}

// R001.3
static void a_write_after_removal_is_found(void** state) {
    (void)state;
    at_each_place(check_stale_write);
}

// R001.3
static void a_write_after_destruction_is_found(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    Health* kept = ILK_EDIT(f->world, e, Health);
    assert_ok(ilk_destroy(f->world, e));
    kept->points = 5;
    assert_int_not_equal(ilk_world_validate(f->world, NULL, 0), ILK_OK);
    ilk_entity next = ILK_SPAWN(f->world, ILK_VALUE(Health, 2));
    assert_told(f, ILK_STALE, "ilk_spawn");
    assert_string_equal(f->told.type, "Health");
    assert_true(ilk_alive(f->world, next));
    assert_int_equal(ILK_GET(f->world, next, Health)->points, 2);
}

static void a_world_that_is_not_made_is_reported_with_its_place(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.allocator.free = NULL;
    int line = __LINE__ + 1;
    assert_null(ilk_world_create(&desc));
    assert_told(f, ILK_INVALID, "ilk_world_create");
    assert_place(f, line);
}

static void a_buffer_used_after_it_was_given_back_is_reported_with_its_place(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_cmd_give_back(cmd);
    int line = __LINE__ + 1;
    ilk_cmd_give_back(cmd);
    assert_told(f, ILK_INVALID, "ilk_cmd_give_back");
    assert_place(f, line);
    ilk_cmd_clear(cmd);
    assert_told(f, ILK_INVALID, "ilk_cmd_clear");
    assert_place(f, line + 3);
    ilk_cmd_destroy(cmd, (ilk_entity){0, 1});
    assert_told(f, ILK_INVALID, "ilk_cmd_destroy");
    assert_place(f, line + 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_world_that_is_not_made_is_reported_with_its_place),
        WORLD_TEST(a_message_has_the_place_of_the_call),
        WORLD_TEST(a_dead_handle_tells_where_it_was_destroyed),
        WORLD_TEST(each_way_to_destroy_is_remembered),
        WORLD_TEST(what_a_scene_owned_tells_where_the_scene_was_left),
        WORLD_TEST(a_handle_of_another_world_is_reported),
        WORLD_TEST(a_type_of_the_wrong_size_is_reported),
        WORLD_TEST(another_thread_is_refused),
        WORLD_TEST(a_world_is_handed_over),
        WORLD_TEST(a_query_is_not_destroyed_by_another_thread),
        cmocka_unit_test(a_write_after_removal_is_found),
        WORLD_TEST(a_write_after_destruction_is_found),
        WORLD_TEST(a_buffer_used_after_it_was_given_back_is_reported_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
