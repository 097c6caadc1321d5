// Values that own something in a delta: they are not sent, but may move. Each stays with its
// entity, in the one world as in the other, and the delta says where that is.
//
// Whether a value is still what it was is known from the tick in which its block changed, which
// goes with values that settling moves; bytes say nothing, since what a snapshot has may be a copy.
// Ticks count only between two times of the same past.
#include "delta.h"

bool ilki_moves_only(const ilk_type* type) {
    return !ilki_wire_fits(type);
}

static uint64_t changed_in(const ilk_snapshot* snapshot, const ilki_directory* directory,
                           uint32_t place) {
    const ilki_block_image* image =
        ilki_block_image_at(snapshot, ilki_chunk_of(place), directory->number);
    return image ? image->entry.changed : UINT64_MAX;
}

// Whether a value at one place is what it was at another.
static bool is_same_owned(const ilki_differ* d, const ilki_directory* directory, uint32_t was,
                          uint32_t is) {
    const ilk_snapshot *from = d->from, *to = d->to;
    if (was == is && ilki_same_block(d->from, d->to, ilki_chunk_of(is), directory->number)) {
        return true;
    }
    if (!from->is_past || !to->is_past) return false;
    return from->storage.tick < to->storage.tick
               ? changed_in(to, directory, is) < from->storage.tick
               : changed_in(from, directory, was) < to->storage.tick;
}

bool ilki_owned_stay(const ilki_differ* d, const ilki_directory* directory, const ilki_chunk* chunk,
                     const ilki_block* block) {
    for (uint32_t row = 0; row < chunk->used; row++) {
        if (!ilki_bit(chunk->live, row) || !ilki_block_has(block, row)) continue;
        ilk_entity e = chunk->entities[row];
        ilki_record was = ilki_past_record(d->from, e.index);
        bool had = was.generation == e.generation && ilki_past_value(d->from, directory, e.index);
        if (!had || !is_same_owned(d, directory, was.place, ilki_place(chunk->number, row))) {
            return false;
        }
    }
    return true;
}

// Looks for the values of a block in the world, and copies them.
static bool take_owned_block(ilki_patch* p, const ilki_chunk_image* chunk,
                             const ilki_block_image* image, bool is_copied) {
    const ilki_storage* storage = &p->world->storage;
    const ilki_directory* directory = storage->types[image->type];
    const ilki_chunk* rows = ilki_patch_rows(p, chunk);
    for (uint32_t row = 0; row < chunk->head.used; row++) {
        if (!ilki_bit(rows->live, row) || !ilki_block_has(&image->entry, row)) continue;
        ilk_entity e = rows->entities[row];
        const void* now = p->is_whole ? NULL : ilki_value_now(storage, directory, e);
        if (!now) {
            return ilki_patch_refuse(p, ILK_INVALID, "%s owns something, and entity %u:%u has none",
                                     directory->type->name, e.index, e.generation);
        }
        void* value = ilki_value_at(directory, &image->entry, row);
        if (is_copied) ilki_value_copy(directory->type, value, now);
    }
    return true;
}

static bool take_all_owned(ilki_patch* p, bool is_copied) {
    const ilki_storage_image* image = &p->image->storage;
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        const ilki_chunk_image* chunk = &image->chunks[i];
        for (uint32_t k = 0; k < chunk->block_count; k++) {
            const ilki_block_image* block = &chunk->blocks[k];
            const ilk_type* type = p->world->storage.types[block->type]->type;
            if (!block->is_own || !ilki_moves_only(type)) continue;
            if (!take_owned_block(p, chunk, block, is_copied)) return false;
        }
    }
    return true;
}

// By now no entity has two rows, so that each value is copied once.
bool ilki_take_owned(ilki_patch* p) {
    p->has_owned = take_all_owned(p, false) && take_all_owned(p, true);
    return p->has_owned;
}
