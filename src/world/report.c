// Failures: noted by every verb that changes a world, told to the callback as sentences.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../component/registry.h"
#include "../entity/handle.h"
#include "blueprint.h"
#include "world.h"

#ifdef ILK_CHECKED
static _Thread_local const char* here_file;
static _Thread_local int here_line;

ILK_API void ilk_here(const char* file, int line);
void ilk_here(const char* file, int line) {
    here_file = file;
    here_line = line;
}
#endif

// The name of a type, in memory that stays: the caller's may go before somebody asks.
static const char* keep_name(ilki_failure* f, const ilk_type* type) {
    if (!type || !type->name) return NULL;
    snprintf(f->name, sizeof f->name, "%s", type->name);
    return f->name;
}

static void say_full(const ilk_world* world, ilki_text* to) {
    uint32_t max = world->storage.view.index.max;
    if (max == UINT32_MAX)
        ilki_text_format(to, "world \"%s\" has no index or chunk left", world->name);
    else
        ilki_text_format(to, "world \"%s\" has room for at most %u entities", world->name, max);
}

// Whose handle it is or, in the checked build, where the last entity of that index went.
static void say_why_dead(const ilk_world* world, ilk_entity e, ilki_text* to) {
    const ilki_index* index = &world->storage.view.index;
    if (ilki_is_tagged_otherwise(index, e)) {
        ilki_text_format(to, ", whose tag is %u", index->tag >> ILKI_TAG_SHIFT);
        return;
    }
#ifdef ILK_CHECKED
    bool is_known = e.index < index->slots && e.index < world->grave_capacity;
    const struct ilki_grave* grave = is_known ? &world->graves[e.index] : NULL;
    if (grave && grave->file) {
        ilki_text_format(to, ": the last entity there was destroyed at %s:%d", grave->file,
                         grave->line);
    }
#endif
}

static void say_entity(const ilk_world* world, ilk_entity e, ilki_text* to) {
    ilki_text_put(to, "entity ");
    ilki_put_entity(to, world, e);
}

static void say_dead(const ilk_world* world, ilk_entity e, ilki_text* to) {
    if (ilk_is_null(e)) {
        ilki_text_put(to, "the null entity is not alive");
        return;
    }
    if (ilki_stands_for(e)) {
        ilki_text_format(to, "%u stands for what a blueprint makes, and is no entity", e.index);
        return;
    }
    bool is_dying = ilk_dying(world, e);
    say_entity(world, e, to);
    ilki_text_format(to, " is %s in world \"%s\"", is_dying ? "dying" : "not alive", world->name);
    if (!is_dying) say_why_dead(world, e, to);
}

static void say_rest(const ilk_world* world, const ilki_failure* f, ilki_text* to) {
    const char* type = f->type ? f->type : "component";
    if (f->detail[0]) {
        ilki_text_put(to, f->detail);
        return;
    }
    switch (f->result) {
    case ILK_DEAD:
        say_dead(world, f->entity, to);
        return;
    case ILK_EXISTS:
        say_entity(world, f->entity, to);
        ilki_text_format(to, " has %s already", type);
        return;
    case ILK_MISSING:
        say_entity(world, f->entity, to);
        ilki_text_format(to, " has no %s", type);
        return;
    case ILK_FULL:
        say_full(world, to);
        return;
    case ILK_NO_MEMORY:
        ilki_text_format(to, "no memory%s%s in world \"%s\"", f->type ? " for " : "",
                         f->type ? f->type : "", world->name);
        return;
    default:
        ilki_text_put(to, ilk_result_text(f->result));
    }
}

// The call, what it is about unless the rest says so, the system that is concerned, and what
// happened.
static void say(const ilk_world* world, const ilki_failure* f, ilki_text* to) {
    bool is_explained = f->result == ILK_LOCKED || (f->detail[0] && !ilk_is_null(f->entity));
    ilki_text_put(to, f->call);
    if (f->type && (f->result == ILK_DEAD || is_explained)) ilki_text_format(to, " of %s", f->type);
    if (is_explained && !ilk_is_null(f->entity)) {
        ilki_text_put(to, " for ");
        say_entity(world, f->entity, to);
    }
    if (f->system[0]) ilki_text_format(to, ": %s", f->system);
    ilki_text_put(to, ": ");
    say_rest(world, f, to);
}

static _Thread_local ilki_desk* desk_here;

ilki_desk* ilki_sit_down(ilki_desk* desk) {
    ilki_desk* before = desk_here;
    desk_here = desk;
    return before;
}

ilki_desk* ilki_desk_in(const ilk_world* world) {
    return desk_here && desk_here->world == world ? desk_here : NULL;
}

// The last failure of this thread in a world.
static ilki_failure* failure_in(ilk_world* world) {
    ilki_desk* desk = ilki_desk_in(world);
    return desk && desk->number ? &desk->failure : &world->failure;
}

ilk_result ilki_last_result(ilk_world* world) {
    return failure_in(world)->result;
}

uint32_t ilki_failures(ilk_world* world) {
    return failure_in(world)->serial;
}

// Makes the sentence, once: the world may change before somebody asks again.
static void make_text(ilk_world* world, ilki_failure* f) {
    if (f->has_text) return;
    f->has_text = true;
    ilki_text to = ilki_text_begin(f->text, sizeof f->text);
    say(world, f, &to);
}

static ilk_message message_on(ilk_world* world, ilki_failure* f) {
    make_text(world, f);
    return (ilk_message){f->result, f->text, f->call, f->type, f->entity, f->file, f->line};
}

ilk_message ilk_error(ilk_world* world) {
    ilki_failure* f = world ? failure_in(world) : NULL;
    return f && f->result != ILK_OK ? message_on(world, f) : (ilk_message){.text = "", .call = ""};
}

// Tells the callback; where several systems are in, for one of them at a time.
static void tell_callback(ilk_world* world, const ilk_message* message) {
    ilki_desk* desk = world->storage.is_shared ? ilki_desk_in(world) : NULL;
    if (!desk) {
        world->message(world->message_context, message);
        return;
    }
    if (desk->is_telling) return;
    desk->is_telling = true;
    ilki_lock_take(&world->tell_lock);
    world->message(world->message_context, message);
    ilki_lock_give(&world->tell_lock);
    desk->is_telling = false;
}

static void tell(ilk_world* world, ilki_failure* f) {
#ifdef ILK_CHECKED
    f->file = here_file;
    f->line = here_line;
    make_text(world, f);
#endif
    if (!world->message || world->is_muted) return;
    ilk_message message = message_on(world, f);
    tell_callback(world, &message);
}

// The system that is being made, or the system or observer whose commands are applied, if it is the
// world's thread that fails.
static void keep_concerned(const ilk_world* world, ilki_failure* f) {
    const char* name = f == &world->failure ? world->concerned : NULL;
    f->system[0] = 0;
    if (!name) return;
    const char* kind = world->is_observer ? "observer" : "system";
    snprintf(f->system, sizeof f->system, "%s \"%s\"", kind, name);
}

// Notes a failure, all but its detail.
static ilki_failure* note_failure(ilk_world* world, ilk_result result, const char* call,
                                  ilk_entity e, const ilk_type* type) {
    ilki_failure* f = failure_in(world);
    f->result = result;
    f->call = call;
    f->entity = e;
    f->type = keep_name(f, type);
    keep_concerned(world, f);
    f->has_text = false;
    f->serial++;
    return f;
}

ILKI_NOINLINE ilk_result ilki_fail(ilk_world* world, ilk_result result, const char* call,
                                   ilk_entity e, const ilk_type* type) {
    ilki_failure* f = note_failure(world, result, call, e, type);
    f->detail[0] = 0;
    tell(world, f);
    return result;
}

ILKI_NOINLINE ilk_result ilki_fail_because(ilk_world* world, ilk_result result, const char* call,
                                           const ilk_type* type, const char* format, ...) {
    ilki_failure* f = note_failure(world, result, call, ILKI_NULL, type);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(f->detail, sizeof f->detail, format, arguments);
    va_end(arguments);
    tell(world, f);
    return result;
}

ILKI_NOINLINE ilk_result ilki_fail_for(ilk_world* world, ilk_result result, const char* call,
                                       ilk_entity e, const ilk_type* type, const char* format,
                                       ...) {
    ilki_failure* f = note_failure(world, result, call, e, type);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(f->detail, sizeof f->detail, format, arguments);
    va_end(arguments);
    tell(world, f);
    return result;
}

// The system that this thread runs; or another, if it was asked for its condition.
static const char* name_of_running(const ilk_world* world) {
    const ilki_desk* desk = ilki_desk_in(world);
    return desk && desk->system ? desk->running : world->running;
}

ILKI_NOINLINE ilk_result ilki_fail_locked(ilk_world* world, ilk_entity e, const ilk_type* type,
                                          const char* call) {
    const ilki_desk* desk = ilki_desk_in(world);
    bool is_asked = desk && !desk->system;
    ilki_failure* f = note_failure(world, ILK_LOCKED, call, e, type);
    if (world->shown)
        snprintf(f->detail, sizeof f->detail,
                 "the world \"%.200s\" is what a snapshot holds, and cannot be changed",
                 world->name);
    else if (world->receiving)
        snprintf(f->detail, sizeof f->detail,
                 "entities of another world are about to come by %s, and observers there are told",
                 world->receiving);
    else if (world->told)
        snprintf(f->detail, sizeof f->detail,
                 "observer \"%s\" is being told: changes go through its notice->cmd, other calls "
                 "through ilk_cmd_call",
                 world->told);
    else
        snprintf(f->detail, sizeof f->detail, "system \"%s\" is %s", name_of_running(world),
                 is_asked
                     ? "being asked whether it is to run"
                     : "running: changes go through it->cmd, other calls through ilk_cmd_call or "
                       "after the update");
    tell(world, f);
    return ILK_LOCKED;
}

ilk_result ilki_enter_to_write(ilk_world* world, ilk_entity e, ilk_type* type, const char* call) {
    const ilki_desk* desk = world && world->running ? ilki_desk_in(world) : NULL;
    if (!desk || !desk->system || !type) return ilki_enter_for(world, e, type, call);
    ilki_type_recall(type);
    if (desk->may(desk->system, type, true)) return ILK_OK;
    return ilki_fail_for(world, ILK_LOCKED, call, e, type, "system \"%s\" %s", desk->running,
                         desk->is_piece
                             ? "is parallel, and writes in the columns of its rows only"
                             : "does not declare that it writes it, under .writes or in its query");
}

ilk_result ilki_enter_to_copy(ilk_world* world, ilk_entity e, const char* call) {
    if (!world || !world->shown) return ilki_enter_for(world, e, NULL, call);
    ilk_result result = ilki_enter_to_look(world, call);
    return result == ILK_OK ? ilki_show_all(world, call) : result;
}

ilk_result ilki_enter_to_edit_resource(ilk_world* world, ilk_type* type, const char* call) {
    const ilki_desk* desk = world && world->running ? ilki_desk_in(world) : NULL;
    if (!desk || !desk->system || !type) return ilki_enter_for(world, ILKI_NULL, type, call);
    ilki_type_recall(type);
    if (desk->may_resource(desk->system, type, true)) return ILK_OK;
    return ilki_fail_for(
        world, ILK_LOCKED, call, ILKI_NULL, type, "system \"%s\" %s", desk->running,
        desk->is_piece ? "is parallel, and edits no resource: ilk_cmd_resource_set replaces it"
                       : "does not declare that it writes it, under .writes_resources");
}

#ifdef ILK_CHECKED
ilk_result ilki_enter_for(ilk_world* world, ilk_entity e, const ilk_type* type, const char* call) {
    ilk_result result = ilki_enter_to_look(world, call);
    bool is_locked = result == ILK_OK && world->running;
    return is_locked ? ilki_fail_locked(world, e, type, call) : result;
}

ilk_result ilki_enter_to_look(ilk_world* world, const char* call) {
    if (!world) return ILK_INVALID;
    if (world->owner == ilki_thread() || ilki_desk_in(world)) return ILK_OK;
    return ilki_fail_because(world, ILK_WRONG_THREAD, call, NULL,
                             "world \"%s\" belongs to another thread", world->name);
}

bool ilki_may_use(const ilk_world* world, ilk_type* type, bool writes, const char* call) {
    const ilki_desk* desk = ilki_desk_in(world);
    if (!desk || !desk->system || !type) return true;
    ilki_type_recall(type);
    if (desk->may(desk->system, type, writes)) return true;
    // A failure is noted, not changed: the world is as it was.
    ilki_fail_because((ilk_world*)(uintptr_t)world, ILK_INVALID, call, type,
                      "system \"%s\" does not declare that it %s %s%s", desk->running,
                      writes ? "writes" : "reads", type->name,
                      desk->is_piece ? ", or other pieces of it write there" : "");
    return false;
}

bool ilki_may_use_resource(const ilk_world* world, ilk_type* type, const char* call) {
    const ilki_desk* desk = ilki_desk_in(world);
    if (!desk || !desk->system || !type) return true;
    ilki_type_recall(type);
    if (desk->may_resource(desk->system, type, false)) return true;
    ilki_fail_because((ilk_world*)(uintptr_t)world, ILK_INVALID, call, type,
                      "system \"%s\" does not declare that it reads resource %s", desk->running,
                      type->name ? type->name : "NULL");
    return false;
}

bool ilki_may_walk(const ilk_world* world, const ilk_query* query, bool has_columns,
                   const char* call) {
    for (uint32_t i = 0; i < ILKI_FURTHER_TYPES; i++) {
        if (!ilki_may_use(world, ilki_further_type(query, i), false, call)) return false;
    }
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ilki_term* term = &query->terms[i];
        bool is_column = i < query->column_count;
        if (is_column ? !has_columns : term->access < ILK_ACCESS_CHANGED) continue;
        bool writes = term->access == ILK_ACCESS_WRITE;
        if (!ilki_may_use(world, term->type, writes, call)) return false;
    }
    return true;
}

ilki_here ilki_place_of_call(void) {
    return (ilki_here){here_file, here_line};
}

void ilki_set_place_of_call(ilki_here place) {
    here_file = place.file;
    here_line = place.line;
}

void ilki_note_place(ilk_message* message) {
    message->file = here_file;
    message->line = here_line;
}

void ilki_bury(ilk_world* world, uint32_t slot) {
    if (!ilki_grow(&world->storage.memory, ILKI_OTHER, &world->graves, &world->grave_capacity,
                   slot + 1, sizeof *world->graves)) {
        return;
    }
    world->graves[slot].file = here_file;
    world->graves[slot].line = here_line;
}

void ilki_bury_all(ilk_world* world) {
    const ilki_index* index = &world->storage.view.index;
    for (uint32_t slot = 0; slot < index->slots; slot++) {
        if (!(ilki_record_at(index, slot)->generation & ILKI_DEAD_BIT)) ilki_bury(world, slot);
    }
}

void ilki_report_stale(ilk_world* world, const char* call) {
    const ilk_type* type = world->storage.stale;
    if (!type) return;
    bool was_muted = world->is_muted;
    world->storage.stale = NULL;
    world->is_muted = false;
    ilki_fail_because(world, ILK_STALE, call, type,
                      "a %s was written to after it was removed or its entity destroyed",
                      type->name);
    world->is_muted = was_muted;
}
#endif

ilk_result ilk_fail(ilk_world* world, ilk_result result, const char* call, const char* why) {
    return world ? ilki_fail_because(world, result, call ? call : "", NULL, "%s", why ? why : "")
                 : result;
}

bool ilk_is_locked(const ilk_world* world) {
    return world && world->running;
}
