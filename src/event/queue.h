// The queue of one event type.
//
// Events have places, counted from 0. They lie in segments of a fixed number of events each, which
// a ring finds by place. Readers have a place each; what lies before all of them is passed. Passed
// values are dropped, and segments used again, when room is needed and when the world says so: not
// by readers, since several may read at the same time. What a reader looks at, the last that it
// read, stays: if its segment is to leave the ring, that is detained until the reader goes on.
#ifndef ILKI_QUEUE_H
#define ILKI_QUEUE_H

#include <ilk/event.h>

#include "../component/values.h"
#include "listener.h"

// What an event begins with. Its value follows, aligned as its type asks for.
typedef struct ilki_event_head {
    ilk_entity entity;
    uint64_t number; // 0: the value was dropped
} ilki_event_head;

typedef struct ilki_segment {
    struct ilki_segment* next; // of those that are spare, or detained
    uint64_t begin;            // the place of its first event
    unsigned char* events;
} ilki_segment;

// A reader goes through events that lie side by side, a run, without looking at the queue. Its
// place is known from how far it has come.
struct ilk_reader {
    ilki_listener base;
    const unsigned char* at;    // the event that it reads next
    const unsigned char* until; // the run ends here
    size_t stride, value_at;    // of the queue
    struct ilki_queue* queue;
    const unsigned char* run; // the run began here
    uint64_t place;           // and this is the place of its first event
    uint64_t held;            // while nothing of it is read: the place after that of the event
                              // that is looked at; 0: none
    bool is_for_one;
    ilk_entity only;
    uint64_t lost;
    ilk_reader *previous, *following; // of the queue
#ifdef ILK_CHECKED
    uint64_t wave; // in which a system used it last
    const struct ilk_system* system;
#endif
};

#define ILKI_NEWS 4u // events of ilk's own (news.c)

typedef struct ilki_queue {
    unsigned char* next; // where the next event goes
    unsigned char* stop; // up to here events need no second look: there is room, values are quick
    size_t stride;       // from one event to the next
    size_t value_at;     // from an event to its value
    size_t size;         // of the value
    bool is_quick;       // values are moved without a call
    uint32_t shift;      // a segment has 1 << shift events
    ilk_type* type;      // the process-wide descriptor
    ilk_world* world;
    ilki_segment* tail;  // that is being filled, the last of the ring; NULL if there is none
    unsigned char* full; // where it ends
    uint64_t first;      // what lies before is passed, as far as anybody looked
    uint64_t swept;      // what lies before is dropped
    uint64_t base;       // the place where the first segment of the ring begins
    uint64_t reach;      // and where the last one ends
    ilki_segment** ring;
    uint32_t ring_capacity; // a power of two, or 0
    ilki_segment *spare, *detained;
    uint32_t segment_count; // all of them
    uint32_t limit;         // 0: none
    bool is_observed;       // observers are asked first
    uint32_t news;          // which of ilk's own events it has; or ILKI_NEWS
    uint64_t unheard;       // events that nobody waited for
    uint64_t dropped;       // for the limit
    uint64_t cancelled;     // by observers
    ilk_reader* readers;
    uint32_t reader_count; // without the one of the bus
    ilk_reader bus;        // reads for the subscribers, while there are any
    ilk_subscription* subscribers;
    uint32_t subscriber_count;
} ilki_queue;

// The place of the next event: how many were kept so far.
ILKI_INLINE uint64_t ilki_queue_end(const ilki_queue* queue) {
    if (!queue->tail) return queue->reach;
    return queue->tail->begin + (uint64_t)(queue->next - queue->tail->events) / queue->stride;
}

// The place of the event that a reader reads next.
ILKI_INLINE uint64_t ilki_reader_place(const ilk_reader* reader) {
    return reader->place + (uint64_t)(reader->at - reader->run) / reader->stride;
}

void ilki_queue_init(ilki_queue* queue, ilk_world* world, ilk_type* type);
void ilki_queue_fini(ilki_queue* queue);

// A reader that begins with the next event; and one that goes. Whoever is to know when the first
// one of a type comes and the last one goes learns it from these two.
void ilki_queue_join(ilki_queue* queue, ilk_reader* reader);
void ilki_queue_leave(ilk_reader* reader);

// Makes room for one more event, which somebody waits for. False without memory; then nothing has
// changed that could be seen. Drops what is beyond the limit then.
bool ilki_queue_ready(ilki_queue* queue);

// Moves a value that is quick. (Those of 16 bytes are told apart: a loop takes twice as long.)
ILKI_INLINE void ilki_event_move(unsigned char* to, const unsigned char* from, size_t size) {
    if (size != ILKI_QUICK_SIZE) {
        ilki_value_move_quick(to, from, size);
        return;
    }
    for (uint32_t at = 0; at < ILKI_QUICK_SIZE; at += 4) ilki_move_4(to + at, from + at);
}

// Enters an event that needs no second look, and has bytes.
ILKI_INLINE void ilki_queue_put(ilki_queue* queue, ilk_entity e, const void* bytes,
                                uint64_t number) {
    unsigned char* event = queue->next;
    queue->next = event + queue->stride;
    *(ilki_event_head*)(void*)event = (ilki_event_head){e, number};
    ilki_event_move(event + queue->value_at, bytes, queue->size);
}

// Enters an event for which there is room. Without bytes it is the default.
void ilki_queue_fill(ilki_queue* queue, ilk_entity e, const void* bytes, uint64_t number);

// Drops what everybody has passed.
void ilki_queue_sweep(ilki_queue* queue);

// The same, and frees the segments that are not in use.
void ilki_queue_trim(ilki_queue* queue);

// Keeps at most so many from now on; 0: any number.
void ilki_queue_set_limit(ilki_queue* queue, uint32_t most);

// Has every reader pass all that there is.
void ilki_queue_forget(ilki_queue* queue);

// Finds out where the next event of a reader lies; false if there is none.
bool ilki_reader_look(ilk_reader* reader);

// The event that a reader has come to, within a run.
ILKI_INLINE const ilki_event_head* ilki_reader_head(const ilk_reader* reader) {
    return (const ilki_event_head*)(const void*)reader->at;
}

// Reads an event that was looked for.
ILKI_INLINE const void* ilki_reader_take(ilk_reader* reader, ilk_event* event) {
    const ilki_event_head* head = ilki_reader_head(reader);
    const void* value = reader->at + reader->value_at;
    reader->at += reader->stride;
    if (ILKI_UNLIKELY(event != NULL)) {
        event->value = value;
        event->type = reader->queue->type;
        event->entity = head->entity;
        event->number = head->number;
    }
    return value;
}

// It looks at nothing any more.
void ilki_reader_look_away(ilk_reader* reader);

// The event at a place that somebody has not passed. Its value is `value_at` further on.
const ilki_event_head* ilki_queue_at(const ilki_queue* queue, uint64_t place);

// Sends a reader to a place, where it looks at nothing.
void ilki_reader_go(ilk_reader* reader, uint64_t place);

// How many events somebody has not passed.
uint64_t ilki_queue_kept(const ilki_queue* queue);

// Copies these to where there is room for them, side by side as they lie in segments (a stride
// each, aligned to ilki_event_align); and drops the values of such copies.
void ilki_queue_copy(const ilki_queue* queue, unsigned char* to);
void ilki_queue_drop_copies(const ilki_queue* queue, unsigned char* events, uint64_t count);
size_t ilki_event_align(const ilki_queue* queue);

// Makes sure that a queue can be filled with the events from one place to before another. False
// without memory.
bool ilki_queue_ready_for(ilki_queue* queue, uint64_t first, uint64_t end);

// Puts copies of these in place of all that there is. Every reader is at the end then.
void ilki_queue_refill(ilki_queue* queue, uint64_t first, uint64_t end,
                       const unsigned char* events);

size_t ilki_queue_bytes(const ilki_queue* queue);

// Notes whether observers are asked first.
void ilki_queue_observe(ilki_queue* queue, bool is_observed);

// Sees to it that ilk's own events are sent while somebody wants them, and not otherwise. False
// without memory, and the failure is noted.
bool ilki_news_begin(ilki_queue* queue, const char* call);
void ilki_news_end(ilki_queue* queue);

// Which of ilk's own events a type is, or ILKI_NEWS.
uint32_t ilki_news_of(const ilk_type* type);

// NULL, or what is wrong with it, in a world where so many events were sent.
const char* ilki_queue_complaint(const ilki_queue* queue, uint64_t sent);

#endif
