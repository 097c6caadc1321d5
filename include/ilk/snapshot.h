// Snapshots: what a world was, to go back to.
//
//     ilk_snapshot* before = ilk_snapshot_take(world);
//     …
//     ilk_snapshot_restore(before); // and it is as it was, bit for bit
//     ilk_snapshot_release(before);
//
// Taking one copies next to nothing: it shares the values with the world, and what changes is saved
// before it does, a block at a time. Values stay where they are, and nothing that a loop or a
// system sees depends on whether there are snapshots. There may be any number, released in any
// order; what is left is released with the world.
//
// What a world is: its entities and their components, relations and names; resources; events that
// wait, and how far each reader has come; time, and what was set that concerns it; which systems
// are switched on, their orders and what they have waited for; the stack of scenes; what queries
// have seen.
//
// Values of a type that is `.unrecorded` (caches, handles of a renderer, what a player has set) are
// left out: who has one is part of history, what it is is not. When a world goes back, each stays
// with its entity, and each resource where it is; who comes back gets the type's default, and
// values whose entities go are dropped. In a snapshot that was opened they are the default. They
// are in no hash and in no delta. Relations, what they carry, and events cannot be left out:
// INVALID.
//
// A write through a pointer that was asked for before a snapshot was taken is not noticed: ask
// again. Everything here is for the world's thread, and LOCKED inside systems; a snapshot that was
// opened is read by any thread.
#ifndef ILK_SNAPSHOT_H
#define ILK_SNAPSHOT_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a world was at some moment.
typedef struct ilk_snapshot ilk_snapshot;

// Take one of a world as it is now. NULL, and in ilk_error: LOCKED also while an update or a
// drawing is under way, a scene is told that it pauses or exits, events are dispatched, or an
// observer, a plugin or a command is called, and while commands wait in a buffer; INVALID if there
// are values of a type with a drop hook and no copy hook that is not `.unrecorded`, of components,
// relations, resources or events that wait; NO_MEMORY.
ILK_API ilk_snapshot* ilk_snapshot_take(ilk_world* world);

// Give one back. One that is open goes when it is closed. NULL is allowed. Nothing of the world
// changes, so this is also done while something is under way; but inside systems and observers it
// is LOCKED, as all verbs of the world are.
ILK_API void ilk_snapshot_release(ilk_snapshot* snapshot);

// Make the world what it was when the snapshot was taken, which stays, as all others do. Costs in
// proportion to what has changed since. Every pointer to a value is stale afterwards, and loops are
// ended. Nobody is told: neither observers nor hooks of scenes. Queries, systems, scenes,
// observers, readers, subscriptions and types that were made since stay: queries and systems find
// what is there, readers and subscribers nothing of what was sent before the snapshot. Those that
// are gone since stay gone, and observers of entities that are not alive then go. Commands that
// wait are dropped. INVALID for NULL; STALE if the snapshot was lost, for want of memory when what
// it shared was about to change; CLASH if a type is out of the world now (ilk_unregister) and was
// not then, or the other way round; MISSING if a scene that was on the stack was removed since;
// LOCKED as for taking one; NO_MEMORY. Then the world is as it was before the call.
ILK_API ilk_result ilk_snapshot_restore(ilk_snapshot* snapshot);

// Open a snapshot for reading: a world of its own, which shows what the snapshot holds, and stays
// as it is whatever the other one does.
//
//     ilk_world* past = ilk_snapshot_open(before);
//     const Position* was = ILK_GET(past, e, Position);
//     …
//     ilk_world_destroy(past); // closes it
//
// It answers all questions: entities and components, queries that are made on it and write nothing,
// relations, names, resources, time, hashes; and it can be copied from (ilk_copy_to,
// ilk_blueprint_of). It has no systems, scenes, observers, events, or values of types that were
// taken out. Every verb that would change it is LOCKED. It tells no callback: ask ilk_error.
//
// It may be read by another thread while the world goes on. Open and close snapshots on the world's
// thread; in between, the opened one belongs to one thread at a time, which calls ilk_world_own.
// Any number may be open, several of one snapshot too. A snapshot that is released while it is open
// goes when it is closed; all are closed before the world goes.
//
// Opening copies what says who is where, unless it changed since: some 16 bytes for each entity,
// and what relations, names and ids take. Values are fetched at the first question about their
// type, by the thread that asks: those that changed since the snapshot are read where it has them,
// others are copied, by their copy hooks where they have one. If there is no memory for that, the
// question is answered as if nothing were there, with NO_MEMORY in ilk_error and in the result of
// ilk_get, and may be asked again; or with STALE if the snapshot was lost before. What was fetched
// stays.
//
// NULL, and in ilk_error of the snapshot's world: LOCKED inside systems and observers, where
// closing one by ilk_world_destroy does nothing either; STALE if the snapshot was lost; NO_MEMORY.
// NULL for NULL.
ILK_API ilk_world* ilk_snapshot_open(ilk_snapshot* snapshot);

// Whether a snapshot can still be gone back to, and its memory.
typedef struct ilk_snapshot_stats {
    bool is_lost;  // it cannot be gone back to any more
    size_t owned;  // bytes that it holds: old values, which snapshots before it may share
    size_t shared; // bytes that it shares with the world or with snapshots after it
} ilk_snapshot_stats;

// All zero for NULL.
ILK_API ilk_snapshot_stats ilk_snapshot_stats_of(const ilk_snapshot* snapshot);

// How often a world has gone back: to a snapshot, a frame of a ring or of a replay, or by a delta.
// Nobody is told when it does: who keeps what follows from a world (an index, a cache) compares
// this number.
ILK_API uint64_t ilk_restore_count(const ilk_world* world);

// The world of a snapshot; how many snapshots a world has.
ILK_API ilk_world* ilk_snapshot_world(const ilk_snapshot* snapshot);
ILK_API uint32_t ilk_snapshot_count(const ilk_world* world);

// Rings: the last frames of a world, to go to any of them.
//
//     ilk_ring* ring = ilk_ring_create(world, &(ilk_ring_desc){.frames = 600});
//     for (;;) {
//         ilk_update(world, dt);
//         ilk_ring_push(ring);                     // frame 1, 2, 3…
//         if (is_wrong) ilk_ring_rewind(ring, 40); // and the next one is 41 again
//     }
//
// A ring ends with its world, if not before. It counts its own pushes: a world that is taken
// elsewhere by ilk_snapshot_restore is, for the ring, still at the same frame.
typedef struct ilk_ring ilk_ring;

// Which frames a ring keeps. All zero is valid and means the defaults.
typedef struct ilk_ring_desc {
    uint32_t frames; // how many are kept at most; 0: 60
    uint32_t every;  // keeps frames 0, every, 2 every…; 0: each
    size_t most; // bytes that the world's snapshots may hold together (.owned); the newest frame is
                 // kept all the same; 0: any number
} ilk_ring_desc;

// Make a ring; the world as it is now is frame 0, and kept. NULL for the defaults. NULL, and the
// result in ilk_error, as ilk_snapshot_take: NO_MEMORY also for more frames than fit into memory.
ILK_API ilk_ring* ilk_ring_create(ilk_world* world, const ilk_ring_desc* desc);
ILK_API void ilk_ring_destroy(ilk_ring* ring); // as ilk_snapshot_release

// A frame is over: keep it, if it is one of those to be kept, and then let the oldest go that are
// too many. Frames after the present one, if it was gone back to, are let go first. INVALID for
// NULL; LOCKED, and nothing is done, while something is under way; otherwise as ilk_snapshot_take:
// then the frame is counted, but not kept, and the oldest stays.
ILK_API ilk_result ilk_ring_push(ilk_ring* ring);

// Go to a frame that is kept, and keep those after it until the next push; or let them go at once,
// which costs less. MISSING if it is not kept; otherwise as ilk_snapshot_restore. (Where going back
// fails for want of memory, those after it are gone all the same.)
ILK_API ilk_result ilk_ring_look(ilk_ring* ring, uint64_t frame);
ILK_API ilk_result ilk_ring_rewind(ilk_ring* ring, uint64_t frame);

// Where a ring is, and what it keeps.
typedef struct ilk_ring_stats {
    uint64_t frame;          // the present one
    uint64_t oldest, newest; // that are kept
    uint32_t count;          // of those
    size_t owned;            // bytes that all snapshots of the world hold
    size_t shared;           // that its newest frame shares with the world, or with later snapshots
} ilk_ring_stats;
// All zero for NULL. Looks at each block of the newest frame.
ILK_API ilk_ring_stats ilk_ring_stats_of(const ilk_ring* ring);

// The frame that was kept last at or before one, and its snapshot, which the ring releases (for
// others it is INVALID, and told); NULL if there is none.
ILK_API ilk_snapshot* ilk_ring_at(const ilk_ring* ring, uint64_t frame, uint64_t* kept);

#ifdef __cplusplus
}
#endif
#endif
