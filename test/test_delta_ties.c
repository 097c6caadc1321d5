// The order of those who relate, and of those they relate to, in deltas: also where only who comes
// first is another, and where others who stay are in the way; and how much a delta may ask for.
#include "parcel_support.h"

enum {
    FEW = 7
};

ILK_RELATION(Trusts);

static ilk_entity who(const ilk_world* world, uint32_t slot) {
    return ilk_entity_at(world, slot);
}

static void relate(ilk_world* world, uint32_t source, uint32_t target) {
    assert_ok(ilk_relate(world, who(world, source), &Trusts_type, who(world, target)));
}

// The relation ends, and is made again: it comes last.
static void renew(ilk_world* world, uint32_t source, uint32_t target) {
    assert_ok(ilk_unrelate(world, who(world, source), &Trusts_type, who(world, target)));
    relate(world, source, target);
}

// Two worlds are made alike; what is done to the first comes to the second, and back.
typedef void deed_fn(ilk_world* world);

static void follow(fixture* f, deed_fn* prepare_both, deed_fn* deed) {
    ilk_world *here = second_world(f, 0), *there = second_world(f, 0);
    ilk_entity those[FEW];
    for (uint32_t i = 0; i < 2; i++) {
        ilk_world* world = i ? there : here;
        assert_ok(ilk_create_many(world, those, FEW));
        prepare_both(world);
        ilk_settle(world, 0);
    }
    uint64_t was = ilk_hash_layout(here);
    assert_int_equal(ilk_hash_layout(there), was); // and the hashes of both are kept
    ilk_snapshot* before = taken_of(here);
    deed(here);
    ilk_snapshot* after = taken_of(here);
    assert_int_not_equal(ilk_hash_layout(here), was);
    parcel on = pack(here, before, after), back = pack(here, after, before);
    deliver(there, on, ilk_hash_layout(here));
    assert_same_worlds(here, there);
    deliver(there, back, was);
    free(on.bytes);
    free(back.bytes);
    ilk_world_destroy(here);
    ilk_world_destroy(there);
}

// Of two in a ring only who is the first tells the order.

static void two_children(ilk_world* world) {
    assert_ok(ilk_set_parent(world, who(world, 1), who(world, 0)));
    assert_ok(ilk_set_parent(world, who(world, 2), who(world, 0)));
}

static void second_child_first(ilk_world* world) {
    assert_ok(ilk_child_move(world, who(world, 2), who(world, 1)));
}

static void two_targets(ilk_world* world) {
    relate(world, 0, 1);
    relate(world, 0, 2);
}

static void second_target_first(ilk_world* world) {
    renew(world, 0, 1);
}

static void two_change_places(void** state) {
    follow(*state, two_children, second_child_first);
    follow(*state, two_targets, second_target_first);
}

// 0 relates to 1, 2 and 3, and so does 4 after it; then only the order of whom 0 relates to is
// another.

static void two_sources_of_three(ilk_world* world) {
    for (uint32_t target = 1; target <= 3; target++) {
        relate(world, 0, target);
        relate(world, 4, target);
    }
}

static void first_target_last(ilk_world* world) {
    renew(world, 0, 1);
    renew(world, 4, 2);
    renew(world, 4, 3);
    renew(world, 4, 1);
    assert_true(ilk_same(ilk_first_source(world, who(world, 1), &Trusts_type), who(world, 0)));
}

static void others_keep_their_order(void** state) {
    follow(*state, two_sources_of_three, first_target_last);
}

// Another in the slot of one that relates as it did: the order is the same, and of others.

static void replace_a_source(ilk_world* world) {
    ilk_entity second = who(world, 4);
    assert_ok(ilk_destroy(world, second));
    assert_int_equal(ilk_create(world).index, 4);
    for (uint32_t target = 1; target <= 3; target++) relate(world, 4, target);
}

static void two_sources_of_one(ilk_world* world) {
    relate(world, 0, 1);
    relate(world, 4, 1);
}

static void replace_the_second(ilk_world* world) {
    assert_ok(ilk_destroy(world, who(world, 4)));
    assert_int_equal(ilk_create(world).index, 4);
    relate(world, 4, 1);
}

static void an_order_is_of_entities(void** state) {
    follow(*state, two_sources_of_three, replace_a_source);
    follow(*state, two_sources_of_one, replace_the_second);
}

// Anything may happen to few who relate much.

static void relate_at_random(ilk_world* world) {
    ilk_entity e = somebody(world), other = somebody(world);
    switch (chance(9)) {
    case 0:
        ilk_destroy(world, e);
        ilk_create(world);
        break;
    case 1:
    case 2:
        ilk_unrelate(world, e, &Trusts_type, other);
        break;
    case 3:
    case 4:
        ilk_relate(world, e, &Trusts_type, other);
        break;
    case 5:
        ilk_set_parent(world, e, chance(4) ? other : (ilk_entity){0, 0});
        break;
    case 6:
        ilk_child_move(world, e, chance(4) ? other : (ilk_entity){0, 0});
        break;
    case 7:
        if (chance(2)) ilk_unrelate(world, e, &Likes_type, other);
        ilk_relate_value(world, e, &Likes_type, other, &(Tracked){chance(3)});
        break;
    default:
        if (chance(5) == 0) ilk_settle(world, 0);
    }
}

static void few_who_relate_are_followed(void** state) {
    fixture* f = *state;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        random_state = seed;
        ilk_world *here = second_world(f, 0), *there = second_world(f, 0);
        ilk_entity those[FEW];
        assert_ok(ilk_create_many(here, those, FEW));
        for (uint32_t i = 0; i < 40; i++) relate_at_random(here);
        assert_ok(ilk_register(there, &Trusts_type));
        assert_ok(ilk_register(there, &Likes_type));
        assert_ok(ilk_register(there, &ilk_child_of_type));
        ilk_snapshot* before = NULL;
        for (uint32_t step = 0; step < 200; step++) {
            for (uint32_t i = 1 + chance(step % 3 ? 4 : 20); i; i--) relate_at_random(here);
            ilk_snapshot* after = taken_of(here);
            parcel way = pack(here, before, after);
            deliver(there, way, ilk_hash_layout(here));
            assert_same_worlds(here, there);
            ilk_snapshot_release(before);
            before = after;
            free(way.bytes);
        }
        ilk_snapshot_release(before);
        ilk_world_destroy(here);
        ilk_world_destroy(there);
    }
}

// A delta may ask for memory in proportion to what the world has, whatever that is. Here a small
// one is about much.

static void little_of_much(fixture* f, deed_fn* fill, deed_fn* deed) {
    ilk_world *here = second_world(f, 0), *there = second_world(f, 0);
    fill(here);
    fill(there);
    ilk_snapshot* before = taken_of(here);
    deed(here);
    ilk_snapshot* after = taken_of(here);
    parcel way = pack(here, before, after);
    assert_true(way.size < 1000);
    deliver(there, way, ilk_hash_layout(here));
    free(way.bytes);
    ilk_world_destroy(here);
    ilk_world_destroy(there);
}

static void relate_all_to_all(ilk_world* world) {
    enum {
        BAND = 200
    };
    ilk_entity those[BAND];
    assert_ok(ilk_create_many(world, those, BAND));
    for (uint32_t at = 0; at < BAND * BAND; at++) relate(world, at / BAND, at % BAND);
}

static void unrelate_two(ilk_world* world) {
    assert_ok(ilk_unrelate(world, who(world, 1), &Trusts_type, who(world, 2)));
}

static void many_relations_change_a_little(void** state) {
    little_of_much(*state, relate_all_to_all, unrelate_two);
}

typedef struct Tome {
    unsigned char pages[16384];
} Tome;
ILK_COMPONENT(Tome);

enum {
    TOMES = 160
};

static void have_tomes(ilk_world* world) {
    for (uint32_t i = 0; i < TOMES; i++) {
        assert_false(ilk_is_null(ilk_spawn(world, &(ilk_value){&Tome_type, NULL}, 1)));
    }
}

static void lose_some_tomes(ilk_world* world) {
    for (uint32_t i = 0; i < TOMES; i += 4) assert_ok(ilk_remove(world, who(world, i), &Tome_type));
}

static void large_values_change_a_little(void** state) {
    little_of_much(*state, have_tomes, lose_some_tomes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(two_change_places),
        WORLD_TEST(others_keep_their_order),
        WORLD_TEST(an_order_is_of_entities),
        WORLD_TEST(few_who_relate_are_followed),
        WORLD_TEST(many_relations_change_a_little),
        WORLD_TEST(large_values_change_a_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
