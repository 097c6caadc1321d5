// Values that own something in deltas: they stay with their entities, wherever these lie.
#include "parcel_support.h"

// A value that owns something, and is hashed by what that is.
typedef struct Deed {
    char* text;
} Deed;

static void deed_copy(void* to, const void* from, void* context) {
    (void)context;
    ((Deed*)to)->text = text_copy(((const Deed*)from)->text);
}

static void deed_drop(void* value, void* context) {
    (void)context;
    free(((Deed*)value)->text);
}

static uint64_t deed_hash(const void* value, void* context) {
    (void)context;
    uint64_t hash = 1;
    for (const char* at = ((const Deed*)value)->text; *at; at++) hash = hash * 31 + (uint64_t)*at;
    return hash;
}

ILK_COMPONENT_WITH(Deed, .hooks = {.copy = deed_copy, .drop = deed_drop, .hash = deed_hash});

enum {
    OWNERS = 400
};

// The same, and rows know when theirs changed.
typedef Deed Claim;
ILK_COMPONENT_WITH(Claim, .track = true,
                   .hooks = {.copy = deed_copy, .drop = deed_drop, .hash = deed_hash});

// At home, as guests, and among few.
static void populate_with_owners(ilk_world* world) {
    for (uint32_t i = 0; i < OWNERS; i++) {
        char text[20];
        snprintf(text, sizeof text, "deed %u", i);
        ilk_entity e = ILK_SPAWN(world, ILK_WITH(Frozen));
        assert_ok(ilk_add(world, e, ILK_VALUE(Deed, text_copy(text))));
        if (i % 3 == 0) assert_ok(ilk_add(world, e, ILK_WITH(Position)));
        if (i % 5 == 0) assert_ok(ilk_add(world, e, ILK_VALUE(Claim, text_copy(text))));
        if (i == OWNERS / 2) ilk_settle(world, 0);
    }
}

// Everything but the deeds, which nobody gives or writes.
static void change_around(ilk_world* world, bool is_deadly) {
    ilk_type* others[] = {&Position_type, &Velocity_type, &Anchor_type, &Enemy_type};
    for (uint32_t i = 0; i < 40; i++) {
        ilk_entity e = ilk_entity_at(world, chance(OWNERS));
        if (chance(2)) ilk_add(world, e, (ilk_value){others[chance(4)], NULL});
        if (chance(2)) ilk_remove(world, e, others[chance(4)]);
        if (is_deadly && chance(8) == 0) ilk_destroy(world, e);
        if (chance(4) == 0) ILK_SPAWN(world, ILK_WITH(Velocity));
    }
    ilk_settle(world, chance(3) ? 3 : 0);
}

static void populate_both(fixture* f, ilk_world* other, uint32_t seed) {
    populate_with_owners(f->world);
    populate_with_owners(other);
    random_state = seed;
    assert_int_equal(ilk_hash_layout(other), ilk_hash_layout(f->world));
}

// There, and where nobody was destroyed also back.
static void what_a_type_owns_moves(void** state) {
    fixture* f = *state;
    ilk_world* other = ilk_world_create(NULL);
    populate_both(f, other, 7);
    for (uint32_t round = 0; round < 60; round++) {
        uint64_t before = ilk_hash_layout(f->world);
        ilk_snapshot* a = taken_of(f->world);
        change_around(f->world, round % 2);
        ilk_snapshot* b = taken_of(f->world);
        uint64_t after = ilk_hash_layout(f->world);
        parcel there = pack(f->world, a, b);
        deliver(other, there, after);
        if (round % 2 == 0) {
            parcel back = pack(f->world, b, a);
            deliver(other, back, before);
            deliver(other, there, after);
            free(back.bytes);
        }
        assert_same_worlds(f->world, other);
        free(there.bytes);
        ilk_snapshot_release(a);
        ilk_snapshot_release(b);
    }
    ilk_world_destroy(other);
}

// Another past may have written in the same tick: there nothing is known.
static void what_a_type_owns_is_the_same_in_one_past_alone(void** state) {
    fixture* f = *state;
    populate_with_owners(f->world);
    ilk_entity e = ilk_entity_at(f->world, 4);
    ilk_snapshot* begin = taken_of(f->world);
    ILK_EDIT(f->world, e, Deed)->text[0] = 'D';
    ilk_snapshot* here = taken_of(f->world);
    assert_ok(ilk_snapshot_restore(begin));
    ILK_EDIT(f->world, e, Deed)->text[0] = 'L';
    ilk_snapshot* there = taken_of(f->world);
    not_packed(f, here, there, ILK_INVALID);
    not_packed(f, there, here, ILK_INVALID);
    ilk_snapshot_release(begin);
    ilk_snapshot_release(here);
    ilk_snapshot_release(there);
}

static void what_a_type_owns_moves_with_little_memory(void** state) {
    fixture* f = *state;
    ilk_world* other = ilk_world_create(NULL);
    populate_both(f, other, 5);
    uint64_t before = ilk_hash_layout(other), most = 0;
    ilk_snapshot* a = taken_of(other);
    change_around(other, true);
    ilk_snapshot* b = taken_of(other);
    parcel way = pack(other, a, b);
    for (ilk_result result = ILK_NO_MEMORY; result != ILK_OK; most++) {
        assert_int_equal(ilk_hash_layout(f->world), before);
        f->memory.left = most;
        result = ilk_delta_apply(f->world, way.bytes, way.size);
        f->memory.left = UINT64_MAX;
        assert_true(result == ILK_OK || result == ILK_NO_MEMORY);
        assert_valid(f->world);
    }
    assert_int_equal(ilk_hash_layout(f->world), ilk_hash_layout(other));
    free(way.bytes);
    ilk_snapshot_release(a);
    ilk_snapshot_release(b);
    ilk_world_destroy(other);
}

// Nothing is copied that is not dropped, whatever a delta says of where it is.
static void forgeries_of_what_moves_are_refused(void** state) {
    fixture* f = *state;
    pair p = {.world = ilk_world_create(NULL), .other = f->world};
    populate_both(f, p.world, 9);
    ilk_snapshot* a = taken_of(p.world);
    p.before = ilk_hash_layout(p.world);
    change_around(p.world, true);
    ilk_settle(p.world, 0);
    ilk_snapshot* b = taken_of(p.world);
    p.after = ilk_hash_layout(p.world);
    p.way = pack(p.world, a, b);
    ilk_snapshot* begin = taken_of(f->world);
    uint32_t others = taken;
    for (uint32_t i = 0; i < 4000; i++) {
        forge(&p);
        assert_ok(ilk_snapshot_restore(begin));
    }
    assert_true(taken > others + 100);
    deliver(p.other, p.way, p.after);
    ilk_snapshot_release(begin);
    ilk_snapshot_release(a);
    ilk_snapshot_release(b);
    free(p.way.bytes);
    ilk_world_destroy(p.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(what_a_type_owns_moves),
        WORLD_TEST(what_a_type_owns_is_the_same_in_one_past_alone),
        WORLD_TEST(what_a_type_owns_moves_with_little_memory),
        WORLD_TEST(forgeries_of_what_moves_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
