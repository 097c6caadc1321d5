// The bulk forms of the verbs, and batches.
#include "party.h"

// The outcome of many: the first failure, and whose it was. It is told at the very end, after all
// that observers cause, so that ilk_error speaks of it.
typedef struct outcome {
    ilk_result result;
    ilk_entity entity;
} outcome;

static void include(outcome* all, ilk_result result, ilk_entity e) {
    if (all->result == ILK_OK) *all = (outcome){result, e};
}

static ilk_result conclude(ilk_world* world, const outcome* all, const char* call,
                           const ilk_type* type) {
    if (all->result == ILK_OK) return ILK_OK;
    return ilki_fail(world, all->result, call, all->entity, type);
}

static ilk_result list_is_missing(ilk_world* world, const void* list, uint32_t count,
                                  const char* call) {
    if (list || !count) return ILK_OK;
    return ilki_fail_because(world, ILK_INVALID, call, NULL, "the list of entities is NULL");
}

ilk_result ilk_create_many(ilk_world* world, ilk_entity* entities, uint32_t count) {
    ilk_result result = ilki_enter(world, "ilk_create_many");
    if (result == ILK_OK) result = list_is_missing(world, entities, count, "ilk_create_many");
    if (result != ILK_OK) return result;
    ilki_storage* storage = &world->storage;
    result = ilki_index_ready_slow(&storage->view.index, &storage->memory, count);
    if (result != ILK_OK) return ilki_fail(world, result, "ilk_create_many", ILKI_NULL, NULL);
    ilki_frame frame;
    bool is_told = world->tells_new;
    if (is_told && !ilki_frame_begin_new(&frame, world, count, "ilk_create_many")) {
        return ilki_last_result(world);
    }
    ilki_index_create_many(&storage->view.index, entities, count, ilki_nowhere_now(storage), 0);
    if (!is_told) return ILK_OK;
    ilki_tell_new(&frame, entities, count);
    ilki_frame_end(&frame);
    return ILK_OK;
}

// Entities that a verb is about, each once; in memory that is given back.
typedef struct selection {
    ilk_entity* entities;
    uint32_t count;
    size_t bytes;
} selection;

static bool select_init(ilk_world* world, selection* all, uint32_t capacity) {
    size_t least = sizeof *all->entities; // of none
    *all = (selection){.bytes = ilki_bytes_of(least, capacity, sizeof *all->entities)};
    all->entities =
        ilki_alloc(&world->storage.memory, ILKI_OTHER, all->bytes, _Alignof(ilk_entity));
    return all->entities != NULL;
}

static void select_fini(ilk_world* world, selection* all) {
    ilki_free(&world->storage.memory, ILKI_OTHER, all->entities, all->bytes, _Alignof(ilk_entity));
}

// Selects those of a list that are alive and, if a directory is given, have the component; but, if
// they are to end, not those that something outlives. False without memory.
static bool select_from(ilk_world* world, selection* all, const ilk_entity* entities,
                        uint32_t count, const ilki_directory* directory, bool ends) {
    const ilki_index* index = &world->storage.view.index;
    size_t bytes = ilki_words(index->slots + 1) * sizeof(uint64_t);
    uint64_t* seen = ilki_alloc_zero(&world->storage.memory, ILKI_OTHER, bytes, _Alignof(uint64_t));
    if (!seen || !select_init(world, all, count)) {
        ilki_free(&world->storage.memory, ILKI_OTHER, seen, bytes, _Alignof(uint64_t));
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const ilki_record* record = ilki_record_of(index, entities[i]);
        if (!record || ilki_bit(seen, entities[i].index)) continue;
        ilki_bit_set(seen, entities[i].index);
        bool is_meant = !ends || !ilki_is_kept(&world->storage, record->place);
        if (directory) {
            is_meant = ilki_place_has(&world->storage, directory->type, record->place);
        }
        if (is_meant) all->entities[all->count++] = entities[i];
    }
    ilki_free(&world->storage.memory, ILKI_OTHER, seen, bytes, _Alignof(uint64_t));
    return true;
}

// Begins a frame for those of a list that a verb is about. False, and the failure is noted.
static bool begin_many(ilk_world* world, ilki_frame* frame, selection* all,
                       const ilk_entity* entities, uint32_t count, ilki_directory* directory,
                       ilk_reason reason, const char* call) {
    if (!select_from(world, all, entities, count, directory, reason == ILK_REASON_DESTROY)) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        return false;
    }
    if (ilki_frame_begin(frame, world, directory, all->entities, all->count, reason, call)) {
        return true;
    }
    select_fini(world, all);
    return false;
}

static ilk_result end_many(ilki_frame* frame, selection* all, ilk_result result) {
    ilki_frame_done(frame);
    if (result == ILK_OK) ilki_tell_matches(frame, ILK_ON_MATCH);
    ilki_frame_end(frame);
    select_fini(frame->world, all);
    return result;
}

static outcome destroy_each(ilk_world* world, const ilk_entity* entities, uint32_t count) {
    outcome all = {ILK_OK, ILKI_NULL};
    world->is_muted = true;
    for (uint32_t i = 0; i < count; i++) {
        include(&all, ilk_destroy(world, entities[i]), entities[i]);
    }
    world->is_muted = false;
    return all;
}

// Destroys those of which everybody was told.
static void destroy_selected(ilk_world* world, const selection* those) {
    for (uint32_t i = 0; i < those->count; i++) {
        ilki_destroy_quietly(world, those->entities[i], "ilk_destroy_many");
    }
}

// Destroys those of a list that something outlives, one by one, and looks who else was not alive,
// or was there twice.
static outcome destroy_kept(ilk_world* world, const selection* those, const ilk_entity* entities,
                            uint32_t count) {
    outcome all = {ILK_OK, ILKI_NULL};
    uint32_t at = 0;
    world->is_muted = true;
    for (uint32_t i = 0; i < count; i++) {
        bool is_selected = at < those->count && ilk_same(those->entities[at], entities[i]);
        if (is_selected)
            at++;
        else
            include(&all, ilk_destroy(world, entities[i]), entities[i]);
    }
    world->is_muted = false;
    return all;
}

static ilk_result destroy_observed_many(ilk_world* world, const ilk_entity* entities,
                                        uint32_t count) {
    const char* call = "ilk_destroy_many";
    ilki_frame frame;
    selection those;
    if (!begin_many(world, &frame, &those, entities, count, NULL, ILK_REASON_DESTROY, call)) {
        return ilki_last_result(world);
    }
    bool is_told = ilki_tell_end(&frame);
    if (is_told) destroy_selected(world, &those);
    ilk_result result = is_told ? ILK_OK : ilki_last_result(world);
    ilki_frame_done(&frame);
    ilki_frame_end(&frame);
    outcome all = {result, ILKI_NULL};
    if (is_told) all = destroy_kept(world, &those, entities, count);
    select_fini(world, &those);
    return is_told ? conclude(world, &all, call, NULL) : result;
}

ilk_result ilk_destroy_many(ilk_world* world, const ilk_entity* entities, uint32_t count) {
    ilk_result result = ilki_enter(world, "ilk_destroy_many");
    if (result == ILK_OK) result = list_is_missing(world, entities, count, "ilk_destroy_many");
    if (result != ILK_OK) return result;
    if (ilki_has_targets(world, entities, count)) {
        return ilki_destroy_list(world, entities, count, "ilk_destroy_many");
    }
    bool may_die = world->observers && world->storage.has_outliving; // who does goes last
    if (world->tells_end || may_die) return destroy_observed_many(world, entities, count);
    outcome all = destroy_each(world, entities, count);
    return conclude(world, &all, "ilk_destroy_many", NULL);
}

// The chunk of an entity that is alive and placed, or NULL.
static ilki_chunk* chunk_of(const ilki_storage* storage, ilk_entity e) {
    const ilki_record* record = ilki_record_of(&storage->view.index, e);
    if (!record || ilki_is_nowhere(record->place)) return NULL;
    return storage->chunks[ilki_chunk_of(record->place)];
}

// Makes room for a component on one more row of a chunk, beyond those that are promised already.
static bool promise_in(ilki_storage* storage, ilki_chunk* chunk, ilki_directory* directory) {
    const ilki_block* block = ilki_block_at(directory, chunk->number);
    uint32_t promised = block->kind == ILKI_SMALL ? ilki_small_of(block)->reserved : 0u;
    if (block->kind == ILKI_SMALL && block->count + promised >= chunk->rows) return true;
    block = ilki_ready_to_give(storage, chunk, directory, promised + 1);
    if (block && block->kind == ILKI_SMALL) ilki_small_of(block)->reserved++;
    return block != NULL;
}

// Forgets what was promised while room was made.
static void end_promises(const ilki_storage* storage, const ilk_entity* entities, uint32_t count,
                         const ilki_directory* directory) {
    for (uint32_t i = 0; i < count; i++) {
        const ilki_chunk* chunk = chunk_of(storage, entities[i]);
        if (!chunk) continue;
        const ilki_block* block = ilki_block_at(directory, chunk->number);
        if (block->kind == ILKI_SMALL) ilki_small_of(block)->reserved = 0;
    }
}

// Makes room for so many entities that have a component alone.
static ilk_result ready_alone(ilki_storage* storage, ilki_directory* directory, uint32_t count) {
    if (count == 0) return ILK_OK;
    ilki_ilk* alone = ilki_ilk_alone(storage, directory);
    if (!alone) return ILK_NO_MEMORY;
    ilki_ilk_found(storage, alone);
    return ilki_ilk_ready_slow(storage, alone, count);
}

// Makes room for a component on every one of the entities that lacks it.
static ilk_result ready_to_add(ilki_storage* storage, const ilk_entity* entities, uint32_t count,
                               ilki_directory* directory) {
    uint32_t placeless = 0;
    for (uint32_t i = 0; i < count; i++) {
        ilki_chunk* chunk = chunk_of(storage, entities[i]);
        if (chunk && !promise_in(storage, chunk, directory)) return ILK_NO_MEMORY;
        if (!chunk && ilki_record_of(&storage->view.index, entities[i])) placeless++;
    }
    return ready_alone(storage, directory, placeless);
}

static outcome add_each(ilk_world* world, const ilk_entity* entities, uint32_t count,
                        const ilki_directory* directory, const unsigned char* values,
                        const char* call) {
    outcome all = {ILK_OK, ILKI_NULL};
    bool is_watched = ilki_is_watched(world, directory, ILK_ON_ADD);
    world->is_muted = true;
    for (uint32_t i = 0; i < count; i++) {
        ilk_value value = {directory->type, values ? values + i * directory->size : NULL};
        ilk_result result = is_watched ? ilki_add_quietly(world, entities[i], value, call)
                                       : ilk_add(world, entities[i], value);
        include(&all, result, entities[i]);
    }
    world->is_muted = false;
    return all;
}

// Leaves those that lack a component.
static void keep_without(const ilk_world* world, selection* all, const ilki_directory* directory) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        if (!ilki_has(world, all->entities[i], directory->type)) {
            all->entities[kept++] = all->entities[i];
        }
    }
    all->count = kept;
}

static ilk_result add_observed_many(ilk_world* world, const ilk_entity* entities, uint32_t count,
                                    ilki_directory* directory, const void* values,
                                    const char* call) {
    ilki_frame frame;
    selection those;
    if (!begin_many(world, &frame, &those, entities, count, NULL, ILK_REASON_CHANGE, call)) {
        return ilki_last_result(world);
    }
    keep_without(world, &those, directory);
    frame.count = those.count;
    frame.directory = directory;
    if (!ilki_frame_before(&frame)) {
        ilki_frame_end(&frame);
        select_fini(world, &those);
        return ilki_last_result(world);
    }
    outcome all = add_each(world, entities, count, directory, values, call);
    ilki_tell_change(&frame, ILK_ON_ADD, NULL);
    ilki_frame_end(&frame);
    select_fini(world, &those);
    return conclude(world, &all, call, directory->type);
}

ilk_result ilki_add_many(ilk_world* world, const ilk_entity* entities, uint32_t count,
                         ilki_directory* directory, const void* values, const char* call) {
    ilk_result result = ready_to_add(&world->storage, entities, count, directory);
    end_promises(&world->storage, entities, count, directory);
    if (result != ILK_OK) return ilki_fail(world, result, call, ILKI_NULL, directory->type);
    if (ilki_is_watched(world, directory, ILK_ON_ADD)) {
        return add_observed_many(world, entities, count, directory, values, call);
    }
    outcome all = add_each(world, entities, count, directory, values, call);
    return conclude(world, &all, call, directory->type);
}

ilk_result ilk_add_many(ilk_world* world, const ilk_entity* entities, uint32_t count,
                        ilk_type* type, const void* values) {
    const char* call = "ilk_add_many";
    ilk_result result = ilki_enter_for(world, ILKI_NULL, type, call);
    if (result == ILK_OK) result = list_is_missing(world, entities, count, call);
    if (result != ILK_OK) return result;
    ilki_directory* directory = ilki_directory_for(world, type, call);
    if (!directory) return ilki_last_result(world);
    if (directory->relation) return ilki_refuse_relation(world, type, call);
    if (ilki_refuse_indexed(world, type, call)) return ILK_INVALID;
    if (!ilki_may_give(world, directory, call)) return ilki_last_result(world);
    return ilki_add_many(world, entities, count, directory, values, call);
}

static outcome remove_each_of(ilk_world* world, const ilk_entity* entities, uint32_t count,
                              ilk_type* type, bool is_watched, const char* call) {
    outcome all = {ILK_OK, ILKI_NULL};
    world->is_muted = true;
    for (uint32_t i = 0; i < count; i++) {
        ilk_result result = is_watched ? ilki_remove_quietly(world, entities[i], type, call)
                                       : ilk_remove(world, entities[i], type);
        include(&all, result, entities[i]);
    }
    world->is_muted = false;
    return all;
}

// Flips whether the frame's entities have the component.
static void flip_many(const ilki_frame* frame) {
    for (uint32_t i = 0; i < frame->count; i++) {
        uint32_t place =
            ilki_record_of(&frame->world->storage.view.index, frame->entities[i])->place;
        ilki_block* block = ilki_block_at(frame->directory, ilki_chunk_of(place));
        ilki_row_flip_briefly(&frame->world->storage, block, place);
    }
}

static ilk_result remove_observed_many(ilk_world* world, const ilk_entity* entities, uint32_t count,
                                       ilki_directory* directory, const char* call) {
    ilki_frame frame;
    selection those;
    bool may_end =
        directory->type->outlives; // then that is told afterwards, of one after the other
    if ((may_end && !ilki_frames_ready(world, call)) ||
        !begin_many(world, &frame, &those, entities, count, directory, ILK_REASON_CHANGE, call)) {
        return ilki_last_result(world);
    }
    if (!ilki_frame_before(&frame)) return end_many(&frame, &those, ilki_last_result(world));
    flip_many(&frame);
    ilki_frame_after(&frame);
    flip_many(&frame);
    ilki_tell_matches(&frame, ILK_ON_CEASE);
    ilki_tell(&frame, ILK_ON_REMOVE, NULL);
    outcome all = remove_each_of(world, entities, count, directory->type, true, call);
    ilki_frame_done(&frame);
    ilki_tell_matches(&frame, ILK_ON_MATCH);
    ilki_frame_end(&frame);
    for (uint32_t i = 0; may_end && i < those.count; i++) {
        ilki_go_if_dying(world, those.entities[i], call);
    }
    select_fini(world, &those);
    return conclude(world, &all, call, directory->type);
}

// Whether entities without this component may have names that others have.
static bool may_clash(const ilk_world* world, const ilki_directory* directory) {
    return directory == world->storage.child_of && world->names == ILK_NAMES_UNIQUE_AMONG_SIBLINGS;
}

ilk_result ilki_remove_many(ilk_world* world, const ilk_entity* entities, uint32_t count,
                            ilk_type* type, const char* call) {
    const ilki_directory* directory = ilki_directory_of(&world->storage.view, type);
    bool may_end = world->observers && directory->type && directory->type->outlives;
    bool is_alone = may_clash(world, directory); // each
    bool is_told = may_end || ilki_is_watched(world, directory, ILK_ON_REMOVE);
    if (directory->type && is_told && !is_alone) {
        return remove_observed_many(world, entities, count, world->storage.types[directory->number],
                                    call);
    }
    outcome all = remove_each_of(world, entities, count, type, false, call);
    bool is_clash = all.result == ILK_EXISTS && ilki_alive(world, all.entity);
    if (is_clash && ilki_may_come_below(world, all.entity, directory, ILKI_NONE, call) != ILK_OK) {
        return ILK_EXISTS;
    }
    return conclude(world, &all, call, type);
}

ilk_result ilk_remove_many(ilk_world* world, const ilk_entity* entities, uint32_t count,
                           ilk_type* type) {
    const char* call = "ilk_remove_many";
    ilk_result result = ilki_enter_for(world, ILKI_NULL, type, call);
    if (result == ILK_OK) result = list_is_missing(world, entities, count, call);
    if (result != ILK_OK) return result;
    if (ilki_refuse(world, type, call)) return ilki_last_result(world);
    bool is_dying = ilki_directory_of(&world->storage.view, type) == world->storage.dying;
    if (is_dying && world->storage.dying) return ilki_refuse_dying(world, call);
    return ilki_remove_many(world, entities, count, type, call);
}

static void fill_run(ilki_storage* storage, const ilki_run* run) {
    const ilki_chunk* chunk = run->chunk;
    ilki_occupy(storage, run);
    ilki_index_create_many(&storage->view.index, chunk->entities + run->row, run->count,
                           ilki_place(chunk->number, run->row), 1);
    for (uint32_t i = 0; i < chunk->ilk->type_count; i++) {
        const ilki_directory* directory = storage->types[chunk->ilk->types[i]];
        ilki_values_default(directory->type, ilki_run_give(storage, run, directory), run->count);
    }
}

// Makes room for `count` entities of an ilk, if there is one, and finds where they go.
static ilk_result ready_for_many(ilk_world* world, ilki_ilk* ilk, uint32_t count) {
    ilki_storage* storage = &world->storage;
    uint32_t pages = storage->view.index.page_count;
    ilk_result result = ilki_index_ready_slow(&storage->view.index, &storage->memory, count);
    if (result != ILK_OK || !ilk) return result;
    ilki_ilk_found(storage, ilk);
    result = ilki_ilk_ready_slow(storage, ilk, count);
    world->run_count = 0;
    if (result == ILK_OK && !ilki_plan_runs(world, ilk, count)) result = ILK_NO_MEMORY;
    if (result != ILK_OK) ilki_index_shrink(&storage->view.index, &storage->memory, pages);
    return result;
}

static ilk_result spawn_runs(ilk_world* world, ilk_batch* batch, const ilki_recipe* recipe,
                             uint32_t count) {
    ilk_result result = ready_for_many(world, recipe->ilk, count);
    if (result != ILK_OK) return ilki_fail(world, result, "ilk_spawn_many", ILKI_NULL, NULL);
    for (uint32_t i = 0; i < world->run_count; i++) fill_run(&world->storage, &world->runs[i]);
    batch->serial = ++world->batch;
    ilki_report_stale(world, "ilk_spawn_many");
    return ILK_OK;
}

// Finds the runs of those that observers left as they were: the rows of others may be somebody
// else's by now. Without memory the batch is over.
static void plan_anew(const ilki_frame* frame, ilk_batch* batch) {
    ilk_world* world = frame->world;
    batch->serial = ++world->batch;
    world->run_count = 0;
    for (uint32_t i = 0; i < frame->count; i++) {
        uint32_t place;
        if (!ilki_frame_is_whole(frame, frame->entities[i], &place)) continue;
        ilki_run* last = world->run_count ? &world->runs[world->run_count - 1] : NULL;
        ilki_chunk* chunk = world->storage.chunks[ilki_chunk_of(place)];
        uint32_t row = ilki_row_of(place);
        if (last && last->chunk == chunk && last->row + last->count == row) {
            last->count++;
        } else if (ilki_grow(&world->storage.memory, ILKI_OTHER, &world->runs, &world->run_capacity,
                             world->run_count + 1, sizeof *world->runs)) {
            world->runs[world->run_count++] = (ilki_run){.chunk = chunk, .row = row, .count = 1};
        } else {
            world->run_count = 0;
            return;
        }
    }
}

static ilk_result spawn_observed_many(ilk_world* world, ilk_batch* batch, const ilki_recipe* recipe,
                                      uint32_t count) {
    const char* call = "ilk_spawn_many";
    ilki_frame frame;
    selection those;
    if (!select_init(world, &those, count)) {
        return ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    }
    if (!ilki_frame_begin_new(&frame, world, count, call)) {
        select_fini(world, &those);
        return ilki_last_result(world);
    }
    ilk_result result = spawn_runs(world, batch, recipe, count);
    for (uint32_t i = 0; result == ILK_OK && i < world->run_count; i++) {
        const ilki_run* run = &world->runs[i];
        memcpy(those.entities + those.count, run->chunk->entities + run->row,
               run->count * sizeof *those.entities);
        those.count += run->count;
    }
    ilki_tell_new(&frame, those.entities, those.count);
    if (result == ILK_OK) plan_anew(&frame, batch);
    ilki_frame_end(&frame);
    select_fini(world, &those);
    return result;
}

ilk_result ilk_spawn_many(ilk_world* world, ilk_batch* batch, uint32_t count,
                          ilk_type* const* types, uint32_t type_count) {
    if (batch) *batch = (ilk_batch){.world = world};
    ilk_result result = ilki_enter(world, "ilk_spawn_many");
    if (result != ILK_OK) return result;
    const ilki_recipe* recipe =
        ilki_recipe_make(world, types, sizeof *types, type_count, "ilk_spawn_many");
    if (!recipe) return ilki_last_result(world);
    if (!batch || !recipe->ilk) {
        return ilki_fail_because(world, ILK_INVALID, "ilk_spawn_many", NULL,
                                 batch ? "the list has no types; ilk_create_many makes empty ones"
                                       : "the batch is NULL");
    }
    if (recipe->relates) return ilki_refuse_relation(world, NULL, "ilk_spawn_many");
    return world->observers ? spawn_observed_many(world, batch, recipe, count)
                            : spawn_runs(world, batch, recipe, count);
}

// Whether another batch, a settling or a clearing ended this one.
static bool is_over(const ilk_batch* batch) {
    return batch->serial != batch->world->batch || batch->world->run_count == 0;
}

bool ilk_batch_next(ilk_batch* batch) {
    if (!batch || !batch->world) return false;
    const ilk_world* world = batch->world;
    batch->count = 0;
    if (is_over(batch) || batch->next >= world->run_count) return false;
    const ilki_run* run = &world->runs[batch->next++];
    batch->entities = run->chunk->entities + run->row;
    batch->count = run->count;
    return true;
}

void* ilk_batch_fill(const ilk_batch* batch, ilk_type* type) {
    if (!batch || batch->count == 0) return NULL;
    const ilk_world* world = batch->world;
    uint32_t number = ilk_type_number(world, type);
    if (number == UINT32_MAX || is_over(batch) || batch->next > world->run_count) return NULL;
    const ilki_run* run = &world->runs[batch->next - 1];
    const ilki_directory* directory = world->storage.types[number];
    const ilki_block* block = ilki_block_at(directory, run->chunk->number);
    return block->kind == ILKI_HOME ? ilki_value_at(directory, block, run->row) : NULL;
}

ilk_result ilk_reserve(ilk_world* world, uint32_t count, ilk_type* const* types,
                       uint32_t type_count) {
    ilk_result result = ilki_enter(world, "ilk_reserve");
    if (result != ILK_OK) return result;
    const ilki_recipe* recipe =
        ilki_recipe_make(world, types, sizeof *types, type_count, "ilk_reserve");
    if (!recipe) return ilki_last_result(world);
    if (!ilki_recipe_reserve(world, type_count)) {
        return ilki_fail(world, ILK_NO_MEMORY, "ilk_reserve", ILKI_NULL, NULL);
    }
    result = ready_for_many(world, recipe->ilk, count);
    world->run_count = 0;
    return result == ILK_OK ? ILK_OK : ilki_fail(world, result, "ilk_reserve", ILKI_NULL, NULL);
}
