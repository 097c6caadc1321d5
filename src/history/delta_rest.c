// Resources, time and events in a delta. Each is sent whole if anything of it differs: resources
// and systems one by one, events by type.
#include <string.h>

#include "../component/registry.h"
#include "delta.h"

// Resources

static bool same_resource(ilki_differ* d, const ilk_type* type) {
    const void *was = ilki_past_resource(d->from, type), *is = ilki_past_resource(d->to, type);
    return was && (was == is || memcmp(was, is, type->size) == 0);
}

static bool same_resources(ilki_differ* d) {
    const ilki_resource_images *from = d->from ? &d->from->resources : NULL,
                               *to = &d->to->resources;
    if (!from || from->count != to->count) return false;
    for (uint32_t i = 0; i < to->count; i++) {
        if (from->list[i].type != to->list[i].type || !same_resource(d, to->list[i].type)) {
            return false;
        }
    }
    return true;
}

void ilki_put_resources(ilki_differ* d) {
    const ilki_resource_images* to = &d->to->resources;
    bool is_same = same_resources(d);
    ilki_put_number(d->out, is_same);
    for (uint32_t i = 0; !is_same && i < to->count; i++) {
        ilk_type* type = to->list[i].type;
        bool is_sent = !same_resource(d, type);
        ilki_put_any_type(d, type);
        ilki_put_number(d->out, is_sent);
        if (!is_sent) continue;
        if (!ilki_wire_fits(type)) d->unfit = type;
        ilki_put_value_of(d, type, ilki_past_resource(d->to, type));
    }
    if (!is_same) ilki_put_number(d->out, 0);
}

static bool bad_resource(ilki_patch* p, const ilk_type* type, const char* what) {
    return ilki_patch_refuse(p, ILK_INVALID, "the resource %s: %s", type->name, what);
}

static const ilki_resource* resource_now(const ilki_patch* p, const ilk_type* type) {
    const ilki_resources* resources = &p->world->resources;
    uint32_t place = type->id < resources->place_capacity ? resources->places[type->id] : 0;
    return place && !p->is_whole ? &resources->list[place - 1] : NULL;
}

static bool share_resources(ilki_patch* p) {
    const ilki_resources* resources = &p->world->resources;
    ilki_resource_images* images = &p->image->resources;
    images->list = ilki_patch_take(p, resources->count, sizeof *images->list);
    if (!images->list) return false;
    for (uint32_t i = 0; i < resources->count; i++) {
        images->list[i] = (ilki_resource_image){.type = resources->list[i].type,
                                                .changed = resources->list[i].changed};
    }
    images->count = resources->count;
    return true;
}

static bool take_resource(ilki_patch* p, ilk_type* type, ilki_resource_image* image) {
    const ilki_resource* now = resource_now(p, type);
    bool is_sent = ilki_take_small(&p->in, 1);
    *image = (ilki_resource_image){.type = type, .changed = now ? now->changed : p->tick};
    if (!is_sent) return now || bad_resource(p, type, "it has no value");
    if (!ilki_wire_fits(type))
        return bad_resource(p, type, "it owns something, and cannot be sent");
    if (!ilki_resource_ready_to_be(p->world, type, p->image->resources.count + 1)) {
        return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    }
    size_t room = ilki_resource_room(type);
    image->own = ilki_arena_take(p->arena, &p->world->storage.memory, room, type->align);
    if (!image->own) return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    memset(image->own, 0, room);
    if (now) memcpy(image->own, now->value, type->size);
    image->changed = p->tick;
    return ilki_take_value_of(p, type, image->own);
}

static bool take_all_resources(ilki_patch* p) {
    ilki_resource_images* images = &p->image->resources;
    images->list = ilki_patch_take(p, p->type_count + 1, sizeof *images->list);
    if (!images->list) return false;
    ilk_type* type;
    while ((type = ilki_take_any_type(p)) != NULL) {
        for (uint32_t i = 0; i < images->count; i++) {
            if (images->list[i].type == type) return bad_resource(p, type, "it is there twice");
        }
        bool is_of_entities = type->relation || ilki_own_type(type->name);
        if (is_of_entities) return bad_resource(p, type, "it says something of entities");
        if (!take_resource(p, type, &images->list[images->count])) return false;
        images->count++;
    }
    return ilki_patch_is_well(p);
}

bool ilki_take_resources(ilki_patch* p) {
    bool is_same = ilki_take_small(&p->in, 1);
    if (is_same && p->is_whole) return ilki_patch_refuse(p, ILK_INVALID, "resources are missing");
    return is_same ? share_resources(p) : take_all_resources(p);
}

// Time

static uint64_t bits_of_time(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static double number_from(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static const ilk_system* system_of(const ilk_world* world, uint32_t serial) {
    for (uint32_t i = 0; i < world->schedule->count; i++) {
        if (world->schedule->systems[i]->serial == serial) return world->schedule->systems[i];
    }
    return NULL;
}

static const ilki_system_image* system_image_of(const ilk_snapshot* snapshot, uint32_t serial) {
    const ilki_running_image* image = snapshot ? &snapshot->running : NULL;
    for (uint32_t i = 0; image && i < image->system_count; i++) {
        if (image->systems[i].serial == serial) return &image->systems[i];
    }
    return NULL;
}

static bool same_systems(const ilki_system_image* a, const ilki_system_image* b) {
    return a->order == b->order && a->is_disabled == b->is_disabled &&
           a->is_strict == b->is_strict && a->waited == b->waited &&
           a->want_count == b->want_count &&
           (!a->want_count || memcmp(a->wants, b->wants, a->want_count * sizeof *a->wants) == 0);
}

static ilki_system_image as_made(const ilk_system* system) {
    return (ilki_system_image){.serial = system->serial,
                               .order = system->first_order,
                               .is_disabled = system->is_first_disabled};
}

#define SYSTEM_DISABLED 1u
#define SYSTEM_STRICT 2u

// Order numbers may be below zero: those above are even.
static uint64_t order_as_number(int order) {
    return order < 0 ? ~((uint64_t)order << 1) : (uint64_t)order << 1;
}

static int order_from(uint32_t number) {
    return number & 1 ? -(int)(number >> 1) - 1 : (int)(number >> 1);
}

// A system that has waited for something or learned something, or is switched or ordered otherwise
// than it was, or was made.
static void put_system_image(ilki_differ* d, const ilki_system_image* image) {
    const ilk_system* system = system_of(d->world, image->serial);
    const ilki_system_image* was = system_image_of(d->from, image->serial);
    if (!system) return;
    ilki_system_image first = as_made(system);
    if (same_systems(was ? was : &first, image)) return;
    ilki_put_number(d->out, strlen(system->desc.name) + 1);
    ilki_put_bytes(d->out, system->desc.name, strlen(system->desc.name));
    ilki_put_number(d->out, (image->is_disabled ? SYSTEM_DISABLED : 0) |
                                (image->is_strict ? SYSTEM_STRICT : 0));
    ilki_put_number(d->out, order_as_number(image->order));
    ilki_put_number(d->out, image->waited);
    ilki_put_number(d->out, image->want_count);
    for (uint32_t i = 0; i < image->want_count; i++) ilki_put_number(d->out, image->wants[i]);
}

static void put_system_images(ilki_differ* d) {
    const ilki_running_image* image = &d->to->running;
    for (uint32_t i = 0; i < image->system_count; i++) put_system_image(d, &image->systems[i]);
    ilki_put_number(d->out, 0);
}

#define TIME_STARTED 1u
#define TIME_PAUSED 2u

// What a world that never ran has too.
static void put_clock(ilki_differ* d) {
    const ilki_running_image* image = &d->to->running;
    ilki_put_number(d->out,
                    (image->is_started ? TIME_STARTED : 0) | (image->is_paused ? TIME_PAUSED : 0));
    ilki_put_word(d->out, bits_of_time(image->time.fraction));
    ilki_put_number(d->out, image->lag);
    ilki_put_number(d->out, image->time.frames);
    ilki_put_number(d->out, image->time.fixed_steps);
    ilki_put_number(d->out, image->time.nanoseconds);
}

void ilki_put_rest(ilki_differ* d) {
    put_clock(d);
    put_system_images(d);
    ilki_put_events(d);
}

void ilki_put_running(ilki_differ* d) {
    const ilki_running_image* image = &d->to->running;
    ilki_put_number(d->out, image->is_there);
    if (!image->is_there) return;
    put_clock(d);
    ilki_put_word(d->out, bits_of_time(image->scale));
    ilki_put_word(d->out, bits_of_time(image->longest));
    ilki_put_number(d->out, image->step);
    ilki_put_number(d->out, image->most);
    ilki_put_number(d->out, image->settles);
    ilki_put_number(d->out, image->depth);
    for (uint32_t i = 0; i < image->depth; i++) {
        ilki_put_string(d->out, image->stack[i], strlen(image->stack[i]));
    }
    put_system_images(d);
}

// What the schedule of the world is now, to be changed; systems as they were made, if all is to
// come.
static bool share_running(ilki_patch* p) {
    ilki_cutter cutter = {0};
    ilki_running_image measured;
    ilki_running_cut(p->world->schedule, &measured, &cutter);
    unsigned char* memory =
        ilki_arena_take(p->arena, &p->world->storage.memory, cutter.used + 16, 16);
    if (!memory) return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    cutter = (ilki_cutter){.memory = memory};
    ilki_running_image* image = &p->image->running;
    ilki_running_cut(p->world->schedule, image, &cutter);
    for (uint32_t i = 0; p->is_whole && i < image->system_count; i++) {
        image->systems[i] = as_made(p->world->schedule->systems[i]);
    }
    return true;
}

static char* take_string(ilki_patch* p, uint32_t length) {
    const unsigned char* bytes = ilki_take_bytes(&p->in, length);
    char* text = bytes ? ilki_patch_take(p, length + 1u, 1) : NULL;
    if (text) memcpy(text, bytes, length);
    return text;
}

static bool take_stack(ilki_patch* p) {
    ilki_running_image* image = &p->image->running;
    image->depth = ilki_take_small(&p->in, UINT16_MAX);
    image->stack = ilki_patch_take(p, image->depth, sizeof *image->stack);
    for (uint32_t i = 0; image->stack && i < image->depth; i++) {
        image->stack[i] = take_string(p, ilki_take_small(&p->in, UINT16_MAX));
        if (!image->stack[i]) return ilki_patch_is_well(p);
        if (!ilk_scene_desc_of(p->world, image->stack[i])) {
            return ilki_patch_refuse(p, ILK_MISSING, "there is no scene \"%.60s\"",
                                     image->stack[i]);
        }
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(image->stack[i], image->stack[k]) != 0) continue;
            return ilki_patch_refuse(p, ILK_INVALID, "a scene is on the stack twice");
        }
    }
    return image->stack && ilki_patch_is_well(p);
}

static bool take_wants(ilki_patch* p, ilk_system* system, ilki_system_image* image) {
    uint64_t left = (uint64_t)(p->in.end - p->in.at);
    image->want_count = ilki_take_small(&p->in, left < UINT32_MAX ? (uint32_t)left : UINT32_MAX);
    image->wants = ilki_patch_take(p, image->want_count, sizeof *image->wants);
    if (!image->wants) return false;
    for (uint32_t i = 0; i < image->want_count; i++) {
        image->wants[i] = ilki_take_small(&p->in, UINT32_MAX);
    }
    bool is_ready = ilki_grow(&p->world->storage.memory, ILKI_OTHER, &system->wants,
                              &system->want_capacity, image->want_count, sizeof *system->wants);
    return is_ready || ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
}

static bool take_system(ilki_patch* p, const char* name) {
    ilki_schedule* schedule = p->world->schedule;
    uint32_t at = 0;
    while (at < schedule->count && strcmp(schedule->systems[at]->desc.name, name) != 0) at++;
    if (at == schedule->count) {
        return ilki_patch_refuse(p, ILK_MISSING, "there is no system \"%.60s\"", name);
    }
    ilki_system_image* image = &p->image->running.systems[at];
    uint32_t flags = ilki_take_small(&p->in, SYSTEM_DISABLED | SYSTEM_STRICT);
    image->is_disabled = flags & SYSTEM_DISABLED;
    image->is_strict = flags & SYSTEM_STRICT;
    image->order = order_from(ilki_take_small(&p->in, UINT32_MAX));
    image->waited = ilki_take_number(&p->in);
    return take_wants(p, schedule->systems[at], image) && ilki_patch_is_well(p);
}

static bool take_systems(ilki_patch* p) {
    uint32_t length;
    while ((length = ilki_take_small(&p->in, UINT16_MAX)) != 0) {
        const char* name = take_string(p, length - 1);
        if (!name || !take_system(p, name)) return false;
    }
    return ilki_patch_is_well(p);
}

// A number that is none is neither.
static bool is_at_most(double number, double most) {
    return number >= 0 && number <= most;
}

// What the verbs that set them would take, and what is left of a step is less than one.
static bool settings_are_right(const ilki_running_image* image) {
    return is_at_most(image->scale, ILKI_SECONDS_MOST) &&
           is_at_most(image->longest, ILKI_SECONDS_MOST) && is_at_most(image->time.fraction, 1) &&
           image->step && image->step <= ILKI_STEP_MOST && image->lag < image->step && image->most;
}

static bool take_time(ilki_patch* p) {
    ilki_running_image* image = &p->image->running;
    uint32_t flags = ilki_take_small(&p->in, TIME_STARTED | TIME_PAUSED);
    image->is_started = flags & TIME_STARTED;
    image->is_paused = image->time.is_paused = flags & TIME_PAUSED;
    image->time.fraction = number_from(ilki_take_word(&p->in));
    image->lag = ilki_take_number(&p->in);
    image->time.frames = ilki_take_number(&p->in);
    image->time.fixed_steps = ilki_take_number(&p->in);
    image->time.nanoseconds = ilki_take_number(&p->in);
    image->scale = number_from(ilki_take_word(&p->in));
    image->longest = number_from(ilki_take_word(&p->in));
    image->step = ilki_take_number(&p->in);
    image->most = ilki_take_small(&p->in, UINT32_MAX);
    image->settles = ilki_take_small(&p->in, UINT32_MAX);
    if (!ilki_patch_is_well(p)) return false;
    return settings_are_right(image) || ilki_patch_refuse(p, ILK_INVALID, "time is none");
}

bool ilki_take_running(ilki_patch* p) {
    bool is_there = ilki_take_small(&p->in, 1);
    if (!ilki_patch_is_well(p) || !is_there) return ilki_patch_is_well(p);
    if (!ilki_schedule_of(p->world, "ilk_delta_apply")) {
        return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    }
    return share_running(p) && take_time(p) && take_stack(p) && take_systems(p);
}

// Events

static const ilki_queue_image* queue_image_of(const ilk_snapshot* snapshot, uint32_t queue) {
    bool is_there = snapshot && queue < snapshot->events.count;
    return is_there ? &snapshot->events.queues[queue] : NULL;
}

// Events of ilk's own may have a pointer to a type.
static bool news_has_type(const ilki_queue* queue) {
    return queue->news < ILKI_NEWS && queue->type->size == sizeof(ilk_component_added);
}

// Values of ilk's own may have bytes behind their last field that nobody wrote.
static bool same_event(const ilki_queue* queue, const unsigned char* a, const unsigned char* b) {
    const ilki_event_head *left = (const void*)a, *right = (const void*)b;
    size_t size = queue->size;
    if (queue->news < ILKI_NEWS) {
        size = sizeof(ilk_reason) + (news_has_type(queue) ? offsetof(ilk_component_added, reason)
                                                          : offsetof(ilk_entity_spawned, reason));
    }
    return left->number == right->number && ilk_same(left->entity, right->entity) &&
           (!size || memcmp(a + queue->value_at, b + queue->value_at, size) == 0);
}

// Places are told by how far they are from the end.
static bool same_queues(const ilki_queue* queue, const ilki_queue_image* a,
                        const ilki_queue_image* b) {
    static const ilki_queue_image nothing;
    if (!a) a = &nothing;
    uint64_t kept = b->end - b->first;
    bool is_same = kept == a->end - a->first && a->end - a->bus == b->end - b->bus &&
                   a->reader_count == b->reader_count;
    for (uint32_t i = 0; is_same && i < a->reader_count; i++) {
        is_same = a->end - a->readers[i].place == b->end - b->readers[i].place &&
                  a->readers[i].lost == b->readers[i].lost;
    }
    for (size_t i = 0; is_same && i < kept; i++) {
        is_same = same_event(queue, a->events + i * queue->stride, b->events + i * queue->stride);
    }
    return is_same;
}

static void put_news(ilki_differ* d, const ilki_queue* queue, const void* value) {
    const ilk_component_added* added = value;
    const ilk_entity_spawned* spawned = value;
    ilk_entity e = news_has_type(queue) ? added->entity : spawned->entity;
    ilki_put_number(d->out, e.index);
    ilki_put_number(d->out, e.generation);
    ilki_put_number(d->out, news_has_type(queue) ? added->reason : spawned->reason);
    if (news_has_type(queue)) ilki_put_any_type(d, added->type);
}

static void put_one_event(ilki_differ* d, const ilki_queue* queue, const unsigned char* event) {
    const ilki_event_head* head = (const ilki_event_head*)(const void*)event;
    ilki_put_number(d->out, head->number);
    ilki_put_number(d->out, head->entity.index);
    ilki_put_number(d->out, head->entity.generation);
    if (queue->news < ILKI_NEWS)
        put_news(d, queue, event + queue->value_at);
    else
        ilki_put_value_of(d, queue->type, event + queue->value_at);
}

static void put_queue(ilki_differ* d, const ilki_queue* queue, const ilki_queue_image* image) {
    uint64_t kept = image->end - image->first;
    if (kept && !ilki_wire_fits(queue->type)) d->unfit = queue->type;
    ilki_put_any_type(d, queue->type);
    ilki_put_number(d->out, kept);
    for (uint64_t i = 0; i < kept; i++) put_one_event(d, queue, image->events + i * queue->stride);
    ilki_put_number(d->out, image->has_bus ? 1 + image->end - image->bus : 0);
    ilki_put_number(d->out, image->reader_count);
    for (uint32_t i = 0; i < image->reader_count; i++) {
        ilki_put_number(d->out, image->end - image->readers[i].place);
        ilki_put_number(d->out, image->readers[i].lost);
    }
}

void ilki_put_events(ilki_differ* d) {
    const ilki_events_image* image = &d->to->events;
    ilki_put_number(d->out, image->sent);
    for (uint32_t i = 0; i < image->count; i++) {
        const ilki_queue* queue = d->world->events->channels[i];
        if (same_queues(queue, queue_image_of(d->from, i), &image->queues[i])) continue;
        put_queue(d, queue, &image->queues[i]);
    }
    ilki_put_number(d->out, 0);
}

#define NUMBER_MOST (UINT64_MAX / 2) // of events: whoever sends goes on for ever

static bool bad_event(ilki_patch* p, const ilk_type* type, const char* what) {
    return ilki_patch_refuse(p, ILK_INVALID, "the events %s: %s", type->name, what);
}

// What the events of the world are now, to be changed.
static bool share_events(ilki_patch* p) {
    ilki_cutter cutter = {0};
    ilki_events_image measured;
    ilki_events_cut(p->world->events, &measured, &cutter);
    unsigned char* memory =
        ilki_arena_take(p->arena, &p->world->storage.memory, cutter.used + 16, 16);
    if (!memory) return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    cutter = (ilki_cutter){.memory = memory};
    ilki_events_cut(p->world->events, &p->image->events, &cutter);
    return true;
}

// Queues of a world that is to be made anew begin without events.
static void forget_events(ilki_patch* p) {
    for (uint32_t i = 0; i < p->image->events.count; i++) {
        ilki_queue_image* image = &p->image->events.queues[i];
        ilki_queue_drop_copies(p->world->events->channels[i], image->events,
                               image->end - image->first);
        image->first = image->bus = image->end;
        for (uint32_t k = 0; k < image->reader_count; k++) image->readers[k].place = image->end;
    }
}

static bool take_news(ilki_patch* p, const ilki_queue* queue, void* value) {
    ilk_entity e = {ilki_take_small(&p->in, UINT32_MAX), 0};
    e.generation = ilki_take_small(&p->in, UINT32_MAX);
    ilk_reason reason = (ilk_reason)ilki_take_small(&p->in, ILK_REASON_UNLOAD);
    ilk_component_added* added = value;
    if (!news_has_type(queue)) {
        *(ilk_entity_spawned*)value = (ilk_entity_spawned){e, reason};
        return ilki_patch_is_well(p);
    }
    ilk_type* type = ilki_take_any_type(p);
    *added = (ilk_component_added){e, type, reason};
    return type || bad_event(p, queue->type, "one is about no type");
}

static bool take_event(ilki_patch* p, const ilki_queue* queue, unsigned char* event,
                       uint64_t* number) {
    const ilk_type* type = queue->type;
    ilki_event_head* head = (ilki_event_head*)(void*)event;
    uint64_t before = *number;
    *number = ilki_take_number(&p->in);
    bool is_next = *number > before && *number <= p->image->events.sent;
    head->number = *number;
    head->entity.index = ilki_take_small(&p->in, UINT32_MAX);
    head->entity.generation = ilki_take_small(&p->in, UINT32_MAX);
    if (ilki_patch_is_well(p) && !is_next) return bad_event(p, type, "they are in disorder");
    void* value = event + queue->value_at;
    if (queue->news < ILKI_NEWS) return take_news(p, queue, value);
    memset(value, 0, type->size);
    return ilki_take_value_of(p, type, value);
}

static bool take_queue_events(ilki_patch* p, const ilki_queue* queue, ilki_queue_image* image,
                              uint64_t kept) {
    size_t align = ilki_event_align(queue);
    uint64_t number = 0;
    if (kept > SIZE_MAX / 2 / queue->stride) return bad_event(p, queue->type, "too many");
    if (!ilki_patch_spend(p, kept * queue->stride)) return false;
    unsigned char* events = ilki_arena_take(p->arena, &p->world->storage.memory,
                                            (size_t)kept * queue->stride + 1, align);
    if (!events) return ilki_patch_refuse(p, ILK_NO_MEMORY, "no memory");
    ilki_queue_drop_copies(queue, image->events, image->end - image->first);
    if (image->end < kept) image->end = kept;
    image->first = image->end;
    image->events = events;
    for (uint64_t i = 0; i < kept; i++) {
        if (!take_event(p, queue, events + i * queue->stride, &number)) return false;
    }
    image->first = image->end - kept;
    return true;
}

static bool take_readers(ilki_patch* p, const ilki_queue* queue, ilki_queue_image* image,
                         uint64_t kept) {
    uint64_t bus = ilki_take_number(&p->in);
    uint32_t count = ilki_take_small(&p->in, UINT32_MAX);
    if (bus > kept + 1) return bad_event(p, queue->type, "somebody has yet to read more");
    if (image->has_bus) image->bus = image->end - (bus ? bus - 1 : 0);
    for (uint32_t i = 0; i < image->reader_count; i++) image->readers[i].place = image->end;
    for (uint32_t i = 0; i < count && !p->in.is_bad; i++) {
        uint64_t left = ilki_take_number(&p->in), lost = ilki_take_number(&p->in);
        if (left > kept) return bad_event(p, queue->type, "somebody has yet to read more");
        if (i >= image->reader_count) continue;
        image->readers[i].place = image->end - left;
        image->readers[i].lost = lost;
    }
    return ilki_patch_is_well(p);
}

static bool take_queue(ilki_patch* p, ilk_type* type) {
    const ilki_events* events = p->world->events;
    const ilki_queue* queue = events ? ilki_queue_of(events, type) : NULL;
    uint64_t kept = ilki_take_number(&p->in);
    if (!queue) {
        return ilki_patch_refuse(p, ILK_MISSING, "nobody here reads events of type %s", type->name);
    }
    if (!ilki_wire_fits(type)) return bad_event(p, type, "they own something");
    if (kept > (uint64_t)(p->in.end - p->in.at)) return bad_event(p, type, "there are fewer");
    uint32_t at = 0;
    while (events->channels[at] != queue) at++;
    ilki_queue_image* image = &p->image->events.queues[at];
    return take_queue_events(p, queue, image, kept) && take_readers(p, queue, image, kept);
}

// Every event that waits was sent, also in queues that the delta does not mention; and there are
// numbers left for those to come.
static bool numbers_are_right(ilki_patch* p) {
    const ilki_events_image* image = &p->image->events;
    if (image->sent > NUMBER_MOST) {
        return ilki_patch_refuse(p, ILK_INVALID, "too many events were sent");
    }
    for (uint32_t i = 0; i < image->count; i++) {
        const ilki_queue* queue = p->world->events->channels[i];
        uint64_t kept = image->queues[i].end - image->queues[i].first;
        if (!kept) continue;
        const unsigned char* last = image->queues[i].events + (size_t)(kept - 1) * queue->stride;
        if (((const ilki_event_head*)(const void*)last)->number > image->sent) {
            return bad_event(p, queue->type, "one waits that was not sent yet");
        }
    }
    return true;
}

bool ilki_take_events(ilki_patch* p) {
    if (!share_events(p)) return false;
    if (p->is_whole) forget_events(p);
    p->image->events.sent = ilki_take_number(&p->in);
    ilk_type* type;
    while ((type = ilki_take_any_type(p)) != NULL) {
        if (!take_queue(p, type)) return false;
    }
    return ilki_patch_is_well(p) && numbers_are_right(p);
}
