// Space: finding entities by where they are. It prints
//     within 3 of the fire: wolf, sheep
//     nearest to the fire, but for the fire: sheep at 1.5, wolf at 2
//     hurt in the box: 2 of 5, and the sheep has 7 points
//     the sheep ran: within 3 of the fire: wolf
//     a second ago: within 3 of the fire: wolf, sheep
#include <ilk/space.h>
#include <stdio.h>

typedef struct Place {
    float x, y;
} Place;
ILK_COMPONENT_WITH(Place, .fields = ILK_FIELDS(ILK_FIELD(Place, x), ILK_FIELD(Place, y)));
typedef struct Health {
    int points;
} Health;
ILK_COMPONENT(Health);
ILK_TAG(Ghost);

static ilk_world* world;
static ilk_space* space;

static ilk_entity put(const char* name, float x, float y) {
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Place, x, y), ILK_VALUE(Health, 10));
    ilk_set_name(world, e, name);
    return e;
}

static bool is_no_fire(ilk_world* of, ilk_entity e, void* fire) {
    (void)of;
    return !ilk_same(e, *(ilk_entity*)fire);
}

static void show_near(ilk_entity* fire) {
    ilk_ask ask = {
        .shape = ILK_SHAPE_SPHERE, .at = {5, 5}, .radius = 3, .filter = is_no_fire, .user = fire};
    ilk_hit near[8];
    uint32_t count = ilk_space_find(space, &ask, near, 8);
    printf("within 3 of the fire:");
    for (uint32_t i = 0; i < count; i++) {
        printf("%s %s", i ? "," : "", ilk_name_of(world, near[i].entity));
    }
    printf("\n");
}

int main(void) {
    world = ilk_world_create(NULL);
    space = ilk_space_create(
        world, &(ilk_space_desc){.type = &Place_type, .query = {.without = {&Ghost_type}}});
    ilk_entity fire = put("fire", 5, 5);
    put("wolf", 5, 7);
    ilk_entity sheep = put("sheep", 6.5f, 5);
    put("tree", 9, 9);
    ilk_set(world, put("ghost", 5, 6), ILK_WITH(Ghost));
    show_near(&fire);

    ilk_hit two[2];
    ilk_space_nearest(space, &(ilk_ask){.at = {5, 5}, .filter = is_no_fire, .user = &fire}, two, 2);
    printf("nearest to the fire, but for the fire: %s at %g, %s at %g\n",
           ilk_name_of(world, two[0].entity), two[0].distance, ilk_name_of(world, two[1].entity),
           two[1].distance);

    // A query is narrowed by a box, and gives columns as always.
    ilk_query* living = ilk_query_create(world, &(ilk_query_desc){.write = {&Health_type}});
    ilk_ask box = {.shape = ILK_SHAPE_BOX, .low = {4, 4}, .high = {7, 6}};
    ilk_entity inside[8];
    uint32_t count = ilk_space_collect(space, &box, inside, 8);
    for (ilk_iter it = ilk_query_among(world, living, inside, count); ilk_next(&it);) {
        Health* health = ILK_WRITE(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) health[i].points -= 3;
    }
    printf("hurt in the box: %u of %u, and the sheep has %d points\n", count,
           ilk_stats(world).alive, ILK_GET(world, sheep, Health)->points);

    // It follows what moves, and goes back with the world.
    ilk_snapshot* before = ilk_snapshot_take(world);
    ILK_EDIT(world, sheep, Place)->x = 20;
    printf("the sheep ran: ");
    show_near(&fire);
    ilk_snapshot_restore(before);
    printf("a second ago: ");
    show_near(&fire);
    ilk_space_destroy(space);
    ilk_world_destroy(world);
}
