// Components: giving, reading, writing, taking and switching them.
#include "../component/registry.h"
#include "world.h"

// Where a type has its entry for a place. False, and no spot, if there is none, and so no value.
ILKI_INLINE bool locate_in(const ilki_view* view, uint32_t place, const ilk_type* type,
                           ilki_spot* at) {
    at->place = place;
    at->directory = ilki_directory_of(view, type);
    if (ILKI_UNLIKELY(ilki_chunk_of(place) >= at->directory->bound)) return false;
    at->block = &at->directory->blocks[ilki_chunk_of(place)];
    return true;
}

// The same for an entity. False also if it is not alive or an argument is NULL.
ILKI_INLINE bool locate(const ilk_world* world, ilk_entity e, const ilk_type* type, ilki_spot* at) {
    if (ILKI_UNLIKELY(!world || !type)) return false;
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    return ILKI_LIKELY(record != NULL) && locate_in(&world->storage.view, record->place, type, at);
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

// Whether a type is a relation, be it known yet or not.
static bool is_relation(const ilk_world* world, const ilk_type* type) {
    return type && (type->relation || ilki_directory_of(&world->storage.view, type)->relation);
}

// Why a component cannot be reached.
ilk_result ilki_why_not(const ilk_world* world, uint32_t index, uint32_t generation,
                        const ilk_type* type) {
    ilk_entity e = {index, generation};
    if (!world || !type) return ILK_INVALID;
    if (!ilki_record_of(&world->storage.view.index, e)) return ILK_DEAD;
    ilk_result result = world->shown ? ilki_why_not_shown(world, type) : ILK_OK;
    return result == ILK_OK ? ILK_MISSING : result;
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
    ilki_record_edit(&storage->view.index, e.index)->place = ilki_place(chunk->number, row);
    if (ilki_is_target(storage, e.index)) ilki_chunk_note_target(chunk);
    ilki_block* block = ilki_block_at(directory, chunk->number);
    ilki_mark(storage, directory, block, ilki_place(chunk->number, row), true);
    if (chunk->ilk == alone) chunk->fresh = storage->view.tick;
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

// False, and the failure is noted, for an entity that is dying, and for what nobody can be given.
static bool may_be_given(ilk_world* world, ilk_entity e, uint32_t place,
                         const ilki_directory* directory, const char* call) {
    if (!ilki_is_dying(&world->storage, place)) return ilki_may_give(world, directory, call);
    ilki_fail(world, ILK_DEAD, call, e, directory->type);
    return false;
}

void* ilki_give(ilk_world* world, ilk_entity e, ilk_value given, const char* call) {
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    if (!record) {
        ilki_fail(world, ILK_DEAD, call, e, given.type);
        return NULL;
    }
    ilki_directory* directory = ilki_directory_for(world, given.type, call);
    if (!directory) return NULL;
    if (!may_be_given(world, e, record->place, directory, call)) return NULL;
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

// The quick way to give and take a component goes as far as there are no hooks, no memory is
// needed, nothing is switched off and it is not the block's first change in this tick: no calls.
ILKI_INLINE bool is_quick(const ilki_storage* storage, const ilki_block* block) {
    return ilki_block_is_handy(block) && ILKI_LIKELY(block->changed == storage->view.fresh);
}

// Whether the row has the value. Kinds are such that the presence bit and the lowest bit of the
// kind differ if it has.
_Static_assert(ILKI_HOME == 1 && ILKI_GUEST == 2, "two kinds, one odd");
ILKI_INLINE bool has_quickly(const ilki_spot* at) {
    uint32_t row = ilki_row_of(at->place);
    return (*ilki_presence(at->block, row / 64) >> (row % 64) ^ at->block->kind) & 1;
}

// Flips the presence bit of a row that gains (1) or loses (-1) the value. At home, a bit that is
// set counts for a value less.
ILKI_INLINE void flip_quickly(ilki_storage* storage, const ilki_spot* at, int gain) {
    uint32_t row = ilki_row_of(at->place);
    *ilki_presence(at->block, row / 64) ^= (uint64_t)1 << (row % 64);
    ilki_block_count_by(at->block, gain * (2 * at->block->kind - 3));
    storage->stirs++;
}

// What the quick way came to.
typedef enum outcome_of_put {
    DONE,
    PLACELESS, // the entity has no place, or its chunk is not in the type's directory
    REFUSED
} outcome_of_put;

ILKI_INLINE outcome_of_put put_quickly(ilk_world* world, ilk_entity e, const ilk_type* type,
                                       const void* bytes, ilki_policy how) {
    ilki_spot at;
    if (ILKI_UNLIKELY(!world || !type)) return REFUSED;
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    if (ILKI_UNLIKELY(!record)) return REFUSED;
    if (ILKI_UNLIKELY(!locate_in(&world->storage.view, record->place, type, &at))) return PLACELESS;
    if (ILKI_UNLIKELY(!is_quick(&world->storage, at.block))) return REFUSED;
    if (ILKI_UNLIKELY(!bytes) && !(bytes = at.directory->fallback)) return REFUSED;
    bool is_there = has_quickly(&at);
    if (ILKI_UNLIKELY(is_there ? how == ILKI_ADD : how == ILKI_REPLACE)) return REFUSED;
    if (!is_there) flip_quickly(&world->storage, &at, 1);
    size_t size = at.directory->size;
    ilki_value_move_quick(ilki_natural_of(&at, size), bytes, size);
    return DONE;
}

// Gives a placeless entity its first component, where it is as quick as that.
ILKI_INLINE bool place_quickly(ilki_storage* storage, ilk_entity e, ilk_value value) {
    const ilki_record* record = ilki_record_of(&storage->view.index, e);
    if (!record || !ilki_is_nowhere(record->place)) return false;
    if (ilki_is_target(storage, e.index)) return false;
    const ilki_directory* directory = ilki_directory_of(&storage->view, value.type);
    ilki_chunk* chunk = directory->alone ? directory->alone->door : NULL;
    if (!chunk || chunk->fresh != storage->view.fresh || storage->looking.count) return false;
    const void* bytes = value.bytes ? value.bytes : directory->fallback;
    if (!directory->is_quick || !bytes) return false;
    uint32_t row = ilki_row_free(chunk);
    const ilki_block* block = &directory->blocks[chunk->number];
    ilki_value_move_quick(ilki_natural_at(directory, block, row), bytes, directory->size);
    ilki_record_edit(&storage->view.index, e.index)->place = ilki_place(chunk->number, row);
    chunk->entities[row] = e;
    ilki_row_enter(storage, chunk, row);
    return true;
}

// Gives a component to an entity that lacks it, and tells whoever observes it.
static ilk_result give_observed(ilk_world* world, ilki_directory* directory, ilk_entity e,
                                ilk_value given, const char* call) {
    ilki_frame frame;
    if (!ilki_frame_begin_one(&frame, world, directory, e, ILK_REASON_CHANGE, call)) {
        return ilki_last_result(world);
    }
    bool is_given = ilki_frame_before(&frame) && ilki_give(world, e, given, call);
    ilk_result result = is_given ? ILK_OK : ilki_last_result(world);
    if (is_given) ilki_tell_change(&frame, ILK_ON_ADD, NULL);
    ilki_frame_end(&frame);
    return result;
}

ilk_result ilki_add_as(ilk_world* world, ilk_entity e, ilk_value value, const char* call) {
    if (ILKI_UNLIKELY(world->observers && ilki_alive(world, e))) {
        ilki_directory* directory = ilki_directory_for(world, value.type, call);
        if (!directory) return ilki_last_result(world);
        if (ilki_is_watched(world, directory, ILK_ON_ADD)) {
            return give_observed(world, directory, e, value, call);
        }
    }
    return ilki_give(world, e, value, call) ? ILK_OK : ilki_last_result(world);
}

// Overwrites, and tells whoever observes it, who finds the old value in `old`.
static void overwrite_and_tell(ilki_frame* frame, const ilki_spot* at, const void* bytes,
                               void* old) {
    ilki_storage* storage = &frame->world->storage;
    const ilk_type* type = at->directory->type;
    void* value = value_of(at);
    bool was_off = ilki_block_is_off(at->block, ilki_row_of(at->place));
    mark(storage, at);
    ilki_value_switch(storage, at->directory, at->block, at->place, true);
    ilki_value_move(old, value, type->size);
    if (bytes != value) ilki_value_fill(type, value, bytes);
    ilki_tell_change(frame, was_off ? ILK_ON_SET | ILK_ON_ENABLE : ILK_ON_SET, old);
    if (bytes != value) ilki_value_drop(type, old);
}

#define OLD_SIZE 256u // values up to this size need no memory to be kept for a moment

static ilk_result overwrite_observed(ilk_world* world, ilk_entity e, const ilki_spot* at,
                                     const void* bytes, const char* call) {
    ilki_frame frame;
    ilki_memory* memory = &world->storage.memory;
    const ilk_type* type = at->directory->type;
    _Alignas(max_align_t) unsigned char near[OLD_SIZE];
    bool is_near = type->size <= sizeof near && type->align <= _Alignof(max_align_t);
    void* old = is_near ? near : ilki_alloc(memory, ILKI_OTHER, type->size, type->align);
    if (!old) return ilki_fail(world, ILK_NO_MEMORY, call, e, type);
    bool is_begun = ilki_frame_begin_one(&frame, world, at->directory, e, ILK_REASON_CHANGE, call);
    bool is_ready = is_begun && ilki_frame_before(&frame);
    if (is_ready) overwrite_and_tell(&frame, at, bytes, old);
    if (is_begun) ilki_frame_end(&frame);
    if (!is_near) ilki_free(memory, ILKI_OTHER, old, type->size, type->align);
    return is_ready ? ILK_OK : ilki_last_result(world);
}

static ILKI_NOINLINE ilk_result put_slowly(ilk_world* world, ilk_entity e, ilk_value value,
                                           ilki_policy how) {
    static const char* const calls[] = {"ilk_add", "ilk_set", "ilk_replace"};
    ilki_spot at;
    ilk_result result = ilki_enter_for(world, e, value.type, calls[how]);
    if (result != ILK_OK) return result;
    ilki_type_recall(value.type);
    if (ilki_refuse_indexed(world, value.type, calls[how])) return ILK_INVALID;
    if (is_relation(world, value.type)) {
        return ilki_relate_as(world, e, value, NULL, how, calls[how]);
    }
    if (locate(world, e, value.type, &at) && is_there(&at)) {
        if (how == ILKI_ADD) return ilki_fail(world, ILK_EXISTS, calls[how], e, value.type);
        if (ilki_is_watched(world, at.directory, ILK_ON_SET | ILK_ON_ENABLE)) {
            return overwrite_observed(world, e, &at, value.bytes, calls[how]);
        }
        overwrite(&world->storage, &at, value.bytes);
        return ILK_OK;
    }
    if (how == ILKI_REPLACE) return fail_to_reach(world, e, value.type, calls[how]);
    return ilki_add_as(world, e, value, calls[how]);
}

static ILKI_NOINLINE ilk_result put_first(ilk_world* world, ilk_entity e, ilk_value value,
                                          ilki_policy how) {
    bool is_done = how != ILKI_REPLACE && place_quickly(&world->storage, e, value);
    return ILKI_LIKELY(is_done) ? ILK_OK : put_slowly(world, e, value, how);
}

// (Written out, and not one function for all three, because gcc passes the handle through memory
// where it goes from one inlined function into another.)
ilk_result ilk_add(ilk_world* world, ilk_entity e, ilk_value value) {
    outcome_of_put outcome = put_quickly(world, e, value.type, value.bytes, ILKI_ADD);
    if (ILKI_LIKELY(outcome == DONE)) return ILK_OK;
    return outcome == PLACELESS ? put_first(world, e, value, ILKI_ADD)
                                : put_slowly(world, e, value, ILKI_ADD);
}

ilk_result ilk_set(ilk_world* world, ilk_entity e, ilk_value value) {
    outcome_of_put outcome = put_quickly(world, e, value.type, value.bytes, ILKI_SET);
    if (ILKI_LIKELY(outcome == DONE)) return ILK_OK;
    return outcome == PLACELESS ? put_first(world, e, value, ILKI_SET)
                                : put_slowly(world, e, value, ILKI_SET);
}

ilk_result ilk_replace(ilk_world* world, ilk_entity e, ilk_value value) {
    outcome_of_put outcome = put_quickly(world, e, value.type, value.bytes, ILKI_REPLACE);
    return ILKI_LIKELY(outcome == DONE) ? ILK_OK : put_slowly(world, e, value, ILKI_REPLACE);
}

void* ilk_ensure(ilk_world* world, ilk_entity e, ilk_type* type) {
    ilki_spot at;
    if (ilki_enter_for(world, e, type, "ilk_ensure") != ILK_OK) return NULL;
    ilki_type_recall(type);
    if (ilki_refuse_indexed(world, type, "ilk_ensure")) return NULL;
    if (is_relation(world, type)) {
        ilki_refuse_relation(world, type, "ilk_ensure");
        return NULL;
    }
    if (locate(world, e, type, &at) && is_there(&at)) {
        mark(&world->storage, &at);
        return value_of(&at);
    }
    if (!world->observers) return ilki_give(world, e, (ilk_value){type, NULL}, "ilk_ensure");
    if (ilki_add_as(world, e, (ilk_value){type, NULL}, "ilk_ensure") != ILK_OK) return NULL;
    if (locate(world, e, type, &at) && is_there(&at)) return value_of(&at);
    bool is_alive = ilki_alive(world, e);
    ilki_fail_for(world, is_alive ? ILK_MISSING : ILK_DEAD, "ilk_ensure", e, type,
                  "an observer %s as soon as it was there",
                  is_alive ? "took it away" : "destroyed the entity");
    return NULL;
}

ilk_result ilki_add_quietly(ilk_world* world, ilk_entity e, ilk_value value, const char* call) {
    ilki_spot at;
    bool is_there_already = locate(world, e, value.type, &at) && is_there(&at);
    if (is_there_already) return ilki_fail(world, ILK_EXISTS, call, e, value.type);
    return ilki_give(world, e, value, call) ? ILK_OK : ilki_last_result(world);
}

const void* ilki_get_otherwise(const ilk_world* world, uint32_t index, uint32_t generation,
                               ilk_type* type) {
    ilk_entity e = {index, generation};
    ilki_spot at;
    ilki_type_recall(type);
    if (ilki_show(world, type, "ilk_get") != ILK_OK) return NULL;
    return locate(world, e, type, &at) && is_there(&at) ? value_of(&at) : NULL;
}

void* ilki_edit_otherwise(ilk_world* world, uint32_t index, uint32_t generation, ilk_type* type) {
    ilk_entity e = {index, generation};
    ilki_spot at;
    if (ilki_enter_to_write(world, e, type, "ilk_edit") != ILK_OK) return NULL;
    ilki_type_recall(type);
    if (is_relation(world, type)) {
        ilki_refuse_relation(world, type, "ilk_edit");
        return NULL;
    }
    if (!locate(world, e, type, &at) || !is_there(&at)) {
        fail_to_reach(world, e, type, "ilk_edit");
        return NULL;
    }
    if (ilki_refuse_indexed(world, type, "ilk_edit")) return NULL;
    mark(&world->storage, &at);
    return value_of(&at);
}

bool ilki_has_otherwise(const ilk_world* world, uint32_t index, uint32_t generation,
                        ilk_type* type) {
    ilk_entity e = {index, generation};
    ilki_spot at;
    ilki_type_recall(type);
    if (ilki_show(world, type, "ilk_has") != ILK_OK) return false;
    return locate(world, e, type, &at) && is_there(&at);
}

const void* ilk_get(const ilk_world* world, ilk_entity e, ilk_type* type, ilk_result* result) {
    if (world && !ilki_may_use(world, type, false, "ilk_get")) {
        if (result) *result = ILK_INVALID;
        return NULL;
    }
    return ilki_get(world, e, type, result);
}

void* ilk_edit(ilk_world* world, ilk_entity e, ilk_type* type) {
#ifdef ILK_CHECKED
    return ilki_edit_otherwise(world, e.index, e.generation, type);
#else
    return ilki_edit(world, e, type);
#endif
}

bool ilk_has(const ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilki_has(world, e, type);
}

bool ilk_enabled(const ilk_world* world, ilk_entity e, ilk_type* type) {
    ilki_spot at;
    ilki_type_recall(type);
    if (ilki_show(world, type, "ilk_enabled") != ILK_OK) return false;
    return locate(world, e, type, &at) && is_there(&at) &&
           !ilki_block_is_off(at.block, ilki_row_of(at.place));
}

// Takes a value away. Whoever has no parent any more is found by its name elsewhere.
static void take_from(ilk_world* world, ilk_entity e, const ilki_spot* at) {
    ilki_value_take(&world->storage, at->directory, at->place);
    ilki_has_come_below(world, at->directory, e.index);
}

ilk_result ilki_remove_quietly(ilk_world* world, ilk_entity e, ilk_type* type, const char* call) {
    ilki_spot at;
    if (!locate(world, e, type, &at) || !is_there(&at)) return fail_to_reach(world, e, type, call);
    take_from(world, e, &at);
    return ILK_OK;
}

// Takes a component away, and tells whoever observes it. What will match then is found out by
// taking it away for a moment: nobody can see that.
static ilk_result take_observed(ilk_world* world, ilk_entity e, const ilki_spot* at,
                                const char* call) {
    ilki_frame frame;
    if (!ilki_frame_begin_one(&frame, world, at->directory, e, ILK_REASON_CHANGE, call)) {
        return ilki_last_result(world);
    }
    bool is_ready = ilki_frame_before(&frame);
    if (is_ready) {
        ilki_row_flip_briefly(&world->storage, at->block, at->place);
        ilki_frame_after(&frame);
        ilki_row_flip_briefly(&world->storage, at->block, at->place);
        ilki_tell_matches(&frame, ILK_ON_CEASE);
        ilki_tell(&frame, ILK_ON_REMOVE, NULL);
        take_from(world, e, at);
        ilki_frame_done(&frame);
        ilki_tell_matches(&frame, ILK_ON_MATCH);
    }
    ilki_frame_end(&frame);
    return is_ready ? ILK_OK : ilki_last_result(world);
}

ilk_result ilki_take_as(ilk_world* world, ilk_entity e, const ilki_spot* at, const char* call) {
    if (ilki_is_watched(world, at->directory, ILK_ON_REMOVE)) {
        return take_observed(world, e, at, call);
    }
    take_from(world, e, at);
    return ILK_OK;
}

ilk_result ilki_remove_as(ilk_world* world, ilk_entity e, ilk_type* type, const char* call) {
    ilki_spot at;
    ilk_result result = ilki_enter_for(world, e, type, call);
    if (result != ILK_OK) return result;
    ilki_type_recall(type);
    if (!locate(world, e, type, &at) || !is_there(&at)) return fail_to_reach(world, e, type, call);
    if (at.directory == world->storage.dying) return ilki_refuse_dying(world, call);
    result = ilki_may_come_below(world, e, at.directory, ILKI_NONE, call);
    bool may_end = at.directory->type->outlives;
    if (result == ILK_OK && may_end && !ilki_may_let_go(world, at.place, at.directory, call)) {
        return ilki_last_result(world);
    }
    if (result == ILK_OK) result = ilki_take_as(world, e, &at, call);
    if (may_end) ilki_go_if_dying(world, e, call);
    return result;
}

static ILKI_NOINLINE ilk_result remove_otherwise(ilk_world* world, ilk_entity e, ilk_type* type) {
    return ilki_remove_as(world, e, type, "ilk_remove");
}

// A block without exceptions is left to the slow way, which makes its chunk an odd one.
ILKI_INLINE bool remove_quickly(ilki_storage* storage, const ilki_spot* at) {
    if (ILKI_UNLIKELY(!is_quick(storage, at->block) || at->block->count == 0)) return false;
    if (ILKI_UNLIKELY(!has_quickly(at))) return false;
    flip_quickly(storage, at, -1);
    return true;
}

ilk_result ilk_remove(ilk_world* world, ilk_entity e, ilk_type* type) {
    ilki_spot at;
    bool is_done = locate(world, e, type, &at) && remove_quickly(&world->storage, &at);
    return ILKI_LIKELY(is_done) ? ILK_OK : remove_otherwise(world, e, type);
}

// Removes all that an entity was given.
static void remove_each(ilki_storage* storage, uint32_t place) {
    const ilki_chunk* chunk = storage->chunks[ilki_chunk_of(place)];
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        bool is_own = directory == storage->inactive || directory == storage->dying;
        if (!is_own) ilki_value_take(storage, directory, place);
    }
}

static ilk_result remove_each_observed(ilk_world* world, ilk_entity e, uint32_t place) {
    ilki_frame frame;
    if (!ilki_frame_begin_one(&frame, world, NULL, e, ILK_REASON_CHANGE, "ilk_remove_all")) {
        return ilki_last_result(world);
    }
    bool is_ready = ilki_frame_before(&frame);
    if (is_ready) {
        ilki_tell_stripped(&frame, false);
        remove_each(&world->storage, place);
        ilki_frame_done(&frame);
        ilki_tell_matches(&frame, ILK_ON_MATCH);
    }
    ilki_frame_end(&frame);
    return is_ready ? ILK_OK : ilki_last_result(world);
}

ilk_result ilk_remove_all(ilk_world* world, ilk_entity e) {
    ilk_result result = ilki_enter_for(world, e, NULL, "ilk_remove_all");
    if (result != ILK_OK) return result;
    ilki_storage* storage = &world->storage;
    const ilki_record* record = ilki_record_of(&storage->view.index, e);
    if (!record) return ilki_fail(world, ILK_DEAD, "ilk_remove_all", e, NULL);
    if (ilki_is_nowhere(record->place)) return ILK_OK;
    if (!ilki_may_let_go(world, record->place, NULL, "ilk_remove_all")) {
        return ilki_last_result(world);
    }
    if (world->observers)
        result = remove_each_observed(world, e, record->place);
    else
        remove_each(storage, record->place);
    ilki_go_if_dying(world, e, "ilk_remove_all");
    return result;
}

static ilk_result turn_observed(ilk_world* world, ilk_entity e, const ilki_spot* at, bool is_on,
                                const char* call) {
    ilki_frame frame;
    if (!ilki_frame_begin_one(&frame, world, at->directory, e, ILK_REASON_CHANGE, call)) {
        return ilki_last_result(world);
    }
    bool is_ready = ilki_frame_before(&frame);
    if (is_ready) {
        ilki_value_switch(&world->storage, at->directory, at->block, at->place, is_on);
        ilki_tell_change(&frame, is_on ? ILK_ON_ENABLE : ILK_ON_DISABLE, NULL);
    }
    ilki_frame_end(&frame);
    return is_ready ? ILK_OK : ilki_last_result(world);
}

static ilk_result turn(ilk_world* world, ilk_entity e, ilk_type* type, bool is_on,
                       const char* call) {
    ilki_spot at;
    ilk_result result = ilki_enter_for(world, e, type, call);
    if (result != ILK_OK) return result;
    ilki_type_recall(type);
    if (!locate(world, e, type, &at) || !is_there(&at)) return fail_to_reach(world, e, type, call);
    if (at.directory == world->storage.dying) return ilki_refuse_dying(world, call);
    bool is_off = ilki_block_is_off(at.block, ilki_row_of(at.place));
    if (is_off == is_on && ilki_is_watched(world, at.directory, ILK_ON_ENABLE | ILK_ON_DISABLE)) {
        return turn_observed(world, e, &at, is_on, call);
    }
    ilki_value_switch(&world->storage, at.directory, at.block, at.place, is_on);
    return ILK_OK;
}

ilk_result ilk_mark(ilk_world* world, ilk_entity e, ilk_type* type) {
    ilki_spot at;
    ilk_result result = ilki_enter_for(world, e, type, "ilk_mark");
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
    if (!record || ilki_show_all(world, "ilk_types_of") != ILK_OK) return 0;
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
    bool is_shown = record && ilki_show_all(world, "ilk_signature") == ILK_OK;
    uint32_t length = is_shown ? world->storage.type_count : 0;
    if (!text) size = 0;
    for (uint32_t i = 0; i < length && i + 1 < size; i++) {
        text[i] = ilki_place_has(&world->storage, world->storage.types[i]->type, record->place)
                      ? '1'
                      : '0';
    }
    if (size) text[length < size ? length : size - 1] = 0;
    return length;
}
