// The hash of a layout: what decides what will be, and nothing else.
#include "history/hashes.h"

#include "relation_support.h"

static uint64_t layout_now(const ilk_world* world) {
    uint64_t hash = ilk_hash_layout(world);
    ilki_hashing anew = ilki_hashing_anew(world);
    assert_true(hash == ilki_hash_layout(&anew));
    return hash;
}

#define CHANGES_LAYOUT(call)                                                                       \
    do {                                                                                           \
        uint64_t before = layout_now(world), hash = ilk_hash(world);                               \
        call;                                                                                      \
        assert_true(layout_now(world) != before && ilk_hash(world) == hash);                       \
    } while (0)

static void who_comes_next_counts(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    CHANGES_LAYOUT(ilk_destroy(world, ilk_create(world)));
    CHANGES_LAYOUT(ilk_destroy(world, ilk_create(world))); // another generation
    ilk_entity a = ilk_create(world), b = ilk_create(world);
    ilk_destroy(world, a);
    ilk_destroy(world, b);
    uint64_t before = layout_now(world);
    a = ilk_create(world), b = ilk_create(world);
    ilk_destroy(world, a);
    ilk_destroy(world, b); // each in the other's turn
    assert_true(layout_now(world) != before);
}

static void handles_that_were_given_out_count(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_cmd* cmd = ilk_cmd_take(world);
    CHANGES_LAYOUT(ilk_cmd_create(cmd));
    CHANGES_LAYOUT(ilk_cmd_clear(cmd));
    ilk_cmd_give_back(cmd);
}

static void rows_holes_and_settling_count(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e[300];
    for (uint32_t i = 0; i < 300; i++) e[i] = ILK_SPAWN(world, ILK_VALUE(Position, .x = (float)i));
    for (uint32_t i = 0; i < 300; i += 2) ilk_add(world, e[i], ILK_VALUE(Anchor, i));
    for (uint32_t i = 0; i < 300; i += 3) ilk_destroy(world, e[i]);
    CHANGES_LAYOUT(ilk_settle(world, 1));
    CHANGES_LAYOUT(assert_true(ilk_settle(world, 0).moved > 0));
}

static void events_and_their_readers_count(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_reader* reader = ilk_reader_create(world, &(ilk_reader_desc){.type = &Health_type});
    CHANGES_LAYOUT(assert_ok(ilk_emit(world, ILK_VALUE(Health, 1))));
    CHANGES_LAYOUT(assert_ok(ilk_emit(world, ILK_VALUE(Health, 2))));
    CHANGES_LAYOUT(assert_non_null(ilk_read(reader, NULL)));
    CHANGES_LAYOUT(ilk_reader_destroy(reader));
}

// Events of ilk's own count by the names of types, not by where these are.
static void what_happened_to_components_counts(void** state) {
    fixture* f = *state;
    uint64_t hashes[2];
    for (uint32_t i = 0; i < 2; i++) {
        ilk_world* world = second_world(f, 0);
        ilk_reader_create(world, &(ilk_reader_desc){.type = &ilk_component_added_type});
        ilk_entity e = ilk_create(world);
        assert_ok(ilk_add(world, e, i ? ILK_WITH(Enemy) : ILK_WITH(Frozen)));
        assert_ok(ilk_remove(world, e, i ? &Enemy_type : &Frozen_type));
        hashes[i] = layout_now(world);
        ilk_world_destroy(world);
    }
    assert_true(hashes[0] != hashes[1]);
}

static void do_nothing(ilk_iter* it) {
    (void)it;
}

static void time_counts(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_system_desc desc = {.name = "rarely", .run = do_nothing, .interval = 1};
    assert_non_null(ilk_system_create(world, &desc));
    CHANGES_LAYOUT(assert_ok(ilk_update(world, 0)));
    CHANGES_LAYOUT(assert_ok(ilk_update(world, 0.125)));
    CHANGES_LAYOUT(ilk_pause(world, true));
}

static void the_order_of_resources_counts(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    assert_ok(ilk_resource_set(world, ILK_VALUE(Health, 1)));
    assert_ok(ilk_resource_set(world, ILK_WITH(Enemy)));
    uint64_t hash = ilk_hash(world), layout = layout_now(world);
    assert_ok(ilk_resource_remove(world, &Health_type));
    assert_ok(ilk_resource_set(world, ILK_VALUE(Health, 1)));
    assert_true(ilk_hash(world) == hash && layout_now(world) != layout);
}

// Ticks, hashes, queries, types and systems that are only made do not count.
static void what_decides_nothing_does_not_count(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    for (uint32_t i = 0; i < 100; i++) ILK_SPAWN(world, ILK_VALUE(Position, .x = (float)i));
    uint64_t before = layout_now(world);
    ilk_tick(world);
    assert_ok(ilk_register(world, &Velocity_type));
    ilk_query* query = ilk_query_create(world, &(ilk_query_desc){.read = {&Position_type}});
    assert_int_equal(ilk_query_count(world, query), 100);
    ilk_query_destroy(query);
    assert_non_null(
        ilk_system_create(world, &(ilk_system_desc){.name = "idle", .run = do_nothing}));
    assert_true(layout_now(world) == before);
}

// A world that is looked at, and whose ticks pass, goes the same way as one that is left alone;
// with any number of workers.
static void create_in_pieces(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            p[i].x += 1;
            uint32_t choice = (it->entities[i].index + (uint32_t)p[i].x) % 16;
            if (choice == 0) ilk_cmd_spawn(it->cmd, &ILK_VALUE(Velocity, .x = p[i].x), 1);
            if (choice == 1) ilk_cmd_destroy(it->cmd, it->entities[i]);
            if (choice == 2) ilk_cmd_set(it->cmd, it->entities[i], ILK_VALUE(Anchor, i));
            if (choice == 3) ILK_EMIT(it->cmd, Health, (int32_t)i);
        }
    }
}

static void run_frames(ilk_world* world, bool is_watched, uint64_t* hashes, uint32_t frames) {
    ilk_reader_create(world, &(ilk_reader_desc){.type = &Health_type});
    ilk_system_desc desc = {.name = "create", .run = create_in_pieces, .is_parallel = true};
    desc.query.write[0] = &Position_type;
    assert_non_null(ilk_system_create(world, &desc));
    for (uint32_t i = 0; i < 3000; i++) ILK_SPAWN(world, ILK_VALUE(Position, .x = (float)(i % 7)));
    for (uint32_t i = 0; i < frames; i++) {
        if (is_watched) ilk_tick(world), ilk_hash(world);
        assert_ok(ilk_update(world, 1.0 / 60));
        hashes[i] = is_watched || i + 1 == frames ? ilk_hash_layout(world) : 0;
    }
}

static void the_same_history_has_the_same_layout(void** state) {
    (void)state;
    enum {
        FRAMES = 12
    };
    const uint32_t workers[] = {0, 1, 2, 3, 8};
    uint64_t first[FRAMES], hashes[FRAMES];
    for (uint32_t i = 0; i < COUNT_OF(workers); i++) {
        ilk_world* world = ilk_world_create(&(ilk_world_desc){.workers = workers[i]});
        run_frames(world, i != 1, hashes, FRAMES);
        if (i == 0) memcpy(first, hashes, sizeof(first));
        for (uint32_t k = 0; k < FRAMES; k++) assert_true(!hashes[k] || hashes[k] == first[k]);
        ilk_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(who_comes_next_counts),
        WORLD_TEST(handles_that_were_given_out_count),
        WORLD_TEST(rows_holes_and_settling_count),
        WORLD_TEST(events_and_their_readers_count),
        WORLD_TEST(what_happened_to_components_counts),
        WORLD_TEST(time_counts),
        WORLD_TEST(the_order_of_resources_counts),
        WORLD_TEST(what_decides_nothing_does_not_count),
        cmocka_unit_test(the_same_history_has_the_same_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
