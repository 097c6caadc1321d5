// The entity index: which handles are alive, and where their entities live.
//
// A slot per index, with a record of eight bytes in pages that never move. The generation word of
// a record is
//     bit 31       dead
//     bits 23–30   the world's tag
//     bits 0–22    how often the slot was used, from 1
// A dead slot holds the generation that it will have next, and in place of a place ILKI_RESERVED if
// its handle was given out; else ILKI_NONE, and it is on the free list, which is last in, first
// out. That is an array with room for every slot of the pages that are there, so that nothing is
// needed to free one, and any of the list is found at once. A slot whose count is used up, or any
// slot of a world that does not recycle, is retired when freed: its count is 0, and no list holds
// it. A handle is alive if its word equals the record's and bit 31 is clear. So {0} is never alive,
// and neither is a handle made up with the generation that a dead slot will have next.
#ifndef ILKI_INDEX_H
#define ILKI_INDEX_H

#include <ilk/inside.h>

#include "../base/bits.h"
#include "../base/guard.h"
#include "../base/memory.h"

#define ILKI_TAG_SHIFT 23
#define ILKI_USES_MAX 0x7fffffu
#define ILKI_RESERVED (UINT32_MAX - 1) // in place of a place; no slot has this number
#define ILKI_RETIRED ILKI_DEAD_BIT     // no slot that will live again has a count of 0

// In place of a page that is not there: no handle is alive in it, and nobody writes to it.
extern const ilki_record ilki_absent_page[ILKI_PAGE_RECORDS];

void ilki_index_init(ilki_index* index, uint32_t max, uint8_t tag, bool recycles);
void ilki_index_fini(ilki_index* index, ilki_memory* memory);

ILKI_INLINE ilki_record* ilki_record_at(const ilki_index* index, uint32_t slot) {
    return &index->pages[slot / ILKI_PAGE_RECORDS][slot % ILKI_PAGE_RECORDS];
}

// The same, to be changed.
ILKI_INLINE ilki_record* ilki_record_edit(ilki_index* index, uint32_t slot) {
    ilki_guard_pass(&index->record_guard, slot / ILKI_PAGE_RECORDS);
    return ilki_record_at(index, slot);
}

// Puts a slot at the end of the free list.
#define ILKI_PAGE_FREE 1024u
ILKI_INLINE void ilki_index_push(ilki_index* index, uint32_t slot) {
    ilki_guard_pass(&index->free_guard, index->free_count / ILKI_PAGE_FREE);
    index->free[index->free_count++] = slot;
}

ILKI_INLINE uint32_t ilki_place(uint32_t chunk, uint32_t row) {
    return chunk << ILKI_ROW_BITS | row;
}

ilki_record* ilki_page_alloc(ilki_memory* memory);
void ilki_page_free(ilki_memory* memory, ilki_record* page);

// Frees pages until so many are left, or all that no slot needs.
void ilki_index_shrink(ilki_index* index, ilki_memory* memory, uint32_t pages);
void ilki_index_trim(ilki_index* index, ilki_memory* memory);

// Puts an array in the place of that of the free list, which it has room for.
void ilki_index_adopt_free(ilki_index* index, ilki_memory* memory, uint32_t* other,
                           uint32_t capacity);

// The way of an index to what another one was, whose arrays it has, but for those pages that are
// absent. All that may lack memory is done before anything is changed.
typedef struct ilki_index_way {
    ilki_index* index;
    ilki_memory* memory;
    const ilki_index* was;
    const uint32_t* absent; // of that
    ilki_record** pages;    // for those that are absent now, and were not
    uint32_t page_count, page_capacity;
} ilki_index_way;

// False without memory. Either way, the pages that were not used are to be given back.
bool ilki_index_ready_to_be(ilki_index_way* way);
void ilki_index_give_back(ilki_index_way* way);

// Does all but give the pages their bytes.
void ilki_index_become(ilki_index_way* way);

// Makes sure that `count` more entities can be created: OK, FULL or NO_MEMORY.
ilk_result ilki_index_ready_slow(ilki_index* index, ilki_memory* memory, uint32_t count);

ILKI_INLINE ilk_result ilki_index_ready(ilki_index* index, ilki_memory* memory) {
    bool has_slot = index->free_count || index->slots < index->page_count * ILKI_PAGE_RECORDS;
    if (ILKI_LIKELY(has_slot && index->alive + index->reserved < index->max)) return ILK_OK;
    return ilki_index_ready_slow(index, memory, 1);
}

// Brings an entity to life. False, and nothing is done, if the index is not ready for it.
ILKI_INLINE bool ilki_index_try(ilki_index* index, uint32_t place, ilk_entity* e) {
    uint32_t free_count = index->free_count, alive = index->alive, slot, generation;
    ilki_record* record;
    if (ILKI_UNLIKELY(alive + index->reserved >= index->max)) return false;
    if (free_count) {
        slot = index->free[free_count - 1];
        record = ilki_record_edit(index, slot);
        generation = record->generation & ~ILKI_DEAD_BIT;
        index->free_count = free_count - 1;
    } else {
        slot = index->slots;
        if (ILKI_UNLIKELY(slot / ILKI_PAGE_RECORDS >= index->page_count)) return false;
        record = ilki_record_edit(index, slot);
        generation = index->tag | 1;
        index->slots = slot + 1;
    }
    *record = (ilki_record){generation, place};
    index->alive = alive + 1;
    index->ever++;
    *e = (ilk_entity){slot, generation};
    return true;
}

// The same; the index must be ready for it.
ILKI_INLINE ilk_entity ilki_index_create(ilki_index* index, uint32_t place) {
    ilk_entity e = {0, 0};
    ilki_index_try(index, place, &e);
    return e;
}

// The slot of the one created after so many others. The index must be ready for it.
ILKI_INLINE uint32_t ilki_index_slot_to_be(const ilki_index* index, uint32_t after) {
    uint32_t free_count = index->free_count;
    return after < free_count ? index->free[free_count - 1 - after]
                              : index->slots + (after - free_count);
}

// Gives out the handle that the next entity created would have. Its slot is taken, and dead, until
// the entity is brought to life or the slot is released. The index must be ready for it.
ilk_entity ilki_index_reserve(ilki_index* index);
void ilki_index_release(ilki_index* index, uint32_t slot);
bool ilki_index_is_reserved(const ilki_index* index, ilk_entity e);

// A handle that was given out must never come to life: its slot, which is reserved, goes on to its
// next generation. Whether it can be used again; then it is in no list.
bool ilki_index_break_promise(ilki_index* index, ilki_record* record);

// Brings a reserved entity to life.
ILKI_INLINE ilk_entity ilki_index_fulfil(ilki_index* index, ilk_entity e, uint32_t place) {
    *ilki_record_edit(index, e.index) = (ilki_record){e.generation, place};
    index->reserved--;
    index->alive++;
    index->ever++;
    return e;
}

// Brings many to life, as one by one. The first gets `place`, each further one `step` more.
void ilki_index_create_many(ilki_index* index, ilk_entity* entities, uint32_t count, uint32_t place,
                            uint32_t step);

// Ends the life of the entity in a slot.
ILKI_INLINE void ilki_index_destroy(ilki_index* index, uint32_t slot) {
    ilki_record* record = ilki_record_edit(index, slot);
    index->alive--;
    bool is_used_up = (record->generation & ILKI_USES_MAX) == ILKI_USES_MAX;
    if (ILKI_UNLIKELY(is_used_up || !index->recycles)) {
        record->generation = ILKI_RETIRED;
        index->retired++;
        return;
    }
    record->generation = (record->generation + 1) | ILKI_DEAD_BIT;
    record->place = ILKI_NONE;
    ilki_index_push(index, slot);
}

// Puts a slot that was never used, or not given out, on the free list.
ILKI_INLINE void ilki_index_offer(ilki_index* index, uint32_t slot) {
    ilki_record_edit(index, slot)->place = ILKI_NONE;
    ilki_index_push(index, slot);
}

// The same for all slots from one to before another, which were never used, so that the lowest is
// taken first.
void ilki_index_offer_fresh(ilki_index* index, uint32_t from, uint32_t to);

// Ends every life. Slots are handed out from 0 again, with their next generations.
void ilki_index_clear(ilki_index* index);

#endif
