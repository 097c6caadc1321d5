// Applying: the commands of a buffer are done, one after the other.
#include "buffer.h"

// Does a command whose entity is alive. Values that are not taken stay in the buffer.
static ilk_result do_alive(ilk_world* world, const ilki_command* command) {
    ilk_entity e = command->entity;
    ilk_value value = command->count ? command->values[0] : (ilk_value){NULL, NULL};
    switch (command->kind) {
    case ILKI_CMD_DESTROY:
        return ilk_destroy(world, e);
    case ILKI_CMD_ADD:
        return ilk_add(world, e, value);
    case ILKI_CMD_SET:
        return ilk_set(world, e, value);
    case ILKI_CMD_REPLACE:
        return ilk_replace(world, e, value);
    case ILKI_CMD_REMOVE:
        return ilk_remove(world, e, value.type);
    case ILKI_CMD_REMOVE_ALL:
        return ilk_remove_all(world, e);
    case ILKI_CMD_ENABLE:
        return ilk_enable(world, e, value.type);
    case ILKI_CMD_DISABLE:
        return ilk_disable(world, e, value.type);
    default:
        return ilk_mark(world, e, value.type);
    }
}

// DEAD for a command whose entity died, or was never to be.
static ilk_result do_one(ilk_cmd* cmd, const ilki_command* command) {
    ilk_world* world = cmd->world;
    const ilki_index* index = &world->storage.view.index;
    if (command->kind == ILKI_CMD_CALL) {
        ilki_here place = ilki_place_of_call();
        command->fn(world, cmd, command->user);
        ilki_set_place_of_call(place);
        return ILK_OK;
    }
    if (command->kind == ILKI_CMD_CREATE || command->kind == ILKI_CMD_SPAWN) {
        if (!ilki_index_is_reserved(index, command->entity)) return ILK_DEAD;
        return ilki_spawn_reserved(world, command->entity, command->values, command->count,
                                   "ilk_cmd_apply");
    }
    if (!ilki_record_of(index, command->entity)) return ILK_DEAD;
    return do_alive(world, command);
}

static void account(ilk_cmd* cmd, const ilki_command* command, ilk_result result,
                    ilk_applied* applied) {
    bool is_dead = result == ILK_DEAD;
    if (is_dead && cmd->is_strict) {
        ilki_fail(cmd->world, ILK_DEAD, "ilk_cmd_apply", command->entity, NULL);
    }
    bool is_skipped = is_dead && !cmd->is_strict;
    applied->done += result == ILK_OK;
    applied->skipped += is_skipped;
    applied->failed += result != ILK_OK && !is_skipped;
    if (!is_skipped && applied->result == ILK_OK) applied->result = result;
}

ilk_applied ilk_cmd_apply(ilk_cmd* cmd) {
    ilk_applied applied = {.result = ILK_INVALID};
    if (!cmd || !cmd->is_taken) return applied;
    applied.result = ilki_enter(cmd->world, "ilk_cmd_apply");
    if (applied.result != ILK_OK) return applied;
    if (cmd->is_applying) {
        applied.result = ilki_fail_because(cmd->world, ILK_INVALID, "ilk_cmd_apply", NULL,
                                           "the buffer is being applied");
        return applied;
    }
    cmd->is_applying = true;
    while (cmd->first) {
        ilki_command* command = cmd->cursor = cmd->first;
        ilk_result result = do_one(cmd, command);
        if (result == ILK_NO_MEMORY) {
            applied.left = cmd->count;
            applied.result = ILK_NO_MEMORY;
            break;
        }
        if (result != ILK_OK) ilki_command_forgo(cmd, command);
        account(cmd, command, result, &applied);
        cmd->first = command->next;
        cmd->count--;
    }
    cmd->is_applying = false;
    if (!cmd->first) ilki_buffer_is_empty(cmd);
    return applied;
}
