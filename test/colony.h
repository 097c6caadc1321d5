// A small world that lives by itself, for tests of what is the same for any number of workers:
// systems, most of them cut into many pieces, move, age, breed, hurt and end its creatures. All of
// it is whole numbers.
#ifndef ILK_TEST_COLONY_H
#define ILK_TEST_COLONY_H

#include <ilk/ilk.h>
#include <stdlib.h>
#include <string.h>

#include "schedule/schedule.h"

typedef struct Place {
    int32_t x, y;
} Place;
typedef struct Speed {
    int32_t x, y;
} Speed;
typedef struct Age {
    uint32_t frames;
} Age;
typedef struct Parent {
    ilk_entity entity;
} Parent;
ILK_COMPONENT(Place);
ILK_COMPONENT(Speed);
ILK_COMPONENT_WITH(Age, .track = true);
ILK_COMPONENT(Parent);
ILK_TAG(Hurt);

typedef struct colony {
    ilk_world* world;
    ilk_query *all, *hurt;
    bool is_crowded;
    uint64_t orphans, seen; // counted by systems that are not cut
} colony;

static inline uint32_t colony_chance(ilk_entity e, uint32_t what) {
    uint32_t mixed = (e.index * 0x9e3779b1u) ^ (e.generation * 0x85ebca77u) ^ (what * 0xc2b2ae3du);
    mixed ^= mixed >> 15;
    mixed *= 0x2c1b3c6du;
    return mixed ^ mixed >> 13;
}

static void colony_move(ilk_iter* it) {
    while (ilk_next(it)) {
        Place* places = ILK_WRITE(it, Place);
        const Speed* speeds = ILK_READ(it, Speed);
        for (uint32_t i = 0; i < it->count; i++) {
            places[i].x += speeds[i].x;
            places[i].y += speeds[i].y;
        }
    }
}

static void colony_age(ilk_iter* it) {
    while (ilk_next(it)) {
        Age* ages = ILK_WRITE(it, Age);
        for (uint32_t i = 0; i < it->count; i++) ages[i].frames++;
    }
}

static void colony_bear(ilk_cmd* cmd, ilk_entity parent, const Place* place) {
    if (colony_chance(parent, 7) % 3) {
        ilk_entity child =
            ilk_cmd_spawn(cmd, ILK_VALUES(ILK_VALUE(Place, place->x + 1, place->y),
                                          ILK_VALUE(Speed, 1, -1), ILK_VALUE(Age, 0)));
        ilk_cmd_set(cmd, child, ILK_VALUE(Parent, parent));
    } else {
        ilk_entity child = ilk_cmd_create(cmd);
        ilk_cmd_add(cmd, child, ILK_VALUE(Age, 0));
        ilk_cmd_set(cmd, child, ILK_VALUE(Place, place->x, place->y + 1));
        ilk_cmd_set(cmd, child, ILK_VALUE(Parent, parent));
    }
}

static void colony_breed(ilk_iter* it) {
    const colony* c = it->user;
    while (ilk_next(it)) {
        const Place* places = ILK_READ(it, Place);
        const Age* ages = ILK_READ(it, Age);
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t chance = colony_chance(it->entities[i], ages[i].frames);
            if (chance % (c->is_crowded ? 97 : 11) == 0) {
                colony_bear(it->cmd, it->entities[i], &places[i]);
            }
            // A few have a whole brood at once, which one piece creates alone.
            for (uint32_t k = 0; !c->is_crowded && chance % 4001 == 1 && k < 700; k++) {
                colony_bear(it->cmd, it->entities[i], &places[i]);
            }
        }
    }
}

static void colony_end(ilk_iter* it) {
    const colony* c = it->user;
    while (ilk_next(it)) {
        const Age* ages = ILK_READ(it, Age);
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t chance = colony_chance(it->entities[i], ages[i].frames + 1000);
            if (chance % (c->is_crowded ? 13 : 59) == 0) ilk_cmd_destroy(it->cmd, it->entities[i]);
        }
    }
}

static void colony_hurt(ilk_iter* it) {
    while (ilk_next(it)) {
        const Age* ages = ILK_READ(it, Age);
        for (uint32_t i = 0; i < it->count; i++) {
            ilk_entity e = it->entities[i];
            switch (colony_chance(e, ages[i].frames + 2000) % 41) {
            case 0:
                ilk_cmd_set(it->cmd, e, ILK_WITH(Hurt));
                break;
            case 1:
                ilk_cmd_remove(it->cmd, e, &Hurt_type);
                break;
            case 2:
                ilk_cmd_disable(it->cmd, e, &Speed_type);
                break;
            case 3:
                ilk_cmd_enable(it->cmd, e, &Speed_type);
                break;
            case 4:
                ilk_cmd_remove(it->cmd, e, &Speed_type);
                break;
            case 5:
                ilk_cmd_set(it->cmd, e, ILK_VALUE(Speed, 2, (int32_t)ages[i].frames));
                break;
            default:
                break;
            }
        }
    }
}

// Looks at other entities, and walks another query in between.
static void colony_mourn(ilk_iter* it) {
    colony* c = it->user;
    while (ilk_next(it)) {
        const Parent* parents = ILK_READ(it, Parent);
        for (uint32_t i = 0; i < it->count; i++) {
            const Place* place = ILK_GET(it->world, parents[i].entity, Place);
            if (place && place->x % 5) continue;
            ilk_cmd_remove(it->cmd, it->entities[i], &Parent_type);
        }
    }
    for (ilk_iter hurt = ilk_query_iter(it->world, c->hurt); ilk_next(&hurt);) {
        if (hurt.count > 3) ilk_cmd_remove(it->cmd, hurt.entities[0], &Hurt_type);
    }
}

static void colony_look(ilk_iter* it) {
    colony* c = it->user;
    while (ilk_next(it)) c->seen += it->count;
}

static void colony_count(ilk_iter* it) {
    colony* c = it->user;
    c->orphans += ilk_query_count(it->world, c->hurt);
}

static void colony_systems(colony* c) {
    const ilk_system_desc systems[] = {
        {.name = "move",
         .run = colony_move,
         .query = {.write = {&Place_type}, .read = {&Speed_type}}},
        {.name = "age", .run = colony_age, .query = {.write = {&Age_type}}},
        {.name = "breed", .run = colony_breed, .query = {.read = {&Place_type, &Age_type}}},
        {.name = "end", .run = colony_end, .query = {.read = {&Age_type}}},
        {.name = "hurt", .run = colony_hurt, .query = {.read = {&Age_type}}, .after = {"end"}},
        {.name = "mourn",
         .run = colony_mourn,
         .query = {.read = {&Parent_type}},
         .reads = {&Place_type}},
        {.name = "look", .run = colony_look, .query = {.changed = {&Age_type}}},
        {.name = "count", .run = colony_count, .stays_on_main = true, .reads = {&Age_type}},
    };
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        ilk_system_desc desc = systems[i];
        desc.user = c;
        desc.piece_rows = 64;
        desc.is_parallel = desc.run != colony_look && desc.run != colony_count;
        if (!ilk_system_create(c->world, &desc)) abort();
    }
}

static inline colony* colony_make(const ilk_world_desc* desc, uint32_t count, uint64_t seed) {
    colony* c = calloc(1, sizeof *c);
    if (!c) abort();
    c->world = ilk_world_create(desc);
    if (!c->world) abort();
    for (uint32_t i = 0; i < count; i++) {
        ILK_SPAWN(c->world, ILK_VALUE(Place, (int32_t)i, 0), ILK_VALUE(Speed, 1, 2),
                  ILK_VALUE(Age, i % 100));
    }
    c->all = ilk_query_create(c->world, NULL);
    c->hurt = ilk_query_create(c->world, &(ilk_query_desc){.with = {&Hurt_type}});
    if (!c->all || !c->hurt) abort();
    colony_systems(c);
    c->world->schedule->wave.worth = 0; // so that workers are woken for the least work
    c->world->schedule->wave.seed = seed;
    return c;
}

static inline void colony_free(colony* c) {
    ilk_world_destroy(c->world);
    free(c);
}

static inline void colony_step(colony* c) {
    c->is_crowded = ilk_stats(c->world).alive > 4000;
    if (ilk_update(c->world, 1.0 / 60) != ILK_OK) abort();
}

static inline uint64_t colony_mix(uint64_t hash, const void* bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const unsigned char*)bytes)[i]) * 0x100000001b3u;
    }
    return hash;
}

static inline uint64_t colony_mix_entity(colony* c, uint64_t hash, ilk_entity e) {
    ilk_type* types[] = {&Place_type, &Speed_type, &Age_type, &Parent_type, &Hurt_type};
    uint32_t words[] = {e.index, e.generation};
    hash = colony_mix(hash, words, sizeof words);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        unsigned char flags[] = {ilk_has(c->world, e, types[i]), 0};
        flags[1] = flags[0] && ilk_enabled(c->world, e, types[i]);
        hash = colony_mix(hash, flags, sizeof flags);
        const void* value =
            types[i]->size && flags[0] ? ilk_get(c->world, e, types[i], NULL) : NULL;
        if (value) hash = colony_mix(hash, value, types[i]->size);
    }
    return hash;
}

// Everything that can be seen, in the order in which it is visited.
static inline uint64_t colony_hash(colony* c) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (ilk_iter it = ilk_query_iter(c->world, c->all); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            hash = colony_mix_entity(c, hash, it.entities[i]);
        }
    }
    ilk_world_stats stats = ilk_stats(c->world);
    uint64_t counts[] = {stats.alive,  stats.ever,   stats.slots, stats.retired,
                         stats.chunks, stats.blocks, c->orphans,  c->seen};
    return colony_mix(hash, counts, sizeof counts);
}

#endif
