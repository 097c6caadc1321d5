// Lanes: handles for many who create at the same time and must not wait for each other.
//
// Each of them has a lane. The k-th handle that a lane gives out depends on the state of the index
// when the lanes were opened, on the number of the lane and on k, never on what other lanes do. The
// first ones were reserved for it (its *stash*). Then come slots of the free list, of which the
// lanes have one each in turn: the j-th of lane i is number j × lanes + i. Then come whole pages of
// slots that were never used: the j-th page of lane i is page number j × lanes + i of those that
// are not there yet. While lanes are open, nothing that readers of the index see changes. When they
// are closed, what was given out is reserved, and the rest can be given out again. Pages that no
// lane came to are left out: they cost nothing but their numbers, which the next lanes, and others,
// use first.
//
// So the index grows no further once the free list has what a lane takes without being expected to,
// times the lanes.
#ifndef ILKI_LANES_H
#define ILKI_LANES_H

#include "index.h"

typedef struct ilki_lane_page {
    uint32_t number;
    ilki_record* records; // NULL: the index has it already
} ilki_lane_page;

typedef struct ilki_lane {
    uint32_t number;
    uint32_t stash, stashed; // where its stash begins, and how many are in it
    uint32_t used;           // handles given out
    uint32_t listed;         // those among them that were of the free list
    uint32_t before;         // when they are closed: the lane before it that has such, or ILKI_NONE
    ilki_lane_page* pages;
    uint32_t page_count, page_capacity;
} ilki_lane;

typedef struct ilki_lanes {
    ilki_index* index;
    ilki_memory* memory;
    ilki_lane* lanes;
    uint32_t count, capacity;
    ilk_entity* stash; // of all lanes
    uint32_t stashed, stash_capacity;
    uint32_t room;       // when they were opened: how many more may be alive,
    uint32_t free;       // how many slots were on the free list,
    uint32_t fresh;      // the first page in which no slot was used,
    uint32_t absent;     // and how many before it were not there
    ilki_lock lock;      // for pages and what follows
    ilki_record** table; // a larger table of pages, or NULL
    uint32_t table_capacity;
    uint32_t made;  // pages that the index did not have
    uint32_t* list; // a larger array for the free list, or NULL
    uint32_t list_capacity;
} ilki_lanes;

// Opens lanes; `wants` says how many handles each of them is expected to give out. False without
// memory. Fewer are reserved if there is no room for more.
bool ilki_lanes_open(ilki_lanes* lanes, ilki_index* index, ilki_memory* memory, uint32_t count,
                     const uint32_t* wants);

// The next handle of a lane, whose entity is not alive. NO_MEMORY, or FULL if there is no index
// left, or no room for as many as this lane alone has given out. Whoever has the lane may call this
// beside others.
ilk_result ilki_lane_take(ilki_lanes* lanes, ilki_lane* lane, ilk_entity* e);

// Closes the lanes. False if more handles were given out than the index may hold entities: those
// that are too many never come alive.
bool ilki_lanes_close(ilki_lanes* lanes);

void ilki_lanes_fini(ilki_lanes* lanes, ilki_memory* memory);

#endif
