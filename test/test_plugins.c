// Plugins: once per world, dependencies first, what goes wrong, and the end; also of graphs that
// are made up.
#include "schedule_support.h"

// A plugin that notes its name.
static ilk_result note_install(ilk_world* world, void* user) {
    (void)world;
    note(user);
    return ILK_OK;
}

static void note_exit(ilk_world* world, void* user) {
    char word[32];
    assert_null(ilk_world_by_id(ilk_world_id(world)));
    snprintf(word, sizeof(word), "-%s", (const char*)user);
    note(word);
}

#define NEEDS(...) ((const ilk_plugin* const[]){__VA_ARGS__, NULL})
#define PLUGIN(NAME, ...)                                                                          \
    static const ilk_plugin NAME = {#NAME, note_install, note_exit, __VA_ARGS__, #NAME}

PLUGIN(math, NULL);
PLUGIN(physics, NEEDS(&math));
PLUGIN(sound, NULL);
PLUGIN(game, NEEDS(&physics, &sound, &math));

// R004.26
static void a_plugin_is_installed_after_what_it_needs(void** state) {
    fixture* f = *state;
    assert_false(ilk_plugin_has(f->world, "game"));
    assert_ok(ilk_plugin_install(f->world, &game));
    noted("math physics sound game");
    assert_int_equal(ilk_plugin_count(f->world), 4);
    assert_string_equal(ilk_plugin_at(f->world, 0), "math");
    assert_string_equal(ilk_plugin_at(f->world, 3), "game");
    assert_null(ilk_plugin_at(f->world, 4));
    assert_true(ilk_plugin_has(f->world, "physics"));
    assert_false(ilk_plugin_has(f->world, "graphics"));
    assert_quiet(f);
}

// R004.26
static void a_plugin_is_installed_once_in_each_world(void** state) {
    fixture* f = *state;
    assert_ok(ilk_plugin_install(f->world, &physics));
    noted("math physics");
    assert_ok(ilk_plugin_install(f->world, &physics));
    assert_ok(ilk_plugin_install(f->world, &math));
    noted("");
    assert_ok(ilk_plugin_install(f->world, &game));
    noted("sound game");
    ilk_world* other = second_world(f, 1);
    assert_ok(ilk_plugin_install(other, &physics));
    noted("math physics");
    assert_int_equal(ilk_plugin_count(other), 2);
    ilk_world_destroy(other);
    noted("-physics -math");
    assert_int_equal(ilk_plugin_count(f->world), 4);
    assert_quiet(f);
}

static void plugins_go_with_the_world_the_youngest_first(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    assert_ok(ilk_plugin_install(other, &game));
    static const ilk_plugin silent = {.name = "silent", .install = note_install, .user = "silent"};
    assert_ok(ilk_plugin_install(other, &silent));
    noted("math physics sound game silent");
    ilk_world_destroy(other);
    noted("-game -sound -physics -math");
}

// All that a plugin has is made in the world, and is still there when it goes.
static void wander(ilk_iter* it) {
    (void)it;
}

static ilk_result install_much(ilk_world* world, void* user) {
    (void)user;
    ilk_system_desc desc = {.name = "wander", .run = wander};
    if (!ilk_system_create(world, &desc)) return ilk_error(world).result;
    ilk_result result = ilk_register(world, &Position_type);
    if (result != ILK_OK) return result;
    return ilk_scene_add(world, &(ilk_scene_desc){.name = "level"});
}

static void look_for_much(ilk_world* world, void* user) {
    *(bool*)user = ilk_system_named(world, "wander") && ilk_scene_desc_of(world, "level") &&
                   ilk_resource_has(world, &Health_type);
}

static void plugins_go_before_all_else(void** state) {
    fixture* f = *state;
    bool was_there = false;
    ilk_world* other = second_world(f, 1);
    ilk_plugin much = {"much", install_much, look_for_much, NULL, &was_there};
    assert_ok(ilk_plugin_install(other, &much));
    assert_non_null(ILK_RESOURCE_ENSURE(other, Health));
    assert_int_equal(ilk_type_count(other), 1);
    ilk_world_destroy(other);
    assert_true(was_there);
    assert_quiet(f);
}

static void a_name_is_copied(void** state) {
    fixture* f = *state;
    char name[] = "passing";
    ilk_plugin plugin = {name, note_install, NULL, NULL, "passing"};
    assert_ok(ilk_plugin_install(f->world, &plugin));
    memset(name, 'x', sizeof(name) - 1);
    memset(&plugin, 0xdd, sizeof(plugin));
    assert_true(ilk_plugin_has(f->world, "passing"));
}

static ilk_result install_otherwise(ilk_world* world, void* user) {
    (void)world, (void)user;
    note("otherwise");
    return ILK_OK;
}

static void another_one_of_that_name_is_refused(void** state) {
    fixture* f = *state;
    ilk_plugin other = math, same = math;
    assert_ok(ilk_plugin_install(f->world, &math));
    other.install = install_otherwise;
    assert_int_equal(ilk_plugin_install(f->world, &other), ILK_EXISTS);
    assert_string_equal(f->told.text,
                        "ilk_plugin_install: plugin \"math\": another one has its name");
    assert_told(f, ILK_EXISTS, "ilk_plugin_install");
    same.user = "another user";
    assert_int_equal(ilk_plugin_install(f->world, &same), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_plugin_install");
    same.user = math.user;
    assert_ok(ilk_plugin_install(f->world, &same));
    noted("math");
}

// Of two plugins of one name that are both needed, nothing is installed.
static void two_of_one_name_among_what_is_needed_are_refused(void** state) {
    fixture* f = *state;
    ilk_plugin other = math;
    other.install = install_otherwise;
    ilk_plugin both = {"both", note_install, NULL, NEEDS(&sound, &physics, &other), "both"};
    assert_int_equal(ilk_plugin_install(f->world, &both), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_plugin_install");
    noted("");
    assert_int_equal(ilk_plugin_count(f->world), 0);
}

static void wrong_plugins_are_refused(void** state) {
    fixture* f = *state;
    ilk_plugin nameless = {.install = note_install}, empty = {"", note_install, 0, 0, 0},
               idle = {.name = "idle"};
    ilk_plugin above = {"above", note_install, NULL, NEEDS(&math, &idle), "above"};
    const ilk_plugin* const wrong[] = {NULL, &nameless, &empty, &idle, &above};
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_int_equal(ilk_plugin_install(f->world, wrong[i]), ILK_INVALID);
        assert_told(f, ILK_INVALID, "ilk_plugin_install");
    }
    noted("");
    assert_int_equal(ilk_plugin_count(f->world), 0);
    assert_int_equal(ilk_plugin_count(NULL), 0);
    assert_null(ilk_plugin_at(NULL, 0));
    assert_false(ilk_plugin_has(NULL, "math"));
    assert_false(ilk_plugin_has(f->world, NULL));
}

// R004.26
static void a_cycle_is_refused_and_its_members_are_listed(void** state) {
    fixture* f = *state;
    static ilk_plugin a, b, c, outside;
    a = (ilk_plugin){"a", note_install, NULL, NEEDS(&math, &b), "a"};
    b = (ilk_plugin){"b", note_install, NULL, NEEDS(&c), "b"};
    c = (ilk_plugin){"c", note_install, NULL, NEEDS(&a), "c"};
    outside = (ilk_plugin){"outside", note_install, NULL, NEEDS(&b), "outside"};
    assert_int_equal(ilk_plugin_install(f->world, &a), ILK_INVALID);
    assert_string_equal(f->told.text, "ilk_plugin_install: a cycle: a needs b needs c needs a");
    assert_told(f, ILK_INVALID, "ilk_plugin_install");
    assert_int_equal(ilk_plugin_install(f->world, &outside), ILK_INVALID);
    assert_string_equal(f->told.text, "ilk_plugin_install: a cycle: b needs c needs a needs b");
    assert_told(f, ILK_INVALID, "ilk_plugin_install");
    a.needs = NEEDS(&a);
    assert_int_equal(ilk_plugin_install(f->world, &a), ILK_INVALID);
    assert_string_equal(f->told.text, "ilk_plugin_install: a cycle: a needs a");
    assert_told(f, ILK_INVALID, "ilk_plugin_install");
    noted("");
    assert_int_equal(ilk_plugin_count(f->world), 0);
}

static ilk_result fail_to_install(ilk_world* world, void* user) {
    (void)world, (void)user;
    return ILK_FULL;
}

// R004.26: what was installed before it stays.
static void a_plugin_that_fails_is_named(void** state) {
    fixture* f = *state;
    ilk_plugin bad = {"bad", fail_to_install, note_exit, NEEDS(&physics), "bad"};
    ilk_plugin above = {"above", note_install, note_exit, NEEDS(&bad, &sound), "above"};
    assert_int_equal(ilk_plugin_install(f->world, &above), ILK_FULL);
    assert_string_equal(f->told.text,
                        "ilk_plugin_install: plugin \"bad\": a limit of the world is reached");
    assert_told(f, ILK_FULL, "ilk_plugin_install");
    noted("math physics");
    assert_int_equal(ilk_plugin_count(f->world), 2);
    assert_false(ilk_plugin_has(f->world, "bad"));
    bad.install = note_install;
    assert_ok(ilk_plugin_install(f->world, &above));
    noted("bad sound above");
}

static ilk_result fail_because_of_the_world(ilk_world* world, void* user) {
    (void)user;
    return ilk_add(world, (ilk_entity){0, 0}, ILK_WITH(Health));
}

static void the_cause_of_a_failure_is_told(void** state) {
    fixture* f = *state;
    ilk_plugin bad = {"bad", fail_because_of_the_world, NULL, NULL, NULL};
    assert_int_equal(ilk_plugin_install(f->world, &bad), ILK_DEAD);
    assert_string_equal(f->told.text, "ilk_plugin_install: plugin \"bad\": ilk_add of Health: "
                                      "the null entity is not alive");
    bad.install = fail_to_install; // for another reason than the last one
    assert_int_equal(ilk_plugin_install(f->world, &bad), ILK_FULL);
    assert_string_equal(f->told.text,
                        "ilk_plugin_install: plugin \"bad\": a limit of the world is reached");
    f->told.count = 0;
}

static void run_nothing(ilk_iter* it) {
    (void)it;
}

static ilk_result observe_nothing(ilk_notice* n) {
    (void)n;
    return ILK_OK;
}

static ilk_result install_both(ilk_world* world, void* user) {
    note(user);
    ilk_system_create(world, &(ilk_system_desc){.name = "of plugin", .run = run_nothing});
    ilk_observer_create(world, &(ilk_observer_desc){.on = ILK_ON_CREATE, .run = observe_nothing});
    return ILK_OK;
}

static void remove_itself(ilk_world* world, void* user) {
    assert_int_equal(ilk_plugin_remove(world, user), ILK_LOCKED);
    assert_non_null(ilk_system_named(world, "of plugin")); // all is still there
    note("-it");
}

static void a_plugin_is_removed_with_what_it_made(void** state) {
    fixture* f = *state;
    ilk_plugin it = {"it", install_both, remove_itself, NULL, "it"};
    ilk_plugin above = {"above", note_install, NULL, NEEDS(&math, &it), "above"};
    ilk_system_create(f->world, &(ilk_system_desc){.name = "other", .run = run_nothing});
    assert_ok(ilk_plugin_install(f->world, &above));
    noted("math it above");
    assert_int_equal(ilk_plugin_remove(f->world, "it"), ILK_NEEDED);
    assert_string_equal(f->told.text, "ilk_plugin_remove: plugin \"it\": \"above\" needs it");
    assert_int_equal(ilk_plugin_remove(f->world, "nobody"), ILK_MISSING);
    assert_int_equal(ilk_plugin_remove(f->world, NULL), ILK_INVALID);
    assert_int_equal(ilk_plugin_remove(NULL, "it"), ILK_INVALID);
    assert_ok(ilk_plugin_remove(f->world, "above"));
    assert_ok(ilk_plugin_remove(f->world, "it"));
    noted("-it");
    assert_null(ilk_system_named(f->world, "of plugin"));
    assert_non_null(ilk_system_named(f->world, "other"));
    assert_int_equal(ilk_observer_count(f->world), 0);
    assert_int_equal(ilk_plugin_count(f->world), 1);
    assert_string_equal(ilk_plugin_at(f->world, 0), "math");
    assert_ok(ilk_plugin_install(f->world, &it)); // anew
    noted("it");
    assert_non_null(ilk_system_named(f->world, "of plugin"));
    f->told.count = 0;
}

static ilk_result install_and_fail(ilk_world* world, void* user) {
    install_both(world, user);
    return ILK_FULL;
}

// What one made that failed is nobody's.
static void what_a_plugin_made_that_failed_stays(void** state) {
    fixture* f = *state;
    ilk_plugin bad = {"bad", install_and_fail, NULL, NULL, "bad"};
    assert_int_equal(ilk_plugin_install(f->world, &bad), ILK_FULL);
    ilk_plugin good = {"good", note_install, NULL, NULL, "good"};
    assert_ok(ilk_plugin_install(f->world, &good));
    assert_ok(ilk_plugin_remove(f->world, "good"));
    noted("bad good");
    assert_non_null(ilk_system_named(f->world, "of plugin"));
    assert_int_equal(ilk_observer_count(f->world), 1);
    f->told.count = 0;
}

static ilk_result install_another(ilk_world* world, void* user) {
    const ilk_plugin* another = user;
    ilk_result result = ilk_plugin_install(world, another);
    note("outer");
    return result;
}

static void note_outer(ilk_world* world, void* user) {
    (void)world, (void)user;
    note("-outer");
}

// A function may install what it needs itself: it comes before its own, and goes after it.
static void a_plugin_may_install_others(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_plugin outer = {"outer", install_another, note_outer, NULL, (void*)(uintptr_t)&game};
    assert_ok(ilk_plugin_install(other, &outer));
    noted("math physics sound game outer");
    assert_string_equal(ilk_plugin_at(other, 4), "outer");
    assert_int_equal(ilk_plugin_count(other), 5);
    ilk_plugin both = {"both", note_install, NULL, NEEDS(&outer, &game), "both"};
    assert_ok(ilk_plugin_install(other, &both));
    noted("both");
    ilk_world_destroy(other);
    noted("-outer -game -sound -physics -math");
}

// One that is to come may be installed by the function of one before it.
static void what_comes_early_is_not_installed_twice(void** state) {
    fixture* f = *state;
    ilk_plugin early = {"early", install_another, NULL, NULL, (void*)(uintptr_t)&sound};
    ilk_plugin last = {"last", note_install, NULL, NEEDS(&early, &sound, &math), "last"};
    assert_ok(ilk_plugin_install(f->world, &last));
    noted("sound outer math last");
    assert_int_equal(ilk_plugin_count(f->world), 4);
    assert_quiet(f);
}

static ilk_plugin left, right;

static void plugins_that_install_each_other_are_a_cycle(void** state) {
    fixture* f = *state;
    left = (ilk_plugin){"left", install_another, NULL, NULL, &right};
    right = (ilk_plugin){"right", install_another, NULL, NULL, &left};
    assert_int_equal(ilk_plugin_install(f->world, &left), ILK_INVALID);
    assert_int_equal(f->told.count, 3);
    assert_string_equal(
        f->told.text, "ilk_plugin_install: plugin \"left\": ilk_plugin_install: plugin \"right\": "
                      "ilk_plugin_install: plugin \"left\": a cycle: it is being installed");
    f->told.count = 0;
    assert_int_equal(ilk_plugin_count(f->world), 0);
    noted("outer outer");
}

static ilk_result destroy_the_world(ilk_world* world, void* user) {
    (void)user;
    ilk_world_destroy(world);
    return ilk_error(world).result;
}

static void exit_the_world(ilk_world* world, void* user) {
    ilk_result* results = user;
    results[0] = ilk_plugin_install(world, &math);
    ilk_world_destroy(world);
    results[1] = ilk_error(world).result;
}

static void a_plugin_does_not_end_its_world(void** state) {
    fixture* f = *state;
    ilk_plugin ends = {.name = "ends", .install = destroy_the_world};
    assert_int_equal(ilk_plugin_install(f->world, &ends), ILK_LOCKED);
    assert_int_equal(f->told.count, 2);
    f->told.count = 0;
    ilk_result results[2] = {ILK_OK, ILK_OK};
    ilk_plugin late = {"late", install_otherwise, exit_the_world, NULL, results};
    ilk_world* other = second_world(f, 1);
    assert_ok(ilk_plugin_install(other, &late));
    ilk_world_destroy(other);
    assert_int_equal(results[0], ILK_LOCKED);
    assert_int_equal(results[1], ILK_LOCKED);
    assert_int_equal(f->told.count, 2);
}

static void install_inside(ilk_iter* it) {
    *(ilk_result*)it->user = ilk_plugin_install(it->world, &math);
}

static void no_plugin_is_installed_inside_a_system(void** state) {
    fixture* f = *state;
    ilk_result result = ILK_OK;
    SYSTEM(f->world, "inside", .run = install_inside, .user = &result);
    assert_ok(ilk_update(f->world, 0));
    assert_int_equal(result, ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_plugin_install");
    noted("");
}

enum {
    LONG = 257
};

// A chain of those that need each other is installed up to a depth, and not at all beyond it.
static void a_chain_may_be_long(void** state) {
    fixture* f = *state;
    static ilk_plugin chain[LONG];
    static const ilk_plugin* needs[LONG][2];
    static char names[LONG][8];
    for (uint32_t i = 0; i < LONG; i++) {
        snprintf(names[i], sizeof(names[i]), "c%u", (unsigned)i);
        needs[i][0] = i ? &chain[i - 1] : NULL;
        chain[i] = (ilk_plugin){names[i], install_otherwise, NULL, needs[i], names[i]};
    }
    assert_int_equal(ilk_plugin_install(f->world, &chain[LONG - 1]), ILK_FULL);
    assert_told(f, ILK_FULL, "ilk_plugin_install");
    assert_int_equal(ilk_plugin_count(f->world), 0);
    assert_ok(ilk_plugin_install(f->world, &chain[LONG - 2]));
    assert_ok(ilk_plugin_install(f->world, &chain[LONG - 1]));
    assert_int_equal(ilk_plugin_count(f->world), LONG);
    journal[0] = 0;
}

static ilk_result install_other_game(ilk_world* world, void* user) {
    static const ilk_plugin other = {"game", install_otherwise, NULL, NULL, "other"};
    (void)user;
    return ilk_plugin_install(world, &other);
}

// What was found to be free when the order was made may be taken by a function that was called
// since.
static void another_of_a_name_that_was_to_come_is_in_the_way(void** state) {
    fixture* f = *state;
    ilk_plugin first = {"first", install_other_game, NULL, NULL, NULL};
    ilk_plugin needy = {"game", note_install, NULL, NEEDS(&first), "game"};
    assert_int_equal(ilk_plugin_install(f->world, &needy), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_plugin_install");
    assert_int_equal(ilk_plugin_count(f->world), 2);
    assert_true(ilk_plugin_has(f->world, "first"));
    journal[0] = 0;
}

typedef struct returning {
    fixture* f;
    ilk_plugin plugin; // that is installed by the exit function of another, or its own
} returning;

static void install_again(ilk_world* world, void* user) {
    returning* r = user;
    if (ilk_world_by_id(ilk_world_id(world)) != world) return; // the world goes
    assert_int_equal(ilk_plugin_install(world, &r->plugin), ILK_LOCKED);
    assert_told(r->f, ILK_LOCKED, "ilk_plugin_install");
    assert_non_null(strstr(r->f->told.text, "being removed"));
}

static ilk_result install_nothing(ilk_world* world, void* user) {
    (void)world, (void)user;
    return ILK_OK;
}

static void nothing_is_installed_while_one_goes(void** state) {
    fixture* f = *state;
    returning r = {f, {0}}, own = {f, {0}};
    ilk_plugin base = {"base", install_nothing, install_again, NULL, &r};
    r.plugin = (ilk_plugin){"above", install_nothing, NULL, NEEDS(&base), NULL};
    own.plugin = (ilk_plugin){"own", install_nothing, install_again, NULL, &own};
    assert_ok(ilk_plugin_install(f->world, &base));
    assert_ok(ilk_plugin_install(f->world, &own.plugin));
    assert_ok(ilk_plugin_remove(f->world, "base"));
    assert_ok(ilk_plugin_remove(f->world, "own"));
    assert_int_equal(ilk_plugin_count(f->world), 0);
    assert_ok(ilk_plugin_install(f->world, &r.plugin));
    assert_int_equal(ilk_plugin_count(f->world), 2);
}

static void plugins_are_shown(void** state) {
    fixture* f = *state;
    char text[2048];
    assert_ok(ilk_plugin_install(f->world, &physics));
    ilk_world_dump(f->world, text, sizeof(text));
    assert_non_null(strstr(text, "\n    plugins: math, physics\n"));
}

// Graphs that are made up

enum {
    NODES = 12,
    GRAPHS = 2000
};

typedef struct graph {
    ilk_plugin plugins[NODES];
    const ilk_plugin* needs[NODES][NODES + 1];
    char names[NODES][8];
    uint64_t seed;
} graph;

static ilk_result note_or_fail(ilk_world* world, void* user) {
    const ilk_plugin* plugin = user;
    for (const ilk_plugin* const* needed = plugin->needs; *needed; needed++) {
        assert_true(ilk_plugin_has(world, (*needed)->name));
    }
    assert_false(ilk_plugin_has(world, plugin->name));
    return plugin->exit ? ILK_OK : ILK_DEAD;
}

static uint32_t gone;

static void count_exit(ilk_world* world, void* user) {
    const ilk_plugin* plugin = user;
    gone++;
    assert_string_equal(ilk_plugin_at(world, ilk_plugin_count(world) - gone), plugin->name);
}

// Most edges go down, so that there are cycles only now and then; few fail.
static void make_graph(graph* g) {
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t count = 0;
        snprintf(g->names[i], sizeof(g->names[i]), "n%u", (unsigned)i);
        for (uint32_t k = 0; k < NODES; k++) {
            uint32_t odds = k < i ? 3 : 60;
            if (next_random(&g->seed) % odds == 0) g->needs[i][count++] = &g->plugins[k];
        }
        g->needs[i][count] = NULL;
        bool fails = next_random(&g->seed) % 32 == 0;
        g->plugins[i] = (ilk_plugin){g->names[i], note_or_fail, fails ? NULL : count_exit,
                                     g->needs[i], &g->plugins[i]};
    }
}

// The plainest way to say what is to happen.
typedef struct expected {
    bool is_there[NODES], is_open[NODES];
    uint32_t count;
    bool has_cycle, has_failed;
} expected;

static void look_for_cycle(const graph* g, expected* x, uint32_t at) {
    if (x->is_there[at] || x->has_cycle) return;
    x->has_cycle = x->is_open[at];
    x->is_open[at] = true;
    for (const ilk_plugin* const* n = g->needs[at]; *n && !x->has_cycle; n++) {
        look_for_cycle(g, x, (uint32_t)(*n - g->plugins));
    }
    x->is_open[at] = false;
}

static void expect_installed(const graph* g, expected* x, uint32_t at) {
    if (x->is_there[at]) return;
    for (const ilk_plugin* const* n = g->needs[at]; *n && !x->has_failed; n++) {
        expect_installed(g, x, (uint32_t)(*n - g->plugins));
    }
    if (x->has_failed) return;
    x->has_failed = !g->plugins[at].exit;
    x->is_there[at] = !x->has_failed;
    x->count += x->is_there[at];
}

static ilk_result expect(const graph* g, expected* x, uint32_t at) {
    x->has_cycle = x->has_failed = false;
    look_for_cycle(g, x, at);
    if (x->has_cycle) return ILK_INVALID;
    expect_installed(g, x, at);
    return x->has_failed ? ILK_DEAD : ILK_OK;
}

// R004.26
static void graphs_of_plugins_are_installed_as_they_should_be(void** state) {
    fixture* f = *state;
    static graph g;
    uint32_t outcomes[ILK_CANCELLED + 1] = {0};
    g.seed = 5;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        ilk_world* world = second_world(f, 1);
        expected x = {0};
        make_graph(&g);
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t at = next_random(&g.seed) % NODES;
            ilk_result wanted = expect(&g, &x, at);
            assert_int_equal(ilk_plugin_install(world, &g.plugins[at]), wanted);
            assert_int_equal(f->told.count, wanted != ILK_OK);
            assert_int_equal(ilk_plugin_count(world), x.count);
            for (uint32_t n = 0; n < NODES; n++) {
                assert_int_equal(ilk_plugin_has(world, g.names[n]), x.is_there[n]);
            }
            f->told.count = 0;
            outcomes[wanted]++;
        }
        gone = 0;
        ilk_world_destroy(world);
        assert_int_equal(gone, x.count);
    }
    assert_true(outcomes[ILK_OK] > 100 && outcomes[ILK_INVALID] > 100 && outcomes[ILK_DEAD] > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(a_plugin_is_installed_after_what_it_needs),
        SCHEDULE_TEST(a_plugin_is_installed_once_in_each_world),
        SCHEDULE_TEST(plugins_go_with_the_world_the_youngest_first),
        SCHEDULE_TEST(plugins_go_before_all_else),
        SCHEDULE_TEST(a_name_is_copied),
        SCHEDULE_TEST(another_one_of_that_name_is_refused),
        SCHEDULE_TEST(two_of_one_name_among_what_is_needed_are_refused),
        SCHEDULE_TEST(wrong_plugins_are_refused),
        SCHEDULE_TEST(a_cycle_is_refused_and_its_members_are_listed),
        SCHEDULE_TEST(a_plugin_that_fails_is_named),
        SCHEDULE_TEST(the_cause_of_a_failure_is_told),
        SCHEDULE_TEST(a_plugin_is_removed_with_what_it_made),
        SCHEDULE_TEST(what_a_plugin_made_that_failed_stays),
        SCHEDULE_TEST(a_plugin_may_install_others),
        SCHEDULE_TEST(what_comes_early_is_not_installed_twice),
        SCHEDULE_TEST(plugins_that_install_each_other_are_a_cycle),
        SCHEDULE_TEST(a_plugin_does_not_end_its_world),
        SCHEDULE_TEST(no_plugin_is_installed_inside_a_system),
        SCHEDULE_TEST(a_chain_may_be_long),
        SCHEDULE_TEST(another_of_a_name_that_was_to_come_is_in_the_way),
        SCHEDULE_TEST(nothing_is_installed_while_one_goes),
        SCHEDULE_TEST(plugins_are_shown),
        SCHEDULE_TEST(graphs_of_plugins_are_installed_as_they_should_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
