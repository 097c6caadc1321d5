// Blueprints outside of worlds: values, bases, children, clones.
#include "names_support.h"

typedef struct gathering {
    meter memory;
    ilk_blueprint* b;
} gathering;

static ilk_allocator metered(gathering* g) {
    return (ilk_allocator){meter_alloc, meter_free, &g->memory};
}

static ilk_blueprint* another(gathering* g) {
    ilk_allocator allocator = metered(g);
    ilk_blueprint* b = ilk_blueprint_create(&allocator);
    assert_non_null(b);
    return b;
}

static int begin(void** state) {
    gathering* g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->memory.left = UINT64_MAX;
    g->b = another(g);
    hooks_taken();
    *state = g;
    return 0;
}

// Every test ends with all memory given back.
static int end(void** state) {
    gathering* g = *state;
    ilk_blueprint_destroy(g->b);
    assert_int_equal(g->memory.bytes, 0);
    assert_false(g->memory.mismatch);
    free(g);
    return 0;
}
#define GATHERING_TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

static void give_owned(ilk_blueprint* b, const char* text) {
    Owned owned = {text_copy(text)};
    assert_ok(ilk_blueprint_set(b, ILK_VALUE_AT(Owned, &owned)));
}

static const char* owned_text(const ilk_blueprint* b) {
    return ILK_BLUEPRINT_GET(b, Owned)->text;
}

// R001.11
static void the_verbs_are_those_of_entities(void** state) {
    gathering* g = *state;
    assert_null(ilk_blueprint_get(g->b, &Health_type));
    assert_int_equal(ilk_blueprint_replace(g->b, ILK_VALUE(Health, 1)), ILK_MISSING);
    assert_int_equal(ilk_blueprint_remove(g->b, &Health_type), ILK_MISSING);
    assert_ok(ilk_blueprint_add(g->b, ILK_VALUE(Health, 5)));
    assert_int_equal(ilk_blueprint_add(g->b, ILK_VALUE(Health, 6)), ILK_EXISTS);
    assert_int_equal(ILK_BLUEPRINT_GET(g->b, Health)->points, 5);
    assert_ok(ilk_blueprint_replace(g->b, ILK_VALUE(Health, 7)));
    assert_int_equal(ILK_BLUEPRINT_GET(g->b, Health)->points, 7);
    ILK_BLUEPRINT_EDIT(g->b, Health)->points++;
    assert_int_equal(ILK_BLUEPRINT_GET(g->b, Health)->points, 8);
    assert_ok(ilk_blueprint_set(g->b, ILK_WITH(Health)));
    assert_int_equal(ILK_BLUEPRINT_ENSURE(g->b, Health)->points, 100);
    assert_true(ilk_blueprint_has(g->b, &Health_type));
    assert_ok(ilk_blueprint_remove(g->b, &Health_type));
    assert_false(ilk_blueprint_has(g->b, &Health_type));
    assert_null(ilk_blueprint_edit(g->b, &Health_type));
    assert_int_equal(ILK_BLUEPRINT_ENSURE(g->b, Health)->points, 100);
}

static void types_are_listed_in_the_order_of_adding(void** state) {
    gathering* g = *state;
    ilk_type* types[4] = {0};
    assert_int_equal(ilk_blueprint_types(g->b, types, 4), 0);
    assert_ok(ilk_blueprint_add(g->b, ILK_WITH(Velocity)));
    assert_ok(ilk_blueprint_add(g->b, ILK_WITH(Enemy)));
    assert_ok(ilk_blueprint_add(g->b, ILK_WITH(Position)));
    assert_ok(ilk_blueprint_remove(g->b, &Enemy_type));
    assert_int_equal(ilk_blueprint_types(g->b, NULL, 0), 2);
    assert_int_equal(ilk_blueprint_types(g->b, types, 1), 2);
    assert_true(ilk_same_type(types[0], &Velocity_type));
    assert_null(types[1]);
    assert_int_equal(ilk_blueprint_types(g->b, types, 4), 2);
    assert_true(ilk_same_type(types[1], &Position_type));
}

static void a_tag_has_a_value_that_is_not_null(void** state) {
    gathering* g = *state;
    assert_ok(ilk_blueprint_add(g->b, ILK_WITH(Enemy)));
    assert_non_null(ilk_blueprint_get(g->b, &Enemy_type));
    assert_true(ilk_blueprint_has(g->b, &Enemy_type));
}

static void values_stay_where_they_are(void** state) {
    gathering* g = *state;
    ilk_type many[40];
    char names[40][24];
    const Health* health = ILK_BLUEPRINT_ENSURE(g->b, Health);
    for (int i = 0; i < 40; i++) {
        snprintf(names[i], sizeof names[i], "many.%d", i);
        many[i] = (ilk_type){.name = names[i], .size = 8};
        assert_ok(ilk_blueprint_add(g->b, (ilk_value){&many[i], NULL}));
    }
    assert_ok(ilk_blueprint_remove(g->b, &many[0]));
    assert_ptr_equal(ILK_BLUEPRINT_GET(g->b, Health), health);
    assert_ok(ilk_blueprint_set(g->b, ILK_VALUE(Health, 3)));
    assert_int_equal(health->points, 3);
}

static void what_values_own_is_dropped_once(void** state) {
    gathering* g = *state;
    give_owned(g->b, "one");
    give_owned(g->b, "two");
    assert_hooks(0, 0, 1);
    assert_ok(ilk_blueprint_set(g->b, ILK_VALUE_AT(Owned, ILK_BLUEPRINT_GET(g->b, Owned))));
    assert_hooks(0, 0, 0); // it was given to itself
    assert_string_equal(owned_text(g->b), "two");
    assert_ok(ilk_blueprint_remove(g->b, &Owned_type));
    assert_hooks(0, 0, 1);
    assert_string_equal(ILK_BLUEPRINT_ENSURE(g->b, Owned)->text, "fresh");
    assert_hooks(1, 0, 0);
}

// R001.11
static void a_clone_is_a_deep_copy(void** state) {
    gathering* g = *state;
    give_owned(g->b, "one");
    assert_ok(ilk_blueprint_add(g->b, ILK_VALUE(Health, 4)));
    ilk_blueprint* clone = ilk_blueprint_clone(g->b);
    assert_hooks(0, 1, 0);
    assert_int_equal(ILK_BLUEPRINT_GET(clone, Health)->points, 4);
    assert_string_equal(owned_text(clone), "one");
    assert_ptr_not_equal(owned_text(clone), owned_text(g->b));
    ILK_BLUEPRINT_EDIT(clone, Health)->points = 5;
    assert_int_equal(ILK_BLUEPRINT_GET(g->b, Health)->points, 4);
    ilk_blueprint_destroy(clone);
    assert_hooks(0, 0, 1);
}

static void a_clone_names_its_own(void** state) {
    gathering* g = *state;
    ilk_blueprint* child = another(g);
    ilk_entity stranger = {5, 1};
    assert_ok(ilk_blueprint_add_child(g->b, child));
    Pack pack = {7, {ilk_blueprint_entity(child), stranger}, ilk_blueprint_entity(g->b)};
    assert_ok(ilk_blueprint_add(child, ILK_VALUE_AT(Pack, &pack)));
    ilk_blueprint* clone = ilk_blueprint_clone(g->b);
    const ilk_blueprint* second = ilk_blueprint_first_child(clone);
    const Pack* named = ILK_BLUEPRINT_GET(second, Pack);
    assert_entity(named->friends[0], ilk_blueprint_entity(second));
    assert_entity(named->friends[1], stranger);
    assert_entity(named->leader, ilk_blueprint_entity(clone));
    assert_false(ilk_same(ilk_blueprint_entity(clone), ilk_blueprint_entity(g->b)));
    ilk_blueprint_destroy(clone);
}

static void what_cannot_be_copied_is_not_cloned(void** state) {
    gathering* g = *state;
    int drops = 0;
    assert_ok(ilk_blueprint_add(g->b, single_value(&drops)));
    assert_ok(ilk_blueprint_add(g->b, ILK_WITH(Health)));
    assert_null(ilk_blueprint_clone(g->b));
    assert_int_equal(drops, 0);
    ilk_blueprint* heir = another(g);
    assert_ok(ilk_blueprint_extend(heir, g->b));
    assert_null(ilk_blueprint_edit(heir, &Single_type));
    assert_non_null(ilk_blueprint_get(heir, &Single_type));
    ilk_blueprint_destroy(heir);
    assert_ok(ilk_blueprint_remove(g->b, &Single_type));
    assert_int_equal(drops, 1);
}

static void what_it_lacks_is_its_bases(void** state) {
    gathering* g = *state;
    ilk_blueprint *base = another(g), *root = another(g);
    assert_ok(ilk_blueprint_add(root, ILK_VALUE(Anchor, 9)));
    assert_ok(ilk_blueprint_add(root, ILK_VALUE(Health, 1)));
    assert_ok(ilk_blueprint_add(base, ILK_VALUE(Health, 2)));
    assert_ok(ilk_blueprint_extend(base, root));
    assert_ok(ilk_blueprint_extend(g->b, base));
    assert_ok(ilk_blueprint_add(g->b, ILK_WITH(Enemy)));
    assert_int_equal(ilk_blueprint_types(g->b, NULL, 0), 3);
    assert_int_equal(ILK_BLUEPRINT_GET(g->b, Anchor)->depth, 9);
    assert_int_equal(ILK_BLUEPRINT_GET(g->b, Health)->points, 2);
    ILK_BLUEPRINT_EDIT(root, Anchor)->depth = 10; // it is not copied
    assert_int_equal(ILK_BLUEPRINT_GET(g->b, Anchor)->depth, 10);
    assert_int_equal(ilk_blueprint_replace(g->b, ILK_VALUE(Health, 3)), ILK_MISSING);
    assert_ok(ilk_blueprint_add(g->b, ILK_VALUE(Health, 3)));
    assert_int_equal(ILK_BLUEPRINT_GET(g->b, Health)->points, 3);
    assert_ok(ilk_blueprint_remove(g->b, &Health_type));
    assert_int_equal(ILK_BLUEPRINT_GET(g->b, Health)->points, 2);
    ILK_BLUEPRINT_EDIT(g->b, Health)->points = 8; // now it is
    assert_int_equal(ILK_BLUEPRINT_GET(base, Health)->points, 2);
    assert_int_equal(ilk_blueprint_types(g->b, NULL, 0), 3);
    ilk_blueprint_destroy(base);
    ilk_blueprint_destroy(root);
    assert_int_equal(ILK_BLUEPRINT_GET(g->b, Anchor)->depth, 10); // they live on
    assert_ok(ilk_blueprint_extend(g->b, NULL));
    assert_null(ilk_blueprint_get(g->b, &Anchor_type));
    assert_int_equal(ILK_BLUEPRINT_GET(g->b, Health)->points, 8);
}

static void nothing_is_made_of_itself(void** state) {
    gathering* g = *state;
    ilk_blueprint *child = another(g), *grandchild = another(g), *heir = another(g);
    assert_int_equal(ilk_blueprint_extend(g->b, g->b), ILK_INVALID);
    assert_int_equal(ilk_blueprint_add_child(g->b, g->b), ILK_INVALID);
    assert_ok(ilk_blueprint_add_child(g->b, child));
    assert_ok(ilk_blueprint_add_child(child, grandchild));
    assert_int_equal(ilk_blueprint_add_child(grandchild, g->b), ILK_INVALID);
    assert_int_equal(ilk_blueprint_extend(grandchild, g->b), ILK_INVALID);
    assert_ok(ilk_blueprint_extend(heir, child));
    assert_int_equal(ilk_blueprint_extend(grandchild, heir), ILK_INVALID);
    assert_int_equal(ilk_blueprint_add_child(grandchild, heir), ILK_INVALID);
    assert_ok(ilk_blueprint_add_child(g->b, heir)); // beside what it extends
    assert_ok(ilk_blueprint_extend(heir, NULL));
    assert_ok(ilk_blueprint_extend(grandchild, heir));
}

static void children_are_in_order(void** state) {
    gathering* g = *state;
    ilk_blueprint *one = another(g), *two = another(g), *three = another(g);
    assert_null(ilk_blueprint_first_child(g->b));
    assert_ok(ilk_blueprint_add_child(g->b, one));
    assert_ok(ilk_blueprint_add_child(g->b, two));
    assert_ok(ilk_blueprint_add_child(g->b, three));
    assert_int_equal(ilk_blueprint_add_child(one, two), ILK_INVALID);
    assert_ptr_equal(ilk_blueprint_parent(two), g->b);
    assert_null(ilk_blueprint_parent(g->b));
    ilk_blueprint_destroy(two);
    assert_ptr_equal(ilk_blueprint_first_child(g->b), one);
    assert_ptr_equal(ilk_blueprint_next_child(one), three);
    assert_null(ilk_blueprint_next_child(three));
    ilk_blueprint_destroy(one);
    ilk_blueprint_destroy(three);
    assert_null(ilk_blueprint_first_child(g->b));
}

static void a_clone_has_the_same_tree(void** state) {
    gathering* g = *state;
    ilk_blueprint* at = g->b;
    for (int i = 0; i < 3; i++) {
        ilk_blueprint *first = another(g), *second = another(g);
        assert_ok(ilk_blueprint_add(first, ILK_VALUE(Health, i)));
        assert_ok(ilk_blueprint_add_child(at, first));
        assert_ok(ilk_blueprint_add_child(at, second));
        at = i % 2 ? second : first;
    }
    ilk_blueprint* clone = ilk_blueprint_clone(g->b);
    at = clone;
    for (int i = 0; i < 3; i++) {
        ilk_blueprint* first = ilk_blueprint_first_child(at);
        ilk_blueprint* second = ilk_blueprint_next_child(first);
        assert_int_equal(ILK_BLUEPRINT_GET(first, Health)->points, i);
        assert_null(ilk_blueprint_next_child(second));
        at = i % 2 ? second : first;
    }
    assert_null(ilk_blueprint_first_child(at));
    ilk_blueprint_destroy(clone);
}

// Neither is walked by calls that nest.
static void trees_and_bases_may_be_deep(void** state) {
    gathering* g = *state;
    enum {
        DEEP = 50000
    };
    ilk_blueprint *whole = ilk_blueprint_create(NULL), *heir = ilk_blueprint_create(NULL);
    for (int i = 0; i < DEEP; i++) { // from below, so that each is looked at once
        ilk_blueprint *parent = ilk_blueprint_create(NULL), *next = ilk_blueprint_create(NULL);
        assert_ok(ilk_blueprint_extend(next, heir));
        ilk_blueprint_destroy(heir);
        heir = next;
        assert_ok(ilk_blueprint_add_child(parent, whole));
        whole = parent;
    }
    (void)g;
    ilk_blueprint_destroy(ilk_blueprint_clone(whole));
    ilk_blueprint_destroy(whole);
    ilk_blueprint_destroy(heir);
}

static void what_makes_no_sense_is_invalid(void** state) {
    gathering* g = *state;
    ilk_type unsound = {.name = "unsound", .size = 6, .align = 3};
    ilk_type clash = {.name = "Health", .size = 8};
    assert_int_equal(ilk_blueprint_add(NULL, ILK_WITH(Health)), ILK_INVALID);
    assert_int_equal(ilk_blueprint_set(NULL, ILK_WITH(Health)), ILK_INVALID);
    assert_int_equal(ilk_blueprint_replace(NULL, ILK_WITH(Health)), ILK_INVALID);
    assert_int_equal(ilk_blueprint_remove(NULL, &Health_type), ILK_INVALID);
    assert_int_equal(ilk_blueprint_add(g->b, (ilk_value){NULL, NULL}), ILK_INVALID);
    assert_int_equal(ilk_blueprint_set(g->b, (ilk_value){&unsound, NULL}), ILK_INVALID);
    assert_ok(ilk_blueprint_add(g->b, ILK_WITH(Health)));
    assert_int_equal(ilk_blueprint_add(g->b, (ilk_value){&clash, NULL}), ILK_CLASH);
    assert_int_equal(ilk_blueprint_add(g->b, ILK_WITH(ilk_dying)), ILK_INVALID);
    assert_int_equal(ilk_blueprint_extend(NULL, g->b), ILK_INVALID);
    assert_int_equal(ilk_blueprint_add_child(NULL, g->b), ILK_INVALID);
    assert_int_equal(ilk_blueprint_add_child(g->b, NULL), ILK_INVALID);
    assert_null(ilk_blueprint_get(NULL, &Health_type));
    assert_null(ilk_blueprint_get(g->b, NULL));
    assert_null(ilk_blueprint_edit(NULL, &Health_type));
    assert_null(ilk_blueprint_ensure(NULL, &Health_type));
    assert_null(ilk_blueprint_ensure(g->b, NULL));
    assert_null(ilk_blueprint_clone(NULL));
    assert_null(ilk_blueprint_parent(NULL));
    assert_null(ilk_blueprint_first_child(NULL));
    assert_null(ilk_blueprint_next_child(NULL));
    assert_false(ilk_blueprint_has(NULL, &Health_type));
    assert_int_equal(ilk_blueprint_types(NULL, NULL, 0), 0);
    assert_true(ilk_is_null(ilk_blueprint_entity(NULL)));
    assert_null(ilk_blueprint_create(&(ilk_allocator){.alloc = meter_alloc}));
    ilk_blueprint_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GATHERING_TEST(the_verbs_are_those_of_entities),
        GATHERING_TEST(types_are_listed_in_the_order_of_adding),
        GATHERING_TEST(a_tag_has_a_value_that_is_not_null),
        GATHERING_TEST(values_stay_where_they_are),
        GATHERING_TEST(what_values_own_is_dropped_once),
        GATHERING_TEST(a_clone_is_a_deep_copy),
        GATHERING_TEST(a_clone_names_its_own),
        GATHERING_TEST(what_cannot_be_copied_is_not_cloned),
        GATHERING_TEST(what_it_lacks_is_its_bases),
        GATHERING_TEST(nothing_is_made_of_itself),
        GATHERING_TEST(children_are_in_order),
        GATHERING_TEST(a_clone_has_the_same_tree),
        GATHERING_TEST(trees_and_bases_may_be_deep),
        GATHERING_TEST(what_makes_no_sense_is_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
