#include "directory.h"

#include <string.h>

#include "small.h"

ilki_page ilki_no_page;
ilki_directory ilki_no_directory;

static void page_free(ilki_directory* directory, ilki_memory* memory, uint32_t at) {
    if (directory->pages[at] == &ilki_no_page) return;
    ilki_free(memory, ILKI_DIRECTORIES, directory->pages[at], sizeof(ilki_page), ILKI_LINE);
    directory->pages[at] = &ilki_no_page;
}

void ilki_directory_fini(ilki_directory* directory, ilki_memory* memory) {
    for (uint32_t i = 0; i < directory->page_count; i++) page_free(directory, memory, i);
    ilki_free(memory, ILKI_DIRECTORIES, directory->pages,
              directory->page_capacity * sizeof *directory->pages, _Alignof(max_align_t));
}

void ilki_directory_trim(ilki_directory* directory, ilki_memory* memory) {
    for (uint32_t i = 0; i < directory->page_count; i++) {
        if (directory->pages[i]->present == 0) page_free(directory, memory, i);
    }
}

// The page of a number, made if it is not there.
static ilki_page* page_make(ilki_directory* directory, ilki_memory* memory, uint32_t at) {
    if (at < directory->page_count && directory->pages[at] != &ilki_no_page) {
        return directory->pages[at];
    }
    if (!ilki_grow(memory, ILKI_DIRECTORIES, &directory->pages, &directory->page_capacity, at + 1,
                   sizeof *directory->pages)) {
        return NULL;
    }
    ilki_page* page = ilki_alloc_zero(memory, ILKI_DIRECTORIES, sizeof *page, ILKI_LINE);
    if (!page) return NULL;
    while (directory->page_count <= at) directory->pages[directory->page_count++] = &ilki_no_page;
    directory->pages[at] = page;
    return page;
}

size_t ilki_block_body(const ilki_directory* directory, uint32_t rows, ilki_block_kind kind) {
    size_t bytes = kind == ILKI_SMALL ? ilki_small_bytes(rows) : rows * directory->size;
    return (bytes + ILKI_LINE - 1) & ~(size_t)(ILKI_LINE - 1);
}

size_t ilki_block_bytes(const ilki_directory* directory, const ilki_block* block, uint32_t rows) {
    return ilki_block_front(rows, directory->type->align) +
           ilki_block_body(directory, rows, (ilki_block_kind)block->kind) +
           (block->kind == ILKI_SMALL ? ilki_small_segment_bytes(directory, block) : 0);
}

// Memory for a block; bits are clear, and so is the head of a small one.
static unsigned char* block_alloc(const ilki_directory* directory, ilki_pool* pool, uint32_t rows,
                                  ilki_block_kind kind) {
    size_t align = directory->type->align;
    size_t front = ilki_block_front(rows, align), body = ilki_block_body(directory, rows, kind);
    unsigned char* memory = ilki_pool_alloc(pool, ILKI_VALUES, front + body, align);
    if (!memory) return NULL;
    memset(memory, 0, front);
    if (kind == ILKI_SMALL) memset(memory + front, 0, body);
#ifdef ILK_CHECKED
    else
        ilki_poison(memory + front, body);
#endif
    return memory + front;
}

static void block_free(const ilki_directory* directory, ilki_pool* pool, ilki_block* block,
                       uint32_t rows) {
    size_t align = directory->type->align;
    size_t front = ilki_block_front(rows, align);
    size_t body = ilki_block_body(directory, rows, (ilki_block_kind)block->kind);
    if (block->kind == ILKI_SMALL) ilki_small_free_segments(directory, block, pool);
    ilki_pool_free(pool, ILKI_VALUES, block->base - front, front + body, align);
}

ilki_block* ilki_directory_add(ilki_directory* directory, ilki_pool* pool, uint32_t chunk,
                               uint32_t rows, ilki_block_kind kind) {
    ilki_page* page = page_make(directory, pool->memory, chunk / ILKI_PAGE_BLOCKS);
    if (!page) return NULL;
    unsigned char* base = block_alloc(directory, pool, rows, kind);
    if (!base) return NULL;
    ilki_block* block = &page->blocks[chunk % ILKI_PAGE_BLOCKS];
    *block = (ilki_block){.base = base, .kind = (uint8_t)kind};
    if (kind == ILKI_SMALL) ilki_small_of(block)->rows = rows;
    ilki_bit_set(&page->present, chunk % ILKI_PAGE_BLOCKS);
    return block;
}

void ilki_directory_drop(ilki_directory* directory, ilki_pool* pool, uint32_t chunk,
                         uint32_t rows) {
    ilki_page* page = ilki_page_at(directory, chunk / ILKI_PAGE_BLOCKS);
    ilki_block* block = &page->blocks[chunk % ILKI_PAGE_BLOCKS];
    if (!block->base) return;
    block_free(directory, pool, block, rows);
    *block = (ilki_block){0};
    ilki_bit_clear(&page->present, chunk % ILKI_PAGE_BLOCKS);
}

bool ilki_directory_expand(ilki_directory* directory, ilki_pool* pool, uint32_t chunk,
                           uint32_t rows) {
    ilki_block* block = ilki_block_at(directory, chunk);
    ilki_block natural = *block;
    natural.kind = ILKI_GUEST;
    natural.base = block_alloc(directory, pool, rows, ILKI_GUEST);
    if (!natural.base) return false;
    size_t front = ilki_block_front(rows, directory->type->align);
    memcpy(natural.base - front, block->base - front, front);
    for (uint32_t row = 0; row < rows; row++) {
        if (!ilki_block_has(block, row)) continue;
        memcpy(ilki_value_at(directory, &natural, row), ilki_value_at(directory, block, row),
               directory->size);
    }
    block_free(directory, pool, block, rows);
    *block = natural;
    return true;
}
