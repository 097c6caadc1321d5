// What observers, readers and subscriptions have in common. A program has pointers to them, perhaps
// also to those that are gone: so the memory of these is kept, for the next ones to be made, and
// says that they are gone.
#ifndef ILKI_LISTENER_H
#define ILKI_LISTENER_H

#include "../world/world.h"

// What each of them begins with.
typedef struct ilki_listener {
    ilk_world* world;
    struct ilki_listener* next; // of those that are spare
    uint64_t serial;            // no two have the same, also if one has the memory of another
    bool is_gone;
} ilki_listener;

// A spare one, or one of so many bytes that is made, all zero but for its world; NULL without
// memory.
void* ilki_listener_take(ilk_world* world, ilki_listener** spare, size_t size);

// It is gone, and spare from now on.
void ilki_listener_leave(ilki_listener** spare, ilki_listener* listener);

// Frees those that are spare, of so many bytes each.
void ilki_listeners_free(ilk_world* world, ilki_listener** spare, size_t size);

// INVALID for one that is gone, and that is told; OK otherwise. `what` it is goes into the
// sentence.
ilk_result ilki_listener_check(const ilki_listener* listener, const char* what, const char* call);

#endif
