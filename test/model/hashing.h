// What the hashes of a world were before.
#ifndef HASHING_H
#define HASHING_H

#include <stdint.h>

#define RUN_HASHES 16u

// The digest of a state and its hash, for some that were seen.
typedef struct run_hashes {
    uint64_t digests[RUN_HASHES], hashes[RUN_HASHES];
    uint32_t count;
} run_hashes;

#endif
