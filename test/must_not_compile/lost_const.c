// A component that was asked for reading is written to.
// gcc: discards 'const' qualifier
// clang: discards qualifiers
#include "snippet.h"

void snippet(ilk_world* world, ilk_entity e) {
#ifdef CORRECT
    Position* p = ILK_EDIT(world, e, Position);
#else
    Position* p = ILK_GET(world, e, Position);
#endif
    if (p) p->x = 1;
}
