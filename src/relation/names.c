#include "names.h"

#include <ilk/relation.h>

ilki_names* ilki_names_make(ilki_storage* storage) {
    if (!storage->names) {
        storage->names =
            ilki_alloc_zero(&storage->memory, ILKI_OTHER, sizeof(ilki_names), _Alignof(ilki_names));
    }
    return storage->names;
}

void ilki_names_fini(ilki_names* names, ilki_memory* memory) {
    ilki_glossary_fini(&names->glossary, memory);
    ilki_finder_fini(&names->by_name, memory);
    ilki_finder_fini(&names->by_id, memory);
    names->named = 0;
}

bool ilki_names_clone(const ilki_names* names, ilki_memory* memory, ilki_names* clone) {
    *clone = (ilki_names){.named = names->named};
    if (ilki_glossary_clone(&names->glossary, memory, &clone->glossary) &&
        ilki_finder_clone(&names->by_name, memory, &clone->by_name) &&
        ilki_finder_clone(&names->by_id, memory, &clone->by_id)) {
        return true;
    }
    ilki_names_fini(clone, memory);
    return false;
}

void ilki_names_free(ilki_storage* storage) {
    ilki_names* names = storage->names;
    if (!names) return;
    ilki_names_fini(names, &storage->memory);
    ilki_free(&storage->memory, ILKI_OTHER, names, sizeof *names, _Alignof(ilki_names));
    storage->names = NULL;
}

void ilki_names_trim(ilki_storage* storage) {
    ilki_names* names = storage->names;
    if (!names) return;
    ilki_glossary_trim(&names->glossary, &storage->memory);
    ilki_finder_trim(&names->by_name, &storage->memory, names->named);
    ilki_finder_trim(&names->by_id, &storage->memory, names->by_id.count);
}

ilk_entity ilki_found_in(const ilki_storage* storage, uint32_t slot) {
    if (slot == ILKI_NOT_FOUND) return (ilk_entity){0, 0};
    return (ilk_entity){slot, ilki_record_at(&storage->view.index, slot)->generation};
}

// The block of a type in the chunk of an entity, and its row there.
static ilki_block* block_of(const ilki_storage* storage, const ilki_directory* directory,
                            uint32_t slot, uint32_t* row) {
    uint32_t place = ilki_record_at(&storage->view.index, slot)->place;
    *row = ilki_row_of(place);
    return directory ? ilki_block_at(directory, ilki_chunk_of(place)) : &ilki_no_block;
}

// The value of an entity, or NULL.
static const void* own_value(const ilki_storage* storage, const ilki_directory* directory,
                             uint32_t slot) {
    uint32_t row;
    const ilki_block* block = block_of(storage, directory, slot, &row);
    return ilki_block_has(block, row) ? ilki_value_at(directory, block, row) : NULL;
}

uint32_t ilki_slot_above(const ilki_storage* storage, uint32_t slot) {
    const ilk_link* link = own_value(storage, storage->child_of, slot);
    return link ? link->target.index : ILKI_NONE;
}

const ilk_name* ilki_name_at(const ilki_storage* storage, uint32_t slot) {
    return own_value(storage, storage->name, slot);
}

const ilk_id* ilki_id_at(const ilki_storage* storage, uint32_t slot) {
    return own_value(storage, storage->id, slot);
}

// The name of an entity that has one, to be linked otherwise. That is no change as a user means it.
static ilk_name* edit_name(ilki_storage* storage, uint32_t slot) {
    uint32_t row;
    ilki_block* block = block_of(storage, storage->name, slot, &row);
    ilki_touch(storage, block);
    return ilki_value_at(storage->name, block, row);
}

static uint32_t hash_of_name(uint32_t under, uint32_t text) {
    return ilki_hash_number((uint64_t)under << 32 | text);
}

uint32_t ilki_name_find(const ilki_storage* storage, uint32_t under, uint32_t text) {
    uint32_t hash = hash_of_name(under, text), at = hash, slot;
    if (!storage->names) return ILKI_NOT_FOUND;
    if (under == ILKI_NONE) return storage->names->glossary.list[text].first;
    while ((slot = ilki_finder_next(&storage->names->by_name, hash, &at)) != ILKI_NOT_FOUND) {
        const ilk_name* name = ilki_name_at(storage, slot);
        if (name->text == text && name->under == under) return slot;
    }
    return ILKI_NOT_FOUND;
}

uint32_t ilki_id_find(const ilki_storage* storage, ilk_id id) {
    uint32_t hash = ilki_hash_pair(id.high, id.low), at = hash, slot;
    if (!storage->names) return ILKI_NOT_FOUND;
    while ((slot = ilki_finder_next(&storage->names->by_id, hash, &at)) != ILKI_NOT_FOUND) {
        if (ilk_same_id(*ilki_id_at(storage, slot), id)) return slot;
    }
    return ILKI_NOT_FOUND;
}

bool ilki_own_ready(ilki_storage* storage, const ilki_directory* directory) {
    ilki_names* names = storage->names;
    bool is_name = directory == storage->name;
    ilki_finder* finder = is_name ? &names->by_name : &names->by_id;
    uint32_t count = is_name ? names->named : finder->count;
    return ilki_finder_ready(finder, &storage->memory, count + 1);
}

// Another one is the first of a name, or the only one that there is, or nobody is any more:
// ILKI_NOT_FOUND stands for nobody.
static void change_first(ilki_names* names, const ilk_name* name, uint32_t old, uint32_t new) {
    uint32_t hash = hash_of_name(name->under, name->text);
    if (name->under == ILKI_NONE)
        ilki_word_note_first(&names->glossary, name->text, new);
    else if (old == ILKI_NOT_FOUND)
        ilki_finder_put(&names->by_name, hash, new);
    else if (new == ILKI_NOT_FOUND)
        ilki_finder_take(&names->by_name, hash, old);
    else
        ilki_finder_swap(&names->by_name, hash, old, new);
}

static void enter_name(ilki_storage* storage, uint32_t slot) {
    ilk_name* name = edit_name(storage, slot);
    uint32_t first = ilki_name_find(storage, name->under, name->text);
    name->next = ILKI_NONE;
    name->previous = slot;
    storage->names->named++;
    if (first == ILKI_NOT_FOUND) {
        change_first(storage->names, name, ILKI_NOT_FOUND, slot);
        return;
    }
    ilk_name* head = edit_name(storage, first);
    name->previous = head->previous;
    edit_name(storage, name->previous)->next = slot;
    head->previous = slot;
}

// Takes an entity out of a list in which it is not alone.
static void unlink_name(ilki_storage* storage, uint32_t slot, const ilk_name* name) {
    uint32_t first = slot;
    ilk_name* before = edit_name(storage, name->previous);
    if (before->next == ILKI_NONE) { // it is the first, and that one is the last
        first = name->next;
        change_first(storage->names, name, slot, first);
    } else {
        if (name->next == ILKI_NONE) first = ilki_name_find(storage, name->under, name->text);
        before->next = name->next;
    }
    uint32_t after = name->next == ILKI_NONE ? first : name->next;
    edit_name(storage, after)->previous = name->previous;
}

static void leave_name(ilki_storage* storage, uint32_t slot) {
    const ilk_name* name = ilki_name_at(storage, slot);
    storage->names->named--;
    if (name->previous == slot)
        change_first(storage->names, name, slot, ILKI_NOT_FOUND);
    else
        unlink_name(storage, slot, name);
}

void ilki_name_move(ilki_storage* storage, uint32_t slot) {
    uint32_t above = ilki_slot_above(storage, slot);
    const ilk_name* name = ilki_name_at(storage, slot);
    if (!name || name->under == above) return;
    leave_name(storage, slot);
    edit_name(storage, slot)->under = above;
    enter_name(storage, slot);
}

void ilki_own_enter(ilki_storage* storage, const ilki_directory* directory, uint32_t slot) {
    if (directory == storage->name) {
        enter_name(storage, slot);
        return;
    }
    const ilk_id* id = ilki_id_at(storage, slot);
    ilki_finder_put(&storage->names->by_id, ilki_hash_pair(id->high, id->low), slot);
}

void ilki_own_leave(ilki_storage* storage, const ilki_directory* directory, uint32_t slot) {
    if (directory == storage->name) {
        leave_name(storage, slot);
        return;
    }
    const ilk_id* id = ilki_id_at(storage, slot);
    ilki_finder_take(&storage->names->by_id, ilki_hash_pair(id->high, id->low), slot);
}

void ilki_name_copied(ilki_storage* storage, uint32_t slot) {
    ilki_word_use(&storage->names->glossary, ilki_name_at(storage, slot)->text);
    enter_name(storage, slot);
}

void ilki_name_arrived(ilki_storage* storage, uint32_t slot) {
    edit_name(storage, slot)->under = ilki_slot_above(storage, slot);
    enter_name(storage, slot);
}

bool ilki_names_ready(ilki_storage* storage, uint32_t count) {
    ilki_names* names = ilki_names_make(storage);
    return names && ilki_finder_ready(&names->by_name, &storage->memory, names->named + count);
}

void ilki_own_drop(ilki_storage* storage, const ilki_directory* directory, uint32_t slot) {
    ilki_names* names = storage->names;
    if (!names) return; // the world ends
    const ilk_name* name = directory == storage->name ? ilki_name_at(storage, slot) : NULL;
    ilki_own_leave(storage, directory, slot);
    if (name) ilki_word_drop(&names->glossary, &storage->memory, name->text);
}
