// The first program: a world, an entity with two components, and their values. It prints
//     the stone is at 10.8 and falls at -9.8
//     a second later it is at 1.0
//     the stone is gone
#include <ilk/ilk.h>
#include <stdio.h>

// A component is a struct, of which the world is told once.
typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
ILK_COMPONENT(Position); // defines Position_type
ILK_COMPONENT(Velocity);

int main(void) {
    ilk_world* world = ilk_world_create(NULL); // NULL: with the defaults
    ilk_entity stone =
        ILK_SPAWN(world, ILK_VALUE(Position, .y = 10.8f), ILK_VALUE(Velocity, .y = -9.8f));

    Position* p = ILK_EDIT(world, stone, Position);      // for writing
    const Velocity* v = ILK_GET(world, stone, Velocity); // for reading
    printf("the stone is at %.1f and falls at %.1f\n", p->y, v->y);
    p->y += v->y;
    printf("a second later it is at %.1f\n", p->y);

    ilk_destroy(world, stone);
    printf("the stone is %s\n", ilk_alive(world, stone) ? "here" : "gone");
    ilk_world_destroy(world);
}
