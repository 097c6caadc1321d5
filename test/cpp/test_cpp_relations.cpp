// Relations and blueprints in C++.
#include "cpp_support.h"

static void test_types() {
    ilk::relation<game::Wears>()->is_exclusive = true;
    CHECK(std::strcmp(ilk::type<Likes>()->name, "Likes") == 0);
    CHECK(std::strcmp(ilk::type<game::Wears>()->name, "Wears") == 0);
    CHECK(ilk::type<Likes>()->relation == ilk::relation<Likes>());
    CHECK(ilk::relation<Likes>()->value == nullptr);
    CHECK(ilk::relation<Owns>()->value == ilk::type<Bag>());
    CHECK(ilk::type<ilk::child_of>() == &ilk_child_of_type);
}

static void test_verbs() {
    ilk::world world;
    const ilk_entity ann = ilk_create(world), bob = ilk_create(world), cid = ilk_create(world);
    CHECK(ilk::relate<Likes>(world, ann, bob) == ILK_OK);
    CHECK(ilk::relate<Likes>(world, ann, bob) == ILK_EXISTS);
    CHECK(ilk::add(world, ann, ilk::to<Likes>(cid)) == ILK_OK);
    CHECK(ilk_target_count(world, ann, ilk::type<Likes>()) == 2);
    CHECK(ilk::related<Likes>(world, ann, cid) && !ilk::related<Likes>(world, bob, ann));
    CHECK(ilk_same(ilk::target<Likes>(world, ann), bob));
    CHECK(ilk_same(ilk::get<Likes>(world, ann)->target, bob));
    CHECK(ilk::unrelate<Likes>(world, ann, bob) == ILK_OK);
    CHECK(ilk::unrelate<Likes>(world, ann, bob) == ILK_MISSING);

    const ilk_entity kid =
        ilk::spawn(world, Position{1, 2}, ilk::to<ilk::child_of>(ann), ilk::to<game::Wears>(bob));
    CHECK(ilk_same(ilk_parent(world, kid), ann));
    CHECK(ilk::set(world, kid, ilk::to<game::Wears>(cid)) == ILK_OK); // another takes its place
    CHECK(ilk_target_count(world, kid, ilk::type<game::Wears>()) == 1);
    CHECK(ilk_same(ilk::target<game::Wears>(world, kid), cid));
}

static void test_commands() {
    ilk::world world;
    ilk::commands later(world);
    const ilk_entity bob = ilk_create(world);
    const ilk_entity ann = ilk::spawn(later, ilk::to<Likes>(bob));
    CHECK(ilk::relate<game::Wears>(later, ann, bob) == ILK_OK);
    CHECK(ilk::relate<Owns>(later, ann, bob, bag_of("later")) == ILK_OK);
    CHECK(ilk::unrelate<Likes>(later, ann, bob) == ILK_OK);
    CHECK(ilk_cmd_apply(later).done == 4);
    CHECK(!ilk::has<Likes>(world, ann) && ilk::related<game::Wears>(world, ann, bob));
    CHECK(*ilk::relation_get<Owns>(world, ann, bob)->label == "later");
}

// What a relation carries belongs to the world once it is taken, and is dropped once.
static void test_carried() {
    {
        ilk::world world;
        const ilk_entity ann = ilk_create(world), bob = ilk_create(world);
        CHECK(ilk::relate<Owns>(world, ann, bob, bag_of("first")) == ILK_OK);
        CHECK(ilk::relate<Owns>(world, ann, bob, bag_of("again")) == ILK_EXISTS);
        CHECK(*ilk::relation_get<Owns>(world, ann, bob)->label == "first");
        CHECK(ilk::relation_set<Owns>(world, ann, bob, bag_of("other")) == ILK_OK);
        CHECK(*ilk::relation_edit<Owns>(world, ann, bob)->label == "other");
        CHECK(ilk::relation_get<Owns>(world, bob, ann) == nullptr);
        CHECK(Counted::alive == 1);
    }
    CHECK(Counted::alive == 0);
}

static void test_terms() {
    ilk::world world;
    const ilk_entity bob = ilk_create(world), cid = ilk_create(world);
    ilk::spawn(world, Health{1}, ilk::to<Likes>(bob));
    ilk::spawn(world, Health{2}, ilk::to<Likes>(cid));
    ilk::spawn(world, Health{4});
    int sum = 0;
    ilk::query<const Health, const Likes> liking(world);
    liking.each([&](const Health& health, const Likes& likes) {
        sum += health.points * (ilk_same(likes.target, cid) ? 10 : 1);
    });
    CHECK(sum == 21);
    ilk::query<const Health, ilk::without<Likes>> alone(world);
    alone.each([&](const Health& health) { sum = health.points; });
    CHECK(sum == 4);
}

static void test_blueprints() {
    {
        ilk::world world;
        ilk_blueprint* orc = ilk_blueprint_create(nullptr);
        CHECK(ilk::blueprint_add(orc, Health{30}) == ILK_OK);
        CHECK(ilk::blueprint_add(orc, Health{40}) == ILK_EXISTS);
        CHECK(ilk::blueprint_add(orc, bag_of("loot")) == ILK_OK);
        CHECK(ilk::blueprint_set(orc, bag_of("more loot")) == ILK_OK);
        CHECK(ilk::blueprint_replace(orc, Position{}) == ILK_MISSING);
        CHECK(ilk::blueprint_set(orc, Frozen{}) == ILK_OK);
        const ilk_entity e = ilk_blueprint_spawn(world, orc);
        CHECK(ilk::get<Health>(world, e)->points == 30 && ilk::has<Frozen>(world, e));
        CHECK(*ilk::get<Bag>(world, e)->label == "more loot");
        CHECK(Counted::alive == 2);
        ilk_blueprint_destroy(orc);
        CHECK(Counted::alive == 1);
    }
    CHECK(Counted::alive == 0);
}

void test_relations() {
    test_types();
    test_verbs();
    test_commands();
    test_carried();
    test_terms();
    test_blueprints();
}
