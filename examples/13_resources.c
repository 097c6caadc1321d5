// Resources: values that a world has once, like gravity and a score, which systems declare to use;
// and a pointer of the program's own. It prints
//     wave 0: fall; wave 1: land
//     after 4 frames: score 10, 1 landed
//     a player of ilk has 10 points
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Height {
    float y;
} Height;
typedef struct Gravity {
    float y;
} Gravity;
typedef struct Score {
    int points, landed;
} Score;
ILK_COMPONENT(Height);
ILK_COMPONENT(Gravity);
ILK_COMPONENT(Score);

static void fall(ilk_iter* it) {
    const Gravity* gravity = ILK_RESOURCE_GET(it->world, Gravity);
    while (ilk_next(it)) {
        Height* h = ILK_WRITE(it, Height);
        for (uint32_t i = 0; i < it->count; i++) h[i].y += gravity->y;
    }
}

static void land(ilk_iter* it) {
    Score* score = ILK_RESOURCE_EDIT(it->world, Score);
    while (ilk_next(it)) {
        const Height* h = ILK_READ(it, Height);
        for (uint32_t i = 0; i < it->count; i++) {
            if (h[i].y > 0) continue;
            score->points += 10;
            score->landed++;
            ilk_cmd_destroy(it->cmd, it->entities[i]);
        }
    }
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_resource_set(world, ILK_VALUE(Gravity, .y = -1));
    ILK_RESOURCE_ENSURE(world, Score)->points = 0;
    ilk_system_create(world, &(ilk_system_desc){.name = "fall",
                                                .run = fall,
                                                .query = {.write = {&Height_type}},
                                                .reads_resources = {&Gravity_type}});
    ilk_system_create(world, &(ilk_system_desc){.name = "land",
                                                .run = land,
                                                .query = {.read = {&Height_type}},
                                                .writes_resources = {&Score_type}});
    printf("wave %u: fall; ", ilk_system_wave(ilk_system_named(world, "fall")));
    printf("wave %u: land\n", ilk_system_wave(ilk_system_named(world, "land")));
    ILK_SPAWN(world, ILK_VALUE(Height, .y = 3));
    ILK_SPAWN(world, ILK_VALUE(Height, .y = 9));
    for (int i = 0; i < 4; i++) ilk_update(world, 1.0 / 60);
    const Score* score = ILK_RESOURCE_GET(world, Score);
    printf("after 4 frames: score %d, %d landed\n", score->points, score->landed);

    char player[] = "ilk";
    ilk_world_set_user(world, player);
    printf("a player of %s has %d points\n", (const char*)ilk_world_user(world), score->points);
    ilk_world_destroy(world);
}
