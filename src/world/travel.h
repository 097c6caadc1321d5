// Those who travel together: entities of a list, and all that are below them, each once.
#ifndef ILKI_TRAVEL_H
#define ILKI_TRAVEL_H

#include "../containers/lookup.h"
#include "../relation/doom.h"
#include "world.h"

typedef struct ilki_travellers {
    ilk_world* from;
    ilk_entity* list;
    uint32_t count, capacity;
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

// NEEDED, and the failure is noted, if somebody who stays needs one who is to leave.
ilk_result ilki_travellers_needed(const ilki_travellers* all, const char* call);

// A departure.
typedef struct ilki_leaving {
    const ilki_travellers* all;
    ilki_frame frame;
    bool is_told;
} ilki_leaving;

// For those who stay, whoever leaves is as good as destroyed: they lose their relations to it, or
// are destroyed too. Then all are told that it goes. What observers ask for waits until it is gone.
// OK; NEEDED, NO_MEMORY or FULL, and the failure is noted: then nothing was done.
ilk_result ilki_leave(const ilki_travellers* all, ilki_leaving* leaving, const char* call);

// They are gone.
void ilki_have_left(ilki_leaving* leaving);

#endif
