// Spaces at their edges: coordinates and sizes of any magnitude, many at one point, and what is
// not allowed.
#include "space_support.h"

static ilk_space* bounds_space(ilk_world* world, ilk_space_kind kind) {
    return space_of(world, (ilk_space_desc){.type = &Bounds_type,
                                            .field = "low",
                                            .high = "high",
                                            .kind = kind,
                                            .cell = kind == ILK_SPACE_GRID ? 0.001 : 0});
}

// Sizes and distances

// Larger than all cells by far. R001.59
static void a_box_of_any_size_is_found(void** state) {
    fixture* f = *state;
    for (uint32_t kind = ILK_SPACE_GRID; kind <= ILK_SPACE_TREE; kind++) {
        ilk_space* space = bounds_space(f->world, (ilk_space_kind)kind);
        for (double size = 1e-9; size < 1e140; size *= 1e3) {
            ilk_entity e = ILK_SPAWN(
                f->world, ILK_VALUE(Bounds, .low = {0, 0, 0}, .high = {size, size, size}));
            assert_int_equal(count_within(space, size, size, size, size / 1e6), 1);
            assert_int_equal(count_within(space, size / 3, 0, size / 7, size / 1e6), 1);
            assert_int_equal(count_within(space, size * 1.1, 0, 0, size / 1e6), 0);
            char text[2000];
            assert_true(ilk_space_draw(space, text, sizeof text) < sizeof text);
            assert_ok(ilk_destroy(f->world, e));
        }
        ilk_space_destroy(space);
    }
}

// Squares of distances are numbers, and who is at the very place is nearer than anything.
static void distances_of_any_size_are_told_apart(void** state) {
    fixture* f = *state;
    for (uint32_t kind = ILK_SPACE_GRID; kind <= ILK_SPACE_TREE; kind++) {
        ilk_space* space = bounds_space(f->world, (ilk_space_kind)kind);
        ILK_SPAWN(f->world, ILK_VALUE(Bounds, .low = {1}, .high = {1}));
        ILK_SPAWN(f->world, ILK_VALUE(Bounds, .low = {-1e150}, .high = {-1e150}));
        ILK_SPAWN(f->world, ILK_VALUE(Bounds, .low = {1e151}, .high = {1e151})); // is nowhere
        assert_int_equal(count_within(space, 1, 0, 0, 1e-200), 1);
        assert_int_equal(count_within(space, 1, 0, 0, 0), 0);
        assert_int_equal(count_within(space, 1, 0, 0, 1e149), 1);
        assert_int_equal(count_within(space, 1e150, 0, 0, 1e300), 2);
        assert_int_equal(count_within(space, 1, 0, 0, INFINITY), 2);
        assert_int_equal(count_within(space, 1e151, 0, 0, INFINITY), 0);
        ilk_hit hits[3];
        ilk_ask ask = {.at = {1e150, 1e150, 1e150}};
        assert_int_equal(ilk_space_nearest(space, &ask, hits, 3), 2);
        assert_int_equal(hits[0].entity.index, 0);
        assert_true(hits[0].distance < hits[1].distance && hits[1].distance < 1e151);
        ilk_space_destroy(space);
        ilk_clear(f->world);
    }
}

typedef struct Point {
    double at[2];
} Point;
ILK_COMPONENT_WITH(Point, .fields = ILK_FIELDS(ILK_FIELD(Point, at)));

static uint32_t found_by(ilk_world* world, ilk_space_kind kind, const ilk_ask* ask) {
    ilk_space* space = space_of(world, (ilk_space_desc){.type = &Point_type,
                                                        .kind = kind,
                                                        .cell = kind == ILK_SPACE_GRID ? 1 : 0});
    ilk_hit hits[2];
    uint32_t found = ilk_space_find(space, ask, NULL, 0);
    assert_int_equal(ilk_space_nearest(space, ask, hits, 2), found);
    ilk_space_destroy(space);
    return found;
}

static void assert_found_by_all(fixture* f, double x, const ilk_ask* ask, uint32_t count) {
    ILK_SPAWN(f->world, ILK_VALUE(Point, {x, 0}));
    for (int i = 0; i < 20; i++) ILK_SPAWN(f->world, ILK_VALUE(Point, {-50 - i, 0}));
    assert_int_equal(found_by(f->world, ILK_SPACE_GRID, ask), count);
    assert_int_equal(found_by(f->world, ILK_SPACE_TREE, ask), count);
    ilk_clear(f->world);
}

// Who is at the border of a shape is in it by its distance, as it is rounded, in whatever it lies.
static void borders_are_where_distances_say(void** state) {
    fixture* f = *state;
    ilk_ask ask = {.shape = ILK_SHAPE_CYLINDER, .radius = 1, .at = {0.5}, .height = 1.25};
    assert_found_by_all(f, -0.75 - ldexp(1, -53), &ask, 1);
    ask.at[0] = ask.height = 1;
    assert_found_by_all(f, -ldexp(1, -54), &ask, 1);
    assert_found_by_all(f, -ldexp(1, -51), &ask, 0);
    random_state = 4;
    for (uint32_t i = 0; i < 200; i++) {
        ask.at[0] = chance(3) ? unit() * 4 : ldexp(1, (int)chance(8) - 4);
        ask.height = chance(3) ? unit() * 4 : ldexp(1, (int)chance(8) - 4);
        double x = ask.at[0] - ask.height + ((double)chance(9) - 4) * ldexp(1, -54);
        assert_found_by_all(f, x, &ask, ask.at[0] - x <= ask.height);
        ask.at[0] = -ask.at[0];
        assert_found_by_all(f, -x, &ask, -x - ask.at[0] <= ask.height);
    }
    const double tiny[] = {1e-200, 1e-161, 1e-155};
    for (uint32_t i = 0; i < COUNT_OF(tiny); i++) {
        ilk_ask near = {.shape = ILK_SHAPE_SPHERE, .radius = tiny[i]};
        assert_found_by_all(f, 1e-160, &near, 1);
        assert_found_by_all(f, -1e-160, &near, 1);
        near.shape = ILK_SHAPE_CYLINDER;
        near.axis = 1;
        assert_found_by_all(f, 1e-160, &near, 1);
    }
}

static bool found_by_ray(ilk_space* space, const ilk_ask* ask) {
    ilk_hit hit;
    return ilk_space_find(space, ask, &hit, 1) == 1;
}

static void rays_of_any_direction_meet(void** state) {
    fixture* f = *state;
    for (uint32_t kind = ILK_SPACE_GRID; kind <= ILK_SPACE_TREE; kind++) {
        ilk_space* space =
            space_of(f->world, (ilk_space_desc){.type = &Place_type, .kind = (ilk_space_kind)kind});
        for (int i = -40; i < 40; i++) {
            ILK_SPAWN(f->world, ILK_VALUE(Place, {(float)i, 0, 0}));
        }
        ilk_ask ask = {.shape = ILK_SHAPE_RAY, .at = {-100}, .way = {1e-308}};
        assert_int_equal(ilk_space_find(space, &ask, NULL, 0), 80);
        ask.way[0] = 1e308;
        assert_int_equal(ilk_space_find(space, &ask, NULL, 0), 80);
        ask.length = 100;
        assert_int_equal(ilk_space_find(space, &ask, NULL, 0), 41); // the last one is at its end
        ask.length = INFINITY;
        assert_int_equal(ilk_space_find(space, &ask, NULL, 0), 80);
        ask.radius = INFINITY;
        ask.way[1] = 1;
        assert_int_equal(ilk_space_find(space, &ask, NULL, 0), 80);
        ask.radius = 0;
        ask.way[0] = -0.0;
        assert_false(found_by_ray(space, &ask));
        ask.at[0] = 7;
        assert_true(found_by_ray(space, &ask));
        ask.way[1] = NAN;
        assert_false(found_by_ray(space, &ask));
        ask.way[1] = 1;
        ask.length = -1;
        assert_false(found_by_ray(space, &ask));
        ilk_space_destroy(space);
        ilk_clear(f->world);
    }
}

// What rounding does to a ray that begins far away is allowed for.
static void rays_from_afar_meet_as_others_do(void** state) {
    fixture* f = *state;
    random_state = 12;
    arena a = {.world = f->world, .type = &Place_type, .layout = UNIFORM, .dims = 3};
    a.space = space_of(f->world, (ilk_space_desc){.type = &Place_type, .kind = ILK_SPACE_GRID});
    for (uint32_t i = 0; i < 300; i++) {
        double at[3];
        pick_point(&a, at);
        ILK_SPAWN(f->world, ILK_VALUE(Place, {(float)at[0], (float)at[1], (float)at[2]}));
    }
    for (uint32_t i = 0; i < 3000; i++) {
        ilk_ask ask = {.shape = ILK_SHAPE_RAY};
        const Place* its = ILK_GET(f->world, ilk_entity_at(f->world, i % 300), Place);
        double far = pow(10, chance(18));
        ask.radius = far * 1e-16;
        for (uint32_t k = 0; k < 3; k++) {
            ask.way[k] = unit() - 0.5;
            ask.at[k] = its->at[k] - ask.way[k] * far;
        }
        ask_once(&a, &ask);
    }
    ilk_space_destroy(a.space);
}

// Who moves within a cell may leave the bounds of all.
static void rays_meet_who_left_the_bounds(void** state) {
    fixture* f = *state;
    ilk_space* space = space_of(
        f->world, (ilk_space_desc){.type = &Place_type, .kind = ILK_SPACE_GRID, .cell = 100});
    for (int i = 0; i < 40; i++) ILK_SPAWN(f->world, ILK_VALUE(Place, {(float)i / 4, 1, 1}));
    assert_ok(ilk_space_refresh(space));
    Place* its = ILK_EDIT(f->world, ilk_entity_at(f->world, 3), Place);
    *its = (Place){{50, 60, 70}};
    ilk_ask ask = {.shape = ILK_SHAPE_RAY, .at = {50, 60, -90}, .way = {0, 0, 1}};
    assert_true(found_by_ray(space, &ask));
    assert_int_equal(ilk_space_stats_of(space).parts, 1);
    ilk_space_destroy(space);
}

// What it costs

// Of two sides that are 1 long, both count.
static void cells_suit_a_unit_square(void** state) {
    fixture* f = *state;
    random_state = 1;
    ILK_SPAWN(f->world, ILK_VALUE(Spot, 0, 0, 0));
    ILK_SPAWN(f->world, ILK_VALUE(Spot, 0, 1, 1));
    for (uint32_t i = 0; i < 998; i++) ILK_SPAWN(f->world, ILK_VALUE(Spot, 0, unit(), unit()));
    ilk_space* space = space_of(f->world, (ilk_space_desc){.type = &Spot_type});
    ilk_space_stats stats = ilk_space_stats_of(space);
    assert_int_equal(stats.kind, ILK_SPACE_GRID);
    assert_true(stats.cell > 0.05 && stats.cell < 0.1);
    assert_true(stats.parts > 150 && stats.parts < 300);
    ilk_space_destroy(space);
}

// Beside those that are there, cells of nobody by the million million are not gone through.
static void a_question_beside_everybody_costs_nothing(void** state) {
    fixture* f = *state;
    ilk_space* space = space_of(
        f->world, (ilk_space_desc){.type = &Place_type, .kind = ILK_SPACE_GRID, .cell = 0.001});
    ILK_SPAWN(f->world, ILK_VALUE(Place, {-1000, -1000, 0}));
    ILK_SPAWN(f->world, ILK_VALUE(Place, {1000, 1000, 0}));
    ilk_ask ask = {.shape = ILK_SHAPE_BOX, .low = {-1000, -1000, 5}, .high = {1000, 1000, 5}};
    assert_int_equal(ilk_space_find(space, &ask, NULL, 0), 0);
    ilk_hit hit;
    assert_int_equal(ilk_space_nearest(space, &ask, &hit, 1), 0);
    ilk_space_destroy(space);
}

// Large boxes are in few cells of their levels: then it is a tree at once, and not built again and
// again.
static void what_rests_is_not_built_again(void** state) {
    fixture* f = *state;
    random_state = 7;
    for (uint32_t i = 0; i < 1000; i++) {
        double at[3] = {unit() * 200, unit() * 200, unit() * 200};
        ILK_SPAWN(f->world, ILK_VALUE(Bounds, .low = {at[0], at[1], at[2]},
                                      .high = {at[0] + 150, at[1] + 150, at[2] + 150}));
    }
    ilk_space* space = bounds_space(f->world, ILK_SPACE_MEASURED);
    uint64_t builds = ilk_space_stats_of(space).builds;
    assert_int_equal(builds, 1);
    for (uint32_t i = 0; i < 5; i++) assert_ok(ilk_space_refresh(space));
    assert_int_equal(ilk_space_stats_of(space).builds, builds);
    ilk_space_destroy(space);
}

static void many_at_one_point_are_no_burden(void** state) {
    fixture* f = *state;
    uint32_t most = getenv("ILK_SLOWLY") ? 20000 : 200000;
    ilk_space* space =
        space_of(f->world, (ilk_space_desc){.type = &Place_type, .kind = ILK_SPACE_TREE});
    for (int i = 0; i < 40; i++) ILK_SPAWN(f->world, ILK_VALUE(Place, {(float)i, 0, 0}));
    assert_ok(ilk_space_refresh(space));
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, most, ILK_TYPES(&Place_type)));
    assert_ok(ilk_space_refresh(space));
    assert_int_equal(ilk_space_stats_of(space).fullest, most + 1);
    assert_int_equal(count_within(space, 0, 0, 0, 0.5), most + 1);
    assert_int_equal(count_within(space, 3, 0, 0, 2.5), 5);
    for (uint32_t i = 0; i < 300; i++) { // one comes and goes
        ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Place, {0, 0, 0}));
        assert_ok(ilk_space_refresh(space));
        assert_ok(ilk_destroy(f->world, e));
        assert_ok(ilk_space_refresh(space));
    }
    assert_int_equal(count_within(space, 0, 0, 0, 0.5), most + 1);
    ilk_space_destroy(space);
}

// Most are at one point; the others lie nearer and nearer to it. They are in small leaves all the
// same.
static void those_beside_many_at_one_point_are_told_apart(void** state) {
    fixture* f = *state;
    random_state = 3;
    for (uint32_t i = 0; i < 3000; i++) ILK_SPAWN(f->world, ILK_VALUE(Spot, 0, 0, 0));
    for (uint32_t i = 0; i < 2000; i++) {
        double x = ldexp(1 + unit(), -(int)chance(1000));
        ILK_SPAWN(f->world, ILK_VALUE(Spot, 0, x, 0));
    }
    ilk_space* space =
        space_of(f->world, (ilk_space_desc){.type = &Spot_type, .kind = ILK_SPACE_TREE});
    ilk_space_stats stats = ilk_space_stats_of(space);
    assert_int_equal(stats.fullest, 3000);
    assert_true(stats.parts > 150);
    ilk_space_destroy(space);
}

// Leaves that were made larger by what grew are as they should be after a while.
static void what_grows_and_shrinks_is_built_again(void** state) {
    fixture* f = *state;
    random_state = 9;
    for (uint32_t i = 0; i < 600; i++) {
        double at[3] = {unit() * 100, unit() * 100, unit() * 100};
        ILK_SPAWN(f->world,
                  ILK_VALUE(Bounds, .low = {at[0], at[1], at[2]}, .high = {at[0], at[1], at[2]}));
    }
    ilk_space* space = bounds_space(f->world, ILK_SPACE_TREE);
    uint64_t builds = ilk_space_stats_of(space).builds;
    for (uint32_t i = 0; i < 1200; i++) {
        Bounds* bounds = ILK_EDIT(f->world, ilk_entity_at(f->world, i % 600), Bounds);
        double more = i % 2 ? -400 : 400;
        for (uint32_t k = 0; k < 3; k++) {
            bounds->low[k] -= more;
            bounds->high[k] += more;
        }
        if (i % 2) bounds = ILK_EDIT(f->world, ilk_entity_at(f->world, i % 600), Bounds);
        assert_ok(ilk_space_refresh(space));
    }
    assert_true(ilk_space_stats_of(space).builds > builds);
    assert_true(ilk_space_stats_of(space).builds < builds + 10);
    ilk_space_destroy(space);
}

// Nearer and nearer to one point, few at a time: the tree grows deep there, and is built again.
static void a_tree_that_grows_deep_is_built_again(void** state) {
    fixture* f = *state;
    random_state = 5;
    for (uint32_t i = 0; i < 2000; i++) ILK_SPAWN(f->world, ILK_VALUE(Spot, 0, unit(), unit()));
    ilk_space* space =
        space_of(f->world, (ilk_space_desc){.type = &Spot_type, .kind = ILK_SPACE_TREE});
    for (int i = 1; i < 100; i++) {
        for (int k = 0; k < 9; k++)
            ILK_SPAWN(f->world, ILK_VALUE(Spot, 0, ldexp(1 + k / 99.0, -i), 0));
        assert_ok(ilk_space_refresh(space));
    }
    uint64_t builds = ilk_space_stats_of(space).builds;
    assert_true(builds > 1 && builds < 6);
    ilk_space_destroy(space);
}

// After much has moved to and fro, a grid still knows that it has become uneven.
static void a_crowd_that_spreads_gets_larger_cells(void** state) {
    fixture* f = *state;
    ilk_entity e[14];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Place));
    ilk_space* space = space_of(f->world, (ilk_space_desc){.type = &Place_type});
    assert_ok(ilk_space_refresh(space));
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        Place* place = ILK_EDIT(f->world, e[i], Place);
        place->at[0] = (float)(i % 4) * 600;
        place->at[1] = (float)(i / 4) * 400;
    }
    assert_ok(ilk_space_refresh(space));
    assert_true(ilk_space_stats_of(space).cell > 400);
    assert_int_equal(ilk_space_stats_of(space).builds, 2);
    assert_ok(ilk_set(f->world, e[0], ILK_VALUE(Place, .at = {300})));
    assert_ok(ilk_space_refresh(space));
    assert_int_equal(ilk_space_stats_of(space).builds, 2);
    ilk_space_destroy(space);
}

static void what_gathers_slowly_comes_into_a_tree(void** state) {
    fixture* f = *state;
    random_state = 6;
    for (uint32_t i = 0; i < 2000; i++) ILK_SPAWN(f->world, ILK_VALUE(Spot, 0, unit(), unit()));
    ilk_space* space = space_of(f->world, (ilk_space_desc){.type = &Spot_type});
    for (uint32_t i = 0; i < 40000; i++) {
        Spot* spot = ILK_EDIT(f->world, ilk_entity_at(f->world, chance(2000)), Spot);
        spot->x = unit();
        spot->y = unit();
        if (i % 100 == 0) assert_ok(ilk_space_refresh(space));
    }
    assert_int_equal(ilk_space_stats_of(space).kind, ILK_SPACE_GRID);
    assert_int_equal(ilk_space_stats_of(space).builds, 1);
    for (uint32_t i = 0; i < 220; i++) {
        Spot* spot = ILK_EDIT(f->world, ilk_entity_at(f->world, i), Spot);
        spot->x = spot->y = 0.5 + i * 1e-6;
        if (i % 50 == 0) assert_ok(ilk_space_refresh(space));
    }
    assert_ok(ilk_space_refresh(space));
    assert_int_equal(ilk_space_stats_of(space).kind, ILK_SPACE_TREE);
    ilk_space_destroy(space);
}

static void spawn_much(ilk_iter* it) {
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            if (it->entities[i].index != 100) continue;
            for (uint32_t k = 0; k < 20000; k++) {
                ilk_cmd_spawn(it->cmd, (ilk_value[]){ILK_VALUE(Place, {1, 2, 3})}, 1);
            }
        }
    }
}

// One piece of many makes entities, whose indices are far apart: there is room for those alone.
static void indices_far_apart_cost_nothing(void** state) {
    fixture* f = *state;
    for (uint32_t i = 0; i < 6400; i++) ILK_SPAWN(f->world, ILK_WITH(Health));
    ilk_space* space = space_of(f->world, (ilk_space_desc){.type = &Place_type});
    ilk_system_create(f->world, &(ilk_system_desc){.name = "spawn much",
                                                   .run = spawn_much,
                                                   .is_parallel = true,
                                                   .piece_rows = 64,
                                                   .query = {.read = {&Health_type}}});
    assert_ok(ilk_update(f->world, 0.1));
    assert_true(ilk_stats(f->world).slots > 400000);
    assert_int_equal(count_within(space, 1, 2, 3, 1), 20000);
    assert_true(ilk_space_stats_of(space).bytes < (size_t)20000 * 400);
    ilk_space_destroy(space);
}

// Descriptions

static void descriptions_may_be_changed_afterwards(void** state) {
    fixture* f = *state;
    char name[] = "around here", text[300], field[] = "at";
    ilk_space* space =
        space_of(f->world, (ilk_space_desc){.type = &Place_type, .field = field, .name = name});
    memset(name, 'x', sizeof name - 1);
    memset(field, 'x', sizeof field - 1);
    ilk_space_dump(space, text, sizeof text);
    assert_non_null(strstr(text, "\"around here\""));
    ilk_space_destroy(space);
}

static void what_is_shown_is_so(void** state) {
    fixture* f = *state;
    for (int i = 0; i < 20; i++) ILK_SPAWN(f->world, ILK_VALUE(Spot, 0, i % 2 * 20, i * 2));
    ilk_space* space =
        space_of(f->world, (ilk_space_desc){.type = &Spot_type, .kind = ILK_SPACE_TREE});
    char text[8000];
    ilk_space_dump(space, text, sizeof text);
    assert_null(strstr(text, "more")); // all twenty are there
    assert_non_null(strstr(text, "  19:1 at 20 38\n"));
    assert_true(ilk_space_draw(space, text, sizeof text) < sizeof text);
    assert_non_null(strstr(text, "<circle cx=\"10.0\" cy=\"810.0\"")); // the lowest at the bottom
    assert_non_null(strstr(text, "<circle cx=\"431.1\" cy=\"10.0\""));
    ilk_space_destroy(space);
}

typedef struct Mixed {
    float low[2];
    double high[2];
} Mixed;
ILK_COMPONENT_WITH(Mixed, .fields = ILK_FIELDS(ILK_FIELD(Mixed, low), ILK_FIELD(Mixed, high)));

static bool where_nobody_is(ilk_world* world, ilk_entity e, void* user, ilk_box* box) {
    (void)world, (void)e, (void)user, (void)box;
    return false;
}

static void what_cannot_be_is_told(void** state) {
    fixture* f = *state;
    static ilk_type extra[ILK_LIST];
    static char names[ILK_LIST][4];
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        snprintf(names[i], sizeof names[i], "t%u", (unsigned)i);
        extra[i] = (ilk_type){.name = names[i], .size = 4};
    }
    char endless[200];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = 0;
    ilk_space_desc full = {.type = &Place_type},
                   seen = {.type = &Place_type, .where = where_nobody_is};
    for (uint32_t i = 0; i < ILK_LIST; i++) full.query.read[i] = seen.reads[i] = &extra[i];
    const ilk_term terms[] = {{ILK_ACCESS_ADDED, &Place_type}, {ILK_ACCESS_NONE, NULL}};
    const ilk_space_desc wrong[] = {
        {.type = &Place_type, .query = {.changed = {NULL, &Place_type}}},
        {.type = &Place_type,
         .query = {.relates = {{.relation = &ilk_child_of_type}}, .terms = terms}},
        {.type = &Mixed_type, .field = "low", .high = "high"},
        {.type = &Place_type, .cell = -1},
        {.type = &Place_type, .cell = NAN},
        {.type = &Place_type, .cell = 1e200},
        {.type = &Place_type, .name = endless},
        full,
        seen,
    };
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_null(ilk_space_create(f->world, &wrong[i]));
        assert_told(f, ILK_INVALID, "ilk_space_create");
    }
    assert_int_equal(ilk_observer_count(f->world), 0);
}

// A type that the query asks for already, and two spaces of one query.
static void queries_may_name_the_type(void** state) {
    fixture* f = *state;
    const ilk_term reads[] = {{ILK_ACCESS_READ, &Place_type}, {ILK_ACCESS_NONE, NULL}};
    const ilk_term writes[] = {{ILK_ACCESS_WRITE, &Place_type}, {ILK_ACCESS_NONE, NULL}};
    const ilk_term with[] = {{ILK_ACCESS_WITH, &Place_type}, {ILK_ACCESS_NONE, NULL}};
    ilk_query_desc of_all[] = {
        {.with = {&Place_type}}, {.terms = reads},         {.terms = writes}, {.terms = with},
        {.read = {&Place_type}}, {.write = {&Place_type}}, {.where = "Place"}};
    ILK_SPAWN(f->world, ILK_VALUE(Place, {0, 0, 0}));
    for (uint32_t i = 0; i < COUNT_OF(of_all); i++) {
        ilk_space_desc desc = {.type = &Place_type, .query = of_all[i]};
        ilk_space *one = space_of(f->world, desc), *other;
        desc.phase = "update";
        other = space_of(f->world, desc);
        ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Place, {1, 0, 0}));
        assert_int_equal(count_within(one, 0, 0, 0, 5), 2);
        assert_int_equal(count_within(other, 0, 0, 0, 5), 2);
        ILK_EDIT(f->world, e, Place)->at[0] = 9;
        assert_int_equal(count_within(one, 0, 0, 0, 5), 1);
        assert_int_equal(count_within(other, 0, 0, 0, 5), 1);
        assert_ok(ilk_destroy(f->world, e));
        ilk_space_destroy(one);
        assert_int_equal(count_within(other, 0, 0, 0, 20), 1);
        ilk_space_destroy(other);
    }
}

static void nowhere_to_put_it_is_a_count(void** state) {
    fixture* f = *state;
    ilk_space* space = space_of(f->world, (ilk_space_desc){.type = &Place_type});
    for (int i = 0; i < 200; i++) ILK_SPAWN(f->world, ILK_VALUE(Place, {(float)i, 0, 0}));
    ilk_ask all = {0};
    static ilk_entity found[300];
    assert_int_equal(ilk_space_collect(space, &all, NULL, 300), 200);
    assert_int_equal(ilk_space_collect(space, &all, NULL, 0), 200);
    assert_int_equal(ilk_space_collect(NULL, &all, found, 300), 0);
    assert_int_equal(ilk_space_collect(space, NULL, found, 300), 0);
    for (uint32_t capacity = 63; capacity < 68; capacity++) {
        memset(found, 0xff, sizeof found);
        assert_int_equal(ilk_space_collect(space, &all, found, capacity), 200);
        assert_int_equal(found[capacity - 1].index, capacity - 1);
        assert_int_equal(found[capacity].index, UINT32_MAX);
    }
    assert_int_equal(ilk_space_find(space, &all, NULL, 300), 200);
    ilk_hit hits[2] = {{.distance = 77}, {.distance = 77}};
    assert_int_equal(ilk_space_find(space, &all, hits, 0), 200);
    assert_int_equal(ilk_space_nearest(space, &all, hits, 0), 0);
    assert_true(hits[0].distance == 77);
    assert_int_equal(ilk_space_stats_of(NULL).count, 0);
    assert_int_equal(ilk_space_dump(NULL, NULL, 0), 0);
    assert_int_equal(ilk_space_draw(NULL, NULL, 0), 0);
    char dumped[] = "abc", drawn[] = "abc";
    assert_int_equal(ilk_space_dump(NULL, dumped, sizeof dumped), 0);
    assert_int_equal(ilk_space_draw(NULL, drawn, sizeof drawn), 0);
    assert_string_equal(dumped, "");
    assert_string_equal(drawn, "");
    ilk_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_box_of_any_size_is_found),
        WORLD_TEST(distances_of_any_size_are_told_apart),
        WORLD_TEST(borders_are_where_distances_say),
        WORLD_TEST(rays_of_any_direction_meet),
        WORLD_TEST(rays_from_afar_meet_as_others_do),
        WORLD_TEST(rays_meet_who_left_the_bounds),
        WORLD_TEST(what_is_shown_is_so),
        WORLD_TEST(cells_suit_a_unit_square),
        WORLD_TEST(a_question_beside_everybody_costs_nothing),
        WORLD_TEST(what_rests_is_not_built_again),
        WORLD_TEST(many_at_one_point_are_no_burden),
        WORLD_TEST(those_beside_many_at_one_point_are_told_apart),
        WORLD_TEST(what_grows_and_shrinks_is_built_again),
        WORLD_TEST(a_tree_that_grows_deep_is_built_again),
        WORLD_TEST(a_crowd_that_spreads_gets_larger_cells),
        WORLD_TEST(what_gathers_slowly_comes_into_a_tree),
        WORLD_TEST(indices_far_apart_cost_nothing),
        WORLD_TEST(descriptions_may_be_changed_afterwards),
        WORLD_TEST(what_cannot_be_is_told),
        WORLD_TEST(queries_may_name_the_type),
        WORLD_TEST(nowhere_to_put_it_is_a_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
