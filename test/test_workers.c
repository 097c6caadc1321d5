// Workers: the same bytes for any number of them.
#include "colony.h"
#include "support.h"

// A colony after so many frames.
static uint64_t lived(const ilk_world_desc* desc, uint32_t frames, uint64_t seed) {
    colony* c = colony_make(desc, 1500, seed);
    for (uint32_t i = 0; i < frames; i++) colony_step(c);
    char text[200] = "";
    ilk_result result = ilk_world_validate(c->world, text, sizeof text);
    if (result != ILK_OK) print_error("%s\n", text);
    assert_int_equal(result, ILK_OK);
    uint64_t hash = colony_hash(c);
    colony_free(c);
    return hash;
}

#define FRAMES 120

// R001.55 R001.56
static void any_number_of_workers_gives_the_same(void** state) {
    (void)state;
    static const uint32_t workers[] = {1, 2, 3, 8, 32};
    uint64_t alone = lived(&(ilk_world_desc){0}, FRAMES, 0);
    for (uint32_t i = 0; i < 5; i++) {
        uint64_t hash = lived(&(ilk_world_desc){.workers = workers[i]}, FRAMES, 0);
        if (hash != alone) print_error("with %u workers\n", workers[i]);
        assert_true(hash == alone);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_gives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
