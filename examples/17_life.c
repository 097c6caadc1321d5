// Life: an entity that rests keeps all that it has, but queries pass it over; one that is destroyed
// is kept until somebody has seen to what outlives it. It prints
//     awake 1, resting 1, and it is still at 7
//     awake 2, resting 0
//     destroyed: dying, with mesh 1
//     unloaded: gone
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    int x;
} Position;
typedef struct Mesh {
    int handle; // of a renderer that wants it back
} Mesh;
ILK_COMPONENT(Position);
ILK_COMPONENT_WITH(Mesh, .outlives = true);

static const ilk_query_desc awake = {.read = {&Position_type}};
static const ilk_query_desc resting = {.with = {&Position_type, &ilk_inactive_type}};
static const ilk_query_desc orphaned = {.read = {&Mesh_type}, .without = {&Position_type}};

static uint32_t count(ilk_world* world, const ilk_query_desc* desc) {
    ilk_query* query = ilk_query_create(world, desc);
    uint32_t found = ilk_query_count(world, query);
    ilk_query_destroy(query);
    return found;
}

// The renderer takes back what belongs to nobody who is awake.
static void unload(ilk_world* world) {
    ilk_query* query = ilk_query_create(world, &orphaned);
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) ilk_remove(world, it.entities[i], &Mesh_type);
    }
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_entity ghost = ILK_SPAWN(world, ILK_VALUE(Position, 7));
    ilk_entity tree = ILK_SPAWN(world, ILK_VALUE(Position, 1), ILK_VALUE(Mesh, 1));

    ilk_deactivate(world, ghost);
    printf("awake %u, resting %u, and it is still at %d\n", count(world, &awake),
           count(world, &resting), ILK_GET(world, ghost, Position)->x);
    ilk_activate(world, ghost);
    printf("awake %u, resting %u\n", count(world, &awake), count(world, &resting));

    ilk_destroy(world, tree);
    printf("destroyed: %s, with mesh %d\n", ilk_dying(world, tree) ? "dying" : "gone",
           ILK_GET(world, tree, Mesh)->handle);
    unload(world);
    printf("unloaded: %s\n", ilk_alive(world, tree) ? "dying" : "gone");
    ilk_world_destroy(world);
}
