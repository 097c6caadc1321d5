// Worlds that show a snapshot.
//
// Such a world has what the world had: types, ilks, chunks and slots of its own, which are made
// when the snapshot is opened, and around them the bytes of snapshots. What decides who is where,
// records, rows, relations and ilk's own tags, names and ids, is saved at that moment, as if the
// world were about to write to it, and is read where the snapshots have it. The blocks of other
// components, and resources, are fetched at the first question about their type: those that a
// snapshot has by then are read there too, those that the world still has are copied, under the
// lock, into memory of this world's own. A type whose blocks were not fetched has a directory
// without entries, so that the quick verbs leave it to the others.
//
// The thread that reads touches nothing of the world but the images of these blocks and resources,
// under the lock of the history, and the allocator, under that of the memory.
#ifndef ILKI_SHOWN_H
#define ILKI_SHOWN_H

#include "history.h"

typedef struct ilki_shown_resource {
    const void*
        shared; // the value that the world had when the snapshot was opened, if it is shared
    bool is_copied;
} ilki_shown_resource;

typedef struct ilki_shown {
    ilk_snapshot* snapshot;
    ilk_world* world;        // that shows it
    struct ilki_shown* next; // of those that are open
    bool* is_there;          // by type: its blocks were fetched
    uint64_t* copied;        // by type, a bit for each chunk: the block is a copy
    uint32_t words;          // of these bits
    ilki_shown_resource* resources;
    ilk_result failed; // why the last block that was not fetched was not
    size_t bytes;
} ilki_shown;

// Fetches the blocks of a type: OK, NO_MEMORY or STALE.
ilk_result ilki_shown_fetch(ilki_shown* shown, ilki_directory* directory);

// A world that shows a snapshot, on behalf of a call; NULL without memory.
ilk_world* ilki_snapshot_open(ilk_snapshot* snapshot, const char* call);

// Takes all that is not its own out of a world, and closes the snapshot.
void ilki_shown_close(ilki_shown* shown);

// Destroys all worlds that show snapshots of a world.
void ilki_shown_end_all(ilk_world* live);

#endif
