// A value of one type is given as that of another.
// all: pointer type mismatch
#include "snippet.h"

void snippet(ilk_world* world, ilk_entity e) {
#ifdef CORRECT
    Position value = {1, 2};
#else
    Velocity value = {1, 2};
#endif
    ilk_set(world, e, ILK_VALUE_AT(Position, &value));
}
