// Blueprints: values outside any world, from which entities are made.
#ifndef ILKI_BLUEPRINT_H
#define ILKI_BLUEPRINT_H

#include <ilk/blueprint.h>

#include "world.h"

// One value.
typedef struct ilki_part {
    ilk_type* type; // process-wide
    unsigned char* bytes;
    uint32_t origin; // id of the world whose entities its fields name; 0: of any
    bool is_off;
} ilki_part;

// Invariants: a type is there once among the parts of one blueprint; neither a child nor a base
// leads back to it; a blueprint is freed when neither its owner nor an extending one needs it.
struct ilk_blueprint {
    ilki_memory memory;
    uint32_t id;    // through the program's life
    uint32_t users; // its owner, and those that extend it
    ilki_part* parts;
    uint32_t part_count, part_capacity;
    ilk_blueprint* base;
    ilk_blueprint *parent, *first_child, *last_child, *previous, *next;
    ilk_world* world;    // where it is registered, or NULL
    uint32_t number;     // there
    bool is_going;       // its values are in a world now, and it ends when that was told
    ilk_blueprint* walk; // the next to be visited,
    uint32_t mark;       // and in which walk it was
};

// The handle that stands for the entity of a blueprint, which is alive in no world.
#define ILKI_STANDS_FOR UINT32_MAX
ILKI_INLINE bool ilki_stands_for(ilk_entity e) {
    return e.generation == ILKI_STANDS_FOR;
}

// The value of a type that a blueprint has itself, or from its base; or NULL.
const ilki_part* ilki_blueprint_find(const ilk_blueprint* blueprint, const ilk_type* type);

// The next part of a blueprint or of its base, in place of which it has none: begin with {NULL, 0}.
// NULL after the last.
typedef struct ilki_part_walk {
    const ilk_blueprint* at;
    uint32_t next;
} ilki_part_walk;
const ilki_part* ilki_part_next(const ilk_blueprint* blueprint, ilki_part_walk* walk);

// A blueprint in some memory; or NULL.
ilk_blueprint* ilki_blueprint_make(const ilki_memory* memory);

// Room for a value of a type that it does not have itself; the bytes are the caller's to fill. NULL
// without memory.
ilki_part* ilki_blueprint_room(ilk_blueprint* blueprint, ilk_type* type);

// What a blueprint is that is not the caller's to give away; or NULL.
const char* ilki_blueprint_owned(const ilk_blueprint* blueprint);

// Makes a blueprint, which is neither a child nor registered, the last child of another.
void ilki_blueprint_adopt(ilk_blueprint* blueprint, ilk_blueprint* child);

// Forgets the values of a blueprint, which are elsewhere now.
void ilki_blueprint_forget(ilk_blueprint* blueprint);

// The one after another in a tree, parents first; the same without those below that one. NULL after
// the last.
ilk_blueprint* ilki_blueprint_after(const ilk_blueprint* root, ilk_blueprint* blueprint);
ilk_blueprint* ilki_blueprint_past(const ilk_blueprint* root, ilk_blueprint* blueprint);

// The registered blueprint of a world that has an id, or NULL.
const ilk_blueprint* ilki_blueprint_of_id(const ilk_world* world, uint32_t id);

// Takes a blueprint out of the names of its world.
void ilki_blueprint_unregister(ilk_blueprint* blueprint);

// Brings an entity whose handle was given out to life, by a blueprint.
ilk_result ilki_blueprint_fulfil(ilk_world* world, ilk_entity e, const ilk_blueprint* blueprint,
                                 const char* call);

#endif
