// Many worlds: the catalogue in which they are found, by several threads at once; and factories.
#include "world/world.h"

#include "workers_support.h"

// R000.5 C25
static void a_world_is_found_by_its_id_and_its_name(void** state) {
    (void)state;
    uint32_t count = ilk_world_count();
    ilk_world* a = ilk_world_create(&(ilk_world_desc){.name = "server"});
    ilk_world* b = ilk_world_create(NULL);
    assert_int_equal(ilk_world_count(), count + 2);
    assert_ptr_equal(ilk_world_by_id(ilk_world_id(a)), a);
    assert_ptr_equal(ilk_world_by_id(ilk_world_id(b)), b);
    assert_ptr_equal(ilk_world_named("server"), a);
    assert_ptr_equal(ilk_world_named(ilk_world_name(b)), b);
    assert_null(ilk_world_by_id(0));
    assert_null(ilk_world_by_id(ilk_world_id(b) + 1));
    assert_null(ilk_world_named("client"));
    assert_null(ilk_world_named(""));
    assert_null(ilk_world_named(NULL));
    ilk_world_destroy(a);
    ilk_world_destroy(b);
}

// R000.7 R001.47: what is known of a world that is gone is that it is.
static void a_destroyed_world_is_not_found_any_more(void** state) {
    (void)state;
    ilk_world* a = ilk_world_create(&(ilk_world_desc){.name = "short"});
    ilk_world* b = ilk_world_create(&(ilk_world_desc){.name = "long"});
    uint32_t id = ilk_world_id(a);
    ilk_entity e = ilk_create(a);
    ilk_world_destroy(a);
    assert_null(ilk_world_by_id(id));
    assert_null(ilk_world_named("short"));
    assert_null(ilk_world_of(e));
    ilk_world* again = ilk_world_create(&(ilk_world_desc){.name = "short"});
    assert_true(ilk_world_id(again) > id);
    assert_null(ilk_world_by_id(id));
    assert_ptr_equal(ilk_world_named("short"), again);
    ilk_world_destroy(again);
    ilk_world_destroy(b);
    assert_null(ilk_world_named("long"));
}

// R001.47: a world that is not there is refused everywhere, also a second time.
static void a_null_world_is_refused(void** state) {
    (void)state;
    ilk_world_destroy(NULL);
    ilk_world_set_user(NULL, &state);
    assert_null(ilk_world_user(NULL));
    assert_int_equal(ilk_update(NULL, 0), ILK_INVALID);
    assert_int_equal(ilk_add(NULL, (ilk_entity){0, 1}, ILK_WITH(Enemy)), ILK_INVALID);
    assert_int_equal(ilk_resource_set(NULL, ILK_WITH(Enemy)), ILK_INVALID);
    assert_int_equal(ilk_plugin_install(NULL, &(ilk_plugin){.name = "none"}), ILK_INVALID);
    assert_true(ilk_is_null(ilk_create(NULL)));
    assert_false(ilk_alive(NULL, (ilk_entity){0, 1}));
}

static void destroy_again(ilk_world* world, void* user) {
    *(ilk_world**)user = ilk_world_by_id(ilk_world_id(world));
    ilk_world_destroy(world);
}

static void do_nothing(ilk_iter* it) {
    (void)it;
}

// R001.47: it is not found from when its end begins, and cannot be ended by its own hooks.
static void a_world_that_ends_is_not_found_and_ends_once(void** state) {
    (void)state;
    recorder told = {0};
    ilk_world_desc desc = {.message = record, .message_context = &told};
    ilk_world* world = ilk_world_create(&desc);
    ilk_world* found = world;
    ilk_system_desc last = {
        .name = "last", .run = do_nothing, .exit = destroy_again, .user = &found};
    assert_non_null(ilk_system_create(world, &last));
    ilk_world_destroy(world);
    assert_null(found);
    assert_int_equal(told.count, 1);
    assert_int_equal(told.last.result, ILK_LOCKED);
    assert_string_equal(told.call, "ilk_world_destroy");
}

static void the_oldest_of_a_name_is_found(void** state) {
    (void)state;
    ilk_world* worlds[3];
    for (int i = 0; i < 3; i++) worlds[i] = ilk_world_create(&(ilk_world_desc){.name = "twin"});
    for (int i = 0; i < 3; i++) {
        assert_ptr_equal(ilk_world_named("twin"), worlds[i]);
        ilk_world_destroy(worlds[i]);
    }
    assert_null(ilk_world_named("twin"));
}

enum {
    MANY = 40
};

static void assert_listed(ilk_world* const* worlds, uint32_t count) {
    ilk_world* found[MANY + 1] = {0};
    assert_int_equal(ilk_worlds(found, MANY + 1), count);
    for (uint32_t i = 0; i < count; i++) assert_ptr_equal(found[i], worlds[i]);
    assert_null(found[count]);
}

// Worlds that go from anywhere leave the others in order.
static void worlds_are_listed_in_order_of_their_ids(void** state) {
    (void)state;
    ilk_world* worlds[MANY] = {0};
    uint64_t seed = 11;
    assert_listed(worlds, 0);
    for (uint32_t i = 0; i < MANY; i++) worlds[i] = ilk_world_create(NULL);
    for (uint32_t count = MANY; count; count--) {
        assert_listed(worlds, count);
        uint32_t at = next_random(&seed) % count;
        ilk_world_destroy(worlds[at]);
        for (uint32_t i = at; i + 1 < count; i++) worlds[i] = worlds[i + 1];
    }
    assert_listed(worlds, 0);
}

static void a_list_may_be_too_short(void** state) {
    (void)state;
    ilk_world *a = ilk_world_create(NULL), *b = ilk_world_create(NULL);
    ilk_world* found[2] = {0};
    assert_int_equal(ilk_worlds(found, 1), 2);
    assert_ptr_equal(found[0], a);
    assert_null(found[1]);
    assert_int_equal(ilk_worlds(NULL, 8), 2);
    ilk_world_destroy(a);
    ilk_world_destroy(b);
}

// Another thread may enter a world that has a later id first.
static void a_world_that_comes_late_has_its_place(void** state) {
    (void)state;
    ilk_world* worlds[3];
    for (uint32_t i = 0; i < 3; i++) worlds[i] = ilk_world_create(NULL);
    for (uint32_t i = 0; i < 3; i++) {
        ilki_catalogue_leave(worlds[i]);
        assert_int_equal(ilk_world_count(), 2);
        assert_null(ilk_world_by_id(ilk_world_id(worlds[i])));
        ilki_catalogue_leave(worlds[i]); // it is not there
        ilki_catalogue_enter(worlds[i]);
        assert_listed(worlds, 3);
    }
    for (uint32_t i = 0; i < 3; i++) ilk_world_destroy(worlds[i]);
}

// R000.6
static void the_world_of_an_entity_is_found(void** state) {
    (void)state;
    ilk_world* a = ilk_world_create(&(ilk_world_desc){.tag = 1});
    ilk_world* b = ilk_world_create(&(ilk_world_desc){.tag = 2});
    ilk_entity in_a = ilk_create(a), in_b = ilk_create(b);
    assert_int_equal(in_a.index, in_b.index);
    assert_ptr_equal(ilk_world_of(in_a), a);
    assert_ptr_equal(ilk_world_of(in_b), b);
    assert_null(ilk_world_of((ilk_entity){0}));
    assert_null(ilk_world_of((ilk_entity){5, in_b.generation}));
    assert_ok(ilk_destroy(b, in_b));
    assert_null(ilk_world_of(in_b));
    ilk_world_destroy(b);
    assert_null(ilk_world_of(in_b));
    ilk_world_destroy(a);
    assert_null(ilk_world_of(in_a));
}

// R000.6: alive in the second one only; worlds of one tag may both have it, and the oldest is told.
static void of_worlds_with_one_tag_the_oldest_is_told(void** state) {
    (void)state;
    ilk_world *a = ilk_world_create(NULL), *b = ilk_world_create(NULL);
    ilk_entity e = ilk_create(b);
    assert_ptr_equal(ilk_world_of(e), b);
    assert_entity(ilk_create(a), e);
    assert_ptr_equal(ilk_world_of(e), a);
    ilk_world_destroy(a);
    assert_ptr_equal(ilk_world_of(e), b);
    ilk_world_destroy(b);
}

static void no_world_is_listed_that_was_not_made(void** state) {
    (void)state;
    ilk_world_desc half = {.allocator.alloc = meter_alloc};
    meter memory = {.left = 1};
    ilk_world_desc poor = {.allocator = {meter_alloc, meter_free, &memory}};
    assert_null(ilk_world_create(&half));
    assert_null(ilk_world_create(&poor));
    assert_int_equal(ilk_world_count(), 0);
    assert_int_equal(memory.bytes, 0);
}

// R001.23 R003.32
static void a_world_carries_a_pointer(void** state) {
    fixture* f = *state;
    assert_null(ilk_world_user(f->world));
    ilk_world_set_user(f->world, f);
    assert_ptr_equal(ilk_world_user(f->world), f);
    ilk_clear(f->world);
    assert_ptr_equal(ilk_world_user(f->world), f);
    ilk_world_set_user(f->world, NULL);
    assert_null(ilk_world_user(f->world));
    assert_quiet(f);
}

static void take_the_pointer(ilk_iter* it) {
    *(void**)it->user = ilk_world_user(it->world);
    ilk_world_set_user(it->world, NULL);
}

// R001.23 R003.32: systems reach it, and cannot change it.
static void systems_reach_the_pointer(void** state) {
    fixture* f = *state;
    void* seen = NULL;
    ilk_world_set_user(f->world, &seen);
    SYSTEM(f->world, "take", .run = take_the_pointer, .user = &seen);
    update(f->world);
    assert_ptr_equal(seen, &seen);
    assert_ptr_equal(ilk_world_user(f->world), &seen);
    assert_told(f, ILK_LOCKED, "ilk_world_set_user");
}

// Factories

typedef struct works {
    ilk_world_desc given;
    uint32_t made;
    bool refuses, creates;
} works;

static ilk_world* build(void* context, const ilk_world_desc* desc) {
    works* w = context;
    w->given = *desc;
    w->made++;
    if (w->refuses) return NULL;
    if (w->creates) return ilk_world_create(desc);
    ilk_world_desc ours = *desc;
    char name[64];
    snprintf(name, sizeof(name), "shop-%s", desc->name ? desc->name : "nameless");
    ours.name = name;
    ours.max_entities = 3;
    ilk_world* world = ilk_world_make(&ours);
    if (world) ilk_system_create(world, &(ilk_system_desc){.name = "shown", .run = do_nothing});
    return world;
}

static ilk_world* build_nothing(void* context, const ilk_world_desc* desc) {
    (void)context, (void)desc;
    return NULL;
}

// R000.4 R000.36 C26: while a factory is there, it makes the worlds; without it they are as ever.
static void a_factory_makes_the_worlds(void** state) {
    (void)state;
    works w = {0};
    assert_ok(ilk_factory_install(&(ilk_world_factory){build, &w}));
    ilk_world* a = ilk_world_create(&(ilk_world_desc){.name = "a", .tag = 7});
    ilk_world* b = ilk_world_create(NULL);
    assert_int_equal(w.made, 2);
    assert_string_equal(ilk_world_name(a), "shop-a");
    assert_string_equal(ilk_world_name(b), "shop-nameless");
    assert_int_equal(ilk_world_max_entities(a), 3);
    assert_non_null(ilk_system_named(a, "shown"));
    assert_int_equal(ilk_create(a).generation >> 23, 7);
    assert_ptr_equal(ilk_world_named("shop-a"), a); // R000.7: whoever made it, it is listed
    assert_ok(ilk_factory_remove());
    ilk_world* plain = ilk_world_create(&(ilk_world_desc){.name = "plain"});
    assert_int_equal(w.made, 2);
    assert_string_equal(ilk_world_name(plain), "plain");
    assert_int_equal(ilk_system_count(plain), 0);
    assert_int_equal(ilk_system_count(a), 1);
    ilk_world_destroy(a);
    ilk_world_destroy(b);
    ilk_world_destroy(plain);
    assert_int_equal(ilk_world_count(), 0);
}

// R000.4
static void there_is_one_factory_at_a_time(void** state) {
    (void)state;
    works w = {0};
    assert_int_equal(ilk_factory_remove(), ILK_MISSING);
    assert_int_equal(ilk_factory_install(NULL), ILK_INVALID);
    assert_int_equal(ilk_factory_install(&(ilk_world_factory){.context = &w}), ILK_INVALID);
    assert_ok(ilk_factory_install(&(ilk_world_factory){build, &w}));
    assert_int_equal(ilk_factory_install(&(ilk_world_factory){build_nothing, NULL}), ILK_EXISTS);
    ilk_world* world = ilk_world_create(NULL);
    assert_int_equal(w.made, 1);
    ilk_world_destroy(world);
    assert_ok(ilk_factory_remove());
    assert_int_equal(ilk_factory_remove(), ILK_MISSING);
}

// R000.4: a factory that cannot make what is asked for says so, and that is told.
static void a_factory_that_makes_no_world_is_told(void** state) {
    fixture* f = *state;
    works w = {.refuses = true};
    ilk_world_desc desc = fixture_desc(f);
    assert_ok(ilk_factory_install(&(ilk_world_factory){build, &w}));
    assert_null(ilk_world_create(&desc));
    assert_string_equal(f->told.text, "ilk_world_create: the factory made no world");
    assert_told(f, ILK_MISSING, "ilk_world_create");
    assert_null(ilk_world_create(NULL)); // and nobody to tell
    assert_ok(ilk_factory_remove());
    assert_int_equal(ilk_world_count(), 1);
}

static void a_factory_does_not_call_itself(void** state) {
    fixture* f = *state;
    works w = {.creates = true};
    ilk_world_desc desc = fixture_desc(f);
    assert_ok(ilk_factory_install(&(ilk_world_factory){build, &w}));
    assert_null(ilk_world_create(&desc));
    assert_int_equal(w.made, 1);
    assert_int_equal(f->told.count, 2);
    assert_string_equal(f->told.text, "ilk_world_create: the factory made no world");
    f->told.count = 0;
    w.creates = false;
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    ilk_world_destroy(world);
    assert_ok(ilk_factory_remove());
}

static void what_the_plain_maker_says_has_its_name(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.jobs.wait = free;
    assert_null(ilk_world_make(&desc));
    assert_string_equal(f->told.text, "ilk_world_make: the job system is half there");
    assert_told(f, ILK_INVALID, "ilk_world_make");
    ilk_world* world = ilk_world_make(NULL);
    assert_ptr_equal(ilk_world_by_id(ilk_world_id(world)), world);
    ilk_world_destroy(world);
}

// Threads

enum {
    THREADS = 4
};
#define ROUNDS QUICK_OR_SLOW(4000u, 400u)

typedef struct crowd {
    uint32_t at;
    uint32_t wrong;
} crowd;

// Makes worlds, finds its own among those of the others, and ends them.
static void* come_and_go(void* argument) {
    crowd* c = argument;
    char name[16];
    ilk_world* kept[3] = {0};
    snprintf(name, sizeof(name), "thread-%u", (unsigned)c->at);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        ilk_world** next = &kept[i % 3];
        ilk_world_destroy(*next);
        *next = ilk_world_create(&(ilk_world_desc){.name = name});
        uint32_t id = ilk_world_id(*next);
        ilk_world* found[64];
        uint32_t listed = ilk_worlds(found, 64);
        c->wrong += ilk_world_by_id(id) != *next;
        c->wrong += ilk_world_named(name) == NULL;
        c->wrong += listed < 1 || listed > 3 * THREADS || ilk_world_count() > 3 * THREADS;
        c->wrong += ilk_world_by_id(0) != NULL || ilk_world_named("nobody") != NULL;
    }
    for (uint32_t i = 0; i < 3; i++) ilk_world_destroy(kept[i]);
    c->wrong += ilk_world_named(name) != NULL;
    return NULL;
}

// R000.5 R000.7 C25
static void worlds_come_and_go_on_many_threads(void** state) {
    (void)state;
    pthread_t threads[THREADS];
    crowd crowds[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        crowds[i] = (crowd){.at = i};
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, &crowds[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(crowds[i].wrong, 0);
    }
    assert_int_equal(ilk_world_count(), 0);
}

// Some threads make worlds while another changes who does.
static ilk_world* build_plainly(void* context, const ilk_world_desc* desc) {
    add_to(context, 1);
    return ilk_world_make(desc);
}

static void* change_factories(void* argument) {
    for (uint32_t i = 0; i < ROUNDS; i++) {
        if (ilk_factory_install(&(ilk_world_factory){build_plainly, argument}) == ILK_OK) {
            ilk_world_destroy(ilk_world_create(NULL));
            ilk_factory_remove();
        }
    }
    return NULL;
}

static void factories_come_and_go_on_many_threads(void** state) {
    (void)state;
    pthread_t changer, maker;
    crowd c = {0};
    uint32_t made = 0;
    assert_int_equal(pthread_create(&changer, NULL, change_factories, &made), 0);
    assert_int_equal(pthread_create(&maker, NULL, come_and_go, &c), 0);
    pthread_join(changer, NULL);
    pthread_join(maker, NULL);
    assert_true(look(&made) >= ROUNDS);
    assert_int_equal(c.wrong, 0);
    assert_int_equal(ilk_world_count(), 0);
    assert_int_equal(ilk_factory_remove(), ILK_MISSING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_is_found_by_its_id_and_its_name),
        cmocka_unit_test(a_destroyed_world_is_not_found_any_more),
        cmocka_unit_test(a_null_world_is_refused),
        cmocka_unit_test(a_world_that_ends_is_not_found_and_ends_once),
        cmocka_unit_test(the_oldest_of_a_name_is_found),
        cmocka_unit_test(worlds_are_listed_in_order_of_their_ids),
        cmocka_unit_test(a_list_may_be_too_short),
        cmocka_unit_test(a_world_that_comes_late_has_its_place),
        cmocka_unit_test(the_world_of_an_entity_is_found),
        cmocka_unit_test(of_worlds_with_one_tag_the_oldest_is_told),
        cmocka_unit_test(no_world_is_listed_that_was_not_made),
        WORLD_TEST(a_world_carries_a_pointer),
        WORLD_TEST(systems_reach_the_pointer),
        cmocka_unit_test(a_factory_makes_the_worlds),
        cmocka_unit_test(there_is_one_factory_at_a_time),
        WORLD_TEST(a_factory_that_makes_no_world_is_told),
        WORLD_TEST(a_factory_does_not_call_itself),
        WORLD_TEST(what_the_plain_maker_says_has_its_name),
        cmocka_unit_test(worlds_come_and_go_on_many_threads),
        cmocka_unit_test(factories_come_and_go_on_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
