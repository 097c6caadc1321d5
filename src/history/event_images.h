// Events in a snapshot: what waits in each queue, and how far its readers have come. All of it is
// copied. Queues, readers and subscriptions are as long as the world keeps them: those that were
// made since the snapshot find nothing that was sent before.
#ifndef ILKI_EVENT_IMAGES_H
#define ILKI_EVENT_IMAGES_H

#include "../event/events.h"
#include "cutter.h"

typedef struct ilki_reader_image {
    uint64_t serial, place, lost;
} ilki_reader_image;

typedef struct ilki_queue_image {
    uint64_t unheard, dropped, cancelled;
    uint32_t limit;
    uint64_t first, end; // places: of the first that somebody has not passed, and of the next
    unsigned char* events;
    bool has_bus;
    uint64_t bus;               // the place of its reader
    ilki_reader_image* readers; // the youngest first
    uint32_t reader_count;
} ilki_queue_image;

typedef struct ilki_events_image {
    uint64_t sent;
    ilki_queue_image* queues; // in the order of the world's
    uint32_t count;
} ilki_events_image;

// The events of the world may be NULL.
void ilki_events_cut(const ilki_events* events, ilki_events_image* image, ilki_cutter* cutter);
void ilki_events_release(const ilki_events* events, const ilki_events_image* image);

// Makes room for all that waited. False without memory.
bool ilki_events_ready(const ilki_events* events, const ilki_events_image* image);
void ilki_events_restore(ilki_events* events, const ilki_events_image* image);

#endif
