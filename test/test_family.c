// Relations, names and blueprints by commands of systems that run in pieces: the same families for
// any number of workers.
#include "colony.h"
#include "workers_support.h"

typedef struct Kin {
    uint32_t age;
    ilk_entity friend, foe;
} Kin;
ILK_COMPONENT_WITH(Kin, .fields = ILK_FIELDS(ILK_FIELD(Kin, age), ILK_FIELD(Kin, friend),
                                             ILK_FIELD(Kin, foe)));
typedef struct Count {
    uint32_t value;
} Count;
ILK_COMPONENT(Count);
ILK_RELATION_WITH(Likes, .value = &Count_type);
ILK_RELATION_WITH(Serves, .is_exclusive = true);
ILK_RELATION_WITH(Guards, .at_end = ILK_END_SOURCE);

enum {
    FIRST_MEMBERS = 700,
    MOST_MEMBERS = 3000,
    NAMES = 40
};

typedef struct family {
    ilk_world* world;
    ilk_query* all;
    ilk_blueprint* house;
    bool is_crowded;
    uint32_t found; // by systems that only look
} family;

static void name_of(char text[16], uint32_t chance) {
    snprintf(text, 16, "kin%u", chance % NAMES);
}

static uint32_t chance_of(const ilk_iter* it, uint32_t row, const Kin* kin, uint32_t salt) {
    return colony_chance(it->entities[row], kin->age * 16 + salt);
}

static void grow_old(ilk_iter* it) {
    while (ilk_next(it)) {
        Kin* kin = ILK_WRITE(it, Kin);
        for (uint32_t i = 0; i < it->count; i++) kin[i].age++;
    }
}

static void relate_one(ilk_cmd* cmd, ilk_entity e, const Kin* kin, uint32_t chance) {
    Count count = {chance};
    switch (chance % 12) {
    case 0:
        ilk_cmd_relate_value(cmd, e, &Likes_type, kin->friend, &count);
        break;
    case 1:
        ilk_cmd_relate(cmd, e, &Likes_type, kin->foe);
        break;
    case 2:
        ilk_cmd_unrelate(cmd, e, &Likes_type, kin->friend);
        break;
    case 3:
        ilk_cmd_relate(cmd, e, &Serves_type, kin->foe);
        break;
    case 4:
        ilk_cmd_set(cmd, e, ILK_VALUE(Kin, kin->age, kin->foe, kin->friend));
        break;
    case 5:
        ilk_cmd_relate(cmd, e, &Guards_type, kin->friend);
        break;
    case 6:
        ilk_cmd_unrelate(cmd, e, &Guards_type, kin->friend);
        break;
    default:
        break;
    }
}

static void relate(ilk_iter* it) {
    while (ilk_next(it)) {
        const Kin* kin = ILK_READ(it, Kin);
        for (uint32_t i = 0; i < it->count; i++) {
            relate_one(it->cmd, it->entities[i], &kin[i], chance_of(it, i, &kin[i], 1));
        }
    }
}

// Parents, some of whom are below already; names, some of which others have.
static void settle_down(ilk_iter* it) {
    char text[16];
    while (ilk_next(it)) {
        const Kin* kin = ILK_READ(it, Kin);
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t chance = chance_of(it, i, &kin[i], 2);
            ilk_entity e = it->entities[i];
            name_of(text, chance >> 8);
            if (chance % 9 == 0) ilk_cmd_set_parent(it->cmd, e, kin[i].friend);
            if (chance % 31 == 1) ilk_cmd_set_parent(it->cmd, e, (ilk_entity){0, 0});
            if (chance % 13 == 2) ilk_cmd_set_name(it->cmd, e, text);
            if (chance % 17 == 3) ilk_cmd_set_name(it->cmd, e, NULL);
            if (chance % 19 == 4) ilk_cmd_set_id(it->cmd, e, ilk_make_id(&chance, sizeof chance));
            if (chance % 23 == 5) ilk_cmd_child_move(it->cmd, e, kin[i].foe);
        }
    }
}

// Houses, with the two that live in each, below those who build them.
static void build(ilk_iter* it) {
    const family* f = it->user;
    char text[16];
    while (ilk_next(it)) {
        const Kin* kin = ILK_READ(it, Kin);
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t chance = chance_of(it, i, &kin[i], 3);
            if (chance % (f->is_crowded ? 301 : 29)) continue;
            ilk_entity house = ilk_cmd_blueprint_spawn(it->cmd, f->house);
            name_of(text, chance >> 8);
            ilk_cmd_set_name(it->cmd, house, text);
            ilk_cmd_set_parent(it->cmd, house, it->entities[i]);
            ilk_cmd_set(it->cmd, house, ILK_VALUE(Kin, 0, it->entities[i], kin[i].friend));
            ilk_cmd_relate(it->cmd, it->entities[i], &Serves_type, house);
        }
    }
}

static void die(ilk_iter* it) {
    const family* f = it->user;
    while (ilk_next(it)) {
        const Kin* kin = ILK_READ(it, Kin);
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t chance = chance_of(it, i, &kin[i], 4);
            if (chance % (f->is_crowded ? 23 : 211) == 0) {
                ilk_cmd_destroy(it->cmd, it->entities[i]);
            }
        }
    }
}

static uint32_t look_around(const ilk_world* world, ilk_entity e, uint32_t chance) {
    ilk_entity found[4];
    char text[16];
    name_of(text, chance);
    uint32_t count = ilk_targets(world, e, &Likes_type, found, 4) +
                     ilk_sources(world, e, &Serves_type, found, 4) +
                     ilk_children(world, e, found, 4) + ilk_depth(world, e);
    if (!ilk_is_null(ilk_up(world, e, &ilk_child_of_type, &Likes_type))) count++;
    if (!ilk_is_null(ilk_named(world, text))) count++;
    if (ilk_name_of(world, e)) count++;
    return count + (ilk_path_of(world, e, NULL, 0) > 0);
}

// Many ask at the same time, by all indexes that there are.
static void ask(ilk_iter* it) {
    family* f = it->user;
    uint32_t count = 0;
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            count += look_around(it->world, it->entities[i], it->entities[i].index);
        }
    }
    add_to(&f->found, count);
}

// Those below one that likes somebody.
static void ask_up(ilk_iter* it) {
    family* f = it->user;
    uint32_t count = 0;
    while (ilk_next(it)) count += it->count;
    add_to(&f->found, count);
}

static void make_systems(family* f) {
    ilk_system_desc systems[] = {
        {.name = "grow old", .run = grow_old, .query = {.write = {&Kin_type}}},
        {.name = "relate", .run = relate, .query = {.read = {&Kin_type}}},
        {.name = "settle down", .run = settle_down, .query = {.read = {&Kin_type}}},
        {.name = "build", .run = build, .query = {.read = {&Kin_type}}},
        {.name = "die", .run = die, .query = {.read = {&Kin_type}}},
        {.name = "ask",
         .run = ask,
         .query = {.read = {&Kin_type}},
         .reads = {&Likes_type, &Serves_type, &ilk_child_of_type, &ilk_name_type}},
        {.name = "ask up",
         .run = ask_up,
         .query =
             {.relates = {{.relation = &ilk_child_of_type, .having = &Likes_type, .up = true}}}},
    };
    for (uint32_t i = 0; i < COUNT_OF(systems); i++) {
        systems[i].user = f;
        systems[i].is_parallel = true;
        systems[i].piece_rows = 64;
        if (!ilk_system_create(f->world, &systems[i])) fail_msg("%s", ilk_error(f->world).text);
    }
}

static ilk_blueprint* make_house(void) {
    ilk_blueprint *house = ilk_blueprint_create(NULL), *last = NULL;
    assert_ok(ilk_blueprint_add(house, ILK_WITH(Count)));
    for (uint32_t i = 0; i < 2; i++) {
        ilk_blueprint* one = ilk_blueprint_create(NULL);
        ilk_entity other = ilk_blueprint_entity(last ? last : house);
        assert_ok(ilk_blueprint_add(one, ILK_VALUE(Kin, i, ilk_blueprint_entity(house), other)));
        assert_ok(ilk_blueprint_add_child(house, one));
        last = one;
    }
    return house;
}

static void found_family(family* f, uint32_t workers, uint64_t seed, ilk_names names) {
    *f = (family){.world = ilk_world_create(&(ilk_world_desc){.workers = workers, .names = names})};
    static ilk_entity members[FIRST_MEMBERS];
    for (uint32_t i = 0; i < FIRST_MEMBERS; i++) members[i] = ilk_create(f->world);
    for (uint32_t i = 0; i < FIRST_MEMBERS; i++) {
        assert_ok(ilk_add(f->world, members[i],
                          ILK_VALUE(Kin, i, members[(i * 7 + 1) % FIRST_MEMBERS],
                                    members[i * i % FIRST_MEMBERS])));
    }
    f->house = make_house();
    assert_ok(ilk_blueprint_register(f->world, "house", f->house));
    f->all = ilk_query_create(f->world, &(ilk_query_desc){.inactive = true});
    assert_non_null(f->all);
    make_systems(f);
    f->world->schedule->wave.worth = 0; // so that workers are woken for the least work
    f->world->schedule->wave.seed = seed;
}

static uint64_t mix_list(uint64_t hash, const ilk_entity* list, uint32_t count) {
    hash = colony_mix(hash, &count, sizeof count);
    for (uint32_t i = 0; i < count && i < 16; i++) hash = colony_mix(hash, &list[i], sizeof *list);
    return hash;
}

static uint64_t mix_relations(const family* f, uint64_t hash, ilk_entity e) {
    ilk_type* const types[] = {&Likes_type, &Serves_type, &Guards_type, &ilk_child_of_type};
    ilk_entity list[16];
    for (uint32_t i = 0; i < COUNT_OF(types); i++) {
        hash = mix_list(hash, list, ilk_targets(f->world, e, types[i], list, 16));
        const Count* carried = ilk_relation_get(f->world, e, types[i], list[0]);
        if (i == 0 && carried) hash = colony_mix(hash, carried, sizeof *carried);
        hash = mix_list(hash, list, ilk_sources(f->world, e, types[i], list, 16));
    }
    return hash;
}

static uint64_t mix_member(const family* f, uint64_t hash, ilk_entity e) {
    const Kin* kin = ILK_GET(f->world, e, Kin);
    const char* name = ilk_name_of(f->world, e);
    ilk_id id = ilk_id_of(f->world, e);
    hash = colony_mix(hash, &e, sizeof e);
    hash = colony_mix(hash, &id, sizeof id);
    if (kin) hash = colony_mix(hash, kin, sizeof *kin);
    if (name) hash = colony_mix(hash, name, strlen(name));
    return mix_relations(f, hash, e);
}

static uint64_t hash_family(const family* f) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (ilk_iter it = ilk_query_iter(f->world, f->all); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) hash = mix_member(f, hash, it.entities[i]);
    }
    return colony_mix(hash, &f->found, sizeof f->found);
}

static uint64_t live(uint32_t workers, uint64_t seed, uint32_t frames, ilk_names names) {
    family f;
    found_family(&f, workers, seed, names);
    for (uint32_t i = 0; i < frames; i++) {
        f.is_crowded = ilk_stats(f.world).alive > MOST_MEMBERS;
        assert_ok(ilk_update(f.world, 1.0 / 60));
    }
    assert_valid(f.world);
    ilk_world_stats stats = ilk_stats(f.world);
    assert_true(stats.ever > FIRST_MEMBERS && stats.ever > stats.alive); // some came, some went
    assert_true(stats.relations > FIRST_MEMBERS / 4 && f.found);
    uint64_t hash = hash_family(&f);
    ilk_world_destroy(f.world);
    return hash;
}

static void any_number_of_workers_gives_the_same_families(void** state) {
    (void)state;
    static const uint32_t workers[] = {1, 2, 3, 8};
    static const ilk_names names[] = {ILK_NAMES_FREE, ILK_NAMES_UNIQUE_AMONG_SIBLINGS,
                                      ILK_NAMES_UNIQUE};
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        uint64_t alone = live(0, 0, 12, names[i]);
        for (uint32_t k = 0; k < COUNT_OF(workers); k++) {
            assert_true(live(workers[k], 0, 12, names[i]) == alone);
        }
    }
}

static void any_order_of_jobs_gives_the_same_families(void** state) {
    (void)state;
    uint64_t seeds = QUICK_OR_SLOW(60, 6), alone = live(0, 0, 4, ILK_NAMES_FREE);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        assert_true(live(0, seed, 4, ILK_NAMES_FREE) == alone);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_gives_the_same_families),
        cmocka_unit_test(any_order_of_jobs_gives_the_same_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
