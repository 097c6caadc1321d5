// The tables of names and ids: who is in the list of a name, and in which order.
#include "relation/names.h"
#include "world/world.h"

#include "support.h"

enum {
    CALLED = 60,
    NAMES = 5
};

static const ilk_entity nobody = {0, 0};
static const char* const names[NAMES] = {"a", "b", "c", "d", "e"};

// Who was given which name when.
typedef struct entry {
    ilk_entity e;
    uint32_t name; // NAMES: none
    uint32_t when;
} entry;

static void assert_list(const fixture* f, const entry* entries, uint32_t name) {
    ilk_entity found[CALLED];
    uint32_t count = ilk_all_named(f->world, nobody, names[name], found, CALLED), wanted = 0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < CALLED; i++) wanted += entries[i].name == name;
    assert_int_equal(count, wanted);
    for (uint32_t i = 0; i < count; i++) {
        const entry* at = entries;
        while (!ilk_same(at->e, found[i])) at++;
        assert_int_equal(at->name, name);
        assert_true(at->when > last);
        last = at->when;
    }
    assert_entity(ilk_named(f->world, names[name]), count ? found[0] : nobody);
}

static void lists_are_in_the_order_of_naming(void** state) {
    fixture* f = *state;
    entry entries[CALLED];
    uint64_t seed = 11;
    for (uint32_t i = 0; i < CALLED; i++) entries[i] = (entry){ilk_create(f->world), NAMES, 0};
    for (uint32_t when = 1; when < 4000; when++) {
        entry* at = &entries[next_random(&seed) % CALLED];
        uint32_t name = next_random(&seed) % (NAMES + 2);
        if (name > NAMES) {
            assert_ok(ilk_destroy(f->world, at->e));
            *at = (entry){ilk_create(f->world), NAMES, 0};
            continue;
        }
        assert_ok(ilk_set_name(f->world, at->e, name == NAMES ? NULL : names[name]));
        if (at->name != name) at->when = when;
        at->name = name;
        if (when % 50 == 0) {
            assert_valid(f->world);
            for (uint32_t i = 0; i < NAMES; i++) assert_list(f, entries, i);
        }
    }
}

static void a_text_is_kept_while_it_is_used(void** state) {
    fixture* f = *state;
    ilk_entity a = ilk_create(f->world), b = ilk_create(f->world);
    assert_ok(ilk_set_name(f->world, a, "door"));
    assert_ok(ilk_set_name(f->world, b, "door"));
    const ilki_glossary* glossary = &f->world->storage.names->glossary;
    uint32_t door = ilk_text_number(f->world, "door");
    assert_int_equal(ilki_word_at(glossary, door)->uses, 2);
    assert_ptr_equal(ilk_name_of(f->world, a), ilk_name_of(f->world, b));
    assert_ok(ilk_set_name(f->world, b, "wall"));
    assert_int_equal(ilki_word_at(glossary, door)->uses, 1);
    assert_ok(ilk_destroy(f->world, a));
    assert_null(ilk_text_at(f->world, door));
    assert_int_equal(glossary->alive, 1);
}

static void trimming_gives_back_what_names_needed(void** state) {
    fixture* f = *state;
    ilk_entity e[1000];
    char name[16];
    for (uint32_t i = 0; i < 1000; i++) {
        e[i] = ilk_create(f->world);
        snprintf(name, sizeof name, "%u", i);
        assert_ok(ilk_set_name(f->world, e[i], name));
        assert_ok(ilk_set_id(f->world, e[i], (ilk_id){0, i + 1}));
    }
    size_t most = f->memory.bytes;
    assert_ok(ilk_destroy_many(f->world, e + 5, 995));
    settle_fully(f->world);
    ilk_trim(f->world);
    const ilki_names* kept = f->world->storage.names;
    assert_int_equal(kept->by_name.capacity, 16);
    assert_int_equal(kept->by_id.capacity, 16);
    assert_int_equal(kept->glossary.finder.capacity, 16);
    assert_true(f->memory.bytes < most);
    assert_entity(ilk_named(f->world, "3"), e[3]);
    assert_entity(ilk_entity_by_id(f->world, (ilk_id){0, 5}), e[4]);
    ilk_clear(f->world);
    ilk_trim(f->world);
    assert_null(f->world->storage.names->by_name.slots);
    assert_null(f->world->storage.names->glossary.list);
}

// What is entered but not named by the verbs: a place is made for one more.
static void neighbours_are_touched_but_not_changed(void** state) {
    fixture* f = *state;
    ilk_entity a = ilk_create(f->world), b = ILK_SPAWN(f->world, ILK_WITH(Anchor));
    assert_ok(ilk_set_name(f->world, a, "door"));
    uint64_t before = ilk_tick(f->world);
    assert_ok(ilk_set_name(f->world, b, "door"));
    const ilki_directory* directory = f->world->storage.name;
    uint32_t spot = ilki_record_of(&f->world->storage.view.index, a)->place;
    const ilki_block* block = ilki_block_at(directory, ilki_chunk_of(spot));
    assert_true(block->touched > before);
    assert_true(block->changed <= before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(lists_are_in_the_order_of_naming),
        WORLD_TEST(a_text_is_kept_while_it_is_used),
        WORLD_TEST(trimming_gives_back_what_names_needed),
        WORLD_TEST(neighbours_are_touched_but_not_changed),
    };
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
