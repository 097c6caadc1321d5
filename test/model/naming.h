// Names as the model test uses them: a few texts, each with a number, so that they clash.
#ifndef NAMING_H
#define NAMING_H

#include "model.h"

#define NAMING_COUNT 20u // texts, numbered from 1; the last one is too long to be a name

// The text of a number; NULL for 0.
const char* naming_text(uint32_t number);

// One of them, by chance: mostly one of the first; now and then none, or the one that is too long.
uint32_t naming_choose(uint32_t seed);

// One of a few ids; now and then none.
ilk_id naming_id(uint32_t seed);

#endif
