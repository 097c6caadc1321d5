// A value names a field that its type does not have.
// gcc: 'Position' has no member named 'z'
// clang: field designator 'z' does not refer to any field in type 'Position'
#include "snippet.h"

void snippet(ilk_world* world, ilk_entity e) {
#ifdef CORRECT
    ilk_set(world, e, ILK_VALUE(Position, .y = 1));
#else
    ilk_set(world, e, ILK_VALUE(Position, .z = 1));
#endif
}
