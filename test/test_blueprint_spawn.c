// Making entities from blueprints: one, many, by command, with the values themselves.
#include "names_support.h"

static ilk_blueprint* orc(void) {
    ilk_blueprint* b = ilk_blueprint_create(NULL);
    assert_ok(ilk_blueprint_add(b, ILK_VALUE(Health, 30)));
    assert_ok(ilk_blueprint_add(b, ILK_VALUE(Position, 1, 2)));
    assert_ok(ilk_blueprint_add(b, ILK_WITH(Enemy)));
    return b;
}

static void give_owned(ilk_blueprint* b, const char* text) {
    Owned owned = {text_copy(text)};
    assert_ok(ilk_blueprint_set(b, ILK_VALUE_AT(Owned, &owned)));
}

// R001.11 R003.31
static void entities_of_a_blueprint_have_values_of_their_own(void** state) {
    fixture* f = *state;
    ilk_blueprint* b = orc();
    give_owned(b, "club");
    ilk_entity one = ilk_blueprint_spawn(f->world, b), two = ilk_blueprint_spawn(f->world, b);
    assert_hooks(0, 2, 0);
    assert_int_equal(ilk_types_of(f->world, one, NULL, 0), 4);
    ILK_EDIT(f->world, one, Health)->points = 1;
    assert_int_equal(ILK_GET(f->world, two, Health)->points, 30);
    assert_int_equal(ILK_BLUEPRINT_GET(b, Health)->points, 30);
    assert_true(same_position(ILK_GET(f->world, two, Position), 1, 2));
    assert_string_equal(ILK_GET(f->world, two, Owned)->text, "club");
    assert_ptr_not_equal(ILK_GET(f->world, one, Owned)->text, ILK_GET(f->world, two, Owned)->text);
    ilk_blueprint_destroy(b);
    assert_hooks(0, 0, 1);
    assert_quiet(f);
}

static void an_empty_blueprint_makes_empty_entities(void** state) {
    fixture* f = *state;
    ilk_blueprint* b = ilk_blueprint_create(NULL);
    ilk_entity e = ilk_blueprint_spawn(f->world, b), many[5];
    assert_true(ilk_alive(f->world, e));
    assert_ok(ilk_blueprint_spawn_many(f->world, b, 5, many));
    for (uint32_t i = 0; i < 5; i++) assert_int_equal(many[i].index, 1 + i);
    assert_int_equal(ilk_types_of(f->world, many[4], NULL, 0), 0);
    assert_ok(ilk_add(f->world, many[4], ILK_WITH(Health)));
    ilk_blueprint_destroy(b);
}

static void many_are_as_one_by_one(void** state) {
    fixture* f = *state;
    enum {
        COUNT = 3000
    };
    static ilk_entity many[COUNT];
    ilk_blueprint* b = orc();
    give_owned(b, "club");
    for (uint32_t i = 0; i < 40; i++) ilk_blueprint_spawn(f->world, b); // some lodge elsewhere
    assert_ok(ilk_destroy(f->world, ilk_entity_at(f->world, 7)));
    hooks_taken();
    assert_ok(ilk_blueprint_spawn_many(f->world, b, COUNT, many));
    assert_hooks(0, COUNT, 0);
    assert_int_equal(many[0].index, 7);
    assert_int_equal(many[1].index, 40);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(ILK_GET(f->world, many[i], Health)->points, 30);
        assert_true(same_position(ILK_GET(f->world, many[i], Position), 1, 2));
        assert_true(ilk_has(f->world, many[i], &Enemy_type));
        assert_string_equal(ILK_GET(f->world, many[i], Owned)->text, "club");
    }
    assert_int_equal(ilk_stats(f->world).alive, 39 + COUNT);
    assert_ok(ilk_blueprint_spawn_many(f->world, b, 2, NULL));
    assert_ok(ilk_blueprint_spawn_many(f->world, b, 0, NULL));
    assert_int_equal(ilk_stats(f->world).alive, 41 + COUNT);
    assert_valid(f->world);
    ilk_blueprint_destroy(b);
}

// Values of every size are repeated, up to what is larger than a cache.
static void values_of_any_size_are_repeated(void** state) {
    fixture* f = *state;
    static const size_t sizes[] = {1, 3, 4, 8, 12, 16, 20, 64, 100, 1024, 5000, 20000};
    static unsigned char bytes[20000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 7 + i / 256);
    for (uint32_t i = 0; i < COUNT_OF(sizes); i++) {
        char name[24];
        snprintf(name, sizeof name, "sized.%zu", sizes[i]);
        ilk_type type = {.name = name, .size = sizes[i], .align = 1};
        ilk_blueprint* b = ilk_blueprint_create(NULL);
        ilk_entity many[150];
        assert_ok(ilk_blueprint_add(b, (ilk_value){&type, bytes}));
        assert_ok(ilk_blueprint_spawn_many(f->world, b, COUNT_OF(many), many));
        for (uint32_t k = 0; k < COUNT_OF(many); k++) {
            assert_memory_equal(ilk_get(f->world, many[k], &type, NULL), bytes, sizes[i]);
        }
        ilk_blueprint_destroy(b);
    }
}

static void what_a_base_has_is_spawned_too(void** state) {
    fixture* f = *state;
    ilk_blueprint *base = orc(), *chief = ilk_blueprint_create(NULL);
    give_owned(base, "club");
    assert_ok(ilk_blueprint_extend(chief, base));
    assert_ok(ilk_blueprint_add(chief, ILK_VALUE(Health, 90)));
    ilk_entity e = ilk_blueprint_spawn(f->world, chief);
    assert_int_equal(ilk_types_of(f->world, e, NULL, 0), 4);
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 90);
    assert_string_equal(ILK_GET(f->world, e, Owned)->text, "club");
    ILK_BLUEPRINT_EDIT(base, Position)->x = 7;
    e = ilk_blueprint_spawn(f->world, chief);
    assert_true(same_position(ILK_GET(f->world, e, Position), 7, 2));
    ilk_blueprint_destroy(base);
    ilk_blueprint_destroy(chief);
}

static void an_entity_may_name_itself(void** state) {
    fixture* f = *state;
    ilk_blueprint *b = ilk_blueprint_create(NULL), *other = ilk_blueprint_create(NULL);
    ilk_entity friend = ilk_create(f->world), many[3];
    Pack pack = {2, {friend, ilk_blueprint_entity(other)}, ilk_blueprint_entity(b)};
    assert_ok(ilk_blueprint_add(b, ILK_VALUE_AT(Pack, &pack)));
    assert_ok(ilk_blueprint_spawn_many(f->world, b, 3, many));
    for (uint32_t i = 0; i < 3; i++) {
        const Pack* made = ILK_GET(f->world, many[i], Pack);
        assert_entity(made->friends[0], friend);
        assert_true(ilk_is_null(made->friends[1])); // nobody is made of that one
        assert_entity(made->leader, many[i]);
    }
    ilk_blueprint_destroy(b);
    ilk_blueprint_destroy(other);
}

static void what_cannot_be_copied_can_be_put(void** state) {
    fixture* f = *state;
    int drops = 0;
    ilk_blueprint* b = orc();
    give_owned(b, "club");
    assert_ok(ilk_blueprint_add(b, single_value(&drops)));
    assert_true(ilk_is_null(ilk_blueprint_spawn(f->world, b)));
    assert_told(f, ILK_INVALID, "ilk_blueprint_spawn");
    hooks_taken();
    ilk_entity e = ilk_blueprint_put(f->world, b);
    assert_hooks(0, 0, 0);
    assert_int_equal(drops, 0);
    assert_string_equal(ILK_GET(f->world, e, Owned)->text, "club");
    assert_ptr_equal(ILK_GET(f->world, e, Single)->drops, &drops);
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(drops, 1);
    assert_hooks(0, 0, 1);
}

// What others extend stays theirs.
static void what_is_put_is_not_taken_from_others(void** state) {
    fixture* f = *state;
    ilk_blueprint *base = orc(), *b = ilk_blueprint_create(NULL),
                  *heir = ilk_blueprint_create(NULL);
    give_owned(base, "club");
    assert_ok(ilk_blueprint_extend(b, base));
    assert_ok(ilk_blueprint_extend(heir, b));
    give_owned(b, "axe");
    ilk_blueprint* child = ilk_blueprint_create(NULL);
    give_owned(child, "knife");
    assert_ok(ilk_blueprint_add_child(b, child));
    ilk_entity e = ilk_blueprint_put(f->world, b);
    ilk_entity knife = ilk_first_child(f->world, ilk_blueprint_spawn(f->world, heir));
    assert_string_equal(ILK_GET(f->world, knife, Owned)->text, "knife");
    assert_string_equal(ILK_GET(f->world, e, Owned)->text, "axe");
    assert_string_equal(ILK_BLUEPRINT_GET(heir, Owned)->text, "axe");
    assert_string_equal(ILK_BLUEPRINT_GET(base, Owned)->text, "club");
    ilk_blueprint_destroy(heir);
    ilk_blueprint_destroy(base);
}

static void a_command_spawns_what_is_registered(void** state) {
    fixture* f = *state;
    ilk_blueprint *b = orc(), *loose = orc();
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    assert_true(ilk_is_null(ilk_cmd_blueprint_spawn(cmd, loose)));
    assert_told(f, ILK_INVALID, "ilk_cmd_blueprint_spawn");
    assert_true(ilk_is_null(ilk_cmd_blueprint_spawn(cmd, NULL)));
    assert_told(f, ILK_INVALID, "ilk_cmd_blueprint_spawn");
    assert_true(ilk_is_null(ilk_cmd_blueprint_spawn(NULL, b)));
    assert_ok(ilk_blueprint_register(f->world, "orc", b));
    assert_ok(ilk_blueprint_register(f->world, "loose", loose));
    ilk_entity e = ilk_cmd_blueprint_spawn(cmd, b), gone = ilk_cmd_blueprint_spawn(cmd, loose);
    assert_ok(ilk_cmd_set(cmd, e, ILK_VALUE(Health, 5)));
    assert_false(ilk_alive(f->world, e));
    ilk_blueprint_destroy(loose);
    ILK_BLUEPRINT_EDIT(b, Position)->x = 8;
    ilk_applied applied = ilk_cmd_apply(cmd);
    assert_int_equal(applied.done, 2);
    assert_int_equal(applied.failed, 1);
    assert_int_equal(applied.result, ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_cmd_apply");
    assert_int_equal(ILK_GET(f->world, e, Health)->points, 5);
    assert_true(same_position(ILK_GET(f->world, e, Position), 8, 2));
    assert_false(ilk_alive(f->world, gone));
    ilk_entity dropped = ilk_cmd_blueprint_spawn(cmd, b);
    ilk_cmd_clear(cmd);
    assert_false(ilk_alive(f->world, dropped));
    ilk_cmd_give_back(cmd);
}

static void spawn_one_in_a_system(ilk_iter* it) {
    ilk_blueprint* b = ilk_blueprint_named(it->world, "orc");
    assert_non_null(b);
    assert_true(ilk_is_null(ilk_blueprint_spawn(it->world, b)));
    assert_int_equal(ilk_blueprint_spawn_many(it->world, b, 2, NULL), ILK_LOCKED);
    *(ilk_entity*)it->user = ilk_cmd_blueprint_spawn(it->cmd, b);
}

static void systems_spawn_by_command(void** state) {
    fixture* f = *state;
    ilk_entity made = {0};
    assert_ok(ilk_blueprint_register(f->world, "orc", orc()));
    ilk_system_create(
        f->world, &(ilk_system_desc){.name = "one", .run = spawn_one_in_a_system, .user = &made});
    assert_ok(ilk_update(f->world, 0.1));
    assert_int_equal(ILK_GET(f->world, made, Health)->points, 30);
    assert_int_equal(f->told.last.result, ILK_LOCKED);
}

// R001.12: the program says why.
static void observers_are_told_when_all_are_there(void** state) {
    fixture* f = *state;
    ilk_blueprint* b = ilk_blueprint_create(NULL);
    assert_ok(ilk_register(f->world, &Health_type));
    assert_ok(ilk_blueprint_add(b, ILK_WITH(Enemy)));
    assert_ok(ilk_blueprint_add(b, ILK_VALUE(Health, 3)));
    watch(f->world, "a", EVERYTHING, NULL);
    watch(f->world, "b", ILK_ON_ADD, &Health_type);
    assert_ok(ilk_blueprint_spawn_many(f->world, b, 2, NULL));
    assert_notices("a created 0 spawn; a created 1 spawn; a added 0 Health=3 spawn; "
                   "a added 1 Health=3 spawn; b added 0 Health=3 spawn; b added 1 Health=3 spawn; "
                   "a added 0 Enemy spawn; a added 1 Enemy spawn; ");
    ilk_set_reason(f->world, ILK_REASON_LOAD);
    ilk_blueprint_put(f->world, b);
    assert_notices("a created 2 load; a added 2 Health=3 load; b added 2 Health=3 load; "
                   "a added 2 Enemy load; ");
}

static ilk_result destroy_it(ilk_notice* n) {
    return ilk_cmd_destroy(n->cmd, n->entity);
}

// R001.15
static void an_observer_may_destroy_it_at_once(void** state) {
    fixture* f = *state;
    ilk_blueprint* b = orc();
    give_owned(b, "club");
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_CREATE, .run = destroy_it});
    assert_true(ilk_is_null(ilk_blueprint_spawn(f->world, b)));
    assert_told(f, ILK_DEAD, "ilk_blueprint_spawn");
    assert_ok(ilk_blueprint_spawn_many(f->world, b, 10, NULL));
    assert_true(ilk_is_null(ilk_blueprint_put(f->world, b)));
    assert_told(f, ILK_DEAD, "ilk_blueprint_put");
    assert_int_equal(ilk_stats(f->world).alive, 0);
}

// What an observer does with the blueprint that was spawned, or is being put.
typedef struct meddling {
    ilk_blueprint* blueprint;
    void (*meddle)(const struct meddling* m, ilk_notice* n);
    bool is_put;
    uint32_t count; // of notices
} meddling;

static ilk_result meddle(ilk_notice* n) {
    meddling* m = n->user;
    if (m->count++ == 0) m->meddle(m, n);
    return ILK_OK;
}

static void destroy_blueprint(const meddling* m, ilk_notice* n) {
    (void)n;
    ilk_blueprint_destroy(m->blueprint);
    if (m->is_put) ilk_blueprint_destroy(m->blueprint); // nothing is done
}

static void edit_blueprint(const meddling* m, ilk_notice* n) {
    ilk_result had = m->is_put ? ILK_MISSING : ILK_OK;
    ilk_blueprint* child = ilk_blueprint_create(NULL);
    (void)n;
    assert_int_equal(ilk_blueprint_has(m->blueprint, &Owned_type), !m->is_put);
    assert_int_equal(ilk_blueprint_remove(m->blueprint, &Owned_type), had);
    assert_ok(ilk_blueprint_set(m->blueprint, ILK_VALUE(Health, 1)));
    give_owned(m->blueprint, "again");
    give_owned(child, "child");
    assert_ok(ilk_blueprint_add_child(m->blueprint, child));
    if (!m->is_put) ilk_blueprint_destroy(m->blueprint);
}

// Who extends it has what it has from then on.
static void extend_blueprint(const meddling* m, ilk_notice* n) {
    ilk_blueprint* heir = ilk_blueprint_create(NULL);
    (void)n;
    assert_ok(ilk_blueprint_extend(heir, m->blueprint));
    ilk_blueprint_destroy(m->blueprint);
    assert_int_equal(ilk_blueprint_has(heir, &Owned_type), !m->is_put);
    ilk_blueprint_destroy(heir);
}

static void put_again(ilk_world* world, ilk_cmd* cmd, void* user) {
    const meddling* m = user;
    ilk_blueprint* owner = ilk_blueprint_create(NULL);
    (void)cmd;
    assert_false(ilk_is_null(ilk_blueprint_spawn(world, m->blueprint)));
    assert_int_equal(ilk_blueprint_add_child(owner, m->blueprint),
                     m->is_put ? ILK_INVALID : ILK_OK);
    ilk_blueprint_destroy(owner); // with its child
    if (!m->is_put) return;
    assert_true(ilk_is_null(ilk_blueprint_put(world, m->blueprint)));
    assert_int_equal(ilk_error(world).result, ILK_INVALID);
    assert_int_equal(ilk_blueprint_register(world, "again", m->blueprint), ILK_INVALID);
}

static void call_put_again(const meddling* m, ilk_notice* n) {
    assert_ok(ilk_cmd_call(n->cmd, put_again, (void*)(uintptr_t)m));
}

static void an_observer_may_do_anything_with_the_blueprint(void** state) {
    fixture* f = *state;
    void (*const ways[])(const meddling* m, ilk_notice* n) = {destroy_blueprint, edit_blueprint,
                                                              extend_blueprint, call_put_again};
    meddling m;
    ilk_observer_create(f->world,
                        &(ilk_observer_desc){.on = ILK_ON_CREATE, .run = meddle, .user = &m});
    for (uint32_t i = 0; i < 2 * COUNT_OF(ways); i++) {
        m = (meddling){orc(), ways[i / 2], i % 2, 0};
        give_owned(m.blueprint, "club");
        ilk_entity many[20] = {{0}}, *last = &many[COUNT_OF(many) - 1];
        if (m.is_put)
            *last = ilk_blueprint_put(f->world, m.blueprint);
        else
            assert_ok(ilk_blueprint_spawn_many(f->world, m.blueprint, COUNT_OF(many), many));
        ilk_entity e = *last;
        assert_string_equal(ILK_GET(f->world, e, Owned)->text, "club");
        assert_int_equal(ILK_GET(f->world, e, Health)->points, 30);
        assert_valid(f->world);
    }
}

static void an_observer_may_destroy_what_a_command_spawns(void** state) {
    fixture* f = *state;
    meddling m = {orc(), destroy_blueprint, false, 0};
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_observer_create(f->world,
                        &(ilk_observer_desc){.on = ILK_ON_CREATE, .run = meddle, .user = &m});
    assert_ok(ilk_blueprint_register(f->world, "orc", m.blueprint));
    ilk_entity one = ilk_cmd_blueprint_spawn(cmd, m.blueprint);
    ilk_entity two = ilk_cmd_blueprint_spawn(cmd, m.blueprint);
    ilk_cmd_apply(cmd);
    assert_told(f, ILK_MISSING, "ilk_cmd_apply");
    assert_true(ilk_alive(f->world, one));
    assert_false(ilk_alive(f->world, two));
    assert_null(ilk_blueprint_named(f->world, "orc"));
    ilk_cmd_give_back(cmd);
}

static void a_world_that_cannot_take_it_is_as_it_was(void** state) {
    (void)state;
    fixture g = {.memory = {.left = UINT64_MAX}};
    ilk_world_desc desc = fixture_desc(&g);
    desc.max_entities = 3;
    desc.types = (ilk_type* const[]){&Health_type, &Position_type, NULL};
    g.world = ilk_world_create(&desc);
    ilk_blueprint* b = orc();
    assert_true(ilk_is_null(ilk_blueprint_spawn(g.world, b)));
    assert_told(&g, ILK_FOREIGN, "ilk_blueprint_spawn");
    assert_ok(ilk_blueprint_remove(b, &Enemy_type));
    assert_int_equal(ilk_blueprint_spawn_many(g.world, b, 4, NULL), ILK_FULL);
    assert_told(&g, ILK_FULL, "ilk_blueprint_spawn_many");
    assert_int_equal(ilk_stats(g.world).alive, 0);
    assert_ok(ilk_blueprint_spawn_many(g.world, b, 3, NULL));
    assert_valid(g.world);
    ilk_world_destroy(g.world);
    ilk_blueprint_destroy(b);
    assert_int_equal(g.memory.bytes, 0);
}

static void what_makes_no_sense_is_invalid(void** state) {
    fixture* f = *state;
    ilk_blueprint *b = orc(), *child = orc();
    assert_true(ilk_is_null(ilk_blueprint_spawn(NULL, b)));
    assert_int_equal(ilk_blueprint_spawn_many(NULL, b, 1, NULL), ILK_INVALID);
    assert_true(ilk_is_null(ilk_blueprint_put(NULL, b)));
    assert_quiet(f);
    assert_true(ilk_is_null(ilk_blueprint_spawn(f->world, NULL)));
    assert_told(f, ILK_INVALID, "ilk_blueprint_spawn");
    assert_int_equal(ilk_blueprint_spawn_many(f->world, NULL, 1, NULL), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_blueprint_spawn_many");
    assert_ok(ilk_blueprint_add_child(b, child));
    assert_true(ilk_is_null(ilk_blueprint_put(f->world, child)));
    assert_told(f, ILK_INVALID, "ilk_blueprint_put");
    assert_ok(ilk_blueprint_register(f->world, "orc", b));
    assert_true(ilk_is_null(ilk_blueprint_put(f->world, b)));
    assert_told(f, ILK_INVALID, "ilk_blueprint_put");
    assert_int_equal(ilk_stats(f->world).alive, 0);
}

static ilk_blueprint* named_child(ilk_blueprint* parent, int32_t points) {
    ilk_blueprint* child = ilk_blueprint_create(NULL);
    assert_ok(ilk_blueprint_add(child, ILK_VALUE(Health, points)));
    assert_ok(ilk_blueprint_add_child(parent, child));
    return child;
}

static int32_t points_of(const ilk_world* world, ilk_entity e) {
    return ILK_GET(world, e, Health)->points;
}

static void children_of_a_blueprint_become_children(void** state) {
    fixture* f = *state;
    ilk_blueprint* b = orc();
    ilk_blueprint* arm = named_child(b, 1);
    named_child(b, 2);
    named_child(arm, 3);
    ilk_entity e = ilk_blueprint_spawn(f->world, b), children[3], many[3];
    assert_int_equal(ilk_children(f->world, e, children, 3), 2);
    assert_int_equal(points_of(f->world, children[0]), 1);
    assert_int_equal(points_of(f->world, children[1]), 2);
    ilk_entity hand = ilk_first_child(f->world, children[0]);
    assert_int_equal(points_of(f->world, hand), 3);
    assert_int_equal(ilk_depth(f->world, hand), 2);
    assert_ok(ilk_blueprint_spawn_many(f->world, b, 3, many));
    assert_valid(f->world);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(ilk_below(f->world, many[i], ILK_WALK_DEPTH, NULL, 0), 4);
        assert_int_equal(points_of(f->world, ilk_first_child(f->world, many[i])), 1);
    }
    assert_ok(ilk_destroy(f->world, e));
    assert_false(ilk_alive(f->world, hand));
    assert_int_equal(ilk_stats(f->world).alive, 12);
    e = ilk_blueprint_put(f->world, b);
    assert_int_equal(ilk_below(f->world, e, ILK_WALK_DEPTH, NULL, 0), 4);
    assert_quiet(f);
}

// Each has its own children, and those of its base after them.
static void a_base_gives_its_children_too(void** state) {
    fixture* f = *state;
    ilk_blueprint *base = orc(), *heir = ilk_blueprint_create(NULL);
    ilk_blueprint* arm = named_child(base, 1);
    Pack pack = {1, {ilk_blueprint_entity(base), ilk_blueprint_entity(arm)}, {0}};
    assert_ok(ilk_blueprint_add(arm, ILK_VALUE_AT(Pack, &pack)));
    assert_ok(ilk_blueprint_extend(heir, base));
    named_child(heir, 2);
    ilk_entity e = ilk_blueprint_spawn(f->world, heir), children[2];
    assert_int_equal(ilk_children(f->world, e, children, 2), 2);
    assert_int_equal(points_of(f->world, children[0]), 2);
    assert_int_equal(points_of(f->world, children[1]), 1);
    assert_entity(ILK_GET(f->world, children[1], Pack)->friends[0], e);
    assert_entity(ILK_GET(f->world, children[1], Pack)->friends[1], children[1]);
    ilk_blueprint_destroy(base);
    e = ilk_blueprint_put(f->world, heir);
    assert_int_equal(ilk_child_count(f->world, e), 2);
}

// Two that extend the same one have a child each that names its own parent.
static void the_nearest_of_several_is_named(void** state) {
    fixture* f = *state;
    ilk_blueprint *base = ilk_blueprint_create(NULL), *root = ilk_blueprint_create(NULL);
    ilk_blueprint* part = ilk_blueprint_create(NULL);
    Pack pack = {1, {ilk_blueprint_entity(base), {0}}, ilk_blueprint_entity(root)};
    assert_ok(ilk_blueprint_add(part, ILK_VALUE_AT(Pack, &pack)));
    assert_ok(ilk_blueprint_add_child(base, part));
    for (uint32_t i = 0; i < 2; i++) {
        ilk_blueprint* heir = ilk_blueprint_create(NULL);
        assert_ok(ilk_blueprint_extend(heir, base));
        assert_ok(ilk_blueprint_add_child(root, heir));
    }
    ilk_entity roots[2];
    assert_ok(ilk_blueprint_spawn_many(f->world, root, 2, roots));
    for (uint32_t i = 0; i < 2; i++) {
        ilk_entity heir = ilk_first_child(f->world, roots[i]);
        for (; !ilk_is_null(heir); heir = ilk_next_child(f->world, heir)) {
            const Pack* made = ILK_GET(f->world, ilk_first_child(f->world, heir), Pack);
            assert_entity(made->friends[0], heir);
            assert_entity(made->leader, roots[i]);
        }
    }
    ilk_blueprint_destroy(root);
    ilk_blueprint_destroy(base);
}

static void a_child_can_come_by_command(void** state) {
    fixture* f = *state;
    ilk_blueprint* b = orc();
    named_child(b, 7);
    assert_ok(ilk_blueprint_register(f->world, "orc", b));
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity e = ilk_cmd_blueprint_spawn(cmd, b), later = ilk_cmd_create(cmd);
    assert_int_equal(ilk_cmd_apply(cmd).done, 2);
    assert_int_equal(points_of(f->world, ilk_first_child(f->world, e)), 7);
    assert_true(ilk_alive(f->world, later));
    ilk_cmd_give_back(cmd);
}

static void relations_are_no_values_of_blueprints(void** state) {
    fixture* f = *state;
    ilk_blueprint* b = orc();
    ilk_entity e = ilk_create(f->world);
    assert_int_equal(ilk_blueprint_add(b, ILK_TO(ilk_child_of, e)), ILK_INVALID);
    assert_int_equal(ilk_blueprint_set(b, ILK_TO(ilk_child_of, e)), ILK_INVALID);
    assert_null(ilk_blueprint_ensure(b, &ilk_child_of_type));
    ilk_blueprint_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(entities_of_a_blueprint_have_values_of_their_own),
        WORLD_TEST(an_empty_blueprint_makes_empty_entities),
        WORLD_TEST(many_are_as_one_by_one),
        WORLD_TEST(values_of_any_size_are_repeated),
        WORLD_TEST(what_a_base_has_is_spawned_too),
        WORLD_TEST(an_entity_may_name_itself),
        WORLD_TEST(what_cannot_be_copied_can_be_put),
        WORLD_TEST(what_is_put_is_not_taken_from_others),
        WORLD_TEST(a_command_spawns_what_is_registered),
        WORLD_TEST(systems_spawn_by_command),
        WORLD_TEST(children_of_a_blueprint_become_children),
        WORLD_TEST(a_base_gives_its_children_too),
        WORLD_TEST(the_nearest_of_several_is_named),
        WORLD_TEST(a_child_can_come_by_command),
        WORLD_TEST(relations_are_no_values_of_blueprints),
        NOTED_TEST(observers_are_told_when_all_are_there),
        WORLD_TEST(an_observer_may_destroy_it_at_once),
        WORLD_TEST(an_observer_may_do_anything_with_the_blueprint),
        WORLD_TEST(an_observer_may_destroy_what_a_command_spawns),
        cmocka_unit_test(a_world_that_cannot_take_it_is_as_it_was),
        WORLD_TEST(what_makes_no_sense_is_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
