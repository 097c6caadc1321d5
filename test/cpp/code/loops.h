// The components of the loops whose machine code is compared.
#ifndef LOOPS_H
#define LOOPS_H

#include <ilk/ilk.h>

typedef struct Position {
    float x, y;
} Position;

typedef struct Velocity {
    float x, y;
} Velocity;

#endif
