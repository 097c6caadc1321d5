// What happens to entities and components, as events for those who listen.
//
// While somebody reads, subscribes to or observes one of these events, an observer of ilk's own
// notes it: one for entities, and one for components. Each is told of both ends, so that they pair,
// and before anybody else, so that nobody undoes what it has not heard of yet.
//
// What was noted is sent when it is complete, and before anything that is changed because of it:
// what happens while it is sent, because of those who observe it, is noted behind it. So events
// come in the order in which the two were told.
#include <string.h>

#include "events.h"
#include "observers.h"

#define NEWS(T) {.name = #T, .size = sizeof(T), .align = _Alignof(T)}

ilk_type ilk_entity_spawned_type = NEWS(ilk_entity_spawned);
ilk_type ilk_entity_destroyed_type = NEWS(ilk_entity_destroyed);
ilk_type ilk_component_added_type = NEWS(ilk_component_added);
ilk_type ilk_component_removed_type = NEWS(ilk_component_removed);

// In pairs: of entities, and of components.
static const struct {
    ilk_type* type;
    ilk_on on;
} news_kinds[ILKI_NEWS] = {
    {&ilk_entity_spawned_type, ILK_ON_CREATE},
    {&ilk_entity_destroyed_type, ILK_ON_DESTROY},
    {&ilk_component_added_type, ILK_ON_ADD},
    {&ilk_component_removed_type, ILK_ON_REMOVE},
};

uint32_t ilki_news_of(const ilk_type* type) {
    uint32_t kind = 0;
    while (kind < ILKI_NEWS && strcmp(news_kinds[kind].type->name, type->name) != 0) kind++;
    return kind;
}

static ilk_result note_news(ilk_notice* n) {
    ilki_events* events = n->world->events;
    uint32_t kind = 0;
    while (news_kinds[kind].on != n->on) kind++;
    if (!(events->wanted >> kind & 1)) return ILK_OK; // somebody wants the other one of the pair
    if (!ilki_grow(&n->world->storage.memory, ILKI_OTHER, &events->noted, &events->noted_capacity,
                   events->noted_count + 1, sizeof *events->noted)) {
        return ILK_NO_MEMORY;
    }
    events->noted[events->noted_count++] =
        (ilki_news){kind, n->world->observing->depth, n->entity, n->type, n->reason};
    return ILK_OK;
}

// Sends one as deep as it was noted, as if that had been done at once: so circles end.
static void send_news(ilk_world* world, const ilki_news* news, const char* call) {
    ilki_observing* observing = world->observing;
    uint32_t depth = observing->depth;
    const ilk_entity_spawned of_entity = {news->entity, news->reason};
    const ilk_component_added of_component = {news->entity, news->type, news->reason};
    const void* value = news->type ? (const void*)&of_component : &of_entity;
    if (depth < news->depth) observing->depth = news->depth;
    ilki_emit(world, ILKI_NULL, (ilk_value){news_kinds[news->kind].type, value}, call);
    observing->depth = depth;
}

void ilki_news_send(ilk_world* world, const char* call) {
    ilki_events* events = world->events;
    if (!events || !events->noted_count || events->is_sending) return;
    bool was_muted = world->is_muted;
    world->is_muted = false;
    events->is_sending = true;
    for (uint32_t i = 0; i < events->noted_count; i++) {
        const ilki_news news = events->noted[i]; // the list may grow meanwhile
        send_news(world, &news, call);
    }
    events->noted_count = 0;
    events->is_sending = false;
    world->is_muted = was_muted;
}

void ilki_news_trim(ilk_world* world) {
    ilki_events* events = world->events;
    if (events->noted_count) return;
    ilki_free(&world->storage.memory, ILKI_OTHER, events->noted,
              events->noted_capacity * sizeof *events->noted, _Alignof(max_align_t));
    events->noted = NULL;
    events->noted_capacity = 0;
}

// Whoever wants every event gets these if somebody else wants them.
static bool is_news_wanted(const ilki_queue* queue) {
    if (queue->reader_count || queue->subscriber_count) return true;
    return queue->is_observed && ilki_is_event_observed(queue->world, queue->type, false);
}

// Who notes a kind of news, and the other one of the pair.
static ilk_observer** noter_of(ilki_events* events, uint32_t kind) {
    return &events->noters[kind / 2];
}

static uint32_t pair_of(uint32_t kind) {
    return 3u << (kind & ~1u);
}

static ilk_observer* make_noter(ilk_world* world, uint32_t kind, const char* call) {
    uint32_t first = kind & ~1u;
    ilk_observer_desc desc = {.name = first ? "news of components" : "news of entities",
                              .on = (uint32_t)(news_kinds[first].on | news_kinds[first + 1].on),
                              .run = note_news};
    ilk_observer* noter = ilki_observer_make(world, &desc, ILKI_BEFORE_ALL, call);
    if (noter) world->observing->own++;
    return noter;
}

bool ilki_news_begin(ilki_queue* queue, const char* call) {
    uint32_t kind = queue->news;
    if (kind == ILKI_NEWS || !is_news_wanted(queue)) return true;
    ilki_events* events = queue->world->events;
    ilk_observer** noter = noter_of(events, kind);
    if (!*noter) *noter = make_noter(queue->world, kind, call);
    if (*noter) events->wanted |= 1u << kind;
    return *noter != NULL;
}

static void end_noter(ilk_world* world, ilk_observer** noter) {
    ilk_observer_destroy(*noter);
    *noter = NULL;
    world->observing->own--;
}

void ilki_news_end(ilki_queue* queue) {
    uint32_t kind = queue->news;
    if (kind == ILKI_NEWS || is_news_wanted(queue)) return;
    ilki_events* events = queue->world->events;
    ilk_observer** noter = noter_of(events, kind);
    events->wanted &= ~(1u << kind);
    if (*noter && !(events->wanted & pair_of(kind))) end_noter(queue->world, noter);
}

void ilki_news_stop(ilk_world* world) {
    for (uint32_t kind = 0; world->events && kind < ILKI_NEWS; kind += 2) {
        ilk_observer** noter = noter_of(world->events, kind);
        if (*noter) end_noter(world, noter);
    }
}
