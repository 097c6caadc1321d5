// Beginning anew: what is seen to, what is forgotten, what stays.
#include "scenes_support.h"

typedef struct Mesh {
    int32_t number;
} Mesh;
ILK_COMPONENT_WITH(Mesh, .outlives = true);

typedef struct Landed {
    int32_t where;
} Landed;
ILK_EVENT(Landed);

// Takes the meshes of those that are gone.
static void release(ilk_iter* it) {
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            note("release");
            assert_ok(ilk_cmd_remove(it->cmd, it->entities[i], &Mesh_type));
        }
    }
}

static void note_reset(ilk_world* world, void* user) {
    assert_int_equal(ilk_stats(world).alive, 0);
    assert_int_equal(ilk_time_of(world).frames, 0);
    note(user);
}

static void make_release(ilk_world* world, const char* phase) {
    SYSTEM(world, "release", .phase = phase, .run = release,
           .query = {.read = {&Mesh_type}, .without = {&Position_type}});
}

// R004.27: everything is destroyed, one update lets go of what outlives its entity, then systems
// are reset.
static void what_outlives_is_released_before_all_is_forgotten(void** state) {
    fixture* f = *state;
    make_release(f->world, "fixed");
    SYSTEM(f->world, "b", .order = 2, .reset = note_reset, .user = (void*)"b!");
    SYSTEM(f->world, "a", .order = 1, .reset = note_reset, .user = (void*)"a!");
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, .x = 1), ILK_VALUE(Mesh, 7));
    assert_ok(ilk_update(f->world, 0.5));
    noted("a b");
    assert_ok(ilk_reset(f->world));
    noted("release a b a! b!");
    assert_false(ilk_alive(f->world, e));
    assert_int_equal(ilk_stats(f->world).alive, 0);
    assert_valid(f->world);
    assert_int_equal(ilk_create(f->world).index, 0);
}

static void what_nobody_releases_goes_too(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Mesh, 7));
    ilk_entity dying = ILK_SPAWN(f->world, ILK_VALUE(Mesh, 8));
    ilk_destroy(f->world, dying);
    assert_ok(ilk_reset(f->world));
    assert_false(ilk_alive(f->world, e) || ilk_alive(f->world, dying));
    assert_valid(f->world);
}

// R004.27: updates are counted from the beginning.
static void time_begins_anew(void** state) {
    fixture* f = *state;
    uint32_t starts = 0, runs = 0;
    SYSTEM(f->world, "start", .phase = "start", .run = count_run, .user = &starts);
    ilk_system* waits = SYSTEM(f->world, "waits", .interval = 1, .run = count_run, .user = &runs);
    ilk_set_time_scale(f->world, 0.5);
    for (int i = 0; i < 3; i++) assert_ok(ilk_update(f->world, 0.5));
    assert_int_equal(starts, 1);
    assert_int_equal(runs, 0);
    assert_ok(ilk_reset(f->world));
    assert_int_equal(starts, 1);
    ilk_time time = ilk_time_of(f->world);
    assert_true(time.frames == 0 && time.nanoseconds == 0 && time.fixed_steps == 0);
    assert_int_equal(ilk_system_stats_of(waits).calls, 0);
    assert_ok(ilk_update(f->world, 1)); // half a second: with what it waited before, it would run
    assert_int_equal(starts, 2);
    assert_int_equal(runs, 0);
    assert_int_equal(ilk_time_of(f->world).nanoseconds, 500000000);
}

static void a_pause_holds_nobody_back_and_stays(void** state) {
    fixture* f = *state;
    make_release(f->world, NULL);
    ILK_SPAWN(f->world, ILK_VALUE(Mesh, 7));
    ilk_pause(f->world, true);
    assert_ok(ilk_reset(f->world));
    noted("release");
    assert_true(ilk_time_of(f->world).is_paused);
}

static void scenes_exit_and_stay_known(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a");
    SCENE(f->world, "menu", .systems = SYSTEMS("a"));
    SCENE(f->world, "help", .systems = no_systems, .owns = &Enemy_type);
    assert_ok(ilk_scene_push(f->world, "menu"));
    assert_ok(ilk_scene_push(f->world, "help"));
    ILK_SPAWN(f->world, ILK_WITH(Enemy));
    journal[0] = 0;
    assert_ok(ilk_reset(f->world));
    noted("help- menu- a");
    assert_stack(f->world, "");
    assert_ok(ilk_scene_push(f->world, "help"));
    assert_stack(f->world, "help");
    assert_ok(ilk_scene_pop(f->world));
}

static void events_are_forgotten_and_readers_read_on(void** state) {
    fixture* f = *state;
    ilk_reader* reader = ilk_reader_create(f->world, &(ilk_reader_desc){.type = &Landed_type});
    ILK_EMIT(f->world, Landed, 1);
    assert_ok(ilk_reset(f->world));
    assert_null(ilk_read(reader, NULL));
    ILK_EMIT(f->world, Landed, 2);
    assert_int_equal(((const Landed*)ilk_read(reader, NULL))->where, 2);
}

static ilk_result note_notice(ilk_notice* n) {
    note(n->on == ILK_ON_DESTROY ? "destroyed" : "removed");
    note(n->reason == ILK_REASON_DESTROY ? "at" : n->reason == ILK_REASON_CHANGE ? "by" : "with");
    return ILK_OK;
}

// One goes when it is destroyed, one when its mesh is released; nobody is left for the clearing.
static void observers_are_told_and_stay(void** state) {
    fixture* f = *state;
    make_release(f->world, NULL);
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_DESTROY, .run = note_notice});
    ilk_observer_create(f->world, &(ilk_observer_desc){
                                      .on = ILK_ON_REMOVE, .type = &Mesh_type, .run = note_notice});
    ILK_SPAWN(f->world, ILK_VALUE(Position, .x = 1));
    ILK_SPAWN(f->world, ILK_VALUE(Mesh, 7));
    assert_ok(ilk_reset(f->world));
    noted("destroyed with release removed by destroyed at");
    assert_int_equal(ilk_observer_count(f->world), 2);
}

static void reset_from_inside(ilk_iter* it) {
    assert_int_equal(ilk_reset(it->world), ILK_LOCKED);
    note("locked");
}

static void reset_by_a_hook(ilk_world* world, void* user) {
    (void)user;
    assert_int_equal(ilk_reset(world), ILK_LOCKED);
    note("locked");
}

static void a_world_that_is_busy_is_not_reset(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_reset(NULL), ILK_INVALID);
    ilk_system* a = SYSTEM(f->world, "a", .run = reset_from_inside, .exit = reset_by_a_hook);
    scene_of(f->world, (ilk_scene_desc){.name = "menu", .exit = reset_by_a_hook});
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_scene_push(f->world, "menu"));
    assert_ok(ilk_update(f->world, 1));
    assert_ok(ilk_scene_pop(f->world));
    assert_ok(ilk_system_destroy(a));
    noted("menu+ locked locked locked");
    assert_true(ilk_alive(f->world, e));
    f->told.count = 0;
}

static void make_and_destroy(ilk_world* world, void* user) {
    ilk_create(world);
    if (!ilk_system_named(world, "late")) SYSTEM(world, "late", .reset = note_reset);
    assert_ok(ilk_system_destroy(ilk_system_named(world, user)));
}

static void reset_hooks_may_change_everything(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .reset = make_and_destroy, .user = (void*)"b");
    SYSTEM(f->world, "b", .reset = note_reset, .user = (void*)"never");
    assert_ok(ilk_reset(f->world));
    noted("a b");
    assert_order(f->world, "a late");
    assert_int_equal(ilk_stats(f->world).alive, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(what_outlives_is_released_before_all_is_forgotten),
        SCHEDULE_TEST(what_nobody_releases_goes_too),
        SCHEDULE_TEST(time_begins_anew),
        SCHEDULE_TEST(a_pause_holds_nobody_back_and_stays),
        SCHEDULE_TEST(scenes_exit_and_stay_known),
        SCHEDULE_TEST(events_are_forgotten_and_readers_read_on),
        SCHEDULE_TEST(observers_are_told_and_stay),
        SCHEDULE_TEST(a_world_that_is_busy_is_not_reset),
        SCHEDULE_TEST(reset_hooks_may_change_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
