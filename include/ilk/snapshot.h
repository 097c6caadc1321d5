// Snapshots: what a world was, to go back to.
//
//     ilk_snapshot* before = ilk_snapshot_take(world);
//     …
//     ilk_snapshot_restore(before); // and it is as it was, bit for bit
//     ilk_snapshot_release(before);
//
// Taking one copies next to nothing: it shares the values with the world, and what changes is saved
// before it does, a block at a time. Values stay where they are, and nothing that a loop or a system
// sees depends on whether there are snapshots. There may be any number, released in any order; what is
// left is released with the world.
//
// A write through a pointer that was asked for before a snapshot was taken is not noticed: ask again.
// Everything here is for the world's thread, and LOCKED inside systems.
#ifndef ILK_SNAPSHOT_H
#define ILK_SNAPSHOT_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ilk_snapshot ilk_snapshot;

// Take one of a world as it is now. NULL if there is no memory, or the world is locked (ilk_error says
// which).
ILK_API ilk_snapshot* ilk_snapshot_take(ilk_world* world);

// Give one back. NULL is allowed.
ILK_API void ilk_snapshot_release(ilk_snapshot* snapshot);

// Make the world what it was when the snapshot was taken, which stays, as all others do. Costs in
// proportion to what has changed since. Every pointer to a value is stale afterwards, and loops are
// ended. Nobody is told: neither observers nor hooks of scenes. Queries, systems, observers and types
// that were made since stay; they find what is there.
// STALE if the snapshot was lost, for want of memory when what it shared was about to change; then, or
// with NO_MEMORY or LOCKED, the world is as it was before the call.
ILK_API ilk_result ilk_snapshot_restore(ilk_snapshot* snapshot);

typedef struct ilk_snapshot_stats {
    bool is_lost;  // it cannot be gone back to any more
    size_t owned;  // bytes that it alone holds, or for those before it
    size_t shared; // bytes that it shares with the world or with snapshots after it
} ilk_snapshot_stats;

ILK_API ilk_snapshot_stats ilk_snapshot_stats_of(const ilk_snapshot* snapshot);

// The world of a snapshot; how many snapshots a world has.
ILK_API ilk_world* ilk_snapshot_world(const ilk_snapshot* snapshot);
ILK_API uint32_t ilk_snapshot_count(const ilk_world* world);

#ifdef __cplusplus
}
#endif
#endif
