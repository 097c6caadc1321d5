// The events of a world: the queues of its event types, and its bus.
#ifndef ILKI_EVENTS_H
#define ILKI_EVENTS_H

#include "queue.h"

struct ilk_subscription {
    ilki_listener base; // gone: ended, perhaps while events are dispatched
    ilki_queue* queue;  // NULL: every event
    ilk_subscription* next;
    ilk_subscription_desc desc;
    char* name;
    uint64_t since; // the number of the last event that was sent before it was made
};

// A queue with events to dispatch, and the number of the next one.
typedef struct ilki_turn {
    uint64_t number;
    ilki_queue* queue;
} ilki_turn;

// What happened to an entity or its component, and is to be sent.
typedef struct ilki_news {
    uint32_t kind;
    uint32_t depth; // frames that were begun when it was noted
    ilk_entity entity;
    ilk_type* type; // NULL for entities
    ilk_reason reason;
} ilki_news;

typedef struct ilki_events {
    ilki_queue** by_id; // by process-wide id; NULL for a type that is not in use here
    uint32_t id_count;
    uint64_t sent;         // events, of whatever type
    ilki_queue** channels; // the queues, in order of first use
    uint32_t count, capacity;
    ilki_turn* turns; // room for all of them, for dispatching
    uint32_t turn_capacity;
    ilk_subscription* subscribers; // to every event
    uint32_t subscriber_count;
    bool is_dispatching, has_leavers;
    ilki_listener *spare_readers, *spare_subscriptions;
    ilk_observer* noters[ILKI_NEWS / 2]; // of ilk's own events, while somebody wants one of a pair
    uint32_t wanted;                     // kinds of these, a bit each
    ilki_news* noted;                    // those that are to be sent, in order
    uint32_t noted_count, noted_capacity;
    bool is_sending; // them
} ilki_events;

// The queue of a type, or NULL if there is none.
ILKI_INLINE ilki_queue* ilki_queue_of(const ilki_events* events, const ilk_type* type) {
    if (ILKI_UNLIKELY(!events || !type)) return NULL;
    uint32_t id = ILKI_ID(type);
    return ILKI_LIKELY(id < events->id_count) ? events->by_id[id] : NULL;
}

// The queue of a type, made if there is none. NULL, and the failure is noted.
ilki_queue* ilki_queue_for(ilk_world* world, ilk_type* type, const char* call);

// NO_MEMORY for what has to do with the events of a type, or of all if that is NULL.
ilk_result ilki_fail_without_memory(ilk_world* world, const ilk_type* type, const char* call);

// Makes the events of a world if there are none yet. False without memory, and the failure is
// noted.
bool ilki_events_begin(ilk_world* world, const ilk_type* type, const char* call);

// Has the bus read a queue if anybody subscribes to its events, and not otherwise.
void ilki_bus_heed(ilki_events* events, ilki_queue* queue);

// Hands what waits to the subscribers, on behalf of an update; not while that is done already.
void ilki_bus_update(ilk_world* world);

// Frees the memory for noting ilk's own events, unless some are to be sent.
void ilki_news_trim(ilk_world* world);

// Frees all subscriptions.
void ilki_bus_free(ilk_world* world);

// Drops what everybody has passed, of all types.
void ilki_events_sweep(ilk_world* world);

#endif
