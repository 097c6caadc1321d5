// The queue of one event type.
//
// Events have places, counted from 0. They lie in segments of a fixed number of events each, which a
// ring finds by place. Readers have a place each; what lies before all of them is passed. Passed
// values are dropped, and segments used again, when room is needed and when the world says so: not
// by readers, since several may read at the same time. What a reader looks at, the last that it
// read, stays: if its segment is to leave the ring, that is detained until the reader goes on.
#ifndef ILKI_QUEUE_H
#define ILKI_QUEUE_H

#include <ilk/event.h>

#include "../component/values.h"
#include "../world/world.h"

typedef struct ilki_event_head {
    ilk_entity entity;
    uint64_t number; // 0: the value was dropped
} ilki_event_head;

typedef struct ilki_segment {
    struct ilki_segment* next; // of those that are spare, or detained
    uint64_t begin;            // the place of its first event
    unsigned char* values;
    ilki_event_head heads[];
} ilki_segment;

struct ilk_reader {
    uint64_t next;  // the place of the event that it reads next
    uint64_t until; // up to here it knows where they lie
    const ilki_event_head* head;
    const unsigned char* value;
    size_t size;
    uint64_t held; // the place after that of the event that it looks at; 0: none
    struct ilki_queue* queue;
    bool is_for_one;
    ilk_entity only;
    uint64_t lost;
    ilk_reader *previous, *following; // of the queue
#ifdef ILK_CHECKED
    uint64_t wave; // in which a system used it last
    const struct ilk_system* system;
#endif
};

typedef struct ilki_queue {
    uint64_t end;  // the place of the next event
    uint64_t stop; // events up to here need no second look
    ilki_event_head* head;
    unsigned char* value; // where the next goes
    size_t size;
    bool is_quick;  // values are moved without a call
    uint32_t shift; // a segment has 1 << shift events
    ilk_type* type; // the process-wide descriptor
    ilk_world* world;
    uint64_t first; // what lies before is passed, as far as anybody looked
    uint64_t swept; // what lies before is dropped
    uint64_t base;  // the place where the first segment of the ring begins
    uint64_t reach; // and where the last one ends
    ilki_segment** ring;
    uint32_t ring_capacity; // a power of two, or 0
    ilki_segment *spare, *detained;
    uint32_t segment_count; // all of them
    uint32_t limit;         // 0: none
    uint64_t unheard;       // events that nobody waited for
    uint64_t dropped;       // for the limit
    ilk_reader* readers;
    uint32_t reader_count; // without the one of the bus
    ilk_reader bus;        // reads for the subscribers, while there are any
    ilk_subscription* subscribers;
    uint32_t subscriber_count;
} ilki_queue;

void ilki_queue_init(ilki_queue* queue, ilk_world* world, ilk_type* type);
void ilki_queue_fini(ilki_queue* queue);

// A reader that begins with the next event; and one that goes. Whoever is to know when the first
// one of a type comes and the last one goes learns it from these two.
void ilki_queue_join(ilki_queue* queue, ilk_reader* reader);
void ilki_queue_leave(ilk_reader* reader);

// Makes room for one more event, which somebody waits for. False without memory; then nothing has
// changed that could be seen. Drops what is beyond the limit then.
bool ilki_queue_ready(ilki_queue* queue);

// Enters an event for which there is room. Without bytes it is the default.
ILKI_INLINE void ilki_queue_put(ilki_queue* queue, ilk_entity e, const void* bytes,
                                uint64_t number) {
    if (ILKI_LIKELY(queue->is_quick && bytes))
        ilki_value_move_quick(queue->value, bytes, queue->size);
    else
        ilki_value_fill(queue->type, queue->value, bytes);
    queue->value += queue->size;
    *queue->head++ = (ilki_event_head){e, number};
    queue->end++;
}

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

// Reads an event that was looked for.
ILKI_INLINE const void* ilki_reader_take(ilk_reader* reader, ilk_event* event) {
    const ilki_event_head* head = reader->head++;
    const void* value = reader->value;
    reader->value += reader->size;
    reader->held = ++reader->next;
    if (event) *event = (ilk_event){value, reader->queue->type, head->entity, head->number};
    return value;
}

// How many events somebody has not passed.
uint64_t ilki_queue_kept(const ilki_queue* queue);

size_t ilki_queue_bytes(const ilki_queue* queue);

// NULL, or what is wrong with it.
const char* ilki_queue_complaint(const ilki_queue* queue);

#endif
