// A job system of one's own (jobs/pool.h) runs the systems of a world in place of threads of ilk's:
// two callbacks hand it the work. Birds fly and lay eggs, and it comes to the same. It prints
//     the job system helped: yes
//     the world has the same hash as without it: yes
#include <ilk/ilk.h>
#include <stdio.h>
#include "jobs/pool.h"

// Has `work` called up to so many times, and returns. The world's own thread works meanwhile, so it
// does no harm if there is no room for some of them.
static void jobs_start(void* context, void (*work)(void* argument), void* argument,
                       uint32_t times) {
    for (uint32_t i = 0; i < times; i++) pool_add(context, work, argument);
}

// Returns when none of these calls is under way, or to come.
static void jobs_wait(void* context) {
    pool_wait(context);
}

typedef struct Bird {
    int height, speed;
} Bird;
ILK_COMPONENT(Bird);

static void fly(ilk_iter* it) {
    while (ilk_next(it)) {
        Bird* bird = ILK_WRITE(it, Bird);
        for (uint32_t i = 0; i < it->count; i++) {
            bird[i].height = (bird[i].height + bird[i].speed) % 1000;
            if (bird[i].height == 0) ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE(Bird, 1, 1)));
        }
    }
}

static uint64_t play(ilk_world* world) {
    ilk_system_create(world, &(ilk_system_desc){.name = "fly",
                                                .run = fly,
                                                .is_parallel = true,
                                                .query = {.write = {&Bird_type}}});
    for (int i = 0; i < 100000; i++) ILK_SPAWN(world, ILK_VALUE(Bird, i, 1 + i % 7));
    for (int frame = 0; frame < 60; frame++) ilk_update(world, 1.0 / 60);
    uint64_t hash = ilk_hash_layout(world);
    ilk_world_destroy(world);
    return hash;
}

int main(void) {
    job_pool my_jobs;
    pool_open(&my_jobs);
    ilk_world* world = ilk_world_create(&(ilk_world_desc){
        .workers = POOL_THREADS, // calls at the same time, at most
        .jobs = {.start = jobs_start, .wait = jobs_wait, .context = &my_jobs},
    });
    uint64_t with = play(world);
    pool_close(&my_jobs);
    printf("the job system helped: %s\n", my_jobs.added ? "yes" : "no");
    uint64_t without = play(ilk_world_create(NULL));
    printf("the world has the same hash as without it: %s\n", with == without ? "yes" : "no");
}
