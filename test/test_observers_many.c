// Observers of many at once, and of values: what is told together, kept for a moment, and whose
// row it is.
#include "observer_support.h"

static void a_copy_is_told_to_be_off_where_it_is(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Health, 1), ILK_WITH(Enemy));
    assert_ok(ilk_disable(f->world, e, &Health_type));
    watch(f->world, "a", EVERYTHING, NULL);
    assert_false(ilk_is_null(ilk_copy(f->world, e)));
    assert_notices("a created 1 spawn; a added 1 Health=1 spawn; a added 1 Enemy spawn; "
                   "a disabled 1 Health=1 spawn; ");
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

// How many notices there were of a kind, and of how many entities.
typedef struct tally {
    uint32_t matches, matching, ceases, ceasing;
} tally;

static ilk_result count_notice(ilk_notice* n) {
    tally* t = n->user;
    bool begins = n->on == ILK_ON_MATCH;
    ++*(begins ? &t->matches : &t->ceases);
    *(begins ? &t->matching : &t->ceasing) += n->count;
    return ILK_OK;
}

static void assert_told_once(tally* t, uint32_t matching, uint32_t ceasing) {
    assert_int_equal(t->matches, matching > 0);
    assert_int_equal(t->matching, matching);
    assert_int_equal(t->ceases, ceasing > 0);
    assert_int_equal(t->ceasing, ceasing);
    *t = (tally){0};
}

// R001.37: of more entities than one chunk has, when they come, change and go.
static void a_population_that_begins_to_match_is_told_of_once(void** state) {
    enum {
        POPULATION = 1000
    };
    fixture* f = *state;
    static ilk_entity e[POPULATION];
    tally t = {0};
    ilk_observer_desc desc = {.on = ILK_ON_MATCH | ILK_ON_CEASE,
                              .query = {.with = {&Health_type}, .without = {&Frozen_type}},
                              .run = count_notice,
                              .user = &t,
                              .is_many = true};
    assert_non_null(ilk_observer_create(f->world, &desc));
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, POPULATION, ILK_TYPES(&Health_type)));
    for (uint32_t got = 0; ilk_batch_next(&batch); got += batch.count) {
        memcpy(e + got, batch.entities, batch.count * sizeof *e);
    }
    assert_told_once(&t, POPULATION, 0);
    assert_ok(ilk_spawn_many(f->world, &batch, POPULATION, ILK_TYPES(&Position_type)));
    assert_told_once(&t, 0, 0); // they do not match
    assert_ok(ilk_add_many(f->world, e, POPULATION, &Frozen_type, NULL));
    assert_told_once(&t, 0, POPULATION);
    assert_ok(ilk_remove_many(f->world, e, POPULATION, &Frozen_type));
    assert_told_once(&t, POPULATION, 0);
    assert_ok(ilk_destroy_many(f->world, e, POPULATION));
    assert_told_once(&t, 0, POPULATION);
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

// R004.23: becoming inactive and active are notices, as of any other tag; and queries cease and
// begin to match.
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

int main(void) {
    const struct CMUnitTest tests[] = {
        NOTED_TEST(a_copy_is_told_to_be_off_where_it_is),
        NOTED_TEST(bulk_verbs_tell_each_observer_of_all),
        NOTED_TEST(values_of_many_are_theirs_wherever_they_lie),
        NOTED_TEST(bulk_verbs_tell_what_matches),
        NOTED_TEST(a_population_that_begins_to_match_is_told_of_once),
        NOTED_TEST(commands_tell_when_they_are_applied),
        NOTED_TEST(values_that_own_something_are_dropped_once),
        NOTED_TEST(large_values_are_kept_for_a_moment_too),
        NOTED_TEST(resting_and_waking_are_told),
        NOTED_TEST(the_dying_are_told_of_twice),
        NOTED_TEST(the_dying_match_who_asks_for_them),
        NOTED_TEST(a_batch_has_only_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
