// The column of one type is filled with values of another.
// all: incompatible pointer type
#include "snippet.h"

void snippet(ilk_world* world, ilk_entity e) {
    ilk_batch batch;
    (void)e;
    ilk_spawn_many(world, &batch, 10, ILK_TYPES(&Position_type, &Velocity_type));
    while (ilk_batch_next(&batch)) {
#ifdef CORRECT
        Velocity* v = ILK_FILL(&batch, Velocity);
#else
        Velocity* v = ILK_FILL(&batch, Position);
#endif
        v[0].x = 1;
    }
}
