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

#define ILKI_QUICK_SIZE 16u

// Whether ilki_value_move_quick serves for the values of a type, and nothing depends on their being
// there. The checked build looks at every value that comes and goes, and is never quick.
ILKI_INLINE bool ilki_type_is_quick(const ilk_type* type) {
#ifdef ILK_CHECKED
    (void)type;
    return false;
#else
    bool is_handy = type->size % 4 == 0 && type->size <= ILKI_QUICK_SIZE;
    return is_handy && !type->hooks.drop && !type->track && !type->outlives && !type->relation;
#endif
}

// Whether something is to be done when a value of a type goes.
ILKI_INLINE bool ilki_type_drops(const ilk_type* type) {
    return type->hooks.drop || type->relation;
}

// The bytes of the default of a type that is quick, if they are all there is to it; or NULL.
const void* ilki_type_fallback(const ilk_type* type);

// Moves four bytes, never more at once: what a caller has just written field by field can be read
// at once by field, but more than a field only after it has left for the cache (measured: 4 ns).
ILKI_INLINE void ilki_move_4(unsigned char* to, const unsigned char* from) {
    uint32_t word;
    memcpy(&word, from, sizeof word);
    __asm__("" : "+r"(word)); // compilers would join two of these
    memcpy(to, &word, sizeof word);
}

// Moves a value of 0, 4, 8, 12 or 16 bytes, perhaps to where it is, without a call.
ILKI_INLINE void ilki_value_move_quick(unsigned char* to, const unsigned char* from, size_t size) {
    if (size == 8) {
        ilki_move_4(to, from);
        ilki_move_4(to + 4, from + 4);
    } else if (size == 4) {
        ilki_move_4(to, from);
    } else {
        for (size_t at = 0; at < size; at += 4) ilki_move_4(to + at, from + at);
    }
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

// Makes `count` copies of a value side by side.
void ilki_values_repeat(const ilk_type* type, void* to, const void* from, uint32_t count);

// Whether a type describes fields that hold entities; and puts another entity in the place of each
// one that a value names.
typedef ilk_entity ilki_rename_fn(void* context, ilk_entity e);
bool ilki_type_has_names(const ilk_type* type);
void ilki_value_rename(const ilk_type* type, void* value, ilki_rename_fn* rename, void* context);

// The same, in the place of one entity.
void ilki_value_rename_one(const ilk_type* type, void* value, ilk_entity from, ilk_entity to);

ILKI_INLINE void ilki_value_drop(const ilk_type* type, void* value) {
    if (ILKI_UNLIKELY(type->hooks.drop != NULL)) type->hooks.drop(value, type->hooks.context);
}

#endif
