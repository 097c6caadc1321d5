// Replays: frames in which the world of the library is turned upside down, as an input says, are
// recorded, and played again from anywhere. Each is what it was; the last that is gone to is frame
// 0, of which the model knows.
#include "excursions.h"

#include <ilk/replay.h>
#include <stdlib.h>

#define FRAMES 12u

typedef struct take {
    run* r;
    run_side* s;
    ilk_replay* replay;
    uint64_t seed;
    uint64_t hashes[FRAMES + 1]; // of each frame
} take;

static uint32_t roll(take* t, uint32_t bound) {
    return (uint32_t)(script_random(&t->seed) >> 20) % bound;
}

// Each byte of an input is a deed.
static void play(ilk_world* world, const void* input, size_t size, void* context) {
    (void)context;
    for (size_t i = 0; i < size; i++) {
        uint8_t deed = ((const uint8_t*)input)[i];
        run_upset(world, deed * 2654435761u);
        if (deed % 8 == 0) ilk_settle(world, 0);
    }
}

static void expect_ok(const take* t, ilk_result result, const char* what) {
    RUN_CHECK(t->r, result == ILK_OK, "%s: frames are not %s: %s", t->s->name, what,
              ilk_error(t->s->world).text);
}

// Values that cannot be copied may have come to be, and keep further frames from being recorded.
static void record_one(take* t) {
    uint8_t deeds[3];
    uint32_t count = roll(t, 4);
    for (uint32_t i = 0; i < count; i++) deeds[i] = (uint8_t)roll(t, 256);
    ilk_result result = ilk_replay_record(t->replay, count ? deeds : NULL, count);
    if (result != ILK_INVALID) expect_ok(t, result, "recorded");
    t->hashes[ilk_replay_stats_of(t->replay).frame] = ilk_hash_layout(t->s->world);
}

static void go_somewhere(take* t) {
    uint32_t frame = roll(t, (uint32_t)ilk_replay_stats_of(t->replay).last + 1);
    expect_ok(t, ilk_replay_go(t->replay, frame), "gone to");
    RUN_CHECK(t->r, ilk_hash_layout(t->s->world) == t->hashes[frame],
              "%s: frame %u is not what it was", t->s->name, frame);
}

static void save_and_load(const take* t) {
    size_t size = ilk_replay_save(t->replay, NULL, 0);
    void* bytes = malloc(size);
    RUN_CHECK(t->r, bytes != NULL, "no memory");
    if (!bytes) return;
    ilk_replay_save(t->replay, bytes, size);
    expect_ok(t, ilk_replay_load(t->replay, bytes, size), "loaded");
    free(bytes);
}

static void roam(take* t) {
    for (uint32_t i = 0; i < FRAMES; i++) {
        if (ilk_replay_stats_of(t->replay).frame < FRAMES && roll(t, 4)) record_one(t);
        if (roll(t, 3) == 0) go_somewhere(t);
    }
    if (roll(t, 2)) save_and_load(t);
    uint64_t last = ilk_replay_stats_of(t->replay).last;
    expect_ok(t, ilk_replay_verify(t->replay, 0, last), "verified");
    RUN_CHECK(t->r, ilk_hash_layout(t->s->world) == t->hashes[last],
              "%s: the last frame is not what it was", t->s->name);
    expect_ok(t, ilk_replay_go(t->replay, 0), "gone back over");
}

void run_replay(run* r, run_side* s, const script_op* op) {
    if (r->is_inside || !run_is_private(s)) return;
    run_begin(r, s, (run_call){.name = "ilk_replay_go"});
    run_quiet q = run_be_quiet(r, s);
    uint32_t held = ilk_snapshot_count(s->world);
    ilk_replay_desc desc = {.play = play, .hash_every = op->flags % 4};
    desc.keep = (ilk_ring_desc){.frames = op->flags / 4 % 8, .every = op->flags / 32 % 4};
    take t = {r, s, ilk_replay_create(s->world, &desc), op->seed, {0}};
    t.hashes[0] = ilk_hash_layout(s->world);
    if (t.replay) {
        roam(&t);
        ilk_replay_destroy(t.replay);
        s->epoch++;
        run_end_passes(s, RUN_QUERIES);
    }
    RUN_CHECK(r, ilk_snapshot_count(s->world) == held, "%s: snapshots are left", s->name);
    run_speak_again(r, s, &q);
}
