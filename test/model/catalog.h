// The types that the model test uses, and values of them.
//
// There are sound types of every sort (tags, one byte to 100,000, over-aligned, with defaults, with
// hooks, made at run time) and, behind them, types that no world takes. A type has two variables
// of its own, which must mean the same.
//
// Values that own something hold a token, a number from a table that knows which tokens are held.
// A hook that sees a token which is not held, and a token that nobody holds any more, are found at
// once. In the model's copy of a value the token is only 1 or 0: it owns something, or it does not.
#ifndef CATALOG_H
#define CATALOG_H

#include "model.h"

#define CATALOG_HUGE_LIMIT 12u // values of the 100,000-byte type in a world at most

// Prepare the types, and make their identities known to the program. Call it once.
void catalog_start(void);

uint32_t catalog_count(void); // sound types and wrong ones
uint32_t catalog_sound(void); // only the sound ones
const model_type* catalog_models(void);
// One of the two variables of a type; NULL for MODEL_NO_TYPE.
ilk_type* catalog_variable(uint32_t type, bool second);
// What addresses of values must be a multiple of.
size_t catalog_align(uint32_t type);
// Chosen by a byte: mostly small types, above 180 those made at run time, above 240 wrong ones.
uint32_t catalog_choose(uint8_t byte);
// One of the 14 types that sets of types are made of.
uint32_t catalog_common(uint32_t i);
// One of the types that are relations.
uint32_t catalog_relation(uint32_t i);
bool catalog_is_huge(uint32_t type);
// One of some orders of a type's values, the same for the library's form and the model's.
ilk_compare_fn* catalog_compare(uint32_t type, uint32_t choice);

// Write a fresh value in both forms. It belongs to the caller.
void catalog_make(uint32_t type, uint32_t seed, void* ours, void* models);
// The model's form alone of what catalog_make makes.
void catalog_make_model(uint32_t type, uint32_t seed, void* models);
// A number that is the same for the same value in the library's form or the model's. Names have
// another form in each; they are compared as texts.
uint64_t catalog_digest(uint32_t type, const void* value);
// Write other bytes into a value in both forms; what it owns stays.
void catalog_rewrite(uint32_t type, uint32_t seed, void* ours, void* models);
// The same into a value in either form.
void catalog_scrawl(uint32_t type, uint32_t seed, void* value);
// Name an entity in one of the fields of a value, in both forms, if its type has such fields.
void catalog_point(uint32_t type, uint32_t which, ilk_entity named, void* ours, void* models);
// What a value looks like in both forms: a number made of some of its bytes.
uint64_t catalog_look(uint32_t type, const void* value);
// Whether a value of the library is what the model says; notes its token as seen.
bool catalog_same(uint32_t type, const void* ours, const void* models);
// Give up a value that belongs to the caller.
void catalog_discard(uint32_t type, void* ours);

void tokens_reset(void);
uint64_t tokens_held(void);
const char* tokens_complaint(void); // what a hook found wrong, or NULL
void tokens_begin(void);            // from here on no token may be seen twice

#endif
