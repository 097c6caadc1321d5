// Entities that are inactive, and entities that are kept by values which outlive them.
#include "component/registry.h"
#include "world/world.h"

#include "query_support.h"

typedef struct Mesh {
    int32_t number;
} Mesh;
ILK_COMPONENT_WITH(Mesh, .outlives = true);
typedef struct Spring {
    float tension;
} Spring;
ILK_COMPONENT_WITH(Spring, .outlives = true, .track = true);

static int by_number(const void* a, const void* b) {
    return ((const Mesh*)a)->number - ((const Mesh*)b)->number;
}

static int by_x(const void* a, const void* b) {
    float x = ((const Position*)a)->x, y = ((const Position*)b)->x;
    return (x > y) - (x < y);
}

static void assert_explained_at(fixture* f, ilk_query* query, ilk_entity e, const char* why,
                                const char* file, int line) {
    char text[400], wanted[400];
    ilk_query_explain(f->world, query, e, text, sizeof text);
    snprintf(wanted, sizeof wanted, "entity %u:%u %s", e.index, e.generation, why);
    _assert_string_equal(text, wanted, file, line);
}
#define assert_explained(f, query, e, why)                                                         \
    assert_explained_at((f), (query), (e), (why), __FILE__, __LINE__)

// The tags of ilk's own

static void* no_alloc(size_t size) {
    (void)size;
    return NULL;
}

// The first test: the program does not know the tag yet.
static void a_condition_may_name_a_tag_that_nobody_used(void** state) {
    fixture* f = *state;
    ilki_type_alloc = no_alloc;
    refused(f, ILK_NO_MEMORY, .where = "ilk_inactive");
    ilki_type_alloc = malloc;
    ilk_query* resting = QUERY(f->world, .where = "ilk_inactive");
    assert_int_equal(ilk_type_count(f->world), 0);
    ilk_create_inactive(f->world);
    ilk_create(f->world);
    assert_result_count(f->world, resting, 1);
}

static void a_world_knows_the_tags_once_they_are_used(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_WITH(Mesh));
    QUERY(f->world, .with = {&ilk_inactive_type}, .without = {&ilk_dying_type});
    assert_int_equal(ilk_type_count(f->world), 3); // the second comes with what outlives
    assert_int_equal(ilk_type_number(f->world, &ilk_dying_type), 2);
    assert_null(ilk_type_named(f->world, "ilk_inactive"));
    assert_ok(ilk_deactivate(f->world, e));
    assert_int_equal(ilk_type_number(f->world, &ilk_inactive_type), 3);
    assert_ok(ilk_destroy(f->world, e));
    char text[8];
    ilk_signature(f->world, e, text, sizeof text);
    assert_string_equal(text, "0110");
}

static void a_restricted_world_takes_the_tags(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.types = (ilk_type*[]){&Mesh_type, NULL};
    ilk_world* world = ilk_world_create(&desc);
    assert_int_equal(ilk_type_count(world), 2);
    assert_int_equal(ilk_type_number(world, &ilk_dying_type), 1);
    ilk_entity e = ILK_SPAWN(world, ILK_WITH(Mesh));
    assert_ok(ilk_deactivate(world, e));
    assert_ok(ilk_destroy(world, e));
    assert_true(ilk_dying(world, e));
    assert_quiet(f);
    assert_int_equal(ilk_add(world, e, ILK_WITH(Position)), ILK_FOREIGN);
    assert_valid(world);
    ilk_world_destroy(world);
}

static void the_names_of_the_tags_are_taken(void** state) {
    fixture* f = *state;
    ilk_type other = {.name = "ilk_inactive", .size = 4, .align = 4};
    assert_int_equal(ilk_register(f->world, &other), ILK_CLASH);
    ilk_type same = {.name = "ilk_inactive"};
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, (ilk_value){&same, NULL}));
    assert_false(ilk_active(f->world, e));
    ilk_type mortal = {.name = "ilk_dying"};
    assert_ok(ilk_register(f->world, &mortal));
    assert_true(ilk_type_named(f->world, "ilk_dying")->outlives);
}

// Activation

// C20, R004.18: the sequence of the project's test on queries: made inactive it is in none; then in
// those that fit; activating twice is told; and gone again.
static void an_inactive_entity_is_in_no_query(void** state) {
    fixture* f = *state;
    ilk_query* moving = QUERY(f->world, .read = {&Position_type});
    ilk_query* still = QUERY(f->world, .with = {&Position_type}, .without = {&Velocity_type});
    ilk_query* all = QUERY(f->world, 0);
    ilk_query* named = QUERY(f->world, .where = "Position | !Velocity");
    ilk_entity made = ILK_SPAWN(f->world, ILK_WITH(Velocity));
    assert_true(ilk_active(f->world, made));
    ilk_entity e = ilk_create_inactive(f->world);
    assert_false(ilk_active(f->world, e));
    assert_true(ilk_alive(f->world, e));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 1, 2)));
    ilk_query* fitting[] = {moving, still, named};
    for (uint32_t i = 0; i < COUNT_OF(fitting); i++) assert_result_count(f->world, fitting[i], 0);
    assert_result_count(f->world, all, 1);
    assert_true(same_position(ILK_GET(f->world, e, Position), 1, 2));
    assert_quiet(f);
    assert_ok(ilk_activate(f->world, e));
    for (uint32_t i = 0; i < COUNT_OF(fitting); i++) assert_result_count(f->world, fitting[i], 1);
    assert_result_count(f->world, all, 2);
    assert_quiet(f);
    assert_int_equal(ilk_activate(f->world, e), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_activate");
    said(f, "ilk_activate for entity 1:1: it is active already");
    assert_ok(ilk_deactivate(f->world, e));
    assert_int_equal(ilk_deactivate(f->world, e), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_deactivate");
    said(f, "ilk_deactivate for entity 1:1: it is inactive already");
    assert_entity(f->told.last.entity, e);
    for (uint32_t i = 0; i < COUNT_OF(fitting); i++) assert_result_count(f->world, fitting[i], 0);
}

static void the_dead_are_neither_active_nor_to_be_activated(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(ilk_deactivate(f->world, e), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_deactivate");
    assert_int_equal(ilk_activate(f->world, e), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_activate");
    assert_false(ilk_active(f->world, e));
    assert_false(ilk_active(NULL, e));
    assert_false(ilk_dying(f->world, e));
    assert_false(ilk_dying(NULL, e));
    assert_int_equal(ilk_deactivate(NULL, e), ILK_INVALID);
    assert_int_equal(ilk_activate(NULL, e), ILK_INVALID);
    assert_true(ilk_is_null(ilk_create_inactive(NULL)));
}

// It is a component: it can be switched off, which counts as absent, and given by others.
static void the_tag_is_a_tag(void** state) {
    fixture* f = *state;
    ilk_query* moving = QUERY(f->world, .read = {&Position_type});
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(ilk_inactive));
    assert_result_count(f->world, moving, 0);
    assert_ok(ilk_disable(f->world, e, &ilk_inactive_type));
    assert_true(ilk_active(f->world, e));
    assert_result_count(f->world, moving, 1);
    assert_int_equal(ilk_activate(f->world, e), ILK_MISSING);
    assert_ok(ilk_deactivate(f->world, e));
    assert_result_count(f->world, moving, 0);
    ilk_entity copy = ilk_copy(f->world, e);
    assert_false(ilk_active(f->world, copy));
    assert_ok(ilk_remove_all(f->world, e));
    assert_false(ilk_active(f->world, e));
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_ok(ilk_remove(f->world, copy, &ilk_inactive_type));
    assert_result_count(f->world, moving, 1);
}

static void who_asks_sees_the_inactive(void** state) {
    fixture* f = *state;
    ilk_entity e[70];
    spawn_positions(f->world, e, 70);
    for (uint32_t i = 0; i < 70; i += 2) assert_ok(ilk_deactivate(f->world, e[i]));
    ilk_create_inactive(f->world);
    ilk_create(f->world);
    assert_result_count(f->world, QUERY(f->world, .read = {&Position_type}), 35);
    assert_result_count(f->world, QUERY(f->world, .read = {&Position_type}, .inactive = true), 70);
    assert_result_count(f->world, QUERY(f->world, 0), 36);
    assert_result_count(f->world, QUERY(f->world, .inactive = true), 72);
    assert_result_count(f->world, QUERY(f->world, .with = {&ilk_inactive_type}), 36);
    assert_result_count(
        f->world, QUERY(f->world, .read = {&Position_type}, .with = {&ilk_inactive_type}), 35);
    assert_result_count(
        f->world, QUERY(f->world, .read = {&Position_type}, .maybe = {&ilk_inactive_type}), 70);
    assert_result_count(f->world, QUERY(f->world, .where = "ilk_inactive, !Position"), 1);
    assert_result_count(f->world, QUERY(f->world, .where = "Position, !ilk_inactive"), 35);
    settle_fully(f->world);
    assert_result_count(f->world, QUERY(f->world, .read = {&Position_type}), 35);
    assert_result_count(f->world, QUERY(f->world, .inactive = true), 72);
}

// Every way of walking passes over the same ones.
static void every_walk_passes_over_the_inactive(void** state) {
    fixture* f = *state;
    enum {
        ALL = 300
    };
    ilk_entity e[ALL];
    for (uint32_t i = 0; i < ALL; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, (float)(ALL - i), 0), ILK_WITH(Enemy));
        if (i % 3) assert_ok(ilk_remove(f->world, e[i], &Enemy_type));
        if (i % 5 == 0) assert_ok(ilk_deactivate(f->world, e[i]));
    }
    ilk_query* queries[] = {
        QUERY(f->world, .write = {&Position_type}),
        QUERY(f->world, .write = {&Position_type}, .maybe = {&Enemy_type}),
        QUERY(f->world, .write = {&Position_type}, .any = {&Enemy_type, &Position_type}),
        QUERY(f->world, .changed = {&Position_type}),
        QUERY(f->world, .any = {&Position_type}),
        QUERY(f->world, .where = "Position"),
        QUERY(f->world, .order_by = &Position_type, .compare = by_x),
        QUERY(f->world, .order_by_index = true),
        QUERY(f->world, .without = {&Frozen_type}),
    };
    for (uint32_t i = 0; i < COUNT_OF(queries); i++) {
        ilk_query* q = queries[i];
        uint32_t calls = 0;
        assert_int_equal(ilk_query_count(f->world, q), 240);
        assert_int_equal(ilk_query_collect(f->world, q, NULL, 0), 240);
        for (uint32_t k = 0; k < ALL; k++) {
            assert_int_equal(ilk_query_matches(f->world, q, e[k]), k % 5 != 0);
        }
        assert_ok(ilk_each(f->world, q, count_call, &calls));
        assert_int_equal(calls, 240);
        ilk_query_since(q, 0);
        assert_int_equal(rows_walked(f->world, q, ilk_next), 240);
        ilk_query_since(q, 0);
        assert_int_equal(rows_walked(f->world, q, ilk_next_rows), 240);
    }
    ilk_iter parts[3], it = ilk_query_iter(f->world, queries[0]);
    assert_ok(ilk_iter_split(&it, parts, 3));
    uint32_t rows = 0;
    for (uint32_t i = 0; i < 3; i++) {
        while (ilk_next(&parts[i])) rows += parts[i].count;
    }
    ilk_iter_end(&it);
    assert_int_equal(rows, 240);
}

// An order is made anew when somebody wakes.
static void an_order_knows_who_wakes(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    spawn_positions(f->world, e, 3);
    ilk_query* ordered = QUERY(f->world, .order_by = &Position_type, .compare = by_x);
    assert_ok(ilk_deactivate(f->world, e[0]));
    assert_entity(ilk_query_first(f->world, ordered), e[1]);
    assert_ok(ilk_activate(f->world, e[0]));
    assert_entity(ilk_query_first(f->world, ordered), e[0]);
}

// A loop looks again at what lies ahead.
static void who_falls_asleep_ahead_is_not_visited(void** state) {
    fixture* f = *state;
    ilk_entity e[200];
    spawn_positions(f->world, e, 200);
    for (uint32_t i = 1; i < 200; i += 2) assert_ok(ilk_deactivate(f->world, e[i]));
    ilk_query* moving = QUERY(f->world, .read = {&Position_type});
    ilk_iter it = ilk_query_iter(f->world, moving);
    assert_true(ilk_next(&it));
    assert_entity(it.entities[0], e[0]);
    for (uint32_t i = 0; i < 200; i++) {
        assert_ok(i % 2 ? ilk_activate(f->world, e[i]) : ilk_deactivate(f->world, e[i]));
    }
    uint32_t rows = 0;
    while (ilk_next_rows(&it)) rows += it.count;
    assert_int_equal(rows, 100);
}

static void what_changed_at_rest_is_seen_when_it_wakes(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Spring), ILK_WITH(Position));
    ilk_query* moved = QUERY(f->world, .changed = {&Position_type});
    ilk_query* sprung = QUERY(f->world, .changed = {&Spring_type});
    assert_int_equal(rows_walked(f->world, moved, ilk_next), 1);
    assert_int_equal(rows_walked(f->world, sprung, ilk_next), 1);
    assert_ok(ilk_deactivate(f->world, e));
    assert_ok(ilk_mark(f->world, e, &Position_type));
    assert_ok(ilk_mark(f->world, e, &Spring_type));
    assert_int_equal(ilk_query_count(f->world, moved), 0);
    assert_int_equal(rows_walked(f->world, sprung, ilk_next), 1);
    assert_ok(ilk_activate(f->world, e));
    assert_int_equal(rows_walked(f->world, moved, ilk_next), 1);
}

static void it_is_told_why_the_inactive_do_not_match(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Mesh));
    assert_ok(ilk_deactivate(f->world, e));
    assert_explained(f, QUERY(f->world, .read = {&Position_type}), e,
                     "does not match: it is inactive");
    assert_explained(f, QUERY(f->world, .read = {&Position_type, &Velocity_type}), e,
                     "does not match: it is inactive, Velocity is missing");
    assert_explained(f, QUERY(f->world, 0), e, "does not match: it is inactive");
    assert_explained(f, QUERY(f->world, .inactive = true), e, "matches");
    assert_explained(f, QUERY(f->world, .read = {&Mesh_type}, .without = {&Position_type}), e,
                     "matches");
    assert_explained(f, QUERY(f->world, .where = "Mesh, Position"), e,
                     "does not match: Position is inactive");
    assert_explained(f, QUERY(f->world, .read = {&Mesh_type}, .any = {&Position_type}), e,
                     "does not match: none of Position is there");
    assert_ok(ilk_destroy(f->world, e));
    assert_explained(f, QUERY(f->world, 0), e, "does not match: it is dying");
    char text[100];
    ilk_query_text(QUERY(f->world, .inactive = true), text, sizeof text);
    assert_string_equal(text, "every entity; inactive ones too");
}

static void note_rows(ilk_iter* it) {
    uint32_t* rows = it->user;
    while (ilk_next(it)) *rows += it->count;
}

// R001.33: both the usual system and the one that asks, alone and in pieces.
static void systems_pass_over_the_inactive_unless_they_ask(void** state) {
    fixture* f = *state;
    uint32_t rows[2] = {0, 0};
    ilk_entity e[1000];
    spawn_positions(f->world, e, 1000);
    for (uint32_t i = 0; i < 1000; i += 4) assert_ok(ilk_deactivate(f->world, e[i]));
    for (uint32_t i = 0; i < 2; i++) {
        ilk_system_desc desc = {.name = i ? "asks" : "usual",
                                .run = note_rows,
                                .user = &rows[i],
                                .is_parallel = true,
                                .piece_rows = 64,
                                .query = {.write = {&Position_type}, .inactive = i == 1}};
        assert_non_null(ilk_system_create(f->world, &desc));
    }
    assert_ok(ilk_update(f->world, 0.1));
    assert_int_equal(rows[0], 750);
    assert_int_equal(rows[1], 1000);
}

// A description that asks for nothing but the inactive is a query over all.
static void a_system_may_ask_for_all_there_are(void** state) {
    fixture* f = *state;
    uint32_t rows = 0;
    ilk_create(f->world);
    ilk_create_inactive(f->world);
    assert_non_null(ilk_system_create(f->world, &(ilk_system_desc){.name = "all",
                                                                   .run = note_rows,
                                                                   .user = &rows,
                                                                   .query = {.inactive = true}}));
    assert_ok(ilk_update(f->world, 0.1));
    assert_int_equal(rows, 2);
}

static void commands_activate_and_deactivate(void** state) {
    fixture* f = *state;
    ilk_entity a = ILK_SPAWN(f->world, ILK_WITH(Position)), dead = ilk_create(f->world);
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity made = ilk_cmd_create_inactive(cmd);
    assert_ok(ilk_cmd_add(cmd, made, ILK_VALUE(Position, 3, 4)));
    assert_ok(ilk_cmd_deactivate(cmd, a));
    assert_ok(ilk_cmd_deactivate(cmd, a));
    assert_ok(ilk_cmd_activate(cmd, dead));
    assert_false(ilk_alive(f->world, made));
    assert_true(ilk_active(f->world, a));
    assert_ok(ilk_destroy(f->world, dead));
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 3);
    assert_int_equal(applied.failed, 1);
    assert_int_equal(applied.skipped, 1);
    assert_told(f, ILK_EXISTS, "ilk_deactivate");
    assert_false(ilk_active(f->world, a));
    assert_false(ilk_active(f->world, made));
    assert_true(same_position(ILK_GET(f->world, made, Position), 3, 4));
    assert_ok(ilk_cmd_activate(cmd, a));
    assert_int_equal(ilk_cmd_apply(cmd).done, 1);
    assert_true(ilk_active(f->world, a));
    assert_int_equal(ilk_cmd_deactivate(NULL, a), ILK_INVALID);
    assert_int_equal(ilk_cmd_activate(NULL, a), ILK_INVALID);
    assert_true(ilk_is_null(ilk_cmd_create_inactive(NULL)));
}

// Values that outlive their entity

// R004.19: what does not outlive it is put away and comes back; a query on what does finds it until
// that is removed.
static void deactivating_keeps_what_outlives(void** state) {
    fixture* f = *state;
    ilk_query* fresh = QUERY(f->world, .with = {&Position_type}, .without = {&Mesh_type});
    ilk_query* both = QUERY(f->world, .with = {&Position_type, &Mesh_type});
    ilk_query* left = QUERY(f->world, .with = {&Mesh_type}, .without = {&Position_type});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 5, 6));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Mesh, 7)));
    assert_result_count(f->world, both, 1);
    assert_ok(ilk_deactivate(f->world, e));
    assert_result_count(f->world, both, 0);
    assert_result_count(f->world, left, 1);
    ilk_query* ordered = QUERY(f->world, .order_by = &Mesh_type, .compare = by_number,
                               .without = {&Position_type}, .maybe = {&Velocity_type});
    assert_result_count(f->world, ordered, 1);
    assert_ok(ilk_remove(f->world, e, &Mesh_type));
    assert_result_count(f->world, left, 0);
    assert_true(ilk_alive(f->world, e));
    assert_ok(ilk_activate(f->world, e));
    assert_result_count(f->world, fresh, 1);
    assert_true(same_position(ILK_GET(f->world, e, Position), 5, 6));
}

// An optional column of what is put away is not there.
static void an_optional_column_rests_too(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Mesh, (int32_t)i), ILK_VALUE(Position, 1, 1));
    }
    assert_ok(ilk_deactivate(f->world, e[1]));
    ilk_query* meshes = QUERY(f->world, .read = {&Mesh_type}, .maybe = {&Position_type});
    uint32_t rows = 0;
    for (ilk_iter it = ilk_query_iter(f->world, meshes); ilk_next(&it); rows += it.count) {
        for (uint32_t i = 0; i < it.count; i++) {
            bool is_awake = !ilk_same(it.entities[i], e[1]);
            assert_int_equal(ILK_MAYBE(&it, Position) != NULL, is_awake);
        }
    }
    assert_int_equal(rows, 4);
}

// C21, R004.20: the project's test on state components, with its three queries.
static void a_value_keeps_the_dying_entity_until_it_is_removed(void** state) {
    fixture* f = *state;
    ilk_query* added = QUERY(f->world, .with = {&Position_type}, .without = {&Mesh_type});
    ilk_query* active = QUERY(f->world, .with = {&Position_type, &Mesh_type});
    ilk_query* removed = QUERY(f->world, .read = {&Mesh_type}, .without = {&Position_type});
    ilk_query* all = QUERY(f->world, 0);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Owned));
    hooks_taken();
    assert_result_count(f->world, added, 1);
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Mesh, 9)));
    assert_result_count(f->world, active, 1);
    assert_ok(ilk_destroy(f->world, e));
    assert_hooks(0, 0, 1);
    assert_true(ilk_alive(f->world, e));
    assert_true(ilk_dying(f->world, e));
    assert_false(ilk_active(f->world, e));
    assert_false(ilk_has(f->world, e, &Position_type));
    assert_int_equal(ILK_GET(f->world, e, Mesh)->number, 9);
    assert_result_count(f->world, added, 0);
    assert_result_count(f->world, active, 0);
    assert_result_count(f->world, removed, 1);
    assert_result_count(f->world, all, 0);
    assert_result_count(f->world, QUERY(f->world, .with = {&ilk_dying_type}), 1);
    assert_result_count(f->world, QUERY(f->world, .inactive = true), 1);
    assert_quiet(f);
    for (ilk_iter it = ilk_query_iter(f->world, removed); ilk_next(&it);) {
        assert_ok(ilk_remove(f->world, it.entities[0], &Mesh_type));
    }
    assert_false(ilk_alive(f->world, e));
    assert_false(ilk_dying(f->world, e));
    assert_int_equal(ilk_stats(f->world).alive, 0);
    ilk_entity next = ilk_create(f->world);
    assert_entity(next, ((ilk_entity){e.index, e.generation + 1}));
}

static void the_dying_can_be_given_nothing(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Mesh, 1), ILK_WITH(Velocity));
    ilk_entity other = ILK_SPAWN(f->world, ILK_VALUE(Mesh, 1), ILK_WITH(Velocity));
    assert_ok(ilk_destroy(f->world, e));
    assert_ok(ilk_set(f->world, other, ILK_VALUE(Velocity, 2, 2)));
    assert_int_equal(ilk_add(f->world, e, ILK_VALUE(Velocity, 1, 1)), ILK_DEAD);
    assert_told(f, ILK_DEAD, "ilk_add");
    char text[100];
    snprintf(text, sizeof text, "ilk_add of Velocity: entity 0:1 is dying in world \"%s\"",
             ilk_world_name(f->world));
    said(f, text);
    assert_int_equal(ilk_set(f->world, e, ILK_VALUE(Position, 1, 1)), ILK_DEAD);
    assert_null(ilk_ensure(f->world, e, &Spring_type));
    assert_int_equal(ilk_error(f->world).result, ILK_DEAD);
    assert_int_equal(ilk_add_many(f->world, &e, 1, &Position_type, NULL), ILK_DEAD);
    assert_int_equal(ilk_destroy(f->world, e), ILK_DEAD);
    assert_int_equal(ilk_destroy_many(f->world, &e, 1), ILK_DEAD);
    assert_int_equal(ilk_deactivate(f->world, e), ILK_DEAD);
    assert_int_equal(ilk_activate(f->world, e), ILK_DEAD);
    assert_true(ilk_is_null(ilk_copy(f->world, e)));
    assert_int_equal(ilk_error(f->world).result, ILK_DEAD);
    assert_int_equal(ilk_add(f->world, e, ILK_WITH(Mesh)), ILK_EXISTS);
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Mesh, 2)));
    assert_int_equal(ILK_GET(f->world, e, Mesh)->number, 2);
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 2);
}

static void nobody_gives_or_takes_the_tag_of_the_dying(void** state) {
    fixture* f = *state;
    ilk_value tag = ILK_WITH(ilk_dying);
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Mesh)), dying = ILK_SPAWN(f->world, ILK_WITH(Mesh));
    assert_ok(ilk_destroy(f->world, dying));
    assert_int_equal(ilk_add(f->world, e, tag), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_add");
    assert_int_equal(ilk_set(f->world, e, tag), ILK_INVALID);
    assert_int_equal(ilk_add_many(f->world, &e, 1, &ilk_dying_type, NULL), ILK_INVALID);
    assert_true(ilk_is_null(ilk_spawn(f->world, &tag, 1)));
    assert_int_equal(ilk_error(f->world).result, ILK_INVALID);
    ilk_batch batch;
    assert_int_equal(ilk_spawn_many(f->world, &batch, 2, ILK_TYPES(&ilk_dying_type)), ILK_INVALID);
    assert_int_equal(ilk_remove(f->world, dying, &ilk_dying_type), ILK_INVALID);
    assert_int_equal(ilk_remove_many(f->world, &dying, 1, &ilk_dying_type), ILK_INVALID);
    assert_int_equal(ilk_disable(f->world, dying, &ilk_dying_type), ILK_INVALID);
    assert_true(ilk_dying(f->world, dying));
    assert_false(ilk_dying(f->world, e));
}

static void the_last_value_takes_the_dying_along(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Mesh), ILK_WITH(Spring), ILK_WITH(Position));
    }
    assert_ok(ilk_destroy_many(f->world, e, 4));
    assert_ok(ilk_remove(f->world, e[0], &Mesh_type));
    assert_true(ilk_dying(f->world, e[0]));
    assert_ok(ilk_remove(f->world, e[0], &Spring_type));
    assert_false(ilk_alive(f->world, e[0]));
    assert_ok(ilk_remove_all(f->world, e[1]));
    assert_false(ilk_alive(f->world, e[1]));
    assert_ok(ilk_remove_many(f->world, e + 2, 2, &Mesh_type));
    assert_ok(ilk_remove_many(f->world, e + 2, 2, &Spring_type));
    assert_int_equal(ilk_stats(f->world).alive, 0);
    ilk_entity living = ILK_SPAWN(f->world, ILK_WITH(Mesh));
    assert_ok(ilk_remove_all(f->world, living));
    assert_true(ilk_alive(f->world, living));
    assert_ok(ilk_destroy(f->world, living));
    assert_false(ilk_alive(f->world, living));
}

static void settling_and_clearing_go_on_with_the_dying(void** state) {
    fixture* f = *state;
    ilk_entity e[300];
    for (uint32_t i = 0; i < 300; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, (float)i, 0), ILK_VALUE(Velocity, 1, 1));
        assert_ok(ilk_add(f->world, e[i], ILK_VALUE(Mesh, (int32_t)i)));
        if (i % 2) assert_ok(ilk_destroy(f->world, e[i]));
    }
    assert_valid(f->world);
    settle_fully(f->world);
    assert_valid(f->world);
    for (uint32_t i = 0; i < 300; i++) {
        assert_int_equal(ilk_dying(f->world, e[i]), i % 2);
        assert_int_equal(ILK_GET(f->world, e[i], Mesh)->number, i);
        ilk_result result = ilk_set(f->world, e[i], ILK_VALUE(Velocity, 2, 2));
        assert_int_equal(result, i % 2 ? ILK_DEAD : ILK_OK);
    }
    for (uint32_t i = 1; i < 300; i += 4) assert_ok(ilk_remove(f->world, e[i], &Mesh_type));
    settle_fully(f->world);
    assert_valid(f->world);
    assert_int_equal(ilk_stats(f->world).alive, 225);
    ilk_clear(f->world);
    assert_int_equal(ilk_stats(f->world).alive, 0);
    for (uint32_t i = 0; i < 300; i++) assert_false(ilk_dying(f->world, e[i]));
}

// A guest that takes its natural form beside somebody who is dying.
static void what_expands_gives_the_dying_nothing(void** state) {
    typedef struct Parcel {
        uint32_t words[4];
    } Parcel;
    static ILK_COMPONENT(Parcel);
    enum {
        ALL = 3000
    };
    fixture* f = *state;
    static ilk_entity e[ALL];
    for (uint32_t i = 0; i < ALL; i++) e[i] = ILK_SPAWN(f->world, ILK_VALUE(Mesh, (int32_t)i));
    settle_fully(f->world);
    for (uint32_t i = 1; i < ALL; i++) assert_ok(ilk_add(f->world, e[i], ILK_VALUE(Parcel, {1})));
    uint32_t last = ALL - 1;
    assert_ok(ilk_remove(f->world, e[last], &Parcel_type));
    assert_ok(ilk_destroy(f->world, e[last]));
    ilk_settle(f->world, 1 << 20); // waits to see what lasts
    assert_valid(f->world);
    assert_ok(ilk_set(f->world, e[last - 1], ILK_VALUE(Parcel, {2})));
    assert_int_equal(ilk_add(f->world, e[last], ILK_VALUE(Parcel, {3})), ILK_DEAD);
}

static void commands_on_the_dying_are_skipped(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Mesh, 1), ILK_WITH(Position));
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    assert_ok(ilk_cmd_destroy(cmd, e));
    assert_ok(ilk_cmd_destroy(cmd, e));
    assert_ok(ilk_cmd_add(cmd, e, ILK_WITH(Position)));
    assert_ok(ilk_cmd_set(cmd, e, ILK_WITH(Owned)));
    assert_non_null(ilk_cmd_ensure(cmd, e, &Owned_type));
    assert_ok(ilk_cmd_deactivate(cmd, e));
    assert_ok(ilk_cmd_activate(cmd, e));
    assert_ok(ilk_cmd_set(cmd, e, ILK_VALUE(Mesh, 2)));
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 2);
    assert_int_equal(applied.skipped, 6);
    assert_int_equal(applied.failed, 0);
    assert_quiet(f);
    assert_int_equal(ILK_GET(f->world, e, Mesh)->number, 2);
    ilk_cmd_be_strict(cmd, true);
    assert_ok(ilk_cmd_destroy(cmd, e));
    assert_int_equal(ilk_cmd_apply(cmd).failed, 1);
    assert_told(f, ILK_DEAD, "ilk_cmd_apply");
    assert_ok(ilk_cmd_remove(cmd, e, &Mesh_type));
    assert_int_equal(ilk_cmd_apply(cmd).done, 1);
    assert_false(ilk_alive(f->world, e));
}

// What cannot be given is not given together with a creation.
static void a_creation_is_not_lost_with_what_cannot_be_given(void** state) {
    fixture* f = *state;
    ilk_entity dying = ILK_SPAWN(f->world, ILK_WITH(Mesh));
    assert_ok(ilk_destroy(f->world, dying));
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity e = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_add(cmd, e, ILK_WITH(ilk_dying)));
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 1);
    assert_int_equal(applied.failed, 1);
    assert_told(f, ILK_INVALID, "ilk_add");
    assert_true(ilk_active(f->world, e));
}

// A scene that ends takes the inactive along, and leaves the dying to those who keep them.
static void a_scene_takes_the_inactive_along(void** state) {
    fixture* f = *state;
    ilk_type* const owns[] = {&Enemy_type, &Mesh_type};
    for (uint32_t i = 0; i < 2; i++) {
        const char* name = i ? "second" : "first";
        assert_ok(ilk_scene_add(f->world, &(ilk_scene_desc){.name = name, .owns = owns[i]}));
        assert_ok(ilk_scene_push(f->world, name));
        ilk_entity asleep = ilk_spawn(f->world, &(ilk_value){owns[i], NULL}, 1);
        ilk_entity dying = ILK_SPAWN(f->world, ILK_WITH(Mesh));
        assert_ok(ilk_deactivate(f->world, asleep));
        assert_ok(ilk_destroy(f->world, dying));
        assert_ok(ilk_scene_pop(f->world));
        assert_false(ilk_active(f->world, asleep));
        assert_int_equal(ilk_dying(f->world, asleep), i == 1);
        assert_int_equal(ilk_alive(f->world, asleep), i == 1);
        assert_true(ilk_dying(f->world, dying));
        assert_quiet(f);
    }
}

// The memory for the tag of the dying is had when a value comes that outlives: at home, as a guest,
// and after settling has made a guest at home, or the other way round.
static void destroying_never_needs_memory(void** state) {
    fixture* f = *state;
    ilk_entity e[8], kept[4];
    spawn_positions(f->world, e, 8);
    for (uint32_t i = 0; i < 4; i++) kept[i] = ILK_SPAWN(f->world, ILK_VALUE(Mesh, (int32_t)i));
    assert_ok(ilk_add(f->world, e[7], ILK_WITH(Spring)));
    assert_ok(ilk_add(f->world, kept[3], ILK_WITH(Position)));
    for (uint32_t i = 0; i < 3; i++) {
        if (i == 2) settle_fully(f->world);
        f->memory.left = 0;
        uint64_t calls = f->memory.calls;
        assert_ok(ilk_destroy(f->world, e[i]));
        assert_ok(ilk_destroy(f->world, kept[i]));
        ilk_entity rest[2] = {e[7], kept[3]};
        if (i == 2) assert_ok(ilk_destroy_many(f->world, rest, 2));
        assert_true(ilk_dying(f->world, kept[i]));
#ifndef ILK_CHECKED
        assert_int_equal(f->memory.calls, calls);
#else
        (void)calls;
#endif
        f->memory.left = UINT64_MAX;
        assert_valid(f->world);
    }
    assert_true(ilk_dying(f->world, e[7]));
    assert_true(ilk_dying(f->world, kept[3]));
    f->memory.left = 0;
    assert_ok(ilk_remove(f->world, kept[0], &Mesh_type));
    assert_false(ilk_alive(f->world, kept[0]));
    f->memory.left = UINT64_MAX;
}

static const ilki_chunk* chunk_of_entity(fixture* f, ilk_entity e) {
    const ilki_storage* storage = &f->world->storage;
    return storage->chunks[ilki_chunk_of(ilki_record_of(&storage->view.index, e)->place)];
}

static bool is_quick_for(fixture* f, const ilki_chunk* chunk, ilk_type* type) {
    const ilki_directory* directory = ilki_directory_of(&f->world->storage.view, type);
    return !ilki_block_at(directory, chunk->number)->is_awkward;
}

// What shares a chunk with values that outlive is given quickly, unless somebody is dying there.
// (Nothing is in the checked build.)
static void only_the_dying_make_a_chunk_slow(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    for (uint32_t i = 0; i < 4; i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Mesh), ILK_WITH(Position));
    const ilki_chunk* chunk = chunk_of_entity(f, e[0]);
    bool is_quick = ilki_type_is_quick(&Position_type);
    assert_int_equal(is_quick_for(f, chunk, &Position_type), is_quick);
    assert_ok(ilk_destroy(f->world, e[1]));
    assert_false(is_quick_for(f, chunk, &Position_type));
    assert_ok(ilk_destroy(f->world, e[2]));
    assert_ok(ilk_remove(f->world, e[1], &Mesh_type));
    assert_false(is_quick_for(f, chunk, &Position_type));
    assert_ok(ilk_remove(f->world, e[2], &Mesh_type));
    assert_int_equal(is_quick_for(f, chunk, &Position_type), is_quick);
}

// Settling brings one that is dying to a chunk where nobody was.
static void a_chunk_learns_that_the_dying_came(void** state) {
    fixture* f = *state;
    ilk_entity e[20];
    for (uint32_t i = 0; i < 20; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Mesh), ILK_WITH(Position));
    }
    for (uint32_t i = 1; i < 20; i++) {
        if (i == 4 || i == 5) continue;
        assert_ok(ilk_destroy(f->world, e[i]));
        assert_ok(ilk_remove(f->world, e[i], &Mesh_type));
    }
    assert_ok(ilk_destroy(f->world, e[5]));
    const ilki_chunk* chunk = chunk_of_entity(f, e[0]);
    assert_ptr_not_equal(chunk_of_entity(f, e[5]), chunk);
    assert_false(chunk->has_dying);
    ilk_settle(f->world, 1 << 20); // waits to see what lasts
    assert_ptr_equal(chunk_of_entity(f, e[5]), chunk);
    assert_false(is_quick_for(f, chunk, &Position_type));
    assert_valid(f->world);
    assert_ok(ilk_set(f->world, e[0], ILK_VALUE(Position, 1, 2)));
    assert_int_equal(ilk_add(f->world, e[5], ILK_VALUE(Position, 3, 4)), ILK_DEAD);
}

// The block of the tag is there as long as a block of what outlives is, and no longer.
static void the_room_for_the_tag_comes_and_goes_with_what_outlives(void** state) {
    fixture* f = *state;
    ilk_entity e[8];
    spawn_positions(f->world, e, 8);
    assert_int_equal(ilk_stats(f->world).guests, 0);
    assert_ok(ilk_add(f->world, e[0], ILK_WITH(Mesh)));
    assert_int_equal(ilk_stats_of(f->world, &ilk_dying_type).guests, 1);
    assert_int_equal(ilk_stats(f->world).guests, 2);
    ilk_settle(f->world, 1 << 20); // waits to see what lasts
    assert_int_equal(ilk_stats_of(f->world, &ilk_dying_type).guests, 1);
    assert_ok(ilk_remove(f->world, e[0], &Mesh_type));
    settle_fully(f->world);
    assert_int_equal(ilk_stats(f->world).guests, 0);
    assert_false(chunk_of_entity(f, e[0])->keeps);
    assert_false(chunk_of_entity(f, e[0])->is_odd);
    assert_valid(f->world);
}

// Those who are dying had chunks of their own, in which others came to lodge. Once only those are
// left, the chunk is theirs, and there is still room for the tag.
static void a_chunk_that_the_dying_left_has_room_for_the_next(void** state) {
    fixture* f = *state;
    ilk_entity e[5];
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Mesh, (int32_t)i));
        assert_ok(ilk_destroy(f->world, e[i]));
    }
    settle_fully(f->world);
    ilk_trim(f->world);
    assert_ok(ilk_remove(f->world, e[3], &Mesh_type));
    e[4] = ILK_SPAWN(f->world, ILK_VALUE(Mesh, 4));
    const ilki_chunk* chunk = chunk_of_entity(f, e[4]);
    assert_ptr_equal(chunk, chunk_of_entity(f, e[0]));
    for (uint32_t i = 0; i < 3; i++) assert_ok(ilk_remove(f->world, e[i], &Mesh_type));
    settle_fully(f->world);
    assert_ptr_equal(chunk, chunk_of_entity(f, e[4]));
    assert_int_equal(chunk->ilk->type_count, 1);
    assert_int_equal(ilk_stats_of(f->world, &ilk_dying_type).guests, 1);
    assert_valid(f->world);
    f->memory.left = 0;
    assert_ok(ilk_destroy(f->world, e[4]));
    f->memory.left = UINT64_MAX;
    assert_true(ilk_dying(f->world, e[4]));
    assert_valid(f->world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_condition_may_name_a_tag_that_nobody_used),
        WORLD_TEST(a_world_knows_the_tags_once_they_are_used),
        WORLD_TEST(a_restricted_world_takes_the_tags),
        WORLD_TEST(the_names_of_the_tags_are_taken),
        WORLD_TEST(an_inactive_entity_is_in_no_query),
        WORLD_TEST(the_dead_are_neither_active_nor_to_be_activated),
        WORLD_TEST(the_tag_is_a_tag),
        WORLD_TEST(who_asks_sees_the_inactive),
        WORLD_TEST(every_walk_passes_over_the_inactive),
        WORLD_TEST(an_order_knows_who_wakes),
        WORLD_TEST(who_falls_asleep_ahead_is_not_visited),
        WORLD_TEST(what_changed_at_rest_is_seen_when_it_wakes),
        WORLD_TEST(it_is_told_why_the_inactive_do_not_match),
        WORLD_TEST(systems_pass_over_the_inactive_unless_they_ask),
        WORLD_TEST(a_system_may_ask_for_all_there_are),
        WORLD_TEST(commands_activate_and_deactivate),
        WORLD_TEST(deactivating_keeps_what_outlives),
        WORLD_TEST(an_optional_column_rests_too),
        WORLD_TEST(a_value_keeps_the_dying_entity_until_it_is_removed),
        WORLD_TEST(the_dying_can_be_given_nothing),
        WORLD_TEST(nobody_gives_or_takes_the_tag_of_the_dying),
        WORLD_TEST(the_last_value_takes_the_dying_along),
        WORLD_TEST(settling_and_clearing_go_on_with_the_dying),
        WORLD_TEST(what_expands_gives_the_dying_nothing),
        WORLD_TEST(commands_on_the_dying_are_skipped),
        WORLD_TEST(a_creation_is_not_lost_with_what_cannot_be_given),
        WORLD_TEST(a_scene_takes_the_inactive_along),
        WORLD_TEST(destroying_never_needs_memory),
        WORLD_TEST(only_the_dying_make_a_chunk_slow),
        WORLD_TEST(a_chunk_learns_that_the_dying_came),
        WORLD_TEST(the_room_for_the_tag_comes_and_goes_with_what_outlives),
        WORLD_TEST(a_chunk_that_the_dying_left_has_room_for_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
