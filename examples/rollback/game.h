// A game for two: each moves or does not, and leaves sparks behind; everything falls, and some of
// it goes. It is all in whole numbers, so that it is the same for both.
#ifndef ROLLBACK_GAME_H
#define ROLLBACK_GAME_H

#include <ilk/ilk.h>

typedef struct Body {
    int x, y, speed;
} Body;
ILK_COMPONENT(Body);

static inline void fall(void* user, ilk_entity e, void* const* values) {
    (void)user, (void)e;
    Body* body = values[0];
    body->y = (body->y + body->speed) % 1000;
}

// The first two are the players.
static inline ilk_world* make_game(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_system_desc falling = {.name = "fall", .each = fall, .query = {.write = {&Body_type}}};
    ilk_system_create(world, &falling);
    for (int i = 0; i < 300; i++) ILK_SPAWN(world, ILK_VALUE(Body, i, i * 7 % 1000, 1 + i % 5));
    return world;
}

static inline void play(ilk_world* world, int left, int right) {
    const int moves[2] = {left, right};
    for (uint32_t i = 0; i < 2; i++) {
        Body spark = *ILK_GET(world, ilk_entity_at(world, i), Body);
        ILK_EDIT(world, ilk_entity_at(world, i), Body)->x += moves[i];
        if (moves[i]) ILK_SPAWN(world, ILK_VALUE_AT(Body, &spark));
        ilk_destroy(world, ilk_entity_at(world, 2 + (uint32_t)(spark.x + spark.y) % 300));
    }
    ilk_update(world, 1.0 / 60);
}

#endif
