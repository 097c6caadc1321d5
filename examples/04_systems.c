// Systems: functions that the world runs, each on what its query matches, in phases and in order.
// Apples ripen on a tree, and fall. It prints
//     first ripen (wave 0), then fall (wave 1)
//     second 3: apples at 3.0 2.0
//     second 6: apples at 1.5 1.5
//     second 9: apples at 0.0 0.0
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Height {
    float metres;
} Height;
typedef struct Ripeness {
    int weeks;
} Ripeness;
ILK_COMPONENT(Height);
ILK_COMPONENT(Ripeness);

static void ripen(ilk_iter* it) {
    while (ilk_next(it)) {
        Ripeness* ripeness = ILK_WRITE(it, Ripeness);
        for (uint32_t i = 0; i < it->count; i++) ripeness[i].weeks++;
    }
}

// it->dt is the time that has gone by, it->user a pointer of the program's.
static void fall(ilk_iter* it) {
    const float* speed = it->user;
    while (ilk_next(it)) {
        Height* height = ILK_WRITE(it, Height);
        const Ripeness* ripeness = ILK_READ(it, Ripeness);
        for (uint32_t i = 0; i < it->count; i++) {
            if (ripeness[i].weeks < 3 || height[i].metres <= 0) continue;
            height[i].metres -= *speed * (float)it->dt;
        }
    }
}

// it->surface is what ilk_draw was given.
static void draw(ilk_iter* it) {
    while (ilk_next(it)) {
        const Height* height = ILK_READ(it, Height);
        for (uint32_t i = 0; i < it->count; i++) fprintf(it->surface, " %.1f", height[i].metres);
    }
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    float speed = 0.5f;
    const ilk_system_desc systems[] = {
        {.name = "fall",
         .run = fall,
         .user = &speed,
         .after = {"update"}, // after all others of this phase
         .query = {.write = {&Height_type}, .read = {&Ripeness_type}}},
        {.name = "ripen",
         .run = ripen,
         .interval = 2, // every other second
         .query = {.write = {&Ripeness_type}}},
        {.name = "draw", .run = draw, .phase = "draw", .query = {.read = {&Height_type}}},
    };
    for (int i = 0; i < 3; i++) ilk_system_create(world, &systems[i]);
    // Systems that share nothing may be of one wave; but fall reads what ripen writes.
    ilk_system *first = ilk_system_at(world, 0), *second = ilk_system_at(world, 1);
    printf("first %s (wave %u), then %s (wave %u)\n", ilk_system_desc_of(first)->name,
           ilk_system_wave(first), ilk_system_desc_of(second)->name, ilk_system_wave(second));
    ILK_SPAWN(world, ILK_VALUE(Height, 3), ILK_VALUE(Ripeness, 1));
    ILK_SPAWN(world, ILK_VALUE(Height, 2), ILK_VALUE(Ripeness, 0));
    for (int seconds = 1; seconds <= 9; seconds++) {
        ilk_update(world, 1);
        if (seconds % 3) continue;
        printf("second %d: apples at", seconds);
        ilk_draw(world, stdout);
        printf("\n");
    }
    ilk_world_destroy(world);
}
