// The smallest program that uses an installed ilk.
#include <ilk/ilk.h>

#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;

ILK_COMPONENT(Position);

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    if (!world) return 1;
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, .x = 1, .y = 2));
    const Position* p = ILK_GET(world, e, Position);
    bool right = p && p->x == 1 && p->y == 2;
    ilk_world_destroy(world);
    puts(right ? "a position of 1, 2" : "no position, or a wrong one");
    return right ? 0 : 1;
}
