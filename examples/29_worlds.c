// Worlds: a server and its replica, found by name and id; a factory that gives every world what all
// of them are to have; and plugins, each once in a world and after what it needs. It prints
//     2 worlds: server, replica
//     the entity is alive in server
//     a world of the factory is test-arena, of at most 100 entities
//     its plugins: physics, game
//     arena is gone
#include <ilk/ilk.h>
#include <stdio.h>

static void step(ilk_iter* it) {
    (void)it;
}

static ilk_result install_physics(ilk_world* world, void* user) {
    (void)user;
    ilk_system_desc desc = {.name = "step", .run = step};
    return ilk_system_create(world, &desc) ? ILK_OK : ilk_error(world).result;
}

static ilk_result install_game(ilk_world* world, void* user) {
    (void)user;
    return ilk_scene_add(world, &(ilk_scene_desc){.name = "level"});
}

static const ilk_plugin physics = {.name = "physics", .install = install_physics};
static const ilk_plugin game = {
    .name = "game", .install = install_game, .needs = (const ilk_plugin* const[]){&physics, NULL}};

// Makes the worlds of a test.
static ilk_world* make_for_test(void* context, const ilk_world_desc* desc) {
    char name[64];
    const char* wanted = desc->name ? desc->name : "world";
    snprintf(name, sizeof name, "%s-%s", (const char*)context, wanted);
    ilk_world_desc ours = *desc;
    ours.name = name;
    ours.max_entities = 100;
    ilk_world* world = ilk_world_make(&ours);
    if (world) ilk_plugin_install(world, &game);
    return world;
}

int main(void) {
    ilk_world* server = ilk_world_create(&(ilk_world_desc){.name = "server", .tag = 1});
    ilk_world* replica = ilk_world_create(&(ilk_world_desc){.name = "replica", .tag = 2});
    ilk_world* all[8];
    uint32_t count = ilk_worlds(all, 8);
    printf("%u worlds: %s, %s\n", count, ilk_world_name(all[0]), ilk_world_name(all[1]));

    ilk_entity e = ilk_create(server);
    printf("the entity is alive in %s\n", ilk_world_name(ilk_world_of(e)));

    ilk_factory_install(&(ilk_world_factory){make_for_test, "test"});
    ilk_world* arena = ilk_world_create(&(ilk_world_desc){.name = "arena"});
    ilk_factory_remove();
    printf("a world of the factory is %s, of at most %u entities\n", ilk_world_name(arena),
           ilk_world_max_entities(arena));
    printf("its plugins: %s, %s\n", ilk_plugin_at(arena, 0), ilk_plugin_at(arena, 1));

    uint32_t id = ilk_world_id(arena);
    ilk_world_destroy(arena);
    printf("arena is %s\n", ilk_world_by_id(id) ? "there" : "gone");
    ilk_world_destroy(replica);
    ilk_world_destroy(server);
}
