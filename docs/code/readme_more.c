// The other code of README.md: a stone that falls by a loop and by a system; and a castle whose
// door goes with it. It prints
//     by a loop: 1.0
//     by a system: 0.5
//     the door is gone
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

static void move_all(ilk_world* world) {
    ilk_query_desc desc = {.write = {&Position_type}, .read = {&Velocity_type}};
    ilk_query* moving = ilk_query_create(world, &desc);
    for (ilk_iter it = ilk_query_iter(world, moving); ilk_next(&it);) {
        Position* p = ILK_WRITE(&it, Position);
        const Velocity* v = ILK_READ(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) p[i].y += v[i].y;
    }
}

static void fall(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) p[i].y -= 30 * (float)it->dt;
    }
}

static void run_systems(ilk_world* world) {
    ilk_system_desc desc = {
        .name = "fall", .run = fall, .is_parallel = true, .query = {.write = {&Position_type}}};
    ilk_system_create(world, &desc);
    ilk_update(world, 1.0 / 60);
}

static void lose_the_door(ilk_world* world) {
    ilk_entity castle = ilk_create(world);
    ilk_entity door = ILK_SPAWN(world, ILK_VALUE(Position, .x = 3), ILK_TO(ilk_child_of, castle));
    ilk_set_name(world, door, "door");
    ilk_destroy(world, castle); // and the door with it
    printf("the door is %s\n", ilk_alive(world, door) ? "there" : "gone");
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_entity stone =
        ILK_SPAWN(world, ILK_VALUE(Position, .y = 10.8f), ILK_VALUE(Velocity, .y = -9.8f));
    move_all(world);
    printf("by a loop: %.1f\n", ILK_GET(world, stone, Position)->y);
    run_systems(world);
    printf("by a system: %.1f\n", ILK_GET(world, stone, Position)->y);
    lose_the_door(world);
    ilk_world_destroy(world);
}
