// Replays: what was put into each frame of a world, to play any of them again.
//
//     static void play(ilk_world* world, const void* input, size_t size, void* context) {
//         …                          // what the players did
//         ilk_update(world, 1.0 / 60);
//     }
//
//     ilk_replay* replay = ilk_replay_create(world, &(ilk_replay_desc){.play = play});
//     for (;;) ilk_replay_record(replay, &buttons, sizeof buttons); // frame 1, 2, 3…
//     ilk_replay_go(replay, 40);                                    // as it was; the rest is kept
//     ilk_replay_verify(replay, 0, 600);                            // CLASH: "frame 12 is not …"
//
// Frame 0 is the world as it was when the replay was made; frame n is what became of frame n - 1
// and the n-th input. Between frames the world is changed by `play` alone, which knows nothing but
// the world, the input and what never changes: then the same inputs give the same world, bit for
// bit. That is checked: each frame is hashed when it is recorded, with its layout
// (ilk_hash_layout), and again whenever it is played. Loops that are open end when a frame begins.
//
// Some frames are kept as snapshots, as in a ring; those between them are played again from the one
// before. Frame 0 is always kept.
//
// A replay ends with its world, if not before. Everything here is for the world's thread, and
// LOCKED inside systems and inside `play`, but for what only reads.
#ifndef ILK_REPLAY_H
#define ILK_REPLAY_H

#include "hash.h"
#include "snapshot.h"

#ifdef __cplusplus
extern "C" {
#endif

// The recording of a world, frame by frame.
typedef struct ilk_replay ilk_replay;

// Play one frame. The input is valid until it returns; NULL and 0 if there is none.
typedef void ilk_frame_fn(ilk_world* world, const void* input, size_t size, void* context);

// All zero but for a function is valid.
typedef struct ilk_replay_desc {
    ilk_frame_fn* play;
    void* context;
    ilk_ring_desc keep;  // which frames, beside frame 0
    uint32_t hash_every; // hashes one frame in so many; 0: each
} ilk_replay_desc;

// Make a replay of a world, which is at frame 0. All of that world is hashed here.
// NULL, and the result in ilk_error: INVALID without a function; otherwise as
// ilk_snapshot_take.
ILK_API ilk_replay* ilk_replay_create(ilk_world* world, const ilk_replay_desc* desc);

// End a replay: the world stays as it is. NULL is allowed; inside `play` nothing happens.
ILK_API void ilk_replay_destroy(ilk_replay* replay);

// Record an input, which is copied, and play a frame with it. Frames after the present one, if it
// was gone back to, are forgotten. INVALID without a replay or an input of that size; STALE after a
// CLASH, until a frame was gone to; FULL beyond 4 billion frames, or bytes of inputs; otherwise as
// ilk_snapshot_take, since a snapshot must be possible at the beginning of each frame. Then nothing
// is recorded or played.
ILK_API ilk_result ilk_replay_record(ilk_replay* replay, const void* input, size_t size);

// Go to a frame: back to the last one that is kept at or before it, or from the present one if that
// is nearer, and on from there by playing. Commands that wait are dropped either way. Frames after
// it are remembered until the next one is recorded. MISSING if it is not recorded; as
// ilk_snapshot_restore, and then nothing has changed. CLASH if a frame on the way is not what it
// was when it was recorded: then the world is at the first that was noticed, as it was played now.
// (Where there is no memory to keep a frame on the way, this is told, and it is not kept.)
ILK_API ilk_result ilk_replay_go(ilk_replay* replay, uint64_t frame);

// Go to a frame, and play on from there, frame by frame, to another one. INVALID if that is an
// earlier one; otherwise as ilk_replay_go.
ILK_API ilk_result ilk_replay_verify(ilk_replay* replay, uint64_t from, uint64_t to);

// The first frame in which two recordings of different worlds differ, found by bisection of their
// hashes, and how: OK, both worlds are at `*frame`, and `*first` says what differs there. If all
// that both have is the same, that is nothing, and `*frame` is the last that both have. Of frames
// that were not hashed, at most `hash_every` are played. INVALID without two replays of different
// worlds and a place for each answer, or if they do not hash the same frames; otherwise as
// ilk_replay_go, and the worlds are where they have come to.
ILK_API ilk_result ilk_replay_diverge(ilk_replay* a, ilk_replay* b, uint64_t* frame,
                                      ilk_divergence* first);

// The hash of all frames up to one that were hashed: if it is the same for two replays, then so is
// every one of these, and if it is not, then never again for frames after it. So two machines find
// the first frame that differs by asking each other for few numbers. 0 if the frame is not
// recorded.
ILK_API uint64_t ilk_replay_hash(const ilk_replay* replay, uint64_t frame);

// The input with which a frame was made; NULL if it is not recorded, or if there was none. It lives
// until the next one is recorded, another recording is loaded, or the replay ends, by itself or
// with its world. `size` may be NULL.
ILK_API const void* ilk_replay_input(const ilk_replay* replay, uint64_t frame, size_t* size);

// How far a recording goes, and where its world is.
typedef struct ilk_replay_stats {
    uint64_t frame; // the present one
    uint64_t last;  // that is recorded
    bool is_astray; // the present one is not what was recorded
    uint32_t kept;  // frames that are snapshots, beside frame 0
    size_t bytes;   // that the recording holds, beside these
} ilk_replay_stats;
// All zero without a replay.
ILK_API ilk_replay_stats ilk_replay_stats_of(const ilk_replay* replay);

// Write the inputs and hashes as bytes, the same on every machine. At most `size` are written, and
// none if these are too few (NULL and 0 are allowed). Returns how many there are; 0 without a
// replay.
ILK_API size_t ilk_replay_save(const ilk_replay* replay, void* bytes, size_t size);

// Take over what was written, in place of what was recorded, and go to frame 0. INVALID if the
// bytes are not those of a recording, whole and unchanged; CLASH if it was of a world that was not
// at frame 0 what this one was; otherwise as ilk_snapshot_restore. Then nothing has changed.
ILK_API ilk_result ilk_replay_load(ilk_replay* replay, const void* bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
