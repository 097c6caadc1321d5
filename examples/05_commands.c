// Commands: changes that are recorded now and made later. The world is locked while a system runs,
// so it records into it->cmd. Ten ships fight in a circle, two of them with broken hulls. It prints
//     ilk_destroy for entity 5:1: system "fight" is running: changes go through it->cmd, other
//         calls through ilk_cmd_call or after the update
//     after the fight: 8 ships, 8 missiles
//     ship 9 fired missile 17, which ship 9 fired
//     recorded 3 commands: 8 ships
//     3 done, 1 skipped: 7 ships; the flare went up over 7
#include <ilk/ilk.h>
#include <stdio.h>

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

static void fight(ilk_iter* it) {
    while (ilk_next(it)) {
        const Hull* hull = ILK_READ(it, Hull);
        for (uint32_t i = 0; i < it->count; i++) {
            ilk_entity ship = it->entities[i];
            if (hull[i].strength == 0) {
                ilk_destroy(it->world, ship); // the world is locked: nothing happens
                ilk_cmd_destroy(it->cmd, ship);
            } else {
                ilk_entity missile = ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_VALUE(Missile, ship)));
                ilk_cmd_set(it->cmd, ship, ILK_VALUE(Fired, missile)); // not alive yet, but final
            }
        }
    }
}

static uint32_t count_ships(ilk_world* world) {
    return ilk_stats_of(world, &Hull_type).count;
}

// Called in its turn, when all that was recorded before it is done.
static void send_up_flare(ilk_world* world, ilk_cmd* cmd, void* user) {
    uint32_t ships = count_ships(world);
    *(ilk_entity*)user = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Flare, ships)));
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_entity ships[10], flare;
    for (int i = 0; i < 10; i++) ships[i] = ILK_SPAWN(world, ILK_VALUE(Hull, i % 5));
    ilk_system_create(
        world, &(ilk_system_desc){.name = "fight", .run = fight, .query = {.read = {&Hull_type}}});
    ilk_update(world, 1.0 / 60);
    printf("%s\n", ilk_error(world).text);
    printf("after the fight: %u ships, %u missiles\n", count_ships(world),
           ilk_stats_of(world, &Missile_type).count);
    ilk_entity missile = ILK_GET(world, ships[9], Fired)->missile;
    printf("ship 9 fired missile %u, which ship %u fired\n", missile.index,
           ILK_GET(world, missile, Missile)->from.index);

    ilk_cmd* cmd = ilk_cmd_take(world); // outside of systems, a buffer of one's own
    ilk_cmd_destroy(cmd, ships[9]);
    ilk_cmd_remove(cmd, ships[9], &Fired_type); // skipped: it is dead by then
    ilk_cmd_call(cmd, send_up_flare, &flare);
    printf("recorded %u commands: %u ships\n", ilk_cmd_count(cmd), count_ships(world));
    ilk_applied applied = ilk_cmd_apply(cmd);
    ilk_cmd_give_back(cmd);
    printf("%u done, %u skipped: %u ships; the flare went up over %u\n", applied.done,
           applied.skipped, count_ships(world), ILK_GET(world, flare, Flare)->over);
    ilk_world_destroy(world);
}
