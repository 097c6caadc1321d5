// A space of those whose place is beside that of their parent: a function says where they are. It
// prints
//     near the harbour: 1 sailor
//     the boat has left: 0 sailors
#include <ilk/space.h>
#include <stdio.h>

typedef struct Place {
    float x, y;
} Place;
ILK_COMPONENT(Place);
ILK_TAG(Sailor);

// Where an entity is in the world: its place is beside that of its parent.
static bool in_the_world(ilk_world* world, ilk_entity e, void* user, ilk_box* box) {
    (void)user;
    for (; !ilk_is_null(e); e = ilk_parent(world, e)) {
        const Place* beside = ILK_GET(world, e, Place);
        if (!beside) continue;
        box->low[0] += beside->x;
        box->low[1] += beside->y;
    }
    *box = (ilk_box){{box->low[0], box->low[1]}, {box->low[0], box->low[1]}};
    return true;
}

static uint32_t sailors_near_harbour(ilk_space* space, ilk_query* sailors) {
    ilk_ask ask = {.shape = ILK_SHAPE_SPHERE, .radius = 10, .query = sailors};
    return ilk_space_find(space, &ask, NULL, 0);
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_space* space = ilk_space_create(world, &(ilk_space_desc){.query = {.with = {&Place_type}},
                                                                 .where = in_the_world,
                                                                 .is_flat = true});
    ilk_query* sailors = ilk_query_create(world, &(ilk_query_desc){.with = {&Sailor_type}});
    ilk_entity boat = ILK_SPAWN(world, ILK_VALUE(Place, 5, 5));
    ilk_entity sailor = ILK_SPAWN(world, ILK_VALUE(Place, 1, 0), ILK_WITH(Sailor));
    ilk_set_parent(world, sailor, boat);
    printf("near the harbour: %u sailor\n", sailors_near_harbour(space, sailors));
    ILK_EDIT(world, boat, Place)->x = 200;
    printf("the boat has left: %u sailors\n", sailors_near_harbour(space, sailors));
    ilk_space_destroy(space);
    ilk_world_destroy(world);
}
