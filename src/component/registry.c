#include "registry.h"

#include <ilk/name.h>
#include <ilk/relation.h>
#include <stdlib.h>
#include <string.h>

#include "../base/platform.h"

void* (*ilki_type_alloc)(size_t size) = malloc;

ilk_type ilk_inactive_type = {.name = "ilk_inactive", .align = 1};
ilk_type ilk_dying_type = {.name = "ilk_dying", .align = 1, .outlives = true};

static const ilk_relation child_of = {
    .is_exclusive = true, .is_tree = true, .at_end = ILK_END_SOURCE};
ilk_type ilk_child_of_type = {.name = "ChildOf",
                              .size = sizeof(ilk_link),
                              .align = _Alignof(ilk_link),
                              .relation = &child_of};

// Values that the storage sees to when they go (ilki_own_drop), and those who copy them.
static void own_copy(void* to, const void* from, void* context) {
    memcpy(to, from, *(const size_t*)context);
}

static void own_drop(void* value, void* context) {
    (void)value, (void)context;
}

#define OWN_HOOKS(T)                                                                               \
    {                                                                                              \
        .copy = own_copy, .drop = own_drop, .context = &(size_t) {                                 \
            sizeof(T)                                                                              \
        }                                                                                          \
    }

ilk_type ilk_name_type = {.name = "ilk_name",
                          .size = sizeof(ilk_name),
                          .align = _Alignof(ilk_name),
                          .hooks = OWN_HOOKS(ilk_name)};
ilk_type ilk_id_type = {.name = "ilk_id",
                        .size = sizeof(ilk_id),
                        .align = _Alignof(ilk_id),
                        .hooks = OWN_HOOKS(ilk_id),
                        .fields = ILK_FIELDS(ILK_FIELD(ilk_id, high), ILK_FIELD(ilk_id, low))};

ilk_type* ilki_own_type(const char* name) {
    static ilk_type* const own[] = {&ilk_inactive_type, &ilk_dying_type, &ilk_child_of_type,
                                    &ilk_name_type, &ilk_id_type};
    for (uint32_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (strcmp(name, own[i]->name) == 0) return own[i];
    }
    return NULL;
}

bool ilki_type_is_indexed(const ilk_type* type) {
    const ilk_type* own = type->name ? ilki_own_type(type->name) : NULL;
    return own == &ilk_name_type || own == &ilk_id_type;
}

// Descriptors in buckets by name: a list per bucket. Ten thousand types are still found at once,
// and each variable is looked up only once.
#define BUCKETS 1024u

typedef struct descriptor {
    ilk_type type;
    ilk_relation relation;
    struct descriptor* next;
    _Alignas(max_align_t) unsigned char value[]; // the default, the fields, the texts
} descriptor;

static struct {
    ilki_lock lock;
    uint32_t count;
    descriptor* buckets[BUCKETS];
} registry;

static uint32_t bucket_of(const char* name) {
    uint32_t hash = 2166136261u;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    return (hash ^ hash >> 16) % BUCKETS;
}

static const char* complaint(const ilk_type* type);

// What is wrong with a type that is a relation.
static const char* complaint_of_relation(const ilk_type* type) {
    const ilk_type* value = type->relation->value;
    if (type->size != sizeof(ilk_link)) return "it is a relation, but its value is no ilk_link";
    if (ilki_type_align(type) != _Alignof(ilk_link)) return "it is a relation aligned otherwise";
    if (type->hooks.init || type->hooks.copy || type->hooks.drop) {
        return "it is a relation, which has no hooks";
    }
    if (type->default_value) return "it is a relation, which has no default";
    if (type->outlives) return "it is a relation, which outlives nobody";
    bool is_left_out = type->unrecorded || (value && value->unrecorded);
    if (is_left_out) return "it is a relation, which is always recorded with what it carries";
    if ((uint32_t)type->relation->at_end > ILK_END_REFUSED) return "it ends in no known way";
    if (value && value->relation) return "it is a relation whose value is one";
    return value ? complaint(value) : NULL;
}

static const char* complaint(const ilk_type* type) {
    size_t align = type->align;
    if (!type->name || !type->name[0]) return "it has no name";
    if (type->unsound) return type->unsound;
    if (align & (align - 1)) return "its alignment is not a power of two";
    if (align > ILKI_ALIGN_MAX) return "its alignment is above 4096";
    if (align && type->size % align) return "its size is not a multiple of its alignment";
    if (type->size > ILKI_SIZE_MAX) return "its size is beyond all memory";
    if ((uint32_t)type->saving > ILK_UNSAVED_ENTITY) return "it is saved in no known way";
    for (const ilk_field* f = type->fields; f && f->name; f++) {
        if ((size_t)f->offset + f->size > type->size) return "a field of it lies beyond its size";
    }
    return type->relation ? complaint_of_relation(type) : NULL;
}

size_t ilki_type_align(const ilk_type* type) {
    if (type->align) return type->align;
    size_t lowest_bit = type->size & (~type->size + 1);
    return lowest_bit == 0 ? 1 : lowest_bit > 16 ? 16 : lowest_bit;
}

static uint32_t count_fields(const ilk_field* fields) {
    uint32_t count = 0;
    while (fields[count].name) count++;
    return count;
}

static bool is_same_field(const ilk_field* a, const ilk_field* b) {
    return a->kind == b->kind && a->offset == b->offset && a->size == b->size &&
           strcmp(a->name, b->name) == 0;
}

// Whether two types that are relations, or not, are so in the same way. (A tree is exclusive.)
static bool is_same_relation(const ilk_relation* known, const ilk_relation* other) {
    if (!known || !other) return known == other;
    bool is_exclusive = other->is_exclusive || other->is_tree;
    return known->is_exclusive == is_exclusive && known->is_tree == other->is_tree &&
           known->at_end == other->at_end && !known->value == !other->value &&
           (!known->value || strcmp(known->value->name, other->value->name) == 0);
}

// Fields count only where both sides describe them.
static bool is_same_layout(const ilk_type* known, const ilk_type* type) {
    if (known->size != type->size || known->align != ilki_type_align(type)) return false;
    if (!is_same_relation(known->relation, type->relation)) return false;
    if (!known->fields || !type->fields) return true;
    uint32_t count = count_fields(type->fields);
    if (count_fields(known->fields) != count) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_same_field(&known->fields[i], &type->fields[i])) return false;
    }
    return true;
}

static descriptor* find_descriptor(const char* name) {
    descriptor* known = registry.buckets[bucket_of(name)];
    while (known && strcmp(known->type.name, name) != 0) known = known->next;
    return known;
}

static char* copy_text(char** free_space, const char* text) {
    size_t size = strlen(text) + 1;
    char* copy = memcpy(*free_space, text, size);
    *free_space += size;
    return copy;
}

static size_t fields_bytes(const ilk_type* type) {
    return type->fields ? (count_fields(type->fields) + 1) * sizeof(ilk_field) : 0;
}

static size_t names_bytes(const ilk_type* type) {
    size_t bytes = strlen(type->name) + 1;
    for (const ilk_field* f = type->fields; f && f->name; f++) bytes += strlen(f->name) + 1;
    return bytes;
}

// One piece of memory holds the descriptor and all that it points to.
static descriptor* make_descriptor(const ilk_type* type, ilk_type* value) {
    size_t fields_size = fields_bytes(type);
    size_t value_size = type->default_value ? type->size : 0;
    size_t value_room = (value_size + sizeof(void*) - 1) & ~(sizeof(void*) - 1);
    descriptor* made = ilki_type_alloc(sizeof *made + fields_size + value_room + names_bytes(type));
    if (!made) return NULL;
    ilk_field* fields = (ilk_field*)(void*)(made->value + value_room);
    char* texts = (char*)fields + fields_size;
    made->type = (ilk_type){
        .name = copy_text(&texts, type->name),
        .size = type->size,
        .align = ilki_type_align(type),
        .default_value = value_size ? memcpy(made->value, type->default_value, value_size) : NULL,
        .hooks = type->hooks,
        .track = type->track,
        .saving = type->saving,
        .copy_to_save = type->copy_to_save,
        .outlives = type->outlives,
        .unrecorded = type->unrecorded,
        .fields = type->fields ? memcpy(fields, type->fields, fields_size) : NULL,
    };
    for (ilk_field* f = fields; type->fields && f->name; f++) f->name = copy_text(&texts, f->name);
    if (type->relation) {
        made->relation = *type->relation;
        made->relation.is_exclusive |= made->relation.is_tree;
        made->relation.value = value;
        made->type.relation = &made->relation;
    }
    return made;
}

// The type that a relation carries a value of, in the form that it is known by, comes with it.
static descriptor* add_descriptor(const ilk_type* type, ilk_type* value) {
    descriptor* made = make_descriptor(type, value);
    if (!made) return NULL;
    descriptor** bucket = &registry.buckets[bucket_of(type->name)];
    made->type.id = ++registry.count;
    made->next = *bucket;
    *bucket = made;
    return made;
}

ilk_result ilki_type_resolve(ilk_type* type, bool is_new_welcome, ilk_type** known,
                             const char** why) {
    *why = complaint(type);
    if (*why) return ILK_INVALID;
    ilk_type* value = NULL;
    if (type->relation && type->relation->value) {
        ilk_result result = ilki_type_resolve(type->relation->value, is_new_welcome, &value, why);
        if (result == ILK_CLASH) *known = value;
        if (result != ILK_OK) return result;
    }
    ilki_lock_take(&registry.lock);
    descriptor* found = find_descriptor(type->name);
    const ilk_type* own = found ? NULL : ilki_own_type(type->name);
    if (!found && is_new_welcome) found = add_descriptor(own ? own : type, value);
    ilki_lock_give(&registry.lock);
    if (!found) return is_new_welcome ? ILK_NO_MEMORY : ILK_MISSING;
    *known = &found->type;
    if (!is_same_layout(&found->type, type)) return ILK_CLASH;
    if (type != &found->type) ilki_atomic_store(&type->id, found->type.id);
    return ILK_OK;
}

ilk_type* ilki_type_find(const char* name) {
    ilki_lock_take(&registry.lock);
    descriptor* found = find_descriptor(name);
    const ilk_type* own = found ? NULL : ilki_own_type(name);
    if (own) found = add_descriptor(own, NULL);
    ilki_lock_give(&registry.lock);
    return found ? &found->type : NULL;
}

bool ilki_type_recall(ilk_type* type) {
    ilk_type* known;
    const char* why;
    return type && ilki_atomic_load(&type->id) == 0 &&
           ilki_type_resolve(type, false, &known, &why) == ILK_OK;
}

uint32_t ilk_field_length(const ilk_field* field) {
    if (!field) return 0;
    static const uint8_t sizes[] = {
        [ILK_KIND_BOOL] = sizeof(bool),
        [ILK_KIND_CHAR] = 1,
        [ILK_KIND_I8] = 1,
        [ILK_KIND_U8] = 1,
        [ILK_KIND_I16] = 2,
        [ILK_KIND_U16] = 2,
        [ILK_KIND_I32] = 4,
        [ILK_KIND_U32] = 4,
        [ILK_KIND_I64] = 8,
        [ILK_KIND_U64] = 8,
        [ILK_KIND_F32] = 4,
        [ILK_KIND_F64] = 8,
        [ILK_KIND_ENTITY] = 8,
        [ILK_KIND_POINTER] = sizeof(void*),
    };
    uint32_t kind = (uint32_t)field->kind;
    uint32_t element = kind < sizeof sizes ? sizes[kind] : 0;
    return element ? field->size / element : 1;
}

bool ilk_same_type(const ilk_type* a, const ilk_type* b) {
    if (!a || !b || !a->name || !b->name) return false;
    return a == b || strcmp(a->name, b->name) == 0;
}
