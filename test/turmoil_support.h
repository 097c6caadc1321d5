// Random changes of a world, of every kind that a snapshot has to do with.
#ifndef ILK_TEST_TURMOIL_SUPPORT_H
#define ILK_TEST_TURMOIL_SUPPORT_H

#include "film_support.h"

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

static inline ilk_entity somebody(const ilk_world* world) {
    uint32_t slots = world->storage.view.index.slots;
    return slots ? ilk_entity_at(world, chance(slots)) : (ilk_entity){0, 0};
}

static inline ilk_value something(void) {
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

// Relations, names and ids.
static inline void change_some_bond(ilk_world* world, ilk_entity e) {
    switch (chance(11)) {
    case 0:
    case 1:
        ilk_relate(world, e, &Likes_type, somebody(world));
        break;
    case 2:
        ilk_unrelate(world, e, &Likes_type, somebody(world));
        break;
    case 3:
    case 4:
        ilk_relate(world, e, &Under_type, somebody(world));
        break;
    case 5:
        ilk_relate(world, e, &ilk_child_of_type, somebody(world));
        break;
    case 6:
    case 7: {
        char name[8];
        snprintf(name, sizeof name, "n%u", chance(30));
        ilk_set_name(world, e, name);
        break;
    }
    case 8:
        ilk_set_name(world, e, NULL);
        break;
    case 9:
        ilk_set_id(world, e, (ilk_id){chance(9), 1 + chance(9)});
        break;
    case 10: {
        Owned* carried =
            ilk_relation_edit(world, e, &Likes_type, ilk_target(world, e, &Likes_type));
        if (carried) carried->text[0]++;
        break;
    }
    }
}

static inline void change_something(ilk_world* world) {
    ilk_entity e = somebody(world), made[40];
    ilk_value value = something();
    if (chance(3) == 0) {
        change_some_bond(world, e);
        return;
    }
    switch (chance(20)) {
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

#endif
