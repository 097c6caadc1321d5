// Hashes: a world as a number. Two worlds are to stay in step; where the numbers differ,
// ilk_diverge says what does. It prints
//     frame 0: in step
//     frame 1: in step
//     frame 2: entity 1:1 "pawn" Position.x is 4 in world "here", and 4.5 in world "there"
//     only Position differs
//     in step again, though not everything lies where it does there
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
// The fields are what is hashed and compared; of a type without, it is the bytes.
ILK_COMPONENT_WITH(Position, .fields = ILK_FIELDS(ILK_FIELD(Position, x), ILK_FIELD(Position, y)));
ILK_COMPONENT_WITH(Velocity, .fields = ILK_FIELDS(ILK_FIELD(Velocity, x), ILK_FIELD(Velocity, y)));

static void move(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        const Velocity* v = ILK_READ(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) p[i].x += v[i].x;
    }
}

static ilk_world* make_world(const char* name) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.name = name});
    ilk_system_create(world, &(ilk_system_desc){
                                 .name = "move",
                                 .run = move,
                                 .query = {.write = {&Position_type}, .read = {&Velocity_type}},
                             });
    ILK_SPAWN(world, ILK_WITH(Position), ILK_VALUE(Velocity, .x = 1));
    ilk_entity pawn = ILK_SPAWN(world, ILK_VALUE(Position, .x = 1), ILK_VALUE(Velocity, .x = 1));
    ilk_set_name(world, pawn, "pawn");
    return world;
}

// On two machines, each would send its hash to the other.
static void compare(ilk_world* here, ilk_world* there, int frame) {
    if (ilk_hash_layout(here) == ilk_hash_layout(there)) {
        printf("frame %d: in step\n", frame);
        return;
    }
    ilk_divergence first;
    ilk_diverge(here, there, &first);
    printf("frame %d: %s\n", frame, first.text);
}

int main(void) {
    ilk_world *here = make_world("here"), *there = make_world("there");
    ilk_entity pawn = ilk_named(there, "pawn");
    for (int frame = 0; frame < 3; frame++) {
        ilk_update(here, 1.0 / 60);
        ilk_update(there, 1.0 / 60);
        if (frame == 2) ILK_EDIT(there, pawn, Position)->x += 0.5f; // somebody cheats
        compare(here, there, frame);
    }
    if (ilk_hash_of(here, &Velocity_type) == ilk_hash_of(there, &Velocity_type) &&
        ilk_hash_of(here, &Position_type) != ilk_hash_of(there, &Position_type)) {
        printf("only Position differs\n");
    }
    ILK_EDIT(there, pawn, Position)->x -= 0.5f;
    ilk_destroy(there, ilk_create(there)); // the next handle will be another one
    if (ilk_hash(here) == ilk_hash(there) && ilk_hash_layout(here) != ilk_hash_layout(there)) {
        printf("in step again, though not everything lies where it does there\n");
    }
    ilk_world_destroy(here);
    ilk_world_destroy(there);
}
