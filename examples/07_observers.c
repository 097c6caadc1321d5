// Observers: doors know how many stand in front of them, and a fallen guard is looted at once. It
// prints
//     door 0 is guarded by guard 1
//     guard 2 draws near
//     guard 1 takes 7: 10 to 3
//     guard 1 is no longer on watch
//     guard 1 leaves 5 coins
//     5 coins lie about
//     guard 2 is no longer on watch
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Health {
    int points;
} Health;
typedef struct Purse {
    int coins;
} Purse;
typedef struct Guards {
    ilk_entity door;
} Guards;
ILK_COMPONENT(Health);
ILK_COMPONENT(Purse);
ILK_COMPONENT(Guards);
ILK_TAG(Door);
ILK_TAG(Loot);

static ilk_result tell_post(ilk_notice* n) {
    const Guards* guards = n->value;
    printf("door %u is guarded by guard %u\n", guards->door.index, n->entity.index);
    return ILK_OK;
}

static ilk_result tell_hit(ilk_notice* n) {
    const Health *before = n->old, *now = n->value;
    printf("guard %u takes %d: %d to %d\n", n->entity.index, before->points - now->points,
           before->points, now->points);
    if (now->points < 5) ilk_cmd_remove(n->cmd, n->entity, &Guards_type); // done when this returns
    return ILK_OK;
}

static ilk_result tell_watch(ilk_notice* n) {
    printf("guard %u %s\n", n->entity.index,
           n->on == ILK_ON_MATCH ? "draws near" : "is no longer on watch");
    return ILK_OK;
}

// The purse that goes with its guard can still be read.
static ilk_result drop_purse(ilk_notice* n) {
    const Purse* purse = n->value;
    printf("guard %u leaves %d coins\n", n->entity.index, purse->coins);
    ilk_cmd_spawn(n->cmd, ILK_VALUES(ILK_WITH(Loot), ILK_VALUE_AT(Purse, purse)));
    return ILK_OK;
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_entity door = ILK_SPAWN(world, ILK_WITH(Door));
    ilk_observer_create(
        world, &(ilk_observer_desc){.on = ILK_ON_ADD, .type = &Guards_type, .run = tell_post});
    ilk_entity guard =
        ILK_SPAWN(world, ILK_VALUE(Health, 10), ILK_VALUE(Purse, 5), ILK_VALUE(Guards, door));
    ilk_observer_create(world, &(ilk_observer_desc){.on = ILK_ON_SET,
                                                    .type = &Health_type,
                                                    .entity = guard, // this one alone
                                                    .run = tell_hit});
    ilk_observer_create(world, &(ilk_observer_desc){.on = ILK_ON_MATCH | ILK_ON_CEASE,
                                                    .query = {.with = {&Health_type},
                                                              .any = {&Guards_type, &Loot_type}},
                                                    .run = tell_watch});
    ilk_observer_create(world, &(ilk_observer_desc){.on = ILK_ON_REMOVE,
                                                    .type = &Purse_type,
                                                    .reasons = ILK_REASON_DESTROY,
                                                    .run = drop_purse});
    ilk_entity other = ILK_SPAWN(world, ILK_VALUE(Health, 10), ILK_WITH(Loot));
    ilk_set(world, guard, ILK_VALUE(Health, 3));
    ilk_set(world, other, ILK_VALUE(Health, 3)); // nobody observes this one
    ilk_destroy(world, guard);
    ilk_query* loot =
        ilk_query_create(world, &(ilk_query_desc){.read = {&Purse_type}, .with = {&Loot_type}});
    for (ilk_iter it = ilk_query_iter(world, loot); ilk_next(&it);) {
        printf("%d coins lie about\n", ILK_READ(&it, Purse)[0].coins);
    }
    ilk_world_destroy(world);
    return 0;
}
