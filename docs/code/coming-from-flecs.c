// For who knows flecs: its first steps in ilk. It prints
//     set: Position of bob
//     after a frame bob is at 11, alice at 6
//     bob likes alice; alice is liked by 1
//     a ship of the prefab: speed 100, its turret goes with it: yes
//     gravity is -9.8
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct MaxSpeed {
    float value;
} MaxSpeed;
typedef struct Gravity {
    float y;
} Gravity;
ILK_COMPONENT(Position); // no registration
ILK_COMPONENT(Velocity);
ILK_COMPONENT(MaxSpeed);
ILK_COMPONENT(Gravity);
ILK_TAG(Turret);
ILK_RELATION(Likes);

static void Move(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        const Velocity* v = ILK_READ(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) p[i].x += v[i].x * (float)it->dt;
    }
}

static ilk_result OnSetPosition(ilk_notice* n) {
    printf("set: %s of %s\n", n->type->name, ilk_name_of(n->world, n->entity));
    return ILK_OK;
}

static void like(ilk_world* world, ilk_entity bob, ilk_entity alice) {
    ilk_relate(world, bob, &Likes_type, alice);
    printf("%s likes %s; ", ilk_name_of(world, bob),
           ilk_name_of(world, ilk_target(world, bob, &Likes_type)));
    printf("alice is liked by %u\n", ilk_source_count(world, alice, &Likes_type));
}

// A prefab with a child.
static bool spawn_ship(ilk_world* world) {
    ilk_blueprint *ship = ilk_blueprint_create(NULL), *turret = ilk_blueprint_create(NULL);
    ilk_blueprint_add(ship, ILK_VALUE(MaxSpeed, 100));
    ilk_blueprint_add(turret, ILK_WITH(Turret));
    ilk_blueprint_add_child(ship, turret);
    ilk_blueprint_register(world, "SpaceShip", ship);
    ilk_entity made = ilk_blueprint_spawn(world, ilk_blueprint_named(world, "SpaceShip"));
    ilk_entity child = ilk_first_child(world, made);
    float speed = ILK_GET(world, made, MaxSpeed)->value;
    ilk_destroy(world, made);
    bool is_gone = !ilk_is_null(child) && !ilk_alive(world, child);
    printf("a ship of the prefab: speed %.0f, its turret goes with it: %s\n", speed,
           is_gone ? "yes" : "no");
    return is_gone;
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_system_create(
        world, &(ilk_system_desc){.name = "Move",
                                  .run = Move,
                                  .phase = "update",
                                  .query = {.write = {&Position_type}, .read = {&Velocity_type}}});
    ilk_observer_create(world, &(ilk_observer_desc){
                                   .on = ILK_ON_SET, .type = &Position_type, .run = OnSetPosition});

    ilk_entity bob = ILK_SPAWN(world, ILK_VALUE(Position, 0, 0), ILK_VALUE(Velocity, 1, 0));
    ilk_entity alice = ILK_SPAWN(world, ILK_VALUE(Position, 5, 0), ILK_VALUE(Velocity, 1, 0));
    ilk_set_name(world, bob, "bob");
    ilk_set_name(world, alice, "alice");
    ilk_set(world, bob, ILK_VALUE(Position, 10, 20));
    ilk_update(world, 1);
    printf("after a frame bob is at %.0f, alice at %.0f\n",
           ILK_GET(world, ilk_named(world, "bob"), Position)->x,
           ILK_GET(world, alice, Position)->x);
    like(world, bob, alice);
    bool is_gone = spawn_ship(world);
    ilk_resource_set(world, ILK_VALUE(Gravity, -9.8f));
    printf("gravity is %.1f\n", ILK_RESOURCE_GET(world, Gravity)->y);
    ilk_world_destroy(world);
    return is_gone ? 0 : 1;
}
