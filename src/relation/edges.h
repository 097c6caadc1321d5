// Edges: single relations of one type, in pages that never move.
//
// An edge is in two rings: those of the same source and those of the same target, each in the order
// in which they came to be; whoever holds the ring knows its first edge. A page notes the tick of
// its last change, and has the values of its edges behind them, if the relation carries any. Edges
// that are free form a list, last in, first out.
//
// Edges whose source has several are also in a table, by source and target: open addressing, at
// most half full, in which whoever follows a gap is moved up.
#ifndef ILKI_EDGES_H
#define ILKI_EDGES_H

#include "../base/bits.h"
#include "../base/guard.h"
#include "../base/pool.h"
#include "../component/values.h"

#define ILKI_PAGE_EDGES 256u

typedef struct ilki_edge {
    uint32_t source, target;               // slots; ILKI_NONE and the next one where it is free
    uint32_t next_target, previous_target; // of the same source
    uint32_t next_source, previous_source; // of the same target
} ilki_edge;

typedef struct ilki_edge_page {
    uint64_t touched;
    ilki_edge edges[ILKI_PAGE_EDGES];
} ilki_edge_page;

typedef struct ilki_edges {
    ilki_edge_page** pages;
    uint32_t page_count, page_capacity;
    uint32_t used;  // no edge at or above it was ever taken
    uint32_t count; // that are not free
    uint32_t free;  // the first of the list, or ILKI_NONE
    const ilk_type* value;
    size_t value_at; // in a page
    bool has_table;
    uint32_t* table;         // an edge and one more; 0: none
    uint32_t table_capacity; // a power of two, or 0
    uint32_t entered;        // edges in the table
    ilki_guard guard;        // of the pages
} ilki_edges;

void ilki_edges_init(ilki_edges* edges, const ilk_type* value, bool has_table);

// Frees all memory. Values are dropped.
void ilki_edges_fini(ilki_edges* edges, ilki_pool* pool);

// Makes room for `count` more. False without memory.
bool ilki_edges_ready_slow(ilki_edges* edges, ilki_pool* pool, uint32_t count);

// How many may be in the table after `count` more: each may be the second of its source.
ILKI_INLINE uint64_t ilki_edges_entered(const ilki_edges* edges, uint32_t count) {
    uint64_t all = (uint64_t)edges->count + count, entered = edges->entered + 2 * (uint64_t)count;
    return entered < all ? entered : all;
}

ILKI_INLINE bool ilki_edges_ready(ilki_edges* edges, ilki_pool* pool, uint32_t count) {
    uint64_t needed = (uint64_t)edges->count + count;
    bool has_pages = needed <= (uint64_t)edges->page_count * ILKI_PAGE_EDGES;
    bool has_room =
        !edges->has_table || ilki_edges_entered(edges, count) * 2 <= edges->table_capacity;
    return ILKI_LIKELY(has_pages && has_room) || ilki_edges_ready_slow(edges, pool, count);
}

// The bytes of a page, and their alignment. Where values own something: makes copies of those of a
// page in another one, which has the same bytes; drops those of a page.
size_t ilki_edge_page_bytes(const ilki_edges* edges);
size_t ilki_edge_page_align(const ilki_edges* edges);
void ilki_edge_page_copy_values(const ilki_edges* edges, ilki_edge_page* to,
                                const ilki_edge_page* from);
void ilki_edge_page_drop_values(const ilki_edges* edges, ilki_edge_page* page);

// Makes sure that there are so many pages, and room for so many edges in the table. False without
// memory.
bool ilki_edges_ready_to_be(ilki_edges* edges, ilki_pool* pool, uint32_t pages, uint32_t entered);

// Makes a page that was not there as if none of its edges had been taken.
void ilki_edge_page_vacate(ilki_edges* edges, uint32_t page);

// The numbers are those of others again, and the pages have the same bytes: the table is made anew.
void ilki_edges_become(ilki_edges* edges, const ilki_edges* was);

// Frees pages at the end that have no edges, and what the table has too much, as far as memory can
// be had for that.
void ilki_edges_trim(ilki_edges* edges, ilki_pool* pool);

// All memory.
size_t ilki_edges_bytes(const ilki_edges* edges);

ILKI_INLINE ilki_edge* ilki_edge_at(const ilki_edges* edges, uint32_t edge) {
    return &edges->pages[edge / ILKI_PAGE_EDGES]->edges[edge % ILKI_PAGE_EDGES];
}

// The same, to be changed.
ILKI_INLINE ilki_edge* ilki_edge_edit(ilki_edges* edges, uint32_t edge, uint64_t tick) {
    ilki_edge_page* page = edges->pages[edge / ILKI_PAGE_EDGES];
    ilki_guard_pass(&edges->guard, edge / ILKI_PAGE_EDGES);
    page->touched = tick;
    return &page->edges[edge % ILKI_PAGE_EDGES];
}

// The value of an edge of a relation that carries one.
ILKI_INLINE void* ilki_edge_value(const ilki_edges* edges, uint32_t edge) {
    unsigned char* page = (unsigned char*)edges->pages[edge / ILKI_PAGE_EDGES];
    return page + edges->value_at + edge % ILKI_PAGE_EDGES * edges->value->size;
}

// The same of any relation: NULL if it carries none.
ILKI_INLINE void* ilki_edge_carried(const ilki_edges* edges, uint32_t edge) {
    return edges->value ? ilki_edge_value(edges, edge) : NULL;
}

// Takes an edge from one slot to another, for which there must be room. It is in no ring, and its
// value is the caller's to fill.
uint32_t ilki_edge_take(ilki_edges* edges, uint32_t source, uint32_t target, uint64_t tick);

// Frees an edge that is in no ring any more. The value is dropped.
void ilki_edge_free(ilki_edges* edges, uint32_t edge, uint64_t tick);

// The edge between two slots, of which the first has several; or ILKI_NONE.
uint32_t ilki_edge_find(const ilki_edges* edges, uint32_t source, uint32_t target);

// Whether no other edge has the same source.
ILKI_INLINE bool ilki_edge_is_only(const ilki_edges* edges, uint32_t edge) {
    return ilki_edge_at(edges, edge)->next_target == edge;
}

// Enter an edge at the end of the ring of its source or target, whose first edge is given, or
// before another one of its target; and take it out.
void ilki_edge_join_source(ilki_edges* edges, uint32_t edge, uint32_t first, uint64_t tick);
void ilki_edge_join_target(ilki_edges* edges, uint32_t edge, uint32_t first, uint64_t tick);
void ilki_edge_leave_source(ilki_edges* edges, uint32_t edge, uint64_t tick);
void ilki_edge_leave_target(ilki_edges* edges, uint32_t edge, uint64_t tick);

#endif
