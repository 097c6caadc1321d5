// Queries that look at relations: what is asked of targets and of those above, walks through the
// sources of a target, and order by depth.
#include "query_support.h"

#include "relation_support.h"

typedef struct Tracked {
    int32_t number;
} Tracked;
ILK_COMPONENT_WITH(Tracked, .track = true);

enum {
    MANY = 3000
};

static void assert_matches_at(ilk_world* world, ilk_query* query, const ilk_entity* wanted,
                              uint32_t count, const char* file, int line) {
    ilk_entity found[LISTED];
    assert_list_at(found, ilk_query_collect(world, query, found, LISTED), wanted, count, file,
                   line);
    assert_result_count_at(world, query, count, file, line);
    for (uint32_t i = 0; i < count; i++) {
        _assert_true(ilk_query_matches(world, query, wanted[i]), "it matches", file, line);
    }
}
#define assert_matches(world, query, ...)                                                          \
    do {                                                                                           \
        const ilk_entity those[] = {NOBODY, __VA_ARGS__};                                          \
        assert_matches_at((world), (query), those + 1, COUNT_OF(those) - 1, __FILE__, __LINE__);   \
    } while (0)

static void explains_at(fixture* f, ilk_query* query, ilk_entity e, const char* why,
                        const char* file, int line) {
    char text[300];
    ilk_query_explain(f->world, query, e, text, sizeof text);
    _assert_string_equal(strchr(text + 7, ' ') + 1, why, file, line);
}
#define explains(f, query, e, why) explains_at((f), (query), (e), (why), __FILE__, __LINE__)

static void sources_of_a_target_are_found(void** state) {
    fixture* f = *state;
    ilk_entity e[5];
    spawn_positions(f->world, e, 5);
    ilk_query* query = QUERY(f->world, .relates = {{&Likes_type, .target = e[4]}});
    assert_result_count(f->world, query, 0);
    assert_ok(ilk_relate(f->world, e[3], &Likes_type, e[4]));
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[1]));
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[4]));
    assert_ok(ilk_relate(f->world, e[1], &Likes_type, e[0]));
    assert_matches(f->world, query, e[0], e[3]);
    assert_string_equal(ilk_query_stats_of(query).rarest->name, "Likes");
    assert_ok(ilk_disable(f->world, e[0], &Likes_type));
    assert_matches(f->world, query, e[3]);
    explains(f, query, e[0], "does not match: Likes is switched off");
    explains(f, query, e[1], "does not match: it does not relate to 4:1 by Likes");
    explains(f, query, e[2],
             "does not match: Likes is missing, it does not relate to 4:1 by Likes");
    assert_ok(ilk_enable(f->world, e[0], &Likes_type));
    assert_ok(ilk_deactivate(f->world, e[4])); // a target may rest
    assert_matches(f->world, query, e[0], e[3]);
    assert_ok(ilk_deactivate(f->world, e[3])); // a source does not match then
    assert_matches(f->world, query, e[0]);
    assert_ok(ilk_activate(f->world, e[3]));
    assert_ok(ilk_unrelate(f->world, e[0], &Likes_type, e[4]));
    assert_matches(f->world, query, e[3]);
}

static void a_dead_target_is_nobodys(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    spawn_positions(f->world, e, 3);
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[2]));
    ilk_query* query = QUERY(f->world, .relates = {{&Likes_type, .target = e[2]}});
    assert_ok(ilk_destroy(f->world, e[2]));
    ilk_entity next = ilk_create(f->world);
    assert_int_equal(next.index, e[2].index);
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[1]));
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, next));
    assert_result_count(f->world, query, 0);
    explains(f, query, e[0], "does not match: it does not relate to 2:1 by Likes");
    assert_ok(ilk_relate(f->world, e[1], &Likes_type, next)); // its only one
    assert_false(ilk_query_matches(f->world, query, e[1]));
    assert_result_count(f->world, query, 0);
}

static void what_targets_have_decides(void** state) {
    fixture* f = *state;
    ilk_entity e[5];
    spawn_positions(f->world, e, 5);
    ilk_query* query = QUERY(f->world, .relates = {{&Likes_type, .having = &Frozen_type}});
    ilk_query* rested =
        QUERY(f->world, .relates = {{&Likes_type, .having = &Frozen_type}}, .inactive = true);
    ilk_query* both =
        QUERY(f->world, .relates = {{&Likes_type, .target = e[4], .having = &Frozen_type}});
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[3]));
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[4]));
    assert_ok(ilk_relate(f->world, e[1], &Likes_type, e[3]));
    assert_result_count(f->world, query, 0);
    explains(f, query, e[0], "does not match: it does not relate to one with Frozen by Likes");
    assert_ok(ilk_add(f->world, e[4], ILK_WITH(Frozen)));
    assert_matches(f->world, query, e[0]);
    assert_matches(f->world, both, e[0]);
    assert_ok(ilk_add(f->world, e[3], ILK_WITH(Frozen)));
    assert_matches(f->world, query, e[0], e[1]);
    assert_matches(f->world, both, e[0]);
    assert_ok(ilk_disable(f->world, e[4], &Frozen_type));
    assert_matches(f->world, query, e[0], e[1]);
    assert_result_count(f->world, both, 0);
    explains(f, both, e[0], "does not match: it does not relate to 4:1 with Frozen by Likes");
    assert_ok(ilk_deactivate(f->world, e[3]));
    assert_result_count(f->world, query, 0);
    assert_matches(f->world, rested, e[0], e[1]);
}

static void who_is_above_decides(void** state) {
    fixture* f = *state;
    ilk_entity e[6]; // each above the next; the last alone
    spawn_positions(f->world, e, 6);
    for (uint32_t i = 1; i < 5; i++) assert_ok(ilk_set_parent(f->world, e[i], e[i - 1]));
    ilk_type* child_of = &ilk_child_of_type;
    ilk_query* frozen =
        QUERY(f->world, .relates = {{child_of, .having = &Frozen_type, .up = true}});
    ilk_query* below = QUERY(f->world, .relates = {{child_of, .target = e[1], .up = true}});
    ilk_query* beside = QUERY(f->world, .relates = {{child_of, .having = &Frozen_type}});
    assert_ok(ilk_add(f->world, e[2], ILK_WITH(Frozen)));
    assert_matches(f->world, frozen, e[3], e[4]);
    assert_matches(f->world, below, e[2], e[3], e[4]);
    assert_matches(f->world, beside, e[3]);
    explains(f, frozen, e[2], "does not match: it is not below one with Frozen by ChildOf");
    assert_entity(ilk_up(f->world, e[4], child_of, &Frozen_type), e[2]);
    assert_entity(ilk_up(f->world, e[2], child_of, &Frozen_type), NOBODY);
    assert_ok(ilk_disable(f->world, e[2], &Frozen_type));
    assert_result_count(f->world, frozen, 0);
    assert_entity(ilk_up(f->world, e[4], child_of, &Frozen_type), e[2]);
    assert_ok(ilk_add(f->world, e[0], ILK_WITH(Frozen)));
    assert_matches(f->world, frozen, e[1], e[2], e[3], e[4]);
    assert_ok(ilk_disable(f->world, e[2], child_of)); // who is below goes on through it
    assert_matches(f->world, frozen, e[1], e[3], e[4]);
    assert_ok(ilk_set_parent(f->world, e[3], e[5]));
    assert_matches(f->world, frozen, e[1]);
    assert_result_count(f->world, below, 0);
    assert_ok(ilk_destroy(f->world, e[1]));
    assert_result_count(f->world, below, 0);
}

static void up_needs_a_tree_and_something_to_look_for(void** state) {
    fixture* f = *state;
    ilk_entity e[2];
    spawn_positions(f->world, e, 2);
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[1]));
    assert_entity(ilk_up(f->world, e[0], &Likes_type, &Position_type), NOBODY);
    assert_entity(ilk_up(f->world, e[0], &Under_type, &Position_type), NOBODY);
    assert_entity(ilk_up(f->world, e[0], &Position_type, &Position_type), NOBODY);
    assert_ok(ilk_relate(f->world, e[0], &Under_type, e[1]));
    assert_entity(ilk_up(f->world, e[0], &Under_type, &Position_type), e[1]);
    assert_entity(ilk_up(f->world, e[0], &Under_type, &Velocity_type), NOBODY);
    assert_entity(ilk_up(f->world, e[0], &Under_type, NULL), NOBODY);
    assert_entity(ilk_up(f->world, e[0], NULL, &Position_type), NOBODY);
    assert_entity(ilk_up(f->world, NOBODY, &Under_type, &Position_type), NOBODY);
    assert_entity(ilk_up(NULL, e[0], &Under_type, &Position_type), NOBODY);
    assert_int_equal(f->told.count, 0);
}

static void wrong_descriptions_are_refused(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    static ilk_type unsound = {.name = "", .size = 4};
    refused(f, ILK_INVALID, .relates = {{&Position_type, .target = e}});
    assert_non_null(strstr(f->told.text, "it is no relation"));
    refused(f, ILK_INVALID, .relates = {{&Likes_type, .target = e, .up = true}});
    assert_non_null(strstr(f->told.text, "it is no tree, in which something is above"));
    refused(f, ILK_INVALID, .relates = {{&Likes_type, .target = NOBODY}});
    assert_non_null(strstr(f->told.text, "names neither a target nor what a target has"));
    refused(f, ILK_INVALID, .relates = {{&Likes_type, .having = &unsound}});
    refused(f, ILK_INVALID, .relates = {{&unsound, .target = e}});
    refused(f, ILK_INVALID, .relates = {{&Likes_type, .target = e}}, .without = {&Likes_type});
    assert_non_null(strstr(f->told.text, "it is under .relates and under .without"));
    refused(f, ILK_INVALID, .order_by_depth = &Likes_type);
    assert_non_null(strstr(f->told.text, "it is no tree, in which there is a depth"));
    refused(f, ILK_INVALID, .order_by_depth = &Position_type);
    refused(f, ILK_INVALID, .order_by_depth = &unsound);
    refused(f, ILK_INVALID, .order_by_depth = &Under_type, .order_by_index = true);
    assert_non_null(strstr(f->told.text, "it is to be ordered in two ways"));
    refused(f, ILK_INVALID, .relates = {{NULL, .target = e}});
    assert_non_null(strstr(f->told.text, "names no relation"));
    refused(f, ILK_INVALID, .relates = {{&Likes_type, .target = e}, {.having = &Frozen_type}});
    refused(f, ILK_INVALID, .relates = {{.up = true}});
}

static void a_query_says_what_it_looks_at(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    char text[300];
    ilk_query* query =
        QUERY(f->world, .read = {&Position_type},
              .relates = {{&Likes_type, .target = e},
                          {&Faces_type, .having = &Enemy_type},
                          {&ilk_child_of_type, .having = &Frozen_type, .up = true},
                          {&Under_type, .target = e, .having = &Enemy_type, .up = true}},
              .order_by_depth = &ilk_child_of_type);
    ilk_query_text(query, text, sizeof text);
    assert_string_equal(text, "read Position; with Likes, Faces, ChildOf, Under; "
                              "related to 0:1 by Likes; related to one with Enemy by Faces; "
                              "below one with Frozen by ChildOf; below 0:1 with Enemy by Under; "
                              "in order of depth by ChildOf");
}

// Some of a crowd relate to somebody; they are visited in order of place, however many they are.
static void walks_through_sources_are_in_order(void** state) {
    fixture* f = *state;
    static ilk_entity e[MANY], found[MANY];
    spawn_positions(f->world, e, MANY);
    ilk_query* query =
        QUERY(f->world, .write = {&Position_type}, .relates = {{&Faces_type, .target = e[0]}});
    static const uint32_t steps[] = {1500, 297, 90, 31, 7, 2};
    for (uint32_t k = 0; k < COUNT_OF(steps); k++) {
        uint32_t count = 0, at = 0;
        for (uint32_t i = MANY - 1; i > 0; i--) { // backwards: it is not the order of relating
            ilk_relate(f->world, e[i], &Faces_type, i % steps[k] ? e[1] : e[0]);
            count += i % steps[k] == 0;
        }
        assert_result_count(f->world, query, count);
        assert_int_equal(ilk_query_collect(f->world, query, found, MANY), count);
        for (uint32_t i = steps[k]; i < MANY; i += steps[k], at++) assert_entity(found[at], e[i]);
        for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
            Position* p = ILK_WRITE(&it, Position);
            for (uint32_t i = 0; i < it.count; i++) {
                assert_ptr_equal(&p[i], ILK_GET(f->world, it.entities[i], Position));
            }
        }
    }
    f->told.count = 0;
}

// A few sources cost no look at anybody else.
static void walks_through_few_sources_look_at_few(void** state) {
    fixture* f = *state;
    static ilk_entity e[MANY];
    spawn_positions(f->world, e, MANY);
    for (uint32_t i = 1; i < MANY; i++) {
        assert_ok(ilk_relate(f->world, e[i], &Faces_type, i % 1000 ? e[1] : e[0]));
    }
    ilk_query* query = QUERY(f->world, .relates = {{&Faces_type, .target = e[0]}});
    assert_int_equal(rows_walked(f->world, query, ilk_next), 2);
    ilk_query_stats stats = ilk_query_stats_of(query);
    assert_true(stats.words <= 2 && stats.chunks <= 2);
    ilk_query* none = QUERY(f->world, .relates = {{&Faces_type, .target = e[7]}});
    assert_int_equal(rows_walked(f->world, none, ilk_next), 0);
    assert_int_equal(ilk_query_stats_of(none).chunks, 0);
}

// Inside of a walk through sources, who comes to relate and lies ahead is visited; who ceases to is
// not; nobody is twice.
static void sources_may_change_inside_a_loop(void** state) {
    fixture* f = *state;
    ilk_entity e[100], seen[100];
    uint32_t count = 0;
    spawn_positions(f->world, e, 100);
    for (uint32_t i = 10; i < 100; i += 20) {
        assert_ok(ilk_relate(f->world, e[i], &Faces_type, e[0]));
    }
    ilk_query* query = QUERY(f->world, .relates = {{&Faces_type, .target = e[0]}});
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) seen[count++] = it.entities[i];
        if (count != 2) continue; // 10 and 30
        assert_ok(ilk_relate(f->world, e[20], &Faces_type, e[0]));
        assert_ok(ilk_relate(f->world, e[40], &Faces_type, e[0]));
        assert_ok(ilk_relate(f->world, e[50], &Faces_type, e[1]));
        assert_ok(ilk_remove(f->world, e[10], &Faces_type));
        assert_ok(ilk_relate(f->world, e[10], &Faces_type, e[0]));
        assert_ok(ilk_destroy(f->world, e[70]));
        assert_false(ilk_is_null(ILK_SPAWN(f->world, ILK_TO(Faces, e[0]))));
    }
    const ilk_entity wanted[] = {e[10], e[30], e[40], e[90]};
    assert_list_at(seen, count, wanted, 4, __FILE__, __LINE__);
}

static void a_loop_ends_the_relations_it_goes_through(void** state) {
    fixture* f = *state;
    ilk_entity e[80];
    spawn_positions(f->world, e, 80);
    for (uint32_t i = 1; i < 80; i++) assert_ok(ilk_set_parent(f->world, e[i], e[0]));
    ilk_query* query = QUERY(f->world, .relates = {{&ilk_child_of_type, .target = e[0]}});
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            ilk_entity child = it.entities[i];
            if (child.index % 3) assert_ok(ilk_set_parent(f->world, child, NOBODY));
            if (child.index % 3 == 0) assert_ok(ilk_destroy(f->world, child));
        }
    }
    assert_int_equal(ilk_child_count(f->world, e[0]), 0);
    assert_int_equal(ilk_query_stats_of(query).rows, 79);
}

typedef struct company {
    ilk_world* world;
    ilk_entity e[20];
} company;

static void end_next(void* user, ilk_entity e, void* const* values) {
    const company* c = user;
    (void)values;
    if (e.index == 5) assert_ok(ilk_unrelate(c->world, c->e[6], &Likes_type, c->e[0]));
    assert_true(e.index != 6);
}

// The component stays, but the relation is not there any more.
static void one_relation_of_several_ends_inside_a_loop(void** state) {
    fixture* f = *state;
    company c = {.world = f->world};
    spawn_positions(f->world, c.e, 20);
    for (uint32_t by_index = 0; by_index < 2; by_index++) {
        for (uint32_t i = 2; i < 20; i++) {
            ilk_relate(f->world, c.e[i], &Likes_type, c.e[1]);
            ilk_relate(f->world, c.e[i], &Likes_type, c.e[0]);
        }
        f->told.count = 0;
        ilk_query* query = QUERY(f->world, .relates = {{&Likes_type, .target = c.e[0]}},
                                 .order_by_index = by_index);
        assert_ok(ilk_each(f->world, query, end_next, &c));
        assert_int_equal(ilk_query_count(f->world, query), 17);
    }
}

static void walks_through_sources_are_split(void** state) {
    fixture* f = *state;
    static ilk_entity e[MANY];
    spawn_positions(f->world, e, MANY);
    for (uint32_t i = 100; i < MANY; i += 100) {
        assert_ok(ilk_relate(f->world, e[i], &Faces_type, e[0]));
    }
    ilk_query* query = QUERY(f->world, .relates = {{&Faces_type, .target = e[0]}});
    ilk_iter parts[4], it = ilk_query_iter(f->world, query);
    assert_ok(ilk_iter_split(&it, parts, 4));
    uint32_t next = 100;
    for (uint32_t i = 0; i < 4; i++) {
        while (ilk_next(&parts[i])) {
            for (uint32_t k = 0; k < parts[i].count; k++, next += 100) {
                assert_entity(parts[i].entities[k], e[next]);
            }
        }
    }
    assert_int_equal(next, MANY);
    ilk_iter_end(&it);
}

static void what_changed_is_seen_among_sources(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    for (int i = 0; i < 4; i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Tracked));
    assert_ok(ilk_relate(f->world, e[1], &Likes_type, e[0]));
    assert_ok(ilk_relate(f->world, e[2], &Likes_type, e[0]));
    ilk_query* query =
        QUERY(f->world, .changed = {&Tracked_type}, .relates = {{&Likes_type, .target = e[0]}});
    assert_int_equal(rows_walked(f->world, query, ilk_next), 2);
    assert_int_equal(rows_walked(f->world, query, ilk_next), 0);
    assert_ok(ilk_mark(f->world, e[2], &Tracked_type));
    assert_ok(ilk_mark(f->world, e[3], &Tracked_type));
    assert_int_equal(ilk_query_count(f->world, query), 1);
    assert_entity(ilk_query_first(f->world, query), e[2]);
    assert_false(ilk_query_matches(f->world, query, e[1]));
}

// Order by depth

static void parents_come_before_their_children(void** state) {
    fixture* f = *state;
    ilk_entity e[8];
    spawn_positions(f->world, e, 8);
    assert_ok(ilk_set_parent(f->world, e[0], e[7]));
    assert_ok(ilk_set_parent(f->world, e[1], e[0]));
    assert_ok(ilk_set_parent(f->world, e[2], e[7]));
    assert_ok(ilk_set_parent(f->world, e[5], e[1]));
    ilk_entity bare = ilk_create(f->world);
    ilk_query* query = QUERY(f->world, .order_by_depth = &ilk_child_of_type);
    ilk_query* placed =
        QUERY(f->world, .with = {&Position_type}, .order_by_depth = &ilk_child_of_type);
    assert_matches(f->world, query, e[3], e[4], e[6], e[7], bare, e[0], e[2], e[1], e[5]);
    assert_matches(f->world, placed, e[3], e[4], e[6], e[7], e[0], e[2], e[1], e[5]);
    assert_ok(ilk_set_parent(f->world, e[7], e[3]));
    assert_matches(f->world, placed, e[3], e[4], e[6], e[7], e[0], e[2], e[1], e[5]);
    assert_ok(ilk_set_parent(f->world, e[4], e[5]));
    assert_matches(f->world, placed, e[3], e[6], e[7], e[0], e[2], e[1], e[5], e[4]);
    assert_ok(ilk_destroy(f->world, e[0]));
    assert_matches(f->world, query, e[3], e[6], bare, e[7], e[2]);
}

// What a pass writes is no reason to sort again; nor is what happens to others.
static void a_tree_is_sorted_when_it_changes(void** state) {
    fixture* f = *state;
    ilk_entity e[10];
    spawn_positions(f->world, e, 10);
    for (uint32_t i = 1; i < 10; i++) assert_ok(ilk_set_parent(f->world, e[i], e[(i - 1) / 2]));
    ilk_entity other = ILK_SPAWN(f->world, ILK_WITH(Velocity));
    ilk_query* query =
        QUERY(f->world, .write = {&Position_type}, .order_by_depth = &ilk_child_of_type);
    for (int i = 0; i < 5; i++) {
        ilk_tick(f->world);
        for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
            assert_non_null(ILK_WRITE(&it, Position));
        }
    }
    assert_int_equal(ilk_query_stats_of(query).sorts, 1);
    ilk_tick(f->world);
    assert_ok(ilk_add(f->world, other, ILK_WITH(Enemy)));
    ilk_query* reading =
        QUERY(f->world, .read = {&Position_type}, .order_by_depth = &ilk_child_of_type);
    rows_walked(f->world, reading, ilk_next);
    assert_ok(ilk_add(f->world, other, ILK_WITH(Frozen)));
    assert_int_equal(rows_walked(f->world, reading, ilk_next), 10);
    assert_int_equal(ilk_query_stats_of(reading).sorts, 1);
    assert_ok(ilk_set_parent(f->world, e[9], e[0]));
    assert_int_equal(rows_walked(f->world, reading, ilk_next), 10);
    assert_int_equal(ilk_query_stats_of(reading).sorts, 2);
}

// What lies side by side in the order is one run; what lies in one chunk, one list.
static void levels_are_handed_out_in_runs(void** state) {
    fixture* f = *state;
    enum {
        WIDE = 40,
        DEEP = 5
    };
    ilk_entity e[DEEP][WIDE], root = ilk_create(f->world);
    for (uint32_t level = 0; level < DEEP; level++) {
        for (uint32_t i = 0; i < WIDE; i++) {
            e[level][i] =
                ILK_SPAWN(f->world, ILK_WITH(Position), PARENT(level ? e[level - 1][i] : root));
        }
    }
    ilk_query* query =
        QUERY(f->world, .write = {&Position_type}, .order_by_depth = &ilk_child_of_type);
    uint32_t runs = 0, at = 0;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it); runs++) {
        Position* p = ILK_WRITE(&it, Position);
        for (uint32_t i = 0; i < it.count; i++, at++) {
            assert_entity(it.entities[i], e[at / WIDE][at % WIDE]);
            assert_ptr_equal(&p[i], ILK_GET(f->world, it.entities[i], Position));
        }
    }
    assert_true(runs <= DEEP && at == WIDE * DEEP);
    ilk_entity branch = root;
    for (uint32_t i = 0; i < DEEP; i++) { // a chain through rows far apart
        if (i) assert_ok(ilk_set_parent(f->world, e[0][i * 7], branch));
        branch = e[0][i * 7];
    }
    at = 0;
    runs = 0;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) runs++;
    uint32_t depth = 0, lists = 0;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next_rows(&it); lists++) {
        Position* p = ILK_WRITE(&it, Position);
        for (uint32_t i = 0; i < it.count; i++, at++) {
            ilk_entity one = it.entities[it.rows[i]];
            assert_true(ilk_depth(f->world, one) >= depth);
            depth = ilk_depth(f->world, one);
            assert_ptr_equal(&p[it.rows[i]], ILK_GET(f->world, one, Position));
        }
    }
    assert_true(lists < runs && at == WIDE * DEEP);
}

// Optional columns end a run only where somebody has them and somebody has not.
static void optional_columns_leave_runs_whole(void** state) {
    fixture* f = *state;
    enum {
        ALL_OF_THEM = 300,
        FAST = 130
    };
    ilk_entity e[ALL_OF_THEM], root = ILK_SPAWN(f->world, ILK_WITH(Health));
    for (uint32_t i = 0; i < ALL_OF_THEM; i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Position), PARENT(root));
    }
    for (uint32_t i = 100; i < 100 + FAST; i++) {
        assert_ok(ilk_add(f->world, e[i], ILK_VALUE(Velocity, .x = (float)i)));
    }
    ilk_query* queries[] = {
        QUERY(f->world, .read = {&Position_type}, .maybe = {&Velocity_type}),
        QUERY(f->world, .read = {&Position_type}, .maybe = {&Velocity_type},
              .order_by_depth = &ilk_child_of_type),
    };
    for (uint32_t k = 0; k < COUNT_OF(queries); k++) {
        uint32_t at = 0, longest = 0;
        for (ilk_iter it = ilk_query_iter(f->world, queries[k]); ilk_next(&it); at += it.count) {
            const Velocity* v = ILK_MAYBE(&it, Velocity);
            if (it.count > longest) longest = it.count;
            for (uint32_t i = 0; i < it.count; i++) {
                assert_entity(it.entities[i], e[at + i]);
                assert_int_equal(v != NULL, at + i >= 100 && at + i < 100 + FAST);
                if (v) assert_true(v[i].x == (float)(at + i));
            }
        }
        assert_int_equal(at, ALL_OF_THEM);
        assert_true(longest > 64);
    }
}

static void the_tree_may_change_inside_a_pass_by_depth(void** state) {
    fixture* f = *state;
    ilk_entity e[60];
    uint32_t visits[64] = {0};
    spawn_positions(f->world, e, 60);
    for (uint32_t i = 1; i < 60; i++) assert_ok(ilk_set_parent(f->world, e[i], e[(i - 1) / 3]));
    ilk_query* query =
        QUERY(f->world, .with = {&Position_type}, .order_by_depth = &ilk_child_of_type);
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) visits[it.entities[i].index]++;
        ilk_entity last = it.entities[it.count - 1];
        if (last.index == 0) assert_ok(ilk_destroy(f->world, e[2]));
        if (last.index == 0) assert_ok(ilk_set_parent(f->world, e[59], e[0]));
    }
    for (uint32_t i = 0; i < 60; i++) assert_int_equal(visits[i], ilk_alive(f->world, e[i]));
}

typedef struct transforms {
    ilk_world* world;
    uint32_t count;
} transforms;

static void add_parents(void* user, ilk_entity e, void* const* values) {
    transforms* t = user;
    Position* p = values[0];
    const Position* above = ILK_GET(t->world, ilk_parent(t->world, e), Position);
    p->x = (above ? above->x : 0) + 1;
    t->count++;
    if (t->count % 10 == 0) ILK_SPAWN(t->world, ILK_WITH(Position)); // the world changes meanwhile
}

static void each_goes_by_depth_too(void** state) {
    fixture* f = *state;
    ilk_entity e[200];
    spawn_positions(f->world, e, 200);
    for (uint32_t i = 0; i + 1 < 200; i++) {
        assert_ok(ilk_set_parent(f->world, e[i], e[199 - (199 - i) / 2]));
    }
    ilk_query* query =
        QUERY(f->world, .write = {&Position_type}, .order_by_depth = &ilk_child_of_type);
    transforms t = {f->world, 0};
    assert_ok(ilk_each(f->world, query, add_parents, &t));
    assert_int_equal(t.count, 200);
    for (uint32_t i = 0; i < 200; i++) {
        assert_int_equal((int)ILK_GET(f->world, e[i], Position)->x,
                         (int)ilk_depth(f->world, e[i]) + 1);
    }
}

static void an_order_by_depth_needs_memory(void** state) {
    fixture* f = *state;
    ilk_entity e[20];
    spawn_positions(f->world, e, 20);
    for (uint32_t i = 1; i < 20; i++) assert_ok(ilk_set_parent(f->world, e[i], e[i - 1]));
    ilk_query* query = QUERY(f->world, .order_by_depth = &ilk_child_of_type);
    size_t bytes = f->memory.bytes;
    for (uint64_t left = 0; left < 3; left++) {
        f->memory.left = left;
        assert_true(ilk_is_null(ilk_query_first(f->world, query)));
        assert_told(f, ILK_NO_MEMORY, "ilk_query_first");
        assert_int_equal(f->memory.bytes, bytes);
    }
    f->memory.left = UINT64_MAX;
    assert_entity(ilk_query_first(f->world, query), e[0]);
}

// Systems and observers

static void walk_related(ilk_iter* it) {
    while (ilk_next(it)) {
        const Faces* link = ILK_READ(it, Faces);
        for (uint32_t i = 0; i < it->count; i++) {
            const Health* h = ILK_GET(it->world, link[i].target, Health);
            assert_int_equal(h->points, 3);
            ++*(uint32_t*)it->user;
        }
    }
}

static void count_above(ilk_iter* it) {
    while (ilk_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            ilk_entity up = ilk_up(it->world, it->entities[i], &ilk_child_of_type, &Health_type);
            *(uint32_t*)it->user += !ilk_is_null(up);
        }
    }
}

static void systems_walk_what_relates(void** state) {
    fixture* f = *state;
    static ilk_entity e[MANY];
    uint32_t faced = 0, above = 0;
    spawn_positions(f->world, e, MANY);
    assert_ok(ilk_add(f->world, e[0], ILK_VALUE(Health, 3)));
    for (uint32_t i = 1; i < MANY; i++) {
        assert_ok(ilk_relate(f->world, e[i], &Faces_type, e[i % 3 ? 1 : 0]));
        assert_ok(ilk_set_parent(f->world, e[i], e[i / 2]));
    }
    ilk_system* one = ilk_system_create(
        f->world, &(ilk_system_desc){.name = "faces",
                                     .query = {.read = {&Faces_type},
                                               .relates = {{&Faces_type, .having = &Health_type}}},
                                     .run = walk_related,
                                     .user = &faced});
    assert_non_null(one);
    ilk_system* two = ilk_system_create(
        f->world, &(ilk_system_desc){.name = "above",
                                     .query = {.relates = {{&ilk_child_of_type,
                                                            .having = &Health_type, .up = true}}},
                                     .run = count_above,
                                     .user = &above});
    assert_non_null(two);
    char plan[2000];
    ilk_schedule_text(f->world, plan, sizeof plan);
    assert_non_null(strstr(plan, "reads Faces, Health"));
    assert_non_null(strstr(plan, "reads ChildOf, Health"));
    assert_ok(ilk_update(f->world, 0.1));
    assert_int_equal(faced, (MANY - 1) / 3);
    assert_int_equal(above, MANY - 1);
    assert_int_equal(f->told.count, 0);
}

// Who relates to whom is asked when somebody is told; but nobody is told because of others.
static void observers_ask_who_relates(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    spawn_positions(f->world, e, 4);
    assert_ok(ilk_relate(f->world, e[1], &Likes_type, e[0]));
    ilk_query_desc liking = {.relates = {{&Likes_type, .target = e[0]}}};
    assert_non_null(ilk_observer_create(f->world, &(ilk_observer_desc){.name = "frozen",
                                                                       .on = ILK_ON_ADD,
                                                                       .type = &Frozen_type,
                                                                       .query = liking,
                                                                       .run = note}));
    assert_ok(ilk_add(f->world, e[1], ILK_WITH(Frozen)));
    assert_ok(ilk_add(f->world, e[2], ILK_WITH(Frozen)));
    assert_notices("frozen added 1 Frozen change; ");
    assert_null(ilk_observer_create(
        f->world,
        &(ilk_observer_desc){.name = "liking", .on = ILK_ON_MATCH, .query = liking, .run = note}));
    assert_told(f, ILK_INVALID, "ilk_observer_create");
    assert_non_null(strstr(f->told.text, "because of others is not observed"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(sources_of_a_target_are_found),
        WORLD_TEST(a_dead_target_is_nobodys),
        WORLD_TEST(what_targets_have_decides),
        WORLD_TEST(who_is_above_decides),
        WORLD_TEST(up_needs_a_tree_and_something_to_look_for),
        WORLD_TEST(wrong_descriptions_are_refused),
        WORLD_TEST(a_query_says_what_it_looks_at),
        WORLD_TEST(walks_through_sources_are_in_order),
        WORLD_TEST(walks_through_few_sources_look_at_few),
        WORLD_TEST(sources_may_change_inside_a_loop),
        WORLD_TEST(a_loop_ends_the_relations_it_goes_through),
        WORLD_TEST(one_relation_of_several_ends_inside_a_loop),
        WORLD_TEST(walks_through_sources_are_split),
        WORLD_TEST(what_changed_is_seen_among_sources),
        WORLD_TEST(parents_come_before_their_children),
        WORLD_TEST(a_tree_is_sorted_when_it_changes),
        WORLD_TEST(levels_are_handed_out_in_runs),
        WORLD_TEST(optional_columns_leave_runs_whole),
        WORLD_TEST(the_tree_may_change_inside_a_pass_by_depth),
        WORLD_TEST(each_goes_by_depth_too),
        WORLD_TEST(an_order_by_depth_needs_memory),
        WORLD_TEST(systems_walk_what_relates),
        NOTED_TEST(observers_ask_who_relates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
