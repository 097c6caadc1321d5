// A component that was asked for reading is written to.
// g++: invalid conversion from 'const Position*' to 'Position*'
// clang++: cannot initialize a variable of type 'Position *'
#include "snippet.hpp"

void snippet(ilk_world* world, ilk_entity e) {
#ifdef CORRECT
    Position* p = ilk::edit<Position>(world, e);
#else
    Position* p = ilk::get<Position>(world, e);
#endif
    if (p) p->x = 1;
}
