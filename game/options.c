#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tape.h"

void options_help(void) {
    puts("Lantern, a game whose whole state is an ilk world.\n"
         "\n"
         "  --headless      without a window: plays a tape, prints the hash of the world\n"
         "  --frames N      how many (900)\n"
         "  --workers N     threads beside the main one (1)\n"
         "  --agents N      fireflies (5000)\n"
         "  --out DIR       without a window, writes a picture of every N-th frame there, as PNG\n"
         "  --every N       (60)\n"
         "  --record FILE   writes what is pressed in the window\n"
         "  --play FILE     plays it, in a window or without one\n"
         "\n"
         "Arrows or WASD row, Space flashes, P pauses, R held turns back time, Enter chooses.");
}

static uint32_t* number_named(options* o, const char* name) {
    if (strcmp(name, "--frames") == 0) return &o->frames;
    if (strcmp(name, "--workers") == 0) return &o->workers;
    if (strcmp(name, "--agents") == 0) return &o->agents;
    if (strcmp(name, "--every") == 0) return &o->every;
    return NULL;
}

static const char** text_named(options* o, const char* name) {
    if (strcmp(name, "--out") == 0) return &o->out;
    if (strcmp(name, "--record") == 0) return &o->record;
    if (strcmp(name, "--play") == 0) return &o->play;
    return NULL;
}

static bool* flag_named(options* o, const char* name) {
    if (strcmp(name, "--headless") == 0) return &o->is_headless;
    if (strcmp(name, "--help") == 0) return &o->wants_help;
    return NULL;
}

static bool parse_number(const char* text, uint32_t* number) {
    char* end;
    unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return end != text && *end == 0 && text[0] != '-' && value <= AGENTS_MOST;
}

// How many arguments were used; 0 if the first is not understood.
static int parse_one(options* o, int count, char** arguments) {
    bool* flag = flag_named(o, arguments[0]);
    if (flag) {
        *flag = true;
        return 1;
    }
    if (count < 2) return 0;
    const char** text = text_named(o, arguments[0]);
    uint32_t* number = number_named(o, arguments[0]);
    if (text) *text = arguments[1];
    return text || (number && parse_number(arguments[1], number)) ? 2 : 0;
}

bool options_parse(options* o, int count, char** arguments) {
    *o = (options){.frames = 900, .workers = 1, .agents = AGENTS_UNSAID, .every = 60};
    for (int i = 1; i < count;) {
        int used = parse_one(o, count - i, arguments + i);
        if (!used) {
            fprintf(stderr, "%s is not understood; see --help.\n", arguments[i]);
            return false;
        }
        i += used;
    }
    if (!o->is_headless || !o->record) return true;
    fputs("There is nothing to record without a window.\n", stderr);
    return false;
}
