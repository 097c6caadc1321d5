// A component is given a value of another.
// g++: no known conversion for argument 3 from 'Velocity' to 'Position'
// clang++: no matching function for call to 'set'
#include "snippet.hpp"

void snippet(ilk_world* world, ilk_entity e) {
#ifdef CORRECT
    ilk::set<Velocity>(world, e, Velocity{1, 2});
#else
    ilk::set<Position>(world, e, Velocity{1, 2});
#endif
}
