// What the tests of the C++ header have in common.
#ifndef CPP_SUPPORT_H
#define CPP_SUPPORT_H

#include "c_side.h"

#include <ilk/ilk.hpp>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

// How many checks failed; main returns it.
inline int failures;
inline int checks;

inline void check(bool is_right, const char* text, const char* file, int line) {
    checks++;
    if (is_right) return;
    failures++;
    std::printf("%s:%d: not so: %s\n", file, line, text);
}
#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

struct Velocity {
    float x, y;
};
struct Health {
    int points = 100;
};
struct Frozen {};

namespace game {
struct Level {
    int number;
};
} // namespace game

// Counts how many of it there are.
struct Counted {
    static inline int alive = 0;
    Counted() { alive++; }
    Counted(const Counted&) { alive++; }
    Counted(Counted&&) noexcept { alive++; }
    ~Counted() { alive--; }
    Counted& operator=(const Counted&) = default;
    Counted& operator=(Counted&&) = default;
};

// Owns memory in every way that is allowed.
struct Bag {
    std::vector<int> items;
    ilk::boxed<std::string> label;
    Counted counted;
};
inline Bag bag_of(const char* label) {
    Bag bag;
    bag.items = {1, 2, 3};
    *bag.label = label;
    return bag;
}

// Can be moved, and not copied.
struct Sole {
    std::unique_ptr<int> number;
};

// With the std::string of GCC it points into itself.
struct Restless {
    std::string text;
};

struct Landed {
    ilk_entity who;
    float speed;
};
struct Letter {
    Bag bag;
};
struct Gravity {
    float y;
};

// Relations: a plain one, one of a namespace, and one that carries what owns memory.
struct Likes : ilk_link {};
namespace game {
struct Wears : ilk_link {};
} // namespace game
struct Owns : ilk_link {
    using value = Bag;
};

ILK_CPP_COMPONENT(Position);
ILK_CPP_COMPONENT(Velocity);
ILK_CPP_COMPONENT(Health);
ILK_CPP_COMPONENT(Frozen);
ILK_CPP_COMPONENT(Landed);
ILK_CPP_COMPONENT(Gravity);
ILK_CPP_COMPONENT_NAMED(game::Level, "Level");
ILK_CPP_OWNING(Bag);
ILK_CPP_OWNING(Letter);
ILK_CPP_OWNING(Sole);
ILK_CPP_OWNING(Restless);
ILK_CPP_DECLARED(Title);
ILK_CPP_RELATION(Likes);
ILK_CPP_RELATION_NAMED(game::Wears, "Wears");
ILK_CPP_RELATION(Owns);

// The parts of the test.
void test_owning();
void test_relations();
void test_queries();
void test_running();

#endif
