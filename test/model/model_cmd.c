// Command buffers of the naive model: a list of commands, done one after the other.
#include "model_bp.h"
#include "model_rel.h"
#include "naming.h"

#include <stdlib.h>
#include <string.h>

// Lists

static void insert(model_commands* into, uint32_t at, model_command command) {
    if (into->count == into->capacity) {
        into->capacity = into->capacity ? 2 * into->capacity : 8;
        into->list = must(realloc(into->list, into->capacity * sizeof *into->list));
    }
    memmove(into->list + at + 1, into->list + at, (into->count - at) * sizeof *into->list);
    into->list[at] = command;
    into->count++;
}

static void take_out_first(model_commands* from) {
    from->count--;
    memmove(from->list, from->list + 1, from->count * sizeof *from->list);
}

uint32_t model_cmd_count(const model_cmd* cmd) {
    return cmd->waiting.count + cmd->caused.count;
}

const model_command* model_cmd_first(const model_cmd* cmd) {
    return cmd->waiting.count ? &cmd->waiting.list[0] : NULL;
}

static bool has_call(const model_commands* commands, const void* user) {
    for (uint32_t i = 0; i < commands->count; i++)
        if (commands->list[i].verb == MODEL_CMD_CALL && commands->list[i].user == user) return true;
    return false;
}

bool model_cmd_calls(const model_cmd* cmd, const void* user) {
    return has_call(&cmd->waiting, user) || has_call(&cmd->caused, user);
}

// Values

static bool owns(const model_world* m, model_value value) {
    uint32_t first = 0;
    if (value.bytes && m->types[value.type].owner) memcpy(&first, value.bytes, sizeof first);
    return first != 0;
}

static model_value own_copy(model_world* m, model_value from) {
    if (from.type == MODEL_NO_TYPE || !from.bytes) return (model_value){from.type, NULL};
    size_t size = m->types[from.type].size;
    void* bytes = must(malloc(size ? size : 1));
    memcpy(bytes, from.bytes, size);
    m->owned += owns(m, from);
    return (model_value){from.type, bytes};
}

static void drop_values(model_world* m, model_command* command) {
    for (uint32_t i = 0; i < command->count; i++) {
        m->owned -= owns(m, command->values[i]);
        free((void*)(uintptr_t)command->values[i].bytes);
    }
    free(command->values);
    command->values = NULL;
}

// Recording

static bool makes_entity(model_verb verb) {
    return verb == MODEL_CMD_CREATE || verb == MODEL_CMD_SPAWN || verb == MODEL_CMD_BLUEPRINT;
}

static bool gives_value(model_verb verb) {
    return verb == MODEL_CMD_SPAWN || verb == MODEL_CMD_ADD || verb == MODEL_CMD_SET ||
           verb == MODEL_CMD_REPLACE;
}

static bool is_of_relation(model_verb verb) {
    return verb == MODEL_CMD_RELATE || verb == MODEL_CMD_RELATION_SET ||
           verb == MODEL_CMD_UNRELATE || verb == MODEL_CMD_SET_PARENT ||
           verb == MODEL_CMD_CHILD_MOVE;
}

// What no world can take is refused when it is recorded. What this world does not take is not.
static model_faults recording_faults(const model_world* m, const model_command* command) {
    bool is_long = command->verb == MODEL_CMD_SET_NAME && command->name == NAMING_COUNT;
    model_faults faults = is_long ? MODEL_FAULT(INVALID) : MODEL_FINE;
    for (uint32_t i = 0; i < command->count; i++) {
        uint32_t type = command->values[i].type;
        if (type == MODEL_NO_TYPE) {
            if (!makes_entity(command->verb)) faults |= MODEL_FAULT(INVALID);
            continue;
        }
        if (m->types[type].fault != ILK_OK) faults |= 1u << m->types[type].fault;
        if (model_relates(m, type) && gives_value(command->verb) && !command->values[i].bytes)
            faults |= MODEL_FAULT(INVALID);
        if (model_relates(m, type) && command->verb == MODEL_CMD_ENSURE)
            faults |= MODEL_FAULT(INVALID);
        if (i == 0 && !model_relates(m, type) && is_of_relation(command->verb))
            faults |= MODEL_FAULT(INVALID);
        for (uint32_t k = 0; k < i; k++)
            if (command->values[k].type == type) faults |= MODEL_FAULT(EXISTS);
    }
    return faults;
}

model_faults model_cmd_record(model_world* m, model_cmd* cmd, model_command command,
                              ilk_entity* made) {
    model_faults faults = recording_faults(m, &command);
    if (makes_entity(command.verb)) {
        if (!faults)
            faults = model_promise(m, &command.entity);
        else
            faults |= model_no_room(m, 1);
        *made = command.entity;
    }
    if (faults) return faults;
    const model_value* from = command.values;
    command.values = must(calloc(command.count + 1, sizeof *command.values));
    for (uint32_t i = 0; i < command.count; i++) command.values[i] = own_copy(m, from[i]);
    model_commands* into = cmd->is_applying ? &cmd->caused : &cmd->waiting;
    insert(into, into->count, command);
    return MODEL_FINE;
}

// Doing

// Whether it relates to somebody who is dead.
static bool is_aimed_at_dead(const model_world* m, const model_command* command) {
    if (!command->count || !model_relates(m, command->values[0].type)) return false;
    ilk_entity target = {0};
    if (command->values[0].bytes) target = model_aim(command->values[0].bytes);
    switch (command->verb) {
    case MODEL_CMD_ADD:
    case MODEL_CMD_SET:
    case MODEL_CMD_REPLACE:
    case MODEL_CMD_RELATE:
    case MODEL_CMD_RELATION_SET:
        return !model_is_relatable(m, target);
    case MODEL_CMD_SET_PARENT:
        return !ilk_is_null(target) && !model_is_relatable(m, target);
    case MODEL_CMD_UNRELATE:
        return !model_alive(m, target);
    case MODEL_CMD_CHILD_MOVE:
        return !ilk_is_null(target) && !model_alive(m, target);
    default:
        return false;
    }
}

static bool can_be_made(const model_world* m, const model_command* command) {
    for (uint32_t i = 0; i < command->count; i++)
        if (model_aim_faults(m, command->values[i])) return false;
    return model_is_promised(m, command->entity);
}

// Whether it is about somebody who is dying, and would end it or give it something.
static bool is_in_vain(const model_world* m, const model_command* command) {
    if (is_aimed_at_dead(m, command)) return true;
    if (command->verb == MODEL_CMD_DESTROY && model_is_doomed(m, command->entity)) return true;
    if (!model_is_dying(m, command->entity)) return false;
    switch (command->verb) {
    case MODEL_CMD_DESTROY:
    case MODEL_CMD_DEACTIVATE:
    case MODEL_CMD_ACTIVATE:
    case MODEL_CMD_RELATE:
    case MODEL_CMD_RELATION_SET:
    case MODEL_CMD_SET_NAME:
    case MODEL_CMD_SET_ID:
        return true;
    case MODEL_CMD_SET_PARENT:
        return !ilk_is_null(model_aim(command->values[0].bytes));
    case MODEL_CMD_ADD:
    case MODEL_CMD_SET:
    case MODEL_CMD_ENSURE:
        return !model_find(m, command->entity, command->values[0].type);
    default:
        return false;
    }
}

bool model_cmd_is_due(const model_world* m, const model_cmd* cmd) {
    const model_command* first = model_cmd_first(cmd);
    if (!first) return false;
    bool needs_nobody = first->verb == MODEL_CMD_CALL || first->verb == MODEL_CMD_SCENE ||
                        first->verb == MODEL_CMD_EMIT || first->verb == MODEL_CMD_RES_SET ||
                        first->verb == MODEL_CMD_RES_REMOVE;
    if (needs_nobody) return true;
    return makes_entity(first->verb) ? can_be_made(m, first)
                                     : model_alive(m, first->entity) && !is_in_vain(m, first);
}

// What is given to an entity right after its creation it is created with: values of types that the
// world knows, at most 16.
static uint32_t count_together(const model_world* m, const model_cmd* cmd) {
    const model_command* first = &cmd->waiting.list[0];
    uint32_t count = first->count, i = 1;
    for (; i < cmd->waiting.count && count < 16; i++, count++) {
        const model_command* c = &cmd->waiting.list[i];
        bool gives = c->verb == MODEL_CMD_ADD || c->verb == MODEL_CMD_SET;
        if (!gives || !ilk_same(c->entity, first->entity)) break;
        uint32_t type = c->values[0].type;
        bool is_twice = m->numbers[type] == UINT32_MAX || type == m->dying || m->is_out[type] ||
                        model_is_indexed(m, type) || model_aim_faults(m, c->values[0]);
        for (uint32_t k = 0; k < first->count; k++) is_twice |= first->values[k].type == type;
        for (uint32_t k = 1; k < i; k++) is_twice |= cmd->waiting.list[k].values[0].type == type;
        if (is_twice) break;
    }
    return i - 1;
}

static model_faults create_together(model_world* m, model_cmd* cmd) {
    const model_command* first = &cmd->waiting.list[0];
    uint32_t together = count_together(m, cmd), count = first->count;
    model_value* values = must(calloc(count + together + 1, sizeof *values));
    for (uint32_t i = 0; i < count; i++) values[i] = first->values[i];
    for (uint32_t i = 0; i < together; i++) values[count + i] = cmd->waiting.list[1 + i].values[0];
    model_faults faults = model_fulfil(m, first->entity, values, count + together);
    free(values);
    if (!faults) cmd->together = together;
    return faults;
}

static model_faults do_verb(model_world* m, const model_command* command) {
    ilk_entity e = command->entity;
    model_value value = command->count ? command->values[0] : (model_value){MODEL_NO_TYPE, NULL};
    switch (command->verb) {
    case MODEL_CMD_DESTROY:
        return model_destroy(m, e);
    case MODEL_CMD_DEACTIVATE:
        return model_deactivate(m, e);
    case MODEL_CMD_ACTIVATE:
        return model_activate(m, e);
    case MODEL_CMD_ADD:
        return model_add(m, e, value);
    case MODEL_CMD_SET:
        return model_set(m, e, value);
    case MODEL_CMD_REPLACE:
        return model_replace(m, e, value);
    case MODEL_CMD_ENSURE:
        return model_find(m, e, value.type) && !model_is_indexed(m, value.type)
                   ? MODEL_FINE
                   : model_add(m, e, value);
    case MODEL_CMD_SET_NAME:
        return model_set_name(m, e, command->name);
    case MODEL_CMD_SET_ID:
        return model_set_id(m, e, command->id);
    case MODEL_CMD_REMOVE:
        return model_remove(m, e, value.type);
    case MODEL_CMD_REMOVE_ALL:
        return model_remove_all(m, e);
    case MODEL_CMD_ENABLE:
    case MODEL_CMD_DISABLE:
        return model_toggle(m, e, value.type, command->verb == MODEL_CMD_ENABLE);
    case MODEL_CMD_MARK:
        return model_mark(m, e, value.type);
    case MODEL_CMD_RELATE:
    case MODEL_CMD_RELATION_SET:
        return model_relate(m, e, value.type, model_aim(value.bytes),
                            command->count > 1 ? command->values[1].bytes : NULL,
                            command->verb == MODEL_CMD_RELATE ? MODEL_RELATE : MODEL_PUT);
    case MODEL_CMD_UNRELATE:
        return model_unrelate(m, e, value.type, model_aim(value.bytes));
    case MODEL_CMD_SET_PARENT:
        return model_set_parent(m, e, model_aim(value.bytes));
    case MODEL_CMD_CHILD_MOVE:
        return model_child_move(m, e, model_aim(value.bytes));
    case MODEL_CMD_EMIT:
        return model_emit(m, value);
    case MODEL_CMD_EMIT_TO:
        return model_emit_to(m, e, value);
    case MODEL_CMD_RES_SET:
        return model_resource_set(m, value);
    case MODEL_CMD_RES_REMOVE:
        return model_resource_remove(m, value.type);
    default:
        return MODEL_FINE;
    }
}

static void forgo(model_world* m, model_command* command) {
    if (makes_entity(command->verb)) model_break_promise(m, command->entity);
}

static model_faults spawn_blueprint(model_world* m, const model_command* command) {
    model_bp* b = model_bp_of_id(m, command->blueprint);
    ilk_entity same;
    return b ? model_bp_spawn(m, b, 1, false, &command->entity, &same) : MODEL_FAULT(MISSING);
}

model_faults model_cmd_do(model_world* m, model_cmd* cmd) {
    model_command first = cmd->waiting.list[0];
    model_faults faults = MODEL_FAULT(DEAD);
    cmd->together = 0;
    if (model_cmd_is_due(m, cmd))
        faults = first.verb == MODEL_CMD_BLUEPRINT ? spawn_blueprint(m, &first)
                 : makes_entity(first.verb)        ? create_together(m, cmd)
                                                   : do_verb(m, &first);
    if (faults) forgo(m, &first);
    for (uint32_t i = 0; i <= cmd->together; i++) {
        drop_values(m, &cmd->waiting.list[0]);
        take_out_first(&cmd->waiting);
    }
    for (uint32_t i = 0; i < cmd->caused.count; i++) insert(&cmd->waiting, i, cmd->caused.list[i]);
    cmd->caused.count = 0;
    return faults;
}

// Dropping

void model_cmd_clear(model_world* m, model_cmd* cmd) {
    for (uint32_t i = 0; i < cmd->waiting.count; i++) {
        forgo(m, &cmd->waiting.list[i]);
        drop_values(m, &cmd->waiting.list[i]);
    }
    cmd->waiting.count = 0;
}

void model_cmd_forget(model_world* m, model_cmd* cmd) {
    model_cmd_clear(m, cmd);
    free(cmd->waiting.list);
    free(cmd->caused.list);
    *cmd = (model_cmd){0};
}
