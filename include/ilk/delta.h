// Deltas: what makes one snapshot another, as bytes to send or to keep.
//
//     size_t size;
//     const void* bytes = ilk_delta_make(before, after, &size); // here
//     …
//     ilk_delta_apply(there, bytes, size); // what was as `before` becomes as `after`
//
// A delta has what differs: rows of blocks, entities that came and went, relations, names,
// resources, time and events that wait; so it is about as large as what happened. From nothing, it
// is a whole world: for who joins late, or to keep.
//
// Whether the world is what the first snapshot was is looked at before anything changes, by a hash
// of all that ilk_hash_layout is about, and of which systems are on, and in which order. Afterwards
// it is what the second one was in all of that, so that both worlds go on the same way. What is
// written counts as changed in the world; nobody else is told, and as after ilk_snapshot_restore
// every pointer to a value is stale, and loops are ended.
//
// Types go by their names, and so do systems, scenes and events. Both worlds are to be made alike:
// the same types (where the program has not used one yet, ilk_register introduces it), systems and
// scenes, as many readers of each kind of event, made in the same order, and the same
// ilk_world_desc.tag. Of a value its fields are sent, or if none are described its bytes; pointers
// are left out: in a value that comes anew they are NULL. What a type owns (it has a hook to copy
// or drop) is not sent: such values stay with their entities in each world, wherever these come to
// lie (they are copied there by their hooks), or go with them; but none can come, or be another. Of
// types that are `.unrecorded` (snapshot.h) nothing is sent either, whatever became of them.
//
// The bytes are the same from every machine. They are not trusted: whatever they are, they are
// either refused, or give a world that is sound (ilk_world_validate), and no more memory is asked
// for than 4,096 bytes for each of theirs (or, where not all of a type is sent, than a value or an
// event of it has, or 256 values that a relation carries), beside what is in proportion to the
// world.
#ifndef ILK_DELTA_H
#define ILK_DELTA_H

#include "snapshot.h"

#ifdef __cplusplus
extern "C" {
#endif

// What makes one snapshot another, of the same world; `from` may be the older or the newer one, or
// NULL: then it is all of `to`. The bytes belong to the world, and live until the next call, or
// ilk_trim. NULL, and in ilk_error: INVALID without `to` or `size`, for snapshots of two worlds, or
// if a value has changed or come whose type owns something that is recorded (what is written,
// switched or taken counts for all values of that block; between two pasts, of which the world went
// back from one, all count; and so do those that a relation carries, if any of its entities moved);
// STALE if one of them was lost; CLASH if a type was taken out of the world between them, or
// brought back; LOCKED as for restoring one (commands may wait); NO_MEMORY, also for more than 4
// GB.
ILK_API const void* ilk_delta_make(ilk_snapshot* from, ilk_snapshot* to, size_t* size);

// Apply a delta: the world must be what the first snapshot was, and becomes what the second one
// was. A delta from nothing is applied to any world, and all that is in it goes. INVALID without
// bytes, for bytes that are no delta or one of another version, and if a snapshot could not be
// taken of the world; CLASH if the world has another tag, is not what the first one was, has a type
// otherwise, or would not be what the second one was, with what of it (but if there is no memory to
// go back then, it is what the delta says); MISSING if a type, a scene or a system is not known
// here, or an event has no reader; FOREIGN if the world does not take a type; FULL; LOCKED as for
// taking a snapshot, so also while commands wait, which nobody is to lose by a delta that is
// refused; NO_MEMORY. Then the world is as it was, but that it may know more types; and that, if
// only its entities, names or resources would not be what the second one was, it has gone there and
// back, as by ilk_snapshot_restore: values that are unrecorded of who was not there are defaults.
ILK_API ilk_result ilk_delta_apply(ilk_world* world, const void* bytes, size_t size);

// Which snapshots a delta is about, as its head says.
typedef struct ilk_delta_info {
    uint64_t from, to; // numbers that stand for both snapshots; from 0: from nothing
} ilk_delta_info;

// What the head of a delta says. False, and nothing is written, if that is none.
ILK_API bool ilk_delta_look(const void* bytes, size_t size, ilk_delta_info* info);

#ifdef __cplusplus
}
#endif
#endif
