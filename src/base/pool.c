#include "pool.h"

#include <string.h>

#define SPAN_MIN ((size_t)16 << 10)
#define SPAN_MAX ((size_t)2 << 20)
#define BLOCK_MAX (SPAN_MAX / 8)
#define KEPT ((size_t)64 << 10) // that is free and not given back: it may be needed in a moment

void ilki_pool_init(ilki_pool* pool, ilki_memory* memory) {
    *pool = (ilki_pool){.memory = memory};
}

static size_t align_of_span(size_t bytes) {
    return bytes >= SPAN_MAX ? SPAN_MAX : ILKI_LINE;
}

static size_t bytes_of_bits(uint32_t units) {
    return ilki_words(units) * sizeof(uint64_t);
}

static void span_free(ilki_pool* pool, uint32_t at) {
    ilki_span* span = &pool->spans[at];
    size_t bytes = span->units * ILKI_UNIT;
    ilki_free(pool->memory, ILKI_SPARE, span->memory, bytes, align_of_span(bytes));
    ilki_free(pool->memory, ILKI_OTHER, span->used, bytes_of_bits(span->units), sizeof(uint64_t));
    pool->held -= bytes;
    pool->count--;
    memmove(span, span + 1, (pool->count - at) * sizeof *span);
}

void ilki_pool_trim(ilki_pool* pool) {
    for (uint32_t i = pool->count; i-- > 0;) {
        if (pool->spans[i].free == pool->spans[i].units) span_free(pool, i);
    }
}

void ilki_pool_fini(ilki_pool* pool) {
    ilki_pool_trim(pool);
    ilki_free(pool->memory, ILKI_OTHER, pool->spans, pool->capacity * sizeof *pool->spans,
              _Alignof(max_align_t));
}

static size_t size_of_next_span(const ilki_pool* pool, size_t block) {
    size_t size = SPAN_MIN;
    while (size < SPAN_MAX && (size < block || size < pool->held / 4)) size *= 2;
    return size;
}

// The first span that starts after `address`.
static uint32_t span_after(const ilki_pool* pool, const unsigned char* address) {
    uint32_t low = 0, high = pool->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((uintptr_t)pool->spans[middle].memory > (uintptr_t)address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static ilki_span* span_add(ilki_pool* pool, size_t block) {
    size_t bytes = size_of_next_span(pool, block);
    uint32_t units = (uint32_t)(bytes / ILKI_UNIT);
    if (!ilki_grow(pool->memory, ILKI_OTHER, &pool->spans, &pool->capacity, pool->count + 1,
                   sizeof *pool->spans)) {
        return NULL;
    }
    uint64_t* bits =
        ilki_alloc_zero(pool->memory, ILKI_OTHER, bytes_of_bits(units), sizeof(uint64_t));
    if (!bits) return NULL;
    unsigned char* memory = ilki_alloc(pool->memory, ILKI_SPARE, bytes, align_of_span(bytes));
    if (!memory) {
        ilki_free(pool->memory, ILKI_OTHER, bits, bytes_of_bits(units), sizeof(uint64_t));
        return NULL;
    }
    ilki_span* span = &pool->spans[span_after(pool, memory)];
    memmove(span + 1, span, (size_t)(&pool->spans[pool->count] - span) * sizeof *span);
    *span = (ilki_span){memory, bits, units, units, units};
    pool->count++;
    pool->held += bytes;
    return span;
}

// A block of `units` in a span, or NULL; what a vain search teaches is kept.
static void* span_take(ilki_span* span, uint32_t units) {
    if (units > span->longest) return NULL;
    uint32_t start = ilki_bits_clear_run(span->used, span->units, units);
    if (start == ILKI_NONE) {
        span->longest = units - 1;
        return NULL;
    }
    ilki_bits_fill(span->used, start, units, true);
    span->free -= units;
    if (span->longest > span->free) span->longest = span->free;
    return span->memory + start * ILKI_UNIT;
}

static void* take(ilki_pool* pool, size_t size) {
    uint32_t units = (uint32_t)(size / ILKI_UNIT);
    for (uint32_t i = 0; i < pool->count; i++) {
        void* block = span_take(&pool->spans[i], units);
        if (block) return block;
    }
    ilki_span* span = span_add(pool, size);
    return span ? span_take(span, units) : NULL;
}

static size_t round_up(size_t size) {
    return (size + ILKI_UNIT - 1) & ~(ILKI_UNIT - 1);
}

static bool is_pooled(size_t size, size_t align) {
    return size <= BLOCK_MAX && align <= ILKI_LINE;
}

size_t ilki_pool_bytes(size_t size, size_t align) {
    return is_pooled(size, align) ? round_up(size) : size;
}

void* ilki_pool_alloc(ilki_pool* pool, ilki_use use, size_t size, size_t align) {
    if (!is_pooled(size, align)) {
        return ilki_alloc(pool->memory, use, size, align < ILKI_LINE ? ILKI_LINE : align);
    }
    size = round_up(size);
    void* block = take(pool, size);
    if (!block) return NULL;
    pool->memory->bytes[ILKI_SPARE] -= size;
    pool->memory->bytes[use] += size;
    return block;
}

// Gives empty spans back, those too that were emptied when less was free, while much is.
static void give_back(ilki_pool* pool) {
    const size_t* spare = &pool->memory->bytes[ILKI_SPARE];
    for (uint32_t i = pool->count; i-- > 0 && *spare > pool->held / 2 && *spare > KEPT;) {
        if (pool->spans[i].free == pool->spans[i].units) span_free(pool, i);
    }
}

void ilki_pool_free(ilki_pool* pool, ilki_use use, void* block, size_t size, size_t align) {
    if (!block) return;
    if (!is_pooled(size, align)) {
        ilki_free(pool->memory, use, block, size, align < ILKI_LINE ? ILKI_LINE : align);
        return;
    }
    size = round_up(size);
    uint32_t at = span_after(pool, block) - 1;
    ilki_span* span = &pool->spans[at];
    uint32_t start = (uint32_t)((size_t)((unsigned char*)block - span->memory) / ILKI_UNIT);
    ilki_bits_fill(span->used, start, (uint32_t)(size / ILKI_UNIT), false);
    span->free += (uint32_t)(size / ILKI_UNIT);
    span->longest = span->free;
    pool->memory->bytes[use] -= size;
    pool->memory->bytes[ILKI_SPARE] += size;
    if (span->free == span->units) give_back(pool);
}
