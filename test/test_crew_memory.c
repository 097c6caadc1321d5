// Workers: memory that is kept from frame to frame, and what happens when there is none.
#include "colony.h"
#include "workers_support.h"

enum {
    ROWS = 640
};

static void jostle(ilk_iter* it) {
    Number* numbers;
    while (ilk_next(it)) {
        numbers = ILK_WRITE(it, Number);
        for (uint32_t i = 0; i < it->count; i++) {
            numbers[i].value++;
            ilk_cmd_set(it->cmd, it->entities[i], ILK_VALUE(Health, (int32_t)numbers[i].value));
            if (numbers[i].value % 2) ilk_cmd_mark(it->cmd, it->entities[i], &Health_type);
        }
    }
}

// As many are born as go, in each piece.
static void replace_all(ilk_iter* it) {
    while (ilk_next(it)) {
        const Position* positions = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            ilk_cmd_destroy(it->cmd, it->entities[i]);
            ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE(Position, positions[i].x + 1, 0)));
        }
    }
}

static void frames_without_allocation(uint32_t workers) {
    void* state = NULL;
    open_world(&state);
    fixture* f = state;
    hire_workers(f, workers);
    spawn_numbers(f->world, ROWS);
    for (uint32_t i = 0; i < 300; i++) ILK_SPAWN(f->world, ILK_VALUE(Position, 0, (float)i));
    SYSTEM(f->world, "jostle", .run = jostle, .is_parallel = true,
           .query = {.write = {&Number_type}});
    SYSTEM(f->world, "replace", .run = replace_all, .is_parallel = true,
           .query = {.read = {&Position_type}});
    for (uint32_t i = 0; i < 100; i++) update(f->world);
    uint64_t calls = f->memory.calls;
    for (uint32_t i = 0; i < (IS_TSAN ? 100 : 1000); i++) update(f->world);
    if (f->memory.calls != calls) print_error("%u workers\n", workers);
    assert_int_equal(f->memory.calls, calls);
    assert_int_equal(ilk_stats(f->world).alive, ROWS + 300);
    close_world(&state);
}

static void a_thousand_frames_need_no_memory(void** state) {
    (void)state;
    frames_without_allocation(0);
    frames_without_allocation(3);
}

// A world of the fixture with much for its pieces to record, after some frames.
static void open_busy_world(fixture* f) {
    spawn_numbers(f->world, ROWS);
    for (uint32_t i = 0; i < 3000; i++) ILK_SPAWN(f->world, ILK_VALUE(Position, 0, (float)i));
    SYSTEM(f->world, "jostle", .run = jostle, .is_parallel = true,
           .query = {.write = {&Number_type}});
    SYSTEM(f->world, "replace", .run = replace_all, .is_parallel = true,
           .query = {.read = {&Position_type}});
    SYSTEM(f->world, "alone", .run = replace_all, .after = {"replace"},
           .query = {.read = {&Position_type}});
    for (uint32_t i = 0; i < 10; i++) update(f->world);
}

static void assert_busy(fixture* f, uint32_t frames) {
    ilk_query* query =
        ilk_query_create(f->world, &(ilk_query_desc){.read = {&Number_type, &Health_type}});
    uint32_t sum = 0;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += ILK_READ(&it, Number)[i].value;
            assert_int_equal(ILK_READ(&it, Health)[i].points, ILK_READ(&it, Number)[i].value);
        }
    }
    assert_int_equal(sum, ROWS * (ROWS - 1) / 2 + frames * ROWS);
    assert_int_equal(ilk_stats(f->world).alive, ROWS + 3000);
    ilk_query_destroy(query);
}

// Blocks of desks, lanes, jobs and the buffers of systems.
static void trimming_gives_back_what_waves_keep(void** state) {
    fixture* f = *state;
    open_busy_world(f);
    ilk_settle(f->world, 0);
    size_t before = ilk_stats(f->world).bytes_other;
    ilk_trim(f->world);
    size_t after = ilk_stats(f->world).bytes_other;
    assert_true(before > after + 300000);
    const ilki_wave* wave = &f->world->schedule->wave;
    assert_int_equal(wave->blocks.count + wave->lanes.capacity + wave->end_capacity, 0);
    assert_int_equal(wave->capacity, 4); // three systems
    for (uint32_t i = 0; i < 3; i++) assert_null(ilk_system_at(f->world, i)->cmd->own.first);
    for (uint32_t i = 0; i < 10; i++) update(f->world);
    assert_busy(f, 20);
    assert_true(ilk_stats(f->world).bytes_other > after + 300000);
    assert_quiet(f);
}

// Smaller arrays cannot be had, at once or after a while: then the old ones serve.
static void trimming_waves_needs_no_memory(void** state) {
    fixture* f = *state;
    open_busy_world(f);
    for (uint64_t left = 0; left < 6; left++) {
        f->memory.left = left;
        ilk_trim(f->world);
        f->memory.left = UINT64_MAX;
        update(f->world);
        assert_valid(f->world);
    }
    assert_busy(f, 16);
    assert_quiet(f);
}

static void trim(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd, (void)user;
    ilk_trim(world);
}

static void trim_by_command(ilk_iter* it) {
    while (ilk_next(it)) ilk_cmd_call(it->cmd, trim, NULL);
}

static void a_command_may_trim_while_others_wait(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "trim", .run = trim_by_command, .is_parallel = true, .order = -1,
           .query = {.read = {&Number_type}});
    SYSTEM(f->world, "trim late", .run = trim_by_command, .order = -1, .apply = ILK_APPLY_FRAME,
           .query = {.read = {&Number_type}});
    open_busy_world(f);
    for (uint32_t i = 0; i < 10; i++) update(f->world);
    assert_busy(f, 20);
    assert_quiet(f);
}

// What is recorded and dropped gives its memory back like what is applied.
static void record_in_vain(ilk_iter* it) {
    for (uint32_t i = 0; i < 500; i++) {
        ilk_cmd_set(it->cmd, (ilk_entity){1, 1}, ILK_VALUE(Position, 1, 2));
        ilk_cmd_create(it->cmd);
    }
    ilk_cmd_clear(it->cmd);
}

static void what_is_dropped_takes_no_more_memory_each_frame(void** state) {
    fixture* f = *state;
    spawn_numbers(f->world, ROWS);
    SYSTEM(f->world, "vain", .run = record_in_vain, .is_parallel = true,
           .query = {.read = {&Number_type}});
    for (uint32_t i = 0; i < 20; i++) update(f->world);
    size_t bytes = ilk_stats(f->world).bytes;
    for (uint32_t i = 0; i < 100; i++) update(f->world);
    assert_int_equal(ilk_stats(f->world).bytes, bytes);
    assert_quiet(f);
}

// A piece that cannot record because the world is full leaves nothing behind either.
static void create_too_many(ilk_iter* it) {
    for (uint32_t i = 0; i < 20; i++) ilk_cmd_create(it->cmd);
}

static void what_fails_takes_no_more_memory_each_frame(void** state) {
    (void)state;
    fixture f = {.memory.left = UINT64_MAX};
    ilk_world_desc desc = fixture_desc(&f);
    desc.max_entities = ROWS;
    f.world = ilk_world_create(&desc);
    assert_non_null(f.world);
    hire_workers(&f, 3);
    spawn_numbers(f.world, ROWS);
    SYSTEM(f.world, "too many", .run = create_too_many, .is_parallel = true,
           .query = {.read = {&Number_type}});
    for (uint32_t i = 0; i < 100; i++) update(f.world);
    ilk_world_stats before = ilk_stats(f.world);
    for (uint32_t i = 0; i < 100; i++) update(f.world);
    ilk_world_stats after = ilk_stats(f.world);
    assert_int_equal(after.alive, ROWS);
    assert_int_equal(after.slots, before.slots);
    assert_int_equal(after.bytes, before.bytes);
    assert_valid(f.world);
    ilk_world_destroy(f.world);
    assert_int_equal(f.memory.bytes, 0);
}

static void count_lack(void* context, const ilk_message* message) {
    *(uint32_t*)context += message->result == ILK_NO_MEMORY;
}

// A colony whose n-th allocation from its first frame on fails, and all after it for a while. It
// never breaks, tells what is the matter, and all that was recorded is applied when memory is back.
static bool starve(uint64_t allocations, uint32_t workers) {
    meter m = {.left = UINT64_MAX};
    uint32_t lacks = 0;
    ilk_world_desc desc = {.workers = workers,
                           .allocator = {meter_alloc, meter_free, &m},
                           .message = count_lack,
                           .message_context = &lacks};
    colony* c = colony_make(&desc, 400, 0);
    m.left = allocations;
    for (uint32_t i = 0; i < 3; i++) {
        ilk_result result = ilk_update(c->world, 1.0 / 60);
        assert_true(result == ILK_OK || (result == ILK_NO_MEMORY && lacks));
        assert_valid(c->world);
    }
    bool was_enough = m.left > 0;
    m.left = UINT64_MAX;
    lacks = 0;
    for (uint32_t i = 0; i < 2; i++) assert_ok(ilk_update(c->world, 1.0 / 60));
    assert_valid(c->world);
    assert_int_equal(lacks, 0);
    for (uint32_t i = 0; i < ilk_system_count(c->world); i++) {
        assert_int_equal(ilk_cmd_count(ilk_system_at(c->world, i)->cmd), 0);
    }
    assert_int_equal(c->world->storage.view.index.reserved, 0);
    colony_free(c);
    assert_int_equal(m.bytes, 0);
    assert_false(m.mismatch);
    return was_enough;
}

static void a_colony_survives_without_memory(void** state) {
    (void)state;
    static const uint32_t workers[] = {0, 3};
    uint64_t stride = QUICK_OR_SLOW(1, IS_TSAN ? 41 : 5);
    for (uint32_t i = 0; i < COUNT_OF(workers); i++) {
        uint64_t allocations = 0;
        while (!starve(allocations, workers[i])) allocations += stride;
        assert_true(allocations > 50);
    }
}

// Without memory for threads the world's own does everything.
static void without_memory_for_workers_there_are_none(void** state) {
    (void)state;
    for (uint64_t left = 0; left < 4; left++) {
        meter m = {.left = UINT64_MAX};
        ilk_world_desc desc = {.workers = 3, .allocator = {meter_alloc, meter_free, &m}};
        colony* c = colony_make(&desc, 400, 0);
        c->world->schedule->wave.worth = UINT64_MAX;
        for (uint32_t i = 0; i < 5; i++) colony_step(c);
        c->world->schedule->wave.worth = 0;
        m.left = left;
        ilk_update(c->world, 0);
        m.left = UINT64_MAX;
        for (uint32_t i = 0; i < 3; i++) colony_step(c);
        assert_in_range(ilk_threads(c->world), 1, 4);
        assert_valid(c->world);
        colony_free(c);
        assert_int_equal(m.bytes, 0);
        assert_false(m.mismatch);
    }
}

// Births by chance, in any piece: what those who went have left is enough for those who come.
static void a_colony_does_not_need_more_and_more(void** state) {
    (void)state;
    colony* c = colony_make(NULL, 1500, 0);
    for (uint32_t i = 0; i < QUICK_OR_SLOW(1000, 60); i++) colony_step(c);
    assert_true(ilk_stats(c->world).bytes_records < (size_t)3 << 20);
    assert_valid(c->world);
    colony_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_frames_need_no_memory),
        CREW_TEST(trimming_gives_back_what_waves_keep),
        CREW_TEST(trimming_waves_needs_no_memory),
        CREW_TEST(a_command_may_trim_while_others_wait),
        CREW_TEST(what_is_dropped_takes_no_more_memory_each_frame),
        cmocka_unit_test(what_fails_takes_no_more_memory_each_frame),
        cmocka_unit_test(a_colony_does_not_need_more_and_more),
        cmocka_unit_test(a_colony_survives_without_memory),
        cmocka_unit_test(without_memory_for_workers_there_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
