// Command buffers: ten ships, two of them with broken hulls, fight in a circle. It prints
//     recorded 29 commands: 10 ships, 0 missiles
//     29 done, 1 skipped: 8 ships, 8 missiles, 8 burning
//     the flare went up over 8 ships
//     ship 9 fired missile 17, which ship 9 fired
#include <ilk/ilk.h>
#include <stdio.h>

enum {
    SHIPS = 10
};
typedef struct Hull {
    int strength;
} Hull;
typedef struct Missile {
    ilk_entity from;
} Missile;
typedef struct Fired {
    ilk_entity missile;
} Fired;
typedef struct Flare {
    uint32_t over;
} Flare;
ILK_COMPONENT(Hull);
ILK_COMPONENT(Missile);
ILK_COMPONENT(Fired);
ILK_COMPONENT(Flare);
ILK_TAG(Burning);

static void fight(ilk_cmd* cmd, ilk_entity ship, const Hull* hull, ilk_entity next) {
    if (hull->strength == 0) {
        ilk_cmd_destroy(cmd, ship);
    } else {
        ilk_entity missile = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Missile, .from = ship)));
        ilk_cmd_set(cmd, ship, ILK_VALUE(Fired, missile)); // not alive yet, but final
    }
    ilk_cmd_set(cmd, next, ILK_WITH(Burning)); // skipped if it is destroyed before
}

// Called in its turn, when all that was recorded before it is done.
static void send_up_flare(ilk_world* world, ilk_cmd* cmd, void* user) {
    uint32_t ships = ilk_stats_of(world, &Hull_type).count;
    *(ilk_entity*)user = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Flare, ships)));
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_entity ships[SHIPS], flare;
    for (int i = 0; i < SHIPS; i++) ships[i] = ILK_SPAWN(world, ILK_VALUE(Hull, i % 5));
    ilk_query* fleet = ilk_query_create(world, &(ilk_query_desc){.read = {&Hull_type}});

    ilk_cmd* cmd = ilk_cmd_take(world);
    for (ilk_iter it = ilk_query_iter(world, fleet); ilk_next(&it);) {
        const Hull* hull = ILK_READ(&it, Hull);
        for (uint32_t i = 0; i < it.count; i++) {
            ilk_entity ship = it.entities[i];
            fight(cmd, ship, &hull[i], ships[(ship.index + 1) % SHIPS]);
        }
    }
    ilk_cmd_call(cmd, send_up_flare, &flare);
    printf("recorded %u commands: %u ships, %u missiles\n", ilk_cmd_count(cmd),
           ilk_stats_of(world, &Hull_type).count, ilk_stats_of(world, &Missile_type).count);
    ilk_applied applied = ilk_cmd_apply(cmd);
    ilk_cmd_give_back(cmd);

    uint32_t burning = ilk_stats_of(world, &Burning_type).count;
    printf("%u done, %u skipped: %u ships, %u missiles, %u burning\n", applied.done,
           applied.skipped, ilk_query_count(world, fleet), ilk_stats_of(world, &Missile_type).count,
           burning);
    uint32_t over = ILK_GET(world, flare, Flare)->over;
    ilk_entity missile = ILK_GET(world, ships[9], Fired)->missile;
    ilk_entity from = ILK_GET(world, missile, Missile)->from;
    printf("the flare went up over %u ships\n", over);
    printf("ship 9 fired missile %u, which ship %u fired\n", missile.index, from.index);
    ilk_world_destroy(world);
    return applied.done == 29 && applied.skipped == 1 && burning == 8 && over == 8 ? 0 : 1;
}
