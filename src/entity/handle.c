#include "handle.h"

#include <inttypes.h>

void ilki_put_handle(ilki_text* to, const ilki_index* index, ilk_entity e) {
    bool is_made_up = e.generation & ILKI_DEAD_BIT;
    uint32_t uses = e.generation & ILKI_USES_MAX;
    if (ilk_is_null(e)) {
        ilki_text_put(to, "null");
        return;
    }
    ilki_text_format(to, "%" PRIu32 ":%" PRIu32, e.index, is_made_up ? e.generation : uses);
    if (!is_made_up && ilki_is_tagged_otherwise(index, e)) {
        ilki_text_format(to, " (tag %" PRIu32 ")", e.generation >> ILKI_TAG_SHIFT);
    }
}
