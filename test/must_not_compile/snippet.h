// The components that the snippets use.
#ifndef SNIPPET_H
#define SNIPPET_H

#include <ilk/ilk.h>

typedef struct Position {
    float x, y;
} Position;

typedef struct Velocity {
    float x, y;
} Velocity;

ILK_DECLARE(Position);
ILK_DECLARE(Velocity);

void snippet(ilk_world* world, ilk_entity e);

#endif
