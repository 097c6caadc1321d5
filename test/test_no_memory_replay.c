// Replays, with each request for memory refused.
#include "needy_support.h"

static ilk_result make_replay(stage* s) {
    ilk_replay_desc desc = {.play = play_frame, .context = s};
    return ilk_replay_create(s->world, &desc) ? ILK_OK : outcome(s);
}

// So long that there is no room for it.
static ilk_result record_much(stage* s) {
    static uint32_t input[500] = {7};
    return ilk_replay_record(s->replay, input, sizeof input);
}

static void prepare_even_frame(stage* s) {
    prepare_replay(s);
    assert_ok(ilk_replay_record(s->replay, &(uint32_t){3}, sizeof(uint32_t)));
}

static ilk_result go_back(stage* s) {
    return ilk_replay_go(s->replay, 1);
}

static ilk_result verify_all(stage* s) {
    return ilk_replay_verify(s->replay, 0, 3);
}

static ilk_result load_again(stage* s) {
    static unsigned char bytes[400];
    size_t size = ilk_replay_save(s->replay, bytes, sizeof bytes);
    assert_true(size <= sizeof bytes);
    return ilk_replay_load(s->replay, bytes, size);
}

// The other world takes its memory from elsewhere, so that what fails does so in the first.
static ilk_replay* another;

static void play_nothing(ilk_world* world, const void* input, size_t size, void* context) {
    (void)world, (void)input, (void)size, (void)context;
}

static void prepare_two(stage* s) {
    prepare_replay(s);
    s->other = ilk_world_create(NULL);
    another = ilk_replay_create(s->other, &(ilk_replay_desc){.play = play_nothing});
    for (uint32_t i = 0; i < 3; i++) assert_ok(ilk_replay_record(another, NULL, 0));
}

static ilk_result compare(stage* s) {
    uint64_t frame;
    ilk_divergence first;
    return ilk_replay_diverge(s->replay, another, &frame, &first);
}

static const needy needies[] = {
    MAY_FAIL(ilk_replay_create, "the first", prepare_entities, make_replay, WHOLE,
             "ilk_replay_create ilk_ring_create ilk_snapshot_take"),
    MAY_FAIL(ilk_replay_record, "a long input", prepare_replay, record_much, WHOLE, NULL),
    MAY_FAIL(ilk_replay_record, "after a frame that is kept", prepare_even_frame, record_much,
             WHOLE, "ilk_replay_record ilk_snapshot_take"),
    MAY_FAIL(ilk_replay_go, "an earlier frame", prepare_replay, go_back, WHOLE,
             "ilk_snapshot_restore"),
    MAY_FAIL(ilk_replay_verify, "all frames", prepare_replay, verify_all, WHOLE,
             "ilk_snapshot_restore"),
    MAY_FAIL(ilk_replay_load, "what was saved", prepare_replay, load_again, WHOLE,
             "ilk_replay_load ilk_snapshot_restore"),
    MAY_FAIL(ilk_replay_diverge, "another world", prepare_two, compare, WHOLE,
             "ilk_snapshot_restore"),
};

int main(void) {
    return run_needies("no_memory_replay", needies, COUNT_OF(needies));
}
