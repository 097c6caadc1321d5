// A component is asked for by one type and used as another.
// all: incompatible pointer type
#include "snippet.h"

void snippet(ilk_world* world, ilk_entity e) {
#ifdef CORRECT
    Velocity* v = ILK_EDIT(world, e, Velocity);
#else
    Velocity* v = ILK_EDIT(world, e, Position);
#endif
    if (v) v->x = 1;
}
