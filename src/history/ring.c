// Rings: the last frames of a world.
#include "history.h"

typedef struct ring_frame {
    uint64_t number;
    ilk_snapshot* snapshot;
} ring_frame;

struct ilk_ring {
    ilk_world* world;
    ilk_ring* next; // of the world's
    ilk_ring_desc desc;
    uint64_t now;
    uint32_t first, count; // frames that are kept, in order
    ring_frame frames[];
};

static ring_frame* frame_at(ilk_ring* ring, uint32_t at) {
    return &ring->frames[(ring->first + at) % ring->desc.frames];
}

static size_t bytes_of_ring(const ilk_ring* ring) {
    return ilki_bytes_of(sizeof *ring, ring->desc.frames, sizeof ring->frames[0]);
}

static void let_oldest_go(ilk_ring* ring) {
    ilki_snapshot_give_back(frame_at(ring, 0)->snapshot);
    ring->first = (ring->first + 1) % ring->desc.frames;
    ring->count--;
}

static void let_newer_go(ilk_ring* ring, uint64_t frame) {
    while (ring->count && frame_at(ring, ring->count - 1)->number > frame) {
        ilki_snapshot_give_back(frame_at(ring, --ring->count)->snapshot);
    }
}

// Keeps the present frame. The oldest is let go once that is done.
static ilk_result keep(ilk_ring* ring, const char* call) {
    ilk_snapshot* snapshot = ilki_snapshot_take(ring->world, call);
    if (!snapshot) return ilki_last_result(ring->world);
    snapshot->is_of_ring = true;
    if (ring->count == ring->desc.frames) let_oldest_go(ring);
    *frame_at(ring, ring->count++) = (ring_frame){ring->now, snapshot};
    const size_t* held = &ring->world->storage.memory.bytes[ILKI_HISTORY];
    while (ring->desc.most && *held > ring->desc.most && ring->count > 1) let_oldest_go(ring);
    return ILK_OK;
}

ilk_ring* ilk_ring_create(ilk_world* world, const ilk_ring_desc* desc) {
    const char* call = "ilk_ring_create";
    if (ilki_enter(world, call) != ILK_OK) return NULL;
    ilk_ring like = {.world = world};
    if (desc) like.desc = *desc;
    if (!like.desc.frames) like.desc.frames = 60;
    if (!like.desc.every) like.desc.every = 1;
    ilk_ring* ring =
        ilki_alloc(&world->storage.memory, ILKI_HISTORY, bytes_of_ring(&like), _Alignof(ilk_ring));
    if (!ring) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        return NULL;
    }
    *ring = like;
    ring->next = world->rings;
    world->rings = ring;
    if (keep(ring, call) == ILK_OK) return ring;
    ilk_ring_destroy(ring);
    return NULL;
}

void ilki_ring_end(ilk_ring* ring) {
    ilk_ring** link = &ring->world->rings;
    while (*link != ring) link = &(*link)->next;
    *link = ring->next;
    while (ring->count) let_oldest_go(ring);
    ilki_free(&ring->world->storage.memory, ILKI_HISTORY, ring, bytes_of_ring(ring),
              _Alignof(ilk_ring));
}

void ilk_ring_destroy(ilk_ring* ring) {
    if (ring && ilki_enter(ring->world, "ilk_ring_destroy") == ILK_OK) ilki_ring_end(ring);
}

ilk_result ilk_ring_push(ilk_ring* ring) {
    const char* call = "ilk_ring_push";
    if (!ring) return ILK_INVALID;
    ilk_result result = ilki_moment_for_history(ring->world, call);
    if (result != ILK_OK) return result;
    let_newer_go(ring, ring->now);
    ring->now++;
    return ring->now % ring->desc.every ? ILK_OK : keep(ring, call);
}

ilk_result ilki_ring_keep(ilk_ring* ring, uint64_t frame, const char* call) {
    bool is_newer = !ring->count || frame_at(ring, ring->count - 1)->number < frame;
    if (frame % ring->desc.every || !is_newer) return ILK_OK;
    ring->now = frame;
    return keep(ring, call);
}

void ilki_ring_forget(ilk_ring* ring, uint64_t frame) {
    let_newer_go(ring, frame);
}

// The last frame at or before one; NULL if there is none.
static ring_frame* find_frame(const ilk_ring* ring, uint64_t number) {
    ilk_ring* all = (ilk_ring*)(uintptr_t)ring;
    uint32_t low = 0, high = ring->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (frame_at(all, middle)->number > number)
            high = middle;
        else
            low = middle + 1;
    }
    return low ? frame_at(all, low - 1) : NULL;
}

static ilk_result go_to(ilk_ring* ring, uint64_t number, bool forgets, const char* call) {
    if (!ring) return ILK_INVALID;
    ilk_result result = ilki_moment_for_history(ring->world, call);
    if (result != ILK_OK) return result;
    const ring_frame* frame = find_frame(ring, number);
    if (!frame || frame->number != number) {
        return ilki_fail_because(ring->world, ILK_MISSING, call, NULL, "frame %llu is not kept",
                                 (unsigned long long)number);
    }
    result = ilki_fit_to_restore(ring->world, frame->snapshot, call);
    if (result != ILK_OK) return result;
    if (forgets) let_newer_go(ring, number);
    result = ilki_snapshot_restore(frame->snapshot, call);
    if (result == ILK_OK) ring->now = number;
    return result;
}

ilk_result ilk_ring_look(ilk_ring* ring, uint64_t frame) {
    return go_to(ring, frame, false, "ilk_ring_look");
}

ilk_result ilk_ring_rewind(ilk_ring* ring, uint64_t frame) {
    return go_to(ring, frame, true, "ilk_ring_rewind");
}

ilk_ring_stats ilk_ring_stats_of(const ilk_ring* ring) {
    ilk_ring* all = (ilk_ring*)(uintptr_t)ring;
    if (!ring) return (ilk_ring_stats){0};
    ilk_ring_stats stats = {.frame = ring->now, .count = ring->count};
    stats.owned = ring->world->storage.memory.bytes[ILKI_HISTORY];
    if (!ring->count) return stats;
    stats.oldest = frame_at(all, 0)->number;
    const ring_frame* newest = frame_at(all, ring->count - 1);
    stats.newest = newest->number;
    stats.shared = ilk_snapshot_stats_of(newest->snapshot).shared;
    return stats;
}

ilk_snapshot* ilk_ring_at(const ilk_ring* ring, uint64_t frame, uint64_t* kept) {
    const ring_frame* found = ring ? find_frame(ring, frame) : NULL;
    if (found && kept) *kept = found->number;
    return found ? found->snapshot : NULL;
}

void ilki_rings_free(ilk_world* world) {
    while (world->rings) ilki_ring_end(world->rings);
}
