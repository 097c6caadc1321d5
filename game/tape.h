// Tapes: which keys were held in which frame, to be played again. As text:
//
//     agents 6000
//     0
//     150 start      from frame 150 on, "start" is held
//     152 up right   and from 152 on these two
#ifndef TAPE_H
#define TAPE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tape_step {
    uint32_t frame, keys;
} tape_step;

#define AGENTS_UNSAID UINT32_MAX
#define AGENTS_MOST 10000000

typedef struct tape {
    uint32_t agents; // that it was recorded with, or AGENTS_UNSAID
    tape_step* steps;
    uint32_t count, capacity;
    uint32_t next; // the first that was not played yet
    uint32_t held;
} tape;

// What is played where nobody plays: it starts, rows to a lotus, pauses, and turns back time.
extern const char tape_of_demo[];

void tape_init(tape* t);
void tape_fini(tape* t);

// False, and the reason on stderr, if the text is no tape or the file cannot be read or written.
// What was read before that is still in the tape.
bool tape_parse(tape* t, const char* text);
bool tape_read(tape* t, const char* path);
bool tape_write(const tape* t, const char* path);

// The keys of a frame; frames are asked for in order.
uint32_t tape_play(tape* t, uint32_t frame);

// These keys are held in a frame. False without memory.
bool tape_record(tape* t, uint32_t frame, uint32_t keys);

#endif
