// Values as they are sent: the fields that their type describes and that count (shape.h), in their
// order, with nothing between them, numbers with the lowest byte first. Where nothing is described,
// the bytes as they are. Nothing is sent of a type that owns something.
#ifndef ILKI_WIRE_H
#define ILKI_WIRE_H

#include "shape.h"

// Whether values can be sent.
bool ilki_wire_fits(const ilk_type* type);

// The bytes of a value.
size_t ilki_wire_size(const ilk_type* type);
void ilki_wire_put(const ilk_type* type, const void* value, unsigned char* to);

// What is not sent, such as pointers, stays as it is in the value.
void ilki_wire_take(const ilk_type* type, const unsigned char* from, void* value);

#endif
