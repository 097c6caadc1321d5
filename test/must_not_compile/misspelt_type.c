// A type's name is misspelt.
// gcc: 'Positon_type' undeclared
// clang: use of undeclared identifier 'Positon
#include "snippet.h"

void snippet(ilk_world* world, ilk_entity e) {
#ifdef CORRECT
    const Position* p = ILK_GET(world, e, Position);
#else
    const Position* p = ILK_GET(world, e, Positon);
#endif
    (void)p;
}
