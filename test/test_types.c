// Types: introduced by first use or by hand, known by name, described by size, alignment, default,
// hooks and fields.
#include <pthread.h>
#include <stdatomic.h>

#include "support.h"

typedef struct Everything {
    bool flag;
    char letter;
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float f32;
    double f64;
    ilk_entity target;
    void* pointer;
    Position inner;
    char name[32];
    float matrix[16];
    ilk_entity party[4];
    uint8_t raw[3];
} Everything;

#define EVERY(member) ILK_FIELD(Everything, member)
static const ilk_field everything_fields[] = {
    EVERY(flag), EVERY(letter), EVERY(i8),     EVERY(u8),      EVERY(i16),
    EVERY(u16),  EVERY(i32),    EVERY(u32),    EVERY(i64),     EVERY(u64),
    EVERY(f32),  EVERY(f64),    EVERY(target), EVERY(pointer), EVERY(inner),
    EVERY(name), EVERY(matrix), EVERY(party),  EVERY(raw),     {0},
};
ILK_COMPONENT_WITH(Everything, .fields = everything_fields);

// R000.18 C8
static void first_use_introduces_a_type(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_type_count(f->world), 0);
    assert_int_equal(ilk_stats(f->world).types, 0);
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 1, 2)));
    assert_int_equal(ilk_type_count(f->world), 1);
    assert_int_equal(ilk_stats(f->world).types, 1);
    assert_int_equal(ilk_type_number(f->world, &Position_type), 0);
    assert_int_not_equal(Position_type.id, 0);
}

// R000.18 R004.1 C8
static void registering_twice_is_exists(void** state) {
    fixture* f = *state;
    assert_ok(ilk_register(f->world, &Position_type));
    assert_quiet(f);
    assert_int_equal(ilk_register(f->world, &Position_type), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_register");
    assert_string_equal(f->told.type, "Position");
    assert_int_equal(ilk_type_count(f->world), 1);
}

// R000.18 C8
static void registering_after_use_is_exists(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Velocity));
    assert_int_equal(ilk_register(f->world, &Velocity_type), ILK_EXISTS);
    assert_int_equal(ilk_type_count(f->world), 1);
}

// C8
static void registered_and_used_types_are_one(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 0);
    assert_ok(ilk_register(f->world, &Health_type));
    uint32_t id = Health_type.id;
    ILK_SPAWN(other, ILK_WITH(Health));
    assert_int_not_equal(id, 0);
    assert_int_equal(Health_type.id, id);
    assert_int_equal(ilk_type_at(other, 0)->id, id);
    assert_int_equal(ilk_type_number(f->world, &Health_type), 0);
    assert_int_equal(ilk_type_number(other, &Health_type), 0);
    ilk_world_destroy(other);
}

// R004.1 C29
static void numbers_follow_first_use(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 0);
    assert_ok(ilk_register(f->world, &Position_type));
    assert_ok(ilk_register(f->world, &Velocity_type));
    assert_ok(ilk_register(f->world, &Health_type));
    assert_int_equal(ilk_type_number(f->world, &Position_type), 0);
    assert_int_equal(ilk_type_number(f->world, &Velocity_type), 1);
    assert_int_equal(ilk_type_number(f->world, &Health_type), 2);
    ILK_SPAWN(other, ILK_WITH(Health), ILK_WITH(Position));
    assert_int_equal(ilk_type_number(other, &Health_type), 0);
    assert_int_equal(ilk_type_number(other, &Position_type), 1);
    assert_int_equal(ilk_type_number(other, &Velocity_type), UINT32_MAX);
    ilk_world_destroy(other);
}

// R000.23 R002.12 R002.16
static void asking_for_an_unknown_type_makes_nothing(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health));
    size_t bytes = f->memory.bytes;
    ilk_result result = ILK_OK;
    assert_null(ilk_get(f->world, e, &Position_type, &result));
    assert_int_equal(result, ILK_MISSING);
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_false(ilk_enabled(f->world, e, &Position_type));
    assert_null(ilk_type_named(f->world, "Position"));
    assert_null(ilk_type_at(f->world, 1));
    assert_int_equal(ilk_type_number(f->world, &Position_type), UINT32_MAX);
    assert_int_equal(ilk_stats_of(f->world, &Position_type).count, 0);
    assert_int_equal(ilk_stats_of(f->world, &Position_type).bytes, 0);
    assert_int_equal(ilk_type_count(f->world), 1);
    assert_int_equal(ilk_stats(f->world).types, 1);
    assert_int_equal(f->memory.bytes, bytes);
    assert_quiet(f);
}

// R002.12
static void a_type_is_found_by_name_and_number(void** state) {
    fixture* f = *state;
    assert_ok(ilk_register(f->world, &Health_type));
    ilk_type* found = ilk_type_named(f->world, "Health");
    assert_non_null(found);
    assert_string_equal(found->name, "Health");
    assert_int_equal(found->size, sizeof(Health));
    assert_int_equal(found->align, _Alignof(Health));
    assert_int_equal(((const Health*)found->default_value)->points, 100);
    assert_int_equal(ilk_type_at(f->world, 0)->id, found->id);
    assert_null(ilk_type_named(f->world, "health"));
    assert_null(ilk_type_named(f->world, NULL));
}

// C8
static void what_is_found_may_be_used(void** state) {
    fixture* f = *state;
    assert_ok(ilk_register(f->world, &Health_type));
    ilk_type* found = ilk_type_at(f->world, 0);
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, (ilk_value){found, &(Health){7}}));
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 7);
    ilk_world* other = second_world(f, 0);
    assert_ok(ilk_register(other, found));
    assert_int_equal(ilk_type_number(other, &Health_type), 0);
    ilk_world_destroy(other);
}

// C8 R003.3
static void two_variables_of_one_name_are_one_type(void** state) {
    fixture* f = *state;
    ilk_type here = {.name = "Twin", .size = 8, .align = 4};
    char name[] = "Twin";
    ilk_type there = {.name = name, .size = 8, .align = 4};
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, (ilk_value){&here, &(Position){3, 4}}));
    assert_true(ilk_has(f->world, e, &there));
    assert_true(same_position(ilk_get(f->world, e, &there, NULL), 3, 4));
    assert_int_equal(ilk_add(f->world, e, (ilk_value){&there, NULL}), ILK_EXISTS);
    assert_int_equal(ilk_type_count(f->world), 1);
    assert_int_equal(here.id, there.id);
    assert_ok(ilk_remove(f->world, e, &there));
    assert_false(ilk_has(f->world, e, &here));
}

// C8 R000.25
static void two_variables_of_one_tag_are_one_type(void** state) {
    fixture* f = *state;
    ilk_type enemy = {.name = "Enemy"};
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Enemy));
    assert_true(ilk_has(f->world, e, &enemy));
    assert_ok(ilk_remove(f->world, e, &enemy));
    assert_false(ilk_has(f->world, e, &Enemy_type));
    assert_int_equal(ilk_type_count(f->world), 1);
}

// R001.61 C8
static void a_clash_shows_both_layouts(void** state) {
    fixture* f = *state;
    ilk_type small = {.name = "Clashing", .size = 24, .align = 8};
    ilk_type large = {.name = "Clashing", .size = 52, .align = 4};
    assert_ok(ilk_register(f->world, &small));
    assert_int_equal(ilk_register(f->world, &large), ILK_CLASH);
    assert_told(f, ILK_CLASH, "ilk_register");
    assert_non_null(strstr(f->told.text, "Clashing"));
    assert_non_null(strstr(f->told.text, "24"));
    assert_non_null(strstr(f->told.text, "52"));
    assert_int_equal(ilk_type_count(f->world), 1);
    assert_int_equal(ilk_type_at(f->world, 0)->size, 24);
}

// R001.61
static void a_clashing_type_is_refused_by_each_verb(void** state) {
    fixture* f = *state;
    ilk_type good = {.name = "Refused", .size = 8, .align = 8};
    ilk_type bad = {.name = "Refused", .size = 16, .align = 8};
    ilk_entity e = ilk_spawn(f->world, &(ilk_value){&good, &(Anchor){5}}, 1);
    ilk_value value = {&bad, NULL};
    assert_int_equal(ilk_add(f->world, e, value), ILK_CLASH);
    assert_int_equal(ilk_set(f->world, e, value), ILK_CLASH);
    assert_int_equal(ilk_replace(f->world, e, value), ILK_CLASH);
    assert_int_equal(ilk_remove(f->world, e, &bad), ILK_CLASH);
    assert_null(ilk_ensure(f->world, e, &bad));
    assert_int_equal(ilk_error(f->world).result, ILK_CLASH);
    assert_null(ilk_edit(f->world, e, &bad));
    assert_int_equal(ilk_error(f->world).result, ILK_CLASH);
    assert_true(ilk_is_null(ilk_spawn(f->world, &value, 1)));
    assert_null(ilk_get(f->world, e, &bad, NULL));
    assert_false(ilk_has(f->world, e, &bad));
    assert_int_equal(((const Anchor*)ilk_get(f->world, e, &good, NULL))->depth, 5);
    assert_int_equal(ilk_stats(f->world).alive, 1);
}

// R001.13
static void defaults_are_given(void** state) {
    fixture* f = *state;
    ilk_entity born = ILK_SPAWN(f->world, ILK_WITH(Health), ILK_WITH(Position));
    ilk_entity later = ilk_create(f->world);
    assert_ok(ilk_add(f->world, later, ILK_WITH(Health)));
    ilk_entity ensured = ilk_create(f->world);
    assert_int_equal(ILK_ENSURE(f->world, ensured, Health)->points, 100);
    assert_int_equal(ILK_GET(f->world, born, Health)->points, 100);
    assert_true(same_position(ILK_GET(f->world, born, Position), 0, 0));
    assert_int_equal(ILK_GET(f->world, later, Health)->points, 100);
    assert_ok(ilk_set(f->world, later, ILK_VALUE(Health, 3)));
    assert_ok(ilk_set(f->world, later, ILK_WITH(Health)));
    assert_int_equal(ILK_GET(f->world, later, Health)->points, 100);
}

// R001.13
static void defaults_are_given_where_others_were(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 8, 9), ILK_VALUE(Health, 1));
    assert_ok(ilk_destroy(f->world, e));
    e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Health));
    assert_true(same_position(ILK_GET(f->world, e, Position), 0, 0));
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 100);
    *ILK_EDIT(f->world, e, Position) = (Position){5, 6};
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_true(same_position(ILK_ENSURE(f->world, e, Position), 0, 0));
}

// After first use a description may go.
static void a_description_is_copied_at_first_use(void** state) {
    fixture* f = *state;
    char name[] = "Copied";
    uint32_t initial = 77;
    ilk_type type = {.name = name, .size = 4, .align = 4, .default_value = &initial};
    assert_ok(ilk_register(f->world, &type));
    initial = 0;
    name[0] = 'X';
    ilk_entity e = ilk_create(f->world);
    assert_int_equal(*(uint32_t*)ilk_ensure(f->world, e, &type), 77);
    assert_string_equal(ilk_type_at(f->world, 0)->name, "Copied");
    assert_non_null(ilk_type_named(f->world, "Copied"));
}

// The kind of a field follows from its C type, an array from that of its elements.
static void kinds_are_inferred(void** state) {
    (void)state;
    const ilk_kind kinds[] = {
        ILK_KIND_BOOL, ILK_KIND_CHAR, ILK_KIND_I8,     ILK_KIND_U8,      ILK_KIND_I16,
        ILK_KIND_U16,  ILK_KIND_I32,  ILK_KIND_U32,    ILK_KIND_I64,     ILK_KIND_U64,
        ILK_KIND_F32,  ILK_KIND_F64,  ILK_KIND_ENTITY, ILK_KIND_POINTER, ILK_KIND_BYTES,
        ILK_KIND_CHAR, ILK_KIND_F32,  ILK_KIND_ENTITY, ILK_KIND_U8,
    };
    const uint32_t lengths[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 32, 16, 4, 3};
    assert_int_equal(COUNT_OF(kinds) + 1, COUNT_OF(everything_fields));
    for (uint32_t i = 0; i < COUNT_OF(kinds); i++) {
        assert_int_equal(everything_fields[i].kind, kinds[i]);
        assert_int_equal(ilk_field_length(&everything_fields[i]), lengths[i]);
    }
}

// Fields are part of what is copied at first use.
static void fields_are_kept_with_the_type(void** state) {
    fixture* f = *state;
    assert_ok(ilk_register(f->world, &Everything_type));
    const ilk_field* kept = ilk_type_at(f->world, 0)->fields;
    assert_non_null(kept);
    const ilk_field* field = everything_fields;
    for (; field->name; field++, kept++) {
        assert_string_equal(kept->name, field->name);
        assert_int_equal(kept->kind, field->kind);
        assert_int_equal(kept->offset, field->offset);
        assert_int_equal(kept->size, field->size);
    }
    assert_null(kept->name);
    assert_int_equal(everything_fields[17].offset, offsetof(Everything, party));
    assert_int_equal(everything_fields[17].size, 4 * sizeof(ilk_entity));
}

// C8 R003.3
static void types_known_at_run_time_stand_alike(void** state) {
    fixture* f = *state;
    char name[32];
    snprintf(name, sizeof(name), "script.%s%d", "Part", 1);
    const float initial[3] = {1, 2, 3};
    ilk_type part = {.name = name, .size = 12, .align = 4, .default_value = initial};
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Position)));
    assert_memory_equal(ilk_ensure(f->world, e, &part), initial, 12);
    assert_ok(ilk_set(f->world, e, (ilk_value){&part, (const float[3]){4, 5, 6}}));
    assert_true(((const float*)ilk_get(f->world, e, &part, NULL))[2] == 6);
    assert_int_equal(ilk_type_number(f->world, &part), 1);
    assert_ok(ilk_remove(f->world, e, &part));
    assert_false(ilk_has(f->world, e, &part));
}

enum {
    MANY = 200
};

static void name_types(ilk_type* types, char (*names)[16], const char* prefix) {
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof(names[i]), "%s%u", prefix, (unsigned)i);
        types[i] = (ilk_type){.name = names[i], .size = 4, .align = 4};
    }
}

// R002.8 R004.4 C23
static void two_hundred_types_on_one_entity(void** state) {
    fixture* f = *state;
    ilk_type types[MANY];
    char names[MANY][16];
    name_types(types, names, "many");
    ilk_entity e = ilk_create(f->world);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_ok(ilk_add(f->world, e, (ilk_value){&types[i], &i}));
        for (uint32_t k = 0; k <= i; k++) {
            const uint32_t* value = ilk_get(f->world, e, &types[k], NULL);
            assert_true(value && *value == k);
        }
        assert_false(i + 1 < MANY && ilk_has(f->world, e, &types[i + 1]));
    }
    assert_int_equal(ilk_type_count(f->world), MANY);
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), MANY);
}

// R004.4 C23
static void two_hundred_types_at_birth(void** state) {
    fixture* f = *state;
    ilk_type types[MANY];
    char names[MANY][16];
    name_types(types, names, "birth");
    ilk_value values[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        values[i] = (ilk_value){&types[i], &types[i].size};
    }
    ilk_entity e = ilk_spawn(f->world, values, MANY);
    assert_true(ilk_alive(f->world, e));
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(*(const uint32_t*)ilk_get(f->world, e, &types[i], NULL), 4);
    }
}

// R001.2 C30
static void a_restricted_world_takes_its_types_only(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type* const[]){&Position_type, &Enemy_type, NULL};
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, 1, 2), ILK_WITH(Enemy));
    assert_true(ilk_alive(world, e));
    assert_int_equal(ilk_register(world, &Health_type), ILK_FOREIGN);
    assert_told(f, ILK_FOREIGN, "ilk_register");
    assert_int_equal(ilk_add(world, e, ILK_WITH(Health)), ILK_FOREIGN);
    assert_told(f, ILK_FOREIGN, "ilk_add");
    assert_string_equal(f->told.type, "Health");
    assert_int_equal(ilk_set(world, e, ILK_WITH(Health)), ILK_FOREIGN);
    assert_told(f, ILK_FOREIGN, "ilk_set");
    assert_int_equal(ilk_replace(world, e, ILK_WITH(Health)), ILK_MISSING);
    assert_int_equal(ilk_remove(world, e, &Health_type), ILK_MISSING);
    assert_int_equal(ilk_type_number(world, &Health_type), UINT32_MAX);
    assert_valid(world);
    ilk_world_destroy(world);
}

// R001.2 C30
static void an_empty_list_takes_no_types(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type* const[]){NULL};
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    ilk_entity e = ilk_create(world);
    assert_int_equal(ilk_add(world, e, ILK_WITH(Position)), ILK_FOREIGN);
    assert_int_equal(ilk_register(world, &Position_type), ILK_FOREIGN);
    assert_int_equal(ilk_type_count(world), 0);
    ilk_world_destroy(world);
}

// R001.2 C30
static void a_foreign_type_changes_nothing(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type* const[]){&Position_type, NULL};
    ilk_world* world = ilk_world_create(&desc);
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Position, 1, 2));
    ilk_batch batch;
    assert_null(ilk_ensure(world, e, &Health_type));
    assert_int_equal(ilk_error(world).result, ILK_FOREIGN);
    assert_true(ilk_is_null(ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(Health))));
    assert_int_equal(ilk_error(world).result, ILK_FOREIGN);
    assert_int_equal(ilk_spawn_many(world, &batch, 9, ILK_TYPES(&Health_type)), ILK_FOREIGN);
    assert_false(ilk_batch_next(&batch));
    assert_int_equal(ilk_add_many(world, &e, 1, &Health_type, NULL), ILK_FOREIGN);
    assert_false(ilk_has(world, e, &Health_type));
    assert_int_equal(ilk_stats(world).alive, 1);
    assert_int_equal(ilk_types_of(world, e, NULL, 0), 1);
    assert_valid(world);
    ilk_world_destroy(world);
}

static void refuse(fixture* f, ilk_type type) {
    assert_int_equal(ilk_register(f->world, &type), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_register");
    assert_int_equal(type.id, 0);
}

// R001.61
static void unsound_types_are_invalid(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_register(f->world, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_register");
    refuse(f, (ilk_type){.size = 4, .align = 4});
    refuse(f, (ilk_type){.name = "", .size = 4, .align = 4});
    refuse(f, (ilk_type){.name = "Odd", .size = 12, .align = 3});
    refuse(f, (ilk_type){.name = "Ragged", .size = 10, .align = 4});
    refuse(f, (ilk_type){.name = "Endless", .size = SIZE_MAX, .align = 1});
    assert_int_equal(ilk_type_count(f->world), 0);
}

static void check_alignment(ilk_world* world, const char* name, size_t size, size_t align,
                            size_t expected) {
    ilk_type type = {.name = name, .size = size, .align = align};
    ilk_entity born = ilk_spawn(world, &(ilk_value){&type, NULL}, 1);
    ilk_entity guest = ILK_SPAWN(world, ILK_WITH(Anchor));
    assert_ok(ilk_add(world, guest, (ilk_value){&type, NULL}));
    assert_int_equal((uintptr_t)ilk_get(world, born, &type, NULL) % expected, 0);
    assert_int_equal((uintptr_t)ilk_get(world, guest, &type, NULL) % expected, 0);
    assert_int_equal(ilk_type_named(world, name)->align, expected);
}

// C23
static void alignment_is_kept_or_worked_out(void** state) {
    fixture* f = *state;
    check_alignment(f->world, "one", 1, 0, 1);
    check_alignment(f->world, "twelve", 12, 0, 4);
    check_alignment(f->world, "twenty-four", 24, 0, 8);
    check_alignment(f->world, "sixteen", 16, 0, 16);
    check_alignment(f->world, "sixty-four", 64, 0, 16);
    check_alignment(f->world, "wide", 64, 64, 64);
    check_alignment(f->world, "wider", 512, 256, 256);
}

// C23
static void values_may_have_megabytes(void** state) {
    fixture* f = *state;
    const size_t size = (size_t)3 << 20;
    ilk_type vast = {.name = "Vast", .size = size, .align = 1};
    ilk_entity a = ilk_spawn(f->world, &(ilk_value){&vast, NULL}, 1);
    ilk_entity b = ILK_SPAWN(f->world, ILK_WITH(Anchor));
    memset(ilk_edit(f->world, a, &vast), 0xAA, size);
    memset(ilk_ensure(f->world, b, &vast), 0xBB, size);
    settle_fully(f->world);
    const uint8_t* bytes = ilk_get(f->world, a, &vast, NULL);
    assert_true(bytes[0] == 0xAA && bytes[size - 1] == 0xAA);
    bytes = ilk_get(f->world, b, &vast, NULL);
    assert_true(bytes[0] == 0xBB && bytes[size - 1] == 0xBB);
}

// R001.61 R002.18
static void macros_give_typed_pointers(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, .y = 2));
    ilk_batch batch;
    assert_true(_Generic(ILK_GET(f->world, e, Position), const Position*: 1, default: 0));
    assert_true(_Generic(ILK_EDIT(f->world, e, Position), Position *: 1, default: 0));
    assert_true(_Generic(ILK_ENSURE(f->world, e, Position), Position *: 1, default: 0));
    assert_true(_Generic(ILK_FILL(&batch, Position), Position *: 1, default: 0));
    const Position from = {6, 7};
    assert_ok(ilk_set(f->world, e, ILK_VALUE_AT(Position, &from)));
    assert_true(same_position(ILK_GET(f->world, e, Position), 6, 7));
}

// Two threads use the same fresh types first, each in a world of its own.
enum {
    RACED = 64
};
static ilk_type raced[RACED];
static char raced_names[RACED][16];
static atomic_int racers;

static void* race(void* seen) {
    uint32_t* ids = seen;
    ilk_world* world = ilk_world_create(NULL);
    atomic_fetch_add(&racers, 1);
    while (atomic_load(&racers) < 2) {
    }
    for (uint32_t i = 0; world && i < RACED; i++) {
        ilk_spawn(world, &(ilk_value){&raced[i], NULL}, 1);
        ids[i] = ilk_type_at(world, i)->id;
    }
    ilk_world_destroy(world);
    return NULL;
}

// R002.7 C8
static void two_threads_agree_on_first_use(void** state) {
    (void)state;
    for (uint32_t i = 0; i < RACED; i++) {
        snprintf(raced_names[i], sizeof(raced_names[i]), "raced%u", (unsigned)i);
        raced[i] = (ilk_type){.name = raced_names[i], .size = 4, .align = 4};
    }
    uint32_t ids[2][RACED] = {{0}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, race, ids[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    for (uint32_t i = 0; i < RACED; i++) {
        assert_int_not_equal(ids[0][i], 0);
        assert_int_equal(ids[0][i], ids[1][i]);
        assert_int_equal(ids[0][i], raced[i].id);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(first_use_introduces_a_type),
        WORLD_TEST(registering_twice_is_exists),
        WORLD_TEST(registering_after_use_is_exists),
        WORLD_TEST(registered_and_used_types_are_one),
        WORLD_TEST(numbers_follow_first_use),
        WORLD_TEST(asking_for_an_unknown_type_makes_nothing),
        WORLD_TEST(a_type_is_found_by_name_and_number),
        WORLD_TEST(what_is_found_may_be_used),
        WORLD_TEST(two_variables_of_one_name_are_one_type),
        WORLD_TEST(two_variables_of_one_tag_are_one_type),
        WORLD_TEST(a_clash_shows_both_layouts),
        WORLD_TEST(a_clashing_type_is_refused_by_each_verb),
        WORLD_TEST(defaults_are_given),
        WORLD_TEST(defaults_are_given_where_others_were),
        WORLD_TEST(a_description_is_copied_at_first_use),
        cmocka_unit_test(kinds_are_inferred),
        WORLD_TEST(fields_are_kept_with_the_type),
        WORLD_TEST(types_known_at_run_time_stand_alike),
        WORLD_TEST(two_hundred_types_on_one_entity),
        WORLD_TEST(two_hundred_types_at_birth),
        WORLD_TEST(a_restricted_world_takes_its_types_only),
        WORLD_TEST(an_empty_list_takes_no_types),
        WORLD_TEST(a_foreign_type_changes_nothing),
        WORLD_TEST(unsound_types_are_invalid),
        WORLD_TEST(alignment_is_kept_or_worked_out),
        WORLD_TEST(values_may_have_megabytes),
        WORLD_TEST(macros_give_typed_pointers),
        cmocka_unit_test(two_threads_agree_on_first_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
