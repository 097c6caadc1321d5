// Operations on rings: frames are kept, gone to and let go.
#include "run.h"

static void forget_frame(run_side* s, uint32_t at) {
    run_ring* ring = &s->past.ring;
    run_forget(s, ring->kept[at].memory);
    ring->count--;
    for (uint32_t i = at; i < ring->count; i++) ring->kept[i] = ring->kept[i + 1];
}

static void forget_newer(run_side* s, uint64_t frame) {
    run_ring* ring = &s->past.ring;
    while (ring->count && ring->kept[ring->count - 1].number > frame)
        forget_frame(s, ring->count - 1);
}

// The last frame at or before one that is kept; UINT32_MAX if there is none.
static uint32_t find_frame(const run_ring* ring, uint64_t frame) {
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < ring->count; i++)
        if (ring->kept[i].number <= frame) found = i;
    return found;
}

// A frame was kept, and the oldest let go that were too many.
static void follow_keeping(run* r, run_side* s) {
    run_ring* ring = &s->past.ring;
    ilk_ring_stats stats = ilk_ring_stats_of(ring->ring);
    while (ring->count == ring->frames) forget_frame(s, 0);
    ilk_snapshot* snapshot = ilk_ring_at(ring->ring, ring->now, NULL);
    RUN_CHECK(r, snapshot, "%s: a frame is not kept", s->name);
    if (!snapshot) return;
    ring->kept[ring->count++] = (run_frame){ring->now, run_remember(r, s, snapshot)};
    while (ring->is_bound && ring->count > stats.count && ring->count > 1) forget_frame(s, 0);
}

static void compare_ring(run* r, const run_side* s, const script_op* op) {
    const run_ring* ring = &s->past.ring;
    ilk_ring_stats stats = ilk_ring_stats_of(ring->ring);
    bool is_right = stats.frame == ring->now && stats.count == ring->count;
    if (ring->count)
        is_right = is_right && stats.oldest == ring->kept[0].number &&
                   stats.newest == ring->kept[ring->count - 1].number;
    RUN_CHECK(r, is_right, "%s: a ring of %u frames at %llu, not %u at %llu", s->name, stats.count,
              (unsigned long long)stats.frame, ring->count, (unsigned long long)ring->now);
    uint64_t kept = 0, frame = op->seed % (ring->now + 3);
    uint32_t at = find_frame(ring, frame);
    ilk_snapshot* snapshot = ilk_ring_at(ring->ring, frame, &kept);
    is_right = at == UINT32_MAX
                   ? !snapshot
                   : snapshot == ring->kept[at].memory->snapshot && kept == ring->kept[at].number;
    RUN_CHECK(r, is_right, "%s: frame %llu is found at %llu", s->name, (unsigned long long)frame,
              (unsigned long long)kept);
    RUN_CHECK(r, ilk_snapshot_count(s->world) == s->past.count, "%s: %u snapshots, not %u", s->name,
              ilk_snapshot_count(s->world), s->past.count);
}

static void make_ring(run* r, run_side* s, const script_op* op) {
    run_ring* ring = &s->past.ring;
    uint32_t frames = 1 + op->count % RUN_FRAMES, every = 1 + (op->count >> 4) % 3;
    bool is_bound = op->seed % 4 == 0;
    run_begin(r, s, (run_call){.name = "ilk_ring_create", .count = frames});
    ilk_ring* made =
        ilk_ring_create(s->world, &(ilk_ring_desc){frames, op->seed & 16 && every == 1 ? 0 : every,
                                                   is_bound ? 1000 + op->seed % 50000 : 0});
    ilk_result result = run_yielded(s, made != NULL);
    if (run_excused(r, s, result)) return;
    model_faults faults = run_take_faults(s);
    run_expect(r, s, result, faults);
    if (faults || r->outcome->failed) return;
    *ring = (run_ring){.ring = made, .frames = frames, .every = every, .is_bound = is_bound};
    follow_keeping(r, s);
}

static void push(run* r, run_side* s) {
    run_ring* ring = &s->past.ring;
    run_begin(r, s, (run_call){.name = "ilk_ring_push", .count = ring->count});
    ilk_result result = ilk_ring_push(ring->ring);
    forget_newer(s, ring->now);
    ring->now++;
    if (run_excused(r, s, result)) return;
    bool is_kept = ring->now % ring->every == 0;
    model_faults faults = is_kept ? run_take_faults(s) : MODEL_FINE;
    run_expect(r, s, result, faults);
    if (is_kept && !faults && !r->outcome->failed) follow_keeping(r, s);
}

// To one that is kept, mostly.
static void go(run* r, run_side* s, const script_op* op, bool forgets) {
    run_ring* ring = &s->past.ring;
    uint64_t frame = op->seed % (ring->now + 3);
    if (ring->count && op->mode < 150) frame = ring->kept[op->pick % ring->count].number;
    uint32_t at = find_frame(ring, frame);
    run_memory* memory =
        at != UINT32_MAX && ring->kept[at].number == frame ? ring->kept[at].memory : NULL;
    run_begin(r, s, (run_call){.name = forgets ? "ilk_ring_rewind" : "ilk_ring_look"});
    model_faults faults = memory ? run_restore_faults(r, s, memory) : MODEL_FAULT(MISSING);
    ilk_result result =
        forgets ? ilk_ring_rewind(ring->ring, frame) : ilk_ring_look(ring->ring, frame);
    bool is_excused = run_excused(r, s, result);
    if (!is_excused) run_expect(r, s, result, faults);
    if (r->outcome->failed || faults) return;
    if (forgets) forget_newer(s, frame);
    if (is_excused) return;
    ring->now = frame;
    run_return(r, s, memory);
}

static void end_ring(run* r, run_side* s) {
    run_ring* ring = &s->past.ring;
    run_begin(r, s, (run_call){.name = "ilk_ring_destroy"});
    s->memory.forbidden = true;
    ilk_ring_destroy(ring->ring);
    s->memory.forbidden = false;
    while (ring->count) forget_frame(s, 0);
    *ring = (run_ring){0};
}

void run_turn_ring(run* r, run_side* s, const script_op* op) {
    uint32_t way = op->flags % 8;
    if (r->is_inside || !run_is_small(s)) return;
    if (way < 4) run_clear_for_past(r, s, op);
    if (!s->past.ring.ring)
        make_ring(r, s, op);
    else if (way < 4)
        push(r, s);
    else if (way < 7)
        go(r, s, op, way == 6);
    else if (op->seed % 2)
        end_ring(r, s);
    if (!r->outcome->failed && s->past.ring.ring) compare_ring(r, s, op);
}
