// Entities: creating, spawning by recipe, copying, destroying.
#include "../relation/names.h"
#include "world.h"

static ilk_entity create_quietly(ilk_world* world, const char* call) {
    ilki_storage* storage = &world->storage;
    ilk_result result = ilki_index_ready(&storage->view.index, &storage->memory);
    if (result == ILK_OK) return ilki_index_create(&storage->view.index, ilki_nowhere_now(storage));
    ilki_fail(world, result, call, ILKI_NULL, NULL);
    return ILKI_NULL;
}

// Tells of an entity that was made, if it was, and ends the frame. Null if an observer destroyed
// it.
static ilk_entity introduce(ilki_frame* frame, ilk_entity e) {
    ilk_world* world = frame->world;
    if (!ilk_is_null(e)) ilki_tell_new(frame, &e, 1);
    ilki_frame_end(frame);
    if (ilk_is_null(e) || ilki_alive(world, e)) return e;
    ilki_fail_for(world, ILK_DEAD, frame->call, e, NULL,
                  "an observer destroyed it as soon as it was there");
    return ILKI_NULL;
}

static ILKI_NOINLINE ilk_entity create(ilk_world* world, const char* call) {
    ilki_frame frame;
    if (ilki_enter(world, call) != ILK_OK) return ILKI_NULL;
    if (!world->tells_new) return create_quietly(world, call);
    if (!ilki_frame_begin_new(&frame, world, 1, call)) return ILKI_NULL;
    return introduce(&frame, create_quietly(world, call));
}

// Whether a world may be changed without a closer look.
ILKI_INLINE bool is_free(const ilk_world* world) {
#ifdef ILK_CHECKED
    (void)world;
    return false; // by any thread?
#else
    return world && world->storage.view.fresh != ILKI_LOCKED && !world->tells_new;
#endif
}

ilk_entity ilk_create(ilk_world* world) {
    ilk_entity e;
    bool is_done = is_free(world) && ilki_index_try(&world->storage.view.index,
                                                    ilki_nowhere_now(&world->storage), &e);
    return ILKI_LIKELY(is_done) ? e : create(world, "ilk_create");
}

// Brings an entity to life: a new one, or one whose handle was given out before.
ILKI_INLINE ilk_entity enliven(ilki_storage* storage, const ilk_entity* reserved, uint32_t place) {
    if (reserved) return ilki_index_fulfil(&storage->view.index, *reserved, place);
    return ilki_index_create(&storage->view.index, place);
}

// An entity of an ilk, for which there must be room. Its values are the caller's to fill.
ILKI_INLINE ilk_entity arrive_new(ilki_storage* storage, ilki_ilk* ilk, const ilk_entity* reserved,
                                  uint32_t* place) {
    uint32_t row;
    ilki_chunk* chunk = ilki_arrive(storage, ilk, &row);
    *place = ilki_place(chunk->number, row);
    chunk->entities[row] = enliven(storage, reserved, *place);
    return chunk->entities[row];
}

ILKI_INLINE ilk_result ready_for_new(ilki_storage* storage, ilki_ilk* ilk) {
    ilk_result result = ilki_index_ready(&storage->view.index, &storage->memory);
    return ILKI_LIKELY(result == ILK_OK) ? ilki_ready_to_arrive(storage, ilk) : result;
}

// Whether a list of values is one that a recipe was made for.
ILKI_INLINE bool is_for(const ilki_recipe* recipe, const ilk_value* values, uint32_t count) {
    if (!recipe || recipe->count != count) return false;
    for (uint32_t i = 0; i < count; i++) {
        const ilk_type* type = values[i].type;
        if ((type ? ilki_atomic_load(&type->id) : ILKI_NONE) != recipe->ids[i]) return false;
    }
    return true;
}

// Where a recipe for a list of values may be found again soon.
static ilki_recipe** recent_for(ilk_world* world, const ilk_value* values, uint32_t count) {
    const ilk_type *first = values[0].type, *last = values[count - 1].type;
    uint32_t key = (first ? ilki_atomic_load(&first->id) : 0) * 3;
    key += last ? ilki_atomic_load(&last->id) : 0;
    return &world->recent[key % ILKI_RECENT];
}

// The recipe for a list of values; NULL, and the failure is noted, if there is none.
static ilki_recipe* recipe_for(ilk_world* world, const ilk_value* values, uint32_t count,
                               const char* call) {
    if (!values || !count) {
        return ilki_recipe_make(world, values ? &values->type : NULL, sizeof *values, count, call);
    }
    ilki_recipe** recent = recent_for(world, values, count);
    if (is_for(*recent, values, count)) return world->recipe = *recent;
    ilki_recipe* recipe = ilki_recipe_make(world, &values->type, sizeof *values, count, call);
    if (recipe != world->loose) *recent = recipe;
    return recipe;
}

// Fills the values of a row by a recipe that is quick. False, and some of the row may be filled, if
// the list is not the recipe's, or lacks bytes that only a call can make.
ILKI_INLINE bool fill_quickly(const ilki_recipe* recipe, const ilk_value* values, uint32_t count,
                              uint32_t chunk, uint32_t row) {
    const uint32_t* ids = recipe->ids;
    uint32_t i = 0;
    do { // a recipe that is quick has types
        const ilk_type* type = values[i].type;
        if (ILKI_UNLIKELY(!type || ILKI_ID(type) != ids[i])) return false;
        const ilki_directory* directory = recipe->directories[i];
        const ilki_block* block = &directory->blocks[chunk];
        const void* bytes = values[i].bytes ? values[i].bytes : directory->fallback;
        if (ILKI_UNLIKELY(!bytes)) return false;
        ilki_value_move_quick(ilki_natural_at(directory, block, row), bytes, directory->size);
    } while (++i < count);
    return true;
}

// Relates a new entity to one target; its link is all there is yet.
static void relate_new(ilki_storage* storage, ilki_relation* relation, uint32_t source,
                       ilk_link* link, uint32_t target) {
    *link = (ilk_link){0};
    ilki_link_add(storage, relation, source, link, target, NULL, true);
}

// Whether a new entity can be related as the values of a list say.
static bool can_relate(ilk_world* world, const ilki_recipe* recipe, const ilk_value* values) {
    for (uint32_t i = 0; i < recipe->count; i++) {
        ilki_relation* relation = recipe->directories[i]->relation;
        if (!relation) continue;
        ilk_entity target = ((const ilk_link*)values[i].bytes)->target;
        bool is_ready = ilki_is_relatable(world, target) &&
                        ilki_ready_to_relate_new(world, relation, target.index, 1);
        if (!is_ready) return false;
    }
    return true;
}

// Relates a new entity so.
static void relate_all(ilki_storage* storage, const ilki_recipe* recipe, const ilk_value* values,
                       ilk_entity e, uint32_t place) {
    for (uint32_t i = 0; i < recipe->count; i++) {
        const ilki_directory* directory = recipe->directories[i];
        if (!directory->relation) continue;
        const ilki_block* block = &directory->blocks[ilki_chunk_of(place)];
        relate_new(storage, directory->relation, e.index,
                   ilki_natural_at(directory, block, ilki_row_of(place)),
                   ((const ilk_link*)values[i].bytes)->target.index);
    }
}

// The usual way to spawn: by the last recipe again, with values that need no call, into a chunk
// all of whose blocks were changed in this tick. The values are filled before it is certain that
// there will be an entity: nobody can tell. False if it cannot be done so.
ILKI_INLINE bool spawn_quickly(ilk_world* world, const ilk_value* values, uint32_t count,
                               const ilk_entity* reserved, bool relates, ilk_entity* e) {
    ilki_storage* storage = &world->storage;
    const ilki_recipe* recipe = world->recipe;
    if (ILKI_UNLIKELY(!recipe || recipe->count != count)) return false;
    if (ILKI_UNLIKELY(!(relates ? recipe->is_quickly_related : recipe->is_quick))) return false;
    ilki_chunk* chunk = recipe->ilk->door;
    if (ILKI_UNLIKELY(!chunk || chunk->fresh != storage->view.fresh)) return false;
    if (ILKI_UNLIKELY(storage->looking.count)) return false;
    uint32_t row = ilki_row_free(chunk);
    if (ILKI_UNLIKELY(!fill_quickly(recipe, values, count, chunk->number, row))) return false;
    if (relates && !can_relate(world, recipe, values)) return false;
    uint32_t place = ilki_place(chunk->number, row);
    if (reserved)
        *e = ilki_index_fulfil(&storage->view.index, *reserved, place);
    else if (ILKI_UNLIKELY(!ilki_index_try(&storage->view.index, place, e)))
        return false;
    chunk->entities[row] = *e;
    ilki_row_enter(storage, chunk, row);
    if (relates) relate_all(storage, recipe, values, *e, place);
    return true;
}

// The same where one of the values is a relation.
static ILKI_NOINLINE bool spawn_related(ilk_world* world, const ilk_value* values, uint32_t count,
                                        const ilk_entity* reserved, ilk_entity* e) {
    return spawn_quickly(world, values, count, reserved, true, e);
}

static void fill_new(ilki_storage* storage, const ilki_directory* directory, uint32_t place,
                     ilk_entity e, const void* bytes) {
    if (!directory) return;
    ilki_block* block = ilki_block_at(directory, ilki_chunk_of(place));
    ilki_mark(storage, directory, block, place, true);
    void* value = ilki_value_at(directory, block, ilki_row_of(place));
    ilki_expect_untouched(storage, directory, value);
    if (directory->relation)
        relate_new(storage, directory->relation, e.index, value,
                   ((const ilk_link*)bytes)->target.index);
    else
        ilki_value_fill(directory->type, value, bytes);
}

// Places an entity by a recipe that has an ilk, and fills its values.
static ilk_entity spawn_by(ilk_world* world, const ilki_recipe* recipe, const ilk_value* values,
                           const ilk_entity* reserved, const char* call) {
    ilki_storage* storage = &world->storage;
    uint32_t place;
    ilk_entity e = arrive_new(storage, recipe->ilk, reserved, &place);
    for (uint32_t i = 0; i < recipe->count; i++) {
        fill_new(storage, recipe->directories[i], place, e, values[i].bytes);
    }
    ilki_chunk* chunk = storage->chunks[ilki_chunk_of(place)];
    if (chunk->ilk == recipe->ilk) chunk->fresh = storage->view.tick;
    (void)call;
    ilki_report_stale(world, call);
    return e;
}

// Whether a new entity can be related as the values of a list say; or the failure is noted.
static ilk_result ready_to_relate(ilk_world* world, const ilki_recipe* recipe,
                                  const ilk_value* values, const char* call) {
    for (uint32_t i = 0; recipe->relates && i < recipe->count; i++) {
        const ilki_directory* directory = recipe->directories[i];
        if (!directory || !directory->relation) continue;
        ilk_result result = ilki_check_target(world, values[i], call);
        if (result != ILK_OK) return result;
        uint32_t target = ((const ilk_link*)values[i].bytes)->target.index;
        if (!ilki_ready_to_relate_new(world, directory->relation, target, 1)) {
            return ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, directory->type);
        }
    }
    return ILK_OK;
}

static ilk_entity spawn_quietly(ilk_world* world, const ilki_recipe* recipe,
                                const ilk_value* values, const char* call) {
    if (ready_to_relate(world, recipe, values, call) != ILK_OK) return ILKI_NULL;
    ilk_result result = ready_for_new(&world->storage, recipe->ilk);
    if (result == ILK_OK) return spawn_by(world, recipe, values, NULL, call);
    ilki_fail(world, result, call, ILKI_NULL, NULL);
    return ILKI_NULL;
}

// Whether somebody is to be told of entities that are made by a recipe.
static bool is_observed(const ilk_world* world, const ilki_recipe* recipe) {
    if (!world->observers) return false;
    bool is_told = world->tells_new;
    for (uint32_t i = 0; !is_told && i < recipe->count; i++) {
        const ilki_directory* directory = recipe->directories[i];
        is_told = directory && ilki_is_watched(world, directory, ILK_ON_ADD);
    }
    return is_told;
}

ilk_entity ilki_spawn_as(ilk_world* world, const ilk_value* values, uint32_t count,
                         const char* call) {
    ilki_frame frame;
    if (ilki_enter(world, call) != ILK_OK) return ILKI_NULL;
    const ilki_recipe* recipe = recipe_for(world, values, count, call);
    ilk_entity e;
    if (!recipe) return ILKI_NULL;
    if (!recipe->ilk) return create(world, call);
    if (spawn_quickly(world, values, count, NULL, false, &e)) return e;
    if (!is_observed(world, recipe)) return spawn_quietly(world, recipe, values, call);
    if (!ilki_frame_begin_new(&frame, world, 1, call)) return ILKI_NULL;
    return introduce(&frame, spawn_quietly(world, recipe, values, call));
}

static ILKI_NOINLINE ilk_entity spawn_otherwise(ilk_world* world, const ilk_value* values,
                                                uint32_t count) {
    ilk_entity e;
    if (world && values && spawn_related(world, values, count, NULL, &e)) return e;
    return ilki_spawn_as(world, values, count, "ilk_spawn");
}

ilk_entity ilk_spawn(ilk_world* world, const ilk_value* values, uint32_t count) {
    ilk_entity e;
    bool is_done = world && values && spawn_quickly(world, values, count, NULL, false, &e);
    return ILKI_LIKELY(is_done) ? e : spawn_otherwise(world, values, count);
}

static ilk_result fulfil_quietly(ilk_world* world, const ilki_recipe* recipe, ilk_entity e,
                                 const ilk_value* values, const char* call) {
    ilki_storage* storage = &world->storage;
    if (!recipe->ilk) {
        enliven(storage, &e, ilki_nowhere_now(storage));
        return ILK_OK;
    }
    ilk_result result = ready_to_relate(world, recipe, values, call);
    if (result != ILK_OK) return result;
    result = ilki_ready_to_arrive(storage, recipe->ilk);
    if (result != ILK_OK) return ilki_fail(world, result, call, ILKI_NULL, NULL);
    spawn_by(world, recipe, values, &e, call);
    return ILK_OK;
}

ilk_result ilki_spawn_reserved(ilk_world* world, ilk_entity e, const ilk_value* values,
                               uint32_t count, const char* call) {
    ilki_frame frame;
    ilk_entity same;
    if (values && spawn_quickly(world, values, count, &e, false, &same)) return ILK_OK;
    if (values && spawn_related(world, values, count, &e, &same)) return ILK_OK;
    const ilki_recipe* recipe = recipe_for(world, values, count, call);
    if (!recipe) return ilki_last_result(world);
    if (!is_observed(world, recipe)) return fulfil_quietly(world, recipe, e, values, call);
    if (!ilki_frame_begin_new(&frame, world, 1, call)) return ilki_last_result(world);
    ilk_result result = fulfil_quietly(world, recipe, e, values, call);
    if (result == ILK_OK) ilki_tell_new(&frame, &e, 1);
    ilki_frame_end(&frame);
    return result;
}

// Relates a copy to all targets of the entity that it was copied from, with copies of the values;
// and to itself in place of that one, as where a value names it.
static void copy_link(ilki_storage* storage, ilki_relation* relation, ilk_entity e, ilk_entity copy,
                      ilk_link* link, const ilk_link* from) {
    const ilki_edges* edges = &relation->edges;
    *link = (ilk_link){0};
    for (uint32_t i = 0, edge = from->first; i < from->count; i++) {
        const ilki_edge* at = ilki_edge_at(edges, edge);
        uint32_t target = at->target == e.index ? copy.index : at->target;
        void* value = ilki_link_add_copy(storage, relation, copy.index, link, target,
                                         ilki_edge_carried(edges, edge));
        if (value) ilki_value_rename_one(edges->value, value, e, copy);
        edge = at->next_target;
    }
}

// Copies one value, switched on or off as it was.
static void copy_value(ilki_storage* storage, const ilki_directory* directory, uint32_t from,
                       uint32_t to, ilk_entity e, ilk_entity copy) {
    const ilki_block* old = ilki_block_at(directory, ilki_chunk_of(from));
    ilki_block* new = ilki_block_at(directory, ilki_chunk_of(to));
    ilki_mark(storage, directory, new, to, true);
    void* value = ilki_value_at(directory, new, ilki_row_of(to));
    ilki_expect_untouched(storage, directory, value);
    const void* origin = ilki_value_at(directory, old, ilki_row_of(from));
    if (directory->relation)
        copy_link(storage, directory->relation, e, copy, value, origin);
    else if (directory->type->hooks.copy)
        ilki_value_copy(directory->type, value, origin);
    else
        ilki_value_move(value, origin, directory->size);
    if (ilki_block_is_off(old, ilki_row_of(from)))
        ilki_value_switch(storage, directory, new, to, false);
}

// Takes out of the storage's set what a copy cannot have: an id, and a name where those of one
// parent differ. How many are left.
static uint32_t leave_out_unique(const ilk_world* world, uint32_t count) {
    const ilki_storage* storage = &world->storage;
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ilki_directory* directory = storage->types[storage->set[i]];
        bool is_unique = directory == storage->name && world->names != ILK_NAMES_FREE;
        if (!is_unique && directory != storage->id) storage->set[left++] = storage->set[i];
    }
    return left;
}

// Where the value names the entity that it was copied from, it names the copy.
static void name_copy(const ilki_directory* directory, uint32_t place, ilk_entity e,
                      ilk_entity copy) {
    if (!directory->type->fields) return;
    const ilki_block* block = ilki_block_at(directory, ilki_chunk_of(place));
    void* value = ilki_value_at(directory, block, ilki_row_of(place));
    ilki_value_rename_one(directory->type, value, e, copy);
}

// Whether a type of the storage's set owns something that cannot be copied; the failure is noted.
static bool has_uncopied(ilk_world* world, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const ilk_type* type = world->storage.types[world->storage.set[i]]->type;
        if (type->relation && type->relation->value) type = type->relation->value;
        if (!type->hooks.drop || type->hooks.copy) continue;
        ilki_fail_because(world, ILK_INVALID, "ilk_copy", type,
                          "%s has a drop hook, but none to copy it", type->name);
        return true;
    }
    return false;
}

// Whether a copy can be related to the targets of the link at a place, or to itself. The index must
// be ready for it.
static ilk_result ready_to_copy_link(ilk_world* world, ilki_relation* relation, uint32_t place) {
    const ilki_storage* storage = &world->storage;
    const ilki_block* block = ilki_block_at(relation->directory, ilki_chunk_of(place));
    const ilk_link* link = ilki_value_at(relation->directory, block, ilki_row_of(place));
    uint32_t edge = link->first, target = link->target.index;
    for (uint32_t i = 0; i < link->count; i++) {
        const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
        if (at->target == at->source) // the others are targets already
            target = ilki_index_slot_to_be(&storage->view.index, 0);
        else if (!ilki_is_relatable(world, ilki_entity_in(storage, at->target)))
            return ILK_DEAD;
        edge = at->next_target;
    }
    bool is_ready = ilki_ready_to_relate_new(world, relation, target, link->count);
    return is_ready ? ILK_OK : ILK_NO_MEMORY;
}

// The same for all relations of an ilk, which the row at the place is of.
static ilk_result ready_to_copy_links(ilk_world* world, const ilki_ilk* ilk, uint32_t place) {
    ilk_result result = ILK_OK;
    for (uint32_t i = 0; i < ilk->type_count && result == ILK_OK; i++) {
        const ilki_directory* directory = world->storage.types[ilk->types[i]];
        if (directory->relation) result = ready_to_copy_link(world, directory->relation, place);
    }
    return result;
}

// Makes sure that a name can be copied, if an ilk has one.
static bool ready_to_copy_name(ilki_storage* storage, const ilki_ilk* ilk) {
    const ilki_directory* name = storage->name;
    return !name || !ilki_ilk_has(ilk, name->number) || ilki_own_ready(storage, name);
}

// A new entity of an ilk, or NULL for want of memory, with the values of a row that is of its set.
static ilk_entity copy_row(ilk_world* world, ilk_entity e, uint32_t from, ilki_ilk* ilk) {
    ilki_storage* storage = &world->storage;
    ilk_result result =
        ilk ? ilki_index_ready(&storage->view.index, &storage->memory) : ILK_NO_MEMORY;
    if (result == ILK_OK) result = ready_to_copy_links(world, ilk, from);
    if (result == ILK_OK) result = ilki_ready_to_arrive(storage, ilk);
    if (result == ILK_OK && !ready_to_copy_name(storage, ilk)) result = ILK_NO_MEMORY;
    if (result != ILK_OK) {
        ilki_fail(world, result, "ilk_copy", e, NULL);
        return ILKI_NULL;
    }
    uint32_t to;
    ilk_entity copy = arrive_new(storage, ilk, NULL, &to);
    for (uint32_t i = 0; i < ilk->type_count; i++) {
        copy_value(storage, storage->types[ilk->types[i]], from, to, e, copy);
        name_copy(storage->types[ilk->types[i]], to, e, copy);
    }
    if (ilki_name_at(storage, copy.index)) ilki_name_copied(storage, copy.index);
    ilki_chunk* chunk = storage->chunks[ilki_chunk_of(to)];
    if (chunk->ilk == ilk) chunk->fresh = storage->view.tick;
    ilki_report_stale(world, "ilk_copy");
    return copy;
}

// The usual way to copy: a row that has just the set of its ilk, whose values are bytes, into a
// chunk all of whose blocks were changed in this tick. False if it cannot be done so. (Half the
// time.)
ILKI_INLINE bool copy_quickly(ilk_world* world, ilk_entity e, ilk_entity* copy) {
    ilki_storage* storage = &world->storage;
    const ilki_record* record = ilki_record_of(&storage->view.index, e);
    if (!record || ilki_is_nowhere(record->place) || world->observers) return false;
    const ilki_chunk* from = storage->chunks[ilki_chunk_of(record->place)];
    const ilki_ilk* ilk = from->ilk;
    ilki_chunk* to = ilk->door;
    if (from->is_odd || !ilk->is_bare || !to || storage->looking.count) return false;
    if (to->fresh != storage->view.fresh) return false;
    uint32_t old = ilki_row_of(record->place), row = ilki_row_free(to);
    for (uint32_t i = 0; i < ilk->type_count; i++) {
        const ilki_directory* directory = storage->types[ilk->types[i]];
        unsigned char* value = ilki_natural_at(directory, &directory->blocks[to->number], row);
        const void* origin = ilki_natural_at(directory, &directory->blocks[from->number], old);
        if (directory->is_quick)
            ilki_value_move_quick(value, origin, directory->size);
        else
            memcpy(value, origin, directory->size);
    }
    if (!ilki_index_try(&storage->view.index, ilki_place(to->number, row), copy)) return false;
    to->entities[row] = *copy;
    ilki_row_enter(storage, to, row);
    return true;
}

static ILKI_NOINLINE ilk_entity copy_otherwise(ilk_world* world, ilk_entity e) {
    if (ilki_enter_for(world, e, NULL, "ilk_copy") != ILK_OK) return ILKI_NULL;
    ilki_storage* storage = &world->storage;
    const ilki_record* record = ilki_record_of(&storage->view.index, e);
    if (!record || ilki_is_dying(storage, record->place)) {
        ilki_fail(world, ILK_DEAD, "ilk_copy", e, NULL);
        return ILKI_NULL;
    }
    if (ilki_is_nowhere(record->place)) return create(world, "ilk_copy");
    uint32_t from = record->place;
    const ilki_chunk* chunk = storage->chunks[ilki_chunk_of(from)];
    ilki_ilk* ilk = chunk->ilk;
    if (chunk->is_odd) { // otherwise it has just that set, and nothing that is dropped
        uint32_t count = ilki_row_set(storage, chunk, ilki_row_of(from), storage->set);
        count = leave_out_unique(world, count);
        if (count == 0) return create(world, "ilk_copy");
        if (has_uncopied(world, count)) return ILKI_NULL;
        ilk = ilki_ilk_of(storage, storage->set, count);
    }
    ilki_frame frame;
    bool is_told = world->observers != 0;
    if (is_told && !ilki_frame_begin_new(&frame, world, 1, "ilk_copy")) return ILKI_NULL;
    ilk_entity copy = copy_row(world, e, from, ilk);
    if (!is_told) return copy;
    frame.is_copy = true;
    return introduce(&frame, copy);
}

ilk_entity ilk_copy(ilk_world* world, ilk_entity e) {
    ilk_entity copy;
    bool is_done = world && copy_quickly(world, e, &copy);
    return ILKI_LIKELY(is_done) ? copy : copy_otherwise(world, e);
}

void ilki_slot_end(ilk_world* world, ilk_entity e) {
    ilki_storage* storage = &world->storage;
    if (ilki_is_target(storage, e.index)) ilki_forget_target(storage, e.index);
    ilki_index_destroy(&storage->view.index, e.index);
    ilki_bury(world, e.index);
    if (world->tells_end) ilki_observers_leave(world, e.index);
}

// Ends an entity, of which all who observe it were told.
static void end_quietly(ilk_world* world, ilk_entity e, uint32_t place) {
    ilki_storage* storage = &world->storage;
    if (ilki_is_nowhere(place)) {
        storage->stirs++;
    } else {
        ilki_chunk* chunk = storage->chunks[ilki_chunk_of(place)];
        if (!ilki_chunk_is_plain(chunk)) ilki_row_strip(storage, chunk, ilki_row_of(place));
        ilki_row_leave(storage, chunk, ilki_row_of(place));
    }
    ilki_slot_end(world, e);
}

ilk_result ilki_destroy_quietly(ilk_world* world, ilk_entity e, const char* call) {
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    if (!record) return ilki_fail(world, ILK_DEAD, call, e, NULL);
    end_quietly(world, e, record->place);
    return ILK_OK;
}

// Ends an entity, and tells whoever observes it.
static ilk_result end_observed(ilk_world* world, ilk_entity e, ilk_reason reason,
                               const char* call) {
    ilki_frame frame;
    if (!ilki_frame_begin_one(&frame, world, NULL, e, reason, call)) {
        return ilki_last_result(world);
    }
    bool is_told = ilki_tell_end(&frame);
    ilk_result result = is_told ? ilki_destroy_quietly(world, e, call) : ilki_last_result(world);
    ilki_frame_done(&frame);
    ilki_frame_end(&frame);
    return result;
}

ilk_result ilki_entity_end(ilk_world* world, ilk_entity e, ilk_reason reason, const char* call) {
    return world->tells_end ? end_observed(world, e, reason, call)
                            : ilki_destroy_quietly(world, e, call);
}

ilk_result ilki_destroy_alone(ilk_world* world, ilk_entity e, ilk_reason reason, const char* call) {
    uint32_t place = ilki_record_of(&world->storage.view.index, e)->place;
    return ilki_is_kept(&world->storage, place) ? ilki_begin_to_die(world, e, place, reason, call)
                                                : ilki_entity_end(world, e, reason, call);
}

ilk_result ilki_destroy_as(ilk_world* world, ilk_entity e, ilk_reason reason, const char* call) {
    if (!ilki_record_of(&world->storage.view.index, e)) {
        return ilki_fail(world, ILK_DEAD, call, e, NULL);
    }
    if (ilki_is_doomed(&world->relations, e.index)) {
        return ilki_fail_for(world, ILK_DEAD, call, e, NULL, "it is being destroyed already");
    }
    if (ilki_has_targets(world, &e, 1)) return ilki_destroy_related(world, e, reason, call);
    return ilki_destroy_alone(world, e, reason, call);
}

static ILKI_NOINLINE ilk_result destroy_otherwise(ilk_world* world, ilk_entity e) {
    const char* call = "ilk_destroy";
    ilk_result result = ilki_enter_for(world, e, NULL, call);
    return result == ILK_OK ? ilki_destroy_as(world, e, ILK_REASON_DESTROY, call) : result;
}

ilk_result ilk_destroy(ilk_world* world, ilk_entity e) {
    if (ILKI_UNLIKELY(!world)) return ILK_INVALID;
    ilki_storage* storage = &world->storage;
    const ilki_record* record = ilki_record_of(&storage->view.index, e);
    if (ILKI_LIKELY(record && !ilki_is_nowhere(record->place) && !world->tells_end)) {
        uint32_t place = record->place;
        ilki_chunk* chunk = storage->chunks[ilki_chunk_of(place)];
        if (ILKI_LIKELY(ilki_chunk_is_plain(chunk) && chunk->touched == storage->view.fresh)) {
            ilki_row_vacate(storage, chunk, ilki_row_of(place));
            ilki_index_destroy(&storage->view.index, e.index);
            return ILK_OK;
        }
    }
    return destroy_otherwise(world, e);
}

bool ilk_alive(const ilk_world* world, ilk_entity e) {
    return ilki_alive(world, e);
}

ilk_entity ilk_entity_at(const ilk_world* world, uint32_t index) {
    if (!world || index >= world->storage.view.index.slots) return ILKI_NULL;
    uint32_t generation = ilki_record_at(&world->storage.view.index, index)->generation;
    return generation & ILKI_DEAD_BIT ? ILKI_NULL : (ilk_entity){index, generation};
}
