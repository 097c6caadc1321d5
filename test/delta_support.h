// What the tests of deltas share: random changes of a world of which everything can be sent.
#ifndef ILK_TEST_DELTA_SUPPORT_H
#define ILK_TEST_DELTA_SUPPORT_H

#include <ilk/delta.h>

#include "film_support.h"

typedef struct Tracked {
    uint32_t value;
} Tracked;
ILK_COMPONENT_WITH(Tracked, .track = true);
typedef struct Large {
    uint64_t words[16];
} Large;
ILK_COMPONENT(Large);
typedef struct Padded {
    uint8_t small;
    void* pointer;
    bool yes;
    ilk_entity who;
    double number;
} Padded;
ILK_COMPONENT_WITH(Padded, .fields = ILK_FIELDS(ILK_FIELD(Padded, small),
                                                {"pointer", ILK_KIND_POINTER,
                                                 offsetof(Padded, pointer), sizeof(void*)},
                                                ILK_FIELD(Padded, yes), ILK_FIELD(Padded, who),
                                                ILK_FIELD(Padded, number)));
typedef struct Remains {
    uint32_t value;
} Remains;
ILK_COMPONENT_WITH(Remains, .outlives = true);
typedef struct Weather {
    int32_t wind;
} Weather;
ILK_COMPONENT(Weather);
typedef struct Ping {
    uint32_t value;
} Ping;
ILK_EVENT(Ping);

ILK_RELATION_WITH(Likes, .value = &Tracked_type);
ILK_RELATION_WITH(Under, .is_exclusive = true, .is_tree = true, .at_end = ILK_END_SOURCE);
ILK_RELATION(Knows);

static inline ilk_entity somebody(const ilk_world* world) {
    uint32_t slots = world->storage.view.index.slots;
    return slots ? ilk_entity_at(world, chance(slots)) : (ilk_entity){0, 0};
}

static inline ilk_value something(ilk_world* world) {
    static Position position;
    static Large large;
    static Tracked tracked;
    static Health health;
    static Padded padded;
    static Remains remains;
    position.x = (float)chance(1000);
    large.words[3] = tracked.value = remains.value = chance(1000);
    health.points = (int32_t)chance(1000);
    padded = (Padded){.small = (uint8_t)chance(200), .yes = chance(2), .who = somebody(world)};
    switch (chance(8)) {
    case 0:
        return (ilk_value){&Position_type, &position};
    case 1:
        return (ilk_value){&Large_type, &large};
    case 2:
        return (ilk_value){&Tracked_type, &tracked};
    case 3:
        return (ilk_value){&Health_type, &health};
    case 4:
        return (ilk_value){&Padded_type, &padded};
    case 5:
        return (ilk_value){&Remains_type, &remains};
    case 6:
        return ILK_WITH(ilk_inactive);
    default:
        return ILK_WITH(Enemy);
    }
}

static inline void change_name(ilk_world* world, ilk_entity e) {
    char name[8];
    snprintf(name, sizeof name, "n%u", chance(12));
    ilk_set_name(world, e, chance(5) ? name : NULL);
}

// Relations, names and ids.
static inline void change_some_tie(ilk_world* world, ilk_entity e) {
    switch (chance(11)) {
    case 0:
    case 1:
        ilk_relate_value(world, e, &Likes_type, somebody(world), &(Tracked){chance(100)});
        break;
    case 2:
        ilk_unrelate(world, e, &Likes_type, somebody(world));
        break;
    case 3:
        ilk_relate(world, e, &Under_type, somebody(world));
        break;
    case 4:
        ilk_relate(world, e, &Knows_type, somebody(world));
        break;
    case 5:
    case 6:
        ilk_set_parent(world, e, chance(6) ? somebody(world) : (ilk_entity){0, 0});
        break;
    case 7:
    case 8:
        change_name(world, e);
        break;
    case 9:
        ilk_set_id(world, e, (ilk_id){chance(9), 1 + chance(9)});
        break;
    case 10: {
        Tracked* carried =
            ilk_relation_edit(world, e, &Likes_type, ilk_target(world, e, &Likes_type));
        if (carried) carried->value++;
    }
    }
}

static inline void change_the_rest(ilk_world* world) {
    switch (chance(5)) {
    case 0:
        ilk_resource_set(world, ILK_VALUE(Weather, (int32_t)chance(50)));
        break;
    case 1:
        if (chance(8) == 0) ilk_resource_remove(world, &Weather_type);
        break;
    case 2:
        ilk_update(world, 0.01 * chance(4));
        break;
    default:
        ilk_emit(world, ILK_VALUE(Ping, chance(1000)));
    }
}

static inline void change_anything(ilk_world* world) {
    ilk_entity e = somebody(world), made[40];
    ilk_value value = something(world);
    if (chance(3) == 0) {
        change_some_tie(world, e);
        return;
    }
    switch (chance(22)) {
    case 0:
        ilk_create(world);
        break;
    case 1:
        ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(Health));
        break;
    case 2:
        ILK_SPAWN(world, ILK_WITH(Padded), ILK_WITH(Large));
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
        if (chance(60) == 0) ilk_clear(world);
        break;
    case 18:
        if (chance(10) == 0) ilk_trim(world);
        break;
    case 19:
    case 20:
        change_the_rest(world);
        break;
    default: {
        Position* p = ILK_EDIT(world, e, Position);
        if (p) p->y++;
    }
    }
}

// Everybody knows all types, and reads.
static inline ilk_reader* prepare(ilk_world* world) {
    ilk_entity e = ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(Large), ILK_WITH(Tracked),
                             ILK_WITH(Health), ILK_WITH(Padded), ILK_WITH(Enemy));
    ILK_SPAWN(world, ILK_WITH(Remains));
    ilk_relate(world, e, &Likes_type, e);
    ilk_relate(world, e, &Knows_type, e);
    return ilk_reader_create(world, &(ilk_reader_desc){.type = &Ping_type});
}

#endif
