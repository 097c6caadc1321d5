// Recordings: the inputs of frames, and hashes of what became of them.
//
// Each hash takes in the one before it. So from the first frame on in which two recordings differ,
// all their hashes do, and it is found by bisection.
#ifndef ILKI_RECORDING_H
#define ILKI_RECORDING_H

#include "../base/memory.h"

#define ILKI_FRAMES_MAX (UINT32_MAX - 1) // also bytes of inputs

typedef struct ilki_recording {
    uint32_t frames;     // the last one
    uint32_t hash_every; // frames 0, hash_every, 2 * hash_every… are hashed
    uint64_t* hashes;    // of these
    uint32_t* ends;      // of the inputs of frames 1, 2, 3…
    unsigned char* inputs;
    uint32_t hash_capacity, end_capacity, input_capacity;
} ilki_recording;

// Frame 0, which has no input. False without memory.
bool ilki_recording_init(ilki_recording* recording, ilki_memory* memory, uint32_t hash_every);
void ilki_recording_fini(ilki_recording* recording, ilki_memory* memory);

// Makes room for an input that comes after a frame: OK, FULL or NO_MEMORY. Where it is one of those
// that are recorded, it moves with them.
ilk_result ilki_recording_ready(ilki_recording* recording, ilki_memory* memory, uint32_t frame,
                                const void** input, size_t size);

// The input that comes after a frame; those that came after it are forgotten.
void ilki_recording_put(ilki_recording* recording, uint32_t frame, const void* input, size_t size);

// The input of a frame, from 1 on; NULL if it is empty.
const void* ilki_recording_input(const ilki_recording* recording, uint32_t frame, size_t* size);

ILKI_INLINE bool ilki_is_hashed(const ilki_recording* recording, uint32_t frame) {
    return frame % recording->hash_every == 0;
}

// Of the frame, or of the last before it that is hashed.
ILKI_INLINE uint64_t ilki_hash_of_frame(const ilki_recording* recording, uint32_t frame) {
    return recording->hashes[frame / recording->hash_every];
}

// What the hash of a frame is, given that of the world.
uint64_t ilki_hash_onward(const ilki_recording* recording, uint32_t frame, uint64_t world);

// Notes the hash of the world in a frame.
void ilki_recording_note(ilki_recording* recording, uint32_t frame, uint64_t world);

// The first frame whose hash is not the same in both; if there is none, the last that both have.
uint32_t ilki_recordings_part(const ilki_recording* a, const ilki_recording* b);

// How many bytes a recording is when it is written; writes them.
size_t ilki_recording_size(const ilki_recording* recording);
void ilki_recording_write(const ilki_recording* recording, unsigned char* bytes);

// Reads a recording. OK; INVALID, and what is wrong with the bytes; or NO_MEMORY.
ilk_result ilki_recording_read(ilki_recording* recording, ilki_memory* memory,
                               const unsigned char* bytes, size_t size, const char** why);

// The checksum of bytes that are written.
uint64_t ilki_checksum(const unsigned char* bytes, size_t size);

#endif
