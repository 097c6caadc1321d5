// Recordings, in memory and as bytes.
//
// As bytes, every number with its lowest byte first:
//     4   "ilkR"
//     4   the version, 1
//     4   the last frame
//     4   one in how many is hashed
//     4   bytes of inputs
//     8…  the hashes
//     4…  where the input of each frame ends, from frame 1 on
//     1…  the inputs
//     8   a checksum of all this
#include "recording.h"

#include "mix.h"

enum {
    HEAD = 20,
    CHECKSUM = 8,
    VERSION = 1
};

static const unsigned char first_four[4] = {'i', 'l', 'k', 'R'};

static uint32_t hashes_of(const ilki_recording* recording, uint32_t frame) {
    return frame / recording->hash_every + 1;
}

// Where the inputs up to a frame end.
static uint32_t end_of(const ilki_recording* recording, uint32_t frame) {
    return frame ? recording->ends[frame - 1] : 0;
}

bool ilki_recording_init(ilki_recording* recording, ilki_memory* memory, uint32_t hash_every) {
    *recording = (ilki_recording){.hash_every = hash_every};
    return ilki_grow(memory, ILKI_OTHER, &recording->hashes, &recording->hash_capacity, 1,
                     sizeof *recording->hashes);
}

static void free_part(ilki_memory* memory, void* array, uint32_t capacity, size_t element) {
    ilki_free(memory, ILKI_OTHER, array, capacity * element, _Alignof(max_align_t));
}

void ilki_recording_fini(ilki_recording* recording, ilki_memory* memory) {
    free_part(memory, recording->hashes, recording->hash_capacity, sizeof *recording->hashes);
    free_part(memory, recording->ends, recording->end_capacity, sizeof *recording->ends);
    free_part(memory, recording->inputs, recording->input_capacity, 1);
    *recording = (ilki_recording){0};
}

// Room for so many frames after the first, and bytes of inputs.
static bool make_room(ilki_recording* recording, ilki_memory* memory, uint32_t frames,
                      uint32_t bytes) {
    return ilki_grow(memory, ILKI_OTHER, &recording->hashes, &recording->hash_capacity,
                     hashes_of(recording, frames), sizeof *recording->hashes) &&
           ilki_grow(memory, ILKI_OTHER, &recording->ends, &recording->end_capacity, frames,
                     sizeof *recording->ends) &&
           ilki_grow(memory, ILKI_OTHER, &recording->inputs, &recording->input_capacity, bytes, 1);
}

// Where among the inputs a pointer points to; or UINT32_MAX.
static uint32_t place_among_inputs(const ilki_recording* recording, const void* input) {
    uintptr_t at = (uintptr_t)input, first = (uintptr_t)recording->inputs;
    bool is_among = at >= first && at - first < recording->input_capacity;
    return is_among ? (uint32_t)(at - first) : UINT32_MAX;
}

ilk_result ilki_recording_ready(ilki_recording* recording, ilki_memory* memory, uint32_t frame,
                                const void** input, size_t size) {
    uint32_t end = end_of(recording, frame), place = place_among_inputs(recording, *input);
    if (frame >= ILKI_FRAMES_MAX || size > ILKI_FRAMES_MAX - end) return ILK_FULL;
    bool is_ready = make_room(recording, memory, frame + 1, end + (uint32_t)size);
    if (place != UINT32_MAX) *input = recording->inputs + place;
    return is_ready ? ILK_OK : ILK_NO_MEMORY;
}

void ilki_recording_put(ilki_recording* recording, uint32_t frame, const void* input, size_t size) {
    uint32_t end = end_of(recording, frame);
    if (size) memmove(recording->inputs + end, input, size);
    recording->ends[frame] = end + (uint32_t)size;
    recording->frames = frame + 1;
}

const void* ilki_recording_input(const ilki_recording* recording, uint32_t frame, size_t* size) {
    uint32_t begin = end_of(recording, frame - 1);
    *size = end_of(recording, frame) - begin;
    return *size ? recording->inputs + begin : NULL;
}

uint64_t ilki_hash_onward(const ilki_recording* recording, uint32_t frame, uint64_t world) {
    uint64_t before = frame ? ilki_hash_of_frame(recording, frame - 1) : ILKI_ROOT_7;
    return ilki_mix_end(ilki_mix(before, world));
}

void ilki_recording_note(ilki_recording* recording, uint32_t frame, uint64_t world) {
    recording->hashes[frame / recording->hash_every] = ilki_hash_onward(recording, frame, world);
}

uint32_t ilki_recordings_part(const ilki_recording* a, const ilki_recording* b) {
    uint32_t last = a->frames < b->frames ? a->frames : b->frames;
    uint32_t low = 0, high = hashes_of(a, last), count = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (a->hashes[middle] == b->hashes[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low < count ? low * a->hash_every : last;
}

// Bytes.

static unsigned char* put_number(unsigned char* to, uint64_t number, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++) *to++ = (unsigned char)(number >> 8 * i);
    return to;
}

static uint32_t number_at(const unsigned char* from) {
    return (uint32_t)ilki_word_from_few(from, 4);
}

// Of a recording with such a head. It is no more than 4 billion times 13, and some.
static uint64_t size_with(uint32_t frames, uint32_t hash_every, uint32_t inputs) {
    uint64_t hashes = frames / hash_every + UINT64_C(1);
    return HEAD + hashes * 8 + (uint64_t)frames * 4 + inputs + CHECKSUM;
}

size_t ilki_recording_size(const ilki_recording* recording) {
    return (size_t)size_with(recording->frames, recording->hash_every,
                             end_of(recording, recording->frames));
}

uint64_t ilki_checksum(const unsigned char* bytes, size_t size) {
    return ilki_mix_end(ilki_mix_bytes(ilki_mix(ILKI_ROOT_5, size), bytes, size));
}

void ilki_recording_write(const ilki_recording* recording, unsigned char* bytes) {
    uint32_t frames = recording->frames, inputs = end_of(recording, frames);
    memcpy(bytes, first_four, sizeof first_four);
    unsigned char* to = put_number(bytes + sizeof first_four, VERSION, 4);
    to = put_number(to, frames, 4);
    to = put_number(to, recording->hash_every, 4);
    to = put_number(to, inputs, 4);
    for (uint32_t i = 0; i < hashes_of(recording, frames); i++) {
        to = put_number(to, recording->hashes[i], 8);
    }
    for (uint32_t i = 0; i < frames; i++) to = put_number(to, recording->ends[i], 4);
    if (inputs) memcpy(to, recording->inputs, inputs);
    put_number(to + inputs, ilki_checksum(bytes, (size_t)(to + inputs - bytes)), 8);
}

// What is wrong with bytes, before their inputs are looked at; or NULL.
static const char* fault_of(const unsigned char* bytes, size_t size) {
    if (size < HEAD + CHECKSUM) return "they are too few";
    if (memcmp(bytes, first_four, sizeof first_four) != 0) return "they do not begin as one";
    if (number_at(bytes + 4) != VERSION) return "they are of another version";
    uint32_t frames = number_at(bytes + 8), hash_every = number_at(bytes + 12);
    uint32_t inputs = number_at(bytes + 16);
    if (!hash_every || frames > ILKI_FRAMES_MAX || inputs > ILKI_FRAMES_MAX) {
        return "they hold numbers that make no sense";
    }
    if (size != size_with(frames, hash_every, inputs)) return "they are too few or too many";
    bool is_whole =
        ilki_checksum(bytes, size - CHECKSUM) == ilki_word_from(bytes + size - CHECKSUM);
    return is_whole ? NULL : "their checksum is wrong";
}

// False if the inputs do not lie one behind the other, up to the end of all.
static bool read_ends(ilki_recording* recording, const unsigned char* from, uint32_t inputs) {
    uint32_t last = 0;
    for (uint32_t i = 0; i < recording->frames; i++) {
        uint32_t end = number_at(from + (size_t)i * 4);
        if (end < last || end > inputs) return false;
        recording->ends[i] = last = end;
    }
    return last == inputs;
}

static bool read_all(ilki_recording* recording, const unsigned char* bytes, uint32_t inputs) {
    const unsigned char* from = bytes + HEAD;
    uint32_t hashes = hashes_of(recording, recording->frames);
    for (uint32_t i = 0; i < hashes; i++, from += 8) recording->hashes[i] = ilki_word_from(from);
    if (!read_ends(recording, from, inputs)) return false;
    from += (size_t)recording->frames * 4;
    if (inputs) memcpy(recording->inputs, from, inputs);
    return true;
}

ilk_result ilki_recording_read(ilki_recording* recording, ilki_memory* memory,
                               const unsigned char* bytes, size_t size, const char** why) {
    *recording = (ilki_recording){0};
    *why = fault_of(bytes, size);
    if (*why) return ILK_INVALID;
    uint32_t inputs = number_at(bytes + 16);
    recording->frames = number_at(bytes + 8);
    recording->hash_every = number_at(bytes + 12);
    bool has_room = make_room(recording, memory, recording->frames, inputs);
    if (has_room && read_all(recording, bytes, inputs)) return ILK_OK;
    ilki_recording_fini(recording, memory);
    *why = "the inputs do not lie one behind the other";
    return has_room ? ILK_INVALID : ILK_NO_MEMORY;
}
