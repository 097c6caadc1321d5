// The components that the C++ snippets use.
#ifndef SNIPPET_HPP
#define SNIPPET_HPP

#include <ilk/ilk.hpp>

#include <string>

struct Position {
    float x, y;
};
struct Velocity {
    float x, y;
};
struct Frozen {};
struct Stranger {
    int value;
};

ILK_CPP_COMPONENT(Position);
ILK_CPP_COMPONENT(Velocity);
ILK_CPP_COMPONENT(Frozen);

void snippet(ilk_world* world, ilk_entity e);

#endif
