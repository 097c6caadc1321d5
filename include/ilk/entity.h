// Entities and their components.
//
// Every change happens at once, and none but settling (at the end of ilk_update, or by ilk_settle)
// moves a value: a pointer from ilk_get or ilk_edit, or into a column of a batch, stays good until
// its entity is destroyed, its component removed, or the world settles, is cleared or goes back to
// a snapshot; a value that is set or replaced stays where it is. So keep handles from frame to
// frame, not pointers.
// Results: DEAD for an entity that is not alive here, INVALID for a NULL type or one that is
// unsound, CLASH, FOREIGN and FULL for a type that the world cannot take. A failed call changes
// nothing, but its types may now be known. Out of memory is NO_MEMORY, and the world is as it was.
#ifndef ILK_ENTITY_H
#define ILK_ENTITY_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// Make an entity without components. Null if the world is FULL or there is NO_MEMORY.
// Indices are 0, 1, 2…; before a new one, the one that was freed last is used again.
ILK_API ilk_entity ilk_create(ilk_world* world);

// Make an entity with these components, in one step. Values whose type is NULL are passed over.
// Null, and the result in ilk_error: EXISTS for a type named twice, FULL, NO_MEMORY: then the
// values still belong to the caller. DEAD if an observer destroyed the entity as soon as it was
// there: then the values are dropped, as with any that is destroyed. (So with ilk_create and
// ilk_copy.)
ILK_API ilk_entity ilk_spawn(ilk_world* world, const ilk_value* values, uint32_t count);

#ifndef __cplusplus
// ILK_SPAWN(world, ILK_VALUE(Position, .x = 1), ILK_WITH(Enemy))
#define ILK_SPAWN(world, ...)                                                                      \
    ilk_spawn((world), (const ilk_value[]){__VA_ARGS__},                                           \
              (uint32_t)(sizeof((const ilk_value[]){__VA_ARGS__}) / sizeof(ilk_value)))
#endif

// A new entity with a copy of each component of `e`, by the types' copy hooks, switched on or off
// as there; inactive if `e` is; with its name, where names are free, and without an id. Fields that
// hold entities, where the type describes them, name the copy where they named `e`, also in what
// relations carry; and the copy relates to itself where `e` does. Null for DEAD (also if it is
// dying), FULL and NO_MEMORY; INVALID if a type has a drop hook but none to copy.
ILK_API ilk_entity ilk_copy(ilk_world* world, ilk_entity e);

// Destroy an entity and drop its values. DEAD if it is not alive, or dying already. Never needs
// memory.
// Values of types that are marked with `outlives` stay, so that whoever is in charge of them can
// see to them first: the entity is dying, and is gone when the last of them is removed. Until then
// it is alive, but can be given nothing (DEAD).
ILK_API ilk_result ilk_destroy(ilk_world* world, ilk_entity e);

// Whether there is such an entity, be it inactive or dying.
ILK_API bool ilk_alive(const ilk_world* world, ilk_entity e);

// Whether an entity was destroyed and is kept by a value that outlives it. False for a NULL world.
ILK_API bool ilk_dying(const ilk_world* world, ilk_entity e);

// Put an entity to rest, and wake it. One that is inactive keeps all that it has, and get, write,
// set, remove and the other verbs reach it as ever; but queries, and so systems, take it for having
// no more than what outlives it, unless they ask (query.h). EXISTS if it is inactive already,
// MISSING if it is active, DEAD (also if it is dying). ilk_deactivate may need memory, ilk_activate
// never does. Entities are active when they are made, but for those of ilk_create_inactive, which
// are without components, like those of ilk_create. (ILK_WITH(ilk_inactive) in ilk_spawn makes one
// with components.) ilk_remove_all leaves an entity as active as it was.
ILK_API ilk_result ilk_deactivate(ilk_world* world, ilk_entity e);
ILK_API ilk_result ilk_activate(ilk_world* world, ilk_entity e);
ILK_API ilk_entity ilk_create_inactive(ilk_world* world);

// Whether an entity is alive, and neither inactive nor dying. False for a NULL world.
ILK_API bool ilk_active(const ilk_world* world, ilk_entity e);

// The entity that is alive at an index, or null.
ILK_API ilk_entity ilk_entity_at(const ilk_world* world, uint32_t index);

// Give an entity a component that it does not have. EXISTS if it has; the old value stays.
ILK_API ilk_result ilk_add(ilk_world* world, ilk_entity e, ilk_value value);

// Give an entity a component or, if it has it, drop the old value for the new one.
ILK_API ilk_result ilk_set(ilk_world* world, ilk_entity e, ilk_value value);

// Drop the old value for the new one. MISSING if the entity does not have the component.
ILK_API ilk_result ilk_replace(ilk_world* world, ilk_entity e, ilk_value value);

// The component for writing; if the entity does not have it, it gets the default first. NULL on
// failure.
ILK_API void* ilk_ensure(ilk_world* world, ilk_entity e, ilk_type* type);

// The component for reading, or NULL; `result`, if it is not NULL, tells DEAD from MISSING. Marks
// nothing, reports nothing. For a tag the pointer is not NULL, and there is nothing behind it.
ILK_API const void* ilk_get(const ilk_world* world, ilk_entity e, ilk_type* type,
                            ilk_result* result);

// The component for writing, marked as changed; NULL if the entity is DEAD or the component
// MISSING, which is reported: ask ilk_has first where that is normal. LOCKED inside a system that
// does not declare to write the type, or is parallel.
ILK_API void* ilk_edit(ilk_world* world, ilk_entity e, ilk_type* type);

#ifndef __cplusplus
// The same with the type of the value: const Position* p = ILK_GET(world, e, Position).
#define ILK_GET(world, e, T) ((const T*)ilk_get((world), (e), &T##_type, NULL))
#define ILK_EDIT(world, e, T) ((T*)ilk_edit((world), (e), &T##_type))
#define ILK_ENSURE(world, e, T) ((T*)ilk_ensure((world), (e), &T##_type))
#endif

// True if the entity is alive and has the component, switched on or off.
ILK_API bool ilk_has(const ilk_world* world, ilk_entity e, ilk_type* type);

// Take a component away and drop its value. MISSING if it is not there; EXISTS if it is the
// relation to its parent, and its name must be unique where it would be then (name.h). Never needs
// memory. A dying entity is gone with its last value.
ILK_API ilk_result ilk_remove(ilk_world* world, ilk_entity e, ilk_type* type);

// Take all components away; the entity stays alive, unless it is dying. DEAD if it was not. Never
// needs memory.
ILK_API ilk_result ilk_remove_all(ilk_world* world, ilk_entity e);

// Switch a component off, and on again. Off, it keeps its value and is still reached by get, edit
// and has; queries pass it over. Removing it, or giving it anew, switches it on. OK also if it was
// so already; MISSING if it is not there. Never needs memory.
ILK_API ilk_result ilk_disable(ilk_world* world, ilk_entity e, ilk_type* type);
ILK_API ilk_result ilk_enable(ilk_world* world, ilk_entity e, ilk_type* type);

// True if the entity has the component and it is switched on.
ILK_API bool ilk_enabled(const ilk_world* world, ilk_entity e, ilk_type* type);

// How many components the entity has; the first `capacity` of their types go to `types`, in order
// of their numbers. 0 for a dead entity.
ILK_API uint32_t ilk_types_of(const ilk_world* world, ilk_entity e, ilk_type** types,
                              uint32_t capacity);

// The entity's components as text, a '1' or '0' for each type of the world in order of numbers:
// "1010". At most `size` bytes are written, with the final zero. Returns the whole length without
// it; 0 and "" for a dead entity.
ILK_API size_t ilk_signature(const ilk_world* world, ilk_entity e, char* text, size_t size);

// The bulk forms do for each entity what the single form does, for less. Where an entity is dead,
// or lacks or has the component already, it is passed over, the others are done, and the first
// such result is reported and returned. NO_MEMORY and FULL mean that nothing was done.
//
// A list that is destroyed goes as one: who goes because of a relation to another of the list
// (relation.h) is not missed, and that one of them needs another does not count. NEEDED, because
// somebody who would stay needs one who would go, means that nothing was done. Who is in the list
// twice is DEAD the second time.
ILK_API ilk_result ilk_create_many(ilk_world* world, ilk_entity* entities, uint32_t count);
ILK_API ilk_result ilk_destroy_many(ilk_world* world, const ilk_entity* entities, uint32_t count);

// `values` is an array of `count` values of the type, or NULL for the default. Where an entity is
// passed over, its value stays the caller's; ilk_has tells beforehand which those are.
ILK_API ilk_result ilk_add_many(ilk_world* world, const ilk_entity* entities, uint32_t count,
                                ilk_type* type, const void* values);
ILK_API ilk_result ilk_remove_many(ilk_world* world, const ilk_entity* entities, uint32_t count,
                                   ilk_type* type);

// Spawn many: all entities are there, with default values, when ilk_spawn_many returns; then the
// batch is walked, and the caller fills the columns in place:
//
//     ilk_batch batch;
//     ilk_spawn_many(world, &batch, 1000, ILK_TYPES(&Position_type, &Velocity_type));
//     while (ilk_batch_next(&batch)) {
//         Position* p = ILK_FILL(&batch, Position);
//         for (uint32_t i = 0; i < batch.count; i++) p[i].x = (float)i;
//     }
typedef struct ilk_batch {
    const ilk_entity* entities; // of this run
    uint32_t count;             // rows of this run
    ilk_world* world;
    uint32_t next, serial; // ilk's own
} ilk_batch;

// Types of the list that are NULL are passed over. INVALID if none is left, EXISTS for a type named
// twice, FULL, NO_MEMORY: then the batch is empty. A batch is good until the world is changed by
// another call. Entities that observers destroyed at once, or took something from, are not in it.
ILK_API ilk_result ilk_spawn_many(ilk_world* world, ilk_batch* batch, uint32_t count,
                                  ilk_type* const* types, uint32_t type_count);

// The next run of the batch; false when there is none.
ILK_API bool ilk_batch_next(ilk_batch* batch);

// The run's values of a type, to be filled in; NULL if the type is not of the batch.
ILK_API void* ilk_batch_fill(const ilk_batch* batch, ilk_type* type);

#ifndef __cplusplus
// A list of types and its length, and a column of a batch with the type of its values.
#define ILK_TYPES(...)                                                                             \
    (ilk_type* const[]){__VA_ARGS__},                                                              \
        (uint32_t)(sizeof((ilk_type* const[]){__VA_ARGS__}) / sizeof(ilk_type*))
#define ILK_FILL(batch, T) ((T*)ilk_batch_fill((batch), &T##_type))
#endif

// Make room for `count` more entities of this set of types, so that creating them needs no memory.
// (Holes count as room; inside a loop over a query, where they are not filled, they do not.)
ILK_API ilk_result ilk_reserve(ilk_world* world, uint32_t count, ilk_type* const* types,
                               uint32_t type_count);

#ifdef __cplusplus
}
#endif
#endif
