// What a world of the naive model was: a copy of everything that comes back.
#ifndef MODEL_PAST_H
#define MODEL_PAST_H

#include "model.h"

typedef struct model_past model_past;

// What is wrong with keeping the world as it is now; and with making it again what it was.
model_faults model_past_take_faults(const model_world* m);
model_faults model_past_faults(const model_world* m, const model_past* past);

model_past* model_past_take(const model_world* m);
void model_past_free(model_past* past);
// The world is what it was. Types, and those who read and observe, stay as they are.
void model_past_restore(model_world* m, const model_past* past);

// Values that own something.
uint64_t model_past_owned(const model_past* past);

#endif
