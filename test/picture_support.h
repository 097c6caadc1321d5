// A picture of all that a world is, to be compared: handles, places, values, bits, ticks, lists.
#ifndef ILK_TEST_PICTURE_SUPPORT_H
#define ILK_TEST_PICTURE_SUPPORT_H

#include "event/events.h"
#include "relation/names.h"
#include "schedule/schedule.h"

#include "support.h"

typedef struct picture {
    char* text;
    size_t size, capacity;
} picture;

static inline void paint(picture* p, const char* format, ...) __attribute__((format(printf, 2, 3)));
static inline void paint(picture* p, const char* format, ...) {
    if (p->capacity - p->size < 512) {
        p->capacity = p->capacity * 2 + 4096;
        p->text = realloc(p->text, p->capacity);
        assert_non_null(p->text);
    }
    va_list list;
    va_start(list, format);
    p->size += (size_t)vsnprintf(p->text + p->size, 512, format, list);
    va_end(list);
}

static inline void paint_index(picture* p, const ilki_index* index) {
    paint(p, "slots %u alive %u retired %u reserved %u ever %llu\n", index->slots, index->alive,
          index->retired, index->reserved, (unsigned long long)index->ever);
    for (uint32_t i = 0; i < index->slots; i++) {
        const ilki_record* record = ilki_record_at(index, i);
        bool is_nowhere = ilki_is_nowhere(record->place);
        paint(p, "%x@%x ", record->generation, is_nowhere ? ILKI_NOWHERE : record->place);
    }
    paint(p, "\nfree");
    for (uint32_t i = 0; i < index->free_count; i++) paint(p, " %u", index->free[i]);
    paint(p, "\n");
}

static inline void paint_value(picture* p, const ilk_type* type, const void* value) {
    if (type->hooks.drop == owned_drop) {
        paint(p, " %s", ((const Owned*)value)->text);
        return;
    }
    for (size_t i = 0; i < type->size; i++) paint(p, "%02x", ((const uint8_t*)value)[i]);
}

static inline void paint_block(picture* p, const ilki_storage* storage, const ilki_chunk* chunk,
                               const ilki_directory* directory) {
    const ilki_block* block = ilki_block_at(directory, chunk->number);
    (void)storage;
    paint(p, "  %s kind %u count %u off %u changed %llu touched %llu:", directory->type->name,
          block->kind, block->count, block->off, (unsigned long long)block->changed,
          (unsigned long long)block->touched);
    for (uint32_t row = 0; row < chunk->used; row++) {
        if (!ilki_bit(chunk->live, row) || !ilki_block_has(block, row)) continue;
        paint(p, " %u%s", row, ilki_block_is_off(block, row) ? "-" : "=");
        paint_value(p, directory->type, ilki_value_at(directory, block, row));
        if (!directory->is_tracked) continue;
        const ilki_row_ticks* ticks = ilki_ticks_of(directory, block, chunk->rows);
        paint(p, "/%llu/%llu", (unsigned long long)ticks[1 + row].changed,
              (unsigned long long)ticks[1 + row].added);
    }
    paint(p, "\n");
}

static inline void paint_chunk(picture* p, const ilki_storage* storage, const ilki_chunk* chunk) {
    paint(p, "chunk %u position %u rows %u used %u alive %u odd %d gaps %llx:", chunk->number,
          chunk->position, chunk->rows, chunk->used, chunk->alive, chunk->is_odd,
          (unsigned long long)chunk->gaps);
    for (uint32_t row = 0; row < chunk->used; row++) {
        if (!ilki_bit(chunk->live, row)) continue;
        paint(p, " %u:%u%s", chunk->entities[row].index, chunk->entities[row].generation,
              ilki_bit(chunk->waited, row) ? "w" : "");
    }
    paint(p, "\n");
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        paint_block(p, storage, chunk, ilki_directory_in(storage, chunk, i));
    }
}

static inline void paint_ilk(picture* p, const ilki_ilk* ilk) {
    paint(p, "ilk host %d door %d lodgers %u waiting %u rows %llu types", ilk->host == ilk,
          ilk->door ? (int)ilk->door->number : -1, ilk->lodgers, ilk->waiting,
          (unsigned long long)ilk->rows);
    for (uint32_t i = 0; i < ilk->type_count; i++) paint(p, " %u", ilk->types[i]);
    paint(p, " chunks");
    for (uint32_t i = 0; i < ilk->chunk_count; i++) paint(p, " %u", ilk->chunks[i]->number);
    paint(p, "\n");
}

static inline void paint_edges(picture* p, const ilki_relation* relation) {
    const ilki_edges* edges = &relation->edges;
    if (!edges->used) return;
    paint(p, "%s: %u edges of %u, free %u, entered %u:", relation->directory->type->name,
          edges->count, edges->used, edges->count < edges->used ? edges->free : 0, edges->entered);
    for (uint32_t i = 0; i < edges->used; i++) {
        const ilki_edge* at = ilki_edge_at(edges, i);
        paint(p, " %u>%u", at->source, at->target);
        if (at->source == ILKI_NONE) continue;
        paint(p, "(%u %u %u %u)", at->next_target, at->previous_target, at->next_source,
              at->previous_source);
        if (edges->value) paint(p, "%s", ((const Owned*)ilki_edge_value(edges, i))->text);
    }
    paint(p, "\nheads");
    for (uint32_t slot = 0; slot < relation->heads.page_capacity * ILKI_PAGE_HEADS; slot++) {
        ilki_head head = ilki_head_of(&relation->heads, slot);
        if (head.count) paint(p, " %u:%u/%u", slot, head.first, head.count);
    }
    paint(p, "\n");
}

static inline void paint_systems(picture* p, const ilki_schedule* schedule) {
    for (uint32_t i = 0; i < schedule->sorted_count; i++) {
        const ilk_system* system = schedule->sorted[i];
        paint(p, "%s off %d resting %d strict %d waited %llu commands %u wants", system->desc.name,
              system->desc.is_disabled, system->is_resting, system->cmd->is_strict,
              (unsigned long long)system->waited, system->cmd->count);
        for (uint32_t k = 0; k < system->want_count; k++) paint(p, " %u", system->wants[k]);
        paint(p, "\n");
    }
}

static inline void paint_schedule(picture* p, const ilki_schedule* schedule) {
    const ilk_time* time = &schedule->time;
    paint(p, "started %d paused %d scale %a longest %a step %llu lag %llu most %u settles %u\n",
          schedule->is_started, schedule->is_paused, schedule->scale, schedule->longest,
          (unsigned long long)schedule->step, (unsigned long long)schedule->lag, schedule->most,
          schedule->settles);
    paint(p, "frames %llu steps %llu time %llu fraction %a moved %u left %d stack",
          (unsigned long long)time->frames, (unsigned long long)time->fixed_steps,
          (unsigned long long)time->nanoseconds, time->fraction, schedule->settled.moved,
          schedule->has_leftovers);
    const ilki_scene* scene = schedule->scenes.top;
    for (; scene; scene = scene->below) paint(p, " %s", scene->desc.name);
    paint(p, " (%u)\n", schedule->scenes.depth);
    paint_systems(p, schedule);
}

static inline void paint_resources(picture* p, const ilki_resources* resources) {
    for (uint32_t i = 0; i < resources->count; i++) {
        const ilki_resource* resource = &resources->list[i];
        paint(p, "resource %s changed %llu ", resource->type->name,
              (unsigned long long)resource->changed);
        paint_value(p, resource->type, resource->value);
        paint(p, "\n");
    }
}

static inline void paint_event(picture* p, const ilki_queue* queue, uint64_t at) {
    const ilki_segment* segment = queue->ring[(at >> queue->shift) & (queue->ring_capacity - 1)];
    const unsigned char* event = segment->events + (at - segment->begin) * queue->stride;
    const ilki_event_head* head = (const ilki_event_head*)(const void*)event;
    paint(p, " %llu>%u:%u=", (unsigned long long)head->number, head->entity.index,
          head->entity.generation);
    paint_value(p, queue->type, event + queue->value_at);
}

static inline void paint_queue(picture* p, const ilki_queue* queue) {
    uint64_t end = ilki_queue_end(queue);
    paint(p,
          "queue %s end %llu unheard %llu dropped %llu cancelled %llu limit %u:", queue->type->name,
          (unsigned long long)end, (unsigned long long)queue->unheard,
          (unsigned long long)queue->dropped, (unsigned long long)queue->cancelled, queue->limit);
    for (uint64_t at = end - ilki_queue_kept(queue); at < end; at++) paint_event(p, queue, at);
    paint(p, " readers");
    for (const ilk_reader* r = queue->readers; r; r = r->following) {
        paint(p, " %llu@%llu-%llu", (unsigned long long)r->base.serial,
              (unsigned long long)ilki_reader_place(r),
              (unsigned long long)(r == &queue->bus ? 0 : r->lost)); // nobody asks the bus
    }
    paint(p, "\n");
}

static inline bool is_queue_used(const ilki_queue* queue) {
    return ilki_queue_end(queue) || queue->unheard || queue->cancelled || queue->readers;
}

static inline void paint_events(picture* p, const ilki_events* events) {
    paint(p, "sent %llu\n", (unsigned long long)(events ? events->sent : 0));
    for (uint32_t i = 0; events && i < events->count; i++) {
        if (is_queue_used(events->channels[i])) paint_queue(p, events->channels[i]);
    }
}

static inline void paint_names(picture* p, const ilki_storage* storage) {
    const ilki_names* names = storage->names;
    if (!names || !names->glossary.alive) return;
    paint(p, "named %u texts %u:", names->named, names->glossary.alive);
    for (uint32_t i = 1; i < names->glossary.count; i++) {
        const ilki_word* word = &names->glossary.list[i];
        paint(p, " %u=%s/%u", i, word->text ? word->text : "", word->uses);
    }
    paint(p, "\n");
}

static inline picture paint_world(const ilk_world* world) {
    const ilki_storage* storage = &world->storage;
    picture p = {0};
    paint_index(&p, &storage->view.index);
    for (uint32_t i = 0; i < storage->ilk_count; i++) paint_ilk(&p, storage->ilks[i]);
    for (uint32_t i = 0; i < storage->chunk_count; i++) {
        if (storage->chunks[i]) paint_chunk(&p, storage, storage->chunks[i]);
    }
    for (uint32_t i = 0; i < world->relations.count; i++) {
        paint_edges(&p, world->relations.list[i]);
    }
    paint(&p, "targets");
    for (uint32_t slot = 0; slot < storage->view.index.slots; slot++) {
        if (ilki_is_target(storage, slot)) paint(&p, " %u", slot);
    }
    paint(&p, "\n");
    paint_names(&p, storage);
    paint(&p, "sets %u settle %u %u stirs %llu known %llu flags %d%d%d\n", storage->set_count,
          storage->settle_next, storage->settle_row, (unsigned long long)storage->stirs,
          (unsigned long long)storage->known_stirs, storage->is_short, storage->is_waiting,
          storage->is_settled);
    if (world->schedule) paint_schedule(&p, world->schedule);
    paint_resources(&p, &world->resources);
    paint_events(&p, world->events);
    return p;
}

// Frees both.
static inline void assert_same_picture(picture a, picture b) {
    if (a.size != b.size || memcmp(a.text, b.text, a.size) != 0) {
        size_t at = 0;
        while (at < a.size && at < b.size && a.text[at] == b.text[at]) at++;
        at = at > 60 ? at - 60 : 0;
        fail_msg("the pictures differ:\n…%.200s\n…%.200s", a.text + at, b.text + at);
    }
    free(a.text);
    free(b.text);
}

#endif
