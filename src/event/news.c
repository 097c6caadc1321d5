// What happens to entities and components, as events for those who listen.
//
// While somebody reads, subscribes to or observes one of these events, an observer of ilk's own
// sends it: as a command, and so when what it tells of is complete.
#include <string.h>

#include "events.h"
#include "observers.h"

#define NEWS(T) {.name = #T, .size = sizeof(T), .align = _Alignof(T)}

ilk_type ilk_entity_spawned_type = NEWS(ilk_entity_spawned);
ilk_type ilk_entity_destroyed_type = NEWS(ilk_entity_destroyed);
ilk_type ilk_component_added_type = NEWS(ilk_component_added);
ilk_type ilk_component_removed_type = NEWS(ilk_component_removed);

static ilk_result send_spawned(ilk_notice* n) {
    ilk_entity_spawned news = {n->entity, n->reason};
    return ilk_cmd_emit(n->cmd, (ilk_value){&ilk_entity_spawned_type, &news});
}

static ilk_result send_destroyed(ilk_notice* n) {
    ilk_entity_destroyed news = {n->entity, n->reason};
    return ilk_cmd_emit(n->cmd, (ilk_value){&ilk_entity_destroyed_type, &news});
}

static ilk_result send_added(ilk_notice* n) {
    ilk_component_added news = {n->entity, n->type, n->reason};
    return ilk_cmd_emit(n->cmd, (ilk_value){&ilk_component_added_type, &news});
}

static ilk_result send_removed(ilk_notice* n) {
    ilk_component_removed news = {n->entity, n->type, n->reason};
    return ilk_cmd_emit(n->cmd, (ilk_value){&ilk_component_removed_type, &news});
}

static const struct {
    ilk_type* type;
    ilk_on on;
    ilk_observer_fn* run;
} news_kinds[ILKI_NEWS] = {
    {&ilk_entity_spawned_type, ILK_ON_CREATE, send_spawned},
    {&ilk_entity_destroyed_type, ILK_ON_DESTROY, send_destroyed},
    {&ilk_component_added_type, ILK_ON_ADD, send_added},
    {&ilk_component_removed_type, ILK_ON_REMOVE, send_removed},
};

uint32_t ilki_news_of(const ilk_type* type) {
    uint32_t kind = 0;
    while (kind < ILKI_NEWS && strcmp(news_kinds[kind].type->name, type->name) != 0) kind++;
    return kind;
}

// Whoever wants every event gets these if somebody else wants them.
static bool is_news_wanted(const ilki_queue* queue) {
    if (queue->reader_count || queue->subscriber_count) return true;
    return queue->is_observed && ilki_is_event_observed(queue->world, queue->type, false);
}

bool ilki_news_begin(ilki_queue* queue, const char* call) {
    ilk_world* world = queue->world;
    uint32_t kind = queue->news;
    if (kind == ILKI_NEWS || !is_news_wanted(queue) || world->events->news[kind]) return true;
    world->events->news[kind] =
        ilki_observer_make(world,
                           &(ilk_observer_desc){.name = news_kinds[kind].type->name,
                                                .on = news_kinds[kind].on,
                                                .order = INT32_MIN, // before anybody can undo it
                                                .run = news_kinds[kind].run},
                           call);
    if (world->events->news[kind]) world->observing->own++;
    return world->events->news[kind] != NULL;
}

void ilki_news_end(ilki_queue* queue) {
    ilk_world* world = queue->world;
    uint32_t kind = queue->news;
    if (kind == ILKI_NEWS || is_news_wanted(queue) || !world->events->news[kind]) return;
    ilk_observer_destroy(world->events->news[kind]);
    world->events->news[kind] = NULL;
    world->observing->own--;
}
