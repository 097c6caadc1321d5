// Time: what goes by, fixed steps, intervals and pauses; and what frames see, settle, count and
// need.
#include "schedule_support.h"

static void note_dt(ilk_iter* it) {
    char word[32];
    snprintf(word, sizeof(word), "%s:%.4g", name_of(it->system), it->dt);
    note(word);
}

static void update_times(ilk_world* world, double dt, uint32_t times) {
    for (uint32_t i = 0; i < times; i++) assert_ok(ilk_update(world, dt));
}

static void time_goes_by_with_updates(void** state) {
    fixture* f = *state;
    ilk_time time = ilk_time_of(f->world);
    assert_true(time.frames == 0 && time.nanoseconds == 0 && !time.is_paused);
    SYSTEM(f->world, "a", .run = note_dt);
    update_times(f->world, 0.25, 2);
    assert_ok(ilk_update(f->world, 0));
    noted("a:0.25 a:0.25 a:0");
    time = ilk_time_of(f->world);
    assert_true(time.frames == 3 && time.nanoseconds == 500000000);
    assert_int_equal(ilk_time_of(NULL).frames, 0);
}

static void a_time_that_makes_no_sense_is_refused(void** state) {
    fixture* f = *state;
    volatile double zero = 0;
    const double wrong[] = {-1, -1e-9, zero / zero, 1 / zero, -1 / zero, 1.1e9};
    SYSTEM(f->world, "a");
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_int_equal(ilk_update(f->world, wrong[i]), ILK_INVALID);
        assert_told(f, ILK_INVALID, "ilk_update");
    }
    noted("");
    assert_int_equal(ilk_time_of(f->world).frames, 0);
    assert_int_equal(ilk_update(NULL, 1), ILK_INVALID);
    assert_int_equal(ilk_update_only(NULL, 1, NULL), ILK_INVALID);
    assert_int_equal(ilk_draw(NULL, NULL), ILK_INVALID);
    assert_int_equal(ilk_set_fixed_step(NULL, 1, 1), ILK_INVALID);
    assert_ok(ilk_update(f->world, 1e9));
    noted("a");
}

// R001.35
static void an_interval_gets_all_the_time_that_has_gone_by(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .run = note_dt, .interval = 1);
    update_times(f->world, 0.4, 2);
    noted("");
    assert_ok(ilk_update(f->world, 0.4));
    noted("a:1.2");
    update_times(f->world, 0.4, 3);
    noted("a:1.2");
    assert_ok(ilk_update(f->world, 5));
    noted("a:5");
    update_times(f->world, 0.1, 10);
    noted("a:1");
}

// Frames are whole nanoseconds, and so may lack a few of them where they make up an interval.
static void an_interval_of_whole_frames_ends_with_them(void** state) {
    const struct {
        const char* phase;
        double interval, frame;
        uint32_t frames, runs;
    } cases[] = {
        {"fixed", 1.0 / 60, 1.0 / 60, 600, 600},  {"fixed", 0.05, 1.0 / 60, 600, 200},
        {"fixed", 0.1, 1.0 / 60, 600, 100},       {"fixed", 1, 1.0 / 60, 600, 10},
        {"update", 1.0 / 60, 1.0 / 60, 600, 600}, {"update", 0.1, 1.0 / 30, 300, 100},
        {"update", 1, 1.0 / 30, 300, 10},         {"update", 0.025, 1.0 / 120, 7200, 2400},
        {"update", 0.3, 0.1, 300, 100},           {"update", 0.0011, 0.001, 1100, 550},
    };
    fixture* f = *state;
    for (uint32_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t runs = 0;
        ilk_world* world = second_world(f, 0);
        ilk_system* system = SYSTEM(world, "often", .run = count_run, .user = &runs,
                                    .phase = cases[i].phase, .interval = cases[i].interval);
        assert_non_null(system);
        update_times(world, cases[i].frame, cases[i].frames);
        assert_int_equal(runs, cases[i].runs);
        ilk_world_destroy(world);
    }
}

static bool is_true(ilk_world* world, void* user) {
    (void)world;
    return *(bool*)user;
}

static void time_is_kept_while_a_condition_says_no(void** state) {
    fixture* f = *state;
    bool wanted = false;
    SYSTEM(f->world, "a", .run = note_dt, .interval = 1, .when = is_true, .user = &wanted);
    update_times(f->world, 0.5, 3);
    noted("");
    wanted = true;
    assert_ok(ilk_update(f->world, 0.5));
    noted("a:2");
}

static void no_time_goes_by_for_who_is_passed_over(void** state) {
    fixture* f = *state;
    const char* nobody[] = {NULL};
    ilk_system* a = SYSTEM(f->world, "a", .run = note_dt, .interval = 1);
    assert_ok(ilk_scene_add(f->world, &(ilk_scene_desc){.name = "quiet", .systems = nobody}));
    assert_ok(ilk_update(f->world, 0.5));
    ilk_system_enable(a, false);
    update_times(f->world, 4, 2);
    ilk_system_enable(a, true);
    assert_ok(ilk_update_only(f->world, 4, nobody));
    assert_ok(ilk_scene_push(f->world, "quiet"));
    update_times(f->world, 4, 2);
    assert_ok(ilk_scene_pop(f->world));
    ilk_pause(f->world, true);
    update_times(f->world, 4, 2);
    ilk_pause(f->world, false);
    assert_ok(ilk_update(f->world, 0.25));
    noted("");
    assert_ok(ilk_update(f->world, 0.25));
    noted("a:1");
}

// R001.34
static void while_paused_only_those_run_that_say_so(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .run = note_dt);
    SYSTEM(f->world, "menu", .run = note_dt, .runs_paused = true);
    SYSTEM(f->world, "slow", .run = note_dt, .runs_paused = true, .interval = 1);
    SYSTEM(f->world, "picture", .phase = "draw");
    SYSTEM(f->world, "overlay", .phase = "draw", .runs_paused = true);
    SYSTEM(f->world, "fixed", .phase = "fixed", .runs_paused = true);
    assert_ok(ilk_set_fixed_step(f->world, 0.5, 8));
    assert_ok(ilk_update(f->world, 0.5));
    noted("fixed a:0.5 menu:0.5");
    ilk_pause(f->world, true);
    assert_true(ilk_time_of(f->world).is_paused);
    update_times(f->world, 0.5, 2);
    noted("menu:0 menu:0");
    assert_ok(ilk_draw(f->world, NULL));
    noted("overlay");
    assert_int_equal(ilk_time_of(f->world).nanoseconds, 500000000);
    assert_int_equal(ilk_time_of(f->world).frames, 3);
    ilk_pause(f->world, false);
    assert_ok(ilk_update(f->world, 0.5));
    noted("fixed a:0.5 menu:0.5 slow:1");
    assert_ok(ilk_draw(f->world, NULL));
    noted("picture overlay");
}

static void time_may_go_by_faster(void** state) {
    fixture* f = *state;
    volatile double zero = 0;
    SYSTEM(f->world, "a", .run = note_dt);
    SYSTEM(f->world, "fixed", .run = note_dt, .phase = "fixed");
    assert_ok(ilk_set_fixed_step(f->world, 0.5, 8));
    ilk_set_time_scale(f->world, 2);
    assert_ok(ilk_update(f->world, 0.5));
    noted("fixed:0.5 fixed:0.5 a:1");
    ilk_set_time_scale(f->world, 0.25);
    assert_ok(ilk_update(f->world, 1));
    noted("a:0.25");
    ilk_set_time_scale(f->world, -1); // passed over, like the next
    assert_told(f, ILK_INVALID, "ilk_set_time_scale");
    ilk_set_time_scale(f->world, zero / zero);
    assert_told(f, ILK_INVALID, "ilk_set_time_scale");
    assert_ok(ilk_update(f->world, 1));
    noted("fixed:0.5 a:0.25");
    ilk_set_time_scale(f->world, 0);
    assert_ok(ilk_update(f->world, 1));
    noted("a:0");
    ilk_set_time_scale(NULL, 1);
    ilk_pause(NULL, true);
}

static void a_scale_does_not_lead_beyond_the_end_of_time(void** state) {
    fixture* f = *state;
    ilk_set_time_scale(f->world, 1e6);
    assert_int_equal(ilk_update(f->world, 1e9), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_update");
    assert_ok(ilk_update(f->world, 1e3));
    assert_int_equal(ilk_time_of(f->world).nanoseconds, 1000000000000000000);
}

static uint64_t steps_of_update(ilk_world* world, double dt) {
    uint64_t before = ilk_time_of(world).fixed_steps;
    assert_ok(ilk_update(world, dt));
    return ilk_time_of(world).fixed_steps - before;
}

// R002.25
static void steps_of_a_sixtieth_fit_three_times_into_a_twentieth(void** state) {
    fixture* f = *state;
    uint32_t count = 0;
    SYSTEM(f->world, "a", .run = count_run, .user = &count, .phase = "fixed");
    for (uint32_t i = 0; i < 100; i++) assert_int_equal(steps_of_update(f->world, 0.05), 3);
    assert_int_equal(count, 300);
    assert_ok(ilk_set_fixed_step(f->world, 1.0 / 60, 8));
    for (uint32_t i = 0; i < 100; i++) assert_int_equal(steps_of_update(f->world, 0.05), 3);
    for (uint32_t i = 0; i < 100; i++) assert_int_equal(steps_of_update(f->world, 1.0 / 60), 1);
    assert_int_equal(count, 700);
}

// R002.25
static void what_is_over_waits_for_the_next_frame(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .run = note_dt, .phase = "fixed");
    assert_ok(ilk_set_fixed_step(f->world, 0.25, 8));
    assert_int_equal(steps_of_update(f->world, 0.125), 0);
    assert_true(ilk_time_of(f->world).fraction == 0.5);
    assert_int_equal(steps_of_update(f->world, 0.125), 1);
    assert_true(ilk_time_of(f->world).fraction == 0);
    assert_int_equal(steps_of_update(f->world, 0.6875), 2);
    assert_true(ilk_time_of(f->world).fraction == 0.75);
    assert_int_equal(steps_of_update(f->world, 0), 0);
    assert_int_equal(steps_of_update(f->world, 0.0625), 1);
    noted("a:0.25 a:0.25 a:0.25 a:0.25");
}

// R002.25
static void what_is_beyond_the_cap_is_dropped(void** state) {
    fixture* f = *state;
    assert_int_equal(steps_of_update(f->world, 1), 8);
    assert_true(ilk_time_of(f->world).fraction < 1);
    assert_true(steps_of_update(f->world, 1.0 / 60) <= 2);
    assert_ok(ilk_set_fixed_step(f->world, 0.25, 2));
    assert_int_equal(steps_of_update(f->world, 100), 2);
    assert_int_equal(steps_of_update(f->world, 0.25), 1);
    assert_int_equal(steps_of_update(f->world, 0.125), 0);
}

// R002.25: a client that stood still for a while goes on as if it had been a tenth of a second.
static void a_frame_may_have_a_longest(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .run = note_dt);
    SYSTEM(f->world, "b", .run = note_dt, .interval = 0.5);
    assert_ok(ilk_set_longest_frame(f->world, 0.1));
    assert_int_equal(steps_of_update(f->world, 0.05), 3);
    assert_int_equal(steps_of_update(f->world, 0.2), 6);
    noted("a:0.05 a:0.1");
    ilk_system_replace(f->world, &(ilk_system_desc){.name = "b", .run = note_dt, .interval = 0.5});
    assert_ok(ilk_set_fixed_step(f->world, 1.0 / 64, 100));
    assert_ok(ilk_set_longest_frame(f->world, 0.125));
    assert_int_equal(steps_of_update(f->world, 0.0625), 4);
    assert_int_equal(steps_of_update(f->world, 0.125), 8);
    assert_int_equal(steps_of_update(f->world, 1), 8);
    assert_int_equal(steps_of_update(f->world, 1e9), 8);
    assert_int_equal(ilk_time_of(f->world).nanoseconds, 587500000);
    noted("a:0.0625 a:0.125 a:0.125 a:0.125");
    ilk_set_time_scale(f->world, 2); // of what is left of the frame
    assert_int_equal(steps_of_update(f->world, 1), 16);
    noted("a:0.25 b:0.6875");
    ilk_set_time_scale(f->world, 1);
    assert_ok(ilk_set_longest_frame(f->world, 0));
    assert_int_equal(steps_of_update(f->world, 1), 64);
    noted("a:1 b:1");
}

static void a_longest_frame_that_makes_no_sense_is_refused(void** state) {
    fixture* f = *state;
    volatile double zero = 0;
    const double wrong[] = {-1, zero / zero, 1 / zero, 2e9};
    SYSTEM(f->world, "a", .run = note_dt);
    assert_ok(ilk_set_longest_frame(f->world, 0.25));
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_int_equal(ilk_set_longest_frame(f->world, wrong[i]), ILK_INVALID);
        assert_told(f, ILK_INVALID, "ilk_set_longest_frame");
    }
    assert_int_equal(ilk_set_longest_frame(NULL, 1), ILK_INVALID);
    assert_int_equal(ilk_update(f->world, 2e9), ILK_INVALID); // a mistake all the same
    assert_told(f, ILK_INVALID, "ilk_update");
    assert_ok(ilk_update(f->world, 1));
    noted("a:0.25");
}

static void a_step_that_makes_no_sense_is_refused(void** state) {
    fixture* f = *state;
    volatile double zero = 0;
    const double wrong[] = {0, -1, zero / zero, 1 / zero};
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_int_equal(ilk_set_fixed_step(f->world, wrong[i], 8), ILK_INVALID);
        assert_told(f, ILK_INVALID, "ilk_set_fixed_step");
    }
    assert_int_equal(ilk_set_fixed_step(f->world, 1, 0), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_set_fixed_step");
    assert_int_equal(steps_of_update(f->world, 0.05), 3);
}

static void lengthen(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    (void)user;
    assert_ok(ilk_set_fixed_step(world, 10, 8));
}

static void call_to_lengthen(ilk_iter* it) {
    note_dt(it);
    assert_ok(ilk_cmd_call(it->cmd, lengthen, NULL));
}

static void the_step_may_change_while_it_runs(void** state) {
    fixture* f = *state;
    assert_ok(ilk_set_fixed_step(f->world, 1, 8));
    SYSTEM(f->world, "a", .run = call_to_lengthen, .phase = "fixed");
    assert_ok(ilk_update(f->world, 1.5));
    noted("a:1");
    double fraction = ilk_time_of(f->world).fraction;
    assert_true(fraction >= 0 && fraction < 1);
    assert_ok(ilk_update(f->world, 5));
    noted("");
    assert_ok(ilk_update(f->world, 5));
    noted("a:10");
}

static void the_start_phase_runs_once(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a");
    SYSTEM(f->world, "start", .phase = "start");
    assert_ok(ilk_draw(f->world, NULL));
    noted("");
    update_times(f->world, 1, 3);
    noted("start a a a");
    SYSTEM(f->world, "late", .phase = "start");
    assert_ok(ilk_update(f->world, 1));
    noted("a");
}

static void the_start_phase_waits_for_the_first_update_that_is_not_paused(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "start", .phase = "start");
    SYSTEM(f->world, "eager", .phase = "start", .runs_paused = true);
    ilk_pause(f->world, true);
    update_times(f->world, 1, 2);
    noted("");
    ilk_pause(f->world, false);
    update_times(f->world, 1, 2);
    noted("start eager");
}

// A change of each kind is made once, and seen once by each system, wherever it stands.
typedef struct Traced {
    int32_t value;
} Traced;
ILK_COMPONENT_WITH(Traced, .track = true);

static void note_changed(ilk_iter* it) {
    while (ilk_next(it)) {
        char word[32];
        snprintf(word, sizeof(word), "%s%u", name_of(it->system), it->count);
        note(word);
    }
}

static void write_if_told(ilk_iter* it) {
    bool* is_told = it->user;
    while (ilk_next(it)) {
        if (!*is_told) continue;
        ILK_WRITE(it, Traced)->value++;
        note("change");
    }
    *is_told = false;
}

static void set_if_told(ilk_iter* it) {
    bool* is_told = it->user;
    while (ilk_next(it)) {
        if (*is_told) assert_ok(ilk_cmd_set(it->cmd, it->entities[0], ILK_WITH(Traced)));
    }
    *is_told = false;
}

static void make_watchers(fixture* f, bool* by_column, bool* by_command) {
    ilk_query_desc watches = {.changed = {&Traced_type}};
    SYSTEM(f->world, "a", .run = note_changed, .query = watches);
    SYSTEM(f->world, "b", .run = note_changed, .query = watches);
    SYSTEM(f->world, "column", .run = write_if_told, .user = by_column,
           .query = {.write = {&Traced_type}, .with = {&Enemy_type}});
    SYSTEM(f->world, "command", .run = set_if_told, .user = by_command,
           .query = {.with = {&Traced_type, &Enemy_type}});
    SYSTEM(f->world, "c", .run = note_changed, .query = watches, .after = {"command"});
    SYSTEM(f->world, "d", .run = note_changed, .query = watches, .phase = "post");
}

// R004.9 R004.10
static void each_system_sees_each_change_once(void** state) {
    fixture* f = *state;
    bool by_column = false, by_command = false;
    make_watchers(f, &by_column, &by_command);
    ILK_SPAWN(f->world, ILK_WITH(Traced));
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Traced), ILK_WITH(Enemy));
    settle_fully(f->world);
    assert_ok(ilk_update(f->world, 1));
    noted("a2 b2 c2 d2");
    assert_ok(ilk_update(f->world, 1));
    noted("");
    by_column = true;
    assert_ok(ilk_update(f->world, 1));
    noted("change c1 d1");
    assert_ok(ilk_update(f->world, 1));
    noted("a1 b1");
    by_command = true;
    assert_ok(ilk_update(f->world, 1));
    noted("c1 d1");
    assert_ok(ilk_update(f->world, 1));
    noted("a1 b1");
    assert_non_null(ilk_edit(f->world, e, &Traced_type)); // between two updates
    assert_ok(ilk_update(f->world, 1));
    noted("a1 b1 c1 d1");
    assert_ok(ilk_update(f->world, 1));
    noted("");
}

// Notes what it sees, and writes it if told to.
static void note_and_write(ilk_iter* it) {
    bool* is_told = it->user;
    while (ilk_next(it)) {
        char word[32];
        snprintf(word, sizeof(word), "%s%u", name_of(it->system), it->count);
        note(word);
        if (!*is_told) continue;
        ILK_WRITE(it, Traced)->value++;
        note("change");
    }
    *is_told = false;
}

static void make_writing_watcher(fixture* f, bool* is_told) {
    SYSTEM(f->world, "c", .run = note_and_write, .user = is_told,
           .query = {.write = {&Traced_type}, .changed = {&Traced_type}});
}

// The change comes from outside; and once more from inside the system that may write, in which it
// is not seen again. After that nobody sees anything.
static void change_from_outside_and_inside(fixture* f, ilk_entity e, bool* is_told,
                                           const char* from_outside, const char* with_inside,
                                           const char* from_inside) {
    for (uint32_t i = 0; i < 3; i++) {
        assert_non_null(ilk_edit(f->world, e, &Traced_type));
        assert_ok(ilk_update(f->world, 1));
        noted(from_outside);
        assert_ok(ilk_update(f->world, 1));
        noted("");
        assert_non_null(ilk_edit(f->world, e, &Traced_type));
        *is_told = true;
        assert_ok(ilk_update(f->world, 1));
        noted(with_inside);
        assert_ok(ilk_update(f->world, 1));
        noted(from_inside);
        assert_ok(ilk_update(f->world, 1));
        noted("");
    }
}

// R004.9 R004.10: of four systems, the third one changes what it watches itself.
static void who_changes_what_it_watches_does_not_see_that_again(void** state) {
    fixture* f = *state;
    bool is_told = false;
    ilk_query_desc watches = {.changed = {&Traced_type}};
    SYSTEM(f->world, "a", .run = note_changed, .query = watches);
    SYSTEM(f->world, "b", .run = note_changed, .query = watches);
    make_writing_watcher(f, &is_told);
    SYSTEM(f->world, "d", .run = note_changed, .query = watches, .after = {"c"});
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Traced));
    assert_ok(ilk_update(f->world, 1));
    noted("a1 b1 c1 d1");
    change_from_outside_and_inside(f, e, &is_told, "a1 b1 c1 d1", "a1 b1 c1 change d1", "a1 b1");
}

// R004.10: and if there is no other.
static void who_is_alone_does_not_see_its_own_change_again(void** state) {
    fixture* f = *state;
    bool is_told = false;
    make_writing_watcher(f, &is_told);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Traced));
    assert_ok(ilk_update(f->world, 1));
    noted("c1");
    change_from_outside_and_inside(f, e, &is_told, "c1", "c1 change", "");
}

// R004.10
static void a_system_alone_sees_each_change_once(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .run = note_changed, .query = {.changed = {&Traced_type}});
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Traced));
    for (uint32_t i = 0; i < 3; i++) {
        assert_ok(ilk_update(f->world, 1));
        noted("a1");
        assert_ok(ilk_update(f->world, 1));
        noted("");
        assert_ok(ilk_set(f->world, e, ILK_VALUE(Traced, (int32_t)i)));
    }
}

static void set_and_note(ilk_iter* it) {
    bool* is_told = it->user;
    while (ilk_next(it)) {
        note("seen");
        if (*is_told) assert_ok(ilk_cmd_set(it->cmd, it->entities[0], ILK_WITH(Traced)));
    }
    *is_told = false;
}

// R004.9: commands are done after their system: it sees in the next update what it changed by one,
// and once.
static void who_changes_by_command_sees_it_when_it_runs_next(void** state) {
    fixture* f = *state;
    bool is_told = true;
    SYSTEM(f->world, "a", .run = set_and_note, .user = &is_told,
           .query = {.changed = {&Traced_type}});
    ILK_SPAWN(f->world, ILK_WITH(Traced));
    for (uint32_t i = 0; i < 2; i++) {
        assert_ok(ilk_update(f->world, 1));
        noted("seen");
    }
    assert_ok(ilk_update(f->world, 1));
    noted("");
}

// R004.11
static void who_does_not_run_sees_a_change_later_and_the_others_do_not(void** state) {
    fixture* f = *state;
    bool no = false;
    make_watchers(f, &no, &no);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Traced));
    assert_ok(ilk_update(f->world, 1));
    noted("a1 b1 c1 d1");
    ilk_system_enable(ilk_system_named(f->world, "b"), false);
    assert_ok(ilk_mark(f->world, e, &Traced_type));
    assert_ok(ilk_update(f->world, 1));
    noted("a1 c1 d1");
    assert_ok(ilk_update(f->world, 1));
    noted("");
    ilk_system_enable(ilk_system_named(f->world, "b"), true);
    assert_ok(ilk_update(f->world, 1));
    noted("b1");
}

// Entities whose components change, so that there is something to settle.
static void stir(fixture* f, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
        assert_ok(ilk_add(f->world, e, i % 2 ? ILK_WITH(Velocity) : ILK_WITH(Health)));
    }
}

static void an_update_ends_with_settling(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_last_settling(f->world).blocks, 0);
    assert_int_equal(ilk_last_settling(NULL).blocks, 0);
    stir(f, 5000);
    assert_ok(ilk_draw(f->world, NULL));
    assert_int_equal(ilk_last_settling(f->world).blocks, 0);
    for (uint32_t i = 0; i < 1000 && !ilk_last_settling(f->world).done; i++) {
        assert_ok(ilk_update(f->world, 1));
    }
    assert_true(ilk_last_settling(f->world).done);
    assert_true(ilk_settle(f->world, 0).moved == 0);
}

static void settling_keeps_to_its_budget(void** state) {
    fixture* f = *state;
    stir(f, 20000);
    ilk_set_settling(f->world, 2);
    assert_ok(ilk_update(f->world, 1));
    ilk_settled small = ilk_last_settling(f->world);
    assert_true(small.blocks > 0 && !small.done);
    ilk_set_settling(f->world, 0);
    uint32_t guests = ilk_stats(f->world).guests;
    update_times(f->world, 1, 100);
    assert_int_equal(ilk_stats(f->world).guests, guests);
    ilk_set_settling(f->world, 100000);
    assert_ok(ilk_update(f->world, 1)); // now it has seen all of them,
    assert_true(ilk_last_settling(f->world).blocks > small.blocks);
    assert_ok(ilk_update(f->world, 1)); // moves them,
    assert_true(ilk_last_settling(f->world).moved > 10000);
    assert_ok(ilk_update(f->world, 1)); // closes what they left open,
    assert_ok(ilk_update(f->world, 1)); // and finds nothing more
    assert_true(ilk_last_settling(f->world).done);
    ilk_set_settling(NULL, 1);
}

static void take_time(ilk_iter* it) {
    volatile uint32_t spent = 0;
    while (spent < 100000) spent++;
    while (ilk_next(it)) assert_true(it->count > 0);
}

// R003.28
static void the_time_of_each_system_is_measured(void** state) {
    fixture* f = *state;
    ilk_entity e[7];
    spawn_positions(f->world, e, 7);
    ilk_system* a = SYSTEM(f->world, "a", .run = take_time, .query = {.read = {&Position_type}});
    ilk_system* off = SYSTEM(f->world, "off", .is_disabled = true);
    update_times(f->world, 1, 3);
    ilk_system_stats stats = ilk_system_stats_of(a);
    assert_true(stats.calls == 3 && stats.rows == 21 && stats.commands == 0 && stats.skipped == 0);
    assert_true(stats.last_ns > 0 && stats.last_ns <= stats.worst_ns);
    assert_true(stats.worst_ns <= stats.total_ns && stats.total_ns <= 3 * stats.worst_ns);
    assert_int_equal(ilk_system_stats_of(off).calls, 0);
    ilk_system_stats_reset(a);
    stats = ilk_system_stats_of(a);
    assert_true(stats.calls == 0 && stats.rows == 0 && stats.total_ns == 0 && stats.worst_ns == 0);
    assert_ok(ilk_update(f->world, 1));
    stats = ilk_system_stats_of(a);
    assert_true(stats.calls == 1 && stats.rows == 7 && stats.total_ns == stats.last_ns);
}

// Systems of a world with a steady coming and going; with `user` set, components come and go too.
static void send_ten(ilk_iter* it) {
    for (uint32_t i = 0; i < 10; i++) {
        ilk_entity e = ilk_cmd_spawn(
            it->cmd, ILK_VALUES(ILK_VALUE(Position, (float)i, 0), ILK_VALUE(Health, 5)));
        if (it->user) assert_ok(ilk_cmd_add(it->cmd, e, ILK_WITH(Velocity)));
    }
}

static void grow_old(ilk_iter* it) {
    while (ilk_next(it)) {
        Health* health = ILK_WRITE(it, Health);
        for (uint32_t i = 0; i < it->count; i++) {
            int32_t points = --health[i].points;
            ilk_entity e = it->entities[i];
            if (it->user && points == 3) assert_ok(ilk_cmd_add(it->cmd, e, ILK_WITH(Enemy)));
            if (it->user && points == 1) assert_ok(ilk_cmd_remove(it->cmd, e, &Velocity_type));
            if (points == 0) assert_ok(ilk_cmd_destroy(it->cmd, e));
        }
    }
}

// How often a world asked for memory in a thousand frames.
static uint64_t calls_in_frames(fixture* f, void* is_changing) {
    uint32_t count = 0;
    SYSTEM(f->world, "send", .run = send_ten, .user = is_changing);
    SYSTEM(f->world, "age", .run = grow_old, .user = is_changing,
           .query = {.write = {&Health_type}});
    SYSTEM(f->world, "count", .run = walk_all, .user = &count, .interval = 3,
           .query = {.changed = {&Health_type}}, .phase = "post", .apply = ILK_APPLY_FRAME);
    SYSTEM(f->world, "each", .each = count_call, .user = &count, .phase = "draw",
           .query = {.read = {&Position_type}, .maybe = {&Enemy_type}});
    uint64_t calls = 0;
    for (uint32_t frame = 0; frame < 1200; frame++) {
        if (frame == 200) calls = f->memory.calls;
        assert_ok(ilk_update(f->world, 1));
        assert_ok(ilk_draw(f->world, NULL));
    }
    assert_int_equal(ilk_stats(f->world).alive, 40);
    assert_int_equal(ilk_stats(f->world).ever, 12000);
    assert_quiet(f);
    return f->memory.calls - calls;
}

// R003.33
static void frames_need_no_memory_once_warm(void** state) {
    assert_int_equal(calls_in_frames(*state, NULL), 0);
}

// R003.33
static void changing_frames_need_none_either(void** state) {
    assert_int_equal(calls_in_frames(*state, *state), 0);
}

static void without_settling_changing_frames_need_none_either(void** state) {
    fixture* f = *state;
    ilk_set_settling(f->world, 0);
    assert_int_equal(calls_in_frames(f, f), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(time_goes_by_with_updates),
        SCHEDULE_TEST(a_time_that_makes_no_sense_is_refused),
        SCHEDULE_TEST(an_interval_gets_all_the_time_that_has_gone_by),
        SCHEDULE_TEST(an_interval_of_whole_frames_ends_with_them),
        SCHEDULE_TEST(time_is_kept_while_a_condition_says_no),
        SCHEDULE_TEST(no_time_goes_by_for_who_is_passed_over),
        SCHEDULE_TEST(while_paused_only_those_run_that_say_so),
        SCHEDULE_TEST(time_may_go_by_faster),
        SCHEDULE_TEST(a_scale_does_not_lead_beyond_the_end_of_time),
        SCHEDULE_TEST(steps_of_a_sixtieth_fit_three_times_into_a_twentieth),
        SCHEDULE_TEST(what_is_over_waits_for_the_next_frame),
        SCHEDULE_TEST(what_is_beyond_the_cap_is_dropped),
        SCHEDULE_TEST(a_frame_may_have_a_longest),
        SCHEDULE_TEST(a_longest_frame_that_makes_no_sense_is_refused),
        SCHEDULE_TEST(a_step_that_makes_no_sense_is_refused),
        SCHEDULE_TEST(the_step_may_change_while_it_runs),
        SCHEDULE_TEST(the_start_phase_runs_once),
        SCHEDULE_TEST(the_start_phase_waits_for_the_first_update_that_is_not_paused),
        SCHEDULE_TEST(each_system_sees_each_change_once),
        SCHEDULE_TEST(who_changes_what_it_watches_does_not_see_that_again),
        SCHEDULE_TEST(who_is_alone_does_not_see_its_own_change_again),
        SCHEDULE_TEST(a_system_alone_sees_each_change_once),
        SCHEDULE_TEST(who_changes_by_command_sees_it_when_it_runs_next),
        SCHEDULE_TEST(who_does_not_run_sees_a_change_later_and_the_others_do_not),
        SCHEDULE_TEST(an_update_ends_with_settling),
        SCHEDULE_TEST(settling_keeps_to_its_budget),
        SCHEDULE_TEST(the_time_of_each_system_is_measured),
        SCHEDULE_TEST(frames_need_no_memory_once_warm),
        SCHEDULE_TEST(changing_frames_need_none_either),
        SCHEDULE_TEST(without_settling_changing_frames_need_none_either),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
