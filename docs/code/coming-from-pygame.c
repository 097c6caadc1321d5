// For who knows the hybrid ECS of the pygame engine: its first scene in ilk. It prints
//     a sprite was spawned
//     background (0), sprites (20), ui (100)
//     the player is at 2, and 8 were hurt
//     in the menu the player stays at 2
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Damage {
    int points;
} Damage;
ILK_COMPONENT(Position);
ILK_COMPONENT(Velocity);
ILK_TAG(Sprite);
ILK_EVENT(Damage);

static ilk_entity player;
static int hurt;

static void movement(ilk_iter* it) {
    while (ilk_next(it)) {
        Position* pos = ILK_WRITE(it, Position);
        const Velocity* vel = ILK_READ(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) pos[i].x += vel[i].x * (float)it->dt;
        ILK_EMIT(it->cmd, Damage, .points = 8);
    }
}

static void paint(ilk_iter* it) {
    int order = ilk_system_desc_of(it->system)->order;
    printf("%s (%d)%s", ilk_system_desc_of(it->system)->name, order,
           order < 100 ? ", " : (const char*)it->surface);
}

static ilk_result on_damage(ilk_world* world, const ilk_event* event, void* user) {
    (void)world, (void)user;
    hurt += ((const Damage*)event->value)->points;
    return ILK_OK;
}

static ilk_result on_spawned(ilk_world* world, const ilk_event* event, void* user) {
    (void)user;
    ilk_entity e = ((const ilk_entity_spawned*)event->value)->entity;
    if (ilk_has(world, e, &Sprite_type)) puts("a sprite was spawned");
    return ILK_OK;
}

static void enter_game(ilk_world* world, void* user) {
    (void)user;
    player =
        ILK_SPAWN(world, ILK_VALUE(Position, 1, 0), ILK_VALUE(Velocity, 1, 0), ILK_WITH(Sprite));
}

static void make_game(ilk_world* world) {
    const ilk_system_desc systems[] = {
        {.name = "movement",
         .run = movement,
         .order = 10,
         .query = {.write = {&Position_type}, .read = {&Velocity_type}}},
        {.name = "ui", .run = paint, .phase = "draw", .order = 100},
        {.name = "sprites", .run = paint, .phase = "draw", .order = 20},
        {.name = "background", .run = paint, .phase = "draw", .order = 0},
    };
    for (int i = 0; i < 4; i++) ilk_system_create(world, &systems[i]);
    ilk_subscribe(world, &(ilk_subscription_desc){.type = &Damage_type, .call = on_damage});
    ilk_subscribe(world,
                  &(ilk_subscription_desc){.type = &ilk_entity_spawned_type, .call = on_spawned});
    const char* const in_menu[] = {"draw", NULL}; // the phase: all that draws
    ilk_scene_add(world, &(ilk_scene_desc){.name = "game", .enter = enter_game});
    ilk_scene_add(world, &(ilk_scene_desc){.name = "menu", .systems = in_menu});
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    make_game(world);
    ilk_scene_push(world, "game");
    ilk_update(world, 1);
    ilk_draw(world, "\n"); // the surface
    ilk_dispatch(world, 0);
    printf("the player is at %.0f, and %d were hurt\n", ILK_GET(world, player, Position)->x, hurt);
    ilk_scene_push(world, "menu");
    ilk_update(world, 1);
    printf("in the menu the player stays at %.0f\n", ILK_GET(world, player, Position)->x);
    ilk_world_destroy(world);
    return hurt == 8 ? 0 : 1;
}
