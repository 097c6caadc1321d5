#include "queue.h"

#define SEGMENT_SHIFT 7u    // events of a segment, as a power of two
#define SEGMENT_BYTES 8192u // fewer if their values took more than this

static uint64_t per_segment(const ilki_queue* queue) {
    return (uint64_t)1 << queue->shift;
}

static size_t fit_to(size_t size, size_t align) {
    return (size + align - 1) & ~(align - 1);
}

size_t ilki_event_align(const ilki_queue* queue) {
    size_t align = queue->type->align;
    return align > _Alignof(ilki_segment) ? align : _Alignof(ilki_segment);
}

static size_t bytes_before_events(const ilki_queue* queue) {
    return fit_to(sizeof(ilki_segment), ilki_event_align(queue));
}

static size_t bytes_of_segment(const ilki_queue* queue) {
    return bytes_before_events(queue) + (queue->stride << queue->shift);
}

static uint32_t shift_for(size_t size) {
    uint32_t shift = SEGMENT_SHIFT;
    while (shift && size > SEGMENT_BYTES >> shift) shift--;
    return shift;
}

void ilki_queue_init(ilki_queue* queue, ilk_world* world, ilk_type* type) {
    *queue = (ilki_queue){.world = world,
                          .type = type,
                          .size = type->size,
                          .is_quick = ilki_type_is_quick(type),
                          .news = ilki_news_of(type),
                          .shift = shift_for(type->size)};
    queue->value_at = fit_to(sizeof(ilki_event_head), ilki_event_align(queue));
    queue->stride = fit_to(queue->value_at + queue->size, ilki_event_align(queue));
}

static ilki_segment** link_of_segment(const ilki_queue* queue, uint64_t place) {
    return &queue->ring[(place >> queue->shift) & (queue->ring_capacity - 1)];
}

static unsigned char* event_in(const ilki_queue* queue, const ilki_segment* segment,
                               uint64_t place) {
    return segment->events + (place - segment->begin) * queue->stride;
}

static ilki_event_head* head_at(const ilki_queue* queue, uint64_t place) {
    return (ilki_event_head*)(void*)event_in(queue, *link_of_segment(queue, place), place);
}

const ilki_event_head* ilki_queue_at(const ilki_queue* queue, uint64_t place) {
    return head_at(queue, place);
}

// The place after that of the event that a reader looks at; 0 if it looks at none.
static uint64_t held_by(const ilk_reader* reader) {
    return reader->at == reader->run ? reader->held : ilki_reader_place(reader);
}

// Sets a reader to a place; where that lies it finds out when it reads. (The run is empty, and lies
// where there is something, for the sake of arithmetic.)
static void begin_run(ilk_reader* reader, uint64_t place) {
    reader->place = place;
    reader->at = reader->run = reader->until = (const unsigned char*)reader;
}

// Sends a reader to a place, where it looks at what it looked at before.
static void send_reader(ilk_reader* reader, uint64_t place) {
    reader->held = held_by(reader);
    begin_run(reader, place);
}

void ilki_reader_go(ilk_reader* reader, uint64_t place) {
    begin_run(reader, place);
    reader->held = 0;
}

void ilki_reader_look_away(ilk_reader* reader) {
    send_reader(reader, ilki_reader_place(reader));
    reader->held = 0;
}

// Whether a reader looks at an event between two places.
static bool is_held(const ilki_queue* queue, uint64_t from, uint64_t to) {
    for (const ilk_reader* r = queue->readers; r; r = r->following) {
        uint64_t held = held_by(r);
        if (held > from && held <= to) return true;
    }
    return false;
}

// Drops the value of one event, unless somebody looks at it. Whether it is gone.
static bool drop_value(const ilki_queue* queue, ilki_segment* segment, uint64_t place) {
    unsigned char* event = event_in(queue, segment, place);
    ilki_event_head* head = (ilki_event_head*)(void*)event;
    if (!head->number) return true;
    if (is_held(queue, place, place + 1)) return false;
    head->number = 0;
    ilki_value_drop(queue->type, event + queue->value_at);
    return true;
}

// Drops the values of what is passed and was not dropped yet.
static void drop_values_before(ilki_queue* queue, uint64_t place) {
    uint64_t left = place;
    for (uint64_t at = queue->swept; queue->type->hooks.drop && at < place; at++) {
        bool is_gone = drop_value(queue, *link_of_segment(queue, at), at);
        if (!is_gone && left == place) left = at;
    }
    queue->swept = left;
}

static void push_segment(ilki_segment** list, ilki_segment* segment) {
    segment->next = *list;
    *list = segment;
}

// Takes the first segment out of the ring.
static void retire_segment(ilki_queue* queue) {
    ilki_segment* segment = *link_of_segment(queue, queue->base);
    uint64_t end = queue->base += per_segment(queue);
    if (queue->swept < end) queue->swept = end;
    if (segment == queue->tail) {
        queue->tail = NULL;
        queue->next = queue->stop = queue->full = NULL;
    }
    push_segment(is_held(queue, segment->begin, end) ? &queue->detained : &queue->spare, segment);
}

// Lets segments go that somebody looked at, and whom nobody looks at any more.
static void release_detained(ilki_queue* queue) {
    ilki_segment* segment = queue->detained;
    queue->detained = NULL;
    while (segment) {
        ilki_segment* next = segment->next;
        uint64_t end = segment->begin + per_segment(queue);
        for (uint64_t at = segment->begin; queue->type->hooks.drop && at < end; at++) {
            drop_value(queue, segment, at);
        }
        bool is_looked_at = is_held(queue, segment->begin, end);
        push_segment(is_looked_at ? &queue->detained : &queue->spare, segment);
        segment = next;
    }
}

// Says up to where events need no second look.
static void set_stop(ilki_queue* queue) {
    queue->stop = queue->next;
    if (!queue->readers || !queue->is_quick || !queue->tail || queue->is_observed) return;
    uint64_t end = ilki_queue_end(queue), stop = queue->reach;
    if (queue->limit && stop - queue->first > queue->limit) stop = queue->first + queue->limit;
    if (stop > end) queue->stop += (stop - end) * queue->stride;
}

// Notes that everybody has passed what lies before a place.
static void pass(ilki_queue* queue, uint64_t place) {
    queue->first = place;
    drop_values_before(queue, place);
    while (queue->base < queue->reach && queue->base + per_segment(queue) <= place) {
        retire_segment(queue);
    }
    if (queue->detained) release_detained(queue);
    set_stop(queue);
}

static uint64_t passed_by_all(const ilki_queue* queue) {
    uint64_t least = ilki_queue_end(queue);
    for (const ilk_reader* r = queue->readers; r; r = r->following) {
        uint64_t place = ilki_reader_place(r);
        if (place < least) least = place;
    }
    return least;
}

void ilki_queue_sweep(ilki_queue* queue) {
    pass(queue, passed_by_all(queue));
}

uint64_t ilki_queue_kept(const ilki_queue* queue) {
    return ilki_queue_end(queue) - passed_by_all(queue);
}

// The oldest event is lost to those who have not read it.
static void lose_first(ilki_queue* queue) {
    const ilki_event_head* head = head_at(queue, queue->first);
    for (ilk_reader* r = queue->readers; r; r = r->following) {
        if (ilki_reader_place(r) != queue->first) continue;
        send_reader(r, queue->first + 1);
        r->lost += !r->is_for_one || ilk_same(head->entity, r->only);
    }
    queue->first++;
    queue->dropped++;
}

static void shorten(ilki_queue* queue, uint64_t most) {
    ilki_queue_sweep(queue);
    uint64_t end = ilki_queue_end(queue);
    if (end - queue->first <= most) return;
    while (end - queue->first > most) lose_first(queue);
    pass(queue, queue->first);
}

void ilki_queue_set_limit(ilki_queue* queue, uint32_t most) {
    queue->limit = most;
    shorten(queue, most ? most : UINT64_MAX);
}

// Allocates one more segment, which is spare. False without memory.
static bool allocate_segment(ilki_queue* queue) {
    ilki_segment* segment = ilki_alloc(&queue->world->storage.memory, ILKI_OTHER,
                                       bytes_of_segment(queue), ilki_event_align(queue));
    if (!segment) return false;
    segment->events = (unsigned char*)segment + bytes_before_events(queue);
    queue->segment_count++;
    push_segment(&queue->spare, segment);
    return true;
}

static ilki_segment* take_segment(ilki_queue* queue) {
    if (!queue->spare && !allocate_segment(queue)) return NULL;
    ilki_segment* segment = queue->spare;
    queue->spare = segment->next;
    return segment;
}

static void free_ring(ilki_queue* queue) {
    ilki_free(&queue->world->storage.memory, ILKI_OTHER, queue->ring,
              queue->ring_capacity * sizeof(ilki_segment*), _Alignof(ilki_segment*));
    queue->ring = NULL;
    queue->ring_capacity = 0;
}

// Makes room for so many segments in the ring.
static bool grow_ring(ilki_queue* queue, uint64_t count) {
    if (count <= queue->ring_capacity) return true;
    ilki_queue larger = *queue;
    larger.ring_capacity = queue->ring_capacity ? queue->ring_capacity * 2 : 4;
    while (larger.ring_capacity < count) larger.ring_capacity *= 2;
    larger.ring = ilki_alloc(&queue->world->storage.memory, ILKI_OTHER,
                             larger.ring_capacity * sizeof(ilki_segment*), _Alignof(ilki_segment*));
    if (!larger.ring) return false;
    for (uint64_t at = queue->base; at < queue->reach; at += per_segment(queue)) {
        *link_of_segment(&larger, at) = *link_of_segment(queue, at);
    }
    free_ring(queue);
    queue->ring = larger.ring;
    queue->ring_capacity = larger.ring_capacity;
    return true;
}

static bool lengthen(ilki_queue* queue) {
    uint64_t count = (queue->reach - queue->base) >> queue->shift;
    ilki_segment* segment = grow_ring(queue, count + 1) ? take_segment(queue) : NULL;
    if (!segment) return false;
    segment->begin = queue->reach;
    *link_of_segment(queue, queue->reach) = segment;
    queue->reach += per_segment(queue);
    queue->tail = segment;
    queue->next = queue->stop = segment->events;
    queue->full = segment->events + (queue->stride << queue->shift);
    return true;
}

bool ilki_queue_ready(ilki_queue* queue) {
    if (queue->next != queue->full && !queue->limit) return true;
    if (queue->next == queue->full) {
        ilki_queue_sweep(queue);
        if (!lengthen(queue)) return false;
    }
    if (queue->limit) shorten(queue, queue->limit - 1);
    set_stop(queue);
    return true;
}

void ilki_queue_fill(ilki_queue* queue, ilk_entity e, const void* bytes, uint64_t number) {
    unsigned char* event = queue->next;
    *(ilki_event_head*)(void*)event = (ilki_event_head){e, number};
    ilki_value_fill(queue->type, event + queue->value_at, bytes);
    queue->next = event + queue->stride;
    if (queue->stop < queue->next) queue->stop = queue->next;
}

void ilki_queue_join(ilki_queue* queue, ilk_reader* reader) {
    reader->queue = queue;
    reader->stride = queue->stride;
    reader->value_at = queue->value_at;
    begin_run(reader, ilki_queue_end(queue));
    reader->held = 0;
    reader->previous = NULL;
    reader->following = queue->readers;
    if (queue->readers) queue->readers->previous = reader;
    queue->readers = reader;
    set_stop(queue);
}

void ilki_queue_leave(ilk_reader* reader) {
    ilki_queue* queue = reader->queue;
    if (reader->previous)
        reader->previous->following = reader->following;
    else
        queue->readers = reader->following;
    if (reader->following) reader->following->previous = reader->previous;
    reader->queue = NULL;
    ilki_queue_sweep(queue);
    ilki_news_end(queue);
}

void ilki_queue_observe(ilki_queue* queue, bool is_observed) {
    queue->is_observed = is_observed;
    set_stop(queue);
    ilki_news_end(queue);
}

void ilki_queue_forget(ilki_queue* queue) {
    uint64_t end = ilki_queue_end(queue);
    for (ilk_reader* r = queue->readers; r; r = r->following) send_reader(r, end);
    ilki_queue_sweep(queue);
}

static void free_spare(ilki_queue* queue) {
    while (queue->spare) {
        ilki_segment* next = queue->spare->next;
        ilki_free(&queue->world->storage.memory, ILKI_OTHER, queue->spare, bytes_of_segment(queue),
                  ilki_event_align(queue));
        queue->spare = next;
        queue->segment_count--;
    }
}

void ilki_queue_trim(ilki_queue* queue) {
    ilki_queue_sweep(queue);
    free_spare(queue);
    if (queue->base == queue->reach) free_ring(queue);
}

void ilki_queue_fini(ilki_queue* queue) {
    queue->readers = NULL;
    ilki_queue_sweep(queue);
    if (queue->base < queue->reach) retire_segment(queue);
    free_spare(queue);
    free_ring(queue);
}

// Copies an event, with its value.
static void copy_event(const ilki_queue* queue, unsigned char* to, const unsigned char* from) {
    *(ilki_event_head*)(void*)to = *(const ilki_event_head*)(const void*)from;
    ilki_value_copy(queue->type, to + queue->value_at, from + queue->value_at);
}

void ilki_queue_copy(const ilki_queue* queue, unsigned char* to) {
    uint64_t end = ilki_queue_end(queue);
    for (uint64_t at = end - ilki_queue_kept(queue); at < end; at++, to += queue->stride) {
        copy_event(queue, to, event_in(queue, *link_of_segment(queue, at), at));
    }
}

void ilki_queue_drop_copies(const ilki_queue* queue, unsigned char* events, uint64_t count) {
    if (!queue->type->hooks.drop) return;
    for (uint64_t i = 0; i < count; i++) {
        ilki_value_drop(queue->type, events + i * queue->stride + queue->value_at);
    }
}

// Where the segment with a place begins.
static uint64_t begin_of_segment(const ilki_queue* queue, uint64_t place) {
    return place & ~(per_segment(queue) - 1);
}

bool ilki_queue_ready_for(ilki_queue* queue, uint64_t first, uint64_t end) {
    uint64_t last = begin_of_segment(queue, end + per_segment(queue) - 1);
    uint64_t count = (last - begin_of_segment(queue, first)) >> queue->shift;
    while (queue->segment_count < count) {
        if (!allocate_segment(queue)) return false;
    }
    return grow_ring(queue, count);
}

// Has readers look at nothing, and drops all that there is. All segments are spare then.
static void empty_queue(ilki_queue* queue) {
    uint64_t end = ilki_queue_end(queue);
    for (ilk_reader* r = queue->readers; r; r = r->following) ilki_reader_go(r, end);
    ilki_queue_sweep(queue);
    if (queue->base < queue->reach) retire_segment(queue);
}

void ilki_queue_refill(ilki_queue* queue, uint64_t first, uint64_t end,
                       const unsigned char* events) {
    empty_queue(queue);
    queue->base = queue->reach = begin_of_segment(queue, first);
    while (queue->reach < end) lengthen(queue);
    queue->first = queue->swept = first;
    for (uint64_t at = queue->base; at < first; at++) head_at(queue, at)->number = 0;
    for (uint64_t at = first; at < end; at++, events += queue->stride) {
        copy_event(queue, event_in(queue, *link_of_segment(queue, at), at), events);
    }
    if (queue->tail) queue->next = queue->stop = event_in(queue, queue->tail, end);
    for (ilk_reader* r = queue->readers; r; r = r->following) ilki_reader_go(r, end);
}

bool ilki_reader_look(ilk_reader* reader) {
    const ilki_queue* queue = reader->queue;
    uint64_t place = ilki_reader_place(reader), end = ilki_queue_end(queue);
    if (place == end) {
        ilki_reader_look_away(reader);
        return false;
    }
    const ilki_segment* segment = *link_of_segment(queue, place);
    uint64_t segment_end = segment->begin + per_segment(queue);
    send_reader(reader, place);
    reader->at = reader->run = event_in(queue, segment, place);
    reader->until = event_in(queue, segment, segment_end < end ? segment_end : end);
    return true;
}

size_t ilki_queue_bytes(const ilki_queue* queue) {
    return sizeof *queue + queue->segment_count * bytes_of_segment(queue) +
           queue->ring_capacity * sizeof(ilki_segment*);
}

static uint64_t count_segments(const ilki_segment* list) {
    uint64_t count = 0;
    for (; list; list = list->next) count++;
    return count;
}

static const char* complaint_on_reader(const ilki_queue* queue, const ilk_reader* reader) {
    uint64_t place = ilki_reader_place(reader);
    if (reader->queue != queue) return "a reader is of another queue";
    if (place < queue->first || place > ilki_queue_end(queue)) return "a reader is elsewhere";
    if (reader->at > reader->until) return "a reader is beyond its run";
    if (held_by(reader) > place) return "a reader looks at what is to come";
    return NULL;
}

const char* ilki_queue_complaint(const ilki_queue* queue, uint64_t sent) {
    uint64_t in_ring = (queue->reach - queue->base) >> queue->shift, before = 0;
    uint64_t end = ilki_queue_end(queue);
    if (queue->base > queue->swept || queue->swept > queue->first || queue->first > end ||
        end > queue->reach || queue->stop < queue->next || queue->stop > queue->full) {
        return "its places are out of order";
    }
    if (in_ring + count_segments(queue->spare) + count_segments(queue->detained) !=
        queue->segment_count) {
        return "its segments do not add up";
    }
    if (!queue->readers && queue->first != end) return "it keeps what nobody waits for";
    for (uint64_t at = queue->first; at < end; at++) {
        if (head_at(queue, at)->number <= before) return "its numbers are out of order";
        before = head_at(queue, at)->number;
    }
    if (before > sent) return "it keeps what was not sent yet";
    for (const ilk_reader* r = queue->readers; r; r = r->following) {
        const char* complaint = complaint_on_reader(queue, r);
        if (complaint) return complaint;
    }
    return NULL;
}
