#include "heads.h"

#include <string.h>

static void free_head_page(ilki_heads* heads, ilki_pool* pool, uint32_t page) {
    ilki_guard_pass(&heads->guard, page);
    ilki_pool_free(pool, ILKI_EDGES, heads->pages[page], sizeof(ilki_head_page), 1);
    heads->pages[page] = NULL;
}

void ilki_heads_fini(ilki_heads* heads, ilki_pool* pool) {
    for (uint32_t i = 0; i < heads->page_capacity; i++) free_head_page(heads, pool, i);
    ilki_free(pool->memory, ILKI_EDGES, heads->pages, heads->page_capacity * sizeof *heads->pages,
              _Alignof(max_align_t));
    *heads = (ilki_heads){.guard = heads->guard};
}

bool ilki_heads_ready_slow(ilki_heads* heads, ilki_pool* pool, uint32_t slot) {
    uint32_t page = slot / ILKI_PAGE_HEADS;
    if (!ilki_grow(pool->memory, ILKI_EDGES, &heads->pages, &heads->page_capacity, page + 1,
                   sizeof *heads->pages)) {
        return false;
    }
    if (heads->pages[page]) return true;
    ilki_guard_pass(&heads->guard, page);
    heads->pages[page] = ilki_pool_alloc(pool, ILKI_EDGES, sizeof(ilki_head_page), 1);
    if (!heads->pages[page]) return false;
    memset(heads->pages[page], 0, sizeof(ilki_head_page));
    return true;
}

void ilki_heads_trim(ilki_heads* heads, ilki_pool* pool) {
    bool is_empty = true;
    for (uint32_t i = 0; i < heads->page_capacity; i++) {
        if (heads->pages[i] && heads->pages[i]->used == 0) free_head_page(heads, pool, i);
        is_empty = is_empty && !heads->pages[i];
    }
    if (is_empty) ilki_heads_fini(heads, pool);
}

size_t ilki_heads_bytes(const ilki_heads* heads) {
    size_t bytes = heads->page_capacity * sizeof *heads->pages;
    for (uint32_t i = 0; i < heads->page_capacity; i++) {
        if (heads->pages[i]) bytes += sizeof(ilki_head_page);
    }
    return bytes;
}
