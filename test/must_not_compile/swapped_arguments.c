// The world and the entity change places.
// gcc: incompatible type for argument 1 of 'ilk_remove'
// clang: passing 'ilk_entity'
#include "snippet.h"

void snippet(ilk_world* world, ilk_entity e) {
#ifdef CORRECT
    ilk_remove(world, e, &Position_type);
#else
    ilk_remove(e, world, &Position_type);
#endif
}
