#include "index.h"

#define PAGE_BYTES (ILKI_PAGE_RECORDS * sizeof(ilki_record))

void ilki_index_init(ilki_index* index, uint32_t max, uint8_t tag, bool recycles) {
    *index = (ilki_index){
        .free = ILKI_NONE,
        .max = max ? max : UINT32_MAX,
        .tag = (uint32_t)tag << ILKI_TAG_SHIFT,
        .recycles = recycles,
    };
}

void ilki_index_fini(ilki_index* index, ilki_pool* pool) {
    for (uint32_t i = 0; i < index->page_count; i++) {
        ilki_pool_free(pool, ILKI_RECORDS, index->pages[i], PAGE_BYTES, 1);
    }
    ilki_free(pool->memory, ILKI_RECORDS, index->pages, index->page_capacity * sizeof *index->pages,
              _Alignof(max_align_t));
}

static bool add_page(ilki_index* index, ilki_pool* pool) {
    if (!ilki_grow(pool->memory, ILKI_RECORDS, &index->pages, &index->page_capacity,
                   index->page_count + 1, sizeof *index->pages)) {
        return false;
    }
    ilki_record* page = ilki_pool_alloc(pool, ILKI_RECORDS, PAGE_BYTES, 1);
    if (page) index->pages[index->page_count++] = page;
    return page != NULL;
}

ilk_result ilki_index_ready_slow(ilki_index* index, ilki_pool* pool, uint32_t count) {
    if (count > index->max - index->alive) return ILK_FULL;
    uint32_t reusable = index->slots - index->alive - index->retired;
    uint32_t fresh = count > reusable ? count - reusable : 0;
    if (fresh > UINT32_MAX - 1 - index->slots) return ILK_FULL;
    uint64_t needed = (uint64_t)index->slots + fresh;
    while ((uint64_t)index->page_count * ILKI_PAGE_RECORDS < needed) {
        if (!add_page(index, pool)) return ILK_NO_MEMORY;
    }
    return ILK_OK;
}

void ilki_index_clear(ilki_index* index) {
    for (uint32_t slot = 0; slot < index->slots; slot++) {
        if (!(ilki_record_at(index, slot)->generation & ILKI_DEAD_BIT)) {
            ilki_index_destroy(index, slot);
        }
    }
    index->free = ILKI_NONE;
    for (uint32_t slot = index->slots; slot-- > 0;) {
        ilki_record* record = ilki_record_at(index, slot);
        if (record->generation == ILKI_RETIRED) continue;
        record->place = index->free;
        index->free = slot;
    }
}
