// The map from lists of numbers to pointers.
#include "containers/map.h"

#include "support.h"

enum {
    KEYS = 300
};

typedef struct map_fixture {
    meter m;
    ilki_memory memory;
    ilki_map map;
    uint32_t keys[KEYS][3];
} map_fixture;

static int open_map(void** state) {
    map_fixture* f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->m.left = UINT64_MAX;
    ilki_memory_init(&f->memory, &(ilk_allocator){meter_alloc, meter_free, &f->m});
    for (uint32_t i = 0; i < KEYS; i++) {
        for (uint32_t j = 0; j < 3; j++) f->keys[i][j] = i * 7 + j;
    }
    *state = f;
    return 0;
}

static int close_map(void** state) {
    map_fixture* f = *state;
    ilki_map_fini(&f->map, &f->memory);
    assert_int_equal(f->m.bytes, 0);
    free(f);
    return 0;
}
#define MAP_TEST(function) cmocka_unit_test_setup_teardown(function, open_map, close_map)

static void put_key(map_fixture* f, uint32_t at, uint32_t length) {
    assert_true(ilki_map_ready(&f->map, &f->memory));
    ilki_map_put(&f->map, f->keys[at], length, &f->keys[at]);
}

static void an_empty_map_finds_nothing(void** state) {
    map_fixture* f = *state;
    assert_null(ilki_map_find(&f->map, f->keys[0], 3));
}

static void every_key_finds_its_own(void** state) {
    map_fixture* f = *state;
    for (uint32_t i = 0; i < KEYS; i++) put_key(f, i, 3);
    assert_int_equal(f->map.count, KEYS);
    assert_true(f->map.capacity >= 2 * KEYS);
    for (uint32_t i = 0; i < KEYS; i++) {
        assert_ptr_equal(ilki_map_find(&f->map, f->keys[i], 3), &f->keys[i]);
        assert_null(ilki_map_find(&f->map, f->keys[i], 2));
    }
    assert_null(ilki_map_find(&f->map, (const uint32_t[]){1, 2, 3}, 3));
}

static void the_empty_list_is_a_key(void** state) {
    map_fixture* f = *state;
    put_key(f, 0, 0);
    put_key(f, 1, 1);
    assert_ptr_equal(ilki_map_find(&f->map, f->keys[5], 0), &f->keys[0]);
    assert_ptr_equal(ilki_map_find(&f->map, f->keys[1], 1), &f->keys[1]);
}

// The key in the map changes under its hash: what was sought has that hash and is not there.
static void an_equal_hash_is_not_an_equal_key(void** state) {
    map_fixture* f = *state;
    const uint32_t sought[3] = {f->keys[2][0], f->keys[2][1], f->keys[2][2]};
    put_key(f, 2, 3);
    f->keys[2][1]++;
    assert_null(ilki_map_find(&f->map, sought, 3));
    f->keys[2][1]--;
    assert_ptr_equal(ilki_map_find(&f->map, sought, 3), &f->keys[2]);
}

static void without_memory_the_map_stays(void** state) {
    map_fixture* f = *state;
    f->m.left = 1;
    for (uint32_t i = 0; i < 8; i++) put_key(f, i, 3);
    assert_int_equal(f->map.capacity, 16);
    assert_false(ilki_map_ready(&f->map, &f->memory));
    for (uint32_t i = 0; i < 8; i++) {
        assert_ptr_equal(ilki_map_find(&f->map, f->keys[i], 3), &f->keys[i]);
    }
    f->m.left = 1;
    put_key(f, 8, 3);
    assert_int_equal(f->map.capacity, 32);
    assert_ptr_equal(ilki_map_find(&f->map, f->keys[0], 3), &f->keys[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MAP_TEST(an_empty_map_finds_nothing),   MAP_TEST(every_key_finds_its_own),
        MAP_TEST(the_empty_list_is_a_key),      MAP_TEST(an_equal_hash_is_not_an_equal_key),
        MAP_TEST(without_memory_the_map_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
