// Running: what a system is called with, the lock, and when commands are applied.
#include "schedule_support.h"

// What a system saw when it was called.
typedef struct sight {
    uint32_t calls, rows;
    ilk_world* world;
    ilk_query* query;
    ilk_system* system;
    void* surface;
    ilk_cmd* cmd;
    double dt;
    ilk_result result;
} sight;

static void look(ilk_iter* it) {
    sight* s = it->user;
    *s = (sight){s->calls + 1, 0,       it->world, it->query, it->system,
                 it->surface,  it->cmd, it->dt,    it->result};
    while (ilk_next(it)) s->rows += it->count;
}

// R001.30 R002.23
static void a_system_walks_what_matches(void** state) {
    fixture* f = *state;
    sight s = {0};
    ilk_entity e[10];
    spawn_positions(f->world, e, 10);
    ILK_SPAWN(f->world, ILK_WITH(Velocity));
    ilk_system* a =
        SYSTEM(f->world, "a", .run = look, .user = &s, .query = {.read = {&Position_type}});
    assert_ok(ilk_update(f->world, 0.25));
    assert_true(s.calls == 1 && s.rows == 10);
    assert_true(s.world == f->world && s.system == a && s.query == ilk_system_query(a));
    assert_true(s.cmd && !s.surface && s.dt == 0.25 && s.result == ILK_OK);
    assert_ok(ilk_destroy_many(f->world, e, 10));
    assert_ok(ilk_update(f->world, 0.5));
    assert_true(s.calls == 2 && s.rows == 0 && s.dt == 0.5);
}

// R001.30
static void a_system_without_a_query_is_called_once(void** state) {
    fixture* f = *state;
    sight s = {0};
    ilk_create(f->world);
    ilk_system* a = SYSTEM(f->world, "a", .run = look, .user = &s);
    assert_ok(ilk_update(f->world, 1));
    assert_true(s.calls == 1 && s.rows == 0 && s.dt == 1 && s.cmd && s.system == a);
    assert_null(s.query);
    assert_ptr_equal(s.world, f->world);
}

static void a_system_may_be_for_every_entity(void** state) {
    fixture* f = *state;
    sight s = {0};
    ilk_create(f->world);
    ILK_SPAWN(f->world, ILK_WITH(Position));
    SYSTEM(f->world, "a", .run = look, .user = &s, .is_for_all = true);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(s.rows, 2);
}

static void push(void* user, ilk_entity e, void* const* values) {
    ++*(uint32_t*)user;
    assert_false(ilk_is_null(e));
    ((Position*)values[0])->x += ((const Velocity*)values[1])->x;
}

// R001.30
static void a_function_may_be_called_for_each_entity(void** state) {
    fixture* f = *state;
    uint32_t count = 0;
    ilk_entity e[3];
    for (uint32_t i = 0; i < 3; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 0), ILK_VALUE(Velocity, 10, 0));
    }
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_system* a = SYSTEM(f->world, "a", .each = push, .user = &count,
                           .query = {.write = {&Position_type}, .read = {&Velocity_type}});
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(count, 3);
    assert_int_equal(ilk_system_stats_of(a).rows, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(same_position(ILK_GET(f->world, e[i], Position), 10 + (float)i, 0));
    }
}

static bool is_wanted(ilk_world* world, void* user) {
    note("?");
    assert_non_null(world);
    return *(bool*)user;
}

static void a_system_runs_when_its_condition_holds(void** state) {
    fixture* f = *state;
    bool wanted = false;
    ilk_system* a = SYSTEM(f->world, "a", .when = is_wanted, .user = &wanted);
    assert_ok(ilk_update(f->world, 1));
    noted("?");
    wanted = true;
    assert_ok(ilk_update(f->world, 1));
    noted("? a");
    assert_int_equal(ilk_system_stats_of(a).calls, 1);
}

// R004.22
static void a_system_can_be_switched_off(void** state) {
    fixture* f = *state;
    ilk_system* a = SYSTEM(f->world, "a");
    ilk_system* b = SYSTEM(f->world, "b", .is_disabled = true);
    assert_ok(ilk_update(f->world, 1));
    noted("a");
    ilk_system_enable(a, false);
    ilk_system_enable(b, true);
    assert_ok(ilk_update(f->world, 1));
    noted("b");
    assert_true(ilk_system_desc_of(a)->is_disabled && !ilk_system_desc_of(b)->is_disabled);
}

// R003.12 C24
static void a_list_says_which_systems_are_active(void** state) {
    fixture* f = *state;
    static const char* const none[] = {NULL};
    static const char* const some[] = {"c", "a", "nobody", "picture", NULL};
    SYSTEM(f->world, "a");
    SYSTEM(f->world, "b");
    SYSTEM(f->world, "c");
    SYSTEM(f->world, "picture", .phase = "draw");
    SYSTEM(f->world, "frame", .phase = "draw");
    assert_ok(ilk_update_only(f->world, 1, NULL));
    noted("a b c");
    assert_ok(ilk_update_only(f->world, 1, none));
    noted("");
    assert_ok(ilk_update_only(f->world, 1, some));
    noted("a c");
    assert_ok(ilk_draw_only(f->world, NULL, NULL));
    noted("picture frame");
    assert_ok(ilk_draw_only(f->world, NULL, none));
    noted("");
    assert_ok(ilk_draw_only(f->world, NULL, some));
    noted("picture");
}

// R003.10 R003.11
static void drawing_and_updating_are_apart(void** state) {
    fixture* f = *state;
    int surface = 0;
    sight s = {0};
    SYSTEM(f->world, "logic");
    SYSTEM(f->world, "picture", .phase = "draw", .run = look, .user = &s);
    assert_ok(ilk_update(f->world, 1));
    noted("logic");
    assert_int_equal(s.calls, 0);
    assert_ok(ilk_draw(f->world, &surface));
    noted("");
    assert_true(s.calls == 1 && s.surface == &surface);
    assert_int_equal(ilk_time_of(f->world).frames, 1);
}

// R003.25
static void layers_are_drawn_in_order(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "ui", .phase = "draw", .order = 100);
    SYSTEM(f->world, "sprite", .phase = "draw", .order = 20);
    SYSTEM(f->world, "background", .phase = "draw");
    SYSTEM(f->world, "particle", .phase = "draw", .order = 30);
    SYSTEM(f->world, "shadow", .phase = "draw", .order = 10);
    assert_ok(ilk_draw(f->world, NULL));
    noted("background shadow sprite particle ui");
}

static void what_follows_the_draw_phase_is_drawn_too(void** state) {
    fixture* f = *state;
    assert_ok(ilk_phase_add(f->world, "flip", "draw"));
    SYSTEM(f->world, "flip", .phase = "flip");
    SYSTEM(f->world, "picture", .phase = "draw");
    assert_ok(ilk_update(f->world, 1));
    noted("");
    assert_ok(ilk_draw(f->world, NULL));
    noted("picture flip");
}

static void set_x(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) p[i].x = 7;
    }
}

static void sum_x(ilk_iter* it) {
    while (ilk_next(it)) {
        const Position* p = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count; i++) *(float*)it->user += p[i].x;
    }
}

// R003.13
static void a_system_sees_what_those_before_it_wrote(void** state) {
    fixture* f = *state;
    float early = 0, late = 0;
    ilk_entity e[4];
    spawn_positions(f->world, e, 4);
    ilk_query_desc reads = {.read = {&Position_type}};
    SYSTEM(f->world, "late", .run = sum_x, .user = &late, .query = reads, .order = 1);
    SYSTEM(f->world, "set", .run = set_x, .query = {.write = {&Position_type}});
    SYSTEM(f->world, "early", .run = sum_x, .user = &early, .query = reads, .order = -1);
    assert_ok(ilk_update(f->world, 1));
    assert_true(early == 0 + 1 + 2 + 3 && late == 4 * 7);
}

// A system that records the spawning of an enemy, and those that count enemies.
static void send_enemy(ilk_iter* it) {
    assert_false(ilk_is_null(ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_WITH(Enemy)))));
}

typedef struct watch {
    uint32_t beside, after, post, again;
} watch;

// The numbers of enemies that systems see: one in the same wave as the sender, one declared after
// it, one in the next phase, and one at the beginning of the next update.
static watch watch_enemies(ilk_apply apply) {
    void* state = NULL;
    watch w = {0};
    open_schedule(&state);
    fixture* f = state;
    ilk_query_desc enemies = {.with = {&Enemy_type}};
    ilk_system* first =
        SYSTEM(f->world, "first", .run = walk_all, .user = &w.again, .query = enemies);
    ilk_system* sender = SYSTEM(f->world, "sender", .run = send_enemy, .apply = apply,
                                .query = {.with = {&Anchor_type}});
    ilk_system* beside =
        SYSTEM(f->world, "beside", .run = walk_all, .user = &w.beside, .query = enemies);
    SYSTEM(f->world, "after", .run = walk_all, .user = &w.after, .query = enemies,
           .after = {"sender"});
    SYSTEM(f->world, "post", .run = walk_all, .user = &w.post, .query = enemies, .phase = "post");
    assert_int_equal(ilk_system_wave(f->world, sender), ilk_system_wave(f->world, beside));
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
    assert_true(wave.beside == 0 && wave.after == 1 && wave.post == 1 && wave.again == 1);
    watch phase = watch_enemies(ILK_APPLY_PHASE);
    assert_true(phase.beside == 0 && phase.after == 0 && phase.post == 1 && phase.again == 1);
    watch frame = watch_enemies(ILK_APPLY_FRAME);
    assert_true(frame.beside == 0 && frame.after == 0 && frame.post == 0 && frame.again == 1);
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
    assert_int_equal(ilk_system_wave(f->world, a), ilk_system_wave(f->world, b));
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 2);
    assert_ok(ilk_system_set_order(a, 1));
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 1);
}

static void a_drawing_applies_its_commands_too(void** state) {
    fixture* f = *state;
    for (int apply = ILK_APPLY_WAVE; apply <= ILK_APPLY_FRAME; apply++) {
        ilk_system* a =
            SYSTEM(f->world, "a", .run = send_enemy, .phase = "draw", .apply = (ilk_apply)apply);
        assert_ok(ilk_draw(f->world, NULL));
        assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, apply + 1);
        assert_ok(ilk_system_destroy(a));
    }
    not_made(f, ILK_INVALID, "a", .run = send_enemy, .apply = (ilk_apply)3);
}

static void destroy_all(ilk_iter* it) {
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            assert_ok(ilk_cmd_destroy(it->cmd, it->entities[i]));
            assert_true(ilk_alive(it->world, it->entities[i]));
        }
    }
}

static void commands_on_who_died_meanwhile_are_counted(void** state) {
    fixture* f = *state;
    ilk_entity e[5];
    spawn_positions(f->world, e, 5);
    ilk_query_desc reads = {.read = {&Position_type}};
    ilk_system* a = SYSTEM(f->world, "a", .run = destroy_all, .query = reads);
    ilk_system* b = SYSTEM(f->world, "b", .run = destroy_all, .query = reads);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ilk_stats(f->world).alive, 0);
    ilk_system_stats first = ilk_system_stats_of(a), second = ilk_system_stats_of(b);
    assert_true(first.commands == 5 && first.skipped == 0);
    assert_true(second.commands == 0 && second.skipped == 5);
    assert_quiet(f);
}

// Memory runs out once commands are recorded, and before they are applied.
static void send_enemy_and_run_out(ilk_iter* it) {
    fixture* f = it->user;
    send_enemy(it);
    f->memory.left = 0;
    ilk_system_enable(it->system, false);
}

static void run_out_in(fixture* f, const char* phase, ilk_apply apply) {
    ilk_system* a = SYSTEM(f->world, "a", .run = send_enemy_and_run_out, .user = f, .phase = phase,
                           .apply = apply);
    uint32_t before = ilk_stats_of(f->world, &Enemy_type).count;
    assert_int_equal(ilk_update(f->world, 1), ILK_NO_MEMORY);
    assert_int_equal(ilk_error(f->world).result, ILK_NO_MEMORY);
    assert_string_equal(ilk_error(f->world).call, "ilk_update");
    assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, before);
    assert_int_equal(ilk_system_stats_of(a).commands, 0);
    assert_int_equal(ilk_update(f->world, 1), ILK_NO_MEMORY);
    f->memory.left = UINT64_MAX;
    assert_valid(f->world);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, before + 1);
    assert_int_equal(ilk_system_stats_of(a).commands, 1);
}

static void what_is_left_for_want_of_memory_is_tried_again(void** state) {
    static const char* const phases[] = {"start", "fixed", "update", "post"};
    (void)state;
    for (uint32_t i = 0; i < COUNT_OF(phases); i++) {
        for (int apply = ILK_APPLY_WAVE; apply <= ILK_APPLY_FRAME; apply++) {
            void* own = NULL;
            open_schedule(&own);
            run_out_in(own, phases[i], (ilk_apply)apply);
            close_world(&own);
        }
    }
}

static void leave_early(ilk_iter* it) {
    *(uint32_t*)it->user += ilk_next(it);
}

static void a_loop_left_early_is_ended(void** state) {
    fixture* f = *state;
    uint32_t count = 0;
    ilk_entity e[8];
    spawn_positions(f->world, e, 8);
    ilk_set_settling(f->world, 0);
    SYSTEM(f->world, "a", .run = leave_early, .user = &count, .query = {.read = {&Position_type}});
    for (uint32_t i = 0; i < 20; i++) assert_ok(ilk_update(f->world, 1));
    assert_int_equal(count, 20);
    assert_ok(ilk_destroy(f->world, e[3]));
    assert_int_equal(ilk_stats(f->world).holes, 1);
    ILK_SPAWN(f->world, ILK_WITH(Position)); // nobody is looking: the hole is filled
    assert_int_equal(ilk_stats(f->world).holes, 0);
}

// A change of each kind is made once, and seen once by each system, wherever it stands.
typedef struct Traced {
    int32_t value;
} Traced;
ILK_COMPONENT_WITH(Traced, .track = true);

static void note_changed(ilk_iter* it) {
    while (ilk_next(it)) {
        char word[32];
        snprintf(word, sizeof(word), "%s%u", name_of(it->system), it->count);
        note(word);
    }
}

static void write_if_told(ilk_iter* it) {
    bool* is_told = it->user;
    while (ilk_next(it)) {
        if (!*is_told) continue;
        ILK_WRITE(it, Traced)->value++;
        note("change");
    }
    *is_told = false;
}

static void set_if_told(ilk_iter* it) {
    bool* is_told = it->user;
    while (ilk_next(it)) {
        if (*is_told) assert_ok(ilk_cmd_set(it->cmd, it->entities[0], ILK_WITH(Traced)));
    }
    *is_told = false;
}

static void make_watchers(fixture* f, bool* by_column, bool* by_command) {
    ilk_query_desc watches = {.changed = {&Traced_type}};
    SYSTEM(f->world, "a", .run = note_changed, .query = watches);
    SYSTEM(f->world, "b", .run = note_changed, .query = watches);
    SYSTEM(f->world, "column", .run = write_if_told, .user = by_column,
           .query = {.write = {&Traced_type}, .with = {&Enemy_type}});
    SYSTEM(f->world, "command", .run = set_if_told, .user = by_command,
           .query = {.with = {&Traced_type, &Enemy_type}});
    SYSTEM(f->world, "c", .run = note_changed, .query = watches, .after = {"command"});
    SYSTEM(f->world, "d", .run = note_changed, .query = watches, .phase = "post");
}

// R004.9 R004.10
static void each_system_sees_each_change_once(void** state) {
    fixture* f = *state;
    bool by_column = false, by_command = false;
    make_watchers(f, &by_column, &by_command);
    ILK_SPAWN(f->world, ILK_WITH(Traced));
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Traced), ILK_WITH(Enemy));
    settle_fully(f->world);
    assert_ok(ilk_update(f->world, 1));
    noted("a2 b2 c2 d2");
    assert_ok(ilk_update(f->world, 1));
    noted("");
    by_column = true;
    assert_ok(ilk_update(f->world, 1));
    noted("change c1 d1");
    assert_ok(ilk_update(f->world, 1));
    noted("a1 b1");
    by_command = true;
    assert_ok(ilk_update(f->world, 1));
    noted("c1 d1");
    assert_ok(ilk_update(f->world, 1));
    noted("a1 b1");
    assert_non_null(ilk_write(f->world, e, &Traced_type)); // between two updates
    assert_ok(ilk_update(f->world, 1));
    noted("a1 b1 c1 d1");
    assert_ok(ilk_update(f->world, 1));
    noted("");
}

// R004.11
static void who_does_not_run_sees_a_change_later_and_the_others_do_not(void** state) {
    fixture* f = *state;
    bool no = false;
    make_watchers(f, &no, &no);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Traced));
    assert_ok(ilk_update(f->world, 1));
    noted("a1 b1 c1 d1");
    ilk_system_enable(ilk_system_named(f->world, "b"), false);
    assert_ok(ilk_mark(f->world, e, &Traced_type));
    assert_ok(ilk_update(f->world, 1));
    noted("a1 c1 d1");
    assert_ok(ilk_update(f->world, 1));
    noted("");
    ilk_system_enable(ilk_system_named(f->world, "b"), true);
    assert_ok(ilk_update(f->world, 1));
    noted("b1");
}

// Systems of a world with a steady coming and going; with `user` set, components come and go too.
static void send_ten(ilk_iter* it) {
    for (uint32_t i = 0; i < 10; i++) {
        ilk_entity e = ilk_cmd_spawn(
            it->cmd, ILK_VALUES(ILK_VALUE(Position, (float)i, 0), ILK_VALUE(Health, 5)));
        if (it->user) assert_ok(ilk_cmd_add(it->cmd, e, ILK_WITH(Velocity)));
    }
}

static void grow_old(ilk_iter* it) {
    while (ilk_next(it)) {
        Health* health = ILK_WRITE(it, Health);
        for (uint32_t i = 0; i < it->count; i++) {
            int32_t points = --health[i].points;
            ilk_entity e = it->entities[i];
            if (it->user && points == 3) assert_ok(ilk_cmd_add(it->cmd, e, ILK_WITH(Enemy)));
            if (it->user && points == 1) assert_ok(ilk_cmd_remove(it->cmd, e, &Velocity_type));
            if (points == 0) assert_ok(ilk_cmd_destroy(it->cmd, e));
        }
    }
}

// How often a world asked for memory in a thousand frames.
static uint64_t calls_in_frames(fixture* f, void* is_changing) {
    uint32_t count = 0;
    SYSTEM(f->world, "send", .run = send_ten, .user = is_changing);
    SYSTEM(f->world, "age", .run = grow_old, .user = is_changing,
           .query = {.write = {&Health_type}});
    SYSTEM(f->world, "count", .run = walk_all, .user = &count, .interval = 3,
           .query = {.changed = {&Health_type}}, .phase = "post", .apply = ILK_APPLY_FRAME);
    SYSTEM(f->world, "each", .each = count_call, .user = &count, .phase = "draw",
           .query = {.read = {&Position_type}, .maybe = {&Enemy_type}});
    uint64_t calls = 0;
    for (uint32_t frame = 0; frame < 1200; frame++) {
        if (frame == 200) calls = f->memory.calls;
        assert_ok(ilk_update(f->world, 1));
        assert_ok(ilk_draw(f->world, NULL));
    }
    assert_int_equal(ilk_stats(f->world).alive, 40);
    assert_int_equal(ilk_stats(f->world).ever, 12000);
    assert_quiet(f);
    return f->memory.calls - calls;
}

// R003.33
static void frames_need_no_memory_once_warm(void** state) {
    assert_int_equal(calls_in_frames(*state, NULL), 0);
}

// R003.33
static void changing_frames_need_none_either(void** state) {
    assert_int_equal(calls_in_frames(*state, *state), 0);
}

static void without_settling_changing_frames_need_none_either(void** state) {
    fixture* f = *state;
    ilk_set_settling(f->world, 0);
    assert_int_equal(calls_in_frames(f, f), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(a_system_walks_what_matches),
        SCHEDULE_TEST(a_system_without_a_query_is_called_once),
        SCHEDULE_TEST(a_system_may_be_for_every_entity),
        SCHEDULE_TEST(a_function_may_be_called_for_each_entity),
        SCHEDULE_TEST(a_system_runs_when_its_condition_holds),
        SCHEDULE_TEST(a_system_can_be_switched_off),
        SCHEDULE_TEST(a_list_says_which_systems_are_active),
        SCHEDULE_TEST(drawing_and_updating_are_apart),
        SCHEDULE_TEST(layers_are_drawn_in_order),
        SCHEDULE_TEST(what_follows_the_draw_phase_is_drawn_too),
        SCHEDULE_TEST(a_system_sees_what_those_before_it_wrote),
        cmocka_unit_test(commands_are_applied_when_the_system_says),
        SCHEDULE_TEST(commands_of_a_wave_are_applied_in_the_order_of_its_systems),
        SCHEDULE_TEST(a_drawing_applies_its_commands_too),
        SCHEDULE_TEST(commands_on_who_died_meanwhile_are_counted),
        cmocka_unit_test(what_is_left_for_want_of_memory_is_tried_again),
        SCHEDULE_TEST(a_loop_left_early_is_ended),
        SCHEDULE_TEST(each_system_sees_each_change_once),
        SCHEDULE_TEST(who_does_not_run_sees_a_change_later_and_the_others_do_not),
        SCHEDULE_TEST(frames_need_no_memory_once_warm),
        SCHEDULE_TEST(changing_frames_need_none_either),
        SCHEDULE_TEST(without_settling_changing_frames_need_none_either),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
