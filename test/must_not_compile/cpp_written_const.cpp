// A function writes a column that its query only reads.
// all: a function of each takes a T& for each T
#include "snippet.hpp"

void snippet(ilk_world* world, ilk_entity) {
    ilk::query<Position, const Velocity> moving(world);
#ifdef CORRECT
    moving.each([](Position& p, const Velocity& v) { p.x += v.x; });
#else
    moving.each([](Position& p, Velocity& v) { v.x += p.x; });
#endif
}
