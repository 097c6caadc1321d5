// Making observers, and the lists that say who is told of what.
#include "events.h"
#include "observers.h"

#include <stdio.h>
#include <string.h>

#include "../component/registry.h"
#include "../storage/directory.h"

#define EVERY_REASON (2u * ILK_REASON_UNLOAD - 1)

static uint32_t position_after(const ilki_watch* watch, int64_t order, uint64_t serial) {
    uint32_t from = 0, to = watch->count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (ilki_is_called_after(watch->list[middle], order, serial))
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

ilk_observer* ilki_watch_after(const ilki_watch* watch, int64_t order, uint64_t serial) {
    uint32_t at = position_after(watch, order, serial);
    return at < watch->count ? watch->list[at] : NULL;
}

static bool watch_ready(ilk_world* world, ilki_watch* watch, uint32_t count) {
    return ilki_grow(&world->storage.memory, ILKI_OTHER, &watch->list, &watch->capacity, count,
                     sizeof(ilk_observer*));
}

static void watch_add(ilki_watch* watch, ilk_observer* observer) {
    uint32_t at = position_after(watch, observer->order, observer->serial);
    memmove(watch->list + at + 1, watch->list + at, (watch->count - at) * sizeof *watch->list);
    watch->list[at] = observer;
    watch->count++;
}

static void watch_remove(ilki_watch* watch, const ilk_observer* observer) {
    for (uint32_t i = 0; i < watch->count; i++) {
        if (watch->list[i] != observer) continue;
        watch->count--;
        memmove(watch->list + i, watch->list + i + 1, (watch->count - i) * sizeof *watch->list);
        return;
    }
}

static void watch_fini(ilk_world* world, ilki_watch* watch) {
    ilki_free(&world->storage.memory, ILKI_OTHER, watch->list,
              watch->capacity * sizeof *watch->list, _Alignof(max_align_t));
    *watch = (ilki_watch){0};
}

// Whether a query may match, or not, because of a type. (Whoever is inactive, or dying, may match
// nothing.)
static bool is_decided_by(const ilk_query* query, const ilk_type* type) {
    const ilki_directory *inactive = query->storage->inactive, *dying = query->storage->dying;
    if ((inactive && inactive->type == type) || (dying && dying->type == type)) return true;
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (query->terms[i].type == type) return true;
    }
    return ilki_expression_names(&query->where, type);
}

// Whether an observer is told of what happens to components of a type.
static bool is_of_type(const ilk_observer* observer, const ilk_type* type) {
    const ilk_observer_desc* desc = &observer->desc;
    if (desc->on & ILKI_ON_COMPONENT && (!desc->type || desc->type == type)) return true;
    return desc->on & ILKI_ON_QUERY && is_decided_by(observer->query, type);
}

bool ilki_is_watched(const ilk_world* world, const ilki_directory* directory, uint32_t on) {
    const ilki_observing* observing = world->observing;
    if (!world->observers) return false;
    uint32_t observed = directory ? observing->by_type[directory->number].on : observing->on;
    if (observing->innermost) on |= ILKI_ON_COMPONENT; // frames around this one are to know of it
    return (observed & (on | ILKI_ON_QUERY)) != 0;
}

// Whether values of a type come and go without a call, if so many watch it.
static bool may_be_quick(const ilki_directory* directory, uint32_t watchers) {
    return ilki_type_is_quick(directory->type) && !watchers && !directory->is_out;
}

void ilki_directory_refresh(ilk_world* world, ilki_directory* directory) {
    const ilki_observing* observing = world->observing;
    bool is_listed = observing && directory->number < observing->type_capacity;
    ilki_watch* watch = is_listed ? &observing->by_type[directory->number] : NULL;
    if (watch && !watch->watchers) watch->on = 0;
    ilki_directory_be_quick(directory, may_be_quick(directory, watch ? watch->watchers : 0));
    for (uint32_t i = 0; world->storage.dying && i < world->storage.chunk_count; i++) {
        ilki_chunk* chunk = world->storage.chunks[i];
        if (chunk && chunk->has_dying) ilki_chunk_note_dying(&world->storage, chunk);
    }
}

static void new_refresh(ilk_world* world) {
    ilki_observing* observing = world->observing;
    if (!world->observers) observing->on = 0;
    world->tells_new = observing->entities.count || observing->matchers.count;
    const uint32_t ends = ILK_ON_DESTROY | ILK_ON_REMOVE | ILKI_ON_QUERY;
    world->tells_end = observing->on & ends || observing->single_count;
    ilki_recipes_refresh(world);
}

// Makes sure that there is a list for each of so many types, and for the last of them room for all.
static bool types_ready(ilk_world* world, uint32_t count) {
    ilki_observing* observing = world->observing;
    return ilki_grow(&world->storage.memory, ILKI_OTHER, &observing->by_type,
                     &observing->type_capacity, count, sizeof *observing->by_type);
}

bool ilki_notes_ready(ilk_world* world, uint32_t observers) {
    ilki_observing* observing = world->observing;
    ilki_memory* memory = &world->storage.memory;
    return ilki_grow(memory, ILKI_OTHER, &observing->changes, &observing->change_capacity,
                     observing->change_count + observers, sizeof *observing->changes) &&
           ilki_grow(memory, ILKI_OTHER, &observing->numbers, &observing->number_capacity,
                     observing->number_count + world->storage.type_count + 3,
                     sizeof *observing->numbers);
}

bool ilki_observers_expect(ilk_world* world, uint32_t count) {
    uint32_t known = world->storage.type_count;
    if (!world->observing) return true;
    if (!types_ready(world, known + count) || !ilki_notes_ready(world, world->observers)) {
        return false;
    }
    bool is_ready = true;
    for (uint32_t i = known; is_ready && i < known + count; i++) {
        is_ready = watch_ready(world, &world->observing->by_type[i], world->observers + 1);
    }
    return is_ready;
}

void ilki_observers_meet(ilk_world* world, ilki_directory* directory) {
    ilki_observing* observing = world->observing;
    if (!observing) return;
    ilki_watch* watch = &observing->by_type[directory->number];
    for (ilk_observer* o = observing->all; o; o = o->next) {
        if (!is_of_type(o, directory->type)) continue;
        watch->watchers++;
        watch->on |= o->desc.on;
        if (!ilki_is_single(o)) watch_add(watch, o);
    }
    ilki_directory_refresh(world, directory);
}

// Makes room for an observer in each list that it goes into.
static bool lists_ready(ilk_world* world, const ilk_observer* observer) {
    ilki_observing* observing = world->observing;
    ilki_storage* storage = &world->storage;
    if (!types_ready(world, storage->type_count + 1)) return false;
    if (!ilki_notes_ready(world, world->observers + 1)) return false;
    if (ilki_is_single(observer)) {
        return ilki_grow(&storage->memory, ILKI_OTHER, &observing->singles,
                         &observing->single_capacity, observer->desc.entity.index + 1,
                         sizeof *observing->singles);
    }
    bool is_ready = watch_ready(world, &observing->entities, observing->entities.count + 1) &&
                    watch_ready(world, &observing->events, observing->events.count + 1) &&
                    watch_ready(world, &observing->matchers, observing->matchers.count + 1);
    for (uint32_t i = 0; is_ready && i < storage->type_count; i++) {
        ilki_watch* watch = &observing->by_type[i];
        if (is_of_type(observer, storage->types[i]->type)) {
            is_ready = watch_ready(world, watch, watch->count + 1);
        }
    }
    return is_ready;
}

static void enter_single(ilki_observing* observing, ilk_observer* observer) {
    ilk_observer** link = &observing->singles[observer->desc.entity.index];
    while (*link && !ilki_is_called_after(*link, observer->order, observer->serial)) {
        link = &(*link)->next_single;
    }
    observer->next_single = *link;
    *link = observer;
}

static void enter_types(ilk_world* world, ilk_observer* observer) {
    for (uint32_t i = 0; i < world->storage.type_count; i++) {
        ilki_watch* watch = &world->observing->by_type[i];
        if (!is_of_type(observer, world->storage.types[i]->type)) continue;
        if (!ilki_is_single(observer)) watch_add(watch, observer);
        watch->on |= observer->desc.on;
        if (watch->watchers++ == 0) ilki_directory_refresh(world, world->storage.types[i]);
    }
}

bool ilki_is_event_observed(const ilk_world* world, const ilk_type* type, bool by_any) {
    for (const ilk_observer* o = world->observing->all; o; o = o->next) {
        bool is_of_events = o->desc.on == ILK_ON_EVENT && !o->base.is_gone;
        if (is_of_events && (o->desc.type == type || (by_any && !o->desc.type))) return true;
    }
    return false;
}

// Says for each type of event whether observers are asked first.
static void refresh_events(ilk_world* world) {
    const ilki_events* events = world->events;
    for (uint32_t i = 0; events && i < events->count; i++) {
        ilki_queue* queue = events->channels[i];
        ilki_queue_observe(queue, ilki_is_event_observed(world, queue->type, true));
    }
}

static void enter_lists(ilk_world* world, ilk_observer* observer) {
    ilki_observing* observing = world->observing;
    observer->next = observing->all;
    if (observer->next) observer->next->previous = observer;
    observing->all = observer;
    world->observers++;
    observing->on |= observer->desc.on;
    observing->single_count += ilki_is_single(observer);
    if (ilki_is_single(observer)) {
        enter_single(observing, observer);
    } else {
        if (observer->desc.on & ILKI_ON_ENTITY) watch_add(&observing->entities, observer);
        if (observer->desc.on & ILKI_ON_QUERY) watch_add(&observing->matchers, observer);
        if (observer->desc.on & ILK_ON_EVENT) watch_add(&observing->events, observer);
    }
    if (observer->desc.on & ILK_ON_EVENT) refresh_events(world);
    enter_types(world, observer);
    new_refresh(world);
}

static void leave_single(ilki_observing* observing, const ilk_observer* observer) {
    ilk_observer** link = &observing->singles[observer->desc.entity.index];
    while (*link != observer) link = &(*link)->next_single;
    *link = observer->next_single; // whoever is at it goes on from there
}

static void leave_lists(ilk_world* world, ilk_observer* observer) {
    ilki_observing* observing = world->observing;
    *(observer->previous ? &observer->previous->next : &observing->all) = observer->next;
    if (observer->next) observer->next->previous = observer->previous;
    world->observers--;
    observing->single_count -= ilki_is_single(observer);
    if (ilki_is_single(observer)) leave_single(observing, observer);
    watch_remove(&observing->entities, observer);
    watch_remove(&observing->matchers, observer);
    watch_remove(&observing->events, observer);
    if (observer->desc.on & ILK_ON_EVENT) refresh_events(world);
    for (uint32_t i = 0; i < world->storage.type_count; i++) {
        ilki_watch* watch = &observing->by_type[i];
        if (!is_of_type(observer, world->storage.types[i]->type)) continue;
        watch_remove(watch, observer);
        if (--watch->watchers == 0) ilki_directory_refresh(world, world->storage.types[i]);
    }
    new_refresh(world);
}

// Frees what an observer has. It is spare from now on.
static void observer_unmake(ilk_world* world, ilk_observer* observer) {
    ilki_memory* memory = &world->storage.memory;
    if (observer->query) {
        observer->query->is_owned = false;
        ilki_query_unmake(world, observer->query);
    }
    if (observer->name)
        ilki_free(memory, ILKI_OTHER, observer->name, strlen(observer->name) + 1, 1);
    ilki_listener_leave(&world->observing->spare, &observer->base);
}

void ilki_observers_bury(ilk_world* world) {
    ilki_observing* observing = world->observing;
    while (observing->gone) {
        ilk_observer* observer = observing->gone;
        observing->gone = observer->next;
        observer_unmake(world, observer);
    }
}

// Observers may be made and destroyed by those that are being called.
static ilk_result enter_to_observe(ilk_world* world, const char* call) {
    return world && world->told ? ilki_enter_to_look(world, call) : ilki_enter(world, call);
}

static void depart(ilk_observer* observer) {
    ilk_world* world = observer->base.world;
    leave_lists(world, observer);
    observer->base.is_gone = true;
    observer->next = world->observing->gone;
    world->observing->gone = observer;
    if (!world->observing->depth) ilki_observers_bury(world);
}

// Whether an observer is there; or that it is gone is told.
static bool is_observer(const ilk_observer* observer, const char* call) {
    return ilki_listener_check(&observer->base, "observer", call) == ILK_OK;
}

void ilk_observer_destroy(ilk_observer* observer) {
    const char* call = "ilk_observer_destroy";
    if (!observer || !is_observer(observer, call)) return;
    if (enter_to_observe(observer->base.world, call) == ILK_OK) depart(observer);
}

void ilki_observers_leave(ilk_world* world, uint32_t slot) {
    ilki_observing* observing = world->observing;
    while (ilki_single_of(observing, slot)) depart(observing->singles[slot]);
}

void ilki_observers_leave_all(ilk_world* world) {
    const ilki_observing* observing = world->observing;
    for (uint32_t i = 0; observing && i < observing->single_capacity; i++) {
        ilki_observers_leave(world, i);
    }
}

// Those of one slot are all of one entity.
void ilki_observers_leave_dead(ilk_world* world) {
    const ilki_observing* observing = world->observing;
    for (uint32_t i = 0; observing && i < observing->single_capacity; i++) {
        const ilk_observer* first = observing->singles[i];
        if (first && !ilki_alive(world, first->desc.entity)) ilki_observers_leave(world, i);
    }
}

static ilk_result refuse(ilk_world* world, const char* call, const char* name, const char* why) {
    bool has_name = name && name[0];
    return ilki_fail_because(world, ILK_INVALID, call, NULL, "%s%s%s%s",
                             has_name ? "observer \"" : "", has_name ? name : "",
                             has_name ? "\": " : "", why);
}

static ilk_result check_description(ilk_world* world, const ilk_observer_desc* desc,
                                    const char* call) {
    const uint32_t known = ILKI_ON_COMPONENT | ILKI_ON_ENTITY | ILKI_ON_QUERY | ILK_ON_EVENT;
    if (!desc) return refuse(world, call, NULL, "there is no description");
    if (!desc->run) return refuse(world, call, desc->name, "there is no function to call");
    if (!desc->on || desc->on & ~known)
        return refuse(world, call, desc->name, "nothing is observed");
    if (desc->type && !(desc->on & (ILKI_ON_COMPONENT | ILK_ON_EVENT))) {
        return refuse(world, call, desc->name,
                      "a type is named, but nothing that has one is observed");
    }
    if (desc->reasons & ~EVERY_REASON) {
        return refuse(world, call, desc->name, "there is no such reason");
    }
    if (desc->on & ILK_ON_EVENT && desc->on != ILK_ON_EVENT) {
        return refuse(world, call, desc->name, "events are observed together with something else");
    }
    if (desc->on & ILKI_ON_QUERY && ilki_query_asks_nothing(&desc->query)) {
        return refuse(world, call, desc->name, "there is no query to begin or cease to match");
    }
    bool is_dead = !ilk_is_null(desc->entity) && !ilki_alive(world, desc->entity);
    return is_dead ? ilki_fail(world, ILK_DEAD, call, desc->entity, NULL) : ILK_OK;
}

// Where a world keeps what is about observers; NULL, and the failure is noted, without memory.
static ilki_observing* observing_for(ilk_world* world, const char* call) {
    ilki_memory* memory = &world->storage.memory;
    if (world->observing) return world->observing;
    ilki_observing* observing =
        ilki_alloc_zero(memory, ILKI_OTHER, sizeof *observing, _Alignof(ilki_observing));
    if (!observing) ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
    if (observing) observing->cmds[0] = ilki_cmd_take(world, ILKI_OF_OBSERVER, call);
    if (observing && !observing->cmds[0]) {
        ilki_free(memory, ILKI_OTHER, observing, sizeof *observing, _Alignof(ilki_observing));
        return NULL;
    }
    return world->observing = observing;
}

static bool keep_observer_name(ilk_observer* observer, const char* name) {
    char made[40];
    snprintf(made, sizeof made, "observer-%llu", (unsigned long long)observer->serial);
    if (!name || !name[0]) name = made;
    observer->name =
        ilki_alloc(&observer->base.world->storage.memory, ILKI_OTHER, strlen(name) + 1, 1);
    if (observer->name) strcpy(observer->name, name);
    return observer->name != NULL;
}

// Makes the query that an observer asks with, if it has one.
static ilk_result make_query(ilk_observer* observer, const char* call) {
    ilk_world* world = observer->base.world;
    const ilk_query_desc* desc = &observer->desc.query;
    if (ilki_query_asks_nothing(desc)) return ILK_OK;
    observer->query = ilki_query_make(world, desc, call);
    if (!observer->query) return ilki_last_result(world);
    observer->query->is_owned = true;
    if (observer->query->changed || observer->query->added) {
        return refuse(world, call, observer->name,
                      "an observer's query cannot ask for what changed");
    }
    if (!observer->query->relates_count || !(observer->desc.on & ILKI_ON_QUERY)) return ILK_OK;
    return refuse(world, call, observer->name,
                  "what begins or ceases to match because of others is not observed: the query "
                  "looks at relations");
}

// Finds the process-wide type of the components or events that are observed.
static ilk_result resolve_observed(ilk_observer* observer, const char* call) {
    ilk_world* world = observer->base.world;
    bool is_event = observer->desc.on == ILK_ON_EVENT;
    const ilki_queue* queue = is_event ? ilki_queue_for(world, observer->desc.type, call) : NULL;
    const ilki_directory* directory =
        is_event ? NULL : ilki_directory_for(world, observer->desc.type, call);
    if (!queue && !directory) return ilki_last_result(world);
    observer->desc.type = queue ? queue->type : directory->type;
    return ILK_OK;
}

static ilk_result fill_observer(ilk_observer* observer, const ilk_observer_desc* desc,
                                const char* call) {
    ilk_world* world = observer->base.world;
    observer->desc = *desc;
    observer->desc.name = NULL;
    observer->serial = world->observing->last + 1;
    if (!desc->reasons) observer->desc.reasons = UINT32_MAX;
    ilk_result result = desc->type ? resolve_observed(observer, call) : ILK_OK;
    if (result == ILK_OK) result = make_query(observer, call);
    observer->desc.query = (ilk_query_desc){0};
    if (result != ILK_OK) return result;
    if (keep_observer_name(observer, desc->name) && lists_ready(world, observer)) return ILK_OK;
    return ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
}

// Makes an observer that is not told of anything yet; or NULL, and the failure is noted.
static ilk_observer* make_observer(ilk_world* world, const ilk_observer_desc* desc, int64_t order,
                                   const char* call) {
    ilk_observer* observer = ilki_listener_take(world, &world->observing->spare, sizeof *observer);
    if (!observer) {
        ilki_fail(world, ILK_NO_MEMORY, call, ILKI_NULL, NULL);
        return NULL;
    }
    observer->order = order;
    if (fill_observer(observer, desc, call) == ILK_OK) return observer;
    observer_unmake(world, observer);
    return NULL;
}

ilk_observer* ilki_observer_make(ilk_world* world, const ilk_observer_desc* desc, int64_t order,
                                 const char* call) {
    bool is_first = !world->observing;
    if (check_description(world, desc, call) != ILK_OK) return NULL;
    if (!observing_for(world, call)) return NULL;
    ilk_observer* observer = make_observer(world, desc, order, call);
    if (!observer) {
        if (is_first) ilki_observers_free(world); // as it was
        return NULL;
    }
    world->observing->last++;
    enter_lists(world, observer);
    if (desc->on != ILK_ON_EVENT || !desc->type) return observer;
    if (ilki_news_begin(ilki_queue_of(world->events, observer->desc.type), call)) return observer;
    ilk_observer_destroy(observer);
    return NULL;
}

ilk_observer* ilk_observer_create(ilk_world* world, const ilk_observer_desc* desc) {
    const char* call = "ilk_observer_create";
    bool may_observe = enter_to_observe(world, call) == ILK_OK;
    int64_t order = desc ? desc->order : 0;
    ilk_observer* observer = may_observe ? ilki_observer_make(world, desc, order, call) : NULL;
    if (observer) observer->plugin = ilki_plugin_now(world);
    return observer;
}

static ilk_observer* observer_of_plugin(const ilk_world* world, const char* plugin) {
    ilk_observer* o = world->observing ? world->observing->all : NULL;
    while (o && (o->plugin != plugin || o->base.is_gone)) o = o->next;
    return o;
}

void ilki_observers_of_plugin(ilk_world* world, const char* plugin, bool go) {
    ilk_observer* observer;
    while ((observer = observer_of_plugin(world, plugin)) != NULL) {
        observer->plugin = NULL;
        if (go) ilk_observer_destroy(observer);
    }
}

const char* ilk_observer_name(const ilk_observer* observer) {
    return observer && is_observer(observer, "ilk_observer_name") ? observer->name : "";
}

uint32_t ilk_observer_count(const ilk_world* world) {
    return world && world->observing ? world->observers - world->observing->own : 0;
}

ilk_reason ilk_set_reason(ilk_world* world, ilk_reason reason) {
    uint32_t bits = (uint32_t)reason;
    if (ilki_enter(world, "ilk_set_reason") != ILK_OK) return (ilk_reason)0;
    ilk_reason before = world->reason;
    if (bits & ~EVERY_REASON || bits & (bits - 1))
        ilki_fail_because(world, ILK_INVALID, "ilk_set_reason", NULL, "%u is no reason", bits);
    else
        world->reason = reason;
    return before;
}

static void notes_free(ilk_world* world, const ilki_observing* notes) {
    ilki_memory* memory = &world->storage.memory;
    ilki_free(memory, ILKI_OTHER, notes->changes, notes->change_capacity * sizeof *notes->changes,
              _Alignof(max_align_t));
    ilki_free(memory, ILKI_OTHER, notes->numbers, notes->number_capacity * sizeof *notes->numbers,
              _Alignof(max_align_t));
}

void ilki_observers_trim(ilk_world* world) {
    ilki_observing* observing = world->observing;
    if (!observing || observing->depth) return;
    ilki_listeners_free(world, &observing->spare, sizeof(ilk_observer));
    const ilki_observing before = *observing;
    observing->changes = NULL;
    observing->numbers = NULL;
    observing->change_capacity = observing->number_capacity = 0;
    if (ilki_notes_ready(world, world->observers)) {
        notes_free(world, &before);
        return;
    }
    notes_free(world, observing); // there is no memory for less
    *observing = before;
}

void ilki_observers_free(ilk_world* world) {
    ilki_observing* observing = world->observing;
    ilki_memory* memory = &world->storage.memory;
    if (!observing) return;
    while (observing->all) depart(observing->all);
    ilki_listeners_free(world, &observing->spare, sizeof(ilk_observer));
    notes_free(world, observing);
    for (uint32_t i = 0; i < observing->type_capacity; i++)
        watch_fini(world, &observing->by_type[i]);
    watch_fini(world, &observing->entities);
    watch_fini(world, &observing->matchers);
    watch_fini(world, &observing->events);
    ilki_free(memory, ILKI_OTHER, observing->by_type,
              observing->type_capacity * sizeof *observing->by_type, _Alignof(max_align_t));
    ilki_free(memory, ILKI_OTHER, observing->singles,
              observing->single_capacity * sizeof *observing->singles, _Alignof(max_align_t));
    for (uint32_t i = 0; i < ILKI_NESTED_MAX; i++) ilki_cmd_give_back(observing->cmds[i]);
    ilki_free(memory, ILKI_OTHER, observing, sizeof *observing, _Alignof(ilki_observing));
    world->observing = NULL;
}

// Whether a list has everybody that it should, in order.
static bool list_is_sound(const ilki_watch* watch) {
    for (uint32_t i = 0; i < watch->count; i++) {
        const ilk_observer *o = watch->list[i], *before = i ? watch->list[i - 1] : NULL;
        if (o->base.is_gone ||
            (before && !ilki_is_called_after(o, before->order, before->serial))) {
            return false;
        }
    }
    return true;
}

bool ilki_is_telling(const ilk_world* world) {
    return world->observing && world->observing->depth;
}

const char* ilki_observers_validate(const ilk_world* world) {
    const ilki_observing* observing = world->observing;
    if (!observing) return world->observers ? "observers are counted, but there are none" : NULL;
    uint32_t count = 0;
    for (const ilk_observer* o = observing->all; o; o = o->next) count++;
    if (count != world->observers) return "observers are not counted right";
    if (!list_is_sound(&observing->entities) || !list_is_sound(&observing->matchers) ||
        !list_is_sound(&observing->events)) {
        return "observers are out of order";
    }
    for (uint32_t i = 0; i < world->storage.type_count; i++) {
        const ilki_directory* directory = world->storage.types[i];
        const ilki_watch none = {0}; // there is no list until somebody was made
        const ilki_watch* watch = i < observing->type_capacity ? &observing->by_type[i] : &none;
        uint32_t watchers = 0;
        for (const ilk_observer* o = observing->all; o; o = o->next) {
            watchers += is_of_type(o, directory->type);
        }
        if (watchers != watch->watchers) return "a type's observers are miscounted";
        if (!list_is_sound(watch)) return "a type's observers are out of order";
        if (directory->is_quick != may_be_quick(directory, watchers)) {
            return "a type is quick though it is observed, or is not though nobody does";
        }
    }
    return NULL;
}
