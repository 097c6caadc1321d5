// Names and persistent ids: how entities are found again.
//
// An entity may have a name, a text of up to 255 bytes, and an id, 128 bits that stay the same when
// the entity is saved, sent, or made again elsewhere. Both are components (ilk_name_type,
// ilk_id_type), so that queries can ask who has them and observers are told; but their values are
// ilk's own, and given and changed by the verbs below alone: any other way is INVALID. (ilk_remove
// takes them away, as ilk_remove_all does.) Names and ids of inactive entities are found too; those
// that are dying have none.
//
// Where names are unique among siblings (ilk_world_desc), a verb that gives an entity another
// parent, or takes its parent away, is EXISTS if one of those who would be its siblings has its
// name, and the message says who: ilk_set_parent, ilk_relate and the others that relate;
// ilk_unrelate, ilk_remove and ilk_remove_many of ilk_child_of_type; and their commands when they
// are applied.
//
// Looking up takes the same time however many there are, needs no memory, and is allowed inside
// systems. What comes back is good until names, ids or parents change. Nothing here is reported
// but by the verbs that change something; those are for the world's thread, and LOCKED in systems.
#ifndef ILK_NAME_H
#define ILK_NAME_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ILK_NAME_MAX 255u // bytes of a name

// The value of ilk_name_type. Two entities of a world have the same name if the numbers of their
// texts are equal.
typedef struct ilk_name {
    uint32_t text;                  // for ilk_text_at
    uint32_t under, next, previous; // ilk's own
} ilk_name;

// A persistent id, the value of ilk_id_type. {0} stands for none.
typedef struct ilk_id {
    uint64_t high, low;
} ilk_id;

// The types of names and ids, for queries and observers.
extern ILK_API ilk_type ilk_name_type;
extern ILK_API ilk_type ilk_id_type;

// Give an entity a name, or another one; NULL or "" takes it away. Any bytes will do, but for zero.
// OK also if it has that name already. EXISTS if another has it where names are unique
// (ilk_world_desc), and the message says who. INVALID for a name that is too long, DEAD (also if it
// is dying), NO_MEMORY; taking away needs none.
ILK_API ilk_result ilk_set_name(ilk_world* world, ilk_entity e, const char* name);

// The name of an entity, or NULL. Lives until it is changed or taken away, or the entity goes.
ILK_API const char* ilk_name_of(const ilk_world* world, ilk_entity e);

// The entity of a name among those that have no parent; where names are unique in the whole world,
// among all. Null if there is none. Of several, the one that has been there under this name for the
// longest time.
ILK_API ilk_entity ilk_named(const ilk_world* world, const char* name);

// The child of a name, chosen in the same way. A null parent stands for none: those that have no
// parent are each other's siblings. Null if there is no such child, or no such parent.
ILK_API ilk_entity ilk_child_named(const ilk_world* world, ilk_entity parent, const char* name);

// How many children of a parent (or, for null, entities without one) have a name; the first
// `capacity` go to `entities`, in the order in which they came to have it there.
ILK_API uint32_t ilk_all_named(const ilk_world* world, ilk_entity parent, const char* name,
                               ilk_entity* entities, uint32_t capacity);

// The entity at the end of a path of names, "castle/hall/door", which begins among the children of
// `from`, or with ilk_named if that is null; with a '/' in front always among those without a
// parent. ".." is the parent, "." the entity itself; after a '\' any character stands for itself,
// so that "\/" is part of a name, and "\.." a name of two dots. Null, and the result if somebody
// wants it: DEAD for `from`, MISSING, INVALID for a path that is NULL or has an empty part, or
// nothing after a '\'.
ILK_API ilk_entity ilk_by_path(const ilk_world* world, ilk_entity from, const char* path,
                               ilk_result* result);

// The path that leads to an entity from those without a parent, as ilk_by_path reads it. At most
// `size` bytes are written, with the final zero. Returns the whole length without it; 0 and "" if
// the entity is dead, or it or one that it is below has no name.
ILK_API size_t ilk_path_of(const ilk_world* world, ilk_entity e, char* text, size_t size);

// The text of a number, which lives as long as somebody is called so; and the number of a text, to
// compare the names in a column with. NULL and 0 if nobody is called so.
ILK_API const char* ilk_text_at(const ilk_world* world, uint32_t number);
ILK_API uint32_t ilk_text_number(const ilk_world* world, const char* text);

// True if both are the same id.
static inline bool ilk_same_id(ilk_id a, ilk_id b) {
    return a.high == b.high && a.low == b.low;
}

// Give an entity an id, or another one; {0} takes it away. OK also if it has that id already.
// EXISTS if another entity of the world has it, and the message says who; DEAD (also if it is
// dying), NO_MEMORY; taking away needs none.
ILK_API ilk_result ilk_set_id(ilk_world* world, ilk_entity e, ilk_id id);

// The id of an entity, or {0}; and the entity of an id, or null.
ILK_API ilk_id ilk_id_of(const ilk_world* world, ilk_entity e);
ILK_API ilk_entity ilk_entity_by_id(const ilk_world* world, ilk_id id);

// An id made of any bytes: a path, a row's key, 16 bytes from a source of chance. The same bytes
// give the same id, always and everywhere, and never {0}. It hides nothing: whoever can choose the
// bytes can make two that give the same. NULL stands for no bytes. Any thread.
ILK_API ilk_id ilk_make_id(const void* bytes, size_t size);

// An id as 32 hexadecimal digits. At most `size` bytes are written, with the final zero. Returns
// the whole length, 32. Any thread.
ILK_API size_t ilk_id_text(ilk_id id, char* text, size_t size);

// An id from 32 hexadecimal digits, large or small, and nothing else. INVALID, and {0}, otherwise.
// Any thread.
ILK_API ilk_result ilk_id_parse(const char* text, ilk_id* id);

#ifdef __cplusplus
}
#endif
#endif
