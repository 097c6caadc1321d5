// The passes over the whole picture: water, darkness, and light. They take most of the time of a
// frame, so they count in whole numbers, row by row, and what is the same for all rows is made
// once.
#include "canvas.h"

#include <stdlib.h>
#include <string.h>

#include "game.h"

#define BRIGHTEST 265 // of a cell of light
#define MASK (NOISE_SIZE - 1)

// Noise: a lattice of random values, the same again after NOISE_SIZE pixels, smoothly joined; and
// finer ones on top of it.

static float lattice(int x, int y, int cells, uint32_t seed) {
    uint32_t cell = (uint32_t)((y % cells) * cells + x % cells);
    return chance_share(cell, seed);
}

static float smooth(float share) {
    return share * share * (3 - 2 * share);
}

static float noise_at(int x, int y, int cells, uint32_t seed) {
    int size = NOISE_SIZE / cells;
    float u = smooth((float)(x % size) / (float)size), v = smooth((float)(y % size) / (float)size);
    int column = x / size, row = y / size;
    float upper =
        between(lattice(column, row, cells, seed), lattice(column + 1, row, cells, seed), u);
    float lower = between(lattice(column, row + 1, cells, seed),
                          lattice(column + 1, row + 1, cells, seed), u);
    return between(upper, lower, v);
}

static void make_noise(uint8_t* noise) {
    for (int y = 0; y < NOISE_SIZE; y++) {
        for (int x = 0; x < NOISE_SIZE; x++) {
            float value = 0.55f * noise_at(x, y, 8, 1) + 0.3f * noise_at(x, y, 16, 2) +
                          0.15f * noise_at(x, y, 64, 3);
            noise[y * NOISE_SIZE + x] = (uint8_t)(255 * value);
        }
    }
}

bool canvas_init(canvas* c) {
    *c = (canvas){.picture = {.width = VIEW_WIDTH, .height = VIEW_HEIGHT}};
    c->picture.pixels = calloc(VIEW_WIDTH * VIEW_HEIGHT, sizeof(pixel));
    c->lights = calloc(LIGHT_WIDTH * LIGHT_HEIGHT, sizeof(light));
    c->noise = malloc(NOISE_SIZE * NOISE_SIZE);
    if (c->noise) make_noise(c->noise);
    return c->picture.pixels && c->lights && c->noise;
}

void canvas_fini(canvas* c) {
    free(c->picture.pixels);
    free(c->lights);
    free(c->noise);
}

vec canvas_place(const canvas* c, vec at) {
    return (vec){at.x - (float)c->left, at.y - (float)c->top};
}

bool canvas_shows(const canvas* c, vec at, float radius) {
    vec place = canvas_place(c, at);
    return place.x > -radius && place.x < VIEW_WIDTH + radius && place.y > -radius &&
           place.y < VIEW_HEIGHT + radius;
}

// Water

static int noise_of(const canvas* c, int x, int y) {
    return c->noise[(y & MASK) * NOISE_SIZE + (x & MASK)];
}

static pixel shade(int r, int g, int b) {
    return (pixel){(uint8_t)(r > 255 ? 255 : r), (uint8_t)(g > 255 ? 255 : g),
                   (uint8_t)(b > 255 ? 255 : b), 255};
}

static pixel land(int grain, int height) {
    int rise = height > 60 ? 60 : height;
    return shade(30 + grain / 8 + rise / 3, 42 + grain / 5 + rise / 2, 30 + grain / 10);
}

// Where two layers of ripples that drift apart are as high, a line shines, most where the moon is.
static pixel water(const canvas* c, int x, int y, int drift, int depth, int moon) {
    int one = noise_of(c, x + drift, 2 * y - drift / 2);
    int other = noise_of(c, x - drift + 90, 2 * y + drift / 3 + 50);
    int apart = one > other ? one - other : other - one;
    int line = apart < 14 ? (14 - apart) * (14 - apart) : 0;
    int swell = noise_of(c, x / 2 + drift / 4, y) / 6;
    int shallow = depth < 160 ? (160 - depth) / 4 : 0;
    int glint = line * (22 + moon) / 256;
    return shade(26 + swell / 2 + shallow + glint, 56 + swell + shallow + glint,
                 74 + swell + moon / 8 + glint);
}

// The reflection of the moon is a path down the view, right of its middle.
static int moon_at(int x) {
    int away = x - VIEW_WIDTH * 2 / 3;
    int bright = 140 - away * away / 130;
    return bright > 0 ? bright : 0;
}

static int fourth_power(float share) {
    return (int)(1024 * share * share * share * share);
}

static void water_row(canvas* c, const int* powers, int y, int drift) {
    pixel* row = c->picture.pixels + (size_t)y * VIEW_WIDTH;
    float v = (float)(y + c->top - POND_HEIGHT / 2) / (POND_HEIGHT / 2 - 60);
    int of_row = 1024 - fourth_power(v);
    for (int x = 0; x < VIEW_WIDTH; x++) {
        int there = x + c->left, down = y + c->top;
        int grain = noise_of(c, there * 2, down * 2);
        int depth = of_row - powers[x] + (noise_of(c, there, down) - 128) / 2;
        row[x] = depth < 0 ? land(grain, -depth) : water(c, there, down, drift, depth, moon_at(x));
    }
}

void canvas_water(canvas* c, uint32_t tick) {
    int powers[VIEW_WIDTH];
    for (int x = 0; x < VIEW_WIDTH; x++) {
        powers[x] = fourth_power((float)(x + c->left - POND_WIDTH / 2) / (POND_WIDTH / 2 - 60));
    }
    for (int y = 0; y < VIEW_HEIGHT; y++) water_row(c, powers, y, (int)(tick / 5));
}

// Light

void canvas_darken(canvas* c) {
    for (int i = 0; i < LIGHT_WIDTH * LIGHT_HEIGHT; i++) c->lights[i] = (light){66, 88, 140};
}

static int limited(int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
}

void canvas_light(canvas* c, vec at, float radius, uint32_t color, float strength) {
    vec place = times(canvas_place(c, at), 1.0f / LIGHT_CELL);
    float reach = radius / LIGHT_CELL;
    int left = limited((int)(place.x - reach), LIGHT_WIDTH);
    int right = limited((int)(place.x + reach + 1), LIGHT_WIDTH);
    int bottom = limited((int)(place.y + reach + 1), LIGHT_HEIGHT);
    for (int y = limited((int)(place.y - reach), LIGHT_HEIGHT); y < bottom; y++) {
        for (int x = left; x < right; x++) {
            vec away = minus((vec){(float)x, (float)y}, place);
            float share = 1 - dot(away, away) / (reach * reach);
            if (share <= 0) continue;
            int bright = (int)(320 * strength * share * share);
            light* cell = &c->lights[y * LIGHT_WIDTH + x];
            cell->r = limited(cell->r + bright * (int)(color >> 16 & 255) / 256, BRIGHTEST);
            cell->g = limited(cell->g + bright * (int)(color >> 8 & 255) / 256, BRIGHTEST);
            cell->b = limited(cell->b + bright * (int)(color & 255) / 256, BRIGHTEST);
        }
    }
}

static light weighted(light a, light b, int share) { // of LIGHT_CELL
    return (light){a.r + (b.r - a.r) * share / LIGHT_CELL, a.g + (b.g - a.g) * share / LIGHT_CELL,
                   a.b + (b.b - a.b) * share / LIGHT_CELL};
}

static uint8_t lit(uint8_t value, int bright) {
    int product = value * bright / 256;
    return (uint8_t)(product > 255 ? 255 : product);
}

// The cells of a row are mixed from those above and below, and the pixels from those at their
// sides.
static void shine_on_row(canvas* c, int y) {
    pixel* row = c->picture.pixels + (size_t)y * VIEW_WIDTH;
    const light* above = c->lights + (size_t)(y / LIGHT_CELL) * LIGHT_WIDTH;
    const light* below = above + LIGHT_WIDTH;
    light left = weighted(above[0], below[0], y % LIGHT_CELL);
    for (int cell = 0; cell + 1 < LIGHT_WIDTH; cell++) {
        light right = weighted(above[cell + 1], below[cell + 1], y % LIGHT_CELL);
        for (int i = 0; i < LIGHT_CELL; i++) {
            light here = weighted(left, right, i);
            pixel* p = &row[cell * LIGHT_CELL + i];
            *p = (pixel){lit(p->r, here.r), lit(p->g, here.g), lit(p->b, here.b), 255};
        }
        left = right;
    }
}

void canvas_shine(canvas* c) {
    for (int y = 0; y < VIEW_HEIGHT; y++) shine_on_row(c, y);
}

void canvas_age(canvas* c, uint32_t frame) {
    for (int y = 0; y < VIEW_HEIGHT; y++) {
        pixel* row = c->picture.pixels + (size_t)y * VIEW_WIDTH;
        int line = (y + (int)frame) % 4 == 0 ? 40 : 0;
        for (int x = 0; x < VIEW_WIDTH; x++) {
            int grey = (row[x].r * 3 + row[x].g * 6 + row[x].b) / 10;
            row[x] = shade(limited((row[x].r + grey) / 2 + 14 - line, 255),
                           limited((row[x].g + grey) / 2 + 8 - line, 255),
                           limited((row[x].b + grey) / 2 + 22 - line, 255));
        }
    }
}
