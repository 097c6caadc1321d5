// Pixels: shapes with soft edges, light, and text, painted into a picture in memory. All
// coordinates are pixels of the picture; what lies outside of it is left out.
#ifndef PAINT_H
#define PAINT_H

#include <stdbool.h>
#include <stdint.h>

#include "numbers.h"

typedef struct pixel {
    uint8_t r, g, b, a;
} pixel;

typedef struct picture {
    int width, height;
    pixel* pixels; // rows from the top
} picture;

// Colors are 0xRRGGBB; alpha and strength are from 0 to 1.
void paint_disc(picture* p, vec at, float radius, uint32_t color, float alpha);
void paint_ring(picture* p, vec at, float radius, float width, uint32_t color, float alpha);

// A leaf with a point at each end, so long and wide from its middle.
void paint_leaf(picture* p, vec at, vec heading, float length, float width, uint32_t color,
                float alpha);

// A disc with a notch in it, as lily pads have.
void paint_pad(picture* p, vec at, vec heading, float radius, uint32_t color, float alpha);

// A wing: what two arcs leave between them, the points to the back.
void paint_wing(picture* p, vec at, vec heading, float length, float width, uint32_t color,
                float alpha);

void paint_line(picture* p, vec from, vec to, float width, uint32_t color, float alpha);

// A dark disc that fades towards its edge.
void paint_shade(picture* p, vec at, float radius, float alpha);

// Light is added to what is there, the less the farther from the middle.
void paint_glow(picture* p, vec at, float radius, uint32_t color, float strength);

void paint_box(picture* p, int x, int y, int width, int height, uint32_t color, float alpha);

// Text in the font of font.h, each dot `scale` pixels wide, with a shadow.
int text_width(const char* text, int scale);
void paint_text(picture* p, int x, int y, int scale, uint32_t color, const char* text);

#endif
