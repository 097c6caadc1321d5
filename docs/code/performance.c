// The loop of docs/performance.md, over a thousand entities. It prints
//     1000 entities are at 1.50, 3.00
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
ILK_COMPONENT(Position);
ILK_COMPONENT(Velocity);

static void move(ilk_world* world, ilk_query* query, float dt) {
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) {
        Position* restrict p = ILK_WRITE(&it, Position);
        const Velocity* restrict v = ILK_READ(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            p[i].x += v[i].x * dt;
            p[i].y += v[i].y * dt;
        }
    }
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    for (int i = 0; i < 1000; i++) {
        ILK_SPAWN(world, ILK_WITH(Position), ILK_VALUE(Velocity, .x = 1, .y = 2));
    }
    ilk_query_desc desc = {.write = {&Position_type}, .read = {&Velocity_type}};
    ilk_query* query = ilk_query_create(world, &desc);
    for (int i = 0; i < 3; i++) move(world, query, 0.5f);

    int arrived = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        const Position* p = ILK_GET(world, ilk_entity_at(world, i), Position);
        arrived += p->x == 1.5f && p->y == 3;
    }
    printf("%d entities are at 1.50, 3.00\n", arrived);
    ilk_world_destroy(world);
}
