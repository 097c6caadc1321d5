// Observers: who is told of what, and what is being told.
#ifndef ILKI_OBSERVERS_H
#define ILKI_OBSERVERS_H

#include "../deferred/buffer.h"
#include "listener.h"

#define ILKI_NESTED_MAX 32u // frames

struct ilk_observer {
    ilki_listener base;            // gone: but may be being called
    ilk_observer *previous, *next; // of the world's; next also of those that are gone
    ilk_observer* next_single;     // of the same entity, in order
    uint64_t serial;
    int64_t order;          // the program's, or ILKI_BEFORE_ALL
    ilk_observer_desc desc; // without what was the caller's
    char* name;
    const char* plugin; // whose function made it, or NULL
    ilk_query* query;   // or NULL
};

// Observers in the order in which they are called.
typedef struct ilki_watch {
    ilk_observer** list;
    uint32_t count, capacity;
    uint32_t watchers; // of a type: these, and those of single entities
    uint32_t on;       // what one of them may observe
} ilki_watch;

// An entity and a query that it may begin or cease to match.
typedef struct ilki_match_change {
    ilk_observer* observer;
    uint32_t at; // which of the frame's entities
    bool before, after;
} ilki_match_change;

typedef struct ilki_observing {
    ilk_observer* all;
    uint32_t on;         // what one of them may observe
    ilki_watch* by_type; // by number: those of the type, of any, and of queries that it decides
    uint32_t type_capacity;
    ilki_watch entities;    // of what is created or destroyed
    ilki_watch events;      // of events, of whatever type
    ilki_watch matchers;    // of what begins or ceases to match
    ilk_observer** singles; // by slot: the first of those of one entity
    uint32_t single_capacity, single_count;
    uint32_t own;       // observers of ilk's own, which are not counted
    uint64_t last;      // serial number
    ilk_observer* gone; // to be spare when nothing is being told
    ilki_listener* spare;
    ilk_cmd* cmds[ILKI_NESTED_MAX];
    uint32_t depth;        // frames that are begun
    ilki_frame* innermost; // of them, or NULL
    ilki_frame* held;      // for which the commands of those inside wait, or NULL
    ilki_match_change* changes;
    uint32_t change_count, change_capacity;
    uint32_t* numbers; // of types that are to be told of
    uint32_t number_count, number_capacity;
} ilki_observing;

#define ILKI_BEFORE_ALL INT64_MIN // is the order of ilk's own observers

#define ILKI_ON_COMPONENT (ILK_ON_ADD | ILK_ON_SET | ILK_ON_REMOVE | ILK_ON_ENABLE | ILK_ON_DISABLE)
#define ILKI_ON_ENTITY (ILK_ON_CREATE | ILK_ON_DESTROY)

ILKI_INLINE bool ilki_is_single(const ilk_observer* observer) {
    return !ilk_is_null(observer->desc.entity);
}

ILKI_INLINE bool ilki_is_called_after(const ilk_observer* observer, int64_t order,
                                      uint64_t serial) {
    if (observer->order != order) return observer->order > order;
    return observer->serial > serial;
}

// The first of a list that is called after an order and a serial number; or NULL.
ilk_observer* ilki_watch_after(const ilki_watch* watch, int64_t order, uint64_t serial);

// The first of the observers of one entity alone, or NULL.
ILKI_INLINE ilk_observer* ilki_single_of(const ilki_observing* observing, uint32_t slot) {
    return slot < observing->single_capacity ? observing->singles[slot] : NULL;
}

// Makes room for what is noted of one more entity. While nothing is being told there always is, so
// that the verbs for one entity need no memory to be observed.
bool ilki_notes_ready(ilk_world* world, uint32_t observers);

// Whether somebody observes events of a type by name or, if wanted, among any.
bool ilki_is_event_observed(const ilk_world* world, const ilk_type* type, bool by_any);

// Tells observers of an event. False, and the failure is noted, if they cannot be told.
bool ilki_tell_event(ilk_world* world, ilk_entity e, ilk_type* type, const void* value,
                     const char* call, bool* is_cancelled);

// Makes an observer on behalf of a call, whatever order the description says; or NULL, and the
// failure is noted.
ilk_observer* ilki_observer_make(ilk_world* world, const ilk_observer_desc* desc, int64_t order,
                                 const char* call);

// Sends what was noted of ilk's own events, which is complete: unless that is being done.
void ilki_news_send(ilk_world* world, const char* call);

// Whether an observer is one to be told this, of a type or an entity, in a frame.
bool ilki_is_about(const ilki_frame* frame, const ilki_directory* directory,
                   const ilk_observer* observer, ilk_on on);

// One kind of notice, of the frame's type if it has one, is about to be told.
void ilki_turns_begin(ilki_frame* frame, ilk_on on);

// Whether an observer is not told what happens to an entity, or its component of the frame's type,
// because a frame around this one has yet to tell it of what that happens to.
bool ilki_is_withheld(const ilki_frame* frame, const ilk_observer* observer, ilk_on on,
                      ilk_entity e);

// Whether an observer takes an entity for one that matches: as it was before the frame, and before
// what frames around it are still to tell.
bool ilki_is_taken_to_match(const ilki_frame* frame, const ilki_match_change* change);

// A component goes: frames around this one have no more to tell of its value.
void ilki_turns_end(ilki_frame* frame);

void ilki_positions_free(ilki_frame* frame);

// Observers that are gone are not needed any more.
void ilki_observers_bury(ilk_world* world);

#endif
