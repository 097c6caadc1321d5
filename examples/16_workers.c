// Workers: threads that run systems. Fireflies wander, glow and split on any number of them, and it
// comes to the same. It prints
//     0 workers: 2558 fireflies, the youngest is 2627:1, together they are at 1380964
//     1 workers: 2558 fireflies, the youngest is 2627:1, together they are at 1380964
//     3 workers: 2558 fireflies, the youngest is 2627:1, together they are at 1380964
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Place {
    int x, y;
} Place;
typedef struct Glow {
    int strength;
} Glow;
ILK_COMPONENT(Place);
ILK_COMPONENT(Glow);

// Called for each piece of what matches, on whatever thread is free.
static void wander(ilk_iter* it) {
    while (ilk_next(it)) {
        Place* place = ILK_WRITE(it, Place);
        for (uint32_t i = 0; i < it->count; i++) place[i].x += 1 + place[i].y % 3;
    }
}

// Does not touch places, and so runs at the same time.
static void shine(ilk_iter* it) {
    while (ilk_next(it)) {
        Glow* glow = ILK_WRITE(it, Glow);
        for (uint32_t i = 0; i < it->count; i++) glow[i].strength++;
    }
}

// Every piece records into a buffer of its own. The handles are the same for any number of threads.
static void split(ilk_iter* it) {
    while (ilk_next(it)) {
        const Place* place = ILK_READ(it, Place);
        const Glow* glow = ILK_READ(it, Glow);
        for (uint32_t i = 0; i < it->count; i++) {
            if (glow[i].strength % 16) continue;
            ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE(Place, place[i].x, place[i].y + 1),
                                              ILK_VALUE(Glow, 1)));
        }
    }
}

static void live(uint32_t workers) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.workers = workers});
    for (int i = 0; i < 1000; i++) ILK_SPAWN(world, ILK_VALUE(Place, i, i), ILK_VALUE(Glow, i));
    const ilk_system_desc systems[] = {
        {.name = "wander", .run = wander, .query = {.write = {&Place_type}}},
        {.name = "shine", .run = shine, .query = {.write = {&Glow_type}}},
        {.name = "split", .run = split, .query = {.read = {&Place_type, &Glow_type}}},
    };
    for (int i = 0; i < 3; i++) {
        ilk_system_desc desc = systems[i];
        desc.is_parallel = true;
        ilk_system_create(world, &desc);
    }
    for (int frame = 0; frame < 20; frame++) ilk_update(world, 1.0 / 60);

    long sum = 0;
    ilk_entity youngest = {0, 0};
    ilk_query* all = ilk_query_create(world, &(ilk_query_desc){.read = {&Place_type}});
    for (ilk_iter it = ilk_query_iter(world, all); ilk_next(&it);) {
        const Place* place = ILK_READ(&it, Place);
        for (uint32_t i = 0; i < it.count; i++) sum += place[i].x;
        youngest = it.entities[it.count - 1];
    }
    printf("%u workers: %u fireflies, the youngest is %u:%u, together they are at %ld\n",
           (unsigned)workers, (unsigned)ilk_stats(world).alive, (unsigned)youngest.index,
           (unsigned)youngest.generation, sum);
    ilk_world_destroy(world);
}

int main(void) {
    const uint32_t workers[] = {0, 1, 3};
    for (int i = 0; i < 3; i++) live(workers[i]);
}
