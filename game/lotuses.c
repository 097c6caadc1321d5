// Lotuses: who follows the boat goes over to one that is near, and enough fireflies wake it. When
// all are awake, the night is over.
#include "game.h"

#define GIVE_RADIUS 78
#define GIVE_EVERY 5 // ticks

// One after the other, those who follow the boat follow a lotus that is near.
static void give(ilk_iter* it) {
    const Pond* pond = ILK_RESOURCE_GET(it->world, Pond);
    const Position* boat = ILK_GET(it->world, pond->boat, Position);
    ilk_entity follower = ilk_first_source(it->world, pond->boat, &Follows_type);
    if (!boat || pond->tick % GIVE_EVERY) return;
    while (ilk_next(it)) {
        const Position* at = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count && !ilk_is_null(follower); i++) {
            if (length_of(minus(at[i], *boat)) > GIVE_RADIUS) continue;
            ilk_cmd_relate(it->cmd, follower, &Follows_type, it->entities[i]);
            follower = ilk_next_source(it->world, pond->boat, &Follows_type, follower);
        }
    }
}

// A lotus with enough fireflies wakes, and shines from then on.
static void wake(ilk_iter* it) {
    const Glow shine = {.radius = 150, .strength = 0.5f, .color = 0xff9ad2};
    while (ilk_next(it)) {
        const Position* at = ILK_READ(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            ilk_entity lotus = it->entities[i];
            if (ilk_source_count(it->world, lotus, &Follows_type) < LOTUS_WANTS) continue;
            ilk_cmd_add(it->cmd, lotus, ILK_WITH(Bloomed));
            ilk_cmd_set(it->cmd, lotus, ILK_VALUE_AT(Glow, &shine));
            ilk_cmd_emit(it->cmd, ILK_VALUE_AT(Woken, &at[i]));
        }
    }
}

static void see_to_end(ilk_iter* it) {
    const game* g = it->user;
    uint32_t awake = ilk_query_count(it->world, g->bloomed);
    if (awake == LOTUSES) ILK_EMIT(it->cmd, Ended, .how = ENDING_WON);
}

bool add_lotuses(game* g) {
    const ilk_system_desc systems[] = {
        {.name = "give",
         .run = give,
         .phase = "fixed",
         .order = 40,
         .query = {.read = {&Position_type}, .with = {&Lotus_type}, .without = {&Bloomed_type}},
         .reads = {&Follows_type},
         .reads_resources = {&Pond_type}},
        {.name = "wake",
         .run = wake,
         .phase = "fixed",
         .order = 41,
         .query = {.read = {&Position_type}, .with = {&Lotus_type}, .without = {&Bloomed_type}},
         .reads = {&Follows_type}},
        {.name = "see_to_end",
         .run = see_to_end,
         .phase = "fixed",
         .order = 42,
         .reads = {&Bloomed_type},
         .after = {"wake"}},
    };
    g->bloomed = ilk_query_create(g->world, &(ilk_query_desc){.with = {&Bloomed_type}});
    return g->bloomed && add_systems(g, systems, sizeof systems / sizeof *systems);
}
