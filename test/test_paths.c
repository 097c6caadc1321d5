// Finding entities by name and by path, below parents and among those without one.
#include "observer_support.h"

static const ilk_entity nobody = {0, 0};

typedef struct Lease {
    uint32_t until;
} Lease;
ILK_COMPONENT_WITH(Lease, .outlives = true);

// Two relations that end with their sources, so that parents may go before their children.
ILK_RELATION_WITH(Owns, .at_end = ILK_END_SOURCE);

static ilk_world* world_with(fixture* f, ilk_names names) {
    ilk_world_desc desc = fixture_desc(f);
    desc.names = names;
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    return world;
}

static void close_one(ilk_world* world) {
    assert_valid(world);
    ilk_world_destroy(world);
}

static ilk_entity child(ilk_world* world, ilk_entity parent, const char* name) {
    ilk_entity e = ilk_create(world);
    if (!ilk_is_null(parent)) assert_ok(ilk_set_parent(world, e, parent));
    if (name) assert_ok(ilk_set_name(world, e, name));
    return e;
}

// castle/hall/door, castle/tower/door, and a door by itself
typedef struct site {
    ilk_world* world;
    ilk_entity castle, hall, tower, inner, upper, door;
} site;

static site build(fixture* f, ilk_names names) {
    ilk_world* world = world_with(f, names);
    site s = {.world = world, .castle = child(world, nobody, "castle")};
    s.hall = child(world, s.castle, "hall");
    s.tower = child(world, s.castle, "tower");
    bool is_unique = names == ILK_NAMES_UNIQUE;
    s.inner = child(world, s.hall, is_unique ? "inner" : "door");
    s.upper = child(world, s.tower, is_unique ? "upper" : "door");
    s.door = child(world, nobody, "door");
    return s;
}

static void a_name_is_looked_for_below_its_parent(void** state) {
    fixture* f = *state;
    for (int rule = ILK_NAMES_FREE; rule <= ILK_NAMES_UNIQUE_AMONG_SIBLINGS; rule++) {
        site s = build(f, (ilk_names)rule);
        assert_entity(ilk_named(s.world, "door"), s.door);
        assert_entity(ilk_named(s.world, "hall"), nobody);
        assert_entity(ilk_child_named(s.world, nobody, "door"), s.door);
        assert_entity(ilk_child_named(s.world, s.hall, "door"), s.inner);
        assert_entity(ilk_child_named(s.world, s.tower, "door"), s.upper);
        assert_entity(ilk_child_named(s.world, s.castle, "door"), nobody);
        assert_entity(ilk_child_named(s.world, s.hall, "gate"), nobody);
        assert_entity(ilk_child_named(s.world, s.hall, NULL), nobody);
        close_one(s.world);
    }
}

static void where_names_are_unique_anyone_is_found(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_UNIQUE);
    assert_entity(ilk_named(s.world, "inner"), s.inner);
    assert_entity(ilk_child_named(s.world, s.hall, "inner"), s.inner);
    assert_entity(ilk_child_named(s.world, s.tower, "inner"), nobody);
    assert_entity(ilk_child_named(s.world, nobody, "inner"), nobody);
    assert_int_equal(ilk_all_named(s.world, s.hall, "inner", NULL, 0), 1);
    assert_int_equal(ilk_all_named(s.world, nobody, "inner", NULL, 0), 0);
    assert_entity(ilk_by_path(s.world, nobody, "hall/inner", NULL), s.inner);
    assert_entity(ilk_by_path(s.world, nobody, "/hall/inner", NULL), nobody);
    assert_entity(ilk_by_path(s.world, nobody, "/castle/hall/inner", NULL), s.inner);
    assert_entity(ilk_by_path(s.world, s.tower, "inner", NULL), nobody);
    assert_ok(ilk_set_parent(s.world, s.inner, s.tower));
    assert_entity(ilk_child_named(s.world, s.tower, "inner"), s.inner);
    close_one(s.world);
}

static void a_parent_that_is_not_there_has_no_children(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_FREE);
    ilk_entity dead = ilk_create(s.world);
    assert_ok(ilk_destroy(s.world, dead));
    assert_entity(ilk_child_named(s.world, dead, "door"), nobody);
    assert_int_equal(ilk_all_named(s.world, dead, "door", NULL, 0), 0);
    assert_entity(ilk_named(NULL, "door"), nobody);
    assert_entity(ilk_child_named(NULL, nobody, "door"), nobody);
    assert_int_equal(ilk_all_named(NULL, nobody, "door", NULL, 0), 0);
    close_one(s.world);
}

static void assert_path_at(const site* s, ilk_entity from, const char* path, ilk_entity wanted,
                           ilk_result wanted_result, int line) {
    ilk_result result = ILK_BROKEN;
    ilk_entity found = ilk_by_path(s->world, from, path, &result);
    _assert_int_equal((LargestIntegralType)result, (LargestIntegralType)wanted_result, __FILE__,
                      line);
    _assert_true(ilk_same(found, wanted), path ? path : "NULL", __FILE__, line);
}
#define assert_path(s, from, path, wanted)                                                         \
    assert_path_at((s), (from), (path), (wanted), ILK_OK, __LINE__)
#define assert_no_path(s, from, path, result)                                                      \
    assert_path_at((s), (from), (path), nobody, (result), __LINE__)

static void paths_go_down_and_up(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_UNIQUE_AMONG_SIBLINGS);
    assert_path(&s, nobody, "castle", s.castle);
    assert_path(&s, nobody, "castle/hall/door", s.inner);
    assert_path(&s, s.castle, "hall/door", s.inner);
    assert_path(&s, s.hall, "/castle/tower", s.tower);
    assert_path(&s, s.inner, "../../tower/door", s.upper);
    assert_path(&s, s.inner, ".", s.inner);
    assert_path(&s, s.inner, "./.././door/.", s.inner);
    assert_path(&s, nobody, "./castle/./hall", s.hall);
    assert_path(&s, s.castle, "../door", s.door);
    assert_path(&s, nobody, "castle/../door", s.door);
    close_one(s.world);
}

static void paths_may_lead_nowhere(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_FREE);
    assert_no_path(&s, nobody, "castle/moat/door", ILK_MISSING);
    assert_no_path(&s, nobody, "hall", ILK_MISSING);
    assert_no_path(&s, nobody, "..", ILK_MISSING);
    assert_no_path(&s, nobody, ".", ILK_MISSING);
    assert_no_path(&s, s.castle, "..", ILK_MISSING);
    assert_no_path(&s, s.castle, "../../castle", ILK_MISSING);
    assert_no_path(&s, s.inner, "\\..", ILK_MISSING);
    char text[300];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    assert_no_path(&s, nobody, text, ILK_MISSING);
    close_one(s.world);
}

static void paths_may_be_unsound(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_FREE);
    const char* const wrong[] = {NULL,       "",         "/",     "castle/",     "castle//hall",
                                 "//castle", "castle\\", "moat/", "moat//x\\\\", "moat/\\"};
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_no_path(&s, nobody, wrong[i], ILK_INVALID);
    }
    ilk_entity dead = ilk_create(s.world);
    assert_ok(ilk_destroy(s.world, dead));
    assert_no_path(&s, dead, "castle", ILK_DEAD);
    assert_no_path(&s, dead, "/castle", ILK_DEAD);
    ilk_result result;
    assert_entity(ilk_by_path(NULL, nobody, "castle", &result), nobody);
    assert_int_equal(result, ILK_INVALID);
    assert_entity(ilk_by_path(NULL, nobody, NULL, NULL), nobody);
    assert_quiet(f);
    close_one(s.world);
}

static void assert_round_trip_at(ilk_world* world, ilk_entity e, const char* path, int line) {
    char text[200];
    size_t length = ilk_path_of(world, e, text, sizeof text);
    _assert_string_equal(text, path, __FILE__, line);
    _assert_int_equal(length, strlen(path), __FILE__, line);
    _assert_true(ilk_same(ilk_by_path(world, nobody, text, NULL), e), text, __FILE__, line);
}
#define assert_round_trip(world, e, path) assert_round_trip_at((world), (e), (path), __LINE__)

static void a_path_is_written_as_it_is_read(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_UNIQUE_AMONG_SIBLINGS);
    assert_round_trip(s.world, s.castle, "castle");
    assert_round_trip(s.world, s.inner, "castle/hall/door");
    assert_round_trip(s.world, child(s.world, s.hall, "a/b"), "castle/hall/a\\/b");
    assert_round_trip(s.world, child(s.world, s.hall, "\\"), "castle/hall/\\\\");
    ilk_entity dots = child(s.world, s.hall, "..");
    assert_round_trip(s.world, dots, "castle/hall/\\..");
    assert_round_trip(s.world, child(s.world, dots, "."), "castle/hall/\\../\\.");
    assert_round_trip(s.world, child(s.world, dots, "..."), "castle/hall/\\../...");
    assert_round_trip(s.world, child(s.world, dots, " /"), "castle/hall/\\../ \\/");
    close_one(s.world);
}

static void a_path_is_written_as_far_as_it_fits(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_FREE);
    const char* whole = "castle/hall/door";
    char text[32];
    for (size_t size = 0; size < sizeof text; size++) {
        memset(text, '?', sizeof text);
        assert_int_equal(ilk_path_of(s.world, s.inner, size ? text : NULL, size), strlen(whole));
        size_t kept = size == 0 ? 0 : size <= strlen(whole) ? size - 1 : strlen(whole);
        assert_memory_equal(text, whole, kept);
        assert_int_equal(text[kept], size ? 0 : '?');
        if (size) assert_int_equal(text[size], '?');
    }
    close_one(s.world);
}

static void without_a_name_there_is_no_path(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_FREE);
    char text[8] = "?";
    assert_int_equal(ilk_path_of(s.world, child(s.world, s.hall, NULL), text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_ok(ilk_set_name(s.world, s.castle, NULL));
    assert_int_equal(ilk_path_of(s.world, s.inner, text, sizeof text), 0);
    assert_int_equal(ilk_path_of(s.world, nobody, text, sizeof text), 0);
    assert_int_equal(ilk_path_of(NULL, s.inner, text, sizeof text), 0);
    close_one(s.world);
}

// Other parents

static void a_name_goes_along_to_another_parent(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_UNIQUE_AMONG_SIBLINGS);
    assert_ok(ilk_set_name(s.world, s.upper, "gate"));
    assert_ok(ilk_set_parent(s.world, s.upper, s.hall));
    assert_entity(ilk_child_named(s.world, s.hall, "gate"), s.upper);
    assert_entity(ilk_child_named(s.world, s.tower, "gate"), nobody);
    assert_ok(ilk_set_parent(s.world, s.upper, nobody));
    assert_entity(ilk_named(s.world, "gate"), s.upper);
    assert_ok(ilk_add(s.world, s.upper, ILK_TO(ilk_child_of, s.tower)));
    assert_entity(ilk_by_path(s.world, s.castle, "tower/gate", NULL), s.upper);
    assert_ok(ilk_remove(s.world, s.upper, &ilk_child_of_type));
    assert_entity(ilk_named(s.world, "gate"), s.upper);
    close_one(s.world);
}

static void assert_clash_at(fixture* f, ilk_result result, const char* call, const char* what,
                            int line) {
    _assert_int_equal((LargestIntegralType)result, ILK_EXISTS, __FILE__, line);
    assert_told_at(f, ILK_EXISTS, call, __FILE__, line);
    _assert_true(strstr(f->told.text, what) != NULL, f->told.text, __FILE__, line);
}
#define assert_clash(f, result, call, what) assert_clash_at((f), (result), (call), (what), __LINE__)

static void among_siblings_a_parent_may_be_refused(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_UNIQUE_AMONG_SIBLINGS);
    ilk_world* w = s.world;
    ilk_type* type = &ilk_child_of_type;
    assert_clash(f, ilk_set_parent(w, s.upper, s.hall), "ilk_set_parent", "\"door\" is entity 3:1");
    assert_clash(f, ilk_set_parent(w, s.upper, nobody), "ilk_set_parent", "\"door\" is entity 5:1");
    assert_clash(f, ilk_relate(w, s.upper, type, s.hall), "ilk_relate", "\"door\"");
    assert_clash(f, ilk_unrelate(w, s.upper, type, s.tower), "ilk_unrelate", "\"door\"");
    assert_clash(f, ilk_remove(w, s.upper, type), "ilk_remove", "\"door\"");
    assert_clash(f, ilk_set(w, s.upper, ILK_TO(ilk_child_of, s.hall)), "ilk_set", "\"door\"");
    assert_clash(f, ilk_add(w, s.door, ILK_TO(ilk_child_of, s.hall)), "ilk_add", "\"door\"");
    assert_entity(ilk_parent(w, s.upper), s.tower);
    assert_entity(ilk_parent(w, s.door), nobody);
    assert_ok(ilk_set_name(w, s.inner, NULL));
    assert_ok(ilk_set_parent(w, s.upper, s.hall));
    close_one(w);
}

static void many_lose_their_parent_as_far_as_that_may_be(void** state) {
    fixture* f = *state;
    for (int is_observed = 0; is_observed < 2; is_observed++) {
        site s = build(f, ILK_NAMES_UNIQUE_AMONG_SIBLINGS);
        if (is_observed) watch(s.world, "w", EVERYTHING, &ilk_child_of_type);
        assert_ok(ilk_destroy(s.world, s.door));
        ilk_entity list[] = {s.inner, s.upper, s.hall};
        assert_clash(f, ilk_remove_many(s.world, list, 3, &ilk_child_of_type), "ilk_remove_many",
                     "entity 4:1 \"door\": \"door\" is entity");
        assert_entity(ilk_named(s.world, "door"), s.inner);
        assert_entity(ilk_named(s.world, "hall"), s.hall);
        assert_entity(ilk_parent(s.world, s.upper), s.tower);
        close_one(s.world);
    }
}

static void where_names_are_free_they_queue_at_the_new_parent(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_FREE);
    ilk_entity all[4];
    assert_ok(ilk_set_parent(s.world, s.inner, s.tower));
    assert_ok(ilk_set_parent(s.world, s.door, s.tower));
    assert_int_equal(ilk_all_named(s.world, s.tower, "door", all, 4), 3);
    assert_entity(all[0], s.upper);
    assert_entity(all[1], s.inner);
    assert_entity(all[2], s.door);
    assert_valid(s.world);
    assert_ok(ilk_set_parent(s.world, s.upper, s.hall));
    assert_ok(ilk_set_parent(s.world, s.upper, s.tower));
    ilk_all_named(s.world, s.tower, "door", all, 4);
    assert_entity(all[2], s.upper);
    close_one(s.world);
}

static void a_copy_is_called_as_its_sibling(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_FREE);
    ilk_entity copy = ilk_copy(s.world, s.inner), all[2];
    assert_int_equal(ilk_all_named(s.world, s.hall, "door", all, 2), 2);
    assert_entity(all[1], copy);
    assert_entity(ilk_parent(s.world, copy), s.hall);
    close_one(s.world);
}

static void with_the_parent_all_below_go(void** state) {
    fixture* f = *state;
    for (int rule = ILK_NAMES_FREE; rule <= ILK_NAMES_UNIQUE; rule++) {
        site s = build(f, (ilk_names)rule);
        assert_ok(ilk_add(s.world, s.upper, ILK_VALUE(Lease, 1))); // it is dying then
        assert_ok(ilk_destroy(s.world, s.castle));
        assert_true(ilk_dying(s.world, s.upper));
        assert_int_equal(ilk_text_number(s.world, "hall"), 0);
        assert_entity(ilk_named(s.world, "door"), s.door);
        close_one(s.world);
    }
}

// Whoever is about to go may meanwhile be without a parent, and have the name of another.
static void whoever_goes_need_not_mind_names(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_UNIQUE_AMONG_SIBLINGS);
    ilk_entity key = ilk_create(s.world);
    assert_ok(ilk_relate(s.world, s.inner, &Owns_type, key));
    assert_ok(ilk_relate(s.world, s.hall, &Owns_type, s.inner));
    assert_ok(ilk_destroy(s.world, key));
    assert_false(ilk_alive(s.world, s.inner));
    assert_false(ilk_alive(s.world, s.hall));
    assert_entity(ilk_named(s.world, "door"), s.door);
    close_one(s.world);
}

static void names_and_parents_go_in_any_order(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_FREE);
    assert_ok(ilk_remove_all(s.world, s.inner));
    assert_entity(ilk_child_named(s.world, s.hall, "door"), nobody);
    assert_valid(s.world);
    ilk_entity e = ilk_create(s.world);
    assert_ok(ilk_set_name(s.world, e, "late")); // the other way round
    assert_ok(ilk_set_parent(s.world, e, s.hall));
    assert_entity(ilk_child_named(s.world, s.hall, "late"), e);
    assert_ok(ilk_remove_all(s.world, e));
    assert_valid(s.world);
    ilk_clear(s.world);
    assert_entity(ilk_named(s.world, "door"), nobody);
    close_one(s.world);
}

static ilk_result look_up(ilk_notice* n) {
    ilk_entity parent = ilk_parent(n->world, n->entity);
    ilk_entity found = ilk_child_named(n->world, parent, ilk_name_of(n->world, n->entity));
    write_down("%s %s; ", on_text(n->on), ilk_same(found, n->entity) ? "found" : "lost");
    return ILK_OK;
}

static void observers_find_it_where_it_is(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_UNIQUE_AMONG_SIBLINGS);
    assert_ok(ilk_set_name(s.world, s.door, "gate"));
    ilk_observer_desc desc = {
        .on = ILK_ON_ADD | ILK_ON_SET | ILK_ON_REMOVE, .type = &ilk_child_of_type, .run = look_up};
    assert_non_null(ilk_observer_create(s.world, &desc));
    notices[0] = 0;
    assert_ok(ilk_set_parent(s.world, s.door, s.hall));
    assert_ok(ilk_set_parent(s.world, s.door, s.tower));
    assert_ok(ilk_set_parent(s.world, s.door, nobody));
    assert_string_equal(notices, "added found; set found; removed found; ");
    close_one(s.world);
}

static void commands_give_parents_and_names(void** state) {
    fixture* f = *state;
    site s = build(f, ILK_NAMES_UNIQUE_AMONG_SIBLINGS);
    ilk_cmd* cmd = ilk_cmd_take(s.world);
    ilk_entity made = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_set_name(cmd, made, "roof"));
    assert_ok(ilk_cmd_set_parent(cmd, made, s.castle));
    assert_ok(ilk_cmd_set_parent(cmd, s.upper, s.hall)); // which is refused
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 3);
    assert_int_equal(applied.failed, 1);
    assert_int_equal(applied.result, ILK_EXISTS);
    assert_entity(ilk_by_path(s.world, nobody, "castle/roof", NULL), made);
    close_one(s.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_name_is_looked_for_below_its_parent),
        WORLD_TEST(where_names_are_unique_anyone_is_found),
        WORLD_TEST(a_parent_that_is_not_there_has_no_children),
        WORLD_TEST(paths_go_down_and_up),
        WORLD_TEST(paths_may_lead_nowhere),
        WORLD_TEST(paths_may_be_unsound),
        WORLD_TEST(a_path_is_written_as_it_is_read),
        WORLD_TEST(a_path_is_written_as_far_as_it_fits),
        WORLD_TEST(without_a_name_there_is_no_path),
        WORLD_TEST(a_name_goes_along_to_another_parent),
        WORLD_TEST(among_siblings_a_parent_may_be_refused),
        WORLD_TEST(many_lose_their_parent_as_far_as_that_may_be),
        WORLD_TEST(where_names_are_free_they_queue_at_the_new_parent),
        WORLD_TEST(a_copy_is_called_as_its_sibling),
        WORLD_TEST(with_the_parent_all_below_go),
        WORLD_TEST(whoever_goes_need_not_mind_names),
        WORLD_TEST(names_and_parents_go_in_any_order),
        WORLD_TEST(observers_find_it_where_it_is),
        WORLD_TEST(commands_give_parents_and_names),
    };
    return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
