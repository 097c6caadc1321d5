// Deltas and snapshots at their edges: others in the slots of those who were named, want of memory
// in a world with several pages of slots, and more asked for than is given.
#include "delta_support.h"
#include "history/delta.h"

enum {
    MANY = 1500 // more than a page of slots
};

typedef struct Fat {
    unsigned char bytes[4096];
} Fat;
ILK_COMPONENT(Fat);

static ilk_type* const kinds[] = {&Position_type, &Velocity_type, &Health_type, &Anchor_type};

// Others in the slots of those who were named

// Four entities of four kinds, so that they lie in four chunks.
static void spawn_four(ilk_world* world) {
    for (uint32_t i = 0; i < COUNT_OF(kinds); i++) {
        assert_ok(ilk_register(world, kinds[i]));
        assert_false(ilk_is_null(ilk_spawn(world, &(ilk_value){kinds[i], NULL}, 1)));
    }
    ilk_settle(world, 0);
}

static void name_all(ilk_world* world) {
    for (uint32_t i = 0; i < COUNT_OF(kinds); i++)
        ilk_set_name(world, ilk_entity_at(world, i), NULL);
    for (uint32_t i = 0; i < COUNT_OF(kinds); i++) {
        assert_ok(ilk_set_name(world, ilk_entity_at(world, i), "n"));
    }
}

static void relate_all(ilk_world* world) {
    ilk_entity first = ilk_entity_at(world, 0);
    if (ilk_has(world, first, &Knows_type)) assert_ok(ilk_remove(world, first, &Knows_type));
    for (uint32_t i = 1; i < COUNT_OF(kinds); i++) {
        assert_ok(ilk_relate(world, first, &Knows_type, ilk_entity_at(world, i)));
    }
}

static void replace(ilk_world* world, uint32_t slot) {
    assert_ok(ilk_destroy(world, ilk_entity_at(world, slot)));
    ilk_entity e = ilk_spawn(world, &(ilk_value){kinds[slot], NULL}, 1);
    assert_int_equal(e.index, slot);
}

static void follow_who_is_replaced(fixture* f, void (*tie)(ilk_world*), uint32_t slot) {
    ilk_world *here = second_world(f, 0), *there = second_world(f, 0);
    ilk_world* const worlds[] = {here, there};
    for (uint32_t i = 0; i < 2; i++) {
        spawn_four(worlds[i]);
        tie(worlds[i]);
        ilk_settle(worlds[i], 0);
    }
    assert_int_equal(ilk_hash_layout(here), ilk_hash_layout(there)); // and both are kept
    ilk_snapshot* before = ilk_snapshot_take(here);
    replace(here, slot);
    tie(here);
    ilk_snapshot* after = ilk_snapshot_take(here);
    size_t size;
    const void* bytes = ilk_delta_make(before, after, &size);
    assert_ok(ilk_delta_apply(there, bytes, size));
    assert_int_equal(ilk_hash(here), ilk_hash(there));
    assert_int_equal(ilk_hash_layout(here), ilk_hash_layout(there));
    assert_valid(there);
    ilk_world_destroy(here);
    ilk_world_destroy(there);
}

static void hashes_know_who_is_named_by_what_stayed(void** state) {
    fixture* f = *state;
    for (uint32_t slot = 0; slot < COUNT_OF(kinds); slot++) {
        follow_who_is_replaced(f, name_all, slot);
        if (slot) follow_who_is_replaced(f, relate_all, slot);
    }
    assert_quiet(f);
}

// Memory runs out after 0, 1, 2… requests

// Whatever was refused, slots can be had and given back.
static void assert_slots_fit(ilk_world* world) {
    static ilk_entity those[3 * MANY];
    assert_valid(world);
    uint32_t alive = ilk_stats(world).alive;
    assert_ok(ilk_create_many(world, those, COUNT_OF(those)));
    assert_ok(ilk_destroy_many(world, those, COUNT_OF(those)));
    assert_int_equal(ilk_stats(world).alive, alive);
    assert_valid(world);
}

static void going_back_to_many_needs_memory(void** state) {
    fixture* f = *state;
    static ilk_entity those[MANY];
    assert_ok(ilk_create_many(f->world, those, 10));
    ilk_snapshot* few = ilk_snapshot_take(f->world);
    assert_ok(ilk_create_many(f->world, those, MANY));
    ilk_snapshot* many = ilk_snapshot_take(f->world);
    uint64_t most = 0;
    for (ilk_result result = ILK_NO_MEMORY; result != ILK_OK; most++) {
        assert_ok(ilk_snapshot_restore(few));
        ilk_trim(f->world);
        f->memory.left = most;
        result = ilk_snapshot_restore(many);
        f->memory.left = UINT64_MAX;
        assert_int_equal(ilk_stats(f->world).alive, result == ILK_OK ? MANY + 10 : 10);
        assert_slots_fit(f->world);
    }
    assert_true(most > 3);
}

// What may be asked for ends anywhere

static void put_numbers(unsigned char* bytes, size_t* size, const uint64_t* numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t number = numbers[i];
        for (; number >= 0x80; number >>= 7) bytes[(*size)++] = (unsigned char)(number | 0x80);
        bytes[(*size)++] = (unsigned char)number;
    }
}
#define PUT(...)                                                                                   \
    put_numbers(bytes, &size, (uint64_t[]){__VA_ARGS__}, sizeof((uint64_t[]){__VA_ARGS__}) / 8)

static void put_word(unsigned char* at, uint64_t word) {
    for (uint32_t i = 0; i < 8; i++) at[i] = (unsigned char)(word >> 8 * i);
}

// From nothing: chunks of so many rows, in which nobody is, with blocks of large values.
static ilk_result ask_for_rows(ilk_world* world, uint64_t first, uint64_t second) {
    static const ilk_type* const types[] = {&Frozen_type, &Fat_type, &Large_type};
    unsigned char bytes[400] = {'i', 'l', 'k', 'd', 1};
    size_t size = ILKI_DELTA_HEAD;
    PUT(3);
    for (uint32_t i = 0; i < 3; i++) {
        size_t length = strlen(types[i]->name);
        PUT(length);
        memcpy(bytes + size, types[i]->name, length);
        size += length;
        PUT(1, types[i]->size, types[i]->size);
    }
    PUT(3);
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t guest = i + 2;
        PUT(1, 3, 1, 1, i, i ? second : first, 0, 1, guest, 0, 0, 0, 1, 1, 0, 0, guest, 2, 0, 0, 0,
            0);
    }
    PUT(1, 3, 1, 1, 2, 1, 0, 3);
    put_word(bytes + ILKI_DELTA_SIZE, size - ILKI_DELTA_HEAD);
    put_word(bytes + ILKI_DELTA_CHECK, ilki_delta_check(bytes, size));
    return ilk_delta_apply(world, bytes, size);
}

static void whatever_is_asked_for_is_given_or_refused(void** state) {
    fixture* f = *state;
    assert_ok(ilk_register(f->world, &Frozen_type));
    assert_ok(ilk_register(f->world, &Fat_type));
    assert_ok(ilk_register(f->world, &Large_type));
    uint32_t refused = 0;
    for (uint64_t first = 64; first <= 128; first += 8) {
        for (uint64_t second = 1; second <= 1024; second++) {
            ilk_result result = ask_for_rows(f->world, first, second);
            assert_true(result == ILK_INVALID || result == ILK_NO_MEMORY);
            refused += strstr(f->told.text, "asks for too much memory") != NULL;
        }
    }
    assert_true(refused > 100);
    assert_valid(f->world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(hashes_know_who_is_named_by_what_stayed),
        WORLD_TEST(going_back_to_many_needs_memory),
        WORLD_TEST(whatever_is_asked_for_is_given_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
