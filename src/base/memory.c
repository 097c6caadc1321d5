#include "memory.h"

#include <stdlib.h>
#include <string.h>

static bool is_plain(size_t align) {
    return align <= _Alignof(max_align_t);
}

static void* default_alloc(void* context, size_t size, size_t align) {
    (void)context;
    return is_plain(align) ? malloc(size) : ilki_aligned_alloc(size, align);
}

static void default_free(void* context, void* block, size_t size, size_t align) {
    (void)context, (void)size;
    if (is_plain(align))
        free(block);
    else
        ilki_aligned_free(block);
}

void ilki_memory_init(ilki_memory* memory, const ilk_allocator* allocator) {
    *memory = (ilki_memory){.allocator = *allocator};
    if (!allocator->alloc) {
        memory->allocator.alloc = default_alloc;
        memory->allocator.free = default_free;
    }
}

// By each thread, so that what a system needs is known while others run beside it.
static _Thread_local uint64_t allocations_made;

uint64_t ilki_allocations(void) {
    return allocations_made;
}

static void begin_alone(ilki_memory* memory) {
    if (ILKI_UNLIKELY(memory->is_shared || memory->is_lent)) ilki_lock_take(&memory->lock);
}

static void end_alone(ilki_memory* memory) {
    if (ILKI_UNLIKELY(memory->is_shared || memory->is_lent)) ilki_lock_give(&memory->lock);
}

static void* lent_alloc(void* context, size_t size, size_t align) {
    ilki_memory* lender = context;
    ilki_lock_take(&lender->lock);
    void* block = lender->allocator.alloc(lender->allocator.context, size, align);
    ilki_lock_give(&lender->lock);
    return block;
}

static void lent_free(void* context, void* block, size_t size, size_t align) {
    ilki_memory* lender = context;
    ilki_lock_take(&lender->lock);
    lender->allocator.free(lender->allocator.context, block, size, align);
    ilki_lock_give(&lender->lock);
}

ilk_allocator ilki_memory_lend(ilki_memory* memory) {
    return (ilk_allocator){.alloc = lent_alloc, .free = lent_free, .context = memory};
}

void* ilki_alloc(ilki_memory* memory, ilki_use use, size_t size, size_t align) {
    if (size > SIZE_MAX / 2) return NULL;
    begin_alone(memory);
    void* block = memory->allocator.alloc(memory->allocator.context, size, align);
    if (block) memory->bytes[use] += size;
    end_alone(memory);
    if (block) allocations_made++;
    return block;
}

void* ilki_alloc_zero(ilki_memory* memory, ilki_use use, size_t size, size_t align) {
    void* block = ilki_alloc(memory, use, size, align);
    if (block) memset(block, 0, size);
    return block;
}

void ilki_free(ilki_memory* memory, ilki_use use, void* block, size_t size, size_t align) {
    if (!block) return;
    begin_alone(memory);
    memory->bytes[use] -= size;
    memory->allocator.free(memory->allocator.context, block, size, align);
    end_alone(memory);
}

bool ilki_grow(ilki_memory* memory, ilki_use use, void* array, uint32_t* capacity, uint32_t needed,
               size_t element) {
    if (needed <= *capacity) return true;
    uint32_t wanted = *capacity ? *capacity : 4;
    while (wanted < needed) wanted = wanted > UINT32_MAX / 2 ? UINT32_MAX : wanted * 2;
    unsigned char* larger =
        ilki_alloc(memory, use, ilki_bytes_of(0, wanted, element), _Alignof(max_align_t));
    if (!larger) return false;
    void* old; // read and written by memcpy, for the pointer at `array` may be of any type
    memcpy(&old, array, sizeof old);
    size_t used = *capacity * element;
    if (used) memcpy(larger, old, used);
    memset(larger + used, 0, wanted * element - used);
    ilki_free(memory, use, old, used, _Alignof(max_align_t));
    memcpy(array, &larger, sizeof larger);
    *capacity = wanted;
    return true;
}
