// Spaces that systems refresh, on any number of workers, and that many threads ask at once.
// R001.58
#include "space_support.h"

enum {
    MANY = 4000,
    FRAMES = 12
};

typedef struct Drift {
    float by[3];
} Drift;
ILK_COMPONENT(Drift);
typedef struct Near {
    uint32_t count;
    float nearest;
} Near;
ILK_COMPONENT(Near);

static ilk_space* space;

static void drift(ilk_iter* it) {
    while (ilk_next(it)) {
        Place* places = ILK_WRITE(it, Place);
        const Drift* drifts = ILK_READ(it, Drift);
        for (uint32_t i = 0; i < it->count; i++) {
            for (uint32_t k = 0; k < 3; k++) places[i].at[k] += drifts[i].by[k];
            if (it->entities[i].index % 97 == 0) ilk_cmd_destroy(it->cmd, it->entities[i]);
        }
    }
}

// Asked by all pieces at once.
static void look_around(ilk_iter* it) {
    while (ilk_next(it)) {
        Near* nears = ILK_WRITE(it, Near);
        const Place* places = ILK_READ(it, Place);
        for (uint32_t i = 0; i < it->count; i++) {
            const float* at = places[i].at;
            ilk_ask ask = {.shape = ILK_SHAPE_SPHERE, .at = {at[0], at[1], at[2]}, .radius = 12};
            ilk_hit hits[2];
            nears[i].count = ilk_space_find(space, &ask, NULL, 0);
            uint32_t found = ilk_space_nearest(space, &ask, hits, 2);
            nears[i].nearest = found == 2 ? (float)hits[1].distance : -1;
        }
    }
}

static ilk_world* begin_crowd(uint32_t workers, layout how, ilk_space_kind kind) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.workers = workers});
    arena a = {.world = world, .type = &Place_type, .layout = how, .dims = 3};
    random_state = 11;
    for (uint32_t i = 0; i < MANY; i++) {
        double at[3];
        pick_point(&a, at);
        float slow = how == CLUSTERED ? 0.02f : 0.5f;
        ILK_SPAWN(world, ILK_VALUE(Place, {(float)at[0], (float)at[1], (float)at[2]}),
                  ILK_VALUE(Drift, {(float)(unit() - 0.5) * slow, (float)(unit() - 0.5) * slow}),
                  ILK_WITH(Near));
    }
    ilk_system_create(world,
                      &(ilk_system_desc){.name = "drift",
                                         .run = drift,
                                         .is_parallel = true,
                                         .query = {.write = {&Place_type}, .read = {&Drift_type}}});
    space = ilk_space_create(
        world, &(ilk_space_desc){.type = &Place_type, .phase = "update", .kind = kind});
    assert_non_null(space);
    ilk_system_create(world,
                      &(ilk_system_desc){.name = "look around",
                                         .run = look_around,
                                         .phase = "post",
                                         .is_parallel = true,
                                         .query = {.write = {&Near_type}, .read = {&Place_type}}});
    return world;
}

// What systems saw is what a look at everybody gives.
static void assert_seen(ilk_world* world) {
    arena a = {.world = world, .space = space, .type = &Place_type, .dims = 3};
    static ilk_hit hits[MANY];
    for (uint32_t i = 0; i < MANY; i += 61) {
        ilk_entity e = ilk_entity_at(world, i);
        const Place* its = ilk_is_null(e) ? NULL : ILK_GET(world, e, Place);
        if (!its) continue;
        ilk_ask ask = {
            .shape = ILK_SHAPE_SPHERE, .at = {its->at[0], its->at[1], its->at[2]}, .radius = 12};
        uint32_t count = brute(&a, &ask, hits, true);
        const Near* near = ILK_GET(world, e, Near);
        assert_int_equal(near->count, count);
        assert_true(near->nearest == (count > 1 ? (float)hits[1].distance : -1));
    }
}

static void systems_keep_it_up_to_date(void** state) {
    (void)state;
    static const uint32_t workers[] = {0, 1, 3};
    for (uint32_t how = UNIFORM; how <= CLUSTERED; how++) {
        uint64_t hash = 0;
        for (uint32_t i = 0; i < COUNT_OF(workers); i++) {
            ilk_world* world = begin_crowd(workers[i], (layout)how, ILK_SPACE_MEASURED);
            for (uint32_t k = 0; k < FRAMES; k++) assert_ok(ilk_update(world, 0.02));
            assert_seen(world);
            assert_true(ilk_space_stats_of(space).moved > 0);
            ilk_space_kind kind = how == UNIFORM ? ILK_SPACE_GRID : ILK_SPACE_TREE;
            assert_int_equal(ilk_space_stats_of(space).kind, kind);
            assert_true(!hash || ilk_hash(world) == hash);
            hash = ilk_hash(world);
            ilk_space_destroy(space);
            assert_int_equal(ilk_system_count(world), 2);
            ilk_world_destroy(world);
        }
    }
}

static void refresh_inside(ilk_iter* it) {
    *(ilk_result*)it->user = ilk_space_refresh(space);
}

static void inside_a_system_it_is_not_refreshed(void** state) {
    fixture* f = *state;
    space = ilk_space_create(f->world, &(ilk_space_desc){.type = &Place_type});
    ilk_result result = ILK_OK;
    ilk_system_create(
        f->world, &(ilk_system_desc){.name = "refresh", .run = refresh_inside, .user = &result});
    assert_ok(ilk_update(f->world, 0.1));
    assert_int_equal(result, ILK_LOCKED);
    f->told.count = 0;
    ilk_space_destroy(space);
}

static void its_name_and_phase_are_checked(void** state) {
    fixture* f = *state;
    ilk_space_desc desc = {.type = &Place_type, .phase = "never", .name = "here"};
    assert_null(ilk_space_create(f->world, &desc));
    assert_told(f, ILK_MISSING, "ilk_system_create");
    desc.phase = "update";
    space = ilk_space_create(f->world, &desc);
    assert_non_null(space);
    assert_null(ilk_space_create(f->world, &desc));
    assert_told(f, ILK_EXISTS, "ilk_system_create");
    ilk_space_destroy(space);
    assert_int_equal(ilk_system_count(f->world), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_keep_it_up_to_date),
        WORLD_TEST(inside_a_system_it_is_not_refreshed),
        WORLD_TEST(its_name_and_phase_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
