// Events: values that are sent now and read later, each reader at its own pace; and a bus that
// hands them to subscribers, in the order in which they were sent.
//
//     typedef struct Landed { ilk_entity who; float speed; } Landed;
//     ILK_EVENT(Landed);
//
//     ilk_reader* landings = ilk_reader_create(world, &(ilk_reader_desc){.type = &Landed_type});
//     ILK_EMIT(world, Landed, .who = e, .speed = 3);     // inside a system: ILK_EMIT(it->cmd, …)
//     const Landed* landed;
//     while ((landed = ilk_read(landings, NULL))) …
//
// An event type is a type like any other, with its hooks; a world that is restricted to some
// components takes every event. Events of a type wait in a queue until all who read or subscribe
// have passed them. If nobody does, nothing is kept. No memory is asked for once the queues are as
// long as they get. Everything here but ilk_read is for the world's thread; inside a system or an
// observer, events are sent through its command buffer, and queues stay as they are until a wave
// ends.
#ifndef ILK_EVENT_H
#define ILK_EVENT_H

#include "observer.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __cplusplus
// Define the type of a struct T as T_type, once, in a source file; with further members, such as
// .hooks, by the second form. One without a value is an ILK_TAG, and sent with ILK_WITH.
#define ILK_EVENT(T) ILK_COMPONENT(T)
#define ILK_EVENT_WITH(T, ...) ILK_COMPONENT_WITH(T, __VA_ARGS__)

// Send an event that is written in place, by a world or by a command buffer: ILK_EMIT(it->cmd,
// Landed, .who = e); or one addressed to an entity: ILK_EMIT_TO(world, e, Hit, 3).
#define ILK_EMIT(to, T, ...)                                                                       \
    _Generic((to), ilk_world *: ilk_emit, ilk_cmd *: ilk_cmd_emit)((to), ILK_VALUE(T, __VA_ARGS__))
#define ILK_EMIT_TO(to, e, T, ...)                                                                 \
    _Generic((to), ilk_world *: ilk_emit_to, ilk_cmd *: ilk_cmd_emit_to)(                          \
        (to), (e), ILK_VALUE(T, __VA_ARGS__))
#endif

// Send an event: to nobody in particular, or addressed to an entity. The value is moved in, and
// dropped once everybody has passed it. INVALID for a type that is NULL or unsound, CLASH, DEAD for
// an entity that is not alive, LOCKED inside a system or an observer, NO_MEMORY: then nothing is
// sent, and the value is still the caller's. Whoever observes it (ILK_ON_EVENT) is told first;
// CANCELLED if one of them does not let it pass: then nobody reads it, the value is dropped, and
// nothing is told as a failure. (Should they send events of the same type that take the last room
// there is, it is NO_MEMORY although they were told.)
ILK_API ilk_result ilk_emit(ilk_world* world, ilk_value value);
ILK_API ilk_result ilk_emit_to(ilk_world* world, ilk_entity e, ilk_value value);

// The same as commands, which are applied in their turn, so that the order of events does not
// depend on workers. One that is addressed to an entity that is dead by then is skipped and
// counted; one that an observer cancels is done.
ILK_API ilk_result ilk_cmd_emit(ilk_cmd* cmd, ilk_value value);
ILK_API ilk_result ilk_cmd_emit_to(ilk_cmd* cmd, ilk_entity e, ilk_value value);

// What happens to entities and components, as events like any others, which are sent as long as
// somebody reads, subscribes to or observes their type. (Whoever wants every event gets them then,
// but is no reason to send them.) They are addressed to nobody: a destroyed entity could not be
// told.
//
// They are a history, in the order of their numbers: an entity is spawned, its components are added
// and removed, each in turns, and when none is left it is destroyed; bulk verbs send one for each
// as well. They are sent when that is complete, and before those of what anybody makes of it, in
// whatever order observers are called. (Other events that are sent because somebody observes one of
// these come before it, as with any event.) When the world ends none are sent. So what an observer
// undoes before its turn to be told has not happened: a component that came with an entity, and was
// taken away because of another one, is neither added nor removed. A pair is broken only where
// somebody listens to one end alone or from the middle on, where an observer cancels one, and where
// one is lost: if memory runs out, or observers that cause each other are nested too deep, the
// change is made nevertheless, and what is lost is told.
//
// `type` is ilk's own description of the type, and good for ever: compare with ilk_same_type. There
// is no value: it may own something, and be gone when the event is read. ilk_get finds the one of
// then, or NULL; observers (ILK_ON_ADD, ILK_ON_REMOVE) see it come and go.
typedef struct ilk_entity_spawned {
    ilk_entity entity;
    ilk_reason reason;
} ilk_entity_spawned;
typedef struct ilk_entity_destroyed {
    ilk_entity entity; // which is dead by now
    ilk_reason reason;
} ilk_entity_destroyed;
typedef struct ilk_component_added {
    ilk_entity entity;
    ilk_type* type;
    ilk_reason reason;
} ilk_component_added;
typedef struct ilk_component_removed {
    ilk_entity entity;
    ilk_type* type;
    ilk_reason reason;
} ilk_component_removed;
extern ILK_API ilk_type ilk_entity_spawned_type;
extern ILK_API ilk_type ilk_entity_destroyed_type;
extern ILK_API ilk_type ilk_component_added_type;
extern ILK_API ilk_type ilk_component_removed_type;

// What there is to know of an event.
typedef struct ilk_event {
    const void* value; // never NULL, also if the type has no size
    ilk_type* type;
    ilk_entity entity; // to which it is addressed, or null
    uint64_t number;   // 1, 2, 3… in the order in which the world sent them, of whatever type
} ilk_event;

// Someone who reads events of a type, at a pace of its own.
typedef struct ilk_reader ilk_reader;

// Which events a reader gets. All zero but for a type is valid.
typedef struct ilk_reader_desc {
    ilk_type* type;
    ilk_entity entity; // only what is addressed to it; null: everything. The reader stays when the
                       // entity goes: what was sent before can still be read
} ilk_reader_desc;

// Make a reader, which sees what is sent from now on. It is the world's, and goes with it at the
// latest. NULL, and in ilk_error: INVALID without a type, CLASH, DEAD for an entity that is not
// alive, LOCKED, NO_MEMORY.
ILK_API ilk_reader* ilk_reader_create(ilk_world* world, const ilk_reader_desc* desc);

// What only this reader had not passed is dropped. NULL is allowed. Inside a system or an observer
// LOCKED is told, and nothing done. The memory of a reader that is gone serves the next that is
// made; until then (and until ilk_trim, which frees it) whatever is done with it is INVALID, and
// told. A pointer to one that is gone cannot be told from one to the next that has its memory. So
// it is with subscriptions.
ILK_API void ilk_reader_destroy(ilk_reader* reader);

// The next event's value, or NULL if there is none yet, or no reader (that one is gone is told);
// and what else there is to know of it, unless `event` is NULL. The value stays where it is until
// this reader reads again or goes, or the world goes back to a snapshot (ilk_snapshot_restore),
// whatever happens in between. Also inside systems, each reader in one of a wave, and not in one
// that is parallel: the checked build refuses that, and gives NULL.
ILK_API const void* ilk_read(ilk_reader* reader, ilk_event* event);

// How many events were dropped, for a limit, before this reader came to them. 0 for NULL, and for
// one that is gone, which is told.
ILK_API uint64_t ilk_reader_lost(const ilk_reader* reader);

// Keep at most so many events of a type that somebody has not passed yet: the oldest are dropped
// for the next. 0, as at first: any number. INVALID, CLASH, LOCKED, NO_MEMORY.
ILK_API ilk_result ilk_event_limit(ilk_world* world, ilk_type* type, uint32_t most);

// Forget every event that waits, for readers and for subscribers. Inside a system or an observer
// LOCKED is told, and nothing done.
ILK_API void ilk_event_clear(ilk_world* world);

// What became of the events of a type.
typedef struct ilk_event_stats {
    uint64_t emitted;     // also those that nobody waited for
    uint64_t dropped;     // for the limit
    uint64_t cancelled;   // by observers; not among those emitted
    uint64_t kept;        // now: somebody has not passed them
    uint32_t readers;     // of the type
    uint32_t subscribers; // of the type; not those of every event
    uint32_t limit;       // 0: none
    size_t bytes;         // of its queue
} ilk_event_stats;

// All zero for a type of which no event was sent, read, subscribed or limited, and for NULL.
ILK_API ilk_event_stats ilk_event_stats_of(const ilk_world* world, ilk_type* type);

// Called for an event, with the world open: it may be changed, events may be sent, subscriptions
// made and ended, this one too. The event, and its value, are good until it returns, whatever it
// does. OK, or what went wrong, which is told as the failure of ilk_dispatch with the names of the
// subscription and the event.
typedef ilk_result ilk_subscriber_fn(ilk_world* world, const ilk_event* event, void* user);

// A function to which events are handed when they are dispatched.
typedef struct ilk_subscription ilk_subscription;

// Who is to be called, and for what. All zero but for a function is valid.
typedef struct ilk_subscription_desc {
    const char* name; // for messages; copied; may be NULL
    ilk_type* type;   // NULL: every event
    ilk_subscriber_fn* call;
    void* user;
    int order;  // lower ones first, then in order of subscribing; those of every event come last
    bool stops; // if it fails, those after it are not called for that event
} ilk_subscription_desc;

// Subscribe to events: to what is sent from now on, also if others subscribed before and events
// still wait for them, and while events are dispatched. NULL, and in ilk_error: INVALID without a
// function or for an unsound type, CLASH, LOCKED, NO_MEMORY.
ILK_API ilk_subscription* ilk_subscribe(ilk_world* world, const ilk_subscription_desc* desc);

// It is not called any more, also not for an event that is just being dispatched. INVALID for NULL,
// and for one that is gone; LOCKED inside a system or an observer. A subscription goes with its
// world at the latest.
ILK_API ilk_result ilk_unsubscribe(ilk_subscription* subscription);

// How to dispatch.
typedef enum ilk_dispatch_flags {
    ILK_DISPATCH_NESTED = 1, // events that are sent meanwhile too, after those that wait now
    ILK_DISPATCH_BY_TYPE =
        2 // types one after the other, in the order in which they were first used
} ilk_dispatch_flags;

#define ILK_DISPATCH_ROUNDS 10000 // at most so many times events that were sent by subscribers

// Hand all events that wait to their subscribers, in the order in which they were sent; those that
// are sent meanwhile wait for the next time. ilk_update begins with it, unless a dispatch is under
// way. Returns OK; the result of the first subscriber that failed (the others are called all the
// same); INVALID for unknown flags and while events are dispatched already, LOCKED inside a system
// or an observer, FULL (nested) if there is no end to it: the rest waits. Needs no memory.
ILK_API ilk_result ilk_dispatch(ilk_world* world, uint32_t flags);

#ifdef __cplusplus
}
#endif
#endif
