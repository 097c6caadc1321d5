// Lantern: a boat on a pond at night, thousands of fireflies, and bats. `ilk_game --help` tells the
// options, docs/game.md how it is made.
#include <stdio.h>

#include "headless.h"
#include "window.h"

#define AGENTS 5000

// The tape that is asked for; without a window, otherwise that of the demonstration.
static bool load_tape(tape* t, const options* o, const window* w) {
    if (o->play) return tape_read(t, o->play);
    return w || tape_parse(t, tape_of_demo);
}

static int play(window* w, tape* t, const options* o) {
    if (o->agents != AGENTS_UNSAID) t->agents = o->agents;
    if (t->agents == AGENTS_UNSAID) t->agents = AGENTS;
    game* g = game_create(&(game_desc){.workers = o->workers, .agents = t->agents});
    int status = 1;
    if (g) status = w ? window_run(w, g, t, o) : headless_run(g, t, o);
    game_destroy(g);
    return status;
}

static int run(window* w, const options* o) {
    tape t;
    tape_init(&t);
    int status = load_tape(&t, o, w) ? play(w, &t, o) : 2;
    tape_fini(&t);
    return status;
}

int main(int count, char** arguments) {
    options o;
    if (!options_parse(&o, count, arguments)) return 2;
    if (o.wants_help) {
        options_help();
        return 0;
    }
    window* w = o.is_headless ? NULL : window_open();
    if (!w && !o.is_headless) puts("Playing without a window; see --help.");
    int status = run(w, &o);
    window_close(w);
    return status;
}
