// Parties: entities that come together, with different sets of components, all of them or none.
//
// First the index is made ready, and rows are taken for each set, as runs of the world; all that
// may fail is done by then. Then they come to life, and their values are filled in by the caller,
// run by run. At last observers are told of all of them.
#ifndef ILKI_PARTY_H
#define ILKI_PARTY_H

#include "../relation/doom.h"
#include "world.h"

// A relation that one of them is to have: to another one, or to somebody who is there.
typedef struct ilki_bond {
    ilki_relation* relation;
    uint32_t source, target; // where they are in the party; or a slot, if the target
    bool is_outside;         // is there
    const void* value;       // to be copied, or NULL
} ilki_bond;

typedef struct ilki_party {
    ilk_world* world;
    const char* call;
    uint32_t count;
    uint32_t pages;          // that the index had before
    ilk_entity* entities;    // when they are there; in the order of the runs
    const ilk_entity* first; // whose handle was given out before, or NULL
    ilki_bond* bonds;
    uint32_t bond_count, bond_capacity;
    bool is_told;
    ilki_frame frame;
} ilki_party;

// Begins a party of so many. `entities` has room for them; NULL: so has the scratch memory. If
// `first` is not NULL, it is the handle of the first. OK; or FULL, NO_MEMORY, and the failure is
// noted, and there is nothing to end. The scratch memory is in use until the end.
ilk_result ilki_party_begin(ilki_party* comers, ilk_world* world, uint32_t count,
                            ilk_entity* entities, const ilk_entity* first, const char* call);

// Takes rows for `count` of them, of an ilk, or NULL: without components, and so without rows. OK;
// FULL or NO_MEMORY, and the failure is noted: then the party is to be cancelled.
ilk_result ilki_party_expect(ilki_party* comers, ilki_ilk* ilk, uint32_t count);

// Notes a relation; NO_MEMORY, and the failure is noted: then the party is to be cancelled.
ilk_result ilki_party_bind(ilki_party* comers, ilki_bond bond);

// Makes sure that all relations that were noted need no memory. The same.
ilk_result ilki_party_ready_to_relate(ilki_party* comers);

// Gives the rows back, and ends the party. Nobody has come.
void ilki_party_cancel(ilki_party* comers);

// All come to life.
void ilki_party_arrive(ilki_party* comers);

// Notes that a column of a run is given, and returns where its values are to be filled in, side by
// side; NULL if each has a place of its own (ilki_value_at).
void* ilki_run_give(ilki_storage* storage, const ilki_run* run, const ilki_directory* directory);

// The same for relations, of which there are none yet.
void ilki_run_give_links(ilki_storage* storage, const ilki_run* run,
                         const ilki_directory* directory);

// All values of a run are filled in.
void ilki_run_is_full(ilki_storage* storage, const ilki_run* run);

// All runs are full: makes the relations that were noted, in order. Whoever the copies of values
// name is renamed, if `rename` is not NULL.
void ilki_party_relate(ilki_party* comers, ilki_rename_fn* rename, void* context);

// Ends the lives of entities whose values are elsewhere now, and are not dropped. Nobody who stays
// relates to them, and the observers of all were told.
void ilki_depart(ilk_world* world, const ilk_entity* entities, uint32_t count);

// All of them are as they are to be: tells whoever observes it, and ends the party. What happens
// between the first two is told after that they came.
void ilki_party_announce(ilki_party* comers);
void ilki_party_tell(ilki_party* comers);
void ilki_party_end(ilki_party* comers);

#endif
