// The same for columns.
// g++: no match for call
// clang++: no matching function for call
#include "snippet.hpp"

void snippet(ilk_world* world, ilk_entity) {
    ilk::query<const Velocity> fast(world);
#ifdef CORRECT
    fast.run([](ilk_iter&, const Velocity*, uint32_t) {});
#else
    fast.run([](ilk_iter&, Velocity*, uint32_t) {});
#endif
}
