// What the sweeps over calls that may need memory share. Each call is made in small scenarios,
// again and again, with the first request for memory refused, the second, the third… until none is
// refused any more: that one alone, and in another round that one and all after it. Each time the
// call either says NO_MEMORY, once, and nothing that can be asked has changed; then it is made
// again, with memory, and does all that it should. Or it gets by without, and has done all that it
// should.
//
// The tables are in test_no_memory.c and its neighbours; the calls that never fail for want of
// memory are in test_needs_none.c; tools/check_no_memory.sh sees to it that no public function is
// left out.
#ifndef ILK_TEST_NEEDY_SUPPORT_H
#define ILK_TEST_NEEDY_SUPPORT_H

#include "stage_support.h"

static inline void prepare_nothing(stage* s) {
    (void)s;
}

// Acts with the request `fail_at` refused, counted from here; 0: none.
static inline ilk_result act_with(stage* s, act_fn* act, uint64_t fail_at, bool is_forever) {
    s->told.count = 0;
    s->plan.refused = 0;
    s->plan.fail_at = fail_at ? s->plan.asked + fail_at : 0;
    s->plan.is_forever = is_forever;
    ilk_result result = act(s);
    s->plan.fail_at = 0;
    return result;
}

typedef enum trait {
    WHOLE,  // it is done, or nothing is
    BY_PART // it does what it can; what is left is done by the next one
} trait;

typedef struct needy {
    const char* name;
    const char* scenario;
    prepare_fn* prepare;
    act_fn* act;
    trait trait;
    const char* told_as; // the calls that may say so; NULL: the call itself
} needy;

// What the world is to be like once all is done.
static inline void summarize_success(summary* t, const needy* n) {
    stage* s = open_stage(n->prepare);
    for (int i = 0; i < (n->trait == BY_PART ? 2 : 1); i++) {
        assert_int_equal(act_with(s, n->act, 0, false), ILK_OK);
        assert_int_equal(s->told.count, 0);
    }
    summarize(t, s);
    close_stage(s);
}

// A failure is told: once, as what it is, and of which call.
static inline void assert_failed(const stage* s, const needy* n, ilk_result result) {
    assert_int_equal(result, ILK_NO_MEMORY);
    assert_int_equal(s->told.last.result, ILK_NO_MEMORY);
    if (n->trait == WHOLE) assert_int_equal(s->told.count, 1);
    assert_non_null(strstr(n->told_as ? n->told_as : n->name, s->told.call));
    assert_memory_equal(s->told.text, s->told.call, strlen(s->told.call));
}

// One attempt. Whether something was refused, and whether that made the call fail.
static inline bool attempt(const needy* n, uint64_t fail_at, bool is_forever, const summary* wanted,
                           uint32_t* failures) {
    static summary before, after;
    stage* s = open_stage(n->prepare);
    summarize(&before, s);
    ilk_result result = act_with(s, n->act, fail_at, is_forever);
    bool was_refused = s->plan.refused > 0;
    assert_valid(s->world);
    summarize(&after, s);
    if (result != ILK_OK) {
        ++*failures;
        assert_true(was_refused);
        assert_failed(s, n, result);
        if (n->trait == WHOLE) assert_string_equal(after.text, before.text);
    }
    if (result != ILK_OK || n->trait == BY_PART) {
        assert_int_equal(act_with(s, n->act, 0, false), ILK_OK);
        assert_int_equal(s->told.count, 0);
        summarize(&after, s);
    }
    if (!s->has_lost) assert_string_equal(after.text, wanted->text);
    close_stage(s);
    return was_refused;
}

static inline void check_needy(const needy* n, bool is_forever) {
    static summary wanted;
    uint32_t failures = 0;
    uint64_t fail_at = 1;
    summarize_success(&wanted, n);
    while (attempt(n, fail_at, is_forever, &wanted, &failures)) {
        assert_true(fail_at++ < 1000);
    }
    assert_true(failures > 0 || !is_forever); // otherwise it belongs into the other table
}

static inline ilk_result apply_all(stage* s) {
    ilk_applied applied = ilk_cmd_apply(s->cmd);
    assert_int_equal(applied.failed + applied.skipped, 0);
    assert_int_equal(applied.left, ilk_cmd_count(s->cmd));
    assert_int_equal(applied.result, applied.left ? ILK_NO_MEMORY : ILK_OK);
    return applied.result;
}

#define MAY_FAIL(function, ...) {#function, __VA_ARGS__}

// Some that never fail otherwise do where somebody observes what they do.
#define OBSERVED(function, ...) {#function, "observed", __VA_ARGS__}

static inline void once(void** state) {
    check_needy(*state, false);
}

static inline void for_ever(void** state) {
    check_needy(*state, true);
}

enum {
    NEEDIES = 200 // the most rows of a table
};

// A condition can name a type that any world of the program has had.
static inline void make_known(ilk_type* type) {
    ilk_world* world = ilk_world_create(NULL);
    assert_ok(ilk_register(world, type));
    ilk_world_destroy(world);
}

// Two tests for each row of a table.
static inline int run_needies(const char* group, const needy* needies, uint32_t count) {
    static struct CMUnitTest tests[NEEDIES * 2];
    static char names[NEEDIES * 2][120];
    assert_true(count <= NEEDIES);
    make_known(&Position_type);
    make_known(&Hoard_type);
    for (uint32_t i = 0; i < count * 2; i++) {
        const needy* n = &needies[i / 2];
        snprintf(names[i], sizeof(names[i]), "%s, %s, %s", n->name, n->scenario,
                 i % 2 ? "for ever" : "once");
        tests[i] = (struct CMUnitTest){.name = names[i],
                                       .test_func = i % 2 ? for_ever : once,
                                       .initial_state = (void*)(uintptr_t)n};
    }
    return _cmocka_run_group_tests(group, tests, count * 2, NULL, NULL);
}

#endif
