#include "party.h"

#include "../storage/looking.h"

bool ilki_scratch_grow(ilk_world* world, void* array, uint32_t* capacity, uint32_t needed,
                       size_t size) {
    if (needed <= *capacity) return true;
    uint32_t wanted = *capacity ? *capacity : 8;
    while (wanted < needed) wanted = wanted > UINT32_MAX / 2 ? UINT32_MAX : wanted * 2;
    void *larger = ilki_scratch_take(world, wanted, size), *old;
    if (!larger) return false;
    memcpy(&old, array, sizeof old);
    if (*capacity) memcpy(larger, old, *capacity * size);
    memcpy(array, &larger, sizeof larger);
    *capacity = wanted;
    return true;
}

void* ilki_scratch_take(ilk_world* world, size_t count, size_t size) {
    if (count > SIZE_MAX / 4 / size) return NULL;
    return ilki_arena_take(&world->scratch, &world->storage.memory, count * size,
                           _Alignof(max_align_t));
}

void ilki_scratch_end(ilk_world* world) {
    if (--world->scratch_users == 0) ilki_arena_reset(&world->scratch);
}

// Rows of a chunk that those who arrive can have, side by side, from a row on.
static ilki_run free_run(const ilki_storage* storage, ilki_chunk* chunk, uint32_t row) {
    if (storage->looking.count && row < chunk->used) row = chunk->used;
    row = ilki_bits_next_clear(chunk->live, chunk->rows, row);
    if (row == ILKI_NONE) return (ilki_run){.chunk = chunk, .row = chunk->rows};
    uint32_t end = ilki_bits_next_set(chunk->live, chunk->rows, row);
    uint32_t count = (end == ILKI_NONE ? chunk->rows : end) - row;
    return (ilki_run){.chunk = chunk, .row = row, .count = count, .ilk = chunk->ilk};
}

// The next such run in the chunks of an ilk that have room, at most `most` rows long.
static ilki_run next_free_run(const ilki_storage* storage, const ilki_ilk* ilk, ilki_run last,
                              uint32_t most) {
    ilki_chunk* chunk = last.chunk ? last.chunk : ilk->door;
    ilki_run run = free_run(storage, chunk, last.row + last.count);
    while (run.count == 0) {
        chunk = ilk->chunks[ilki_bits_next_set(ilk->room, ilk->chunk_count, chunk->position + 1)];
        run = free_run(storage, chunk, 0);
    }
    if (run.count > most) run.count = most;
    return run;
}

static bool add_run(ilk_world* world, ilki_run run) {
    if (!ilki_grow(&world->storage.memory, ILKI_OTHER, &world->runs, &world->run_capacity,
                   world->run_count + 1, sizeof *world->runs)) {
        return false;
    }
    world->runs[world->run_count++] = run;
    return true;
}

bool ilki_plan_runs(ilk_world* world, const ilki_ilk* ilk, uint32_t count) {
    ilki_run run = {0};
    uint32_t had = world->run_count;
    for (uint32_t left = count; left; left -= run.count) {
        run = next_free_run(&world->storage, ilk, run, left);
        if (add_run(world, run)) continue;
        world->run_count = had;
        return false;
    }
    return true;
}

void ilki_occupy(ilki_storage* storage, const ilki_run* run) {
    ilki_chunk* chunk = run->chunk;
    if (storage->looking.count) ilki_note_append(storage, chunk);
    ilki_chunk_touch(storage, chunk);
    ilki_bits_fill(chunk->live, run->row, run->count, true);
    chunk->alive += run->count;
    storage->stirs++;
    if (chunk->used < run->row + run->count) chunk->used = run->row + run->count;
    if (chunk->alive == chunk->rows) ilki_ilk_closes(chunk->ilk, chunk);
}

static bool begin_to_tell(ilki_party* comers) {
    comers->is_told = comers->world->observers != 0;
    if (!comers->is_told) return true;
    return ilki_frame_begin_new(&comers->frame, comers->world, comers->count, comers->call);
}

static ilk_result fail(const ilki_party* comers, ilk_result result) {
    return ilki_fail(comers->world, result, comers->call, ILKI_NULL, NULL);
}

ilk_result ilki_party_begin(ilki_party* comers, ilk_world* world, uint32_t count,
                            ilk_entity* entities, const ilk_entity* first, const char* call) {
    ilki_storage* storage = &world->storage;
    *comers = (ilki_party){.world = world, .call = call, .count = count, .first = first};
    comers->pages = storage->view.index.page_count;
    ilk_result result =
        ilki_index_ready_slow(&storage->view.index, &storage->memory, first ? count - 1 : count);
    if (result != ILK_OK) return fail(comers, result);
    ilki_scratch_begin(world);
    world->batch++;
    world->run_count = 0;
    comers->entities =
        entities ? entities : ilki_scratch_take(world, count + 1, sizeof *comers->entities);
    if (!comers->entities) fail(comers, ILK_NO_MEMORY);
    if (comers->entities && begin_to_tell(comers)) return ILK_OK;
    comers->is_told = false;
    ilki_party_cancel(comers);
    return ilki_last_result(world);
}

// Takes the rows of the runs from one on.
static void occupy_from(ilk_world* world, uint32_t at) {
    for (; at < world->run_count; at++) ilki_occupy(&world->storage, &world->runs[at]);
}

// Takes a row among those that an ilk lodges with, for whom that is ready.
static bool lodge_one(ilk_world* world, ilki_ilk* ilk) {
    if (!add_run(world, (ilki_run){.count = 1, .ilk = ilk})) return false;
    ilki_run* run = &world->runs[world->run_count - 1];
    run->chunk = ilki_arrive(&world->storage, ilk, &run->row);
    return true;
}

static ilk_result take_rows(ilk_world* world, ilki_ilk* ilk, uint32_t count) {
    ilki_storage* storage = &world->storage;
    if (count >= ilki_enough(storage)) ilki_ilk_found(storage, ilk);
    ilk_result result = ILK_OK;
    for (; count && result == ILK_OK; count--) {
        uint32_t had = world->run_count;
        result = ilki_ready_to_arrive(storage, ilk);
        if (result == ILK_OK && ilk->host == ilk) {
            result = ilki_ilk_ready_slow(storage, ilk, count);
            if (result == ILK_OK && !ilki_plan_runs(world, ilk, count)) result = ILK_NO_MEMORY;
            occupy_from(world, had);
            return result;
        }
        if (result == ILK_OK && !lodge_one(world, ilk)) result = ILK_NO_MEMORY;
    }
    return result;
}

ilk_result ilki_party_expect(ilki_party* comers, ilki_ilk* ilk, uint32_t count) {
    ilk_world* world = comers->world;
    ilk_result result = ILK_OK;
    if (ilk)
        result = take_rows(world, ilk, count);
    else if (count && !add_run(world, (ilki_run){.count = count}))
        result = ILK_NO_MEMORY;
    return result == ILK_OK ? ILK_OK : fail(comers, result);
}

ilk_result ilki_party_bind(ilki_party* comers, ilki_bond bond) {
    if (!ilki_scratch_grow(comers->world, &comers->bonds, &comers->bond_capacity,
                           comers->bond_count + 1, sizeof bond)) {
        return fail(comers, ILK_NO_MEMORY);
    }
    comers->bonds[comers->bond_count++] = bond;
    return ILK_OK;
}

// The slot that one of a party will have.
static uint32_t slot_to_be(const ilki_party* comers, uint32_t at) {
    if (comers->first && at-- == 0) return comers->first->index;
    return ilki_index_slot_to_be(&comers->world->storage.view.index, at);
}

// Room for the edges of a relation.
static bool ready_for_edges(ilki_party* comers, ilki_relation* relation) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < comers->bond_count; i++) {
        count += comers->bonds[i].relation == relation;
    }
    return !count || ilki_edges_ready(&relation->edges, &comers->world->storage.pool, count);
}

ilk_result ilki_party_ready_to_relate(ilki_party* comers) {
    ilk_world* world = comers->world;
    bool is_ready = true;
    uint32_t highest = 0;
    for (uint32_t i = 0; comers->bond_count && is_ready && i < world->relations.count; i++) {
        is_ready = ready_for_edges(comers, world->relations.list[i]);
    }
    for (uint32_t i = 0; is_ready && i < comers->bond_count; i++) {
        const ilki_bond* bond = &comers->bonds[i];
        uint32_t source = slot_to_be(comers, bond->source);
        uint32_t target = bond->is_outside ? bond->target : slot_to_be(comers, bond->target);
        if (source > highest) highest = source;
        if (target > highest) highest = target;
        is_ready = ilki_ready_to_link(&world->storage, bond->relation, target, 0);
    }
    if (is_ready && comers->bond_count) {
        is_ready =
            ilki_ready_for_dooms(&world->relations, &world->storage, comers->bond_count, highest);
    }
    return is_ready ? ILK_OK : fail(comers, ILK_NO_MEMORY);
}

// Gives back the rows of a run, the last first.
static void give_back_rows(ilki_storage* storage, const ilki_run* run) {
    bool is_lodged = run->chunk->ilk != run->ilk;
    for (uint32_t i = run->count; i-- > 0;) {
        if (is_lodged) ilki_row_forget(storage, run->chunk, run->row + i);
        ilki_row_leave(storage, run->chunk, run->row + i);
    }
    if (is_lodged) run->ilk->lodgers -= run->count;
}

void ilki_party_cancel(ilki_party* comers) {
    ilk_world* world = comers->world;
    while (world->run_count) {
        const ilki_run* run = &world->runs[--world->run_count];
        if (run->chunk) give_back_rows(&world->storage, run);
    }
    ilki_index_shrink(&world->storage.view.index, &world->storage.memory, comers->pages);
    ilki_party_end(comers);
}

// The entities of a run, in the chunk or in the list alone.
static void enter_run(ilki_index* index, const ilki_run* run, ilk_entity* list, uint32_t nowhere,
                      const ilk_entity* first) {
    ilk_entity* to = run->chunk ? run->chunk->entities + run->row : list;
    uint32_t place = run->chunk ? ilki_place(run->chunk->number, run->row) : nowhere;
    uint32_t step = run->chunk != NULL, done = first != NULL;
    if (first) to[0] = ilki_index_fulfil(index, *first, place);
    ilki_index_create_many(index, to + done, run->count - done, place + step * done, step);
    if (to != list) memcpy(list, to, run->count * sizeof *list);
}

void ilki_party_arrive(ilki_party* comers) {
    ilki_storage* storage = &comers->world->storage;
    uint32_t nowhere = ilki_nowhere_now(storage), at = 0;
    for (uint32_t i = 0; i < comers->world->run_count; i++) {
        const ilki_run* run = &comers->world->runs[i];
        enter_run(&storage->view.index, run, comers->entities + at, nowhere,
                  i == 0 ? comers->first : NULL);
        at += run->count;
    }
}

static void expect_untouched(ilki_storage* storage, const ilki_directory* directory,
                             const ilki_block* block, const ilki_run* run) {
#ifdef ILK_CHECKED
    for (uint32_t i = 0; i < run->count; i++) {
        ilki_expect_untouched(storage, directory, ilki_value_at(directory, block, run->row + i));
    }
#else
    (void)storage, (void)directory, (void)block, (void)run;
#endif
}

void* ilki_run_give(ilki_storage* storage, const ilki_run* run, const ilki_directory* directory) {
    ilki_block* block = ilki_block_at(directory, run->chunk->number);
    uint32_t place = ilki_place(run->chunk->number, run->row);
    ilki_mark_rows(storage, directory, block, place, run->count, true);
    expect_untouched(storage, directory, block, run);
    if (block->kind == ILKI_SMALL) return NULL;
    return ilki_natural_at(directory, block, run->row);
}

void ilki_run_give_links(ilki_storage* storage, const ilki_run* run,
                         const ilki_directory* directory) {
    const ilki_block* block = ilki_block_at(directory, run->chunk->number);
    ilki_run_give(storage, run, directory);
    for (uint32_t i = 0; i < run->count; i++) {
        memset(ilki_value_at(directory, block, run->row + i), 0, directory->size);
    }
}

// Returns the copy of the value; or NULL, if there was none.
static void* make_bond(const ilki_party* comers, const ilki_bond* bond) {
    ilki_storage* storage = &comers->world->storage;
    ilki_relation* relation = bond->relation;
    uint32_t source = comers->entities[bond->source].index;
    uint32_t target = bond->is_outside ? bond->target : comers->entities[bond->target].index;
    ilk_link* link = ilki_link_at(storage, relation, source);
    return ilki_link_add_copy(storage, relation, source, link, target, bond->value);
}

void ilki_party_relate(ilki_party* comers, ilki_rename_fn* rename, void* context) {
    for (uint32_t i = 0; i < comers->bond_count; i++) {
        const ilki_bond* bond = &comers->bonds[i];
        void* copy = make_bond(comers, bond);
        if (copy && rename) ilki_value_rename(bond->relation->edges.value, copy, rename, context);
    }
}

void ilki_party_announce(ilki_party* comers) {
    if (!comers->is_told) return;
    comers->frame.is_copy = comers->frame.is_mixed = true;
    ilki_frame_announce(&comers->frame, comers->entities, comers->count);
}

void ilki_run_is_full(ilki_storage* storage, const ilki_run* run) {
    if (run->chunk->ilk == run->ilk) run->chunk->fresh = storage->view.tick;
}

static uint32_t place_of(const ilki_storage* storage, ilk_entity e) {
    return ilki_record_at(&storage->view.index, e.index)->place;
}

// Makes holes of the rows of the first of those that leave, as many as are side by side. How many.
static uint32_t leave_rows(ilki_storage* storage, const ilk_entity* entities, uint32_t count) {
    uint32_t place = place_of(storage, *entities), row = ilki_row_of(place), left = 1;
    if (ilki_is_nowhere(place)) {
        storage->stirs++;
        return 1;
    }
    ilki_chunk* chunk = storage->chunks[ilki_chunk_of(place)];
    while (left < count && row + left < chunk->rows &&
           place_of(storage, entities[left]) == place + left) {
        left++;
    }
    for (uint32_t i = 0; !ilki_chunk_is_plain(chunk) && i < left; i++) {
        ilki_row_forget(storage, chunk, row + i);
    }
    ilki_rows_leave(storage, chunk, row, left);
    return left;
}

// Whoever leaves is not found by name or id any more.
static void leave_indexes(ilki_storage* storage, ilk_entity e) {
    ilki_directory* const indexed[2] = {storage->name, storage->id};
    for (uint32_t i = 0; i < 2; i++) {
        if (indexed[i]) ilki_value_take(storage, indexed[i], place_of(storage, e));
    }
}

// Ends all relations of one who leaves, as do all below it.
static void leave_links(ilk_world* world, ilk_entity e) {
    ilki_storage* storage = &world->storage;
    uint32_t place = place_of(storage, e);
    for (uint32_t i = 0; i < world->relations.count; i++) {
        ilki_relation* relation = world->relations.list[i];
        ilki_block* block = ilki_block_at(relation->directory, ilki_chunk_of(place));
        if (!ilki_block_has(block, ilki_row_of(place))) continue;
        ilki_touch(storage, block);
        ilki_link_leave(storage, relation,
                        ilki_value_at(relation->directory, block, ilki_row_of(place)));
    }
}

void ilki_depart(ilk_world* world, const ilk_entity* entities, uint32_t count) {
    ilki_storage* storage = &world->storage;
    bool is_indexed = storage->name || storage->id;
    for (uint32_t i = 0; is_indexed && i < count; i++) leave_indexes(storage, entities[i]);
    for (uint32_t i = 0; world->relations.count && i < count; i++) leave_links(world, entities[i]);
    for (uint32_t i = 0; i < count;) {
        uint32_t left = leave_rows(storage, entities + i, count - i);
        for (; left; left--) ilki_slot_end(world, entities[i++]);
    }
}

void ilki_party_tell(ilki_party* comers) {
    ilk_world* world = comers->world;
    world->run_count = 0;
    ilki_report_stale(world, comers->call);
    if (comers->is_told) ilki_tell_announced(&comers->frame);
}

void ilki_party_end(ilki_party* comers) {
    if (comers->is_told) ilki_frame_end(&comers->frame);
    comers->world->run_count = 0;
    ilki_scratch_end(comers->world);
}
