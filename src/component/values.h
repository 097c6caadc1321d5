// Making, moving and dropping the values of a type.
#ifndef ILKI_VALUES_H
#define ILKI_VALUES_H

#include <ilk/type.h>
#include <string.h>

#include "../base/platform.h"

// Moves one value. The sizes that components mostly have are moved without a call.
ILKI_INLINE void ilki_value_move(void* to, const void* from, size_t size) {
    if (size == 8)
        memcpy(to, from, 8);
    else if (size == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, size);
}

// Whether ilki_value_move_quick serves for the values of a type. The checked build looks at every
// value that comes and goes, and is never quick.
ILKI_INLINE bool ilki_type_is_quick(const ilk_type* type) {
#ifdef ILK_CHECKED
    (void)type;
    return false;
#else
    bool is_handy = type->size == 0 ? !type->hooks.init : type->size % 4 == 0 && type->size <= 16;
    return is_handy && !type->hooks.drop && !type->track;
#endif
}

ILKI_INLINE void ilki_move_12(void* to, const void* from) {
    uint64_t first;
    uint32_t last;
    memcpy(&first, from, sizeof first);
    memcpy(&last, (const unsigned char*)from + sizeof first, sizeof last);
    memcpy(to, &first, sizeof first);
    memcpy((unsigned char*)to + sizeof first, &last, sizeof last);
}

// Moves a value of 0, 4, 8, 12 or 16 bytes, perhaps to where it is, without a call.
ILKI_INLINE void ilki_value_move_quick(void* to, const void* from, size_t size) {
    if (size == 8)
        memmove(to, from, 8);
    else if (size == 4)
        memmove(to, from, 4);
    else if (size == 12)
        ilki_move_12(to, from);
    else if (size == 16)
        memmove(to, from, 16);
}

// Makes `count` default values side by side.
void ilki_values_default(const ilk_type* type, void* values, uint32_t count);

// Makes a value from the caller's bytes, or the default without them.
ILKI_INLINE void ilki_value_fill(const ilk_type* type, void* value, const void* bytes) {
    if (ILKI_LIKELY(bytes != NULL))
        ilki_value_move(value, bytes, type->size);
    else
        ilki_values_default(type, value, 1);
}

// Makes a copy of a value.
void ilki_value_copy(const ilk_type* type, void* to, const void* from);

ILKI_INLINE void ilki_value_drop(const ilk_type* type, void* value) {
    if (ILKI_UNLIKELY(type->hooks.drop != NULL)) type->hooks.drop(value, type->hooks.context);
}

#endif
