// Memory, buckets and chains.
#include <stdlib.h>
#include <string.h>

#include "space.h"

#define ALIGN 16u

static void* plain_alloc(void* context, size_t size, size_t align) {
    (void)context;
    (void)align; // malloc's is enough
    return malloc(size);
}

static void plain_free(void* context, void* room, size_t size, size_t align) {
    (void)context;
    (void)size;
    (void)align;
    free(room);
}

ilks_memory ilks_memory_of(const ilk_allocator* allocator) {
    static const ilk_allocator plain = {plain_alloc, plain_free, NULL};
    return (ilks_memory){.allocator = allocator->alloc ? *allocator : plain};
}

void* ilks_alloc(ilks_memory* memory, size_t size) {
    const ilk_allocator* allocator = &memory->allocator;
    void* room = allocator->alloc(allocator->context, size, ALIGN);
    if (room) memory->bytes += size;
    return room;
}

void ilks_free(ilks_memory* memory, void* room, size_t size) {
    if (!room) return;
    memory->allocator.free(memory->allocator.context, room, size, ALIGN);
    memory->bytes -= size;
}

bool ilks_grow(ilks_memory* memory, void* array, uint32_t* capacity, uint32_t count, size_t size) {
    if (count <= *capacity) return true;
    uint64_t wanted = (uint64_t)*capacity * 2 > count ? (uint64_t)*capacity * 2 : count;
    if (wanted < 16) wanted = 16;
    if (wanted > UINT32_MAX / 2 || wanted > SIZE_MAX / 2 / size) return false;
    void* room = ilks_alloc(memory, (size_t)wanted * size);
    if (!room) return false;
    void** at = array;
    if (*at) memcpy(room, *at, *capacity * size);
    ilks_free(memory, *at, *capacity * size);
    *at = room;
    *capacity = (uint32_t)wanted;
    return true;
}

// Slots

static bool add_slots(ilks_slots* slots, ilks_memory* memory, uint32_t page) {
    slots->pages[page] = ilks_alloc(memory, ILKS_SLOTS * slots->bytes);
    if (!slots->pages[page]) return false;
    for (uint32_t i = 0; i < ILKS_SLOTS; i++) {
        ilks_slot* slot = (ilks_slot*)(void*)(slots->pages[page] + i * slots->bytes);
        slot->where = ILKS_NONE;
        slot->generation = slot->seen = 0;
    }
    return true;
}

bool ilks_slots_ready(ilks_slots* slots, ilks_memory* memory, uint32_t index) {
    uint32_t page = index / ILKS_SLOTS, before = slots->page_capacity;
    if (!ilks_grow(memory, &slots->pages, &slots->page_capacity, page + 1, sizeof *slots->pages)) {
        return false;
    }
    for (uint32_t i = before; i < slots->page_capacity; i++) slots->pages[i] = NULL;
    return slots->pages[page] || add_slots(slots, memory, page);
}

void ilks_slots_fini(ilks_slots* slots, ilks_memory* memory) {
    for (uint32_t i = 0; i < slots->page_capacity; i++) {
        ilks_free(memory, slots->pages[i], ILKS_SLOTS * slots->bytes);
    }
    ilks_free(memory, slots->pages, slots->page_capacity * sizeof *slots->pages);
}

ilks_slot* ilks_next_in(const ilk_space* space, uint32_t* index) {
    const ilks_slots* slots = &space->slots;
    uint64_t i = *index, end = (uint64_t)slots->page_capacity * ILKS_SLOTS;
    while (i < end) {
        if (!slots->pages[i / ILKS_SLOTS]) {
            i = (i / ILKS_SLOTS + 1) * ILKS_SLOTS;
            continue;
        }
        ilks_slot* slot = ilks_slot_at(space, (uint32_t)i);
        if (slot->where != ILKS_NONE) {
            *index = (uint32_t)i;
            return slot;
        }
        i++;
    }
    return NULL;
}

// Buckets

static bool add_page(ilks_store* store, ilks_memory* memory) {
    if (!ilks_grow(memory, &store->pages, &store->page_capacity, store->page_count + 1,
                   sizeof *store->pages)) {
        return false;
    }
    unsigned char* page = ilks_alloc(memory, ILKS_PAGE * store->bytes);
    if (!page) return false;
    memset(page, 0, ILKS_PAGE * store->bytes); // questions look at all numbers of a bucket
    store->pages[store->page_count++] = page;
    return true;
}

bool ilks_store_ready(ilks_store* store, ilks_memory* memory, uint32_t count) {
    if (count == 1 && store->free != ILKS_NONE) return true;
    while (store->used + count > (uint64_t)store->page_count * ILKS_PAGE) {
        if (!add_page(store, memory)) return false;
    }
    return true;
}

void ilks_store_clear(ilks_store* store) {
    store->used = 0;
    store->free = ILKS_NONE;
}

void ilks_store_fini(ilks_store* store, ilks_memory* memory) {
    for (uint32_t i = 0; i < store->page_count; i++) {
        ilks_free(memory, store->pages[i], ILKS_PAGE * store->bytes);
    }
    ilks_free(memory, store->pages, store->page_capacity * sizeof *store->pages);
}

static uint32_t take_bucket(ilks_store* store) {
    uint32_t bucket = store->free;
    if (bucket == ILKS_NONE) return store->used++;
    store->free = ilks_bucket_at(store, bucket)->next;
    return bucket;
}

// Chains

uint32_t ilks_chain_add(ilk_space* space, uint32_t* first, ilk_entity e, const double* numbers) {
    ilks_store* store = &space->store;
    if (*first == ILKS_NONE || ilks_bucket_at(store, *first)->count == ILKS_BUCKET) {
        uint32_t taken = take_bucket(store);
        ilks_bucket* bucket = ilks_bucket_at(store, taken);
        bucket->count = 0;
        bucket->next = *first;
        *first = taken;
    }
    ilks_bucket* bucket = ilks_bucket_at(store, *first);
    uint32_t at = bucket->count++;
    bucket->entities[at] = e;
    for (uint32_t i = 0; i < store->numbers; i++) {
        bucket->numbers[i * ILKS_BUCKET + at] = numbers[i];
    }
    return *first * ILKS_BUCKET + at;
}

// The last of the first bucket takes its place.
void ilks_chain_take(ilk_space* space, uint32_t* first, uint32_t where) {
    ilks_store* store = &space->store;
    ilks_bucket* head = ilks_bucket_at(store, *first);
    ilks_bucket* bucket = ilks_bucket_at(store, where / ILKS_BUCKET);
    uint32_t at = where % ILKS_BUCKET, last = --head->count;
    bucket->entities[at] = head->entities[last];
    for (uint32_t i = 0; i < store->numbers; i++) {
        bucket->numbers[i * ILKS_BUCKET + at] = head->numbers[i * ILKS_BUCKET + last];
    }
    bool is_last = bucket == head && at == last;
    if (!is_last) ilks_slot_at(space, bucket->entities[at].index)->where = where;
    if (head->count) return;
    uint32_t emptied = *first;
    *first = head->next;
    head->next = store->free;
    store->free = emptied;
}
