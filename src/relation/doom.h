// Doom: who is to be destroyed with an entity, because of relations that end with their sources.
//
// All of them are found before the first one goes, and are marked until they are gone: nobody can
// be related to them any more. The list is a stack, since what observers do meanwhile may doom
// others. Room for the list and the marks is made whenever a relation is, so that destroying needs
// no memory, unless it is caused by an observer. So those of a caller's list, which go as one, are
// only marked, and only if they have relations: otherwise there might be no room.
#ifndef ILKI_DOOM_H
#define ILKI_DOOM_H

#include "links.h"

// Makes sure that one more relation, between two slots, is no reason for want of memory.
bool ilki_ready_for_doom(ilki_relations* relations, ilki_storage* storage, uint32_t source,
                         uint32_t target);

// The same for so many more relations that end with their sources, between slots up to one.
bool ilki_ready_for_dooms(ilki_relations* relations, ilki_storage* storage, uint32_t more,
                          uint32_t slot);

ILKI_INLINE bool ilki_is_doomed(const ilki_relations* relations, uint32_t slot) {
    return relations->marked && slot / 64 < relations->mark_words &&
           ilki_bit(relations->marks, slot);
}

// Whether somebody relates to a slot.
bool ilki_has_sources(const ilki_relations* relations, uint32_t slot);

// Who needs somebody that is doomed, and by which relation.
typedef struct ilki_need {
    const ilki_relation* relation;
    uint32_t source, target;
} ilki_need;

// Dooms an entity and all that go with it. OK; NO_MEMORY or NEEDED, and nobody was doomed.
ilk_result ilki_doom(ilki_relations* relations, ilki_storage* storage, ilk_entity e,
                     ilki_need* need);

// The last of those who were doomed is doomed no more.
void ilki_doom_is_done(ilki_relations* relations);

// A caller's list of entities that go as one.
typedef struct ilki_doomed_list {
    const ilk_entity* entities;
    uint32_t count;
    uint32_t first;    // of those that were doomed,
    uint32_t others;   // and of those among them who go with the list
    bool is_nested;    // others are being destroyed: all of them were doomed
    bool has_passed;   // some were passed over,
    ilk_entity passed; // of which this was the first
} ilki_doomed_list;

// Dooms those of a list that can be, and all that go with them. Who is dead, dying or doomed, or
// there twice, is passed over. A need among those who go does not count. OK; NO_MEMORY or NEEDED,
// and nobody was doomed.
ilk_result ilki_doom_list(ilki_relations* relations, ilki_storage* storage, ilki_doomed_list* list,
                          ilki_need* need);

// Those of a list, and who was doomed with them, are doomed no more; all of the list are alive
// still.
void ilki_doom_list_is_done(ilki_relations* relations, const ilki_storage* storage,
                            const ilki_doomed_list* list);

// One of a list, which was marked, is doomed no more.
void ilki_doom_unlist(ilki_relations* relations, uint32_t slot);

#endif
