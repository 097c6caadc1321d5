// The pond of docs/seeing.md: which system visits what, and the order of its systems as a picture.
// It prints
//     what each system visits
//         swim: 199 entities, 4 chunks
//             199 of 200 in chunks 0-3 of Position, Velocity, Fish
//         turn: 199 entities, 4 chunks
//             199 of 200 in chunks 0-3 of Position, Velocity, Fish
//         breed: has no query
//
//     who visits each ilk
//         Position, Velocity, Fish: swim, turn
//         Position: nobody
//
//     digraph "pond" {
//       newrank=true;
//       node [shape=box];
//       subgraph cluster_2 {
//         label="update";
//         { rank=same; s0 [label="swim"]; }
//         { rank=same; s1 [label="turn"]; }
//         { rank=same; s2 [label="breed"]; }
//       }
//       s0 -> s1 [style=dashed, label="Position, Velocity"];
//       s1 -> s2 [style=dashed, label="everything"];
//     }
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Vector {
    float x, y;
} Vector, Position, Velocity;
ILK_COMPONENT(Position);
ILK_COMPONENT(Velocity);
ILK_TAG(Fish);

static void rest(ilk_iter* it) {
    while (ilk_next(it)) {
    }
}

static const ilk_system_desc systems[] = {
    {.name = "swim", .run = rest, .query = {.write = {&Position_type}, .read = {&Velocity_type}}},
    {.name = "turn", .run = rest, .query = {.write = {&Velocity_type}, .read = {&Position_type}}},
    {.name = "breed", .run = rest},
};

int main(void) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.name = "pond"});
    for (int i = 0; i < 3; i++) ilk_system_create(world, &systems[i]);
    for (int i = 0; i < 200; i++) {
        ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(Velocity), ILK_WITH(Fish));
    }
    for (int i = 0; i < 100; i++) ILK_SPAWN(world, ILK_WITH(Position)); // stones
    for (int i = 0; i < 60; i++) ilk_update(world, 1.0 / 60);
    ilk_disable(world, ilk_entity_at(world, 0), &Velocity_type);

    char text[4096];
    ilk_matches_text(world, text, sizeof text);
    puts(text);
    ilk_schedule_dot(world, text, sizeof text);
    puts(text);
    ilk_world_destroy(world);
}
