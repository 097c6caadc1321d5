// The hash of a state: what changes it, what does not, and that it is made again where it must be.
#include "history/hashes.h"

#include "golden_support.h"
#include "relation_support.h"

static uint64_t hash_anew(const ilk_world* world) {
    ilki_hashing anew = ilki_hashing_anew(world);
    return ilki_hash_state(&anew);
}

// The hash, which is the same by what is kept and by looking at everything.
static uint64_t hash_now(const ilk_world* world) {
    uint64_t hash = ilk_hash(world);
    assert_true(hash == hash_anew(world));
    assert_true(hash == ilk_hash(world));
    return hash;
}

#define CHANGES(call)                                                                              \
    do {                                                                                           \
        uint64_t before = hash_now(world);                                                         \
        call;                                                                                      \
        assert_true(hash_now(world) != before);                                                    \
    } while (0)
#define CHANGES_NOTHING(call)                                                                      \
    do {                                                                                           \
        uint64_t before = hash_now(world);                                                         \
        call;                                                                                      \
        assert_true(hash_now(world) == before);                                                    \
    } while (0)

static void every_change_of_a_component_changes_it(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e[100];
    for (uint32_t i = 0; i < 100; i++) {
        CHANGES(e[i] = ILK_SPAWN(world, ILK_VALUE(Position, .x = (float)i),
                                 ILK_VALUE(Velocity, .x = 1)));
    }
    CHANGES(ilk_create(world));
    CHANGES(ilk_remove(world, e[3], &Velocity_type));
    CHANGES(ilk_add(world, e[3], ILK_WITH(Enemy)));
    CHANGES(ilk_add(world, e[4], ILK_VALUE(Health, 7)));
    CHANGES(ilk_set(world, e[4], ILK_VALUE(Health, 8)));
    CHANGES(ILK_EDIT(world, e[5], Position)->y = 3);
    CHANGES(ILK_EDIT(world, e[5], Position)->y = 4); // in the same tick
    CHANGES(ilk_disable(world, e[6], &Position_type));
    CHANGES(ilk_enable(world, e[6], &Position_type));
    CHANGES(ilk_deactivate(world, e[7]));
    CHANGES(ilk_destroy(world, e[50]));
    CHANGES(ilk_spawn(world, NULL, 0)); // who has the same index, and is another
    CHANGES(ilk_destroy_many(world, e, 40));
    CHANGES(ilk_clear(world));
}

static void what_is_undone_is_as_it_was(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, 1, 2));
    uint64_t hash = hash_now(world);
    CHANGES(ilk_add(world, e, ILK_WITH(Enemy)));
    CHANGES(ilk_disable(world, e, &Enemy_type));
    CHANGES(ilk_remove(world, e, &Enemy_type));
    assert_true(hash_now(world) == hash);
    CHANGES(ilk_set(world, e, ILK_VALUE(Position, 3, 4)));
    CHANGES(ilk_set(world, e, ILK_VALUE(Position, 1, 2)));
    assert_true(hash_now(world) == hash);
}

static void looking_settling_and_ticks_change_nothing(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e[400];
    for (uint32_t i = 0; i < 400; i++) e[i] = ILK_SPAWN(world, ILK_VALUE(Position, .x = (float)i));
    for (uint32_t i = 0; i < 400; i++) {
        if (i % 3) ilk_add(world, e[i], ILK_VALUE(Owned, text_copy("mine")));
        if (i % 4 == 0) ilk_add(world, e[i], ILK_VALUE(Anchor, i));
        if (i % 5 == 0) ilk_destroy(world, e[i]);
    }
    CHANGES_NOTHING(ilk_tick(world));
    CHANGES_NOTHING(ilk_get(world, e[1], &Position_type, NULL));
    CHANGES_NOTHING(ilk_mark(world, e[1], &Position_type));
    CHANGES_NOTHING(assert_true(ilk_settle(world, 0).moved > 0));
    CHANGES_NOTHING(ilk_trim(world));
    CHANGES_NOTHING(ilk_register(world, &Frozen_type));
}

// The same things, done in another order and lying elsewhere.
static void where_things_lie_does_not_matter(void** state) {
    fixture* f = *state;
    ilk_world *world = f->world, *other = second_world(f, 0);
    ilk_entity a[50], b[50];
    assert_ok(ilk_register(other, &Velocity_type));
    for (uint32_t i = 0; i < 50; i++) a[i] = ILK_SPAWN(world, ILK_VALUE(Position, .x = (float)i));
    for (uint32_t i = 0; i < 50; i++) b[i] = ilk_create(other);
    for (uint32_t i = 50; i-- > 0;) {
        if (i % 2) assert_ok(ilk_add(other, b[i], ILK_VALUE(Velocity, .x = 1)));
        assert_ok(ilk_add(other, b[i], ILK_VALUE(Position, .x = (float)i)));
    }
    for (uint32_t i = 0; i < 50; i++) {
        if (i % 2) assert_ok(ilk_add(world, a[i], ILK_VALUE(Velocity, .x = 1)));
    }
    settle_fully(world);
    assert_true(hash_now(world) == hash_now(other));
    assert_true(ilk_hash_of(world, &Position_type) == ilk_hash_of(other, &Position_type));
    assert_true(ilk_hash_layout(world) != ilk_hash_layout(other));
    ilk_world_destroy(other);
}

static void relations_count_with_their_order_and_values(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e[6];
    create_some(world, e, 6);
    CHANGES(ilk_relate(world, e[0], &Likes_type, e[1]));
    CHANGES(ilk_relate(world, e[0], &Likes_type, e[2]));
    uint64_t hash = hash_now(world);
    CHANGES(ilk_unrelate(world, e[0], &Likes_type, e[1]));
    CHANGES(ilk_relate(world, e[0], &Likes_type, e[1])); // now in another order
    assert_true(hash_now(world) != hash);
    CHANGES(ilk_relate_value(world, e[0], &Owes_type, e[1], &(Health){3}));
    CHANGES(((Health*)ilk_relation_edit(world, e[0], &Owes_type, e[1]))->points = 4);
    for (uint32_t i = 1; i < 5; i++) CHANGES(ilk_set_parent(world, e[i], e[5]));
    hash = ilk_hash_of(world, &ilk_child_of_type);
    CHANGES(ilk_child_move(world, e[4], e[1]));
    assert_true(ilk_hash_of(world, &ilk_child_of_type) != hash);
    CHANGES(ilk_child_move(world, e[4], ILKI_NULL));
    assert_true(ilk_hash_of(world, &ilk_child_of_type) == hash);
    CHANGES(ilk_destroy(world, e[5]));
}

static void names_and_ids_count(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e[3];
    create_some(world, e, 3);
    CHANGES(ilk_set_name(world, e[0], "door"));
    CHANGES(ilk_set_name(world, e[0], "gate"));
    CHANGES(ilk_set_name(world, e[1], "gate"));
    uint64_t hash = hash_now(world);
    CHANGES(ilk_set_name(world, e[0], NULL));
    CHANGES(ilk_set_name(world, e[0], "gate")); // now the other one is found first
    assert_true(hash_now(world) != hash);
    CHANGES(ilk_set_id(world, e[2], (ilk_id){1, 2}));
    CHANGES(ilk_set_id(world, e[2], (ilk_id){1, 3}));
}

static void resources_count(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    CHANGES(ilk_resource_set(world, ILK_VALUE(Health, 1)));
    CHANGES(ILK_RESOURCE_EDIT(world, Health)->points = 2);
    CHANGES(ilk_resource_set(world, ILK_WITH(Enemy)));
    CHANGES(ilk_resource_remove(world, &Enemy_type));
}

static void types_that_were_taken_out_count(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, .x = 1), ILK_VALUE(Velocity, .x = 1));
    ilk_entity other = ILK_SPAWN(world, ILK_VALUE(Position, .x = 2));
    uint64_t hash = hash_now(world);
    CHANGES(ilk_unregister(world, &Position_type));
    CHANGES(ilk_destroy(world, other)); // its value will never come back
    CHANGES(ilk_register(world, &Position_type));
    assert_true(hash_now(world) != hash);
    assert_true(ilk_has(world, e, &Position_type));
}

static void one_component_has_a_hash_of_its_own(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    uint64_t empty = ilk_hash_of(world, &Position_type);
    assert_true(empty != ilk_hash_of(world, &Velocity_type));
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, .x = 1), ILK_VALUE(Velocity, .x = 1));
    uint64_t hash = ilk_hash_of(world, &Position_type);
    assert_true(hash != empty);
    ILK_EDIT(world, e, Velocity)->x = 5;
    assert_true(ilk_hash_of(world, &Position_type) == hash);
    assert_ok(ilk_remove(world, e, &Position_type));
    assert_true(ilk_hash_of(world, &Position_type) == empty);
}

static void nothing_has_no_hash(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    assert_true(ilk_hash(NULL) == 0 && ilk_hash_layout(NULL) == 0);
    assert_true(ilk_hash_of(NULL, &Position_type) == 0 && ilk_hash_of(world, NULL) == 0);
    assert_true(ilk_hash_of(world, &(ilk_type){0}) == 0);
    assert_true(ilk_hash(world) != 0);
}

// A change that goes round the barrier is not seen: so nothing was looked at.
static void what_was_not_touched_is_not_hashed_again(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, .x = 1));
    ilk_tick(world);
    uint64_t hash = hash_now(world);
    Position* hidden = (Position*)(uintptr_t)ilk_get(world, e, &Position_type, NULL);
    hidden->x = 2;
    assert_true(ilk_hash(world) == hash && hash_anew(world) != hash);
    ilki_hashes_forget(world, ilk_type_number(world, &Position_type), 0);
    assert_true(ilk_hash(world) == hash_anew(world));
    hidden->x = 3;
    ilki_hashes_forget_since(world, 0);
    assert_true(ilk_hash(world) == hash_anew(world));
    ilki_hashes_forget(world, 1000, 1000); // of which nothing is kept
}

static void without_memory_all_is_hashed(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[10];
    for (uint32_t i = 0; i < 10; i++) e[i] = ILK_SPAWN(world, ILK_VALUE(Position, .x = (float)i));
    assert_ok(ilk_set_parent(world, e[1], e[0]));
    uint64_t hash = hash_anew(world);
    for (f->memory.left = 0; f->memory.left < 10;) {
        uint64_t left = f->memory.left;
        assert_true(ilk_hash(world) == hash);
        f->memory.left = UINT64_MAX;
        ilk_trim(world); // what is kept is given back
        f->memory.left = left + 1;
    }
    f->memory.left = UINT64_MAX;
    assert_quiet(f);
}

static void ask_inside(ilk_iter* it) {
    uint64_t* hash = it->user;
    while (ilk_next(it)) *hash = ilk_hash(it->world);
}

static void a_system_may_ask(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    uint64_t inside = 0;
    ILK_SPAWN(world, ILK_VALUE(Position, .x = 1));
    ilk_system_desc desc = {.name = "ask", .run = ask_inside, .user = &inside};
    desc.query.with[0] = &Position_type;
    assert_non_null(ilk_system_create(world, &desc));
    uint64_t hash = hash_now(world);
    assert_ok(ilk_update(world, 0));
    assert_true(inside == hash && hash_now(world) == hash);
}

// Values that own something count by their hook, or by their being there.
static void owned_values_count_by_being_there(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    ilk_entity e = ilk_create(world);
    CHANGES(ilk_add(world, e, ILK_VALUE(Owned, text_copy("one"))));
    CHANGES_NOTHING(ilk_set(world, e, ILK_VALUE(Owned, text_copy("two"))));
    CHANGES(ilk_remove(world, e, &Owned_type));
}

static void golden_hashes_never_change(void** state) {
    (void)state;
    for (uint32_t workers = 0; workers < 4; workers++) {
        ilk_world *mixed = golden_world(workers, true), *plain = golden_world(workers, false);
        assert_true(mixed && plain);
        assert_true(ilk_hash(mixed) == GOLDEN_STATE);
        assert_true(ilk_hash_of(mixed, &GoldenMixed_type) == GOLDEN_MIXED);
        assert_true(ilk_hash_layout(plain) == GOLDEN_LAYOUT);
        assert_valid(mixed);
        ilk_world_destroy(mixed);
        ilk_world_destroy(plain);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(every_change_of_a_component_changes_it),
        WORLD_TEST(what_is_undone_is_as_it_was),
        WORLD_TEST(looking_settling_and_ticks_change_nothing),
        WORLD_TEST(where_things_lie_does_not_matter),
        WORLD_TEST(relations_count_with_their_order_and_values),
        WORLD_TEST(names_and_ids_count),
        WORLD_TEST(resources_count),
        WORLD_TEST(types_that_were_taken_out_count),
        WORLD_TEST(one_component_has_a_hash_of_its_own),
        WORLD_TEST(nothing_has_no_hash),
        WORLD_TEST(what_was_not_touched_is_not_hashed_again),
        WORLD_TEST(without_memory_all_is_hashed),
        WORLD_TEST(a_system_may_ask),
        WORLD_TEST(owned_values_count_by_being_there),
        cmocka_unit_test(golden_hashes_never_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
