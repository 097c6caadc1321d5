#include "arena.h"

#define BLOCK_BYTES ((size_t)16 << 10)

static ilki_arena_block* make_arena_block(ilki_memory* memory, size_t size) {
    ilki_arena_block* block =
        ilki_alloc(memory, ILKI_OTHER, sizeof *block + size, _Alignof(max_align_t));
    if (block) *block = (ilki_arena_block){.size = size};
    return block;
}

static void free_arena_blocks(ilki_arena_block* block, ilki_memory* memory) {
    while (block) {
        ilki_arena_block* next = block->next;
        ilki_free(memory, ILKI_OTHER, block, sizeof *block + block->size, _Alignof(max_align_t));
        block = next;
    }
}

// A block of at least so many bytes from a pool, or NULL.
static ilki_arena_block* take_from_pool(ilki_arena_pool* pool, size_t size) {
    ilki_lock_take(&pool->lock);
    ilki_arena_block** link = &pool->blocks;
    while (*link && (*link)->size < size) link = &(*link)->next;
    ilki_arena_block* block = *link;
    if (block) {
        *link = block->next;
        pool->count--;
    }
    ilki_lock_give(&pool->lock);
    return block;
}

static ilki_arena_block* add_arena_block(ilki_arena* arena, ilki_memory* memory, size_t needed) {
    size_t size = needed > BLOCK_BYTES ? needed : BLOCK_BYTES;
    ilki_arena_block* block = arena->pool ? take_from_pool(arena->pool, size) : NULL;
    if (!block) block = make_arena_block(memory, size);
    if (!block) return NULL;
    ilki_arena_block** after = arena->current ? &arena->current->next : &arena->first;
    block->next = *after;
    *after = block;
    return block;
}

void* ilki_arena_take_slow(ilki_arena* arena, ilki_memory* memory, size_t size, size_t align) {
    if (size > SIZE_MAX / 2) return NULL;
    ilki_arena_block* block = arena->current ? arena->current : arena->first;
    for (; block; block = block->next) {
        void* piece = ilki_arena_take_from(block, size, align);
        if (!piece) continue;
        arena->current = block;
        return piece;
    }
    block = add_arena_block(arena, memory, size + align);
    if (!block) return NULL;
    arena->current = block;
    return ilki_arena_take_from(block, size, align);
}

// Gives all blocks of an arena, which are empty, to its pool.
static void give_to_pool(ilki_arena* arena, uint32_t count) {
    ilki_lock_take(&arena->pool->lock);
    ilki_arena_block** end = &arena->pool->blocks;
    while (*end) end = &(*end)->next;
    *end = arena->first;
    arena->pool->count += count;
    ilki_lock_give(&arena->pool->lock);
    arena->first = NULL;
}

size_t ilki_arena_reset(ilki_arena* arena) {
    uint32_t count = 0;
    size_t bytes = 0;
    for (ilki_arena_block* block = arena->first; block; block = block->next) {
        bytes += block->used;
        block->used = 0;
        count++;
    }
    arena->current = NULL;
    if (arena->pool && count) give_to_pool(arena, count);
    return bytes;
}

// Each arena may have one block that is not full, and the others lose something at their ends. If
// there are too few, there will be a few more than enough, so that this ends.
void ilki_arena_pool_fill(ilki_arena_pool* pool, ilki_memory* memory, size_t bytes,
                          uint32_t arenas) {
    uint32_t full = (uint32_t)(bytes / BLOCK_BYTES);
    uint32_t needed = full + full / 8 + 1 + arenas;
    if (pool->count >= needed) return;
    while (pool->count < needed + needed / 4) {
        ilki_arena_block* block = make_arena_block(memory, BLOCK_BYTES);
        if (!block) return;
        block->next = pool->blocks;
        pool->blocks = block;
        pool->count++;
    }
}

void ilki_arena_pool_fini(ilki_arena_pool* pool, ilki_memory* memory) {
    free_arena_blocks(pool->blocks, memory);
    *pool = (ilki_arena_pool){0};
}

void ilki_arena_fini(ilki_arena* arena, ilki_memory* memory) {
    free_arena_blocks(arena->first, memory);
    *arena = (ilki_arena){0};
}
