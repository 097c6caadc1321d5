// Spawning: one step, many at once with columns to fill, bulk adding and removing, reserving.
#include "support.h"

// R000.15
static void spawn_gives_every_component(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, .x = 1, .y = 2), ILK_WITH(Enemy),
                             ILK_VALUE(Velocity, .y = 3), ILK_WITH(Health));
    assert_true(ilk_alive(f->world, e));
    assert_true(same_position(ILK_GET(f->world, e, Position), 1, 2));
    assert_true(ILK_GET(f->world, e, Velocity)->x == 0);
    assert_true(ILK_GET(f->world, e, Velocity)->y == 3);
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 100);
    assert_true(ilk_has(f->world, e, &Enemy_type));
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 4);
    assert_quiet(f);
}

static void count_init(void* value, void* context) {
    (*(int32_t*)value)++;
    (*(int*)context)++;
}

// The second of a list goes another way than the first.
static void defaults_are_given_as_often_as_they_are_asked_for(void** state) {
    fixture* f = *state;
    static int inits; // types are for ever
    ilk_type begun = {.name = "spawn.begun",
                      .size = 4,
                      .default_value = &(int32_t){7},
                      .hooks = {.init = count_init, .context = &inits}};
    for (int i = 1; i <= 4; i++) {
        ilk_entity plain = ILK_SPAWN(f->world, ILK_WITH(Health), ILK_WITH(Velocity));
        ILK_EDIT(f->world, plain, Velocity)->x = 5;
        assert_int_equal(ILK_GET(f->world, plain, Health)->points, 100);
        assert_ok(ilk_destroy(f->world, plain));
        plain = ILK_SPAWN(f->world, ILK_WITH(Health), ILK_WITH(Velocity));
        assert_true(ILK_GET(f->world, plain, Velocity)->x == 0);
        ilk_entity made = ILK_SPAWN(f->world, ILK_WITH(Health), {&begun, NULL});
        assert_int_equal(inits, 2 * i - 1);
        assert_int_equal(*(const int32_t*)ilk_get(f->world, made, &begun, NULL), 8);
        assert_ok(ilk_remove(f->world, made, &begun));
        assert_ok(ilk_add(f->world, made, (ilk_value){&begun, NULL}));
        assert_int_equal(inits, 2 * i);
        assert_int_equal(*(const int32_t*)ilk_get(f->world, made, &begun, NULL), 8);
    }
    assert_quiet(f);
}

// More than are kept at hand, each list also turned round; and again after all is gone.
static void lists_may_take_turns(void** state) {
    fixture* f = *state;
    ilk_type types[12];
    char names[12][24];
    for (int k = 0; k < 12; k++) {
        snprintf(names[k], sizeof names[k], "turn.%d", k);
        types[k] = (ilk_type){.name = names[k], .size = 4};
    }
    for (int i = 0; i < 500; i++) {
        if (i % 200 == 199) ilk_clear(f->world);
        int a = i % 12, b = (i + 1 + i / 12 % 11) % 12;
        const ilk_value values[] = {{&types[a], &i}, {&types[b], &(int){-i}}};
        ilk_entity e = ilk_spawn(f->world, values, 2);
        assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 2);
        assert_int_equal(*(const int*)ilk_get(f->world, e, &types[a], NULL), i);
        assert_int_equal(*(const int*)ilk_get(f->world, e, &types[b], NULL), -i);
    }
    assert_quiet(f);
}

// R000.15
static void spawn_passes_over_null_types(void** state) {
    fixture* f = *state;
    const Position p = {1, 2};
    const ilk_value values[] = {
        {NULL, NULL}, ILK_VALUE_AT(Position, &p), {NULL, &p}, ILK_WITH(Enemy), {NULL, NULL}};
    ilk_entity e = ilk_spawn(f->world, values, COUNT_OF(values));
    assert_true(ilk_alive(f->world, e));
    assert_true(same_position(ILK_GET(f->world, e, Position), 1, 2));
    assert_true(ilk_has(f->world, e, &Enemy_type));
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 2);
    assert_quiet(f);
}

// R000.15
static void spawn_of_nothing_is_create(void** state) {
    fixture* f = *state;
    ilk_entity none = ilk_spawn(f->world, NULL, 0);
    ilk_entity nulls = ilk_spawn(f->world, (const ilk_value[2]){{0}}, 2);
    assert_int_equal(none.index, 0);
    assert_int_equal(nulls.index, 1);
    assert_true(ilk_alive(f->world, none) && ilk_alive(f->world, nulls));
    assert_int_equal(ilk_stats(f->world).empty, 2);
    assert_true(ilk_is_null(ilk_spawn(f->world, NULL, 3)));
    assert_told(f, ILK_INVALID, "ilk_spawn");
    assert_int_equal(ilk_stats(f->world).alive, 2);
}

// R001.5
static void a_type_named_twice_is_exists(void** state) {
    fixture* f = *state;
    Owned mine = {text_copy("mine")};
    const ilk_value values[] = {ILK_VALUE_AT(Owned, &mine), ILK_WITH(Position), ILK_WITH(Owned)};
    assert_true(ilk_is_null(ilk_spawn(f->world, values, 3)));
    assert_told(f, ILK_EXISTS, "ilk_spawn");
    assert_string_equal(f->told.type, "Owned");
    assert_hooks(0, 0, 0);
    assert_int_equal(ilk_stats(f->world).alive, 0);
    assert_int_equal(ilk_create(f->world).index, 0);
    ilk_batch batch;
    assert_int_equal(ilk_spawn_many(f->world, &batch, 4, ILK_TYPES(&Owned_type, &Owned_type)),
                     ILK_EXISTS);
    assert_false(ilk_batch_next(&batch));
    assert_hooks(0, 0, 0);
    free(mine.text);
}

// R001.5
static void the_order_of_types_does_not_matter(void** state) {
    fixture* f = *state;
    char first[8], second[8];
    ilk_entity a = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_VALUE(Health, 1));
    ilk_entity b = ILK_SPAWN(f->world, ILK_VALUE(Health, 2), ILK_WITH(Position));
    assert_int_equal(ilk_stats(f->world).ilks, 1);
    assert_int_equal(ilk_stats(f->world).chunks, 1);
    ilk_signature(f->world, a, first, sizeof(first));
    ilk_signature(f->world, b, second, sizeof(second));
    assert_string_equal(first, second);
    assert_int_equal(ILK_GET(f->world, a, Health)->points, 1);
    assert_int_equal(ILK_GET(f->world, b, Health)->points, 2);
}

// R001.5
static void removing_the_last_leaves_an_empty_entity(void** state) {
    fixture* f = *state;
    char text[8];
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position));
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_true(ilk_alive(f->world, e));
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 0);
    assert_int_equal(ilk_signature(f->world, e, text, sizeof(text)), 1);
    assert_string_equal(text, "0");
}

// R001.13 R001.6
static void a_batch_is_filled_in_place(void** state) {
    fixture* f = *state;
    enum {
        COUNT = 5000
    };
    static ilk_entity e[COUNT];
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, COUNT, ILK_TYPES(&Position_type, &Health_type)));
    assert_int_equal(ilk_stats(f->world).alive, COUNT);
    uint32_t seen = 0;
    while (ilk_batch_next(&batch)) {
        Position* p = ILK_FILL(&batch, Position);
        const Health* h = ILK_FILL(&batch, Health);
        assert_true(batch.count > 0);
        for (uint32_t i = 0; i < batch.count; i++, seen++) {
            assert_true(same_position(&p[i], 0, 0));
            assert_int_equal(h[i].points, 100);
            p[i].x = (float)seen;
            e[seen] = batch.entities[i];
        }
    }
    assert_int_equal(seen, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(e[i].index, i);
        assert_true(same_position(ILK_GET(f->world, e[i], Position), (float)i, 0));
    }
    assert_false(ilk_batch_next(&batch));
}

// R001.6
static void a_column_is_an_array(void** state) {
    fixture* f = *state;
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 1000, ILK_TYPES(&Position_type, &Anchor_type)));
    while (ilk_batch_next(&batch)) {
        const Position* p = ILK_FILL(&batch, Position);
        const Anchor* a = ILK_FILL(&batch, Anchor);
        for (uint32_t i = 0; i < batch.count; i++) {
            assert_ptr_equal(ILK_GET(f->world, batch.entities[i], Position), &p[i]);
            assert_ptr_equal(ILK_GET(f->world, batch.entities[i], Anchor), &a[i]);
        }
    }
}

// R001.9
static void a_batch_has_its_own_columns_only(void** state) {
    fixture* f = *state;
    ilk_batch batch;
    ILK_SPAWN(f->world, ILK_WITH(Velocity));
    assert_ok(ilk_spawn_many(f->world, &batch, 10, ILK_TYPES(&Position_type, NULL, &Enemy_type)));
    assert_true(ilk_batch_next(&batch));
    assert_non_null(ILK_FILL(&batch, Position));
    assert_null(ILK_FILL(&batch, Velocity));
    assert_null(ILK_FILL(&batch, Health));
    assert_null(ilk_batch_fill(&batch, NULL));
    assert_true(ilk_has(f->world, batch.entities[9], &Enemy_type));
}

// A batch may have no entities; without types it is refused.
static void a_batch_of_none_is_empty(void** state) {
    fixture* f = *state;
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 0, ILK_TYPES(&Position_type)));
    assert_false(ilk_batch_next(&batch));
    assert_quiet(f);
    assert_int_equal(ilk_spawn_many(f->world, &batch, 3, NULL, 0), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_spawn_many");
    assert_false(ilk_batch_next(&batch));
    assert_int_equal(ilk_spawn_many(f->world, &batch, 3, NULL, 2), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_spawn_many");
    assert_int_equal(ilk_spawn_many(f->world, NULL, 3, ILK_TYPES(&Position_type)), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_spawn_many");
    assert_int_equal(ilk_stats(f->world).alive, 0);
}

static void assert_over(ilk_batch* batch) {
    assert_null(ilk_batch_fill(batch, &Position_type));
    assert_false(ilk_batch_next(batch));
    assert_null(ilk_batch_fill(batch, &Position_type));
}

static ilk_batch begin_batch(ilk_world* world) {
    ilk_batch batch;
    assert_ok(ilk_spawn_many(world, &batch, 5000, ILK_TYPES(&Position_type)));
    assert_true(ilk_batch_next(&batch));
    assert_non_null(ilk_batch_fill(&batch, &Position_type));
    return batch;
}

// A batch that is over gives nothing more, whatever became of its rows.
static void a_batch_ends_with_its_rows(void** state) {
    fixture* f = *state;
    ilk_batch batch = begin_batch(f->world);
    ilk_clear(f->world);
    assert_over(&batch);
    batch = begin_batch(f->world);
    for (uint32_t i = 0; i < 5000; i++) {
        assert_ok(ilk_destroy(f->world, ilk_entity_at(f->world, i)));
    }
    settle_fully(f->world);
    assert_over(&batch);
    batch = begin_batch(f->world);
    ilk_batch next = begin_batch(f->world);
    assert_over(&batch);
    assert_non_null(ilk_batch_fill(&next, &Position_type));
}

// R001.13
static void a_batch_initialises_each_value(void** state) {
    fixture* f = *state;
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 100, ILK_TYPES(&Owned_type, &Position_type)));
    assert_hooks(100, 0, 0);
    while (ilk_batch_next(&batch)) {
        for (uint32_t i = 0; i < batch.count; i++) {
            assert_string_equal(ILK_FILL(&batch, Owned)[i].text, "fresh");
        }
    }
    ilk_clear(f->world);
    assert_hooks(0, 0, 100);
}

// A batch may fill holes, and its runs end where others live.
static void a_batch_fills_freed_places_too(void** state) {
    fixture* f = *state;
    ilk_entity e[100];
    for (int i = 0; i < 100; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Health, i));
    }
    for (int i = 0; i < 100; i += 2) {
        assert_ok(ilk_destroy(f->world, e[i]));
    }
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 200, ILK_TYPES(&Health_type)));
    uint32_t seen = 0;
    while (ilk_batch_next(&batch)) {
        for (uint32_t i = 0; i < batch.count; i++, seen++) {
            assert_int_equal(ILK_FILL(&batch, Health)[i].points, 100);
            ILK_FILL(&batch, Health)[i].points = -1;
        }
    }
    assert_int_equal(seen, 200);
    for (int i = 1; i < 100; i += 2) {
        assert_int_equal(ILK_GET(f->world, e[i], Health)->points, i);
    }
    assert_int_equal(ilk_stats(f->world).alive, 250);
}

static void check_add_many(fixture* f, origin where) {
    ilk_entity e[6];
    for (int i = 0; i < 6; i++) {
        e[i] = put_without(f->world, where, &Health_type);
    }
    const Health values[6] = {{0}, {1}, {2}, {3}, {4}, {5}};
    assert_ok(ilk_set(f->world, e[2], ILK_VALUE(Health, 77)));
    assert_ok(ilk_destroy(f->world, e[4]));
    assert_int_equal(ilk_add_many(f->world, e, 6, &Health_type, values), ILK_EXISTS);
    assert_int_equal(ILK_GET(f->world, e[0], Health)->points, 0);
    assert_int_equal(ILK_GET(f->world, e[1], Health)->points, 1);
    assert_int_equal(ILK_GET(f->world, e[2], Health)->points, 77);
    assert_int_equal(ILK_GET(f->world, e[3], Health)->points, 3);
    assert_int_equal(ILK_GET(f->world, e[5], Health)->points, 5);
    assert_ok(ilk_remove(f->world, e[3], &Health_type));
    f->told.count = 0;
    assert_int_equal(ilk_remove_many(f->world, e, 6, &Health_type), ILK_MISSING);
    for (int i = 0; i < 6; i++) {
        assert_false(ilk_has(f->world, e[i], &Health_type));
    }
}

// R001.21 C1 C2
static void bulk_verbs_pass_over_and_say_the_first(void** state) {
    (void)state;
    at_each_place(check_add_many);
}

// C1
static void an_entity_listed_twice_gets_the_first_value(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    const ilk_entity twice[] = {e, e};
    const Health values[] = {{1}, {2}};
    assert_int_equal(ilk_add_many(f->world, twice, 2, &Health_type, values), ILK_EXISTS);
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 1);
    assert_int_equal(ilk_remove_many(f->world, twice, 2, &Health_type), ILK_MISSING);
    assert_false(ilk_has(f->world, e, &Health_type));
}

// R001.13
static void bulk_adding_without_values_gives_the_default(void** state) {
    fixture* f = *state;
    ilk_entity e[50];
    assert_ok(ilk_create_many(f->world, e, 50));
    assert_ok(ilk_add_many(f->world, e, 50, &Health_type, NULL));
    assert_ok(ilk_add_many(f->world, e, 50, &Owned_type, NULL));
    assert_ok(ilk_add_many(f->world, e, 50, &Enemy_type, NULL));
    assert_hooks(50, 0, 0);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(ILK_GET(f->world, e[i], Health)->points, 100);
        assert_string_equal(ILK_GET(f->world, e[i], Owned)->text, "fresh");
        assert_true(ilk_has(f->world, e[i], &Enemy_type));
    }
    assert_ok(ilk_remove_many(f->world, e, 50, &Owned_type));
    assert_hooks(0, 0, 50);
}

// Reserved room is there, also when memory is not.
static void what_is_reserved_needs_no_memory(void** state) {
    fixture* f = *state;
    assert_ok(ilk_reserve(f->world, 3000, ILK_TYPES(&Position_type, NULL, &Health_type)));
    f->memory.left = 0;
    for (int i = 0; i < 3000; i++) {
        assert_false(
            ilk_is_null(ILK_SPAWN(f->world, ILK_WITH(Health), ILK_VALUE(Position, (float)i, 0))));
    }
    assert_quiet(f);
    f->memory.left = UINT64_MAX;
    assert_int_equal(ilk_stats(f->world).alive, 3000);
}

// Reserved room serves every way to create.
static void reserved_room_serves_batches_and_empty_entities(void** state) {
    fixture* f = *state;
    ilk_entity e[500];
    ilk_batch batch;
    assert_ok(ilk_reserve(f->world, 500, NULL, 0));
    f->memory.left = 0;
    assert_ok(ilk_create_many(f->world, e, 500));
    f->memory.left = UINT64_MAX;
    assert_ok(ilk_reserve(f->world, 700, ILK_TYPES(&Velocity_type)));
    f->memory.left = 0;
    assert_ok(ilk_spawn_many(f->world, &batch, 700, ILK_TYPES(&Velocity_type)));
    f->memory.left = UINT64_MAX;
    assert_int_equal(ilk_stats(f->world).alive, 1200);
}

// Reserving shows in no count of entities.
static void reserving_makes_no_entities(void** state) {
    fixture* f = *state;
    assert_ok(ilk_reserve(f->world, 100, ILK_TYPES(&Position_type)));
    assert_int_equal(ilk_stats(f->world).alive, 0);
    assert_int_equal(ilk_stats(f->world).ever, 0);
    assert_int_equal(ILK_SPAWN(f->world, ILK_WITH(Position)).index, 0);
    assert_int_equal(ilk_reserve(f->world, 9, ILK_TYPES(&Health_type, &Health_type)), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_reserve");
    assert_int_equal(ilk_reserve(f->world, 9, NULL, 4), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_reserve");
}

// R001.61
static void a_hundred_thousand_with_three_components(void** state) {
    fixture* f = *state;
    enum {
        COUNT = 100000
    };
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, COUNT,
                             ILK_TYPES(&Position_type, &Velocity_type, &Health_type)));
    double sum = 0;
    while (ilk_batch_next(&batch)) {
        Position* p = ILK_FILL(&batch, Position);
        Velocity* v = ILK_FILL(&batch, Velocity);
        Health* h = ILK_FILL(&batch, Health);
        for (uint32_t i = 0; i < batch.count; i++) {
            v[i] = (Velocity){1, 2};
            p[i].x += v[i].x;
            p[i].y += v[i].y;
            h[i].points -= 1;
        }
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        ilk_entity e = ilk_entity_at(f->world, i);
        const Position* p = ILK_GET(f->world, e, Position);
        sum += (double)(p->x + p->y) + ILK_GET(f->world, e, Health)->points;
    }
    assert_true(sum == COUNT * 102.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(spawn_gives_every_component),
        WORLD_TEST(defaults_are_given_as_often_as_they_are_asked_for),
        WORLD_TEST(lists_may_take_turns),
        WORLD_TEST(spawn_passes_over_null_types),
        WORLD_TEST(spawn_of_nothing_is_create),
        WORLD_TEST(a_type_named_twice_is_exists),
        WORLD_TEST(the_order_of_types_does_not_matter),
        WORLD_TEST(removing_the_last_leaves_an_empty_entity),
        WORLD_TEST(a_batch_is_filled_in_place),
        WORLD_TEST(a_column_is_an_array),
        WORLD_TEST(a_batch_has_its_own_columns_only),
        WORLD_TEST(a_batch_of_none_is_empty),
        WORLD_TEST(a_batch_ends_with_its_rows),
        WORLD_TEST(a_batch_initialises_each_value),
        WORLD_TEST(a_batch_fills_freed_places_too),
        cmocka_unit_test(bulk_verbs_pass_over_and_say_the_first),
        WORLD_TEST(an_entity_listed_twice_gets_the_first_value),
        WORLD_TEST(bulk_adding_without_values_gives_the_default),
        WORLD_TEST(what_is_reserved_needs_no_memory),
        WORLD_TEST(reserved_room_serves_batches_and_empty_entities),
        WORLD_TEST(reserving_makes_no_entities),
        WORLD_TEST(a_hundred_thousand_with_three_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
