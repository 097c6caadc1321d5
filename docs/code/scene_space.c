// A space that refreshes itself inside of updates, under scenes that list systems. It prints
//     blind: 0 sheep are near
//     seeing: 1 sheep are near
//     in the same phase: 1 sheep are near
#include <ilk/space.h>
#include <stdio.h>

typedef struct Place {
    float x, y;
} Place;
ILK_COMPONENT_WITH(Place, .fields = ILK_FIELDS(ILK_FIELD(Place, x), ILK_FIELD(Place, y)));
ILK_TAG(Sheep);

static void print_message(void* context, const ilk_message* message) {
    (void)context;
    fprintf(stderr, "%s\n", message->text);
}

static void look(ilk_iter* it) {
    ilk_space* space = it->user;
    ilk_ask ask = {.shape = ILK_SHAPE_SPHERE, .radius = 3};
    ilk_hit near[8];
    uint32_t count = ilk_space_find(space, &ask, near, 8);
    printf("%s: %u sheep are near\n", ilk_scene_top(it->world), count);
}

static void add_scenes(ilk_world* world) {
    const char* const blind[] = {"look", NULL};
    const char* const seeing[] = {"sense", "look", NULL}; // the phase of the space, too
    const char* const same[] = {"look beside", "sense", NULL};
    ilk_scene_add(world, &(ilk_scene_desc){.name = "blind", .systems = blind});
    ilk_scene_add(world, &(ilk_scene_desc){.name = "seeing", .systems = seeing});
    ilk_scene_add(world, &(ilk_scene_desc){.name = "in the same phase", .systems = same});
}

int main(void) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.message = print_message});
    ilk_phase_add(world, "sense", "fixed"); // after it, and so before "update", which asks
    ilk_space* space = ilk_space_create(world, &(ilk_space_desc){.type = &Place_type,
                                                                 .query = {.with = {&Sheep_type}},
                                                                 .phase = "sense",
                                                                 .name = "sheep"});
    ilk_system_desc asks = {.name = "look", .run = look, .user = space, .reads = {&Place_type}};
    ilk_system_create(world, &asks);
    add_scenes(world);
    ILK_SPAWN(world, ILK_VALUE(Place, 1, 1), ILK_WITH(Sheep));
    ilk_scene_push(world, "blind");
    ilk_update(world, 1);
    ilk_scene_switch(world, "seeing");
    ilk_update(world, 1);

    asks.name = "look beside";
    asks.phase = "sense";
    asks.after[0] = "sheep: moving it";
    ilk_system_create(world, &asks);
    ilk_scene_switch(world, "in the same phase");
    ilk_update(world, 1);
    ilk_space_destroy(space);
    ilk_world_destroy(world);
}
