// Shapes: what of the values of a type is hashed and compared.
//
// A type may say so itself (hooks.hash). Otherwise it is the fields that it describes, in their
// order and as if nothing were between them, numbers with the lowest byte first: so padding does
// not count, and all machines agree. Pointers are left out. Where nothing is described, be it a
// whole value or one field of kind bytes, it is the bytes as they are; but not if the type owns
// something (it has a hook to copy or drop): those bytes say where that is, not what.
#ifndef ILKI_SHAPE_H
#define ILKI_SHAPE_H

#include "mix.h"

typedef enum ilki_form {
    ILKI_FORM_NOTHING, // only whether the value is there
    ILKI_FORM_BYTES,   // all of them in one go, which gives what fields would
    ILKI_FORM_FIELDS,
    ILKI_FORM_HOOK
} ilki_form;

typedef struct ilki_shape {
    const ilk_type* type;
    uint64_t key; // from its name
    size_t size;
    ilki_form form;
} ilki_shape;

ilki_shape ilki_shape_of(const ilk_type* type);

// Whether a field counts; how many elements it has, and how large they are: one, for bytes.
bool ilki_field_counts(const ilk_type* type, const ilk_field* field);
uint32_t ilki_field_elements(const ilk_field* field, uint32_t* size);

// Takes a value in.
uint64_t ilki_mix_value(const ilki_shape* shape, uint64_t hash, const void* value);

// The sum of the hashes of values that lie side by side and belong to these entities.
uint64_t ilki_hash_rows(const ilki_shape* shape, const ilk_entity* entities,
                        const unsigned char* values, uint32_t count);

#endif
