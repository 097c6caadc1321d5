#include "values.h"

void ilki_values_default(const ilk_type* type, void* values, uint32_t count) {
    if (!type->default_value) {
        memset(values, 0, type->size * count);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            memcpy((unsigned char*)values + i * type->size, type->default_value, type->size);
        }
    }
    if (!type->hooks.init) return;
    for (uint32_t i = 0; i < count; i++) {
        type->hooks.init((unsigned char*)values + i * type->size, type->hooks.context);
    }
}

void ilki_value_copy(const ilk_type* type, void* to, const void* from) {
    if (type->hooks.copy)
        type->hooks.copy(to, from, type->hooks.context);
    else
        memcpy(to, from, type->size);
}
