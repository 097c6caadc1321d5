// Queries that look at relations: who is docked where, who is below whom, and places in the world,
// computed parents first. It prints
//     2 docked at the harbour
//     3 docked at something lit
//     2 below the lit mast
//     the flag is at 7, the nearest light above it at 5
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Local {
    float x;
} Local;
typedef struct Place {
    float x;
} Place;
ILK_COMPONENT(Local);
ILK_COMPONENT(Place);
ILK_TAG(Lit);
ILK_RELATION_WITH(DockedTo, .is_exclusive = true);

static uint32_t count(ilk_world* world, const ilk_query_desc* desc) {
    ilk_query* query = ilk_query_create(world, desc);
    uint32_t found = ilk_query_count(world, query);
    ilk_query_destroy(query);
    return found;
}

static void ask_for_docked(ilk_world* world) {
    ilk_entity harbour = ILK_SPAWN(world, ILK_WITH(Lit)), buoy = ILK_SPAWN(world, ILK_WITH(Lit));
    ilk_entity wreck = ilk_create(world);
    ILK_SPAWN(world, ILK_TO(DockedTo, harbour));
    ILK_SPAWN(world, ILK_TO(DockedTo, harbour));
    ILK_SPAWN(world, ILK_TO(DockedTo, buoy));
    ILK_SPAWN(world, ILK_TO(DockedTo, wreck));
    ilk_query_desc here = {.relates = {{&DockedTo_type, .target = harbour}}};
    ilk_query_desc lit = {.relates = {{&DockedTo_type, .having = &Lit_type}}};
    printf("%u docked at the harbour\n", count(world, &here));
    printf("%u docked at something lit\n", count(world, &lit));
}

// A place in the world is that of the parent, which came before, and the entity's own.
static void place_all(ilk_world* world) {
    ilk_query_desc desc = {.write = {&Place_type},
                           .read = {&Local_type},
                           .maybe = {&ilk_child_of_type},
                           .order_by_depth = &ilk_child_of_type};
    ilk_query* query = ilk_query_create(world, &desc);
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) {
        Place* place = ILK_WRITE(&it, Place);
        const Local* local = ILK_READ(&it, Local);
        const ilk_child_of* link = ILK_MAYBE(&it, ilk_child_of); // NULL: roots
        for (uint32_t i = 0; i < it.count; i++) {
            const Place* above = link ? ILK_GET(world, link[i].target, Place) : NULL;
            place[i].x = local[i].x + (above ? above->x : 0);
        }
    }
}

static ilk_entity put(ilk_world* world, ilk_entity parent, float x) {
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Local, x), ILK_WITH(Place));
    if (!ilk_is_null(parent)) ilk_set_parent(world, e, parent);
    return e;
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ask_for_docked(world);
    ilk_entity ship = put(world, (ilk_entity){0}, 4), mast = put(world, ship, 1);
    ilk_entity yard = put(world, mast, 0), flag = put(world, yard, 2);
    ilk_add(world, mast, ILK_WITH(Lit));
    ilk_query_desc below = {.relates = {{&ilk_child_of_type, .having = &Lit_type, .up = true}}};
    printf("%u below the lit mast\n", count(world, &below));
    place_all(world);
    ilk_entity light = ilk_up(world, flag, &ilk_child_of_type, &Lit_type);
    printf("the flag is at %.0f, the nearest light above it at %.0f\n",
           ILK_GET(world, flag, Place)->x, ILK_GET(world, light, Place)->x);
    ilk_world_destroy(world);
}
