#include "storage.h"

#include <ilk/name.h>
#include <ilk/relation.h>
#include <string.h>

#include "../component/registry.h"
#include "place.h"

void ilki_storage_init(ilki_storage* storage, const ilki_memory* memory) {
    *storage = (ilki_storage){.view = ilki_no_view, .memory = *memory};
    storage->view.tick = storage->view.fresh = 1;
    ilki_pool_init(&storage->pool, &storage->memory);
}

ILKI_NOINLINE void ilki_touch_first(ilki_storage* storage, ilki_block* block) {
    uint64_t touched = __atomic_load_n(&block->touched, __ATOMIC_ACQUIRE);
    if (touched < storage->epoch) storage->save_block(storage, block);
    __atomic_store_n(&block->touched, storage->view.tick, __ATOMIC_RELEASE);
}

ILKI_NOINLINE void ilki_chunk_touch_first(ilki_storage* storage, ilki_chunk* chunk) {
    if (chunk->touched < storage->epoch) storage->save_chunk(storage, chunk);
    chunk->touched = storage->view.tick;
}

void ilki_note_mark(ilki_storage* storage) {
    if (!storage->is_shared) storage->marks++;
}

ILKI_NOINLINE void ilki_change_first(ilki_storage* storage, ilki_block* block) {
    ilki_touch(storage, block);
    ilki_note_mark(storage);
    __atomic_store_n(&block->changed, storage->view.tick, __ATOMIC_RELEASE);
}

static void free_array(ilki_storage* storage, void* array, uint32_t capacity, size_t element) {
    ilki_free(&storage->memory, ILKI_OTHER, array, capacity * element, _Alignof(max_align_t));
}

static bool grow(ilki_storage* storage, void* array, uint32_t* capacity, uint32_t needed,
                 size_t element) {
    return ilki_grow(&storage->memory, ILKI_OTHER, array, capacity, needed, element);
}

static void ilk_free(ilki_storage* storage, ilki_ilk* ilk) {
    free_array(storage, ilk->chunks, ilk->chunk_capacity, sizeof *ilk->chunks);
    free_array(storage, ilk->room, ilk->room_capacity, sizeof *ilk->room);
    ilki_free(&storage->memory, ILKI_OTHER, ilk, sizeof *ilk + ilk->type_count * sizeof *ilk->types,
              _Alignof(ilki_ilk));
}

// Enters every ilk in a map that is no larger than needed; without memory, in the one that is
// there.
static void remap_ilks(ilki_storage* storage) {
    ilki_map* map = &storage->ilks_by_set;
    ilki_map fresh = {0};
    bool is_ready = true;
    for (uint32_t i = 0; is_ready && i < storage->ilk_total; i++) {
        ilki_ilk* ilk = storage->ilks[i];
        is_ready = ilki_map_ready(&fresh, &storage->memory);
        if (is_ready) ilki_map_put(&fresh, ilk->types, ilk->type_count, ilk);
    }
    ilki_map_fini(is_ready ? map : &fresh, &storage->memory);
    if (is_ready) {
        *map = fresh;
        return;
    }
    memset(map->slots, 0, map->capacity * sizeof *map->slots);
    map->count = 0;
    for (uint32_t i = 0; i < storage->ilk_total; i++) {
        ilki_ilk* ilk = storage->ilks[i];
        ilki_map_put(map, ilk->types, ilk->type_count, ilk);
    }
}

// An ilk that has been forgotten is as one that was never founded.
static void ilk_forget(ilki_ilk* ilk) {
    ilk->host = NULL;
    ilk->is_listed = false;
    ilk->lodgers = ilk->waiting = 0;
}

void ilki_ilks_cut(ilki_storage* storage, uint32_t count) {
    for (uint32_t i = count; i < storage->ilk_count; i++) ilk_forget(storage->ilks[i]);
    storage->ilk_count = count;
    for (uint32_t i = 0; i < storage->type_count; i++) storage->types[i]->alone = NULL;
    if (storage->history) return;
    for (uint32_t i = count; i < storage->ilk_total; i++) ilk_free(storage, storage->ilks[i]);
    storage->ilk_total = count;
    if (count)
        remap_ilks(storage);
    else
        ilki_map_fini(&storage->ilks_by_set, &storage->memory);
}

void ilki_ilks_drop_tentative(ilki_storage* storage) {
    ilki_ilk** ilks = storage->ilks;
    uint32_t kept = storage->ilk_count, total = storage->ilk_total;
    for (uint32_t i = 0; i < storage->ilk_count; i++) ilks[i]->is_tentative = false;
    for (uint32_t i = kept; i < total; i++) {
        if (ilks[i]->is_tentative)
            ilk_free(storage, ilks[i]);
        else
            ilks[kept++] = ilks[i];
    }
    storage->ilk_total = kept;
    if (kept != total) remap_ilks(storage);
}

static void chunk_clear(ilki_storage* storage, ilki_chunk* chunk) {
    if (chunk->drops) {
        uint32_t row = ilki_bits_next_set(chunk->live, chunk->used, 0);
        for (; row != ILKI_NONE; row = ilki_bits_next_set(chunk->live, chunk->used, row + 1)) {
            ilki_row_strip(storage, chunk, row);
        }
    }
    chunk->alive = 0;
    ilki_chunk_free(storage, chunk);
}

void ilki_storage_clear(ilki_storage* storage) {
    ilki_look_no_more(storage, "the world was cleared");
    for (uint32_t i = storage->chunk_count; i-- > 0;) {
        if (storage->chunks[i]) chunk_clear(storage, storage->chunks[i]);
    }
    ilki_ilks_cut(storage, 0);
    ilki_chunks_trim(storage);
    storage->chunk_count = storage->set_count = 0;
    storage->settle_next = storage->settle_row = 0;
    storage->known_stirs = storage->stirs;
    storage->is_short = storage->is_waiting = storage->is_settled = false;
    ilki_guard_pass_from(&storage->target_guard, 0);
    if (storage->targets) memset(storage->targets, 0, storage->target_words * sizeof(uint64_t));
}

// Puts ilks without chunks behind all others, and forgets them. Entities of their sets, if there
// are any, lodge elsewhere.
static void drop_empty_ilks(ilki_storage* storage) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < storage->ilk_count; i++) {
        ilki_ilk* ilk = storage->ilks[i];
        if (!ilk->chunk_count) continue;
        storage->ilks[i] = storage->ilks[kept];
        storage->ilks[kept++] = ilk;
    }
    ilki_ilks_cut(storage, kept);
    storage->set_count = kept;
}

void ilki_storage_trim(ilki_storage* storage) {
    ilki_look_no_more(storage, "the world was trimmed");
    for (uint32_t i = storage->chunk_count; i-- > 0;) {
        ilki_chunk* chunk = storage->chunks[i];
        if (chunk && chunk->alive == 0) ilki_chunk_free(storage, chunk);
    }
    ilki_chunks_trim(storage);
    drop_empty_ilks(storage);
    for (uint32_t i = 0; i < storage->type_count; i++) {
        ilki_directory_trim(storage->types[i], &storage->memory);
    }
    ilki_index_trim(&storage->view.index, &storage->memory);
    ilki_pool_trim(&storage->pool);
}

bool ilki_set_insert(uint32_t* set, uint32_t* count, uint32_t type) {
    uint32_t at = *count;
    while (at > 0 && set[at - 1] > type) at--;
    if (at > 0 && set[at - 1] == type) return false;
    for (uint32_t i = (*count)++; i > at; i--) set[i] = set[i - 1];
    set[at] = type;
    return true;
}

bool ilki_ready_for_target(ilki_storage* storage, uint32_t slot) {
    return slot / 64 < storage->target_words ||
           grow(storage, &storage->targets, &storage->target_words, slot / 64 + 1,
                sizeof *storage->targets);
}

void ilki_note_new_target(ilki_storage* storage, uint32_t slot) {
    uint32_t place = ilki_record_at(&storage->view.index, slot)->place;
    ilki_guard_pass(&storage->target_guard, slot / ILKI_PAGE_TARGETS);
    ilki_bit_set(storage->targets, slot);
    if (!ilki_is_nowhere(place)) ilki_chunk_note_target(storage->chunks[ilki_chunk_of(place)]);
}

void ilki_forget_target(ilki_storage* storage, uint32_t slot) {
    ilki_guard_pass(&storage->target_guard, slot / ILKI_PAGE_TARGETS);
    ilki_bit_clear(storage->targets, slot);
}

static void free_directory(ilki_storage* storage, ilki_directory* directory) {
    ilki_free(&storage->memory, ILKI_DIRECTORIES, directory, sizeof *directory,
              _Alignof(ilki_directory));
}

void ilki_storage_fini(ilki_storage* storage) {
    ilki_storage_clear(storage);
    for (uint32_t i = 0; i < storage->type_count; i++) {
        ilki_directory_fini(storage->types[i], &storage->memory);
        free_directory(storage, storage->types[i]);
    }
    if (storage->id_capacity) {
        free_array(storage, storage->view.by_id, storage->id_capacity, sizeof *storage->view.by_id);
    }
    free_array(storage, storage->types, storage->type_capacity, sizeof *storage->types);
    free_array(storage, storage->set, storage->set_capacity, sizeof *storage->set);
    free_array(storage, storage->targets, storage->target_words, sizeof *storage->targets);
    free_array(storage, storage->chunks, storage->chunk_capacity, sizeof *storage->chunks);
    free_array(storage, storage->ilks, storage->ilk_capacity, sizeof *storage->ilks);
    ilki_index_fini(&storage->view.index, &storage->memory);
    ilki_pool_fini(&storage->pool);
}

// Makes room for a directory of a type. At first the view has a list that is not ours.
static bool ready_for_id(ilki_storage* storage, uint32_t id) {
    ilki_directory** by_id = storage->id_capacity ? storage->view.by_id : NULL;
    uint32_t count = storage->id_capacity ? storage->view.id_count : 0;
    if (!grow(storage, &by_id, &storage->id_capacity, id + 1, sizeof(ilki_directory*)))
        return false;
    while (count <= id) by_id[count++] = &ilki_no_directory;
    storage->view.by_id = by_id;
    storage->view.id_count = count;
    return true;
}

// Notes what is special about a type.
static void note_own(ilki_storage* storage, ilki_directory* directory) {
    const ilk_type* own = ilki_own_type(directory->type->name);
    if (own == &ilk_inactive_type) storage->inactive = directory;
    if (own == &ilk_dying_type) storage->dying = directory;
    if (own == &ilk_child_of_type) storage->child_of = directory;
    if (own == &ilk_name_type) storage->name = directory;
    if (own == &ilk_id_type) storage->id = directory;
    directory->is_guarded |= ilki_is_indexed(storage, directory);
    storage->has_resting |= directory == storage->inactive || directory == storage->dying;
    storage->has_outliving |= directory->type->outlives && !own;
}

// The directory of a type, which will be one of `count`. NULL without memory.
static ilki_directory* make_directory(ilki_storage* storage, ilk_type* type, uint32_t count) {
    if (!ready_for_id(storage, type->id) ||
        !grow(storage, &storage->types, &storage->type_capacity, count, sizeof *storage->types) ||
        !grow(storage, &storage->set, &storage->set_capacity, count, sizeof *storage->set)) {
        return NULL;
    }
    ilki_directory* directory = ilki_alloc_zero(&storage->memory, ILKI_DIRECTORIES,
                                                sizeof *directory, _Alignof(ilki_directory));
    if (!directory) return NULL;
    directory->size = type->size;
    directory->type = type;
    directory->is_quick = ilki_type_is_quick(type);
    directory->fallback = ilki_type_fallback(type);
    directory->is_tracked = type->track;
    directory->is_guarded = type->relation != NULL;
    return directory;
}

static void enter_directory(ilki_storage* storage, ilki_directory* directory) {
    directory->number = storage->type_count;
    storage->view.by_id[directory->type->id] = directory;
    storage->types[storage->type_count++] = directory;
    note_own(storage, directory);
}

bool ilki_brings_dying(const ilki_storage* storage, const ilk_type* type) {
    return type->outlives && !storage->dying && !ilki_own_type(type->name);
}

// Introduces a type and, right after it, the tag of the dying.
static ilk_result introduce_both(ilki_storage* storage, ilk_type* type) {
    const char* why;
    ilk_type* dying;
    ilk_result result = ilki_type_resolve(&ilk_dying_type, true, &dying, &why);
    if (result != ILK_OK) return result;
    ilki_directory* first = make_directory(storage, type, storage->type_count + 1);
    ilki_directory* second = first ? make_directory(storage, dying, storage->type_count + 2) : NULL;
    if (!second) {
        free_directory(storage, first);
        return ILK_NO_MEMORY;
    }
    enter_directory(storage, first);
    enter_directory(storage, second);
    return ILK_OK;
}

ilk_result ilki_storage_introduce(ilki_storage* storage, ilk_type* type) {
    if (ilki_brings_dying(storage, type)) return introduce_both(storage, type);
    ilki_directory* directory = make_directory(storage, type, storage->type_count + 1);
    if (!directory) return ILK_NO_MEMORY;
    enter_directory(storage, directory);
    return ILK_OK;
}
