// The catalogue of mistakes: what each call says when it cannot do what it is asked, word for word.
#include "support.h"

// A named world, so that sentences about it can be written down.
static int open_arena(void** state) {
    fixture* f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->memory.left = UINT64_MAX;
    ilk_world_desc desc = fixture_desc(f);
    desc.name = "arena";
    f->world = ilk_world_create(&desc);
    assert_non_null(f->world);
    hooks_taken();
    *state = f;
    return 0;
}

#define ARENA_TEST(function) cmocka_unit_test_setup_teardown(function, open_arena, close_world)

// The checked build knows more about the dead and says so after the sentence.
static bool is_sentence(const fixture* f, const char* text) {
#ifdef ILK_CHECKED
    if (f->told.last.result == ILK_DEAD) {
        return strncmp(f->told.text, text, strlen(text)) == 0;
    }
#endif
    return strcmp(f->told.text, text) == 0;
}

// The last call failed with this sentence and no other, and the world keeps it.
static void says_at(fixture* f, const char* text, const char* file, int line) {
    if (f->told.count != 1 || !is_sentence(f, text)) {
        print_error("expected: %s\n    said: %s (%u times)\n", text,
                    f->told.count ? f->told.text : "nothing", (unsigned)f->told.count);
        _fail(file, line);
    }
    size_t length = strlen(f->told.call);
    _assert_true(strncmp(text, f->told.call, length) == 0, "a sentence starts with the call", file,
                 line);
    f->told.count = 0;
}
#define says(f, text) says_at((f), (text), __FILE__, __LINE__)

// R002.14 R002.19 C4
static void what_is_said_of_the_dead(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_destroy(f->world, e));
    ilk_destroy(f->world, e);
    says(f, "ilk_destroy: entity 0:1 is not alive in world \"arena\"");
    ilk_add(f->world, e, ILK_WITH(Position));
    says(f, "ilk_add of Position: entity 0:1 is not alive in world \"arena\"");
    ilk_set(f->world, e, ILK_WITH(Position));
    says(f, "ilk_set of Position: entity 0:1 is not alive in world \"arena\"");
    ilk_replace(f->world, e, ILK_WITH(Position));
    says(f, "ilk_replace of Position: entity 0:1 is not alive in world \"arena\"");
    ilk_ensure(f->world, e, &Position_type);
    says(f, "ilk_ensure of Position: entity 0:1 is not alive in world \"arena\"");
    ilk_edit(f->world, e, &Position_type);
    says(f, "ilk_edit of Position: entity 0:1 is not alive in world \"arena\"");
    ilk_remove(f->world, e, &Position_type);
    says(f, "ilk_remove of Position: entity 0:1 is not alive in world \"arena\"");
    ilk_remove_all(f->world, e);
    says(f, "ilk_remove_all: entity 0:1 is not alive in world \"arena\"");
    ilk_disable(f->world, e, &Position_type);
    says(f, "ilk_disable of Position: entity 0:1 is not alive in world \"arena\"");
    ilk_enable(f->world, e, &Position_type);
    says(f, "ilk_enable of Position: entity 0:1 is not alive in world \"arena\"");
    ilk_copy(f->world, e);
    says(f, "ilk_copy: entity 0:1 is not alive in world \"arena\"");
}

// R002.14
static void what_is_said_of_null(void** state) {
    fixture* f = *state;
    ilk_entity null = {0};
    ilk_destroy(f->world, null);
    says(f, "ilk_destroy: the null entity is not alive");
    ilk_add(f->world, null, ILK_WITH(Position));
    says(f, "ilk_add of Position: the null entity is not alive");
    ilk_edit(f->world, null, &Position_type);
    says(f, "ilk_edit of Position: the null entity is not alive");
    ilk_copy(f->world, null);
    says(f, "ilk_copy: the null entity is not alive");
}

// R002.14
static void what_is_said_of_the_dead_in_lists(void** state) {
    fixture* f = *state;
    const ilk_entity list[] = {{4, 1}, ilk_create(f->world), {0}};
    assert_int_equal(ilk_add_many(f->world, list, 1, &Position_type, NULL), ILK_DEAD);
    says(f, "ilk_add_many of Position: entity 4:1 is not alive in world \"arena\"");
    assert_int_equal(ilk_remove_many(f->world, list, 1, &Position_type), ILK_DEAD);
    says(f, "ilk_remove_many of Position: entity 4:1 is not alive in world \"arena\"");
    assert_int_equal(ilk_destroy_many(f->world, list + 1, 2), ILK_DEAD);
    says(f, "ilk_destroy_many: the null entity is not alive");
}

// R000.19 R002.19 C1
static void what_is_said_of_what_exists(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_add(f->world, e, ILK_WITH(Position));
    says(f, "ilk_add: entity 0:1 has Position already");
    ilk_add_many(f->world, &e, 1, &Position_type, NULL);
    says(f, "ilk_add_many: entity 0:1 has Position already");
    ilk_register(f->world, &Position_type);
    says(f, "ilk_register: world \"arena\" knows Position already");
    ILK_SPAWN(f->world, ILK_WITH(Health), ILK_WITH(Health));
    says(f, "ilk_spawn: Health is there twice in one list");
    ilk_batch batch;
    ilk_spawn_many(f->world, &batch, 1, ILK_TYPES(&Health_type, &Health_type));
    says(f, "ilk_spawn_many: Health is there twice in one list");
    ilk_reserve(f->world, 1, ILK_TYPES(&Health_type, &Health_type));
    says(f, "ilk_reserve: Health is there twice in one list");
}

// R002.15 R002.19 C1 C2
static void what_is_said_of_what_is_missing(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health));
    ilk_replace(f->world, e, ILK_WITH(Position));
    says(f, "ilk_replace: entity 0:1 has no Position");
    ilk_edit(f->world, e, &Position_type);
    says(f, "ilk_edit: entity 0:1 has no Position");
    ilk_remove(f->world, e, &Position_type);
    says(f, "ilk_remove: entity 0:1 has no Position");
    ilk_disable(f->world, e, &Position_type);
    says(f, "ilk_disable: entity 0:1 has no Position");
    ilk_enable(f->world, e, &Position_type);
    says(f, "ilk_enable: entity 0:1 has no Position");
    ilk_remove_many(f->world, &e, 1, &Position_type);
    says(f, "ilk_remove_many: entity 0:1 has no Position");
}

static ilk_world* small_world(fixture* f) {
    ilk_world_desc desc = fixture_desc(f);
    desc.name = "small";
    desc.max_entities = 2;
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    return world;
}

// R000.17 C7
static void what_is_said_of_a_full_world(void** state) {
    fixture* f = *state;
    ilk_world* world = small_world(f);
    ilk_entity e[3];
    ilk_batch batch;
    ilk_create_many(world, e, 3);
    says(f, "ilk_create_many: world \"small\" has room for at most 2 entities");
    ilk_spawn_many(world, &batch, 3, ILK_TYPES(&Position_type));
    says(f, "ilk_spawn_many: world \"small\" has room for at most 2 entities");
    ilk_reserve(world, 3, ILK_TYPES(&Position_type));
    says(f, "ilk_reserve: world \"small\" has room for at most 2 entities");
    e[0] = ilk_create(world);
    e[1] = ILK_SPAWN(world, ILK_WITH(Position));
    ilk_create(world);
    says(f, "ilk_create: world \"small\" has room for at most 2 entities");
    ILK_SPAWN(world, ILK_WITH(Position));
    says(f, "ilk_spawn: world \"small\" has room for at most 2 entities");
    ilk_spawn(world, NULL, 0);
    says(f, "ilk_spawn: world \"small\" has room for at most 2 entities");
    ilk_copy(world, e[0]);
    says(f, "ilk_copy: world \"small\" has room for at most 2 entities");
    ilk_copy(world, e[1]);
    says(f, "ilk_copy: world \"small\" has room for at most 2 entities");
    ilk_world_destroy(world);
}

static void fail_next(fixture* f) {
    f->memory.left = 0;
}

// Fill all room that the world has, so that one more needs memory.
static ilk_entity fill_chunk(ilk_world* world) {
    ilk_entity e = {0};
    for (int i = 0; i < 4; i++) {
        e = ILK_SPAWN(world, ILK_WITH(Anchor));
    }
    return e;
}

// A failure for lack of memory says what the memory was for.
static void what_is_said_without_memory(void** state) {
    fixture* f = *state;
    ilk_entity e = fill_chunk(f->world);
    fail_next(f);
    ilk_add(f->world, e, ILK_WITH(Position));
    says(f, "ilk_add: no memory for Position in world \"arena\"");
    ilk_set(f->world, e, ILK_WITH(Position));
    says(f, "ilk_set: no memory for Position in world \"arena\"");
    ilk_ensure(f->world, e, &Position_type);
    says(f, "ilk_ensure: no memory for Position in world \"arena\"");
    ilk_add_many(f->world, &e, 1, &Position_type, NULL);
    says(f, "ilk_add_many: no memory for Position in world \"arena\"");
    ilk_register(f->world, &Velocity_type);
    says(f, "ilk_register: no memory for Velocity in world \"arena\"");
    ILK_SPAWN(f->world, ILK_WITH(Anchor));
    says(f, "ilk_spawn: no memory in world \"arena\"");
    ilk_copy(f->world, e);
    says(f, "ilk_copy: no memory in world \"arena\"");
    ilk_batch batch;
    ilk_spawn_many(f->world, &batch, 9, ILK_TYPES(&Anchor_type));
    says(f, "ilk_spawn_many: no memory in world \"arena\"");
    ilk_reserve(f->world, 9, ILK_TYPES(&Anchor_type));
    says(f, "ilk_reserve: no memory in world \"arena\"");
    static ilk_entity many[100000];
    ilk_create_many(f->world, many, COUNT_OF(many));
    says(f, "ilk_create_many: no memory in world \"arena\"");
    f->memory.left = UINT64_MAX;
    assert_int_equal(ilk_stats(f->world).alive, 4);
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 1);
}

// Creating one by one comes to the end of memory too.
static void what_is_said_when_the_last_slot_is_taken(void** state) {
    fixture* f = *state;
    ilk_create(f->world);
    fail_next(f);
    uint32_t made = 1;
    while (!ilk_is_null(ilk_create(f->world))) {
        made++;
    }
    says(f, "ilk_create: no memory in world \"arena\"");
    f->memory.left = UINT64_MAX;
    assert_int_equal(ilk_stats(f->world).alive, made);
    assert_int_equal(ilk_create(f->world).index, made);
}

// R000.14 R002.19
static void what_is_said_of_a_null_type(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_add(f->world, e, (ilk_value){0});
    says(f, "ilk_add: the type is NULL");
    ilk_set(f->world, e, (ilk_value){0});
    says(f, "ilk_set: the type is NULL");
    ilk_replace(f->world, e, (ilk_value){0});
    says(f, "ilk_replace: the type is NULL");
    ilk_ensure(f->world, e, NULL);
    says(f, "ilk_ensure: the type is NULL");
    ilk_edit(f->world, e, NULL);
    says(f, "ilk_edit: the type is NULL");
    ilk_remove(f->world, e, NULL);
    says(f, "ilk_remove: the type is NULL");
    ilk_disable(f->world, e, NULL);
    says(f, "ilk_disable: the type is NULL");
    ilk_enable(f->world, e, NULL);
    says(f, "ilk_enable: the type is NULL");
    ilk_register(f->world, NULL);
    says(f, "ilk_register: the type is NULL");
    ilk_add_many(f->world, &e, 1, NULL, NULL);
    says(f, "ilk_add_many: the type is NULL");
    ilk_remove_many(f->world, &e, 1, NULL);
    says(f, "ilk_remove_many: the type is NULL");
}

// R001.61
static void what_is_said_of_an_unsound_type(void** state) {
    fixture* f = *state;
    ilk_register(f->world, &(ilk_type){.size = 4});
    says(f, "ilk_register: type NULL is unsound: it has no name");
    ilk_register(f->world, &(ilk_type){.name = "Odd", .size = 12, .align = 3});
    says(f, "ilk_register: type Odd is unsound: its alignment is not a power of two");
    ilk_register(f->world, &(ilk_type){.name = "Ragged", .size = 10, .align = 4});
    says(f, "ilk_register: type Ragged is unsound: its size is not a multiple of its alignment");
    ilk_register(f->world, &(ilk_type){.name = "Coarse", .size = 8192, .align = 8192});
    says(f, "ilk_register: type Coarse is unsound: its alignment is above 4096");
    ilk_register(f->world, &(ilk_type){.name = "Endless", .size = SIZE_MAX, .align = 1});
    says(f, "ilk_register: type Endless is unsound: its size is beyond all memory");
    ilk_entity e = ilk_create(f->world);
    ilk_add(f->world, e, (ilk_value){&(ilk_type){.name = "", .size = 4}, NULL});
    says(f, "ilk_add: type  is unsound: it has no name");
}

// R000.14
static void what_is_said_of_a_null_list(void** state) {
    fixture* f = *state;
    ilk_batch batch;
    ilk_create_many(f->world, NULL, 2);
    says(f, "ilk_create_many: the list of entities is NULL");
    ilk_destroy_many(f->world, NULL, 2);
    says(f, "ilk_destroy_many: the list of entities is NULL");
    ilk_add_many(f->world, NULL, 2, &Position_type, NULL);
    says(f, "ilk_add_many: the list of entities is NULL");
    ilk_remove_many(f->world, NULL, 2, &Position_type);
    says(f, "ilk_remove_many: the list of entities is NULL");
    ilk_spawn(f->world, NULL, 2);
    says(f, "ilk_spawn: the list is NULL");
    ilk_spawn_many(f->world, &batch, 2, NULL, 2);
    says(f, "ilk_spawn_many: the list is NULL");
    ilk_reserve(f->world, 2, NULL, 2);
    says(f, "ilk_reserve: the list is NULL");
    ilk_spawn_many(f->world, NULL, 2, ILK_TYPES(&Position_type));
    says(f, "ilk_spawn_many: the batch is NULL");
    ilk_spawn_many(f->world, &batch, 2, NULL, 0);
    says(f, "ilk_spawn_many: the list has no types; ilk_create_many makes empty ones");
}

// A list that is missing is noticed also where the last list had the same length.
static void a_null_list_after_a_list(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health));
    assert_true(ilk_is_null(ilk_spawn(f->world, NULL, 2)));
    says(f, "ilk_spawn: the list is NULL");
}

// R001.61
static void what_is_said_of_a_clash(void** state) {
    fixture* f = *state;
    static const ilk_field fields[] = {ILK_FIELD(Position, x), {0}};
    static const ilk_field others[] = {ILK_FIELD(Position, y), {0}};
    ilk_type known = {.name = "Known", .size = 24, .align = 8, .fields = fields};
    assert_ok(ilk_register(f->world, &known));
    ilk_register(f->world, &(ilk_type){.name = "Known", .size = 52, .align = 4});
    says(f, "ilk_register: Known is 52 bytes aligned to 4 here, but 24 bytes aligned to 8 where it "
            "was first used");
    ilk_register(f->world, &(ilk_type){.name = "Known", .size = 24, .align = 8, .fields = others});
    says(f, "ilk_register: Known is 24 bytes aligned to 8 here, but 24 bytes aligned to 8 where it "
            "was first used, and its fields differ");
}

// R001.2 C30
static void what_is_said_of_a_foreign_type(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.name = "closed";
    desc.types = (ilk_type* const[]){&Position_type, NULL};
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    ilk_register(world, &Health_type);
    says(f, "ilk_register: Health is not among the types that world \"closed\" is restricted to");
    ILK_SPAWN(world, ILK_WITH(Health));
    says(f, "ilk_spawn: Health is not among the types that world \"closed\" is restricted to");
    ilk_world_destroy(world);
}

// A world that cannot be made says why to the callback of its description.
static void what_is_said_of_an_unsound_description(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.allocator.free = NULL;
    assert_null(ilk_world_create(&desc));
    says(f, "ilk_world_create: the allocator is half there");
    desc = fixture_desc(f);
    fail_next(f);
    assert_null(ilk_world_create(&desc));
    says(f, "ilk_world_create: no memory for a world");
    f->memory.left = UINT64_MAX;
    desc.types = (ilk_type* const[]){&(ilk_type){.name = "Odd", .size = 3, .align = 3}, NULL};
    assert_null(ilk_world_create(&desc));
    says(f, "ilk_world_create: type Odd is unsound: its alignment is not a power of two");
}

static void clash_and_forget(ilk_world* world) {
    char name[] = "Fleeting";
    ilk_type type = {.name = name, .size = 4};
    ilk_type other = {.name = name, .size = 8};
    assert_ok(ilk_register(world, &type));
    assert_int_equal(ilk_register(world, &other), ILK_CLASH);
    memset(name, '#', sizeof(name) - 1);
}

// R002.19
static void an_error_outlives_the_type_that_it_names(void** state) {
    fixture* f = *state;
    clash_and_forget(f->world);
    ilk_message error = ilk_error(f->world);
    assert_int_equal(error.result, ILK_CLASH);
    assert_string_equal(error.type, "Fleeting");
    assert_non_null(strstr(error.text, "Fleeting"));
}

// R002.19
static void long_names_are_cut_not_spilt(void** state) {
    fixture* f = *state;
    char name[2000];
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = 0;
    ilk_type type = {.name = name, .size = 4};
    ilk_entity e = ilk_spawn(f->world, &(ilk_value){&type, NULL}, 1);
    assert_int_equal(ilk_add(f->world, e, (ilk_value){&type, NULL}), ILK_EXISTS);
    assert_int_equal(ilk_register(f->world, &type), ILK_EXISTS);
    assert_int_equal(strncmp(f->told.text, "ilk_register: ", 14), 0);
    assert_int_equal(f->told.count, 2);
}

// R002.16
static void readers_say_nothing(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health));
    ilk_entity dead = {9, 1};
    char text[4];
    ilk_get(f->world, dead, &Health_type, NULL);
    ilk_get(f->world, e, &Position_type, NULL);
    ilk_get(f->world, e, NULL, NULL);
    ilk_has(f->world, dead, &Health_type);
    ilk_enabled(f->world, dead, &Health_type);
    ilk_alive(f->world, dead);
    ilk_types_of(f->world, dead, NULL, 0);
    ilk_signature(f->world, dead, text, sizeof(text));
    ilk_entity_at(f->world, 99);
    ilk_type_at(f->world, 99);
    ilk_type_named(f->world, "nobody");
    assert_quiet(f);
    assert_int_equal(ilk_error(f->world).result, ILK_OK);
}

// Where there is no room for an answer, only its length is given.
static void answers_without_room(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health), ILK_WITH(Position));
    assert_int_equal(ilk_types_of(f->world, e, NULL, 5), 2);
    assert_int_equal(ilk_signature(f->world, e, NULL, 5), 2);
    assert_int_equal(ilk_world_validate(f->world, NULL, 5), ILK_OK);
    assert_false(ilk_batch_next(NULL));
    assert_null(ilk_batch_fill(NULL, &Position_type));
    assert_int_equal(ilk_field_length(NULL), 0);
    assert_quiet(f);
}

static void what_stands_for_an_entity_is_none(void** state) {
    fixture* f = *state;
    ilk_blueprint* b = ilk_blueprint_create(NULL);
    ilk_entity e = ilk_blueprint_entity(b);
    assert_int_equal(ilk_destroy(f->world, e), ILK_DEAD);
    assert_non_null(strstr(f->told.text, "stands for what a blueprint makes, and is no entity"));
    f->told.count = 0;
    ilk_blueprint_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ARENA_TEST(what_is_said_of_the_dead),
        ARENA_TEST(what_is_said_of_null),
        ARENA_TEST(what_is_said_of_the_dead_in_lists),
        ARENA_TEST(what_is_said_of_what_exists),
        ARENA_TEST(what_is_said_of_what_is_missing),
        ARENA_TEST(what_is_said_of_a_full_world),
        ARENA_TEST(what_is_said_without_memory),
        ARENA_TEST(what_is_said_when_the_last_slot_is_taken),
        ARENA_TEST(what_is_said_of_a_null_type),
        ARENA_TEST(what_is_said_of_an_unsound_type),
        ARENA_TEST(what_is_said_of_a_null_list),
        ARENA_TEST(a_null_list_after_a_list),
        ARENA_TEST(what_is_said_of_a_clash),
        ARENA_TEST(what_is_said_of_a_foreign_type),
        ARENA_TEST(what_is_said_of_an_unsound_description),
        ARENA_TEST(an_error_outlives_the_type_that_it_names),
        ARENA_TEST(long_names_are_cut_not_spilt),
        ARENA_TEST(readers_say_nothing),
        ARENA_TEST(answers_without_room),
        WORLD_TEST(what_stands_for_an_entity_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
