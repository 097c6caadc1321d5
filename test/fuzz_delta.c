// Deltas as a target of libFuzzer: one that is right is changed in some places, or any bytes are
// one, with a check that is put right and nothing promised, since nobody would ever guess them. It
// is refused and the world is as it was, or it is taken and the world is sound. Otherwise it
// aborts.
#include <ilk/ilk.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history/delta.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

typedef struct Place {
    float x, y;
} Place;
ILK_COMPONENT_WITH(Place, .fields = ILK_FIELDS(ILK_FIELD(Place, x), ILK_FIELD(Place, y)));
typedef struct Cargo {
    uint64_t words[12];
} Cargo;
ILK_COMPONENT(Cargo);
typedef struct Rest {
    int left;
} Rest;
ILK_COMPONENT_WITH(Rest, .outlives = true);
typedef struct Cache {
    int* made;
} Cache;
static void cache_init(void* value, void* context);
static void cache_drop(void* value, void* context);
ILK_COMPONENT_WITH(Cache, .unrecorded = true, .hooks = {.init = cache_init, .drop = cache_drop});
typedef struct Counter {
    int value;
} Counter;
ILK_COMPONENT_WITH(Counter, .track = true);
ILK_TAG(Marked);
ILK_RELATION_WITH(Owes, .value = &Rest_type);
typedef struct Note {
    int value;
} Note;
ILK_EVENT(Note);

enum {
    HEAD = ILKI_DELTA_HEAD,
    BASES = 4
};

static ilk_world* world;
static ilk_snapshot* begin;
static uint64_t hash;
static uint8_t* bases[BASES];
static size_t base_sizes[BASES];

static void require(bool holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void cache_init(void* value, void* context) {
    (void)context;
    ((Cache*)value)->made = calloc(1, sizeof(int));
}

static void cache_drop(void* value, void* context) {
    (void)context;
    free(((Cache*)value)->made);
}

static void move(ilk_iter* it) {
    Place* place = ILK_WRITE(it, Place);
    for (uint32_t i = 0; i < it->count; i++) place[i].x++;
}

static void count(ilk_iter* it) {
    ilk_resource_set(it->world, ILK_VALUE(Counter, 3));
}

static void add_systems(void) {
    ilk_system_create(world, &(ilk_system_desc){.name = "move",
                                                .run = move,
                                                .query = {.write = {&Place_type}},
                                                .is_parallel = true});
    ilk_system_create(world, &(ilk_system_desc){.name = "seldom", .run = count, .interval = 0.5});
    ilk_system_create(world, &(ilk_system_desc){.name = "often", .run = count, .phase = "fixed"});
    ilk_scene_add(world, &(ilk_scene_desc){.name = "menu"});
    ilk_scene_add(world, &(ilk_scene_desc){.name = "game"});
    ilk_scene_push(world, "menu");
}

static ilk_entity at(uint32_t index) {
    return ilk_entity_at(world, index);
}

static void populate(void) {
    for (int i = 0; i < 40; i++) {
        ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Place, (float)i, 1));
        if (i % 3 == 0) ilk_add(world, e, ILK_WITH(Cargo));
        if (i % 5 == 0) ilk_add(world, e, ILK_WITH(Marked));
        if (i % 7 == 0) ilk_set_name(world, e, i % 2 ? "odd" : "even");
        if (i % 4 == 1) ilk_set_parent(world, e, at((uint32_t)i / 4));
        if (i % 6 == 2) ilk_relate(world, e, &Owes_type, at((uint32_t)i / 2));
        if (i % 8 == 3) ilk_set_id(world, e, (ilk_id){1, (uint64_t)i});
        if (i % 4 == 2) ilk_add(world, e, ILK_WITH(Cache));
        if (i % 9 == 4) ilk_add(world, e, ILK_WITH(Counter));
    }
    ILK_SPAWN(world, ILK_WITH(Rest));
    ilk_create(world);
    ilk_resource_set(world, ILK_VALUE(Note, 3));
    ilk_resource_set(world, ILK_WITH(Cache));
    ilk_emit(world, ILK_VALUE(Note, 1));
    ilk_update(world, 0.1);
}

static void change(uint32_t how) {
    if (how == 0) ILK_EDIT(world, at(3), Place)->x = 9;
    if (how == 1) ilk_destroy(world, at(2));
    for (uint32_t i = 5; how == 2 && i < 30; i++) {
        ilk_destroy(world, at(i));
        ILK_SPAWN(world, ILK_WITH(Place), (ilk_value){i % 2 ? &Cargo_type : &Cache_type, NULL});
        ilk_relate(world, at(i + 1), &Owes_type, at(40 - i));
        ilk_set_name(world, at(i + 2), "even");
        ilk_emit(world, ILK_VALUE(Note, 7));
    }
    if (how == 2) ilk_settle(world, 0);
    if (how == 2) ilk_scene_push(world, "game");
}

// The time is set to what ends soon.
static void go_on(void) {
    change(2);
    ilk_set_fixed_step(world, 0.02, 8);
    ilk_set_time_scale(world, 1);
    require(ilk_emit(world, ILK_VALUE(Note, 9)) == ILK_OK, "an event is not sent");
    require(ilk_update(world, 0.05) == ILK_OK, "it does not go on");
    ilk_settle(world, 0);
}

static void keep_base(uint32_t base, ilk_snapshot* from) {
    ilk_snapshot* to = ilk_snapshot_take(world);
    const void* bytes = ilk_delta_make(from, to, &base_sizes[base]);
    require(bytes != NULL, "no delta");
    bases[base] = malloc(base_sizes[base]);
    memcpy(bases[base], bytes, base_sizes[base]);
    ilk_snapshot_release(to);
}

static void start(void) {
    world = ilk_world_create(&(ilk_world_desc){0});
    ilk_reader_create(world, &(ilk_reader_desc){.type = &Note_type});
    add_systems();
    populate();
    begin = ilk_snapshot_take(world);
    hash = ilk_hash_layout(world);
    for (uint32_t i = 0; i < BASES; i++) {
        change(i);
        keep_base(i, i == BASES - 1 ? NULL : begin);
        require(ilk_snapshot_restore(begin) == ILK_OK, "no way back");
    }
}

static void put_right(uint8_t* delta, size_t size) {
    memset(delta + ILKI_DELTA_TO, 0, 16);
    uint64_t check = ilki_delta_check(delta, size);
    for (uint32_t i = 0; i < 8; i++) delta[ILKI_DELTA_CHECK + i] = (uint8_t)(check >> 8 * i);
}

static void apply(uint8_t* delta, size_t size) {
    char why[200] = "";
    put_right(delta, size);
    ilk_result result = ilk_delta_apply(world, delta, size);
    require(ilk_world_validate(world, why, sizeof why) == ILK_OK, why);
    if (result != ILK_OK) require(ilk_hash_layout(world) == hash, "it was refused, and changed");
    if (result == ILK_OK) {
        go_on();
        require(ilk_world_validate(world, why, sizeof why) == ILK_OK, why);
    }
    require(ilk_snapshot_restore(begin) == ILK_OK, "no way back");
    require(ilk_hash_layout(world) == hash, "it is not as it was");
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    if (!world) start();
    if (!size) return 0;
    uint32_t base = bytes[0] % BASES;
    bool is_edited = !(bytes[0] & 0x80);
    size_t length = is_edited ? base_sizes[base] : HEAD + size - 1;
    uint8_t* delta = malloc(length);
    memcpy(delta, bases[base], is_edited ? length : HEAD);
    if (!is_edited) {
        memcpy(delta + HEAD, bytes + 1, size - 1);
        for (uint32_t i = 0; i < 8; i++)
            delta[ILKI_DELTA_SIZE + i] = (uint8_t)((uint64_t)(size - 1) >> 8 * i);
    }
    for (size_t i = 1; is_edited && i + 3 <= size; i += 3) {
        size_t place = HEAD + (bytes[i] + 256u * bytes[i + 1]) % (length - HEAD);
        delta[place] = (uint8_t)(delta[place] + bytes[i + 2]);
    }
    apply(delta, length);
    free(delta);
    return 0;
}
