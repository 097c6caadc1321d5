// A world in which much has happened, of types whose fields are all described, and its hashes: the
// same on every machine. Whoever changes what is hashed, or how, changes them.
#ifndef ILK_TEST_GOLDEN_SUPPORT_H
#define ILK_TEST_GOLDEN_SUPPORT_H

#include <ilk/ilk.h>

#define GOLDEN_STATE 0x3ecf83962ae18ff2u
#define GOLDEN_LAYOUT 0xee1124a223e60b67u
#define GOLDEN_MIXED 0xb6ccb5d683d64023u

typedef struct GoldenPlace {
    float x, y;
} GoldenPlace;
ILK_COMPONENT_WITH(GoldenPlace,
                   .fields = ILK_FIELDS(ILK_FIELD(GoldenPlace, x), ILK_FIELD(GoldenPlace, y)));

// One of each kind of field, with padding that depends on the machine.
typedef struct GoldenMixed {
    bool is_on;
    double weight;
    int8_t small;
    uint16_t words[3];
    int64_t large;
    char text[5];
    ilk_entity friends[2];
    const void* pointer;
    uint32_t last;
} GoldenMixed;
ILK_COMPONENT_WITH(GoldenMixed, .fields = ILK_FIELDS(
                                    ILK_FIELD(GoldenMixed, is_on), ILK_FIELD(GoldenMixed, weight),
                                    ILK_FIELD(GoldenMixed, small), ILK_FIELD(GoldenMixed, words),
                                    ILK_FIELD(GoldenMixed, large), ILK_FIELD(GoldenMixed, text),
                                    ILK_FIELD(GoldenMixed, friends),
                                    ILK_FIELD(GoldenMixed, pointer), ILK_FIELD(GoldenMixed, last)));

typedef struct GoldenCount {
    uint32_t count;
} GoldenCount;
ILK_COMPONENT_WITH(GoldenCount, .fields = ILK_FIELDS(ILK_FIELD(GoldenCount, count)));
ILK_TAG(GoldenTag);
ILK_RELATION_WITH(GoldenOwes, .value = &GoldenCount_type);

enum {
    GOLDEN_CROWD = 300
};

static inline void golden_move(ilk_iter* it) {
    while (ilk_next(it)) {
        GoldenPlace* at = ILK_WRITE(it, GoldenPlace);
        for (uint32_t i = 0; i < it->count; i++) {
            at[i].x += 0.5f;
            if (it->entities[i].index % 64 == 5) {
                ILK_EMIT_TO(it->cmd, it->entities[i], GoldenCount, it->entities[i].index);
            }
        }
    }
}

static inline ilk_value golden_mixed(GoldenMixed* value, uint32_t i, ilk_entity friend) {
    memset(value, 0x5a, sizeof(*value)); // what lies in between is not to be seen
    *value = (GoldenMixed){.is_on = i % 2,
                           .weight = i * 0.25,
                           .small = (int8_t)-i,
                           .words = {1, (uint16_t)(i * 257), 3},
                           .large = -(int64_t)i * 10000000000,
                           .text = "abcd",
                           .friends = {friend, {7, 3}},
                           .pointer = value,
                           .last = i};
    return (ilk_value){&GoldenMixed_type, value};
}

// What all sorts of verbs leave behind: holes, guests, exceptions, values switched off.
static inline void golden_stir(ilk_world* world, const ilk_entity* crowd, bool is_mixed) {
    for (uint32_t i = 0; i < GOLDEN_CROWD; i++) {
        GoldenMixed mixed;
        if (is_mixed && i % 3 == 0) ilk_add(world, crowd[i], golden_mixed(&mixed, i, crowd[i / 2]));
        if (i % 5 == 0) ilk_add(world, crowd[i], ILK_WITH(GoldenTag));
        if (i % 7 == 0) ilk_disable(world, crowd[i], &GoldenPlace_type);
        if (i % 11 == 0) ilk_deactivate(world, crowd[i]);
        if (i % 13 == 0) ilk_remove(world, crowd[i], &GoldenPlace_type);
        if (i % 17 == 16) ilk_destroy(world, crowd[i]);
    }
}

static inline void golden_relate(ilk_world* world, const ilk_entity* crowd) {
    char name[] = "name-?";
    for (uint32_t i = 20; i < 60; i++) {
        uint32_t count = i * 3;
        ilk_relate_value(world, crowd[i], &GoldenOwes_type, crowd[i % 4], &count);
        ilk_relate(world, crowd[i], &GoldenOwes_type, crowd[4 + i % 3]);
        ilk_set_parent(world, crowd[i], crowd[i % 6]);
        name[5] = (char)('a' + i % 10);
        ilk_set_name(world, crowd[i], name);
        ilk_set_id(world, crowd[i], ilk_make_id(&(uint8_t){(uint8_t)i}, 1));
    }
    ilk_child_move(world, crowd[50], crowd[20]);
}

// NULL without memory. How values of a type lie depends on their size, which is not the same on
// every machine for those that are mixed: so they are left out for the layout.
static inline ilk_world* golden_world(uint32_t workers, bool is_mixed) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.name = "golden", .workers = workers});
    ilk_entity crowd[GOLDEN_CROWD];
    if (!world) return NULL;
    ilk_reader_create(world, &(ilk_reader_desc){.type = &GoldenCount_type});
    ilk_system_create(world, &(ilk_system_desc){.name = "move",
                                                .run = golden_move,
                                                .is_parallel = true,
                                                .query = {.write = {&GoldenPlace_type}}});
    for (uint32_t i = 0; i < GOLDEN_CROWD; i++) {
        const GoldenPlace at = {(float)i, (float)i / 8};
        crowd[i] = i % 10 ? ILK_SPAWN(world, ILK_VALUE_AT(GoldenPlace, &at)) : ilk_create(world);
    }
    golden_stir(world, crowd, is_mixed);
    golden_relate(world, crowd);
    ilk_resource_set(world, ILK_VALUE(GoldenCount, 42));
    ilk_resource_set(world, ILK_VALUE(GoldenPlace, 1, 2));
    for (uint32_t i = 0; i < 5; i++) ilk_update(world, 1.0 / 64);
    return world;
}

#endif
