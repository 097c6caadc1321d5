// Type identities, the only state that a process has beside the catalogue of worlds: one descriptor
// for each name, made when the first variable of that name is used, and never freed. Later
// variables of the same name are compared with it and given its id. Ids start at 1.
#ifndef ILKI_REGISTRY_H
#define ILKI_REGISTRY_H

#include <ilk/type.h>

#define ILKI_ALIGN_MAX 4096u
#define ILKI_SIZE_MAX (SIZE_MAX / 4)

// Finds the descriptor of a type, or makes it if `is_new_welcome`, and notes its id in the
// variable. OK; MISSING if there is none; INVALID if the type is unsound, and `*why` says in what;
// CLASH if another layout has its name, which is then in `*known`; NO_MEMORY. Any thread.
ilk_result ilki_type_resolve(ilk_type* type, bool is_new_welcome, ilk_type** known,
                             const char** why);

// The alignment of a type, also where it says none.
size_t ilki_type_align(const ilk_type* type);

// The variable of a type of ilk's own, by name; or NULL.
ilk_type* ilki_own_type(const char* name);

// Whether a type is that of names or ids.
bool ilki_type_is_indexed(const ilk_type* type);

// The descriptor of a name, or NULL. Any thread.
ilk_type* ilki_type_find(const char* name);

// Notes the id in a variable that is used for the first time, if its type is in use already.
// Whether it did so: then what failed for want of the id will not fail again. Any thread.
bool ilki_type_recall(ilk_type* type);

// The allocator behind descriptors, for tests of its failure. It must not give memory that moves.
extern void* (*ilki_type_alloc)(size_t size);

#endif
