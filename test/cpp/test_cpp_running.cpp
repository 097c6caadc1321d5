// What the world calls, systems and observers; events and resources.
#include "cpp_support.h"

static void test_lambda() {
    ilk::world world;
    ilk_entity e = ilk::spawn(world, Position{1, 0}, Velocity{2, 0});
    ilk::system<Position, const Velocity> move("move");
    ilk_system* made = move.each(world, [](ilk_iter& it, ilk_entity, Position& p,
                                           const Velocity& v) { p.x += v.x * float(it.dt); });
    CHECK(made == ilk_system_named(world, "move"));
    CHECK(ilk_update(world, 0.5) == ILK_OK);
    CHECK(ilk::get<Position>(world, e)->x == 2);
    CHECK(move.each(world, [](Position&, const Velocity&) {}) == nullptr);
    CHECK(ilk_error(world).result == ILK_EXISTS);
}

struct Mover {
    int calls = 0;
    float sum = 0;
    void operator()(const Position& p) {
        calls++;
        sum += p.x;
    }
};

static void test_functor() {
    ilk::world world;
    for (int i = 0; i < 10; i++) ilk::spawn(world, Position{float(i), 0});
    Mover mover;
    ilk::system<const Position>("count").each(world, &mover);
    float most = 0;
    auto find_most = [&most](ilk_iter& it, const Position* p, uint32_t count) {
        for (uint32_t i = 0; i < count; i++) most = p[i].x > most ? p[i].x : most;
        CHECK(it.user != nullptr);
    };
    ilk::system<const Position>("most").run(world, &find_most);
    ilk_update(world, 1);
    CHECK(mover.calls == 10 && mover.sum == 45 && most == 9);
}

static void test_own_loop() {
    ilk::world world;
    ilk_entity e = ilk::spawn(world, Position{1, 0}, Frozen{});
    ilk::spawn(world, Position{1, 0});
    ilk::system<Position, ilk::without<Frozen>> fall("fall");
    fall.order = 2;
    fall.run(world, [](ilk_iter& it) {
        while (ilk_next(&it)) {
            Position* p = ilk::column<Position>(it);
            for (uint32_t i = 0; i < it.count; i++) p[i].y--;
        }
    });
    static int calls;
    ilk::system<>("alone").run(
        world, [](ilk_iter& it) { ilk::spawn(it.cmd, Position{0, float(++calls)}); });
    ilk_update(world, 1);
    CHECK(calls == 1);
    CHECK(ilk::get<Position>(world, e)->y == 0);
    ilk::query<const Position> all(world);
    CHECK(ilk_query_count(world, all) == 3);
    float sum = 0;
    all.each([&](const Position& p) { sum += p.y; });
    CHECK(sum == -1); // one fell; and one was made in a wave before, at 1, and fell too
}

static void test_locked() {
    ilk::world world;
    ilk::spawn(world, Position{1, 0}, Velocity{});
    static ilk_result result;
    static int seen;
    ilk::system<const Position>("reader").each(world,
                                               [](ilk_iter& it, ilk_entity e, const Position&) {
                                                   result = ilk::add(it.world, e, Health{});
                                                   seen = 0;
                                               });
    ilk_update(world, 1);
    CHECK(result == ILK_LOCKED && seen == 0);
}

static float sum_after(uint32_t workers) {
    ilk_world_desc desc = {};
    desc.workers = workers;
    ilk::world world(desc);
    for (int i = 0; i < 5000; i++) ilk::spawn(world, Position{float(i), 0}, Velocity{1, 0});
    ilk::system<Position, const Velocity> move("move");
    move.is_parallel = true;
    move.each(world, [](ilk_iter& it, ilk_entity e, Position& p, const Velocity& v) {
        p.x += v.x;
        if (p.x > 4990) ilk_cmd_destroy(it.cmd, e);
    });
    for (int i = 0; i < 3; i++) ilk_update(world, 1);
    return sum_in_c(world);
}

static void test_parallel() { CHECK(sum_after(0) == sum_after(3)); }

static void test_observers() {
    ilk::world world;
    static int added, removed;
    ilk::observer<Health> adds(ILK_ON_ADD);
    adds.name = "adds";
    ilk_observer* made = adds.run(world, [](ilk_notice& n, const Health* health) {
        added += health->points;
        ilk::add(n.cmd, n.entity, Frozen{});
    });
    CHECK(std::strcmp(ilk_observer_name(made), "adds") == 0);
    ilk::observer<Health>(ILK_ON_REMOVE).run(world, [](ilk_notice&, const Health*) {
        removed++;
        return ILK_INVALID;
    });
    ilk_entity e = ilk::spawn(world, Health{5});
    CHECK(added == 5 && ilk::has<Frozen>(world, e));
    ilk::remove<Health>(world, e);
    CHECK(removed == 1 && ilk_error(world).result == ILK_INVALID);

    int tags = 0;
    auto count = [&tags](ilk_notice&, const Frozen*) { tags++; };
    ilk::observer<Frozen>(ILK_ON_REMOVE).run(world, &count);
    ilk::remove<Frozen>(world, e);
    CHECK(tags == 1);
}

static void test_events() {
    ilk::world world;
    ilk_entity e = ilk_create(world);
    ilk::reader<Landed> all(world), own(world, e);
    ilk::reader<ilk_entity_spawned> spawned(world);
    CHECK(ilk::emit(world, Landed{e, 1}) == ILK_OK);
    CHECK(ilk::emit_to(world, e, Landed{e, 2}) == ILK_OK);
    ilk::commands commands(world);
    CHECK(ilk::emit(commands, Landed{e, 3}) == ILK_OK);
    CHECK(ilk::emit_to(commands, e, Landed{e, 4}) == ILK_OK);
    CHECK(all.read()->speed == 1);
    ilk_cmd_apply(commands);
    ilk_event event;
    CHECK(all.read(&event)->speed == 2 && ilk_same(event.entity, e));
    CHECK(all.read()->speed == 3 && all.read()->speed == 4 && all.read() == nullptr);
    CHECK(own.read()->speed == 2 && own.read()->speed == 4 && own.read() == nullptr);
    CHECK(spawned.read() == nullptr);
    ilk_entity late = ilk_create(world);
    CHECK(ilk_same(spawned.read()->entity, late));
}

static void test_resources() {
    ilk::world world;
    CHECK(ilk::resource_get<Gravity>(world) == nullptr);
    CHECK(ilk::resource_edit<Gravity>(world) == nullptr);
    CHECK(ilk::resource_set(world, Gravity{-9}) == ILK_OK);
    ilk::system<Position> fall("fall");
    fall.reads_resources[0] = ilk::type<Gravity>();
    fall.each(world, [](ilk_iter& it, ilk_entity, Position& p) {
        p.y += ilk::resource_get<Gravity>(it.world)->y;
    });
    ilk_entity e = ilk::spawn(world, Position{});
    ilk_update(world, 1);
    CHECK(ilk::get<Position>(world, e)->y == -9);

    ilk::commands commands(world);
    ilk::resource_set(commands, Gravity{-1});
    CHECK(ilk::resource_get<Gravity>(world)->y == -9);
    ilk_cmd_apply(commands);
    CHECK(ilk::resource_get<Gravity>(world)->y == -1);
    ilk::resource_remove<Gravity>(commands);
    ilk_cmd_apply(commands);
    CHECK(!ilk_resource_has(world, ilk::type<Gravity>()));
}

void test_running() {
    test_lambda();
    test_functor();
    test_own_loop();
    test_locked();
    test_parallel();
    test_observers();
    test_events();
    test_resources();
}
