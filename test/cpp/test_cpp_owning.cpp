// Values that own something, through every way in and out of a world: each is dropped once.
#include "cpp_support.h"

#include <any>

static void test_ways_in_and_out() {
    ilk::world world;
    ilk_entity e = ilk::spawn(world, bag_of("first"), Position{});
    CHECK(Counted::alive == 1);
    CHECK(ilk::get<Bag>(world, e)->items.size() == 3);
    CHECK(*ilk::get<Bag>(world, e)->label == "first");

    CHECK(ilk::set(world, e, bag_of("second")) == ILK_OK);
    CHECK(Counted::alive == 1);
    CHECK(*ilk::get<Bag>(world, e)->label == "second");
    CHECK(ilk::replace(world, e, bag_of("third")) == ILK_OK);
    ilk::edit<Bag>(world, e)->items.assign(1000, 7);

    ilk_entity twin = ilk_copy(world, e);
    CHECK(Counted::alive == 2);
    *ilk::edit<Bag>(world, twin)->label = "a twin";
    CHECK(*ilk::get<Bag>(world, e)->label == "third");
    CHECK(ilk::get<Bag>(world, twin)->items[999] == 7);

    CHECK(ilk::remove<Bag>(world, e) == ILK_OK);
    CHECK(Counted::alive == 1);
    ilk::ensure<Bag>(world, e)->items.push_back(1);
    CHECK(Counted::alive == 2);
    CHECK(ilk_destroy(world, twin) == ILK_OK);
    CHECK(Counted::alive == 1);
}

// What the world does not take is dropped by the header, once.
static void test_refused() {
    ilk::world world;
    ilk_entity e = ilk::spawn(world, bag_of("kept"));
    CHECK(ilk::add(world, e, bag_of("refused")) == ILK_EXISTS);
    CHECK(*ilk::get<Bag>(world, e)->label == "kept");
    ilk_entity gone = ilk_create(world);
    ilk_destroy(world, gone);
    CHECK(ilk::add(world, gone, bag_of("refused")) == ILK_DEAD);
    CHECK(ilk_is_null(ilk::spawn(world, bag_of("twice"), bag_of("twice"))));
    CHECK(ilk_is_null(ilk::spawn(static_cast<ilk_world*>(nullptr), bag_of("nowhere"))));
    CHECK(Counted::alive == 1);

    ilk_link dead = {};
    dead.target = gone;
    CHECK(ilk_is_null(ilk::spawn(world, bag_of("orphan"), ilk_value{&ilk_child_of_type, &dead})));
    CHECK(ilk_error(world).result == ILK_DEAD);
    CHECK(Counted::alive == 1);
}

// What an observer destroys as soon as it is there was taken, though ilk_spawn gives null.
static void test_destroyed_at_once() {
    ilk::world world;
    ilk::observer<Bag>(ILK_ON_ADD).run(world, [](ilk_notice& n, const Bag*) {
        ilk_cmd_destroy(n.cmd, n.entity);
    });
    CHECK(ilk_is_null(ilk::spawn(world, bag_of("short"))));
    CHECK(ilk_error(world).result == ILK_DEAD);
    CHECK(Counted::alive == 0);
}

static void test_settling() {
    ilk::world world;
    std::vector<ilk_entity> all;
    for (int i = 0; i < 500; i++) {
        all.push_back(ilk::spawn(world, bag_of("some"), Position{float(i), 0}));
        ilk::edit<Bag>(world, all.back())->items.push_back(i);
    }
    for (size_t i = 0; i < all.size(); i += 2) ilk::add(world, all[i], Velocity{});
    CHECK(ilk_settle(world, 0).moved > 0);
    bool all_right = true;
    ilk::query<const Bag, const Position>(world).each([&](const Bag& bag, const Position& p) {
        all_right = all_right && bag.items[3] == int(p.x) && *bag.label == "some";
    });
    CHECK(all_right);
    ilk_clear(world);
    CHECK(Counted::alive == 0);
}

static void test_snapshots() {
    ilk::world world;
    ilk_entity e = ilk::spawn(world, bag_of("before"));
    ilk_snapshot* before = ilk_snapshot_take(world);
    CHECK(before != nullptr);
    *ilk::edit<Bag>(world, e)->label = "after, and longer than any string that fits into itself";
    ilk::edit<Bag>(world, e)->items.clear();
    ilk_entity late = ilk::spawn(world, bag_of("late"));
    CHECK(ilk_snapshot_restore(before) == ILK_OK);
    CHECK(*ilk::get<Bag>(world, e)->label == "before");
    CHECK(ilk::get<Bag>(world, e)->items.size() == 3);
    CHECK(!ilk_alive(world, late));
    ilk_destroy(world, e);
    CHECK(ilk_snapshot_restore(before) == ILK_OK);
    CHECK(*ilk::get<Bag>(world, e)->label == "before");
    ilk_snapshot_release(before);
    CHECK(Counted::alive == 1);
}

static void test_commands() {
    ilk::world world;
    ilk_entity e = ilk_create(world);
    ilk::commands commands(world);
    ilk_entity made = ilk::spawn(commands, bag_of("made"), Position{1, 1});
    CHECK(ilk::add(commands, e, bag_of("added")) == ILK_OK);
    CHECK(ilk::set(commands, e, bag_of("set")) == ILK_OK);
    ilk::ensure<Letter>(commands, e)->bag.items.push_back(1);
    CHECK(Counted::alive == 4);
    CHECK(ilk_cmd_apply(commands).failed == 0);
    CHECK(*ilk::get<Bag>(world, made)->label == "made");
    CHECK(*ilk::get<Bag>(world, e)->label == "set");
    CHECK(Counted::alive == 3);
    CHECK(ilk::remove<Bag>(commands, e) == ILK_OK);
    ilk::add(commands, e, bag_of("never applied"));
    ilk_cmd_clear(commands);
    CHECK(Counted::alive == 3);
    ilk::add(commands, e, bag_of("given back"));
}

static void test_events_and_resources() {
    ilk::world world;
    CHECK(ilk::resource_set(world, bag_of("one")) == ILK_OK);
    CHECK(ilk::resource_set(world, bag_of("two")) == ILK_OK);
    CHECK(*ilk::resource_get<Bag>(world)->label == "two");
    CHECK(ilk::resource_remove<Bag>(world) == ILK_OK);
    ilk::resource_ensure<Bag>(world)->items.push_back(3);
    CHECK(ilk::resource_edit<Bag>(world)->items.size() == 1);

    CHECK(ilk::emit(world, Letter{bag_of("nobody waits")}) == ILK_OK);
    ilk::reader<Letter> letters(world);
    CHECK(ilk::emit(world, Letter{bag_of("read")}) == ILK_OK);
    CHECK(*letters.read()->bag.label == "read");
    ilk::observer<Letter>(ILK_ON_EVENT).run(world, [](ilk_notice& n, const Letter*) {
        n.cancel = true;
    });
    CHECK(ilk::emit(world, Letter{bag_of("cancelled")}) == ILK_CANCELLED);
    CHECK(letters.read() == nullptr);
    ilk_update(world, 1); // what was read goes
    CHECK(Counted::alive == 1);
}

// Values that cannot be copied live in a world, and are refused where a copy would be made.
static void test_move_only() {
    ilk::world world;
    ilk_entity e = ilk::spawn(world, Sole{std::make_unique<int>(5)});
    CHECK(*ilk::get<Sole>(world, e)->number == 5);
    CHECK(ilk_is_null(ilk_copy(world, e)) && ilk_error(world).result == ILK_INVALID);
    CHECK(ilk_snapshot_take(world) == nullptr);
}

static void test_pointing_into_itself() {
#if defined(__GLIBCXX__) && _GLIBCXX_USE_CXX11_ABI
    ilk::world world;
    ilk_entity e = ilk_create(world);
    CHECK(ilk::add(world, e, Restless{"text"}) == ILK_INVALID);
    CHECK(std::strstr(ilk_error(world).text, "Restless is unsound: it points into itself, and") !=
          nullptr);
    CHECK(ilk::ensure<Restless>(world, e) == nullptr);
    CHECK(ilk::resource_set(world, Restless{"text"}) == ILK_INVALID);
#endif
}

static void test_boxed() {
    ilk::boxed<std::string> one(std::string("one"));
    ilk::boxed<std::string> two = one;
    *two = "two";
    CHECK(*one == "one" && *two == "two");
    one = two;
    CHECK(*one == "two" && one->size() == 3);
    ilk::boxed<std::string> moved = std::move(two);
    two = moved;
    CHECK(*two == "two" && *moved == "two");

    const ilk::boxed<std::string> of_letters = "letters";
    CHECK(*of_letters == "letters");
    const ilk::boxed<std::vector<int>> of_list({1, 2});
    CHECK(of_list->size() == 2);
    ilk::boxed<std::any> whatever = 1; // which could be made of a boxed, too
    const ilk::boxed<std::any> copied = whatever;
    CHECK(*std::any_cast<int>(&*copied) == 1);
}

void test_owning() {
    void (*const all[])() = {test_ways_in_and_out,
                             test_refused,
                             test_destroyed_at_once,
                             test_settling,
                             test_snapshots,
                             test_commands,
                             test_events_and_resources,
                             test_move_only,
                             test_pointing_into_itself,
                             test_boxed};
    for (auto* test : all) {
        test();
        CHECK(Counted::alive == 0);
    }
}
