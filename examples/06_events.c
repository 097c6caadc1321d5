// Events: stones fall; what lands is sent by a parallel system, read by another one, and told by a
// subscriber at the beginning of the next frame. It prints
//     frame 1: told of 0 landings, heard 0
//     frame 2: told of 2 landings, heard 2
//     frame 3: told of 4 landings, heard 4
//     the first to land was stone 0, with speed 1
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Height {
    int metres, speed;
} Height;
typedef struct Landed {
    ilk_entity who;
    int speed;
} Landed;
ILK_COMPONENT(Height);
ILK_EVENT(Landed);

static void fall(ilk_iter* it) {
    while (ilk_next(it)) {
        Height* heights = ILK_WRITE(it, Height);
        for (uint32_t i = 0; i < it->count; i++) {
            heights[i].metres -= heights[i].speed;
            if (heights[i].metres > 0) continue;
            ILK_EMIT(it->cmd, Landed, .who = it->entities[i], .speed = heights[i].speed);
            ilk_cmd_destroy(it->cmd, it->entities[i]);
        }
    }
}

typedef struct listener {
    ilk_reader* landings;
    int heard;
} listener;

static void listen(ilk_iter* it) {
    listener* l = it->user;
    while (ilk_read(l->landings, NULL)) l->heard++;
}

typedef struct newspaper {
    int told;
    Landed first;
} newspaper;

static ilk_result tell(ilk_world* world, const ilk_event* event, void* user) {
    (void)world;
    newspaper* n = user;
    if (n->told++ == 0) n->first = *(const Landed*)event->value;
    return ILK_OK;
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    for (int i = 0; i < 6; i++) ILK_SPAWN(world, ILK_VALUE(Height, 1 + i / 2, 1));

    listener ears = {.landings =
                         ilk_reader_create(world, &(ilk_reader_desc){.type = &Landed_type})};
    newspaper news = {0};
    ilk_subscribe(world, &(ilk_subscription_desc){
                             .name = "news", .type = &Landed_type, .call = tell, .user = &news});

    ilk_system_create(world, &(ilk_system_desc){.name = "listen", .run = listen, .user = &ears});
    ilk_system_create(world, &(ilk_system_desc){.name = "fall",
                                                .run = fall,
                                                .is_parallel = true,
                                                .query = {.write = {&Height_type}}});
    int told[3];
    for (int frame = 0; frame < 3; frame++) {
        ilk_update(world, 1.0 / 60);
        told[frame] = news.told;
        printf("frame %d: told of %d landings, heard %d\n", frame + 1, news.told, ears.heard);
    }
    printf("the first to land was stone %u, with speed %d\n", news.first.who.index,
           news.first.speed);
    ilk_world_destroy(world);
    return told[2] == 4 && ears.heard == 4 ? 0 : 1;
}
