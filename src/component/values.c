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

// Twice as many each time, from what is there; but not from further away than the first cache
// reaches.
#define NEAR_BYTES ((size_t)8 << 10)

static void repeat_bytes(unsigned char* to, const void* from, size_t size, size_t all) {
    if (all) ilki_value_move(to, from, size);
    for (size_t done = size, step; done < all; done += step) {
        step = done < NEAR_BYTES ? done : NEAR_BYTES / size * size;
        if (step == 0) step = size;
        if (step > all - done) step = all - done;
        memcpy(to + done, to, step);
    }
}

void ilki_values_repeat(const ilk_type* type, void* to, const void* from, uint32_t count) {
    if (!type->hooks.copy) {
        if (type->size) repeat_bytes(to, from, type->size, type->size * count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        type->hooks.copy((unsigned char*)to + i * type->size, from, type->hooks.context);
    }
}

bool ilki_type_has_names(const ilk_type* type) {
    for (const ilk_field* f = type->fields; f && f->name; f++) {
        if (f->kind == ILK_KIND_ENTITY) return true;
    }
    return false;
}

// A field need not be aligned.
void ilki_value_rename(const ilk_type* type, void* value, ilki_rename_fn* rename, void* context) {
    for (const ilk_field* f = type->fields; f && f->name; f++) {
        uint32_t length = f->kind == ILK_KIND_ENTITY ? ilk_field_length(f) : 0;
        unsigned char* at = (unsigned char*)value + f->offset;
        for (uint32_t i = 0; i < length; i++, at += sizeof(ilk_entity)) {
            ilk_entity e;
            memcpy(&e, at, sizeof e);
            e = rename(context, e);
            memcpy(at, &e, sizeof e);
        }
    }
}

typedef struct renaming {
    ilk_entity from, to;
} renaming;

static ilk_entity rename_one(void* context, ilk_entity e) {
    const renaming* r = context;
    return ilk_same(e, r->from) ? r->to : e;
}

void ilki_value_rename_one(const ilk_type* type, void* value, ilk_entity from, ilk_entity to) {
    renaming r = {from, to};
    if (type->fields) ilki_value_rename(type, value, rename_one, &r);
}
