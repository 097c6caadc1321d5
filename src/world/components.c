// Components: giving, reading, writing, taking and switching them.
#include "../component/registry.h"
#include "world.h"

typedef enum policy {
    ADD,
    SET,
    REPLACE
} policy;

// Where a component of an entity is, or would be. The block may be absent.
typedef struct spot {
    ilki_directory* directory;
    ilki_block* block;
    uint32_t place;
} spot;

// False, and no spot, if the entity is not alive or an argument is NULL.
ILKI_INLINE bool locate(const ilk_world* world, ilk_entity e, const ilk_type* type, spot* at) {
    if (ILKI_UNLIKELY(!world || !type)) return false;
    const ilki_record* record = ilki_record_of(&world->storage.index, e);
    if (ILKI_UNLIKELY(!record)) return false;
    at->place = record->place;
    at->directory = ilki_directory_of(&world->storage, type);
    at->block = ilki_block_at(at->directory, ilki_chunk_of(at->place));
    return true;
}

ILKI_INLINE bool is_there(const spot* at) {
    return ilki_block_has(at->block, ilki_row_of(at->place));
}

ILKI_INLINE void* value_of(const spot* at) {
    return ilki_value_at(at->directory, at->block, ilki_row_of(at->place));
}

// The quick way, which needs no call: a component that is there, at its natural place. Each verb
// tries it first and leaves the rest to a function of its own.
ILKI_INLINE bool locate_natural(const ilk_world* world, ilk_entity e, const ilk_type* type,
                                spot* at) {
    return locate(world, e, type, at) && ilki_block_has_natural(at->block, ilki_row_of(at->place));
}

ILKI_INLINE void* natural_of(const spot* at) {
    return ilki_natural_at(at->directory, at->block, ilki_row_of(at->place));
}

// Why a component cannot be reached.
static ilk_result why_not(const ilk_world* world, ilk_entity e, const ilk_type* type) {
    if (!world || !type) return ILK_INVALID;
    return ilki_record_of(&world->storage.index, e) ? ILK_MISSING : ILK_DEAD;
}

static ILKI_NOINLINE ilk_result fail_to_reach(ilk_world* world, ilk_entity e, ilk_type* type,
                                              const char* call) {
    bool is_dead = !ilki_record_of(&world->storage.index, e);
    if (!is_dead && ilki_refuse(world, type, call)) return world->failure.result;
    return ilki_fail(world, is_dead ? ILK_DEAD : ILK_MISSING, call, e, type);
}

// Gives a placeless entity a row among those that have this type alone. Returns where its value is
// to be filled; NULL on failure.
static void* place_alone(ilk_world* world, ilk_entity e, ilki_directory* directory,
                         const char* call) {
    ilki_storage* storage = &world->storage;
    ilki_ilk* alone = ilki_ilk_alone(storage, directory);
    ilk_result result = alone ? ilki_ready_to_arrive(storage, alone) : ILK_NO_MEMORY;
    if (result != ILK_OK) {
        ilki_fail(world, result, call, e, directory->type);
        return NULL;
    }
    uint32_t row;
    ilki_chunk* chunk = ilki_arrive(storage, alone, &row);
    chunk->entities[row] = e;
    ilki_record_at(&storage->index, e.index)->place = ilki_place(chunk->number, row);
    ilki_block* block = ilki_block_at(directory, chunk->number);
    ilki_change(storage, block);
    void* value = ilki_value_at(directory, block, row);
    ilki_expect_untouched(storage, directory, value);
    return value;
}

// Gives a placed entity a component that it lacks. Returns where the value is to be filled; NULL on
// failure.
static void* give_placed(ilk_world* world, ilk_entity e, ilki_directory* directory, uint32_t place,
                         const char* call) {
    ilki_storage* storage = &world->storage;
    ilki_chunk* chunk = storage->chunks[ilki_chunk_of(place)];
    ilki_block* block = ilki_ready_to_give(storage, chunk, directory, 1);
    if (block) return ilki_value_give(storage, directory, block, place);
    ilki_fail(world, ILK_NO_MEMORY, call, e, directory->type);
    return NULL;
}

// Gives an entity a component that it lacks, and fills it: by the default without bytes. Returns
// the value; NULL on failure.
static void* give(ilk_world* world, ilk_entity e, ilk_value given, const char* call) {
    const ilki_record* record = ilki_record_of(&world->storage.index, e);
    if (!record) {
        ilki_fail(world, ILK_DEAD, call, e, given.type);
        return NULL;
    }
    ilki_directory* directory = ilki_directory_for(world, given.type, call);
    if (!directory) return NULL;
    void* value = record->place == ILKI_NOWHERE
                      ? place_alone(world, e, directory, call)
                      : give_placed(world, e, directory, record->place, call);
    if (!value) return NULL;
    ilki_report_stale(world, call);
    ilki_value_fill(directory->type, value, given.bytes);
    return value;
}

// Puts a new value in the place of an old one. A value may be given to itself.
static void overwrite(ilki_storage* storage, const spot* at, const void* bytes) {
    void* value = value_of(at);
    ilki_change(storage, at->block);
    ilki_value_switch(storage, at->block, at->place, true);
    if (bytes == value) return;
    ilki_value_drop(at->directory->type, value);
    ilki_value_fill(at->directory->type, value, bytes);
}

static ILKI_NOINLINE ilk_result put_otherwise(ilk_world* world, ilk_entity e, ilk_value given,
                                              policy how, const char* call) {
    spot at;
    ilki_type_recall(given.type);
    if (locate(world, e, given.type, &at) && is_there(&at)) {
        if (how == ADD) return ilki_fail(world, ILK_EXISTS, call, e, given.type);
        overwrite(&world->storage, &at, given.bytes);
        return ILK_OK;
    }
    if (how == REPLACE) return fail_to_reach(world, e, given.type, call);
    return give(world, e, given, call) ? ILK_OK : world->failure.result;
}

// Whether a component can be given and taken the quick way: no hooks, no memory, not the block's
// first change in this tick, nothing switched off, and so no call.
ILKI_INLINE bool is_quick(const ilki_storage* storage, const spot* at) {
    bool is_natural = at->block->kind == ILKI_GUEST || at->block->kind == ILKI_HOME;
    return is_natural && at->directory->is_quick && !at->block->off &&
           ilki_is_fresh(storage, at->block);
}

ILKI_INLINE bool put_quickly(ilki_storage* storage, const spot* at, const void* bytes, policy how) {
    ilki_block* block = at->block;
    bool has_bytes = bytes || at->directory->size == 0;
    if (ILKI_UNLIKELY(!has_bytes || !is_quick(storage, at))) return false;
    uint32_t row = ilki_row_of(at->place);
    if (ilki_natural_has(block, row)) {
        if (how == ADD) return false;
    } else {
        if (how == REPLACE) return false;
        ilki_block_flip(block, row);
        storage->is_stirred = true;
    }
    ilki_value_move_quick(natural_of(at), bytes, at->directory->size);
    return true;
}

// A block without exceptions is left to the slow way, which makes its chunk an odd one.
ILKI_INLINE bool remove_quickly(ilki_storage* storage, const spot* at) {
    ilki_block* block = at->block;
    if (ILKI_UNLIKELY(!is_quick(storage, at) || block->count == 0)) return false;
    uint32_t row = ilki_row_of(at->place);
    if (!ilki_natural_has(block, row)) return false;
    ilki_block_flip(block, row);
    storage->is_stirred = true;
    return true;
}

static ILKI_NOINLINE ilk_result put_first(ilk_world* world, ilk_entity e, ilk_value given,
                                          const char* call) {
    return give(world, e, given, call) ? ILK_OK : world->failure.result;
}

ILKI_INLINE ilk_result put(ilk_world* world, ilk_entity e, ilk_value given, policy how,
                           const char* call) {
    spot at;
    ilk_result result = ilki_enter(world, call);
    if (ILKI_UNLIKELY(result != ILK_OK)) return result;
    if (ILKI_LIKELY(locate(world, e, given.type, &at))) {
        if (ILKI_LIKELY(put_quickly(&world->storage, &at, given.bytes, how))) return ILK_OK;
        bool is_first = at.place == ILKI_NOWHERE && at.directory != &ilki_no_directory;
        if (is_first && how != REPLACE) return put_first(world, e, given, call);
    }
    return put_otherwise(world, e, given, how, call);
}

ilk_result ilk_add(ilk_world* world, ilk_entity e, ilk_value value) {
    return put(world, e, value, ADD, "ilk_add");
}

ilk_result ilk_set(ilk_world* world, ilk_entity e, ilk_value value) {
    return put(world, e, value, SET, "ilk_set");
}

ilk_result ilk_replace(ilk_world* world, ilk_entity e, ilk_value value) {
    return put(world, e, value, REPLACE, "ilk_replace");
}

void* ilk_ensure(ilk_world* world, ilk_entity e, ilk_type* type) {
    spot at;
    if (ilki_enter(world, "ilk_ensure") != ILK_OK) return NULL;
    ilki_type_recall(type);
    if (locate(world, e, type, &at) && is_there(&at)) {
        ilki_change(&world->storage, at.block);
        return value_of(&at);
    }
    return give(world, e, (ilk_value){type, NULL}, "ilk_ensure");
}

static ILKI_NOINLINE const void* get_otherwise(const ilk_world* world, ilk_entity e, ilk_type* type,
                                               ilk_result* result) {
    spot at;
    ilki_type_recall(type);
    bool is_found = locate(world, e, type, &at) && is_there(&at);
    if (result) *result = is_found ? ILK_OK : why_not(world, e, type);
    return is_found ? value_of(&at) : NULL;
}

const void* ilk_get(const ilk_world* world, ilk_entity e, ilk_type* type, ilk_result* result) {
    spot at;
    if (ILKI_UNLIKELY(!locate_natural(world, e, type, &at))) {
        return get_otherwise(world, e, type, result);
    }
    if (result) *result = ILK_OK;
    return natural_of(&at);
}

static ILKI_NOINLINE void* write_otherwise(ilk_world* world, ilk_entity e, ilk_type* type) {
    spot at;
    ilki_type_recall(type);
    if (!locate(world, e, type, &at) || !is_there(&at)) {
        fail_to_reach(world, e, type, "ilk_write");
        return NULL;
    }
    ilki_change(&world->storage, at.block);
    return value_of(&at);
}

void* ilk_write(ilk_world* world, ilk_entity e, ilk_type* type) {
    spot at;
    if (ILKI_UNLIKELY(ilki_enter(world, "ilk_write") != ILK_OK)) return NULL;
    if (ILKI_UNLIKELY(!locate_natural(world, e, type, &at))) {
        return write_otherwise(world, e, type);
    }
    ilki_change(&world->storage, at.block);
    return natural_of(&at);
}

static ILKI_NOINLINE bool has_otherwise(const ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilki_type_recall(type) && ilk_has(world, e, type);
}

bool ilk_has(const ilk_world* world, ilk_entity e, ilk_type* type) {
    spot at;
    if (ILKI_UNLIKELY(!locate(world, e, type, &at))) return false;
    if (ILKI_UNLIKELY(at.directory == &ilki_no_directory)) return has_otherwise(world, e, type);
    if (ILKI_LIKELY(ilki_block_is_all_or_none(at.block))) return at.block->state != 0;
    return is_there(&at);
}

bool ilk_enabled(const ilk_world* world, ilk_entity e, ilk_type* type) {
    spot at;
    ilki_type_recall(type);
    return locate(world, e, type, &at) && is_there(&at) &&
           !ilki_block_is_off(at.block, ilki_row_of(at.place));
}

static ILKI_NOINLINE ilk_result remove_otherwise(ilk_world* world, ilk_entity e, ilk_type* type) {
    spot at;
    ilki_type_recall(type);
    if (!locate(world, e, type, &at) || !is_there(&at)) {
        return fail_to_reach(world, e, type, "ilk_remove");
    }
    ilki_change(&world->storage, at.block);
    ilki_value_drop(at.directory->type, value_of(&at));
    ilki_value_lose(&world->storage, at.directory, at.block, at.place);
    return ILK_OK;
}

ilk_result ilk_remove(ilk_world* world, ilk_entity e, ilk_type* type) {
    spot at;
    ilk_result result = ilki_enter(world, "ilk_remove");
    if (ILKI_UNLIKELY(result != ILK_OK)) return result;
    bool is_done = locate(world, e, type, &at) && remove_quickly(&world->storage, &at);
    return ILKI_LIKELY(is_done) ? ILK_OK : remove_otherwise(world, e, type);
}

static void remove_each(ilki_storage* storage, const ilki_chunk* chunk, uint32_t row) {
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        ilki_block* block = ilki_block_at(directory, chunk->number);
        if (!ilki_block_has(block, row)) continue;
        ilki_change(storage, block);
        ilki_value_drop(directory->type, ilki_value_at(directory, block, row));
        ilki_value_lose(storage, directory, block, ilki_place(chunk->number, row));
    }
}

ilk_result ilk_remove_all(ilk_world* world, ilk_entity e) {
    ilk_result result = ilki_enter(world, "ilk_remove_all");
    if (result != ILK_OK) return result;
    ilki_storage* storage = &world->storage;
    const ilki_record* record = ilki_record_of(&storage->index, e);
    if (!record) return ilki_fail(world, ILK_DEAD, "ilk_remove_all", e, NULL);
    if (record->place == ILKI_NOWHERE) return ILK_OK;
    remove_each(storage, storage->chunks[ilki_chunk_of(record->place)], ilki_row_of(record->place));
    return ILK_OK;
}

static ilk_result turn(ilk_world* world, ilk_entity e, ilk_type* type, bool is_on,
                       const char* call) {
    spot at;
    ilk_result result = ilki_enter(world, call);
    if (result != ILK_OK) return result;
    ilki_type_recall(type);
    if (!locate(world, e, type, &at) || !is_there(&at)) return fail_to_reach(world, e, type, call);
    ilki_value_switch(&world->storage, at.block, at.place, is_on);
    return ILK_OK;
}

ilk_result ilk_disable(ilk_world* world, ilk_entity e, ilk_type* type) {
    return turn(world, e, type, false, "ilk_disable");
}

ilk_result ilk_enable(ilk_world* world, ilk_entity e, ilk_type* type) {
    return turn(world, e, type, true, "ilk_enable");
}

// Whether a place has the value of a directory. Nowhere has none.
static bool place_has(const ilki_directory* directory, uint32_t place) {
    return ilki_block_has(ilki_block_at(directory, ilki_chunk_of(place)), ilki_row_of(place));
}

uint32_t ilk_types_of(const ilk_world* world, ilk_entity e, ilk_type** types, uint32_t capacity) {
    const ilki_record* record = world ? ilki_record_of(&world->storage.index, e) : NULL;
    if (!record) return 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->storage.type_count; i++) {
        const ilki_directory* directory = world->storage.types[i];
        if (!place_has(directory, record->place)) continue;
        if (types && count < capacity) types[count] = directory->type;
        count++;
    }
    return count;
}

size_t ilk_signature(const ilk_world* world, ilk_entity e, char* text, size_t size) {
    const ilki_record* record = world ? ilki_record_of(&world->storage.index, e) : NULL;
    uint32_t length = record ? world->storage.type_count : 0;
    if (!text) size = 0;
    for (uint32_t i = 0; i < length && i + 1 < size; i++) {
        text[i] = place_has(world->storage.types[i], record->place) ? '1' : '0';
    }
    if (size) text[length < size ? length : size - 1] = 0;
    return length;
}
