#include "looking.h"

#include <string.h>

// Entities without a place forget that the iterator which had a slot before was open.
static void forget_lane(ilki_storage* storage, uint32_t slot) {
    for (uint32_t i = 0; i < storage->view.index.slots; i++) {
        const ilki_record* record = ilki_record_at(&storage->view.index, i);
        bool is_placeless = !(record->generation & ILKI_DEAD_BIT) && ilki_is_nowhere(record->place);
        if (is_placeless) ilki_record_edit(&storage->view.index, i)->place |= 1u << slot;
    }
    storage->looking.marked &= ~(1u << slot);
}

void ilki_order_release(ilki_storage* storage, ilki_order* order) {
    if (!order || --order->users) return;
    ilki_free(&storage->memory, ILKI_OTHER, order, ilki_order_bytes(order->count),
              _Alignof(ilki_order));
}

void ilki_look_away(ilki_storage* storage, uint32_t slot) {
    ilki_looking* looking = &storage->looking;
    if (looking->open[slot].serial == 0) return;
    ilki_order_release(storage, looking->open[slot].order);
    looking->open[slot] = (ilki_open){0};
    looking->count--;
    looking->wide &= ~(1u << slot);
}

static uint32_t slot_to_take(const ilki_looking* looking) {
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < ILKI_OPEN_MAX; i++) {
        if (looking->open[i].serial < looking->open[oldest].serial) oldest = i;
    }
    return oldest;
}

uint32_t ilki_look(ilki_storage* storage, const void* query, bool is_wide) {
    ilki_looking* looking = &storage->looking;
    uint32_t slot = slot_to_take(looking);
    ilki_look_away(storage, slot);
    looking->open[slot] = (ilki_open){++looking->last, query, NULL};
    looking->count++;
    if (!is_wide) return slot;
    if (looking->marked >> slot & 1) forget_lane(storage, slot);
    looking->wide |= 1u << slot;
    looking->marked |= 1u << slot;
    return slot;
}

static void close_slot(ilki_storage* storage, uint32_t slot, const char* why) {
    ilki_looking* looking = &storage->looking;
    if (looking->open[slot].serial == 0) return;
    looking->ends[slot] = (ilki_end){looking->open[slot].serial, why};
    ilki_look_away(storage, slot);
}

void ilki_look_away_from(ilki_storage* storage, const void* query) {
    for (uint32_t i = 0; i < ILKI_OPEN_MAX; i++) {
        if (storage->looking.open[i].query == query) {
            close_slot(storage, i, "its query was destroyed");
        }
    }
}

void ilki_look_no_more(ilki_storage* storage, const char* why) {
    for (uint32_t i = 0; i < ILKI_OPEN_MAX; i++) close_slot(storage, i, why);
    storage->looking.stale = storage->looking.last;
}

const char* ilki_why_closed(const ilki_looking* looking, uint32_t slot, uint64_t serial) {
    bool is_known = slot < ILKI_OPEN_MAX && looking->ends[slot].serial == serial;
    return is_known ? looking->ends[slot].why : NULL;
}

uint32_t ilki_rows_seen(const ilki_chunk* chunk, uint64_t serial) {
    if (chunk->born >= serial) return 0;
    for (uint32_t i = 0; i < chunk->note_count; i++) {
        if (chunk->notes[i].serial >= serial) return chunk->notes[i].used;
    }
    return chunk->used;
}

// Whether some open iterator began after the note before this one, and not after this one.
static bool is_needed(const ilki_looking* looking, const ilki_chunk* chunk, uint32_t at) {
    uint64_t after = at ? chunk->notes[at - 1].serial : 0;
    for (uint32_t i = 0; i < ILKI_OPEN_MAX; i++) {
        uint64_t serial = looking->open[i].serial;
        if (serial > after && serial <= chunk->notes[at].serial) return true;
    }
    return false;
}

static void drop_vain_notes(const ilki_looking* looking, ilki_chunk* chunk) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < chunk->note_count; i++) {
        chunk->notes[kept] = chunk->notes[i];
        kept += is_needed(looking, chunk, kept);
    }
    chunk->note_count = kept;
}

void ilki_note_append(ilki_storage* storage, ilki_chunk* chunk) {
    const ilki_looking* looking = &storage->looking;
    uint32_t count = chunk->note_count;
    bool is_noted = count && chunk->notes[count - 1].serial == looking->last;
    if (is_noted || chunk->born >= looking->last) return;
    drop_vain_notes(looking, chunk);
    chunk->notes[chunk->note_count++] = (ilki_note){looking->last, chunk->used};
}
