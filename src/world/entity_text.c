// An entity as text: its handle, its components, and the values of fields that are described.
#include <inttypes.h>
#include <string.h>

#include <ilk/see.h>

#include "../entity/handle.h"
#include "world.h"

#define ELEMENTS_SHOWN 16u
#define CHARACTERS_SHOWN 64u

// A number that lies anywhere, which need not be aligned.
#define NUMBER_AT(T, bytes) (*(T*)memcpy(&(T){0}, (bytes), sizeof(T)))

static void put_signed(ilki_text* to, int64_t number) {
    ilki_text_format(to, "%" PRId64, number);
}

static void put_unsigned(ilki_text* to, uint64_t number) {
    ilki_text_format(to, "%" PRIu64, number);
}

// One element of a field whose kind is neither bytes nor characters.
static void put_element(ilki_text* to, const ilki_index* index, ilk_kind kind,
                        const unsigned char* at) {
    switch (kind) {
    case ILK_KIND_BOOL:
        ilki_text_put(to, *at ? "true" : "false"); // whatever byte it is
        return;
    case ILK_KIND_I8:
        put_signed(to, NUMBER_AT(int8_t, at));
        return;
    case ILK_KIND_U8:
        put_unsigned(to, *at);
        return;
    case ILK_KIND_I16:
        put_signed(to, NUMBER_AT(int16_t, at));
        return;
    case ILK_KIND_U16:
        put_unsigned(to, NUMBER_AT(uint16_t, at));
        return;
    case ILK_KIND_I32:
        put_signed(to, NUMBER_AT(int32_t, at));
        return;
    case ILK_KIND_U32:
        put_unsigned(to, NUMBER_AT(uint32_t, at));
        return;
    case ILK_KIND_I64:
        put_signed(to, NUMBER_AT(int64_t, at));
        return;
    case ILK_KIND_U64:
        put_unsigned(to, NUMBER_AT(uint64_t, at));
        return;
    case ILK_KIND_F32:
        ilki_text_format(to, "%g", (double)NUMBER_AT(float, at));
        return;
    case ILK_KIND_F64:
        ilki_text_format(to, "%g", NUMBER_AT(double, at));
        return;
    case ILK_KIND_ENTITY:
        ilki_put_handle(to, index, NUMBER_AT(ilk_entity, at));
        return;
    default: // where it points to is no business of others, and differs from run to run
        ilki_text_put(to, NUMBER_AT(void*, at) ? "a pointer" : "NULL");
    }
}

// The characters of a field, up to a zero or its end.
static void put_characters(ilki_text* to, const unsigned char* at, uint32_t size) {
    char copy[CHARACTERS_SHOWN + 1] = "";
    const unsigned char* zero = memchr(at, 0, size);
    size_t length = zero ? (size_t)(zero - at) : size;
    memcpy(copy, at, length < CHARACTERS_SHOWN ? length : CHARACTERS_SHOWN);
    ilki_text_quote(to, copy);
    if (length > CHARACTERS_SHOWN) ilki_text_put(to, "…");
}

static void put_elements(ilki_text* to, const ilki_index* index, const ilk_field* field,
                         const unsigned char* at) {
    uint32_t length = ilk_field_length(field);
    uint32_t size = length ? field->size / length : 0;
    if (length != 1) ilki_text_put(to, "[");
    for (uint32_t i = 0; i < length && i < ELEMENTS_SHOWN; i++) {
        ilki_text_put(to, i ? ", " : "");
        put_element(to, index, field->kind, at + i * size);
    }
    if (length > ELEMENTS_SHOWN) ilki_text_put(to, ", …");
    if (length != 1) ilki_text_put(to, "]");
}

void ilki_put_field(ilki_text* to, const ilk_world* world, const ilk_field* field,
                    const void* value) {
    const unsigned char* at = (const unsigned char*)value + field->offset;
    if (field->kind == ILK_KIND_CHAR)
        put_characters(to, at, field->size);
    else if (field->kind == ILK_KIND_BYTES)
        ilki_text_format(to, "%" PRIu32 " bytes", field->size);
    else
        put_elements(to, &world->storage.view.index, field, at);
}

// "Likes {to 3:1, 4:1}": its targets in place of fields.
static void put_targets(ilki_text* to, const ilk_world* world, const ilki_relation* relation,
                        const ilk_link* link) {
    uint32_t edge = link->first;
    ilki_text_put(to, " {to ");
    for (uint32_t i = 0; i < link->count && i < ELEMENTS_SHOWN; i++) {
        const ilki_edge* at = ilki_edge_at(&relation->edges, edge);
        ilki_text_put(to, i ? ", " : "");
        ilki_put_handle(to, &world->storage.view.index,
                        ilki_entity_in(&world->storage, at->target));
        edge = at->next_target;
    }
    if (link->count > ELEMENTS_SHOWN) ilki_text_put(to, ", …");
    ilki_text_put(to, "}");
}

void ilki_put_value(ilki_text* to, const ilk_world* world, const ilk_type* type,
                    const void* value) {
    const ilki_relation* relation = ilki_directory_of(&world->storage.view, type)->relation;
    const ilk_field* fields = relation ? NULL : type->fields;
    ilki_text_put(to, type->name);
    if (relation) put_targets(to, world, relation, value);
    for (uint32_t i = 0; fields && fields[i].name; i++) {
        ilki_text_put(to, i ? ", " : " {");
        ilki_text_format(to, "%s ", fields[i].name);
        ilki_put_field(to, world, &fields[i], value);
    }
    if (fields && fields[0].name) ilki_text_put(to, "}");
}

// The same for a component, and whether it is switched off: "Velocity (off)".
static void put_component(ilki_text* to, const ilk_world* world, ilk_entity e, ilk_type* type) {
    ilki_put_value(to, world, type, ilki_get(world, e, type, NULL));
    if (!ilk_enabled(world, e, type)) ilki_text_put(to, " (off)");
}

size_t ilk_entity_text(const ilk_world* world, ilk_entity e, char* text, size_t size) {
    ilki_text to = ilki_text_begin(text, size);
    if (!world || ilki_show_all(world, "ilk_entity_text") != ILK_OK) return 0;
    const ilki_index* index = &world->storage.view.index;
    const ilki_record* record = ilki_record_of(index, e);
    bool is_null = ilk_is_null(e);
    ilki_text_put(&to, is_null ? "the null entity" : "entity ");
    if (!is_null) ilki_put_entity(&to, world, e);
    if (!record) {
        ilki_text_put(&to, " is not alive in world ");
        ilki_text_quote(&to, world->name);
        return to.length;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->storage.type_count; i++) {
        ilk_type* type = world->storage.types[i]->type;
        if (!ilki_place_has(&world->storage, type, record->place)) continue;
        ilki_text_put(&to, count++ ? ", " : " ");
        put_component(&to, world, e, type);
    }
    if (!count) ilki_text_put(&to, " without a component");
    return to.length;
}
