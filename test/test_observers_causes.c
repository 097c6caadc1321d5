// What comes of what observers do: they destroy, give, take, record, fail and stop each other.
#include "observer_support.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        NOTED_TEST(an_observer_that_destroys_the_entity_ends_the_rest),
        NOTED_TEST(verbs_say_that_they_were_done_not_that_it_lasted),
        NOTED_TEST(what_an_observer_adds_is_there_for_the_next),
        NOTED_TEST(whose_turn_is_to_come_hears_no_more_than_it_can_know),
        NOTED_TEST(a_match_that_is_over_at_once_is_told_to_those_who_saw_it),
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
        NOTED_TEST(a_buffer_that_is_kept_is_refused),
        NOTED_TEST(observers_write_nothing_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
