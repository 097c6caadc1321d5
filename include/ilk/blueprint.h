// Blueprints, copies, and moving between worlds.
//
// A blueprint is a set of values outside any world, from which entities are made:
//
//     ilk_blueprint* orc = ilk_blueprint_create(NULL);
//     ilk_blueprint_add(orc, ILK_VALUE(Health, 30));
//     ilk_blueprint_add(orc, ILK_WITH(Enemy));
//     ilk_entity e = ilk_blueprint_spawn(world, orc);
//     ilk_blueprint_spawn_many(world, orc, 1000, NULL);
//     ilk_blueprint_destroy(orc);
//
// Its verbs are those of entities. A blueprint belongs to no world, and so nobody is told of its
// failures: the result says it all. INVALID for a NULL blueprint or type, or a type that is
// unsound; CLASH; NO_MEMORY: then nothing is changed, and the value still belongs to the caller.
//
// A blueprint may *extend* another, its base: what it does not have itself, it has from there. It
// may have children, which are blueprints too, and become children of its entity.
//
// Where values have fields that hold entities, and their type describes them (ILK_KIND_ENTITY),
// then what is made or moved together stays together: a field that names somebody of those that are
// copied, taken or moved names the copy, or where that one is now. Whoever is named otherwise stays
// named, in the same world; in another world the field becomes null. So it is with components, and
// with what relations carry.
//
// All of it takes along what is below an entity, as children: each of them costs the same, however
// deep it is, and in whatever order they are listed.
// Relations between those that are copied or moved together are there too, also of one to itself,
// with copies of what they carry; a copy in the same world relates to others as the original does.
// Blueprints have children, but no other relations. A name (name.h) goes along with copies and
// moves to a world where names are free, and nowhere else; ids, of which there is one each, do not,
// and blueprints have neither.
//
// What is made from a blueprint, or copied, has the reason SPAWN for observers; what is moved comes
// with LOAD, and goes with UNLOAD. ilk_set_reason gives what comes another one, as for any verb.
// Observers are told when all is there: each of all entities, as bulk verbs do it.
//
// A blueprint is used by one thread at a time, and counts as one with its children and parents,
// what they extend, and what extends them. One that is registered belongs to the world's thread,
// and all those with it; but systems may spawn it with ilk_cmd_blueprint_spawn, and look at it
// (ilk_blueprint_get and _has, _types, _entity, _parent, _first_child and _next_child). Cloning is
// not looking.
#ifndef ILK_BLUEPRINT_H
#define ILK_BLUEPRINT_H

#include "observer.h"
#include "relation.h"

#ifdef __cplusplus
extern "C" {
#endif

// A set of values outside any world.
typedef struct ilk_blueprint ilk_blueprint;

// An empty blueprint, which is the caller's to destroy until it is given to a world
// (ilk_blueprint_register, ilk_blueprint_put) or to a parent (ilk_blueprint_add_child). Its memory
// comes from the allocator, NULL for the C library; NULL if there is none, or the allocator is half
// there.
ILK_API ilk_blueprint* ilk_blueprint_create(const ilk_allocator* allocator);

// Drop its values and give its memory back, and its children with it. One that is a child, or is
// registered, is so no more. Others that extend it keep what they have from it. NULL is allowed.
ILK_API void ilk_blueprint_destroy(ilk_blueprint* blueprint);

// Another one with a copy of each value, by the types' copy hooks, and of each child; it extends
// the same base, and is neither a child nor registered. NULL without memory, or if a type has a
// drop hook but none to copy. It notes in the first, and in the base, what it does: so for the
// thread to which they belong.
ILK_API ilk_blueprint* ilk_blueprint_clone(const ilk_blueprint* blueprint);

// Give it a value: one that it does not have itself (EXISTS), whether or not its base has; one in
// any case; one in place of its own (MISSING). NULL bytes mean the default, made now.
ILK_API ilk_result ilk_blueprint_add(ilk_blueprint* blueprint, ilk_value value);
ILK_API ilk_result ilk_blueprint_set(ilk_blueprint* blueprint, ilk_value value);
ILK_API ilk_result ilk_blueprint_replace(ilk_blueprint* blueprint, ilk_value value);

// Take away a value of its own, and drop it. MISSING if there is none; what its base has, it then
// has from there. Never needs memory.
ILK_API ilk_result ilk_blueprint_remove(ilk_blueprint* blueprint, ilk_type* type);

// The value for reading, be it its own or its base's; NULL if there is none. It is good until it is
// removed, or its blueprint goes.
ILK_API const void* ilk_blueprint_get(const ilk_blueprint* blueprint, ilk_type* type);

// The value for writing. What it has from its base becomes its own, by copy. NULL if there is none,
// or it cannot be copied, or there is no memory; with ilk_blueprint_ensure, it gets the default
// where there is none. In a value that was made from an entity's (ilk_blueprint_of and the others),
// whoever is named is taken to be of that entity's world, also who is written there: to name
// somebody of another one, give the value anew, by ilk_blueprint_set.
ILK_API void* ilk_blueprint_edit(ilk_blueprint* blueprint, ilk_type* type);
ILK_API void* ilk_blueprint_ensure(ilk_blueprint* blueprint, ilk_type* type);

// Whether its entities have a type; and how many they have: the first `capacity` of them go to
// `types`, its own first, in the order in which they were added.
ILK_API bool ilk_blueprint_has(const ilk_blueprint* blueprint, ilk_type* type);
ILK_API uint32_t ilk_blueprint_types(const ilk_blueprint* blueprint, ilk_type** types,
                                     uint32_t capacity);

#ifndef __cplusplus
// The same with the type of the value: const Health* h = ILK_BLUEPRINT_GET(orc, Health).
#define ILK_BLUEPRINT_GET(blueprint, T) ((const T*)ilk_blueprint_get((blueprint), &T##_type))
#define ILK_BLUEPRINT_EDIT(blueprint, T) ((T*)ilk_blueprint_edit((blueprint), &T##_type))
#define ILK_BLUEPRINT_ENSURE(blueprint, T) ((T*)ilk_blueprint_ensure((blueprint), &T##_type))
#endif

// Extend another blueprint, in place of the base it had, or none (NULL). INVALID if that one is
// made of this one in any way. The base lives on for those who extend it.
ILK_API ilk_result ilk_blueprint_extend(ilk_blueprint* blueprint, ilk_blueprint* base);

// Make a blueprint a child of another, the last one, which owns it from then on: its entities are
// children of those of its parent, in order. INVALID if it is a child or registered already, or the
// parent is made of it in any way.
ILK_API ilk_result ilk_blueprint_add_child(ilk_blueprint* blueprint, ilk_blueprint* child);

// The blueprint that one is a child of; its own first child, without those of its base; the child
// after another. NULL if there is none.
ILK_API ilk_blueprint* ilk_blueprint_parent(const ilk_blueprint* blueprint);
ILK_API ilk_blueprint* ilk_blueprint_first_child(const ilk_blueprint* blueprint);
ILK_API ilk_blueprint* ilk_blueprint_next_child(const ilk_blueprint* blueprint);

// The handle that stands for a blueprint's entity in values of the blueprint, its children, and
// those that extend them: in each entity that is spawned, it becomes that of the one made from this
// blueprint at the same time. That goes for fields that are described (ilk_type); elsewhere it
// stays, and is alive in no world. Null for NULL.
ILK_API ilk_entity ilk_blueprint_entity(const ilk_blueprint* blueprint);

// Name a blueprint in a world, which owns it from then on. EXISTS if the name is taken, INVALID for
// no name, or a blueprint that is a child or registered already; LOCKED in a system.
ILK_API ilk_result ilk_blueprint_register(ilk_world* world, const char* name,
                                          ilk_blueprint* blueprint);

// The blueprint of a name, which lives as long as it is registered; NULL, and MISSING in ilk_error,
// if there is none. Also in systems.
ILK_API ilk_blueprint* ilk_blueprint_named(ilk_world* world, const char* name);

// Make an entity with a copy of each value, in one step. Null, and the result in ilk_error: as for
// ilk_spawn, and INVALID if a type has a drop hook but none to copy.
ILK_API ilk_entity ilk_blueprint_spawn(ilk_world* world, const ilk_blueprint* blueprint);

// Make `count` of them. `entities`, if it is not NULL, has room for so many. NO_MEMORY and FULL
// mean that nothing was done. Observers may have destroyed some.
ILK_API ilk_result ilk_blueprint_spawn_many(ilk_world* world, const ilk_blueprint* blueprint,
                                            uint32_t count, ilk_entity* entities);

// Make an entity with the values themselves: the blueprint is gone then, with all its children. So
// also values that cannot be copied come into a world. DEAD if an observer destroyed the entity:
// then too the blueprint is gone. If the call fails otherwise, as ilk_blueprint_spawn does, the
// blueprint is as it was; INVALID if it is a child or registered. While observers are told, it is
// there without the values, cannot be put, registered or made a child (INVALID), and to destroy it
// does nothing.
ILK_API ilk_entity ilk_blueprint_put(ilk_world* world, ilk_blueprint* blueprint);

// Record that one is to be spawned; for the handle see ilk_cmd_spawn. The blueprint must be
// registered in the buffer's world (INVALID), and what it is like when the command is applied
// counts; if it is gone by then, the command fails with MISSING.
ILK_API ilk_entity ilk_cmd_blueprint_spawn(ilk_cmd* cmd, const ilk_blueprint* blueprint);

// A blueprint with a copy of each component of an entity, switched on or off as there, in the C
// library's memory, or an allocator's. NULL, and the result in ilk_error: DEAD (also if it is
// dying), NO_MEMORY; INVALID if a type has a drop hook but none to copy, or the allocator is half
// there. The same for all that are below it, which become its children.
ILK_API ilk_blueprint* ilk_blueprint_of(ilk_world* world, ilk_entity e,
                                        const ilk_allocator* allocator);

// The same for a save: types that are not saved are left out, and values are copied by their type's
// copy_to_save if it has one (type.h). So are entities that are not saved, with all below them: if
// it is the entity itself, the blueprint is empty. Whoever is left out is null where it was named.
ILK_API ilk_blueprint* ilk_blueprint_to_save(ilk_world* world, ilk_entity e,
                                             const ilk_allocator* allocator);

// The same with the values themselves: the entities are gone then, also if something outlives them.
// For those who stay they are as good as destroyed, as with ilk_transfer: so NEEDED.
ILK_API ilk_blueprint* ilk_blueprint_take(ilk_world* world, ilk_entity e,
                                          const ilk_allocator* allocator);

// Copy an entity and all that are below it, each as ilk_copy does; the copy has the same parent.
// Null, and the result in ilk_error.
ILK_API ilk_entity ilk_copy_tree(ilk_world* world, ilk_entity e);

// Copy entities into another world, or the same one; or move them to another one. `there`, if it is
// not NULL, has room for `count`, and gets the handle of each where they are now. An entity that is
// listed twice travels once. One that is DEAD (also if it is dying) is passed over, and its handle
// there is null; the others are done, and that is reported by the world that they come from.
// FOREIGN if the world where they go does not take one of their types, FULL, NO_MEMORY and LOCKED,
// of either world, and INVALID if a type has a drop hook but none to copy, mean that nothing was
// done, and all handles there are null. To move entities to where they are is INVALID.
// For those who stay, one that is moved away is as good as destroyed: by each relation's own rule
// (at_end) they lose it, are destroyed too, or do not let it go, which is NEEDED: then nothing was
// done. Relations to those who stay are left behind.
// While observers are told that they go, the world where they go is LOCKED. While observers are
// told that they came, the world that they come from may be changed, but neither be destroyed nor
// go back to a snapshot: LOCKED.
ILK_API ilk_result ilk_copy_to(ilk_world* from, const ilk_entity* entities, uint32_t count,
                               ilk_world* to, ilk_entity* there);
ILK_API ilk_result ilk_transfer(ilk_world* from, const ilk_entity* entities, uint32_t count,
                                ilk_world* to, ilk_entity* there);

#ifdef __cplusplus
}
#endif
#endif
