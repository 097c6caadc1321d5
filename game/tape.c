// Reading and writing tapes. What a tape holds are the frames in which something changed.
#include "tape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"

#define LINE 128
#define LONGEST (4 << 20) // of a file: hours of play

static const struct {
    const char* name;
    uint32_t key;
} names[] = {
    {"up", KEY_UP},       {"down", KEY_DOWN},   {"left", KEY_LEFT},   {"right", KEY_RIGHT},
    {"flash", KEY_FLASH}, {"start", KEY_START}, {"pause", KEY_PAUSE}, {"rewind", KEY_REWIND},
};

#define NAMES (sizeof names / sizeof *names)

const char tape_of_demo[] = "0\n"
                            "170 start\n"
                            "174\n"
                            "190 right\n"
                            "290 right down\n"
                            "330\n"
                            "440 left\n"
                            "470 pause\n"
                            "474\n"
                            "520 start\n"
                            "524 left up\n"
                            "590 flash left\n"
                            "594 left\n"
                            "640 rewind\n"
                            "720 up\n"
                            "800 right\n"
                            "880\n";

void tape_init(tape* t) {
    *t = (tape){.agents = AGENTS_UNSAID};
}

void tape_fini(tape* t) {
    free(t->steps);
}

static uint32_t key_named(const char* name) {
    for (uint32_t i = 0; i < NAMES; i++) {
        if (strcmp(names[i].name, name) == 0) return names[i].key;
    }
    return 0;
}

static bool add_step(tape* t, uint32_t frame, uint32_t keys) {
    if (t->count == t->capacity) {
        uint32_t capacity = t->capacity ? 2 * t->capacity : 64;
        tape_step* steps = realloc(t->steps, capacity * sizeof *steps);
        if (!steps) return false;
        t->steps = steps;
        t->capacity = capacity;
    }
    t->steps[t->count++] = (tape_step){frame, keys};
    return true;
}

// "152 up right"; the line is cut into its words.
static bool parse_step(tape* t, char* line) {
    char* end;
    unsigned long frame = strtoul(line, &end, 10);
    bool is_later = !t->count || frame > t->steps[t->count - 1].frame;
    if (end == line || !is_later || frame > UINT32_MAX) return false;
    uint32_t keys = 0;
    for (char* word = strtok(end, " \r"); word; word = strtok(NULL, " \r")) {
        uint32_t key = key_named(word);
        if (!key) return false;
        keys |= key;
    }
    return add_step(t, (uint32_t)frame, keys);
}

static bool parse_agents(tape* t, const char* text) {
    char* end;
    unsigned long agents = strtoul(text, &end, 10);
    t->agents = (uint32_t)agents;
    return end != text && (*end == 0 || *end == '\r') && agents <= AGENTS_MOST;
}

static bool parse_line(tape* t, char* line) {
    static const char agents[] = "agents ";
    if (line[0] == 0 || line[0] == '#') return true;
    if (strncmp(line, agents, strlen(agents)) == 0) return parse_agents(t, line + strlen(agents));
    return parse_step(t, line);
}

bool tape_parse(tape* t, const char* text) {
    for (int number = 1; *text; number++) {
        char line[LINE];
        size_t length = strcspn(text, "\n");
        bool is_short = length < LINE;
        snprintf(line, LINE, "%.*s", is_short ? (int)length : 0, text);
        if (!is_short || !parse_line(t, line)) {
            fprintf(stderr, "Line %d of the tape is not understood.\n", number);
            return false;
        }
        text += length + (text[length] == '\n');
    }
    return true;
}

// False, and errno, if a file cannot be read, as a folder cannot, or is too long.
static bool read_text(FILE* file, char text[LONGEST + 1]) {
    size_t length = fread(text, 1, LONGEST + 1, file);
    if (ferror(file)) return false;
    if (length > LONGEST) {
        errno = EFBIG;
        return false;
    }
    text[length] = 0;
    return true;
}

bool tape_read(tape* t, const char* path) {
    FILE* file = fopen(path, "rb");
    char* text = file ? malloc(LONGEST + 1) : NULL;
    bool is_text = text && read_text(file, text);
    if (!is_text) perror(path);
    bool is_read = is_text && tape_parse(t, text);
    if (file) fclose(file);
    free(text);
    return is_read;
}

static void write_step(FILE* file, tape_step step) {
    fprintf(file, "%u", step.frame);
    for (uint32_t i = 0; i < NAMES; i++) {
        if (step.keys & names[i].key) fprintf(file, " %s", names[i].name);
    }
    fprintf(file, "\n");
}

bool tape_write(const tape* t, const char* path) {
    FILE* file = fopen(path, "wb");
    if (file) {
        if (t->agents != AGENTS_UNSAID) fprintf(file, "agents %u\n", t->agents);
        for (uint32_t i = 0; i < t->count; i++) write_step(file, t->steps[i]);
    }
    bool is_written = file && fclose(file) == 0;
    if (!is_written) perror(path);
    return is_written;
}

uint32_t tape_play(tape* t, uint32_t frame) {
    while (t->next < t->count && t->steps[t->next].frame <= frame) {
        t->held = t->steps[t->next++].keys;
    }
    return t->held;
}

bool tape_record(tape* t, uint32_t frame, uint32_t keys) {
    uint32_t before = t->count ? t->steps[t->count - 1].keys : ~keys;
    return before == keys || add_step(t, frame, keys);
}
