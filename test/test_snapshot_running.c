// The schedule in snapshots: time, systems, scenes; when snapshots can be taken and restored; and a
// game that is the same again from there on, for any number of workers.
#include "film_support.h"

#include "workers_support.h"

typedef struct Score {
    uint64_t points;
} Score;
typedef struct Weather {
    uint64_t wind;
} Weather;
typedef struct Birth {
    ilk_entity who;
    uint32_t number;
} Birth;
ILK_COMPONENT(Score);
ILK_COMPONENT(Weather);
ILK_EVENT(Birth);

static uint32_t hash_of(ilk_entity e, float x) {
    uint32_t h = (e.index + 1) * 2654435761u ^ e.generation * 40503u ^ (uint32_t)(x * 4096);
    h ^= h >> 15;
    h *= 2246822519u;
    return h ^ h >> 13;
}

// Some give birth, some die. (Where memory is short, not all of them.)
static void grow(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            p[i].x += (float)it->dt;
            uint32_t h = hash_of(it->entities[i], p[i].x);
            if (h % 13 == 0) {
                ilk_entity e = ilk_cmd_create(it->cmd);
                ilk_cmd_set(it->cmd, e, ILK_VALUE(Position, (float)(h % 97), 0));
                ILK_EMIT(it->cmd, Birth, e, h);
            }
            if (h % 13 == 1) ilk_cmd_destroy(it->cmd, it->entities[i]);
        }
    }
}

static void fall(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) p[i].y -= (float)it->dt;
    }
}

static void count_births(ilk_iter* it) {
    Score* score = ilk_resource_edit(it->world, &Score_type);
    ilk_event event;
    for (uint32_t i = 0; i < 20 && ilk_read(it->user, &event); i++) {
        score->points = score->points * 31 + event.number;
    }
}

static void blow(ilk_iter* it) {
    Weather* weather = ilk_resource_edit(it->world, &Weather_type);
    weather->wind = weather->wind * 6364136223846793005u + 1442695040888963407u;
}

static void turn(ilk_iter* it) {
    const Weather* weather = ilk_resource_get(it->world, &Weather_type);
    if (weather->wind >> 33 & 3) return;
    if (ilk_scene_depth(it->world) > 1)
        ilk_cmd_scene_pop(it->cmd);
    else
        ilk_cmd_scene_push(it->cmd, "menu");
}

static ilk_result baptize(ilk_world* world, const ilk_event* event, void* user) {
    (void)user;
    if (event->number % 5) return ILK_OK;
    ILK_SPAWN(world, ILK_VALUE(Position, (float)(event->number % 89), 1), ILK_WITH(Health));
    return ILK_OK;
}

static void add_systems(ilk_world* world) {
    ilk_reader* births = ilk_reader_create(world, &(ilk_reader_desc){.type = &Birth_type});
    SYSTEM(world, "grow", .run = grow, .is_parallel = true, .query.write = {&Position_type});
    SYSTEM(world, "fall", .run = fall, .phase = "fixed", .query.write = {&Position_type});
    SYSTEM(world, "count", .run = count_births, .interval = 0.04, .user = births,
           .writes_resources = {&Score_type});
    SYSTEM(world, "blow", .run = blow, .writes_resources = {&Weather_type});
    SYSTEM(world, "turn", .run = turn, .phase = "post", .reads_resources = {&Weather_type});
}

static void make_game(ilk_world* world) {
    static const char* const few[] = {"blow", "turn", NULL};
    ilk_resource_ensure(world, &Score_type);
    ilk_resource_ensure(world, &Weather_type);
    add_systems(world);
    assert_ok(ilk_scene_add(world, &(ilk_scene_desc){.name = "level"}));
    assert_ok(ilk_scene_add(world, &(ilk_scene_desc){.name = "menu", .systems = few}));
    assert_ok(ilk_scene_push(world, "level"));
    ilk_subscribe(world, &(ilk_subscription_desc){.type = &Birth_type, .call = baptize});
    for (uint32_t i = 0; i < 400; i++) ILK_SPAWN(world, ILK_VALUE(Position, (float)i, 0));
}

static void run_frames(ilk_world* world, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) assert_ok(ilk_update(world, 0.001 * (7 + i % 20)));
}

// A game that is restored and goes on. What it comes to.
static picture play(void** state, uint32_t workers) {
    open_world(state);
    fixture* f = *state;
    hire_workers(f, workers);
    make_game(f->world);
    run_frames(f->world, 12);
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    assert_non_null(snapshot);
    picture then = paint_world(f->world);
    run_frames(f->world, 25);
    picture first = paint_world(f->world);
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_same_picture(then, paint_world(f->world));
    run_frames(f->world, 25);
    assert_same_picture(copy_of(first), paint_world(f->world));
    assert_quiet(f);
    close_world(state);
    return first;
}

static void two_runs_are_the_same_for_any_workers(void** state) {
    picture alone = play(state, 0);
    for (uint32_t workers = 1; workers <= 3; workers++) {
        assert_same_picture(copy_of(alone), play(state, workers));
    }
    free(alone.text);
}

static uint64_t sum_in(uint64_t sum, const void* bytes, size_t size) {
    for (size_t i = 0; i < size; i++) sum = (sum ^ ((const uint8_t*)bytes)[i]) * 1099511628211u;
    return sum;
}

// Who is there, and where; and the resources.
static uint64_t sum_of(ilk_world* world) {
    uint64_t sum = 1469598103934665603u;
    for (uint32_t i = 0; i < world->storage.view.index.slots; i++) {
        ilk_entity e = ilk_entity_at(world, i);
        const Position* p = ILK_GET(world, e, Position);
        sum = sum_in(sum, &e, sizeof(e));
        if (p) sum = sum_in(sum, p, sizeof(*p));
    }
    sum = sum_in(sum, ilk_resource_get(world, &Score_type), sizeof(Score));
    return sum_in(sum, ilk_resource_get(world, &Weather_type), sizeof(Weather));
}

// A game in which the last few frames are kept, or none.
static uint64_t play_with_ring(void** state, uint32_t length) {
    open_world(state);
    ilk_world* world = ((fixture*)*state)->world;
    hire_workers(*state, 2);
    make_game(world);
    ilk_snapshot* ring[4] = {0};
    for (uint32_t i = 0; i < 40; i++) {
        assert_ok(ilk_update(world, 0.001 * (7 + i % 20)));
        if (!length) continue;
        ilk_snapshot_release(ring[i % length]);
        ring[i % length] = ilk_snapshot_take(world);
    }
    uint64_t sum = sum_of(world);
    close_world(state);
    return sum;
}

// Nothing that systems see depends on whether there are snapshots.
static void holding_snapshots_changes_nothing(void** state) {
    uint64_t sum = play_with_ring(state, 0);
    for (uint32_t length = 1; length <= 4; length++) {
        assert_true(play_with_ring(state, length) == sum);
    }
}

static void change_scenes(ilk_world* world) {
    uint32_t kind = chance(3);
    if (kind == 0 && ilk_scene_depth(world) < 2)
        ilk_scene_push(world, ilk_scene_depth(world) ? "menu" : "level");
    else if (kind == 1 && ilk_scene_depth(world))
        assert_ok(ilk_scene_pop(world));
    else
        assert_ok(ilk_scene_switch(world, "level"));
}

static void change_running(ilk_world* world) {
    ilk_system* system = ilk_system_at(world, chance(ilk_system_count(world)));
    switch (chance(16)) {
    case 0:
        ilk_pause(world, chance(3) == 0);
        break;
    case 1:
        ilk_set_time_scale(world, chance(3) ? 1 : 0.5);
        break;
    case 2:
        assert_ok(ilk_set_fixed_step(world, 0.005 * (1 + chance(4)), 1 + chance(4)));
        break;
    case 3:
        assert_ok(ilk_set_longest_frame(world, chance(2) ? 0 : 0.02));
        break;
    case 4:
        ilk_system_enable(system, chance(3) != 0);
        break;
    case 5:
        assert_ok(ilk_system_set_order(system, (int)chance(3)));
        break;
    case 6:
        change_scenes(world);
        break;
    case 7:
        ilk_set_settling(world, chance(2) ? 0 : 16);
        break;
    case 8:
        if (chance(20) == 0) assert_ok(ilk_reset(world));
        ILK_SPAWN(world, ILK_VALUE(Position, (float)chance(1000), 0));
        break;
    case 9:
        assert_ok(ilk_draw(world, NULL));
        break;
    default:
        assert_ok(ilk_update(world, 0.001 * chance(40)));
    }
}

static void what_was_is_there_again(void** state) {
    for (uint32_t seed = 1; seed <= 4; seed++) {
        open_world(state);
        fixture* f = *state;
        hire_workers(f, seed - 1);
        make_game(f->world);
        shoot_film(f->world, change_running, seed, 250);
        random_state = seed;
        for (uint32_t i = 0; i < 10; i++) shoot_twice(f->world, change_running, 1 + chance(30));
        close_world(state);
    }
}

static uint64_t hash_with(ilk_world* world, ilk_entity e, int32_t points) {
    assert_ok(ilk_set(world, e, ILK_VALUE(Health, points)));
    ilk_tick(world); // so that what is hashed is kept
    return ilk_hash(world);
}

// Ticks come again: what was hashed in them is not what was hashed before.
static void hashes_are_made_again(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    make_game(world);
    run_frames(world, 5);
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Health, 1));
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    uint64_t then = ilk_hash(world), layout = ilk_hash_layout(world);
    uint64_t first = hash_with(world, e, 2);
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_true(hash_with(world, e, 3) != first);
    run_frames(world, 5);
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_true(ilk_hash(world) == then && ilk_hash_layout(world) == layout);
    assert_true(hash_with(world, e, 2) == first);
}

// The same where the world goes from one past to another, both of which had the same ticks.
static void hashes_of_another_past_are_forgotten(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Health, 1));
    ilk_snapshot* root = ilk_snapshot_take(world);
    uint64_t first = hash_with(world, e, 2);
    ilk_snapshot* branch = ilk_snapshot_take(world);
    assert_ok(ilk_snapshot_restore(root));
    uint64_t second = hash_with(world, e, 3);
    assert_true(second != first);
    ilk_snapshot* other = ilk_snapshot_take(world);
    assert_ok(ilk_snapshot_restore(branch));
    assert_true(ilk_hash(world) == first);
    assert_ok(ilk_snapshot_restore(other));
    assert_true(ilk_hash(world) == second);
    assert_ok(ilk_snapshot_restore(root));
    assert_true(hash_with(world, e, 2) == first);
}

// What a system has learned of its pieces comes and goes with it, in any order.
static void what_systems_have_learned_is_state(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    make_game(world);
    ilk_snapshot* none = ilk_snapshot_take(world);
    picture without = paint_world(world);
    run_frames(world, 4);
    assert_true(ilk_system_named(world, "grow")->want_count > 0);
    ilk_snapshot* some = ilk_snapshot_take(world);
    picture with = paint_world(world);
    assert_ok(ilk_snapshot_restore(none));
    assert_same_picture(without, paint_world(world));
    assert_ok(ilk_snapshot_restore(some));
    assert_same_picture(with, paint_world(world));
}

static void systems_that_were_made_since_stay(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_system_desc desc = {
        .name = "slow", .run = blow, .interval = 1, .writes_resources = {&Weather_type}};
    ilk_resource_ensure(world, &Weather_type);
    ilk_system* old = ilk_system_create(world, &desc);
    assert_ok(ilk_update(world, 0.4));
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    assert_int_equal(old->waited, 400000000);
    assert_non_null(ilk_system_replace(world, &desc));
    ilk_system* now = ilk_system_replace(world, &desc); // perhaps where the first one was
    desc.name = "late";
    ilk_system* late = ilk_system_create(world, &desc);
    assert_ok(ilk_update(world, 0.3));
    ilk_system_enable(late, false);
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_int_equal(ilk_system_count(world), 2);
    assert_int_equal(now->waited, 0);
    assert_int_equal(late->waited, 0);
    assert_true(late->desc.is_disabled);
    assert_int_equal(ilk_time_of(world).frames, 1);
}

static void without_a_schedule_all_is_as_at_first(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    make_game(world);
    run_frames(world, 5);
    ilk_pause(world, true);
    assert_ok(ilk_set_fixed_step(world, 0.5, 2));
    assert_ok(ilk_snapshot_restore(snapshot));
    const ilki_schedule* schedule = world->schedule;
    assert_int_equal(ilk_time_of(world).frames, 0);
    assert_false(ilk_time_of(world).is_paused);
    assert_int_equal(schedule->step, 1000000000 / 60);
    assert_int_equal(schedule->most, 8);
    assert_int_equal(ilk_scene_depth(world), 0);
    assert_int_equal(ilk_system_count(world), 5);
    assert_int_equal(ilk_stats(world).alive, 0);
}

static void a_scene_that_is_gone_is_missed(void** state) {
    fixture* f = *state;
    make_game(f->world);
    assert_ok(ilk_scene_push(f->world, "menu"));
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    assert_ok(ilk_scene_switch(f->world, "level"));
    assert_ok(ilk_scene_remove(f->world, "menu"));
    run_frames(f->world, 1);
    picture now = paint_world(f->world);
    f->told.count = 0;
    assert_int_equal(ilk_snapshot_restore(snapshot), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_snapshot_restore");
    assert_non_null(strstr(f->told.text, "\"menu\""));
    assert_same_picture(now, paint_world(f->world));
    assert_ok(ilk_scene_add(f->world, &(ilk_scene_desc){.name = "menu"}));
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_string_equal(ilk_scene_top(f->world), "menu");
}

static void a_type_that_was_taken_out_clashes(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health), ILK_WITH(Position));
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    picture then = paint_world(f->world);
    assert_ok(ilk_unregister(f->world, &Health_type));
    picture out = paint_world(f->world);
    assert_int_equal(ilk_snapshot_restore(snapshot), ILK_CLASH);
    assert_told(f, ILK_CLASH, "ilk_snapshot_restore");
    assert_non_null(strstr(f->told.text, "Health"));
    assert_same_picture(out, paint_world(f->world));
    ilk_snapshot* without = ilk_snapshot_take(f->world);
    ILK_EDIT(f->world, e, Position)->x = 9;
    assert_ok(ilk_snapshot_restore(without)); // it is out in both
    assert_ok(ilk_register(f->world, &Health_type));
    assert_int_equal(ilk_snapshot_restore(without), ILK_CLASH);
    f->told.count = 0;
    assert_ok(ilk_unregister(f->world, &Health_type));
    assert_int_equal(ilk_snapshot_restore(without), ILK_CLASH); // not with the same values
    assert_ok(ilk_register(f->world, &Health_type));
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_same_picture(then, paint_world(f->world));
}

// Nothing is taken or restored now.
static void refuse_now(ilk_world* world, ilk_snapshot* snapshot) {
    uint32_t count = ilk_snapshot_count(world);
    assert_null(ilk_snapshot_take(world));
    assert_int_equal(ilk_error(world).result, ILK_LOCKED);
    assert_int_equal(ilk_snapshot_restore(snapshot), ILK_LOCKED);
    assert_int_equal(ilk_error(world).result, ILK_LOCKED);
    assert_int_equal(ilk_snapshot_count(world), count);
}

static uint32_t refusals;

static void refuse_hook(ilk_world* world, void* snapshot) {
    refuse_now(world, snapshot);
    refusals++;
}

static void refuse_command(ilk_world* world, ilk_cmd* cmd, void* snapshot) {
    (void)cmd;
    refuse_hook(world, snapshot);
}

static void refuse_system(ilk_iter* it) {
    refuse_hook(it->world, it->user);
    assert_ok(ilk_cmd_call(it->cmd, refuse_command, it->user));
}

static ilk_result refuse_notice(ilk_notice* n) {
    refuse_hook(n->world, n->user);
    return ILK_OK;
}

static ilk_result refuse_plugin(ilk_world* world, void* snapshot) {
    refuse_hook(world, snapshot);
    return ILK_OK;
}

static void there_are_moments_for_it(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    refusals = 0;
    ilk_system* system =
        SYSTEM(world, "refused", .run = refuse_system, .user = snapshot, .exit = refuse_hook);
    assert_ok(ilk_update(world, 0.1)); // the system, and its command
    assert_int_equal(refusals, 2);
    assert_ok(ilk_system_destroy(system));
    assert_int_equal(refusals, 3);
    ilk_cmd* cmd = ilk_cmd_take(world);
    assert_ok(ilk_cmd_call(cmd, refuse_command, snapshot));
    assert_int_equal(ilk_cmd_apply(cmd).done, 1);
    assert_int_equal(refusals, 4);
    assert_ok(ilk_scene_add(
        world, &(ilk_scene_desc){.name = "scene", .exit = refuse_hook, .user = snapshot}));
    assert_ok(ilk_scene_push(world, "scene"));
    assert_ok(ilk_scene_pop(world));
    assert_int_equal(refusals, 5);
    assert_ok(ilk_plugin_install(
        world, &(ilk_plugin){.name = "plugin", .install = refuse_plugin, .user = snapshot}));
    assert_int_equal(refusals, 6);
    ilk_observer* observer = ilk_observer_create(
        world, &(ilk_observer_desc){.on = ILK_ON_CREATE, .run = refuse_notice, .user = snapshot});
    assert_non_null(observer);
    ilk_create(world);
    assert_int_equal(refusals, 7);
    ilk_observer_destroy(observer);
    assert_ok(ilk_snapshot_restore(snapshot));
}

// Commands that wait are no part of a snapshot: none is taken, and none of them outlives a
// restoring.
static void commands_do_not_wait(void** state) {
    fixture* f = *state;
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity e = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_set(cmd, e, ILK_WITH(Owned)));
    Owned owned = {text_copy("own")};
    assert_ok(ilk_cmd_set(cmd, e, ILK_VALUE_AT(Owned, &owned)));
    assert_null(ilk_snapshot_take(f->world));
    assert_told(f, ILK_LOCKED, "ilk_snapshot_take");
    assert_non_null(strstr(f->told.text, "3 commands wait"));
    hooks_taken();
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_hooks(0, 0, 1);
    assert_int_equal(ilk_cmd_count(cmd), 0);
    assert_int_equal(ilk_cmd_apply(cmd).done, 0);
    assert_int_equal(ilk_stats(f->world).alive, 0);
    ilk_entity again = ilk_create(f->world);
    assert_entity(again, e); // as if it had not been given out
    assert_valid(f->world);
}

static ilk_result note_notice(ilk_notice* n) {
    ++*(uint32_t*)n->user;
    return ILK_OK;
}

// Observers of one entity go with it, also if it never was.
static void observers_of_the_unborn_go(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    uint32_t first = 0, second = 0;
    ilk_observer_desc desc = {
        .on = ILK_ON_ADD, .type = &Health_type, .run = note_notice, .user = &first};
    ilk_entity old = ilk_create(world);
    desc.entity = old;
    assert_non_null(ilk_observer_create(world, &desc));
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    desc.entity = ilk_create(world);
    desc.user = &second;
    assert_non_null(ilk_observer_create(world, &desc));
    assert_ok(ilk_snapshot_restore(snapshot));
    assert_valid(world);
    ilk_entity again = ilk_create(world);
    assert_entity(again, desc.entity);
    assert_ok(ilk_add(world, again, ILK_WITH(Health)));
    assert_ok(ilk_add(world, old, ILK_WITH(Health)));
    assert_int_equal(second, 0);
    assert_int_equal(first, 1);
}

static void want_of_memory_changes_nothing(void** state) {
    fixture* f = *state;
    make_game(f->world);
    run_frames(f->world, 3);
    ilk_snapshot* first = take_with_little(f);
    picture then = paint_world(f->world);
    run_frames(f->world, 3);
    ilk_snapshot* second = take_with_little(f);
    picture between = paint_world(f->world);
    run_frames(f->world, 3);
    restore_with_little(f, first, then);
    restore_with_little(f, second, between);
}

// What cannot be saved while a game runs is lost, and says so; otherwise it is there.
static void what_cannot_be_saved_is_lost(void** state) {
    (void)state;
    uint32_t lost = 0, kept = 0;
    for (uint64_t most = 0; most < 60; most += 1 + most / 8) {
        void* own = NULL;
        open_world(&own);
        fixture* f = own;
        make_game(f->world);
        run_frames(f->world, 6);
        ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
        picture then = paint_world(f->world);
        f->memory.left = most;
        ilk_update(f->world, 0.02);
        f->memory.left = UINT64_MAX;
        assert_valid(f->world);
        bool is_lost = ilk_snapshot_stats_of(snapshot).is_lost;
        assert_int_equal(ilk_snapshot_restore(snapshot), is_lost ? ILK_STALE : ILK_OK);
        lost += is_lost;
        kept += !is_lost;
        if (is_lost)
            free(then.text);
        else
            assert_same_picture(then, paint_world(f->world));
        close_world(&own);
    }
    assert_true(lost > 0);
    assert_true(kept > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_are_the_same_for_any_workers),
        cmocka_unit_test(holding_snapshots_changes_nothing),
        cmocka_unit_test(what_was_is_there_again),
        WORLD_TEST(hashes_are_made_again),
        WORLD_TEST(hashes_of_another_past_are_forgotten),
        WORLD_TEST(what_systems_have_learned_is_state),
        WORLD_TEST(systems_that_were_made_since_stay),
        WORLD_TEST(without_a_schedule_all_is_as_at_first),
        WORLD_TEST(a_scene_that_is_gone_is_missed),
        WORLD_TEST(a_type_that_was_taken_out_clashes),
        WORLD_TEST(there_are_moments_for_it),
        WORLD_TEST(commands_do_not_wait),
        WORLD_TEST(observers_of_the_unborn_go),
        WORLD_TEST(want_of_memory_changes_nothing),
        cmocka_unit_test(what_cannot_be_saved_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
