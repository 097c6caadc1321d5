// The bus: subscribers, and handing them events.
//
// Lists of subscribers are in order. Who subscribes is entered at once, and not called for events
// that were sent before. While events are dispatched, who ends stays in the list, marked, until all
// is done.
// In each queue with subscribers the bus has a reader. Queues take turns by the numbers of their
// next events, which a heap finds.
#include <string.h>

#include "events.h"

void ilki_bus_heed(ilki_events* events, ilki_queue* queue) {
    bool is_wanted = queue->subscriber_count || events->subscriber_count;
    bool is_there = queue->bus.queue != NULL;
    if (is_wanted && !is_there) ilki_queue_join(queue, &queue->bus);
    if (!is_wanted && is_there) ilki_queue_leave(&queue->bus);
    ilki_news_end(queue);
}

static void heed_all(ilki_events* events) {
    for (uint32_t i = 0; i < events->count; i++) ilki_bus_heed(events, events->channels[i]);
}

// How many subscribe to the same, and who.
static ilk_subscription** list_of(ilki_events* events, const ilk_subscription* s,
                                  uint32_t** count) {
    *count = s->queue ? &s->queue->subscriber_count : &events->subscriber_count;
    return s->queue ? &s->queue->subscribers : &events->subscribers;
}

static void enter_subscription(ilki_events* events, ilk_subscription* s) {
    uint32_t* count;
    ilk_subscription** link = list_of(events, s, &count);
    while (*link && (*link)->desc.order <= s->desc.order) link = &(*link)->next;
    s->next = *link;
    *link = s;
    ++*count;
    if (s->queue)
        ilki_bus_heed(events, s->queue);
    else
        heed_all(events);
}

// Frees what a subscription has. It is spare from now on.
static void unmake_subscription(ilk_subscription* s) {
    ilk_world* world = s->base.world;
    if (s->name) ilki_free(&world->storage.memory, ILKI_OTHER, s->name, strlen(s->name) + 1, 1);
    ilki_listener_leave(&world->events->spare_subscriptions, &s->base);
}

static ilk_subscription* make_subscription(ilk_world* world, const ilk_subscription_desc* desc) {
    const char* name = desc->name ? desc->name : "";
    size_t length = strlen(name) + 1;
    ilk_subscription* s = ilki_listener_take(world, &world->events->spare_subscriptions, sizeof *s);
    if (!s) return NULL;
    s->desc = *desc;
    s->name = ilki_alloc(&world->storage.memory, ILKI_OTHER, length, 1);
    if (s->name) {
        s->desc.name = memcpy(s->name, name, length);
        return s;
    }
    unmake_subscription(s);
    return NULL;
}

ilk_subscription* ilk_subscribe(ilk_world* world, const ilk_subscription_desc* desc) {
    const char* call = "ilk_subscribe";
    if (ilki_enter(world, call) != ILK_OK) return NULL;
    if (!desc || !desc->call) {
        ilki_fail_because(world, ILK_INVALID, call, NULL, "there is no function to call");
        return NULL;
    }
    if (!ilki_events_begin(world, desc->type, call)) return NULL;
    ilki_events* events = world->events;
    ilk_subscription* s = make_subscription(world, desc);
    if (!s) {
        ilki_fail_without_memory(world, desc->type, call);
        return NULL;
    }
    if (desc->type && !(s->queue = ilki_queue_for(world, desc->type, call))) {
        unmake_subscription(s);
        return NULL;
    }
    s->desc.type = s->queue ? s->queue->type : NULL;
    s->since = events->sent;
    enter_subscription(events, s);
    if (!s->queue || ilki_news_begin(s->queue, call)) return s;
    ilk_unsubscribe(s);
    return NULL;
}

// Takes those that have ended out of a list.
static void remove_leavers(ilk_subscription** link) {
    while (*link) {
        ilk_subscription* s = *link;
        if (!s->base.is_gone) {
            link = &s->next;
            continue;
        }
        *link = s->next;
        unmake_subscription(s);
    }
}

static void see_off(ilki_events* events) {
    if (!events->has_leavers) return;
    events->has_leavers = false;
    remove_leavers(&events->subscribers);
    for (uint32_t i = 0; i < events->count; i++) remove_leavers(&events->channels[i]->subscribers);
    heed_all(events);
}

ilk_result ilk_unsubscribe(ilk_subscription* subscription) {
    if (!subscription) return ILK_INVALID;
    const char* call = "ilk_unsubscribe";
    ilk_world* world = subscription->base.world;
    ilk_result result = ilki_listener_check(&subscription->base, "subscription", call);
    if (result == ILK_OK) result = ilki_enter(world, call);
    if (result != ILK_OK) return result;
    ilki_events* events = world->events;
    uint32_t* count;
    list_of(events, subscription, &count);
    --*count;
    subscription->base.is_gone = events->has_leavers = true;
    if (!events->is_dispatching) see_off(events);
    return ILK_OK;
}

void ilki_bus_free(ilk_world* world) {
    ilki_events* events = world->events;
    events->has_leavers = true;
    events->subscriber_count = 0;
    for (ilk_subscription* s = events->subscribers; s; s = s->next) s->base.is_gone = true;
    for (uint32_t i = 0; i < events->count; i++) {
        events->channels[i]->subscriber_count = 0;
        for (ilk_subscription* s = events->channels[i]->subscribers; s; s = s->next) {
            s->base.is_gone = true;
        }
    }
    see_off(events);
}

bool ilki_is_dispatching(const ilk_world* world) {
    return world->events && world->events->is_dispatching;
}

static ilk_result tell_failure(ilk_subscription* s, const ilk_event* event, ilk_result result) {
    return ilki_fail_because(s->base.world, result, "ilk_dispatch", event->type,
                             "subscription \"%s\" failed on %s, number %llu: %s", s->desc.name,
                             event->type->name, (unsigned long long)event->number,
                             ilk_result_text(result));
}

// Hands an event to those of a list. False if one failed who stops it.
static bool hand_to(ilk_subscription* s, const ilk_event* event, ilk_result* first) {
    for (; s; s = s->next) {
        if (s->base.is_gone || event->number <= s->since) continue;
        ilki_here place = ilki_place_of_call();
        ilk_result result = s->desc.call(s->base.world, event, s->desc.user);
        ilki_set_place_of_call(place);
        if (result == ILK_OK) continue;
        tell_failure(s, event, result);
        if (*first == ILK_OK) *first = result;
        if (s->desc.stops) return false;
    }
    return true;
}

// Hands the next event of a queue to its subscribers, and to those of every event.
static void deliver(ilki_events* events, ilki_queue* queue, ilk_result* first) {
    ilk_event event;
    ilki_reader_take(&queue->bus, &event);
    if (hand_to(queue->subscribers, &event, first)) hand_to(events->subscribers, &event, first);
    ilki_reader_look_away(&queue->bus); // nobody looks at it any more
}

// The number of the event that a queue has to deliver next, unless it is beyond a bound; then 0.
static uint64_t next_number(ilki_queue* queue, uint64_t bound) {
    ilk_reader* bus = &queue->bus;
    if (!bus->queue || (bus->at == bus->until && !ilki_reader_look(bus))) return 0;
    uint64_t number = ilki_reader_head(bus)->number;
    return number <= bound ? number : 0;
}

static void deliver_by_type(ilki_events* events, uint64_t bound, ilk_result* first) {
    for (uint32_t i = 0; i < events->count; i++) {
        while (next_number(events->channels[i], bound)) deliver(events, events->channels[i], first);
    }
}

// Sinks a turn to where it belongs in a heap of so many.
static void sink(ilki_turn* turns, uint32_t count, uint32_t at) {
    ilki_turn turn = turns[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && turns[child + 1].number < turns[child].number) child++;
        if (turns[child].number >= turn.number) break;
        turns[at] = turns[child];
    }
    turns[at] = turn;
}

static uint32_t gather_turns(ilki_events* events, uint64_t bound) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < events->count; i++) {
        uint64_t number = next_number(events->channels[i], bound);
        if (number) events->turns[count++] = (ilki_turn){number, events->channels[i]};
    }
    for (uint32_t at = count / 2; at-- > 0;) sink(events->turns, count, at);
    return count;
}

// Events may be dropped or forgotten meanwhile, so that a queue's turn comes later than it was to.
static void deliver_in_order(ilki_events* events, uint64_t bound, ilk_result* first) {
    for (uint32_t count = gather_turns(events, bound); count;) {
        ilki_turn turn = events->turns[0];
        bool is_due = next_number(turn.queue, bound) == turn.number;
        if (is_due) deliver(events, turn.queue, first);
        turn.number = next_number(turn.queue, bound);
        events->turns[0] = turn.number ? turn : events->turns[--count];
        sink(events->turns, count, 0);
    }
}

static bool is_waiting(const ilki_events* events) {
    for (uint32_t i = 0; i < events->count; i++) {
        const ilki_queue* queue = events->channels[i];
        if (queue->bus.queue && ilki_reader_place(&queue->bus) < ilki_queue_end(queue)) return true;
    }
    return false;
}

static ilk_result dispatch_rounds(ilki_events* events, uint32_t flags, ilk_world* world) {
    ilk_result first = ILK_OK;
    for (uint32_t round = 0; is_waiting(events); round++) {
        if (round && !(flags & ILK_DISPATCH_NESTED)) break;
        if (round > ILK_DISPATCH_ROUNDS) {
            return ilki_fail_because(world, ILK_FULL, "ilk_dispatch", NULL,
                                     "subscribers still send events after %d rounds",
                                     ILK_DISPATCH_ROUNDS);
        }
        if (flags & ILK_DISPATCH_BY_TYPE)
            deliver_by_type(events, events->sent, &first);
        else
            deliver_in_order(events, events->sent, &first);
    }
    return first;
}

static ilk_result dispatch(ilk_world* world, uint32_t flags) {
    ilki_events* events = world->events;
    if (!events || !is_waiting(events)) return ILK_OK;
    events->is_dispatching = true;
    ilk_result result = dispatch_rounds(events, flags, world);
    events->is_dispatching = false;
    see_off(events);
    ilki_events_sweep(world);
    return result;
}

void ilki_bus_update(ilk_world* world) {
    if (!ilki_is_dispatching(world)) dispatch(world, 0);
}

ilk_result ilk_dispatch(ilk_world* world, uint32_t flags) {
    const char* call = "ilk_dispatch";
    ilk_result result = ilki_enter(world, call);
    if (result != ILK_OK) return result;
    if (flags & ~(uint32_t)(ILK_DISPATCH_NESTED | ILK_DISPATCH_BY_TYPE)) {
        return ilki_fail_because(world, ILK_INVALID, call, NULL, "there are no flags %#x", flags);
    }
    if (ilki_is_dispatching(world)) {
        return ilki_fail_because(world, ILK_INVALID, call, NULL,
                                 "events are being dispatched already");
    }
    return dispatch(world, flags);
}
