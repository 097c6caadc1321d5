// Those who travel together: entities of a list, and all that are below them, each once.
#ifndef ILKI_TRAVEL_H
#define ILKI_TRAVEL_H

#include "../containers/lookup.h"
#include "world.h"

typedef struct ilki_travellers {
    ilk_world* from;
    ilk_entity* list;
    uint32_t count;
    uint32_t listed;       // those among them that were in the list, which come first
    ilki_lookup positions; // of their slots, to where they are in the list
    bool has_dead;         // some were passed over,
    ilk_entity dead;       // of which this was the first
} ilki_travellers;

// Lists those who travel, in scratch memory: those of the list first, then their children, then
// theirs. False without memory.
bool ilki_travellers_init(ilki_travellers* all, ilk_world* world, const ilk_entity* entities,
                          uint32_t count);

// Where an entity is in the list, or ILKI_NONE.
ILKI_INLINE uint32_t ilki_traveller_at(const ilki_travellers* all, ilk_entity e) {
    uint32_t at = ilki_lookup_find(&all->positions, e.index);
    return at != ILKI_NONE && ilk_same(all->list[at], e) ? at : ILKI_NONE;
}

// NEEDED, and the failure is noted, if somebody who stays relates to one who is to leave.
ilk_result ilki_travellers_needed(const ilki_travellers* all, const char* call);

// Tells that all go, for which other worlds are locked; the frame is begun then. False, and the
// failure is noted, without memory.
bool ilki_tell_leaving(const ilki_travellers* all, ilki_frame* frame, const char* call);

#endif
