// Settling: the only call that moves values; bounded, resumable, the same for the same history; it
// closes holes and gives memory back.
#include "support.h"

// Values whose addresses are kept while the world changes around them.
enum {
    HELD = 400
};
typedef struct held {
    ilk_entity e[HELD];
    const Position* position[HELD]; // born with some, added later to others
    const Health* health[HELD];     // always added later
} held;

static void hold(ilk_world* world, held* h) {
    for (int i = 0; i < HELD; i++) {
        h->e[i] = i % 2 ? ILK_SPAWN(world, ILK_VALUE(Position, (float)i, 1), ILK_WITH(Enemy))
                        : ILK_SPAWN(world, ILK_WITH(Anchor));
        assert_ok(ilk_set(world, h->e[i], ILK_VALUE(Position, (float)i, 1)));
        assert_ok(ilk_add(world, h->e[i], ILK_VALUE(Health, i)));
    }
    for (int i = 0; i < HELD; i++) {
        h->position[i] = ILK_GET(world, h->e[i], Position);
        h->health[i] = ILK_GET(world, h->e[i], Health);
    }
}

static void assert_held(const ilk_world* world, const held* h) {
    for (int i = 0; i < HELD; i++) {
        assert_ptr_equal(ILK_GET(world, h->e[i], Position), h->position[i]);
        assert_ptr_equal(ILK_GET(world, h->e[i], Health), h->health[i]);
        assert_true(same_position(h->position[i], (float)i, 1));
        assert_int_equal(h->health[i]->points, i);
    }
}

static void change_the_held(ilk_world* world, const held* h) {
    for (int i = 0; i < HELD; i++) {
        assert_ok(ilk_set(world, h->e[i], ILK_VALUE(Position, (float)i, 1)));
        assert_ok(ilk_replace(world, h->e[i], ILK_VALUE(Health, i)));
        assert_ptr_equal(ILK_ENSURE(world, h->e[i], Position), h->position[i]);
        assert_ptr_equal(ILK_EDIT(world, h->e[i], Health), h->health[i]);
        assert_ok(ilk_disable(world, h->e[i], &Position_type));
        assert_ok(ilk_enable(world, h->e[i], &Position_type));
        assert_ok(ilk_add(world, h->e[i], ILK_WITH(Frozen)));
        assert_ok(ilk_set(world, h->e[i], ILK_VALUE(Velocity, 1, 1)));
    }
    assert_held(world, h);
    for (int i = 0; i < HELD; i++) {
        assert_ok(ilk_remove(world, h->e[i], &Velocity_type));
        assert_ok(ilk_remove(world, h->e[i], i % 2 ? &Enemy_type : &Anchor_type));
        assert_int_equal(ilk_add(world, h->e[i], ILK_WITH(Position)), ILK_EXISTS);
    }
    assert_held(world, h);
    assert_ok(ilk_remove_many(world, h->e, HELD, &Frozen_type));
    assert_ok(ilk_add_many(world, h->e, HELD, &Owned_type, NULL));
    assert_held(world, h);
}

static void change_the_others(ilk_world* world, const held* h) {
    enum {
        OTHERS = 3000
    };
    static ilk_entity others[OTHERS];
    for (int i = 0; i < OTHERS; i++) {
        others[i] = i % 3   ? ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(Enemy))
                    : i % 2 ? ilk_copy(world, h->e[i % HELD])
                            : ilk_create(world);
    }
    assert_held(world, h);
    for (int i = 0; i < OTHERS; i++) {
        assert_ok(ilk_set(world, others[i], ILK_WITH(Health)));
        assert_ok(i % 5 ? ILK_OK : ilk_remove_all(world, others[i]));
        assert_ok(i % 7 ? ILK_OK : ilk_destroy(world, others[i]));
    }
    assert_held(world, h);
    ilk_destroy_many(world, others, OTHERS);
    assert_held(world, h);
    assert_ok(ilk_create_many(world, others, OTHERS));
    assert_ok(ilk_add_many(world, others, OTHERS, &Position_type, NULL));
    assert_held(world, h);
}

// C6 R001.4 R000.26
static void pointers_hold_across_all_but_settling(void** state) {
    fixture* f = *state;
    static held h;
    hold(f->world, &h);
    assert_held(f->world, &h);
    change_the_held(f->world, &h);
    change_the_others(f->world, &h);
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 5000, ILK_TYPES(&Position_type, &Health_type)));
    assert_ok(ilk_reserve(f->world, 5000, ILK_TYPES(&Position_type, &Enemy_type)));
    assert_ok(ilk_register(f->world, &(ilk_type){.name = "unseen", .size = 40}));
    assert_held(f->world, &h);
    ilk_trim(f->world);
    ilk_stats(f->world);
    assert_valid(f->world);
    assert_held(f->world, &h);
}

static void assert_same_values(const ilk_world* world, const held* h) {
    for (int i = 0; i < HELD; i++) {
        assert_true(same_position(ILK_GET(world, h->e[i], Position), (float)i, 1));
        assert_int_equal(ILK_GET(world, h->e[i], Health)->points, i);
        assert_int_equal(ilk_has(world, h->e[i], &Enemy_type), i % 2);
        assert_int_equal(ilk_has(world, h->e[i], &Anchor_type), i % 2 == 0);
    }
}

// R001.4 R001.20 C6
static void settling_keeps_every_value(void** state) {
    fixture* f = *state;
    static held h;
    hold(f->world, &h);
    ilk_settled settled = ilk_settle(f->world, 0);
    assert_true(settled.done);
    assert_true(settled.moved + settled.adopted > 0);
    assert_same_values(f->world, &h);
    assert_valid(f->world);
}

// C6
static void settling_brings_each_to_its_kind(void** state) {
    fixture* f = *state;
    static held h;
    hold(f->world, &h);
    assert_true(ilk_stats(f->world).guests > 0);
    settle_fully(f->world);
    assert_int_equal(ilk_stats(f->world).guests, 0);
    assert_int_equal(ilk_stats(f->world).exceptions, 0);
    const Position* a = ILK_GET(f->world, h.e[1], Position);
    const Health* b = ILK_GET(f->world, h.e[1], Health);
    for (int i = 0; i < HELD; i++) {
        assert_ok(ilk_disable(f->world, h.e[i], &Health_type));
    }
    settle_fully(f->world);
    assert_ptr_equal(ILK_GET(f->world, h.e[1], Position), a);
    assert_ptr_equal(ILK_GET(f->world, h.e[1], Health), b);
}

// C6
static void settling_a_settled_world_does_nothing(void** state) {
    fixture* f = *state;
    static held h;
    ilk_settled settled = ilk_settle(f->world, 0);
    assert_true(settled.done);
    assert_int_equal(settled.moved, 0);
    hold(f->world, &h);
    settle_fully(f->world);
    for (int i = 0; i < HELD; i++) {
        h.position[i] = ILK_GET(f->world, h.e[i], Position);
        h.health[i] = ILK_GET(f->world, h.e[i], Health);
    }
    settled = ilk_settle(f->world, 0);
    assert_true(settled.done);
    assert_int_equal(settled.moved, 0);
    assert_int_equal(settled.adopted, 0);
    assert_int_equal(settled.chunks, 0);
    assert_int_equal(settled.guests, 0);
    assert_held(f->world, &h);
}

// C6
static void settling_is_bounded_and_goes_on(void** state) {
    fixture* f = *state;
    static held h;
    hold(f->world, &h);
    uint32_t calls = 0, moved = 0, most = 0;
    ilk_settled settled;
    do {
        settled = ilk_settle(f->world, 4);
        most = settled.moved > most ? settled.moved : most;
        moved += settled.moved;
        assert_true(settled.blocks < 4 + 32);
        assert_same_values(f->world, &h);
        assert_valid(f->world);
    } while (!settled.done && ++calls < 10000);
    assert_true(settled.done);
    assert_true(calls > 1);
    assert_true(moved == 0 || most < moved);
    assert_int_equal(ilk_settle(f->world, 0).moved, 0);
    assert_int_equal(ilk_stats(f->world).guests, 0);
}

enum {
    SETTLERS = 1000,
    A_LOT = 100000
};

static void toggle_anchors(ilk_world* world, const ilk_entity* e, uint32_t step) {
    for (uint32_t i = 0; i < SETTLERS; i += step) {
        assert_ok(ilk_has(world, e[i], &Anchor_type) ? ilk_remove(world, e[i], &Anchor_type)
                                                     : ilk_add(world, e[i], ILK_WITH(Anchor)));
    }
}

static void spawn_settlers(ilk_world* world, ilk_entity* e) {
    for (uint32_t i = 0; i < SETTLERS; i++) {
        e[i] = ILK_SPAWN(world, ILK_VALUE(Position, (float)i, 1), ILK_WITH(Velocity));
    }
    settle_fully(world);
}

// Settling within a bound waits, so that who has a component every other time stays in place.
static void what_is_taken_back_is_not_moved(void** state) {
    fixture* f = *state;
    static ilk_entity e[SETTLERS];
    spawn_settlers(f->world, e);
    const Position* before = ILK_GET(f->world, e[0], Position);
    for (int i = 0; i < 20; i++) {
        toggle_anchors(f->world, e, 3);
        ilk_settled settled = ilk_settle(f->world, A_LOT);
        assert_int_equal(settled.moved, 0);
        assert_int_equal(settled.adopted, 0);
    }
    assert_ptr_equal(ILK_GET(f->world, e[0], Position), before);
    settle_fully(f->world);
    assert_ptr_equal(ILK_GET(f->world, e[0], Position), before);
}

static void what_lasts_is_moved_by_the_next_call(void** state) {
    fixture* f = *state;
    static ilk_entity e[SETTLERS];
    spawn_settlers(f->world, e);
    toggle_anchors(f->world, e, 3);
    ilk_settled settled = ilk_settle(f->world, A_LOT);
    assert_int_equal(settled.moved, 0);
    assert_false(settled.done);
    assert_true(ilk_stats(f->world).guests > 0);
    settled = ilk_settle(f->world, A_LOT);
    assert_true(settled.moved >= SETTLERS / 3);
    for (int i = 0; i < 10 && !settled.done; i++) settled = ilk_settle(f->world, A_LOT);
    assert_true(settled.done);
    assert_int_equal(ilk_stats(f->world).guests, 0);
    assert_int_equal(ilk_settle(f->world, A_LOT).blocks, 0);
}

static void settling_to_the_end_does_not_wait(void** state) {
    fixture* f = *state;
    static ilk_entity e[SETTLERS];
    spawn_settlers(f->world, e);
    toggle_anchors(f->world, e, 3);
    for (uint32_t i = 0; i < SETTLERS; i += 3) assert_ok(ilk_add(f->world, e[i], ILK_WITH(Health)));
    assert_false(ilk_settle(f->world, 1).done); // some of them wait
    ilk_settled settled = ilk_settle(f->world, 0);
    assert_true(settled.done);
    assert_true(settled.moved >= SETTLERS / 3);
    assert_int_equal(ilk_stats(f->world).guests, 0);
    assert_valid(f->world);
}

// 64 values count as much as a block that is looked at, so that a bound is one for the time too.
static void moving_counts_by_what_is_moved(void** state) {
    fixture* f = *state;
    static ilk_entity e[SETTLERS];
    spawn_settlers(f->world, e);
    toggle_anchors(f->world, e, 2);
    ilk_settled settled = ilk_settle(f->world, 0);
    assert_true(settled.moved >= SETTLERS / 2);
    assert_in_range(settled.blocks, settled.moved * 4 / 64, settled.moved * 4 / 64 + 100);
}

// An allocator that gives the same offsets for the same requests.
enum {
    ARENA = 48 << 20
};
typedef struct arena {
    char* base;
    size_t used;
} arena;

static void* arena_alloc(void* context, size_t size, size_t align) {
    arena* a = context;
    size_t at = (a->used + align - 1) / align * align;
    if (at + size > ARENA) {
        return NULL;
    }
    a->used = at + size;
    return a->base + at;
}

static void arena_free(void* context, void* memory, size_t size, size_t align) {
    (void)context;
    (void)memory;
    (void)size;
    (void)align;
}

static ilk_world* arena_world(arena* a) {
    a->base = aligned_alloc(1 << 20, ARENA);
    a->used = 0;
    assert_non_null(a->base);
    ilk_world* world = ilk_world_create(
        &(ilk_world_desc){.name = "twin", .allocator = {arena_alloc, arena_free, a}});
    assert_non_null(world);
    return world;
}

enum {
    LIVES = 600
};

static void live(ilk_world* world, ilk_entity* e, uint64_t* seed) {
    static ilk_type* const types[] = {&Position_type, &Velocity_type, &Health_type, &Anchor_type,
                                      &Enemy_type};
    ilk_entity* one = &e[next_random(seed) % LIVES];
    ilk_type* a = types[next_random(seed) % COUNT_OF(types)];
    ilk_type* b = types[next_random(seed) % COUNT_OF(types)];
    if (!ilk_alive(world, *one)) {
        const ilk_value values[] = {{a, NULL}, {b == a ? NULL : b, NULL}};
        *one = ilk_spawn(world, values, 2);
    } else if (next_random(seed) % 10 == 0) {
        ilk_destroy(world, *one);
    } else if (next_random(seed) % 2) {
        ilk_remove(world, *one, a);
    } else {
        ilk_set(world, *one, (ilk_value){b, NULL});
    }
}

static void assert_same_settled(ilk_settled a, ilk_settled b) {
    assert_int_equal(a.blocks, b.blocks);
    assert_int_equal(a.moved, b.moved);
    assert_int_equal(a.adopted, b.adopted);
    assert_int_equal(a.chunks, b.chunks);
    assert_int_equal(a.guests, b.guests);
    assert_int_equal(a.done, b.done);
}

static void assert_same_stats(const ilk_world* one, const ilk_world* two) {
    ilk_world_stats a = ilk_stats(one), b = ilk_stats(two);
    assert_int_equal(a.alive, b.alive);
    assert_int_equal(a.ilks, b.ilks);
    assert_int_equal(a.chunks, b.chunks);
    assert_int_equal(a.rows, b.rows);
    assert_int_equal(a.holes, b.holes);
    assert_int_equal(a.blocks, b.blocks);
    assert_int_equal(a.guests, b.guests);
    assert_int_equal(a.exceptions, b.exceptions);
    assert_int_equal(a.bytes, b.bytes);
    assert_int_equal(a.bytes_values, b.bytes_values);
}

static void assert_same_places(ilk_world* const* worlds, const arena* arenas,
                               const ilk_entity (*e)[LIVES]) {
    for (int i = 0; i < LIVES; i++) {
        assert_entity(e[0][i], e[1][i]);
        const char* a = ilk_get(worlds[0], e[0][i], &Position_type, NULL);
        const char* b = ilk_get(worlds[1], e[1][i], &Position_type, NULL);
        assert_int_equal(a == NULL, b == NULL);
        assert_true(!a || a - arenas[0].base == b - arenas[1].base);
    }
}

// C6
static void the_same_history_gives_the_same_places(void** state) {
    (void)state;
    arena arenas[2];
    ilk_world* worlds[2] = {arena_world(&arenas[0]), arena_world(&arenas[1])};
    static ilk_entity e[2][LIVES];
    memset(e, 0, sizeof(e));
    uint64_t seeds[2] = {7, 7};
    for (int step = 0; step < 40; step++) {
        ilk_settled settled[2];
        for (int w = 0; w < 2; w++) {
            for (int i = 0; i < 500; i++) {
                live(worlds[w], e[w], &seeds[w]);
            }
            settled[w] = ilk_settle(worlds[w], step % 3 ? 16 : 0);
        }
        assert_same_settled(settled[0], settled[1]);
        assert_same_stats(worlds[0], worlds[1]);
        assert_same_places(worlds, arenas, (const ilk_entity(*)[LIVES])e);
    }
    for (int w = 0; w < 2; w++) {
        assert_valid(worlds[w]);
        ilk_world_destroy(worlds[w]);
        free(arenas[w].base);
    }
}

static void populate(ilk_world* world, ilk_entity* e, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        e[i] = ILK_SPAWN(world, ILK_VALUE(Position, (float)i, 0), ILK_WITH(Velocity),
                         ILK_VALUE(Health, (int32_t)i));
    }
}

// C17 R001.10 R002.4
static void a_falling_population_gives_memory_back(void** state) {
    fixture* f = *state;
    enum {
        MOST = 100000,
        LEFT = 1000,
        STEP = MOST / LEFT
    };
    static ilk_entity e[MOST];
    populate(f->world, e, MOST);
    ilk_world_stats before = ilk_stats(f->world);
    for (uint32_t i = 0; i < MOST; i++) {
        if (i % STEP) {
            assert_ok(ilk_destroy(f->world, e[i]));
        }
    }
    settle_fully(f->world);
    ilk_trim(f->world);
    ilk_world_stats after = ilk_stats(f->world);
    assert_int_equal(after.alive, LEFT);
    assert_true(after.chunks < before.chunks);
    assert_true(after.bytes_values < before.bytes_values / 20);
    assert_true(after.bytes_entities < before.bytes_entities / 20);
    // The checked build also keeps where each entity was destroyed.
    assert_true(after.bytes - after.bytes_other < (before.bytes - before.bytes_other) / 2);
    assert_int_equal(after.bytes, f->memory.bytes);
    for (uint32_t i = 0; i < MOST; i += STEP) {
        assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i);
    }
}

// R000.20 C17
static void settling_closes_holes(void** state) {
    fixture* f = *state;
    static ilk_entity e[10000];
    populate(f->world, e, COUNT_OF(e));
    for (uint32_t i = 0; i < COUNT_OF(e); i += 2) {
        assert_ok(ilk_destroy(f->world, e[i]));
    }
    assert_int_equal(ilk_stats(f->world).holes, 5000);
    ilk_settled settled = ilk_settle(f->world, 0);
    assert_true(settled.moved > 0);
    assert_true(settled.chunks > 0);
    assert_true(ilk_stats(f->world).rows < 5000 + 2048 + 1364);
    for (uint32_t i = 1; i < COUNT_OF(e); i += 2) {
        assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i);
    }
}

// C17
static void holes_close_among_switched_off_values(void** state) {
    fixture* f = *state;
    static ilk_entity e[10000];
    populate(f->world, e, COUNT_OF(e));
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        assert_ok(i % 10 ? ilk_destroy(f->world, e[i]) : ilk_disable(f->world, e[i], &Health_type));
    }
    uint32_t chunks = ilk_stats(f->world).chunks;
    settle_fully(f->world);
    assert_true(ilk_stats(f->world).chunks < chunks);
    assert_true(ilk_stats(f->world).rows < 1000 + 2048 + 1364);
    for (uint32_t i = 0; i < COUNT_OF(e); i += 10) {
        assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i);
        assert_false(ilk_enabled(f->world, e[i], &Health_type));
        assert_true(ilk_enabled(f->world, e[i], &Position_type));
    }
}

// A chunk that nobody moves into or out of: every fifth is gone, some have guests, lack a value, or
// have one that is switched off. Rows come to lie side by side, each with all that it had.
static void the_holes_of_one_chunk_are_closed(void** state) {
    fixture* f = *state;
    static ilk_entity e[1300];
    populate(f->world, e, COUNT_OF(e));
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        if (i % 5 == 0) assert_ok(ilk_destroy(f->world, e[i]));
        if (i % 100 == 7) assert_ok(ilk_add(f->world, e[i], ILK_VALUE(Anchor, i)));
        if (i % 100 == 13) assert_ok(ilk_remove(f->world, e[i], &Position_type));
        if (i % 100 == 19) assert_ok(ilk_disable(f->world, e[i], &Health_type));
    }
    assert_int_equal(ilk_stats(f->world).holes, 260);
    ilk_settled settled = ilk_settle(f->world, 0);
    assert_true(settled.done);
    assert_in_range(settled.moved, 1, 520);
    assert_int_equal(ilk_stats(f->world).holes, 0);
    assert_valid(f->world);
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        assert_int_equal(ilk_alive(f->world, e[i]), i % 5 != 0);
        if (i % 5 == 0) continue;
        assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i);
        assert_int_equal(ilk_enabled(f->world, e[i], &Health_type), i % 100 != 19);
        assert_int_equal(ilk_has(f->world, e[i], &Position_type), i % 100 != 13);
        assert_int_equal(ilk_has(f->world, e[i], &Anchor_type), i % 100 == 7);
        if (i % 100 == 7) assert_int_equal(ILK_GET(f->world, e[i], Anchor)->depth, i);
    }
}

// Fewer than one in sixteen: they wait for those who come.
static void few_holes_stay_open(void** state) {
    fixture* f = *state;
    static ilk_entity e[1300];
    populate(f->world, e, COUNT_OF(e));
    for (uint32_t i = 20; i < COUNT_OF(e); i += 20) assert_ok(ilk_destroy(f->world, e[i]));
    uint32_t holes = ilk_stats(f->world).holes;
    const Health* last = ILK_GET(f->world, e[COUNT_OF(e) - 1], Health);
    ilk_settled settled = ilk_settle(f->world, 0);
    assert_true(settled.done);
    assert_in_range(ilk_stats(f->world).holes, holes - 4, holes); // but for chunks of a few rows
    assert_ptr_equal(ILK_GET(f->world, e[COUNT_OF(e) - 1], Health), last);
}

// R001.10 R002.6 C17
static void empty_chunks_are_freed(void** state) {
    fixture* f = *state;
    static ilk_entity e[3000];
    populate(f->world, e, COUNT_OF(e));
    uint32_t chunks = ilk_stats(f->world).chunks;
    assert_true(chunks > 0);
    assert_ok(ilk_destroy_many(f->world, e, COUNT_OF(e)));
    assert_int_equal(ilk_stats(f->world).chunks, chunks);
    ilk_settled settled = ilk_settle(f->world, 0);
    assert_int_equal(settled.chunks, chunks);
    ilk_world_stats stats = ilk_stats(f->world);
    assert_int_equal(stats.chunks, 0);
    assert_int_equal(stats.rows, 0);
    assert_int_equal(stats.blocks, 0);
    assert_int_equal(stats.holes, 0);
    assert_int_equal(stats.bytes_values, 0);
}

// C17
static void empty_guest_blocks_are_freed(void** state) {
    fixture* f = *state;
    static ilk_entity e[1000];
    populate(f->world, e, COUNT_OF(e));
    for (uint32_t i = 0; i < COUNT_OF(e); i += 10) {
        assert_ok(ilk_add(f->world, e[i], ILK_WITH(Anchor)));
    }
    uint32_t guests = ilk_stats(f->world).guests;
    assert_true(guests > 0);
    for (uint32_t i = 0; i < COUNT_OF(e); i += 10) {
        assert_ok(ilk_remove(f->world, e[i], &Anchor_type));
    }
    assert_int_equal(ilk_settle(f->world, 0).guests, guests);
    assert_int_equal(ilk_stats(f->world).guests, 0);
    assert_int_equal(ilk_stats_of(f->world, &Anchor_type).blocks, 0);
}

// C6
static void without_memory_nothing_is_lost(void** state) {
    fixture* f = *state;
    static held h;
    hold(f->world, &h);
    for (uint64_t left = 0; left < 12; left++) {
        f->memory.left = left;
        ilk_settle(f->world, 0);
        f->memory.left = UINT64_MAX;
        assert_valid(f->world);
        assert_same_values(f->world, &h);
    }
    settle_fully(f->world);
    assert_int_equal(ilk_stats(f->world).guests, 0);
    assert_same_values(f->world, &h);
}

// Moving a value is no business of its hooks.
static void what_is_settled_is_dropped_once(void** state) {
    fixture* f = *state;
    enum {
        COUNT = 300
    };
    ilk_entity e[COUNT];
    for (int i = 0; i < COUNT; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Anchor));
        assert_ok(ilk_add(f->world, e[i], ILK_WITH(Owned)));
    }
    assert_hooks(COUNT, 0, 0);
    settle_fully(f->world);
    assert_hooks(0, 0, 0);
    assert_ok(ilk_destroy_many(f->world, e, COUNT / 2));
    assert_hooks(0, 0, COUNT / 2);
    settle_fully(f->world);
    ilk_clear(f->world);
    assert_hooks(0, 0, COUNT / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(pointers_hold_across_all_but_settling),
        WORLD_TEST(settling_keeps_every_value),
        WORLD_TEST(settling_brings_each_to_its_kind),
        WORLD_TEST(settling_a_settled_world_does_nothing),
        WORLD_TEST(settling_is_bounded_and_goes_on),
        WORLD_TEST(what_is_taken_back_is_not_moved),
        WORLD_TEST(what_lasts_is_moved_by_the_next_call),
        WORLD_TEST(settling_to_the_end_does_not_wait),
        WORLD_TEST(moving_counts_by_what_is_moved),
        cmocka_unit_test(the_same_history_gives_the_same_places),
        WORLD_TEST(a_falling_population_gives_memory_back),
        WORLD_TEST(settling_closes_holes),
        WORLD_TEST(holes_close_among_switched_off_values),
        WORLD_TEST(the_holes_of_one_chunk_are_closed),
        WORLD_TEST(few_holes_stay_open),
        WORLD_TEST(empty_chunks_are_freed),
        WORLD_TEST(empty_guest_blocks_are_freed),
        WORLD_TEST(without_memory_nothing_is_lost),
        WORLD_TEST(what_is_settled_is_dropped_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
