// A world in ten minutes: leaves that fall, and what is said if something is wrong. It prints
//     0.0 s: 3 leaves
//     1.0 s: 2 leaves
//     2.0 s: 0 leaves
// and on stderr
//     ilk_set of Velocity: entity 0:1 is not alive in world "tree"
// or, in the checked build
//     …/start.c:74: ilk_set of Velocity: entity 0:1 is not alive in world "tree": the last entity
//         there was destroyed at …/start.c:72
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
ILK_TAG(Leaf);

static void print_message(void* context, const ilk_message* message) {
    (void)context;
    if (message->file) fprintf(stderr, "%s:%d: ", message->file, message->line); // if checked
    fprintf(stderr, "%s\n", message->text);
}

static void fall(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        const Velocity* v = ILK_READ(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) p[i].y += v[i].y * (float)it->dt;
    }
}

static void land(ilk_iter* it) {
    while (ilk_next(it)) {
        const Position* p = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            if (p[i].y <= 0) ilk_cmd_destroy(it->cmd, it->entities[i]);
        }
    }
}

static void make_systems(ilk_world* world) {
    const ilk_system_desc systems[] = {
        {.name = "fall",
         .run = fall,
         .query = {.write = {&Position_type}, .read = {&Velocity_type}}},
        {.name = "land", .run = land, .query = {.read = {&Position_type}, .with = {&Leaf_type}}},
    };
    for (int i = 0; i < 2; i++) ilk_system_create(world, &systems[i]);
}

int main(void) {
    ilk_world* world =
        ilk_world_create(&(ilk_world_desc){.name = "tree", .message = print_message});
    ilk_entity low = ILK_SPAWN(world, ILK_VALUE(Position, .y = 0.5f), ILK_WITH(Leaf));
    ilk_set(world, low, ILK_VALUE(Velocity, .y = -1));
    for (int i = 0; i < 2; i++) {
        ILK_SPAWN(world, ILK_VALUE(Position, .x = 1, .y = 1.5f), ILK_VALUE(Velocity, .y = -1),
                  ILK_WITH(Leaf));
    }
    make_systems(world);

    ilk_query* leaves = ilk_query_create(world, &(ilk_query_desc){.with = {&Leaf_type}});
    for (int frame = 0; frame <= 120; frame++) {
        if (frame % 60 == 0) {
            printf("%.1f s: %u leaves\n", frame / 60.0, ilk_query_count(world, leaves));
        }
        ilk_update(world, 1.0 / 60);
    }
    ilk_set(world, low, ILK_VALUE(Velocity, .y = 1)); // it is gone
    ilk_world_destroy(world);
}
