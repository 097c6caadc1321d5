// What excursions share: the world of the library goes its own way for a while, without the model
// knowing, and comes back.
#ifndef MODEL_EXCURSIONS_H
#define MODEL_EXCURSIONS_H

#include "run.h"

#include "world/world.h"

// Whether the model can do without being told: nobody is, and nothing is put aside or looked at.
bool run_is_private(const run_side* s);

// What goes wrong between these two is nobody's concern, and memory is not refused.
typedef struct run_quiet {
    ilki_failure failure;
    bool paused;
} run_quiet;

run_quiet run_be_quiet(run* r, run_side* s);
void run_speak_again(run* r, run_side* s, const run_quiet* q);

// Destroys, gives and takes at random.
void run_upset(ilk_world* world, uint32_t seed);

#endif
