// Heads: for each slot, the first edge of those whose target it is, and how many there are. In
// pages, of which those are there where somebody was a target; each notes the tick of its last
// change.
#ifndef ILKI_HEADS_H
#define ILKI_HEADS_H

#include "../base/guard.h"
#include "../base/pool.h"

#define ILKI_PAGE_HEADS 256u

typedef struct ilki_head {
    uint32_t first; // of no meaning if there is none
    uint32_t count;
} ilki_head;

typedef struct ilki_head_page {
    uint64_t touched;
    uint32_t used; // heads that have edges
    ilki_head heads[ILKI_PAGE_HEADS];
} ilki_head_page;

typedef struct ilki_heads {
    ilki_head_page** pages; // NULL where none is
    uint32_t page_capacity;
    ilki_guard guard; // of the pages
} ilki_heads;

void ilki_heads_fini(ilki_heads* heads, ilki_pool* pool);

// Makes room for the head of a slot. False without memory.
bool ilki_heads_ready_slow(ilki_heads* heads, ilki_pool* pool, uint32_t slot);

ILKI_INLINE bool ilki_heads_ready(ilki_heads* heads, ilki_pool* pool, uint32_t slot) {
    uint32_t page = slot / ILKI_PAGE_HEADS;
    bool is_there = page < heads->page_capacity && heads->pages[page];
    return ILKI_LIKELY(is_there) || ilki_heads_ready_slow(heads, pool, slot);
}

// Frees pages without edges.
void ilki_heads_trim(ilki_heads* heads, ilki_pool* pool);

size_t ilki_heads_bytes(const ilki_heads* heads);

// The head of a slot; one without edges where there is no page.
ILKI_INLINE ilki_head ilki_head_of(const ilki_heads* heads, uint32_t slot) {
    uint32_t page = slot / ILKI_PAGE_HEADS;
    if (page >= heads->page_capacity || !heads->pages[page]) return (ilki_head){0, 0};
    return heads->pages[page]->heads[slot % ILKI_PAGE_HEADS];
}

// Changes the head of a slot, for which there must be room.
ILKI_INLINE void ilki_head_set(ilki_heads* heads, uint32_t slot, ilki_head head, uint64_t tick) {
    ilki_head_page* page = heads->pages[slot / ILKI_PAGE_HEADS];
    ilki_head* at = &page->heads[slot % ILKI_PAGE_HEADS];
    ilki_guard_pass(&heads->guard, slot / ILKI_PAGE_HEADS);
    page->touched = tick;
    page->used += (head.count != 0) - (uint32_t)(at->count != 0);
    *at = head;
}

#endif
