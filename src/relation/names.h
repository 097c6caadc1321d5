// Names and ids: which entity has them.
//
// Both are values of components. A name's value has the number of its text (containers/glossary.h),
// the slot of the parent under which it is looked up, and the slots of those before and after it
// that have the same name under the same parent. A table leads from parent and text to the first of
// them, where there is a parent; otherwise the text itself has it, so that who is asked for by name
// alone is found with the text. Another table leads from an id to its entity. All of it can be made
// again from the values.
//
// Invariants, checked by ilk_world_validate:
//   – whoever has a name is in the list of its parent and text, and nobody else; the list begins
//     with the one that the table, or the text, has, ends with ILKI_NONE, and the first one's
//     `previous` is the last; where names are unique it has one entity;
//   – `under` is the slot of the parent; ILKI_NONE for those without one, and for all where names
//     are unique in the world;
//   – a text has as many users as entities are called so;
//   – each id is in its table once, and no two are equal.
#ifndef ILKI_NAMES_H
#define ILKI_NAMES_H

#include <ilk/name.h>

#include "../containers/glossary.h"
#include "../storage/place.h"

typedef struct ilki_names {
    ilki_glossary glossary;
    uint32_t named;      // entities that have a name
    ilki_finder by_name; // slots of the first ones below a parent; there is room for all
    ilki_finder by_id;   // slots
} ilki_names;

// Names of their own with the same texts and tables; false without memory. Gives back what names
// have.
bool ilki_names_clone(const ilki_names* names, ilki_memory* memory, ilki_names* clone);
void ilki_names_fini(ilki_names* names, ilki_memory* memory);

// A number that grows with each change.
ILKI_INLINE uint64_t ilki_names_changes(const ilki_names* names) {
    return names->glossary.changes + names->glossary.finder.changes + names->by_name.changes +
           names->by_id.changes;
}

// The names of a storage, made if there are none; NULL without memory. Freed and trimmed.
ilki_names* ilki_names_make(ilki_storage* storage);
void ilki_names_free(ilki_storage* storage);
void ilki_names_trim(ilki_storage* storage);

// The slot of the parent of an entity, or ILKI_NONE.
uint32_t ilki_slot_above(const ilki_storage* storage, uint32_t slot);

// The value of an entity that is alive, or NULL.
const ilk_name* ilki_name_at(const ilki_storage* storage, uint32_t slot);
const ilk_id* ilki_id_at(const ilki_storage* storage, uint32_t slot);

// The slot of the first entity of a name under a parent; or of an id. ILKI_NOT_FOUND if there is
// none.
uint32_t ilki_name_find(const ilki_storage* storage, uint32_t under, uint32_t text);
uint32_t ilki_id_find(const ilki_storage* storage, ilk_id id);

// Makes room for one more in the table of a type. False without memory.
bool ilki_own_ready(ilki_storage* storage, const ilki_directory* directory);

// Enters the value that an entity has of a type of these two, and takes it out.
void ilki_own_enter(ilki_storage* storage, const ilki_directory* directory, uint32_t slot);
void ilki_own_leave(ilki_storage* storage, const ilki_directory* directory, uint32_t slot);

// An entity has another parent, or none any more: its name, if it has one, is found there, after
// those that were there before. Needs no memory. (Not where names are unique in the world.)
void ilki_name_move(ilki_storage* storage, uint32_t slot);

// An entity was given a copy of a name, by somebody under the same parent, for which room was made
// (ilki_own_ready).
void ilki_name_copied(ilki_storage* storage, uint32_t slot);

// The same for somebody who has come, perhaps under another parent, with a text that is used for
// it.
void ilki_name_arrived(ilki_storage* storage, uint32_t slot);

// Makes room for so many more names. False without memory.
bool ilki_names_ready(ilki_storage* storage, uint32_t count);

// The entity that is alive in a slot; null for ILKI_NOT_FOUND.
ilk_entity ilki_found_in(const ilki_storage* storage, uint32_t slot);

#endif
