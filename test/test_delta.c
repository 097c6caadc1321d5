// Deltas: what makes one snapshot another makes another world so too, forwards and backwards;
// nothing else is taken for one.
#include <math.h>

#include "parcel_support.h"

// A world, and one that only learns of it.
static void follow(uint32_t seed, uint32_t steps) {
    random_state = seed;
    ilk_world* world = ilk_world_create(NULL);
    ilk_world* mirror = ilk_world_create(NULL);
    prepare(world);
    prepare(mirror);
    ilk_snapshot* before = NULL;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < steps; i++) {
        many(world, 1 + chance(i % 4 ? 20 : 300));
        ilk_snapshot* after = ilk_snapshot_take(world);
        assert_non_null(after);
        uint64_t then = ilk_hash_layout(world);
        bool is_late = chance(2);
        uint32_t kept = random_state;
        if (is_late) many(world, 30); // the delta is made later
        parcel there = pack(world, before, after);
        deliver(mirror, there, then);
        if (before && chance(3) == 0) {
            parcel back = pack(world, after, before);
            deliver(mirror, back, hash);
            deliver(mirror, there, then);
            free(back.bytes);
        }
        if (is_late) assert_ok(ilk_snapshot_restore(after));
        assert_same_worlds(world, mirror);
        // Both go on the same way.
        random_state = kept;
        many(mirror, 20);
        random_state = kept;
        many(world, 20);
        assert_same_worlds(world, mirror);
        ilk_snapshot_release(before);
        ilk_snapshot_release(after);
        before = ilk_snapshot_take(world);
        hash = ilk_hash_layout(world);
        free(there.bytes);
    }
    ilk_world_destroy(mirror);
    ilk_world_destroy(world);
}

static void a_world_follows_another(void** state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 30; seed++) follow(seed, 12);
}

static pair begin_pair(uint32_t seed, uint32_t changes) {
    random_state = seed;
    pair p = {.world = ilk_world_create(NULL), .other = ilk_world_create(NULL)};
    prepare(p.world);
    prepare(p.other);
    many(p.world, 150);
    ilk_snapshot* a = ilk_snapshot_take(p.world);
    parcel whole = pack(p.world, NULL, a);
    p.before = ilk_hash_layout(p.world);
    deliver(p.other, whole, p.before);
    free(whole.bytes);
    many(p.world, changes);
    ilk_snapshot* b = ilk_snapshot_take(p.world);
    p.after = ilk_hash_layout(p.world);
    p.way = pack(p.world, a, b);
    ilk_snapshot_release(a);
    ilk_snapshot_release(b);
    return p;
}

static void end_pair(pair* p) {
    free(p->way.bytes);
    ilk_world_destroy(p->other);
    ilk_world_destroy(p->world);
}

static void nothing_shorter_is_taken(void** state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        pair p = begin_pair(seed, 6);
        for (size_t size = 0; size < p.way.size; size++) {
            unsigned char* part = malloc(size + 1); // so that reading on would be noticed
            memcpy(part, p.way.bytes, size);
            assert_int_equal(ilk_delta_apply(p.other, part, size), ILK_INVALID);
            free(part);
        }
        assert_int_equal(ilk_hash_layout(p.other), p.before);
        deliver(p.other, p.way, p.after);
        end_pair(&p);
    }
}

static void nothing_with_another_bit_is_taken(void** state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        pair p = begin_pair(seed, 6);
        for (size_t bit = 0; bit < p.way.size * 8; bit++) {
            p.way.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            assert_int_equal(ilk_delta_apply(p.other, p.way.bytes, p.way.size), ILK_INVALID);
            p.way.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        assert_int_equal(ilk_hash_layout(p.other), p.before);
        deliver(p.other, p.way, p.after);
        end_pair(&p);
    }
}

// A head that says something else is refused, also if the check is right.
static void heads_are_read_with_care(void** state) {
    (void)state;
    pair p = begin_pair(6, 10);
    for (uint32_t at = 0; at < ILKI_DELTA_CHECK; at++) {
        for (uint32_t bit = 0; bit < 8; bit++) {
            p.way.bytes[at] ^= (unsigned char)(1u << bit);
            make_it_pass(&p.way);
            ilk_result result = ilk_delta_apply(p.other, p.way.bytes, p.way.size);
            bool is_of_others =
                at == ILKI_DELTA_TAG || (at >= ILKI_DELTA_FROM && at < ILKI_DELTA_SIZE);
            assert_int_equal(result, is_of_others ? ILK_CLASH : ILK_INVALID);
            p.way.bytes[at] ^= (unsigned char)(1u << bit);
        }
    }
    make_it_pass(&p.way);
    deliver(p.other, p.way, p.after);
    end_pair(&p);
}

static void forgeries_are_refused(void** state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        pair p = begin_pair(seed, 40);
        ilk_snapshot* begin = ilk_snapshot_take(p.other);
        for (uint32_t i = 0; i < 400; i++) {
            forge(&p);
            assert_ok(ilk_snapshot_restore(begin));
        }
        ilk_snapshot_release(begin);
        deliver(p.other, p.way, p.after);
        end_pair(&p);
    }
    assert_true(taken > 100);
}

// Forgeries of what is known

static void put_number(parcel* p, uint64_t number) {
    for (; number >= 0x80; number >>= 7) p->bytes[p->size++] = (unsigned char)(number | 0x80);
    p->bytes[p->size++] = (unsigned char)number;
}

static void put_zeros(parcel* p, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) p->bytes[p->size++] = 0;
}

// A copy of the beginning of a parcel, with room for more.
static parcel beginning_of(parcel p, size_t size) {
    parcel copy = {calloc(1, p.size + 4096), size};
    memcpy(copy.bytes, p.bytes, size);
    return copy;
}

static ilk_result apply_forged(ilk_world* world, parcel* p) {
    memset(p->bytes + ILKI_DELTA_TO, 0, 16);
    for (uint32_t i = 0; i < 8; i++) {
        p->bytes[ILKI_DELTA_SIZE + i] = (unsigned char)((p->size - ILKI_DELTA_HEAD) >> 8 * i);
    }
    make_it_pass(p);
    ilk_result result = ilk_delta_apply(world, p->bytes, p->size);
    assert_valid(world);
    free(p->bytes);
    return result;
}

// How many were sent, where the delta says nothing else of events.
static ilk_result say_sent(ilk_world* world, parcel way, uint64_t sent) {
    parcel forged = beginning_of(way, way.size - 2);
    put_number(&forged, sent);
    put_zeros(&forged, 1);
    return apply_forged(world, &forged);
}

static void no_event_waits_that_was_not_sent(void** state) {
    fixture* f = *state;
    assert_non_null(ilk_reader_create(f->world, &(ilk_reader_desc){.type = &Ping_type}));
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    for (uint32_t i = 0; i < 5; i++) assert_ok(ilk_emit(f->world, ILK_VALUE(Ping, i)));
    ilk_snapshot* a = ilk_snapshot_take(f->world);
    ILK_EDIT(f->world, e, Position)->x = 9;
    ilk_snapshot* b = ilk_snapshot_take(f->world);
    parcel way = pack(f->world, a, b);
    assert_int_equal(way.bytes[way.size - 2], 5);
    assert_ok(ilk_snapshot_restore(a));
    assert_int_equal(say_sent(f->world, way, 0), ILK_INVALID);
    assert_int_equal(say_sent(f->world, way, 4), ILK_INVALID);
    assert_non_null(strstr(f->told.text, "Ping: one waits that was not sent yet"));
    assert_int_equal(say_sent(f->world, way, UINT64_MAX), ILK_INVALID);
    assert_int_equal(say_sent(f->world, way, UINT64_MAX / 2 + 1), ILK_INVALID);
    assert_ok(say_sent(f->world, way, UINT64_MAX / 2));
    assert_ok(ilk_emit(f->world, ILK_VALUE(Ping, 6)));
    assert_valid(f->world);
    free(way.bytes);
    ilk_snapshot_release(a);
    ilk_snapshot_release(b);
}

// Where a world's step begins in a delta: before it are the scale and the longest frame.
static size_t place_of_step(parcel whole) {
    parcel step = {(unsigned char[16]){0}, 0};
    put_number(&step, 1000000000u / 60);
    put_number(&step, 8);
    for (size_t at = ILKI_DELTA_HEAD; at + step.size <= whole.size; at++) {
        if (memcmp(whole.bytes + at, step.bytes, step.size) == 0) return at;
    }
    fail_msg("there is no step");
    return 0;
}

static ilk_result say_step(ilk_world* world, parcel whole, uint64_t step, uint32_t most) {
    size_t at = place_of_step(whole), after = at + 5; // four bytes, and one
    parcel forged = beginning_of(whole, at);
    put_number(&forged, step);
    put_number(&forged, most);
    memcpy(forged.bytes + forged.size, whole.bytes + after, whole.size - after);
    forged.size += whole.size - after;
    return apply_forged(world, &forged);
}

static ilk_result say_seconds(ilk_world* world, parcel whole, uint32_t before, double seconds) {
    parcel forged = beginning_of(whole, whole.size);
    uint64_t word;
    memcpy(&word, &seconds, sizeof word);
    for (uint32_t i = 0; i < 8; i++) {
        forged.bytes[place_of_step(whole) - before + i] = (unsigned char)(word >> 8 * i);
    }
    return apply_forged(world, &forged);
}

// What the verbs that set them would refuse is not taken from a delta either.
static void settings_of_time_are_those_that_can_be_set(void** state) {
    fixture* f = *state;
    assert_ok(ilk_update(f->world, 0.001)); // so that a million nanoseconds are left of a step
    ilk_snapshot* a = ilk_snapshot_take(f->world);
    parcel whole = pack(f->world, NULL, a);
    uint64_t hash = ilk_hash_layout(f->world);
    assert_int_equal(say_step(f->world, whole, 0, 8), ILK_INVALID);
    assert_int_equal(say_step(f->world, whole, 1000000000u / 60, 0), ILK_INVALID);
    assert_int_equal(say_step(f->world, whole, 1000000, 8), ILK_INVALID);
    assert_int_equal(say_step(f->world, whole, 1000000000000000001u, 8), ILK_INVALID);
    assert_non_null(strstr(f->told.text, "time is none"));
    for (uint32_t before = 8; before <= 16; before += 8) {
        assert_int_equal(say_seconds(f->world, whole, before, -1), ILK_INVALID);
        assert_int_equal(say_seconds(f->world, whole, before, 1.1e9), ILK_INVALID);
        assert_int_equal(say_seconds(f->world, whole, before, (double)NAN), ILK_INVALID);
    }
    assert_int_equal(ilk_hash_layout(f->world), hash);
    assert_ok(say_seconds(f->world, whole, 8, 1e9));
    assert_ok(say_step(f->world, whole, 1000001, 1));
    assert_ok(ilk_update(f->world, 0.1));
    free(whole.bytes);
    ilk_snapshot_release(a);
}

// From nothing, up to the sets: no types but these, no chunks.
static parcel begin_by_hand(ilk_type* const* types, uint32_t count, size_t room) {
    parcel p = {calloc(1, ILKI_DELTA_HEAD + 4096 + room), ILKI_DELTA_HEAD};
    memcpy(p.bytes, "ilkd", 4);
    p.bytes[4] = 1;
    put_number(&p, count);
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(types[i]->name);
        put_number(&p, length);
        memcpy(p.bytes + p.size, types[i]->name, length);
        p.size += length;
        put_number(&p, 1);
        put_number(&p, types[i]->size);
        put_number(&p, types[i]->size);
    }
    put_zeros(&p, 3);
    return p;
}

// So many slots that their pages, rounded up, would be none: eight million bytes may say so.
static void slots_do_not_wrap_around(void** state) {
    fixture* f = *state;
    parcel p = begin_by_hand(NULL, 0, (size_t)9 << 20);
    put_zeros(&p, 5); // the end of the sets, and how far settling has come
    put_number(&p, UINT32_MAX - 1);
    put_zeros(&p, 2);
    put_number(&p, UINT32_MAX - 5); // the step to a slot, which is nowhere, and its generation
    put_number(&p, 1);
    put_number(&p, f->world->storage.view.index.tag | 1u);
    put_zeros(&p, 8u << 20);
    assert_int_equal(apply_forged(f->world, &p), ILK_INVALID);
}

// What a delta names and is refused is not kept.
static void sets_of_a_refused_delta_are_forgotten(void** state) {
    fixture* f = *state;
    ilk_type* types[] = {&Position_type, &Velocity_type, &Health_type,
                         &Anchor_type,   &Tracked_type,  &Large_type};
    for (uint32_t i = 0; i < COUNT_OF(types); i++) assert_ok(ilk_register(f->world, types[i]));
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health));
    ilk_snapshot* before = ilk_snapshot_take(f->world);
    ILK_SPAWN(f->world, ILK_WITH(Velocity));
    assert_ok(ilk_snapshot_restore(before)); // a set that only the future knows
    uint32_t known = f->world->storage.ilk_total;
    parcel p = begin_by_hand(types, COUNT_OF(types), 4096);
    for (uint32_t set = 1; set < 1u << COUNT_OF(types); set++) {
        put_number(&p, 1);
        put_number(&p, ilki_ones(set));
        for (uint32_t i = 0; i < COUNT_OF(types); i++) {
            if (set >> i & 1) put_number(&p, i + 1);
        }
        put_zeros(&p, 3);
    }
    put_number(&p, 77); // which is neither another set nor the end
    assert_int_equal(apply_forged(f->world, &p), ILK_INVALID);
    assert_int_equal(f->world->storage.ilk_total, known);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Velocity)));
    assert_ok(ilk_snapshot_restore(before));
    assert_valid(f->world);
    ilk_snapshot_release(before);
}

// Commands that wait are no part of a delta that is made, and would be lost by one that is applied.
static void no_delta_is_applied_while_commands_wait(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_snapshot* a = ilk_snapshot_take(f->world);
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_cmd_create(cmd);
    parcel whole = pack(f->world, NULL, a);
    assert_int_equal(ilk_delta_apply(f->world, whole.bytes, whole.size), ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_delta_apply");
    assert_int_equal(ilk_cmd_count(cmd), 1);
    ilk_cmd_clear(cmd);
    assert_ok(ilk_delta_apply(f->world, whole.bytes, whole.size));
    ilk_cmd_give_back(cmd);
    free(whole.bytes);
    ilk_snapshot_release(a);
}

// Memory runs out after 0, 1, 2… requests.

static void a_delta_is_made_with_little_memory(void** state) {
    fixture* f = *state;
    random_state = 5;
    prepare(f->world);
    many(f->world, 100);
    ilk_snapshot* a = ilk_snapshot_take(f->world);
    many(f->world, 60);
    ilk_snapshot* b = ilk_snapshot_take(f->world);
    many(f->world, 60);
    ilk_trim(f->world);
    uint64_t hash = ilk_hash_layout(f->world), most = 0;
    for (const void* bytes = NULL; !bytes; most++) {
        size_t size = 1;
        ilk_trim(f->world);
        f->memory.left = most;
        bytes = ilk_delta_make(a, b, &size);
        f->memory.left = UINT64_MAX;
        if (bytes) break;
        assert_int_equal(ilk_error(f->world).result, ILK_NO_MEMORY);
        assert_int_equal(size, 0);
        assert_int_equal(ilk_hash_layout(f->world), hash);
        assert_valid(f->world);
    }
    assert_true(most > 10);
    ilk_snapshot_release(a);
    ilk_snapshot_release(b);
}

static void a_delta_is_applied_with_little_memory(void** state) {
    fixture* f = *state;
    pair p = begin_pair(3, 60);
    random_state = 3;
    prepare(f->world);
    many(f->world, 150);
    assert_int_equal(ilk_hash_layout(f->world), p.before);
    uint64_t most = 0;
    for (ilk_result result = ILK_NO_MEMORY; result != ILK_OK; most++) {
        f->memory.left = most;
        result = ilk_delta_apply(f->world, p.way.bytes, p.way.size);
        f->memory.left = UINT64_MAX;
        assert_true(result == ILK_OK || result == ILK_NO_MEMORY);
        assert_valid(f->world);
        uint64_t hash = result == ILK_OK ? p.after : p.before;
        assert_int_equal(ilk_hash_layout(f->world), hash);
    }
    assert_true(most > 30);
    end_pair(&p);
}

// What is refused.

static void a_delta_is_between_snapshots_of_one_world(void** state) {
    fixture* f = *state;
    size_t size = 7;
    ilk_world* other = ilk_world_create(NULL);
    ilk_snapshot *here = taken_of(f->world), *there = taken_of(other);
    assert_null(ilk_delta_make(NULL, NULL, &size));
    assert_int_equal(size, 0);
    assert_null(ilk_delta_make(NULL, here, NULL));
    assert_told(f, ILK_INVALID, "ilk_delta_make");
    not_packed(f, there, here, ILK_INVALID);
    assert_non_null(ilk_delta_make(here, here, &size));
    ilk_world_destroy(other);
    ilk_snapshot_release(here);
}

static void what_a_type_owns_is_not_sent(void** state) {
    fixture* f = *state;
    size_t size;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Owned), ILK_WITH(Position));
    ilk_snapshot* a = taken_of(f->world);
    not_packed(f, NULL, a, ILK_INVALID);
    assert_non_null(strstr(f->told.text, "values of Owned own something"));
    ILK_EDIT(f->world, e, Position)->x = 3;
    ilk_snapshot* b = taken_of(f->world);
    assert_non_null(ilk_delta_make(a, b, &size)); // it stays as it is
    ILK_EDIT(f->world, e, Owned);
    ilk_snapshot* c = taken_of(f->world);
    not_packed(f, b, c, ILK_INVALID);
    not_packed(f, c, b, ILK_INVALID); // nor backwards
    ILK_SPAWN(f->world, ILK_WITH(Owned));
    ilk_snapshot* d = taken_of(f->world);
    not_packed(f, c, d, ILK_INVALID);
    ilk_snapshot_release(d);
    ilk_snapshot_release(a);
    ilk_snapshot_release(b);
    ilk_snapshot_release(c);
}

static void types_that_went_are_in_the_way(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_snapshot* a = taken_of(f->world);
    assert_ok(ilk_unregister(f->world, &Position_type));
    ilk_snapshot* b = taken_of(f->world);
    not_packed(f, a, b, ILK_CLASH);
    ilk_snapshot_release(a);
    ilk_snapshot_release(b);
}

// Chunks may still have room for what nobody has any more.
static void types_that_went_before_are_not(void** state) {
    fixture* f = *state;
    ilk_entity first = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_entity second = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_ok(ilk_set(f->world, first, ILK_VALUE(Velocity, 1, 2)));
    assert_ok(ilk_unregister(f->world, &Velocity_type));
    ilk_snapshot* a = taken_of(f->world);
    assert_ok(ilk_destroy(f->world, second));
    ilk_snapshot* b = taken_of(f->world);
    parcel way = pack(f->world, a, b);
    assert_ok(ilk_snapshot_restore(a));
    assert_ok(ilk_delta_apply(f->world, way.bytes, way.size));
    assert_false(ilk_alive(f->world, second));
    free(way.bytes);
    ilk_snapshot_release(a);
    ilk_snapshot_release(b);
}

static void a_delta_is_for_one_world_alone(void** state) {
    fixture* f = *state;
    pair p = begin_pair(9, 10);
    parcel way = p.way;
    assert_int_equal(ilk_delta_apply(NULL, way.bytes, way.size), ILK_INVALID);
    assert_int_equal(ilk_delta_apply(f->world, NULL, 5), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_delta_apply");
    assert_int_equal(ilk_delta_apply(f->world, way.bytes, way.size), ILK_CLASH);
    assert_told(f, ILK_CLASH, "ilk_delta_apply");
    assert_non_null(strstr(f->told.text, "are not what it begins with"));
    deliver(p.other, way, p.after);
    assert_int_equal(ilk_delta_apply(p.other, way.bytes, way.size),
                     ILK_CLASH); // it is there already
    end_pair(&p);
}

// Handles of worlds with another tag would be dead there.
static void a_delta_is_for_worlds_of_one_tag(void** state) {
    fixture* f = *state;
    pair p = begin_pair(9, 10);
    ilk_world* tagged = second_world(f, 5);
    ilk_snapshot* a = taken_of(p.world);
    parcel whole = pack(p.world, NULL, a);
    assert_int_equal(ilk_delta_apply(tagged, whole.bytes, whole.size), ILK_CLASH);
    assert_non_null(strstr(f->told.text, "it is of worlds with tag 0, and that of world"));
    free(whole.bytes);
    ilk_snapshot_release(a);
    ilk_world_destroy(tagged);
    end_pair(&p);
}

// A world that differs in who reads is told so, not only that it differs.
static void what_differs_is_said(void** state) {
    fixture* f = *state;
    pair p = begin_pair(9, 10);
    prepare(f->world);
    ilk_snapshot* a = taken_of(p.world);
    parcel whole = pack(p.world, NULL, a);
    ilk_reader_create(f->world, &(ilk_reader_desc){.type = &Ping_type});
    assert_int_equal(ilk_delta_apply(f->world, whole.bytes, whole.size), ILK_CLASH);
    assert_told(f, ILK_CLASH, "ilk_delta_apply");
    assert_non_null(strstr(f->told.text, "events that wait or their readers"));
    free(whole.bytes);
    ilk_snapshot_release(a);
    end_pair(&p);
}

static void a_delta_says_what_it_is(void** state) {
    (void)state;
    pair p = begin_pair(4, 10);
    ilk_delta_info info = {0};
    assert_true(ilk_delta_look(p.way.bytes, p.way.size, &info));
    assert_true(info.from && info.to && info.from != info.to);
    assert_false(ilk_delta_look(p.way.bytes, p.way.size, NULL));
    assert_false(ilk_delta_look(p.way.bytes, p.way.size - 1, &info));
    assert_false(ilk_delta_look(NULL, 0, &info));
    p.way.bytes[4]++; // a later version
    make_it_pass(&p.way);
    assert_false(ilk_delta_look(p.way.bytes, p.way.size, &info));
    end_pair(&p);
}

// A type that nobody here uses: its name is changed in the bytes.
static void types_go_by_their_names(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_snapshot* a = taken_of(f->world);
    parcel whole = pack(f->world, NULL, a);
    for (size_t i = ILKI_DELTA_HEAD; i + 8 <= whole.size; i++) {
        if (memcmp(whole.bytes + i, "Position", 8) == 0) whole.bytes[i] = 'Q';
    }
    make_it_pass(&whole);
    assert_int_equal(ilk_delta_apply(f->world, whole.bytes, whole.size), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_delta_apply");
    assert_non_null(strstr(f->told.text, "nobody here uses a type Qosition"));
    free(whole.bytes);
    ilk_snapshot_release(a);
}

static void apply_inside(ilk_iter* it) {
    *(ilk_result*)it->user = ilk_delta_apply(it->world, "ilkd", 4);
}

static void a_system_cannot_apply_one(void** state) {
    fixture* f = *state;
    ilk_result result = ILK_OK;
    assert_non_null(ilk_system_create(
        f->world, &(ilk_system_desc){.name = "a", .run = apply_inside, .user = &result}));
    ilk_update(f->world, 0);
    assert_int_equal(result, ILK_LOCKED);
    assert_told(f, ILK_LOCKED, "ilk_delta_apply");
}

// Details.

static void what_is_not_sent_stays(void** state) {
    fixture* f = *state;
    int here = 0;
    Padded value = {.small = 1, .pointer = &here, .number = 2.5};
    ilk_entity e = ilk_spawn(f->world, (ilk_value[]){{&Padded_type, &value}}, 1);
    ilk_world* other = ilk_world_create(NULL);
    ilk_snapshot* a = taken_of(f->world);
    parcel whole = pack(f->world, NULL, a);
    assert_ok(ilk_delta_apply(other, whole.bytes, whole.size));
    const Padded* there = ILK_GET(other, e, Padded);
    assert_null(there->pointer);
    assert_true(there->small == 1 && there->number == 2.5);
    ILK_EDIT(other, e, Padded)->pointer = &value;
    ILK_EDIT(f->world, e, Padded)->small = 7;
    ilk_snapshot* b = taken_of(f->world);
    parcel way = pack(f->world, a, b);
    assert_ok(ilk_delta_apply(other, way.bytes, way.size));
    there = ILK_GET(other, e, Padded);
    assert_true(there->small == 7 && there->pointer == &value);
    free(whole.bytes);
    free(way.bytes);
    ilk_snapshot_release(a);
    ilk_snapshot_release(b);
    ilk_world_destroy(other);
}

static void what_is_written_counts_as_changed(void** state) {
    (void)state;
    pair p = begin_pair(2, 1);
    ilk_entity e = ILK_SPAWN(p.world, ILK_WITH(Position));
    ilk_snapshot* a = taken_of(p.world);
    parcel whole = pack(p.world, NULL, a);
    assert_ok(ilk_delta_apply(p.other, whole.bytes, whole.size));
    ilk_query* changed = ilk_query_create(p.other, &(ilk_query_desc){.changed = {&Position_type}});
    for (ilk_iter it = ilk_query_iter(p.other, changed); ilk_next(&it);) continue;
    ILK_EDIT(p.world, e, Position)->x = 4;
    ilk_snapshot* b = taken_of(p.world);
    parcel way = pack(p.world, a, b);
    assert_ok(ilk_delta_apply(p.other, way.bytes, way.size));
    bool is_seen = false;
    for (ilk_iter it = ilk_query_iter(p.other, changed); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) is_seen |= ilk_same(it.entities[i], e);
    }
    assert_true(is_seen);
    free(whole.bytes);
    free(way.bytes);
    end_pair(&p);
}

// One value of a hundred thousand.
static void a_delta_is_as_large_as_what_happened(void** state) {
    fixture* f = *state;
    for (uint32_t i = 0; i < 100000; i++) ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_snapshot* a = taken_of(f->world);
    ILK_EDIT(f->world, ilk_entity_at(f->world, 54321), Position)->x = 1;
    ilk_snapshot* b = taken_of(f->world);
    size_t size;
    assert_non_null(ilk_delta_make(a, b, &size));
    assert_true(size < 250);
    ilk_snapshot_release(a);
    ilk_snapshot_release(b);
}

#define ON_A_WORLD(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_follows_another),
        cmocka_unit_test(nothing_shorter_is_taken),
        cmocka_unit_test(nothing_with_another_bit_is_taken),
        cmocka_unit_test(heads_are_read_with_care),
        cmocka_unit_test(forgeries_are_refused),
        ON_A_WORLD(a_delta_is_between_snapshots_of_one_world),
        ON_A_WORLD(what_a_type_owns_is_not_sent),
        ON_A_WORLD(types_that_went_are_in_the_way),
        ON_A_WORLD(types_that_went_before_are_not),
        ON_A_WORLD(a_delta_is_for_one_world_alone),
        WORLD_TEST(a_delta_is_for_worlds_of_one_tag),
        WORLD_TEST(what_differs_is_said),
        cmocka_unit_test(a_delta_says_what_it_is),
        ON_A_WORLD(types_go_by_their_names),
        ON_A_WORLD(a_system_cannot_apply_one),
        ON_A_WORLD(what_is_not_sent_stays),
        cmocka_unit_test(what_is_written_counts_as_changed),
        ON_A_WORLD(a_delta_is_as_large_as_what_happened),
        WORLD_TEST(no_event_waits_that_was_not_sent),
        WORLD_TEST(settings_of_time_are_those_that_can_be_set),
        WORLD_TEST(slots_do_not_wrap_around),
        WORLD_TEST(sets_of_a_refused_delta_are_forgotten),
        WORLD_TEST(no_delta_is_applied_while_commands_wait),
        ON_A_WORLD(a_delta_is_made_with_little_memory),
        ON_A_WORLD(a_delta_is_applied_with_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
