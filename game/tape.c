// Reading and writing tapes. What a tape holds are the frames in which something changed.
#include "tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"

#define LINE 128

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

static bool parse_line(tape* t, char* line) {
    unsigned agents;
    if (line[0] == 0 || line[0] == '#') return true;
    if (sscanf(line, "agents %u", &agents) == 1) {
        t->agents = agents;
        return true;
    }
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

static char* read_all(FILE* file) {
    char* text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        text = size >= 0 ? calloc(1, (size_t)size + 1) : NULL;
        if (text && fread(text, 1, (size_t)size, file) != (size_t)size) text[0] = 0;
    }
    return text;
}

bool tape_read(tape* t, const char* path) {
    FILE* file = fopen(path, "rb");
    char* text = file ? read_all(file) : NULL;
    bool is_read = text && tape_parse(t, text);
    if (!text) perror(path);
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
        fprintf(file, "agents %u\n", t->agents);
        for (uint32_t i = 0; i < t->count; i++) write_step(file, t->steps[i]);
    }
    bool is_written = file && fclose(file) == 0;
    if (!is_written) perror(path);
    return is_written;
}

void tape_fini(tape* t) {
    free(t->steps);
    *t = (tape){0};
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
