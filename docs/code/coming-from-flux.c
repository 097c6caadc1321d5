// For who knows Flux's SimpleWorld: the same in ilk. It prints
//     2 move, the player is at 1
//     1 alive with health above 0
//     the entity at 0: the player; deleted twice: OK, DEAD
//     the next one has its id again, and the old handle is dead
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Health {
    int current, most;
} Health;
ILK_COMPONENT(Position);
ILK_COMPONENT(Velocity);
ILK_COMPONENT(Health);

static uint32_t move(ilk_world* world, ilk_query* moving, float dt) {
    uint32_t count = 0;
    for (ilk_iter it = ilk_query_iter(world, moving); ilk_next(&it);) {
        Position* p = ILK_WRITE(&it, Position);
        const Velocity* v = ILK_READ(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) p[i].x += v[i].x * dt;
        count += it.count;
    }
    return count;
}

static uint32_t count_healthy(ilk_world* world) {
    ilk_query* query = ilk_query_create(world, &(ilk_query_desc){.read = {&Health_type}});
    uint32_t count = 0;
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) {
        const Health* health = ILK_READ(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) count += health[i].current > 0;
    }
    return count;
}

int main(void) {
    ilk_world* world =
        ilk_world_create(&(ilk_world_desc){.name = "game-world", .max_entities = 10000});
    ilk_entity player = ILK_SPAWN(world, ILK_VALUE(Position, 0, 0), ILK_VALUE(Velocity, 1, 0),
                                  ILK_VALUE(Health, 100, 100));
    ILK_SPAWN(world, ILK_VALUE(Position, 5, 0), ILK_VALUE(Velocity, 0, 1), ILK_VALUE(Health, 0, 9));

    ilk_query* moving = ilk_query_create(
        world, &(ilk_query_desc){.write = {&Position_type}, .read = {&Velocity_type}});
    uint32_t count = move(world, moving, 1);
    printf("%u move, the player is at %.0f\n", count, ILK_GET(world, player, Position)->x);
    printf("%u alive with health above 0\n", count_healthy(world));

    ilk_entity found = ilk_entity_at(world, 0);
    ilk_result first = ilk_destroy(world, player), second = ilk_destroy(world, player);
    printf("the entity at 0: %s; deleted twice: %s, %s\n",
           ilk_same(found, player) ? "the player" : "another", ilk_result_name(first) + 4,
           ilk_result_name(second) + 4);
    bool has_id = ilk_create(world).index == player.index;
    printf("the next one %s its id again, and the old handle is %s\n", has_id ? "has" : "has not",
           ilk_alive(world, player) ? "alive" : "dead");
    ilk_world_destroy(world);
}
