// Observers: functions that are called at once when something happens to an entity. A guard takes
// up its post, is hit, and its purse can be picked up. It prints
//     door 0 is guarded by guard 1
//     guard 1 takes 7: 10 to 3
//     guard 1 is no longer on watch
//     guard 1 leaves 5 coins
//     5 coins lie about
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

static ilk_result tell_end(ilk_notice* n) {
    printf("guard %u is no longer on watch\n", n->entity.index);
    return ILK_OK;
}

// The purse that goes with its guard can still be read.
static ilk_result drop_purse(ilk_notice* n) {
    const Purse* purse = n->value;
    printf("guard %u leaves %d coins\n", n->entity.index, purse->coins);
    ilk_cmd_spawn(n->cmd, ILK_VALUES(ILK_VALUE_AT(Purse, purse)));
    return ILK_OK;
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    const ilk_observer_desc observers[] = {
        {.on = ILK_ON_ADD, .type = &Guards_type, .run = tell_post},
        {.on = ILK_ON_SET, .type = &Health_type, .run = tell_hit},
        {.on = ILK_ON_CEASE, // to match its query
         .query = {.with = {&Health_type, &Guards_type}},
         .run = tell_end},
        {.on = ILK_ON_REMOVE,
         .type = &Purse_type,
         .reasons = ILK_REASON_DESTROY, // because its entity goes
         .run = drop_purse},
    };
    for (int i = 0; i < 4; i++) ilk_observer_create(world, &observers[i]);

    ilk_entity door = ilk_create(world);
    ilk_entity guard =
        ILK_SPAWN(world, ILK_VALUE(Health, 10), ILK_VALUE(Purse, 5), ILK_VALUE(Guards, door));
    ilk_set(world, guard, ILK_VALUE(Health, 3));
    ilk_destroy(world, guard);

    ilk_query* purses = ilk_query_create(world, &(ilk_query_desc){.read = {&Purse_type}});
    ilk_entity purse = ilk_query_first(world, purses);
    printf("%d coins lie about\n", ILK_GET(world, purse, Purse)->coins);
    ilk_world_destroy(world);
}
