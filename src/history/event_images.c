#include "event_images.h"

static unsigned char* cut_events(const ilki_queue* queue, uint64_t count, ilki_cutter* cutter) {
    size_t align = ilki_event_align(queue);
    unsigned char* room = ilki_cut(cutter, (size_t)count * queue->stride + align, 1);
    if (!room) return NULL;
    unsigned char* events = room + (align - (uintptr_t)room % align) % align;
    ilki_queue_copy(queue, events);
    return events;
}

// The readers of a queue, but for that of the bus.
static void copy_readers(const ilki_queue* queue, ilki_reader_image* to) {
    for (const ilk_reader* r = queue->readers; r; r = r->following) {
        if (r == &queue->bus) continue;
        *to++ = (ilki_reader_image){r->base.serial, ilki_reader_place(r), r->lost};
    }
}

static ilki_queue_image image_of_queue(const ilki_queue* queue) {
    uint64_t end = ilki_queue_end(queue);
    bool has_bus = queue->bus.queue != NULL;
    return (ilki_queue_image){.unheard = queue->unheard,
                              .dropped = queue->dropped,
                              .cancelled = queue->cancelled,
                              .limit = queue->limit,
                              .first = end - ilki_queue_kept(queue),
                              .end = end,
                              .has_bus = has_bus,
                              .bus = has_bus ? ilki_reader_place(&queue->bus) : end,
                              .reader_count = queue->reader_count};
}

static void cut_queue(const ilki_queue* queue, ilki_queue_image* to, ilki_cutter* cutter) {
    ilki_queue_image image = image_of_queue(queue);
    image.readers = ilki_cut(cutter, image.reader_count, sizeof *image.readers);
    image.events = cut_events(queue, image.end - image.first, cutter);
    if (!to) return;
    copy_readers(queue, image.readers);
    *to = image;
}

void ilki_events_cut(const ilki_events* events, ilki_events_image* image, ilki_cutter* cutter) {
    *image =
        (ilki_events_image){.sent = events ? events->sent : 0, .count = events ? events->count : 0};
    image->queues = ilki_cut(cutter, image->count, sizeof *image->queues);
    for (uint32_t i = 0; i < image->count; i++) {
        cut_queue(events->channels[i], image->queues ? &image->queues[i] : NULL, cutter);
    }
}

void ilki_events_release(const ilki_events* events, const ilki_events_image* image) {
    for (uint32_t i = 0; i < image->count; i++) {
        const ilki_queue_image* queue = &image->queues[i];
        ilki_queue_drop_copies(events->channels[i], queue->events, queue->end - queue->first);
    }
}

bool ilki_events_ready(const ilki_events* events, const ilki_events_image* image) {
    for (uint32_t i = 0; i < image->count; i++) {
        const ilki_queue_image* queue = &image->queues[i];
        if (!ilki_queue_ready_for(events->channels[i], queue->first, queue->end)) return false;
    }
    return true;
}

// Readers and their images are both the youngest first. One that was made since is at the end.
static void restore_readers(const ilki_queue* queue, const ilki_queue_image* image) {
    uint32_t at = 0;
    for (ilk_reader* r = queue->readers; r; r = r->following) {
        if (r == &queue->bus) continue;
        while (at < image->reader_count && image->readers[at].serial > r->base.serial) at++;
        bool was_there = at < image->reader_count && image->readers[at].serial == r->base.serial;
        r->lost = was_there ? image->readers[at].lost : 0;
        if (was_there) ilki_reader_go(r, image->readers[at].place);
    }
}

// What nobody waits for any more goes at once.
static void restore_queue(ilki_queue* queue, const ilki_queue_image* image) {
    queue->unheard = image->unheard;
    queue->dropped = image->dropped;
    queue->cancelled = image->cancelled;
    queue->limit = image->limit;
    ilki_queue_refill(queue, image->first, image->end, image->events);
    restore_readers(queue, image);
    if (queue->bus.queue && image->has_bus) ilki_reader_go(&queue->bus, image->bus);
    ilki_queue_sweep(queue);
}

static void restore_subscriptions(ilk_subscription* s, uint64_t sent) {
    for (; s; s = s->next) {
        if (s->since > sent) s->since = sent;
    }
}

void ilki_events_restore(ilki_events* events, const ilki_events_image* image) {
    static const ilki_queue_image nothing;
    if (!events) return;
    for (uint32_t i = 0; i < events->count; i++) {
        restore_queue(events->channels[i], i < image->count ? &image->queues[i] : &nothing);
        restore_subscriptions(events->channels[i]->subscribers, image->sent);
    }
    restore_subscriptions(events->subscribers, image->sent);
    events->sent = image->sent;
}
