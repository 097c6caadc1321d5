// Each invariant that ilk_world_validate looks at is broken once, and named; then it is mended.
#include "event/events.h"
#include "world/world.h"

#include "support.h"

typedef struct Large {
    char bytes[8192];
} Large;
ILK_COMPONENT(Large);

static void assert_broken_at(const fixture* f, ilk_result result, const char* sentence,
                             const char* file, int line) {
    char text[256] = "";
    ilk_result found = ilk_world_validate(f->world, text, sizeof text);
    _assert_string_equal(text, sentence, file, line);
    _assert_int_equal((LargestIntegralType)found, (LargestIntegralType)result, file, line);
}
#define assert_broken(f, sentence) assert_broken_at((f), ILK_BROKEN, (sentence), __FILE__, __LINE__)

// Give something a bad value for as long as the sentence is asserted.
#define assert_breaks(f, thing, bad, sentence)                                                     \
    do {                                                                                           \
        unsigned char kept_[sizeof(thing)];                                                        \
        memcpy(kept_, &(thing), sizeof(thing));                                                    \
        (thing) = (bad);                                                                           \
        assert_broken(f, sentence);                                                                \
        memcpy(&(thing), kept_, sizeof(thing));                                                    \
        assert_valid((f)->world);                                                                  \
    } while (0)

static ilki_storage* storage_of(fixture* f) {
    return &f->world->storage;
}

static ilki_chunk* chunk_at(fixture* f, uint32_t number) {
    return storage_of(f)->chunks[number];
}

static ilki_record* record_of(fixture* f, ilk_entity e) {
    return ilki_record_at(&storage_of(f)->view.index, e.index);
}

static ilki_directory* directory_of(fixture* f, ilk_type* type) {
    return ilki_directory_of(&storage_of(f)->view, type);
}

static ilki_block* block_of(fixture* f, ilk_type* type, uint32_t chunk) {
    return ilki_block_at(directory_of(f, type), chunk);
}

// Four entities with two components each, in the four rows of one chunk; the third is destroyed.
static void settle_town(fixture* f, ilk_entity e[4]) {
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_VALUE(Velocity, 3, 4));
    }
    assert_ok(ilk_destroy(f->world, e[2]));
    assert_valid(f->world);
    assert_int_equal(chunk_at(f, 0)->rows, 4);
}

// The same, and one more entity in chunk 1; chunk 0 is gone.
static ilk_entity leave_town(fixture* f) {
    ilk_entity e[4];
    settle_town(f, e);
    ilk_entity last = ILK_SPAWN(f->world, ILK_WITH(Health));
    assert_ok(ilk_destroy_many(f->world, (ilk_entity[]){e[0], e[1], e[3]}, 3));
    settle_fully(f->world);
    assert_null(chunk_at(f, 0));
    assert_non_null(chunk_at(f, 1));
    return last;
}

static void a_generation(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    assert_breaks(f, record_of(f, e[1])->generation, 1u << ILKI_TAG_SHIFT | 1,
                  "slot 1: its generation has another tag");
    assert_breaks(f, record_of(f, e[1])->generation, 0u, "slot 1: it was used no times");
}

static void a_place(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    ilki_record* record = record_of(f, e[1]);
    assert_breaks(f, record->place, ilki_place(1, 1), "slot 1: its place 1:1 does not exist");
    assert_breaks(f, record->place, ilki_place(0, 4), "slot 1: its place 0:4 does not exist");
    assert_breaks(f, record->place, ilki_place(0, 2), "slot 1: its place 0:2 is not alive");
    assert_breaks(f, record->place, ilki_place(0, 3), "slot 1: its place 0:3 names another entity");
}

static void a_place_in_a_chunk_that_is_gone(void** state) {
    fixture* f = *state;
    ilk_entity e = leave_town(f);
    assert_breaks(f, record_of(f, e)->place, ilki_place(0, 0),
                  "slot 2: its place 0:0 does not exist");
}

static void the_counts_of_the_index(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    ilki_index* index = &storage_of(f)->view.index;
    assert_breaks(f, index->alive, 2u, "index: 2 alive, 3 counted");
    assert_breaks(f, index->retired, 1u, "index: 1 retired, 0 counted");
    assert_breaks(f, index->max, 2u, "index: more alive than the maximum");
}

static void a_slot_that_is_retired_without_being_counted(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_destroy(f->world, e));
    assert_breaks(f, record_of(f, e)->generation, ILKI_RETIRED, "index: 0 retired, 1 counted");
}

// A handle that a command buffer gave out, and one slot that is free.
static void a_slot_that_is_reserved(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity e[2] = {ilk_create(f->world), ilk_create(f->world)};
    assert_ok(ilk_destroy(f->world, e[0]));
    ilk_entity reserved = ilk_cmd_create(cmd);
    assert_int_equal(reserved.index, 0);
    assert_ok(ilk_destroy(f->world, e[1]));
    assert_valid(f->world);
    ilki_index* index = &storage_of(f)->view.index;
    assert_breaks(f, index->reserved, 0u, "index: 0 reserved, 1 counted");
    assert_breaks(f, index->reserved, 2u, "index: 2 reserved, 1 counted");
    assert_breaks(f, record_of(f, reserved)->place, ILKI_NONE, "index: 1 reserved, 0 counted");
    assert_breaks(f, index->max, 0u, "index: more alive and reserved than the maximum");
    assert_breaks(f, record_of(f, reserved)->generation, ILKI_DEAD_BIT | 1u << ILKI_TAG_SHIFT | 2,
                  "slot 0: its generation has another tag");
    assert_breaks(f, index->free[0], 0u, "free list: slot 0 is not free");
    ilk_cmd_give_back(cmd);
}

static void the_free_list(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    ilki_index* index = &storage_of(f)->view.index;
    assert_breaks(f, index->free[0], 99u, "free list: slot 99 was never used");
    assert_breaks(f, index->free[0], 3u, "free list: slot 3 is not free");
    assert_breaks(f, index->free_count, 0u, "free list: it has 0 slots, 1 are free");
    assert_breaks(f, index->free_capacity, 0u, "free list: it is too short");
    assert_ok(ilk_destroy(f->world, e[3]));
    assert_valid(f->world);
    assert_breaks(f, index->free[1], 2u, "free list: a slot is there twice");
}

static void a_row_that_names_nobody(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    ilki_chunk* chunk = chunk_at(f, 0);
    assert_breaks(f, chunk->live[0], (uint64_t)15,
                  "chunk 0: row 2 names entity 2:1, which is not there");
    chunk->entities[2] = e[0];
    assert_breaks(f, chunk->live[0], (uint64_t)15,
                  "chunk 0: row 2 names entity 0:1, which is not there");
}

static void the_counts_of_a_chunk(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    ilki_chunk* chunk = chunk_at(f, 0);
    assert_breaks(f, chunk->used, 3u, "chunk 0: row 3 is alive above 3 used");
    assert_breaks(f, chunk->alive, 2u, "chunk 0: 2 alive, 3 counted");
    assert_breaks(f, chunk->gaps, (uint64_t)0, "chunk 0: the hole at row 2 is forgotten");
    assert_breaks(f, chunk->number, 7u, "chunk 7: it is listed as 0");
}

static void a_chunk_that_is_not_as_fresh_as_it_says(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    ilki_chunk* chunk = chunk_at(f, 0);
    assert_int_equal(chunk->fresh, storage_of(f)->view.tick);
    assert_breaks(f, block_of(f, &Velocity_type, 0)->changed, (uint64_t)0,
                  "chunk 0: it is fresh, but Velocity is not");
    assert_breaks(f, chunk->touched, (uint64_t)0, "chunk 0: it is fresh, but was not touched");
}

static void the_bits_of_a_block(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    assert_ok(ilk_remove(f->world, e[0], &Velocity_type));
    assert_ok(ilk_disable(f->world, e[1], &Velocity_type));
    ilki_block* block = block_of(f, &Velocity_type, 0);
    assert_breaks(f, *ilki_presence(block, 0), (uint64_t)5,
                  "Velocity in chunk 0: a bit of a row that is not alive");
    assert_breaks(f, *ilki_off(block, 0), (uint64_t)3,
                  "Velocity in chunk 0: off where there is no value");
    assert_breaks(f, block->count, (uint16_t)2, "Velocity in chunk 0: 2 bits, 1 counted");
    assert_breaks(f, block->off, (uint16_t)2, "Velocity in chunk 0: 2 off, 1 counted");
}

static void what_a_chunk_knows_of_its_blocks(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    ilki_chunk* chunk = chunk_at(f, 0);
    assert_ok(ilk_disable(f->world, e[1], &Velocity_type));
    assert_breaks(f, chunk->is_odd, false, "chunk 0: it forgot that it is odd");
    assert_ok(ilk_enable(f->world, e[1], &Velocity_type));
    assert_ok(ilk_remove(f->world, e[1], &Velocity_type));
    assert_breaks(f, chunk->is_odd, false, "chunk 0: it forgot that it is odd");
    ILK_SPAWN(f->world, ILK_WITH(Owned));
    assert_breaks(f, chunk_at(f, 1)->drops, false,
                  "chunk 1: it forgot that values are to be dropped");
}

static void the_kind_of_a_block(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    assert_ok(ilk_add(f->world, e[0], ILK_WITH(Health)));
    ilki_chunk* chunk = chunk_at(f, 0);
    assert_breaks(f, block_of(f, &Position_type, 0)->kind, ILKI_GUEST,
                  "Position in chunk 0: a block of the wrong kind");
    assert_breaks(f, block_of(f, &Health_type, 0)->kind, ILKI_HOME,
                  "Health in chunk 0: a block of the wrong kind");
    assert_breaks(f, chunk->guest_count, 0u, "Health in chunk 0: a block of the wrong kind");
    assert_true(chunk->guest_capacity > 1);
    chunk->guests[1] = chunk->guests[0];
    assert_breaks(f, chunk->guest_count, 2u, "Health in chunk 0: a block of the wrong kind");
    chunk->guests[1] = directory_of(f, &Velocity_type)->number;
    assert_breaks(f, chunk->guest_count, 2u, "Velocity in chunk 0: a block of the wrong kind");
}

static void the_entry_of_a_block(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    uint64_t* present = directory_of(f, &Position_type)->present;
    assert_breaks(f, *present, (uint64_t)0, "Position in chunk 0: the directory's bit is wrong");
    *present = 0;
    assert_broken(f, "Position in chunk 0: the directory's bit is wrong");
    ilki_block* block = block_of(f, &Position_type, 0);
    unsigned char* base = block->base;
    block->base = NULL;
    assert_broken(f, "Position in chunk 0: a block without memory");
    block->base = base;
    *present = 1;
    assert_breaks(f, block->is_awkward, !block->is_awkward,
                  "Position in chunk 0: not moved as its kind is");
}

static void the_ticks_of_a_block(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    ilki_block* block = block_of(f, &Position_type, 0);
    uint64_t next = storage_of(f)->view.tick + 1;
    const char* sentence = "Position in chunk 0: its ticks are ahead";
    assert_breaks(f, block->changed, next, sentence);
    assert_breaks(f, block->touched, next, sentence);
    assert_breaks(f, block->touched, block->changed - 1, sentence);
}

// An entity of two with a small guest.
static ilki_small* small_guest(fixture* f, ilk_entity e[2]) {
    for (int i = 0; i < 2; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Position));
        assert_ok(ilk_add(f->world, e[i], ILK_WITH(Large)));
    }
    assert_int_equal(block_of(f, &Large_type, 0)->kind, ILKI_SMALL);
    assert_valid(f->world);
    return ilki_small_of(block_of(f, &Large_type, 0));
}

static void the_slots_of_a_small_guest(void** state) {
    fixture* f = *state;
    ilk_entity e[2];
    ilki_small* small = small_guest(f, e);
    uint8_t* slots = (uint8_t*)(small->taken + 1); // of four rows
    assert_int_equal(slots[1], 1);
    assert_breaks(f, slots[1], (uint8_t)4, "Large in chunk 0: slot 4 is not row 1's");
    assert_breaks(f, slots[1], (uint8_t)0, "Large in chunk 0: slot 0 is not row 1's");
    assert_breaks(f, small->taken[0], (uint64_t)7, "Large in chunk 0: a slot is lost");
    assert_breaks(f, small->reserved, 1u, "Large in chunk 0: a promise is open");
}

// A value of 16 bytes moves quickly, but not from a slot.
static void a_small_guest_of_a_plain_type(void** state) {
    fixture* f = *state;
    ilk_type pair = {.name = "pair", .size = 16};
    ilk_entity e = {0};
    for (int i = 0; i < 4 + 16 + 64 + 256 + 1024 + 1; i++) e = ILK_SPAWN(f->world, ILK_WITH(Enemy));
    assert_ok(ilk_add(f->world, e, (ilk_value){&pair, NULL}));
    ilki_block* block = block_of(f, &pair, 5);
    assert_int_equal(block->kind, ILKI_SMALL);
    assert_breaks(f, block->is_awkward, false, "pair in chunk 5: not moved as its kind is");
}

// One is dying for the sake of its guest, beside one that lives.
static void those_who_are_dying(void** state) {
    static ilk_type lease = {.name = "lease", .size = 4, .outlives = true};
    fixture* f = *state;
    ilk_entity e[2];
    for (uint32_t i = 0; i < 2; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Position));
        assert_ok(ilk_add(f->world, e[i], (ilk_value){&lease, NULL}));
    }
    assert_ok(ilk_destroy(f->world, e[1]));
    ilki_chunk* chunk = chunk_at(f, 0);
    const char* forgotten = "chunk 0: it forgot that values are to be kept";
    assert_breaks(f, chunk->keeps, false, forgotten);
    ilki_block* dying = block_of(f, &ilk_dying_type, 0);
    assert_breaks(f, storage_of(f)->dying, NULL, "chunk 0: there is no room for who is to die");
    ilki_block* position = block_of(f, &Position_type, 0);
    chunk->has_dying = false;
    position->is_awkward = !directory_of(f, &Position_type)->is_quick;
    assert_broken(f, "chunk 0: it forgot who is dying");
    chunk->has_dying = true;
    position->is_awkward = true;
    assert_breaks(f, dying->is_awkward, false, "ilk_dying in chunk 0: not moved as its kind is");
    ilk_type* type = directory_of(f, &lease)->type;
    assert_breaks(f, type->outlives, false, "chunk 0: row 1 is dying, and has lease");
    ilki_block* kept = block_of(f, &lease, 0);
    ilki_block_flip(kept, 1);
#ifdef ILK_CHECKED
    ilki_poison(kept->base + lease.size, lease.size);
#endif
    assert_broken(f, "chunk 0: row 1 is dying for nothing");
    ilki_block_flip(kept, 1);
}

static void the_chunks_of_an_ilk(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    ilki_chunk* chunk = chunk_at(f, 0);
    ilki_ilk* ilk = chunk->ilk;
    ilki_ilk other = *ilk;
    assert_breaks(f, chunk->ilk, &other, "chunk 0: it is not where its ilk has it");
    assert_breaks(f, chunk->position, 1u, "chunk 0: it is not where its ilk has it");
    assert_breaks(f, ilk->room[0], (uint64_t)0, "chunk 0: its ilk is wrong about its room");
    assert_breaks(f, ilk->door, NULL, "ilk: the door is not the lowest chunk with room");
    assert_breaks(f, ilk->host, NULL, "ilk: it has chunks, and lodges");
    assert_breaks(f, ilk->rows, (uint64_t)5, "ilk: 5 rows");
}

static void the_set_of_an_ilk(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    ilki_ilk* ilk = chunk_at(f, 0)->ilk;
    assert_breaks(f, ilk->types[1], ilk->types[0], "ilk: its types are not in order");
    assert_breaks(f, storage_of(f)->ilks_by_set.count, 0u, "ilk: it is not found by its set");
}

static void the_list_of_chunks(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    assert_breaks(f, storage_of(f)->chunks_alive, 2u, "storage: 2 chunks, 1 listed, 1 in ilks");
    ilki_ilk* ilk = chunk_at(f, 0)->ilk;
    ilki_ilk kept = *ilk;
    ilk->chunk_count = 0;
    ilk->rows = 0;
    ilk->door = NULL;
    assert_broken(f, "storage: 1 chunks, 1 listed, 0 in ilks");
    *ilk = kept;
}

static void the_place_of_a_directory(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    assert_ok(ilk_register(f->world, &Anchor_type));
    ilki_directory* directory = directory_of(f, &Anchor_type);
    const char* sentence = "Anchor: it is not found by its number and id";
    assert_breaks(f, directory->number, 9u, sentence);
    assert_breaks(f, storage_of(f)->view.by_id[Anchor_type.id], &ilki_no_directory, sentence);
}

static void a_block_of_no_chunk(void** state) {
    fixture* f = *state;
    leave_town(f);
    unsigned char value[64];
    assert_breaks(f, block_of(f, &Health_type, 0)->base, value,
                  "Health: it has a block in chunk 0, which is not there");
    assert_breaks(f, block_of(f, &Health_type, 3)->base, value,
                  "Health: it has a block in chunk 3, which is not there");
}

static void the_counts_of_the_pool(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    ilki_pool* pool = &storage_of(f)->pool;
    assert_breaks(f, pool->spans[0].free, 1u, "pool: span 0 miscounts");
    assert_breaks(f, pool->held, pool->held + 1, "pool: its bytes do not add up");
    size_t* spare = &storage_of(f)->memory.bytes[ILKI_SPARE];
    assert_breaks(f, *spare, *spare + 1, "pool: its bytes do not add up");
}

static void the_order_of_the_pool(void** state) {
    fixture* f = *state;
    for (int i = 0; i < 3000; i++) ILK_SPAWN(f->world, ILK_WITH(Position));
    ilki_pool* pool = &storage_of(f)->pool;
    assert_true(pool->count > 1);
    ilki_span first = pool->spans[0];
    pool->spans[0] = pool->spans[1];
    pool->spans[1] = first;
    assert_broken(f, "pool: out of order");
    pool->spans[1] = pool->spans[0];
    pool->spans[0] = first;
}

static void no_text_is_wanted(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    char text[8] = "kept";
    storage_of(f)->view.index.alive++;
    assert_int_equal(ilk_world_validate(f->world, NULL, 10), ILK_BROKEN);
    assert_int_equal(ilk_world_validate(f->world, text, 0), ILK_BROKEN);
    assert_string_equal(text, "kept");
    assert_int_equal(ilk_world_validate(f->world, text, sizeof text), ILK_BROKEN);
    assert_string_equal(text, "index: ");
    storage_of(f)->view.index.alive--;
    assert_ok(ilk_world_validate(f->world, text, sizeof text));
    assert_string_equal(text, "");
    assert_int_equal(ilk_world_validate(NULL, text, sizeof text), ILK_INVALID);
}

#ifdef ILK_CHECKED
static void assert_stale(const fixture* f, unsigned char* byte, const char* sentence) {
    *byte ^= 1;
    assert_broken_at(f, ILK_STALE, sentence, __FILE__, __LINE__);
    *byte ^= 1;
    assert_valid(f->world);
}

static void a_value_that_is_gone(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    settle_town(f, e);
    assert_ok(ilk_remove(f->world, e[1], &Position_type));
    unsigned char* base = block_of(f, &Position_type, 0)->base;
    assert_stale(f, base + 2 * sizeof(Position),
                 "Position in chunk 0: row 2 was written to after its value was gone");
    assert_stale(f, base + 1 * sizeof(Position) + 3,
                 "Position in chunk 0: row 1 was written to after its value was gone");
}

static void a_slot_that_is_free(void** state) {
    fixture* f = *state;
    ilk_entity e[2];
    const ilki_small* small = small_guest(f, e);
    assert_ok(ilk_remove(f->world, e[0], &Large_type));
    assert_stale(f, small->segments[0] + 8191,
                 "Large in chunk 0: row 0 was written to after its value was gone");
}
#endif

static void queues_of_events_are_looked_at(void** state) {
    fixture* f = *state;
    ilk_reader* reader = ilk_reader_create(f->world, &(ilk_reader_desc){.type = &Position_type});
    ilk_reader* other = ilk_reader_create(f->world, &(ilk_reader_desc){.type = &Velocity_type});
    for (uint32_t i = 0; i < 300; i++) assert_ok(ilk_emit(f->world, ILK_WITH(Position)));
    for (uint32_t i = 0; i < 150; i++) assert_non_null(ilk_read(reader, NULL));
    assert_ok(ilk_update(f->world, 0));
    ilki_queue* queue = f->world->events->channels[0];
    ilki_event_head* head = (ilki_event_head*)(void*)(queue->tail->events + queue->stride);
    assert_breaks(f, queue->first, 301u, "events Position: its places are out of order");
    assert_breaks(f, queue->swept, 151u, "events Position: its places are out of order");
    assert_breaks(f, queue->segment_count, 1u, "events Position: its segments do not add up");
    assert_breaks(f, queue->readers, NULL, "events Position: it keeps what nobody waits for");
    assert_breaks(f, head->number, 1u, "events Position: its numbers are out of order");
    assert_breaks(f, reader->queue, NULL, "events Position: a reader is of another queue");
    assert_breaks(f, reader->place, 0u, "events Position: a reader is elsewhere");
    assert_breaks(f, reader->until, reader->run, "events Position: a reader is beyond its run");
    assert_breaks(f, other->held, 1u, "events Velocity: a reader looks at what is to come");
    assert_breaks(f, f->world->events->by_id[queue->type->id], NULL,
                  "events Position: it is not found by its id");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_generation),
        WORLD_TEST(a_place),
        WORLD_TEST(a_place_in_a_chunk_that_is_gone),
        WORLD_TEST(the_counts_of_the_index),
        WORLD_TEST(a_slot_that_is_retired_without_being_counted),
        WORLD_TEST(a_slot_that_is_reserved),
        WORLD_TEST(the_free_list),
        WORLD_TEST(a_row_that_names_nobody),
        WORLD_TEST(the_counts_of_a_chunk),
        WORLD_TEST(a_chunk_that_is_not_as_fresh_as_it_says),
        WORLD_TEST(the_bits_of_a_block),
        WORLD_TEST(what_a_chunk_knows_of_its_blocks),
        WORLD_TEST(the_kind_of_a_block),
        WORLD_TEST(the_entry_of_a_block),
        WORLD_TEST(the_ticks_of_a_block),
        WORLD_TEST(the_slots_of_a_small_guest),
        WORLD_TEST(a_small_guest_of_a_plain_type),
        WORLD_TEST(those_who_are_dying),
        WORLD_TEST(the_chunks_of_an_ilk),
        WORLD_TEST(the_set_of_an_ilk),
        WORLD_TEST(the_list_of_chunks),
        WORLD_TEST(the_place_of_a_directory),
        WORLD_TEST(a_block_of_no_chunk),
        WORLD_TEST(the_counts_of_the_pool),
        WORLD_TEST(the_order_of_the_pool),
        WORLD_TEST(no_text_is_wanted),
#ifdef ILK_CHECKED
        WORLD_TEST(a_value_that_is_gone),
        WORLD_TEST(a_slot_that_is_free),
#endif
        WORLD_TEST(queues_of_events_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
