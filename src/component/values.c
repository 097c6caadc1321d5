#include "values.h"

const void* ilki_type_fallback(const ilk_type* type) {
    static const unsigned char zeros[ILKI_QUICK_SIZE];
    if (type->hooks.init || !ilki_type_is_quick(type)) return NULL;
    return type->default_value ? type->default_value : zeros;
}

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
