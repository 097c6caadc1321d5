// Snapshots: what was is there again, bit for bit; any number, in any order; nothing moves meanwhile.
#include "picture_support.h"

typedef struct Tracked {
    uint32_t value;
} Tracked;
ILK_COMPONENT_WITH(Tracked, .track = true);
typedef struct Large {
    uint64_t words[16];
} Large;
ILK_COMPONENT(Large);

ILK_RELATION_WITH(Likes, .value = &Owned_type);
ILK_RELATION_WITH(Under, .is_exclusive = true, .is_tree = true, .at_end = ILK_END_SOURCE);

static uint32_t random_state;

static uint32_t chance(uint32_t bound) {
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % bound;
}

static ilk_entity somebody(const ilk_world* world) {
    uint32_t slots = world->storage.view.index.slots;
    return slots ? ilk_entity_at(world, chance(slots)) : (ilk_entity){0, 0};
}

static ilk_value something(void) {
    static Position position;
    static Large large;
    static Tracked tracked;
    static Health health;
    position.x = (float)chance(1000);
    large.words[3] = tracked.value = chance(1000);
    health.points = (int32_t)chance(1000);
    switch (chance(6)) {
    case 0:
        return (ilk_value){&Position_type, &position};
    case 1:
        return (ilk_value){&Large_type, &large};
    case 2:
        return (ilk_value){&Tracked_type, &tracked};
    case 3:
        return (ilk_value){&Health_type, &health};
    case 4:
        return ILK_WITH(Owned);
    default:
        return ILK_WITH(Enemy);
    }
}

static void change_something(ilk_world* world) {
    ilk_entity e = somebody(world), made[40];
    ilk_value value = something();
    switch (chance(31)) {
    case 0:
        ilk_create(world);
        break;
    case 1:
        ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(Health));
        break;
    case 2:
        ILK_SPAWN(world, ILK_WITH(Owned), ILK_WITH(Large));
        break;
    case 3:
        ilk_create_many(world, made, 1 + chance(40));
        break;
    case 4:
    case 5:
    case 6:
        ilk_destroy(world, e);
        break;
    case 7:
    case 8:
    case 9:
        ilk_set(world, e, value);
        break;
    case 10:
        ilk_add(world, e, value);
        break;
    case 11:
    case 12:
        ilk_remove(world, e, value.type);
        break;
    case 13:
        ilk_disable(world, e, value.type);
        break;
    case 14:
        ilk_enable(world, e, value.type);
        break;
    case 15:
        ilk_settle(world, chance(3) ? 4 : 0);
        break;
    case 16:
        ilk_copy(world, e);
        break;
    case 19:
    case 20:
        ilk_relate(world, e, &Likes_type, somebody(world));
        break;
    case 21:
        ilk_unrelate(world, e, &Likes_type, somebody(world));
        break;
    case 22:
    case 23:
        ilk_relate(world, e, &Under_type, somebody(world));
        break;
    case 24:
        ilk_relate(world, e, &ilk_child_of_type, somebody(world));
        break;
    case 25:
    case 26: {
        char name[8];
        snprintf(name, sizeof name, "n%u", chance(30));
        ilk_set_name(world, e, name);
        break;
    }
    case 27:
        ilk_set_name(world, e, NULL);
        break;
    case 28:
        ilk_set_id(world, e, (ilk_id){chance(9), 1 + chance(9)});
        break;
    case 29: {
        Owned* carried =
            ilk_relation_edit(world, e, &Likes_type, ilk_target(world, e, &Likes_type));
        if (carried) carried->text[0]++;
        break;
    }
    case 17:
        if (chance(40) == 0) ilk_clear(world);
        break;
    case 18:
        if (chance(10) == 0) ilk_trim(world);
        break;
    default: {
        Position* p = ILK_EDIT(world, e, Position);
        if (p) p->y++;
    }
    }
}

enum {
    KEPT = 6
};

typedef struct film {
    ilk_snapshot* snapshots[KEPT];
    picture pictures[KEPT];
} film;

static picture copy_of(picture p) {
    picture copy = {malloc(p.size + 1), p.size, p.size + 1};
    assert_non_null(copy.text);
    memcpy(copy.text, p.text, p.size);
    copy.text[p.size] = 0;
    return copy;
}

static void drop_frame(film* f, uint32_t at) {
    ilk_snapshot_release(f->snapshots[at]);
    free(f->pictures[at].text);
    f->snapshots[at] = NULL;
}

// Takes, restores or releases a snapshot.
static void go_through_time(ilk_world* world, film* f) {
    uint32_t at = chance(KEPT);
    if (!f->snapshots[at]) {
        f->snapshots[at] = ilk_snapshot_take(world);
        assert_non_null(f->snapshots[at]);
        f->pictures[at] = paint_world(world);
    } else if (chance(3) == 0) {
        drop_frame(f, at);
    } else {
        assert_ok(ilk_snapshot_restore(f->snapshots[at]));
        assert_same_picture(copy_of(f->pictures[at]), paint_world(world));
    }
    assert_valid(world);
}

static void what_was_is_there_again(void** state) {
    for (uint32_t seed = 1; seed <= 30; seed++) {
        random_state = seed;
        open_world(state);
        ilk_world* world = ((fixture*)*state)->world;
        film f = {0};
        for (uint32_t i = 0; i < 1500; i++) {
            change_something(world);
            if (chance(25) == 0) go_through_time(world, &f);
        }
        for (uint32_t i = 0; i < KEPT; i++) {
            if (f.snapshots[i]) drop_frame(&f, i);
        }
        assert_int_equal(ilk_snapshot_count(world), 0);
        assert_valid(world);
        close_world(state);
    }
}

// What is done twice from one snapshot gives the same twice.
static void two_runs_are_the_same(void** state) {
    ilk_world* world = ((fixture*)*state)->world;
    random_state = 77;
    for (uint32_t round = 0; round < 60; round++) {
        ilk_snapshot* begin = ilk_snapshot_take(world);
        uint32_t seed = random_state, count = 1 + chance(300);
        for (uint32_t i = 0; i < count; i++) change_something(world);
        picture first = paint_world(world);
        assert_ok(ilk_snapshot_restore(begin));
        random_state = seed;
        assert_int_equal(1 + chance(300), count);
        for (uint32_t i = 0; i < count; i++) change_something(world);
        assert_same_picture(first, paint_world(world));
        ilk_snapshot_release(begin);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_is_there_again),
        cmocka_unit_test_setup_teardown(two_runs_are_the_same, open_world, close_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
