// Types that are taken out of a world and brought back. Nobody has a type that is out: its values
// were moved aside, each with the entity that it belongs to.
#include <string.h>

#include "../component/registry.h"
#include "world.h"

typedef struct ilki_kept {
    struct ilki_kept* next;
    ilki_directory* directory;
    uint32_t count;
    uint32_t room; // values that there was memory for
    ilk_entity* entities;
    bool* off; // which were switched off
    unsigned char* values;
} ilki_kept;

bool ilki_may_give(ilk_world* world, const ilki_directory* directory, const char* call) {
    if (directory == world->storage.dying) ilki_refuse_dying(world, call);
    if (directory->is_out) {
        ilki_fail_because(world, ILK_FOREIGN, call, directory->type,
                          "%s was taken out of world \"%s\"", directory->type->name, world->name);
    }
    return directory != world->storage.dying && !directory->is_out;
}

static size_t value_bytes(const ilki_kept* kept) {
    return kept->room * kept->directory->size;
}

static void free_kept(ilk_world* world, ilki_kept* kept) {
    ilki_memory* memory = &world->storage.memory;
    ilki_free(memory, ILKI_OTHER, kept->entities, kept->room * sizeof *kept->entities,
              _Alignof(ilk_entity));
    ilki_free(memory, ILKI_OTHER, kept->off, kept->room, 1);
    ilki_free(memory, ILKI_OTHER, kept->values, value_bytes(kept), kept->directory->type->align);
    ilki_free(memory, ILKI_OTHER, kept, sizeof *kept, _Alignof(ilki_kept));
}

// Memory for so many values; NULL if there is none.
static ilki_kept* make_kept(ilk_world* world, ilki_directory* directory, uint32_t room) {
    ilki_memory* memory = &world->storage.memory;
    ilki_kept* kept = ilki_alloc_zero(memory, ILKI_OTHER, sizeof *kept, _Alignof(ilki_kept));
    if (!kept) return NULL;
    kept->directory = directory;
    kept->room = room;
    kept->entities =
        ilki_alloc(memory, ILKI_OTHER, room * sizeof *kept->entities, _Alignof(ilk_entity));
    kept->off = ilki_alloc(memory, ILKI_OTHER, room, 1);
    bool has_values = directory->size != 0;
    if (has_values) {
        kept->values = ilki_alloc(memory, ILKI_OTHER, value_bytes(kept), directory->type->align);
    }
    if (kept->entities && kept->off && (kept->values || !has_values)) return kept;
    free_kept(world, kept);
    return NULL;
}

static unsigned char* kept_value(const ilki_kept* kept, uint32_t at) {
    return kept->values ? kept->values + at * kept->directory->size : NULL;
}

bool ilki_kept_at(const ilk_world* world, uint32_t at, ilki_aside* aside) {
    const ilki_kept* kept = world->kept;
    for (; kept && at >= kept->count; kept = kept->next) at -= kept->count;
    if (!kept) return false;
    *aside = (ilki_aside){kept->directory, kept->entities[at], kept->off[at], kept_value(kept, at)};
    return true;
}

static void keep_row(ilki_kept* kept, const ilki_chunk* chunk, const ilki_block* block,
                     uint32_t row) {
    uint32_t at = kept->count++;
    const ilki_directory* directory = kept->directory;
    kept->entities[at] = chunk->entities[row];
    kept->off[at] = ilki_block_is_off(block, row);
    if (!directory->size) return;
    memcpy(kept_value(kept, at), ilki_value_at(directory, block, row), directory->size);
}

static void keep_chunk(ilki_kept* kept, const ilki_chunk* chunk) {
    const ilki_block* block = ilki_block_at(kept->directory, chunk->number);
    if (block->kind == ILKI_ABSENT) return;
    for (uint32_t word = 0; word < ilki_words(chunk->used); word++) {
        uint64_t rows = ilki_block_word(block, word, chunk->live[word]);
        for (; rows; rows &= rows - 1) keep_row(kept, chunk, block, word * 64 + ilki_lowest(rows));
    }
}

static void keep_all(ilk_world* world, ilki_kept* kept) {
    const ilki_storage* storage = &world->storage;
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i]) keep_chunk(kept, storage->chunks[i]);
    }
}

// Takes the values away from their entities, which have them no more, nor again.
static ilk_result put_aside(ilk_world* world, ilki_kept* kept, const char* call) {
    ilki_directory* directory = kept->directory;
    keep_all(world, kept);
    ilki_recipes_free(world);
    directory->is_out = true;
    ilki_directory_refresh(world, directory);
    ilk_result result = ilki_remove_many(world, kept->entities, kept->count, directory->type, call);
    if (result == ILK_OK) return ILK_OK;
    directory->is_out = false;
    ilki_directory_refresh(world, directory);
    return result;
}

// The directory of a type that is to go; or NULL, and the failure is noted.
static ilki_directory* find_to_take_out(ilk_world* world, ilk_type* type, const char* call) {
    if (ilki_refuse(world, type, call)) return NULL;
    ilki_directory* directory = ilki_directory_of(&world->storage.view, type);
    bool is_known = directory != &ilki_no_directory && !directory->is_out;
    if (!is_known) {
        ilki_fail_because(world, ILK_MISSING, call, type,
                          directory->is_out ? "%s was taken out of world \"%s\" already"
                                            : "%s is not known in world \"%s\"",
                          type->name, world->name);
    } else if (ilki_own_type(type->name)) {
        ilki_fail_because(world, ILK_INVALID, call, type, "%s is a type of ilk's own", type->name);
        return NULL;
    } else if (directory->relation) {
        ilki_fail_because(world, ILK_INVALID, call, type, "%s is a relation, which stays",
                          type->name);
        return NULL;
    }
    return is_known ? directory : NULL;
}

ilk_result ilk_unregister(ilk_world* world, ilk_type* type) {
    const char* call = "ilk_unregister";
    ilk_result result = ilki_enter_for(world, ILKI_NULL, type, call);
    if (result != ILK_OK) return result;
    ilki_type_recall(type);
    ilki_directory* directory = find_to_take_out(world, type, call);
    if (!directory) return ilki_last_result(world);
    uint32_t count = ilk_stats_of(world, type).count;
    ilki_kept* kept = make_kept(world, directory, count + 1);
    if (!kept) return ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, type);
    kept->next = world->kept;
    world->kept = kept;
    result = put_aside(world, kept, call);
    directory->outs++;
    if (result == ILK_OK) return ILK_OK;
    world->kept = kept->next;
    free_kept(world, kept);
    return result;
}

static void drop_kept(const ilki_kept* kept, uint32_t at) {
    if (kept->values) ilki_value_drop(kept->directory->type, kept_value(kept, at));
}

void ilki_kept_free(ilk_world* world) {
    while (world->kept) {
        ilki_kept* kept = world->kept;
        world->kept = kept->next;
        for (uint32_t i = 0; i < kept->count; i++) drop_kept(kept, i);
        kept->directory->outs += kept->count != 0;
        free_kept(world, kept);
    }
}

static void move_kept(const ilki_kept* kept, uint32_t to, uint32_t from) {
    kept->entities[to] = kept->entities[from];
    kept->off[to] = kept->off[from];
    if (kept->values) memmove(kept_value(kept, to), kept_value(kept, from), kept->directory->size);
}

// Drops the values of those that are gone, or dying: nobody gives these anything.
static void forget_dead(const ilk_world* world, ilki_kept* kept) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < kept->count; i++) {
        ilk_entity e = kept->entities[i];
        bool is_there = ilki_alive(world, e) && !ilk_dying(world, e);
        if (!is_there) drop_kept(kept, i);
        if (is_there) move_kept(kept, left++, i);
    }
    kept->count = left;
}

static void switch_off_again(ilk_world* world, const ilki_kept* kept) {
    for (uint32_t i = 0; i < kept->count; i++) {
        bool is_there = ilki_has(world, kept->entities[i], kept->directory->type);
        if (kept->off[i] && is_there) ilk_disable(world, kept->entities[i], kept->directory->type);
    }
}

ilk_result ilki_bring_back(ilk_world* world, ilki_directory* directory, const char* call) {
    ilki_kept** link = &world->kept;
    while (*link && (*link)->directory != directory) link = &(*link)->next;
    ilki_kept* kept = *link;
    directory->is_out = false;
    ilki_directory_refresh(world, directory);
    if (!kept) return ILK_OK;
    forget_dead(world, kept);
    *link = kept->next;
    ilk_result result =
        ilki_add_many(world, kept->entities, kept->count, directory, kept->values, call);
    if (result == ILK_OK) {
        switch_off_again(world, kept);
        free_kept(world, kept);
        return ILK_OK;
    }
    kept->next = world->kept;
    world->kept = kept;
    directory->is_out = true;
    directory->outs++; // what the dead had is dropped
    ilki_directory_refresh(world, directory);
    return result;
}
