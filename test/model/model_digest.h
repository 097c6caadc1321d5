// The state of the naive model as a number.
#ifndef MODEL_DIGEST_H
#define MODEL_DIGEST_H

#include "model.h"

// Of the entity that is alive in a slot; 0 if there is none. Of everything.
uint64_t model_digest_entity(const model_world* m, uint32_t slot);
uint64_t model_digest(const model_world* m);

#endif
