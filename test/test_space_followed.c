// Spaces that only their own systems refresh: what systems are answered, whichever of these ran,
// was held back or was taken away; and random worlds, in which each answer is that of looking at
// everybody. SEED is that of the first world, ILK_STEPS how many updates there are. R001.58
#include "space_support.h"

// Whatever is asked, is asked inside a system.

typedef struct watch {
    ilk_space* space;
    ilk_ask ask;
    uint32_t count;
} watch;

static void look(ilk_iter* it) {
    watch* w = it->user;
    w->count = ilk_space_find(w->space, &w->ask, NULL, 0);
}

static void begin_watch(ilk_world* world, watch* w, ilk_space* space) {
    *w = (watch){.space = space};
    ilk_system_desc desc = {.name = "look", .phase = "post", .run = look, .user = w};
    assert_non_null(ilk_system_create(world, &desc));
}

static uint32_t seen_at(ilk_world* world, watch* w, float x) {
    w->ask = (ilk_ask){.shape = ILK_SHAPE_BOX, .low = {x, -1, -1}, .high = {x, 1, 1}};
    assert_ok(ilk_update(world, 0.1));
    return w->count;
}

static void switch_system(ilk_world* world, const char* name, bool is_on) {
    ilk_system* system = ilk_system_named(world, name);
    assert_non_null(system);
    ilk_system_enable(system, is_on);
}

static void move_all(ilk_world* world, float x) {
    for (uint32_t i = 0; i < ilk_stats(world).slots; i++) {
        ILK_EDIT(world, ilk_entity_at(world, i), Place)->at[0] = x;
    }
}

// Systems that are held back

// Few are listed when they have moved; many are too many for the list.
static void what_was_gathered_and_not_moved_is_looked_for(void** state) {
    fixture* f = *state;
    for (uint32_t count = 1; count <= 1000; count *= 1000) {
        watch w;
        for (uint32_t i = 0; i < count; i++) ILK_SPAWN(f->world, ILK_WITH(Place));
        begin_watch(f->world, &w,
                    space_of(f->world, (ilk_space_desc){.type = &Place_type, .phase = "update"}));
        assert_int_equal(seen_at(f->world, &w, 0), count);
        for (float back = 0; back <= 200; back += 200) {
            switch_system(f->world, "space: moving it", false);
            move_all(f->world, 100);
            assert_int_equal(seen_at(f->world, &w, 100), 0); // as of before
            switch_system(f->world, "space: moving it", true);
            move_all(f->world, back);
            assert_int_equal(seen_at(f->world, &w, back), count);
            assert_int_equal(seen_at(f->world, &w, 100), 0);
            assert_int_equal(seen_at(f->world, &w, back), count);
        }
        ilk_space_destroy(w.space);
        assert_ok(ilk_system_destroy(ilk_system_named(f->world, "look")));
        ilk_clear(f->world);
    }
}

static void what_was_not_gathered_is_found_by_who_moves(void** state) {
    fixture* f = *state;
    watch w;
    ILK_SPAWN(f->world, ILK_WITH(Place));
    begin_watch(f->world, &w,
                space_of(f->world, (ilk_space_desc){.type = &Place_type, .phase = "update"}));
    assert_int_equal(seen_at(f->world, &w, 0), 1);
    switch_system(f->world, "space: what has moved", false);
    move_all(f->world, 100);
    assert_int_equal(seen_at(f->world, &w, 100), 1);
    // What was gathered in another update is not what has moved in this one.
    switch_system(f->world, "space: what has moved", true);
    switch_system(f->world, "space: moving it", false);
    move_all(f->world, 200);
    assert_int_equal(seen_at(f->world, &w, 100), 1);
    switch_system(f->world, "space: what has moved", false);
    switch_system(f->world, "space: moving it", true);
    move_all(f->world, 300);
    assert_int_equal(seen_at(f->world, &w, 300), 1);
    ilk_space_destroy(w.space);
}

// The workers look once a step.
static void each_fixed_step_has_its_own(void** state) {
    fixture* f = *state;
    watch w;
    ILK_SPAWN(f->world, ILK_WITH(Place));
    assert_ok(ilk_set_fixed_step(f->world, 0.1, 4));
    begin_watch(f->world, &w,
                space_of(f->world, (ilk_space_desc){.type = &Place_type, .phase = "fixed"}));
    assert_ok(ilk_update(f->world, 0.3));
    uint64_t compared = ilk_space_stats_of(w.space).looked_at;
    move_all(f->world, 100);
    w.ask = (ilk_ask){.shape = ILK_SHAPE_BOX, .low = {100}, .high = {100}};
    assert_ok(ilk_update(f->world, 0.3));
    assert_int_equal(w.count, 1);
    assert_int_equal(ilk_space_stats_of(w.space).looked_at, compared + 1);
    ilk_space_destroy(w.space);
}

// Systems that are taken away

static void nothing(ilk_iter* it) {
    (void)it;
}

static void systems_that_others_take_away_are_left_alone(void** state) {
    fixture* f = *state;
    ilk_space_desc desc = {.type = &Place_type, .phase = "update"};
    for (uint32_t i = 0; i < 8; i++) {
        ilk_space* space = space_of(f->world, desc);
        ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Place));
        const char* const names[] = {"space: moving it", "space: what has moved"};
        for (uint32_t k = 0; k < 2; k++) {
            if (i & 1u << k) assert_ok(ilk_system_destroy(ilk_system_named(f->world, names[k])));
        }
        if (i >= 4) {
            ilk_system_desc other = {.name = "space: moving it", .run = nothing};
            assert_non_null(ilk_system_replace(f->world, &other));
        }
        assert_ok(ilk_update(f->world, 0.1));
        assert_int_equal(count_within(space, 0, 0, 0, 1), 1);
        assert_ok(ilk_destroy(f->world, e));
        assert_int_equal(count_within(space, 0, 0, 0, 1), 0);
        ilk_space_destroy(space);
        assert_int_equal(ilk_system_count(f->world), i >= 4);
        assert_int_equal(ilk_observer_count(f->world), 0);
        if (i >= 4) ilk_system_destroy(ilk_system_named(f->world, "space: moving it"));
        assert_quiet(f);
    }
}

static ilk_space* of_plugin;

static ilk_result install(ilk_world* world, void* phase) {
    of_plugin = ilk_space_create(world, &(ilk_space_desc){.type = &Place_type, .phase = phase});
    return of_plugin ? ILK_OK : ILK_INVALID;
}

static void leave(ilk_world* world, void* phase) {
    (void)world;
    (void)phase;
    ilk_space_destroy(of_plugin);
}

// Its systems and observers go with the plugin: who destroys it before that, in the exit function,
// has none left. Where somebody does not, it still answers for those who are there.
static void a_space_of_a_plugin_goes_with_it(void** state) {
    fixture* f = *state;
    static char phase[] = "update";
    for (uint32_t i = 0; i < 3; i++) {
        ilk_plugin plugin = {.name = "sight",
                             .install = install,
                             .exit = i < 2 ? leave : NULL,
                             .user = i ? phase : NULL};
        assert_ok(ilk_plugin_install(f->world, &plugin));
        ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Place));
        assert_int_equal(count_within(of_plugin, 0, 0, 0, 1), 1);
        assert_ok(ilk_plugin_remove(f->world, "sight"));
        assert_int_equal(ilk_system_count(f->world), 0);
        assert_int_equal(ilk_observer_count(f->world), 0);
        assert_ok(ilk_destroy(f->world, e));
        if (!plugin.exit) assert_int_equal(count_within(of_plugin, 0, 0, 0, 1), 0);
        if (!plugin.exit) ilk_space_destroy(of_plugin);
        assert_quiet(f);
    }
}

// Updates in what a question calls

typedef struct walker {
    ilk_world* world;
    watch* watch;
    uint32_t called;
    uint32_t times[2000];
} walker;

static bool update_once(const ilk_hit* hit, void* user) {
    walker* w = user;
    w->times[hit->entity.index]++;
    if (w->called++ != 100) return true;
    for (uint32_t i = 0; i < 3000; i++) {
        ILK_SPAWN(w->world, ILK_VALUE(Place, {(float)(i * 91 % 997), 0, 0}));
    }
    move_all(w->world, 500);
    assert_int_equal(seen_at(w->world, w->watch, 500), 0); // as of when the question began
    return true;
}

static void nothing_moves_while_a_question_calls(void** state) {
    fixture* f = *state;
    for (uint32_t kind = ILK_SPACE_GRID; kind <= ILK_SPACE_TREE; kind++) {
        watch asked;
        walker w = {.world = f->world, .watch = &asked};
        for (uint32_t i = 0; i < COUNT_OF(w.times); i++) {
            ILK_SPAWN(f->world, ILK_VALUE(Place, {(float)i / 8, 0, 0}));
        }
        begin_watch(f->world, &asked,
                    space_of(f->world, (ilk_space_desc){.type = &Place_type,
                                                        .phase = "update",
                                                        .kind = (ilk_space_kind)kind}));
        assert_int_equal(ilk_space_each(asked.space, &(ilk_ask){0}, update_once, &w),
                         COUNT_OF(w.times));
        assert_told(f, ILK_LOCKED, "ilk_space_refresh");
        for (uint32_t i = 0; i < COUNT_OF(w.times); i++) assert_int_equal(w.times[i], 1);
        move_all(f->world, 0);
        assert_int_equal(seen_at(f->world, &asked, 0), COUNT_OF(w.times) + 3000);
        ilk_space_destroy(asked.space);
        assert_ok(ilk_system_destroy(ilk_system_named(f->world, "look")));
        ilk_clear(f->world);
        assert_quiet(f);
    }
}

// Random worlds
//
// One space for each kind of field: with and without bytes in between, wide and narrow, as boxes
// and not.

typedef struct Narrow {
    char before;
    float at[2];
} Narrow;
ILK_COMPONENT_WITH(Narrow, .fields = ILK_FIELDS(ILK_FIELD(Narrow, at)));
typedef struct Named {
    float before;
    float x, y, z;
    short after;
} Named;
ILK_COMPONENT_WITH(Named, .track = true,
                   .fields = ILK_FIELDS(ILK_FIELD(Named, before), ILK_FIELD(Named, x),
                                        ILK_FIELD(Named, y), ILK_FIELD(Named, z)));
typedef struct Wide {
    int before;
    double at[2];
    float after;
} Wide;
ILK_COMPONENT_WITH(Wide, .fields = ILK_FIELDS(ILK_FIELD(Wide, at)));
typedef struct Whole {
    double at[3];
} Whole;
ILK_COMPONENT_WITH(Whole, .fields = ILK_FIELDS(ILK_FIELD(Whole, at)));
typedef struct Crate {
    float low[3];
    int between;
    float high[3];
} Crate;
ILK_COMPONENT_WITH(Crate, .track = true,
                   .fields = ILK_FIELDS(ILK_FIELD(Crate, low), ILK_FIELD(Crate, high)));
typedef struct Field {
    double low[2], high[2];
} Field;
ILK_COMPONENT_WITH(Field, .fields = ILK_FIELDS(ILK_FIELD(Field, low), ILK_FIELD(Field, high)));

enum {
    KINDS = 6,
    MOST = 1200 // entities, about
};

static ilk_type* const types[KINDS] = {&Narrow_type, &Named_type, &Wide_type,
                                       &Whole_type,  &Crate_type, &Field_type};

typedef union any_value {
    Narrow narrow;
    Named named;
    Wide wide;
    Whole whole;
    Crate crate;
    Field field;
} any_value;

static const uint32_t sides[KINDS] = {2, 3, 2, 3, 3, 2};

static uint32_t kind_of(const ilk_type* type) {
    uint32_t kind = 0;
    while (types[kind] != type) kind++;
    return kind;
}

static double some_number(void) {
    static const double odd[] = {-0.0, 0, NAN, INFINITY, 1e-42, 3e38, -3e38, 1e-310};
    uint32_t at = chance(24);
    return at < COUNT_OF(odd) ? odd[at] : chance(4000) / 16.0 - 125;
}

// (Of the bytes beside the numbers some differ, too.)
static any_value some_value(uint32_t kind) {
    any_value v;
    memset(&v, 0, sizeof v);
    double low[3], high[3];
    for (uint32_t i = 0; i < 3; i++) {
        low[i] = some_number();
        high[i] = low[i] + (chance(3) ? chance(30) : 0) - (chance(60) == 0);
    }
    for (uint32_t i = 0; i < sides[kind]; i++) {
        if (kind == 0) v.narrow.at[i] = (float)low[i];
        if (kind == 2) v.wide.at[i] = low[i];
        if (kind == 3) v.whole.at[i] = low[i];
        if (kind == 4) v.crate.low[i] = (float)low[i];
        if (kind == 4) v.crate.high[i] = (float)high[i];
        if (kind == 5) v.field.low[i] = low[i];
        if (kind == 5) v.field.high[i] = high[i];
    }
    if (kind == 0) v.narrow.before = (char)chance(9);
    if (kind == 1) v.named = (Named){9, (float)low[0], (float)low[1], (float)low[2], 0};
    if (kind == 2 && chance(30) == 0) v.wide.at[0] = 1e151;
    return v;
}

static void fill(uint32_t kind, void* to) {
    any_value value = some_value(kind);
    memcpy(to, &value, types[kind]->size);
}

static void read_value(uint32_t kind, const any_value* value, ilk_box* box) {
    const float named[] = {value->named.x, value->named.y, value->named.z};
    for (uint32_t i = 0; i < sides[kind]; i++) {
        if (kind == 0) box->low[i] = value->narrow.at[i];
        if (kind == 1) box->low[i] = named[i];
        if (kind == 2) box->low[i] = value->wide.at[i];
        if (kind == 3) box->low[i] = value->whole.at[i];
        if (kind == 4) box->low[i] = value->crate.low[i];
        if (kind == 5) box->low[i] = value->field.low[i];
        box->high[i] = box->low[i];
        if (kind == 4) box->high[i] = value->crate.high[i];
        if (kind == 5) box->high[i] = value->field.high[i];
    }
}

static bool where_of(ilk_world* world, ilk_entity e, uint32_t kind, ilk_box* box) {
    const void* value = ilk_get(world, e, types[kind], NULL);
    any_value copy;
    memset(&copy, 0, sizeof copy);
    if (value) memcpy(&copy, value, types[kind]->size);
    read_value(kind, &copy, box);
    return value != NULL;
}

#define WHERE(kind)                                                                                \
    static bool where_##kind(ilk_world* world, ilk_entity e, void* user, ilk_box* box) {           \
        (void)user;                                                                                \
        return where_of(world, e, kind, box);                                                      \
    }
WHERE(0)
WHERE(1)
WHERE(2)
WHERE(3)
WHERE(4)
WHERE(5)
static ilk_where_fn* const wheres[KINDS] = {where_0, where_1, where_2, where_3, where_4, where_5};

typedef struct play {
    ilk_world* world;
    arena arenas[KINDS];
    ilk_snapshot* kept[2];
} play;

static void wander(ilk_iter* it) {
    ilk_type* type = it->user;
    while (ilk_next(it)) {
        unsigned char* values = ilk_column_write(it, type);
        for (uint32_t i = 0; i < it->count; i++) {
            if (chance(12) == 0) fill(kind_of(type), values + i * type->size);
            if (chance(300) == 0) ilk_cmd_destroy(it->cmd, it->entities[i]);
            if (chance(300) == 0) ilk_cmd_disable(it->cmd, it->entities[i], type);
        }
    }
}

static char names[KINDS][4][40]; // of a space, who wanders, and its systems

static void open_kind(play* p, uint32_t kind, bool wanders) {
    snprintf(names[kind][0], 40, "s%u", (unsigned)kind);
    snprintf(names[kind][1], 40, "wander %u", (unsigned)kind);
    snprintf(names[kind][2], 40, "s%u: what has moved", (unsigned)kind);
    snprintf(names[kind][3], 40, "s%u: moving it", (unsigned)kind);
    ilk_system_desc walks = {.name = names[kind][1],
                             .run = wander,
                             .user = types[kind],
                             .stays_on_main = true, // they share what chance knows
                             .query = {.write = {types[kind]}}};
    if (wanders) assert_non_null(ilk_system_create(p->world, &walks));
    ilk_space_desc desc = {.type = types[kind],
                           .field = kind >= 4 ? "low" : NULL,
                           .high = kind >= 4 ? "high" : NULL,
                           .query = {.without = {&Ghost_type}},
                           .phase = "post",
                           .name = names[kind][0],
                           .kind = (ilk_space_kind)chance(3),
                           .is_manual = true};
    p->arenas[kind] = (arena){.world = p->world,
                              .space = space_of(p->world, desc),
                              .type = types[kind],
                              .dims = sides[kind],
                              .where = wheres[kind]};
    p->arenas[kind].query = ilk_query_create(
        p->world, &(ilk_query_desc){.read = {types[kind]}, .without = {&Ghost_type}});
    assert_non_null(p->arenas[kind].query);
}

static void open_play(play* p, uint32_t seed) {
    random_state = seed;
    *p = (play){.world = ilk_world_create(&(ilk_world_desc){.workers = chance(2) * 2})};
    bool wanders = chance(2);
    for (uint32_t i = 0; i < KINDS; i++) assert_ok(ilk_register(p->world, types[i]));
    assert_ok(ilk_register(p->world, &Ghost_type));
    for (uint32_t i = 0; i < KINDS; i++) open_kind(p, i, wanders);
}

static void close_play(play* p) {
    for (uint32_t i = 0; i < COUNT_OF(p->kept); i++) {
        if (p->kept[i]) ilk_snapshot_release(p->kept[i]);
    }
    for (uint32_t i = 0; i < KINDS; i++) ilk_space_destroy(p->arenas[i].space);
    assert_valid(p->world);
    ilk_world_destroy(p->world);
}

static ilk_entity anybody(const play* p) {
    return ilk_entity_at(p->world, chance(ilk_stats(p->world).slots + 1));
}

static void change_one(play* p) {
    ilk_entity e = anybody(p);
    uint32_t kind = chance(KINDS);
    any_value value = some_value(kind);
    switch (chance(10)) {
    case 0:
    case 1:
    case 2:
        if (ilk_stats(p->world).alive < MOST) {
            ilk_spawn(p->world, (ilk_value[]){{types[kind], &value}}, 1);
        }
        break;
    case 3:
        ilk_destroy(p->world, e);
        break;
    case 4:
        ilk_set(p->world, e, ILK_WITH(Ghost));
        break;
    case 5:
        ilk_remove(p->world, e, &Ghost_type);
        break;
    case 6:
        (chance(2) ? ilk_disable : ilk_enable)(p->world, e, types[kind]);
        break;
    case 7:
        (chance(2) ? ilk_deactivate : ilk_activate)(p->world, e);
        break;
    default:
        if (ilk_has(p->world, e, types[kind])) fill(kind, ilk_edit(p->world, e, types[kind]));
    }
}

static void move_everybody(play* p) {
    for (uint32_t i = 0; i < ilk_stats(p->world).slots; i++) {
        ilk_entity e = ilk_entity_at(p->world, i);
        for (uint32_t k = 0; k < KINDS; k++) {
            if (ilk_has(p->world, e, types[k])) fill(k, ilk_edit(p->world, e, types[k]));
        }
    }
}

static void keep_or_go_back(play* p) {
    ilk_snapshot** one = &p->kept[chance(COUNT_OF(p->kept))];
    if (*one)
        ilk_snapshot_restore(*one);
    else
        *one = ilk_snapshot_take(p->world);
}

static void hold_or_let_go(play* p) {
    const char* name = names[chance(KINDS)][2 + chance(2)];
    ilk_system_enable(ilk_system_named(p->world, name), chance(3) > 0);
}

// Its systems do not run through to the end, as the question goes on.
static bool update_inside(const ilk_hit* hit, void* user) {
    (void)hit;
    assert_ok(ilk_update(((play*)user)->world, 0.1));
    return false;
}

static void step(play* p) {
    for (uint32_t i = chance(10) ? chance(30) : 400; i; i--) change_one(p);
    if (chance(6) == 0) move_everybody(p);
    if (chance(8) == 0) keep_or_go_back(p);
    if (chance(20) == 0) ilk_settle(p->world, 0);
    if (chance(12) == 0) ilk_space_refresh(p->arenas[chance(KINDS)].space);
    if (chance(5) == 0) hold_or_let_go(p);
    if (chance(9) == 0) {
        ilk_space_each(p->arenas[chance(KINDS)].space, &(ilk_ask){0}, update_inside, p);
        change_one(p);
    }
    assert_ok(ilk_update(p->world, 0.1));
}

// (Going back switches systems, too.)
static bool is_followed(const play* p, uint32_t kind) {
    return !ilk_system_desc_of(ilk_system_named(p->world, names[kind][3]))->is_disabled;
}

static void ask_all(const play* p) {
    for (uint32_t i = 0; i < KINDS; i++) {
        if (!is_followed(p, i)) continue;
        ilk_ask ask = pick_ask(&p->arenas[i]);
        ask_once(&p->arenas[i], &ask);
        ask_once(&p->arenas[i], &(ilk_ask){0});
    }
}

static uint32_t number(const char* name, uint32_t otherwise) {
    const char* wanted = getenv(name);
    return wanted ? (uint32_t)strtoul(wanted, NULL, 10) : otherwise;
}

static void what_systems_follow_is_what_is_there(void** state) {
    (void)state;
    uint32_t steps = number("ILK_STEPS", getenv("ILK_SLOWLY") ? 80 : 800), seed = number("SEED", 1);
    for (uint32_t done = 0; done < steps; seed++) {
        play p;
        open_play(&p, seed);
        for (uint32_t i = 0; i < 80; i++, done++) {
            if (getenv("ILK_TELL")) print_message("seed %u, step %u\n", seed, i);
            step(&p);
            ask_all(&p);
        }
        close_play(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(what_was_gathered_and_not_moved_is_looked_for),
        WORLD_TEST(what_was_not_gathered_is_found_by_who_moves),
        WORLD_TEST(each_fixed_step_has_its_own),
        WORLD_TEST(systems_that_others_take_away_are_left_alone),
        WORLD_TEST(a_space_of_a_plugin_goes_with_it),
        WORLD_TEST(nothing_moves_while_a_question_calls),
        cmocka_unit_test(what_systems_follow_is_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
