// Resources: the verbs, hooks and addresses, commands, systems that use them, and text.
#include "world/world.h"

#include "workers_support.h"

typedef struct Gravity {
    float x, y;
} Gravity;
typedef struct Score {
    int32_t points;
} Score;
typedef struct Broad {
    _Alignas(256) char bytes[512];
} Broad;
ILK_COMPONENT_WITH(Gravity, .fields = ILK_FIELDS(ILK_FIELD(Gravity, x), ILK_FIELD(Gravity, y)));
ILK_COMPONENT_WITH(Score, .default_value = &(const Score){50});
ILK_COMPONENT(Broad);

static int32_t points(ilk_world* world) {
    const Score* score = ILK_RESOURCE_GET(world, Score);
    return score ? score->points : -1;
}

// R001.45
static void a_world_has_one_value_of_a_type(void** state) {
    fixture* f = *state;
    assert_false(ilk_resource_has(f->world, &Score_type));
    assert_null(ILK_RESOURCE_GET(f->world, Score));
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Score, 3)));
    const Score* first = ILK_RESOURCE_GET(f->world, Score);
    assert_int_equal(first->points, 3);
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Score, 4)));
    assert_int_equal(first->points, 4);
    ILK_RESOURCE_EDIT(f->world, Score)->points++;
    assert_int_equal(points(f->world), 5);
    ILK_RESOURCE_ENSURE(f->world, Score)->points++;
    assert_int_equal(first->points, 6);
    assert_true(ilk_resource_has(f->world, &Score_type));
    assert_ok(ilk_resource_remove(f->world, &Score_type));
    assert_false(ilk_resource_has(f->world, &Score_type));
    assert_quiet(f);
}

// R001.45
static void without_a_value_there_is_the_default(void** state) {
    fixture* f = *state;
    assert_int_equal(ILK_RESOURCE_ENSURE(f->world, Score)->points, 50);
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Score, 3)));
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Score)));
    assert_int_equal(points(f->world), 50);
    assert_int_equal(ILK_RESOURCE_ENSURE(f->world, Gravity)->y, 0);
}

static void what_is_not_there_is_missing(void** state) {
    fixture* f = *state;
    assert_null(ilk_resource_edit(f->world, &Score_type));
    assert_non_null(strstr(f->told.text, "has no resource Score"));
    assert_told(f, ILK_MISSING, "ilk_resource_edit");
    assert_int_equal(ilk_resource_remove(f->world, &Score_type), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_resource_remove");
    assert_int_equal(ilk_resource_changed(f->world, &Score_type), 0);
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Score)));
    assert_ok(ilk_resource_remove(f->world, &Score_type));
    assert_int_equal(ilk_resource_remove(f->world, &Score_type), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_resource_remove");
}

static void wrong_arguments_are_refused(void** state) {
    fixture* f = *state;
    ilk_type nameless = {.size = 4}, other = {.name = "Score", .size = 8};
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Score)));
    assert_int_equal(ilk_resource_set(f->world, (ilk_value){0}), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_resource_set");
    assert_int_equal(ilk_resource_set(f->world, (ilk_value){&nameless, NULL}), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_resource_set");
    assert_int_equal(ilk_resource_set(f->world, (ilk_value){&other, NULL}), ILK_CLASH);
    assert_told(f, ILK_CLASH, "ilk_resource_set");
    assert_null(ilk_resource_ensure(f->world, &other));
    assert_told(f, ILK_CLASH, "ilk_resource_ensure");
    assert_null(ilk_resource_edit(f->world, &other));
    assert_told(f, ILK_CLASH, "ilk_resource_edit");
    assert_int_equal(ilk_resource_remove(f->world, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_resource_remove");
    assert_null(ilk_resource_get(f->world, NULL));
    assert_null(ilk_resource_get(f->world, &other));
    assert_false(ilk_resource_has(f->world, NULL));
    assert_null(ilk_resource_get(NULL, &Score_type));
    assert_null(ilk_resource_edit(NULL, &Score_type));
    assert_null(ilk_resource_ensure(NULL, &Score_type));
    assert_int_equal(ilk_resource_remove(NULL, &Score_type), ILK_INVALID);
    assert_int_equal(ilk_resource_changed(NULL, &Score_type), 0);
    assert_false(ilk_resource_has(NULL, &Score_type));
    assert_quiet(f);
}

// A resource and a component of one type have nothing to do with each other.
static void a_type_may_be_a_component_too(void** state) {
    fixture* f = *state;
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Score, 3)));
    assert_int_equal(ilk_type_count(f->world), 0);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Score, 4));
    assert_int_equal(points(f->world), 3);
    assert_ok(ilk_resource_remove(f->world, &Score_type));
    assert_int_equal(ILK_GET(f->world, e, Score)->points, 4);
    ILK_RESOURCE_ENSURE(f->world, Score)->points = 9;
    assert_ok(ilk_remove(f->world, e, &Score_type));
    assert_int_equal(points(f->world), 9);
}

static void a_restricted_world_has_any_resource(void** state) {
    (void)state;
    ilk_type* const types[] = {&Position_type, NULL};
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.types = types});
    assert_ok(ilk_resource_set(world, ILK_VALUE(Score, 3)));
    assert_int_equal(ilk_add(world, ilk_create(world), ILK_VALUE(Score, 3)), ILK_FOREIGN);
    assert_int_equal(points(world), 3);
    ilk_world_destroy(world);
}

static void tags_and_large_alignments_will_do(void** state) {
    fixture* f = *state;
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Enemy)));
    assert_non_null(ilk_resource_get(f->world, &Enemy_type));
    Broad* broad = ILK_RESOURCE_ENSURE(f->world, Broad);
    assert_int_equal((uintptr_t)broad % 256, 0);
    assert_int_equal(broad->bytes[511], 0);
    assert_valid(f->world);
}

// A type that is known at run time may go once it was used.
static void a_type_may_go_once_it_was_used(void** state) {
    fixture* f = *state;
    char name[] = "Passing";
    ilk_type passing = {.name = name, .size = 4};
    assert_ok(ilk_resource_set(f->world, (ilk_value){&passing, &(int32_t){7}}));
    memset(name, 'x', sizeof(name) - 1);
    memset(&passing, 0xdd, sizeof(passing));
    ilk_type again = {.name = "Passing", .size = 4};
    assert_int_equal(*(const int32_t*)ilk_resource_get(f->world, &again), 7);
    assert_ok(ilk_resource_remove(f->world, &(ilk_type){.name = "Passing", .size = 4}));
}

// R001.45: what a value owns is the world's, and is dropped once.
static void hooks_are_called_for_resources(void** state) {
    fixture* f = *state;
    Owned owned = {text_copy("given")};
    assert_ok(ilk_resource_set(f->world, ILK_VALUE_AT(Owned, &owned)));
    assert_hooks(0, 0, 0);
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Owned)));
    assert_hooks(1, 0, 1);
    assert_string_equal(ILK_RESOURCE_GET(f->world, Owned)->text, "fresh");
    const Owned* itself = ILK_RESOURCE_GET(f->world, Owned);
    assert_ok(ilk_resource_set(f->world, ILK_VALUE_AT(Owned, itself)));
    assert_hooks(0, 0, 0);
    assert_ok(ilk_resource_remove(f->world, &Owned_type));
    assert_hooks(0, 0, 1);
    assert_non_null(ILK_RESOURCE_ENSURE(f->world, Owned));
    assert_non_null(ILK_RESOURCE_ENSURE(f->world, Owned));
    assert_hooks(1, 0, 0);
}

// Many types, each of which notes when its value is dropped.
enum {
    SORTS = 200
};

static ilk_type sorts[SORTS];
static char sort_names[SORTS][16];
static uint32_t dropped[2 * SORTS], dropped_count;

static void note_drop(void* value, void* context) {
    (void)context;
    dropped[dropped_count++] = *(uint32_t*)value;
}

static void make_sorts(void) {
    dropped_count = 0;
    for (uint32_t i = 0; i < SORTS; i++) {
        snprintf(sort_names[i], sizeof(sort_names[i]), "Sort%u", (unsigned)i);
        sorts[i] = (ilk_type){
            .name = sort_names[i], .size = 4 + 4 * (i % 5), .align = 4, .hooks.drop = note_drop};
    }
}

// R001.45
static void resources_go_with_the_world_the_youngest_first(void** state) {
    (void)state;
    make_sorts();
    ilk_world* world = ilk_world_create(NULL);
    for (uint32_t i = 0; i < SORTS; i++) {
        uint32_t sort[5] = {i};
        assert_ok(ilk_resource_set(world, (ilk_value){&sorts[i], sort}));
    }
    assert_ok(ilk_resource_remove(world, &sorts[3]));
    assert_ok(ilk_resource_set(world, (ilk_value){&sorts[3], (uint32_t[5]){3}}));
    assert_ok(ilk_resource_set(world, (ilk_value){&sorts[5], (uint32_t[5]){5}})); // keeps its turn
    assert_int_equal(dropped_count, 2);
    ilk_world_destroy(world);
    assert_int_equal(dropped_count, 2 + SORTS);
    assert_int_equal(dropped[2], 3);
    for (uint32_t i = 1; i < SORTS; i++) {
        uint32_t wanted = SORTS - i >= 4 ? SORTS - i : SORTS - i - 1;
        assert_int_equal(dropped[2 + i], wanted);
    }
}

// What values point to may be a resource.
static void resources_go_after_entities(void** state) {
    (void)state;
    make_sorts();
    ilk_world* world = ilk_world_create(NULL);
    assert_ok(ilk_resource_set(world, (ilk_value){&sorts[0], (uint32_t[1]){7}}));
    ilk_spawn(world, &(ilk_value){&sorts[1], (uint32_t[2]){8}}, 1);
    ilk_cmd* cmd = ilk_cmd_take(world);
    assert_ok(ilk_cmd_resource_set(cmd, (ilk_value){&sorts[2], (uint32_t[3]){9}}));
    ilk_world_destroy(world);
    assert_int_equal(dropped_count, 3);
    assert_int_equal(dropped[0], 9);
    assert_int_equal(dropped[1], 8);
    assert_int_equal(dropped[2], 7);
}

static void an_address_stays_whatever_comes_and_goes(void** state) {
    fixture* f = *state;
    make_sorts();
    const void* address[SORTS];
    uint64_t seed = 3;
    for (uint32_t i = 0; i < SORTS; i++) address[i] = ilk_resource_ensure(f->world, &sorts[i]);
    for (uint32_t i = 0; i < 4 * SORTS; i++) {
        uint32_t at = next_random(&seed) % SORTS;
        uint32_t sort[5] = {at};
        if (at % 3 == 0 && ilk_resource_has(f->world, &sorts[at])) {
            assert_ok(ilk_resource_remove(f->world, &sorts[at]));
            address[at] = NULL;
        }
        if (at % 3) assert_ok(ilk_resource_set(f->world, (ilk_value){&sorts[at], sort}));
        dropped_count = 0;
        ILK_SPAWN(f->world, ILK_WITH(Position));
    }
    ilk_clear(f->world);
    ilk_trim(f->world);
    settle_fully(f->world);
    for (uint32_t i = 0; i < SORTS; i++) {
        assert_ptr_equal(ilk_resource_get(f->world, &sorts[i]), address[i]);
    }
    assert_valid(f->world);
}

static void clearing_keeps_resources(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Owned));
    assert_non_null(ILK_RESOURCE_ENSURE(f->world, Owned));
    hooks_taken();
    ilk_clear(f->world);
    assert_hooks(0, 0, 1);
    assert_string_equal(ILK_RESOURCE_GET(f->world, Owned)->text, "fresh");
}

static void changes_have_ticks(void** state) {
    fixture* f = *state;
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Score)));
    uint64_t over = ilk_tick(f->world);
    assert_true(ilk_resource_changed(f->world, &Score_type) <= over);
    assert_non_null(ILK_RESOURCE_GET(f->world, Score));
    assert_true(ilk_resource_changed(f->world, &Score_type) <= over);
    assert_non_null(ILK_RESOURCE_EDIT(f->world, Score));
    assert_true(ilk_resource_changed(f->world, &Score_type) > over);
    over = ilk_tick(f->world);
    assert_true(ilk_resource_changed(f->world, &Score_type) <= over);
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Score)));
    assert_true(ilk_resource_changed(f->world, &Score_type) > over);
    over = ilk_tick(f->world);
    assert_non_null(ILK_RESOURCE_ENSURE(f->world, Score));
    assert_true(ilk_resource_changed(f->world, &Score_type) > over);
}

static void worlds_have_resources_of_their_own(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Score, 1)));
    assert_ok(ilk_resource_set(other, ILK_VALUE(Score, 2)));
    assert_int_equal(points(f->world), 1);
    assert_int_equal(points(other), 2);
    ilk_world_destroy(other);
    assert_int_equal(points(f->world), 1);
}

// Commands

static void commands_set_and_remove(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    Owned owned = {text_copy("later")};
    assert_ok(ilk_cmd_resource_set(cmd, ILK_VALUE(Score, 3)));
    assert_ok(ilk_cmd_resource_set(cmd, ILK_VALUE_AT(Owned, &owned)));
    assert_ok(ilk_cmd_resource_set(cmd, ILK_WITH(Gravity)));
    assert_ok(ilk_cmd_resource_remove(cmd, &Gravity_type));
    assert_ok(ilk_cmd_resource_remove(cmd, &Gravity_type));
    assert_int_equal(ilk_cmd_count(cmd), 5);
    assert_false(ilk_resource_has(f->world, &Score_type));
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 4);
    assert_int_equal(applied.failed, 1);
    assert_int_equal(applied.result, ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_resource_remove");
    assert_int_equal(points(f->world), 3);
    assert_string_equal(ILK_RESOURCE_GET(f->world, Owned)->text, "later");
    assert_false(ilk_resource_has(f->world, &Gravity_type));
    assert_hooks(0, 0, 0);
    ilk_cmd_give_back(cmd);
}

static void commands_that_are_dropped_drop_their_values(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    Owned owned = {text_copy("never")};
    assert_ok(ilk_cmd_resource_set(cmd, ILK_VALUE_AT(Owned, &owned)));
    ilk_cmd_give_back(cmd);
    assert_hooks(0, 0, 1);
    assert_false(ilk_resource_has(f->world, &Owned_type));
    assert_int_equal(ilk_cmd_resource_set(NULL, ILK_WITH(Score)), ILK_INVALID);
    assert_int_equal(ilk_cmd_resource_remove(NULL, &Score_type), ILK_INVALID);
    cmd = ilk_cmd_take(f->world);
    assert_int_equal(ilk_cmd_resource_set(cmd, (ilk_value){0}), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_resource_set");
    assert_int_equal(ilk_cmd_resource_remove(cmd, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_resource_remove");
    ilk_cmd_give_back(cmd);
}

// Systems

static void rest(ilk_iter* it) {
    (void)it;
}

static void play(ilk_iter* it) {
    ilk_world* world = it->world;
    Score* score = ILK_RESOURCE_EDIT(world, Score);
    if (score) score->points += 1 + (int)ILK_RESOURCE_GET(world, Gravity)->y;
}

static uint32_t wave_of(ilk_world* world, const char* name) {
    return ilk_system_wave(ilk_system_named(world, name));
}

// R001.45: who writes a resource does not run beside those that use it.
static void systems_that_share_a_resource_are_kept_apart(void** state) {
    fixture* f = *state;
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Score, 0)));
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Gravity, .y = 1)));
    SYSTEM(f->world, "reads", .run = rest, .reads_resources = {&Score_type});
    SYSTEM(f->world, "other", .run = rest, .writes_resources = {&Broad_type});
    SYSTEM(f->world, "writes", .run = play, .writes_resources = {&Score_type},
           .reads_resources = {NULL, &Gravity_type});
    SYSTEM(f->world, "again", .run = play, .writes_resources = {&Score_type},
           .reads_resources = {&Gravity_type});
    SYSTEM(f->world, "gravity", .run = rest, .reads_resources = {&Gravity_type});
    SYSTEM(f->world, "component", .run = rest, .writes = {&Score_type});
    assert_int_equal(wave_of(f->world, "reads"), 0);
    assert_int_equal(wave_of(f->world, "other"), 0);
    assert_int_equal(wave_of(f->world, "writes"), 1);
    assert_int_equal(wave_of(f->world, "again"), 2);
    assert_int_equal(wave_of(f->world, "gravity"), 2);
    assert_int_equal(wave_of(f->world, "component"), 2);
    for (int i = 0; i < 10; i++) update(f->world);
    assert_int_equal(points(f->world), 40);
    assert_quiet(f);
}

static void change_everything(ilk_iter* it) {
    ilk_result* results = it->user;
    results[0] = ilk_resource_set(it->world, ILK_VALUE(Score, 8));
    results[1] = ilk_resource_remove(it->world, &Score_type);
    results[2] = ilk_resource_ensure(it->world, &Score_type) ? ILK_OK : ilk_error(it->world).result;
    results[3] = ilk_resource_edit(it->world, &Score_type) ? ILK_OK : ilk_error(it->world).result;
    results[4] = ilk_cmd_resource_set(it->cmd, ILK_VALUE(Gravity, .y = 7));
    results[5] = ilk_cmd_resource_remove(it->cmd, &Score_type);
}

// R001.45: in a system, what would change a resource waits for its commands, but for one that the
// system writes.
static void a_system_edits_what_it_writes_and_no_more(void** state) {
    fixture* f = *state;
    ilk_result results[6];
    ilk_system_desc desc = {.name = "change", .run = change_everything, .user = results};
    for (int declares = 0; declares < 3; declares++) {
        assert_ok(ilk_resource_set(f->world, ILK_VALUE(Score, 2)));
        desc.reads_resources[0] = declares == 0 ? &Score_type : NULL;
        desc.writes_resources[0] = declares == 1 ? &Score_type : NULL;
        assert_non_null(ilk_system_replace(f->world, &desc));
        update(f->world);
        for (int i = 0; i < 3; i++) assert_int_equal(results[i], ILK_LOCKED);
        assert_int_equal(results[3], declares == 0 ? ILK_LOCKED : ILK_OK);
        assert_int_equal(f->told.count, declares == 0 ? 4 : 3);
        assert_non_null(strstr(f->told.text, declares == 0
                                                 ? "of Score: system \"change\" does not declare "
                                                   "that it writes it, under .writes_resources"
                                                 : "of Score: system \"change\" is running"));
        f->told.count = 0;
        assert_ok(results[4]);
        assert_ok(results[5]);
        assert_false(ilk_resource_has(f->world, &Score_type));
        assert_int_equal(ILK_RESOURCE_GET(f->world, Gravity)->y, 7);
    }
}

static void a_parallel_system_writes_no_resource(void** state) {
    fixture* f = *state;
    ilk_system_desc desc = {.name = "pieces",
                            .run = rest,
                            .is_parallel = true,
                            .query = {.read = {&Position_type}},
                            .writes_resources = {&Score_type}};
    assert_null(ilk_system_create(f->world, &desc));
    assert_string_equal(f->told.text, "ilk_system_create: system \"pieces\": it is parallel, and "
                                      "its pieces would write a resource at the same time");
    assert_told(f, ILK_INVALID, "ilk_system_create");
    ilk_type wrong = {.name = "Score", .size = 1};
    desc.writes_resources[0] = NULL;
    desc.reads_resources[2] = &wrong;
    assert_null(ilk_system_create(f->world, &desc));
    assert_told(f, ILK_CLASH, "ilk_system_create");
    desc.reads_resources[2] = &Score_type;
    assert_non_null(ilk_system_create(f->world, &desc));
}

static void sum_by_gravity(ilk_iter* it) {
    const Gravity* gravity = ILK_RESOURCE_GET(it->world, Gravity);
    while (ilk_next(it)) {
        Position* p = ILK_WRITE(it, Position);
        for (uint32_t i = 0; i < it->count; i++) p[i].y += gravity->y;
    }
    if (!ilk_resource_has(it->world, &Score_type)) ilk_cmd_resource_set(it->cmd, ILK_WITH(Score));
}

static void add_points(ilk_iter* it) {
    ILK_RESOURCE_EDIT(it->world, Score)->points++;
}

// Pieces on several threads read one resource while others edit another.
static void many_threads_use_resources(void** state) {
    fixture* f = *state;
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Score, 0)));
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Gravity, .y = 2)));
    ilk_entity e = {0};
    for (int i = 0; i < 1000; i++) e = ILK_SPAWN(f->world, ILK_WITH(Position));
    SYSTEM(f->world, "fall", .run = sum_by_gravity, .is_parallel = true,
           .query = {.write = {&Position_type}}, .reads_resources = {&Gravity_type});
    SYSTEM(f->world, "count", .run = add_points, .writes_resources = {&Score_type});
    assert_int_equal(wave_of(f->world, "count"), 0);
    for (int i = 0; i < 20; i++) update(f->world);
    assert_int_equal(points(f->world), 20);
    assert_int_equal(ILK_GET(f->world, e, Position)->y, 40);
    assert_quiet(f);
}

// Commands of pieces are applied in order, whoever recorded them first.
static void set_by_entity(ilk_iter* it) {
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            ilk_cmd_resource_set(it->cmd, ILK_VALUE(Score, (int32_t)it->entities[i].index));
        }
    }
}

static void the_last_command_counts_for_any_number_of_workers(void** state) {
    fixture* f = *state;
    for (int i = 0; i < 1000; i++) ILK_SPAWN(f->world, ILK_WITH(Position));
    SYSTEM(f->world, "set", .run = set_by_entity, .is_parallel = true,
           .query = {.read = {&Position_type}});
    for (int i = 0; i < 10; i++) {
        update(f->world);
        assert_int_equal(points(f->world), 999);
    }
}

static bool has_points(ilk_world* world, void* user) {
    (void)user;
    return points(world) > 0;
}

static void a_condition_may_look_at_resources(void** state) {
    fixture* f = *state;
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Score, 0)));
    SYSTEM(f->world, "count", .run = add_points, .when = has_points,
           .writes_resources = {&Score_type});
    update(f->world);
    assert_int_equal(points(f->world), 0);
    ILK_RESOURCE_EDIT(f->world, Score)->points = 5;
    update(f->world);
    assert_int_equal(points(f->world), 6);
    assert_quiet(f);
}

static void peek(ilk_iter* it) {
    *(const void**)it->user = ilk_resource_get(it->world, &Score_type);
    ilk_resource_changed(it->world, &Score_type);
}

// The checked build refuses what was not declared; others do not look.
static void what_is_not_declared_is_reported_in_the_checked_build(void** state) {
    fixture* f = *state;
    const void* seen = NULL;
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Score, 0)));
    SYSTEM(f->world, "peek", .run = peek, .user = &seen, .reads = {&Score_type});
    update(f->world);
#ifdef ILK_CHECKED
    assert_null(seen);
    assert_int_equal(f->told.count, 2);
    assert_string_equal(f->told.text, "ilk_resource_changed: system \"peek\" does not declare "
                                      "that it reads resource Score");
    assert_int_equal(f->told.last.result, ILK_INVALID);
    f->told.count = 0;
#else
    assert_non_null(seen);
#endif
    assert_quiet(f);
}

static ilk_result look_and_edit(ilk_notice* notice) {
    assert_int_equal(points(notice->world), 50);
    assert_null(ilk_resource_edit(notice->world, &Score_type));
    return ilk_cmd_resource_set(notice->cmd, ILK_VALUE(Score, 51));
}

static void an_observer_may_look_and_not_edit(void** state) {
    fixture* f = *state;
    ilk_observer_desc desc = {.on = ILK_ON_ADD, .type = &Position_type, .run = look_and_edit};
    assert_non_null(ilk_observer_create(f->world, &desc));
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Score)));
    ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_told(f, ILK_LOCKED, "ilk_resource_edit");
    assert_int_equal(points(f->world), 51);
}

// Text

static void resources_are_shown(void** state) {
    fixture* f = *state;
    char text[4096];
    ilk_world_dump(f->world, text, sizeof(text));
    assert_null(strstr(text, "resources"));
    assert_ok(ilk_resource_set(f->world, ILK_VALUE(Gravity, .y = -9.5f)));
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Enemy)));
    ilk_world_dump(f->world, text, sizeof(text));
    assert_non_null(strstr(text, "\nresources\n"
                                 "    size  changed  resource\n"
                                 "       8        1  Gravity {x 0, y -9.5}\n"
                                 "       0        1  Enemy\n"));
}

static void memory_of_resources_is_counted(void** state) {
    fixture* f = *state;
    size_t bytes = ilk_stats(f->world).bytes;
    assert_non_null(ILK_RESOURCE_ENSURE(f->world, Broad));
    assert_true(ilk_stats(f->world).bytes_other >= bytes + sizeof(Broad));
    assert_int_equal(ilk_stats(f->world).bytes, f->memory.bytes);
    assert_int_equal(ilk_stats(f->world).types, 0);
}

static void assert_broken(fixture* f, const char* why) {
    char text[256];
    assert_int_equal(ilk_world_validate(f->world, text, sizeof(text)), ILK_BROKEN);
    assert_string_equal(text, why);
}

static void broken_resources_are_noticed(void** state) {
    fixture* f = *state;
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Score)));
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Broad)));
    ilki_resources* resources = &f->world->resources;
    resources->places[Score_type.id] = 2;
    assert_broken(f, "resources: one is not where its id says");
    resources->places[Score_type.id] = 0;
    assert_broken(f, "resources: not all are found by their ids");
    resources->places[Score_type.id] = 1;
    resources->list[1].value = (char*)resources->list[1].value + 4;
    assert_broken(f, "resources: one is not aligned");
    resources->list[1].value = (char*)resources->list[1].value - 4;
    resources->list[0].changed += 100;
    assert_broken(f, "resources: one has changed in a tick to come");
    resources->list[0].changed -= 100;
}

ILK_RELATION(Likes);

static void what_is_said_of_entities_is_no_resource(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    assert_int_equal(ilk_resource_set(f->world, ILK_TO(Likes, e)), ILK_INVALID);
    assert_string_equal(f->told.text,
                        "ilk_resource_set: Likes says something of an entity, and a world is none");
    ilk_type* const types[] = {&Likes_type, &ilk_child_of_type, &ilk_name_type, &ilk_id_type,
                               &ilk_inactive_type};
    for (uint32_t i = 0; i < COUNT_OF(types); i++) {
        assert_null(ilk_resource_ensure(f->world, types[i]));
        assert_int_equal(ilk_error(f->world).result, ILK_INVALID);
        assert_false(ilk_resource_has(f->world, types[i]));
    }
    assert_ok(ilk_resource_set(f->world, ILK_WITH(Enemy))); // a tag may be
    assert_true(ilk_resource_has(f->world, &Enemy_type));
    f->told.count = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_world_has_one_value_of_a_type),
        WORLD_TEST(without_a_value_there_is_the_default),
        WORLD_TEST(what_is_not_there_is_missing),
        WORLD_TEST(wrong_arguments_are_refused),
        WORLD_TEST(a_type_may_be_a_component_too),
        cmocka_unit_test(a_restricted_world_has_any_resource),
        WORLD_TEST(tags_and_large_alignments_will_do),
        WORLD_TEST(a_type_may_go_once_it_was_used),
        WORLD_TEST(hooks_are_called_for_resources),
        cmocka_unit_test(resources_go_with_the_world_the_youngest_first),
        cmocka_unit_test(resources_go_after_entities),
        WORLD_TEST(an_address_stays_whatever_comes_and_goes),
        WORLD_TEST(clearing_keeps_resources),
        WORLD_TEST(changes_have_ticks),
        WORLD_TEST(worlds_have_resources_of_their_own),
        WORLD_TEST(commands_set_and_remove),
        WORLD_TEST(commands_that_are_dropped_drop_their_values),
        CREW_TEST(systems_that_share_a_resource_are_kept_apart),
        WORLD_TEST(a_system_edits_what_it_writes_and_no_more),
        WORLD_TEST(a_parallel_system_writes_no_resource),
        CREW_TEST(many_threads_use_resources),
        CREW_TEST(the_last_command_counts_for_any_number_of_workers),
        WORLD_TEST(a_condition_may_look_at_resources),
        WORLD_TEST(what_is_not_declared_is_reported_in_the_checked_build),
        WORLD_TEST(an_observer_may_look_and_not_edit),
        WORLD_TEST(resources_are_shown),
        WORLD_TEST(memory_of_resources_is_counted),
        WORLD_TEST(broken_resources_are_noticed),
        WORLD_TEST(what_is_said_of_entities_is_no_resource),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
