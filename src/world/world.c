// Worlds: their making, clearing and end, and the types that they know.
#include "world.h"

#include <stdio.h>

#include "../component/registry.h"
#include "../relation/names.h"
#include "../storage/settle.h"

_Static_assert(offsetof(ilk_world, storage) == 0, "a world begins with its storage");

static uint32_t last_id;

void ilki_tell_maker(const ilk_world_desc* desc, ilk_result result, const char* call,
                     const char* why) {
    if (!desc->message) return;
    char text[128];
    snprintf(text, sizeof text, "%s: %s", call, why);
    ilk_message message = {.result = result, .text = text, .call = call};
    ilki_note_place(&message);
    desc->message(desc->message_context, &message);
}

static bool make_name(ilk_world* world, const char* name) {
    char made[32];
    snprintf(made, sizeof made, "world-%u", world->id);
    if (!name || !name[0]) name = made;
    world->name = ilki_alloc(&world->storage.memory, ILKI_OTHER, strlen(name) + 1, 1);
    if (world->name) strcpy(world->name, name);
    return world->name != NULL;
}

static bool make_types(ilk_world* world, ilk_type* const* types, const char* call) {
    for (ilk_type* const* type = types; type && *type; type++) {
        if (!ilki_directory_for(world, *type, call)) return false;
    }
    world->is_restricted = types != NULL;
    return true;
}

static bool world_init(ilk_world* world, const ilk_world_desc* desc, const char* call) {
    ilki_index_init(&world->storage.view.index, desc->max_entities, desc->tag, !desc->no_recycling);
    world->storage.cut = ilki_link_cut;
    world->id = ilki_atomic_next(&last_id);
    world->message = desc->message;
    world->message_context = desc->message_context;
    world->workers = desc->workers < ILKI_WORKERS_MAX ? desc->workers : ILKI_WORKERS_MAX;
    world->jobs = desc->jobs;
    world->names = desc->names;
    ilk_world_own(world);
    return make_name(world, desc->name) && make_types(world, desc->types, call);
}

// What is wrong with a description, or NULL.
static const char* fault_of_world(const ilk_world_desc* desc) {
    if (!desc->allocator.alloc != !desc->allocator.free) return "the allocator is half there";
    if (!desc->jobs.start != !desc->jobs.wait) return "the job system is half there";
    if ((uint32_t)desc->names > ILK_NAMES_UNIQUE) return "there is no such rule for names";
    return NULL;
}

ilk_world* ilki_world_make_unlisted(const ilk_world_desc* desc, const char* call) {
    const char* fault = fault_of_world(desc);
    if (fault) {
        ilki_tell_maker(desc, ILK_INVALID, call, fault);
        return NULL;
    }
    ilki_memory memory;
    ilki_memory_init(&memory, &desc->allocator);
    ilk_world* world = ilki_alloc_zero(&memory, ILKI_OTHER, sizeof *world, _Alignof(ilk_world));
    if (!world) {
        ilki_tell_maker(desc, ILK_NO_MEMORY, call, "no memory for a world");
        return NULL;
    }
    ilki_storage_init(&world->storage, &memory);
    if (world_init(world, desc, call)) return world;
    if (world->failure.result == ILK_OK) {
        ilki_tell_maker(desc, ILK_NO_MEMORY, call, "no memory for a world");
    }
    ilk_world_destroy(world);
    return NULL;
}

ilk_world* ilki_world_make(const ilk_world_desc* desc, const char* call) {
    ilk_world* world = ilki_world_make_unlisted(desc, call);
    if (world) ilki_catalogue_enter(world);
    return world;
}

// Why a world cannot end now; or NULL.
static const char* what_keeps(const ilk_world* world) {
    const char* what = ilki_under_way(world);
    if (!what && world->running && !world->shown) what = "the world is running";
    return !what && world->is_replaying ? "a frame is being played" : what;
}

void ilk_world_destroy(ilk_world* world) {
    const char* what = world ? what_keeps(world) : NULL;
    if (what) ilki_fail_because(world, ILK_LOCKED, "ilk_world_destroy", NULL, "%s", what);
    if (!world || what) return;
    if (world->shown && !ilki_shown_end(world, "ilk_world_destroy")) return;
    ilki_frame frame;
    ilki_catalogue_leave(world);
    ilki_replays_free(world);
    ilki_rings_free(world);
    ilki_history_free(world);
    ilki_plugins_free(world);
    ilki_schedule_free(world);
    ilki_news_stop(world); // nobody could read them any more
    bool is_told = world->tells_end && ilki_tell_unload(world, &frame, "ilk_world_destroy");
    if (is_told) ilki_frame_end(&frame);
    ilki_events_free(world); // those who were told may have read some
    ilki_observers_free(world);
    ilki_cmds_free(world);
    ilki_queries_free(world);
    ilki_recipes_free(world);
    ilki_blueprints_free(world);
    ilki_memory* memory = &world->storage.memory;
    ilki_free(memory, ILKI_OTHER, world->key, world->key_capacity * sizeof *world->key,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_OTHER, world->runs, world->run_capacity * sizeof *world->runs,
              _Alignof(max_align_t));
    ilki_arena_fini(&world->scratch, memory);
    if (world->name) ilki_free(memory, ILKI_OTHER, world->name, strlen(world->name) + 1, 1);
#ifdef ILK_CHECKED
    ilki_free(memory, ILKI_OTHER, world->graves, world->grave_capacity * sizeof *world->graves,
              _Alignof(max_align_t));
#endif
    ilki_hashes_free(world);
    ilki_deltas_free(world);
    ilki_kept_free(world);
    ilki_relations_fini(&world->relations, &world->storage);
    ilki_names_free(&world->storage);
    ilki_storage_fini(&world->storage);
    ilki_resources_free(world); // values may have pointed to them until now
    ilki_memory rest = *memory;
    ilki_free(&rest, ILKI_OTHER, world, sizeof *world, _Alignof(ilk_world));
}

void ilk_world_own(ilk_world* world) {
#ifdef ILK_CHECKED
    if (world) world->owner = ilki_thread();
#else
    (void)world;
#endif
}

const char* ilk_world_name(const ilk_world* world) {
    return world ? world->name : "";
}

uint32_t ilk_world_id(const ilk_world* world) {
    return world ? world->id : 0;
}

void ilk_world_set_user(ilk_world* world, void* user) {
    if (ilki_enter(world, "ilk_world_set_user") == ILK_OK) world->user = user;
}

void* ilk_world_user(const ilk_world* world) {
    return world ? world->user : NULL;
}

uint32_t ilk_world_max_entities(const ilk_world* world) {
    if (!world || world->storage.view.index.max == UINT32_MAX) return 0;
    return world->storage.view.index.max;
}

void ilk_clear(ilk_world* world) {
    if (ilki_enter(world, "ilk_clear") != ILK_OK) return;
    ilki_frame frame;
    bool is_told = world->tells_end;
    if (is_told && !ilki_tell_unload(world, &frame, "ilk_clear")) return;
    ilki_bury_all(world);
    ilki_recipes_free(world);
    ilki_observers_leave_all(world);
    ilki_relations_clear(&world->relations, &world->storage);
    ilki_storage_clear(&world->storage);
    ilki_kept_free(world);
    ilki_index_clear(&world->storage.view.index);
    if (!is_told) return;
    ilki_frame_done(&frame);
    ilki_frame_end(&frame);
}

void ilk_trim(ilk_world* world) {
    if (ilki_enter(world, "ilk_trim") != ILK_OK) return;
    ilki_hashes_free(world);
    ilki_deltas_free(world);
    ilki_recipes_free(world);
    ilki_observers_trim(world);
    ilki_cmds_trim(world);
    ilki_events_trim(world);
    ilki_schedule_trim(world);
    ilki_queries_trim(world);
    ilki_relations_trim(&world->relations, &world->storage);
    ilki_names_trim(&world->storage);
    if (!world->scratch_users) ilki_arena_fini(&world->scratch, &world->storage.memory);
    ilki_storage_trim(&world->storage);
}

ilk_settled ilk_settle(ilk_world* world, uint32_t blocks) {
    ilk_result result = ilki_enter(world, "ilk_settle");
    if (result != ILK_OK) return (ilk_settled){.done = true, .result = result};
    world->run_count = 0;
    ilk_settled settled = ilki_settle(&world->storage, blocks);
    ilki_report_stale(world, "ilk_settle");
    return settled;
}

static void report_clash(ilk_world* world, const ilk_type* type, const ilk_type* known,
                         const char* call) {
    size_t align = ilki_type_align(type);
    bool is_alike = type->size == known->size && align == known->align;
    ilki_fail_because(world, ILK_CLASH, call, type,
                      "%s is %zu bytes aligned to %zu here, but %zu bytes aligned to %zu where it "
                      "was first used%s",
                      known->name, type->size, align, known->size, known->align,
                      !is_alike                             ? ""
                      : !type->relation && !known->relation ? ", and its fields differ"
                                                            : ", and relates otherwise");
}

// Reports a type that no world can take. False if the result is another.
bool ilki_refuse_because(ilk_world* world, ilk_result result, const ilk_type* type,
                         const ilk_type* known, const char* why, const char* call) {
    if (result == ILK_CLASH) {
        report_clash(world, type, known, call);
    } else if (result == ILK_INVALID) {
        ilki_fail_because(world, result, call, type, "type %s is unsound: %s",
                          type->name ? type->name : "NULL", why);
    }
    return result == ILK_CLASH || result == ILK_INVALID;
}

static bool refuse_null(ilk_world* world, const ilk_type* type, const char* call) {
    if (!type) ilki_fail_because(world, ILK_INVALID, call, NULL, "the type is NULL");
    return !type;
}

bool ilki_refuse(ilk_world* world, ilk_type* type, const char* call) {
    const char* why = NULL;
    ilk_type* known = NULL;
    if (refuse_null(world, type, call)) return true;
    ilk_result result = ilki_type_resolve(type, false, &known, &why);
    return ilki_refuse_because(world, result, type, known, why, call);
}

ilk_type* ilki_type_for(ilk_world* world, ilk_type* type, const char* call) {
    const char* why = NULL;
    ilk_type* known = NULL;
    if (refuse_null(world, type, call)) return NULL;
    ilk_result result = ilki_type_resolve(type, true, &known, &why);
    if (result == ILK_OK) return known;
    if (!ilki_refuse_because(world, result, type, known, why, call)) {
        ilki_fail(world, result, call, ILKI_NULL, type);
    }
    return NULL;
}

// Introduces a type, and the tag of the dying if it comes with it, to the storage and to observers.
static ilk_result take_in(ilk_world* world, ilk_type* known) {
    ilki_storage* storage = &world->storage;
    uint32_t count = storage->type_count;
    if (!ilki_observers_expect(world, ilki_brings_dying(storage, known) ? 2 : 1)) {
        return ILK_NO_MEMORY;
    }
    ilki_relation* relation =
        known->relation ? ilki_relation_make(&world->relations, storage, known) : NULL;
    if (known->relation && !relation) return ILK_NO_MEMORY;
    ilk_result result = ilki_storage_introduce(storage, known);
    if (result != ILK_OK)
        ilki_relation_free(storage, relation);
    else if (relation)
        ilki_relation_enter(&world->relations, relation, storage->types[count]);
    for (uint32_t i = count; i < storage->type_count; i++) {
        ilki_observers_meet(world, storage->types[i]);
    }
    return result;
}

ILKI_NOINLINE ilki_directory* ilki_introduce(ilk_world* world, ilk_type* type, const char* call) {
    const char* why = NULL;
    ilk_type* known = NULL;
    if (refuse_null(world, type, call)) return NULL;
    bool is_open = !world->is_restricted || (type->name && ilki_own_type(type->name));
    ilk_result result = ilki_type_resolve(type, is_open, &known, &why);
    if (ilki_refuse_because(world, result, type, known, why, call)) return NULL;
    ilki_directory* directory =
        result == ILK_OK ? ilki_directory_of(&world->storage.view, type) : &ilki_no_directory;
    if (directory != &ilki_no_directory) return directory;
    if (!is_open) {
        ilki_fail_because(world, ILK_FOREIGN, call, type,
                          "%s is not among the types that world \"%s\" is restricted to",
                          type->name, world->name);
        return NULL;
    }
    if (result == ILK_OK) result = take_in(world, known);
    if (result == ILK_OK) return ilki_directory_of(&world->storage.view, type);
    ilki_fail(world, result, call, ILKI_NULL, type);
    return NULL;
}

ilk_result ilk_register(ilk_world* world, ilk_type* type) {
    ilk_result result = ilki_enter_for(world, ILKI_NULL, type, "ilk_register");
    if (result != ILK_OK) return result;
    uint32_t count = world->storage.type_count;
    ilki_directory* directory = ilki_directory_for(world, type, "ilk_register");
    if (!directory) return ilki_last_result(world);
    if (directory->is_out) return ilki_bring_back(world, directory, "ilk_register");
    if (world->storage.type_count > count) return ILK_OK;
    return ilki_fail_because(world, ILK_EXISTS, "ilk_register", type,
                             "world \"%s\" knows %s already", world->name, type->name);
}

uint32_t ilk_type_count(const ilk_world* world) {
    return world ? world->storage.type_count : 0;
}

uint32_t ilk_type_number(const ilk_world* world, ilk_type* type) {
    if (!world || !type) return UINT32_MAX;
    ilki_type_recall(type);
    const ilki_directory* directory = ilki_directory_of(&world->storage.view, type);
    return directory == &ilki_no_directory ? UINT32_MAX : directory->number;
}

ilk_type* ilk_type_at(const ilk_world* world, uint32_t number) {
    if (!world || number >= world->storage.type_count) return NULL;
    return world->storage.types[number]->type;
}

ilk_type* ilk_type_named(const ilk_world* world, const char* name) {
    ilk_type* type = world && name ? ilki_type_find(name) : NULL;
    return type && ilk_type_number(world, type) != UINT32_MAX ? type : NULL;
}
