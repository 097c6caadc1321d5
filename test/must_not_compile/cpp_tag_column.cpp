// A tag is asked for as a value.
// all: a tag has no values
#include "snippet.hpp"

void snippet(ilk_world* world, ilk_entity) {
#ifdef CORRECT
    ilk::query<Position, ilk::with<Frozen>> query(world);
    query.each([](Position& p) { p.x = 1; });
#else
    ilk::query<Position, const Frozen> query(world);
    query.each([](Position& p, const Frozen&) { p.x = 1; });
#endif
}
