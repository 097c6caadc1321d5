// Command buffers: changes that are recorded now and made later, in the order in which they were
// recorded.
//
//     ilk_cmd* cmd = ilk_cmd_take(world);
//     ilk_entity e = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Position, .x = 1)));
//     ilk_cmd_destroy(cmd, other);
//     ilk_cmd_apply(cmd);               // now e is alive and the other is not
//     ilk_cmd_give_back(cmd);
//
// The verbs are those of the world. Their results are about recording: INVALID for a buffer that is
// NULL or was given back, a NULL type (but values without a type are passed over by spawn) or list,
// an unsound type; CLASH; EXISTS for a type named twice in one list; FULL; NO_MEMORY; LOCKED in a
// system that others run beside, for any buffer but its own, it->cmd. Then nothing
// is recorded, and values still belong to the caller. Once recorded, a value is the buffer's. What
// a command does is known when it is applied: one whose entity is dead by then is skipped, and its
// value dropped. A handle whose command is dropped, or fails, never comes alive. For the world's
// thread; it->cmd for the thread that runs the system.
#ifndef ILK_CMD_H
#define ILK_CMD_H

#include "name.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

// A buffer of recorded changes.
typedef struct ilk_cmd ilk_cmd;

// A buffer of a world, empty. It belongs to the caller until it is given back, and goes with the
// world at the latest. NULL, and NO_MEMORY in ilk_error. A buffer that was given back serves the
// next one who takes one, with its memory; until then (and until ilk_trim, which frees it) whatever
// is done with it is INVALID, and told. So it is with the it->cmd of a system that ran beside
// others, until something runs again, or that is gone; and with the cmd of an observer's notice,
// until an observer is called again.
ILK_API ilk_cmd* ilk_cmd_take(ilk_world* world);

// Drop what was recorded and not applied, and give the buffer back. NULL is allowed; a second time
// is told as INVALID, and nothing done. So is giving back the buffer of a system or an observer,
// which is not the caller's.
ILK_API void ilk_cmd_give_back(ilk_cmd* cmd);

// Drop what was recorded and not applied. Neither this nor giving back does anything while the
// buffer is being applied.
ILK_API void ilk_cmd_clear(ilk_cmd* cmd);

// How many commands are recorded and not applied, the one that is being applied included. 0 for a
// buffer that was given back.
ILK_API uint32_t ilk_cmd_count(const ilk_cmd* cmd);

// Commands whose entity died are failures, and told as such, instead of being skipped. Off at
// first.
ILK_API void ilk_cmd_be_strict(ilk_cmd* cmd, bool is_strict);

// A handle that is final: store it, and use it in further commands. Its entity is alive once the
// command is applied. What the commands right after that one add or set to it, it has from the
// start, as if it was spawned with it: as far as each is of another type, which the world knows,
// and there are at most 16. Null if there is no memory, or the world has no room for it (FULL).
ILK_API ilk_entity ilk_cmd_create(ilk_cmd* cmd);
ILK_API ilk_entity ilk_cmd_spawn(ilk_cmd* cmd, const ilk_value* values, uint32_t count);

#ifndef __cplusplus
// A list of values and its length: ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Position, .x = 1))).
#define ILK_VALUES(...)                                                                            \
    (const ilk_value[]){__VA_ARGS__},                                                              \
        (uint32_t)(sizeof((const ilk_value[]){__VA_ARGS__}) / sizeof(ilk_value))
#endif

// The same for an entity that is inactive, without components.
ILK_API ilk_entity ilk_cmd_create_inactive(ilk_cmd* cmd);

// The verbs of entity.h of the same names, recorded. A value is moved into the buffer, unless
// recording fails.
ILK_API ilk_result ilk_cmd_destroy(ilk_cmd* cmd, ilk_entity e);
ILK_API ilk_result ilk_cmd_deactivate(ilk_cmd* cmd, ilk_entity e);
ILK_API ilk_result ilk_cmd_activate(ilk_cmd* cmd, ilk_entity e);
ILK_API ilk_result ilk_cmd_add(ilk_cmd* cmd, ilk_entity e, ilk_value value);
ILK_API ilk_result ilk_cmd_set(ilk_cmd* cmd, ilk_entity e, ilk_value value);
ILK_API ilk_result ilk_cmd_replace(ilk_cmd* cmd, ilk_entity e, ilk_value value);

// See to it that an entity has a component, and give it what is written to the value that comes
// back: the type's default, made now, by its hook if it has one. It lies in the buffer, is good
// until that is applied, cleared or given back, and becomes the entity's if it has no such
// component when its turn comes. If it has, that stays, and this value is dropped. NULL if nothing
// is recorded.
ILK_API void* ilk_cmd_ensure(ilk_cmd* cmd, ilk_entity e, ilk_type* type);
#ifndef __cplusplus
// The same with the type of the value: Position* p = ILK_CMD_ENSURE(cmd, e, Position).
#define ILK_CMD_ENSURE(cmd, e, T) ((T*)ilk_cmd_ensure((cmd), (e), &T##_type))
#endif

// The same for those that take away, switch, and mark as changed (ilk_mark).
ILK_API ilk_result ilk_cmd_remove(ilk_cmd* cmd, ilk_entity e, ilk_type* type);
ILK_API ilk_result ilk_cmd_remove_all(ilk_cmd* cmd, ilk_entity e);
ILK_API ilk_result ilk_cmd_enable(ilk_cmd* cmd, ilk_entity e, ilk_type* type);
ILK_API ilk_result ilk_cmd_disable(ilk_cmd* cmd, ilk_entity e, ilk_type* type);
ILK_API ilk_result ilk_cmd_mark(ilk_cmd* cmd, ilk_entity e, ilk_type* type);

// A name, which is copied, or an id, to be given to an entity; NULL or "", or {0}, to be taken
// away.
ILK_API ilk_result ilk_cmd_set_name(ilk_cmd* cmd, ilk_entity e, const char* name);
ILK_API ilk_result ilk_cmd_set_id(ilk_cmd* cmd, ilk_entity e, ilk_id id);

// A function to be called in its turn. It may change the world, and record into the buffer: what is
// recorded while a buffer is applied is applied right after the command that caused it.
typedef void ilk_cmd_fn(ilk_world* world, ilk_cmd* cmd, void* user);
ILK_API ilk_result ilk_cmd_call(ilk_cmd* cmd, ilk_cmd_fn* fn, void* user);

// What applying did.
typedef struct ilk_applied {
    uint32_t done;
    uint32_t skipped;  // the entity was dead
    uint32_t failed;   // EXISTS, MISSING, …: told as the verbs of the world tell it
    uint32_t left;     // not applied for want of memory; still in the buffer
    ilk_result result; // of the first that failed; NO_MEMORY if some are left
} ilk_applied;

// Make the recorded changes, in order. If memory runs out, what was done is done, and the rest
// stays in the buffer to be tried again. INVALID for a buffer that is NULL, was given back, or is
// being applied already. LOCKED inside a system. Not from inside a hook of a type; and a queued
// function must not destroy the world.
ILK_API ilk_applied ilk_cmd_apply(ilk_cmd* cmd);

#ifdef __cplusplus
}
#endif
#endif
