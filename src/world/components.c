// Components: giving, reading, writing, taking and switching them.
#include "../component/registry.h"
#include "world.h"

typedef enum policy { ADD, SET, REPLACE } policy;

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

// Whether giving the component may need a block or a slot.
ILKI_INLINE bool may_need_memory(const spot* at) {
    return at->block->kind == ILKI_ABSENT || at->block->kind == ILKI_SMALL;
}

// Why a component cannot be reached.
static ilk_result why_not(const ilk_world* world, ilk_entity e, const ilk_type* type) {
    if (!world || !type) return ILK_INVALID;
    return ilki_record_of(&world->storage.index, e) ? ILK_MISSING : ILK_DEAD;
}

static ILKI_NOINLINE ilk_result fail_to_reach(ilk_world* world, ilk_entity e, ilk_type* type,
                                              const char* call) {
    if (!world) return ILK_INVALID;
    bool is_dead = !ilki_record_of(&world->storage.index, e);
    if (!is_dead && ilki_refuse(world, type, call)) return world->failure.result;
    return ilki_fail(world, is_dead ? ILK_DEAD : ILK_MISSING, call, e, type);
}

ilk_result ilki_settle_down(ilk_world* world, ilki_record* record, ilk_entity e,
                            ilki_directory* directory) {
    ilki_storage* storage = &world->storage;
    if (!directory->alone) directory->alone = ilki_ilk_of(storage, &directory->number, 1);
    if (!directory->alone) return ILK_NO_MEMORY;
    ilk_result result = ilki_ready_to_arrive(storage, directory->alone);
    if (result != ILK_OK) return result;
    uint32_t row;
    ilki_chunk* chunk = ilki_arrive(storage, directory->alone, &row);
    chunk->entities[row] = e;
    record->place = ilki_place(chunk->number, row);
    ilki_block* block = ilki_block_at(directory, chunk->number);
    ilki_change(storage, block);
    ilki_expect_untouched(storage, directory, ilki_value_at(directory, block, row));
    return ILK_OK;
}

// Gives an entity a component that it lacks where that may need memory: as its first, which gives
// it a place, or as a guest. Returns where the value is to be filled; NULL on failure.
static ILKI_NOINLINE void* give_first(ilk_world* world, ilk_entity e, ilk_type* type,
                                      const char* call) {
    if (ilki_enter(world, call) != ILK_OK) return NULL;
    ilki_storage* storage = &world->storage;
    ilki_record* record = ilki_record_of(&storage->index, e);
    ilki_directory* directory = record ? ilki_directory_for(world, type, call) : NULL;
    if (!directory) {
        if (!record) ilki_fail(world, ILK_DEAD, call, e, type);
        return NULL;
    }
    ilk_result result = ILK_OK;
    ilki_block* block = NULL;
    if (record->place == ILKI_NOWHERE) {
        result = ilki_settle_down(world, record, e, directory);
        block = ilki_block_at(directory, ilki_chunk_of(record->place));
    } else {
        ilki_chunk* chunk = storage->chunks[ilki_chunk_of(record->place)];
        block = ilki_ready_to_give(storage, chunk, directory, 1);
        if (block) ilki_value_give(storage, directory, block, record->place);
        else result = ILK_NO_MEMORY;
    }
    if (result != ILK_OK) {
        ilki_fail(world, result, call, e, type);
        return NULL;
    }
    ilki_report_stale(world, call);
    return ilki_value_at(directory, block, ilki_row_of(record->place));
}

static ILKI_NOINLINE ilk_result put_first(ilk_world* world, ilk_entity e, ilk_value given,
                                          policy how) {
    static const char* const calls[] = {"ilk_add", "ilk_set", "ilk_replace"};
    if (ilki_type_recall(given.type)) {
        return how == ADD ? ilk_add(world, e, given)
               : how == SET ? ilk_set(world, e, given)
                            : ilk_replace(world, e, given);
    }
    if (!world) return ILK_INVALID;
    if (how == REPLACE) return fail_to_reach(world, e, given.type, calls[how]);
    void* value = give_first(world, e, given.type, calls[how]);
    if (!value) return world->failure.result;
    ilki_value_fill(ilki_directory_of(&world->storage, given.type)->type, value, given.bytes);
    return ILK_OK;
}

// Puts a new value in the place of an old one. A value may be given to itself.
ILKI_INLINE void overwrite(ilki_storage* storage, const spot* at, const void* bytes) {
    void* value = value_of(at);
    ilki_change(storage, at->block);
    if (ILKI_UNLIKELY(at->block->off)) {
        ilki_value_switch(storage, at->block, at->place, true);
    }
    if (ILKI_UNLIKELY(bytes == value)) return;
    ilki_value_drop(at->directory->type, value);
    ilki_value_fill(at->directory->type, value, bytes);
}

ILKI_INLINE ilk_result put(ilk_world* world, ilk_entity e, ilk_value given, policy how,
                           const char* call) {
    spot at;
    ilk_result result = ilki_enter(world, call);
    if (ILKI_UNLIKELY(result != ILK_OK)) return result;
    if (ILKI_UNLIKELY(!locate(world, e, given.type, &at))) return put_first(world, e, given, how);
    if (is_there(&at)) {
        if (how == ADD) return ilki_fail(world, ILK_EXISTS, call, e, given.type);
        overwrite(&world->storage, &at, given.bytes);
        return ILK_OK;
    }
    if (ILKI_UNLIKELY(how == REPLACE || may_need_memory(&at))) {
        return put_first(world, e, given, how);
    }
    void* value = ilki_value_give(&world->storage, at.directory, at.block, at.place);
    ilki_report_stale(world, call);
    ilki_value_fill(at.directory->type, value, given.bytes);
    return ILK_OK;
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
    bool is_alive = locate(world, e, type, &at);
    if (is_alive && is_there(&at)) {
        ilki_change(&world->storage, at.block);
        return value_of(&at);
    }
    void* value = is_alive && !may_need_memory(&at)
                      ? ilki_value_give(&world->storage, at.directory, at.block, at.place)
                      : give_first(world, e, type, "ilk_ensure");
    if (!value) return NULL;
    ilki_report_stale(world, "ilk_ensure");
    ilki_values_default(ilki_directory_of(&world->storage, type)->type, value, 1);
    return value;
}

static ILKI_NOINLINE const void* get_nothing(const ilk_world* world, ilk_entity e, ilk_type* type,
                                             ilk_result* result) {
    if (ilki_type_recall(type)) return ilk_get(world, e, type, result);
    if (result) *result = why_not(world, e, type);
    return NULL;
}

const void* ilk_get(const ilk_world* world, ilk_entity e, ilk_type* type, ilk_result* result) {
    spot at;
    if (ILKI_UNLIKELY(!locate(world, e, type, &at) || !is_there(&at))) {
        return get_nothing(world, e, type, result);
    }
    if (result) *result = ILK_OK;
    return value_of(&at);
}

static ILKI_NOINLINE void* write_nothing(ilk_world* world, ilk_entity e, ilk_type* type) {
    if (ilki_type_recall(type)) return ilk_write(world, e, type);
    fail_to_reach(world, e, type, "ilk_write");
    return NULL;
}

void* ilk_write(ilk_world* world, ilk_entity e, ilk_type* type) {
    spot at;
    if (ILKI_UNLIKELY(ilki_enter(world, "ilk_write") != ILK_OK)) return NULL;
    if (ILKI_UNLIKELY(!locate(world, e, type, &at) || !is_there(&at))) {
        return write_nothing(world, e, type);
    }
    ilki_change(&world->storage, at.block);
    return value_of(&at);
}

bool ilk_has(const ilk_world* world, ilk_entity e, ilk_type* type) {
    spot at;
    if (ILKI_UNLIKELY(!locate(world, e, type, &at))) return false;
    if (is_there(&at)) return true;
    return ILKI_UNLIKELY(at.directory == &ilki_no_directory) && ilki_type_recall(type) &&
           ilk_has(world, e, type);
}

bool ilk_enabled(const ilk_world* world, ilk_entity e, ilk_type* type) {
    spot at;
    if (!locate(world, e, type, &at)) return false;
    if (is_there(&at)) return !ilki_block_is_off(at.block, ilki_row_of(at.place));
    return ilki_type_recall(type) && ilk_enabled(world, e, type);
}

static ILKI_NOINLINE ilk_result remove_nothing(ilk_world* world, ilk_entity e, ilk_type* type) {
    if (ilki_type_recall(type)) return ilk_remove(world, e, type);
    return fail_to_reach(world, e, type, "ilk_remove");
}

ilk_result ilk_remove(ilk_world* world, ilk_entity e, ilk_type* type) {
    spot at;
    ilk_result result = ilki_enter(world, "ilk_remove");
    if (ILKI_UNLIKELY(result != ILK_OK)) return result;
    if (ILKI_UNLIKELY(!locate(world, e, type, &at) || !is_there(&at))) {
        return remove_nothing(world, e, type);
    }
    ilki_value_drop(at.directory->type, value_of(&at));
    ilki_value_lose(&world->storage, at.directory, at.block, at.place);
    return ILK_OK;
}

static void remove_each(ilki_storage* storage, const ilki_chunk* chunk, uint32_t row) {
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        ilki_block* block = ilki_block_at(directory, chunk->number);
        if (!ilki_block_has(block, row)) continue;
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
    if (!locate(world, e, type, &at) || !is_there(&at)) {
        if (ilki_type_recall(type)) return turn(world, e, type, is_on, call);
        return fail_to_reach(world, e, type, call);
    }
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
