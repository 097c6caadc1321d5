// Looking: what the storage knows of iterators that are open.
//
// While one is open, rows that were there when it began keep their places and their order, so that
// each can be visited once: nobody fills a hole, and whoever arrives is appended. The first append
// to a chunk after an iterator began is noted with the number of rows before it, which is where the
// chunk ends for that iterator; chunks made since are not there for it at all.
//
// An entity without a place has bits in it for the iterators that were open when it was created.
#ifndef ILKI_LOOKING_H
#define ILKI_LOOKING_H

#include "storage.h"

// Entities in an order, held by a query and by iterators that began with it; and their places, as
// long as nothing has happened.
typedef struct ilki_order {
    uint32_t users, count;
    uint64_t version; // of the world, when it was made
    ilk_entity entities[];
} ilki_order;

ILKI_INLINE size_t ilki_order_bytes(uint32_t count) {
    return sizeof(ilki_order) + count * (sizeof(ilk_entity) + 2 * sizeof(uint32_t));
}

ILKI_INLINE uint32_t* ilki_order_places(const ilki_order* order) {
    return (uint32_t*)(uintptr_t)(order->entities + order->count);
}

// How many, from each one on, lie side by side.
ILKI_INLINE uint32_t* ilki_order_runs(const ilki_order* order) {
    return ilki_order_places(order) + order->count;
}

// Frees an order that nobody holds any more.
void ilki_order_release(ilki_storage* storage, ilki_order* order);

// Whether an iterator is still open.
ILKI_INLINE bool ilki_is_open(const ilki_looking* looking, uint32_t slot, uint64_t serial) {
    return slot < ILKI_OPEN_MAX && looking->open[slot].serial == serial && serial;
}

// Opens an iterator of a query, ending the one that was opened first if there are too many.
// `is_wide` if it may visit entities without a place. Returns its slot; its serial number is
// looking.last.
uint32_t ilki_look(ilki_storage* storage, const void* query, bool is_wide);

// Closes one; those of a query that goes; all, because values move. `why` lives for ever.
void ilki_look_away(ilki_storage* storage, uint32_t slot);
void ilki_look_away_from(ilki_storage* storage, const void* query);
void ilki_look_no_more(ilki_storage* storage, const char* why);

// Why an iterator was closed; NULL if it was for room, or another of its slot was closed since.
const char* ilki_why_closed(const ilki_looking* looking, uint32_t slot, uint64_t serial);

// The place of an entity that is created without components now.
ILKI_INLINE uint32_t ilki_nowhere_now(const ilki_storage* storage) {
    return ILKI_NOWHERE ^ storage->looking.wide;
}

// Whether an entity without a place was there before the iterator in a slot was opened.
ILKI_INLINE bool ilki_was_there(uint32_t place, uint32_t slot) {
    return place >> slot & 1;
}

// How many rows of a chunk are there for an iterator; none at or above it.
uint32_t ilki_rows_seen(const ilki_chunk* chunk, uint64_t serial);

// Notes that a chunk is about to be appended to.
void ilki_note_append(ilki_storage* storage, ilki_chunk* chunk);

#endif
