// Blueprints of entities.
#include "names_support.h"

static ilk_entity spawn_orc(ilk_world* world, const char* text) {
    Owned owned = {text_copy(text)};
    ilk_entity e = ILK_SPAWN(world, ILK_VALUE(Health, 30), ILK_VALUE(Position, 1, 2),
                             ILK_VALUE_AT(Owned, &owned), ILK_WITH(Enemy));
    hooks_taken();
    return e;
}

// R001.22
static void a_blueprint_of_an_entity_has_copies(void** state) {
    fixture* f = *state;
    ilk_entity e = spawn_orc(f->world, "club");
    ilk_blueprint* b = ilk_blueprint_of(f->world, e, NULL);
    assert_hooks(0, 1, 0);
    assert_true(ilk_alive(f->world, e));
    assert_int_equal(ilk_blueprint_types(b, NULL, 0), 4);
    assert_int_equal(ILK_BLUEPRINT_GET(b, Health)->points, 30);
    assert_string_equal(ILK_BLUEPRINT_GET(b, Owned)->text, "club");
    assert_ok(ilk_destroy(f->world, e));
    ilk_entity again = ilk_blueprint_spawn(f->world, b);
    assert_string_equal(ILK_GET(f->world, again, Owned)->text, "club");
    ilk_blueprint_destroy(b);
}

// A file, of which the name is saved, and not what is open.
typedef struct File {
    const char* name;
    int handle;
    ilk_entity owner;
} File;

static uint32_t files_saved;

static void save_file(void* to, const void* from, void* context) {
    const File* file = from;
    *(File*)to = (File){.name = file->name, .owner = file->owner};
    ++*(uint32_t*)context;
}

static void drop_file(void* value, void* context) {
    (void)value, (void)context;
}

ILK_COMPONENT_WITH(File, .copy_to_save = save_file, .fields = ILK_FIELDS(ILK_FIELD(File, owner)),
                   .hooks = {.drop = drop_file, .context = &files_saved});
typedef struct Cached {
    int frames;
} Cached;
ILK_COMPONENT_WITH(Cached, .saving = ILK_UNSAVED);
ILK_TAG_WITH(Fleeting, .saving = ILK_UNSAVED_ENTITY);

// R001.1, R001.22: what is copied for a save is copied by a hook of its own, if there is one, and
// types that are not saved are left out.
static void what_is_saved_is_copied_by_a_hook_of_its_own(void** state) {
    fixture* f = *state;
    ilk_entity e = spawn_orc(f->world, "club");
    assert_ok(ilk_add(f->world, e, ILK_VALUE(File, "orc", 7, e)));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Cached, 3)));
    assert_null(ilk_blueprint_of(f->world, e, NULL)); // there is no hook for that
    assert_told(f, ILK_INVALID, "ilk_blueprint_of");
    files_saved = 0;
    hooks_taken();
    ilk_blueprint* b = ilk_blueprint_to_save(f->world, e, NULL);
    assert_non_null(b);
    assert_int_equal(files_saved, 1);
    assert_hooks(0, 1, 0); // of what has no other
    assert_int_equal(ilk_blueprint_types(b, NULL, 0), 5);
    assert_null(ILK_BLUEPRINT_GET(b, Cached));
    assert_string_equal(ILK_BLUEPRINT_GET(b, File)->name, "orc");
    assert_int_equal(ILK_BLUEPRINT_GET(b, File)->handle, 0);
    assert_entity(ILK_BLUEPRINT_GET(b, File)->owner, ilk_blueprint_entity(b));
    assert_int_equal(ILK_GET(f->world, e, File)->handle, 7);
    ilk_blueprint_destroy(b);
    assert_null(ilk_blueprint_to_save(f->world, (ilk_entity){0, 0}, NULL));
    assert_told(f, ILK_DEAD, "ilk_blueprint_to_save");
    assert_null(ilk_blueprint_to_save(NULL, e, NULL));
}

// R001.22: one that is marked as not saved gives an empty blueprint.
static void who_is_not_saved_is_left_out_with_all_below(void** state) {
    fixture* f = *state;
    ilk_world* world = f->world;
    ilk_entity ship = ILK_SPAWN(world, ILK_VALUE(Health, 9));
    ilk_entity crew = ILK_SPAWN(world, ILK_VALUE(Health, 1), ILK_TO(ilk_child_of, ship));
    ilk_entity ghost = ILK_SPAWN(world, ILK_WITH(Fleeting), ILK_TO(ilk_child_of, ship));
    ILK_SPAWN(world, ILK_VALUE(Health, 2), ILK_TO(ilk_child_of, ghost));
    assert_ok(ilk_add(world, crew, ILK_VALUE(File, "log", 1, ghost)));
    ilk_blueprint* b = ilk_blueprint_to_save(world, ship, NULL);
    ilk_blueprint* child = ilk_blueprint_first_child(b);
    assert_int_equal(ILK_BLUEPRINT_GET(child, Health)->points, 1);
    assert_true(ilk_is_null(ILK_BLUEPRINT_GET(child, File)->owner));
    assert_null(ilk_blueprint_next_child(child));
    ilk_blueprint_destroy(b);
    b = ilk_blueprint_to_save(world, ghost, NULL);
    assert_int_equal(ilk_blueprint_types(b, NULL, 0), 0);
    assert_null(ilk_blueprint_first_child(b));
    ilk_blueprint_destroy(b);
    assert_int_equal(ilk_below(world, ship, ILK_WALK_DEPTH, NULL, 0), 4);
}

// R001.17
static void an_entity_is_taken_from_one_world_into_another(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    int drops = 0;
    ilk_entity e = spawn_orc(f->world, "club");
    assert_ok(ilk_add(f->world, e, single_value(&drops)));
    assert_ok(ilk_disable(f->world, e, &Health_type));
    const char* text = ILK_GET(f->world, e, Owned)->text;
    ilk_blueprint* b = ilk_blueprint_take(f->world, e, NULL);
    assert_false(ilk_alive(f->world, e));
    assert_valid(f->world);
    ilk_entity there = ilk_blueprint_put(other, b);
    assert_hooks(0, 0, 0);
    assert_int_equal(drops, 0);
    assert_ptr_equal(ILK_GET(other, there, Owned)->text, text);
    assert_int_equal(ILK_GET(other, there, Health)->points, 30);
    assert_false(ilk_enabled(other, there, &Health_type));
    assert_true(ilk_enabled(other, there, &Position_type));
    assert_int_equal(ilk_types_of(other, there, NULL, 0), 5);
    assert_int_equal(ilk_stats(f->world).alive, 0);
    assert_valid(other);
    ilk_world_destroy(other);
    assert_int_equal(drops, 1);
    assert_quiet(f);
}

static void check_taking(fixture* f, origin where) {
    ilk_entity e = put(f->world, where, ILK_WITH(Owned)),
               beside = ILK_SPAWN(f->world, ILK_WITH(Anchor));
    ilk_blueprint* b = ilk_blueprint_take(f->world, e, NULL);
    assert_valid(f->world);
    assert_hooks(0, 0, 0);
    assert_true(ilk_alive(f->world, beside));
    e = ilk_blueprint_put(f->world, b);
    assert_string_equal(ILK_GET(f->world, e, Owned)->text, "fresh");
    assert_int_equal(ilk_has(f->world, e, &Anchor_type), where != BORN_WITH);
}

static void a_value_is_taken_wherever_it_lies(void** state) {
    (void)state;
    at_each_place(check_taking);
}

static void who_is_named_is_known_in_its_world_only(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity friend = ilk_create(f->world), e = ilk_create(f->world);
    Pack pack = {1, {friend, {0}}, e};
    assert_ok(ilk_add(f->world, e, ILK_VALUE_AT(Pack, &pack)));
    ilk_blueprint* b = ilk_blueprint_of(f->world, e, NULL);
    assert_entity(ILK_BLUEPRINT_GET(b, Pack)->leader, ilk_blueprint_entity(b));
    ilk_entity here = ilk_blueprint_spawn(f->world, b), there = ilk_blueprint_spawn(other, b);
    assert_entity(ILK_GET(f->world, here, Pack)->friends[0], friend);
    assert_entity(ILK_GET(f->world, here, Pack)->leader, here);
    assert_true(ilk_is_null(ILK_GET(other, there, Pack)->friends[0]));
    assert_entity(ILK_GET(other, there, Pack)->leader, there);
    ILK_BLUEPRINT_EDIT(b, Pack)->friends[1] =
        there; // taken to be of the world where the others are
    there = ilk_blueprint_spawn(other, b);
    assert_true(ilk_is_null(ILK_GET(other, there, Pack)->friends[1]));
    assert_ok(ilk_blueprint_set(b, ILK_VALUE_AT(Pack, &pack))); // as the program says
    there = ilk_blueprint_spawn(other, b);
    assert_entity(ILK_GET(other, there, Pack)->friends[0], friend);
    ilk_blueprint_destroy(b);
    ilk_world_destroy(other);
}

// R001.12 R001.17
static void observers_are_told_that_it_is_unloaded(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 4));
    assert_ok(ilk_disable(f->world, e, &Health_type));
    watch(f->world, "a", EVERYTHING, NULL);
    ilk_blueprint* b = ilk_blueprint_take(f->world, e, NULL);
    assert_notices("a removed 0 Health=4 unload; a destroyed 0 unload; ");
    ilk_set_reason(f->world, ILK_REASON_LOAD);
    ilk_blueprint_put(f->world, b);
    assert_notices("a created 0 load; a added 0 Health=4 load; a disabled 0 Health=4 load; ");
    ilk_blueprint_destroy(ilk_blueprint_take(f->world, ilk_entity_at(f->world, 0), NULL));
    assert_notices("a removed 0 Health=4 unload; a destroyed 0 unload; "); // whatever is said
}

typedef struct Lease {
    uint32_t until;
} Lease;
ILK_COMPONENT_WITH(Lease, .outlives = true);

static void what_outlives_is_taken_too(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Lease, 5), ILK_WITH(Health));
    ilk_blueprint* b = ilk_blueprint_take(f->world, e, NULL);
    assert_false(ilk_alive(f->world, e));
    e = ilk_blueprint_put(f->world, b);
    assert_int_equal(ILK_GET(f->world, e, Lease)->until, 5);
    assert_ok(ilk_destroy(f->world, e));
    assert_null(ilk_blueprint_take(f->world, e, NULL)); // it is dying
    assert_told(f, ILK_DEAD, "ilk_blueprint_take");
    assert_null(ilk_blueprint_of(f->world, e, NULL));
    assert_told(f, ILK_DEAD, "ilk_blueprint_of");
}

static void the_inactive_stay_so(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Health));
    assert_ok(ilk_deactivate(f->world, e));
    e = ilk_blueprint_put(f->world, ilk_blueprint_take(f->world, e, NULL));
    assert_true(ilk_alive(f->world, e));
    assert_false(ilk_active(f->world, e));
}

ILK_RELATION(Likes);

// A tree of three, of which the last names the first and somebody else.
static void make_tree(ilk_world* world, ilk_entity* those, ilk_entity stranger) {
    for (int32_t i = 0; i < 3; i++) those[i] = ILK_SPAWN(world, ILK_VALUE(Health, i));
    assert_ok(ilk_set_parent(world, those[1], those[0]));
    assert_ok(ilk_set_parent(world, those[2], those[1]));
    Pack pack = {1, {stranger, those[1]}, those[0]};
    assert_ok(ilk_add(world, those[2], ILK_VALUE_AT(Pack, &pack)));
}

static void children_are_taken_along(void** state) {
    fixture* f = *state;
    ilk_world* other = second_world(f, 1);
    ilk_entity stranger = ilk_create(f->world), those[3], parent = ilk_create(f->world);
    make_tree(f->world, those, stranger);
    assert_ok(ilk_set_parent(f->world, those[0], parent));
    assert_ok(ilk_relate(f->world, those[2], &Likes_type, stranger));
    ilk_blueprint* b = ilk_blueprint_take(f->world, those[0], NULL);
    assert_valid(f->world);
    assert_int_equal(ilk_stats(f->world).alive, 2);
    assert_int_equal(ilk_child_count(f->world, parent), 0);
    assert_int_equal(ilk_source_count(f->world, stranger, &Likes_type), 0);
    ilk_entity there = ilk_blueprint_put(other, b), below[3];
    assert_int_equal(ilk_below(other, there, ILK_WALK_DEPTH, below, 3), 3);
    const Pack* pack = ILK_GET(other, below[2], Pack);
    assert_true(ilk_is_null(pack->friends[0]));
    assert_entity(pack->friends[1], below[1]);
    assert_entity(pack->leader, below[0]);
    for (int32_t i = 0; i < 3; i++) assert_int_equal(ILK_GET(other, below[i], Health)->points, i);
    assert_true(ilk_is_null(ilk_parent(other, there)));
    assert_false(ilk_has(other, below[2], &Likes_type)); // relations are left out
    b = ilk_blueprint_of(other, there, NULL);
    assert_int_equal(ilk_below(other, ilk_blueprint_spawn(other, b), ILK_WALK_DEPTH, NULL, 0), 3);
    ilk_blueprint_destroy(b);
    assert_valid(other);
    ilk_world_destroy(other);
}

ILK_RELATION_WITH(LeansOn, .at_end = ILK_END_REFUSED);

static void who_is_needed_is_not_taken(void** state) {
    fixture* f = *state;
    ilk_entity stranger = ilk_create(f->world), those[3];
    make_tree(f->world, those, stranger);
    assert_ok(ilk_relate(f->world, stranger, &LeansOn_type, those[2]));
    assert_null(ilk_blueprint_take(f->world, those[0], NULL));
    assert_told(f, ILK_NEEDED, "ilk_blueprint_take");
    assert_true(ilk_alive(f->world, those[2]));
    ilk_blueprint_destroy(ilk_blueprint_of(f->world, those[0], NULL));
    assert_ok(ilk_unrelate(f->world, stranger, &LeansOn_type, those[2]));
    assert_ok(ilk_relate(f->world, stranger, &Likes_type, those[2]));
    ilk_blueprint_destroy(ilk_blueprint_take(f->world, those[0], NULL));
    assert_int_equal(ilk_stats(f->world).alive, 1);
    assert_false(ilk_has(f->world, stranger, &Likes_type));
    assert_valid(f->world);
}

static void take_one(ilk_iter* it) {
    assert_null(ilk_blueprint_take(it->world, ilk_entity_at(it->world, 0), NULL));
    assert_null(ilk_blueprint_of(it->world, ilk_entity_at(it->world, 0), NULL));
}

static void what_makes_no_sense_is_refused(void** state) {
    fixture* f = *state;
    static int drops; // counted when the world goes
    ilk_entity e = spawn_orc(f->world, "club");
    assert_null(ilk_blueprint_of(NULL, e, NULL));
    assert_null(ilk_blueprint_take(NULL, e, NULL));
    assert_null(ilk_blueprint_take(f->world, e, &(ilk_allocator){.free = meter_free}));
    assert_told(f, ILK_INVALID, "ilk_blueprint_take");
    assert_ok(ilk_add(f->world, e, single_value(&drops)));
    assert_null(ilk_blueprint_of(f->world, e, NULL));
    assert_told(f, ILK_INVALID, "ilk_blueprint_of");
    assert_true(ilk_has(f->world, e, &Single_type));
    ilk_system_create(f->world, &(ilk_system_desc){.name = "one", .run = take_one});
    assert_ok(ilk_update(f->world, 0.1));
    assert_int_equal(f->told.count, 2);
    assert_int_equal(f->told.last.result, ILK_LOCKED);
    assert_true(ilk_alive(f->world, e));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_blueprint_of_an_entity_has_copies),
        WORLD_TEST(what_is_saved_is_copied_by_a_hook_of_its_own),
        WORLD_TEST(who_is_not_saved_is_left_out_with_all_below),
        WORLD_TEST(an_entity_is_taken_from_one_world_into_another),
        cmocka_unit_test(a_value_is_taken_wherever_it_lies),
        WORLD_TEST(who_is_named_is_known_in_its_world_only),
        NOTED_TEST(observers_are_told_that_it_is_unloaded),
        WORLD_TEST(what_outlives_is_taken_too),
        WORLD_TEST(the_inactive_stay_so),
        WORLD_TEST(children_are_taken_along),
        WORLD_TEST(who_is_needed_is_not_taken),
        WORLD_TEST(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
