// The world of the game, how it is set up, and a frame of it.
#include "game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP (1.0 / FRAMES_A_SECOND)
#define REWIND_SPEED 2 // frames that time goes back in one

// 1 - u^4 - v^4: a rectangle with round corners.
float water_at(vec at) {
    float u = (at.x - POND_WIDTH / 2) / (POND_WIDTH / 2 - 60);
    float v = (at.y - POND_HEIGHT / 2) / (POND_HEIGHT / 2 - 60);
    return 1 - u * u * u * u - v * v * v * v;
}

static void tell(void* context, const ilk_message* message) {
    game* g = context;
    g->failures++;
    fprintf(stderr, "ilk: %s: %s\n", ilk_result_name(message->result), message->text);
}

bool add_systems(game* g, const ilk_system_desc* systems, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        ilk_system_desc system = systems[i];
        if (!system.user) system.user = g;
        if (!ilk_system_create(g->world, &system)) return false;
    }
    return true;
}

// The pond

static void put_plant(game* g, const char* name, vec at, uint32_t number) {
    ilk_entity e = ilk_blueprint_spawn(g->world, ilk_blueprint_named(g->world, name));
    Position* place = ILK_EDIT(g->world, e, Position);
    Heading* heading = ILK_EDIT(g->world, e, Heading);
    Sprite* sprite = ILK_EDIT(g->world, e, Sprite);
    if (!place || !heading || !sprite) return;
    *place = at;
    *heading = turned(chance_share(number, 5));
    sprite->size *= between(0.6f, 1.2f, chance_share(number, 6));
}

// Pads in groups on the water, reeds along the shore: one by one, for it takes looking at each
// place to know how many there are.
static void grow_plants(game* g) {
    for (uint32_t i = 0; i < 520; i++) {
        uint32_t group = i / 8;
        vec middle = {POND_WIDTH * chance_share(group, 1), POND_HEIGHT * chance_share(group, 2)};
        vec away = times(turned(chance_share(i, 3)), 12 + 70 * chance_share(i, 4));
        vec at = plus(middle, away);
        if (water_at(at) > 0.1f) put_plant(g, "pad", at, i);
    }
    for (uint32_t i = 0; i < 6000; i++) {
        vec at = {POND_WIDTH * chance_share(i, 7), POND_HEIGHT * chance_share(i, 8)};
        float water = water_at(at);
        if (water > -0.06f && water < 0.12f) put_plant(g, "reed", at, i);
    }
}

// All at once, and then one after the other to their places.
static bool release_fireflies(game* g, uint32_t count) {
    const ilk_blueprint* firefly = ilk_blueprint_named(g->world, "firefly");
    if (ilk_blueprint_spawn_many(g->world, firefly, count, NULL) != ILK_OK) return false;
    ilk_query* released = ilk_query_create(
        g->world, &(ilk_query_desc){.write = {&Position_type}, .with = {&Firefly_type}});
    uint32_t number = 0;
    for (ilk_iter it = ilk_query_iter(g->world, released); ilk_next(&it);) {
        Position* at = ILK_WRITE(&it, Position);
        for (uint32_t i = 0; i < it.count; i++, number++) {
            at[i] = (vec){POND_WIDTH * between(0.08f, 0.92f, chance_share(number, 9)),
                          POND_HEIGHT * between(0.08f, 0.92f, chance_share(number, 10))};
        }
    }
    ilk_query_destroy(released);
    return number == count;
}

static bool fill_pond(game* g, uint32_t agents) {
    ilk_world* world = g->world;
    bool is_set = ilk_resource_set(world, ILK_VALUE(Pond, .fireflies = agents)) == ILK_OK &&
                  ilk_resource_set(world, ILK_VALUE(Menu, 0)) == ILK_OK &&
                  ilk_resource_set(world, ILK_VALUE(Input, 0)) == ILK_OK &&
                  ilk_resource_set(world, ILK_VALUE(Rewind, 0)) == ILK_OK &&
                  ilk_resource_set(world, ILK_WITH(Canvas)) == ILK_OK;
    if (!is_set) return false;
    g->camera = ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(Camera));
    grow_plants(g);
    return release_fireflies(g, agents);
}

// Systems run in order of their order numbers, and then in that of making. The spaces are refreshed
// in "sense", once a frame, and asked in "fixed", once a step. Frames of this game are one step
// long; in one that had several, the later ones would be told where everybody was at its beginning.
static bool add_parts(game* g) {
    return ilk_phase_add(g->world, "sense", "start") == ILK_OK && add_agents(g) && add_bats(g) &&
           add_boat(g) && add_lotuses(g) && add_effects(g) && add_scenes(g) && add_hud(g) &&
           add_drawing(g);
}

static bool set_up(game* g, const game_desc* desc) {
    g->world = ilk_world_create(&(ilk_world_desc){
        .name = "pond", .message = tell, .message_context = g, .workers = desc->workers});
    if (!g->world || !canvas_init(&g->canvas) || !add_prefabs(g) || !add_parts(g)) return false;
    if (!fill_pond(g, desc->agents)) return false;
    g->ring = ilk_ring_create(g->world, &(ilk_ring_desc){.frames = KEPT_FRAMES});
    return g->ring && ilk_scene_push(g->world, "title") == ILK_OK;
}

game* game_create(const game_desc* desc) {
    game* g = calloc(1, sizeof *g);
    if (g && set_up(g, desc)) return g;
    fprintf(stderr, "The game could not be set up.\n");
    game_destroy(g);
    return NULL;
}

void game_destroy(game* g) {
    if (!g) return;
    ilk_space_destroy(g->swarm);
    ilk_space_destroy(g->bats);
    ilk_world_destroy(g->world);
    canvas_fini(&g->canvas);
    free(g);
}

// A frame

static void set_input(game* g, uint32_t held) {
    Input* input = ILK_RESOURCE_EDIT(g->world, Input);
    if (!input) return;
    input->pressed = held & ~input->held;
    input->held = held;
}

static bool is_in(const game* g, const char* scene, uint32_t at) {
    const char* name = ilk_scene_at(g->world, at);
    return name && strcmp(name, scene) == 0;
}

static bool is_playing(const game* g) {
    return is_in(g, "play", 0) && ilk_scene_depth(g->world) == 1;
}

// Only frames of the game itself are kept: neither a pause nor the end uses up history.
static void go_on(game* g) {
    ilk_update(g->world, STEP);
    if (is_playing(g)) ilk_ring_push(g->ring);
}

static uint64_t oldest_frame(const game* g) {
    uint64_t kept = ilk_ring_stats_of(g->ring).oldest;
    return kept > g->first_frame ? kept : g->first_frame;
}

// False on the title, where nothing was kept yet.
static bool go_back(game* g) {
    uint64_t present = ilk_ring_stats_of(g->ring).frame, oldest = oldest_frame(g);
    if (!is_in(g, "play", 0) || present < oldest) return false;
    uint64_t goal = present >= oldest + REWIND_SPEED ? present - REWIND_SPEED : oldest;
    return ilk_ring_look(g->ring, goal) == ILK_OK;
}

static void show_rewind(game* g, bool is_on) {
    Rewind* rewind = ILK_RESOURCE_EDIT(g->world, Rewind);
    ilk_ring_stats stats = ilk_ring_stats_of(g->ring);
    if (!rewind) return;
    *rewind = (Rewind){.is_on = is_on,
                       .oldest = oldest_frame(g),
                       .present = stats.frame,
                       .newest = stats.newest,
                       .bytes = stats.owned};
}

void game_frame(game* g, uint32_t held) {
    set_input(g, held);
    bool goes_back = (held & KEY_REWIND) && go_back(g);
    if (!goes_back) go_on(g);
    show_rewind(g, goes_back);
}

void game_draw(game* g) {
    ilk_draw(g->world, &g->canvas);
}
