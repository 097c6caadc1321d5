#include "listener.h"

#include <stddef.h>
#include <string.h>

void* ilki_listener_take(ilk_world* world, ilki_listener** spare, size_t size) {
    ilki_listener* listener = *spare;
    if (listener)
        *spare = listener->next;
    else
        listener = ilki_alloc(&world->storage.memory, ILKI_OTHER, size, _Alignof(max_align_t));
    if (!listener) return NULL;
    memset(listener, 0, size);
    listener->world = world;
    listener->serial = ++world->last_listener;
    return listener;
}

void ilki_listener_leave(ilki_listener** spare, ilki_listener* listener) {
    listener->is_gone = true;
    listener->next = *spare;
    *spare = listener;
}

void ilki_listeners_free(ilk_world* world, ilki_listener** spare, size_t size) {
    while (*spare) {
        ilki_listener* next = (*spare)->next;
        ilki_free(&world->storage.memory, ILKI_OTHER, *spare, size, _Alignof(max_align_t));
        *spare = next;
    }
}

ilk_result ilki_listener_check(const ilki_listener* listener, const char* what, const char* call) {
    if (ILKI_LIKELY(!listener->is_gone)) return ILK_OK;
    return ilki_fail_because(listener->world, ILK_INVALID, call, NULL, "the %s is gone", what);
}
