// The model test as a target of libFuzzer: any bytes are a script. What disagrees aborts; the input
// can be run again with `model_test --replay`.
#include "catalog.h"
#include "decode.h"
#include "script.h"

#include <stdio.h>
#include <stdlib.h>

#define LONGEST 400u // operations: longer inputs teach nothing that shorter ones do not

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    static bool started;
    static run_outcome outcome;
    if (!started) catalog_start();
    started = true;
    size_t most = (LONGEST + 1) * SCRIPT_STEP;
    if (run_script(bytes, size < most ? size : most, (run_options){.hasty = true}, &outcome))
        return 0;
    fprintf(stderr, "operation %u: %s\n", outcome.at, outcome.text);
    abort();
}
