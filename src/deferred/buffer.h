// Command buffers: a list of commands in an arena.
#ifndef ILKI_BUFFER_H
#define ILKI_BUFFER_H

#include <ilk/event.h>
#include <ilk/name.h>
#include <ilk/resource.h>

#include "../entity/lanes.h"
#include "../world/world.h"

typedef enum ilki_command_kind {
    ILKI_CMD_CALL,
    ILKI_CMD_EMIT,
    ILKI_CMD_RESOURCE_SET,
    ILKI_CMD_RESOURCE_REMOVE,
    ILKI_CMD_CREATE, // this one and the next two make an entity
    ILKI_CMD_SPAWN,
    ILKI_CMD_BLUEPRINT, // to be spawned
    ILKI_CMD_DESTROY,   // this one and those below are for an entity that is alive
    ILKI_CMD_DEACTIVATE,
    ILKI_CMD_ACTIVATE,
    ILKI_CMD_ADD,
    ILKI_CMD_SET,
    ILKI_CMD_REPLACE,
    ILKI_CMD_ENSURE,
    ILKI_CMD_REMOVE,
    ILKI_CMD_RELATE, // with a link and, perhaps, the value that it carries
    ILKI_CMD_RELATION_SET,
    ILKI_CMD_UNRELATE,
    ILKI_CMD_SET_PARENT,
    ILKI_CMD_CHILD_MOVE,
    ILKI_CMD_REMOVE_ALL,
    ILKI_CMD_ENABLE,
    ILKI_CMD_DISABLE,
    ILKI_CMD_MARK,
    ILKI_CMD_SET_NAME,
    ILKI_CMD_SET_ID,
    ILKI_CMD_EMIT_TO
} ilki_command_kind;

// Behind it are its values, or a call, or a name, or an id, or the number of a blueprint.
typedef struct ilki_command {
    struct ilki_command* next;
    ilki_command_kind kind;
    uint32_t count;    // of values
    ilk_entity entity; // null for a call, a resource, and an event to nobody
} ilki_command;

typedef struct ilki_call {
    ilk_cmd_fn* fn;
    void* user;
} ilki_call;

// The buffer's own; one without bytes for a verb that only names a type.
ILKI_INLINE ilk_value* ilki_values_of(const ilki_command* command) {
    return (ilk_value*)(uintptr_t)(command + 1);
}

ILKI_INLINE ilki_call* ilki_call_of(const ilki_command* command) {
    return (ilki_call*)(uintptr_t)(command + 1);
}

ILKI_INLINE char* ilki_name_in(const ilki_command* command) {
    return (char*)(uintptr_t)(command + 1);
}

ILKI_INLINE ilk_id* ilki_id_in(const ilki_command* command) {
    return (ilk_id*)(uintptr_t)(command + 1);
}

ILKI_INLINE uint32_t* ilki_blueprint_id_of(const ilki_command* command) {
    return (uint32_t*)(uintptr_t)(command + 1);
}

// Whose a buffer is: only its owner can give it back.
typedef enum ilki_cmd_owner {
    ILKI_OF_CALLER,
    ILKI_OF_SYSTEM,
    ILKI_OF_OBSERVER
} ilki_cmd_owner;

struct ilk_cmd {
    ilk_world* world;
    ilk_cmd *previous, *next; // of the world's buffers; next also of those that are spare
    ilki_arena* arena;        // its own, or that of the thread that records
    ilki_arena own;
    ilki_lanes* lanes; // where its handles come from, while others record too; NULL: the index
    ilki_lane* lane;
    ilki_command* first;
    ilki_command** link;   // where the next one is entered: at the end or, while applying, after
                           // those that the present command caused before
    ilki_command* forgone; // creations whose handles are to be released when the lanes are closed
    uint32_t count;
    bool is_strict, is_applying, is_taken;
    ilki_cmd_owner owner;
};

// INVALID for a buffer that is NULL or not in use, which is told where there is one.
ilk_result ilki_buffer_refuse(const ilk_cmd* cmd, const char* call);

// Whoever records begins here: INVALID for a buffer that is not taken, LOCKED for one of somebody
// else's in a system that others run beside; WRONG_THREAD in the checked build.
ilk_result ilki_buffer_enter(const ilk_cmd* cmd, const char* call);

// A buffer of the world for an owner, whose call it is. NULL without memory, and the failure is
// noted.
ilk_cmd* ilki_cmd_take(ilk_world* world, ilki_cmd_owner owner, const char* call);

// Drops what was recorded and not applied, and gives the buffer back on behalf of its owner; not
// while it is being applied. NULL is allowed.
void ilki_cmd_give_back(ilk_cmd* cmd);

// Records a call of a function, for somebody whose call it is.
ilk_result ilki_cmd_call(ilk_cmd* cmd, ilk_cmd_fn* fn, void* user, const char* call);

// A buffer for somebody who records beside others, in memory of its own. It is not one of the
// world's.
void ilki_buffer_init(ilk_cmd* cmd, ilk_world* world, ilki_lanes* lanes, ilki_lane* lane);

// Releases the handles of creations that were dropped while the lanes were open.
void ilki_buffer_release(ilk_cmd* cmd);

// What is left when a command is not done: its values are dropped, and the handle that it was to
// bring to life never comes alive.
void ilki_command_forgo(ilk_cmd* cmd, const ilki_command* command);

// How many commands wait, in all buffers of a world; whether some are being applied.
uint64_t ilki_cmds_waiting(const ilk_world* world);
bool ilki_is_applying(const ilk_world* world);

// Drops what was recorded and not applied, in every buffer. The handles of what was to be made are
// not released: the index is about to become what it was before they were given out.
void ilki_cmds_forget(ilk_world* world);

// A buffer whose commands are all done: its memory serves the next ones.
void ilki_buffer_is_empty(ilk_cmd* cmd);

// Moves the commands of one buffer to the end of another. Their memory stays where it is.
void ilki_buffer_append(ilk_cmd* cmd, ilk_cmd* from);

#endif
