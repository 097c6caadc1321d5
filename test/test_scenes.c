// Scenes: the stack, the hooks and their order, what goes with a scene.
#include "scenes_support.h"

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

typedef struct drops {
    int64_t left; // how many more to spawn
    uint32_t unloads, others;
} drops;

// Leaves another one behind, with the scene's own tag.
static ilk_result drop_another(ilk_notice* n) {
    drops* d = n->user;
    if (n->reason == ILK_REASON_UNLOAD)
        d->unloads++;
    else
        d->others++;
    if (d->left-- <= 0) return ILK_OK;
    ilk_cmd_spawn(n->cmd, ILK_VALUES(ILK_WITH(Enemy), ILK_VALUE(Health, 1)));
    return ILK_OK;
}

static void watch_enemies(ilk_world* world, ilk_observer_fn* run, void* user) {
    ilk_observer_desc desc = {.on = ILK_ON_REMOVE, .type = &Enemy_type, .run = run, .user = user};
    assert_non_null(ilk_observer_create(world, &desc));
}

static void what_observers_make_of_a_scenes_own_goes_too(void** state) {
    fixture* f = *state;
    drops d = {.left = 100};
    SCENE(f->world, "game", .owns = &Enemy_type);
    watch_enemies(f->world, drop_another, &d);
    assert_ok(ilk_scene_push(f->world, "game"));
    for (int i = 0; i < 30; i++) ILK_SPAWN(f->world, ILK_WITH(Enemy));
    ilk_entity stays = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    ilk_set_reason(f->world, ILK_REASON_LOAD); // of the next level
    assert_ok(ilk_scene_pop(f->world));
    assert_quiet(f);
    assert_int_equal(ilk_stats(f->world).alive, 1);
    assert_true(ilk_alive(f->world, stays));
    assert_int_equal(d.unloads, 130);
    assert_int_equal(d.others, 0);
    ilk_set_reason(f->world, (ilk_reason)0);
    d.left = 0;
    assert_ok(ilk_destroy(f->world, ILK_SPAWN(f->world, ILK_WITH(Enemy))));
    assert_int_equal(d.others, 1);
}

static void there_is_an_end_to_what_observers_make_of_it(void** state) {
    fixture* f = *state;
    static drops d; // which is used until the world has gone
    d = (drops){.left = INT64_MAX};
    SCENE(f->world, "game", .owns = &Enemy_type);
    watch_enemies(f->world, drop_another, &d);
    assert_ok(ilk_scene_push(f->world, "game"));
    for (int i = 0; i < 3; i++) ILK_SPAWN(f->world, ILK_WITH(Enemy));
    assert_ok(ilk_scene_pop(f->world));
    assert_told(f, ILK_FULL, "ilk_scene_pop");
    assert_non_null(strstr(f->told.text, "scene \"game\" owns after 8 rounds: 3 are left"));
    assert_int_equal(ilk_stats(f->world).alive, 3);
    assert_stack(f->world, "");
    d.left = 0;
    assert_valid(f->world);
}

ILK_RELATION_WITH(LeansOn, .at_end = ILK_END_REFUSED);

// Each round leaves those that are needed by somebody who goes later in it.
static void a_long_chain_of_needs_goes_whole(void** state) {
    fixture* f = *state;
    ilk_entity last = {0, 0};
    SCENE(f->world, "game", .owns = &Enemy_type);
    assert_ok(ilk_scene_push(f->world, "game"));
    for (int i = 0; i < 30; i++) {
        ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Enemy));
        if (i) assert_ok(ilk_relate(f->world, e, &LeansOn_type, last));
        last = e;
    }
    assert_ok(ilk_scene_pop(f->world));
    assert_quiet(f);
    assert_int_equal(ilk_stats(f->world).alive, 0);
}

static ilk_result end_the_next(ilk_notice* n) {
    ilk_entity next = ilk_entity_at(n->world, n->entity.index + 1);
    if (!ilk_is_null(next)) ilk_cmd_destroy(n->cmd, next);
    return ilk_cmd_scene_push(n->cmd, "menu");
}

// Nor are scenes changed while the change is under way.
static void observers_may_destroy_what_a_scene_owns_themselves(void** state) {
    fixture* f = *state;
    SCENE(f->world, "game", .owns = &Enemy_type);
    SCENE(f->world, "menu");
    assert_ok(ilk_scene_push(f->world, "game"));
    for (int i = 0; i < 10; i++) ILK_SPAWN(f->world, ILK_WITH(Enemy));
    watch_enemies(f->world, end_the_next, NULL);
    assert_ok(ilk_scene_pop(f->world));
    assert_int_equal(ilk_stats(f->world).alive, 0);
    assert_int_equal(f->told.count, 10);
    assert_int_equal(f->told.last.result, ILK_LOCKED);
    assert_non_null(strstr(f->told.text, "what scene \"game\" owns is being destroyed"));
    assert_stack(f->world, "");
    f->told.count = 0;
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
    assert_told(f, ILK_NO_MEMORY, "ilk_cmd_scene_pop");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(scenes_lie_on_a_stack),
        SCHEDULE_TEST(hooks_are_called_in_order),
        SCHEDULE_TEST(what_cannot_be_done_changes_nothing),
        SCHEDULE_TEST(nothing_is_asked_of_nothing),
        SCHEDULE_TEST(a_scene_that_makes_no_sense_is_refused),
        SCHEDULE_TEST(a_scene_is_removed_when_it_is_not_on_the_stack),
        SCHEDULE_TEST(what_a_scene_was_added_with_can_be_read),
        SCHEDULE_TEST(what_a_scene_owns_goes_with_it),
        SCHEDULE_TEST(what_is_owned_goes_in_the_order_of_a_query),
        SCHEDULE_TEST(a_scene_may_own_a_type_that_comes_later),
        SCHEDULE_TEST(each_scene_of_a_switch_takes_its_own_along),
        SCHEDULE_TEST(what_observers_make_of_a_scenes_own_goes_too),
        SCHEDULE_TEST(there_is_an_end_to_what_observers_make_of_it),
        SCHEDULE_TEST(a_long_chain_of_needs_goes_whole),
        SCHEDULE_TEST(observers_may_destroy_what_a_scene_owns_themselves),
        SCHEDULE_TEST(switching_to_a_scene_that_is_there_starts_it_anew),
        SCHEDULE_TEST(scenes_may_change_inside_a_loop),
        SCHEDULE_TEST(clearing_leaves_the_stack),
        SCHEDULE_TEST(an_entered_scene_may_change_scenes),
        SCHEDULE_TEST(a_scene_may_leave_as_soon_as_it_is_entered_or_resumed),
        SCHEDULE_TEST(scenes_do_not_change_in_the_middle_of_a_change),
        SCHEDULE_TEST(a_hook_may_update_the_world),
        cmocka_unit_test(scenes_exit_with_their_world_before_systems_do),
        SCHEDULE_TEST(without_memory_no_scene_is_added),
        SCHEDULE_TEST(changing_scenes_needs_no_memory),
        SCHEDULE_TEST(without_memory_no_change_is_recorded),
        SCHEDULE_TEST(a_removed_scene_gives_its_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
