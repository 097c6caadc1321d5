// Packing by zstd: what was packed comes back, nothing else is taken for it.
#include <ilk/zstd.h>

#include "delta_support.h"

static ilk_packer* packer_of(fixture* f) {
    ilk_packer* packer = ilk_packer_create(
        &(ilk_packer_desc){.most = 1 << 20, .allocator = fixture_desc(f).allocator});
    assert_non_null(packer);
    return packer;
}

static void what_was_packed_comes_back(void** state) {
    fixture* f = *state;
    ilk_packer *here = packer_of(f), *there = packer_of(f);
    random_state = 3;
    static unsigned char bytes[70000];
    for (uint32_t size = 0; size < sizeof bytes; size = size * 2 + 1) {
        for (uint32_t i = 0; i < size; i++) bytes[i] = (unsigned char)chance(4);
        ilk_bytes packed, whole;
        assert_ok(ilk_pack(here, bytes, size, &packed));
        assert_true(size < 1000 || packed.size < size / 2);
        assert_ok(ilk_unpack(there, packed.bytes, packed.size, &whole));
        assert_int_equal(whole.size, size);
        assert_memory_equal(whole.bytes, bytes, size);
        assert_string_equal(ilk_packer_error(there), "");
    }
    ilk_packer_destroy(here);
    ilk_packer_destroy(there);
    ilk_packer_destroy(NULL);
}

static void a_world_is_sent_packed(void** state) {
    fixture* f = *state;
    ilk_packer *here = packer_of(f), *there = packer_of(f);
    ilk_world* other = second_world(f, 0);
    for (uint32_t i = 0; i < 500; i++) ILK_SPAWN(f->world, ILK_VALUE(Position, .x = (float)i));
    ilk_snapshot* snapshot = ilk_snapshot_take(f->world);
    size_t size;
    const void* delta = ilk_delta_make(NULL, snapshot, &size);
    ilk_bytes packed, whole;
    assert_ok(ilk_pack(here, delta, size, &packed));
    assert_true(packed.size < size / 2);
    assert_ok(ilk_unpack(there, packed.bytes, packed.size, &whole));
    assert_ok(ilk_delta_apply(other, whole.bytes, whole.size));
    assert_int_equal(ilk_hash(other), ilk_hash(f->world));
    ilk_world_destroy(other);
    ilk_packer_destroy(here);
    ilk_packer_destroy(there);
}

// Each part, and each with another bit, in memory of its own: reading on would be noticed.
static void damage_is_refused(void** state) {
    fixture* f = *state;
    ilk_packer *here = packer_of(f), *there = packer_of(f);
    char text[300];
    for (uint32_t i = 0; i < sizeof text; i++) text[i] = (char)(i * i % 7);
    ilk_bytes packed, whole;
    assert_ok(ilk_pack(here, text, sizeof text, &packed));
    for (size_t size = 0; size < packed.size; size++) {
        unsigned char* part = malloc(size + 1);
        memcpy(part, packed.bytes, size);
        assert_int_equal(ilk_unpack(there, part, size, &whole), ILK_INVALID);
        assert_null(whole.bytes);
        assert_true(strlen(ilk_packer_error(there)) > 0);
        free(part);
    }
    unsigned char* copy = malloc(packed.size);
    for (size_t bit = 0; bit < packed.size * 8; bit++) {
        memcpy(copy, packed.bytes, packed.size);
        copy[bit / 8] ^= (unsigned char)(1u << bit % 8);
        ilk_result result = ilk_unpack(there, copy, packed.size, &whole);
        bool is_same = result == ILK_OK && whole.size == sizeof text &&
                       memcmp(whole.bytes, text, sizeof text) == 0;
        assert_true(is_same || result == ILK_INVALID || result == ILK_FULL);
    }
    free(copy);
    ilk_packer_destroy(here);
    ilk_packer_destroy(there);
}

static void too_much_is_refused(void** state) {
    fixture* f = *state;
    ilk_packer* here = ilk_packer_create(NULL);
    ilk_packer* there = packer_of(f);
    size_t size = (1 << 20) + 1;
    void* bytes = calloc(size, 1);
    ilk_bytes packed, whole;
    assert_ok(ilk_pack(here, bytes, size, &packed));
    assert_true(packed.size < 1000);
    size_t before = f->memory.bytes;
    assert_int_equal(ilk_unpack(there, packed.bytes, packed.size, &whole), ILK_FULL);
    assert_int_equal(f->memory.bytes, before);
    free(bytes);
    ilk_packer_destroy(here);
    ilk_packer_destroy(there);
}

static void misuse_is_told(void** state) {
    fixture* f = *state;
    ilk_packer* packer = packer_of(f);
    ilk_bytes out;
    assert_int_equal(ilk_pack(NULL, "a", 1, &out), ILK_INVALID);
    assert_int_equal(ilk_pack(packer, NULL, 1, &out), ILK_INVALID);
    assert_string_equal(ilk_packer_error(packer), "ilk_pack: there are no bytes");
    assert_int_equal(ilk_pack(packer, "a", 1, NULL), ILK_INVALID);
    assert_int_equal(ilk_unpack(NULL, "a", 1, &out), ILK_INVALID);
    assert_int_equal(ilk_unpack(packer, "a", 1, &out), ILK_INVALID);
    assert_string_equal(ilk_packer_error(NULL), "");
    assert_null(ilk_packer_create(
        &(ilk_packer_desc){.allocator = {.alloc = fixture_desc(f).allocator.alloc}}));
    ilk_packer_destroy(packer);
}

static void want_of_memory_is_told(void** state) {
    fixture* f = *state;
    f->memory.left = 0;
    assert_null(ilk_packer_create(&(ilk_packer_desc){.allocator = fixture_desc(f).allocator}));
    f->memory.left = UINT64_MAX;
    ilk_packer* packer = packer_of(f);
    ilk_bytes out;
    f->memory.left = 0;
    assert_int_equal(ilk_pack(packer, "abc", 3, &out), ILK_NO_MEMORY);
    assert_string_equal(ilk_packer_error(packer), "ilk_pack: no memory");
    f->memory.left = UINT64_MAX;
    assert_ok(ilk_pack(packer, "abc", 3, &out));
    unsigned char kept[100];
    size_t size = out.size;
    memcpy(kept, out.bytes, size);
    ilk_packer* fresh = packer_of(f);
    f->memory.left = 0;
    assert_int_equal(ilk_unpack(fresh, kept, size, &out), ILK_NO_MEMORY);
    f->memory.left = UINT64_MAX;
    assert_ok(ilk_unpack(fresh, kept, size, &out));
    assert_memory_equal(out.bytes, "abc", 3);
    ilk_packer_destroy(packer);
    ilk_packer_destroy(fresh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(what_was_packed_comes_back),
        WORLD_TEST(a_world_is_sent_packed),
        WORLD_TEST(damage_is_refused),
        WORLD_TEST(too_much_is_refused),
        WORLD_TEST(misuse_is_told),
        WORLD_TEST(want_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
