// Types made at run time, from a text: they are found by their names, their values are set through
// the names of fields, and queries ask for them by a text too. It prints
//     of "Crate & Solid": 2
//     entity 0:1 Crate {x 1.5, y 0, hits 0}
//     entity 1:1 Crate {x 3, y 0, hits 7}, Solid
//     entity 2:1 Crate {x 4.5, y 0, hits 7}, Solid
#include <ilk/ilk.h>
#include <stdio.h>
#include <string.h>

// Makes a type of a text like "float x; int hits". NULL if it cannot be.
static ilk_type* make_type(ilk_world* world, const char* name, const char* text) {
    char kind[16], names[8][16];
    ilk_field fields[9] = {{0}}; // one without a name is the end
    ilk_type type = {.name = name, .fields = fields};
    for (int i = 0, length; i < 8 && *text; i++) {
        if (sscanf(text, "%15s %15[a-z]%n", kind, names[i], &length) != 2) return NULL;
        text += length;
        text += strspn(text, "; ");
        bool is_float = strcmp(kind, "float") == 0;
        if (!is_float && strcmp(kind, "int") != 0) return NULL;
        fields[i] = (ilk_field){.name = names[i],
                                .kind = is_float ? ILK_KIND_F32 : ILK_KIND_I32,
                                .offset = (uint32_t)type.size,
                                .size = 4};
        type.size += 4;
    }
    ilk_register(world, &type); // copies all of it: these variables may go
    return ilk_type_named(world, name);
}

static void set_field(void* value, const ilk_type* type, const char* name, double number) {
    for (const ilk_field* field = type->fields; field->name; field++) {
        if (strcmp(field->name, name) != 0) continue;
        void* at = (char*)value + field->offset;
        if (field->kind == ILK_KIND_F32) *(float*)at = (float)number;
        if (field->kind == ILK_KIND_I32) *(int32_t*)at = (int32_t)number;
    }
}

// Strikes all that match.
static void strike(ilk_world* world, const char* condition) {
    ilk_type* crate = ilk_type_named(world, "Crate");
    ilk_query* query =
        ilk_query_create(world, &(ilk_query_desc){.write = {crate}, .where = condition});
    printf("of \"%s\": %u\n", condition, ilk_query_count(world, query));
    for (ilk_iter it = ilk_query_iter(world, query); ilk_next(&it);) {
        char* column = ilk_column_write(&it, crate);
        for (uint32_t i = 0; i < it.count; i++) {
            set_field(column + i * crate->size, crate, "hits", 7);
        }
    }
}

int main(void) {
    ilk_world* world = ilk_world_create(NULL);
    ilk_type* crate = make_type(world, "Crate", "float x; float y; int hits");
    ilk_type* solid = make_type(world, "Solid", ""); // a tag
    for (int i = 0; i < 3; i++) {
        ilk_entity e = ilk_spawn(world, &(ilk_value){crate, NULL}, 1); // NULL: its default
        set_field(ilk_edit(world, e, crate), crate, "x", 1.5 * (i + 1));
        if (i > 0) ilk_add(world, e, (ilk_value){solid, NULL});
    }
    strike(world, "Crate & Solid");
    for (uint32_t i = 0; i < 3; i++) {
        char text[100];
        ilk_entity_text(world, ilk_entity_at(world, i), text, sizeof text);
        printf("%s\n", text);
    }
    ilk_world_destroy(world);
}
