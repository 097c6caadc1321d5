// Blueprints of entities: with copies of their values, or with the values themselves.
#include "blueprint.h"
#include "party.h"
#include "travel.h"

// A taking: who, and the blueprint that each becomes.
typedef struct taking {
    ilki_travellers all;
    ilk_blueprint** made; // NULL for those that are left out
    const char* call;
    bool moves, saves;
} taking;

static bool can_be_copied(const taking* t, const ilk_type* type) {
    return !type->hooks.drop || type->hooks.copy || (t->saves && type->copy_to_save);
}

static ilk_result refuse_uncopied(const taking* t, ilk_entity e, const ilk_type* type) {
    if (t->moves || can_be_copied(t, type)) return ILK_OK;
    return ilki_fail_for(t->all.from, ILK_INVALID, t->call, e, type,
                         "%s has a drop hook, but none to copy it", type->name);
}

// Whoever is taken too is named by what stands for it.
static ilk_entity rename_taken(void* context, ilk_entity e) {
    const taking* t = context;
    uint32_t at = ilk_is_null(e) ? ILKI_NONE : ilki_traveller_at(&t->all, e);
    return at == ILKI_NONE ? e : ilk_blueprint_entity(t->made[at]); // null for who is left out
}

// Gives a blueprint the value of an entity.
static bool note_value(taking* t, ilk_blueprint* b, const ilki_directory* directory,
                       uint32_t place) {
    ilk_type* type = directory->type;
    const ilki_block* block = ilki_block_at(directory, ilki_chunk_of(place));
    const void* value = ilki_value_at(directory, block, ilki_row_of(place));
    ilki_part* part = ilki_blueprint_room(b, type);
    if (!part) return false;
    if (t->moves)
        memcpy(part->bytes, value, type->size);
    else if (t->saves && type->copy_to_save)
        type->copy_to_save(part->bytes, value, type->hooks.context);
    else
        ilki_value_copy(type, part->bytes, value);
    part->origin = t->all.from->id;
    part->is_off = ilki_block_is_off(block, ilki_row_of(place));
    if (type->fields) ilki_value_rename(type, part->bytes, rename_taken, t);
    return true;
}

static ilk_result note_values(taking* t, uint32_t at) {
    ilki_storage* storage = &t->all.from->storage;
    ilk_entity e = t->all.list[at];
    uint32_t place = ilki_record_at(&storage->view.index, e.index)->place;
    if (ilki_is_nowhere(place)) return ILK_OK;
    uint32_t count = ilki_row_set(storage, storage->chunks[ilki_chunk_of(place)],
                                  ilki_row_of(place), storage->set);
    for (uint32_t i = 0; i < count; i++) {
        const ilki_directory* directory = storage->types[storage->set[i]];
        if (directory->relation || ilki_is_indexed(storage, directory)) continue;
        if (t->saves && directory->type->saving != ILK_SAVED) continue;
        ilk_result result = refuse_uncopied(t, e, directory->type);
        if (result != ILK_OK) return result;
        if (!note_value(t, t->made[at], directory, place)) {
            return ilki_fail(t->all.from, ILK_NO_MEMORY, t->call, e, NULL);
        }
    }
    return ILK_OK;
}

// Whether somebody has a type because of which it is not saved.
static bool is_left_out(const taking* t, uint32_t at) {
    const ilki_storage* storage = &t->all.from->storage;
    uint32_t place = ilki_record_at(&storage->view.index, t->all.list[at].index)->place;
    for (uint32_t i = 0; t->saves && i < storage->type_count; i++) {
        const ilk_type* type = storage->types[i]->type;
        bool is_meant = type->saving == ILK_UNSAVED_ENTITY;
        if (is_meant && ilki_place_has(storage, type, place)) return true;
    }
    return false;
}

// The blueprint of a traveller's parent, NULL if that is left out. (The first one's does not
// travel.)
static ilk_blueprint* parent_of(const taking* t, uint32_t at) {
    return t->made[ilki_traveller_at(&t->all, ilk_parent(t->all.from, t->all.list[at]))];
}

// A blueprint for each that is not left out, as children of each other. One whose first is left out
// has no others.
static bool make_shells(taking* t, const ilk_allocator* allocator) {
    if (is_left_out(t, 0)) t->all.count = 1;
    for (uint32_t i = 0; i < t->all.count; i++) {
        ilk_blueprint* parent = i ? parent_of(t, i) : NULL;
        if (i && (!parent || is_left_out(t, i))) continue;
        ilk_blueprint* b = t->made[i] = ilk_blueprint_create(allocator);
        if (!b) return false;
        if (i) ilki_blueprint_adopt(parent, b);
    }
    return true;
}

static ilk_result note_all_values(taking* t) {
    ilk_result result = ILK_OK;
    if (is_left_out(t, 0)) return ILK_OK;
    for (uint32_t i = 0; i < t->all.count && result == ILK_OK; i++) {
        if (t->made[i]) result = note_values(t, i);
    }
    return result;
}

// Lets all go without their values.
static ilk_result let_leave(const taking* t) {
    ilki_leaving leaving;
    ilk_result result = ilki_leave(&t->all, &leaving, t->call);
    if (result != ILK_OK) return result;
    ilki_depart(t->all.from, t->all.list, t->all.count);
    ilki_have_left(&leaving);
    return ILK_OK;
}

// What was not taken after all is not dropped.
static void undo(const taking* t) {
    for (uint32_t i = 0; t->moves && i < t->all.count && t->made[i]; i++) {
        ilki_blueprint_forget(t->made[i]);
    }
    ilk_blueprint_destroy(t->made[0]);
}

static ilk_blueprint* take_all_of(taking* t, ilk_entity e, const ilk_allocator* allocator) {
    ilk_world* world = t->all.from;
    bool is_listed = ilki_travellers_init(&t->all, world, &e, 1);
    if (is_listed) t->made = ilki_scratch_take(world, t->all.count + 1, sizeof *t->made);
    if (!t->made) {
        ilki_fail(world, ILK_NO_MEMORY, t->call, e, NULL);
        return NULL;
    }
    if (!t->all.count) {
        ilki_fail(world, ILK_DEAD, t->call, e, NULL);
        return NULL;
    }
    if (t->moves && ilki_travellers_needed(&t->all, t->call) != ILK_OK) return NULL;
    memset(t->made, 0, (t->all.count + 1) * sizeof *t->made);
    bool is_made = make_shells(t, allocator);
    if (!is_made) ilki_fail(world, ILK_NO_MEMORY, t->call, e, NULL);
    bool is_done = is_made && note_all_values(t) == ILK_OK;
    if (is_done && t->moves) is_done = let_leave(t) == ILK_OK;
    if (is_done) return t->made[0];
    undo(t);
    return NULL;
}

static ilk_blueprint* make_of(taking t, ilk_world* world, ilk_entity e,
                              const ilk_allocator* allocator) {
    const char* call = t.call;
    ilk_result result =
        t.moves ? ilki_enter_for(world, e, NULL, call) : ilki_enter_to_copy(world, e, call);
    if (result != ILK_OK) return NULL;
    if (allocator && !allocator->alloc != !allocator->free) {
        ilki_fail_because(world, ILK_INVALID, call, NULL, "the allocator is half there");
        return NULL;
    }
    t.all.from = world;
    ilki_scratch_begin(world);
    ilk_blueprint* b = take_all_of(&t, e, allocator);
    ilki_scratch_end(world);
    return b;
}

ilk_blueprint* ilk_blueprint_of(ilk_world* world, ilk_entity e, const ilk_allocator* allocator) {
    return make_of((taking){.call = "ilk_blueprint_of"}, world, e, allocator);
}

ilk_blueprint* ilk_blueprint_to_save(ilk_world* world, ilk_entity e,
                                     const ilk_allocator* allocator) {
    return make_of((taking){.call = "ilk_blueprint_to_save", .saves = true}, world, e, allocator);
}

ilk_blueprint* ilk_blueprint_take(ilk_world* world, ilk_entity e, const ilk_allocator* allocator) {
    return make_of((taking){.call = "ilk_blueprint_take", .moves = true}, world, e, allocator);
}
