// Space: an index by position, which finds the nearest, those within a radius, in a box or along a
// ray. It follows what moves, and goes back with the world. It prints
//     at first, within 3 of the fire: fire, wolf, sheep
//     nearest to the fire: fire at 0, sheep at 1.5
//     hurt in the box: 2, and the sheep has 7 points
//     the sheep ran: within 3 of the fire: fire, wolf
//     a second ago, within 3 of the fire: fire, wolf, sheep
#include <ilk/space.h>
#include <stdio.h>

typedef struct Place {
    float x, y;
} Place;
// The fields tell where an entity is.
ILK_COMPONENT_WITH(Place, .fields = ILK_FIELDS(ILK_FIELD(Place, x), ILK_FIELD(Place, y)));
typedef struct Health {
    int points;
} Health;
ILK_COMPONENT(Health);
ILK_TAG(Ghost);

static ilk_entity put(ilk_world* world, const char* name, float x, float y) {
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Place, x, y), ILK_VALUE(Health, 10));
    ilk_set_name(world, e, name);
    return e;
}

static void show_near(const char* when, ilk_world* world, ilk_space* space) {
    ilk_ask ask = {.shape = ILK_SHAPE_SPHERE, .at = {5, 5}, .radius = 3};
    ilk_hit near[8];
    uint32_t count = ilk_space_find(space, &ask, near, 8);
    printf("%s within 3 of the fire:", when);
    for (uint32_t i = 0; i < count; i++) {
        printf("%s %s", i ? "," : "", ilk_name_of(world, near[i].entity));
    }
    printf("\n");
}

// A query is narrowed to those in a box, and gives columns as always.
static uint32_t hurt_in_box(ilk_world* world, ilk_space* space) {
    ilk_query* living = ilk_query_create(world, &(ilk_query_desc){.write = {&Health_type}});
    ilk_ask box = {.shape = ILK_SHAPE_BOX, .low = {4, 4}, .high = {7, 6}};
    ilk_entity inside[8];
    uint32_t count = ilk_space_collect(space, &box, inside, 8);
    for (ilk_iter it = ilk_query_among(world, living, inside, count); ilk_next(&it);) {
        Health* health = ILK_WRITE(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) health[i].points -= 3;
    }
    return count;
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_space* space = ilk_space_create(
        world, &(ilk_space_desc){.type = &Place_type, .query = {.without = {&Ghost_type}}});
    put(world, "fire", 5, 5);
    put(world, "wolf", 5, 7);
    ilk_entity sheep = put(world, "sheep", 6.5f, 5);
    put(world, "tree", 9, 9);
    ilk_add(world, put(world, "ghost", 5, 6), ILK_WITH(Ghost));
    show_near("at first,", world, space);

    ilk_hit two[2];
    ilk_space_nearest(space, &(ilk_ask){.at = {5, 5}}, two, 2);
    printf("nearest to the fire: %s at %g, %s at %g\n", ilk_name_of(world, two[0].entity),
           two[0].distance, ilk_name_of(world, two[1].entity), two[1].distance);
    uint32_t hurt = hurt_in_box(world, space);
    printf("hurt in the box: %u, and the sheep has %d points\n", hurt,
           ILK_GET(world, sheep, Health)->points);

    ilk_snapshot* before = ilk_snapshot_take(world);
    ILK_EDIT(world, sheep, Place)->x = 20;
    show_near("the sheep ran:", world, space);
    ilk_snapshot_restore(before);
    show_near("a second ago,", world, space);
    ilk_space_destroy(space);
    ilk_world_destroy(world);
}
