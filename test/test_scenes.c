// Scenes: the stack, the hooks and their order, which systems run, what goes with a scene.
#include "schedule_support.h"

// A scene that notes its hooks as "menu+", "menu-", "menu|" and "menu>".
static void note_hook(const char* name, const char* sign) {
    char word[64];
    snprintf(word, sizeof(word), "%s%s", name, sign);
    note(word);
}

static void note_enter(ilk_world* world, void* user) {
    assert_string_equal(ilk_scene_top(world), user);
    note_hook(user, "+");
}

static void note_exit(ilk_world* world, void* user) {
    assert_string_equal(ilk_scene_top(world), user);
    note_hook(user, "-");
}

static void note_pause(ilk_world* world, void* user) {
    assert_non_null(world);
    note_hook(user, "|");
}

static void note_resume(ilk_world* world, void* user) {
    assert_non_null(world);
    note_hook(user, ">");
}

static void scene_of(ilk_world* world, ilk_scene_desc desc) {
    if (!desc.user) desc.user = (void*)(uintptr_t)desc.name;
    if (!desc.enter) desc.enter = note_enter;
    if (!desc.exit) desc.exit = note_exit;
    if (!desc.pause) desc.pause = note_pause;
    if (!desc.resume) desc.resume = note_resume;
    assert_ok(ilk_scene_add(world, &desc));
}
#define SCENE(world, ...) scene_of((world), (ilk_scene_desc){.name = __VA_ARGS__})
#define SYSTEMS(...) ((const char* const[]){__VA_ARGS__, NULL})

static const char* const no_systems[] = {NULL};

// The stack from the bottom up, in words.
static void assert_stack_at(const ilk_world* world, const char* words, const char* file, int line) {
    char text[256] = "";
    uint32_t depth = ilk_scene_depth(world);
    for (uint32_t i = 0; i < depth; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof(text) - length, "%s%s", i ? " " : "",
                 ilk_scene_at(world, i));
    }
    _assert_string_equal(text, words, file, line);
    _assert_true(!ilk_scene_at(world, depth), "nothing lies above the top", file, line);
    const char* top = ilk_scene_top(world);
    const char* last = depth ? ilk_scene_at(world, depth - 1) : NULL;
    _assert_true(top == last, "the top is the last", file, line);
}
#define assert_stack(world, words) assert_stack_at((world), (words), __FILE__, __LINE__)

// Which systems an update and a drawing run.
static void assert_runs_at(ilk_world* world, const char* words, const char* file, int line) {
    journal[0] = 0;
    _assert_int_equal(ilk_update(world, 1), ILK_OK, file, line);
    _assert_int_equal(ilk_draw(world, NULL), ILK_OK, file, line);
    noted_at(words, file, line);
}
#define assert_runs(world, words) assert_runs_at((world), (words), __FILE__, __LINE__)

// R003.23
static void scenes_lie_on_a_stack(void** state) {
    fixture* f = *state;
    assert_stack(f->world, "");
    SCENE(f->world, "menu");
    SCENE(f->world, "game");
    SCENE(f->world, "map");
    assert_stack(f->world, "");
    assert_ok(ilk_scene_push(f->world, "menu"));
    assert_stack(f->world, "menu");
    assert_ok(ilk_scene_push(f->world, "game"));
    assert_ok(ilk_scene_push(f->world, "map"));
    assert_stack(f->world, "menu game map");
    assert_ok(ilk_scene_pop(f->world));
    assert_stack(f->world, "menu game");
    assert_ok(ilk_scene_push(f->world, "map"));
    assert_ok(ilk_scene_pop(f->world));
    assert_ok(ilk_scene_pop(f->world));
    assert_ok(ilk_scene_pop(f->world));
    assert_stack(f->world, "");
    assert_quiet(f);
}

// R003.23
static void hooks_are_called_in_order(void** state) {
    fixture* f = *state;
    SCENE(f->world, "menu");
    SCENE(f->world, "game");
    SCENE(f->world, "map");
    noted("");
    assert_ok(ilk_scene_push(f->world, "menu"));
    noted("menu+");
    assert_ok(ilk_scene_push(f->world, "game"));
    noted("menu| game+");
    assert_ok(ilk_scene_push(f->world, "map"));
    noted("game| map+");
    assert_ok(ilk_scene_pop(f->world));
    noted("map- game>");
    assert_ok(ilk_scene_switch(f->world, "map"));
    noted("game- menu- map+");
    assert_ok(ilk_scene_pop(f->world));
    noted("map-");
}

// R003.23
static void what_cannot_be_done_changes_nothing(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_scene_pop(f->world), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_scene_pop");
    said(f, "ilk_scene_pop: no scene is on the stack");
    assert_int_equal(ilk_scene_push(f->world, "menu"), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_scene_push");
    said(f, "ilk_scene_push: there is no scene \"menu\"");
    SCENE(f->world, "menu");
    assert_int_equal(ilk_scene_pop(f->world), ILK_MISSING);
    f->told.count = 0;
    assert_ok(ilk_scene_push(f->world, "menu"));
    journal[0] = 0;
    assert_int_equal(ilk_scene_push(f->world, "menu"), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_scene_push");
    said(f, "ilk_scene_push: scene \"menu\" is on the stack already");
    assert_int_equal(ilk_scene_switch(f->world, "gmae"), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_scene_switch");
    assert_int_equal(ilk_scene_switch(f->world, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_scene_switch");
    assert_int_equal(ilk_scene_push(f->world, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_scene_push");
    noted("");
    assert_stack(f->world, "menu");
}

static void nothing_is_asked_of_nothing(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_scene_add(NULL, &(ilk_scene_desc){.name = "a"}), ILK_INVALID);
    assert_int_equal(ilk_scene_remove(NULL, "a"), ILK_INVALID);
    assert_int_equal(ilk_scene_push(NULL, "a"), ILK_INVALID);
    assert_int_equal(ilk_scene_pop(NULL), ILK_INVALID);
    assert_int_equal(ilk_scene_switch(NULL, "a"), ILK_INVALID);
    assert_int_equal(ilk_scene_depth(NULL), 0);
    assert_null(ilk_scene_at(NULL, 0));
    assert_null(ilk_scene_top(NULL));
    assert_null(ilk_scene_desc_of(NULL, "a"));
    assert_null(ilk_scene_desc_of(f->world, "a"));
    assert_null(ilk_scene_desc_of(f->world, NULL));
    assert_int_equal(ilk_cmd_scene_push(NULL, "a"), ILK_INVALID);
    assert_int_equal(ilk_cmd_scene_pop(NULL), ILK_INVALID);
    assert_int_equal(ilk_cmd_scene_switch(NULL, "a"), ILK_INVALID);
    assert_quiet(f);
}

static void a_scene_that_makes_no_sense_is_refused(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_scene_add(f->world, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_scene_add");
    said(f, "ilk_scene_add: a scene needs a name");
    assert_int_equal(ilk_scene_add(f->world, &(ilk_scene_desc){0}), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_scene_add");
    assert_int_equal(ilk_scene_add(f->world, &(ilk_scene_desc){.name = ""}), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_scene_add");
    SCENE(f->world, "menu");
    assert_int_equal(ilk_scene_add(f->world, &(ilk_scene_desc){.name = "menu"}), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_scene_add");
    said(f, "ilk_scene_add: there is a scene \"menu\" already");
    ilk_type unsound = {.name = "unsound", .size = 3, .align = 3};
    ilk_scene_desc owner = {.name = "game", .owns = &unsound};
    assert_int_equal(ilk_scene_add(f->world, &owner), ILK_INVALID);
    assert_int_equal(f->told.count, 1);
    assert_null(ilk_scene_desc_of(f->world, "game"));
    f->told.count = 0;
}

static void a_scene_is_removed_when_it_is_not_on_the_stack(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a");
    SCENE(f->world, "menu", .systems = SYSTEMS("a"), .owns = &Enemy_type);
    SCENE(f->world, "game");
    SCENE(f->world, "map");
    assert_ok(ilk_scene_push(f->world, "menu"));
    assert_ok(ilk_scene_push(f->world, "game"));
    assert_int_equal(ilk_scene_remove(f->world, "menu"), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_scene_remove");
    said(f, "ilk_scene_remove: scene \"menu\" is on the stack");
    assert_ok(ilk_scene_pop(f->world));
    assert_ok(ilk_scene_remove(f->world, "game"));
    assert_null(ilk_scene_desc_of(f->world, "game"));
    assert_int_equal(ilk_scene_remove(f->world, "game"), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_scene_remove");
    assert_ok(ilk_scene_pop(f->world));
    assert_ok(ilk_scene_remove(f->world, "menu"));
    assert_ok(ilk_scene_remove(f->world, "map"));
    assert_int_equal(ilk_scene_remove(f->world, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_scene_remove");
    SCENE(f->world, "game");
    assert_ok(ilk_scene_push(f->world, "game"));
    assert_stack(f->world, "game");
}

static void what_a_scene_was_added_with_can_be_read(void** state) {
    fixture* f = *state;
    char name[] = "menu", system[] = "a";
    const char* list[] = {system, "longer", NULL};
    ilk_scene_desc given = {.name = name,
                            .systems = list,
                            .owns = &Enemy_type,
                            .is_overlay = true,
                            .user = f,
                            .enter = note_enter,
                            .exit = note_exit,
                            .pause = note_pause,
                            .resume = note_resume};
    assert_ok(ilk_scene_add(f->world, &given));
    memset(name, '-', sizeof(name) - 1);
    memset(system, '-', sizeof(system) - 1);
    list[1] = NULL;
    const ilk_scene_desc* desc = ilk_scene_desc_of(f->world, "menu");
    assert_non_null(desc);
    assert_string_equal(desc->name, "menu");
    assert_string_equal(desc->systems[0], "a");
    assert_string_equal(desc->systems[1], "longer");
    assert_null(desc->systems[2]);
    assert_true(desc->owns == &Enemy_type && desc->is_overlay && desc->user == f);
    assert_true(desc->enter == note_enter && desc->exit == note_exit);
    assert_true(desc->pause == note_pause && desc->resume == note_resume);
    assert_ok(ilk_scene_add(f->world, &(ilk_scene_desc){.name = "all"}));
    assert_ok(ilk_scene_add(f->world, &(ilk_scene_desc){.name = "none", .systems = no_systems}));
    assert_null(ilk_scene_desc_of(f->world, "all")->systems);
    assert_null(ilk_scene_desc_of(f->world, "none")->systems[0]);
}

static void make_systems(ilk_world* world) {
    SYSTEM(world, "a");
    SYSTEM(world, "b");
    SYSTEM(world, "c");
    SYSTEM(world, "level", .phase = "draw");
    SYSTEM(world, "score", .phase = "draw");
}

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

static void populate(ilk_world* world, void* user) {
    ilk_batch batch;
    assert_ok(ilk_spawn_many(world, &batch, 100, ILK_TYPES(&Position_type, &Enemy_type)));
    for (uint32_t i = 0; i < 100; i++) {
        ilk_entity e = ILK_SPAWN(world, ILK_WITH(Owned));
        assert_ok(ilk_add(world, e, ILK_WITH(Enemy)));
    }
    *(ilk_entity*)user = ILK_SPAWN(world, ILK_WITH(Position));
}

static void count_before_the_end(ilk_world* world, void* user) {
    (void)user;
    assert_int_equal(ilk_stats(world).alive, 201);
    note("exit");
}

// R003.23
static void what_a_scene_owns_goes_with_it(void** state) {
    fixture* f = *state;
    ilk_entity stays = {0};
    assert_ok(ilk_scene_add(f->world, &(ilk_scene_desc){.name = "game",
                                                        .enter = populate,
                                                        .exit = count_before_the_end,
                                                        .user = &stays,
                                                        .owns = &Enemy_type}));
    SCENE(f->world, "menu");
    assert_ok(ilk_scene_push(f->world, "game"));
    assert_int_equal(ilk_stats(f->world).alive, 201);
    hooks_taken();
    assert_ok(ilk_scene_push(f->world, "menu"));
    assert_ok(ilk_scene_pop(f->world));
    assert_int_equal(ilk_stats(f->world).alive, 201);
    journal[0] = 0;
    assert_ok(ilk_scene_pop(f->world));
    noted("exit");
    assert_hooks(0, 0, 100);
    assert_int_equal(ilk_stats(f->world).alive, 1);
    assert_true(ilk_alive(f->world, stays));
    assert_valid(f->world);
    assert_quiet(f);
}

// Notes the order in which values go.
typedef struct Numbered {
    int32_t number;
} Numbered;

static void note_drop(void* value, void* context) {
    (void)context;
    char word[16];
    snprintf(word, sizeof(word), "%d", ((const Numbered*)value)->number);
    note(word);
}
ILK_COMPONENT_WITH(Numbered, .hooks = {.drop = note_drop});

static void what_is_owned_goes_in_the_order_of_a_query(void** state) {
    fixture* f = *state;
    ilk_entity e[5];
    for (int32_t i = 0; i < 5; i++) e[i] = ILK_SPAWN(f->world, ILK_VALUE(Numbered, i));
    assert_ok(ilk_add(f->world, e[4], ILK_WITH(Enemy)));
    assert_ok(ilk_add(f->world, e[0], ILK_WITH(Enemy)));
    assert_ok(ilk_add(f->world, e[2], ILK_WITH(Enemy)));
    assert_ok(ilk_add(f->world, e[3], ILK_WITH(Enemy)));
    assert_ok(ilk_disable(f->world, e[3], &Enemy_type)); // so it stays
    SCENE(f->world, "game", .owns = &Enemy_type);
    assert_ok(ilk_scene_push(f->world, "game"));
    noted("game+");
    assert_ok(ilk_scene_pop(f->world));
    noted("game- 0 2 4");
    assert_true(ilk_alive(f->world, e[1]) && ilk_alive(f->world, e[3]));
}

typedef struct OfLevel {
    char unused;
} OfLevel;
ILK_COMPONENT(OfLevel);

static void a_scene_may_own_a_type_that_comes_later(void** state) {
    fixture* f = *state;
    SCENE(f->world, "game", .owns = &OfLevel_type);
    assert_ok(ilk_scene_push(f->world, "game"));
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(OfLevel), ILK_WITH(Position));
    ilk_entity other = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_ok(ilk_scene_pop(f->world));
    assert_false(ilk_alive(f->world, e));
    assert_true(ilk_alive(f->world, other));
}

static void each_scene_of_a_switch_takes_its_own_along(void** state) {
    fixture* f = *state;
    SCENE(f->world, "game", .owns = &Enemy_type);
    SCENE(f->world, "map", .owns = &Frozen_type);
    assert_ok(ilk_scene_push(f->world, "game"));
    ILK_SPAWN(f->world, ILK_WITH(Enemy));
    ILK_SPAWN(f->world, ILK_WITH(Enemy), ILK_WITH(Frozen));
    assert_ok(ilk_scene_push(f->world, "map"));
    ILK_SPAWN(f->world, ILK_WITH(Frozen));
    ilk_entity stays = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_ok(ilk_scene_pop(f->world));
    assert_int_equal(ilk_stats(f->world).alive, 2);
    assert_ok(ilk_scene_push(f->world, "map"));
    ILK_SPAWN(f->world, ILK_WITH(Frozen));
    assert_ok(ilk_scene_switch(f->world, "map"));
    assert_int_equal(ilk_stats(f->world).alive, 1);
    assert_true(ilk_alive(f->world, stays));
}

static void switching_to_a_scene_that_is_there_starts_it_anew(void** state) {
    fixture* f = *state;
    SCENE(f->world, "game", .owns = &Enemy_type);
    SCENE(f->world, "menu");
    assert_ok(ilk_scene_push(f->world, "game"));
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Enemy));
    assert_ok(ilk_scene_push(f->world, "menu"));
    journal[0] = 0;
    assert_ok(ilk_scene_switch(f->world, "game"));
    noted("menu- game- game+");
    assert_false(ilk_alive(f->world, e));
    assert_stack(f->world, "game");
}

// What was owned and lies ahead is not visited any more.
static void scenes_may_change_inside_a_loop(void** state) {
    fixture* f = *state;
    SCENE(f->world, "game", .owns = &Enemy_type);
    assert_ok(ilk_scene_push(f->world, "game"));
    for (int i = 0; i < 10; i++) ILK_SPAWN(f->world, ILK_WITH(Enemy));
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_query* all = QUERY(f->world, 0);
    ilk_iter it = ilk_query_iter(f->world, all);
    assert_true(ilk_next(&it));
    assert_ok(ilk_scene_pop(f->world));
    assert_int_equal(ilk_stats(f->world).alive, 1);
    uint32_t rows = 0;
    while (ilk_next(&it)) rows += it.count;
    assert_int_equal(it.result, ILK_OK);
    assert_int_equal(rows, 1);
}

static void clearing_leaves_the_stack(void** state) {
    fixture* f = *state;
    make_systems(f->world);
    SCENE(f->world, "game", .owns = &Enemy_type, .systems = SYSTEMS("a"));
    assert_ok(ilk_scene_push(f->world, "game"));
    ILK_SPAWN(f->world, ILK_WITH(Enemy));
    journal[0] = 0;
    ilk_clear(f->world);
    noted("");
    assert_stack(f->world, "game");
    assert_runs(f->world, "a");
    ILK_SPAWN(f->world, ILK_WITH(Enemy));
    assert_ok(ilk_scene_pop(f->world));
    noted("game-");
    assert_int_equal(ilk_stats(f->world).alive, 0);
}

// Hooks that change scenes in turn.
static void push_more(ilk_world* world, void* user) {
    note("more");
    assert_ok(ilk_scene_push(world, user));
}

static void leave_again(ilk_world* world, void* user) {
    (void)user;
    note("again");
    assert_ok(ilk_scene_pop(world));
}

static void try_all(ilk_world* world, void* user) {
    fixture* f = user;
    assert_quiet(f);
    assert_int_equal(ilk_scene_push(world, "spare"), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_scene_push");
    assert_int_equal(ilk_scene_pop(world), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_scene_pop");
    assert_int_equal(ilk_scene_switch(world, "spare"), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_scene_switch");
    assert_int_equal(ilk_scene_remove(world, "spare"), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_scene_remove");
    assert_int_equal(ilk_scene_add(world, &(ilk_scene_desc){.name = "new"}), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_scene_add");
    note(f->told.text);
    ilk_world_destroy(world);
    assert_told(f, ILK_LOCKED, "ilk_world_destroy");
    assert_false(ilk_is_null(ilk_create(world)));
}

static void an_entered_scene_may_change_scenes(void** state) {
    fixture* f = *state;
    assert_ok(ilk_scene_add(
        f->world, &(ilk_scene_desc){.name = "loader", .enter = push_more, .user = "game"}));
    SCENE(f->world, "game");
    assert_ok(ilk_scene_switch(f->world, "loader"));
    noted("more game+");
    assert_stack(f->world, "loader game");
    assert_ok(ilk_scene_pop(f->world));
    assert_stack(f->world, "loader");
}

static void a_scene_may_leave_as_soon_as_it_is_entered_or_resumed(void** state) {
    fixture* f = *state;
    SCENE(f->world, "game");
    SCENE(f->world, "flash", .enter = leave_again);
    SCENE(f->world, "flow", .resume = leave_again);
    SCENE(f->world, "step");
    assert_ok(ilk_scene_push(f->world, "game"));
    assert_ok(ilk_scene_push(f->world, "flash"));
    noted("game+ game| again flash- game>");
    assert_stack(f->world, "game");
    assert_ok(ilk_scene_push(f->world, "flow"));
    assert_ok(ilk_scene_push(f->world, "step"));
    journal[0] = 0;
    assert_ok(ilk_scene_pop(f->world));
    noted("step- again flow- game>");
    assert_stack(f->world, "game");
    assert_quiet(f);
}

static void scenes_do_not_change_in_the_middle_of_a_change(void** state) {
    fixture* f = *state;
    SCENE(f->world, "spare");
    assert_ok(ilk_scene_add(
        f->world,
        &(ilk_scene_desc){
            .name = "low", .pause = try_all, .resume = try_all, .exit = try_all, .user = f}));
    SCENE(f->world, "over", .is_overlay = true);
    SCENE(f->world, "menu");
    assert_ok(ilk_scene_push(f->world, "low"));
    assert_ok(ilk_scene_push(f->world, "over"));
    noted("over+");
    assert_ok(ilk_scene_push(f->world, "menu"));
    noted("over| ilk_scene_add: the pause hook of scene \"low\" is being called menu+");
    assert_ok(ilk_scene_pop(f->world));
    noted("menu- ilk_scene_add: the resume hook of scene \"low\" is being called over>");
    assert_ok(ilk_scene_pop(f->world));
    noted("over-");
    assert_ok(ilk_scene_pop(f->world));
    noted("ilk_scene_add: the exit hook of scene \"low\" is being called");
    assert_stack(f->world, "");
    assert_int_equal(ilk_stats(f->world).alive, 3);
    assert_ok(ilk_scene_push(f->world, "spare"));
}

static void update_inside(ilk_world* world, void* user) {
    (void)user;
    assert_ok(ilk_update(world, 1));
}

// While a scene exits it is still there, and so are its systems.
static void a_hook_may_update_the_world(void** state) {
    fixture* f = *state;
    make_systems(f->world);
    SCENE(f->world, "game", .systems = SYSTEMS("a"), .enter = update_inside, .exit = update_inside);
    SCENE(f->world, "menu", .systems = SYSTEMS("b"));
    assert_ok(ilk_scene_push(f->world, "game"));
    noted("a");
    assert_ok(ilk_scene_push(f->world, "menu"));
    assert_ok(ilk_scene_switch(f->world, "menu"));
    noted("game| menu+ menu- a menu+");
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
            "calls through ilk_cmd_call");
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

static void note_system_exit(ilk_world* world, void* user) {
    note(user);
    assert_null(ilk_scene_top(world));
    assert_int_equal(ilk_scene_add(world, &(ilk_scene_desc){.name = "late"}), ILK_LOCKED);
}

static void try_at_the_end(ilk_world* world, void* user) {
    try_all(world, user);
    assert_int_equal(ilk_update(world, 1), ILK_LOCKED);
    assert_told(user, ILK_LOCKED, "ilk_update");
}

static void scenes_exit_with_their_world_before_systems_do(void** state) {
    (void)state;
    fixture f = {.memory = {.left = UINT64_MAX}};
    ilk_world_desc desc = fixture_desc(&f);
    ilk_world* world = ilk_world_create(&desc);
    journal[0] = 0;
    SYSTEM(world, "a", .exit = note_system_exit, .user = "system");
    SCENE(world, "spare");
    SCENE(world, "game", .owns = &Numbered_type);
    SCENE(world, "hud", .is_overlay = true);
    assert_ok(ilk_scene_add(world,
                            &(ilk_scene_desc){.name = "menu", .exit = try_at_the_end, .user = &f}));
    assert_ok(ilk_scene_push(world, "game"));
    assert_ok(ilk_scene_push(world, "hud"));
    assert_ok(ilk_scene_push(world, "menu"));
    ILK_SPAWN(world, ILK_VALUE(Numbered, 7));
    journal[0] = 0;
    ilk_world_destroy(world);
    noted("ilk_scene_add: the exit hook of scene \"menu\" is being called hud- game- 7 system");
    assert_int_equal(f.memory.bytes, 0);
    assert_false(f.memory.mismatch);
}

static void without_memory_no_scene_is_added(void** state) {
    fixture* f = *state;
    ilk_scene_desc desc = {
        .name = "game", .systems = SYSTEMS("a", "b"), .owns = &Enemy_type, .enter = note_enter};
    ilk_result result = ILK_NO_MEMORY;
    uint64_t left = 0;
    desc.user = "game";
    for (; result == ILK_NO_MEMORY; left++) {
        f->memory.left = left;
        result = ilk_scene_add(f->world, &desc);
        f->memory.left = UINT64_MAX;
        if (result == ILK_OK) break;
        assert_int_equal(result, ILK_NO_MEMORY);
        assert_int_equal(f->told.count, 1);
        assert_int_equal(f->told.last.result, ILK_NO_MEMORY);
        f->told.count = 0;
        assert_null(ilk_scene_desc_of(f->world, "game"));
        assert_int_equal(ilk_scene_push(f->world, "game"), ILK_MISSING);
        f->told.count = 0;
        assert_valid(f->world);
    }
    assert_true(left > 3);
    assert_quiet(f);
    assert_ok(ilk_scene_push(f->world, "game"));
    noted("game+");
}

static void changing_scenes_needs_no_memory(void** state) {
    fixture* f = *state;
    make_systems(f->world);
    SCENE(f->world, "game", .owns = &Enemy_type, .systems = SYSTEMS("a"));
    SCENE(f->world, "menu", .systems = SYSTEMS("b"));
    SCENE(f->world, "hud", .is_overlay = true);
    for (int i = 0; i < 200; i++) ILK_SPAWN(f->world, ILK_WITH(Enemy));
    f->memory.left = 0;
    assert_ok(ilk_scene_push(f->world, "game"));
    assert_ok(ilk_scene_push(f->world, "hud"));
    assert_ok(ilk_scene_push(f->world, "menu"));
    assert_ok(ilk_scene_pop(f->world));
    assert_ok(ilk_scene_switch(f->world, "menu"));
    assert_ok(ilk_scene_pop(f->world));
    f->memory.left = UINT64_MAX;
    assert_int_equal(ilk_stats(f->world).alive, 0);
    assert_quiet(f);
}

static void without_memory_no_change_is_recorded(void** state) {
    fixture* f = *state;
    SCENE(f->world, "game");
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    f->memory.left = 0;
    assert_int_equal(ilk_cmd_scene_push(cmd, "game"), ILK_NO_MEMORY);
    assert_told(f, ILK_NO_MEMORY, "ilk_cmd_scene_push");
    assert_int_equal(ilk_cmd_scene_switch(cmd, "game"), ILK_NO_MEMORY);
    assert_told(f, ILK_NO_MEMORY, "ilk_cmd_scene_switch");
    assert_int_equal(ilk_cmd_scene_pop(cmd), ILK_NO_MEMORY);
    f->told.count = 0;
    assert_int_equal(ilk_cmd_count(cmd), 0);
    f->memory.left = UINT64_MAX;
    assert_ok(ilk_cmd_scene_push(cmd, "game"));
    ilk_cmd_apply(cmd);
    assert_stack(f->world, "game");
    ilk_cmd_give_back(cmd);
}

static void a_removed_scene_gives_its_memory_back(void** state) {
    fixture* f = *state;
    size_t bytes = 0;
    for (int i = 0; i < 20; i++) {
        SCENE(f->world, "game", .owns = &Enemy_type, .systems = SYSTEMS("a", "b"));
        SCENE(f->world, "menu");
        assert_ok(ilk_scene_remove(f->world, "game"));
        assert_ok(ilk_scene_remove(f->world, "menu"));
        if (i == 0) bytes = f->memory.bytes;
    }
    assert_int_equal(f->memory.bytes, bytes);
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
        SCHEDULE_TEST(scenes_lie_on_a_stack),
        SCHEDULE_TEST(hooks_are_called_in_order),
        SCHEDULE_TEST(what_cannot_be_done_changes_nothing),
        SCHEDULE_TEST(nothing_is_asked_of_nothing),
        SCHEDULE_TEST(a_scene_that_makes_no_sense_is_refused),
        SCHEDULE_TEST(a_scene_is_removed_when_it_is_not_on_the_stack),
        SCHEDULE_TEST(what_a_scene_was_added_with_can_be_read),
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
        SCHEDULE_TEST(what_a_scene_owns_goes_with_it),
        SCHEDULE_TEST(what_is_owned_goes_in_the_order_of_a_query),
        SCHEDULE_TEST(a_scene_may_own_a_type_that_comes_later),
        SCHEDULE_TEST(each_scene_of_a_switch_takes_its_own_along),
        SCHEDULE_TEST(switching_to_a_scene_that_is_there_starts_it_anew),
        SCHEDULE_TEST(scenes_may_change_inside_a_loop),
        SCHEDULE_TEST(clearing_leaves_the_stack),
        SCHEDULE_TEST(an_entered_scene_may_change_scenes),
        SCHEDULE_TEST(a_scene_may_leave_as_soon_as_it_is_entered_or_resumed),
        SCHEDULE_TEST(scenes_do_not_change_in_the_middle_of_a_change),
        SCHEDULE_TEST(a_hook_may_update_the_world),
        SCHEDULE_TEST(a_change_by_command_counts_for_the_systems_after_it),
        SCHEDULE_TEST(a_change_may_wait_for_the_end_of_the_frame),
        SCHEDULE_TEST(a_wave_is_not_cut_by_a_change),
        SCHEDULE_TEST(a_command_that_cannot_be_done_is_told),
        SCHEDULE_TEST(scenes_are_locked_inside_a_system),
        cmocka_unit_test(scenes_exit_with_their_world_before_systems_do),
        SCHEDULE_TEST(without_memory_no_scene_is_added),
        SCHEDULE_TEST(changing_scenes_needs_no_memory),
        SCHEDULE_TEST(without_memory_no_change_is_recorded),
        SCHEDULE_TEST(a_removed_scene_gives_its_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
