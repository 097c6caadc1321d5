// What decides what will be, told fact by fact. Only what the history of a world decides is told:
// no ticks, addresses, numbers of types or capacities. Nor is anything told of ilks, queues,
// systems and so on that are as if they had never been made.
#include <ilk/hash.h>

#include "../event/events.h"
#include "../schedule/schedule.h"
#include "hashes.h"

typedef struct layout_telling {
    const ilki_hashing* hashing;
    const ilki_storage* storage;
    ilki_fact_fn* fn;
    void* context;
} layout_telling;

static void tell_of(const layout_telling* t, const char* what, const char* name, uint64_t at,
                    uint64_t value) {
    t->fn(t->context, &(ilki_fact){.what = what, .name = name, .at = at, .value = value});
}

static void tell_plain(const layout_telling* t, const char* what, uint64_t value) {
    tell_of(t, what, NULL, ILKI_NOT_ONE, value);
}

static void tell_digest(const layout_telling* t, const char* what, uint64_t at, uint64_t value) {
    t->fn(t->context, &(ilki_fact){.what = what, .at = at, .value = value, .is_digest = true});
}

// The index.

static void tell_reserved(const layout_telling* t) {
    const ilki_index* index = &t->storage->view.index;
    uint32_t left = index->reserved;
    for (uint32_t slot = 0; left && slot < index->slots; slot++) {
        const ilki_record* record = ilki_record_at(index, slot);
        bool is_reserved = record->generation & ILKI_DEAD_BIT && record->place == ILKI_RESERVED;
        if (!is_reserved) continue;
        tell_of(t, "a handle that was given out before its entity", NULL, slot, record->generation);
        left--;
    }
}

// Which slots are retired follows from the others.
static void tell_index(const layout_telling* t) {
    const ilki_index* index = &t->storage->view.index;
    tell_plain(t, "the number of indices that were handed out", index->slots);
    tell_plain(t, "the number of indices that are free", index->free_count);
    for (uint32_t i = 0; i < index->free_count; i++) {
        uint32_t slot = index->free[index->free_count - 1 - i];
        tell_of(t, "the index that is used again as number", NULL, i, slot);
        tell_of(t, "the generation of the index that is used again as number", NULL, i,
                ilki_record_at(index, slot)->generation);
    }
    for (uint32_t i = 0; i < index->absent_count; i++) {
        tell_of(t, "the page of indices left out as number", NULL, i, index->absent[i]);
    }
    tell_reserved(t);
}

// Ilks.

static uint64_t set_digest(const layout_telling* t, const ilki_ilk* ilk) {
    uint64_t sum = 0;
    for (uint32_t i = 0; ilk && i < ilk->type_count; i++) {
        sum += ilki_key_of(t->storage->types[ilk->types[i]]->type);
    }
    return ilki_mix_end(sum);
}

static bool is_of_account(const ilki_ilk* ilk) {
    return ilk->chunk_count || ilk->lodgers || ilk->waiting || ilk->host == ilk;
}

static void tell_ilks(const layout_telling* t) {
    for (uint32_t i = 0, at = 0; i < t->storage->ilk_count; i++) {
        const ilki_ilk* ilk = t->storage->ilks[i];
        if (!is_of_account(ilk)) continue;
        tell_digest(t, "the set of ilk", at, set_digest(t, ilk));
        tell_digest(t, "the host of ilk", at, set_digest(t, ilk->host));
        tell_of(t, "the lodgers of ilk", NULL, at, ilk->lodgers);
        tell_of(t, "those who wait for ilk", NULL, at++, ilk->waiting);
    }
}

// Chunks.

static uint64_t slots_digest(const ilki_chunk* chunk, const ilki_block* block) {
    uint64_t hash = 0;
    for (uint32_t word = 0; word < ilki_words(chunk->used); word++) {
        uint64_t rows = ilki_block_word(block, word, chunk->live[word]);
        for (; rows; rows &= rows - 1) {
            hash = ilki_mix(hash, ilki_small_slot(block, word * 64 + ilki_lowest(rows)));
        }
    }
    return hash;
}

static void tell_guest(const layout_telling* t, const ilki_chunk* chunk,
                       const ilki_directory* directory) {
    const ilki_block* block = ilki_block_at(directory, chunk->number);
    bool is_small = block->kind == ILKI_SMALL;
    uint64_t hash = ilki_mix(ilki_key_of(directory->type), is_small);
    if (is_small) hash = ilki_mix(hash, slots_digest(chunk, block));
    tell_digest(t, "the guests of chunk", chunk->number, hash);
}

static void tell_waited(const layout_telling* t, const ilki_chunk* chunk) {
    for (uint32_t word = 0; word < ilki_words(chunk->used); word++) {
        if (!chunk->waited[word]) continue;
        uint64_t hash = ilki_mix(word, chunk->waited[word]);
        tell_digest(t, "who was seen not to fit into chunk", chunk->number, hash);
    }
}

static void tell_chunk(const layout_telling* t, const ilki_chunk* chunk) {
    uint32_t number = chunk->number;
    tell_digest(t, "the ilk of chunk", number, set_digest(t, chunk->ilk));
    tell_of(t, "the place in its ilk of chunk", NULL, number, chunk->position);
    tell_of(t, "the number of rows of chunk", NULL, number, chunk->rows);
    tell_of(t, "the number of rows in use of chunk", NULL, number, chunk->used);
    tell_digest(t, ILKI_COLUMN_FACT, number, ilki_hash_column(t->hashing, chunk));
    for (uint32_t i = 0; i < chunk->guest_count; i++) {
        tell_guest(t, chunk, t->storage->types[chunk->guests[i]]);
    }
    tell_of(t, "whether settling has to look into chunk", NULL, number, chunk->is_odd);
    tell_waited(t, chunk);
}

static void tell_chunks(const layout_telling* t) {
    for (uint32_t i = 0; i < t->storage->chunk_count; i++) {
        const ilki_chunk* chunk = t->storage->chunks[i];
        tell_of(t, "whether there is a chunk", NULL, i, chunk != NULL);
        if (chunk) tell_chunk(t, chunk);
    }
}

static void tell_settling(const layout_telling* t) {
    const ilki_storage* storage = t->storage;
    tell_plain(t, "the number of sets that settling knows of", storage->set_count);
    tell_plain(t, "the chunk that settling looks at next", storage->settle_next);
    tell_plain(t, "the row that settling looks at next", storage->settle_row);
    tell_plain(t, "whether settling had no memory", storage->is_short);
    tell_plain(t, "whether settling waits to see what lasts", storage->is_waiting);
    tell_plain(t, "whether settling has nothing to do", storage->is_settled);
    tell_plain(t, "whether something changed since it last settled",
               storage->stirs != storage->known_stirs);
}

// The numbers of names' texts.
static void tell_texts(const layout_telling* t) {
    const ilki_names* names = t->storage->names;
    for (uint32_t i = 1; names && i < names->glossary.count; i++) {
        const ilki_word* word = &names->glossary.list[i];
        if (!word->text) continue;
        tell_digest(t, "the name of number", i, ilki_mix_text(0, word->text));
    }
    for (uint32_t i = names ? names->glossary.free : 0; i; i = names->glossary.list[i].uses) {
        tell_plain(t, "the number of the next name", i);
    }
}

static void tell_resources(const layout_telling* t) {
    const ilki_resources* resources = &t->hashing->world->resources;
    for (uint32_t i = 0; i < resources->count; i++) {
        tell_digest(t, "the resource of number", i, ilki_key_of(resources->list[i].type));
    }
}

// Events. Those of ilk's own have pointers to types.

static uint64_t mix_news(uint64_t hash, const ilk_type* type, const void* value) {
    bool has_type = type->size == sizeof(ilk_component_added);
    const ilk_component_added* added = value;
    const ilk_entity_spawned* spawned = value;
    ilk_entity e = has_type ? added->entity : spawned->entity;
    hash = ilki_mix(ilki_mix_begin(hash, e), has_type ? added->reason : spawned->reason);
    return has_type ? ilki_mix(hash, ilki_key_of(added->type)) : hash;
}

static uint64_t event_digest(const ilki_queue* queue, const ilki_shape* shape, uint64_t place) {
    const ilki_event_head* head = ilki_queue_at(queue, place);
    const void* value = (const unsigned char*)head + queue->value_at;
    uint64_t hash = ilki_mix(ilki_mix_begin(shape->key, head->entity), head->number);
    bool is_news = queue->news < ILKI_NEWS;
    return is_news ? mix_news(hash, queue->type, value) : ilki_mix_value(shape, hash, value);
}

// Tells how far each reader is from the end, and returns the furthest.
static uint64_t tell_readers(const layout_telling* t, const ilki_queue* queue) {
    uint64_t end = ilki_queue_end(queue), furthest = 0, at = 0;
    for (const ilk_reader* r = queue->readers; r; r = r->following) {
        uint64_t left = end - ilki_reader_place(r);
        if (left > furthest) furthest = left;
        tell_of(t, "what is left to read for reader", queue->type->name, at, left);
        tell_of(t, "what was lost for reader", queue->type->name, at++, r->lost);
    }
    return furthest;
}

static void tell_queue(const layout_telling* t, const ilki_queue* queue) {
    ilki_shape shape = ilki_shape_of(queue->type);
    uint64_t end = ilki_queue_end(queue), left = tell_readers(t, queue);
    for (uint64_t at = 0; at < left; at++) {
        t->fn(t->context, &(ilki_fact){.what = "event",
                                       .name = queue->type->name,
                                       .at = at,
                                       .value = event_digest(queue, &shape, end - left + at),
                                       .is_digest = true});
    }
}

static void tell_events(const layout_telling* t) {
    const ilki_events* events = t->hashing->world->events;
    tell_plain(t, "the number of events that were sent", events ? events->sent : 0);
    for (uint32_t i = 0; events && i < events->count; i++) tell_queue(t, events->channels[i]);
}

// Time.

static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static void tell_system(const layout_telling* t, const ilk_system* system) {
    const char* name = system->desc.name;
    if (system->waited) {
        tell_of(t, "the nanoseconds waited", name, ILKI_NOT_ONE, system->waited);
    }
    for (uint32_t i = 0; i < system->want_capacity; i++) {
        if (!system->wants[i]) continue;
        tell_of(t, "the handles expected by piece", name, i, system->wants[i]);
    }
}

static void tell_time(const layout_telling* t) {
    static const ilki_schedule none;
    const ilk_world* world = t->hashing->world;
    const ilki_schedule* schedule = world->schedule ? world->schedule : &none;
    tell_plain(t, "the number of frames", schedule->time.frames);
    tell_plain(t, "the number of fixed steps", schedule->time.fixed_steps);
    tell_plain(t, "the time in nanoseconds", schedule->time.nanoseconds);
    tell_digest(t, "the fraction of a step", ILKI_NOT_ONE, bits_of(schedule->time.fraction));
    tell_plain(t, "the nanoseconds left of a step", schedule->lag);
    tell_plain(t, "whether time stands still", schedule->is_paused);
    tell_plain(t, "whether the systems of the start have run", schedule->is_started);
    for (uint32_t i = 0; i < schedule->count; i++) tell_system(t, schedule->systems[i]);
}

static void tell_storage(const layout_telling* t) {
    tell_chunks(t);
    tell_index(t);
    tell_ilks(t);
    tell_settling(t);
    tell_texts(t);
    tell_resources(t);
}

void ilki_layout_tell(const ilki_hashing* hashing, ilki_fact_fn* fn, void* context) {
    layout_telling t = {hashing, &hashing->world->storage, fn, context};
    tell_storage(&t);
    tell_events(&t);
    tell_time(&t);
}

static void mix_fact(void* context, const ilki_fact* fact) {
    uint64_t* hash = context;
    *hash = ilki_mix(ilki_mix(*hash, fact->at), fact->value);
}

uint64_t ilki_hash_layout(const ilki_hashing* hashing) {
    uint64_t hash = ilki_hash_state(hashing);
    ilki_layout_tell(hashing, mix_fact, &hash);
    return ilki_mix_end(hash);
}

uint64_t ilki_hash_storage(const ilk_world* world) {
    ilki_hashing hashing = ilki_hashing_begin(world);
    uint64_t hash = ilki_hash_in_use(&hashing);
    layout_telling t = {&hashing, &world->storage, mix_fact, &hash};
    tell_storage(&t);
    return ilki_mix_end(hash);
}

uint64_t ilk_hash_layout(const ilk_world* world) {
    if (!world || ilki_show_all(world, "ilk_hash_layout") != ILK_OK) return 0;
    ilki_hashing hashing = ilki_hashing_begin(world);
    return ilki_hash_layout(&hashing);
}
