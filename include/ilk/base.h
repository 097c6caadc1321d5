// Results, messages and the allocator hook: what every other header of ilk leans on.
//
// Every call that can fail returns an ilk_result, or yields NULL, the null entity or a zero count
// and leaves the result in the world (ilk_error). Nothing that a caller passes aborts the program:
// a NULL world is INVALID, or gives nothing.
#ifndef ILK_BASE_H
#define ILK_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of these headers.
#define ILK_VERSION_MAJOR 0
#define ILK_VERSION_MINOR 1
#define ILK_VERSION_PATCH 0

// What is in front of each function that the library offers to programs.
#if defined(ILK_SHARED) && defined(_WIN32)
#ifdef ILK_BUILDING
#define ILK_API __declspec(dllexport)
#else
#define ILK_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define ILK_API __attribute__((visibility("default")))
#else
#define ILK_API
#endif

// Name, number and sentence of each result. The numbers are pinned: they never change meaning.
#define ILK_RESULTS(X)                                                                             \
    X(OK, 0, "it is done")                                                                         \
    X(DEAD, 1, "the entity is not alive in this world")                                            \
    X(EXISTS, 2, "it is there already")                                                            \
    X(MISSING, 3, "it is not there")                                                               \
    X(FULL, 4, "a limit of the world is reached")                                                  \
    X(NO_MEMORY, 5, "no memory could be had")                                                      \
    X(INVALID, 6, "an argument makes no sense")                                                    \
    X(CLASH, 7, "two things that must agree do not")                                               \
    X(FOREIGN, 8, "the world is restricted to other types")                                        \
    X(LOCKED, 9, "the world cannot be changed here")                                               \
    X(WRONG_THREAD, 10, "the world belongs to another thread")                                     \
    X(STALE, 11, "it refers to what is gone or has moved")                                         \
    X(BROKEN, 12, "an invariant of the world is broken")                                           \
    X(CANCELLED, 13, "an observer cancelled it")                                                   \
    X(NEEDED, 14, "other entities need it")

// What a call came to.
typedef enum ilk_result {
#define ILK_RESULT_(name, number, sentence) ILK_##name = number,
    ILK_RESULTS(ILK_RESULT_)
#undef ILK_RESULT_
} ilk_result;

// The name of a result ("ILK_DEAD") and its sentence. Never NULL, also for a number that is none.
// They live for ever; any thread may ask.
ILK_API const char* ilk_result_name(ilk_result result);
ILK_API const char* ilk_result_text(ilk_result result);

// An entity: a slot and its generation, which is how often the slot was used (23 bits) and above it
// the world's tag (8 bits). {0} is null and never alive. Plain data: compare it, copy it, store it
// in components, send it.
typedef struct ilk_entity {
    uint32_t index;
    uint32_t generation;
} ilk_entity;

// True if both are the same entity.
static inline bool ilk_same(ilk_entity a, ilk_entity b) {
    return a.index == b.index && a.generation == b.generation;
}

// True for the null entity.
static inline bool ilk_is_null(ilk_entity e) {
    return e.generation == 0;
}

// What happened, with names. In a message callback everything is valid until it returns.
typedef struct ilk_message {
    ilk_result result;
    const char* text;  // a whole sentence that names the entity, the component and the call
    const char* call;  // the function, "ilk_add"
    const char* type;  // name of the type concerned, or NULL
    ilk_entity entity; // the entity concerned, or null
    const char* file;  // the caller's place, in the checked build; otherwise NULL and 0
    int line;
} ilk_message;

// Receives each failure of a call that changes a world, and of a loop that was ended before its
// end; and notices, by calls that are OK, of names in lists of systems that nobody has. It must not
// change that world.
typedef void ilk_message_fn(void* context, const ilk_message* message);

// Where a world's memory comes from. All zero means the C library. `alloc` gives `size` bytes
// aligned to `align` (a power of two, perhaps 1), or NULL; `free` gets back the same size and
// alignment.
// Both or none must be set. They are called by one thread at a time: that of the world or, where
// snapshots are open, one that reads them (snapshot.h).
typedef struct ilk_allocator {
    void* (*alloc)(void* context, size_t size, size_t align);
    void (*free)(void* context, void* memory, size_t size, size_t align);
    void* context;
} ilk_allocator;

#ifdef __cplusplus
}
#endif
#endif
