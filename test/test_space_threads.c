// Spaces that systems refresh, on any number of workers, and that many threads ask at once.
// R001.58
#include <pthread.h>

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

// Every shape, in every way to ask.

static ilk_query* many_found;

static bool is_even(ilk_world* world, ilk_entity e, void* user) {
    (void)user;
    return e.index % 2 == 0 && ILK_GET(world, e, Place)->at[0] < 80;
}

static bool stop_after(const ilk_hit* hit, void* user) {
    return hit->distance >= 0 && --*(uint32_t*)user > 0;
}

static uint32_t ask_in_all_ways(const float* at, uint32_t number) {
    ilk_ask ask = {.shape = (ilk_shape)(number % 5),
                   .at = {at[0], at[1], at[2]},
                   .radius = number % 5 == ILK_SHAPE_RAY ? 2 : 30,
                   .height = 20,
                   .low = {at[0] - 30, at[1] - 40, at[2] - 20},
                   .high = {at[0] + 20, at[1] + 30, at[2] + 40},
                   .way = {1, (double)(number % 3), -1},
                   .order = (ilk_space_order)(number / 5 % 2),
                   .filter = number / 10 % 2 ? is_even : NULL,
                   .query = number / 20 % 2 ? many_found : NULL};
    ilk_hit hits[20] = {0};
    ilk_entity found[100] = {0};
    uint32_t left = 5, sum = ilk_space_find(space, &ask, hits, 20);
    for (uint32_t i = 0; i < 20 && i < sum; i++) sum = sum * 31 + hits[i].entity.index;
    sum = sum * 31 + ilk_space_nearest(space, &ask, hits, 9);
    sum = sum * 31 + hits[0].entity.index;
    sum = sum * 31 + ilk_space_each(space, &ask, stop_after, &left);
    sum = sum * 31 + ilk_space_collect(space, &ask, found, 100);
    return sum * 31 + found[0].index;
}

static void ask_all(ilk_iter* it) {
    while (ilk_next(it)) {
        Near* nears = ILK_WRITE(it, Near);
        const Place* places = ILK_READ(it, Place);
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t index = it->entities[i].index;
            if (index % 20 == 0) nears[i].count = ask_in_all_ways(places[i].at, index / 20);
        }
    }
}

static void pieces_may_ask_in_all_ways(void** state) {
    (void)state;
    for (uint32_t kind = ILK_SPACE_GRID; kind <= ILK_SPACE_TREE; kind++) {
        ilk_world* world = begin_crowd(3, UNIFORM, (ilk_space_kind)kind);
        many_found = ilk_query_create(world, &(ilk_query_desc){.with = {&Drift_type}});
        ilk_system_create(
            world, &(ilk_system_desc){.name = "ask all",
                                      .run = ask_all,
                                      .phase = "post",
                                      .order = 1,
                                      .is_parallel = true,
                                      .query = {.write = {&Near_type}, .read = {&Place_type}}});
        for (uint32_t k = 0; k < 2; k++) assert_ok(ilk_update(world, 0.02));
        for (uint32_t i = 0; i < MANY; i += 20) {
            ilk_entity e = ilk_entity_at(world, i);
            const Place* its = ilk_is_null(e) ? NULL : ILK_GET(world, e, Place);
            if (its)
                assert_int_equal(ILK_GET(world, e, Near)->count, ask_in_all_ways(its->at, i / 20));
        }
        ilk_space_destroy(space);
        ilk_world_destroy(world);
    }
}

// Threads of the program's own, of a space that is refreshed on request.
static void* ask_alone(void* sums) {
    for (uint32_t i = 0; i < 200; i++) {
        ((uint32_t*)sums)[i] =
            ask_in_all_ways((float[]){(float)(i % 90), 3, 5}, i / 40 * 40 + i % 20);
    }
    return NULL;
}

static void threads_may_ask_while_nobody_refreshes(void** state) {
    fixture* f = *state;
    static uint32_t sums[4][200];
    random_state = 5;
    arena a = {.world = f->world, .type = &Place_type, .layout = UNIFORM, .dims = 3};
    for (uint32_t i = 0; i < 2000; i++) {
        double at[3];
        pick_point(&a, at);
        ILK_SPAWN(f->world, ILK_VALUE(Place, {(float)at[0], (float)at[1], (float)at[2]}));
    }
    space = ilk_space_create(f->world, &(ilk_space_desc){.type = &Place_type, .is_manual = true});
    pthread_t threads[3];
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, ask_alone, sums[i]), 0);
    }
    ask_alone(sums[3]);
    for (uint32_t i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    for (uint32_t i = 0; i < 3; i++) assert_memory_equal(sums[i], sums[3], sizeof sums[3]);
    ilk_space_destroy(space);
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
        cmocka_unit_test(pieces_may_ask_in_all_ways),
        WORLD_TEST(threads_may_ask_while_nobody_refreshes),
        WORLD_TEST(inside_a_system_it_is_not_refreshed),
        WORLD_TEST(its_name_and_phase_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
