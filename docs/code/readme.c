// The first program of README.md: a stone falls. It prints
//     the stone is at 1.0
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
ILK_COMPONENT(Position); // defines Position_type
ILK_COMPONENT(Velocity);
ILK_TAG(Falling);

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_entity stone = ILK_SPAWN(world, ILK_VALUE(Position, .y = 10.8f), ILK_WITH(Falling));

    ilk_set(world, stone, ILK_VALUE(Velocity, .y = -9.8f)); // nothing moves: one bit, one value
    Position* p = ILK_EDIT(world, stone, Position);         // for writing: marked as changed
    const Velocity* v = ILK_GET(world, stone, Velocity);    // for reading
    p->y += v->y;
    printf("the stone is at %.1f\n", p->y);
    ilk_world_destroy(world);
}
