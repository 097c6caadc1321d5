// Doom: who is to be destroyed with an entity, because of relations that end with their sources.
//
// All of them are found before the first one goes, and are marked until they are gone: nobody can be
// related to them any more. The list is a stack, since what observers do meanwhile may doom others.
// Room for the list and the marks is made whenever a relation is, so that destroying needs no memory,
// unless it is caused by an observer.
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
    return relations->doomed_count && slot / 64 < relations->mark_words &&
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

#endif
