// Components: giving, reading, writing, taking and switching them.
#include "../component/registry.h"
#include "world.h"

typedef enum policy {
    ADD,
    SET,
    REPLACE
} policy;

// False, and no spot, if the entity is not alive or an argument is NULL.
ILKI_INLINE bool locate(const ilk_world* world, ilk_entity e, const ilk_type* type, ilki_spot* at) {
    if (ILKI_UNLIKELY(!world || !type)) return false;
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    if (ILKI_UNLIKELY(!record)) return false;
    at->place = record->place;
    at->directory = ilki_directory_of(&world->storage.view, type);
    at->block = ilki_block_at(at->directory, ilki_chunk_of(at->place));
    return true;
}

ILKI_INLINE bool is_there(const ilki_spot* at) {
    return ilki_block_has(at->block, ilki_row_of(at->place));
}

ILKI_INLINE void* value_of(const ilki_spot* at) {
    return ilki_value_at(at->directory, at->block, ilki_row_of(at->place));
}

// Notes that a value changes.
ILKI_INLINE void mark(ilki_storage* storage, const ilki_spot* at) {
    ilki_mark(storage, at->directory, at->block, at->place, false);
}

// Why a component cannot be reached.
ilk_result ilki_why_not(const ilk_world* world, uint32_t index, uint32_t generation,
                        const ilk_type* type) {
    ilk_entity e = {index, generation};
    if (!world || !type) return ILK_INVALID;
    return ilki_record_of(&world->storage.view.index, e) ? ILK_MISSING : ILK_DEAD;
}

static ILKI_NOINLINE ilk_result fail_to_reach(ilk_world* world, ilk_entity e, ilk_type* type,
                                              const char* call) {
    bool is_dead = !ilki_record_of(&world->storage.view.index, e);
    if (!is_dead && ilki_refuse(world, type, call)) return ilki_last_result(world);
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
    ilki_record_at(&storage->view.index, e.index)->place = ilki_place(chunk->number, row);
    ilki_block* block = ilki_block_at(directory, chunk->number);
    ilki_mark(storage, directory, block, ilki_place(chunk->number, row), true);
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
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    if (!record) {
        ilki_fail(world, ILK_DEAD, call, e, given.type);
        return NULL;
    }
    ilki_directory* directory = ilki_directory_for(world, given.type, call);
    if (!directory) return NULL;
    void* value = ilki_is_nowhere(record->place)
                      ? place_alone(world, e, directory, call)
                      : give_placed(world, e, directory, record->place, call);
    if (!value) return NULL;
    ilki_report_stale(world, call);
    ilki_value_fill(directory->type, value, given.bytes);
    return value;
}

// Puts a new value in the place of an old one. A value may be given to itself.
static void overwrite(ilki_storage* storage, const ilki_spot* at, const void* bytes) {
    void* value = value_of(at);
    mark(storage, at);
    ilki_value_switch(storage, at->directory, at->block, at->place, true);
    if (bytes == value) return;
    ilki_value_drop(at->directory->type, value);
    ilki_value_fill(at->directory->type, value, bytes);
}

// Whether a component can be given and taken the quick way: no hooks, no memory, not the block's
// first change in this tick, nothing switched off, and so no call.
ILKI_INLINE bool is_quick(const ilki_storage* storage, const ilki_block* block) {
    return ilki_block_is_handy(block) && ILKI_LIKELY(block->changed == storage->view.fresh);
}

// The presence bits of a row's word, and the row's own among them.
typedef struct row_bit {
    uint64_t* word;
    uint64_t bit;
} row_bit;

ILKI_INLINE row_bit bit_of(const ilki_spot* at) {
    uint32_t row = ilki_row_of(at->place);
    return (row_bit){ilki_presence(at->block, row / 64), (uint64_t)1 << (row % 64)};
}

// Whether the row has the value, at its natural place.
ILKI_INLINE bool has_natural(const ilki_spot* at, row_bit of) {
    return !(*of.word & of.bit) == (at->block->kind == ILKI_HOME);
}

// Sets or clears the bit of a row that gains (1) or loses (-1) a value.
ILKI_INLINE void flip(ilki_storage* storage, const ilki_spot* at, row_bit of, int gain) {
    *of.word ^= of.bit;
    int step = at->block->kind == ILKI_HOME ? -gain : gain;
    at->block->count = (uint16_t)(at->block->count + step);
    storage->stirs++;
}

ILKI_INLINE bool put_quickly(ilki_storage* storage, const ilki_spot* at, const void* bytes,
                             policy how) {
    bool has_bytes = bytes || at->directory->size == 0;
    if (ILKI_UNLIKELY(!has_bytes || !is_quick(storage, at->block))) return false;
    row_bit of = bit_of(at);
    bool is_there = has_natural(at, of);
    if (ILKI_UNLIKELY(is_there ? how == ADD : how == REPLACE)) return false;
    if (!is_there) flip(storage, at, of, 1);
    size_t size = at->directory->size;
    ilki_value_move_quick(ilki_natural_of(at, size), bytes, size);
    return true;
}

// A block without exceptions is left to the slow way, which makes its chunk an odd one.
ILKI_INLINE bool remove_quickly(ilki_storage* storage, const ilki_spot* at) {
    if (ILKI_UNLIKELY(at->block->count == 0 || !is_quick(storage, at->block))) return false;
    row_bit of = bit_of(at);
    if (ILKI_UNLIKELY(!has_natural(at, of))) return false;
    flip(storage, at, of, -1);
    return true;
}

static ILKI_NOINLINE ilk_result put_otherwise(ilk_world* world, ilk_entity e, ilk_type* type,
                                              const void* bytes, policy how) {
    static const char* const calls[] = {"ilk_add", "ilk_set", "ilk_replace"};
    ilki_spot at;
    ilk_result result = ilki_enter(world, calls[how]);
    if (result != ILK_OK) return result;
    ilki_type_recall(type);
    if (locate(world, e, type, &at) && is_there(&at)) {
        if (how == ADD) return ilki_fail(world, ILK_EXISTS, calls[how], e, type);
        overwrite(&world->storage, &at, bytes);
        return ILK_OK;
    }
    if (how == REPLACE) return fail_to_reach(world, e, type, calls[how]);
    bool is_given = give(world, e, (ilk_value){type, bytes}, calls[how]) != NULL;
    return is_given ? ILK_OK : ilki_last_result(world);
}

ILKI_INLINE ilk_result put(ilk_world* world, ilk_entity e, ilk_type* type, const void* bytes,
                           policy how) {
    ilki_spot at;
    bool is_done = locate(world, e, type, &at) && put_quickly(&world->storage, &at, bytes, how);
    if (ILKI_LIKELY(is_done)) return ILK_OK;
    return put_otherwise(world, e, type, bytes, how);
}

ilk_result ilk_add(ilk_world* world, ilk_entity e, ilk_value value) {
    return put(world, e, value.type, value.bytes, ADD);
}

ilk_result ilk_set(ilk_world* world, ilk_entity e, ilk_value value) {
    return put(world, e, value.type, value.bytes, SET);
}

ilk_result ilk_replace(ilk_world* world, ilk_entity e, ilk_value value) {
    return put(world, e, value.type, value.bytes, REPLACE);
}

void* ilk_ensure(ilk_world* world, ilk_entity e, ilk_type* type) {
    ilki_spot at;
    if (ilki_enter(world, "ilk_ensure") != ILK_OK) return NULL;
    ilki_type_recall(type);
    if (locate(world, e, type, &at) && is_there(&at)) {
        mark(&world->storage, &at);
        return value_of(&at);
    }
    return give(world, e, (ilk_value){type, NULL}, "ilk_ensure");
}

const void* ilki_get_otherwise(const ilk_world* world, uint32_t index, uint32_t generation,
                               ilk_type* type) {
    ilk_entity e = {index, generation};
    ilki_spot at;
    ilki_type_recall(type);
    return locate(world, e, type, &at) && is_there(&at) ? value_of(&at) : NULL;
}

void* ilki_write_otherwise(ilk_world* world, uint32_t index, uint32_t generation, ilk_type* type) {
    ilk_entity e = {index, generation};
    ilki_spot at;
    if (ilki_enter(world, "ilk_write") != ILK_OK) return NULL;
    ilki_type_recall(type);
    if (!locate(world, e, type, &at) || !is_there(&at)) {
        fail_to_reach(world, e, type, "ilk_write");
        return NULL;
    }
    mark(&world->storage, &at);
    return value_of(&at);
}

bool ilki_has_otherwise(const ilk_world* world, uint32_t index, uint32_t generation,
                        ilk_type* type) {
    ilk_entity e = {index, generation};
    ilki_spot at;
    ilki_type_recall(type);
    return locate(world, e, type, &at) && is_there(&at);
}

const void* ilk_get(const ilk_world* world, ilk_entity e, ilk_type* type, ilk_result* result) {
    if (world && !ilki_may_use(world, type, false, "ilk_get")) {
        if (result) *result = ILK_INVALID;
        return NULL;
    }
    return ilki_get(world, e, type, result);
}

void* ilk_write(ilk_world* world, ilk_entity e, ilk_type* type) {
#ifdef ILK_CHECKED
    return ilki_write_otherwise(world, e.index, e.generation, type);
#else
    return ilki_write(world, e, type);
#endif
}

bool ilk_has(const ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilki_has(world, e, type);
}

bool ilk_enabled(const ilk_world* world, ilk_entity e, ilk_type* type) {
    ilki_spot at;
    ilki_type_recall(type);
    return locate(world, e, type, &at) && is_there(&at) &&
           !ilki_block_is_off(at.block, ilki_row_of(at.place));
}

static ILKI_NOINLINE ilk_result remove_otherwise(ilk_world* world, ilk_entity e, ilk_type* type) {
    ilki_spot at;
    ilk_result result = ilki_enter(world, "ilk_remove");
    if (result != ILK_OK) return result;
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
    ilki_spot at;
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
    const ilki_record* record = ilki_record_of(&storage->view.index, e);
    if (!record) return ilki_fail(world, ILK_DEAD, "ilk_remove_all", e, NULL);
    if (ilki_is_nowhere(record->place)) return ILK_OK;
    remove_each(storage, storage->chunks[ilki_chunk_of(record->place)], ilki_row_of(record->place));
    return ILK_OK;
}

static ilk_result turn(ilk_world* world, ilk_entity e, ilk_type* type, bool is_on,
                       const char* call) {
    ilki_spot at;
    ilk_result result = ilki_enter(world, call);
    if (result != ILK_OK) return result;
    ilki_type_recall(type);
    if (!locate(world, e, type, &at) || !is_there(&at)) return fail_to_reach(world, e, type, call);
    ilki_value_switch(&world->storage, at.directory, at.block, at.place, is_on);
    return ILK_OK;
}

ilk_result ilk_mark(ilk_world* world, ilk_entity e, ilk_type* type) {
    ilki_spot at;
    ilk_result result = ilki_enter(world, "ilk_mark");
    if (result != ILK_OK) return result;
    ilki_type_recall(type);
    if (!locate(world, e, type, &at) || !is_there(&at)) {
        return fail_to_reach(world, e, type, "ilk_mark");
    }
    mark(&world->storage, &at);
    return ILK_OK;
}

ilk_result ilk_disable(ilk_world* world, ilk_entity e, ilk_type* type) {
    return turn(world, e, type, false, "ilk_disable");
}

ilk_result ilk_enable(ilk_world* world, ilk_entity e, ilk_type* type) {
    return turn(world, e, type, true, "ilk_enable");
}

uint32_t ilk_types_of(const ilk_world* world, ilk_entity e, ilk_type** types, uint32_t capacity) {
    const ilki_record* record = world ? ilki_record_of(&world->storage.view.index, e) : NULL;
    if (!record) return 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->storage.type_count; i++) {
        const ilki_directory* directory = world->storage.types[i];
        if (!ilki_place_has(&world->storage, directory->type, record->place)) continue;
        if (types && count < capacity) types[count] = directory->type;
        count++;
    }
    return count;
}

size_t ilk_signature(const ilk_world* world, ilk_entity e, char* text, size_t size) {
    const ilki_record* record = world ? ilki_record_of(&world->storage.view.index, e) : NULL;
    uint32_t length = record ? world->storage.type_count : 0;
    if (!text) size = 0;
    for (uint32_t i = 0; i < length && i + 1 < size; i++) {
        text[i] = ilki_place_has(&world->storage, world->storage.types[i]->type, record->place)
                      ? '1'
                      : '0';
    }
    if (size) text[length < size ? length : size - 1] = 0;
    return length;
}
