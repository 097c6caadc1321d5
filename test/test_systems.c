// Systems: how they are made, refused, read, replaced and destroyed; their hooks; phases.
#include "schedule_support.h"

static void nothing(ilk_iter* it) {
    (void)it;
}

static void nothing_each(void* user, ilk_entity e, void* const* values) {
    (void)user;
    (void)e;
    (void)values;
}

static void a_name_and_a_function_will_do(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_system_count(f->world), 0);
    assert_null(ilk_system_named(f->world, "a"));
    assert_null(ilk_system_at(f->world, 0));
    ilk_system* a = SYSTEM(f->world, "a");
    ilk_system* b = SYSTEM(f->world, "b", .each = nothing_each, .is_for_all = true);
    assert_ptr_equal(ilk_system_named(f->world, "a"), a);
    assert_ptr_equal(ilk_system_named(f->world, "b"), b);
    assert_null(ilk_system_named(f->world, "c"));
    assert_null(ilk_system_named(f->world, NULL));
    assert_int_equal(ilk_system_count(f->world), 2);
    assert_ptr_equal(ilk_system_at(f->world, 0), a);
    assert_ptr_equal(ilk_system_at(f->world, 1), b);
    assert_null(ilk_system_at(f->world, 2));
    assert_quiet(f);
}

static void a_system_needs_a_name_and_one_function(void** state) {
    fixture* f = *state;
    assert_null(ilk_system_create(f->world, NULL));
    assert_told(f, ILK_INVALID, "ilk_system_create");
    not_made(f, ILK_INVALID, NULL, .run = nothing);
    said(f, "ilk_system_create: a system needs a name");
    not_made(f, ILK_INVALID, "", .run = nothing);
    not_made(f, ILK_INVALID, "a");
    said(f, "ilk_system_create: system \"a\": it needs one of run and each");
    not_made(f, ILK_INVALID, "a", .run = nothing, .interval = -1);
    said(f, "ilk_system_create: system \"a\": its interval is negative, or no number");
    not_made(f, ILK_INVALID, "a", .run = nothing, .is_parallel = true);
    said(f, "ilk_system_create: system \"a\": it is parallel, and has no query to cut");
    not_made(f, ILK_INVALID, "a", .run = nothing, .is_parallel = true,
             .query = {.read = {&Position_type}}, .writes = {&Health_type});
    said(f, "ilk_system_create: system \"a\": it is parallel, and may write in the rows of its "
            "query only");
    not_made(f, ILK_INVALID, "a", .run = nothing, .each = nothing_each);
    assert_null(ilk_system_create(NULL, &(ilk_system_desc){.name = "a", .run = nothing}));
}

// R001.42
static void an_unknown_phase_or_name_is_missing(void** state) {
    fixture* f = *state;
    not_made(f, ILK_MISSING, "a", .run = nothing, .phase = "later");
    said(f, "ilk_system_create: system \"a\": there is no phase \"later\"");
    not_made(f, ILK_MISSING, "a", .run = nothing, .before = {"b"});
    said(f, "ilk_system_create: system \"a\": there is no phase or system \"b\"");
    not_made(f, ILK_MISSING, "a", .run = nothing, .after = {"post", NULL, "c"});
    said(f, "ilk_system_create: system \"a\": there is no phase or system \"c\"");
    not_made(f, ILK_MISSING, "a", .run = nothing, .after = {"a"});
    said(f, "ilk_system_create: system \"a\": there is no phase or system \"a\" but itself");
}

static void what_is_wrong_with_a_query_is_said(void** state) {
    fixture* f = *state;
    not_made(f, ILK_INVALID, "a", .run = nothing,
             .query = {.write = {&Position_type}, .read = {&Position_type}});
    said(f, "ilk_system_create: system \"a\": Position: it is asked for in two ways");
    not_made(f, ILK_INVALID, "b", .run = nothing, .query = {.where = "(Position"});
    said(f, "ilk_system_create: system \"b\": at 10 in \"(Position\": a ')' is missing");
    not_made(f, ILK_INVALID, "b", .run = nothing, .query = {.relates = {{.up = true}}});
    said(f, "ilk_system_create: system \"b\": it asks for a target, and .relates names no "
            "relation");
    not_made(f, ILK_MISSING, "a", .run = nothing, .query = {.where = "Nobody"});
    said(f, "ilk_system_create: system \"a\": at 1 in \"Nobody\": no type in use is called "
            "'Nobody'");
    not_made(f, ILK_INVALID, "a", .run = nothing, .query = {.order_by = &Position_type});
    said(f, "ilk_system_create: system \"a\": order_by and compare go together");
    ilk_type odd = {.name = "Odd", .size = 12, .align = 3};
    not_made(f, ILK_INVALID, "a", .run = nothing, .query = {.with = {&odd}});
    said(f, "ilk_system_create: system \"a\": type Odd is unsound: its alignment is not a power of "
            "two");
    not_made(f, ILK_INVALID, "a", .run = nothing, .writes = {&odd});
    said(f, "ilk_system_create: system \"a\": type Odd is unsound: its alignment is not a power of "
            "two");
    ilk_query_create(f->world, &(ilk_query_desc){.where = "Nobody"});
    said(f, "ilk_query_create: at 1 in \"Nobody\": no type in use is called 'Nobody'");
    f->told.count = 0;
    SYSTEM(f->world, "a");
    ilk_system_replace(f->world,
                       &(ilk_system_desc){.name = "a", .run = nothing, .query = {.where = "!"}});
    said(f, "ilk_system_replace: system \"a\": at 2 in \"!\": a name is missing");
    assert_told(f, ILK_INVALID, "ilk_system_replace");
}

// However long the names are, the sentence ends with what is wrong.
static void long_names_leave_room_for_what_is_wrong(void** state) {
    fixture* f = *state;
    char name[2000], where[400];
    memset(name, 'n', sizeof name - 1);
    memset(where, 'w', sizeof where - 1);
    name[sizeof name - 1] = where[sizeof where - 1] = 0;
    not_made(f, ILK_MISSING, name, .run = nothing, .query = {.where = where});
    assert_non_null(strstr(f->told.text, "system \"nnn"));
    assert_non_null(strstr(f->told.text, "no type in use is called 'www"));
}

// R001.36 C27
static void names_are_unique(void** state) {
    fixture* f = *state;
    ilk_system* a = SYSTEM(f->world, "a", .order = 1);
    not_made(f, ILK_EXISTS, "a", .run = nothing, .order = 2);
    said(f, "ilk_system_create: there is a system \"a\" already");
    assert_ptr_equal(ilk_system_named(f->world, "a"), a);
    assert_int_equal(ilk_system_desc_of(a)->order, 1);
    ilk_world* other = second_world(f, 1);
    SYSTEM(other, "a");
    ilk_world_destroy(other);
    assert_ok(ilk_system_destroy(a));
    SYSTEM(f->world, "a");
}

static bool always(ilk_world* world, void* user) {
    (void)user;
    return world != NULL;
}

// R003.5
static void what_a_system_was_made_with_can_be_read(void** state) {
    fixture* f = *state;
    int user = 0;
    SYSTEM(f->world, "first");
    ilk_system* system = SYSTEM(
        f->world, "a", .run = nothing, .phase = "post", .order = -3, .before = {"draw"},
        .after = {"first", "fixed"}, .interval = 0.5, .runs_paused = true, .when = always,
        .apply = ILK_APPLY_PHASE, .user = &user,
        .query = {.write = {&Position_type}, .read = {&Velocity_type}, .without = {&Frozen_type}});
    const ilk_system_desc* desc = ilk_system_desc_of(system);
    assert_string_equal(desc->name, "a");
    assert_string_equal(desc->phase, "post");
    assert_string_equal(desc->before[0], "draw");
    assert_string_equal(desc->after[0], "first");
    assert_string_equal(desc->after[1], "fixed");
    assert_true(desc->run == nothing && !desc->each && desc->when == always);
    assert_true(desc->order == -3 && desc->interval == 0.5 && desc->apply == ILK_APPLY_PHASE);
    assert_true(desc->runs_paused && !desc->is_disabled && desc->user == &user);
    assert_ptr_equal(desc->query.write[0], &Position_type);
    assert_ptr_equal(desc->query.read[0], &Velocity_type);
    char text[80];
    ilk_query_text(ilk_system_query(system), text, sizeof(text));
    assert_string_equal(text, "write Position; read Velocity; without Frozen");
    assert_null(ilk_system_query(ilk_system_named(f->world, "first")));
}

// R001.36
static void reading_nothing_gives_nothing(void** state) {
    fixture* f = *state;
    assert_null(ilk_system_desc_of(NULL));
    assert_null(ilk_system_query(NULL));
    assert_null(ilk_system_named(NULL, "a"));
    assert_null(ilk_system_at(NULL, 0));
    assert_int_equal(ilk_system_count(NULL), 0);
    assert_int_equal(ilk_system_wave(NULL), 0);
    assert_int_equal(ilk_system_stats_of(NULL).calls, 0);
    ilk_system_stats_reset(NULL);
    ilk_system_enable(NULL, true);
    assert_int_equal(ilk_system_destroy(NULL), ILK_INVALID);
    assert_int_equal(ilk_system_set_order(NULL, 1), ILK_INVALID);
    assert_null(ilk_system_replace(NULL, NULL));
    assert_quiet(f);
}

static void a_description_is_kept_whole(void** state) {
    fixture* f = *state;
    ilk_register(f->world, &Enemy_type);
    char name[] = "a", phase[] = "post", before[] = "draw", where[] = "Enemy";
    ilk_term terms[] = {{ILK_ACCESS_READ, &Position_type}, {0}};
    ilk_system* system = SYSTEM(f->world, name, .phase = phase, .before = {before},
                                .query = {.terms = terms, .where = where});
    name[0] = phase[0] = before[0] = where[0] = 'x';
    terms[0] = (ilk_term){ILK_ACCESS_WRITE, &Velocity_type};
    const ilk_system_desc* desc = ilk_system_desc_of(system);
    assert_ptr_equal(ilk_system_named(f->world, "a"), system);
    assert_string_equal(desc->phase, "post");
    assert_string_equal(desc->before[0], "draw");
    if (desc->query.where) assert_string_equal(desc->query.where, "Enemy");
    if (desc->query.terms) assert_int_equal(desc->query.terms[0].access, ILK_ACCESS_READ);
}

static void the_query_of_a_system_is_not_destroyed_but_with_it(void** state) {
    fixture* f = *state;
    uint32_t count = 0;
    ILK_SPAWN(f->world, ILK_WITH(Position));
    ilk_system* a =
        SYSTEM(f->world, "a", .run = walk_all, .user = &count, .query = {.read = {&Position_type}});
    ilk_query_destroy(ilk_system_query(a));
    assert_told(f, ILK_INVALID, "ilk_query_destroy");
    ilk_trim(f->world);
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(count, 1);
    assert_ok(ilk_system_destroy(a));
    assert_quiet(f);
}

// Padding between the members of a description is no matter.
static void a_query_is_absent_if_its_members_are_zero(void** state) {
    fixture* f = *state;
    static ilk_system_desc desc;
    memset(&desc, 0xa5, sizeof(desc));
    ilk_query_desc* q = &desc.query;
    for (uint32_t i = 0; i < ILK_LIST; i++) {
        q->write[i] = q->read[i] = q->with[i] = q->without[i] = NULL;
        q->any[i] = q->maybe[i] = q->changed[i] = q->added[i] = NULL;
        desc.before[i] = desc.after[i] = NULL;
        desc.reads[i] = desc.writes[i] = NULL;
        desc.reads_resources[i] = desc.writes_resources[i] = NULL;
    }
    q->terms = NULL;
    q->where = NULL;
    for (uint32_t i = 0; i < ILK_RELATES; i++) {
        q->relates[i].relation = q->relates[i].having = NULL;
        q->relates[i].target = (ilk_entity){0, 0};
        q->relates[i].up = false;
    }
    q->order_by = q->order_by_depth = NULL;
    q->compare = NULL;
    q->order_by_index = q->inactive = false;
    desc.name = "a", desc.run = nothing, desc.each = NULL, desc.phase = NULL, desc.order = 0;
    desc.is_for_all = desc.is_disabled = desc.runs_paused = false;
    desc.is_parallel = desc.stays_on_main = false, desc.piece_rows = 0;
    desc.interval = 0, desc.when = NULL, desc.apply = ILK_APPLY_WAVE, desc.user = NULL;
    desc.init = desc.exit = NULL;
    ilk_system* system = ilk_system_create(f->world, &desc);
    assert_non_null(system);
    assert_null(ilk_system_query(system));
}

static void note_init(ilk_world* world, void* user) {
    char word[32];
    snprintf(word, sizeof(word), "+%s", (const char*)user);
    note(word);
    assert_false(ilk_is_null(ILK_SPAWN(world, ILK_WITH(Position))));
}

static void note_exit(ilk_world* world, void* user) {
    char word[32];
    snprintf(word, sizeof(word), "-%s", (const char*)user);
    note(word);
    ilk_entity e = ILK_SPAWN(world, ILK_WITH(Enemy));
    assert_ok(ilk_destroy(world, e));
}
#define HOOKED(text) .user = (text), .init = note_init, .exit = note_exit

// R001.36 R001.37 R002.23
static void hooks_are_called_when_a_system_comes_and_goes(void** state) {
    fixture* f = *state;
    ilk_system* a = SYSTEM(f->world, "a", HOOKED("a"));
    noted("+a");
    assert_int_equal(ilk_stats(f->world).alive, 1);
    not_made(f, ILK_EXISTS, "a", .run = nothing, HOOKED("a"));
    not_made(f, ILK_MISSING, "b", .run = nothing, .phase = "none", HOOKED("b"));
    noted("");
    assert_ok(ilk_system_destroy(a));
    noted("-a");
    assert_int_equal(ilk_system_count(f->world), 0);
    assert_null(ilk_system_named(f->world, "a"));
    assert_quiet(f);
}

// R001.37 R002.23
static void systems_stop_in_reverse_order_with_their_world(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 1);
    SYSTEM(world, "a", HOOKED("a"));
    SYSTEM(world, "b", HOOKED("b"), .query = {.read = {&Position_type}});
    SYSTEM(world, "c", HOOKED("c"));
    noted("+a +b +c");
    assert_ok(ilk_update(world, 1));
    noted("a b c");
    ilk_world_destroy(world);
    noted("-c -b -a");
    assert_quiet(f);
}

static void take_along(ilk_world* world, void* user) {
    note("taking");
    assert_ok(ilk_system_destroy(ilk_system_named(world, user)));
}

static void an_exit_hook_may_destroy_other_systems(void** state) {
    fixture* f = *state;
    ilk_system* a = SYSTEM(f->world, "a", .exit = take_along, .user = (void*)"b");
    SYSTEM(f->world, "b", HOOKED("b"));
    SYSTEM(f->world, "c");
    noted("+b");
    assert_ok(ilk_system_destroy(a));
    noted("taking -b");
    assert_order(f->world, "c");
}

static void an_exit_hook_may_destroy_other_systems_at_the_end_too(void** state) {
    fixture* f = *state;
    ilk_world* world = second_world(f, 1);
    SYSTEM(world, "a", HOOKED("a"));
    SYSTEM(world, "b", HOOKED("b"));
    SYSTEM(world, "c", .exit = take_along, .user = (void*)"a");
    noted("+a +b");
    ilk_world_destroy(world);
    noted("taking -a -b");
    assert_quiet(f);
}

// C27
static void replacing_calls_exit_then_init(void** state) {
    fixture* f = *state;
    assert_non_null(ilk_system_replace(
        f->world, &(ilk_system_desc){.name = "a", .run = note_name, HOOKED("old")}));
    ilk_system* a = ilk_system_replace(
        f->world, &(ilk_system_desc){.name = "a", .run = note_name, .order = 5, HOOKED("new")});
    noted("+old -old +new");
    assert_ptr_equal(ilk_system_named(f->world, "a"), a);
    assert_int_equal(ilk_system_desc_of(a)->order, 5);
    assert_int_equal(ilk_system_count(f->world), 1);
    assert_ok(ilk_update(f->world, 0));
    noted("a");
    assert_quiet(f);
    assert_ok(ilk_system_destroy(a));
}

static void a_replacement_takes_the_place(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a");
    SYSTEM(f->world, "b");
    SYSTEM(f->world, "c", .after = {"b"});
    assert_non_null(
        ilk_system_replace(f->world, &(ilk_system_desc){.name = "b", .run = note_name}));
    assert_order(f->world, "a b c");
    assert_non_null(
        ilk_system_replace(f->world, &(ilk_system_desc){.name = "a", .run = note_name}));
    assert_order(f->world, "a b c");
}

static void try_to_replace(fixture* f, ilk_system_desc desc, ilk_result result) {
    ilk_system* old = ilk_system_named(f->world, desc.name);
    assert_null(ilk_system_replace(f->world, &desc));
    assert_int_equal(ilk_error(f->world).result, result);
    assert_int_equal(f->told.count, 1);
    f->told.count = 0;
    assert_ptr_equal(ilk_system_named(f->world, desc.name), old);
    assert_true(old && ilk_system_desc_of(old)->run == note_name);
    noted("");
}

static void a_replacement_that_fails_leaves_the_old_one(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a");
    SYSTEM(f->world, "b", HOOKED("b"));
    SYSTEM(f->world, "c", .after = {"b"});
    noted("+b");
    try_to_replace(f, (ilk_system_desc){.name = "b"}, ILK_INVALID);
    try_to_replace(f, (ilk_system_desc){.name = "b", .run = nothing, .phase = "x"}, ILK_MISSING);
    try_to_replace(f, (ilk_system_desc){.name = "b", .run = nothing, .after = {"c"}}, ILK_INVALID);
    try_to_replace(f, (ilk_system_desc){.name = "b", .run = nothing, .query = {.where = "("}},
                   ILK_INVALID);
    f->memory.left = 0;
    try_to_replace(f, (ilk_system_desc){.name = "b", .run = nothing}, ILK_NO_MEMORY);
    f->memory.left = UINT64_MAX;
    assert_order(f->world, "a b c");
    assert_ok(ilk_system_destroy(ilk_system_named(f->world, "b")));
    noted("-b");
}

// Systems that change the list of systems by a command, which may change anything.
static void destroy_named(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    assert_ok(ilk_system_destroy(ilk_system_named(world, user)));
    assert_null(ilk_system_named(world, user));
}

static void call_to_destroy(ilk_iter* it) {
    note_name(it);
    assert_int_equal(ilk_system_destroy(it->system), ILK_LOCKED);
    assert_ok(ilk_cmd_call(it->cmd, destroy_named, it->user));
}

// R001.43
static void systems_go_while_others_run(void** state) {
    fixture* f = *state;
    ilk_system_hook* exit = note_exit;
    SYSTEM(f->world, "a", .run = call_to_destroy, .user = (void*)"c");
    SYSTEM(f->world, "b", .run = call_to_destroy, .user = (void*)"b", .exit = exit);
    SYSTEM(f->world, "c", .user = (void*)"c", .exit = exit);
    SYSTEM(f->world, "d");
    assert_ok(ilk_update(f->world, 0));
    noted("a -c b -b d");
    assert_int_equal(f->told.count, 2); // each was LOCKED once
    assert_int_equal(f->told.last.result, ILK_LOCKED);
    assert_order(f->world, "a d");
    assert_ok(ilk_system_destroy(ilk_system_named(f->world, "a")));
    assert_ok(ilk_update(f->world, 0));
    noted("d");
}

static void send_enemy(ilk_iter* it) {
    assert_false(ilk_is_null(ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_WITH(Enemy)))));
}

static void what_a_system_recorded_is_applied_though_it_goes(void** state) {
    fixture* f = *state;
    const ilk_apply times[] = {ILK_APPLY_WAVE, ILK_APPLY_PHASE, ILK_APPLY_FRAME};
    for (uint32_t i = 0; i < COUNT_OF(times); i++) {
        SYSTEM(f->world, "sender", .run = send_enemy, .apply = times[i], .order = -1,
               .query = {.read = {&Position_type}});
        SYSTEM(f->world, "end", .run = call_to_destroy, .user = (void*)"sender", .order = -2,
               .query = {.read = {&Position_type}});
        assert_ok(ilk_update(f->world, 0)); // they are of one wave, and the end of it comes first
        assert_null(ilk_system_named(f->world, "sender"));
        assert_int_equal(ilk_stats_of(f->world, &Enemy_type).count, i + 1);
        assert_ok(ilk_system_destroy(ilk_system_named(f->world, "end")));
    }
    f->told.count = 0; // each end was LOCKED once
    noted("end end end");
}

static void make_late(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    SYSTEM(world, "late", HOOKED(user), .order = -1);
    assert_non_null(ilk_system_named(world, "late"));
}

static void call_to_make(ilk_iter* it) {
    note_name(it);
    static const ilk_system_desc desc = {.name = "late", .run = note_name};
    assert_null(ilk_system_create(it->world, &desc));
    assert_null(ilk_system_replace(it->world, &desc));
    assert_ok(ilk_cmd_call(it->cmd, make_late, it->user));
    ilk_system_enable(it->system, false);
}

// R001.43
static void systems_come_while_others_run(void** state) {
    fixture* f = *state;
    char user[] = "late";
    SYSTEM(f->world, "a", .run = call_to_make, .user = user, .is_for_all = true);
    SYSTEM(f->world, "b");
    assert_ok(ilk_update(f->world, 0));
    noted("a +late b");
    assert_int_equal(f->told.count, 2);
    assert_int_equal(f->told.last.result, ILK_LOCKED);
    assert_order(f->world, "late a b");
    assert_ok(ilk_update(f->world, 0));
    noted("late b");
    assert_ok(ilk_system_destroy(ilk_system_named(f->world, "late")));
    noted("-late");
}

static void replace_a(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    (void)user;
    ilk_system_desc desc = {.name = "a", .run = note_name, HOOKED((void*)"new")};
    assert_non_null(ilk_system_replace(world, &desc));
}

static void call_to_replace(ilk_iter* it) {
    note("old");
    assert_ok(ilk_cmd_call(it->cmd, replace_a, NULL));
}

// R001.43
static void a_system_is_replaced_while_it_runs(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .run = call_to_replace, .user = (void*)"old", .exit = note_exit);
    SYSTEM(f->world, "b");
    assert_ok(ilk_update(f->world, 0));
    noted("old -old +new b");
    assert_ok(ilk_update(f->world, 0));
    noted("a b");
    assert_order(f->world, "a b");
    assert_quiet(f);
}

static void make_cycle(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    fixture* f = user;
    ilk_system_desc desc = {.name = "c", .run = note_name, .before = {"a"}, .after = {"b"}};
    desc.init = note_init;
    desc.user = (void*)"c";
    assert_null(ilk_system_create(world, &desc));
    assert_told(f, ILK_INVALID, "ilk_system_create");
    SYSTEM(world, "d");
}

static void call_to_make_cycle(ilk_iter* it) {
    note_name(it);
    assert_ok(ilk_cmd_call(it->cmd, make_cycle, it->user));
    ilk_system_enable(it->system, false);
}

static void a_cycle_made_while_running_is_refused_at_once(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .run = call_to_make_cycle, .user = f);
    SYSTEM(f->world, "b", .after = {"a"});
    assert_ok(ilk_update(f->world, 0));
    noted("a b");
    assert_quiet(f);
    assert_order(f->world, "a b d");
}

static void phases_are_added(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "post", .phase = "post");
    SYSTEM(f->world, "update");
    assert_ok(ilk_phase_add(f->world, "physics", "update"));
    assert_ok(ilk_phase_add(f->world, "early", "start"));
    assert_ok(ilk_phase_add(f->world, "last", "post"));
    SYSTEM(f->world, "last", .phase = "last");
    SYSTEM(f->world, "physics", .phase = "physics");
    SYSTEM(f->world, "early", .phase = "early");
    SYSTEM(f->world, "fixed", .phase = "fixed");
    SYSTEM(f->world, "start", .phase = "start");
    for (int i = 0; i < 2; i++) {
        assert_ok(ilk_update(f->world, 0.02));
        noted(i ? "early fixed update physics post last"
                : "start early fixed update physics post last");
    }
    assert_ok(ilk_draw(f->world, NULL));
    noted("");
}

static void a_phase_that_makes_no_sense_is_refused(void** state) {
    fixture* f = *state;
    assert_int_equal(ilk_phase_add(f->world, "post", "update"), ILK_EXISTS);
    assert_told(f, ILK_EXISTS, "ilk_phase_add");
    said(f, "ilk_phase_add: there is a phase \"post\" already");
    assert_int_equal(ilk_phase_add(f->world, "a", "b"), ILK_MISSING);
    assert_told(f, ILK_MISSING, "ilk_phase_add");
    said(f, "ilk_phase_add: there is no phase \"b\"");
    assert_int_equal(ilk_phase_add(f->world, NULL, "update"), ILK_INVALID);
    assert_int_equal(ilk_phase_add(f->world, "", "update"), ILK_INVALID);
    assert_int_equal(ilk_phase_add(f->world, "a", NULL), ILK_INVALID);
    assert_int_equal(ilk_phase_add(NULL, "a", "update"), ILK_INVALID);
    f->memory.left = 0;
    assert_int_equal(ilk_phase_add(f->world, "a", "update"), ILK_NO_MEMORY);
    f->memory.left = UINT64_MAX;
    assert_ok(ilk_phase_add(f->world, "a", "update"));
}

static void note_call(ilk_world* world, void* user) {
    (void)world;
    note(user);
}

static void without_memory_no_system_is_made(void** state) {
    fixture* f = *state;
    ilk_register(f->world, &Enemy_type);
    static const ilk_term terms[] = {{ILK_ACCESS_READ, &Health_type}, {0}};
    const ilk_system_desc desc = {
        .name = "a",
        .run = nothing,
        .before = {"post"},
        .init = note_call,
        .user = (void*)"made",
        .query = {.write = {&Position_type}, .terms = terms, .where = "Enemy | !Enemy"}};
    ilk_system* system = NULL;
    uint64_t left = 0;
    for (; !system; left++) {
        f->memory.left = left;
        f->told.count = 0;
        system = ilk_system_create(f->world, &desc);
        f->memory.left = UINT64_MAX;
        if (system) break;
        assert_told(f, ILK_NO_MEMORY, "ilk_system_create");
        assert_int_equal(ilk_system_count(f->world), 0);
        assert_null(ilk_system_named(f->world, "a"));
        noted("");
        assert_valid(f->world);
    }
    assert_true(left > 5);
    assert_quiet(f);
    noted("made");
    assert_ok(ilk_update(f->world, 1));
}

static void without_memory_no_world_is_updated_for_the_first_time(void** state) {
    fixture* f = *state;
    f->memory.left = 0;
    assert_int_equal(ilk_update(f->world, 1), ILK_NO_MEMORY);
    assert_told(f, ILK_NO_MEMORY, "ilk_update");
    assert_int_equal(ilk_time_of(f->world).frames, 0);
    f->memory.left = UINT64_MAX;
    assert_ok(ilk_update(f->world, 1));
    assert_int_equal(ilk_time_of(f->world).frames, 1);
}

static void a_destroyed_system_gives_its_memory_back(void** state) {
    fixture* f = *state;
    size_t bytes = 0;
    for (int i = 0; i < 20; i++) {
        ilk_system* a = SYSTEM(f->world, "a", .query = {.read = {&Position_type}});
        ilk_system* b = SYSTEM(f->world, "b", .after = {"a"});
        assert_ok(ilk_system_destroy(a));
        assert_ok(ilk_system_destroy(b));
        if (i == 0) bytes = f->memory.bytes;
    }
    assert_int_equal(f->memory.bytes, bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(a_name_and_a_function_will_do),
        SCHEDULE_TEST(a_system_needs_a_name_and_one_function),
        SCHEDULE_TEST(an_unknown_phase_or_name_is_missing),
        SCHEDULE_TEST(what_is_wrong_with_a_query_is_said),
        SCHEDULE_TEST(long_names_leave_room_for_what_is_wrong),
        SCHEDULE_TEST(names_are_unique),
        SCHEDULE_TEST(what_a_system_was_made_with_can_be_read),
        SCHEDULE_TEST(reading_nothing_gives_nothing),
        SCHEDULE_TEST(a_description_is_kept_whole),
        SCHEDULE_TEST(the_query_of_a_system_is_not_destroyed_but_with_it),
        SCHEDULE_TEST(a_query_is_absent_if_its_members_are_zero),
        SCHEDULE_TEST(hooks_are_called_when_a_system_comes_and_goes),
        SCHEDULE_TEST(systems_stop_in_reverse_order_with_their_world),
        SCHEDULE_TEST(an_exit_hook_may_destroy_other_systems),
        SCHEDULE_TEST(an_exit_hook_may_destroy_other_systems_at_the_end_too),
        SCHEDULE_TEST(replacing_calls_exit_then_init),
        SCHEDULE_TEST(a_replacement_takes_the_place),
        SCHEDULE_TEST(a_replacement_that_fails_leaves_the_old_one),
        SCHEDULE_TEST(systems_go_while_others_run),
        SCHEDULE_TEST(what_a_system_recorded_is_applied_though_it_goes),
        SCHEDULE_TEST(systems_come_while_others_run),
        SCHEDULE_TEST(a_system_is_replaced_while_it_runs),
        SCHEDULE_TEST(a_cycle_made_while_running_is_refused_at_once),
        SCHEDULE_TEST(phases_are_added),
        SCHEDULE_TEST(a_phase_that_makes_no_sense_is_refused),
        SCHEDULE_TEST(without_memory_no_system_is_made),
        SCHEDULE_TEST(without_memory_no_world_is_updated_for_the_first_time),
        SCHEDULE_TEST(a_destroyed_system_gives_its_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
