#include "arena.h"

#define BLOCK_BYTES ((size_t)16 << 10)

typedef struct ilki_arena_block arena_block;

static void* take_from(arena_block* block, size_t size, size_t align) {
    uintptr_t begin = (uintptr_t)(block + 1) + block->used;
    size_t gap = (size_t)(-begin & (align - 1));
    if (gap > block->size - block->used || size > block->size - block->used - gap) return NULL;
    block->used += gap + size;
    return (unsigned char*)(block + 1) + block->used - size;
}

static arena_block* add_arena_block(ilki_arena* arena, ilki_memory* memory, size_t needed) {
    size_t size = needed > BLOCK_BYTES ? needed : BLOCK_BYTES;
    arena_block* block =
        ilki_alloc(memory, ILKI_OTHER, sizeof *block + size, _Alignof(max_align_t));
    if (!block) return NULL;
    arena_block** after = arena->current ? &arena->current->next : &arena->first;
    *block = (arena_block){.next = *after, .size = size};
    *after = block;
    return block;
}

void* ilki_arena_take(ilki_arena* arena, ilki_memory* memory, size_t size, size_t align) {
    if (size > SIZE_MAX / 2) return NULL;
    arena_block* block = arena->current ? arena->current : arena->first;
    for (; block; block = block->next) {
        void* piece = take_from(block, size, align);
        if (!piece) continue;
        arena->current = block;
        return piece;
    }
    block = add_arena_block(arena, memory, size + align);
    if (!block) return NULL;
    arena->current = block;
    return take_from(block, size, align);
}

void ilki_arena_reset(ilki_arena* arena) {
    for (arena_block* block = arena->first; block; block = block->next) block->used = 0;
    arena->current = NULL;
}

void ilki_arena_fini(ilki_arena* arena, ilki_memory* memory) {
    for (arena_block* block = arena->first; block;) {
        arena_block* next = block->next;
        ilki_free(memory, ILKI_OTHER, block, sizeof *block + block->size, _Alignof(max_align_t));
        block = next;
    }
    *arena = (ilki_arena){0};
}
