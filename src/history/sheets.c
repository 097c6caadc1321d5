// Sheets: arrays whose pages are guarded, and their pages in snapshots.
#include <string.h>

#include "history.h"

static size_t bytes_of_records(const void* owner) {
    return (size_t)((const ilki_index*)owner)->page_count * ILKI_PAGE_RECORDS * sizeof(ilki_record);
}

static void* records_at(void* owner, uint32_t page) {
    const ilki_index* index = owner;
    ilki_record* records = page < index->page_count ? index->pages[page] : NULL;
    return records == ilki_absent_page ? NULL : records;
}

static size_t bytes_of_free(const void* owner) {
    return ((const ilki_index*)owner)->free_count * sizeof(uint32_t);
}

static size_t room_of_free(const void* owner) {
    return ((const ilki_index*)owner)->free_capacity * sizeof(uint32_t);
}

static void* free_at(void* owner, uint32_t page) {
    return ((ilki_index*)owner)->free + page * ILKI_PAGE_FREE;
}

static size_t bytes_of_targets(const void* owner) {
    return ((const ilki_storage*)owner)->target_words * sizeof(uint64_t);
}

static void* targets_at(void* owner, uint32_t page) {
    return ((ilki_storage*)owner)->targets + page * (ILKI_PAGE_TARGETS / 64);
}

bool ilki_sheet_meet(ilki_history* history, ilki_sheet sheet) {
    uint32_t number = history->sheet_count;
    if (!ilki_grow(&history->world->storage.memory, ILKI_HISTORY, &history->sheets,
                   &history->sheet_capacity, number + 1, sizeof *history->sheets)) {
        return false;
    }
    sheet.guard->number = number;
    history->sheets[history->sheet_count++] = sheet;
    return true;
}

static bool meet_storage(ilki_history* history) {
    ilki_storage* storage = &history->world->storage;
    ilki_index* index = &storage->view.index;
    return ilki_sheet_meet(history,
                           (ilki_sheet){.guard = &index->record_guard,
                                        .owner = index,
                                        .page_bytes = ILKI_PAGE_RECORDS * sizeof(ilki_record),
                                        .align = _Alignof(ilki_record),
                                        .bytes = bytes_of_records,
                                        .room = bytes_of_records,
                                        .at = records_at}) &&
           ilki_sheet_meet(history, (ilki_sheet){.guard = &index->free_guard,
                                                 .owner = index,
                                                 .page_bytes = ILKI_PAGE_FREE * sizeof(uint32_t),
                                                 .align = _Alignof(uint32_t),
                                                 .bytes = bytes_of_free,
                                                 .room = room_of_free,
                                                 .at = free_at}) &&
           ilki_sheet_meet(history, (ilki_sheet){.guard = &storage->target_guard,
                                                 .owner = storage,
                                                 .page_bytes = ILKI_PAGE_TARGETS / 8,
                                                 .align = _Alignof(uint64_t),
                                                 .bytes = bytes_of_targets,
                                                 .room = bytes_of_targets,
                                                 .at = targets_at});
}

bool ilki_sheets_meet(ilki_history* history) {
    return (history->sheet_count || meet_storage(history)) && ilki_relations_meet(history);
}

void ilki_sheets_fini(ilki_history* history) {
    ilki_memory* memory = &history->world->storage.memory;
    for (uint32_t i = 0; i < history->sheet_count; i++) {
        ilki_sheet* sheet = &history->sheets[i];
        *sheet->guard = (ilki_guard){0};
        ilki_free(memory, ILKI_HISTORY, sheet->bits, sheet->capacity * sizeof(uint64_t),
                  _Alignof(max_align_t));
    }
    ilki_free(memory, ILKI_HISTORY, history->sheets,
              history->sheet_capacity * sizeof *history->sheets, _Alignof(max_align_t));
}

static uint32_t pages_of(const ilki_sheet* sheet, size_t bytes) {
    return (uint32_t)((bytes + sheet->page_bytes - 1) / sheet->page_bytes);
}

// The pages of a sheet that a snapshot taken now has: those that are state, and those that
// snapshots before it may share.
static uint32_t pages_now(const ilki_history* history, uint32_t number) {
    const ilki_sheet* sheet = &history->sheets[number];
    const ilk_snapshot* newest = history->newest;
    uint32_t pages = pages_of(sheet, sheet->bytes(sheet->owner));
    uint32_t before = newest && number < newest->leaf_count ? newest->leaves[number].pages : 0;
    return pages > before ? pages : before;
}

// Makes room for the bits of all guards.
bool ilki_sheets_ready(ilki_history* history) {
    for (uint32_t i = 0; i < history->sheet_count; i++) {
        ilki_sheet* sheet = &history->sheets[i];
        uint32_t words = ilki_words(pages_now(history, i)) + 1;
        if (!ilki_grow(&history->world->storage.memory, ILKI_HISTORY, &sheet->bits,
                       &sheet->capacity, words, sizeof *sheet->bits)) {
            return false;
        }
        if (sheet->guard->shared) sheet->guard->shared = sheet->bits;
    }
    return true;
}

void ilki_sheets_cut(const ilki_history* history, ilk_snapshot* snapshot, ilki_cutter* cutter) {
    ilki_leaf* leaves = ilki_cut(cutter, history->sheet_count, sizeof *leaves);
    for (uint32_t i = 0; i < history->sheet_count; i++) {
        uint32_t pages = pages_now(history, i);
        void** own = ilki_cut(cutter, pages, sizeof *own);
        if (!leaves) continue;
        memset(own, 0, pages * sizeof *own);
        leaves[i] = (ilki_leaf){pages, history->sheets[i].bytes(history->sheets[i].owner), own};
    }
    snapshot->leaves = leaves;
    snapshot->leaf_count = history->sheet_count;
}

static void free_page(const ilki_history* history, const ilki_sheet* sheet, void* page) {
    if (page == ILKI_ABSENT_PAGE) return;
    ilki_free(&history->world->storage.memory, ILKI_HISTORY, page, sheet->page_bytes, sheet->align);
}

// The same, with what it owns.
static void drop_page(const ilki_history* history, const ilki_sheet* sheet, void* page) {
    if (sheet->drop && page != ILKI_ABSENT_PAGE) sheet->drop(sheet->owner, page);
    free_page(history, sheet, page);
}

// The bytes of a page that there is memory for.
static size_t bytes_there(const ilki_sheet* sheet, uint32_t page) {
    size_t begin = page * sheet->page_bytes, room = sheet->room(sheet->owner);
    if (room <= begin) return 0;
    return room - begin < sheet->page_bytes ? room - begin : sheet->page_bytes;
}

// Saves a page, if it is there, into the newest snapshot. False without memory.
static bool save(ilki_history* history, uint32_t number, uint32_t page) {
    const ilki_sheet* sheet = &history->sheets[number];
    size_t bytes = bytes_there(sheet, page);
    const void* from = bytes ? sheet->at(sheet->owner, page) : NULL;
    void** own = &history->newest->leaves[number].own[page];
    if (!from) {
        *own = ILKI_ABSENT_PAGE;
        return true;
    }
    void* copy =
        ilki_alloc(&history->world->storage.memory, ILKI_HISTORY, sheet->page_bytes, sheet->align);
    if (!copy) return false;
    memcpy(copy, from, bytes);
    if (sheet->copy) sheet->copy(sheet->owner, copy, from);
    *own = copy;
    return true;
}

static void save_or_lose(ilki_guard* guard, uint32_t page) {
    ilki_history* history = guard->context;
    if (save(history, guard->number, page)) return;
    ilk_snapshot* sharer = history->newest;
    for (; ilki_leaf_shares(sharer, guard->number, page); sharer = sharer->older) {
        sharer->is_lost = true;
    }
}

// Has the guards watch over what the newest snapshot, if there is one, shares.
void ilki_sheets_share(ilki_history* history) {
    const ilk_snapshot* newest = history->newest;
    for (uint32_t i = 0; i < history->sheet_count; i++) {
        ilki_sheet* sheet = &history->sheets[i];
        uint32_t pages = newest && i < newest->leaf_count ? newest->leaves[i].pages : 0;
        memset(sheet->bits, 0, sheet->capacity * sizeof *sheet->bits);
        for (uint32_t page = 0; page < pages; page++) {
            if (ilki_leaf_shares(newest, i, page)) ilki_bit_set(sheet->bits, page);
        }
        *sheet->guard = (ilki_guard){sheet->bits, pages, i, save_or_lose, history};
    }
}

void ilki_sheets_release(ilki_history* history, ilk_snapshot* snapshot) {
    for (uint32_t i = 0; i < snapshot->leaf_count; i++) {
        const ilki_leaf* leaf = &snapshot->leaves[i];
        for (uint32_t page = 0; page < leaf->pages; page++) {
            if (!leaf->own[page]) continue;
            if (ilki_leaf_shares(snapshot->older, i, page))
                snapshot->older->leaves[i].own[page] = leaf->own[page];
            else
                drop_page(history, &history->sheets[i], leaf->own[page]);
        }
    }
}

ilk_snapshot* ilki_owner_of_page(ilk_snapshot* snapshot, uint32_t number, uint32_t page) {
    while (ilki_leaf_shares(snapshot, number, page)) snapshot = snapshot->newer;
    return snapshot;
}

bool ilki_sheets_save(ilki_history* history, ilk_snapshot* snapshot) {
    for (uint32_t i = 0; i < snapshot->leaf_count; i++) {
        for (uint32_t page = 0; page < ilki_pages_in(snapshot, i); page++) {
            if (ilki_owner_of_page(snapshot, i, page)) continue;
            if (!save(history, i, page)) return false;
            ilki_bit_clear(history->sheets[i].bits, page);
        }
    }
    return true;
}

void* ilki_page_in(ilk_snapshot* snapshot, uint32_t sheet, uint32_t page) {
    return ilki_owner_of_page(snapshot, sheet, page)->leaves[sheet].own[page];
}

uint32_t ilki_pages_in(const ilk_snapshot* snapshot, uint32_t sheet) {
    return pages_of(&snapshot->history->sheets[sheet], snapshot->leaves[sheet].bytes);
}

// The pages of a sheet that were state.
static uint32_t pages_then(const ilk_snapshot* snapshot, uint32_t number) {
    return number < snapshot->leaf_count ? ilki_pages_in(snapshot, number) : 0;
}

// Makes sure that the newest snapshot does without a page of the world, and that this can be there.
static bool ready_page_of(ilki_history* history, uint32_t number, uint32_t page, bool is_to_be) {
    const ilki_sheet* sheet = &history->sheets[number];
    if (ilki_leaf_shares(history->newest, number, page)) {
        if (!save(history, number, page)) return false;
        ilki_bit_clear(sheet->bits, page);
    }
    return !is_to_be || !sheet->ready || sheet->ready(history->world, sheet->owner, page);
}

// The same for all pages that are not as they were. Those that came since are to be vacated.
bool ilki_sheets_ready_to_restore(ilki_history* history, ilk_snapshot* snapshot) {
    for (uint32_t i = 0; i < history->sheet_count; i++) {
        uint32_t pages = pages_then(snapshot, i);
        uint32_t now = history->sheets[i].vacate ? pages_now(history, i) : pages;
        for (uint32_t page = 0; page < pages || page < now; page++) {
            const ilk_snapshot* owner = page < pages ? ilki_owner_of_page(snapshot, i, page) : NULL;
            if (page < pages && !owner) continue;
            bool is_to_be = owner && owner->leaves[i].own[page] != ILKI_ABSENT_PAGE;
            if (!ready_page_of(history, i, page, is_to_be)) return false;
        }
    }
    return true;
}

// A page of the world is again as it was. Values move there, or are copied.
static void restore_bytes(const ilki_sheet* sheet, uint32_t page, const void* was, bool is_moved) {
    void* to = sheet->at(sheet->owner, page);
    if (!to) return;
    if (was == ILKI_ABSENT_PAGE) {
        if (sheet->vacate) sheet->vacate(sheet->owner, page);
        return;
    }
    if (sheet->drop) sheet->drop(sheet->owner, to);
    memcpy(to, was, bytes_there(sheet, page));
    if (sheet->copy && !is_moved) sheet->copy(sheet->owner, to, was);
}

static void restore_page(const ilki_history* history, ilk_snapshot* snapshot, uint32_t number,
                         uint32_t page) {
    const ilki_sheet* sheet = &history->sheets[number];
    const ilk_snapshot* owner = ilki_owner_of_page(snapshot, number, page);
    if (!owner) return;
    bool is_moved = ilki_is_taken_from(history, snapshot);
    void** own = &owner->leaves[number].own[page];
    restore_bytes(sheet, page, *own, is_moved);
    if (!is_moved) return;
    free_page(history, sheet, *own);
    *own = NULL;
}

void ilki_sheets_restore(ilki_history* history, ilk_snapshot* snapshot) {
    for (uint32_t i = 0; i < history->sheet_count; i++) {
        const ilki_sheet* sheet = &history->sheets[i];
        uint32_t pages = pages_then(snapshot, i);
        for (uint32_t page = 0; page < pages; page++) restore_page(history, snapshot, i, page);
        uint32_t now = sheet->vacate ? pages_of(sheet, sheet->room(sheet->owner)) : 0;
        for (uint32_t page = pages; page < now; page++) {
            restore_bytes(sheet, page, ILKI_ABSENT_PAGE, false);
        }
    }
    ilki_sheets_share(history);
}
