#include "platform.h"

uintptr_t ilki_thread(void) {
    static _Thread_local char anchor;
    return (uintptr_t)&anchor;
}
