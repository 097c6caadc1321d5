// Relations: the verbs, and the end of entities that others relate to.
#include "names_support.h"
#include "relation_support.h"

static void a_relation_is_found_from_both_ends(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[4];
    create_some(world, e, 4);
    assert_ok(ilk_relate(world, e[0], &Likes_type, e[1]));
    assert_ok(ilk_relate(world, e[0], &Likes_type, e[2]));
    assert_ok(ilk_relate(world, e[3], &Likes_type, e[2]));
    assert_targets(world, e[0], Likes, e[1], e[2]);
    assert_sources(world, e[2], Likes, e[0], e[3]);
    assert_entity(ilk_target(world, e[0], &Likes_type), e[1]);
    assert_true(ilk_related(world, e[0], &Likes_type, e[2]));
    assert_false(ilk_related(world, e[2], &Likes_type, e[0]));
    assert_int_equal(ilk_source_count(world, e[2], &Likes_type), 2);
    assert_entity(ilk_first_source(world, e[2], &Likes_type), e[0]);
    assert_entity(ilk_next_source(world, e[2], &Likes_type, e[0]), e[3]);
    assert_entity(ilk_next_source(world, e[2], &Likes_type, e[3]), NOBODY);
    assert_entity(ilk_next_source(world, e[2], &Likes_type, e[1]), NOBODY);
    assert_int_equal(ilk_relate(world, e[0], &Likes_type, e[2]), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_relate");
    assert_ok(ilk_unrelate(world, e[0], &Likes_type, e[1]));
    assert_entity(ilk_target(world, e[0], &Likes_type), e[2]);
    assert_int_equal(ilk_unrelate(world, e[0], &Likes_type, e[1]), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_unrelate");
    assert_ok(ilk_unrelate(world, e[0], &Likes_type, e[2]));
    assert_no_targets(world, e[0], Likes);
    assert_int_equal(ilk_unrelate(world, e[0], &Likes_type, e[2]), ILK_MISSING);
}

static void a_relation_is_a_component_of_its_source(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity a = ILK_SPAWN(world, ILK_WITH(Position)), b = ILK_SPAWN(world, ILK_WITH(Position));
    assert_ok(ilk_relate(world, a, &Faces_type, b));
    const Faces* link = ILK_GET(world, a, Faces);
    assert_entity(link->target, b);
    assert_int_equal(link->count, 1);
    ilk_query* query =
        ilk_query_create(world, &(ilk_query_desc){.read = {&Faces_type}, .with = {&Position_type}});
    uint32_t rows = 0;
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) {
        const Faces* faces = ILK_READ(&it, Faces);
        for (uint32_t i = 0; i < it.count; i++, rows++) assert_entity(faces[i].target, b);
    }
    assert_int_equal(rows, 1);
    assert_ok(ilk_disable(world, a, &Faces_type));
    assert_int_equal(ilk_query_count(world, query), 0);
    assert_entity(ilk_target(world, a, &Faces_type), b);
    assert_ok(ilk_relate(world, a, &Faces_type, a));
    assert_true(ilk_enabled(world, a, &Faces_type));
    assert_ok(ilk_remove(world, a, &Faces_type));
    assert_int_equal(ilk_source_count(world, a, &Faces_type), 0);
}

static void another_target_replaces_an_exclusive_one(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[3];
    create_some(world, e, 3);
    assert_ok(ilk_relate(world, e[0], &Faces_type, e[1]));
    assert_int_equal(ilk_relate(world, e[0], &Faces_type, e[1]), ILK_EXISTS);
    assert_ok(ilk_relate(world, e[0], &Faces_type, e[2]));
    assert_targets(world, e[0], Faces, e[2]);
    assert_int_equal(ilk_source_count(world, e[1], &Faces_type), 0);
    assert_sources(world, e[2], Faces, e[0]);
}

static void values_of_relations_relate(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[3];
    create_some(world, e, 3);
    assert_ok(ilk_add(world, e[0], ILK_TO(Faces, e[1])));
    assert_int_equal(ilk_add(world, e[0], ILK_TO(Faces, e[2])), ILK_EXISTS);
    assert_ok(ilk_set(world, e[0], ILK_TO(Faces, e[2])));
    assert_ok(ilk_set(world, e[0], ILK_TO(Faces, e[2])));
    assert_targets(world, e[0], Faces, e[2]);
    assert_ok(ilk_replace(world, e[0], ILK_TO(Faces, e[1])));
    assert_int_equal(ilk_replace(world, e[1], ILK_TO(Faces, e[0])), ILK_MISSING);
    assert_ok(ilk_add(world, e[0], ILK_TO(Likes, e[1])));
    assert_ok(ilk_add(world, e[0], ILK_TO(Likes, e[2])));
    assert_int_equal(ilk_add(world, e[0], ILK_TO(Likes, e[2])), ILK_EXISTS);
    assert_string_equal(f->told.text,
                        "ilk_add of Likes for entity 0:1: it is related to entity 2:1 already");
    assert_ok(ilk_replace(world, e[0], ILK_TO(Likes, e[2])));
    assert_int_equal(ilk_replace(world, e[0], ILK_TO(Likes, e[0])), ILK_MISSING);
    assert_string_equal(f->told.text,
                        "ilk_replace of Likes for entity 0:1: it is not related to entity 0:1");
    assert_targets(world, e[0], Likes, e[1], e[2]);
    ilk_entity made =
        ILK_SPAWN(world, ILK_WITH(Position), ILK_TO(Likes, e[1]), ILK_TO(Faces, e[2]));
    assert_targets(world, made, Likes, e[1]);
    assert_targets(world, made, Faces, e[2]);
    assert_sources(world, e[1], Likes, e[0], made);
}

static void what_a_relation_carries(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[3];
    create_some(world, e, 3);
    assert_ok(ilk_relate(world, e[0], &Owes_type, e[1]));
    assert_ok(ilk_relate_value(world, e[0], &Owes_type, e[2], &(Health){7}));
    assert_int_equal(((const Health*)ilk_relation_get(world, e[0], &Owes_type, e[1]))->points, 100);
    assert_int_equal(((const Health*)ilk_relation_get(world, e[0], &Owes_type, e[2]))->points, 7);
    ((Health*)ilk_relation_edit(world, e[0], &Owes_type, e[1]))->points = 5;
    assert_int_equal(((const Health*)ilk_relation_get(world, e[0], &Owes_type, e[1]))->points, 5);
    ilk_entity copy = ilk_copy(world, e[0]);
    assert_targets(world, copy, Owes, e[1], e[2]);
    assert_int_equal(((const Health*)ilk_relation_get(world, copy, &Owes_type, e[1]))->points, 5);
    assert_null(ilk_relation_get(world, e[1], &Owes_type, e[0]));
    assert_quiet(f);
    assert_null(ilk_relation_edit(world, e[1], &Owes_type, e[0]));
    assert_told(f, ILK_MISSING, "ilk_relation_edit");
    assert_int_equal(ilk_relate_value(world, e[0], &Likes_type, e[1], &(Health){7}), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_relate_value");
    assert_ok(ilk_relate(world, e[0], &Likes_type, e[1]));
    assert_null(ilk_relation_get(world, e[0], &Likes_type, e[1]));
    assert_null(ilk_relation_edit(world, e[0], &Likes_type, e[1]));
    assert_told(f, ILK_INVALID, "ilk_relation_edit");
}

static void carried_values_are_dropped_once(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[3];
    create_some(world, e, 3);
    Owned text = {text_copy("a secret")};
    assert_ok(ilk_relate_value(world, e[0], &Tells_type, e[1], &text));
    assert_ok(ilk_relate(world, e[0], &Tells_type, e[2]));
    assert_hooks(1, 0, 0);
    ilk_entity copy = ilk_copy(world, e[0]);
    assert_hooks(0, 2, 0);
    assert_ok(ilk_unrelate(world, copy, &Tells_type, e[1]));
    assert_hooks(0, 0, 1);
    assert_ok(ilk_destroy(world, e[1]));
    assert_hooks(0, 0, 1);
    assert_ok(ilk_destroy(world, copy));
    assert_hooks(0, 0, 1);
    ilk_clear(world);
    assert_hooks(0, 0, 1);
}

ILK_RELATION_WITH(Leads, .value = &Pack_type);

// As where a component names it.
static void what_a_copy_carries_names_the_copy(void** state) {
    fixture* f = *state;
    ilk_entity e[2];
    create_some(f->world, e, 2);
    Pack pack = {3, {e[0], e[1]}, e[0]};
    assert_ok(ilk_relate_value(f->world, e[0], &Leads_type, e[1], &pack));
    ilk_entity copy = ilk_copy(f->world, e[0]);
    const Pack* carried = ilk_relation_get(f->world, copy, &Leads_type, e[1]);
    assert_int_equal(carried->size, 3);
    assert_entity(carried->friends[0], copy);
    assert_entity(carried->friends[1], e[1]);
    assert_entity(carried->leader, copy);
    carried = ilk_relation_get(f->world, e[0], &Leads_type, e[1]);
    assert_entity(carried->leader, e[0]);
}

static void a_copy_relates_to_itself_as_the_original_does(void** state) {
    fixture* f = *state;
    static ilk_entity e[5000]; // slots far from those of all targets
    create_some(f->world, e, COUNT_OF(e));
    Pack pack = {1, {e[0], e[1]}, e[2]};
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[1]));
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[0]));
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[2]));
    assert_ok(ilk_relate(f->world, e[0], &Faces_type, e[0]));
    assert_ok(ilk_relate_value(f->world, e[0], &Leads_type, e[0], &pack));
    ilk_entity copy = ilk_copy(f->world, e[0]), tree = ilk_copy_tree(f->world, e[0]);
    assert_targets(f->world, copy, Likes, e[1], copy, e[2]);
    assert_targets(f->world, copy, Faces, copy);
    assert_targets(f->world, tree, Likes, e[1], tree, e[2]);
    assert_targets(f->world, tree, Faces, tree);
    assert_sources(f->world, e[0], Likes, e[0]);
    const Pack* carried = ilk_relation_get(f->world, copy, &Leads_type, copy);
    assert_entity(carried->friends[0], copy);
    assert_valid(f->world);
    assert_ok(ilk_destroy(f->world, e[0]));
    assert_targets(f->world, copy, Faces, copy);
}

static void relations_end_with_their_target(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[4];
    create_some(world, e, 4);
    assert_ok(ilk_relate(world, e[0], &Likes_type, e[2]));
    assert_ok(ilk_relate(world, e[0], &Likes_type, e[3]));
    assert_ok(ilk_relate(world, e[1], &Likes_type, e[2]));
    assert_ok(ilk_relate(world, e[2], &Likes_type, e[2]));
    assert_ok(ilk_destroy(world, e[2]));
    assert_targets(world, e[0], Likes, e[3]);
    assert_no_targets(world, e[1], Likes);
    assert_valid(world);
    assert_ok(ilk_destroy(world, e[0]));
    assert_int_equal(ilk_source_count(world, e[3], &Likes_type), 0);
}

static void sources_go_with_their_target(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[6];
    create_some(world, e, 6);
    assert_ok(ilk_relate(world, e[1], &PartOf_type, e[0]));
    assert_ok(ilk_relate(world, e[2], &PartOf_type, e[0]));
    assert_ok(ilk_relate(world, e[3], &PartOf_type, e[1]));
    assert_ok(ilk_relate(world, e[3], &PartOf_type, e[2]));
    assert_ok(ilk_relate(world, e[0], &PartOf_type, e[3])); // and round again
    assert_ok(ilk_relate(world, e[4], &Likes_type, e[3]));
    assert_ok(ilk_destroy(world, e[0]));
    for (uint32_t i = 0; i < 4; i++) assert_false(ilk_alive(world, e[i]));
    assert_true(ilk_alive(world, e[4]));
    assert_no_targets(world, e[4], Likes);
}

static void who_is_needed_stays(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[4];
    create_some(world, e, 4);
    assert_ok(ilk_relate(world, e[1], &PartOf_type, e[0]));
    assert_ok(ilk_relate(world, e[2], &Needs_type, e[1]));
    assert_int_equal(ilk_destroy(world, e[1]), ILK_NEEDED);
    assert_told(f, ILK_NEEDED, "ilk_destroy");
    assert_int_equal(ilk_destroy(world, e[0]), ILK_NEEDED);
    assert_told(f, ILK_NEEDED, "ilk_destroy");
    assert_true(ilk_related(world, e[1], &PartOf_type, e[0]));
    assert_valid(world);
    assert_ok(ilk_relate(world, e[2], &PartOf_type, e[1])); // now it would go too
    assert_ok(ilk_destroy(world, e[0]));
    assert_false(ilk_alive(world, e[2]));
    assert_ok(ilk_relate(world, e[3], &Needs_type, e[3]));
    assert_ok(ilk_destroy(world, e[3]));
}

static void a_tree_has_no_cycle(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[3];
    create_some(world, e, 3);
    assert_int_equal(ilk_relate(world, e[0], &Under_type, e[0]), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_relate");
    assert_ok(ilk_relate(world, e[1], &Under_type, e[0]));
    assert_ok(ilk_relate(world, e[2], &Under_type, e[1]));
    assert_int_equal(ilk_relate(world, e[0], &Under_type, e[2]), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_relate");
    assert_ok(ilk_relate(world, e[2], &Likes_type, e[2]));
    assert_ok(ilk_destroy(world, e[1])); // the others stay
    assert_no_targets(world, e[2], Under);
    assert_ok(ilk_relate(world, e[0], &Under_type, e[2]));
}

static void the_dead_are_not_related(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity dead = ilk_create(world), e = ilk_create(world);
    assert_ok(ilk_destroy(world, dead));
    assert_int_equal(ilk_relate(world, e, &Likes_type, dead), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_relate");
    assert_int_equal(ilk_relate(world, dead, &Likes_type, e), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_relate");
    assert_int_equal(ilk_unrelate(world, dead, &Likes_type, e), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_unrelate");
    assert_int_equal(ilk_relate(world, e, &Likes_type, NOBODY), ILK_DEAD);
    assert_true(ilk_is_null(ILK_SPAWN(world, ILK_WITH(Position), ILK_TO(Likes, dead))));
    assert_int_equal(ilk_stats(world).alive, 1);
    assert_entity(ilk_target(world, dead, &Likes_type), NOBODY);
    assert_int_equal(ilk_targets(world, dead, &Likes_type, NULL, 0), 0);
    assert_false(ilk_related(world, e, &Likes_type, dead));
}

static void what_is_no_relation_is_refused(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity a = ilk_create(world), b = ilk_create(world);
    assert_int_equal(ilk_relate(world, a, &Position_type, b), ILK_INVALID);
    assert_int_equal(ilk_relate(world, a, NULL, b), ILK_INVALID);
    assert_int_equal(ilk_relate(NULL, a, &Likes_type, b), ILK_INVALID);
    assert_int_equal(ilk_unrelate(world, a, &Position_type, b), ILK_INVALID);
    assert_null(ilk_relation_edit(world, a, &Position_type, b));
    assert_entity(ilk_target(world, a, &Position_type), NOBODY);
    assert_entity(ilk_target(NULL, a, &Likes_type), NOBODY);
    assert_entity(ilk_target(world, a, NULL), NOBODY);
    assert_int_equal(ilk_sources(world, a, &Position_type, NULL, 0), 0);
    assert_false(ilk_related(world, a, &Position_type, b));
    assert_null(ilk_relation_get(world, a, &Position_type, b));
}

static void links_are_not_written_otherwise(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity a = ilk_create(world), b = ilk_create(world);
    assert_ok(ilk_relate(world, a, &Likes_type, b));
    assert_null(ilk_edit(world, a, &Likes_type));
    assert_told(f, ILK_INVALID, "ilk_edit");
    assert_null(ilk_ensure(world, b, &Likes_type));
    assert_told(f, ILK_INVALID, "ilk_ensure");
    assert_int_equal(ilk_add(world, b, ILK_WITH(Likes)), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_add");
    assert_true(ilk_is_null(ILK_SPAWN(world, ILK_WITH(Likes))));
    assert_told(f, ILK_INVALID, "ilk_spawn");
    assert_int_equal(ilk_add_many(world, &b, 1, &Likes_type, &(ilk_link){.target = a}),
                     ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_add_many");
    ilk_batch batch;
    assert_int_equal(ilk_spawn_many(world, &batch, 1, ILK_TYPES(&Likes_type)), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_spawn_many");
    assert_null(ilk_query_create(world, &(ilk_query_desc){.write = {&Likes_type}}));
    assert_told(f, ILK_INVALID, "ilk_query_create");
}

static void unsound_relations_are_refused(void** state) {
    fixture* f = *state;
    ilk_relation rule = {.at_end = (ilk_end)9};
    ilk_type types[] = {
        {.name = "relation of another size", .size = 4, .relation = &rule},
        {.name = "relation that ends oddly", .size = sizeof(ilk_link), .relation = &rule},
        {.name = "relation that outlives",
         .size = sizeof(ilk_link),
         .outlives = true,
         .relation = Likes_type.relation},
        {.name = "relation with hooks",
         .size = sizeof(ilk_link),
         .hooks = OWNED_HOOKS,
         .relation = Likes_type.relation},
        {.name = "relation of relations",
         .size = sizeof(ilk_link),
         .relation = &(ilk_relation){.value = &Likes_type}},
        {.name = "relation with a default",
         .size = sizeof(ilk_link),
         .default_value = &(ilk_link){.count = 1},
         .relation = Likes_type.relation},
    };
    for (uint32_t i = 0; i < COUNT_OF(types); i++) {
        assert_int_equal(ilk_register(f->world, &types[i]), ILK_INVALID);
        assert_told(f, ILK_INVALID, "ilk_register");
    }
    ilk_register(f->world, &Likes_type);
    ilk_type other = {.name = "Likes", .size = sizeof(ilk_link), .relation = Faces_type.relation};
    ilk_type none = {.name = "Likes", .size = sizeof(ilk_link)};
    assert_int_equal(ilk_register(f->world, &other), ILK_CLASH);
    assert_int_equal(ilk_register(f->world, &none), ILK_CLASH);
}

static void relations_go_with_their_component(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[4];
    create_some(world, e, 4);
    for (uint32_t i = 1; i < 4; i++) assert_ok(ilk_relate(world, e[0], &Likes_type, e[i]));
    assert_ok(ilk_remove_all(world, e[0]));
    for (uint32_t i = 1; i < 4; i++) {
        assert_int_equal(ilk_source_count(world, e[i], &Likes_type), 0);
        assert_ok(ilk_relate(world, e[i], &Likes_type, e[0]));
    }
    assert_ok(ilk_remove_many(world, e + 1, 2, &Likes_type));
    assert_sources(world, e[0], Likes, e[3]);
    ilk_clear(world);
    assert_int_equal(ilk_stats(world).relations, 0);
}

static void a_value_is_put_in_place_of_another(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[3];
    create_some(world, e, 3);
    Owned first = {text_copy("one")}, second = {text_copy("two")};
    assert_ok(ilk_relation_set(world, e[0], &Tells_type, e[1], &first));
    assert_ok(ilk_relate(world, e[0], &Tells_type, e[2]));
    assert_ok(ilk_disable(world, e[0], &Tells_type));
    assert_ok(ilk_relation_set(world, e[0], &Tells_type, e[1], &second));
    assert_true(ilk_enabled(world, e[0], &Tells_type));
    const Owned* told = ilk_relation_get(world, e[0], &Tells_type, e[1]);
    assert_string_equal(told->text, "two");
    assert_targets(world, e[0], Tells, e[1], e[2]);
    assert_ok(ilk_relation_set(world, e[0], &Tells_type, e[1], told)); // to itself
    assert_string_equal(told->text, "two");
    assert_ok(ilk_relation_set(world, e[0], &Tells_type, e[1], NULL));
    assert_string_equal(told->text, "fresh");
    assert_ok(ilk_relation_set(world, e[0], &Likes_type, e[1], NULL));
    assert_ok(ilk_relation_set(world, e[0], &Likes_type, e[1], NULL));
    assert_int_equal(ilk_relation_set(world, e[0], &Likes_type, e[1], &second), ILK_INVALID);
    assert_int_equal(ilk_relation_set(world, e[0], &Tells_type, NOBODY, NULL), ILK_DEAD);
    assert_int_equal(ilk_relation_set(NULL, e[0], &Tells_type, e[1], NULL), ILK_INVALID);
    assert_int_equal(ilk_relation_set(world, e[0], &Health_type, e[1], NULL), ILK_INVALID);
}

static void a_command_puts_a_value(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity a = ilk_create(world), b = ilk_create(world), dead = ilk_create(world);
    ilk_cmd* cmd = ilk_cmd_take(world);
    assert_ok(ilk_relate_value(world, a, &Owes_type, b, &(Health){3}));
    assert_ok(ilk_destroy(world, dead));
    assert_ok(ilk_cmd_relation_set(cmd, a, &Owes_type, b, &(Health){4}));
    assert_ok(ilk_cmd_relation_set(cmd, b, &Owes_type, a, NULL));
    assert_ok(ilk_cmd_relation_set(cmd, b, &Owes_type, dead, &(Health){5}));
    assert_int_equal(ilk_cmd_relation_set(cmd, a, &Likes_type, b, &(Health){4}), ILK_INVALID);
    assert_int_equal(ilk_cmd_relation_set(NULL, a, &Owes_type, b, NULL), ILK_INVALID);
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 2);
    assert_int_equal(applied.skipped, 1);
    assert_int_equal(((const Health*)ilk_relation_get(world, a, &Owes_type, b))->points, 4);
    assert_int_equal(((const Health*)ilk_relation_get(world, b, &Owes_type, a))->points, 100);
}

typedef struct debt {
    ilk_entity source, target;
} debt;

static void repay(ilk_iter* it) {
    const debt* d = it->user;
    Health* left = ilk_relation_edit(it->world, d->source, &Owes_type, d->target);
    if (left) left->points--;
}

static void a_system_that_writes_a_relation_edits_its_values(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    debt d = {ilk_create(world), ilk_create(world)};
    assert_ok(ilk_relate_value(world, d.source, &Owes_type, d.target, &(Health){3}));
    ilk_system* other = ilk_system_create(
        world,
        &(ilk_system_desc){.name = "repay", .run = repay, .user = &d, .reads = {&Owes_type}});
    assert_ok(ilk_update(world, 0));
    assert_told(f, ILK_LOCKED, "ilk_relation_edit");
    ilk_system_destroy(other);
    ilk_system_create(
        world,
        &(ilk_system_desc){.name = "repay", .run = repay, .user = &d, .writes = {&Owes_type}});
    assert_ok(ilk_update(world, 0));
    assert_int_equal(
        ((const Health*)ilk_relation_get(world, d.source, &Owes_type, d.target))->points, 2);
}

// What an observer was told last.
typedef struct heard {
    ilk_on on;
    ilk_entity target;
    int carried; // -1: nothing
} heard;

static ilk_result hear(ilk_notice* n) {
    heard* h = n->user;
    *h = (heard){n->on, n->target, n->carried ? ((const Health*)n->carried)->points : -1};
    return ILK_OK;
}

#define assert_heard(h, ON, who, points)                                                           \
    do {                                                                                           \
        assert_int_equal((h).on, (ON));                                                            \
        assert_int_equal((h).target.index, (who).index);                                           \
        assert_int_equal((h).target.generation, (who).generation);                                 \
        assert_int_equal((h).carried, (points));                                                   \
    } while (0)

static void observers_are_told_which_target(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    static heard h; // it lives as long as the observer
    ilk_entity e[4];
    create_some(world, e, 4);
    ilk_observer_create(world, &(ilk_observer_desc){.on = ILK_ON_ADD | ILK_ON_SET | ILK_ON_REMOVE,
                                                    .type = &Owes_type,
                                                    .run = hear,
                                                    .user = &h});
    assert_ok(ilk_relate_value(world, e[0], &Owes_type, e[1], &(Health){1}));
    assert_heard(h, ILK_ON_ADD, e[1], 1);
    assert_ok(ilk_relate_value(world, e[0], &Owes_type, e[2], &(Health){2}));
    assert_heard(h, ILK_ON_SET, e[2], 2);
    assert_ok(ilk_relation_set(world, e[0], &Owes_type, e[1], &(Health){3}));
    assert_heard(h, ILK_ON_SET, e[1], 3);
    ilk_copy(world, e[0]);
    assert_heard(h, ILK_ON_ADD, NOBODY, -1); // of two
    assert_ok(ilk_unrelate(world, e[0], &Owes_type, e[1]));
    assert_heard(h, ILK_ON_SET, e[1], -1); // it went
    assert_ok(ilk_destroy(world, e[0]));
    assert_heard(h, ILK_ON_REMOVE, e[2], 2);
}

static ilk_result like_another(ilk_notice* n) {
    const ilk_entity* other = n->user;
    return n->on == ILK_ON_SET && !ilk_related(n->world, n->entity, &Likes_type, *other)
               ? ilk_cmd_relate(n->cmd, n->entity, &Likes_type, *other)
               : ILK_OK;
}

// Who comes after an observer that relates others is told that it is about several.
static void observers_meddle_with_targets(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    static heard h; // it lives as long as the observer
    ilk_entity e[4];
    create_some(world, e, 4);
    ilk_observer_create(
        world, &(ilk_observer_desc){
                   .on = ILK_ON_SET, .type = &Likes_type, .run = like_another, .user = &e[3]});
    ilk_observer_create(
        world, &(ilk_observer_desc){
                   .on = ILK_ON_SET, .type = &Likes_type, .run = hear, .user = &h, .order = 1});
    assert_ok(ilk_relate(world, e[0], &Likes_type, e[1]));
    assert_ok(ilk_relate(world, e[0], &Likes_type, e[2]));
    assert_heard(h, ILK_ON_SET, NOBODY, -1);
    assert_targets(world, e[0], Likes, e[1], e[2], e[3]);
}

static void targets_move_and_are_known(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity target = ilk_create(world), source = ilk_create(world);
    assert_ok(ilk_relate(world, source, &PartOf_type, target)); // it has no place yet
    assert_ok(ilk_add(world, target, ILK_WITH(Position)));
    assert_valid(world);
    settle_in_crowd(world, ILK_VALUES(ILK_WITH(Position)));
    assert_ok(ilk_add(world, target, ILK_WITH(Velocity)));
    settle_in_crowd(world, ILK_VALUES(ILK_WITH(Position), ILK_WITH(Velocity)));
    assert_valid(world);
    assert_ok(ilk_remove_all(world, target));
    settle_fully(world);
    assert_valid(world);
    assert_ok(ilk_add(world, target, ILK_WITH(Position)));
    assert_ok(ilk_destroy(world, target));
    assert_false(ilk_alive(world, source));
}

static void commands_relate(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity a = ilk_create(world), dead = ilk_create(world);
    ilk_cmd* cmd = ilk_cmd_take(world);
    ilk_entity parent = ilk_cmd_create(cmd);
    ilk_entity child = ilk_cmd_spawn(cmd, ILK_VALUES(ILK_WITH(Position), PARENT(parent)));
    ilk_entity second = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_set(cmd, second, PARENT(parent)));
    assert_ok(ilk_cmd_relate(cmd, child, &Likes_type, a));
    assert_ok(ilk_cmd_relate_value(cmd, child, &Owes_type, a, &(Health){3}));
    assert_ok(ilk_cmd_unrelate(cmd, child, &Likes_type, a));
    assert_ok(ilk_cmd_set_parent(cmd, a, child));
    assert_ok(ilk_cmd_child_move(cmd, second, child));
    assert_ok(ilk_cmd_destroy(cmd, dead));
    assert_ok(ilk_cmd_relate(cmd, a, &Likes_type, dead));
    ilk_entity never = ilk_cmd_spawn(cmd, ILK_VALUES(PARENT(dead)));
    ilk_entity orphan = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_add(cmd, orphan, PARENT(dead)));
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.skipped, 3);
    assert_int_equal(applied.failed, 0);
    assert_quiet(f);
    assert_false(ilk_alive(world, never));
    assert_true(ilk_alive(world, orphan));
    assert_sources(world, parent, ilk_child_of, second, child);
    assert_int_equal(ilk_depth(world, a), 2);
    assert_no_targets(world, child, Likes);
    assert_int_equal(((const Health*)ilk_relation_get(world, child, &Owes_type, a))->points, 3);
    assert_int_equal(ilk_cmd_relate(cmd, a, &Position_type, child), ILK_INVALID);
    assert_int_equal(ilk_cmd_add(cmd, a, ILK_WITH(Likes)), ILK_INVALID);
    assert_null(ilk_cmd_ensure(cmd, a, &Likes_type));
    assert_int_equal(ilk_cmd_count(cmd), 0);
    ilk_cmd_give_back(cmd);
}

static void commands_drop_what_is_not_carried(void** state) {
    fixture* f = *state;
    ilk_entity a = ilk_create(f->world), b = ilk_create(f->world);
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    Owned first = {text_copy("told")}, second = {text_copy("told twice")};
    assert_ok(ilk_cmd_relate_value(cmd, a, &Tells_type, b, &first));
    assert_ok(ilk_cmd_relate_value(cmd, a, &Tells_type, b, &second));
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.failed, 1);
    assert_int_equal(applied.result, ILK_EXISTS);
    assert_hooks(0, 0, 1);
    ilk_cmd_give_back(cmd);
}

static void observers_are_told_of_relations(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[4];
    create_some(world, e, 4);
    watch(world, "w", EVERYTHING, NULL);
    assert_ok(ilk_relate(world, e[0], &Likes_type, e[1]));
    assert_notices("w added 0 Likes change; ");
    assert_ok(ilk_relate(world, e[0], &Likes_type, e[2]));
    assert_notices("w set 0 Likes change; ");
    assert_ok(ilk_destroy(world, e[1]));
    assert_notices("w set 0 Likes change; w destroyed 1 destroy; ");
    assert_ok(ilk_destroy(world, e[2]));
    assert_notices("w removed 0 Likes change; w destroyed 2 destroy; ");
    assert_ok(ilk_relate(world, e[3], &PartOf_type, e[0]));
    assert_notices("w added 3 PartOf change; ");
    assert_ok(ilk_destroy(world, e[0]));
    assert_notices("w removed 3 PartOf destroy; w destroyed 3 destroy; w destroyed 0 destroy; ");
}

static ilk_entity meddled_with, related_by;

// Tries to save a target that is doomed, and to destroy it again.
static ilk_result meddle(ilk_notice* n) {
    ilk_cmd_relate(n->cmd, related_by, &Likes_type, meddled_with);
    ilk_cmd_destroy(n->cmd, meddled_with);
    return ILK_OK;
}

static void what_is_doomed_goes(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[3];
    create_some(world, e, 3);
    assert_ok(ilk_relate(world, e[1], &PartOf_type, e[0]));
    meddled_with = e[0];
    related_by = e[2];
    ilk_observer_create(world, &(ilk_observer_desc){.on = ILK_ON_DESTROY, .run = meddle});
    assert_ok(ilk_destroy(world, e[0]));
    assert_int_equal(ilk_stats(world).alive, 1);
    assert_no_targets(world, e[2], Likes);
    assert_quiet(f);
}

static void clear_now(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd, (void)user;
    ilk_clear(world);
}

static ilk_result record_clear(ilk_notice* n) {
    ilk_cmd_call(n->cmd, clear_now, NULL);
    return ILK_OK;
}

static void a_world_cleared_meanwhile_is_empty(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity e[3];
    create_some(world, e, 3);
    assert_ok(ilk_relate(world, e[1], &PartOf_type, e[0]));
    assert_ok(ilk_relate(world, e[2], &PartOf_type, e[1]));
    ilk_observer_create(world, &(ilk_observer_desc){.on = ILK_ON_DESTROY,
                                                    .reasons = ILK_REASON_DESTROY,
                                                    .run = record_clear});
    assert_ok(ilk_destroy(world, e[0]));
    assert_int_equal(ilk_stats(world).alive, 0);
}

static void relations_of_a_hub(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    enum {
        MANY = 3000
    };
    ilk_entity hub = ilk_create(world);
    ilk_entity* e = malloc(MANY * sizeof *e);
    assert_non_null(e);
    create_some(world, e, MANY);
    for (uint32_t i = 0; i < MANY; i++) assert_ok(ilk_relate(world, hub, &Likes_type, e[i]));
    for (uint32_t i = 0; i < MANY; i++) assert_ok(ilk_relate(world, e[i], &Faces_type, hub));
    assert_valid(world);
    for (uint32_t i = 0; i < MANY; i += 3) assert_ok(ilk_unrelate(world, hub, &Likes_type, e[i]));
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(ilk_related(world, hub, &Likes_type, e[i]), i % 3 != 0);
    }
    for (uint32_t i = 1; i < MANY; i += 3) assert_ok(ilk_destroy(world, e[i]));
    assert_valid(world);
    assert_int_equal(ilk_target_count(world, hub, &Likes_type), MANY / 3);
    assert_ok(ilk_destroy(world, hub));
    ilk_trim(world);
    assert_valid(world);
    free(e);
}

// The second of a list goes another way than the first, and finds the same.
static void children_are_spawned_one_after_the_other(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity parents[2], e[6], gone = ilk_create(world);
    for (uint32_t i = 0; i < 2; i++) parents[i] = ILK_SPAWN(world, ILK_WITH(Position));
    assert_ok(ilk_destroy(world, gone));
    for (uint32_t i = 0; i < 6; i++) {
        e[i] = ILK_SPAWN(world, ILK_VALUE(Position, .x = 5), ILK_TO(ilk_child_of, parents[i % 2]));
        assert_entity(ilk_parent(world, e[i]), parents[i % 2]);
        assert_int_equal(ilk_depth(world, e[i]), 1);
        assert_true(same_position(ILK_GET(world, e[i], Position), 5, 0));
    }
    assert_sources(world, parents[1], ilk_child_of, e[1], e[3], e[5]);
    uint32_t alive = ilk_stats(world).alive;
    ilk_entity none = ILK_SPAWN(world, ILK_WITH(Position), ILK_TO(ilk_child_of, gone));
    assert_told(f, ILK_DEAD, "ilk_spawn");
    assert_entity(none, NOBODY);
    none = ILK_SPAWN(world, ILK_WITH(Position), ILK_WITH(ilk_child_of));
    assert_told(f, ILK_INVALID, "ilk_spawn");
    assert_entity(none, NOBODY);
    assert_int_equal(ilk_stats(world).alive, alive);
    ilk_cmd* cmd = ilk_cmd_take(world);
    ilk_value values[] = {ILK_WITH(Position), ILK_TO(ilk_child_of, e[0])};
    ilk_entity later = ilk_cmd_spawn(cmd, values, 2);
    assert_int_equal(ilk_cmd_apply(cmd).failed, 0);
    ilk_cmd_give_back(cmd);
    assert_int_equal(ilk_depth(world, later), 2);
    assert_valid(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_relation_is_found_from_both_ends),
        WORLD_TEST(a_relation_is_a_component_of_its_source),
        WORLD_TEST(another_target_replaces_an_exclusive_one),
        WORLD_TEST(values_of_relations_relate),
        WORLD_TEST(what_a_relation_carries),
        WORLD_TEST(carried_values_are_dropped_once),
        WORLD_TEST(what_a_copy_carries_names_the_copy),
        WORLD_TEST(a_copy_relates_to_itself_as_the_original_does),
        WORLD_TEST(relations_end_with_their_target),
        WORLD_TEST(sources_go_with_their_target),
        WORLD_TEST(who_is_needed_stays),
        WORLD_TEST(a_tree_has_no_cycle),
        WORLD_TEST(the_dead_are_not_related),
        WORLD_TEST(what_is_no_relation_is_refused),
        WORLD_TEST(links_are_not_written_otherwise),
        WORLD_TEST(unsound_relations_are_refused),
        WORLD_TEST(relations_go_with_their_component),
        WORLD_TEST(a_value_is_put_in_place_of_another),
        WORLD_TEST(a_command_puts_a_value),
        WORLD_TEST(a_system_that_writes_a_relation_edits_its_values),
        WORLD_TEST(observers_are_told_which_target),
        WORLD_TEST(observers_meddle_with_targets),
        WORLD_TEST(targets_move_and_are_known),
        WORLD_TEST(commands_relate),
        WORLD_TEST(commands_drop_what_is_not_carried),
        NOTED_TEST(observers_are_told_of_relations),
        WORLD_TEST(what_is_doomed_goes),
        WORLD_TEST(a_world_cleared_meanwhile_is_empty),
        WORLD_TEST(relations_of_a_hub),
        WORLD_TEST(children_are_spawned_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
