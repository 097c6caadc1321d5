// The golden hashes, on a machine that has no unit tests: tools/check_golden.sh.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../golden_support.h"

static int compare(const char* what, uint64_t hash, uint64_t golden) {
    if (hash == golden) return 0;
    printf("%s is %016" PRIx64 ", not %016" PRIx64 "\n", what, hash, golden);
    return 1;
}

int main(void) {
    ilk_world *mixed = golden_world(0, true), *plain = golden_world(0, false);
    if (!mixed || !plain) return 2;
    int wrong = compare("the state", ilk_hash(mixed), GOLDEN_STATE) +
                compare("a component", ilk_hash_of(mixed, &GoldenMixed_type), GOLDEN_MIXED) +
                compare("the layout", ilk_hash_layout(plain), GOLDEN_LAYOUT);
    ilk_world_destroy(mixed);
    ilk_world_destroy(plain);
    return wrong != 0;
}
