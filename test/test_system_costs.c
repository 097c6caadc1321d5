// What systems cost: chunks, memory, and time lately.
#include "schedule/schedule.h"
#include "text_support.h"

static void chunks_that_did_not_change_are_skipped(void** state) {
    fixture* f = *state;
    ilk_entity e[100];
    spawn_positions(f->world, e, 100);
    ilk_system* system =
        SYSTEM(f->world, "changed", .run = walk, .query = {.changed = {&Position_type}});
    assert_ok(ilk_update(f->world, 1));
    ilk_system_stats first = ilk_system_stats_of(system);
    assert_int_equal(first.rows, 100);
    assert_int_equal(first.chunks, 4);
    assert_int_equal(first.chunks_skipped, 0);
    ILK_EDIT(f->world, e[0], Position)->x = 5;
    assert_ok(ilk_update(f->world, 1));
    ilk_system_stats second = ilk_system_stats_of(system);
    assert_int_equal(second.rows, 104); // the first chunk has 4
    assert_int_equal(second.chunks, 8);
    assert_int_equal(second.chunks_skipped, 3);
}

static void fill(ilk_iter* it) {
    for (uint32_t i = 0; i < *(uint32_t*)it->user; i++) {
        ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_WITH(Position), ILK_WITH(Velocity)));
    }
}

// What a system records, and what its commands do when they are applied, is its own.
static void allocations_are_those_of_running_and_applying(void** state) {
    fixture* f = *state;
    uint32_t count = 3000, none = 0;
    ilk_system* filler = SYSTEM(f->world, "filler", .run = fill, .user = &count);
    ilk_system* idle = SYSTEM(f->world, "idle", .run = fill, .user = &none);
    ilk_set_settling(f->world, 0);
    uint64_t calls = f->memory.calls;
    assert_ok(ilk_update(f->world, 1));
    assert_true(f->memory.calls > calls + 2);
    assert_int_equal(ilk_system_stats_of(filler).allocations, f->memory.calls - calls);
    assert_int_equal(ilk_system_stats_of(idle).allocations, 0);
    assert_int_equal(ilk_system_stats_of(filler).commands, 3000);
    count = 0;
    ilk_system_stats_reset(filler);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ilk_system_stats_of(filler).allocations, 0);
}

static void fill_pieces(ilk_iter* it) {
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            ilk_cmd_set(it->cmd, it->entities[i], ILK_WITH(Cargo));
        }
    }
}

// The same where systems run beside each other: each piece counts on its own thread.
static void what_pieces_cost_is_put_together(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.workers = 3;
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    ilk_entity e[3000];
    spawn_positions(world, e, COUNT_OF(e));
    ilk_system* cut = SYSTEM(world, "cut", .run = fill_pieces, .is_parallel = true,
                             .piece_rows = 256, .query = {.with = {&Position_type}});
    ilk_system* calm = SYSTEM(world, "calm", .run = walk, .is_parallel = true, .piece_rows = 256,
                              .query = {.read = {&Position_type}});
    world->schedule->wave.worth = 0;
    uint64_t calls = f->memory.calls;
    assert_ok(ilk_update(world, 1));
    ilk_system_stats stats = ilk_system_stats_of(cut);
    assert_true(cut->job_count > 8);
    assert_true(stats.allocations > 2);
    assert_true(stats.allocations <= f->memory.calls - calls);
    assert_int_equal(ilk_system_stats_of(calm).allocations, 0);
    assert_int_equal(stats.calls, 1);
    assert_int_equal(stats.minute.calls, 1);
    assert_int_equal(stats.rows, 3000);
    assert_int_equal(stats.commands, 3000);
    assert_true(stats.chunks >= ilk_stats(world).chunks);
    assert_int_equal(stats.minute.worst_ns, stats.last_ns);
    ilk_world_destroy(world);
}

static void allocations_that_fail_are_not_counted(void** state) {
    fixture* f = *state;
    uint32_t count = 1;
    ilk_system* filler = SYSTEM(f->world, "filler", .run = fill, .user = &count);
    f->memory.left = 0;
    ilk_update(f->world, 1);
    f->memory.left = UINT64_MAX;
    assert_int_equal(ilk_system_stats_of(filler).allocations, 0);
    f->told.count = 0;
}

// R001.60 R003.28: over the last second, minute and five minutes.
static void time_is_told_over_three_periods(void** state) {
    fixture* f = *state;
    uint32_t count = 50;
    ilk_system* filler = SYSTEM(f->world, "filler", .run = fill, .user = &count);
    ilk_system_stats stats = ilk_system_stats_of(filler);
    assert_int_equal(stats.five_minutes.calls, 0);
    for (int i = 0; i < 20; i++) assert_ok(ilk_update(f->world, 1));
    stats = ilk_system_stats_of(filler);
    assert_int_equal(stats.calls, 20);
    // A machine that stands still for a second forgets the last second, not the last minute.
    assert_true(stats.second.calls <= 20);
    const ilk_lately longer[] = {stats.minute, stats.five_minutes};
    for (uint32_t i = 0; i < COUNT_OF(longer); i++) {
        assert_int_equal(longer[i].calls, 20);
        assert_int_equal(longer[i].worst_ns, stats.worst_ns);
        assert_int_equal(longer[i].mean_ns, stats.total_ns / 20);
        assert_true(longer[i].mean_ns > 0 && longer[i].mean_ns <= longer[i].worst_ns);
    }
    ilk_system_stats_reset(filler);
    stats = ilk_system_stats_of(filler);
    assert_int_equal(stats.five_minutes.calls + stats.minute.calls + stats.second.calls, 0);
    assert_int_equal(stats.five_minutes.worst_ns, 0);
}

static void no_system_has_no_statistics(void** state) {
    (void)state;
    ilk_system_stats stats = ilk_system_stats_of(NULL);
    const ilk_system_stats none = {0};
    assert_memory_equal(&stats, &none, sizeof(none));
    ilk_system_stats_reset(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(chunks_that_did_not_change_are_skipped),
        SCHEDULE_TEST(allocations_are_those_of_running_and_applying),
        SCHEDULE_TEST(what_pieces_cost_is_put_together),
        SCHEDULE_TEST(allocations_that_fail_are_not_counted),
        SCHEDULE_TEST(time_is_told_over_three_periods),
        SCHEDULE_TEST(no_system_has_no_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
