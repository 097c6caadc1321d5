// What docs/cpp.md shows, next to bindings/cpp/example.cpp. It prints
//     1 moves, to 4.0
//     Robert has 2 things
//     the answer is 42
//     those who like Cid have 20 points
#include <ilk/ilk.hpp>

#include <cstdio>
#include <string>
#include <vector>

struct Position {
    float x, y;
};
struct Velocity {
    float x, y;
};
struct Frozen {};
struct Answer {
    int number;
    bool is_right;
};
struct Bag {
    ilk::boxed<std::string> owner; // the std::string of GCC points into itself, and has to be boxed
    std::vector<int> things;
};
struct Points {
    int count;
};
struct Likes : ilk_link {};
struct Owns : ilk_link {
    using value = Bag;
};

ILK_CPP_COMPONENT(Position);
ILK_CPP_COMPONENT(Velocity);
ILK_CPP_COMPONENT(Frozen);
ILK_CPP_COMPONENT(Answer);
ILK_CPP_COMPONENT(Points);
ILK_CPP_OWNING(Bag);
ILK_CPP_RELATION(Likes);
ILK_CPP_RELATION(Owns);

static void move_one() {
    ilk::world world;
    ilk_entity e = ilk::spawn(world, Position{1, 2}, Frozen{});
    ilk::set(world, e, Velocity{3, 0});

    ilk::query<Position, const Velocity> moving(world);
    moving.each([](Position& p, const Velocity& v) { p.x += v.x; });

    std::vector<ilk_entity> seen;
    moving.each([&](ilk_entity who, Position&, const Velocity&) { seen.push_back(who); });
    std::printf("%zu moves, to %.1f\n", seen.size(), double(ilk::get<Position>(world, e)->x));
}

static void fill_a_bag() {
    ilk::world world;
    ilk_entity e = ilk::spawn(world, Bag{"Rob", {1}});
    Bag* bag = ilk::edit<Bag>(world, e);
    *bag->owner += "ert";
    bag->things.push_back(2);
    std::printf("%s has %zu things\n", bag->owner->c_str(), bag->things.size());
}

static void describe() {
    ilk::type<Answer>()->track = true;
    static const ilk_field fields[] = {
        ILK_CPP_FIELD(Answer, number), ILK_CPP_FIELD(Answer, is_right), {}};
    ilk::type<Answer>()->fields = fields;
    ilk::world world;
    ilk::resource_set(world, Answer{42, true});
    std::printf("the answer is %d\n", ilk::resource_get<Answer>(world)->number);
}

static void relate() {
    ilk::relation<Likes>()->is_exclusive = true;
    ilk::world world;
    ilk_entity bob = ilk_create(world), cid = ilk_create(world);
    ilk::spawn(world, Points{1}, ilk::to<Likes>(bob));
    ilk::spawn(world, Points{20}, ilk::to<Likes>(cid));
    ilk::relate<Owns>(world, bob, cid, Bag{"Bob", {}});
    int sum = 0;
    ilk::query<const Points, const Likes> liking(world);
    liking.each([&](const Points& points, const Likes& likes) {
        if (ilk_same(likes.target, cid)) sum += points.count;
    });
    std::printf("those who like Cid have %d points\n", sum);
}

int main() {
    move_one();
    fill_a_bag();
    describe();
    relate();
}
