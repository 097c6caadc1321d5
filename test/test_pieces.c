// Pieces: what they record is put together in order, whoever recorded it.
#include "workers_support.h"

enum {
    ROWS = 640
};

// What was applied, in order.
static uint32_t journal[20000];
static uint32_t journal_length;

static void write_down(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)world, (void)cmd;
    assert_true(journal_length < COUNT_OF(journal));
    journal[journal_length++] = (uint32_t)(uintptr_t)user;
}

// Records, for each row, a word on its number.
static void speak(ilk_iter* it) {
    uint32_t* offset = it->user;
    while (ilk_next(it)) {
        const Number* numbers = ILK_READ(it, Number);
        for (uint32_t i = 0; i < it->count; i++) {
            uintptr_t word = numbers[i].value + (offset ? *offset : 0);
            ilk_cmd_call(it->cmd, write_down, (void*)word);
        }
    }
}

static void assert_journal_counts_from_at(uint32_t at, uint32_t first, uint32_t count,
                                          const char* file, int line) {
    for (uint32_t i = 0; i < count; i++) _assert_int_equal(journal[at + i], first + i, file, line);
}
#define assert_journal_counts_from(at, first, count)                                               \
    assert_journal_counts_from_at((at), (first), (count), __FILE__, __LINE__)

#define SPEAKER(world, name, ...)                                                                  \
    SYSTEM(world, name, .run = speak, .is_parallel = true, .query = {.read = {&Number_type}},      \
           __VA_ARGS__)

// R001.28 R001.56
static void commands_come_in_order_of_systems_and_pieces(void** state) {
    fixture* f = *state;
    uint32_t thousand = 1000, two = 2000;
    spawn_numbers(f->world, ROWS);
    SPEAKER(f->world, "last", .order = 3, .user = &two);
    SPEAKER(f->world, "first", .order = 1);
    SPEAKER(f->world, "middle", .order = 2, .user = &thousand);
    for (uint32_t i = 0; i < 20; i++) {
        journal_length = 0;
        update(f->world);
        assert_int_equal(journal_length, 3 * ROWS);
        assert_journal_counts_from(0, 0, ROWS);
        assert_journal_counts_from(ROWS, 1000, ROWS);
        assert_journal_counts_from(2 * ROWS, 2000, ROWS);
    }
}

// Run by run, piece by piece: in the fixed phase there are three of them.
static void what_waits_for_the_phase_or_the_frame_keeps_its_order(void** state) {
    fixture* f = *state;
    uint32_t thousand = 1000, two = 2000, three = 3000;
    spawn_numbers(f->world, ROWS);
    assert_ok(ilk_set_fixed_step(f->world, 1.0 / 60, 8));
    SPEAKER(f->world, "frame", .phase = "fixed", .apply = ILK_APPLY_FRAME, .user = &three);
    SPEAKER(f->world, "phase", .phase = "fixed", .apply = ILK_APPLY_PHASE, .user = &two);
    SPEAKER(f->world, "wave", .phase = "fixed", .user = &thousand);
    SPEAKER(f->world, "update", .phase = "update");
    journal_length = 0;
    assert_ok(ilk_update(f->world, 3.0 / 60));
    assert_int_equal(journal_length, 10 * ROWS);
    for (uint32_t step = 0; step < 3; step++) {
        assert_journal_counts_from(2 * step * ROWS, 1000, ROWS);
        assert_journal_counts_from((2 * step + 1) * ROWS, 2000, ROWS);
        assert_journal_counts_from((7 + step) * ROWS, 3000, ROWS);
    }
    assert_journal_counts_from(6 * ROWS, 0, ROWS);
}

typedef struct stage {
    ilk_entity target, doomed;
    ilk_entity made[ROWS];
    uint32_t wrong;
    ilk_query *query, *second;
    uint32_t sums[ROWS];
} stage;

// Every row writes to the same entity, and the first one ends another that all name.
static void throw_work_over(ilk_iter* it) {
    stage* s = it->user;
    while (ilk_next(it)) {
        const Number* numbers = ILK_READ(it, Number);
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t number = numbers[i].value;
            ilk_cmd_set(it->cmd, s->target, ILK_VALUE(Health, (int32_t)number));
            if (number == 300) ilk_cmd_destroy(it->cmd, s->doomed);
            ilk_cmd_set(it->cmd, s->doomed, ILK_VALUE(Health, (int32_t)number));
            ilk_entity e = ilk_cmd_create(it->cmd);
            if (ilk_alive(it->world, e)) add_to(&s->wrong, 1);
            ilk_cmd_set(it->cmd, e, ILK_VALUE(Health, (int32_t)number));
            if (number % 4 == 0) ilk_cmd_destroy(it->cmd, e);
            s->made[number] = e;
        }
    }
}

static void the_order_of_pieces_decides_who_is_last(void** state) {
    fixture* f = *state;
    static stage s;
    spawn_numbers(f->world, ROWS);
    s = (stage){.target = ilk_create(f->world), .doomed = ilk_create(f->world)};
    ilk_system* system = SYSTEM(f->world, "throw", .run = throw_work_over, .is_parallel = true,
                                .user = &s, .query = {.read = {&Number_type}});
    update(f->world);
    assert_int_equal(s.wrong, 0);
    assert_int_equal(ILK_GET(f->world, s.target, Health)->points, ROWS - 1);
    assert_false(ilk_alive(f->world, s.doomed));
    assert_int_equal(ilk_system_stats_of(system).skipped, ROWS - 300);
    for (uint32_t i = 0; i < ROWS; i++) {
        assert_int_equal(ilk_alive(f->world, s.made[i]), i % 4 != 0);
        if (i % 4) assert_int_equal(ILK_GET(f->world, s.made[i], Health)->points, i);
    }
    assert_quiet(f);
}

// Pieces of even hundreds take back what they recorded.
static void record_and_drop(ilk_iter* it) {
    stage* s = it->user;
    while (ilk_next(it)) {
        const Number* numbers = ILK_READ(it, Number);
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t number = numbers[i].value;
            s->made[number] = ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE(Health, 1)));
            ilk_cmd_destroy(it->cmd, it->entities[i]);
            if (number % 3 != 2) ilk_cmd_clear(it->cmd);
            if (number % 3 != 2 && ilk_cmd_count(it->cmd)) add_to(&s->wrong, 1);
        }
    }
}

static void a_piece_may_drop_what_it_recorded(void** state) {
    fixture* f = *state;
    static stage s;
    s = (stage){0};
    for (uint32_t frame = 0; frame < 3; frame++) {
        ilk_clear(f->world);
        spawn_numbers(f->world, ROWS);
        if (frame == 0) {
            SYSTEM(f->world, "drop", .run = record_and_drop, .is_parallel = true, .user = &s,
                   .query = {.read = {&Number_type}});
        }
        update(f->world);
        assert_int_equal(s.wrong, 0);
        uint32_t alive = 0;
        for (uint32_t i = 0; i < ROWS; i++) alive += ilk_alive(f->world, s.made[i]);
        // What is left of each piece is what its last row recorded, if that is not dropped.
        assert_true(alive <= ROWS / 64);
        assert_int_equal(ilk_stats(f->world).alive, ROWS);
        assert_int_equal(f->world->storage.view.index.reserved, 0);
        assert_valid(f->world);
    }
    assert_quiet(f);
}

static void keep_cmd(ilk_iter* it) {
    ilk_cmd** kept = it->user;
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            if (it->entities[i].index == 0) *kept = it->cmd;
        }
    }
}

static void give_cmd_back(ilk_iter* it) {
    *(ilk_cmd**)it->user = it->cmd;
    ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE(Health, 1)));
    ilk_cmd_give_back(it->cmd);
    while (ilk_next(it)) continue;
}

// What was recorded is done all the same.
static void a_systems_buffer_is_its_own(void** state) {
    fixture* f = *state;
    for (int i = 0; i < 2; i++) {
        ilk_cmd* kept = NULL;
        ilk_system* system = SYSTEM(f->world, "give", .run = give_cmd_back, .is_parallel = i == 1,
                                    .user = &kept, .query = {.read = {&Number_type}});
        spawn_numbers(f->world, 10);
        uint32_t alive = ilk_stats(f->world).alive;
        update(f->world);
        assert_told(f, ILK_INVALID, "ilk_cmd_give_back");
        assert_non_null(strstr(f->told.text, "the buffer is that of a system, and stays so"));
        assert_int_equal(ilk_stats(f->world).alive, alive + 1);
        ilk_system_destroy(system);
        assert_int_equal(ilk_cmd_destroy(kept, (ilk_entity){0, 1}), ILK_INVALID);
        assert_non_null(strstr(f->told.text, "the buffer was that of a system, which"));
        f->told.count = 0;
    }
    assert_valid(f->world);
}

static void a_buffer_of_a_piece_is_good_while_that_runs(void** state) {
    fixture* f = *state;
    ilk_cmd* kept = NULL;
    spawn_numbers(f->world, ROWS);
    SYSTEM(f->world, "keep", .run = keep_cmd, .is_parallel = true, .user = &kept,
           .query = {.read = {&Number_type}});
    update(f->world);
    assert_non_null(kept);
    assert_quiet(f);
    assert_true(ilk_is_null(ilk_cmd_create(kept)));
    assert_told(f, ILK_INVALID, "ilk_cmd_create");
    assert_string_equal(f->told.text,
                        "ilk_cmd_create: the buffer was that of a system, which has run");
    assert_int_equal(ilk_cmd_destroy(kept, (ilk_entity){0, 1}), ILK_INVALID);
    assert_int_equal(ilk_cmd_apply(kept).result, ILK_INVALID);
    f->told.count = 0;
    update(f->world);
    assert_quiet(f);
    assert_int_equal(ilk_stats(f->world).alive, ROWS);
}

static void be_strict_about_the_dead(ilk_iter* it) {
    const stage* s = it->user;
    ilk_cmd_be_strict(it->cmd, true);
    ilk_cmd_remove(it->cmd, s->doomed, &Health_type);
}

static void strictness_is_kept(void** state) {
    fixture* f = *state;
    static stage s;
    spawn_numbers(f->world, ROWS);
    s = (stage){.doomed = ilk_create(f->world)};
    assert_ok(ilk_destroy(f->world, s.doomed));
    SYSTEM(f->world, "strict", .run = be_strict_about_the_dead, .is_parallel = true, .user = &s,
           .query = {.read = {&Number_type}});
    update(f->world);
    uint32_t pieces = f->told.count;
    assert_in_range(pieces, 7, ROWS / 64);
    assert_int_equal(f->told.last.result, ILK_DEAD);
    update(f->world);
    assert_int_equal(f->told.count, 2 * pieces);
    f->told.count = 0;
}

// A component that owns something, counted in a way that suits any thread.
typedef struct Treasure {
    uint32_t* count;
} Treasure;
static uint32_t dropped;

static void treasure_drop(void* value, void* context) {
    (void)context;
    uint32_t* count = ((Treasure*)value)->count;
    if (!count) return;
    add_to(&dropped, 1);
    add_to(count, 1);
}
ILK_COMPONENT_WITH(Treasure, .hooks = {.drop = treasure_drop});

static uint32_t owned[4][ROWS]; // how often each was dropped

static void record_treasures(ilk_iter* it) {
    const stage* s = it->user;
    while (ilk_next(it)) {
        const Number* numbers = ILK_READ(it, Number);
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t n = numbers[i].value;
            ilk_cmd_set(it->cmd, it->entities[i], ILK_VALUE(Treasure, &owned[0][n]));
            ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE(Treasure, &owned[1][n])));
            if (n % 64 == 32) ilk_cmd_clear(it->cmd);
            ilk_cmd_set(it->cmd, it->entities[i], ILK_VALUE(Treasure, &owned[2][n]));
            ilk_cmd_add(it->cmd, s->doomed, ILK_VALUE(Treasure, &owned[3][n]));
        }
    }
}

// Each value is dropped once: when it is cleared, skipped, replaced, or goes with the world.
static void treasures_of(uint32_t workers, ilk_apply apply, bool is_ended) {
    static stage s;
    void* state = NULL;
    open_world(&state);
    fixture* f = state;
    hire_workers(f, workers);
    spawn_numbers(f->world, ROWS);
    s = (stage){.doomed = ilk_create(f->world)};
    assert_ok(ilk_destroy(f->world, s.doomed));
    ilk_system* system = SYSTEM(f->world, "treasures", .run = record_treasures, .is_parallel = true,
                                .user = &s, .apply = apply, .query = {.read = {&Number_type}});
    memset(owned, 0, sizeof(owned));
    dropped = 0;
    update(f->world);
    if (is_ended) assert_ok(ilk_system_destroy(system));
    assert_true(dropped >= 2 * ROWS);
    close_world(&state);
    for (uint32_t i = 0; i < 4 * ROWS; i++) assert_int_equal(owned[i / ROWS][i % ROWS], 1);
}

static void what_is_owned_is_dropped_once(void** state) {
    (void)state;
    treasures_of(0, ILK_APPLY_WAVE, false);
    treasures_of(3, ILK_APPLY_WAVE, false);
    treasures_of(3, ILK_APPLY_PHASE, true);
    treasures_of(3, ILK_APPLY_FRAME, false);
}

// Every piece walks other queries: one in chunks, one in order, and asks questions.
static void walk_inside(ilk_iter* it) {
    const stage* s = it->user;
    uint32_t least = UINT32_MAX;
    while (ilk_next(it)) {
        const Number* numbers = ILK_READ(it, Number);
        if (numbers[0].value < least) least = numbers[0].value;
    }
    uint32_t sum = 0;
    int32_t before = INT32_MIN;
    bool is_in_order = true;
    for (ilk_iter other = ilk_query_iter(it->world, s->query); ilk_next(&other);) {
        const Health* healths = ILK_READ(&other, Health);
        for (uint32_t i = 0; i < other.count; i++) sum += (uint32_t)healths[i].points;
    }
    for (ilk_iter other = ilk_query_iter(it->world, s->second); ilk_next(&other);) {
        const Health* healths = ILK_READ(&other, Health);
        is_in_order &= before <= healths[0].points;
        before = healths[0].points;
        sum += other.count;
    }
    sum += ilk_query_count(it->world, s->query) + !ilk_query_is_empty(it->world, s->second);
    if (!is_in_order) sum = 0;
    ((stage*)it->user)->sums[least] = sum;
}

static int compare_health(const void* a, const void* b) {
    return ((const Health*)a)->points - ((const Health*)b)->points;
}

static void loops_inside_pieces_see_everything(void** state) {
    fixture* f = *state;
    static stage s;
    uint32_t sum = 0;
    spawn_numbers(f->world, ROWS);
    for (uint32_t i = 0; i < 200; i++) {
        int32_t points = (int32_t)(i * 7919 % 200);
        ILK_SPAWN(f->world, ILK_VALUE(Health, points));
        sum += (uint32_t)points;
    }
    ilk_query_desc ordered = {.read = {&Health_type}, .order_by = &Health_type};
    ordered.compare = compare_health;
    s = (stage){.query = ilk_query_create(f->world, &(ilk_query_desc){.read = {&Health_type}}),
                .second = ilk_query_create(f->world, &ordered)};
    SYSTEM(f->world, "walk", .run = walk_inside, .is_parallel = true, .user = &s,
           .query = {.read = {&Number_type}}, .reads = {&Health_type});
    for (uint32_t frame = 0; frame < 10; frame++) {
        memset(s.sums, 0, sizeof(s.sums));
        update(f->world);
        uint32_t pieces = 0;
        for (uint32_t i = 0; i < ROWS; i++) {
            if (s.sums[i]) assert_int_equal(s.sums[i], sum + 200 + 200 + 1);
            pieces += s.sums[i] != 0;
        }
        assert_true(pieces >= 7);
        ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1000)); // to be sorted again
        assert_int_equal(ilk_query_count(f->world, s.second), 201);
        assert_ok(ilk_destroy(f->world, e));
    }
    assert_quiet(f);
}

// What changed before the wave counts for all pieces, however many have walked already.
static void count_changed(ilk_iter* it) {
    stage* s = it->user;
    uint32_t seen = 0;
    for (ilk_iter other = ilk_query_iter(it->world, s->query); ilk_next(&other);)
        seen += other.count;
    add_to(&s->sums[seen < ROWS ? seen : 0], 1);
}

static void all_pieces_see_what_changed(void** state) {
    fixture* f = *state;
    static stage s;
    spawn_numbers(f->world, ROWS);
    for (uint32_t i = 0; i < 5; i++) ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    s = (stage){.query = ilk_query_create(f->world, &(ilk_query_desc){.changed = {&Health_type}})};
    SYSTEM(f->world, "changed", .run = count_changed, .is_parallel = true, .user = &s,
           .query = {.read = {&Number_type}}, .reads = {&Health_type});
    update(f->world);
    uint32_t total = 0;
    for (uint32_t i = 0; i < ROWS; i++) total += s.sums[i];
    assert_true(total >= 7);
    assert_int_equal(s.sums[5], total);
    memset(s.sums, 0, sizeof(s.sums));
    update(f->world);
    assert_int_equal(s.sums[0], total);
}

// Systems come and go by commands, from any thread.
static void count_run(ilk_iter* it) {
    add_to(it->user, 1);
}

static uint32_t newcomer_runs;

static void make_newcomer(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    char name[32];
    snprintf(name, sizeof(name), "newcomer %u", (uint32_t)(uintptr_t)user);
    ilk_system_desc desc = {.name = name, .run = count_run, .user = &newcomer_runs};
    desc.reads[0] = &Number_type;
    assert_non_null(ilk_system_create(world, &desc));
}

static void end_system(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)world, (void)cmd;
    assert_ok(ilk_system_destroy(user));
}

static void come_and_go(ilk_iter* it) {
    while (ilk_next(it)) {
        const Number* numbers = ILK_READ(it, Number);
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t n = numbers[i].value;
            if (n % 100 == 0) ilk_cmd_call(it->cmd, make_newcomer, (void*)(uintptr_t)n);
            if (n == 639) ilk_cmd_call(it->cmd, end_system, it->system);
        }
    }
}

static void systems_come_and_go_by_commands_of_pieces(void** state) {
    fixture* f = *state;
    spawn_numbers(f->world, ROWS);
    SYSTEM(f->world, "come and go", .run = come_and_go, .is_parallel = true,
           .query = {.read = {&Number_type}});
    newcomer_runs = 0;
    update(f->world);
    assert_int_equal(newcomer_runs, 0);
    assert_int_equal(ilk_system_count(f->world), 7);
    update(f->world);
    update(f->world);
    assert_int_equal(newcomer_runs, 2 * 7);
    assert_string_equal(ilk_system_desc_of(ilk_system_at(f->world, 6))->name, "newcomer 600");
    assert_quiet(f);
}

// Now and then one of the pieces has many children, which live for one frame.
static void have_children(ilk_iter* it) {
    const uint32_t* frame = it->user;
    while (ilk_next(it)) {
        const Number* numbers = ILK_READ(it, Number);
        for (uint32_t i = 0; i < it->count; i++) {
            uint64_t seed = *frame * 1000u + numbers[i].value / 64;
            if (next_random(&seed) % 8) continue;
            for (uint32_t k = 0; k < 4; k++) {
                ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_WITH(Enemy)));
            }
        }
    }
}

static void end_children(ilk_iter* it) {
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) ilk_cmd_destroy(it->cmd, it->entities[i]);
    }
}

// R000.10: where pieces create at the same time, the index grows to what one of them needs, for
// each of them, and no further. A piece needs at most four children of each of its rows, or whole
// pages.
static void indices_of_pieces_are_bounded(void** state) {
    fixture* f = *state;
    uint32_t frame = 0, grown = 0;
    spawn_numbers(f->world, ROWS);
    SYSTEM(f->world, "have", .run = have_children, .user = &frame, .is_parallel = true,
           .query = {.read = {&Number_type}});
    SYSTEM(f->world, "end", .run = end_children, .after = {"have"},
           .query = {.with = {&Enemy_type}});
    for (; frame < 600; frame++) {
        update(f->world);
        if (frame == 200) grown = ilk_stats(f->world).slots;
    }
    ilk_world_stats stats = ilk_stats(f->world);
    assert_int_equal(stats.alive, ROWS);
    assert_true(stats.ever > 100 * ROWS);
    assert_int_equal(stats.slots, grown);
    assert_true(stats.slots <= ROWS + 2 * (ROWS / 64 + 1) * ILKI_PAGE_RECORDS);
}

// As many as there is room for come alive, the same ones whoever creates them.
static void fill(ilk_iter* it) {
    stage* s = it->user;
    while (ilk_next(it)) {
        const Number* numbers = ILK_READ(it, Number);
        for (uint32_t i = 0; i < it->count; i++) {
            s->made[numbers[i].value] = ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE(Health, 7)));
            ilk_cmd_set(it->cmd, s->made[numbers[i].value], ILK_VALUE(Position, 1, 2));
        }
    }
}

static uint32_t fill_world(stage* s, uint32_t workers) {
    fixture f = {.memory.left = UINT64_MAX};
    ilk_world_desc desc = fixture_desc(&f);
    desc.max_entities = ROWS + 200;
    f.world = ilk_world_create(&desc);
    assert_non_null(f.world);
    hire_workers(&f, workers);
    spawn_numbers(f.world, ROWS);
    memset(s, 0, sizeof(*s));
    ilk_system* system = SYSTEM(f.world, "fill", .run = fill, .is_parallel = true, .user = s,
                                .query = {.read = {&Number_type}});
    update(f.world);
    assert_int_equal(ilk_stats(f.world).alive, ROWS + 200);
    assert_true(f.told.count > 0);
    assert_int_equal(f.told.last.result, ILK_FULL);
    uint32_t alive = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        bool is_alive = ilk_alive(f.world, s->made[i]);
        alive += is_alive;
        if (is_alive) assert_int_equal(ILK_GET(f.world, s->made[i], Health)->points, 7);
        s->sums[i] = is_alive;
    }
    assert_valid(f.world);
    assert_int_equal(f.world->storage.view.index.reserved, 0);
    uint32_t skipped = (uint32_t)ilk_system_stats_of(system).skipped;
    update(f.world); // it goes on
    assert_int_equal(ilk_stats(f.world).alive, ROWS + 200);
    assert_valid(f.world);
    ilk_world_destroy(f.world);
    assert_int_equal(f.memory.bytes, 0);
    assert_true(skipped <= 2 * (ROWS - 200));
    return alive;
}

static void a_world_that_is_full_takes_as_many_as_it_can(void** state) {
    (void)state;
    static stage one, other;
    assert_int_equal(fill_world(&one, 0), 200);
    assert_int_equal(fill_world(&other, 3), 200);
    assert_memory_equal(one.made, other.made, sizeof(one.made));
    assert_memory_equal(one.sums, other.sums, sizeof(one.sums));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CREW_TEST(commands_come_in_order_of_systems_and_pieces),
        CREW_TEST(what_waits_for_the_phase_or_the_frame_keeps_its_order),
        CREW_TEST(the_order_of_pieces_decides_who_is_last),
        CREW_TEST(a_piece_may_drop_what_it_recorded),
        CREW_TEST(a_systems_buffer_is_its_own),
        CREW_TEST(a_buffer_of_a_piece_is_good_while_that_runs),
        CREW_TEST(strictness_is_kept),
        cmocka_unit_test(what_is_owned_is_dropped_once),
        CREW_TEST(loops_inside_pieces_see_everything),
        CREW_TEST(all_pieces_see_what_changed),
        CREW_TEST(systems_come_and_go_by_commands_of_pieces),
        CREW_TEST(indices_of_pieces_are_bounded),
        cmocka_unit_test(a_world_that_is_full_takes_as_many_as_it_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
