#include "lodge.h"

#define ENOUGH_AT_LEAST 64u

uint32_t ilki_enough(const ilki_storage* storage) {
    uint32_t enough = 2 * storage->set_count;
    return enough > ENOUGH_AT_LEAST ? enough : ENOUGH_AT_LEAST;
}

// How many types two sets share.
static uint32_t shared_types(const ilki_ilk* a, const ilki_ilk* b) {
    uint32_t shared = 0;
    for (uint32_t i = 0, j = 0; i < a->type_count && j < b->type_count;) {
        uint32_t x = a->types[i], y = b->types[j];
        shared += x == y;
        i += x <= y;
        j += y <= x;
    }
    return shared;
}

// Whether every type that only the lodger has may be a natural guest.
static bool can_guest(const ilki_storage* storage, const ilki_ilk* lodger, const ilki_ilk* host) {
    for (uint32_t i = 0; i < lodger->type_count; i++) {
        size_t size = storage->types[lodger->types[i]]->size;
        if (ilki_begins_small(size, host->rows_max) && !ilki_ilk_has(host, lodger->types[i])) {
            return false;
        }
    }
    return true;
}

// The founded ilk that differs least, by at most twice as many types as it shares; or itself.
static ilki_ilk* nearest(const ilki_storage* storage, ilki_ilk* ilk) {
    ilki_ilk* best = ilk;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < storage->ilk_count; i++) {
        ilki_ilk* other = storage->ilks[i];
        if (other->host != other || other->chunk_count == 0) continue;
        uint32_t shared = shared_types(ilk, other);
        uint32_t difference = ilk->type_count + other->type_count - 2 * shared;
        if (difference > 2 * shared || difference >= least) continue;
        if (!can_guest(storage, ilk, other)) continue;
        best = other;
        least = difference;
    }
    return best;
}

ILKI_NOINLINE ilk_result ilki_ready_to_arrive_slow(ilki_storage* storage, ilki_ilk* ilk) {
    if (!ilk->host) ilk->host = nearest(storage, ilk);
    if (ilk->lodgers >= ilki_enough(storage)) ilki_ilk_found(storage, ilk);
    ilki_ilk* host = ilk->host;
    ilk_result result = ilki_ilk_ready(storage, host);
    if (result != ILK_OK || host == ilk) return result;
    bool is_ready = ilki_ready_to_lodge(storage, ilk, ilki_ilk_door(storage, host), 1);
    return is_ready ? ILK_OK : ILK_NO_MEMORY;
}

bool ilki_ready_to_lodge(ilki_storage* storage, const ilki_ilk* ilk, ilki_chunk* chunk,
                         uint32_t count) {
    for (uint32_t i = 0; i < ilk->type_count; i++) {
        if (ilki_ilk_has(chunk->ilk, ilk->types[i])) continue;
        if (!ilki_ready_to_give(storage, chunk, storage->types[ilk->types[i]], count)) return false;
    }
    return true;
}

void ilki_lodge(ilki_storage* storage, const ilki_ilk* ilk, ilki_chunk* chunk, uint32_t row) {
    uint32_t place = ilki_place(chunk->number, row);
    for (uint32_t i = 0; i < chunk->ilk->type_count; i++) {
        uint32_t type = chunk->ilk->types[i];
        if (ilki_ilk_has(ilk, type)) continue;
        ilki_block* block = ilki_block_at(storage->types[type], chunk->number);
        ilki_touch(storage, block);
        ilki_row_flip(storage, block, place);
    }
    for (uint32_t i = 0; i < ilk->type_count; i++) {
        const ilki_directory* directory = storage->types[ilk->types[i]];
        if (ilki_ilk_has(chunk->ilk, ilk->types[i])) continue;
        ilki_block* block = ilki_block_at(directory, chunk->number);
        ilki_touch(storage, block);
        ilki_row_gains(storage, block, place);
    }
}
