// Random operations on a world with spaces of every kind: whatever happens to the world, each
// answer is that of looking at everybody. SEED is that of the first world, ILK_QUESTIONS how many
// are asked. R001.58, R001.59
#include <ilk/delta.h>

#include "space_support.h"

enum {
    SPACES = 10,
    FRAMES_KEPT = 5,
    MOST = 220 // entities, about
};

typedef struct Slide {
    float by;
} Slide;
ILK_COMPONENT(Slide);

typedef struct play {
    ilk_world* world;
    arena arenas[SPACES];
    uint32_t count; // of spaces
    ilk_snapshot* kept[3];
    ilk_ring* ring;
} play;

// Spaces

// A box of points of health, where the place is; nobody who is dead.
static bool where_healthy(ilk_world* world, ilk_entity e, void* user, ilk_box* box) {
    (void)user;
    const Place* its = ILK_GET(world, e, Place);
    const Health* health = ILK_GET(world, e, Health);
    if (!its || (health && health->points < 5)) return false;
    for (uint32_t i = 0; i < 3; i++) {
        box->low[i] = its->at[i];
        box->high[i] = box->low[i] + (health ? health->points / 8.0 : 0);
    }
    return true;
}

static bool where_parent(ilk_world* world, ilk_entity e, void* user, ilk_box* box) {
    (void)user;
    ilk_entity parent = ilk_parent(world, e);
    const Spot* its = ilk_is_null(parent) ? NULL : ILK_GET(world, parent, Spot);
    if (!its) return false;
    box->low[0] = box->high[0] = its->x;
    box->low[1] = box->high[1] = its->y;
    return true;
}

// What is found is compared with what this query matches.
static ilk_query* query_like(ilk_world* world, const ilk_space_desc* desc) {
    ilk_query_desc query = desc->query;
    if (desc->type) query.read[0] = desc->type;
    ilk_query* made = ilk_query_create(world, &query);
    assert_non_null(made);
    return made;
}

static void add_space(play* p, ilk_space_desc desc, uint32_t dims) {
    arena* a = &p->arenas[p->count++];
    desc.kind = (ilk_space_kind)chance(3);
    if (chance(6) == 0) desc.cell = ldexp(1, (int)chance(16) - 8);
    *a = (arena){.world = p->world, .type = desc.type ? desc.type : &Place_type, .dims = dims};
    a->space = ilk_space_create(p->world, &desc);
    assert_non_null(a->space);
    a->query = query_like(p->world, &desc);
    a->where = desc.where;
    a->layout = (layout)chance(LAYOUTS);
}

static void add_spaces(play* p) {
    ilk_space_desc descs[SPACES] = {
        {.type = &Place_type, .query = {.without = {&Ghost_type}}},
        {.type = &Place_type, .query = {.inactive = true}},
        {.type = &Place_type, .query = {.any = {&Health_type, &Ghost_type}}},
        {.type = &Place_type, .phase = "update", .name = "followed"},
        {.type = &Place_type,
         .query = {.relates = {{.relation = &ilk_child_of_type, .having = &Spot_type}}}},
        {.type = &Spot_type, .query = {.where = "!Ghost | Health"}},
        {.type = &Bounds_type, .field = "low", .high = "high"},
        {.type = &Bounds_type, .field = "low", .high = "high", .query = {.with = {&Health_type}}},
        {.query = {.with = {&Place_type}},
         .where = where_healthy,
         .reads = {&Place_type, &Health_type}},
        {.where = where_parent, .is_flat = true, .phase = "post"},
    };
    for (uint32_t i = 0; i < SPACES; i++) {
        if (chance(4) == 0) continue;
        bool is_flat = descs[i].type == &Spot_type || descs[i].is_flat;
        add_space(p, descs[i], is_flat ? 2 : 3);
    }
}

// Operations

typedef union any_value {
    Place place;
    Spot spot;
    Bounds bounds;
} any_value;

static ilk_type* const types[] = {&Place_type, &Spot_type, &Bounds_type};

static any_value some_value(const play* p, ilk_type* type) {
    arena a = {.world = p->world, .type = type, .layout = UNIFORM, .dims = 3};
    if (p->count) a.layout = p->arenas[0].layout;
    any_value value;
    memset(&value, 0, sizeof value);
    pick_value(&a, &value);
    return value;
}

static ilk_entity anybody(const play* p) {
    return ilk_entity_at(p->world, chance(ilk_stats(p->world).slots + 1));
}

static bool is_crowded(const play* p) {
    return ilk_stats(p->world).alive > MOST;
}

static void spawn_one(play* p) {
    if (is_crowded(p)) return;
    ilk_type* type = types[chance(3)];
    any_value value = some_value(p, type);
    ilk_entity e = ilk_spawn(p->world, (ilk_value[]){{type, &value}}, 1);
    if (chance(2)) ilk_set(p->world, e, ILK_VALUE(Health, (int32_t)chance(40)));
    if (chance(4) == 0) ilk_set(p->world, e, ILK_VALUE(Slide, (float)chance(9) - 4));
    if (chance(6) == 0) ilk_copy(p->world, e);
}

static void spawn_crowd(play* p) {
    if (is_crowded(p)) return;
    ilk_batch batch;
    ilk_spawn_many(p->world, &batch, 1 + chance(60), ILK_TYPES(&Place_type, &Health_type));
    while (ilk_batch_next(&batch)) {
        Place* places = ILK_FILL(&batch, Place);
        for (uint32_t i = 0; i < batch.count; i++) places[i] = some_value(p, &Place_type).place;
    }
}

static void destroy_some(play* p) {
    ilk_entity list[12];
    uint32_t count = chance(3) ? 1 : chance(COUNT_OF(list));
    for (uint32_t i = 0; i < count; i++) list[i] = anybody(p);
    ilk_destroy_many(p->world, list, count);
}

static void give_or_take(play* p) {
    ilk_entity e = anybody(p);
    ilk_type* type = types[chance(3)];
    any_value value = some_value(p, type);
    switch (chance(6)) {
    case 0:
        ilk_remove(p->world, e, type);
        break;
    case 1:
        ilk_remove(p->world, e, &Health_type);
        break;
    case 2:
        ilk_set(p->world, e, ILK_VALUE(Health, (int32_t)chance(40)));
        break;
    case 3:
        if (chance(8) == 0) ilk_remove_all(p->world, e);
        break;
    default:
        ilk_set(p->world, e, (ilk_value){type, &value});
    }
}

static void edit_some(play* p) {
    for (uint32_t i = chance(8) ? 1 + chance(4) : chance(150); i; i--) {
        ilk_entity e = anybody(p);
        ilk_type* type = types[chance(3)];
        void* value = ilk_has(p->world, e, type) ? ilk_edit(p->world, e, type) : NULL;
        if (!value) continue;
        any_value other = some_value(p, type);
        memcpy(value, &other, type->size);
    }
}

static void haunt(play* p) {
    ilk_entity e = anybody(p);
    if (chance(2))
        ilk_set(p->world, e, ILK_WITH(Ghost));
    else
        ilk_remove(p->world, e, &Ghost_type);
}

static void switch_one(play* p) {
    ilk_type* const all[] = {&Place_type, &Spot_type,   &Bounds_type,
                             &Ghost_type, &Health_type, &ilk_child_of_type};
    (chance(2) ? ilk_disable : ilk_enable)(p->world, anybody(p), all[chance(COUNT_OF(all))]);
}

static void rest_or_wake(play* p) {
    (chance(2) ? ilk_deactivate : ilk_activate)(p->world, anybody(p));
}

static void adopt(play* p) {
    ilk_set_parent(p->world, anybody(p), chance(4) ? anybody(p) : (ilk_entity){0});
}

static void by_commands(play* p) {
    ilk_cmd* cmd = ilk_cmd_take(p->world);
    for (uint32_t i = chance(5); i; i--) {
        any_value value = some_value(p, &Place_type);
        ilk_entity e = is_crowded(p) || chance(2) ? anybody(p) : ilk_cmd_create(cmd);
        ilk_cmd_set(cmd, e, (ilk_value){&Place_type, &value});
        if (chance(4) == 0) ilk_cmd_deactivate(cmd, e);
        if (chance(4) == 0) ilk_cmd_destroy(cmd, e);
    }
    ilk_cmd_apply(cmd);
    ilk_cmd_give_back(cmd);
}

static void take_out_and_back(play* p) {
    ilk_type* const all[] = {&Place_type, &Spot_type, &Bounds_type, &Ghost_type, &Health_type};
    ilk_type* type = all[chance(COUNT_OF(all))];
    if (ilk_unregister(p->world, type) != ILK_OK || chance(2)) return;
    ilk_register(p->world, type);
}

static void bring_back(play* p) {
    ilk_type* const all[] = {&Place_type, &Spot_type, &Bounds_type, &Ghost_type, &Health_type};
    for (uint32_t i = 0; i < COUNT_OF(all); i++) ilk_register(p->world, all[i]);
}

static void go_elsewhere(play* p) {
    ilk_world* other = ilk_world_create(NULL);
    ilk_entity list[6], there[6], back[6];
    for (uint32_t i = 0; i < COUNT_OF(list); i++) list[i] = anybody(p);
    if (ilk_transfer(p->world, list, COUNT_OF(list), other, there) == ILK_OK || chance(2)) {
        ilk_transfer(other, there, COUNT_OF(there), p->world, back);
    }
    ilk_world_destroy(other);
}

// Going back

static void keep_or_go_back(play* p) {
    ilk_snapshot** one = &p->kept[chance(COUNT_OF(p->kept))];
    if (!*one) {
        *one = ilk_snapshot_take(p->world);
    } else if (chance(3) == 0) {
        ilk_snapshot_release(*one);
        *one = NULL;
    } else {
        ilk_snapshot_restore(*one);
    }
}

static void push_or_rewind(play* p) {
    ilk_ring_stats stats = ilk_ring_stats_of(p->ring);
    uint64_t frame = stats.oldest + chance((uint32_t)(stats.newest - stats.oldest) + 1);
    if (chance(3))
        ilk_ring_push(p->ring);
    else
        (chance(2) ? ilk_ring_look : ilk_ring_rewind)(p->ring, frame);
}

static void apply_delta(play* p) {
    ilk_snapshot *from = p->kept[0], *to = p->kept[1];
    if (!from || !to) return;
    size_t size;
    const void* bytes = ilk_delta_make(chance(2) ? from : NULL, to, &size);
    if (!bytes) return;
    void* copy = malloc(size);
    memcpy(copy, bytes, size);
    if (chance(2)) ilk_snapshot_restore(from);
    ilk_delta_apply(p->world, copy, size);
    free(copy);
}

// Systems

static void slide(ilk_iter* it) {
    while (ilk_next(it)) {
        Place* places = ILK_WRITE(it, Place);
        const Slide* slides = ILK_READ(it, Slide);
        for (uint32_t i = 0; i < it->count; i++) {
            places[i].at[0] += slides[i].by;
            ilk_entity e = it->entities[i];
            if (e.index % 13 == 0) ilk_cmd_destroy(it->cmd, e);
            if (e.index % 7 == 0) ilk_cmd_set(it->cmd, e, ILK_VALUE_AT(Place, &places[0]));
            if (e.index % 5 == 0) ilk_cmd_set(it->cmd, e, ILK_WITH(Ghost));
            if (e.index % 3 == 0) ilk_cmd_spawn(it->cmd, (ilk_value[]){ILK_WITH(Place)}, 1);
        }
    }
}

static void add_systems(play* p) {
    static const char* const names[] = {"slide before", "slide after"};
    for (uint32_t i = 0; i < 2; i++) {
        ilk_system_desc desc = {.name = names[i],
                                .run = slide,
                                .order = i ? 1 : -1,
                                .is_parallel = chance(2),
                                .query = {.write = {&Place_type}, .read = {&Slide_type}}};
        assert_non_null(ilk_system_create(p->world, &desc));
    }
}

static void update(play* p) {
    ilk_update(p->world, 0.1);
    if (chance(6)) return;
    ilk_system* system = ilk_system_at(p->world, chance(ilk_system_count(p->world)));
    ilk_system_enable(system, chance(4));
}

static void begin_anew(play* p) {
    if (chance(2)) ilk_trim(p->world);
    if (chance(2)) ilk_settle(p->world, chance(2) ? 0 : chance(4));
    if (chance(40) == 0) ilk_clear(p->world);
    if (chance(80) == 0) ilk_reset(p->world);
}

typedef void operation_fn(play* p);
typedef struct operation {
    operation_fn* run;
    uint32_t weight;
} operation;
static const operation operations[] = {
    {spawn_one, 22},   {spawn_crowd, 1},     {destroy_some, 8},      {give_or_take, 14},
    {edit_some, 20},   {haunt, 5},           {switch_one, 8},        {rest_or_wake, 6},
    {adopt, 6},        {by_commands, 4},     {take_out_and_back, 1}, {bring_back, 3},
    {go_elsewhere, 1}, {keep_or_go_back, 4}, {push_or_rewind, 4},    {apply_delta, 2},
    {update, 4},       {begin_anew, 2},
};

static void do_something(play* p) {
    uint32_t all = 0;
    for (uint32_t i = 0; i < COUNT_OF(operations); i++) all += operations[i].weight;
    uint32_t at = chance(all), which = 0;
    for (; at >= operations[which].weight; which++) at -= operations[which].weight;
    operations[which].run(p);
}

// Playing

static void open_play(play* p, uint32_t seed) {
    random_state = seed;
    *p = (play){.world = ilk_world_create(&(ilk_world_desc){.workers = chance(2)})};
    for (uint32_t i = 0; i < COUNT_OF(types); i++) assert_ok(ilk_register(p->world, types[i]));
    assert_ok(ilk_register(p->world, &Ghost_type));
    assert_ok(ilk_register(p->world, &Health_type));
    add_systems(p);
    add_spaces(p);
    p->ring = ilk_ring_create(p->world, &(ilk_ring_desc){.frames = FRAMES_KEPT});
    assert_non_null(p->ring);
}

static void close_play(play* p) {
    for (uint32_t i = 0; i < p->count; i++) ilk_space_destroy(p->arenas[i].space);
    assert_int_equal(ilk_system_count(p->world), 2);
    assert_int_equal(ilk_observer_count(p->world), 0);
    assert_valid(p->world);
    ilk_world_destroy(p->world);
}

static uint32_t number(const char* name, uint32_t otherwise) {
    const char* wanted = getenv(name);
    return wanted ? (uint32_t)strtoul(wanted, NULL, 10) : otherwise;
}

static void whatever_happens_answers_are_those_of_looking_at_everybody(void** state) {
    (void)state;
    uint32_t most = number("ILK_QUESTIONS", getenv("ILK_SLOWLY") ? 500 : 15000);
    uint32_t seed = number("SEED", 1), each = 500;
    for (uint32_t asked = 0; asked < most; seed++) {
        play p;
        open_play(&p, seed);
        for (uint32_t i = 0; i < each && p.count; i++, asked++) {
            for (uint32_t k = chance(10); k; k--) do_something(&p);
            const arena* a = &p.arenas[chance(p.count)];
            ilk_ask ask = pick_ask(a);
            if (getenv("ILK_TELL")) print_message("seed %u, question %u\n", seed, i);
            ask_once(a, &ask);
        }
        close_play(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_happens_answers_are_those_of_looking_at_everybody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
