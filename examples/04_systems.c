// Systems: apples grow on a tree, fall, and are picked up. It prints
//     grow (wave 0), fall (wave 1), gather (wave 2)
//     10 apples grew, 9 lie in the basket, 1 frame was drawn
//     ilk_destroy for entity 0:9: system "gather" is running: changes go through it->cmd, other
//         calls through ilk_cmd_call
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Height {
    float metres;
} Height;
ILK_COMPONENT(Height);
ILK_TAG(Ripe);

// What the systems share: it->user.
typedef struct Orchard {
    uint32_t grown, gathered, drawn;
} Orchard;

// Without a query: called once. What is to change is recorded, and done at the end of the wave.
static void grow(ilk_iter* it) {
    Orchard* orchard = it->user;
    ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE(Height, 1), ILK_WITH(Ripe)));
    orchard->grown++;
}

static void fall(ilk_iter* it) {
    while (ilk_next(it)) {
        Height* height = ILK_WRITE(it, Height);
        for (uint32_t i = 0; i < it->count; i++) height[i].metres -= 0.5f * (float)it->dt;
    }
}

static void gather(ilk_iter* it) {
    Orchard* orchard = it->user;
    while (ilk_next(it)) {
        const Height* height = ILK_READ(it, Height);
        for (uint32_t i = 0; i < it->count; i++) {
            if (height[i].metres > 0) continue;
            ilk_destroy(it->world, it->entities[i]); // the world is locked: nothing happens
            ilk_cmd_destroy(it->cmd, it->entities[i]);
            orchard->gathered++;
        }
    }
}

static void draw(ilk_iter* it) {
    if (it->surface) ++*(uint32_t*)it->surface;
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    Orchard orchard = {0};
    const ilk_system_desc systems[] = {
        {.name = "gather",
         .run = gather,
         .user = &orchard,
         .after = {"update"}, // after all others
         .query = {.read = {&Height_type}, .with = {&Ripe_type}}},
        {.name = "grow", .run = grow, .user = &orchard, .interval = 2}, // every other second
        {.name = "fall", .run = fall, .query = {.write = {&Height_type}}},
        {.name = "draw", .run = draw, .phase = "draw"},
    };
    for (int i = 0; i < 4; i++) ilk_system_create(world, &systems[i]);
    for (uint32_t i = 0; i < 3; i++) {
        ilk_system* system = ilk_system_at(world, i);
        printf("%s (wave %u)%s", ilk_system_desc_of(system)->name, ilk_system_wave(system),
               i < 2 ? ", " : "\n");
    }
    for (int second = 0; second < 20; second++) ilk_update(world, 1);
    ilk_draw(world, &orchard.drawn);
    printf("%u apples grew, %u lie in the basket, %u frame was drawn\n%s\n", orchard.grown,
           orchard.gathered, orchard.drawn, ilk_error(world).text);
    uint32_t left = ilk_stats(world).alive;
    ilk_world_destroy(world);
    return orchard.grown == 10 && orchard.gathered == 9 && left == 1 && orchard.drawn == 1 ? 0 : 1;
}
