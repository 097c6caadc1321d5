#include "directory.h"

#include <string.h>

#include "../component/values.h"
#include "small.h"

ilki_block ilki_no_block;
ilki_directory ilki_no_directory;
ilki_directory* ilki_no_directories[1] = {&ilki_no_directory};
const ilki_view ilki_no_view = {.by_id = ilki_no_directories, .id_count = 1};

static size_t entry_bytes(uint32_t bound) {
    return bound * sizeof(ilki_block) + ilki_words(bound) * sizeof(uint64_t);
}

size_t ilki_directory_bytes(const ilki_directory* directory) {
    return entry_bytes(directory->bound);
}

void ilki_directory_fini(ilki_directory* directory, ilki_memory* memory) {
    ilki_free(memory, ILKI_DIRECTORIES, directory->blocks, entry_bytes(directory->bound),
              ILKI_LINE);
}

// Gives a directory another number of entries. False without memory.
static bool resize(ilki_directory* directory, ilki_memory* memory, uint32_t bound) {
    ilki_block* blocks =
        bound ? ilki_alloc_zero(memory, ILKI_DIRECTORIES, entry_bytes(bound), ILKI_LINE) : NULL;
    if (bound && !blocks) return false;
    uint64_t* present = blocks ? (uint64_t*)(void*)(blocks + bound) : NULL;
    uint32_t kept = bound < directory->bound ? bound : directory->bound;
    if (kept) {
        memcpy(blocks, directory->blocks, kept * sizeof *blocks);
        memcpy(present, directory->present, ilki_words(kept) * sizeof *present);
    }
    ilki_directory_fini(directory, memory);
    directory->blocks = blocks;
    directory->present = present;
    directory->bound = bound;
    return true;
}

void ilki_directory_trim(ilki_directory* directory, ilki_memory* memory) {
    uint32_t needed = directory->bound;
    while (needed && !directory->blocks[needed - 1].base) needed--;
    if (needed < directory->bound) resize(directory, memory, needed);
}

bool ilki_directory_ready(ilki_directory* directory, ilki_memory* memory, uint32_t chunk) {
    uint32_t bound = directory->bound ? directory->bound : 4;
    while (bound <= chunk) bound *= 2; // there are fewer chunks than half of UINT32_MAX
    return bound == directory->bound || resize(directory, memory, bound);
}

size_t ilki_block_body(const ilki_directory* directory, uint32_t rows, ilki_block_kind kind) {
    size_t bytes = kind == ILKI_SMALL ? ilki_small_bytes(rows) : rows * directory->size;
    if (directory->is_tracked) bytes += 8 + (rows + 1) * sizeof(ilki_row_ticks);
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

void ilki_block_free(const ilki_directory* directory, ilki_pool* pool, const ilki_block* block,
                     uint32_t rows) {
    size_t align = directory->type->align;
    size_t front = ilki_block_front(rows, align);
    size_t body = ilki_block_body(directory, rows, (ilki_block_kind)block->kind);
    if (block->kind == ILKI_SMALL) ilki_small_free_segments(directory, block, pool);
    ilki_pool_free(pool, ILKI_VALUES, block->base - front, front + body, align);
}

void ilki_directory_be_quick(ilki_directory* directory, bool is_quick) {
    directory->is_quick = is_quick;
    for (uint32_t i = 0; i < directory->bound; i++) {
        ilki_block* block = &directory->blocks[i];
        if (block->base) block->is_awkward = !is_quick || block->kind == ILKI_SMALL;
    }
}

void ilki_directory_enter(ilki_directory* directory, uint32_t chunk, const ilki_block* block) {
    directory->blocks[chunk] = *block;
    ilki_bit_set(directory->present, chunk);
    directory->block_count++;
}

void ilki_directory_leave(ilki_directory* directory, uint32_t chunk) {
    directory->blocks[chunk] = (ilki_block){0};
    ilki_bit_clear(directory->present, chunk);
    directory->block_count--;
}

size_t ilki_block_held(const ilki_directory* directory, const ilki_block* block, uint32_t rows) {
    size_t align = directory->type->align;
    size_t bytes = ilki_block_front(rows, align) +
                   ilki_block_body(directory, rows, (ilki_block_kind)block->kind);
    return ilki_pool_bytes(bytes, align) +
           (block->kind == ILKI_SMALL ? ilki_small_segments_held(directory, block) : 0);
}

ilki_block* ilki_directory_add(ilki_directory* directory, ilki_pool* pool, uint32_t chunk,
                               uint32_t rows, ilki_block_kind kind) {
    if (!ilki_directory_ready(directory, pool->memory, chunk)) return NULL;
    unsigned char* base = block_alloc(directory, pool, rows, kind);
    if (!base) return NULL;
    ilki_block* block = &directory->blocks[chunk];
    ilki_block fresh = {
        .base = base,
        .kind = (uint8_t)kind,
        .is_awkward = !directory->is_quick || kind == ILKI_SMALL,
        .is_tracked = directory->is_tracked,
    };
    ilki_directory_enter(directory, chunk, &fresh);
    if (kind == ILKI_SMALL) ilki_small_of(block)->rows = rows;
    if (directory->is_tracked) {
        memset(ilki_ticks_of(directory, block, rows), 0, (rows + 1) * sizeof(ilki_row_ticks));
    }
    return block;
}

void ilki_directory_drop(ilki_directory* directory, ilki_pool* pool, uint32_t chunk,
                         uint32_t rows) {
    ilki_block* block = ilki_block_at(directory, chunk);
    if (!block->base) return;
    ilki_block_free(directory, pool, block, rows);
    ilki_directory_leave(directory, chunk);
}

// The bytes of a block, those that lie elsewhere included. NULL without memory.
static unsigned char* clone_bytes(const ilki_directory* directory, ilki_pool* pool,
                                  const ilki_block* block, uint32_t rows) {
    ilki_block_kind kind = (ilki_block_kind)block->kind;
    size_t front = ilki_block_front(rows, directory->type->align);
    unsigned char* base = block_alloc(directory, pool, rows, kind);
    if (!base) return NULL;
    memcpy(base - front, block->base - front, front + ilki_block_body(directory, rows, kind));
    if (kind != ILKI_SMALL) return base;
    ilki_block clone = {.base = base, .kind = block->kind};
    if (ilki_small_clone_segments(directory, block, &clone, pool)) return base;
    ilki_block_free(directory, pool, &clone, rows);
    return NULL;
}

// Calls a function for the value of each row that has one.
static void for_values(const ilki_directory* directory, const ilki_block* block, uint32_t rows,
                       const uint64_t* live, const ilki_block* other,
                       void (*fn)(const ilk_type* type, void* value, const void* other)) {
    for (uint32_t word = 0; word < ilki_words(rows); word++) {
        uint64_t bits = ilki_block_word(block, word, live[word]);
        for (; bits; bits &= bits - 1) {
            uint32_t row = word * 64 + ilki_lowest(bits);
            fn(directory->type, ilki_value_at(directory, block, row),
               other ? ilki_value_at(directory, other, row) : NULL);
        }
    }
}

bool ilki_block_clone(const ilki_directory* directory, ilki_pool* pool, const ilki_block* block,
                      uint32_t rows, const uint64_t* live, ilki_block* clone) {
    const ilki_block original = *block; // the clone may take its place
    unsigned char* base = clone_bytes(directory, pool, block, rows);
    if (!base) return false;
    *clone = original;
    clone->base = base;
    if (directory->type->hooks.copy && !directory->type->unrecorded) {
        for_values(directory, clone, rows, live, &original, ilki_value_copy);
    }
    return true;
}

static void default_one(const ilk_type* type, void* value, const void* other) {
    (void)other;
    ilki_values_default(type, value, 1);
}

void ilki_block_fill(const ilki_directory* directory, const ilki_block* block, uint32_t rows,
                     const uint64_t* live) {
    for_values(directory, block, rows, live, NULL, default_one);
}

static void drop_one(const ilk_type* type, void* value, const void* other) {
    (void)other;
    ilki_value_drop(type, value);
}

void ilki_block_drop_values(const ilki_directory* directory, const ilki_block* block, uint32_t rows,
                            const uint64_t* live) {
    if (directory->type->hooks.drop) for_values(directory, block, rows, live, NULL, drop_one);
}

bool ilki_block_make_vacant(const ilki_directory* directory, ilki_pool* pool, uint32_t rows,
                            const uint64_t* live, ilki_block_kind kind, ilki_block* block) {
    block->base = block_alloc(directory, pool, rows, kind);
    if (!block->base) return false;
    block->kind = (uint8_t)kind;
    block->count = block->off = 0;
    if (kind == ILKI_SMALL) ilki_small_of(block)->rows = rows;
    if (directory->is_tracked) {
        memset(ilki_ticks_of(directory, block, rows), 0, (rows + 1) * sizeof(ilki_row_ticks));
    }
    for (uint32_t word = 0; kind == ILKI_HOME && word < ilki_words(rows); word++) {
        *ilki_presence(block, word) = live[word];
        block->count = (uint16_t)(block->count + ilki_ones(live[word]));
    }
    return true;
}

bool ilki_directory_expand(ilki_directory* directory, ilki_pool* pool, uint32_t chunk,
                           uint32_t rows) {
    ilki_block* block = ilki_block_at(directory, chunk);
    ilki_block natural = *block;
    natural.kind = ILKI_GUEST;
    natural.is_awkward = !directory->is_quick;
    natural.base = block_alloc(directory, pool, rows, ILKI_GUEST);
    if (!natural.base) return false;
    size_t front = ilki_block_front(rows, directory->type->align);
    memcpy(natural.base - front, block->base - front, front);
    for (uint32_t row = 0; row < rows; row++) {
        if (!ilki_block_has(block, row)) continue;
        memcpy(ilki_value_at(directory, &natural, row), ilki_value_at(directory, block, row),
               directory->size);
    }
    ilki_block_free(directory, pool, block, rows);
    *block = natural;
    return true;
}
