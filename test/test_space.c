// Spaces: every answer is that of looking at everybody, however entities lie, move, come and go.
#include "space_support.h"

static ilk_type* const types[] = {&Place_type, &Spot_type, &Bounds_type};

static arena begin_arena(ilk_world* world, uint32_t type, layout how, ilk_space_kind kind) {
    arena a = {.world = world, .type = types[type], .layout = how, .dims = type == 1 ? 2 : 3};
    bool is_box = types[type] == &Bounds_type;
    a.space = ilk_space_create(world, &(ilk_space_desc){.type = types[type],
                                                        .field = is_box ? "low" : NULL,
                                                        .high = is_box ? "high" : NULL,
                                                        .query = {.without = {&Ghost_type}},
                                                        .kind = kind});
    assert_non_null(a.space);
    return a;
}

static void spawn_some(const arena* a, uint32_t count) {
    union {
        Place place;
        Spot spot;
        Bounds bounds;
    } value;
    for (uint32_t i = 0; i < count; i++) {
        memset(&value, 0, sizeof value);
        pick_value(a, &value);
        ilk_spawn(a->world, (ilk_value[]){{a->type, &value}}, 1);
    }
}

static ilk_entity anybody(const arena* a) {
    return ilk_entity_at(a->world, chance(ilk_stats(a->world).slots + 1));
}

// Something that changes who is where, or who is to be found.
static void stir(const arena* a) {
    ilk_entity e = anybody(a);
    bool is_there = ilk_has(a->world, e, a->type);
    switch (chance(12)) {
    case 0:
        if (ilk_stats(a->world).slots < 400) spawn_some(a, 1 + chance(3));
        if (ilk_stats(a->world).alive < 300) spawn_some(a, 1);
        break;
    case 1:
        ilk_destroy(a->world, e);
        break;
    case 2:
        if (is_there) ilk_remove(a->world, e, a->type);
        break;
    case 3:
        if (is_there) (chance(2) ? ilk_disable : ilk_enable)(a->world, e, a->type);
        break;
    case 4:
        ilk_set(a->world, e, ILK_WITH(Ghost));
        break;
    case 5:
        if (ilk_has(a->world, e, &Ghost_type)) ilk_remove(a->world, e, &Ghost_type);
        break;
    case 6:
        if (ilk_alive(a->world, e)) (chance(2) ? ilk_deactivate : ilk_activate)(a->world, e);
        break;
    case 7:
        if (chance(20) == 0) ilk_settle(a->world, 0);
        break;
    default:
        if (is_there) pick_value(a, ilk_edit(a->world, e, a->type));
    }
}

static uint32_t questions(void) {
    const char* wanted = getenv("ILK_QUESTIONS");
    return wanted ? (uint32_t)strtoul(wanted, NULL, 10) : getenv("ILK_SLOWLY") ? 2000 : 30000;
}

// All kinds, all types, all layouts: asked, stirred, asked again. R001.58, R001.59, R003.30
static void answers_are_those_of_looking_at_everybody(void** state) {
    uint32_t sets = 0, each = questions() / (3 * COUNT_OF(types) * LAYOUTS) + 1;
    for (uint32_t kind = 0; kind < 3; kind++) {
        for (uint32_t type = 0; type < COUNT_OF(types); type++) {
            for (uint32_t how = 0; how < LAYOUTS; how++) {
                open_world(state);
                fixture* f = *state;
                random_state = 1 + sets++;
                arena a = begin_arena(f->world, type, (layout)how, (ilk_space_kind)kind);
                spawn_some(&a, chance(4) ? 40 + chance(300) : chance(8));
                for (uint32_t i = 0; i < each; i++) {
                    for (uint32_t k = chance(8); k; k--) stir(&a);
                    ilk_ask ask = pick_ask(&a);
                    ask_once(&a, &ask);
                }
                ilk_space_destroy(a.space);
                close_world(state);
            }
        }
    }
}

static void it_survives_going_back(void** state) {
    for (uint32_t seed = 1; seed <= 30; seed++) {
        open_world(state);
        fixture* f = *state;
        random_state = seed;
        arena a = begin_arena(f->world, seed % 3, (layout)chance(LAYOUTS), ILK_SPACE_MEASURED);
        spawn_some(&a, 150);
        ilk_snapshot* kept[3] = {0};
        for (uint32_t i = 0; i < 60; i++) {
            for (uint32_t k = chance(20); k; k--) stir(&a);
            ilk_snapshot** one = &kept[chance(3)];
            if (!*one)
                *one = ilk_snapshot_take(f->world);
            else
                assert_ok(ilk_snapshot_restore(*one));
            ilk_ask ask = pick_ask(&a);
            ask_once(&a, &ask);
        }
        ilk_space_destroy(a.space);
        close_world(state);
    }
}

static bool is_odd(ilk_world* world, ilk_entity e, void* user) {
    (void)world;
    ++*(uint32_t*)user;
    return e.index % 2;
}

// R001.59
static void answers_can_be_filtered(void** state) {
    fixture* f = *state;
    random_state = 4;
    arena a = begin_arena(f->world, 0, UNIFORM, ILK_SPACE_MEASURED);
    spawn_some(&a, 300);
    for (uint32_t i = 0; i < 300; i += 3) {
        ilk_set(f->world, ilk_entity_at(f->world, i), ILK_VALUE(Health, 1));
    }
    ilk_query* healthy = ilk_query_create(f->world, &(ilk_query_desc){.with = {&Health_type}});
    uint32_t called = 0;
    for (uint32_t i = 0; i < 200; i++) {
        ilk_ask ask = pick_ask(&a);
        if (i % 2) ask.query = healthy;
        if (i % 3) ask.filter = is_odd;
        ask.user = &called;
        ask_once(&a, &ask);
    }
    assert_true(called > 0);
    ilk_space_destroy(a.space);
}

// A query is narrowed, and gives columns. R003.30
static void a_query_is_narrowed(void** state) {
    fixture* f = *state;
    random_state = 8;
    arena a = begin_arena(f->world, 0, UNIFORM, ILK_SPACE_MEASURED);
    spawn_some(&a, 500);
    for (uint32_t i = 0; i < 500; i += 3) {
        ilk_set(f->world, ilk_entity_at(f->world, i), ILK_VALUE(Health, (int32_t)i));
    }
    ilk_query* query = ilk_query_create(
        f->world, &(ilk_query_desc){.write = {&Health_type}, .read = {&Place_type}});
    ilk_ask ask = {.shape = ILK_SHAPE_BOX, .low = {-50, -50, -100}, .high = {50, 50, 100}};
    static ilk_entity inside[500];
    static ilk_hit all[ANSWERS];
    uint32_t count = ilk_space_collect(a.space, &ask, inside, 500), visited = 0;
    assert_int_equal(count, brute(&a, &ask, all, false));
    assert_handles(all, inside, count);
    ask.query = query;
    uint32_t healthy = brute(&a, &ask, all, false);
    assert_true(healthy > 10 && healthy < count / 2);
    for (ilk_iter it = ilk_query_among(f->world, query, inside, count); ilk_next(&it);) {
        Health* health = ILK_WRITE(&it, Health);
        const Place* its = ILK_READ(&it, Place);
        for (uint32_t i = 0; i < it.count; i++, visited++) {
            assert_true(ilk_same(it.entities[i], all[visited].entity));
            assert_int_equal(health[i].points, it.entities[i].index);
            assert_true(fabsf(its[i].at[0]) <= 50 && fabsf(its[i].at[1]) <= 50);
        }
    }
    assert_int_equal(visited, healthy);
    ilk_space_destroy(a.space);
}

typedef struct Map {
    ilk_space* space;
} Map;
ILK_COMPONENT_WITH(Map, .unrecorded = true);
ILK_TAG(Player);

static void walk_on(ilk_iter* it) {
    while (ilk_next(it)) {
        Place* places = ILK_WRITE(it, Place);
        for (uint32_t i = 0; i < it->count; i++) places[i].at[0] += 10;
    }
}

// Kept as a resource, refreshed once a tick, and still until then. R001.58
static void a_space_follows_the_world_tick_by_tick(void** state) {
    fixture* f = *state;
    ilk_system_create(
        f->world,
        &(ilk_system_desc){.name = "walk on", .run = walk_on, .query = {.write = {&Place_type}}});
    ilk_space* space = ilk_space_create(
        f->world, &(ilk_space_desc){.type = &Place_type,
                                    .query = {.without = {&Ghost_type, &Player_type}},
                                    .phase = "post",
                                    .is_manual = true});
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Map, space)));
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Place, {1, 2, 3}));
    ILK_SPAWN(f->world, ILK_VALUE(Place, {1, 2, 3}), ILK_WITH(Player));
    ILK_SPAWN(f->world, ILK_VALUE(Place, {1, 2, 3}), ILK_WITH(Ghost));
    ILK_SPAWN(f->world, ILK_VALUE(Place, {NAN, 2, 3}));
    const Map* map = ILK_RESOURCE_GET(f->world, Map);
    assert_int_equal(ilk_space_stats_of(map->space).count, 0);
    assert_ok(ilk_update(f->world, 0.02));
    assert_int_equal(ilk_space_stats_of(map->space).count, 1);
    ilk_ask here = {.shape = ILK_SHAPE_BOX, .low = {11, 2, 3}, .high = {11, 2, 3}};
    ilk_ask there = {.shape = ILK_SHAPE_BOX, .low = {21, 2, 3}, .high = {21, 2, 3}};
    ilk_hit hit;
    assert_int_equal(ilk_space_find(map->space, &here, &hit, 1), 1);
    assert_true(ilk_same(hit.entity, e));
    ILK_EDIT(f->world, e, Place)->at[1] = 50; // until the next tick it is where it was
    assert_int_equal(ilk_space_find(map->space, &here, &hit, 1), 1);
    ILK_EDIT(f->world, e, Place)->at[1] = 2;
    assert_ok(ilk_update(f->world, 0.02));
    assert_int_equal(ilk_space_find(map->space, &here, &hit, 1), 0);
    assert_int_equal(ilk_space_find(map->space, &there, &hit, 1), 1);
    assert_true(ilk_same(hit.entity, e));
    assert_int_equal(ilk_space_stats_of(map->space).count, 1);
    ilk_space_destroy(space);
}

// What is even is in a grid, what is not in a tree; and it changes with them.
static void the_structure_suits_the_crowd(void** state) {
    fixture* f = *state;
    random_state = 2;
    arena a = begin_arena(f->world, 0, UNIFORM, ILK_SPACE_MEASURED);
    spawn_some(&a, 5000);
    assert_ok(ilk_space_refresh(a.space));
    assert_int_equal(ilk_space_stats_of(a.space).kind, ILK_SPACE_GRID);
    a.layout = CLUSTERED;
    for (uint32_t i = 0; i < 5000; i++) {
        pick_value(&a, ilk_edit(f->world, ilk_entity_at(f->world, i), &Place_type));
    }
    assert_ok(ilk_space_refresh(a.space));
    assert_int_equal(ilk_space_stats_of(a.space).kind, ILK_SPACE_TREE);
    a.layout = UNIFORM;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < 5000; i++) {
            pick_value(&a, ilk_edit(f->world, ilk_entity_at(f->world, i), &Place_type));
        }
        assert_ok(ilk_space_refresh(a.space));
    }
    assert_int_equal(ilk_space_stats_of(a.space).kind, ILK_SPACE_GRID);
    ilk_space_destroy(a.space);
}

// Nothing that did not change is looked at.
static void what_rests_costs_nothing(void** state) {
    fixture* f = *state;
    arena a = begin_arena(f->world, 1, UNIFORM, ILK_SPACE_MEASURED);
    random_state = 5;
    spawn_some(&a, 3000);
    assert_ok(ilk_space_refresh(a.space));
    assert_ok(ilk_space_refresh(a.space));
    uint64_t before = ilk_space_stats_of(a.space).looked_at;
    assert_ok(ilk_space_refresh(a.space));
    assert_int_equal(ilk_space_stats_of(a.space).looked_at, before);
    for (uint32_t i = 0; i < 10; i++) {
        ILK_EDIT(f->world, ilk_entity_at(f->world, i * 200), Spot)->x += 0.001;
    }
    assert_ok(ilk_space_refresh(a.space));
    ilk_space_stats stats = ilk_space_stats_of(a.space);
    assert_true(stats.looked_at - before <= 10); // by row: the type tracks
    assert_true(stats.moved >= 8);
    ilk_space_destroy(a.space);
}

static void walk_some(ilk_iter* it) {
    while (ilk_next(it)) {
        Spot* spots = ILK_WRITE(it, Spot);
        for (uint32_t i = 0; i < it->count; i++) spots[i].x += 1;
    }
}

// What is built, and what workers compare, is looked at, too.
static void what_workers_look_at_is_counted(void** state) {
    fixture* f = *state;
    arena a = {.world = f->world, .type = &Spot_type, .dims = 2};
    random_state = 5;
    ilk_system_desc walks = {.name = "walk", .run = walk_some, .query = {.write = {&Spot_type}}};
    for (uint32_t i = 0; i < 300; i++) ILK_SPAWN(f->world, ILK_WITH(Spot));
    a.space = space_of(f->world, (ilk_space_desc){.type = &Spot_type, .phase = "post"});
    assert_int_equal(ilk_space_stats_of(a.space).looked_at, 300);
    assert_ok(ilk_update(f->world, 0.1)); // the first time they look at everybody
    assert_int_equal(ilk_space_stats_of(a.space).looked_at, 600);
    assert_int_equal(ilk_space_stats_of(a.space).moved, 0);
    assert_non_null(ilk_system_create(f->world, &walks));
    assert_ok(ilk_update(f->world, 0.1));
    assert_int_equal(ilk_space_stats_of(a.space).looked_at, 900);
    assert_int_equal(ilk_space_stats_of(a.space).moved, 300);
    ilk_space_destroy(a.space);
}

static bool where_double(ilk_world* world, ilk_entity e, void* user, ilk_box* box) {
    const Place* its = ILK_GET(world, e, Place);
    const Health* health = ILK_GET(world, e, Health);
    (void)user;
    if (health && health->points < 0) return false;
    for (uint32_t i = 0; i < 3; i++) {
        box->low[i] = 2 * (double)its->at[i];
        box->high[i] = box->low[i] + (health ? health->points : 0);
    }
    return true;
}

// A function says where, and what it looks at is watched, also when it comes and goes.
static void a_function_may_say_where(void** state) {
    fixture* f = *state;
    ilk_space* space =
        ilk_space_create(f->world, &(ilk_space_desc){.query = {.with = {&Place_type}},
                                                     .where = where_double,
                                                     .reads = {&Place_type, &Health_type}});
    assert_non_null(space);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Place, {1, 2, 3}));
    ilk_ask ask = {.shape = ILK_SHAPE_BOX, .low = {2, 4, 6}, .high = {2, 4, 6}};
    ilk_ask beside = {.shape = ILK_SHAPE_BOX, .low = {4, 4, 6}, .high = {4, 4, 6}};
    ilk_hit hit;
    assert_int_equal(ilk_space_find(space, &ask, &hit, 1), 1);
    assert_true(ilk_same(hit.entity, e));
    assert_int_equal(ilk_space_find(space, &beside, NULL, 0), 0);
    ilk_set(f->world, e, ILK_VALUE(Health, 2));
    assert_int_equal(ilk_space_find(space, &beside, NULL, 0), 1);
    ILK_EDIT(f->world, e, Health)->points = -1;
    assert_int_equal(ilk_space_find(space, &ask, NULL, 0), 0);
    ilk_remove(f->world, e, &Health_type);
    assert_int_equal(ilk_space_find(space, &ask, NULL, 0), 1);
    assert_int_equal(ilk_space_find(space, &beside, NULL, 0), 0);
    ilk_space_destroy(space);
}

// R001.59
static void what_is_no_question_has_no_answer(void** state) {
    fixture* f = *state;
    arena a = begin_arena(f->world, 0, UNIFORM, ILK_SPACE_MEASURED);
    ILK_SPAWN(f->world, ILK_VALUE(Place, {0, 0, 0}));
    ilk_hit hit;
    assert_int_equal(ilk_space_find(a.space, &(ilk_ask){0}, &hit, 1), 1);
    const ilk_ask wrong[] = {
        {.shape = (ilk_shape)9},
        {.shape = ILK_SHAPE_SPHERE, .radius = -1},
        {.shape = ILK_SHAPE_SPHERE, .radius = NAN},
        {.shape = ILK_SHAPE_SPHERE, .at = {NAN}, .radius = 5},
        {.shape = ILK_SHAPE_BOX, .low = {1}, .high = {0}},
        {.shape = ILK_SHAPE_CYLINDER, .radius = 1, .axis = 3},
        {.shape = ILK_SHAPE_CYLINDER, .radius = 1, .height = -1},
        {.shape = ILK_SHAPE_RAY},
        {.shape = ILK_SHAPE_RAY, .way = {INFINITY}},
    };
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_int_equal(ilk_space_find(a.space, &wrong[i], &hit, 1), 0);
        assert_int_equal(ilk_space_nearest(a.space, &wrong[i], &hit, 1), 0);
    }
    assert_int_equal(ilk_space_find(NULL, &(ilk_ask){0}, &hit, 1), 0);
    assert_int_equal(ilk_space_find(a.space, NULL, &hit, 1), 0);
    assert_int_equal(ilk_space_nearest(a.space, &(ilk_ask){0}, NULL, 1), 0);
    assert_int_equal(ilk_space_each(a.space, &(ilk_ask){0}, NULL, NULL), 0);
    // A radius is no matter of a shape that has none.
    const ilk_shape without[] = {ILK_SHAPE_ALL, ILK_SHAPE_BOX};
    for (uint32_t i = 0; i < 2 * COUNT_OF(without); i++) {
        ilk_ask ask = {.shape = without[i / 2], .radius = i % 2 ? -1 : NAN};
        assert_int_equal(ilk_space_find(a.space, &ask, &hit, 1), 1);
        assert_int_equal(ilk_space_nearest(a.space, &ask, &hit, 1), 1);
    }
    // At the border: strictly nearer, but a box has its border.
    ilk_ask sphere = {.shape = ILK_SHAPE_SPHERE, .at = {3}, .radius = 3};
    ilk_ask box = {.shape = ILK_SHAPE_BOX, .high = {3, 3, 3}};
    assert_int_equal(ilk_space_find(a.space, &sphere, &hit, 1), 0);
    assert_int_equal(ilk_space_find(a.space, &box, &hit, 1), 1);
    sphere.radius = nextafter(3, 4);
    assert_int_equal(ilk_space_find(a.space, &sphere, &hit, 1), 1);
    assert_true(hit.distance == 3);
    ilk_space_destroy(a.space);
}

static void misuse_is_told(void** state) {
    fixture* f = *state;
    const ilk_space_desc wrong[] = {
        {.field = "at"},
        {.type = &Health_type},
        {.type = &Place_type, .field = "low"},
        {.type = &Bounds_type, .field = "low", .high = "there"},
        {.type = &Place_type, .kind = (ilk_space_kind)7},
        {.type = &Place_type, .query = {.changed = {&Place_type}}},
    };
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_null(ilk_space_create(f->world, &wrong[i]));
        assert_told(f, ILK_INVALID, "ilk_space_create");
    }
    assert_null(ilk_space_create(f->world, NULL));
    assert_told(f, ILK_INVALID, "ilk_space_create");
    assert_null(ilk_space_create(NULL, NULL));
    assert_int_equal(ilk_space_refresh(NULL), ILK_INVALID);
    ilk_space_destroy(NULL);
    assert_int_equal(ilk_observer_count(f->world), 0);
}

// R001.59
static void it_can_be_looked_at(void** state) {
    fixture* f = *state;
    arena a = begin_arena(f->world, 0, UNIFORM, ILK_SPACE_TREE);
    for (int i = 0; i < 30; i++) ILK_SPAWN(f->world, ILK_VALUE(Place, {(float)i, 0, 0}));
    assert_ok(ilk_space_refresh(a.space));
    char text[4000];
    size_t length = ilk_space_dump(a.space, text, sizeof text);
    assert_int_equal(strlen(text), length);
    assert_non_null(strstr(text, "Tree(size=30)"));
    assert_non_null(strstr(text, "  3:1 at 3 0 0\n"));
    assert_non_null(strstr(text, "and 10 more"));
    char part[20];
    assert_int_equal(ilk_space_dump(a.space, part, sizeof part), length);
    assert_int_equal(strlen(part), sizeof part - 1);
    length = ilk_space_draw(a.space, NULL, 0);
    char* drawn = malloc(length + 1);
    assert_int_equal(ilk_space_draw(a.space, drawn, length + 1), length);
    uint32_t dots = 0;
    for (const char* at = drawn; (at = strstr(at, "<circle")); at++) dots++;
    assert_int_equal(dots, 30);
    assert_non_null(strstr(drawn, "</svg>"));
    free(drawn);
    ilk_space_destroy(a.space);
}

static void want_of_memory_is_made_up_for(void** state) {
    fixture* f = *state;
    for (uint32_t kind = 1; kind < 3; kind++) {
        random_state = 3;
        meter memory = {.left = UINT64_MAX};
        fixture other = {.memory = memory};
        ilk_space_desc desc = {.type = &Place_type,
                               .query = {.without = {&Ghost_type}},
                               .kind = (ilk_space_kind)kind,
                               .allocator = fixture_desc(&other).allocator};
        ilk_space* space = NULL;
        for (uint64_t most = 0; !space; most++) {
            assert_true(most < 1000);
            other.memory.left = most;
            space = ilk_space_create(f->world, &desc);
            f->told.count = 0;
        }
        arena a = {.world = f->world, .space = space, .type = &Place_type, .dims = 3};
        for (uint32_t i = 0; i < 200; i++) {
            other.memory.left = chance(3);
            spawn_some(&a, 30);
            for (uint32_t k = 0; k < 10; k++) stir(&a);
            ilk_space_refresh(space);
            other.memory.left = UINT64_MAX;
            ilk_ask ask = pick_ask(&a);
            ask_once(&a, &ask);
            if (i % 20 == 19) ilk_clear(f->world);
        }
        ilk_space_destroy(space);
        assert_int_equal(other.memory.bytes, 0);
        assert_false(other.memory.mismatch);
        ilk_clear(f->world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_looking_at_everybody),
        cmocka_unit_test(it_survives_going_back),
        WORLD_TEST(answers_can_be_filtered),
        WORLD_TEST(a_query_is_narrowed),
        WORLD_TEST(a_space_follows_the_world_tick_by_tick),
        WORLD_TEST(the_structure_suits_the_crowd),
        WORLD_TEST(what_rests_costs_nothing),
        WORLD_TEST(what_workers_look_at_is_counted),
        WORLD_TEST(a_function_may_say_where),
        WORLD_TEST(what_is_no_question_has_no_answer),
        WORLD_TEST(misuse_is_told),
        WORLD_TEST(it_can_be_looked_at),
        WORLD_TEST(want_of_memory_is_made_up_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
