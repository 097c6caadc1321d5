// Copies of many, and moving between worlds.
#include "names_support.h"

enum {
    COUNT = 3000
};

// A world with many: some have one more, some lack one, some have one switched off.
static void populate(ilk_world* world, ilk_entity* those) {
    for (uint32_t i = 0; i < COUNT; i++) {
        those[i] =
            ILK_SPAWN(world, ILK_VALUE(Health, (int32_t)i), ILK_VALUE(Position, (float)i, 1));
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i % 7 == 0) assert_ok(ilk_add(world, those[i], ILK_VALUE(Anchor, i)));
        if (i % 11 == 0) assert_ok(ilk_remove(world, those[i], &Position_type));
        if (i % 13 == 0) assert_ok(ilk_disable(world, those[i], &Health_type));
        if (i % 17 == 0) assert_ok(ilk_add(world, those[i], ILK_WITH(Owned)));
        if (i % 500 == 3) assert_ok(ilk_remove_all(world, those[i]));
    }
    hooks_taken();
}

static void assert_one_of_many(ilk_world* world, ilk_entity e, uint32_t i) {
    bool is_bare = i % 500 == 3;
    assert_true(ilk_alive(world, e));
    assert_int_equal(ilk_has(world, e, &Health_type), !is_bare);
    assert_int_equal(ilk_enabled(world, e, &Health_type), !is_bare && i % 13 != 0);
    assert_int_equal(ilk_has(world, e, &Position_type), !is_bare && i % 11 != 0);
    assert_int_equal(ilk_has(world, e, &Anchor_type), !is_bare && i % 7 == 0);
    assert_int_equal(ilk_has(world, e, &Owned_type), !is_bare && i % 17 == 0);
    if (is_bare) return;
    assert_int_equal(ILK_GET(world, e, Health)->points, i);
    if (i % 11) assert_true(same_position(ILK_GET(world, e, Position), (float)i, 1));
    if (i % 7 == 0) assert_int_equal(ILK_GET(world, e, Anchor)->depth, i);
    if (i % 17 == 0) assert_string_equal(ILK_GET(world, e, Owned)->text, "fresh");
}

static uint32_t owners(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < COUNT; i++) count += i % 17 == 0 && i % 500 != 3;
    return count;
}

// Whoever has a variable of its own for the type of the hierarchy has the same children.
static void children_come_along_whichever_variable_made_them(void** state) {
    fixture* f = *state;
    ilk_type other = ilk_child_of_type;
    other.id = ilk_child_of_type.id = 0; // as if nobody had used either
    ilk_world* there = second_world(f, 1);
    ilk_entity parent = ilk_create(f->world), child = ilk_create(f->world), moved;
    assert_ok(ilk_add(f->world, child, (ilk_value){&other, &(ilk_link){.target = parent}}));
    assert_ok(ilk_transfer(f->world, &parent, 1, there, &moved));
    assert_int_equal(ilk_stats(f->world).alive, 0);
    assert_int_equal(ilk_child_count(there, moved), 1);
    ilk_world_destroy(there);
}

// R001.17
static void many_move_with_all_that_they_have(void** state) {
    fixture* f = *state;
    static ilk_entity those[COUNT], there[COUNT];
    ilk_world* other = second_world(f, 1);
    for (uint32_t i = 0; i < 5; i++) ILK_SPAWN(other, ILK_WITH(Position)); // other numbers there
    populate(f->world, those);
    assert_ok(ilk_transfer(f->world, those, COUNT, other, there));
    assert_hooks(0, 0, 0);
    assert_valid(f->world);
    assert_valid(other);
    assert_int_equal(ilk_stats(f->world).alive, 0);
    assert_int_equal(ilk_stats(other).alive, COUNT + 5);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_false(ilk_alive(f->world, those[i]));
        assert_one_of_many(other, there[i], i);
    }
    ilk_world_destroy(other);
    assert_hooks(0, 0, (int)owners());
    assert_quiet(f);
}

static void many_are_copied_with_all_that_they_have(void** state) {
    fixture* f = *state;
    static ilk_entity those[COUNT], there[COUNT], here[COUNT];
    ilk_world* other = second_world(f, 1);
    populate(f->world, those);
    assert_ok(ilk_copy_to(f->world, those, COUNT, other, there));
    assert_hooks(0, (int)owners(), 0);
    assert_ok(ilk_copy_to(f->world, those, COUNT, f->world, here));
    assert_hooks(0, (int)owners(), 0);
    assert_valid(f->world);
    assert_valid(other);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_one_of_many(f->world, those[i], i);
        assert_one_of_many(f->world, here[i], i);
        assert_one_of_many(other, there[i], i);
    }
    assert_int_equal(ilk_stats(f->world).alive, 2 * COUNT);
    ilk_world_destroy(other);
}

static void the_order_of_a_list_is_kept(void** state) {
    fixture* f = *state;
    static ilk_entity those[COUNT], mixed[COUNT], there[COUNT];
    ilk_world* other = second_world(f, 1);
    populate(f->world, those);
    for (uint32_t i = 0; i < COUNT; i++) mixed[i] = those[i * 1009 % COUNT];
    assert_ok(ilk_transfer(f->world, mixed, COUNT, other, there));
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(there[i].index, i);
        assert_one_of_many(other, there[i], i * 1009 % COUNT);
    }
    assert_valid(other);
    ilk_world_destroy(other);
}

static void the_dead_are_passed_over_and_nobody_goes_twice(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity a = ILK_SPAWN(f->world, ILK_VALUE(Health, 1)), dead = ilk_create(f->world);
    ilk_entity b = ILK_SPAWN(f->world, ILK_VALUE(Health, 2)), there[5];
    assert_ok(ilk_destroy(f->world, dead));
    ilk_entity list[5] = {a, dead, a, b, {0}};
    assert_int_equal(ilk_transfer(f->world, list, 5, other, there), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_transfer");
    assert_entity(f->told.last.entity, dead);
    assert_int_equal(ilk_stats(other).alive, 2);
    assert_entity(there[0], there[2]);
    assert_true(ilk_is_null(there[1]) && ilk_is_null(there[4]));
    assert_int_equal(ILK_GET(other, there[3], Health)->points, 2);
    assert_ok(ilk_transfer(other, there, 1, f->world, NULL));
    assert_int_equal(ilk_stats(other).alive, 1);
    assert_ok(ilk_transfer(other, there, 0, f->world, NULL));
    assert_ok(ilk_transfer(other, NULL, 0, f->world, NULL));
    ilk_world_destroy(other);
}

static void who_travels_together_stays_together(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 0); // handles look alike there
    ilk_entity stranger = ilk_create(f->world), those[3], there[3], here[3];
    ilk_create_many(f->world, those, 3);
    for (uint32_t i = 0; i < 3; i++) {
        Pack pack = {i, {those[(i + 1) % 3], stranger}, those[i]};
        assert_ok(ilk_add(f->world, those[i], ILK_VALUE_AT(Pack, &pack)));
    }
    assert_ok(ilk_copy_to(f->world, those, 3, f->world, here));
    assert_ok(ilk_transfer(f->world, those, 3, other, there));
    for (uint32_t i = 0; i < 3; i++) {
        const Pack *copied = ILK_GET(f->world, here[i], Pack),
                   *moved = ILK_GET(other, there[i], Pack);
        assert_int_equal(moved->size, i);
        assert_entity(copied->friends[0], here[(i + 1) % 3]);
        assert_entity(copied->friends[1], stranger);
        assert_entity(copied->leader, here[i]);
        assert_entity(moved->friends[0], there[(i + 1) % 3]);
        assert_true(ilk_is_null(moved->friends[1]));
        assert_entity(moved->leader, there[i]);
    }
    ilk_world_destroy(other);
}

ILK_RELATION_WITH(Leads, .value = &Pack_type);
ILK_RELATION_WITH(Guards, .is_exclusive = true, .value = &Pack_type);

static void assert_carried(const void* value, ilk_entity first, ilk_entity second,
                           ilk_entity leader) {
    const Pack* carried = value;
    assert_non_null(carried);
    assert_entity(carried->friends[0], first);
    assert_entity(carried->friends[1], second);
    assert_entity(carried->leader, leader);
}

// What relations carry names those who travel too as their components do.
static void what_is_carried_stays_together(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 0); // handles look alike there
    ilk_entity stranger = ilk_create(f->world), those[2], there[2], here[2];
    for (uint32_t i = 0; i < 5; i++) ilk_create(other);
    ilk_create_many(f->world, those, 2);
    Pack pack = {1, {those[0], stranger}, those[1]};
    assert_ok(ilk_relate_value(f->world, those[0], &Leads_type, those[1], &pack));
    assert_ok(ilk_relate_value(f->world, those[0], &Leads_type, stranger, &pack));
    assert_ok(ilk_relate_value(f->world, those[1], &Guards_type, those[0], &pack));
    assert_ok(ilk_copy_to(f->world, those, 2, f->world, here));
    assert_carried(ilk_relation_get(f->world, here[0], &Leads_type, here[1]), here[0], stranger,
                   here[1]);
    assert_carried(ilk_relation_get(f->world, here[0], &Leads_type, stranger), here[0], stranger,
                   here[1]);
    assert_carried(ilk_relation_get(f->world, here[1], &Guards_type, here[0]), here[0], stranger,
                   here[1]);
    assert_ok(ilk_transfer(f->world, those, 2, other, there));
    ilk_entity nobody = {0, 0};
    assert_carried(ilk_relation_get(other, there[0], &Leads_type, there[1]), there[0], nobody,
                   there[1]);
    assert_carried(ilk_relation_get(other, there[1], &Guards_type, there[0]), there[0], nobody,
                   there[1]);
    ilk_world_destroy(other);
}

static void a_world_that_cannot_take_them_changes_nothing(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type* const[]){&Health_type, NULL};
    desc.max_entities = 2;
    ilk_world* other = ilk_world_create(&desc);
    ilk_entity those[3];
    for (uint32_t i = 0; i < 3; i++) those[i] = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_int_equal(ilk_transfer(f->world, those, 3, other, NULL), ILK_FULL);
    assert_told(f, ILK_FULL, "ilk_transfer");
    assert_ok(ilk_add(f->world, those[1], ILK_WITH(Anchor)));
    assert_int_equal(ilk_transfer(f->world, those, 2, other, NULL), ILK_FOREIGN);
    assert_told(f, ILK_FOREIGN, "ilk_transfer");
    assert_int_equal(ilk_copy_to(f->world, those, 2, other, NULL), ILK_FOREIGN);
    assert_told(f, ILK_FOREIGN, "ilk_copy_to");
    assert_int_equal(ilk_stats(other).alive, 0);
    assert_int_equal(ilk_stats(f->world).alive, 3);
    assert_valid(other);
    assert_ok(ilk_transfer(f->world, those, 1, other, NULL));
    assert_valid(other);
    ilk_world_destroy(other);
}

static void what_cannot_be_copied_is_moved(void** state) {
    fixture* f = *state;
    int drops = 0;
    ilk_world* other = second_world(f, 1);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health), single_value(&drops));
    assert_int_equal(ilk_copy_to(f->world, &e, 1, other, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_copy_to");
    assert_int_equal(ilk_stats(other).alive, 0);
    assert_ok(ilk_transfer(f->world, &e, 1, other, &e));
    assert_int_equal(drops, 0);
    assert_ok(ilk_destroy(other, e));
    assert_int_equal(drops, 1);
    ilk_world_destroy(other);
}

// R001.12 R001.17
static void observers_of_both_worlds_are_told(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity those[2], there[2];
    assert_ok(ilk_register(other, &Health_type));
    for (int32_t i = 0; i < 2; i++) those[i] = ILK_SPAWN(f->world, ILK_VALUE(Health, i));
    assert_ok(ilk_add(f->world, those[1], ILK_WITH(Enemy)));
    assert_ok(ilk_disable(f->world, those[0], &Health_type));
    watch(f->world, "from", EVERYTHING, NULL);
    watch(other, "to", EVERYTHING, NULL);
    assert_ok(ilk_copy_to(f->world, those, 2, other, there));
    assert_notices("to created 0 spawn; to created 1 spawn; to added 0 Health=0 spawn; "
                   "to added 1 Health=1 spawn; to added 1 Enemy spawn; to disabled 0 Health=0 "
                   "spawn; ");
    assert_ok(ilk_transfer(f->world, those, 2, other, there));
    assert_notices(
        "from removed 0 Health=0 unload; from removed 1 Health=1 unload; "
        "from removed 1 Enemy unload; from destroyed 0 unload; from destroyed 1 unload; "
        "to created 2 load; to created 3 load; to added 2 Health=0 load; "
        "to added 3 Health=1 load; to added 3 Enemy load; to disabled 2 Health=0 load; ");
    ilk_set_reason(other, ILK_REASON_DESTROY);
    ilk_set_reason(f->world, ILK_REASON_SPAWN);
    assert_ok(ilk_transfer(other, there, 1, f->world, NULL));
    assert_notices("to removed 2 Health=0 unload; to destroyed 2 unload; from created 1 spawn; "
                   "from added 1 Health=0 spawn; from disabled 1 Health=0 spawn; ");
    ilk_world_destroy(other);
}

typedef struct meddler {
    ilk_world* other;
    ilk_entity there;
} meddler;

// The other world cannot be changed while this one is told.
static ilk_result meddle(ilk_notice* n) {
    const meddler* m = n->user;
    assert_true(ilk_is_null(ilk_create(m->other)));
    assert_int_equal(ilk_destroy(m->other, m->there), ILK_LOCKED);
    assert_non_null(strstr(ilk_error(m->other).text, "about to come by ilk_transfer"));
    ilk_clear(m->other);
    ilk_world_destroy(m->other);
    return ilk_cmd_destroy(n->cmd, n->entity); // in vain
}

static void observers_cannot_meddle(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    meddler m = {other, ilk_create(other)};
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health));
    ilk_observer_create(f->world,
                        &(ilk_observer_desc){.on = ILK_ON_REMOVE, .run = meddle, .user = &m});
    assert_ok(ilk_transfer(f->world, &e, 1, other, &e));
    assert_int_equal(f->told.count, 4);
    assert_true(ilk_alive(other, e));
    assert_true(ilk_alive(other, m.there));
    assert_int_equal(ilk_stats(other).alive, 2);
    assert_valid(other);
    ilk_world_destroy(other);
}

static void destroy_in_vain(ilk_world* world, ilk_cmd* cmd, void* user) {
    ilk_world* other = user;
    (void)cmd;
    ilk_world_destroy(world);
    ilk_world_destroy(other);
    assert_int_equal(ilk_error(world).result, ILK_LOCKED);
    assert_int_equal(ilk_error(other).result, ILK_LOCKED);
    assert_false(ilk_is_null(ilk_create(other)));
}

static ilk_result end_worlds(ilk_notice* n) {
    return ilk_cmd_call(n->cmd, destroy_in_vain, n->user);
}

// Neither by those who are told in one world, nor by what they ask for.
static void neither_world_ends_meanwhile(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health)), there;
    ilk_observer_create(
        f->world, &(ilk_observer_desc){.on = ILK_ON_REMOVE, .run = end_worlds, .user = other});
    ilk_observer_create(
        other, &(ilk_observer_desc){.on = ILK_ON_ADD, .run = end_worlds, .user = f->world});
    assert_ok(ilk_copy_to(f->world, &e, 1, other, &there));
    assert_int_equal(f->told.count, 2);
    assert_ok(ilk_transfer(f->world, &e, 1, other, &there));
    assert_int_equal(f->told.count, 6);
    assert_true(ilk_has(other, there, &Health_type));
    assert_int_equal(ilk_stats(f->world).alive, 2);
    assert_int_equal(ilk_stats(other).alive, 3);
    assert_valid(f->world);
    assert_valid(other);
    ilk_world_destroy(other);
}

typedef struct left_world {
    ilk_world* world;
    ilk_snapshot* snapshot;
    ilk_world* live; // of which it is a snapshot, or NULL
} left_world;

static ilk_result change_origin(ilk_notice* n) {
    const left_world* o = n->user;
    ilk_world_destroy(o->world);
    assert_int_equal(ilk_error(o->world).result, ILK_LOCKED);
    if (o->live) {
        ilk_world_destroy(o->live);
        assert_int_equal(ilk_error(o->live).result, ILK_LOCKED);
        return ILK_OK;
    }
    assert_int_equal(ilk_snapshot_restore(o->snapshot), ILK_LOCKED);
    ilk_clear(o->world);
    assert_false(ilk_is_null(ILK_SPAWN(o->world, ILK_WITH(Health))));
    return ILK_OK;
}

// Those who are told that somebody came may do with the world that they come from what they like,
// but it stays.
static void the_world_that_they_come_from_stays(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity those[3] = {ILK_SPAWN(f->world, ILK_VALUE(Health, 1)), ilk_create(f->world),
                           ILK_SPAWN(f->world, ILK_VALUE(Health, 2))},
               there[3];
    assert_ok(ilk_destroy(f->world, those[1]));
    left_world o = {f->world, ilk_snapshot_take(f->world), NULL};
    ilk_observer* observer = ilk_observer_create(
        other, &(ilk_observer_desc){.on = ILK_ON_CREATE, .run = change_origin, .user = &o});
    assert_int_equal(ilk_copy_to(f->world, those, 3, other, there), ILK_DEAD);
    assert_int_equal(ilk_error(f->world).result, ILK_DEAD);
    assert_int_equal(ILK_GET(other, there[2], Health)->points, 2);
    assert_valid(f->world);
    o = (left_world){ilk_snapshot_open(o.snapshot), o.snapshot, f->world};
    assert_ok(ilk_copy_to(o.world, those, 1, other, there));
    assert_int_equal(ILK_GET(other, there[0], Health)->points, 1);
    ilk_observer_destroy(observer);
    ilk_world_destroy(o.world);
    ilk_world_destroy(other);
}

// What comes while somebody looks is not visited, and takes no place of one who was there.
static void loops_go_on_while_entities_come_and_go(void** state) {
    fixture* f = *state;
    static ilk_entity those[COUNT];
    ilk_world* other = second_world(f, 1);
    populate(f->world, those);
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){.read = {&Health_type}});
    uint32_t visited = 0, wanted = ilk_query_count(f->world, query);
    ilk_iter it = ilk_query_iter(f->world, query);
    while (ilk_next(&it)) {
        visited += it.count;
        if (visited == it.count) assert_ok(ilk_copy_to(f->world, those, 100, f->world, NULL));
    }
    assert_int_equal(visited, wanted);
    assert_valid(f->world);
    ilk_world_destroy(other);
}

typedef struct Since {
    int32_t year;
} Since;
ILK_COMPONENT(Since);
ILK_RELATION_WITH(Knows, .value = &Since_type);

static int32_t year_of(const ilk_world* world, ilk_entity a, ilk_entity b) {
    const Since* since = ilk_relation_get(world, a, &Knows_type, b);
    return since ? since->year : 0;
}

// A root with two children, one of which has one; they know each other, and a stranger.
static void make_family(ilk_world* world, ilk_entity* those, ilk_entity stranger) {
    for (int32_t i = 0; i < 4; i++) those[i] = ILK_SPAWN(world, ILK_VALUE(Health, i));
    assert_ok(ilk_set_parent(world, those[2], those[0]));
    assert_ok(ilk_set_parent(world, those[1], those[0]));
    assert_ok(ilk_set_parent(world, those[3], those[1]));
    assert_ok(ilk_relate_value(world, those[3], &Knows_type, stranger, &(Since){1}));
    assert_ok(ilk_relate_value(world, those[3], &Knows_type, those[2], &(Since){2}));
    assert_ok(ilk_relate_value(world, those[3], &Knows_type, those[3], &(Since){3}));
    assert_ok(ilk_relate_value(world, those[2], &Knows_type, stranger, &(Since){4}));
}

static void assert_family(const ilk_world* world, ilk_entity root, ilk_entity stranger) {
    ilk_entity b[5];
    static const int32_t points[4] = {0, 2, 1, 3}; // the order of children is kept
    assert_int_equal(ilk_below(world, root, ILK_WALK_BREADTH, b, 5), 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(ILK_GET(world, b[i], Health)->points, points[i]);
    }
    assert_int_equal(ilk_depth(world, b[3]), ilk_depth(world, root) + 2);
    bool is_known = !ilk_is_null(stranger);
    assert_int_equal(ilk_target_count(world, b[3], &Knows_type), is_known ? 3 : 2);
    assert_int_equal(year_of(world, b[3], b[1]), 2);
    assert_int_equal(year_of(world, b[3], b[3]), 3);
    assert_int_equal(ilk_has(world, b[1], &Knows_type), is_known);
    if (!is_known) return;
    assert_entity(ilk_target(world, b[3], &Knows_type), stranger);
    assert_int_equal(year_of(world, b[3], stranger), 1);
    assert_int_equal(year_of(world, b[1], stranger), 4);
}

static void a_tree_is_copied_with_its_relations(void** state) {
    fixture* f = *state;
    ilk_entity stranger = ilk_create(f->world), parent = ilk_create(f->world), those[4];
    make_family(f->world, those, stranger);
    assert_ok(ilk_set_parent(f->world, those[0], parent));
    ilk_entity copy = ilk_copy_tree(f->world, those[0]);
    assert_valid(f->world);
    assert_family(f->world, copy, stranger);
    assert_family(f->world, those[0], stranger);
    assert_entity(ilk_parent(f->world, copy), parent);
    assert_int_equal(ilk_stats(f->world).alive, 10);
    assert_ok(ilk_destroy(f->world, parent));
    assert_int_equal(ilk_stats(f->world).alive, 1);
    assert_true(ilk_is_null(ilk_copy_tree(f->world, parent)));
    assert_told(f, ILK_DEAD, "ilk_copy_tree");
    assert_true(ilk_is_null(ilk_copy_tree(NULL, parent)));
}

// R001.17
static void a_tree_moves_with_its_relations(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity stranger = ilk_create(f->world), parent = ilk_create(f->world), those[4], there[2];
    make_family(f->world, those, stranger);
    assert_ok(ilk_set_parent(f->world, those[0], parent));
    ilk_entity list[2] = {those[3], those[0]};
    assert_ok(ilk_copy_to(f->world, list, 2, other, there));
    assert_family(other, there[1], (ilk_entity){0});
    assert_ok(ilk_transfer(f->world, list, 2, other, there));
    assert_valid(f->world);
    assert_valid(other);
    assert_family(other, there[1], (ilk_entity){0});
    assert_int_equal(ILK_GET(other, there[0], Health)->points, 3);
    assert_true(ilk_is_null(ilk_parent(other, there[1])));
    assert_int_equal(ilk_stats(f->world).alive, 2);
    assert_int_equal(ilk_child_count(f->world, parent), 0);
    assert_int_equal(ilk_source_count(f->world, stranger, &Knows_type), 0);
    assert_ok(ilk_destroy(other, there[1]));
    assert_int_equal(ilk_stats(other).alive, 4);
    ilk_entity pair[2] = {ilk_create(f->world), ilk_create(f->world)};
    assert_ok(ilk_set_parent(f->world, pair[1], pair[0]));
    assert_ok(ilk_transfer(f->world, (ilk_entity[]){pair[0], pair[0]}, 2, other, there));
    assert_entity(there[0], there[1]);
    ilk_world_destroy(other);
}

enum {
    CHAIN = 40
};
ILK_RELATION_WITH(Under, .is_tree = true);

// A chain by two relations, the one up and the other down, from somebody who stays.
static void make_chains(ilk_world* world, ilk_entity* those, ilk_entity stranger) {
    ilk_create_many(world, those, CHAIN);
    assert_ok(ilk_set_parent(world, those[0], stranger));
    assert_ok(ilk_relate(world, those[CHAIN - 1], &Under_type, stranger));
    for (uint32_t i = 1; i < CHAIN; i++) {
        assert_ok(ilk_set_parent(world, those[i], those[i - 1]));
        assert_ok(ilk_relate(world, those[i - 1], &Under_type, those[i]));
    }
}

static void assert_chains(const ilk_world* world, const ilk_entity* list, uint32_t step,
                          uint32_t first_depth) {
    for (uint32_t i = 0; i < CHAIN; i++) {
        uint32_t at = i * step % CHAIN;
        assert_int_equal(ilk_depth(world, list[i]), first_depth + at);
        assert_int_equal(ILK_GET(world, list[i], ilk_child_of) != NULL, first_depth + at > 0);
        const Under* under = ILK_GET(world, list[i], Under);
        assert_int_equal(under ? under->depth : 0, first_depth + CHAIN - 1 - at);
    }
    assert_valid(world); // which counts all depths
}

static void trees_are_the_same_in_whatever_order_they_are_listed(void** state) {
    fixture* f = *state;
    static const uint32_t steps[5] = {1, CHAIN - 1, 7, 11, 13}; // from above, from below, mixed
    ilk_world* other = second_world(f, 1);
    ilk_entity stranger = ilk_create(f->world), those[CHAIN], mixed[CHAIN], there[CHAIN];
    for (uint32_t i = 0; i < COUNT_OF(steps); i++) {
        make_chains(f->world, those, stranger);
        for (uint32_t k = 0; k < CHAIN; k++) mixed[k] = those[k * steps[i] % CHAIN];
        assert_ok(ilk_copy_to(f->world, mixed, CHAIN, f->world, there));
        assert_chains(f->world, there, steps[i], 1);
        assert_ok(ilk_copy_to(f->world, mixed, CHAIN, other, there));
        assert_chains(other, there, steps[i], 0);
        assert_ok(ilk_transfer(f->world, mixed, CHAIN, other, there));
        assert_chains(other, there, steps[i], 0);
        assert_valid(f->world);
    }
    assert_int_equal(ilk_child_count(f->world, stranger), COUNT_OF(steps)); // copies
    ilk_world_destroy(other);
}

ILK_RELATION_WITH(Fears, .at_end = ILK_END_RELATION);
ILK_RELATION_WITH(BoltedTo, .at_end = ILK_END_SOURCE);
ILK_RELATION_WITH(LeansOn, .at_end = ILK_END_REFUSED);

static void who_is_needed_stays(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity wall = ilk_create(f->world), ladder = ilk_create(f->world), there = ladder;
    assert_ok(ilk_relate(f->world, ladder, &LeansOn_type, wall));
    assert_int_equal(ilk_transfer(f->world, &wall, 1, other, &there), ILK_NEEDED);
    assert_told(f, ILK_NEEDED, "ilk_transfer");
    assert_string_equal(f->told.text,
                        "ilk_transfer of LeansOn for entity 0:1: entity 1:1 needs it, by LeansOn");
    assert_true(ilk_is_null(there));
    assert_true(ilk_alive(f->world, wall));
    assert_ok(ilk_transfer(f->world, (ilk_entity[]){wall, ladder}, 2, other, NULL));
    assert_int_equal(ilk_stats(other).relations, 1);
    assert_valid(f->world);
    assert_valid(other);
    ilk_world_destroy(other);
}

// For those who stay, whoever leaves is as good as destroyed.
static void who_stays_follows_the_rule_of_the_relation(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity e[6], there[2];
    for (uint32_t i = 0; i < 6; i++) e[i] = ilk_create(f->world);
    assert_ok(ilk_relate(f->world, e[0], &Fears_type, e[1]));    // both go
    assert_ok(ilk_relate(f->world, e[2], &Fears_type, e[1]));    // it loses the relation
    assert_ok(ilk_relate(f->world, e[3], &BoltedTo_type, e[1])); // it goes down
    assert_ok(ilk_relate(f->world, e[4], &BoltedTo_type, e[3])); // and this one too
    assert_ok(ilk_relate(f->world, e[1], &Fears_type, e[3]));    // left behind
    assert_ok(ilk_relate(f->world, e[1], &Fears_type, e[5]));
    assert_ok(ilk_transfer(f->world, e, 2, other, there));
    assert_int_equal(ilk_stats(f->world).alive, 2);
    assert_true(ilk_alive(f->world, e[2]) && ilk_alive(f->world, e[5]));
    assert_false(ilk_has(f->world, e[2], &Fears_type));
    assert_int_equal(ilk_stats(f->world).relations, 0);
    assert_true(ilk_related(other, there[0], &Fears_type, there[1]));
    assert_int_equal(ilk_stats(other).relations, 1);
    assert_valid(f->world);
    assert_valid(other);
    ilk_world_destroy(other);
}

// What observers of those who stay ask for is done when all are gone.
static ilk_result fear_another(ilk_notice* n) {
    ilk_entity* e = n->user;
    assert_true(ilk_alive(n->world, e[1]));
    assert_ok(ilk_cmd_relate(n->cmd, n->entity, &Fears_type, e[3]));
    return ilk_cmd_destroy(n->cmd, e[0]);
}

static void those_who_stay_are_observed(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    static ilk_entity e[4];
    ilk_entity there[2];
    for (uint32_t i = 0; i < 4; i++) e[i] = ilk_create(f->world);
    assert_ok(ilk_relate(f->world, e[2], &Fears_type, e[1]));
    ilk_observer* observer = ilk_observer_create(
        f->world, &(ilk_observer_desc){
                      .on = ILK_ON_REMOVE, .type = &Fears_type, .run = fear_another, .user = e});
    assert_ok(ilk_transfer(f->world, e, 2, other, there));
    ilk_observer_destroy(observer);
    assert_true(ilk_alive(other, there[0])); // the command came too late
    assert_true(ilk_related(f->world, e[2], &Fears_type, e[3]));
    assert_int_equal(ilk_stats(f->world).alive, 2);
    assert_valid(f->world);
    ilk_world_destroy(other);
}

static void nobody_is_there_if_nothing_was_done(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world), there = e;
    assert_int_equal(ilk_transfer(f->world, &e, 1, f->world, &there), ILK_INVALID);
    assert_true(ilk_is_null(there));
    there = e;
    assert_int_equal(ilk_copy_to(f->world, &e, 1, NULL, &there), ILK_INVALID);
    assert_true(ilk_is_null(there));
    assert_ok(ilk_copy_to(f->world, &e, 1, f->world, &e)); // the lists may be one
    assert_int_equal(e.index, 1);
}

// Names go along to where they are free, under the parent that they have there.
static void names_travel_to_where_they_are_free(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity house = ilk_create(f->world), door = ilk_create(f->world), there;
    assert_ok(ilk_set_parent(f->world, door, house));
    assert_ok(ilk_set_name(f->world, house, "house"));
    assert_ok(ilk_set_name(f->world, door, "door"));
    assert_ok(ilk_set_id(f->world, door, ilk_make_id("door", 4)));
    assert_ok(ilk_set_name(other, ilk_create(other), "house"));
    ilk_entity copy = ilk_copy_tree(f->world, house);
    assert_string_equal(ilk_name_of(f->world, copy), "house");
    assert_entity(ilk_child_named(f->world, copy, "door"), ilk_first_child(f->world, copy));
    assert_entity(ilk_named(f->world, "house"), house); // it has been there for longer
    assert_ok(ilk_transfer(f->world, &house, 1, other, &there));
    assert_int_equal(ilk_all_named(other, (ilk_entity){0, 0}, "house", NULL, 0), 2);
    ilk_entity found = ilk_child_named(other, there, "door");
    assert_string_equal(ilk_name_of(other, found), "door");
    assert_false(ilk_has(other, found, &ilk_id_type));
    assert_entity(ilk_named(f->world, "house"), copy);
    assert_valid(f->world);
    assert_valid(other);
    ilk_world_destroy(other);
}

static void names_stay_behind_where_they_must_differ(void** state) {
    fixture* f = *state;
    ilk_world* other = ilk_world_create(&(ilk_world_desc){.names = ILK_NAMES_UNIQUE});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 3)), there;
    assert_ok(ilk_set_name(f->world, e, "door"));
    assert_ok(ilk_transfer(f->world, &e, 1, other, &there));
    assert_null(ilk_name_of(other, there));
    assert_int_equal(ILK_GET(other, there, Health)->points, 3);
    assert_valid(other);
    ilk_world_destroy(other);
}

// What observers of the departure ask for is done when all have arrived, and before that is told.
typedef struct interference {
    ilk_world* there;
    bool is_done, destroys;
} interference;

static void interfere(ilk_world* world, ilk_cmd* cmd, void* user) {
    interference* i = user;
    (void)world, (void)cmd;
    if (i->is_done) return;
    i->is_done = true;
    if (i->destroys) assert_ok(ilk_destroy(i->there, ilk_entity_at(i->there, 0)));
    for (int n = 0; n < 40 && !i->destroys; n++) {
        ilk_observer_desc desc = {
            .on = ILK_ON_MATCH, .query = {.with = {&Health_type}}, .run = note};
        assert_non_null(ilk_observer_create(i->there, &desc));
    }
}

static ilk_result ask_to_interfere(ilk_notice* n) {
    return ilk_cmd_call(n->cmd, interfere, n->user);
}

static void who_has_arrived_is_told_first_whatever_was_asked_for(void** state) {
    fixture* f = *state;
    static ilk_entity those[COUNT];
    for (int destroys = 0; destroys < 2; destroys++) {
        ilk_world* other = second_world(f, 1);
        interference i = {.there = other, .destroys = destroys};
        populate(f->world, those);
        watch(other, "b", EVERYTHING, &Health_type);
        ilk_observer_desc matching = {.name = "m",
                                      .on = ILK_ON_MATCH | ILK_ON_CEASE,
                                      .query = {.with = {&Health_type}},
                                      .run = note};
        ilk_observer_create(other, &matching);
        ilk_observer* asker = ilk_observer_create(
            f->world,
            &(ilk_observer_desc){.on = ILK_ON_DESTROY, .run = ask_to_interfere, .user = &i});
        assert_ok(ilk_transfer(f->world, those, destroys ? 1 : COUNT, other, those));
        assert_true(i.is_done);
        if (destroys) assert_string_equal(notices, ""); // it was gone before that was told
        notices[0] = 0;
        ilk_observer_destroy(asker);
        assert_valid(other);
        ilk_world_destroy(other);
        notices[0] = 0;
        ilk_clear(f->world);
    }
    assert_quiet(f);
}

static void move_one(ilk_iter* it) {
    ilk_entity e = ilk_entity_at(it->world, 0);
    assert_int_equal(ilk_transfer(it->world, &e, 1, it->user, NULL), ILK_LOCKED);
    assert_int_equal(ilk_copy_to(it->user, &e, 1, it->world, NULL), ILK_LOCKED);
}

static void what_makes_no_sense_is_refused(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health));
    assert_int_equal(ilk_transfer(NULL, &e, 1, other, NULL), ILK_INVALID);
    assert_int_equal(ilk_transfer(f->world, &e, 1, NULL, NULL), ILK_INVALID);
    assert_int_equal(ilk_copy_to(NULL, &e, 1, NULL, NULL), ILK_INVALID);
    assert_quiet(f);
    assert_int_equal(ilk_transfer(f->world, &e, 1, f->world, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_transfer");
    assert_int_equal(ilk_copy_to(f->world, NULL, 1, other, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_copy_to");
    ilk_system_create(f->world, &(ilk_system_desc){.name = "one", .run = move_one, .user = other});
    assert_ok(ilk_update(f->world, 0.1));
    assert_int_equal(f->told.count, 2);
    ilk_world_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(children_come_along_whichever_variable_made_them),
        WORLD_TEST(many_move_with_all_that_they_have),
        WORLD_TEST(many_are_copied_with_all_that_they_have),
        WORLD_TEST(the_order_of_a_list_is_kept),
        WORLD_TEST(the_dead_are_passed_over_and_nobody_goes_twice),
        WORLD_TEST(who_travels_together_stays_together),
        WORLD_TEST(what_is_carried_stays_together),
        WORLD_TEST(a_world_that_cannot_take_them_changes_nothing),
        WORLD_TEST(what_cannot_be_copied_is_moved),
        NOTED_TEST(observers_of_both_worlds_are_told),
        WORLD_TEST(observers_cannot_meddle),
        NOTED_TEST(who_has_arrived_is_told_first_whatever_was_asked_for),
        WORLD_TEST(neither_world_ends_meanwhile),
        WORLD_TEST(the_world_that_they_come_from_stays),
        WORLD_TEST(loops_go_on_while_entities_come_and_go),
        WORLD_TEST(a_tree_is_copied_with_its_relations),
        WORLD_TEST(a_tree_moves_with_its_relations),
        WORLD_TEST(trees_are_the_same_in_whatever_order_they_are_listed),
        WORLD_TEST(who_is_needed_stays),
        WORLD_TEST(who_stays_follows_the_rule_of_the_relation),
        WORLD_TEST(those_who_stay_are_observed),
        WORLD_TEST(nobody_is_there_if_nothing_was_done),
        WORLD_TEST(names_travel_to_where_they_are_free),
        WORLD_TEST(names_stay_behind_where_they_must_differ),
        WORLD_TEST(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
