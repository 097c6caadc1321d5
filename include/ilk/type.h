// Types: what a component is called, how large it is, and what its values own.
//
// A type is a plain variable. ILK_COMPONENT(Position) defines one named Position_type; a type
// known only at run time is an ilk_type that the program fills in itself, and which may go once it
// was used: ilk_type_named finds the type again. There is no difference between the two. A type
// needs no registration: the first call that uses it introduces it. Types of one name and one
// layout are the same type, whichever file or shared library they come from; the hooks, default and
// fields of the first one used serve for all.
#ifndef ILK_TYPE_H
#define ILK_TYPE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where entities live (world.h).
typedef struct ilk_world ilk_world;

// What a field of a component is.
typedef enum ilk_kind {
    ILK_KIND_BYTES, // anything that is none of the others
    ILK_KIND_BOOL,
    ILK_KIND_CHAR,
    ILK_KIND_I8,
    ILK_KIND_U8,
    ILK_KIND_I16,
    ILK_KIND_U16,
    ILK_KIND_I32,
    ILK_KIND_U32,
    ILK_KIND_I64,
    ILK_KIND_U64,
    ILK_KIND_F32,
    ILK_KIND_F64,
    ILK_KIND_ENTITY,
    ILK_KIND_POINTER
} ilk_kind;

// One field of a component, within its bytes. An array has its element's kind and a length above 1.
typedef struct ilk_field {
    const char* name;
    ilk_kind kind;
    uint32_t offset;
    uint32_t size; // of the whole field, in bytes
} ilk_field;

// How many elements a field has; 1 for one that is no array, or whose kind is bytes.
ILK_API uint32_t ilk_field_length(const ilk_field* field);

// What to do with values that own something. Each may be NULL; without `copy`, values are copied
// byte by byte. Values may be moved by memcpy at any time, whatever they own. The hooks must not
// use the world, and cannot fail: where one has no memory, it leaves a value that says so.
typedef struct ilk_hooks {
    void (*init)(void* value, void* context);                // after the default bytes are there
    void (*copy)(void* to, const void* from, void* context); // `to` holds no value yet
    void (*drop)(void* value, void* context);                // the value is about to go
    void* context;
    uint64_t (*hash)(const void* value, void* context); // in place of fields or bytes (hash.h)
} ilk_hooks;

typedef struct ilk_relation ilk_relation; // relation.h

// What of a type goes into a copy that is to be saved (ilk_blueprint_to_save).
typedef enum ilk_saving {
    ILK_SAVED,
    ILK_UNSAVED,       // its values are left out
    ILK_UNSAVED_ENTITY // whoever has one is left out
} ilk_saving;

// A type of components, relations, events or resources. All zero but for a name is valid, and a
// tag.
typedef struct ilk_type {
    const char* name; // its identity; copied at first use, like all that follows
    size_t size;      // 0: a tag
    size_t align;     // a power of two; 0: the largest that divides the size, up to 16; 1 for a tag
    const void* default_value; // NULL: all zero
    ilk_hooks hooks;
    const ilk_field* fields;      // ends with a field without a name; NULL: not described
    bool track;                   // note changes by row, for .changed and .added: 16 bytes a value
    bool outlives;                // its values stay when their entity is destroyed, until removed
    const ilk_relation* relation; // to other entities; NULL: the type is none
    bool unrecorded;              // its values are left out of history: see snapshot.h
    ilk_saving saving;
    // Copies a value that is to be saved, as hooks.copy does, with the hooks' context; NULL: that
    // one.
    void (*copy_to_save)(void* to, const void* from, void* context);
    const char* unsound; // why no world is to take it, as "it is abstract"; NULL: it is sound
    uint32_t id;         // ilk's own: 0 until first used; set it to 0 in a copy
} ilk_type;

// A value on its way into a world: its type and its bytes. NULL bytes mean the type's default.
// Verbs move the value in: what it owns belongs to the world from then on, unless the call fails.
typedef struct ilk_value {
    ilk_type* type;
    const void* bytes;
} ilk_value;

#ifndef __cplusplus
// Define the type of a struct T as T_type, once, in a source file. The second form takes further
// members: ILK_COMPONENT_WITH(Name, .hooks = { .drop = name_drop }, .fields = ILK_FIELDS(…)).
#define ILK_COMPONENT(T) ilk_type T##_type = {.name = #T, .size = sizeof(T), .align = _Alignof(T)}
#define ILK_COMPONENT_WITH(T, ...)                                                                 \
    ilk_type T##_type = {.name = #T, .size = sizeof(T), .align = _Alignof(T), __VA_ARGS__}
// Define a tag, a component without a value, as T_type. It is given with ILK_WITH and asked for
// with ilk_has.
#define ILK_TAG(T) ilk_type T##_type = {.name = #T, .size = 0, .align = 1}
#define ILK_TAG_WITH(T, ...) ilk_type T##_type = {.name = #T, .size = 0, .align = 1, __VA_ARGS__}
#endif
// The header form: announce T_type for use in other files.
#define ILK_DECLARE(T) extern ilk_type T##_type

// Two tags of ilk's own, which a world may know also if it is restricted: of entities that are
// inactive (ilk_deactivate), which is a tag like any other, known once it is used; and of those
// that are dying (ilk_destroy), which queries may mention, but which is INVALID to give, take or
// switch. It comes with the first type that outlives, and has the next number.
extern ILK_API ilk_type ilk_inactive_type;
extern ILK_API ilk_type ilk_dying_type;

#ifndef __cplusplus
// A value written in place, ILK_VALUE(Position, .x = 1), whose other fields are 0, whatever the
// type's default; the value that a pointer to T points at; and the default value of T, which is
// also how a tag is written. Of a type made at run time: (ilk_value){&type, &bytes}.
#define ILK_VALUE(T, ...) ((ilk_value){&T##_type, &(T){__VA_ARGS__}})
#define ILK_VALUE_AT(T, pointer) ((ilk_value){&T##_type, 1 ? (pointer) : (const T*)0})
#define ILK_WITH(T) ((ilk_value){&T##_type, 0})

// The list of a type's fields: ILK_FIELDS(ILK_FIELD(Position, x), ILK_FIELD(Position, y)).
#define ILK_FIELDS(...) ((const ilk_field[]){__VA_ARGS__, {0}})
#define ILK_FIELD(T, member)                                                                       \
    {#member, ILK_KIND_OF(((T*)0)->member), offsetof(T, member), sizeof(((T*)0)->member)}
// clang-format off
#define ILK_KIND_LONG_ (sizeof(long) == 8 ? ILK_KIND_I64 : ILK_KIND_I32)
#define ILK_KIND_ULONG_ (sizeof(long) == 8 ? ILK_KIND_U64 : ILK_KIND_U32)
// The kind of a field or, for an array, of its elements. (An array meets the second list, as the
// pointer that it decays to. So does a pointer that is itself const: describe that one by hand.)
#define ILK_KIND_OF(field)                                                                         \
    _Generic(&(field),                                                                             \
        bool*: ILK_KIND_BOOL, char*: ILK_KIND_CHAR, signed char*: ILK_KIND_I8,                     \
        unsigned char*: ILK_KIND_U8, short*: ILK_KIND_I16, unsigned short*: ILK_KIND_U16,          \
        int*: ILK_KIND_I32, unsigned int*: ILK_KIND_U32, long*: ILK_KIND_LONG_,                    \
        unsigned long*: ILK_KIND_ULONG_, long long*: ILK_KIND_I64,                                 \
        unsigned long long*: ILK_KIND_U64, float*: ILK_KIND_F32, double*: ILK_KIND_F64,            \
        ilk_entity*: ILK_KIND_ENTITY,                                                              \
        bool**: ILK_KIND_POINTER, char**: ILK_KIND_POINTER, signed char**: ILK_KIND_POINTER,       \
        unsigned char**: ILK_KIND_POINTER, short**: ILK_KIND_POINTER,                              \
        unsigned short**: ILK_KIND_POINTER, int**: ILK_KIND_POINTER,                               \
        unsigned int**: ILK_KIND_POINTER, long**: ILK_KIND_POINTER,                                \
        unsigned long**: ILK_KIND_POINTER, long long**: ILK_KIND_POINTER,                          \
        unsigned long long**: ILK_KIND_POINTER, float**: ILK_KIND_POINTER,                         \
        double**: ILK_KIND_POINTER, ilk_entity**: ILK_KIND_POINTER, void**: ILK_KIND_POINTER,      \
        const void**: ILK_KIND_POINTER, const char**: ILK_KIND_POINTER,                            \
        default: _Generic((field),                                                                 \
            bool*: ILK_KIND_BOOL, char*: ILK_KIND_CHAR, signed char*: ILK_KIND_I8,                 \
            unsigned char*: ILK_KIND_U8, short*: ILK_KIND_I16, unsigned short*: ILK_KIND_U16,      \
            int*: ILK_KIND_I32, unsigned int*: ILK_KIND_U32, long*: ILK_KIND_LONG_,                \
            unsigned long*: ILK_KIND_ULONG_, long long*: ILK_KIND_I64,                             \
            unsigned long long*: ILK_KIND_U64, float*: ILK_KIND_F32, double*: ILK_KIND_F64,        \
            ilk_entity*: ILK_KIND_ENTITY,                                                          \
            default: ILK_KIND_BYTES))
// clang-format on
#endif

// Whether two types are the same, by name. What ilk hands out (in events, notices and lists of
// types) is not always the variable that the program uses, so that pointers may differ. Any thread.
ILK_API bool ilk_same_type(const ilk_type* a, const ilk_type* b);

// Introduce a type to a world before its first use, to fix the order of numbers or to learn early
// that it is unsound. EXISTS if the world knows it, CLASH if another layout has its name, FOREIGN
// if the world is restricted to other types, INVALID, FULL, NO_MEMORY. A type that was taken out is
// brought back. The world's thread.
ILK_API ilk_result ilk_register(ilk_world* world, ilk_type* type);

// Take a type out of a world, as a module goes that brought it along: it is removed from every
// entity, in the order of a query, and observers are told. Its values are kept aside, and those
// that were switched off as such, until ilk_register brings the type back: then entities that are
// still there get theirs again, and the values of others are dropped. (So they are by ilk_clear,
// and with the world.) Until then nobody has the type, and giving it is FOREIGN; it keeps its
// number, queries and systems that use it find nothing, and events of it are sent as ever. MISSING
// if the world does not know it or it is out already, INVALID for a relation or a type of ilk's
// own, LOCKED inside a system, NO_MEMORY: nothing is done. The world's thread.
ILK_API ilk_result ilk_unregister(ilk_world* world, ilk_type* type);

// How many types a world knows. They are numbered 0, 1, 2… in order of first use.
ILK_API uint32_t ilk_type_count(const ilk_world* world);

// The number of a type in a world, or UINT32_MAX if the world does not know it.
ILK_API uint32_t ilk_type_number(const ilk_world* world, ilk_type* type);

// The type of a number, or by name; NULL if the world knows none. What comes back lives as long as
// the program and may be used wherever a type may, but is not to be written to.
ILK_API ilk_type* ilk_type_at(const ilk_world* world, uint32_t number);
ILK_API ilk_type* ilk_type_named(const ilk_world* world, const char* name);

#ifdef __cplusplus
}
#endif
#endif
