// Resources: values that belong to a world and to no entity, one of a type at most.
//
//     ilk_resource_set(world, ILK_VALUE(Gravity, .y = -9.8f));
//     const Gravity* gravity = ILK_RESOURCE_GET(world, Gravity);
//
// A type is a resource's as it is a component's, with the same default and hooks, and may be both:
// the two have nothing to do with each other, and a resource does not give its type a number. (The
// list that a world may be restricted to is about components.) A resource has its address until it
// is removed, whatever is set, however much the world changes, unless the world goes back
// (ilk_snapshot_restore, rings, replays) or a delta is applied. Resources stay when a world is
// cleared or reset, or the type is taken out of it; they go with the world, the youngest first,
// after all entities.
//
// Inside a system, a resource may be read that the system declares (ilk_system_desc,
// reads_resources and writes_resources), and edited if it declares to write it; a system that
// declares nothing may use all. Whatever else would change one is LOCKED there: it goes through
// it->cmd. The checked build reports what a system reads and does not declare, and refuses it.
//
// A tag may be one: that it is there is all there is to it. Relations, names, ids and ilk's own
// tags say something of entities, and cannot: INVALID.
//
// Results: INVALID for a NULL or unsound type, CLASH, MISSING, NO_MEMORY: then the world is as it
// was. For the world's thread; reading also for the threads that run its systems.
#ifndef ILK_RESOURCE_H
#define ILK_RESOURCE_H

#include "cmd.h"

#ifdef __cplusplus
extern "C" {
#endif

// Give the world a resource or, if it has it, drop the old value for the new one. The value is
// moved in; it still belongs to the caller if the call fails.
ILK_API ilk_result ilk_resource_set(ilk_world* world, ilk_value value);

// The resource for reading, or NULL. Marks nothing, reports nothing. For a tag the pointer is not
// NULL, and there is nothing behind it.
ILK_API const void* ilk_resource_get(const ilk_world* world, ilk_type* type);

// The resource for writing, marked as changed; NULL if it is MISSING, which is reported.
ILK_API void* ilk_resource_edit(ilk_world* world, ilk_type* type);

// The resource for writing; if the world does not have it, it is made with the default first. NULL
// on failure.
ILK_API void* ilk_resource_ensure(ilk_world* world, ilk_type* type);

#ifndef __cplusplus
// The same with the type of the value: const Gravity* g = ILK_RESOURCE_GET(world, Gravity).
#define ILK_RESOURCE_GET(world, T) ((const T*)ilk_resource_get((world), &T##_type))
#define ILK_RESOURCE_EDIT(world, T) ((T*)ilk_resource_edit((world), &T##_type))
#define ILK_RESOURCE_ENSURE(world, T) ((T*)ilk_resource_ensure((world), &T##_type))
#endif

// Whether the world has it. Any system may ask, declared or not.
ILK_API bool ilk_resource_has(const ilk_world* world, ilk_type* type);

// Take a resource away and drop its value. MISSING if it is not there. Never needs memory.
ILK_API ilk_result ilk_resource_remove(ilk_world* world, ilk_type* type);

// The tick in which a resource was last set, ensured or edited: above the last one that ilk_tick
// returned if that was since. 0 if it is not there. Like reading it inside a system.
ILK_API uint64_t ilk_resource_changed(const ilk_world* world, ilk_type* type);

// The same, recorded: see cmd.h. Without bytes, the default is made when the command is applied.
ILK_API ilk_result ilk_cmd_resource_set(ilk_cmd* cmd, ilk_value value);
ILK_API ilk_result ilk_cmd_resource_remove(ilk_cmd* cmd, ilk_type* type);

#ifdef __cplusplus
}
#endif
#endif
