// What the things in the pond look like.
#ifndef SPRITES_H
#define SPRITES_H

#include "canvas.h"
#include "components.h"

// One thing to be painted.
typedef struct subject {
    float size;
    vec at;      // in the picture
    vec heading; // one long
    uint32_t tick;
    ilk_entity entity;
    bool is_awake; // of a lotus
} subject;

// A kind of things: who is of it, and how one is painted.
typedef struct sprite_layer {
    const char* name; // of the system that draws them
    ilk_type* type;
    void (*paint)(picture* p, const subject* s);
} sprite_layer;

// From the lowest to the highest; ends with one without a name.
extern const sprite_layer sprite_layers[];

#endif
