// The description of a type names a field that the type does not have.
// all: no member named 'z'
#include "snippet.h"

static const ilk_field fields[] = {
#ifdef CORRECT
    ILK_FIELD(Position, y),
#else
    ILK_FIELD(Position, z),
#endif
};

void snippet(ilk_world* world, ilk_entity e) {
    (void)world;
    (void)e;
    (void)fields;
}
