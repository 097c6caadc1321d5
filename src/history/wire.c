#include "wire.h"

#include "../component/registry.h"

// (Names and ids have hooks that do nothing.)
bool ilki_wire_fits(const ilk_type* type) {
    return type->unrecorded || (!type->hooks.drop && !type->hooks.copy) ||
           ilki_type_is_indexed(type);
}

static bool has_fields(const ilk_type* type) {
    return type->fields && type->fields[0].name;
}

size_t ilki_wire_size(const ilk_type* type) {
    if (type->unrecorded) return 0;
    if (!has_fields(type)) return type->size;
    size_t size = 0;
    for (const ilk_field* f = type->fields; f->name; f++) {
        if (ilki_field_counts(type, f)) size += f->size;
    }
    return size;
}

// The same bytes, in the order of this machine or in that of what is sent.
static void turn_bytes(unsigned char* to, const unsigned char* from, uint32_t size) {
    for (uint32_t i = 0; i < size; i++) to[i] = from[ILKI_IS_LITTLE ? i : size - 1 - i];
}

// An entity is two numbers.
static void turn_element(ilk_kind kind, unsigned char* to, const unsigned char* from,
                         uint32_t size) {
    uint32_t number = kind == ILK_KIND_ENTITY ? size / 2 : size;
    for (uint32_t at = 0; at < size; at += number) turn_bytes(to + at, from + at, number);
}

static void turn_field(const ilk_field* field, unsigned char* to, const unsigned char* from) {
    uint32_t size, count = ilki_field_elements(field, &size);
    bool is_bytes = (uint32_t)field->kind - 1 >= ILK_KIND_POINTER;
    if (ILKI_IS_LITTLE || is_bytes || size == 1) {
        memcpy(to, from, field->size);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        turn_element(field->kind, to + i * size, from + i * size, size);
    }
}

void ilki_wire_put(const ilk_type* type, const void* value, unsigned char* to) {
    const unsigned char* from = value;
    if (type->unrecorded) return;
    if (!has_fields(type)) {
        memcpy(to, from, type->size);
        return;
    }
    for (const ilk_field* f = type->fields; f->name; f++) {
        if (!ilki_field_counts(type, f)) continue;
        turn_field(f, to, from + f->offset);
        to += f->size;
    }
}

// What came from elsewhere may be no bool.
static void make_bools(const ilk_field* field, unsigned char* at) {
    if (field->kind != ILK_KIND_BOOL) return;
    for (uint32_t i = 0; i < field->size; i++) at[i] = at[i] != 0;
}

void ilki_wire_take(const ilk_type* type, const unsigned char* from, void* value) {
    unsigned char* to = value;
    if (type->unrecorded) return;
    if (!has_fields(type)) {
        memcpy(to, from, type->size);
        return;
    }
    for (const ilk_field* f = type->fields; f->name; f++) {
        if (!ilki_field_counts(type, f)) continue;
        turn_field(f, to + f->offset, from);
        make_bools(f, to + f->offset);
        from += f->size;
    }
}
