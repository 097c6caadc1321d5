// Observers: functions that are called at once when something happens.
//
//     static ilk_result greet(ilk_notice* n) {
//         const Name* name = n->value;
//         printf("%s is here\n", name->text);
//         return ILK_OK;
//     }
//     ilk_observer_create(world, &(ilk_observer_desc){
//         .on = ILK_ON_ADD, .type = &Name_type, .run = greet});
//
// An observer is called by the verb that makes the change or, for a recorded command, when that is
// applied, and always by the world's thread. It may look at the world, but changes it through
// notice->cmd: the verbs of the world are LOCKED for it. What it records is applied right after it
// returns, with all that follows from that, and before the next observer is called, if the change
// that it was told of is complete by then; otherwise as soon as that is.
//
// What comes (created, added, set, enabled, disabled, begins to match) is complete when it is told.
// What goes (removed, destroyed, ceases to match because of that) is told while all is still there
// to be read, to everybody, and then goes. Several observers of one thing are called in order of
// their numbers, then in the order in which they were made; those of one entity alone after the
// others.
//
// What one observer is told is, for itself, a history without gaps: nothing goes that did not come,
// nothing comes twice, and each old value is the one that was told last. For if an observer changes
// something of which others are still to be told, those are told what is so when it is their turn.
// docs/observers.md says in which order the parts of each change are told, which beginnings and
// ends are no pairs, and what a verb returns that observers undo; docs/events.md how events are
// observed.
//
// Values that are written in place, through a pointer or a column, are not told: queries ask for
// them with .changed. Nor are values that ilk_spawn_many's caller fills in: it is told with the
// defaults.
//
// Being observed, a verb may need memory, and then fails with NO_MEMORY, and nothing is done or
// told: bulk verbs do, and overwriting what has more than 256 bytes, and what observers cause. A
// verb that an observer causes is FULL if 32 that cause each other are not done yet.
#ifndef ILK_OBSERVER_H
#define ILK_OBSERVER_H

#include "cmd.h"

#ifdef __cplusplus
extern "C" {
#endif

// A function that a world calls when something happens.
typedef struct ilk_observer ilk_observer;

// What can happen.
typedef enum ilk_on {
    ILK_ON_CREATE = 1,   // an entity came
    ILK_ON_DESTROY = 2,  // an entity goes
    ILK_ON_ADD = 4,      // a component came
    ILK_ON_SET = 8,      // a component has a new value, by ilk_set or ilk_replace
    ILK_ON_REMOVE = 16,  // a component goes
    ILK_ON_ENABLE = 32,  // a component was switched on
    ILK_ON_DISABLE = 64, // a component was switched off
    ILK_ON_MATCH = 128,  // an entity begins to match the observer's query
    ILK_ON_CEASE = 256,  // an entity ceases to match it, or goes
    ILK_ON_EVENT = 512   // an event is sent (event.h); not together with the others
} ilk_on;

// Why it happens. What follows from an observer's commands has the reason of each command itself.
typedef enum ilk_reason {
    ILK_REASON_SPAWN = 1,   // the entity is made
    ILK_REASON_LOAD = 2,    // the program says that it is loading (ilk_set_reason)
    ILK_REASON_CHANGE = 4,  // of an entity that was there, and stays
    ILK_REASON_DESTROY = 8, // the entity is destroyed
    ILK_REASON_UNLOAD = 16  // the world is cleared, reset or ends, a scene exits that owns the
                            // entity, it is moved elsewhere, or the program says so
} ilk_reason;

// What an observer is told. All of it is good until the observer returns.
typedef struct ilk_notice {
    ilk_world* world;
    ilk_observer* observer;
    void* user;
    ilk_cmd* cmd; // for what is to change
    ilk_on on;
    ilk_reason reason;
    ilk_entity entity;          // the first of:
    const ilk_entity* entities; // more than one only if the observer takes many
    uint32_t count;
    ilk_type* type;    // of the component or event; NULL for entities and matches
    const void* value; // of it; of many, side by side. NULL for entities and matches
    const void* old;   // what was there before it was set; otherwise NULL
    // Of a relation (relation.h), if this is about one of its targets: the one that came, went or
    // was given another value; ilk_related tells which. Null if it is about several: of one that is
    // spawned, copied or loses the relation with many, of several entities, and if others of this
    // relation came or went since. What the relation to it carries, or NULL.
    ilk_entity target;
    const void* carried;
    bool cancel; // of an event: set it, and nobody after this one is told of it or reads it
} ilk_notice;

// Anything but OK is told as a failure of the observer; what happened has happened nevertheless.
typedef ilk_result ilk_observer_fn(ilk_notice* notice);

// What an observer is told of, and the function that is called.
typedef struct ilk_observer_desc {
    const char* name;  // copied; NULL or "" becomes "observer-<n>"
    uint32_t on;       // one or more of ilk_on
    ilk_type* type;    // of components that come, go, are set or switched, or of events; NULL: any
    ilk_entity entity; // this one alone; null: any. The observer goes with the entity
    ilk_query_desc query; // only of entities that match it, when they are told of; the one to begin
                          // or cease to match. It may not ask for .changed or .added, and what
                          // begins or ceases to match may not look at .relates: others decide it
    uint32_t reasons;     // one or more of ilk_reason; 0: any
    int32_t order;        // lower ones are called first
    ilk_observer_fn* run;
    void* user;
    bool is_many; // may be called once for several entities whose values lie side by side
    bool stops;   // if it fails, those after it are not told: of what comes, nor of what goes
} ilk_observer_desc;

// Make an observer of a world, which owns it. It is told of what happens from now on. Also from
// inside an observer; LOCKED in a system. NULL, and the result in ilk_error: INVALID if there is no
// function, nothing to be told, no query to match, a type or reason that means nothing; DEAD for an
// entity that is not alive; what is wrong with a type or a query; NO_MEMORY.
ILK_API ilk_observer* ilk_observer_create(ilk_world* world, const ilk_observer_desc* desc);

// It is not called any more, not even for what is just being told. Also from inside an observer,
// itself or another; LOCKED in a system. NULL is allowed. The memory of one that is gone, by this
// or with its entity, serves the next that is made; until then (and until ilk_trim, which frees it)
// whatever is done with it is INVALID, and told. A pointer to one that is gone cannot be told from
// one to the next that has its memory.
ILK_API void ilk_observer_destroy(ilk_observer* observer);

// Good until the observer goes. "" for NULL, and for one that is gone, which is told. The world's
// thread.
ILK_API const char* ilk_observer_name(const ilk_observer* observer);

// How many observers a world has; 0 for NULL. The world's thread.
ILK_API uint32_t ilk_observer_count(const ilk_world* world);

// Give what happens from now on another reason than that of the verb: ILK_REASON_LOAD while a level
// is loaded. 0: the verb's own again. Returns what was set before; what is no reason is INVALID,
// and told, and sets nothing. Inside a system or an observer 0, and nothing is set (LOCKED). The
// world's thread.
ILK_API ilk_reason ilk_set_reason(ilk_world* world, ilk_reason reason);

#ifdef __cplusplus
}
#endif
#endif
