// Events: values that are sent now and read later. Stones fall, and what lands is sent; a system
// reads of it in the same frame, a subscriber is told at the beginning of the next one. It prints
//     frame 1: heard of 2 landings, told of 0
//     frame 2: heard of 4 landings, told of 2
//     frame 3: heard of 6 landings, told of 4
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

// A reader has its own pace: it gives everything that was sent since it was made, once.
typedef struct listener {
    ilk_reader* landings;
    int heard;
} listener;

static void listen(ilk_iter* it) {
    listener* l = it->user;
    while (ilk_read(l->landings, NULL)) l->heard++;
}

// A subscriber is called by the next ilk_update, before any system runs.
static ilk_result tell(ilk_world* world, const ilk_event* event, void* user) {
    (void)world;
    const Landed* landed = event->value;
    if (landed->speed > 0) ++*(int*)user;
    return ILK_OK;
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    for (int i = 0; i < 6; i++) ILK_SPAWN(world, ILK_VALUE(Height, 1 + i / 2, 1));

    int told = 0;
    ilk_subscribe(world, &(ilk_subscription_desc){
                             .name = "news", .type = &Landed_type, .call = tell, .user = &told});
    listener ears = {0};
    ears.landings = ilk_reader_create(world, &(ilk_reader_desc){.type = &Landed_type});

    ilk_system_create(
        world, &(ilk_system_desc){.name = "fall", .run = fall, .query = {.write = {&Height_type}}});
    ilk_system_create(world, &(ilk_system_desc){.name = "listen", .run = listen, .user = &ears});
    for (int frame = 1; frame <= 3; frame++) {
        ilk_update(world, 1.0 / 60);
        printf("frame %d: heard of %d landings, told of %d\n", frame, ears.heard, told);
    }
    ilk_world_destroy(world);
}
