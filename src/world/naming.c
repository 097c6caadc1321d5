// Giving names and ids, and finding entities by them. The tables are in relation/names.c.
#include <string.h>

#include "../component/registry.h"
#include "../entity/handle.h"
#include "../relation/names.h"
#include "world.h"

// What is the matter if another entity has the name or the id already.
static ilk_result fail_for_holder(ilk_world* world, ilk_entity e, const ilki_directory* directory,
                                  uint32_t holder, const char* text, const char* call) {
    char handle[48];
    ilki_text to = ilki_text_begin(handle, sizeof handle);
    ilki_put_handle(&to, &world->storage.view.index, ilki_found_in(&world->storage, holder));
    return ilki_fail_for(world, ILK_EXISTS, call, e, directory->type, "\"%s\" is entity %s", text,
                         handle);
}

bool ilki_refuse_indexed(ilk_world* world, const ilk_type* type, const char* call) {
    const ilki_directory* directory = ilki_directory_of(&world->storage.view, type);
    bool is_known = directory != &ilki_no_directory;
    if (!type || (is_known && !ilki_is_indexed(&world->storage, directory))) return false;
    if (!is_known && !ilki_type_is_indexed(type)) return false;
    ilki_fail_because(world, ILK_INVALID, call, type, "%s is given by %s alone", type->name,
                      strcmp(type->name, ilk_id_type.name) == 0 ? "ilk_set_id" : "ilk_set_name");
    return true;
}

// The slot of the parent under which an entity is looked up.
static uint32_t under_of(const ilk_world* world, ilk_entity e) {
    if (world->names == ILK_NAMES_UNIQUE) return ILKI_NONE;
    return ilki_slot_above(&world->storage, e.index);
}

ilk_result ilki_may_come_below(ilk_world* world, ilk_entity e, const ilki_directory* directory,
                               uint32_t above, const char* call) {
    const ilki_storage* storage = &world->storage;
    bool is_free = world->names != ILK_NAMES_UNIQUE_AMONG_SIBLINGS;
    if (directory != storage->child_of || is_free) return ILK_OK;
    const ilk_name* name = ilki_name_at(storage, e.index);
    uint32_t holder = name ? ilki_name_find(storage, above, name->text) : ILKI_NOT_FOUND;
    if (holder == ILKI_NOT_FOUND || holder == e.index) return ILK_OK;
    const char* text = ilk_text_at(world, name->text);
    return fail_for_holder(world, e, directory, holder, text, call);
}

void ilki_has_come_below(ilk_world* world, const ilki_directory* directory, uint32_t slot) {
    bool is_found_so = world->names != ILK_NAMES_UNIQUE;
    if (directory == world->storage.child_of && is_found_so) ilki_name_move(&world->storage, slot);
}

// The directory of one of the two types, ready for one more; or NULL, and the failure is noted.
static ilki_directory* ready_to_name(ilk_world* world, ilk_entity e, ilk_type* type,
                                     const char* call) {
    ilki_directory* directory = ilki_directory_for(world, type, call);
    if (!directory) return NULL;
    bool is_ready = ilki_names_make(&world->storage) && ilki_own_ready(&world->storage, directory);
    if (is_ready) return directory;
    ilki_fail(world, ILK_NO_MEMORY, call, e, type);
    return NULL;
}

// What is about to change, and for whom.
typedef struct own_change {
    ilk_world* world;
    ilk_entity entity;
    ilki_directory* directory;
    const void* bytes; // the new value
    void* old;         // receives the old one, if there is one
    const char* call;
} own_change;

// Puts the new value in the place of the old one, and switches it on.
static void overwrite_own(const own_change* c) {
    ilki_storage* storage = &c->world->storage;
    uint32_t place = ilki_record_at(&storage->view.index, c->entity.index)->place;
    ilki_block* block = ilki_block_at(c->directory, ilki_chunk_of(place));
    void* value = ilki_value_at(c->directory, block, ilki_row_of(place));
    ilki_mark(storage, c->directory, block, place, false);
    ilki_value_switch(storage, c->directory, block, place, true);
    ilki_own_leave(storage, c->directory, c->entity.index);
    memcpy(c->old, value, c->directory->size);
    memcpy(value, c->bytes, c->directory->size);
}

// False, and the failure is noted, if the value cannot be given.
static bool put_own_quietly(const own_change* c, bool was_there) {
    ilk_value value = {c->directory->type, c->bytes};
    if (was_there)
        overwrite_own(c);
    else if (ilki_add_quietly(c->world, c->entity, value, c->call) != ILK_OK)
        return false;
    ilki_own_enter(&c->world->storage, c->directory, c->entity.index);
    return true;
}

// The same, and tells whoever observes it.
static ilk_result put_own(const own_change* c) {
    ilki_frame frame;
    ilk_world* world = c->world;
    ilk_type* type = c->directory->type;
    bool was_there = ilki_has(world, c->entity, type);
    bool was_off = was_there && !ilk_enabled(world, c->entity, type);
    uint32_t announced = was_off ? ILK_ON_SET | ILK_ON_ENABLE : was_there ? ILK_ON_SET : ILK_ON_ADD;
    if (!ilki_is_watched(world, c->directory, announced)) {
        return put_own_quietly(c, was_there) ? ILK_OK : ilki_last_result(world);
    }
    if (!ilki_frame_begin_one(&frame, world, c->directory, c->entity, ILK_REASON_CHANGE, c->call)) {
        return ilki_last_result(world);
    }
    bool is_put = ilki_frame_before(&frame) && put_own_quietly(c, was_there);
    ilk_result result = is_put ? ILK_OK : ilki_last_result(world);
    if (is_put) ilki_tell_change(&frame, announced, was_there ? c->old : NULL);
    ilki_frame_end(&frame);
    return result;
}

// Begins a verb about an entity, which must be alive, and not dying.
static ilk_result enter_alive(ilk_world* world, ilk_entity e, const ilk_type* type,
                              const char* call) {
    ilk_result result = ilki_enter_for(world, e, type, call);
    if (result != ILK_OK) return result;
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    bool is_dead = !record || ilki_is_dying(&world->storage, record->place);
    return is_dead ? ilki_fail(world, ILK_DEAD, call, e, type) : ILK_OK;
}

static ilk_result take_away(ilk_world* world, ilk_entity e, ilk_type* type, const char* call) {
    return ilki_has(world, e, type) ? ilki_remove_as(world, e, type, call) : ILK_OK;
}

// Names an entity, by a text that is used for it, and is not if it fails.
static ilk_result name_by(ilk_world* world, ilk_entity e, ilki_directory* directory, uint32_t text,
                          const char* call) {
    ilki_storage* storage = &world->storage;
    ilk_name old = {0}, name = {.text = text, .under = under_of(world, e)};
    ilk_result result = put_own(&(own_change){world, e, directory, &name, &old, call});
    uint32_t unused = result == ILK_OK ? old.text : text;
    if (unused) ilki_word_drop(&storage->names->glossary, &storage->memory, unused);
    return result;
}

static ilk_result set_name(ilk_world* world, ilk_entity e, const char* text, size_t length) {
    const char* call = "ilk_set_name";
    ilki_storage* storage = &world->storage;
    ilki_directory* directory = ready_to_name(world, e, &ilk_name_type, call);
    if (!directory) return ilki_last_result(world);
    ilki_glossary* glossary = &storage->names->glossary;
    uint32_t number = ilki_word_find(glossary, text, length);
    const ilk_name* name = ilki_name_at(storage, e.index);
    if (name && name->text == number) return ILK_OK;
    uint32_t holder = world->names == ILK_NAMES_FREE || !number
                          ? ILKI_NOT_FOUND
                          : ilki_name_find(storage, under_of(world, e), number);
    if (holder != ILKI_NOT_FOUND) return fail_for_holder(world, e, directory, holder, text, call);
    number = ilki_word_take(glossary, &storage->memory, text, length);
    if (!number) return ilki_fail(world, ILK_NO_MEMORY, call, e, directory->type);
    return name_by(world, e, directory, number, call);
}

ilk_result ilki_refuse_long_name(ilk_world* world, ilk_entity e, size_t length, const char* call) {
    return ilki_fail_for(world, ILK_INVALID, call, e, &ilk_name_type,
                         "an ilk_name has at most %u bytes, and this one %zu", ILK_NAME_MAX,
                         length);
}

ilk_result ilk_set_name(ilk_world* world, ilk_entity e, const char* name) {
    const char* call = "ilk_set_name";
    ilk_result result = enter_alive(world, e, &ilk_name_type, call);
    if (result != ILK_OK) return result;
    size_t length = name ? strlen(name) : 0;
    if (length == 0) return take_away(world, e, &ilk_name_type, call);
    if (length > ILK_NAME_MAX) return ilki_refuse_long_name(world, e, length, call);
    return set_name(world, e, name, length);
}

ilk_result ilk_set_id(ilk_world* world, ilk_entity e, ilk_id id) {
    const char* call = "ilk_set_id";
    ilk_result result = enter_alive(world, e, &ilk_id_type, call);
    if (result != ILK_OK) return result;
    if (!id.high && !id.low) return take_away(world, e, &ilk_id_type, call);
    ilki_directory* directory = ready_to_name(world, e, &ilk_id_type, call);
    if (!directory) return ilki_last_result(world);
    uint32_t holder = ilki_id_find(&world->storage, id);
    if (holder == e.index) return ILK_OK;
    if (holder != ILKI_NOT_FOUND) {
        char text[33];
        ilk_id_text(id, text, sizeof text);
        return fail_for_holder(world, e, directory, holder, text, call);
    }
    ilk_id old;
    return put_own(&(own_change){world, e, directory, &id, &old, call});
}

void ilki_put_entity(ilki_text* to, const ilk_world* world, ilk_entity e) {
    const char* name = ilk_name_of(world, e);
    ilki_put_handle(to, &world->storage.view.index, e);
    if (!name) return;
    ilki_text_put(to, " ");
    ilki_text_quote(to, name);
}

const char* ilk_name_of(const ilk_world* world, ilk_entity e) {
    if (!world || !ilki_alive(world, e)) return NULL;
    const ilk_name* name = ilki_name_at(&world->storage, e.index);
    return name ? ilk_text_at(world, name->text) : NULL;
}

ilk_id ilk_id_of(const ilk_world* world, ilk_entity e) {
    if (!world || !ilki_alive(world, e)) return (ilk_id){0, 0};
    const ilk_id* id = ilki_id_at(&world->storage, e.index);
    return id ? *id : (ilk_id){0, 0};
}

ilk_entity ilk_entity_by_id(const ilk_world* world, ilk_id id) {
    if (!world) return ILKI_NULL;
    return ilki_found_in(&world->storage, ilki_id_find(&world->storage, id));
}

const char* ilk_text_at(const ilk_world* world, uint32_t number) {
    const ilki_names* names = world ? world->storage.names : NULL;
    const ilki_word* word = names ? ilki_word_at(&names->glossary, number) : NULL;
    return word ? word->text : NULL;
}

static uint32_t number_of(const ilk_world* world, const char* text, size_t length) {
    const ilki_names* names = world->storage.names;
    return names ? ilki_word_find(&names->glossary, text, length) : 0;
}

uint32_t ilk_text_number(const ilk_world* world, const char* text) {
    return world && text ? number_of(world, text, strlen(text)) : 0;
}
