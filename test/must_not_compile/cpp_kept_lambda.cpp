// A system would have to keep what a lambda captures.
// all: keep it, and give a pointer to it
#include "snippet.hpp"

void snippet(ilk_world* world, ilk_entity) {
    static int calls;
    int most = 0;
#ifdef CORRECT
    (void)most;
    ilk::system<Position>("count").each(world, [](Position&) { calls++; });
#else
    ilk::system<Position>("count").each(world, [&](Position&) { most = calls++; });
#endif
}
