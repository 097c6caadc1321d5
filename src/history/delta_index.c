// The index in a delta: who is alive without a row, which handles come next.
//
// Records of entities in rows follow from the rows. All others that differ are sent: their slot, by
// how much it is above the one before, their generation, and what they have in place of a place.
// Then the free list, by what it has in place of the end of the old one.
#include <string.h>

#include "delta.h"

typedef enum slot_state {
    SLOT_ROW,      // its entity has a row
    SLOT_NOWHERE,  // or none
    SLOT_FREE,     // it can be used again
    SLOT_RESERVED, // its handle was given out
    SLOT_RETIRED,  // it is never used again
    SLOT_UNKNOWN   // while a delta is read: nothing was said of it yet
} slot_state;

#define PLACE_UNKNOWN (UINT32_MAX - 2) // in place of the place of a dead slot

static slot_state state_of(ilki_record record) {
    if (record.generation == ILKI_RETIRED) return SLOT_RETIRED;
    if (!(record.generation & ILKI_DEAD_BIT)) {
        return ilki_is_nowhere(record.place) ? SLOT_NOWHERE : SLOT_ROW;
    }
    if (record.place == PLACE_UNKNOWN) return SLOT_UNKNOWN;
    return record.place == ILKI_RESERVED ? SLOT_RESERVED : SLOT_FREE;
}

// Whether two records say the same. The row of an entity without one may be any.
static bool same_records(ilki_record a, ilki_record b) {
    slot_state state = state_of(b);
    return state == state_of(a) && a.generation == b.generation;
}

// Writing

static void put_record(ilki_differ* d, uint32_t slot, bool was_there, uint32_t* after) {
    ilki_record was = ilki_past_record(d->from, slot), is = ilki_past_record(d->to, slot);
    slot_state state = state_of(is);
    if (state == SLOT_ROW || (was_there && same_records(was, is))) return;
    ilki_put_number(d->out, slot + 1 - *after);
    ilki_put_number(d->out, state);
    if (state != SLOT_RETIRED) ilki_put_number(d->out, is.generation & ~ILKI_DEAD_BIT);
    *after = slot + 1;
}

// Whether a page is among those that are absent, of which `*at` are before the last one asked for.
static bool is_next_absent(const ilk_snapshot* snapshot, uint32_t page, uint32_t* at) {
    const ilki_storage_image* image = &snapshot->storage;
    while (*at < image->index.absent_count && image->absent[*at] < page) ++*at;
    return *at < image->index.absent_count && image->absent[*at] == page;
}

static void put_records(ilki_differ* d) {
    const ilki_storage_image* to = &d->to->storage;
    uint32_t sheet = d->world->storage.view.index.record_guard.number, after = 0;
    uint32_t had = d->from ? d->from->storage.index.slots : 0, at_from = 0, at_to = 0;
    for (uint32_t first = 0; first < to->index.slots; first += ILKI_PAGE_RECORDS) {
        uint32_t page = first / ILKI_PAGE_RECORDS;
        uint32_t end = to->index.slots - first < ILKI_PAGE_RECORDS ? to->index.slots
                                                                   : first + ILKI_PAGE_RECORDS;
        bool is_same = end <= had && ilki_same_page(d->from, d->to, sheet, page);
        bool was_there = d->from && !is_next_absent(d->from, page, &at_from);
        if (is_same || is_next_absent(d->to, page, &at_to)) continue;
        for (uint32_t slot = first; slot < end; slot++) {
            put_record(d, slot, was_there && slot < had, &after);
        }
    }
    ilki_put_number(d->out, 0);
}

// The free list of a snapshot, in memory of its own; NULL without.
static uint32_t* free_list_of(ilki_differ* d, ilk_snapshot* snapshot, uint32_t* count) {
    *count = snapshot ? snapshot->storage.index.free_count : 0;
    uint32_t sheet = d->world->storage.view.index.free_guard.number;
    uint32_t* list = ilki_differ_take(d, *count, sizeof *list);
    for (uint32_t at = 0; list && at < *count; at += ILKI_PAGE_FREE) {
        const uint32_t* page = ilki_past_page(snapshot, sheet, at / ILKI_PAGE_FREE);
        uint32_t here = *count - at < ILKI_PAGE_FREE ? *count - at : ILKI_PAGE_FREE;
        memcpy(list + at, page, here * sizeof *list);
    }
    return list;
}

void ilki_put_index(ilki_differ* d) {
    const ilki_storage_image* to = &d->to->storage;
    ilki_put_number(d->out, to->index.slots);
    ilki_put_number(d->out, to->index.ever);
    ilki_put_number(d->out, to->index.absent_count);
    for (uint32_t i = 0; i < to->index.absent_count; i++) ilki_put_number(d->out, to->absent[i]);
    put_records(d);
    uint32_t was_count, is_count;
    const uint32_t* was = free_list_of(d, d->from, &was_count);
    const uint32_t* is = free_list_of(d, d->to, &is_count);
    if (was && is) ilki_put_list(d->out, was, was_count, is, is_count);
}

// Reading

static bool bad_slot(ilki_patch* p, uint32_t slot, const char* what) {
    return ilki_patch_refuse(p, ILK_INVALID, "slot %u: %s", slot, what);
}

static uint32_t sheet_of_records(const ilki_patch* p) {
    return p->world->storage.view.index.record_guard.number;
}

// The page of a record; NULL where none of its own is.
static ilki_record* own_page(const ilki_patch* p, uint32_t slot) {
    const ilki_leaf* leaf = &p->image->leaves[sheet_of_records(p)];
    return leaf->own[slot / ILKI_PAGE_RECORDS];
}

static bool is_absent(const ilki_patch* p, uint32_t page) {
    return p->absent && ilki_bit(p->absent, page);
}

ilki_record ilki_patch_record(const ilki_patch* p, uint32_t slot) {
    if (is_absent(p, slot / ILKI_PAGE_RECORDS)) return (ilki_record){ILKI_RETIRED, 0};
    const ilki_record* own = own_page(p, slot);
    if (own) return own[slot % ILKI_PAGE_RECORDS];
    return *ilki_record_at(&p->world->storage.view.index, slot);
}

// How many slots are in a state.
static uint32_t* count_of(ilki_patch* p, slot_state state, uint32_t* others) {
    ilki_index* index = &p->image->storage.index;
    switch (state) {
    case SLOT_ROW:
    case SLOT_NOWHERE:
        return &index->alive;
    case SLOT_RESERVED:
        return &index->reserved;
    case SLOT_RETIRED:
        return &index->retired;
    default:
        return others;
    }
}

// A page that is to be written to, or NULL without memory. Slots that were not there before, or in
// a page that was absent, say nothing yet.
static ilki_record* edit_page(ilki_patch* p, uint32_t page) {
    const ilki_leaf* leaf = &p->image->leaves[sheet_of_records(p)];
    const ilki_index* index = &p->world->storage.view.index;
    if (leaf->own[page]) return leaf->own[page];
    ilki_record* records = ilki_patch_page(p, sheet_of_records(p), page);
    if (!records) return NULL;
    bool was_there =
        !p->is_whole && page < index->page_count && index->pages[page] != ilki_absent_page;
    for (uint32_t i = 0; i < ILKI_PAGE_RECORDS; i++) {
        uint32_t slot = page * ILKI_PAGE_RECORDS + i;
        records[i] = was_there && slot < index->slots
                         ? index->pages[page][i]
                         : (ilki_record){ILKI_DEAD_BIT | 1, PLACE_UNKNOWN};
    }
    return records;
}

static bool set_record(ilki_patch* p, uint32_t slot, ilki_record record, uint32_t* unknown) {
    ilki_record* records = edit_page(p, slot / ILKI_PAGE_RECORDS);
    if (!records) return false;
    ilki_record* at = &records[slot % ILKI_PAGE_RECORDS];
    uint32_t free = 0;
    slot_state was = state_of(*at), is = state_of(record);
    --*count_of(p, was, was == SLOT_UNKNOWN ? unknown : &free);
    ++*count_of(p, is, is == SLOT_UNKNOWN ? unknown : &free);
    *at = record;
    return true;
}

static bool is_generation(const ilki_patch* p, uint32_t generation) {
    uint32_t tag = generation & ~ILKI_USES_MAX;
    return tag == p->world->storage.view.index.tag && generation & ILKI_USES_MAX;
}

static bool is_absent_in(const ilki_patch* p, uint32_t slot) {
    return is_absent(p, slot / ILKI_PAGE_RECORDS);
}

// Of the entities in rows that differ, or are gone, nothing is known any more.
static bool vacate_rows(ilki_patch* p, uint32_t* unknown) {
    const ilki_storage* storage = &p->world->storage;
    for (uint32_t i = 0; !p->is_whole && i < storage->chunk_count; i++) {
        const ilki_chunk* base = storage->chunks[i];
        const ilki_chunk_image* image = ilki_chunk_image_at(p->image, i);
        if (!base || (image && !image->is_own)) continue;
        for (uint32_t row = 0; row < base->used; row++) {
            if (!ilki_bit(base->live, row)) continue;
            uint32_t slot = base->entities[row].index;
            bool is_gone = slot >= p->image->storage.index.slots || is_absent_in(p, slot);
            if (is_gone) continue;
            ilki_record none = {ILKI_DEAD_BIT | 1, PLACE_UNKNOWN};
            if (!set_record(p, slot, none, unknown)) return false;
        }
    }
    return true;
}

static bool place_row(ilki_patch* p, const ilki_chunk* head, uint32_t row, uint32_t* unknown) {
    ilk_entity e = head->entities[row];
    bool is_handle = e.index < p->image->storage.index.slots && is_generation(p, e.generation) &&
                     !is_absent_in(p, e.index);
    if (!is_handle) return bad_slot(p, e.index, "a row has an entity that is none");
    if (!edit_page(p, e.index / ILKI_PAGE_RECORDS)) return false;
    if (state_of(ilki_patch_record(p, e.index)) == SLOT_ROW) {
        return bad_slot(p, e.index, "its entity has two rows");
    }
    ilki_record record = {e.generation, ilki_place(head->number, row)};
    return set_record(p, e.index, record, unknown);
}

static bool place_rows(ilki_patch* p, uint32_t* unknown) {
    for (uint32_t i = 0; i < p->image->storage.chunk_count; i++) {
        const ilki_chunk_image* image = &p->image->storage.chunks[i];
        if (!image->head.rows || !image->is_own) continue;
        for (uint32_t row = 0; row < image->head.used; row++) {
            bool is_live = ilki_bit(image->head.live, row);
            if (is_live && !place_row(p, &image->head, row, unknown)) return false;
        }
    }
    return true;
}

static bool take_record(ilki_patch* p, uint32_t slot, uint32_t* unknown) {
    static const uint32_t places[] = {0, ILKI_NOWHERE, ILKI_NONE, ILKI_RESERVED, 0};
    uint32_t state = ilki_take_small(&p->in, SLOT_RETIRED);
    ilki_record record = {ILKI_RETIRED, 0};
    if (!ilki_patch_is_well(p)) return false;
    if (is_absent_in(p, slot) || state == SLOT_ROW) return bad_slot(p, slot, "it cannot be so");
    if (state != SLOT_RETIRED) {
        record.generation = ilki_take_small(&p->in, ~ILKI_DEAD_BIT);
        record.place = places[state];
        if (!is_generation(p, record.generation)) {
            return bad_slot(p, slot, "its generation is that of another world, or none");
        }
        if (state != SLOT_NOWHERE) record.generation |= ILKI_DEAD_BIT;
    }
    if (!edit_page(p, slot / ILKI_PAGE_RECORDS)) return false;
    if (state_of(ilki_patch_record(p, slot)) == SLOT_ROW) return bad_slot(p, slot, "it has a row");
    return set_record(p, slot, record, unknown);
}

static bool take_records(ilki_patch* p, uint32_t* unknown) {
    uint32_t after = 0, step, slots = p->image->storage.index.slots;
    while ((step = ilki_take_small(&p->in, slots - after)) != 0) {
        after += step;
        if (!take_record(p, after - 1, unknown)) return false;
    }
    return ilki_patch_is_well(p);
}

static bool take_absent(ilki_patch* p) {
    ilki_storage_image* image = &p->image->storage;
    uint32_t pages = image->index.page_count;
    uint32_t count = ilki_take_small(&p->in, pages);
    image->absent = ilki_patch_take(p, count, sizeof *image->absent);
    p->absent = ilki_patch_take(p, ilki_words(pages), sizeof *p->absent);
    if (!image->absent || !p->absent) return false;
    for (uint32_t i = 0; i < count; i++) {
        image->absent[i] = ilki_take_small(&p->in, pages ? pages - 1 : 0);
        bool is_whole = ((uint64_t)image->absent[i] + 1) * ILKI_PAGE_RECORDS <= image->index.slots;
        if (!is_whole || (i && image->absent[i] <= image->absent[i - 1])) {
            return ilki_patch_refuse(p, ILK_INVALID, "pages of the index are absent in disorder");
        }
        ilki_bit_set(p->absent, image->absent[i]);
    }
    image->index.absent_count = count;
    return ilki_patch_is_well(p);
}

// Whether an entity has a row that the delta does not mention.
static bool keeps_row(const ilki_patch* p, ilki_record record) {
    if (state_of(record) != SLOT_ROW) return false;
    const ilki_chunk_image* image = ilki_chunk_image_at(p->image, ilki_chunk_of(record.place));
    return image && !image->is_own;
}

// Counts the slots of a page, as the world has it and as it is to be: those that come say nothing
// yet, those that go no longer count, and those of a page that is absent count as retired.
static bool count_page(ilki_patch* p, uint32_t page, uint32_t* unknown) {
    const ilki_index* base = &p->world->storage.view.index;
    ilki_index* index = &p->image->storage.index;
    uint32_t had = p->is_whole ? 0 : base->slots, free = 0;
    bool is_gone = is_absent(p, page);
    bool was_absent = page < base->page_count && base->pages[page] == ilki_absent_page;
    uint32_t both = had < index->slots ? had : index->slots;
    if (is_gone == was_absent && ((uint64_t)page + 1) * ILKI_PAGE_RECORDS <= both) return true;
    for (uint32_t i = 0; i < ILKI_PAGE_RECORDS; i++) {
        uint32_t slot = page * ILKI_PAGE_RECORDS + i;
        bool was_there = slot < had, is_there = slot < index->slots;
        if (was_there && is_there && is_gone == was_absent) continue;
        if (was_there) --*count_of(p, state_of(base->pages[page][i]), &free);
        if (is_there) ++*(is_gone ? &index->retired : unknown);
        if (was_there && keeps_row(p, base->pages[page][i])) {
            return bad_slot(p, slot, "it is gone, and has a row");
        }
    }
    bool is_to_be_made = !is_gone && was_absent && page < index->page_count;
    return !is_to_be_made || edit_page(p, page);
}

static bool count_pages(ilki_patch* p, uint32_t* unknown) {
    const ilki_index* base = &p->world->storage.view.index;
    const ilki_index* index = &p->image->storage.index;
    uint32_t pages = base->page_count > index->page_count ? base->page_count : index->page_count;
    for (uint32_t page = 0; page < pages; page++) {
        bool has_own = page >= base->page_count || p->is_whole;
        bool is_needed = has_own && page * ILKI_PAGE_RECORDS < index->slots;
        if (is_needed && !is_absent(p, page) && !edit_page(p, page)) return false;
        if (!count_page(p, page, unknown)) return false;
    }
    return true;
}

// Each slot that is free is in the list, once.
static bool free_list_is_right(ilki_patch* p, const uint32_t* list, uint32_t count) {
    const ilki_index* index = &p->image->storage.index;
    uint64_t* seen = ilki_patch_take(p, ilki_words(index->slots) + 1, sizeof *seen);
    if (!seen) return false;
    uint64_t taken = (uint64_t)index->alive + index->reserved + index->retired;
    if (count != index->slots - taken) {
        return ilki_patch_refuse(p, ILK_INVALID, "the free list has %u slots, not %llu", count,
                                 (unsigned long long)(index->slots - taken));
    }
    for (uint32_t i = 0; i < count; i++) {
        bool is_right = list[i] < index->slots && !ilki_bit(seen, list[i]) &&
                        !is_absent_in(p, list[i]) &&
                        state_of(ilki_patch_record(p, list[i])) == SLOT_FREE;
        if (!is_right) return bad_slot(p, list[i], "it is in the free list, and is not free");
        ilki_bit_set(seen, list[i]);
    }
    return true;
}

static bool take_free_list(ilki_patch* p) {
    const ilki_index* base = &p->world->storage.view.index;
    uint32_t had = p->is_whole ? 0 : base->free_count;
    ilki_list_change change = ilki_take_list(&p->in, had);
    uint32_t count = change.head + change.middle + change.tail;
    uint32_t* list = ilki_patch_take(p, count, sizeof *list);
    if (!list || !ilki_patch_is_well(p)) return false;
    if (change.head) memcpy(list, base->free, change.head * sizeof *list);
    for (uint32_t i = 0; i < change.middle; i++) {
        list[change.head + i] = ilki_take_small(&p->in, UINT32_MAX);
    }
    if (change.tail) {
        memcpy(list + count - change.tail, base->free + had - change.tail,
               change.tail * sizeof *list);
    }
    uint32_t sheet = base->free_guard.number;
    uint32_t pages = (count + ILKI_PAGE_FREE - 1) / ILKI_PAGE_FREE;
    if (!ilki_patch_is_well(p) || !free_list_is_right(p, list, count) ||
        !ilki_patch_leaf(p, sheet, pages, count * sizeof *list)) {
        return false;
    }
    p->image->storage.index.free_count = count;
    bool is_same = !p->is_whole && !change.middle && change.head + change.tail == had;
    for (uint32_t page = is_same ? pages : change.head / ILKI_PAGE_FREE; page < pages; page++) {
        uint32_t at = page * ILKI_PAGE_FREE;
        uint32_t here = count - at < ILKI_PAGE_FREE ? count - at : ILKI_PAGE_FREE;
        uint32_t* own = ilki_patch_page(p, sheet, page);
        if (!own) return false;
        memcpy(own, list + at, here * sizeof *own);
    }
    return true;
}

static bool take_slots_and_pages(ilki_patch* p) {
    const ilki_index* base = &p->world->storage.view.index;
    ilki_index* index = &p->image->storage.index;
    *index = *base;
    uint64_t left = (uint64_t)(p->in.end - p->in.at), had = p->is_whole ? 0 : base->slots;
    index->slots = ilki_take_small(&p->in, UINT32_MAX - ILKI_PAGE_RECORDS);
    index->ever = ilki_take_number(&p->in);
    if (p->is_whole) index->alive = index->reserved = index->retired = 0;
    // Slots that come take a byte at least, but for those of pages that are absent.
    bool is_said = index->slots <= had + left * ILKI_PAGE_RECORDS;
    if (!is_said) return ilki_patch_refuse(p, ILK_INVALID, "there are too many slots");
    uint32_t pages = (index->slots + ILKI_PAGE_RECORDS - 1) / ILKI_PAGE_RECORDS;
    if (pages > index->page_count) index->page_count = pages;
    size_t bytes = ilki_bytes_of(0, index->page_count, ILKI_PAGE_RECORDS * sizeof(ilki_record));
    if (bytes == SIZE_MAX) return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    return ilki_patch_is_well(p) && take_absent(p) &&
           ilki_patch_leaf(p, base->record_guard.number, index->page_count, bytes);
}

bool ilki_take_index(ilki_patch* p) {
    const ilki_index* index = &p->image->storage.index;
    uint32_t unknown = 0;
    if (!take_slots_and_pages(p) || !count_pages(p, &unknown) || !vacate_rows(p, &unknown) ||
        !place_rows(p, &unknown) || !take_records(p, &unknown)) {
        return false;
    }
    if (unknown)
        return ilki_patch_refuse(p, ILK_INVALID, "%u slots are not accounted for", unknown);
    if ((uint64_t)index->alive + index->reserved > index->max) {
        return ilki_patch_refuse(p, ILK_FULL, "%u entities are more than the world may have",
                                 index->alive + index->reserved);
    }
    return take_free_list(p);
}
