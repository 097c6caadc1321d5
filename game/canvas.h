// What the game is drawn into: the surface that ilk_draw hands to the systems of the draw phase. It
// is no part of the world, and made anew from the world in each frame.
#ifndef CANVAS_H
#define CANVAS_H

#include "paint.h"

#define VIEW_WIDTH 640
#define VIEW_HEIGHT 360

// A square of noise whose sides fit together.
#define NOISE_SIZE 256

// Light is gathered in cells of so many pixels.
#define LIGHT_CELL 4
#define LIGHT_WIDTH (VIEW_WIDTH / LIGHT_CELL + 1)
#define LIGHT_HEIGHT (VIEW_HEIGHT / LIGHT_CELL + 1)

typedef struct light {
    int r, g, b; // 256: as bright as day
} light;

typedef struct canvas {
    picture picture;
    light* lights;
    uint8_t* noise;
    int left, top; // of the view, in the pond
} canvas;

// False without memory.
bool canvas_init(canvas* c);
void canvas_fini(canvas* c);

// From the pond to the picture.
vec canvas_place(const canvas* c, vec at);

// Whether something so large would be seen.
bool canvas_shows(const canvas* c, vec at, float radius);

// The water, its banks, and the moon on it; `tick` moves the ripples.
void canvas_water(canvas* c, uint32_t tick);

// Night falls; light is added to it; and all that was painted is seen by that light.
void canvas_darken(canvas* c);
void canvas_light(canvas* c, vec at, float radius, uint32_t color, float strength);
void canvas_shine(canvas* c);

// As an old film that runs backwards.
void canvas_age(canvas* c, uint32_t frame);

#endif
