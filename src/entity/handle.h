// A handle as people read it.
#ifndef ILKI_HANDLE_H
#define ILKI_HANDLE_H

#include "../base/text.h"
#include "index.h"

// Whether a handle has another tag than those of an index.
ILKI_INLINE bool ilki_is_tagged_otherwise(const ilki_index* index, ilk_entity e) {
    return (e.generation & ~ILKI_DEAD_BIT & ~ILKI_USES_MAX) != index->tag;
}

// "12:3", its index and how often that was used; with its tag where that is not the index's own,
// "12:3 (tag 5)"; or "null". One that no index gives out, being marked as dead, is shown with its
// whole generation.
void ilki_put_handle(ilki_text* to, const ilki_index* index, ilk_entity e);

#endif
