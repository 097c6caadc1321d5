// Many worlds: the catalogue in which each is found while it lives, and who makes them.
//
//     ilk_world* server = ilk_world_create(&(ilk_world_desc){.name = "server"});
//     ilk_world_named("server");                    // the same
//     ilk_world_by_id(ilk_world_id(server));        // the same
//
// Beside the identities of types, this is all that worlds share. A world is in the catalogue when
// ilk_world_create returns it, and is not any more from when ilk_world_destroy begins; a number is
// never used again, so who keeps an id in place of a pointer can always ask whether the world is
// there. Everything here may be called by any thread at any time, but for what is said of
// ilk_world_of; and whoever finds a world is to see to it that it is not destroyed meanwhile, and
// to use it only when its thread does not.
#ifndef ILK_WORLDS_H
#define ILK_WORLDS_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// The world of an id, or NULL; also a snapshot while it is open, which nothing else here finds or
// counts. Worlds are looked through one by one.
ILK_API ilk_world* ilk_world_by_id(uint32_t id);

// The oldest world of a name, or NULL. Several may have the same.
ILK_API ilk_world* ilk_world_named(const char* name);

// How many worlds there are.
ILK_API uint32_t ilk_world_count(void);

// The same; and the first `capacity` of them go to `worlds`, in order of their ids.
ILK_API uint32_t ilk_worlds(ilk_world** worlds, uint32_t capacity);

// The world in which an entity is alive, the oldest if there are several; or NULL. For debugging:
// it looks into every world, so it may be called only while no thread changes one. Worlds that have
// tags of their own have no handle in common, so that there is one answer at most; of worlds that
// share a tag, many have an entity of the same index and generation.
ILK_API ilk_world* ilk_world_of(ilk_entity e);

// Who makes worlds in place of ilk_world_create: decides on the allocator, limits, name or types,
// by a description of its own in place of the caller's, which is never NULL; makes the world by
// ilk_world_make; and gives it what each world is to have, such as systems and plugins. The world
// that it returns is what ilk_world_create returns. NULL if it cannot make what is asked for.
typedef ilk_world* ilk_world_factory_fn(void* context, const ilk_world_desc* desc);

// A function that makes worlds, and what it is called with.
typedef struct ilk_world_factory {
    ilk_world_factory_fn* create; // may be called by any thread that makes a world
    void* context;
} ilk_world_factory;

// Have worlds made by a factory from now on, until it is removed; it is copied. EXISTS if there is
// one, INVALID without a function. MISSING if there is none to remove; worlds are then made as they
// are by themselves. Worlds that are there stay as they are. Removing does not wait: a thread that
// began to make a world before may be inside the function still, so whoever frees `context` sees to
// it that none is.
ILK_API ilk_result ilk_factory_install(const ilk_world_factory* factory);
ILK_API ilk_result ilk_factory_remove(void);

// Make a world as ilk_world_create does where there is no factory. (ilk_world_create is refused to
// the factory itself, which would call itself for ever: INVALID.)
ILK_API ilk_world* ilk_world_make(const ilk_world_desc* desc);

#ifdef __cplusplus
}
#endif
#endif
