// Types made at run time, from a text: their values are reached by the names of type and field, in a
// query by text too. It prints
//     crates that are found by "Crate & Solid": 2
//     entity 0:1 Crate {x 1.5, y 0, hits 0}
//     entity 2:1 Crate {x 4.5, y 0, hits 3}, Solid
#include <ilk/ilk.h>
#include <stdio.h>
#include <string.h>

ILK_TAG(Solid);

typedef struct word {
    const char* text;
    ilk_kind kind;
    uint32_t size;
} word;
static const word words[] = {{"float", ILK_KIND_F32, 4}, {"int", ILK_KIND_I32, 4}};

// Makes a type of a text like "float x; int hits". The world copies what it is told.
static ilk_type* make_type(ilk_world* world, const char* name, const char* text) {
    ilk_field fields[9] = {{0}}; // ends with one without a name
    char names[8][16], kind[16];
    ilk_type type = {.name = name, .fields = fields, .align = 4};
    int length = 0;
    for (int i = 0; i < 8; i++, text += length) {
        if (sscanf(text, " %15s %15[a-z]%n", kind, names[i], &length) != 2) break;
        const word* w = strcmp(kind, "float") == 0 ? &words[0] : &words[1];
        fields[i] = (ilk_field){names[i], w->kind, (uint32_t)type.size, w->size};
        type.size += w->size;
        if (text[length] == ';') length++;
    }
    ilk_register(world, &type);
    return ilk_type_named(world, name); // this one stays
}

static const ilk_field* field_named(const ilk_type* type, const char* name) {
    const ilk_field* field = type->fields;
    while (field->name && strcmp(field->name, name) != 0) field++;
    return field->name ? field : NULL;
}

static void set_field(void* value, const ilk_field* field, double number) {
    void* at = (char*)value + field->offset;
    if (field->kind == ILK_KIND_F32) *(float*)at = (float)number;
    if (field->kind == ILK_KIND_I32) *(int32_t*)at = (int32_t)number;
}

static void print(const ilk_world* world, uint32_t index) {
    char text[100];
    ilk_entity_text(world, ilk_entity_at(world, index), text, sizeof text);
    printf("%s\n", text);
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_type* crate = make_type(world, "Crate", "float x; float y; int hits");
    for (int i = 0; i < 3; i++) {
        ilk_entity e =
            ilk_spawn(world, (ilk_value[]){{crate, NULL}, {i ? &Solid_type : NULL, NULL}}, 2);
        set_field(ilk_edit(world, e, crate), field_named(crate, "x"), 1.5 * (i + 1));
    }
    ilk_query* solid =
        ilk_query_create(world, &(ilk_query_desc){.write = {ilk_type_named(world, "Crate")},
                                                  .where = "Crate & Solid"});
    printf("crates that are found by \"Crate & Solid\": %u\n", ilk_query_count(world, solid));
    const ilk_field* hits = field_named(crate, "hits");
    for (ilk_iter it = ilk_query_iter(world, solid); ilk_next(&it);) {
        char* column = ilk_column_write(&it, crate);
        for (uint32_t i = 0; i < it.count; i++) set_field(column + i * crate->size, hits, 3);
    }
    print(world, 0);
    print(world, 2);
    ilk_world_destroy(world);
}
