// Worlds: descriptions, names, limits, allocators, messages, several at once, clear, trim, stats.
#include "support.h"

static uint32_t first_id;

static int note_the_first_world(void** state) {
    (void)state;
    ilk_world* world = ilk_world_create(NULL);
    first_id = ilk_world_id(world);
    ilk_world_destroy(world);
    return world ? 0 : -1;
}

// R000.1
static void a_world_needs_no_preparation(void** state) {
    (void)state;
    ilk_world* plain = ilk_world_create(NULL);
    ilk_world* zero = ilk_world_create(&(ilk_world_desc){0});
    assert_non_null(plain);
    assert_non_null(zero);
    assert_true(ilk_alive(plain, ilk_create(plain)));
    assert_true(ilk_alive(zero, ILK_SPAWN(zero, ILK_WITH(Position))));
    ilk_world_destroy(plain);
    ilk_world_destroy(zero);
}

static void check_form(const char* name, uint32_t max) {
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.name = name, .max_entities = max});
    char expected[64];
    snprintf(expected, sizeof(expected), "world-%u", (unsigned)ilk_world_id(world));
    assert_string_equal(ilk_world_name(world), name && name[0] ? name : expected);
    assert_int_equal(ilk_world_max_entities(world), max);
    ilk_world_destroy(world);
}

// R000.2 R000.3 C7
static void a_world_has_a_name_and_perhaps_a_maximum(void** state) {
    (void)state;
    check_form(NULL, 0);
    check_form("", 0);
    check_form(NULL, 1000);
    check_form("arena", 0);
    check_form("arena", 1000);
    check_form("", 7);
}

// R000.3
static void world_ids_count_up_from_one(void** state) {
    (void)state;
    assert_int_equal(first_id, 1);
    ilk_world* a = ilk_world_create(NULL);
    ilk_world* b = ilk_world_create(&(ilk_world_desc){.name = "named"});
    uint32_t last = ilk_world_id(b);
    assert_true(ilk_world_id(a) > first_id);
    assert_int_equal(last, ilk_world_id(a) + 1);
    ilk_world_destroy(b);
    ilk_world* c = ilk_world_create(NULL);
    assert_int_equal(ilk_world_id(c), last + 1);
    ilk_world_destroy(a);
    ilk_world_destroy(c);
}

// R000.2
static void the_name_is_copied(void** state) {
    (void)state;
    char name[] = "arena";
    ilk_world* world = ilk_world_create(&(ilk_world_desc){.name = name});
    memset(name, 'x', sizeof(name) - 1);
    assert_string_equal(ilk_world_name(world), "arena");
    ilk_world_destroy(world);
}

static ilk_world* limited_world(fixture* f, uint32_t max) {
    ilk_world_desc desc = fixture_desc(f);
    desc.max_entities = max;
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    return world;
}

// R000.17 C7
static void at_the_maximum_the_world_is_full_and_usable(void** state) {
    fixture* f = *state;
    ilk_world* world = limited_world(f, 3);
    ilk_entity e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = ILK_SPAWN(world, ILK_WITH(Position));
    }
    assert_quiet(f);
    assert_true(ilk_is_null(ilk_create(world)));
    assert_told(f, ILK_FULL, "ilk_create");
    assert_true(ilk_is_null(ILK_SPAWN(world, ILK_WITH(Position))));
    assert_told(f, ILK_FULL, "ilk_spawn");
    assert_true(ilk_is_null(ilk_copy(world, e[0])));
    assert_told(f, ILK_FULL, "ilk_copy");
    assert_int_equal(ilk_stats(world).alive, 3);
    assert_ok(ilk_add(world, e[1], ILK_VALUE(Health, 5)));
    assert_ok(ilk_destroy(world, e[0]));
    assert_int_equal(ilk_create(world).index, 0);
    assert_valid(world);
    ilk_world_destroy(world);
}

// R000.17 C7
static void a_bulk_form_past_the_maximum_does_nothing(void** state) {
    fixture* f = *state;
    ilk_world* world = limited_world(f, 10);
    ilk_entity many[11];
    ilk_batch batch;
    assert_int_equal(ilk_create_many(world, many, 11), ILK_FULL);
    assert_told(f, ILK_FULL, "ilk_create_many");
    assert_int_equal(ilk_spawn_many(world, &batch, 11, ILK_TYPES(&Position_type)), ILK_FULL);
    assert_told(f, ILK_FULL, "ilk_spawn_many");
    assert_false(ilk_batch_next(&batch));
    assert_int_equal(ilk_stats(world).alive, 0);
    assert_int_equal(ilk_stats(world).slots, 0);
    assert_ok(ilk_create_many(world, many, 10));
    assert_int_equal(many[9].index, 9);
    ilk_world_destroy(world);
}

// C7
static void without_a_maximum_there_is_none(void** state) {
    fixture* f = *state;
    enum {
        COUNT = 1100000
    };
    ilk_entity* many = malloc(COUNT * sizeof(*many));
    assert_non_null(many);
    assert_ok(ilk_create_many(f->world, many, COUNT));
    assert_int_equal(many[COUNT - 1].index, COUNT - 1);
    assert_int_equal(ilk_stats(f->world).alive, COUNT);
    free(many);
}

// A world takes memory from its allocator alone, and its stats know how much.
static void all_memory_comes_from_the_allocator(void** state) {
    fixture* f = *state;
    assert_true(f->memory.bytes > 0);
    size_t before = f->memory.bytes;
    for (int i = 0; i < 1000; i++) {
        ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 1), ILK_WITH(Enemy));
    }
    assert_true(f->memory.bytes - before >= 1000 * sizeof(Position));
    assert_int_equal(ilk_stats(f->world).bytes, f->memory.bytes);
    ilk_world* other = second_world(f, 0);
    assert_true(f->memory.bytes > before);
    ilk_world_destroy(other);
    assert_int_equal(ilk_stats(f->world).bytes, f->memory.bytes);
    assert_false(f->memory.mismatch);
}

// An allocator has both functions or none.
static void half_an_allocator_is_refused(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.allocator.free = NULL;
    assert_null(ilk_world_create(&desc));
    assert_told(f, ILK_INVALID, "ilk_world_create");
    desc = fixture_desc(f);
    desc.allocator.alloc = NULL;
    assert_null(ilk_world_create(&desc));
    assert_told(f, ILK_INVALID, "ilk_world_create");
}

// Without memory there is no world, and what was taken is given back.
static void a_world_without_memory_is_not_made(void** state) {
    fixture* f = *state;
    meter none = {.left = 0};
    ilk_world_desc desc = fixture_desc(f);
    desc.allocator.context = &none;
    desc.types = (ilk_type* const[]){&Position_type, &Velocity_type, NULL};
    ilk_world* world = NULL;
    uint64_t tries = 0;
    for (; !world; tries++) {
        none = (meter){.left = tries};
        world = ilk_world_create(&desc);
        if (!world) {
            assert_told(f, ILK_NO_MEMORY, "ilk_world_create");
            assert_int_equal(none.bytes, 0);
        }
    }
    assert_true(tries > 1);
    none.left = UINT64_MAX;
    assert_true(ilk_alive(world, ILK_SPAWN(world, ILK_WITH(Position))));
    ilk_world_destroy(world);
    assert_int_equal(none.bytes, 0);
}

// The types of a restricted world are checked when it is made.
static void an_unsound_list_of_types_is_refused(void** state) {
    fixture* f = *state;
    ilk_type nameless = {.size = 4, .align = 4};
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type* const[]){&Position_type, &nameless, NULL};
    size_t bytes = f->memory.bytes;
    assert_null(ilk_world_create(&desc));
    assert_told(f, ILK_INVALID, "ilk_world_create");
    assert_int_equal(f->memory.bytes, bytes);
}

// R002.19
static void the_callback_gets_everything(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_quiet(f);
    assert_int_equal(ilk_add(f->world, e, ILK_WITH(Position)), ILK_EXISTS);
    assert_int_equal(f->told.count, 1);
    assert_int_equal(f->told.last.result, ILK_EXISTS);
    assert_string_equal(f->told.call, "ilk_add");
    assert_string_equal(f->told.type, "Position");
    assert_entity(f->told.last.entity, e);
    assert_non_null(strstr(f->told.text, "ilk_add"));
    assert_non_null(strstr(f->told.text, "Position"));
    char entity[32];
    snprintf(entity, sizeof(entity), "%u:%u", (unsigned)e.index, (unsigned)e.generation);
    assert_non_null(strstr(f->told.text, entity));
}

// R002.14 R002.19
static void the_last_error_is_kept(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_error(f->world).result, ILK_OK);
    ilk_entity e = ilk_create(f->world);
    assert_int_equal(ilk_remove(f->world, e, &Health_type), ILK_MISSING);
    assert_int_equal(ilk_error(f->world).result, ILK_MISSING);
    assert_string_equal(ilk_error(f->world).call, "ilk_remove");
    assert_string_equal(ilk_error(f->world).type, "Health");
    assert_string_equal(ilk_error(f->world).text, f->told.text);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Health)));
    assert_int_equal(ilk_error(f->world).result, ILK_MISSING);
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(ilk_destroy(f->world, e), ILK_DEAD);
    assert_int_equal(ilk_error(f->world).result, ILK_DEAD);
    assert_entity(ilk_error(f->world).entity, e);
}

// R002.19
static void errors_are_kept_without_a_callback(void** state) {
    (void)state;
    ilk_world* world = ilk_world_create(NULL);
    assert_int_equal(ilk_destroy(world, (ilk_entity){5, 1}), ILK_DEAD);
    ilk_message error = ilk_error(world);
    assert_int_equal(error.result, ILK_DEAD);
    assert_string_equal(error.call, "ilk_destroy");
    assert_true(strlen(error.text) > 0);
    ilk_world_destroy(world);
}

// R002.20
static void worlds_do_not_see_each_other(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 0);
    ilk_entity here = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 1));
    assert_false(ilk_alive(other, here));
    assert_int_equal(ilk_stats(other).alive, 0);
    ilk_entity there = ILK_SPAWN(other, ILK_VALUE(Position, 2, 2), ILK_WITH(Enemy));
    assert_true(same_position(ILK_GET(f->world, here, Position), 1, 1));
    assert_true(same_position(ILK_GET(other, there, Position), 2, 2));
    assert_false(ilk_has(f->world, here, &Enemy_type));
    assert_int_equal(ilk_type_count(f->world), 1);
    assert_int_equal(ilk_type_count(other), 2);
    ilk_clear(other);
    assert_true(ilk_alive(f->world, here));
    ilk_world_destroy(other);
    assert_true(same_position(ILK_GET(f->world, here, Position), 1, 1));
}

// R002.20
static void many_worlds_at_once(void** state) {
    (void)state;
    ilk_world* worlds[50];
    for (uint32_t i = 0; i < COUNT_OF(worlds); i++) {
        worlds[i] = ilk_world_create(&(ilk_world_desc){.tag = (uint8_t)i});
        assert_non_null(worlds[i]);
        ILK_SPAWN(worlds[i], ILK_VALUE(Health, (int32_t)i));
    }
    for (uint32_t i = 0; i < COUNT_OF(worlds); i++) {
        ilk_entity e = ilk_entity_at(worlds[i], 0);
        assert_int_equal(ILK_GET(worlds[i], e, Health)->points, i);
        assert_false(ilk_alive(worlds[(i + 1) % COUNT_OF(worlds)], e));
    }
    for (uint32_t i = 0; i < COUNT_OF(worlds); i++) {
        ilk_world_destroy(worlds[i]);
    }
}

// R002.6
static void clearing_starts_from_zero_again(void** state) {
    fixture* f = *state;
    ilk_entity e[100];
    for (int i = 0; i < 100; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_WITH(Enemy));
    }
    assert_ok(ilk_destroy(f->world, e[50]));
    ilk_clear(f->world);
    for (int i = 0; i < 100; i++) {
        assert_false(ilk_alive(f->world, e[i]));
        assert_null(ILK_GET(f->world, e[i], Position));
    }
    assert_valid(f->world);
    ilk_entity fresh = ilk_create(f->world);
    assert_int_equal(fresh.index, 0);
    assert_false(ilk_same(fresh, e[0]));
    assert_int_equal(ilk_create(f->world).index, 1);
    assert_int_equal(ilk_types_of(f->world, fresh, NULL, 0), 0);
}

// R002.6
static void clearing_forgets_blocks_and_keeps_numbers(void** state) {
    fixture* f = *state;
    for (int i = 0; i < 5000; i++) {
        ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health));
        ilk_add(f->world, e, ILK_WITH(Anchor));
    }
    ilk_clear(f->world);
    ilk_world_stats stats = ilk_stats(f->world);
    assert_int_equal(stats.alive, 0);
    assert_int_equal(stats.chunks, 0);
    assert_int_equal(stats.rows, 0);
    assert_int_equal(stats.blocks, 0);
    assert_int_equal(stats.guests, 0);
    assert_int_equal(stats.holes, 0);
    assert_int_equal(stats.exceptions, 0);
    assert_int_equal(stats.bytes_values, 0);
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 0);
    assert_int_equal(ilk_type_number(f->world, &Position_type), 0);
    assert_int_equal(ilk_type_number(f->world, &Health_type), 1);
    assert_int_equal(ilk_type_number(f->world, &Anchor_type), 2);
}

// R002.6
static void clearing_again_and_again(void** state) {
    fixture* f = *state;
    ilk_clear(f->world);
    ilk_entity first = {0};
    for (int round = 0; round < 20; round++) {
        ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, round));
        assert_int_equal(e.index, 0);
        assert_false(ilk_same(e, first));
        first = round ? first : e;
        assert_false(round && ilk_alive(f->world, first));
        assert_int_equal(ILK_GET(f->world, e, Health)->points, round);
        ilk_clear(f->world);
        ilk_clear(f->world);
        assert_valid(f->world);
    }
    assert_int_equal(ilk_stats(f->world).ever, 20);
}

static void fill(ilk_world* world, ilk_entity* entities, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        entities[i] = ILK_SPAWN(world, ILK_VALUE(Position, (float)i, 1), ILK_WITH(Anchor));
    }
}

// Trimming gives back what is spare and touches nothing else.
static void trimming_gives_back_and_moves_nothing(void** state) {
    fixture* f = *state;
    enum {
        COUNT = 20000,
        KEPT = 100
    };
    static ilk_entity e[COUNT];
    fill(f->world, e, COUNT);
    assert_ok(ilk_destroy_many(f->world, e + KEPT, COUNT - KEPT));
    settle_fully(f->world);
    const Position* kept[KEPT];
    for (uint32_t i = 0; i < KEPT; i++) {
        kept[i] = ILK_GET(f->world, e[i], Position);
    }
    ilk_world_stats before = ilk_stats(f->world);
    ilk_trim(f->world);
    ilk_world_stats after = ilk_stats(f->world);
    assert_true(after.bytes <= before.bytes);
    assert_true(after.bytes_spare <= before.bytes_spare);
    assert_int_equal(after.bytes_values, before.bytes_values);
    assert_int_equal(after.bytes, f->memory.bytes);
    for (uint32_t i = 0; i < KEPT; i++) {
        assert_ptr_equal(ILK_GET(f->world, e[i], Position), kept[i]);
        assert_true(kept[i]->x == (float)i);
    }
    ilk_trim(f->world);
    assert_int_equal(ilk_stats(f->world).bytes, after.bytes);
}

static void assert_sum(const ilk_world* world) {
    ilk_world_stats s = ilk_stats(world);
    assert_int_equal(s.bytes, s.bytes_values + s.bytes_entities + s.bytes_records +
                                  s.bytes_directories + s.bytes_relations + s.bytes_other +
                                  s.bytes_spare);
}

// The bytes of a world are the sum of their kinds, and what the allocator gave.
static void bytes_add_up(void** state) {
    fixture* f = *state;
    static ilk_entity e[3000];
    assert_sum(f->world);
    fill(f->world, e, COUNT_OF(e));
    assert_sum(f->world);
    assert_true(ilk_stats(f->world).bytes_values >= COUNT_OF(e) * sizeof(Position));
    assert_ok(ilk_add_many(f->world, e, COUNT_OF(e), &Health_type, NULL));
    assert_sum(f->world);
    assert_ok(ilk_destroy_many(f->world, e, 2000));
    settle_fully(f->world);
    assert_sum(f->world);
    ilk_clear(f->world);
    assert_sum(f->world);
    assert_int_equal(ilk_stats(f->world).bytes, f->memory.bytes);
}

// R002.22
static void stats_count(void** state) {
    fixture* f = *state;
    ilk_create(f->world);
    ilk_entity a = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    ilk_entity b = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    ilk_world_stats s = ilk_stats(f->world);
    assert_int_equal(s.alive, 3);
    assert_int_equal(s.ever, 3);
    assert_int_equal(s.slots, 3);
    assert_int_equal(s.empty, 1);
    assert_int_equal(s.types, 2);
    assert_int_equal(s.chunks, 1);
    assert_int_equal(s.blocks, 2);
    assert_int_equal(s.guests, 0);
    assert_int_equal(s.holes, 0);
    assert_int_equal(s.exceptions, 0);
    assert_ok(ilk_remove(f->world, a, &Velocity_type));
    assert_int_equal(ilk_stats(f->world).exceptions, 1);
    assert_ok(ilk_destroy(f->world, b));
    assert_int_equal(ilk_stats(f->world).holes, 1);
    assert_int_equal(ilk_stats(f->world).alive, 2);
    assert_int_equal(ilk_stats(f->world).ever, 3);
}

// R002.4
static void type_stats_count(void** state) {
    fixture* f = *state;
    ilk_entity a = ILK_SPAWN(f->world, ILK_WITH(Position));
    ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_ok(ilk_add(f->world, a, ILK_WITH(Health)));
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 2);
    assert_int_equal(ilk_stats_of(f->world, &Position_type).blocks, 1);
    assert_int_equal(ilk_stats_of(f->world, &Position_type).guests, 0);
    assert_true(ilk_stats_of(f->world, &Position_type).bytes >= 2 * sizeof(Position));
    assert_int_equal(ilk_stats_of(f->world, &Health_type).count, 1);
    assert_int_equal(ilk_stats_of(f->world, &Health_type).guests, 1);
    assert_ok(ilk_destroy(f->world, a));
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 1);
    assert_int_equal(ilk_stats_of(f->world, &Health_type).count, 0);
    assert_int_equal(ilk_stats_of(f->world, NULL).count, 0);
}

// Every value that is there when the world ends is dropped, once.
static void destroying_a_world_drops_its_values(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 0);
    ilk_entity e = ILK_SPAWN(world, ILK_WITH(Owned));
    ilk_entity guest = ILK_SPAWN(world, ILK_WITH(Anchor));
    assert_ok(ilk_add(world, guest, ILK_WITH(Owned)));
    ILK_SPAWN(world, ILK_WITH(Owned));
    assert_ok(ilk_remove(world, e, &Owned_type));
    assert_hooks(3, 0, 1);
    ilk_world_destroy(world);
    assert_hooks(0, 0, 2);
}

// R002.6
static void clearing_drops_values_once(void** state) {
    fixture* f = *state;
    for (int i = 0; i < 10; i++) {
        ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Owned));
        assert_ok(i % 2 ? ilk_destroy(f->world, e) : ILK_OK);
    }
    assert_hooks(10, 0, 5);
    ilk_clear(f->world);
    assert_hooks(0, 0, 5);
    ilk_clear(f->world);
    assert_hooks(0, 0, 0);
}

static void null_world_verbs(ilk_entity e) {
    assert_true(ilk_is_null(ilk_create(NULL)));
    assert_true(ilk_is_null(ILK_SPAWN(NULL, ILK_WITH(Position))));
    assert_true(ilk_is_null(ilk_copy(NULL, e)));
    assert_int_equal(ilk_destroy(NULL, e), ILK_INVALID);
    assert_int_equal(ilk_add(NULL, e, ILK_WITH(Position)), ILK_INVALID);
    assert_int_equal(ilk_set(NULL, e, ILK_WITH(Position)), ILK_INVALID);
    assert_int_equal(ilk_replace(NULL, e, ILK_WITH(Position)), ILK_INVALID);
    assert_null(ilk_ensure(NULL, e, &Position_type));
    assert_null(ilk_edit(NULL, e, &Position_type));
    assert_int_equal(ilk_remove(NULL, e, &Position_type), ILK_INVALID);
    assert_int_equal(ilk_remove_all(NULL, e), ILK_INVALID);
    assert_int_equal(ilk_disable(NULL, e, &Position_type), ILK_INVALID);
    assert_int_equal(ilk_enable(NULL, e, &Position_type), ILK_INVALID);
    assert_int_equal(ilk_register(NULL, &Position_type), ILK_INVALID);
}

static void null_world_bulk(ilk_entity e) {
    ilk_batch batch;
    assert_int_equal(ilk_create_many(NULL, &e, 1), ILK_INVALID);
    assert_int_equal(ilk_destroy_many(NULL, &e, 1), ILK_INVALID);
    assert_int_equal(ilk_add_many(NULL, &e, 1, &Position_type, NULL), ILK_INVALID);
    assert_int_equal(ilk_remove_many(NULL, &e, 1, &Position_type), ILK_INVALID);
    assert_int_equal(ilk_spawn_many(NULL, &batch, 1, ILK_TYPES(&Position_type)), ILK_INVALID);
    assert_false(ilk_batch_next(&batch));
    assert_int_equal(ilk_reserve(NULL, 1, ILK_TYPES(&Position_type)), ILK_INVALID);
    ilk_clear(NULL);
    ilk_trim(NULL);
    ilk_world_own(NULL);
    ilk_world_destroy(NULL);
    assert_int_equal(ilk_settle(NULL, 0).moved, 0);
    assert_int_equal(ilk_settle(NULL, 0).result, ILK_INVALID);
}

static void null_world_readers(ilk_entity e) {
    char text[8] = "x";
    ilk_result result = ILK_OK;
    assert_null(ilk_get(NULL, e, &Position_type, &result));
    assert_int_not_equal(result, ILK_OK);
    assert_false(ilk_alive(NULL, e));
    assert_false(ilk_has(NULL, e, &Position_type));
    assert_false(ilk_enabled(NULL, e, &Position_type));
    assert_true(ilk_is_null(ilk_entity_at(NULL, 0)));
    assert_int_equal(ilk_types_of(NULL, e, NULL, 0), 0);
    assert_int_equal(ilk_signature(NULL, e, text, sizeof(text)), 0);
    assert_string_equal(text, "");
    assert_int_equal(ilk_type_count(NULL), 0);
    assert_int_equal(ilk_type_number(NULL, &Position_type), UINT32_MAX);
    assert_null(ilk_type_at(NULL, 0));
    assert_null(ilk_type_named(NULL, "Position"));
    assert_int_equal(ilk_world_id(NULL), 0);
    assert_int_equal(ilk_world_max_entities(NULL), 0);
    (void)ilk_world_name(NULL);
    assert_non_null(ilk_error(NULL).text);
    assert_int_equal(ilk_stats(NULL).bytes, 0);
    assert_int_equal(ilk_stats_of(NULL, &Position_type).count, 0);
    assert_int_equal(ilk_world_validate(NULL, NULL, 0), ILK_INVALID);
}

// Nothing crashes for want of a world.
static void a_null_world_is_refused(void** state) {
    (void)state;
    null_world_verbs((ilk_entity){0, 1});
    null_world_bulk((ilk_entity){0, 1});
    null_world_readers((ilk_entity){0, 1});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_needs_no_preparation),
        cmocka_unit_test(a_world_has_a_name_and_perhaps_a_maximum),
        cmocka_unit_test(world_ids_count_up_from_one),
        cmocka_unit_test(the_name_is_copied),
        WORLD_TEST(at_the_maximum_the_world_is_full_and_usable),
        WORLD_TEST(a_bulk_form_past_the_maximum_does_nothing),
        WORLD_TEST(without_a_maximum_there_is_none),
        WORLD_TEST(all_memory_comes_from_the_allocator),
        WORLD_TEST(half_an_allocator_is_refused),
        WORLD_TEST(a_world_without_memory_is_not_made),
        WORLD_TEST(an_unsound_list_of_types_is_refused),
        WORLD_TEST(the_callback_gets_everything),
        WORLD_TEST(the_last_error_is_kept),
        cmocka_unit_test(errors_are_kept_without_a_callback),
        WORLD_TEST(worlds_do_not_see_each_other),
        cmocka_unit_test(many_worlds_at_once),
        WORLD_TEST(clearing_starts_from_zero_again),
        WORLD_TEST(clearing_forgets_blocks_and_keeps_numbers),
        WORLD_TEST(clearing_again_and_again),
        WORLD_TEST(trimming_gives_back_and_moves_nothing),
        WORLD_TEST(bytes_add_up),
        WORLD_TEST(stats_count),
        WORLD_TEST(type_stats_count),
        WORLD_TEST(destroying_a_world_drops_its_values),
        WORLD_TEST(clearing_drops_values_once),
        cmocka_unit_test(a_null_world_is_refused),
    };
    return cmocka_run_group_tests(tests, note_the_first_world, NULL);
}
