#include "past.h"

static bool has_page(const ilk_snapshot* snapshot, uint32_t sheet, uint32_t page) {
    return snapshot && sheet < snapshot->leaf_count && page < snapshot->leaves[sheet].pages;
}

const void* ilki_past_page(ilk_snapshot* snapshot, uint32_t number, uint32_t page) {
    if (!has_page(snapshot, number, page)) return NULL;
    const ilk_snapshot* owner = ilki_owner_of_page(snapshot, number, page);
    const ilki_sheet* sheet = &snapshot->history->sheets[number];
    if (!owner) return sheet->at(sheet->owner, page);
    const void* own = owner->leaves[number].own[page];
    return own == ILKI_ABSENT_PAGE ? NULL : own;
}

bool ilki_same_page(ilk_snapshot* a, ilk_snapshot* b, uint32_t sheet, uint32_t page) {
    return has_page(a, sheet, page) && has_page(b, sheet, page) &&
           ilki_owner_of_page(a, sheet, page) == ilki_owner_of_page(b, sheet, page);
}

ilki_record ilki_past_record(ilk_snapshot* snapshot, uint32_t slot) {
    static const ilki_record nobody = {ILKI_RETIRED, 0};
    if (!snapshot || slot >= snapshot->storage.index.slots) return nobody;
    uint32_t sheet = snapshot->history->world->storage.view.index.record_guard.number;
    const ilki_record* page = ilki_past_page(snapshot, sheet, slot / ILKI_PAGE_RECORDS);
    return page ? page[slot % ILKI_PAGE_RECORDS] : nobody;
}

bool ilki_past_chunk(ilk_snapshot* snapshot, uint32_t number, ilki_chunk* head) {
    const ilki_chunk_image* image = ilki_chunk_image_at(snapshot, number);
    if (!image) return false;
    const ilk_snapshot* owner = ilki_owner_of_rows(snapshot, number);
    const ilki_chunk* rows = owner ? &owner->storage.chunks[number].head
                                   : snapshot->history->world->storage.chunks[number];
    *head = image->head;
    ilki_chunk_set_rows(head, rows->entities);
    return true;
}

bool ilki_same_rows(ilk_snapshot* a, ilk_snapshot* b, uint32_t chunk) {
    return ilki_chunk_image_at(a, chunk) && ilki_chunk_image_at(b, chunk) &&
           ilki_owner_of_rows(a, chunk) == ilki_owner_of_rows(b, chunk);
}

const ilki_block* ilki_past_block(ilk_snapshot* snapshot, uint32_t chunk, uint32_t type) {
    if (!ilki_block_image_at(snapshot, chunk, type)) return NULL;
    const ilk_snapshot* owner = ilki_owner_of_block(snapshot, chunk, type);
    if (owner) return &ilki_block_image_at(owner, chunk, type)->entry;
    return ilki_block_at(snapshot->history->world->storage.types[type], chunk);
}

bool ilki_same_block(ilk_snapshot* a, ilk_snapshot* b, uint32_t chunk, uint32_t type) {
    return ilki_block_image_at(a, chunk, type) && ilki_block_image_at(b, chunk, type) &&
           ilki_owner_of_block(a, chunk, type) == ilki_owner_of_block(b, chunk, type);
}

const void* ilki_past_value(ilk_snapshot* snapshot, const ilki_directory* directory,
                            uint32_t slot) {
    ilki_record record = ilki_past_record(snapshot, slot);
    if (record.generation & ILKI_DEAD_BIT || ilki_is_nowhere(record.place)) return NULL;
    const ilki_block* block =
        ilki_past_block(snapshot, ilki_chunk_of(record.place), directory->number);
    uint32_t row = ilki_row_of(record.place);
    return block && ilki_block_has(block, row) ? ilki_value_at(directory, block, row) : NULL;
}
