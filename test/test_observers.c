// Observers: who is told of what, in which order, with what, and what comes of what they do.
#include "observer_support.h"

// R001.39, C18
static void an_observer_is_told_of_everything_in_order(void** state) {
    fixture* f = *state;
    watch(f->world, "a", EVERYTHING, NULL);
    ilk_entity e = ilk_create(f->world);
    assert_notices("a created 0 spawn; ");
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 5)));
    assert_notices("a added 0 Health=5 change; ");
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 6)));
    assert_notices("a set 0 Health=6<5 change; ");
    assert_ok(ilk_replace(f->world, e, ILK_VALUE(Health, 7)));
    assert_notices("a set 0 Health=7<6 change; ");
    assert_ok(ilk_disable(f->world, e, &Health_type));
    assert_ok(ilk_disable(f->world, e, &Health_type));
    assert_notices("a disabled 0 Health=7 change; ");
    assert_ok(ilk_enable(f->world, e, &Health_type));
    assert_notices("a enabled 0 Health=7 change; ");
    assert_ok(ilk_disable(f->world, e, &Health_type));
    notices[0] = 0;
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 8)));
    assert_notices("a set 0 Health=8<7 change; a enabled 0 Health=8 change; ");
    assert_ok(ilk_set(f->world, e, ILK_WITH(Enemy)));
    assert_notices("a added 0 Enemy change; ");
    assert_non_null(ilk_ensure(f->world, e, &Anchor_type));
    assert_notices("a added 0 Anchor change; ");
    assert_non_null(ilk_ensure(f->world, e, &Anchor_type));
    assert_notices("");
    assert_ok(ilk_remove(f->world, e, &Anchor_type));
    assert_notices("a removed 0 Anchor change; ");
    assert_ok(ilk_destroy(f->world, e));
    assert_notices(
        "a removed 0 Health=8 destroy; a removed 0 Enemy destroy; a destroyed 0 destroy; ");
    ilk_entity s = ILK_SPAWN(f->world, ILK_WITH(Enemy), ILK_VALUE(Health, 3));
    assert_notices("a created 0 spawn; a added 0 Health=3 spawn; a added 0 Enemy spawn; ");
    ilk_entity c = ilk_copy(f->world, s);
    assert_false(ilk_is_null(c));
    assert_notices("a created 1 spawn; a added 1 Health=3 spawn; a added 1 Enemy spawn; ");
    assert_ok(ilk_remove_all(f->world, c));
    assert_notices("a removed 1 Health=3 change; a removed 1 Enemy change; ");
    assert_valid(f->world);
}

// R001.12, C18
static void the_reason_can_be_said_and_asked_for(void** state) {
    fixture* f = *state;
    watch(f->world, "a", EVERYTHING, NULL);
    ilk_observer_create(
        f->world, &(ilk_observer_desc){
                      .name = "loads", .on = EVERYTHING, .reasons = ILK_REASON_LOAD, .run = note});
    assert_int_equal(ilk_set_reason(f->world, ILK_REASON_LOAD), 0);
    ilk_entity e = ilk_create(f->world);
    assert_notices("a created 0 load; loads created 0 load; ");
    assert_int_equal(ilk_set_reason(f->world, ILK_REASON_UNLOAD), ILK_REASON_LOAD);
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("a destroyed 0 unload; ");
    ilk_set_reason(f->world, (ilk_reason)0);
    ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    notices[0] = 0;
    ilk_clear(f->world);
    assert_notices("a removed 0 Health=1 unload; a destroyed 0 unload; ");
    assert_int_equal(ilk_stats(f->world).alive, 0);
}

static void the_end_of_a_world_is_told(void** state) {
    (void)state;
    ilk_world* world = ilk_world_create(NULL); // beside the fixture's
    watch(world, "a", ILK_ON_REMOVE | ILK_ON_DESTROY, NULL);
    ILK_SPAWN(world, ILK_VALUE(Health, 9));
    ilk_world_destroy(world);
    assert_notices("a removed 0 Health=9 unload; a destroyed 0 unload; ");
}

static ilk_result look_around(ilk_notice* n) {
    const Health* here = ILK_GET(n->world, n->entity, Health);
    write_down("%s sees %d, %s; ", on_text(n->on), here ? here->points : -1,
               ilk_alive(n->world, n->entity) ? "alive" : "dead");
    return ILK_OK;
}

// R001.14, R001.39, R001.40: what comes is there, what goes still is.
static void what_goes_can_still_be_read(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = EVERYTHING, .run = look_around});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_notices("created sees 1, alive; added sees 1, alive; ");
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 2)));
    assert_notices("set sees 2, alive; ");
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_notices("removed sees 2, alive; ");
    assert_false(ilk_has(f->world, e, &Health_type));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 3)));
    notices[0] = 0;
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("removed sees 3, alive; destroyed sees 3, alive; ");
    assert_false(ilk_alive(f->world, e));
}

// R001.40: by reason, an observer of a component can leave out entities that come and go.
static void changes_alone_can_be_asked_for(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world,
                        &(ilk_observer_desc){.name = "a",
                                             .on = ILK_ON_ADD | ILK_ON_SET | ILK_ON_REMOVE,
                                             .type = &Health_type,
                                             .query = {.with = {&Position_type}},
                                             .reasons = ILK_REASON_CHANGE,
                                             .run = note});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1), ILK_VALUE(Position, 0, 0));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 2)));
    assert_ok(ilk_set(f->world, e, ILK_WITH(Enemy)));
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_notices("a set 0 Health=2<1 change; a removed 0 Health=2 change; ");
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 3)));
    assert_notices("");
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 0, 0)));
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("");
}

// The order is that of the numbers, then of making; and those of one entity come last.
static void observers_are_called_in_order(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world), other = ilk_create(f->world);
    ilk_observer_desc desc = {.on = ILK_ON_ADD, .run = note};
    const struct {
        const char* name;
        int32_t order;
        bool is_single;
    } made[] = {{"late", 10, false},   {"single", -20, true}, {"first", -5, false},
                {"second", -5, false}, {"plain", 0, false},   {"single 2", -30, true}};
    for (uint32_t i = 0; i < COUNT_OF(made); i++) {
        desc.name = made[i].name;
        desc.order = made[i].order;
        desc.type = i % 2 ? &Enemy_type : NULL;
        desc.entity = made[i].is_single ? e : (ilk_entity){0, 0};
        assert_non_null(ilk_observer_create(f->world, &desc));
    }
    assert_int_equal(ilk_observer_count(f->world), 6);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_notices("first added 0 Enemy change; second added 0 Enemy change; "
                   "plain added 0 Enemy change; late added 0 Enemy change; "
                   "single 2 added 0 Enemy change; single added 0 Enemy change; ");
    assert_ok(ilk_add(f->world, other, ILK_WITH(Frozen)));
    assert_notices("first added 1 Frozen change; plain added 1 Frozen change; "
                   "late added 1 Frozen change; ");
    assert_valid(f->world);
    assert_ok(ilk_destroy(f->world, e));
    assert_int_equal(ilk_observer_count(f->world), 4); // those of the entity went with it
    assert_valid(f->world);
}

static void matching_begins_and_ends(void** state) {
    fixture* f = *state;
    ilk_observer_create(
        f->world, &(ilk_observer_desc){.name = "q",
                                       .on = ILK_ON_MATCH | ILK_ON_CEASE,
                                       .query = {.with = {&Health_type}, .without = {&Frozen_type}},
                                       .run = note});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_notices("q matches 0 spawn; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_notices("");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_notices("q ceases 0 change; ");
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 2)));
    assert_ok(ilk_disable(f->world, e, &Health_type));
    assert_notices("");
    assert_ok(ilk_remove(f->world, e, &Frozen_type));
    assert_notices("");
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 2))); // which switches it on
    assert_notices("q matches 0 change; ");
    assert_ok(ilk_disable(f->world, e, &Health_type));
    assert_notices("q ceases 0 change; ");
    assert_ok(ilk_enable(f->world, e, &Health_type));
    assert_notices("q matches 0 change; ");
    assert_ok(ilk_remove_all(f->world, e));
    assert_notices("q ceases 0 change; ");
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 2)));
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("q matches 0 change; q ceases 0 destroy; ");
    assert_valid(f->world);
}

static void whoever_lacks_something_can_begin_to_match(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.name = "q",
                                                       .on = ILK_ON_MATCH | ILK_ON_CEASE,
                                                       .query = {.where = "!Frozen"},
                                                       .run = look_around});
    ilk_entity e = ilk_create(f->world);
    assert_notices("matches sees -1, alive; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 4)));
    assert_ok(ilk_remove(f->world, e, &Frozen_type));
    assert_notices("ceases sees -1, alive; matches sees 4, alive; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_ok(ilk_remove_all(f->world, e)); // told when all is gone
    assert_notices("ceases sees 4, alive; matches sees -1, alive; ");
}

// What is read when it ceases to match because something goes.
static void a_match_ends_while_all_is_there(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_CEASE,
                                                       .query = {.with = {&Health_type}},
                                                       .run = look_around});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 4));
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_notices("ceases sees 4, alive; ");
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 5)));
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("ceases sees 5, alive; ");
}

static ilk_result look_from_inside(ilk_notice* n) {
    char text[16];
    ilk_query* frozen = n->user;
    ilk_signature(n->world, n->entity, text, sizeof(text));
    write_down("%s, %u alive, %u found, first %u; ", text, ilk_stats(n->world).alive,
               ilk_query_count(n->world, frozen), ilk_query_first(n->world, frozen).index);
    return ILK_OK;
}

// R001.14
static void a_new_entity_is_complete_when_it_is_told(void** state) {
    fixture* f = *state;
    ilk_query* frozen = ilk_query_create(f->world, &(ilk_query_desc){.with = {&Frozen_type}});
    ilk_observer_desc desc = {.on = ILK_ON_CREATE, .run = look_from_inside, .user = frozen};
    assert_non_null(ilk_observer_create(f->world, &desc));
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1), ILK_WITH(Frozen));
    assert_int_equal(e.index, 0);
    assert_notices("11, 1 alive, 1 found, first 0; ");
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 2, ILK_TYPES(&Frozen_type)));
    assert_notices("01, 3 alive, 3 found, first 0; 01, 3 alive, 3 found, first 0; ");
}

// R001.39
static void adding_and_removing_is_no_coming_or_going(void** state) {
    fixture* f = *state;
    watch(f->world, "a", ILK_ON_CREATE | ILK_ON_DESTROY, NULL);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_notices("a created 0 spawn; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 2)));
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_ok(ilk_remove_all(f->world, e));
    ilk_settle(f->world, 0);
    assert_notices("");
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("a destroyed 0 destroy; ");
}

// R001.40: when it comes the query is asked with it, when it goes still with it.
static void the_query_is_asked_while_the_component_is_there(void** state) {
    fixture* f = *state;
    ilk_observer_desc desc = {.name = "a",
                              .on = ILK_ON_ADD | ILK_ON_SET | ILK_ON_REMOVE,
                              .type = &Health_type,
                              .query = {.with = {&Health_type}, .without = {&Frozen_type}},
                              .reasons = ILK_REASON_CHANGE,
                              .run = note};
    assert_non_null(ilk_observer_create(f->world, &desc));
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 1)));
    assert_ok(ilk_replace(f->world, e, ILK_VALUE(Health, 2)));
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_notices("a added 0 Health=1 change; a set 0 Health=2<1 change; "
                   "a removed 0 Health=2 change; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 3)));
    assert_ok(ilk_destroy(f->world, e));
    ILK_SPAWN(f->world, ILK_VALUE(Health, 4));
    assert_notices("");
}

static ilk_result destroy_it(ilk_notice* n) {
    note(n);
    return ilk_cmd_destroy(n->cmd, n->entity);
}

// R001.15, R001.41
static void an_observer_that_destroys_the_entity_ends_the_rest(void** state) {
    fixture* f = *state;
    ilk_observer_desc desc = {.name = "killer", .on = ILK_ON_ADD, .run = destroy_it};
    ilk_observer* killer = ilk_observer_create(f->world, &desc);
    watch(f->world, "b", EVERYTHING, NULL);
    ilk_entity e = ilk_create(f->world);
    notices[0] = 0;
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 1)));
    assert_notices("killer added 0 Health=1 change; b destroyed 0 destroy; ");
    assert_false(ilk_alive(f->world, e));
    assert_true(ilk_is_null(ILK_SPAWN(f->world, ILK_VALUE(Health, 2), ILK_WITH(Enemy))));
    assert_told(f, ILK_DEAD, "ilk_spawn");
    assert_notices("b created 0 spawn; killer added 0 Health=2 spawn; b destroyed 0 destroy; ");
    assert_null(ilk_ensure(f->world, ilk_create(f->world), &Health_type));
    assert_told(f, ILK_DEAD, "ilk_ensure");
    ilk_observer_destroy(killer);
    assert_valid(f->world);
}

static ilk_result undo_health(ilk_notice* n) {
    const Health* health = n->value;
    if (health->points == 2) return ilk_cmd_destroy(n->cmd, n->entity);
    return ilk_cmd_remove(n->cmd, n->entity, n->type);
}

// The table of docs/observers.md.
static void verbs_say_that_they_were_done_not_that_it_lasted(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_ADD | ILK_ON_SET,
                                                       .type = &Health_type,
                                                       .run = undo_health});
    for (int points = 1; points <= 2; points++) {
        bool lives = points == 1;
        ilk_entity e = ilk_create(f->world), many[2];
        assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, points)));
        assert_false(ilk_has(f->world, e, &Health_type));
        assert_int_equal(ilk_alive(f->world, e), lives);
        e = ilk_create(f->world);
        assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, points)));
        assert_false(ilk_has(f->world, e, &Health_type));
        assert_quiet(f);
        e = ILK_SPAWN(f->world, ILK_VALUE(Health, points));
        assert_int_equal(ilk_is_null(e), !lives);
        assert_int_equal(f->told.count, !lives);
        f->told.count = 0;
        assert_ok(ilk_create_many(f->world, many, 2));
        assert_ok(ilk_add_many(f->world, many, 2, &Health_type, (Health[]){{points}, {points}}));
        assert_int_equal(ilk_alive(f->world, many[1]), lives);
        ilk_cmd* cmd = ilk_cmd_take(f->world);
        e = ilk_create(f->world);
        assert_ok(ilk_cmd_add(cmd, e, ILK_VALUE(Health, points)));
        assert_int_equal(ilk_cmd_apply(cmd).done, 1);
        ilk_cmd_give_back(cmd);
        assert_int_equal(ilk_alive(f->world, e), lives);
    }
    ilk_entity e = ilk_create(f->world);
    assert_null(ilk_ensure(f->world, e, &Health_type));
    assert_told(f, ILK_MISSING, "ilk_ensure");
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 3, ILK_TYPES(&Health_type, &Enemy_type)));
    assert_false(ilk_batch_next(&batch));
    assert_valid(f->world);
}

static ilk_result give_armour(ilk_notice* n) {
    note(n);
    return ilk_cmd_add(n->cmd, n->entity, ILK_VALUE(Anchor, 1));
}

// R001.38: later observers see what an earlier one adds; and what is queued is done before the next
// is called, depth first (R001.50).
static void what_an_observer_adds_is_there_for_the_next(void** state) {
    fixture* f = *state;
    ilk_observer_create(
        f->world, &(ilk_observer_desc){.name = "rule", .on = ILK_ON_CREATE, .run = give_armour});
    watch(f->world, "b", ILK_ON_CREATE | ILK_ON_ADD, NULL);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 2));
    assert_true(ilk_has(f->world, e, &Anchor_type));
    assert_notices("rule created 0 spawn; b created 0 spawn; b added 0 Health=2 spawn; "
                   "b added 0 Anchor spawn; ");
}

// Takes a component away that came, and gives it anew; or switches it off.
static ilk_result renew(ilk_notice* n) {
    const Health* health = n->value;
    note(n);
    if (health->points > 100) return ILK_OK;
    if (health->points == 100) return ilk_cmd_disable(n->cmd, n->entity, n->type);
    ilk_cmd_remove(n->cmd, n->entity, n->type);
    return ilk_cmd_add(n->cmd, n->entity, ILK_VALUE(Health, health->points + 100));
}

// Whoever is still to be told of something is told what is so when its turn comes.
static void whose_turn_is_to_come_hears_no_more_than_it_can_know(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    ilk_observer_create(f->world, &(ilk_observer_desc){.name = "renew",
                                                       .on = ILK_ON_ADD | ILK_ON_SET,
                                                       .type = &Health_type,
                                                       .run = renew});
    watch(f->world, "b", EVERYTHING, &Health_type);
    watch(f->world, "ends", ILK_ON_REMOVE, &Health_type);
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 1)));
    assert_notices("renew added 0 Health=1 change; ends removed 0 Health=1 change; "
                   "renew added 0 Health=101 change; b added 0 Health=101 change; ");
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 2)));
    assert_notices("renew set 0 Health=2<101 change; b removed 0 Health=2 change; "
                   "ends removed 0 Health=2 change; renew added 0 Health=102 change; "
                   "b added 0 Health=102 change; ");
    assert_ok(ilk_remove(f->world, e, &Health_type));
    notices[0] = 0;
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 100)));
    assert_notices("renew added 0 Health=100 change; b added 0 Health=100 change; "
                   "b disabled 0 Health=100 change; ");
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Health, 100))); // off, and off again
    assert_notices("renew set 0 Health=100<100 change; b set 0 Health=100<100 change; ");
    assert_false(ilk_enabled(f->world, e, &Health_type));
    assert_valid(f->world);
}

static ilk_result unfreeze(ilk_notice* n) {
    note(n);
    return ilk_cmd_remove(n->cmd, n->entity, &Frozen_type);
}

// What begins and what ceases to match is told in turns, or not at all.
static void a_match_that_is_over_at_once_is_told_to_those_who_saw_it(void** state) {
    fixture* f = *state;
    ilk_observer_desc desc = {.name = "hasty",
                              .on = ILK_ON_MATCH | ILK_ON_CEASE,
                              .query = {.with = {&Frozen_type}},
                              .run = unfreeze};
    ilk_observer_create(f->world, &desc);
    desc.name = "b";
    desc.run = note;
    ilk_observer_create(f->world, &desc);
    desc.name = "ends";
    desc.on = ILK_ON_CEASE;
    ilk_observer_create(f->world, &desc);
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_notices("hasty matches 0 change; hasty ceases 0 change; ends ceases 0 change; ");
    ILK_SPAWN(f->world, ILK_WITH(Frozen));
    assert_notices("hasty matches 1 spawn; hasty ceases 1 change; ends ceases 1 change; ");
}

static void a_copy_is_told_to_be_off_where_it_is(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1), ILK_WITH(Enemy));
    assert_ok(ilk_disable(f->world, e, &Health_type));
    watch(f->world, "a", EVERYTHING, NULL);
    assert_false(ilk_is_null(ilk_copy(f->world, e)));
    assert_notices("a created 1 spawn; a added 1 Health=1 spawn; a added 1 Enemy spawn; "
                   "a disabled 1 Health=1 spawn; ");
}

// The more of them there are, the more quickly it must be known which of them are told already.
static void of_many_those_that_were_told_are_known(void** state) {
    fixture* f = *state;
    ilk_entity e[40];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) e[i] = ilk_create(f->world);
    ilk_observer_desc desc = {
        .name = "hasty", .on = ILK_ON_ADD, .type = &Frozen_type, .run = unfreeze};
    ilk_observer_create(f->world, &desc);
    watch(f->world, "b", EVERYTHING, NULL);
    assert_ok(ilk_add_many(f->world, e, COUNT_OF(e), &Frozen_type, NULL));
    assert_null(strstr(notices, "b "));
    assert_int_equal(ilk_stats_of(f->world, &Frozen_type).count, 0);
}

static ilk_result record_beside(ilk_notice* n) {
    note(n);
    return ilk_cmd_add(n->user, n->entity, ILK_WITH(Frozen));
}

// What is recorded into a buffer that is being applied comes after what is done together.
static void an_observer_may_record_into_the_buffer_that_causes_it(void** state) {
    fixture* f = *state;
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    assert_ok(ilk_register(f->world, &Health_type));
    ilk_observer_create(
        f->world,
        &(ilk_observer_desc){.name = "a", .on = ILK_ON_CREATE, .run = record_beside, .user = cmd});
    ilk_entity e = ilk_cmd_create(cmd);
    assert_ok(ilk_cmd_add(cmd, e, ILK_VALUE(Health, 3)));
    assert_ok(ilk_cmd_remove(cmd, e, &Health_type));
    assert_int_equal(ilk_cmd_apply(cmd).done, 4);
    assert_true(ilk_has(f->world, e, &Frozen_type));
    assert_false(ilk_has(f->world, e, &Health_type));
    ilk_cmd_give_back(cmd);
}

static ilk_result bring_back(ilk_notice* n) {
    note(n);
    assert_int_equal(ilk_add(n->world, n->entity, ILK_WITH(Enemy)), ILK_LOCKED);
    assert_true(ilk_is_null(ilk_create(n->world)));
    ilk_entity ghost = ilk_cmd_spawn(n->cmd, ILK_VALUES(ILK_WITH(Enemy)));
    assert_false(ilk_alive(n->world, ghost));
    ilk_cmd_add(n->cmd, n->entity, ILK_WITH(Frozen)); // on one that will be dead by then
    return ILK_OK;
}

// Commands of those who are told that something goes are done when it is gone. R001.53
static void what_is_asked_for_at_the_end_is_done_after_it(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.name = "ghosts",
                                                       .on = ILK_ON_DESTROY,
                                                       .query = {.with = {&Health_type}},
                                                       .run = bring_back});
    watch(f->world, "b", ILK_ON_CREATE | ILK_ON_DESTROY | ILK_ON_ADD, NULL);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 2));
    notices[0] = 0;
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("ghosts destroyed 0 destroy; b destroyed 0 destroy; b created 1 spawn; "
                   "b added 1 Enemy spawn; ");
    assert_int_equal(ilk_error(f->world).result, ILK_LOCKED);
    assert_non_null(strstr(ilk_error(f->world).text, "observer \"ghosts\""));
}

static ilk_result give_up(ilk_notice* n) {
    note(n);
    return ILK_FULL;
}

// C15
static void a_failing_observer_is_reported_and_stops_no_other(void** state) {
    fixture* f = *state;
    ilk_observer_desc desc = {.name = "bad", .on = ILK_ON_ADD, .run = give_up};
    ilk_observer* bad = ilk_observer_create(f->world, &desc);
    watch(f->world, "good", ILK_ON_ADD, NULL);
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_told(f, ILK_FULL, "ilk_add");
    assert_non_null(
        strstr(f->told.text, "ilk_add of Enemy for entity 0:1: observer \"bad\" failed"));
    assert_notices("bad added 0 Enemy change; good added 0 Enemy change; ");
    ilk_observer_destroy(bad);
    desc.stops = true;
    desc.order = -1;
    ilk_observer_create(f->world, &desc);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_true(ilk_has(f->world, e, &Frozen_type));
    assert_notices("bad added 0 Frozen change; ");
}

static ilk_result destroy_and_give_up(ilk_notice* n) {
    note(n);
    if (n->on == ILK_ON_MATCH || n->on == ILK_ON_ADD) ilk_cmd_destroy(n->cmd, n->entity);
    return ILK_FULL;
}

// Who is stopped has nothing more to come: it is told what becomes of it, whenever that is.
static void who_was_stopped_is_told_what_follows_from_it(void** state) {
    fixture* f = *state;
    const struct {
        uint32_t on, others;
        const char* told;
    } cases[] = {
        {ILK_ON_MATCH, ILK_ON_MATCH | ILK_ON_CEASE, "bad matches 0 change; b ceases 0 destroy; "},
        {ILK_ON_ADD, ILK_ON_ADD | ILK_ON_REMOVE,
         "bad added 0 Enemy change; b removed 0 Enemy destroy; "}};
    for (uint32_t i = 0; i < COUNT_OF(cases); i++) {
        ilk_observer_desc desc = {.name = "bad",
                                  .on = cases[i].on,
                                  .query = {.with = {&Enemy_type}},
                                  .run = destroy_and_give_up,
                                  .stops = true};
        ilk_observer* bad = ilk_observer_create(f->world, &desc);
        desc = (ilk_observer_desc){
            .name = "b", .on = cases[i].others, .query = desc.query, .run = note};
        ilk_observer* b = ilk_observer_create(f->world, &desc);
        ilk_entity e = ilk_create(f->world);
        ilk_add(f->world, e, ILK_WITH(Enemy));
        assert_false(ilk_alive(f->world, e));
        assert_told(f, ILK_FULL, "ilk_add");
        assert_notices(cases[i].told);
        ilk_observer_destroy(bad);
        ilk_observer_destroy(b);
    }
}

static ilk_result give_up_once(ilk_notice* n) {
    bool* gives_up = n->user;
    return *gives_up ? ILK_FULL : ILK_OK;
}

// Nothing is made up for: who comes after one that stops misses that notice, and no other; who
// comes before it misses nothing.
static void who_comes_before_one_that_stops_hears_pairs(void** state) {
    fixture* f = *state;
    bool gives_up = true;
    ilk_observer_desc desc = {.name = "before",
                              .on = ILK_ON_ADD | ILK_ON_REMOVE,
                              .type = &Health_type,
                              .order = -1,
                              .run = note};
    ilk_observer_create(f->world, &desc);
    desc.name = "after";
    desc.order = 1;
    ilk_observer_create(f->world, &desc);
    desc = (ilk_observer_desc){.name = "bad",
                               .on = ILK_ON_ADD | ILK_ON_REMOVE,
                               .run = give_up_once,
                               .user = &gives_up,
                               .stops = true};
    ilk_observer_create(f->world, &desc);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_notices("before added 0 Health=1 spawn; ");
    gives_up = false;
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_notices("before removed 0 Health=1 change; after removed 0 Health=1 change; ");
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Health, 2)));
    assert_notices("before added 0 Health=2 change; after added 0 Health=2 change; ");
    gives_up = true;
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_notices("before removed 0 Health=2 change; ");
}

// By a query, ends are told with their beginnings by what matches, and not by what is there.
static void pairs_by_a_query_are_matches(void** state) {
    fixture* f = *state;
    ilk_observer_desc desc = {.name = "q",
                              .on = ILK_ON_MATCH | ILK_ON_CEASE,
                              .query = {.with = {&Health_type}, .without = {&Frozen_type}},
                              .run = note};
    ilk_observer_create(f->world, &desc);
    desc.name = "c";
    desc.on = ILK_ON_ADD | ILK_ON_REMOVE;
    desc.type = &Health_type;
    ilk_observer_create(f->world, &desc);
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_notices("c added 0 Health=1 spawn; q matches 0 spawn; ");
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_notices("q ceases 0 change; ");
    assert_ok(ilk_remove(f->world, e, &Health_type));
    assert_notices("");
}

typedef struct keeping {
    ilk_cmd* cmd;
    ilk_entity made;
} keeping;

static ilk_result keep_cmd(ilk_notice* n) {
    keeping* kept = n->user;
    kept->cmd = n->cmd;
    kept->made = ilk_cmd_spawn(n->cmd, ILK_VALUES(ILK_VALUE(Health, 1)));
    ilk_cmd_give_back(n->cmd);
    return ILK_OK;
}

// What was recorded is done all the same.
static void an_observers_buffer_is_its_own(void** state) {
    fixture* f = *state;
    keeping kept = {0};
    ilk_observer_create(f->world,
                        &(ilk_observer_desc){
                            .on = ILK_ON_ADD, .type = &Enemy_type, .run = keep_cmd, .user = &kept});
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Enemy));
    assert_told(f, ILK_INVALID, "ilk_cmd_give_back");
    assert_non_null(strstr(f->told.text, "the buffer is that of an observer, and stays so"));
    assert_true(ilk_has(f->world, kept.made, &Health_type));
    assert_int_equal(ilk_cmd_destroy(kept.cmd, e), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_destroy");
    assert_string_equal(f->told.text, "ilk_cmd_destroy: the buffer was that of an observer, which "
                                      "has returned");
    ilk_cmd_give_back(kept.cmd);
    assert_told(f, ILK_INVALID, "ilk_cmd_give_back");
    assert_ok(ilk_add(f->world, kept.made, ILK_WITH(Enemy)));
    assert_int_equal(ilk_stats(f->world).alive, 3);
    assert_valid(f->world);
}

static ilk_result misbehave(ilk_notice* n) {
    note(n);
    return ilk_cmd_add(n->cmd, n->entity, ILK_WITH(Enemy)); // which it has
}

static void a_command_of_an_observer_that_fails_names_it(void** state) {
    fixture* f = *state;
    ilk_observer_create(
        f->world, &(ilk_observer_desc){
                      .name = "clumsy", .on = ILK_ON_ADD, .type = &Enemy_type, .run = misbehave});
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_told(f, ILK_EXISTS, "ilk_add");
    assert_non_null(strstr(f->told.text, "observer \"clumsy\""));
}

static ilk_result toggle(ilk_notice* n) {
    if (n->on == ILK_ON_ADD) return ilk_cmd_remove(n->cmd, n->entity, n->type);
    return ilk_cmd_add(n->cmd, n->entity, (ilk_value){n->type, NULL});
}

static void observers_that_cause_each_other_for_ever_are_stopped(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.name = "toggle",
                                                       .on = ILK_ON_ADD | ILK_ON_REMOVE,
                                                       .type = &Enemy_type,
                                                       .run = toggle});
    ilk_entity e = ilk_create(f->world);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_told(f, ILK_FULL, "ilk_add");
    assert_non_null(strstr(f->told.text, "nested 32 deep: \"toggle\" because of \"toggle\""));
    assert_valid(f->world);
}

static ilk_observer* victims[2];

static ilk_result unsubscribe(ilk_notice* n) {
    note(n);
    ilk_observer_destroy(n->user ? n->user : n->observer);
    return ILK_OK;
}

static ilk_result subscribe(ilk_notice* n) {
    note(n);
    watch(n->world, "new", ILK_ON_ADD, NULL);
    return ILK_OK;
}

static void observers_come_and_go_while_they_are_told(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    ilk_observer_desc desc = {.name = "self", .on = ILK_ON_ADD, .run = unsubscribe};
    ilk_observer_create(f->world, &desc);
    desc.name = "other";
    victims[0] = watch(f->world, "victim", ILK_ON_ADD, NULL);
    desc.user = victims[0];
    desc.order = -1;
    ilk_observer* other = ilk_observer_create(f->world, &desc);
    desc = (ilk_observer_desc){.name = "maker", .on = ILK_ON_ADD, .order = -2, .run = subscribe};
    ilk_observer* maker = ilk_observer_create(f->world, &desc);
    watch(f->world, "last", ILK_ON_ADD, NULL);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Enemy)));
    assert_notices("maker added 0 Enemy change; other added 0 Enemy change; "
                   "self added 0 Enemy change; last added 0 Enemy change; ");
    ilk_observer_destroy(maker);
    ilk_observer_destroy(other);
    assert_int_equal(ilk_observer_count(f->world), 2);
    assert_ok(ilk_add(f->world, e, ILK_WITH(Frozen)));
    assert_notices("last added 0 Frozen change; new added 0 Frozen change; ");
    assert_valid(f->world);
}

// R001.16: bulk verbs go by observer, and by block where the observer takes many.
static void bulk_verbs_tell_each_observer_of_all(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    watch(f->world, "a", EVERYTHING, NULL);
    ilk_observer_create(
        f->world,
        &(ilk_observer_desc){.name = "many", .on = EVERYTHING, .run = note, .is_many = true});
    assert_ok(ilk_create_many(f->world, e, 2));
    assert_notices("a created 0 spawn; a created 1 spawn; many created 0+1 spawn; ");
    assert_ok(ilk_add_many(f->world, e, 2, &Health_type, NULL));
    assert_notices("a added 0 Health=100 change; a added 1 Health=100 change; "
                   "many added 0+1 Health=100 change; ");
    assert_ok(ilk_remove_many(f->world, e, 2, &Health_type));
    assert_notices("a removed 0 Health=100 change; a removed 1 Health=100 change; "
                   "many removed 0+1 Health=100 change; ");
    ilk_entity twice[3] = {e[0], e[0], e[1]};
    assert_int_equal(ilk_destroy_many(f->world, twice, 3), ILK_DEAD);
    assert_notices("a destroyed 0 destroy; a destroyed 1 destroy; many destroyed 0+1 destroy; ");
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 3, ILK_TYPES(&Health_type)));
    assert_notices("a created 1 spawn; a created 0 spawn; a created 2 spawn; "
                   "many created 1+2 spawn; "
                   "a added 1 Health=100 spawn; a added 0 Health=100 spawn; "
                   "a added 2 Health=100 spawn; many added 1+2 Health=100 spawn; ");
    assert_true(ilk_batch_next(&batch));
    assert_valid(f->world);
}

static void bulk_verbs_tell_what_matches(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    ilk_observer_create(
        f->world, &(ilk_observer_desc){.name = "q",
                                       .on = ILK_ON_MATCH | ILK_ON_CEASE,
                                       .query = {.with = {&Enemy_type}, .without = {&Frozen_type}},
                                       .run = note,
                                       .is_many = true});
    assert_ok(ilk_create_many(f->world, e, 3));
    assert_ok(ilk_add_many(f->world, e, 3, &Enemy_type, NULL));
    assert_notices("q matches 0+2 change; ");
    assert_ok(ilk_add_many(f->world, e + 1, 2, &Frozen_type, NULL));
    assert_notices("q ceases 1+1 change; ");
    assert_ok(ilk_remove_many(f->world, e, 3, &Enemy_type));
    assert_notices("q ceases 0 change; ");
    assert_ok(ilk_add_many(f->world, e, 3, &Enemy_type, NULL));
    assert_ok(ilk_remove_many(f->world, e + 1, 2, &Frozen_type));
    assert_notices("q matches 0 change; q matches 1+1 change; ");
    assert_ok(ilk_destroy_many(f->world, e, 3));
    assert_notices("q ceases 0+2 destroy; ");
}

static void commands_tell_when_they_are_applied(void** state) {
    fixture* f = *state;
    watch(f->world, "a", EVERYTHING, NULL);
    assert_ok(ilk_register(f->world, &Health_type));
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    ilk_entity e = ilk_cmd_create(cmd);
    ilk_cmd_add(cmd, e, ILK_VALUE(Health, 1));
    ilk_cmd_set(cmd, e, ILK_VALUE(Health, 2));
    ilk_cmd_ensure(cmd, e, &Anchor_type);
    ilk_cmd_remove(cmd, e, &Health_type);
    ilk_cmd_destroy(cmd, e);
    assert_notices("");
    assert_int_equal(ilk_cmd_apply(cmd).done, 6);
    assert_notices("a created 0 spawn; a added 0 Health=1 spawn; a set 0 Health=2<1 change; "
                   "a added 0 Anchor change; a removed 0 Health=2 change; "
                   "a removed 0 Anchor destroy; a destroyed 0 destroy; ");
}

static ilk_result keep_old(ilk_notice* n) {
    write_down("%s to %s; ", ((const Owned*)n->old)->text, ((const Owned*)n->value)->text);
    return ILK_OK;
}

static void values_that_own_something_are_dropped_once(void** state) {
    fixture* f = *state;
    hooks_taken();
    ilk_observer_create(
        f->world, &(ilk_observer_desc){.on = ILK_ON_SET, .type = &Owned_type, .run = keep_old});
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Owned, text_copy("one")));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Owned, text_copy("two"))));
    assert_notices("one to two; ");
    assert_hooks(0, 0, 1);
    assert_ok(ilk_destroy(f->world, e));
    assert_hooks(0, 0, 1);
}

typedef struct Large {
    _Alignas(64) unsigned char bytes[1024];
} Large;
ILK_COMPONENT(Large);

static ilk_result compare_large(ilk_notice* n) {
    assert_int_equal((uintptr_t)n->old % 64, 0);
    write_down("%d<%d; ", ((const Large*)n->value)->bytes[1000],
               ((const Large*)n->old)->bytes[1000]);
    return ILK_OK;
}

static void large_values_are_kept_for_a_moment_too(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){
                                      .on = ILK_ON_SET, .type = &Large_type, .run = compare_large});
    static Large large;
    large.bytes[1000] = 1;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE_AT(Large, &large));
    large.bytes[1000] = 2;
    assert_ok(ilk_set(f->world, e, ILK_VALUE_AT(Large, &large)));
    assert_notices("2<1; ");
}

// R004.23: becoming inactive and active are notices, as of any other tag; and queries cease and begin
// to match.
static void resting_and_waking_are_told(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 3));
    watch(f->world, "a", ILK_ON_ADD | ILK_ON_REMOVE, &ilk_inactive_type);
    ilk_observer_create(f->world, &(ilk_observer_desc){.name = "q",
                                                       .on = ILK_ON_MATCH | ILK_ON_CEASE,
                                                       .query = {.with = {&Health_type}},
                                                       .run = note});
    assert_ok(ilk_deactivate(f->world, e));
    assert_notices("q ceases 0 change; a added 0 ilk_inactive change; ");
    assert_ok(ilk_activate(f->world, e));
    assert_notices("a removed 0 ilk_inactive change; q matches 0 change; ");
    ilk_create_inactive(f->world);
    assert_notices("a added 1 ilk_inactive spawn; ");
}

typedef struct Lease {
    int32_t room;
} Lease;
ILK_COMPONENT_WITH(Lease, .outlives = true);

// Whoever something outlives is told to go when it does; what does not outlive it, at once.
static void the_dying_are_told_of_twice(void** state) {
    fixture* f = *state;
    ilk_entity e[2];
    for (int i = 0; i < 2; i++) e[i] = ILK_SPAWN(f->world, ILK_VALUE(Health, 3), ILK_WITH(Lease));
    ilk_entity plain = ILK_SPAWN(f->world, ILK_VALUE(Health, 4));
    watch(f->world, "a", EVERYTHING, NULL);
    ilk_observer_create(
        f->world, &(ilk_observer_desc){.name = "q",
                                       .on = ILK_ON_MATCH | ILK_ON_CEASE,
                                       .query = {.with = {&Lease_type}, .without = {&Health_type}},
                                       .run = note});
    assert_ok(ilk_destroy(f->world, e[0]));
    assert_notices("a removed 0 Health=3 destroy; a added 0 ilk_dying destroy; "
                   "q matches 0 destroy; ");
    assert_true(ilk_dying(f->world, e[0]));
    assert_ok(ilk_remove(f->world, e[0], &Lease_type));
    assert_notices("q ceases 0 change; a removed 0 Lease change; a removed 0 ilk_dying destroy; "
                   "a destroyed 0 destroy; ");
    assert_false(ilk_alive(f->world, e[0]));
    ilk_entity both[] = {e[1], plain};
    assert_ok(ilk_destroy_many(f->world, both, 2));
    assert_notices("a removed 2 Health=4 destroy; a destroyed 2 destroy; "
                   "a removed 1 Health=3 destroy; a added 1 ilk_dying destroy; "
                   "q matches 1 destroy; ");
    assert_ok(ilk_remove_many(f->world, e + 1, 1, &Lease_type));
    assert_notices("q ceases 1 change; a removed 1 Lease change; a removed 1 ilk_dying destroy; "
                   "a destroyed 1 destroy; ");
    assert_valid(f->world);
}

static ilk_result destroy_leased(ilk_notice* n) {
    ilk_entity leased = *(const ilk_entity*)n->user;
    if (!ilk_same(n->entity, leased)) ilk_cmd_destroy(n->cmd, leased);
    return ILK_OK;
}

// A query that asks for the dying by a condition begins to match when an entity begins to die, also
// if an observer of something else has it destroyed.
static void the_dying_match_who_asks_for_them(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 3), ILK_WITH(Lease));
    ilk_entity other = ilk_create(f->world);
    ilk_observer_create(
        f->world, &(ilk_observer_desc){.name = "q",
                                       .on = ILK_ON_ADD | ILK_ON_MATCH | ILK_ON_CEASE,
                                       .query = {.without = {&Enemy_type}, .where = "ilk_dying"},
                                       .run = note});
    ilk_observer_create(
        f->world, &(ilk_observer_desc){.on = ILK_ON_DESTROY, .run = destroy_leased, .user = &e});
    assert_ok(ilk_destroy(f->world, other));
    assert_true(ilk_dying(f->world, e));
    assert_notices("q added 0 ilk_dying destroy; q matches 0 destroy; ");
    assert_ok(ilk_remove(f->world, e, &Lease_type));
    assert_notices("q ceases 0 destroy; ");
    assert_false(ilk_alive(f->world, e));
    assert_valid(f->world);
}

static ilk_result replace_by_kid(ilk_notice* n) {
    if (((const Health*)n->value)->points == 77) return ILK_OK;
    ilk_cmd_destroy(n->cmd, n->entity);
    ilk_cmd_spawn(n->cmd, ILK_VALUES(ILK_VALUE(Health, 77)));
    return ILK_OK;
}

// Those that observers destroyed are not in the batch, and whoever has their rows is not either.
static void a_batch_has_only_its_own(void** state) {
    fixture* f = *state;
    ilk_observer_desc desc = {.on = ILK_ON_ADD, .type = &Health_type, .run = replace_by_kid};
    ilk_observer* observer = ilk_observer_create(f->world, &desc);
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 4, ILK_TYPES(&Health_type)));
    assert_false(ilk_batch_next(&batch));
    assert_int_equal(ilk_stats_of(f->world, &Health_type).count, 4); // kids
    ilk_observer_destroy(observer);
    watch(f->world, "a", ILK_ON_ADD, NULL);
    assert_ok(ilk_spawn_many(f->world, &batch, 3, ILK_TYPES(&Health_type)));
    uint32_t count = 0;
    while (ilk_batch_next(&batch)) {
        for (uint32_t i = 0; i < batch.count; i++) ILK_FILL(&batch, Health)[i].points = 5;
        count += batch.count;
    }
    assert_int_equal(count, 3);
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){.read = {&Health_type}});
    uint32_t kids = 0;
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) kids += ILK_READ(&it, Health)[i].points == 77;
    }
    assert_int_equal(kids, 4);
}

// Whoever observes one entity goes while the world is cleared; the others are told of the next end.
static void others_stay_when_single_observers_go(void** state) {
    fixture* f = *state;
    ilk_entity e = ilk_create(f->world);
    ilk_observer_create(
        f->world,
        &(ilk_observer_desc){.name = "own", .on = ILK_ON_DESTROY, .entity = e, .run = note});
    watch(f->world, "all", ILK_ON_CREATE | ILK_ON_DESTROY, NULL);
    ilk_clear(f->world);
    assert_notices("all destroyed 0 unload; own destroyed 0 unload; ");
    e = ilk_create(f->world);
    assert_ok(ilk_destroy(f->world, e));
    assert_notices("all created 0 spawn; all destroyed 0 destroy; ");
}

static ilk_cmd* kept;

static ilk_result keep_buffer(ilk_notice* n) {
    kept = n->cmd;
    return ILK_OK;
}

static void a_buffer_that_is_kept_is_refused(void** state) {
    fixture* f = *state;
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_CREATE, .run = keep_buffer});
    ilk_entity e = ilk_create(f->world);
    assert_int_equal(ilk_cmd_destroy(kept, e), ILK_INVALID);
    assert_told(f, ILK_INVALID, "ilk_cmd_destroy");
    ilk_create(f->world);
    assert_true(ilk_alive(f->world, e));
}

static ilk_result write_in_place(ilk_notice* n) {
    ilk_iter it = ilk_query_iter(n->world, n->user);
    assert_true(ilk_next(&it));
    assert_non_null(ILK_READ(&it, Health));
    assert_null(ILK_WRITE(&it, Health));
    assert_null(ILK_EDIT(n->world, n->entity, Health));
    ilk_set_reason(n->world, ILK_REASON_LOAD);
    return ILK_OK;
}

static void observers_write_nothing_in_place(void** state) {
    fixture* f = *state;
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){.write = {&Health_type}});
    ilk_observer_create(f->world, &(ilk_observer_desc){.on = ILK_ON_ADD,
                                                       .type = &Health_type,
                                                       .run = write_in_place,
                                                       .user = query});
    ILK_SPAWN(f->world, ILK_VALUE(Health, 1));
    assert_int_equal(f->told.count, 3); // the column, the edit and the reason
    assert_int_equal(f->told.last.result, ILK_LOCKED);
    assert_string_equal(f->told.last.call, "ilk_set_reason");
    assert_int_equal(ilk_set_reason(f->world, (ilk_reason)0), 0);
}

static void types_are_the_same_by_name(void** state) {
    fixture* f = *state;
    ilk_type other = {.name = "Health", .size = sizeof(Health)};
    assert_true(ilk_same_type(&Health_type, &other));
    assert_true(ilk_same_type(&Health_type, &Health_type));
    assert_false(ilk_same_type(&Health_type, &Position_type));
    assert_false(ilk_same_type(&Health_type, NULL));
    assert_false(ilk_same_type(NULL, NULL));
    (void)f;
}

static ilk_result note_values(ilk_notice* n) {
    for (uint32_t i = 0; i < n->count; i++) {
        const Large* large = (const Large*)n->value + i;
        write_down("%u=%d ", n->entities[i].index, large->bytes[1000]);
    }
    return ILK_OK;
}

// Few large values of a chunk lie in the order in which they were given.
static void values_of_many_are_theirs_wherever_they_lie(void** state) {
    fixture* f = *state;
    ilk_entity e[300];
    const uint32_t order[] = {5, 3, 7, 4, 6};
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, 0, 0));
    }
    for (uint32_t i = 0; i < COUNT_OF(order); i++) {
        static Large large;
        large.bytes[1000] = (unsigned char)(10 * order[i]);
        assert_ok(ilk_add(f->world, e[order[i]], ILK_VALUE_AT(Large, &large)));
    }
    ilk_observer_desc desc = {
        .on = ILK_ON_REMOVE, .type = &Large_type, .run = note_values, .is_many = true};
    assert_non_null(ilk_observer_create(f->world, &desc));
    assert_ok(ilk_remove_many(f->world, e + 3, 5, &Large_type));
    assert_notices("3=30 4=40 5=50 6=60 7=70 ");
}

static void what_makes_no_sense_is_refused(void** state) {
    fixture* f = *state;
    const ilk_entity dead = {7, 7};
    const struct {
        ilk_observer_desc desc;
        ilk_result result;
    } wrong[] = {
        {{.on = ILK_ON_ADD}, ILK_INVALID},
        {{.run = note}, ILK_INVALID},
        {{.on = 1u << 30, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_MATCH, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_CREATE, .type = &Health_type, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_CREATE, .reasons = 1024, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_ADD, .query = {.changed = {&Health_type}}, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_ADD, .query = {.where = "Nobody"}, .run = note}, ILK_MISSING},
        {{.on = ILK_ON_ADD, .type = &(ilk_type){.size = 4}, .run = note}, ILK_INVALID},
        {{.on = ILK_ON_ADD, .entity = dead, .run = note}, ILK_DEAD},
    };
    for (uint32_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_null(ilk_observer_create(f->world, &wrong[i].desc));
        assert_told(f, wrong[i].result, "ilk_observer_create");
    }
    assert_null(ilk_observer_create(f->world, NULL));
    assert_null(ilk_observer_create(NULL, &wrong[0].desc));
    ilk_observer_destroy(NULL);
    assert_string_equal(ilk_observer_name(NULL), "");
    assert_int_equal(ilk_observer_count(NULL), 0);
    assert_int_equal(ilk_observer_count(f->world), 0);
    assert_int_equal(ilk_set_reason(NULL, ILK_REASON_LOAD), 0);
    assert_valid(f->world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        NOTED_TEST(an_observer_is_told_of_everything_in_order),
        NOTED_TEST(the_reason_can_be_said_and_asked_for),
        NOTED_TEST(the_end_of_a_world_is_told),
        NOTED_TEST(what_goes_can_still_be_read),
        NOTED_TEST(changes_alone_can_be_asked_for),
        NOTED_TEST(observers_are_called_in_order),
        NOTED_TEST(matching_begins_and_ends),
        NOTED_TEST(whoever_lacks_something_can_begin_to_match),
        NOTED_TEST(a_match_ends_while_all_is_there),
        NOTED_TEST(a_new_entity_is_complete_when_it_is_told),
        NOTED_TEST(adding_and_removing_is_no_coming_or_going),
        NOTED_TEST(the_query_is_asked_while_the_component_is_there),
        NOTED_TEST(an_observer_that_destroys_the_entity_ends_the_rest),
        NOTED_TEST(verbs_say_that_they_were_done_not_that_it_lasted),
        NOTED_TEST(what_an_observer_adds_is_there_for_the_next),
        NOTED_TEST(whose_turn_is_to_come_hears_no_more_than_it_can_know),
        NOTED_TEST(a_match_that_is_over_at_once_is_told_to_those_who_saw_it),
        NOTED_TEST(a_copy_is_told_to_be_off_where_it_is),
        NOTED_TEST(of_many_those_that_were_told_are_known),
        NOTED_TEST(an_observer_may_record_into_the_buffer_that_causes_it),
        NOTED_TEST(what_is_asked_for_at_the_end_is_done_after_it),
        NOTED_TEST(a_failing_observer_is_reported_and_stops_no_other),
        NOTED_TEST(who_was_stopped_is_told_what_follows_from_it),
        NOTED_TEST(who_comes_before_one_that_stops_hears_pairs),
        NOTED_TEST(pairs_by_a_query_are_matches),
        NOTED_TEST(an_observers_buffer_is_its_own),
        NOTED_TEST(a_command_of_an_observer_that_fails_names_it),
        NOTED_TEST(observers_that_cause_each_other_for_ever_are_stopped),
        NOTED_TEST(observers_come_and_go_while_they_are_told),
        NOTED_TEST(bulk_verbs_tell_each_observer_of_all),
        NOTED_TEST(values_of_many_are_theirs_wherever_they_lie),
        NOTED_TEST(bulk_verbs_tell_what_matches),
        NOTED_TEST(commands_tell_when_they_are_applied),
        NOTED_TEST(values_that_own_something_are_dropped_once),
        NOTED_TEST(large_values_are_kept_for_a_moment_too),
        NOTED_TEST(resting_and_waking_are_told),
        NOTED_TEST(the_dying_are_told_of_twice),
        NOTED_TEST(the_dying_match_who_asks_for_them),
        NOTED_TEST(a_batch_has_only_its_own),
        NOTED_TEST(others_stay_when_single_observers_go),
        NOTED_TEST(a_buffer_that_is_kept_is_refused),
        NOTED_TEST(observers_write_nothing_in_place),
        NOTED_TEST(types_are_the_same_by_name),
        NOTED_TEST(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
