// The game in a window, by SDL.
#ifndef WINDOW_H
#define WINDOW_H

#include "game.h"
#include "options.h"
#include "tape.h"

typedef struct window window;

// NULL if there is no display, or the game was built without SDL; the reason is told.
window* window_open(void);
void window_close(window* w);

// Until the player leaves. Plays the tape if o->play is given, and records to it otherwise. The
// exit code of the program.
int window_run(window* w, game* g, tape* t, const options* o);

#endif
