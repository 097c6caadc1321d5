// Workers: who runs what, who is told what, and that nobody is called by two at once.
#include "workers_support.h"

enum {
    ROWS = 640
};

typedef struct watch {
    pthread_t main;
    uint32_t inside, calls, on_main, elsewhere, others;
    uint32_t is_late, is_wrong;
    ilk_entity target;
    ilk_cmd* cmd;
} watch;

static watch watching(void) {
    return (watch){.main = pthread_self()};
}

static bool is_main(const watch* w) {
    return pthread_equal(w->main, pthread_self()) != 0;
}

static void note_thread(ilk_iter* it) {
    watch* w = it->user;
    add_to(&w->calls, 1);
    add_to(is_main(w) ? &w->on_main : &w->elsewhere, 1);
}

// Goes on when somebody else came in too.
static void meet(ilk_iter* it) {
    watch* w = it->user;
    note_thread(it);
    add_to(&w->inside, 1);
    if (!await(&w->inside, 2)) add_to(&w->is_late, 1);
}

static void what_stays_on_main_runs_there(void** state) {
    fixture* f = *state;
    watch stays = watching(), roams = watching();
    spawn_numbers(f->world, ROWS);
    SYSTEM(f->world, "stays", .run = note_thread, .user = &stays, .stays_on_main = true,
           .is_parallel = true, .query = {.read = {&Number_type}});
    SYSTEM(f->world, "single", .run = note_thread, .user = &stays, .stays_on_main = true,
           .reads = {&Number_type});
    SYSTEM(f->world, "roams", .run = note_thread, .user = &roams, .is_parallel = true,
           .query = {.read = {&Number_type}});
    for (uint32_t i = 0; i < 50; i++) update(f->world);
    assert_int_equal(ilk_threads(f->world), 4);
    assert_int_equal(stays.elsewhere, 0);
    assert_int_equal(stays.on_main % 50, 0);
    assert_true(stays.on_main >= 50 * 8);
    assert_true(roams.calls >= 50 * 7);
    assert_int_equal(roams.calls, roams.on_main + roams.elsewhere);
}

// R001.28
static void pieces_run_on_several_threads(void** state) {
    fixture* f = *state;
    watch w = watching();
    spawn_numbers(f->world, ROWS);
    SYSTEM(f->world, "meet", .run = meet, .user = &w, .is_parallel = true,
           .query = {.read = {&Number_type}});
    update(f->world);
    assert_int_equal(w.is_late, 0);
    assert_true(w.elsewhere > 0); // one of the first two to be inside is not the main thread
    assert_true(w.calls >= 7);
}

static void systems_of_a_wave_run_at_the_same_time(void** state) {
    fixture* f = *state;
    watch w = watching();
    SYSTEM(f->world, "one", .run = meet, .user = &w, .reads = {&Number_type},
           .stays_on_main = true);
    SYSTEM(f->world, "other", .run = meet, .user = &w, .reads = {&Number_type});
    update(f->world);
    assert_int_equal(w.is_late, 0);
    assert_int_equal(w.on_main, 1);
    assert_int_equal(w.elsewhere, 1);
}

// R003.17
static void an_update_ends_when_every_piece_has(void** state) {
    fixture* f = *state;
    watch w = watching();
    spawn_numbers(f->world, ROWS);
    ilk_system* system = SYSTEM(f->world, "note", .run = note_thread, .user = &w,
                                .is_parallel = true, .query = {.read = {&Number_type}});
    update(f->world);
    uint32_t pieces = w.calls;
    for (uint32_t i = 0; i < 200; i++) {
        w.calls = 0; // no lock: nobody else is there
        update(f->world);
        assert_int_equal(w.calls, pieces);
    }
    assert_int_equal(ilk_system_stats_of(system).calls, 201);
}

static void what_conflicts_is_never_inside_together(ilk_iter* it) {
    watch* w = it->user;
    add_to(&w->inside, 1);
    for (uint32_t i = 0; i < 20; i++) sched_yield();
    if (look(&w->inside) != 1) add_to(&w->is_wrong, 1);
    add_to(&w->inside, UINT32_MAX);
    add_to(&w->calls, 1);
}

// C22
static void systems_that_conflict_wait_for_each_other(void** state) {
    fixture* f = *state;
    watch w = watching();
    ilk_system_fn* run = what_conflicts_is_never_inside_together;
    SYSTEM(f->world, "reads", .run = run, .user = &w, .reads = {&Number_type});
    SYSTEM(f->world, "writes", .run = run, .user = &w, .writes = {&Number_type});
    SYSTEM(f->world, "reads again", .run = run, .user = &w, .reads = {&Number_type});
    SYSTEM(f->world, "uses all", .run = run, .user = &w);
    SYSTEM(f->world, "after", .run = run, .user = &w, .reads = {&Health_type});
    SYSTEM(f->world, "last", .run = run, .user = &w, .reads = {&Health_type}, .after = {"after"});
    for (uint32_t i = 0; i < 10; i++) update(f->world);
    assert_int_equal(w.calls, 60);
    assert_int_equal(w.is_wrong, 0);
}

// A callback and an allocator that notice when somebody is inside already.
static uint32_t callers, crossings, tellings;

static void guarded_message(void* context, const ilk_message* message) {
    (void)context, (void)message;
    uint32_t before = __atomic_fetch_add(&callers, 1, __ATOMIC_ACQ_REL);
    sched_yield();
    add_to(&crossings, before != 0);
    tellings++; // without a lock of its own
    add_to(&callers, UINT32_MAX);
}

static uint32_t allocating;

static void* guarded_alloc(void* context, size_t size, size_t align) {
    uint32_t before = __atomic_fetch_add(&allocating, 1, __ATOMIC_ACQ_REL);
    add_to(&crossings, before != 0);
    void* memory = meter_alloc(context, size, align);
    add_to(&allocating, UINT32_MAX);
    return memory;
}

static void guarded_free(void* context, void* memory, size_t size, size_t align) {
    uint32_t before = __atomic_fetch_add(&allocating, 1, __ATOMIC_ACQ_REL);
    add_to(&crossings, before != 0);
    meter_free(context, memory, size, align);
    add_to(&allocating, UINT32_MAX);
}

// Fails often, records much and creates much.
static void be_busy(ilk_iter* it) {
    while (ilk_next(it)) {
        const Number* numbers = ILK_READ(it, Number);
        for (uint32_t i = 0; i < it->count; i++) {
            if (numbers[i].value % 8 == 0) ilk_cmd_remove(it->cmd, it->entities[i], NULL);
            if (numbers[i].value % 8 == 1) ilk_destroy(it->world, it->entities[i]);
            for (uint32_t k = 0; k < 40; k++) {
                ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE(Position, 1, 2)));
            }
        }
    }
}

static void callbacks_are_called_by_one_thread_at_a_time(void** state) {
    (void)state;
    meter m = {.left = UINT64_MAX};
    ilk_world_desc desc = {
        .workers = 3, .message = guarded_message, .allocator = {guarded_alloc, guarded_free, &m}};
    fixture f = {.world = ilk_world_create(&desc)};
    assert_non_null(f.world);
    hire_workers(&f, 3);
    spawn_numbers(f.world, ROWS);
    SYSTEM(f.world, "busy", .run = be_busy, .is_parallel = true, .query = {.read = {&Number_type}});
    crossings = tellings = 0;
    update(f.world);
    update(f.world);
    assert_int_equal(crossings, 0);
    assert_int_equal(tellings, 2 * 2 * ROWS / 8);
    assert_int_equal(ilk_stats(f.world).alive, ROWS + 2 * 40 * ROWS);
    assert_valid(f.world);
    ilk_world_destroy(f.world);
    assert_int_equal(m.bytes, 0);
    assert_false(m.mismatch);
}

// Fails on every thread but the main one, and sees its own failure there.
static void fail_elsewhere(ilk_iter* it) {
    watch* w = it->user;
    meet(it);
    if (is_main(w)) return;
    if (ilk_cmd_add(it->cmd, w->target, (ilk_value){0}) != ILK_INVALID) add_to(&w->is_wrong, 1);
    if (ilk_error(it->world).result != ILK_INVALID) add_to(&w->is_wrong, 1);
    if (strcmp(ilk_error(it->world).call, "ilk_cmd_add") != 0) add_to(&w->is_wrong, 1);
}

static void failures_elsewhere_leave_the_last_one_here_alone(void** state) {
    fixture* f = *state;
    watch w = watching();
    spawn_numbers(f->world, ROWS);
    assert_int_equal(ilk_destroy(f->world, (ilk_entity){0}), ILK_DEAD);
    f->told.count = 0;
    SYSTEM(f->world, "fail", .run = fail_elsewhere, .user = &w, .is_parallel = true,
           .query = {.read = {&Number_type}});
    update(f->world);
    assert_int_equal(w.is_late + w.is_wrong, 0);
    assert_true(w.elsewhere > 0);
    assert_int_equal(f->told.count, w.elsewhere);
    assert_int_equal(f->told.last.result, ILK_INVALID);
    assert_int_equal(ilk_error(f->world).result, ILK_DEAD);
    assert_string_equal(ilk_error(f->world).call, "ilk_destroy");
}

static void change_at_once(ilk_iter* it) {
    watch* w = it->user;
    const char* name = ilk_system_desc_of(it->system)->name;
    meet(it);
    if (ilk_destroy(it->world, w->target) != ILK_LOCKED) add_to(&w->is_wrong, 1);
    if (ilk_cmd_take(it->world)) add_to(&w->is_wrong, 1);
    if (!strstr(ilk_error(it->world).text, name)) add_to(&w->is_wrong, 1);
    if (ilk_cmd_destroy(w->cmd, w->target) != ILK_LOCKED) add_to(&w->is_wrong, 1);
    if (ilk_cmd_apply(it->cmd).result != ILK_LOCKED) add_to(&w->is_wrong, 1);
    if (ilk_update(it->world, 0) != ILK_LOCKED) add_to(&w->is_wrong, 1);
}

static void the_world_is_locked_for_everybody(void** state) {
    fixture* f = *state;
    watch w = watching();
    w.target = ILK_SPAWN(f->world, ILK_VALUE(Number, 1));
    w.cmd = ilk_cmd_take(f->world);
    SYSTEM(f->world, "first", .run = change_at_once, .user = &w, .reads = {&Number_type});
    SYSTEM(f->world, "second", .run = change_at_once, .user = &w, .reads = {&Number_type});
    update(f->world);
    assert_int_equal(w.is_late + w.is_wrong, 0);
    assert_int_equal(f->told.count, 2 * 5);
    assert_true(ilk_alive(f->world, w.target));
    assert_int_equal(ilk_cmd_count(w.cmd), 0);
    assert_ok(ilk_cmd_destroy(w.cmd, w.target));
    ilk_cmd_apply(w.cmd);
    assert_false(ilk_alive(f->world, w.target));
    f->told.count = 0;
}

// A callback may use the world: what fails in there is noted, and not told again.
static void fail_again(void* context, const ilk_message* message) {
    fixture* f = context;
    (void)message;
    f->told.count++;
    ilk_destroy(f->world, (ilk_entity){0});
}

static void fail_once(ilk_iter* it) {
    ilk_cmd_remove(it->cmd, (ilk_entity){0}, NULL);
}

static void a_callback_that_fails_itself_is_not_called_again(void** state) {
    fixture* f = *state;
    ilk_message_fn* message = f->world->message;
    f->world->message = fail_again;
    f->world->message_context = f;
    SYSTEM(f->world, "one", .run = fail_once, .reads = {&Number_type});
    SYSTEM(f->world, "other", .run = fail_once, .reads = {&Number_type});
    update(f->world);
    assert_int_equal(f->told.count, 2);
    f->world->message = message;
    f->world->message_context = &f->told;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CREW_TEST(what_stays_on_main_runs_there),
        CREW_TEST(pieces_run_on_several_threads),
        CREW_TEST(systems_of_a_wave_run_at_the_same_time),
        CREW_TEST(an_update_ends_when_every_piece_has),
        CREW_TEST(systems_that_conflict_wait_for_each_other),
        cmocka_unit_test(callbacks_are_called_by_one_thread_at_a_time),
        CREW_TEST(failures_elsewhere_leave_the_last_one_here_alone),
        CREW_TEST(the_world_is_locked_for_everybody),
        CREW_TEST(a_callback_that_fails_itself_is_not_called_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
