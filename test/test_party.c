// Parties: entities that come together, all of them or none.
#include "world/party.h"

#include "relation_support.h"

enum {
    MANY = 2500
};

// The ilk of a set of two types; without an end.
static ilki_ilk* ilk_of_two(ilk_world* world, ilk_type* one, ilk_type* two) {
    ilk_type* types[2] = {one, two};
    ilki_recipe* recipe = ilki_recipe_make(world, types, sizeof *types, 2, "test");
    assert_non_null(recipe);
    return recipe->ilk;
}

static void begin(ilki_party* party, ilk_world* world, uint32_t count, ilk_entity* list) {
    assert_ok(ilki_party_begin(party, world, count, list, NULL, "test"));
}

static ilki_directory* directory_of(ilk_world* world, ilk_type* type) {
    return ilki_directory_of(&world->storage.view, type);
}

// Fills all runs: positions by how many came before, and whatever else is all zero.
static void fill(ilk_world* world) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < world->run_count; i++) {
        const ilki_run* run = &world->runs[i];
        for (uint32_t k = 0; run->chunk && k < run->ilk->type_count; k++) {
            const ilki_directory* directory = world->storage.types[run->ilk->types[k]];
            const ilki_block* block = ilki_block_at(directory, run->chunk->number);
            ilki_run_give(&world->storage, run, directory);
            for (uint32_t row = 0; row < run->count && directory->size; row++) {
                void* value = ilki_value_at(directory, block, run->row + row);
                memset(value, 0, directory->size);
                if (directory->type->id == Position_type.id) {
                    ((Position*)value)->x = (float)(at + row);
                }
            }
        }
        at += run->count;
        if (run->chunk) ilki_run_is_full(&world->storage, run);
    }
}

static void end(ilki_party* party) {
    ilki_party_tell(party);
    ilki_party_end(party);
}

static void entities_of_several_sets_come_in_order(void** state) {
    fixture* f = *state;
    static ilk_entity list[MANY + 5];
    ilki_party party;
    begin(&party, f->world, MANY + 5, list);
    assert_ok(
        ilki_party_expect(&party, ilk_of_two(f->world, &Position_type, &Velocity_type), MANY));
    assert_ok(ilki_party_expect(&party, NULL, 2));
    assert_ok(ilki_party_expect(&party, ilk_of_two(f->world, &Position_type, &Enemy_type), 3));
    assert_int_equal(ilk_stats(f->world).alive, 0); // nobody is there before all are
    ilki_party_arrive(&party);
    fill(f->world);
    end(&party);
    assert_int_equal(ilk_stats(f->world).alive, MANY + 5);
    for (uint32_t i = 0; i < MANY + 5; i++) {
        bool is_bare = i >= MANY && i < MANY + 2;
        assert_true(ilk_alive(f->world, list[i]));
        assert_int_equal(list[i].index, i);
        assert_int_equal(ilk_has(f->world, list[i], &Velocity_type), i < MANY);
        assert_int_equal(ilk_has(f->world, list[i], &Enemy_type), i >= MANY + 2);
        assert_int_equal(ilk_has(f->world, list[i], &Position_type), !is_bare);
        if (!is_bare) assert_true(same_position(ILK_GET(f->world, list[i], Position), (float)i, 0));
    }
}

static void holes_are_filled_first(void** state) {
    fixture* f = *state;
    static ilk_entity old[64], list[40];
    for (uint32_t i = 0; i < 64; i++) {
        old[i] = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    }
    settle_fully(f->world);
    for (uint32_t i = 0; i < 64; i += 2) assert_ok(ilk_destroy(f->world, old[i]));
    uint32_t rows = ilk_stats(f->world).rows;
    ilki_party party;
    begin(&party, f->world, 40, list);
    assert_ok(ilki_party_expect(&party, ilk_of_two(f->world, &Position_type, &Velocity_type), 40));
    ilki_party_arrive(&party);
    fill(f->world);
    end(&party);
    assert_int_equal(ilk_stats(f->world).alive, 72);
    assert_int_equal(ilk_stats(f->world).holes, 0);
    assert_int_equal(ilk_stats(f->world).rows, rows);
    for (uint32_t i = 0; i < 40; i++) {
        assert_true(same_position(ILK_GET(f->world, list[i], Position), (float)i, 0));
    }
    for (uint32_t i = 1; i < 64; i += 2) assert_true(ilk_alive(f->world, old[i]));
}

// Whoever is in the middle of a loop does not meet those that come.
static void rows_that_are_looked_at_are_not_taken(void** state) {
    fixture* f = *state;
    ilk_entity old[8], list[3];
    for (uint32_t i = 0; i < 8; i++) {
        old[i] = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    }
    settle_fully(f->world);
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){.read = {&Position_type}});
    ilk_iter it = ilk_query_iter(f->world, query);
    assert_ok(ilk_destroy(f->world, old[5]));
    ilki_party party;
    begin(&party, f->world, 3, list);
    assert_ok(ilki_party_expect(&party, ilk_of_two(f->world, &Position_type, &Velocity_type), 3));
    ilki_party_arrive(&party);
    fill(f->world);
    end(&party);
    uint32_t visited = 0;
    for (; ilk_next(&it); visited += it.count) {
        for (uint32_t i = 0; i < it.count; i++) assert_true(it.entities[i].index < 8);
    }
    assert_int_equal(visited, 7);
    assert_int_equal(ilk_query_count(f->world, query), 10);
    ilk_query_destroy(query);
}

static void a_cancelled_party_leaves_no_trace(void** state) {
    fixture* f = *state;
    static ilk_entity list[MANY + 10];
    ilki_ilk* common = ilk_of_two(f->world, &Position_type, &Velocity_type);
    ilki_ilk* rare = ilk_of_two(f->world, &Position_type, &Enemy_type);
    for (uint32_t i = 0; i < 100; i++) ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Enemy)); // which lodges with others
    ilk_world_stats before = ilk_stats(f->world);
    uint32_t lodgers = rare->lodgers, pages = f->world->storage.view.index.page_count;
    ilki_party party;
    begin(&party, f->world, MANY + 10, list);
    assert_ok(ilki_party_expect(&party, common, MANY));
    assert_ok(ilki_party_expect(&party, rare, 5));
    assert_ok(ilki_party_expect(&party, NULL, 5));
    ilki_party_cancel(&party);
    assert_valid(f->world);
    ilk_world_stats after = ilk_stats(f->world);
    assert_int_equal(after.alive, before.alive);
    assert_int_equal(after.ever, before.ever);
    assert_int_equal(after.slots, before.slots);
    assert_int_equal(f->world->storage.view.index.page_count, pages);
    assert_int_equal(rare->lodgers, lodgers);
    assert_int_equal(f->world->scratch_users, 0);
    assert_int_equal(ilk_create(f->world).index, 101); // as if nobody had wanted to come
}

// With memory for so many requests; false if that was not enough, and nobody came.
static bool try_party(fixture* f, uint64_t requests, ilk_entity target) {
    ilki_party party;
    ilki_relation* likes = directory_of(f->world, &Likes_type)->relation;
    ilki_ilk* ilk = ilk_of_two(f->world, &Position_type, &Likes_type);
    f->memory.left = requests;
    ilk_result result = ilki_party_begin(&party, f->world, 600, NULL, NULL, "test");
    bool is_begun = result == ILK_OK;
    if (is_begun) result = ilki_party_expect(&party, ilk, 600);
    for (uint32_t i = 0; i < 600 && result == ILK_OK; i++) {
        ilki_bond bond = {likes, i, i % 2 ? i - 1 : target.index, i % 2 == 0, NULL};
        result = ilki_party_bind(&party, bond);
    }
    if (result == ILK_OK) result = ilki_party_ready_to_relate(&party);
    if (result != ILK_OK && is_begun) ilki_party_cancel(&party);
    if (result == ILK_OK) {
        f->memory.left = 0; // from here on none is needed
        ilki_party_arrive(&party);
        for (uint32_t i = 0; i < f->world->run_count; i++) {
            const ilki_run* run = &f->world->runs[i];
            ilki_run_give(&f->world->storage, run, directory_of(f->world, &Position_type));
            ilki_run_give_links(&f->world->storage, run, directory_of(f->world, &Likes_type));
            ilki_run_is_full(&f->world->storage, run);
        }
        ilki_party_relate(&party, NULL, NULL);
        end(&party);
    }
    f->memory.left = UINT64_MAX;
    if (result != ILK_OK) assert_told(f, ILK_NO_MEMORY, "test");
    return result == ILK_OK;
}

static void all_memory_is_had_before_anybody_comes(void** state) {
    fixture* f = *state;
    ilk_entity target = ilk_create(f->world), source = ilk_create(f->world);
    assert_ok(ilk_relate(f->world, source, &Likes_type, target));
    assert_ok(ilk_add(f->world, source, ILK_WITH(Position)));
    uint64_t requests = 0;
    while (!try_party(f, requests, target)) {
        assert_valid(f->world);
        assert_int_equal(ilk_stats(f->world).alive, 2);
        assert_int_equal(ilk_stats(f->world).relations, 1);
        requests++;
    }
    assert_true(requests > 3);
    assert_int_equal(ilk_stats(f->world).alive, 602);
    assert_int_equal(ilk_stats(f->world).relations, 601);
    assert_int_equal(ilk_source_count(f->world, target, &Likes_type), 301);
    assert_true(
        ilk_related(f->world, ilk_entity_at(f->world, 3), &Likes_type, ilk_entity_at(f->world, 2)));
}

static void the_first_may_have_a_handle_already(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity promised = ilk_cmd_create(cmd), list[3];
    ilki_party party;
    assert_ok(ilki_party_begin(&party, f->world, 3, list, &promised, "test"));
    assert_ok(ilki_party_expect(&party, ilk_of_two(f->world, &Position_type, &Velocity_type), 3));
    ilki_party_arrive(&party);
    fill(f->world);
    end(&party);
    assert_entity(list[0], promised);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(same_position(ILK_GET(f->world, list[i], Position), (float)i, 0));
    }
}

static void those_who_depart_leave_every_index(void** state) {
    fixture* f = *state;
    ilk_entity some[4];
    create_some(f->world, some, 4);
    for (uint32_t i = 0; i < 3; i++) {
        assert_ok(ilk_relate(f->world, some[i], &Likes_type, some[(i + 1) % 3]));
        assert_ok(ilk_add(f->world, some[i], ILK_WITH(Owned)));
    }
    assert_ok(ilk_relate(f->world, some[0], &Likes_type, some[3]));
    assert_ok(ilk_set_name(f->world, some[1], "one"));
    assert_ok(ilk_set_id(f->world, some[2], (ilk_id){1, 2}));
    char* texts[3];
    for (uint32_t i = 0; i < 3; i++) texts[i] = ILK_GET(f->world, some[i], Owned)->text;
    hooks_taken();
    ilki_depart(f->world, some, 3);
    assert_hooks(0, 0, 0); // their values are elsewhere
    for (uint32_t i = 0; i < 3; i++) free(texts[i]);
    assert_valid(f->world);
    assert_int_equal(ilk_stats(f->world).alive, 1);
    assert_int_equal(ilk_stats(f->world).relations, 0);
    assert_int_equal(ilk_source_count(f->world, some[3], &Likes_type), 0);
    assert_true(ilk_is_null(ilk_named(f->world, "one")));
    assert_true(ilk_is_null(ilk_entity_by_id(f->world, (ilk_id){1, 2})));
}

static void scratch_memory_grows_with_what_it_holds(void** state) {
    fixture* f = *state;
    uint32_t* numbers = NULL;
    uint32_t capacity = 0;
    ilki_scratch_begin(f->world);
    for (uint32_t i = 0; i < 5000; i++) {
        assert_true(ilki_scratch_grow(f->world, &numbers, &capacity, i + 1, sizeof *numbers));
        numbers[i] = i * 3;
    }
    for (uint32_t i = 0; i < 5000; i++) assert_int_equal(numbers[i], i * 3);
    assert_null(ilki_scratch_take(f->world, SIZE_MAX / 2, 8));
    ilki_scratch_end(f->world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(entities_of_several_sets_come_in_order),
        WORLD_TEST(holes_are_filled_first),
        WORLD_TEST(rows_that_are_looked_at_are_not_taken),
        WORLD_TEST(a_cancelled_party_leaves_no_trace),
        WORLD_TEST(all_memory_is_had_before_anybody_comes),
        WORLD_TEST(the_first_may_have_a_handle_already),
        WORLD_TEST(those_who_depart_leave_every_index),
        WORLD_TEST(scratch_memory_grows_with_what_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
