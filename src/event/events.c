// Sending and reading events.
#include "events.h"

#include <stdio.h>

#include "../component/registry.h"
#include "observers.h"

ilk_result ilki_fail_without_memory(ilk_world* world, const ilk_type* type, const char* call) {
    const char* name = type && type->name ? type->name : NULL;
    return ilki_fail_because(world, ILK_NO_MEMORY, call, type,
                             "no memory for events%s%s in world \"%s\"", name ? " of " : "",
                             name ? name : "", world->name);
}

bool ilki_events_begin(ilk_world* world, const ilk_type* type, const char* call) {
    if (world->events) return true;
    world->events = ilki_alloc_zero(&world->storage.memory, ILKI_OTHER, sizeof(ilki_events),
                                    _Alignof(ilki_events));
    if (!world->events) ilki_fail_without_memory(world, type, call);
    return world->events != NULL;
}

// Makes room for one more queue, of a type with such an id.
static bool events_ready(ilki_events* events, ilki_memory* memory, uint32_t id) {
    return ilki_grow(memory, ILKI_OTHER, &events->by_id, &events->id_count, id + 1,
                     sizeof *events->by_id) &&
           ilki_grow(memory, ILKI_OTHER, &events->channels, &events->capacity, events->count + 1,
                     sizeof *events->channels) &&
           ilki_grow(memory, ILKI_OTHER, &events->turns, &events->turn_capacity, events->count + 1,
                     sizeof *events->turns);
}

static ilki_queue* make_queue(ilk_world* world, ilk_type* type) {
    ilki_events* events = world->events;
    ilki_memory* memory = &world->storage.memory;
    if (!events_ready(events, memory, type->id)) return NULL;
    ilki_queue* queue = ilki_alloc(memory, ILKI_OTHER, sizeof *queue, _Alignof(ilki_queue));
    if (!queue) return NULL;
    ilki_queue_init(queue, world, type);
    events->by_id[type->id] = queue;
    events->channels[events->count++] = queue;
    ilki_bus_heed(events, queue);
    if (world->observing)
        ilki_queue_observe(queue, ilki_is_event_observed(world, queue->type, true));
    return queue;
}

ilki_queue* ilki_queue_for(ilk_world* world, ilk_type* type, const char* call) {
    ilki_queue* queue = ilki_queue_of(world->events, type);
    if (queue) return queue;
    if (ilki_refuse(world, type, call) || !ilki_events_begin(world, type, call)) return NULL;
    const char* why;
    ilk_type* known;
    ilk_result result = ilki_type_resolve(type, true, &known, &why);
    if (result == ILK_OK && known->unrecorded) {
        ilki_fail_because(world, ILK_INVALID, call, type,
                          "%s is unrecorded: its values cannot be sent", known->name);
        return NULL;
    }
    if (result == ILK_OK) queue = ilki_queue_of(world->events, known);
    if (result == ILK_OK && !queue) queue = make_queue(world, known);
    if (!queue) ilki_fail_without_memory(world, type, call);
    return queue;
}

static void free_queue(ilki_queue* queue) {
    ilki_memory* memory = &queue->world->storage.memory;
    ilki_queue_fini(queue);
    ilki_free(memory, ILKI_OTHER, queue, sizeof *queue, _Alignof(ilki_queue));
}

// There is no memory for an event. A type whose first one it was to be was not used.
static ilk_result fail_to_keep(ilk_world* world, ilki_queue* queue, uint32_t count,
                               const char* call) {
    ilki_events* events = world->events;
    const ilk_type* type = queue->type;
    if (events->count > count) {
        events->by_id[type->id] = NULL;
        events->count--;
        free_queue(queue);
    }
    return ilki_fail_without_memory(world, type, call);
}

// Keeps an event for which there is room, or drops it if nobody waits for it.
static void keep_or_drop(ilki_queue* queue, ilk_entity e, const void* bytes) {
    uint64_t number = ++queue->world->events->sent;
    if (queue->readers) {
        ilki_queue_fill(queue, e, bytes, number);
        return;
    }
    queue->unheard++;
    if (bytes) ilki_value_drop(queue->type, (void*)(uintptr_t)bytes);
}

// Asks observers first, who may cancel it.
static ilk_result tell_and_keep(ilki_queue* queue, ilk_entity e, void* bytes, const char* call) {
    bool is_cancelled = false;
    if (!ilki_tell_event(queue->world, e, queue->type, bytes, call, &is_cancelled)) {
        return ilki_last_result(queue->world);
    }
    if (is_cancelled) {
        queue->cancelled++;
        ilki_value_drop(queue->type, bytes);
        return ILK_CANCELLED;
    }
    // Others may have been sent meanwhile.
    if (queue->readers && !ilki_queue_ready(queue)) {
        return ilki_fail_without_memory(queue->world, queue->type, call);
    }
    keep_or_drop(queue, e, bytes);
    return ILK_OK;
}

// Those who observe it see the default of an event that has no bytes.
static ilk_result emit_observed(ilki_queue* queue, ilk_entity e, const void* bytes,
                                const char* call) {
    ilki_memory* memory = &queue->world->storage.memory;
    const ilk_type* type = queue->type;
    if (bytes) return tell_and_keep(queue, e, (void*)(uintptr_t)bytes, call);
    void* made = ilki_alloc(memory, ILKI_OTHER, type->size + 1, type->align);
    if (!made) return ilki_fail_without_memory(queue->world, type, call);
    ilki_values_default(type, made, 1);
    ilk_result result = tell_and_keep(queue, e, made, call);
    if (result != ILK_OK && result != ILK_CANCELLED) ilki_value_drop(type, made);
    ilki_free(memory, ILKI_OTHER, made, type->size + 1, type->align);
    return result;
}

// The first event of a type, one for which there is no room yet, that nobody waits for, or that is
// observed.
static ILKI_NOINLINE ilk_result emit_otherwise(ilk_world* world, ilk_entity e, ilk_type* type,
                                               const void* bytes, const char* call) {
    uint32_t count = world->events ? world->events->count : 0;
    ilki_queue* queue = ilki_queue_for(world, type, call);
    if (!queue) return ilki_last_result(world);
    if (queue->readers && !ilki_queue_ready(queue)) return fail_to_keep(world, queue, count, call);
    if (queue->is_observed) return emit_observed(queue, e, bytes, call);
    keep_or_drop(queue, e, bytes);
    return ILK_OK;
}

// Every event is sent here. Whoever is to be asked first sees to it that the queue has to be looked
// at again. (The value goes in two words: gcc would put it through memory otherwise.)
ILKI_INLINE ilk_result send_event(ilk_world* world, ilk_entity e, ilk_type* type, const void* bytes,
                                  const char* call) {
    ilki_events* events = world->events;
    ilki_queue* queue = ilki_queue_of(events, type);
    if (ILKI_UNLIKELY(!queue || queue->next == queue->stop || !bytes)) {
        return emit_otherwise(world, e, type, bytes, call);
    }
    ilki_queue_put(queue, e, bytes, ++events->sent);
    return ILK_OK;
}

ilk_result ilki_emit(ilk_world* world, ilk_entity e, ilk_value value, const char* call) {
    return send_event(world, e, value.type, value.bytes, call);
}

// Where the world may not be open. (Were this done below, every call would save registers for it.)
static ILKI_NOINLINE ilk_result emit_or_refuse(ilk_world* world, ilk_type* type,
                                               const void* bytes) {
    ilk_result result = ilki_enter_for(world, ILKI_NULL, type, "ilk_emit");
    return result == ILK_OK ? send_event(world, ILKI_NULL, type, bytes, "ilk_emit") : result;
}

ilk_result ilk_emit(ilk_world* world, ilk_value value) {
#ifdef ILK_CHECKED
    bool is_open = false; // as far as is known: the thread is looked at, too
#else
    bool is_open = world && !world->running;
#endif
    return ILKI_LIKELY(is_open) ? send_event(world, ILKI_NULL, value.type, value.bytes, "ilk_emit")
                                : emit_or_refuse(world, value.type, value.bytes);
}

ilk_result ilk_emit_to(ilk_world* world, ilk_entity e, ilk_value value) {
    const char* call = "ilk_emit_to";
    ilk_result result = ilki_enter_for(world, e, value.type, call);
    if (result != ILK_OK) return result;
    if (!ilki_alive(world, e)) return ilki_fail(world, ILK_DEAD, call, e, value.type);
    return ilki_emit(world, e, value, call);
}

// It has nothing to read any more: whoever tries has to look again.
static void end_reader(ilk_reader* reader) {
    reader->queue->reader_count--;
    ilki_queue_leave(reader);
    reader->at = reader->until = NULL;
    ilki_listener_leave(&reader->base.world->events->spare_readers, &reader->base);
}

// The queue comes last: a call that fails has not used the type.
static ilk_reader* make_reader(ilk_world* world, const ilk_reader_desc* desc, const char* call) {
    if (!ilki_events_begin(world, desc->type, call)) return NULL;
    ilki_listener** spare = &world->events->spare_readers;
    ilk_reader* reader = ilki_listener_take(world, spare, sizeof *reader);
    if (!reader) {
        ilki_fail_without_memory(world, desc->type, call);
        return NULL;
    }
    ilki_queue* queue = ilki_queue_for(world, desc->type, call);
    if (!queue) {
        ilki_listener_leave(spare, &reader->base);
        return NULL;
    }
    reader->is_for_one = !ilk_is_null(desc->entity);
    reader->only = desc->entity;
    ilki_queue_join(queue, reader);
    queue->reader_count++;
    if (ilki_news_begin(queue, call)) return reader;
    end_reader(reader);
    return NULL;
}

ilk_reader* ilk_reader_create(ilk_world* world, const ilk_reader_desc* desc) {
    const char* call = "ilk_reader_create";
    if (ilki_enter(world, call) != ILK_OK) return NULL;
    if (!desc) {
        ilki_fail_because(world, ILK_INVALID, call, NULL, "there is no description");
        return NULL;
    }
    if (!ilk_is_null(desc->entity) && !ilki_alive(world, desc->entity)) {
        ilki_fail(world, ILK_DEAD, call, desc->entity, desc->type);
        return NULL;
    }
    return make_reader(world, desc, call);
}

// Whether a reader is there; or that it is gone is told.
static bool is_reader(const ilk_reader* reader, const char* call) {
    return ilki_listener_check(&reader->base, "reader", call) == ILK_OK;
}

void ilk_reader_destroy(ilk_reader* reader) {
    const char* call = "ilk_reader_destroy";
    if (!reader || !is_reader(reader, call)) return;
    if (ilki_enter(reader->base.world, call) == ILK_OK) end_reader(reader);
}

#ifdef ILK_CHECKED
// Whether this thread may use a reader: none of the present wave's other systems has done so.
static bool may_read(ilk_reader* reader) {
    if (!reader || reader->base.is_gone) return true; // is told of below
    ilk_world* world = reader->base.world;
    if (ilki_enter_to_look(world, "ilk_read") != ILK_OK) return false;
    const ilki_desk* desk = ilki_desk_in(world);
    if (!desk || !desk->system) return true;
    uint64_t wave = world->storage.wave;
    bool is_used = __atomic_exchange_n(&reader->wave, wave, __ATOMIC_RELAXED) == wave;
    const struct ilk_system* other =
        __atomic_exchange_n(&reader->system, desk->system, __ATOMIC_RELAXED);
    if (!desk->is_piece && (!is_used || other == desk->system)) return true;
    ilki_fail_because(world, ILK_INVALID, "ilk_read", reader->queue->type,
                      desk->is_piece ? "system \"%s\" is parallel, and a reader is not"
                                     : "another system of the wave of \"%s\" uses this reader",
                      desk->running);
    return false;
}
#else
#define may_read(reader) true
#endif

// The next event that is addressed to the one whose events are read. Each is looked for anew.
static const void* read_own(ilk_reader* reader, ilk_event* event) {
    while (reader->at != reader->until || ilki_reader_look(reader)) {
        bool is_own = ilk_same(ilki_reader_head(reader)->entity, reader->only);
        const void* value = ilki_reader_take(reader, is_own ? event : NULL);
        if (!is_own) continue;
        reader->until = reader->at;
        return value;
    }
    return NULL;
}

// Where it is not known where the next event lies.
static ILKI_NOINLINE const void* read_otherwise(ilk_reader* reader, ilk_event* event) {
    if (!reader || !is_reader(reader, "ilk_read")) return NULL;
    if (reader->is_for_one) return read_own(reader, event);
    return ilki_reader_look(reader) ? ilki_reader_take(reader, event) : NULL;
}

const void* ilk_read(ilk_reader* reader, ilk_event* event) {
    if (!may_read(reader)) return NULL;
    bool is_known = reader && reader->at != reader->until;
    return ILKI_LIKELY(is_known) ? ilki_reader_take(reader, event) : read_otherwise(reader, event);
}

uint64_t ilk_reader_lost(const ilk_reader* reader) {
    return reader && is_reader(reader, "ilk_reader_lost") ? reader->lost : 0;
}

ilk_result ilk_event_limit(ilk_world* world, ilk_type* type, uint32_t most) {
    const char* call = "ilk_event_limit";
    ilk_result result = ilki_enter(world, call);
    if (result != ILK_OK) return result;
    ilki_queue* queue = ilki_queue_for(world, type, call);
    if (!queue) return ilki_last_result(world);
    ilki_queue_set_limit(queue, most);
    return ILK_OK;
}

void ilk_event_clear(ilk_world* world) {
    if (ilki_enter(world, "ilk_event_clear") != ILK_OK || !world->events) return;
    for (uint32_t i = 0; i < world->events->count; i++) {
        ilki_queue_forget(world->events->channels[i]);
    }
}

ilk_event_stats ilk_event_stats_of(const ilk_world* world, ilk_type* type) {
    if (type) ilki_type_recall(type);
    const ilki_queue* queue = world ? ilki_queue_of(world->events, type) : NULL;
    if (!queue) return (ilk_event_stats){0};
    return (ilk_event_stats){
        .emitted = ilki_queue_end(queue) + queue->unheard,
        .dropped = queue->dropped,
        .cancelled = queue->cancelled,
        .kept = ilki_queue_kept(queue),
        .readers = queue->reader_count,
        .subscribers = queue->subscriber_count,
        .limit = queue->limit,
        .bytes = ilki_queue_bytes(queue) + queue->reader_count * sizeof(ilk_reader),
    };
}

void ilki_events_sweep(ilk_world* world) {
    const ilki_events* events = world->events;
    for (uint32_t i = 0; events && i < events->count; i++) {
        ilki_queue* queue = events->channels[i];
        if (queue->swept < ilki_queue_end(queue) || queue->detained) ilki_queue_sweep(queue);
    }
}

static void free_spare_listeners(ilk_world* world) {
    ilki_events* events = world->events;
    ilki_listeners_free(world, &events->spare_readers, sizeof(ilk_reader));
    ilki_listeners_free(world, &events->spare_subscriptions, sizeof(ilk_subscription));
}

void ilki_events_trim(ilk_world* world) {
    const ilki_events* events = world->events;
    if (!events) return;
    for (uint32_t i = 0; i < events->count; i++) ilki_queue_trim(events->channels[i]);
    ilki_news_trim(world);
    free_spare_listeners(world);
}

void ilki_events_free(ilk_world* world) {
    ilki_events* events = world->events;
    ilki_memory* memory = &world->storage.memory;
    size_t align = _Alignof(max_align_t);
    if (!events) return;
    ilki_bus_free(world);
    for (uint32_t i = 0; i < events->count; i++) {
        while (events->channels[i]->readers) end_reader(events->channels[i]->readers);
        free_queue(events->channels[i]);
    }
    free_spare_listeners(world);
    events->noted_count = 0; // nobody could read them any more
    ilki_news_trim(world);
    ilki_free(memory, ILKI_OTHER, events->by_id, events->id_count * sizeof *events->by_id, align);
    ilki_free(memory, ILKI_OTHER, events->channels, events->capacity * sizeof *events->channels,
              align);
    ilki_free(memory, ILKI_OTHER, events->turns, events->turn_capacity * sizeof *events->turns,
              align);
    ilki_free(memory, ILKI_OTHER, events, sizeof *events, _Alignof(ilki_events));
    world->events = NULL;
}

bool ilki_events_are_sound(const ilk_world* world, char* text, size_t size) {
    const ilki_events* events = world->events;
    for (uint32_t i = 0; events && i < events->count; i++) {
        const ilki_queue* queue = events->channels[i];
        const char* complaint = ilki_queue_of(events, queue->type) == queue
                                    ? ilki_queue_complaint(queue, events->sent)
                                    : "it is not found by its id";
        if (!complaint) continue;
        if (size) snprintf(text, size, "events %s: %s", queue->type->name, complaint);
        return false;
    }
    return true;
}
