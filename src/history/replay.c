// Replays: a recording, a ring of snapshots, and the way between its frames.
//
// The frame where the world is, `now`, is one of the recording's, and the world is what it was when
// that was recorded, unless it is astray: then it is what became of the frame when it was played
// again. A frame that is to be kept is so before the next one is played, so that whatever may fail
// does so before anything has changed.
#include <ilk/replay.h>

#include "../storage/looking.h"
#include "history.h"
#include "recording.h"

struct ilk_replay {
    ilk_world* world;
    ilk_replay* next; // of the world's
    ilk_replay_desc desc;
    ilk_ring* ring;
    ilk_snapshot* start; // frame 0
    ilki_recording recording;
    uint32_t now;
    bool is_astray;
};

// LOCKED while a frame of the world is being played.
static ilk_result enter_between_frames(ilk_world* world, const char* call) {
    ilk_result result = ilki_enter(world, call);
    if (result != ILK_OK || !world->is_replaying) return result;
    return ilki_fail_because(world, ILK_LOCKED, call, NULL, "a frame is being played");
}

static ilk_result enter_replay(ilk_replay* replay, const char* call) {
    if (!replay) return ILK_INVALID;
    ilk_result result = enter_between_frames(replay->world, call);
    return result == ILK_OK ? ilki_moment_for_history(replay->world, call) : result;
}

// Making and ending.

static bool begin_replay(ilk_replay* replay, const char* call) {
    ilk_world* world = replay->world;
    if (!ilki_recording_init(&replay->recording, &world->storage.memory, replay->desc.hash_every)) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        return false;
    }
    ilki_recording_note(&replay->recording, 0, ilk_hash_layout(world));
    replay->start = ilk_snapshot_take(world);
    if (replay->start) replay->ring = ilk_ring_create(world, &replay->desc.keep);
    return replay->ring != NULL;
}

static void end_replay(ilk_replay* replay) {
    ilki_memory* memory = &replay->world->storage.memory;
    if (replay->ring) ilki_ring_end(replay->ring);
    ilk_snapshot_release(replay->start);
    ilki_recording_fini(&replay->recording, memory);
    ilki_free(memory, ILKI_OTHER, replay, sizeof *replay, _Alignof(ilk_replay));
}

ilk_replay* ilk_replay_create(ilk_world* world, const ilk_replay_desc* desc) {
    const char* call = "ilk_replay_create";
    if (enter_between_frames(world, call) != ILK_OK) return NULL;
    if (!desc || !desc->play) {
        ilki_fail_because(world, ILK_INVALID, call, NULL, "there is no function to play a frame");
        return NULL;
    }
    ilk_replay* replay =
        ilki_alloc(&world->storage.memory, ILKI_OTHER, sizeof *replay, _Alignof(ilk_replay));
    if (!replay) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        return NULL;
    }
    *replay = (ilk_replay){.world = world, .next = world->replays, .desc = *desc};
    if (!replay->desc.hash_every) replay->desc.hash_every = 1;
    if (begin_replay(replay, call)) return world->replays = replay;
    end_replay(replay);
    return NULL;
}

void ilk_replay_destroy(ilk_replay* replay) {
    if (!replay || enter_between_frames(replay->world, "ilk_replay_destroy") != ILK_OK) return;
    ilk_replay** link = &replay->world->replays;
    while (*link != replay) link = &(*link)->next;
    *link = replay->next;
    end_replay(replay);
}

void ilki_replays_free(ilk_world* world) {
    while (world->replays) {
        ilk_replay* replay = world->replays;
        world->replays = replay->next;
        end_replay(replay);
    }
}

// Playing.

// A loop that is open would keep holes from being filled, and is not part of what is gone back to.
static void play_next(ilk_replay* replay) {
    size_t size;
    const void* input = ilki_recording_input(&replay->recording, replay->now + 1, &size);
    ilki_here place = ilki_place_of_call();
    ilki_look_no_more(&replay->world->storage, "a frame is played");
    replay->world->is_replaying = true;
    replay->desc.play(replay->world, input, size, replay->desc.context);
    replay->world->is_replaying = false;
    ilki_set_place_of_call(place);
    replay->now++;
}

static ilk_result fit_to_record(ilk_replay* replay, const void** input, size_t size,
                                const char* call) {
    ilk_world* world = replay->world;
    if (replay->is_astray) {
        return ilki_fail_because(world, ILK_STALE, call, NULL,
                                 "frame %u is not what was recorded: go to one that is",
                                 replay->now);
    }
    ilk_result result = ilki_fit_to_take(world, call);
    if (result != ILK_OK) return result;
    result =
        ilki_recording_ready(&replay->recording, &world->storage.memory, replay->now, input, size);
    if (result == ILK_OK) return ilki_ring_keep(replay->ring, replay->now, call);
    return ilki_fail(world, result, call, ILKI_NULL, NULL);
}

ilk_result ilk_replay_record(ilk_replay* replay, const void* input, size_t size) {
    const char* call = "ilk_replay_record";
    ilk_result result = enter_replay(replay, call);
    if (result != ILK_OK) return result;
    if (size && !input) {
        return ilki_fail_because(replay->world, ILK_INVALID, call, NULL, "there is no input");
    }
    result = fit_to_record(replay, &input, size, call);
    if (result != ILK_OK) return result;
    ilki_ring_forget(replay->ring, replay->now);
    ilki_recording_put(&replay->recording, replay->now, input, size);
    play_next(replay);
    if (ilki_is_hashed(&replay->recording, replay->now)) {
        ilki_recording_note(&replay->recording, replay->now, ilk_hash_layout(replay->world));
    }
    return ILK_OK;
}

// Going to a frame.

static bool is_as_recorded(const ilk_replay* replay) {
    const ilki_recording* recording = &replay->recording;
    if (!ilki_is_hashed(recording, replay->now)) return true;
    uint64_t hash = ilki_hash_onward(recording, replay->now, ilk_hash_layout(replay->world));
    return hash == ilki_hash_of_frame(recording, replay->now);
}

static ilk_result go_astray(ilk_replay* replay, const char* call) {
    replay->is_astray = true;
    return ilki_fail_because(replay->world, ILK_CLASH, call, NULL,
                             "frame %u is not what it was when it was recorded", replay->now);
}

// A frame that cannot be kept is reached all the same.
static ilk_result play_again(ilk_replay* replay, const char* call) {
    (void)ilki_ring_keep(replay->ring, replay->now, call);
    play_next(replay);
    return is_as_recorded(replay) ? ILK_OK : go_astray(replay, call);
}

static ilk_result play_on(ilk_replay* replay, uint64_t to, const char* call) {
    ilk_result result = ILK_OK;
    while (result == ILK_OK && replay->now < to) result = play_again(replay, call);
    return result;
}

// The last frame at or before one that can be gone back to.
static ilk_snapshot* kept_before(const ilk_replay* replay, uint64_t frame, uint64_t* kept) {
    ilk_snapshot* snapshot = ilk_ring_at(replay->ring, frame, kept);
    while (snapshot && snapshot->is_lost) {
        snapshot = *kept ? ilk_ring_at(replay->ring, *kept - 1, kept) : NULL;
    }
    if (!snapshot) *kept = 0;
    return snapshot ? snapshot : replay->start;
}

// Whether the world is what it was when the present frame was recorded: no command waits at the end
// of one, and such may have taken handles.
static bool is_at_frame(const ilk_replay* replay) {
    return !replay->is_astray && !ilki_cmds_waiting(replay->world);
}

// Goes back to a frame that is kept, unless the way on from the present one is shorter.
static ilk_result come_near(ilk_replay* replay, uint64_t frame) {
    uint64_t kept;
    ilk_snapshot* snapshot = kept_before(replay, frame, &kept);
    bool is_near = replay->now >= kept && replay->now < frame && is_at_frame(replay);
    ilk_result result = is_near ? ILK_OK : ilk_snapshot_restore(snapshot);
    if (is_near || result != ILK_OK) return result;
    replay->now = (uint32_t)kept;
    replay->is_astray = false;
    return ILK_OK;
}

static ilk_result go_to_frame(ilk_replay* replay, uint64_t frame, const char* call) {
    if (frame > replay->recording.frames) {
        return ilki_fail_because(replay->world, ILK_MISSING, call, NULL,
                                 "frame %llu is not recorded: the last is %u",
                                 (unsigned long long)frame, replay->recording.frames);
    }
    ilk_result result = come_near(replay, frame);
    return result == ILK_OK ? play_on(replay, frame, call) : result;
}

ilk_result ilk_replay_go(ilk_replay* replay, uint64_t frame) {
    const char* call = "ilk_replay_go";
    ilk_result result = enter_replay(replay, call);
    return result == ILK_OK ? go_to_frame(replay, frame, call) : result;
}

ilk_result ilk_replay_verify(ilk_replay* replay, uint64_t from, uint64_t to) {
    const char* call = "ilk_replay_verify";
    ilk_result result = enter_replay(replay, call);
    if (result != ILK_OK) return result;
    if (from > to) {
        return ilki_fail_because(replay->world, ILK_INVALID, call, NULL,
                                 "frame %llu comes before frame %llu", (unsigned long long)to,
                                 (unsigned long long)from);
    }
    if (to > replay->recording.frames) return go_to_frame(replay, to, call);
    result = go_to_frame(replay, from, call);
    return result == ILK_OK ? play_on(replay, to, call) : result;
}

// Two recordings.

static ilk_result go_both(ilk_replay* a, ilk_replay* b, uint64_t frame, const char* call) {
    ilk_result result = go_to_frame(a, frame, call);
    return result == ILK_OK ? go_to_frame(b, frame, call) : result;
}

// Plays on until the worlds differ, up to a frame.
static ilk_result play_apart(ilk_replay* a, ilk_replay* b, uint64_t to, const char* call) {
    ilk_result result = ILK_OK;
    while (result == ILK_OK && a->now < to) {
        result = play_again(a, call);
        if (result == ILK_OK) result = play_again(b, call);
        if (ilk_hash_layout(a->world) != ilk_hash_layout(b->world)) return result;
    }
    return result;
}

static ilk_result fit_to_diverge(ilk_replay* a, ilk_replay* b, const char* call) {
    ilk_result result = enter_replay(a, call);
    if (result == ILK_OK) result = enter_replay(b, call);
    if (result != ILK_OK) return result;
    if (a->world == b->world) {
        return ilki_fail_because(a->world, ILK_INVALID, call, NULL,
                                 "both replays are of world \"%s\"", a->world->name);
    }
    if (a->recording.hash_every == b->recording.hash_every) return ILK_OK;
    return ilki_fail_because(a->world, ILK_INVALID, call, NULL,
                             "one frame in %u is hashed, and in the other recording one in %u",
                             a->recording.hash_every, b->recording.hash_every);
}

ilk_result ilk_replay_diverge(ilk_replay* a, ilk_replay* b, uint64_t* frame,
                              ilk_divergence* first) {
    const char* call = "ilk_replay_diverge";
    if (!frame || !first) return ILK_INVALID;
    ilk_result result = fit_to_diverge(a, b, call);
    if (result != ILK_OK) return result;
    uint32_t to = ilki_recordings_part(&a->recording, &b->recording);
    uint32_t every = a->recording.hash_every, behind = to % every ? to % every : every;
    result = go_both(a, b, to > behind ? to - behind : 0, call);
    if (result == ILK_OK) result = play_apart(a, b, to, call);
    if (result != ILK_OK) return result;
    *frame = a->now;
    return ilk_diverge(a->world, b->world, first);
}

// What is recorded.

uint64_t ilk_replay_hash(const ilk_replay* replay, uint64_t frame) {
    if (!replay || frame > replay->recording.frames) return 0;
    return ilki_hash_of_frame(&replay->recording, (uint32_t)frame);
}

const void* ilk_replay_input(const ilk_replay* replay, uint64_t frame, size_t* size) {
    size_t unasked;
    if (!size) size = &unasked;
    *size = 0;
    if (!replay || !frame || frame > replay->recording.frames) return NULL;
    return ilki_recording_input(&replay->recording, (uint32_t)frame, size);
}

ilk_replay_stats ilk_replay_stats_of(const ilk_replay* replay) {
    if (!replay) return (ilk_replay_stats){0};
    const ilki_recording* recording = &replay->recording;
    return (ilk_replay_stats){
        .frame = replay->now,
        .last = recording->frames,
        .is_astray = replay->is_astray,
        .kept = ilk_ring_stats_of(replay->ring).count,
        .bytes = recording->hash_capacity * sizeof *recording->hashes +
                 recording->end_capacity * sizeof *recording->ends + recording->input_capacity,
    };
}

size_t ilk_replay_save(const ilk_replay* replay, void* bytes, size_t size) {
    if (!replay) return 0;
    size_t needed = ilki_recording_size(&replay->recording);
    if (bytes && size >= needed) ilki_recording_write(&replay->recording, bytes);
    return needed;
}

// Whether a recording is one of the world, which goes to frame 0 then.
static ilk_result take_over(ilk_replay* replay, const ilki_recording* recording, const char* call) {
    if (recording->hashes[0] != replay->recording.hashes[0]) {
        return ilki_fail_because(replay->world, ILK_CLASH, call, NULL,
                                 "world \"%s\" is not in frame 0 what the recorded one was",
                                 replay->world->name);
    }
    return ilk_snapshot_restore(replay->start);
}

ilk_result ilk_replay_load(ilk_replay* replay, const void* bytes, size_t size) {
    const char *call = "ilk_replay_load", *why;
    ilk_result result = enter_replay(replay, call);
    if (result != ILK_OK) return result;
    ilki_memory* memory = &replay->world->storage.memory;
    ilki_recording coming;
    result = ilki_recording_read(&coming, memory, bytes, bytes ? size : 0, &why);
    if (result == ILK_NO_MEMORY) return ilki_fail(replay->world, result, call, ILKI_NULL, NULL);
    if (result != ILK_OK) {
        return ilki_fail_because(replay->world, result, call, NULL,
                                 "the bytes are not those of a recording: %s", why);
    }
    result = take_over(replay, &coming, call);
    ilki_recording gone = result == ILK_OK ? replay->recording : coming;
    if (result == ILK_OK) replay->recording = coming;
    ilki_recording_fini(&gone, memory);
    if (result != ILK_OK) return result;
    ilki_ring_forget(replay->ring, 0);
    replay->now = 0;
    replay->is_astray = false;
    return ILK_OK;
}
