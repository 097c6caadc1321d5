#include "lanes.h"

#include <string.h>

#define PAGES_MAX (UINT32_MAX / ILKI_PAGE_RECORDS - 1)

// The n-th of the pages that lanes may use.
static uint64_t page_of(const ilki_lanes* lanes, uint64_t n) {
    if (n < lanes->absent) return lanes->index->absent[n];
    return lanes->fresh + (n - lanes->absent);
}

static uint64_t number_of_page(const ilki_lanes* lanes, const ilki_lane* lane, uint32_t page) {
    return (uint64_t)page * lanes->count + lane->number;
}

// Reserves so many handles, or as many as there is room for.
static uint32_t fill_stash(ilki_lanes* lanes, uint32_t want) {
    uint32_t count = 0;
    for (; count < want; count++) {
        bool is_room = ilki_grow(lanes->memory, ILKI_OTHER, &lanes->stash, &lanes->stash_capacity,
                                 lanes->stashed + 1, sizeof *lanes->stash);
        if (!is_room || ilki_index_ready(lanes->index, lanes->memory) != ILK_OK) break;
        lanes->stash[lanes->stashed++] = ilki_index_reserve(lanes->index);
    }
    return count;
}

bool ilki_lanes_open(ilki_lanes* lanes, ilki_index* index, ilki_memory* memory, uint32_t count,
                     const uint32_t* wants) {
    if (!ilki_grow(memory, ILKI_OTHER, &lanes->lanes, &lanes->capacity, count,
                   sizeof *lanes->lanes)) {
        return false;
    }
    lanes->index = index;
    lanes->memory = memory;
    lanes->count = count;
    lanes->stashed = 0;
    lanes->room = index->max - index->alive - index->reserved;
    for (uint32_t i = 0; i < count; i++) {
        ilki_lane* lane = &lanes->lanes[i];
        lane->number = i;
        lane->used = lane->listed = lane->page_count = 0;
        lane->stash = lanes->stashed;
        lane->stashed = fill_stash(lanes, wants[i]);
    }
    lanes->free = index->free_count;
    lanes->made = 0;
    lanes->fresh = (index->slots + ILKI_PAGE_RECORDS - 1) / ILKI_PAGE_RECORDS;
    lanes->absent = index->absent_count;
    return true;
}

// Makes sure that the free list can hold the slots of one more page that the index does not have.
static bool ready_for_list(ilki_lanes* lanes) {
    const ilki_index* index = lanes->index;
    uint64_t there = index->page_count - index->absent_count;
    uint64_t needed = (there + lanes->made + 1) * ILKI_PAGE_RECORDS;
    if (needed <= index->free_capacity) return true;
    return needed <= UINT32_MAX &&
           ilki_grow(lanes->memory, ILKI_RECORDS, &lanes->list, &lanes->list_capacity,
                     (uint32_t)needed, sizeof *lanes->list);
}

// Makes sure that closing needs no memory if this page is used.
static bool ready_for_page(ilki_lanes* lanes, ilki_lane* lane, uint32_t page) {
    ilki_index* index = lanes->index;
    uint32_t left_out = page < lanes->fresh ? 0 : page - lanes->fresh;
    bool is_ready = ilki_grow(lanes->memory, ILKI_OTHER, &lane->pages, &lane->page_capacity,
                              lane->page_count + 1, sizeof *lane->pages) &&
                    ilki_grow(lanes->memory, ILKI_RECORDS, &index->absent, &index->absent_capacity,
                              lanes->absent + left_out, sizeof *index->absent);
    if (!is_ready || page < index->page_capacity) return is_ready;
    return ilki_grow(lanes->memory, ILKI_RECORDS, &lanes->table, &lanes->table_capacity, page + 1,
                     sizeof *lanes->table);
}

static ilk_result add_lane_page(ilki_lanes* lanes, ilki_lane* lane) {
    const ilki_index* index = lanes->index;
    uint64_t number = page_of(lanes, number_of_page(lanes, lane, lane->page_count));
    if (number >= PAGES_MAX) return ILK_FULL;
    if (!ready_for_page(lanes, lane, (uint32_t)number)) return ILK_NO_MEMORY;
    ilki_lane_page page = {.number = (uint32_t)number};
    bool is_there = number < index->page_count && index->pages[number] != ilki_absent_page;
    if (!is_there) {
        page.records = ready_for_list(lanes) ? ilki_page_alloc(lanes->memory) : NULL;
        if (!page.records) return ILK_NO_MEMORY;
        lanes->made++;
    }
    lane->pages[lane->page_count++] = page;
    return ILK_OK;
}

// The next slot of the free list that is this lane's; false if there is none.
static bool take_from_list(const ilki_lanes* lanes, ilki_lane* lane, ilk_entity* e) {
    const ilki_index* index = lanes->index;
    uint64_t n = (uint64_t)lane->listed * lanes->count + lane->number;
    if (n >= lanes->free) return false;
    uint32_t slot = index->free[lanes->free - 1 - n];
    *e = (ilk_entity){slot, ilki_record_at(index, slot)->generation & ~ILKI_DEAD_BIT};
    lane->listed++;
    lane->used++;
    return true;
}

// How many handles a lane gave out of pages.
static uint32_t used_of_pages(const ilki_lane* lane) {
    return lane->used > lane->stashed ? lane->used - lane->stashed - lane->listed : 0;
}

ilk_result ilki_lane_take(ilki_lanes* lanes, ilki_lane* lane, ilk_entity* e) {
    if (ILKI_UNLIKELY(lane->used >= lanes->room)) return ILK_FULL;
    if (lane->used < lane->stashed) {
        *e = lanes->stash[lane->stash + lane->used++];
        return ILK_OK;
    }
    if (take_from_list(lanes, lane, e)) return ILK_OK;
    uint32_t at = used_of_pages(lane);
    if (at == lane->page_count * ILKI_PAGE_RECORDS) {
        ilki_lock_take(&lanes->lock);
        ilk_result result = add_lane_page(lanes, lane);
        ilki_lock_give(&lanes->lock);
        if (result != ILK_OK) return result;
    }
    uint32_t page = lane->pages[at / ILKI_PAGE_RECORDS].number;
    *e = (ilk_entity){page * ILKI_PAGE_RECORDS + at % ILKI_PAGE_RECORDS, lanes->index->tag | 1};
    lane->used++;
    return ILK_OK;
}

// How many of the pages that lanes may use they came to, those between them included.
static uint64_t pages_passed(const ilki_lanes* lanes) {
    uint64_t passed = 0;
    for (uint32_t i = 0; i < lanes->count; i++) {
        const ilki_lane* lane = &lanes->lanes[i];
        if (!lane->page_count) continue;
        uint64_t last = number_of_page(lanes, lane, lane->page_count - 1);
        if (last >= passed) passed = last + 1;
    }
    return passed;
}

static void adopt_table(ilki_lanes* lanes) {
    ilki_index* index = lanes->index;
    if (lanes->table_capacity <= index->page_capacity) return;
    if (index->page_count) {
        memcpy(lanes->table, index->pages, index->page_count * sizeof *index->pages);
    }
    ilki_free(lanes->memory, ILKI_RECORDS, index->pages,
              index->page_capacity * sizeof *index->pages, _Alignof(max_align_t));
    index->pages = lanes->table;
    index->page_capacity = lanes->table_capacity;
    lanes->table = NULL;
    lanes->table_capacity = 0;
}

static void adopt_list(ilki_lanes* lanes) {
    if (lanes->list_capacity <= lanes->index->free_capacity) return;
    ilki_index_adopt_free(lanes->index, lanes->memory, lanes->list, lanes->list_capacity);
    lanes->list = NULL;
    lanes->list_capacity = 0;
}

// Makes room in the table for all pages up to the last that was used.
static void extend_table(ilki_lanes* lanes, uint32_t end) {
    ilki_index* index = lanes->index;
    adopt_table(lanes);
    while (index->page_count < end) {
        index->pages[index->page_count++] = (ilki_record*)(uintptr_t)ilki_absent_page;
    }
}

// How many more handles were given out beyond the stashes than entities may be alive.
static uint64_t count_excess(const ilki_lanes* lanes) {
    const ilki_index* index = lanes->index;
    uint64_t taken = (uint64_t)index->alive + index->reserved;
    for (uint32_t i = 0; i < lanes->count; i++) {
        const ilki_lane* lane = &lanes->lanes[i];
        if (lane->used > lane->stashed) taken += lane->used - lane->stashed;
        if (lane->used < lane->stashed) taken -= lane->stashed - lane->used;
    }
    return taken > index->max ? taken - index->max : 0;
}

// How much of the free list the lanes went through.
static uint64_t list_passed(const ilki_lanes* lanes) {
    uint64_t passed = 0;
    for (uint32_t i = 0; i < lanes->count; i++) {
        const ilki_lane* lane = &lanes->lanes[i];
        if (!lane->listed) continue;
        uint64_t end = (uint64_t)(lane->listed - 1) * lanes->count + i + 1;
        if (end > passed) passed = end;
    }
    return passed;
}

static uint64_t count_of_pages(const ilki_lanes* lanes) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < lanes->count; i++) count += used_of_pages(&lanes->lanes[i]);
    return count;
}

// A slot of the free list that a lane gave out. Whether it stays there, with another generation,
// because it is one too many.
static bool settle_listed(ilki_index* index, uint32_t slot, uint64_t* excess) {
    ilki_record* record = ilki_record_edit(index, slot);
    record->place = ILKI_RESERVED;
    index->reserved++;
    if (!*excess) return false;
    --*excess;
    if (!ilki_index_break_promise(index, record)) return false;
    record->place = ILKI_NONE;
    return true;
}

// Links the lanes that gave out slots of the free list, the last first. Returns that.
static uint32_t link_listed(ilki_lanes* lanes) {
    uint32_t last = ILKI_NONE;
    for (uint32_t i = 0; i < lanes->count; i++) {
        if (!lanes->lanes[i].listed) continue;
        lanes->lanes[i].before = last;
        last = i;
    }
    return last;
}

// Moves a stretch of the free list towards its beginning. Returns where it ends there.
static uint32_t* move_listed(uint32_t* to, const uint32_t* from, const uint32_t* end) {
    memmove(to, from, (size_t)(end - from) * sizeof *to);
    return to + (end - from);
}

// Takes the slots that lanes gave out off the free list; they are reserved, but for the last ones
// if there are too many. From the slot on that was taken last, the others move together.
static void settle_list(ilki_lanes* lanes, uint64_t passed, uint64_t excess) {
    if (!passed) return;
    ilki_index* index = lanes->index;
    const uint32_t *end = index->free + lanes->free, *from = end - passed;
    uint32_t *to = index->free + (lanes->free - passed), last = link_listed(lanes);
    ilki_guard_pass_from(&index->free_guard, (uint32_t)(lanes->free - passed) / ILKI_PAGE_FREE);
    for (uint64_t round = (passed - 1) / lanes->count + 1; round-- > 0;) {
        for (uint32_t i = last; i != ILKI_NONE; i = lanes->lanes[i].before) {
            if (round >= lanes->lanes[i].listed) continue;
            const uint32_t* given = end - 1 - (round * lanes->count + i);
            to = move_listed(to, from, given);
            from = given + 1;
            if (settle_listed(index, *given, &excess)) *to++ = *given;
        }
    }
    to = move_listed(to, from, end);
    index->free_count = (uint32_t)(to - index->free);
}

// The slots of a page that a lane used: those given out are reserved, but for the last ones if
// there are too many; the others are offered.
static void settle_lane_page(ilki_lanes* lanes, const ilki_lane* lane, uint32_t at,
                             uint64_t* excess) {
    ilki_index* index = lanes->index;
    const ilki_lane_page* page = &lane->pages[at];
    ilki_guard_pass(&index->record_guard, page->number);
    if (page->records) index->pages[page->number] = page->records;
    uint32_t first = page->number * ILKI_PAGE_RECORDS, end = first + ILKI_PAGE_RECORDS;
    uint32_t given = used_of_pages(lane) - at * ILKI_PAGE_RECORDS;
    if (given > ILKI_PAGE_RECORDS) given = ILKI_PAGE_RECORDS;
    ilki_index_offer_fresh(index, first + given, end);
    for (uint32_t slot = first + given; slot-- > first;) {
        *ilki_record_at(index, slot) = (ilki_record){index->tag | 1 | ILKI_DEAD_BIT, ILKI_RESERVED};
        index->reserved++;
        if (!*excess) continue;
        ilki_index_release(index, slot);
        --*excess;
    }
}

static bool is_used(const ilki_lanes* lanes, uint64_t n) {
    return n / lanes->count < lanes->lanes[n % lanes->count].page_count;
}

// A page that no lane came to: if it is there its slots are offered, otherwise they count as
// retired.
static void pass_over(ilki_lanes* lanes, uint64_t n) {
    ilki_index* index = lanes->index;
    uint32_t number = (uint32_t)page_of(lanes, n);
    if (index->pages[number] == ilki_absent_page) {
        if (n >= lanes->absent) index->retired += ILKI_PAGE_RECORDS;
    } else {
        ilki_index_offer_fresh(index, number * ILKI_PAGE_RECORDS, (number + 1) * ILKI_PAGE_RECORDS);
    }
}

// Goes through the pages that lanes passed, the last first, so that the lowest slots are taken
// first afterwards.
static void settle_pages(ilki_lanes* lanes, uint64_t passed, uint64_t excess) {
    for (uint64_t n = passed; n-- > 0;) {
        if (!is_used(lanes, n)) {
            pass_over(lanes, n);
            continue;
        }
        if (n < lanes->absent) lanes->index->retired -= ILKI_PAGE_RECORDS;
        const ilki_lane* lane = &lanes->lanes[n % lanes->count];
        settle_lane_page(lanes, lane, (uint32_t)(n / lanes->count), &excess);
    }
}

// Notes which pages are not there now, in rising order.
static void list_absent(ilki_lanes* lanes, uint64_t passed) {
    ilki_index* index = lanes->index;
    uint32_t kept = 0;
    uint64_t end = passed > lanes->absent ? passed : lanes->absent;
    for (uint64_t n = 0; n < end; n++) {
        uint32_t number = (uint32_t)page_of(lanes, n);
        if (index->pages[number] == ilki_absent_page) index->absent[kept++] = number;
    }
    index->absent_count = kept;
}

// Handles that were reserved and not given out go back, as if they had never been taken.
static void give_stashes_back(ilki_lanes* lanes) {
    for (uint32_t i = lanes->count; i-- > 0;) {
        const ilki_lane* lane = &lanes->lanes[i];
        for (uint32_t k = lane->stashed; k-- > lane->used;) {
            lanes->index->reserved--;
            ilki_index_offer(lanes->index, lanes->stash[lane->stash + k].index);
        }
    }
}

bool ilki_lanes_close(ilki_lanes* lanes) {
    ilki_index* index = lanes->index;
    uint64_t passed = pages_passed(lanes);
    uint64_t excess = count_excess(lanes);
    uint64_t of_pages = count_of_pages(lanes);
    settle_list(lanes, list_passed(lanes), excess > of_pages ? excess - of_pages : 0);
    if (passed) {
        uint32_t begun = index->slots;
        uint32_t end =
            lanes->fresh + (uint32_t)(passed > lanes->absent ? passed - lanes->absent : 0);
        adopt_list(lanes);
        extend_table(lanes, end);
        if (end > lanes->fresh) index->slots = end * ILKI_PAGE_RECORDS;
        settle_pages(lanes, passed, excess);
        if (end > lanes->fresh) {
            ilki_index_offer_fresh(index, begun, lanes->fresh * ILKI_PAGE_RECORDS);
        }
        list_absent(lanes, passed);
    }
    give_stashes_back(lanes);
    return excess == 0;
}

void ilki_lanes_fini(ilki_lanes* lanes, ilki_memory* memory) {
    for (uint32_t i = 0; i < lanes->capacity; i++) {
        const ilki_lane* lane = &lanes->lanes[i];
        ilki_free(memory, ILKI_OTHER, lane->pages, lane->page_capacity * sizeof *lane->pages,
                  _Alignof(max_align_t));
    }
    ilki_free(memory, ILKI_OTHER, lanes->lanes, lanes->capacity * sizeof *lanes->lanes,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_OTHER, lanes->stash, lanes->stash_capacity * sizeof *lanes->stash,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_RECORDS, lanes->table, lanes->table_capacity * sizeof *lanes->table,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_RECORDS, lanes->list, lanes->list_capacity * sizeof *lanes->list,
              _Alignof(max_align_t));
}
