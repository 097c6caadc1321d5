#include "shape.h"

static bool type_owns(const ilk_type* type) {
    return type->hooks.drop || type->hooks.copy;
}

uint32_t ilki_field_elements(const ilk_field* field, uint32_t* size) {
    bool is_bytes = (uint32_t)field->kind - 1 >= ILK_KIND_POINTER;
    uint32_t in_all = ilk_field_length(&(ilk_field){.kind = field->kind, .size = 64});
    *size = is_bytes ? field->size : 64 / in_all;
    return is_bytes ? 1 : field->size / *size;
}

bool ilki_field_counts(const ilk_type* type, const ilk_field* field) {
    bool is_bytes = (uint32_t)field->kind - 1 >= ILK_KIND_POINTER;
    return field->kind != ILK_KIND_POINTER && !(is_bytes && type_owns(type));
}

// Whether the bytes of an element are the same on every machine.
static bool is_settled_order(const ilk_field* field, uint32_t size) {
    return ILKI_IS_LITTLE || size == 1 || (uint32_t)field->kind - 1 >= ILK_KIND_POINTER;
}

// Whether the fields follow each other without a gap, and each counts as it is.
static bool is_flat(const ilk_type* type) {
    size_t end = 0;
    for (const ilk_field* f = type->fields; f->name; f++) {
        uint32_t size, count = ilki_field_elements(f, &size);
        if (f->offset != end || !ilki_field_counts(type, f)) return false;
        if (count * size != f->size || !is_settled_order(f, size)) return false;
        end += f->size;
    }
    return end == type->size;
}

static ilki_form form_of(const ilk_type* type) {
    if (!type->size || type->unrecorded) return ILKI_FORM_NOTHING;
    if (type->hooks.hash) return ILKI_FORM_HOOK;
    if (!type->fields || !type->fields[0].name) {
        return type_owns(type) ? ILKI_FORM_NOTHING : ILKI_FORM_BYTES;
    }
    return is_flat(type) ? ILKI_FORM_BYTES : ILKI_FORM_FIELDS;
}

ilki_shape ilki_shape_of(const ilk_type* type) {
    return (ilki_shape){
        .type = type,
        .key = ilki_mix_end(ilki_mix_text(ILKI_ROOT_7, type->name)),
        .size = type->size,
        .form = form_of(type),
    };
}

// A number that lies anywhere, which need not be aligned.
#define NUMBER_AT(T, bytes) (*(T*)memcpy(&(T){0}, (bytes), sizeof(T)))

static void mixer_put_entity(ilki_mixer* mixer, const unsigned char* at) {
    ilk_entity e = NUMBER_AT(ilk_entity, at);
    ilki_mixer_put(mixer, e.index, 4);
    ilki_mixer_put(mixer, e.generation, 4);
}

static void mixer_put_element(ilki_mixer* mixer, ilk_kind kind, uint32_t size,
                              const unsigned char* at) {
    if (kind == ILK_KIND_ENTITY)
        mixer_put_entity(mixer, at);
    else if (size == 8)
        ilki_mixer_put(mixer, NUMBER_AT(uint64_t, at), 8);
    else if (size == 4)
        ilki_mixer_put(mixer, NUMBER_AT(uint32_t, at), 4);
    else if (size == 2)
        ilki_mixer_put(mixer, NUMBER_AT(uint16_t, at), 2);
    else
        ilki_mixer_put(mixer, *at, 1);
}

static void mixer_put_field(ilki_mixer* mixer, const ilk_field* field, const unsigned char* at) {
    uint32_t size, count = ilki_field_elements(field, &size);
    if (is_settled_order(field, size)) {
        ilki_mixer_put_bytes(mixer, at, (size_t)count * size);
        return;
    }
    for (uint32_t i = 0; i < count; i++, at += size)
        mixer_put_element(mixer, field->kind, size, at);
}

static uint64_t mix_fields(const ilk_type* type, uint64_t hash, const unsigned char* value) {
    ilki_mixer mixer = {.hash = hash};
    for (const ilk_field* f = type->fields; f->name; f++) {
        if (ilki_field_counts(type, f)) mixer_put_field(&mixer, f, value + f->offset);
    }
    return ilki_mixer_end(&mixer);
}

uint64_t ilki_mix_value(const ilki_shape* shape, uint64_t hash, const void* value) {
    const ilk_hooks* hooks = &shape->type->hooks;
    switch (shape->form) {
    case ILKI_FORM_BYTES:
        return ilki_mix_bytes(hash, value, shape->size);
    case ILKI_FORM_FIELDS:
        return mix_fields(shape->type, hash, value);
    case ILKI_FORM_HOOK:
        return ilki_mix(hash, hooks->hash(value, hooks->context));
    default:
        return hash;
    }
}

// For values of a size that the compiler knows, the loop over their words is gone.
ILKI_INLINE uint64_t hash_bytes(uint64_t key, const ilk_entity* entities,
                                const unsigned char* values, size_t size, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t hash = ilki_mix_begin(key, entities[i]);
        sum += ilki_mix_end(ilki_mix_bytes(hash, values + i * size, size));
    }
    return sum;
}

static uint64_t hash_one_by_one(const ilki_shape* shape, const ilk_entity* entities,
                                const unsigned char* values, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t hash = ilki_mix_begin(shape->key, entities[i]);
        sum += ilki_mix_end(ilki_mix_value(shape, hash, values + i * shape->size));
    }
    return sum;
}

uint64_t ilki_hash_rows(const ilki_shape* shape, const ilk_entity* entities,
                        const unsigned char* values, uint32_t count) {
    uint64_t key = shape->key;
    if (shape->form == ILKI_FORM_NOTHING) return hash_bytes(key, entities, values, 0, count);
    if (shape->form != ILKI_FORM_BYTES) return hash_one_by_one(shape, entities, values, count);
    switch (shape->size) {
    case 4:
        return hash_bytes(key, entities, values, 4, count);
    case 8:
        return hash_bytes(key, entities, values, 8, count);
    case 12:
        return hash_bytes(key, entities, values, 12, count);
    case 16:
        return hash_bytes(key, entities, values, 16, count);
    default:
        return hash_bytes(key, entities, values, shape->size, count);
    }
}
