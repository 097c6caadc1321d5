// The game: a world, the last ten seconds of it, and the picture that it is drawn into.
//
//     game* g = game_create(&(game_desc){.workers = 3, .agents = 6000});
//     while (!g->is_over) {
//         game_frame(g, keys);
//         game_draw(g);
//     }
//     game_destroy(g);
//
// A window and a run without one call the same game_frame, so that both play the same game.
#ifndef GAME_H
#define GAME_H

#include <ilk/ilk.h>
#include <ilk/space.h>

#include "canvas.h"
#include "components.h"

#define FRAMES_A_SECOND 60
#define KEPT_FRAMES 600
#define FOLLOWERS_MOST 60
#define LOTUS_WANTS 20
#define LOTUSES 7
#define NIGHT_SECONDS 180

#define POND_WIDTH 1920
#define POND_HEIGHT 1280

enum {
    EFFECTS = 5
};

typedef struct game_desc {
    uint32_t workers; // threads beside the one that calls
    uint32_t agents;  // fireflies
} game_desc;

// What belongs to the program and not to the world: nothing here goes back with it.
typedef struct game {
    ilk_world* world;
    ilk_ring* ring;
    uint64_t first_frame;         // of this night: time goes back no further
    ilk_space *swarm, *bats;      // who is where
    ilk_query* free_fireflies;    // that follow nobody
    ilk_query *buttons, *bloomed; // to be counted
    ilk_reader* readers[EFFECTS]; // of effects.c
    ilk_entity camera;
    canvas canvas;
    uint32_t failures; // messages of the world
    bool is_over;      // the player wants to leave
} game;

// NULL if something failed, which is then told on stderr.
game* game_create(const game_desc* desc);
void game_destroy(game* g);

// A sixtieth of a second, forwards or, while KEY_REWIND is held, backwards.
void game_frame(game* g, uint32_t held);

// Paint g->canvas. The world stays as it is, so a frame that nobody looks at need not be drawn.
void game_draw(game* g);

// How far a place is from the shore: 1 in the middle, 0 on it, negative on land.
float water_at(vec at);

// The parts of the game. Each adds its systems; false if that failed.
bool add_agents(game* g);
bool add_bats(game* g);
bool add_boat(game* g);
bool add_lotuses(game* g);
bool add_effects(game* g);
bool add_scenes(game* g);
bool add_hud(game* g);
bool add_drawing(game* g);
bool add_screen(game* g);
bool add_prefabs(game* g);

// For these: make systems whose user is the game, unless they have one.
bool add_systems(game* g, const ilk_system_desc* systems, uint32_t count);

// The same for systems that paint: they are of the draw phase, and run one after the other.
bool add_layers(game* g, const ilk_system_desc* systems, uint32_t count);

#endif
