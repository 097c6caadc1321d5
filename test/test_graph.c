// Order and waves: what comes before what, cycles, which systems may stand side by side, and what
// that means for their commands.
#include "schedule_support.h"

// R001.42 R003.10 C16
static void without_more_the_order_of_making_holds(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "c");
    SYSTEM(f->world, "a");
    SYSTEM(f->world, "b");
    assert_order(f->world, "c a b");
    assert_ok(ilk_update(f->world, 0));
    noted("c a b");
}

// R003.10 R004.22 C16
static void lower_numbers_come_first(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "late", .order = 10);
    SYSTEM(f->world, "b");
    SYSTEM(f->world, "first", .order = -1000000);
    SYSTEM(f->world, "c");
    SYSTEM(f->world, "later", .order = 10);
    assert_order(f->world, "first b c late later");
    assert_ok(ilk_update(f->world, 0));
    noted("first b c late later");
}

// R004.22
static void numbers_can_be_changed(void** state) {
    fixture* f = *state;
    ilk_system* a = SYSTEM(f->world, "a");
    ilk_system* b = SYSTEM(f->world, "b");
    SYSTEM(f->world, "c");
    assert_ok(ilk_system_set_order(a, 3));
    assert_order(f->world, "b c a");
    assert_ok(ilk_system_set_order(b, 3));
    assert_order(f->world, "c a b");
    assert_int_equal(ilk_system_desc_of(b)->order, 3);
    assert_ok(ilk_system_set_order(b, -3));
    assert_order(f->world, "b c a");
}

// R004.22 C16
static void phases_come_before_numbers(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "draw", .phase = "draw", .order = -5);
    SYSTEM(f->world, "post", .phase = "post", .order = -4);
    SYSTEM(f->world, "none", .order = -3);
    SYSTEM(f->world, "update", .phase = "update", .order = -2);
    SYSTEM(f->world, "fixed", .phase = "fixed", .order = -1);
    SYSTEM(f->world, "start", .phase = "start");
    assert_order(f->world, "start fixed none update post draw");
}

// R001.32 R001.42 C16
static void before_and_after_come_before_numbers(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .order = 1);
    SYSTEM(f->world, "b", .order = 2, .before = {"a"});
    SYSTEM(f->world, "c", .order = -1, .after = {"a"});
    SYSTEM(f->world, "d", .order = 3);
    assert_order(f->world, "b a c d");
    SYSTEM(f->world, "e", .order = 9, .before = {"b", NULL, "d"}, .after = {NULL});
    assert_order(f->world, "e b a c d");
    assert_ok(ilk_update(f->world, 0));
    noted("e b a c d");
}

// R001.42: a phase is the group; before all of it is first, after all of it is last.
static void names_of_phases_stand_for_their_systems(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a");
    SYSTEM(f->world, "b");
    SYSTEM(f->world, "first", .before = {"update"});
    SYSTEM(f->world, "last", .order = -1, .after = {"update"});
    SYSTEM(f->world, "plain", .after = {"fixed"}, .before = {"post"});
    assert_order(f->world, "first a b plain last");
}

// R001.42: of two that come after a third the one with the lower number is closer to it, of two
// that come before it the one with the higher number.
static void numbers_say_who_is_closer(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "middle");
    SYSTEM(f->world, "far after", .order = 9, .after = {"middle"});
    SYSTEM(f->world, "close after", .order = 1, .after = {"middle"});
    SYSTEM(f->world, "close before", .order = -1, .before = {"middle"});
    SYSTEM(f->world, "far before", .order = -9, .before = {"middle"});
    assert_order(f->world, "far before close before middle close after far after");
    assert_ok(ilk_update(f->world, 0));
    noted("far before close before middle close after far after");
}

static void an_order_across_phases_may_be_said_again(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .phase = "fixed");
    SYSTEM(f->world, "b", .phase = "post", .after = {"a", "update"});
    SYSTEM(f->world, "c", .before = {"b"}, .after = {"a"});
    assert_order(f->world, "a c b");
}

// R001.42 C16
static void a_cycle_lists_its_members(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "bystander");
    SYSTEM(f->world, "a");
    SYSTEM(f->world, "b", .after = {"a"});
    not_made(f, ILK_INVALID, "c", .run = note_name, .after = {"b"}, .before = {"a"});
    assert_non_null(strstr(f->told.text, "a cycle: "));
    assert_non_null(strstr(f->told.text, "a waits for c"));
    assert_non_null(strstr(f->told.text, "b waits for a"));
    assert_non_null(strstr(f->told.text, "c waits for b"));
    assert_null(strstr(f->told.text, "bystander"));
    assert_string_equal(f->told.call, "ilk_system_create");
    assert_order(f->world, "bystander a b");
    assert_ok(ilk_update(f->world, 0));
    noted("bystander a b");
}

static void a_cycle_with_phases_is_one_too(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .phase = "post");
    not_made(f, ILK_INVALID, "b", .run = note_name, .after = {"a"});
    assert_non_null(strstr(f->told.text, "a waits for b"));
    not_made(f, ILK_INVALID, "b", .run = note_name, .after = {"post"});
    not_made(f, ILK_INVALID, "b", .run = note_name, .phase = "draw", .before = {"a"});
    SYSTEM(f->world, "first", .before = {"update"});
    not_made(f, ILK_INVALID, "second", .run = note_name, .before = {"update"});
}

// R001.42
static void a_cycle_says_why_each_waits(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a");
    SYSTEM(f->world, "b", .after = {"a"});
    not_made(f, ILK_INVALID, "c", .run = note_name, .after = {"b"}, .before = {"a"});
    assert_string_equal(f->told.text,
                        "ilk_system_create: a cycle: a waits for c (c is before a), c waits for b "
                        "(c is after b), b waits for a (b is after a)");
}

// R001.42
static void a_cycle_through_phases_names_them(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "late", .phase = "post");
    not_made(f, ILK_INVALID, "b", .run = note_name, .after = {"post"});
    assert_string_equal(f->told.text, "ilk_system_create: a cycle: late waits for b (phase post of "
                                      "late follows phase update of b), b waits for late (b is "
                                      "after phase post of late)");
    not_made(f, ILK_INVALID, "d", .run = note_name, .phase = "draw", .before = {"post"});
    assert_string_equal(f->told.text, "ilk_system_create: a cycle: late waits for d (d is before "
                                      "phase post of late), d waits for late (phase draw of d "
                                      "follows phase post of late)");
    not_made(f, ILK_INVALID, "e", .run = note_name, .phase = "draw", .before = {"late"});
    assert_non_null(strstr(f->told.text, "late waits for e (e is before late)"));
    assert_non_null(strstr(f->told.text, "(phase draw of e follows phase post of late)"));
}

static void a_cycle_of_long_names_is_told_as_far_as_there_is_room(void** state) {
    fixture* f = *state;
    static char names[4][200];
    for (uint32_t i = 0; i < 4; i++) {
        memset(names[i], 'a' + (int)i, sizeof(names[i]) - 1);
        const char* after = i ? names[i - 1] : NULL;
        ilk_system_desc desc = {.name = names[i], .run = note_name, .after = {after}};
        if (i < 3) system_of(f->world, desc);
        desc.before[0] = names[0];
        if (i == 3) not_made_at(f, desc, ILK_INVALID, __FILE__, __LINE__);
    }
    assert_non_null(strstr(f->told.text, "a cycle: "));
    assert_int_equal(ilk_system_count(f->world), 3);
}

static void who_is_gone_is_waited_for_no_more(void** state) {
    fixture* f = *state;
    ilk_system* a = SYSTEM(f->world, "a", .order = 5);
    SYSTEM(f->world, "b", .after = {"a"});
    SYSTEM(f->world, "c");
    assert_order(f->world, "c a b");
    assert_ok(ilk_system_destroy(a));
    assert_order(f->world, "b c");
    SYSTEM(f->world, "a", .order = 5);
    assert_order(f->world, "c a b");
}

// A hundred systems, each after a random earlier one, in a random order of numbers.
static void a_hundred_systems_keep_every_promise(void** state) {
    fixture* f = *state;
    static char names[100][8];
    ilk_system* after[100] = {0};
    uint64_t seed = 5;
    for (uint32_t i = 0; i < 100; i++) {
        snprintf(names[i], sizeof(names[i]), "s%u", i);
        ilk_system_desc desc = {.name = names[i], .order = (int)(next_random(&seed) % 10)};
        uint32_t earlier = i ? next_random(&seed) % i : 0;
        if (i) desc.after[0] = names[earlier];
        system_of(f->world, desc);
        after[i] = i ? ilk_system_named(f->world, names[earlier]) : NULL;
    }
    for (uint32_t i = 0; i < 100; i++) {
        const ilk_system* system = ilk_system_named(f->world, names[i]);
        bool is_passed = after[i] == NULL;
        for (uint32_t at = 0; ilk_system_at(f->world, at) != system; at++) {
            is_passed |= ilk_system_at(f->world, at) == after[i];
        }
        assert_true(is_passed);
    }
}

// Whether two systems, made one after the other in a world of their own, are of one wave.
static bool share_a_wave(ilk_system_desc a, ilk_system_desc b) {
    void* state = NULL;
    open_schedule(&state);
    fixture* f = state;
    a.name = "a";
    b.name = "b";
    const ilk_system* first = system_of(f->world, a);
    const ilk_system* second = system_of(f->world, b);
    uint32_t wave[2] = {ilk_system_wave(first), ilk_system_wave(second)};
    assert_int_equal(wave[0], 0);
    close_world(&state);
    return wave[0] == wave[1];
}
#define ASKS(...) ((ilk_system_desc){.query = {__VA_ARGS__}})

static const ilk_term writes_position[] = {{ILK_ACCESS_WRITE, &Position_type}, {0}};

// R003.18
static void who_writes_what_another_uses_conflicts(void** state) {
    (void)state;
    ilk_system_desc writer = ASKS(.write = {&Position_type});
    const ilk_system_desc users[] = {ASKS(.write = {&Velocity_type, &Position_type}),
                                     ASKS(.read = {&Position_type}),
                                     ASKS(.maybe = {&Position_type}),
                                     ASKS(.changed = {&Position_type}),
                                     ASKS(.added = {&Position_type}),
                                     ASKS(.terms = writes_position)};
    for (uint32_t i = 0; i < COUNT_OF(users); i++) {
        assert_false(share_a_wave(writer, users[i]));
        assert_false(share_a_wave(users[i], writer));
    }
}

// R003.18
static void who_writes_nothing_that_another_uses_does_not(void** state) {
    (void)state;
    ilk_system_desc writer = ASKS(.write = {&Position_type}, .read = {&Velocity_type});
    const ilk_system_desc others[] = {ASKS(.write = {&Health_type}, .read = {&Velocity_type}),
                                      ASKS(.with = {&Position_type}),
                                      ASKS(.without = {&Position_type}),
                                      ASKS(.any = {&Position_type, &Enemy_type}),
                                      ASKS(.changed = {&Velocity_type}),
                                      ASKS(.maybe = {&Velocity_type}),
                                      {.is_for_all = true}};
    for (uint32_t i = 0; i < COUNT_OF(others); i++) {
        assert_true(share_a_wave(writer, others[i]));
        assert_true(share_a_wave(others[i], writer));
    }
    assert_true(share_a_wave(ASKS(.read = {&Position_type}), ASKS(.read = {&Position_type})));
}

static int by_bytes(const void* a, const void* b) {
    return memcmp(a, b, sizeof(Position));
}

static void what_a_system_is_ordered_by_it_reads(void** state) {
    (void)state;
    ilk_system_desc writer = ASKS(.write = {&Position_type});
    ilk_system_desc sorter = ASKS(.order_by = &Position_type, .compare = by_bytes);
    assert_false(share_a_wave(writer, sorter));
    assert_false(share_a_wave(sorter, writer));
    assert_true(share_a_wave(sorter, ASKS(.read = {&Position_type})));
}

static void who_has_no_query_is_alone(void** state) {
    (void)state;
    assert_false(share_a_wave((ilk_system_desc){0}, (ilk_system_desc){0}));
    assert_false(share_a_wave((ilk_system_desc){0}, ASKS(.read = {&Position_type})));
    assert_false(share_a_wave((ilk_system_desc){.is_for_all = true}, (ilk_system_desc){0}));
}

static void who_is_declared_after_another_is_of_a_later_wave(void** state) {
    fixture* f = *state;
    ilk_query_desc reads = {.read = {&Position_type}};
    ilk_system* a = SYSTEM(f->world, "a", .query = reads);
    ilk_system* b = SYSTEM(f->world, "b", .query = reads);
    ilk_system* c = SYSTEM(f->world, "c", .query = reads, .after = {"a"});
    ilk_system* d = SYSTEM(f->world, "d", .query = reads);
    assert_int_equal(ilk_system_wave(a), 0);
    assert_int_equal(ilk_system_wave(b), 0);
    assert_int_equal(ilk_system_wave(c), 1);
    assert_int_equal(ilk_system_wave(d), 1);
    assert_false(share_a_wave(ASKS(.read = {&Position_type}),
                              (ilk_system_desc){.query = reads, .after = {"update"}}));
}

// Waves are of neighbours: a later system does not go back to an earlier wave.
static void waves_keep_the_order(void** state) {
    fixture* f = *state;
    ilk_system* a = SYSTEM(f->world, "a", .query = {.write = {&Position_type}});
    ilk_system* b = SYSTEM(f->world, "b", .query = {.read = {&Position_type}});
    ilk_system* c = SYSTEM(f->world, "c", .query = {.read = {&Health_type}});
    ilk_system* d = SYSTEM(f->world, "d", .query = {.write = {&Position_type}});
    ilk_system* e = SYSTEM(f->world, "e", .phase = "post", .query = {.read = {&Health_type}});
    assert_order(f->world, "a b c d e");
    assert_int_equal(ilk_system_wave(a), 0);
    assert_int_equal(ilk_system_wave(b), 1);
    assert_int_equal(ilk_system_wave(c), 1);
    assert_int_equal(ilk_system_wave(d), 2);
    assert_int_equal(ilk_system_wave(e), 0);
    assert_ok(ilk_system_destroy(b));
    assert_int_equal(ilk_system_wave(c), 0);
    assert_int_equal(ilk_system_wave(d), 1);
}

// A system that records the spawning of an enemy, and those that count enemies.
static void send_enemy(ilk_iter* it) {
    assert_false(
        ilk_is_null(ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_WITH(Enemy), ILK_WITH(Anchor)))));
}

typedef struct watch {
    uint32_t beside, clash, after, post, again;
} watch;

// The numbers of enemies that systems see: one in the same wave as the sender, one that conflicts
// with it, one declared after it, one in the next phase, and one in the next update.
static watch watch_enemies(ilk_apply apply) {
    void* state = NULL;
    watch w = {0};
    open_schedule(&state);
    fixture* f = state;
    ilk_query_desc enemies = {.with = {&Enemy_type}};
    ilk_system* first =
        SYSTEM(f->world, "first", .run = walk_all, .user = &w.again, .query = enemies);
    ilk_system* sender = SYSTEM(f->world, "sender", .run = send_enemy, .apply = apply,
                                .query = {.read = {&Anchor_type}});
    ilk_system* beside =
        SYSTEM(f->world, "beside", .run = walk_all, .user = &w.beside, .query = enemies);
    SYSTEM(f->world, "clash", .run = walk_all, .user = &w.clash,
           .query = {.write = {&Anchor_type}, .with = {&Enemy_type}});
    SYSTEM(f->world, "after", .run = walk_all, .user = &w.after, .query = enemies,
           .after = {"sender"});
    SYSTEM(f->world, "post", .run = walk_all, .user = &w.post, .query = enemies, .phase = "post");
    assert_int_equal(ilk_system_wave(sender), ilk_system_wave(beside));
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(w.again, 0);
    assert_int_equal(ilk_system_stats_of(sender).commands, 1);
    watch seen = w;
    ilk_system_enable(sender, false);
    assert_ok(ilk_update(f->world, 1));
    seen.again = w.again;
    assert_int_equal(ilk_system_stats_of(first).calls, 2);
    close_world(&state);
    return seen;
}

// R001.31 R003.15 C12
static void commands_are_applied_when_the_system_says(void** state) {
    (void)state;
    watch wave = watch_enemies(ILK_APPLY_WAVE);
    assert_true(wave.beside == 0 && wave.clash == 1 && wave.after == 1 && wave.post == 1 &&
                wave.again == 1);
    watch phase = watch_enemies(ILK_APPLY_PHASE);
    assert_true(phase.beside == 0 && phase.clash == 0 && phase.after == 0 && phase.post == 1 &&
                phase.again == 1);
    watch frame = watch_enemies(ILK_APPLY_FRAME);
    assert_true(frame.beside == 0 && frame.clash == 0 && frame.after == 0 && frame.post == 0 &&
                frame.again == 1);
}

static void set_points(ilk_iter* it) {
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            ilk_value value = ILK_VALUE_AT(Health, (const Health*)it->user);
            assert_ok(ilk_cmd_set(it->cmd, it->entities[i], value));
        }
    }
}

// C12
static void commands_of_a_wave_are_applied_in_the_order_of_its_systems(void** state) {
    fixture* f = *state;
    Health one = {1}, two = {2};
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_query_desc reads = {.read = {&Position_type}};
    ilk_system* a = SYSTEM(f->world, "a", .run = set_points, .user = &one, .query = reads);
    ilk_system* b = SYSTEM(f->world, "b", .run = set_points, .user = &two, .query = reads);
    assert_int_equal(ilk_system_wave(a), ilk_system_wave(b));
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 2);
    assert_ok(ilk_system_set_order(a, 1));
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(without_more_the_order_of_making_holds),
        SCHEDULE_TEST(lower_numbers_come_first),
        SCHEDULE_TEST(numbers_can_be_changed),
        SCHEDULE_TEST(phases_come_before_numbers),
        SCHEDULE_TEST(before_and_after_come_before_numbers),
        SCHEDULE_TEST(names_of_phases_stand_for_their_systems),
        SCHEDULE_TEST(numbers_say_who_is_closer),
        SCHEDULE_TEST(an_order_across_phases_may_be_said_again),
        SCHEDULE_TEST(a_cycle_lists_its_members),
        SCHEDULE_TEST(a_cycle_with_phases_is_one_too),
        SCHEDULE_TEST(a_cycle_says_why_each_waits),
        SCHEDULE_TEST(a_cycle_through_phases_names_them),
        SCHEDULE_TEST(a_cycle_of_long_names_is_told_as_far_as_there_is_room),
        SCHEDULE_TEST(who_is_gone_is_waited_for_no_more),
        SCHEDULE_TEST(a_hundred_systems_keep_every_promise),
        cmocka_unit_test(who_writes_what_another_uses_conflicts),
        cmocka_unit_test(who_writes_nothing_that_another_uses_does_not),
        cmocka_unit_test(what_a_system_is_ordered_by_it_reads),
        cmocka_unit_test(who_has_no_query_is_alone),
        SCHEDULE_TEST(who_is_declared_after_another_is_of_a_later_wave),
        SCHEDULE_TEST(waves_keep_the_order),
        cmocka_unit_test(commands_are_applied_when_the_system_says),
        SCHEDULE_TEST(commands_of_a_wave_are_applied_in_the_order_of_its_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
