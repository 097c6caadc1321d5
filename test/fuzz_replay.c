// Recordings as a target of libFuzzer: any bytes are one, with a checksum and a first hash that are
// put right, since nobody would ever guess them. What can be read is written again, and must be the
// same; it is played as far as it goes, and the world is sound. Otherwise it aborts.
#include <ilk/ilk.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

typedef struct Sum {
    uint32_t value;
} Sum;
ILK_COMPONENT(Sum);

enum {
    HEAD = 20,
    CHECKSUM = 8,
    HASH = 8
};

static void require(bool holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void play(ilk_world* world, const void* input, size_t size, void* context) {
    (void)context;
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = ((const uint8_t*)input)[i];
        ILK_SPAWN(world, ILK_VALUE(Sum, byte));
    }
}

static void put_number(uint8_t* to, uint64_t number) {
    for (uint32_t i = 0; i < 8; i++) to[i] = (uint8_t)(number >> 8 * i);
}

// As they are, they are hardly ever a recording; but then they are a whole one.
static void read_as_they_are(const uint8_t* bytes, size_t size) {
    ilki_memory memory;
    ilki_recording recording;
    const char* why = NULL;
    ilki_memory_init(&memory, &(ilk_allocator){0});
    ilk_result result = ilki_recording_read(&recording, &memory, bytes, size, &why);
    require((result == ILK_INVALID) == (why != NULL), "no reason");
    if (result == ILK_OK) require(ilki_recording_size(&recording) == size, "another size");
    ilki_recording_fini(&recording, &memory);
    require(memory.bytes[ILKI_OTHER] == 0, "memory is kept");
}

static void check_written(const ilk_replay* replay, const uint8_t* bytes, size_t size) {
    require(ilk_replay_save(replay, NULL, 0) == size, "another size");
    uint8_t* again = malloc(size);
    require(again != NULL, "no memory");
    ilk_replay_save(replay, again, size);
    require(memcmp(again, bytes, size) == 0, "written otherwise");
    free(again);
}

// Up to the first frame that is not what was recorded, and on from there anew.
static void play_on(ilk_world* world, ilk_replay* replay) {
    uint64_t last = ilk_replay_stats_of(replay).last;
    ilk_result result = ilk_replay_verify(replay, 0, last);
    ilk_replay_stats stats = ilk_replay_stats_of(replay);
    require((result == ILK_CLASH) == stats.is_astray, "astray without a clash");
    require(stats.is_astray || stats.frame == last, "not at the end");
    require(ilk_replay_go(replay, stats.is_astray ? stats.frame - 1 : last) == ILK_OK, "no way");
    require(ilk_replay_record(replay, "abc", 3) == ILK_OK, "nothing is recorded");
    require(ilk_world_validate(world, NULL, 0) == ILK_OK, "the world is not sound");
}

static void load(ilk_world* world, ilk_replay* replay, uint8_t* bytes, size_t size) {
    put_number(bytes + HEAD, ilk_replay_hash(replay, 0));
    put_number(bytes + size - CHECKSUM, ilki_checksum(bytes, size - CHECKSUM));
    ilk_result result = ilk_replay_load(replay, bytes, size);
    require(result == ILK_OK || result == ILK_INVALID, "another result");
    if (result != ILK_OK) return;
    check_written(replay, bytes, size);
    play_on(world, replay);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    read_as_they_are(bytes, size);
    if (size < HEAD + HASH + CHECKSUM) return 0;
    ilk_world* world = ilk_world_create(NULL);
    ilk_replay_desc desc = {.play = play, .keep = {.frames = 4, .every = 3}};
    ilk_replay* replay = ilk_replay_create(world, &desc);
    require(replay != NULL, "no replay");
    uint8_t* whole = malloc(size);
    require(whole != NULL, "no memory");
    memcpy(whole, bytes, size);
    load(world, replay, whole, size);
    free(whole);
    ilk_world_destroy(world);
    return 0;
}
