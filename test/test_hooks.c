// Hooks in unusual company: on tags, and where one of them is missing.
#include "support.h"

static int inits;

static void count_init(void* value, void* context) {
    (void)value, (void)context;
    inits++;
}

static void drop_nothing(void* value, void* context) {
    (void)value, (void)context;
}

ilk_type Greeted_type = {.name = "Greeted", .hooks = {.init = count_init}};
ilk_type Hoard_type = {.name = "Hoard", .size = 8, .hooks = {.drop = drop_nothing}};

static void a_tag_is_initialised_each_time(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    inits = 0;
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        e[i] = ILK_SPAWN(f->world, ILK_WITH(Position));
        assert_int_equal(ilk_add(f->world, e[i], ILK_WITH(Greeted)), ILK_OK);
    }
    assert_int_equal(inits, COUNT_OF(e));
}

static void what_cannot_be_copied_is_refused(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Hoard));
    uint32_t alive = ilk_stats(f->world).alive;
    assert_true(ilk_is_null(ilk_copy(f->world, e)));
    assert_int_equal(ilk_error(f->world).result, ILK_INVALID);
    assert_string_equal(ilk_error(f->world).text,
                        "ilk_copy: Hoard has a drop hook, but none to copy it");
    assert_int_equal(ilk_stats(f->world).alive, alive);
}

// What a route was planned with: of use to one entity only.
typedef struct Route {
    int goal;
    int* plan; // made when needed, and never shared
} Route;

typedef struct copies {
    uint32_t count;
    const void* last;
} copies;

static void copy_goal(void* to, const void* from, void* context) {
    copies* made = context;
    made->count++;
    made->last = from;
    *(Route*)to = (Route){.goal = ((const Route*)from)->goal};
}

static copies routes;
ILK_COMPONENT_WITH(Route, .hooks = {.copy = copy_goal, .context = &routes});

// A copy is what the hook makes of it: bytes that the hook leaves out are in none. R001.1
static void a_copy_is_what_the_hook_makes_of_it(void** state) {
    fixture* f = *state;
    int plan = 7;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Route, 3, &plan), ILK_VALUE(Health, 5));
    routes = (copies){0};
    for (uint32_t i = 1; i <= 5; i++) {
        ilk_entity twin = ilk_copy(f->world, e);
        const Route* copied = ILK_GET(f->world, twin, Route);
        assert_int_equal(copied->goal, 3);
        assert_null(copied->plan);
        assert_int_equal(ILK_GET(f->world, twin, Health)->points, 5);
        assert_int_equal(routes.count, i);
        assert_ptr_equal(routes.last, ILK_GET(f->world, e, Route));
    }
    assert_ptr_equal(ILK_GET(f->world, e, Route)->plan, &plan);
}

// Values move by memcpy, whatever they own: only ilk_copy copies. R001.1
static void nothing_else_calls_the_copy_hook(void** state) {
    fixture* f = *state;
    int plan = 7;
    routes = (copies){0};
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Route, 3, &plan));
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Route, 4, &plan)));
    assert_ok(ilk_add(f->world, e, ILK_WITH(Health)));
    settle_in_crowd(f->world, (ilk_value[]){ILK_WITH(Route), ILK_WITH(Health)}, 2);
    ilk_cmd* cmd = ilk_cmd_take(f->world);
    assert_ok(ilk_cmd_set(cmd, e, ILK_VALUE(Route, 5, &plan)));
    assert_ok(ilk_cmd_apply(cmd).result);
    assert_int_equal(ILK_GET(f->world, e, Route)->goal, 5);
    assert_ptr_equal(ILK_GET(f->world, e, Route)->plan, &plan);
    assert_int_equal(routes.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_tag_is_initialised_each_time),
        WORLD_TEST(what_cannot_be_copied_is_refused),
        WORLD_TEST(a_copy_is_what_the_hook_makes_of_it),
        WORLD_TEST(nothing_else_calls_the_copy_hook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
