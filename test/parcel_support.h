// What the tests of deltas that are made and applied share: deltas that are kept, delivered and
// forged.
#ifndef ILK_TEST_PARCEL_SUPPORT_H
#define ILK_TEST_PARCEL_SUPPORT_H

#include "history/delta.h"

#include "delta_support.h"

static inline void many(ilk_world* world, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) change_anything(world);
}

// The bytes of a delta, to keep.
typedef struct parcel {
    unsigned char* bytes;
    size_t size;
} parcel;

static inline parcel pack(ilk_world* world, ilk_snapshot* from, ilk_snapshot* to) {
    parcel p = {0};
    const void* bytes = ilk_delta_make(from, to, &p.size);
    if (!bytes) fail_msg("%s", ilk_error(world).text);
    p.bytes = malloc(p.size);
    memcpy(p.bytes, bytes, p.size);
    return p;
}

static inline void assert_same_worlds(ilk_world* a, ilk_world* b) {
    ilk_divergence first;
    assert_ok(ilk_diverge(a, b, &first));
    if (first.what) fail_msg("%s", first.text);
    assert_int_equal(ilk_hash_layout(a), ilk_hash_layout(b));
}

static inline void deliver(ilk_world* world, parcel p, uint64_t hash) {
    ilk_result result = ilk_delta_apply(world, p.bytes, p.size);
    if (result != ILK_OK) fail_msg("%s", ilk_error(world).text);
    assert_valid(world);
    assert_int_equal(ilk_hash_layout(world), hash);
}

// A world, one that is what it was, and the way to what it is.
typedef struct pair {
    ilk_world *world, *other;
    parcel way;
    uint64_t before, after;
} pair;

static uint32_t taken; // forgeries that make another sound world

static inline void make_it_pass(parcel* p) {
    uint64_t check = ilki_delta_check(p->bytes, p->size);
    for (uint32_t i = 0; i < 8; i++)
        p->bytes[ILKI_DELTA_CHECK + i] = (unsigned char)(check >> 8 * i);
}

// With a check that is right, and perhaps nothing promised, by somebody who means ill: refused, or
// the world is sound.
static inline void forge(pair* p) {
    parcel forged = {malloc(p->way.size), p->way.size};
    bool is_promised = chance(4) == 0;
    memcpy(forged.bytes, p->way.bytes, forged.size);
    if (!is_promised) memset(forged.bytes + ILKI_DELTA_TO, 0, 16);
    for (uint32_t i = 1 + chance(3); i; i--) {
        unsigned char* at =
            &forged.bytes[ILKI_DELTA_HEAD + chance((uint32_t)forged.size - ILKI_DELTA_HEAD)];
        *at = (unsigned char)(chance(3) ? *at + 1 - 2 * (int)chance(2) : (int)chance(256));
    }
    make_it_pass(&forged);
    ilk_result result = ilk_delta_apply(p->other, forged.bytes, forged.size);
    assert_valid(p->other);
    if (result != ILK_OK || is_promised) {
        uint64_t hash = result == ILK_OK ? p->after : p->before;
        assert_int_equal(ilk_hash_layout(p->other), hash);
    } else {
        taken++;
        many(p->other, 5); // and it can go on
        ilk_emit(p->other, ILK_VALUE(Ping, 7));
        ilk_update(p->other, 0.01);
        ilk_settle(p->other, 0);
        assert_valid(p->other);
    }
    free(forged.bytes);
}

static inline ilk_snapshot* taken_of(ilk_world* world) {
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    assert_non_null(snapshot);
    return snapshot;
}

static inline void not_packed(fixture* f, ilk_snapshot* from, ilk_snapshot* to, ilk_result why) {
    size_t size = 7;
    assert_null(ilk_delta_make(from, to, &size));
    assert_int_equal(size, 0);
    assert_told(f, why, "ilk_delta_make");
}

#endif
