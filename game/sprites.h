// What the things in the pond look like.
#ifndef SPRITES_H
#define SPRITES_H

#include "canvas.h"
#include "components.h"

// One thing to be painted.
typedef struct subject {
    Sprite sprite;
    vec at;      // in the picture
    vec heading; // one long
    uint32_t tick;
    ilk_entity entity;
    bool is_awake; // of a lotus
} subject;

void paint_sprite(picture* p, const subject* s);

#endif
