// Guards: which pages of an array a snapshot still shares with the world (src/history). Whoever is
// about to write to a page, or to free it, passes here.
#ifndef ILKI_GUARD_H
#define ILKI_GUARD_H

#include <ilk/inside.h>

// Saves a page, if it is shared.
void ilki_guard_save(ilki_guard* guard, uint32_t page);

ILKI_INLINE void ilki_guard_pass(ilki_guard* guard, uint32_t page) {
    if (ILKI_UNLIKELY(guard->shared != NULL)) ilki_guard_save(guard, page);
}

// The same for a page and all after it.
void ilki_guard_pass_from(ilki_guard* guard, uint32_t page);

#endif
