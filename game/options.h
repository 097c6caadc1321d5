// What the program was asked for.
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct options {
    bool is_headless, wants_help;
    uint32_t frames, workers, agents, every; // AGENTS_UNSAID: those of the tape, or 5,000
    const char *out, *record, *play;         // or NULL
} options;

// False, and the reason on stderr, if something is not understood.
bool options_parse(options* o, int count, char** arguments);
void options_help(void);

#endif
