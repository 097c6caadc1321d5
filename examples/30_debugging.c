// Debugging: asking a world what it holds, what an entity has, and why a query passes it over. In a
// pond there are fish and stones. It prints (… stands for what differs from run to run)
//     world "pond", id 1
//         entities: 300 alive, 300 ever, 0 without a component
//         chunks: 8 with 680 rows, 0 holes; 16 blocks of values, 0 of them guests
//         bytes: …
//         time: 60 frames, 1.000 s
//
//     ilks
//         entities  chunks  rows  components
//              200       4   340  Position, Velocity, Fish
//              100       4   340  Position
//
//     components
//         component: entities  size  blocks  guests  bytes
//         Position: 300           8       8       0   …
//         Velocity: 200           8       4       0   …
//         Fish: 200               0       4       0    …
//
//     queries
//         passes  chunks  skipped   rows  system  query
//             60     240        0  12000  swim    write Position; read Velocity
//
//     systems
//         phase  wave  calls  rows  chunks skipped  commands  allocations  mean us  worst us system
//         update    0     60 12000               0         0            …        …         … swim
//
//     entity 0:1 Position {x 60, y 0}, Velocity {x 1, y 0} (off), Fish
//     entity 0:1 does not match: Velocity is switched off
//     entity 299:1 does not match: Velocity is missing
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
// The fields are for showing values.
ILK_COMPONENT_WITH(Position, .fields = ILK_FIELDS(ILK_FIELD(Position, x), ILK_FIELD(Position, y)));
ILK_COMPONENT_WITH(Velocity, .fields = ILK_FIELDS(ILK_FIELD(Velocity, x), ILK_FIELD(Velocity, y)));
ILK_TAG(Fish);

static void swim(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        const Velocity* v = ILK_READ(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) p[i].x += v[i].x;
    }
}

int main(void) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.name = "pond"});
    ilk_query_desc moving = {.write = {&Position_type}, .read = {&Velocity_type}};
    ilk_system* swims =
        ilk_system_create(world, &(ilk_system_desc){.name = "swim", .run = swim, .query = moving});
    for (int i = 0; i < 200; i++) {
        ILK_SPAWN(world, ILK_WITH(Position), ILK_VALUE(Velocity, .x = 1), ILK_WITH(Fish));
    }
    for (int i = 0; i < 100; i++) ILK_SPAWN(world, ILK_VALUE(Position, .x = (float)i)); // stones
    for (int i = 0; i < 60; i++) ilk_update(world, 1.0 / 60);
    ilk_entity fish = ilk_entity_at(world, 0), stone = ilk_entity_at(world, 299);
    ilk_disable(world, fish, &Velocity_type);

    char text[4096]; // what does not fit is cut off; each returns the whole length
    ilk_world_dump(world, text, sizeof text);
    puts(text);
    ilk_entity_text(world, fish, text, sizeof text);
    puts(text);
    ilk_query_explain(world, ilk_system_query(swims), fish, text, sizeof text);
    puts(text);
    ilk_query_explain(world, ilk_system_query(swims), stone, text, sizeof text);
    puts(text);
    ilk_world_destroy(world);
}
