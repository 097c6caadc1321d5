// Applying: the commands of a buffer are done, one after the other.
#include <ilk/relation.h>

#include "../world/blueprint.h"
#include "buffer.h"

#define TOGETHER 16u // values that an entity is created with, at most, if they are not its own

// The target that a value of a relation names.
static ilk_entity target_of(const ilk_value* value) {
    return ((const ilk_link*)value->bytes)->target;
}

// Whether a value, if it is of a relation, leads to an entity that somebody can be related to.
static bool can_be_led(const ilk_world* world, const ilk_value* value) {
    return !value->type->relation || ilki_is_relatable(world, target_of(value));
}

// What is there stays, and the value that was recorded is dropped.
static ilk_result do_ensure(ilk_cmd* cmd, const ilki_command* command) {
    ilk_value value = *ilki_values_of(command);
    bool is_there = ilki_has(cmd->world, command->entity, value.type);
    if (ilki_refuse_indexed(cmd->world, value.type, "ilk_ensure")) return ILK_INVALID;
    if (!is_there) return ilki_add_as(cmd->world, command->entity, value, "ilk_ensure");
    ilki_command_forgo(cmd, command);
    return ILK_OK;
}

// A command whose event an observer cancels is done.
static ilk_result emit(ilk_world* world, ilk_entity e, ilk_value value, const char* call) {
    ilk_result result = ilki_emit(world, e, value, call);
    return result == ILK_CANCELLED ? ILK_OK : result;
}

// Does a command whose entity is alive. Values that are not taken stay in the buffer.
ILKI_INLINE ilk_result do_alive(ilk_cmd* cmd, const ilki_command* command) {
    ilk_world* world = cmd->world;
    ilk_entity e = command->entity;
    const ilk_value* value = ilki_values_of(command);
    switch (command->kind) {
    case ILKI_CMD_DESTROY:
        return ilk_destroy(world, e);
    case ILKI_CMD_DEACTIVATE:
        return ilk_deactivate(world, e);
    case ILKI_CMD_ACTIVATE:
        return ilk_activate(world, e);
    case ILKI_CMD_ADD:
        return ilk_add(world, e, *value);
    case ILKI_CMD_SET:
        return ilk_set(world, e, *value);
    case ILKI_CMD_REPLACE:
        return ilk_replace(world, e, *value);
    case ILKI_CMD_ENSURE:
        return do_ensure(cmd, command);
    case ILKI_CMD_REMOVE:
        return ilk_remove(world, e, value->type);
    case ILKI_CMD_RELATE:
        return ilki_relate_as(world, e, value[0], command->count > 1 ? value[1].bytes : NULL,
                              ILKI_RELATE, "ilk_relate");
    case ILKI_CMD_RELATION_SET:
        return ilki_relate_as(world, e, value[0], command->count > 1 ? value[1].bytes : NULL,
                              ILKI_PUT, "ilk_relation_set");
    case ILKI_CMD_UNRELATE:
        return ilk_unrelate(world, e, value->type, target_of(value));
    case ILKI_CMD_SET_PARENT:
        return ilk_set_parent(world, e, target_of(value));
    case ILKI_CMD_CHILD_MOVE:
        return ilk_child_move(world, e, target_of(value));
    case ILKI_CMD_REMOVE_ALL:
        return ilk_remove_all(world, e);
    case ILKI_CMD_ENABLE:
        return ilk_enable(world, e, value->type);
    case ILKI_CMD_DISABLE:
        return ilk_disable(world, e, value->type);
    case ILKI_CMD_SET_NAME:
        return ilk_set_name(world, e, ilki_name_in(command));
    case ILKI_CMD_SET_ID:
        return ilk_set_id(world, e, *ilki_id_in(command));
    case ILKI_CMD_EMIT_TO:
        return emit(world, e, *value, "ilk_emit_to");
    default:
        return ilk_mark(world, e, value->type);
    }
}

static bool has_type(const ilk_value* values, uint32_t count, const ilk_type* type) {
    for (uint32_t i = 0; i < count; i++) {
        if (values[i].type == type) return true;
    }
    return false;
}

// Whether a command gives an entity a component, of a type that the world knows.
static bool gives(const ilk_world* world, const ilki_command* command, ilk_entity e) {
    bool is_giving = command->kind == ILKI_CMD_ADD || command->kind == ILKI_CMD_SET;
    if (!is_giving || !ilk_same(command->entity, e)) return false;
    const ilki_directory* directory =
        ilki_directory_of(&world->storage.view, ilki_values_of(command)->type);
    return directory->type && directory != world->storage.dying && !directory->is_out &&
           !ilki_is_indexed(&world->storage, directory) &&
           can_be_led(world, ilki_values_of(command));
}

// Brings an entity to life with what it is given by the creation and by the commands right after
// it, so that it is placed by all of that. `*last` becomes the last of them, and what observers
// record into this buffer comes after it.
static ILKI_NOINLINE ilk_result create_together(ilk_cmd* cmd, const ilki_command* command,
                                                ilki_command** last) {
    ilk_world* world = cmd->world;
    ilk_value values[TOGETHER];
    uint32_t count = command->count;
    for (uint32_t i = 0; i < count; i++) values[i] = ilki_values_of(command)[i];
    ilki_command* next = command->next;
    for (; next && count < TOGETHER && gives(world, next, command->entity); next = next->next) {
        ilk_value value = *ilki_values_of(next);
        if (has_type(values, count, value.type)) break;
        values[count++] = value;
        *last = next;
    }
    cmd->link = &(*last)->next;
    return ilki_spawn_reserved(world, command->entity, values, count, "ilk_cmd_apply");
}

static ILKI_NOINLINE ilk_result spawn_blueprint(ilk_world* world, const ilki_command* command) {
    const char* call = "ilk_cmd_apply";
    const ilk_blueprint* b = ilki_blueprint_of_id(world, *ilki_blueprint_id_of(command));
    if (b) return ilki_blueprint_fulfil(world, command->entity, b, call);
    return ilki_fail_for(world, ILK_MISSING, call, command->entity, NULL,
                         "the blueprint that it was to be made of is gone");
}

ILKI_INLINE ilk_result do_create(ilk_cmd* cmd, const ilki_command* command, ilki_command** last) {
    ilk_world* world = cmd->world;
    ilk_entity e = command->entity;
    const ilki_command* next = command->next;
    if (!ilki_index_is_reserved(&world->storage.view.index, e)) return ILK_DEAD;
    for (uint32_t i = 0; i < command->count; i++) {
        if (ILKI_UNLIKELY(!can_be_led(world, &ilki_values_of(command)[i]))) return ILK_DEAD;
    }
    if (ILKI_UNLIKELY(command->kind == ILKI_CMD_BLUEPRINT)) return spawn_blueprint(world, command);
    if (next && ilk_same(next->entity, e) && command->count < TOGETHER) {
        return create_together(cmd, command, last);
    }
    return ilki_spawn_reserved(world, e, ilki_values_of(command), command->count, "ilk_cmd_apply");
}

static ilk_result do_call(ilk_cmd* cmd, const ilki_command* command) {
    ilki_here place = ilki_place_of_call();
    ilki_call_of(command)->fn(cmd->world, cmd, ilki_call_of(command)->user);
    ilki_set_place_of_call(place);
    return ILK_OK;
}

// Does a command that is about no entity.
static ILKI_NOINLINE ilk_result do_for_world(ilk_cmd* cmd, const ilki_command* command) {
    const ilk_value* value = ilki_values_of(command);
    switch (command->kind) {
    case ILKI_CMD_CALL:
        return do_call(cmd, command);
    case ILKI_CMD_EMIT:
        return emit(cmd->world, ILKI_NULL, *value, "ilk_emit");
    case ILKI_CMD_RESOURCE_SET:
        return ilk_resource_set(cmd->world, *value);
    default:
        return ilk_resource_remove(cmd->world, value->type);
    }
}

// Whether a command would end an entity that is dying, or give it something.
static ILKI_NOINLINE bool is_for_dying(ilk_world* world, const ilki_command* command) {
    switch (command->kind) {
    case ILKI_CMD_DESTROY:
    case ILKI_CMD_DEACTIVATE:
    case ILKI_CMD_ACTIVATE:
    case ILKI_CMD_RELATE:
    case ILKI_CMD_RELATION_SET:
    case ILKI_CMD_SET_NAME:
    case ILKI_CMD_SET_ID:
        return true;
    case ILKI_CMD_SET_PARENT:
        return !ilk_is_null(target_of(ilki_values_of(command)));
    case ILKI_CMD_ADD:
    case ILKI_CMD_SET:
    case ILKI_CMD_ENSURE:
        return !ilki_has(world, command->entity, ilki_values_of(command)->type);
    default:
        return false;
    }
}

// Whether a command relates to an entity that is dead by now, or would.
static ILKI_NOINLINE bool is_about_dead(const ilk_world* world, const ilki_command* command) {
    const ilk_value* value = ilki_values_of(command);
    switch (command->kind) {
    case ILKI_CMD_ADD:
    case ILKI_CMD_SET:
    case ILKI_CMD_REPLACE:
    case ILKI_CMD_RELATE:
    case ILKI_CMD_RELATION_SET:
        return !can_be_led(world, value);
    case ILKI_CMD_UNRELATE:
        return !ilki_alive(world, target_of(value));
    case ILKI_CMD_SET_PARENT:
        return !ilk_is_null(target_of(value)) && !can_be_led(world, value);
    case ILKI_CMD_CHILD_MOVE:
        return !ilk_is_null(target_of(value)) && !ilki_alive(world, target_of(value));
    default:
        return false;
    }
}

// Whether a command is about an entity for which nothing can be done any more.
ILKI_INLINE bool is_in_vain(ilk_world* world, const ilki_command* command, uint32_t place) {
    const ilki_storage* storage = &world->storage;
    bool relates = command->count && ilki_values_of(command)->type->relation;
    if (ILKI_UNLIKELY(relates) && is_about_dead(world, command)) return true;
    bool is_doomed = ilki_is_doomed(&world->relations, command->entity.index);
    if (ILKI_UNLIKELY(is_doomed) && command->kind == ILKI_CMD_DESTROY) return true;
    if (ILKI_LIKELY(!storage->dying || !ilki_is_dying(storage, place))) return false;
    return is_for_dying(world, command);
}

// Does a command, and those after it that are done together with it, of which `*last` becomes the
// last. DEAD for one whose entity died, or was never to be.
ILKI_INLINE ilk_result do_next(ilk_cmd* cmd, const ilki_command* command, ilki_command** last) {
    ilk_world* world = cmd->world;
    if (command->kind >= ILKI_CMD_DESTROY) {
        const ilki_record* record = ilki_record_of(&world->storage.view.index, command->entity);
        if (ILKI_UNLIKELY(!record || is_in_vain(world, command, record->place))) return ILK_DEAD;
        return do_alive(cmd, command);
    }
    return command->kind >= ILKI_CMD_CREATE ? do_create(cmd, command, last)
                                            : do_for_world(cmd, command);
}

// Accounts for a command that was not done.
static ILKI_NOINLINE void account(ilk_cmd* cmd, const ilki_command* command, ilk_result result,
                                  ilk_applied* applied) {
    bool is_dead = result == ILK_DEAD;
    if (is_dead && cmd->is_strict) {
        ilki_fail(cmd->world, ILK_DEAD, "ilk_cmd_apply", command->entity, NULL);
    }
    bool is_skipped = is_dead && !cmd->is_strict;
    applied->skipped += is_skipped;
    applied->failed += !is_skipped;
    if (!is_skipped && applied->result == ILK_OK) applied->result = result;
}

ilk_applied ilk_cmd_apply(ilk_cmd* cmd) {
    bool is_taken = cmd && cmd->is_taken;
    ilk_applied applied = {.result = is_taken ? ilki_enter(cmd->world, "ilk_cmd_apply")
                                              : ilki_buffer_refuse(cmd, "ilk_cmd_apply")};
    if (applied.result != ILK_OK) return applied;
    if (cmd->is_applying) {
        applied.result = ilki_fail_because(cmd->world, ILK_INVALID, "ilk_cmd_apply", NULL,
                                           "the buffer is being applied");
        return applied;
    }
    cmd->is_applying = true;
    while (cmd->first) {
        ilki_command *command = cmd->first, *last = command;
        cmd->link = &command->next;
        ilk_result result = do_next(cmd, command, &last);
        if (ILKI_UNLIKELY(result == ILK_NO_MEMORY)) {
            applied.left = cmd->count;
            applied.result = ILK_NO_MEMORY;
            break;
        }
        if (ILKI_UNLIKELY(result != ILK_OK)) {
            ilki_command_forgo(cmd, command);
            account(cmd, command, result, &applied);
            last = command;
        }
        applied.done += result == ILK_OK;
        for (; command != last; command = command->next) {
            applied.done++;
            cmd->count--;
        }
        cmd->first = command->next;
        cmd->count--;
    }
    cmd->is_applying = false;
    if (cmd->first)
        while (*cmd->link) cmd->link = &(*cmd->link)->next;
    else
        ilki_buffer_is_empty(cmd);
    return applied;
}
