// Positions: which numbers of a component they are, and what they say.
#include <math.h>
#include <string.h>

#include "space.h"

static bool is_vector(const ilk_field* field) {
    bool is_real = field->kind == ILK_KIND_F32 || field->kind == ILK_KIND_F64;
    uint32_t length = is_real ? ilk_field_length(field) : 0;
    return length == 2 || length == 3;
}

static const ilk_field* field_named(const ilk_type* type, const char* name) {
    for (const ilk_field* f = type->fields; f && f->name; f++) {
        if (strcmp(f->name, name) == 0) return f;
    }
    return NULL;
}

static const ilk_field* first_vector(const ilk_type* type) {
    for (const ilk_field* f = type->fields; f && f->name; f++) {
        if (is_vector(f)) return f;
    }
    return NULL;
}

static uint32_t size_of_number(uint32_t kind) {
    return kind == ILK_KIND_F32 ? sizeof(float) : sizeof(double);
}

// Fields x, y and perhaps z that lie side by side: how many. `x` is NULL if there are none.
static uint32_t find_xyz(const ilk_type* type, const ilk_field** x) {
    const ilk_field *y = field_named(type, "y"), *z = field_named(type, "z");
    *x = field_named(type, "x");
    bool is_real = *x && ((*x)->kind == ILK_KIND_F32 || (*x)->kind == ILK_KIND_F64);
    uint32_t size = is_real ? size_of_number((*x)->kind) : 0;
    bool is_there = is_real && (*x)->size == size && y && y->kind == (*x)->kind &&
                    y->size == size && y->offset == (*x)->offset + size;
    if (!is_there) return 0;
    return z && z->kind == y->kind && z->size == size && z->offset == y->offset + size ? 3 : 2;
}

// Where the numbers of a field are, and how many; 0: there is no such field.
static uint32_t find_numbers(const ilk_type* type, const char* name, uint32_t* kind,
                             uint32_t* offset) {
    const ilk_field* field = name ? field_named(type, name) : first_vector(type);
    uint32_t count = field && is_vector(field) ? ilk_field_length(field) : 0;
    if (!count && !name) count = find_xyz(type, &field);
    if (!count) return 0;
    *kind = (uint32_t)field->kind;
    *offset = field->offset;
    return count;
}

bool ilks_set_field(ilk_space* space) {
    const ilk_type* type = ilk_type_named(space->world, space->desc.type->name);
    if (!type) type = space->desc.type;
    uint32_t kind = 0, count = find_numbers(type, space->desc.field, &space->kind, &space->offset);
    space->store.dims = space->store.numbers = count;
    if (!count || !space->desc.high) return count != 0;
    space->store.numbers = 2 * count;
    return find_numbers(type, space->desc.high, &kind, &space->high_offset) == count &&
           kind == space->kind;
}

static void read_numbers(const unsigned char* value, uint32_t kind, uint32_t count, double* out) {
    if (kind == ILK_KIND_F32) {
        float numbers[3];
        memcpy(numbers, value, count * sizeof *numbers);
        for (uint32_t i = 0; i < count; i++) out[i] = numbers[i];
    } else {
        memcpy(out, value, count * sizeof *out);
    }
}

bool ilks_are_near(const double* numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!(fabs(numbers[i]) <= ILKS_FAR)) return false;
    }
    return true;
}

bool ilks_numbers_of(const ilk_space* space, ilk_entity e, const void* value, double* numbers) {
    const ilks_store* store = &space->store;
    uint32_t dims = store->dims;
    if (space->desc.where) {
        ilk_box box = {0};
        if (!space->desc.where(space->world, e, space->desc.user, &box)) return false;
        memcpy(numbers, box.low, dims * sizeof *numbers);
        memcpy(numbers + dims, box.high, dims * sizeof *numbers);
    } else {
        read_numbers((const unsigned char*)value + space->offset, space->kind, dims, numbers);
        if (space->desc.high) {
            read_numbers((const unsigned char*)value + space->high_offset, space->kind, dims,
                         numbers + dims);
        }
    }
    if (!ilks_are_near(numbers, store->numbers)) return false;
    for (uint32_t i = dims; i < store->numbers; i++) {
        if (numbers[i] < numbers[i - dims]) return false;
    }
    return true;
}
