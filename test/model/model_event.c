// Events of the naive model: one list of all that is waited for, and everybody who waits for some.
#include "model.h"

#include <stdlib.h>
#include <string.h>

void model_events_init(model_world* m) {
    m->events.channels = calloc(m->type_total, sizeof *m->events.channels);
    if (!m->events.channels) abort();
}

// Values

static bool owns(const model_world* m, const model_event* event) {
    uint32_t first = 0;
    if (m->types[event->type].owner) memcpy(&first, event->bytes, sizeof first);
    return first != 0;
}

static unsigned char* copy_bytes(const model_world* m, uint32_t type, const void* bytes) {
    const model_type* its = &m->types[type];
    unsigned char* copy = calloc(1, its->size + 1);
    if (!copy) abort();
    if (!bytes) bytes = its->fresh;
    if (bytes && its->size) memcpy(copy, bytes, its->size);
    return copy;
}

// Listeners

static bool waits_for(const model_listener* listener, uint32_t type) {
    return listener->exists && listener->type == type;
}

// A list of all who wait for a type: readers, and the bus behind them.
static uint32_t listeners_of(model_world* m, uint32_t type, model_listener** list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MODEL_READERS; i++)
        if (waits_for(&m->events.readers[i], type)) list[count++] = &m->events.readers[i];
    if (m->events.channels[type].bus.exists) list[count++] = &m->events.channels[type].bus;
    return count;
}

static bool is_waited_for(model_world* m, const model_event* event) {
    model_listener* list[MODEL_READERS + 1];
    uint32_t count = listeners_of(m, event->type, list);
    for (uint32_t i = 0; i < count; i++)
        if (list[i]->passed < event->number) return true;
    return false;
}

static bool is_held(model_world* m, const model_event* event) {
    model_listener* list[MODEL_READERS + 1];
    uint32_t count = listeners_of(m, event->type, list);
    for (uint32_t i = 0; i < count; i++)
        if (list[i]->held == event->number) return true;
    return false;
}

// Takes out what everybody has passed and nobody looks at.
static void let_go(model_world* m) {
    model_events* all = &m->events;
    uint32_t left = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        model_event* event = &all->list[i];
        if (is_waited_for(m, event) || is_held(m, event)) {
            all->list[left++] = *event;
            continue;
        }
        m->owned -= owns(m, event);
        all->channels[event->type].loose += owns(m, event);
        free(event->bytes);
    }
    all->count = left;
}

void model_events_free(model_world* m) {
    for (uint32_t i = 0; i < m->events.count; i++) free(m->events.list[i].bytes);
    free(m->events.list);
    free(m->events.now.bytes);
    free(m->events.channels);
}

void model_sweep(model_world* m) {
    for (uint32_t i = 0; i < m->type_total; i++) m->events.channels[i].loose = 0;
}

uint64_t model_loose(const model_world* m) {
    uint64_t loose = 0;
    for (uint32_t i = 0; i < m->type_total; i++) loose += m->events.channels[i].loose;
    return loose;
}

uint64_t model_kept(const model_world* m, uint32_t type) {
    uint64_t kept = 0;
    for (uint32_t i = 0; i < m->events.count; i++) {
        const model_event* event = &m->events.list[i];
        kept += event->type == type && is_waited_for((model_world*)(uintptr_t)m, event);
    }
    return kept;
}

// Sending

model_faults model_value_faults(const model_world* m, uint32_t type) {
    if (type == MODEL_NO_TYPE) return MODEL_FAULT(INVALID);
    return m->types[type].fault == ILK_OK ? MODEL_FINE : 1u << m->types[type].fault;
}

static model_faults event_faults(const model_world* m, uint32_t type) {
    model_faults faults = model_value_faults(m, type);
    return faults == MODEL_FINE && m->types[type].unrecorded ? MODEL_FAULT(INVALID) : faults;
}

static void begin_to_use(model_world* m, uint32_t type) {
    model_channel* channel = &m->events.channels[type];
    if (!channel->used) channel->used = ++m->events.used;
    for (uint32_t i = 0; i < MODEL_SUBSCRIBERS && !channel->bus.exists; i++) {
        const model_subscriber* s = &m->events.subscribers[i];
        if (s->exists && !s->is_gone && s->type == MODEL_NO_TYPE)
            channel->bus = (model_listener){true, type, .passed = m->events.sent};
    }
}

// The oldest that somebody waits for is lost to all who do.
static void lose_oldest(model_world* m, uint32_t type) {
    model_listener* list[MODEL_READERS + 1];
    uint32_t count = listeners_of(m, type, list);
    const model_event* oldest = m->events.list;
    while (oldest->type != type || !is_waited_for(m, oldest)) oldest++;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i]->passed >= oldest->number) continue;
        list[i]->passed = oldest->number;
        list[i]->lost += !list[i]->is_for_one || ilk_same(list[i]->only, oldest->entity);
    }
    m->events.channels[type].dropped++;
    let_go(m);
}

static void heed_limit(model_world* m, uint32_t type) {
    uint32_t limit = m->events.channels[type].limit;
    while (limit && model_kept(m, type) > limit) lose_oldest(m, type);
}

static void append(model_world* m, model_event event) {
    model_events* all = &m->events;
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 64;
        all->list = realloc(all->list, all->capacity * sizeof *all->list);
        if (!all->list) abort();
    }
    all->list[all->count++] = event;
    m->owned += owns(m, &event);
}

static void send(model_world* m, ilk_entity e, model_value value) {
    model_listener* list[MODEL_READERS + 1];
    begin_to_use(m, value.type);
    m->events.channels[value.type].emitted++;
    m->events.sent++;
    if (!listeners_of(m, value.type, list)) return;
    append(m, (model_event){value.type, e, m->events.sent, copy_bytes(m, value.type, value.bytes)});
    heed_limit(m, value.type);
}

model_faults model_emit(model_world* m, model_value value) {
    model_faults faults = event_faults(m, value.type);
    if (!faults) send(m, (ilk_entity){0}, value);
    return faults;
}

model_faults model_emit_to(model_world* m, ilk_entity e, model_value value) {
    model_faults faults = event_faults(m, value.type);
    if (!model_alive(m, e)) faults |= MODEL_FAULT(DEAD);
    if (!faults) send(m, e, value);
    return faults;
}

model_faults model_limit(model_world* m, uint32_t type, uint32_t most) {
    model_faults faults = event_faults(m, type);
    if (faults) return faults;
    begin_to_use(m, type);
    m->events.channels[type].limit = most;
    heed_limit(m, type);
    m->events.channels[type].loose = 0;
    return MODEL_FINE;
}

void model_forget_events(model_world* m) {
    for (uint32_t i = 0; i < MODEL_READERS; i++) m->events.readers[i].passed = m->events.sent;
    for (uint32_t i = 0; i < m->type_total; i++) m->events.channels[i].bus.passed = m->events.sent;
    let_go(m);
    model_sweep(m);
}

static void restore_listener(model_listener* now, const model_listener* was, bool is_same,
                             uint64_t sent) {
    now->passed = is_same ? was->passed : sent;
    now->lost = is_same ? was->lost : 0;
    now->held = 0;
}

static void restore_channel(model_channel* now, const model_channel* was, uint64_t sent) {
    now->emitted = was->emitted;
    now->dropped = was->dropped;
    now->limit = was->limit;
    restore_listener(&now->bus, &was->bus, was->bus.exists, sent);
}

void model_events_restore(model_world* m, const model_events* was) {
    m->events.sent = was->sent;
    for (uint32_t i = 0; i < MODEL_READERS; i++) {
        model_listener* reader = &m->events.readers[i];
        bool is_same = was->readers[i].exists && reader->made == was->readers[i].made;
        restore_listener(reader, &was->readers[i], is_same, was->sent);
    }
    for (uint32_t i = 0; i < m->type_total; i++)
        restore_channel(&m->events.channels[i], &was->channels[i], was->sent);
    for (uint32_t i = 0; i < MODEL_SUBSCRIBERS; i++) {
        model_subscriber* s = &m->events.subscribers[i];
        if (s->since > was->sent) s->since = was->sent;
    }
    let_go(m);
    model_sweep(m);
}

// Reading

model_faults model_reader_make(model_world* m, uint32_t place, uint32_t type, ilk_entity only) {
    model_faults faults = event_faults(m, type);
    if (!ilk_is_null(only) && !model_alive(m, only)) faults |= MODEL_FAULT(DEAD);
    if (faults) return faults;
    begin_to_use(m, type);
    m->events.readers[place] = (model_listener){true,
                                                type,
                                                .is_for_one = !ilk_is_null(only),
                                                .only = only,
                                                .passed = m->events.sent,
                                                .made = ++m->events.made};
    return MODEL_FINE;
}

void model_reader_drop(model_world* m, uint32_t place) {
    m->events.readers[place].exists = false;
    m->events.readers[place].held = 0;
    let_go(m);
    m->events.channels[m->events.readers[place].type].loose = 0;
}

const model_event* model_held(const model_world* m, uint32_t place) {
    const model_listener* reader = &m->events.readers[place];
    for (uint32_t i = 0; i < m->events.count && reader->held; i++)
        if (m->events.list[i].number == reader->held) return &m->events.list[i];
    return NULL;
}

const model_event* model_read(model_world* m, uint32_t place) {
    model_listener* reader = &m->events.readers[place];
    reader->held = 0;
    for (uint32_t i = 0; i < m->events.count && !reader->held; i++) {
        const model_event* event = &m->events.list[i];
        if (event->type != reader->type || event->number <= reader->passed) continue;
        reader->passed = event->number;
        if (!reader->is_for_one || ilk_same(event->entity, reader->only))
            reader->held = event->number;
    }
    let_go(m);
    return model_held(m, place);
}

// Subscribing

uint32_t model_subscribers_of(const model_world* m, uint32_t type) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MODEL_SUBSCRIBERS; i++) {
        const model_subscriber* s = &m->events.subscribers[i];
        count += s->exists && !s->is_gone && s->type == type;
    }
    return count;
}

// The bus waits for what somebody subscribes to.
static void heed_subscribers(model_world* m) {
    bool is_all = model_subscribers_of(m, MODEL_NO_TYPE) > 0;
    for (uint32_t i = 0; i < m->type_total; i++) {
        model_channel* channel = &m->events.channels[i];
        bool is_wanted = channel->used && (is_all || model_subscribers_of(m, i) > 0);
        if (is_wanted && !channel->bus.exists)
            channel->bus = (model_listener){true, i, .passed = m->events.sent};
        if (!is_wanted && !m->events.is_dispatching) channel->bus.exists = false;
    }
    let_go(m);
}

model_faults model_subscribe(model_world* m, uint32_t place, model_subscriber subscriber) {
    model_faults faults = MODEL_FINE;
    if (subscriber.type != MODEL_NO_TYPE) faults = event_faults(m, subscriber.type);
    if (faults) return faults;
    if (subscriber.type != MODEL_NO_TYPE) begin_to_use(m, subscriber.type);
    subscriber.exists = true;
    subscriber.made = ++m->events.made;
    subscriber.since = m->events.sent;
    m->events.subscribers[place] = subscriber;
    heed_subscribers(m);
    return MODEL_FINE;
}

void model_unsubscribe(model_world* m, uint32_t place) {
    m->events.subscribers[place].is_gone = true;
    if (!m->events.is_dispatching) m->events.subscribers[place].exists = false;
    heed_subscribers(m);
}

// Dispatching

// The event that is to be delivered next, or NULL.
static const model_event* next_event(const model_world* m, uint64_t bound) {
    const model_events* all = &m->events;
    const model_event* found = NULL;
    for (uint32_t i = 0; i < all->count; i++) {
        const model_event* event = &all->list[i];
        const model_channel* channel = &all->channels[event->type];
        bool is_due = channel->bus.exists && event->number > channel->bus.passed;
        if (!is_due || event->number > bound) continue;
        bool is_by_type = all->flags & ILK_DISPATCH_BY_TYPE;
        if (!found || (is_by_type && channel->used < all->channels[found->type].used))
            found = event;
    }
    return found;
}

bool model_dispatch_begin(model_world* m, uint32_t flags) {
    m->events.flags = flags;
    if (!next_event(m, UINT64_MAX)) return false;
    m->events.is_dispatching = true;
    m->events.is_delivering = false;
    m->events.bound = m->events.sent;
    return true;
}

static bool deliver_next(model_world* m) {
    model_events* all = &m->events;
    const model_event* event = next_event(m, all->bound);
    if (!event && all->flags & ILK_DISPATCH_NESTED) {
        all->bound = all->sent;
        event = next_event(m, all->bound);
    }
    if (!event) return false;
    free(all->now.bytes);
    all->now = *event;
    all->now.bytes = copy_bytes(m, event->type, event->bytes);
    for (uint32_t i = 0; i < m->type_total; i++) all->channels[i].bus.held = 0;
    all->channels[event->type].bus.passed = all->channels[event->type].bus.held = event->number;
    all->is_delivering = true;
    all->last = NULL;
    let_go(m);
    return true;
}

// Whether one is called before another: those of every event last, then by order, then by age.
static bool is_before(const model_subscriber* a, const model_subscriber* b) {
    bool is_all[2] = {a->type == MODEL_NO_TYPE, b->type == MODEL_NO_TYPE};
    if (is_all[0] != is_all[1]) return is_all[1];
    return a->order != b->order ? a->order < b->order : a->made < b->made;
}

static uint32_t next_subscriber(model_world* m) {
    model_events* all = &m->events;
    uint32_t found = MODEL_SUBSCRIBERS;
    for (uint32_t i = 0; i < MODEL_SUBSCRIBERS && all->is_delivering; i++) {
        const model_subscriber* s = &all->subscribers[i];
        bool is_called = s->exists && !s->is_gone && all->now.number > s->since;
        bool is_meant = s->type == MODEL_NO_TYPE || s->type == all->now.type;
        if (!is_called || !is_meant || (all->last && !is_before(all->last, s))) continue;
        if (found == MODEL_SUBSCRIBERS || is_before(s, &all->subscribers[found])) found = i;
    }
    return found;
}

uint32_t model_dispatch_next(model_world* m) {
    uint32_t place;
    while ((place = next_subscriber(m)) == MODEL_SUBSCRIBERS) {
        m->events.is_delivering = false;
        if (!deliver_next(m)) return MODEL_SUBSCRIBERS;
    }
    m->events.last = &m->events.subscribers[place];
    return place;
}

void model_dispatch_failed(model_world* m) {
    if (m->events.last->stops) m->events.is_delivering = false;
}

void model_dispatch_end(model_world* m) {
    m->events.is_dispatching = false;
    for (uint32_t i = 0; i < MODEL_SUBSCRIBERS; i++) {
        model_subscriber* s = &m->events.subscribers[i];
        s->exists = s->exists && !s->is_gone;
    }
    for (uint32_t i = 0; i < m->type_total; i++) m->events.channels[i].bus.held = 0;
    heed_subscribers(m);
    model_sweep(m);
}
