// Spaces without memory: each request of each call is refused, that one alone, and that one and all
// after it; of the space's own memory and of the world's. The call says NO_MEMORY, once, or gets by
// without; and the next one does all that it should.
#include "stage_support.h"

#include "space_support.h"

typedef struct scene {
    ilk_world* world;
    plan plan;
    recorder told;
    arena arena;
    ilk_space_desc desc;
    uint32_t calls; // of the last question's function
} scene;

typedef ilk_result call_fn(scene* s);

static ilk_result told_of(const scene* s) {
    return s->told.count ? s->told.last.result : ILK_OK;
}

// Calls

static ilk_result create(scene* s) {
    s->arena.space = ilk_space_create(s->world, &s->desc);
    return s->arena.space ? ILK_OK : told_of(s);
}

static ilk_result refresh(scene* s) {
    return ilk_space_refresh(s->arena.space);
}

static ilk_result find(scene* s) {
    ilk_hit hits[8];
    ilk_space_find(s->arena.space, &(ilk_ask){.order = ILK_BY_DISTANCE}, hits, COUNT_OF(hits));
    return told_of(s);
}

static ilk_result nearest(scene* s) {
    ilk_hit hits[8];
    ilk_space_nearest(s->arena.space, &(ilk_ask){.at = {3}}, hits, COUNT_OF(hits));
    return told_of(s);
}

static ilk_result each(scene* s) {
    ilk_space_each(s->arena.space, &(ilk_ask){0}, count_hit, &s->calls);
    return told_of(s);
}

static ilk_result collect(scene* s) {
    ilk_entity found[500];
    ilk_space_collect(s->arena.space, &(ilk_ask){0}, found, COUNT_OF(found));
    return told_of(s);
}

static ilk_result update(scene* s) {
    ilk_result result = ilk_update(s->world, 0.1);
    return result == ILK_OK ? told_of(s) : result;
}

static const struct {
    const char* name;
    call_fn* call;
} calls[] = {
    {"refresh", refresh}, {"find", find},       {"nearest", nearest},
    {"each", each},       {"collect", collect}, {"update", update},
};

// What there is to do, for the next one who looks

static void place_crowd(scene* s, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        union {
            Place place;
            Spot spot;
            Bounds bounds;
        } value;
        memset(&value, 0, sizeof value);
        pick_value(&s->arena, &value);
        ILK_SPAWN(s->world, ILK_VALUE_AT(Place, &value.place));
    }
}

static void nothing_is_new(scene* s) {
    (void)s;
}

static void some_come(scene* s) {
    place_crowd(s, 90);
}

static void many_come(scene* s) {
    place_crowd(s, 700);
}

static void move_each(scene* s, uint32_t step) {
    uint32_t slots = ilk_stats(s->world).slots;
    for (uint32_t i = 0; i < slots; i += step) {
        ilk_entity e = ilk_entity_at(s->world, i);
        if (!ilk_has(s->world, e, &Place_type)) continue;
        pick_value(&s->arena, ilk_edit(s->world, e, &Place_type));
    }
}

static void some_move(scene* s) {
    move_each(s, 9);
}

static void all_move(scene* s) {
    move_each(s, 1);
}

static void most_go(scene* s) {
    uint32_t slots = ilk_stats(s->world).slots;
    for (uint32_t i = 0; i < slots; i++) {
        if (i % 10) ilk_destroy(s->world, ilk_entity_at(s->world, i));
    }
    place_crowd(s, 40);
}

static void it_goes_back(scene* s) {
    ilk_snapshot* snapshot = ilk_snapshot_take(s->world);
    place_crowd(s, 50);
    ilk_space_refresh(s->arena.space);
    move_each(s, 2);
    assert_ok(ilk_snapshot_restore(snapshot));
    ilk_snapshot_release(snapshot);
}

// Workers find that all have moved, and some that nobody was told of; everybody is to be looked at.
static void it_goes_back_and_all_move(scene* s) {
    place_crowd(s, 1500);
    ilk_snapshot* snapshot = ilk_snapshot_take(s->world);
    assert_ok(ilk_snapshot_restore(snapshot));
    ilk_snapshot_release(snapshot);
    all_move(s);
}

typedef void change_it_fn(scene* s);
static change_it_fn* const changes[] = {
    nothing_is_new, some_come, many_come,    some_move,
    all_move,       most_go,   it_goes_back, it_goes_back_and_all_move};

// Scenes

static scene* open_scene(ilk_space_kind kind, const char* phase, bool shares_memory) {
    scene* s = calloc(1, sizeof *s);
    assert_non_null(s);
    random_state = 77;
    s->plan.memory.left = UINT64_MAX;
    ilk_allocator planned = {planned_alloc, planned_free, &s->plan};
    ilk_world_desc desc = {.message = record, .message_context = &s->told};
    if (shares_memory) desc.allocator = planned;
    s->world = ilk_world_create(&desc);
    assert_ok(ilk_register(s->world, &Place_type));
    s->arena = (arena){.world = s->world, .type = &Place_type, .layout = UNIFORM, .dims = 3};
    s->desc = (ilk_space_desc){.type = &Place_type,
                               .query = {.without = {&Ghost_type}},
                               .kind = kind,
                               .phase = phase,
                               .allocator = planned};
    place_crowd(s, 200);
    return s;
}

static void close_scene(scene* s) {
    ilk_space_destroy(s->arena.space);
    assert_int_equal(ilk_observer_count(s->world), 0);
    assert_int_equal(ilk_system_count(s->world), 0);
    assert_valid(s->world);
    ilk_world_destroy(s->world);
    assert_int_equal(s->plan.memory.bytes, 0);
    assert_false(s->plan.memory.mismatch);
    free(s);
}

static ilk_result call_with(scene* s, call_fn* call, uint64_t fail_at, bool is_forever) {
    s->told.count = 0;
    s->plan.refused = 0;
    s->plan.fail_at = fail_at ? s->plan.asked + fail_at : 0;
    s->plan.is_forever = is_forever;
    ilk_result result = call(s);
    s->plan.fail_at = 0;
    if (result != ILK_OK) {
        assert_int_equal(result, ILK_NO_MEMORY);
        assert_true(s->plan.refused > 0);
        assert_int_equal(s->told.last.result, ILK_NO_MEMORY);
        if (!is_forever) assert_int_equal(s->told.count, 1);
    }
    return result;
}

// It is as useful as ever.
static void assert_whole(scene* s) {
    s->told.count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        ilk_ask ask = pick_ask(&s->arena);
        ask_once(&s->arena, &ask);
    }
    assert_int_equal(s->told.count, 0);
}

// One attempt. Whether something was refused.
static bool attempt_to_create(scene* s, uint64_t fail_at, bool is_forever, uint32_t* failures) {
    ilk_result result = call_with(s, create, fail_at, is_forever);
    bool was_refused = s->plan.refused > 0;
    if (result != ILK_OK) {
        ++*failures;
        assert_int_equal(call_with(s, create, 0, false), ILK_OK);
    }
    assert_whole(s);
    return was_refused;
}

static const ilk_space_kind kinds[] = {ILK_SPACE_MEASURED, ILK_SPACE_GRID, ILK_SPACE_TREE};

static void making_one_fails_as_a_whole(void** state) {
    (void)state;
    for (uint32_t k = 0; k < 2 * 2 * COUNT_OF(kinds); k++) {
        const char* phase = k % 2 ? "update" : NULL;
        uint32_t failures = 0;
        for (uint32_t round = 0; round < 2; round++) {
            bool was_refused = true;
            for (uint64_t fail_at = 1; was_refused; fail_at++) {
                scene* s = open_scene(kinds[k / 4], phase, k / 2 % 2);
                was_refused = attempt_to_create(s, fail_at, round, &failures);
                close_scene(s);
            }
        }
        assert_true(failures > 4);
    }
}

static bool attempt(ilk_space_kind kind, uint32_t call, uint32_t change, uint64_t fail_at,
                    bool is_forever, uint32_t* failures) {
    scene* s = open_scene(kind, call == COUNT_OF(calls) - 1 ? "update" : NULL, false);
    assert_ok(create(s));
    assert_whole(s);
    changes[change](s);
    *failures += call_with(s, calls[call].call, fail_at, is_forever) != ILK_OK;
    bool was_refused = s->plan.refused > 0;
    assert_whole(s);
    all_move(s);
    assert_whole(s);
    close_scene(s);
    return was_refused;
}

static void every_call_is_made_up_for(void** state) {
    (void)state;
    uint32_t step = getenv("ILK_SLOWLY") ? 5 : 1;
    uint32_t failures[COUNT_OF(calls)] = {0};
    for (uint32_t k = 0; k < COUNT_OF(kinds) * COUNT_OF(calls) * COUNT_OF(changes) * 2; k += step) {
        uint32_t call = k / 2 % COUNT_OF(calls), change = k / 2 / COUNT_OF(calls);
        bool was_refused = true;
        for (uint64_t fail_at = 1; was_refused; fail_at++) {
            was_refused = attempt(kinds[change / COUNT_OF(changes)], call,
                                  change % COUNT_OF(changes), fail_at, k % 2, &failures[call]);
        }
    }
    for (uint32_t i = 0; i < COUNT_OF(calls); i++) assert_true(failures[i] > 0);
}

// Observers cannot fail the verb that tells them: then everybody is looked at.
static void what_could_not_be_noted_is_found(void** state) {
    (void)state;
    for (uint32_t i = 0; i < COUNT_OF(kinds); i++) {
        scene* s = open_scene(kinds[i], NULL, false);
        assert_ok(create(s));
        s->plan.fail_at = 1;
        s->plan.is_forever = true;
        most_go(s);
        many_come(s);
        s->plan.fail_at = 0;
        assert_true(s->plan.refused > 0);
        assert_int_equal(s->told.count, 0);
        assert_whole(s);
        close_scene(s);
    }
}

// Nor would the allocator like to be called by several threads at once.
static void collecting_needs_none(void** state) {
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        static ilk_entity found[500];
        scene* s = open_scene(ILK_SPACE_GRID, NULL, true);
        assert_ok(create(s));
        uint64_t asked = s->plan.asked;
        ilk_ask ask = {.order = i ? ILK_BY_DISTANCE : ILK_BY_INDEX};
        assert_true(ilk_space_collect(s->arena.space, &ask, found, COUNT_OF(found)) > 150);
        assert_int_equal(s->plan.asked, asked);
        close_scene(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(making_one_fails_as_a_whole),
        cmocka_unit_test(every_call_is_made_up_for),
        cmocka_unit_test(what_could_not_be_noted_is_found),
        cmocka_unit_test(collecting_needs_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
