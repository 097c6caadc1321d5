// The smallest program that uses the installed addon space.
#include <ilk/space.h>

#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;

ILK_COMPONENT_WITH(Position, .fields = ILK_FIELDS(ILK_FIELD(Position, x), ILK_FIELD(Position, y)));

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_space* space = ilk_space_create(world, &(ilk_space_desc){.type = &Position_type});
    ilk_entity near = ILK_SPAWN(world, ILK_VALUE(Position, .x = 1, .y = 2));
    ILK_SPAWN(world, ILK_VALUE(Position, .x = 100));
    ilk_hit hits[2];
    ilk_ask ask = {.shape = ILK_SHAPE_SPHERE, .radius = 5};
    bool right = ilk_space_find(space, &ask, hits, 2) == 1 && ilk_same(hits[0].entity, near);
    ilk_space_destroy(space);
    ilk_world_destroy(world);
    puts(right ? "one is near" : "nobody is near, or somebody else");
    return right ? 0 : 1;
}
