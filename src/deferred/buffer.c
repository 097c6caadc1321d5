#include "buffer.h"

#include <ilk/relation.h>
#include <string.h>

#include "../component/registry.h"
#include "../world/blueprint.h"

static ilki_memory* memory_of(const ilk_cmd* cmd) {
    return &cmd->world->storage.memory;
}

ilk_cmd* ilki_cmd_take(ilk_world* world, ilki_cmd_owner owner, const char* call) {
    ilk_cmd* cmd = world->spare_cmds;
    if (cmd)
        world->spare_cmds = cmd->next;
    else
        cmd = ilki_alloc_zero(&world->storage.memory, ILKI_OTHER, sizeof *cmd, _Alignof(ilk_cmd));
    if (!cmd) {
        ilki_fail_because(world, ILK_NO_MEMORY, call, NULL,
                          "no memory for a buffer in world \"%s\"", world->name);
        return NULL;
    }
    *cmd = (ilk_cmd){
        .world = world, .next = world->cmds, .own = cmd->own, .is_taken = true, .owner = owner};
    cmd->arena = &cmd->own;
    cmd->link = &cmd->first;
    if (cmd->next) cmd->next->previous = cmd;
    world->cmds = cmd;
    return cmd;
}

ilk_cmd* ilk_cmd_take(ilk_world* world) {
    const char* call = "ilk_cmd_take";
    if (ilki_enter(world, call) != ILK_OK) return NULL;
    return ilki_cmd_take(world, ILKI_OF_CALLER, call);
}

static void drop_values(const ilki_command* command) {
    for (uint32_t i = 0; i < command->count; i++) {
        const ilk_value* value = &ilki_values_of(command)[i];
        if (value->bytes) ilki_value_drop(value->type, (void*)(uintptr_t)value->bytes);
    }
}

static bool makes(const ilki_command* command) {
    return command->kind == ILKI_CMD_CREATE || command->kind == ILKI_CMD_SPAWN ||
           command->kind == ILKI_CMD_BLUEPRINT;
}

static void release_handle(ilk_cmd* cmd, ilk_entity e) {
    ilki_index* index = &cmd->world->storage.view.index;
    if (ilki_index_is_reserved(index, e)) ilki_index_release(index, e.index);
}

void ilki_command_forgo(ilk_cmd* cmd, const ilki_command* command) {
    drop_values(command);
    if (makes(command)) release_handle(cmd, command->entity);
}

// The same while lanes are open: the handle is released later.
static void forgo_later(ilk_cmd* cmd, ilki_command* command) {
    drop_values(command);
    if (!makes(command)) return;
    command->next = cmd->forgone;
    cmd->forgone = command;
}

void ilki_buffer_init(ilk_cmd* cmd, ilk_world* world, ilki_lanes* lanes, ilki_lane* lane) {
    *cmd = (ilk_cmd){
        .world = world, .lanes = lanes, .lane = lane, .is_taken = true, .owner = ILKI_OF_SYSTEM};
    cmd->arena = &cmd->own;
    cmd->link = &cmd->first;
}

void ilki_buffer_release(ilk_cmd* cmd) {
    for (const ilki_command* c = cmd->forgone; c; c = c->next) release_handle(cmd, c->entity);
    cmd->forgone = NULL;
}

void ilki_buffer_is_empty(ilk_cmd* cmd) {
    ilki_arena_reset(&cmd->own);
    cmd->first = NULL;
    cmd->link = &cmd->first;
    cmd->count = 0;
}

void ilki_buffer_append(ilk_cmd* cmd, ilk_cmd* from) {
    if (!from->first) return;
    *cmd->link = from->first;
    cmd->link = from->link;
    cmd->count += from->count;
    from->first = NULL;
    from->link = &from->first;
    from->count = 0;
}

// Why a buffer that is not taken is not. (One of a system has lanes while others run beside it; one
// without them is the system's as long as that is there.)
static const char* why_not_taken(const ilk_cmd* cmd) {
    if (cmd->owner == ILKI_OF_CALLER) return "the buffer was given back";
    if (cmd->owner == ILKI_OF_OBSERVER) {
        return "the buffer was that of an observer, which has returned";
    }
    return cmd->lane ? "the buffer was that of a system, which has run"
                     : "the buffer was that of a system, which is gone";
}

ILKI_NOINLINE ilk_result ilki_buffer_refuse(const ilk_cmd* cmd, const char* call) {
    if (!cmd) return ILK_INVALID;
    return ilki_fail_because(cmd->world, ILK_INVALID, call, NULL, "%s", why_not_taken(cmd));
}

// Whether a buffer can be used for what is not recorded; or that it is not in use is told.
static bool is_in_use(const ilk_cmd* cmd, const char* call) {
    bool is_taken = cmd && cmd->is_taken;
    if (!is_taken) ilki_buffer_refuse(cmd, call);
    return is_taken;
}

static void clear_buffer(ilk_cmd* cmd) {
    for (ilki_command *command = cmd->first, *next; command; command = next) {
        next = command->next;
        if (cmd->lane)
            forgo_later(cmd, command);
        else
            ilki_command_forgo(cmd, command);
    }
    ilki_buffer_is_empty(cmd);
}

void ilk_cmd_clear(ilk_cmd* cmd) {
    if (is_in_use(cmd, "ilk_cmd_clear") && !cmd->is_applying) clear_buffer(cmd);
}

uint64_t ilki_cmds_waiting(const ilk_world* world) {
    uint64_t count = 0;
    for (const ilk_cmd* cmd = world->cmds; cmd; cmd = cmd->next) count += cmd->count;
    return count;
}

bool ilki_is_applying(const ilk_world* world) {
    const ilk_cmd* cmd = world->cmds;
    while (cmd && !cmd->is_applying) cmd = cmd->next;
    return cmd != NULL;
}

void ilki_cmds_forget(ilk_world* world) {
    for (ilk_cmd* cmd = world->cmds; cmd; cmd = cmd->next) {
        for (const ilki_command* c = cmd->first; c; c = c->next) drop_values(c);
        ilki_buffer_is_empty(cmd);
    }
}

void ilki_cmd_give_back(ilk_cmd* cmd) {
    if (!cmd || cmd->is_applying) return;
    ilk_world* world = cmd->world;
    clear_buffer(cmd);
    if (cmd->previous)
        cmd->previous->next = cmd->next;
    else
        world->cmds = cmd->next;
    if (cmd->next) cmd->next->previous = cmd->previous;
    cmd->is_taken = false;
    cmd->next = world->spare_cmds;
    world->spare_cmds = cmd;
}

void ilk_cmd_give_back(ilk_cmd* cmd) {
    const char* call = "ilk_cmd_give_back";
    if (!is_in_use(cmd, call)) return;
    if (cmd->owner == ILKI_OF_CALLER) {
        ilki_cmd_give_back(cmd);
        return;
    }
    ilki_fail_because(
        cmd->world, ILK_INVALID, call, NULL,
        "the buffer is that of %s, and stays so: ilk_cmd_clear drops what was recorded",
        cmd->owner == ILKI_OF_SYSTEM ? "a system" : "an observer");
}

static void free_cmds(ilk_world* world, ilk_cmd* cmd) {
    while (cmd) {
        ilk_cmd* next = cmd->next;
        ilki_arena_fini(&cmd->own, &world->storage.memory);
        ilki_free(&world->storage.memory, ILKI_OTHER, cmd, sizeof *cmd, _Alignof(ilk_cmd));
        cmd = next;
    }
}

void ilki_cmds_trim(ilk_world* world) {
    free_cmds(world, world->spare_cmds);
    world->spare_cmds = NULL;
    for (ilk_cmd* cmd = world->cmds; cmd; cmd = cmd->next) {
        if (!cmd->count) ilki_arena_fini(&cmd->own, &world->storage.memory);
    }
}

void ilki_cmds_free(ilk_world* world) {
    for (ilk_cmd* cmd = world->cmds; cmd; cmd = cmd->next) cmd->is_applying = false;
    while (world->cmds) ilki_cmd_give_back(world->cmds);
    ilki_cmds_trim(world);
}

uint32_t ilk_cmd_count(const ilk_cmd* cmd) {
    return cmd && cmd->is_taken ? cmd->count : 0;
}

void ilk_cmd_be_strict(ilk_cmd* cmd, bool is_strict) {
    if (is_in_use(cmd, "ilk_cmd_be_strict")) cmd->is_strict = is_strict;
}

ilk_result ilki_buffer_enter(const ilk_cmd* cmd, const char* call) {
    if (ILKI_UNLIKELY(!cmd || !cmd->is_taken)) return ilki_buffer_refuse(cmd, call);
    ilk_result result = ilki_enter_to_look(cmd->world, call);
    if (result != ILK_OK || !cmd->world->storage.is_shared || cmd->lane) return result;
    return ilki_fail_because(cmd->world, ILK_LOCKED, call, NULL,
                             "other systems run at the same time, so record into it->cmd");
}

// No memory for a command; `type` is the one that it names, or NULL.
static ILKI_NOINLINE ilk_result fail_to_record(const ilk_cmd* cmd, const ilk_type* type,
                                               const char* call) {
    const char* name = type && type->name ? type->name : "a command";
    return ilki_fail_because(cmd->world, ILK_NO_MEMORY, call, type,
                             "no memory to record %s in world \"%s\"", name, cmd->world->name);
}

ILKI_INLINE void enter(ilk_cmd* cmd, ilki_command* command) {
    command->next = *cmd->link;
    *cmd->link = command;
    cmd->link = &command->next;
    cmd->count++;
}

static ILKI_NOINLINE ilk_result resolve_new_type(ilk_cmd* cmd, ilk_type* type, ilk_type** known,
                                                 const char* call) {
    if (!type) return ilki_fail_because(cmd->world, ILK_INVALID, call, NULL, "the type is NULL");
    const char* why = NULL;
    ilk_result result = ilki_type_resolve(type, true, known, &why);
    if (ilki_refuse_because(cmd->world, result, type, *known, why, call)) return result;
    return result == ILK_OK ? ILK_OK : fail_to_record(cmd, type, call);
}

// The process-wide type of a value. One that the world knows is found without the registry, whose
// lock all threads share: that took a third of recording.
ILKI_INLINE ilk_result resolve_type(ilk_cmd* cmd, ilk_type* type, ilk_type** known,
                                    const char* call) {
    *known = ilki_directory_of(&cmd->world->storage.view, type)->type;
    return ILKI_LIKELY(*known != NULL) ? ILK_OK : resolve_new_type(cmd, type, known, call);
}

// Moves a value that the caller has most likely just written.
ILKI_INLINE void move_in(void* to, const void* from, size_t size) {
    if (ILKI_LIKELY(size % 4 == 0 && size <= ILKI_QUICK_SIZE))
        ilki_value_move_quick(to, from, size);
    else
        memcpy(to, from, size);
}

// INVALID for a type that is no relation, or whatever else is wrong with it.
static ilk_result refuse_other_than_relation(ilk_cmd* cmd, ilk_type* type, const char* call) {
    ilk_type* known;
    ilk_result result = resolve_type(cmd, type, &known, call);
    if (result != ILK_OK || known->relation) return result;
    return ilki_fail_because(cmd->world, ILK_INVALID, call, type, "%s is no relation", type->name);
}

// INVALID for a value of a relation that names no target.
static ilk_result refuse_no_target(ilk_cmd* cmd, const ilk_type* known, const void* bytes,
                                   const char* call) {
    if (!known->relation || bytes) return ILK_OK;
    return ilki_fail_because(cmd->world, ILK_INVALID, call, known,
                             "%s is a relation, and needs a target: ILK_TO", known->name);
}

// A copy of a value, of the process-wide type, in the arena.
static ilk_result copy_in(ilk_cmd* cmd, ilk_value from, ilk_value* to, const char* call) {
    ilk_type* known;
    ilk_result result = resolve_type(cmd, from.type, &known, call);
    if (result != ILK_OK) return result;
    *to = (ilk_value){known, NULL};
    if (!from.bytes) return refuse_no_target(cmd, known, NULL, call);
    void* bytes = ilki_arena_take(cmd->arena, memory_of(cmd), known->size, known->align);
    if (!bytes) return fail_to_record(cmd, known, call);
    move_in(bytes, from.bytes, known->size);
    to->bytes = bytes;
    return ILK_OK;
}

// A command with room for so many bytes, not yet entered; NULL without memory. What a failed
// recording took from the arena comes back when the buffer is next emptied.
ILKI_INLINE ilki_command* make_command(ilk_cmd* cmd, ilki_command_kind kind, ilk_entity e,
                                       size_t bytes, const ilk_type* type, const char* call) {
    ilki_command* command = ilki_arena_take(cmd->arena, memory_of(cmd), sizeof *command + bytes,
                                            _Alignof(ilki_command));
    if (!command) {
        fail_to_record(cmd, type, call);
        return NULL;
    }
    command->kind = kind;
    command->count = 0;
    command->entity = e;
    return command;
}

// The default value of a type, in the arena.
static ilk_result make_default(ilk_cmd* cmd, ilk_type* type, ilk_value* to, const char* call) {
    ilk_type* known;
    ilk_result result = resolve_type(cmd, type, &known, call);
    if (result != ILK_OK) return result;
    void* bytes = ilki_arena_take(cmd->arena, memory_of(cmd), known->size, known->align);
    if (!bytes) return fail_to_record(cmd, known, call);
    ilki_values_default(known, bytes, 1);
    *to = (ilk_value){known, bytes};
    return ILK_OK;
}

// A command that names no type.
static ilk_result record(ilk_cmd* cmd, ilki_command_kind kind, ilk_entity e, const char* call) {
    ilk_result result = ilki_buffer_enter(cmd, call);
    if (result != ILK_OK) return result;
    ilki_command* command = make_command(cmd, kind, e, 0, NULL, call);
    if (!command) return ILK_NO_MEMORY;
    enter(cmd, command);
    return ILK_OK;
}

// A command with a value, whose bytes lie behind it.
static ilk_result record_value(ilk_cmd* cmd, ilki_command_kind kind, ilk_entity e, ilk_type* type,
                               const void* bytes, const char* call) {
    ilk_type* known;
    ilk_result result = ilki_buffer_enter(cmd, call);
    if (result == ILK_OK) result = resolve_type(cmd, type, &known, call);
    if (result != ILK_OK) return result;
    size_t align = known->align, least = _Alignof(ilki_command);
    size_t room = bytes ? known->size + (align > least ? align - least : 0) : 0;
    ilki_command* command = make_command(cmd, kind, e, sizeof(ilk_value) + room, known, call);
    if (!command) return ILK_NO_MEMORY;
    ilk_value* value = ilki_values_of(command);
    unsigned char* to = (unsigned char*)(value + 1);
    to += -(uintptr_t)to & (align - 1);
    command->count = 1;
    *value = (ilk_value){known, bytes ? to : NULL};
    if (bytes) move_in(to, bytes, known->size);
    enter(cmd, command);
    return ILK_OK;
}

// Reserves a handle; null if there is no memory or no room.
static ilk_entity reserve(ilk_cmd* cmd, const char* call) {
    ilki_storage* storage = &cmd->world->storage;
    ilk_entity e = ILKI_NULL;
    ilk_result result = cmd->lane ? ilki_lane_take(cmd->lanes, cmd->lane, &e)
                                  : ilki_index_ready(&storage->view.index, &storage->memory);
    if (result == ILK_OK) return cmd->lane ? e : ilki_index_reserve(&storage->view.index);
    ilki_fail(cmd->world, result, call, ILKI_NULL, NULL);
    return ILKI_NULL;
}

ilk_entity ilk_cmd_create(ilk_cmd* cmd) {
    if (ilki_buffer_enter(cmd, "ilk_cmd_create") != ILK_OK) return ILKI_NULL;
    ilki_command* command =
        make_command(cmd, ILKI_CMD_CREATE, ILKI_NULL, 0, NULL, "ilk_cmd_create");
    if (!command) return ILKI_NULL;
    command->entity = reserve(cmd, "ilk_cmd_create");
    if (!ilk_is_null(command->entity)) enter(cmd, command);
    return command->entity;
}

static bool copy_all(ilk_cmd* cmd, ilki_command* command, const ilk_value* values, uint32_t count,
                     const char* call) {
    command->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!values[i].type) continue;
        ilk_value* to = &ilki_values_of(command)[command->count];
        if (copy_in(cmd, values[i], to, call) != ILK_OK) return false;
        for (uint32_t k = 0; k < command->count; k++) {
            if (ilki_values_of(command)[k].type != to->type) continue;
            ilki_fail_because(cmd->world, ILK_EXISTS, call, to->type,
                              "%s is there twice in one list", to->type->name);
            return false;
        }
        command->count++;
    }
    return true;
}

static ilk_entity record_spawn(ilk_cmd* cmd, const ilk_value* values, uint32_t count,
                               const char* call) {
    if (ilki_buffer_enter(cmd, call) != ILK_OK) return ILKI_NULL;
    if (count && !values) {
        ilki_fail_because(cmd->world, ILK_INVALID, call, NULL, "the list is NULL");
        return ILKI_NULL;
    }
    ilki_command* command =
        make_command(cmd, ILKI_CMD_SPAWN, ILKI_NULL, count * sizeof *values, NULL, call);
    if (!command || !copy_all(cmd, command, values, count, call)) return ILKI_NULL;
    command->entity = reserve(cmd, call);
    if (!ilk_is_null(command->entity)) enter(cmd, command);
    return command->entity;
}

ilk_entity ilk_cmd_spawn(ilk_cmd* cmd, const ilk_value* values, uint32_t count) {
    return record_spawn(cmd, values, count, "ilk_cmd_spawn");
}

ilk_entity ilk_cmd_create_inactive(ilk_cmd* cmd) {
    return record_spawn(cmd, &(ilk_value){&ilk_inactive_type, NULL}, 1, "ilk_cmd_create_inactive");
}

ilk_entity ilk_cmd_blueprint_spawn(ilk_cmd* cmd, const ilk_blueprint* blueprint) {
    const char* call = "ilk_cmd_blueprint_spawn";
    if (ilki_buffer_enter(cmd, call) != ILK_OK) return ILKI_NULL;
    if (!blueprint || blueprint->world != cmd->world) {
        ilki_fail_because(cmd->world, ILK_INVALID, call, NULL, "the blueprint is %s",
                          blueprint ? "not registered in this world" : "NULL");
        return ILKI_NULL;
    }
    ilki_command* command =
        make_command(cmd, ILKI_CMD_BLUEPRINT, ILKI_NULL, sizeof blueprint->id, NULL, call);
    if (!command) return ILKI_NULL;
    *ilki_blueprint_id_of(command) = blueprint->id;
    command->entity = reserve(cmd, call);
    if (!ilk_is_null(command->entity)) enter(cmd, command);
    return command->entity;
}

ilk_result ilk_cmd_destroy(ilk_cmd* cmd, ilk_entity e) {
    return record(cmd, ILKI_CMD_DESTROY, e, "ilk_cmd_destroy");
}

ilk_result ilk_cmd_deactivate(ilk_cmd* cmd, ilk_entity e) {
    return record(cmd, ILKI_CMD_DEACTIVATE, e, "ilk_cmd_deactivate");
}

ilk_result ilk_cmd_activate(ilk_cmd* cmd, ilk_entity e) {
    return record(cmd, ILKI_CMD_ACTIVATE, e, "ilk_cmd_activate");
}

// A command that gives a value, which of a relation must name a target.
static ilk_result record_given(ilk_cmd* cmd, ilki_command_kind kind, ilk_entity e, ilk_type* type,
                               const void* bytes, const char* call) {
    ilk_result result = ILK_OK;
    if (ILKI_UNLIKELY(!bytes && type && type->relation)) {
        result = ilki_buffer_enter(cmd, call);
        if (result == ILK_OK) result = refuse_no_target(cmd, type, bytes, call);
    }
    return result == ILK_OK ? record_value(cmd, kind, e, type, bytes, call) : result;
}

ilk_result ilk_cmd_add(ilk_cmd* cmd, ilk_entity e, ilk_value value) {
    return record_given(cmd, ILKI_CMD_ADD, e, value.type, value.bytes, "ilk_cmd_add");
}

ilk_result ilk_cmd_set(ilk_cmd* cmd, ilk_entity e, ilk_value value) {
    return record_given(cmd, ILKI_CMD_SET, e, value.type, value.bytes, "ilk_cmd_set");
}

ilk_result ilk_cmd_replace(ilk_cmd* cmd, ilk_entity e, ilk_value value) {
    return record_given(cmd, ILKI_CMD_REPLACE, e, value.type, value.bytes, "ilk_cmd_replace");
}

void* ilk_cmd_ensure(ilk_cmd* cmd, ilk_entity e, ilk_type* type) {
    const char* call = "ilk_cmd_ensure";
    if (ilki_buffer_enter(cmd, call) != ILK_OK) return NULL;
    if (type && type->relation) {
        ilki_refuse_relation(cmd->world, type, call);
        return NULL;
    }
    ilki_command* command = make_command(cmd, ILKI_CMD_ENSURE, e, sizeof(ilk_value), type, call);
    if (command) command->count = 1;
    if (!command || make_default(cmd, type, ilki_values_of(command), call) != ILK_OK) return NULL;
    enter(cmd, command);
    return (void*)(uintptr_t)ilki_values_of(command)->bytes;
}

static ilk_result record_link(ilk_cmd* cmd, ilki_command_kind kind, ilk_entity source,
                              ilk_type* type, ilk_entity target, const char* call) {
    ilk_link link = {.target = target};
    ilk_result result = ilki_buffer_enter(cmd, call);
    if (result == ILK_OK) result = refuse_other_than_relation(cmd, type, call);
    return result == ILK_OK ? record_value(cmd, kind, source, type, &link, call) : result;
}

ilk_result ilk_cmd_relate(ilk_cmd* cmd, ilk_entity source, ilk_type* type, ilk_entity target) {
    return record_link(cmd, ILKI_CMD_RELATE, source, type, target, "ilk_cmd_relate");
}

ilk_result ilk_cmd_unrelate(ilk_cmd* cmd, ilk_entity source, ilk_type* type, ilk_entity target) {
    return record_link(cmd, ILKI_CMD_UNRELATE, source, type, target, "ilk_cmd_unrelate");
}

// A command with a link and, perhaps, the value that it is to carry.
static ilk_result record_carrying(ilk_cmd* cmd, ilki_command_kind kind, ilk_entity source,
                                  ilk_type* type, ilk_entity target, const void* bytes,
                                  const char* call) {
    if (!bytes) return record_link(cmd, kind, source, type, target, call);
    ilk_link link = {.target = target};
    ilk_type* known;
    ilk_result result = ilki_buffer_enter(cmd, call);
    if (result == ILK_OK) result = refuse_other_than_relation(cmd, type, call);
    if (result == ILK_OK) result = resolve_type(cmd, type, &known, call);
    if (result != ILK_OK) return result;
    if (!known->relation->value) {
        return ilki_fail_because(cmd->world, ILK_INVALID, call, type,
                                 "a relation %s carries no value", type->name);
    }
    ilki_command* command = make_command(cmd, kind, source, 2 * sizeof(ilk_value), known, call);
    if (!command) return ILK_NO_MEMORY;
    ilk_value* values = ilki_values_of(command);
    result = copy_in(cmd, (ilk_value){known, &link}, &values[0], call);
    if (result == ILK_OK) {
        result = copy_in(cmd, (ilk_value){known->relation->value, bytes}, &values[1], call);
    }
    if (result != ILK_OK) return result;
    command->count = 2;
    enter(cmd, command);
    return ILK_OK;
}

ilk_result ilk_cmd_relate_value(ilk_cmd* cmd, ilk_entity source, ilk_type* type, ilk_entity target,
                                const void* bytes) {
    return record_carrying(cmd, ILKI_CMD_RELATE, source, type, target, bytes,
                           "ilk_cmd_relate_value");
}

ilk_result ilk_cmd_relation_set(ilk_cmd* cmd, ilk_entity source, ilk_type* type, ilk_entity target,
                                const void* bytes) {
    return record_carrying(cmd, ILKI_CMD_RELATION_SET, source, type, target, bytes,
                           "ilk_cmd_relation_set");
}

ilk_result ilk_cmd_set_parent(ilk_cmd* cmd, ilk_entity e, ilk_entity parent) {
    return record_link(cmd, ILKI_CMD_SET_PARENT, e, &ilk_child_of_type, parent,
                       "ilk_cmd_set_parent");
}

ilk_result ilk_cmd_child_move(ilk_cmd* cmd, ilk_entity child, ilk_entity before) {
    return record_link(cmd, ILKI_CMD_CHILD_MOVE, child, &ilk_child_of_type, before,
                       "ilk_cmd_child_move");
}

ilk_result ilk_cmd_remove(ilk_cmd* cmd, ilk_entity e, ilk_type* type) {
    return record_value(cmd, ILKI_CMD_REMOVE, e, type, NULL, "ilk_cmd_remove");
}

ilk_result ilk_cmd_remove_all(ilk_cmd* cmd, ilk_entity e) {
    return record(cmd, ILKI_CMD_REMOVE_ALL, e, "ilk_cmd_remove_all");
}

ilk_result ilk_cmd_enable(ilk_cmd* cmd, ilk_entity e, ilk_type* type) {
    return record_value(cmd, ILKI_CMD_ENABLE, e, type, NULL, "ilk_cmd_enable");
}

ilk_result ilk_cmd_disable(ilk_cmd* cmd, ilk_entity e, ilk_type* type) {
    return record_value(cmd, ILKI_CMD_DISABLE, e, type, NULL, "ilk_cmd_disable");
}

ilk_result ilk_cmd_mark(ilk_cmd* cmd, ilk_entity e, ilk_type* type) {
    return record_value(cmd, ILKI_CMD_MARK, e, type, NULL, "ilk_cmd_mark");
}

// A command with so many bytes of its own.
static ilk_result record_bytes(ilk_cmd* cmd, ilki_command_kind kind, ilk_entity e,
                               const void* bytes, size_t size, const ilk_type* type,
                               const char* call) {
    ilk_result result = ilki_buffer_enter(cmd, call);
    if (result != ILK_OK) return result;
    ilki_command* command = make_command(cmd, kind, e, size, type, call);
    if (!command) return ILK_NO_MEMORY;
    memcpy(command + 1, bytes, size);
    enter(cmd, command);
    return ILK_OK;
}

ilk_result ilk_cmd_set_name(ilk_cmd* cmd, ilk_entity e, const char* name) {
    const char *call = "ilk_cmd_set_name", *text = name ? name : "";
    size_t length = strlen(text);
    ilk_result result = ilki_buffer_enter(cmd, call);
    if (result != ILK_OK) return result;
    if (length > ILK_NAME_MAX) return ilki_refuse_long_name(cmd->world, e, length, call);
    return record_bytes(cmd, ILKI_CMD_SET_NAME, e, text, length + 1, &ilk_name_type, call);
}

ilk_result ilk_cmd_set_id(ilk_cmd* cmd, ilk_entity e, ilk_id id) {
    return record_bytes(cmd, ILKI_CMD_SET_ID, e, &id, sizeof id, &ilk_id_type, "ilk_cmd_set_id");
}

ilk_result ilk_cmd_emit(ilk_cmd* cmd, ilk_value value) {
    return record_value(cmd, ILKI_CMD_EMIT, ILKI_NULL, value.type, value.bytes, "ilk_cmd_emit");
}

ilk_result ilk_cmd_emit_to(ilk_cmd* cmd, ilk_entity e, ilk_value value) {
    return record_value(cmd, ILKI_CMD_EMIT_TO, e, value.type, value.bytes, "ilk_cmd_emit_to");
}

ilk_result ilk_cmd_resource_set(ilk_cmd* cmd, ilk_value value) {
    return record_value(cmd, ILKI_CMD_RESOURCE_SET, ILKI_NULL, value.type, value.bytes,
                        "ilk_cmd_resource_set");
}

ilk_result ilk_cmd_resource_remove(ilk_cmd* cmd, ilk_type* type) {
    return record_value(cmd, ILKI_CMD_RESOURCE_REMOVE, ILKI_NULL, type, NULL,
                        "ilk_cmd_resource_remove");
}

ilk_result ilk_cmd_call(ilk_cmd* cmd, ilk_cmd_fn* fn, void* user) {
    return ilki_cmd_call(cmd, fn, user, "ilk_cmd_call");
}

ilk_result ilki_cmd_call(ilk_cmd* cmd, ilk_cmd_fn* fn, void* user, const char* call) {
    ilk_result result = ilki_buffer_enter(cmd, call);
    if (result != ILK_OK) return result;
    if (!fn) {
        return ilki_fail_because(cmd->world, ILK_INVALID, call, NULL, "there is no function");
    }
    ilki_command* command =
        make_command(cmd, ILKI_CMD_CALL, ILKI_NULL, sizeof(ilki_call), NULL, call);
    if (!command) return ILK_NO_MEMORY;
    *ilki_call_of(command) = (ilki_call){fn, user};
    enter(cmd, command);
    return ILK_OK;
}
