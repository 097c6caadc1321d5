// The game without a window: a tape is played, pictures are written, and the hash is printed.
#ifndef HEADLESS_H
#define HEADLESS_H

#include "game.h"
#include "options.h"
#include "tape.h"

// The exit code of the program.
int headless_run(game* g, tape* t, const options* o);

#endif
