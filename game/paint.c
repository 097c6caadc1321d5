// Each shape is a function that says how much of a pixel it covers; fill() asks it for every pixel
// of the box around the shape, and mixes the color in.
#include "paint.h"

#include <string.h>

#include "font.h"

typedef struct shape {
    vec at, heading;
    float length, width; // what they are is up to the coverage function
    uint32_t color;
    float alpha;
    bool is_light; // added, not mixed
} shape;

// How much of the pixel is covered, so far from the middle of the shape along its heading, and to
// its right.
typedef float coverage_fn(const shape* s, float ahead, float right);

static uint8_t mixed(uint8_t old, uint32_t now, int share) {
    return (uint8_t)(old + (((int)now - old) * share) / 256);
}

static void mix(pixel* p, uint32_t color, int share) {
    p->r = mixed(p->r, color >> 16 & 255, share);
    p->g = mixed(p->g, color >> 8 & 255, share);
    p->b = mixed(p->b, color & 255, share);
}

static uint8_t sum(uint8_t old, uint32_t light, int share) {
    int value = old + ((int)light * share) / 256;
    return (uint8_t)(value > 255 ? 255 : value);
}

static void lighten(pixel* p, uint32_t color, int share) {
    p->r = sum(p->r, color >> 16 & 255, share);
    p->g = sum(p->g, color >> 8 & 255, share);
    p->b = sum(p->b, color & 255, share);
}

static int limited(int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
}

static void fill_row(picture* p, const shape* s, coverage_fn* coverage, int y, int left,
                     int right) {
    pixel* row = p->pixels + (size_t)y * (size_t)p->width;
    for (int x = left; x < right; x++) {
        vec away = {(float)x + 0.5f - s->at.x, (float)y + 0.5f - s->at.y};
        float covered = coverage(s, dot(away, s->heading), dot(away, right_of(s->heading)));
        if (covered <= 0) continue;
        int share = (int)(256 * s->alpha * (covered > 1 ? 1 : covered));
        if (s->is_light)
            lighten(&row[x], s->color, share);
        else
            mix(&row[x], s->color, share);
    }
}

static void fill(picture* p, const shape* s, float reach, coverage_fn* coverage) {
    int left = limited((int)(s->at.x - reach - 1), p->width);
    int right = limited((int)(s->at.x + reach + 2), p->width);
    int top = limited((int)(s->at.y - reach - 1), p->height);
    int bottom = limited((int)(s->at.y + reach + 2), p->height);
    for (int y = top; y < bottom; y++) fill_row(p, s, coverage, y, left, right);
}

// Shapes

static float disc(const shape* s, float ahead, float right) {
    return s->length + 0.5f - sqrtf(ahead * ahead + right * right);
}

static float ring(const shape* s, float ahead, float right) {
    float distance = sqrtf(ahead * ahead + right * right) - s->length;
    return s->width + 0.5f - (distance < 0 ? -distance : distance);
}

static float leaf(const shape* s, float ahead, float right) {
    float share = ahead / s->length;
    float width = s->width * (1 - share * share);
    return width + 0.5f - (right < 0 ? -right : right);
}

static float pad(const shape* s, float ahead, float right) {
    float edge = (right < 0 ? -right : right) - 0.42f * ahead; // of the notch
    float rest = disc(s, ahead, right);
    return edge < rest ? edge : rest;
}

static float wing(const shape* s, float ahead, float right) {
    float share = right / s->length;
    float front = s->width * (1 - share * share), bend = 9.42f * share;
    float back =
        -s->width * 0.35f * (1 - share * share) + 0.25f * s->width * wave(bend / 6.28f + 2);
    float inside = front - ahead < ahead - back ? front - ahead : ahead - back;
    return share < -1 || share > 1 ? 0 : inside + 0.5f;
}

static float line(const shape* s, float ahead, float right) {
    float past = (ahead < 0 ? -ahead : ahead) - s->length;
    float beside = right < 0 ? -right : right;
    return s->width + 0.5f - (past > beside ? past : beside);
}

static float fading(const shape* s, float ahead, float right) {
    float share = 1 - (ahead * ahead + right * right) / (s->length * s->length);
    return share > 0 ? share * share : 0;
}

static const vec east = {1, 0};

void paint_disc(picture* p, vec at, float radius, uint32_t color, float alpha) {
    const shape s = {.at = at, .heading = east, .length = radius, .color = color, .alpha = alpha};
    fill(p, &s, radius, disc);
}

void paint_ring(picture* p, vec at, float radius, float width, uint32_t color, float alpha) {
    const shape s = {at, east, radius, width / 2, color, alpha, false};
    fill(p, &s, radius + width, ring);
}

void paint_leaf(picture* p, vec at, vec heading, float length, float width, uint32_t color,
                float alpha) {
    const shape s = {at, heading, length, width, color, alpha, false};
    fill(p, &s, length > width ? length : width, leaf);
}

void paint_pad(picture* p, vec at, vec heading, float radius, uint32_t color, float alpha) {
    const shape s = {at, heading, radius, 0, color, alpha, false};
    fill(p, &s, radius, pad);
}

void paint_wing(picture* p, vec at, vec heading, float length, float width, uint32_t color,
                float alpha) {
    const shape s = {at, heading, length, width, color, alpha, false};
    fill(p, &s, length + width, wing);
}

void paint_line(picture* p, vec from, vec to, float width, uint32_t color, float alpha) {
    vec way = minus(to, from);
    float half = length_of(way) / 2;
    const shape s = {
        times(plus(from, to), 0.5f), direction_of(way, east), half, width / 2, color, alpha, false};
    fill(p, &s, half + width, line);
}

void paint_shade(picture* p, vec at, float radius, float alpha) {
    const shape s = {.at = at, .heading = east, .length = radius, .alpha = alpha};
    fill(p, &s, radius, fading);
}

void paint_glow(picture* p, vec at, float radius, uint32_t color, float strength) {
    const shape s = {at, east, radius, 0, color, strength, true};
    fill(p, &s, radius, fading);
}

void paint_box(picture* p, int x, int y, int width, int height, uint32_t color, float alpha) {
    int right = limited(x + width, p->width), bottom = limited(y + height, p->height);
    for (int row = limited(y, p->height); row < bottom; row++) {
        for (int column = limited(x, p->width); column < right; column++) {
            mix(&p->pixels[row * p->width + column], color, (int)(256 * alpha));
        }
    }
}

// Text

int text_width(const char* text, int scale) {
    return ((int)strlen(text) * (FONT_WIDTH + 1) - 1) * scale;
}

static void paint_letter(picture* p, int x, int y, int scale, uint32_t color, char letter) {
    for (int row = 0; row < FONT_HEIGHT; row++) {
        for (int column = 0; column < FONT_WIDTH; column++) {
            if (!font_has_dot(letter, column, row)) continue;
            paint_box(p, x + column * scale, y + row * scale, scale, scale, color, 1);
        }
    }
}

void paint_text(picture* p, int x, int y, int scale, uint32_t color, const char* text) {
    int shade = scale > 2 ? 2 : 1;
    for (int i = 0; text[i]; i++) {
        int left = x + i * (FONT_WIDTH + 1) * scale;
        paint_letter(p, left + shade, y + shade, scale, 0x04080c, text[i]);
    }
    for (int i = 0; text[i]; i++) {
        paint_letter(p, x + i * (FONT_WIDTH + 1) * scale, y, scale, color, text[i]);
    }
}
