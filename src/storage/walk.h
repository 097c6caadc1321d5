// A plain walk over chunks: every row that has all of some types, in runs of rows side by side.
#ifndef ILKI_WALK_H
#define ILKI_WALK_H

#include <ilk/world.h>

#include "storage.h"

#define ILKI_WALK_TYPES 8u

typedef struct ilki_walk {
    uint32_t count;                 // rows of this run
    const ilk_entity* entities;     // of this run
    void* columns[ILKI_WALK_TYPES]; // one for each type, in the order they were given
    ilki_storage* storage;
    uint32_t types, writes;
    const ilki_directory* directories[ILKI_WALK_TYPES];
    ilki_block* blocks[ILKI_WALK_TYPES]; // of the chunk
    uint32_t page;                       // of the directories
    uint64_t present;                    // chunks of that page that are still to be walked
    const ilki_chunk* chunk;             // NULL: the next one is yet to be found
    uint32_t word;                       // of the chunk
    uint64_t bits;                       // rows of that word not yet found
    uint32_t run_row, run_count;         // rows found and not yet handed out
} ilki_walk;

// Walks all rows of a world that does not change meanwhile that have every one of one to eight types, switched on or off. The first
// `writes` of them are marked as changed.
void ilki_walk_init(ilki_walk* walk, ilk_world* world, ilk_type* const* types, uint32_t count,
                    uint32_t writes);
bool ilki_walk_next(ilki_walk* walk);

#endif
