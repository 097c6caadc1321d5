// Numbers that come out the same everywhere: vectors, chance, and a wave.
//
// Nothing here calls the C library but sqrtf, which every machine rounds alike; the game is
// compiled without contraction, so that a * b + c is rounded twice by every compiler.
#ifndef NUMBERS_H
#define NUMBERS_H

#include <math.h>
#include <stdint.h>

typedef struct vec {
    float x, y;
} vec;

static inline vec plus(vec a, vec b) {
    return (vec){a.x + b.x, a.y + b.y};
}

static inline vec minus(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y};
}

static inline vec times(vec a, float factor) {
    return (vec){a.x * factor, a.y * factor};
}

static inline float dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y;
}

static inline float length_of(vec a) {
    return sqrtf(dot(a, a));
}

static inline vec right_of(vec a) {
    return (vec){-a.y, a.x};
}

// One long; `otherwise` for a vector that is next to nothing.
static inline vec direction_of(vec a, vec otherwise) {
    float length = length_of(a);
    return length > 0.001f ? times(a, 1 / length) : otherwise;
}

// The same, but no longer than `most`.
static inline vec at_most(vec a, float most) {
    float length = length_of(a);
    return length > most ? times(a, most / length) : a;
}

static inline float between(float low, float high, float share) {
    return low + (high - low) * share;
}

static inline float clamp(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

// Chance: a number that two others decide, be it an entity and a tick. So nothing is drawn from a
// shared source, and it does not matter who asks first.
static inline uint32_t chance(uint32_t a, uint32_t b) {
    uint32_t x = a * 0x9e3779b1u ^ (b + 0x7f4a7c15u) * 0x85ebca77u;
    x = (x ^ x >> 15) * 0x2c1b3c6du;
    x = (x ^ x >> 12) * 0x297a2d39u;
    return x ^ x >> 15;
}

// The same, from 0 to 1, without 1.
static inline float chance_share(uint32_t a, uint32_t b) {
    return (float)(chance(a, b) >> 8) * (1.0f / 16777216);
}

// A sine, near enough, of so many turns (at least 0).
static inline float wave(float turns) {
    float x = turns - (float)(uint32_t)turns;
    return x < 0.5f ? 16 * x * (0.5f - x) : -16 * (x - 0.5f) * (1 - x);
}

// The direction after so many turns.
static inline vec turned(float turns) {
    return direction_of((vec){wave(turns + 0.25f), wave(turns)}, (vec){1, 0});
}

#endif
