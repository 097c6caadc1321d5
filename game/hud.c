// What the game counts, for the labels that tell it.
#include <stdio.h>

#include "game.h"

static void write_counter(const game* g, const Pond* pond, uint32_t shows, char* text) {
    if (shows == QUANTITY_LOTUSES) {
        uint32_t awake = ilk_query_count(g->world, g->bloomed);
        snprintf(text, TEXT_SIZE, "LOTUSES AWAKE: %u OF %d", awake, LOTUSES);
    } else {
        uint32_t followers = ilk_source_count(g->world, pond->boat, &Follows_type);
        snprintf(text, TEXT_SIZE, "FIREFLIES ON BOARD: %u", followers);
    }
}

static void count(ilk_iter* it) {
    const Pond* pond = ILK_RESOURCE_GET(it->world, Pond);
    while (ilk_next(it)) {
        Label* label = ILK_WRITE(it, Label);
        const Counter* counter = ILK_READ(it, Counter);
        for (uint32_t i = 0; i < it->count; i++) {
            write_counter(it->user, pond, counter[i].shows, label[i].text);
        }
    }
}

bool add_hud(game* g) {
    const ilk_system_desc systems[] = {
        {.name = "count",
         .run = count,
         .phase = "post",
         .query = {.write = {&Label_type}, .read = {&Counter_type}},
         .reads = {&Bloomed_type, &Follows_type},
         .reads_resources = {&Pond_type}},
    };
    return add_systems(g, systems, sizeof systems / sizeof *systems);
}
