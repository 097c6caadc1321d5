// The golden hashes, on a machine that has no unit tests: tools/check_golden.sh, and elsewhere.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../golden_support.h"

static int compare(const char* what, uint64_t hash, uint64_t golden) {
    printf("%s is %016" PRIx64, what, hash);
    if (hash != golden) printf(", not %016" PRIx64, golden);
    printf("\n");
    return hash != golden;
}

static int compare_all(uint32_t workers) {
    ilk_world *mixed = golden_world(workers, true), *plain = golden_world(workers, false);
    if (!mixed || !plain) return 1;
    int wrong = compare("the state", ilk_hash(mixed), GOLDEN_STATE) +
                compare("a component", ilk_hash_of(mixed, &GoldenMixed_type), GOLDEN_MIXED) +
                compare("the layout", ilk_hash_layout(plain), GOLDEN_LAYOUT);
    ilk_world_destroy(mixed);
    ilk_world_destroy(plain);
    return wrong;
}

int main(void) {
    return compare_all(0) + compare_all(3) != 0;
}
