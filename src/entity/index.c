#include "index.h"

#include <string.h>

#define PAGE_BYTES (ILKI_PAGE_RECORDS * sizeof(ilki_record))
#define PAGE_ALIGN ((size_t)64)

#define DEAD_1 {ILKI_RETIRED, 0}
#define DEAD_4 DEAD_1, DEAD_1, DEAD_1, DEAD_1
#define DEAD_16 DEAD_4, DEAD_4, DEAD_4, DEAD_4
#define DEAD_64 DEAD_16, DEAD_16, DEAD_16, DEAD_16
#define DEAD_256 DEAD_64, DEAD_64, DEAD_64, DEAD_64
const ilki_record ilki_absent_page[ILKI_PAGE_RECORDS] = {DEAD_256, DEAD_256, DEAD_256, DEAD_256};

void ilki_index_init(ilki_index* index, uint32_t max, uint8_t tag, bool recycles) {
    *index = (ilki_index){
        .max = max ? max : UINT32_MAX,
        .tag = (uint32_t)tag << ILKI_TAG_SHIFT,
        .recycles = recycles,
    };
}

void ilki_index_shrink(ilki_index* index, ilki_memory* memory, uint32_t pages) {
    while (index->page_count > pages) {
        ilki_guard_pass(&index->record_guard, index->page_count - 1);
        ilki_record* page = index->pages[--index->page_count];
        if (page != ilki_absent_page) ilki_page_free(memory, page);
    }
}

void ilki_index_fini(ilki_index* index, ilki_memory* memory) {
    ilki_index_shrink(index, memory, 0);
    ilki_free(memory, ILKI_RECORDS, index->pages, index->page_capacity * sizeof *index->pages,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_RECORDS, index->absent, index->absent_capacity * sizeof *index->absent,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_RECORDS, index->free, index->free_capacity * sizeof *index->free,
              _Alignof(max_align_t));
}

void ilki_index_adopt_free(ilki_index* index, ilki_memory* memory, uint32_t* other,
                           uint32_t capacity) {
    ilki_guard_pass_from(&index->free_guard, index->free_count / ILKI_PAGE_FREE);
    if (index->free_count) memcpy(other, index->free, index->free_count * sizeof *other);
    ilki_free(memory, ILKI_RECORDS, index->free, index->free_capacity * sizeof *index->free,
              _Alignof(max_align_t));
    index->free = other;
    index->free_capacity = capacity;
}

// How many slots the pages that are there, and so many more, have.
static uint64_t slots_there(const ilki_index* index, uint32_t more) {
    return ((uint64_t)index->page_count - index->absent_count + more) * ILKI_PAGE_RECORDS;
}

// Gives the free list an array of another size. What is not used of it is not touched, and so takes
// no memory where that is had page by page.
static bool resize_free(ilki_index* index, ilki_memory* memory, uint64_t capacity) {
    if (capacity > UINT32_MAX) capacity = UINT32_MAX;
    if (capacity > SIZE_MAX / sizeof *index->free) return false;
    size_t bytes = (size_t)capacity * sizeof *index->free;
    uint32_t* other = bytes ? ilki_alloc(memory, ILKI_RECORDS, bytes, _Alignof(max_align_t)) : NULL;
    if (bytes && !other) return false;
    ilki_index_adopt_free(index, memory, other, (uint32_t)capacity);
    return true;
}

// Makes sure that all slots of the pages that are there, and of so many more, fit into the free
// list.
static bool ready_free(ilki_index* index, ilki_memory* memory, uint32_t more) {
    uint64_t needed = slots_there(index, more);
    return needed <= index->free_capacity || resize_free(index, memory, needed + needed / 2);
}

void ilki_index_trim(ilki_index* index, ilki_memory* memory) {
    ilki_index_shrink(index, memory, (index->slots + ILKI_PAGE_RECORDS - 1) / ILKI_PAGE_RECORDS);
    uint64_t needed = slots_there(index, 0);
    if (needed < index->free_capacity) resize_free(index, memory, needed);
}

ilki_record* ilki_page_alloc(ilki_memory* memory) {
    return ilki_alloc(memory, ILKI_RECORDS, PAGE_BYTES, PAGE_ALIGN);
}

void ilki_page_free(ilki_memory* memory, ilki_record* page) {
    ilki_free(memory, ILKI_RECORDS, page, PAGE_BYTES, PAGE_ALIGN);
}

static bool add_page(ilki_index* index, ilki_memory* memory) {
    if (!ilki_grow(memory, ILKI_RECORDS, &index->pages, &index->page_capacity,
                   index->page_count + 1, sizeof *index->pages)) {
        return false;
    }
    ilki_record* page = ilki_page_alloc(memory);
    if (page) index->pages[index->page_count++] = page;
    return page != NULL;
}

void ilki_index_offer_fresh(ilki_index* index, uint32_t from, uint32_t to) {
    for (uint32_t slot = to; slot-- > from;) {
        ilki_record_edit(index, slot)->generation = index->tag | 1 | ILKI_DEAD_BIT;
        ilki_index_offer(index, slot);
    }
}

// Makes the lowest page that is not there.
static bool make_absent_page(ilki_index* index, ilki_memory* memory) {
    ilki_record* page = ready_free(index, memory, 1) ? ilki_page_alloc(memory) : NULL;
    if (!page) return false;
    uint32_t number = index->absent[0];
    ilki_guard_pass(&index->record_guard, number);
    for (uint32_t i = 1; i < index->absent_count; i++) index->absent[i - 1] = index->absent[i];
    index->absent_count--;
    index->pages[number] = page;
    index->retired -= ILKI_PAGE_RECORDS;
    ilki_index_offer_fresh(index, number * ILKI_PAGE_RECORDS, (number + 1) * ILKI_PAGE_RECORDS);
    return true;
}

ilk_result ilki_index_ready_slow(ilki_index* index, ilki_memory* memory, uint32_t count) {
    uint32_t taken = index->alive + index->reserved;
    if (count > index->max - taken) return ILK_FULL;
    while (index->absent_count && count > index->slots - taken - index->retired) {
        if (!make_absent_page(index, memory)) return ILK_NO_MEMORY;
    }
    uint32_t reusable = index->slots - taken - index->retired;
    uint32_t fresh = count > reusable ? count - reusable : 0;
    if (fresh > UINT32_MAX - 1 - index->slots) return ILK_FULL;
    uint64_t needed = (uint64_t)index->slots + fresh;
    uint32_t had = index->page_count;
    while ((uint64_t)index->page_count * ILKI_PAGE_RECORDS < needed) {
        if (add_page(index, memory)) continue;
        ilki_index_shrink(index, memory, had);
        return ILK_NO_MEMORY;
    }
    if (ready_free(index, memory, 0)) return ILK_OK;
    ilki_index_shrink(index, memory, had);
    return ILK_NO_MEMORY;
}

ilk_entity ilki_index_reserve(ilki_index* index) {
    uint32_t slot;
    ilki_record* record;
    if (index->free_count) {
        slot = index->free[--index->free_count];
        record = ilki_record_edit(index, slot);
    } else {
        slot = index->slots++;
        record = ilki_record_edit(index, slot);
        record->generation = index->tag | 1 | ILKI_DEAD_BIT;
    }
    record->place = ILKI_RESERVED;
    index->reserved++;
    return (ilk_entity){slot, record->generation & ~ILKI_DEAD_BIT};
}

bool ilki_index_break_promise(ilki_index* index, ilki_record* record) {
    index->reserved--;
    bool is_used_up = (record->generation & ILKI_USES_MAX) == ILKI_USES_MAX;
    if (is_used_up || !index->recycles) {
        record->generation = ILKI_RETIRED;
        index->retired++;
        return false;
    }
    record->generation = (record->generation + 1) | ILKI_DEAD_BIT;
    return true;
}

void ilki_index_release(ilki_index* index, uint32_t slot) {
    if (ilki_index_break_promise(index, ilki_record_edit(index, slot)))
        ilki_index_offer(index, slot);
}

bool ilki_index_is_reserved(const ilki_index* index, ilk_entity e) {
    if (e.index >= index->slots || e.generation & ILKI_DEAD_BIT) return false;
    const ilki_record* record = ilki_record_at(index, e.index);
    return record->generation == (e.generation | ILKI_DEAD_BIT) && record->place == ILKI_RESERVED;
}

// Brings to life slots that were never used, all of one page.
static void create_fresh(ilki_index* index, ilk_entity* entities, uint32_t count, uint32_t place,
                         uint32_t step) {
    uint32_t slot = index->slots, generation = index->tag | 1;
    ilki_record* records = ilki_record_edit(index, slot);
    for (uint32_t i = 0; i < count; i++) {
        records[i] = (ilki_record){generation, place + i * step};
        entities[i] = (ilk_entity){slot + i, generation};
    }
    index->slots += count;
    index->alive += count;
    index->ever += count;
}

void ilki_index_create_many(ilki_index* index, ilk_entity* entities, uint32_t count, uint32_t place,
                            uint32_t step) {
    uint32_t done = 0;
    for (; done < count && index->free_count; done++) {
        entities[done] = ilki_index_create(index, place + done * step);
    }
    while (done < count) {
        uint32_t of_page = ILKI_PAGE_RECORDS - index->slots % ILKI_PAGE_RECORDS;
        uint32_t part = count - done < of_page ? count - done : of_page;
        create_fresh(index, entities + done, part, place + done * step, step);
        done += part;
    }
}

void ilki_index_clear(ilki_index* index) {
    for (uint32_t slot = 0; slot < index->slots; slot++) {
        const ilki_record* record = ilki_record_at(index, slot);
        if (!(record->generation & ILKI_DEAD_BIT))
            ilki_index_destroy(index, slot);
        else if (record->place == ILKI_RESERVED && record->generation != ILKI_RETIRED)
            ilki_index_break_promise(index, ilki_record_edit(index, slot));
    }
    index->free_count = 0;
    for (uint32_t slot = index->slots; slot-- > 0;) {
        if (ilki_record_at(index, slot)->generation != ILKI_RETIRED) ilki_index_offer(index, slot);
    }
}

static bool was_absent(const ilki_index_way* way, uint32_t page) {
    uint32_t at = 0;
    while (at < way->was->absent_count && way->absent[at] != page) at++;
    return at < way->was->absent_count;
}

// Whether a page is to be made that is not there.
static bool is_to_be_made(const ilki_index_way* way, uint32_t page) {
    return way->index->pages[page] == ilki_absent_page && !was_absent(way, page);
}

static bool ready_page(ilki_index_way* way) {
    if (!ilki_grow(way->memory, ILKI_RECORDS, &way->pages, &way->page_capacity, way->page_count + 1,
                   sizeof *way->pages)) {
        return false;
    }
    ilki_record* page = ilki_page_alloc(way->memory);
    if (page) way->pages[way->page_count++] = page;
    return page != NULL;
}

// The free list comes first: pages without room for their slots in it are never there.
bool ilki_index_ready_to_be(ilki_index_way* way) {
    ilki_index* index = way->index;
    uint32_t pages =
        index->page_count > way->was->page_count ? index->page_count : way->was->page_count;
    uint64_t slots = (uint64_t)pages * ILKI_PAGE_RECORDS;
    if (slots > index->free_capacity && !resize_free(index, way->memory, slots)) return false;
    while (index->page_count < way->was->page_count) {
        if (!add_page(index, way->memory)) return false;
    }
    for (uint32_t i = 0; i < way->was->page_count; i++) {
        if (is_to_be_made(way, i) && !ready_page(way)) return false;
    }
    return ilki_grow(way->memory, ILKI_RECORDS, &index->absent, &index->absent_capacity,
                     way->was->absent_count, sizeof *index->absent);
}

void ilki_index_give_back(ilki_index_way* way) {
    while (way->page_count) ilki_page_free(way->memory, way->pages[--way->page_count]);
    ilki_free(way->memory, ILKI_RECORDS, way->pages, way->page_capacity * sizeof *way->pages,
              _Alignof(max_align_t));
}

void ilki_index_become(ilki_index_way* way) {
    ilki_index* index = way->index;
    const ilki_index* was = way->was;
    ilki_index_shrink(index, way->memory, was->page_count);
    for (uint32_t i = 0; i < was->page_count; i++) {
        if (is_to_be_made(way, i)) index->pages[i] = way->pages[--way->page_count];
        if (!was_absent(way, i) || index->pages[i] == ilki_absent_page) continue;
        ilki_guard_pass(&index->record_guard, i);
        ilki_page_free(way->memory, index->pages[i]);
        index->pages[i] = (ilki_record*)(uintptr_t)ilki_absent_page;
    }
    if (was->absent_count) {
        memcpy(index->absent, way->absent, was->absent_count * sizeof *index->absent);
    }
    index->absent_count = was->absent_count;
    index->slots = was->slots;
    index->free_count = was->free_count;
    index->alive = was->alive;
    index->retired = was->retired;
    index->reserved = was->reserved;
    index->ever = was->ever;
}
