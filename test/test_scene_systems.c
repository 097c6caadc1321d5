// Scenes and systems: which of them run, and changes of scenes by commands of theirs.
#include "scenes_support.h"

// R003.23
static void the_scene_on_top_says_which_systems_run(void** state) {
    fixture* f = *state;
    make_systems(f->world);
    SCENE(f->world, "game", .systems = SYSTEMS("c", "level", "a", "nobody"));
    SCENE(f->world, "menu", .systems = SYSTEMS("b"));
    SCENE(f->world, "none", .systems = no_systems);
    SCENE(f->world, "all");
    assert_runs(f->world, "a b c level score");
    assert_ok(ilk_scene_push(f->world, "game"));
    assert_told(f, ILK_MISSING, "ilk_scene_push");
    said(f, "ilk_scene_push: scene \"game\" lists \"nobody\", which is no system or phase yet");
    assert_runs(f->world, "a c level");
    assert_ok(ilk_scene_push(f->world, "menu"));
    assert_runs(f->world, "b");
    assert_ok(ilk_scene_push(f->world, "none"));
    assert_runs(f->world, "");
    assert_ok(ilk_scene_push(f->world, "all"));
    assert_runs(f->world, "a b c level score");
    assert_ok(ilk_scene_pop(f->world));
    assert_ok(ilk_scene_pop(f->world));
    assert_runs(f->world, "b");
    assert_ok(ilk_scene_switch(f->world, "game"));
    assert_runs(f->world, "a c level");
    assert_ok(ilk_scene_pop(f->world));
    assert_runs(f->world, "a b c level score");
}

static void a_phase_stands_for_its_systems(void** state) {
    fixture* f = *state;
    make_systems(f->world);
    SCENE(f->world, "frozen", .systems = SYSTEMS("draw", "b"));
    SCENE(f->world, "hidden", .systems = SYSTEMS("update"));
    assert_ok(ilk_scene_push(f->world, "frozen"));
    assert_runs(f->world, "b level score");
    assert_ok(ilk_phase_add(f->world, "late", "update"));
    SYSTEM(f->world, "d", .phase = "late");
    assert_runs(f->world, "b level score");
    assert_ok(ilk_scene_push(f->world, "hidden"));
    assert_runs(f->world, "a b c");
}

static void an_overlay_leaves_those_below_running(void** state) {
    fixture* f = *state;
    make_systems(f->world);
    SCENE(f->world, "menu", .systems = SYSTEMS("c"));
    SCENE(f->world, "game", .systems = SYSTEMS("a", "level"));
    SCENE(f->world, "hud", .systems = SYSTEMS("score"), .is_overlay = true);
    SCENE(f->world, "hint", .systems = no_systems, .is_overlay = true);
    assert_ok(ilk_scene_push(f->world, "hud"));
    assert_runs(f->world, "score");
    assert_ok(ilk_scene_switch(f->world, "menu"));
    assert_ok(ilk_scene_push(f->world, "game"));
    noted("hud- menu+ menu| game+");
    assert_ok(ilk_scene_push(f->world, "hud"));
    noted("hud+");
    assert_runs(f->world, "a level score");
    assert_ok(ilk_scene_push(f->world, "hint"));
    noted("hint+");
    assert_runs(f->world, "a level score");
    assert_ok(ilk_scene_pop(f->world));
    assert_ok(ilk_scene_pop(f->world));
    noted("hint- hud-");
    assert_runs(f->world, "a level");
}

static void all_that_ran_are_paused_and_resume(void** state) {
    fixture* f = *state;
    make_systems(f->world);
    SCENE(f->world, "title", .systems = SYSTEMS("c"));
    SCENE(f->world, "game", .systems = SYSTEMS("a", "level"));
    SCENE(f->world, "hud", .systems = SYSTEMS("score"), .is_overlay = true);
    SCENE(f->world, "menu", .systems = SYSTEMS("b", "draw"));
    SCENE(f->world, "hint", .systems = SYSTEMS("score"), .is_overlay = true);
    assert_ok(ilk_scene_push(f->world, "title"));
    assert_ok(ilk_scene_push(f->world, "game"));
    assert_ok(ilk_scene_push(f->world, "hud"));
    noted("title+ title| game+ hud+");
    assert_ok(ilk_scene_push(f->world, "menu"));
    noted("hud| game| menu+");
    assert_runs(f->world, "b level score");
    assert_ok(ilk_scene_push(f->world, "hint"));
    noted("hint+");
    assert_ok(ilk_scene_pop(f->world));
    noted("hint-");
    assert_ok(ilk_scene_pop(f->world));
    noted("menu- game> hud>");
    assert_runs(f->world, "a level score");
    assert_ok(ilk_scene_switch(f->world, "menu"));
    noted("hud- game- title- menu+");
}

static void both_lists_must_name_a_system(void** state) {
    fixture* f = *state;
    make_systems(f->world);
    SCENE(f->world, "game", .systems = SYSTEMS("a", "b", "level"));
    assert_ok(ilk_scene_push(f->world, "game"));
    journal[0] = 0;
    assert_ok(ilk_update_only(f->world, 1, SYSTEMS("b", "c")));
    assert_ok(ilk_draw_only(f->world, NULL, SYSTEMS("score")));
    noted("b");
    assert_ok(ilk_draw_only(f->world, NULL, SYSTEMS("level")));
    noted("level");
    ilk_system_enable(ilk_system_named(f->world, "a"), false);
    assert_runs(f->world, "b level");
    ilk_pause(f->world, true);
    assert_runs(f->world, "");
}

// R003.7
static void systems_that_come_later_are_found_in_the_lists(void** state) {
    fixture* f = *state;
    SCENE(f->world, "game", .systems = SYSTEMS("a", "c"));
    assert_ok(ilk_scene_push(f->world, "game"));
    SYSTEM(f->world, "b");
    SYSTEM(f->world, "c", .order = 1);
    assert_runs(f->world, "c");
    ilk_system* a = SYSTEM(f->world, "a", .order = 2);
    assert_runs(f->world, "c a");
    assert_non_null(
        ilk_system_replace(f->world, &(ilk_system_desc){.name = "c", .run = note_name}));
    assert_runs(f->world, "c a");
    assert_ok(ilk_system_destroy(a));
    assert_runs(f->world, "c");
    assert_ok(ilk_scene_pop(f->world));
    assert_runs(f->world, "b c");
}

static void make_a(ilk_world* world, void* user) {
    SYSTEM(world, "a");
    note_hook(user, "+");
}

static void leave_at_once(ilk_world* world, void* user) {
    (void)user;
    assert_ok(ilk_scene_pop(world));
    assert_ok(ilk_scene_remove(world, "trap"));
}

static void enter_by_command(ilk_iter* it) {
    assert_ok(ilk_cmd_scene_switch(it->cmd, "late"));
}

static void names_that_nobody_has_are_told_when_a_scene_has_entered(void** state) {
    fixture* f = *state;
    SCENE(f->world, "game", .systems = SYSTEMS("a", "draw"), .enter = make_a);
    SCENE(f->world, "trap", .systems = SYSTEMS("nobody"), .enter = leave_at_once);
    SCENE(f->world, "late", .systems = SYSTEMS("a", "b", "c"));
    assert_quiet(f);
    assert_ok(ilk_scene_push(f->world, "game"));
    assert_ok(ilk_scene_push(f->world, "trap"));
    assert_quiet(f);
    ilk_system_replace(f->world, &(ilk_system_desc){.name = "a", .run = enter_by_command});
    assert_ok(ilk_update(f->world, 1));
    assert_stack(f->world, "late");
    assert_int_equal(f->told.count, 2);
    assert_int_equal(f->told.last.result, ILK_MISSING);
    said(f, "ilk_scene_switch: system \"a\": scene \"late\" lists \"c\", which is no system or "
            "phase yet");
    f->told.count = 0;
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(f->told.count, 2); // it was entered anew
}

// Declared once, for every world.
static const ilk_system_desc shared_systems[] = {
    {.name = "late", .run = note_name, .order = 2},
    {.name = "early", .run = note_name, .order = 1},
    {.name = "level", .run = note_name, .phase = "draw"},
};

// R003.6 C25
static void one_list_of_systems_serves_several_worlds(void** state) {
    fixture* f = *state;
    ilk_world* worlds[] = {f->world, second_world(f, 1)};
    for (uint32_t w = 0; w < 2; w++) {
        for (uint32_t i = 0; i < COUNT_OF(shared_systems); i++) {
            assert_non_null(ilk_system_create(worlds[w], &shared_systems[i]));
        }
        assert_runs(worlds[w], "early late level");
    }
    ilk_system_desc disabled = shared_systems[0];
    disabled.is_disabled = true;
    assert_non_null(ilk_system_replace(worlds[1], &disabled));
    SCENE(worlds[0], "game", .systems = SYSTEMS("late"));
    assert_ok(ilk_scene_push(worlds[0], "game"));
    assert_int_equal(ilk_scene_depth(worlds[1]), 0);
    assert_runs(worlds[0], "late");
    assert_runs(worlds[1], "early level");
    ilk_world_destroy(worlds[1]);
}

static void build_small_level(ilk_world* world, void* user) {
    ilk_entity e = *(ilk_entity*)user = ilk_create(world);
    assert_ok(ilk_set(world, e, ILK_VALUE(Position, 1, 1)));
    assert_ok(ilk_set(world, e, ILK_VALUE(Position, 2, 2)));
    assert_ok(ilk_add(world, e, ILK_VALUE(Velocity, 3, 4)));
}

static void move_all(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        const Velocity* v = ILK_READ(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) p[i].x += v[i].x * (float)it->dt;
    }
}

static void draw_all(ilk_iter* it) {
    while (ilk_next(it)) *(float*)it->surface = ILK_READ(it, Position)->x;
}

// R003.4
static void a_small_game_has_its_verbs(void** state) {
    fixture* f = *state;
    ilk_entity e;
    float surface = 0;
    SYSTEM(f->world, "move", .run = move_all,
           .query = {.write = {&Position_type}, .read = {&Velocity_type}});
    SYSTEM(f->world, "draw", .run = draw_all, .phase = "draw", .query = {.read = {&Position_type}});
    assert_ok(ilk_scene_add(
        f->world, &(ilk_scene_desc){.name = "game", .enter = build_small_level, .user = &e}));
    assert_ok(ilk_scene_switch(f->world, "game"));
    assert_ok(ilk_update(f->world, 2));
    assert_ok(ilk_draw(f->world, &surface));
    assert_true(surface == 8);
    assert_ok(ilk_remove(f->world, e, &Velocity_type));
    assert_int_equal(ilk_remove(f->world, e, &Velocity_type), ILK_MISSING);
    assert_ok(ilk_update(f->world, 2));
    assert_true(same_position(ILK_GET(f->world, e, Position), 8, 2));
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(ilk_destroy(f->world, e), ILK_DEAD);
    assert_int_equal(ilk_query_count(f->world, QUERY(f->world, .with = {&Position_type})), 0);
    f->told.count = 0;
}

static void note_dt(ilk_iter* it) {
    char word[32];
    snprintf(word, sizeof(word), "%g", it->dt);
    note(word);
}

static void no_time_goes_by_for_a_system_that_rests(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "slow", .run = note_dt, .interval = 3);
    SCENE(f->world, "menu", .systems = no_systems);
    assert_runs(f->world, "");
    assert_runs(f->world, "");
    assert_ok(ilk_scene_push(f->world, "menu"));
    assert_runs(f->world, "");
    assert_ok(ilk_scene_pop(f->world));
    assert_runs(f->world, "3");
}

static void a_system_sees_what_changed_while_it_rested(void** state) {
    fixture* f = *state;
    uint32_t rows = 0;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    SYSTEM(f->world, "look", .run = walk_all, .user = &rows,
           .query = {.changed = {&Position_type}});
    SCENE(f->world, "menu", .systems = no_systems);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(rows, 1);
    assert_ok(ilk_scene_push(f->world, "menu"));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Position, 1, 2)));
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(rows, 1);
    assert_ok(ilk_scene_pop(f->world));
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(rows, 2);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(rows, 2);
}

// Which change a system records.
typedef struct wish {
    const char *push, *change;
    bool pops;
} wish;

static void record_wish(ilk_iter* it) {
    wish* w = it->user;
    note(name_of(it->system));
    if (w->push) assert_ok(ilk_cmd_scene_push(it->cmd, w->push));
    if (w->pops) assert_ok(ilk_cmd_scene_pop(it->cmd));
    if (w->change) assert_ok(ilk_cmd_scene_switch(it->cmd, w->change));
    *w = (wish){0};
}

// R003.23
static void a_change_by_command_counts_for_the_systems_after_it(void** state) {
    fixture* f = *state;
    wish w = {.push = "menu"};
    SYSTEM(f->world, "ask", .run = record_wish, .user = &w);
    SYSTEM(f->world, "play");
    SYSTEM(f->world, "choose");
    SYSTEM(f->world, "level", .phase = "draw");
    SCENE(f->world, "game", .systems = SYSTEMS("ask", "play", "draw"));
    SCENE(f->world, "menu", .systems = SYSTEMS("ask", "choose"));
    assert_ok(ilk_scene_push(f->world, "game"));
    assert_runs(f->world, "ask game| menu+ choose");
    assert_runs(f->world, "ask choose");
    w.pops = true;
    assert_runs(f->world, "ask menu- game> play level");
    w.change = "menu";
    assert_runs(f->world, "ask game- menu+ choose");
    w = (wish){.pops = true, .push = "game", .change = "game"};
    assert_runs(f->world, "ask menu| game+ game- menu> menu- game+ play level");
    assert_quiet(f);
}

static void a_change_may_wait_for_the_end_of_the_frame(void** state) {
    fixture* f = *state;
    wish w = {.push = "menu"};
    SYSTEM(f->world, "ask", .run = record_wish, .user = &w, .apply = ILK_APPLY_FRAME);
    SYSTEM(f->world, "play");
    SYSTEM(f->world, "level", .phase = "draw");
    SCENE(f->world, "menu", .systems = SYSTEMS("draw"));
    assert_runs(f->world, "ask play menu+ level");
    assert_runs(f->world, "level");
}

// All systems of a wave run, whatever the first of them asks for.
static void a_wave_is_not_cut_by_a_change(void** state) {
    fixture* f = *state;
    wish w = {.push = "menu"};
    SYSTEM(f->world, "ask", .run = record_wish, .user = &w, .query = {.read = {&Position_type}});
    SYSTEM(f->world, "play", .query = {.read = {&Velocity_type}});
    SYSTEM(f->world, "judge", .after = {"play"}, .query = {.read = {&Velocity_type}});
    SCENE(f->world, "menu", .systems = no_systems);
    assert_int_equal(ilk_system_wave(ilk_system_named(f->world, "play")), 0);
    assert_runs(f->world, "ask play menu+");
}

static void a_command_that_cannot_be_done_is_told(void** state) {
    fixture* f = *state;
    char name[] = "nowhere";
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    assert_ok(ilk_cmd_scene_push(cmd, name));
    memset(name, '-', sizeof(name) - 1);
    assert_int_equal(ilk_cmd_count(cmd), 1);
    assert_quiet(f);
    ilk_cmd_apply(cmd);
    assert_told(f, ILK_MISSING, "ilk_scene_push");
    said(f, "ilk_scene_push: there is no scene \"nowhere\"");
    assert_ok(ilk_cmd_scene_pop(cmd));
    ilk_cmd_apply(cmd);
    assert_told(f, ILK_MISSING, "ilk_scene_pop");
    assert_ok(ilk_cmd_scene_switch(cmd, "nowhere"));
    ilk_cmd_apply(cmd);
    assert_told(f, ILK_MISSING, "ilk_scene_switch");
    said(f, "ilk_scene_switch: there is no scene \"nowhere\"");
    assert_int_equal(ilk_cmd_scene_push(cmd, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_scene_push");
    assert_int_equal(ilk_cmd_scene_switch(cmd, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_scene_switch");
    assert_int_equal(ilk_cmd_count(cmd), 0);
    ilk_cmd_give_back(cmd);
    assert_int_equal(ilk_cmd_scene_push(cmd, "nowhere"), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_scene_push");
}

static void try_directly(ilk_iter* it) {
    fixture* f = it->user;
    note("tried");
    assert_int_equal(ilk_scene_add(it->world, &(ilk_scene_desc){.name = "new"}), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_scene_add");
    assert_int_equal(ilk_scene_remove(it->world, "menu"), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_scene_remove");
    assert_int_equal(ilk_scene_push(it->world, "menu"), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_scene_push");
    assert_int_equal(ilk_scene_pop(it->world), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_scene_pop");
    assert_int_equal(ilk_scene_switch(it->world, "menu"), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_scene_switch");
    said(f, "ilk_scene_switch: system \"a\" is running: changes go through it->cmd, other "
            "calls through ilk_cmd_call or after the update");
    assert_string_equal(ilk_scene_top(it->world), "game");
}

static void scenes_are_locked_inside_a_system(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .run = try_directly, .user = f);
    SCENE(f->world, "game");
    SCENE(f->world, "menu");
    assert_ok(ilk_scene_push(f->world, "game"));
    assert_runs(f->world, "tried");
    assert_stack(f->world, "game");
}

// Whatever is on the stack in the first update.
static void the_start_is_no_scenes_matter(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "boot", .phase = "start");
    SYSTEM(f->world, "play");
    const char* const nothing_runs[] = {NULL};
    assert_ok(ilk_scene_add(f->world, &(ilk_scene_desc){.name = "title", .systems = nothing_runs}));
    assert_ok(ilk_scene_push(f->world, "title"));
    assert_ok(ilk_update(f->world, 1));
    noted("boot");
    assert_ok(ilk_scene_pop(f->world));
    assert_ok(ilk_update(f->world, 1));
    noted("play");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(the_start_is_no_scenes_matter),
        SCHEDULE_TEST(the_scene_on_top_says_which_systems_run),
        SCHEDULE_TEST(a_phase_stands_for_its_systems),
        SCHEDULE_TEST(an_overlay_leaves_those_below_running),
        SCHEDULE_TEST(all_that_ran_are_paused_and_resume),
        SCHEDULE_TEST(both_lists_must_name_a_system),
        SCHEDULE_TEST(systems_that_come_later_are_found_in_the_lists),
        SCHEDULE_TEST(names_that_nobody_has_are_told_when_a_scene_has_entered),
        SCHEDULE_TEST(one_list_of_systems_serves_several_worlds),
        SCHEDULE_TEST(a_small_game_has_its_verbs),
        SCHEDULE_TEST(no_time_goes_by_for_a_system_that_rests),
        SCHEDULE_TEST(a_system_sees_what_changed_while_it_rested),
        SCHEDULE_TEST(a_change_by_command_counts_for_the_systems_after_it),
        SCHEDULE_TEST(a_change_may_wait_for_the_end_of_the_frame),
        SCHEDULE_TEST(a_wave_is_not_cut_by_a_change),
        SCHEDULE_TEST(a_command_that_cannot_be_done_is_told),
        SCHEDULE_TEST(scenes_are_locked_inside_a_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
